"""A notebook that was run, saved and opened again shows its views, with the answers given."""

from __future__ import annotations

import nbformat
import pytest
import two_notebooks
from nbclient import NotebookClient
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CELLS = (
    """
import minigrad as torch
from minigrad import lesson
from minigrad_widgets import BackwardStepper
a, b = (torch.tensor([v], requires_grad=True) for v in (2.0, 6.0))
BackwardStepper((a + b) * (b + 1))""",
    "lesson.predict('b.grad?', 15.0)",
)


@pytest.mark.parametrize("place", ["doc/tree", "notebooks"], ids=["lab", "notebook7"])
def test_after_saving_and_a_new_kernel_the_pictures_are_there(open_notebook, server, place):
    _, root = server
    two_notebooks.write_one(root / "saved.ipynb", CELLS)
    notebook = open_notebook("saved.ipynb", place=place)
    page = notebook.page

    def save():
        page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")

    for cell in range(len(CELLS)):
        notebook.run(cell)
    notebook.cell(1).locator("input").fill("15")
    page.keyboard.press("Enter")
    expect(notebook.cell(1).get_by_role("status")).to_contain_text("Right: 15.")
    save()
    notebook.restart_kernel()
    save()
    # The second time, the views have come from the file and have had no kernel at all.
    for _ in range(2):
        page.reload()
        page.wait_for_selector(".jp-Notebook")
        notebook.wait_until_ready()
        expect(notebook.cell(0).locator("[data-kind=op]")).to_have_count(3)
        notebook.cell(0).get_by_role("button", name="Step", exact=True).click()
        expect(notebook.cell(0).locator("[data-mg-status]")).to_contain_text("Step 1 of 6")
        expect(notebook.cell(1).get_by_role("status")).to_contain_text("Right: 15.")
        save()


def with_stills(path):
    """A notebook as somebody else gets it: with its outputs, untrusted, without the widgets."""
    two_notebooks.write_one(path, CELLS[:1])
    notebook = nbformat.read(path, 4)
    NotebookClient(notebook, kernel_name="python3", store_widget_state=False).execute()
    nbformat.write(notebook, path)


def test_where_no_live_view_can_be_shown_its_still_is_and_beside_a_live_view_it_is_not(
    open_notebook, server
):
    _, root = server
    with_stills(root / "stills.ipynb")
    notebook = open_notebook("stills.ipynb")
    picture = notebook.cell(0).locator(".mg-still img")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    assert picture.get_attribute("alt").startswith("The backward pass of (a + b) * (b + 1)")
    notebook.cell(0).get_by_text("The picture as a table").click()
    expect(notebook.cell(0).locator(".mg-still pre")).to_contain_text("[7] to a + b")
    notebook.run(0)
    expect(notebook.cell(0).locator("[data-kind=op]")).to_have_count(3)
    expect(notebook.cell(0).locator(".mg-still")).to_have_count(1)
    expect(picture).to_be_hidden()
    blank = notebook.cell(0).locator(".jp-OutputArea-child:has(.mg-still)")
    assert blank.bounding_box() is None, "it takes no room"
