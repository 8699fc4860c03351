"""Functions of a number: powers, exponentials, logarithms, angles, kinks and steps.

Each rule is the line that you would find in a table of derivatives, times ``g``. A function whose
derivative follows from its result saves that (``exp``), the others their input (``log``). At a
kink the choice is PyTorch's: relu'(0) = 0, abs'(0) = 0, sqrt'(0) = inf, d(0**0) = 0.

Integers become the default dtype, except where a result is an integer again (``floor``). About
``np.errstate`` see ``elementwise``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..compat.arguments import (
    BOOLEAN,
    check_implemented,
    check_power,
    ensure,
    in_order,
    refuse_numbers,
)
from ..engine.node import TensorBase, new_tensor
from ..engine.operands import python_number
from ..engine.record import NUMBERS, differentiable, operation
from .elementwise import alike, bitwise_or, clamp, where_, zero

# ------------------------------------------------------------------------------------- powers


@differentiable(
    input=lambda g, input, other: g * (other * raised(input, other - 1)) if other != 0 else zero(g),
    other=lambda g: None,
)
def _pow(input, other):
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
def _pow_tensor(input, other):
    with np.errstate(all="ignore"):
        return power(input, other)


@differentiable(
    name="pow",
    number=2,
    input=lambda g: None,
    other=lambda g, input, other, out: (
        g * (out * log_of_number(input)) if input != 0 else where_(other >= 0, 0, -g * out)
    ),
)
def _pow_number(input, other):
    """A power whose base is a Python number, and so has no derivative."""
    with np.errstate(all="ignore"):
        return in_order(power(input, other))


def raised(base: Any, exponent: Any) -> Any:
    """``base ** exponent``; an array to the power of 1, as for a square, is not copied."""
    return base if exponent == 1 and not isinstance(base, TensorBase) else base**exponent


def power(base: Any, exponent: Any) -> Any:
    """The power; where an integer's is a fraction, 0."""
    dtype = exponent.dtype
    if dtype.kind != "i" or np.result_type(base, exponent).kind == "f":
        if base.__class__ is np.ndarray and base.dtype is not dtype:
            # Before NumPy 2.3, ``**`` overlooks the dtype of an exponent without dimensions.
            return np.power(base, exponent)
        return base**exponent
    whole = (exponent >= 0) | (np.abs(base) == 1)
    return np.where(whole, base ** np.abs(exponent), 0)[()]


def log_of_number(number: float) -> float:
    return math.log(number) if number > 0 else math.nan


def pow(input: Any, exponent: Any) -> Any:
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
        input, exponent = tensors_alike("pow", input=input, exponent=exponent)
    return operation(input, exponent)


def tensors_alike(function: str, **operands: Any) -> list[Any]:
    """The operands in the dtype that promotion gives them, all as tensors."""
    found = alike(function, **operands)[1]
    return [t if isinstance(t, TensorBase) else new_tensor(t) for t in found]


def square(input: Any) -> Any:
    """``input ** 2``. Counterpart: ``torch.square``."""
    return pow(input, 2)


@differentiable(floats=True, input=lambda g, out: g / (2 * out))
def sqrt(input):
    """The square root; its derivative at 0 is infinite. Counterpart: ``torch.sqrt``.

    >>> import minigrad as torch
    >>> torch.sqrt(torch.tensor([4.0, -1.0]))
    tensor([2., nan])
    """
    with np.errstate(all="ignore"):
        return np.sqrt(input)


@differentiable(floats=True, input=lambda g, out: -0.5 * g * (out * out * out))
def rsqrt(input):
    """1 / sqrt(input). Counterpart: ``torch.rsqrt``."""
    with np.errstate(all="ignore"):
        return 1 / np.sqrt(input)


# ------------------------------------------------------------------ exponentials and logarithms


@differentiable(floats=True, input=lambda g, out: g * out)
def exp(input):
    """e to the power of ``input``. Counterpart: ``torch.exp``.

    >>> import minigrad as torch
    >>> torch.exp(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 2.7183])
    """
    with np.errstate(all="ignore"):
        return np.exp(input)


@differentiable(floats=True, input=lambda g, out: g * (out * math.log(2)))
def exp2(input):
    """2 to the power of ``input``. Counterpart: ``torch.exp2``."""
    return np.exp2(input)


