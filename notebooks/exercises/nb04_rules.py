"""The rules that notebook 04 asks for: puzzles, each in one line."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from IPython.display import display

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke, tries
from minigrad.lesson.attempt import tried

from .nb04_showing import entry, moved
from .pictures import heat_maps

# ------------------------------------------------------------------------------------ puzzles

Rule = Callable[..., Any]
LONGEST_FOR_A_PICTURE = 3.0  # seconds

FORWARD: dict[str, tuple[Rule, int]] = {
    "copy": (lambda x: x.clone(), 0),
    "total": (lambda x: x.sum(), 0),
    "reverse": (lambda x: x.flip(0), 0),
    "columns": (lambda X, w: X * w, 1),
    "outer": (lambda a, b: torch.outer(a, b), 0),
    "product": (lambda X, W: X @ W, 1),
    "softmax": (lambda x: x.softmax(0), 0),
}
"""How each ``y`` is made, and for which of its arguments the gradient is wanted."""


def normal(*shape: int) -> Callable[[np.random.Generator], Any]:
    return lambda random: torch.tensor(random.normal(size=shape).round(1))


def given(name: str, *makers: Any, result: bool = False) -> dict[str, Any]:
    """The name and cases of a puzzle, and its answer by ``autograd.grad``.

    The rule gets v, the arguments of the operation and, if asked for, its result.
    """
    forward, wanted = FORWARD[name]

    def cases(random: np.random.Generator) -> Sequence[Any]:
        arguments = [make(random) for make in makers]
        out = forward(*arguments)
        v = torch.tensor(random.normal(size=tuple(out.shape)).round(1))
        return [v, *arguments, out] if result else [v, *arguments]

    def answer(v: Any, *arguments: Any) -> Any:
        leaves = [a.detach().requires_grad_() for a in arguments[: len(makers)]]
        return torch.autograd.grad(forward(*leaves), leaves[wanted], v)[0]

    return {"name": name, "cases": cases, "answer": answer}


IGNORES = "it does not depend on v: whatever arrives, it sends on the same."
SIGN = "the sign is wrong. Compare it with how y moves in the picture."
AVERAGES = broke("add", "it averages what comes back from the copies.")

PUZZLES = {
    "copy": lesson.Exercise(
        **given("copy", normal(4)),
        mistakes={
            lambda v, x: torch.ones_like(x): IGNORES,
            lambda v, x: x: "that is the value. What does y pass back to x?",
            lambda v, x: v * x: "that multiplies by x. Does a nudge of a large x[0] move y by "
            "more than a nudge of a small one?",
            lambda v, x: -v: SIGN,
            lambda v, x: v.sum(): "that is one number for all. Each x[i] moves a y of its own.",
        },
        hint="Nudge x[0] by 1: which y moves, and by how much? Weight that by its v.",
        because="v: each x[i] moves its own y[i] by 1, so v[i] is what counts.",
    ),
    "total": lesson.Exercise(
        **given("total", normal(4)),
        mistakes={
            lambda v, x: torch.ones_like(x): IGNORES,
            lambda v, x: v * x: "that multiplies by x. Does a nudge of a large x[0] move the sum "
            "by more than a nudge of a small one?",
            lambda v, x: v / 4 * torch.ones_like(x): "it shares v out among the four. How far "
            "does the sum move if one x grows by 1?",
            lambda v, x: v * x.sum() * torch.ones_like(x): "the result has come into it. Does the "
            "size of the sum decide how far a nudge moves it?",
            lambda v, x: v: "that is one number, and there are four x. What comes back to each?",
        },
        hint="Every x moves the sum by as much as it moves itself. Mind the shape: that of x.",
        because="v * torch.ones_like(x): each x moves the sum by 1, so each gets all of v.",
    ),
    "reverse": lesson.Exercise(
        **given("reverse", normal(4)),
        mistakes={
            lambda v, x: v: "v stands in the order of y. To which place did x[0] go?",
            lambda v, x: x.flip(0): "that is the value y. What comes back is made of v.",
            lambda v, x: -v.flip(0): "the order is right, and the sign is not.",
            lambda v, x: v.flip(0) * x: "that multiplies by x. Only the places changed.",
        },
        hint="Nudge x[0]: which y moves? So whose v comes back to x[0], and whose to x[1]?",
        because="v.flip(0): x[0] became y[3], so v[3] comes back to it.",
    ),
    "columns": lesson.Exercise(
        **given("columns", normal(4, 3), normal(3)),
        mistakes={
            lambda v, X, w: v.sum(
                0
            ): "by your rule, a nudge of w[0] would move all rows equally far. Does it?",
            lambda v, X, w: (v * X).mean(0): AVERAGES,
            lambda v, X, w: X.sum(0): IGNORES,
            lambda v, X, w: (v * w).sum(0): "that multiplies by w. Does a nudge of a large w[0] "
            "move y by more than a nudge of a small one?",
            lambda v, X, w: v * X: "each row is still by itself. w was used in every row, so what "
            "comes back from the rows has to be added up.",
            lambda v, X, w: (v * X).sum(1): "it adds up along each row. Which of these numbers "
            "were multiplied by w[0]: those of a row, or those of a column?",
            lambda v, X, w: (v * X).sum(): "that adds everything up to one number, and w has "
            "three.",
            lambda v, X, w: (v * X)[-1]: broke(
                "add", "that is what arrives from the last row only."
            ),
        },
        hint="w[j] was used once in every row, and the picture shows how far it moves each of "
        "them. In which tensor do these numbers stand?",
        because="(v * X).sum(0): multiply by X, and add up over the rows, in which w was copied.",
    ),
    "outer": lesson.Exercise(
        **given("outer", normal(4), normal(3)),
        mistakes={
            lambda v, a, b: v.sum(
                1
            ): "by your rule, a nudge of a[0] would move all entries of row 0 "
            "equally far. Does it?",
            lambda v, a, b: (v * b).mean(1): AVERAGES,
            lambda v, a, b: b.sum() * torch.ones_like(a): IGNORES,
            lambda v, a, b: (v @ b) * a: "a has come into it. Does a nudge of a large a[0] move y "
            "by more than a nudge of a small one?",
            lambda v, a, b: v.T @ a: "that is the rule for b: it has as many numbers as b.",
            lambda v, a, b: v * b: "each entry is still by itself. a[i] was used in a whole row.",
            lambda v, a, b: (v * b).sum(0): "it adds up along each column. Which entries of y "
            "were made with a[0]: those of a column, or those of a row?",
        },
        hint="a[i] was used in the whole row y[i, :]. By how much does it move each entry there?",
        because="v @ b: each v[i, j] times b[j], added up over j.",
    ),
    "product": lesson.Exercise(
        **given("product", normal(4, 3), normal(3, 2)),
        mistakes={
            lambda v, X, W: X.T @ torch.ones_like(v): IGNORES,
            lambda v, X, W: W * v.sum(0): "that is made of W. When an entry of W is nudged, does "
            "its own size decide how far y moves?",
            lambda v, X, W: X.T @ v / 4: AVERAGES,
            lambda v, X, W: -X.T @ v: SIGN,
            lambda v, X, W: v @ W.T: "that has the shape of X: it is the rule for X.",
            lambda v, X, W: v.T @ X: "the right numbers, but rows and columns have changed places.",
        },
        hint="The gradient has the shape of W, (3, 2); v is (4, 2), and X is (4, 3).",
        because="X.T @ v: as for the prices, with other names. And for X, it is v @ W.T.",
    ),
    "softmax": lesson.Exercise(
        **given("softmax", normal(4), result=True),
        mistakes={
            lambda v, x, y: v * y: "that is only what x[i] does to its own exponential. It also "
            "enlarges the sum that all are divided by.",
            lambda v, x, y: v * y * (1 - y): "that is only what x[i] does to y[i]. It moves the "
            "other y, too.",
            lambda v, x, y: y * (v - v.mean()): "it lets every share lose equally. Do a large and "
            "a small share lose as much?",
            lambda v, x, y: y * (v - v.sum()): "it takes the same from each share, so that all "
            "of them together lose more than y[i] gains. What does the picture say?",
            lambda v, x, y: y * (v + (v * y).sum()): "by your rule, the other shares would grow "
            "with x[i]. What does the picture say?",
            lambda v, x, y: y * v - (v * y).sum(): "by your rule, every x[i] would take as much "
            "from the others, whatever its share. Does it?",
            lambda v, x, y: v * torch.exp(x): "that is the rule of exp. Softmax also divides.",
        },
        hint="A nudge of x[i] does two things: y[i] grows, and all y, y[i] too, are divided by "
        "more, so that each loses in proportion to its size. Weight both by v, and add.",
        because="y * (v - (v * y).sum()): x[i] moves y[i] by y[i] and, through the larger divisor, "
        "each y[j] by -y[j] * y[i]. Weighted by v and added up, this is it.",
    ),
}


def puzzle(name: str, rule: Rule, nudge: Any = 0) -> None:
    """Check a rule, and show its arguments, how a nudge moves y, and what the rule gives.

    What is wanted is shown when the rule is right, or with the third wrong attempt.
    """
    exercise = PUZZLES[name]
    verdict = lesson.check(exercise, rule)
    names = list(inspect.signature(exercise.answer if not callable(rule) else rule).parameters)
    maps = [(argument, value, None) for argument, value in zip(names, first(exercise))]
    maps += nudged_entry(name, nudge)
    maps.append(yours(exercise, rule))
    if verdict.passed or verdict.rung == tries.LAST:
        maps.append(("wanted", wanted(exercise), None))
    display(heat_maps(maps))


def nudged_entry(name: str, place: Any) -> list[tuple[str, Any, Any]]:
    """How y moves in the first case of a puzzle, if one entry of the argument is nudged."""
    forward, wanted = FORWARD[name]
    known = list(inspect.signature(forward).parameters)
    _, *arguments = first(PUZZLES[name])
    arguments = arguments[: len(known)]
    if wrong := entry(arguments[wanted], place):
        print(wrong)
        return []

    def of_one(x: Any) -> Any:
        return forward(*arguments[:wanted], x, *arguments[wanted + 1 :])

    where = ", ".join(map(str, place if isinstance(place, tuple) else (place,)))
    return [(f"{known[wanted]}[{where}] moves y by", moved(of_one, arguments[wanted], place), None)]


def wanted(exercise: lesson.Exercise) -> np.ndarray:
    return np.asarray(exercise.answer(*first(exercise)))


def first(exercise: lesson.Exercise) -> Sequence[Any]:
    return next(iter(exercise.generated()))


def yours(exercise: lesson.Exercise, rule: Rule) -> tuple[str, Any, Any]:
    """What a rule gives, if it is a matrix of numbers, and where it differs."""
    results: list[np.ndarray] = []

    def called() -> None:
        results.append(np.asarray(rule(*first(exercise)), float))

    tried(called, min(exercise.seconds, LONGEST_FOR_A_PICTURE))
    if not results:  # what is wrong is said by ``check``
        return "yours", None, None
    (got,) = results
    right = wanted(exercise)
    if got.ndim > 2 or got.size > 40 or not got.size:
        return "yours", None, None
    if got.shape != right.shape:
        return "yours (other shape)", got, None
    return "yours", got, ~np.isclose(got, right, rtol=1e-4, atol=1e-6)
