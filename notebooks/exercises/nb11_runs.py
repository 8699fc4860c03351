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


def show_stairs(round_off: Callable[[Any], Any]) -> None:
    """Draws what an operation makes of fares, and through it a line of slope 1."""
    fares = np.arange(-0.49875, 4.5, 0.0025)  # beside the jumps, and not on one
    made = round_off(torch.tensor(fares.tolist(), dtype=torch.float64))
    if not isinstance(made, torch.Tensor):
        print("No staircase yet: forward() has to return a tensor.")
        return
    rounded = np.array(made.detach().tolist())
    jumps = np.flatnonzero(np.abs(np.diff(rounded)) > 0.01) + 1
    figure, axes = plt.subplots(figsize=(5.2, 3.4))
    across, up = (np.insert(kind, jumps, np.nan) for kind in (fares, rounded))
    axes.plot(across, up, color="#0072b2", linewidth=3, solid_capstyle="butt")
    axes.plot([-0.5, 4.5], [-0.5, 4.5], "--", color="#d55e00")
    axes.text(2.1, 0.3, "rounded fares", color="#005a8f")
    axes.text(-0.3, 3.3, "a line with\nthe slope 1", color="#a34000")
    axes.set(xlabel="fare before rounding", ylabel="fare on the receipt", aspect="equal")
    axes.set(xlim=(-0.6, 4.6), ylim=(-0.6, 4.6))
    figure.tight_layout()
    rises = sorted({f"{rounded[at] - rounded[at - 1]:g}" for at in jumps})
    told = f"The rounded fares make {len(jumps)} jumps"
    told += f", each of {' or '.join(rises)} euro" if rises else ""
    plots.show(axes, f"{told}. A dashed line has the slope 1.")


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
    looks = ((np.float32, "s--", "#0072b2"), (np.float64, "o-", "#b34700"))
    for kind, look, color in looks:
        axes.loglog(STEPS, errors(kind), look, color=color, label=kind.__name__)
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
