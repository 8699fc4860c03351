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
    """Draws what an operation makes of fares, and a line of slope 1 through the middle of it."""
    fares = np.arange(-0.49875, 4.5, 0.0025)  # beside the jumps, and not on one
    made = round_off(torch.tensor(fares.tolist(), dtype=torch.float64))
    if not isinstance(made, torch.Tensor) or made.shape != fares.shape:
        print("No staircase yet: forward() has to return a tensor, with one number for each fare.")
        return
    rounded = np.array(made.detach().tolist())
    jumps = jumps_of(rounded)
    figure, axes = plt.subplots(figsize=(5.2, 3.4))
    across, up = (np.insert(kind, jumps, np.nan) for kind in (fares, rounded))
    axes.plot(across, up, color="#0072b2", linewidth=3, solid_capstyle="butt")
    axes.text(2.1, 0.3, "rounded fares", color="#005a8f")
    axes.set(xlabel="fare before rounding", ylabel="fare on the receipt", aspect="equal")
    line = draw_slope_1(axes, fares, rounded)
    known = rounded[np.isfinite(rounded)]
    ends = min([-0.6, *known - 0.2]), max([4.6, *known + 0.2])
    axes.set(xlim=(-0.6, 4.6), ylim=ends)
    figure.tight_layout()
    plots.show(axes, f"{said_of_jumps(fares, rounded, jumps)}. {line}")


def jumps_of(rounded: Any) -> Any:
    """Behind which fares the rounded one jumps: much further than beside it."""
    steps = np.abs(np.diff(rounded))
    return np.flatnonzero((steps > 0.04) & (steps > 10 * np.nanmedian(steps))) + 1


def draw_slope_1(axes: Any, fares: Any, rounded: Any) -> str:
    """A line of slope 1 through the middle of the stairs, if they follow one; and its text."""
    above = rounded - fares
    height = round(float(np.mean(above)), 2) + 0.0
    if not np.all(np.abs(above - height) < 1):
        return "No line of slope 1 follows it."
    axes.plot([-0.5, 4.5], [-0.5 + height, 4.5 + height], "--", color="#d55e00")
    axes.text(-0.3, 3.3, "a line with\nthe slope 1", color="#a34000")
    through = "through 0" if height == 0 else f"that passes 0 at the height {height:g}"
    return f"A dashed line {through} has the slope 1."


def said_of_jumps(fares: Any, rounded: Any, jumps: Any) -> str:
    """How many jumps there are, how high they are, and where."""
    rises = sorted({f"{rounded[at] - rounded[at - 1]:.3g}" for at in jumps})
    told = f"The rounded fares make {len(jumps)} jump{'' if len(jumps) == 1 else 's'}"
    told += f", each of {' or '.join(rises)} euro" if 0 < len(rises) <= 3 else ""
    if 0 < len(jumps) <= 10:
        told += f", at {', '.join(f'{round(fares[at - 1], 2) + 0.0:g}' for at in jumps)}"
    return told


def cube(x: Any) -> Any:
    return x**3


def error(kind: Any, h: float, function: Any = cube, at: float = POINT) -> float:
    """How far, as a share, the slope by a nudge of h is from the true one.

    ``kind`` says with how many digits: np.float32 or np.float64.
    """
    true = true_slope(function, at)
    x, h = kind(at), kind(h)
    with np.errstate(all="ignore"):  # infinity less infinity is said in words
        by_nudge = (number(function, x + h) - number(function, x - h)) / (2 * h)
    return abs(float(by_nudge) - true) / (abs(true) or 1.0)


def number(function: Any, x: Any) -> Any:
    """What a function makes of a NumPy number, as one of the same kind."""
    made = function(torch.tensor(float(x), dtype=getattr(torch, x.dtype.name)))
    return type(x)(made.item())


def true_slope(function: Any, at: float) -> float:
    x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
    function(x).backward()
    return float(x.grad.item())


def errors(kind: Any, function: Any = cube, at: float = POINT) -> list[float]:
    """The error with each of the nudges."""
    return [error(kind, h, function, at) for h in STEPS]


def unfit(function: Any, at: float) -> str:
    """Why no error can be told as a share of this slope, or ""."""
    if not isinstance(at, (int, float)):
        return "One point is wanted, such as at = 0.7."
    x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
    made = function(x)
    if not isinstance(made, torch.Tensor) or not made.requires_grad:
        return "What price returns is not made from x. Return a tensor that is."
    if made.numel() != 1:
        return f"price returns {made.numel()} numbers, and the slope of one is measured."
    made.backward()
    true = x.grad.item()
    if not np.isfinite(true):
        return f"There is no finite slope at {at:g}. Take another point."
    if true == 0:
        return f"The slope at {at:g} is 0, and no error is a share of 0. Take another point."
    for kind in (np.float32, np.float64):
        if not np.isfinite(errors(kind, function, at)).all():
            where = f"Somewhere within 0.1 of {at:g}, price gives no finite {kind.__name__}"
            return f"{where}. Take another point."
    return ""


