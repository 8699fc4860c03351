"""nbgrader: a course's folder as it wants one, and this grader in the place of its own.

nbgrader runs a whole notebook in one kernel, and believes what its cells print there. Here it keeps
the course, the submissions, the grade book and the feedback; the points come from ``grade``, and no
kernel is started. Nothing of nbgrader is imported here: its configuration imports this file.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from . import building
from .assignment import Assignment, calls_of_check
from .grading import Question, grade
from .notebooks import Cell, NotebookError

CONFIGURATION = '''"""nbgrader grades with minigrad: see docs/teaching.md of minigrad."""

from pathlib import Path

from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    ComputeChecksums,
    IncludeHeaderFooter,
    LimitOutput,
    LockCells,
    SaveAutoGrades,
    SaveCells,
)

from minigrad.homework.with_nbgrader import grades_by

c = get_config()  # noqa: F821
HERE = Path(__file__).resolve().parent
c.CourseDirectory.root = str(HERE)

# What is in source/ is the students' version already.
c.GenerateAssignment.preprocessors = [
    IncludeHeaderFooter,
    LockCells,
    ClearOutput,
    CheckCellMetadata,
    ComputeChecksums,
    SaveCells,
    CheckCellMetadata,
]
# The grader runs the answers, in the place of a kernel.
c.Autograde.autograde_preprocessors = [
    grades_by(HERE / "grader"),
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
'''


def course(assignment: Assignment) -> Iterator[tuple[str, bytes]]:
    """The files of a course with this assignment: its source, what grades it, the configuration."""
    yield "nbgrader_config.py", CONFIGURATION.encode()
    for name, content in building.files_for_students(assignment):
        is_notebook = name == f"{assignment.name}.ipynb"
        source = building.as_bytes(source_notebook(assignment)) if is_notebook else content
        yield f"source/{assignment.name}/{name}", source
    for path in assignment.files():
        inside = path.relative_to(assignment.folder).as_posix()
        yield f"grader/{assignment.name}/{inside}", path.read_bytes()


def source_notebook(assignment: Assignment) -> dict[str, Any]:
    """The students' notebook, with what nbgrader wants to know of answer cells and their checks."""
    notebook = building.notebook_for_students(assignment)
    points = {one.name: float(one.points) for one in assignment.exercises("an example")}
    checks = checks_of(assignment)
    for cell in notebook["cells"]:
        tags = cell.get("metadata", {}).get("tags", ())
        answers = [tag.removeprefix("answer:") for tag in tags if tag.startswith("answer:")]
        known = {"schema_version": 3, "task": False}
        if answers:
            cell["metadata"]["nbgrader"] = {
                **known,
                "grade_id": f"answer-{answers[0]}",
                "grade": False,
                "solution": True,
                "locked": False,
            }
        elif cell.get("id") in checks:
            name = checks[cell["id"]]
            cell["metadata"]["nbgrader"] = {
                **known,
                "grade_id": name,
                "grade": True,
                "solution": False,
                "locked": True,
                "points": points[name],
            }
    return notebook


def checks_of(assignment: Assignment) -> dict[str, str]:
    """The ids of the cells with a check, each with the name of the exercise it belongs to."""
    found = {}
    for name, answer in assignment.answers.items():
        check = check_behind(assignment.cells, answer)
        if check is None or not check.id:
            raise NotebookError(
                f"{assignment.name}: nbgrader gives points to the cell with lesson.check(…), and "
                f"there is none with an id behind {name}"
            )
        found[check.id] = name
    return found


def check_behind(cells: list[Cell], answer: Cell) -> Cell | None:
    """The first cell with a check behind an answer, and before the next one."""
    for cell in cells[cells.index(answer) + 1 :]:
        if cell.tagged("answer:"):
            return None
        if any(calls_of_check(cell)):
            return cell
    return None


Preprocessor = Callable[[Any, Any], tuple[Any, Any]]


def grades_by(folder: Path) -> Preprocessor:
    """What nbgrader calls with each submission: it writes the verdicts where it looks for points.

    ``folder``: of the assignments as a whole, each in a folder of its name.
    """

    def graded(notebook: Any, resources: Any) -> tuple[Any, Any]:
        assignment = Assignment(folder / resources["nbgrader"]["assignment"])
        with tempfile.TemporaryDirectory() as room:
            submission = Path(room, "submitted.ipynb")
            submission.write_text(json.dumps(notebook), encoding="utf-8")
            found = {one.name: one for one in grade(assignment, submission).questions}
        for cell in notebook["cells"]:
            known = cell["metadata"].get("nbgrader", {})
            if known.get("grade") and known["grade_id"] in found:
                cell["outputs"] = outputs_of(found[known["grade_id"]], type(cell))
        return notebook, resources

    return graded


def outputs_of(question: Question, made: Callable[[dict[str, Any]], Any]) -> list[Any]:
    """A verdict as the outputs of a cell: on stderr it has no points, and a number is a part."""
    stream = "stdout" if question.points else "stderr"
    message = question.message or question.state
    outputs = [{"output_type": "stream", "name": stream, "text": f"{message}\n"}]
    if 0 < question.points < question.possible:
        number: dict[str, Any] = {
            "output_type": "execute_result",
            "data": made({"text/plain": f"{question.points:g}"}),
            "metadata": made({}),
            "execution_count": 1,
        }
        return [*map(made, outputs), made(number)]
    return [made(one) for one in outputs]
