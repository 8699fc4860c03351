"""What notebook 02 asks for."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import matplotlib.pyplot as plt

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import engines
from minigrad_widgets import plots

# --------------------------------------------------------------------------- questions


def leaves(*numbers: float) -> list[Any]:
    return [torch.tensor(number, requires_grad=True) for number in numbers]


who_is_right = partial(
    lesson.predict,
    "Which number for b.grad do you trust, now?",
    "neither, before I have tested it",
    choices=["4", "15", "neither, before I have tested it"],
    because="A program can be wrong as well as an article. Two tests that share nothing decide.",
)

nudged_by = partial(
    lesson.predict,
    "b grows from 6 by one millionth. By how many millionths does e grow, rounded?",
    15,
    mistakes={
        1: "e is not b: b is multiplied on its way.",
        4: "That is the article's number. Both factors of e grow.",
        7: "That is what comes through c alone. d grows too.",
        8: "That is what comes through d alone. c grows too.",
        56: "That is e itself, not by how much it grows.",
    },
    because="c grows by 1 millionth, times d = 7; d grows by 1 millionth, times c = 8: 7 + 8.",
)

which_way = partial(
    lesson.predict,
    "Backward shows 7 at c. Which derivative is that?",
    "how e moves when c moves",
    choices=["how e moves when c moves", "how c moves when e moves"],
    mistakes={"how c moves when e moves": "That would be 1/7. Nudge c, and watch e."},
    because="The gradient of a value says how the loss moves when that value moves.",
)

twice_used = partial(
    lesson.predict,
    "An engine overwrites what has arrived instead of adding. What does it find for x + x?",
    1.0,
    mistakes={
        2.0: "That is right, and the engine is not: it drops an arrival.",
        0.0: "The last arrival stays.",
    },
    because="Each of the two edges carries 1. Overwriting keeps one of them, adding gives 2.",
)

too_early = partial(
    lesson.predict,
    "(x²)² + (x²)² at x = 2 has the derivative 64. What comes out if the node of x² is visited "
    "once, but too early?",
    32.0,
    mistakes={
        64.0: "That is right. Here half has not arrived when the node is visited.",
        0.0: "One of the two has arrived by then.",
        128.0: "That comes from visiting it at each arrival.",
        96.0: "That comes from passing on the first arrival twice.",
    },
    because="Only one of the two equal gradients has arrived, so half of 64 is passed on.",
)

after_backward = partial(
    lesson.predict,
    "backward() has run. How many nodes has the graph of e now?",
    3,
    mistakes={
        0: "They still stand, while e does. What they had saved is gone.",
        6: "Backward visits nodes; it makes none.",
    },
    because="Backward walks the graph that the forward pass made. It adds nothing.",
)

paths_or_visits = partial(
    lesson.predict,
    "y = y + y, 20 times: how many visits does backward() need?",
    20,
    mistakes={
        40: "Two edges leave each node, but it is visited once.",
        2**20: "That is the number of paths. They share nodes.",
        21: "The leaf is no operation: a gradient lands there.",
    },
    because="One visit for each of the 20 nodes, whatever the number of paths.",
)

is_leaf = partial(
    lesson.predict,
    "w = torch.ones(1, requires_grad=True) * 2. Is w a leaf?",
    False,
    because="A multiplication made it.",
)

five_rounds = partial(
    lesson.predict,
    "A loop runs c = a + b 5 times. How many nodes does it make?",
    5,
    mistakes={1: "A node stands for one execution, not for a line."},
    because="Each execution makes a node of its own.",
)

when_recorded = partial(
    lesson.predict,
    "Which of a and b must require a gradient for a + b to leave a node?",
    "one is enough",
    choices=["both", "one is enough", "none"],
    because="One is enough: the result moves with it, so its gradient has to be found.",
)

# What cells measure, where their source would answer the question above them: the gradient of
# (x²)² + (x²)² by each engine, and each .grad after two passes.
FOUND = {
    "right": 64,
    "overwrite": 32,
    "first": 32,
    "queue": 128,
    "stack": 96,
    "once": 32,
    "local": 4,
}
AFTER_TWO = {"a": 14, "b": 30, "c": None, "one": None, "e": 1}

# --------------------------------------------------------------------------- small instruments


def grads(**tensors: Any) -> dict[str, float | None]:
    """What each tensor's ``.grad`` holds, by its name; without the warning for results."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {name: tensor.grad for name, tensor in tensors.items()}
    return {name: None if grad is None else grad.item() for name, grad in found.items()}


