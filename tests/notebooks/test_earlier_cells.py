"""Who runs a cell before the one that it needs is told which one that is, and how to run it."""

from __future__ import annotations

import sys

import nbformat
import pytest
from lessons import FOLDER, LESSONS
from nbclient import NotebookClient

sys.path.insert(0, str(FOLDER))
try:
    from exercises import earlier_cells
finally:
    sys.path.remove(str(FOLDER))


def ran(number, *sources):
    """The error of each of these cells, behind the first cell of a lesson."""
    lesson = next(one for one in LESSONS if one.number == number)
    new = nbformat.v4.new_code_cell
    cells = [new(lesson.of_kind("code")[0].source), *map(new, sources)]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=lesson.metadata)
    resources = {"metadata": {"path": FOLDER}}
    NotebookClient(notebook, timeout=60, allow_errors=True, resources=resources).execute()
    errors = [[o for o in cell.outputs if o.output_type == "error"] for cell in cells]
    return [found[0] if found else None for found in errors[1:]]


def test_a_missing_name_comes_with_the_cell_that_makes_it():
    later, own, inside, fine = ran(
        "02", "quartic(2.0)", "no_such_name", "(lambda: paths)()", "quartic = 1\nquartic"
    )
    assert later.ename == "NameError"
    first, where, fix = later.evalue.splitlines()
    assert first == "name 'quartic' is not defined"
    assert where.startswith("where: the cell that begins with `def quartic(") and "”" in where
    assert fix == earlier_cells.ABOVE
    said, nowhere, fix = own.evalue.splitlines()
    assert said == "name 'no_such_name' is not defined" and "no cell of this lesson" in nowhere
    assert fix.endswith('quotation marks: "no_such_name"')
    assert "where: the cell" in inside.evalue
    assert fine is None
    assert later.evalue in "\n".join(later.traceback)


@pytest.mark.parametrize("lesson", LESSONS, ids=str)
def test_every_variable_of_a_lesson_is_found(lesson):
    if lesson.number == "00":
        return
    for cell in lesson.of_kind("code"):
        for name in earlier_cells.names_made(cell.source):
            assert earlier_cells.where(name, lesson.number).startswith("where: the cell that")


def test_what_a_function_keeps_to_itself_is_no_variable():
    source = "def f(x):\n    inner = x\nfor i in [j for j in range(3)]:\n    a, b = i, i\n"
    source += "sum(k for k in a)"
    assert earlier_cells.names_made(source) == {"f", "i", "a", "b"}
    assert earlier_cells.names_made("y = ...(\n") == set()
