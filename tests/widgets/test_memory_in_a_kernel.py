"""MemoryTape in a notebook: cell by cell, in a kernel without threads, and in the saved file."""

from __future__ import annotations

import nbformat
import pytest
from kernels import kernel
from nbclient import NotebookClient

SETUP = """
import threading
start = threading.Thread.start
def refuse(thread):
    if threading.current_thread() is threading.main_thread():
        raise RuntimeError("can't start new thread")
    start(thread)  # the kernel's own, which sends messages
threading.Thread.start = refuse
import minigrad as torch
from minigrad_widgets import MemoryTape
w = torch.ones(64, 64, requires_grad=True)
"""

LINES = """
total = 0
for step in range(4):
    total += torch.tanh(w).mean()
    print("step", step, flush=True)
"""


@pytest.fixture
def cells(tmp_path):
    with kernel(tmp_path) as running:
        running.run(SETUP, "setup")
        yield running


def told(messages):
    """What a page sees, in its order: the lines printed, and the bytes that are there."""
    seen = []
    for message in messages:
        content = message["content"]
        if message["msg_type"] == "stream":
            seen += content["text"].splitlines()
        state = content.get("data", {}).get("state", {}) if "comm_id" in content else {}
        if "memory" in state:
            seen.append(state["memory"]["curve"][-1])
    return seen


def test_without_threads_the_curve_grows_while_the_cell_runs(cells):
    cells.run("view = MemoryTape()\nview", "view")
    seen = told(cells.heard(LINES, "lines"))
    assert seen.index(16 * 1024) < seen.index("step 3")
    assert seen[-1] == 4 * 16 * 1024


def test_who_keeps_what_is_said_cell_by_cell(cells):
    cells.run("view = MemoryTape()", "view")
    cells.run(LINES, "lines")
    says = cells.run("print(view.memory['keepers'][0]['says'])", "says")
    assert says.startswith(
        "`total` (In [3], line 3) is a sum over 4 passes → its graph of 12 nodes."
    )
    cells.run("del total", "del")
    end = "print(view.memory['curve'][-1], view.memory['lines'][view.memory['moments'][-1][1]])"
    assert cells.run(end, "end").strip() == "0 {'file': 'In [5]', 'line': 1, 'text': 'del total'}"


def test_a_result_that_the_notebook_itself_keeps_is_found(cells):
    cells.run("view = MemoryTape()", "view")
    cells.run("torch.tanh(w).sum()", "shown")
    assert "`Out[3]`" in cells.run("print(view.memory['keepers'][0]['says'])", "says")


def test_a_saved_notebook_has_its_picture_and_its_text():
    program = (
        "import minigrad as torch\nfrom minigrad_widgets import MemoryTape\n"
        "w = torch.ones(64, 64, requires_grad=True)\n"
        "with MemoryTape() as memory:\n    total = 0\n    for _ in range(4):\n"
        "        total += torch.tanh(w).mean()\nmemory"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(program)])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    (cell,) = notebook.cells
    still = next(one["data"] for one in cell.outputs if "minigrad" in one.get("metadata", {}))
    assert "data:image/svg+xml;base64," in still["text/html"]
    assert "`total` (In [1], line 7) is a sum over 4 passes" in still["text/plain"]
    assert len(still["text/html"]) < 40_000
