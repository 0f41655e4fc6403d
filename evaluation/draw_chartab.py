"""Charts of ChartAB's nine types, drawn from one record, so that a pair differs in exactly what its record differs in.

Bars, lines, boxes and two-axes charts go through the drawer; 3-D bars, radar and rose charts are drawn here with
matplotlib. The look is that of the drawer's styles. Not handled here: which charts make a pair (`chartab`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evaluation.draw import draw_figure
from evaluation.draw_clouds import upright
from evaluation.draw_frame import PLACES, covers, value_axis
from evaluation.draw_plan import (
    BoxStats,
    FigurePlan,
    Floats,
    LegendPlan,
    Look,
    PanelPlan,
    Pixels,
    Rgb,
    SeriesPlan,
    Style,
)
from evaluation.draw_style import choose_style, hexadecimal
from evaluation.draw_ticks import category_axis
from evaluation.draw_truth import number_text, record
from evaluation.draw_words import CATEGORIES, MEASURES, TITLES, pick, some_names

TYPES = ("bar", "bar numbered", "line", "line numbered", "box", "multi-axes", "bar 3d", "radar", "rose")
DRAWER = {"bar": "bar_grouped", "bar numbered": "bar_printed", "line": "line_plain", "line numbered": "line_markers",
          "box": "box_grouped", "multi-axes": "epicurve_twin"}  # fmt: skip
KIND = {"bar": "bar", "bar numbered": "bar", "line": "line", "line numbered": "line", "box": "box",
        "multi-axes": "bar"}  # fmt: skip
STATISTICS = ("whisker_low", "q1", "median", "q3", "whisker_high")
DPI = (100, 100, 110, 120, 144, 150)
LARGER = 1.25  # than the drawer's letters
REGIONS = {"title": "title", "legend": "legend", "axis_labels": "axis", "ticks": "ticks"}  # region: key of a style
ROOM = {"upper": (0.0, 0.35), "lower": (0.35, 0.0)}  # shares of the value axis left free below and above the data
LATIN = tuple(pool for pool in CATEGORIES if all(name.isascii() for name in pool))
Rng = np.random.Generator


@dataclass(frozen=True, eq=False)
class Chart:
    """All that is in a chart: `values` (rows, columns) float64, the colours of its series, its look.

    Columns are the series; of boxes the five numbers, while rows are category and series. `seed`: of the small choices
    of the axis. `wide`: room at both ends of the x axis, in categories.
    """

    type: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Floats
    names: tuple[str, ...]
    colours: tuple[Rgb, ...]
    place: str
    style: Style
    title: str
    labels: tuple[str, str, str]
    seed: int
    wide: float = 0.6

    def table(self) -> str:
        """The table as TSV, as readings write it."""
        several = self.type == "box"
        header = ["x", "series", *STATISTICS, "outliers"] if several else [self.labels[0] or "x", *self.columns]
        lines = []
        for row, values in zip(self.rows, self.values, strict=True):
            name = row.split("\t") if several else [row]
            lines.append([*name, *(number_text(v) for v in values), *([""] if several else [])])
        return "".join("\t".join(line) + "\n" for line in (header, *lines))


@dataclass(frozen=True, eq=False)
class Picture:
    """A chart drawn: pixels (H, W, 3) uint8, and what is known of it as the drawer's records have it."""

    pixels: Pixels
    facts: dict[str, Any]


