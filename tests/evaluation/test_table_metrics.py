"""RMS, RNSS, SCRM, relaxed accuracy: what the vectors do not say, and the properties of the corrected modes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics import RmsOptions, relaxed_accuracy, relaxed_correct, rms, rnss, scrm, scrm_iou
from evaluation.rms import entries

TABLE = [["year", "cases", "deaths"], ["2001", "100", "10"], ["2002", "200", "0"], ["2003", "-30", "5"]]
words = st.text("abcdefgh", min_size=1, max_size=6)
cells = st.one_of(st.integers(-99, 99).map(str), st.floats(-1e3, 1e3).map(lambda v: f"{v:.3g}"), words)


@st.composite
def tables(draw: st.DrawFn) -> list[list[str]]:
    """Tables whose labels and headers are distinct."""
    headers = draw(st.lists(words, min_size=1, max_size=3, unique=True))
    labels = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    return [["k", *headers], *([label, *(draw(cells) for _ in headers)] for label in labels)]


def text(rows: list[list[str]]) -> str:
    return "\n".join("\t".join(row) for row in rows)


def transposed(rows: list[list[str]]) -> list[list[str]]:
    return [list(row) for row in zip(*rows, strict=True)]


def test_precision_recall_and_f1_differ() -> None:
    found = rms([*TABLE, ["2004", "1", "1"]], TABLE)
    assert found.recall == 1.0
    assert found.precision == pytest.approx(6 / 8)
    assert found.f1 == pytest.approx(6 / 7)


def test_rms_reads_transposed_and_takes_the_best_of_several_targets() -> None:
    assert rms(transposed(TABLE), TABLE).f1 == 1.0
    targets = ["k | v\nzzz | 1", "k | v\na | 1"]
    assert rms("k | v\na | 1", targets).f1 == 1.0
    assert rms("k | v\na | 1", targets[0]).f1 < 1.0


def test_rms_zero_rule() -> None:
    true, said = [["k", "v"], ["a", "0"]], [["k", "v"], ["a", "0.0"]]
    assert rms(said, true).f1 == 0.0
    assert rms(said, true, RmsOptions(zero_rule=True)).f1 == 1.0
    assert rms([["k", "v"], ["a", "7"]], true, RmsOptions(zero_rule=True)).f1 == 0.0


def test_rms_repeated_keys_keep_the_last_value_and_titles_count() -> None:
    assert entries([["k", "v"], ["a", "1"], ["a", "2"]]) == {"a v": "2"}
    assert entries("TITLE | Cases\nk | v\na | 1") == {"title": "cases", "a v": "1"}
    assert entries([]) == entries("") == {}


def test_swapped_labels_cost() -> None:
    swapped = [["year", "deaths", "cases"], *TABLE[1:]]
    assert rms(swapped, TABLE).f1 < 0.5
    assert scrm_iou(text(swapped), text(TABLE))["strict"] == 0.0
    assert rnss(swapped, TABLE) == 1.0  # it knows no labels


def test_extra_series_and_unicode() -> None:
    wide = [[*row, cell] for row, cell in zip(TABLE, ["décès évités", "1", "2", "3"], strict=True)]
    assert scrm_iou(text(wide), text(TABLE))["strict"] == pytest.approx(6 / 9)
    assert rms(wide, TABLE).precision == pytest.approx(6 / 9)
    assert rms(wide, wide).f1 == 1.0
    assert rnss(wide, TABLE) < 1.0


def test_a_thousand_rows() -> None:
    long = [["x", "y"], *([f"label {i}", str(i * 1.5)] for i in range(1000))]
    assert rms(long, long).f1 == pytest.approx(1.0)
    assert scrm_iou(text(long), text(long))["strict"] == 1.0
    assert rnss(long, long) == 1.0


@settings(deadline=None)
@given(tables())
def test_identity_scores_one(rows: list[list[str]]) -> None:
    assert rms(rows, rows, RmsOptions(zero_rule=True)).f1 == pytest.approx(1.0)
    assert rnss(rows, rows) == pytest.approx(1.0)
    assert scrm_iou(text(rows), text(rows)) == {"strict": 1.0, "slight": 1.0, "high": 1.0}


@settings(deadline=None)
@given(tables(), tables())
def test_scores_are_shares(said: list[list[str]], true: list[list[str]]) -> None:
    found = rms(said, true, RmsOptions(zero_rule=True))
    ious = scrm_iou(text(said), text(true))
    shares = [found.precision, found.recall, found.f1, rnss(said, true), *ious.values()]
    assert all(-1e-12 <= share <= 1 + 1e-12 for share in shares)
    assert ious["strict"] <= ious["slight"] <= ious["high"]


@settings(deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(rows: list[list[str]], random: object) -> None:
    shuffled = [rows[0], *sorted(rows[1:], key=lambda _: random.random())]  # type: ignore[attr-defined]
    assert rms(shuffled, rows).f1 == pytest.approx(rms(rows, rows).f1)
    assert rnss(shuffled, rows) == pytest.approx(1.0)
    assert scrm_iou(text(shuffled), text(rows))["strict"] == 1.0


def test_scrm_fixed_repairs_what_the_published_code_does() -> None:
    negative = "k\tv\na\t-5"
    assert scrm_iou("k\tv\na\t900", negative, "chartvlm")["strict"] == 1.0
    assert scrm_iou("k\tv\na\t900", negative)["high"] == 0.0
    crowd = "k\tv\naa\t10\nab\t10\nac\t10"
    assert scrm_iou(crowd, "k\tv\naa\t10", "chartvlm")["slight"] == 3.0
    assert scrm_iou(crowd, "k\tv\naa\t10")["slight"] == pytest.approx(1 / 3)
    assert scrm_iou("", "") == {"strict": 1.0, "slight": 1.0, "high": 1.0}
    assert scrm_iou("k\tv\na\tnan\nb\t2", "k\tv\na\t\nb\t2")["strict"] == 1.0
    assert scrm_iou("k\tv\na\t0\nb\t0.001", "k\tv\na\t0\nb\t0")["high"] == pytest.approx(1 / 3)
    three = scrm([text(TABLE[:3])], [text([*TABLE[:3], ["2004", "7", "8"], ["2005", "7", "8"]])])
    assert three is not None
    assert three.strict.iou == (0.5,)
    assert three.strict.mean_precision == pytest.approx(0.1)
    sixty = scrm(["k\tv\na\t1\nb\t2\nc\t3"], ["k\tv\na\t1\nb\t2\nc\t3\nd\t4\ne\t5"])
    assert sixty is not None
    assert sixty.strict.mean_precision == pytest.approx(0.3)  # 0.6 reaches the third step
    assert scrm([], []) is None


def test_rnss_modes() -> None:
    assert rnss("a | 0", "a | 0", "deplot") == 0.0
    assert rnss("a | 0", "a | 0", "zero") == 1.0
    assert rnss("a | 1 | 2 | 3", "a | 1", "zero") == 1.0
    assert rnss("a | 1 | 2 | 3", "a | 1", "padded") == pytest.approx(1 / 3)
    assert rnss("a | nan", "a | 1") == 0.0


def test_relaxed_accuracy() -> None:
    said, true = ["105", "france", "7"], [["100"], ["Spain", "France"], ["n/a"]]
    assert relaxed_accuracy(said, true) == pytest.approx(2 / 3)
    assert relaxed_accuracy(said, true, 0.02) == pytest.approx(1 / 3)
    assert relaxed_accuracy(said, true, mode="numeric") == 1.0
    assert relaxed_accuracy([], []) is None
    assert [relaxed_correct(a, b, mode="structchart") for a, b in (
        ("105", "100"), ("France", "France"), ("france", "France"), ("5%", "5"), ("word", "10"), ("0", "0"),
        ("7", "-7"),
    )] == [True, True, False, False, True, False, False]  # fmt: skip
    assert relaxed_accuracy(said, [["100"], ["Spain"], ["7.2"]], mode="structchart") == pytest.approx(2 / 3)
    assert relaxed_correct("inf", "5", mode="numeric") is False
    assert relaxed_correct("5", "inf", mode="numeric") is None


@pytest.mark.parametrize(
    "said", ["", "\t", "k\tv", "k\tv\na", "k\tv\na\tinf\tnan\t7", "\n\n\n", "k\tv\n" + "a\t1\n" * 3000]
)
def test_bad_tables_score_low_and_never_raise(said: str) -> None:
    rows = [line.split("\t") for line in said.split("\n")]
    assert rms(rows, TABLE).f1 < 0.5
    assert 0 <= rnss(rows, TABLE) < 0.5
    for mode in ("chartvlm", "structchart", "fixed"):
        assert all(iou < 0.5 for iou in scrm_iou(said, text(TABLE), mode).values())
    assert math.isfinite(rms(TABLE, rows).f1)
