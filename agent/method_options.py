"""The options that every command with a METHOD takes, written once for the command line.

Not handled here: what they mean (`methods`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from agent.methods import EFFORTS, Options

METHOD_HELP = (
    "offline (no model, no network); single-shot, refine or agent with :PROVIDER:MODEL, e.g. agent:anthropic:MODEL or "
    "agent:replay:FILE; refine alone with --draft."
)
BaseUrl = Annotated[str | None, typer.Option(help="A server that speaks OpenAI's or Anthropic's API.")]
Effort = Annotated[str | None, typer.Option(help=f"How hard the model thinks: {', '.join(EFFORTS)}.")]
Prompt = Annotated[str | None, typer.Option(help="A file with a prompt of your own, or epicurve or density.")]
Draft = Annotated[
    Path | None, typer.Option(help="refine: a table, or a folder of tables named like the figures, instead of a model.")
]
Code = Annotated[bool, typer.Option("--code", help="Switch on the provider's hosted code tool.")]
MaxCost = Annotated[float, typer.Option(min=0, help="Dollars a figure may cost; 0: no limit.")]
MaxSteps = Annotated[int, typer.Option(min=0, help="Turns of the model a figure may take; 0: no limit.")]
MaxSeconds = Annotated[float, typer.Option(min=0, help="Seconds a figure may take; 0: no limit.")]
Prices = Annotated[Path | None, typer.Option(help="A price file that goes before the one in the package.")]
Record = Annotated[Path | None, typer.Option(help="Append every turn of the model to this file, to be replayed.")]
STANDARD = Options()


def options_of(
    base_url: str | None, effort: str | None, prompt: str | None, draft: Path | None, code: bool, max_cost: float,
    max_steps: int, max_seconds: float, prices: Path | None, record: Path | None,
) -> Options:  # fmt: skip
    """The options as methods take them. Raises ValueError for one that means nothing."""
    if effort is not None and effort not in EFFORTS:
        raise ValueError(f"there is no effort {effort!r}; choose one of: {', '.join(EFFORTS)}")
    if draft is not None and not draft.exists():
        raise ValueError(f"there is no draft {draft}")
    return Options(
        base_url, effort, prompt, str(draft) if draft else None, code, max_cost, max_steps, max_seconds,
        str(prices) if prices else None, str(record) if record else None,
    )  # fmt: skip
