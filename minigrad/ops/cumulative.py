"""Running sums, products, maxima and minima along a dimension; differences of neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import longs
from ..compat.arguments import (
    check_implemented,
    ensure,
    in_order,
    of_tensor,
    tensor_array,
    wrapped_dim,
)
from ..engine.record import operation
from .annotations import Array, Index
from .indexing import _scatter
from .joining import cat
from .reduction import computed_in, cumprod_gradient_exact, summable, unbound
from .results import values_and_indices
from .shaping import clone
from .slicing import narrow

if TYPE_CHECKING:
    from .._tensor import Tensor


@operation(input=lambda g, dim, backwards: _cumsum(g, dim, not backwards))
def _cumsum(input: Array, dim: int, backwards: bool) -> Array:
    array = np.atleast_1d(input)
    if backwards:
        array = np.flip(array, dim)
    sums = np.add.accumulate(array, dim)
    if backwards:
        sums = np.flip(sums, dim)
    return in_order(sums.reshape(input.shape))


@of_tensor
def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
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


def cumprod_gradient(g: Any, input: Any, out: Any, dim: int) -> Any:
    """The sum of ``g * out`` over all products that an entry is in, divided by the entry.

    Where an entry is 0, another way around the division is taken.
    """
    if not input.shape or input.shape[dim] == 1:
        return g
    if (input != 0).all():
        return _cumsum(g * out, dim, True) / input
    return cumprod_gradient_exact(unbound(g, dim), unbound(input, dim), dim)


@operation(
    input=lambda g, input, out, dim: cumprod_gradient(g, input, out, dim),
)
def _cumprod(input: Array, dim: int) -> Array:
    products = np.multiply.accumulate(np.atleast_1d(input), dim)
    return in_order(products.reshape(input.shape))


@of_tensor
def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The products of the entries up to each, along ``dim``; of integers, as int64.

    The derivative is exact also where some entries are 0. Counterpart: ``torch.cumprod``.

    >>> import minigrad as torch
    >>> torch.cumprod(torch.tensor([1.0, 2.0, 3.0]), dim=0)
    tensor([1., 2., 6.])
    """
    if dtype is not None:
        products = computed_in(dtype, cumprod, input, dim)
        check_implemented("cumprod_out_cpu", products._array)
        return products
    input = summable(input)
    return _cumprod(input, wrapped_dim(dim, input._array.ndim))


# ----------------------------------------------------------------------------------------- extremes


@operation(
    input=lambda g, indices, input_shape: _scatter(g, indices, input_shape),
)
def _cummax(input: Array, indices: Index) -> Array:
    return input[indices]


@operation(
    input=lambda g, indices, input_shape: _scatter(g, indices, input_shape),
)
def _cummin(input: Array, indices: Index) -> Array:
    return input[indices]


def running_extreme(operation_: Any, extreme: Any, input: Any, dim: int) -> Any:
    """The largest (or smallest) of the entries up to each, and its index: of equal ones, the last.

    ``extreme`` is ``np.maximum`` or ``np.minimum``.
    """
    array = np.atleast_1d(input._array)
    dim = wrapped_dim(dim, input._array.ndim)
    best = extreme.accumulate(array, dim)
    here = (array == best) | ((array != array) & (best != best))
    position = longs.arange(array.shape[dim]).reshape([-1] + [1] * (array.ndim - 1 - dim))
    indices = np.maximum.accumulate(np.where(here, position, 0), dim)
    return values_and_indices(operation_, input, indices.reshape(input._array.shape), dim)


@of_tensor
def cummax(input: Tensor, dim: int) -> Any:
    """The largest of the entries up to each, along ``dim``, and where they are.

    Of equal ones the last; NaN counts as larger than everything. Counterpart: ``torch.cummax``.

    >>> import minigrad as torch
    >>> torch.cummax(torch.tensor([1.0, 3.0, 2.0]), dim=0)
    torch.return_types.cummax(
    values=tensor([1., 3., 3.]),
    indices=tensor([0, 1, 1]))
    """
    return running_extreme(_cummax, np.maximum, input, dim)


@of_tensor
def cummin(input: Tensor, dim: int) -> Any:
    """The smallest of the entries up to each; as ``cummax``. Counterpart: ``torch.cummin``.

    >>> import minigrad as torch
    >>> torch.cummin(torch.tensor([2.0, 3.0, 1.0]), dim=0).values
    tensor([2., 2., 1.])
    """
    return running_extreme(_cummin, np.minimum, input, dim)


# -------------------------------------------------------------------------------------- differences


def diff(
    input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None
) -> Tensor:
    """Each entry minus the one before it, along ``dim``; done ``n`` times over.

    ``prepend`` and ``append`` are joined to the ends first. Of booleans, True where the two
    differ. Raises RuntimeError for a 0-d tensor. Counterpart: ``torch.diff``.

    >>> import minigrad as torch
    >>> torch.diff(torch.tensor([1, 4, 9, 16])), torch.diff(torch.tensor([1, 4, 9, 16]), n=2)
    (tensor([3, 5, 7]), tensor([2, 2]))
    """
    ndim = tensor_array("diff", input).ndim
    ensure(ndim, "diff expects input to be at least one-dimensional")
    ensure(n >= 0, "order must be non-negative but got {}", n)
    parts = [part for part in (prepend, input, append) if part is not None]
    text = "diff expects prepend or append to be the same dimension as input"
    ensure(all(tensor_array("diff", part).ndim == ndim for part in parts), text)
    if n == 0:
        return clone(input)
    dim = wrapped_dim(dim, ndim)
    out = cat(parts, dim) if len(parts) > 1 else input
    for _ in range(min(n, out.shape[dim])):
        size = out.shape[dim] - 1
        later = narrow(out, dim, 1, size)
        earlier = narrow(out, dim, 0, size)
        boolean = out._array.dtype.kind == "b"
        out = later ^ earlier if boolean else later - earlier
    return out
