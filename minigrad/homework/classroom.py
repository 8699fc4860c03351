"""A folder of submissions, graded on all cores: resumable, and nothing is graded twice.

Each result is a file of its own, named by the digest of what it came of: the assignment, the
grader and the submission. So whatever has changed is graded anew, and nothing else is; and whoever
interrupts it, or loses a worker, begins again where it stopped. What is graded is a copy that was
made before anybody's code was run. A submission that cannot be graded is a zero with a reason, and
the others have their grades.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .assignment import Assignment, same_person
from .grading import grade, none_at_all, seconds_in_all
from .notebooks import NotebookError, content

PACKAGE = Path(__file__).resolve().parents[1]
AGAIN = 3  # times, if a worker is lost
MARGIN = 60.0  # seconds that a worker has to begin and to write
LOST = f"it could not be graded: {AGAIN} times, the process that graded it came to its end."


Round = Callable[[Path, Mapping[str, Path]], Iterator[str]]
"""Grades what waits, copies of submissions by the files of their results; tells which are done."""


@dataclass(frozen=True)
class Submission:
    """A notebook that was handed in: whose it is, and under which number there."""

    path: Path
    student: str
    number: str = ""


MOODLE = re.compile(r"^(?P<student>.+?)_(?P<number>\d+)_assignsubmission_")
CANVAS = re.compile(r"^(?P<student>[^_]+)(_LATE)?_(?P<number>\d+)_\d+_")


def submissions(folder: Path) -> list[Submission]:
    """The notebooks in a folder as Moodle or Canvas hands them over, or by their own names.

    Of several notebooks of one student the last one by name counts. A link or a pipe is none that
    can be read: it is found all the same, and gets a zero that says so.
    """
    found: dict[str, Submission] = {}
    paths = [
        path
        for path in sorted(folder.rglob("*.ipynb"))
        if ".ipynb_checkpoints" not in path.parts and not path.name.startswith(".")
        if not stat.S_ISDIR(path.lstat().st_mode)
    ]
    system = system_of({path.relative_to(folder).parts[0] for path in paths})
    for path in paths:
        inside = path.relative_to(folder)
        first = inside.parts[0]
        named = system.match(first)
        if named:
            one = Submission(path, named["student"], named["number"])
        else:
            one = Submission(path, first if len(inside.parts) > 1 else path.stem)
        found[f"{one.student}\0{one.number}"] = one
    return sorted(found.values(), key=lambda one: (one.student, one.number))


def system_of(names: Iterable[str]) -> re.Pattern[str]:
    """Moodle or Canvas: whichever has named more of them. A student chooses the end of one name."""
    counts = [sum(bool(one.match(name)) for name in names) for one in (CANVAS, MOODLE)]
    return CANVAS if counts[0] >= counts[1] else MOODLE


def with_one_number(every: Iterable[Submission]) -> Iterator[tuple[Submission, Submission]]:
    """Those of one number and two names: one of them may have chosen the name of the other's."""
    known: dict[str, Submission] = {}
    for one in every:
        if one.number in known:
            yield one, known[one.number]
        elif one.number:
            known[one.number] = one


def digest_of_grader() -> str:
    """Changes with anything in the library by which is graded."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def key(basis: str, text: bytes) -> str:
    return hashlib.sha256(basis.encode() + text).hexdigest()[:32]


@cache
def assignment_in(folder: str) -> Assignment:
    return Assignment(folder)  # once in each worker


def graded_and_kept(folder: str, submission: str, target: str) -> None:
    """Grade one, and write what came of it: whole or not at all."""
    keep(grade(assignment_in(folder), submission).as_data(), target)


def keep(data: dict[str, Any], target: str | Path) -> None:
    unfinished = f"{target}.{os.getpid()}"
    Path(unfinished).write_text(json.dumps(data, indent=1, sort_keys=True), encoding="utf-8")
    os.replace(unfinished, target)


def grade_all(
    folder: Path,
    submitted: Path,
    results: Path,
    work: Round | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> list[tuple[Submission, dict[str, Any]]]:
    """Grade what is in ``submitted``; each submission with its result, in the order of names.

    ``work`` grades those that wait, by default in as many processes as there are cores.
    """
    results.mkdir(parents=True, exist_ok=True)
    assignment = Assignment(folder)
    basis = assignment.digest() + digest_of_grader()
    every = submissions(submitted)
    unread: dict[Submission, dict[str, Any]] = {}
    targets: dict[Submission, Path] = {}
    waiting: dict[str, Path] = {}
    with tempfile.TemporaryDirectory(prefix="submissions-") as copies:
        for one in every:
            try:
                text = content(one.path)
            except (NotebookError, OSError) as error:
                unread[one] = none_at_all(assignment, "", f"{error}.").as_data()
                continue
            targets[one] = results / f"{key(basis, text)}.json"
            if not targets[one].exists():
                copy = Path(copies, f"{targets[one].stem}.ipynb")
                copy.write_bytes(text)
                waiting[str(targets[one])] = copy
        if not waiting:
            progress(len(every), len(every))
        for number in range(AGAIN):
            # In the last round each has its worker alone, and loses no other one.
            apart = number == AGAIN - 1
            rounds = [{target: path} for target, path in waiting.items()] if apart else [waiting]
            for some in rounds:
                for target in (work or round_of_work)(folder, dict(some)):
                    waiting.pop(target)
                    progress(len(every) - len(waiting), len(every))
        for target in waiting:
            keep(none_at_all(assignment, "", LOST).as_data(), target)
        if waiting:
            progress(len(every), len(every))
    graded = [(one, unread.get(one) or kept(targets[one])) for one in every]
    return list(with_same_names(graded))


def kept(target: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    return data


def round_of_work(
    folder: Path, waiting: Mapping[str, Path], workers: int | None = None
) -> Iterator[str]:
    """Grade all that waits, and tell of each that is done. It ends early if a worker is lost.

    If for longer than a submission may take none is done, the workers are stopped.
    """
    context = multiprocessing.get_context("spawn")
    patience = MARGIN + seconds_in_all(Assignment(folder).exercises("an example"))
    others = {*multiprocessing.active_children()}
    with ProcessPoolExecutor(workers or os.cpu_count(), mp_context=context) as pool:
        jobs = {
            pool.submit(graded_and_kept, str(folder), str(path), target): target
            for target, path in waiting.items()
        }
        while jobs:
            done, _ = wait(jobs, timeout=patience, return_when=FIRST_COMPLETED)
            for job in done:
                target = jobs.pop(job)
                error = job.exception()
                if isinstance(error, BrokenProcessPool):
                    return
                if error is None:
                    yield target
            if not done:
                for worker in {*multiprocessing.active_children()} - others:
                    worker.kill()


def with_same_names(
    graded: list[tuple[Submission, dict[str, Any]]],
) -> Iterator[tuple[Submission, dict[str, Any]]]:
    """Says of those who have written one name into their notebooks that they have: ``remarks``."""
    names: dict[str, list[str]] = {}
    for submission, result in graded:
        names.setdefault(same_person(result["student"]), []).append(submission.student)
    for submission, result in graded:
        others = names[same_person(result["student"])]
        remark = ""
        if result["student"] and len(others) > 1:
            rest = sorted({*others} - {submission.student}) or [submission.student]
            remark = f"the same name, and so the same numbers, as in the notebook of {rest[0]}"
        yield submission, {**result, "remark": remark}
