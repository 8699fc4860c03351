"""Notices: what is legal, and seldom meant. They speak only to those who ask for them.

PyTorch says nothing of gradients that add up over passes, of a total that keeps every graph
alive, of a loop that never ends; so minigrad says nothing either, until ``tape.notices()``.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..engine.node import Node, TensorBase
from ..errors import endless_error, notice_graphs, notice_passes, outside
from .recorder import Tape
from .source import Place

REMEMBERED = 10_000  # sums kept in mind; beyond, the oldest are forgotten


class Notices:
    """Watches a running program and says, each once,

    MG101: an optimiser takes a step with gradients that are the sum of several passes;
    MG110: a sum has collected the graphs of many passes, as by ``total += loss``;
    MG114: as an error, and each time: so many operations were recorded without a backward pass,
    in one cell if it runs in a notebook.

    ``graphs`` and ``operations`` say how many are many. On from the start to ``stop()``, or to
    the end of a ``with`` block.
    """

    active: Notices | None = None

    def __init__(self, shared: Tape, graphs: int, operations: int) -> None:
        if Notices.active is not None:
            Notices.active.stop()
        self.shared = shared
        self.graphs = graphs
        self.operations = operations
        self.reader = shared.watch(room=0)  # for the lines, which the tape knows
        self.since = 0  # operations since the last pass, or since the cell began
        self.cell = shared.cell  # in which they were counted
        self.said: set[str] = set()
        self.passes: dict[str, list[str]] = {}  # leaf -> cells of the passes in its gradient
        self.roots: dict[int, None] = {}  # nodes that passes have started from
        self.sums: dict[int, int] = {}  # node of a sum -> how many such roots it has collected
        self.sum_of: dict[int, int] = {}  # node -> the sum that it was added to
        self.lock = threading.RLock()  # several threads may tell us something
        Notices.active = shared.listener = self

    def __enter__(self) -> Notices:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Say nothing from now on."""
        if Notices.active is self:
            Notices.active = self.shared.listener = None
            self.shared.release(self.reader)

    @contextmanager
    def at_most(self, operations: int) -> Iterator[None]:
        """Inside the block no more than so many, counted anew; behind it all is as before."""
        before = self.since, self.operations
        self.since, self.operations = 0, min(operations, self.operations)
        try:
            yield
        finally:
            self.since, self.operations = before

    def say(self, code: str, text: str) -> None:
        if code not in self.said:
            self.said.add(code)
            warnings.warn(text, UserWarning, stacklevel=outside())

    # ------------------------------------------------------------------ being told

    def made(self, node: Node, inputs: Sequence[Any]) -> None:
        """An operation was recorded. Raises RuntimeError (MG114) after too many."""
        with self.lock:
            if self.cell != self.shared.cell:  # what an earlier cell recorded is no endless loop
                self.cell = self.shared.cell
                self.since = 0
            self.since += 1
            if self.since > self.operations:
                self.since = 0  # the next loop is stopped as well
                raise endless_error(self.operations, node)
            if node.kind.op == "add":
                known: dict[int, Any]
                parts = [t._node.seq for t in inputs if self.has_node(t)]
                collected = max((self.sums.get(part, 0) for part in parts), default=0)
                self.sums[node.seq] = collected + any(part in self.roots for part in parts)
                self.sum_of.update(dict.fromkeys(parts, node.seq))
                self.look_at(node)
                for known in (self.sums, self.sum_of, self.roots):
                    while len(known) > REMEMBERED:
                        del known[next(iter(known))]

    @staticmethod
    def has_node(operand: Any) -> bool:
        return isinstance(operand, TensorBase) and isinstance(operand._node, Node)

    def look_at(self, node: Node) -> None:
        count = self.sums[node.seq]
        if count >= self.graphs:
            code, instruction = node.watched.note[4:6]
            name = None if code is None else Place(code, instruction).assigned()
            self.say("MG110", notice_graphs(name or "a sum", count, node))

    def began(self, roots: Sequence[Any]) -> None:
        """A backward pass begins."""
        with self.lock:
            self.since = 0
            for root in filter(self.has_node, roots):
                seq = root._node.seq
                self.roots[seq] = None
                if seq in self.sum_of:  # it was added to the sum before its own pass
                    self.sums[self.sum_of[seq]] += 1

    def landed(self, leaf: TensorBase) -> None:
        """A gradient is about to be added to a ``.grad``."""
        with self.lock:
            grad = leaf._grad
            earlier = self.passes.get(self.shared.key_of(leaf), [])
            if grad is None or not grad._array.any():
                earlier = []
            self.passes[self.shared.key_of(leaf)] = [*earlier, self.shared.cell]

    def stepping(self, params: Sequence[TensorBase]) -> None:
        """An optimiser is about to take a step with these parameters."""
        with self.lock:
            for param in params:
                cells = self.passes.get(self.shared.key_of(param), [])
                if param._grad is not None and len(cells) > 1:
                    self.say("MG101", notice_passes(param, cells))


def before_step(params: Callable[[], Sequence[TensorBase]]) -> None:
    """Called by optimisers: let the notices, if there are any, look at the gradients."""
    if Notices.active is not None:
        Notices.active.stepping(params())
