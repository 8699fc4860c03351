"""Names that programs use, each a few lines on top of the operations in the other files.

Distances and the larger of two, differences of neighbours, other orders of dimensions, running
maxima, entries by their rank, entries that repeat, histograms, indices of triangles, shifts of
bits. What is composed of other operations has their derivatives; the others have rules, as there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..compat.arguments import (
    check_implemented,
    ensure,
    fitting,
    is_whole,
    number_of,
    of_tensor,
    operand_of,
    refuse_numbers,
    tensor_array,
    titled,
    wrapped_dim,
    wrong_type,
)
from ..engine.node import TensorBase, new_tensor
from ..engine.record import NUMBERS, differentiable, operation
from .creation import leaf, linspace
from .elementwise import clone, div, no_derivative, paired, where_
from .elementwise import where as chosen
from .gathering import _diag_embed, _scatter_add, along, narrow, source_of
from .indexing import _embed, _index_put, _scatter, with_added
from .linear import bmm, weighted_sum
from .reduction import check_not_empty, norm, picked
from .results import named_result
from .shaping import cat, expand, flip, permute
from .sorting import ordered
from .statistics import distinct

# -------------------------------------------------------------------------------- of two tensors


@differentiable(
    input=lambda g, input, out: g * (input / out),
    other=lambda g, other, out: g * (other / out),
)
def hypot(input, other):
    """sqrt(input² + other²), without overflow: the third side of a right triangle, broadcast.

    Its derivative at (0, 0) is NaN. Raises NotImplementedError for integers.
    Counterpart: ``torch.hypot``.

    >>> import minigrad as torch
    >>> torch.hypot(torch.tensor([3.0, 5.0]), torch.tensor([4.0, 12.0]))
    tensor([ 5., 13.])
    """
    refuse_numbers("hypot", input, other)
    check_implemented("hypot_cpu", np.empty(0, np.result_type(input, other)), "f")
    return np.hypot(input, other)


@differentiable(
    input=lambda g, input, other: where_((input >= other) | (other != other), g, 0),
    other=lambda g, input, other: where_((input >= other) | (other != other), 0, g),
)
def fmax(input, other):
    """The larger of each pair, broadcast; a number wins over NaN. Counterpart: ``torch.fmax``.

    The larger one gets the gradient; of two that tie, ``input``.

    >>> import minigrad as torch
    >>> torch.fmax(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 4.0]))
    tensor([3., 4.])
    """
    refuse_numbers("fmax", input, other)
    return np.fmax(input, other)


@differentiable(
    input=lambda g, input, other: where_((input <= other) | (other != other), g, 0),
    other=lambda g, input, other: where_((input <= other) | (other != other), 0, g),
)
def fmin(input, other):
    """The smaller of each pair, broadcast; otherwise as ``fmax``. Counterpart: ``torch.fmin``.

    >>> import minigrad as torch
    >>> torch.fmin(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 4.0]))
    tensor([1., 4.])
    """
    refuse_numbers("fmin", input, other)
    return np.fmin(input, other)


def dist(input: Any, other: Any, p: Any = 2) -> Any:
    """The ``p``-norm of ``input - other``: a distance. Counterpart: ``torch.dist``.

    Where the two are equal, the derivative is 0. Raises RuntimeError for integers.

    >>> import minigrad as torch
    >>> torch.dist(torch.tensor([1.0, 1.0]), torch.tensor([4.0, 5.0]))
    tensor(5.)
    """
    both = tensor_array("dist", input), tensor_array("dist", other, "other", 2)
    dtype = dtypes.result_dtype(both)
    text = "norm(): input dtype should be either floating point or complex. Got {} instead."
    ensure(dtype.is_floating_point, text, dtype.title)
    return norm(input - other, number_of("dist", p, "p", 3))


def baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """``beta * input + alpha * bmm(batch1, batch2)``. Counterpart: ``torch.baddbmm``.

    ``input`` is broadcast; with ``beta=0`` nothing of it counts, not even NaN. Raises
    RuntimeError unless all have one dtype.

    >>> import minigrad as torch
    >>> a, b = torch.ones(5, 2, 3), torch.ones(5, 3, 4)
    >>> torch.baddbmm(torch.ones(4), a, b)[0]
    tensor([[4., 4., 4., 4.],
            [4., 4., 4., 4.]])
    """
    bias, a, b = (tensor_array("baddbmm", t) for t in (input, batch1, batch2))
    text = "Input dtypes must be the same, got: input {}, batch1: {}, batch2: {}"
    ensure(bias.dtype == a.dtype == b.dtype, text, *(dtypes.of(x).name for x in (bias, a, b)))
    check_implemented("baddbmm", a)
    product = bmm(batch1, batch2)
    return weighted_sum(expand(input, product.shape), beta, product, alpha)


def where(self: Any, condition: Any, other: Any) -> Any:
    """This tensor where the condition holds, ``other`` elsewhere: see ``minigrad.where``.

    Counterpart: ``torch.Tensor.where``.

    >>> import minigrad as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> x.where(x > 0, 0.0)
    tensor([0., 2.])
    """
    return chosen(condition, self, other)


# --------------------------------------------------------------------------- order of dimensions


def movedim(input: Any, source: Any, destination: Any) -> Any:
    """A view with the dimensions ``source`` moved to ``destination``, the others in order.

    Either two ints, or two tuples of equal length. Raises RuntimeError for a dimension named
    twice. Counterpart: ``torch.movedim``, ``torch.moveaxis``.

    >>> import minigrad as torch
    >>> torch.movedim(torch.zeros(2, 3, 4), 0, -1).shape
    torch.Size([3, 4, 2])
    """
    ndim = tensor_array("movedim", input).ndim
    moves = []
    text = "movedim() received an invalid combination of arguments: two ints, or two tuples"
    ensure(is_whole(source) == is_whole(destination), text, error=TypeError)
    for name, given in (("source", source), ("destination", destination)):
        dims = list(given) if isinstance(given, (tuple, list)) else [given]
        found = [wrapped_dim(dim, ndim) for dim in dims]
        text = "movedim: repeated dim in `{}` ({})"
        ensure(len(set(found)) == len(found), text, name, dims)
        moves.append(found)
    text = "movedim: Invalid source or destination dims: {} dims cannot move to {}"
    ensure(len(moves[0]) == len(moves[1]), text, *moves)
    rest = iter([dim for dim in range(ndim) if dim not in moves[0]])
    to_from = dict(zip(moves[1], moves[0]))
    order = [to_from[dim] if dim in to_from else next(rest) for dim in range(ndim)]
    return permute(input, order)


def fliplr(input: Any) -> Any:
    """The second dimension in reverse order: left to right. Counterpart: ``torch.fliplr``.

    Raises RuntimeError for fewer than two dimensions.

    >>> import minigrad as torch
    >>> torch.fliplr(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 1],
            [4, 3]])
    """
    ensure(tensor_array("fliplr", input).ndim > 1, "Input must be >= 2-d.")
    return flip(input, 1)


def flipud(input: Any) -> Any:
    """The first dimension in reverse order: upside down. Counterpart: ``torch.flipud``.

    Raises RuntimeError for a 0-d tensor.

    >>> import minigrad as torch
    >>> torch.flipud(torch.tensor([[1, 2], [3, 4]]))
    tensor([[3, 4],
            [1, 2]])
    """
    ensure(tensor_array("flipud", input).ndim > 0, "Input must be >= 1-d.")
    return flip(input, 0)


def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Zeros with the last dimension of ``input`` on a diagonal of two new ones.

    So ``diagonal`` takes it out again. Counterpart: ``torch.diag_embed``.

    >>> import minigrad as torch
    >>> torch.diag_embed(torch.tensor([[1, 2], [3, 4]]))
    tensor([[[1, 0],
             [0, 2]],
    <BLANKLINE>
            [[3, 0],
             [0, 4]]])
    """
    shape = list(tensor_array("diag_embed", input).shape)
    first, second = (wrapped_dim(dim, input._array.ndim + 1) for dim in (dim1, dim2))
    ensure(first != second, "diagonal dimensions cannot be identical {}, {}", dim1, dim2)
    size = shape.pop() + abs(offset)
    for dim in sorted((first, second)):
        shape.insert(dim, size)
    return _diag_embed(input, (offset, first, second), tuple(shape))


