"""Every exercise: its solution passes, and at least five mistakes are each told apart."""

from __future__ import annotations

import copy
import time

import nbformat
import pytest
from lessons import FOLDER, LESSONS, run, texts
from nbclient import NotebookClient

from minigrad.lesson import Verdict

SECONDS, SECONDS_TOGETHER = 60, 75  # nbval runs them all once more: 150 in all
taken: dict[str, float] = {}

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
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=copy.deepcopy(lesson.metadata))
    begin = time.perf_counter()
    NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": FOLDER}}).execute()
    taken[lesson.number] = time.perf_counter() - begin
    assert taken[lesson.number] < SECONDS
    for cell in cells:
        said = "\n".join(texts(cell.get("outputs", ())))
        assert "✗" not in said, cell.source
        if "exercise" in cell.metadata:
            assert "✓" in said and "not attempted yet" not in said, (cell.source, said)


def test_all_notebooks_together_are_quick():
    print({number: round(seconds, 1) for number, seconds in taken.items()})
    assert sum(taken.values()) < SECONDS_TOGETHER


@pytest.mark.parametrize(
    ("lesson", "name"), EXERCISES, ids=[f"{lesson.number} {name}" for lesson, name in EXERCISES]
)
def test_each_wrong_solution_gets_its_own_message(lesson, name, played):
    wrong = lesson.answers("wrong").get(name, [])
    assert len(wrong) >= 5
    messages = []
    for source, fragment in wrong:
        shown = run(source, dict(played.before[name]), f"a wrong {name}")
        verdicts = [one for one in shown if isinstance(one, Verdict)]
        failed = [one.text for one in verdicts if one.attempted and not one.passed]
        assert any(fragment in text for text in failed), (source, [one.text for one in verdicts])
        messages.append("\n".join(failed))
    assert len(set(messages)) == len(messages)
