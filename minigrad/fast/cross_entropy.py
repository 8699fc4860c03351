"""The cross entropy of scores and labels as one operation.

What it buys (``python tests/benchmarks/fast.py --only cross``): without it, the step of a small
classifier with Adam would take 1.19 times as long, LeNet's 1.02 times.

The plain twin is what it means: ``nll_loss(log_softmax(scores, 1), labels)``, two operations, each
with its own walk through the scores in both directions. The derivative of the two together is
short: the probabilities, minus 1 at the label.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.node import TensorBase, edge_to, new_tensor
from ..engine.record import operation, record
from ..ops.activations import _softmax
from ..ops.annotations import Array
from ..ops.indexing import _embed


def cross_entropy_at_once(input: Any, index: Any, share: Any, reduction: str) -> Any:
    """The cross entropy of scores (N, C), whose labels all count the same.

    ``index``: where in the scores those of the labels stand. ``share``: how much each loss counts
    in the result. ``reduction``: "none", or anything else for one number.
    """
    scores = input._array
    lowered = scores - np.maximum.reduce(scores, 1, keepdims=True)  # no exponential overflows
    p = np.exp(lowered)
    sums = np.add.reduce(p, 1)
    p /= sums[:, None]
    losses = -(lowered[index] - np.log(sums))
    source = (edge_to(input),)
    return _cross_entropy(input, losses, p, source, index, share, reduction != "none")


@operation(
    name="nll_loss",
    fused={"input": "log_softmax"},
    input=lambda g, p, source, indices, share: minus_labels(
        softmax_again(g, p, source), g * share, indices
    ),
)
def _cross_entropy(
    input: Array, losses: Array, p: Array, source: Any, indices: Any, share: Any, add: bool
) -> Array:
    """The losses, which are worked out already; or, with ``add``, the sum of their shares."""
    return np.add.reduce(losses) * share if add else losses


def softmax_again(g: Any, p: Array, source: tuple[Any]) -> Any:
    """The probabilities; where their derivative is wanted too, with a history.

    ``source``: where the gradient of the scores goes. So the scores themselves need not be kept,
    and a program may overwrite them.
    """
    if not isinstance(g, TensorBase):
        return p
    (edge,) = source
    scores = edge if isinstance(edge, TensorBase) else new_tensor(p, edge)
    softmax: Any = _softmax
    node = record(softmax.kind, (scores, (1,)), source, ((1,), p), p)
    return new_tensor(p, node)


def minus_labels(p: Any, weights: Any, index: Any) -> Any:
    """``p * weights``, less the weight at each label: one for each, or one number for all."""
    columns = weights.reshape(-1, 1) if weights.shape else weights
    recorded = isinstance(p, TensorBase)
    if recorded:
        return p * columns - _embed(weights, index, p.shape)
    out = np.multiply(p, columns, order="C")
    out[index] -= weights
    return out
