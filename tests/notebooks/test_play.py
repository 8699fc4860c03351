"""Play is safe: a learner changes a number, skips a question, goes back, and nothing breaks.

``plays/nbNN.py`` holds, for each notebook, changes that a learner would make, each tried alone.
"""

from __future__ import annotations

import copy
import runpy

import pytest
from ipywidgets.widgets.widget import _instances
from lessons import HERE, LESSONS, play

PLACES = {
    lesson.number: runpy.run_path(str(file))["PLAYS"]
    for lesson in LESSONS
    if (file := HERE / "plays" / f"nb{lesson.number}.py").exists()
}
EACH = [(lesson, *one) for lesson in LESSONS for one in PLACES.get(lesson.number, ())]


@pytest.fixture(autouse=True)
def no_window(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")


@pytest.fixture(autouse=True)
def nothing_kept():
    """What a play shows would stay, with its graph: two gigabytes in the end."""
    before = dict(_instances)
    yield
    for key in list(_instances.keys() - before.keys()):
        _instances[key].close()


def test_ten_values_are_changed_in_each_notebook(lesson):
    assert len(PLACES.get(lesson.number, ())) >= 10


@pytest.mark.parametrize(
    "change", EACH, ids=[f"{lesson.number} {old} -> {new}" for lesson, _, old, new, *_ in EACH]
)
def test_a_changed_value_raises_nothing_but_an_explained_error(change):
    lesson, cell_id, old, new, *explained = change
    cells = copy.deepcopy(lesson.cells)
    (changed,) = [cell for cell in cells if cell.id == cell_id]
    assert changed.source.count(old) == 1, f"{old!r} is not once in {cell_id}"
    changed.source = changed.source.replace(old, new)
    errors = play(lesson, cells, going_on=True).errors
    for fragment in explained:
        assert fragment in str(errors.pop(cell_id, "")), "the explained error did not come"
    assert errors == {}


def test_each_cell_runs_after_the_first_one_and_what_it_names(lesson):
    """A cell that needs more begins with "# First run the cell above." or "... section 2."."""
    failed = {}
    for cell in lesson.of_kind("code")[1:]:
        errors = play(lesson, [*lesson.code_before(cell), cell], going_on=True).errors
        if errors:
            failed[cell.id] = errors
    assert failed == {}
