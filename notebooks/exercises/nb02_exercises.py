"""The exercises of notebook 02."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from typing import Any

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import engines
from minigrad.lesson.attempt import tried

from .graphs import nodes
from .nb02_paths import named

# ------------------------------------------------------------------------- a number by hand


def by_hand(
    name: str,
    right: float,
    mistakes: Mapping[float, str],
    otherwise: Callable[[float], str],
    tolerance: float = 1e-4,
    **help: str,
) -> lesson.Exercise:
    """The exercise to find one number. ``otherwise`` speaks of one that is no known mistake."""

    def judge(attempt: Any) -> str:
        if isinstance(attempt, str):
            return "it is a text, and a number is wanted."
        try:
            mine = float(attempt)
        except (TypeError, ValueError, RuntimeError):
            return "one number is wanted."

        def is_it(other: float) -> bool:
            return math.isclose(mine, other, rel_tol=tolerance, abs_tol=1e-6)

        if is_it(right):
            return ""
        said = next((said for wrong, said in mistakes.items() if is_it(wrong)), "")
        return said or otherwise(mine)

    return lesson.Exercise(name, answer=right, judge=judge, mistakes=mistakes, **help)


# --------------------------------------------------------------------------- a slope by nudging


class Curve:
    """A function with a name, for messages."""

    def __init__(self, name: str, rule: Any) -> None:
        self.name, self.rule = name, rule

    def __call__(self, x: float) -> float:
        return float(self.rule(x))

    def __str__(self) -> str:
        return self.name


slope = lesson.Exercise(
    "slope",
    answer=lambda f, x, h: (f(x + h) - f(x - h)) / (2 * h),
    cases=[
        (Curve("x³", lambda x: x**3), 2.0, 0.1),
        (Curve("x² + x", lambda x: x * x + x), 3.0, 0.25),
        (Curve("5x", lambda x: 5 * x), -1.0, 0.2),
    ],
    mistakes={
        lambda f, x, h: (f(x + h) - f(x)) / h: "that nudges in one direction only, and is as "
        "inexact as the first nudges of this lesson.",
        lambda f, x, h: (f(x) - f(x - h)) / h: "that nudges downwards only, and is as inexact "
        "as the first nudges of this lesson.",
        lambda f, x, h: (f(x + h) - f(x - h)) / h: "exactly twice too large: how far apart are "
        "the two places at which you call f?",
        lambda f, x, h: (f(x + h) - f(x - h)) / 2 * h: "Python reads … / 2 * h as (… / 2) * h, "
        "from left to right.",
        lambda f, x, h: f(x + h) - f(x - h): "that is how far the result moves, but not how many "
        "times as far as x.",
        lambda f, x, h: (
            (f(x - h) - f(x + h)) / (2 * h)
        ): "the sign is wrong: where f rises, its slope is above 0.",
        lambda f, x, h: (
            (f(x + h) + f(x - h)) / (2 * h)
        ): "that adds the two values. How far did the result move?",
        lambda f, x, h: (f(x + h) - f(x)) / (2 * h): "the result has moved for one nudge, and you "
        "divide by two.",
    },
    hint="From f(x - h) to f(x + h): how far is that, and how far did x go meanwhile?",
    because="(f(x + h) - f(x - h)) / (2 * h): the movement of the result, for each step of x.",
)

# ---------------------------------------------------------------------- local slopes of the taxi

LOCAL = [3, 1, 1, -12]

SLIPS = {
    (3, 4, -13, 2): lesson.broke(
        "local",
        "You gave the numbers that stand in the program. How far does the fare move when the "
        "ride moves by 0.01?",
    ),
    (3, 4, 13, 2): lesson.broke(
        "local",
        "You gave the numbers that stand in the program. Does adding a number make a "
        "movement larger?",
    ),
    (3, 4, -13, -12): lesson.broke(
        "local",
        "4 and −13 are what is added. How far does the fare move when the ride moves by 0.01?",
    ),
    (3, 4, 13, -12): lesson.broke(
        "local",
        "4 and 13 are what is added or taken away. How far does the fare move when the ride "
        "moves by 0.01?",
    ),
    (3, 7, -6, 36): lesson.broke(
        "local", "These are the values. Ask how far each result moves when its input moves."
    ),
    (3, 1, 1, -6): lesson.broke(
        "local", "The last one is the error itself, or belongs to rate 2. The error is −6 here."
    ),
    (3, 0, 0, -12): lesson.broke(
        "local", "A constant has the derivative 0, but ride and fare are none: they move."
    ),
    (3, 1, -1, -12): lesson.broke(
        "local", "The fare stands before the minus. When it grows, does the error shrink?"
    ),
    (3, 1, 1, 12): lesson.broke("local", "The error is −6: look at the sign of the last one."),
    (3, 1, 1, 2): lesson.broke(
        "local", "The last one depends on the error. What is the derivative of a square?"
    ),
    (3, 1, 1, 36): lesson.broke("local", "The last one is the loss, not how fast it moves."),
    (3, 3, 3, -36): lesson.broke(
        "local",
        "You multiplied on the way. A local slope is that of one operation, by its own input.",
    ),
}

EACH: list[dict[float, str]] = [
    {},
    {
        4: "+ 4 shifts what goes in. Nudge that by 0.01: how far does the fare move?",
        7: "the second one is the fare itself. How far does it move when the ride moves?",
        0: "a local slope of 0 would stop every movement. Does the fare stand still?",
    },
    {
        -13: "- 13 shifts what goes in. Nudge that by 0.01: how far does the error move?",
        13: "- 13 shifts what goes in. Nudge that by 0.01: how far does the error move?",
        -1: "when the fare grows, does fare - 13 shrink?",
        0: "a local slope of 0 would stop every movement. Does the error stand still?",
    },
    {
        -6: "the last one is the error itself. What is the derivative of a square?",
        12: "the error is −6: look at the sign of the last one.",
        2: "the last one is only the exponent. What is the derivative of a square?",
        36: "the last one is the loss, not how fast it moves.",
    },
]
PLACES = ["first", "second", "third", "last"]


def judge_local(attempt: Any) -> str | None:
    """Says of four local slopes which one is wrong, and what it is instead."""
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(LOCAL):
        return "mine is a list of four numbers."
    try:
        mine = tuple(float(one) for one in attempt)
    except (TypeError, ValueError):
        return "four numbers are wanted."
    if mine in SLIPS:
        return SLIPS[mine]
    for place, one, right, known in zip(PLACES, mine, LOCAL, EACH, strict=True):
        if not math.isclose(one, right, rel_tol=0.01):
            unknown = f"the {place} one is not {one:g}. Nudge what goes in, by 0.01."
            return lesson.broke("local", known.get(one, unknown))
    return ""


local_slopes = lesson.Exercise(
    "local slopes",
    answer=LOCAL,
    judge=judge_local,
    mistakes=SLIPS,
    hint="Move the input of each operation up by 0.01 and compute its result. The derivative of "
    "error ** 2 is 2 · error.",
    because="Adding or taking away a constant passes a nudge on as it is, so 1 and 1. The square "
    "has the slope 2 · error = 2 · (−6).",
)

# --------------------------------------------------------------------------- a.grad becomes 10

ten = by_hand(
    "ten",
    9.0,
    {
        10.0: "then a.grad would be 11. Is it b itself that arrives at a?",
        11.0: "then a.grad would be 12, and that is farther away.",
        8.0: "that makes c equal to 10. Which value of the program arrives at a?",
        3.5: "that makes b.grad equal to 10. The question is about a.",
        6.0: "that is b as it was: a.grad is 7.",
        -9.0: "then a.grad would be −8: look at the sign.",
    },
    otherwise=lambda mine: f"with this b, a.grad would be {mine + 1:g}. Nudge a to see it.",
    hint="One path leads from a to e, through two operations. Which of their local slopes depends "
    "on b, and how?",
    because="a.grad is 1 · d, and d = b + 1 is 10 when b is 9.",
)

# ------------------------------------------------------------------- six lines in a legal order

LINES = {
    "K": "b_grad = b_grad + d_grad",
    "L": "c_grad = e_grad * d",
    "M": "a_grad = c_grad",
    "N": "e_grad = 1.0",
    "O": "b_grad = c_grad",
    "P": "d_grad = e_grad * c",
}
NEEDS = {"N": "", "L": "N", "P": "N", "M": "L", "O": "L", "K": "OP"}
NAMES = {"e_grad": "N", "c_grad": "L", "d_grad": "P", "b_grad": "O"}


def judge_order(attempt: Any) -> str:
    if isinstance(attempt, str):
        attempt = list(attempt.replace(" ", "").replace(",", ""))
    message = lesson.in_order(NEEDS)(attempt)
    if "which it needs" not in message:
        return message
    late, early = message.split()[0], message.split()[3].rstrip(",")
    (name,) = (n for n, letter in NAMES.items() if letter == early)
    if (late, early) == ("K", "O"):
        return "K adds to b_grad before O has set it, and O would then overwrite what K added."
    return f"{late} uses {name}, but {early}, which makes it, comes later."


order = lesson.Exercise(
    "order",
    judge=judge_order,
    answer="NLPOMK",
    hint="Begin with the line that needs nothing. Then each line may come as soon as all that it "
    "reads has been set.",
    because="First e, then c and d; and b only after both of them.",
)

# --------------------------------------------------------------- two graphs with own numbers

PROGRAMS = (
    ("p = x * y", "q = p {s} {k}", "loss = p * q"),
    ("p = x * y", "q = p * {k}", "r = q {s} p", "loss = r * q"),
)


class Puzzle:
    """A small program with numbers, and the exercise to find the gradient of x by hand."""

    def __init__(self, number: int, lines: list[str], x: int, y: int) -> None:
        self.lines, self.x, self.y = lines, x, y
        leaf, names = self.run()
        loss = names["loss"]
        (right,) = engines.gradients(loss, leaf)
        found = engines.mistakes(loss, leaf)
        value = loss.item()
        alike = [m for m in found.values() if " Or: " in m]
        self.unclear = len(alike) + 2 * (value in {right.item(), *found})
        self.exercise = by_hand(
            f"graph {number}",
            right.item(),
            {**found, value: "that is the loss itself. How much does it move with x?"},
            otherwise=lambda mine: named(mine, loss, leaf),
            hint="Begin with 1 at the loss. For each operation, write down its local slope for "
            "each of its inputs; multiply along each path to x, and add.",
        )

    def run(self) -> tuple[Any, dict[str, Any]]:
        names: dict[str, Any] = {
            "x": torch.tensor(float(self.x), requires_grad=True),
            "y": torch.tensor(float(self.y), requires_grad=True),
        }
        exec("\n".join(self.lines), names)
        return names["x"], names

    def __str__(self) -> str:
        _, names = self.run()
        lines = [f"{self.exercise.name}:   x = {self.x}, y = {self.y}"]
        for line in self.lines:
            lines.append(f"   {line:16} # {names[line.split()[0]].item():g}")
        return "\n".join(lines)


def puzzles(seed: int) -> list[Puzzle]:
    """Two graphs, with numbers on which as few mistakes as possible look the same."""
    draw = random.Random(seed)
    found = []
    for number, program in enumerate(PROGRAMS, 1):
        tried = []
        for _ in range(20):
            x, y = draw.sample([-3, -2, 2, 3], 2)
            k, sign = draw.choice([2, 3, 4]), draw.choice("+-")
            lines = [line.format(s=sign, k=k) for line in program]
            tried.append(Puzzle(number, lines, x, y))
        found.append(min(tried, key=lambda puzzle: puzzle.unclear))
    return found


# ------------------------------------------------------------------------ backward() by yourself

own_backward = lesson.Exercise(
    "backward",
    judge=lesson.backward_pass,
    hint="An operation uses only what exists already, so a node that uses a value has a larger "
    "seq than the node that made it. Which of the two is to be visited first? And what "
    "stands at a place to which nothing has been sent yet?",
    because="Each node is visited once, after all its users; parts that arrive at the "
    "same place are added; and each visit multiplies by the local slopes.",
)

# --------------------------------------------------------------------------- the last two items


def without_picture() -> lesson.Exercise:
    """The gradient of a short program that is only read."""
    x = torch.tensor(3.0, requires_grad=True)
    p = x * x
    q = p + x
    loss = q * p
    return by_hand(
        "no picture",
        135.0,
        {
            **engines.mistakes(loss, x),
            126.0: lesson.broke(
                "add", "x is used in q = p + x, too: this path goes to x and not through p."
            ),
            114.0: lesson.broke(
                "local",
                "One grad was multiplied by a slope where a value belongs. What each factor of "
                "q * p gets is the value of the other one.",
            ),
            84.0: lesson.broke(
                "local",
                "Did q get its own value, or a slope? Nudge q alone by 0.01: how far does q * p "
                "move?",
            ),
            108.0: "that is the loss itself. How much does it move with x?",
            72.0: "did x * x pass something to x once only? Both factors are x. Or did q stand "
            "still while p moved?",
            63.0: "that is only what comes back through q. p is the other factor of the loss.",
            45.0: "x * x has passed something to x once only, and nothing has come from q to p.",
        },
        otherwise=lambda mine: named(mine, loss, x),
        hint="p is used twice, and so is x in x * x. Begin at the loss: what arrives at q, and "
        "then, from two sides, at p?",
        because="At q arrives p = 9. At p arrive q = 12 from the product and 9 through q: 21. "
        "At x arrive 21 · 3 twice from x * x, and 9 through q: 126 + 9.",
    )


no_picture = without_picture()


def own_program(program: Any, at: Any) -> lesson.Exercise:
    """The exercise to find the gradient of a program that a learner wrote, at this number."""
    found: dict[str, Any] = {}
    problem = tried(lambda: looked_at(program, at, found), seconds=10.0)
    if problem:
        return lesson.Exercise("own program", judge=lambda attempt: problem)
    return by_hand(
        "own program",
        found["right"],
        found["mistakes"],
        otherwise=lambda mine: named(mine, found["loss"], found["x"]),
        tolerance=1e-3,
        hint="Write the value of each line beside it. Begin with 1 at the result, multiply by the "
        "local slopes on each path to x, and add what arrives.",
        because="backward() and a nudge agree on it.",
    )


def nudge_agrees(program: Any, at: float) -> bool:
    """Does a nudge find the slope that ``backward()`` finds there?"""
    x = torch.tensor(float(at), dtype=torch.float64, requires_grad=True)
    (found,) = engines.gradients(program(x), x)
    h = 1e-6
    with torch.no_grad():
        slope_there = (program(x + h) - program(x - h)).item() / (2 * h)
    return found is not None and abs(slope_there - found.item()) <= 1e-3 * max(
        1.0, abs(slope_there)
    )


def looked_at(program: Any, at: Any, found: dict[str, Any]) -> str:
    """What is wrong with a program, or ""; then ``found`` has its gradient, and wrong ones."""
    if not callable(program):
        return "a function is wanted, and then a number for its x."
    if not isinstance(at, (int, float)):
        return "the number for x is to be a plain number, such as 2.5."
    x = torch.tensor(float(at), dtype=torch.float64, requires_grad=True)
    loss = program(x)
    if not isinstance(loss, torch.Tensor) or loss.grad_fn is None or loss.numel() != 1:
        return "the function must return one number that was computed from x."
    count = len(nodes(loss))
    if count < 4:
        nodes_left = "1 node" if count == 1 else f"{count} nodes"
        return f"it leaves {nodes_left}. Write a program with four operations or more."
    (right,) = engines.gradients(loss, x)
    if not nudge_agrees(program, at):
        if not nudge_agrees(program, at + 0.1):  # a kink is at one place, a cut is everywhere
            return "a nudge and backward() disagree: the chain is cut. Does a line detach a value?"
        return "a nudge and backward() disagree: is there a jump or a kink? Choose another x."
    found["loss"], found["x"] = loss, x
    found["right"] = right.item()
    found["mistakes"] = {
        loss.item(): "that is the result itself. How much does it move with x?",
        **engines.mistakes(loss, x),
    }
    if found["right"] == loss.item():
        del found["mistakes"][loss.item()]
    return ""
