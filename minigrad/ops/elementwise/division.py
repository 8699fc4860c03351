"""Division: exact or rounded, what it leaves over, reciprocals.

Integers divided by 0 raise RuntimeError, as in PyTorch; floats give an infinity or NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...compat.arguments import check_implemented, ensure
from ...engine.record import NUMBERS, differentiable
from ..annotations import Array
from .choices import zero

if TYPE_CHECKING:
    from ..._tensor import Tensor


@differentiable(
    floats=True,
    input=lambda g, other: g / other,
    other=lambda g, input, other: -g * (input / other / other),
)
def _div(input: Array, other: Array) -> Array:
    with np.errstate(all="ignore"):
        return input / other


@differentiable(
    shown="DivBackward2",
    input=lambda g, other: zero(g),
    other=lambda g, input, other: zero(g),
)
def _div_floor(input: Array, other: Array) -> Array:
    with np.errstate(all="ignore"):
        return checked_division("div_floor", input // other, input, other)


@differentiable(
    shown="DivBackward2",
    input=lambda g, other: zero(g),
    other=lambda g, input, other: zero(g),
)
def _div_trunc(input: Array, other: Array) -> Array:
    with np.errstate(all="ignore"):
        if np.result_type(input, other).kind == "f":
            return np.trunc(input / other)
        return checked_division("div_trunc", (input - np.fmod(input, other)) // other, input, other)


def checked_division(name: str, out: Array, input: Array, other: Array) -> Array:
    """``out``, what a division gave. Raises for integers divided by 0, and for booleans."""
    if out.dtype.kind != "f":
        check_implemented(f"{name}_cpu", np.empty(0, np.result_type(input, other)))
        ensure(not out.size or np.all(other), "ZeroDivisionError")
    return out


def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """``input / other``, broadcast; integers become floats, unless the result is rounded.

    ``rounding_mode``: ``"floor"`` rounds down, ``"trunc"`` towards 0; then the gradient is 0,
    and integers divided by 0 raise RuntimeError. Counterpart: ``torch.div``.

    >>> import minigrad as torch
    >>> torch.div(torch.tensor([1, 2]), 2)
    tensor([0.5000, 1.0000])
    >>> torch.div(torch.tensor([-7, 7]), 2, rounding_mode="trunc")
    tensor([-3,  3])
    """
    if rounding_mode is None:
        return _div(input, other)
    text = "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{}'"
    ensure(rounding_mode in ("trunc", "floor"), text, rounding_mode)
    if rounding_mode == "floor":
        return _div_floor(input, other)
    return _div_trunc(input, other)


def no_derivative(function: str) -> None:
    """The rule of an operation that PyTorch does not differentiate: it raises RuntimeError."""
    raise RuntimeError(f"derivative for aten::{function} is not implemented")


@differentiable(
    shown="NotImplemented",
    input=lambda g: no_derivative("floor_divide"),
    other=lambda g: no_derivative("floor_divide"),
)
def floor_divide(input: Array, other: Array) -> Array:
    """``input // other``, rounded down, broadcast; backward through it raises RuntimeError.

    ``div`` with ``rounding_mode="floor"`` has a derivative, which is 0. Raises RuntimeError where
    integers are divided by 0. Counterpart: ``torch.floor_divide``.

    >>> import minigrad as torch
    >>> torch.floor_divide(torch.tensor([-7, 7]), 2)
    tensor([-4,  3])
    """
    with np.errstate(all="ignore"):
        return checked_division("div_floor", input // other, input, other)


def remainder_of(input: Array, other: Array) -> Array:
    """What division leaves, with the sign of the divisor: C's ``fmod`` has that of ``input``."""
    with np.errstate(all="ignore"):
        out = np.fmod(input, other)
        other_sign = (out != 0) & ((out < 0) != (other < 0))
        out = np.where(other_sign, out + other, out)[()]
        return checked_division("remainder", out, input, other)


@differentiable(
    input=lambda g: g,
    other=lambda g, input, other: -g * _div_floor(input, other),
)
def _remainder(input: Array, other: Array) -> Array:
    return remainder_of(input, other)


@differentiable(
    shown="NotImplemented",
    input=lambda g: None,
    other=lambda g: no_derivative("remainder"),
)
def _remainder_of_number(input: Array, other: Array) -> Array:
    return remainder_of(input, other)


def remainder(input: Any, other: Any) -> Tensor:
    """``input % other``: what is left of ``input``, with the sign of ``other``.

    d/d other = -floor(input / other); where ``input`` is a number, backward raises RuntimeError.
    Raises RuntimeError where integers are divided by 0. Counterpart: ``torch.remainder``.

    >>> import minigrad as torch
    >>> torch.remainder(torch.tensor([-7, 7]), 3), torch.tensor([5.5]) % -2
    (tensor([2, 1]), tensor([-0.5000]))
    """
    if input.__class__ in NUMBERS:
        return _remainder_of_number(input, other)
    return _remainder(input, other)


@differentiable(
    input=lambda g: g,
    other=lambda g, input, other: -g * _div_trunc(input, other),
)
def fmod(input: Array, other: Array) -> Array:
    """What division leaves of ``input``, with its sign: C's ``fmod``.

    d/d other = -trunc(input / other). Counterpart: ``torch.fmod``.

    >>> import minigrad as torch
    >>> torch.fmod(torch.tensor([-7, 7]), 3)
    tensor([-1,  1])
    """
    with np.errstate(all="ignore"):
        return checked_division("fmod", np.fmod(input, other), input, other)


@differentiable(floats=True, input=lambda g, out: -g * (out * out))
def reciprocal(input: Array) -> Array:
    """``1 / input``. Counterpart: ``torch.reciprocal``.

    >>> import minigrad as torch
    >>> torch.reciprocal(torch.tensor([1.0, 2.0, -4.0]))
    tensor([ 1.0000,  0.5000, -0.2500])
    """
    with np.errstate(all="ignore"):
        return 1 / input
