"""The views in a real marimo: it runs cells itself, with neither IPython nor Jupyter's protocol.

Nothing here depends on marimo. It is installed into a folder of its own, which is deleted
afterwards: it takes 220 MB and about a minute.
"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong

ROOT = Path(__file__).resolve().parents[2]

VERSION = "0.25.2"
SECONDS = 240  # for the installation; where it takes longer, the tests are skipped
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")

pytestmark = [pytest.mark.index, pytest.mark.browser, pytest.mark.processes]

IMPORTS = """
import time
from pathlib import Path
import minigrad as torch
from minigrad import lesson, nn
from minigrad_widgets import BackwardStepper, GraphDiff, GraphView, TapePlayer, TrainingLoop, watch
"""
VIEW = """
view = GraphView()
view
"""


@pytest.fixture(scope="module")
def marimo(tmp_path_factory):
    """What runs marimo: the environment of a process that finds it, and finds no home."""
    home = tmp_path_factory.mktemp("marimo")
    folder = home / "packages"
    if not is_here():
        install(folder)
    settings = home / ".config" / "marimo" / "marimo.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[runtime]\nauto_instantiate = true\n")
    places = [folder, ROOT, ROOT / "widgets", os.environ.get("PYTHONPATH", "")]
    yield {
        **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
        "HOME": str(home),
        "PYTHONPATH": os.pathsep.join(map(str, filter(None, places))),
    }
    shutil.rmtree(home)


def is_here():
    try:
        return importlib.metadata.version("marimo") == VERSION
    except importlib.metadata.PackageNotFoundError:
        return False


def install(folder):
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries=1", "install"]
    command = [*pip, "--quiet", "--only-binary=:all:", "--target", folder, f"marimo=={VERSION}"]
    try:
        done = subprocess.run(command, timeout=SECONDS, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        pytest.skip(f"marimo {VERSION} could not be installed within {SECONDS} seconds")
    if done.returncode != 0:
        last = done.stderr.strip().rpartition("\n")[2]
        pytest.skip(f"marimo {VERSION} cannot be had here ({last})")


@pytest.fixture(scope="module")
def server(marimo, tmp_path_factory):
    """The address of a marimo that edits, and the folder of its notebooks."""
    yield from served(marimo, tmp_path_factory.mktemp("notebooks"), "edit")


def served(environment, folder, how, *files):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--headless", "--no-token", "--port", str(port)]
    options += ["--skip-update-check"] if how == "edit" else []
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "marimo", how, *(files or ["."]), *options],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        looks = 0
        while not answers(address):
            looks += 1
            assert process.poll() is None and looks < 600, "marimo does not answer"
            time.sleep(0.2)
        yield address, folder
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def answers(address):
    try:
        with urllib.request.urlopen(f"{address}/health", timeout=10) as answer:
            return answer.status == 200
    except OSError:
        return False


@pytest.fixture(scope="module")
def chrome(chromium):
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=str(chromium), args=list(FLAGS))
        yield launched
        launched.close()


def write(file, cells, theme="light"):
    """A notebook of marimo's."""
    text = f'# /// script\n# [tool.marimo.display]\n# theme = "{theme}"\n# ///\n'
    text += "import marimo\n\napp = marimo.App()\n\n"
    for cell in cells:
        body = textwrap.indent(textwrap.dedent(cell).strip(), "    ")
        text += f"@app.cell\ndef _():\n{body}\n    return\n\n"
    file.write_text(f'{text}if __name__ == "__main__":\n    app.run()\n')


class Notebook:
    """A notebook that stands open in a page."""

    def __init__(self, page):
        self.page = page
        self.cells = page.locator(".marimo-cell")

    def run(self, number, source):
        """Write this into a cell, and run it."""
        self.cells.nth(number).locator(".cm-content").first.click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(source)
        self.page.keyboard.press("Control+Enter")

    def view(self, number, kind):
        return self.cells.nth(number).locator(f".mg-{kind}")


@pytest.fixture
def open_(chrome, server, request):
    """Open a notebook with these cells, which follow upon the imports."""
    address, folder = server
    pages = []

    def opened(*cells, theme="light"):
        name = f"{request.node.name}.py"
        write(folder / name, [IMPORTS, *cells], theme)
        page = chrome.new_page(reduced_motion="reduce", viewport={"width": 1100, "height": 900})
        pages.append(page)
        page.goto(f"{address}/?file={name}")
        expect(page.locator(".marimo-cell")).to_have_count(1 + len(cells))
        return Notebook(page)

    yield opened
    for page in pages:
        page.close()


