"""Notebook 03's last exercise: a jump of the learner's own, and what backward() sees of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.attempt import tried

NEAR = 1e-6
LONGEST = 3.0  # seconds
CUT = "Does float(x) or x.item() take the number out of the graph?"


class Side(NamedTuple):
    """What a function does at one point: its value, and its slope in two ways."""

    value: float
    slope: float  # by backward(); 0 if no path leads to the input
    nudged: float


def plain(result: Any) -> float:
    return float(result.item() if isinstance(result, torch.Tensor) else result)


def value_at(program: Callable[[Any], Any], x: float) -> float:
    return plain(program(torch.tensor(x, dtype=torch.float64)))


def side(program: Callable[[Any], Any], x: float) -> Side | None:
    """The function at ``x``; None if it is not written yet."""
    leaf = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    result = program(leaf)
    if result is ... or result is None:
        return None
    if isinstance(result, torch.Tensor) and result.grad_fn is not None:
        result.backward()
    step = NEAR / 100
    rise = value_at(program, x + step) - value_at(program, x - step)
    slope = 0.0 if leaf.grad is None else leaf.grad.item()
    return Side(plain(result), slope, rise / (2 * step))


def jumped(program: Callable[[Any], Any], place: float) -> bool:
    """Is the difference still there from ten times nearer? At a mere slope it is a tenth."""
    near, far = (
        abs(value_at(program, place + h) - value_at(program, place - h)) for h in (NEAR, 10 * NEAR)
    )
    return near > 0.5 * far and near > 1e-9 * (1 + abs(value_at(program, place - NEAR)))


def judge_own_jump(attempt: Any) -> str | None:
    """A function of the learner's, and the place where it is said to jump."""
    if not isinstance(attempt, tuple) or len(attempt) != 2 or not callable(attempt[0]):
        return "a function and a number are wanted: check(nb03.own_jump, (program, jumps_at))."
    program, place = attempt
    if place is ... or place is None:
        return None
    if isinstance(place, bool) or not isinstance(place, (int, float)):
        return "jumps_at has to be a number."
    before, after = side(program, place - NEAR), side(program, place + NEAR)
    if before is None or after is None:
        return None
    if not jumped(program, place):
        if abs(before.nudged - after.nudged) > 1e-3 * (1 + abs(before.nudged)):
            return f"at {place:g} there is a kink: the slope changes, but the value does not jump."
        return (
            f"at {place:g} nothing jumps: {before.value:.6g} just before, and {after.value:.6g} "
            "just after."
        )
    for where, point in (("before", before), ("after", after)):
        if abs(point.slope - point.nudged) > 0.01 * (1 + abs(point.nudged)):
            return (
                f"it jumps, but just {where} {place:g} backward() says {point.slope:.4g}, and "
                f"nudging on that side alone {point.nudged:.4g}. {CUT}"
            )
    return ""


def tell_jump(program: Any, place: Any) -> None:
    """The value and the slope on both sides of a jump, if there is one."""
    found: list[Side | None] = []

    def called() -> None:
        if judge_own_jump((program, place)) == "":
            found.extend(side(program, x) for x in (place - NEAR, place + NEAR))

    tried(called, LONGEST)
    if len(found) < 2 or None in found:
        print("Your own numbers stand here once the check above has found your jump.")
        return
    for where, point in zip(("before", "after "), found):
        print(
            f"just {where} {place:g}: the value is {point.value:.6g}, backward() says "
            f"{point.slope:.6g}, and nudging on this side {point.nudged:.5g}"
        )
    print(f"Between them the value moves by {found[1].value - found[0].value:.6g}.")
    print("backward() knows nothing of that, and neither does a nudge that stays on one side.")


own_jump = lesson.Exercise(
    "own jump",
    judge=judge_own_jump,
    hint="A value jumps where a condition changes its answer, and both ways give other numbers.",
    because="For example: x * x if x > 1 else -x, which jumps at 1, from -1 to 1.",
)
