"""One call through a provider's SDK: its answer as plain JSON, or a `BackendError` that a person understands.

Both SDKs are made by one generator, so their exceptions have the same names and one function reads both. Retries and
timeouts are the SDK's own. The key is read from the environment for each call, kept nowhere, and cut out of every text.
Streaming is not handled.
"""

from __future__ import annotations

import json
import os
import re
import ssl
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from agent.backend import OFFLINE_SWITCH, BackendError

LOOPBACK = ("localhost", "127.0.0.1", "::1")
PAUSE = 0.5  # seconds before a broken answer is asked for again
LONGEST_SAYING = 400  # characters of a server's own words that an error repeats
SECRET = re.compile(r"\b(?:sk|rk|pk)-[\w*.-]{6,}|(?<=Bearer )\S+")
TOO_LARGE = re.compile(
    r"(image|picture|request|payload|dimension)\b.*(too (large|big|long)|exceed|larger than|maximum)", re.I
)


@dataclass(frozen=True)
class Answer:
    """A server's answer: the JSON object, seconds with retries, how often it was asked, fields that it did not take."""

    data: dict[str, Any]
    seconds: float
    requests: int
    warnings: tuple[str, ...] = ()


def host_of(url: str) -> str:
    """The host in a URL, in small letters."""
    return (urlsplit(url).hostname or "").lower()


def refuse_live(url: str) -> None:
    """Stop here where live calls are switched off and the server is another machine.

    Raises
    ------
    BackendError
        Where PLOTCALIPER_NO_LIVE_CALLS is set and the host is not this one.
    """
    if os.environ.get(OFFLINE_SWITCH) and host_of(url) not in LOOPBACK:
        raise BackendError(f"calls to {host_of(url)} are switched off by {OFFLINE_SWITCH}", kind="connection")


@lru_cache(maxsize=1)
def certificates() -> ssl.SSLContext:
    """The certificates of other servers: reading them takes a tenth of a second, so once, not for each call."""
    import httpx2

    return httpx2.create_ssl_context()


def ask(
    sdk: Any,
    who: str,
    create: Callable[..., Any],
    fields: dict[str, Any],
    droppable: Sequence[str] = (),
    retries: int = 0,
) -> Answer:
    """Send a request; where the server names a field that it does not take and we can do without, send it without.

    Parameters
    ----------
    sdk, who : module, str
        `openai` or `anthropic`, where the exception classes are; the server, as an error should name it.
    create, fields : callable, dict
        The SDK's raw `create`, which retries by HTTP status, and the request that it is called with.
    droppable : sequence of str
        Top-level fields (or names in `extra_body`) that may be left out.
    retries : int
        How often to ask again after an answer of status 200 that is broken or tells of a fault that may pass.

    Raises BackendError where no JSON object came back.
    """
    warnings: list[str] = []
    began, requests, fields = time.monotonic(), 0, dict(fields)
    while True:
        requests += 1
        try:
            raw = create(**fields)
            requests += int(raw.retries_taken)
            data = _json(raw.http_response.text, who)
            _raise_what_passes(data, who)
            return Answer(data, time.monotonic() - began, requests, tuple(warnings))
        except sdk.BadRequestError as fault:
            name = _refused_field(str(fault), fields, droppable)
            if name is None:
                raise fault_of(sdk, fault, who) from None
            fields = _without(fields, name)
            warnings.append(f"{who} does not take {name} for this model: sent without")
        except (sdk.APIError, OSError) as fault:
            raise fault_of(sdk, fault, who) from None
        except BackendError:
            if retries <= 0:
                raise
            retries -= 1
            time.sleep(PAUSE)


def _raise_what_passes(data: dict[str, Any], who: str) -> None:
    """Raise the fault told of in an answer of status 200, where it may pass: gateways answer so for their upstream."""
    error = data.get("error")
    if error and not data.get("output") and (fault := told_fault(error, who)).transient:
        raise fault


def fault_of(sdk: Any, fault: Exception, who: str) -> BackendError:
    """What went wrong in a call, in words for people and with no key in them."""
    if isinstance(fault, sdk.APITimeoutError):
        return BackendError(f"{who} did not answer in time", transient=True, kind="timeout")
    if isinstance(fault, sdk.APIStatusError):
        return _status_fault(fault, who)
    if isinstance(fault, sdk.APIConnectionError):
        cause = scrub(str(fault.__cause__ or "")).strip()
        said = f": {cause}" if cause else ""
        return BackendError(f"no connection to {who}{said}", transient=True, kind="connection")
    return BackendError(f"{who}: {scrub(str(fault))}", kind="reply")


def scrub(text: str) -> str:
    """The text, shortened, without the values of the environment's key variables and whatever else looks like a key."""
    for name, value in os.environ.items():
        if len(value) >= 6 and re.search(r"KEY|TOKEN|SECRET|PASSWORD", name):
            text = text.replace(value, "***")
    text = SECRET.sub("***", text)
    return text if len(text) <= LONGEST_SAYING else text[:LONGEST_SAYING] + " …"


def said_by(body: Any) -> str:
    """The server's own words in the body of an error, in whatever of the usual shapes they come."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            return str(inner.get("message") or inner.get("code") or inner.get("type") or "")
        return str(inner)
    return str(body or "")


def told_fault(error: Any, who: str) -> BackendError:
    """The fault in an answer that came with status 200 but holds an error object."""
    code = str(error.get("code") or error.get("type") or "") if isinstance(error, dict) else ""
    text = f"{who} could not answer: {scrub(said_by(error))}"
    if "too_large" in code or TOO_LARGE.search(text):
        return BackendError(text, kind="too large")
    passing = code in ("server_error", "rate_limit_exceeded", "overloaded_error", "api_error") or code.startswith("5")
    return BackendError(text, transient=passing or code == "429", kind="server" if passing else "request")


def _status_fault(fault: Any, who: str) -> BackendError:
    status = int(fault.status_code)
    said = scrub(said_by(fault.body) or str(fault))
    if status in (401, 403):
        text = f"{who} refused the key ({status}): {said}"
        return BackendError(text, status=status, kind="key")
    if status == 429:
        spent = "insufficient_quota" in str(fault.body)
        advice = "the account has no credit left" if spent else "too many requests; try later or with fewer workers"
        return BackendError(f"{who}: {advice}: {said}", transient=not spent, status=status, kind="limit")
    if status == 413 or (status == 400 and TOO_LARGE.search(said)):
        return BackendError(f"{who} found the request too large: {said}", status=status, kind="too large")
    if status in (408, 409) or status >= 500:
        return BackendError(f"{who} had a fault ({status}): {said}", transient=True, status=status, kind="server")
    return BackendError(f"{who} refused the request ({status}): {said}", status=status, kind="request")


def _json(text: str, who: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if isinstance(data, dict):
        return data
    start = scrub(" ".join(text.split())[:80])
    raise BackendError(f"the answer of {who} is no JSON object: {start!r}", transient=True, kind="reply")


def _refused_field(text: str, fields: dict[str, Any], droppable: Sequence[str]) -> str | None:
    """The field that an error names and that was sent; whole words only, so that "effort" is not found in "efforts"."""
    sent = {*fields, *fields.get("extra_body", {})}
    return next((name for name in droppable if name in sent and re.search(rf"\b{name}\b", text)), None)


def _without(fields: dict[str, Any], name: str) -> dict[str, Any]:
    kept = {key: value for key, value in fields.items() if key != name}
    if "extra_body" in kept:
        kept["extra_body"] = {key: value for key, value in kept["extra_body"].items() if key != name}
    return kept
