"""The checks of HW2: two items by hand, three that take many rows at once, and a recursion.

What is right is what the slow programs of ``given.py`` make of the same data, gradients included.
The grader has other data besides: a student's copy of this file is without them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import given
import numpy as np
from by_hand import branch, judge_numbers, numbers, rounds
from tools import traced

import minigrad as torch
from minigrad import lesson

__all__ = ["TREES", "exercises"]

Case = tuple[list[Any], list[Any]]


# ------------------------------------------------------------------------- items 3 to 6

Leaf = Callable[[int], Any]
Join = Callable[[Any, Any], Any]
TREES: dict[Any, Callable[[Leaf, Join], Any]] = {
    2: lambda leaf, join: leaf(2),
    (1, 3): lambda leaf, join: join(leaf(1), leaf(3)),
    (1, (0, 2)): lambda leaf, join: join(leaf(1), join(leaf(0), leaf(2))),
    ((2, 0), 1): lambda leaf, join: join(join(leaf(2), leaf(0)), leaf(1)),
    ((3, 1), (1, 0)): lambda leaf, join: join(join(leaf(3), leaf(1)), join(leaf(1), leaf(0))),
}
"""Trees, each with the way in which its parts are joined, written out."""
SHAPES = {**TREES}


class Item(NamedTuple):
    """A function to be written: what is right, what is wrong, and what the hidden cases are about.

    ``grows``: what the graph must not grow with; "" if it may.
    """

    name: str
    points: int
    right: Callable[..., Any]
    mistakes: dict[str, Callable[..., Any]]
    concept: str
    hint: str
    parts: tuple[str, ...]  # the arguments that a gradient is compared for
    grows: str = ""


def all_long(lengths: Sequence[int]) -> list[int]:
    return [max(lengths)] * len(lengths)


def by_all_places(predicted: Any, target: Any, lengths: Any) -> Any:
    return given.loss_one_by_one(predicted, target, lengths) * sum(lengths) / predicted.numel()


def of_means(predicted: Any, target: Any, lengths: Any) -> Any:
    rows = [
        given.loss_one_by_one(predicted[row : row + 1], target[row : row + 1], [length])
        for row, length in enumerate(lengths)
    ]
    return sum(rows[1:], rows[0]) / len(rows)


def by_rows(predicted: Any, target: Any, lengths: Any) -> Any:
    return given.loss_one_by_one(predicted, target, lengths) * sum(lengths) / len(lengths)


def added(predicted: Any, target: Any, lengths: Any) -> Any:
    return given.loss_one_by_one(predicted, target, lengths) * sum(lengths)


def with_lengths(function: Callable[..., Any], change: Callable[[Any], Any]) -> Callable[..., Any]:
    """The slow program with other lengths."""
    return lambda *arguments: function(*arguments[:-1], change(arguments[-1]))


def of_all_entries(change: Callable[[Any], Any]) -> Callable[..., Any]:
    """The sum with other lengths, divided by the right number of entries."""

    def loss(predicted: Any, target: Any, lengths: Any) -> Any:
        other = change(lengths)
        mean = given.loss_one_by_one(predicted, target, other)
        return mean * sum(other) / sum(lengths)

    return loss


def shifted(by: int) -> Callable[[Sequence[int]], list[int]]:
    return lambda lengths: [min(max(one + by, 0), max(lengths)) for one in lengths]


def emptied(w: Any, u: Any, b: Any, letters: Any, lengths: Any) -> Any:
    """The memory of shorter names is wiped by the padding."""
    is_long = torch.tensor([[float(one == max(lengths))] for one in lengths], dtype=torch.float64)
    return given.read_one_by_one(w, u, b, letters, lengths) * is_long


def turned(w: Any, u: Any, b: Any, letters: Any, lengths: Any) -> Any:
    return given.read_one_by_one(w, u.T, b, letters, lengths)


def no_memory(w: Any, u: Any, b: Any, letters: Any, lengths: Any) -> Any:
    return given.read_one_by_one(w, u * 0.0, b, letters, lengths)


def forgetful(w: Any, u: Any, b: Any, letters: Any, lengths: Any) -> Any:
    """The right result, whose gradient knows of no step but the last."""
    shorter = [max(one - 1, 0) for one in lengths]
    before = given.read_one_by_one(w, u, b, letters, shorter).detach()
    steps = []
    for row, length in enumerate(lengths):
        new = torch.tanh(letters[row, length - 1] @ w + before[row] @ u + b)
        steps.append(new if length else before[row])
    return torch.stack(steps)


def same_rounds(which: Callable[..., int], x: Any, w: Any) -> Any:
    """All rows take as many rounds as one of them."""
    counts = [given.rounds_of(np.array(row.tolist()), np.array(w.tolist())) or 0 for row in x]
    for _ in range(which(counts)):
        x = x @ w
    return x


def last_round(x: Any, w: Any) -> Any:
    """The gradient knows only the last round of each row."""
    settled = []
    for row in x:
        before = row
        while row.abs().max() > 1:
            before = row.detach()
            row = before @ w
        settled.append(row)
    return torch.stack(settled)


def more_than_one(x: Any, w: Any) -> Any:
    """The sizes are compared with their signs."""
    settled = []
    for row in x:
        while row.max() > 1:
            row = row @ w
        settled.append(row)
    return torch.stack(settled)


def tree_as(
    leaf: Callable[..., Any], join: Callable[..., Any], x: Any, a: Any, b: Any, tree: Any
) -> Any:
    """A tree, joined in some way, right or wrong."""
    return SHAPES[tree](lambda row: leaf(x, row), lambda one, other: join(a, b, one, other))


def row_of(x: Any, row: int) -> Any:
    return x[row]


def joined(a: Any, b: Any, left: Any, right: Any) -> Any:
    return torch.tanh(left @ a + right @ b)


ITEMS = (
    Item(
        "masked_loss",
        20,
        given.loss_one_by_one,
        {
            "the padding counts, too: the mask is forgotten.": with_lengths(
                given.loss_one_by_one, all_long
            ),
            "the sum is right, and it is divided by all places, those of the padding "
            "included.": by_all_places,
            "that is the mean of the sequences' means: an entry of a short sequence weighs more "
            "than one of a long one.": of_means,
            "the sum is divided by the number of sequences, where it should be by that of "
            "the entries.": by_rows,
            "that is the sum. It has not been divided by anything.": added,
            "the padding counts in the sum: the mask is forgotten there.": of_all_entries(all_long),
            "the mask is one place too short in the sum: the last entry of each sequence is left "
            "out.": of_all_entries(shifted(-1)),
            "the mask is one place too long in the sum: compare with <, for places begin at "
            "0.": of_all_entries(shifted(1)),
            "the mask is one place too short: the last entry of each sequence is left "
            "out.": with_lengths(given.loss_one_by_one, shifted(-1)),
            "the mask is one place too long: compare with <, for places begin at 0.": with_lengths(
                given.loss_one_by_one, shifted(1)
            ),
        },
        "other lengths, or something else in the padding",
        "torch.arange(places) < lengths[:, None] is a table of True and False. Print it.",
        ("predicted",),
        "sequences",
    ),
    Item(
        "read",
        25,
        given.read_one_by_one,
        {
            "short names are read on into their padding: the mask is forgotten.": with_lengths(
                given.read_one_by_one, all_long
            ),
            "where a name has ended, its memory is wiped: it should stay as it is.": emptied,
            "the last letter of each name is not read.": with_lengths(
                given.read_one_by_one, shifted(-1)
            ),
            "short names are read one letter too far, into their padding.": with_lengths(
                given.read_one_by_one, shifted(1)
            ),
            "u is transposed: h @ u is what the slow program computes.": turned,
            "the result is right, and its gradient knows only the last letter: h is cut off from "
            "the graph.": forgetful,
            "each letter is read as if it were the first: h does not reach the next "
            "step.": no_memory,
        },
        "other names, or a name without letters",
        "in each step, some names go on and the others have ended. Of which names does h change?",
        ("w", "u", "b"),
        "names",
    ),
    Item(
        "settle",
        15,
        given.settle_one_by_one,
        {
            "all rows go on until the last one has settled: the mask is forgotten.": partial(
                same_rounds, max
            ),
            "no row goes on when the first one has settled.": partial(same_rounds, min),
            "the result is right, and its gradient knows only the last round: something in "
            "the loop is cut off from the graph.": last_round,
            "w is transposed: row @ w is what the slow program computes.": lambda x, w: (
                given.settle_one_by_one(x, w.T)
            ),
            "an entry may be large and negative, too: its size is what counts.": more_than_one,
        },
        "other rows, or rows that have all settled from the start",
        "torch.where(goes_on[:, None], one, other) takes each row from one or from the other.",
        ("x", "w"),
        "rows",
    ),
    Item(
        "tree",
        15,
        partial(tree_as, row_of, joined),
        {
            "left and right are exchanged: a belongs to the left part.": partial(
                tree_as, row_of, lambda a, b, left, right: joined(b, a, left, right)
            ),
            "the matrices are transposed: left @ a is wanted, and not a @ left.": partial(
                tree_as, row_of, lambda a, b, left, right: joined(a.T, b.T, left, right)
            ),
            "both parts go through a: the right one should go through b.": partial(
                tree_as, row_of, lambda a, b, left, right: joined(a, a, left, right)
            ),
            "the right part does not reach the result.": partial(
                tree_as, row_of, lambda a, b, left, right: torch.tanh(left @ a)
            ),
            "a word is taken through tanh, too: it should be its row of x as it is.": partial(
                tree_as, lambda x, row: torch.tanh(x[row]), joined
            ),
            "tanh is missing where two parts are joined.": partial(
                tree_as, row_of, lambda a, b, left, right: left @ a + right @ b
            ),
        },
        "other trees, deep ones among them",
        "what is the value of a tree that is one word? And of one whose two values you know?",
        ("x", "a", "b"),
    ),
)


def said_of(item: Item, run: Any, case: Case) -> str:
    """What is wrong with a function on one case, or ""."""
    if not callable(run):
        return "a function is wanted."
    found = run(*case)
    if not isinstance(found, dict) or not isinstance(found.get("kind"), str):
        return "what comes back from it cannot be read."
    if found["kind"] != "tensor":
        return f"a tensor is wanted, and it returns {found['kind'][:40]}."
    right = outcome(item.right, case)
    try:
        mine = [np.asarray(found["value"], dtype=float), *found["gradients"]]
        if same(mine, right):
            return ""
        if mine[0].shape != right[0].shape:
            return (
                f"the result has the shape {mine[0].shape}, and should have the shape "
                f"{right[0].shape}."
            )
        if not np.isfinite(mine[0]).all():
            return (
                "there is a nan in the result: nan times 0 is nan. Choose instead of multiplying."
            )
        for text, wrong in item.mistakes.items():
            if same(mine, outcome(wrong, case)):
                return text
        if not same(mine[:1], right[:1]):
            return "the result is not that of the slow program, and no mistake that is known."
        if not found["has history"]:
            return "the numbers are right, and the result has no history: no gradient flows back."
        for name, own, other in zip(item.parts, mine[1:], right[1:]):
            if own is not None and not np.isfinite(own).all():
                return (
                    f"the result is right, and there is a nan in the gradient for {name}: it has "
                    "come through what was not chosen. Choose earlier."
                )
            if not same([own], [other]):
                return f"the result is right, and the gradient for {name} is not."
    except (TypeError, ValueError, KeyError, AttributeError):
        pass
    return "what comes back from it cannot be read."


def outcome(function: Callable[..., Any], case: Case) -> list[Any]:
    """The result and the gradients. A mistake that cannot do with this case has none."""
    try:
        found = traced(function)(*case)
        return [found["value"], *found["gradients"]]
    except Exception:
        return [None]


def same(mine: Sequence[Any], other: Sequence[Any]) -> bool:
    """Are these the same arrays? No gradient is one of zeros."""
    if len(mine) != len(other):
        return False
    for one, two in zip(mine, other):
        if two is None and one is None:
            continue
        if one is None or two is None:
            one, two = (
                np.zeros(1) if p is None else np.asarray(p, dtype=float) for p in (one, two)
            )
            if (one == 0).all() and (two == 0).all():
                continue
            return False
        if np.shape(one) != np.shape(two):
            return False
        if not np.allclose(one, two, rtol=1e-6, atol=1e-9):
            return False
    return True


def growth(item: Item, run: Any, case: Case) -> str:
    """Does its graph grow with the number of rows, as that of a loop over them does?"""
    if not item.grows:
        return ""
    more = doubled(item, case)
    said = said_of(item, run, more)
    if said:
        return said
    counts = [run(*one)["operations"] for one in (case, more)]
    if counts[0] == counts[1]:
        return ""
    return (
        f"the numbers are right. But the graph has {counts[0]} operations, and with twice as many "
        f"{item.grows} {counts[1]}: it takes one after another. Take them all at once."
    )


def doubled(item: Item, case: Case) -> Case:
    """The case with each row twice."""
    leaves, others = case
    if item.name == "read":
        letters, lengths = others
        return leaves, [np.concatenate([letters, letters]), lengths * 2]
    if item.name == "masked_loss":
        target, lengths = others
        return [np.concatenate([leaves[0]] * 2)], [np.concatenate([target] * 2), lengths * 2]
    x, w = leaves
    return [np.concatenate([x, x]), w], others


def cases_of(item: Item, student: str) -> list[Case]:
    """The open cases: this student's data."""
    if item.name == "masked_loss":
        return [given.masked_loss_data(student), given.masked_loss_data(student, math.nan)]
    leaves, others = getattr(given, f"{item.name}_data")(student)
    if item.name == "tree":
        return [(leaves, [tree]) for tree in TREES]
    return [(leaves, others)]


