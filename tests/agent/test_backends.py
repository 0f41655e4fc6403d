"""Three APIs, one contract: every backend says the same of the same reply."""

from __future__ import annotations

import dataclasses

import pytest

from agent.backend import Backend, Message, Picture, Text, ToolCall, ToolResult, ToolSpec, Usage, open_backend
from tests.agent.wire import APIS, Body, Calls, Says, Status, Wire

ALL = pytest.mark.parametrize("api", APIS)
USER = [Message("system", (Text("You measure."),)), Message("user", (Text("What is this?"),))]
LOOK = ToolSpec("look", "Shows a part.", {"type": "object", "properties": {"panel": {"type": "integer"}}})
PICTURE = Picture(b"\x89PNG not really", 4, 3)


@ALL
def test_words_come_back_with_what_they_took(wire: Wire, api: str) -> None:
    wire.plan(Says("a line chart", tokens=(1000, 200, 400)))
    turn = wire.backend(api).reply(USER)
    assert (turn.message.role, turn.message.text, turn.stop, turn.message.calls) == (
        "assistant",
        "a line chart",
        "end",
        (),
    )
    usage = turn.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.requests) == (1000, 200, 400, 1)
    # gpt-6-sol: 2 fresh, 0.2 cached, 10 out; claude-opus-5-5: 4, 0.2, 20; dollars per million
    dollars = (600 * 4 + 400 * 0.2 + 200 * 20) if api == "anthropic" else (600 * 2 + 400 * 0.2 + 200 * 10)
    assert usage.dollars == pytest.approx(dollars / 1e6)
    assert 0 < usage.seconds < 5
    assert turn.warnings == ()


@ALL
def test_a_call_comes_back_and_its_answer_goes_in(wire: Wire, api: str) -> None:
    wire.plan(Calls("look", {"panel": 2}, text="I look."), Says("done"))
    backend = wire.backend(api)
    turn = backend.reply(USER, [LOOK])
    assert turn.stop == "tool"
    (call,) = turn.message.calls
    assert (call.name, call.arguments, call.raw) == ("look", {"panel": 2}, "")
    answer = Message("tool", (ToolResult(call.id, (Text("panel 2:"), PICTURE)),))
    last = backend.reply([*USER, turn.message, answer], [LOOK])
    assert (last.message.text, last.stop) == ("done", "end")
    assert len(wire.pictures()) == 1


@ALL
def test_arguments_that_are_no_json_object_are_kept_as_written(wire: Wire, api: str) -> None:
    wire.plan(Calls("look", '{"panel": 2'))
    (call,) = wire.backend(api).reply(USER, [LOOK]).message.calls
    assert call.arguments is None
    assert '"panel\\": 2' in call.raw or '"panel": 2' in call.raw


@ALL
@pytest.mark.parametrize("arguments", ["[1]", "3", "null"])
def test_arguments_of_another_type_are_no_arguments(wire: Wire, api: str, arguments: str) -> None:
    wire.plan(Calls("look", arguments))
    assert wire.backend(api).reply(USER, [LOOK]).message.calls[0].arguments is None


@ALL
def test_a_tool_that_nobody_offered_is_passed_on(wire: Wire, api: str) -> None:
    wire.plan(Calls("open_shell", {"a": 1}))
    turn = wire.backend(api).reply(USER, [LOOK])
    assert (turn.stop, turn.message.calls[0].name) == ("tool", "open_shell")


@ALL
def test_a_reply_that_was_cut_says_so(wire: Wire, api: str) -> None:
    wire.plan(Says("x\ty\n1\t2\n2\t", stop="length"))
    turn = wire.backend(api).reply(USER, max_tokens=50)
    assert (turn.stop, turn.message.text) == ("length", "x\ty\n1\t2\n2\t")
    assert 50 in (wire.asked[0].get(name) for name in ("max_tokens", "max_output_tokens", "max_completion_tokens"))


def test_a_call_cut_in_two_has_no_arguments(wire: Wire) -> None:
    wire.plan(Calls("look", {"panel": 1}, stop="length"))
    turn = wire.backend("anthropic").reply(USER, [LOOK])
    assert (turn.stop, turn.message.calls[0].arguments) == ("length", None)


@ALL
def test_a_refusal_is_a_refusal(wire: Wire, api: str) -> None:
    wire.plan(Says("I can't help with that.", stop="refusal"))
    turn = wire.backend(api).reply(USER)
    assert (turn.stop, turn.message.text) == ("refusal", "I can't help with that.")


def test_filters_and_policies_are_refusals_too(wire: Wire) -> None:
    wire.plan(Body('{"choices": [{"finish_reason": "content_filter", "message": {"content": ""}}]}'))
    assert wire.backend("chat").reply(USER).stop == "refusal"
    wire.plan(Body('{"status": "incomplete", "incomplete_details": {"reason": "content_filter"}, "output": []}'))
    assert wire.backend("responses").reply(USER).stop == "refusal"
    wire.plan(Body('{"status": "failed", "error": {"code": "image_content_policy_violation", "message": "no"}}'))
    assert wire.backend("responses").reply(USER).stop == "refusal"
    wire.plan(Body('{"content": [], "stop_reason": "refusal", "stop_details": {"explanation": "not this"}}'))
    turn = wire.backend("anthropic").reply(USER)
    assert (turn.stop, turn.message.text) == ("refusal", "not this")


