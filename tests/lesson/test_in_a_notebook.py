"""Questions and checks in a real kernel: "Run All" as given never stops, and shows each once."""

from __future__ import annotations

import nbformat
import pytest
from nbclient import NotebookClient

CELLS = (
    "import minigrad as torch\nfrom minigrad.lesson import Exercise, check, predict",
    "predict('b.grad?', 15.0, mistakes={8: 'Only via d.'})",
    "first = predict('b.grad?', 15.0, mistakes={8: 'Only via d.'}, mine=8)\n1 + 1",
    "slope = Exercise('slope', answer=15.0)\ncheck(slope, ...)",
    "def f(x):\n    return x * unknown\n\ncheck(Exercise('f', answer=abs, cases=[(1.0,)]), f)",
    "first",
)


@pytest.fixture(scope="module", params=["", "import minigrad_widgets\n"], ids=["text", "widgets"])
def outputs(request, tmp_path_factory):
    """The outputs of each cell; with the widgets imported and without."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    cells[0].source = request.param + cells[0].source
    notebook = nbformat.v4.new_notebook(cells=cells)
    folder = tmp_path_factory.mktemp("notebook")
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(folder)}}).execute()
    return [at_rest(cell.outputs) for cell in notebook.cells], bool(request.param)


def at_rest(outputs):
    """The outputs of a cell, each view with the text of the still that it leaves."""
    stills = [one for one in outputs if "minigrad" in one.get("metadata", {})]
    rest = [one for one in outputs if one not in stills]
    for still, view in zip(stills, rest):
        view.data.update(still.data)
    return rest


def text_of(output):
    return output["text"] if output.output_type == "stream" else output.data["text/plain"]


def test_an_open_question_is_shown_once_and_gives_nothing_away(outputs):
    cells, _ = outputs
    (shown,) = cells[1]
    assert text_of(shown).startswith("Predict: b.grad?\n  not answered yet")
    assert "15" not in text_of(shown)


def test_an_answered_one_has_its_verdict_beside_the_cells_own_value(outputs):
    cells, _ = outputs
    shown, value = cells[2]
    assert text_of(shown).strip().splitlines()[1:] == [
        "  ✗ You said 8. Not yet.",
        "  Only via d.",
        "  Write another answer at mine=… and run the cell again.",
    ]
    assert text_of(value) == "2"


def test_an_exercise_that_is_not_attempted_stops_nothing(outputs):
    cells, _ = outputs
    (shown,) = cells[3]
    assert text_of(shown).strip() == "… slope: not attempted yet."


def test_an_error_in_an_attempt_is_told_with_its_line(outputs):
    cells, widgets = outputs
    (shown,) = cells[4]
    told = text_of(shown)
    assert "NameError" in told and "line 2: return x * unknown" in told
    assert not widgets or "In [5]" in told


def test_the_widgets_give_them_a_face_and_keep_the_text(outputs):
    cells, widgets = outputs
    kind = "application/vnd.jupyter.widget-view+json"
    faces = [kind in cell[0].get("data", {}) for cell in cells[1:5]]
    assert faces == [widgets] * 4


def test_what_was_shown_is_not_displayed_again(outputs):
    cells, _ = outputs
    assert cells[5] == []
