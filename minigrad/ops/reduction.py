"""Operations that make fewer numbers out of many: sums, means, extremes, variances, norms.

The derivative of a sum spreads the gradient over what was summed; that of a maximum gives it
to the largest entry. If the maximum comes with an index, the entry at that index gets it all;
if not, tied entries share it evenly.
"""

from __future__ import annotations

import warnings
from math import inf, nan, prod
from typing import Any

import numpy as np

from .. import dtypes
from ..compat.arguments import ensure, in_order, of_tensor, wrapped_dim, wrapped_dims
from ..engine.node import TensorBase, new_tensor
from ..engine.operands import to_dtype
from ..engine.record import differentiable, operation
from .elementwise import maximum, minimum, where_
from .functions import abs, exp, sign
from .indexing import _embed
from .results import named_result
from .shaping import _expand


def dims_of(dim: Any, ndim: int) -> tuple[int, ...]:
    """The dimensions to reduce, from the front; none given means all."""
    if dim.__class__ is int and -ndim <= dim < ndim:  # the usual case, quickly
        return (dim % ndim,)
    found = () if dim is None else wrapped_dims(dim, ndim)
    return (found or tuple(range(ndim))) if ndim else ()


def kept(reduced: Any, shape: tuple[int, ...], dim: tuple[int, ...]) -> Any:
    """The result of reducing this shape, where each reduced dimension has size 1."""
    return reduced.reshape(tuple(1 if d in dim else size for d, size in enumerate(shape)))


def spread(g: Any, shape: tuple[int, ...], dim: tuple[int, ...]) -> Any:
    """A reduced gradient, repeated along the dimensions that were reduced."""
    return _expand(kept(g, shape, dim), shape)


def count(shape: tuple[int, ...], dim: tuple[int, ...]) -> int:
    return prod(shape[d] for d in dim)


def summable(input: Any, whole: dtypes.dtype = dtypes.int64) -> Any:
    """The tensor, with integers and booleans as ``whole``."""
    return input if input._array.dtype.kind == "f" else to_dtype(input, whole.numpy)


def computed_in(dtype: Any, function: Any, input: Any, *options: Any) -> Any:
    """What the function makes of the tensor in this dtype, in this dtype.

    Integers go through 64 bits; the lower ones, which stay, are the same as without.
    """
    wanted = dtypes.asked(function.__name__, dtype).numpy
    return to_dtype(function(to_dtype(input, wanted), *options), wanted)


def refuse_integers(input: Any, text: str) -> None:
    if input._array.dtype.kind != "f":
        raise RuntimeError(f"{text} Got: {dtypes.of(input._array).title}")


# ------------------------------------------------------------------------------ sums and means


@differentiable(input=lambda g, input_shape: _expand(g, input_shape))
def _sum(input):
    return np.add.reduce(input, axis=None)


@operation(name="sum", number=1, input=lambda g, input_shape, dim: spread(g, input_shape, dim))
def _sum_dim(input, dim, keepdim):
    out = np.add.reduce(input, axis=dim, keepdims=keepdim)
    return out if out.flags.c_contiguous else out.copy()  # `in_order`, in haste


