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
from ..compat.arguments import (
    check_fits,
    check_implemented,
    ensure,
    fitting,
    in_order,
    number_of,
    operand_of,
    refuse_booleans,
    refuse_numbers,
    tensor_array,
    titled,
)
from ..dtypes import SCALAR32
from ..engine.node import TensorBase, new_tensor
from ..engine.operands import broadcast_error, python_number, to_dtype, wrap_around
from ..engine.record import NUMBERS, differentiable, operation


@differentiable(input=lambda g: g, other=lambda g: g)
def _add(input, other):
    return input + other


@differentiable(input=lambda g: g, other=lambda g: -g)
def _sub(input, other):
    if not input.__class__ is other.__class__ is SCALAR32:  # no need to look: a tenth faster
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
    if alpha.__class__ is int and alpha == 1:
        return _add(input, other)
    return _add_scaled(
        python_number(input), python_number(other), checked_alpha("add", input, other, alpha)
    )


def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """``input - alpha * other``, broadcast. Counterpart: ``torch.sub``."""
    if alpha.__class__ is int and alpha == 1:
        return _sub(input, other)
    refuse_booleans(*(operand_of("sub", operand, "other", 2) for operand in (input, other)))
    return _sub_scaled(
        python_number(input), python_number(other), checked_alpha("sub", input, other, alpha)
    )


@operation(name="add", input=lambda g: g, other=lambda g, alpha: g * alpha)
def _add_scaled(input, other, alpha):
    input, other = in_one_dtype(input, other)
    return input + other * alpha


@operation(name="sub", input=lambda g: g, other=lambda g, alpha: g * -alpha)
def _sub_scaled(input, other, alpha):
    input, other = in_one_dtype(input, other)
    return input - other * alpha


def in_one_dtype(*arrays: Any) -> list[Any]:
    """Arrays and numbers in the dtype that promotion gives them."""
    if len({getattr(array, "dtype", None) for array in arrays}) == 1:
        return list(arrays)
    wanted = dtypes.result_dtype(arrays)
    return [
        array.astype(wanted.numpy, copy=False)
        if isinstance(array, (np.ndarray, np.generic))
        else fitting(array, wanted)
        for array in arrays
    ]


def checked_alpha(function: str, input: Any, other: Any, alpha: Any) -> Any:
    """The factor of an operand. Raises RuntimeError for a fraction, or a truth, of integers."""
    operands = operand_of(function, input, "input", 1), operand_of(function, other, "other", 2)
    dtype = dtypes.result_dtype(operands)
    alpha = number_of(function, alpha, "alpha", 3)
    text = "For integral input tensors, argument alpha must not be a floating point number."
    ensure(dtype.is_floating_point or not isinstance(alpha, float), text)
    boolean = dtype is dtypes.bool_ or not isinstance(alpha, (bool, np.bool_))
    ensure(boolean, "Boolean alpha only supported for Boolean results.")
    return factor(alpha, dtype)


def factor(number: Any, dtype: Any) -> Any:
    """A number to multiply a tensor of this dtype by, without changing it."""
    return number if dtype.is_floating_point else fitting(number, dtype)


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
    text = "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
    ensure(input.dtype.kind != "b", text + "invert a mask, use the `~` operator instead.")
    return -input


def positive(input: Any) -> Any:
    """``+input``: the tensor itself. Raises RuntimeError for booleans.

    Counterpart: ``torch.positive``.
    """
    boolean = tensor_array("positive", input).dtype.kind == "b"
    ensure(not boolean, "The `+` operator, on a bool tensor is not supported.")
    return input


@differentiable(input=lambda g: g)
def clone(input):
    """A copy in memory of its own, which passes the gradient on. Counterpart: ``torch.clone``."""
    return input.copy()


@operation(
    input=lambda g: g,
    tensor1=lambda g, tensor2, value: g * (tensor2 * value),
    tensor2=lambda g, tensor1, value: g * (tensor1 * value),
)
def _addcmul(input, tensor1, tensor2, value):
    check_implemented("addcmul_cpu_out", input)
    return input + tensor1 * tensor2 * value


