"""Exercises of notebook 10 whose answer is a list: six readings, and what five lines mean."""

from __future__ import annotations

import math
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.values import is_open

from . import nb10_runs as runs


class Unfit(ValueError):
    """What is no attempt that could be judged: it is told so, and does not count as a try."""

    def __init__(self, as_told: str) -> None:
        super().__init__(as_told)
        self.as_told = as_told


# --------------------------------------------------------------------------- two programs


def amplify(a: Any) -> Any:
    y = a
    while -1000 < y < 1000:
        y = y * 2
    return y / 10 if y < 0 else y


def judge_two(attempt: Any) -> str | None:
    """Calls a compiled ``amplify``, that of the lesson, with six readings; counts its programs."""
    if not isinstance(attempt, (list, tuple)):
        raise Unfit("a list of six numbers is wanted.")
    if any(is_open(one) for one in attempt):
        return None
    if any(isinstance(one, bool) or not isinstance(one, (int, float)) for one in attempt):
        raise Unfit("each of the six has to be a number.")
    if not all(math.isfinite(one) for one in attempt):
        raise Unfit("nan and inf are no readings.")
    if len(attempt) != 6:
        raise Unfit(f"there are {len(attempt)} readings in the list, and six are wanted.")
    if len(set(attempt)) < 6:
        raise Unfit("two of them are equal. Six different readings are wanted.")
    if any(abs(one) < 1e-6 for one in attempt):
        return "0 never becomes loud, however often it is doubled, and the tiniest take too long."
    compiled = torch.compile(amplify)
    for one in attempt:
        compiled(runs.double(float(one)))
    count = len(compiled.programs)
    ways = [path(float(one)) for one in attempt]
    if count == 1 and len(set(ways)) == 2:
        return (
            "in this order they leave 1 program. There are two kinds of readings among them, but "
            "the only one of its kind comes first, and the first call is never noted."
        )
    if count != 2:
        word = "program" if count == 1 else "programs"
        each = ", ".join(str(doubled) for doubled, _ in ways)
        return f"in this order they leave {count} {word}. The numbers of doublings: {each}."
    doublings = list(dict.fromkeys(doubled for doubled, _ in ways[1:]))
    if len(doublings) > 1:
        return (
            f"one of the two programs doubles {doublings[0]} times, and the other "
            f"{doublings[1]} times. They should double equally often."
        )
    return ""


def path(reading: float) -> tuple[int, int]:
    """How many doublings of a reading there are, and how many divisions."""
    operations = [line.operation for line in runs.notes(amplify, a=reading)]
    return operations.count("mul"), operations.count("div")


two = lesson.Exercise(
    "two programs",
    judge=judge_two,
    hint="What else than the number of doublings decides which operations run? Readings between "
    "250 and 500 are doubled twice.",
    because="Readings of equal size and opposite sign are doubled equally often, and only the "
    "negative one is divided: 300, 350, 400, −300, −350 and −400, for example.",
)

# ------------------------------------------------------------------------------ five lines

MEANINGS = (
    "the local slope of the square",
    "the gradient of w2",
    "what arrives at each example, from the mean",
    "the local slope of tanh",
    "what arrives at the result of tanh",
)
BEGINNINGS = {"A": "v13 =", "B": "v14 =", "C": "v17 =", "D": "v19 =", "E": "v21 ="}
ANSWERS = {"A": 3, "B": 1, "C": 5, "D": 2, "E": 4}
ABOUT = {
    "A": "A: one number becomes 64 of them. Which operation made one number of 64?",
    "B": "B: v7 is the error of each example. What is done with it on the way forward?",
    "C": "C: the matrix w2 stands in this product, transposed. In which product did it stand on "
    "the way forward, and what was beside it?",
    "D": "D: which shape has the product? v18 has 8 rows, v15 has one column.",
    "E": "E: v20 is the square of v3, and v3 is the result of which operation?",
}


def show_lines() -> None:
    """Five lines of the program, and what they may be."""
    print("Five lines of the program with torch.tanh, as the lesson has it:")
    lines = [line.strip().partition(";")[0] for line in runs.small_program().splitlines()]
    for letter, beginning in BEGINNINGS.items():
        line = next(one for one in lines if one.startswith(beginning))
        print(letter, "  ", line.partition("#")[0].strip())
    print()
    for number, meaning in enumerate(MEANINGS, 1):
        print(number, "  ", meaning)


def judge_lines(attempt: Any) -> str | None:
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(ANSWERS):
        raise Unfit("a list of five numbers is wanted, for A to E.")
    if any(is_open(one) for one in attempt):
        return None
    for letter, said in zip(ANSWERS, attempt):
        if isinstance(said, bool) or said not in range(1, 6):
            raise Unfit(f"{letter}: {said!r} is none of the numbers 1 to 5.")
    if len(set(attempt)) < len(ANSWERS):
        raise Unfit("each of the five is wanted once.")
    wrong = [letter for letter, said in zip(ANSWERS, attempt) if said != ANSWERS[letter]]
    return "\n".join(ABOUT[letter] for letter in wrong[:2])


lines = lesson.Exercise(
    "five lines",
    answer=list(ANSWERS.values()),
    judge=judge_lines,
    hint="Begin with the shapes. Then look at which lines of the forward pass a name comes from.",
    because="A 3: the mean sends the same share to each example. B 1: the slope of the square is "
    "twice its input. C 5: what arrives behind the second product, times w2 transposed. D 2: the "
    "hidden values transposed, times the same. E 4: one minus the square of the result.",
)
