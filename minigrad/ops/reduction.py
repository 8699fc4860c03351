"""Operations that make fewer numbers out of many: sum, mean, max, min.

The derivative of a sum spreads the gradient over what was summed; that of a maximum gives it
to the chosen entry. Over all entries, ties share it evenly; along a dimension, the entry
whose index is returned gets it all.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .. import dtypes
from ..graph import new_tensor
from ..operands import converted
from ..primitive import differentiable, operation
from .arguments import tensor_array, wrapped_dim
from .elementwise import where_
from .results import named_result
from .shaping import _expand

max_result = named_result("max", "values indices")
min_result = named_result("min", "values indices")


def dims_of(dim: Any, ndim: int) -> tuple[int, ...]:
    """The dimensions to reduce, from the front; none given means all."""
    given = dim if isinstance(dim, (tuple, list)) else (dim,)
    found = tuple(wrapped_dim(d, ndim) for d in given) or tuple(range(ndim))
    if len(set(found)) < len(found):
        raise RuntimeError(f"dim {found[0]} appears multiple times in the list of dims")
    return found if ndim else ()


def spread(g: Any, shape: tuple[int, ...], dim: tuple[int, ...], keepdim: bool) -> Any:
    """A reduced gradient, repeated along the dimensions that were reduced."""
    if not keepdim:
        g = g.reshape(tuple(1 if d in dim else size for d, size in enumerate(shape)))
    return _expand(g, shape)


def count(shape: tuple[int, ...], dim: tuple[int, ...]) -> int:
    return prod(shape[d] for d in dim)


# --------------------------------------------------------------------------------- sum and mean


@differentiable(input=lambda g, input_shape: _expand(g, input_shape))
def _sum(input):
    return np.add.reduce(input, axis=None)


@operation(
    name="sum",
    number=1,
    input=lambda g, input_shape, dim, keepdim: spread(g, input_shape, dim, keepdim),
)
def _sum_dim(input, dim, keepdim):
    return np.add.reduce(input, axis=dim, keepdims=keepdim)


def sum(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The sum of all entries, or along the dimensions ``dim`` (an int or several).

    Integers and booleans are summed as int64. The gradient of a sum goes, unchanged, to every
    entry that was summed. Counterpart: ``torch.sum``.

    >>> import minigrad as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> torch.sum(x), torch.sum(x, dim=1)
    (tensor(10.), tensor([3., 7.]))
    """
    array = tensor_array("sum", input)
    if dtype is not None:
        input = converted(input, dtypes.asked("sum", dtype).numpy)
    elif array.dtype.kind != "f":
        input = converted(input, dtypes.int64.numpy)
    if dim is None and not keepdim:
        return _sum(input)
    return _sum_dim(input, dims_of(() if dim is None else dim, array.ndim), keepdim)


@differentiable(input=lambda g, input_shape: _expand(g / prod(input_shape), input_shape))
def _mean(input):
    return np.add.reduce(input, axis=None) / (input.size or np.nan)


@operation(
    name="mean",
    number=1,
    input=lambda g, input_shape, dim, keepdim: spread(
        g / count(input_shape, dim), input_shape, dim, keepdim
    ),
)
def _mean_dim(input, dim, keepdim):
    with np.errstate(all="ignore"):
        return np.add.reduce(input, axis=dim, keepdims=keepdim) / count(input.shape, dim)


