"""Classic mistakes in a backward pass of one's own, each made on purpose.

``engines`` has passes that are wrong in one thing and run on anything. Here are those, too, that
only happen to somebody who writes the loop: an input that is forgotten, a wrong seed, a recursion
that passes on what it was called with. They run on single numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..engine.modes import mode
from ..engine.node import Node, TensorBase, edge_to, reachable

Gradients = dict[TensorBase, float]
Join = Callable[[float, float], float]

MOST_VISITS = 1000


class TooLong(Exception):
    """This mistake does not end in reasonable time."""


def add(before: float, part: float) -> float:
    return before + part


def last(before: float, part: float) -> float:
    return part


def first(before: float, part: float) -> float:
    return before


def parts_of(node: Node, g: float) -> list[tuple[Any, float]]:
    """What a visit sends: where to, and how much."""
    before = mode.raw
    mode.raw = True
    try:
        with np.errstate(all="ignore"):
            parts = node.vjp(np.float64(g), node.edges)
    finally:
        mode.raw = before
    return [(edge, float(part)) for edge, part in zip(node.edges, parts) if part is not None]


def all_of(parts: list[tuple[Any, float]]) -> list[tuple[Any, float]]:
    return parts


def swapped(parts: list[tuple[Any, float]]) -> list[tuple[Any, float]]:
    targets = [target for target, _ in parts]
    return list(zip(targets, [part for _, part in reversed(parts)]))


def only_first(parts: list[tuple[Any, float]]) -> list[tuple[Any, float]]:
    return parts[:1]


def only_last(parts: list[tuple[Any, float]]) -> list[tuple[Any, float]]:
    return parts[-1:]


def along(
    order: Sequence[Node],
    root: Node,
    *,
    seed: float = 1.0,
    at_nodes: Join = add,
    at_leaves: Join = add,
    upstream: Callable[[float], float] = lambda g: g,
    sent: Callable[[list[tuple[Any, float]]], list[tuple[Any, float]]] = all_of,
) -> Gradients:
    """Visit each node of ``order`` once, with what has arrived there by then."""
    arrived: dict[Any, float] = {root: seed}
    for node in order:
        if node not in arrived:
            continue
        for target, part in sent(parts_of(node, upstream(arrived[node]))):
            join = at_nodes if isinstance(target, Node) else at_leaves
            arrived[target] = join(arrived[target], part) if target in arrived else part
    return {at: g for at, g in arrived.items() if isinstance(at, TensorBase)}


def newest_first(root: Node) -> list[Node]:
    return reachable([root])


def as_met(root: Node, take: int) -> list[Node]:
    """The order of a queue (``take`` is 0) or a stack (-1) that takes each node once."""
    waiting = [root]
    met = [root]
    order = []
    while waiting:
        node = waiting.pop(take)
        order.append(node)
        for target in node.edges:
            if isinstance(target, Node) and target not in met:
                met.append(target)
                waiting.append(target)
    return order


def as_taken(root: Node, take: int) -> list[Node]:
    """The same, where a node is crossed off when it is taken, and not when it is met."""
    waiting = [root]
    order: list[Node] = []
    while waiting:
        node = waiting.pop(take)
        if node in order:
            continue
        order.append(node)
        waiting += [target for target in node.edges if isinstance(target, Node)]
    return order


def again_and_again(root: Node, take: int) -> Gradients:
    """At each arrival, all that is there is passed on."""
    arrived: dict[Any, float] = {root: 1.0}
    waiting = [root]
    for _ in range(MOST_VISITS):
        if not waiting:
            return {at: g for at, g in arrived.items() if isinstance(at, TensorBase)}
        node = waiting.pop(take)
        for target, part in parts_of(node, arrived[node]):
            arrived[target] = arrived.get(target, 0.0) + part
            if isinstance(target, Node):
                waiting.append(target)
    raise TooLong


def by_paths(root: Node, take: int, at_leaves: Join, turned: bool = False) -> Gradients:
    """Each path on its own; at a leaf, the paths are joined. A recursion is ``turned``."""
    found: Gradients = {}
    waiting: list[tuple[Any, float]] = [(root, 1.0)]
    for _ in range(MOST_VISITS):
        if not waiting:
            return found
        at, g = waiting.pop(take)
        if isinstance(at, Node):
            parts = parts_of(at, g)
            waiting += parts[::-1] if turned else parts
        else:
            found[at] = at_leaves(found[at], g) if at in found else g
    raise TooLong


def recursion_once(root: Node) -> Gradients:
    """A recursion that returns where it has been before: only the first arrival is passed on."""
    found: Gradients = {}
    been: list[Node] = []
    waiting: list[tuple[Any, float]] = [(root, 1.0)]
    while waiting:
        at, g = waiting.pop()
        if isinstance(at, TensorBase):
            found[at] = found.get(at, 0.0) + g
        elif at not in been:
            been.append(at)
            waiting += reversed(parts_of(at, g))
    return found


def without_last_slope(root: Node) -> Gradients:
    """A leaf gets what arrived at the node that uses it."""
    arrived: dict[Any, float] = {root: 1.0}
    found: Gradients = {}
    for node in newest_first(root):
        for target, part in parts_of(node, arrived[node]):
            if isinstance(target, TensorBase):
                found[target] = found.get(target, 0.0) + arrived[node]
            else:
                arrived[target] = arrived.get(target, 0.0) + part
    return found


class Slip(NamedTuple):
    """A mistake: the rule of the course that it breaks ("" for none), and what to say of it."""

    rule: str
    text: str
    makes: Callable[[Node, float], Gradients]  # of the root, and the value of the loss


def right(root: Node, value: float, **wrong: Any) -> Gradients:
    return along(newest_first(root), root, **wrong)


LAST = "what arrives later overwrites what is there. Where paths meet, what arrives is added."
FIRST = "only what arrives first counts. Where paths meet, what arrives is added."
TWICE = (
    "a node is visited at each arrival, and each time it passes on all that is there: a part of "
    "it is sent twice. Visit a node once, after all of its gradient has arrived."
)
EARLY = (
    "a node is visited before all of its gradient has arrived, and the rest is lost. Visit it "
    "after all the nodes that use its result."
)

SLIPS: list[Slip] = [
    Slip("add", LAST, lambda root, _: right(root, _, at_nodes=last, at_leaves=last)),
    Slip("add", LAST, lambda root, _: right(root, _, at_leaves=last)),
    Slip("add", LAST, lambda root, _: right(root, _, at_nodes=last)),
    Slip("add", LAST, lambda root, _: by_paths(root, -1, last)),
    Slip("add", LAST, lambda root, _: by_paths(root, -1, last, turned=True)),
    Slip("add", LAST, lambda root, _: by_paths(root, 0, last)),
    Slip("add", FIRST, lambda root, _: right(root, _, at_nodes=first, at_leaves=first)),
    Slip("add", FIRST, lambda root, _: right(root, _, at_leaves=first)),
    Slip("add", FIRST, lambda root, _: right(root, _, at_nodes=first)),
    Slip("add", FIRST, lambda root, _: by_paths(root, -1, first)),
    Slip("add", FIRST, lambda root, _: by_paths(root, -1, first, turned=True)),
    Slip("wait", EARLY, lambda root, _: along(as_met(root, 0), root)),
    Slip("wait", EARLY, lambda root, _: along(as_met(root, -1), root)),
    Slip("wait", EARLY, lambda root, _: along(as_taken(root, 0), root)),
    Slip("wait", EARLY, lambda root, _: along(as_taken(root, -1), root)),
    Slip("wait", EARLY, lambda root, _: recursion_once(root)),
    Slip("wait", TWICE, lambda root, _: again_and_again(root, 0)),
    Slip("wait", TWICE, lambda root, _: again_and_again(root, -1)),
    Slip(
        "multiply",
        "each node is called with 1 instead of the gradient that arrived there, so local slopes "
        "are not multiplied along a path.",
        lambda root, _: right(root, _, upstream=lambda g: 1.0),
    ),
    Slip(
        "multiply",
        "a leaf gets what arrived at the node that uses it: the last local slope is missing. Call "
        "that node, too.",
        lambda root, _: without_last_slope(root),
    ),
    Slip(
        "",
        "it stops one node early: the node that was recorded first is not visited.",
        lambda root, _: along(newest_first(root)[:-1], root),
    ),
    Slip(
        "",
        "only the last operation is visited. Go on from there to the nodes in its next_functions.",
        lambda root, _: along([root], root),
    ),
    Slip(
        "local",
        "only the first input of each operation gets something. next_functions has an entry for "
        "each input, and node(g) a part for each.",
        lambda root, _: right(root, _, sent=only_first),
    ),
    Slip(
        "local",
        "only the last input of each operation gets something. next_functions has an entry for "
        "each input, and node(g) a part for each.",
        lambda root, _: right(root, _, sent=only_last),
    ),
    Slip(
        "local",
        "the inputs of an operation get each other's part. Part k of node(g) belongs to entry k of "
        "next_functions.",
        lambda root, _: right(root, _, sent=swapped),
    ),
    Slip(
        "",
        "every gradient is 0. Look at what the pass starts with: how much does the loss move when "
        "the loss moves?",
        lambda root, _: right(root, _, seed=0.0),
    ),
    Slip(
        "",
        "every gradient is twice too large. Look at what the pass starts with: how much does the "
        "loss move when the loss moves?",
        lambda root, _: right(root, _, seed=2.0),
    ),
    Slip(
        "",
        "the pass starts with the value of the loss. It starts with the gradient of the loss: how "
        "much does the loss move when the loss moves?",
        lambda root, value: right(root, value, seed=value),
    ),
    Slip(
        "",
        "every gradient has the wrong sign. Look at what the pass starts with.",
        lambda root, _: right(root, _, seed=-1.0),
    ),
]


def explained(loss: Any, slips: Iterable[Slip]) -> dict[int, Gradients]:
    """What each of these makes of a graph, by its place; without those that do not end."""
    found = {}
    for place, slip in enumerate(slips):
        try:
            found[place] = slip.makes(edge_to(loss), float(loss._array))
        except TooLong:
            continue
    return found