@differentiable(floats=True, input=lambda g, out: g * (out + 1))
def expm1(input):
    """exp(input) - 1, exact also near 0. Counterpart: ``torch.expm1``."""
    return np.expm1(input)


@differentiable(floats=True, input=lambda g, input: g / input)
def log(input):
    """The natural logarithm: -inf at 0, NaN below. Counterpart: ``torch.log``.

    >>> import minigrad as torch
    >>> torch.log(torch.tensor([1.0, 0.0]))
    tensor([0., -inf])
    """
    with np.errstate(all="ignore"):
        return np.log(input)


@differentiable(floats=True, input=lambda g, input: g / (input * math.log(2)))
def log2(input):
    """The logarithm to base 2. Counterpart: ``torch.log2``."""
    with np.errstate(all="ignore"):
        return np.log2(input)


@differentiable(floats=True, input=lambda g, input: g / (input * math.log(10)))
def log10(input):
    """The logarithm to base 10. Counterpart: ``torch.log10``."""
    with np.errstate(all="ignore"):
        return np.log10(input)


@differentiable(shown="Log1PBackward0", floats=True, input=lambda g, input: g / (input + 1))
def log1p(input):
    """log(1 + input), exact also near 0. Counterpart: ``torch.log1p``."""
    with np.errstate(all="ignore"):
        return np.log1p(input)


@differentiable(
    input=lambda g, input, other: g / (1 + exp(other - input)),
    other=lambda g, input, other: g / (1 + exp(input - other)),
)
def logaddexp(input, other):
    """log(exp(input) + exp(other)), without overflow. Counterpart: ``torch.logaddexp``."""
    refuse_numbers("logaddexp", input, other)
    check_implemented("logaddexp_cpu", input + other, "f")
    return np.logaddexp(input, other)


@differentiable(
    floats=True,
    input=lambda g, input, other: where_((input == 0) & (other <= 0), 0, g * log(other)),
    other=lambda g, input, other: g * input / other,
)
def _xlogy(input, other):
    with np.errstate(all="ignore"):
        return np.where((input == 0) & (other == other), 0, input * np.log(other))[()]


def xlogy(input: Any, other: Any) -> Any:
    """input * log(other), and 0 where ``input`` is 0. Counterpart: ``torch.xlogy``."""
    operands = [float(t) if type(t) in NUMBERS else t for t in (input, other)]
    return _xlogy(*tensors_alike("xlogy", input=operands[0], other=operands[1]))


@differentiable(floats=True, input=lambda g, out: g * (out * (1 - out)))
def sigmoid(input):
    """1 / (1 + exp(-input)). Counterpart: ``torch.sigmoid``.

    >>> import minigrad as torch
    >>> torch.sigmoid(torch.tensor([0.0, -1000.0]))
    tensor([0.5000, 0.0000])
    """
    with np.errstate(all="ignore"):
        out = np.exp(-input)
        out += 1
        return np.divide(1, out, out=out if out.ndim else None)


@differentiable(floats=True, input=lambda g, input: g / odds_slope(input))
def _logit(input):
    with np.errstate(all="ignore"):
        return np.log(input / (1 - input))


def odds_slope(p: Any) -> Any:
    """p * (1 - p), and NaN for what is no probability."""
    product = p * (1 - p)
    return where_(product < 0, math.nan, product)


def logit(input: Any, eps: float | None = None) -> Any:
    """log(input / (1 - input)), the inverse of ``sigmoid``.

    With ``eps`` the input is clamped to eps and 1 - eps first. Counterpart: ``torch.logit``.
    """
    if eps is None or eps < 0:
        return _logit(input)
    floats = alike("logit", input=input, eps=float(eps))[1][0]
    return _logit(clamp(floats, eps, 1 - eps))


# --------------------------------------------------------------------- angles and hyperbolas


@differentiable(floats=True, input=lambda g, input: g * cos(input))
def sin(input):
    """The sine of an angle in radians. Counterpart: ``torch.sin``."""
    with np.errstate(all="ignore"):
        return np.sin(input)


@differentiable(floats=True, input=lambda g, input: -g * sin(input))
def cos(input):
    """The cosine of an angle in radians. Counterpart: ``torch.cos``."""
    with np.errstate(all="ignore"):
        return np.cos(input)


