"""Pooling: a window slides over images, and leaves one number at each place.

Along each dimension, which entries a window covers stands in a table: a row for each entry of the
window, a column for each place, and in it an index, or the size of the dimension where the window
reaches over the edge. Windows of one size and those of the adaptive functions differ in nothing
else. The maximum of a window, or its sum, is taken along one dimension after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from math import prod
from operator import add
from typing import Any

import numpy as np

from .. import longs
from .._tensor import Tensor
from ..compat.arguments import check_implemented, ensure, in_order, sizes, tensor_array
from ..engine.node import new_tensor
from ..engine.record import operation
from ..fast.pooling import highest
from ..ops.annotations import Array
from ..ops.reduction import mean
from ..ops.shaping import squeeze, unsqueeze
from .convolution import Sizes, per_axis


@lru_cache(maxsize=256)
def sliding(
    n: int, size: int, step: int, pad: int, dilation: int, ceil: bool
) -> tuple[Array, Array]:
    """The table of windows of one size; and how many entries each has, padding included."""
    places = (n + 2 * pad - dilation * (size - 1) - 1 + (step - 1) * ceil) // step + 1
    if ceil and (places - 1) * step >= n + pad:  # the last window begins behind the last entry
        places -= 1
    ensure(places > 0, "Given input size: {}. Calculated output size: {}. Too small", n, places)
    at = longs.arange(places) * step - pad + dilation * longs.arange(size)[:, None]
    table = np.where((at < 0) | (at >= n), n, at)
    return longs.told(table), (at < n + pad).sum(0)


def adaptive(n: int, places: int | None) -> tuple[Array, Array]:
    """The table of as many windows as asked for, as equal as can be; and their sizes."""
    if places is None:
        places = n
    start = (longs.arange(places) * n) // places
    end = -(-longs.arange(1, places + 1) * n // places)
    at = start + longs.arange((end - start).max(initial=0))[:, None]
    return longs.told(np.where(at < end, at, n)), end - start


# ------------------------------------------------------------------------------------ maximum


@lru_cache(maxsize=256)
def inside(n: int, *options: Any) -> Array:
    """The table of windows of one size; in place of padding, the first entry once more."""
    table, _ = sliding(n, *options)
    first = table.min(0)
    ensure((first < n).all(), "a window of the pooling covers nothing but padding")
    return np.where(table == n, first, table)


def in_all_planes(positions: Array, shape: tuple[int, ...]) -> Array:
    """Positions in planes as positions in the whole array of this shape."""
    planes = longs.arange(prod(shape[:-2])) * prod(shape[-2:])
    return positions + planes.reshape(*shape[:-2], 1, 1)


@operation(
    shown="MaxPool2DWithIndicesBackward0",
    input=lambda g, indices, input_shape: _placed(g, indices, input_shape),
)
def _max_pool(input: Array, indices: Array) -> Array:
    return input.take(longs.told(indices))


@operation(input=lambda g, indices: _max_pool(g, indices))
def _placed(input: Array, indices: Array, shape: tuple[int, ...]) -> Array:
    """Each entry where it came from; where several meet, their sum."""
    out = longs.bincount(longs.told(indices.ravel()), input.ravel(), prod(shape))
    return out.reshape(shape).astype(input.dtype)


# ------------------------------------------------------------------------------------ average


def inverted(table: Array, n: int) -> Array:
    """The table the other way: a column for each entry, and in it the windows that cover it."""
    places = table.shape[1]
    covers = (table[:, :, None] == longs.arange(n)).any(0)
    windows = longs.told(np.where(covers, longs.arange(places)[:, None], places))
    return np.sort(windows, axis=0)[: covers.sum(0).max()]


def summed(x: Array, tables: Iterable[Array]) -> Array:
    """The sum of what each column of the tables names."""
    for axis, table in zip((-2, -1), tables):
        if table.max(initial=0) == x.shape[axis]:  # where nothing is named stands a zero
            x = np.concatenate([x, np.zeros_like(x.take([0], axis))], axis)
        x = reduce(add, (x.take(index, axis) for index in table))
    return x


@operation(
    shown="AvgPool2DBackward0",
    input=lambda g, indices, counts, input_shape: _shared(g, indices, counts, input_shape),
)
def _avg_pool(input: Array, indices: Sequence[Array], counts: Array) -> Array:
    return (summed(input, indices) / counts).astype(input.dtype, "C")


@operation(
    shown="AdaptiveAvgPool2DBackward0",
    input=lambda g, indices, counts, input_shape: _shared(g, indices, counts, input_shape),
)
def _adaptive_avg_pool(input: Array, indices: Sequence[Array], counts: Array) -> Array:
    return in_order(summed(input, indices) / counts)


@operation(input=lambda g, tables, counts: _avg_pool(g, tables, counts))
def _shared(input: Array, tables: Sequence[Array], counts: Array, shape: tuple[int, ...]) -> Array:
    """Each entry, divided by the size of its window, at all entries of the window."""
    return summed(input / counts, map(inverted, tables, shape[-2:]))


# ------------------------------------------------------------------------------ the functions


def image(function: str, input: Any) -> Array:
    """The array of an image or of a batch of them."""
    x = tensor_array(function, input)
    ensure(x.ndim in (3, 4), "{}: Expected 3D or 4D (batch mode) tensor, not {}", function, x.shape)
    return x


def windows(x: Array, size: Any, stride: Any, pad: Any, dilation: Any, ceil: bool) -> Iterable[Any]:
    """What ``sliding`` takes, for each of the two dimensions."""
    size = per_axis("kernel_size", size, 2)
    pad = per_axis("padding", pad, 2, 0)
    step = size if stride is None else per_axis("stride", stride, 2)
    dilation = per_axis("dilation", dilation, 2)
    text = "pad should be at most half of effective kernel size, but got pad={}, kernel_size={}"
    ensure(all(2 * p <= k for p, k in zip(pad, size)), text, pad, size)
    return zip(x.shape[-2:], size, step, pad, dilation, (ceil, ceil))


def of_one_row(value: Any, other: int = 1) -> Any:
    """An option for sequences as one for images, which have one row then."""
    return None if value is None else (other, *sizes((value,)))


def max_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest entry under a window that slides over images, for each channel.

    ``stride``: how far it moves, by default its own size; ``dilation``: how far apart the entries
    are that it looks at; ``ceil_mode``: may the last window reach over the edge? Of ties, the
    first gets the gradient. ``return_indices``: also where in its plane each entry was found.
    Raises RuntimeError if a padding is more than half a window.
    Counterpart: ``torch.nn.functional.max_pool2d``.

    >>> import minigrad as torch
    >>> import minigrad.nn.functional as F
    >>> F.max_pool2d(torch.tensor([[[1.0, 2.0, 5.0, 6.0], [3.0, 4.0, 8.0, 7.0]]]), 2)
    tensor([[[4., 8.]]])
    """
    x = image("max_pool2d", input)
    options = windows(x, kernel_size, stride, padding, dilation, ceil_mode)
    # the same as plain_highest, see fast/pooling.py
    positions = highest(x, [inside(*each) for each in options])
    out = _max_pool(input, in_all_planes(positions, x.shape))
    if return_indices:
        return out, new_tensor(positions)
    return out


