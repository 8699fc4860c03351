"""Which views are still seen in the notebook: a cell that runs again loses what it displayed."""

from __future__ import annotations

import weakref
from typing import Any


class Displays:
    """Knows of each view in which run of which cell it was made, and which cells display it.

    Cells are told apart by the ids that a notebook gives them, not by their text: two may have
    the same. Where a front end gives no ids, no view counts as outdated.
    """

    def __init__(self) -> None:
        self.cell: str | None = None  # that runs now, or ran last
        self._runs: dict[str | None, int] = {}  # how often each cell was run
        self._made: weakref.WeakKeyDictionary[Any, tuple[str | None, int]]
        self._made = weakref.WeakKeyDictionary()
        self._shown: weakref.WeakKeyDictionary[Any, set[str | None]]
        self._shown = weakref.WeakKeyDictionary()

    def begin(self, cell: str | None) -> None:
        """A cell starts to run: what it displayed before is gone."""
        self.cell = cell
        self._runs[cell] = self._runs.get(cell, 0) + 1
        for cells in self._shown.values():
            cells.discard(cell)

    def made(self, view: Any) -> None:
        """The running cell has made this view, which is closed when nobody can see it any more.

        Or else each run of a cell would leave its views in the saved file, beside those it shows.
        """
        self._made[view] = self.cell, self._runs.get(self.cell, 0)

    def shown(self, view: Any) -> None:
        """The running cell displays this view."""
        self._shown.setdefault(view, set()).add(self.cell)

    def outdated(self) -> list[Any]:
        """The views whose cell was run again, and which no cell displays now."""
        found = []
        for view, (cell, run) in list(self._made.items()):
            again = cell is not None and self._runs[cell] != run
            if again and not self._shown.get(view):
                found.append(view)
                del self._made[view]
        return found
