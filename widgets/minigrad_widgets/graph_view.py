"""``GraphView``: the graph in the notebook, growing as cells run."""

from __future__ import annotations

import sys
import threading
from typing import Any

import traitlets

from minigrad.tape import VERSION, Reader, tape
from minigrad.tape.values import plural

from .bundles import bundle
from .folding import grouped
from .page_view import PageView
from .session import session

LIMIT = 10_000  # operations shown, most of them folded into boxes
AT_ONCE = 1000  # of these, the ones that are sent while a cell is still running


class GraphView(PageView):
    """The computational graph, drawn while it grows.

    Display it in one cell. From then on every recorded operation appears as a node, labelled by
    the variable that holds its result and marked by the cell that made it, also while a long cell
    is still running. Nodes that are shown do not move; when their graph is freed, they fade.

    Watching takes time: a training loop is some twelve times slower under it. ``close()`` ends
    it, and takes the view out of the page; in a ``with`` block the view watches what runs inside,
    no more, and stays.
    To watch one call, with numbers that can be changed in the page, there is ``watch``.

    >>> import minigrad as torch
    >>> from minigrad_widgets import GraphView
    >>> view = GraphView()
    >>> a = torch.tensor([2.0], requires_grad=True)
    >>> b = a * a
    >>> view
    GraphView(1 operation)
    >>> view.close()
    >>> with GraphView() as view:
    ...     c = a + b
    >>> d = a - b
    >>> view
    GraphView(1 operation)
    """

    _esm = bundle("graph_view.js")
    _css = bundle("minigrad.css")

    graph = traitlets.Dict().tag(sync=True)
    """The whole picture, written when a cell has ended (``Snapshot`` in ``tape.ts``)."""

    def __init__(self, **options: Any) -> None:
        self._reader: Reader | None = tape.watch()
        self._lock = threading.RLock()
        self._number = 0  # of the last delta sent
        self._keys: dict[str, None] = {}  # the nodes shown, in the order in which they came
        self._operations = 0  # made since this view watches, drawn or not
        self._at_begin = 0
        self._told: dict[str, dict[str, Any]] = {}  # nodes as they were sent last
        super().__init__(graph=self._snapshot(), **options)
        self._replace_earlier_view_of_this_cell()
        self.on_msg(self._asked)
        session.add(self)

    def _replace_earlier_view_of_this_cell(self) -> None:
        """A cell that is run again displays a new view: the one before is seen no more."""
        frame = sys._getframe(2)
        self._made_at = (frame.f_code.co_filename, frame.f_lineno)
        for view in list(session.views):
            if isinstance(view, GraphView) and view._made_at == self._made_at:
                view.close()

    def __repr__(self) -> str:
        self.bring_up_to_date()
        return f"GraphView({self._operations} {plural('operation', self._operations)})"

    def __enter__(self) -> GraphView:
        if self._reader is None:
            self._reader = tape.watch()
        tape.catch_up()
        self._reader.changed.clear()  # what ran before is not in the block
        return self

    def __exit__(self, *exception: object) -> None:
        tape.look_for_names()
        with self._lock:
            self.bring_up_to_date()
            self._release()
            self.graph = self._snapshot()

    def _release(self) -> None:
        if self._reader is not None:
            tape.release(self._reader)
            self._reader = None

    # ------------------------------------------------------------------ called by the session

    def cell_begins(self, label: str) -> None:
        """Tell the page that a cell starts to run, unless only a block was watched."""
        if self._reader is None:
            return
        self._at_begin = self._operations
        self.send({"type": "cell", "phase": "begin", "cell": label, "made": 0})

    def bring_up_to_date(self) -> None:
        """Send what is new or has changed since the last time."""
        tape.catch_up()
        with self._lock:
            keys = self._changed_keys()
            for key in keys:
                self._told.pop(key, None)
            at_once = dict.fromkeys(list(self._keys)[:AT_ONCE])
            nodes = [self._described(key) for key in keys if key in at_once]
            if nodes:
                self._number += 1
                self.send({"type": "delta", "number": self._number, "nodes": nodes})

    def cell_ends(self, label: str) -> None:
        """Send the rest, names included, and leave a snapshot for pages opened later."""
        tape.look_for_names()
        number = self._number
        self.bring_up_to_date()
        if self._reader is not None:
            made = self._operations - self._at_begin
            self.send({"type": "cell", "phase": "end", "cell": label, "made": made})
        elif number == self._number:
            return  # at rest: nothing has changed
        with self._lock:
            self.graph = self._snapshot()

    # ------------------------------------------------------------------ details

    def _changed_keys(self) -> list[str]:
        """The keys of changed nodes that are drawn, each once, in their order."""
        changed: dict[str, None] = {}
        if self._reader is None:  # a watched block has ended; its nodes may still be freed
            return [key for key in self._keys if self._told[key]["state"] != tape.facts.state(key)]
        while self._reader.changed:
            key = self._reader.changed.popleft()
            if key in tape.facts:
                self._take_in(key)
                changed[key] = None
        return [key for key in self._keys if key in changed]

    def _take_in(self, key: str) -> None:
        if key in self._keys:
            return
        is_operation = key.startswith("n")
        self._operations += is_operation
        if self._operations <= LIMIT:
            for operand in tape.facts[key].operands:  # what it needs to be drawn comes first
                if operand in tape.facts and operand not in self._keys:
                    self._keys[operand] = None
                    if self._reader is not None:
                        self._reader.changed.append(operand)
            self._keys[key] = None

    def _described(self, key: str) -> dict[str, Any]:
        if key in tape.facts:
            self._told[key] = tape.describe(key, corner(len(self._keys)))
        return self._told[key]

    def _snapshot(self) -> dict[str, Any]:
        if len(self._keys) <= AT_ONCE:  # new names stand in the formulas of others too
            self._told.clear()
        self._keys = {key: None for key in self._keys if key in tape.facts or key in self._told}
        nodes = [self._told.get(key) or self._described(key) for key in self._keys]
        return {
            "version": VERSION,
            "number": self._number,
            "nodes": nodes,
            "omitted": max(0, self._operations - LIMIT),
            "groups": grouped(nodes),
            "ended": self._reader is None,
        }

    def _asked(self, _widget: Any, content: dict[str, Any], _buffers: Any) -> None:
        if content.get("type") == "resync":
            with self._lock:
                self.graph = self._snapshot()

    def close(self) -> None:
        """Stop watching, and take the view out of the page."""
        session.remove(self)
        self._release()
        super().close()


def corner(nodes: int) -> int:
    """How many rows and columns of each matrix are sent: a picture of 1,000 nodes has 1 MB."""
    if nodes <= 100:
        return 8
    return 3 if nodes <= 1200 else 0
