"""Notebook 10's plot: how many arrays are there while each line of a program runs."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

import minigrad as torch

from .nb10_runs import Layers, peak
from .pictures import Picture, plots

TICKS = (1, 2, 5, 10, 20, 50, 100)
"""How far apart the numbers at an axis may be; there are at most six of them, and 0."""


def arrays_by_line(layers: Layers) -> Picture:
    """The memory of both programs, line by line, with the peak of the ordinary run above it."""
    told = [panel_of(run, layers) for run in (layers.forward, layers.train)]
    return plots(
        [panel for panel, _ in told],
        "Two plots over the lines of a program. " + " ".join(words for _, words in told),
        "lines of the program, in the order in which they run",
    )


def panel_of(run: Any, layers: Layers) -> tuple[dict[str, Any], str]:
    """One panel, and the same in words."""
    compiled = torch.compile(run)
    for _ in range(3):
        compiled(layers.x)
    there, back = course(compiled, layers.array)
    ordinary = peak(run, layers.x) / layers.array
    x = np.repeat(np.arange(len(there) + 1), 2)  # a step for each line, from 0 and back to 0
    at = there.index(max(there)) + 1
    words = (
        f"{run.__name__}: at most {max(there):.1f} arrays are there, in line {at} of {len(there)}; "
        f"the ordinary run needs {ordinary:.1f}."
    )
    dotted = "; dotted: the way back begins" if back else ""
    panel = {
        "title": f"{run.__name__}: arrays (dashed: peak of the ordinary run{dotted})",
        "x": x,
        "y": [0, *np.repeat(there, 2), 0],
        "more": [("", np.full(len(x), round(ordinary, 1)))],
        "marks": [(back, "")] if back else [],
        "ticks": ticks(ordinary),
        "xticks": ticks(len(there)),
    }
    return panel, f"{words} The way back begins in line {back + 1}." if back else words


def course(compiled: Any, array: int) -> tuple[list[float], int]:
    """For each line that works something out, the arrays then; and where the way back begins."""
    steps = compiled.programs[0].steps
    given = next(number for number, step in enumerate(steps) if step.text.startswith("v"))
    there = [size / array for size in compiled.memory.course[given:]]
    texts = [step.text for step in steps[given:]]
    return there, next((at for at, text in enumerate(texts) if "np.float64(1.0)" in text), 0)


def ticks(most: float) -> tuple[int, ...]:
    """Round numbers from 0 up to this one."""
    apart = next((one for one in TICKS if most / one <= 6), int(most))
    return tuple(accumulate([apart] * int(most // apart), initial=0))
