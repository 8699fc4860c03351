"""A notebook with every view, a check and an answer: what is left of it where nothing runs.

It is run and answered in JupyterLab, saved, opened again with a kernel that knows nothing of it,
and made into a page and into Markdown by ``nbconvert``.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
import two_notebooks
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CELLS = (
    """
import minigrad as torch
from minigrad import lesson, nn
from minigrad_widgets import BackwardStepper, GraphDiff, GraphView, TapePlayer, TrainingLoop
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
x = torch.ones(4, 2)""",
    """
with GraphView() as view:
    loss = model(x).square().mean()
view""",
    "BackwardStepper(loss)",
    """
def scaled(rate):
    y = rate * 3
    if y > 6:
        y = y * 2
    return y
GraphDiff(scaled, {'rate': 1.0}, {'rate': 3.0})""",
    """
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with TrainingLoop(model, optimizer) as loop:
    for _ in range(3):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()""",
    """
w = torch.tensor(2.0, requires_grad=True)
with TapePlayer() as player:
    error = (w * 3 - 9) ** 2
    error.backward()
player""",
    "_ = lesson.check(lesson.Exercise('slope', answer=15.0), 15)",
    "_ = lesson.predict('What is w.grad?', -18.0, because='2 * (6 - 9) * 3')",
    "_ = lesson.predict('And after a step?', 'less', choices=['less', 'more'])",
)
VIEWS = range(1, 6)
ANSWERED = len(CELLS) - 2
OPEN = len(CELLS) - 1

LIVE = {
    1: "[data-name='0.weight']",
    2: "[data-name='2.bias']",
    3: ".mg-graph-diff",
    4: ".mg-training",
    5: ".mg-player",
}
"""What of each view is seen in the page where it lives."""

TOLD = {
    1: r"addmm\(x, 0\.weight, 0\.bias\) +4×3 numbers",
    2: r"loss = mean\(.*mean +1 ",
    3: r"right only +\d+ +.*y = y \* 2 = 18",
    4: r"3 +step +\S+ +from \S+ to",
    5: r"error = \(w \* 3 - 9\) \*\* 2",
}
"""What the table of each view says where it is at rest."""

BARE = re.compile(r"Error displaying widget|Loading widget|model not found|<minigrad|object at 0x")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("kept")


def look_for_all(notebook):
    """Each view lives, with its names; the check is passed, and the answer is given."""
    for cell, selector in LIVE.items():
        expect(notebook.cell(cell).locator(selector).first).to_be_visible()
        expect(notebook.cell(cell).locator(".mg-still")).to_be_hidden()
    expect(notebook.cell(6).locator(".mg-root")).to_contain_text("slope")
    expect(notebook.cell(6).locator(".mg-root")).to_contain_text("right.")
    expect(notebook.cell(ANSWERED).get_by_role("status")).to_contain_text("Right: -18.")
    assert not BARE.search(notebook.page.locator(".jp-Notebook").inner_text())


def test_a_notebook_with_every_view_is_kept(open_notebook, server, folder, browser, screenshot):
    _, root = server
    two_notebooks.write_one(root / "every_view.ipynb", CELLS)
    notebook = open_notebook("every_view.ipynb")
    page = notebook.page
    for cell in range(len(CELLS)):
        notebook.run(cell)
    field = notebook.cell(ANSWERED).locator("input:not(.mg-own-words)")
    field.fill("6")
    page.keyboard.press("Enter")
    expect(notebook.cell(ANSWERED).get_by_role("status")).to_contain_text("You said 6")
    field.fill("-18")
    page.keyboard.press("Enter")
    look_for_all(notebook)
    expect(notebook.cell(ANSWERED).locator(".mg-still")).to_be_hidden()

    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    file = next(root.glob("test_a_notebook_with_every_view*.ipynb"))
    notebook.restart_kernel()
    page.reload()
    page.wait_for_selector(".jp-Notebook")
    notebook.wait_until_ready()
    look_for_all(notebook)
    notebook.cell(2).get_by_role("button", name="Step", exact=True).click()
    expect(notebook.cell(2).locator("[data-mg-status]")).to_contain_text("Step 1 of")
    screenshot(page, "kept_reopened")

    told = [
        ["".join(one.get("data", {}).get("text/plain", "")) for one in cell["outputs"]]
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]
    ]
    for cell in VIEWS:
        line, table = told[cell]
        assert "\n" not in line and re.search(TOLD[cell], table), table
    assert told[6] == ["Check of slope:", "✓ slope: right."]
    assert told[ANSWERED][-1].splitlines() == [
        "Predict: What is w.grad?",
        "  ✓ Right: -18.",
        "  2 * (6 - 9) * 3",
    ]
    assert len(told[ANSWERED]) == 2, "the second answer stands in the place of the first"
    assert [text.splitlines()[0] for text in told[OPEN]] == ["Predict: And after a step?"] * 2

    markdown = converted(file, "markdown", folder / "kept.md")
    tables_and_pictures(markdown)
    made = folder / "kept.html"
    tables_and_pictures(converted(file, "html", made))
    as_a_page(browser, made, screenshot)


def converted(file, to, made):
    command = [sys.executable, "-m", "nbconvert", "--to", to, "--log-level", "ERROR"]
    command += ["--output", str(made.with_suffix("")), str(file)]
    subprocess.run(command, check=True)
    return made.read_text(encoding="utf-8")


def tables_and_pictures(text):
    pictures = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', text)
    assert len(pictures) == len(VIEWS)
    for picture in pictures:
        ElementTree.fromstring(base64.b64decode(picture))
    assert "✓ slope: right." in text and "✓ Right: -18." in text
    assert not BARE.search(re.sub(r"(?s)<script.*?</script>|<style.*?</style>", "", text))


def as_a_page(browser, file, screenshot):
    """Without a network, as a teacher opens the file that a student has sent."""
    context = browser.new_context(offline=True, viewport={"width": 1000, "height": 900})
    page = context.new_page()
    page.goto(file.as_uri())
    for at, cell in enumerate(VIEWS):
        still = page.locator(".mg-still").nth(at)
        picture = still.locator("img")
        expect(picture).to_be_visible()
        assert picture.evaluate("one => one.decode().then(() => one.naturalWidth)") > 200
        still.get_by_text("The picture as a table").click()
        assert re.search(TOLD[cell], still.locator("pre").inner_text())
        widths = "one => ['i', 'W'].map(letter => {"
        widths += "one.textContent = letter.repeat(9);"
        widths += "const range = document.createRange(); range.selectNodeContents(one);"
        widths += "return range.getBoundingClientRect().width })"
        narrow, wide = still.locator("pre").evaluate(widths)
        assert narrow == wide, "columns stand below each other"
    expect(page.get_by_text("✓ Right: -18.")).to_be_visible()
    expect(page.get_by_text("✓ slope: right.")).to_be_visible()
    question = page.get_by_text("Predict: And after a step?")
    expect(question).to_be_visible()
    for text in ("choices: less | more", "not answered yet"):
        expect(question).to_contain_text(text)
    assert not BARE.search(page.locator("body").inner_text())
    screenshot(page, "kept_as_html")
    context.close()
