"""What ``TrainingLoop`` must know of the library that a training is written with: minigrad's part.

The rest of a training is read by the names that minigrad and PyTorch share.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from minigrad.engine.node import Node, TensorBase, edge_to, reachable
from minigrad.nn import Module
from minigrad.optim import Optimizer
from minigrad.tape.recorder import version_of
from minigrad.tape.values import capture


class Library:
    """minigrad, as a ``Record`` and its ``Wiring`` see it."""

    tensor: Any = TensorBase
    module: Any = Module
    optimizer: Any = Optimizer
    plain: frozenset[str] = frozenset(vars(Module()))  # the attributes that every module has
    unasked = ""  # why nothing is asked of such a training; "": it is asked

    def parameters(self, model: Any) -> dict[str, Any]:
        """The parameters of a model, by name."""
        return dict(model.named_parameters())

    def numbers(self, tensor: Any) -> Any:
        """What has a tensor's numbers as ``_array``, and in ``_grad`` what has its gradient's."""
        return tensor

    def size(self, tensor: Any) -> int:
        """How many numbers there are in a tensor."""
        return int(tensor._array.size)

    def loss(self, roots: Iterable[Any]) -> float:
        """The sum of what a backward pass begins with."""
        loss = 0.0
        for root in roots:
            values = root._array
            loss += values.item() if isinstance(values, np.generic) else float(values.sum())
        return loss

    def leaves_behind(self, roots: Iterable[Any]) -> list[Any]:
        """The leaves to which a backward pass leads."""
        targets = [edge_to(root) for root in roots]
        leaves = [target for target in targets if isinstance(target, TensorBase)]
        for node in reachable(targets):
            leaves += [edge for edge in node.edges if isinstance(edge, TensorBase)]
        return [leaf for leaf in leaves if not isinstance(leaf._node, Node)]

    def written(self, tensor: Any) -> tuple[int, Any]:
        """What tells whether a tensor is written to: how often it was, and some numbers."""
        count, _ = version_of(tensor)
        return count, capture(tensor._array).corner
