"""What goes wrong between here and a model: each fault has a name, a sentence, and never a key."""

from __future__ import annotations

import logging
import traceback

import pytest

from agent import sdk_calls
from agent.backend import BackendError, Message, Picture, Text, open_backend
from agent.sdk_calls import scrub
from tests.agent.wire import APIS, KEY, Body, Hangs, Resets, Says, Status, Step, Wire

ALL = pytest.mark.parametrize("api", APIS)
USER = [Message("user", (Text("What is this?"), Picture(b"png", 2, 2)))]


def fault(wire: Wire, api: str, *steps: Step, **options: float) -> BackendError:
    wire.plan(*steps)
    with pytest.raises(BackendError) as caught:
        wire.backend(api, **options).reply(USER)
    return caught.value


@ALL
def test_a_limit_passes_after_the_wait_that_the_server_asks_for(wire: Wire, api: str) -> None:
    wire.plan(Status(429, retry_after=0.05), Status(429, retry_after=0.05), Says("hello"))
    turn = wire.backend(api).reply(USER)
    assert turn.message.text == "hello"
    assert (turn.usage.requests, len(wire.asked)) == (3, 3)
    assert turn.usage.seconds >= 0.1


@ALL
def test_a_limit_that_stays_is_told(wire: Wire, api: str) -> None:
    told = fault(wire, api, Status(429, "slow down"), retries=1)
    assert (told.kind, told.status, told.transient) == ("limit", 429, True)
    assert "slow down" in str(told)
    assert "fewer workers" in str(told)
    assert len(wire.asked) == 2


def test_an_empty_account_is_no_limit_that_passes(wire: Wire) -> None:
    told = fault(wire, "chat", Status(429, "You exceeded your quota", kind="insufficient_quota"), retries=0)
    assert (told.kind, told.transient) == ("limit", False)


@ALL
@pytest.mark.parametrize("status", [500, 503, 529])
def test_a_broken_server_is_tried_again_then_told(wire: Wire, api: str, status: int) -> None:
    told = fault(wire, api, Status(status, "oops"), retries=2)
    assert (told.kind, told.status, told.transient) == ("server", status, True)
    assert len(wire.asked) == 3


@ALL
def test_no_answer_in_time(wire: Wire, api: str) -> None:
    told = fault(wire, api, Hangs(0.6), retries=0, timeout=0.15)
    assert (told.kind, told.transient) == ("timeout", True)


@ALL
def test_a_connection_that_is_reset(wire: Wire, api: str) -> None:
    told = fault(wire, api, Resets(), retries=0)
    assert (told.kind, told.transient) == ("connection", True)


def test_a_reset_connection_is_made_again(wire: Wire) -> None:
    wire.plan(Resets(), Says("hello"))
    assert wire.backend("chat").reply(USER).usage.requests == 2


@ALL
def test_a_reply_that_breaks_off(wire: Wire, api: str) -> None:
    told = fault(wire, api, Body('{"id": "1", "outp', length=4000), retries=0)
    assert (told.kind, told.transient) == ("connection", True)


@ALL
@pytest.mark.parametrize(
    "body", [Body('{"id": '), Body("<html>Bad gateway</html>", "text/html"), Body("[1, 2]"), Body("")]
)
def test_an_answer_that_is_no_json_object(wire: Wire, api: str, body: Body) -> None:
    told = fault(wire, api, body, retries=0)
    assert (told.kind, told.transient) == ("reply", True)
    assert "no JSON object" in str(told)


@pytest.mark.parametrize("api", ["chat", "anthropic"])
def test_an_answer_without_a_message(wire: Wire, api: str) -> None:
    assert fault(wire, api, Body("{}")).kind == "reply"


@ALL
def test_a_broken_answer_is_asked_for_again(wire: Wire, api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sdk_calls, "PAUSE", 0.01)
    busy = Body('{"error": {"code": 502, "message": "upstream is busy"}}')
    wire.plan(Body("<html>"), busy, Says("hello"))
    turn = wire.backend(api).reply(USER)
    assert (turn.message.text, turn.usage.requests) == ("hello", 3)
    assert "upstream is busy" in str(fault(wire, api, busy))
    assert len(wire.asked) == 6


