"""The exercises of notebook 00."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.checking import is_stub

from .graphs import drawing
from .pictures import Picture

# -------------------------------------------------------------- local slopes, without a picture

LOCAL = [2.0, 1.0, 1.0, 6.0]

VALUES = "these are the values. Ask how far each result moves when its input moves."
SHIFTS = (
    "these are the numbers in the program. The + 5 shifts, but by how much does it stretch a "
    "movement?"
)
SIGNED = (
    "these are the numbers in the program, with their signs. A number that is added stretches no "
    "movement."
)
FORWARDS = "these are products already. Each local slope is about one operation alone."
BACKWARDS = (
    "these are products already, from the loss backwards. Each local slope is about one operation "
    "alone."
)
STOPS = "a local slope of 0 would stop every movement, but what goes into + 5 moves what comes out."

SLIPS: list[tuple[list[float], str]] = [
    ([8, 13, 3, 9], lesson.broke("local", VALUES)),
    ([2, 5, 10, 2], lesson.broke("local", SHIFTS)),
    ([2, 5, -10, 2], lesson.broke("local", SIGNED)),
    ([2, 2, 2, 12], FORWARDS),
    ([12, 6, 6, 6], BACKWARDS),
    ([2, 0, 0, 6], lesson.broke("local", STOPS)),
]

EACH: list[dict[float, str]] = [
    {
        4: "the first one is the rate. Nudge that by 0.01: how far does the ride move?",
        8: "the first one is the ride itself, and not how fast it moves.",
    },
    {5: "+ 5 shifts what goes in. Nudge that by 0.01: how far does the result move?"},
    {
        -1: "when the fare rises, does fare - 10 fall?",
        -10: "- 10 shifts what goes in. Nudge that by 0.01: how far does the result move?",
    },
    {
        3: "the last one is the error alone. The slope of a square is larger.",
        9: "the last one is the loss, and not how fast it moves when the error does.",
        2: "the last one is only the exponent. The slope of a square depends on where one stands.",
        -6: "the error is above 0 here. Does its square fall there when it rises?",
    },
]

PLACES = ["the first", "the second", "the third", "the last"]


def judge_slopes(attempt: Any) -> str:
    """Says what is wrong with four local slopes and their product, the slopes first.

    Numbers that were measured with a nudge are right too: they may be off by a hundredth.
    """
    slopes, gradient = attempt
    if not isinstance(slopes, (list, tuple)) or len(slopes) != len(LOCAL):
        return "there are four operations, so mine is a list of four local slopes."
    try:
        slopes, gradient = [float(one) for one in slopes], float(gradient)
    except (TypeError, ValueError):
        return "five numbers are wanted: four local slopes, and the gradient."
    for slip, why in SLIPS:
        if slopes == slip:
            return why
    for place, mine, right, known in zip(PLACES, slopes, LOCAL, EACH, strict=True):
        if not near(mine, right):
            unknown = f"{place} local slope is not {mine:g}. Nudge what goes in, by 0.01."
            return lesson.broke("local", known.get(mine, unknown))
    return judge_product(slopes, gradient)


def judge_product(slopes: list[float], gradient: float) -> str:
    right = math.prod(LOCAL)
    if near(gradient, right):
        return ""
    if near(gradient, sum(LOCAL)):
        return lesson.broke("multiply", "the slopes are right, but you added them.")
    if near(gradient, slopes[-1]):
        return lesson.broke(
            "multiply", "the slopes are right, but the gradient you give is the last one alone."
        )
    if near(gradient, -right):
        return "the slopes are right. Why should the gradient be below 0, if none of them is?"
    return lesson.broke(
        "multiply", f"the slopes are right, but {gradient:g} is not the gradient that they make."
    )


def near(mine: float, right: float) -> bool:
    return math.isclose(mine, right, rel_tol=0.01)


slopes = lesson.Exercise(
    "slopes",
    judge=judge_slopes,
    hint="Take one operation at a time. Let what goes in move by 0.01, and work out how far what "
    "comes out moves. How many times as far is that?",
    because="The local slopes are 2, 1, 1 and 6 (twice the error), and the gradient is their "
    "product, 12.",
)

# ---------------------------------------------------------------------- a step of their own


def loss_at(rate: float) -> float:
    return (rate * 3 + 4 - 13) ** 2


def gradient_at(rate: float) -> float:
    return 2 * (rate * 3 + 4 - 13) * 3


STARTS = [2.0, 5.0, 2.9, 3.5]


def judge_improve(attempt: Callable[[float, float], Any]) -> str | None:
    """A step is right if it makes the loss smaller, wherever it starts."""
    if not callable(attempt):
        return "a function is wanted."
    moves = []
    for rate in STARTS:
        new = attempt(rate, gradient_at(rate))
        if new is ... or is_stub(attempt, new):
            return None
        if new is None:
            return "it returns nothing: end with return, and the new rate."
        try:
            moves.append(float(new) - rate)
        except (TypeError, ValueError):
            return f"it returns a {type(new).__name__}, and a number is wanted: the new rate."
    return judge_moves(moves) or judge_elsewhere(attempt)


def judge_moves(moves: list[float]) -> str:
    if all(move == 0 for move in moves):
        return "the rate that it returns is the one that it got."
    steps = [rate + move for rate, move in zip(STARTS, moves, strict=True)]
    if is_part_of_gradient(steps):
        return "it returns the step alone. The new rate is where one is after the step."
    for rate, move in zip(STARTS, moves, strict=True):
        now, then = loss_at(rate), loss_at(rate + move)
        if then < now:
            continue
        if move == 0:
            return f"it does not move the rate {rate:g}, where the loss is {now:.4g}."
        came = f"at the rate {rate:g}, with your step the loss grows from {now:.4g} to {then:.4g}"
        if move * gradient_at(rate) > 0:
            return f"{came}: the step goes the wrong way."
        return f"{came}: the direction is right, but the step is too long."
    return ""


def judge_elsewhere(attempt: Callable[[float, float], Any]) -> str:
    """The step has to use the gradient: another taxi has another right rate."""
    for rate in STARTS:
        error = rate * 2 + 5 - 10
        new = float(attempt(rate, 2 * error * 2))
        if (new * 2 + 5 - 10) ** 2 >= error**2:
            return (
                "it works for the first taxi alone. For another one, which has another right rate, "
                f"it goes from {rate:g} to {new:.4g}, and the loss does not fall. Does your step "
                "use the gradient?"
            )
    return ""


def is_part_of_gradient(steps: list[float]) -> bool:
    """Is each the same multiple of the gradient, so that the rate itself is forgotten?"""
    parts = [step / gradient_at(rate) for rate, step in zip(STARTS, steps, strict=True)]
    return all(math.isclose(part, parts[0], rel_tol=1e-6) for part in parts)


improve = lesson.Exercise(
    "improve",
    judge=judge_improve,
    hint="Look at the line in the loop of section 2 that changes the rate. Which sign does it "
    "have, and which part of the gradient does it take?",
    because="For example: return rate - 0.02 * gradient. It goes against the gradient, and takes "
    "a small part of it.",
)

# ------------------------------------------------------------------------- a graph to be read


def another_taxi() -> dict[str, tuple[str, Any]]:
    """A taxi of which the rate and the base are both guessed; with the sign of each operation."""
    rate = torch.tensor(4.0, requires_grad=True)
    base = torch.tensor(5.0, requires_grad=True)
    ride = rate * 3
    fare = ride + base
    error = fare - 13
    loss = error**2
    return {
        "rate": ("", rate),
        "ride": ("× 3", ride),
        "base": ("", base),
        "fare": ("+", fare),
        "error": ("− 13", error),
        "loss": ("x²", loss),
    }


def to_read() -> Picture:
    """The graph that is to be read, drawn from the real one."""
    named = another_taxi()
    _, loss = named["loss"]
    return drawing(loss, named)


READ_LEAVES, READ_NODES, READ_VALUE, READ_GRAD = {"rate", "base"}, 4, 17, 8
NODE_SLIPS = {
    6: "the nodes: you counted the round ones too. Did an operation make them?",
    5: "the nodes: that many arrows there are, or one round one was counted with them.",
    2: "the nodes: those are the round ones. A node is an operation that ran.",
    3: "the nodes: one is missing. Each box stands for an operation, up to the last one.",
    8: "the nodes: plain numbers such as 3 and 13 are no operations.",
}
VALUE_SLIPS = {
    12: "the value of fare: that is the value of ride. Which box has the name fare?",
    5: "the value of fare: that is what base has. Which box has the name fare?",
    4: "the value of fare: you looked one box too far to the right, or at the rate.",
    13: "the value of fare: that is the number which the next box subtracts.",
    8: "the value of fare: a value is what came out of the operation. It stands in the box.",
}
GRAD_SLIPS = {
    17: "the grad of fare: that is its value. How fast does the loss move when it moves?",
    24: lesson.broke(
        "multiply",
        "the grad of fare: you multiplied with a local slope that lies before the fare.",
    ),
    1: lesson.broke(
        "multiply", "the grad of fare: that is the next local slope alone. Go on, up to the loss."
    ),
    4: "the grad of fare: that is the error. The local slope of its square is not the error.",
    2: "the grad of fare: the exponent alone is not the slope of a square.",
    16: "the grad of fare: that is the loss, and not how fast it moves.",
    -8: "the grad of fare: check the sign. Does the square fall here when the error rises?",
    -6: "the grad of fare: that is its number in the first graph. Here the error is another one.",
    3: lesson.broke("multiply", "the grad of fare: × 3 lies before the fare, and not behind it."),
}


def judge_read(attempt: Any) -> str:
    """Says the first thing that was misread: leaves, nodes, the value and the grad of fare."""
    leaves, *counted = attempt
    return judge_leaves(leaves) or judge_numbers(*counted)


def judge_leaves(leaves: Any) -> str:
    if isinstance(leaves, str) or not isinstance(leaves, (list, tuple, set)):
        return 'the leaves: a list of names is wanted, such as ["fare", "loss"].'
    mine = {str(one) for one in leaves}
    if mine - set(another_taxi()):
        return "the leaves: use the names that stand in the picture."
    if mine - READ_LEAVES:
        return "the leaves: one that you list was made by an operation. Look at its shape."
    if mine != READ_LEAVES:
        return "the leaves: there is more than one place where this graph begins."
    return ""


def judge_numbers(*counted: Any) -> str:
    try:
        made, value, grad = (float(one) for one in counted)
    except (TypeError, ValueError):
        return "nodes, value and grad are a number each."
    if made != READ_NODES:
        unknown = f"the nodes are not {made:g}. Count the boxes that are not round."
        return NODE_SLIPS.get(int(made), unknown)
    if value != READ_VALUE:
        return VALUE_SLIPS.get(
            int(value), f"the value of fare is not {value:g}. Look into its box."
        )
    if not near(grad, READ_GRAD):
        unknown = f"the grad of fare is not {grad:g}. Which operations lie behind it?"
        return GRAD_SLIPS.get(int(grad), unknown)
    return ""


read = lesson.Exercise(
    "read",
    judge=judge_read,
    hint="Leaves are round, nodes are boxes. For the grad of fare, go from the fare to the loss, "
    "and multiply the local slopes of the operations on this way alone.",
    because="The leaves are rate and base; four operations ran, so there are four nodes; the value "
    "of fare is 17. From fare to loss the local slopes are 1 and 8 (twice the error), so its grad "
    "is 8.",
)
