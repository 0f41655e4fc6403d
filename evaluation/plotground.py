"""PlotGround: a set from papers (made here, or a folder of one's own), and a run of its questions over methods.

A set holds `images/` (pixels alone, under neutral names), `tables/<paper>/`, `questions.jsonl`, and apart from them
`truth/`: the answers, and what the pipeline did with every panel. The published questions are announced, not out: there
is no loader for them. Not handled here: the pipeline (the runner has it run), scoring (`plotground_analysis`).
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.asked import Ask, Questioned
from evaluation.draw_papers import draw_papers, truth_of, write_paper
from evaluation.plotground_analysis import rows_of
from evaluation.runner import answer_figures, work_papers

EVIDENCE = ("figure", "figure in the paper's terms", "table", "both")
FORMS = ("xml", "md", "txt")
WORKERS = 2


def write_set(out: Path, limit: int, seed: int, source: Path | None = None) -> int:
    """Write a set; returns how many figures it has.

    `limit`: figures to draw. `source`: a folder of papers, a folder each, or of one paper; then nothing is drawn and
    `limit` counts papers. Raises ValueError where it holds none, or none of them can be used.
    """
    folders = _draw(out, limit, seed) if source is None else papers_in(source)[:limit]
    worked = work_papers(folders, WORKERS)
    usable = [one for one in worked if not one["problem"]]
    if not usable:
        raise ValueError(f"no paper can be used: {'; '.join(one['problem'] for one in worked[:3])}")
    records = [record for one in usable for record in write_paper_files(out, one)]
    (out / "truth").mkdir(exist_ok=True)
    _lines(out / "truth" / "grounding.jsonl", records)
    _lines(out / "papers.jsonl", [{"paper": one["paper"], "problem": one["problem"], "notes": one["notes"]}
                                  for one in worked])  # fmt: skip
    asked = [(record["id"], k, q) for record in records for k, q in enumerate(record["questions"], 1)]
    plain = [{"id": f"{name}-q{k}", "figure": name, "text": q["text"], "rewritten": q["rewritten"]}
             for name, k, q in asked]  # fmt: skip
    answers = [{**row, "kind": q["kind"], "answer": q["answer"], "panel": q["panel"]}
               for row, (_, _, q) in zip(plain, asked, strict=True)]  # fmt: skip
    _lines(out / "questions.jsonl", plain)
    _lines(out / "truth" / "answers.jsonl", answers)
    _lines(out / "index.jsonl", [{"id": r["id"], "paper": r["paper"], "image": f"images/{r['id']}.png", "truth": [],
                                  "kind": r["panels"][0]["kind"] if r["panels"] else ""} for r in records])  # fmt: skip
    return len(records)


def _draw(out: Path, limit: int, seed: int) -> list[Path]:
    """Draw papers; what is true of them goes to `truth/`, their files to `papers/`."""
    papers = draw_papers(limit, seed)
    for k, paper in enumerate(papers):
        write_paper(paper, out / "papers" / paper.id, FORMS[k % len(FORMS)])
    (out / "truth").mkdir(exist_ok=True)
    _lines(out / "truth" / "panels.jsonl", [row for paper in papers for row in truth_of(paper)])
    return [out / "papers" / paper.id for paper in papers]


def papers_in(source: Path) -> list[Path]:
    """The folders of papers in a folder; the folder itself where it has no folder that holds a text.

    Raises ValueError where there is no folder.
    """
    if not source.is_dir():
        raise ValueError(f"{source} is no folder of papers (each with its text, figures and source tables)")
    texts = (".xml", ".nxml", ".md", ".markdown", ".txt")
    found = [one for one in sorted(source.iterdir()) if one.is_dir()
             and any(path.suffix.lower() in texts for path in one.iterdir())]  # fmt: skip
    return found or [source]


def write_paper_files(out: Path, worked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Copy the pixels and tables of a worked paper into a set; the records of its figures."""
    from PIL import Image

    images, tables = out / "images", out / "tables" / worked["paper"]
    for folder in (images, tables):
        folder.mkdir(parents=True, exist_ok=True)
    for path in worked["tables"]:
        shutil.copyfile(path, tables / Path(path).name)
    records = []
    for one in worked["figures"]:
        name = f"{worked['paper']}-F{one['figure']}"
        if one["pixels"] is None:
            continue
        Image.fromarray(one["pixels"]).save(images / f"{name}.png")
        records.append({"id": name, "paper": worked["paper"], **{k: v for k, v in one.items() if k != "pixels"}})
    return records


def _lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def questioned(folder: Path, limit: int | None = None, seed: int | None = None) -> list[Questioned]:
    """The figures of a set that have questions, without their answers; `limit` of them, the first or by `seed`."""
    paper = {row["id"]: row["paper"] for row in rows_of(folder / "index.jsonl")}
    asked: dict[str, list[Ask]] = {}
    for row in rows_of(folder / "questions.jsonl"):
        asked.setdefault(row["figure"], []).append(Ask(row["id"], row["text"], row["rewritten"]))
    found = [Questioned(name, folder / "images" / f"{name}.png", folder / "tables" / paper[name], tuple(questions))
             for name, questions in asked.items()]  # fmt: skip
    if limit is not None and limit < len(found):
        chosen = range(limit) if seed is None else sorted(np.random.default_rng(seed).permutation(len(found))[:limit])
        found = [found[k] for k in chosen]
    return found


def answer(
    figures: Sequence[Questioned], method: str, home: Path, evidence: Sequence[str], workers: int, time_limit: float
) -> None:
    """Answer the questions by a method: `HOME/answers/<figure>.json`; what is there already is kept."""
    answer_figures(figures, method, home / "answers", evidence, workers, time_limit)


def answers_in(home: Path, ids: Sequence[str]) -> list[dict[str, Any]]:
    """The answers that a run left for these figures."""
    found = []
    for name in ids:
        path = home / "answers" / f"{name}.json"
        if path.is_file():
            found += json.loads(path.read_text(encoding="utf-8"))["answers"]
    return found