@ALL
@pytest.mark.parametrize(
    "step",
    [
        Status(413, "Request exceeds the maximum size"),
        Status(400, "messages.0.content.1: image dimensions exceed max allowed size: 8000 pixels"),
        Status(400, "The image is too large."),
    ],
)
def test_a_picture_that_is_too_large(wire: Wire, api: str, step: Status) -> None:
    told = fault(wire, api, step)
    assert (told.kind, told.transient) == ("too large", False)
    assert len(wire.asked) == 1


@ALL
@pytest.mark.parametrize(
    ("status", "kind"), [(400, "request"), (404, "request"), (422, "request"), (401, "key"), (403, "key")]
)
def test_a_request_that_the_server_refuses(wire: Wire, api: str, status: int, kind: str) -> None:
    wire.missing = set()
    told = fault(wire, api, Status(status, "model nova-9 does not exist"))
    assert (told.kind, told.transient) == (kind, False)
    assert "nova-9" in str(told)


@pytest.mark.parametrize(
    ("spec", "variable", "url"),
    [
        ("openai:gpt-6-sol", "OPENAI_API_KEY", None),
        ("anthropic:claude-opus-5", "ANTHROPIC_API_KEY", None),
        ("openai:google/gemini", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
    ],
)
def test_a_missing_key_is_asked_for_by_name(
    monkeypatch: pytest.MonkeyPatch, spec: str, variable: str, url: str | None
) -> None:
    monkeypatch.delenv("PLOTCALIPER_NO_LIVE_CALLS")
    for name in (
        "OPENROUTER_API_KEY",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "OPENAI_BASE_URL",
        "ANTHROPIC_BASE_URL",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)  # another server's key is no key
    if variable == "OPENAI_API_KEY":
        monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(BackendError, match=variable) as caught:
        open_backend(spec, base_url=url).reply(USER)
    assert (caught.value.kind, caught.value.transient) == ("key", False)


@pytest.mark.parametrize("spec", ["openai:gpt-6-sol", "anthropic:claude-opus-5"])
def test_live_calls_are_off_in_tests(monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(BackendError, match="switched off"):
        open_backend(spec).reply(USER)
    monkeypatch.delenv("PLOTCALIPER_NO_LIVE_CALLS")
    with pytest.raises(BackendError, match="no connection"):  # the guard of the sockets stands behind the switch
        open_backend(spec, retries=0, timeout=2).reply(USER)


@ALL
def test_a_key_is_in_no_error_no_log_no_repr_and_no_turn(
    wire: Wire, api: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    backend = wire.backend(api, retries=0)
    wire.plan(Status(401, f"Incorrect API key provided: {KEY}. And sk-another-one-9876543210"))
    with pytest.raises(BackendError) as caught:
        backend.reply(USER)
    text = "".join(traceback.format_exception(caught.value))
    assert "***" in str(caught.value)
    assert KEY in str(wire.heads[0])  # it was sent
    wire.plan(Says("hello"))
    turn = backend.reply(USER)
    for shown in (
        text,
        repr(backend),
        str(vars(backend)),
        repr(turn),
        str(caught.value),
        str(vars(caught.value)),
        caplog.text,
    ):
        assert KEY not in shown
        assert "sk-another" not in shown


def test_another_server_gets_a_key_of_its_own(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLOTCALIPER_API_KEY", "own-key-for-this-server")
    wire.plan(Says("hello"))
    wire.backend("chat").reply(USER)
    assert wire.heads[0]["Authorization"] == "Bearer own-key-for-this-server"


def test_scrubbing_shortens_and_hides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_SECRET_TOKEN", "hunter2hunter2")
    assert scrub("login with hunter2hunter2 failed") == "login with *** failed"
    assert scrub("Authorization: Bearer abc.def") == "Authorization: Bearer ***"
    assert len(scrub("a" * 5000)) < 500
