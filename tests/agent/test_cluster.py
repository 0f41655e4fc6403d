"""Reading on a Dask cluster of processes: what comes back, and what the death of a worker costs."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.batch import Job
from agent.cluster import Delivery, pack, read_all, unpack

FIGURES = Path(__file__).resolve().parent.parent / "figures"
NAMES = ("grouped", "horizontal", "histogram")


@pytest.fixture
def cluster() -> Iterator[Any]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0) as own:
        yield own


@pytest.mark.filterwarnings("ignore")  # Dask tells of the worker that this test kills
def test_a_worker_that_dies_costs_no_finished_figure(cluster: Any, tmp_path: Path) -> None:
    parcels = [pack(Job(FIGURES / f"{name}.png", 1, name)) for name in NAMES]
    found: dict[int, Delivery] = {}
    for number, delivery in read_all(parcels, cluster.scheduler_address):
        assert number not in found
        found[number] = delivery
        if len(found) == 1:
            victim = next(iter(cluster.workers.values()))
            os.kill(victim.pid, signal.SIGKILL)
    assert sorted(found) == [0, 1, 2]
    assert not any(one.lost or one.error or one.failed for one in found.values())
    unpack(found[0], tmp_path / "grouped")
    assert (tmp_path / "grouped" / "panel_1.tsv").read_text(encoding="utf-8").startswith("Clinic\tBefore\tAfter\n")
    reading = json.loads((tmp_path / "grouped" / "reading.json").read_text(encoding="utf-8"))
    assert reading["figure"]["source"] == str(FIGURES / "grouped.png")


def test_files_that_would_lie_outside_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="outside"):
        unpack(Delivery({"../evil.tsv": b""}), tmp_path / "out" / "figure")
    assert not (tmp_path / "out" / "evil.tsv").exists()
