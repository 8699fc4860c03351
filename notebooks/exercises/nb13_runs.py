"""What notebook 13 runs: early exits that are counted, and graphs that are."""

from __future__ import annotations

from collections import Counter
from typing import Any

import minigrad as torch
import minigrad.nn.functional as F

from .graphs import nodes


def node_count(result: Any) -> int:
    """How many nodes lead to a result."""
    return len(nodes(result))


def blocks_used(model: Any, images: Any, sure: float) -> Counter[int]:
    """How many images leave a network of blocks after so many of them, as soon as it is sure."""
    found: Counter[int] = Counter()
    with torch.no_grad():
        for image in images:
            h = torch.tanh(model.first(image.flatten().unsqueeze(0)))
            used = 0
            for block in model.blocks:
                h = h + torch.tanh(block(h))
                used += 1
                if F.softmax(model.last(h), 1).max().item() >= sure:
                    break
            found[used] += 1
    return found
