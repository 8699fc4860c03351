"""Element-wise operations on two tensors: arithmetic, choices, comparisons, logic.

Each rule is the line that you would find in a table of derivatives, times ``g``, the gradient
of the result. At a kink the choice is PyTorch's: both bounds of clamp count as inside, and two
numbers that tie for a maximum share the gradient. Functions of one number are in ``functions``.

Infinities and NaN are results here, not warnings. ``np.errstate`` says so to NumPy where the
ordinary domain has them; it costs a microsecond, so the others do without (see
``ops/__init__``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..graph import TensorBase, new_tensor
from ..operands import converted, mismatch
from ..primitive import differentiable, operation
from .arguments import check_implemented, operand_of, refuse_booleans, refuse_numbers, tensor_array


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
    return _add(input, other if alpha == 1 else scaled(input, other, alpha))


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """``input - alpha * other``, broadcast. Counterpart: ``torch.sub``."""
    return _sub(input, other if alpha == 1 else scaled(input, other, alpha))


def scaled(input: Any, other: Any, alpha: Any) -> Any:
    """``alpha * other``. Raises RuntimeError for a fraction of integers."""
    if isinstance(alpha, float) and not alike("add", input=input, other=other)[0].is_floating_point:
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )
    return other * alpha


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


@differentiable(input=lambda g: -g)
def neg(input):
    """``-input``. Counterpart: ``torch.neg``."""
    if input.dtype.kind == "b":
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
            "invert a mask, use the `~` operator instead."
        )
    return -input


def positive(input: Any) -> Any:
    """``+input``: the tensor itself. Raises RuntimeError for booleans.

    Counterpart: ``torch.positive``.
    """
    if tensor_array("positive", input).dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


@differentiable(input=lambda g: g)
def clone(input):
    """A copy in memory of its own, which passes the gradient on. Counterpart: ``torch.clone``."""
    return input.copy()


def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """``input + value * tensor1 * tensor2``, broadcast. Counterpart: ``torch.addcmul``."""
    _, (input, *factors) = alike("addcmul", input=input, tensor1=tensor1, tensor2=tensor2)
    return add(input, mul(*factors), alpha=value)


def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """``input + value * tensor1 / tensor2``, broadcast. Counterpart: ``torch.addcdiv``.

    Raises RuntimeError for two tensors of integers.
    """
    if not alike("addcdiv", tensor1=tensor1, tensor2=tensor2)[0].is_floating_point:
        raise RuntimeError("Integer division with addcdiv is no longer supported: use floats.")
    _, (input, *parts) = alike("addcdiv", input=input, tensor1=tensor1, tensor2=tensor2)
    return add(input, div(*parts), alpha=value)


@operation(
    input=lambda g, weight: g * (1 - weight),
    end=lambda g, weight: g * weight,
    weight=lambda g, input, end: g * (end - input),
)
def _lerp(input, end, weight):
    way = end - input  # from the nearer end, so that a weight of 1 gives exactly `end`
    return np.where(np.abs(weight) < 0.5, input + weight * way, end - (1 - weight) * way)


def lerp(input: Any, end: Any, weight: Any) -> Any:
    """``input + weight * (end - input)``: from ``input`` (weight 0) to ``end`` (weight 1).

    The weight is a number or a tensor. Raises RuntimeError unless all tensors have one dtype,
    NotImplementedError for integers. Counterpart: ``torch.lerp``.

    >>> import minigrad as torch
    >>> torch.lerp(torch.tensor([0.0, 10.0]), torch.tensor([4.0, 20.0]), 0.25)
    tensor([ 1.0000, 12.5000])
    """
    have, want = tensor_array("lerp", end, "end", 2).dtype, tensor_array("lerp", input).dtype
    if have != want or (isinstance(weight, TensorBase) and weight._array.dtype != want):
        raise RuntimeError(f"expected dtype {want} for `end` and `weight`")
    check_implemented("lerp_kernel_scalar", input._array, "f")
    return _lerp(input, end, weight)


# ----------------------------------------------------------------------------------- division


@differentiable(
    floats=True,
    input=lambda g, other: g / other,
    other=lambda g, input, other: -g * (input / other / other),
)
def _div(input, other):
    with np.errstate(all="ignore"):
        return input / other


@differentiable(input=lambda g: zero(g), other=lambda g: zero(g))
def _div_floor(input, other):
    with np.errstate(all="ignore"):
        return divided("div_floor", input // other, input, other)


@differentiable(input=lambda g: zero(g), other=lambda g: zero(g))
def _div_trunc(input, other):
    with np.errstate(all="ignore"):
        if np.result_type(input, other).kind == "f":
            return np.trunc(input / other)
        return divided("div_trunc", (input - np.fmod(input, other)) // other, input, other)


_div_floor.kind.name = _div_trunc.kind.name = "DivBackward2"  # type: ignore[attr-defined]


def divided(name: str, out: Any, input: Any, other: Any) -> Any:
    """``out``, unless integers were divided by 0, or booleans at all."""
    if out.dtype.kind != "f":
        check_implemented(f"{name}_cpu", np.empty(0, np.result_type(input, other)))
        if out.size and not np.all(other):
            raise RuntimeError("ZeroDivisionError")
    return out


def div(input: Any, other: Any, *, rounding_mode: str | None = None) -> Any:
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
    if rounding_mode not in ("trunc", "floor"):
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    return (_div_floor if rounding_mode == "floor" else _div_trunc)(input, other)


def floor_divide(input: Any, other: Any) -> Any:
    """``input // other``, rounded down, broadcast; its derivatives are 0.

    Raises RuntimeError where integers are divided by 0. Counterpart: ``torch.floor_divide``,
    whose derivative is not implemented.

    >>> import minigrad as torch
    >>> torch.floor_divide(torch.tensor([-7, 7]), 2)
    tensor([-4,  3])
    """
    return _div_floor(input, other)


@differentiable(input=lambda g: g, other=lambda g, input, other: -g * _div_floor(input, other))
def remainder(input, other):
    """``input % other``: what is left of ``input``, with the sign of ``other``.

    d/d other = -floor(input / other). Raises RuntimeError where integers are divided by 0.
    Counterpart: ``torch.remainder``.

    >>> import minigrad as torch
    >>> torch.remainder(torch.tensor([-7, 7]), 3), torch.tensor([5.5]) % -2
    (tensor([2, 1]), tensor([-0.5000]))
    """
    with np.errstate(all="ignore"):
        out = np.fmod(input, other)
        out = np.where((out != 0) & ((out < 0) != (other < 0)), out + other, out)[()]
        return divided("remainder", out, input, other)


@differentiable(input=lambda g: g, other=lambda g, input, other: -g * _div_trunc(input, other))
def fmod(input, other):
    """What division leaves of ``input``, with its sign: C's ``fmod``.

    d/d other = -trunc(input / other). Counterpart: ``torch.fmod``.

    >>> import minigrad as torch
    >>> torch.fmod(torch.tensor([-7, 7]), 3)
    tensor([-1,  1])
    """
    with np.errstate(all="ignore"):
        return divided("fmod", np.fmod(input, other), input, other)


@differentiable(floats=True, input=lambda g, out: -g * (out * out))
def reciprocal(input):
    """``1 / input``. Counterpart: ``torch.reciprocal``."""
    with np.errstate(all="ignore"):
        return 1 / input


# ------------------------------------------------------------------------------------ choices


@operation(
    input=lambda g, condition: where_(condition, g, 0),
    other=lambda g, condition: where_(condition, 0, g),
)
def where_(condition, input, other):
    if other.__class__ is int:  # the 0 of a rule
        return kept(input, condition)
    if input.__class__ is int:
        return kept(other, ~condition)
    return np.where(condition, input, other)


def kept(values: Any, mask: Any) -> Any:
    """The values where the mask holds, 0 elsewhere.

    np.where branches on every entry, and at random signs the processor guesses wrong half the
    time. A product is 7 times as fast; that of the bits, read as integers, is 0 also where a
    value is infinite or NaN.
    """
    return (values.view(f"i{values.itemsize}") * mask).view(values.dtype)


def zero(g: Any) -> Any:
    """A gradient of zeros, also where ``g`` is infinite."""
    return where_(np.False_, g, 0)


def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """``input`` where the condition holds, ``other`` elsewhere, all broadcast.

    The gradient goes to the chosen entries; the others get 0. With the condition alone, the
    indices of its nonzero entries, a tensor for each dimension. Raises RuntimeError if the
    condition is not a boolean tensor. Counterpart: ``torch.where``.

    >>> import minigrad as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> torch.where(x > 0, x, 0.0)
    tensor([0., 2.])
    >>> torch.where(x > 0)
    (tensor([1]),)
    """
    chooser = tensor_array("where", condition, "condition")
    if input is None and other is None:
        return tuple(map(new_tensor, np.nonzero(np.atleast_1d(chooser))))
    if chooser.dtype.kind != "b":
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{dtypes.of(chooser).title}"
        )
    operand_of("where", other, "other", 3)
    return where_(condition, *alike("where", input=input, other=other)[1])


def alike(function: str, **operands: Any) -> tuple[Any, list[Any]]:
    """The dtype that promotion gives these operands, and the operands in it; None stays None."""
    given = [(name, value) for name, value in operands.items() if value is not None]
    arrays = [operand_of(function, value, name, at) for at, (name, value) in enumerate(given, 1)]
    wanted = dtypes.result_dtype(tuple(arrays))
    return wanted, [
        converted(value, wanted.numpy)
        if isinstance(value, TensorBase)
        else value if value is None else wanted.numpy.type(value)
        for value in operands.values()
    ]


@differentiable(
    input=lambda g, input, other: where_(input < other, 0, where_(input == other, g / 2, g)),
    other=lambda g, input, other: where_(other < input, 0, where_(input == other, g / 2, g)),
)
def maximum(input, other):
    """The larger of each pair, broadcast; NaN wins. Counterpart: ``torch.maximum``.

    The larger one gets the gradient; two that tie share it.

    >>> import minigrad as torch
    >>> torch.maximum(torch.tensor([1.0, 5.0]), torch.tensor([3.0, 4.0]))
    tensor([3., 5.])
    """
    refuse_numbers("maximum", input, other)
    return np.maximum(input, other)


@differentiable(
    input=lambda g, input, other: where_(input > other, 0, where_(input == other, g / 2, g)),
    other=lambda g, input, other: where_(other > input, 0, where_(input == other, g / 2, g)),
)
def minimum(input, other):
    """The smaller of each pair, broadcast; as ``maximum``. Counterpart: ``torch.minimum``."""
    refuse_numbers("minimum", input, other)
    return np.minimum(input, other)


@operation(
    number=1,
    input=lambda g, input, min, max: where_((input >= min) & (input <= max), g, 0),
    min=lambda g, input, min, max: where_((input < min) & (min < max), g, 0),
    max=lambda g, input, min, max: where_((input > max) | (max < min), g, 0),
)
def _clamp(input, min, max):
    return input.clip(min, max)


def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    """``input``, but at least ``min`` and at most ``max``: two numbers, or two tensors.

    Its derivative is 1 inside and on the bounds, 0 outside. If ``min`` is above ``max``, the
    result is ``max``. Raises RuntimeError without any bound. Counterpart: ``torch.clamp``.

    >>> import minigrad as torch
    >>> torch.clamp(torch.tensor([-2.0, 0.5, 3.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    tensors = {isinstance(bound, TensorBase) for bound in (min, max) if bound is not None}
    if not tensors:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if len(tensors) == 2:
        raise TypeError("clamp() received a number and a tensor as bounds: both must be alike")
    if True in tensors or tensor_array("clamp", input).dtype.kind != "f":
        _, (input, min, max) = alike("clamp", input=input, min=min, max=max)
    if input._array.dtype.kind == "f":
        min, max = -np.inf if min is None else min, np.inf if max is None else max
    return _clamp(input, min, max)


def clamp_min(input: Any, min: Any) -> Any:
    """``input``, but at least ``min``; see ``clamp``. Counterpart: ``torch.clamp_min``."""
    return clamp(input, min)


def clamp_max(input: Any, max: Any) -> Any:
    """``input``, but at most ``max``; see ``clamp``. Counterpart: ``torch.clamp_max``."""
    return clamp(input, None, max)


@operation(input=lambda g, input: where_((input - input) == 0, g, 0))
def _nan_to_num(input, nan, posinf, neginf):
    return np.nan_to_num(input, nan=nan, posinf=posinf, neginf=neginf)


def nan_to_num(input: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """``input`` with numbers in place of NaN and of the two infinities.

    These are replaced by the largest and the smallest number of the dtype unless others are
    given. The gradient is 0 there. Counterpart: ``torch.nan_to_num``.
    """
    tensor_array("nan_to_num", input)
    return _nan_to_num(input, 0.0 if nan is None else nan, posinf, neginf)


# ------------------------------------------------------------------------ comparisons and logic


def comparison(compare: Any, symbol: str, counterpart: str) -> Any:
    """An operation that answers True or False for each pair, and so has no derivative."""

    def function(input: Any, other: Any) -> Any:
        x = tensor_array(counterpart, input)
        if symbol.isalpha():
            y = tensor_array(counterpart, other, "other", 2)
        else:
            y = operand_of(counterpart, other, "other", 2)
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
logical_and = comparison(np.logical_and, "and", "logical_and")
logical_or = comparison(np.logical_or, "or", "logical_or")
logical_xor = comparison(np.logical_xor, "xor", "logical_xor")


def question(answer: Any, what: str, name: str) -> Any:
    """An operation that answers True or False for each entry, and so has no derivative."""

    def function(input: Any) -> Any:
        return new_tensor(answer(tensor_array(name, input)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"For each entry: {what}? Counterpart: ``torch.{name}``."
    return function


isnan = question(np.isnan, "is it NaN", "isnan")
isinf = question(np.isinf, "is it infinite", "isinf")
isfinite = question(np.isfinite, "is it a number, neither infinite nor NaN", "isfinite")
logical_not = question(np.logical_not, "is it 0, or False", "logical_not")


def isclose(
    input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    """For each pair: is abs(input - other) <= atol + rtol * abs(other)?

    NaN is close to NaN if ``equal_nan``. Raises RuntimeError for two dtypes.
    Counterpart: ``torch.isclose``.
    """
    x, y = tensor_array("isclose", input), tensor_array("isclose", other, "other", 2)
    if x.dtype != y.dtype:
        raise RuntimeError(f"{dtypes.of(x).title} did not match {dtypes.of(y).title}")
    try:
        return new_tensor(np.isclose(x, y, rtol, atol, equal_nan))
    except ValueError as error:
        raise mismatch(error, x, y) from None


def allclose(
    input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Is every pair close, in the sense of ``isclose``? Counterpart: ``torch.allclose``.

    >>> import minigrad as torch
    >>> torch.allclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.000001]))
    True
    """
    return bool(isclose(input, other, rtol, atol, equal_nan)._array.all())


def equal(input: Any, other: Any) -> bool:
    """Have the two the same shape and the same values? Counterpart: ``torch.equal``."""
    return np.array_equal(tensor_array("equal", input), tensor_array("equal", other, "other", 2))


def bitwise(name: str, combine: Any, symbol: str) -> Any:
    """An operation on the bits of integers, or on booleans; no derivative."""

    def function(input: Any, other: Any) -> Any:
        x, y = operand_of(name, input, "input", 1), operand_of(name, other, "other", 2)
        wanted = dtypes.result_dtype((x, y))
        check_implemented(f"{name}_cpu", np.empty(0, wanted.numpy), "iu" if shift else "iub")
        try:
            return new_tensor(combine(x, y, dtype=wanted.numpy, casting="unsafe"))
        except ValueError as error:
            raise mismatch(error, x, y) from None

    shift = len(symbol) == 2
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"``input {symbol} other`` of integers{'' if shift else ' or booleans'}; no gradient.\n\n"
        f"    Counterpart: ``torch.{name}``."
    )
    return function


bitwise_and = bitwise("bitwise_and", np.bitwise_and, "&")
bitwise_or = bitwise("bitwise_or", np.bitwise_or, "|")
bitwise_xor = bitwise("bitwise_xor", np.bitwise_xor, "^")
bitwise_left_shift = bitwise("bitwise_left_shift", np.left_shift, "<<")
bitwise_right_shift = bitwise("bitwise_right_shift", np.right_shift, ">>")


def bitwise_not(input: Any) -> Any:
    """``~input`` of booleans or integers. Counterpart: ``torch.bitwise_not``."""
    array = tensor_array("bitwise_not", input)
    if array.dtype.kind == "f":
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    return new_tensor(~array)