def error(action: Callable[[], Any]) -> str:
    """What it says when it is refused."""
    try:
        action()
    except RuntimeError as raised:
        return str(raised)
    return "nothing was refused"


# ------------------------------------------------------------------------------- a picture


def plot(paths: list[float], visits: list[int]) -> None:
    """Paths and visits by the number of rounds, on a log scale."""
    rounds = range(1, len(paths) + 1)
    _, axes = plt.subplots(figsize=(5, 2.6), layout="constrained")
    axes.semilogy(rounds, paths, "o-", label="paths")
    axes.semilogy(rounds, visits, "s--", label="visits")
    axes.set(xlabel="rounds", xticks=range(0, len(paths) + 1, 5))
    axes.legend()
    told = f"the paths grow to {paths[-1]:,.0f}, a straight line on a log scale"
    plots.show(axes, f"Over {len(paths)} rounds {told}, and the visits to {visits[-1]}.")


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
        lambda f, x, h: (f(x + h) - f(x)) / h: "that nudges in one direction only. Nudge in both: "
        "it is more exact.",
        lambda f, x, h: (f(x) - f(x - h)) / h: "that nudges downwards only. Nudge in both "
        "directions: it is more exact.",
        lambda f, x, h: (f(x + h) - f(x - h)) / h: "exactly twice too large: from x - h to x + h "
        "it is 2 * h.",
        lambda f, x, h: (f(x + h) - f(x - h)) / 2 * h: "Python reads … / 2 * h as (… / 2) * h. Put "
        "2 * h in brackets.",
        lambda f, x, h: f(x + h) - f(x - h): "that is how far the result moves. Divide by how far "
        "x moves.",
        lambda f, x, h: (f(x - h) - f(x + h)) / (2 * h): "the sign is wrong: take f(x + h) first.",
        lambda f, x, h: (f(x + h) + f(x - h)) / (2 * h): "that adds the two values. Take their "
        "difference.",
        lambda f, x, h: (f(x + h) - f(x)) / (2 * h): "that goes one way and divides by the way of "
        "both.",
    },
)

# --------------------------------------------------------------------------- a.grad becomes 10

ten = lesson.Exercise(
    "ten",
    answer=9.0,
    mistakes={
        10.0: "a.grad would be 11. It equals d, and d is b + 1.",
        11.0: "a.grad would be 12. Subtract the 1, do not add it.",
        8.0: "that makes c equal to 10, but c flows to d. What flows to a is d.",
        3.5: "that makes b.grad equal to 10. The question is about a.",
        6.0: "that is b as it was: a.grad is 7.",
        -9.0: "a.grad would be −8: look at the sign.",
    },
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


order = lesson.Exercise("order", judge=judge_order)

# --------------------------------------------------------------- four graphs with own numbers

PROGRAMS = (
    ("p = x {s} y", "q = p * {k}", "loss = q * y"),
    ("p = x * y", "q = p {s} {k}", "loss = q * x"),
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
        self.exercise = lesson.Exercise(
            f"graph {number}",
            answer=right.item(),
            mistakes={**found, value: "that is the loss itself. How much does it move with x?"},
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
    """Four graphs, with numbers on which as few mistakes as possible look the same."""
    draw = random.Random(seed)
    found = []
    for number, program in enumerate(PROGRAMS, 1):
        tried = []
        for _ in range(20):
            x, y = draw.sample([-4, -3, -2, 3, 4, 5], 2)
            k, sign = draw.choice([3, 4, 5, 7]), draw.choice("+-")
            lines = [line.format(s=sign, k=k) for line in program]
            tried.append(Puzzle(number, lines, x, y))
        found.append(min(tried, key=lambda puzzle: puzzle.unclear))
    return found
