"""The report of `plotcaliper compare`: what a benchmark's report holds, over anybody's figures and tables.

Not handled here: running and scoring (`runner`), tables and plots (`report`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from evaluation.bench import FigureScore
from evaluation.benchmark import MethodResult, RunFolder, cost_of, method_home
from evaluation.calibration import judged_cells
from evaluation.report import write_report
from evaluation.truth import load_samples


def write_compare_report(images: Path, truth: Path, scores: Mapping[str, Sequence[FigureScore]], out: Path) -> Path:
    """Write `OUT/report.html` and a CSV per table into `OUT/tables/`; returns the page.

    `scores`: of each method, as `runner.compare` returns them; predictions are looked for where it put them.
    """
    samples = {sample.id: sample for sample in load_samples(images, truth)}
    results = []
    for method, scored in scores.items():
        home = Path(method) if Path(method).is_dir() else method_home(out, method) / "predictions"
        usable = [one.id for one in scored if not one.unscored]
        costs = [cost_of(home / name) for name in usable]
        times = [one.seconds for one in scored if one.seconds is not None]
        results.append(MethodResult(
            method, tuple(scored), None, float(np.median(times)) if times else None,
            sum(dollars for dollars, _ in costs), sum(tokens for _, tokens in costs),
            tuple((one.id, one.reason) for one in scored if one.unscored),
            tuple(cell for name in usable for cell in judged_cells(home / name, samples[name].tables)),
        ))  # fmt: skip
    ids = tuple(one.id for one in next(iter(scores.values())))
    return write_report(RunFolder(out, images.parent, "plain", tuple(scores), ids), results)
