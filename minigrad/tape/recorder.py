"""The tape: what happened while somebody watched, kept as plain facts.

It is told of every recorded operation and every visit, and holds neither nodes nor tensors, only
their numbers, so that watching keeps no graph alive. Taking down a fact is cheap (an operation
costs less than three times what it costs unwatched); names, formulas and summaries are worked
out when somebody reads them.
"""

from __future__ import annotations

import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from math import inf
from types import CodeType
from typing import Any

import numpy as np

from ..engine.node import Node, TensorBase, Watch
from .activations import Activation, activation_of, entered
from .facts import COPY, LIMIT, Described, Fact, Facts, Note
from .marks import Marking
from .names import locals_of, names_in, names_of
from .scope import running
from .source import Place, user_frame, way_out
from .unwatched import made_out
from .values import CORNER, Captured, capture, text_of

new = object.__new__
getframe = sys._getframe
clock = time.perf_counter
ndarray = np.ndarray

GRADIENTS = 10_000  # of operations, the latest ones
HEAP = 5_000  # notes taken down, but not yet worked out


class Token:
    """Hangs on a watched node: knows where it was made, and tells the tape when it is freed."""

    __slots__ = ("freed", "note")

    note: Note
    freed: Callable[[int], None]

    def place(self) -> str:
        """Where the node was made, for an error message."""
        code, instruction = self.note[4:6]
        if code is None:
            return "an unknown line"
        return str(Place(code, instruction))

    def __del__(self) -> None:
        self.freed(self.note[0])


def is_passing(tensor: TensorBase, target: bool, frame: Any) -> bool:
    """Is this operand of a write no leaf of the program's: numbers that are overwritten (the
    ``target``), or a single one that was written as such, as in ``y[0] = 7``?"""
    if tensor._node is not None or frame is None:
        return False
    if target:
        return True
    return tensor._array.ndim == 0 and not names_of(tensor, locals_of(frame), frame.f_globals)


class Reader:
    """Somebody who reads the tape, and is told which facts are new or have changed.

    ``room``: how many of these to keep for him; 0 for one who never looks.
    ``keeps``: what is recorded meanwhile is not forgotten, for who watches a run that is bounded.
    ``bare``: he wants to know which line made what, but no value and no backward pass.
    """

    def __init__(self, room: int | None = None, keeps: bool = False, bare: bool = False) -> None:
        self.keeps = keeps
        self.bare = bare
        self.changed: deque[str] = deque(maxlen=room)
        self.made: deque[str] = deque(maxlen=room)  # of these, the operations that were recorded