def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """``input + value * tensor1 * tensor2``, broadcast. Counterpart: ``torch.addcmul``."""
    return _addcmul(*of_three("addcmul", input, tensor1, tensor2, value))


@operation(
    input=lambda g: g,
    tensor1=lambda g, tensor2, value: g * (value / tensor2),
    tensor2=lambda g, tensor1, tensor2, value: -g * (tensor1 * value / (tensor2 * tensor2)),
)
def _addcdiv(input, tensor1, tensor2, value):
    with np.errstate(all="ignore"):
        return input + tensor1 / tensor2 * value


def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """``input + value * tensor1 / tensor2``, broadcast. Counterpart: ``torch.addcdiv``.

    Raises RuntimeError for two tensors of integers.
    """
    whole = not alike("addcdiv", tensor1=tensor1, tensor2=tensor2)[0].is_floating_point
    ensure(not whole, "Integer division with addcdiv is no longer supported: use floats.")
    return _addcdiv(*of_three("addcdiv", input, tensor1, tensor2, value))


def of_three(function: str, input: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    """Three tensors in one dtype, and a number; a fraction of integers is cut off."""
    operands = {"input": input, "tensor1": tensor1, "tensor2": tensor2}
    for position, name in enumerate(operands, 1):
        tensor_array(function, operands[name], name, position)
    dtype, tensors = alike(function, **operands)
    value = number_of(function, value, "value", 4)
    return *tensors, factor(value, dtype)


def between(input: Any, end: Any, weight: Any) -> Any:
    way = end - input  # from the nearer end, so that a weight of 1 gives exactly `end`
    return np.where(np.abs(weight) < 0.5, input + weight * way, end - (1 - weight) * way)


@operation(input=lambda g, weight: g * (1 - weight), end=lambda g, weight: g * weight)
def _lerp(input, end, weight):
    """With a number as weight."""
    return between(input, end, weight)


@operation(
    name="lerp",
    number=1,
    input=lambda g, weight: g * (1 - weight),
    end=lambda g, weight: g * weight,
    weight=lambda g, input, end: g * (end - input),
)
def _lerp_tensor(input, end, weight):
    return between(input, end, weight)


def lerp(input: Any, end: Any, weight: Any) -> Any:
    """``input + weight * (end - input)``: from ``input`` (weight 0) to ``end`` (weight 1).

    The weight is a number or a tensor. Raises RuntimeError unless all tensors have one dtype,
    NotImplementedError for integers. Counterpart: ``torch.lerp``.

    >>> import minigrad as torch
    >>> torch.lerp(torch.tensor([0.0, 10.0]), torch.tensor([4.0, 20.0]), 0.25)
    tensor([ 1.0000, 12.5000])
    """
    want = tensor_array("lerp", input).dtype
    have = tensor_array("lerp", end, "end", 2).dtype
    if isinstance(weight, TensorBase):
        if weight._array.ndim == 0:
            weight = to_dtype(weight, want)
        have = weight._array.dtype if have == want else have
    ensure(have == want, "expected dtype {} for `end` and `weight` but got dtype {}", want, have)
    check_implemented("lerp_kernel_scalar", input._array, "f")
    return (_lerp_tensor if isinstance(weight, TensorBase) else _lerp)(
        input, end, python_number(weight)
    )


# ----------------------------------------------------------------------------------- division


@differentiable(
    floats=True,
    input=lambda g, other: g / other,
    other=lambda g, input, other: -g * (input / other / other),
)
def _div(input, other):
    with np.errstate(all="ignore"):
        return input / other


@differentiable(
    shown="DivBackward2", input=lambda g, other: zero(g), other=lambda g, input, other: zero(g)
)
def _div_floor(input, other):
    with np.errstate(all="ignore"):
        return divided("div_floor", input // other, input, other)


@differentiable(
    shown="DivBackward2", input=lambda g, other: zero(g), other=lambda g, input, other: zero(g)
)
def _div_trunc(input, other):
    with np.errstate(all="ignore"):
        if np.result_type(input, other).kind == "f":
            return np.trunc(input / other)
        return divided("div_trunc", (input - np.fmod(input, other)) // other, input, other)


def divided(name: str, out: Any, input: Any, other: Any) -> Any:
    """``out``, unless integers were divided by 0, or booleans at all."""
    if out.dtype.kind != "f":
        check_implemented(f"{name}_cpu", np.empty(0, np.result_type(input, other)))
        ensure(not out.size or np.all(other), "ZeroDivisionError")
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
    text = "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{}'"
    ensure(rounding_mode in ("trunc", "floor"), text, rounding_mode)
    return (_div_floor if rounding_mode == "floor" else _div_trunc)(input, other)


def no_derivative(function: str) -> None:
    """Raise RuntimeError, as PyTorch, where it has forgone a derivative (0 almost everywhere)."""
    raise RuntimeError(f"derivative for aten::{function} is not implemented")


@differentiable(
    shown="NotImplemented",
    input=lambda g: no_derivative("floor_divide"),
    other=lambda g: no_derivative("floor_divide"),
)
def floor_divide(input, other):
    """``input // other``, rounded down, broadcast; backward through it raises RuntimeError.

    ``div`` with ``rounding_mode="floor"`` has a derivative, which is 0. Raises RuntimeError where
    integers are divided by 0. Counterpart: ``torch.floor_divide``.

    >>> import minigrad as torch
    >>> torch.floor_divide(torch.tensor([-7, 7]), 2)
    tensor([-4,  3])
    """
    with np.errstate(all="ignore"):
        return divided("div_floor", input // other, input, other)


def left_over(input: Any, other: Any) -> Any:
    with np.errstate(all="ignore"):
        out = np.fmod(input, other)
        out = np.where((out != 0) & ((out < 0) != (other < 0)), out + other, out)[()]
        return divided("remainder", out, input, other)


@differentiable(input=lambda g: g, other=lambda g, input, other: -g * _div_floor(input, other))
def _remainder(input, other):
    return left_over(input, other)


@differentiable(
    shown="NotImplemented",
    input=lambda g: None,
    other=lambda g: no_derivative("remainder"),
)
def _remainder_of_number(input, other):
    return left_over(input, other)


def remainder(input: Any, other: Any) -> Any:
    """``input % other``: what is left of ``input``, with the sign of ``other``.

    d/d other = -floor(input / other); where ``input`` is a number, backward raises RuntimeError.
    Raises RuntimeError where integers are divided by 0. Counterpart: ``torch.remainder``.

    >>> import minigrad as torch
    >>> torch.remainder(torch.tensor([-7, 7]), 3), torch.tensor([5.5]) % -2
    (tensor([2, 1]), tensor([-0.5000]))
    """
    return (_remainder_of_number if input.__class__ in NUMBERS else _remainder)(input, other)


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
    text = "where expected condition to be a boolean tensor, but got a tensor with dtype {}"
    ensure(chooser.dtype.kind == "b", text, dtypes.of(chooser).title)
    operand_of("where", other, "other", 3)
    return where_(condition, *alike("where", input=input, other=other)[1])


def alike(function: str, **operands: Any) -> tuple[Any, list[Any]]:
    """The dtype that promotion gives these operands, and the operands in it; None stays None."""
    given = [(name, value) for name, value in operands.items() if value is not None]
    arrays = [operand_of(function, value, name, at) for at, (name, value) in enumerate(given, 1)]
    wanted = dtypes.result_dtype(tuple(arrays))
    return wanted, [
        value
        if value is None
        else to_dtype(value, wanted.numpy)
        if isinstance(value, TensorBase)
        else fitting(value, wanted)
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
    check_implemented("clamp_cpu", input)
    return input.clip(min, max)


@differentiable(
    input=lambda g, input, other: where_(input >= other, g, 0),
    other=lambda g, input, other: where_(input < other, g, 0),
)
def _clamp_min(input, other):
    return np.maximum(input, other)


@differentiable(
    input=lambda g, input, other: where_(input <= other, g, 0),
    other=lambda g, input, other: where_(input > other, g, 0),
)
def _clamp_max(input, other):
    return np.minimum(input, other)


def as_number(bound: Any, name: str, position: int) -> Any:
    """A bound beside one that is a number: the number in a 0-d tensor that wants no gradient."""
    if not isinstance(bound, TensorBase):
        return number_of("clamp", bound, name, position)
    text = "clamp() received an invalid combination of arguments: a number and a tensor as bounds\n"
    text += "  Beside a number, only a 0-d tensor that requires no gradient counts as one, too.\n"
    text += "  fix: make the number a tensor: torch.tensor(0.0)"
    alone = bound._array.ndim == 0 and bound._node is None
    ensure(alone, text, error=TypeError)
    return bound._array.item()


def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    """``input``, but at least ``min`` and at most ``max``: two numbers, or two tensors.

    Beside a number, a 0-d tensor that requires no gradient counts as a number.
    Its derivative is 1 inside and on the bounds, 0 outside. If ``min`` is above ``max``, the
    result is ``max``. Raises RuntimeError without any bound. Counterpart: ``torch.clamp``.

    >>> import minigrad as torch
    >>> torch.clamp(torch.tensor([-2.0, 0.5, 3.0]), 0, 1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    tensors = {isinstance(bound, TensorBase) for bound in (min, max) if bound is not None}
    ensure(tensors, "torch.clamp: At least one of 'min' or 'max' must not be None")
    if len(tensors) == 2:
        tensors = {False}
        min = as_number(min, "min", 2)
        max = as_number(max, "max", 3)
    floats = tensor_array("clamp", input).dtype.kind == "f"
    if True in tensors and (min is None or max is None):
        return _clamp_min(input, min) if max is None else _clamp_max(input, max)
    if True in tensors or not floats:
        _, (input, min, max) = alike("clamp", input=input, min=min, max=max)
    if input._array.dtype.kind == "f":
        min = -np.inf if min is None else python_number(min)
        max = np.inf if max is None else python_number(max)
    try:
        return _clamp(input, min, max)
    except TypeError:
        number_of("clamp", min, "min", 2)
        number_of("clamp", max, "max", 3)
        raise


def check_bound(function: str, input: Any, bound: Any) -> None:
    """Raise what PyTorch raises for booleans, and for a number that integers cannot reach."""
    if not isinstance(input, TensorBase):  # a rule at work on bare arrays, or a mistake
        return
    array = input._array
    wanted = dtypes.result_dtype((array, operand_of(function, bound, function[-3:], 2)))
    check_implemented(f"{function}_scalar_cpu", np.empty(0, wanted.numpy))
    if bound.__class__ is int:
        check_fits(bound, dtypes.of(array))


def clamp_min(input: Any, min: Any) -> Any:
    """``input``, but at least ``min``; see ``clamp``. Counterpart: ``torch.clamp_min``."""
    check_bound("clamp_min", input, min)
    return _clamp_min(input, min)


def clamp_max(input: Any, max: Any) -> Any:
    """``input``, but at most ``max``; see ``clamp``. Counterpart: ``torch.clamp_max``."""
    check_bound("clamp_max", input, max)
    return _clamp_max(input, max)


@operation(input=lambda g, input: where_((input - input) == 0, g, 0))
def _nan_to_num(input, nan, posinf, neginf):
    return in_order(np.nan_to_num(input, nan=nan, posinf=posinf, neginf=neginf))


def nan_to_num(input: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """``input`` with numbers in place of NaN and of the two infinities.

    These are replaced by the largest and the smallest number of the dtype unless others are
    given. The gradient is 0 there. Counterpart: ``torch.nan_to_num``.
    """
    tensor_array("nan_to_num", input)
    return _nan_to_num(input, 0.0 if nan is None else nan, posinf, neginf)


# ------------------------------------------------------------------------ comparisons and logic


def paired(compute: Any, x: Any, y: Any, *options: Any) -> Any:
    """What NumPy computes of two arrays, or an array and a number, as a tensor."""
    if y.__class__ is int and x.dtype.kind in "iu":
        y = wrap_around(y, x.dtype)
    elif isinstance(y, (np.ndarray, np.generic)) and y.dtype is not x.dtype:
        wanted = dtypes.result_dtype((x, y)).numpy
        x = x.astype(wanted)
        y = y.astype(wanted)
    try:
        return new_tensor(compute(x, y, *options))
    except ValueError as error:
        raise broadcast_error(error, x, y) from None


def comparison(name: str, compare: Any, symbol: str) -> Any:
    """An operation that answers True or False for each pair, and so has no derivative."""

    def function(input: Any, other: Any) -> Any:
        of_other = tensor_array if symbol.isalpha() else operand_of
        return paired(compare, tensor_array(name, input), of_other(name, other, "other", 2))

    words = f"``input {symbol} other`` for each entry, broadcast; booleans, without a gradient."
    return titled(function, name, words)


eq = comparison("eq", np.equal, "==")
ne = comparison("ne", np.not_equal, "!=")
lt = comparison("lt", np.less, "<")
le = comparison("le", np.less_equal, "<=")
gt = comparison("gt", np.greater, ">")
ge = comparison("ge", np.greater_equal, ">=")
logical_and = comparison("logical_and", np.logical_and, "and")
logical_or = comparison("logical_or", np.logical_or, "or")
logical_xor = comparison("logical_xor", np.logical_xor, "xor")


def question(name: str, answer: Any, what: str) -> Any:
    """An operation that answers True or False for each entry, and so has no derivative."""

    def function(input: Any) -> Any:
        return new_tensor(answer(tensor_array(name, input)))

    return titled(function, name, f"For each entry: {what}?")


isnan = question("isnan", np.isnan, "is it NaN")
isinf = question("isinf", np.isinf, "is it infinite")
isfinite = question("isfinite", np.isfinite, "is it a number, neither infinite nor NaN")
logical_not = question("logical_not", np.logical_not, "is it 0, or False")


def isclose(
    input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    """For each pair: is abs(input - other) <= atol + rtol * abs(other)?

    NaN is close to NaN if ``equal_nan``. Raises RuntimeError for two dtypes.
    Counterpart: ``torch.isclose``.
    """
    x = tensor_array("isclose", input)
    y = tensor_array("isclose", other, "other", 2)
    ensure(x.dtype == y.dtype, "{} did not match {}", dtypes.of(x).title, dtypes.of(y).title)
    return paired(np.isclose, x, y, rtol, atol, equal_nan)


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

    def combined(x: Any, y: Any) -> Any:
        wanted = dtypes.result_dtype((x, y)).numpy
        check_implemented(f"{name}_cpu", np.empty(0, wanted), "iub")
        return combine(x, y, dtype=wanted, casting="unsafe")

    def function(input: Any, other: Any) -> Any:
        return paired(combined, tensor_array(name, input), operand_of(name, other, "other", 2))

    return titled(function, name, f"``input {symbol} other`` of integers or booleans; no gradient.")


bitwise_and = bitwise("bitwise_and", np.bitwise_and, "&")
bitwise_or = bitwise("bitwise_or", np.bitwise_or, "|")
bitwise_xor = bitwise("bitwise_xor", np.bitwise_xor, "^")


def bitwise_not(input: Any) -> Any:
    """``~input`` of booleans or integers. Counterpart: ``torch.bitwise_not``."""
    array = tensor_array("bitwise_not", input)
    text = "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
    ensure(array.dtype.kind != "f", text, error=TypeError)
    return new_tensor(~array)
