"""What decides which program a call is for: the arguments, and the tensors from outside."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..engine.modes import mode
from ..engine.node import LEAF, Node, TensorBase

PLAIN = (bool, int, float, str, bytes, type(None), complex)
"""Values that are the same if they are equal; others, if they are the same object."""


class Otherwise(Exception):
    """A value was not what the program is for. Its argument is the number of the guard."""


def taken_apart(thing: Any, leaves: list[Any]) -> Any:
    """The structure of nested lists, tuples and dictionaries, whose leaves are collected."""
    if type(thing) is dict:
        return dict, tuple([(key, taken_apart(part, leaves)) for key, part in thing.items()])
    if type(thing) in (list, tuple) or (isinstance(thing, tuple) and hasattr(thing, "_fields")):
        return type(thing), tuple([taken_apart(part, leaves) for part in thing])
    leaves.append(thing)
    return None


def put_together(structure: Any, leaves: Any) -> Any:
    """The other way; ``leaves`` is an iterator."""
    if structure is None:
        return next(leaves)
    kind, parts = structure
    if kind is dict:
        return {key: put_together(part, leaves) for key, part in parts}
    found = [put_together(part, leaves) for part in parts]
    return kind(*found) if hasattr(kind, "_fields") else kind(found)


def facts_of(tensor: Any, array: Any) -> tuple[Any, ...]:
    """What of a tensor, whose value this is, decides which program it is for. Not its numbers."""
    node = tensor._node
    meta = tensor._meta
    hooks: Any = None
    if meta is not None and (meta.hooks or meta.accumulate_hooks):
        hooks = tuple((meta.hooks or {}).values()), tuple((meta.accumulate_hooks or {}).values())
    root = None if meta is None else meta.root
    kind = array.__class__
    return (
        array.shape,
        array.dtype,
        kind is np.ndarray and (array.strides, array.flags.writeable),
        kind,
        tensor.__class__,
        node if node is None or node is LEAF else Node,
        hooks,
        root is not None and root._node is not None,
    )


def key_of(structure: Any, leaves: list[Any]) -> tuple[Any, ...]:
    """What of the arguments, and of the settings in force, decides which program they are for."""
    found: list[Any] = [structure, bool(mode.recording), mode.inference, dtypes.get_default_dtype()]
    first: dict[int, int] = {}
    for position, leaf in enumerate(leaves):
        if isinstance(leaf, TensorBase):
            found.append((facts_of(leaf, leaf._array), first.setdefault(id(leaf), position)))
        elif isinstance(leaf, PLAIN):
            found.append((type(leaf), repr(leaf)))  # -0.0 is not 0.0, and NaN is NaN
        else:
            found.append((object, id(leaf)))
    return tuple(found)


def sharing(arrays: list[Any]) -> list[int | None]:
    """For each pair of arrays: how far apart they begin, if they may share memory."""
    pairs = [(a, b) for position, a in enumerate(arrays) for b in arrays[:position]]
    return [address(a) - address(b) if np.may_share_memory(a, b) else None for a, b in pairs]


def address(array: Any) -> int:
    """Where in memory an array begins."""
    return int(np.asarray(array).ctypes.data)
