"""Writing entries by tensors of indices or a mask, into a copy. (In place: ``inplace``.)

The gradient of what was written is read from where it was written to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..compat.arguments import (
    check_fits,
    check_implemented,
    ensure,
    fitting,
    in_order,
    number_of,
    tensor_array,
)
from ..engine.arrays import as_array, full
from ..engine.node import TensorBase, new_tensor
from ..engine.record import operation
from .annotations import Array, Index
from .elementwise.choices import where_
from .elementwise.division import div
from .gathering import DIMENSIONS, gather_index, slice_index
from .indexing import _index_put, added_at, getitem

if TYPE_CHECKING:
    from .._tensor import Tensor


@operation(
    input=lambda g, condition: where_(condition, 0, g),
    value=lambda g, condition: where_(condition, g, 0),
)
def _masked_fill(input: Array, value: Array, condition: Array) -> Array:
    return in_order(np.where(condition, as_array(value).astype(input.dtype), input))


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """A copy with one number written where the mask, broadcast, is true.

    Raises RuntimeError for a mask that is not boolean. Counterpart: ``torch.masked_fill``.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, -2.0])
    >>> torch.masked_fill(x, x < 0, 0.0)
    tensor([1., 0.])
    """
    have = dtypes.of(tensor_array("masked_fill", mask, "mask", 2))
    text = "masked_fill_ only supports boolean masks, but got mask with dtype {}"
    ensure(have is dtypes.bool_, text, have)
    text = "masked_fill_ only supports a 0-dimensional value tensor, but got {} dimension(s)."
    ensure(not np.ndim(value), text, np.ndim(value))
    if not isinstance(value, TensorBase):
        check_fits(number_of("masked_fill", value, "value", 3), dtypes.of(input._array))
    return _masked_fill(input, value, mask)


@operation(
    name="scatter",
    input=lambda g, indices: _index_put(g, 0, indices),
    src=lambda g, indices: g[indices],
)
def _scatter_src(input: Array, src: Array, indices: Index) -> Array:
    out = np.copy(input, order="C")
    out[indices] = src
    return out


@operation(
    input=lambda g: g,
    src=lambda g, indices: g[indices],
)
def _scatter_add(input: Array, src: Array, indices: Index) -> Array:
    return added_at(np.copy(input, order="C"), indices, src)


@operation(
    input=lambda g: g,
    source=lambda g, indices: g[indices],
)
def _index_add(input: Array, source: Array, indices: Index) -> Array:
    return added_at(np.copy(input, order="C"), indices, source)


def checked_source(function: str, input: Any, src: Any, index: Any) -> Any:
    """The part of ``src`` that is written, which has the shape of ``index``; or the number."""
    if not isinstance(src, TensorBase):
        return fitting(number_of(function, src, "value", 4), dtypes.of(input._array))
    have = src._array
    want = tensor_array(function, index, "index", 3)
    same = have.dtype == input._array.dtype
    ensure(same, "scatter(): Expected self.dtype to be equal to src.dtype")
    ensure(have.ndim == want.ndim, DIMENSIONS, "src")
    fits = all(n <= size for n, size in zip(want.shape, have.shape))
    ensure(fits, "Expected index {} to be no larger than src {}", want.shape, have.shape)
    if have.shape == want.shape:
        return src
    return getitem(src, tuple(map(slice, want.shape)))


def scatter(
    input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None
) -> Tensor:
    """A copy with entries of ``src``, or one number, written where ``gather`` would read.

    For ``dim=1``: ``out[i, index[i, j]] = src[i, j]``. Where several are written to one place, the
    last stays. Raises RuntimeError as ``gather``. Counterpart: ``torch.scatter``.

    >>> import minigrad as torch
    >>> torch.zeros(2, 3).scatter(1, torch.tensor([[2], [0]]), 1.0)
    tensor([[0., 0., 1.],
            [1., 0., 0.]])
    """
    indices = gather_index("scatter", input, dim, index)
    if src is None:
        src = value
    return _scatter_src(input, checked_source("scatter", input, src, index), indices)


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Any) -> Tensor:
    """A copy with entries of ``src`` added where ``gather`` would read.

    Counterpart: ``torch.scatter_add``.

    >>> import minigrad as torch
    >>> torch.zeros(3).scatter_add(0, torch.tensor([0, 2, 0]), torch.tensor([1.0, 2.0, 3.0]))
    tensor([4., 0., 2.])
    """
    tensor_array("scatter_add", src, "src", 3)
    indices = gather_index("scatter_add", input, dim, index)
    return _scatter_add(input, checked_source("scatter_add", input, src, index), indices)


def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """A copy with ``alpha`` times the slices of ``source`` added at these indices along ``dim``.

    Counterpart: ``torch.index_add``.

    >>> import minigrad as torch
    >>> torch.zeros(3).index_add(0, torch.tensor([1, 1]), torch.tensor([1.0, 2.0]))
    tensor([0., 3., 0.])
    """
    indices = slice_index("index_add_", input, dim, index)
    same = source._array.dtype == input._array.dtype
    ensure(same, "index_add_(): self and source must have the same scalar type")
    shape = source._array.shape
    want = input._array[indices].shape
    text = "index_add_(): Number of indices and sizes must fit: source is {}, not {}"
    ensure(shape == want, text, shape, want)
    if alpha != 1:
        dtype = dtypes.of(input._array)
        if not dtype.is_floating_point:
            alpha = new_tensor(fitting(alpha, dtype))
        source = source * alpha
    return _index_add(input, source, indices)


# ----------------------------------------------------------------------------- several in one place


@operation(
    name="scatter_reduce",
    input=lambda g, own: g * own,
    src=lambda g, indices, given: g[indices] * given,
)
def _scatter_extreme(
    input: Array, src: Array, indices: Index, out: Array, own: Array, given: Array
) -> Array:
    """``out``: computed by the caller, recorded here.

    ``own`` and ``given``: the share of the gradient that each entry of ``input`` and of ``src``
    gets.
    """
    return out


def scatter_extreme(extreme: Any, input: Any, src: Any, indices: Any) -> Any:
    """The largest (or smallest) of the entries in each place; those that tie share the gradient."""
    array = input._array
    other = src._array
    out = np.copy(array)
    extreme.at(out, indices, other)
    own = (array == out).astype(array.dtype)
    given = (other == out[indices]).astype(array.dtype)
    count = added_at(np.copy(own), indices, given)
    with np.errstate(all="ignore"):
        return _scatter_extreme(input, src, indices, out, own / count, given / count[indices])


def scatter_mean(input: Any, src: Any, indices: Any, include_self: bool) -> Any:
    """The mean of the entries in each place; of integers, rounded down."""
    array = input._array
    check_implemented("scatter_gather_tensor_cpu_reduce_mean", array)
    start = full(array.shape, include_self, array)
    count = added_at(start, indices, np.ones_like(src._array))
    count[count == 0] = 1
    rounding = None if array.dtype.kind == "f" else "floor"
    return div(_scatter_add(input, src, indices), new_tensor(count), rounding_mode=rounding)


def lowest(dtype: Any, sign: int) -> Any:
    """The lowest number of a dtype; with ``sign`` -1 the highest."""
    if dtype.kind == "f":
        return dtype.type(-np.inf * sign)
    if dtype.kind == "b":
        return dtype.type(sign < 0)
    return dtype.type(np.iinfo(dtype).min if sign > 0 else np.iinfo(dtype).max)


def scatter_reduce(
    input: Tensor, dim: int, index: Tensor, src: Any, reduce: str, *, include_self: bool = True
) -> Tensor:
    """As ``scatter``, but the entries that are written to one place are reduced to one.

    ``reduce`` is "sum", "mean", "amax" or "amin". With ``include_self=False`` the entries of
    ``input`` count only where nothing is written. Entries that tie for a maximum share its
    gradient. Raises NotImplementedError for "prod". Counterpart: ``torch.scatter_reduce``.

    >>> import minigrad as torch
    >>> places, values = torch.tensor([0, 2, 0]), torch.tensor([1.0, 2.0, 3.0])
    >>> torch.zeros(3).scatter_reduce(0, places, values, "amax")
    tensor([3., 0., 2.])
    """
    tensor_array("scatter_reduce", src, "src", 3)
    indices = gather_index("scatter_reduce", input, dim, index)
    src = checked_source("scatter_reduce", input, src, index)
    text = "scatter_reduce(): minigrad does not cover reduce='prod'.\n  fix: of positive numbers, "
    text += "exp of the sum of logarithms; else torch.prod of each group."
    ensure(reduce != "prod", text, error=NotImplementedError)
    text = "reduce argument must be either sum, prod, mean, amax or amin, got {}"
    ensure(reduce in ("sum", "mean", "amax", "amin"), text, reduce)
    dtype = input._array.dtype
    if not include_self:
        neutral = dtype.type(0)
        if reduce == "amax":
            neutral = lowest(dtype, 1)
        elif reduce == "amin":
            neutral = lowest(dtype, -1)
        input = _index_put(input, neutral, indices)
    if reduce == "sum":
        return _scatter_add(input, src, indices)
    if reduce == "mean":
        return scatter_mean(input, src, indices, include_self)
    extreme = np.maximum if reduce == "amax" else np.minimum
    return scatter_extreme(extreme, input, src, indices)
