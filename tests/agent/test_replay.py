"""Conversations on disk: messages as JSON and back, scripts, recordings, and what is wrong with them."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from agent.backend import (
    BackendError,
    Message,
    Picture,
    Text,
    ToolCall,
    ToolResult,
    ToolSpec,
    Turn,
    Usage,
    open_backend,
)
from agent.replay import Recorder, Replay, conversation_of
from agent.transcript import message_from_json, message_to_json, turn_from_json, turn_to_json
from tests.agent.wire import KEY, Calls, Says, Wire

LOOK, TRACE = (ToolSpec(name, "…", {"type": "object", "properties": {}}) for name in ("look", "trace"))
PICTURE = Picture(b"\x89PNG\x00\xff", 4, 3)
MESSAGES = [
    Message("system", (Text("You measure."),)),
    Message("user", (Text("µ ≥ 3"), PICTURE)),
    Message(
        "assistant", (Text(""), ToolCall("1", "look", {"box": [1, 2.5], "deep": {"x": None}})), ({"sig": "a"},), "p:m"
    ),
    Message("assistant", (ToolCall("2", "look", None, '{"box": ['),)),
    Message("tool", (ToolResult("1", (Text("here"), PICTURE)), ToolResult("2", (), error=True))),
]


def user(text: str) -> list[Message]:
    return [Message("system", (Text("You measure."),)), Message("user", (Text(text),))]


def script(folder: Path, *lines: Any) -> Path:
    path = folder / "turns.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def says(text: str, **more: Any) -> dict[str, Any]:
    return {"message": {"role": "assistant", "content": [{"type": "text", "text": text}]}} | more


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.role)
@pytest.mark.parametrize("beside", [False, True])
def test_messages_survive_json(tmp_path: Path, message: Message, beside: bool) -> None:
    folder = tmp_path / "pictures" if beside else None
    text = json.dumps(message_to_json(message, folder))
    assert message_from_json(json.loads(text), folder) == message


def test_pictures_beside_are_kept_once(tmp_path: Path) -> None:
    for message in MESSAGES:
        assert "iVBOR" not in json.dumps(message_to_json(message, tmp_path))
    (only,) = tmp_path.iterdir()
    assert only.read_bytes() == PICTURE.png


def test_turns_survive_json() -> None:
    turn = Turn(MESSAGES[2], "tool", Usage(10, 5, None, 1.5, 2, 3), "gpt-6", ("no price",))
    assert turn_from_json(json.loads(json.dumps(turn_to_json(turn)))) == turn


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"role": "user"},
        {"role": "user", "content": [{"type": "film"}]},
        {"role": "user", "content": [{"type": "text"}]},
        {"role": "user", "content": ["hello"]},
        {"role": "user", "content": [{"type": "picture", "width": 1, "height": 1, "file": "gone.png"}]},
    ],
)
def test_what_is_no_message_is_told(data: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no message|no part|is missing"):
        message_from_json(data, tmp_path)


def test_a_picture_of_another_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"x")
    (tmp_path / "inner").mkdir()
    data = {"role": "user", "content": [{"type": "picture", "width": 1, "height": 1, "file": "../secret.png"}]}
    with pytest.raises(ValueError, match="is missing"):
        message_from_json(data, tmp_path / "inner")


def test_a_script_is_played_in_order_and_ends(tmp_path: Path) -> None:
    call = {"type": "call", "id": "1", "name": "look", "arguments": {"panel": 1}}
    path = script(
        tmp_path, {"message": {"role": "assistant", "content": [call]}}, says("done"), says("…", stop="length")
    )
    backend = open_backend(f"replay:{path}")
    assert (backend.name, backend.model, backend.max_edge) == ("replay", "turns", 1568)
    turns = [backend.reply(user("any"), [LOOK]) for _ in range(3)]
    assert [turn.stop for turn in turns] == ["tool", "end", "length"]
    assert turns[0].message.calls[0].arguments == {"panel": 1}
    assert turns[1].usage == Usage()
    with pytest.raises(BackendError, match=r"turns\.jsonl has no turn left: all 3") as caught:
        backend.reply(user("any"), [LOOK])
    assert (caught.value.kind, caught.value.transient) == ("replay", False)


def test_a_script_may_call_what_nobody_offers(tmp_path: Path) -> None:
    call = {"type": "call", "id": "1", "name": "fly", "arguments": None, "raw": "{"}
    turn = Replay(script(tmp_path, {"message": {"role": "assistant", "content": [call]}})).reply(user("any"), [LOOK])
    assert turn.message.calls[0] == ToolCall("1", "fly", None, "{")


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"message": {}}', '{"message": {"role": "assistant", "content": [3]}}', '"hi"']
)
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "turns.jsonl"
    path.write_text(json.dumps(says("good")) + "\n\n" + line + "\n")
    with pytest.raises(ValueError, match=r"turns\.jsonl, turn 2"):
        open_backend(f"replay:{path}")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"can't read the replay file .*nothing\.jsonl"):
        open_backend(f"replay:{tmp_path / 'nothing.jsonl'}")


def test_what_was_recorded_is_played_again(tmp_path: Path, wire: Wire) -> None:
    wire.plan(Calls("look", {"panel": 1}, text="I look."), Says("done", tokens=(500, 50, 0)))
    path = tmp_path / "runs" / "turns.jsonl"
    recorder = Recorder(wire.backend("responses"), path)
    assert (recorder.name, recorder.model, recorder.max_edge) == ("openai", "gpt-6-sol", 2000)

    def converse(backend: Recorder | Replay) -> list[Turn]:
        first = backend.reply(user("a"), [LOOK])
        answer = Message("tool", (ToolResult(first.message.calls[0].id, (PICTURE,)),))
        return [first, backend.reply([*user("a"), first.message, answer], [LOOK])]

    recorded = converse(recorder)
    assert converse(Replay(path)) == recorded
    assert Replay(path).max_edge == 2000  # the same figure is shown at the same size, and so known again
    assert KEY not in path.read_text()
    assert len(wire.asked) == 2


def test_many_figures_in_one_recording_find_their_own_turns(tmp_path: Path, wire: Wire) -> None:
    path = tmp_path / "turns.jsonl"
    recorder = Recorder(wire.backend("chat"), path)
    for name in "abcd":
        wire.plan(Says(f"figure {name}"), Says(f"figure {name} again"))
        for _ in range(2):
            recorder.reply(user(name))
    replay = Replay(path)
    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(lambda name: [replay.reply(user(name)).message.text for _ in range(2)], "dbca"))
    assert got == [[f"figure {name}", f"figure {name} again"] for name in "dbca"]
    with pytest.raises(BackendError, match="recorded with other figures"):
        replay.reply(user("e"))
    with pytest.raises(BackendError, match="no turn left: all 2"):
        replay.reply(user("a"))


def test_a_recording_with_tools_that_are_gone_is_refused(tmp_path: Path, wire: Wire) -> None:
    wire.plan(Says("done"))
    path = tmp_path / "turns.jsonl"
    Recorder(wire.backend("chat"), path).reply(user("a"), [LOOK])
    assert Replay(path).reply(user("a"), [LOOK, TRACE]).message.text == "done"  # a new tool does no harm
    with pytest.raises(BackendError, match="not offered: look"):
        Replay(path).reply(user("a"), [TRACE])


def test_a_figure_is_known_by_its_pixels_not_by_its_file_or_its_prompt() -> None:
    gradient = np.add.outer(np.arange(40), np.arange(60)).astype(np.uint8)
    plain, packed = (cv2.imencode(".png", gradient, [cv2.IMWRITE_PNG_COMPRESSION, level])[1] for level in (0, 9))
    other = cv2.imencode(".png", gradient + 1)[1]

    def digest(data: Any, text: str) -> str:
        return conversation_of([Message("user", (Text(text), Picture(data.tobytes(), 60, 40)))])

    assert plain.tobytes() != packed.tobytes()
    assert digest(plain, "read this") == digest(packed, "read that")
    assert digest(plain, "read this") != digest(other, "read this")
    assert conversation_of(user("a")) != conversation_of(user("b"))
