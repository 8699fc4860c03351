"""Data types: their names, the default one, and what two of them make together.

The rules of promotion are PyTorch's, not NumPy's. Operands fall into three groups,
Python numbers < 0-d tensors < tensors with dimensions, and a group yields only to a higher
*kind* (bool < integer < floating point) of a lower group: a float32 vector stays float32
beside ``2.0`` and beside a 0-d float64 tensor, while an int64 vector beside ``1.5`` becomes
the default dtype.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BOOL, INTEGER, FLOATING = 0, 1, 2


class dtype:
    """The type of a tensor's elements, such as ``minigrad.float32``.

    It prints under PyTorch's name, since programs say ``import minigrad as torch``.
    Counterpart: ``torch.dtype``.

    >>> import minigrad as torch
    >>> torch.tensor([1.0]).dtype
    torch.float32
    >>> torch.float32.itemsize, torch.int64.is_floating_point
    (4, False)
    """

    __slots__ = ("is_floating_point", "itemsize", "kind", "name", "numpy", "title")

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.title = title  # PyTorch's older name for it, which its messages use
        self.numpy = np.dtype(name)
        self.itemsize = self.numpy.itemsize
        self.kind = {"b": BOOL, "i": INTEGER, "u": INTEGER, "f": FLOATING}[self.numpy.kind]
        self.is_floating_point = self.kind == FLOATING

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name.replace("bool", "bool_")  # by reference: there is one object of each


float32 = dtype("float32", "Float")
float64 = dtype("float64", "Double")
uint8 = dtype("uint8", "Byte")
int8 = dtype("int8", "Char")
int16 = dtype("int16", "Short")
int32 = dtype("int32", "Int")
int64 = dtype("int64", "Long")
bool_ = dtype("bool", "Bool")  # minigrad.bool

_BY_NUMPY = {d.numpy: d for d in (float32, float64, uint8, int8, int16, int32, int64, bool_)}

FLOAT32 = float32.numpy
"""NumPy's own object for float32. A native dtype has only one, so ``is`` compares it."""

SCALAR32 = np.float32
"""The class of 0-d float32 results, for tests on the hot path."""


class _Default:
    dtype = float32


def get_default_dtype() -> dtype:
    """The dtype of tensors made from Python floats: float32 unless changed.

    >>> import minigrad as torch
    >>> torch.get_default_dtype()
    torch.float32
    """
    return _Default.dtype


def set_default_dtype(d: dtype) -> None:
    """Make ``d`` (float32 or float64) the dtype of tensors made from Python floats.

    Raises TypeError for a dtype that is not floating point.
    """
    if not isinstance(d, dtype) or not d.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, got {d}")
    _Default.dtype = d


_BY_PYTHON = {float: float64, int: int64, bool: bool_}


def asked(function: str, argument: Any, default: Any = None) -> Any:
    """The dtype that an argument asks for: None the default, ``float`` float64, as in PyTorch.

    Raises TypeError, in the name of the function, for what is no dtype.
    """
    if argument is None:
        return default
    found = argument if isinstance(argument, dtype) else None
    if isinstance(argument, type):
        found = _BY_PYTHON.get(argument)
    if found is None:
        raise TypeError(
            f"{function}(): argument 'dtype' must be torch.dtype, not {type(argument).__name__}"
        )
    return found


def of(array: Any) -> dtype:
    """The dtype of a NumPy array or scalar. Raises TypeError where there is none for it."""
    found = _BY_NUMPY.get(array.dtype)
    if found is None:
        supported = ", ".join(d.name for d in _BY_NUMPY.values())
        raise TypeError(
            f"can't convert np.ndarray of type {array.dtype}. "
            f"The only supported types are: {supported}."
        )
    return found


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """The smallest dtype that holds both. Counterpart: ``torch.promote_types``.

    >>> import minigrad as torch
    >>> torch.promote_types(torch.int64, torch.float32)
    torch.float32
    """
    if type1.kind != type2.kind:
        return type1 if type1.kind > type2.kind else type2
    return _BY_NUMPY[np.promote_types(type1.numpy, type2.numpy)]


def result_dtype(operands: tuple[Any, ...]) -> dtype:
    """The dtype in which an arithmetic operation of these operands is computed.

    Operands are NumPy arrays, NumPy scalars (0-d tensors) and Python numbers.
    """
    vectors = scalars = numbers = None
    for operand in operands:
        if isinstance(operand, (np.ndarray, np.generic)):
            if operand.ndim:
                vectors = _joined(vectors, of(operand))
            else:
                scalars = _joined(scalars, of(operand))
        elif isinstance(operand, bool):
            numbers = _joined(numbers, bool_)
        else:
            numbers = _joined(numbers, int64 if isinstance(operand, int) else _Default.dtype)
    result = numbers
    for higher in (scalars, vectors):
        if higher is not None and (result is None or higher.kind >= result.kind):
            result = higher
    assert result is not None
    return result


def _joined(a: dtype | None, b: dtype) -> dtype:
    return b if a is None else promote_types(a, b)


class device:
    """Where a tensor lives: always the CPU. Counterpart: ``torch.device``.

    >>> import minigrad as torch
    >>> torch.device("cpu")
    device(type='cpu')

    Raises RuntimeError for any other device.
    """

    __slots__ = ("index", "type")

    def __init__(self, type: str | device = "cpu") -> None:
        type = str(type)
        if type != "cpu":
            raise RuntimeError(
                f"minigrad computes on the CPU only, so there is no device {type!r}.\n"
                "  fix: use device='cpu', or leave the device out."
            )
        self.type = type
        self.index = None

    def __repr__(self) -> str:
        return f"device(type={self.type!r})"

    def __str__(self) -> str:
        return self.type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and other.type == self.type

    def __hash__(self) -> int:
        return hash(self.type)


cpu = device("cpu")
