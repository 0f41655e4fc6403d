"""The report of `plotcaliper compare`: what a benchmark's report holds, over anybody's figures and tables.

Not handled here: running and scoring (`runner`), tables and plots (`report`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluation.bench import FigureScore
from evaluation.benchmark import RunFolder, method_home, result_of
from evaluation.report import write_report
from evaluation.truth import load_samples


def write_compare_report(images: Path, truth: Path, scores: Mapping[str, Sequence[FigureScore]], out: Path) -> Path:
    """Write `OUT/report.html` and a CSV per table into `OUT/tables/`; returns the page.

    `scores`: of each method, as `runner.compare` returns them; predictions are looked for where it put them.
    """
    tables = {sample.id: sample.tables for sample in load_samples(images, truth)}
    homes = {one: Path(one) if Path(one).is_dir() else method_home(out, one) / "predictions" for one in scores}
    results = [result_of(method, scored, homes[method], tables) for method, scored in scores.items()]
    ids = tuple(one.id for one in next(iter(scores.values())))
    return write_report(RunFolder(out, images.parent, "plain", tuple(scores), ids), results)
