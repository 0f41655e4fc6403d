"""The sub-commands of `plotcaliper benchmark`: list, make, run, score, report; the command line hangs them in.

Everything heavy is imported by the command that needs it. Not handled here: what the benchmarks are (`benchmark`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn

import typer

app = typer.Typer(help="Make, run, score and report benchmarks.", no_args_is_help=True)


@app.command("list")
def list_benchmarks() -> None:
    """The benchmarks that can be made, and the public data sets that can be loaded."""
    from evaluation.benchmark import listing

    for name, how, words in listing():
        print(f"{name:16} {how:10} {words}")


@app.command()
def make(
    name: Annotated[str, typer.Argument(help="A benchmark or a loader; see `benchmark list`.")],
    out: Annotated[Path, typer.Option(help="The set's folder; must be empty.")],
    limit: Annotated[int | None, typer.Option(min=1, help="Charts to draw (100) or to load (all).")] = None,
    seed: Annotated[int, typer.Option(help="The same seed makes the same set.")] = 42,
    k: Annotated[str, typer.Option(help="density: charts in a figure, separated by commas.")] = "1,3,6,9",
    source: Annotated[
        Path | None,
        typer.Option("--from", help="A public data set to load, charts for density, or papers for plotground."),
    ] = None,
    images: Annotated[str, typer.Option(help="Sub-folder of the pictures, where --from leaves it open.")] = "",
    tables: Annotated[str, typer.Option(help="Sub-folder of the tables.")] = "",
) -> None:
    """Make or load a set: images/, truth/, index.jsonl."""
    _guarded(lambda: print(_make(name, out, limit, seed, k, source, images, tables)))


@app.command()
def run(
    folder: Annotated[Path, typer.Argument(metavar="SET", help="A set made with `benchmark make`.")],
    out: Annotated[Path, typer.Option(help="The run's folder; an earlier run there is continued.")],
    methods: Annotated[str, typer.Option(help="Names separated by commas.")] = "offline",
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many figures.")] = None,
    seed: Annotated[int | None, typer.Option(help="Draw the figures for --limit with this seed.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Figures read at the same time.")] = 1,
    scheduler: Annotated[str | None, typer.Option(help="Read on a Dask cluster instead, e.g. tcp://host:8786.")] = None,
    evidence: Annotated[
        str, typer.Option(help="plotground: figure, figure in the paper's terms, table, both; separated by commas.")
    ] = "",
) -> None:
    """Run methods over a set. Goes on where it stopped."""
    from evaluation.benchmark import run as run_set

    options = {"limit": limit, "seed": seed, "workers": workers, "scheduler": scheduler,
               "evidence": [one.strip() for one in evidence.split(",") if one.strip()]}  # fmt: skip
    _guarded(lambda: run_set(folder, methods.split(","), out, **options))  # type: ignore[arg-type]
    print(out)


@app.command()
def score(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run made with `benchmark run`.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the tables as JSON.")] = False,
) -> None:
    """Score what the methods of a run wrote; runs nothing."""
    _guarded(lambda: _score(folder, as_json))


@app.command()
def report(folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run.")]) -> None:
    """Write RUN/report.html, self-contained, and RUN/tables/*.csv."""
    from evaluation.benchmark import open_run
    from evaluation.benchmark import score as score_run
    from evaluation.report import write_report

    def write() -> None:
        found = open_run(folder)
        print(write_report(found, score_run(found)))

    _guarded(write)


def fail(message: str) -> NoReturn:
    """Say one sentence on stderr and leave with exit code 2."""
    print(f"plotcaliper: {message}", file=sys.stderr)
    raise typer.Exit(2)


def _guarded(work: Callable[[], object]) -> None:
    try:
        work()
    except ModuleNotFoundError as error:
        fail(f"this needs {error.name}, which is not installed: pip install 'plotcaliper[bench]'")
    except (OSError, ValueError) as error:
        fail(str(error))


NO_LOADER = {
    "chartab": "ChartAB's public pairs are not loaded: the layout of their files is not known here. Leave --from out "
    "to draw pairs of the same sorts, or compare two figures with `plotcaliper diff FIGURE_A FIGURE_B`",
}


def _make(
    name: str, out: Path, limit: int | None, seed: int, k: str, source: Path | None, images: str, tables: str
) -> str:
    from evaluation.benchmark import MAKERS
    from evaluation.benchmark import make as make_set
    from evaluation.loaders import LOADERS, load_public, write_loaded

    if name in LOADERS and (source is not None or name not in MAKERS):
        if source is None:
            raise ValueError(f"{LOADERS[name]}: name its folder with --from (nothing is downloaded)")
        if out.exists() and any(out.iterdir()):
            raise ValueError(f"{out} is not empty; choose another --out")
        charts = load_public(name, source, images=images, tables=tables, limit=limit)
        count = write_loaded(charts, out, "epicurve" if name == "epicurvebench" else "plain")
        return f"{out}: {count} figures loaded"
    if source is not None and name not in ("density", "plotground"):
        raise ValueError(
            NO_LOADER.get(name, f"{name} is drawn here and takes no --from; `benchmark list` names what is loaded")
        )
    if not all(part.strip().isdigit() for part in k.split(",")):
        raise ValueError(f"--k wants numbers separated by commas, not {k!r}")
    ks = [int(part) for part in k.split(",")]
    count = make_set(name, out, limit=limit or 100, seed=seed, ks=ks, charts=source)
    return f"{out}: {count} figures of {name} ({MAKERS[name]})"


def _score(folder: Path, as_json: bool) -> None:
    from evaluation.benchmark import open_run
    from evaluation.benchmark import score as score_run
    from evaluation.report import mixed_terms
    from evaluation.report_tables import sheets_of

    found = open_run(folder)
    results = score_run(found)
    sheets = sheets_of(results, found.benchmark, mixed_terms(found, results))
    if as_json:
        made = [{"title": s.title, "header": list(s.header), "rows": [list(row) for row in s.rows]} for s in sheets]
        print(json.dumps(made, indent=1, ensure_ascii=False))
        return
    from rich.console import Console
    from rich.table import Table

    from evaluation.report import text

    console = Console(width=None if console_is_wide() else 150)
    for sheet in sheets:
        table = Table(title=sheet.title, title_justify="left", caption=sheet.words or None, caption_justify="left")
        for column in sheet.header:
            table.add_column(column, justify="left" if column == sheet.header[0] else "right")
        for row in sheet.rows:
            table.add_row(*map(text, row))
        console.print(table)


def console_is_wide() -> bool:
    """Whether somebody watches in a terminal; a pipe gets 150 columns."""
    return sys.stdout.isatty()
