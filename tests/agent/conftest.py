"""Fixtures of the agent's tests."""

from __future__ import annotations

from tests.agent.figures_read import read_once
from tests.agent.wire import wire, wire_server

__all__ = ["read_once", "wire", "wire_server"]
