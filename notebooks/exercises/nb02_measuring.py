"""The small instruments that notebook 02 measures with."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import minigrad as torch
from minigrad.engine.backward import BackwardPass

from .pictures import Picture, plots


def leaves(*numbers: float) -> list[Any]:
    """A tensor that requires a gradient, for each number."""
    return [torch.tensor(number, requires_grad=True) for number in numbers]


def per_nudge(moved: float, h: float) -> float:
    """How far a result has moved for each step of a nudge ``h``; nan if nothing was nudged."""
    return moved / h if h else float("nan")


def nudged(f: Callable[..., Any], *numbers: float, of: int = 0, h: float = 1e-6) -> float:
    """The slope of ``f`` at these numbers, found by nudging one of them in both directions."""
    up, down = list(numbers), list(numbers)
    up[of] += h
    down[of] -= h
    return (f(*up) - f(*down)) / (2 * h)


def by_algebra(a: float, b: float) -> tuple[float, float]:
    """The gradients of (a + b)(b + 1) = ab + a + b² + b, as one finds them on paper."""
    return b + 1, a + 2 * b + 1


def travel(names: list[str], before: tuple[float, ...], after: tuple[float, ...]) -> None:
    """How far each value has moved, and how many times as far as the one before it."""
    moved = [new - old for old, new in zip(before, after)]
    print(f"{names[0]:5} moves by {moved[0]:8.4f}")
    for name, cause, effect in zip(names[1:], moved, moved[1:]):
        times = f": {effect / cause:5.2f} times as far" if cause else ""
        print(f"{name:5} moves by {effect:8.4f}{times}")


def grads(**tensors: Any) -> dict[str, float | None]:
    """What each tensor's ``.grad`` holds, by its name; without the warning for results."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name: tensor.grad for name, tensor in tensors.items()}
    return {name: None if grad is None else grad.item() for name, grad in found.items()}


def visits(output: Any) -> int:
    """How many nodes the engine visits on its way back from ``output``, counted as it walks."""
    walk = BackwardPass([output], [np.float32(1)], keep=True)
    with np.errstate(over="ignore"):  # many rounds have more paths than a float32 can hold
        return sum(1 for _ in walk.steps())


def error(action: Callable[[], Any]) -> str:
    """What it says when it is refused."""
    try:
        action()
    except RuntimeError as raised:
        return str(raised)
    return "nothing was refused"


def plot(paths: list[float], visits: list[int]) -> Picture | None:
    """Paths and visits by the number of rounds, on a log scale."""
    if not paths:
        print("no rounds, no paths")
        return None
    known = [path if math.isfinite(path) else math.nan for path in paths]
    most = int(np.log10(np.nanmax(known)))
    tens = range(0, most + 1, max(1, most // 3))
    panel = {
        "title": "how many, on a log scale",
        "x": range(1, len(paths) + 1),
        "y": np.log10(known),
        "label": "paths",
        "more": [("visits", np.log10(visits))],
        "ticks": [(power, f"{10**power:,}") for power in tens],
        "xticks": range(0, len(paths) + 1, max(5, len(paths) // 10))[1:],
    }
    told = f"the paths grow to {paths[-1]:,.0f}, a straight line on a log scale"
    alt = f"Over {len(paths)} rounds {told}, and the visits to {visits[-1]}."
    return plots([panel], alt, "rounds")
