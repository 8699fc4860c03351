"""The exercise of notebook 12 that asks for a step of Newton's method, with its judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad import lesson

from .nb12_judges import near, number_of, yours_or_ours
from .nb12_runs import newton_step
from .nb12_second import FUNCTIONS, Watched, called

WANTED = "a number is wanted, the new x"


def judge_newton(newton: Any) -> str | None:
    """One step on three functions, none of which is a parabola."""
    if not callable(newton):
        return "a function is wanted."
    for text, function, at, first, curved in FUNCTIONS:
        got = called(newton, Watched(function), at, WANTED)
        if got is None or isinstance(got, str):
            return got
        if near(got, at - first / curved):
            continue
        return (
            known_step(got, (text, function, at, first, curved))
            or same_on_every_curve(newton)
            or f"for {text} at {at} the slope is {first:.4g} and the curvature {curved:.4g}; "
            f"it returns {got:.4g}, a step of {got - at:.4g}."
        )
    return ""


def known_step(got: float, case: tuple[str, Callable, float, float, float]) -> str:
    """What is wrong with this place; nothing, if that is not known."""
    text, function, at, first, curved = case
    value = function(torch.tensor(at)).item()
    if curved > 0:
        other_way = "the step goes the other way."
    else:
        other_way = (
            f"for {text} at {at} the curvature is below 0, and your step takes it for a number "
            "above 0. Where would the slope be 0?"
        )
    known = [
        (at + first / curved, other_way),
        (
            at - first * curved,
            "the slope is multiplied by the curvature. Where a curve bends much, is a step to be "
            "long or short?",
        ),
        (at - curved / first, "the two have changed places."),
        (first / curved, "that is the length of the step. Where does it lead?"),
        (-first / curved, "that is the step. Where does it lead?"),
        (at - first, "that is a step by the slope alone."),
        (at - curved, "that is a step by the curvature alone. What is the slope here?"),
        (
            at - value / first,
            "that looks for a place where the curve itself is 0. Here a place is wanted where its "
            "slope is 0.",
        ),
        *((place, SEVERAL) for place in later_places(function, at)),
    ]
    return next((text for number, text in known if near(got, number)), "")


SEVERAL = "that is where several steps lead, one after the other. Only the first one is wanted."


def later_places(function: Callable, at: float, steps: int = 20) -> list[float]:
    """Where two steps lead, and three, and so on."""
    places = [newton_step(function, at)]
    for _ in range(steps - 1):
        places.append(newton_step(function, places[-1]))
    return places[1:]


def same_on_every_curve(newton: Callable) -> str:
    """What is wrong with a step that heeds no curve, or no curvature; nothing, if it does."""
    places = [called(newton, Watched(one[1]), one[2], WANTED) for one in FUNCTIONS]
    numbers = [one for one in places if isinstance(one, float)]
    if len(numbers) < len(FUNCTIONS):
        return ""
    if all(near(one, numbers[0]) for one in numbers):
        return f"it returns {numbers[0]:.4g}, whichever curve it is given, and whichever x."
    steps = [
        (place - at) / slope for place, (_, _, at, slope, _) in zip(numbers, FUNCTIONS, strict=True)
    ]
    if not all(near(one, steps[0]) for one in steps):
        return ""
    if near(steps[0], 0):
        return "it returns the x that it was given, so no step was taken."
    if near(abs(steps[0]), 1 / 22):
        return "you divide by 22. That is the taxi's curvature; how much does the given curve bend?"
    return (
        f"on each curve that was tried, the step is {steps[0]:.3g} times the slope, whether the "
        "curve bends much or little there."
    )


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
