"""Data sets read from files of the package: nothing is downloaded, and none is read on import.

Every fifth example is for testing: always the same ones.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from .. import longs
from ..engine.node import new_tensor

FOLDER = os.path.dirname(__file__)


class Examples(NamedTuple):
    """Inputs and numbers of classes, to learn from and to test with, and the classes' names."""

    x: Any
    y: Any
    x_test: Any
    y_test: Any
    classes: tuple[str, ...]


def divided(x: Any, y: Any, classes: tuple[str, ...]) -> Examples:
    """Examples with every fifth of them, from the first on, for testing."""
    test = longs.arange(len(y)) % 5 == 0

    def part(chosen: Any) -> tuple[Any, Any]:
        labels = new_tensor(y[chosen].astype(np.int64))
        if isinstance(x, list):  # of words
            return [x[place] for place in longs.flatnonzero(chosen)], labels
        return new_tensor(x[chosen]), labels

    return Examples(*part(~test), *part(test), classes)


def lines_of(name: str) -> list[list[str]]:
    """The lines of a table, without its heading, divided at the commas."""
    with open(os.path.join(FOLDER, name), encoding="ascii") as file:
        lines = file.read().splitlines()
    return [line.split(",") for line in lines[1:]]


def digits() -> Examples:
    """1,797 handwritten digits of 8 x 8 grey levels from 0 to 1: 1,437 to learn from, 360 to test.

    ``x`` has the shape (N, 1, 8, 8), float32; ``y`` says which digit. They were written by 13
    people, each of whom is in both parts, so that a stranger's digits may be harder.

    >>> import minigrad as torch
    >>> data = torch.datasets.digits()
    >>> data.x.shape, data.x_test.shape, data.y[0]
    (torch.Size([1437, 1, 8, 8]), torch.Size([360, 1, 8, 8]), tensor(1))
    """
    with np.load(os.path.join(FOLDER, "digits.npz"), allow_pickle=False) as file:
        images = file["images"]
        labels = file["labels"]
    return divided(images[:, None].astype(np.float32) / 16, labels, tuple("0123456789"))


def names() -> Examples:
    """6,000 names in small letters, as texts: is it a given name (0) or a surname (1)?

    The 3,000 most frequent of each kind in the United States in 1990: 4,800 to learn from, 1,200
    to test. What is both, such as "james", counts as a given name.

    >>> import minigrad as torch
    >>> data = torch.datasets.names()
    >>> list(zip(data.x_test, data.y_test.tolist()))[:4]
    [('james', 0), ('brown', 1), ('william', 0), ('garcia', 1)]
    """
    pairs = lines_of("names.csv")
    x = [name for pair in pairs for name in pair]
    return divided(x, longs.arange(len(x)) % 2, ("given name", "surname"))


def penguins() -> Examples:
    """342 penguins of three species, and four measures of each: 273 to learn from, 69 to test.

    The columns of ``x``: length and depth of the bill and length of the flipper in mm, and the
    mass of the body in g. Two more penguins, which nobody measured, are left out.

    >>> import minigrad as torch
    >>> data = torch.datasets.penguins()
    >>> data.x.shape, data.classes
    (torch.Size([273, 4]), ('Adelie', 'Chinstrap', 'Gentoo'))
    """
    lines = [line for line in lines_of("penguins.csv") if line[2] != "NA"]
    classes = tuple(sorted({line[0] for line in lines}))
    x = np.array([line[2:6] for line in lines], np.float32)
    return divided(x, np.array([classes.index(line[0]) for line in lines]), classes)
