"""A backward pass through PyTorch's graph: rehearsed by autograd itself, and noted by hooks.

``torch.autograd.grad`` goes the way of ``loss.backward()``, and fills no ``.grad``. A hook on each
node notes what arrives and what is sent on. Minigrad's rule of an operation is shown where it
makes the same numbers of what arrived as PyTorch did.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from minigrad.engine.modes import mode
from minigrad.engine.node import Kind
from minigrad.tape import formulas
from minigrad.tape.names import names_in
from minigrad.tape.passes import Landed, PassRecord, Sent, Visited
from minigrad.tape.values import Captured, summary

from .arrays import array_of, captured, is_tensor, torch_if_there
from .graph import Graph, result_of
from .kinds import argument_of, named_as_in, signed
from .notes import TorchTape

FREED = (
    "backward() has already used this graph and freed what it saved. To step through it, run the "
    "forward pass again and open the stepper before backward(), or call "
    "backward(retain_graph=True)."
)

OWN_RULE = "by PyTorch's own rule: {name}"


class TorchPass(PassRecord):
    """What one backward pass of PyTorch's did."""

    tape: TorchTape

    def __init__(self, graph: Graph, tape: TorchTape) -> None:
        self.join = operator.add
        self.shared = self.tape = tape
        self.graph = graph
        self.root = tape.root
        self.visits = []
        self.landings = []
        self.rules = {}
        self._unsettled = []
        self._agree: set[tuple[str, int]] = set()  # rules of minigrad's that make the same numbers

    def hook(self, node: Any) -> Callable[[Any, Any], None]:
        """What notes a visit of this node; it changes no gradient."""

        def note(sent: tuple[Any, ...], arrived: tuple[Any, ...]) -> None:
            self.note(node, sent, arrived)

        return note

    def note(self, node: Any, parts: tuple[Any, ...], arrived: tuple[Any, ...]) -> None:
        """Take down one visit."""
        key = self.graph.keys[node]
        kind = self.graph.kinds[node]
        edges = node.next_functions
        sent = []
        for index, (edge, part) in enumerate(zip(edges, parts)):
            target = self.graph.target(edge)
            if target is not None and part is not None:
                argument, _ = argument_of(kind, index, len(edges))
                sent.append(Sent(target, argument, index, captured(part), target.number))
        grads = [g for g in arrived if g is not None]
        g = captured(grads[0]) if grads else result_of(node, 0)
        if self.tape.is_one_of_several(key):  # no one of them is what arrived
            g = Captured(None, g.shape, g.dtype)
        self.visits.append(Visited(key, kind, g, sent, self.options(node)))
        if len(grads) == 1:
            self.compare(node, grads[0], {one.index: parts[one.index] for one in sent})

    def options(self, node: Any) -> dict[str, Any]:
        """What minigrad's rules name besides tensors."""
        named = named_as_in(self.graph.kinds[node], self.graph.saved[node])
        options = {
            name: signed(value.item() if is_tensor(value) else value)
            for name, value in named.items()
            if is_option(value)
        }
        for index, edge in enumerate(node.next_functions):
            argument, _ = argument_of(self.graph.kinds[node], index, len(node.next_functions))
            if edge[0] is not None:
                options[f"{argument}_shape"] = shape_of(edge)
        for name in ("dim", "dims"):
            if name in options and "input_shape" in options:
                options[name] = dimensions(options[name], len(options["input_shape"]))
        return options

    def compare(self, node: Any, g: Any, parts: Mapping[int, Any]) -> None:
        """Find out which of minigrad's rules make of g what PyTorch has made of it."""
        kind = self.graph.kinds[node]
        known = {**self.values(node), **self.options(node)}
        names = list(kind.needs)
        for index, part in parts.items():
            argument, _ = argument_of(kind, index, len(node.next_functions))
            if argument not in names:
                continue
            rule, slots = kind.rules[names.index(argument)]
            made = applied(rule, array_of(g), [known.get(kind.slots[slot]) for slot in slots])
            if made is not None and agree(made, array_of(part)):
                self._agree.add((self.graph.keys[node], index))

    def values(self, node: Any) -> dict[str, Any]:
        """The arrays that rules may name: what was saved, leaves, and results that others saved."""
        kind = self.graph.kinds[node]
        named = named_as_in(kind, self.graph.saved[node])
        values = {name: array_of(value) for name, value in named.items() if is_tensor(value)}
        for index, (below, _) in enumerate(node.next_functions):
            argument, _ = argument_of(kind, index, len(node.next_functions))
            if argument not in values and hasattr(below, "variable"):
                values[argument] = array_of(below.variable)
        if "out" not in values and node is self.graph.tensor.grad_fn:
            values["out"] = array_of(self.graph.tensor)
        return values

    def landed(self, tensor: Any, g: Any) -> None:
        """Take down a gradient that would land in a ``.grad``."""
        before = tensor.grad
        after = g if before is None else before.detach() + g
        old = None if before is None else captured(before)
        key = self.graph.known_leaf(tensor)
        self.landings.append(Landed(key, captured(g), old, captured(after)))

    # ------------------------------------------------------------------ as the page gets it

    def arrived(self, visit: Visited, most: int) -> dict[str, Any]:
        """What arrived at a node; at several results, how much that is."""
        if self.tape.is_one_of_several(visit.node):
            return self.tape.several(visit.node, "gradients")
        return summary(visit.grad, most)

    def rule(self, visit: Visited, sent: Sent) -> tuple[str, str | None, Captured | None]:
        """Minigrad's rule, if it is PyTorch's too; else what is known of that."""
        own = OWN_RULE.format(name=visit.kind.name)
        if (visit.node, sent.index) in self._agree:
            return super().rule(visit, sent)
        if not visit.kind.needs:
            return visit.kind.rule_text, None, None
        if self.tape.is_one_of_several(visit.node):  # in minigrad, each result has its own node
            return own, None, None
        if is_formula(visit.kind, sent.argument):
            return own, None, None
        text, _, _ = super().rule(visit, sent)
        return text, None, None