def judge_of(item: Item, student: str) -> Callable[[Any], str]:
    def judge(run: Any) -> str:
        cases = cases_of(item, student)
        return first_said(item, run, cases) or growth(item, run, cases[0])

    return judge


def first_said(item: Item, run: Any, cases: Sequence[Case]) -> str:
    """What is wrong in the first case in which something is; known mistakes come first."""
    said = [one for one in (said_of(item, run, case) for case in cases) if one]
    known = [one for one in said if one in item.mistakes]
    return [*known, *said, ""][0]


def exercises(student: str) -> list[lesson.Exercise]:
    """The six exercises, with this student's numbers."""
    made = [
        lesson.Exercise(
            "rounds",
            judge=lambda attempt: judge_numbers(attempt, [rounds(numbers(student, "rounds"))]),
            points=10,
            seconds=5,
            hint="write down y after each round as a multiple of x.",
        ),
        lesson.Exercise(
            "branch",
            judge=lambda attempt: judge_numbers(attempt, branch(numbers(student, "branch"))),
            points=15,
            seconds=5,
            hint="draw the two lines, and mark which of them holds at t itself.",
        ),
    ]
    for item in ITEMS:
        made.append(
            lesson.Exercise(
                item.name,
                judge=judge_of(item, student),
                hidden=hidden_judge(item),
                points=item.points,
                seconds=10,
                hint=item.hint,
            )
        )
    return made


