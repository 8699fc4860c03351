"""Grades one submission: each question in a process of its own, each with a readable verdict."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ..lesson import Exercise, Verdict, judge
from ..lesson.attempt import told
from ..lesson.grading import HIDDEN
from ..lesson.stopping import Stopped, limit
from . import building, notebooks
from .assignment import Assignment, student_named
from .notebooks import Cell, NotebookError
from .stand_in import Ended, StudentProcess

LINE_OF_A_JUDGE = re.compile(r"\n  \S+\.py, line \d+: .*")
"""A judge that cannot do with what it got raises an error; its own line is not for students."""

PATIENCE = 10.0  # times as long the grader's own clock waits: the process has its limits itself
IN_ALL = 4.0  # times the seconds of all questions, and a minute: then a submission's time is over
LONGEST = 2_000  # letters of a message


@dataclass
class Question:
    """What a question has brought."""

    name: str
    points: float
    possible: float
    state: str  # passed, not passed, not attempted
    message: str
    source: str = ""  # the answer cell, for the page of what the class got wrong


@dataclass
class Grade:
    """What a submission has brought."""

    assignment: str
    student: str  # the name in the notebook, if the assignment has numbers of one's own
    questions: list[Question] = field(default_factory=list)

    @property
    def points(self) -> float:
        return sum(question.points for question in self.questions)

    @property
    def possible(self) -> float:
        return sum(question.possible for question in self.questions)

    def as_data(self) -> dict[str, Any]:
        return {**asdict(self), "points": self.points, "possible": self.possible}


def grade(assignment: Assignment, submission: str | Path) -> Grade:
    """Grade a notebook, whatever is in it: every question gets a verdict, and nothing is raised."""
    try:
        return read_and_graded(assignment, Path(submission))
    except (NotebookError, OSError) as error:
        return none_at_all(assignment, "", f"{error}.")
    except Exception as error:  # one submission is no reason to grade no other
        return none_at_all(assignment, "", f"it could not be graded: {error_text(error)}.")


def read_and_graded(assignment: Assignment, submission: Path) -> Grade:
    cells = notebooks.code_cells(notebooks.read(submission))
    student = student_named(cells) if assignment.personal else ""
    if assignment.personal and not student:
        return none_at_all(assignment, "", "there is no name in the cell for your name.")
    graded = Grade(assignment.name, student)
    exercises = assignment.exercises(student)
    until = time.monotonic() + seconds_in_all(exercises)
    with tempfile.TemporaryDirectory(prefix="homework-", ignore_cleanup_errors=True) as room:
        for path, content in building.files_for_students(assignment):
            if path != f"{assignment.name}.ipynb":
                target = Path(room, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        for exercise in exercises:
            left = until - time.monotonic()
            graded.questions.append(question(assignment, exercise, cells, Path(room), left))
    return graded


def seconds_in_all(exercises: Sequence[Exercise]) -> float:
    """How long a submission may take by the clock on the wall."""
    return 60 + IN_ALL * sum(exercise.seconds for exercise in exercises)


def none_at_all(assignment: Assignment, student: str, why: str) -> Grade:
    """Nothing can be graded, and every question says why."""
    graded = Grade(assignment.name, student)
    for exercise in assignment.exercises("an example"):
        points = float(exercise.points)
        graded.questions.append(Question(exercise.name, 0.0, points, "not passed", why))
    return graded


def question(
    assignment: Assignment,
    exercise: Exercise,
    cells: Sequence[Cell],
    room: Path,
    left: float = float("inf"),
) -> Question:
    """The verdict on one answer, whatever happens. ``left``: seconds that there are for it."""
    source = ""
    patience = min(PATIENCE * exercise.seconds + 60, left)
    try:
        program = assignment.program(cells, exercise.name)
        source = program[-1].source
        if left <= 0:
            raise Stopped
        patient = replace(exercise, seconds=patience)
        verdict = limit(patience + 5).call(
            lambda: verdict_on(assignment, exercise, patient, program, room)
        )
    except Stopped:
        verdict = Verdict(exercise.name, "stopped: the time for grading it was over.")
    except NotebookError as error:
        verdict = Verdict(exercise.name, f"{error}.")
    except notebooks.UNREADABLE as error:
        line = getattr(error, "lineno", None)
        where = f" in line {line}" if line else ""
        verdict = Verdict(exercise.name, f"the cell cannot be read{where}: {error_text(error)}.")
    except Exception as error:
        verdict = Verdict(exercise.name, f"it could not be graded: {error_text(error)}.")
    message = verdict.message
    if len(message) > LONGEST:
        message = message[:LONGEST] + "…"
    points = float(exercise.points)
    return Question(exercise.name, verdict.points, points, verdict.state, message, source[:20_000])


def error_text(error: BaseException) -> str:
    return f"{type(error).__name__}, {getattr(error, 'msg', None) or error}"[:300]


def verdict_on(
    assignment: Assignment, exercise: Exercise, patient: Exercise, program: list[Cell], room: Path
) -> Verdict:
    """``patient``: the exercise, with the seconds for which the grader itself waits."""
    expression = assignment.attempt(exercise.name)
    if program[-1].source.strip() == building.for_students(assignment, exercise.name):
        return Verdict(exercise.name, None)
    parts = notebooks.needed(program, expression)
    with StudentProcess(
        room, assignment.imports, exercise.seconds, left=patient.seconds
    ) as process:
        verdict = Verdict(exercise.name, None)
        try:
            process.run(parts)
            attempt = process.value(expression)
            verdict = judge(patient, attempt)
        except NotImplementedError:
            return Verdict(exercise.name, None)
        except (Ended, Exception) as error:
            verdict = Verdict(exercise.name, told(error))
        if process.ended:  # whatever a judge has made of that
            by_hidden = HIDDEN + "it did not come to its end." if verdict.by_hidden else ""
            return Verdict(exercise.name, by_hidden or process.ended)
    verdict.message = LINE_OF_A_JUDGE.sub("", verdict.message)
    return verdict
