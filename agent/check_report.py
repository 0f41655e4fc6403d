"""How a check is shown: JSON, a readable table, an overlay of the table's values on the figure, one HTML page.

Not handled here: checking. The page is self-contained: pictures are inlined, nothing is loaded.
"""

from __future__ import annotations

import base64
import html
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from agent.findings import Finding
from tools.types import Image, Rgb

if TYPE_CHECKING:
    from agent.checking import Verdict
    from agent.panel_check import PanelCheck

WORDS = {
    "match": "consistent", "mismatch": "discrepancies found", "not_verifiable": "not verifiable",
    "not_comparable": "nothing that can be compared",
}  # fmt: skip
GOOD, BAD, DOUBT = (0, 140, 70), (220, 20, 60), (230, 140, 0)
PLAIN = "the figure shows another value"  # what `value differs` says by itself
SHOWN = 40  # findings printed; the JSON holds all


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """The verdict, its findings and the map of columns as JSON-able values."""
    return {
        "verdict": verdict.verdict, "reason": verdict.reason, "exit_code": verdict.exit_code,
        "figure": verdict.figure.figure.source, "sha256": verdict.figure.figure.sha256, "data": verdict.data,
        "tolerance": verdict.tolerance, "panels": [panel_json(panel) for panel in verdict.panels],
        "findings": [finding.to_json() for finding in verdict.findings],
    }  # fmt: skip


def panel_json(panel: PanelCheck) -> dict[str, Any]:
    """Which columns a panel shows, by which recipe, and how many rows were compared."""
    links = [
        {"series": link.drawn.name, "column": link.curve.name, "columns": list(link.curve.columns),
         "rows_placed_by": link.places.how, "agreement": round(link.cells.score, 3), "rows": link.cells.counted}
        for link in panel.links
    ]  # fmt: skip
    return {
        "panel": panel.number, "title": panel.title, "reason": panel.reason,
        "table": panel.table.title if panel.table else None, "recipe": panel.recipe, "series": links,
        "error_bars": panel.ends, "notes": list(panel.table.notes) if panel.table else [], "rows": vars(panel.tally),
    }  # fmt: skip


def as_text(verdict: Verdict) -> str:
    """The verdict for a terminal or a log: one line, the map, then a table of findings."""
    lines = [f"{WORDS[verdict.verdict]}: {verdict.reason}"]
    for panel in verdict.panels:
        lines.append(_panel_line(panel))
        lines += [f"  note: {note}" for note in (panel.table.notes if panel.table else ())]
    findings = verdict.findings
    if findings:
        rows: list[tuple[str, ...]] = [
            ("", "kind", "panel", "series", "x", "figure", "interval", "table", "difference")
        ]
        rows += [_row(finding) for finding in findings[:SHOWN]]
        widths = [min(34, max(len(row[k]) for row in rows)) for k in range(len(rows[0]))]
        lines.append("")
        for row in rows:
            cells = [cell if len(cell) <= w else cell[: w - 1] + "…" for cell, w in zip(row, widths, strict=True)]
            lines.append("  ".join(cell.ljust(w) for cell, w in zip(cells, widths, strict=True)).rstrip())
        if len(findings) > SHOWN:
            lines.append(f"... and {len(findings) - SHOWN} more in the JSON")
        notes = [f for f in findings[:SHOWN] if f.message != PLAIN]
        lines += ["", *dict.fromkeys(f"{finding.kind}: {finding.message}" for finding in notes)]
    return "\n".join(lines).rstrip() + "\n"


def _panel_line(panel: PanelCheck) -> str:
    if panel.reason and not panel.links:
        return f"panel {panel.number}: {panel.reason}"
    tally = panel.tally
    title = f"panel {panel.number}" + (f" ({panel.title})" if panel.title else "")
    shown = ", ".join(f"{link.drawn.name} = {link.curve.name}" for link in panel.links[:8])
    shown += "".join(f"; error bars of {name}: {what}" for name, what in panel.ends.items())
    counts = f"{tally.agree} agree, {tally.within_error} within reading error, {tally.differ} differ, "
    counts += f"{tally.unsure} unsure, {tally.unseen} not shown"
    return f"{title}, {panel.recipe}: {shown}; rows: {counts}"


def number(value: float | None) -> str:
    """A number as people read it; blank for none."""
    return "" if value is None or not math.isfinite(value) else f"{value:.5g}"


def _row(finding: Finding) -> tuple[str, ...]:
    interval = f"{number(finding.low)} to {number(finding.high)}" if finding.low is not None else ""
    percent = finding.percent
    parts = [f"{100 * finding.share:.1f} % of axis" if finding.share is not None else "",
             f"{percent:+.1f} %" if percent is not None else ""]  # fmt: skip
    mark = {"discrepancy": "!!" if finding.severity == "high" else "!", "not verifiable": "?", "note": "i"}
    return (
        mark[finding.ruling], finding.kind, str(finding.panel), finding.series, finding.x, number(finding.figure),
        interval,
        number(finding.table), ", ".join(part for part in parts if part),
    )  # fmt: skip


