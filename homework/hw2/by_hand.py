"""Items 1 and 2 of HW2: numbers of one's own, what is right, and which mistakes lead where.

Students get this file as it is: whoever can read it can do these two items without it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import given

Numbers = Mapping[str, float]


def numbers(student: str, item: str) -> dict[str, float]:
    """The numbers of this item for this student: such that mistakes show."""
    random = given.drawing(student, item)
    while True:
        drawn = {
            name: float(random.choice([one for one in range(-6, 7) if abs(one) > 1]))
            for name in "abct"
        }
        if item == "rounds":
            drawn = {
                "a": float(random.choice([1.5, 2.0, 2.5, 3.0])),
                "x": float(random.integers(2, 8)),
                "limit": float(random.integers(20, 120)),
            }
            parts = [rounds(drawn)]
        else:
            parts = branch(drawn)
        if all(apart([right, *wrong]) for right, wrong in parts):
            return drawn


def apart(found: Sequence[float]) -> bool:
    return all(abs(one - other) > 0.02 for i, one in enumerate(found) for other in found[:i])


def rounds(n: Numbers) -> tuple[float, dict[float, str]]:
    """y = x; while y < limit: y = a * y + x. The gradient of y for x."""
    a, y, count = n["a"], n["x"], 0
    while y < n["limit"]:
        y = a * y + n["x"]
        count += 1
    powers = [a**i for i in range(count + 2)]
    right = sum(powers[:-1])
    return right, {
        powers[count]: "that is only the way of the first x. The loop takes x anew in each round.",
        1.0: "that is only the way of the last x. What was added before is multiplied afterwards.",
        right - powers[count]: "that is a round too few: count how often the loop's body is run.",
        right + powers[-1]: "that is a round too many: count how often the loop's body is run.",
        a: "that is the slope of one round for y, and there are several.",
        a + 1: "that is right for one round, and there are several.",
        count * a + 1: "from round to round slopes are multiplied, not added.",
        count + 1.0: "x is used so often. But what was added early is multiplied afterwards.",
        y: "that is the value of y. The question is how fast it moves with x.",
    }


def branch(n: Numbers) -> list[tuple[float, dict[float, str]]]:
    """y = a * x + c if x > t else b * x. At t: gradient, jump, and central difference, h = 0.1."""
    a, b, c, t = (n[name] for name in "abct")
    above = a * t + c
    at = b * t
    jump = above - at
    difference = (a * (t + 0.1) + c - b * (t - 0.1)) / 0.2
    return [
        (
            b,
            {
                a: "which branch is run when x is exactly t?",
                (a + b) / 2: "backward() knows the branch that was run, and no other: no average.",
                0.0: "the branch that was run has a slope.",
                difference: "that is the difference quotient. backward() makes none.",
            },
        ),
        (
            jump,
            {
                -jump: "that is the fall from right to left.",
                0.0: "compare the two branches at t itself: they do not meet.",
                a - b: "that is by how much the slopes differ. The question is about y.",
                above: "that is where the upper branch begins. How far is it from y at t?",
            },
        ),
        (
            difference,
            {
                b: "one of the two points lies in the other branch.",
                a: "one of the two points lies in the other branch.",
                (a + b) / 2: "that leaves out the jump, which lies between the two points.",
                difference * 0.2: "that is the difference itself. Divide it by the distance of the "
                "points.",
                difference * 2: "the two points are 2 h apart, not h.",
            },
        ),
    ]


ORDER = ("the gradient", "the jump", "the difference quotient")


def judge_numbers(attempt: Any, parts: Sequence[tuple[float, dict[float, str]]]) -> str:
    """A judge of one or several numbers, which says which mistake leads to them."""
    several = len(parts) > 1
    if several and (not isinstance(attempt, (tuple, list)) or len(attempt) != len(parts)):
        return f"{len(parts)} numbers are wanted, in brackets: {', '.join(ORDER)}."
    for place, (right, mistakes) in enumerate(parts):
        which = f"{ORDER[place]}: " if several else ""
        try:
            mine = float(attempt[place] if several else attempt)
        except (TypeError, ValueError):
            return f"{which}a number is wanted."
        if is_near(mine, right):
            continue
        known = [text for wrong, text in mistakes.items() if is_near(mine, wrong)]
        return which + (known[0] if known else f"it is {mine:g}, which is not right.")
    return ""


def is_near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-3, abs_tol=1e-6)
