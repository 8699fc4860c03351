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
        if key in _instances:  # a view closes its layout with itself
            _instances[key].close()


def test_ten_values_are_changed_in_each_notebook(lesson):
    assert len(PLACES.get(lesson.number, ())) >= 10


@pytest.mark.parametrize(
    "change", EACH, ids=[f"{lesson.number} {old} -> {new}" for lesson, _, old, new, *_ in EACH]
)
def test_a_changed_value_raises_nothing_but_an_explained_error(change):
    lesson, cell_id, old, new, *explained = change
    (before,) = [cell for cell in lesson.cells if cell.id == cell_id]
    errors = errors_with(old, new, before, lesson, lesson.concerned_by(before))
    if any(isinstance(error, NameError) for error in errors.values()):
        # The change names what another cell makes.
        errors = errors_with(old, new, before, lesson, lesson.cells)
    for fragment in explained:
        assert fragment in str(errors.pop(cell_id, "")), "the explained error did not come"
    assert errors == {}


def errors_with(old, new, changed, lesson, cells):
    """The errors of these cells, by their ids, when ``old`` is ``new`` in one of them."""
    assert changed.source.count(old) == 1, f"{old!r} is not once in {changed.id}"
    cells = copy.deepcopy(cells)
    for cell in cells:
        if cell.id == changed.id:
            cell.source = cell.source.replace(old, new)
    return play(lesson, cells, going_on=True).errors


def test_each_cell_runs_after_the_first_one_and_what_it_names(lesson):
    """A cell that needs more begins with "# First run the cell above." or "... section 2."."""
    ways = [[*lesson.code_before(cell), cell] for cell in lesson.of_kind("code")[1:]]
    failed = {}
    for cells in ways:
        ids = [cell.id for cell in cells]
        if any(beginning_of(other, ids) for other in ways):
            continue  # the other way shows it too
        errors = play(lesson, cells, going_on=True).errors
        if errors:
            failed[cells[-1].id] = errors
    assert failed == {}


def beginning_of(cells, ids):
    """Do more cells than these run, and first of all these?"""
    return len(cells) > len(ids) and [cell.id for cell in cells[: len(ids)]] == ids
