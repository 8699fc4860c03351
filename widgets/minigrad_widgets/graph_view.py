"""``GraphView``: the graph in the notebook, growing as cells run."""

from __future__ import annotations

import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable
from contextlib import ExitStack
from itertools import zip_longest
from typing import Any

import traitlets

from minigrad.engine.node import TensorBase
from minigrad.static.graph import ProgramTape
from minigrad.tape import VERSION, Reader, Tape, behind, tape
from minigrad.tape.collecting import without_collecting
from minigrad.tape.facts import as_input
from minigrad.tape.failures import failed
from minigrad.tape.nesting import Made, made
from minigrad.tape.recorder import taken
from minigrad.tape.values import plural

from .bundles import bundle
from .folding import grouped
from .page_view import PageView, for_page
from .pytorch import Graph, Lines, TorchTape, is_tensor, torch_if_there, watched
from .session import session
from .slices import Shelf, values_of_nodes
from .stills import Still, still_of

LIMIT = 10_000  # operations shown, most of them folded into boxes
GONE = 1000  # of these, the ones whose graph is gone: the latest
AT_ONCE = 200  # nodes that are sent while a cell is still running, the first ones
ANEW = 1000  # up to so many nodes are described and folded anew at each end of a cell

NO_RESULT = (
    "GraphView shows what led to a Tensor, not to {kind}\n"
    "  fix: GraphView(loss), with a tensor that your program has worked out; or\n"
    "  GraphView(), before it runs."
)

NO_BLOCK = (
    "this view shows a graph of PyTorch's, and cannot watch another block\n"
    "  fix: GraphView(loss), after the block has run; or a new GraphView()."
)


