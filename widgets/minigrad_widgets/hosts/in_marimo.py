"""marimo runs the program: cells in the order of their variables, each as often as these change.

Nothing here imports marimo, which may not be installed: where it runs the program it is there.
Which cell begins and ends it tells its own hooks only, so ours are put beside them. They are no
promise of marimo's. Where they are not what they were in 0.25, with which this is tested, nobody
tells when a cell runs, and that is said.
"""

from __future__ import annotations

import re
import sys
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from .host import Cell, Host

LETTERS = 24  # of a cell's first line, where that names it

UNHEARD = (
    "marimo {version} does not tell when a cell runs. Write “with GraphView() as view:” around "
    "what is to be drawn, or GraphView(loss) behind it."
)


class Marimo(Host):
    """Cells have no numbers. A variable is made by one cell alone, so that names it: "cell b".

    Each later run that is heard of has a number, for it makes other nodes: "cell b (2)".
    """

    has_cells = True
    has_page = True

    def __init__(self, marimo: Any) -> None:
        self._version = marimo.__version__
        self._runs: Counter[str] = Counter()  # of each cell
        self._heard: weakref.WeakSet[Any] = weakref.WeakSet()  # the hooks that ours stand beside

    def listen(
        self, begins: Callable[[Cell], None], ends: Callable[[BaseException | None], None]
    ) -> str:
        hooks = getattr(getattr(context(), "_kernel", None), "_hooks", None)
        if hooks in self._heard:
            return ""
        if not hasattr(hooks, "add_pre_execution") or not hasattr(hooks, "add_post_execution"):
            return UNHEARD.format(version=self._version)

        def begin(cell: Any, _context: Any) -> None:
            self._runs[key_of(cell)] += 1
            begins(self._cell(cell))

        def end(_cell: Any, _context: Any, result: Any) -> None:
            error = result.exception
            ends(error if isinstance(error, BaseException) else None)

        for one in (hooks, *of_running_cells(type(hooks))):
            if one not in self._heard:
                one.add_pre_execution(begin)
                one.add_post_execution(end)
                self._heard.add(one)
        running = self.running()
        if running is not None:
            begins(running)
        return ""

    def running(self) -> Cell | None:
        now = context()
        key = now and now.cell_id
        cell = now.graph.cells.get(key) if key else None
        if cell is None:
            return None
        self._runs.setdefault(key_of(cell), 1)  # perhaps it began before we listened
        return self._cell(cell)

    def _cell(self, cell: Any) -> Cell:
        key = key_of(cell)
        run = self._runs[key]
        return Cell(name_of(cell) if run == 1 else f"{name_of(cell)} ({run})", key)

    def label_of_file(self, filename: str) -> str | None:
        found = re.search("__marimo__cell_(.*?)_", filename)
        now = context()
        if found is None or now is None:
            return None
        cell = now.graph.cells.get(found[1])
        return "a cell that is gone" if cell is None else name_of(cell)


def key_of(cell: Any) -> str:
    """Which cell of which notebook: ``marimo run`` serves all of its visitors in one process."""
    return f"{cell.cell_id} {id(getattr(context(), '_kernel', None))}"


def name_of(cell: Any) -> str:
    """What a cell is called: by its first variable, or by its first line if it has none."""
    code = str(cell.code)
    if cell.defs:
        return f"cell {min(cell.defs, key=lambda name: place_of(name, code))}"
    lines = [line.strip() for line in code.splitlines()]
    first = next((line for line in lines if line and not line.startswith("#")), "")
    return f"cell “{first if len(first) <= LETTERS else first[: LETTERS - 1] + '…'}”"


def place_of(name: str, code: str) -> tuple[int, str]:
    """Where a name stands first."""
    found = re.search(rf"\b{re.escape(name)}\b", code)
    return (len(code) if found is None else found.start()), name


def of_running_cells(kind: type) -> Iterator[Any]:
    """The hooks of the cells that run now: marimo copies the kernel's when a run begins."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        hooks = getattr(frame.f_locals.get("self"), "_hooks", None)
        if type(hooks) is kind:
            yield hooks
        frame = frame.f_back


def context() -> Any:
    """What marimo knows of the run that goes on in this thread; None outside of marimo."""
    module: Any = sys.modules.get("marimo._runtime.context")
    return module and module.safe_get_context()


def marimo_if_there() -> Marimo | None:
    """marimo, if it runs this program in a notebook, and not as a script."""
    marimo: Any = sys.modules.get("marimo")
    return Marimo(marimo) if marimo and marimo.running_in_notebook() else None
