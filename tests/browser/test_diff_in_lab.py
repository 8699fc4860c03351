"""GraphDiff in a real JupyterLab: asked, locked in, shown, and still there without the kernel."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

DEFINE = """
import minigrad as torch
from minigrad_widgets import GraphDiff

def f(a):
    while a < 4:
        a = a * 2
    return a
"""


def test_the_answer_given_in_the_page_reveals_the_other_run_and_reaches_python(
    open_notebook, screenshot
):
    notebook = open_notebook()
    page = notebook.page
    notebook.run(notebook.append(DEFINE))
    shown = notebook.append("diff = GraphDiff(f, {'a': 1.9}, {'a': 2.1})\ndiff")
    notebook.run(shown)
    view = notebook.cell(shown)
    expect(view.locator("[data-side=left]")).to_have_count(3)
    for answer, settled in (("1", 1), ("-1", 2)):
        view.get_by_role("textbox").last.fill(answer)
        page.keyboard.press("Enter")
        expect(view.locator("[data-mg-predict]")).to_have_count(settled)
    expect(view.locator("[data-mg-status]")).to_contain_text("2 operations against 1; 1 more pass")
    expect(view.locator("[data-mg-row=left]")).to_have_count(1)
    screenshot(view.locator(".mg-root"), "graph_diff")
    told = notebook.append("print(diff.given[1]['text'], diff.given[1]['right'])\nprint(diff)")
    notebook.run(told)
    assert notebook.output(told).startswith("-1 True\n2 operations against 1;")
    notebook.restart_kernel()
    view.get_by_role("button", name="Table").click()
    expect(view.locator("tbody tr")).to_have_count(3)
