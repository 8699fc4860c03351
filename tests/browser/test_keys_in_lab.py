"""From a question back to the notebook by keyboard alone, in a real JupyterLab."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

QUESTION = """
from minigrad import lesson
import minigrad_widgets
lesson.predict('How many?', 3, choices=[3, 5, 8])"""


def active(notebook):
    return notebook.page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    )


def answered(open_notebook):
    """A question that was answered by keyboard, and the number of its cell."""
    notebook = open_notebook()
    cell = notebook.append(QUESTION)
    notebook.append("print('the ' + 'next')")
    notebook.run(cell)
    view = notebook.cell(cell)
    view.get_by_role("radio").first.focus()
    notebook.page.keyboard.press("Space")
    view.get_by_role("button", name="Lock in").focus()
    notebook.page.keyboard.press("Enter")
    expect(view.locator(".mg-said")).to_be_focused()
    return notebook, cell


def test_shift_enter_runs_the_next_cell_and_the_answer_stays(open_notebook):
    notebook, cell = answered(open_notebook)
    notebook.page.keyboard.press("Shift+Enter")
    expect(notebook.cell(cell + 1)).to_contain_text("the next")
    expect(notebook.cell(cell).locator("[data-mg-predict=right]")).to_have_count(1)


def test_escape_leads_to_the_cell_from_where_the_keys_are_jupyterlabs(open_notebook):
    notebook, cell = answered(open_notebook)
    keyboard = notebook.page.keyboard
    keyboard.press("Escape")
    assert active(notebook) == cell
    keyboard.press("ArrowDown")
    assert active(notebook) == cell + 1
    keyboard.press("Shift+Enter")
    expect(notebook.cell(cell + 1)).to_contain_text("the next")


def test_control_enter_runs_this_cell_again(open_notebook):
    notebook, cell = answered(open_notebook)
    notebook.page.keyboard.press("Control+Enter")
    expect(notebook.cell(cell).locator("[data-mg-predict=open]")).to_have_count(1)
    assert active(notebook) == cell
