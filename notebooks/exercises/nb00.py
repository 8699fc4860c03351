"""What notebook 00 asks, and what its cells show."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.attempt import told

from .nb00_exercises import (
    STARTS,
    gradient_at,
    improve,
    judge_slopes,
    loss_at,
    read,
    slopes,
    to_read,
)
from .pictures import Picture, plots

__all__ = ["gradient_at", "improve", "judge_slopes", "loss_at", "read", "slopes", "to_read"]

# Questions stand here and not in the notebook, so that their answers are not read there.

which_way = partial(
    lesson.predict,
    "The rate is 2, and its gradient is −18. "
    "Which way should the rate go, so that the loss gets smaller?",
    "up",
    choices=["up", "down", "nowhere: −18 is less than 0 already"],
    mistakes={
        "down": lesson.broke(
            "direction",
            "The minus sign does not tell the rate where to go. It says that the loss moves the "
            "opposite way.",
        ),
        "nowhere: −18 is less than 0 already": lesson.broke(
            "direction",
            "The gradient is not the loss. The loss is 9, and can still become smaller.",
        ),
    },
    hint="Look at the printed table: which way was the rate nudged, and what did the loss do?",
    because="The gradient is below 0, so the loss falls when the rate rises.",
)

after_backward = partial(
    lesson.predict,
    "backward() has run, and rate.grad is −18. What number is rate now?",
    2.0,
    mistakes={
        -18.0: lesson.broke(
            "fills",
            "That is what stands in rate.grad. It stands beside the rate, not in its place.",
        ),
        -16.0: lesson.broke(
            "fills", "You added the gradient to the rate. Which line of the cell does that?"
        ),
        20.0: lesson.broke(
            "fills", "You subtracted the gradient from the rate. Which line of the cell does that?"
        ),
        3.0: lesson.broke(
            "fills", "That would be the right rate. But the cell took no step towards it."
        ),
        2.01: "That is the nudged rate of section 1. backward() nudges nothing.",
        0.0: "A rate of 0 would make the ride free. No line of the cell changes the rate.",
    },
    hint="Read the cell line by line. Which of its lines writes into the rate?",
    because="backward() measures, and changes no number. A step is a line of its own.",
)

at_the_goal = partial(
    lesson.predict,
    "Suppose that the rate is exactly 3. Which number will backward() leave in rate.grad?",
    0.0,
    mistakes={
        -18.0: "That is the gradient at the rate 2. The local slope of the square depends on "
        "where one stands.",
        18.0: "The local slope of the square is not 6 there. It is twice the error.",
        3.0: lesson.broke(
            "multiply", "That is only the first local slope. The others are multiplied with it."
        ),
        -6.0: "That is the local slope of the square at the rate 2. How large is the error at 3?",
        6.0: "At a local slope of 6 the error would be 3. How large is it at the rate 3?",
        9.0: "That is the ride, 3 * 3, or the loss at the rate 2. A gradient is a product of "
        "local slopes.",
        1.0: "An error of what size would have that local slope? Work out the error first.",
    },
    hint="Put the rate 3 through the four lines, and begin with the error. What is the local slope "
    "of its square?",
    because="The error is 0, so its square has the local slope 0, and so has the product. Where "
    "the loss is smallest, it is flat.",
)

left_out = partial(
    lesson.predict,
    "Suppose that rate.grad = None is left out of the loop. The gradient at the second rate is "
    "−11.52. What will stand in rate.grad after the second backward()?",
    "both, added up",
    choices=["the second one, −11.52", "the first one, −18", "both, added up"],
    mistakes={
        "the second one, −11.52": "Then backward() would have to clear the place first. Is there "
        "another line that does this?",
        "the first one, −18": "Then the second backward() would have no effect at all.",
    },
    hint="If backward() simply replaced what is there, who would ever write that line?",
    because="backward() adds to what is in .grad. So there stands −18 − 11.52 = −29.52, which is "
    "the gradient of neither rate.",
)

# ---------------------------------------------------------------- three questions at the end

how_far = partial(
    lesson.predict,
    "The gradient of a number is 5, and the learning rate is 0.1. "
    "By how much does one step move the number? (Give the sign, too.)",
    -0.5,
    mistakes={
        0.5: lesson.broke("direction", "With this step the loss would grow."),
        -5.0: "That would be the whole gradient. Which part of it does a step take?",
        5.0: "That is the gradient itself, and not the step.",
        -0.1: "That is the learning rate with a sign. What is it multiplied by?",
        0.1: "That is the learning rate. What is it multiplied by?",
        4.9: "You subtracted the learning rate from the gradient. The step is a product.",
        0.0: "Then nothing would be learned.",
    },
    hint="A step is a part of the gradient, and the learning rate says which part. Then ask which "
    "way it goes.",
    because="The step is 0.1 times 5, against the gradient. The gradient gives the direction, and "
    "how steep it is; the learning rate says how much of it to take.",
)

how_many_nudges = partial(
    lesson.predict,
    "A model has 1000 numbers to learn, and its loss is known. You want all their gradients, and "
    "have nothing but nudges. How many times more do you have to compute the loss?",
    1000.0,
    mistakes={
        1.0: "If you nudge all numbers at once, which of them has moved the loss?",
        2.0: "If you nudge all numbers at once, which of them has moved the loss?",
        1001.0: "The loss before the nudges is known already.",
        2000.0: "That many if you nudge each number up and down. Up alone is enough here.",
        0.0: "backward() could do without. But here you have nudges alone.",
        1000000.0: "You need not nudge the numbers in pairs.",
    },
    hint="One nudged loss tells you about one number alone.",
    because="Each number needs a nudge of its own, and each nudge a computation of its own. "
    "backward() finds them all in one walk.",
)

# ------------------------------------------------------------------------ what cells show


def how_wrong(guess: float) -> float:
    """How wrong a guess is, in one number. What it is computed from is told on the page."""
    return loss_at(guess) if abs(guess) < 1e150 else math.inf


def by_nudge(rate: Any) -> float:
    """How many times as far the loss moves as the rate, when the rate is nudged by 0.001."""
    here = float(rate)
    return (loss_at(here + 0.001) - loss_at(here)) / 0.001


def as_text(tensor: Any) -> str:
    """The notes behind a tensor as text, with the names that a view has seen."""
    return torch.tape.graph_text(torch.tape.tape, tensor, {})


STEPS = 8


def drive(step: Callable[[float, float], Any]) -> None:
    """Print what becomes of the rate and its loss when a learner's step is taken repeatedly."""
    rate = STARTS[0]
    try:
        for _ in range(STEPS):
            print(f"rate {rate:.2f}   loss {loss_at(rate):.2f}")
            rate = float(step(rate, gradient_at(rate)))
        print(f"rate {rate:.2f}   loss {loss_at(rate):.2f}")
    except TypeError:
        print("… and then? The function returned no number.")
    except Exception as error:
        print(f"… {told(error)}")


