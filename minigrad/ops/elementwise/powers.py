"""Powers and roots.

At a corner the choice is PyTorch's: sqrt'(0) = inf, and 0 for the exponent of ``0 ** 0``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...compat.arguments import BOOLEAN, check_implemented, check_power, in_order, refuse_numbers
from ...engine.node import TensorBase
from ...engine.operands import python_number
from ...engine.record import NUMBERS, differentiable
from ..annotations import Array
from .choices import where_, zero
from .exponential import log
from .logic import bitwise_or
from .promotion import promoted_tensors

if TYPE_CHECKING:
    from ..._tensor import Tensor


@differentiable(
    input=lambda g, input, other: g * (other * raised(input, other - 1)) if other != 0 else zero(g),
    other=lambda g: None,
)
def _pow(input: Array, other: float) -> Array:
    """A power whose exponent is a Python number, and so has no derivative."""
    if other >= 0 and other % 1 == 0:
        return input**other
    with np.errstate(all="ignore"):
        return input**other


@differentiable(
    name="pow",
    number=1,
    input=lambda g, input, other: where_(other == 0, 0, g * (other * input ** (other - 1))),
    other=lambda g, input, other, out: g * where_((input == 0) & (other >= 0), 0, out * log(input)),
)
def _pow_tensor(input: Array, other: Array) -> Array:
    with np.errstate(all="ignore"):
        return array_power(input, other)


@differentiable(
    name="pow",
    number=2,
    input=lambda g: None,
    other=lambda g, input, other, out: (
        g * (out * log_of_number(input)) if input != 0 else where_(other >= 0, 0, -g * out)
    ),
)
def _pow_number(input: float, other: Array) -> Array:
    """A power whose base is a Python number, and so has no derivative."""
    with np.errstate(all="ignore"):
        return in_order(array_power(input, other))


def raised(base: Any, exponent: Any) -> Any:
    """``base ** exponent``; an array to the power of 1, as for a square, is not copied."""
    if exponent == 1 and not isinstance(base, TensorBase):
        return base
    return base**exponent


def array_power(base: Array, exponent: Array) -> Array:
    """``base ** exponent``; of integers 0 where it is a fraction, as for negative exponents."""
    dtype = exponent.dtype
    if dtype.kind != "i" or np.result_type(base, exponent).kind == "f":
        if base.__class__ is np.ndarray and base.dtype is not dtype:
            # Before NumPy 2.3, ``**`` overlooks the dtype of an exponent without dimensions.
            return np.power(base, exponent)
        return base**exponent
    whole = (exponent >= 0) | (np.abs(base) == 1)
    return np.where(whole, base ** np.abs(exponent), 0)[()]


def log_of_number(number: float) -> float:
    """The logarithm of a Python number, NaN if it has none."""
    return math.log(number) if number > 0 else math.nan


def pow(input: Any, exponent: Any) -> Tensor:
    """``input ** exponent``, broadcast; either may be a number.

    d/d input = exponent * input**(exponent - 1), and 0 for an exponent of 0;
    d/d exponent = input**exponent * log(input), and 0 at ``0 ** exponent``.
    Raises RuntimeError for a negative number as exponent of integers. Counterpart: ``torch.pow``.

    >>> import minigrad as torch
    >>> torch.pow(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([1., 4., 9.])
    """
    operation = _pow
    if type(exponent) not in NUMBERS:
        if isinstance(input, TensorBase):
            exponent = python_number(exponent)
        elif isinstance(exponent, TensorBase):
            input = python_number(input)
        operation = _pow if type(exponent) in NUMBERS else _pow_tensor
    if isinstance(input, TensorBase):
        array = input._array
        if array.dtype.kind == "f":
            return operation(input, exponent)
        if array.dtype is BOOLEAN and type(exponent) is bool:
            return bitwise_or(input, not exponent)
    check_power(input, exponent)
    if type(input) in NUMBERS:
        return _pow_number(input, exponent)
    if operation is _pow_tensor:
        input, exponent = promoted_tensors("pow", input=input, exponent=exponent)
    return operation(input, exponent)


def square(input: Tensor) -> Tensor:
    """``input ** 2``. Counterpart: ``torch.square``.

    >>> import minigrad as torch
    >>> torch.square(torch.tensor([2.0, -3.0]))
    tensor([4., 9.])
    """
    return pow(input, 2)


@differentiable(floats=True, input=lambda g, out: g / (2 * out))
def sqrt(input: Array) -> Array:
    """The square root; its derivative at 0 is infinite. Counterpart: ``torch.sqrt``.

    >>> import minigrad as torch
    >>> torch.sqrt(torch.tensor([4.0, -1.0]))
    tensor([2., nan])
    """
    with np.errstate(all="ignore"):
        return np.sqrt(input)


@differentiable(floats=True, input=lambda g, out: -0.5 * g * (out * out * out))
def rsqrt(input: Array) -> Array:
    """1 / sqrt(input). Counterpart: ``torch.rsqrt``.

    >>> import minigrad as torch
    >>> torch.rsqrt(torch.tensor([1.0, 4.0]))
    tensor([1.0000, 0.5000])
    """
    with np.errstate(all="ignore"):
        return 1 / np.sqrt(input)


@differentiable(
    input=lambda g, input, out: g * (input / out),
    other=lambda g, other, out: g * (other / out),
)
def hypot(input: Array, other: Array) -> Array:
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
