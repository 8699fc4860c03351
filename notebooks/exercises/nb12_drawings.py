"""The pictures of notebook 12: steps on a curve, the parabolas of Newton's method, calm curves."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator

import minigrad as torch
from minigrad.lesson.attempt import tried
from minigrad_widgets import plots

from .nb12_own_start import Step, own, step_on
from .nb12_runs import judged, newton_step, no_step_from, slope_of, slopes_at

STYLES = ("-", "--", "-.")
MARKS = ("o", "s", "^")


def several(numbers: Any) -> tuple:
    """The numbers, or the single one that was given instead."""
    return tuple(numbers) if isinstance(numbers, (tuple, list)) else (numbers,)


def plain_ticks(axes: Any, panels: int) -> None:
    """Few ticks, each with its whole number: no power of ten stands beside the axis."""
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(4 if panels < 4 else 2))
        axis.set_major_formatter("{x:g}")
    if panels > 3:
        axes.tick_params(labelsize=7)


def sampled(function: Callable[[Any], Any], places: list[float]) -> list[float]:
    with torch.no_grad():
        return [function(torch.tensor(place)).item() for place in places]


def between(low: float, high: float, count: int = 101) -> list[float]:
    return [low + (high - low) * i / (count - 1) for i in range(count)]


# -------------------------------------------------------------------------------------- descents


STEPS = 6


def places_of(loss_of: Callable[[Any], Any], lr: float, start: float) -> list[float]:
    """Some steps of gradient descent, or as many as lead to a loss that is a number."""
    places = [float(start)]
    for _ in range(STEPS):
        after = places[-1] - lr * slope_of(loss_of, places[-1])
        if not math.isfinite(sampled(loss_of, [2 * after])[0]):
            break
        places.append(after)
    return places


def show_descents(
    loss_of: Callable[[Any], Any], lrs: Any = (0.05, 0.09, 0.1), start: float = 2.0
) -> None:
    """Draws six steps of gradient descent on the curve of the loss, a panel for each ``lr``."""
    lrs = several(lrs)
    if not lrs:
        print("no learning rate is given, so there is nothing to draw")
        return
    figure, every = plt.subplots(1, len(lrs), figsize=(7.5, 2.8), squeeze=False)
    told = []
    for lr, axes in zip(lrs, every[0]):
        places = places_of(loss_of, lr, start)
        lowest = newton_step(loss_of, places[0])
        lowest = lowest if math.isfinite(lowest) else places[0]
        reach = 1.15 * max(abs(place - lowest) for place in places) or 1.0
        curve = between(lowest - reach, lowest + reach)
        axes.plot(curve, sampled(loss_of, curve), "-", color="0.6")
        axes.plot(places, sampled(loss_of, places), "o--", markersize=4, linewidth=0.8)
        axes.plot(places[0], sampled(loss_of, places[:1])[0], "ks", markersize=7)
        missing = STEPS + 1 - len(places)
        axes.set_title(f"lr {lr:.6g}" + (f"\n{missing} steps too large to draw" if missing else ""))
        axes.set_xlabel("rate")
        plain_ticks(axes, len(lrs))
        told.append(
            f"lr {lr:.6g}: the taxi's rate is " + ", ".join(f"{place:.2f}" for place in places)
        )
        if missing:
            told[-1] += f" ({missing} steps are too large to draw)"
    every[0][0].set_ylabel("loss")
    figure.tight_layout()
    plots.show(every[0], f"Six steps on the curve of the loss. {'; '.join(told)}.")


# ------------------------------------------------------------------------------- Newton's method


def show_newton(function: Callable[[Any], Any], starts: Any) -> None:
    """Draws a curve, and at each start the parabola that has its slope and curvature there."""
    starts = several(starts)
    if not starts:
        print("no start is given, so there is nothing to draw")
        return
    figure, every = plt.subplots(1, len(starts), figsize=(7.5, 3.3), squeeze=False)
    told = []
    for start, axes in zip(starts, every[0]):
        value = sampled(function, [start])[0]
        slope, curvature = slopes_at(function, start)
        goal = newton_step(function, start)
        if not math.isfinite(goal):
            print(no_step_from(start))
            goal = float(start)

        def parabola(place: float, at: Any = (start, value, slope, curvature)) -> float:
            away = place - at[0]
            return at[1] + at[2] * away + at[3] * away**2 / 2

        low, high = min(start, goal, -1.2) - 0.2, max(start, goal, 1.2) + 0.2
        curve = between(low, high)
        near = between(min(start, goal) - 0.4, max(start, goal) + 0.4)
        axes.plot(curve, sampled(function, curve), "-", color="0.5", label="the curve")
        axes.plot(near, [parabola(place) for place in near], "--", label="its parabola")
        axes.plot(start, value, "ks", label="start")
        axes.plot(goal, sampled(function, [goal])[0], "k^", label="after one step")
        size = None if len(starts) < 4 else 8
        axes.set_title(f"from {start:g}:\ncurvature {curvature:.2f}", fontsize=size)
        axes.set_xlabel("x")
        plain_ticks(axes, len(starts))
        told.append(f"from {start:g} with the curvature {curvature:.2f} to {round(goal, 4):g}")
    every[0][0].set_ylabel("value of the curve")
    figure.legend(*every[0][0].get_legend_handles_labels(), loc="lower center", ncol=4, fontsize=8)
    figure.tight_layout(rect=(0, 0.08, 1, 1))
    plots.show(every[0], f"A step goes where a parabola has the slope 0: {'; '.join(told)}.")


def show_own(curve: Any, start: Any) -> None:
    """Draws the step from the learner's own start, and tells where it leads."""
    step = tried(lambda: step_on(curve, start), own.seconds)
    if not isinstance(step, Step):
        print("… no step to draw yet" + (f": {step}" if step else ""))
        return
    way = "higher" if step.after > step.before else "not higher"
    before, after = step.before + 0.0, step.after + 0.0  # -0 is told as 0
    print(f"the value is {before:.4g} before the step, and {after:.4g} after it: {way}")
    show_newton(curve, float(start))