### BEGIN HIDDEN
SECRET = "a 2nd set of data"  # names the data of the hidden cases: a teacher takes another text


def walked(tree: Any, leaf: Leaf, join: Join) -> Any:
    """The parts of any tree, joined."""
    if isinstance(tree, int):
        return leaf(tree)
    left, right = (walked(part, leaf, join) for part in tree)
    return join(left, right)


def chains() -> list[Any]:
    """A tree that leans to the left, and one that leans to the right."""
    left: Any = 3
    right: Any = 3
    for row in range(30):
        left = (left, row % 4)
        right = (row % 4, right)
    return [left, right]


MORE_TREES = [((0, (1, 2)), ((3, 3), 2)), *chains()]
SHAPES |= {tree: partial(walked, tree) for tree in MORE_TREES}


def hidden_judge(item: Item) -> Callable[[Any], str]:
    """The same judge with other data, and without what it says of them."""

    def judge(run: Any) -> str:
        try:
            said = first_said(item, run, more_cases(item))
        except Exception:  # its text could say what the case is
            return f"{item.concept}."
        return said if said in item.mistakes or not said else f"{item.concept}."

    return judge


def more_cases(item: Item) -> list[Case]:
    if item.name == "tree":
        leaves, _ = given.tree_data(SECRET)
        return [(leaves, [tree]) for tree in MORE_TREES]
    cases = [one for number in range(2) for one in cases_of(item, f"{SECRET} {number}")]
    leaves, others = cases[0]
    if item.name == "read":
        letters, lengths = others
        cases.append((leaves, [letters, [0, *lengths[1:]]]))
        cases.append((leaves, [letters[:1], [letters.shape[1]]]))
    elif item.name == "masked_loss":
        target, lengths = others
        cases.append((leaves, [target, [len(target[0])] * len(lengths)]))
    elif item.name == "settle":
        x, w = leaves
        cases.append(([0.1 * np.sign(x), w], []))
        cases.append(([-x, w], []))
    return cases


### END HIDDEN
