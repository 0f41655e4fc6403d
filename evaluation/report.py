"""A benchmark run as one self-contained HTML page, and its tables as CSV files beside it.

Not handled here: scoring (`benchmark`), the tables (`report_tables`) and plots (`report_plots`).
"""

from __future__ import annotations

import base64
import csv
import html
import io
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from evaluation import density, epicurve, plotground_analysis, report_plots
from evaluation.bench import loss
from evaluation.benchmark import MethodResult, RunFolder, compound_of, method_home, set_facts
from evaluation.calibration import classes
from evaluation.report_tables import Sheet, Value, overall, sheets_of
from evaluation.stats import Term
from evaluation.truth import load_samples

WORST = 6
THUMB = 900  # px: the longer side of an overlay in the page
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1000px; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: .6em 0 1.6em; font-variant-numeric: tabular-nums }
th, td { padding: .2em .7em; text-align: right; border-bottom: 1px solid #ddd } th { border-bottom: 2px solid #888 }
th:first-child, td:first-child { text-align: left } h2 { margin-bottom: 0 } p.words { margin: 0; color: #555 }
img { max-width: 100%; border: 1px solid #ddd } figure { margin: 1.2em 0 } svg { max-width: 100%; height: auto }
"""


def write_report(found: RunFolder, results: Sequence[MethodResult]) -> Path:
    """Write `report.html` and a CSV per table into the run's folder; returns the page.

    The page holds its pictures and fetches nothing. The CSV files hold the same numbers.
    """
    terms = mixed_terms(found, results)
    sheets = sheets_of(results, found.benchmark, terms)
    folder = found.path / "tables"
    folder.mkdir(parents=True, exist_ok=True)
    for number, sheet in enumerate(sheets, 1):
        (folder / f"{number:02d}-{_slug(sheet.title)}.csv").write_text(_csv(sheet), encoding="utf-8")
    parts = [f"<h1>Benchmark {html.escape(found.benchmark)}</h1>", f"<p>{len(found.ids)} figures; methods: "
             f"{html.escape(', '.join(found.methods))}.</p>", _table(sheets[0]), *plots(found, results),
             *map(_table, sheets[1:]), *worst(found, results)]  # fmt: skip
    page = found.path / "report.html"
    head = f'<meta charset="utf-8"><title>{html.escape(found.benchmark)}</title><style>{STYLE}</style>'
    page.write_text(f"<!doctype html><html lang=\"en\"><head>{head}</head><body>{''.join(parts)}</body></html>\n",
                    encoding="utf-8")  # fmt: skip
    return page


def mixed_terms(found: RunFolder, results: Sequence[MethodResult]) -> tuple[Term, ...]:
    """The mixed-effects model over the methods of a density run; empty for others."""
    if found.benchmark != "density":
        return ()
    return density.mixed({one.method: compounds(found, one) for one in results})


def compounds(found: RunFolder, one: MethodResult) -> list[density.Compound]:
    """The compounds of a run as a method read them; those that could not be scored are left out."""
    facts, lost = set_facts(found.set), {name for name, _ in one.unscored}
    home = method_home(found.path, one.method) / "predictions"
    samples = [s for s in load_samples(found.set / "images", found.set / "truth") if s.id in set(found.ids) - lost]
    return [compound_of(s, home / s.id, facts.get(s.id, {})) for s in samples]


def plots(found: RunFolder, results: Sequence[MethodResult]) -> list[str]:
    """The plots that fit the benchmark, as HTML."""
    if found.benchmark == "plotground":
        from evaluation.report_plotground import points

        asked = [
            (one.method, one.analysis) for one in results if isinstance(one.analysis, plotground_analysis.Analysis)
        ]
        return [f"<figure>{report_plots.pareto(points(asked), 'right within 5 %, in %')}</figure>"]
    scores = {one.method: [v for s in one.bench if (v := s.values["ecs"]) is not None] for one in results}
    made = [report_plots.scores_by_figure({m: v for m, v in scores.items() if v})]
    epi = {one.method: one.analysis for one in results if isinstance(one.analysis, epicurve.Analysis)}
    parts = {m: asdict(a.components) for m, a in epi.items() if a.components is not None}
    if parts:
        made.append(report_plots.decomposition(parts))
    dense = {one.method: one.analysis for one in results if isinstance(one.analysis, density.Analysis)}
    if dense:
        made += [report_plots.density_curves({m: {k: a.per_k[k].get(name) for k in a.per_k} for m, a in dense.items()},
                                             name.upper()) for name in density.MEASURES]  # fmt: skip
        errors = density.chart_errors(compounds(found, results[0]), "mae")
        ks = sorted({k for _, k in errors})
        pairs = [(errors[c, ks[0]], v) for (c, k), v in errors.items() if k == ks[-1] and (c, ks[0]) in errors]
        made.append(report_plots.paired_scatter(pairs, f"MAE alone ({results[0].method})", f"MAE among {ks[-1]}"))
    made += calibrations(results)
    if any(one.dollars for one in results):
        made.append(report_plots.pareto(overall(results)))
    return [f"<figure>{text}</figure>" for text in made]


def calibrations(results: Sequence[MethodResult]) -> list[str]:
    """Errors against stated intervals and, of ensembles, against the spread of the members, as SVG."""
    halves = {one.method: [(c.half, c.error) for c in classes(one.cells)[:-1]] for one in results if one.cells}
    spreads = {one.method: [(c.spread or 0.0, c.error) for c in found[:-1]] for one in results
               if (found := classes(one.cells, "spread"))}  # fmt: skip
    told = (("half of the stated 90 % interval", halves), ("spread of the members", spreads))
    return [report_plots.calibration(points, words) for words, points in told if points]


def worst(found: RunFolder, results: Sequence[MethodResult]) -> list[str]:
    """The figures of greatest loss with the reading drawn over them."""
    ranked = sorted(((loss(s), one.method, s) for one in results for s in one.bench if not s.unscored),
                    key=lambda t: -t[0])  # fmt: skip
    shown = ["<h2>Worst cases</h2>"]
    for lost, method, one in ranked[:WORST]:
        overlay = method_home(found.path, method) / "predictions" / one.id / "overlay.png"
        ecs = one.values["ecs"]
        words = f"{one.id}, {method}: " + (f"ECS {100 * ecs:.1f} %" if ecs is not None else f"loss {100 * lost:.1f} %")
        picture = f'<img alt="overlay" src="data:image/png;base64,{_thumb(overlay)}">' if overlay.is_file() else ""
        shown.append(f"<figure><figcaption>{html.escape(f'{words} {one.reason}')}</figcaption>{picture}</figure>")
    return shown if len(shown) > 1 else []


def _thumb(path: Path) -> str:
    from PIL import Image

    picture = Image.open(path).convert("RGB")
    picture.thumbnail((THUMB, THUMB))
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return base64.b64encode(out.getvalue()).decode("ascii")


def _table(sheet: Sheet) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in sheet.header)
    rows = "".join("<tr>" + "".join(f"<td>{html.escape(text(v))}</td>" for v in row) + "</tr>" for row in sheet.rows)
    words = f'<p class="words">{html.escape(sheet.words)}</p>' if sheet.words else ""
    return f"<h2>{html.escape(sheet.title)}</h2>{words}<table><tr>{head}</tr>{rows}</table>"


def text(value: Value) -> str:
    """A cell for people: a dash where nothing is known.

    >>> text(None), text(0.25), text(3)
    ('–', '0.25', '3')
    """
    return "–" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def _csv(sheet: Sheet) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(sheet.header)
    writer.writerows(["" if v is None else v for v in row] for row in sheet.rows)
    return out.getvalue()


def _slug(title: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in title.lower()).split())[:60]
