"""A class graded on several machines: Dask's scheduler hands the submissions to its workers.

Each task carries all that it needs, the assignment and a copy of the submission, so that workers
share no folder; minigrad has to be installed there, and the same one. The results come back and are
written here. Of a worker that is lost, Dask gives the tasks to another one. A submission whose own
process is lost waits for the next round, as it does in ``classroom``.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .assignment import Assignment
from .classroom import MARGIN, digest_of_grader, keep, kept
from .grading import seconds_in_all

Files = dict[str, bytes]

GRADE_ONE = """
import sys
from minigrad.homework.classroom import graded_and_kept
graded_and_kept(*sys.argv[1:])
"""
"""Run in a process of its own, as all grading is: a worker of Dask's computes in threads."""


class NoCluster(OSError):
    """Nothing can be graded on these machines, and the message says why."""


def round_on_cluster(address: str, folder: Path, waiting: Mapping[str, Path]) -> Iterator[str]:
    """Grade all that waits, and tell of each that is done: as ``classroom.round_of_work`` does."""
    dask = distributed()
    assignment = Assignment(folder)
    files = {str(path.relative_to(folder)): path.read_bytes() for path in assignment.files()}
    grader = digest_of_grader()
    with dask.Client(address) as client:
        if not client.scheduler_info()["workers"]:
            raise NoCluster(f"the scheduler at {address} has no workers: start dask worker.")
        jobs = {
            client.submit(graded_there, folder.name, files, grader, path.read_bytes()): target
            for target, path in waiting.items()
        }
        for job in dask.as_completed(jobs):
            error = job.exception()
            if error is not None and not isinstance(error, dask.KilledWorker):
                raise error
            graded = None if error else job.result()
            if graded is not None:
                keep(graded, jobs[job])
                yield jobs[job]


def distributed() -> Any:
    """Dask's package for clusters, which only they need who grade on one."""
    try:
        return importlib.import_module("distributed")
    except ModuleNotFoundError:
        raise NoCluster("Dask is not installed: pip install 'minigrad-lab[dask]'.") from None


def graded_there(name: str, files: Files, grader: str, submission: bytes) -> dict[str, Any] | None:
    """The result of one submission, on the machine of a worker; None if its process was lost."""
    if digest_of_grader() != grader:
        raise NoCluster("a worker has another minigrad: install the same one on all machines.")
    with tempfile.TemporaryDirectory(prefix="homework-") as room:
        folder = Path(room, name)
        for path, content in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        handed_in, result = Path(room, "submission.ipynb"), Path(room, "result.json")
        handed_in.write_bytes(submission)
        command = [sys.executable, "-c", GRADE_ONE, str(folder), str(handed_in), str(result)]
        patience = MARGIN + seconds_in_all(Assignment(folder).exercises("an example"))
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(command, capture_output=True, timeout=patience)
        return kept(result) if result.exists() else None
