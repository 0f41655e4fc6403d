"""Reads figures: `digitize` one, `digitize_document` a PDF of many. Importing this package loads nothing heavy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.reading import Reading, digitize, digitize_document

__all__ = ["Reading", "digitize", "digitize_document"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        import agent.reading

        return getattr(agent.reading, name)
    raise AttributeError(f"module 'agent' has no attribute {name!r}")
