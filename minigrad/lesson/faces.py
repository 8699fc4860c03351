"""How a question or a verdict is shown: printed, or by whoever has taken over (the widgets)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

current: Callable[[Any], bool] | None = None
"""Shows a ``Prediction`` or a ``Verdict`` and says whether it could; None: print its text."""


class Shown:
    """What is shown by the call that makes it, so that a notebook need not show it again."""

    @property
    def text(self) -> str:
        """All of it as text."""
        raise NotImplementedError

    def show(self) -> None:
        """Show it (again)."""
        if current is None or not current(self):
            write(self.text)

    face: Any = None
    """What shows it, if something took over."""

    def _ipython_display_(self) -> None:
        """The last value of a cell would be displayed: but it has been."""

    def _display_(self) -> Any:
        """In marimo the last value of a cell takes the place of what the cell has displayed."""
        return "" if self.face is None else self.face


def write(text: str) -> None:
    """Print a text, also where the terminal does not have all of its letters, such as ``✓``."""
    letters = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(letters, "backslashreplace").decode(letters))
