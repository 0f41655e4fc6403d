"""Readings handed on: to WebPlotDigitizer (a project to finish by hand), to CSV files, to one XLSX workbook.

Works on what `digitize --out` wrote. Pixels are the truth in a WebPlotDigitizer project: every point goes there with
half a pixel added, since its pixel i has its centre at i + 0.5. Not handled here: box plots and histograms in
WebPlotDigitizer projects other than as points, reading them back.
"""

from __future__ import annotations

import io
import json
import math
import re
import tarfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

from tools.load import load
from tools.types import moment

Target = Literal["wpd", "csv", "xlsx"]
HALF = 0.5  # px: the centre of pixel i is i here, i + 0.5 there
LONGEST = 60  # characters of a name inside a tar file that its reader still takes


def readings_in(folder: Path) -> list[Path]:
    """The folders with a `reading.json`: this one, or those in it. Raises ValueError where there is none."""
    found = [folder] if (folder / "reading.json").is_file() else sorted(p.parent for p in folder.glob("*/reading.json"))
    if not found:
        raise ValueError(f"{folder} holds no reading: write one with `plotcaliper digitize FIGURE --out {folder}`")
    return found


def export(folder: Path, to: Target) -> list[Path]:
    """Write the readings below `folder` in another form beside their tables; returns the files.

    `wpd`: `<name>.tar`; `csv`: `panel_N.csv`; `xlsx`: `<name>.xlsx`, a sheet per panel. Raises ValueError where there
    is no reading, or where a project needs a figure that is no longer where it was read.
    """
    written: list[Path] = []
    for place in readings_in(folder):
        reading = json.loads((place / "reading.json").read_text(encoding="utf-8"))
        if to == "csv":
            written += _write_csv(reading, place)
        elif to == "xlsx":
            written.append(_write_book(reading, place))
        else:
            written.append(_write_project(reading, place))
    return written


