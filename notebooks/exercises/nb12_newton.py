"""The exercise of notebook 12 that asks for a step of Newton's method, with its judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad import lesson

from .nb12_judges import near, number_of, yours_or_ours
from .nb12_runs import newton_step
from .nb12_second import FUNCTIONS, Watched, called


def judge_newton(newton: Any) -> str | None:
    """One step on three functions: a parabola, and two that are none."""
    if not callable(newton):
        return "a function is wanted."
    for text, function, at, first, curved in FUNCTIONS:
        got = called(newton, Watched(function), at, "a number is wanted, the new x")
        if got is None or isinstance(got, str):
            return got
        value = function(torch.tensor(at)).item()
        below = (
            f"for {text} at {at} the curvature is below 0, and your step takes it for a number "
            "above 0. Where would the slope be 0?"
        )
        known = [
            (at - first / curved, ""),
            (at + first / curved, "the step goes the other way." if curved > 0 else below),
            (
                at - first * curved,
                "the slope is multiplied by the curvature. Where a curve bends "
                "much, is a step to be long or short?",
            ),
            (at - curved / first, "the two have changed places."),
            (first / curved, "that is the length of the step. Where does it lead?"),
            (-first / curved, "that is the step. Where does it lead?"),
            (at - first, "that is a step by the slope alone."),
            (
                at - value / first,
                "that looks for a place where the curve itself is 0. Here a "
                "place is wanted where its slope is 0.",
            ),
        ]
        said = next((text for number, text in known if near(got, number)), None)
        if said is None:
            return (
                f"for {text} at {at} the slope is {first:.4g} and the curvature {curved:.4g}; "
                f"it returns {got:.4g}, a step of {got - at:.4g}."
            )
        if said:
            return said
    return ""


newton = lesson.Exercise(
    "newton",
    judge=judge_newton,
    hint="In the taxi's first step, the slope was −22 and the curvature 22, and the step was 1.",
    because="The new x is x minus the slope divided by the curvature.",
)


def newton_for(mine: Any) -> Callable[[Any, float], float]:
    """A step of Newton's method, as a plain number, by the learner's function or the lesson's."""
    step = yours_or_ours(newton, mine, newton_step)
    return lambda function, x: float(number_of(step(function, x)))  # type: ignore[arg-type]
