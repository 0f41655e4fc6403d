"""Many figures to folders of tables: one process or several, every folder replaced as a whole.

A figure that a model has read by the same method and prompt is not read again; a conversation that was broken off is
gone on with. Not handled here: reading a figure (`reading`) and talking to people (`cli`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from agent.methods import OFFLINE, Method, parse_method
from agent.reading import Reading, read_figure
from agent.trajectory import page_of
from prompts import hash_of
from prompts import load as load_prompt
from tools.load import UnreadableFile, count_pages, is_pdf, load
from tools.pages import figures_on
from tools.table import Table
from tools.types import Figure

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp", ".pdf", ".svg")
UNFINISHED = ".unfinished"  # folder below the output that holds conversations while they go on
SUFFIXES = {"tsv": ".tsv", "csv": ".csv", "json": ".json"}


class OutputRefused(ValueError):
    """The output folder cannot be written without touching something that is not ours."""


@dataclass(frozen=True)
class Job:
    """One figure on one page of a file (0: the whole page) and the name of its output folder."""

    path: Path
    page: int
    name: str
    figure: int = 0


@dataclass(frozen=True, eq=False)
class Outcome:
    """What became of a job: a reading, or one sentence that says why the file could not be read.

    `before`: it is written already, by an earlier run or on a cluster; then `refusals` are what stands there.
    """

    job: Job
    reading: Reading | None
    error: str = ""
    before: bool = False
    refusals: tuple[str, ...] = ()


def figures_in(paths: Sequence[Path]) -> list[Path]:
    """The paths with every folder replaced by the figures in it, by name. Raises OutputRefused for one without any."""
    found: list[Path] = []
    for path in paths:
        inside = sorted(one for one in path.iterdir() if one.suffix.lower() in PICTURES) if path.is_dir() else [path]
        if not inside:
            raise OutputRefused(f"there is no figure in {path}.")
        found += inside
    return found


def jobs_of(paths: Sequence[Path], page: int | None = None) -> tuple[list[Job], list[Outcome]]:
    """The jobs of these files, each with a folder name of its own, and outcomes for files that cannot be opened."""
    stems = [path.stem for path in paths]
    jobs: list[Job] = []
    failed: list[Outcome] = []
    taken: set[str] = set()
    for path in dict.fromkeys(paths):
        plain = path.name.replace(".", "-") if stems.count(path.stem) > 1 else path.stem
        name = next(one for n in range(1, len(stems) + 2) if (one := plain if n == 1 else f"{plain}-{n}") not in taken)
        taken.add(name)
        try:
            jobs += _jobs_in(path, page, name)
        except UnreadableFile as error:
            failed.append(Outcome(Job(path, 1, name), None, str(error)))
    return jobs, failed


def _jobs_in(path: Path, page: int | None, name: str) -> list[Job]:
    """The figures of one file, page by page. Raises UnreadableFile, also for a document without any."""
    if not is_pdf(path):
        if page not in (None, 1):
            raise UnreadableFile(f"{path.name} has 1 page; there is no page {page}.")
        return [Job(path, 1, name)]
    pages = count_pages(path)
    if page is not None and not 1 <= page <= pages:
        raise UnreadableFile(f"{path.name} has {pages} page{'s' * (pages > 1)}; there is no page {page}.")
    jobs = []
    for number in [page] if page is not None else range(1, pages + 1):
        found = figures_on(path, number)
        stem = name if pages == 1 else f"{name}-p{number}"
        jobs += [Job(path, number, stem if n == 1 else f"{stem}-fig{n}", n) for n in range(1, len(found) + 1)]
    if not jobs:
        where = f"page {page} of {path.name}" if page is not None else path.name
        raise UnreadableFile(f"no figure was found on {where}: save the figure as a picture of its own.")
    return jobs


def read_job(job: Job, method: str | Method = OFFLINE, saved: Path | None = None) -> Outcome:
    """Read one page; a file that cannot be read is an outcome, not an exception."""
    chosen = parse_method(method) if isinstance(method, str) else method
    try:
        return Outcome(job, read_figure(_figure_of(job), chosen, saved))
    except UnreadableFile as error:
        return Outcome(job, None, str(error))
    except ValueError as error:
        if chosen.kind != "offline":  # a draft that is missing, a prompt that cannot be filled
            return Outcome(job, None, f"{job.path.name}: {error}")
        return _fault(job, error)
    except Exception as fault:  # nobody should meet a traceback because of one odd figure among many
        return _fault(job, fault)


def _figure_of(job: Job) -> Figure:
    return figures_on(job.path, job.page)[job.figure - 1] if job.figure else load(job.path, job.page)


def _fault(job: Job, fault: Exception) -> Outcome:
    words = f"a fault in PlotCaliper stopped its reading ({type(fault).__name__}: {fault}); please report it."
    return Outcome(job, None, f"{job.path.name}: {words}")


@dataclass(frozen=True)
class Task:
    """A job with all that a worker needs to do it; `again`: also where an earlier run has done it."""

    job: Job
    method: Method
    out: Path | None
    form: str
    again: bool


def _read_and_write(task: Task) -> Outcome:
    if task.out is None:
        return read_job(task.job, task.method)
    before = None if task.again else read_before(task.job, task.method, task.out / task.job.name)
    if before is not None:
        return before
    saved = task.out / UNFINISHED / f"{task.job.name}.json" if task.method.kind == "agent" else None
    if saved is not None and task.again:
        saved.unlink(missing_ok=True)
    outcome = read_job(task.job, task.method, saved)
    if outcome.reading is not None:
        write(outcome.reading, task.out / task.job.name, task.form)
        if saved is not None and not outcome.reading.failed:
            saved.unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                saved.parent.rmdir()
    return outcome


def read_before(job: Job, method: Method, folder: Path) -> Outcome | None:
    """What an earlier run of the same method and prompt wrote about the same file; None where there is nothing of use.

    Only readings that a model was asked for are kept: the others cost nothing but time.
    """
    if not method.asks:
        return None
    try:
        data = json.loads((folder / "reading.json").read_text(encoding="utf-8"))
        same = data["method"] == method.name and data["figure"]["page"] == job.page and not data["failed"]
        same = same and data["prompt"] == prompt_hash(method)
        if not same or data["figure"]["sha256"] != hashlib.sha256(job.path.read_bytes()).hexdigest():
            return None
        return Outcome(job, None, before=True, refusals=tuple(data["refusals"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def prompt_hash(method: Method) -> str:
    """The hash of the prompts that a method would send now."""
    if method.kind == "ensemble":
        return hash_of(*(prompt_hash(member) for member in method.members if member.asks))
    if method.kind == "agent":
        from agent.loop import prompts_of

        return hash_of(*prompts_of(method).values())
    from agent.single_shot import PROMPT, SHORT

    name = method.options.prompt or ("refine" if method.kind == "refine" else PROMPT)
    return hash_of(load_prompt(SHORT.get(name, name)))


def run(
    jobs: Sequence[Job], method: str | Method = OFFLINE, out: Path | None = None, form: str = "tsv", workers: int = 1,
    again: bool = False, finished: Callable[[Outcome], None] = lambda outcome: None, scheduler: str | None = None,
) -> Iterator[Outcome]:  # fmt: skip
    """Read all jobs, writing each into its folder below `out` as soon as it is done; outcomes in the order of jobs.

    `finished` is called with each outcome as it comes, in whatever order. `again`: read also what was read before.
    `scheduler`: the address of a Dask cluster to read on (then `out` is needed, and outcomes come as they are done).
    """
    chosen = parse_method(method) if isinstance(method, str) else method
    if scheduler is not None:
        if out is None:
            raise OutputRefused("reading on a cluster needs --out: tables come back as files.")
        yield from _run_on_cluster(jobs, chosen, out, form, again, finished, scheduler)
        return
    tasks = [Task(job, chosen, out, form, again) for job in jobs]
    if workers <= 1 or len(jobs) <= 1:
        for task in tasks:
            outcome = _read_and_write(task)
            finished(outcome)
            yield outcome
        return
    # Spawned, not forked: the OCR runtime has threads of its own, which do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context) as pool:
        yield from _in_order([pool.submit(_read_and_write, task) for task in tasks], finished)


def _run_on_cluster(
    jobs: Sequence[Job], method: Method, out: Path, form: str, again: bool, finished: Callable[[Outcome], None],
    scheduler: str,
) -> Iterator[Outcome]:  # fmt: skip
    from agent.cluster import pack, read_all, unpack

    before = {} if again else {job: one for job in jobs if (one := read_before(job, method, out / job.name))}
    todo = [job for job in jobs if job not in before]
    yield from before.values()
    for number, delivery in read_all([pack(job, method, form) for job in todo], scheduler):
        job = todo[number]
        if delivery.files:
            unpack(delivery, out / job.name)
        error = delivery.error or (f"{job.path.name}: {delivery.failed}" if delivery.lost else "")
        outcome = Outcome(job, None, error, before=bool(delivery.files), refusals=delivery.refusals)
        finished(outcome)
        yield outcome


def _in_order(futures: Sequence[Future[Outcome]], finished: Callable[[Outcome], None]) -> Iterator[Outcome]:
    """The results in the order of the futures, each told to `finished` when it is there."""
    left = set(futures)
    for future in futures:
        while future in left:
            done, left = wait(left, return_when=FIRST_COMPLETED)
            for one in done:
                finished(one.result())
        yield future.result()


def tables_as(reading: Reading, form: str) -> list[str | None]:
    """Each panel's table as text in this format; None where the panel was refused."""
    texts: list[str | None] = []
    for panel in reading.panels:
        table = panel.table
        if not isinstance(table, Table):
            texts.append(None)
        elif form == "json":
            texts.append(json.dumps(table.to_json(), ensure_ascii=False, indent=1) + "\n")
        else:
            texts.append(table.to_csv() if form == "csv" else table.to_tsv())
    return texts


