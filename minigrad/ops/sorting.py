"""Operations about order: running sums along a dimension, and sorting by size.

An entry that is moved takes its gradient along: the rules put it back where the entry was. NaN
counts as larger than everything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compat.arguments import check_implemented, ensure, in_order, of_tensor, wrapped_dim
from ..engine.record import operation
from .indexing import ALL, _embed
from .reduction import computed_in, picked, places, summable


@operation(input=lambda g, dim, backwards: _cumsum(g, dim, not backwards))
def _cumsum(input, dim, backwards):
    array = np.flip(np.atleast_1d(input), dim) if backwards else np.atleast_1d(input)
    sums = np.add.accumulate(array, dim)
    return in_order((np.flip(sums, dim) if backwards else sums).reshape(input.shape))


@of_tensor
def cumsum(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """The sums of the entries up to each, along ``dim``; of integers, as int64.

    Counterpart: ``torch.cumsum``.

    >>> import minigrad as torch
    >>> torch.cumsum(torch.tensor([1.0, 2.0, 3.0]), dim=0)
    tensor([1., 3., 6.])
    """
    if dtype is not None:
        sums = computed_in(dtype, cumsum, input, dim)
        check_implemented("cumsum_out_cpu", sums._array)
        return sums
    input = summable(input)
    return _cumsum(input, wrapped_dim(dim, input._array.ndim), False)


def ordered(array: Any, dim: int, descending: bool = False) -> Any:
    """The indices that sort an array; equal entries keep their order."""
    array = np.atleast_1d(array)
    if not descending:
        return np.argsort(array, axis=dim, kind="stable")
    backwards = np.argsort(np.flip(array, dim), axis=dim, kind="stable")
    return array.shape[dim] - 1 - np.flip(backwards, dim)


@operation(input=lambda g, indices, input_shape: _embed(g, indices, input_shape))
def _sort(input, indices):
    return input[indices]


@of_tensor
def sort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """The entries in ascending order along ``dim``, and where they were.

    Equal entries keep their order, ``stable`` or not. Counterpart: ``torch.sort``.

    >>> import minigrad as torch
    >>> torch.sort(torch.tensor([3.0, 1.0, 2.0]))
    torch.return_types.sort(
    values=tensor([1., 2., 3.]),
    indices=tensor([1, 2, 0]))
    """
    array = input._array
    indices = ordered(array, wrapped_dim(dim, array.ndim), descending).reshape(array.shape)
    return picked(_sort, input, indices, dim)


@of_tensor
def argsort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """The indices that sort the tensor along ``dim``. Counterpart: ``torch.argsort``."""
    return sort(input, dim, descending).indices


@operation(input=lambda g, indices, input_shape: _embed(g, indices, input_shape))
def _topk(input, indices):
    return input[indices]


@of_tensor
def topk(input: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The ``k`` largest (or smallest) entries along ``dim``, best first, and where they are.

    Raises RuntimeError if there are fewer. Counterpart: ``torch.topk``.

    >>> import minigrad as torch
    >>> torch.topk(torch.tensor([1.0, 3.0, 2.0]), 2).indices
    tensor([1, 2])
    """
    array = np.atleast_1d(input._array)
    dim = wrapped_dim(dim, array.ndim)
    size = array.shape[dim]
    ensure(array.dtype.kind != "b", "topk does not support bool dtypes on CPU")
    ensure(0 <= k <= size, "selected index k out of range")
    part = (*(ALL,) * dim, slice(size - k, None) if largest else slice(k))
    if 0 < k < size and array.size > 1000:  # find them in linear time, then sort only those
        best = np.argpartition(array, -k if largest else k - 1, axis=dim)[part]
        indices = best[places(ordered(array[places(best, dim)], dim, largest), dim)]
    else:
        indices = ordered(array, dim, largest)[(*(ALL,) * dim, slice(k))]
    indices = indices if input._array.ndim else np.zeros((), np.int64)
    return picked(_topk, input, indices, dim)
