"""Notebook 10's plot: how many arrays are there while each line of a program runs."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

import numpy as np

import minigrad as torch

from .nb10_runs import Layers, peak
from .pictures import Picture, plots

TICKS = (1, 2, 5, 10, 20, 50, 100)
"""How far apart the numbers at an axis may be; there are at most six of them, and 0."""

XLABEL = "lines of the program, in the order in which they run"


def arrays_by_line(layers: Layers) -> Picture:
    """The memory of both programs, line by line, with the peak of the ordinary run above it."""
    told = [panel_of(run, layers) for run in (layers.forward, layers.train)]
    alt = "Two plots over the lines of a program. " + " ".join(words for _, words in told)
    return stacked([plots([panel], words, XLABEL) for panel, words in told], alt)


def stacked(pictures: list[Picture], alt: str) -> Picture:
    """Pictures of one size above each other. Drawn one by one, they have the same colours."""
    width, height = map(float, re.findall(r'(?:width|height)="([\d.]+)"', pictures[0].svg)[:2])
    parts = [
        picture.svg.replace("<svg ", f'<svg y="{number * height:g}" ', 1)
        for number, picture in enumerate(pictures)
    ]
    return Picture(width, len(pictures) * height, parts, alt)


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
    dashed = "dashed: the ordinary run" + ("; dotted: way back" if back else "")
    panel = {
        "title": f"{run.__name__}: arrays ({dashed})",
        "x": x,
        "y": [0, *np.repeat(there, 2), 0],
        "more": [("", np.full(len(x), round(ordinary, 1)))],
        "marks": [(back, "")] if back else [],
        "ticks": [(0, "0"), *peaks(max(there), ordinary)],
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


def peaks(program: float, ordinary: float) -> list[tuple[float, str]]:
    """The two peaks, to be written at their lines; or at the upper one, if there is no room."""
    if abs(ordinary - program) < 0.08 * max(ordinary, program):
        return [(ordinary, f"{ordinary:.1f}, {program:.1f}")]
    return [(program, f"{program:.1f}"), (ordinary, f"{ordinary:.1f}")]


def ticks(most: float) -> tuple[int, ...]:
    """Round numbers from 0 up to this one."""
    apart = next((one for one in TICKS if most / one <= 6), int(most))
    return tuple(accumulate([apart] * int(most // apart), initial=0))
