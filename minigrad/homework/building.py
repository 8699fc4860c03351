"""What is handed out and what stays: the student's version, the grader's, the teacher's notes."""

from __future__ import annotations

import ast
import copy
import json
import re
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import recorded
from .assignment import Assignment, loaded
from .notebooks import NotebookError, binds, compiled, uses

HERE = "# Your answer goes here."
UNWRITTEN = f"{HERE}\nraise NotImplementedError"
REGION = re.compile(
    r"^([ \t]*)### BEGIN (SOLUTION|HIDDEN)\b.*?^[ \t]*### END \2\b[^\n]*$", re.MULTILINE | re.DOTALL
)


def without_regions(source: str, stub: str = "", top: str = "") -> str:
    """A source without what is between its marks; in a solution's place stands a ``stub``.

    ``top``: what stands there where the solution is not indented.

    >>> source = "x = 1\\n### BEGIN SOLUTION\\ny = 2\\n### END SOLUTION"
    >>> print(without_regions(source, top="y = ..."))
    x = 1
    y = ...
    """

    def instead(found: re.Match[str]) -> str:
        if found[2] == "HIDDEN":
            return ""
        return textwrap.indent(stub, found[1]) if found[1] else top

    return REGION.sub(instead, source)


def for_students(assignment: Assignment, name: str) -> str:
    """An answer cell as it is handed out. It can be run, and then nothing is attempted yet."""
    source = assignment.answers[name].source
    rest = bound(without_regions(source, "pass"))
    wanted = uses(compile(assignment.attempt(name), "an attempt", "eval"))
    open_names = sorted((bound(source) - rest) & wanted)
    top = "\n".join([HERE, *[f"{one} = ..." for one in open_names]])
    return without_regions(source, UNWRITTEN, top).strip()


def bound(source: str) -> set[str]:
    """The names that a cell makes."""
    return {name for one in ast.parse(source).body for name in binds(compiled(one))}


def files_for_students(assignment: Assignment) -> Iterator[tuple[str, bytes]]:
    """The files of the student's version, by their paths."""
    yield f"{assignment.name}.ipynb", as_bytes(notebook_for_students(assignment))
    yield "exercises.py", exercises_for_students(assignment).encode()
    records = recorded_exercises(assignment)
    if records:
        yield recorded.FILE, json.dumps(records).encode()
    for path in assignment.handed_out():
        content = path.read_bytes()
        if path.suffix == ".py":
            content = without_regions(content.decode("utf-8")).encode()
        yield path.relative_to(assignment.folder).as_posix(), content


def as_bytes(notebook: dict[str, Any]) -> bytes:
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def notebook_for_students(assignment: Assignment) -> dict[str, Any]:
    """The notebook without solutions and outputs. An answer cell cannot be deleted by accident."""
    notebook = copy.deepcopy(assignment.notebook)
    for cell in notebook["cells"]:
        if cell.get("cell_type") != "code":
            continue
        metadata = cell.setdefault("metadata", {})
        tags = metadata.get("tags", ())
        answers = [tag.removeprefix("answer:") for tag in tags if tag.startswith("answer:")]
        if answers:
            cell["source"] = for_students(assignment, answers[0])
        else:
            cell["source"] = without_regions("".join(cell["source"])).strip()
        cell["outputs"] = []
        cell["execution_count"] = None
        metadata["deletable"] = False
        if not answers and "student" not in tags:
            metadata["editable"] = False
    return notebook


# ------------------------------------------------------------------------------- the exercises

RECORDED = """

from minigrad.homework.recorded import with_records

with_records(globals())
"""
CALLS = ("Exercise", "replace")


def recorded_exercises(assignment: Assignment) -> dict[str, Any]:
    """What is handed out of those right answers that are data, or functions to compare with."""
    exercises = assignment.exercises("an example")
    answered = [one for one in exercises if one.judge is None]
    if answered and assignment.personal:
        raise NotebookError(
            f"{assignment.name}: exercises(student) needs a judge for {answered[0].name}: students "
            "could read its answer"
        )
    return {one.name: recorded.record(one) for one in answered}


def exercises_for_students(assignment: Assignment) -> str:
    """The exercises without right answers and hidden cases.

    NotebookError: one of them would still be there.
    """
    source = (assignment.folder / "exercises.py").read_text(encoding="utf-8")
    source = without_keywords(without_regions(source), {"hidden": None, "answer": "answer=..."})
    if recorded_exercises(assignment):
        source = source.rstrip() + RECORDED
    return source.rstrip() + "\n"


def without_keywords(source: str, instead: dict[str, str | None]) -> str:
    """Without these keywords in any call of ``Exercise``, or with something else.

    >>> without_keywords("Exercise('x', hidden=[1], answer=f(2))", {"hidden": None, "answer": "a"})
    "Exercise('x',  a)"
    """
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    text = source.encode()
    cuts = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        if getattr(node.func, "attr", getattr(node.func, "id", "")) not in CALLS:
            continue
        for keyword in node.keywords:
            if keyword.arg in instead and keyword.end_lineno and keyword.end_col_offset:
                begin = starts[keyword.lineno - 1] + keyword.col_offset
                end = starts[keyword.end_lineno - 1] + keyword.end_col_offset
                new = instead[keyword.arg]
                comma = re.match(rb"\s*,", text[end:]) if new is None else None
                cuts.append((begin, end + (comma.end() if comma else 0), (new or "").encode()))
    for begin, end, new_text in sorted(cuts, reverse=True):
        text = text[:begin] + new_text + text[end:]
    return text.decode()


def prove(assignment: Assignment) -> None:
    """NotebookError if the exercises that are handed out hold a right answer or a hidden case."""
    source = exercises_for_students(assignment).removesuffix(RECORDED)
    with tempfile.TemporaryDirectory() as room:
        for path in assignment.handed_out():
            target = Path(room, path.relative_to(assignment.folder))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
        Path(room, "exercises.py").write_text(source, encoding="utf-8")
        module = loaded(Path(room, "exercises.py"))
    exercises = module.exercises("an example") if assignment.personal else module.EXERCISES
    for exercise in exercises:
        told = exercise.answer is not None and exercise.answer is not ...
        if told or exercise.hidden is not None:
            what = "answer" if told else "hidden cases"
            raise NotebookError(
                f"{assignment.name}: students could read the {what} of {exercise.name}. Write it "
                "as a keyword of Exercise(…), or between ### BEGIN HIDDEN and ### END HIDDEN"
            )