# ------------------------------------------------------------------------------- the valley

RIGHT = 3.0
HUGE = 1e9  # from such a rate there is nothing to be seen of the valley
FAR = 8.0  # a rate so many times as far from the right one as the first rate is not drawn


def valley(rates: Sequence[float]) -> Picture:
    """The loss against the rate, the slope at the first of these rates, and a dot for each.

    Steps that are too long soon lead so far away that nothing could be read: what is too far away
    is counted, and not drawn.
    """
    went = [float(rate) for rate in rates] or STARTS[:1]
    start = went[0] if abs(went[0]) < HUGE else STARTS[0]
    limit = FAR * max(1.0, abs(start - RIGHT))
    shown = [rate for rate in went if abs(rate - RIGHT) <= limit]  # no NaN is
    half = max(2.0, *(1.15 * abs(rate - RIGHT) for rate in [start, *shown]))
    left, top = RIGHT - half, loss_at(RIGHT + half)
    across = [left + half * number / 100 for number in range(201)]
    away = len(went) - len(shown)
    panel = {
        "title": f"loss ({away} of the {len(went)} rates are too far away)" if away else "loss",
        "x": across,
        "y": [loss_at(rate) for rate in across],
        "ticks": ticks(0, top),
        "xticks": ticks(left, RIGHT + half),
        "dots": [(rate, loss_at(rate)) for rate in shown],
        "tangent": tangent(start, half, top),
    }
    return plots([panel], in_words(went, start, away), "rate")


def ticks(low: float, high: float) -> list[float]:
    """Three to six round numbers from low to high."""
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [number * step for number in range(first, last + 1)]


def tangent(start: float, half: float, top: float) -> list[tuple[float, float]]:
    """The ends of a line through the first dot, as steep as the gradient, inside of the picture."""
    loss, slope = loss_at(start), gradient_at(start)
    ends = []
    for way in (-0.4 * half, 0.4 * half):
        height = min(max(loss + slope * way, 0.0), top)
        ends.append((start + (height - loss) / slope if slope else start + way, height))
    return [(min(max(x, RIGHT - half), RIGHT + half), y) for x, y in ends]


def in_words(went: list[float], start: float, away: int) -> str:
    """What the picture of the valley shows, for those who do not see it."""
    many = len(went)
    told = [f"{rate:.2f}" for rate in (went if many <= 6 else went[:4])]
    last = "" if many <= 6 else f" and so on; the last one is {went[-1]:.6g}"
    said = (
        "The loss against the rate: a valley with its bottom, 0, at the rate 3. "
        f"At the rate {start:.6g} a dashed line has the slope {gradient_at(start):.6g}. "
        f"A dot for each rate of the run, {many} in all: {', '.join(told)}{last}."
    )
    if away:
        said += f" Dots that are too far away to be shown: {away}."
    return said.replace("-", "−")
