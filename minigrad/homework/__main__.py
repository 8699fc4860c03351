"""The command line: ``python -m minigrad.homework build`` and ``grade``.

python -m minigrad.homework build homework/hw0 --for zip -o handed_out
python -m minigrad.homework grade submissions --assignment homework/hw0 -o graded
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from . import packing, page, tables
from .assignment import Assignment
from .classroom import grade_all, round_of_work, with_one_number
from .notebooks import NotebookError
from .on_dask import round_on_cluster


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m minigrad.homework", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="make what is handed out from an assignment")
    build.add_argument("assignment", type=Path, help="its folder")
    build.add_argument("--for", dest="target", choices=tuple(packing.TARGETS), default="zip")
    build.add_argument("-o", "--out", type=Path, default=Path("handed_out"))
    grading = commands.add_parser("grade", help="grade a folder of submissions")
    grading.add_argument("submissions", type=Path, help="the folder of what was handed in")
    grading.add_argument("--assignment", type=Path, required=True, help="its folder")
    grading.add_argument("-o", "--out", type=Path, default=Path("graded"))
    where = grading.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, help="processes; as many as there are cores")
    where.add_argument("--scheduler", help="the address of Dask's, as tcp://host:8786")
    chosen = parser.parse_args(arguments)
    try:
        return run_build(chosen) if chosen.command == "build" else run_grade(chosen)
    except (NotebookError, OSError) as error:
        print(error, file=sys.stderr)
        return 1


def run_build(chosen: argparse.Namespace) -> int:
    assignment = Assignment(chosen.assignment)
    for path in packing.TARGETS[chosen.target](assignment, chosen.out):
        print(path)
    return 0


def run_grade(chosen: argparse.Namespace) -> int:
    assignment = Assignment(chosen.assignment)
    kept = chosen.out / "results"
    work = partial(round_of_work, workers=chosen.workers)
    if chosen.scheduler:
        work = partial(round_on_cluster, chosen.scheduler)
    graded = grade_all(assignment.folder, chosen.submissions, kept, work, told)
    if not graded:
        print(f"no notebooks in {chosen.submissions}", file=sys.stderr)
        return 1
    twice = list(with_one_number(one for one, _ in graded))
    for submission, other in twice:
        both = f"{submission.path.name} and {other.path.name}"
        print(f"the number {other.number} stands in two names: {both}", file=sys.stderr)
    tables.write_moodle(chosen.out / "moodle.csv", graded)
    tables.write_canvas(chosen.out / "canvas.csv", graded, assignment.name)
    tables.write_questions(chosen.out / "questions.csv", graded)
    text = page.page(assignment.name, graded)
    Path(chosen.out, "class.html").write_text(text, encoding="utf-8", errors="replace")
    for name in ("moodle.csv", "canvas.csv", "questions.csv", "class.html"):
        print(chosen.out / name)
    return 1 if twice else 0


def told(done: int, of: int) -> None:
    """How far it has come: a line that grows on a terminal, and elsewhere only the last one."""
    if sys.stderr.isatty():
        print(f"\rgraded {done} of {of}", end="\n" if done == of else "", file=sys.stderr)
    elif done == of:
        print(f"graded {done} of {of}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
