"""Variance and standard deviation."""

from __future__ import annotations

import warnings
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compat.arguments import in_order, of_tensor
from ..engine.record import operation
from .annotations import Array, Dims
from .elementwise.choices import where_
from .reduction import count, dims_of, mean, refuse_integers, with_keepdim

if TYPE_CHECKING:
    from .._tensor import Tensor


def centered(input: Any, dim: Dims) -> Any:
    """Each entry's distance from the mean."""
    return input - input.mean(dim, keepdims=True)


def half_variance_gradient(g: Any, input: Any, dim: Dims, share: float | None) -> Any:
    """The gradient of half the variance: ``g * (input - mean) / n``, where ``share`` is 1 / n.

    ``share`` is None if all entries were reduced and n is not positive. As in PyTorch, the
    derivative is infinite then, and NaN for an entry that is equal to the mean.
    """
    g = with_keepdim(g, input.shape, dim)
    if share is None:
        return g * where_(input == input.mean(dim, keepdims=True), nan, inf)
    return g * (centered(input, dim) * share)


def mean_square(input: Array, dim: Dims, keepdim: Any, n: float) -> Array:
    """The sum of the squared distances from the mean, divided by ``n``."""
    with np.errstate(all="ignore"):
        total = np.add.reduce(centered(input, dim) ** 2, axis=dim, keepdims=keepdim)
        return in_order(total / n)


@operation(
    input=lambda g, input, dim, share: half_variance_gradient(2 * g, input, dim, share),
)
def _var(input: Array, dim: Dims, keepdim: Any, n: float, share: float | None) -> Array:
    return mean_square(input, dim, keepdim, n)


@operation(
    input=lambda g, input, out, dim, share: half_variance_gradient(
        where_(out == 0, 0, g / out), input, dim, share
    ),
)
def _std(input: Array, dim: Dims, keepdim: Any, n: float, share: float | None) -> Array:
    return np.sqrt(mean_square(input, dim, keepdim, n))


def dispersion(
    operation_: Any, input: Any, dim: Any, unbiased: Any, keepdim: bool, correction: Any
) -> Any:
    """``_var`` or ``_std`` of a tensor, with the arguments that ``var`` and ``std`` have."""
    if isinstance(dim, bool):  # var(False), as in PyTorch
        unbiased = dim
        dim = None
    refuse_integers(input, "std and var only support floating point and complex dtypes.")
    shape = input._array.shape
    everything = dim is None or not shape
    dim = dims_of(dim, len(shape))
    size = count(shape, dim)
    if correction is None:
        correction = unbiased in (None, True)
    n = size - correction  # the degrees of freedom
    if n <= 0 or 0 in shape:
        text = "degrees of freedom is <= 0. Correction should be strictly less than the reduction "
        text += "factor (input numel divided by output numel)."
        warnings.warn(f"{operation_.kind.op}(): {text}", stacklevel=4)
    if everything and n <= 0:
        share = None
    elif n == 0:
        share = inf
    else:
        share = 1 / n
    divisor = float(n) if n > 0 and size else 0.0
    return operation_(input, dim, keepdim, divisor, share)


@of_tensor
def var(
    input: Tensor,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Tensor:
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
    input: Tensor,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Tensor:
    """The standard deviation: the root of ``var``, whose arguments it has.

    Its derivative where all entries are equal is 0. Counterpart: ``torch.std``.

    >>> import minigrad as torch
    >>> torch.std(torch.tensor([1.0, 2.0, 3.0]))
    tensor(1.)
    """
    return dispersion(_std, input, dim, unbiased, keepdim, correction)


@of_tensor
def var_mean(
    input: Tensor,
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
    variance = var(input, dim, unbiased, keepdim, correction=correction)
    return variance, mean_along(input, dim, keepdim)


@of_tensor
def std_mean(
    input: Tensor,
    dim: Any = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
) -> Any:
    """``std`` and ``mean``, as a pair; as ``var_mean``. Counterpart: ``torch.std_mean``.

    >>> import minigrad as torch
    >>> torch.std_mean(torch.tensor([1.0, 2.0, 3.0]))
    (tensor(1.), tensor(2.))
    """
    deviation = std(input, dim, unbiased, keepdim, correction=correction)
    return deviation, mean_along(input, dim, keepdim)


def mean_along(input: Any, dim: Any, keepdim: bool) -> Any:
    """The mean, where a boolean in the place of ``dim`` means ``unbiased``: var_mean(x, False)."""
    if isinstance(dim, bool):
        dim = None
    return mean(input, dim, keepdim)
