"""A pinned view in a real JupyterLab, and in Notebook 7."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

START = """
import minigrad as torch
from minigrad_widgets import BackwardStepper, GraphView
a, b = (torch.tensor([v], requires_grad=True) for v in (2.0, 6.0))
view = GraphView()
view"""


@pytest.fixture
def pinned(open_notebook):
    """A notebook with a GraphView that was pinned by keyboard, and a long way below it."""

    def pinned_(**options):
        notebook = open_notebook("00_start_here.ipynb", **options)
        cell = notebook.append(START)
        notebook.run(cell)
        for number in range(12):
            notebook.append("\n".join(f"# line {line} of cell {number}" for line in range(20)))
        notebook.cell(cell).get_by_role("button", name="Pin: keep in sight").press("Enter")
        dock = notebook.page.get_by_role("region", name="Pinned: GraphView")
        expect(dock.get_by_role("button", name="Bring it back")).to_be_focused()
        notebook.run(notebook.append("c = a + b"))
        return notebook, cell, dock

    return pinned_


def scroll_to_end(notebook):
    notebook.page.evaluate(
        """async () => {
            const notebook = window.jupyterapp.shell.currentWidget.content;
            notebook.activeCellIndex = notebook.widgets.length - 1;
            await notebook.scrollToItem(notebook.widgets.length - 1);
            notebook.activeCell.node.scrollIntoView({ block: 'end' });
        }"""
    )
    notebook.page.wait_for_timeout(500)


@pytest.mark.parametrize("place", ["doc/tree", "notebooks"], ids=["lab", "notebook7"])
def test_a_pinned_view_grows_while_cells_far_below_run(pinned, screenshot, place):
    notebook, cell, dock = pinned(place=place)
    page = notebook.page
    scroll_to_end(notebook)
    expect(notebook.cell(cell)).not_to_be_in_viewport()
    last = notebook.append("d = b + 1\ne = c * d")
    notebook.run(last)
    scroll_to_end(notebook)
    expect(dock.locator("[data-kind=op]")).to_have_count(3)
    expect(dock.locator("[data-name=e]").last).to_be_in_viewport()
    for turn in ("To the bottom", "To the side"):
        editor = notebook.cell(last).locator(".cm-content")
        expect(editor).to_be_in_viewport()
        text, picture = editor.bounding_box(), dock.bounding_box()
        beside = text["x"] + text["width"] <= picture["x"]
        above = text["y"] + text["height"] <= picture["y"]
        assert beside or above
        screenshot(page, f"pinned_{place[0]}_{dock.get_attribute('data-mg-place')}")
        dock.get_by_role("button", name=turn).click()
        page.wait_for_timeout(300)
        scroll_to_end(notebook)


def test_keys_lead_into_the_dock_and_back_and_nothing_is_done_to_the_cells(pinned):
    notebook, cell, dock = pinned()
    page = notebook.page
    cells = len(notebook.sources())
    dock.get_by_role("button", name="Bring it back").focus()
    for key in ("x", "d", "d", "a"):
        page.keyboard.press(key)
    assert len(notebook.sources()) == cells
    scroll_to_end(notebook)
    editor = notebook.cell(cells - 1).locator(".cm-content")
    editor.focus()
    page.keyboard.press("Alt+Shift+KeyP")
    expect(dock).to_be_focused()
    page.keyboard.press("Escape")
    expect(editor).to_be_focused()
    page.keyboard.press("Alt+Shift+KeyP")
    page.keyboard.press("Control+Enter")
    expect(dock.locator("[data-kind=op]")).to_have_count(2)  # the cell that was active ran again
    page.keyboard.press("Alt+Shift+KeyP")
    dock.get_by_role("button", name="Bring it back").press("Enter")
    expect(dock).to_have_count(0)
    expect(notebook.cell(cell).locator("[data-kind=op]")).to_have_count(2)
    expect(notebook.cell(cell).locator(".mg-pin")).to_be_focused()


def test_the_cell_run_again_keeps_its_view_pinned_and_cleared_it_lets_the_dock_go(pinned):
    notebook, cell, dock = pinned()
    notebook.run(cell)
    expect(dock.locator("[data-kind=op]")).to_have_count(0)
    notebook.run(notebook.append("f = a * b"))
    expect(dock.locator("[data-kind=op]")).to_have_count(1)
    expect(notebook.cell(cell).locator(".mg-pinned")).to_have_count(1)
    expect(notebook.cell(cell).locator(".mg-graph-view")).to_have_count(0)
    notebook.page.evaluate(
        """index => {
            const app = window.jupyterapp;
            app.shell.currentWidget.content.activeCellIndex = index;
            return app.commands.execute('notebook:clear-cell-output');
        }""",
        cell,
    )
    expect(dock).to_have_count(0)
    notebook.run(cell)
    expect(dock).to_be_visible()


def test_after_a_restart_of_the_kernel_the_picture_stays_until_the_cell_runs(pinned):
    notebook, cell, dock = pinned()
    notebook.restart_kernel()
    expect(dock.locator("[data-kind=op]")).to_have_count(1)
    notebook.run(cell)
    expect(dock.locator("[data-kind=op]")).to_have_count(0)
    expect(dock).to_be_visible()


@pytest.mark.parametrize("mode", ["full", "contentVisibility"])
def test_a_notebook_that_lets_cells_go_out_of_the_page_keeps_the_pinned_view(pinned, mode):
    notebook, cell, dock = pinned()
    notebook.page.evaluate(
        """windowingMode => {
            const { content } = window.jupyterapp.shell.currentWidget;
            content.notebookConfig = { ...content.notebookConfig, windowingMode };
        }""",
        mode,
    )
    scroll_to_end(notebook)
    notebook.page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-cell')")
    expect(dock.locator("[data-kind=op]")).to_have_count(2)
    dock.get_by_role("button", name="Bring it back").click()
    expect(dock).to_have_count(0)
    notebook.page.evaluate(
        "index => window.jupyterapp.shell.currentWidget.content.scrollToItem(index)", cell
    )
    expect(notebook.page.locator(".jp-Notebook .mg-graph-view [data-kind=op]")).to_have_count(2)
