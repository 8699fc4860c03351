"""Notebook 03's plots, and its table of the slopes around a kink."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

import minigrad as torch

from .nb03_measuring import slope, value
from .pictures import Picture, plots


def teeth(function: Callable[[Any], Any], reading: float) -> Picture:
    """The function and its slope between 1.7 and 2.2, with the jump between two doublings.

    A dot stands at the ``reading``, if it is in sight.
    """
    jump = 1000 / 512
    x = np.linspace(1.7, 2.2, 201)
    y = [value(function, float(v)) for v in x]
    slopes = [slope(function, float(v)) for v in x]
    at = int(np.searchsorted(x, jump))
    x, y, slopes = (
        np.insert(np.asarray(v, float), at, v_at)
        for v, v_at in ((x, jump), (y, math.nan), (slopes, math.nan))
    )
    mark = [(jump, "1000/512")]
    seen = [float(reading)] if 1.7 <= reading <= 2.2 else []
    dots, slope_dots = ([(v, of(function, v)) for v in seen] for of in (value, slope))
    ticks = (1.7, 1.8, 1.9, 2.0, 2.1, 2.2)
    return plots(
        [
            {
                "title": "amplify(a)",
                "x": x,
                "y": y,
                "ticks": (1000, 1500, 2000),
                "marks": mark,
                "dots": dots,
            },
            {
                "title": "its slope, by backward()",
                "x": x,
                "y": slopes,
                "ticks": (512, 1024),
                "marks": mark,
                "dots": slope_dots,
                "xticks": ticks,
            },
        ],
        "Two plots over a from 1.7 to 2.2. amplify(a) rises to 2000, falls to 1000 at "
        "a = 1000/512, and rises again, half as steep. Its slope is 1024 before and 512 after."
        + "".join(f" A dot stands at {v:g}." for v in seen),
        "a",
    )


def rules(hard: Any, soft: Any, t: float) -> Picture:
    """Both rules over the length of a ride, with the threshold between free and paid."""
    grid = np.linspace(0, 10, 201)
    x = np.concatenate([grid[grid < t], [t, t, np.nextafter(t, np.inf)], grid[grid > t]])
    hard_km, soft_km = ([charged(rule, v, t) for v in x.tolist()] for rule in (hard, soft))
    hard_km[int(np.sum(grid < t)) + 1] = math.nan  # the line ends at t, and begins anew beside it
    each = {"x": x, "ticks": (0, 5, 10), "marks": [(t, f"t = {t:g}")]}
    return plots(
        [
            {"title": "hard(x, t)", "y": hard_km, **each},
            {"title": "soft(x, t)", "y": soft_km, "xticks": (0, 2, 4, 6, 8, 10), **each},
        ],
        f"Two plots over x from 0 to 10. The hard rule is 0 below t = {t:g}, where it jumps to x. "
        "The soft rule climbs smoothly from 0 to x around the same place.",
        "x, in km",
    )


def charged(rule: Any, x: float, t: float) -> float:
    """What a rule makes of a ride, with 64 bits, so that a ride just above t stays above it."""
    return float(rule(*(torch.tensor(number, dtype=torch.float64) for number in (x, t))))


CLIPPED = {
    "torch.clamp(x, max=2) ** 2": lambda x: torch.clamp(x, max=2) ** 2,
    "torch.minimum(x, torch.tensor(2.0)) ** 2": lambda x: torch.minimum(x, torch.tensor(2.0)) ** 2,
    "torch.where(x < 2, x, 2.0) ** 2": lambda x: torch.where(x < 2, x, 2.0) ** 2,
    "torch.where(x <= 2, x, 2.0) ** 2": lambda x: torch.where(x <= 2, x, 2.0) ** 2,
}
"""The lines that clip at 2 and square, each with what it does."""


def around_the_kink(at: Sequence[float]) -> None:
    """The slopes of the clipped square at some points: by nudging to one side, and backward()."""
    step = 1e-6
    loss, *_ = CLIPPED.values()
    rows = {
        "nudged to the left": [(value(loss, x) - value(loss, x - step)) / step for x in at],
        "nudged to the right": [(value(loss, x + step) - value(loss, x)) / step for x in at],
    }
    lines = {line: [slope(clipped, x) for x in at] for line, clipped in CLIPPED.items()}
    print(row("at x =", (f"{x:6g}" for x in at)))
    for name, slopes in rows.items():
        print(row(name, (f"{number:6.2f}" for number in slopes)))
    print("backward(), for each of these lines:")
    for line, slopes in lines.items():
        print(row(f"  {line}", (f"{number:6.2f}" for number in slopes)))


def row(name: str, cells: Iterable[str]) -> str:
    return " ".join([f"{name:42}", *cells])
