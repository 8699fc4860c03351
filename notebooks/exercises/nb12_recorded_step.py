"""The exercise of notebook 12 that asks for the loss after a step, recorded, with its judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb12_judges import NOTHING, near, number_of, yours_or_ours
from .nb12_runs import after_a_step, slope_of

STEPS: list[tuple[str, Callable[[Any], Any], float, float]] = [
    ("(2 * x - 1) ** 2", lambda x: (2 * x - 1) ** 2, 2.0, 0.1),
    ("x ** 2", lambda x: x**2, 3.0, 0.25),
    ("sin(x)", torch.sin, 0.4, 0.5),
]


def judge_after(loss_after: Any) -> str | None:
    """The loss after a step on three curves, and whether the step is recorded."""
    if not callable(loss_after):
        return "a function is wanted."
    for text, function, start, rate in STEPS:
        lr = torch.tensor(rate, requires_grad=True)
        result = loss_after(function, start, lr)
        if is_open(result) or is_stub(loss_after, result):
            return None
        if result is None:
            return NOTHING
        got = number_of(result)
        if got is None:
            return f"a number is wanted, the loss after the step; this is a {words(result)}."
        again = number_of(loss_after(function, start, torch.tensor(rate / 2, requires_grad=True)))
        said = wrong_loss(got, again, function, start, rate)
        said = said or unrecorded(result, function, start, lr)
        if said:
            return f"for {text} from {start} with the learning rate {rate}: {said}"
    return ""


def words(result: Any) -> str:
    shape = getattr(result, "shape", None)
    return type(result).__name__ if shape is None else f"tensor of the shape {tuple(shape)}"


def wrong_loss(
    got: float, again: float | None, function: Callable[[Any], Any], start: float, lr: float
) -> str:
    """What is wrong with a number that should be the loss after a step; nothing, if it is.

    ``again``: what is returned for another learning rate.
    """
    slope = slope_of(function, start)

    def loss(place: float) -> float:
        return float(function(torch.tensor(place)))

    after = start - lr * slope
    known = [
        (loss(after), ""),
        (loss(start), "that is the loss before the step. Where does the step lead?"),
        (after, "that is the place to which the step leads. How large is the loss there?"),
        (loss(start + lr * slope), broke("direction", "it is the loss after a step uphill.")),
        (loss(start - slope), "that step is as long as the slope. What is lr for?"),
        (loss(lr * slope), "there the step has been taken for the place. Where does it begin?"),
        (loss(-lr * slope), "there the step begins at 0. Where is it to begin?"),
        (loss(start) - lr * slope, "the step moves the place, and not the loss itself."),
        (loss(start - lr), "the step has the length of the learning rate, whatever the slope is."),
    ]
    said = next((text for number, text in known if near(got, number)), None)
    if not said and again is not None and near(got, again):
        return "with another learning rate it returns the same. Where is lr in your step?"
    if said is not None:
        return said
    return f"the slope at the start is {slope:.4g}; your function returns {got:.4g}."


def unrecorded(result: Any, function: Callable[[Any], Any], start: float, lr: Any) -> str:
    """What is wrong with the right number, if it cannot be differentiated by the rate."""
    if not isinstance(result, torch.Tensor) or result.grad_fn is None:
        return broke(
            "record",
            "the number is right, but it has no history, and so no slope with respect to the "
            "learning rate. On the way to it, what has become a plain number?",
        )
    (got,) = torch.autograd.grad(result, lr, allow_unused=True)
    if got is None:
        return broke(
            "record",
            "the number is right, and it has a history, but the learning rate does not occur in "
            "it. What has become of lr in your step?",
        )
    true = -(slope_of(function, start - lr.item() * slope_of(function, start)))
    true *= slope_of(function, start)
    if near(got.item(), true):
        return ""
    return (
        "the number is right, but its slope with respect to the learning rate is "
        f"{got.item():.4g}, and a nudge says {true:.4g}."
    )


after = lesson.Exercise(
    "recorded step",
    judge=judge_after,
    hint="Two things happen one after the other: the place is moved, against the slope, and then "
    "the loss is asked there. Both are to be made with lr as it is, a tensor.",
    because="return loss_of(start - lr * slope)",
)


def after_for(mine: Any) -> Callable[[Any, float, Any], Any]:
    """The loss after a step, by the learner's function or the lesson's."""
    step = yours_or_ours(after, mine, after_a_step)

    def recorded(*given: Any) -> Any:
        with torch.enable_grad():  # a nudge asks for no gradient, but the step may need one
            return step(*given)

    return recorded
