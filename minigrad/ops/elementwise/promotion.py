"""Bringing operands to one dtype, before an operation of several computes with them.

(Of the usual two, the engine takes care: ``engine/operands``.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...compat.arguments import fitting, operand_of
from ...engine.node import TensorBase, new_tensor
from ...engine.operands import to_dtype


def promoted_arrays(*arrays: Any) -> list[Any]:
    """Arrays and numbers in the dtype that promotion gives them."""
    if len({getattr(array, "dtype", None) for array in arrays}) == 1:
        return list(arrays)
    wanted = dtypes.result_dtype(arrays)
    converted = []
    for array in arrays:
        if isinstance(array, (np.ndarray, np.generic)):
            converted.append(array.astype(wanted.numpy, copy=False))
        else:
            converted.append(fitting(array, wanted))
    return converted


def common_dtype(function: str, operands: dict[str, Any]) -> dtypes.dtype:
    """The dtype that promotion gives these arguments of a function, without those that are None."""
    given = [(name, value) for name, value in operands.items() if value is not None]
    arrays = [operand_of(function, value, name, at) for at, (name, value) in enumerate(given, 1)]
    return dtypes.result_dtype(tuple(arrays))


def in_dtype(operand: Any, dtype: dtypes.dtype) -> Any:
    """A tensor or a number in a dtype; None stays None."""
    if operand is None:
        return None
    if isinstance(operand, TensorBase):
        return to_dtype(operand, dtype.numpy)
    return fitting(operand, dtype)


def promoted_operands(function: str, **operands: Any) -> list[Any]:
    """Operands in the dtype that promotion gives them; None stays None."""
    dtype = common_dtype(function, operands)
    return [in_dtype(operand, dtype) for operand in operands.values()]


def promoted_tensors(function: str, **operands: Any) -> list[Any]:
    """Operands in the dtype that promotion gives them, all as tensors."""
    found = promoted_operands(function, **operands)
    return [t if isinstance(t, TensorBase) else new_tensor(t) for t in found]


def fitting_factor(number: Any, dtype: dtypes.dtype) -> Any:
    """A number that a tensor of this dtype can be multiplied by and keep its dtype."""
    if dtype.is_floating_point:
        return number
    return fitting(number, dtype)
