"""Every exercise: its solution passes, and at least five mistakes are each told apart."""

from __future__ import annotations

import copy

import nbformat
import pytest
from lessons import FOLDER, LESSONS, run, texts
from nbclient import NotebookClient

from minigrad.lesson import Verdict, tries

NODES = 250_000
"""So many nodes may one notebook make, with the solutions: seconds depend on the machine."""
COUNT = "from minigrad.engine.node import next_number; print(next_number())"

EXERCISES = [(lesson, name) for lesson in LESSONS for name in lesson.exercises()]


def test_solutions_and_mistakes_are_there_for_every_exercise(lesson):
    names = lesson.exercises()
    assert len(set(names)) == len(names) and "" not in names
    assert set(lesson.answers("solutions")) == set(names)
    assert set(lesson.answers("wrong")) == set(names)


def test_with_the_solutions_filled_in_every_check_passes(lesson):
    solutions = lesson.answers("solutions")
    cells = copy.deepcopy(lesson.cells)
    for cell in cells:
        if name := cell.metadata.get("exercise"):
            cell.source = solutions[name]
    count = nbformat.v4.new_code_cell(COUNT)
    metadata = copy.deepcopy(lesson.metadata)
    notebook = nbformat.v4.new_notebook(cells=[*cells, count], metadata=metadata)
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": FOLDER}}).execute()
    nodes = int("".join(texts(count.outputs)))  # it may arrive in pieces
    assert nodes < NODES
    for cell in cells:
        said = "\n".join(texts(cell.get("outputs", ())))
        assert "✗" not in said, cell.source
        if "exercise" in cell.metadata:
            assert "✓" in said and "not attempted yet" not in said, (cell.source, said)


@pytest.mark.parametrize(
    ("lesson", "name"), EXERCISES, ids=[f"{lesson.number} {name}" for lesson, name in EXERCISES]
)
def test_each_wrong_solution_gets_its_own_message(lesson, name, played):
    wrong = lesson.answers("wrong").get(name, [])
    assert len(wrong) >= 5
    messages = []
    for source, fragment in wrong:
        tries.forget()  # so it is the first wrong attempt
        shown = run(source, dict(played.before[name]), f"a wrong {name}")
        verdicts = [one for one in shown if isinstance(one, Verdict)]
        failed = [one.text for one in verdicts if one.attempted and not one.passed]
        assert any(fragment in text for text in failed), (source, [one.text for one in verdicts])
        messages.append("\n".join(failed))
    assert len(set(messages)) == len(messages)
