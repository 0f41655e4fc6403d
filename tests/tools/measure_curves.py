"""How well the curves of drawn figures are read: points, their number, identity through crossings, time.

    python -m tests.tools.measure_curves SET [--out OUT] [--kinds a,b] [--ids a,b] [--workers N] [--every]

SET holds `images/`, `truth/`, `truth_json/` and `index.jsonl` (`evaluation.draw` writes such sets). Figures are read
offline into OUT (SET/read when left out); what OUT holds already is judged as it is.

- ECS by the bench's rules, mean over the figures.
- Points: a true point is matched by the nearest unused one within half a step in x and 5 % of the axis range; recall is
  the share that is matched, the error their distance in value as a share of the axis range (decades on a log axis).
- Number: share of the series with a regular step whose number of points is right within 2 %.
- Crossings: where two true curves change sides, their owners (the read series nearest to each, nearer than half the
  way to the other one) are asked for before and after, where the two stand 3 % of the plot apart. Kept: both owners
  stay. In figure pixels, so that axes do not matter.

Not handled here: areas and stacks (no crossings of theirs are counted), names (the bench judges them).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.positions import XAxis, x_axis
from evaluation.runner import compare
from evaluation.tables import Curve, read_panel_table
from tools.align import assign
from tools.types import Floats

NEAR = 0.05  # of the axis range: farther points are not matched
EVEN = 0.12  # spread of a regular step, by which months are uneven
COUNTED = 0.02  # of the number of points
APART = 0.03  # of the plot's height: two curves that can be told apart
ALIKE = 30.0  # RGB units between two colours that are the same


@dataclass
class Tally:
    """What was counted. `crossings`: per kind of pair (same colour or not) how many were kept, of how many."""

    errors: list[float] = field(default_factory=list)
    points: int = 0
    counts: list[bool] = field(default_factory=list)
    crossings: dict[bool, list[bool]] = field(default_factory=lambda: {False: [], True: []})

    def add(self, other: Tally) -> None:
        self.errors += other.errors
        self.points += other.points
        self.counts += other.counts
        for same, kept in other.crossings.items():
            self.crossings[same] += kept

    def line(self) -> str:
        """The numbers in words."""
        recall = f"{len(self.errors) / self.points:.1%}" if self.points else "-"
        error = f"{np.median(self.errors):.3%}" if self.errors else "-"
        number = f"{np.mean(self.counts):.1%} of {len(self.counts)}" if self.counts else "-"
        kept = {same: f"{np.mean(v):.1%} of {len(v)}" if v else "-" for same, v in self.crossings.items()}
        return (
            f"median error {error} at recall {recall}; number right {number}; "
            f"crossings kept {kept[False]} (colours), {kept[True]} (one colour)"
        )


def judge_figure(folder: Path, read: Path, row: dict[str, Any]) -> Tally:
    """One figure: `folder` of the set, `read` the folder of its prediction, `row` of the index."""
    truth = json.loads((folder / "truth_json" / f"{row['id']}.json").read_text(encoding="utf-8"))
    said = json.loads((read / "reading.json").read_text(encoding="utf-8")) if (read / "reading.json").is_file() else {}
    tally = Tally()
    for number, (record, table) in enumerate(zip(truth["panels"], row["truth"], strict=True), 1):
        mine = read / f"panel_{number}.tsv"
        true = list(read_panel_table(folder / table).curves)
        tally.add(judge_values(record, true, list(read_panel_table(mine).curves) if mine.is_file() else []))
        panels = said.get("panels", [])
        if record["kind"] == "line" and number <= len(panels):
            tally.add(judge_crossings(record, panels[number - 1]["series"]))
    return tally


def judge_values(record: dict[str, Any], true: Sequence[Curve], said: Sequence[Curve]) -> Tally:
    """Points and their number. Survival curves count by neither: their points are steps, not samples."""
    tally = Tally()
    if record["kind"] == "survival" or not true:
        return tally
    axis = x_axis([label for curve in true for label in curve.labels], record["x_axis"]["kind"] == "log")
    theirs = [_placed(axis, curve, record, k) for k, curve in enumerate(true)]
    mine = [[_placed(axis, curve, record, k) for curve in said] for k in range(len(true))]
    found = [[matched(*a, *b) for b in row] for a, row in zip(theirs, mine, strict=True)]
    fits = np.array([[len(errors) for errors in row] for row in found], dtype=np.float64).reshape(len(true), len(said))
    partner = dict(assign(fits))
    for i, (x, _) in enumerate(theirs):
        tally.points += len(x)
        tally.errors += found[i][partner[i]].tolist() if i in partner else []
        steps = np.diff(x)
        if len(x) > 4 and float(np.std(steps)) < EVEN * float(np.mean(steps)):
            count = len(mine[i][partner[i]][0]) if i in partner else 0
            tally.counts.append(abs(count - len(x)) <= max(COUNTED * len(x), 0.5))
    return tally


def _placed(axis: XAxis, curve: Curve, record: dict[str, Any], number: int) -> tuple[Floats, Floats]:
    """x in the units of its axis, increasing, and y as shares of the axis range that the true series stands on."""
    series = record["series"]
    key = series[number]["axis"] if number < len(series) else "y"
    own = record.get(f"{key}_axis") or record["y_axis"]
    low, high = float(own["min"]), float(own["max"])
    x, y = np.asarray(axis.place(list(curve.labels))), np.asarray(curve.values, dtype=np.float64)
    if own["kind"] == "log":
        low, high = np.log10(low), np.log10(high)
        with np.errstate(divide="ignore", invalid="ignore"):
            y = np.log10(y)
    known = np.isfinite(x) & np.isfinite(y)
    order = np.argsort(x[known], kind="stable")
    return x[known][order], (y[known][order] - low) / (high - low)


def matched(x: Floats, y: Floats, said_x: Floats, said_y: Floats) -> Floats:
    """Errors in value of the true points (x, y) that have a partner; each partner serves once."""
    if len(x) < 2 or not len(said_x):
        return np.zeros(0)
    half, used, errors = float(np.median(np.diff(x))) / 2 + 1e-9, np.zeros(len(said_x), dtype=bool), []
    for at, value in zip(x, y, strict=True):
        near = np.flatnonzero((np.abs(said_x - at) <= half) & (np.abs(said_y - value) <= NEAR) & ~used)
        if len(near):
            best = near[np.argmin(np.abs(said_x[near] - at))]
            used[best] = True
            errors.append(abs(float(said_y[best] - value)))
    return np.array(errors)


def judge_crossings(record: dict[str, Any], said: Sequence[dict[str, Any]]) -> Tally:
    """Identity through the crossings of every two true curves, in figure pixels."""
    tally = Tally()
    curves = [np.array(one["points_px"], dtype=np.float64) for one in record["series"]]
    colours = [_rgb(one["color_hex"]) for one in record["series"]]
    lines = [_line(one) for one in said]
    box = record["bbox_px"]
    apart = APART * (box[3] - box[1])
    for i in range(len(curves)):
        for j in range(i):
            same = float(np.linalg.norm(colours[i] - colours[j])) < ALIKE
            kept = [_is_kept(pair, lines) for pair in crossings(curves[i], curves[j], apart)]
            tally.crossings[same] += kept
    return tally


def _rgb(colour: str) -> Floats:
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)], dtype=np.float64)


def _line(one: dict[str, Any]) -> Floats:
    """Points of a read series (n, 2) in the order of x."""
    points = np.array([(p["x"], p["y"]) for p in one["points"] if p["part"] not in ("low", "high")], dtype=np.float64)
    return points[np.argsort(points[:, 0], kind="stable")] if len(points) else np.zeros((0, 2))


Place = tuple[float, float, float]  # column, and the rows of the two curves there


def crossings(one: Floats, other: Floats, apart: float) -> list[tuple[Place, Place]]:
    """The places before and after each crossing of two curves (n, 2) at which they stand `apart` px from each other."""
    low, high = max(one[:, 0].min(), other[:, 0].min()), min(one[:, 0].max(), other[:, 0].max())
    if high - low < 4:
        return []
    x = np.arange(low, high, 0.5)
    rows = [np.interp(x, c[np.argsort(c[:, 0]), 0], c[np.argsort(c[:, 0]), 1]) for c in (one, other)]
    away = rows[0] - rows[1]
    clear = np.flatnonzero(np.abs(away) >= apart)
    turns = np.flatnonzero(np.sign(away[clear[1:]]) != np.sign(away[clear[:-1]]))
    places = [(float(x[k]), float(rows[0][k]), float(rows[1][k])) for k in clear]
    return [(places[t], places[t + 1]) for t in turns]


def _is_kept(pair: tuple[Place, Place], lines: Sequence[Floats]) -> bool:
    owners = [(_owner(x, a, abs(a - b), lines), _owner(x, b, abs(a - b), lines)) for x, a, b in pair]
    return None not in owners[0] and owners[0] == owners[1]


def _owner(x: float, y: float, apart: float, lines: Sequence[Floats]) -> int | None:
    """The read series nearest to a place, None where none is nearer than half the way to the other curve."""
    away = [abs(float(np.interp(x, c[:, 0], c[:, 1], left=np.inf, right=np.inf)) - y) if len(c) else np.inf
            for c in lines]  # fmt: skip
    best = int(np.argmin(away)) if away else -1
    return best if best >= 0 and away[best] < apart / 2 else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, judge, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.measure_curves", description="Measure read curves.")
    parser.add_argument("set", type=Path, help="folder with images/, truth/, truth_json/ and index.jsonl")
    parser.add_argument("--out", type=Path, help="where readings are kept (SET/read)")
    for name in ("kinds", "ids"):
        parser.add_argument(f"--{name}", default="", help="comma-separated")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--every", action="store_true", help="a line per figure")
    asked = parser.parse_args(arguments)
    out = asked.out or asked.set / "read"
    ids, kinds = ([word for word in text.split(",") if word] for text in (asked.ids, asked.kinds))
    with contextlib.redirect_stdout(io.StringIO()):
        scores = compare(
            asked.set / "images", asked.set / "truth", ["offline"], out, workers=asked.workers, ids=ids, kinds=kinds
        )
    known = {score.id: score for score in scores["offline"]}
    rows = [json.loads(line) for line in (asked.set / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    total = Tally()
    for row in (row for row in rows if row["id"] in known):
        tally = judge_figure(asked.set, out / "offline" / "predictions" / row["id"], row)
        total.add(tally)
        if asked.every:
            value = known[row["id"]].values["ecs"]
            print(f"{row['id']:28} ECS {'-' if value is None else f'{value:.1%}'}; {tally.line()}")
    ecs = [float(v) for s in known.values() if (v := s.values["ecs"]) is not None]
    in_2 = [float(v) for s in known.values() if (v := s.values["in_2"]) is not None]
    panels = [s.seconds / max(1, s.panels_true) for s in known.values() if s.seconds is not None]
    print(f"{len(known)} figures: ECS {np.mean(ecs):.1%}, within 2 % {np.mean(in_2):.1%}, "
          f"median {np.median(panels):.1f} s a panel")  # fmt: skip
    print(total.line())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
