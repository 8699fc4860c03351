"""Rounding: steps, whose derivative is 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...compat.arguments import check_implemented
from ...engine.record import differentiable, operation
from ..annotations import Array
from .choices import zero

if TYPE_CHECKING:
    from ..._tensor import Tensor


def step_function(name: str, function: Any, input: Any) -> Any:
    """``function`` of floats; integers are copied.

    What NumPy makes of integers depends on its version: floats before 2.1; and ``np.round``, the
    very same array before 2.4.
    """
    if input.dtype.kind == "f":
        return function(input)
    check_implemented(f"{name}_vml_cpu", input)
    return input.copy()


@differentiable(input=lambda g: zero(g))
def floor(input: Array) -> Array:
    """The next integer below; its derivative is 0. Counterpart: ``torch.floor``.

    >>> import minigrad as torch
    >>> torch.floor(torch.tensor([-1.5, 0.0, 2.5]))
    tensor([-2.,  0.,  2.])
    """
    return step_function("floor", np.floor, input)


@differentiable(input=lambda g: zero(g))
def ceil(input: Array) -> Array:
    """The next integer above; its derivative is 0. Counterpart: ``torch.ceil``.

    >>> import minigrad as torch
    >>> torch.ceil(torch.tensor([-1.5, 0.0, 2.5]))
    tensor([-1.,  0.,  3.])
    """
    return step_function("ceil", np.ceil, input)


@differentiable(input=lambda g: zero(g))
def trunc(input: Array) -> Array:
    """The next integer towards 0; its derivative is 0. Counterpart: ``torch.trunc``.

    >>> import minigrad as torch
    >>> torch.trunc(torch.tensor([-1.5, 0.0, 2.5]))
    tensor([-1.,  0.,  2.])
    """
    return step_function("trunc", np.trunc, input)


@differentiable(input=lambda g: g)
def frac(input: Array) -> Array:
    """What ``trunc`` cuts off; its derivative is 1. Counterpart: ``torch.frac``.

    >>> import minigrad as torch
    >>> torch.frac(torch.tensor([-1.5, 0.0, 2.5]))
    tensor([-0.5000,  0.0000,  0.5000])
    """
    check_implemented("frac_cpu", input, "f")
    return input - np.trunc(input)


@differentiable(name="round", input=lambda g: zero(g))
def _round(input: Array) -> Array:
    return step_function("round", np.round, input)


@operation(name="round", number=1, input=lambda g: zero(g))
def _round_to(input: Array, decimals: int) -> Array:
    check_implemented("round_cpu", input, "f")
    return np.round(input, decimals)


def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """The nearest integer, the even one of two; or the nearest number with so many decimals.

    Its derivative is 0. Raises NotImplementedError for ``decimals`` of integers.
    Counterpart: ``torch.round``.

    >>> import minigrad as torch
    >>> torch.round(torch.tensor([0.5, 1.5, 2.6])), torch.round(torch.tensor(3.14159), decimals=2)
    (tensor([0., 2., 3.]), tensor(3.1400))
    """
    if decimals:
        return _round_to(input, decimals)
    return _round(input)
