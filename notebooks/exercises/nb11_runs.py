"""What notebook 11 runs: a staircase to look at, and how exact a difference is."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import minigrad as torch
from minigrad_widgets import plots

POINT = 0.7
STEPS = [10.0**-k for k in range(1, 12)]


def show_stairs() -> None:
    """Draws rounded numbers as a staircase, and through it a line of slope 1."""
    figure, axes = plt.subplots(figsize=(5.2, 3.4))
    stairs = np.arange(0, 5)
    for at in stairs:
        axes.plot([at - 0.5, at + 0.5], [at, at], color="#0072b2", linewidth=3)
    axes.plot([-0.5, 4.5], [-0.5, 4.5], "--", color="#d55e00")
    axes.text(2.1, 0.3, "rounded fares:\neach step is flat", color="#005a8f")
    axes.text(-0.3, 3.3, "a line with\nthe slope 1", color="#a34000")
    axes.set(xlabel="fare before rounding", ylabel="fare on the receipt", aspect="equal")
    axes.set(xlim=(-0.6, 4.6), ylim=(-0.6, 4.6))
    figure.tight_layout()
    plots.show(
        axes,
        "A staircase: each step is flat, and one euro higher than the step before it. A dashed "
        "line with slope 1 runs through the middle of every step.",
    )


def errors(kind: Any) -> list[float]:
    """How far, as a share, a central difference is from the slope of x³, for each step."""
    x = kind(POINT)
    true = 3 * POINT**2
    found = []
    for step in STEPS:
        h = kind(step)
        difference = ((x + h) ** 3 - (x - h) ** 3) / (2 * h)
        found.append(abs(float(difference) - true) / true)
    return found


def best(kind: Any) -> tuple[float, float]:
    """The step with the smallest error, and that error."""
    error, step = min(zip(errors(kind), STEPS))
    return step, error


def show_errors() -> None:
    """Draws both curves."""
    figure, axes = plt.subplots(figsize=(7, 3.2))
    for kind, name, look in ((np.float32, "float32", "s--"), (np.float64, "float64", "o-")):
        axes.loglog(STEPS, errors(kind), look, label=name)
    axes.invert_xaxis()
    axes.set(xlabel="step h", ylabel="error, as a share", title="A central difference of x³ at 0.7")
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False)
    figure.tight_layout()
    told = [
        f"in {kind.__name__} smallest with {best(kind)[0]:g}" for kind in (np.float32, np.float64)
    ]
    plots.show(axes, f"The error falls and rises again as the step shrinks: {', '.join(told)}.")


def tried(run: Callable[[], Any]) -> str:
    """What comes of a program: its warnings, and its result or the beginning of its error."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            lines = [str(run())]
        except Exception as problem:
            first, *more = [line.strip() for line in str(problem).splitlines()[:3]]
            lines = [f"{type(problem).__name__}: {first}", *more]
    told = [f"{one.category.__name__}: {str(one.message).split('. ')[0]}." for one in heard]
    return "\n  ".join([*told, *lines])


def slope(function: Callable[[Any], Any], at: float) -> float:
    """The gradient of a function of one number."""
    x = torch.tensor(at, requires_grad=True)
    function(x).backward()
    return float(x.grad.item())
