"""The lessons alive in the browser: JupyterLite of the built site, with no other machine."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from playwright.sync_api import expect

import lab
from website import sizes

pytestmark = [pytest.mark.browser, pytest.mark.index, pytest.mark.node]

LESSONS = [path.stem for path in sorted(lab.NOTEBOOKS.glob("*.ipynb"))]
SOLUTIONS = Path(lab.ROOT, "tests", "notebooks", "solutions")

READY = """async () => {
    const panel = window.jupyterapp?.shell.currentWidget;
    if (!panel?.context) return false;
    await panel.context.ready;
    await panel.sessionContext.ready;
    const kernel = panel.sessionContext.session?.kernel;
    if (!kernel) return false;
    await kernel.info;
    return kernel.connectionStatus === 'connected' && ['idle', 'unknown'].includes(kernel.status);
}"""

RUN_ALL = """() => Promise.race([
    window.jupyterapp.commands.execute('notebook:run-all-cells'),
    new Promise((_, fail) => setTimeout(fail, 600_000, new Error('cells ran for ten minutes'))),
])"""

FAILED = """() => window.jupyterapp.shell.currentWidget.content.widgets.flatMap(cell =>
    (cell.model.type === 'code' ? cell.model.outputs.toJSON() : [])
        .filter(one => one.output_type === 'error')
        .map(error => `${cell.model.sharedModel.getSource()}: ${error.ename} ${error.evalue}`))"""

NOT_RUN = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code' && cell.model.sharedModel.getSource().trim() !== ''
        && cell.model.executionCount === null).length"""

FILL_IN = """solutions => {
    for (const cell of window.jupyterapp.shell.currentWidget.content.widgets) {
        const source = solutions[cell.model.getMetadata('exercise')];
        if (source) cell.model.sharedModel.setSource(source);
    }
}"""

SAID = """() => Object.fromEntries(window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.getMetadata('exercise'))
    .map(cell => [cell.model.getMetadata('exercise'), cell.model.outputs.toJSON()
        .map(one => [one.text ?? one.data?.['text/plain'] ?? ''].flat().join('')).join('\\n')]))"""

RUN_SOURCE = """source => {
    const panel = window.jupyterapp.shell.currentWidget;
    const { widgets } = panel.content;
    panel.content.activeCellIndex = widgets.length - 1;
    window.jupyterapp.commands.execute('notebook:insert-cell-below');
    panel.content.activeCell.model.sharedModel.setSource(source);
    window.jupyterapp.commands.execute('notebook:run-cell');
}"""

DELETE = "() => window.jupyterapp.commands.execute('notebook:delete-cell')"

TRAINING = """
import minigrad as torch
from minigrad import nn
from minigrad_widgets import TrainingLoop

x, y = torch.randn(320, 64), torch.randint(0, 10, (320,))
model = nn.Linear(64, 10)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with TrainingLoop(model, optimizer) as loop:
    for step in loop.progress(range(1_000_000)):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
print("the cell went on after", len(loop.losses) > 10, loop.training["state"])
"""


class Live:
    """Lessons opened in JupyterLite: one at a time, and each once, since a kernel is slow to start.

    ``outside``: what was asked of other machines; ``missing``: what was asked here, and is not.
    """

    def __init__(self, chrome, address):
        self.address, self.name = address, None
        self.outside, self.missing = [], []
        self.context = chrome.new_context(viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(300_000)
        own = (address, "data:", "blob:")
        self.context.on(
            "request", lambda sent: sent.url.startswith(own) or self.outside.append(sent.url)
        )
        self.context.on("response", self.answered)

    def answered(self, response):
        if response.status >= 400 and "/live/static/" in response.url:
            self.missing.append(response.url)

    def open(self, name):
        if self.name == name:
            return self.page
        for page in self.context.pages:
            page.close()
        self.page, self.name = self.context.new_page(), name
        self.page.goto(f"{self.address}live/lab/index.html?path={name}.ipynb")
        for _ in range(1200):
            if self.page.evaluate(READY):
                return self.page
            self.page.wait_for_timeout(250)
        raise TimeoutError("the kernel did not become ready")


@pytest.fixture(scope="module")
def live(chrome, live_address):
    opened = Live(chrome, live_address)
    yield opened
    opened.context.close()


def test_a_training_is_seen_while_it_runs_and_stops_when_it_is_told(live):
    page = live.open(LESSONS[0])  # the next test goes on with it
    page.evaluate(RUN_SOURCE, TRAINING)
    cell = page.locator(".jp-CodeCell").last
    view = cell.locator(".mg-training")
    status = view.locator("[data-mg-status]")
    expect(view.get_by_role("button", name="Stop", exact=True)).to_be_visible(timeout=120_000)
    seen = [view.element_handle(), view.inner_text()]
    page.wait_for_function("([view, before]) => view.innerText !== before", arg=seen)
    view.get_by_role("button", name="Stop", exact=True).click()
    expect(status).not_to_have_text("The training runs.")
    expect(cell).to_contain_text("the cell went on after True stopped")
    expect(status).to_contain_text("the model keeps what it has learned")
    assert live.outside == []
    page.evaluate(DELETE)


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_runs_in_the_browser_as_given_and_with_solutions(live, name):
    page = live.open(name)
    page.evaluate(RUN_ALL)
    assert page.evaluate(FAILED) == []
    assert page.evaluate(NOT_RUN) == 0
    assert page.locator(".mg-root").count() > 0

    solutions = runpy.run_path(str(SOLUTIONS / f"nb{name[:2]}.py"))["SOLUTIONS"]
    page.evaluate(FILL_IN, solutions)
    page.evaluate(RUN_ALL)
    assert page.evaluate(FAILED) == []
    said = page.evaluate(SAID)
    assert said.keys() == solutions.keys()
    for exercise, text in said.items():
        assert "✓" in text and "✗" not in text, (exercise, text)
    assert live.outside == live.missing == []


def test_less_than_18_mb_reach_a_reader_before_the_first_cell(live_folder):
    assert sizes.first_visit(live_folder, "01_a_graph_appears") < 18e6
