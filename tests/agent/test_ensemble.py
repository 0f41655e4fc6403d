"""Ensembles: members in turn, rounds that end when nothing moves, panels paired by place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agent.ensemble import VARIANTS, Variant, agree, makers_of, pair_panels, read_ensemble, read_together, vary
from agent.methods import OFFLINE, Method, parse_method
from agent.reading import PanelReading, Reading, at_home, digitize
from tools.table import Cell, Table
from tools.types import Box, Figure, Panel, Unreadable

PLACE = Box(10, 10, 90, 90)
FIGURE = Figure(np.full((100, 200, 3), 255, np.uint8))


def panel(values: list[float], box: Box = PLACE) -> PanelReading:
    rows = tuple((Cell(float(i), str(i)), Cell(v, str(v), pixel=(20.0, v))) for i, v in enumerate(values))
    return PanelReading(Panel(box, box), (), Table(("x", "a"), rows))


def reading(*panels: PanelReading) -> Reading:
    return Reading(FIGURE, panels, seconds=1.0)


def makers(*readings: Reading) -> list[Callable[[], Reading]]:
    return [lambda one=one: one for one in readings]  # type: ignore[misc]


def values(found: Reading) -> list[float]:
    return [row[1].value for row in found.tables[0].rows]  # type: ignore[misc]


def test_rounds_end_at_the_third_member_when_nothing_moves() -> None:
    same = [reading(panel([1.0, 5.0, 9.0])) for _ in range(6)]
    answer, members = read_ensemble(makers(*same), 6)
    assert len(members) == 3
    assert values(answer) == [1.0, 5.0, 9.0]
    assert answer.panels[0].agreement == 1.0


def test_one_reader_before_several_pictures_goes_on_to_the_fifth() -> None:
    same = [reading(panel([1.0, 5.0, 9.0])) for _ in range(8)]
    assert len(read_ensemble(makers(*same), 8, anchored=True)[1]) == 5
    assert len(read_ensemble(makers(*same), 4, anchored=True)[1]) == 4


def test_rounds_go_on_while_cells_move_and_stop_at_the_most() -> None:
    moving = [reading(panel([1.0, 5.0 + k, 9.0])) for k in range(6)]
    answer, members = read_ensemble(makers(*moving), 5)
    assert len(members) == 5
    assert values(answer) == [1.0, 7.0, 9.0]
    assert answer.seconds == 5.0


def test_panels_are_paired_by_place() -> None:
    left, right = Box(10, 10, 90, 90), Box(110, 10, 190, 90)
    first = reading(panel([1.0, 2.0, 3.0], left), panel([4.0, 5.0, 6.0], right))
    swapped = reading(panel([4.0, 5.0, 6.0], right), panel([1.0, 2.0, 3.0], left))
    assert pair_panels(first, swapped) == [(0, 1), (1, 0)]
    assert values(agree([first, swapped, swapped])) == [1.0, 2.0, 3.0]


def test_a_panel_that_only_one_member_could_read_stays_with_a_warning() -> None:
    refused = replace(panel([1.0]), table=Unreadable("no axis"))
    found = agree([reading(panel([1.0, 2.0, 3.0])), reading(refused), reading(refused)])
    assert values(found) == [1.0, 2.0, 3.0]
    assert "only 1 of 3" in found.panels[0].warnings[-1]


def test_members_without_a_panel_leave_the_others_to_answer() -> None:
    whole = reading(panel([1.0, 2.0, 3.0]))
    answer, members = read_ensemble(makers(reading(), whole, reading(), whole), 4)
    assert values(answer) == [1.0, 2.0, 3.0]
    assert len(members) == 4
    assert read_ensemble(makers(reading(), reading()), 2)[0].panels == ()


def test_a_panel_that_the_first_member_refused_is_read_by_the_others() -> None:
    refused = replace(panel([1.0]), table=Unreadable("no axis"))
    found = agree([reading(refused), reading(panel([1.0, 2.0, 3.0])), reading(panel([1.0, 2.0, 3.0]))])
    assert values(found) == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_is_another_picture_of_the_same_figure(variant: Variant) -> None:
    seen = vary(FIGURE, variant)
    assert (seen.width, seen.height) == (round(200 * variant.scale), round(100 * variant.scale))
    assert (seen.pixels == vary(FIGURE, variant).pixels).all()


def test_noise_and_compression_change_the_pixels_a_little() -> None:
    ramp = Figure(np.tile(np.arange(200, dtype=np.uint8)[None, :, None], (100, 1, 3)))
    noisy = vary(ramp, Variant(noise=3.0)).pixels.astype(float) - ramp.pixels
    assert 2.5 < noisy[:, 20:].std() < 3.5
    squeezed = np.abs(vary(ramp, Variant(jpeg=70)).pixels.astype(float) - ramp.pixels)
    assert 0 < squeezed.mean() < 3


def test_pixels_of_a_scaled_member_come_home() -> None:
    scaled = reading(panel([29.5, 44.5], Box(14.5, 14.5, 134.5, 134.5)))
    back = at_home(scaled, FIGURE, 1.5)
    plot = back.panels[0].panel.plot
    assert (plot.x0, plot.x1) == pytest.approx((9.5, 89.5))
    assert back.tables[0].rows[0][1].pixel == pytest.approx((20.5 / 1.5 - 0.5, 19.5))


def test_methods_take_turns() -> None:
    method = parse_method("ensemble:4:offline|offline")
    assert (method.count, len(method.members)) == (4, 2)
    turns = [make.args[1:] for make in list(makers_of(FIGURE, method.members))[:3]]  # type: ignore[attr-defined]
    assert turns == [(VARIANTS[0], OFFLINE), (VARIANTS[0], OFFLINE), (VARIANTS[1], OFFLINE)]
    for wrong in ("ensemble", "ensemble:1:offline", "ensemble:3", "ensemble:3:ensemble:3:offline"):
        with pytest.raises(ValueError, match="ensemble"):
            parse_method(wrong)


def test_the_aggregator_is_part_of_the_method() -> None:
    assert parse_method("ensemble:5@huber:offline").aggregator == "huber"
    assert parse_method("ensemble:5:offline").aggregator == "median"
    assert parse_method("ensemble:5@mean:offline").name == "ensemble:5@mean:offline"
    with pytest.raises(ValueError, match="aggregator 'avg'"):
        parse_method("ensemble:5@avg:offline")


def test_anchored_members_move_values_but_not_rows() -> None:
    coarse = reading(panel([1.2, 3.2]))
    found = agree([reading(panel([1.0, 2.0, 3.0])), coarse, coarse], anchored=True)
    assert values(found) == [1.2, 3.2, 3.0]  # rows 0 and 1 by three members; the last one stays as it was read
    assert len(agree([reading(panel([1.0, 2.0, 3.0])), coarse, coarse]).tables[0].rows) == 2


def test_values_from_paths_are_confirmed_or_doubted_but_never_moved() -> None:
    own = Table(("x", "a"), ((Cell(1.001, "1.001"), Cell(5.0, "5.0000", source="vector")),))
    first = reading(replace(panel([5.0]), table=own))
    others = [reading(replace(panel([v]), table=Table(own.header, ((Cell(1.0, "1"), Cell(v, str(v))),)))) for v in
              (5.1, 5.2)]  # fmt: skip
    key, cell = agree([first, *others], anchored=True).tables[0].rows[0]
    assert (key.value, cell.value, cell.text) == (1.001, 5.0, "5.0000")
    assert cell.spread == pytest.approx(0.14826)
    assert agree([first, *others]).tables[0].rows[0][1].value == 5.1


def test_a_model_that_is_not_reached_is_told_and_the_others_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(figure: Figure, method: Method) -> Reading:
        if method.kind == "offline":
            return replace(reading(panel([1.0, 2.0, 3.0])), method=method.name)
        return replace(reading(), method=method.name, failed="no key for Anthropic")

    monkeypatch.setattr("agent.ensemble.read_figure", read)
    found = read_together(FIGURE, parse_method("ensemble:4:single-shot:anthropic:m|offline"))
    assert values(found) == [1.0, 2.0, 3.0]
    assert found.failed == "single-shot:anthropic:m: no key for Anthropic"
    assert found.failed in found.warnings


def test_an_offline_ensemble_of_a_drawn_figure_agrees_with_its_truth() -> None:
    figures = Path(__file__).resolve().parent.parent / "figures"
    found = digitize(figures / "grouped.png", method="ensemble:3:offline")
    lines = (figures / "grouped.tsv").read_text(encoding="utf-8").splitlines()[1:]
    truth = [[float(cell) for cell in line.split("\t")[1:]] for line in lines]
    read = [[float(cell.value) for cell in row[1:]] for row in found.tables[0].rows]  # type: ignore[arg-type]
    assert np.abs(np.array(read) - np.array(truth)).max() < 0.3
    assert len(found.members) == 3
    assert all(cell.spread is not None for row in found.tables[0].rows for cell in row[1:])
