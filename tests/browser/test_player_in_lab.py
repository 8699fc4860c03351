"""TapePlayer in a real JupyterLab: a cell recorded, played, and played on without the kernel."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

DEFINE = """
import minigrad as torch
from minigrad_widgets import TapePlayer

w = torch.tensor(2.0, requires_grad=True)

def error(rate):
    ride = rate * 3
    return ride - 9
"""

RECORD = """
with TapePlayer() as player:
    for rate in (0.01, 0.02):
        loss = error(w) ** 2
        loss.backward()
        with torch.no_grad():
            w -= rate * w.grad
        w.grad = None
player
"""


def test_what_a_cell_recorded_is_played_with_the_functions_of_other_cells(
    open_notebook, screenshot
):
    notebook = open_notebook()
    page = notebook.page
    notebook.run(notebook.append(DEFINE))
    shown = notebook.append(RECORD)
    notebook.run(shown)
    view = notebook.cell(shown)
    status = view.locator("[data-mg-status]")
    expect(status).to_contain_text("Before the first of ")
    expect(view.locator(".mg-source-file")).to_have_text(["In [2]", "In [1]"])
    view.get_by_role("button", name="w -= rate * w.grad").click()
    expect(status).to_contain_text(", pass 1 ran. w is 2.18, before 2.")
    view.locator(".mg-played").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(status).to_contain_text("w.grad becomes -18.")
    screenshot(view.locator(".mg-root"), "tape_player")
    notebook.restart_kernel()
    view.get_by_role("button", name="w -= rate * w.grad").click()
    page.keyboard.press("Enter")
    expect(status).to_contain_text("pass 2 ran. w is 2.475, before 2.18.")
