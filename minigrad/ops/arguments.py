"""What the arguments of operations may be, and what is said, in PyTorch's words, of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import dtypes
from ..graph import TensorBase
from ..primitive import NUMBERS

BOOLEAN = dtypes.bool_.numpy
"""NumPy's own object for booleans, so that ``is`` compares it."""

OPERANDS = (TensorBase, *NUMBERS, np.ndarray, np.generic)


def wrong_type(function: str, name: str, position: int, expected: str, value: Any) -> TypeError:
    return TypeError(
        f"{function}(): argument '{name}' (position {position}) must be {expected}, "
        f"not {type(value).__name__}"
    )


def tensor_array(function: str, value: Any, name: str = "input", position: int = 1) -> Any:
    """The array of an argument that must be a tensor."""
    if not isinstance(value, TensorBase):
        raise wrong_type(function, name, position, "Tensor", value)
    return value._array


def operand_of(function: str, value: Any, name: str, position: int) -> Any:
    """The array of an argument that may also be a number or a NumPy array."""
    if isinstance(value, TensorBase):
        return value._array
    if not isinstance(value, OPERANDS):
        raise wrong_type(function, name, position, "Tensor or Number", value)
    return value


def number_of(function: str, value: Any, name: str, position: int) -> Any:
    """An argument that must be a number, or a tensor of one."""
    if isinstance(value, TensorBase) and value._array.size == 1:
        return value._array.item()
    if not isinstance(value, (*NUMBERS, np.number, np.bool_)):
        raise wrong_type(function, name, position, "Number", value)
    return value


def operator(function: Callable[[Any, Any], Any]) -> Any:
    """A function of two operands as the method behind an operator.

    It leaves what it does not know to the other operand's class, by ``NotImplemented``.
    """

    def method(self: Any, other: Any) -> Any:
        return function(self, other) if isinstance(other, OPERANDS) else NotImplemented

    return method


def wrapped_dim(dim: int, ndim: int) -> int:
    """A dimension counted from the front. Raises IndexError, as PyTorch, if there is none."""
    bound = max(ndim, 1)
    if not isinstance(dim, (int, np.integer)) or isinstance(dim, bool):
        raise TypeError(f"dim must be int, not {type(dim).__name__}")
    if not -bound <= dim < bound:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-bound}, {bound - 1}], "
            f"but got {dim})"
        )
    return int(dim) % bound


def sizes(shape: tuple[Any, ...]) -> tuple[int, ...]:
    """The sizes given either one by one or as one sequence."""
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = tuple(shape[0])
    for size in shape:
        if not isinstance(size, (int, np.integer)) or isinstance(size, bool):
            raise TypeError(f"sizes must be ints, not {type(size).__name__}")
    return tuple(map(int, shape))


def refuse_booleans(input: Any, other: Any) -> None:
    """Raise RuntimeError, as PyTorch, for a difference of booleans."""
    if (
        getattr(input, "dtype", None) is BOOLEAN
        or getattr(other, "dtype", None) is BOOLEAN
        or input.__class__ is bool
        or other.__class__ is bool
    ):
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
            "trying to invert a mask, use the `~` operator instead."
        )


def check_power(input: Any, exponent: Any) -> None:
    """Raise what PyTorch raises for powers of booleans, and negative ones of integers."""
    base, power = (t._array if isinstance(t, TensorBase) else t for t in (input, exponent))
    if getattr(power, "dtype", BOOLEAN).kind == "f":
        return
    wanted = dtypes.result_dtype((base, power))
    if wanted is dtypes.bool_:
        raise NotImplementedError("\"pow\" not implemented for 'Bool'")
    if not wanted.is_floating_point and np.any(power < 0):
        raise RuntimeError("Integers to negative integer powers are not allowed.")