class Tape(Marking, Described):
    """Takes down what happens. There is one, ``tape``, shared by all who watch.

    Whatever is on the way of a running program (``made``, ``visited``, the tokens) only appends
    a note; ``catch_up``, called by those who read, files the notes.
    """

    def __init__(self, record_pass: Callable[[Tape, tuple[Any, ...]], Any] | None = None) -> None:
        self.facts = Facts()
        self.cell = ""  # the label of the running cell
        self.passes: deque[Any] = deque(maxlen=8)  # the latest backward passes
        self.listener: Any = None  # who is told at once, see ``notice``
        self.memories: tuple[Any, ...] = ()  # who counts what nodes keep, see ``memory``
        self.show: Callable[[], None] = lambda: None  # lets a page see what there is by now
        self.due = inf  # when it is time for that
        self._record_pass = record_pass
        self._readers: list[Reader] = []
        self._notes: deque[Note] = deque()
        self._on_made = self._notes.append
        self._freed: deque[Any] = deque()
        self._on_freed = self._freed.append
        self._latest: CodeType | None = None  # the code that made the latest node
        self._visited: deque[tuple[int, bool]] = deque()
        self.visiting = 0  # the number of the node that is visited now, or was last
        self._grads: dict[str, Captured] = {}  # what the latest pass brought to an operation
        self._leaves: dict[int, str] = {}  # id of a living tensor -> its key
        self._earlier: dict[str, Any] = {}  # living nodes that nobody watched when they were made
        self._namespaces: dict[int, dict[str, Any]] = {}
        self._lock = threading.RLock()
        self._bare = False  # do all readers want no more than that?
        self._count = 0
        self._most = 0  # facts, until which nothing is forgotten; LIMIT, if that is more
        self._described: dict[tuple[str, int], tuple[Any, dict[str, Any]]] = {}
        Marking.__init__(self)

    # ------------------------------------------------------------------ watching

    def watch(self, room: int | None = None, keeps: bool = False, bare: bool = False) -> Reader:
        """Start to watch, and get a reader of what happens from now on."""
        reader = Reader(room, keeps, bare)
        with self._lock:
            self.catch_up()
            self._readers.append(reader)
            self._bare = all(one.bare for one in self._readers)
            Watch.observer = self
        return reader

    def release(self, reader: Reader) -> None:
        """Stop watching. When nobody watches any more, recording costs nothing again."""
        with self._lock:
            if reader in self._readers:
                self._readers.remove(reader)
            self._bare = all(one.bare for one in self._readers)
            if not self._readers:
                Watch.observer = None
                self._described.clear()

    # ------------------------------------------------------------------ being told

    def made(self, node: Node, inputs: tuple[Any, ...], value: Any) -> None:
        """An operation was recorded (see ``graph.Watch``)."""
        frame: Any = getframe(2)
        code = frame.f_code
        inside = -1
        if code is not self._latest:  # another place than the time before
            frame, inside, within = self._look_around(frame)
            code = None if frame is None else frame.f_code
        else:
            within = frame.f_trace
            if type(within) is not Activation:
                within = activation_of(frame)
        operands: list[Any] = []
        for operand in inputs:
            if isinstance(operand, TensorBase):
                source = operand._node
                if source is node:  # it was written to: what it was before
                    operands.append(self._before(operand, node.edges[len(operands)], frame))
                elif isinstance(source, Node):
                    token = source.watched
                    if token is None or token.freed is not self._on_freed:
                        self.look_back(source, operand, frame)
                    operands.append(source.seq)
                elif node.kind.op == COPY and is_passing(operand, not operands, frame):
                    operands.append((text_of(capture(operand._array)),))
                else:
                    operands.append(self.key_of(operand, frame))
            else:
                operands.append((kept(operand),))
        seq = node.seq
        node.watched = token = new(Token)
        token.freed = self._on_freed
        token.note = note = (
            seq,
            node.kind,
            operands,
            self._captured(value) if isinstance(value, ndarray) else value,
            code,
            -1 if code is None else frame.f_lasti,
            inside,
            self.cell,
            running.scope,
            within,
        )
        self._on_made(note)
        if not seq % 1024 and len(self._notes) > HEAP:
            self.catch_up()
        for memory in self.memories:
            memory.made(node)
        listener = self.listener
        if listener is not None:
            listener.made(node, inputs)
        if clock() > self.due:
            self.show()

    def _captured(self, array: Any) -> Captured:
        """What is kept of a value: nothing but its shape, if nobody wants more."""
        return Captured(None, array.shape, array.dtype) if self._bare else capture(array)

    def writing(self) -> Place | None:
        """The line that writes to a tensor now, for an error message."""
        frame, _ = user_frame(getframe(2))
        return None if frame is None else Place(frame.f_code, frame.f_lasti)

    def _look_around(self, frame: Any) -> tuple[Any, int, Activation | None]:
        """The frame of the user's program, whose namespace may have names for us."""
        frame, entry = way_out(frame)
        if frame is None:
            return None, -1, None
        self._latest = frame.f_code
        self._namespaces[id(frame.f_globals)] = frame.f_globals
        within = activation_of(frame)
        if entry is None:
            return frame, -1, within
        return frame, entry.f_lasti, entered(entry, within, frame.f_lasti)

    def known_leaf(self, tensor: TensorBase) -> str | None:
        """The key of a tensor that no operation made, if the tape knows it."""
        return self._leaves.get(id(tensor))

    def watches(self, node: Node) -> bool:
        """Was this node made while this tape watched?"""
        token = node.watched
        return token is not None and token.freed is self._on_freed

    def known(self, tensor: TensorBase) -> str | None:
        """The key of any tensor; None for a leaf that the tape does not know."""
        node = tensor._node
        if isinstance(node, Node):
            return f"n{node.seq}"
        return self.known_leaf(tensor)

    def key_of(self, tensor: TensorBase, frame: Any = None) -> str:
        """The key of a tensor that no operation made; its names are looked up in ``frame``."""
        known = self._leaves.get(id(tensor))
        if known is not None:
            return known
        with self._lock:
            if id(tensor) in self._leaves:  # another thread was quicker
                return self._leaves[id(tensor)]
            self._count += 1
            key = f"t{self._count}"

            def gone(_: Any, identity: int = id(tensor)) -> None:
                self._leaves.pop(identity, None)
                self._freed.append(key)

            kind = "data" if tensor._node is None else "leaf"
            fact = Fact(key, kind, "", (), self._captured(tensor._array))
            fact.version = version_of(tensor)
            fact.ref = weakref.ref(tensor, gone)
            if frame is not None:
                fact.aliases = names_of(tensor, locals_of(frame), frame.f_globals)
            self._leaves[id(tensor)] = key
            self.facts[key] = fact
            self.came_from(key, tensor)
            self._changed(key)
        return key

    def look_back(self, node: Node, tensor: TensorBase | None = None, frame: Any = None) -> None:
        """Take down an operation that ran before we watched; nothing, if we did.

        ``tensor``: what holds its result, if that is known.
        """
        key = f"n{node.seq}"
        token = node.watched
        if key in self._earlier or (token is not None and token.freed is self._on_freed):
            return

        def gone(_: Any) -> None:
            self._earlier.pop(key, None)
            self._freed.append(key)

        with self._lock:
            value = None if tensor is None else self._captured(tensor._array)
            fact = made_out(node, self.key_of, value)
            if tensor is not None and frame is not None:
                fact.aliases = names_of(tensor, locals_of(frame), frame.f_globals)
            self._earlier[key] = weakref.ref(node, gone)
            self.facts[key] = fact
            self._changed(key)

    def _before(self, written: TensorBase, edge: Any, frame: Any) -> Any:
        """The operand of a write that the written tensor was; and the write is named after it."""
        node: Any = written._node
        if frame is not None:
            names = names_of(written, locals_of(frame), frame.f_globals)
            self.facts.written[f"n{node.seq}"] = names
        if not isinstance(edge, Node):
            return self.known_leaf(written) or ("…",)
        self.look_back(edge)
        return edge.seq

    def began(self, roots: tuple[Any, ...]) -> Any:
        """A backward pass begins (see ``graph.Watch``); returns its record."""
        record = None
        for memory in self.memories:
            memory.began()
        if self._record_pass is not None and not self._bare:
            record = self._record_pass(self, roots)
            self.passes.append(record)
        listener = self.listener
        if listener is not None:
            listener.began(roots)
        return record

    def visited(self, record: Any, visit: Any) -> None:
        """A node was visited by the pass with this record."""
        if record is not None:
            record.visited(visit)
            note = record.visits[-1]
            self._grads[note.node] = note.grad
        self.visiting = visit[0].seq
        self._visited.append((self.visiting, visit[0].kind.frees))
        if clock() > self.due:
            self.show()

    def landed(self, record: Any, leaf: TensorBase, g: Any) -> None:
        """A gradient of that pass is about to be added to a ``.grad``."""
        if record is not None:
            record.landed(leaf, g)
            self._changed(record.landings[-1].node)
        listener = self.listener
        if listener is not None:
            listener.landed(leaf)

    # ------------------------------------------------------------------ working it out

    def catch_up(self) -> None:
        """File the notes under their keys, and tell the readers."""
        with self._lock:
            states = self.facts.states
            # As many as there are now; more may be noted by other threads meanwhile.
            noted = {f"n{note[0]}": note for note in taken(self._notes)}
            visited = [(f"n{seq}", frees) for seq, frees in taken(self._visited)]
            freed = [k if isinstance(k, str) else f"n{k}" for k in taken(self._freed)]
            if noted:
                self._described.clear()  # which of two has the name, the later one decides
            self.facts.update(noted)
            self.look_for_views(noted)
            states.update((key, "spent") for key, frees in visited if frees)
            states.update(dict.fromkeys(freed, "gone"))
            self.no_longer_share(freed)
            for memory in self.memories:
                memory.took(freed)
            changed = [*noted, *(key for key, _ in visited), *freed]
            for reader in self._readers:
                reader.changed.extend(changed)
                reader.made.extend(noted)
            if len(self.facts) > max(LIMIT, self._most):
                self._forget()
            while len(self._grads) > GRADIENTS:
                del self._grads[next(iter(self._grads))]

    def _forget(self) -> None:
        """Forget the oldest that are gone; the latest passes keep what they speak of."""
        for record in self.passes:
            record.take_over()
        kept = {key for reader in self._readers if reader.keeps for key in reader.made}
        if self.facts.forget_the_oldest(kept):
            self.forget_marks()
            self._grads = {key: g for key, g in self._grads.items() if key in self.facts}
        # Where the rest is alive, looking again at once would find no more.
        self._most = len(self.facts) + LIMIT // 32

    # ------------------------------------------------------------------ being read

    def look_at(self, frames: list[Any]) -> None:
        """Look for names in these frames of the program too, outermost first."""
        with self._lock:
            before = dict(self._namespaces)
            for frame in frames:
                self._namespaces[id(frame.f_globals)] = frame.f_globals
                self._namespaces[id(frame)] = locals_of(frame)
            self.look_for_names()
            self._namespaces = before

    def look_for_names(self) -> None:
        """Note which variables hold what now, and which leaves were written to."""
        with self._lock:
            self.catch_up()
            found: dict[str, dict[str, None]] = {}
            for namespace in list(self._namespaces.values()):
                for name, value in names_in(namespace):
                    key = self.known(value)
                    if key in self.facts:
                        found.setdefault(str(key), {})[name] = None
            for key, names in found.items():
                fact = self.facts[key]
                if fact.aliases != tuple(names):
                    fact.aliases = tuple(names)
                    self._changed(key)
            for key, ref in list(self._earlier.items()):
                node = ref()
                spent = node is not None and node.kind.frees and node.saved is None
                if spent and key not in self.facts.states:
                    self.facts.states[key] = "spent"
                    self._changed(key)
            for key in list(self._leaves.values()):
                fact = self.facts[key]
                tensor = fact.ref()
                if tensor is not None and fact.version != version_of(tensor):
                    fact.value = capture(tensor._array)
                    fact.rewritten |= fact.version[0] != version_of(tensor)[0]
                    fact.version = version_of(tensor)
                    self._changed(key)

    def describe(self, key: str, most: int = CORNER) -> dict[str, Any]:
        """One node, as the page gets it; for several readers it is worked out once."""
        if not self._readers:
            return super().describe(key, most)
        stamp = self.stamp(key)
        known = self._described.get((key, most))
        if known is not None and known[0] == stamp:
            return known[1]
        described = super().describe(key, most)
        self._described[key, most] = stamp, described
        return described

    def describe_if_known(self, key: str, most: int) -> dict[str, Any] | None:
        """One node, see ``describe``; None if it is forgotten, by another thread perhaps."""
        with self._lock:
            return self.describe(key, most) if key in self.facts else None

    def stamp(self, key: str) -> Any:
        """What differs when a fact has changed: its state, and the gradient or the leaf's value."""
        fact = self.facts.get(key)
        leaf = None if fact is None or fact.ref is None else fact.ref()
        return self.facts.state(key), version_of(leaf), id(self._grads.get(key)), self.marked(key)

    def changed_marks(self, key: str) -> None:
        """A mark of a node has changed; nothing that others say of it."""
        for reader in self._readers:
            reader.changed.append(key)

    def _changed(self, key: str) -> None:
        self._described.clear()  # its name may stand in the formulas of others
        for reader in self._readers:
            reader.changed.append(key)


def taken(waiting: deque[Any]) -> list[Any]:
    """What waits now, taken out of the queue."""
    return [waiting.popleft() for _ in range(len(waiting))]


HOLDING = (TensorBase, Node, ndarray)


def kept(option: Any) -> Any:
    """What is kept of an operand that is no tensor: no array, no tensor or node within a tuple."""
    if isinstance(option, ndarray):  # only its text is wanted
        small = option.size <= CORNER
        return capture(option) if small else Captured(None, option.shape, option.dtype)
    if option.__class__ is tuple and any(isinstance(part, HOLDING) for part in option):
        return ...
    return option


def version_of(tensor: Any) -> Any:
    """What tells whether a leaf or its gradient has changed: the counts of their writes."""
    if tensor is None:
        return None
    meta = tensor._meta
    grad = tensor._grad
    count = 0 if meta is None or meta.storage is None else meta.storage.version
    return count, None if grad is None else (id(grad), version_of(grad))
