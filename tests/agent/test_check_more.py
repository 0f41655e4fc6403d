"""The checker on error bars, histograms of records, units in words, categories without a row, and odd tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agent import Reading, Verdict, check
from agent.check_report import as_text
from agent.source_tables import UnreadableTable, read_tables
from agent.unit_words import unit_is_claimed
from tests.agent.hand_readings import COLOURS, PLOT, bar_reading, line_reading, paper, value_axis
from tools.tabulate import tabulate
from tools.types import Box, Figure, Mark, Panel, Series, Word

GROUPS = ["Control", "Low", "Middle", "High", "Highest"]
BARS = {"Wild type": [20.0, 35.0, 50.0, 64.0, 81.0], "Mutant": [18.0, 22.0, 30.0, 41.0, 47.0]}
TIMES = [float(t) for t in range(0, 22, 2)]
ALPHA = [10.0, 14.0, 25.0, 41.0, 60.0, 74.0, 80.0, 83.0, 70.0, 52.0, 40.0]


def found(verdict: Verdict) -> list[tuple[str, str]]:
    return [(finding.kind, finding.x) for finding in verdict.discrepancies]


def with_error_bars(spread: Sequence[float]) -> Reading:
    """Alpha with error bars of so much to either side, drawn and read."""
    import cv2

    reading = line_reading(TIMES, {"Alpha": ALPHA})
    panel = reading.panels[0]
    axis = panel.panel.y
    assert axis is not None
    marks: list[Mark] = []
    for mark, half in zip(panel.series[0].marks, spread, strict=True):
        value = float(axis.to_value(mark.y))
        low, high = (float(v) for v in axis.to_pixel([value - half, value + half]))
        at = round(mark.x)
        cv2.line(reading.figure.pixels, (at, round(low)), (at, round(high)), COLOURS[0], 1)
        marks += [mark, Mark("low", mark.x, low), Mark("high", mark.x, high)]
    series = (replace(panel.series[0], marks=tuple(marks)),)
    return replace(reading, panels=(replace(panel, series=series, table=tabulate(panel.panel, series)),))


def test_ends_of_error_bars_are_compared() -> None:
    reading = with_error_bars([4.0] * 11)
    table = pd.DataFrame(
        {"Time": TIMES, "Alpha": ALPHA, "Alpha low": np.array(ALPHA) - 4, "Alpha high": np.array(ALPHA) + 4}
    )
    same = check(reading, table)
    assert (same.verdict, same.panels[0].ends) == ("match", {"Alpha": "low and high columns"})
    table.loc[5, "Alpha high"] += 12
    wrong = check(reading, table)
    assert found(wrong) == [("value differs", "10")]
    assert "upper end" in wrong.discrepancies[0].message
    assert "upper end" in as_text(wrong)


def test_what_error_bars_stand_for_is_found() -> None:
    sem = pd.DataFrame({"Time": TIMES, "Alpha": ALPHA, "Alpha SEM": [2.0] * 11})
    assert check(with_error_bars([2.0] * 11), sem).panels[0].ends == {"Alpha": "Alpha SEM"}
    assert check(with_error_bars([3.92] * 11), sem).panels[0].ends == {"Alpha": "1.96 Alpha SEM"}
    rows = [(t, v + d) for t, v in zip(TIMES, ALPHA, strict=True) for d in (-6.0, 0.0, 6.0)]
    records = pd.DataFrame(rows, columns=["Time", "Alpha"])
    assert check(with_error_bars([6.0] * 11), records).panels[0].ends == {"Alpha": "SD"}
    assert check(with_error_bars([6.0 / np.sqrt(3)] * 11), records).panels[0].ends == {"Alpha": "SEM"}


def histogram_reading(counts: Sequence[float], top: float) -> Reading:
    """Bins of width 10 from 0 on, drawn and read exactly."""
    import cv2

    pixels, axis = paper(), value_axis(0.0, top, label="Count")
    key = replace(value_axis(0.0, 10.0 * len(counts), side="bottom"), label="Age")
    marks = []
    for k, count in enumerate(counts):
        x0, x1 = (float(v) for v in key.to_pixel([10.0 * k, 10.0 * (k + 1)]))
        box = Box(x0, float(axis.to_pixel(count)), x1, PLOT.y1)
        cv2.rectangle(pixels, (round(x0), round(box.y0)), (round(x1), round(box.y1)), COLOURS[0], -1)
        marks.append(Mark("bar", (x0 + x1) / 2, box.y0, box))
    series = (Series("", COLOURS[0], "histogram", tuple(marks)),)
    panel = Panel(Box(0, 0, 499, 319), PLOT, axes=(key, axis))
    from agent.reading import PanelReading

    return Reading(Figure(pixels, "hand.png"), (PanelReading(panel, series, tabulate(panel, series)),))


def test_records_are_counted_into_the_bins_of_the_figure() -> None:
    counts = [4, 9, 14, 8, 5]
    records = np.concatenate([np.linspace(10 * k + 1, 10 * k + 9, n) for k, n in enumerate(counts)])
    reading, table = (
        histogram_reading(counts, 16.0),
        pd.DataFrame({"Patient": [f"P{i}" for i in range(40)], "Age": records}),
    )
    verdict = check(reading, table)
    assert (verdict.verdict, verdict.panels[0].recipe) == ("match", "histogram (count) of Age")
    moved = table.copy()
    moved.loc[moved["Age"].between(10, 16), "Age"] = 25.0
    assert {x for _, x in found(check(reading, moved))} == {"10 to 20", "20 to 30"}


def test_a_drawn_category_without_a_row() -> None:
    rows = [0, 1, 3, 4]
    table = pd.DataFrame({"Group": [GROUPS[i] for i in rows], **{n: [v[i] for i in rows] for n, v in BARS.items()}})
    verdict = check(bar_reading(GROUPS, BARS), table)
    assert found(verdict) == [("points missing", "Middle")]
    assert "no such row" in verdict.discrepancies[0].message


def test_a_group_called_missing_is_a_group() -> None:
    names = ["Missing", *GROUPS[1:]]
    table = pd.DataFrame({"Group": names, **BARS})
    assert check(bar_reading(names, BARS), table).panels[0].tally.agree == 10


@pytest.mark.parametrize(
    ("words", "column", "factor", "claimed"),
    [("Flux (W/m^2)", "Flux (W/m²)", 1000.0, False), ("Attendance le6", "Attendance", 1e-6, True),
     ("Rate (%)", "Rate", 100.0, True), ("Rate (%)", "Rate (%)", 1000.0, False), ("Time (min)", "Time (h)", 60.0, True),
     ("Dose (µg/ml)", "Dose (mg/ml)", 1000.0, True), ("Dose (µg/ml)", "Dose (mg/ml)", 0.001, False),
     ("Cases per 100,000", "Cases", 1e5, True), ("Cases (×10³)", "Cases", 0.001, True)],
)  # fmt: skip
def test_units_account_for_their_own_factor_only(words: str, column: str, factor: float, claimed: bool) -> None:
    assert unit_is_claimed(words, column, factor) is claimed


def test_a_power_of_ten_printed_over_the_axis_accounts_for_a_factor() -> None:
    reading = line_reading(TIMES, {"Alpha": ALPHA})
    table = pd.DataFrame({"Time": TIMES, "Alpha": [1e6 * v for v in ALPHA]})
    assert check(reading, table).verdict == "mismatch"
    assert check(replace(reading, words=(Word("1e6", Box(52, 5, 75, 15)),)), table).verdict == "match"


def test_few_rows_of_several_series_share_a_factor() -> None:
    two = {name: values[:2] for name, values in BARS.items()}
    table = pd.DataFrame({"Group": GROUPS[:2], **{name: [1000 * v for v in values] for name, values in two.items()}})
    assert {kind for kind, _ in found(check(bar_reading(GROUPS[:2], two), table))} == {"scale or unit factor"}


@pytest.mark.parametrize(
    ("content", "words"),
    [("", "is empty"), ("Group,Before\n", "no rows"), ("a,b\nx,y\nz,w\n", "no table with a column of numbers")],
)
def test_what_a_file_lacks_is_said(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "data.csv"
    path.write_text(content)
    with pytest.raises(UnreadableTable, match=words):
        read_tables(path)


def test_ragged_rows_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("Group,Wild type,Mutant\nControl,20,18\nLow,35\nMiddle,50,30,7\nHigh,64,41\nHighest,81,47\n")
    assert "rows 3, 4" in read_tables(path)[0].notes[0]
    assert "rows 3, 4" in as_text(check(bar_reading(GROUPS, BARS), path))
