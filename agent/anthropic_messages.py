"""Anthropic's Messages API on the wire: messages to content blocks, and an answer's blocks to a turn.

A signed thought must go back as it came, so a turn's own blocks are kept beside its words and sent again to the same
model. Citations, documents and search results are not handled.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from typing import Any

from agent.backend import BackendError, Message, Picture, Stop, Text, ToolCall, ToolResult, ToolSpec
from agent.prices import Tokens
from agent.sdk_calls import told_fault

NATIVE = "anthropic"
CACHE = {"cache_control": {"type": "ephemeral"}}
CACHEABLE = ("text", "image", "tool_result", "tool_use")
STOPS: dict[str, Stop] = {
    "tool_use": "tool",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "length",
    "refusal": "refusal",
}


def system_blocks(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The system messages as blocks, the last one marked for the cache; it covers the tools too, which stand before."""
    blocks = [
        {"type": "text", "text": message.text} for message in messages if message.role == "system" and message.text
    ]
    return [*blocks[:-1], blocks[-1] | CACHE] if blocks else []


def tool_entries(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """The tools as the API lists them."""
    return [{"name": tool.name, "description": tool.description, "input_schema": tool.schema} for tool in tools]


def conversation(messages: Sequence[Message], model: str, *, strict_pictures: bool) -> list[dict[str, Any]]:
    """The conversation without its system messages, its last block marked for the cache.

    Parameters
    ----------
    messages : sequence of Message
    model : str
        Native blocks of other models are left out.
    strict_pictures : bool
        Ask for an error, instead of a smaller picture, where one is too large.
    """
    spoken: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            continue
        role = "assistant" if message.role == "assistant" else "user"
        content = (
            _own_blocks(message, model) if role == "assistant" else list(_blocks(message.content, strict_pictures))
        )
        if spoken and spoken[-1]["role"] == role:
            spoken[-1]["content"] += content
        elif content:
            spoken.append({"role": role, "content": content})
    if spoken and spoken[-1]["content"][-1]["type"] in CACHEABLE:
        spoken[-1]["content"][-1] = spoken[-1]["content"][-1] | CACHE
    return spoken


def blocks_of(data: dict[str, Any], who: str) -> list[dict[str, Any]]:
    """The content blocks of an answer.

    Raises
    ------
    BackendError
        Where the answer holds an error, or no content.
    """
    if data.get("type") == "error" or data.get("error"):
        raise told_fault(data.get("error") or {}, who)
    content = data.get("content")
    if not isinstance(content, list):
        raise BackendError(f"the answer of {who} holds no content", transient=True, kind="reply")
    return [block for block in content if isinstance(block, dict)]


def read_turn(blocks: list[dict[str, Any]], data: dict[str, Any], model: str) -> tuple[Message, Stop]:
    """The message in the blocks of one turn, and why it stopped.

    A call that the end of the reply cut off has no arguments: what stands in it may be half of what was meant. A turn
    that was cut before it said anything leaves nothing to send back: its thought has no signature yet.
    """
    reason = str(data.get("stop_reason") or "")
    parts = list(_parts(blocks))
    cut = STOPS.get(reason) == "length" and blocks and blocks[-1].get("type") == "tool_use"
    if cut and isinstance(parts[-1], ToolCall):
        parts[-1] = ToolCall(parts[-1].id, parts[-1].name, None, json.dumps(blocks[-1].get("input")))
    explanation = (data.get("stop_details") or {}).get("explanation")
    if reason == "refusal" and explanation and not parts:
        parts = [Text(str(explanation))]
    called = any(isinstance(part, ToolCall) for part in parts)
    message = Message("assistant", tuple(parts), tuple(blocks) if parts else (), f"{NATIVE}:{model}")
    return message, STOPS.get(reason, "tool" if called else "end")


def read_tokens(data: dict[str, Any]) -> Tokens:
    """The token counts of an answer; the API counts cached and written ones apart from `input_tokens`."""
    usage = data.get("usage") or {}
    cached, written = int(usage.get("cache_read_input_tokens") or 0), int(usage.get("cache_creation_input_tokens") or 0)
    fresh = int(usage.get("input_tokens") or 0)
    return Tokens(fresh + cached + written, int(usage.get("output_tokens") or 0), cached, written)


def _blocks(parts: Sequence[Any], strict: bool) -> Iterator[dict[str, Any]]:
    for part in parts:
        if isinstance(part, Text) and part.text:
            yield {"type": "text", "text": part.text}
        elif isinstance(part, Picture):
            yield _image(part, strict)
        elif isinstance(part, ToolResult):
            yield _result(part, strict)


def _image(picture: Picture, strict: bool) -> dict[str, Any]:
    data = base64.b64encode(picture.png).decode("ascii")
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    return block | ({"transformations": {"oversized_image": "error"}} if strict else {})


def _result(result: ToolResult, strict: bool) -> dict[str, Any]:
    shown = [part for part in result.content if isinstance(part, Text) or not result.error]  # errors are words only
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": result.id, "content": list(_blocks(shown, strict))}
    return block | ({"is_error": True} if result.error else {})


def _own_blocks(message: Message, model: str) -> list[dict[str, Any]]:
    if message.native and message.provider == f"{NATIVE}:{model}":
        return list(message.native)
    blocks: list[dict[str, Any]] = [{"type": "text", "text": message.text}] if message.text.strip() else []
    for call in message.calls:
        blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments or {}})
    return blocks


def _parts(blocks: list[dict[str, Any]]) -> Iterator[Text | ToolCall]:
    for block in blocks:
        if block.get("type") == "text" and block.get("text"):
            yield Text(str(block["text"]))
        elif block.get("type") == "tool_use":
            arguments = block.get("input")
            good = isinstance(arguments, dict)
            raw = "" if good else json.dumps(arguments)
            yield ToolCall(str(block.get("id")), str(block.get("name")), arguments if good else None, raw)
