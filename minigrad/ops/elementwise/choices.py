"""Each entry of the result is one of several: ``where``, ``maximum``, ``clamp``, ``nan_to_num``.

The gradient goes to the entry that was chosen. Where two tie, the choice is PyTorch's: both
bounds of ``clamp`` count as inside, and two numbers that tie for a maximum share the gradient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes, longs
from ...compat.arguments import (
    check_fits,
    check_implemented,
    ensure,
    in_order,
    number_of,
    operand_of,
    refuse_numbers,
    tensor_array,
)
from ...engine.node import TensorBase, new_tensor
from ...engine.operands import python_number
from ...engine.record import differentiable, operation
from ..annotations import Array
from .promotion import promoted_operands

if TYPE_CHECKING:
    from ..._tensor import Tensor


@operation(
    input=lambda g, condition: where_(condition, g, 0),
    other=lambda g, condition: where_(condition, 0, g),
)
def where_(condition: Array, input: Array, other: Array) -> Array:
    """``where`` without its checks, for rules."""
    if other.__class__ is int:  # the 0 of a rule
        return masked(input, condition)
    if input.__class__ is int:
        return masked(other, ~condition)
    return np.where(condition, input, other)


def masked(values: Any, mask: Any) -> Any:
    """The values where the mask is true, 0 elsewhere.

    This multiplies the bits, read as integers, by 0 or 1: unlike a product of floats, that is 0
    also where a value is infinite or NaN. It is 7 times as fast as ``np.where``, which branches
    at each entry: with random signs the processor mispredicts every other branch.
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
        return tuple(map(new_tensor, longs.nonzero(np.atleast_1d(chooser))))
    text = "where expected condition to be a boolean tensor, but got a tensor with dtype {}"
    ensure(chooser.dtype.kind == "b", text, dtypes.of(chooser).title)
    operand_of("where", other, "other", 3)
    return where_(condition, *promoted_operands("where", input=input, other=other))


def tensor_where(self: Tensor, condition: Any, other: Any) -> Tensor:
    """This tensor where the condition holds, ``other`` elsewhere: see ``minigrad.where``.

    Counterpart: ``torch.Tensor.where``.

    >>> import minigrad as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> x.where(x > 0, 0.0)
    tensor([0., 2.])
    """
    return where(condition, self, other)


tensor_where.__name__ = tensor_where.__qualname__ = "where"  # which messages name


# -------------------------------------------------------------------------- the larger, the smaller


@differentiable(
    input=lambda g, input, other: where_(input < other, 0, where_(input == other, g / 2, g)),
    other=lambda g, input, other: where_(other < input, 0, where_(input == other, g / 2, g)),
)
def maximum(input: Array, other: Array) -> Array:
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
def minimum(input: Array, other: Array) -> Array:
    """The smaller of each pair, broadcast; as ``maximum``. Counterpart: ``torch.minimum``.

    >>> import minigrad as torch
    >>> torch.minimum(torch.tensor([1.0, 5.0]), torch.tensor([3.0, 2.0]))
    tensor([1., 2.])
    """
    refuse_numbers("minimum", input, other)
    return np.minimum(input, other)


@differentiable(
    input=lambda g, input, other: where_((input >= other) | (other != other), g, 0),
    other=lambda g, input, other: where_((input >= other) | (other != other), 0, g),
)
def fmax(input: Array, other: Array) -> Array:
    """The larger of each pair, broadcast; a number wins over NaN. Counterpart: ``torch.fmax``.

    The larger one gets the gradient; of two that tie, ``input``.

    >>> import minigrad as torch
    >>> torch.fmax(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 4.0]))
    tensor([3., 4.])
    """
    refuse_numbers("fmax", input, other)
    return np.fmax(input, other)


@differentiable(
    input=lambda g, input, other: where_((input <= other) | (other != other), g, 0),
    other=lambda g, input, other: where_((input <= other) | (other != other), 0, g),
)
def fmin(input: Array, other: Array) -> Array:
    """The smaller of each pair, broadcast; otherwise as ``fmax``. Counterpart: ``torch.fmin``.

    >>> import minigrad as torch
    >>> torch.fmin(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 4.0]))
    tensor([1., 4.])
    """
    refuse_numbers("fmin", input, other)
    return np.fmin(input, other)


