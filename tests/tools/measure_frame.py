"""How much of the frame of figures is right: panels, both axes of each, their confidence, numeric tick labels, names.

    python -m tests.tools.measure_frame SET [--ids a,b] [--limit N] [--every] [--composed]

SET holds `images/`, `truth_json/` and `index.jsonl` (`evaluation.draw` writes such sets). An axis is right if its kind
is and the value of every pixel of the plot is within 0.3 % of the axis range (categories: as many, within a tenth of a
slot). Beside this share stands the one with half a pixel allowed: renderers put tick marks on whole pixels, so on an
axis shorter than 170 px the marks alone do not tell 0.3 %.

Truth is in pixel centres, as figures are read. Records without `slope` (drawn elsewhere) have the limits of the axis
and the box of the plot instead, and that box in the frame of its engine, up to a pixel and a half off the strokes that
are drawn: these axes get as much slack.
Prints a summary per engine and a line per fault (`--every`: per axis). With `--composed` charts of the set are put
together, nine to a figure, and what is read of them there is compared with what is read of each alone.
Not handled here: marks, series, categories in another order than printed.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.nls import nls
from tests.tools.composed_set import composed
from tools.load import load
from tools.measuring import Measuring
from tools.types import Anchor, Axis, Panel, Side, days

OPPOSITE: dict[Side, Side] = {"left": "right", "right": "left", "bottom": "top", "top": "bottom"}
SHARE = 0.003  # of the axis range
YEAR = 365.2425
BLUR = 1.6  # px


@dataclass(frozen=True)
class Judged:
    """One axis of the truth: whether ours is right (strictly, and with half a pixel allowed) and, if not, why."""

    panel: int
    key: str
    right: bool
    near: bool
    why: str
    confidence: str
    text: str = ""
    off: tuple[float, float] | None = None  # px at both ends of the plot


@dataclass
class Frame:
    """What one figure scored."""

    name: str
    engine: str
    found: int
    true: int
    axes: list[Judged] = field(default_factory=list)
    ticks: list[tuple[str, str, bool]] = field(default_factory=list)  # numeric labels: printed, read, right
    names: list[tuple[str, str, bool]] = field(default_factory=list)
    categories: list[tuple[str, str, bool]] = field(default_factory=list)


def read_frame(path: Path) -> tuple[Panel, ...]:
    """Words, panels, axes and legends of one figure by the steps that a reading takes, no marks."""
    bench = Measuring(load(path))
    bench.read_text()
    bench.find_panels()
    bench.calibrate()
    bench.read_legends()
    return bench.panels


def judge_figure(folder: Path, row: dict[str, Any]) -> Frame:
    """One figure against its record."""
    truth = json.loads((folder / "truth_json" / f"{row['id']}.json").read_text(encoding="utf-8"))
    panels = read_frame(folder / row["image"])
    frame = Frame(row["id"], truth["engine"], len(panels), len(truth["panels"]))
    for number, record in enumerate(truth["panels"], 1):
        box = record.get("bbox_px")
        if not box or not truth["image_size"]:
            continue
        panel = _match(panels, box)
        for key in ("x_axis", "y_axis", "y2_axis"):
            if record.get(key):
                judge_axis(frame, number, key, _record(record, key, box), panel)
        entries = record.get("legend", {}).get("entries") or []
        names = [entry["name"] if isinstance(entry, dict) else entry for entry in entries]
        got = [entry.name for entry in panel.legend.entries] if panel else []
        for name in names:
            likeness = [nls(name, one) for one in got]
            best = got[int(np.argmax(likeness))] if got else ""
            frame.names.append((name, best, max(likeness, default=0.0) > 0.8))
    return frame


def compare_composed(source: Path, limit: int | None) -> Iterator[str]:
    """A line per axis that a chart has apart but not in a figure of nine, and the share that is the same in both.

    The same, as an axis is right: one kind, and the value of every pixel within 0.3 % of the axis range. A second
    share asks for one confidence too, and for 0.1 %; what misses only this is marked "nearly".
    """
    same: list[bool] = []
    equal: list[bool] = []
    with tempfile.TemporaryDirectory() as folder:
        for row, charts in composed(source, Path(folder), limit=limit):
            together = read_frame(Path(folder) / row["image"])
            places = json.loads((Path(folder) / "truth_json" / f"{row['id']}.json").read_text(encoding="utf-8"))
            for chart, place in zip(charts, places["panels"], strict=True):
                apart = read_frame(source / chart["image"])
                truth = json.loads((source / "truth_json" / f"{chart['id']}.json").read_text(encoding="utf-8"))
                box, moved = truth["panels"][0]["bbox_px"], place["bbox_px"]
                alone, panel = _match(apart, box), _match(together, moved)
                for axis in alone.axes if alone else ():
                    shift = moved[0] - box[0] if axis.horizontal else moved[1] - box[1]
                    span = (box[0], box[2]) if axis.horizontal else (box[1], box[3])
                    other = panel.axis(axis.side) if panel else None
                    apart_by = _parted(axis, other, span, shift)
                    same.append(apart_by <= SHARE)
                    alike = other is not None and axis.confidence == other.confidence
                    equal.append(alike and apart_by <= 0.001)
                    if not equal[-1]:
                        text = described(other) if other else "missing" if panel else "no panel"
                        head = f"{row['id']} {chart['id']}{' nearly' if same[-1] else ''}"
                        yield f"{head}: apart {described(axis)} | together {text}"
    yield f"axes that are the same apart and together {_share(same)}; within 0.1 % and as sure {_share(equal)}"


def _parted(axis: Axis, other: Axis | None, span: tuple[float, float], shift: float) -> float:
    """By what share of the axis range two readings of one axis part at most; infinite for two kinds of axis."""
    if other is None or axis.scale != other.scale:
        return float("inf")
    own = axis.slope * np.array(span) + axis.intercept
    theirs = other.slope * (np.array(span) + shift) + other.intercept
    parted = float(np.max(np.abs(own - theirs)))
    if axis.scale == "category":  # names and slots
        return 0.0 if axis.categories == other.categories and parted <= 0.1 else float("inf")
    return parted / abs(float(own[1] - own[0]))


def _match(panels: Sequence[Panel], box: Sequence[float]) -> Panel | None:
    """The panel over the middle of a true plot box, as wide as it within 30 %."""
    middle, wide = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), box[2] - box[0]
    return next((p for p in panels if p.plot.contains(*middle) and abs(p.plot.width - wide) < 0.3 * wide), None)


def _record(panel: dict[str, Any], key: str, box: Sequence[float]) -> dict[str, Any]:
    """The record of an axis with its side, the pixels of its ends, and its map from units to pixels."""
    axis = dict(panel[key])
    if "side" not in axis:
        upright = (key == "x_axis") == (panel.get("orientation") == "horizontal")
        axis["side"] = "right" if key == "y2_axis" else "left" if upright else "bottom"
    axis["kind"] = {"categorical": "category"}.get(axis["kind"], axis["kind"])
    across = axis["side"] in ("bottom", "top")
    axis["ends"] = (box[0], box[2]) if across else (box[3], box[1])
    axis["blur"] = 0.0 if "slope" in axis else BLUR
    if "slope" not in axis and axis.get("min") is not None and axis["kind"] != "category":
        low, high = (_units(axis[end], axis["kind"]) for end in ("min", "max"))
        axis["slope"] = (axis["ends"][1] - axis["ends"][0]) / (high - low)
        axis["intercept"] = axis["ends"][0] - axis["slope"] * low
    return axis


def _units(value: Any, kind: str) -> float:
    if kind == "date":
        return days(datetime.fromisoformat(str(value)))
    return float(np.log10(float(value))) if kind == "log" else float(value)


def judge_axis(frame: Frame, number: int, key: str, record: dict[str, Any], panel: Panel | None) -> None:
    """Add one axis and its tick labels to the frame's account."""
    side: Side = record["side"]
    ours = panel.axis(side) if panel else None
    if ours is None and panel is not None and key != "y2_axis":
        ours = panel.axis(OPPOSITE[side])
    _judge_ticks(frame, record, ours)
    _judge_categories(frame, record, ours)
    text = described(ours) if ours else ""
    if panel is None or ours is None:
        why = "no panel" if panel is None else "missing"
        if panel is not None and panel.refused:
            why += f": {panel.refused.reason}"
        frame.axes.append(Judged(number, key, False, False, why, "none"))
        return
    right, near, why, off = _compare(record, ours)
    frame.axes.append(Judged(number, key, right, near, why, ours.confidence, text, off))


