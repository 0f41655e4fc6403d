"""What copying costs: the clean figures of a set, degraded in each way, read and judged by the bench.

    python -m tests.measure_degraded SET [--figures 40] [--how jpeg,blur,paper,turned,copy,low] [--out DIR]

SET holds `images/`, `truth/` and `index.jsonl`. Figures are picked evenly over the set, pictures only. Prints, for each
way, the mean score (ECS where rows are compared, else points within 5 %), what it lost against the clean figures, and
the panels that were called "high" and score under 90 %. Not handled here: perspective, moiré.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from evaluation.bench import FigureScore
from evaluation.draw_degrade import DEGRADATIONS, degraded
from evaluation.draw_plan import Drawn
from evaluation.row_score import PanelScore
from evaluation.runner import compare

GOOD = 0.9


def write_copies(folder: Path, rows: list[dict], how: str, out: Path) -> None:  # type: ignore[type-arg]
    """A set beside the clean one: the same truth, every picture degraded; `clean` leaves them alone."""
    (out / "images").mkdir(parents=True)
    shutil.copytree(folder / "truth", out / "truth")
    for number, row in enumerate(rows):
        pixels = np.array(Image.open(folder / "images" / Path(row["image"]).name).convert("RGB"))
        if how != "clean":
            plain = Drawn(0, number, "", "", "", "", pixels, (), ())
            pixels = degraded(plain, how, np.random.default_rng([7, number])).pixels
        Image.fromarray(pixels).save(out / "images" / f"{row['id']}.png")
    lines = [json.dumps({**row, "image": f"{row['id']}.png"}) for row in rows]
    (out / "index.jsonl").write_text("\n".join(lines), encoding="utf-8")


def worth(score: FigureScore | PanelScore) -> float:
    """What a figure or one of its panels is worth: its ECS, else its points within 5 %; 0 to 1."""
    ecs, in_5 = (
        (score.values["ecs"], score.values["in_5"]) if isinstance(score, FigureScore) else (score.ecs, score.in_5)
    )
    return float((ecs if ecs is not None else in_5) or 0.0)


def false_highs(scores: list[FigureScore], predictions: Path) -> list[str]:
    """Panels that are called high and score under 90 %, by figure and number; all of a figure with its mean where the
    number of its panels is wrong."""
    found = []
    for score in scores:
        path = predictions / score.id / "reading.json"
        panels = json.loads(path.read_text(encoding="utf-8"))["panels"] if path.is_file() else []
        right = len(panels) == len(score.panels)
        marks = [worth(one) for one in score.panels] if right else [worth(score)] * len(panels)
        found += [
            f"{score.id}/{number} {mark:.2f}"
            for number, (panel, mark) in enumerate(zip(panels, marks, strict=True), 1)
            if mark < GOOD and panel["confidence"] == "high"
        ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("--figures", type=int, default=40)
    parser.add_argument("--how", default=",".join(DEGRADATIONS))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    rows = [json.loads(line) for line in (options.set / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["image"].endswith(".png")]
    rows = [rows[round(i)] for i in np.linspace(0, len(rows) - 1, min(options.figures, len(rows)))]
    out = options.out or Path(tempfile.mkdtemp(prefix="degraded-"))
    clean, lines = 0.0, []
    for how in ("clean", *options.how.split(",")):
        shutil.rmtree(out / how, ignore_errors=True)
        write_copies(options.set, rows, how, out / how)
        home = out / how
        scores = compare(home / "images", home / "truth", ["offline"], home / "run", workers=options.workers)["offline"]
        mean = 100 * float(np.mean([worth(score) for score in scores]))
        clean = mean if how == "clean" else clean
        high = false_highs(scores, home / "run" / "offline" / "predictions")
        lines.append(f"{how:8} {mean:6.1f}  lost {clean - mean:5.1f}  high and wrong {len(high)}: {', '.join(high)}")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
