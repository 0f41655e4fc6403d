"""Hand-over: what other programs get from a reading."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from agent.export import export, project


def axis(side: str, slope: float, intercept: float, scale: str = "linear", **rest: Any) -> dict[str, Any]:
    ends = [{"pixel": p, "value": 0.0, "text": "", "seat": "tick"} for p in (10.0, 90.0)]
    return {"side": side, "scale": scale, "slope": slope, "intercept": intercept, "anchors": ends, **rest}


def mark(part: str, x: float, y: float) -> dict[str, Any]:
    return {"part": part, "x": x, "y": y, "sigma": 0.5}


def reading(source: Path, axes: list[dict[str, Any]], points: list[dict[str, Any]]) -> dict[str, Any]:
    series = {"name": "a", "colour": "#102030", "axis": "left", "points": points}
    cells = [[{"value": 1.0, "text": "1"}, {"value": 2.5, "text": "2.5", "low": 2.4, "high": 2.6}],
             [{"value": "=1+1", "text": "=1+1"}, {"value": None, "text": "nan"}]]  # fmt: skip
    panel = {"plot": [10.0, 5.0, 90.0, 85.0], "axes": axes, "series": [series, dict(series)],
             "table": {"header": ["x", "a, b"], "rows": cells}}  # fmt: skip
    return {"figure": {"source": str(source), "page": 1}, "panels": [panel]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    figure = tmp_path / "fig.png"
    Image.fromarray(np.full((100, 120, 3), 255, np.uint8)).save(figure)
    place = tmp_path / "out" / "fig"
    place.mkdir(parents=True)
    axes = [axis("bottom", 1.0, -10.0), axis("left", -0.025, 3.25, "log")]
    points = [mark("marker", 20.0, 50.0), mark("low", 20.0, 60.0), mark("high", 20.0, 40.0), mark("marker", 30.0, 30.0)]
    (place / "reading.json").write_text(json.dumps(reading(figure, axes, points)), encoding="utf-8")
    return tmp_path / "out"


def test_a_project_holds_pixels_half_a_pixel_on_and_values_as_text(folder: Path) -> None:
    (path,) = export(folder, "wpd")
    with tarfile.open(path) as tar:
        names = tar.getnames()
        whole = json.load(tar.extractfile("fig/wpd.json"))  # type: ignore[arg-type]
    assert names == ["fig", "fig/info.json", "fig/wpd.json", "fig/fig.png"]
    (axes,) = whole["axesColl"]
    assert (axes["type"], axes["isLogX"], axes["isLogY"]) == ("XYAxes", False, True)
    x1, x2, y1, y2 = axes["calibrationPoints"]
    assert (x1["px"], x1["dx"], x2["dx"]) == (10.5, "0", "80")
    assert (y1["py"], y1["dy"], y2["dy"]) == (10.5, "1000", "10")
    first, second = whole["datasetColl"]
    assert (first["name"], second["name"]) == ("panel 1: a", "panel 1: a (2)")
    assert first["groupNames"] == ["mean", "upper", "lower"]
    assert [(p["x"], p["y"], p["tuple"], p["group"]) for p in first["data"]] == [
        (20.5, 50.5, 0, 0), (20.5, 60.5, 0, 2), (20.5, 40.5, 0, 1), (30.5, 30.5, 1, 0)
    ]  # fmt: skip


def test_bars_get_bar_axes_and_labels_in_every_point() -> None:
    axes = [axis("bottom", 0.05, -0.5, "category", categories=["ctrl", "drug"]), axis("left", -1.0, 85.0)]
    whole = project(reading(Path("fig.png"), axes, [mark("bar", 10.0, 40.0), mark("bar", 30.0, 60.0)]))
    (found,) = whole["axesColl"]
    assert found["type"] == "BarAxes"
    assert [point["dy"] for point in found["calibrationPoints"]] == ["75", "-5"]
    assert [p["metadata"]["label"] for p in whole["datasetColl"][0]["data"]] == ["ctrl", "drug"]
    assert whole["datasetColl"][0]["metadataKeys"] == ["label"]


def test_dates_are_written_as_its_parser_wants_them() -> None:
    axes = [axis("bottom", 1.0, 18252.0, "date"), axis("left", -1.0, 85.0)]
    whole = project(reading(Path("fig.png"), axes, [mark("vertex", 20.0, 50.0)]))
    assert whole["axesColl"][0]["calibrationPoints"][0]["dx"] == "2020/01/01 00:00:00"


def test_a_book_holds_numbers_as_numbers_and_no_formulas(folder: Path) -> None:
    from openpyxl import load_workbook

    (path,) = export(folder, "xlsx")
    book = load_workbook(path)
    sheet = book["panel 1"]
    assert (sheet["A2"].value, sheet["B2"].value, sheet["B3"].value) == (1, 2.5, None)
    assert (sheet["A3"].value, sheet["A3"].data_type) == ("=1+1", "s")
    assert book["panel 1 intervals"]["B2"].value == "2.4 to 2.6"


def test_csv_quotes_names_with_commas(folder: Path) -> None:
    (path,) = export(folder, "csv")
    assert path.read_text(encoding="utf-8").splitlines() == ['x,"a, b"', "1,2.5", "=1+1,nan"]


def test_a_folder_without_a_reading_and_a_figure_that_has_gone(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="holds no reading"):
        export(tmp_path / "empty", "csv")
    (tmp_path / "fig.png").unlink()
    with pytest.raises(ValueError, match="no longer at"):
        export(folder, "wpd")
