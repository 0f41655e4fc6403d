"""Messages and turns as JSON and back: what a trajectory and a replay file are made of.

Pictures are base64 inside the JSON, or PNG files beside it named by their content, so that one picture is kept once.
No key can be in here, because no message holds one. Reading files of other versions or other projects is not handled.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agent.backend import Message, Part, Picture, Stop, Text, ToolCall, ToolResult, Turn, Usage


def message_to_json(message: Message, pictures: Path | None = None) -> dict[str, Any]:
    """A message as plain JSON data.

    Parameters
    ----------
    message : Message
    pictures : Path, optional
        A folder for the pictures, made where it is missing; without it they go into the JSON as base64.
    """
    data: dict[str, Any] = {
        "role": message.role,
        "content": [_part_to_json(part, pictures) for part in message.content],
    }
    if message.native:
        data |= {"provider": message.provider, "native": list(message.native)}
    return data


def message_from_json(data: dict[str, Any], pictures: Path | None = None) -> Message:
    """The message that `message_to_json` wrote; `pictures` is the folder that it was given.

    Raises
    ------
    ValueError
        Where the data are no message, or one of its pictures is missing.
    """
    try:
        content = tuple(_part_from_json(part, pictures) for part in data["content"])
        return Message(data["role"], content, tuple(data.get("native", ())), data.get("provider", ""))
    except (KeyError, TypeError, AttributeError) as fault:
        raise ValueError(f"this is no message: {type(fault).__name__} {fault}") from None


def turn_to_json(turn: Turn, pictures: Path | None = None) -> dict[str, Any]:
    """A turn as plain JSON data; see `message_to_json`."""
    data = {"message": message_to_json(turn.message, pictures), "stop": turn.stop, "usage": asdict(turn.usage)}
    return data | {"model": turn.model, "warnings": list(turn.warnings)}


def turn_from_json(data: dict[str, Any], pictures: Path | None = None) -> Turn:
    """The turn that `turn_to_json` wrote. All but its message may be missing: a script is written by hand.

    Raises
    ------
    ValueError
        Where the data are no turn.
    """
    try:
        message = message_from_json(data["message"], pictures)
        stop: Stop = data.get("stop") or ("tool" if message.calls else "end")
        usage = Usage(**data.get("usage", {}))
        return Turn(message, stop, usage, data.get("model", ""), tuple(data.get("warnings", ())))
    except (KeyError, TypeError, AttributeError) as fault:
        raise ValueError(f"this is no turn: {type(fault).__name__} {fault}") from None


def _part_to_json(part: Part, pictures: Path | None) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if isinstance(part, Picture):
        return {"type": "picture", "width": part.width, "height": part.height} | _store(part.png, pictures)
    if isinstance(part, ToolCall):
        data = {"type": "call", "id": part.id, "name": part.name, "arguments": part.arguments}
        return data | ({"raw": part.raw} if part.raw else {})
    content = [_part_to_json(inner, pictures) for inner in part.content]
    return {"type": "result", "id": part.id, "content": content, "error": part.error}


def _part_from_json(data: dict[str, Any], pictures: Path | None) -> Any:
    match data["type"]:
        case "text":
            return Text(data["text"])
        case "picture":
            return Picture(_fetch(data, pictures), data["width"], data["height"])
        case "call":
            return ToolCall(data["id"], data["name"], data["arguments"], data.get("raw", ""))
        case "result":
            content = tuple(_part_from_json(inner, pictures) for inner in data["content"])
            return ToolResult(data["id"], content, data.get("error", False))
    raise ValueError(f"no part of a message has the type {data['type']!r}")


def _store(png: bytes, pictures: Path | None) -> dict[str, str]:
    if pictures is None:
        return {"png": base64.b64encode(png).decode("ascii")}
    name = f"{hashlib.sha256(png).hexdigest()[:20]}.png"
    if not (pictures / name).exists():
        pictures.mkdir(parents=True, exist_ok=True)
        (pictures / name).write_bytes(png)
    return {"file": name}


def _fetch(data: dict[str, Any], pictures: Path | None) -> bytes:
    if "png" in data:
        return base64.b64decode(data["png"])
    path = (pictures or Path(".")) / Path(data["file"]).name  # the bare name: a file from elsewhere can't point outside
    try:
        return path.read_bytes()
    except OSError:
        raise ValueError(f"the picture {path} is missing") from None
