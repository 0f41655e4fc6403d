"""Fixtures of the agent's tests."""

from __future__ import annotations

from tests.agent.wire import wire, wire_server

__all__ = ["wire", "wire_server"]
