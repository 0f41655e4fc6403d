"""Options that the tests take, and no way out of this machine while they run."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

# The same examples on every machine and every run: a failure can be repeated, a pass is no luck.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors", default=None, help="a folder of metric vectors to run instead of the copies kept here"
    )


def pytest_configure(config: pytest.Config) -> None:
    os.environ["PLOTCALIPER_NO_LIVE_CALLS"] = "1"  # child processes have it too


@pytest.fixture(scope="session", autouse=True)
def _no_live_calls() -> Iterator[None]:
    """Connections to other machines fail: no test can spend money or depend on a network."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise ConnectionRefusedError(f"tests may not connect to {address[0]}")
        connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        yield
