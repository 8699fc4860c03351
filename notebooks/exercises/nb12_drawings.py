"""The pictures of notebook 12: steps on a curve, the parabolas of Newton's method, calm curves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad_widgets import plots

from .nb12_runs import judged, newton_steps, noisy, slope_of, slopes_at

STYLES = ("-", "--", "-.")


def sampled(function: Callable[[Any], Any], places: list[float]) -> list[float]:
    with torch.no_grad():
        return [function(torch.tensor(place)).item() for place in places]


def between(low: float, high: float, count: int = 101) -> list[float]:
    return [low + (high - low) * i / (count - 1) for i in range(count)]


# -------------------------------------------------------------------------------------- descents


def show_descents(loss_of: Callable[[Any], Any], rates: tuple, start: float = 2.0) -> None:
    """Draws six steps of gradient descent on the curve of the loss, a panel for each rate."""
    figure, every = plt.subplots(1, len(rates), figsize=(7.5, 2.8), squeeze=False)
    told = []
    for lr, axes in zip(rates, every[0]):
        places = [float(start)]
        for _ in range(6):
            places.append(places[-1] - lr * slope_of(loss_of, places[-1]))
        lowest = newton_steps(loss_of, places[0], 1)[1]
        reach = 1.15 * max(abs(place - lowest) for place in places) or 1.0
        curve = between(lowest - reach, lowest + reach)
        axes.plot(curve, sampled(loss_of, curve), "-", color="0.6")
        axes.plot(places, sampled(loss_of, places), "o--", markersize=4, linewidth=0.8)
        axes.plot(places[0], sampled(loss_of, places[:1])[0], "ks", markersize=7)
        axes.set_title(f"lr {lr}")
        axes.set_xlabel("rate")
        told.append(f"lr {lr}: the rates " + ", ".join(f"{place:.2f}" for place in places))
    every[0][0].set_ylabel("loss")
    figure.tight_layout()
    plots.show(every[0], f"Six steps on the curve of the loss. {'; '.join(told)}.")


# ------------------------------------------------------------------------------- Newton's method


def show_newton(function: Callable[[Any], Any], starts: tuple) -> None:
    """Draws a curve, and at each start the parabola that has its slope and curvature there."""
    figure, every = plt.subplots(1, len(starts), figsize=(7.5, 3.0), squeeze=False)
    told = []
    for start, axes in zip(starts, every[0]):
        value = sampled(function, [start])[0]
        slope, curvature = slopes_at(function, start)
        goal = newton_steps(function, start, 1)[1]

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
        axes.set_title(f"from {start:g}: curvature {curvature:.2f}")
        axes.set_xlabel("x")
        told.append(f"from {start:g} with the curvature {curvature:.2f} to {goal:g}")
    every[0][0].set_ylabel("value of the curve")
    every[0][0].legend(fontsize=8)
    figure.tight_layout()
    plots.show(every[0], f"A step goes where a parabola has the slope 0: {'; '.join(told)}.")


# ----------------------------------------------------------------------------------- calm curves


def show_curves(models: dict[str, Any], seed: int = 0) -> None:
    """Draws the ten points, the wave, and the curves of these models."""
    x, y = noisy(seed)
    place = torch.linspace(-1, 1, 101).reshape(-1, 1)
    flat = place.flatten().tolist()
    figure, axes = plt.subplots(figsize=(6, 3.2))
    axes.plot(flat, torch.sin(3 * place).flatten().tolist(), "k:", label="wave")
    axes.plot(x.flatten().tolist(), y.flatten().tolist(), "ko", label="given")
    with torch.no_grad():
        for number, (name, model) in enumerate(models.items()):
            style = STYLES[number % len(STYLES)]
            axes.plot(flat, model(place).flatten().tolist(), style, label=name)
    axes.legend()
    figure.tight_layout()
    told = []
    for name, model in models.items():
        error, steepest = judged(model)
        with torch.no_grad():
            missed = (model(x) - y).abs().max().item()
        told.append(
            f"{name}: misses a point by {missed:.2f} at most, error to the wave {error:.3f}, "
            f"steepest slope {steepest:.1f}"
        )
    plots.show(axes, f"Curves through ten points near a wave. {'; '.join(told)}.")
