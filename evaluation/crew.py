"""Many tasks over a few processes, each task with a time limit of its own.

A worker that runs over its time or dies is replaced, and its task has that as its outcome; the others go on. Not
handled here: what a task is, and work on other machines.
"""

from __future__ import annotations

import multiprocessing
import queue
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

GRACE = 10  # seconds over its limit after which a worker ends itself, in case nobody is left to do it
START_LIMIT = 300.0  # seconds for a worker to import what it needs


class CannotStart(RuntimeError):
    """A worker could not be made ready: nothing can be run."""


@dataclass(frozen=True)
class Stopped:
    """The outcome of a task that did not come to an end."""

    reason: str


@dataclass(frozen=True)
class Job:
    """What all workers do: `prepare` once, outside of any limit, then `work` on each task, `seconds` at most."""

    prepare: Callable[[], None]
    work: Callable[[Any], Any]
    seconds: float


@dataclass
class Crew:
    """The workers that are alive, and the queues between their keepers (a thread each) and the caller."""

    tasks: queue.SimpleQueue[tuple[int, Any]] = field(default_factory=queue.SimpleQueue)
    outcomes: queue.SimpleQueue[tuple[int, Any]] = field(default_factory=queue.SimpleQueue)
    alive: set[BaseProcess] = field(default_factory=set)
    closed: bool = False


def run_tasks(tasks: Sequence[Any], job: Job, workers: int) -> Iterator[tuple[int, Any]]:
    """Yield (task index, what `work(task)` returned, or `Stopped`) as tasks finish. Raises CannotStart.

    `prepare` and `work` must be importable: the processes are spawned, since OCR runtimes have threads of their own,
    which do not survive a fork.
    """
    crew = Crew()
    for numbered in enumerate(tasks):
        crew.tasks.put(numbered)
    for _ in range(min(workers, len(tasks))):
        threading.Thread(target=_keep, args=(crew, job), daemon=True).start()
    try:
        for _ in tasks:
            index, outcome = crew.outcomes.get()
            if isinstance(outcome, CannotStart):
                raise outcome
            yield index, outcome
    finally:
        crew.closed = True
        for process in list(crew.alive):
            process.kill()


def _keep(crew: Crew, job: Job) -> None:
    """Hand tasks to one worker until there are none, renewing it when it is lost."""
    process: BaseProcess | None = None
    try:
        while not crew.closed:
            index, task = crew.tasks.get_nowait()
            if process is None:
                process, pipe = _start(crew, job)
            outcome = _ask(pipe, task, job.seconds)
            if isinstance(outcome, Stopped):
                _dismiss(crew, process, pipe)
                process = None
            crew.outcomes.put((index, outcome))
    except queue.Empty:
        pass
    except CannotStart as error:
        crew.outcomes.put((-1, error))
    finally:
        if process is not None:
            _dismiss(crew, process, pipe)


def _ask(pipe: Connection, task: Any, seconds: float) -> Any:
    try:
        pipe.send(task)
        return pipe.recv() if pipe.poll(seconds) else Stopped(f"stopped after {seconds:g} s")
    except (EOFError, OSError):
        return Stopped("the process that read it died")


def _start(crew: Crew, job: Job) -> tuple[BaseProcess, Connection]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, job), daemon=True)
    process.start()
    crew.alive.add(process)
    theirs.close()
    try:
        problem = ours.recv() if ours.poll(START_LIMIT) else f"not ready after {START_LIMIT:g} s"
    except EOFError:
        problem = "the process died"
    if problem:
        _dismiss(crew, process, ours)
        raise CannotStart(problem)
    return process, ours


def _dismiss(crew: Crew, process: BaseProcess, pipe: Connection) -> None:
    pipe.close()
    process.kill()
    process.join()
    crew.alive.discard(process)


def _serve(pipe: Connection, job: Job) -> None:
    """A worker's life: say that it is ready (or why not), then answer tasks until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        job.prepare()
    except Exception as error:  # whatever is wrong, the caller must hear of it
        pipe.send(f"{type(error).__name__}: {error}")
        return
    pipe.send("")
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        _set_alarm(int(job.seconds) + GRACE)
        pipe.send(job.work(task))
        _set_alarm(0)


def _set_alarm(seconds: int) -> None:
    """Its default action ends the process even where it hangs in compiled code; a system without it does without."""
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)
