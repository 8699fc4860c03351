"""The curves of a training for the page: long ones thinned, noisy ones averaged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.tape.values import plain, rounded

SMOOTHED = 300  # steps from which on means are sent with the curves
WINDOWS = [factor * 10**power + 1 for power in range(1, 10) for factor in (1, 2, 5)][2:]


def short(value: float | None) -> Any:
    """A number with the digits of a float32, as JSON can carry it."""
    return None if value is None else plain(rounded(value))


def thin(values: Sequence[float], at: Sequence[int], most: int) -> list[list[Any]]:
    """A curve as pairs of step and value: at most so many, among them all that stands out.

    ``at`` has the step of each value.
    """
    curve = np.array(values)
    steps = np.arange(len(curve))
    if len(curve) > most:
        width = -(-len(curve) // ((most - 4) // 2))
        padded = np.full(-(-len(curve) // width) * width, np.nan)
        padded[: len(curve)] = curve
        parts = padded.reshape(-1, width)
        known = np.isfinite(parts)
        starts = np.arange(len(parts)) * width
        low = np.where(known, parts, np.inf).argmin(1) + starts
        high = np.where(known, parts, -np.inf).argmax(1) + starts
        odd = np.flatnonzero(~np.isfinite(curve))[:1]
        steps = np.unique(np.concatenate([low, high, odd, [0, len(curve) - 1]]))
    return [[at[int(step)], short(float(curve[step]))] for step in steps]


def window(steps: int, apart: int) -> int:
    """Over how many steps a curve is averaged; 0 where it need not be.

    Some two hundredths of the training, and wide enough for six numbers that lie so far apart.
    """
    found = next(size for size in WINDOWS if size >= max(steps / 50, 6 * apart))
    return found if steps >= max(SMOOTHED, 5 * found) else 0


def means(values: Sequence[float], at: Sequence[int], size: int, most: int) -> list[list[Any]]:
    """Centred means over ``size`` steps, as pairs of the middle step and the mean.

    Only where the whole window lies in the training; NaN where less than half of it is finite.
    ``at`` has the step of each value.
    """
    if size == 0 or len(values) == 0:
        return []
    curve = np.array(values)
    steps = np.array(at)[: len(values)]
    half = size // 2
    if steps[-1] - steps[0] + 1 < size:
        return []
    middle = np.unique(np.linspace(steps[0] + half, steps[-1] - half, most).round().astype(int))
    starts = np.searchsorted(steps, middle - half)
    counts = np.searchsorted(steps, middle + half, "right") - starts
    ends = np.stack([starts, starts + counts], 1).ravel()
    known = np.isfinite(curve)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        total = np.add.reduceat(np.append(np.where(known, curve, 0.0), 0.0), ends)[::2]
        finite = np.add.reduceat(np.append(known, False).astype(int), ends)[::2]
        mean = np.where((counts > 0) & (2 * finite >= counts), total / finite, np.nan)
    return [[int(step), short(float(one))] for step, one in zip(middle, mean, strict=True)]