def overlay(verdict: Verdict) -> Image:
    """(H, W, 3) uint8: the figure faded, the table's values as small crosses, disagreements circled and joined to what
    the figure shows."""
    import cv2

    pixels = verdict.figure.figure.pixels
    canvas = np.ascontiguousarray((pixels.astype(np.float32) * 0.5 + 255 * 0.5).astype(np.uint8))
    for panel in verdict.panels:
        for link in panel.links:
            good = set(link.cells.rows("agrees", "within tolerance", "within reading error"))
            for i, (at, value) in enumerate(zip(link.cells.pixels, link.cells.table, strict=True)):
                place = link.drawn.point(float(at), float(value)) if not link.drawn.stacked else _end(link, i)
                _mark(canvas, place, GOOD if i in good else DOUBT, cv2.MARKER_TILTED_CROSS, 5)
    for finding in reversed(verdict.findings):
        colour = BAD if finding.ruling == "discrepancy" else DOUBT
        if finding.ruling == "note" or finding.table_pixel is None:
            continue
        _mark(canvas, finding.table_pixel, colour, cv2.MARKER_CROSS, 13)
        if finding.pixel is not None and _inside(canvas, finding.pixel):
            centre = (round(finding.pixel[0]), round(finding.pixel[1]))
            cv2.circle(canvas, centre, 8, colour, 2, cv2.LINE_AA)
            if _inside(canvas, finding.table_pixel):
                other = (round(finding.table_pixel[0]), round(finding.table_pixel[1]))
                cv2.line(canvas, centre, other, colour, 1, cv2.LINE_AA)
    return canvas


def _end(link: Any, i: int) -> tuple[float, float]:
    """A stack's segment stands on others: the place is the figure's own."""
    mark = int(link.cells.marks[i])
    return (math.nan, math.nan) if mark < 0 else (float(link.drawn.places[mark, 0]), float(link.drawn.places[mark, 1]))


def _inside(canvas: Image, place: tuple[float, float]) -> bool:
    x, y = place
    return math.isfinite(x) and math.isfinite(y) and 0 <= x < canvas.shape[1] and 0 <= y < canvas.shape[0]


def _mark(canvas: Image, place: tuple[float, float], colour: Rgb, kind: int, size: int) -> None:
    import cv2

    if _inside(canvas, place):
        cv2.drawMarker(canvas, (round(place[0]), round(place[1])), colour, kind, size, 1, cv2.LINE_AA)


def png(pixels: Image) -> bytes:
    """An image as PNG bytes."""
    from PIL import Image as Pictures

    out = io.BytesIO()
    Pictures.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#222}
table{border-collapse:collapse;width:100%;font-size:13px}td,th{border-bottom:1px solid #ddd;padding:.3rem .5rem;
text-align:left;vertical-align:top}img{max-width:100%;border:1px solid #ddd}.discrepancy td:first-child{color:#c0143c}
.note td:first-child,.not td:first-child{color:#b36b00}h1 small{font-weight:normal;color:#666}"""


def page(verdicts: Sequence[Verdict], title: str = "Figures against their data") -> str:
    """One self-contained HTML page about one check or many."""
    parts = [f"<h1>{html.escape(title)}</h1>"]
    for verdict in verdicts:
        parts.append(_section(verdict))
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>\n'


def _section(verdict: Verdict) -> str:
    name = Path(verdict.figure.figure.source).name or "figure"
    picture = base64.b64encode(png(overlay(verdict))).decode("ascii")
    lines = "".join(f"<li>{html.escape(_panel_line(panel))}</li>" for panel in verdict.panels)
    heads = ("ruling", "kind", "panel", "series", "x", "figure", "interval", "table", "difference", "what it means")
    rows = "".join(
        f'<tr class="{finding.ruling.split()[0]}"><td>{finding.ruling}</td>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in (*_row(finding)[1:], finding.message)) + "</tr>"
        for finding in verdict.findings[:400]
    )  # fmt: skip
    table = f"<table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{rows}</table>" if rows else ""
    key = "Green crosses: values of the table that agree. Red: discrepancies. Orange: could not be judged."
    return (
        f"<h2>{html.escape(name)} <small>against {html.escape(verdict.data)}</small></h2>"
        f"<p><b>{WORDS[verdict.verdict]}</b>: {html.escape(verdict.reason)}</p><ul>{lines}</ul>"
        f'<p><img alt="the table drawn over the figure" src="data:image/png;base64,{picture}"><br>{key}</p>{table}'
    )
