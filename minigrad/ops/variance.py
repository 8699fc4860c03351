"""Variance and standard deviation."""

from __future__ import annotations

import warnings
from math import inf, nan
from typing import Any

import numpy as np

from ..compat.arguments import in_order, of_tensor
from ..engine.record import operation
from .annotations import Array, Dims
from .elementwise.choices import where_
from .reduction import dims_of, mean, reduced_count, refuse_integers, with_keepdim


def centered(input: Any, dim: tuple[int, ...]) -> Any:
    return input - input.mean(dim, keepdims=True)


def variance_gradient(g: Any, input: Any, dim: tuple[int, ...], share: float | None) -> Any:
    """g times half the derivative of the variance, of which each entry has this share.

    None: of all entries, where nothing is left to divide by. As PyTorch, that is infinite then.
    """
    g = with_keepdim(g, input.shape, dim)
    if share is None:
        return g * where_(input == input.mean(dim, keepdims=True), nan, inf)
    return g * (centered(input, dim) * share)


def mean_square(input: Any, dim: tuple[int, ...], keepdim: Any, n: float) -> Any:
    with np.errstate(all="ignore"):
        total = np.add.reduce(centered(input, dim) ** 2, axis=dim, keepdims=keepdim)
        return in_order(total / n)


@operation(input=lambda g, input, dim, share: variance_gradient(2 * g, input, dim, share))
def _var(input: Array, dim: Dims, keepdim: Any, n: float, share: float | None) -> Array:
    return mean_square(input, dim, keepdim, n)


@operation(
    input=lambda g, input, out, dim, share: variance_gradient(
        where_(out == 0, 0, g / out), input, dim, share
    )
)
def _std(input: Array, dim: Dims, keepdim: Any, n: float, share: float | None) -> Array:
    return np.sqrt(mean_square(input, dim, keepdim, n))


def dispersion(operation_: Any, input: Any, dim: Any, unbiased: Any, keepdim: Any, by: Any) -> Any:
    """What ``var`` and ``std`` have in common: ``by`` is the correction."""
    if isinstance(dim, bool):  # var(False), as in PyTorch
        dim, unbiased = None, dim
    refuse_integers(input, "std and var only support floating point and complex dtypes.")
    shape = input._array.shape
    whole = dim is None or not input._array.ndim
    dim = dims_of(dim, len(shape))
    size = reduced_count(shape, dim)
    n = size - (by if by is not None else unbiased in (None, True))
    if n <= 0 or 0 in shape:
        text = "degrees of freedom is <= 0. Correction should be strictly less than the reduction "
        text += "factor (input numel divided by output numel)."
        warnings.warn(f"{operation_.kind.op}(): {text}", stacklevel=4)
    share = None if whole and n <= 0 else 1 / n if n else inf
    return operation_(input, dim, keepdim, float(n) if n > 0 and size else 0.0, share)


@of_tensor
def var(
    input: Any,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """The variance: the mean squared distance from the mean, along ``dim`` or of all entries.

    The sum of squares is divided by n - ``correction``, 1 unless said; ``unbiased=False`` says 0.
    Warns where that leaves nothing to divide by. Raises RuntimeError for integers.
    Counterpart: ``torch.var``.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0, 3.0, 4.0])
    >>> torch.var(x), torch.var(x, correction=0)
    (tensor(1.6667), tensor(1.2500))
    """
    return dispersion(_var, input, dim, unbiased, keepdim, correction)


@of_tensor
def std(
    input: Any,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """The standard deviation: the root of ``var``, whose arguments it has.

    Its derivative where all entries are equal is 0. Counterpart: ``torch.std``.
    """
    return dispersion(_std, input, dim, unbiased, keepdim, correction)


@of_tensor
def var_mean(
    input: Any,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """``var`` and ``mean``, as a pair; with the arguments of ``var``.

    Counterpart: ``torch.var_mean``.

    >>> import minigrad as torch
    >>> torch.var_mean(torch.tensor([1.0, 2.0, 3.0]))
    (tensor(1.), tensor(2.))
    """
    along = None if isinstance(dim, bool) else dim  # var_mean(x, False), as in PyTorch
    return var(input, dim, unbiased, keepdim, correction=correction), mean(input, along, keepdim)


@of_tensor
def std_mean(
    input: Any,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """``std`` and ``mean``, as a pair; as ``var_mean``. Counterpart: ``torch.std_mean``."""
    along = None if isinstance(dim, bool) else dim
    return std(input, dim, unbiased, keepdim, correction=correction), mean(input, along, keepdim)