def rehearse(
    graph: Graph, tape: TorchTape, gradient: Any, namespace: Mapping[str, Any]
) -> dict[str, Any]:
    """The schedule of ``loss.backward(gradient)``, without doing it.

    On a graph that was freed, a schedule without steps. Raises what ``backward`` raises.
    """
    record = TorchPass(graph, tape)
    if graph.freed:
        return record.schedule("unavailable", FREED)
    leaves = [one for one in graph.variables if one.requires_grad]
    with noted(record), kept_gradients(graph, namespace):
        grads = torch_if_there().autograd.grad(
            graph.tensor, leaves, gradient, retain_graph=True, allow_unused=True
        )
    for leaf, g in zip(leaves, grads):
        if g is not None:
            record.landed(leaf, g)
    return record.schedule("rehearsed")


@contextmanager
def noted(record: TorchPass) -> Iterator[None]:
    """While this runs, a record is told of each visit."""
    handles = [node.register_hook(record.hook(node)) for node in record.graph.nodes]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


@contextmanager
def kept_gradients(graph: Graph, namespace: Mapping[str, Any]) -> Iterator[None]:
    """Tensors with ``retain_grad()`` keep the ``.grad`` that they have."""
    tensors = [graph.tensor, *(one for _, one in names_in(namespace, torch_if_there().Tensor))]
    kept = [(one, one.grad) for one in tensors if one.retains_grad]
    try:
        yield
    finally:
        for tensor, grad in kept:
            tensor.grad = grad


def shape_of(edge: tuple[Any, int]) -> tuple[int, ...]:
    """The shape of the value at the end of an edge."""
    node, number = edge
    if hasattr(node, "variable"):
        return tuple(node.variable.shape)
    return result_of(node, number).shape


def dimensions(given: Any, count: int) -> tuple[int, ...]:
    """Dimensions as minigrad's rules want them: a tuple, and counted from the front."""
    each = given if isinstance(given, tuple) else (given,)
    return tuple(one % count for one in each) if count else each


def is_option(value: Any) -> bool:
    """Is it a number, a shape or a dimension, rather than a tensor that counts?"""
    if is_tensor(value):
        return value.dim() == 0 and value.grad_fn is None and not value.requires_grad
    tensors = isinstance(value, tuple | list) and any(map(is_tensor, value))
    return value is not None and not tensors


def applied(rule: Any, g: Any, values: list[Any]) -> Any:
    """What a rule makes of arrays; None if it cannot."""
    if g is None or any(value is None for value in values):
        return None
    before = mode.raw
    mode.raw = True
    try:
        with np.errstate(all="ignore"), suppress(Exception):
            return np.asarray(rule(g, *values))
    finally:
        mode.raw = before
    return None


def agree(made: Any, part: Any) -> bool:
    """Are these the same numbers, but for rounding, once broadcast entries are summed?"""
    if part is None:
        return False
    lead = made.ndim - part.ndim
    if lead < 0:
        return False
    made = made.sum(axis=tuple(range(lead)))
    wide = tuple(d for d, size in enumerate(part.shape) if made.shape[d] != size)
    if any(part.shape[d] != 1 for d in wide):
        return False
    made = made.sum(axis=wide, keepdims=True)
    scale = float(np.max(np.abs(part), initial=0.0, where=np.isfinite(part)))
    return bool(np.allclose(made, part, rtol=1e-3, atol=1e-5 * scale, equal_nan=True))


def is_formula(kind: Kind, argument: str) -> bool:
    """Is the rule for this argument to be computed with, rather than a sentence?"""
    names = {name: name for name in (*kind.arguments, *kind.slots, "g", "out")}
    try:
        ast.parse(formulas.rule_text(kind, argument, names), mode="eval")
    except SyntaxError:
        return False
    return True