# ------------------------------------------------------------------------- in one direction


def show_slopes(every: dict[float, list[float]], steps: int = 3) -> None:
    """Draws the slope in one direction, at the start and after each of the first steps."""
    figure, axes = plt.subplots(figsize=(6, 2.8))
    axes.axhline(0, color="0.6", linewidth=0.8)
    told = []
    for number, (lr, slopes) in enumerate(every.items()):
        style = STYLES[number % len(STYLES)] + MARKS[number % len(MARKS)]
        axes.plot(slopes[: steps + 1], style, label=f"lr {lr:.2f}")
        told.append(f"lr {lr:.2f}: " + ", ".join(f"{one:.2f}" for one in slopes[: steps + 1]))
    axes.set_xticks(range(steps + 1))
    axes.set_xlabel("steps taken")
    axes.set_ylabel("slope in the direction")
    axes.legend()
    figure.tight_layout()
    where = "in the direction of the largest curvature"
    plots.show(axes, f"The slope {where}, from step to step. {'; '.join(told)}.")


# ----------------------------------------------------------------------------------- calm curves


def show_curves(models: dict[str, Any], points: tuple[Any, Any]) -> None:
    """Draws these points, the wave, and the curves of these models."""
    x, y = points
    place = torch.linspace(-1, 1, 101).reshape(-1, 1)
    flat = place.flatten().tolist()
    figure, axes = plt.subplots(figsize=(6, 3.2))
    axes.plot(flat, torch.sin(3 * place).flatten().tolist(), "k:", label="wave")
    axes.plot(x.flatten().tolist(), y.flatten().tolist(), "ko", label="given")
    with torch.no_grad():
        for number, (name, model) in enumerate(models.items()):
            style = STYLES[number % len(STYLES)]
            axes.plot(flat, model(place).flatten().tolist(), style, label=name)
    axes.set_xlabel("place")
    axes.set_ylabel("value")
    axes.legend()
    figure.tight_layout()
    told = []
    for name, model in models.items():
        error, steepest = judged(model)
        with torch.no_grad():
            missed = (model(x) - y).abs().max().item()
        told.append(
            f"{name}: misses a point by {missed:.2f} at most, mean squared distance to the wave "
            f"{error:.3f}, steepest slope {steepest:.1f}"
        )
    plots.show(axes, f"Curves through ten points near a wave. {'; '.join(told)}.")
