"""What goes out on the wire: pictures, signed thoughts, cache marks; effort and temperature where they are taken."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from agent.backend import BackendError, Message, Picture, Text, ToolResult, ToolSpec, open_backend
from tests.agent.wire import APIS, Body, Calls, Says, Wire

PNG = b"\x89PNG picture "
USER = [
    Message("system", (Text("You measure."),)),
    Message("user", (Text("What is this?"), Picture(PNG + b"0", 4, 3))),
]
LOOK = ToolSpec("look", "Shows a part.", {"type": "object", "properties": {"panel": {"type": "integer"}}})


def two_looks(wire: Wire, api: str) -> list[Message]:
    """A conversation in which the model looked, and was shown two pictures."""
    wire.plan(Calls("look", {"panel": 1}), Says("done"))
    turn = wire.backend(api).reply(USER, [LOOK])
    shown = (Text("left:"), Picture(PNG + b"1", 4, 3), Text("right:"), Picture(PNG + b"2", 4, 3))
    return [*USER, turn.message, Message("tool", (ToolResult(turn.message.calls[0].id, shown),))]


@pytest.mark.parametrize("api", APIS)
def test_pictures_arrive_byte_for_byte_and_in_order(wire: Wire, api: str) -> None:
    wire.backend(api).reply(two_looks(wire, api), [LOOK])
    assert [base64.b64decode(picture) for picture in wire.pictures()] == [PNG + b"0", PNG + b"1", PNG + b"2"]


def test_responses_carries_the_pictures_in_the_result_and_the_reasoning_back(wire: Wire) -> None:
    wire.backend("responses").reply(two_looks(wire, "responses"), [LOOK])
    request = wire.asked[-1]
    user, reasoning, call, result = request["input"]
    assert [part["type"] for part in user["content"]] == ["input_text", "input_image"]
    assert (reasoning["type"], reasoning["encrypted_content"]) == ("reasoning", "gAAA1")
    assert (call["type"], call["call_id"]) == ("function_call", "call_1")
    assert (result["type"], result["call_id"]) == ("function_call_output", "call_1")
    assert [part["type"] for part in result["output"]] == ["input_text", "input_image"] * 2
    assert request["instructions"] == "You measure."
    assert request["store"] is False
    assert request["tools"][0]["parameters"] == LOOK.schema


def test_chat_has_the_pictures_follow_as_a_user_message(wire: Wire) -> None:
    wire.backend("chat").reply(two_looks(wire, "chat"), [LOOK])
    system, _, asked, result, follow = wire.asked[-1]["messages"]
    assert system == {"role": "system", "content": "You measure."}
    assert asked["tool_calls"][0]["id"] == result["tool_call_id"] == "call_1"
    assert result["content"] == "left:\n[picture 1]\nright:\n[picture 2]"
    assert follow["role"] == "user"
    assert [part.get("text", "picture") for part in follow["content"]] == [
        "[picture 1]",
        "picture",
        "[picture 2]",
        "picture",
    ]


def test_two_results_stand_together_before_their_pictures(wire: Wire) -> None:
    """Chat Completions wants every tool message right after the calls; a user message between them is an error."""
    wire.plan(Says("done"))
    results = tuple(ToolResult(name, (Picture(PNG, 1, 1),)) for name in ("a", "b"))
    wire.backend("chat").reply([*USER, Message("tool", results)])
    assert [entry["role"] for entry in wire.asked[0]["messages"]] == ["system", "user", "tool", "tool", "user"]


def test_what_a_server_signs_goes_back(wire: Wire) -> None:
    """Gemini signs its calls and refuses the conversation when the signature is gone; some servers give no id."""
    call = '{"type": "function", "function": {"name": "look", "arguments": "{}"}, "extra_content": {"signature": "s"}}'
    wire.plan(Body(f'{{"choices": [{{"message": {{"content": null, "tool_calls": [{call}]}}}}]}}'), Says("done"))
    backend = wire.backend("chat")
    turn = backend.reply(USER, [LOOK])
    assert (turn.stop, turn.message.calls[0].id) == ("tool", "call_1")
    backend.reply([*USER, turn.message, Message("tool", (ToolResult("call_1", (Text("ok"),)),))], [LOOK])
    sent = wire.asked[-1]["messages"][2]["tool_calls"][0]
    assert (sent["extra_content"], sent["id"]) == ({"signature": "s"}, "call_1")


def test_anthropic_carries_pictures_thoughts_and_cache_marks(wire: Wire) -> None:
    wire.backend("anthropic").reply(two_looks(wire, "anthropic"), [LOOK])
    request = wire.asked[-1]
    user, assistant, result = request["messages"]
    assert [block["type"] for block in user["content"]] == ["text", "image"]
    assert [block["type"] for block in assistant["content"]] == ["thinking", "tool_use"]
    assert assistant["content"][0]["signature"] == "sig1"
    assert result["role"] == "user"
    (answer,) = result["content"]
    assert [block["type"] for block in answer["content"]] == ["text", "image"] * 2
    assert answer["cache_control"] == request["system"][-1]["cache_control"] == {"type": "ephemeral"}
    assert "transformations" not in str(request)  # asked of Anthropic's own server only


def test_anthropic_itself_may_not_shrink_a_picture(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", wire.url)
    wire.plan(Says("hello"))
    open_backend("anthropic:claude-opus-5-5").reply(USER)
    assert wire.asked[0]["messages"][0]["content"][1]["transformations"] == {"oversized_image": "error"}


def test_errors_of_tools_are_marked_and_hold_words_only(wire: Wire) -> None:
    wire.plan(Says("done"))
    result = ToolResult("a", (Text("no such panel"), Picture(PNG, 1, 1)), error=True)
    wire.backend("anthropic").reply([*USER, Message("tool", (result,)), Message("user", (Text("Go on."),))])
    sent = wire.asked[0]["messages"][0]["content"][2:]
    assert [block["type"] for block in sent] == ["tool_result", "text"]  # one user turn, the result first
    assert sent[0]["is_error"] is True
    assert [block["type"] for block in sent[0]["content"]] == ["text"]


def sent_settings(
    wire: Wire, api: str, model: str, effort: str | None, temperature: float | None
) -> tuple[Any, Any, int]:
    """(temperature, effort, number of warnings) as they went out."""
    wire.plan(Says("hello"))
    turn = wire.backend(api, model, temperature=temperature).reply(USER, effort=effort)
    request = wire.asked[-1]
    said = request.get("reasoning", {}).get("effort") or request.get("reasoning_effort")
    said = said or request.get("output_config", {}).get("effort") or request.get("thinking", {}).get("budget_tokens")
    return request.get("temperature"), said, len([word for word in turn.warnings if "price" not in word])


@pytest.mark.parametrize(
    ("api", "model", "temperature", "effort"),
    [
        ("responses", "gpt-6-sol", None, "high"),
        ("responses", "o4-mini", None, "high"),
        ("responses", "gpt-4.1", 0.5, "high"),  # not OpenAI's own server: it may know the word
        ("chat", "gpt-5.2", None, "high"),
        ("chat", "qwen3-vl", 0.5, "high"),
        ("anthropic", "claude-opus-5-5", None, "high"),
        ("anthropic", "claude-opus-4-7", None, "high"),
        ("anthropic", "claude-haiku-4-5", None, 12288),
    ],
)
def test_temperature_and_effort_go_where_they_are_taken(
    wire: Wire, api: str, model: str, temperature: float | None, effort: Any
) -> None:
    taken = sent_settings(wire, api, model, "high", 0.5)
    assert taken == (temperature, effort, int(temperature is None))


def test_nothing_is_sent_that_was_not_asked_for(wire: Wire) -> None:
    for api in APIS:
        assert sent_settings(wire, api, "claude-opus-4-6" if api == "anthropic" else "gpt-4.1", None, None) == (
            None,
            None,
            0,
        )
        assert "thinking" not in wire.asked[-1]


def test_temperature_without_thinking_goes_to_models_that_take_it(wire: Wire) -> None:
    assert sent_settings(wire, "anthropic", "claude-haiku-4-5", None, 0.5) == (0.5, None, 0)


@pytest.mark.parametrize(
    ("api", "model", "effort"),
    [
        ("anthropic", "claude-opus-4-6", "xhigh"),
        ("anthropic", "claude-opus-5-5", "minimal"),
        ("anthropic", "claude-haiku-4-5", "none"),
        ("responses", "gpt-6-sol", "heroic"),
    ],
)
def test_an_effort_that_the_model_has_not_is_left_out_and_told(wire: Wire, api: str, model: str, effort: str) -> None:
    assert sent_settings(wire, api, model, effort, None) == (None, None, 1)


def test_thinking_leaves_room_for_the_answer(wire: Wire) -> None:
    wire.plan(Says("hello"))
    backend = wire.backend("anthropic", "claude-haiku-4-5")
    backend.reply(USER, effort="max", max_tokens=8000)
    assert wire.asked[0]["thinking"] == {"type": "enabled", "budget_tokens": 8000 - 2048}
    assert backend.reply(USER, effort="high", max_tokens=2500).warnings
    assert "thinking" not in wire.asked[1]


def test_adaptive_thinking_is_switched_on_where_it_is_off(wire: Wire) -> None:
    wire.plan(Says("hello"))
    wire.backend("anthropic", "claude-opus-4-8").reply(USER, effort="max")
    assert (wire.asked[0]["thinking"], wire.asked[0]["output_config"]) == ({"type": "adaptive"}, {"effort": "max"})


def test_openai_is_told_how_finely_to_look(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    for api, model, detail in (("responses", "gpt-6-sol", "original"), ("responses", "gpt-4.1", "high")):
        backend = wire.backend(api, model)
        monkeypatch.setattr(backend, "official", True)
        wire.plan(Says("hello"))
        backend.reply(USER)
        assert wire.asked[-1]["input"][0]["content"][1]["detail"] == detail
    wire.backend("chat").reply(USER)
    assert "detail" not in str(wire.asked[-1])


def test_hosted_code_gets_the_pictures_as_files(wire: Wire) -> None:
    wire.plan(Says("42"))
    wire.backend("responses").reply(USER, code=True, effort="high")
    tool = {"type": "code_interpreter", "container": {"type": "auto", "file_ids": ["file_1"]}}
    assert wire.asked[0]["tools"] == [tool]
    assert wire.files == [("POST", "/v1/files"), ("DELETE", "/v1/files/file_1")]
    with pytest.raises(BackendError, match="code tool"):
        wire.backend("chat").reply(USER, code=True)


def test_a_paused_turn_with_hosted_code_is_taken_up_again(wire: Wire) -> None:
    ran = '{"type": "server_tool_use", "id": "s1", "name": "code_execution", "input": {}}'
    words = '{"type": "text", "text": "The bars are "}'
    usage = '"usage": {"input_tokens": 10, "output_tokens": 5}'
    paused = f'{{"content": [{words}, {ran}], "stop_reason": "pause_turn", "container": {{"id": "box"}}, {usage}}}'
    wire.plan(Body(paused), Says("blue.", tokens=(20, 5, 0)))
    turn = wire.backend("anthropic").reply(USER, code=True)
    assert (turn.message.text, turn.stop) == ("The bars are blue.", "end")
    assert (turn.usage.input_tokens, turn.usage.output_tokens, turn.usage.requests) == (30, 10, 2)
    first, second = wire.asked
    assert first["tools"] == [{"type": "code_execution_20250825", "name": "code_execution"}]
    assert first["messages"][0]["content"][-1] == {"type": "container_upload", "file_id": "file_1"}
    assert second["messages"][-1]["role"] == "assistant"
    assert second["container"] == "box"
    assert [block["type"] for block in turn.message.native] == ["text", "server_tool_use", "thinking", "text"]
