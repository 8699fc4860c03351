"""What was answered in the page after its cell had ended: put behind the question, into the file.

A saved notebook has what each cell has displayed. A question is displayed before it is answered,
so each answer is sent as a display of the cell that asked, which the page takes although the cell
has ended long ago; it replaces the answer before, and the open question. Beside the live question
it is not shown.
"""

from __future__ import annotations

from typing import Any

from IPython.core.getipython import get_ipython

from .stills import Still


class AnsweredLater:
    """Knows the cell that runs now, and puts a still into its outputs afterwards."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._id = f"answered-{key}"
        self._cell: dict[str, Any] = getattr(get_ipython(), "get_parent", dict)() or {}
        self._was_put = False  # is there a still of the question in its place?

    def left(self) -> str:
        """The cell leaves a still of the question: by this id an answer will replace it."""
        self._was_put = True
        return self._id

    def put(self, still: Still) -> None:
        """Put this still, or put it in the place of the one before. Nothing where no kernel is."""
        publisher: Any = getattr(get_ipython(), "display_pub", None)
        session = getattr(publisher, "session", None)
        if session is None or not self._cell:
            return
        content = {
            "data": {"text/plain": still.table, "text/html": still.html()},
            "metadata": {"minigrad": {"still": self._key, "alt": still.says}},
            "transient": {"display_id": self._id},
        }
        kind = "update_display_data" if self._was_put else "display_data"
        self._was_put = True
        session.send(publisher.pub_socket, kind, content, parent=self._cell, ident=publisher.topic)
