"""The exercise of notebook 12 that asks for a start from which Newton's method goes uphill."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb12_judges import NOTHING, near, number_of


def is_known(function: Callable[[Any], Any]) -> bool:
    """Whether it is the curve of section 3, perhaps stretched or moved up or down."""
    places = [torch.tensor(one, dtype=torch.float64) for one in (0.8, -1.3, 0.3, 2.0)]
    theirs = [number_of(function(place)) for place in places]
    ours = [number_of(place**4 - 2 * place**2) for place in places]
    if None in theirs:
        return False
    ratios = [(t - theirs[0]) / (o - ours[0]) for t, o in zip(theirs[1:], ours[1:])]
    return ratios[0] != 0 and all(near(one, ratios[0]) for one in ratios)


NO_SLOPE = 1e-7  # what rounding leaves of a slope of 0
OF_TORCH = "The functions for tensors begin with torch, as torch.exp does."
PLAIN = f"It is a plain number, as the functions of math and of NumPy make them. {OF_TORCH}"


class Step(NamedTuple):
    """The curvature at a start, and the value of the curve there and after one step."""

    curvature: float
    before: float
    after: float


def judge_own(attempt: Any) -> str | None:
    """From the learner's start, one step by slope / curvature must set out and end uphill."""
    if not isinstance(attempt, (list, tuple)) or len(attempt) != 2:
        return "the check is given two things: a function, and a start."
    function, start = attempt
    step = step_on(function, start)
    if not isinstance(step, Step):
        return step
    if is_known(function):
        return (
            "that is the curve of section 3, at most stretched or moved up or down. Find "
            "another one."
        )
    return way_of_the_step(step)


def step_on(function: Any, start: Any) -> Step | str | None:
    """One step of Newton's method; or why there is none; None: nothing is written yet."""
    if is_open(function) or is_open(start):
        return None
    if not callable(function):
        return "the first is to be a function of x."
    at = number_of(start)
    if at is None:
        return "the start is to be a number."
    x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
    value = value_of(function, x)
    if is_open(value) or is_stub(function, value):
        return None
    if value is None:
        return NOTHING
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        return broke("record", f"what your function returns has no history. {PLAIN}")
    if not isinstance(value, torch.Tensor) or value.grad_fn is None:
        return broke("record", "what your function returns has no history.")
    if value.numel() != 1:
        return (
            "one number is wanted, the value of the curve at x; your function returns a tensor "
            f"of the shape {tuple(value.shape)}."
        )
    if not math.isfinite(value.item()):
        return f"at your start the curve has no value: it gives {value.item()} there."
    (slope,) = torch.autograd.grad(value, x, create_graph=True)
    if slope.grad_fn is None:
        return (
            "the slope is the same all around your start: there the curve is a straight line, and "
            "the curvature is 0."
        )
    (curved,) = torch.autograd.grad(slope, x)
    if curved.item() == 0:
        return "at your start the curvature is 0, and a division by it leads nowhere."
    if abs(slope.item()) < NO_SLOPE:
        return "at your start the slope is 0 already, or as good as 0: the step leads nowhere."
    after = function((x - slope / curved).detach()).item()
    if not math.isfinite(after):
        return f"the step leads to a value that is {after}."
    return Step(curved.item(), value.item(), after)


def value_of(function: Any, x: Any) -> Any:
    """What a function gives at x; a text, if it was meant for plain numbers."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of a tensor that becomes a number
            return function(x)
    except NameError as problem:
        meant = callable(getattr(torch, problem.name or "", None))
        if problem.name not in ("math", "np", "numpy") and not meant:
            raise
        return f"{problem.name} is not known here. {OF_TORCH}"
    except RuntimeError as problem:
        if "MG113" not in str(problem):
            raise
        return f"a function of NumPy was given a tensor that asks for a gradient. {OF_TORCH}"


def way_of_the_step(step: Step) -> str:
    """What is wrong with a step that should set out uphill and end higher than before."""
    curved, before, after = step
    leads = f"from {before:.4g} to {after:.4g}"
    if curved > 0 and after > before:
        return (
            f"your step ends higher, {leads}, but it sets out downhill: it is so long that it "
            "leaps over the valley and up the other side. Find a start where its direction is "
            "wrong, not its length."
        )
    if curved > 0:
        return f"there the curvature is above 0, and the step leads {leads}: that is downhill."
    if after <= before:
        return (
            f"your step sets out uphill, as it should, but it is so long that it leaps over the "
            f"hilltop and ends lower, {leads}. Where on the same curve would the step be shorter?"
        )
    return ""


own = lesson.Exercise(
    "own start",
    judge=judge_own,
    hint="Where a curve bends downwards, as on a hilltop, the curvature is below 0. What does "
    "dividing by it do to the direction of the step?",
    because="Where the curvature is below 0, a step of Newton's method sets out uphill, unless "
    "the curve is level there. On cos(x) from 0.5, for example, it leads towards the hilltop at 0.",
)
