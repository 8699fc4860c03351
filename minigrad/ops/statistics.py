"""Products, medians, distinct entries, counts.

Products are differentiated exactly also where factors are 0; values that are picked by their
size take their gradient along. NaN counts as larger than everything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compat.arguments import check_implemented, ensure, in_order, of_tensor, wrapped_dim
from ..engine.node import TensorBase, new_tensor
from ..engine.record import operation
from .indexing import ALL, _embed
from .reduction import check_not_empty, computed_in, kept, mean, picked, shared, std, summable, var
from .shaping import stack
from .sorting import _cumsum, ordered


@of_tensor
def var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """``var`` and ``mean``, as a pair; with the arguments of ``var``.

    Counterpart: ``torch.var_mean``.

    >>> import minigrad as torch
    >>> torch.var_mean(torch.tensor([1.0, 2.0, 3.0]))
    (tensor(1.), tensor(2.))
    """
    along = None if isinstance(dim, bool) else dim  # var_mean(x, False), as in PyTorch
    return var(input, dim, unbiased, keepdim, correction=correction), mean(input, along, keepdim)


@of_tensor
def std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    """``std`` and ``mean``, as a pair; as ``var_mean``. Counterpart: ``torch.std_mean``."""
    along = None if isinstance(dim, bool) else dim
    return std(input, dim, unbiased, keepdim, correction=correction), mean(input, along, keepdim)


# ------------------------------------------------------------------------------------ products


def others(g: Any, input: Any, out: Any, dim: int) -> Any:
    """For each factor along ``dim``: g times the product of the others."""
    g, out = (kept(t, input.shape, (dim,)) for t in (g, out))
    if input.shape[dim] != 1 and (input != 0).all():
        return g * (out / input)
    factors = rows(input, dim)
    return chained([0] * (len(factors) - 1) + rows(g, dim), factors, dim)


def rows(tensor: Any, dim: int) -> list[Any]:
    return [tensor[(ALL,) * dim + (i,)] for i in range(tensor.shape[dim])]


def chained(gradients: list[Any], factors: list[Any], dim: int) -> Any:
    """The gradient of running products, given that of each; without a division, so exact at 0.

    What comes after a factor: its own product's gradient, plus the next factor times what comes
    after that. What came before it: the product of the factors up to there.
    """
    after = gradients[-1:]
    before = 1
    parts = []
    for g, following in zip(gradients[-2::-1], factors[:0:-1]):
        after.append(g + following * after[-1])
    for factor in factors:
        parts.append(before * after.pop())
        before = before * factor
    return (stack if isinstance(factors[0], TensorBase) else np.stack)(parts, dim)


@operation(input=lambda g, input, out: others(g, input.reshape(-1), out, 0).reshape(input.shape))
def _prod(input):
    return np.multiply.reduce(input, axis=None)


@operation(name="prod", number=1, input=lambda g, input, out, dim: others(g, input, out, dim))
def _prod_dim(input, dim, keepdim):
    return in_order(np.multiply.reduce(input, axis=dim, keepdims=keepdim))


@of_tensor
def prod(input: Any, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The product of all entries, or along one dimension; of integers, as int64.

    The derivative is the product of the other entries, also where some are 0.
    Counterpart: ``torch.prod``.

    >>> import minigrad as torch
    >>> x = torch.tensor([2.0, 0.0, 4.0], requires_grad=True)
    >>> torch.prod(x).backward()
    >>> x.grad
    tensor([0., 8., 0.])
    """
    if dtype is not None:
        return computed_in(dtype, prod, input, dim, keepdim)
    input, ndim = summable(input), input._array.ndim
    if dim is None or not ndim:
        return _prod(input)
    return _prod_dim(input, wrapped_dim(dim, ndim), keepdim)


def cumprod_slope(g: Any, input: Any, out: Any, dim: int) -> Any:
    if not input.shape or input.shape[dim] == 1:
        return g
    if (input != 0).all():
        return _cumsum(g * out, dim, True) / input
    return chained(rows(g, dim), rows(input, dim), dim)


@operation(input=lambda g, input, out, dim: cumprod_slope(g, input, out, dim))
def _cumprod(input, dim):
    return in_order(np.multiply.accumulate(np.atleast_1d(input), dim).reshape(input.shape))


@of_tensor
def cumprod(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """The products of the entries up to each, along ``dim``; of integers, as int64.

    The derivative is exact also where some entries are 0. Counterpart: ``torch.cumprod``.
    """
    if dtype is not None:
        products = computed_in(dtype, cumprod, input, dim)
        check_implemented("cumprod_out_cpu", products._array)
        return products
    input = summable(input)
    return _cumprod(input, wrapped_dim(dim, input._array.ndim))


# ------------------------------------------------------------------------------ by their rank


@operation(input=lambda g, input, out: shared(g, input, out))
def _median(input):
    if not input.size:
        return np.full((), np.nan).astype(input.dtype)[()]
    check_implemented("median_cpu", input)
    entries = np.sort(input, axis=None)  # NaN comes last
    return entries[-1 if entries[-1] != entries[-1] else (input.size - 1) // 2]


@operation(
    name="median", number=1, input=lambda g, indices, input_shape: _embed(g, indices, input_shape)
)
def _median_dim(input, indices):
    return input[indices]


@of_tensor
def median(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
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
    indices = ordered(array, dim).take([(array.shape[dim] - 1) // 2], dim)
    nans = array != array
    if nans.any():  # `argmax` finds the first
        indices = np.where(nans.any(dim, keepdims=True), nans.argmax(dim, keepdims=True), indices)
    return picked(_median_dim, input, indices if ndim else indices.reshape(()), dim, keepdim)


# ------------------------------------------------------------------------------------- counting


def underived(function: str) -> None:
    """Raise NotImplementedError, as PyTorch, for a derivative that there is not."""
    raise NotImplementedError(f"the derivative for '{function}' is not implemented.")


@operation(shown="NotImplemented", input=lambda g, function: underived(function))
def _distinct(input, out, function):
    """``out``, entries of ``input``; which, is for its values to say."""
    return out


def distinct(function: str, input: Any, out: Any, beside: Any) -> Any:
    """The distinct entries, and those of the counts beside them that are wanted."""
    counts = tuple(new_tensor(array) for array, wanted in beside if wanted)
    values = _distinct(input, out, function)
    return (values, *counts) if counts else values


@of_tensor
def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The distinct entries (along ``dim``: slices) in ascending order.

    Asked for, beside them: which of them each entry is, and how often each occurs.
    No derivative: backward raises NotImplementedError.
    Counterpart: ``torch.unique``.

    >>> import minigrad as torch
    >>> torch.unique(torch.tensor([3, 1, 3]), return_counts=True)
    (tensor([1, 3]), tensor([1, 2]))
    """
    dim = dim if dim is None else wrapped_dim(dim, input._array.ndim)
    array = input._array
    out, _, inverse, counts = np.unique(array, True, True, True, dim, equal_nan=False)
    inverse = inverse.reshape(input.shape if dim is None else -1)
    return distinct("_unique2", input, out, ((inverse, return_inverse), (counts, return_counts)))


@of_tensor
def bincount(input: Any, weights: Any = None, minlength: int = 0) -> Any:
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
        return new_tensor(np.bincount(array, minlength=minlength))
    heavy = weights._array
    text = "weights should be 1-d and have the same length as input"
    ensure(heavy.shape == array.shape, text)
    out = np.bincount(array, heavy, minlength)
    return new_tensor(out.astype(heavy.dtype) if heavy.dtype.kind == "f" else out)
