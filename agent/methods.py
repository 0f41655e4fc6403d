"""How a figure is to be read: a METHOD as it is written on the command line, and the options that only some need.

    offline | refine (with a draft) | single-shot:PROVIDER:MODEL | refine:PROVIDER:MODEL | agent:PROVIDER:MODEL
    ensemble:N:METHOD|METHOD|...    ensemble:N@AGGREGATOR:METHOD|...

PROVIDER is openai, anthropic or replay (MODEL is then a file). `@high` and `+code` at the end set the effort and switch
on the provider's hosted code tool; an ensemble's AGGREGATOR is median, mean, medoid or huber.

Not handled here: running them (`reading`), opening the backend (`backend`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from agent.backend import PROVIDERS, Backend, open_backend

Kind = Literal["offline", "single-shot", "refine", "agent", "ensemble"]
KINDS: tuple[Kind, ...] = ("offline", "single-shot", "refine", "agent", "ensemble")
Aggregator = Literal["median", "mean", "medoid", "huber"]
AGGREGATORS: tuple[Aggregator, ...] = ("median", "mean", "medoid", "huber")
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
_ENDING = re.compile(rf"(.*?)(?:@({'|'.join(EFFORTS)}))?(\+code)?")


@dataclass(frozen=True)
class Options:
    """What only some methods need. Limits are per figure; 0 switches one off.

    `prompt`: a shipped prompt's name or a file; `draft`: a table, or a folder of tables named like the figures;
    `record`: a file that every turn is appended to, to be replayed.
    """

    base_url: str | None = None
    effort: str | None = None
    prompt: str | None = None
    draft: str | None = None
    code: bool = False
    max_cost: float = 2.0
    max_steps: int = 40
    max_seconds: float = 900.0
    prices: str | None = None
    record: str | None = None


@dataclass(frozen=True)
class Method:
    """A way to read a figure: its kind, "PROVIDER:MODEL" (empty where no model is asked), its options.

    Of an ensemble: `count` readings at most, by `members` in turn, and how their cells become one.
    """

    kind: Kind = "offline"
    backend: str = ""
    options: Options = Options()
    count: int = 1
    members: tuple[Method, ...] = ()
    aggregator: Aggregator = "median"

    @property
    def name(self) -> str:
        """As it is written, with the effort and the code tool where they matter."""
        if self.kind == "ensemble":
            how = "" if self.aggregator == "median" else f"@{self.aggregator}"
            return f"ensemble:{self.count}{how}:{'|'.join(member.name for member in self.members)}"
        parts = [self.kind, *([self.backend] if self.backend else [])]
        effort = f"@{self.options.effort}" if self.backend and self.options.effort else ""
        return ":".join(parts) + effort + ("+code" if self.backend and self.options.code else "")

    @property
    def asks(self) -> bool:
        """Whether a model is asked."""
        return bool(self.backend) or any(member.asks for member in self.members)

    def open(self) -> Backend:
        """The model. Raises ValueError for a name that means nothing."""
        options = self.options
        backend = open_backend(self.backend, base_url=options.base_url, prices=options.prices)
        if options.record:
            from agent.replay import Recorder

            return Recorder(backend, options.record)
        return backend


OFFLINE = Method()


def parse_method(text: str, options: Options | None = None) -> Method:
    """The method that a text names. Raises ValueError with what is wrong and what may be written.

    >>> parse_method("single-shot:openai:gpt-5@high+code").options.effort
    'high'
    """
    options = options or Options()
    kind, _, rest = text.strip().partition(":")
    if kind not in KINDS:
        raise ValueError(f"there is no method {text!r}; write one of: {forms()}")
    if kind == "ensemble":
        return _ensemble(rest, options)
    if kind == "offline":
        if rest:
            raise ValueError(f"offline takes no model: {text!r}")
        return Method("offline", "", options)
    if not rest:
        if kind == "refine" and options.draft:
            return Method("refine", "", options)
        hint = ", or give --draft TABLE" if kind == "refine" else ""
        raise ValueError(f"{kind} needs a model: write {kind}:PROVIDER:MODEL{hint}")
    ending = _ENDING.fullmatch(rest)
    name, effort, code = (ending[1], ending[2], ending[3]) if ending else (rest, None, None)
    provider, _, model = name.partition(":")
    if provider not in PROVIDERS or not model:
        raise ValueError(f"{text!r} names no model; write {kind}:PROVIDER:MODEL with one of {', '.join(PROVIDERS)}")
    if provider == "replay" and not Path(model).is_file():
        raise ValueError(f"there is no replay file {model}")
    options = replace(options, effort=effort or options.effort, code=bool(code) or options.code)
    return Method(kind, name, options)


def _ensemble(rest: str, options: Options) -> Method:
    """`N:METHOD|METHOD|...` as a method."""
    count, _, names = rest.partition(":")
    count, _, how = count.partition("@")
    if how and how not in AGGREGATORS:
        raise ValueError(f"there is no aggregator {how!r}; write one of {', '.join(AGGREGATORS)}")
    if not count.isdigit() or int(count) < 2 or not names:
        raise ValueError("an ensemble is written ensemble:N:METHOD|METHOD|..., with N at least 2")
    members = tuple(parse_method(name, options) for name in names.split("|"))
    if any(member.kind == "ensemble" for member in members):
        raise ValueError("an ensemble has no ensembles as members")
    return Method("ensemble", "", options, int(count), members, how or "median")


def forms() -> str:
    """How methods are written, for a message."""
    alone = "offline, single-shot:PROVIDER:MODEL, refine:PROVIDER:MODEL, refine with --draft, agent:PROVIDER:MODEL"
    return f"{alone}, ensemble:N:METHOD|METHOD"