@ALL
def test_an_unknown_model_costs_an_unknown_amount(wire: Wire, api: str) -> None:
    wire.plan(Says("hello"))
    turn = wire.backend(api, "claude-nova-9" if api == "anthropic" else "nova-9").reply(USER)
    assert turn.usage.dollars is None
    assert any("no price" in word for word in turn.warnings)


@pytest.mark.parametrize("api", ["responses", "chat"])
def test_a_cost_that_the_server_states_is_believed(wire: Wire, api: str) -> None:
    wire.plan(Says("hello", usage={"cost": 0.0123}))
    assert wire.backend(api, "vendor/nova-9").reply(USER).usage.dollars == 0.0123


@ALL
def test_another_providers_turns_are_understood(wire: Wire, api: str) -> None:
    """A conversation that one model began can be ended by another: its own blocks are left out, its words are not."""
    native = ({"type": "thinking", "signature": "x"},)
    call = ToolCall("call_7", "look", {"panel": 1})
    begun = Message("assistant", (Text("First I look."), call), native, "another:model")
    broken = Message("assistant", (ToolCall("call_8", "look", None, '{"panel'),))
    results = [Message("tool", (ToolResult(name, (Text("nothing"),), error=True),)) for name in ("call_7", "call_8")]
    wire.plan(Says("done"))
    wire.backend(api).reply([*USER, begun, results[0], broken, results[1]], [LOOK])
    sent = str(wire.asked[0])
    assert "signature" not in sent
    assert "First I look." in sent
    assert "call_7" in sent
    assert "call_8" in sent


def test_a_server_without_responses_is_spoken_to_in_chat(wire: Wire) -> None:
    wire.missing = {"responses"}
    wire.plan(Says("hello"))
    backend = wire.backend("responses")
    assert backend.reply(USER).message.text == "hello"
    assert backend.reply(USER).message.text == "hello"
    assert wire.apis == ["chat", "chat"]


def test_other_servers_are_spoken_to_in_chat_and_need_no_key(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    wire.plan(Body('{"choices": [{"message": {"content": [{"type": "text", "text": "hi"}]}}]}'))
    turn = open_backend("openai:qwen3-vl", base_url=f"{wire.url}/v1").reply(USER)
    assert turn.message.text == "hi"
    assert wire.apis == ["chat"]
    assert set(wire.asked[0]) == {"model", "messages", "max_tokens"}  # few fields, because servers differ


def test_usage_adds_up_and_an_unknown_part_makes_it_unknown() -> None:
    one = Usage(10, 2, 0.5, 1.0, 1, 4)
    assert one + one == Usage(20, 4, 1.0, 2.0, 2, 8)
    assert sum([one, one], Usage()) == one + one
    assert (one + dataclasses.replace(one, dollars=None)).dollars is None


@pytest.mark.parametrize("spec", ["gpt-6", "openai:", "google:gemini", "", "anthropic: "])
def test_a_name_that_names_no_model(spec: str) -> None:
    with pytest.raises(ValueError, match="names no model"):
        open_backend(spec)


def test_opening_needs_no_key_and_says_which_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    backend: Backend = open_backend("openai:gpt-5.4-mini-2026-03-17")
    assert (backend.name, backend.model) == ("openai", "gpt-5.4-mini-2026-03-17")
    assert open_backend("anthropic:claude-opus-4-6").max_edge < open_backend("anthropic:claude-opus-5").max_edge


def test_an_error_inside_a_good_answer_is_an_error(wire: Wire) -> None:
    from agent.backend import BackendError

    for api, body in (
        ("chat", '{"error": {"code": 429, "message": "upstream is busy"}}'),
        ("responses", '{"status": "failed", "error": {"code": "server_error", "message": "upstream is busy"}}'),
        ("anthropic", '{"type": "error", "error": {"type": "overloaded_error", "message": "upstream is busy"}}'),
    ):
        wire.plan(Body(body))
        with pytest.raises(BackendError, match="upstream is busy") as caught:
            wire.backend(api, retries=0).reply(USER)
        assert caught.value.transient


@ALL
def test_a_field_that_the_model_refuses_is_left_out_and_told(wire: Wire, api: str) -> None:
    """A new model may refuse what its name did not tell us; the request goes out again without it."""
    model = {"responses": "gpt-4.1", "chat": "gpt-4.1", "anthropic": "claude-opus-4-6"}[api]
    wire.plan(Status(400, "Unsupported parameter: 'temperature' is not supported with this model."), Says("hello"))
    turn = wire.backend(api, model, temperature=0.7).reply(USER)
    assert turn.message.text == "hello"
    assert [request.get("temperature") for request in wire.asked] == [0.7, None]
    assert any("temperature" in word for word in turn.warnings)
    assert turn.usage.requests == 2


@ALL
def test_a_picture_over_the_limit_is_told(wire: Wire, api: str) -> None:
    wire.plan(Says("hello"))
    large = ToolResult("a", (Picture(b"png", 3000, 2500),))
    turn = wire.backend(api).reply([*USER, Message("tool", (large,))])
    assert any("3000 x 2500" in word for word in turn.warnings)


@ALL
def test_a_turn_that_was_cut_before_a_word_is_left_out(wire: Wire, api: str) -> None:
    wire.plan(Says("", stop="length"), Says("done"))
    backend = wire.backend(api)
    turn = backend.reply(USER)
    assert (turn.stop, turn.message.content, turn.message.native) == ("length", (), ())
    assert backend.reply([*USER, turn.message, Message("user", (Text("Go on."),))]).message.text == "done"
    spoken = wire.asked[1].get("messages") or wire.asked[1]["input"]
    assert {entry["role"] for entry in spoken} <= {"system", "user"}
