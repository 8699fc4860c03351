"""HW1 through the real grader: each answer in a process of its own."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from hw1_wrong import WRONG
from solved import neighbours, written

grading = pytest.importorskip("minigrad.homework.grading")
building = pytest.importorskip("minigrad.homework.building")
notebooks = pytest.importorskip("minigrad.homework.notebooks")
assignments = pytest.importorskip("minigrad.homework.assignment")

pytestmark = pytest.mark.processes

FOLDER = Path(__file__).resolve().parents[2] / "homework" / "hw1"
BY_MISTAKE = {one.mistake: one for one in WRONG}


@pytest.fixture(scope="module")
def assignment():
    return assignments.Assignment(FOLDER)


def graded(assignment, folder, notebook, spoils=None):
    """The questions by name, of the notebook with one answer changed."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        for tag in cell["metadata"].get("tags", []):
            if spoils and tag == f"answer:{spoils[0]}":
                cell["source"] = spoils[1]("".join(cell["source"]))
    path = folder / "submitted.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return {one.name: one for one in grading.grade(assignment, path).questions}


def one_graded(assignment, room, name, spoil):
    """The one question, of the notebook with this answer changed."""
    right = "".join(assignment.answers[name].source)
    notebook = written(assignment.notebook, {name: spoil(right)}, "")
    for path, content in building.files_for_students(assignment):
        (room / path).write_bytes(content)
    cells = notebooks.code_cells(notebook)
    exercise = next(one for one in assignment.exercises() if one.name == name)
    return grading.question(assignment, exercise, cells, room)


def points(questions):
    return sum(one.points for one in questions.values())


def test_the_solution_has_all_points_and_what_is_handed_out_none(assignment, tmp_path):
    assert points(graded(assignment, tmp_path, assignment.notebook)) == 100
    empty = graded(assignment, tmp_path, building.notebook_for_students(assignment))
    assert points(empty) == 0
    assert {one.state for one in empty.values()} == {"not attempted"}


@pytest.mark.parametrize("mistake", ["sends sums again", "shared arrays", "recursive"])
def test_a_mistake_loses_exactly_its_points(assignment, tmp_path, mistake):
    one = BY_MISTAKE[mistake]
    order = "".join(
        next(
            cell["source"]
            for cell in assignment.notebook["cells"]
            if "answer:order" in cell["metadata"].get("tags", [])
        )
    )

    def spoil(source):
        return order if mistake == "recursive" else source.replace(one.right, one.wrong)

    questions = graded(assignment, tmp_path, assignment.notebook, (one.answer, spoil))
    assert points(questions) == 100 - questions[one.answer].possible
    assert questions[one.answer].points == 0
    assert one.says in questions[one.answer].message


A_COMPLEX_STEP = """import cmath
import operator


class Value:
    def __init__(self, data, function=None, *operands):
        self.data, self.function, self.operands, self.grad = data, function, operands, None

    def of(function, *operands):
        operands = [one if isinstance(one, Value) else Value(one) for one in operands]
        data = function(*[one.data for one in operands])
        return Value(data.real if isinstance(data, complex) else data, function, *operands)

    def __add__(self, other):
        return Value.of(operator.add, self, other)

    def __radd__(self, other):
        return Value.of(operator.add, other, self)

    def __mul__(self, other):
        return Value.of(operator.mul, self, other)

    def __rmul__(self, other):
        return Value.of(operator.mul, other, self)

    def __sub__(self, other):
        return Value.of(operator.sub, self, other)

    def __rsub__(self, other):
        return Value.of(operator.sub, other, self)

    def __neg__(self):
        return Value.of(operator.neg, self)

    def __pow__(self, n):
        return Value.of(lambda x: x**n, self)

    def tanh(self):
        return Value.of(cmath.tanh, self)

    def again(self, leaf, found):
        if self not in found:
            parts = [one.again(leaf, found) for one in self.operands]
            step = 1e-30j if self is leaf else 0
            found[self] = self.function(*parts) if self.function else self.data + step
        return found[self]

    def backward(self):
        all_of_them = {}
        self.again(None, all_of_them)
        for one in all_of_them:
            if not one.operands:
                one.grad = self.again(one, {}).imag / 1e-30
"""


@pytest.mark.parametrize("stage", ["scalars", "reuse", "order"])
def test_a_complex_step_passes_the_check_and_not_the_grader(assignment, tmp_path, stage):
    """It begins anew for each leaf, and one of the hidden programs has 800."""
    names = {}
    exec(A_COMPLEX_STEP, names)
    exercise = next(one for one in assignment.exercises() if one.name == stage)
    with neighbours(FOLDER):
        from runner import runs_on
    assert exercise.judge(runs_on(names["Value"])) == ""
    question = one_graded(assignment, tmp_path, stage, lambda _: A_COMPLEX_STEP)
    assert question.points == 0
    assert "begin anew for each leaf" in question.message


def test_a_thread_with_a_large_stack_is_refused(assignment, tmp_path):
    def spoil(source):
        head, body = source.split("    def backward(self):\n")
        return (
            f"import sys\nimport threading\n\n{head}    def backward(self):\n"
            "        threading.stack_size(256 * 2**20)\n"
            "        walk = threading.Thread(target=self.walk)\n"
            "        walk.start()\n        walk.join()\n\n"
            f"    def walk(self):\n        sys.setrecursionlimit(100_000)\n{body}"
        )

    question = one_graded(assignment, tmp_path, "depth", spoil)
    assert question.points == 0
    assert "it starts a thread" in question.message


def test_the_judge_of_minigrad_is_not_there_to_be_wrapped(assignment, tmp_path):
    def spoil(source):
        return f"from minigrad.lesson.own_class import Engine\n\n{source}\n\nValue.own = Engine"

    question = one_graded(assignment, tmp_path, "reuse", spoil)
    assert question.points == 0
    assert "minigrad is not there" in question.message


def test_minigrad_cannot_be_imported_by_an_answer(assignment, tmp_path):
    def spoil(source):
        return f"import minigrad\n{source}\n\nassert minigrad.Tensor\nValue.borrowed = minigrad"

    questions = graded(assignment, tmp_path, assignment.notebook, ("order", spoil))
    assert questions["order"].points == 0
    assert "minigrad" in questions["order"].message


def test_a_class_that_cannot_be_made_costs_only_its_own_stage(assignment, tmp_path):
    """Each later class mentions ``Value`` in its methods, and means itself."""

    def spoil(source):
        return source.replace("class Value:\n", "class Value:\n    import minigrad\n")

    questions = graded(assignment, tmp_path, assignment.notebook, ("order", spoil))
    assert points(questions) == 100 - questions["order"].possible
    assert questions["order"].points == 0