def said_of_best(kind: Any, function: Any, at: float) -> str:
    """The best nudge, and how wrong it is, in words."""
    h, least = best(kind, function, at)
    if least > 0.5:
        return f"{kind.__name__}: no nudge comes near what backward() says. Is its rule right?"
    wrong = f"wrong by {least:.0e} of the slope" if least else "by chance without any error"
    return f"{kind.__name__}: best with h = {h:g}, {wrong}"


def best(kind: Any, function: Any = cube, at: float = POINT) -> tuple[float, float]:
    """The nudge with the smallest error, and that error."""
    least, step = min(zip(errors(kind, function, at), STEPS))
    return step, least


def show_errors(function: Any = cube, at: float = POINT) -> None:
    """Draws both curves, and says which nudges are best."""
    if reason := unfit(function, at):
        print(reason)
        return
    figure, axes = plt.subplots(figsize=(7, 3.2))
    told = []
    looks = ((np.float32, "s--", "#0072b2"), (np.float64, "o-", "#b34700"))
    for kind, look, color in looks:
        found = errors(kind, function, at)
        drawn = [max(one, 1e-17) for one in found]  # 0 has no place on a logarithmic axis
        axes.loglog(STEPS, drawn, look, color=color, label=kind.__name__)
        step, least = best(kind, function, at)
        told.append(f"{kind.__name__} {found[0]:.0e}, {least:.0e} at best with h = {step:g}, and ")
        told[-1] += f"{found[-1]:.0e}"
    axes.invert_xaxis()
    axes.set(xlabel="size h of the nudge", ylabel="error, as a share of the slope")
    axes.set(title=f"The slope at {at:g}, by a nudge")
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False)
    figure.tight_layout()
    ends = f"from h = {STEPS[0]:g} to {STEPS[-1]:g}"
    plots.show(axes, f"The error as the nudge shrinks {ends}: {'; '.join(told)}.")
    for kind, *_ in looks:
        print(said_of_best(kind, function, at))
    print(f"float32 with h = 1e-06: wrong by {error(np.float32, 1e-6, function, at):.1%}")


def show_curves(kinks: dict[str, Any], sides: dict[str, str]) -> None:
    """Draws functions around a point, and through it a line of the slope that is returned.

    ``sides`` has the slopes on the left and on the right, for the text of the picture.
    """
    figure, row = plt.subplots(1, len(kinks), figsize=(9, 2.3))
    told = []
    for axes, (letter, (name, where, function, at)) in zip(row, kinks.items()):
        gradient = slope(function, at)
        draw_curve(axes, function, at)
        height = function(torch.tensor(at, dtype=torch.float64)).item()
        draw_line(axes, gradient, at, height)
        reach = 0.1 + max(1.0, abs(height)) if np.isfinite(height) else 1.1
        axes.set(title=f"{letter}: {gradient:g}", xlim=(at - 1, at + 1), ylim=(-reach, reach))
        told.append(f"{letter} {name} {where}: {gradient:g} ({sides[letter]})")
    figure.tight_layout()
    many = "Five" if len(kinks) == 5 else "Six"
    what = f"{many} curves, and through the point of each a dashed line with the gradient"
    plots.show(row[0], f"{what}: {', '.join(told)}.")


def draw_curve(axes: Any, function: Any, at: float) -> None:
    """The curve, with a gap where it jumps."""
    across = np.linspace(at - 1, at + 1, 400)  # an even number: beside the point, and not on it
    up = np.array(function(torch.tensor(across.tolist(), dtype=torch.float64)).tolist())
    jumps = np.flatnonzero(np.abs(np.diff(up)) > 0.5) + 1
    axes.plot(np.insert(across, jumps, np.nan), np.insert(up, jumps, np.nan), color="#0072b2")
    middle = function(torch.tensor(at, dtype=torch.float64)).item()
    axes.plot([at], [middle], "o", color="#0072b2")


def draw_line(axes: Any, gradient: float, at: float, height: float) -> None:
    if np.isfinite(gradient):
        axes.axline((at, height), slope=gradient, linestyle="--", color="#d55e00")
    else:
        axes.axvline(at, linestyle="--", color="#d55e00")


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
    return true_slope(function, at)
