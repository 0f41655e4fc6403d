"""Small papers: a text, its figures and source data, in the manners in which people deposit them.

Manners: sheets named after figures, a sentence that names the sheet, numbered supplementary tables, and no word at all
(then a decoy with the same columns lies beside). Everything is made up. Not handled here: what is drawn
(`draw_sources`), what becomes of a paper (`plotground`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal
from xml.sax.saxutils import escape

import numpy as np

from evaluation.draw import draw_figure
from evaluation.draw_charts import CHART_TYPES, generator
from evaluation.draw_plan import Drawn, FigurePlan, LegendPlan
from evaluation.draw_sources import RECIPES, TRAPS, Rows, Sourced
from evaluation.draw_style import choose_style
from evaluation.draw_words import pick

Manner = Literal["sheets named", "sentence", "supplementary tables", "no word"]
MANNERS: tuple[Manner, ...] = ("sheets named", "sentence", "supplementary tables", "no word")
COUNTS = (1, 2, 2, 3)  # panels of a figure, in turn
LETTERS = "abcdefgh"


@dataclass(frozen=True, eq=False)
class MadeFigure:
    """One figure: its number in the paper, its panels, how it was drawn, and the sheet (file, name) of each panel."""

    number: int
    panels: tuple[Sourced, ...]
    drawn: Drawn
    wheres: tuple[tuple[str, str], ...]

    @property
    def letters(self) -> tuple[str, ...]:
        return tuple(LETTERS[: len(self.panels)])


@dataclass(frozen=True, eq=False)
class MadePaper:
    """A paper: `files` are its tables (name -> sheets), `decoys` the sheets that belong to no figure."""

    id: str
    manner: Manner
    figures: tuple[MadeFigure, ...]
    files: dict[str, dict[str, Rows]] = field(default_factory=dict)


def draw_papers(count: int, seed: int) -> list[MadePaper]:
    """Papers with `count` figures in all, one or two each. The same seed makes the same papers."""
    papers: list[MadePaper] = []
    done = 0
    while done < count:
        size = min(1 + len(papers) % 2, count - done)
        papers.append(_paper(seed, len(papers), done, size))
        done += size
    return papers


def _paper(seed: int, index: int, first: int, size: int) -> MadePaper:
    manner = MANNERS[index % len(MANNERS)]
    files: dict[str, dict[str, Rows]] = {}
    figures = []
    for number in range(1, size + 1):
        sample = first + number - 1
        panels, drawn = _figure(seed, sample)
        wheres = _deposit(manner, number, panels, files, generator(seed, sample, 5))
        figures.append(MadeFigure(number, panels, drawn, wheres))
    return MadePaper(f"P{index + 1:03d}", manner, tuple(figures), files)


def _figure(seed: int, sample: int) -> tuple[tuple[Sourced, ...], Drawn]:
    """The panels of figure `sample`: every third one is a trap, recipes and traps in turn."""
    count = COUNTS[sample % len(COUNTS)]
    before = sum(COUNTS[k % len(COUNTS)] for k in range(sample))
    rng = generator(seed, sample, 2)
    style = choose_style(generator(seed, sample, 1), (1, count))
    dpi = int(rng.integers(130, 181))
    inches = float(rng.uniform(3.7, 4.4)), float(rng.uniform(3.2, 3.8))
    alone = replace(style, numbers=pick(rng, ("plain", "plain", "comma")), language="en", dpi=dpi,
                    size=(round(inches[0] * dpi), round(inches[1] * dpi)))  # fmt: skip
    panels = []
    for k in range(before, before + count):
        builds = TRAPS if k % 3 == 2 else RECIPES
        turn = k // 3 if k % 3 == 2 else k - k // 3
        # A colour means one thing in a figure: else the legend of one panel could be its neighbour's.
        own = alone.palette[3 * (k - before) % len(alone.palette) :] + alone.palette
        made = builds[turn % len(builds)](rng, replace(alone, palette=own))
        title = f"({LETTERS[k - before]})" if count > 1 else ""
        panels.append(replace(made, plan=replace(made.plan, title=title, legend=_legend(made.plan.legend))))
    figure = FigurePlan(tuple(one.plan for one in panels), 1, count,
                        replace(alone, size=(count * alone.size[0], alone.size[1])))  # fmt: skip
    kind = panels[0].plan.chart_type if count == 1 else "compound_mixed"
    return tuple(panels), draw_figure(figure, seed, sample, kind)


def _legend(plan: LegendPlan) -> LegendPlan:
    """A legend outside stands above its own panel, in one column: beside it, it could be the next panel's."""
    return replace(plan, place="top", columns=1) if plan.outside or plan.place == "direct" else plan


def _deposit(
    manner: Manner, number: int, panels: Sequence[Sourced], files: dict[str, dict[str, Rows]], rng: np.random.Generator
) -> tuple[tuple[str, str], ...]:
    """Put the sheets of a figure into the files of its paper; where each panel's went."""
    wheres = []
    for k, one in enumerate(panels):
        letter = LETTERS[k] if len(panels) > 1 else ""
        taken = sum(map(len, files.values()))
        if manner == "supplementary tables":
            file, sheet = f"Table_S{taken + 1}.csv", ""
        elif manner == "sheets named":
            file, sheet = "source_data.xlsx", f"Fig {number}{letter}"
        elif manner == "sentence":
            file, sheet = f"source_data_{number}.xlsx", f"S{taken + 1}"
        else:
            file, sheet = "dataset.xlsx", f"Sheet{taken + 1}"
        files.setdefault(file, {})[sheet] = one.rows
        if manner == "no word" and k == 0:
            files[file][f"Sheet{taken + 2}"] = _decoy(one.rows, rng)
        wheres.append((file, sheet))
    return tuple(wheres)