def says(view, text):
    expect(view.locator("[data-mg-status]").first).to_contain_text(text)


def test_the_graph_is_there_as_soon_as_the_cells_of_an_opened_notebook_have_run(open_):
    notebook = open_(
        VIEW,
        "loss = (b + 1).tanh()",
        "a = torch.tensor(2.0, requires_grad=True)\n_square = a * a\nb = a * 3 + _square",
    )
    view = notebook.view(1, "graph-view")
    says(view, "cell loss added 2 operations: b + 1 and loss. 5 operations in all, 5 alive.")
    view.get_by_role("button", name="Table").click()
    table = view.locator("table").first
    for text in ("_square", "cell a", "cell loss", "a · 3 + _square"):
        expect(table).to_contain_text(text)


def test_nodes_appear_while_their_cell_still_runs(open_, server):
    go = server[1] / "go"
    go.unlink(missing_ok=True)
    notebook = open_(VIEW, "'here it comes'")
    view = notebook.view(1, "graph-view")
    says(view, "No operations yet.")
    waits = f"while not Path({str(go)!r}).exists():\n    time.sleep(0.02)"
    notebook.run(2, f"a = torch.ones(1, requires_grad=True)\nb = a * 3\n{waits}\nc = b + 1")
    says(view, "1 operation in all")
    go.touch()
    says(view, "cell a (2) added 2 operations: b and c.")


def test_a_cell_that_runs_again_makes_other_nodes_and_the_first_ones_fade(open_):
    notebook = open_(VIEW, "a = torch.tensor(2.0, requires_grad=True)\nb = a * 3", "c = b + 1")
    view = notebook.view(1, "graph-view")
    says(view, "cell c added 1 operation: c. 2 operations in all, 2 alive.")
    notebook.run(2, "a = torch.tensor(4.0, requires_grad=True)\nb = a * 5")
    says(view, "cell c (2) added 1 operation: c. 4 operations in all, 2 alive.")
    notebook.run(3, "c = b @ torch.ones(3)")
    says(view, "b @ [1, 1, 1] failed.")
    notebook.run(3, "c = b + 2")
    says(view, "cell c (4) added 1 operation: c. 5 operations in all, 2 alive.")


def test_a_view_whose_cell_runs_again_is_closed_and_the_new_one_watches(open_):
    notebook = open_(VIEW, "a = torch.tensor(2.0, requires_grad=True)\nb = a * 3", "'nothing'")
    says(notebook.view(1, "graph-view"), "1 operation in all")
    notebook.run(1, "view = GraphView()\nview")
    says(notebook.view(1, "graph-view"), "No operations yet.")
    notebook.run(2, "a = torch.tensor(2.0, requires_grad=True)\nb = a * 7")
    says(notebook.view(1, "graph-view"), "cell a (2) added 1 operation: b.")
    notebook.run(3, "from minigrad_widgets.session import session\nlen(session.views) == 1")
    expect(notebook.cells.nth(3)).to_contain_text("True")
    notebook.run(1, "view = None")
    notebook.run(3, "from minigrad_widgets.session import session\nlen(session.views) == 0")
    expect(notebook.cells.nth(3)).to_contain_text("True")


