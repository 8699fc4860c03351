"""``watch`` in a real JupyterLab: a slider runs the function again, in the kernel."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CALL = """
import minigrad as torch
from minigrad_widgets import GraphView, watch

def f(a, b):
    print("called")
    if a > 0:
        return (a + b) * b
    return torch.exp(b) / wrong

watch(f, a=2.0, b=6.0)
"""


def test_a_slider_runs_the_function_again_and_an_error_is_a_message(open_notebook, screenshot):
    notebook = open_notebook()
    page = notebook.page
    cell = notebook.append(CALL)
    notebook.run(cell)
    view = notebook.cell(cell).locator(".mg-root")
    status = view.get_by_role("status")
    expect(status).to_have_text("f(a = 2, b = 6) = 48. 2 operations.")
    view.get_by_label("a", exact=True).fill("3")
    expect(status).to_have_text("f(a = 3, b = 6) = 54. 2 operations.")
    screenshot(view, "watch")
    slider = view.get_by_label("a, slider")
    slider.focus()
    page.keyboard.press("Home")
    expect(view.get_by_role("alert")).to_contain_text("NameError")
    expect(view.get_by_role("alert")).to_contain_text("return torch.exp(b) / wrong")
    expect(view.locator("[data-op=exp]")).to_have_count(1)
    page.keyboard.press("End")
    expect(view.get_by_role("alert")).to_be_hidden()
    expect(slider).to_be_focused()
    assert "called" not in notebook.output(cell).replace(view.inner_text(), "")


def test_a_block_is_watched_alone_and_its_view_opens_folded(open_notebook, screenshot):
    notebook = open_notebook()
    cell = notebook.append(
        "import minigrad as torch\n"
        "from minigrad_widgets import GraphView\n"
        "x = torch.tensor(0.5, requires_grad=True)\n"
        "with GraphView() as view:\n"
        "    h = x\n"
        "    for _ in range(50):\n"
        "        h = h * x\n"
        "        h = torch.tanh(h)\n"
        "view"
    )
    notebook.run(cell)
    view = notebook.cell(cell).locator(".mg-root")
    box = view.locator("[data-kind=box]")
    expect(box).to_have_count(1)
    expect(box).to_contain_text("lines 7–8")
    expect(box).to_contain_text("50 passes")
    screenshot(view, "folded")
    other = notebook.append("y = x * 3")
    notebook.run(other)
    expect(view.get_by_role("status")).to_contain_text(
        "The block has ended. It recorded 100 operations"
    )
