"""Many figures to folders of tables: one process or several, every folder replaced as a whole.

Not handled here: reading a figure (`reading`) and talking to people (`cli`).
"""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from agent.reading import Reading, digitize
from tools.load import UnreadableFile, count_pages
from tools.table import Table

SUFFIXES = {"tsv": ".tsv", "csv": ".csv", "json": ".json"}


class OutputRefused(ValueError):
    """The output folder cannot be written without touching something that is not ours."""


@dataclass(frozen=True)
class Job:
    """One page of one file and the name of its output folder."""

    path: Path
    page: int
    name: str


@dataclass(frozen=True, eq=False)
class Outcome:
    """What became of a job: a reading, or one sentence that says why the file could not be read."""

    job: Job
    reading: Reading | None
    error: str = ""


def jobs_of(paths: Sequence[Path], page: int | None = None) -> tuple[list[Job], list[Outcome]]:
    """The jobs of these files, and outcomes for those whose pages cannot even be counted."""
    stems = [path.stem for path in paths]
    jobs: list[Job] = []
    failed: list[Outcome] = []
    for path in dict.fromkeys(paths):
        name = path.name.replace(".", "-") if stems.count(path.stem) > 1 else path.stem
        try:
            pages = count_pages(path)
            if page is not None and not 1 <= page <= pages:
                raise UnreadableFile(f"{path.name} has {pages} page{'s' * (pages > 1)}; there is no page {page}.")
        except UnreadableFile as error:
            failed.append(Outcome(Job(path, 1, name), None, str(error)))
            continue
        numbers = [page] if page is not None else list(range(1, pages + 1))
        jobs += [Job(path, number, name if pages == 1 else f"{name}-p{number}") for number in numbers]
    return jobs, failed


def read_job(job: Job, method: str = "offline") -> Outcome:
    """Read one page; a file that cannot be read is an outcome, not an exception."""
    try:
        return Outcome(job, digitize(job.path, job.page, method))
    except UnreadableFile as error:
        return Outcome(job, None, str(error))
    except Exception as fault:  # nobody should meet a traceback because of one odd figure among many
        words = f"a fault in PlotCaliper stopped its reading ({type(fault).__name__}: {fault}); please report it."
        return Outcome(job, None, f"{job.path.name}: {words}")


def _read_and_write(task: tuple[Job, str, Path | None, str]) -> Outcome:
    job, method, out, form = task
    outcome = read_job(job, method)
    if out is not None and outcome.reading is not None:
        write(outcome.reading, out / job.name, form)
    return outcome


def run(
    jobs: Sequence[Job], method: str = "offline", out: Path | None = None, form: str = "tsv", workers: int = 1
) -> Iterator[Outcome]:
    """Read all jobs, writing each into its folder below `out` as soon as it is done; outcomes in the order of jobs."""
    tasks = [(job, method, out, form) for job in jobs]
    if workers <= 1 or len(jobs) <= 1:
        yield from map(_read_and_write, tasks)
        return
    # Spawned, not forked: the OCR runtime has threads of its own, which do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context) as pool:
        yield from pool.map(_read_and_write, tasks)


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
        fresh.chmod(0o755)
        _swap(fresh, folder)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def _swap(fresh: Path, folder: Path) -> None:
    """Put `fresh` in the place of `folder`: two renames, so that no moment shows a mixture."""
    if not folder.exists():
        os.replace(fresh, folder)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
    os.replace(folder, old / "was")
    os.replace(fresh, folder)
    shutil.rmtree(old, ignore_errors=True)