@of_tensor
def sum(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The sum of all entries, or along the dimensions ``dim`` (an int or several).

    Integers and booleans are summed as int64, unless ``dtype`` says otherwise. The gradient of
    a sum goes, unchanged, to every entry that was summed. Counterpart: ``torch.sum``.

    >>> import minigrad as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> torch.sum(x), torch.sum(x, dim=1)
    (tensor(10.), tensor([3., 7.]))
    """
    if dtype is not None:
        return computed_in(dtype, sum, input, dim, keepdim)
    input = summable(input)
    if dim is None and not keepdim:
        return _sum(input)
    return _sum_dim(input, dims_of(dim, input._array.ndim), keepdim)


@differentiable(input=lambda g, input_shape: _expand(g / prod(input_shape), input_shape))
def _mean(input):
    return np.add.reduce(input, axis=None) / (input.size or np.nan)


@operation(
    name="mean",
    number=1,
    input=lambda g, input_shape, dim: spread(g / count(input_shape, dim), input_shape, dim),
)
def _mean_dim(input, dim, keepdim):
    out = np.add.reduce(input, axis=dim, keepdims=keepdim) / (count(input.shape, dim) or np.nan)
    return in_order(out)


@of_tensor
def mean(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The average of all entries, or along the dimensions ``dim``.

    Raises RuntimeError for integers: say ``dtype=``, or ``.float()`` first. The mean of nothing
    is NaN. Counterpart: ``torch.mean``.

    >>> import minigrad as torch
    >>> torch.mean(torch.tensor([1.0, 2.0, 6.0]))
    tensor(3.)
    """
    if dtype is not None:
        input = to_dtype(input, dtypes.asked("mean", dtype).numpy)
    refuse_integers(input, "mean(): could not infer output dtype. Input dtype must be floating.")
    if dim is None and not keepdim:
        return _mean(input)
    return _mean_dim(input, dims_of(dim, input._array.ndim), keepdim)


# ---------------------------------------------------------------------------- maximum, minimum


def shared(g: Any, input: Any, out: Any) -> Any:
    """The gradient, split evenly between the entries that tie; NaN ties with NaN."""
    ties = (input == out) | ((input != input) & (out != out))
    return where_(ties, g / int(ties.sum()), 0)


@operation(number=1, input=lambda g, input, out: shared(g, input, out))
def _max(input):
    return np.maximum.reduce(input, axis=None)


@operation(number=1, input=lambda g, input, out: shared(g, input, out))
def _min(input):
    return np.minimum.reduce(input, axis=None)


def places(indices: Any, dim: int, keepdim: bool = True) -> tuple[Any, ...]:
    """Where an array has the entries with these indices along ``dim``, as an index of it.

    Without ``keepdim``, that dimension (of size 1) is left out of the result.
    """
    grid = [
        np.arange(size).reshape((-1,) + (1,) * (indices.ndim - 1 - d - (d < dim and not keepdim)))
        for d, size in enumerate(indices.shape)
    ]
    grid[dim : dim + 1] = [indices if keepdim else indices.squeeze(dim)] if grid else []
    return tuple(grid)


@operation(name="max", input=lambda g, indices, input_shape: _embed(g, indices, input_shape))
def _max_dim(input, indices):
    return input[indices]


@operation(name="min", input=lambda g, indices, input_shape: _embed(g, indices, input_shape))
def _min_dim(input, indices):
    return input[indices]


def check_not_empty(function: str, array: Any, dim: Any) -> None:
    """Raise what PyTorch raises where there is no entry to be the largest."""
    if array.size:
        return
    text = "{}(): Expected reduction dim to be specified for input.numel() == 0."
    kind = IndexError if function.startswith("arg") else RuntimeError
    ensure(dim not in (None, (), []), text, function, error=kind)
    for d in dims_of(dim, array.ndim):
        text = "{}(): Expected reduction dim {} to have non-zero size."
        ensure(array.shape[d], text, function, d, error=IndexError)


def picked(operation_: Any, input: Any, indices: Any, dim: int, keepdim: bool = True) -> Any:
    """The entries at these indices along ``dim``, and the indices."""
    dim = wrapped_dim(dim, indices.ndim)
    values = operation_(input, places(in_order(indices), dim, keepdim))
    result = named_result(operation_.kind.op, "values indices")
    return result(values, new_tensor(in_order(indices.reshape(values._array.shape))))


def position(function: str, input: Any, dim: Any, keepdim: bool) -> Any:
    """What NumPy's ``argmax`` or ``argmin`` finds, as an array."""
    array = np.asarray(input._array)
    axis = None if dim is None else wrapped_dim(dim, array.ndim)
    return np.asarray(getattr(array, function)(axis=axis if array.ndim else None, keepdims=keepdim))


def extreme(
    input: Any, other: Any, dim: Any, keepdim: bool, pair: Any, whole: Any, along: Any
) -> Any:
    """The three forms that ``max`` and ``min`` have; the second argument is either of two."""
    if isinstance(other, TensorBase):
        return pair(input, other)
    dim = other if dim is None else dim
    function = along.kind.op
    check_not_empty(function, input._array, dim)
    if dim is None:
        return whole(input)
    return picked(along, input, position(f"arg{function}", input, dim, True), dim, keepdim)


@of_tensor
def max(input: Any, other: Any = None, keepdim: bool = False, *, dim: Any = None) -> Any:
    """The largest entry; or, along ``dim``, the largest ones and where they are.

    Over all entries, tied ones share the gradient evenly; along a dimension the entry at the
    returned index gets it all. Raises RuntimeError for an empty tensor. ``max(a, b)`` of two
    tensors is ``maximum(a, b)``; ``max(a, 1)`` is ``max(a, dim=1)``. Counterpart: ``torch.max``.

    >>> import minigrad as torch
    >>> torch.max(torch.tensor([1.0, 3.0, 2.0]))
    tensor(3.)
    >>> torch.max(torch.tensor([[1.0, 3.0], [5.0, 4.0]]), dim=1)
    torch.return_types.max(
    values=tensor([3., 5.]),
    indices=tensor([1, 0]))
    """
    return extreme(input, other, dim, keepdim, maximum, _max, _max_dim)


@of_tensor
def min(input: Any, other: Any = None, keepdim: bool = False, *, dim: Any = None) -> Any:
    """The smallest entry; or, along ``dim``, the smallest ones and where they are.

    As ``max`` otherwise. Counterpart: ``torch.min``.
    """
    return extreme(input, other, dim, keepdim, minimum, _min, _min_dim)


def evenly(g: Any, input: Any, out: Any, dim: tuple[int, ...]) -> Any:
    """The gradient along ``dim``, split evenly between the entries that tie with the result."""
    ties = input == kept(out, input.shape, dim)
    return ties * (kept(g, input.shape, dim) / ties.sum(dim, keepdims=True))


@operation(input=lambda g, input, out, dim: evenly(g, input, out, dim))
def _amax(input, dim, keepdim):
    return in_order(np.maximum.reduce(input, axis=dim, keepdims=keepdim))


@operation(input=lambda g, input, out, dim: evenly(g, input, out, dim))
def _amin(input, dim, keepdim):
    return in_order(np.minimum.reduce(input, axis=dim, keepdims=keepdim))


@of_tensor
def amax(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The largest entries along the dimensions ``dim``; tied ones share the gradient evenly.

    Raises IndexError for a dimension of size 0. Counterpart: ``torch.amax``.

    >>> import minigrad as torch
    >>> torch.amax(torch.tensor([[1.0, 3.0], [5.0, 4.0]]), dim=(0, 1))
    tensor(5.)
    """
    check_not_empty("amax", input._array, dim)
    return _amax(input, dims_of(dim, input._array.ndim), keepdim)


@of_tensor
def amin(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The smallest entries along the dimensions ``dim``. Counterpart: ``torch.amin``."""
    check_not_empty("amin", input._array, dim)
    return _amin(input, dims_of(dim, input._array.ndim), keepdim)


def found_at(function: str, input: Any, dim: Any, keepdim: bool) -> Any:
    ensure(input._array.dtype.kind != "b", "{}(): does not support bool input", function)
    check_not_empty(function, input._array, dim)
    return new_tensor(position(function, input, dim, keepdim))


@of_tensor
def argmax(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The index of the largest entry (in the flattened tensor, or along ``dim``).

    Of equal ones the first. An index cannot move a little, so it has no gradient. Raises
    RuntimeError for booleans. Counterpart: ``torch.argmax``.

    >>> import minigrad as torch
    >>> torch.argmax(torch.tensor([1.0, 3.0, 2.0]))
    tensor(1)
    """
    return found_at("argmax", input, dim, keepdim)


@of_tensor
def argmin(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The index of the smallest entry; as ``argmax`` otherwise. Counterpart: ``torch.argmin``."""
    return found_at("argmin", input, dim, keepdim)


# ------------------------------------------------------------------------------ truth, counting


def judged(combine: Any, input: Any, dim: Any, keepdim: bool) -> Any:
    """All or any, as booleans; of uint8 as uint8, which was PyTorch's boolean once."""
    array = input._array
    axes = None if dim is None else wrapped_dims(dim, array.ndim)[: array.ndim]
    out = in_order(combine.reduce(array, axis=axes, keepdims=keepdim, dtype=bool))
    return new_tensor(out.astype(array.dtype) if array.dtype == np.uint8 else out)


@of_tensor
def all(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Are all entries true (not 0), or all along ``dim``? Booleans. Counterpart: ``torch.all``.

    >>> import minigrad as torch
    >>> torch.all(torch.tensor([[True, True], [True, False]]), dim=1)
    tensor([ True, False])
    """
    return judged(np.logical_and, input, dim, keepdim)


@of_tensor
def any(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """Is any entry true (not 0), or any along ``dim``? Counterpart: ``torch.any``."""
    return judged(np.logical_or, input, dim, keepdim)


@of_tensor
def count_nonzero(input: Any, dim: Any = None) -> Any:
    """How many entries are not 0, as int64. Counterpart: ``torch.count_nonzero``."""
    return sum(input != 0, dim)


# ------------------------------------------------------------------- variance, deviation, norms


def centred(input: Any, dim: tuple[int, ...]) -> Any:
    return input - input.mean(dim, keepdims=True)


def sloped(g: Any, input: Any, dim: tuple[int, ...], share: float | None) -> Any:
    """g times half the derivative of the variance, of which each entry has this share.

    None: of all entries, where nothing is left to divide by. As PyTorch, that is infinite then.
    """
    g = kept(g, input.shape, dim)
    if share is None:
        return g * where_(input == input.mean(dim, keepdims=True), nan, inf)
    return g * (centred(input, dim) * share)


def mean_square(input: Any, dim: tuple[int, ...], keepdim: Any, n: float) -> Any:
    with np.errstate(all="ignore"):
        total = np.add.reduce(centred(input, dim) ** 2, axis=dim, keepdims=keepdim)
        return in_order(total / n)


@operation(input=lambda g, input, dim, share: sloped(2 * g, input, dim, share))
def _var(input, dim, keepdim, n, share):
    return mean_square(input, dim, keepdim, n)


@operation(
    input=lambda g, input, out, dim, share: sloped(where_(out == 0, 0, g / out), input, dim, share)
)
def _std(input, dim, keepdim, n, share):
    return np.sqrt(mean_square(input, dim, keepdim, n))


def scattered(operation_: Any, input: Any, dim: Any, unbiased: Any, keepdim: Any, by: Any) -> Any:
    """What ``var`` and ``std`` have in common: ``by`` is the correction."""
    if isinstance(dim, bool):  # var(False), as in PyTorch
        dim, unbiased = None, dim
    refuse_integers(input, "std and var only support floating point and complex dtypes.")
    shape = input._array.shape
    whole = dim is None or not input._array.ndim
    dim = dims_of(dim, len(shape))
    size = count(shape, dim)
    n = size - (by if by is not None else unbiased in (None, True))
    if n <= 0 or 0 in shape:
        text = "degrees of freedom is <= 0. Correction should be strictly less than the reduction "
        text += "factor (input numel divided by output numel)."
        warnings.warn(f"{operation_.kind.op}(): {text}", stacklevel=4)
    share = None if whole and n <= 0 else 1 / n if n else inf
    return operation_(input, dim, keepdim, float(n) if n > 0 and size else 0.0, share)


@of_tensor
def var(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The variance: the mean squared distance from the mean, along ``dim`` or of all entries.

    The sum of squares is divided by n - ``correction``, 1 unless said; ``unbiased=False`` says 0.
    Warns where that leaves nothing to divide by. Raises RuntimeError for integers.
    Counterpart: ``torch.var``.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0, 3.0, 4.0])
    >>> torch.var(x), torch.var(x, correction=0)
    (tensor(1.6667), tensor(1.2500))
    """
    return scattered(_var, input, dim, unbiased, keepdim, correction)


@of_tensor
def std(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """The standard deviation: the root of ``var``, whose arguments it has.

    Its derivative where all entries are equal is 0. Counterpart: ``torch.std``.
    """
    return scattered(_std, input, dim, unbiased, keepdim, correction)


def powered(g: Any, input: Any, out: Any, p: float, dim: tuple[int, ...]) -> Any:
    if p == 0:  # a number of entries
        return None
    g, out = (kept(t, input.shape, dim) for t in (g, out))
    if p in (inf, -inf):
        return where_(out == out, sign(input) * evenly(g, abs(input), out, dim), 0)
    if p == 2:
        return input * (g * where_(out == 0, 0, 1 / out))
    steep = where_(input == 0, 0, abs(input) ** (p - 1))
    return sign(input) * steep * where_(out == 0, 0, g * out ** (1 - p))


@operation(
    name="linalg_vector_norm", input=lambda g, input, out, p, dim: powered(g, input, out, p, dim)
)
def _norm(input, p, dim, keepdim):
    if p == 0:
        out = np.add.reduce(input != 0, axis=dim, keepdims=keepdim, dtype=input.dtype)
        return in_order(out)
    if p in (inf, -inf):
        extreme = np.maximum if p > 0 else np.minimum
        return in_order(extreme.reduce(np.abs(input), axis=dim, keepdims=keepdim))
    if p == 2 and len(dim) == input.ndim > 0 and not keepdim:  # BLAS, without a temporary
        return np.sqrt(np.vdot(input, input))
    with np.errstate(all="ignore"):
        powers = input * input if p == 2 else np.abs(input) ** p
        return in_order(np.add.reduce(powers, axis=dim, keepdims=keepdim) ** (1 / p))


@of_tensor
def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    """(Σ |input|**p) ** (1 / p), over all entries or along ``dim``; the length, for p = 2.

    ``p`` may also be inf (the largest absolute value), -inf (the smallest) or 0 (how many are
    not 0). At the zero vector the derivative is 0. Raises RuntimeError for integers.
    Counterpart: ``torch.norm``.

    >>> import minigrad as torch
    >>> x = torch.tensor([3.0, -4.0])
    >>> torch.norm(x), torch.norm(x, p=1)
    (tensor(5.), tensor(7.))
    """
    refuse_integers(input, "linalg.vector_norm: Expected a floating point or complex tensor.")
    if dtype is not None:
        input = to_dtype(input, dtypes.asked("norm", dtype).numpy)
    known = not isinstance(p, str) or p == "fro"
    ensure(known, "linalg.matrix_norm: Order {} not supported.", p)
    p = 2.0 if p in ("fro", None) else float(p)
    dim = dims_of(dim, input._array.ndim)
    fits = (0 <= p < inf) or count(input._array.shape, dim)
    ensure(fits, "linalg.vector_norm cannot compute the {} norm on an empty tensor", p)
    return _norm(input, p, dim, keepdim)


@operation(
    input=lambda g, input, out, dim: (
        kept(g, input.shape, dim) * exp(input - kept(out, input.shape, dim))
    )
)
def _logsumexp(input, dim, keepdim):
    with np.errstate(all="ignore"):
        top = np.maximum.reduce(input, axis=dim, keepdims=True, initial=-inf)
        top = np.where(np.isfinite(top), top, 0)
        powers = np.asarray(input - top)
        out = np.log(np.add.reduce(np.exp(powers, out=powers), axis=dim, keepdims=True)) + top
        return in_order(out if keepdim else out.squeeze(dim))


@of_tensor
def logsumexp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    """log(Σ exp(input)) along the dimensions ``dim``, without overflow.

    Its derivative is the softmax. Counterpart: ``torch.logsumexp``.

    >>> import minigrad as torch
    >>> torch.logsumexp(torch.tensor([1000.0, 1000.0]), dim=0)
    tensor(1000.6932)
    """
    input, ndim = summable(input, dtypes.get_default_dtype()), input._array.ndim
    unfit = dim in ((), []) and ndim and not keepdim
    ensure(not unfit, "output with shape [] doesn't match the broadcast shape {}", [1] * ndim)
    return _logsumexp(input, dims_of(dim, ndim), keepdim)