class GraphView(PageView):
    """The computational graph, drawn while it grows.

    Display it in one cell. From then on every recorded operation appears as a node, labelled by
    the variable that holds its result and marked by the cell that made it, also while a long cell
    is still running. Nodes that are shown do not move; when their graph is freed, they fade.

    ``GraphView(loss)`` draws the graph behind a tensor, with the names and values that are still
    known, though nobody watched when it was made; and it does not watch from then on. The tensor
    may be one of PyTorch's own, where that is installed; and ``GraphView(compiled.graph)`` draws
    the program of a compiled function, a node for each line. Of PyTorch's operations in a ``with``
    block, those whose graph is alive at its end are drawn then.

    A node is marked where its value left the graph (by ``detach``, ``no_grad``, ``item``, …) and
    where its memory is shared. What raises an error is shown until its cell is run again.

    Of graphs that are gone, the latest 1,000 operations are drawn, and the others counted. Watching
    takes time: a small training loop takes five to eight times the CPU under it. ``close()`` ends
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
    >>> GraphView(c * d)
    GraphView(4 operations)

    Raises TypeError for what is no tensor, RuntimeError (MG109) for a tensor without a history.
    """

    _esm = bundle("graph_view.js")
    _css = bundle("minigrad.css")

    graph = traitlets.Dict().tag(sync=True)
    """The whole picture, written when a cell has ended (``Snapshot`` in ``tape.ts``)."""

    arrows = traitlets.Enum(["data", "next_functions"], "data").tag(sync=True)
    """Which way the arrows lead: with the data, or as PyTorch's ``next_functions``."""

    def __init__(self, result: Any = None, **options: Any) -> None:
        self._reader: Reader | None = None
        self._tape: Tape = tape  # of PyTorch's graphs, one of its own
        self._block = ExitStack()  # what watches PyTorch in a block, and
        self._lines: Lines | None = None  # what it has seen
        self._behind = ""  # the tensor that led to the picture, if none was watched
        self._lock = threading.RLock()
        self._number = 0  # of the last delta sent
        self._sent: dict[str, None] = {}  # nodes that were told in deltas since the last snapshot
        self._keys: dict[str, None] = {}  # the nodes shown, in the order in which they came
        self._operations = 0  # made while this view watched, drawn or not
        self._at_begin = 0
        self._drawn: OrderedDict[str, list[str]] = OrderedDict()  # operations, what they use,
        self._uses: Counter[str] = Counter()  # and how many use it
        self._failed: dict[str, dict[str, Any]] = {}  # operations that raised, by their keys
        self._failed_in: dict[str | None, str] = {}  # the key of the one of each notebook cell
        self._latest = {"cell": "", "made": 0}  # what the cell that ended last has added
        self._folded: tuple[Any, list[dict[str, Any]]] = (None, [])  # of which picture; its boxes
        self._made: dict[str, Made] = {}  # how each operation came about
        self._told: dict[str, dict[str, Any]] = {}  # nodes as they were sent last
        self._stamps: dict[str, Any] = {}  # and what tells whether they have changed since
        self._shelf = Shelf()
        self._unheard = ""  # what to write where nobody tells when a cell runs
        if result is None:
            self._reader = tape.watch()
        else:
            self._go_back(result)
        super().__init__(graph=self._snapshot(), **options)
        self._replace_earlier_view()
        self.on_msg(self._asked)
        program = isinstance(result, ProgramTape)  # it never changes, so no cell need be watched
        self._unheard = session.listen() if program else session.add(self)
        if self._unheard:
            self.graph = self._snapshot()

    def _go_back(self, result: Any) -> None:
        """Draw what led to this tensor, though nobody watched."""
        frame = sys._getframe(2)
        names = {**frame.f_globals, **frame.f_locals}
        if isinstance(result, ProgramTape):
            self._tape = result
            keys = result.in_order()
        elif is_tensor(result):
            self._tape = TorchTape(Graph(result), names)
            keys = self._tape.in_order()
        elif not isinstance(result, TensorBase):
            raise TypeError(NO_RESULT.format(kind=type(result).__name__))
        else:
            tape.look_for_names()
            keys = behind(tape, result, names)
        for key in keys:
            if key.startswith("n"):
                self._take_in(key)
            else:
                self._keys[key] = None
        program = isinstance(result, ProgramTape)
        self._behind = f"{result.name}()" if program else self._tape.text(keys[-1])
        self._drop_what_is_too_much()

    def _replace_earlier_view(self) -> None:
        """A line that is run again makes a new view, and the one before is seen no more.

        In a notebook that depends on the cell, for another may have the same text: see
        ``Displays``.
        """
        frame = sys._getframe(2)
        self._made_at = (frame.f_code.co_filename, frame.f_lineno)
        for view in [] if session.in_notebook else list(session.views):
            if isinstance(view, GraphView) and view._made_at == self._made_at:
                view.close()

    def __repr__(self) -> str:
        self.bring_up_to_date()
        return f"GraphView({self._operations} {plural('operation', self._operations)})"

    def still(self) -> Still:
        """What this view leaves in a saved notebook, as it stands now."""
        self._tape.look_for_names()
        self.bring_up_to_date()
        with self._lock:
            return still_of(for_page({"graph": self._snapshot()}))

    def __enter__(self) -> GraphView:
        if self._tape is not tape:
            raise RuntimeError(NO_BLOCK)
        if self._reader is None:  # a block has ended: what ran since then stays out
            self._reader = tape.watch()
            self._behind = ""
        if torch_if_there() is not None:
            self._lines = self._block.enter_context(watched())
        return self

    def __exit__(self, *exception: object) -> None:
        self._block.close()
        if isinstance(exception[1], Exception):
            self.cell_failed(exception[1])
        tape.look_for_names()
        with self._lock:
            self.bring_up_to_date()
            self._release()
            if self._lines is not None and not self._operations:
                self._draw(self._lines, sys._getframe(1))
            self._lines = None
            self.graph = self._snapshot()

    def _draw(self, lines: Lines, frame: Any) -> None:
        """Draw what is alive of the graphs that PyTorch has recorded in a block."""
        alive = lines.alive()
        if not alive:
            self._operations = lines.made
            return
        graph = Graph(alive[-1], alive[:-1])
        made = TorchTape(graph, {**frame.f_globals, **frame.f_locals}, lines)
        self._tape = made
        for key in made.watched:
            self._take_in(key)
        self._operations = lines.made  # those whose graph is gone are not drawn
        self._drop_what_is_too_much()

    def _release(self) -> None:
        if self._reader is not None:
            tape.release(self._reader)
            self._reader = None

    # ------------------------------------------------------------------ called by the session

    def cell_begins(self, label: str) -> None:
        """Tell the page that a cell starts to run, unless only a block was watched."""
        if self._reader is None:
            return
        again = self._failed_in.pop(session.displays.cell, None)
        if again is not None:  # it is run again: perhaps it does not fail any more
            with self._lock:
                self._forget_failed(again)
                self.graph = self._snapshot()
        self._at_begin = self._operations
        self.send({"type": "cell", "phase": "begin", "cell": label, "made": 0})

    def bring_up_to_date(self) -> None:
        """Send what is new or has changed since the last time."""
        self._tape.catch_up()
        with self._lock:
            keys = self._changed_keys()
            new = [key for key in keys if key not in self._sent]
            self._sent.update(dict.fromkeys(new[: AT_ONCE - len(self._sent)]))
            for key in keys:
                if key in self._tape.facts and key not in self._sent:
                    self._told.pop(key, None)  # told in the snapshot
            described = [self._described(key) for key in keys if key in self._sent]
            nodes = [node for node in described if node is not None]
            if nodes:
                self._number += 1
                self.send({"type": "delta", "number": self._number, "nodes": nodes})

    def cell_failed(self, error: Exception) -> None:
        """Show the operation that raised this, until its cell is run again."""
        if self._reader is None:
            return
        with self._lock:
            node = failed(tape, error)
            if node is None:
                return
            self.bring_up_to_date()  # what was made before stands before it
            before = self._failed_in.pop(session.displays.cell, None)
            if before is not None:
                self._forget_failed(before)
            key = self._failed_in[session.displays.cell] = node["id"]
            self._failed[key] = node
            drawn = [one["id"] for one in node["inputs"] if one["id"] is not None] + [key]
            self._keys.update(dict.fromkeys(drawn))
            self._reader.changed.extend(drawn)

    def _forget_failed(self, key: str) -> None:
        for table in (self._failed, self._keys, self._told, self._stamps):
            table.pop(key, None)

    def cell_ends(self, label: str) -> None:
        """Send the rest, names included, and leave a snapshot for pages opened later."""
        with without_collecting():
            self._end_cell(label)

    def _end_cell(self, label: str) -> None:
        self._tape.look_for_names()
        number = self._number
        self.bring_up_to_date()
        if self._reader is not None:
            made = self._operations - self._at_begin
            self._latest = {"cell": label, "made": made}
            self.send({"type": "cell", "phase": "end", **self._latest})
        elif number == self._number:
            return  # at rest: nothing has changed
        with self._lock:
            self.graph = self._snapshot()

    # ------------------------------------------------------------------ details

    def _changed_keys(self) -> list[str]:
        """The keys of changed nodes that are drawn, each once, in their order."""
        if self._reader is None:  # the block has ended; a later backward() still fills its leaves
            return [key for key in self._keys if self._stamps.get(key) != self._tape.stamp(key)]
        changed: dict[str, None] = {}
        recorded = taken(self._reader.made)
        over = set(self._gone(recorded)[:-GONE])  # they are not drawn at all
        for key, following in zip_longest(recorded, recorded[1:]):
            if key not in over:
                changed.update(dict.fromkeys(self._take_in(key)))
                continue
            self._operations += 1
            if following not in over and key in self._tape.facts:
                self._made[key] = made(self._tape.facts[key])._replace(dropped=True)
        changed.update(dict.fromkeys(taken(self._reader.changed)))
        self._drop_what_is_too_much()
        return [key for key in self._keys if key in changed]

    def _take_in(self, key: str) -> list[str]:
        """An operation was made: it is drawn, with what it uses. Returns what is new."""
        self._operations += 1
        fact = self._tape.facts.get(key)
        if fact is None:  # freed and forgotten since
            return []
        used: list[str] = []
        for operand in fact.operands:
            used += self._tape.sources_of(operand)  # it was cut from these
            used.append(operand)
        operands = [operand for operand in used if operand in self._tape.facts]
        new = [one for one in (*operands, key) if one not in self._keys]
        self._keys.update(dict.fromkeys(new))
        self._drawn[key] = operands
        self._made[key] = made(fact)
        self._uses.update(operands)
        return new

    def _gone(self, keys: Iterable[str]) -> list[str]:
        """Of these operations, those whose graph is gone."""
        facts = self._tape.facts
        return [key for key in keys if key not in facts or facts.state(key) == "gone"]

    def _drop_what_is_too_much(self) -> None:
        """Draw no more than the limits say, of operations whose graph is gone and of all."""
        if len(self._drawn) <= GONE and len(self._drawn) <= LIMIT:
            return
        gone = self._gone(self._drawn)[:-GONE]
        for key in gone:
            self._drop(key)
        for key in list(self._drawn)[: max(0, len(self._drawn) - LIMIT)]:
            self._drop(key)
        before: Made | None = None  # of several one behind the other that were dropped, the last
        for one in list(self._made.values()):
            if before is not None and before.dropped and one.dropped:
                del self._made[before.key]
            before = one

    def _drop(self, key: str) -> None:
        """Draw one operation less; what another one uses stays, as its input."""
        operands = self._drawn.pop(key)
        self._made[key] = self._made[key]._replace(dropped=True)
        self._uses.subtract(operands)
        for one in (*operands, key):
            if self._uses[one] > 0:
                continue
            del self._uses[one]
            if one not in self._drawn:
                self._keys.pop(one, None)
                self._told.pop(one, None)
                self._stamps.pop(one, None)
        if key in self._told:
            self._told[key] = as_input(self._told[key])

    def _described(self, key: str) -> dict[str, Any] | None:
        """A node as it is now; as it was told last, if the tape has forgotten it."""
        self._stamps[key] = self._tape.stamp(key)
        if key in self._failed:
            self._told[key] = self._failed[key]
            return self._failed[key]
        described = self._tape.describe_if_known(key, corner(len(self._keys)))
        if described is None and key in self._told:  # only what is gone is forgotten
            described = {**self._told[key], "state": "gone"}
        if described is not None:
            own = key in self._drawn or not described["op"]
            self._told[key] = described if own else as_input(described)
        return described and self._told[key]

    def _snapshot(self) -> dict[str, Any]:
        if len(self._keys) <= ANEW:  # new names stand in the formulas of others too
            self._told = {k: n for k, n in self._told.items() if k not in self._tape.facts}
        with self._tape.unchanged():
            every = [self._told.get(key) or self._described(key) for key in self._keys]
        nodes = [node for node in every if node is not None]
        self._keys = {node["id"]: None for node in nodes}
        operations = sum(node["kind"] == "op" for node in nodes)
        picture = self._operations, len(nodes)
        if len(nodes) <= ANEW or picture != self._folded[0]:  # as long as none is added,
            self._folded = picture, grouped(nodes, self._made)  # the boxes of a large picture stay
        self._sent.clear()
        return {
            "version": VERSION,
            "number": self._number,
            "nodes": nodes,
            "slices": self._shelf.of(values_of_nodes(nodes), len(nodes)),
            "omitted": self._operations - operations,
            "latest": self._latest,
            "groups": self._folded[1],
            "ended": self._reader is None,
            "behind": self._behind,
            "unheard": self._unheard,
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
