"""Element-wise operations: arithmetic, powers, exponentials, and the choices at their kinks.

Each rule is the line that you would find in a table of derivatives, times ``g``, the gradient
of the result. At a kink the choice is PyTorch's: relu'(0) = 0, abs'(0) = 0, sqrt'(0) = inf,
d(0**0) = 0.

Infinities and NaN are results here, not warnings. ``np.errstate`` says so to NumPy where the
ordinary domain has them; it costs a microsecond, so the others do without (see
``ops/__init__``).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import dtypes
from ..graph import TensorBase, new_tensor
from ..operands import converted, mismatch
from ..primitive import NUMBERS, differentiable, operation
from .arguments import BOOLEAN, check_power, operand_of, refuse_booleans, tensor_array


@differentiable(input=lambda g: g, other=lambda g: g)
def _add(input, other):
    return input + other


@differentiable(input=lambda g: g, other=lambda g: -g)
def _sub(input, other):
    refuse_booleans(input, other)
    return input - other


@differentiable(number=1, input=lambda g: -g, other=lambda g: g)
def rsub(input, other):
    """``other - input``. Counterpart: ``torch.rsub``."""
    refuse_booleans(input, other)
    return other - input


def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """``input + alpha * other``, broadcast. Counterpart: ``torch.add``.

    >>> import minigrad as torch
    >>> torch.add(torch.tensor([1.0, 2.0]), 10, alpha=2)
    tensor([21., 22.])
    """
    return _add(input, other if alpha == 1 else other * alpha)


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """``input - alpha * other``, broadcast. Counterpart: ``torch.sub``."""
    return _sub(input, other if alpha == 1 else other * alpha)


@differentiable(input=lambda g, other: g * other, other=lambda g, input: g * input)
def mul(input, other):
    """``input * other``, broadcast. Each factor's derivative is the other factor.

    Saves a factor only if the other one wants a gradient. Counterpart: ``torch.mul``.

    >>> import minigrad as torch
    >>> torch.mul(torch.tensor([[1.0], [2.0]]), torch.tensor([3.0, 4.0]))
    tensor([[3., 4.],
            [6., 8.]])
    """
    return input * other


@differentiable(
    floats=True,
    input=lambda g, other: g / other,
    other=lambda g, input, other: -g * (input / other / other),
)
def div(input, other):
    """``input / other``, broadcast; integers become floats. Counterpart: ``torch.div``.

    >>> import minigrad as torch
    >>> torch.div(torch.tensor([1, 2]), 2)
    tensor([0.5000, 1.0000])
    """
    with np.errstate(all="ignore"):
        return input / other


@differentiable(floats=True, input=lambda g, out: -g * (out * out))
def reciprocal(input):
    """``1 / input``. Counterpart: ``torch.reciprocal``."""
    with np.errstate(all="ignore"):
        return 1 / input


@differentiable(input=lambda g: -g)
def neg(input):
    """``-input``. Counterpart: ``torch.neg``."""
    if input.dtype is BOOLEAN:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
            "invert a mask, use the `~` operator instead."
        )
    return -input


@differentiable(input=lambda g: g)
def clone(input):
    """A copy in memory of its own, which passes the gradient on. Counterpart: ``torch.clone``."""
    return input.copy()


# ------------------------------------------------------------------------------------- powers


@differentiable(
    input=lambda g, input, other: (
        g * (other * input ** (other - 1)) if other != 0 else zero(g)
    ),
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
        return input**other


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
        return input**other


def log_of_number(number: float) -> float:
    return math.log(number) if number > 0 else math.nan


def pow(input: Any, exponent: Any) -> Any:
    """``input ** exponent``, broadcast; either may be a number.

    d/d input = exponent * input**(exponent - 1), and 0 for an exponent of 0;
    d/d exponent = input**exponent * log(input), and 0 at ``0 ** exponent``.
    Raises RuntimeError for negative powers of integers. Counterpart: ``torch.pow``.

    >>> import minigrad as torch
    >>> torch.pow(torch.tensor([1.0, 2.0, 3.0]), 2)
    tensor([1., 4., 9.])
    """
    operation = _pow if type(exponent) in NUMBERS else _pow_tensor
    if isinstance(input, TensorBase):
        array = input._array
        if array.dtype.kind == "f":
            return operation(input, exponent)
        if array.dtype is BOOLEAN and type(exponent) is bool:
            return bitwise_or(input, not exponent)
    check_power(input, exponent)
    return (_pow_number if type(input) in NUMBERS else operation)(input, exponent)


@differentiable(floats=True, input=lambda g, out: g / (2 * out))
def sqrt(input):
    """The square root; its derivative at 0 is infinite. Counterpart: ``torch.sqrt``.

    >>> import minigrad as torch
    >>> torch.sqrt(torch.tensor([4.0, -1.0]))
    tensor([2., nan])
    """
    with np.errstate(all="ignore"):
        return np.sqrt(input)


# ------------------------------------------------------------- exponentials and their relatives


@differentiable(floats=True, input=lambda g, out: g * out)
def exp(input):
    """e to the power of ``input``. Counterpart: ``torch.exp``.

    >>> import minigrad as torch
    >>> torch.exp(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 2.7183])
    """
    with np.errstate(all="ignore"):
        return np.exp(input)


@differentiable(floats=True, input=lambda g, input: g / input)
def log(input):
    """The natural logarithm: -inf at 0, NaN below. Counterpart: ``torch.log``.

    >>> import minigrad as torch
    >>> torch.log(torch.tensor([1.0, 0.0]))
    tensor([0., -inf])
    """
    with np.errstate(all="ignore"):
        return np.log(input)


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


@differentiable(floats=True, input=lambda g, out: g * (1 - out * out))
def tanh(input):
    """The hyperbolic tangent. Its derivative, 1 - tanh², needs only the result.

    Counterpart: ``torch.tanh``.

    >>> import minigrad as torch
    >>> torch.tanh(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 0.7616])
    """
    return np.tanh(input)


@differentiable(floats=True, input=lambda g, out: g * (out * (1 - out)))
def sigmoid(input):
    """1 / (1 + exp(-input)). Counterpart: ``torch.sigmoid``.

    >>> import minigrad as torch
    >>> torch.sigmoid(torch.tensor([0.0, -1000.0]))
    tensor([0.5000, 0.0000])
    """
    with np.errstate(all="ignore"):
        return 1 / (1 + np.exp(-input))


# -------------------------------------------------------------------------------------- kinks


@differentiable(input=lambda g, out: where_(out <= 0, 0, g))
def relu(input):
    """max(input, 0). Its derivative at 0 is 0. Counterpart: ``torch.relu``.

    >>> import minigrad as torch
    >>> torch.relu(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    return np.maximum(input, input.dtype.type(0))


@differentiable(input=lambda g, input: g * sign(input))
def abs(input):
    """The absolute value. Its derivative at 0 is 0. Counterpart: ``torch.abs``."""
    return np.abs(input)


@differentiable(input=lambda g: zero(g))
def sign(input):
    """-1, 0 (also for NaN) or 1; its derivative is 0. Counterpart: ``torch.sign``."""
    if input.dtype is BOOLEAN:
        return input.copy()
    return np.subtract(input > 0, input < 0, dtype=input.dtype)


# ---------------------------------------------------------------------- choices and comparisons


@operation(
    input=lambda g, condition: where_(condition, g, 0),
    other=lambda g, condition: where_(condition, 0, g),
)
def where_(condition, input, other):
    return np.where(condition, input, other)


def where(condition: Any, input: Any, other: Any) -> Any:
    """``input`` where the condition holds, ``other`` elsewhere, all broadcast.

    The gradient goes to the chosen entries; the others get 0. Counterpart: ``torch.where``.
    Raises TypeError if the condition is not a boolean tensor.

    >>> import minigrad as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> torch.where(x > 0, x, 0.0)
    tensor([0., 2.])
    """
    chooser = tensor_array("where", condition, "condition")
    if chooser.dtype.kind != "b":
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{dtypes.of(chooser).title}"
        )
    operands = operand_of("where", input, "input", 2), operand_of("where", other, "other", 3)
    wanted = dtypes.result_dtype(operands).numpy
    input, other = (
        converted(t, wanted) if isinstance(t, TensorBase) else wanted.type(t)
        for t in (input, other)
    )
    return where_(condition, input, other)


