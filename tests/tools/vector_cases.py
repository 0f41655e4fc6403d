"""The data behind the vector figures of `measure_vector`: one chart a case, every number known.

Not handled here: drawing (`vector_producers` and its neighbours), judging (`measure_vector`).
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Literal

import numpy as np

from tools.types import Floats

Style = Literal["lines", "markers", "dashes", "step", "bars", "stack", "sideways", "points", "area", "errors", "band",
                "twin", "bins"]  # fmt: skip
START = date(2021, 1, 4)  # a Monday


@dataclass(frozen=True, eq=False)
class Case:
    """One chart. `x`: numbers, ISO dates or names; `series`: values by name, each as long as `x`. `log`: the y axis.

    `spread`: the half widths of error bars or bands, by name. `bins`: the edges of a histogram. `kind`: of the bench.
    `smooth`: so many points on a smooth curve that producers may leave some out.
    """

    name: str
    kind: str
    style: Style
    x: tuple[float | str, ...]
    series: Mapping[str, Floats]
    log: bool = False
    spread: Mapping[str, Floats] = field(default_factory=dict)
    bins: tuple[float, ...] = ()
    smooth: bool = False
    x_label: str = "time"
    y_label: str = "value"

    @property
    def dated(self) -> bool:
        return isinstance(self.x[0], str) and self.x[0][:2] == "20"

    @property
    def named(self) -> bool:
        return isinstance(self.x[0], str) and not self.dated

    def range_of(self) -> float:
        """What an error is measured by: the range of the values, with 0 where the chart has a base line."""
        values = [*np.concatenate(list(self.series.values())).tolist()]
        if self.style in ("bars", "stack", "sideways", "area", "bins"):
            values.append(0.0)
        if self.style in ("stack", "area"):
            values.append(float(np.sum(list(self.series.values()), axis=0).max()))
        return float(np.ptp(values))


def days_from(count: int, step: int = 1) -> tuple[str, ...]:
    """ISO dates, `step` days apart."""
    return tuple((START + timedelta(days=step * k)).isoformat() for k in range(count))


def cases() -> list[Case]:
    """All charts, the same on every machine."""
    random = np.random.default_rng(11)
    x = np.arange(40.0)
    waves = {
        name: np.round(50 + a * np.sin(x / b + c) + random.normal(0, 3, 40), 2)
        for name, a, b, c in (("north", 30, 4, 0), ("south", 30, 5, 2), ("east", 20, 3, 4))
    }
    few = tuple(np.arange(1.0, 13.0))
    walk = np.round(np.cumsum(random.normal(0, 1, (3, 25)), axis=1), 2)
    fine = np.linspace(0, 10, 400)
    places = ("Oslo", "Bergen", "Turku", "Riga", "Vilnius")
    dose = np.array([0.5, 1, 2, 4, 8, 16, 32, 64])
    cut = tuple(np.linspace(-3, 3, 25))
    return [
        Case("crossing", "line", "lines", tuple(x), waves),
        Case("markers", "line", "markers", few, {
            "alpha": np.round(3 * np.exp(0.45 * np.arange(12)) * random.uniform(0.8, 1.2, 12), 3),
            "beta": np.round(400 * np.exp(-0.3 * np.arange(12)) * random.uniform(0.8, 1.2, 12), 3),
        }, log=True),
        Case("dashes", "line", "dashes", tuple(np.arange(25.0)), dict(zip(("plan", "real", "last year"), walk,
                                                                        strict=True))),
        Case("smooth", "line", "lines", tuple(fine.round(6)), {
            "model": (np.sin(fine) * np.exp(-fine / 8)).round(6), "data": (np.cos(fine * 0.7) * 0.8).round(6),
        }, smooth=True),
        Case("daily", "epicurve", "bars", days_from(60),
             {"cases": random.poisson(40 * np.exp(-((np.arange(60) - 25) / 14.0) ** 2) + 1).astype(float) + 1}),
        Case("weekly", "epicurve", "stack", days_from(30, 7), {
            name: random.poisson(a * np.exp(-((np.arange(30) - b) / 5.0) ** 2) + 3).astype(float)
            for name, a, b in (("confirmed", 40, 12), ("probable", 25, 14), ("suspected", 15, 18))
        }),
        Case("trend", "line", "lines", days_from(120), {
            "rate": np.round(20 + 10 * np.sin(np.arange(120) / 9) + random.normal(0, 1, 120), 2),
            "mean": np.round(22 + 6 * np.cos(np.arange(120) / 15), 2),
        }),
        Case("grouped", "bar", "bars", places, {
            "2019": np.array([23.4, 17.2, 35.1, 9.8, 14.0]), "2020": np.array([20.1, 25.6, 28.7, 14.3, 11.9]),
        }),
        Case("signs", "bar", "bars", places, {"change": np.array([4.2, -3.1, 7.7, -6.4, 1.3])}),
        Case("sideways", "bar", "sideways", places, {"share": np.array([61.5, 48.2, 37.9, 22.4, 8.3])}),
        Case("points", "scatter", "points", tuple(np.round(random.uniform(0, 10, 40), 3)), {
            "treated": np.round(random.uniform(2, 8, 40), 3), "control": np.round(random.uniform(1, 5, 40), 3),
        }),
        Case("area", "area", "area", tuple(np.arange(2000.0, 2021.0)), {
            name: np.round(a + 3 * np.sin(np.arange(21) / b) + random.uniform(0, 2, 21), 2)
            for name, a, b in (("coal", 12, 4), ("gas", 8, 3), ("wind", 6, 5))
        }),
        Case("errors", "line", "errors", tuple(few[:8]), {
            "wild type": np.round(random.uniform(20, 60, 8), 2), "mutant": np.round(random.uniform(5, 35, 8), 2),
        }, spread={"wild type": np.round(random.uniform(2, 6, 8), 2), "mutant": np.round(random.uniform(1, 5, 8), 2)}),
        Case("band", "line", "band", tuple(dose), {"response": np.array([3.1, 5.2, 9.7, 18.2, 33.8, 52.1, 66.0, 71.4])},
             spread={"response": np.array([1.0, 1.2, 2.1, 2.6, 3.5, 4.4, 5.1, 6.0])}),
        Case("survival", "survival", "step", tuple(np.arange(0.0, 26.0, 2)), {
            "A": np.round(np.cumprod([1, *random.uniform(0.88, 0.99, 12)]), 4),
            "B": np.round(np.cumprod([1, *random.uniform(0.8, 0.95, 12)]), 4),
        }),
        Case("twin", "line", "twin", tuple(np.arange(2005.0, 2021.0)), {
            "rainfall": np.round(random.uniform(400, 900, 16), 1), "yield": np.round(random.uniform(2.5, 6.5, 16), 2),
        }),
        Case("bins", "histogram", "bins", tuple((np.array(cut[:-1]) + np.array(cut[1:])) / 2),
             {"count": np.histogram(random.normal(0, 1, 800), cut)[0].astype(float)}, bins=cut),
    ]  # fmt: skip


def write_data(case: Case, path: Path) -> None:
    """The chart's data as CSV, a row per x: what the producers that are programs of their own read."""
    head = ["x", *case.series, *(f"{name} sd" for name in case.spread)]
    columns = [case.x, *case.series.values(), *case.spread.values()]
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(head)
        writer.writerows(zip(*([_text(v) for v in column] for column in columns), strict=True))


def truth_of(case: Case) -> str:
    """The true table in the layout of `../shared/real`, as TSV."""
    if case.bins:
        rows = zip(case.bins[:-1], case.bins[1:], next(iter(case.series.values())), strict=True)
        return "\n".join(["bin low\tbin high\tcount", *("\t".join(map(_text, row)) for row in rows)]) + "\n"
    head, columns = [case.x_label], [[_text(v) for v in case.x]]
    for name, values in case.series.items():
        head.append(name)
        columns.append([_text(v) for v in values])
        if name in case.spread:
            head += [f"{name} low", f"{name} high"]
            columns += [[_text(v) for v in values + sign * case.spread[name]] for sign in (-1, 1)]
    return "\n".join("\t".join(row) for row in [head, *zip(*columns, strict=True)]) + "\n"


def _text(value: float | str | None) -> str:
    return value if isinstance(value, str) else "" if value is None else f"{float(value):.10g}"


def positions_of(case: Case) -> Floats:
    """Where the points stand: numbers, or 0, 1, 2, ... for names."""
    return np.array([k if isinstance(v, str) else float(v) for k, v in enumerate(case.x)], dtype=np.float64)
