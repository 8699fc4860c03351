"""Data types: their names, the default one, and what two of them make together.

The rules of promotion are PyTorch's, not NumPy's. Operands fall into three groups,
Python numbers < 0-d tensors < tensors with dimensions, and a group yields only to a higher
*kind* (bool < integer < floating point) of a lower group: a float32 vector stays float32
beside ``2.0`` and beside a 0-d float64 tensor, while an int64 vector beside ``1.5`` becomes
the default dtype.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

BOOL = 0
INTEGER = 1
FLOATING = 2


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

    __slots__ = ("is_floating_point", "is_signed", "itemsize", "kind", "name", "numpy", "title")

    is_complex = False

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.title = title  # PyTorch's older name for it, which its messages use
        self.numpy = np.dtype(name)
        self.itemsize = self.numpy.itemsize
        self.kind = {"b": BOOL, "i": INTEGER, "u": INTEGER, "f": FLOATING}[self.numpy.kind]
        self.is_floating_point = self.kind == FLOATING
        self.is_signed = self.numpy.kind in "if"

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

ALL = (float32, float64, uint8, int8, int16, int32, int64, bool_)

_BY_NUMPY = {d.numpy: d for d in ALL}

FLOAT32 = float32.numpy
"""NumPy's own object for float32. A native dtype has only one, so ``is`` compares it."""

SCALAR32 = np.float32
"""The class of 0-d float32 results, for tests on the hot path."""


class _Default:
    dtype = float32


def get_default_dtype() -> dtype:
    """The dtype of tensors made from Python floats: float32 unless changed.

    Counterpart: ``torch.get_default_dtype``.

    >>> import minigrad as torch
    >>> torch.get_default_dtype()
    torch.float32
    """
    return _Default.dtype


def set_default_dtype(d: dtype) -> None:
    """Make ``d`` (float32 or float64) the dtype of tensors made from Python floats.

    Raises TypeError for a dtype that is not floating point.
    Counterpart: ``torch.set_default_dtype``.

    >>> import minigrad as torch
    >>> torch.set_default_dtype(torch.float64)
    >>> torch.tensor(0.5).dtype
    torch.float64
    >>> torch.set_default_dtype(torch.float32)
    """
    start = "" if isinstance(d, dtype) else "invalid dtype object: "
    if start or not d.is_floating_point:
        text = f"{start}only floating-point types are supported as the default type, got {d}"
        raise TypeError(text)
    _Default.dtype = d


_BY_PYTHON = {float: float64, int: int64, bool: bool_}


def asked(function: str, argument: Any, default: Any = None) -> Any:
    """The dtype that an argument asks for: None the default, ``float`` float64, as in PyTorch.

    Raises TypeError, in the name of the function, for what is no dtype.
    """
    if argument is None:
        return default
    found = _BY_PYTHON.get(argument) if isinstance(argument, type) else argument
    if not isinstance(found, dtype):
        name = type(argument).__name__
        raise TypeError(f"{function}(): argument 'dtype' must be torch.dtype, not {name}")
    return found


def of(array: Any) -> dtype:
    """The dtype of a NumPy array or scalar. Raises TypeError where there is none for it."""
    found = _BY_NUMPY.get(array.dtype)
    if found is None:
        text = f"can't convert np.ndarray of type {array.dtype}. The only supported types are: "
        raise TypeError(text + ", ".join(d.name for d in ALL))
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


def can_cast(from_: dtype, to: dtype) -> bool:
    """May such values be written into a tensor of dtype ``to``? Counterpart: ``torch.can_cast``.

    Not floats into integers, nor integers into booleans.

    >>> import minigrad as torch
    >>> torch.can_cast(torch.float64, torch.float32), torch.can_cast(torch.float32, torch.int64)
    (True, False)
    """
    return to.kind >= from_.kind


def finfo(type: dtype | None = None) -> Any:
    """The limits of a floating-point dtype. Counterpart: ``torch.finfo``.

    Raises TypeError for another dtype.

    >>> import minigrad as torch
    >>> torch.finfo(torch.float32).eps
    1.1920928955078125e-07
    """
    return limits(np.finfo, type or _Default.dtype, FLOATING, "min max eps smallest_normal tiny")


def iinfo(type: dtype) -> Any:
    """The limits of an integer dtype. Counterpart: ``torch.iinfo``.

    >>> import minigrad as torch
    >>> torch.iinfo(torch.uint8).max
    255
    """
    return limits(np.iinfo, type, INTEGER, "min max")


def limits(info: Any, type: dtype, kind: int, names: str) -> Any:
    if type.kind != kind:
        raise TypeError(f"torch.{info.__name__}() is not for {type}")
    numbers = {name: np.asarray(getattr(info(type.numpy), name)).item() for name in names.split()}
    return SimpleNamespace(**numbers, bits=8 * type.itemsize, dtype=type.name)


def result_dtype(operands: tuple[Any, ...]) -> dtype:
    """The dtype in which an arithmetic operation of these operands is computed.

    Operands are NumPy arrays, NumPy scalars (0-d tensors) and Python numbers.
    """
    vectors = scalars = numbers = None
    for operand in operands:
        if not isinstance(operand, (np.ndarray, np.generic)):
            whole = bool_ if isinstance(operand, bool) else int64
            numbers = _joined(numbers, whole if isinstance(operand, int) else _Default.dtype)
        elif operand.ndim:
            vectors = _joined(vectors, of(operand))
        else:
            scalars = _joined(scalars, of(operand))
    result: Any = numbers
    for higher in (scalars, vectors):
        if higher is not None and (result is None or higher.kind >= result.kind):
            result = higher
    return result


def _joined(a: dtype | None, b: dtype) -> dtype:
    return b if a is None else promote_types(a, b)
