"""What a stranger's notebook runs in JupyterLab when it is opened, and after it was stripped."""

from __future__ import annotations

import nbformat
import pytest
from hostile_notebook import hostile
from nbformat.sign import NotebookNotary

from minigrad_widgets import strip

pytestmark = pytest.mark.browser

HITS = "() => (globalThis.hits ?? []).filter((one, at, all) => all.indexOf(one) === at).sort()"


@pytest.fixture
def opened(open_notebook, server):
    """Open this notebook, trusted or not; returns it and what ran of it."""
    _, root = server

    def open_(notebook, trusted):
        name = "foreign.ipynb"
        nbformat.write(notebook, root / name)
        if trusted:  # as `jupyter trust`, or "Trust Notebook" in the menu, does
            NotebookNotary(data_dir=str(root.parent / "data")).sign(notebook)
        found = open_notebook(name)
        found.page.wait_for_timeout(4000)
        found.errors.clear()  # a picture that is none, a view without a model
        return found, found.page.evaluate(HITS)

    return open_


def test_a_foreign_notebook_runs_the_script_of_its_widgets_as_soon_as_it_is_opened(opened):
    """Though JupyterLab holds back what else could run in a file that it does not trust."""
    _, hits = opened(hostile(), trusted=False)
    assert hits == ["widget: initialize", "widget: its script"]


def test_a_foreign_notebook_that_is_trusted_runs_its_outputs_too(opened):
    _, hits = opened(hostile(), trusted=True)
    ways = {"html: onerror", "html: script", "javascript", "markdown output"}
    assert {*ways, "widget: its script", "widget: initialize", "widget: render"} <= {*hits}


@pytest.mark.parametrize("trusted", [False, True])
def test_a_notebook_that_was_stripped_runs_nothing_even_if_it_is_trusted(
    opened, screenshot, trusted
):
    looked, _ = strip.stripped(hostile())
    notebook, hits = opened(looked, trusted)
    assert hits == []
    first = notebook.code_cells()[0]
    assert "text application/vnd.jupyter.widget-view+json" in notebook.output(first)
    assert notebook.cell(notebook.code_cells()[-1]).locator("img").count() == 1
    screenshot(notebook.page, "foreign_stripped")
