"""Reading entries by index. (Writing them is in ``inplace``.)

Integers, slices, ``...`` and ``None`` make a view; tensors or lists of indices look entries up,
which copies. An index with both makes the view first, and looks up in it. The derivative of
taking entries out is putting them back into zeros; entries taken several times get the sum.
The two are each other's rule, so any order of derivative follows.
"""

from __future__ import annotations

import warnings
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import longs
from ..compat.arguments import ALL, ensure, in_order
from ..engine.arrays import as_array, zeros
from ..engine.node import TensorBase
from ..engine.record import operation
from .annotations import Array, Index, Shape
from .shaping import _unsqueeze

if TYPE_CHECKING:
    pass

SEQUENCES = (list, tuple, slice, type(...), np.ndarray, TensorBase)
"""A list that has one of these in it counts as a tuple of indices, as in early NumPy."""


@operation(input=lambda g, index: g[index])
def _embed(input: Array, index: Index, shape: Shape) -> Array:
    """Zeros of this shape with ``input`` at ``index``."""
    out = zeros(shape, input)
    out[index] = input
    return out


@operation(name="index_put_impl", input=lambda g, indices: g[indices])
def _scatter(input: Array, indices: Index, shape: Shape) -> Array:
    """Zeros of this shape, with each entry of ``input`` added where its index says."""
    return added_at(zeros(shape, input), indices, input)


def added_at(out: Array, indices: Index, values: Any) -> Any:
    """The array, after ``values`` were added at these indices; several at one index all count."""
    if len(indices) != 1 or not isinstance(indices[0], np.ndarray):
        np.add.at(out, indices, values)
        return out
    rows = indices[0]
    width = prod(out.shape[1:])
    if rows.dtype.kind == "b":
        out[rows] += values  # a mask chooses no entry twice
    elif values.size < 200 or values.size != rows.size * width:
        np.add.at(out, indices, values)
    else:
        # Many rows, as of an embedding: NumPy adds three times faster in flat memory.
        positions = rows.reshape((-1, 1)) % len(out) * width + longs.arange(width)
        np.add.at(out.reshape(-1), positions.reshape(-1), values.reshape(-1))
    return out


@operation(
    name="index_put",
    input=lambda g, indices: _index_put(g, 0, indices),
    value=lambda g, indices: g[indices],
)
def _index_put(input: Array, value: Array, indices: Index) -> Array:
    out = np.copy(input)
    try:
        out[indices] = value
    except (ValueError, TypeError):  # what NumPy raises for indices, and for a mask
        text = f"value tensor of shape {list(value.shape)} cannot be broadcast to indexing result"
        text = f"shape mismatch: {text} of shape {list(out[indices].shape)}"
        raise RuntimeError(text) from None
    return out


@operation(view=True, input=lambda g: g)
def _alias(input: Array) -> Array:
    return input[...]


@operation(
    view=True,
    input=lambda g, index, input_shape: _embed(g, index, input_shape),
)
def _select(input: Array, index: Index) -> Array:
    return input[index]


@operation(
    view=True,
    input=lambda g, index, input_shape: _embed(g, index, input_shape),
)
def _slice(input: Array, index: Index) -> Array:
    return input[index]


@operation(
    input=lambda g, indices, input_shape: _scatter(g, indices, input_shape),
)
def _index(input: Array, indices: Index) -> Array:
    return in_order(as_array(input)[indices])


def index_along(indices: Any, dim: int, keepdim: bool = True) -> tuple[Any, ...]:
    """The NumPy index of the entries with these indices along ``dim``, as in ``take_along_axis``.

    Without ``keepdim``, that dimension (of size 1) is left out of the result.
    """
    grid = []
    for d, size in enumerate(indices.shape):
        after = indices.ndim - 1 - d - (d < dim and not keepdim)
        grid.append(longs.arange(size).reshape((-1,) + (1,) * after))
    grid[dim : dim + 1] = [indices if keepdim else indices.squeeze(dim)] if grid else []
    return tuple(grid)


# -------------------------------------------------------------------------- what an index says


def index_part(part: Any) -> Any:
    """One part of an index: an int, a slice, None, ``...``, or an array to look up by.

    Arrays are copied, so that a later write to an index tensor cannot change what the derivative
    does. Raises IndexError for what is no index.
    """
    if isinstance(part, TensorBase):
        part = part._array
    if isinstance(part, (np.ndarray, np.integer)) and part.ndim == 0 and part.dtype.kind in "iu":
        return int(part)
    if part is None or part is ... or (isinstance(part, int) and not isinstance(part, bool)):
        return part
    if isinstance(part, slice):
        bounds = (part.start, part.stop, part.step)
        part = slice(*(int(p._array) if isinstance(p, TensorBase) else p for p in bounds))
        forwards = part.step is None or part.step > 0
        ensure(forwards, "step must be greater than zero", error=ValueError)
        return part
    if not isinstance(part, (list, range, np.ndarray, np.generic, bool)):
        text = "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are"
        raise IndexError(f"{text} valid indices (got {type(part).__name__})")
    array = np.copy(part)
    if isinstance(part, list) and array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iub":
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    if array.dtype == np.uint8:
        text = "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool"
        warnings.warn(text, UserWarning, stacklevel=4)
        return array.astype(bool)
    return array


