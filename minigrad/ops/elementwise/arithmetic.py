"""Sums, differences, products, absolute values, and formulas of three operands (``addcmul``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...compat.arguments import (
    BOOLEAN,
    check_implemented,
    ensure,
    number_of,
    operand_of,
    refuse_booleans,
    tensor_array,
)
from ...dtypes import SCALAR32
from ...engine.node import TensorBase
from ...engine.operands import python_number, to_dtype
from ...engine.record import differentiable, operation
from ..annotations import Array
from .choices import zero
from .promotion import common_dtype, fitting_factor, in_dtype, promoted_arrays

if TYPE_CHECKING:
    from ..._tensor import Tensor


@differentiable(
    input=lambda g: g,
    other=lambda g: g,
)
def _add(input: Array, other: Array) -> Array:
    return input + other


@differentiable(
    input=lambda g: g,
    other=lambda g: -g,
)
def _sub(input: Array, other: Array) -> Array:
    if not input.__class__ is other.__class__ is SCALAR32:  # no need to look: a tenth faster
        refuse_booleans(input, other)
    return input - other


@differentiable(
    number=1,
    input=lambda g: -g,
    other=lambda g: g,
)
def rsub(input: Array, other: Array) -> Array:
    """``other - input``. Counterpart: ``torch.rsub``.

    >>> import minigrad as torch
    >>> torch.rsub(torch.tensor([1.0, 2.0]), 10)
    tensor([9., 8.])
    """
    refuse_booleans(input, other)
    return other - input


def add(input: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """``input + alpha * other``, broadcast. Counterpart: ``torch.add``.

    >>> import minigrad as torch
    >>> torch.add(torch.tensor([1.0, 2.0]), 10, alpha=2)
    tensor([21., 22.])
    """
    if alpha.__class__ is int and alpha == 1:
        return _add(input, other)
    alpha = checked_alpha("add", input, other, alpha)
    return _add_scaled(python_number(input), python_number(other), alpha)


def sub(input: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """``input - alpha * other``, broadcast. Counterpart: ``torch.sub``.

    >>> import minigrad as torch
    >>> torch.sub(torch.tensor([1.0, 2.0]), 10, alpha=2)
    tensor([-19., -18.])
    """
    if alpha.__class__ is int and alpha == 1:
        return _sub(input, other)
    refuse_booleans(operand_of("sub", input, "other", 2), operand_of("sub", other, "other", 2))
    alpha = checked_alpha("sub", input, other, alpha)
    return _sub_scaled(python_number(input), python_number(other), alpha)


@operation(
    name="add",
    input=lambda g: g,
    other=lambda g, alpha: g * alpha,
)
def _add_scaled(input: Array, other: Array, alpha: Any) -> Array:
    input, other = promoted_arrays(input, other)
    return input + other * alpha


@operation(
    name="sub",
    input=lambda g: g,
    other=lambda g, alpha: g * -alpha,
)
def _sub_scaled(input: Array, other: Array, alpha: Any) -> Array:
    input, other = promoted_arrays(input, other)
    return input - other * alpha


def checked_alpha(function: str, input: Any, other: Any, alpha: Any) -> Any:
    """``alpha``, fitting the operands. Raises RuntimeError for integers times a float or a bool."""
    first = operand_of(function, input, "input", 1)
    second = operand_of(function, other, "other", 2)
    dtype = dtypes.result_dtype((first, second))
    alpha = number_of(function, alpha, "alpha", 3)
    text = "For integral input tensors, argument alpha must not be a floating point number."
    ensure(dtype.is_floating_point or not isinstance(alpha, float), text)
    boolean = dtype is dtypes.bool_ or not isinstance(alpha, (bool, np.bool_))
    ensure(boolean, "Boolean alpha only supported for Boolean results.")
    return fitting_factor(alpha, dtype)


@differentiable(
    input=lambda g, other: g * other,
    other=lambda g, input: g * input,
)
def mul(input: Array, other: Array) -> Array:
    """``input * other``, broadcast. Each factor's derivative is the other factor.

    Saves a factor only if the other one wants a gradient. Counterpart: ``torch.mul``.

    >>> import minigrad as torch
    >>> torch.mul(torch.tensor([[1.0], [2.0]]), torch.tensor([3.0, 4.0]))
    tensor([[3., 4.],
            [6., 8.]])
    """
    return input * other


@differentiable(input=lambda g: -g)
def neg(input: Array) -> Array:
    """``-input``. Counterpart: ``torch.neg``.

    >>> import minigrad as torch
    >>> torch.neg(torch.tensor([-1.5, 0.0, 2.5]))
    tensor([ 1.5000, -0.0000, -2.5000])
    """
    text = "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
    ensure(input.dtype.kind != "b", text + "invert a mask, use the `~` operator instead.")
    return -input


def positive(input: Tensor) -> Tensor:
    """``+input``: the tensor itself. Raises RuntimeError for booleans.

    Counterpart: ``torch.positive``.

    >>> import minigrad as torch
    >>> torch.positive(torch.tensor([-1.5, 0.0, 2.5]))
    tensor([-1.5000,  0.0000,  2.5000])
    """
    boolean = tensor_array("positive", input).dtype.kind == "b"
    ensure(not boolean, "The `+` operator, on a bool tensor is not supported.")
    return input


@differentiable(input=lambda g, input: g * sign(input))
def abs(input: Array) -> Array:
    """The absolute value. Its derivative at 0 is 0. Counterpart: ``torch.abs``.

    >>> import minigrad as torch
    >>> torch.abs(torch.tensor([-1.5, 0.0, 2.5]))
    tensor([1.5000, 0.0000, 2.5000])
    """
    check_implemented("abs_cpu", input)
    return np.abs(input)


@differentiable(input=lambda g: zero(g))
def sign(input: Array) -> Array:
    """-1, 0 (also for NaN) or 1; its derivative is 0. Counterpart: ``torch.sign``.

    >>> import minigrad as torch
    >>> torch.sign(torch.tensor([-1.5, 0.0, 2.5]))
    tensor([-1.,  0.,  1.])
    """
    if input.dtype is BOOLEAN:
        return input.copy()
    return np.subtract(input > 0, input < 0, dtype=input.dtype)


# ----------------------------------------------------------------------------------- three operands


@operation(
    input=lambda g: g,
    tensor1=lambda g, tensor2, value: g * (tensor2 * value),
    tensor2=lambda g, tensor1, value: g * (tensor1 * value),
)
def _addcmul(input: Array, tensor1: Array, tensor2: Array, value: Any) -> Array:
    check_implemented("addcmul_cpu_out", input)
    return input + tensor1 * tensor2 * value


def addcmul(input: Tensor, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
    """``input + value * tensor1 * tensor2``, broadcast. Counterpart: ``torch.addcmul``.

    >>> import minigrad as torch
    >>> torch.addcmul(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), torch.tensor([5.0, 6.0]))
    tensor([16., 26.])
    """
    return _addcmul(*three_operands("addcmul", input, tensor1, tensor2, value))


@operation(
    input=lambda g: g,
    tensor1=lambda g, tensor2, value: g * (value / tensor2),
    tensor2=lambda g, tensor1, tensor2, value: -g * (tensor1 * value / (tensor2 * tensor2)),
)
def _addcdiv(input: Array, tensor1: Array, tensor2: Array, value: Any) -> Array:
    with np.errstate(all="ignore"):
        return input + tensor1 / tensor2 * value


def addcdiv(input: Tensor, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Tensor:
    """``input + value * tensor1 / tensor2``, broadcast. Counterpart: ``torch.addcdiv``.

    Raises RuntimeError for two tensors of integers.

    >>> import minigrad as torch
    >>> torch.addcdiv(torch.tensor([1.0, 2.0]), torch.tensor([6.0, 6.0]), torch.tensor([2.0, 3.0]))
    tensor([4., 4.])
    """
    dtype = common_dtype("addcdiv", {"tensor1": tensor1, "tensor2": tensor2})
    text = "Integer division with addcdiv is no longer supported: use floats."
    ensure(dtype.is_floating_point, text)
    return _addcdiv(*three_operands("addcdiv", input, tensor1, tensor2, value))


def three_operands(function: str, input: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    """Three tensors in one dtype, and a number; a fraction of integers is cut off."""
    operands = {"input": input, "tensor1": tensor1, "tensor2": tensor2}
    for position, name in enumerate(operands, 1):
        tensor_array(function, operands[name], name, position)
    dtype = common_dtype(function, operands)
    tensors = [in_dtype(tensor, dtype) for tensor in operands.values()]
    value = number_of(function, value, "value", 4)
    return *tensors, fitting_factor(value, dtype)


def interpolated(input: Array, end: Array, weight: Any) -> Array:
    """``input + weight * (end - input)``, counted from the nearer of the two.

    So a weight of 1 gives exactly ``end``.
    """
    distance = end - input
    near = np.abs(weight) < 0.5
    return np.where(near, input + weight * distance, end - (1 - weight) * distance)


@operation(
    input=lambda g, weight: g * (1 - weight),
    end=lambda g, weight: g * weight,
)
def _lerp(input: Array, end: Array, weight: float) -> Array:
    """The weight is a number, so it has no derivative."""
    return interpolated(input, end, weight)


@operation(
    name="lerp",
    number=1,
    input=lambda g, weight: g * (1 - weight),
    end=lambda g, weight: g * weight,
    weight=lambda g, input, end: g * (end - input),
)
def _lerp_tensor(input: Array, end: Array, weight: Array) -> Array:
    return interpolated(input, end, weight)


def lerp(input: Tensor, end: Any, weight: Any) -> Tensor:
    """``input + weight * (end - input)``: from ``input`` (weight 0) to ``end`` (weight 1).

    The weight is a number or a tensor. Raises RuntimeError unless all tensors have one dtype,
    NotImplementedError for integers. Counterpart: ``torch.lerp``.

    >>> import minigrad as torch
    >>> torch.lerp(torch.tensor([0.0, 10.0]), torch.tensor([4.0, 20.0]), 0.25)
    tensor([ 1.0000, 12.5000])
    """
    want = tensor_array("lerp", input).dtype
    have = tensor_array("lerp", end, "end", 2).dtype
    operation_ = _lerp
    if isinstance(weight, TensorBase):
        operation_ = _lerp_tensor
        if weight._array.ndim == 0:
            weight = to_dtype(weight, want)
        if have == want:
            have = weight._array.dtype
    ensure(have == want, "expected dtype {} for `end` and `weight` but got dtype {}", want, have)
    check_implemented("lerp_kernel_scalar", input._array, "f")
    return operation_(input, end, python_number(weight))