def plan_chart(rng: Rng, chart_type: str) -> Chart:
    """A chart of a type: names, values of three digits, all different, a style, a place for its legend."""
    style = _style(rng)
    count = 2 if chart_type in ("multi-axes", "box") else int(rng.integers(2, 4 if "numbered" in chart_type else 5))
    rows = int(rng.integers(3, 6 if "numbered" in chart_type or chart_type == "box" else 7))
    if chart_type == "box":
        rows = int(rng.integers(2, 5))
    columns: tuple[str, ...]
    categories, names = some_names(rng, rows, LATIN), some_names(rng, count)
    label, measure = MEASURES[int(rng.integers(len(MEASURES)))]
    labels = (pick(rng, ("Group", "Site", "Category", "Item")), f"{label} ({measure})" if measure else label,
              "Share of all (%)" if chart_type == "multi-axes" else "")  # fmt: skip
    title = pick(rng, tuple(t for t in TITLES if t and not t.startswith("(")))
    size = float(10.0 ** rng.uniform(0.7, 3.3))
    if chart_type == "box":
        row_names = tuple(f"{c}\t{n}" for c in categories for n in names)
        columns, values = STATISTICS, _five_numbers(rng, len(row_names), size)
    else:
        scale = np.array([size, float(rng.uniform(40, 90))]) if chart_type == "multi-axes" else np.full(count, size)
        row_names, columns, values = categories, names, _apart(rng, rows, scale)
    colours = tuple(style.palette[: len(names)])
    chart = Chart(chart_type, row_names, columns, values, names, colours, "", style, title, labels,
                  int(rng.integers(2**31)))  # fmt: skip
    return replace(chart, place=free_places(chart, rng)[0])


def _style(rng: Rng) -> Style:
    """A style of the drawer at the resolution and in the sizes of plotting scripts (ten points and more, where papers
    print eight), with plain numbers."""
    style = choose_style(rng)
    dpi = pick(rng, DPI)
    inches = max(style.size[0] / style.dpi, 6.4), max(style.size[1] / style.dpi, 4.0)
    points = {key: LARGER * value for key, value in style.points.items()}
    size = round(inches[0] * dpi), round(inches[1] * dpi)
    return replace(style, points=points, dpi=dpi, size=size, numbers="plain", language="en")


def _apart(rng: Rng, rows: int, scale: Floats) -> Floats:
    """Values (rows, len(scale)) of three digits, no two alike."""
    while True:
        values = np.array([[_three_digits(s * rng.uniform(0.15, 1.0)) for s in scale] for _ in range(rows)])
        if len(np.unique(values)) == values.size:
            return values


def _three_digits(value: float) -> float:
    return float(f"{value:.3g}")


def _five_numbers(rng: Rng, rows: int, size: float) -> Floats:
    """Five ordered numbers a row, at least 6 % of the size apart."""
    found = []
    for _ in range(rows):
        steps = rng.uniform(0.06, 0.16, 5)
        steps[0] = rng.uniform(0.1, 0.5)
        found.append([_three_digits(size * v) for v in np.cumsum(steps)])
    return np.array(found)


def free_places(chart: Chart, rng: Rng, several: int = 1) -> list[str]:
    """Places of the 3 x 3 grid where the legend hides nothing, in random order; at least `several`, others fill up."""
    order = [PLACES[k] for k in rng.permutation(len(PLACES))]
    if chart.type not in DRAWER:
        return [p for p in order if p in ("upper left", "upper right", "lower left", "lower right")]
    free = []
    for place in order:
        tried = replace(chart, place=place)
        panel = figure_of(tried).panels[0]
        if not covers(chart.style, panel, place, chart.names, 1):
            free.append(place)
    rest = [place for place in order if place not in free]
    return free if len(free) >= several else [*free, *rest[: several - len(free)]]


def figure_of(chart: Chart) -> FigurePlan:
    """The plan of a chart that the drawer can draw."""
    rng = np.random.default_rng(chart.seed)
    series = _series(chart, rng)
    rows = len({one for one in chart.rows}) if chart.type != "box" else len(chart.rows) // len(chart.names)
    texts = chart.rows if chart.type != "box" else tuple(row.split("\t")[0] for row in chart.rows[:: len(chart.names)])
    x = replace(category_axis(texts, chart.labels[0], chart.wide), low=-chart.wide, high=rows - 1 + chart.wide)
    zero = chart.type not in ("line", "line numbered", "box")
    left = [one for one in series if not one.twin]
    below, above = ROOM.get(chart.place.split()[0], (0.0, 0.0)) if chart.place else (0.0, 0.0)
    head = above + (0.1 if "numbered" in chart.type else 0.0)
    y = value_axis(rng, chart.style, left, zero=zero, measure=(chart.labels[1], ""), head=head)
    if not zero and below:
        y = value_axis(np.random.default_rng(chart.seed), chart.style, [*left, _floor(left, below)],
                       measure=(chart.labels[1], ""), head=head)  # fmt: skip
    right = [one for one in series if one.twin]
    y2 = value_axis(rng, chart.style, right, zero=True, measure=(chart.labels[2], ""), head=head) if right else None
    legend = LegendPlan(chart.place, framed=True)
    plan = PanelPlan(DRAWER[chart.type], tuple(series), x, y, y2, legend, chart.title)
    return FigurePlan((upright(plan, chart.style),), 1, 1, chart.style)