def mean(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The average of all entries, or along the dimensions ``dim``.

    Raises RuntimeError for integers: say ``dtype=``, or ``.float()`` first. The mean of nothing
    is NaN. Counterpart: ``torch.mean``.

    >>> import minigrad as torch
    >>> torch.mean(torch.tensor([1.0, 2.0, 6.0]))
    tensor(3.)
    """
    array = tensor_array("mean", input)
    if dtype is not None:
        input = converted(input, dtypes.asked("mean", dtype).numpy)
        array = input._array
    if array.dtype.kind != "f":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point "
            f"or complex dtype. Got: {dtypes.of(array).title}"
        )
    if dim is None and not keepdim:
        return _mean(input)
    return _mean_dim(input, dims_of(() if dim is None else dim, array.ndim), keepdim)


# ---------------------------------------------------------------------------- maximum, minimum


def shared(g: Any, input: Any, out: Any) -> Any:
    """The gradient, split evenly between the entries that tie; NaN ties with NaN."""
    ties = (input == out) | ((input != input) & (out != out))
    return where_(ties, g / ties.sum(), 0)


@operation(number=1, input=lambda g, input, out: shared(g, input, out))
def _max(input):
    return np.max(input)


@operation(number=1, input=lambda g, input, out: shared(g, input, out))
def _min(input):
    return np.min(input)


def chosen(g: Any, indices: Any, dim: int, keepdim: bool, shape: tuple[int, ...]) -> Any:
    """The gradient at the entries with these indices along ``dim``, 0 elsewhere."""
    if not shape:
        return g
    one = tuple(1 if d == dim else size for d, size in enumerate(shape))
    positions = np.arange(shape[dim]).reshape([-1 if d == dim else 1 for d in range(len(shape))])
    return where_(positions == indices.reshape(one), g if keepdim else g.reshape(one), 0)


def taken(input: Any, indices: Any, dim: int, keepdim: bool) -> Any:
    if not input.ndim:
        return input
    out = np.take_along_axis(input, np.expand_dims(indices, dim), dim)
    return out if keepdim else out.squeeze(dim)


@operation(
    name="max",
    input=lambda g, indices, dim, keepdim, input_shape: chosen(
        g, indices, dim, keepdim, input_shape
    ),
)
def _max_dim(input, indices, dim, keepdim):
    return taken(input, indices, dim, keepdim)


@operation(
    name="min",
    input=lambda g, indices, dim, keepdim, input_shape: chosen(
        g, indices, dim, keepdim, input_shape
    ),
)
def _min_dim(input, indices, dim, keepdim):
    return taken(input, indices, dim, keepdim)


def extreme(input: Any, dim: Any, keepdim: bool, find: Any, whole: Any, along: Any) -> Any:
    """The common shape of ``max`` and ``min``."""
    array = tensor_array(along.kind.op, input)
    check_not_empty(along.kind.op, array, dim)
    if dim is None:
        return whole(input)
    (dim,) = dims_of(dim, array.ndim) or (0,)
    indices = find(array, axis=dim) if array.ndim else np.int64(0)
    values = along(input, indices, dim, keepdim)
    if keepdim and array.ndim:
        indices = np.expand_dims(indices, dim)
    return (max_result if find is np.argmax else min_result)(values, new_tensor(indices))


def check_not_empty(function: str, array: Any, dim: Any) -> None:
    """Raise what PyTorch raises where there is no entry to be the largest."""
    if array.size:
        return
    if dim is None:
        error = IndexError if function == "argmax" else RuntimeError
        raise error(
            f"{function}(): Expected reduction dim to be specified for input.numel() == 0. "
            "Specify the reduction dim with the 'dim' argument."
        )
    if array.shape[wrapped_dim(dim, array.ndim)] == 0:
        raise IndexError(f"{function}(): Expected reduction dim {dim} to have non-zero size.")


def max(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The largest entry; or, along ``dim``, the largest ones and where they are.

    Over all entries, tied ones share the gradient evenly; along a dimension the entry at the
    returned index gets it all. Raises RuntimeError for an empty tensor.
    Counterpart: ``torch.max``.

    >>> import minigrad as torch
    >>> torch.max(torch.tensor([1.0, 3.0, 2.0]))
    tensor(3.)
    >>> torch.max(torch.tensor([[1.0, 3.0], [5.0, 4.0]]), dim=1)
    torch.return_types.max(
    values=tensor([3., 5.]),
    indices=tensor([1, 0]))
    """
    return extreme(input, dim, keepdim, np.argmax, _max, _max_dim)


def min(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The smallest entry; or, along ``dim``, the smallest ones and where they are.

    As ``max`` otherwise. Counterpart: ``torch.min``.
    """
    return extreme(input, dim, keepdim, np.argmin, _min, _min_dim)


def argmax(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The index of the largest entry (in the flattened tensor, or along ``dim``).

    An index cannot move a little, so it has no gradient. Counterpart: ``torch.argmax``.

    >>> import minigrad as torch
    >>> torch.argmax(torch.tensor([1.0, 3.0, 2.0]))
    tensor(1)
    """
    array = tensor_array("argmax", input)
    check_not_empty("argmax", array, dim)
    if dim is not None:
        dim = wrapped_dim(dim, array.ndim)
    if not array.ndim:
        return new_tensor(np.int64(0))
    return new_tensor(np.argmax(array, axis=dim, keepdims=keepdim))


def all(input: Any) -> Any:
    """Are all entries true (not 0)? A boolean 0-d tensor. Counterpart: ``torch.all``."""
    return new_tensor(np.all(tensor_array("all", input)))


def any(input: Any) -> Any:
    """Is any entry true (not 0)? A boolean 0-d tensor. Counterpart: ``torch.any``."""
    return new_tensor(np.any(tensor_array("any", input)))
