"""What notebook 04 asks: its questions, a repair, and weights; the rules are in ``nb04_rules``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

import minigrad as torch
from minigrad import lesson
from minigrad.lesson import broke

from .nb04_own_rule import own_rule
from .nb04_rules import PUZZLES, puzzle, yours
from .nb04_showing import (
    PRODUCTS,
    all_differences,
    nudge,
    rows,
    shares,
    show_products,
    table,
)

__all__ = [
    "PUZZLES",
    "all_differences",
    "nudge",
    "own_rule",
    "puzzle",
    "rows",
    "shares",
    "show_products",
    "table",
    "yours",
]

# --------------------------------------------------------------------------------- questions
# Here, and not in the cells, so that nobody reads an answer before giving one.

difference = partial(
    lesson.predict,
    "fare has shape (5, 1), paid (5,). What is the shape of their difference?",
    "(5, 5)",
    choices=["(5,)", "(5, 1)", "(5, 5)", "none: an error"],
    mistakes={
        "none: an error": broke(
            "align", "Missing lengths become 1, and a length of 1 stretches: so that fits."
        ),
        "(5,)": broke("align", "Shapes are aligned at the right: write one below the other."),
        "(5, 1)": broke("align", "paid is aligned at the right, and becomes a row, not a column."),
    },
    hint="paid becomes (1, 5). Now compare (5, 1) and (1, 5), one place after the other.",
    because="(5, 1) and (1, 5) both stretch to (5, 5): each fare meets each receipt.",
)
trained = partial(
    lesson.predict,
    "Trained with the 25 differences until nothing changes: which fare does the model predict "
    "for ride 0?",
    14.2,
    mistakes={
        7: "That is its receipt, but four of its five differences are with the others.",
        19: "That is the largest receipt. Which fare is nearest to all five at once?",
        71: "That is the sum of the receipts. Which single fare is nearest to all five?",
    },
    hint="Ride 0 is compared with 7, 10, 15, 19 and 20. The mean of squares is least at the mean.",
    because="Each fare is drawn to all five receipts, so all end at their mean, 71 / 5.",
)
bias = partial(
    lesson.predict,
    "fare.grad is (0, 0, -0.8, 0, -1.6). What is base.grad?",
    -2.4,
    mistakes={
        -0.48: "That is the mean of the five. Does a gradient average where paths meet?",
        -1.6: broke("add", "That is what arrives from the last ride only."),
        -0.8: broke("add", "That is what arrives from ride 2 only."),
        2.4: "The size is right, and the sign is not.",
        0: broke("add", "That is what arrives from the rides without suitcases."),
    },
    hint="base is used five times, so five gradients arrive at it. What happens where paths meet?",
    because="base was used in five rows, so five gradients arrive, and they add up.",
)
matmul = partial(
    lesson.predict,
    "fare = rides @ prices + base, and v is fare.grad. Which product is prices.grad?",
    "rides.T @ v",
    choices=PRODUCTS,
    mistakes={
        "rides @ v": broke("shape", "(5, 2) @ (5, 1) does not fit: the inner lengths differ."),
        "v @ rides.T": broke("shape", "(5, 1) @ (2, 5) does not fit: the inner lengths differ."),
        "v.T @ rides": broke("shape", "These are the right numbers, but in a row: (1, 2)."),
    },
    hint="prices has the shape (2, 1). Write down the shape of each candidate.",
    because="A gradient has the shape of its tensor, (2, 1), and only this product has it.",
)
one_hot = partial(
    lesson.predict,
    "fare.backward(v) with v = (0, 0, 0, 0, 1). What is prices.grad? Two numbers, as [3, 5].",
    [4.0, 2.0],
    mistakes={
        (15.0, 3.0): "Those are all rides together: v = (1, 1, 1, 1, 1) gives them.",
        (3.0, 2.0): "Those are prices that fit. How far does the last fare move with each price?",
        (1.0, 0.0): "That is the first ride. The 1 stands at the last place.",
        (2.0, 4.0): "Both numbers are there, but kilometres come first.",
    },
    hint="Only the last ride counts. How far does its fare move with either price?",
    because="Its fare is 4 times the price of a km and 2 times that of a suitcase: the last row.",
)
mean = partial(
    lesson.predict,
    "How many times larger is prices.grad with .sum() than with .mean()?",
    5,
    mistakes={
        1: "A mean is a sum that is divided, and its gradient is divided with it. By how much?",
        2: "There are two prices, but over what is the mean taken?",
        10: "There are ten derivatives, but over what is the mean taken?",
        0.2: "That is how many times smaller the other one is.",
    },
    hint="Over how many fares is the mean taken?",
    because="v is (1, …, 1) for the sum, and (1/5, …, 1/5) for the mean.",
)
entries = partial(
    lesson.predict,
    "X is (50, 20) and W is (20, 10), so y = X @ W has 500 numbers. "
    "How many numbers does the Jacobian of y for W hold? Answer with one number.",
    100_000,
    mistakes={
        500: "That is how many results there are, and each of them has a whole row in J.",
        200: "That is how many numbers W has, and J has a whole row of them for each result.",
        700: "That adds the two. J has an entry for each pair.",
        1000: "X has that many numbers. Count the results, and the entries of W.",
        10_000: "That is 500 times 20, but W is not a single column.",
        5000: "That is 500 times 10, but W is not a single row.",
    },
    hint="J has a row for each result and a column for each number of W. How many are those?",
    because="500 rows, one for each result, of 200 numbers each, one for each number of W.",
)
falling = partial(
    lesson.predict,
    "x = (2, 1, 0, 1), so y = x.softmax(0) is about (0.53, 0.20, 0.07, 0.20). "
    "x[0] grows. What becomes of the other three shares?",
    "they shrink, each in proportion to its size",
    choices=[
        "they stay as they are",
        "they shrink, all by the same amount",
        "they shrink, each in proportion to its size",
        "only the largest of them shrink",
    ],
    mistakes={
        "they stay as they are": "Then the four shares would add up to more than 1.",
        "they shrink, all by the same amount": "Let x[0] become huge. Where would a share of 0.07 "
        "and one of 0.20 both end?",
        "only the largest of them shrink": "Every share is divided by the same sum, which grows.",
    },
    hint="y[j] = exp(x[j]) / (sum of all exp). For j = 1, 2, 3, which part of this changes?",
    because="Their numerators stay, and all are divided by the same larger sum.",
)
tie = partial(
    lesson.predict,
    "Two fares are the dearest of a day: x = (19, 19), and y = x.max(). What does x.grad hold "
    "after y.backward()?",
    "(0.5, 0.5)",
    choices=["(1, 0)", "(0.5, 0.5)", "(1, 1)", "an error"],
    mistakes={
        "(1, 0)": "Both are the largest. Why should the first one get everything?",
        "(1, 1)": "If both grow by 1, the maximum grows by 1, and not by 2.",
        "an error": "A number comes back at a kink, too. Which would be a fair one?",
    },
    hint="A 1 arrives at y, and two numbers have the same claim to it.",
    because="minigrad, like PyTorch, shares what arrives among those that are largest.",
)
stretched = partial(
    lesson.predict,
    "Three rides have four prices each, so x has the shape (3, 4). y = x + w adds a surcharge to "
    "each price, and w has the shape (4,). A 1 arrives at each number of y. What is each number "
    "of w.grad?",
    3,
    mistakes={
        1: "That is what comes back from one row of x. How many rows was w added to?",
        4: "That is how many numbers w has, but how often was each of them used?",
        12: "That is how many numbers y has. Each number of w was added in one column of it.",
    },
    hint="w was stretched over the rows of x. How many copies of each number were made?",
    because="w was copied into three rows, and where paths meet, what arrives is added.",
)
products = partial(
    lesson.predict,
    "A while loop doubles 7 times, testing its condition 8 times. How many nodes does it leave?",
    7,
    mistakes={
        8: broke("record", "The last test ends the loop, and a test leaves no node."),
        15: broke("record", "A comparison has no gradient to pass on, and leaves no node."),
        1: broke("record", "It is one line, but a node is left by each execution."),
    },
    hint="Count the multiplications that ran.",
    because="A node for each product that ran, and none for a comparison.",
)
compared = partial(
    lesson.predict,
    "A threshold t is used in `if x > t` only. What is t.grad after backward()?",
    "None",
    choices=["0", "None", "a number"],
    mistakes={
        "0": "A zero, too, would have to come back to t by some path. Is there one?",
        "a number": "t decided which operations ran, but which recorded operation used it?",
    },
    hint="Is there an edge from t to anything?",
    because="A comparison has no node, so no path leads from the loss to t.",
)
both_paths = partial(
    lesson.predict,
    "e = (a + b) * (b + 1) with a = 4, b = 2. What is b.grad after e.backward()?",
    9,
    mistakes={
        3: broke("add", "That comes through a + b only."),
        6: broke("add", "That comes through b + 1 only."),
        18: "That is e itself.",
    },
    hint="Two paths lead to b. Multiply along each of them, and then see where they meet.",
    because="3 arrives through a + b, and 6 through b + 1. They add up.",
)

# ------------------------------------------------------------------------------------ repairs


def loss_cases(random: np.random.Generator) -> Sequence[Any]:
    prediction = torch.tensor(random.normal(size=(5, 1)), requires_grad=True)
    return prediction, torch.tensor(random.normal(size=5))


def squares(prediction: Any, target: Any) -> Any:
    return (prediction.squeeze(1) - target) ** 2


def right_loss(fare: Any, paid: Any) -> Any:
    """The mean of the squared differences that were meant, one for each ride with a receipt.

    That a ride has none is said by ``table``, and not in each of a thousand steps.
    """
    fares, receipts = fare.flatten(), paid.flatten()
    both = min(len(fares), len(receipts))
    return ((fares[:both] - receipts[:both]) ** 2).mean()


one_shape = lesson.Exercise(
    "one shape",
    answer=lambda p, t: squares(p, t).mean(),
    cases=loss_cases,
    mistakes={
        lambda p, t: ((p - t) ** 2).mean(): "still 25 differences. Give both the same shape first.",
        lambda p, t: squares(p, t).sum(): "it is 5 times too large: it grows with each "
        "ride that is added.",
        lambda p, t: squares(p, t).sum() / 25: "these are 5 differences, but "
        "their sum is divided by 25.",
        lambda p, t: (p.squeeze(1) - t).mean() ** 2: "it averages before it squares: errors of "
        "different sign cancel.",
        lambda p, t: (p.squeeze(1) - t).abs().mean(): "those are absolute differences. Square "
        "them.",
        lambda p, t: (p - t.mean()).square().mean(): "every prediction is compared with the mean "
        "of the targets.",
    },
    hint="Three things in this order: one shape for both (which dim of prediction has the length "
    "1?), then squares, and then what the task says is to be made of the five.",
    because="((prediction.squeeze(1) - target) ** 2).mean() compares each with its own.",
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
        return f"v has {v.size} numbers. fare has 5, and each needs a weight."
    v = v.reshape(5)
    if not np.isfinite(v).all():
        return "all five must be numbers."
    if v.tolist() == MIX:
        return ""
    if v.tolist() == [2.0, 0.0, 0.0, 0.0, 1.0]:
        return "the weights have changed places: which row is wanted twice?"
    if v.tolist() == [0.0, 1.0, 0.0, 2.0, 0.0]:
        return "rows are counted from 0, so the first is at the front, and the last at the end."
    if v[0] == v[4] == 1 and not v[1:4].any():
        return "that is row 0 plus row 4. The last row is wanted twice."
    if v[1:4].any():
        places = [i for i in (1, 2, 3) if v[i]]
        return f"row {places[0]} is in it, too. A 0 in v leaves a row out."
    return f"it takes row 0 {v[0]:g} times and row 4 {v[4]:g} times."


row_weights = lesson.Exercise(
    "row weights",
    judge=weights_judge,
    hint="v has one weight for each row: how often is row 0 wanted, row 1, row 2, row 3, row 4?",
    because="[1, 0, 0, 0, 2]: row 0 once, rows 1 to 3 not at all, row 4 twice.",
)