# ------------------------------------------------------------------------------ along a dimension


def diff(input: Any, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Each entry minus the one before it, along ``dim``; done ``n`` times over.

    ``prepend`` and ``append`` are joined to the ends first. Of booleans: do they differ? Raises
    RuntimeError for a 0-d tensor. Counterpart: ``torch.diff``.

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
        out = later ^ earlier if out._array.dtype.kind == "b" else later - earlier
    return out


@operation(input=lambda g, indices, input_shape: _scatter(g, indices, input_shape))
def _cummax(input, indices):
    return input[indices]


@operation(input=lambda g, indices, input_shape: _scatter(g, indices, input_shape))
def _cummin(input, indices):
    return input[indices]


def running(operation_: Any, extreme: Any, input: Any, dim: int) -> Any:
    """The extremes of the entries up to each, and where they are: of equal ones, the last."""
    array = np.atleast_1d(input._array)
    dim = wrapped_dim(dim, input._array.ndim)
    best = extreme.accumulate(array, dim)
    here = (array == best) | ((array != array) & (best != best))
    position = np.arange(array.shape[dim]).reshape([-1] + [1] * (array.ndim - 1 - dim))
    indices = np.maximum.accumulate(np.where(here, position, 0), dim)
    return picked(operation_, input, indices.reshape(input._array.shape), dim)


@of_tensor
def cummax(input: Any, dim: int) -> Any:
    """The largest of the entries up to each, along ``dim``, and where they are.

    Of equal ones the last; NaN counts as larger than everything. Counterpart: ``torch.cummax``.

    >>> import minigrad as torch
    >>> torch.cummax(torch.tensor([1.0, 3.0, 2.0]), dim=0)
    torch.return_types.cummax(
    values=tensor([1., 3., 3.]),
    indices=tensor([0, 1, 1]))
    """
    return running(_cummax, np.maximum, input, dim)


@of_tensor
def cummin(input: Any, dim: int) -> Any:
    """The smallest of the entries up to each; as ``cummax``. Counterpart: ``torch.cummin``.

    >>> import minigrad as torch
    >>> torch.cummin(torch.tensor([2.0, 3.0, 1.0]), dim=0).values
    tensor([2., 2., 1.])
    """
    return running(_cummin, np.minimum, input, dim)


@operation(input=lambda g, indices, input_shape: _embed(g, indices, input_shape))
def _kthvalue(input, indices):
    return input[indices]


@of_tensor
def kthvalue(input: Any, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """The ``k``-th smallest entry along ``dim``, counted from 1, and where it is.

    NaN counts as larger than everything. Which index is told of equal entries is not defined.
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
    indices = ordered(array, dim).take([k - 1], dim)
    return picked(_kthvalue, input, indices if ndim else indices.reshape(()), dim, keepdim)


@of_tensor
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The entries (along ``dim``: slices) that differ from the one before them.

    Asked for, beside them: which of them each entry belongs to, and how often each is repeated.
    No derivative: backward raises NotImplementedError.
    Counterpart: ``torch.unique_consecutive``.

    >>> import minigrad as torch
    >>> torch.unique_consecutive(torch.tensor([1, 1, 2, 1]), return_counts=True)
    (tensor([1, 2, 1]), tensor([2, 1, 1]))
    """
    array = input._array
    dim = dim if dim is None else wrapped_dim(dim, array.ndim)
    text = "Dimension specified as {} but tensor has no dimensions"
    ensure(dim is None or array.ndim, text, dim, error=IndexError)
    entries = array.reshape(-1) if dim is None else np.moveaxis(array, dim, 0)
    text = "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
    ensure(0 not in entries.shape[1:], text)
    changed = (entries[1:] != entries[:-1]).any(tuple(range(1, entries.ndim)))
    begins = np.append(np.ones(min(len(entries), 1), bool), changed)
    inverse = np.cumsum(begins) - 1
    counts = np.diff(np.flatnonzero(begins), append=len(entries))
    out = entries[begins] if dim is None else np.moveaxis(entries[begins], 0, dim)
    inverse = inverse.reshape(array.shape if dim is None else -1)
    beside = (inverse, return_inverse), (counts, return_counts)
    return distinct("unique_consecutive", input, out, beside)


# ------------------------------------------------------------------------- scattering, by a rule


@operation(
    name="scatter_reduce",
    input=lambda g, own: g * own,
    src=lambda g, indices, given: g[indices] * given,
)
def _scatter_extreme(input, src, indices, out, own, given):
    """``out``; ``own`` and ``given`` say which share of it belongs to the entries of the two."""
    return out


def scattered_extreme(extreme: Any, input: Any, src: Any, indices: Any) -> Any:
    """The largest (or smallest) of what comes together in one place; those that tie share it."""
    array = input._array
    other = src._array
    out = np.array(array)
    extreme.at(out, indices, other)
    own, given = (ties.astype(array.dtype) for ties in (array == out, other == out[indices]))
    count = with_added(np.array(own), indices, given)
    with np.errstate(all="ignore"):
        return _scatter_extreme(input, src, indices, out, own / count, given / count[indices])


def scattered_mean(input: Any, src: Any, indices: Any, include_self: bool) -> Any:
    """The mean of what comes together in one place; of integers, rounded down."""
    array = input._array
    check_implemented("scatter_gather_tensor_cpu_reduce_mean", array)
    start = np.full(array.shape, include_self, array.dtype)
    count = with_added(start, indices, np.ones_like(src._array))
    count[count == 0] = 1
    rounding = None if array.dtype.kind == "f" else "floor"
    return div(_scatter_add(input, src, indices), new_tensor(count), rounding_mode=rounding)


def least(dtype: Any, sign: int) -> Any:
    """The smallest number of a dtype; with ``sign`` -1 the largest."""
    if dtype.kind == "f":
        return dtype.type(-np.inf * sign)
    if dtype.kind == "b":
        return dtype.type(sign < 0)
    return dtype.type(np.iinfo(dtype).min if sign > 0 else np.iinfo(dtype).max)


def scatter_reduce(
    input: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True
) -> Any:
    """As ``scatter``, but all that comes together in one place is reduced to one entry.

    ``reduce`` is "sum", "mean", "amax" or "amin". With ``include_self=False`` the entries of
    ``input`` count only where nothing is written. Entries that tie for a maximum share its
    gradient. Raises NotImplementedError for "prod". Counterpart: ``torch.scatter_reduce``.

    >>> import minigrad as torch
    >>> places, values = torch.tensor([0, 2, 0]), torch.tensor([1.0, 2.0, 3.0])
    >>> torch.zeros(3).scatter_reduce(0, places, values, "amax")
    tensor([3., 0., 2.])
    """
    tensor_array("scatter_reduce", src, "src", 3)
    indices = along("scatter_reduce", input, dim, index)
    src = source_of("scatter_reduce", input, src, index)
    text = "scatter_reduce(): minigrad does not cover reduce='prod'.\n  fix: of positive numbers, "
    text += "exp of the sum of logarithms; else torch.prod of each group."
    ensure(reduce != "prod", text, error=NotImplementedError)
    text = "reduce argument must be either sum, prod, mean, amax or amin, got {}"
    ensure(reduce in ("sum", "mean", "amax", "amin"), text, reduce)
    dtype = input._array.dtype
    if not include_self:
        neutral = {"amax": least(dtype, 1), "amin": least(dtype, -1)}.get(reduce, dtype.type(0))
        input = _index_put(input, neutral, indices)
    if reduce == "sum":
        return _scatter_add(input, src, indices)
    if reduce == "mean":
        return scattered_mean(input, src, indices, include_self)
    extreme = np.maximum if reduce == "amax" else np.minimum
    return scattered_extreme(extreme, input, src, indices)


# ---------------------------------------------------------------------------- which, and how many


def isin(
    elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False
) -> Any:
    """For each entry of ``elements``: is it among ``test_elements``? Booleans.

    Either may be a number. NaN is not among anything. With ``invert``: is it not?
    Raises RuntimeError for booleans. Counterpart: ``torch.isin``.

    >>> import minigrad as torch
    >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([3, 1]))
    tensor([ True, False,  True])
    """
    if elements.__class__ in NUMBERS:
        pair = elements, tensor_array("isin", test_elements, "test_elements", 2)
    else:
        first = tensor_array("isin", elements, "elements")
        pair = first, operand_of("isin", test_elements, "test_elements", 2)
    kinds = [dtypes.result_dtype((operand,)) for operand in pair]
    ensure(dtypes.bool_ not in kinds, "Unsupported input type encountered for isin(): Bool")
    dtype = dtypes.result_dtype(pair).numpy
    entries, among = (np.asarray(operand).astype(dtype) for operand in pair)
    return new_tensor(np.isin(entries, among, invert=invert))


@operation(
    shown="NotImplemented",
    input=lambda g: no_derivative("histogram"),
    weight=lambda g: no_derivative("histogram"),
)
def _histogram(input, weight, out):
    """``out``, which the two have been counted into."""
    return out


def histogram(
    input: Any, bins: Any = 100, *, range: Any = None, weight: Any = None, density: bool = False
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
    edges = edges_of(array, bins, range)
    text = "torch.histogram(): bins must be > 0, but got {} for dimension 0"
    ensure(edges.size > 1, text, edges.size - 1)
    check_implemented("histogramdd", array, "f")
    heavy = None if weight is None else tensor_array("histogram", weight, "weight").reshape(-1)
    text = "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should "
    fits = heavy is None or (heavy.dtype == array.dtype and heavy.shape == array.shape)
    ensure(fits, text + "have the same dtype and shape")
    hist = counted(array, np.searchsorted(edges, array, "right") - 1, edges, heavy)
    if density:
        with np.errstate(all="ignore"):
            hist = hist / (hist.sum() * np.diff(edges))
    both = [_histogram(input, weight, found) for found in (hist, edges)]
    return named_result("histogram", "hist bin_edges")(*both)


def histc(input: Any, bins: int = 100, min: Any = 0, max: Any = 0) -> Any:
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
    return new_tensor(counted(array, places, edges))


def edges_of(array: Any, bins: Any, range: Any) -> Any:
    """The edges of the bins. Raises RuntimeError for those that make no sense."""
    if isinstance(bins, TensorBase):
        edges = np.array(bins._array)
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
    text = "torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, but got "
    ensure(range is None or len(range) == 2, text + "{}", 0 if range is None else len(range))
    low, high = range or ((array.min(), array.max()) if array.size else (0.0, 1.0))
    text = "torch.histogramdd: dimension 0's range [{:g}, {:g}] is not finite"
    ensure(np.isfinite(low) and np.isfinite(high), text, low, high)
    text = "torch.histogramdd: min should not exceed max, but got min {:g} max {:g} for dimension 0"
    ensure(low <= high, text, low, high)
    if low == high:
        low = low - 0.5
        high = high + 0.5
    return linspace(float(low), float(high), bins + 1, dtype=dtypes.of(array))._array


def counted(array: Any, bins: Any, edges: Any, weight: Any = None) -> Any:
    """How many entries are in each bin, given the bin of each; the last has its right edge."""
    inside = (array >= edges[0]) & (array <= edges[-1])
    bins = np.minimum(bins, edges.size - 2)[inside]
    heavy = None if weight is None else weight[inside]
    return np.bincount(bins, heavy, edges.size - 1).astype(array.dtype)


# ----------------------------------------------------------------------------------- new tensors


def logspace(start, end, steps, base=10.0, *, dtype=None, device=None, requires_grad=False):
    """``base`` to the power of ``steps`` numbers, evenly spaced from ``start`` to ``end``.

    Counterpart: ``torch.logspace``.

    >>> import minigrad as torch
    >>> torch.logspace(0, 3, 4), torch.logspace(0, 3, 4, base=2)
    (tensor([   1.,   10.,  100., 1000.]), tensor([1., 2., 4., 8.]))
    """
    dtype = dtypes.asked("logspace", dtype, dtypes.get_default_dtype())
    check_implemented("logspace_cpu", dtype.numpy.type())
    given = (number_of("logspace", start, "start", 1), number_of("logspace", end, "end", 2))
    first, last = (fitting(number, dtype).item() for number in given)
    working = dtype if dtype.is_floating_point else dtypes.float64
    exponents = linspace(first, last, steps, dtype=working)._array.astype(np.float64)
    with np.errstate(all="ignore"):
        array = (float(base) ** exponents).astype(dtype.numpy)
    return leaf(array, requires_grad, device=device)


def triangle(function: str, indices: Any, which: str) -> Any:
    """The function that makes the indices of the entries on one side of a diagonal."""

    def made(row, col, offset=0, *, dtype=dtypes.int64, device=None):
        for position, (name, size) in enumerate({"row": row, "col": col}.items(), 1):
            if not isinstance(size, int):
                raise wrong_type(function, name, position, "int", size)
            ensure(size >= 0, "{} must be non-negative, got{}", name, size)
        wanted = dtypes.asked(function, dtype, dtypes.int64).numpy
        check_implemented(function, wanted.type(), "i" * (wanted.itemsize > 2))
        array = np.stack(indices(row, offset, col)).astype(wanted)
        return leaf(array, False, device=device)

    words = f"""The indices of a matrix's entries {which} a diagonal: rows, and columns.

    ``offset`` counts diagonals above (or, negative, below) the main one."""
    return titled(made, function, words)


tril_indices = triangle("tril_indices", np.tril_indices, "on and below")
triu_indices = triangle("triu_indices", np.triu_indices, "on and above")


# ---------------------------------------------------------------------------------------- shifts


def shift(name: str, kernel: str, move: Any, symbol: str) -> Any:
    """An operation that moves the bits of integers; no derivative."""

    def moved(x: Any, y: Any) -> Any:
        wanted = dtypes.result_dtype((x, y)).numpy
        check_implemented(kernel, np.empty(0, wanted), "iu")
        return move(x, y, dtype=wanted, casting="unsafe")

    def function(input: Any, other: Any) -> Any:
        if input.__class__ in NUMBERS:
            return paired(lambda y, x: moved(x, y), tensor_array(name, other, "other", 2), input)
        return paired(moved, tensor_array(name, input), operand_of(name, other, "other", 2))

    words = f"``input {symbol} other`` of integers, either of which may be a number; no gradient."
    return titled(function, name, words)


bitwise_left_shift = shift("bitwise_left_shift", "lshift_cpu", np.left_shift, "<<")
bitwise_right_shift = shift("bitwise_right_shift", "rshift_cpu", np.right_shift, ">>")
