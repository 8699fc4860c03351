"""Data sets that are drawn: as many examples as wanted, the same from the same seed.

``generator``: a ``minigrad.Generator``; without one, the default generator is drawn from.
"""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np

from .. import longs
from ..engine.node import new_tensor
from ..ops.random import default_generator


def drawn(count: int, generator: Any) -> Any:
    """Numbers from 0 up to 1."""
    return (generator or default_generator).uniform(count, np.float64)


def cloud(x: Any, y: Any, classes: int, noise: float, generator: Any) -> tuple[Any, Any]:
    """Points of two coordinates and their classes, as tensors; ``noise``: how far they stray."""
    points = np.stack((x, y), 1)
    points += noise * (generator or default_generator).normal_pairs(points.size).reshape(-1, 2)
    labels = longs.arange(len(points)) % classes
    return new_tensor(points.astype(np.float32)), new_tensor(labels)


def moons(count: int = 200, noise: float = 0.1, generator: Any = None) -> tuple[Any, Any]:
    """Points on two half circles that reach into each other, and which of the two, 0 or 1.

    >>> import minigrad as torch
    >>> x, y = torch.datasets.moons(4, noise=0, generator=torch.Generator().manual_seed(0))
    >>> x.shape, y
    (torch.Size([4, 2]), tensor([0, 1, 0, 1]))
    """
    angle = math.pi * drawn(count, generator)
    lower = longs.arange(count) % 2
    x = np.where(lower, 1 - np.cos(angle), np.cos(angle))
    y = np.where(lower, 0.5 - np.sin(angle), np.sin(angle))
    return cloud(x, y, 2, noise, generator)


def circles(count: int = 200, noise: float = 0.1, generator: Any = None) -> tuple[Any, Any]:
    """Points on a circle of radius 1 (class 0), and on one of radius 1/2 (class 1).

    >>> import minigrad as torch
    >>> x, y = torch.datasets.circles(4)
    >>> x.shape, y.shape
    (torch.Size([4, 2]), torch.Size([4]))
    """
    angle = 2 * math.pi * drawn(count, generator)
    radius = 1 - longs.arange(count) % 2 / 2
    return cloud(radius * np.cos(angle), radius * np.sin(angle), 2, noise, generator)


def spirals(
    count: int = 300, classes: int = 3, noise: float = 0.03, generator: Any = None
) -> tuple[Any, Any]:
    """Points on the arms of a spiral that turn by 270°, and on which arm, from 0 on.

    >>> import minigrad as torch
    >>> x, y = torch.datasets.spirals(6)
    >>> x.shape, y.shape
    (torch.Size([6, 2]), torch.Size([6]))
    """
    radius = drawn(count, generator)
    angle = 1.5 * math.pi * radius + 2 * math.pi / classes * (longs.arange(count) % classes)
    return cloud(radius * np.cos(angle), radius * np.sin(angle), classes, noise, generator)


def xor(count: int = 200, noise: float = 0.1, generator: Any = None) -> tuple[Any, Any]:
    """Points around the corners of a square; class 1 if the coordinates differ in sign.

    >>> import minigrad as torch
    >>> x, y = torch.datasets.xor(4)
    >>> x.shape, y.shape
    (torch.Size([4, 2]), torch.Size([4]))
    """
    number = longs.arange(count)
    x = 1.0 - 2 * (number // 2 % 2)
    y = x * (1 - 2 * (number % 2))
    return cloud(x, y, 2, noise, generator)


def sine(count: int = 100, noise: float = 0.1, generator: Any = None) -> tuple[Any, Any]:
    """x from -pi to pi, and sin(x) with noise: both of the shape (count, 1).

    >>> import minigrad as torch
    >>> x, y = torch.datasets.sine(4)
    >>> x.shape, y.shape
    (torch.Size([4, 1]), torch.Size([4, 1]))
    """
    x = math.pi * (2 * drawn(count, generator) - 1)
    y = np.sin(x) + noise * (generator or default_generator).normal_pairs(count)
    inputs = x[:, None].astype(np.float32)
    targets = y[:, None].astype(np.float32)
    return new_tensor(inputs), new_tensor(targets)


def boolean_trees(
    count: int = 100, depth: int = 3, generator: Any = None
) -> tuple[list[ast.expr], Any]:
    """Expressions of True, False, ``not``, ``and``, ``or``, as Python's ``ast`` has them.

    Each is of exactly this depth (a lone True has depth 0). Also their values, 0 or 1, half of
    them each.

    >>> import ast
    >>> import minigrad as torch
    >>> trees, y = torch.datasets.boolean_trees(2, 2, torch.Generator().manual_seed(1))
    >>> for tree, value in zip(trees, y.tolist()):
    ...     print(ast.unparse(tree), "is", value)
    not (True and True) is 0
    True and (False or True) is 1
    """
    numbers = iter(lambda: drawn(1, generator).item(), None)
    trees = [tree_of(depth, bool(number % 2), numbers) for number in range(count)]
    return trees, new_tensor(longs.arange(count) % 2)


def tree_of(depth: int, value: bool, numbers: Any) -> ast.expr:
    """An expression of this depth and value, as the numbers, from 0 up to 1, decide."""
    if depth == 0:
        return ast.Constant(value)
    choice = next(numbers)
    if choice < 0.2:
        return ast.UnaryOp(ast.Not(), tree_of(depth - 1, not value, numbers))
    both = choice < 0.6  # `and`, which is True only if both sides are; `or`, False only then
    left = value
    right = value
    if value != both:  # one side alone decides, and the other may be either
        if next(numbers) < 0.5:
            right = next(numbers) < 0.5
        else:
            left = not value
    depths = [depth - 1, int(next(numbers) * depth)]  # one side is as deep as wanted
    if next(numbers) < 0.5:
        depths.reverse()
    sides = [tree_of(d, v, numbers) for d, v in zip(depths, (left, right))]
    if both:
        return ast.BoolOp(ast.And(), sides)
    return ast.BoolOp(ast.Or(), sides)
