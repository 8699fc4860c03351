"""What a sample is, and numbers for its inputs.

A sample is a function of a module ``t`` (minigrad, or PyTorch when results are recorded) and of
float64 tensors, with the arrays to call it on. Shapes are asymmetric, so that a transposed or
forgotten axis shows; values are distinct and away from kinks, so that nudging them changes no
branch.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np


class Sample(NamedTuple):
    name: str
    function: Callable[..., Any]
    inputs: tuple[np.ndarray, ...]


SAMPLES: dict[str, Sample] = {}


def values(*shape, low=-2.0, high=2.0, seed=0):
    """Distinct numbers between two bounds in a fixed disorder, none of them near 0."""
    count = prod(shape)
    spaced = low + (high - low) * (np.arange(count) + 0.5) / max(count, 1)
    spaced = spaced + np.where(spaced < 0, -0.15, 0.15) + 0.013 * seed
    return np.random.default_rng(seed + 7).permutation(spaced).reshape(shape)


def positive(*shape, seed=0):
    return values(*shape, low=0.2, high=2.2, seed=seed)


def sample(name, function, *inputs):
    assert name not in SAMPLES, name
    SAMPLES[name] = Sample(name, function, inputs)
