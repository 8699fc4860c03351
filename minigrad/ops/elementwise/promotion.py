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
    return [
        array.astype(wanted.numpy, copy=False)
        if isinstance(array, (np.ndarray, np.generic))
        else fitting(array, wanted)
        for array in arrays
    ]


def promoted_operands(function: str, **operands: Any) -> tuple[Any, list[Any]]:
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


def promoted_tensors(function: str, **operands: Any) -> list[Any]:
    """The operands in the dtype that promotion gives them, all as tensors."""
    found = promoted_operands(function, **operands)[1]
    return [t if isinstance(t, TensorBase) else new_tensor(t) for t in found]


def fitting_factor(number: Any, dtype: Any) -> Any:
    """A number to multiply a tensor of this dtype by, without changing it."""
    return number if dtype.is_floating_point else fitting(number, dtype)