def _floor(series: list[SeriesPlan], below: float) -> SeriesPlan:
    """A point that makes room below the data; it is used for the axis alone."""
    values = np.concatenate([one.y for one in series] + [np.array(_ends(one)) for one in series])
    low = float(values.min()) - below * float(np.ptp(values))
    return SeriesPlan("", "line", np.zeros(1), np.array([low]), series[0].look)


def _ends(one: SeriesPlan) -> list[float]:
    return [v for box in one.boxes for v in (box.whisker_low, box.whisker_high)]


def _series(chart: Chart, rng: Rng) -> list[SeriesPlan]:
    count, line = len(chart.names), float(rng.uniform(1.4, 2.6))
    edge = chart.style.ink if rng.random() < 0.25 else None
    marker, marker_pt = pick(rng, ("", "o", "o", "s")), float(rng.uniform(4, 6.5))
    if chart.type == "box":
        return _boxes(chart, rng)
    x = np.arange(len(chart.rows), dtype=np.float64)
    bars = count if chart.type != "multi-axes" else 1
    width = float(rng.uniform(0.6, 0.85)) / bars
    found = []
    for k, (name, colour) in enumerate(zip(chart.names, chart.colours, strict=True)):
        y = chart.values[:, k]
        twin = chart.type == "multi-axes" and k == 1
        if chart.type.startswith("line") or twin:
            look = Look(colour, line_pt=line, marker="o" if twin else marker, marker_pt=marker_pt)
            found.append(SeriesPlan(name, "line", x, y, look, twin=twin, printed=chart.type == "line numbered"))
        else:
            look = Look(colour, edge=edge, line_pt=0.8 if edge else 0.0)
            found.append(SeriesPlan(name, "bar", x, y, look, width=width, offset=(k - (bars - 1) / 2) * width,
                                    printed=chart.type == "bar numbered"))  # fmt: skip
    return found


def _boxes(chart: Chart, rng: Rng) -> list[SeriesPlan]:
    count = len(chart.names)
    x = np.arange(len(chart.rows) // count, dtype=np.float64)
    width, pen = float(rng.uniform(0.5, 0.8)) / count, float(rng.uniform(0.8, 1.4))
    found = []
    for k, (name, colour) in enumerate(zip(chart.names, chart.colours, strict=True)):
        five = chart.values[k::count]
        look = Look(colour, edge=chart.style.ink, line_pt=pen, marker="o")
        found.append(SeriesPlan(name, "box", x, five[:, 2], look, boxes=tuple(_box(v) for v in five),
                                width=width, offset=(k - (count - 1) / 2) * width * 1.1))  # fmt: skip
    return found


def _box(five: Floats) -> BoxStats:
    low, q1, median, q3, high = (float(v) for v in five)
    return BoxStats(low, q1, median, q3, high)


def draw_chart(chart: Chart) -> Picture:
    """Draw a chart; its facts hold the measured box of the legend and, of the drawer's charts, all pixels."""
    if chart.type not in DRAWER:
        from evaluation.draw_round import draw_round

        return Picture(draw_round(chart), {"panels": [_plain_facts(chart)]})
    drawn = draw_figure(figure_of(chart), chart.seed, 0, DRAWER[chart.type])
    return Picture(drawn.pixels, record(drawn))


def _plain_facts(chart: Chart) -> dict[str, Any]:
    style = chart.style
    return {
        "title": chart.title,
        "series": [{"name": n, "color_hex": hexadecimal(c)} for n, c in zip(chart.names, chart.colours, strict=True)],
        "legend": {"position": chart.place, "outside": False},
        "text_styles": {
            region: {"size_px": round(style.points[key] * style.px, 2), "weight": style.weights[key],
                     "family": style.family} for region, key in REGIONS.items()
        },
    }  # fmt: skip
