"""The benchmarks by name: make a set, run methods over it, score what they wrote, report.

A set is a folder (`images/`, `truth/`, `index.jsonl`, `set.json`); a run is a folder that names its set and holds the
predictions of each method. Each step reads the folders of the one before and nothing else, so a run can be scored
again, elsewhere and later, with the same result. Not handled here: what a benchmark measures (`epicurve`, `density`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evaluation import (
    chartab,
    chartab_analysis,
    chartparse,
    chartparse_analysis,
    density,
    epicurve,
    plotground,
    plotground_analysis,
)
from evaluation.bench import FigureScore
from evaluation.calibration import Judged, judged_cells
from evaluation.loaders import LOADERS
from evaluation.runner import TIME_LIMIT, compare_pairs, limit_of, look_at_pairs, predict, score_run, write_scores
from evaluation.tables import read_panel_table
from evaluation.truth import Sample, load_samples

MAKERS = {
    "epicurve": "epidemic curves with the mix of lengths, series and styles of EpiCurveBench",
    "density": "compounds of 1, 3, 6 and 9 charts, as in ChartDensity-Bench",
    "chartab": "pairs of charts that differ in cells, colours, legend or text, as in ChartAB",
    "chartparse": "charts that each test one named failure, in the families of ChartParse-Bench",
    "plotground": "papers with figures and source tables, and questions that both answer, as in PlotGround",
}
Analysis = (
    epicurve.Analysis | density.Analysis | chartab_analysis.Analysis | chartparse_analysis.Analysis
    | plotground_analysis.Analysis
)  # fmt: skip
DENSITIES = (1, 3, 6, 9)


@dataclass(frozen=True)
class RunFolder:
    """A run: the set that it read, its benchmark, methods and samples; `evidence`: what answers were given from."""

    path: Path
    set: Path
    benchmark: str
    methods: tuple[str, ...]
    ids: tuple[str, ...]
    evidence: tuple[str, ...] = ()


def make(name: str, out: Path, *, limit: int = 100, seed: int = 42, ks: Sequence[int] = DENSITIES,
         charts: Path | None = None) -> int:  # fmt: skip
    """Make a set; returns how many figures it has.

    `limit`: charts that are drawn (a compound counts for as many as it shows). `charts`: for *density*, a folder with
    `images/` and `truth/` to compose instead of drawing; for *plotground*, a folder of papers. Raises
    ValueError for an unknown name, a folder that is not empty, or charts that cannot be composed.
    """
    if name not in MAKERS:
        raise ValueError(f"there is no benchmark {name!r} to make; choose one of: {', '.join(MAKERS)}")
    if out.exists() and any(out.iterdir()):
        raise ValueError(f"{out} is not empty; choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    if name == "epicurve":
        count = epicurve.write_epicurves(out, limit, seed)
    elif name == "chartab":
        count = chartab.write_chartab(out, limit, seed)
    elif name == "chartparse":
        count = chartparse.write_charts(out, limit, seed)
    elif name == "plotground":
        count = plotground.write_set(out, limit, seed, charts)
    else:
        source = charts or _draw_charts(out / "charts", limit, seed)
        count = density.write_compounds(source / "images", source / "truth", out, ks, seed)
    about = {"benchmark": name, "seed": seed, "limit": limit, "figures": count}
    (out / "set.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return count


def _draw_charts(folder: Path, count: int, seed: int) -> Path:
    """Line and bar charts to compose, as the paper takes them."""
    from evaluation.draw import write_set

    kinds = ("line_plain", "bar_plain", "line_markers", "bar_grouped")
    write_set(folder, seed, count, kinds=kinds, engines=("matplotlib",))
    return folder


def run(
    folder: Path,
    methods: Sequence[str],
    out: Path,
    *,
    limit: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    time_limit: float = TIME_LIMIT,
    scheduler: str | None = None,
    evidence: Sequence[str] = (),
) -> RunFolder:
    """Run methods over a set; goes on where an earlier run into `out` stopped.

    `limit`: only so many figures, the first ones, or drawn with `seed` where one is given. `evidence`: for
    *plotground*, what questions are answered from (all kinds in turn where none is named). Raises ValueError where the
    folder is no set, or evidence means nothing.
    """
    if _json(folder / "set.json").get("benchmark") == "plotground":
        return _run_questions(folder, methods, out, limit, seed, workers, time_limit, evidence)
    if not (folder / "images").is_dir() or not (folder / "truth").is_dir():
        raise ValueError(f"{folder} is no set (images/ and truth/ in it): make one with `plotcaliper benchmark make`")
    samples = load_samples(folder / "images", folder / "truth")
    if limit is not None and limit < len(samples):
        chosen = range(limit) if seed is None else sorted(np.random.default_rng(seed).permutation(len(samples))[:limit])
        samples = [samples[i] for i in chosen]
    out.mkdir(parents=True, exist_ok=True)
    about = _json(folder / "set.json")
    found = RunFolder(out, folder, str(about.get("benchmark", "plain")), tuple(methods), tuple(s.id for s in samples))
    record = {"set": str(folder.resolve()), "benchmark": found.benchmark, "methods": list(methods), "ids": found.ids}
    (out / "run.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    for method in methods:
        predict(samples, method, out, workers, limit_of(method, None, time_limit), scheduler=scheduler)
        if found.benchmark == "chartab":
            compare_pairs(chartab_analysis.pairs_to_compare(folder, found.ids), method_home(out, method))
            look_at_pairs(chartab_analysis.pairs_to_see(folder, found.ids), method, method_home(out, method))
    return found


def _run_questions(
    folder: Path, methods: Sequence[str], out: Path, limit: int | None, seed: int | None, workers: int,
    time_limit: float, evidence: Sequence[str],
) -> RunFolder:  # fmt: skip
    """Answer the questions of a plotground set."""
    wrong = [one for one in evidence if one not in plotground.EVIDENCE]
    if wrong:
        raise ValueError(f"there is no evidence {wrong[0]!r}; choose from: {', '.join(plotground.EVIDENCE)}")
    figures = plotground.questioned(folder, limit, seed)
    if not figures:
        raise ValueError(f"no figure of {folder} has a question; truth/grounding.jsonl says why")
    kinds = tuple(evidence) or plotground.EVIDENCE
    found = RunFolder(out, folder, "plotground", tuple(methods), tuple(one.id for one in figures), kinds)
    out.mkdir(parents=True, exist_ok=True)
    record = {"set": str(folder.resolve()), "benchmark": "plotground", "methods": list(methods), "ids": found.ids,
              "evidence": kinds}  # fmt: skip
    (out / "run.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    for method in methods:
        limit_s = limit_of(method, None, time_limit)
        plotground.answer(figures, method, method_home(out, method), kinds, workers, limit_s)
    return found


def open_run(path: Path) -> RunFolder:
    """A run that was made earlier. Raises ValueError where the folder holds none, or its set has gone."""
    record = _json(path / "run.json")
    if "set" not in record:
        raise ValueError(f"{path} holds no run (no run.json): make one with `plotcaliper benchmark run`")
    folder = Path(record["set"])
    if not folder.is_dir():
        raise ValueError(f"the set of this run is no longer at {folder}")
    kinds = tuple(record.get("evidence", ()))
    return RunFolder(path, folder, record["benchmark"], tuple(record["methods"]), tuple(record["ids"]), kinds)


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True)
class MethodResult:
    """What one method did: bench scores, the benchmark's own analysis, cost, and what could not be scored."""

    method: str
    bench: tuple[FigureScore, ...]
    analysis: Analysis | None
    seconds: float | None
    dollars: float | None
    tokens: int
    unscored: tuple[tuple[str, str], ...]
    cells: tuple[Judged, ...] = ()


