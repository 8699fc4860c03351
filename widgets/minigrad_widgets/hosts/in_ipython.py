"""IPython runs the program: in a kernel, whichever page that has, or in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import publish_display_data

from .host import Cell, Host


class IPython(Host):
    """Cells have the numbers that stand before them: "In [3]"."""

    has_cells = True

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._listening = False
        self.has_page = getattr(shell, "kernel", None) is not None
        self.keeps_outputs = self.has_page
        number = self._running_number()
        self._ahead = 0 if number is None else shell.execution_count - number

    def listen(
        self, begins: Callable[[Cell], None], ends: Callable[[BaseException | None], None]
    ) -> str:
        if self._listening:
            return ""
        self._listening = True

        def begin(info: Any) -> None:
            ahead = self._ahead if info.store_history else 0
            label = f"In [{self._shell.execution_count - ahead}]"
            begins(Cell(label, getattr(info, "cell_id", None)))

        def end(result: Any = None) -> None:
            ends(getattr(result, "error_in_exec", None))

        self._shell.events.register("pre_run_cell", begin)
        self._shell.events.register("post_run_cell", end)
        running = self.running()
        if running is not None:
            begins(running)
        return ""

    def running(self) -> Cell | None:
        number = self._running_number()
        if number is None:
            return None
        message: Any = getattr(self._shell, "get_parent", dict)() or {}
        return Cell(f"In [{number}]", message.get("metadata", {}).get("cellId"))

    def _running_number(self) -> int | None:
        """The number of the cell that is at work, from the code that runs; None outside of cells.

        IPython's own counter may be one ahead: some versions count on before a cell runs, others
        afterwards.
        """
        frame: Any = sys._getframe(1)
        found = None
        while frame is not None:
            label = self.label_of_file(frame.f_code.co_filename)
            found = found if label is None else int(label.strip("In []"))
            frame = frame.f_back
        return found

    def label_of_file(self, filename: str) -> str | None:
        found = self._shell.compile.format_code_name(filename)  # ("Cell", "In[2]") or None
        return None if found is None else str(found[1]).replace("In[", "In [")

    def publish(self, data: dict[str, Any], metadata: dict[str, Any], display_id: str) -> None:
        transient = {"display_id": display_id} if display_id else None
        publish_display_data(data, metadata, transient=transient)


def ipython_if_there() -> IPython | None:
    """IPython, if it runs this program."""
    shell = get_ipython()
    return None if shell is None else IPython(shell)
