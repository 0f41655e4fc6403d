"""`digitize` reads one figure, `digitize_document` a PDF, `check` holds one against its data. Loads nothing heavy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.checking import Verdict, check
    from agent.reading import Reading, digitize, digitize_document

__all__ = ["Reading", "Verdict", "check", "digitize", "digitize_document"]


def __getattr__(name: str) -> Any:
    if name in ("Verdict", "check"):
        import agent.checking

        return getattr(agent.checking, name)
    if name in __all__:
        import agent.reading

        return getattr(agent.reading, name)
    raise AttributeError(f"module 'agent' has no attribute {name!r}")
