"""HW1 through the real grader: each answer in a process of its own."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from hw1_wrong import WRONG

grading = pytest.importorskip("minigrad.homework.grading")
building = pytest.importorskip("minigrad.homework.building")
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
