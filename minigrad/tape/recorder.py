"""The tape: what happened while somebody watched, kept as plain facts.

It is told of every recorded operation and every visit, and holds neither nodes nor tensors, only
their numbers, so that watching keeps no graph alive. Taking down a fact is cheap (an operation
costs less than three times what it costs unwatched); names, formulas and summaries are worked
out when somebody reads them.
"""

from __future__ import annotations

import math
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from ..engine.node import Node, TensorBase, Watch
from . import formulas
from .scope import Call, running
from .source import Place, user_frame
from .values import CORNER, Captured, capture, number, summary

new = object.__new__
getframe = sys._getframe
ndarray = np.ndarray

LIMIT = 20_000  # facts kept; beyond, those of freed nodes are forgotten, oldest first
HEAP = 5_000  # notes taken down, but not yet worked out


Note = tuple[int, Any, list[Any], Any, CodeType | None, int, int, str, tuple[Call, ...]]
"""What is taken down of an operation: its number, kind, operands and value, the code object and
instruction that made it, how far the called function had got, the running cell's label, and the
modules that were called."""


class Token:
    """Hangs on a watched node: knows where it was made, and tells the tape when it is freed."""

    __slots__ = ("freed", "note")

    note: Note
    freed: Callable[[int], None]

    def place(self) -> str:
        """Where the node was made, for an error message."""
        code, instruction = self.note[4:6]
        return "an unknown line" if code is None else str(Place(code, instruction))

    def __del__(self) -> None:
        self.freed(self.note[0])


@dataclass(slots=True)
class Fact:
    """What the tape knows of one operation or one leaf."""

    key: str  # "n12", "t3"
    kind: Any  # a graph.Kind; "leaf" or "data" for a tensor that no operation made
    op: str
    operands: tuple[Any, ...]  # keys, and Literals
    value: Captured
    place: Place | None = None
    inside: int = -1  # how far the function that was called there had got, see ``user_frame``
    cell: str = ""
    calls: tuple[Call, ...] = ()  # of modules, outermost first
    aliases: tuple[str, ...] = ()  # names found in a namespace
    ref: Any = None  # of a leaf: a weak reference
    version: Any = 0  # of a leaf: see ``version_of``, when its value was taken down


class Literal(str):
    """An operand that is not a node: a number or an option, as text."""