@differentiable(floats=True, input=lambda g, out: g * (1 + out * out))
def tan(input):
    """The tangent of an angle in radians. Counterpart: ``torch.tan``."""
    return np.tan(input)


@differentiable(floats=True, input=lambda g, input: g / sqrt(1 - input * input))
def asin(input):
    """The angle whose sine is ``input``. Counterpart: ``torch.asin``."""
    return np.arcsin(input)


@differentiable(floats=True, input=lambda g, input: -g / sqrt(1 - input * input))
def acos(input):
    """The angle whose cosine is ``input``. Counterpart: ``torch.acos``."""
    return np.arccos(input)


@differentiable(floats=True, input=lambda g, input: g / (input * input + 1))
def atan(input):
    """The angle whose tangent is ``input``. Counterpart: ``torch.atan``."""
    return np.arctan(input)


@differentiable(
    floats=True,
    input=lambda g, input, other: g * (other * inverse_square(input, other)),
    other=lambda g, input, other: -g * (input * inverse_square(input, other)),
)
def atan2(input, other):
    """The angle of a point from its height ``input`` and width ``other``, from -π to π.

    Counterpart: ``torch.atan2``.
    """
    refuse_numbers("atan2", input, other)
    return np.arctan2(input, other)


def inverse_square(x: Any, y: Any) -> Any:
    """1 / (x² + y²), and 0 at the origin, where an angle has no derivative."""
    square = x * x + y * y
    return where_(square == 0, 0, 1 / square)


@differentiable(shown="Deg2RadBackward0", floats=True, input=lambda g: g * (math.pi / 180))
def deg2rad(input):
    """Degrees in radians. Counterpart: ``torch.deg2rad``."""
    return input * (math.pi / 180)


@differentiable(shown="Rad2DegBackward0", floats=True, input=lambda g: g * (180 / math.pi))
def rad2deg(input):
    """Radians in degrees. Counterpart: ``torch.rad2deg``."""
    return input * (180 / math.pi)


@differentiable(floats=True, input=lambda g, input: g * cosh(input))
def sinh(input):
    """(exp(input) - exp(-input)) / 2. Counterpart: ``torch.sinh``."""
    return np.sinh(input)


@differentiable(floats=True, input=lambda g, input: g * sinh(input))
def cosh(input):
    """(exp(input) + exp(-input)) / 2. Counterpart: ``torch.cosh``."""
    return np.cosh(input)


@differentiable(floats=True, input=lambda g, out: g * (1 - out * out))
def tanh(input):
    """The hyperbolic tangent. Its derivative, 1 - tanh², needs only the result.

    Counterpart: ``torch.tanh``.

    >>> import minigrad as torch
    >>> torch.tanh(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.7616])
    """
    return np.tanh(input)


@differentiable(floats=True, input=lambda g, input: g / sqrt(input * input + 1))
def asinh(input):
    """The inverse of ``sinh``. Counterpart: ``torch.asinh``."""
    return np.arcsinh(input)


@differentiable(floats=True, input=lambda g, input: g / sqrt(input * input - 1))
def acosh(input):
    """The inverse of ``cosh``: NaN below 1. Counterpart: ``torch.acosh``."""
    return np.arccosh(input)


@differentiable(floats=True, input=lambda g, input: g / (1 - input * input))
def atanh(input):
    """The inverse of ``tanh``: infinite at -1 and 1, NaN beyond. Counterpart: ``torch.atanh``."""
    return np.arctanh(input)


# ---------------------------------------------------------------------------- the bell curve

SLOPES = (
    1.4184752e-07,
    -5.6683874e-06,
    8.7636746e-05,
    -6.1978299e-04,
    -1.9183290e-04,
    1.0276906e-01,
    1.1283793,
)
"""The polynomial p of erf(x) = tanh(x p(x²)), fitted: its error of 1e-7 is that of float32."""


@differentiable(floats=True, input=lambda g, input: g * (exp(-input * input) * 2 / math.pi**0.5))
def erf(input):
    """2/sqrt(π) times the area under exp(-t²) from 0 to ``input``. Counterpart: ``torch.erf``.

    >>> import minigrad as torch
    >>> torch.erf(torch.tensor([0.0, 1.0, -10.0]))
    tensor([ 0.0000,  0.8427, -1.0000])
    """
    return erf_of(input, 1.0)[()]


