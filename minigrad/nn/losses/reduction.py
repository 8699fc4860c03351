"""From an array of losses to one number, and the checks that losses have in common."""

from __future__ import annotations

from collections.abc import Callable
from math import nan, prod
from typing import Any

import numpy as np

from ... import dtypes
from ..._tensor import Tensor
from ...compat.arguments import check_implemented, ensure, tensor_array
from ...errors import warn_broadcast_loss
from ...ops.annotations import Array
from ...ops.elementwise.promotion import promoted_operands
from ...ops.reduction import mean, sum
from ...ops.shaping import broadcast_tensors

REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "none": lambda losses: losses,
    "mean": mean,
    "sum": sum,
}


def checked(reduction: str) -> str:
    text = "{} is not a valid value for reduction\n  fix: 'mean', 'sum' or 'none'"
    ensure(reduction in REDUCTIONS, text, reduction, error=ValueError)
    return reduction


def reduced(losses: Array, reduction: str) -> Array:
    """An array of losses as one number, or as it is."""
    if reduction == "none":
        return losses
    total = np.add.reduce(losses, axis=None)
    if reduction == "sum":
        return total
    return total / (losses.size or nan)


def each(g: Any, x: Any, reduction: str) -> Any:
    """The gradient of each entry's loss: in a mean, they have equal shares."""
    if reduction == "mean":
        return g / prod(x.shape)
    return g


def same_dtype(text: str, x: Array, y: Array) -> None:
    """Raise RuntimeError, the names of both dtypes filled into its text, if they differ."""
    ensure(x.dtype == y.dtype, text, dtypes.of(x).title, dtypes.of(y).title)


def paired(function: str, input: Any, target: Any) -> tuple[Tensor, Tensor]:
    """Both in one shape. Warns (MG112) if they had two."""
    input_shape = input.shape  # of a list, AttributeError, as in PyTorch
    target_shape = target.shape
    x = tensor_array(function, input)
    y = tensor_array(function, target, "target", 2)
    if x.shape == y.shape:
        return input, target
    warn_broadcast_loss(input_shape, target_shape)
    input, target = broadcast_tensors(input, target)
    return input, target


def compared(function: str, input: Any, target: Any, reduction: str) -> tuple[Tensor, Tensor]:
    """Both in one shape and in one dtype, which must be floating. Checks the reduction, too."""
    checked(reduction)
    input, target = paired(function, input, target)
    if input._array.dtype is not target._array.dtype:
        input, target = promoted_operands(function, input=input, target=target)
    check_implemented(function.replace("_loss", "_cpu"), input._array, "f")
    return input, target
