"""What a model is to the rest: messages and tools in, one turn out. Each adapter beside this file holds its own SDK.

A conversation is a sequence of `Message`s: first a system message, then users', assistants' and tools' in turn. The
answer to tool calls is one message of role "tool" that holds a `ToolResult` for each call. `agent.transcript` turns
messages into JSON and back. Streaming, sound and files other than PNG pictures are not handled.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from agent.limits import PictureLimit

Role = Literal["system", "user", "assistant", "tool"]
Stop = Literal["end", "tool", "length", "refusal"]

MAX_TOKENS = (
    16_000  # of one reply, thinking included: a 400-row table and room to think; both SDKs take it without streaming
)
PROVIDERS = ("openai", "anthropic", "replay")
OFFLINE_SWITCH = "PLOTCALIPER_NO_LIVE_CALLS"  # set: models on any host but this one are refused


@dataclass(frozen=True)
class Text:
    """Words."""

    text: str


@dataclass(frozen=True)
class Picture:
    """A picture as sent: PNG bytes and its size in pixels, at or under the backend's `max_edge`."""

    png: bytes = field(repr=False)
    width: int
    height: int


@dataclass(frozen=True)
class ToolCall:
    """A model's call of a tool. `arguments` is None where its JSON was malformed; `raw` then holds what it wrote."""

    id: str
    name: str
    arguments: dict[str, Any] | None
    raw: str = ""


@dataclass(frozen=True)
class ToolResult:
    """The answer to the `ToolCall` of the same id; `error` where the tool refused."""

    id: str
    content: tuple[Text | Picture, ...]
    error: bool = False


Part = Text | Picture | ToolCall | ToolResult


@dataclass(frozen=True)
class Message:
    """One message.

    `native` holds the provider's own blocks of an assistant's turn (signed thoughts, hosted code). The backend named by
    `provider` sends them back as they came, because it must; every other backend reads `content` and leaves them out.
    """

    role: Role
    content: tuple[Part, ...]
    native: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    provider: str = ""

    @property
    def text(self) -> str:
        """The words of the message, joined as the model wrote them."""
        return "".join(part.text for part in self.content if isinstance(part, Text))

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of the message, those in tool results too, in order."""
        inner = [part.content if isinstance(part, ToolResult) else (part,) for part in self.content]
        return tuple(part for parts in inner for part in parts if isinstance(part, Picture))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls of the message, in order."""
        return tuple(part for part in self.content if isinstance(part, ToolCall))


@dataclass(frozen=True)
class ToolSpec:
    """A tool that is offered: its name, what it does, and the JSON schema of its arguments."""

    name: str
    description: str
    schema: dict[str, Any]


@dataclass(frozen=True)
class Usage:
    """What calls took, and the sum of such.

    `dollars` is None where no price is known (a sum with an unknown part is unknown); `seconds` are of the wall clock,
    retries included; of the `input_tokens`, `cached_tokens` were read from the provider's cache.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = 0.0
    seconds: float = 0.0
    requests: int = 0
    cached_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        unknown = self.dollars is None or other.dollars is None
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            None if unknown else (self.dollars or 0.0) + (other.dollars or 0.0),
            self.seconds + other.seconds,
            self.requests + other.requests,
            self.cached_tokens + other.cached_tokens,
        )


@dataclass(frozen=True)
class Turn:
    """A model's reply: its message, why it stopped, what it took, and the model's name as the server gives it.

    `stop` is "length" where the reply was cut short (ask for the rest), "refusal" where the model or a filter declined;
    `warnings` say what a person should know (an effort that the model has not, an unknown price).
    """

    message: Message
    stop: Stop
    usage: Usage = Usage()
    model: str = ""
    warnings: tuple[str, ...] = ()


class BackendError(Exception):
    """The call itself failed: no key, no connection, a limit after all retries, a broken server, a request it refused.

    Attributes
    ----------
    transient : bool
        Whether the same call may work later. What the text says is for people and never holds a key.
    status : int or None
        The HTTP status, where there was an answer.
    kind : str
        "key", "connection", "timeout", "limit", "server", "request", "too large", "reply" or "replay".
    """

    def __init__(self, text: str, *, transient: bool = False, status: int | None = None, kind: str = "request") -> None:
        super().__init__(text)
        self.transient = transient
        self.status = status
        self.kind = kind


class Backend(Protocol):
    """A model somewhere. A picture no longer than `max_edge`, in px, is not shrunk by the provider whatever its shape;
    `limit.fit(width, height)` is the largest size of a given shape that is not, and often larger.
    """

    name: str
    model: str
    max_edge: int
    limit: PictureLimit

    def reply(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        effort: str | None = None,
        max_tokens: int = MAX_TOKENS,
        code: bool = False,
    ) -> Turn:
        """One turn of the model.

        Parameters
        ----------
        messages : sequence of Message
            The conversation so far, the system message first.
        tools : sequence of ToolSpec
            Tools that the model may call.
        effort : str, optional
            How hard to think, in the provider's words ("low", "medium", "high", …); left out where the model has none.
        max_tokens : int
            The longest reply, thinking included.
        code : bool
            Whether the provider's hosted code tool is switched on.

        Raises
        ------
        BackendError
            Where no turn came back.
        """
        ...


def open_backend(
    spec: str,
    *,
    base_url: str | None = None,
    api: Literal["auto", "responses", "chat"] = "auto",
    temperature: float | None = None,
    timeout: float = 600.0,
    retries: int = 2,
    prices: str | os.PathLike[str] | None = None,
) -> Backend:
    """The backend that "openai:MODEL", "anthropic:MODEL" or "replay:FILE" names. Opens no connection.

    Parameters
    ----------
    spec : str
        PROVIDER:MODEL.
    base_url : str, optional
        Another server that speaks the same API, such as "http://localhost:11434/v1".
    api : {"auto", "responses", "chat"}
        Which of OpenAI's two APIs to speak. "auto" is Responses at api.openai.com and Chat Completions elsewhere.
    temperature : float, optional
        Sent only to models that accept it.
    timeout, retries : float, int
        Seconds for one try, and how often it is tried again after a fault that may pass.
    prices : path, optional
        A price file that goes before the one in the package (see `agent.prices`).

    Raises
    ------
    ValueError
        Where the name is not one of these, or the replay file can't be read.
    """
    provider, _, model = spec.partition(":")
    if provider not in PROVIDERS or not model.strip():
        raise ValueError(f"{spec!r} names no model: write openai:MODEL, anthropic:MODEL or replay:FILE")
    if provider == "replay":
        from agent.replay import Replay

        return Replay(model)
    if provider == "anthropic":
        from agent.anthropic_backend import AnthropicBackend

        return AnthropicBackend(
            model, base_url=base_url, temperature=temperature, timeout=timeout, retries=retries, prices=prices
        )
    from agent.openai_backend import OpenAIBackend

    return OpenAIBackend(
        model, base_url=base_url, api=api, temperature=temperature, timeout=timeout, retries=retries, prices=prices
    )
