"""The report of `compare`: leaderboard, stated intervals, and an ensemble's spread against its errors."""

from __future__ import annotations

import json
from pathlib import Path

from evaluation.compare_report import write_compare_report
from evaluation.runner import compare


def test_the_report_shows_how_an_ensembles_spread_goes_with_its_errors(tmp_path: Path) -> None:
    images, truth, said = (tmp_path / name for name in ("images", "truth", "said"))
    for folder in (images, truth, said / "one"):
        folder.mkdir(parents=True)
    (images / "one.png").write_bytes(b"not opened")
    values = [float(k) for k in range(1, 13)]
    (truth / "one.tsv").write_text("x\ta\n" + "".join(f"{k:g}\t{k:g}\n" for k in values), encoding="utf-8")
    (said / "one" / "panel_1.tsv").write_text("x\ta\n" + "".join(f"{k:g}\t{1.01 * k:g}\n" for k in values))
    rows = [[{"value": k, "text": f"{k:g}"},
             {"value": 1.01 * k, "text": f"{1.01 * k:g}", "low": 0.9 * k, "high": 1.1 * k, "spread": 0.02 * k}]
            for k in values]  # fmt: skip
    panel = {"plot": [0, 0, 9, 9], "table": {"form": "wide", "header": ["x", "a"], "rows": rows}}
    (said / "one" / "reading.json").write_text(json.dumps({"panels": [panel]}), encoding="utf-8")
    scores = compare(images, truth, [str(said)], tmp_path / "out")
    page = write_compare_report(images, truth, scores, tmp_path / "out").read_text(encoding="utf-8")
    assert f"Spread of the members: {said}" in page
    assert "rho of the spread with the error 1.00" in page
    assert page.count("<svg") == 3  # scores, errors against intervals, errors against spreads
    assert [p.name[:2] for p in sorted((tmp_path / "out" / "tables").glob("*.csv"))] == ["01", "02", "03", "04"]
