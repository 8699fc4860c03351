"""What notebook 04 asks for: two repairs and eight one-line derivative rules."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from IPython.display import display

import minigrad as torch
from minigrad import lesson
from minigrad.lesson.attempt import tried

from .pictures import Picture, heat_maps

# --------------------------------------------------------------------------------- questions
# Here, and not in the cells, so that nobody reads an answer before giving one.

difference = partial(
    lesson.predict,
    "prediction has shape (5, 1), target (5,). What shape has their difference?",
    "(5, 5)",
    choices=["(5,)", "(5, 1)", "(5, 5)", "none: an error"],
    mistakes={
        "none: an error": "Missing dimensions are added in front, and dimensions of size 1 "
        "stretch: that fits.",
        "(5,)": "Shapes are aligned at the right: the 5 of target meets the 1 of prediction.",
        "(5, 1)": "target becomes a row, (1, 5), since shapes are aligned at the right.",
    },
    because="(5, 1) and (1, 5) both stretch to (5, 5): each prediction meets each target.",
)
trained = partial(
    lesson.predict,
    "Trained with the wrong loss until nothing changes: what is the first prediction?",
    2.0,
    mistakes={0: "That is its target, but four of its five differences are with others."},
    because="Each prediction is drawn to all five targets, so all end at their mean.",
)
bias = partial(
    lesson.predict,
    "prediction.grad is (0, -0.4, -0.8, -1.2, -1.6). What is b.grad?",
    -4.0,
    mistakes={
        -0.8: "That is the mean. Forks add, they do not average.",
        -1.6: "That is what arrives from the last row only.",
        0: "That is what arrives from the first row only.",
    },
    because="b was used in five rows, so five gradients arrive, and they add up.",
)
matmul = partial(
    lesson.predict,
    "prediction = X @ W. Which product is W.grad? (G is prediction.grad.)",
    "X.T @ G",
    choices=["X @ G", "G @ X.T", "X.T @ G", "G.T @ X"],
    mistakes={
        "X @ G": "(5, 2) @ (5, 1) does not fit.",
        "G @ X.T": "(5, 1) @ (2, 5) does not fit.",
        "G.T @ X": "The right numbers, but in shape (1, 2). W has (2, 1).",
    },
    because="A gradient has the shape of its tensor, (2, 1), and only this product has it.",
)
one_hot = partial(
    lesson.predict,
    "prediction.backward(v) with v = (0, 0, 0, 0, 1). What is W.grad? Two numbers, as [3, 5].",
    [2.0, 1.0],
    mistakes={
        (4.0, 3.0): "Those are the column sums: v = (1, 1, 1, 1, 1) gives them.",
        (1.0, 2.0): "Those are weights that fit. How much does the last prediction move with W?",
    },
    because="The last prediction is 2 W[0] + 1 W[1]: the last row of X.",
)
unzeroed = partial(
    lesson.predict,
    "Five one-hot passes, and W.grad is never cleared. What does it hold? Two numbers, as [3, 5].",
    [4.0, 3.0],
    mistakes={(2, 1): "That is the last row. But what was there before stays, and is added to."},
    because="backward() adds to .grad: after five passes it holds the sum of five rows.",
)
mean = partial(
    lesson.predict,
    "How many times larger is W.grad with .sum() than with .mean()?",
    5,
    mistakes={
        1: "The mean divides by 5, and so do its derivatives.",
        2: "Two weights, but the mean is over five rows.",
    },
    because="v is (1, …, 1) for the sum, and (1/5, …, 1/5) for the mean. So change from mean to "
    "sum, and the learning rate has to be divided by 5 for the same step.",
)
products = partial(
    lesson.predict,
    "A while loop doubles 7 times, testing its condition 8 times. How many nodes?",
    7,
    mistakes={8: "The last test ends the loop.", 15: "Comparisons leave no nodes."},
    because="A node for each product.",
)
compared = partial(
    lesson.predict,
    "A threshold t is used in `if x > t` only. What is t.grad?",
    "None",
    choices=["0", "None", "a number"],
    mistakes={"0": "Nothing arrives, not even a zero."},
    because="A comparison has no node: t is not in the graph.",
)
both_paths = partial(
    lesson.predict,
    "e = (a + b) * (b + 1) with a = 4, b = 2. What is b.grad after e.backward()?",
    9,
    mistakes={3: "Only the path through a + b.", 6: "Only the path through b + 1."},
    because="3 arrives through a + b, and 6 through b + 1. They add up.",
)

# ------------------------------------------------------------------------------------ repairs


def loss_cases(random: np.random.Generator) -> Sequence[Any]:
    prediction = torch.tensor(random.normal(size=(5, 1)), requires_grad=True)
    return prediction, torch.tensor(random.normal(size=5))


def squares(prediction: Any, target: Any) -> Any:
    return (prediction.squeeze(1) - target) ** 2


one_shape = lesson.Exercise(
    "one shape",
    answer=lambda p, t: squares(p, t).mean(),
    cases=loss_cases,
    mistakes={
        lambda p, t: ((p - t) ** 2).mean(): "still 25 differences. Give both the same shape first.",
        lambda p, t: squares(p, t).sum(): "it is 5 times too large: the sum, and the mean is "
        "wanted.",
        lambda p, t: squares(p, t).sum() / 25: "5 differences, but divided by 25.",
        lambda p, t: (p.squeeze(1) - t).mean() ** 2: "it averages before it squares: errors of "
        "different sign cancel.",
        lambda p, t: (p.squeeze(1) - t).abs().mean(): "those are absolute differences. Square "
        "them.",
        lambda p, t: (p - t.mean()).square().mean(): "every prediction is compared with the mean "
        "of the targets.",
    },
)

MIX = [1.0, 0.0, 0.0, 0.0, 2.0]


def weights_judge(attempt: Any) -> str | None:
    """Five numbers v with v^T J = row 0 + 2 * row 4, and nothing from the other rows."""
    if attempt is None or attempt is ...:
        return None
    try:
        v = np.asarray(attempt, float)
    except (TypeError, ValueError):
        return "a list of five numbers is wanted."
    if v.size != 5:
        return f"v has {v.size} numbers. prediction has 5, and v weighs each of them."
    v = v.reshape(5)
    if not np.isfinite(v).all():
        return "all five must be numbers."
    if v.tolist() == MIX:
        return ""
    if v.tolist() == [2.0, 0.0, 0.0, 0.0, 1.0]:
        return "the weights have changed places: 1 for the first row, 2 for the last."
    if v.tolist() == [0.0, 1.0, 0.0, 2.0, 0.0]:
        return "rows are counted from 0, so the first is at the front, and the last at the end."
    if v[0] == v[4] == 1 and not v[1:4].any():
        return "that is row 0 plus row 4. The last row shall count twice."
    if v[1:4].any():
        places = [i for i in (1, 2, 3) if v[i]]
        return f"row {places[0]} is in it, too. A 0 in v leaves a row out."
    return f"it takes row 0 {v[0]:g} times and row 4 {v[4]:g} times."


row_weights = lesson.Exercise("row weights", judge=weights_judge)

# ------------------------------------------------------------------------------------ puzzles

Rule = Callable[..., Any]
LONGEST_FOR_A_PICTURE = 3.0  # seconds


def normal(*shape: int) -> Callable[[np.random.Generator], Any]:
    return lambda random: torch.tensor(random.normal(size=shape).round(1))


def given(forward: Rule, wanted: int, *makers: Any, result: bool = False) -> dict[str, Any]:
    """The cases of a puzzle, and its answer by ``autograd.grad``.

    The rule gets v, the arguments of ``forward`` and, if asked for, its result. Its answer is
    the gradient for argument number ``wanted``.
    """

    def cases(random: np.random.Generator) -> Sequence[Any]:
        arguments = [make(random) for make in makers]
        out = forward(*arguments)
        v = torch.tensor(random.normal(size=tuple(out.shape)).round(1))
        return [v, *arguments, out] if result else [v, *arguments]

    def answer(v: Any, *arguments: Any) -> Any:
        leaves = [a.detach().requires_grad_() for a in arguments[: len(makers)]]
        return torch.autograd.grad(forward(*leaves), leaves[wanted], v)[0]

    return {"cases": cases, "answer": answer}


IGNORES = "it does not depend on v, and v must be passed on."
PUZZLES = {
    "copy": lesson.Exercise(
        "copy",
        **given(lambda x: x.clone(), 0, normal(4)),
        mistakes={
            lambda v, x: torch.ones_like(x): IGNORES,
            lambda v, x: x: "that is the value. What does y pass back to x?",
            lambda v, x: v * x: "that multiplies by x. The derivative of a copy is 1.",
            lambda v, x: -v: "the sign is wrong.",
        },
    ),
    "total": lesson.Exercise(
        "total",
        **given(lambda x: x.sum(), 0, normal(4)),
        mistakes={
            lambda v, x: torch.ones_like(x): IGNORES,
            lambda v, x: v * x: "that multiplies by x. Each x counts once in the sum, whatever it "
            "is.",
            lambda v, x: v / 4 * torch.ones_like(x): "it shares v out. Each x moves the sum by "
            "its full amount: each gets all of v.",
            lambda v, x: v * x.sum() * torch.ones_like(x): "that multiplies by the result. Only v "
            "is passed on.",
        },
    ),
    "average": lesson.Exercise(
        "average",
        **given(lambda x: x.mean(), 0, normal(4)),
        mistakes={
            lambda v, x: v * torch.ones_like(x): "it is 4 times too large: that is the rule of "
            "the sum. Divide by x.numel().",
            lambda v, x: torch.ones_like(x) / 4: IGNORES,
            lambda v, x: v * x / 4: "that multiplies by x. Each x has the weight 1/4.",
            lambda v, x: v / 16 * torch.ones_like(x): "it divides by 4 twice.",
        },
    ),
    "reverse": lesson.Exercise(
        "reverse",
        **given(lambda x: x.flip(0), 0, normal(4)),
        mistakes={
            lambda v, x: v: "v has the order of y. x[0] went to the end, so v[3] comes back to it.",
            lambda v, x: x.flip(0): "that is the value y. What comes back is made of v.",
            lambda v, x: -v.flip(0): "the sign is wrong: only the order changes.",
            lambda v, x: v.flip(0) * x: "that multiplies by x. Only the order changes.",
        },
    ),
    "columns": lesson.Exercise(
        "columns",
        **given(lambda X, w: X * w, 1, normal(4, 3), normal(3)),
        mistakes={
            lambda v, X, w: v.sum(0): "X is missing: y moves with w as much as X says.",
            lambda v, X, w: (v * X).mean(0): "it averages over the rows. Arrivals add up.",
            lambda v, X, w: X.sum(0): IGNORES,
            lambda v, X, w: (v * w).sum(0): "that multiplies by w. The derivative of X * w for w "
            "is X.",
            lambda v, X, w: (v * X)[-1]: "that is what arrives from the last row only.",
        },
    ),
    "outer": lesson.Exercise(
        "outer",
        **given(torch.outer, 0, normal(4), normal(3)),
        mistakes={
            lambda v, a, b: v.sum(1): "b is missing: a[i] meets b[j] in y[i, j].",
            lambda v, a, b: (v * b).mean(1): "it averages over the columns. Arrivals add up.",
            lambda v, a, b: b.sum() * torch.ones_like(a): IGNORES,
            lambda v, a, b: (v @ b) * a: "that multiplies by a, too.",
        },
    ),
    "product": lesson.Exercise(
        "product",
        **given(lambda X, W: X @ W, 1, normal(4, 3), normal(3, 2)),
        mistakes={
            lambda v, X, W: X.T @ torch.ones_like(v): IGNORES,
            lambda v, X, W: W * v.sum(0): "that is made of W. The derivative of X @ W for W is "
            "made of X.",
            lambda v, X, W: X.T @ v / 4: "it averages over the rows. Arrivals add up.",
            lambda v, X, W: -X.T @ v: "the sign is wrong.",
        },
    ),
    "softmax": lesson.Exercise(
        "softmax",
        **given(lambda x: x.softmax(0), 0, normal(4), result=True),
        mistakes={
            lambda v, x, y: v * y: "that is only what x[i] does to its own exponential. It also "
            "enlarges the sum that all are divided by.",
            lambda v, x, y: v * y * (1 - y): "that is only what x[i] does to y[i]. It moves the "
            "other y, too.",
            lambda v, x, y: y * (v - v.mean()): "subtract from v its mean weighted by y, "
            "(v * y).sum().",
            lambda v, x, y: y * (v + (v * y).sum()): "the sign of the sum is wrong: a larger x[i] "
            "makes the others smaller.",
            lambda v, x, y: y * v - (v * y).sum(): "the sum, too, has to be shared out by y.",
            lambda v, x, y: v * torch.exp(x): "that is the rule of exp. Softmax also divides.",
        },
    ),
}


def puzzle(name: str, rule: Rule) -> None:
    """Check a rule, and show its arguments, what is wanted, and what it gives."""
    exercise = PUZZLES[name]
    lesson.check(exercise, rule)
    names = inspect.signature(exercise.answer if not callable(rule) else rule).parameters
    shown = [(argument, value, None) for argument, value in zip(names, first(exercise))]
    display(heat_maps([*shown, ("wanted", wanted(exercise), None), yours(exercise, rule)]))


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


def rows(J: Any, X: Any) -> Picture:
    """The Jacobian beside X."""
    return heat_maps([("J, row by row", J, None), ("X", X, None)])
