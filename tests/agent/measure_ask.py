"""How often `ask` is right: questions made from the true tables of a set, answered from its figures.

    python -m tests.agent.measure_ask SET [--questions 200] [--seed 5]

SET holds `images/`, `truth/` and `index.jsonl` (`evaluation.draw` and `benchmark make` write such sets). As in
PlotGround, a question names a panel, a series and a place as the figure labels them, and its target is clear: no value
closer to zero than a twentieth of the largest one. Prints the shares within 5 % and 2 %, refusals, and wrong answers
without a stated doubt. Not handled here: scattered points, which have no label.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent.asking import ask_reading
from agent.reading import digitize

STATISTICS = {"q1": "first quartile", "q3": "third quartile", "whisker_low": "lower whisker",
              "whisker_high": "upper whisker", "median": "median"}  # fmt: skip
CLEAR = 0.05  # of the table's largest value


@dataclass(frozen=True)
class Made:
    """A question, its true answer, and the figure that shows it."""

    image: Path
    text: str
    answer: float


def questions_of(folder: Path, count: int, seed: int) -> list[Made]:
    """`count` questions over the figures of a set, as evenly as they have targets."""
    rng = random.Random(seed)
    pools = []
    for line in (folder / "index.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["kind"] != "scatter":
            pool = [made for k, name in enumerate(row["truth"]) for made in
                    targets(folder, row, folder / "truth" / Path(name).name, k)]  # fmt: skip
            rng.shuffle(pool)
            pools.append(pool)
    chosen: list[Made] = []
    while len(chosen) < count and any(pools):
        for pool in pools:
            if pool and len(chosen) < count:
                chosen.append(pool.pop())
    return chosen


def targets(folder: Path, row: dict, path: Path, panel: int) -> Iterator[Made]:  # type: ignore[type-arg]
    """Every clear value of a true table as a question."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file, delimiter="\t"))
    if "series" in header:
        return
    where = f"In panel {chr(97 + panel)}, " if len(row["truth"]) > 1 else ""
    columns = [c for c in range(1, len(header)) if header[c] not in ("bin high", "outliers")]
    largest = max((abs(number(r[c])) for r in rows for c in columns if math.isfinite(number(r[c]))), default=0.0)
    image = folder / "images" / Path(row["image"]).name
    for cells in rows:
        for c in columns:
            value = number(cells[c])
            if math.isfinite(value) and abs(value) > CLEAR * largest:
                yield Made(image, f"{where}{asked(header, c, cells[0])}", value)


def asked(header: list[str], column: int, place: str) -> str:
    name = header[column]
    at = place if header[0] == "x" else f"{header[0]} {place}"
    if name in STATISTICS:
        return f"what is the {STATISTICS[name]} of {place}?"
    for end, word in ((" low", "lower"), (" high", "upper")):
        if name.endswith(end) and name.removesuffix(end) in header:
            return f"what is the {word} end of the error bar of {name.removesuffix(end)} at {at}?"
    return f"what is {name} at {at}?"


def number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure `ask` on made questions.")
    parser.add_argument("folder", type=Path, metavar="SET")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=5)
    found = parser.parse_args()
    made = questions_of(found.folder, found.questions, found.seed)
    readings = {image: digitize(image) for image in dict.fromkeys(one.image for one in made)}
    within = {0.05: 0, 0.02: 0}
    refused = wrong = 0
    for one in made:
        answer = ask_reading(readings[one.image], one.text)
        if answer.value is None:
            refused += 1
            continue
        off = abs(answer.value - one.answer) / abs(one.answer)
        off = min(off, abs(answer.value / 100 - one.answer) / abs(one.answer))  # an axis in percent, a table in shares
        for limit in within:
            within[limit] += off <= limit
        if off > 0.05 and not answer.doubts:
            wrong += 1
            print(f"{one.image.name}: {one.text} true {one.answer:g}, answered {answer.text}")
    total = len(made)
    print(f"{total} questions: within 5 % {within[0.05] / total:.1%}, within 2 % {within[0.02] / total:.1%}, "
          f"refused {refused / total:.1%}, wrong without a doubt {wrong / total:.1%}")  # fmt: skip


if __name__ == "__main__":
    main()
