"""Compounds of charts, and the paper's own derived numbers from its summary table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evaluation.density import MARGIN, WIDTH, Compound, analyse, changes, compose, groups_of, mixed, write_compounds
from evaluation.stats import mean_interval, mixed_effects, paired, slope

TABLE_S1 = {  # MAE and RMSE at 1, 3, 6, 9 charts (ChartDensity-Bench, Table S1)
    "doubao": [(8.4932, 11.9111), (9.1226, 13.1354), (11.4940, 16.2040), (12.8941, 17.5449)],
    "gemini": [(5.5119, 8.1466), (8.2033, 11.6073), (7.5849, 11.0958), (8.5136, 12.0220)],
    "glm": [(8.7179, 12.6893), (11.5136, 15.9457), (14.2203, 19.7835), (16.1116, 21.2302)],
    "kimi": [(7.9208, 11.2605), (8.4153, 12.2063), (8.7669, 12.7310), (9.4399, 13.5002)],
    "qwen": [(7.0583, 10.2186), (9.9257, 14.0155), (8.9965, 12.5950), (12.7767, 17.7086)],
}
TABLE_1 = {
    "doubao": (4.4009, 51.82, 5.6338, 47.30), "gemini": (3.0017, 54.46, 3.8754, 47.57),
    "glm": (7.3937, 84.81, 8.5409, 67.31), "kimi": (1.5191, 19.18, 2.2397, 19.89),
    "qwen": (5.7183, 81.01, 7.4899, 73.30),
}  # fmt: skip


@pytest.mark.parametrize("model", TABLE_S1)
def test_the_papers_growth_follows_from_its_summary(model: str) -> None:
    rows = [{"k": k, "mae": mae, "rmse": rmse} for k, (mae, rmse) in zip((1, 3, 6, 9), TABLE_S1[model], strict=True)]
    found = changes(rows)
    assert (*found["mae"], *found["rmse"]) == pytest.approx(TABLE_1[model], abs=0.02)


def test_charts_are_800_px_wide_on_a_grid_with_10_px_between() -> None:
    charts = [np.full((200, 400, 3), 10 * k, np.uint8) for k in range(6)]
    picture, boxes = compose(charts, 2, 3)
    assert picture.shape == (2 * 400 + MARGIN, 3 * WIDTH + 2 * MARGIN, 3)
    assert boxes[4] == (WIDTH + MARGIN, 400 + MARGIN, 2 * WIDTH + MARGIN - 1, 2 * 400 + MARGIN - 1)
    assert (picture[boxes[4][1], boxes[4][0]] == 40).all()
    assert (picture[405, 100] == 255).all()


def test_groups_are_drawn_without_replacement_and_incomplete_ones_dropped() -> None:
    names = [str(i) for i in range(20)]
    groups = groups_of(names, 6)
    assert [len(group) for group in groups] == [6, 6, 6]
    assert len({name for group in groups for name in group}) == 18
    assert groups == groups_of(names, 6)
    assert groups != groups_of(names, 6, seed=1)


def test_a_set_of_compounds_with_its_manifest(tmp_path: Path) -> None:
    for folder in ("images", "truth"):
        (tmp_path / folder).mkdir()
    for k in range(4):
        Image.fromarray(np.full((90, 120, 3), 60 * k, np.uint8)).save(tmp_path / "images" / f"c{k}.png")
        (tmp_path / "truth" / f"c{k}.tsv").write_text(f"x\ta\n1\t{k}\n", encoding="utf-8")
    assert write_compounds(tmp_path / "images", tmp_path / "truth", tmp_path / "set", (1, 3)) == 5
    rows = [json.loads(line) for line in (tmp_path / "set" / "index.jsonl").read_text("utf-8").splitlines()]
    triple = rows[-1]
    assert (triple["k"], len(triple["truth"]), len(set(triple["charts"]))) == (3, 3, 3)
    tables = [(tmp_path / "set" / t).read_text("utf-8") for t in triple["truth"]]
    assert tables == [f"x\ta\n1\t{name[1:]}\n" for name in triple["charts"]]
    assert json.loads((tmp_path / "set" / "manifest.json").read_text("utf-8"))["seed"] == 42


def test_a_grid_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no grid for 4"):
        write_compounds(tmp_path, tmp_path, tmp_path / "out", (4,))


def chart(shift: float) -> tuple[tuple[str, str, str], ...]:
    return tuple(("a", str(x), str(10.0 * x + shift)) for x in range(6))


def compounds(per_chart: float) -> list[Compound]:
    """Charts whose values are off by `per_chart` for each chart beside them."""
    singles = [Compound(1, (str(c),), (chart(per_chart),), (chart(0.0),)) for c in range(6)]
    pairs = [Compound(3, tuple(str(c + i) for i in range(3)), (chart(3 * per_chart),) * 3, (chart(0.0),) * 3)
             for c in (0, 3)]  # fmt: skip
    return singles + pairs


def test_analysis_of_one_method() -> None:
    found = analyse(compounds(0.5))
    assert found.per_k[1]["mae"] == pytest.approx(1.0)  # half a unit of a range of 50, in percent
    assert found.per_k[3]["mae"] == pytest.approx(3.0)
    assert found.change["mae"] == pytest.approx((2.0, 200.0))
    gap = found.pairs["mae"]
    assert (gap.difference.mean, gap.grew) == (pytest.approx(2.0), 1.0)
    assert found.slopes["mae"].slope == pytest.approx(1.0)


def test_a_compound_with_a_missing_chart_is_a_mismatch_and_in_no_error() -> None:
    broken = Compound(3, ("0", "1", "2"), (chart(0.0),) * 2, (chart(0.0),) * 3)
    found = analyse([*compounds(0.5), broken])
    assert found.per_k[3]["rfv"] == pytest.approx(2 / 3)
    assert found.per_k[3]["mae"] == pytest.approx(3.0)


def test_mixed_effects_find_the_growth_of_each_method() -> None:
    rng = np.random.default_rng(4)
    rows = [(base + grow * (k - 1) / 2 + rng.normal(0, 0.05), method, k, str(c))
            for c, base in enumerate(rng.normal(5, 1, 30)) for k in (1, 3)
            for method, grow in (("offline", 0.2), ("agent:x:y", 1.0))]  # fmt: skip
    terms = {term.name: term for term in mixed_effects(*map(list, zip(*rows, strict=True)))}  # type: ignore[arg-type]
    assert terms["density 3"].coefficient == pytest.approx(0.2, abs=0.1)
    assert terms["agent:x:y x density 3"].coefficient == pytest.approx(0.8, abs=0.1)
    assert terms["agent:x:y x density 3"].p < 0.001


def test_mixed_effects_are_empty_where_they_cannot_be_fitted() -> None:
    assert mixed({"offline": compounds(0.5)[:6]}) == ()


def test_intervals_and_slopes_of_known_numbers() -> None:
    one = mean_interval([1.0, 2.0, 3.0, None])
    assert (one.mean, one.n) == (2.0, 3)
    assert one.low is not None
    assert one.high is not None
    assert 1.0 <= one.low < 2.0 < one.high <= 3.0
    assert mean_interval([]).mean is None
    assert paired([1.0, None, 2.0], [2.0, 5.0, 4.0]).difference.mean == 1.5
    line = slope([1, 3, 6, 9], [2.0, 4.0, 7.0, 10.0])
    assert (line.slope, line.intercept) == (pytest.approx(1.0), pytest.approx(1.0))
    assert slope([1, 1], [1.0, 2.0]).slope is None