def erf_of(x: Any, scale: float) -> Any:
    """erf(scale * x), as an array of its own."""
    if x.dtype == np.float64:
        return np.asarray(by_entry(math.erf, x * scale))
    with np.errstate(all="ignore"):
        squared = x * x
        first, *slopes = [slope * scale ** (13 - 2 * i) for i, slope in enumerate(SLOPES)]
        out = np.asarray(squared * first)
        for slope in slopes[:-1]:
            out += slope
            out *= squared
        out += slopes[-1]
        out *= x
        return np.tanh(out, out=out)


@differentiable(floats=True, input=lambda g, input: -g * (exp(-input * input) * 2 / math.pi**0.5))
def erfc(input):
    """1 - erf(input), exact also where that is tiny. Counterpart: ``torch.erfc``."""
    return by_entry(math.erfc, input)


def by_entry(function: Any, array: Any) -> Any:
    """Python's own function of each entry: NumPy has none."""
    return np.asarray(np.frompyfunc(function, 1, 1)(array), array.dtype)[()]


# -------------------------------------------------------------------------- kinks and steps


@differentiable(input=lambda g, out: where_(out <= 0, 0, g))
def relu(input):
    """max(input, 0). Its derivative at 0 is 0. Counterpart: ``torch.relu``.

    >>> import minigrad as torch
    >>> torch.relu(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    ensure(input.dtype is not BOOLEAN, "Boolean inputs not supported for relu")
    return np.maximum(input, input.dtype.type(0))


@differentiable(input=lambda g, input: g * sign(input))
def abs(input):
    """The absolute value. Its derivative at 0 is 0. Counterpart: ``torch.abs``."""
    check_implemented("abs_cpu", input)
    return np.abs(input)


@differentiable(input=lambda g: zero(g))
def sign(input):
    """-1, 0 (also for NaN) or 1; its derivative is 0. Counterpart: ``torch.sign``."""
    if input.dtype is BOOLEAN:
        return input.copy()
    return np.subtract(input > 0, input < 0, dtype=input.dtype)


def stepped(name: str, function: Any, input: Any) -> Any:
    """A step function of floats; integers are copied.

    NumPy would leave that to its version: floats of theirs before 2.1, from ``round`` the very
    same array before 2.4.
    """
    if input.dtype.kind == "f":
        return function(input)
    check_implemented(f"{name}_vml_cpu", input)
    return input.copy()


@differentiable(input=lambda g: zero(g))
def floor(input):
    """The next integer below; its derivative is 0. Counterpart: ``torch.floor``."""
    return stepped("floor", np.floor, input)


@differentiable(input=lambda g: zero(g))
def ceil(input):
    """The next integer above; its derivative is 0. Counterpart: ``torch.ceil``."""
    return stepped("ceil", np.ceil, input)


@differentiable(input=lambda g: zero(g))
def trunc(input):
    """The next integer towards 0; its derivative is 0. Counterpart: ``torch.trunc``."""
    return stepped("trunc", np.trunc, input)


@differentiable(input=lambda g: g)
def frac(input):
    """What ``trunc`` cuts off; its derivative is 1. Counterpart: ``torch.frac``."""
    check_implemented("frac_cpu", input, "f")
    return input - np.trunc(input)


@differentiable(name="round", input=lambda g: zero(g))
def _round(input):
    return stepped("round", np.round, input)


@operation(name="round", number=1, input=lambda g: zero(g))
def _round_to(input, decimals):
    check_implemented("round_cpu", input, "f")
    return np.round(input, decimals)


def round(input: Any, *, decimals: int = 0) -> Any:
    """The nearest integer, the even one of two; or the nearest number with so many decimals.

    Its derivative is 0. Raises NotImplementedError for ``decimals`` of integers.
    Counterpart: ``torch.round``.

    >>> import minigrad as torch
    >>> torch.round(torch.tensor([0.5, 1.5, 2.6])), torch.round(torch.tensor(3.14159), decimals=2)
    (tensor([0., 2., 3.]), tensor(3.1400))
    """
    return _round_to(input, decimals) if decimals else _round(input)
