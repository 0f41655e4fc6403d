"""Options that the tests take."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors", default=None, help="a folder of metric vectors to run instead of the copies kept here"
    )
