"""The cases drawn from Python: matplotlib, Vega-Lite, plotly (where a browser is), and LibreOffice through a workbook.

Not handled here: D3, which runs in a page (`vector_d3` writes what it makes), and programs of their own.
"""
# ruff: noqa: B023 (every mark is drawn within its turn of the loop)

from __future__ import annotations

import importlib.util
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.tools.vector_cases import Case
from tests.tools.vector_programs import COLOURS, run
from tools.types import Floats


def matplotlib(folder: Path, chosen: Sequence[Case]) -> None:
    """`matplotlib-<case>.pdf`; `.svg` with its text as outlines (the default) or, for every other case, as text."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    for k, case in enumerate(chosen):
        fig = Figure(figsize=(6.4, 4.4), layout="constrained")
        FigureCanvasAgg(fig)
        _on_axes(case, fig.add_subplot())
        if case.dated:
            fig.autofmt_xdate()
        with mpl.rc_context({"svg.fonttype": ("path", "none")[k % 2], "pdf.fonttype": (3, 42)[k % 2]}):
            for form in ("pdf", "svg"):
                fig.savefig(folder / f"matplotlib-{case.name}.{form}")


def _on_axes(case: Case, ax: Any) -> None:
    x: Any = np.array(case.x, dtype="datetime64[D]") if case.dated else list(case.x)
    ax.set_xlabel(case.x_label)
    ax.set_ylabel(case.y_label)
    below = np.zeros(len(case.x))
    for k, (name, y) in enumerate(case.series.items()):
        colour = COLOURS[k]
        place = np.arange(len(case.x)) + 0.4 * (k - (len(case.series) - 1) / 2)
        draw: dict[str, Callable[[], object]] = {
            "lines": lambda: ax.plot(x, y, label=name),
            "markers": lambda: ax.plot(x, y, "os"[k] + "-", label=name),
            "dashes": lambda: ax.plot(x, y, ("-", "--", ":")[k], color="k", label=name),
            "step": lambda: ax.step(x, y, where="post", label=name),
            "bars": lambda: ax.bar(x if case.dated else place, y, 0.4 if len(case.series) > 1 else 0.8, label=name),
            "stack": lambda: ax.bar(x, y, 6, bottom=below.copy(), color=colour, label=name),
            "sideways": lambda: ax.barh(x, y),
            "points": lambda: ax.scatter(x, y, label=name, marker="o^"[k]),
            "area": lambda: ax.fill_between(x, below.copy(), below + y, color=colour, label=name),
            "errors": lambda: ax.errorbar(x, y, case.spread[name], fmt="o-", capsize=3, label=name),
            "band": lambda: (ax.plot(x, y), ax.fill_between(x, *_around(case, name), alpha=0.3)),
            "twin": lambda: (ax.plot(x, y, color=colour, label=name) if k == 0
                             else _right(ax).plot(x, y, "o-", color=colour, label=name)),
            "bins": lambda: ax.hist(x, bins=case.bins, weights=y, edgecolor="white"),
        }  # fmt: skip
        draw[case.style]()
        below = below + y
    if case.named and case.style == "bars":
        ax.set_xticks(range(len(x)), x)
    if case.style == "sideways":
        ax.invert_yaxis()
    if case.log:
        ax.set_yscale("log")
    if case.style == "band":
        ax.set_xscale("log")
    if len(case.series) > 1 and case.style != "twin":
        ax.legend()


def _around(case: Case, name: str) -> tuple[Floats, Floats]:
    return case.series[name] - case.spread[name], case.series[name] + case.spread[name]


def _right(ax: Any) -> Any:
    ax.set_ylabel("rainfall")
    other = ax.twinx()
    other.set_ylabel("yield")
    return other


def vega(folder: Path, chosen: Sequence[Case]) -> None:
    """`vega-<case>.svg` and `.pdf`, where vl-convert is installed."""
    if importlib.util.find_spec("vl_convert") is None:
        return
    import vl_convert

    for case in chosen:
        spec = _vega_spec(case)
        if spec:
            svg = vl_convert.vegalite_to_svg(json.dumps(spec))
            (folder / f"vega-{case.name}.svg").write_text(svg, encoding="utf-8")
            (folder / f"vega-{case.name}.pdf").write_bytes(vl_convert.vegalite_to_pdf(json.dumps(spec)))


VEGA_MARKS: dict[str, Any] = {
    "lines": "line", "markers": {"type": "line", "point": True}, "dashes": "line", "bars": "bar", "stack": "bar",
    "step": {"type": "line", "interpolate": "step-after"}, "sideways": "bar", "points": "point", "area": "area",
    "bins": "bar",
}  # fmt: skip


def _vega_spec(case: Case) -> dict[str, Any]:
    if case.style not in VEGA_MARKS:
        return {}
    rows: list[dict[str, Any]] = []
    for name, values in case.series.items():
        rows += [{"x": x, "y": float(y), "series": name} for x, y in zip(case.x, values, strict=True)]
    across, along = _vega_axes(case)
    encoding = {"y": across, "x": along} if case.style == "sideways" else {"x": across, "y": along}
    if case.style == "bins":
        step = case.bins[1] - case.bins[0]
        for row in rows:
            row.update(low=row["x"] - step / 2, high=row["x"] + step / 2)
        encoding["x"] = {"field": "low", "bin": {"binned": True, "step": step}, "title": case.x_label,
                         "axis": {"values": [-3, -2, -1, 0, 1, 2, 3]}}  # fmt: skip
        encoding["x2"] = {"field": "high"}
    if len(case.series) > 1:
        channel = "strokeDash" if case.style == "dashes" else "color"
        encoding[channel] = {"field": "series", "type": "nominal", "sort": None, "title": None}
        if case.style == "bars":
            encoding["xOffset"] = {"field": "series", "sort": None}
    mark = VEGA_MARKS[case.style]
    return {"width": 420, "height": 260, "data": {"values": rows}, "mark": mark, "encoding": encoding}


def _vega_axes(case: Case) -> tuple[dict[str, Any], dict[str, Any]]:
    """The channels of x and of the values."""
    kind = "temporal" if case.dated else "nominal" if case.named else "quantitative"
    across: dict[str, Any] = {"field": "x", "type": kind, "title": case.x_label, "sort": None}
    along: dict[str, Any] = {"field": "y", "type": "quantitative", "title": case.y_label}
    if case.name == "area":
        across["axis"] = {"format": "d"}
    if case.style in ("lines", "dashes", "points", "step"):
        along["scale"] = {"zero": False}
        across |= {} if case.dated else {"scale": {"zero": False}}
    if case.dated:
        across["axis"] = {"format": "%Y-%m-%d", "labelAngle": -45}
    if case.log:
        along["scale"] = {"type": "log"}
    return across, along


def plotly(folder: Path, chosen: Sequence[Case]) -> None:
    """`plotly-<case>.svg` and `.pdf`, where plotly, kaleido and a browser are installed."""
    if any(importlib.util.find_spec(name) is None for name in ("plotly", "kaleido")):
        return
    import plotly.graph_objects as go

    figures, paths = [], []
    for case in (one for one in chosen if one.style != "band"):
        fig = go.Figure(layout={"width": 700, "height": 480, "xaxis_title": case.x_label, "yaxis_title": case.y_label})
        for k, (name, y) in enumerate(case.series.items()):
            _add_trace(go, fig, case, k, name, y)
        if case.log:
            fig.update_yaxes(type="log")
        if case.style == "twin":
            fig.update_layout(yaxis2={"overlaying": "y", "side": "right", "title": "yield"}, yaxis_title="rainfall")
        for form in ("pdf", "svg"):
            figures.append(fig)
            paths.append(folder / f"plotly-{case.name}.{form}")
    try:
        import plotly.io

        plotly.io.write_images(figures, paths)
    except Exception as problem:  # without a browser there is nothing to measure
        print(f"plotly draws nothing here: {' '.join(str(problem).split())[:120]}")


def _add_trace(go: Any, fig: Any, case: Case, k: int, name: str, y: Floats) -> None:
    x = list(case.x)
    spread = {"type": "data", "array": case.spread[name]} if name in case.spread else None
    bar = {"name": name, "orientation": "h" if case.style == "sideways" else "v"}
    if case.style in ("bars", "stack", "sideways", "bins"):
        fig.add_trace(go.Bar(x=y if case.style == "sideways" else x, y=x if case.style == "sideways" else y, **bar))
        if case.style == "sideways":
            fig.update_yaxes(autorange="reversed")
        fig.update_layout(barmode="stack" if case.style == "stack" else "group",
                          bargap=0.0 if case.style == "bins" else 0.2)  # fmt: skip
        return
    options: dict[str, Any] = {"mode": "lines", "name": name}
    if case.style == "area":
        options["stackgroup"] = "one"
    if case.style == "twin" and k == 1:
        options["yaxis"] = "y2"
    if case.style in ("markers", "errors"):
        options["mode"] = "lines+markers"
    if case.style == "points":
        options["mode"] = "markers"
    if case.style == "step":
        options["line"] = {"shape": "hv"}
    if case.style == "dashes":
        options["line"] = {"dash": ("solid", "dash", "dot")[k], "color": "black"}
    fig.add_trace(go.Scatter(x=x, y=y, error_y=spread, **options))


def libreoffice(folder: Path, chosen: Sequence[Case]) -> None:
    """`libreoffice-<case>.pdf`: a workbook whose chart stands on a sheet of its own, as spreadsheets print it."""
    if importlib.util.find_spec("openpyxl") is None:
        return
    for case in chosen:
        if case.style in ("errors", "band", "twin", "bins", "step", "stack") or case.log:
            continue
        path = folder / f"libreoffice-{case.name}.xlsx"
        path.write_bytes(_workbook(case))
        run(["soffice", "--headless", "--convert-to", "pdf", "--outdir", str(folder), str(path)], folder)


def _workbook(case: Case) -> bytes:
    from openpyxl import Workbook
    from openpyxl.chart import AreaChart, BarChart, LineChart, Reference, ScatterChart, Series

    book = Workbook()
    sheet = book.active
    sheet.append(["x", *case.series])
    for row in zip(case.x, *(values.tolist() for values in case.series.values()), strict=True):
        sheet.append(list(row))
    last, wide = len(case.x) + 1, len(case.series) + 1
    chart: Any
    if case.style in ("bars", "sideways"):
        chart = BarChart()
        chart.type = "bar" if case.style == "sideways" else "col"
        if case.style == "sideways":
            chart.x_axis.scaling.orientation = "maxMin"
    elif case.style == "area":
        chart = AreaChart()
        chart.grouping = "stacked"
    elif case.dated:
        chart = LineChart()
    else:
        chart = ScatterChart()
        chart.style = 13
    chart.x_axis.title, chart.y_axis.title = case.x_label, case.y_label
    chart.x_axis.delete = chart.y_axis.delete = False
    keys = Reference(sheet, min_col=1, min_row=2, max_row=last)
    if isinstance(chart, ScatterChart):
        for column in range(2, wide + 1):
            one = Series(Reference(sheet, min_col=column, min_row=1, max_row=last), keys, title_from_data=True)
            if case.style == "points":
                one.graphicalProperties.line.noFill = True
                one.marker.symbol = "circle"
                one.marker.graphicalProperties.solidFill = COLOURS[column - 2].lstrip("#")  # else they are white
            else:
                one.smooth = False
            chart.series.append(one)
    else:
        chart.add_data(Reference(sheet, min_col=2, max_col=wide, min_row=1, max_row=last), titles_from_data=True)
        chart.set_categories(keys)
    chart.width, chart.height = 14, 9  # cm: it fits on a printed page
    chart.x_axis.tickLblPos = "low"
    book.create_sheet("chart").add_chart(chart, "A1")
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
