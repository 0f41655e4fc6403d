"""Files and folders of tables, scored by any metric."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.score import METRICS, score_paths, tables_in

TABLE = "year\tcases\tdeaths\n2001\t100\t10\n2002\t200\t0\n2003\t150\t30\n"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_table_against_itself_scores_everything(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", TABLE)
    found = score_paths(path, path, ["all"])
    for name in found.measures:
        one = found.summary(name)
        if one["n"]:
            assert one["mean"] == pytest.approx(1.0 if one["higher_is_better"] else 0.0), name
    assert [name for name in found.measures if not found.summary(name)["n"]] == ["growth fidelity"]
    assert len(found.charts["a"]) >= len(METRICS) == 12


def test_folders_meet_by_name(tmp_path: Path) -> None:
    for name in ("a.tsv", "b_panel1.tsv", "b_panel2.csv", "c.tsv", "readme.md"):
        write(tmp_path / "truth" / name, TABLE.replace("\t", "," if name.endswith("csv") else "\t"))
    write(tmp_path / "pred" / "a" / "panel_1.tsv", TABLE)
    write(tmp_path / "pred" / "b" / "panel_2.tsv", TABLE)
    write(tmp_path / "pred" / "b_panel1.csv", TABLE.replace("\t", ","))
    assert set(tables_in(tmp_path / "pred")) == {("a", 1), ("b", 1), ("b", 2)}
    found = score_paths(tmp_path / "pred", tmp_path / "truth", ["ecs"])
    assert {name: values["ecs"] for name, values in found.charts.items()} == {
        "a": 1.0, "b panel 1": 1.0, "b panel 2": 1.0, "c": 0.0,
    }  # fmt: skip
    assert found.missing == ("c",)
    assert found.charts["c"]["ecs no data"] == 1.0


def test_what_cannot_be_scored_is_counted_and_not_averaged(tmp_path: Path) -> None:
    write(tmp_path / "truth" / "words.tsv", "x\ty\na\tb\n")
    write(tmp_path / "truth" / "good.tsv", TABLE)
    write(tmp_path / "pred" / "words.tsv", TABLE)
    write(tmp_path / "pred" / "good.tsv", TABLE)
    found = score_paths(tmp_path / "pred", tmp_path / "truth", ["ecs", "rnss"])
    assert found.summary("ecs") == {"mean": 1.0, "n": 1, "unscored": 1, "higher_is_better": True}
    assert found.summary("ecs missed datapoints")["higher_is_better"] is False
    assert json.loads(json.dumps(found.to_json()))["summary"]["rnss"]["unscored"] == 1
    assert found.table().row_count == len(found.measures)


@pytest.mark.parametrize(
    "pred",
    [
        "", "x", "x\ty\n1\tinf\n", "\t\n\t\n", "year\tcases\n" + "1\t2\n" * 5000, "a\nb\tc\td",
        "year\tcases\tdeaths\n2001\tnan\tnan\n2002\tnan\tnan\n", "year\tcases\n2001\tmany\textra\tcells\n2002",
        "year\tcases\tdeaths\n" + "".join(f"{i}\t{i % 7}\t1\n" for i in range(10_000)),
    ],
)  # fmt: skip
def test_bad_tables_score_low_and_never_raise(tmp_path: Path, pred: str) -> None:
    found = score_paths(write(tmp_path / "p.tsv", pred), write(tmp_path / "t.tsv", TABLE), ["all"])
    values = {name: found.summary(name)["mean"] for name in found.measures if found.summary(name)["higher_is_better"]}
    uncapped = {"density completeness", "density coverage"}  # how much was said, right or wrong
    low = {name: value for name, value in values.items() if value is not None and name not in uncapped}
    assert all(0 <= value < 0.5 for value in low.values()), low
    assert {name for name, value in values.items() if value is None} <= {"rms precision", "growth fidelity"}
    assert found.summary("fpc-nrmse")["mean"] > 0.9


def test_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no metric 'bleu'"):
        score_paths(tmp_path, tmp_path, ["bleu"])
    with pytest.raises(ValueError, match="no table"):
        score_paths(tmp_path, tmp_path, ["ecs"])
    with pytest.raises(OSError):  # noqa: PT011 (the system's own words)
        score_paths(tmp_path / "gone", tmp_path / "gone", ["ecs"])
