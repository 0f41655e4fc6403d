"""Chat Completions on the wire, as OpenAI and the many compatible servers speak it.

A tool's answer is text only here, so its pictures follow in a user message, each after the same mark as in the tool's
text. Servers differ in what they leave out, so all but `choices` may be missing. Hosted tools are not handled.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from agent.backend import BackendError, Message, Picture, Stop, Text, ToolCall, ToolResult, ToolSpec
from agent.openai_responses import arguments_of, data_url
from agent.prices import Tokens
from agent.sdk_calls import told_fault

NATIVE = "openai-chat"
SENT_BACK = ("role", "content", "tool_calls", "reasoning_details")  # Gemini signs its calls, OpenRouter its reasoning
ENDED: dict[str, Stop] = {"length": "length", "max_tokens": "length", "content_filter": "refusal", "refusal": "refusal"}


def chat_messages(messages: Sequence[Message], model: str, detail: str | None) -> list[dict[str, Any]]:
    """The conversation as `messages`.

    Parameters
    ----------
    messages : sequence of Message
    model : str
        Native blocks of other models are left out.
    detail : str or None
        How finely the provider should look at pictures; None leaves the field out.
    """
    entries: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "assistant":
            entries += [_own_entry(message, model)] if message.content else []  # cut short before it said anything
        elif message.role == "tool":
            entries += _result_entries(message, detail)
        elif message.role == "system":
            entries.append({"role": "system", "content": message.text})
        else:
            entries.append({"role": "user", "content": _content(message, detail)})
    return entries


def tool_entries(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """The tools as the API lists them."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
        }
        for tool in tools
    ]


def read_turn(data: dict[str, Any], model: str, who: str) -> tuple[Message, Stop]:
    """The message in an answer and why it stopped.

    Raises
    ------
    BackendError
        Where the answer holds an error, or no choice.
    """
    if data.get("error"):
        raise told_fault(data["error"], who)
    choices = data.get("choices") or [{}]
    entry = choices[0].get("message")
    if not isinstance(entry, dict):
        raise BackendError(f"the answer of {who} holds no message", transient=True, kind="reply")
    words = _words(entry.get("content")) or str(entry.get("refusal") or "")
    calls = tuple(_calls(entry))
    native = {key: entry[key] for key in SENT_BACK if entry.get(key) is not None}
    parts = ((Text(words),) if words else ()) + calls
    message = Message("assistant", parts, (native,) if calls else (), f"{NATIVE}:{model}")
    return message, _stop(entry, str(choices[0].get("finish_reason") or ""), bool(calls))


def read_tokens(data: dict[str, Any]) -> Tokens:
    """The token counts of an answer; 0 where a server tells none."""
    usage = data.get("usage") or {}
    details = usage.get("prompt_tokens_details") or {}
    return Tokens(
        int(usage.get("prompt_tokens") or 0),
        int(usage.get("completion_tokens") or 0),
        int(details.get("cached_tokens") or 0),
        int(details.get("cache_write_tokens") or 0),
    )


def _content(message: Message, detail: str | None) -> str | list[dict[str, Any]]:
    if not any(isinstance(part, Picture) for part in message.content):
        return message.text
    return list(_shown(message.content, detail))


def _shown(parts: Sequence[Any], detail: str | None) -> Iterator[dict[str, Any]]:
    for part in parts:
        if isinstance(part, Text):
            yield {"type": "text", "text": part.text}
        elif isinstance(part, Picture):
            yield {"type": "image_url", "image_url": {"url": data_url(part)} | ({"detail": detail} if detail else {})}


def _own_entry(message: Message, model: str) -> dict[str, Any]:
    if message.native and message.provider == f"{NATIVE}:{model}":
        return {"content": None} | message.native[0]
    entry: dict[str, Any] = {"role": "assistant", "content": message.text or None}
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": call.raw if call.arguments is None else json.dumps(call.arguments),
            },
        }
        for call in message.calls
    ]
    return entry | ({"tool_calls": calls} if calls else {})


def _result_entries(message: Message, detail: str | None) -> list[dict[str, Any]]:
    """A tool message for each result, then the pictures of all of them in one user message."""
    entries: list[dict[str, Any]] = []
    shown: list[Text | Picture] = []
    for result in message.content:
        if not isinstance(result, ToolResult):
            continue
        words = []
        for part in result.content:
            if isinstance(part, Text):
                words.append(part.text)
            else:
                words.append(mark := f"[picture {len(shown) // 2 + 1}]")
                shown += [Text(mark), part]
        entries.append({"role": "tool", "tool_call_id": result.id, "content": "\n".join(words)})
    return entries + ([{"role": "user", "content": list(_shown(shown, detail))}] if shown else [])


def _words(content: Any) -> str:
    if isinstance(content, list):  # some servers answer in parts
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return str(content or "")


def _calls(entry: dict[str, Any]) -> Iterator[ToolCall]:
    for number, call in enumerate(entry.get("tool_calls") or [], 1):
        function = call.get("function") or {}
        arguments, raw = arguments_of(function.get("arguments"))
        call["id"] = call.get("id") or f"call_{number}"  # in the native entry too: the result must name the same one
        yield ToolCall(call["id"], str(function.get("name")), arguments, raw)


def _stop(entry: dict[str, Any], reason: str, called: bool) -> Stop:
    if entry.get("refusal"):
        return "refusal"
    return ENDED.get(reason.lower(), "tool" if called else "end")
