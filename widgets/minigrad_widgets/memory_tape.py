"""``MemoryTape``: what a program's graphs keep in memory over time, and who keeps it alive."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from typing import Any

import traitlets

from minigrad.tape import Reader, tape
from minigrad.tape.holders import holders
from minigrad.tape.keeping import Keeper, keepers, size
from minigrad.tape.memory import Memory
from minigrad.tape.names import locals_of
from minigrad.tape.values import plural

from .bundles import bundle
from .memory.page_data import MemoryData
from .memory.question import question_of
from .page_view import PageView
from .player.lines import NOT_MINE
from .pytorch import torch_if_there
from .session import session

NOTHING = "No operation was recorded, so nothing was saved for a backward pass: 0 bytes."

NO_TORCH = "It measures what minigrad records, and nothing of PyTorch's."


class MemoryTape(PageView):
    """Measure what operations save for a backward pass: over time, alive and freed, at the peak.

    An operation keeps what its derivative will need. The view counts these arrays in bytes, each
    once, from the operation that saved it first until it is freed, and draws them over the
    operations, the visits of backward passes, and the lines that freed something. Point at a
    moment, and it lists the graphs that were alive then: whose result they lead to, which line made
    it, how many bytes each keeps, and until when. Of the end it says who keeps what is still there,
    by variable: a sum, a list of losses, stored outputs, an attribute, what a function remembers.

    Not counted are parameters and other leaves, data that was there before, single numbers, and
    results that no operation has saved. Watching keeps nothing alive itself, and makes the program
    less than four times as long.

    In a ``with`` block it measures what runs inside. Otherwise it measures from now on, cell by
    cell, until ``close()``. The latest 4,000 moments are shown, and the peak of all.

    Parameters
    ----------
    ask : bool
        Ask for the height of the peak before the curve of a block is shown.

    PyTorch has nothing like it in a notebook; its counterpart is
    ``torch.cuda.memory._record_memory_history``.

    >>> import minigrad as torch
    >>> from minigrad_widgets import MemoryTape
    >>> w = torch.ones(256, 256, requires_grad=True)
    >>> h = torch.ones(256, 256)
    >>> with MemoryTape() as memory:
    ...     for _ in range(4):
    ...         h = torch.tanh(h @ w)
    ...     h.sum().backward()
    >>> memory
    MemoryTape(peak 1 MiB, 256 KiB at the end)
    """

    _esm = bundle("memory_tape.js")
    _css = bundle("minigrad.css")

    memory = traitlets.Dict().tag(sync=True)
    """The curve, the moments and who keeps what (``MemoryData`` in ``memory.ts``)."""

    given: Any = traitlets.Dict(default_value=None, allow_none=True).tag(sync=True)
    """The answer to the question for the peak, as the page writes it; None before."""

    def __init__(self, *, ask: bool = True, **options: Any) -> None:
        self._ask = bool(ask)
        self._reader: Reader | None = None
        self._sent = -1  # so many moments has the page been told of
        self._begin(sys._getframe(1))
        super().__init__(memory=self._told([]), **options)
        session.add(self)

    def _begin(self, frame: Any) -> None:
        self._reader = tape.watch(room=0, bare=True)
        self._measured = Memory(tape, [space for _, space in namespaces(frame)])
        self._measured.begin()

    def __enter__(self) -> MemoryTape:
        if self._reader is None or self._measured.time:
            self._end()
            self._begin(sys._getframe(1))
            self.given = None
        return self

    def __exit__(self, kind: Any, error: BaseException | None, _traceback: Any) -> None:
        raised = "" if kind is None else f"The block ended with {kind.__name__}."
        self._measured.settle()
        self.memory = self._told(self._keepers(sys._getframe(1)), ended=True, raised=raised)
        self._end()
        session.remove(self)

    def _end(self) -> None:
        self._measured.end()
        if self._reader is not None:
            tape.release(self._reader)
            self._reader = None

    def _keepers(self, frame: Any) -> list[Keeper]:
        tape.catch_up()
        return keepers(tape, holders(namespaces(frame)), self._measured)

    def _told(self, kept: list[Keeper], ended: bool = False, raised: str = "") -> dict[str, Any]:
        self._measured.settle()
        tape.look_for_names()
        data = MemoryData(tape, self._measured, kept).told()
        nothing = ""
        if ended and not data["nodes"] and not data["peak"]["bytes"]:
            nothing = NOTHING if torch_if_there() is None else f"{NOTHING} {NO_TORCH}"
        self._sent = self._measured.time
        return {
            **data,
            "ended": ended,
            "note": " ".join(text for text in (raised, nothing) if text),
            "question": question_of(data) if ended and self._ask else None,
        }

    # ------------------------------------------------------------------ called by the session

    def cell_begins(self, label: str) -> None:
        """Nothing is told of it."""

    def bring_up_to_date(self) -> None:
        """Send the page what is new, while a cell runs."""
        if self._reader is not None and self._measured.time != self._sent:
            self.memory = self._told([])

    def cell_failed(self, error: Exception) -> None:
        """Nothing is told of it."""

    def cell_ends(self, label: str) -> None:
        """Send the page the rest, and who keeps what now."""
        if self._reader is not None:
            self.memory = self._told(self._keepers(sys.modules.get("__main__")))

    # ------------------------------------------------------------------ as text

    def __repr__(self) -> str:
        self.bring_up_to_date()
        peak, end = self.memory["peak"]["bytes"], self.memory["curve"][-1]
        moments = len(self.memory["moments"]) + self.memory["dropped"]
        if not moments:
            return "MemoryTape(nothing saved)"
        at = "at the end"
        if not self.memory["ended"]:
            at = f"after {moments} {plural('moment', moments)}"
        return f"MemoryTape(peak {size(peak)}, {size(end)} {at})"

    def close(self) -> None:
        """Stop measuring, and take the view out of the page."""
        session.remove(self)
        self._end()
        super().close()


def namespaces(frame: Any) -> list[tuple[str, Mapping[str, Any]]]:
    """The variables that a program has at a frame, or in a module, each with the name of its
    function, or "": those of its functions, innermost first, then those of the notebook."""
    if not inspect.isframe(frame):
        return [("", vars(frame))]
    found: list[tuple[str, Mapping[str, Any]]] = []
    outer: dict[int, Mapping[str, Any]] = {}
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(NOT_MINE):
            if code.co_flags & inspect.CO_OPTIMIZED:
                found.append((code.co_qualname, locals_of(frame)))
            outer[id(frame.f_globals)] = frame.f_globals
        frame = frame.f_back
    return [*found, *(("", space) for space in outer.values())]
