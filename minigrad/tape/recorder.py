"""The tape: what happened while somebody watched, kept as plain facts.

It is told of every recorded operation and every visit, and holds neither nodes nor tensors, only
their numbers, so that watching keeps no graph alive. Taking down a fact is cheap (an operation
costs less than three times what it costs unwatched); names, formulas and summaries are worked
out when somebody reads them.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

from ..graph import Node, TensorBase, Watch, extra
from . import formulas
from .source import Place, user_frame
from .values import Captured, capture, number, summary

LIMIT = 20_000  # facts kept; beyond, those of freed nodes are forgotten, oldest first


class Token:
    """Hangs on a watched node: knows where it was made, and tells the tape when it is freed."""

    __slots__ = ("key", "spot", "tape")

    def __init__(self, tape: Tape, key: str, spot: Place | None) -> None:
        self.tape, self.key, self.spot = tape, key, spot

    def place(self) -> str:
        """Where the node was made, for an error message."""
        return "an unknown line" if self.spot is None else str(self.spot)

    def __del__(self) -> None:
        self.tape.freed(self.key)


class Fact:
    """What the tape knows of one operation or one leaf."""

    __slots__ = (
        "aliases", "cell", "key", "kind", "op", "operands", "ref", "spot", "state", "value",
        "version",
    )  # fmt: skip

    key: str  # "n12", "t3"
    kind: Any  # the class of the node; "leaf" or "data" for a tensor that no operation made
    op: str
    operands: tuple[Any, ...]  # keys, or Python numbers and options as they are
    value: Captured
    spot: Place | None
    cell: str
    state: str  # "alive", "spent", "gone"
    aliases: tuple[str, ...]  # names found in a namespace
    ref: Any  # of a leaf: a weak reference
    version: int  # of a leaf: the count of writes when its value was taken down


class Reader:
    """Somebody who reads the tape, and is told which facts are new or have changed."""

    def __init__(self) -> None:
        self.changed: deque[str] = deque()


class Tape:
    """Takes down what happens. There is one, ``tape``, shared by all who watch."""

    def __init__(self, record_pass: Callable[[Tape, tuple[Any, ...]], Any] | None = None) -> None:
        self._record_pass = record_pass
        self.facts: dict[str, Fact] = {}
        self.cell = ""  # the label of the running cell
        self.passes: deque[Any] = deque(maxlen=8)  # the latest backward passes, see ``passes``
        self._readers: list[Reader] = []
        self._leaves: dict[int, str] = {}  # id of a living tensor -> its key
        self._namespaces: dict[int, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._count = 0

    # ------------------------------------------------------------------ watching

    def watch(self) -> Reader:
        """Start to watch, and get a reader of what happens from now on."""
        reader = Reader()
        with self._lock:
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
        """An operation was recorded (see ``graph.Observer``)."""
        fact = Fact()
        fact.key = key = f"n{node.seq}"
        frame = user_frame(2)
        if frame is None:
            fact.spot = None
        else:
            fact.spot = Place(frame.f_code, frame.f_lasti)
            if id(frame.f_globals) not in self._namespaces:
                self._namespaces[id(frame.f_globals)] = frame.f_globals
        fact.kind, fact.op = type(node), node.op
        fact.operands = tuple(
            [self.key_of(i, frame) if isinstance(i, TensorBase) else i for i in inputs]
        )
        fact.value = capture(value)
        fact.cell, fact.state, fact.aliases = self.cell, "alive", ()
        fact.ref = None
        extra(node).watched = Token(self, key, fact.spot)
        self.facts[key] = fact
        for reader in self._readers:
            reader.changed.append(key)
        if len(self.facts) > LIMIT:
            self._forget()

    def known_leaf(self, tensor: TensorBase) -> str | None:
        """The key of a leaf, if the tape knows it."""
        return self._leaves.get(id(tensor))

    def key_of(self, tensor: TensorBase, frame: Any = None) -> str:
        """The key of a tensor's node, or of the tensor itself if no operation made it."""
        node = tensor._node
        if isinstance(node, Node):
            return f"n{node.seq}"
        known = self._leaves.get(id(tensor))
        if known is not None:
            return known
        self._count += 1
        key = f"t{self._count}"
        fact = Fact()
        fact.key, fact.kind, fact.op, fact.operands = key, "data" if node is None else "leaf", "", ()
        fact.value, fact.version = capture(tensor._array), version_of(tensor)
        fact.cell, fact.state, fact.spot = "", "alive", None
        fact.aliases = () if frame is None else names_of(tensor, frame.f_locals, frame.f_globals)

        def gone(_: Any, key: str = key, identity: int = id(tensor)) -> None:
            self._leaves.pop(identity, None)
            self.freed(key)

        fact.ref = weakref.ref(tensor, gone)
        self._leaves[id(tensor)] = key
        self.facts[key] = fact
        for reader in self._readers:
            reader.changed.append(key)
        return key

    def freed(self, key: str) -> None:
        """A node, or a leaf, exists no more."""
        self._set_state(key, "gone")

    def began(self, roots: tuple[Any, ...]) -> None:
        """A backward pass begins (see ``graph.Observer``)."""
        if self._record_pass is not None:
            self.passes.append(self._record_pass(self, roots))

    def visited(self, visit: Any) -> None:
        """A node was visited by the latest pass."""
        if self.passes:
            self.passes[-1].visited(visit)
        node = visit[0]
        if node.frees:
            self._set_state(f"n{node.seq}", "spent")

    def landed(self, leaf: TensorBase, g: Any) -> None:
        """A gradient is about to be added to a ``.grad``."""
        if self.passes:
            self.passes[-1].landed(leaf, g)

    def _set_state(self, key: str, state: str) -> None:
        fact = self.facts.get(key)
        if fact is not None and fact.state != state:
            fact.state = state
            for reader in self._readers:
                reader.changed.append(key)

    def _forget(self) -> None:
        for key in [k for k, f in list(self.facts.items()) if f.state == "gone"][: LIMIT // 4]:
            del self.facts[key]

    # ------------------------------------------------------------------ being read

    def look_for_names(self) -> None:
        """Note which variables hold what now, and which leaves were written to."""
        found: dict[str, list[str]] = {}
        for namespace in list(self._namespaces.values()):
            for name, value in list(namespace.items()):
                if isinstance(value, TensorBase) and not name.startswith("_"):
                    node = value._node
                    key = f"n{node.seq}" if isinstance(node, Node) else self._leaves.get(id(value))
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
                fact.value, fact.version = capture(tensor._array), version_of(tensor)
                self._changed(key)

    def _changed(self, key: str) -> None:
        for reader in self._readers:
            reader.changed.append(key)

    def names(self, fact: Fact) -> list[str]:
        """The variables that hold the value: the one it was assigned to first."""
        names = list(fact.aliases)
        if fact.spot is not None and not self.is_inner(fact):
            first = fact.spot.assigned()
            if first is not None:
                names = [first, *[name for name in names if name != first]]
        return names

    def is_inner(self, fact: Fact) -> bool:
        """Is it an inner step of a composite operation, whose last node gets the name?"""
        following = self.facts.get(f"n{int(fact.key[1:]) + 1}")
        return (
            following is not None
            and following.spot == fact.spot
            and fact.key in following.operands
        )

    def text(self, operand: Any) -> str:
        """An operand in a formula: its variable, its own formula if short, or its value."""
        if isinstance(operand, str) and operand in self.facts:
            fact = self.facts[operand]
            names = self.names(fact)
            if names:
                return names[0]
            if fact.op:
                inner = self.formula(fact)
                return inner if len(inner) <= 24 else f"{fact.op}(…)"
            return str(summary(fact.value)["text"])
        if isinstance(operand, tuple) and operand and isinstance(operand[0], slice):
            return "…"
        return number(operand) if isinstance(operand, float) else str(operand)

    def formula(self, fact: Fact) -> str:
        """The operation with its operands' names: ``c * d``."""
        count = 2 if fact.op in formulas.INFIX else len(fact.kind.needs) or len(fact.operands)
        return formulas.formula(fact.op, [self.text(o) for o in fact.operands[:count]])

    def equation(self, key: str) -> str:
        """The formula with its result's name: ``e = c * d``."""
        fact = self.facts[key]
        if not fact.op:
            return self.text(key)
        names, formula = self.names(fact), self.formula(fact)
        return f"{names[0]} = {formula}" if names else formula

    def describe(self, key: str) -> dict[str, Any]:
        """One node, as the page gets it (``NodeData`` in ``tape.ts``)."""
        fact = self.facts[key]
        spot = fact.spot
        made = {
            "id": key,
            "kind": "op" if fact.op else fact.kind,
            "op": fact.op,
            "symbol": formulas.symbol(fact.op),
            "names": self.names(fact),
            "formula": self.formula(fact) if fact.op else "",
            "cell": fact.cell,
            "line": None if spot is None else spot.line,
            "file": "" if spot is None else spot.file,
            "source": "" if spot is None else spot.text,
            "value": summary(fact.value),
            "inputs": [],
            "state": fact.state,
        }
        if fact.op:
            arguments = getattr(fact.kind, "arguments", ()) or ("input",) * len(fact.operands)
            made["inputs"] = [
                {
                    "id": operand if isinstance(operand, str) and operand in self.facts else None,
                    "arg": arguments[min(position, len(arguments) - 1)],
                    "text": self.text(operand),
                }
                for position, operand in enumerate(fact.operands)
            ]
        return made


def version_of(tensor: Any) -> int:
    return 0 if tensor._rare is None or tensor._rare.storage is None else tensor._rare.storage.version


def names_of(tensor: Any, *namespaces: dict[str, Any]) -> tuple[str, ...]:
    """The names under which a tensor is found, in the first namespace that has it."""
    for namespace in namespaces:
        names = [
            name
            for name, value in list(namespace.items())
            if value is tensor and not name.startswith("_")
        ]
        if names:
            return tuple(names)
    return ()
