"""Whether nine charts composed in one figure read as well as the same nine apart: ECS and points, chart by chart.

    python -m tests.tools.measure_composed SET [--out OUT] [--limit N] [--count 9] [--workers N]

SET holds `images/`, `truth/`, `truth_json/` and `index.jsonl` (`evaluation.draw` writes such sets). The charts of its
figures of one panel are put together (`composed_set`) in OUT/composed (SET/composed when left out), both sets are read
offline and judged by the bench's rules: each chart by the table of its place. Prints a line per chart whose ECS (or
points, where its kind has no ECS) differ by a point or more, and the means of both.
Not handled here: axes (`measure_frame --composed`), degraded figures.
"""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from evaluation.bench import FigureScore, pair_panels, read_plot_boxes, read_predictions
from evaluation.panel_score import score_panel
from evaluation.row_score import PanelScore
from evaluation.runner import compare
from evaluation.tables import read_panel_table
from evaluation.truth import load_samples
from tests.tools.composed_set import composed

Pair = tuple[str, PanelScore, PanelScore]  # the chart, apart and together
_TIME_LIMIT = 120.0  # s for a chart


def read_pairs(source: Path, out: Path, limit: int | None, count: int, workers: int) -> list[Pair]:
    """Every composed chart with its scores apart and together, by the rules of its own kind."""
    groups = composed(source, out / "composed", count, limit)
    ids = [row["id"] for _, charts in groups for row in charts]
    apart = {score.id: score for score in _read(source, out / "apart", workers, _TIME_LIMIT, ids)}
    _read(out / "composed", out / "together", workers, count * _TIME_LIMIT)
    samples = {one.id: one for one in load_samples(out / "composed" / "images", out / "composed" / "truth")}
    pairs = []
    for row, charts in groups:
        folder, facts = out / "together" / "offline" / "predictions" / row["id"], samples[row["id"]].facts
        said, boxes = read_predictions(folder), read_plot_boxes(folder)
        partner = pair_panels(facts, max([*said, len(boxes)], default=0), boxes)
        for number, (chart, table) in enumerate(zip(charts, samples[row["id"]].tables, strict=True), 1):
            own = said.get(partner.get(number, 0))
            score = score_panel(read_panel_table(table), own, chart["kind"], facts[number - 1])
            pairs += [(chart["id"], alone, score) for alone in apart[chart["id"]].panels]
    return pairs


def _read(folder: Path, out: Path, workers: int, seconds: float, ids: Sequence[str] = ()) -> list[FigureScore]:
    """The scores of figures read offline, without the bench's own table."""
    with contextlib.redirect_stdout(io.StringIO()):
        return compare(
            folder / "images", folder / "truth", ["offline"], out, workers=workers, ids=ids, time_limit=seconds
        )["offline"]


def report(pairs: Sequence[Pair]) -> Iterator[str]:
    """The charts that differ, the worst loss first, and the means over all that have the measure."""
    for measure in ("ecs", "in_2"):
        rows = [(name, getattr(one, measure), getattr(other, measure)) for name, one, other in pairs]
        known = [(name, one, other) for name, one, other in rows if one is not None and other is not None]
        for name, one, other in sorted(known, key=lambda row: row[2] - row[1]):
            if abs(one - other) >= 0.01:
                yield f"{measure:5} {name:32} apart {one:6.1%} together {other:6.1%}"
        if known:
            apart, together = (float(np.mean([row[k] for row in known])) for k in (1, 2))
            yield f"{measure:5} {len(known)} charts: apart {apart:.1%}, together {together:.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare charts read apart with nine of them in one figure.")
    parser.add_argument("source", type=Path, metavar="SET")
    parser.add_argument("--out", type=Path, help="where predictions are kept")
    parser.add_argument("--limit", type=int, help="only the first N figures of nine")
    parser.add_argument("--count", type=int, default=9, help="charts in one figure")
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    out = asked.out or asked.source / "composed_read"
    for line in report(read_pairs(asked.source, out, asked.limit, asked.count, asked.workers)):
        print(line)


if __name__ == "__main__":
    main()
