"""OpenAI's Responses API on the wire: messages to `input` items, and an answer's `output` items to a turn.

Nothing is stored at the provider: reasoning comes back encrypted and is sent again with the next request. Pictures
stand in tool results themselves. Streaming, background runs and previous_response_id are not handled.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from typing import Any

from agent.backend import Message, Picture, Stop, Text, ToolCall, ToolResult, ToolSpec
from agent.prices import Tokens
from agent.sdk_calls import scrub, told_fault

NATIVE = "openai-responses"
DECLINED = ("invalid_prompt", "bio_policy", "misalignment_policy_violation", "image_content_policy_violation")


def input_items(messages: Sequence[Message], model: str, detail: str) -> list[dict[str, Any]]:
    """The conversation as `input` items; the system message is left to `instructions`.

    Parameters
    ----------
    messages : sequence of Message
    model : str
        Native blocks of other models are left out.
    detail : str
        How finely the provider should look at pictures.
    """
    items: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "assistant":
            items += _own_items(message, model)
        elif message.role == "tool":
            items += [_result_item(part, detail) for part in message.content if isinstance(part, ToolResult)]
        elif message.role == "user":
            items.append({"role": "user", "content": list(_shown(message.content, detail))})
    return items


def instructions(messages: Sequence[Message]) -> str:
    """The words of the system messages."""
    return "\n\n".join(message.text for message in messages if message.role == "system")


def tool_entries(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """The tools as the API lists them; not strict, because strict schemas may have no optional argument."""
    return [
        {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.schema,
            "strict": False,
        }
        for tool in tools
    ]


def read_turn(data: dict[str, Any], model: str, who: str) -> tuple[Message, Stop]:
    """The message in an answer and why it stopped.

    Raises
    ------
    BackendError
        Where the answer says that it failed.
    """
    error = data.get("error")
    if data.get("status") == "failed" or (error and not data.get("output")):
        if isinstance(error, dict) and error.get("code") in DECLINED:
            return Message("assistant", (Text(scrub(str(error.get("message", "")))),)), "refusal"
        raise told_fault(error or {}, who)
    items = [item for item in data.get("output") or [] if isinstance(item, dict)]
    parts = [part for item in items for part in _parts(item)]
    native = tuple(item for item in items if item.get("type") != "reasoning" or item.get("encrypted_content"))
    message = Message("assistant", tuple(parts), native if parts else (), f"{NATIVE}:{model}")
    return message, _stop(data, items, message)


def read_tokens(data: dict[str, Any]) -> Tokens:
    """The token counts of an answer; 0 where a server tells none."""
    usage = data.get("usage") or {}
    details = usage.get("input_tokens_details") or {}
    return Tokens(
        int(usage.get("input_tokens") or 0),
        int(usage.get("output_tokens") or 0),
        int(details.get("cached_tokens") or 0),
        int(details.get("cache_write_tokens") or 0),
    )


def data_url(picture: Picture) -> str:
    """A picture as a data URL."""
    return "data:image/png;base64," + base64.b64encode(picture.png).decode("ascii")


def arguments_of(raw: Any) -> tuple[dict[str, Any] | None, str]:
    """(arguments, raw): a call's arguments, None where they are no JSON object, and then what stood there."""
    if isinstance(raw, dict):
        return raw, ""
    try:
        arguments = json.loads(raw or "{}")
    except (TypeError, ValueError):
        arguments = None
    return (arguments, "") if isinstance(arguments, dict) else (None, str(raw))


def _shown(parts: Sequence[Any], detail: str) -> Iterator[dict[str, Any]]:
    for part in parts:
        if isinstance(part, Text):
            yield {"type": "input_text", "text": part.text}
        elif isinstance(part, Picture):
            yield {"type": "input_image", "image_url": data_url(part), "detail": detail}


def _own_items(message: Message, model: str) -> list[dict[str, Any]]:
    if message.native and message.provider == f"{NATIVE}:{model}":
        return list(message.native)
    items: list[dict[str, Any]] = [{"role": "assistant", "content": message.text}] if message.text else []
    for call in message.calls:
        written = call.raw if call.arguments is None else json.dumps(call.arguments)
        items.append({"type": "function_call", "call_id": call.id, "name": call.name, "arguments": written})
    return items


def _result_item(result: ToolResult, detail: str) -> dict[str, Any]:
    output: Any = list(_shown(result.content, detail))
    if not any(isinstance(part, Picture) for part in result.content):
        output = "\n".join(part.text for part in result.content if isinstance(part, Text))
    return {"type": "function_call_output", "call_id": result.id, "output": output}


def _parts(item: dict[str, Any]) -> Iterator[Text | ToolCall]:
    if item.get("type") == "message":
        for block in item.get("content") or []:
            words = block.get("text") or block.get("refusal")
            if words:
                yield Text(words)
    elif item.get("type") == "function_call":
        arguments, raw = arguments_of(item.get("arguments"))
        yield ToolCall(str(item.get("call_id") or item.get("id") or ""), str(item.get("name")), arguments, raw)


def _stop(data: dict[str, Any], items: list[dict[str, Any]], message: Message) -> Stop:
    reason = (data.get("incomplete_details") or {}).get("reason")
    blocks = [block for item in items if item.get("type") == "message" for block in item.get("content") or []]
    if reason == "content_filter" or any(block.get("type") == "refusal" for block in blocks):
        return "refusal"
    if data.get("status") == "incomplete":
        return "length"
    return "tool" if message.calls else "end"
