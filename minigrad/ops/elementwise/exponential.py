"""Exponentials and logarithms.

A function whose derivative follows from its result saves that (``exp``), the others their input
(``log``).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...compat.arguments import check_implemented, refuse_numbers
from ...engine.record import NUMBERS, differentiable
from ..annotations import Array
from .choices import clamp, where_
from .promotion import promoted_operands, promoted_tensors

if TYPE_CHECKING:
    from ..._tensor import Tensor


@differentiable(floats=True, input=lambda g, out: g * out)
def exp(input: Array) -> Array:
    """e to the power of ``input``. Counterpart: ``torch.exp``.

    >>> import minigrad as torch
    >>> torch.exp(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 2.7183])
    """
    with np.errstate(all="ignore"):
        return np.exp(input)


@differentiable(floats=True, input=lambda g, out: g * (out * math.log(2)))
def exp2(input: Array) -> Array:
    """2 to the power of ``input``. Counterpart: ``torch.exp2``.

    >>> import minigrad as torch
    >>> torch.exp2(torch.tensor([0.5, 3.0]))
    tensor([1.4142, 8.0000])
    """
    return np.exp2(input)


@differentiable(floats=True, input=lambda g, out: g * (out + 1))
def expm1(input: Array) -> Array:
    """exp(input) - 1, exact also near 0. Counterpart: ``torch.expm1``.

    >>> import minigrad as torch
    >>> torch.expm1(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.7183])
    """
    return np.expm1(input)


@differentiable(floats=True, input=lambda g, input: g / input)
def log(input: Array) -> Array:
    """The natural logarithm: -inf at 0, NaN below. Counterpart: ``torch.log``.

    >>> import minigrad as torch
    >>> torch.log(torch.tensor([1.0, 0.0]))
    tensor([0., -inf])
    """
    with np.errstate(all="ignore"):
        return np.log(input)


@differentiable(floats=True, input=lambda g, input: g / (input * math.log(2)))
def log2(input: Array) -> Array:
    """The logarithm to base 2. Counterpart: ``torch.log2``.

    >>> import minigrad as torch
    >>> torch.log2(torch.tensor([3.0, 8.0]))
    tensor([1.5850, 3.0000])
    """
    with np.errstate(all="ignore"):
        return np.log2(input)


@differentiable(floats=True, input=lambda g, input: g / (input * math.log(10)))
def log10(input: Array) -> Array:
    """The logarithm to base 10. Counterpart: ``torch.log10``.

    >>> import minigrad as torch
    >>> torch.log10(torch.tensor([2.0, 1000.0]))
    tensor([0.3010, 3.0000])
    """
    with np.errstate(all="ignore"):
        return np.log10(input)


@differentiable(
    shown="Log1PBackward0",
    floats=True,
    input=lambda g, input: g / (input + 1),
)
def log1p(input: Array) -> Array:
    """log(1 + input), exact also near 0. Counterpart: ``torch.log1p``.

    >>> import minigrad as torch
    >>> torch.log1p(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.6931])
    """
    with np.errstate(all="ignore"):
        return np.log1p(input)


@differentiable(
    input=lambda g, input, other: g / (1 + exp(other - input)),
    other=lambda g, input, other: g / (1 + exp(input - other)),
)
def logaddexp(input: Array, other: Array) -> Array:
    """log(exp(input) + exp(other)), without overflow. Counterpart: ``torch.logaddexp``.

    >>> import minigrad as torch
    >>> torch.logaddexp(torch.tensor([0.0, 1.0]), torch.tensor([0.0, 2.0]))
    tensor([0.6931, 2.3133])
    """
    refuse_numbers("logaddexp", input, other)
    check_implemented("logaddexp_cpu", input + other, "f")
    return np.logaddexp(input, other)


@differentiable(
    floats=True,
    input=lambda g, input, other: where_((input == 0) & (other <= 0), 0, g * log(other)),
    other=lambda g, input, other: g * input / other,
)
def _xlogy(input: Array, other: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.where((input == 0) & (other == other), 0, input * np.log(other))[()]


def xlogy(input: Any, other: Any) -> Tensor:
    """input * log(other), and 0 where ``input`` is 0. Counterpart: ``torch.xlogy``.

    >>> import minigrad as torch
    >>> torch.xlogy(torch.tensor([0.0, 2.0]), torch.tensor([0.0, 1.0]))
    tensor([0., 0.])
    """
    operands = [float(t) if type(t) in NUMBERS else t for t in (input, other)]
    return _xlogy(*promoted_tensors("xlogy", input=operands[0], other=operands[1]))


@differentiable(
    floats=True,
    input=lambda g, input: g / logit_denominator(input),
)
def _logit(input: Array) -> Array:
    with np.errstate(all="ignore"):
        return np.log(input / (1 - input))


def logit_denominator(p: Any) -> Any:
    """p * (1 - p), the denominator of the derivative; NaN for what is no probability."""
    product = p * (1 - p)
    return where_(product < 0, math.nan, product)


def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """log(input / (1 - input)), the inverse of ``sigmoid``.

    With ``eps`` the input is clamped to eps and 1 - eps first. Counterpart: ``torch.logit``.

    >>> import minigrad as torch
    >>> torch.logit(torch.tensor([0.5, 0.75]))
    tensor([0.0000, 1.0986])
    """
    if eps is None or eps < 0:
        return _logit(input)
    floats = promoted_operands("logit", input=input, eps=float(eps))[0]
    return _logit(clamp(floats, eps, 1 - eps))