def zero(g: Any) -> Any:
    """A gradient of zeros, also where ``g`` is infinite."""
    return where_(np.False_, g, 0)


def comparison(compare: Any, symbol: str, counterpart: str) -> Any:
    """An operation that answers True or False for each pair, and so has no derivative."""

    def function(input: Any, other: Any) -> Any:
        x, y = tensor_array(counterpart, input), operand_of(counterpart, other, "other", 2)
        try:
            return new_tensor(compare(x, y))
        except ValueError as error:
            raise mismatch(error, x, y) from None

    function.__name__ = function.__qualname__ = counterpart
    function.__doc__ = (
        f"``input {symbol} other`` for each entry, broadcast; booleans, without a gradient.\n\n"
        f"    Counterpart: ``torch.{counterpart}``."
    )
    return function


eq = comparison(np.equal, "==", "eq")
ne = comparison(np.not_equal, "!=", "ne")
lt = comparison(np.less, "<", "lt")
le = comparison(np.less_equal, "<=", "le")
gt = comparison(np.greater, ">", "gt")
ge = comparison(np.greater_equal, ">=", "ge")


def bitwise(name: str, combine: Any, symbol: str) -> Any:
    """An operation on the bits of integers, or on booleans; no derivative."""

    def function(input: Any, other: Any) -> Any:
        x, y = operand_of(name, input, "input", 1), operand_of(name, other, "other", 2)
        wanted = dtypes.result_dtype((x, y))
        if wanted.is_floating_point:
            raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{wanted.title}'")
        try:
            return new_tensor(combine(x, y, dtype=wanted.numpy, casting="unsafe"))
        except ValueError as error:
            raise mismatch(error, x, y) from None

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"``input {symbol} other`` of booleans or integers. Counterpart: ``torch.{name}``."
    )
    return function


bitwise_and = bitwise("bitwise_and", np.bitwise_and, "&")
bitwise_or = bitwise("bitwise_or", np.bitwise_or, "|")
bitwise_xor = bitwise("bitwise_xor", np.bitwise_xor, "^")


def bitwise_not(input: Any) -> Any:
    """``~input`` of booleans or integers. Counterpart: ``torch.bitwise_not``."""
    array = tensor_array("bitwise_not", input)
    if array.dtype.kind == "f":
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    return new_tensor(~array)
