"""A model's server on this machine: it speaks OpenAI's Responses and Chat Completions and Anthropic's Messages.

A test plans what the server does, one step a request, and reads afterwards what it was asked:

    wire.plan(Says("hello"), Calls("look", {"panel": 1}), Status(429, retry_after=0.01))
    turn = wire.backend("chat").reply([...])
    wire.asked[0]["model"]

The last step is repeated for further requests. A step may also be a function from the request's body to a step.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from agent.anthropic_backend import AnthropicBackend
from agent.backend import Backend
from agent.openai_backend import OpenAIBackend

APIS = ("responses", "chat", "anthropic")
KEY = "sk-wire-0123456789abcdef"
MODELS = {"responses": "gpt-6-sol", "chat": "gpt-6-sol", "anthropic": "claude-opus-5-5"}
PATHS = {"/v1/responses": "responses", "/v1/chat/completions": "chat", "/v1/messages": "anthropic"}


@dataclass(frozen=True)
class Says:
    """A reply of words; `stop` is "end", "length" or "refusal"."""

    text: str
    stop: str = "end"
    tokens: tuple[int, int, int] = (100, 20, 0)  # of the prompt, of the reply, of the prompt read from the cache
    usage: dict[str, Any] | None = None  # further fields of the usage


@dataclass(frozen=True)
class Calls:
    """A reply that calls a tool. `arguments` that are a string go out as they are, well formed or not."""

    name: str
    arguments: dict[str, Any] | str
    text: str = ""
    stop: str = "tool"
    id: str = ""  # numbered by the server where it is empty
    tokens: tuple[int, int, int] = (100, 20, 0)
    usage: dict[str, Any] | None = None


@dataclass(frozen=True)
class Status:
    """An error of the server, with a body in the API's own shape."""

    code: int
    message: str = "no"
    kind: str = "error"
    retry_after: float | None = 0.01
    param: str | None = None


@dataclass(frozen=True)
class Body:
    """Any body at all; `length` states another Content-Length than it has, so that the reply breaks off."""

    text: str
    content_type: str = "application/json"
    length: int | None = None


@dataclass(frozen=True)
class Hangs:
    """No answer for so many seconds."""

    seconds: float


@dataclass(frozen=True)
class Resets:
    """The connection is reset."""


Step = Says | Calls | Status | Body | Hangs | Resets


class Wire:
    """The server's plan and what it was asked. `asked` holds the requests' JSON bodies, `heads` their headers."""

    def __init__(self, server: HTTPServer) -> None:
        self.server = server
        self.asked: list[dict[str, Any]] = []
        self.apis: list[str] = []
        self.heads: list[dict[str, str]] = []
        self.files: list[tuple[str, str]] = []  # (method, path) of requests to the file API
        self.missing: set[str] = set()  # APIs that this server does not have
        self._steps: list[Step | Callable[[dict[str, Any]], Step]] = []
        self._lock = threading.Lock()

    def plan(self, *steps: Step | Callable[[dict[str, Any]], Step]) -> None:
        """What to do for the next requests; replaces an earlier plan."""
        self._steps = list(steps)

    @property
    def url(self) -> str:
        """The server's root, without /v1."""
        return self.server.url_for("/").rstrip("/")

    def backend(self, api: str, model: str | None = None, **options: Any) -> Backend:
        """A backend that speaks `api` ("responses", "chat" or "anthropic") to this server."""
        model = model or MODELS[api]
        if api == "anthropic":
            return AnthropicBackend(model, base_url=self.url, **options)
        return OpenAIBackend(model, base_url=f"{self.url}/v1", **{"api": api, **options})  # type: ignore[arg-type]

    def pictures(self, number: int = -1) -> list[bytes]:
        """The base64 pictures in a request, as bytes of text, wherever they stand in it."""
        return list(_pictures(self.asked[number]))

    def answer(self, request: Request) -> Response:
        """The handler of all requests."""
        if request.path.startswith("/v1/files"):
            self.files.append((request.method, request.path))
            return _json({"id": f"file_{len(self.files)}", "deleted": True})
        api = PATHS[request.path]
        if api in self.missing:
            return _json({"error": {"message": f"no {request.path} here"}}, 404)
        with self._lock:
            body = json.loads(request.get_data())
            self.asked.append(body)
            self.apis.append(api)
            self.heads.append(dict(request.headers.items()))
            step = self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]
            number = len(self.asked)
        return _do(step(body) if callable(step) else step, api, body, number, request)


def _do(step: Step, api: str, body: dict[str, Any], number: int, request: Request) -> Response:
    if isinstance(step, Says | Calls):
        return _json(RENDER[api](step, body, number))
    if isinstance(step, Status):
        return _error(step, api)
    if isinstance(step, Hangs):
        time.sleep(step.seconds)
        return _json({})
    if isinstance(step, Resets):
        connection: socket.socket = request.environ["werkzeug.socket"]
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.shutdown(socket.SHUT_RDWR)
        return _json({})
    if step.length is None:
        return Response(step.text, content_type=step.content_type)
    parts = iter([step.text.encode()])  # of a stream, the server leaves the stated length as it is
    return Response(parts, content_type=step.content_type, headers={"Content-Length": str(step.length)})


