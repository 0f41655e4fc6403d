"""Runs methods over a set of figures and scores what they wrote. The only file of `evaluation` that knows the agent.

Running and scoring are apart: a run writes `OUT/<method>/predictions/<id>/` (tables, `reading.json`, `overlay.png`)
and `OUT/<method>/runs/<id>.json`, and goes on where an earlier run stopped; scoring reads these folders only. A folder
of predictions can stand in the place of a method. Not handled here: the rules of scoring (`bench`).
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from agent.methods import Options, parse_method
from evaluation.asked import Questioned, QuestionTask
from evaluation.bench import FigureScore, loss, score_figure, summarise, unscored
from evaluation.crew import CannotStart, Job, Stopped, run_tasks
from evaluation.truth import Sample, load_samples

TIME_LIMIT = 120.0  # seconds a figure may take before it counts as unread
PAPER_LIMIT = 900.0  # seconds a paper may take on its way to questions
WORST = 10


@dataclass(frozen=True)
class Task:
    """One figure for one method. `folder` gets the prediction, `record` what became of the run."""

    method: str
    image: Path
    folder: Path
    record: Path
    options: Options | None = None


@dataclass(frozen=True)
class Run:
    """What became of one figure. `unscored`: it failed for reasons outside of the reading; `how`: see `how_asked`."""

    sha256: str
    seconds: float | None
    reason: str = ""
    unscored: bool = False
    how: str = ""


def compare(
    images: Path,
    truth: Path,
    methods: Sequence[str],
    out: Path,
    *,
    limit: int | None = None,
    workers: int = 1,
    ids: Collection[str] = (),
    kinds: Collection[str] = (),
    time_limit: float = TIME_LIMIT,
    options: Options | None = None,
    scheduler: str | None = None,
) -> dict[str, list[FigureScore]]:
    """Run each method over the figures, score the predictions, print a table per method, write `OUT/scores.jsonl`
    and copy the overlays of the worst ten to `OUT/worst/`.

    `methods`: as the agent writes them, or folders of predictions; `options`: what some of them need. `ids`, `kinds`:
    only these. `scheduler`: the address of a Dask cluster to read on, instead of `workers` processes here. Returns the
    scores by method. Raises ValueError where nothing matches or a method means nothing.
    """
    for method in methods:
        if not Path(method).is_dir():
            parse_method(method, options)
    samples = [
        sample
        for sample in load_samples(images, truth)
        if (not ids or sample.id in ids) and (not kinds or sample.kind in kinds)
    ][:limit]
    if not samples:
        raise ValueError("no figure is left to compare")
    scores = {}
    for method in methods:
        limit_s = limit_of(method, options, time_limit)
        folders = predict(samples, method, out, workers, limit_s, options, scheduler)
        scores[method] = [score_run(sample, *folders[sample.id]) for sample in samples]
        show(method, scores[method])
    write_scores(scores, out)
    copy_worst(scores, out)
    return scores


def limit_of(method: str, options: Options | None, time_limit: float) -> float:
    """Seconds for a figure: for each reading of an ensemble; a model's own limit stands on top of that of the tools."""
    if Path(method).is_dir():
        return time_limit
    asked = parse_method(method, options)
    time_limit *= asked.count
    if not asked.asks:
        return time_limit
    return time_limit + (options.max_seconds or 86400.0 if options else 3600.0)


def predict(
    samples: Sequence[Sample],
    method: str,
    out: Path,
    workers: int,
    time_limit: float,
    options: Options | None = None,
    scheduler: str | None = None,
) -> dict[str, tuple[Path, Path | None]]:
    """The prediction folder and the run record of each figure; runs what has not been run on the same picture."""
    if Path(method).is_dir():
        return {sample.id: (Path(method) / sample.id, None) for sample in samples}
    home = out / re.sub(r"[^\w.-]+", "-", method)
    tasks = {
        sample.id: Task(
            method, sample.image, home / "predictions" / sample.id, home / "runs" / f"{sample.id}.json", options
        )
        for sample in samples
    }
    (home / "runs").mkdir(parents=True, exist_ok=True)
    todo = [task for task in tasks.values() if task.image.is_file() and not is_done(task)]
    if scheduler is not None:
        predict_on_cluster(todo, scheduler)
        return {name: (task.folder, task.record) for name, task in tasks.items()}
    job = Job(import_agent, run_task, time_limit)
    try:
        for index, outcome in _with_progress(run_tasks(todo, job, workers), method, len(todo)):
            keep_record(todo[index], outcome, time_limit)
    except CannotStart as error:
        for task in todo:
            if not is_done(task):
                keep_record(task, Run("", None, f"the method cannot be run: {error}", unscored=True), time_limit)
    return {name: (task.folder, task.record) for name, task in tasks.items()}


