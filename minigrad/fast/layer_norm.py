"""Numbers shifted and scaled to mean 0 and variance 1, over some dimensions, as one operation.

What it buys (``python tests/benchmarks/fast.py --only layer_norm``): without it, the step of a
transformer's block would take 1.11 times as long.

The plain twin, ``plain_layer_norm``, makes nine, each with a node and arrays of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..compat.arguments import in_order
from ..engine.node import TensorBase
from ..engine.record import operation
from ..ops.activations import total
from ..ops.annotations import Array

Dims = tuple[int, ...]


def plain_layer_norm(input: Any, weight: Any, bias: Any, dims: Dims, eps: float) -> Any:
    """(input - mean) / sqrt(variance + eps), times the weight, plus the bias."""
    centred = input - input.mean(dims, keepdim=True)
    variance = (centred * centred).mean(dims, keepdim=True)
    normal = centred / (variance + eps).sqrt()
    return normal if weight is None else normal * weight + bias


def layer_norm_at_once(
    input: Any, weight: Any, bias: Any, dims: Dims, eps: float, known: Any = None
) -> Any:
    """``plain_layer_norm``, under the name by which PyTorch records it.

    Without a weight it is the first part of another normalization, and has a name of its own.
    ``known``: what ``standardized`` makes of the array, for whoever has it already.
    """
    if known is None:
        known = standardized(input._array, dims, eps)
    if weight is None:
        return standardize(input, known, dims, eps)
    return _layer_norm(input, weight, bias, known, dims, eps)


def average(x: Any, dims: Dims) -> Any:
    """The mean over some dimensions, which stay with size 1."""
    count = 1
    for d in dims:
        count *= x.shape[d]
    return total(x, dims) / (count or np.nan)


def standardized(x: Any, dims: Dims, eps: float, known: Any = None) -> tuple[Any, Any]:
    """(x - mean) / sqrt(variance + eps); and the factor, 1 / sqrt(variance + eps).

    Those of the forward pass are known; but where their derivative is wanted, they are made
    again, of tensors.
    """
    recorded = isinstance(x, TensorBase)
    if known is not None and not recorded:
        return known
    if not recorded:
        x = in_order(x)
    centred = x - average(x, dims)
    factor = (average(centred * centred, dims) + eps) ** -0.5
    if recorded:
        return centred * factor, factor
    centred *= factor
    return centred, factor


def slope(g: Any, x: Any, dims: Dims, eps: float, known: Any) -> Any:
    """What arrives at x: without what would only move its mean, or stretch it."""
    normal, factor = standardized(x, dims, eps, known)
    lost = normal * average(g * normal, dims)
    lost += average(g, dims)
    left = g - lost
    left *= factor
    return left


@operation(
    name="native_layer_norm",
    input=lambda g, input, weight, known, dims, eps: slope(g * weight, input, dims, eps, known),
    weight=lambda g, input, known, dims, eps: g * standardized(input, dims, eps, known)[0],
    bias=lambda g, weight: g,
)
def _layer_norm(
    input: Array, weight: Array, bias: Array, known: Any, dims: Dims, eps: float
) -> Array:
    return scaled(known[0], weight, bias)


@operation(input=lambda g, input, known, dims, eps: slope(g, input, dims, eps, known))
def standardize(input: Array, known: Any, dims: Dims, eps: float) -> Array:
    """Mean 0 and variance 1, and no more: PyTorch has it within its batch and group norm."""
    normal: Array = known[0]
    return normal


def scaled(x: Array, weight: Array, bias: Array) -> Array:
    """x * weight + bias."""
    out = in_order(x * weight)
    out += bias
    return out
