"""The map of the course in lesson 00 is seen in JupyterLab, in both themes and on a narrow page."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("dark", "width"), [(False, 1280), (True, 600)], ids=["light", "dark"])
def test_the_map_is_seen_and_has_a_text(open_notebook, screenshot, dark, width):
    notebook = open_notebook("00_start_here.ipynb", dark=dark, width=width)
    (at,) = [i for i, (_, source) in enumerate(notebook.sources()) if "### A map" in source]
    cell = notebook.cell(at)
    cell.scroll_into_view_if_needed()
    picture = cell.locator("img")
    assert picture.get_attribute("alt").startswith("The lessons, and what they build on: 00 Start")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 400
    inside = cell.bounding_box()
    box = picture.bounding_box()
    assert box["x"] + box["width"] <= inside["x"] + inside["width"]
    screenshot(notebook.page, f"map_{'dark' if dark else 'light'}")
