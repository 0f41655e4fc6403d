"""What differs between two figures: on readings written by hand, on drawn ones, on the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from PIL import Image
from typer.testing import CliRunner

from agent.cli_diff import diff as command
from agent.diffing import diff_json, name_pairs, pair_json, row_pairs
from agent.grounding import groundings, legend_place, tables_of
from tools.types import Anchor, Axis, Box, Legend, LegendEntry, Panel


def reading(values: dict[str, list[float]], rows: list[str], half: float = 0.2, **more: Any) -> dict[str, Any]:
    """A reading of one panel with a table and a legend."""
    cells = [
        [{"value": row, "text": row, "status": "read"}]
        + [{"value": v[k], "text": f"{v[k]:g}", "status": "read", "low": v[k] - half, "high": v[k] + half}
           for v in values.values()]
        for k, row in enumerate(rows)
    ]  # fmt: skip
    colours = more.get("colours", ["#1f77b4", "#ff7f0e", "#2ca02c"])
    series = [{"name": n, "colour": c, "kind": "bar"} for n, c in zip(values, colours, strict=False)]
    return {"refusals": [], "panels": [{
        "title": "", "table": {"header": ["x", *values], "rows": cells, "form": "wide", "title": ""}, "reason": "",
        "series": series, "legend": {"place": more.get("place", "upper left"), "entries": []},
        "text": more.get("text", {}),
    }]}  # fmt: skip


ROWS = ["Oats", "Barley", "Rye"]
PLAIN = {"North": [10.0, 20.0, 30.0], "Coast": [15.0, 5.0, 25.0]}


def test_a_figure_is_like_itself() -> None:
    found = diff_json(reading(PLAIN, ROWS), reading(PLAIN, ROWS))
    assert found.same
    assert found.to_json()["cells"] == ()


def test_a_cell_differs_where_each_value_is_outside_of_the_others_interval() -> None:
    other = {"North": [10.3, 20.0, 34.0], "Coast": [15.0, 5.1, 25.0]}
    found = diff_json(reading(PLAIN, ROWS), reading(other, ROWS))
    assert [(c.row, c.column, c.a, c.b) for c in found.cells] == [("Rye", "North", 30.0, 34.0)]
    assert not diff_json(reading(PLAIN, ROWS, 5.0), reading(other, ROWS)).cells


def test_a_name_that_was_misread_or_not_read_hides_no_change() -> None:
    other = reading({"Nortn": [10.0, 20.0, 34.0], "Coast": [15.0, 5.0, 25.0]}, ["Oats", "Barley", "nan"])
    found = diff_json(reading(PLAIN, ROWS), other)
    assert [(c.row, c.column) for c in found.cells] == [("Rye", "North")]
    assert not found.only_a
    assert not found.only_b


def test_series_rows_and_panels_of_one_figure_alone_are_named() -> None:
    fewer = reading({"North": [10.0, 20.0]}, ROWS[:2])
    found = diff_json(reading(PLAIN, ROWS), fewer)
    assert found.only_a == ("panel 1: series Coast", "panel 1: row Rye")
    assert diff_json({"panels": []}, fewer).only_b == ("panel 1",)


def test_colours_places_and_text_styles_are_compared() -> None:
    text = {"title": {"size_px": 16.0, "weight": "normal", "family": None, "reasons": {"family": "too few letters"}}}
    bold = {"title": {"size_px": 16.9, "weight": "bold", "family": "serif"}}
    found = diff_json(reading(PLAIN, ROWS, text=text),
                      reading(PLAIN, ROWS, colours=["#1f77b4", "#d62728"], place="center", text=bold))  # fmt: skip
    assert [(c.name, c.a, c.b) for c in found.colours] == [("Coast", "#ff7f0e", "#d62728")]
    assert [(c.a, c.b) for c in found.legend] == [("upper left", "center")]
    assert [(c.name, c.a, c.b) for c in found.texts] == [("title weight", "normal", "bold")]
    assert any("too few letters" in doubt for doubt in found.doubts)


def test_rows_pair_by_number_by_day_and_by_name() -> None:
    assert row_pairs([1.0, 2.0, 3.0], [1.1, 3.0]) == [(0, 0), (2, 1)]
    assert row_pairs(["Oats", "Rye"], ["Rye", "Oats"]) == [(0, 1), (1, 0)]
    assert name_pairs(["series 1", "b"], ["a", "b"]) == [(0, 0), (1, 1)]
    assert name_pairs(["x", "y"], ["a", "b"]) == []


def panel(box: Box, anchors: tuple[float, ...] = ()) -> Panel:
    entry = LegendEntry("North", (0, 0, 0), swatch=box, box=box)
    axis = Axis("left", "linear", -1.0, 0.0, tuple(Anchor(p, 0.0, "") for p in anchors))
    plot = Box(100, 100, 500, 400)
    return Panel(Box(0, 0, 520, 440), plot, axes=(axis,), legend=Legend((entry,), box))


@pytest.mark.parametrize(("row", "up"), [("upper", 110), ("center", 230), ("lower", 350)])
@pytest.mark.parametrize(("column", "left"), [("left", 110), ("center", 250), ("right", 390)])
def test_a_legend_stands_at_one_of_nine_places(row: str, up: float, column: str, left: float) -> None:
    found = legend_place(panel(Box(left, up, left + 100, up + 40)))
    assert found == " ".join(dict.fromkeys((row, column)))


def test_a_legend_beside_the_plot_is_outside_but_not_one_in_the_room_above_the_last_tick() -> None:
    assert legend_place(panel(Box(510, 200, 600, 260))) == "outside right"
    above = Box(110, 40, 200, 90)
    assert legend_place(panel(above)) == "outside top"
    assert legend_place(panel(above, (400.0, 300.0, 200.0, 100.0))) == "upper left"
    assert legend_place(replace(panel(above), legend=Legend())) == "none"


def test_tables_come_back_from_what_a_reading_wrote_and_answer_questions() -> None:
    data = reading(PLAIN, ROWS)
    ((_, table),) = tables_of(data)
    assert table.to_tsv().splitlines()[1] == "Oats\t10\t15"
    assert len(groundings(data)[0].cells) == 6
    said = pair_json(data, data, ["What is the value of Coast for Rye?", "Which item has the highest value of North?"])
    assert said["stages"] == 2
    assert said["answers"][0]["value"] == 25.0
    assert said["answers"][1]["at"] == "Rye"


@pytest.fixture
def app() -> typer.Typer:
    found = typer.Typer()
    found.command()(command)
    return found


def drawn(path: Path, high: float, colour: tuple[int, int, int]) -> Path:
    """Three bars of one colour, the middle one as high as asked for."""
    from evaluation.draw import draw_figure
    from evaluation.draw_chartab import figure_of, plan_chart

    chart = plan_chart(np.random.default_rng(3), "bar")
    white, points = (255, 255, 255), dict.fromkeys(chart.style.points, 11.0)
    style = replace(chart.style, theme="classic", family="DejaVu Sans", dpi=120, size=(900, 560), grid=None,
                    paper=white, plot=white, ink=(0, 0, 0), tick_direction="out", points=points,
                    spines=("left", "bottom", "right", "top"))  # fmt: skip
    values = np.array([[30.0, 42.0], [high, 25.0], [55.0, 61.0]])
    chart = replace(chart, rows=("Oats", "Barley", "Rye"), columns=("North", "Coast"), names=("North", "Coast"),
                    values=values, colours=(colour, (214, 39, 40)), place="upper left", style=style)  # fmt: skip
    Image.fromarray(draw_figure(figure_of(chart), 1, 0, "bar_grouped").pixels).save(path)
    return path


def test_the_command_tells_what_changed_and_exits_by_it(tmp_path: Path, app: typer.Typer) -> None:
    a = drawn(tmp_path / "a.png", 20.0, (31, 119, 180))
    b = drawn(tmp_path / "b.png", 35.0, (44, 160, 44))
    run = CliRunner().invoke(app, [str(a), str(b), "--json"])
    assert run.exit_code == 1
    said = json.loads(run.stdout)
    assert [(c["row"], c["column"]) for c in said["cells"]] == [("Barley", "North")]
    assert abs(said["cells"][0]["b"] - 35) < 1
    assert [c["name"] for c in said["colours"]] == ["North"]
    assert not said["legend"]
    same = CliRunner().invoke(app, [str(a), str(a)])
    assert same.exit_code == 0
    assert "no difference" in same.stdout


def test_a_file_that_is_no_figure_is_wrong_use(tmp_path: Path, app: typer.Typer) -> None:
    (tmp_path / "a.png").write_text("no picture")
    run = CliRunner().invoke(app, [str(tmp_path / "a.png"), str(tmp_path / "b.png")])
    assert run.exit_code == 2
    assert "Traceback" not in run.output


def test_a_legend_outside_has_a_place_on_the_figure() -> None:
    data = reading(PLAIN, ROWS, place="outside bottom")
    data["figure"] = {"width": 600, "height": 400}
    data["panels"][0]["legend"]["box"] = [5, 330, 120, 390]
    assert pair_json(data, data)["a"]["place"] == "lower left"
    assert groundings(data)[0].place == "outside bottom"
