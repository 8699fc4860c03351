"""Which mistake with the paths of a graph makes a wrong gradient: for notebook 02's exercises."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import minigrad as torch
from minigrad import lesson

from .graphs import nodes

MOST = 10  # paths: their parts are 1,022 sums


def products(node: Any, leaf: Any, g: Any, swapped: bool = False) -> Iterator[float]:
    """The product of the local slopes along each path from ``node`` back to ``leaf``.

    ``swapped``: as if each factor of a product got its own value, and not the other one's.
    """
    parts = node(g)
    parts = parts if isinstance(parts, tuple) else (parts,)
    if swapped and node.name().startswith("Mul") and None not in parts:
        parts = parts[::-1]
    for part, (after, _) in zip(parts, node.next_functions):
        if getattr(after, "variable", None) is leaf:
            yield part.item()
        elif part is not None and not hasattr(after, "variable"):
            yield from products(after, leaf, part, swapped)


def on_the_way(loss: Any) -> list[float]:
    """What has arrived at each node between the loss and the leaves."""
    arrived = {loss.grad_fn: torch.ones_like(loss)}
    for node in sorted(nodes(loss), key=lambda node: node.seq, reverse=True):
        parts = node(arrived[node])
        parts = parts if isinstance(parts, tuple) else (parts,)
        for part, (after, _) in zip(parts, node.next_functions):
            if after is not None and not hasattr(after, "variable"):
                arrived[after] = arrived.get(after, 0) + part
    return [g.item() for g in arrived.values()]


def named(mine: float, loss: Any, leaf: Any) -> str:
    """What is said of a gradient that no wrong engine computes."""

    def is_it(other: float) -> bool:
        return math.isclose(mine, other, rel_tol=1e-3, abs_tol=1e-6)

    one = torch.ones_like(loss)
    paths = list(islice(products(loss.grad_fn, leaf, one), MOST + 1))
    if len(paths) <= MOST:
        some = (part for count in range(1, len(paths)) for part in combinations(paths, count))
        if any(is_it(sum(part)) for part in some):
            return lesson.broke("add", LEFT_OUT)
        if is_it(math.prod(paths)):
            return lesson.broke("add", MULTIPLIED)
        if is_it(sum(products(loss.grad_fn, leaf, one, swapped=True))):
            return lesson.broke("local", SWAPPED)
    if any(map(is_it, on_the_way(loss))):
        return lesson.broke("multiply", STOPPED)
    return f"{mine:g} comes from no usual mistake with the paths. {SLOPES}"


LEFT_OUT = (
    "That is what some of the paths make, but not all. Draw each way from x to the loss, and count."
)
MULTIPLIED = "You multiplied what arrives along different paths."
SWAPPED = "In a product, each factor gets the value of the other one. Some of yours got their own."
STOPPED = "That stands at a value on the way. Go on to x: a local slope is still to come."
SLOPES = (
    "So a local slope is off, or a sum was miscounted. For each line, nudge one input by 0.01: "
    "how far does its result move?"
)
