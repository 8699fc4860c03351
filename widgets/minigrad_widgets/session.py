"""The running notebook: which cell is at work, and when the views are to be brought up to date.

A daemon thread brings them up to date twenty-five times a second while a cell runs, so that nodes
appear during a long cell too; when nothing runs, it sleeps.
"""

from __future__ import annotations

import sys
import threading
import time
from typing import Any, Protocol

from IPython.core.getipython import get_ipython

from minigrad.tape import label_cells_by, tape

PAUSE = 0.04  # seconds between two updates while a cell runs


class View(Protocol):
    """What a session brings up to date."""

    def cell_begins(self, label: str) -> None: ...
    def bring_up_to_date(self) -> None: ...
    def cell_ends(self, label: str) -> None: ...


class Session:
    """Listens to IPython, if there is one, on behalf of all views."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self._running = threading.Event()
        self._thread: threading.Thread | None = None
        self._shell = get_ipython()
        if self._shell is not None:
            number = self._running_cell()
            self._ahead = 0 if number is None else self._shell.execution_count - number
            self._shell.events.register("pre_run_cell", self._begin)
            self._shell.events.register("post_run_cell", self._end)
            label_cells_by(self._label_of_file)

    def add(self, view: View) -> None:
        """Bring this view up to date from now on. The running cell has begun already."""
        self.views.append(view)
        if self._shell is not None:
            number = self._running_cell()
            tape.cell = tape.cell if number is None else f"In [{number}]"
            view.cell_begins(tape.cell)
            self._wake()

    def remove(self, view: View) -> None:
        """Forget a view."""
        if view in self.views:
            self.views.remove(view)

    def _running_cell(self) -> int | None:
        """The number of the cell that is at work, from the code that runs; None outside of cells.

        IPython's own counter may be one ahead: some versions count on before a cell runs, others
        afterwards.
        """
        frame: Any = sys._getframe(1)
        found = None
        while frame is not None:
            label = self._label_of_file(frame.f_code.co_filename)
            found = found if label is None else int(label.strip("In []"))
            frame = frame.f_back
        return found

    def _label_of_file(self, filename: str) -> str | None:
        assert self._shell is not None
        found = self._shell.compile.format_code_name(filename)  # ("Cell", "In[2]") or None
        return None if found is None else str(found[1]).replace("In[", "In [")

    def _begin(self, info: Any) -> None:
        ahead = self._ahead if info.store_history else 0
        tape.cell = f"In [{self._shell.execution_count - ahead}]" if self._shell is not None else ""
        if self.views:
            for view in list(self.views):
                view.cell_begins(tape.cell)
            self._wake()

    def _end(self, _result: Any = None) -> None:
        self._running.clear()
        for view in list(self.views):
            view.cell_ends(tape.cell)

    def _wake(self) -> None:
        self._running.set()
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._keep_up, daemon=True, name="GraphView")
            self._thread.start()

    def _keep_up(self) -> None:
        while True:
            self._running.wait()
            time.sleep(PAUSE)
            if self._running.is_set():
                for view in list(self.views):
                    view.bring_up_to_date()


session = Session()