def predict_on_cluster(tasks: Sequence[Task], scheduler: str) -> None:
    """Read these figures on a Dask cluster, writing each one down as it comes. Raises OSError where none answers."""
    from agent.batch import Job as Page
    from agent.cluster import pack, read_all, unpack
    from agent.methods import parse_method

    parcels = [pack(Page(task.image, 1, task.image.stem), parse_method(task.method, task.options)) for task in tasks]
    label = tasks[0].method if tasks else ""
    for number, found in _with_progress(read_all(parcels, scheduler), label, len(tasks)):
        task = tasks[number]
        shutil.rmtree(task.folder, ignore_errors=True)
        if found.files:
            unpack(found, task.folder)
        reason = found.failed or found.error or "; ".join(found.refusals)
        seconds = None if found.failed else found.seconds
        keep_record(task, Run(digest(task.image), seconds, reason, unscored=bool(found.failed)), 0.0)


def keep_record(task: Task, outcome: Run | Stopped, time_limit: float) -> None:
    """Write down what became of a figure; one that was stopped has no prediction."""
    if isinstance(outcome, Stopped):
        shutil.rmtree(task.folder, ignore_errors=True)
        outcome = Run(digest(task.image), time_limit, outcome.reason)
    task.record.write_text(json.dumps(asdict(replace(outcome, how=how_asked(task)))) + "\n", encoding="utf-8")


def is_done(task: Task) -> bool:
    """True where this picture has been read before in the same way and nothing outside of the reading went wrong."""
    run = read_run(task.record)
    return run is not None and not run.unscored and run.how == how_asked(task) and run.sha256 == digest(task.image)


def how_asked(task: Task) -> str:
    """What else a reading depends on: the prompt and effort of a model, the draft; empty for the offline policy."""
    from agent.batch import prompt_hash

    method = parse_method(task.method, task.options)
    if not method.asks and not method.options.draft:
        return ""
    return f"prompt {prompt_hash(method)}, effort {method.options.effort}, draft {method.options.draft}"


def read_run(record: Path | None) -> Run | None:
    """The record of a run; None where there is none."""
    try:
        return Run(**json.loads(record.read_text(encoding="utf-8"))) if record else None
    except (OSError, ValueError, TypeError):
        return None


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def import_agent() -> None:
    """Load the agent before the first figure, so that its time is not that figure's."""
    import agent.batch
    import agent.reading  # noqa: F401


def run_task(task: Task) -> Run:
    """Read one figure and write the prediction; whatever goes wrong in the reading is the reason why it is unread."""
    from agent.batch import write
    from agent.reading import digitize

    sha256 = digest(task.image)
    shutil.rmtree(task.folder, ignore_errors=True)
    started = time.perf_counter()
    try:
        reading = digitize(task.image, method=parse_method(task.method, task.options))
        seconds = time.perf_counter() - started
    except (ConnectionError, MemoryError, ImportError) as error:
        return Run(sha256, None, f"{type(error).__name__}: {error}", unscored=True)
    except Exception as error:  # a reader that raises has not read the figure
        return Run(sha256, time.perf_counter() - started, f"{type(error).__name__}: {error}")
    if reading.failed:
        return Run(sha256, None, reading.failed, unscored=True)
    try:
        write(reading, task.folder)
    except OSError as error:
        return Run(sha256, None, f"the prediction cannot be written: {error}", unscored=True)
    return Run(sha256, seconds, "; ".join(reading.refusals))


