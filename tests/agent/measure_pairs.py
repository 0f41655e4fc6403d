"""Measures the checker on made pairs: `python -m tests.agent.measure_pairs [--seed 5] [--figures 60] [--misses]`.

Prints, per kind of pair, how many were flagged at the right place, how many at a wrong one, how many were called not
verifiable or not comparable, and how many matching pairs were flagged. `--matches N` adds figures of every chart type
that match their tables: alarms are rare, and need many pairs to be counted.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

from agent import Reading, Verdict, check
from agent.findings import Finding
from agent.placing import alike, squeeze
from agent.reading import read_figure
from evaluation.pairs import Pair, make_matches, make_pairs
from tools.types import Figure

WHOLE = {
    "swap": "series swapped", "missing in figure": "series missing in the figure",
    "missing in table": "series missing in the table", "factor": "scale or unit factor", "log": "scale or unit factor",
}  # fmt: skip


def right_place(pair: Pair, finding: Finding) -> bool:
    """True of a discrepancy that is where the pair's fault is."""
    if pair.kind == "cells":
        return any(
            (_same_x(cell.x, finding) and finding.series in (cell.column, ""))
            or (finding.x == cell.column.replace("_", " ") and squeeze(cell.x) in squeeze(finding.series))  # boxes
            for cell in pair.cells
        )
    if pair.kind == "statistic":
        aggregated = finding.kind == "different aggregation explains it"
        return aggregated or any(_same_x(cell.x, finding) for cell in pair.cells)
    return finding.kind == WHOLE.get(pair.kind) and (pair.kind in ("factor", "log") or _named(pair, finding))


def _named(pair: Pair, finding: Finding) -> bool:
    """True where the finding names the pair's series; names as they were read in the figure, misread or not."""
    if not pair.series or any(squeeze(name) in squeeze(finding.series) for name in pair.series):
        return True
    names = [one.name for one in pair.figure.panels[0].plan.series]
    return names[int(alike([finding.series], names)[0].argmax())] in pair.series


def _same_x(x: str, finding: Finding) -> bool:
    return finding.x == x or any(part == x for part in finding.x.split())


def outcome(pair: Pair, verdict: Verdict) -> str:
    """hit, wrong place, missed, unsure (not verifiable or not comparable), right or false alarm."""
    flagged = verdict.discrepancies
    if pair.verdict == "match":
        return "false alarm" if flagged else "right" if verdict.verdict == "match" else "unsure"
    if pair.verdict == "not_verifiable":
        quiet = {"not_verifiable": "hit", "not_comparable": "unsure"}
        return "false alarm" if flagged else quiet.get(verdict.verdict, "missed")
    if not flagged:
        told = any(finding.ruling == "not verifiable" and right_place(pair, finding) for finding in verdict.findings)
        return "missed" if verdict.verdict == "match" and not told else "unsure"
    right = [finding for finding in flagged if right_place(pair, finding)]
    return "hit" if right and (pair.kind != "cells" or len(right) == len(flagged)) else "wrong place"


def read_pair(pair: Pair) -> Reading:
    """The pair's figure, read."""
    pixels = pair.figure.pixels
    return read_figure(Figure(pixels, pair.id, sha256=hashlib.sha256(pixels.tobytes()).hexdigest()))


def measure(
    pairs: Iterable[Pair],
    read: Callable[[Pair], Reading] = read_pair,
    show: Callable[[Pair, Verdict, str], None] | None = None,
) -> dict[str, Counter[str]]:
    """Outcomes counted by kind of pair; pairs that share a figure are read once."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    known: dict[int, tuple[object, Reading]] = {}
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.csv"
        for pair in pairs:
            if not pair.counts:
                continue
            if id(pair.figure) not in known:
                known = {id(pair.figure): (pair.figure, read(pair))}
            data.write_text(pair.table, encoding="utf-8")
            verdict = check(known[id(pair.figure)][1], data)
            result = outcome(pair, verdict)
            counts[pair.kind][result] += 1
            if show is not None:
                show(pair, verdict, result)
    return counts


def report(counts: dict[str, Counter[str]]) -> str:
    """The outcomes as a table, and the two numbers that matter."""
    names = ("hit", "wrong place", "missed", "unsure", "right", "false alarm")
    lines = ["".join(f"{name:>14}" for name in ("kind", *names))]
    for kind, found in counts.items():
        lines.append(f"{kind[:14]:>14}" + "".join(f"{found[name]:>14}" for name in names))
    faults = sum((found for kind, found in counts.items() if kind != "match"), Counter[str]())
    asked = faults["hit"] + faults["wrong place"] + faults["missed"] + faults["false alarm"]
    match = counts.get("match", Counter[str]())
    lines.append(f"differing pairs flagged at the right place: {faults['hit']} of {asked} that were not called unsure")
    lines.append(f"differing pairs flagged at the right place: {faults['hit']} of all {asked + faults['unsure']}")
    lines.append(f"matching pairs flagged: {match['false alarm']} of {match.total()}, called unsure: {match['unsure']}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--figures", type=int, default=60)
    parser.add_argument("--matches", type=int, default=0, help="matching pairs alone, of all chart types, besides")
    parser.add_argument("--misses", action="store_true", help="print every pair that did not come out as it should")
    options = parser.parse_args()

    def show(pair: Pair, verdict: Verdict, result: str) -> None:
        if options.misses and result not in ("hit", "right"):
            print(f"{pair.id} {pair.figure.chart_type}: {result}; {verdict.verdict}: {verdict.reason}")

    pairs = chain(make_pairs(options.seed, options.figures), make_matches(options.seed, options.matches))
    print(report(measure(pairs, show=show)))


if __name__ == "__main__":
    main()