def dims_taken(part: Any) -> int:
    """How many dimensions of the tensor a part of an index takes: a mask as many as it has."""
    if isinstance(part, np.ndarray) and part.dtype.kind == "b":
        return part.ndim
    if part is None or part is ...:
        return 0
    return 1


def view_and_lookup(input: Any, index: Any) -> tuple[Any, tuple[Any, ...] | None]:
    """The view that an index makes of a tensor, and where to look up entries in that view.

    Raises IndexError for an index out of range, or too many of them.
    """
    shape = input._array.shape
    if isinstance(index, list) and any(
        isinstance(part, SEQUENCES) or part is None for part in index
    ):
        text = "Using a non-tuple sequence for multidimensional indexing is deprecated: use "
        warnings.warn(text + "x[tuple(seq)] instead of x[seq]", UserWarning, stacklevel=3)
        index = tuple(index)
    given = index if isinstance(index, tuple) else (index,)
    parts = [index_part(part) for part in given]
    rest = len(shape) - sum(map(dims_taken, parts))
    text = "too many indices for tensor of dimension {}"
    if not shape and isinstance(index, slice):
        text = "slice() cannot be applied to a {}-dim tensor."
    elif not shape and isinstance(index, int):
        text = "invalid index of a {}-dim tensor. Use `tensor.item()` in Python to get its number"
    ensure(rest >= 0, text, len(shape), error=IndexError)
    kind, basic, added, lookup = taken_apart(parts, shape, rest)
    view = input
    if kind is not None:
        # `...` makes a view of a single entry too, where NumPy would copy
        view = translated(kind, input, (*without_tail(basic), ...))
    for dim in added:
        view = _unsqueeze(view, dim)
    return view, lookup


def taken_apart(
    parts: list[Any], shape: Shape, rest: int
) -> tuple[Any, list[Any], list[int], Index | None]:
    """An index taken apart: how to make the view that it begins with, and what to look up in that.

    First the operation that makes the view (None: it shows the whole tensor) and its index; then
    the dimensions that the view gets in addition; last the index of what is looked up, if anything
    is. ``rest`` is the number of dimensions that ``...`` stands for.
    """
    basic: list[Any] = []  # for each dimension of the tensor
    lookup: list[Any] = []  # for each dimension of the view
    added: list[int] = []  # the dimensions of the view that the tensor does not have
    kind = None
    looking = False
    ndim = 0
    for part in parts:
        if isinstance(part, int):
            basic.append(part)
            kind = _select
        elif isinstance(part, slice):
            size = shape[len(basic)]
            if part.indices(size) == (0, size, 1):
                part = ALL
            else:
                kind = _slice
            basic.append(part)
            lookup.append(ALL)
            ndim += 1
        elif part is ...:
            basic += [ALL] * rest
            lookup += [ALL] * rest
            ndim = ndim + rest
            rest = 0
        elif part is None:
            added.append(ndim)
            lookup.append(ALL)
            ndim += 1
        elif part.ndim == 0:  # True and False look up in a new dimension
            added.append(ndim)
            lookup.append(part.reshape(1))
            looking = True
            ndim += 1
        else:
            taken = dims_taken(part)
            if part.dtype.kind == "b":
                check_mask(part.shape, shape, len(basic))
            basic += [ALL] * taken
            lookup.append(part)
            looking = True
            ndim += taken
    return kind, basic, added, tuple(without_tail(lookup)) if looking else None


def without_tail(parts: list[Any]) -> list[Any]:
    """An index without the ``:`` at its end."""
    while parts and parts[-1] is ALL:
        parts.pop()
    return parts


def getitem(input: Any, index: Any) -> Any:
    """``input[index]``. Counterpart: ``torch.Tensor.__getitem__``.

    Raises IndexError for an index out of range, or too many of them.
    """
    if not isinstance(input, TensorBase):  # an array, in a rule
        return input[index]
    if index.__class__ is int and input._array.ndim:  # the ordinary cases
        return translated(_select, input, (index, ...))
    if index.__class__ is slice and input._array.ndim and index.step is None:
        return _slice(input, (index, ...))
    view, lookup = view_and_lookup(input, index)
    if lookup is not None:
        return translated(_index, view, lookup)
    if view is not input:
        return view
    if isinstance(index, slice):  # x[:]
        return _slice(input, (ALL, ...))
    return _alias(input)  # x[...]


# ------------------------------------------------------------------- what is said of a wrong one


def check_mask(mask: tuple[int, ...], shape: Shape, start: int) -> None:
    """Raise IndexError for a mask that does not have the sizes of what it chooses from."""
    for axis, size in enumerate(mask):
        if size != shape[start + axis]:
            text = f"The shape of the mask {list(mask)} at index {axis} does not match the shape "
            text += f"of the indexed tensor {list(shape)} at index {start + axis}"
            raise IndexError(text)


def translated(operation: Any, *args: Any) -> Any:
    """``operation(*args)``, its last argument an index; NumPy's complaint in PyTorch's words."""
    try:
        return operation(*args)
    except IndexError as error:
        text = str(error).replace("axis", "dimension")
        if "broadcast" in text:
            shapes = []
            for array in args[-1]:
                if array is ALL:
                    continue
                if array.dtype.kind == "b":  # a mask counts as the indices of what it chooses
                    array = longs.nonzero(array)[0]
                shapes.append(str(list(array.shape)))
            text = "shape mismatch: indexing tensors could not be broadcast together with shapes "
            text += ", ".join(shapes)
        raise IndexError(text) from None
