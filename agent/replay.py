"""A model that was written down: plays turns from a JSONL file, and records a real model's turns into one.

A line is a turn as `agent.transcript.turn_to_json` writes it; a script by hand needs only its message:

    {"message": {"role": "assistant", "content": [{"type": "call", "id": "1", "name": "look", "arguments": {}}]}}

A recorded line also holds `conversation`, a digest of the first picture that a user sent (of the first words where
there is none), so that turns of many figures in one file find their own conversation in whatever order they are asked
for; lines without one are played in the order of the file. `tools`, where a line has it, names the tools that were
offered, and `limit` the recorded model's limit of pictures. What else a turn was an answer to is not compared: a loop
or a prompt that asks something else gets the recorded turn all the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agent.backend import MAX_TOKENS, Backend, BackendError, Message, ToolSpec, Turn
from agent.limits import PictureLimit
from agent.transcript import turn_from_json, turn_to_json

SCRIPT_LIMIT = PictureLimit(1568, 28, 56 * 56)  # for scripts: 1568 px whatever the shape


class Replay:
    """Plays the turns of a JSONL file; threads may share one.

    Raises
    ------
    ValueError
        Where the file can't be read or a line of it is no turn; the text names the line.
    """

    name = "replay"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.model = self.path.stem
        self._lines = _read(self.path)
        recorded = next((line["limit"] for line in self._lines if "limit" in line), None)
        self.limit = PictureLimit(**recorded) if recorded else SCRIPT_LIMIT
        self.max_edge = self.limit.any_shape
        self._played: set[int] = set()
        self._lock = threading.Lock()

    def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        effort: str | None = None,
        max_tokens: int = MAX_TOKENS,
        code: bool = False,
    ) -> Turn:
        """The next turn of this conversation; effort, max_tokens and code change nothing.

        Raises
        ------
        BackendError
            Where the turns have run out, or the turn was recorded with a tool that is not offered now.
        """
        with self._lock:
            number = self._next(conversation_of(messages))
            self._played.add(number)
        line = self._lines[number]
        turn = turn_from_json(line, self.path.parent)
        _same_tools(line, tools, f"{self.path}, turn {number + 1}")
        return turn

    def _next(self, conversation: str) -> int:
        """The first turn not played yet that is of this conversation or of none."""
        lines = enumerate(self._lines)
        fitting = [number for number, line in lines if line.get("conversation", conversation) == conversation]
        left = [number for number in fitting if number not in self._played]
        if left:
            return left[0]
        if self._lines and not fitting:
            raise BackendError(f"{self.path} was recorded with other figures", kind="replay")
        raise BackendError(f"{self.path} has no turn left: all {len(fitting)} are played", kind="replay")


class Recorder:
    """A backend that passes every call on to another, and appends each turn to a file that `Replay` plays.

    A file that is there already is continued. Calls that fail are not recorded.
    """

    def __init__(self, backend: Backend, path: str | os.PathLike[str]) -> None:
        self.backend, self.path = backend, Path(path)
        self.name, self.model = backend.name, backend.model
        self.max_edge, self.limit = backend.max_edge, backend.limit
        self._lock = threading.Lock()

    def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        effort: str | None = None,
        max_tokens: int = MAX_TOKENS,
        code: bool = False,
    ) -> Turn:
        """The other backend's turn, once it is on the disk."""
        turn = self.backend.reply(messages, tools, effort=effort, max_tokens=max_tokens, code=code)
        line = turn_to_json(turn) | {"conversation": conversation_of(messages), "tools": [tool.name for tool in tools]}
        line["limit"] = asdict(self.limit)
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab", buffering=0) as file:  # one write a line, so that processes may share the file
                file.write((json.dumps(line, ensure_ascii=False) + "\n").encode())
        return turn


def conversation_of(messages: Sequence[Message]) -> str:
    """What tells one conversation from another: a digest of the user's first picture, or else of the first words.

    Of pixels, not of PNG bytes, which differ between versions of zlib.
    """
    first = next((message for message in messages if message.role == "user"), Message("user", ()))
    digest = hashlib.sha256(_pixels(first.pictures[0].png) if first.pictures else first.text.encode())
    return digest.hexdigest()[:16]


def _pixels(png: bytes) -> bytes:
    """The size and the pixels of a picture; the bytes as they are where they are no picture."""
    import cv2
    import numpy as np

    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR) if png else None
    return png if pixels is None else bytes(str(pixels.shape), "ascii") + pixels.tobytes()


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        rows = [row for row in path.read_text("utf-8").splitlines() if row.strip()]
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "it is not UTF-8 text"
        raise ValueError(f"can't read the replay file {path}: {why}") from None
    lines = []
    for number, row in enumerate(rows, 1):
        try:
            line = json.loads(row)
            turn_from_json(line, path.parent)
        except ValueError as fault:
            raise ValueError(f"{path}, turn {number}: {fault}") from None
        lines.append(line)
    return lines


def _same_tools(line: dict[str, Any], tools: Sequence[ToolSpec], place: str) -> None:
    """A recording is of no use once a tool is gone; a new tool does no harm, and a script may call an unknown one."""
    gone = set(line.get("tools", ())) - {tool.name for tool in tools}
    if gone:
        raise BackendError(
            f"{place} was recorded with tools that are not offered: {', '.join(sorted(gone))}", kind="replay"
        )
