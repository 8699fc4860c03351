"""Sorting, and entries by their rank: ``sort``, ``topk``, ``kthvalue``, ``median``.

An entry that is moved takes its gradient along: the rules put it back where the entry was. NaN
counts as larger than everything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import longs
from ..compat.arguments import ALL, check_implemented, ensure, of_tensor, wrapped_dim
from ..engine.record import operation
from .annotations import Array, Index
from .extremes import check_not_empty, split_among_ties
from .indexing import _embed, index_along
from .results import values_and_indices

if TYPE_CHECKING:
    from .._tensor import Tensor


def argsorted(array: Array, dim: int, descending: bool = False) -> Any:
    """The indices that sort an array; equal entries keep their order."""
    array = np.atleast_1d(array)
    if not descending:
        return longs.argsort(array, axis=dim, kind="stable")
    # An ascending order of the flipped array, read backwards: so equal entries keep their order.
    flipped = longs.argsort(np.flip(array, dim), axis=dim, kind="stable")
    return array.shape[dim] - 1 - np.flip(flipped, dim)


@operation(
    input=lambda g, indices, input_shape: _embed(g, indices, input_shape),
)
def _sort(input: Array, indices: Index) -> Array:
    return input[indices]


@of_tensor
def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """The entries in ascending order along ``dim``, and where they were.

    Equal entries keep their order, ``stable`` or not. Counterpart: ``torch.sort``.

    >>> import minigrad as torch
    >>> torch.sort(torch.tensor([3.0, 1.0, 2.0]))
    torch.return_types.sort(
    values=tensor([1., 2., 3.]),
    indices=tensor([1, 2, 0]))
    """
    array = input._array
    indices = argsorted(array, wrapped_dim(dim, array.ndim), descending)
    indices = indices.reshape(array.shape)
    return values_and_indices(_sort, input, indices, dim)


@of_tensor
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """The indices that sort the tensor along ``dim``. Counterpart: ``torch.argsort``.

    >>> import minigrad as torch
    >>> torch.argsort(torch.tensor([3.0, 1.0, 2.0]))
    tensor([1, 2, 0])
    """
    return sort(input, dim, descending).indices


@operation(
    input=lambda g, indices, input_shape: _embed(g, indices, input_shape),
)
def _topk(input: Array, indices: Index) -> Array:
    return input[indices]


@of_tensor
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
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
    before = (ALL,) * dim
    if 0 < k < size and array.size > 1000:  # find them in linear time, then sort only those
        if largest:
            best = longs.argpartition(array, -k, axis=dim)[(*before, slice(size - k, None))]
        else:
            best = longs.argpartition(array, k - 1, axis=dim)[(*before, slice(k))]
        order = argsorted(array[index_along(best, dim)], dim, largest)
        indices = best[index_along(order, dim)]
    else:
        indices = argsorted(array, dim, largest)[(*before, slice(k))]
    if input._array.ndim == 0:
        indices = np.zeros((), np.int64)
    return values_and_indices(_topk, input, indices, dim)


# ------------------------------------------------------------------------------------ by their rank


@operation(
    input=lambda g, indices, input_shape: _embed(g, indices, input_shape),
)
def _kthvalue(input: Array, indices: Index) -> Array:
    return input[indices]


@of_tensor
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The ``k``-th smallest entry along ``dim``, counted from 1, and where it is.

    NaN counts as larger than everything. Of equal entries, any may be the one whose index is told.
    Raises RuntimeError if there are fewer. Counterpart: ``torch.kthvalue``.

    >>> import minigrad as torch
    >>> torch.kthvalue(torch.tensor([3.0, 1.0, 2.0]), 2)
    torch.return_types.kthvalue(
    values=tensor(2.),
    indices=tensor(2))
    """
    array = np.atleast_1d(input._array)
    ndim = input._array.ndim
    dim = wrapped_dim(dim, ndim)
    if not array.shape[dim]:
        check_not_empty("kthvalue", array, dim)
    text = "kthvalue(): selected number k out of range for dimension {}"
    ensure(0 < k <= array.shape[dim], text, dim)
    check_implemented("kthvalue_cpu", array)
    indices = argsorted(array, dim).take([k - 1], dim)
    if ndim == 0:
        indices = indices.reshape(())
    return values_and_indices(_kthvalue, input, indices, dim, keepdim)


@operation(input=lambda g, input, out: split_among_ties(g, input, out))
def _median(input: Array) -> Array:
    if not input.size:
        return np.full((), np.nan).astype(input.dtype)[()]
    check_implemented("median_cpu", input)
    entries = np.sort(input, axis=None)  # NaN comes last
    if np.isnan(entries[-1]):
        return entries[-1]
    return entries[(input.size - 1) // 2]


@operation(
    name="median",
    number=1,
    input=lambda g, indices, input_shape: _embed(g, indices, input_shape),
)
def _median_dim(input: Array, indices: Index) -> Array:
    return input[indices]


@of_tensor
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The middle entry, of an even number the lower one; along ``dim``, with its index.

    Over all entries, tied ones share the gradient evenly. If one is NaN, so is the result.
    Counterpart: ``torch.median``.

    >>> import minigrad as torch
    >>> torch.median(torch.tensor([3.0, 1.0, 2.0, 4.0]))
    tensor(2.)
    """
    if dim is None:
        return _median(input)
    array = np.atleast_1d(input._array)
    ndim = input._array.ndim
    check_not_empty("median", array, dim)
    check_implemented("median_out", array)
    dim = wrapped_dim(dim, ndim)
    middle = (array.shape[dim] - 1) // 2
    indices = argsorted(array, dim).take([middle], dim)
    nans = array != array
    if nans.any():
        first = longs.argmax(nans, dim, keepdims=True)
        indices = np.where(nans.any(dim, keepdims=True), first, indices)
    if ndim == 0:
        indices = indices.reshape(())
    return values_and_indices(_median_dim, input, indices, dim, keepdim)