def score(found: RunFolder) -> list[MethodResult]:
    """Score the predictions of a run by the bench and by its benchmark, and write `scores.jsonl`. No method is run."""
    if found.benchmark == "plotground":
        return _score_questions(found)
    samples = [one for one in load_samples(found.set / "images", found.set / "truth") if one.id in set(found.ids)]
    facts = set_facts(found.set)
    results = []
    for method in found.methods:
        home = method_home(found.path, method)
        scored = [score_run(s, home / "predictions" / s.id, home / "runs" / f"{s.id}.json") for s in samples]
        usable = [s for s, one in zip(samples, scored, strict=True) if not one.unscored]
        analysis = _analysis(found, usable, home, facts)
        tables = {sample.id: sample.tables for sample in usable}
        results.append(result_of(method, scored, home / "predictions", tables, analysis))
    write_scores({result.method: list(result.bench) for result in results}, found.path)
    return results


def result_of(
    method: str, scored: Sequence[FigureScore], predictions: Path, tables: Mapping[str, Sequence[Path]],
    analysis: Analysis | None = None,
) -> MethodResult:  # fmt: skip
    """The scores of one method with what its readings cost, and its stated intervals against the truth.

    `predictions`: a folder per figure; `tables`: the true tables of each figure that was scored, by its id.
    """
    usable = [one.id for one in scored if not one.unscored]
    costs = [cost_of(predictions / name) for name in usable]
    times = [one.seconds for one in scored if one.seconds is not None]
    return MethodResult(
        method, tuple(scored), analysis, float(np.median(times)) if times else None,
        float(sum(dollars for dollars, _ in costs)) if costs else None, sum(tokens for _, tokens in costs),
        tuple((one.id, one.reason) for one in scored if one.unscored),
        tuple(cell for name in usable for cell in judged_cells(predictions / name, tables[name])),
    )  # fmt: skip


