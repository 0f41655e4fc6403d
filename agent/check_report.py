"""How a check is shown: JSON, a readable table, an overlay, an HTML page. Not handled here: checking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent.checking import Verdict


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict as JSON-able values."""
    return {"verdict": verdict.verdict, "findings": [finding.to_json() for finding in verdict.findings]}
