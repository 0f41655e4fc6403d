"""Charts of a drawn set composed in one figure, with the truth of each in its new place.

    python -m tests.tools.composed_set SET OUT [--count 9] [--limit N]

Takes figures of one panel in the order of their widths, nine to a figure (one resolution, as in a paper's figures), in
rows of three that stand white margins apart, and writes a set like `evaluation.draw` does. `measure_frame --composed`
compares what is read of them with what is read apart.
Not handled here: degraded figures (left out, each has a paper of its own), vector figures, figures of many panels.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

MARGIN = 24  # px of white between two charts
COLUMNS = 3

Row = dict[str, Any]


def composed(source: Path, out: Path, count: int = 9, limit: int | None = None) -> list[tuple[Row, list[Row]]]:
    """Write the set; the rows of its index, each with those of the charts in it, in reading order.

    Charts of about one width stand in one figure, those of about one height in one row.
    """
    rows = [json.loads(line) for line in (source / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    single = [row for row in rows if row["n_panels"] == 1 and not row["degraded"]]
    single.sort(key=lambda row: _truth(source, row)["image_size"][0])
    groups = [single[i : i + count] for i in range(0, len(single) - count + 1, count)][:limit]
    for folder in ("images", "truth", "truth_json"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    done = []
    for number, group in enumerate(groups):
        ordered = sorted(group, key=lambda row: _truth(source, row)["image_size"][1])
        done.append((_compose(source, out, f"composed-{number:05}", ordered), ordered))
    lines = "".join(json.dumps(row) + "\n" for row, _ in done)
    (out / "index.jsonl").write_text(lines, encoding="utf-8")
    return done


def _truth(source: Path, row: Row) -> Row:
    found: Row = json.loads((source / "truth_json" / f"{row['id']}.json").read_text(encoding="utf-8"))
    return found


def _compose(source: Path, out: Path, name: str, group: Sequence[Row]) -> Row:
    """One figure: its picture, a record with all panels, a table for each; its row of the index."""
    pictures = [cv2.imread(str(source / row["image"])) for row in group]
    lines = [range(i, min(i + COLUMNS, len(group))) for i in range(0, len(group), COLUMNS)]
    heights = [max(pictures[i].shape[0] for i in line) for line in lines]
    widths = [max(pictures[i].shape[1] for line in lines for i in line if i % COLUMNS == k) for k in range(COLUMNS)]
    size = sum(heights) + MARGIN * (len(lines) + 1), sum(widths) + MARGIN * (COLUMNS + 1)
    canvas = np.full((*size, 3), 255, np.uint8)
    panels, tables = [], []
    for i, (row, picture) in enumerate(zip(group, pictures, strict=True)):
        line, column = divmod(i, COLUMNS)
        y = MARGIN + sum(heights[:line]) + MARGIN * line
        x = MARGIN + sum(widths[:column]) + MARGIN * column
        canvas[y : y + picture.shape[0], x : x + picture.shape[1]] = picture
        panels.append(_moved(_truth(source, row)["panels"][0], x, y) | {"panel_id": i + 1})
        tables.append(f"truth/{name}_panel{i + 1}.tsv")
        shutil.copy(source / row["truth"][0], out / tables[-1])
    cv2.imwrite(str(out / "images" / f"{name}.png"), canvas)
    record = {"id": name, "engine": "composed", "image_size": [size[1], size[0]], "panels": panels}
    (out / "truth_json" / f"{name}.json").write_text(json.dumps(record), encoding="utf-8")
    return {"id": name, "image": f"images/{name}.png", "truth": tables, "kind": "compound", "degraded": "",
            "chart_type": "composed", "renderer": "composed", "n_panels": len(group)}  # fmt: skip


def _moved(panel: Row, x: int, y: int) -> Row:
    """The record of a panel that stands `x` px farther right and `y` px farther down."""
    panel = dict(panel)
    panel["bbox_px"] = [at + by for at, by in zip(panel["bbox_px"], (x, y, x, y), strict=True)]
    for key in ("x_axis", "y_axis", "y2_axis"):
        if panel.get(key):
            axis = dict(panel[key])
            by = x if axis["side"] in ("bottom", "top") else y
            if axis.get("intercept") is not None:
                axis["intercept"] += by
            axis["ticks"] = [{**tick, "pixel": tick["pixel"] + by} for tick in axis["ticks"]]
            panel[key] = axis
    return panel


def main() -> None:
    parser = argparse.ArgumentParser(description="Compose the charts of a drawn set in figures of nine.")
    parser.add_argument("source", type=Path, metavar="SET")
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--count", type=int, default=9, help="charts in one figure")
    parser.add_argument("--limit", type=int, help="only the first N figures")
    asked = parser.parse_args()
    done = composed(asked.source, asked.out, asked.count, asked.limit)
    print(f"{len(done)} figures of {asked.count} charts in {asked.out}")


if __name__ == "__main__":
    main()
