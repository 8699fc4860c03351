"""What notebook 13 runs: gradients that are checked, early exits and graphs that are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import minigrad as torch
import minigrad.nn.functional as F

from .graphs import nodes
from .nudges import slope, steepest

NUDGE = 0.01


def node_count(result: Any) -> int:
    """How many nodes lead to a result."""
    return len(nodes(result))


def checked(weight: Any, loss: Callable[[], Any]) -> str:
    """A gradient of one number of a weight, and how fast the loss moves when it is nudged.

    The number is the one with the largest gradient, or the first one if there is none.
    """
    none = weight.grad is None
    place = (0, 0) if none else steepest(weight)
    told = "None  " if none else f"{weight.grad[place].item():6.3f}"
    return f"gradient {told}  nudged {slope(loss, weight, place, NUDGE):6.3f}"


def blocks_used(model: Any, images: Any, sure: float) -> tuple[Counter[int], list[int]]:
    """How many images leave a network of blocks after so many of them, as soon as it is sure.

    And what it reads in each image.
    """
    found: Counter[int] = Counter()
    answers = []
    with torch.no_grad():
        for image in images:
            h = torch.tanh(model.first(image.flatten().unsqueeze(0)))
            used = 0
            for block in model.blocks:
                h = h + torch.tanh(block(h))
                used += 1
                scores = model.last(h)
                if F.softmax(scores, 1).max().item() >= sure:
                    break
            found[used] += 1
            answers.append(int(scores.argmax().item()))
    return found, answers
