"""Options that the tests take."""

from __future__ import annotations

import pytest
from hypothesis import settings

# The same examples on every machine and every run: a failure can be repeated, a pass is no luck.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--vectors", default=None, help="a folder of metric vectors to run instead of the copies kept here"
    )