def test_every_view_works_in_marimo(open_):
    notebook = open_(
        """
        a = torch.tensor(2.0, requires_grad=True)
        b = a * 3
        BackwardStepper(b.tanh())
        """,
        """
        def f(x):
            return x * 2 if x > 1 else x + 1
        GraphDiff(f, {"x": 0.5}, {"x": 1.5})
        """,
        """
        with TapePlayer() as player:
            w = a * 3
            v = w + 1
        player
        """,
        """
        def g(x, y):
            return (x + y) * y
        watch(g, x=2.0, y=6.0)
        """,
        "lesson.predict('How many nodes?', 3)",
        "again = lesson.predict('How many leaves?', 1)",
        """
        model = nn.Linear(1, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        with TrainingLoop(model, optimizer) as loop:
            for _ in loop.progress(range(30)):
                optimizer.zero_grad()
                _loss = (model(torch.ones(1, 1)) - 2).square().sum()
                _loss.backward()
                optimizer.step()
        """,
    )
    stepper = notebook.view(1, "stepper")
    stepper.get_by_role("button", name="Step").first.click()
    expect(stepper).to_contain_text("step 1 of")
    expect(stepper).to_contain_text("Start at tanh(b)")
    diff = notebook.view(2, "graph-diff")
    diff.get_by_role("textbox").or_(diff.get_by_role("spinbutton")).first.fill("0")
    diff.get_by_role("button", name="Lock in").click()
    expect(diff).to_contain_text("Right: 0.")
    player = notebook.view(3, "player")
    expect(player).to_contain_text("Tape of cell player")
    player.get_by_role("button", name="Step").first.click()
    expect(player).to_contain_text("step 1 of 2")
    call = notebook.view(4, "graph-view")
    call.get_by_role("spinbutton", name="x").fill("3")
    call.get_by_role("spinbutton", name="x").press("Enter")
    says(call, "g(x = 3, y = 6) = 54.")
    for number in (5, 6):
        question = notebook.cells.nth(number).locator(".mg-prediction-view, .mg-root").first
        question.get_by_role("textbox").fill("1")
        question.get_by_role("button", name="Lock in").click()
        expect(question).to_contain_text("Right" if number == 6 else "Not")
    loop = notebook.view(7, "training")
    expect(loop).to_contain_text("Done: 30 steps.")
    for pin in notebook.page.get_by_role("button", name="Pin").all():
        expect(pin).to_be_hidden()  # marimo's outputs cannot be taken out of their places


def test_an_interrupt_ends_a_training_and_the_cell_goes_on(open_):
    notebook = open_(
        """
        model = nn.Linear(1, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        with TrainingLoop(model, optimizer) as loop:
            while True:
                optimizer.zero_grad()
                _loss = (model(torch.ones(1, 1)) - 2).square().sum()
                _loss.backward()
                optimizer.step()
                time.sleep(0.001)
        print("it went on")
        """
    )
    loop = notebook.view(1, "training")
    expect(loop).to_contain_text(re.compile(r"step \d+"))  # live
    interrupt = notebook.page.get_by_test_id("interrupt-button").last
    expect(interrupt).not_to_have_class(re.compile("inactive"))  # a moment after the cell began
    interrupt.click()
    expect(loop).to_contain_text("the model keeps what it has learned")
    expect(notebook.cells.nth(1)).to_contain_text("it went on")


def test_keys_in_a_picture_are_no_commands_to_the_notebook(open_):
    notebook = open_(VIEW, "a = torch.tensor(2.0, requires_grad=True)\nb = a * 3")
    view = notebook.view(1, "graph-view")
    says(view, "1 operation in all")
    view.locator("svg [tabindex='0']").first.focus()
    for key in ("ArrowRight", "a", "b", "d", "d", "j", "k", "Enter", "Escape"):
        notebook.page.keyboard.press(key)
    expect(notebook.cells).to_have_count(3)
    expect(view.locator("svg [tabindex='0']").first).to_be_focused()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_views_follow_the_theme_of_marimo_not_of_the_system(open_, theme):
    notebook = open_(VIEW, theme=theme)
    view = notebook.view(1, "graph-view")
    expect(view).to_have_css("color-scheme", theme)
    paper = {"light": "rgb(255, 255, 255)", "dark": "rgb(31, 33, 38)"}[theme]
    expect(view).to_have_css("background-color", paper)


def test_each_visitor_of_an_app_has_live_views(marimo, chrome, tmp_path):
    cells = [IMPORTS, VIEW, "a = torch.tensor(2.0, requires_grad=True)\nb = a * 3"]
    write(tmp_path / "app.py", cells)
    running = served(marimo, tmp_path, "run", "app.py")
    address, _ = next(running)
    for _ in range(2):
        page = chrome.new_page()
        page.goto(address)
        says(page.locator(".mg-graph-view"), "cell a added 1 operation: b.")
        page.close()
    running.close()


def test_as_a_script_a_notebook_of_marimo_needs_no_page(marimo, tmp_path):
    write(tmp_path / "script.py", [IMPORTS, VIEW, "print(repr(view), 'is there')"])
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, env=marimo, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "GraphView(0 operations) is there\n"), done.stderr
