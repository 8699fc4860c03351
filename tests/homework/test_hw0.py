"""HW0: numbers of one's own, mistakes with their names, and 10 points for the solution."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import minigrad as torch
from minigrad.homework.assignment import Assignment
from minigrad.homework.building import files_for_students, notebook_for_students
from minigrad.homework.grading import grade
from minigrad.homework.packing import notes
from minigrad.lesson import judge

HW0 = Path(__file__).resolve().parents[2] / "homework" / "hw0"
NAMES = ["Ada Lovelace", "Émilie du Châtelet", "李善蘭", "Bo", "Zoë de Vries"]


@pytest.fixture(scope="module")
def assignment():
    return Assignment(HW0)


def written(notebook, name, folder):
    for cell in notebook["cells"]:
        if cell["id"] == "name":
            cell["source"] = f"name = {name!r}"
    path = folder / "hw0.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


@pytest.mark.processes
@pytest.mark.parametrize("name", NAMES[:3])
def test_the_solution_gets_all_points_whoever_hands_it_in(name, assignment, tmp_path):
    notebook = json.loads((HW0 / "hw0.ipynb").read_text("utf-8"))
    graded = grade(assignment, written(notebook, name, tmp_path))
    assert [(one.points, one.message) for one in graded.questions] == [(2, "right.")] * 5
    assert graded.student == name


@pytest.mark.processes
def test_what_is_handed_out_asks_for_a_name_and_then_for_answers(assignment, tmp_path):
    notebook = notebook_for_students(assignment)
    path = written(notebook, "", tmp_path)
    assert {one.message for one in grade(assignment, path).questions} == {
        "there is no name in the cell for your name."
    }
    path = written(notebook, "Ada", tmp_path)
    assert {one.state for one in grade(assignment, path).questions} == {"not attempted"}


@pytest.mark.parametrize("name", NAMES)
def test_each_mistake_has_a_number_of_its_own_and_is_called_by_its_name(name, assignment):
    module = assignment.module
    for exercise in assignment.exercises(name):
        question = module.QUESTIONS[exercise.name]
        right, mistakes = question(module.numbers(name, exercise.name))
        assert judge(exercise, right).points == 2
        for wrong, text in mistakes.items():
            assert judge(exercise, wrong).message == text


@pytest.mark.parametrize("question", ["product", "two_paths", "chain", "again", "step"])
def test_an_answer_that_is_copied_is_right_for_few_others(question, assignment):
    module = assignment.module
    people = [f"student {number}" for number in range(100)]
    answers = [module.QUESTIONS[question](module.numbers(one, question))[0] for one in people]
    alike = sum(one == answers[0] for one in answers[1:])
    assert alike < 20


def test_a_name_may_be_written_in_several_ways(assignment):
    one, other = (assignment.module.numbers(name, "step") for name in ("Zoë  Bo", "zoe bo"))
    assert one == other


def test_the_gradients_are_those_of_autograd(assignment):
    module = assignment.module
    for name in NAMES:
        for question, of, f in (
            ("product", "a", lambda a, b, c: a * b + c),
            ("two_paths", "b", lambda a, b, c: (a + b) * (b + 1)),
            ("chain", "a", lambda a, b, c: (a * b - c) ** 2),
            ("again", "a", lambda a, b, c: a * a * b + a),
        ):
            drawn = module.numbers(name, question)
            leaves = {k: torch.tensor(float(v), requires_grad=True) for k, v in drawn.items()}
            f(**leaves).backward()
            assert leaves[of].grad.item() == module.QUESTIONS[question](drawn)[0]


@pytest.mark.processes
def test_what_is_handed_out_runs_from_top_to_bottom(assignment, tmp_path):
    for name, content in files_for_students(assignment):
        (tmp_path / name).write_bytes(content)
    notebook = json.loads((tmp_path / "hw0.ipynb").read_text("utf-8"))
    cells = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    environment = {**os.environ, "PYTHONPATH": str(HW0.parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(cells)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("not attempted yet.") == 5


def test_the_notes_say_what_these_points_are_worth_and_students_do_not_get_them(assignment):
    told = notes(assignment)
    assert "practice, and should weigh little" in told
    assert "with minigrad" in told
    assert not any("teacher" in path for path, _ in files_for_students(assignment))