def compare_pairs(pairs: Sequence[tuple[str, str, str, Sequence[str]]], home: Path) -> None:
    """Write `HOME/pairs/<id>.json`: what differs between two figures that were read, and answers on the first one.

    `pairs`: (id, id of figure A, id of figure B, questions on A in words). This is the second of two stages; the file
    of a method that looked at both figures at once ("stages": 1), or at the pair itself, is left as it is.
    """
    from agent.diffing import pair_json

    (home / "pairs").mkdir(parents=True, exist_ok=True)
    for name, a, b, questions in pairs:
        path = home / "pairs" / f"{name}.json"
        before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        if before.get("stages") == 1 or "by_eye" in before:
            continue
        try:
            places = [home / "predictions" / one / "reading.json" for one in (a, b)]
            first, second = (json.loads(place.read_text(encoding="utf-8")) for place in places)
            found = pair_json(first, second, questions)
        except OSError:  # one of them was not read
            path.unlink(missing_ok=True)
            continue
        path.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def look_at_pairs(pairs: Sequence[tuple[str, Path, Path, str]], method: str, home: Path) -> None:
    """Ask a single-shot method what differs, and write its words over what was compared in `HOME/pairs/<id>.json`.

    `pairs`: (id, picture A, picture B, what may differ: data, color, legend or text). Other methods measure: for them
    nothing is done, nor for pairs that were answered before.
    """
    chosen = parse_method(method)
    if chosen.kind != "single-shot":
        return
    from agent.pair_by_eye import look_at_pair

    for name, first, second, attribute in pairs:
        path = home / "pairs" / f"{name}.json"
        before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        if "by_eye" not in before or before.get("failed"):
            said = look_at_pair(first, second, attribute, chosen)  # type: ignore[arg-type]
            kept = {key: value for key, value in before.items() if key != "failed"}
            path.write_text(json.dumps({**kept, **said}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def work_papers(folders: Sequence[Path], workers: int) -> list[dict[str, Any]]:
    """Map, ground and question every paper (PlotGround): records of its figures with their pixels, the paths of its
    tables, notes; `problem` says why a paper could not be used."""
    found: dict[int, dict[str, Any]] = {}
    for index, outcome in _with_progress(run_tasks(folders, Job(import_papers, paper_task, PAPER_LIMIT), workers),
                                         "papers", len(folders)):  # fmt: skip
        reason = outcome.reason if isinstance(outcome, Stopped) else ""
        found[index] = {"paper": folders[index].name, "problem": reason} if reason else outcome
    return [{"notes": [], "figures": [], "tables": [], **found[k]} for k in range(len(folders))]


def import_papers() -> None:
    """Load what a worker of papers needs."""
    import agent.paper_work  # noqa: F401


def paper_task(folder: Path) -> dict[str, Any]:
    """One paper through the pipeline."""
    from agent.paper_work import work_paper

    try:
        paper, figures = work_paper(folder)
    except (OSError, ValueError) as error:
        return {"paper": folder.name, "problem": str(error)}
    tables = [str(path) for path in sorted(folder.rglob("*")) if path.name in paper.tables]
    worked = [one.to_json() | {"pixels": one.pixels} for one in figures]
    return {"paper": folder.name, "problem": "", "notes": list(paper.problems), "figures": worked, "tables": tables}


def answer_figures(
    figures: Sequence[Questioned], method: str, out: Path, evidence: Sequence[str], workers: int, time_limit: float
) -> None:
    """Answer the questions on each figure and write `OUT/<figure>.json`, unless the same were answered before."""
    parse_method(method)
    out.mkdir(parents=True, exist_ok=True)
    tasks = [QuestionTask(one, method, tuple(evidence), out / f"{one.id}.json") for one in figures]
    todo = [task for task in tasks if not _is_answered(task)]
    for index, outcome in _with_progress(run_tasks(todo, Job(import_agent, question_task, time_limit), workers), method,
                                         len(todo)):  # fmt: skip
        if isinstance(outcome, Stopped):
            outcome = [{"id": q.id, "evidence": e, "value": None, "reason": outcome.reason, "seconds": time_limit}
                       for q in todo[index].figure.questions for e in evidence]  # fmt: skip
        record = {"asked": asked_of(todo[index]), "answers": outcome}
        todo[index].out.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def asked_of(task: QuestionTask) -> str:
    """What the answers of a task depend on, as a hash."""
    how = how_asked(Task(task.method, task.figure.image, task.out, task.out))
    tables = [digest(path) for path in sorted(task.figure.tables.iterdir())] if task.figure.tables.is_dir() else []
    parts = [digest(task.figure.image), *tables, how, *task.evidence, *map(repr, task.figure.questions)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _is_answered(task: QuestionTask) -> bool:
    try:
        record = json.loads(task.out.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return record.get("asked") == asked_of(task) and not any(one.get("failed") for one in record["answers"])


def question_task(task: QuestionTask) -> list[dict[str, Any]]:
    """Answer the questions of one figure; whatever goes wrong is the reason why they are not answered."""
    from agent.answering import Asked, answer_all

    one = task.figure
    asked = [Asked(q.id, q.text, q.rewritten) for q in one.questions]
    try:
        found = answer_all(one.image, one.tables, asked, task.evidence, parse_method(task.method))  # type: ignore[arg-type]
        return [given.to_json() for given in found]
    except Exception as error:  # a reader that raises has answered nothing
        outside = isinstance(error, ConnectionError | MemoryError | ImportError)
        reason = f"{type(error).__name__}: {error}"
        return [{"id": q.id, "evidence": kind, "value": None, "reason": reason, "failed": reason if outside else ""}
                for q in asked for kind in task.evidence]  # fmt: skip


def score_run(sample: Sample, folder: Path, record: Path | None) -> FigureScore:
    """The score of one figure from what its run left behind."""
    if record is None:
        return score_figure(sample, folder, "no prediction" if not folder.is_dir() else "")
    run = read_run(record)
    if run is None:
        return unscored(sample, "there is no such picture" if not sample.image.is_file() else "it was not run")
    return unscored(sample, run.reason) if run.unscored else score_figure(sample, folder, run.reason, run.seconds)


def show(method: str, scores: Sequence[FigureScore]) -> None:
    """Print the summary of one method, and the figures that were not read or could not be scored."""
    from rich.console import Console

    from evaluation.bench_table import bench_table

    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(bench_table(method, summarise(scores)))
    for score in scores:
        if score.unscored or not score.read:
            console.print(f"{'unscored' if score.unscored else 'not read'}: {score.id}: {score.reason}", markup=False)


def write_scores(scores: dict[str, list[FigureScore]], out: Path) -> None:
    """`OUT/scores.jsonl`: a line per method and figure."""
    out.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"method": method, **one.to_json()}) for method, group in scores.items() for one in group]
    (out / "scores.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def copy_worst(scores: dict[str, list[FigureScore]], out: Path) -> None:
    """`OUT/worst/`: the overlays of the ten figures of greatest loss, worst first; of a folder, those it has."""
    shutil.rmtree(out / "worst", ignore_errors=True)
    (out / "worst").mkdir(parents=True)
    ranked = sorted(
        ((loss(one), method, one) for method, group in scores.items() for one in group), key=lambda t: -t[0]
    )
    for rank, (lost, method, one) in enumerate(ranked[:WORST], 1):
        home = Path(method) if Path(method).is_dir() else out / re.sub(r"[^\w.-]+", "-", method) / "predictions"
        overlay = home / one.id / "overlay.png"
        if lost > 0 and overlay.is_file():
            shutil.copyfile(overlay, out / "worst" / f"{rank:02d}-{one.id}.png")


def _with_progress(outcomes, label: str, total: int):  # type: ignore[no-untyped-def]
    """The outcomes, with a bar on stderr when somebody is watching."""
    if total == 0 or not sys.stderr.isatty():
        return outcomes
    from rich.console import Console
    from rich.progress import track

    return track(outcomes, label, total, console=Console(stderr=True))
