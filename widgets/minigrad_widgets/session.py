"""The running notebook: which cell is at work, and when the views are to be brought up to date.

While a cell runs, its own operations bring them up to date (``pulse``), so that nodes appear during
a long cell too; the end of the cell does so once more. Who tells of cells is the ``host``.
"""

from __future__ import annotations

import weakref
from typing import Any, Protocol

from minigrad.tape import label_cells_by, tape

from .displays import Displays
from .hosts import Cell, host
from .pulse import Pulse
from .stills import Still


class View(Protocol):
    """What a session brings up to date."""

    comm: Any

    def cell_begins(self, label: str) -> None: ...
    def bring_up_to_date(self) -> None: ...
    def cell_failed(self, error: Exception) -> None: ...
    def cell_ends(self, label: str) -> None: ...
    def close(self) -> None: ...


class Shown(Protocol):
    """What leaves a still behind itself."""

    model_id: str | None  # None of a closed one
    still_key: str

    def still(self) -> Still: ...
    def left_still(self) -> str: ...


class Session:
    """Listens to who runs cells, if somebody does, on behalf of all views."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.calls: weakref.WeakSet[Any] = weakref.WeakSet()  # watch nothing; told of ended cells
        self._shown: dict[str, Shown] = {}  # in the cell that runs, by their ids
        self._pulse = Pulse(self._bring_up_to_date)
        self._host = host()
        self.displays = Displays()
        self.listen()
        if self._host.has_cells:
            label_cells_by(self._host.label_of_file)

    @property
    def in_notebook(self) -> bool:
        """Does somebody run cells?"""
        return self._host.has_cells

    def listen(self) -> str:
        """Listen to the notebook that makes a view now.

        Returns "", or a sentence: what to write where nobody tells when a cell runs.
        """
        return self._host.listen(self._begin, self._end)

    def add(self, view: View) -> str:
        """Bring this view up to date from now on; returns what ``listen`` does.

        The running cell has begun already.
        """
        unheard = self.listen()
        self.views.append(view)
        if not self._host.has_cells:
            return ""
        running = self._host.running()
        tape.cell = tape.cell if running is None else running.label
        view.cell_begins(tape.cell)
        if not unheard:  # nobody would end it
            self._pulse.begin()
        return unheard

    def remove(self, view: View) -> None:
        """Forget a view."""
        if view in self.views:
            self.views.remove(view)

    def in_page(self) -> bool:
        """Is there a page to show a view in?"""
        return self._host.has_page

    def shown(self, view: Shown) -> None:
        """A cell shows this view: when the cell ends, its still is put behind it."""
        if view.model_id is not None and self._host.keeps_outputs:
            self._shown[view.model_id] = view

    def _put_stills(self) -> None:
        """Only now do the views stand as this cell leaves them. In the page they live on."""
        shown, self._shown = self._shown, {}
        for view in shown.values():
            if view.model_id is None:
                continue
            still = view.still()
            data = {"text/plain": still.table, "text/html": still.html()}
            about = {"minigrad": {"still": view.still_key, "alt": still.says}}
            self._host.publish(data, about, view.left_still())

    def _begin(self, cell: Cell) -> None:
        self.displays.begin(cell.id)
        tape.cell = cell.label
        self._close_the_gone()
        if self.views:
            for view in list(self.views):
                view.cell_begins(tape.cell)
            self._pulse.begin()

    def _close_the_gone(self) -> None:
        """The page has closed them already: marimo does, where a cell runs again or is deleted."""
        for view in list(self.views):
            if getattr(view.comm, "_closed", False):
                view.close()

    def _end(self, error: BaseException | None = None) -> None:
        self._pulse.end()
        if isinstance(error, Exception):
            for view in self.views:
                view.cell_failed(error)
        for view in self.displays.outdated():
            view.close()
        for view in (*self.views, *self.calls):
            view.cell_ends(tape.cell)
        self._put_stills()

    def _bring_up_to_date(self) -> None:
        for view in list(self.views):
            view.bring_up_to_date()


session = Session()