# ------------------------------------------------------------------------------------------- bounds


@operation(
    number=1,
    input=lambda g, input, min, max: where_((input >= min) & (input <= max), g, 0),
    min=lambda g, input, min, max: where_((input < min) & (min < max), g, 0),
    max=lambda g, input, min, max: where_((input > max) | (max < min), g, 0),
)
def _clamp(input: Array, min: Any, max: Any) -> Array:
    check_implemented("clamp_cpu", input)
    return input.clip(min, max)


@differentiable(
    input=lambda g, input, other: where_(input >= other, g, 0),
    other=lambda g, input, other: where_(input < other, g, 0),
)
def _clamp_min(input: Array, other: Array) -> Array:
    return np.maximum(input, other)


@differentiable(
    input=lambda g, input, other: where_(input <= other, g, 0),
    other=lambda g, input, other: where_(input > other, g, 0),
)
def _clamp_max(input: Array, other: Array) -> Array:
    return np.minimum(input, other)


def bound_as_number(bound: Any, name: str, position: int) -> Any:
    """A bound as a number, as the other one is: a 0-d tensor without history counts as one."""
    if not isinstance(bound, TensorBase):
        return number_of("clamp", bound, name, position)
    text = "clamp() received an invalid combination of arguments: a number and a tensor as bounds\n"
    text += "  Beside a number, only a 0-d tensor that requires no gradient counts as one, too.\n"
    text += "  fix: make the number a tensor: torch.tensor(0.0)"
    alone = bound._array.ndim == 0 and bound._node is None
    ensure(alone, text, error=TypeError)
    return bound._array.item()


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
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
        min = bound_as_number(min, "min", 2)
        max = bound_as_number(max, "max", 3)
    floats = tensor_array("clamp", input).dtype.kind == "f"
    if True in tensors and max is None:
        return _clamp_min(input, min)
    if True in tensors and min is None:
        return _clamp_max(input, max)
    if True in tensors or not floats:
        input, min, max = promoted_operands("clamp", input=input, min=min, max=max)
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
    """Raise what PyTorch raises for booleans, and for a number that the dtype cannot hold."""
    if not isinstance(input, TensorBase):  # an array, in a rule; or a mistake, told of later
        return
    array = input._array
    wanted = dtypes.result_dtype((array, operand_of(function, bound, function[-3:], 2)))
    check_implemented(f"{function}_scalar_cpu", np.empty(0, wanted.numpy))
    if bound.__class__ is int:
        check_fits(bound, dtypes.of(array))


def clamp_min(input: Tensor, min: Any) -> Tensor:
    """``input``, but at least ``min``; see ``clamp``. Counterpart: ``torch.clamp_min``.

    >>> import minigrad as torch
    >>> torch.clamp_min(torch.tensor([-1.0, 0.5, 2.0]), 0)
    tensor([0.0000, 0.5000, 2.0000])
    """
    check_bound("clamp_min", input, min)
    return _clamp_min(input, min)


def clamp_max(input: Tensor, max: Any) -> Tensor:
    """``input``, but at most ``max``; see ``clamp``. Counterpart: ``torch.clamp_max``.

    >>> import minigrad as torch
    >>> torch.clamp_max(torch.tensor([-1.0, 0.5, 2.0]), 1)
    tensor([-1.0000,  0.5000,  1.0000])
    """
    check_bound("clamp_max", input, max)
    return _clamp_max(input, max)


@operation(input=lambda g, input: where_((input - input) == 0, g, 0))
def _nan_to_num(input: Array, nan: Any, posinf: Any, neginf: Any) -> Array:
    return in_order(np.nan_to_num(input, nan=nan, posinf=posinf, neginf=neginf))


def nan_to_num(input: Tensor, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Tensor:
    """``input`` with numbers in place of NaN and of the two infinities.

    These are replaced by the largest and the smallest number of the dtype unless others are
    given. The gradient is 0 there. Counterpart: ``torch.nan_to_num``.

    >>> import minigrad as torch
    >>> torch.nan_to_num(torch.tensor([1.0, torch.nan]), nan=0.5)
    tensor([1.0000, 0.5000])
    """
    tensor_array("nan_to_num", input)
    if nan is None:
        nan = 0.0
    return _nan_to_num(input, nan, posinf, neginf)
