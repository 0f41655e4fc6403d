"""The command line. Results go to stdout, progress and complaints to stderr; 0 done, 1 partly or no, 2 wrong use.

Everything heavy is imported inside the command that needs it, so that `--help` answers at once.
"""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from agent import method_options as opt
from agent.backend import Usage

if TYPE_CHECKING:
    from agent.batch import Outcome
    from agent.costs import CostLine
    from agent.methods import Method

app = typer.Typer(
    help="Turn the figures of papers back into numbers.", no_args_is_help=True, add_completion=False,
    pretty_exceptions_enable=False, rich_markup_mode=None,
)  # fmt: skip


class Format(StrEnum):
    """How tables are written."""

    tsv = "tsv"
    csv = "csv"
    json = "json"


def fail(message: str, code: int = 2) -> NoReturn:
    """Say one sentence on stderr and leave with this exit code."""
    print(f"plotcaliper: {message}", file=sys.stderr)
    raise typer.Exit(code)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"plotcaliper {version('plotcaliper')}")
        raise typer.Exit


@app.callback()
def plotcaliper(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Turn the figures of papers back into numbers, offline."""


@app.command()
def digitize(
    figures: Annotated[
        list[Path], typer.Argument(help="Pictures (PNG, JPEG, TIFF, ...), PDF or SVG files, or folders of them.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="Write a folder per figure here; without it tables are printed.")
    ] = None,
    page: Annotated[int | None, typer.Option(min=1, help="Only this page of a PDF.")] = None,
    method: Annotated[str, typer.Option(help=f"How to read: {opt.METHOD_HELP}")] = "offline",
    format: Annotated[Format, typer.Option(help="How tables are written.")] = Format.tsv,
    ensemble: Annotated[
        int, typer.Option(min=1, help="Read so often, in different ways, and agree; --method may name several.")
    ] = 1,
    aggregate: Annotated[
        str, typer.Option(help="How an ensemble's cells become one: median, mean, medoid or huber.")
    ] = "median",
    workers: Annotated[int, typer.Option(min=1, help="Figures read at the same time.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option(help="Read on a Dask cluster instead, e.g. tcp://host:8786; needs --out.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Ask a model also about figures that it has read.")] = False,
    base_url: opt.BaseUrl = None,
    effort: opt.Effort = None,
    prompt: opt.Prompt = None,
    draft: opt.Draft = None,
    code: opt.Code = False,
    max_cost: opt.MaxCost = opt.STANDARD.max_cost,
    max_steps: opt.MaxSteps = opt.STANDARD.max_steps,
    max_seconds: opt.MaxSeconds = opt.STANDARD.max_seconds,
    prices: opt.Prices = None,
    record: opt.Record = None,
) -> None:
    """Read figures into one table per subplot."""
    from agent.methods import parse_method

    try:
        given = (base_url, effort, prompt, draft, code, max_cost, max_steps, max_seconds, prices, record)
        together = f"ensemble:{ensemble}@{aggregate}:{method.replace(',', '|')}" if ensemble > 1 else method
        chosen = parse_method(together, opt.options_of(*given))
        outcomes = _read_all(figures, page, chosen, out, format.value, workers, again, scheduler)
    except (OSError, ValueError) as error:  # OutputRefused and UnreadableFile are ValueErrors
        fail(str(error))
    for outcome in outcomes:
        if outcome.error:
            print(f"plotcaliper: {outcome.error}", file=sys.stderr)
    raise typer.Exit(_exit_code(outcomes))


def _read_all(
    figures: list[Path], page: int | None, method: Method, out: Path | None, form: str, workers: int, again: bool,
    scheduler: str | None,
) -> list[Outcome]:  # fmt: skip
    """Read the figures, telling of each as it is done, and of the cost where a model is asked."""
    from agent.batch import check_target, figures_in, jobs_of, run
    from agent.costs import CostLine

    jobs, failed = jobs_of(figures_in(figures), page)
    for job in jobs if out is not None else ():
        check_target(out / job.name)  # type: ignore[operator]
    costs = CostLine(len(jobs)) if method.asks else None
    running = run(jobs, method, out, form, workers, again, partial(_count, costs), scheduler)
    outcomes = [*failed]
    for outcome in running if costs else _with_progress(running, len(jobs)):
        outcomes.append(outcome)
        _report(outcome, out, form, many=len(jobs) > 1)
    if costs:
        costs.close()
    return outcomes


def _count(costs: CostLine | None, outcome: Outcome) -> None:
    if costs is not None:
        reading = outcome.reading
        usage = None if outcome.before else reading.usage if reading else Usage()
        costs.add(usage, bool(outcome.error or (reading and reading.failed)))


def _exit_code(outcomes: list[Outcome]) -> int:
    if any(outcome.error for outcome in outcomes):
        return 2
    partly = any(outcome.refusals or (outcome.reading and (outcome.reading.refusals or outcome.reading.failed))
                 for outcome in outcomes)  # fmt: skip
    return int(partly)


def _report(outcome: Outcome, out: Path | None, form: str, many: bool) -> None:
    """Print the tables of one figure, or where they were written, and what was refused."""
    from agent.batch import tables_as

    if outcome.before and out is not None:
        print(out / outcome.job.name)
    if outcome.reading is None:
        return
    reading = outcome.reading
    if out is None:
        texts = tables_as(reading, form)
        if many:
            print(f"# {outcome.job.path}")
        for number, (panel, text) in enumerate(zip(reading.panels, texts, strict=True), 1):
            if len(texts) > 1:
                print(f"# panel {number}: {panel.panel.title}".rstrip(": "))
            if text is not None:
                print(text, end="")
    else:
        print(out / outcome.job.name)
    for said in [*reading.refusals, *reading.low, *(reading.warnings if reading.method != "offline" else ())]:
        print(f"plotcaliper: {outcome.job.path.name}: {said}", file=sys.stderr)


def _with_progress(outcomes, total: int):  # type: ignore[no-untyped-def]
    """The outcomes, with a bar on stderr when there are several and somebody is watching."""
    if total < 2 or not sys.stderr.isatty():
        return outcomes
    from rich.console import Console
    from rich.progress import track

    return track(outcomes, "reading", total, console=Console(stderr=True))


@app.command()
def score(
    pred: Annotated[Path, typer.Argument(help="A predicted table, or a folder of them.")],
    truth: Annotated[Path, typer.Argument(help="The true table, or a folder of them with the same names.")],
    metric: Annotated[str, typer.Option(help="Names separated by commas, or all.")] = "ecs",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON with the value of every chart.")] = False,
) -> None:
    """Score predicted tables against true ones."""
    from evaluation.score import score_paths

    try:
        result = score_paths(pred, truth, metric.split(","))
    except FileNotFoundError as error:
        fail(f"{error.filename} does not exist: name a table, or a folder of tables.")
    except (OSError, ValueError) as error:
        fail(str(error))
    if as_json:
        print(json.dumps(result.to_json(), indent=1))
    else:
        from rich.console import Console

        Console().print(result.table())


@app.command()
def compare(
    images: Annotated[Path, typer.Argument(help="A folder of figures.")],
    truth: Annotated[Path, typer.Argument(help="A folder of true tables, index.jsonl beside or above it.")],
    methods: Annotated[str, typer.Option(help=f"Separated by commas: {opt.METHOD_HELP}")] = "offline",
    out: Annotated[Path, typer.Option(help="Where predictions, scores and the worst overlays go.")] = Path("compare"),
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many figures.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Figures read at the same time.")] = 1,
    scheduler: Annotated[str | None, typer.Option(help="Read on a Dask cluster instead, e.g. tcp://host:8786.")] = None,
    base_url: opt.BaseUrl = None,
    effort: opt.Effort = None,
    prompt: opt.Prompt = None,
    draft: opt.Draft = None,
    code: opt.Code = False,
    max_cost: opt.MaxCost = opt.STANDARD.max_cost,
    max_steps: opt.MaxSteps = opt.STANDARD.max_steps,
    max_seconds: opt.MaxSeconds = opt.STANDARD.max_seconds,
    prices: opt.Prices = None,
    record: opt.Record = None,
) -> None:
    """The bench: read a folder of figures, score the tables against the truth, and write a report of it."""
    from evaluation.compare_report import write_compare_report
    from evaluation.runner import compare as run_bench

    try:
        given = (base_url, effort, prompt, draft, code, max_cost, max_steps, max_seconds, prices, record)
        options = opt.options_of(*given)
        scores = run_bench(
            images, truth, methods.split(","), out, limit=limit, workers=workers, options=options, scheduler=scheduler
        )  # fmt: skip
        print(f"report: {write_compare_report(images, truth, scores, out)}", file=sys.stderr)
    except (OSError, ValueError) as error:
        fail(str(error))


@app.command()
def mcp(
    folders: Annotated[
        list[Path] | None, typer.Argument(help="Figures are read below these folders only; left out, below this one.")
    ] = None,
) -> None:
    """Serve the measuring tools to an agent's host, as an MCP server over stdin and stdout."""
    from agent.mcp_server import serve

    try:
        serve(folders or [Path()])
    except ValueError as error:
        fail(str(error))


class Target(StrEnum):
    """What readings are handed on as."""

    wpd = "wpd"
    csv = "csv"
    xlsx = "xlsx"


@app.command("export")
def export_readings(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `digitize --out` wrote: one figure or many.")],
    to: Annotated[Target, typer.Option(help="wpd: a WebPlotDigitizer project; csv; xlsx: a sheet per subplot.")],
) -> None:
    """Hand readings on to WebPlotDigitizer, CSV files or a workbook, written beside their tables in DIR."""
    from agent.export import export

    try:
        for path in export(folder, to.value):
            print(path)
    except (OSError, ValueError) as error:
        fail(str(error))


def main() -> None:
    """The console script."""
    from agent.cli_ask import ask
    from agent.cli_check import check
    from agent.cli_diff import diff
    from evaluation.commands import app as benchmark

    app.command()(ask)
    app.command()(check)
    app.command()(diff)
    app.add_typer(benchmark, name="benchmark")
    app()
