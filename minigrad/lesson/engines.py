"""Engines that are wrong on purpose: the real backward pass with one mistake each.

An answer that equals what one of them computes was probably found by making its mistake. So
checks compare with them, and the stepper can show them at work.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..engine.backward import BackwardPass, Visit, as_tuple, own_copy, seed_of
from ..engine.node import Node, edge_to, new_tensor
from ..engine.unbroadcast import unbroadcast
from .rules import broke, either
from .values import same

MOST_VISITS = 1000
TWICE = "That is exactly twice too large: two backward passes were added."

WRONG: dict[str, type[Wrong]] = {}
"""The wrong engines by name, in the order of their classes. The right one is called "right"."""


class Wrong(BackwardPass):
    """A backward pass that can go wrong in its order, its sums or its products.

    A new engine is a class of this kind with a name, ``class Halve(Wrong, name="halve")``, and
    nothing else: checks compare with it from then on, and the stepper offers it.

    It never frees what the graph saved, and calls no hooks of intermediate results. Raises
    RuntimeError after ``MOST_VISITS`` visits: some wrong orders take every path.
    """

    title: str  # begins with its name
    what: str  # the engine's mistake: "it …"
    message: str  # for somebody whose answer is what it computes
    rule = ""  # of the course, which it breaks: a name in ``RULES``

    # How the stepper speaks of several arrivals. Who has another ``join`` has other words.
    between = "+"  # stands between two: "7 + 8"
    kept = ""  # is said after all of them: "7 via c and 8 via d, of which the last is kept"
    leaves = "makes"  # says what a second arrival does: "At b that makes 15."

    def __init_subclass__(cls, name: str) -> None:
        WRONG[name] = cls

    @classmethod
    def said(cls) -> str:
        """Its message, marked with the rule that it breaks."""
        return broke(cls.rule, cls.message) if cls.rule else cls.message

    def order(self) -> Iterator[Node]:
        """The nodes in the order of their visits. ``waiting`` has those that were sent to."""
        return iter(self.schedule)

    def upstream(self, g: Any) -> Any:
        """What a rule gets as the gradient of its output."""
        return g

    @staticmethod
    def join(before: Any, part: Any) -> Any:
        """What a second arrival makes of what is there."""
        return before + part

    def steps(self) -> Iterator[Visit]:
        arrived = self.arrived
        self.waiting = deque(target for target in arrived if isinstance(target, Node))
        for count, node in enumerate(self.order()):
            if count >= MOST_VISITS:
                raise RuntimeError(
                    f"stopped after {MOST_VISITS} visits of {len(self.schedule)} "
                    "nodes: this engine takes every path"
                )
            g = arrived.get(node)
            if g is None:
                continue
            if self.captured is not None and node in self.captured:
                self.captured[node] = g
            parts = node.vjp(self.upstream(g), node.edges)
            for position, (edge, part) in enumerate(zip(node.edges, parts)):
                if part is not None:
                    like = edge if isinstance(edge, Node) else edge._array
                    part = parts[position] = unbroadcast(
                        part, like.shape, like.dtype, node, position
                    )
                    arrived[edge] = self.join(arrived[edge], part) if edge in arrived else part
                    if isinstance(edge, Node):
                        self.waiting.append(edge)
            yield node, g, node.edges, parts
        self.arrived = {leaf: g for leaf, g in arrived.items() if not isinstance(leaf, Node)}


class Overwrite(Wrong, name="overwrite"):
    title = "overwrite"
    what = "it overwrites what has arrived instead of adding to it"
    message = "That is only the last grad to arrive. A value used twice gets two: add them."
    rule = "add"
    between = "overwritten by"
    kept = "of which the last is kept"
    leaves = "leaves"

    @staticmethod
    def join(before: Any, part: Any) -> Any:
        return part


class KeepFirst(Wrong, name="first"):
    title = "first: keep the first"
    what = "it keeps the first grad that arrives and drops the others"
    message = "That is only the first grad to arrive. A value used twice gets two: add them."
    rule = "add"
    between = "kept, dropped:"
    kept = "of which the first is kept"
    leaves = "changes nothing: it stays"

    @staticmethod
    def join(before: Any, part: Any) -> Any:
        return before


class Queue(Wrong, name="queue"):
    title = "queue: first come, first served"
    what = "at each arrival it passes on all that is there, first in, first out"
    message = "A grad was passed on at each arrival. Visit a node once, after all arrivals."
    rule = "wait"

    def order(self) -> Iterator[Node]:
        while self.waiting:
            yield self.waiting.popleft()


class Stack(Wrong, name="stack"):
    title = "stack: last come, first served"
    what = "at each arrival it passes on all that is there, last in, first out"
    message = "A grad was passed on before all had arrived, then again. Visit a node only once."
    rule = "wait"

    def order(self) -> Iterator[Node]:
        while self.waiting:
            yield self.waiting.pop()


class Once(Stack, name="once"):
    title = "once: in any order"
    what = "it visits each node once, but some before all their grads have arrived"
    message = "A grad was passed on before all had arrived. Visit a node after all its users."
    rule = "wait"

    def order(self) -> Iterator[Node]:
        seen: set[Node] = set()
        for node in super().order():
            if node not in seen:
                seen.add(node)
                yield node


class Local(Wrong, name="local"):
    title = "local: no incoming gradient"
    what = "it sends local slopes, not multiplied by the grad that arrived"
    message = "Those are local slopes only. Multiply each by the grad that arrived."
    rule = "multiply"

    def upstream(self, g: Any) -> Any:
        return np.ones_like(g)


def gradients(loss: Any, leaves: Any, engine: str = "right", gradient: Any = None) -> list[Any]:
    """The gradients of ``loss`` with respect to ``leaves``, as this engine computes them.

    Neither ``.grad`` nor what the graph saved is touched. One tensor without history for each
    leaf, or None where nothing arrives. Raises what ``backward`` raises, ValueError for an
    unknown engine, and RuntimeError where a wrong order would visit every path of a large graph.

    >>> import minigrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> a = x**2
    >>> y = a**2 + a**2
    >>> for engine in ["right", *torch.lesson.engines.WRONG]:
    ...     print(engine, *torch.lesson.engines.gradients(y, x, engine))
    right tensor(64.)
    overwrite tensor(32.)
    first tensor(32.)
    queue tensor(128.)
    stack tensor(96.)
    once tensor(32.)
    local tensor(4.)
    """
    if engine != "right" and engine not in WRONG:
        raise ValueError(f"no engine is called {engine!r}: choose of right, {', '.join(WRONG)}")
    seed = seed_of(loss, gradient, False, 0)
    run = WRONG.get(engine, BackwardPass)((loss,), (seed,), inputs=as_tuple(leaves), keep=True)
    run.run()
    found = [(run.captured or {})[edge_to(leaf)] for leaf in as_tuple(leaves)]
    return [None if g is None else new_tensor(own_copy(g)) for g in found]


def mistakes(loss: Any, leaf: Any, gradient: Any = None) -> dict[Any, str]:
    """Wrong gradients of ``loss`` with respect to ``leaf``, each with the mistake behind it.

    Made for the ``mistakes`` of ``predict`` and ``Exercise``. The keys are numbers, or tensors
    if the leaf has several entries. What equals the right gradient is left out. Each text is
    marked with the rule that the mistake breaks (``lesson.broke``), unless two with different
    rules come to the same number.

    >>> import minigrad as torch
    >>> a = torch.tensor(2.0, requires_grad=True)
    >>> b = torch.tensor(6.0, requires_grad=True)
    >>> d = b + 1
    >>> c = a + b
    >>> found = torch.lesson.engines.mistakes(c * d, b)
    >>> sorted(found)
    [-15.0, 2.0, 7.0, 8.0, 30.0]
    >>> found[2.0]
    'Those are local slopes only. Multiply each by the grad that arrived.'
    >>> found[2.0].rule
    'multiply'
    """
    (right,) = gradients(loss, leaf, gradient=gradient)
    if right is None:
        return {}
    wrong: list[tuple[Any, str]] = [
        (right * 2, broke("accumulate", TWICE)),
        (-right, broke("local", "The sign is wrong: look for a minus on the way.")),
    ]
    for name, engine in WRONG.items():
        try:
            wrong += [(g, engine.said()) for g in gradients(loss, leaf, name, gradient)]
        except RuntimeError:  # it would take every path
            continue
    found: dict[Any, str] = {}
    for value, message in wrong:
        if value is not None and not same(value, right):
            key = value.item() if value.numel() == 1 else value
            found[key] = either(found[key], message) if key in found else message
    return found
