"""TrainingLoop in a real JupyterLab: live, interrupted, and asked."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SETUP = """
import time
import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad_widgets import TrainingLoop

torch.manual_seed(0)
x, y = torch.randn(320, 64), torch.randint(0, 10, (320,))
data = torch.utils.data.TensorDataset(x, y)
loader = torch.utils.data.DataLoader(data, batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
PAUSE, EPOCHS = 0, 30
"""

TRAIN = """
with TrainingLoop(model, optimizer) as loop:
    for epoch in loop.progress(range(EPOCHS)):
        for a, b in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(a), b)
            loss.backward()
            optimizer.step()
            time.sleep(PAUSE)
"""

KINDS = "error", "stderr"
ERRORS = ", ".join(f'[data-mime-type="application/vnd.jupyter.{kind}"]' for kind in KINDS)


def begin(notebook, **settings):
    lines = "\n".join(f"{name} = {value}" for name, value in settings.items())
    notebook.run(notebook.append(SETUP + lines))
    return notebook.append(TRAIN)


@pytest.mark.parametrize("dark", [False, True])
def test_a_training_is_shown_when_it_is_over_and_a_line_is_left_out(
    open_notebook, screenshot, dark
):
    notebook = open_notebook(dark=dark)
    cell = begin(notebook)
    notebook.run(cell)
    view = notebook.cell(cell).locator(".mg-training")
    status = view.locator("[data-mg-status]")
    expect(status).to_contain_text("Done: 300 steps.")
    expect(view.locator(".mg-kept")).to_have_text(
        "Kept: the first 10 and the last 50 of 300 steps."
    )
    view.get_by_role("button", name="Next", exact=True).click()
    expect(status).to_contain_text("Step 1, forward.")
    notebook.page.keyboard.press("ArrowRight")
    expect(status).to_contain_text("Step 1, backward.")
    view.get_by_role("button", name="without zero_grad()").click()
    expect(view.locator("[data-mg-predict=open]")).to_be_visible()
    view.get_by_role("radio", name="where it started").check()
    view.get_by_role("button", name="Lock in").click()
    view.get_by_role("button", name="Show me").click()
    expect(view.locator("[data-mg-predict=wrong]")).to_contain_text("Measured on the first batch")
    screenshot(view, f"training_loop{'_dark' if dark else ''}")
    check = notebook.append("loop.given['text'], len(loop.losses)")
    notebook.run(check)
    assert "('where it started', 300)" in notebook.output(check)


def test_while_it_trains_it_tells_how_long_and_an_interrupt_is_calm(open_notebook, screenshot):
    notebook = open_notebook()
    cell = begin(notebook, PAUSE=0.02, EPOCHS=300)
    after = notebook.append("len(loop.losses) > 10, loop.training['state']")
    notebook.start(cell)
    view = notebook.cell(cell).locator(".mg-training")
    progress = view.locator(".mg-progress")
    expect(progress).to_contain_text("of 3,000, about")
    expect(progress).to_contain_text("left")
    expect(view.locator(".mg-lit")).to_have_count(1)
    first = progress.inner_text()
    expect(progress).not_to_have_text(first)
    screenshot(view, "training_loop_live")
    notebook.page.evaluate(
        """() => window.jupyterapp.shell.currentWidget.sessionContext
            .session.kernel.interrupt()"""
    )
    notebook.wait()
    status = view.locator("[data-mg-status]")
    expect(status).to_contain_text("of 3,000; the model keeps what it has learned.")
    expect(status).to_contain_text("Stopped after step")
    expect(notebook.cell(cell).locator(ERRORS)).to_have_count(0)
    notebook.run(after)
    assert "(True, 'stopped')" in notebook.output(after)


def test_a_cell_that_is_run_again_shows_one_new_view(open_notebook):
    notebook = open_notebook()
    cell = begin(notebook, EPOCHS=2)
    for _ in range(2):
        notebook.run(cell)
    expect(notebook.cell(cell).locator(".mg-training")).to_have_count(1)
    count = notebook.append("import gc\nsum(isinstance(o, TrainingLoop) for o in gc.get_objects())")
    notebook.run(count)
    assert notebook.output(count).split()[-1] in "12"


def test_a_question_that_cannot_be_answered_says_so_in_three_lines(open_notebook):
    notebook = open_notebook()
    notebook.run(notebook.append(SETUP + "EPOCHS = 1"))
    notebook.run(notebook.append(TRAIN.replace("            optimizer.step()\n", "")))
    for ask in ('loop.ask("zero_grad")', 'loop.ask("step", mine="banana")'):
        cell = notebook.append(ask)
        notebook.start(cell)
        notebook.wait()
        error = notebook.cell(cell).locator(ERRORS)
        expect(error).to_contain_text("ValueError: ")
        said = error.inner_text().strip().splitlines()
        assert len(said) <= 3 and "Traceback" not in said[0], said
        assert said[-1].startswith("  fix: ")