def _tables(reading: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    return [(n, panel["table"]) for n, panel in enumerate(reading["panels"], 1) if panel["table"]]


def _write_csv(reading: dict[str, Any], place: Path) -> list[Path]:
    import csv

    written = []
    for number, table in _tables(reading):
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(table["header"])
        writer.writerows([cell["text"] for cell in row] for row in table["rows"])
        written.append(place / f"panel_{number}.csv")
        written[-1].write_text(out.getvalue(), encoding="utf-8")
    return written


def _write_book(reading: dict[str, Any], place: Path) -> Path:
    """Numbers as numbers; a second sheet per panel holds the intervals. Text never becomes a formula."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for number, table in _tables(reading):
        values = book.create_sheet(f"panel {number}")
        bounds = book.create_sheet(f"panel {number} intervals")
        for row, cells in enumerate([table["header"], *table["rows"]], 1):
            for column, cell in enumerate(cells, 1):
                _put(values, row, column, cell if isinstance(cell, str) else _plain(cell))
                if not isinstance(cell, str) and "low" in cell:
                    _put(bounds, row, column, f"{cell['low']:.6g} to {cell['high']:.6g}")
                elif row == 1 or column == 1:
                    _put(bounds, row, column, cell if isinstance(cell, str) else _plain(cell))
    if not book.sheetnames:
        book.create_sheet("nothing read")
    path = place / f"{place.name}.xlsx"
    book.save(path)
    return path


def _plain(cell: dict[str, Any]) -> str | float | None:
    value = cell["value"]
    return float(cell["text"]) if isinstance(value, int | float) and _is_number(cell["text"]) else value


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _put(sheet: Any, row: int, column: int, value: str | float | None) -> None:
    cell = sheet.cell(row, column, value)
    if isinstance(value, str):
        cell.data_type = "s"


def _write_project(reading: dict[str, Any], place: Path) -> Path:
    figure = reading["figure"]
    source = Path(figure["source"])
    if not source.is_file():
        raise ValueError(f"the figure of {place} is no longer at {source}: a WebPlotDigitizer project holds it")
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", place.name)[:LONGEST] or "figure"
    content = json.dumps(project(reading), ensure_ascii=True).encode("ascii")
    about = json.dumps({"version": [4, 0], "json": "wpd.json", "images": [f"{name}.png"]}).encode("ascii")
    path = place / f"{place.name}.tar"
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
        folder = tarfile.TarInfo(name)
        folder.type, folder.mode = tarfile.DIRTYPE, 0o755
        tar.addfile(folder)
        for file, data in (("info.json", about), ("wpd.json", content), (f"{name}.png", _png(source, figure["page"]))):
            entry = tarfile.TarInfo(f"{name}/{file}")
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return path


def _png(source: Path, page: int) -> bytes:
    """The figure as it was measured: upright, on white, a PDF page at its fixed resolution."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(load(source, page).pixels).save(out, "PNG")
    return out.getvalue()


def project(reading: dict[str, Any]) -> dict[str, Any]:
    """The `wpd.json` of a reading: axes per panel and value side, a dataset per series, pixels as the truth."""
    axes: list[dict[str, Any]] = []
    datasets: list[dict[str, Any]] = []
    for number, panel in enumerate(reading["panels"], 1):
        sides = {axis["side"]: axis for axis in panel["axes"]}
        across = sides.get("bottom") or sides.get("top")
        for k, one in enumerate(panel["series"], 1):
            value = sides.get(one["axis"])
            up = value if one["axis"] in ("left", "right") else sides.get("left") or sides.get("right")
            if across is None or up is None:
                continue
            name = f"panel {number} {up['side']}"
            if all(found["name"] != name for found in axes):
                axes.append({"name": name, **_axes(across, up, panel["plot"])})
            datasets.append(_dataset(one, f"panel {number}: {one['name'] or f'series {k}'}", name, across, up))
    return {"version": [4, 2], "axesColl": axes, "datasetColl": _named_apart(datasets), "measurementColl": []}


def _named_apart(datasets: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Datasets whose names differ: its reader joins on them."""
    seen: dict[str, int] = {}
    found = []
    for one in datasets:
        seen[one["name"]] = seen.get(one["name"], 0) + 1
        again = seen[one["name"]]
        found.append(one | {"name": one["name"] if again == 1 else f"{one['name']} ({again})"})
    return found


def _axes(across: dict[str, Any], up: dict[str, Any], plot: Sequence[float]) -> dict[str, Any]:
    """XY axes, or bar axes where one of the two is a category axis; calibrated at the outermost anchors."""
    x_ends, y_ends = _ends(across, plot[0], plot[2]), _ends(up, plot[1], plot[3])
    if "category" in (across["scale"], up["scale"]):
        rotated = up["scale"] == "category"
        axis, ends = (across, x_ends) if rotated else (up, y_ends)
        points = [_bar_point(axis, pixel, plot, rotated) for pixel in ends]
        return {"type": "BarAxes", "isLog": axis["scale"] == "log", "isRotated": False, "calibrationPoints": points}
    points = [{"px": x + HALF, "py": plot[3] + HALF, "dx": _text(across, x), "dy": None, "dz": None} for x in x_ends]
    points += [{"px": plot[0] + HALF, "py": y + HALF, "dx": None, "dy": _text(up, y), "dz": None} for y in y_ends]
    return {"type": "XYAxes", "isLogX": across["scale"] == "log", "isLogY": up["scale"] == "log", "noRotation": True,
            "calibrationPoints": points}  # fmt: skip


def _bar_point(axis: dict[str, Any], pixel: float, plot: Sequence[float], rotated: bool) -> dict[str, Any]:
    px, py = (pixel, plot[3]) if rotated else (plot[0], pixel)
    return {"px": px + HALF, "py": py + HALF, "dx": None, "dy": _text(axis, pixel), "dz": None}


def _ends(axis: dict[str, Any], first: float, last: float) -> tuple[float, float]:
    """Two pixels far apart to calibrate at: the outermost anchors, else the ends of the plot."""
    pixels = sorted(anchor["pixel"] for anchor in axis["anchors"])
    return (pixels[0], pixels[-1]) if len(pixels) > 1 and pixels[-1] - pixels[0] > 1 else (first, last)


def _text(axis: dict[str, Any], pixel: float) -> str:
    """The value at a pixel as its reader understands it: ASCII, a dot, `1e-3`, dates as 2020/01/31 12:00:00."""
    units = pixel * axis["slope"] + axis["intercept"]
    if axis["scale"] == "date":
        return moment(units).strftime("%Y/%m/%d %H:%M:%S")
    return f"{10.0**units if axis['scale'] == 'log' else units:.10g}"


def _dataset(one: dict[str, Any], name: str, axes: str, across: dict[str, Any], up: dict[str, Any]) -> dict[str, Any]:
    rows = list(_grouped(one["points"]))
    spread = any(len(row) > 1 for row in rows)
    labelled = next((axis for axis in (across, up) if axis["scale"] == "category"), None)
    data: list[dict[str, Any]] = []
    for number, row in enumerate(rows):
        for mark in row:
            point: dict[str, Any] = {"x": mark["x"] + HALF, "y": mark["y"] + HALF}
            if labelled is not None:
                point["metadata"] = {"label": _label(labelled, mark["x" if labelled is across else "y"])}
            if spread:
                group = {"high": 1, "low": 2}.get(mark["part"], 0)
                point |= {"tuple": number, "group": group}
            data.append(point)
    colour = [int(one["colour"][i : i + 2], 16) for i in (1, 3, 5)]
    found = {"name": name, "axesName": axes, "colorRGB": [*colour, 255], "data": data, "autoDetectionData": None,
             "metadataKeys": ["label"] if labelled is not None else []}  # fmt: skip
    return found | ({"groupNames": ["mean", "upper", "lower"]} if spread else {})


def _grouped(points: Iterable[dict[str, Any]]) -> Iterable[list[dict[str, Any]]]:
    """Each data point with the ends of its error bar, which follow it."""
    row: list[dict[str, Any]] = []
    for mark in points:
        if mark["part"] in ("low", "high") and row:
            row.append(mark)
            continue
        if row:
            yield row
        row = [mark]
    if row:
        yield row


def _label(axis: dict[str, Any], pixel: float) -> str:
    slot = round(pixel * axis["slope"] + axis["intercept"])
    names = axis.get("categories", [])
    return str(names[slot]) if 0 <= slot < len(names) else ""
