"""One conversation with a model as a file: saved after every step, read again to go on, shown as a page.

The state of the bench is not in it: the calls in it, made again on the same figure, bring it back. Pictures are kept
inside, once each. Not handled here: talking to the model (`loop`).
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from agent.backend import Message, Part, Picture, Text, ToolCall, ToolResult, Usage
from agent.transcript import message_from_json, message_to_json

FORMAT = 1
STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
.m{border-left:4px solid #bbb;margin:1em 0;padding:.2em 1em}.assistant{border-color:#27c}.tool{border-color:#3a3}
.system{border-color:#ccc;color:#555}.error{color:#b00}h2{font-size:1em;margin:.2em 0;color:#555}
pre{white-space:pre-wrap;word-break:break-word;background:#f6f6f6;padding:.6em;margin:.4em 0}
pre{max-height:30em;overflow:auto}
img{max-width:100%;border:1px solid #ddd}table{border-collapse:collapse}td{padding:.1em 1em .1em 0}"""


@dataclass
class Trajectory:
    """The messages so far, and what each turn of the model took. `ended`: why it stopped, empty while it goes on."""

    method: str
    figure: str
    sha256: str
    prompt: str
    model: str = ""
    messages: list[Message] = field(default_factory=list)
    spent: list[Usage] = field(default_factory=list)
    ended: str = ""
    warnings: list[str] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def usage(self) -> Usage:
        """What all turns took together."""
        return sum(self.spent, Usage())

    @property
    def steps(self) -> int:
        """Turns of the model so far."""
        return sum(message.role == "assistant" for message in self.messages)

    def spend(self, usage: Usage) -> None:
        """One turn more."""
        self.spent.append(usage)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; a picture that was sent twice is kept once, under its digest."""
        pictures: dict[str, str] = {}
        messages = [_shared(message_to_json(message), pictures) for message in self.messages]
        return {"format": FORMAT, "method": self.method, "figure": self.figure, "sha256": self.sha256,
                "prompt": self.prompt, "model": self.model, "ended": self.ended, "warnings": self.warnings,
                "usage": asdict(self.usage), "spent": [asdict(one) for one in self.spent],
                "versions": self.versions, "messages": messages,
                "pictures": pictures}  # fmt: skip

    def save(self, path: Path) -> None:
        """Write the file whole: it is replaced in one step. Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.{os.getpid()}")
        fresh.write_text(json.dumps(self.to_json(), ensure_ascii=False) + "\n", encoding="utf-8")
        os.replace(fresh, path)


def load_trajectory(path: Path) -> Trajectory:
    """Read what `Trajectory.save` wrote. Raises OSError, and ValueError for anything else."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.get("format") != FORMAT:
            raise ValueError(f"{path} was written by another version")
        pictures = data["pictures"]
        messages = [message_from_json(_whole(message, pictures)) for message in data["messages"]]
        return Trajectory(
            data["method"], data["figure"], data["sha256"], data["prompt"], data["model"], messages,
            [Usage(**one) for one in data["spent"]], data["ended"], data["warnings"], data["versions"],
        )  # fmt: skip
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is no trajectory: {error}") from None


def _shared(data: Any, pictures: dict[str, str]) -> Any:
    """The message with each picture replaced by its digest."""
    if isinstance(data, list):
        return [_shared(one, pictures) for one in data]
    if not isinstance(data, dict):
        return data
    if data.get("type") == "picture" and "png" in data:
        key = hashlib.sha256(data["png"].encode()).hexdigest()[:20]
        pictures[key] = data["png"]
        return {name: value for name, value in data.items() if name != "png"} | {"picture": key}
    return {name: _shared(value, pictures) for name, value in data.items()}


def _whole(data: Any, pictures: dict[str, str]) -> Any:
    if isinstance(data, list):
        return [_whole(one, pictures) for one in data]
    if not isinstance(data, dict):
        return data
    if data.get("type") == "picture" and "picture" in data:
        return data | {"png": pictures[data["picture"]]}
    return {name: _whole(value, pictures) for name, value in data.items()}


def page_of(trajectory: Trajectory) -> str:
    """The conversation as one HTML page that needs nothing else: words, calls, answers and every picture it saw."""
    usage = trajectory.usage
    cost = "unknown" if usage.dollars is None else f"${usage.dollars:.4f}"
    facts = {"figure": trajectory.figure, "method": trajectory.method, "model": trajectory.model,
             "ended": trajectory.ended or "not yet", "steps": trajectory.steps, "cost": cost,
             "tokens": f"{usage.input_tokens} in, {usage.output_tokens} out",
             "seconds of the model": f"{usage.seconds:.1f}", "prompt": trajectory.prompt}  # fmt: skip
    rows = "".join(f"<tr><td>{_safe(name)}</td><td>{_safe(value)}</td></tr>" for name, value in facts.items())
    notes = "".join(f"<p class=error>{_safe(warning)}</p>" for warning in trajectory.warnings)
    turns = iter(trajectory.spent)
    spent = [next(turns, None) if message.role == "assistant" else None for message in trajectory.messages]
    body = "".join(map(_message_html, range(1, len(spent) + 1), trajectory.messages, spent))
    title = _safe(f"{trajectory.figure}: {trajectory.method}")
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{STYLE}</style>"
        f"<h1>{title}</h1><table>{rows}</table>{notes}{body}</html>\n"
    )


def _message_html(number: int, message: Message, spent: Usage | None) -> str:
    parts = "".join(_part_html(part) for part in message.content)
    took = ""
    if spent is not None and spent.requests:
        dollars = "" if spent.dollars is None else f", ${spent.dollars:.4f}"
        took = f" ({spent.seconds:.1f} s, {spent.input_tokens} + {spent.output_tokens} tokens{dollars})"
    return f"<div class='m {message.role}'><h2>{number}. {message.role}{took}</h2>{parts}</div>"


def _part_html(part: Part) -> str:
    if isinstance(part, Text):
        return f"<pre>{_safe(part.text)}</pre>" if part.text.strip() else ""
    if isinstance(part, Picture):
        data = base64.b64encode(part.png).decode("ascii")
        return f"<img alt='what the model saw' width={part.width} src='data:image/png;base64,{data}'>"
    if isinstance(part, ToolCall):
        arguments = part.raw if part.arguments is None else json.dumps(part.arguments, ensure_ascii=False)
        return f"<pre><b>{_safe(part.name)}</b> {_safe(arguments)}</pre>"
    inner = "".join(_part_html(one) for one in part.content)
    return f"<div class=error>{inner}</div>" if part.error else inner


def _safe(value: object) -> str:
    return html.escape(str(value), quote=True)


def calls_that_worked(messages: Sequence[Message]) -> list[ToolCall]:
    """The tool calls that were answered without an error, in order."""
    found = []
    for message, answer in pairwise(messages):
        wrong = {part.id for part in answer.content if isinstance(part, ToolResult) and part.error}
        if answer.role == "tool":
            found += [call for call in message.calls if call.id not in wrong and call.arguments is not None]
    return found