def check_target(folder: Path) -> None:
    """Raises OutputRefused when `folder` exists and was not written by an earlier run."""
    if folder.is_dir():
        if any(folder.iterdir()) and not (folder / "reading.json").is_file():
            raise OutputRefused(f"{folder} holds other files; choose another --out.")
    elif folder.exists():
        raise OutputRefused(f"{folder} is a file; choose another --out.")


def write(reading: Reading, folder: Path, form: str = "tsv") -> None:
    """Write tables, `reading.json` and `overlay.png`; the folder appears whole or not at all.

    Raises OutputRefused when the folder holds something else, OSError when the disk refuses.
    """
    from PIL import Image

    check_target(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for number, text in enumerate(tables_as(reading, form), 1):
            if text is not None:
                (fresh / f"panel_{number}{SUFFIXES[form]}").write_text(text, encoding="utf-8")
        whole = json.dumps(reading.to_json(), ensure_ascii=False, indent=1, allow_nan=False)
        (fresh / "reading.json").write_text(whole + "\n", encoding="utf-8")
        Image.fromarray(reading.overlay()).save(fresh / "overlay.png")
        for number, member in enumerate(reading.members, 1):
            _write_member(member, fresh / "members" / str(number), form)
        if reading.trajectory is not None:
            reading.trajectory.save(fresh / "trajectory.json")
            (fresh / "trajectory.html").write_text(page_of(reading.trajectory), encoding="utf-8")
        fresh.chmod(0o755)
        swap_in(fresh, folder)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def _write_member(member: Reading, folder: Path, form: str) -> None:
    """The tables of one member of an ensemble, for inspection."""
    folder.mkdir(parents=True)
    for number, text in enumerate(tables_as(member, form), 1):
        if text is not None:
            (folder / f"panel_{number}{SUFFIXES[form]}").write_text(text, encoding="utf-8")


def swap_in(fresh: Path, folder: Path) -> None:
    """Put `fresh` in the place of `folder`: two renames, so that no moment shows a mixture."""
    if not folder.exists():
        os.replace(fresh, folder)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
    os.replace(folder, old / "was")
    os.replace(fresh, folder)
    shutil.rmtree(old, ignore_errors=True)