def _compare(record: dict[str, Any], ours: Axis) -> tuple[bool, bool, str, tuple[float, float] | None]:
    """Whether an axis is right strictly, or with half a pixel allowed; why not; the pixels that it is off at the ends.

    Pixels: where our axis puts the true value of each end of the plot, less that end. Years may be read as numbers or
    as dates: what is written from either is the same.
    """
    if record["kind"] == "category":
        why = _category_fault(record, ours)
        return not why, not why, why, None
    if "slope" not in record:
        return True, True, "", None
    kind, scale = record["kind"], ours.scale
    ends = np.array(record["ends"])
    true = (ends - record["intercept"]) / record["slope"]
    read = ours.slope * ends + ours.intercept
    if ours.calendar == "year" and {kind, scale} == {"linear", "date"}:
        read = 1970 + read / YEAR if scale == "date" else (read - 1970) * YEAR
    elif scale != kind:
        return False, False, f"{scale} for {kind}", None
    if ours.unit == "%" and max(map(abs, true)) <= 1.5 < max(map(abs, read)):
        read = read / 100
    slack = record["blur"] / abs(float(ends[1] - ends[0]))
    if kind == "date" and any("no year" in note for note in ours.warnings):
        read = read + round(float(true[0] - read[0]) / YEAR) * YEAR
        slack += 1.6 / abs(float(true[1] - true[0]))  # leap days
    share = float(np.max(np.abs(read - true)) / abs(true[1] - true[0]))
    pixels = (true - read) * (ends[1] - ends[0]) / (true[1] - true[0])
    off = (float(pixels[0]), float(pixels[1]))
    strict = share <= SHARE + slack
    near = strict or max(map(abs, off)) <= 0.5
    why = "" if strict else f"err {100 * share:.2f} % = {max(map(abs, off)):.2f} px"
    return strict, near, why, off


