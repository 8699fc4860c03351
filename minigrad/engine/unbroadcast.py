"""A gradient in the shape and dtype of the value that it belongs to: broadcasting, undone.

Where the forward pass repeated a value, each copy has an entry in the gradient: these are summed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from .node import Node, Results
from .operands import to_dtype


def unbroadcast(part: Any, shape: tuple[int, ...], dtype: Any, node: Node, position: int) -> Any:
    """A gradient in the shape and dtype of what it is the gradient of.

    Where the forward pass broadcast a value, several entries of the gradient belong to one
    entry of the value, and are summed. Raises RuntimeError if the shapes cannot belong
    together: then a derivative rule is wrong.
    """
    have = part.shape
    bare_array = not isinstance(part, Results.cls)
    if have[-1:] == shape != have and bare_array and part.size:  # of a bias, most often
        part = sum_of_rows(part if part.ndim == 2 else part.reshape(-1, *shape))
    elif have != shape:
        axes = broadcast_axes(have, shape)
        if axes is None:
            raise RuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {position} - got "
                f"{list(have)} but expected shape compatible with {list(shape)}"
            )
        part = np.add.reduce(part, axes) if bare_array else part.sum(axes)
        if part.shape != shape:
            part = part.reshape(shape)
    if not bare_array:
        return to_dtype(part, dtype)
    if part.dtype is dtype:
        return part
    return part.astype(dtype, copy=False)


def sum_of_rows(matrix: Any) -> Any:
    """As ``np.add.reduce(matrix, 0)``, in a third of the time unless it is very long."""
    if len(matrix) > 10_000:
        return np.add.reduce(matrix, 0)
    return np.dot(ones(len(matrix), matrix.dtype), matrix)


@lru_cache(maxsize=64)
def ones(count: int, dtype: Any) -> Any:
    """A vector of ones, kept for the next time: a product with it is a fast sum."""
    return np.ones(count, dtype)


def broadcast_axes(have: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The axes along which a value of this shape was repeated; None if it cannot have been."""
    lead = len(have) - len(shape)
    pairs = list(enumerate(zip(have[max(lead, 0) :], shape, strict=False), start=lead))
    if lead < 0 or any(got != want != 1 for _, (got, want) in pairs):
        return None
    return (*range(lead), *[axis for axis, (got, want) in pairs if got != want])
