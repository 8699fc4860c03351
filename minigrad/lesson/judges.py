"""Exercises with several right answers: judges for ``Exercise(judge=…)``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any

from ..engine.node import TensorBase, edge_to, reachable

EITHER_WAY = ("add", "mul", "maximum", "minimum")  # operations whose operands may change places


def in_order(needs: Mapping[Any, Collection[Any]]) -> Callable[[Any], str]:
    """A judge of orders: each line of ``needs`` once, after all the lines that it needs.

    So any topological order is right.

    >>> needs = {"e": [], "d": ["e"], "c": ["e"], "b": ["c", "d"]}
    >>> judge = in_order(needs)
    >>> judge(["e", "c", "d", "b"]), judge(["e", "d", "c", "b"])
    ('', '')
    >>> judge(["e", "c", "b", "d"])
    'b comes before d, which it needs.'
    """

    lines = list(needs)

    def judge(attempt: Any) -> str:
        if not isinstance(attempt, (list, tuple)):
            return "a list of lines is wanted, in the order in which they run."
        for line in (*attempt, *needs):
            if line not in lines or line not in attempt:
                return f"{line} is {'missing' if line in lines else 'none of the lines'}."
        for place, line in enumerate(attempt):
            if line in attempt[:place]:
                return f"{line} comes twice."
            for needed in needs[line]:
                if needed not in attempt[:place]:
                    return f"{line} comes before {needed}, which it needs."
        return ""

    return judge


def same_graph(wanted: Any) -> Callable[[Any], str]:
    """A judge of expressions: is the graph behind a tensor the same as that behind ``wanted``?

    The same operations, connected in the same way. Values and names do not matter, nor the order
    of a sum's or a product's operands.

    >>> import minigrad as torch
    >>> a, b = (torch.tensor(v, requires_grad=True) for v in (2.0, 6.0))
    >>> judge = torch.lesson.same_graph((a + b) * (b + 1))
    >>> judge((1 + b) * (b + a))
    ''
    >>> judge((a + b) * (a * 1))
    'yours has 1 add, 2 mul; the picture has 2 add, 1 mul.'
    >>> judge((a + b) * (a + b))
    'the operations are the same, but they are connected differently.'
    """
    drawn = fingerprint(wanted)

    def judge(attempt: Any) -> str:
        if not isinstance(attempt, TensorBase):
            return f"a tensor is wanted, with a history; this is a {type(attempt).__name__}."
        if fingerprint(attempt) == drawn:
            return ""
        theirs = operations(attempt)
        ours = operations(wanted)
        if theirs != ours:
            return f"yours has {theirs}; the picture has {ours}."
        return "the operations are the same, but they are connected differently."

    return judge


def operations(tensor: Any) -> str:
    """How many operations of which kind are behind a tensor: "2 add, 1 mul"."""
    found = Counter(node.kind.op for node in reachable([edge_to(tensor)]))
    return ", ".join(f"{found[op]} {op}" for op in sorted(found)) or "no operations"


def fingerprint(tensor: Any) -> Counter[int]:
    """The colours of a graph's nodes and leaves, which tell its shape.

    A node's colour is its operation. In each round it takes a new one from those of the nodes
    that it uses and that use it, until the news has come all the way.
    """
    nodes = reachable([edge_to(tensor)])
    edges = [
        (node, 0 if node.kind.op in EITHER_WAY else place, edge)
        for node in nodes
        for place, edge in enumerate(node.edges)
        if edge is not None
    ]
    colour = {edge: hash("leaf") for _, _, edge in edges}
    colour.update((node, hash(node.kind.op)) for node in nodes)
    for _ in nodes:
        heard: dict[Any, list[Any]] = {target: [] for target in colour}
        for node, place, edge in edges:
            heard[node].append((0, place, colour[edge]))
            heard[edge].append((1, place, colour[node]))
        colour = {t: hash((old, tuple(sorted(heard[t])))) for t, old in colour.items()}
    return Counter(colour.values())