def _category_fault(record: dict[str, Any], ours: Axis) -> str:
    """What is wrong with the slots of a category axis; names that look like numbers may be read as these."""
    texts = _categories(record)
    if ours.scale != "category":
        return "" if texts and all(re.fullmatch(r"[-\d.]+", t) for t in texts) else f"{ours.scale} for category"
    if texts and len(texts) != len(ours.categories):
        return f"{len(ours.categories)} categories for {len(texts)}"
    at = ours.slope * np.array([tick["pixel"] for tick in record.get("ticks", ())]) + ours.intercept
    off = np.max(np.abs(at - np.round(at)), initial=0)
    return f"slots off by {off:.2f}" if off > 0.1 else ""


def _categories(record: dict[str, Any]) -> list[str]:
    return [tick["text"] for tick in record["ticks"]] if "ticks" in record else list(record.get("ticks_shown") or [])


def _judge_categories(frame: Frame, record: dict[str, Any], ours: Axis | None) -> None:
    """The name of every slot, in the order of the true ticks."""
    if record["kind"] != "category" or "ticks" not in record or not any(_categories(record)):
        return
    texts = _categories(record)
    if ours and ours.scale != "category" and not _category_fault(record, ours):
        return  # numbers
    read = _in_order(record, ours) if ours and len(ours.categories) == len(texts) else ("",) * len(texts)
    frame.categories += [(true, one, nls(true, one) > 0.8) for true, one in zip(texts, read, strict=True)]


def _in_order(record: dict[str, Any], ours: Axis) -> tuple[str, ...]:
    """Our categories in the order of the true ticks."""
    first, last = (ours.slope * record["ticks"][k]["pixel"] for k in (0, -1))
    return ours.categories if last >= first else ours.categories[::-1]


def _judge_ticks(frame: Frame, record: dict[str, Any], ours: Axis | None) -> None:
    """Every printed number of a linear or log axis: an anchor at its place with its text, or at least its value."""
    if record["kind"] not in ("linear", "log") or "ticks" not in record:
        return
    for tick in record["ticks"]:
        if tick["text"]:
            near = [one for one in (ours.anchors if ours else ()) if abs(one.pixel - tick["pixel"]) < 3]
            read = near[0] if near else None
            frame.ticks.append((tick["text"], read.text if read else "", read is not None and _same(tick, read)))


def _same(tick: dict[str, Any], anchor: Anchor) -> bool:
    if _plain(tick["text"]) == _plain(anchor.text):
        return True
    return bool(abs(anchor.value - tick["value"]) <= 1e-6 * max(1.0, abs(tick["value"])))


