"""Refine: one model call for meaning and rough values, or any table from anywhere; then every value goes onto the ink.

The tools calibrate and measure as the offline policy does; the draft says which rows, names and panels there are. What
cannot be put onto the ink stays, marked as said. Not handled here: asking twice, correcting axes (`loop`).
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import numpy as np

from agent import offline
from agent.methods import Method
from agent.pictures import whole_figure
from agent.reading import PanelReading, Reading, reading_of, versions
from agent.replies import FormatFailure, tables_in
from agent.single_shot import ask, panel_said
from agent.stopping import Stop
from agent.trajectory import Trajectory
from prompts import fill, hash_of, load
from tools.align import assign
from tools.drafts import Draft, parse_draft, series_of
from tools.snap_keys import place_keys
from tools.types import Figure, Unreadable
from tools.workbench import ToolError, Workbench

TABLES = (".tsv", ".csv", ".txt", ".md")


class NoDraft(ValueError):
    """There is no draft for this figure; the text says where it was looked for."""


def refine(figure: Figure, method: Method) -> Reading:
    """Read a figure from a draft: the model's, or the tables that `method.options.draft` names.

    Raises NoDraft where a draft was promised and is not there. What goes wrong with the model is in the reading, which
    is then the offline one.
    """
    started = time.perf_counter()
    bench = Workbench(figure)
    warnings = offline.read(bench)
    path = Trajectory(method.name, figure.source, figure.sha256, "", versions=versions())
    drafts: list[Draft] = []
    failed = ""
    if method.options.draft:
        drafts = drafts_for(Path(method.options.draft), Path(figure.source).stem)
        path.ended = "given"
    elif method.asks:
        try:
            drafts = asked_drafts(figure, method, path)
        except FormatFailure as failure:
            path.ended = f"format failure: {failure}"
        except Stop as stop:
            path.ended, failed = f"{type(stop).__name__}: {stop}", str(stop) if stop.outside else ""
    notes = list(path.warnings)
    if not drafts:
        notes.append(f"there is no draft ({path.ended}): this is the offline reading")
    told = [list(one) for one in warnings]
    lost = place_drafts(bench, drafts, told, notes)
    seconds = time.perf_counter() - started
    reading = reading_of(
        bench, [tuple(dict.fromkeys(one)) for one in told], method, seconds=seconds, warnings=tuple(notes),
        usage=path.usage, prompt=path.prompt, model=path.model, failed=failed,
        trajectory=path if path.messages else None,
    )  # fmt: skip
    return with_lost(reading, lost)


def asked_drafts(figure: Figure, method: Method, path: Trajectory) -> list[Draft]:
    """The tables that the model says. Raises Stop and FormatFailure."""
    backend = method.open()
    template = load(method.options.prompt or "refine")
    path.prompt, path.model = hash_of(template), backend.model
    _, picture = whole_figure(figure, backend.limit)
    own = {} if "{{" not in template else {"width": picture.width, "height": picture.height}
    asked = ask(backend, fill(template, **own), [picture], method.options.effort, method.options.code)
    path.messages, path.spent, path.model = asked.messages, asked.spent, asked.model
    path.warnings += asked.warnings
    found = tables_in(asked.text)
    path.warnings += found.warnings
    path.ended = "answered"
    return list(found.drafts)


def drafts_for(place: Path, stem: str) -> list[Draft]:
    """The tables of one figure: a file, or in a folder `<stem>.tsv`, `<stem>_panel1.tsv`, ... or `<stem>/panel_1.tsv`.

    Raises NoDraft, and OSError where a file cannot be read.
    """
    files = [place] if place.is_file() else _in_folder(place, stem)
    if not files:
        raise NoDraft(f"there is no draft for {stem} in {place}: {stem}.tsv or {stem}_panel1.tsv is wanted")
    drafts: list[Draft] = []
    for file in files:
        text = file.read_bytes().decode("utf-8", errors="replace")
        if file.suffix.lower() in (".md", ".txt"):
            drafts += tables_in(text).drafts
            continue
        found = parse_draft(text)
        if isinstance(found, Unreadable):
            raise NoDraft(f"{file} is no table: {found.reason}")
        drafts.append(found)
    return drafts


def _in_folder(place: Path, stem: str) -> list[Path]:
    pattern = re.compile(re.escape(stem) + r"(?:_panel_?(\d+))?")
    near = [path for path in (sorted(place.iterdir()) if place.is_dir() else []) if path.suffix.lower() in TABLES]
    numbered = {int(found[1] or 0): path for path in near if (found := pattern.fullmatch(path.stem))}
    inside = {int(found[1]): path for path in (place / stem).glob("panel_*") if path.suffix.lower() in TABLES
              and (found := re.fullmatch(r"panel_(\d+)", path.stem))}  # fmt: skip
    chosen = numbered or inside
    return [chosen[number] for number in sorted(chosen)]


def place_drafts(bench: Workbench, drafts: list[Draft], warnings: list[list[str]], notes: list[str]) -> list[Draft]:
    """Put each draft onto its panel; the drafts that have none are given back."""
    pairs = pair_panels(bench, drafts)
    for index, number in pairs.items():
        draft = drafts[index]
        text = "\n".join("\t".join(row) for row in (draft.header, *draft.rows))
        try:
            bench.propose_table(number, text)
        except ToolError as error:
            notes.append(f"table {index + 1}: {error}")
            continue
        snapped = bench.snapped[number]
        panel = bench.panels[number - 1]
        warnings[number - 1] = [*panel.warnings, *offline.doubts(bench, number), *draft.warnings, *snapped.warnings]
    lost = [draft for index, draft in enumerate(drafts) if index not in pairs]
    if lost:
        notes.append(
            f"{len(lost)} of {len(drafts)} tables belong to no panel that was found: they stay as they were said"
        )
    if drafts:
        notes += [f"panel {n}: the draft has no table for it; measured without one"
                  for n in range(1, len(bench.panels) + 1) if n not in pairs.values()]  # fmt: skip
    return lost


def pair_panels(bench: Workbench, drafts: list[Draft]) -> dict[int, int]:
    """{draft: panel number}: in reading order where there are as many, else by how well they fit the axes."""
    count = len(bench.panels)
    if len(drafts) == count:
        return {index: index + 1 for index in range(count)}
    fits = np.array([[_fit(bench, number, draft) for number in range(1, count + 1)] for draft in drafts])
    in_order = np.array([[1 - abs(i - j) / max(len(drafts), count) for j in range(count)] for i in range(len(drafts))])
    return {i: j + 1 for i, j in assign(fits + 0.2 * in_order, 0.3)} if fits.size else {}


def _fit(bench: Workbench, number: int, draft: Draft) -> float:
    """The share of a draft's rows and values that lie within the axes of a panel."""
    panel = bench.panels[number - 1]
    shares = [float(np.isfinite(place_keys(axis, [row[0] for row in draft.rows], panel.plot).pixels).mean())
              for axis in (panel.x, panel.y) if axis is not None]  # fmt: skip
    values = np.concatenate([one.values for one in series_of(draft)] or [np.zeros(0)])
    values = values[np.isfinite(values)]
    inside = 0.0
    for axis in panel.axes if len(values) else ():
        ends = (panel.plot.x0, panel.plot.x1) if axis.horizontal else (panel.plot.y0, panel.plot.y1)
        pixels = axis.to_pixel(values)
        inside = max(inside, float(np.mean((pixels > ends[0] - 30) & (pixels < ends[1] + 30))))
    return 0.5 * max(shares, default=0.0) + 0.5 * inside


def with_lost(reading: Reading, lost: list[Draft]) -> Reading:
    """The reading with the tables that belong to no panel at its end, as they were said."""
    from dataclasses import replace

    said: list[PanelReading] = [panel_said(reading.figure, draft) for draft in lost]
    return replace(reading, panels=(*reading.panels, *said)) if said else reading
