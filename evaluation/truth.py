"""What is known about each figure of a set: its tables, its kind, its scales and how its values are drawn.

`index.jsonl` beside or above the folder of true tables lists the figures; without one, tables are matched to pictures
by name (`<stem>.tsv`, `<stem>_panel1.tsv`, ...). Not handled here: scoring.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp", ".pdf", ".svg")
TABLES = (".tsv", ".csv")
PlotBox = tuple[float, float, float, float]


@dataclass(frozen=True)
class PanelFacts:
    """How one panel draws its values: log scales, bars that start at 0, stacks, a second value axis, percent signs on
    the value axis, its plot box."""

    log_x: bool = False
    log_y: bool = False
    from_zero: bool = False
    stacked: bool = False
    twin: bool = False
    percent: bool = False
    box: PlotBox | None = None


@dataclass(frozen=True)
class Sample:
    """One figure of a set. `kind` is empty where nothing says it."""

    id: str
    kind: str
    image: Path
    tables: tuple[Path, ...]
    facts: tuple[PanelFacts, ...]


def load_samples(images: Path, truth: Path) -> list[Sample]:
    """The figures of a set, in the order of its index, else by name. Raises ValueError where there are none."""
    index = next((at / "index.jsonl" for at in (truth, truth.parent) if (at / "index.jsonl").is_file()), None)
    samples = _from_index(index, images, truth) if index else _from_names(images, truth)
    if not samples:
        raise ValueError(f"no figure in {images} has a true table in {truth}")
    return samples


def _from_index(index: Path, images: Path, truth: Path) -> list[Sample]:
    samples = []
    for line in index.read_text(encoding="utf-8").splitlines():
        if line.strip():
            row = json.loads(line)
            tables = tuple(truth / Path(name).name for name in row["truth"])
            image = images / Path(row["image"]).name
            samples.append(Sample(row["id"], row.get("kind", ""), image, tables, _facts(row, index.parent)))
    return samples


def _from_names(images: Path, truth: Path) -> list[Sample]:
    tables = [path for path in truth.iterdir() if path.suffix.lower() in TABLES]
    samples = []
    for image in sorted(images.iterdir()):
        if image.suffix.lower() in PICTURES:
            pattern = re.compile(re.escape(image.stem) + r"(?:_panel(\d+))?")
            numbered = {int(m[1] or 0): path for path in tables if (m := pattern.fullmatch(path.stem))}
            mine = tuple(numbered[number] for number in sorted(numbered))
            if mine:
                samples.append(Sample(image.stem, "", image, mine, (PanelFacts(),) * len(mine)))
    return samples


def _facts(row: dict[str, Any], folder: Path) -> tuple[PanelFacts, ...]:
    kinds = row.get("axis_kinds") or {}
    across, up = str(kinds.get("x", "")), str(kinds.get("y", ""))
    if up.startswith("categor"):  # horizontal bars: the first column runs along y
        across, up = up, across
    words = f"{row.get('chart_type', '')} {row.get('notes', '')}".lower().replace("not stacked", "")
    from_zero = row.get("kind") in ("bar", "epicurve", "histogram", "area") or has_bars(words)
    panels = _drawn_panels(folder / "truth_json" / f"{row['id']}.json")
    found = []
    for number in range(1, len(row["truth"]) + 1):
        drawn = panels[number - 1] if len(panels) == len(row["truth"]) else {}
        marks = {str(one.get("kind", "")) for one in drawn.get("series", ())}
        box = drawn.get("bbox_px") if not row["image"].lower().endswith((".pdf", ".svg")) else None  # no pixels there
        found.append(PanelFacts(
            log_x=scale_of(across, number) == "log", log_y=scale_of(up, number) == "log",
            from_zero=any("bar" in m or "area" in m or m == "hist" for m in marks) if marks else from_zero,
            stacked="stack" in words or any("stack" in m for m in marks),
            twin="y2" in kinds or "twin" in words or "y2_axis" in drawn,
            percent=any("%" in str(tick) for tick in (drawn.get("y_axis") or {}).get("ticks_shown") or ()),
            box=(box[0], box[1], box[2], box[3]) if box else None,
        ))  # fmt: skip
    return tuple(found)


def has_bars(words: str) -> bool:
    """True where a description speaks of bars other than error bars."""
    return re.search(r"(?<!error )(?<!error-)bars?\b", words) is not None


def _drawn_panels(path: Path) -> Sequence[dict[str, Any]]:
    """The panels of a drawn figure as its drawer recorded them; empty where there is no such record."""
    return json.loads(path.read_text(encoding="utf-8"))["panels"] if path.is_file() else ()


def scale_of(words: str, panel: int) -> str:
    """The scale of one panel in words like "linear", "linear (year)" or "log (panel 1), linear (others)".

    >>> scale_of("log (panel 1), linear (others)", 2)
    'linear'
    """
    for part in words.split(","):
        found = re.fullmatch(r"\s*(\w+)\s*(?:\((.*)\))?\s*", part)
        if not found:
            continue
        where = found[2] or ""
        if where in (f"panel {panel}", "others") or not where.startswith("panel"):
            return found[1].lower()
    return ""
