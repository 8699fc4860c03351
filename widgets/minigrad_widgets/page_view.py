"""What all views have in common: their texts reach the page whole.

A text of Python's may hold what no message, no file and no SVG can: half a character
(``"\\ud800"``), or a control character. One such in the name of a variable would keep every later
message of its view from the page. So all that a view sends goes through ``for_page``, which
writes them out.

A kernel that runs in the browser hands messages over value by value, and loses each None on the
way. There a message is made into a value of the page's own before (``whole``).

And each leaves a still behind itself, for where no page runs (``stills``).
"""

from __future__ import annotations

import json
import sys
from typing import Any

import anywidget
import comm
from ipywidgets import __protocol_version__

from minigrad.tape.values import hidden, visible

from .session import session
from .slices import answer
from .stills import Still, still_of

if sys.platform == "emscripten":
    from js import JSON


class PageView(anywidget.AnyWidget):
    """A widget whose texts may hold anything."""

    leaves_still = True  # a view that is words needs none

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """What is sent to the page when the view is made, when it changes and when it is saved."""
        state: dict[str, Any] = super().get_state(key, drop_defaults)
        return {n: v if n.startswith("_") else for_page(v) for n, v in state.items()}

    def open(self) -> None:
        """Make the view known to the page. As in ``send_state``, nobody looks for buffers."""
        session.listen()
        if self.comm is not None:  # type: ignore[has-type]
            return
        made = {"comm_id": self._model_id} if self._model_id is not None else {}
        self.comm = comm.create_comm(
            target_name="jupyter.widget",
            data=whole({"state": self.get_state(), "buffer_paths": []}),
            metadata={"version": __protocol_version__},
            **made,
        )
        session.displays.made(self)

    def close(self) -> None:
        """Take the view out of the page and of the saved file, its layout with it."""
        if self.comm is not None:
            self.layout.close()
        super().close()

    def send_state(self, key: Any = None) -> None:
        """Send traits to the page. Ours hold texts and numbers: nobody looks for buffers in them.

        (That takes ipywidgets longer than all the rest, for a graph of 10,000 operations.)
        """
        state = self.get_state(key)
        if not state:
            return
        for name in self._property_lock.keys() & state.keys():
            self._property_lock[name] = state[name]
        self._send({"method": "update", "state": state, "buffer_paths": []})

    def send(self, content: Any, buffers: Any = None) -> None:
        """Send a message of our own to the page."""
        super().send(for_page(content), buffers)

    def _handle_custom_msg(self, content: Any, buffers: Any) -> None:
        """The page has sent a message: it asks for numbers of a large value, or something else."""
        reply = answer(content)
        if reply is None:
            super()._handle_custom_msg(content, buffers)
        else:
            self.send(reply)

    def _send(self, msg: Any, buffers: Any = None) -> None:
        super()._send(whole(msg), buffers)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        session.displays.shown(self)
        data, metadata = for_page(super()._repr_mimebundle_(**options))
        if not self.leaves_still:
            return data, metadata
        if session.in_page():  # the table comes with the still
            session.shown(self)
            data["text/plain"] = self.headline()
        else:
            data["text/plain"] = str(self)
        return data, metadata

    def headline(self) -> str:
        """What stands in the file where the live view does, above the still."""
        return visible(repr(self).partition("\n")[0])

    @property
    def still_key(self) -> str:
        """What its still is known by, in a saved notebook."""
        return str(self.model_id)

    def left_still(self) -> str:
        """Its still is put behind the cell that shows it; the id by which it can be replaced."""
        return ""

    def still(self) -> Still:
        """What this view leaves in a saved notebook, as it stands now."""
        return still_of(self.get_state())

    def __str__(self) -> str:
        """The view in words."""
        line, _, _ = repr(self).partition("\n")
        return f"{visible(line)}\n\n{self.still().table}" if self.leaves_still else repr(self)


def for_page(data: Any) -> Any:
    """The same data, with all that its texts hide written out: ``\\ud800``."""
    text = json.dumps(data, ensure_ascii=False, default=str)  # fast, and finds most of them
    escaped = "\\u00" in text or "\\b" in text or "\\f" in text
    return shown(data) if escaped or hidden(text) else data


def whole(data: Any) -> Any:
    """A message that reaches the page with every None in it, where it becomes null."""
    if sys.platform == "emscripten":
        return JSON.parse(json.dumps(data, default=str))
    return data


def shown(data: Any) -> Any:
    """A copy in which every text is visible."""
    if isinstance(data, str):
        return visible(data)
    if isinstance(data, dict):
        return {shown(key): shown(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [shown(value) for value in data]
    return data