def _score_questions(found: RunFolder) -> list[MethodResult]:
    """The answers of each method held against a plotground set's truth."""
    results, lines = [], []
    for method in found.methods:
        answers = plotground.answers_in(method_home(found.path, method), found.ids)
        analysis = plotground_analysis.analyse(found.set, answers, found.ids)
        known = [one.dollars for one in analysis.judged if one.dollars is not None]
        seconds = [one.seconds for one in analysis.judged]
        lost = tuple((f"{one['id']} ({one['evidence']})", str(one["failed"])) for one in answers if one.get("failed"))
        results.append(MethodResult(
            method, (), analysis, float(np.median(seconds)) if seconds else None, sum(known) if known else None,
            sum(one.tokens for one in analysis.judged), lost,
        ))  # fmt: skip
        lines += [{"method": method, **asdict(one)} for one in analysis.judged]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (found.path / "scores.jsonl").write_text(text, encoding="utf-8")
    return results


def method_home(run_path: Path, method: str) -> Path:
    """Where a run keeps the predictions of a method."""
    return run_path / re.sub(r"[^\w.-]+", "-", method)


def cost_of(folder: Path) -> tuple[float, int]:
    """Dollars and tokens that a reading took; 0 where its folder does not say."""
    cost = _json(folder / "reading.json").get("cost", {})
    return float(cost.get("dollars") or 0.0), int(cost.get("tokens") or 0)


def set_facts(folder: Path) -> dict[str, dict[str, Any]]:
    """The lines of a set's index by id; empty for a set without one."""
    path = folder / "index.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return {row["id"]: row for row in map(json.loads, filter(str.strip, lines))}


def _analysis(
    found: RunFolder, samples: Sequence[Sample], home: Path, facts: Mapping[str, Mapping[str, Any]]
) -> Analysis | None:
    if found.benchmark == "chartab":
        return chartab_analysis.analyse(chartab_analysis.read_pairs(found.set, home, [s.id for s in samples]))
    if found.benchmark == "chartparse":
        read = [traps_of(s, found.set, home / "predictions" / s.id, facts.get(s.id, {})) for s in samples]
        return chartparse_analysis.analyse(read)
    if found.benchmark == "density":
        return density.analyse([compound_of(s, home / "predictions" / s.id, facts.get(s.id, {})) for s in samples])
    if found.benchmark == "epicurve":
        charts = [chart_of(s, home / "predictions" / s.id, facts.get(s.id, {})) for s in samples]
        return epicurve.analyse(charts)
    return None


def chart_of(sample: Sample, folder: Path, facts: Mapping[str, Any]) -> epicurve.Chart:
    """Predicted and true series of a chart, its first panel alone."""
    said = _panel_files(folder)
    curves = read_panel_table(said[0]).curves if said else ()
    true = read_panel_table(sample.tables[0]).curves
    series = (tuple((c.name, c.values) for c in group) for group in (curves, true))
    first, second = series
    return epicurve.Chart(sample.id, first, second, facts)


def traps_of(sample: Sample, folder: Path, said: Path, facts: Mapping[str, Any]) -> chartparse_analysis.Chart:
    """Predicted and true tables of a chart's panels, with the scales of its truth record."""
    record = _json(folder / "truth" / f"{sample.id}.truth.json")
    found = {int(path.stem.rpartition("_")[2]): path for path in _panel_files(said)}
    panels = []
    for number, table in enumerate(sample.tables, 1):
        text = found[number].read_text(encoding="utf-8") if number in found else ""
        part = (record.get("panels") or [{}] * number)[number - 1]
        marks = facts.get("family") == "B"
        panels.append(chartparse_analysis.panel_from(text, table.read_text(encoding="utf-8"), part, marks))
    return chartparse_analysis.Chart(sample.id, tuple(panels), facts)


def compound_of(sample: Sample, folder: Path, facts: Mapping[str, Any]) -> density.Compound:
    """Predicted and true rows of a compound; a panel that was found but refused is a chart without rows."""
    said = {int(path.stem.rpartition("_")[2]): tuple(density.rows_of(path)) for path in _panel_files(folder)}
    count = max([len(_json(folder / "reading.json").get("panels", [])), *said], default=0)
    true = tuple(tuple(density.rows_of(path)) for path in sample.tables)
    charts = tuple(facts.get("charts", [sample.id]))
    return density.Compound(
        int(facts.get("k", len(true))), charts, tuple(said.get(i, ()) for i in range(1, count + 1)), true
    )


def _panel_files(folder: Path) -> list[Path]:
    """The tables of a prediction, by panel number."""
    found = [path for path in folder.glob("panel_*.[tc]sv") if path.stem.rpartition("_")[2].isdigit()]
    return sorted(found, key=lambda path: int(path.stem.rpartition("_")[2]))


def listing() -> list[tuple[str, str, str]]:
    """(name, how it is had, what it is) of every benchmark and loader."""
    made = [(name, "made here", words) for name, words in MAKERS.items()]
    return made + [(name, "loaded", words) for name, words in LOADERS.items()]