class Facts:
    """Facts by key. A note becomes a fact when somebody looks at it; most are never looked at."""

    def __init__(self) -> None:
        self.entries: dict[str, Fact | Note] = {}
        self.states: dict[str, str] = {}  # of those that are not "alive"

    def __contains__(self, key: object) -> bool:
        return key in self.entries

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __setitem__(self, key: str, fact: Fact) -> None:
        self.entries[key] = fact

    def __getitem__(self, key: str) -> Fact:
        entry = self.entries[key]
        if isinstance(entry, Fact):
            return entry
        _, kind, operands, value, code, instruction, inside, cell, calls = entry
        fact = self.entries[key] = Fact(
            key,
            kind,
            kind.op,
            tuple(map(operand_key, operands)),
            value if isinstance(value, Captured) else capture(value),
            None if code is None else Place(code, instruction),
            inside,
            cell,
            calls,
        )
        return fact

    def get(self, key: str) -> Fact | None:
        return self[key] if key in self.entries else None

    def state(self, key: str) -> str:
        """ "alive", "spent" (backward took what was saved) or "gone"."""
        return self.states.get(key, "alive")

    def forget_the_oldest(self) -> None:
        """Forget some of those that are gone, to stay within the limit."""
        gone = [key for key in self.entries if self.states.get(key) == "gone"]
        for key in gone[: LIMIT // 4]:
            del self.entries[key]
            self.states.pop(key, None)


class Reader:
    """Somebody who reads the tape, and is told which facts are new or have changed.

    ``room``: how many of these to keep for him; 0 for one who never looks.
    """

    def __init__(self, room: int | None = None) -> None:
        self.changed: deque[str] = deque(maxlen=room)


class Tape:
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
            entries = self.facts.entries
            states = self.facts.states
            # As many as there are now; more may be noted by other threads meanwhile.
            noted = {f"n{note[0]}": note for note in taken(self._notes)}
            visited = [(f"n{seq}", frees) for seq, frees in taken(self._visited)]
            freed = [k if isinstance(k, str) else f"n{k}" for k in taken(self._freed)]
            entries.update(noted)
            states.update((key, "spent") for key, frees in visited if frees)
            states.update(dict.fromkeys(freed, "gone"))
            changed = [*noted, *(key for key, _ in visited), *freed]
            for reader in self._readers:
                reader.changed.extend(changed)
            if len(entries) > LIMIT:
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
                        node = value._node
                        key = f"n{node.seq}" if isinstance(node, Node) else self.known_leaf(value)
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

    def names(self, fact: Fact) -> list[str]:
        """The variables that hold the value: the one it was assigned to first."""
        names = list(fact.aliases)
        if fact.place is not None and not self.is_inner(fact):
            first = fact.place.assigned()
            if first is not None:
                names = [first, *[name for name in names if name != first]]
        return names

    def is_inner(self, fact: Fact) -> bool:
        """Is it an inner step of a composite operation, whose last node gets the name?"""
        following = self.facts.get(f"n{int(fact.key[1:]) + 1}")
        return (
            following is not None
            and following.place == fact.place
            and following.inside > fact.inside >= 0
            and fact.key in following.operands
        )

    def text(self, operand: str, depth: int = 3) -> str:
        """An operand in a formula: its variable, its own formula if short, or its value."""
        if not self._is_node(operand):
            return str(operand)
        fact = self.facts[operand]
        names = self.names(fact)
        if names:
            return names[0]
        if not fact.op:
            return str(summary(fact.value)["text"])
        # What is too long is cut where it is deepest: "(… - targets) ** 2".
        for deep in reversed(range(depth)):
            inner = self.formula(fact, deep)
            if len(inner) <= 24:
                return inner
        return "…" if fact.op in formulas.INFIX else f"{fact.op}(…)"

    def _is_node(self, operand: str) -> bool:
        return operand in self.facts and not isinstance(operand, Literal)

    def formula(self, fact: Fact, depth: int = 3) -> str:
        """The operation with its operands' names, or their formulas down to this depth."""
        count = 2 if fact.op in formulas.INFIX else len(fact.kind.needs) or len(fact.operands)
        return formulas.formula(fact.op, [self.text(o, depth) for o in fact.operands[:count]])

    def equation(self, key: str) -> str:
        """The formula with its result's name: ``e = c * d``."""
        fact = self.facts[key]
        if not fact.op:
            return self.text(key)
        names = self.names(fact)
        formula = self.formula(fact)
        return f"{names[0]} = {formula}" if names else formula

    def saved(self, fact: Fact) -> list[dict[str, Any]]:
        """What the operation keeps for its backward pass, and which rules name it."""
        known = {**dict(zip(fact.kind.arguments, fact.operands)), "out": fact.key}
        names = {argument: self.text(operand) for argument, operand in known.items()}
        why: dict[str, list[str]] = {}
        for argument, needed in fact.kind.needs.items():
            if differentiable(self.facts.get(known.get(argument, ""))):
                rule = formulas.rule_text(fact.kind, argument, {**names, "g": "g"})
                for name in needed:
                    if name in known:
                        why.setdefault(name, []).append(f"{names[argument]}: {rule}")
        return [
            {"arg": name, "text": names[name], "bytes": self.bytes(known[name]), "why": rules}
            for name, rules in why.items()
        ]

    def bytes(self, operand: str) -> int:
        """The size of a value; a number's is nothing to speak of."""
        if not self._is_node(operand):
            return 0
        value = self.facts[operand].value
        return math.prod(value.shape) * int(np.dtype(value.dtype).itemsize)

    def numbers(self, fact: Fact) -> str:
        """The formula with numbers in place of names, if they are single numbers."""
        count = 2 if fact.op in formulas.INFIX else len(fact.kind.needs) or len(fact.operands)
        texts = [
            one_number(self.facts[o].value) if self._is_node(o) else str(o).replace(CONSTANT, "")
            for o in fact.operands[:count]
        ]
        return formulas.formula(fact.op, texts) if all(texts) else ""

    def grad(self, fact: Fact) -> Captured | None:
        """What the latest pass that was watched brought to an operation; of a leaf, its .grad."""
        if fact.op:
            return self._grads.get(fact.key)
        tensor = None if fact.ref is None else fact.ref()
        return None if tensor is None or tensor._grad is None else capture(tensor._grad._array)

    def scope(self, fact: Fact) -> str:
        """The modules that were called, "Net › layers.0"; without any, the function."""
        calls = " › ".join(call.name or call.kind for call in fact.calls)
        return calls or ("" if fact.place is None else fact.place.scope)

    def describe(self, key: str, most: int = CORNER) -> dict[str, Any]:
        """One node, as the page gets it (``NodeData`` in ``tape.ts``).

        ``most``: of matrices, so many rows and columns; with 0, what takes long is left out.
        """
        fact = self.facts[key]
        place = fact.place
        grad = self.grad(fact) if most else None
        known = fact.op and most
        made = {
            "id": key,
            "kind": "op" if fact.op else fact.kind,
            "op": fact.op,
            "symbol": formulas.symbol(fact.op),
            "names": self.names(fact),
            "formula": self.formula(fact) if fact.op else "",
            "cell": fact.cell,
            "line": None if place is None else place.line,
            "file": "" if place is None else place.file,
            "source": "" if place is None else place.text,
            "scope": self.scope(fact),
            "spot": "" if place is None else f"{place.instruction}.{fact.inside}",
            "value": summary(fact.value, most or 1),
            "grad": None if grad is None else summary(grad, most),
            "numbers": self.numbers(fact) if known else "",
            "saved": self.saved(fact) if known else [],
            "inputs": [],
            "state": self.facts.state(key),
        }
        if fact.op:
            arguments = fact.kind.arguments or ("input",) * len(fact.operands)
            made["inputs"] = [
                {
                    "id": operand if self._is_node(operand) else None,
                    "arg": arguments[min(position, len(arguments) - 1)],
                    "text": self.text(operand) if most else "",
                }
                for position, operand in enumerate(fact.operands)
            ]
        return made


CONSTANT = "constant"
"""What stands in a formula for a number that nobody kept, and that no value tells."""


def taken(waiting: deque[Any]) -> list[Any]:
    """What waits now, taken out of the queue."""
    return [waiting.popleft() for _ in range(len(waiting))]


def operand_key(noted: Any) -> str:
    """The operand of a note: a node's number, a leaf's key, or something else in a tuple."""
    if isinstance(noted, int):
        return f"n{noted}"
    if isinstance(noted, str):
        return noted
    return literal(noted[0])


def literal(value: Any) -> Literal:
    """A number or an option as text."""
    if isinstance(value, float):
        return Literal(number(value))
    if isinstance(value, tuple) and any(isinstance(part, (slice, np.ndarray)) for part in value):
        return Literal("…")
    return Literal(value)


def version_of(tensor: Any) -> Any:
    """What tells whether a leaf or its gradient has changed: the counts of their writes."""
    if tensor is None:
        return None
    meta = tensor._meta
    grad = tensor._grad
    count = 0 if meta is None or meta.storage is None else meta.storage.version
    return count, None if grad is None else (id(grad), version_of(grad))


def differentiable(fact: Fact | None) -> bool:
    """Does a gradient go there?"""
    return fact is not None and fact.kind != "data"


def one_number(value: Captured) -> str:
    """A value in a formula, if it is one number; else ""."""
    if value.corner is None or math.prod(value.shape) != 1:
        return ""
    return number(np.asarray(value.corner).reshape(-1)[0].item())


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
