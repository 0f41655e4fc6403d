"""What a run over many figures costs while it goes on: one line on stderr.

Not handled here: prices (`prices`), limits (`loop`).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TextIO

from agent.backend import Usage


@dataclass
class CostLine:
    """Counts figures and their usage; rewrites its line where somebody is watching, and says the sum at the end."""

    total: int
    out: TextIO = field(default_factory=lambda: sys.stderr)
    done: int = 0
    failed: int = 0
    kept: int = 0
    usage: Usage = field(default_factory=Usage)

    def add(self, usage: Usage | None, failed: bool) -> None:
        """One figure more; `usage` is None where an earlier run had read it."""
        self.done += 1
        self.failed += failed
        self.kept += usage is None
        self.usage += usage or Usage()
        if self.out.isatty():
            self.out.write(f"\r\x1b[K{self}")
            self.out.flush()

    def close(self) -> None:
        """The last word."""
        self.out.write(f"\r\x1b[K{self}\n" if self.out.isatty() else f"{self}\n")

    def __str__(self) -> str:
        tokens = self.usage.input_tokens + self.usage.output_tokens
        dollars = "cost unknown" if self.usage.dollars is None else f"${self.usage.dollars:.4f}"
        seconds = f"{self.usage.seconds:.0f} s of the model"
        parts = [f"{self.done}/{self.total} figures", dollars, f"{tokens} tokens", seconds]
        if self.kept:
            parts.append(f"{self.kept} read before")
        if self.failed:
            parts.append(f"{self.failed} failed")
        return ", ".join(parts)