def _json(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(json.dumps(data), status=status, content_type="application/json", headers=headers)


def _error(step: Status, api: str) -> Response:
    error = {"type": step.kind, "message": step.message, "code": step.kind, "param": step.param}
    body = {"type": "error", "error": error} if api == "anthropic" else {"error": error}
    headers = {} if step.retry_after is None else {"Retry-After": str(step.retry_after)}
    return _json(body, step.code, headers)


def _responses(step: Says | Calls, body: dict[str, Any], number: int) -> dict[str, Any]:
    refused = step.stop == "refusal"
    words = {"type": "refusal", "refusal": step.text} if refused else {"type": "output_text", "text": step.text}
    output: list[dict[str, Any]] = []
    if body.get("include") == ["reasoning.encrypted_content"]:
        output.append({"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": f"gAAA{number}"})
    if step.text:
        output.append({"type": "message", "id": f"msg_{number}", "role": "assistant", "content": [words]})
    if isinstance(step, Calls):
        name, arguments = step.name, _text(step.arguments)
        call = {"type": "function_call", "id": f"fc_{number}", "call_id": step.id or f"call_{number}", "name": name}
        output.append(call | {"arguments": arguments})
    prompt, reply, cached = step.tokens
    usage = {"input_tokens": prompt, "output_tokens": reply, "input_tokens_details": {"cached_tokens": cached}}
    cut = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    done = cut if step.stop == "length" else {"status": "completed"}
    head = {"id": f"resp_{number}", "object": "response", "model": body["model"], "output": output}
    return head | {"usage": usage | (step.usage or {})} | done


def _chat(step: Says | Calls, body: dict[str, Any], number: int) -> dict[str, Any]:
    reasons = {"end": "stop", "tool": "tool_calls", "length": "length", "refusal": "stop"}
    message: dict[str, Any] = {"role": "assistant", "content": step.text or None}
    if step.stop == "refusal":
        message |= {"content": None, "refusal": step.text}
    if isinstance(step, Calls):
        function = {"name": step.name, "arguments": _text(step.arguments)}
        message["tool_calls"] = [{"id": step.id or f"call_{number}", "type": "function", "function": function}]
    prompt, reply, cached = step.tokens
    usage = {"prompt_tokens": prompt, "completion_tokens": reply, "prompt_tokens_details": {"cached_tokens": cached}}
    choice = {"index": 0, "message": message, "finish_reason": reasons[step.stop]}
    head = {"id": f"chat_{number}", "object": "chat.completion", "model": body["model"], "choices": [choice]}
    return head | {"usage": usage | (step.usage or {})}


def _anthropic(step: Says | Calls, body: dict[str, Any], number: int) -> dict[str, Any]:
    reasons = {"end": "end_turn", "tool": "tool_use", "length": "max_tokens", "refusal": "refusal"}
    content: list[dict[str, Any]] = [{"type": "thinking", "thinking": "", "signature": f"sig{number}"}]
    if step.text:
        content.append({"type": "text", "text": step.text})
    if isinstance(step, Calls):
        call = {"type": "tool_use", "id": step.id or f"toolu_{number}", "name": step.name, "input": step.arguments}
        content.append(call)
    prompt, reply, cached = step.tokens
    usage = {"input_tokens": prompt - cached, "output_tokens": reply, "cache_read_input_tokens": cached}
    head = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": body["model"], "content": content}
    return head | {"stop_reason": reasons[step.stop], "usage": usage | (step.usage or {})}


def _text(arguments: dict[str, Any] | str) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _pictures(value: Any) -> Iterator[bytes]:
    if isinstance(value, dict):
        if value.get("media_type") == "image/png":
            yield value["data"].encode()
        for inner in value.values():
            yield from _pictures(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _pictures(inner)
    elif isinstance(value, str) and value.startswith("data:image/png;base64,"):
        yield value.split(",", 1)[1].encode()


RENDER: dict[str, Callable[[Any, dict[str, Any], int], dict[str, Any]]] = {
    "responses": _responses,
    "chat": _chat,
    "anthropic": _anthropic,
}


@pytest.fixture(scope="session")
def wire_server() -> Iterator[HTTPServer]:
    """One server for the whole session; each request has a thread of its own, so that one that hangs stops no other."""
    server = HTTPServer(host="127.0.0.1", port=0, threaded=True)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def wire(wire_server: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Wire:
    """A server with an empty plan, and keys in the environment that open nothing."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for name in (
        "ANTHROPIC_AUTH_TOKEN",
        "OPENAI_BASE_URL",
        "ANTHROPIC_BASE_URL",
        "PLOTCALIPER_PRICES",
        "PLOTCALIPER_API_KEY",
    ):
        monkeypatch.delenv(name, raising=False)
    wire = Wire(wire_server)
    wire_server.clear()
    for path in PATHS:
        wire_server.expect_request(path, method="POST").respond_with_handler(wire.answer)
    wire_server.expect_request("/v1/files", method="POST").respond_with_handler(wire.answer)
    for number in range(1, 9):
        wire_server.expect_request(f"/v1/files/file_{number}", method="DELETE").respond_with_handler(wire.answer)
    return wire


def text_of(parts: Sequence[Any]) -> str:
    """The words in a request's content list."""
    return "".join(part.get("text", "") for part in parts)