def _plain(text: str) -> str:
    return re.sub(r"\s|mathdefault|[$\\{}]", "", text).replace("−", "-").replace("–", "-").lower()


def described(axis: Axis) -> str:
    """An axis in one line."""
    texts = [anchor.text for anchor in axis.anchors]
    shown = ", ".join(texts if len(texts) < 6 else [*texts[:4], "…", texts[-1]])
    notes = f" ({'; '.join(axis.warnings)[:160]})" if axis.warnings else ""
    size = f"r={axis.residual:.2f} n={len(texts)}"
    return f"{axis.side}/{axis.scale} {axis.confidence} {size} {axis.label!r} [{shown}]{notes}"


def report(frames: Sequence[Frame]) -> Iterator[str]:
    """A summary per engine, and one of all."""
    engines = sorted({frame.engine for frame in frames})
    for engine in [*engines, "all"] if len(engines) > 1 else engines:
        chosen = [frame for frame in frames if engine in (frame.engine, "all")]
        panels: dict[tuple[str, int], list[Judged]] = defaultdict(list)
        for frame in chosen:
            for axis in frame.axes:
                panels[frame.name, axis.panel].append(axis)
        sure = [axes for axes in panels.values() if all(axis.confidence == "high" for axis in axes)]
        offs = [off for frame in chosen for axis in frame.axes for off in axis.off or () if abs(off) < 2]
        yield f"{engine}: {len(chosen)} figures, panel count right {_share([f.found == f.true for f in chosen])}"
        yield f"  both axes right {_both(panels.values())}"
        yield f"  high {100 * len(sure) / max(1, len(panels)):.0f} % of the panels, of these right {_both(sure)}"
        yield (
            f"  numeric labels {_share([one[2] for frame in chosen for one in frame.ticks])}, "
            f"categories {_share([one[2] for frame in chosen for one in frame.categories])}, "
            f"names {_share([one[2] for frame in chosen for one in frame.names])}; ends of axes off by "
            f"{np.mean(offs or [0]):+.2f} px on average, {np.sqrt(np.mean(np.square(offs or [0]))):.2f} rms"
        )


def _both(panels: Iterable[Sequence[Judged]]) -> str:
    strict = _share([all(axis.right for axis in axes) for axes in panels])
    return f"{strict} (half a pixel allowed: {_share([all(axis.near for axis in axes) for axes in panels])})"


def _share(right: Sequence[bool]) -> str:
    return f"{sum(right)}/{len(right)} = {100 * sum(right) / max(1, len(right)):.1f} %"


def faults(frame: Frame, every: bool) -> Iterator[str]:
    """A line per fault of a figure (`every`: also per axis that is right)."""
    head = f"{frame.name} {frame.engine}"
    if frame.found != frame.true:
        yield f"{head}: {frame.found} panels for {frame.true}"
    for axis in frame.axes:
        if every or not axis.right:
            yield f"{head}: panel {axis.panel} {axis.key}: {axis.why or 'right'} | {axis.text}"
    for what, rows in (("names", frame.names), ("categories", frame.categories), ("labels", frame.ticks)):
        wrong = [f"{printed!r} -> {read!r}" for printed, read, right in rows if not right]
        if wrong:
            yield f"{head}: {what} {'; '.join(wrong[:8])}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure panels, axes and names against the truth of a drawn set.")
    parser.add_argument("folder", type=Path, metavar="SET")
    parser.add_argument("--ids", default="", help="only these figures, separated by commas")
    parser.add_argument("--limit", type=int, help="only the first N figures")
    parser.add_argument("--every", action="store_true", help="print every axis, not only those at fault")
    parser.add_argument("--composed", action="store_true", help="compare charts apart with nine of them in one figure")
    asked = parser.parse_args()
    if asked.composed:
        for line in compare_composed(asked.folder, asked.limit):
            print(line, flush=True)
        return
    wanted = set(filter(None, asked.ids.split(",")))
    lines = (asked.folder / "index.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if not wanted or row["id"] in wanted][: asked.limit]
    frames = []
    for row in rows:
        frames.append(judge_figure(asked.folder, row))
        for line in faults(frames[-1], asked.every):
            print(line, flush=True)
    print(*report(frames), sep="\n")


if __name__ == "__main__":
    main()
