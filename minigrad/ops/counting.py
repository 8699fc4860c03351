"""Distinct entries, and how many there are of each: ``unique``, ``bincount``, ``histogram``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes, longs
from ..compat.arguments import (
    check_implemented,
    ensure,
    of_tensor,
    tensor_array,
    wrapped_dim,
    wrong_type,
)
from ..engine.node import TensorBase, new_tensor
from ..engine.record import operation
from .annotations import Array
from .elementwise.division import no_derivative
from .ranges import linspace
from .results import named_result

if TYPE_CHECKING:
    from .._tensor import Tensor


def not_implemented(function: str) -> None:
    """The rule of an operation without a derivative: as PyTorch, it raises NotImplementedError."""
    raise NotImplementedError(f"the derivative for '{function}' is not implemented.")


@operation(
    shown="NotImplemented",
    input=lambda g, function: not_implemented(function),
)
def _distinct(input: Array, out: Array, function: str) -> Array:
    """``out``, the distinct entries of ``input``: computed by the caller, recorded here."""
    return out


def distinct_results(
    function: str, input: Any, out: Array, inverse: Array | None, counts: Array | None
) -> Any:
    """The distinct entries; with the indices and counts that are not None, as a tuple."""
    values = _distinct(input, out, function)
    beside = [new_tensor(array) for array in (inverse, counts) if array is not None]
    if beside:
        return values, *beside
    return values


@of_tensor
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Any = None,
) -> Any:
    """The distinct entries (along ``dim``: slices) in ascending order.

    With ``return_inverse``, also which of them each entry is; with ``return_counts``, also how
    often each occurs.
    No derivative: backward raises NotImplementedError.
    Counterpart: ``torch.unique``.

    >>> import minigrad as torch
    >>> torch.unique(torch.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    array = input._array
    if dim is not None:
        dim = wrapped_dim(dim, array.ndim)
    out, _, inverse, counts = np.unique(array, True, True, True, dim, equal_nan=False)
    inverse, counts = longs.widened((inverse, counts))
    inverse = inverse.reshape(array.shape if dim is None else -1)
    wanted_inverse = inverse if return_inverse else None
    wanted_counts = counts if return_counts else None
    return distinct_results("_unique2", input, out, wanted_inverse, wanted_counts)


@of_tensor
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    """The entries (along ``dim``: slices) that differ from the one before them.

    With ``return_inverse``, also which of them each entry belongs to; with ``return_counts``, also
    how often each is repeated.
    No derivative: backward raises NotImplementedError.
    Counterpart: ``torch.unique_consecutive``.

    >>> import minigrad as torch
    >>> torch.unique_consecutive(torch.tensor([1, 1, 2, 1]), return_counts=True)
    (tensor([1, 2, 1]), tensor([2, 1, 1]))
    """
    array = input._array
    if dim is None:
        entries = array.reshape(-1)
    else:
        dim = wrapped_dim(dim, array.ndim)
        text = "Dimension specified as {} but tensor has no dimensions"
        ensure(array.ndim, text, dim, error=IndexError)
        entries = np.moveaxis(array, dim, 0)
    text = "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
    ensure(0 not in entries.shape[1:], text)
    changed = (entries[1:] != entries[:-1]).any(tuple(range(1, entries.ndim)))
    begins = np.append(np.ones(min(len(entries), 1), bool), changed)
    out = entries[begins]
    inverse = np.cumsum(begins, dtype=np.int64) - 1
    counts = np.diff(longs.flatnonzero(begins), append=len(entries))
    if dim is None:
        inverse = inverse.reshape(array.shape)
    else:
        out = np.moveaxis(out, 0, dim)
    wanted_inverse = inverse if return_inverse else None
    wanted_counts = counts if return_counts else None
    return distinct_results("unique_consecutive", input, out, wanted_inverse, wanted_counts)


# ----------------------------------------------------------------------------------------- how many


@of_tensor
def bincount(input: Tensor, weights: Any = None, minlength: int = 0) -> Tensor:
    """How often each of 0, 1, 2, … occurs in a vector; or the sum of the weights there.

    Raises RuntimeError for negative numbers. Counterpart: ``torch.bincount``.

    >>> import minigrad as torch
    >>> torch.bincount(torch.tensor([1, 1, 3]))
    tensor([0, 2, 0, 1])
    """
    array = input._array
    check_implemented("bincount_cpu", array, "iu")
    fits = array.ndim == 1 and (array >= 0).all() and minlength >= 0
    ensure(fits, "bincount only supports 1-d non-negative integral inputs.")
    if weights is None:
        return new_tensor(longs.bincount(longs.told(array), minlength=minlength))
    each = weights._array
    text = "weights should be 1-d and have the same length as input"
    ensure(each.shape == array.shape, text)
    out = longs.bincount(longs.told(array), each, minlength)
    if each.dtype.kind == "f":
        out = out.astype(each.dtype)
    return new_tensor(out)


@operation(
    shown="NotImplemented",
    input=lambda g: no_derivative("histogram"),
    weight=lambda g: no_derivative("histogram"),
)
def _histogram(input: Array, weight: Array, out: Array) -> Array:
    """``out``, counts or edges: computed by the caller, recorded here."""
    return out


def histogram(
    input: Tensor, bins: Any = 100, *, range: Any = None, weight: Any = None, density: bool = False
) -> Any:
    """How many entries lie in each of ``bins`` intervals of equal width, and their edges.

    The intervals share the ``range``, from the smallest entry to the largest unless said; or
    ``bins`` is a tensor of their edges. An interval has its left edge, the last one both. Entries
    outside, and NaN, are not counted. Each entry counts as much as its ``weight``; with
    ``density`` the counts are scaled so that their area is 1. No derivative: backward raises
    RuntimeError, and so do bins or a range that make no sense. Counterpart: ``torch.histogram``.

    >>> import minigrad as torch
    >>> torch.histogram(torch.tensor([1.0, 2.0, 1.0]), 4, range=(0.0, 3.0))
    torch.return_types.histogram(
    hist=tensor([0., 2., 1., 0.]),
    bin_edges=tensor([0.0000, 0.7500, 1.5000, 2.2500, 3.0000]))
    """
    array = tensor_array("histogram", input).reshape(-1)
    edges = bin_edges(array, bins, range)
    text = "torch.histogram(): bins must be > 0, but got {} for dimension 0"
    ensure(edges.size > 1, text, edges.size - 1)
    check_implemented("histogramdd", array, "f")
    weights = None
    if weight is not None:
        weights = tensor_array("histogram", weight, "weight").reshape(-1)
        text = "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor "
        text += "should have the same dtype and shape"
        ensure(weights.dtype == array.dtype and weights.shape == array.shape, text)
    places = longs.searchsorted(edges, array, "right") - 1
    hist = bin_counts(array, places, edges, weights)
    if density:
        with np.errstate(all="ignore"):
            hist = hist / (hist.sum() * np.diff(edges))
    result = named_result("histogram", "hist bin_edges")
    return result(_histogram(input, weight, hist), _histogram(input, weight, edges))


def histc(input: Tensor, bins: int = 100, min: Any = 0, max: Any = 0) -> Tensor:
    """How many entries lie in each of ``bins`` intervals of equal width between min and max.

    If these are equal, between the smallest entry and the largest. As ``histogram`` otherwise,
    but without a history. Counterpart: ``torch.histc``.

    >>> import minigrad as torch
    >>> torch.histc(torch.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
    tensor([0., 2., 1., 0.])
    """
    array = tensor_array("histc", input).reshape(-1)
    if not isinstance(bins, int):
        raise wrong_type("histc", "bins", 2, "int", bins)
    ensure(min <= max, "torch.histc: max must be larger than min")
    ensure(bins > 0, "torch.histogram(): bins must be > 0, but got {} for dimension 0", bins)
    check_implemented("histogram_cpu", array, "f")
    low = array.dtype.type(min)
    high = array.dtype.type(max)
    if low == high and array.size:
        low = array.min()
        high = array.max()
    if low == high:
        low = low - 1
        high = high + 1
    text = "torch.histc: range of [{:g}, {:g}] is not finite"
    ensure(np.isfinite(low) and np.isfinite(high), text, low, high)
    edges = linspace(float(low), float(high), bins + 1, dtype=dtypes.of(array))._array
    with np.errstate(all="ignore"):
        places = ((array - low) * (bins / (high - low))).astype(np.int64)
    return new_tensor(bin_counts(array, places, edges))


def bin_edges(array: Array, bins: Any, range: Any) -> Any:
    """The edges of the bins. Raises RuntimeError, as PyTorch, for wrong bins or a wrong range."""
    if isinstance(bins, TensorBase):
        edges = np.copy(bins._array)
        text = "torch.histogramdd: bins tensor should have one dimension, but got {} dimensions"
        ensure(edges.ndim == 1, text, edges.ndim)
        text = "torch.histogramdd: input tensor and bins tensors should have the same dtype"
        ensure(edges.dtype == array.dtype, text)
        text = "histogram() received an invalid combination of arguments: edges, and a range"
        ensure(range is None, text, error=TypeError)
        return edges
    if not isinstance(bins, int):
        raise wrong_type("histogram", "bins", 2, "int or Tensor", bins)
    text = "torch.histogram(): bins must be > 0, but got {} for dimension 0"
    ensure(bins > 0, text, bins)
    check_implemented("histogramdd", array, "f")
    if range is not None:
        text = "torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, "
        ensure(len(range) == 2, text + "but got {}", len(range))
        low, high = range
    elif array.size:
        low = array.min()
        high = array.max()
    else:
        low = 0.0
        high = 1.0
    text = "torch.histogramdd: dimension 0's range [{:g}, {:g}] is not finite"
    ensure(np.isfinite(low) and np.isfinite(high), text, low, high)
    text = "torch.histogramdd: min should not exceed max, but got min {:g} max {:g} for dimension 0"
    ensure(low <= high, text, low, high)
    if low == high:
        low = low - 0.5
        high = high + 0.5
    return linspace(float(low), float(high), bins + 1, dtype=dtypes.of(array))._array


def bin_counts(array: Array, bins: Any, edges: Array, weight: Any = None) -> Any:
    """How many entries are in each bin, given the bin of each; the last has its right edge."""
    inside = (array >= edges[0]) & (array <= edges[-1])
    bins = np.minimum(bins, edges.size - 2)[inside]
    weights = None if weight is None else weight[inside]
    return longs.bincount(longs.told(bins), weights, edges.size - 1).astype(array.dtype)
