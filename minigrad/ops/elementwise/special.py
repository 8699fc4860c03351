"""The error function: the area under the bell curve."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...engine.arrays import as_array
from ...engine.record import differentiable
from ..annotations import Array
from .exponential import exp

COEFFICIENTS = (
    1.4184752e-07,
    -5.6683874e-06,
    8.7636746e-05,
    -6.1978299e-04,
    -1.9183290e-04,
    1.0276906e-01,
    1.1283793,
)
"""The polynomial p of erf(x) = tanh(x p(x²)), fitted: its error of 1e-7 is that of float32."""


@differentiable(
    floats=True,
    input=lambda g, input: g * (exp(-input * input) * 2 / math.pi**0.5),
)
def erf(input: Array) -> Array:
    """2/sqrt(π) times the area under exp(-t²) from 0 to ``input``. Counterpart: ``torch.erf``.

    >>> import minigrad as torch
    >>> torch.erf(torch.tensor([0.0, 1.0, -10.0]))
    tensor([ 0.0000,  0.8427, -1.0000])
    """
    return erf_of(input, 1.0)[()]


def erf_of(x: Any, scale: float) -> Any:
    """erf(scale * x), as an array of its own."""
    if x.dtype == np.float64:
        return as_array(by_entry(math.erf, x * scale))
    with np.errstate(all="ignore"):
        squared = x * x
        first, *slopes = [slope * scale ** (13 - 2 * i) for i, slope in enumerate(COEFFICIENTS)]
        out = as_array(squared * first)
        for slope in slopes[:-1]:
            out += slope
            out *= squared
        out += slopes[-1]
        out *= x
        return np.tanh(out, out=out)


@differentiable(
    floats=True,
    input=lambda g, input: -g * (exp(-input * input) * 2 / math.pi**0.5),
)
def erfc(input: Array) -> Array:
    """1 - erf(input), exact also where that is tiny. Counterpart: ``torch.erfc``.

    >>> import minigrad as torch
    >>> torch.erfc(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 0.1573])
    """
    return by_entry(math.erfc, input)


def by_entry(function: Any, array: Array) -> Any:
    """A function of Python's ``math`` for each entry: NumPy does not have it."""
    entries = array.reshape(array.shape or (1,))  # of a single number, NumPy makes one of Python's
    found = np.frompyfunc(function, 1, 1)(entries)
    return found.astype(array.dtype).reshape(array.shape)[()]
