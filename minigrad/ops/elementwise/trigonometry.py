"""Functions of angles, and the hyperbolic functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...compat.arguments import refuse_numbers
from ...engine.record import differentiable
from ..annotations import Array
from .choices import where_
from .powers import sqrt


@differentiable(floats=True, input=lambda g, input: g * cos(input))
def sin(input: Array) -> Array:
    """The sine of an angle in radians. Counterpart: ``torch.sin``.

    >>> import minigrad as torch
    >>> torch.sin(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.8415])
    """
    with np.errstate(all="ignore"):
        return np.sin(input)


@differentiable(floats=True, input=lambda g, input: -g * sin(input))
def cos(input: Array) -> Array:
    """The cosine of an angle in radians. Counterpart: ``torch.cos``.

    >>> import minigrad as torch
    >>> torch.cos(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 0.5403])
    """
    with np.errstate(all="ignore"):
        return np.cos(input)


@differentiable(floats=True, input=lambda g, out: g * (1 + out * out))
def tan(input: Array) -> Array:
    """The tangent of an angle in radians. Counterpart: ``torch.tan``.

    >>> import minigrad as torch
    >>> torch.tan(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.5574])
    """
    return np.tan(input)


@differentiable(floats=True, input=lambda g, input: g / sqrt(1 - input * input))
def asin(input: Array) -> Array:
    """The angle whose sine is ``input``. Counterpart: ``torch.asin``.

    >>> import minigrad as torch
    >>> torch.asin(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-1.5708,  0.0000,  1.5708])
    """
    return np.arcsin(input)


@differentiable(
    floats=True,
    input=lambda g, input: -g / sqrt(1 - input * input),
)
def acos(input: Array) -> Array:
    """The angle whose cosine is ``input``. Counterpart: ``torch.acos``.

    >>> import minigrad as torch
    >>> torch.acos(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([3.1416, 1.5708, 0.0000])
    """
    return np.arccos(input)


@differentiable(floats=True, input=lambda g, input: g / (input * input + 1))
def atan(input: Array) -> Array:
    """The angle whose tangent is ``input``. Counterpart: ``torch.atan``.

    >>> import minigrad as torch
    >>> torch.atan(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.7854,  0.0000,  0.7854])
    """
    return np.arctan(input)


@differentiable(
    floats=True,
    input=lambda g, input, other: g * (other * inverse_square(input, other)),
    other=lambda g, input, other: -g * (input * inverse_square(input, other)),
)
def atan2(input: Array, other: Array) -> Array:
    """The angle of a point from its height ``input`` and width ``other``, from -π to π.

    Counterpart: ``torch.atan2``.

    >>> import minigrad as torch
    >>> torch.atan2(torch.tensor([1.0, 1.0]), torch.tensor([1.0, -1.0]))
    tensor([0.7854, 2.3562])
    """
    refuse_numbers("atan2", input, other)
    return np.arctan2(input, other)


def inverse_square(x: Any, y: Any) -> Any:
    """1 / (x² + y²), and 0 at the origin, where an angle has no derivative."""
    square = x * x + y * y
    return where_(square == 0, 0, 1 / square)


@differentiable(
    shown="Deg2RadBackward0",
    floats=True,
    input=lambda g: g * (math.pi / 180),
)
def deg2rad(input: Array) -> Array:
    """Degrees in radians. Counterpart: ``torch.deg2rad``.

    >>> import minigrad as torch
    >>> torch.deg2rad(torch.tensor([0.0, 180.0]))
    tensor([0.0000, 3.1416])
    """
    return input * (math.pi / 180)


@differentiable(
    shown="Rad2DegBackward0",
    floats=True,
    input=lambda g: g * (180 / math.pi),
)
def rad2deg(input: Array) -> Array:
    """Radians in degrees. Counterpart: ``torch.rad2deg``.

    >>> import minigrad as torch
    >>> torch.rad2deg(torch.tensor([0.0, 1.0]))
    tensor([ 0.0000, 57.2958])
    """
    return input * (180 / math.pi)


# ----------------------------------------------------------------------------- hyperbolic functions


@differentiable(floats=True, input=lambda g, input: g * cosh(input))
def sinh(input: Array) -> Array:
    """(exp(input) - exp(-input)) / 2. Counterpart: ``torch.sinh``.

    >>> import minigrad as torch
    >>> torch.sinh(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.1752])
    """
    return np.sinh(input)


@differentiable(floats=True, input=lambda g, input: g * sinh(input))
def cosh(input: Array) -> Array:
    """(exp(input) + exp(-input)) / 2. Counterpart: ``torch.cosh``.

    >>> import minigrad as torch
    >>> torch.cosh(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 1.5431])
    """
    return np.cosh(input)


@differentiable(floats=True, input=lambda g, out: g * (1 - out * out))
def tanh(input: Array) -> Array:
    """The hyperbolic tangent. Its derivative, 1 - tanh², needs only the result.

    Counterpart: ``torch.tanh``.

    >>> import minigrad as torch
    >>> torch.tanh(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.7616])
    """
    return np.tanh(input)


@differentiable(floats=True, input=lambda g, input: g / sqrt(input * input + 1))
def asinh(input: Array) -> Array:
    """The inverse of ``sinh``. Counterpart: ``torch.asinh``.

    >>> import minigrad as torch
    >>> torch.asinh(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.8814,  0.0000,  0.8814])
    """
    return np.arcsinh(input)


@differentiable(floats=True, input=lambda g, input: g / sqrt(input * input - 1))
def acosh(input: Array) -> Array:
    """The inverse of ``cosh``: NaN below 1. Counterpart: ``torch.acosh``.

    >>> import minigrad as torch
    >>> torch.acosh(torch.tensor([1.0, 2.0]))
    tensor([0.0000, 1.3170])
    """
    return np.arccosh(input)


@differentiable(floats=True, input=lambda g, input: g / (1 - input * input))
def atanh(input: Array) -> Array:
    """The inverse of ``tanh``: infinite at -1 and 1, NaN beyond. Counterpart: ``torch.atanh``.

    >>> import minigrad as torch
    >>> torch.atanh(torch.tensor([0.0, 0.5]))
    tensor([0.0000, 0.5493])
    """
    return np.arctanh(input)
