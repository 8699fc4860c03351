"""HW0: five gradients by hand, each with numbers that come of the student's name.

Students get this file as it is: whoever can read it can do the homework without it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from typing import Any

from minigrad import lesson
from minigrad.homework.assignment import same_person

Numbers = Mapping[str, float]
RANGE = tuple(number for number in range(-9, 10) if abs(number) > 2)


def numbers(student: str, question: str) -> dict[str, int]:
    """The numbers a, b and c of this question for this student: such that mistakes show."""
    for turn in range(1000):
        text = f"hw0/{question}/{same_person(student)}/{turn}"
        digest = hashlib.sha256(text.encode()).digest()
        drawn = {name: RANGE[byte % len(RANGE)] for name, byte in zip("abc", digest)}
        right, mistakes = QUESTIONS[question](drawn)
        found = [right, *mistakes]
        far = all(abs(one - other) > 0.01 for i, one in enumerate(found) for other in found[:i])
        if far and len(mistakes) == COUNTS[question]:
            return drawn
    raise AssertionError("no numbers tell these mistakes apart")


def product(n: Numbers) -> tuple[float, dict[float, str]]:
    """y = a * b + c, for a."""
    return n["b"], {
        n["a"]: "that is the value of a itself. How much does y grow when a grows by 1?",
        1.0: "a is multiplied by something before it reaches y.",
        n["b"] + n["c"]: "c is added, and stays as it is when a moves.",
        n["a"] * n["b"]
        + n["c"]: "that is the value of y. The question is how fast y moves with a.",
    }


def two_paths(n: Numbers) -> tuple[float, dict[float, str]]:
    """c = a + b, d = b + 1, e = c * d, for b."""
    through_c = n["b"] + 1
    through_d = n["a"] + n["b"]
    return through_c + through_d, {
        through_c: "that is only the path through c. b reaches e on another one, too.",
        through_d: "that is only the path through d. b reaches e on another one, too.",
        through_c * through_d: "where two paths meet, what arrives is added, not multiplied.",
        (through_c + through_d) / 2: "where two paths meet, what arrives is added: no average.",
    }


def chain(n: Numbers) -> tuple[float, dict[float, str]]:
    """d = a * b - c, y = d ** 2, for a."""
    d = n["a"] * n["b"] - n["c"]
    return 2 * d * n["b"], {
        2 * d: "that is the slope for d. Between a and d there is another factor.",
        d * n["b"]: "the slope of d ** 2 is not d.",
        2 * n["b"]: "the slope of a square depends on where you are: on the value of d.",
        d**2 * n["b"]: "that has the value of y in it, where the slope of d ** 2 belongs.",
    }


def again(n: Numbers) -> tuple[float, dict[float, str]]:
    """y = a * a * b + a, for a."""
    both = 2 * n["a"] * n["b"]
    return both + 1, {
        both: "a reaches y once more: by itself, at the end.",
        n["a"] * n["b"] + 1: "a stands in a * a twice, and each of them is a path.",
        n["a"] ** 2 + 1: "that takes b for what moves. Here a moves.",
        2 * n["a"] + 1: "the product a * a is multiplied by something before it reaches y.",
    }


def step(n: Numbers) -> tuple[float, dict[float, str]]:
    """loss = (a * b - c) ** 2, and one step of gradient descent for a, with rate 0.01."""
    slope, _ = chain(n)
    d = n["a"] * n["b"] - n["c"]
    return n["a"] - 0.01 * slope, {
        n["a"] + 0.01 * slope: "that goes up the slope. The loss is to become smaller.",
        n["a"] - slope: "the rate is missing: only a hundredth of the gradient is taken away.",
        n["a"]
        - 0.01 * 2 * d: "in this gradient the factor between a and the difference is missing.",
        0.01 * slope: "that is how far a moves. The question is where it is then.",
        slope: "that is the gradient. The question is where a is after the step.",
    }


Question = Callable[[Numbers], tuple[float, dict[float, str]]]
QUESTIONS: dict[str, Question] = {
    "product": product,
    "two_paths": two_paths,
    "chain": chain,
    "again": again,
    "step": step,
}
COUNTS = {"product": 4, "two_paths": 4, "chain": 4, "again": 4, "step": 5}


def judge_of(right: float, mistakes: Mapping[float, str]) -> Callable[[Any], str]:
    """A judge of one number, which says which mistake leads to it."""

    def judge(attempt: Any) -> str:
        try:
            mine = float(attempt)
        except (TypeError, ValueError):
            return "one number is wanted."

        def is_it(other: float) -> bool:
            return math.isclose(mine, other, rel_tol=1e-3, abs_tol=1e-6)

        if is_it(right):
            return ""
        known = [text for wrong, text in mistakes.items() if is_it(wrong)]
        if known:
            return known[0]
        if right and is_it(-right):
            return f"it is {mine:g}: the sign is wrong."
        return f"it is {mine:g}, which is not right. Write down each local slope, from the end."

    return judge


def exercises(student: str) -> list[lesson.Exercise]:
    """The five exercises with this student's numbers."""
    made = []
    for name, question in QUESTIONS.items():
        right, mistakes = question(numbers(student, name))
        made.append(lesson.Exercise(name, judge=judge_of(right, mistakes), points=2, seconds=5))
    return made
