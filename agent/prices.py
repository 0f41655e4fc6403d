"""What a call costs: the token counts of its answer times a dated price file that anybody can override.

`prices.json` beside this file holds US dollars per million tokens at the standard tier. A file named by the option
`prices` or by PLOTCALIPER_PRICES goes before it, model by model; only its `models` need to be there. A model without a
price costs None, never 0. Batch and priority tiers, images billed apart from tokens, taxes and hosted tools are not
handled; a server that states what the call cost (`usage.cost`) is believed.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from agent.limits import plain

OVERRIDE = "PLOTCALIPER_PRICES"
RATES = ("input", "cached", "write", "output")


@dataclass(frozen=True)
class Tokens:
    """The token counts of one answer: `input` holds all of the prompt, of which some were cached or written."""

    input: int = 0
    output: int = 0
    cached: int = 0
    written: int = 0


def cost(model: str, tokens: Tokens, prices: str | os.PathLike[str] | None = None) -> float | None:
    """The price of a call in US dollars, or None where no price is known.

    Parameters
    ----------
    model : str
        The model's name; a date after it and a vendor before it are left out where the full name has no price.
    tokens : Tokens
    prices : path, optional
        A price file that goes before PLOTCALIPER_PRICES and the one in the package.

    Raises
    ------
    ValueError
        Where a price file can't be read or a price in it is no number.
    """
    entry = _entry(model, _tables(os.fspath(prices) if prices else os.environ.get(OVERRIDE)))
    if entry is None:
        return None
    if tokens.input > entry.get("up_to", float("inf")):
        entry = entry.get("beyond")
        if entry is None:
            return None
    fresh = max(0, tokens.input - tokens.cached - tokens.written)
    price = entry["input"]
    parts = (fresh * price, tokens.cached * entry.get("cached", price), tokens.written * entry.get("write", price))
    return float(sum(parts) + tokens.output * entry["output"]) / 1e6


def as_of() -> str:
    """The day on which the prices in the package were right, ISO 8601."""
    return str(_read(Path(__file__).with_name("prices.json"))["as_of"])


def _entry(model: str, tables: tuple[dict[str, Any], ...]) -> dict[str, Any] | None:
    names = [model, plain(model)]
    names.append(re.sub(r"[-@](\d{4}-\d{2}-\d{2}|\d{8})(-v\d.*)?$", "", names[-1]))
    return next((table[name] for table in tables for name in names if name in table), None)


@lru_cache(maxsize=8)
def _tables(override: str | None) -> tuple[dict[str, Any], ...]:
    """The price tables, the one that goes first first."""
    shipped = _models(Path(__file__).with_name("prices.json"))
    return (_models(Path(override)), shipped) if override else (shipped,)


def _models(path: Path) -> dict[str, Any]:
    models = _read(path).get("models")
    if not isinstance(models, dict):
        raise ValueError(f'the price file {path} has no "models"')
    for name, entry in models.items():
        for part in (entry, entry.get("beyond", entry)) if isinstance(entry, dict) else (None,):
            if not _is_price(part):
                raise ValueError(f"the price file {path}, {name}: it needs numbers for input and output")
    return models


def _is_price(entry: Any) -> bool:
    if not isinstance(entry, dict) or not {"input", "output"} <= entry.keys():
        return False
    values = [entry[rate] for rate in RATES if rate in entry]
    return all(isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 for value in values)


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as fault:
        raise ValueError(f"can't read the price file {path}: {fault.strerror}") from None
    except ValueError:
        raise ValueError(f"the price file {path} is no JSON") from None
    if not isinstance(data, dict):
        raise ValueError(f"the price file {path} is no JSON object")
    return data
