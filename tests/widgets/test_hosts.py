"""Who runs the program, and what follows for the views. marimo itself: packaging/test_in_marimo."""

from __future__ import annotations

import ast
import math
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

import minigrad as torch
from minigrad.tape import label_cells_by, tape
from minigrad_widgets import GraphView, session
from minigrad_widgets.hosts import Host, host, in_marimo
from minigrad_widgets.hosts.in_marimo import Marimo, name_of

ROOT = Path(__file__).resolve().parents[2]


def test_a_program_of_its_own_has_neither_cells_nor_a_page():
    alone = host()
    assert type(alone) is Host
    assert (alone.has_cells, alone.has_page, alone.keeps_outputs) == (False, False, False)
    assert alone.listen(print, print) == "" and alone.running() is None


def test_marimo_is_no_dependency_and_nothing_imports_it():
    assert "marimo" not in (ROOT / "constraints.txt").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "marimo" not in str(project)
    for folder in ("minigrad", "widgets/minigrad_widgets"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    assert all(name.name != "marimo" for name in node.names), file
                if isinstance(node, ast.ImportFrom) and node.level == 0:
                    assert not str(node.module).startswith("marimo"), file


class Hooks:
    """As marimo has them."""

    def __init__(self):
        self.before = []
        self.after = []

    def add_pre_execution(self, hook):
        self.before.append(hook)

    def add_post_execution(self, hook):
        self.after.append(hook)


class Kernel:
    """A kernel of marimo's, in so far as it tells of cells."""

    def __init__(self, **cells):
        self._hooks = Hooks()
        self.cells = {
            key: SimpleNamespace(cell_id=key, code=code, defs=set(defs))
            for key, (code, defs) in cells.items()
        }
        self.now = None

    def runs(self, key, error=None):
        self.now = key
        for hook in self._hooks.before:
            hook(self.cells[key], None)
        for hook in self._hooks.after:
            hook(self.cells[key], None, SimpleNamespace(exception=error))
        self.now = None


@pytest.fixture
def marimo(monkeypatch):
    """Let such a kernel run the program; returns the host."""

    def running(kernel):
        graph = SimpleNamespace(cells=kernel.cells)
        context = SimpleNamespace(_kernel=kernel, graph=graph, cell_id=kernel.now)
        module = SimpleNamespace(safe_get_context=lambda: context)
        monkeypatch.setitem(sys.modules, "marimo._runtime.context", module)

    yield running
    label_cells_by(lambda filename: None)


CELLS = {
    "Hbol": ("import numpy as np\nb = a * 3", {"b", "np"}),
    "MJUe": ("# first\n\nprint(b)", set()),
}


def test_a_cell_is_called_by_its_first_variable_or_by_its_first_line(marimo):
    kernel = Kernel(**CELLS, long=("print('a line of more than 24 letters')", ()))
    names = [name_of(cell) for cell in kernel.cells.values()]
    assert names == ["cell np", "cell “print(b)”", "cell “print('a line of more t…”"]
    marimo(kernel)
    label = Marimo(SimpleNamespace(__version__="1")).label_of_file
    assert label("/tmp/marimo_7/__marimo__cell_Hbol_.py") == "cell np"
    assert label("/tmp/marimo_7/__marimo__cell_gone_.py") == "a cell that is gone"
    assert label("/home/ada/model.py") is None


def test_each_run_of_a_cell_has_a_label_of_its_own_and_listening_twice_tells_once(marimo):
    kernel = Kernel(**CELLS)
    marimo(kernel)
    told = []
    program = Marimo(SimpleNamespace(__version__="1"))
    for _ in range(2):
        assert program.listen(lambda cell: told.append(cell.label), told.append) == ""
    kernel.runs("Hbol")
    kernel.runs("MJUe", problem := ValueError("no"))
    kernel.runs("Hbol")
    assert told == ["cell np", None, "cell “print(b)”", problem, "cell np (2)", None]


def test_who_listens_while_a_cell_runs_is_told_of_it_at_once(marimo):
    kernel = Kernel(**CELLS)
    kernel.now = "Hbol"
    marimo(kernel)
    told = []
    program = Marimo(SimpleNamespace(__version__="1"))
    program.listen(lambda cell: told.append(cell.label), told.append)
    assert told == ["cell np"] and program.running().label == "cell np"


def test_two_notebooks_in_one_process_have_cells_of_their_own(marimo):
    program = Marimo(SimpleNamespace(__version__="1"))
    told = []
    for kernel in (Kernel(**CELLS), Kernel(**CELLS)):
        marimo(kernel)
        program.listen(told.append, lambda error: None)
        kernel.runs("Hbol")
    assert [cell.label for cell in told] == ["cell np", "cell np"]
    assert told[0].id != told[1].id


def test_where_marimo_tells_nothing_the_view_says_what_to_write(marimo, monkeypatch):
    kernel = Kernel(**CELLS)
    kernel._hooks = None
    marimo(kernel)
    program = Marimo(SimpleNamespace(__version__="0.1"))
    monkeypatch.setattr(session.session, "_host", program)
    with GraphView() as view:
        assert view.graph["unheard"] == in_marimo.UNHEARD.format(version="0.1")
        assert "with GraphView() as view:" in view.graph["unheard"]
        assert tape.due == math.inf  # nobody would end the pulse
        kept = torch.tensor(2.0, requires_grad=True) * 3
    assert [node["kind"] for node in view.graph["nodes"]] == ["leaf", "op"]  # a block it sees
    assert kept.item() == 6.0
    view.close()


def test_a_view_that_its_page_has_closed_is_forgotten_when_the_next_cell_begins():
    view = GraphView()
    view.comm._closed = True  # as marimo leaves it when its cell runs again or is deleted
    session.session._begin(session.Cell("cell b", "b"))
    session.session._end()
    assert view not in session.session.views and not tape._readers