def max_pool1d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """As ``max_pool2d``, of sequences. Counterpart: ``torch.nn.functional.max_pool1d``.

    >>> import minigrad as torch
    >>> torch.max_pool1d(torch.tensor([[1.0, 3.0, 2.0, 5.0]]), 2)
    tensor([[3., 5.]])
    """
    options = (
        of_one_row(kernel_size),
        of_one_row(stride),
        of_one_row(padding, 0),
        of_one_row(dilation),
        ceil_mode,
        True,
    )
    out, indices = max_pool2d(unsqueeze(input, -2), *options)
    out = squeeze(out, -2)
    if return_indices:
        return out, squeeze(indices, -2)
    return out


def avg_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Tensor:
    """The average under a window that slides over images, for each channel.

    ``count_include_pad``: does the sum of a window count the zeros of the padding as entries?
    ``divisor_override``: what to divide sums by instead. The rest as in ``max_pool2d``.
    Counterpart: ``torch.nn.functional.avg_pool2d``.

    >>> import minigrad as torch
    >>> import minigrad.nn.functional as F
    >>> F.avg_pool2d(torch.tensor([[[1.0, 2.0, 5.0, 6.0], [3.0, 4.0, 8.0, 7.0]]]), 2)
    tensor([[[2.5000, 6.5000]]])
    """
    x = image("avg_pool2d", input)
    options = windows(x, kernel_size, stride, padding, 1, ceil_mode)
    tables, counts = zip(*(sliding(*each) for each in options))
    if not count_include_pad:
        counts = tuple((table < n).sum(0) for table, n in zip(tables, x.shape[-2:]))
    ensure(divisor_override != 0, "divisor must be not zero")
    return _avg_pool(input, tables, np.float32(divisor_override or np.multiply.outer(*counts)))


def avg_pool1d(
    input: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """As ``avg_pool2d``, of sequences. Counterpart: ``torch.nn.functional.avg_pool1d``.

    >>> import minigrad as torch
    >>> torch.avg_pool1d(torch.tensor([[1.0, 3.0, 2.0, 6.0]]), 2)
    tensor([[2., 4.]])
    """
    options = (
        of_one_row(kernel_size),
        of_one_row(stride),
        of_one_row(padding, 0),
        ceil_mode,
        count_include_pad,
    )
    return squeeze(avg_pool2d(unsqueeze(input, -2), *options), -2)


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Averages of as many windows as asked for, in each dimension (None: as many as entries).

    Counterpart: ``torch.nn.functional.adaptive_avg_pool2d``.

    >>> import minigrad as torch
    >>> import minigrad.nn.functional as F
    >>> F.adaptive_avg_pool2d(torch.tensor([[[1.0, 2.0, 5.0, 6.0], [3.0, 4.0, 8.0, 7.0]]]), (1, 2))
    tensor([[[2.5000, 6.5000]]])
    """
    x = image("adaptive_avg_pool2d", input)
    pair = output_size if isinstance(output_size, (tuple, list)) else (output_size,) * 2
    ensure(len(pair) == 2, "adaptive_avg_pool2d: output_size must be 2")
    if tuple(pair) == (1, 1):
        return mean(input, (-1, -2), keepdim=True)
    check_implemented("adaptive_avg_pool2d", x, "f")
    tables, counts = zip(*map(adaptive, x.shape[-2:], pair))
    return _adaptive_avg_pool(input, tables, np.float32(np.multiply.outer(*counts)))


def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """As ``adaptive_avg_pool2d``. Counterpart: ``torch.nn.functional.adaptive_avg_pool1d``.

    >>> import minigrad as torch
    >>> torch.adaptive_avg_pool1d(torch.tensor([[1.0, 3.0, 2.0, 6.0]]), 2)
    tensor([[2., 4.]])
    """
    return squeeze(adaptive_avg_pool2d(unsqueeze(input, -2), of_one_row(output_size)), -2)
