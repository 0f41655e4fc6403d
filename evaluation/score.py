"""Scores predicted tables against true ones by any metric of tables: two files, or two folders matched by name.

A chart without a predicted table scores as an empty one and is listed; a chart for which a metric is undefined (the
truth holds nothing that it measures) is *unscored*: counted, and never averaged as a 0. Not handled here: pictures and
the rules of the bench (`bench`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluation import curve_measures as curves
from evaluation.ecs import Components, ecs
from evaluation.elastic import dtw_score
from evaluation.relaxed import relaxed_correct
from evaluation.rms import Rows, entries, rms
from evaluation.rnss import numbers, rnss
from evaluation.scrm import scrm
from evaluation.tables import Sheet, panel_table, read_sheet
from tools.align import assign, similarities

if TYPE_CHECKING:
    from rich.table import Table

SUFFIXES = (".tsv", ".csv")
EMPTY = Sheet((), ())
Key = tuple[str, int]  # chart, panel


@dataclass(frozen=True)
class Metric:
    """One predicted table measured by the true one: names -> values, None where undefined. `lower`: the names for
    which lower is better; `plain`: those that are no shares of 1 and so are not printed in percent."""

    name: str
    measure: Callable[[Sheet, Sheet], Mapping[str, float | None]]
    lower: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()


def _ecs(said: Sheet, true: Sheet) -> dict[str, float | None]:
    image = ecs(_series(said), _series(true))
    parts = [part.name for part in fields(Components) if part.name != "score"]
    values = {f"ecs {name.replace('_', ' ')}": getattr(image.components, name) if image else None for name in parts}
    return {"ecs": image.score if image else None, **values}


def _dtw(said: Sheet, true: Sheet) -> dict[str, float | None]:
    mine, theirs = _series(said), [one for one in _series(true) if len(one[1])]
    if not theirs:
        return {"dtw": None}
    alike = similarities([name.lower() for name, _ in theirs], [name.lower() for name, _ in mine])
    pairs = [(0, 0)] if len(mine) == len(theirs) == 1 else assign(alike, above=0.5)
    return {"dtw": sum(dtw_score(mine[j][1], theirs[i][1]) for i, j in pairs) / len(theirs)}


def _rms(said: Sheet, true: Sheet) -> dict[str, float | None]:
    if not entries(_rows(true)):
        return dict.fromkeys(("rms precision", "rms recall", "rms"))
    found = rms(_rows(said), _rows(true))
    precision = found.precision if entries(_rows(said)) else None  # of nothing said, nothing can be right or wrong
    return {"rms precision": precision, "rms recall": found.recall, "rms": found.f1}


def _rnss(said: Sheet, true: Sheet) -> dict[str, float | None]:
    return {"rnss": rnss(_rows(said), _rows(true)) if len(numbers(_rows(true))) else None}


def _scrm(said: Sheet, true: Sheet) -> dict[str, float | None]:
    found = scrm([_text(said)], [_text(true)]) if entries(_rows(true)) else None
    return {
        f"scrm {level}": getattr(found, level).mean_precision if found else None
        for level in ("strict", "slight", "high")
    }


def _relaxed(said: Sheet, true: Sheet) -> dict[str, float | None]:
    """Cells within 5 % and 2 %, matched by the exact row label and header."""
    mine, theirs = entries(_rows(said)), entries(_rows(true))
    found: dict[str, float | None] = {}
    for tolerance in (0.05, 0.02):
        verdicts = [relaxed_correct(mine.get(key, ""), cell, tolerance, "numeric") for key, cell in theirs.items()]
        known = [verdict for verdict in verdicts if verdict is not None]
        found[f"relaxed {tolerance:.0%}"] = sum(known) / len(known) if known else None
    return found


ECS_LOSSES = tuple(f"ecs {part.name.replace('_', ' ')}" for part in fields(Components) if part.name != "score")
METRICS = (
    Metric("ecs", _ecs, lower=ECS_LOSSES), Metric("dtw", _dtw), Metric("rms", _rms), Metric("rnss", _rnss),
    Metric("scrm", _scrm), Metric("relaxed", _relaxed), Metric("erp", curves.erp_of, lower=("erp",), plain=("erp",)),
    Metric("density", curves.density_of, lower=("density mae", "density rmse"), plain=("density mae", "density rmse")),
    Metric("chartparse", curves.parse_of), Metric("chart-info", curves.chart_info_of),
    Metric("fpc-nrmse", curves.fpc_of, lower=("fpc-nrmse",)),
    Metric("downstream", curves.downstream_of, lower=("total error", "peak time error", "peak size error"),
           plain=("peak time error",)),
)  # fmt: skip
LOWER_IS_BETTER = frozenset(name for metric in METRICS for name in metric.lower)
NOT_SHARES = frozenset(name for metric in METRICS for name in metric.plain)


@dataclass(frozen=True)
class Scores:
    """Values of every chart, by measure; `missing`: charts without a predicted table."""

    charts: Mapping[str, Mapping[str, float | None]]
    missing: tuple[str, ...]

    @property
    def measures(self) -> list[str]:
        return list(dict.fromkeys(name for values in self.charts.values() for name in values))

    def summary(self, measure: str) -> dict[str, Any]:
        """Mean over the charts that could be scored, their number, and how many could not."""
        values = [chart.get(measure) for chart in self.charts.values()]
        known = [value for value in values if value is not None]
        mean = sum(known) / len(known) if known else None
        return {"mean": mean, "n": len(known), "unscored": len(values) - len(known),
                "higher_is_better": measure not in LOWER_IS_BETTER}  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        return {
            "summary": {name: self.summary(name) for name in self.measures},
            "charts": {chart: dict(values) for chart, values in self.charts.items()},
            "missing": list(self.missing),
        }

    def table(self) -> Table:
        """A line per measure for people: mean (in percent where it is a share), n, unscored, which way is better."""
        from rich.table import Table

        table = Table(caption=f"no predicted table: {', '.join(self.missing)}" if self.missing else None)
        for head in ("metric", "mean", "n", "unscored", "better"):
            table.add_column(head, justify="left" if head == "metric" else "right")
        for name in self.measures:
            one = self.summary(name)
            factor = 1 if name in NOT_SHARES else 100
            mean = "-" if one["mean"] is None else f"{factor * one['mean']:.2f}{'' if factor == 1 else ' %'}"
            table.add_row(
                name, mean, str(one["n"]), str(one["unscored"]), "higher" if one["higher_is_better"] else "lower"
            )
        return table


def score_paths(pred: Path, truth: Path, metrics: Sequence[str]) -> Scores:
    """Score a table by another, or a folder by a folder: `<id>.tsv` meets `<id>.tsv` or `<id>/panel_1.tsv`,
    `<id>_panel2.tsv` meets `<id>_panel2.tsv` or `<id>/panel_2.tsv`; `.csv` likewise.

    `metrics`: names of METRICS, or ["all"]. Raises ValueError for an unknown name or where the truth has no table,
    OSError where a path does not exist.
    """
    chosen = choose(metrics)
    if truth.is_file():
        said = _read(pred)
        return Scores({truth.stem: _measure(chosen, said, _read(truth))}, ())
    true_paths, said_paths = tables_in(truth), tables_in(pred)
    if not true_paths:
        raise ValueError(f"there is no table in {truth}")
    single = {chart for chart, _ in true_paths if (chart, 2) not in true_paths}
    charts, missing = {}, []
    for key, path in sorted(true_paths.items()):
        name = key[0] if key[0] in single else f"{key[0]} panel {key[1]}"
        if key not in said_paths:
            missing.append(name)
        charts[name] = _measure(chosen, _read(said_paths[key]) if key in said_paths else EMPTY, _read(path))
    return Scores(charts, tuple(missing))


def choose(names: Sequence[str]) -> tuple[Metric, ...]:
    """The metrics of these names."""
    known = {metric.name: metric for metric in METRICS}
    wrong = [name for name in names if name not in known and name != "all"]
    if wrong:
        raise ValueError(f"there is no metric {wrong[0]!r}; choose from: {', '.join(known)}, all")
    return METRICS if "all" in names else tuple(known[name] for name in dict.fromkeys(names))


def tables_in(folder: Path) -> dict[Key, Path]:
    """The tables of a folder by chart and panel number. Raises OSError where there is no such folder."""
    found: dict[Key, Path] = {}
    for path in sorted([*folder.iterdir(), *folder.glob("*/panel_*")]):
        if path.suffix.lower() in SUFFIXES:
            stem, _, panel = path.stem.rpartition("panel")
            if not panel.lstrip("_").isdigit() or (not stem and path.parent == folder):
                key = (path.stem, 1)
            else:
                key = (stem.rstrip("_") or path.parent.name, int(panel.lstrip("_")))
            found.setdefault(key, path)
    return found


def _measure(chosen: Sequence[Metric], said: Sheet, true: Sheet) -> dict[str, float | None]:
    return {name: value for metric in chosen for name, value in metric.measure(said, true).items()}


def _read(path: Path) -> Sheet:
    text = path.read_bytes().decode("utf-8", errors="replace")
    return read_sheet(text, "," if path.suffix.lower() == ".csv" else "\t")


def _series(sheet: Sheet) -> list[tuple[str, Any]]:
    return [(curve.name, curve.values) for curve in panel_table(sheet).curves]


def _rows(sheet: Sheet) -> Rows:
    return [sheet.header, *sheet.rows] if sheet.header else []


def _text(sheet: Sheet) -> str:
    return "\n".join("\t".join(row) for row in _rows(sheet))
