"""Which memory a node has saved: the arrays that own it, each once.

Two nodes may have saved one array, and a view saves no memory of its own: it keeps alive what it
is a view of. So bytes are counted by the array that owns them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from ..engine.node import LEAF, Node, Packed, TensorBase

ndarray = np.ndarray

DEEP = 4  # tuples within tuples, of what a node has saved

RESULT, DATA, LEAVES = "result", "data", "leaf"
"""Whose memory it is: of an operation's result, of a tensor without history, of a leaf."""


def owner(array: Any) -> Any:
    """The array whose memory this one shows: itself, unless it is a view."""
    base = array.base
    while base is not None:
        if isinstance(base, ndarray):
            array = base
        base = getattr(base, "base", None)
    return array


def saved_arrays(saved: Any, deep: int = DEEP) -> Iterator[tuple[Any, str]]:
    """The arrays in what a node has saved, and whose they are. Single numbers are left out."""
    for one in saved:
        if one is None:
            continue
        if isinstance(one, TensorBase):
            array = one._array
            whose = DATA if one._node is None else LEAVES if one._node is LEAF else RESULT
        elif isinstance(one, ndarray):
            array, whose = one, RESULT
        else:
            if deep and isinstance(one, list | tuple):
                yield from saved_arrays(one, deep - 1)
            elif deep and isinstance(one, dict):
                yield from saved_arrays(one.values(), deep - 1)
            elif deep and isinstance(one, Packed):
                yield from saved_arrays(within(one), deep - 1)
            continue
        if isinstance(array, ndarray) and array.ndim:
            yield owner(array), whose


def within(packed: Packed) -> list[Any]:
    """What stands for a saved value: what a hook of ``saved_tensors_hooks`` has made of it.

    And what the other hook has at hand to bring it back: its list, or the attributes of its object,
    such as the arguments of a checkpointed function.
    """
    function: Any = packed.unpacked
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    parts = {name: cell.cell_contents for name, cell in cells.items()}
    thing = parts.get("thing")
    values = getattr(parts.get("unpack"), "__self__", None)
    if isinstance(values, list):
        if isinstance(thing, int) and thing < len(values):
            return [values[thing]]
        return [thing]
    return [thing, *getattr(values, "__dict__", {}).values()]


def reach(starts: Iterable[Node], seen: set[int], look: Callable[[Node], Any]) -> int:
    """Go to all nodes behind these that were not seen yet, and look at each; returns how many."""
    waiting = list(starts)
    count = 0
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        count += 1
        look(node)
        waiting += [edge for edge in node.edges if isinstance(edge, Node)]
    return count
