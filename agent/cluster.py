"""The same work on many machines: figures go out as bytes over a Dask cluster, what was read comes back as files.

No disk has to be shared. A worker that dies costs its figure another try, elsewhere, and no finished one. Not handled
here: starting a cluster (Dask does), limits of seconds a figure, sending drafts and replay files (they are read where
the worker runs).
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from agent.batch import Job, read_job, swap_in, write
from agent.methods import OFFLINE, Method

PATIENCE = 20  # seconds to wait for a scheduler


@dataclass(frozen=True)
class Parcel:
    """One figure of one file on its way: `source` is its name at home, `figure` its number on a page."""

    source: str
    data: bytes
    page: int = 1
    method: Method = OFFLINE
    form: str = "tsv"
    figure: int = 0


@dataclass(frozen=True)
class Delivery:
    """What came back: the files of the output folder by relative name; `error`: the file could not be read.

    `failed`: what outside of the reading went wrong; `lost`: no worker could finish it.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    refusals: tuple[str, ...] = ()
    error: str = ""
    failed: str = ""
    seconds: float = 0.0
    lost: bool = False


def pack(job: Job, method: Method = OFFLINE, form: str = "tsv") -> Parcel:
    """A job with its file. Raises OSError where that cannot be read."""
    return Parcel(str(job.path), job.path.read_bytes(), job.page, method, form, job.figure)


def read_parcel(parcel: Parcel) -> Delivery:
    """Read one figure on the machine that this runs on."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / Path(parcel.source).name
        path.write_bytes(parcel.data)
        outcome = read_job(Job(path, parcel.page, "out", parcel.figure), parcel.method)
        seconds = time.perf_counter() - started
        if outcome.reading is None:
            return Delivery(error=outcome.error.replace(str(path), parcel.source), seconds=seconds)
        figure = replace(outcome.reading.figure, source=parcel.source)
        reading = replace(outcome.reading, figure=figure)
        folder = Path(place) / "written" / "out"
        write(reading, folder, parcel.form)
        files = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return Delivery(files, tuple(reading.refusals), "", reading.failed, seconds)


def read_all(parcels: Sequence[Parcel], scheduler: str) -> Iterator[tuple[int, Delivery]]:
    """(number, delivery) as figures are finished. Raises OSError where no scheduler answers.

    scheduler: an address such as `tcp://host:8786`.
    """
    from distributed import Client, as_completed

    with Client(scheduler, timeout=PATIENCE, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        numbers = {client.submit(read_parcel, parcel, pure=False, retries=1): i for i, parcel in enumerate(parcels)}
        for future in as_completed(list(numbers), loop=client.loop):  # type: ignore[no-untyped-call]
            fault = future.exception()
            words = "" if fault is None else f"the cluster could not finish it ({type(fault).__name__}: {fault})"
            yield numbers[future], future.result() if fault is None else Delivery(failed=words, lost=True)
            future.release()


def unpack(delivery: Delivery, folder: Path) -> None:
    """Write what came back as the output folder; it appears whole or not at all. Raises OSError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    for name, data in delivery.files.items():
        target = fresh / name
        if not target.resolve().is_relative_to(fresh.resolve()):
            raise OSError(f"a worker sent a file {name!r} that would lie outside of {folder}")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    fresh.chmod(0o755)
    swap_in(fresh, folder)
