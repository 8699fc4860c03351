"""Slopes by nudging: one number of a tensor is moved to both sides, and put back.

It needs no graph, so it is an independent check of a gradient: ``(f(x + h) - f(x - h)) / 2h``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import minigrad as torch


def slope(loss: Callable[[], Any], tensor: Any, place: Any, by: float) -> float:
    """How far ``loss()`` moves for each unit of ``tensor[place]``, nudged by ``by`` both ways."""
    losses = []
    with torch.no_grad():
        before = tensor[place].item()
        for value in (before + by, before - by):
            tensor[place] = value
            losses.append(loss().item())
        tensor[place] = before
    return (losses[0] - losses[1]) / (2 * by)


def steepest(weight: Any) -> tuple[int, ...]:
    """Where the largest entry of a weight's grad is."""
    place = np.unravel_index(np.abs(np.asarray(weight.grad)).argmax(), tuple(weight.shape))
    return tuple(map(int, place))
