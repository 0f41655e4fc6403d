"""The checker on readings made by hand: each fault at its place, and no accusation without a sure difference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agent import Verdict, check
from agent.check_report import as_text, overlay, page, verdict_json
from agent.source_tables import UnreadableTable
from tests.agent.hand_readings import bar_reading, line_reading

GROUPS = ["Control", "Low", "Middle", "High", "Highest"]
BARS = {"Wild type": [20.0, 35.0, 50.0, 64.0, 81.0], "Mutant": [18.0, 22.0, 30.0, 41.0, 47.0]}
TIMES = [float(t) for t in range(0, 22, 2)]
LINES = {
    "Alpha": [10.0, 14.0, 25.0, 41.0, 60.0, 74.0, 80.0, 83.0, 70.0, 52.0, 40.0],
    "Beta": [70.0, 66.0, 58.0, 49.0, 35.0, 30.0, 22.0, 15.0, 12.0, 20.0, 33.0],
}


def bar_table(**changed: list[float]) -> pd.DataFrame:
    return pd.DataFrame({"Group": GROUPS, **{name: list(v) for name, v in BARS.items()}, **changed})


def line_table(**changed: list[float]) -> pd.DataFrame:
    return pd.DataFrame({"Time": TIMES, **LINES, **changed})


def kinds(verdict: Verdict) -> list[str]:
    return [finding.kind for finding in verdict.discrepancies]


@pytest.mark.parametrize("horizontal", [False, True])
def test_bars_that_agree_and_one_cell_that_does_not(horizontal: bool) -> None:
    reading = bar_reading(GROUPS, BARS, horizontal=horizontal)
    same = check(reading, bar_table())
    assert (same.verdict, same.exit_code, same.findings) == ("match", 0, [])
    wrong = check(reading, bar_table(Mutant=[18.0, 22.0, 42.0, 41.0, 47.0]))
    assert (wrong.verdict, wrong.exit_code) == ("mismatch", 1)
    (finding,) = wrong.discrepancies
    assert (finding.kind, finding.series, finding.x, finding.severity) == (
        "value differs",
        "Mutant",
        "Middle",
        "medium",
    )
    assert finding.figure == pytest.approx(30.0, abs=0.5)
    assert finding.table == 42.0
    assert finding.low is not None and finding.high is not None and finding.low < 30 < finding.high  # noqa: PT018
    assert finding.share == pytest.approx(0.12, abs=0.005)
    assert finding.percent == pytest.approx(-28.6, abs=1)
    assert finding.intervals is not None and finding.intervals > 10  # noqa: PT018


def test_the_tolerance_is_a_share_of_the_axis() -> None:
    reading, table = bar_reading(GROUPS, BARS), bar_table(Mutant=[18.0, 22.0, 34.0, 41.0, 47.0])
    assert check(reading, table).verdict == "match"
    assert check(reading, table, tolerance=0.03).verdict == "mismatch"
    with pytest.raises(ValueError, match="share of the axis range"):
        check(reading, table, tolerance=5)


def test_a_difference_within_the_interval_is_reading_error() -> None:
    from dataclasses import replace

    reading = bar_reading(GROUPS, BARS)
    panel = reading.panels[0]
    blurred = tuple(replace(one, marks=tuple(replace(m, sigma=12.0) for m in one.marks)) for one in panel.series)
    unsharp = replace(reading, panels=(replace(panel, series=blurred),))
    verdict = check(unsharp, bar_table(Mutant=[18.0, 22.0, 36.5, 41.0, 47.0]))
    assert not verdict.discrepancies
    assert verdict.panels[0].tally.within_error == 1


def test_lines_of_other_x_are_read_between_their_vertices() -> None:
    between = pd.DataFrame({"Time": [1.0, 3.0, 5.0, 7.0, 9.0], "Alpha": [12.0, 19.5, 33.0, 50.5, 67.0]})
    assert check(line_reading(TIMES, {"Alpha": LINES["Alpha"]}), between).verdict == "match"


def test_names_exchanged_are_one_finding_of_both() -> None:
    table = line_table(Alpha=LINES["Beta"], Beta=LINES["Alpha"])
    verdict = check(line_reading(TIMES, LINES), table)
    assert kinds(verdict) == ["series swapped"]
    assert {"Alpha", "Beta"} <= set(verdict.discrepancies[0].series.split(", "))


def test_a_column_that_is_not_drawn_and_a_line_that_has_no_column() -> None:
    reading = line_reading(TIMES, LINES)
    extra = check(reading, line_table(Gamma=[90.0 - v for v in LINES["Alpha"]]))
    assert [(f.kind, f.series) for f in extra.discrepancies] == [("series missing in the figure", "Gamma")]
    gone = check(reading, line_table().drop(columns="Beta"))
    assert [(f.kind, f.series) for f in gone.discrepancies] == [("series missing in the table", "Beta")]


@pytest.mark.parametrize("name", ["n", "Alpha SD", "p value"])
def test_nobody_misses_a_count_or_an_error(name: str) -> None:
    assert check(line_reading(TIMES, LINES), line_table(**{name: [5.0] * 11})).verdict == "match"


@pytest.mark.parametrize(
    ("times", "kind"), [(1000.0, "scale or unit factor"), (0.001, "scale or unit factor"), (-1.0, "sign")]
)
def test_one_factor_explains_a_whole_series(times: float, kind: str) -> None:
    table = pd.DataFrame({"Time": TIMES, "Alpha": [v * times for v in LINES["Alpha"]]})
    verdict = check(line_reading(TIMES, {"Alpha": LINES["Alpha"]}, low=-100.0), table)
    assert kinds(verdict) == [kind]


def test_a_unit_in_the_label_explains_a_factor() -> None:
    table = pd.DataFrame({"Time": TIMES, "Cases": [1000 * v for v in LINES["Alpha"]]})
    named = check(line_reading(TIMES, {"": LINES["Alpha"]}, label="Cases (thousands)"), table)
    assert named.verdict == "match"
    assert check(line_reading(TIMES, {"": LINES["Alpha"]}, label="Cases"), table).verdict == "mismatch"


def test_logarithms_where_the_figure_has_none() -> None:
    logs = pd.DataFrame({"Time": TIMES, "Alpha": np.log10(LINES["Alpha"])})
    assert kinds(check(line_reading(TIMES, {"Alpha": LINES["Alpha"]}), logs)) == ["scale or unit factor"]
    plain = pd.DataFrame({"Time": TIMES, "Alpha": LINES["Alpha"]})
    assert check(line_reading(TIMES, {"Alpha": LINES["Alpha"]}, low=1.0, scale="log"), plain).verdict == "match"
    claimed = line_reading(TIMES, {"": np.log10(LINES["Alpha"]).tolist()}, high=2.5, label="log10 titre")
    assert check(claimed, pd.DataFrame({"Time": TIMES, "titre": LINES["Alpha"]})).verdict == "match"


@pytest.mark.parametrize("drawn", ["bars", "line"])
def test_values_beyond_the_axis_cannot_be_verified(drawn: str) -> None:
    if drawn == "bars":
        verdict = check(bar_reading(GROUPS, BARS, top=60.0), bar_table())
        beyond = {"High", "Highest"}
    else:
        verdict = check(line_reading(TIMES, {"Alpha": LINES["Alpha"]}, high=58.0), line_table().drop(columns="Beta"))
        beyond = {"8", "10", "12", "14", "16"}
    assert (verdict.verdict, verdict.exit_code) == ("not_verifiable", 1)
    assert {f.x for f in verdict.findings if f.kind == "axis clipped"} == beyond
    assert not verdict.discrepancies


def test_a_bar_that_stops_inside_the_axis_is_no_clipped_one() -> None:
    verdict = check(bar_reading(GROUPS, BARS), bar_table(Mutant=[18.0, 22.0, 30.0, 41.0, 147.0]))
    assert [(f.kind, f.x) for f in verdict.discrepancies] == [("value differs", "Highest")]


def test_a_figure_that_has_nothing_to_do_with_the_table() -> None:
    other = pd.DataFrame({"Plant": ["Oak", "Elm", "Ash"], "Height": [21000.0, 18000.0, 25000.0]})
    verdict = check(bar_reading(GROUPS, BARS), other)
    assert (verdict.verdict, verdict.exit_code) == ("not_comparable", 2)
    assert "panel 1" in verdict.reason


def test_a_series_that_differs_everywhere_is_not_accused() -> None:
    rng = np.random.default_rng(4)
    verdict = check(line_reading(TIMES, LINES), line_table(Beta=rng.uniform(5, 90, 11).tolist()))
    assert not verdict.discrepancies
    assert verdict.verdict == "not_verifiable"


def test_means_and_medians() -> None:
    records = pd.DataFrame(
        [
            (group, v)
            for group, middle in zip(GROUPS, BARS["Wild type"], strict=True)
            for v in (middle - 3, middle, middle + 30)
        ],
        columns=["Group", "Response"],
    )
    medians = bar_reading(GROUPS, {"": BARS["Wild type"]}, label="Median response")
    assert check(medians, records).panels[0].recipe == "median of Response per Group"
    assert check(medians, records).verdict == "match"
    said = check(bar_reading(GROUPS, {"": BARS["Wild type"]}, label="Mean response"), records)
    assert kinds(said) == ["different aggregation explains it"]


def test_long_tables_and_single_columns() -> None:
    long = line_table().melt("Time", var_name="Group", value_name="Response")
    assert check(line_reading(TIMES, LINES), long).verdict == "match"
    verdict = check(line_reading(TIMES, {"Alpha": LINES["Alpha"]}), line_table(), columns=["Time", "Alpha"])
    assert (verdict.verdict, verdict.findings) == ("match", [])
    with pytest.raises(UnreadableTable, match="Omega"):
        check(line_reading(TIMES, LINES), line_table(), columns=["Time", "Omega"])
    with pytest.raises(ValueError, match="no panel 3"):
        check(line_reading(TIMES, LINES), line_table(), panel=3)


def test_what_is_shown_of_a_check() -> None:
    verdict = check(bar_reading(GROUPS, BARS), bar_table(Mutant=[18.0, 22.0, 42.0, 41.0, 47.0]))
    found = verdict_json(verdict)
    assert found["verdict"] == "mismatch"
    assert found["panels"][0]["series"][1]["column"] == "Mutant"
    assert found["findings"][0]["table"] == 42.0
    assert "Middle" in as_text(verdict)
    picture = overlay(verdict)
    assert picture.shape == verdict.figure.figure.pixels.shape
    x, y = (round(v) for v in verdict.discrepancies[0].table_pixel or (0, 0))
    assert np.abs(picture[y, x].astype(int) - (220, 20, 60)).max() < 12
    whole = page([verdict])
    assert whole.startswith("<!doctype html>")
    assert "http" not in whole.replace("http-equiv", "")


def test_labels_that_all_match_are_never_placed_by_their_order(tmp_path: Path) -> None:
    figure = Path(__file__).resolve().parent.parent / "figures" / "grouped.png"
    lines = figure.with_suffix(".tsv").read_text(encoding="utf-8").splitlines()
    first, last = lines[1].split("\t")[0], lines[4].split("\t")[0]
    lines[1], lines[4] = lines[1].replace(first, last), lines[4].replace(last, first)
    swapped = tmp_path / "swapped.tsv"
    swapped.write_text("\n".join(lines) + "\n", encoding="utf-8")
    verdict = check(figure, swapped)
    assert verdict.verdict == "mismatch"
    assert len(verdict.discrepancies) == 4
