"""What the formulas of optimisers are made of: counters, moving averages, a quotient.

They work on bare arrays, in place. One array, ``scratch``, serves for all that is in between,
since new memory is slow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import Tensor
from ..engine.node import new_tensor
from ..engine.views import memory_to_write
from ..ops.annotations import Array


def zeros_like(w: Array) -> Any:
    """A tensor of zeros of the size of a parameter: the start of an average."""
    return new_tensor(np.zeros_like(w))


def step_counter(start: float = 0) -> Any:
    """The number of steps taken, which PyTorch keeps as a tensor."""
    return new_tensor(np.array(start, dtypes.get_default_dtype().numpy))


def next_step(state: dict[str, Any]) -> float:
    """The number of this step: one more than before."""
    if not isinstance(state["step"], Tensor):  # an old file may hold a plain number
        state["step"] = step_counter(state["step"])
    steps = memory_to_write(state["step"])
    steps += 1
    return steps.item(0)


def update_average(average: Array, g: Array, beta: float, scratch: Array) -> None:
    """The exponential moving average of g: average = beta * average + (1 - beta) * g."""
    np.subtract(g, average, out=scratch)
    scratch *= 1 - beta
    average += scratch


def update_average_of_squares(average: Array, g: Array, beta: float, scratch: Array) -> None:
    """The exponential moving average of g²: average = beta * average + (1 - beta) * g²."""
    np.multiply(g, g, out=scratch)
    scratch *= 1 - beta
    average *= beta
    average += scratch


def divide_by_root(g: Array, v: Array, eps: float, scratch: Array) -> None:
    """scratch = g / (sqrt(v) + eps)."""
    np.sqrt(v, out=scratch)
    scratch += eps
    np.divide(g, scratch, out=scratch)