def _decoy(rows: Rows, rng: np.random.Generator) -> Rows:
    """The same columns and names with other numbers, as of a pilot."""
    first = rows[0]
    kept = {i for i, name in enumerate(first) if i == 0 or any(isinstance(row[i], str) for row in rows[1:])}
    return [first, *([v if i in kept else float(f"{float(v) * rng.uniform(0.3, 0.9):.4g}") for i, v in enumerate(row)]
                     for row in rows[1:])]  # fmt: skip


def write_paper(paper: MadePaper, folder: Path, form: str) -> None:
    """`FOLDER/paper.<form>` (xml, md or txt), `FOLDER/figures/`, `FOLDER/data/`."""
    from PIL import Image

    for name in ("figures", "data"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for figure in paper.figures:
        Image.fromarray(figure.drawn.pixels).save(folder / "figures" / f"figure{figure.number}.png")
    for file, sheets in paper.files.items():
        _write_table(folder / "data" / file, sheets)
    write = {"xml": _xml, "md": _markdown, "txt": _plain}[form]
    (folder / f"paper.{form}").write_text(write(paper), encoding="utf-8")


def _write_table(path: Path, sheets: dict[str, Rows]) -> None:
    if path.suffix == ".csv":
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows(sheets[""])
        path.write_text(out.getvalue(), encoding="utf-8")
        return
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


def title_of(paper: MadePaper) -> str:
    return f"A made-up study of {' and '.join(dict.fromkeys(f.panels[0].topic.lower() for f in paper.figures))}"


def caption_of(figure: MadeFigure) -> str:
    """The caption after its number: a head, and a part for each panel where there are several."""
    if len(figure.panels) == 1:
        return figure.panels[0].caption
    return " ".join(
        ["Main results.", *(f"({x}) {one.caption}" for x, one in zip(figure.letters, figure.panels, strict=True))]
    )


def results_of(paper: MadePaper) -> list[str]:
    """The results: a sentence a panel, and the sentences that state a value."""
    found = []
    for figure in paper.figures:
        for letter, one in zip(figure.letters, figure.panels, strict=True):
            shown = f"{figure.number}{letter}" if len(figure.panels) > 1 else f"{figure.number}"
            found.append(f"We measured {one.topic.lower()} (Fig. {shown}).")
            if one.stated:
                found.append(one.stated)
    return found


def availability(paper: MadePaper) -> list[str]:
    """Where the source data are, in the manner of the paper."""
    found = []
    for figure in paper.figures:
        for letter, (file, sheet) in zip(figure.letters, figure.wheres, strict=True):
            shown = f"{figure.number}{letter}" if len(figure.panels) > 1 else f"{figure.number}"
            if paper.manner == "sentence":
                found.append(f"Source data for Fig. {shown} are in the sheet '{sheet}' of {file}.")
            elif paper.manner == "supplementary tables":
                table = file.removesuffix(".csv").removeprefix("Table_")
                found.append(f"The values behind Figure {shown} are listed in Supplementary Table {table}.")
    return found or ["All data are provided with this paper."]


def _plain(paper: MadePaper) -> str:
    captions = [f"Figure {f.number}. {caption_of(f)}" for f in paper.figures]
    parts = [title_of(paper), "Results", " ".join(results_of(paper)), *captions, "Data availability",
             " ".join(availability(paper))]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _markdown(paper: MadePaper) -> str:
    captions = [f"![](figures/figure{f.number}.png)\n\n**Figure {f.number}.** {caption_of(f)}" for f in paper.figures]
    parts = [f"# {title_of(paper)}", "## Results", " ".join(results_of(paper)), *captions, "## Data availability",
             " ".join(availability(paper))]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _xml(paper: MadePaper) -> str:
    def block(tag: str, words: str) -> str:
        return f"<{tag}>{escape(words)}</{tag}>"

    figures = "".join(
        f'<fig id="F{f.number}"><label>Figure {f.number}</label><caption>{block("p", caption_of(f))}</caption>'
        f'<graphic xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="figure{f.number}"/></fig>'
        for f in paper.figures
    )
    body = block("p", " ".join(results_of(paper))) + figures
    back = block("title", "Data availability") + block("p", " ".join(availability(paper)))
    front = f"<front><article-meta>{block('article-title', title_of(paper))}</article-meta></front>"
    return f"<article>{front}<body><sec>{body}</sec></body><back><sec>{back}</sec></back></article>\n"


def truth_of(paper: MadePaper) -> list[dict[str, Any]]:
    """What is true of each panel of a paper: its sheet, its trap, every value that it draws."""
    found = []
    for figure in paper.figures:
        for letter, one, (file, sheet) in zip(figure.letters, figure.panels, figure.wheres, strict=True):
            trap = one.trap
            found.append({
                "paper": paper.id, "manner": paper.manner, "figure": str(figure.number), "panel": letter,
                "kind": CHART_TYPES[one.plan.chart_type], "file": file, "sheet": sheet,
                "reason": trap.reason if trap and trap.where == "panel" else "",
                "trap": {"claim": trap.claim, "reason": trap.reason, "where": trap.where} if trap else None,
                "trapped": [one.trapped.series, one.trapped.at, one.trapped.statistic] if one.trapped else None,
                "values": [[v.series, v.at, v.statistic, v.value] for v in one.values],
            })  # fmt: skip
    return found
