"""The exercise of notebook 12 that asks for a second derivative, with its judge."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb12_judges import NO_HISTORY, NOTHING, near, number_of

FUNCTIONS: list[tuple[str, Callable[[Any], Any], float, float, float]] = [
    ("x ** 2 + x ** 3", lambda x: x**2 + x**3, 1.0, 5.0, 8.0),
    ("sin(x)", torch.sin, 0.4, math.cos(0.4), -math.sin(0.4)),
    ("exp(2 * x)", lambda x: torch.exp(2 * x), 0.3, 2 * math.exp(0.6), 4 * math.exp(0.6)),
]

NO_LEAF = (
    "the x that you gave to f does not ask for a gradient, so nothing was recorded on the way "
    "through f, and there is nothing to go back through."
)
PLAIN_NUMBER = (
    "you differentiate with plain numbers: x comes as a float, and autograd knows nothing but "
    "tensors. What has x to become before f gets it?"
)
NO_TENSOR = (
    "f was given a tensor, but autograd is asked about something that is no tensor. With respect "
    "to what do you differentiate?"
)
OTHER_TENSOR = (
    "you differentiate with respect to a tensor that is not the one that f was given, so no way "
    "leads back to it."
)
PLAIN_RESULT = (
    "autograd is asked to differentiate a plain number. On the way to it, what has lost its "
    "history?"
)
NOT_CALLED = (
    "you differentiate a tensor that has no history, and f was not called at all. What is "
    "differentiated first is its value at x."
)


class Watched:
    """A function that remembers with which tensors it was called."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.given: list[Any] = []

    def __call__(self, x: Any) -> Any:
        self.given.append(x)
        return self.function(x)

    def places(self) -> set[float | None]:
        return {number_of(x) for x in self.given}

    def why_refused(self, problem: str) -> str:
        """What is wrong with a pass that autograd refused; nothing, if that is not known."""
        given = self.given[-1] if self.given else None
        if "have to be Tensors" in problem:
            return NO_TENSOR if isinstance(given, torch.Tensor) else PLAIN_NUMBER
        if "taken of Tensors" in problem:
            return PLAIN_RESULT if isinstance(given, torch.Tensor) else PLAIN_NUMBER
        if "not have been used" in problem:
            return OTHER_TENSOR if self.given else NOT_CALLED
        if "does not require grad" not in problem:
            return ""
        if given is None:
            return NOT_CALLED
        if not getattr(given, "requires_grad", False):
            return NO_LEAF
        return OTHER_TENSOR if "differentiated Tensors" in problem else NO_HISTORY


def called(attempt: Callable, function: Watched, at: float, wanted: str) -> float | str | None:
    """The number that an attempt returns; or what is wrong; None: nothing is written yet."""
    try:
        result = attempt(function, at)
    except NameError as problem:
        if problem.name != "second":
            raise
        return "second is not known: the kernel was started anew. Run the cell of second again."
    except (RuntimeError, TypeError) as problem:
        said = function.why_refused(str(problem))
        if not said:
            raise
        return said
    if is_open(result) or is_stub(attempt, result):
        return None
    if result is None:
        return NOTHING
    number = number_of(result)
    return f"{wanted}; this is a {type(result).__name__}." if number is None else number


def judge_second(second: Any) -> str | None:
    if not callable(second):
        return "a function is wanted."
    for text, function, at, first, true in FUNCTIONS:
        watched = Watched(function)
        got = called(second, watched, at, "a number is wanted")
        if got is None or isinstance(got, str):
            return got
        if near(got, first):
            return f"for {text} at {at} that is the slope. How does the slope move?"
        if near(got, first * first):
            return f"for {text} at {at} that is the square of the slope."
        if near(got, first + true):
            return broke(
                "accumulate",
                f"for {text} at {at} it is the slope plus the curvature: both were added in .grad.",
            )
        others = [place for place in watched.places() if place not in (None, at)]
        if any(near(place, first) for place in others):
            return (
                f"for {text} at {at} the slope is {first:.4g}, and f is asked at {first:.4g}, as "
                "if the slope were a place. What is to be differentiated the second time?"
            )
        if len(watched.places()) > 1:
            return (
                f"for {text} it looks at {len(watched.places())} places: that is a nudge. It is a "
                "good check, but not exact. Let autograd differentiate the slope, at the one place."
            )
        if not near(got, true):
            return (
                f"for {text} at {at} the slope is {first:.4g}, and a nudge of 0.001 changes it by "
                f"{true / 1000:.3g}; your function returns {got:.4g}."
            )
    return ""


second = lesson.Exercise(
    "second",
    judge=judge_second,
    hint="autograd is asked twice, and always about the same x. Of what is the first answer the "
    "slope, and of what the second? And what has to happen during the first, so that there can "
    "be a second?",
    because="Line by line:\n"
    "x = torch.tensor(x, requires_grad=True)\n"
    "(slope,) = torch.autograd.grad(f(x), x, create_graph=True)\n"
    "return torch.autograd.grad(slope, x)[0].item()",
)
