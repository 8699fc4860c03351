"""The small instruments of notebook 03: slopes in two ways, steps, and the path behind a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import minigrad as torch

LIMIT = 2.0  # at which an error is clipped


def leaves(*numbers: float) -> list[Any]:
    return [torch.tensor(number, requires_grad=True) for number in numbers]


def normal(count: int) -> list[float]:
    """Random numbers, around 0 and mostly between -2 and 2; the same ones each time."""
    return [float(number) for number in np.random.default_rng(0).normal(size=count)]


def slope(function: Callable[..., Any], a: float, **options: Any) -> float:
    """The function's derivative at ``a``, by ``backward()``, with 64 bits."""
    leaf = torch.tensor(a, dtype=torch.float64, requires_grad=True)
    function(leaf, **options).backward()
    return float(leaf.grad.item())


def value(function: Callable[..., Any], a: float, **options: Any) -> float:
    """The function's value at ``a``; recorded, so that a loop without end is noticed."""
    point = torch.tensor(a, dtype=torch.float64, requires_grad=True)
    return float(function(point, **options).item())


def nudged(function: Callable[..., Any], a: float, h: float, **options: Any) -> float:
    """The same by nudging: how much the result moves from ``a - h`` to ``a + h``, per step."""
    return (value(function, a + h, **options) - value(function, a - h, **options)) / (2 * h)


def fit(loss_at: Callable[[int], Any], parameters: list[Any], steps: int, lr: float = 0.2) -> None:
    """Train: in each step clear the gradients, compute new ones, and walk down along them."""
    optimizer = torch.optim.SGD(parameters, lr=lr)
    for step in range(steps):
        optimizer.zero_grad()
        loss_at(step).backward()
        optimizer.step()


def path(result: Any) -> tuple[str, ...]:
    """The nodes from the leaf to a result: the first input of each."""
    node, found = result.grad_fn, []
    while node.next_functions:
        found.append(node.name())
        node = node.next_functions[0][0]
    return tuple(reversed(found))
