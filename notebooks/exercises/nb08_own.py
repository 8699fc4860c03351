"""The exercise of notebook 08 that measures a program of the reader's, with its judge."""

from __future__ import annotations

from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .graphs import nodes
from .nb08_judges import first_wrong, forget_slip, slip
from .nb08_runs import (
    a_type,
    kept_in_turn,
    node_count,
    saved,
)

TABLE = 100 * 100 * 4


def judge_own(function: Any) -> str | None:
    """Runs it on a table that wants a gradient: five nodes or more, and three arrays saved."""
    forget_slip(own)
    if not callable(function):
        return slip(own, "a function is wanted.")
    torch.manual_seed(0)
    x = torch.rand(100, 100, requires_grad=True)
    found: list[Any] = []
    _, kept = saved(lambda: found.append(function(x)))
    result = found[0]
    if is_open(result) or is_stub(function, result):
        return None
    looks = (
        lambda: no_result(result) or away_from(x, result),
        lambda: too_few_nodes(result),
        lambda: not_three_arrays(result, kept),
    )
    return first_wrong(own, looks)


def no_result(result: Any) -> str:
    if result is None:
        return "it returns nothing. One tensor is wanted."
    if not isinstance(result, torch.Tensor):
        return f"it returns {a_type(result)}. One tensor is wanted."
    if result.grad_fn is None:
        return broke("record", "its result has no history: nothing leads back to x.")
    return ""


def away_from(x: Any, result: Any) -> str:
    """Whether a graph leads somewhere else than to x."""
    earlier = [edge for node in nodes(result) for edge, _ in node.next_functions]
    if any(getattr(edge, "variable", None) is x for edge in earlier):
        return ""
    return broke("record", "it has a graph, but that ends at another leaf, and not at x.")


def too_few_nodes(result: Any) -> str:
    count = node_count(result)
    nodes = "1 node" if count == 1 else f"{count} nodes"
    return "" if count >= 5 else f"its graph has {nodes}, and at least five are wanted."


def not_three_arrays(result: Any, kept: int) -> str:
    if kept % TABLE:
        return f"it saves {kept:,} bytes, and one array of x's size has {TABLE:,}: some is smaller."
    if kept != 3 * TABLE:
        arrays = "1 array" if kept == TABLE else f"{kept // TABLE} arrays"
        return (
            f"its graph of {node_count(result)} nodes saves {arrays}, and three are wanted. New "
            f"arrays of each node, from the first on: {kept_in_turn(result)}."
        )
    return ""


own = lesson.Exercise(
    "own program",
    judge=judge_own,
    hint="x itself is a leaf and does not count. Take operations that save their results, one "
    "after another, and fill up with some that save nothing.",
    because="For example (torch.tanh(torch.exp(torch.sigmoid(x))) + 1).mean().",
)
