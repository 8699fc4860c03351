"""The engine: a backward pass as a sequence of steps that anyone may watch.

The nodes behind the roots are sorted by descending number, which is a topological order (see
``graph``), and visited once each. A visit turns the gradient of a node's output into gradients
for its inputs, which are added to what has arrived there already. These sums live in the pass,
never on intermediate tensors; only leaves, and tensors that called ``retain_grad()``, get a
``.grad``, at the very end. So a pass that fails leaves every ``.grad`` as it was.

``Pass.steps`` is a generator: ``backward()`` drains it, the stepper looks at each step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .atomic import exhaust
from .dtypes import FLOAT32, SCALAR32
from .grad_mode import mode, recorded
from .graph import Extra, Node, Results, TensorBase, edge_to, reachable
from .hooks import call_hooks, call_hooks_after
from .operands import conform
from .views import lost_gradient

Visit = tuple[Node, Any, tuple[Any, ...], Sequence[Any]]
"""One step: the node, the gradient of its output (the sum of all arrivals), the node's edges,
and the gradient sent along each of them (None where none is). The gradients may be overwritten
by the next step: who wants to keep them copies them."""


class Pass:
    """One backward pass: the schedule, and what has arrived where so far.

    ``roots``, ``seeds``: the tensors to start from, and the gradient of each (bare arrays, or
    tensors if ``recorded``).
    ``inputs``: compute gradients for these tensors only; None means every leaf.
    ``keep``: leave saved values in place for another pass (``retain_graph``).
    ``recorded``: compute with tensors and record it (``create_graph``).
    """

    def __init__(
        self,
        roots: Sequence[TensorBase],
        seeds: Sequence[Any],
        *,
        inputs: Sequence[TensorBase] | None = None,
        keep: bool = False,
        recorded: bool = False,
    ) -> None:
        self.keep = keep
        self.recorded = recorded
        self.watched: Any = None  # who watches leaves here what stands for this pass
        self.arrived: dict[Any, Any] = {}  # node or leaf -> the sum of what has arrived
        self.owned: set[Any] = set()  # of these, sums in an array that nobody else holds
        self.retained: list[tuple[TensorBase, Any]] = []
        targets = [edge_to(root) for root in roots]
        for target, seed in zip(targets, seeds, strict=True):
            before = self.arrived.get(target)
            self.arrived[target] = seed if before is None else before + seed
        self.schedule = reachable(targets)
        self.asked: dict[Any, Any] | None = None  # node or leaf of `inputs` -> its gradient
        self.wanted: set[Any] | None = None  # where a gradient can still reach one of those
        if inputs is not None:
            self.asked = dict.fromkeys(map(edge_to, inputs))
            self.wanted = set(self.asked)
            for node in reversed(self.schedule):  # oldest first: inputs before their results
                if any(edge in self.wanted for edge in node.edges if edge is not None):
                    self.wanted.add(node)

    def steps(self) -> Iterator[Visit]:
        """Visit one node after the other, and yield after each."""
        arrived = self.arrived
        owned = self.owned
        wanted = self.wanted
        plain = not self.recorded  # gradients are arrays, and not tensors
        freeing = not self.keep
        for node in self.schedule:
            g = arrived.pop(node, None)
            if g is None:
                continue  # nothing arrived: a branch that no gradient takes
            extra = node.extra
            if extra is not None:
                g = self._through_hooks(extra, g)
            edges = node.edges
            if wanted is not None:
                if self.asked is not None and node in self.asked:
                    self.asked[node] = g
                # A tuple of a list, here and elsewhere: a generator takes longer.
                edges = tuple([edge if edge in wanted else None for edge in edges])
                if not any(edge is not None for edge in edges):
                    continue
            parts = node.vjp(g, edges)
            if extra is not None and extra.hooks_after:
                parts = call_hooks_after(extra.hooks_after, parts, g)
            for position, part in enumerate(parts):
                if part is None:
                    continue
                edge = edges[position]
                like = edge if isinstance(edge, Node) else edge._array
                if part.__class__ is SCALAR32:  # a 0-d result; asking it for its shape is slow
                    fits = like.dtype is FLOAT32 and like.shape == ()
                else:
                    fits = part.dtype is like.dtype and part.shape == like.shape
                if not fits:
                    parts[position] = part = conform(part, like.shape, like.dtype, node, position)
                if edge not in arrived:
                    arrived[edge] = part
                    if plain and like is not edge and part is not g and part.base is None:
                        owned.add(edge)  # a leaf's gradient, in an array fresh from its rule
                elif edge in owned:
                    arrived[edge] += part
                else:
                    arrived[edge] = arrived[edge] + part
                    if plain:
                        owned.add(edge)
            yield node, g, edges, parts
            if freeing and node.saved and node.kind.frees:
                node.saved = None

    def _through_hooks(self, extra: Extra, g: Any) -> Any:
        if extra.hooks:
            g = call_hooks(extra.hooks, g)
        tensor = None if extra.retained is None else extra.retained()
        if tensor is not None:
            self.retained.append((tensor, g))
        return g

    @np.errstate(all="ignore")  # infinities and NaN are results, not warnings
    def run(self, look: Callable[[Visit], None] | None = None) -> None:
        """Take all steps, showing each to ``look``, and let leaf hooks see the sums."""
        before = mode.recording, mode.raw
        mode.recording = recorded(self.recorded)
        mode.raw = not self.recorded
        try:
            if look is None:
                exhaust(self.steps())
            else:
                for visit in self.steps():
                    look(visit)
            for leaf, g in self.arrived.items():
                if leaf._rare is not None and leaf._rare.hooks and not lost_gradient(leaf):
                    self.arrived[leaf] = call_hooks(leaf._rare.hooks, g)
                    self.owned.discard(leaf)  # the hook may have kept what it saw
        finally:
            mode.recording, mode.raw = before
        if self.asked is not None:
            self.asked.update((leaf, g) for leaf, g in self.arrived.items() if leaf in self.asked)

    def landings(self) -> Iterator[tuple[TensorBase, Any]]:
        """Each tensor that is to get a ``.grad``, with its gradient as an array of its own."""
        for leaf, g in self.arrived.items():
            if self.asked is None or leaf in self.asked:
                free = leaf in self.owned and g.flags.c_contiguous
                yield leaf, (g if free else own(g))
        yield from self.retained_landings()

    def retained_landings(self) -> Iterator[tuple[TensorBase, Any]]:
        """The same for results that retain their gradient."""
        for tensor, g in self.retained:
            yield tensor, own(g)


def own(g: Any) -> Any:
    """A gradient that shares no memory with anything else."""
    return g.clone() if isinstance(g, Results.cls) else g.copy()
