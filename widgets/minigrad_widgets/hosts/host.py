"""What is asked of whoever runs the program, and the answers where nobody but Python does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Cell(NamedTuple):
    """A cell that runs, or has run last."""

    label: str  # what the views call this run of it: "In [3]"
    id: str | None  # which of the notebook's cells it is, whatever it holds; None: nobody says


class Host:
    """Runs the program: here a file, or what is typed into Python's own prompt."""

    has_cells = False
    """Does it run cells?"""

    has_page = False
    """Is there a page to show a view in?"""

    keeps_outputs = False
    """Does what a cell has shown stay where it is when the page is gone?"""

    def listen(
        self, begins: Callable[[Cell], None], ends: Callable[[BaseException | None], None]
    ) -> str:
        """Call these when a cell begins, and when it has ended; now, if one has begun already.

        It is asked whenever a view is made, and listens once, to each notebook that it runs.
        Returns "" or, if cells are run and nobody tells when, a sentence that says what to write.
        """
        return ""

    def running(self) -> Cell | None:
        """The cell that runs now; None outside of cells."""
        return None

    def label_of_file(self, filename: str) -> str | None:
        """What the views call a cell, by the file name of its code; None of another file."""
        return None

    def publish(self, data: dict[str, Any], metadata: dict[str, Any], display_id: str) -> None:
        """Put an output behind what the running cell has shown; by an id, if it can be replaced."""
