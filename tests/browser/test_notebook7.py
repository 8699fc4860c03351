"""A growing graph in Notebook 7, which shows the same notebooks in a page of its own."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_a_growing_graph_works_in_notebook_7(open_notebook, screenshot):
    notebook = open_notebook(place="notebooks")
    page = notebook.page
    assert page.evaluate("() => document.body.dataset.notebook") == "notebooks"
    shown = notebook.find("view = GraphView()")
    notebook.run_through(shown)
    view = notebook.cell(shown).locator(".mg-root")
    for text in ("a = torch", "c = a + b", "d = b + 1", "e = c * d"):
        notebook.run(
            next(
                i
                for i in notebook.code_cells()
                if i > shown and notebook.sources()[i][1].startswith(text)
            )
        )
    expect(view.locator("[data-kind=op]")).to_have_count(3)
    view.locator("[data-name=e]").last.click()
    expect(view.get_by_label("Details of e = c * d")).to_contain_text("8 · 7 = 56")
    page.keyboard.press("Escape")
    expect(view.locator(".mg-details")).to_have_count(0)
    view.get_by_label("Nodes are").select_option("both")
    expect(view.locator("[data-kind=value]")).to_have_count(3)
    view.get_by_role("button", name="Table").click()
    expect(view.locator("tbody tr")).to_have_count(5)
    # Keys pressed in the widget are its own: "x" would cut the cell.
    cells = len(notebook.sources())
    view.get_by_role("button", name="Table").press("x")
    assert len(notebook.sources()) == cells
    screenshot(view, "notebook7")
