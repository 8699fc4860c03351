"""Slices: matrices out of a value of any rank, of bounded size, as the page gets them.

A slice is what the last two dimensions hold at one place of the others. Of one that is large,
each second, third, ... row and column is taken, so that all of it is covered and every number is
a true one. A vector is a matrix of one row.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

MOST = 128  # rows and columns of a slice
STORED = 32  # the same of a slice that is stored with the view
LONG = 4  # times as long as wide: no image any more
FEW = 4096  # numbers of one value that are stored


def slice_of(
    array: Any,
    at: Sequence[int] = (),
    start: Sequence[int] = (0, 0),
    step: Sequence[int] | None = None,
    most: int = MOST,
) -> dict[str, Any]:
    """One slice (``Slice`` in ``slices.ts``). ``at``: the place in all dimensions but the last two.

    Raises IndexError for a place that there is not.
    """
    matrix = matrix_at(array, at)
    if step is None:
        step = steps_over(matrix.shape, most)
    rows, columns = (slice(begin, None, by) for begin, by in zip(start, step))
    part = matrix[rows, columns][:most, :most]
    narrow = part.dtype.kind == "b" or part.dtype.char in "efbBhH"  # no digit is lost
    numbers = np.ascontiguousarray(part, dtype="<f4" if narrow else "<f8")
    return {
        "at": list(at),
        "start": list(start),
        "step": list(step),
        "shown": list(part.shape),
        "narrow": narrow,
        "numbers": base64.b64encode(numbers.tobytes()).decode(),
    }


def steps_over(shape: tuple[int, ...], most: int) -> list[int]:
    """The steps that cover a matrix: the same for rows and columns, lest an image is distorted."""
    step = [max(1, math.ceil(size / most)) for size in shape]
    if max(shape) <= LONG * min(shape):
        return [max(step)] * 2
    return step


def matrix_at(array: Any, at: Sequence[int]) -> Any:
    """The matrix at this place. Raises IndexError."""
    leading = array.shape[:-2]
    if len(at) != len(leading) or not all(0 <= i < n for i, n in zip(at, leading)):
        raise IndexError(f"no matrix at {tuple(at)} of {array.shape}")
    matrix = array[tuple(at)]
    return matrix if matrix.ndim == 2 else matrix.reshape(1, -1)


def first_slices(array: Any, room: int = FEW) -> list[dict[str, Any]]:
    """The first slices, as many as are stored with a view; at least one."""
    return list(within(array, room)) if array.size else []


def within(array: Any, room: int) -> Iterator[dict[str, Any]]:
    for at in np.ndindex(array.shape[:-2]):
        made = slice_of(array, at, most=STORED)
        room -= math.prod(made["shown"])
        if room < 0 and any(at):
            return
        yield made
