"""The tape: what happened while somebody watched, kept as plain facts.

It is told of every recorded operation and every visit, and holds neither nodes nor tensors, only
their numbers, so that watching keeps no graph alive. Taking down a fact is cheap (an operation
costs less than three times what it costs unwatched); names, formulas and summaries are worked
out when somebody reads them.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np

from ..engine.node import Node, TensorBase, Watch
from .facts import LIMIT, Described, Fact, Facts, Note
from .scope import running
from .source import Place, user_frame
from .values import Captured, capture

new = object.__new__
getframe = sys._getframe
ndarray = np.ndarray

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


class Reader:
    """Somebody who reads the tape, and is told which facts are new or have changed.

    ``room``: how many of these to keep for him; 0 for one who never looks.
    """

    def __init__(self, room: int | None = None) -> None:
        self.changed: deque[str] = deque(maxlen=room)


class Tape(Described):
    """Takes down what happens. There is one, ``tape``, shared by all who watch.

    Whatever is on the way of a running program (``made``, ``visited``, the tokens) only appends
    a note; ``catch_up``, called by those who read, files the notes.
    """

    def __init__(self, record_pass: Callable[[Tape, tuple[Any, ...]], Any] | None = None) -> None:
        self.facts = Facts()
        self.cell = ""  # the label of the running cell
        self.passes: deque[Any] = deque(maxlen=8)  # the latest backward passes
        self.listener: Any = None  # who is told at once, see ``notice``
        self._record_pass = record_pass
        self._readers: list[Reader] = []
        self._notes: deque[Note] = deque()
        self._on_made = self._notes.append
        self._freed: deque[Any] = deque()
        self._on_freed = self._freed.append
        self._latest: CodeType | None = None  # the code that made the latest node
        self._visited: deque[tuple[int, bool]] = deque()
        self._grads: dict[str, Captured] = {}  # what the latest pass brought to an operation
        self._leaves: dict[int, str] = {}  # id of a living tensor -> its key
        self._namespaces: dict[int, dict[str, Any]] = {}
        self._lock = threading.RLock()
        self._count = 0

    # ------------------------------------------------------------------ watching

    def watch(self, room: int | None = None) -> Reader:
        """Start to watch, and get a reader of what happens from now on."""
        reader = Reader(room)
        with self._lock:
            self.catch_up()
            self._readers.append(reader)
            Watch.observer = self
        return reader

    def release(self, reader: Reader) -> None:
        """Stop watching. When nobody watches any more, recording costs nothing again."""
        with self._lock:
            if reader in self._readers:
                self._readers.remove(reader)
            if not self._readers:
                Watch.observer = None

    # ------------------------------------------------------------------ being told

    def made(self, node: Node, inputs: tuple[Any, ...], value: Any) -> None:
        """An operation was recorded (see ``graph.Watch``)."""
        frame: Any = getframe(2)
        code = frame.f_code
        inside = -1
        if code is not self._latest:  # another place than the time before
            frame, inside = self._look_around(frame)
            code = None if frame is None else frame.f_code
        operands: list[Any] = []
        for operand in inputs:
            if isinstance(operand, TensorBase):
                source = operand._node
                operands.append(
                    source.seq if isinstance(source, Node) else self.key_of(operand, frame)
                )
            else:
                operands.append((operand,))
        seq = node.seq
        node.watched = token = new(Token)
        token.freed = self._on_freed
        token.note = note = (
            seq,
            node.kind,
            operands,
            capture(value) if isinstance(value, ndarray) else value,
            code,
            -1 if code is None else frame.f_lasti,
            inside,
            self.cell,
            running.scope,
        )
        self._on_made(note)
        if not seq % 1024 and len(self._notes) > HEAP:
            self.catch_up()
        listener = self.listener
        if listener is not None:
            listener.made(node, inputs)

    def _look_around(self, frame: Any) -> tuple[Any, int]:
        """The frame of the user's program, whose namespace may have names for us."""
        frame, inside = user_frame(frame)
        if frame is not None:
            self._latest = frame.f_code
            self._namespaces[id(frame.f_globals)] = frame.f_globals
        return frame, inside

    def known_leaf(self, tensor: TensorBase) -> str | None:
        """The key of a tensor that no operation made, if the tape knows it."""
        return self._leaves.get(id(tensor))

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
            fact = Fact(key, kind, "", (), capture(tensor._array))
            fact.version = version_of(tensor)
            fact.ref = weakref.ref(tensor, gone)
            if frame is not None:
                fact.aliases = names_of(tensor, frame.f_locals, frame.f_globals)
            self._leaves[id(tensor)] = key
            self.facts[key] = fact
            self._changed(key)
        return key

    def began(self, roots: tuple[Any, ...]) -> Any:
        """A backward pass begins (see ``graph.Watch``); returns its record."""
        record = None
        if self._record_pass is not None:
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
        self._visited.append((visit[0].seq, visit[0].kind.frees))

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
            self.facts.update(noted)
            states.update((key, "spent") for key, frees in visited if frees)
            states.update(dict.fromkeys(freed, "gone"))
            changed = [*noted, *(key for key, _ in visited), *freed]
            for reader in self._readers:
                reader.changed.extend(changed)
            if len(self.facts) > LIMIT:
                self.facts.forget_the_oldest()
            for key in list(self._grads)[: max(0, len(self._grads) - LIMIT)]:
                del self._grads[key]

    # ------------------------------------------------------------------ being read

    def look_for_names(self) -> None:
        """Note which variables hold what now, and which leaves were written to."""
        with self._lock:
            self.catch_up()
            found: dict[str, list[str]] = {}
            for namespace in list(self._namespaces.values()):
                for name, value in list(namespace.items()):
                    if isinstance(value, TensorBase) and is_variable(name):
                        key = self.known(value)
                        if key in self.facts:
                            found.setdefault(str(key), []).append(name)
            for key, names in found.items():
                fact = self.facts[key]
                if fact.aliases != tuple(names):
                    fact.aliases = tuple(names)
                    self._changed(key)
            for key in list(self._leaves.values()):
                fact = self.facts[key]
                tensor = fact.ref()
                if tensor is not None and fact.version != version_of(tensor):
                    fact.value = capture(tensor._array)
                    fact.version = version_of(tensor)
                    self._changed(key)

    def _changed(self, key: str) -> None:
        for reader in self._readers:
            reader.changed.append(key)


def taken(waiting: deque[Any]) -> list[Any]:
    """What waits now, taken out of the queue."""
    return [waiting.popleft() for _ in range(len(waiting))]


def version_of(tensor: Any) -> Any:
    """What tells whether a leaf or its gradient has changed: the counts of their writes."""
    if tensor is None:
        return None
    meta = tensor._meta
    grad = tensor._grad
    count = 0 if meta is None or meta.storage is None else meta.storage.version
    return count, None if grad is None else (id(grad), version_of(grad))


def is_variable(name: Any) -> bool:
    """Is it a variable to be shown? A namespace may have keys that are no names at all."""
    return isinstance(name, str) and not name.startswith("_")


def names_of(tensor: Any, *namespaces: dict[str, Any]) -> tuple[str, ...]:
    """The names under which a tensor is found, in the first namespace that has it."""
    for namespace in namespaces:
        names = [
            name for name, value in list(namespace.items()) if value is tensor and is_variable(name)
        ]
        if names:
            return tuple(names)
    return ()
