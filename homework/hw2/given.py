"""What HW2 begins with: programs that take one thing after another, and the data of your name.

They are right, and slow. The notebook shows the same programs, and asks for fast ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

import minigrad as torch
from minigrad.homework.assignment import same_person

Arrays = tuple[list[Any], list[Any]]
"""The arguments of a function: those that a gradient is wanted for, and the others behind them."""


def drawing(student: str, item: str) -> np.random.Generator:
    """What draws the numbers of this item for this student."""
    text = f"hw2/{item}/{same_person(student)}"
    return np.random.default_rng(list(hashlib.sha256(text.encode()).digest()))


def lengths_of(random: np.random.Generator, count: int, longest: int) -> list[int]:
    """Different lengths, the longest among them."""
    rest = random.integers(1, longest, count - 1)
    return [int(one) for one in random.permutation([*rest, 1, longest][-count:])]


# ------------------------------------------------------------------------------------ item 3


def masked_loss_data(student: str, padding: float = 7.0) -> Arrays:
    """Predictions, targets, lengths; behind its length a row holds the padding."""
    random = drawing(student, "masked_loss")
    lengths = lengths_of(random, int(random.integers(3, 6)), int(random.integers(6, 9)))
    shape = (len(lengths), max(lengths))
    predicted = random.normal(size=shape).round(2)
    target = random.normal(size=shape).round(2)
    for row, length in enumerate(lengths):
        target[row, length:] = padding
    return [predicted], [target, lengths]


def loss_one_by_one(predicted, target, lengths):
    """The mean squared error of all entries that belong to a sequence."""
    total = 0.0
    count = 0
    for row, length in enumerate(lengths):
        off = predicted[row, :length] - target[row, :length]
        total = total + (off**2).sum()
        count += length
    return total / count


# ------------------------------------------------------------------------------------ item 4


def read_data(student: str) -> Arrays:
    """The weights of a reader, and names: a row of letters each, a vector for each letter."""
    random = drawing(student, "read")
    features = 4
    hidden = 3
    w = random.normal(size=(features, hidden)).round(2)
    u = random.normal(size=(hidden, hidden)).round(2)
    b = random.normal(size=hidden).round(2)
    lengths = lengths_of(random, 5, int(random.integers(6, 9)))
    letters = random.normal(size=(len(lengths), max(lengths), features)).round(2)
    return [w, u, b], [letters, lengths]


def read_one_by_one(w, u, b, letters, lengths):
    """What a small recurrent network remembers of each name when it has read its last letter."""
    remembered = []
    for row, length in enumerate(lengths):
        h = torch.zeros(len(b), dtype=torch.float64)
        for place in range(length):
            h = torch.tanh(letters[row, place] @ w + h @ u + b)
        remembered.append(h)
    return torch.stack(remembered)


# ------------------------------------------------------------------------------------ item 5


def settle_data(student: str) -> Arrays:
    """Rows of different sizes, and a matrix that makes each of them smaller."""
    random = drawing(student, "settle")
    while True:
        w = random.normal(size=(3, 3))
        w = (0.7 * w / np.linalg.norm(w, 2)).round(2)
        sizes = 0.4 * 2.0 ** random.permutation([0, 2, 4, 6])
        signs = random.choice([-1, 1], (4, 3))
        x = (sizes[:, None] * signs * random.uniform(1, 2, (4, 3))).round(2)
        rounds = [rounds_of(row, w) for row in x]
        signs_count = rounds != [rounds_of(row, w, lambda entries: entries) for row in x]
        if None not in rounds and len({*rounds}) >= 3 and min(rounds) == 0 and signs_count:
            return [x, w], []


def rounds_of(row: Any, w: Any, size_of: Callable[[Any], Any] = np.abs) -> int | None:
    """How many rounds a row takes; None if it comes so near to 1 that rounding could decide."""
    rounds = 0
    while True:
        size = size_of(row).max()
        if abs(size - 1) < 0.02:
            return None
        if size <= 1:
            return rounds
        row = row @ w
        rounds += 1


def settle_one_by_one(x, w):
    """Each row is multiplied by w until no entry is larger than 1; a small row stays as it is."""
    settled = []
    for row in x:
        while row.abs().max() > 1:
            row = row @ w
        settled.append(row)
    return torch.stack(settled)


# ------------------------------------------------------------------------------------ item 6


def tree_data(student: str) -> Arrays:
    """A vector for each word, and the two matrices that join two parts."""
    random = drawing(student, "tree")
    x = random.normal(size=(4, 3)).round(2)
    a = random.normal(size=(3, 3)).round(2)
    b = random.normal(size=(3, 3)).round(2)
    return [x, a, b], []
