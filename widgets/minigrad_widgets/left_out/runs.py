"""The lines of a training loop on copies, run round by round, and what is heard of them."""

from __future__ import annotations

import math
import threading
from types import CodeType
from typing import Any

from minigrad.engine import backward
from minigrad.engine.node import TensorBase
from minigrad.nn import Module
from minigrad.optim import Optimizer

from ..training.hooks import trial

Curve = list[tuple[int, float]]
"""After how many steps, and what was measured then."""


class Run:
    """A run of the lines in ``code`` on these variables, some calls of which may be left out."""

    def __init__(self, variables: dict[str, Any], code: CodeType, left_out: str | None) -> None:
        self.variables = variables
        self.model = variables["__model__"]
        self.curve: Curve = []
        self.losses: list[float] = []  # of each round
        self.passes: list[float] = []  # of each backward pass
        self._code = code
        self._thread = threading.get_ident()
        self._tensors = tensors_in(variables)
        optimizer = variables["__optimizer__"]
        if left_out == "zero_grad":
            self.model.zero_grad = optimizer.zero_grad = nothing
        if left_out == "step":
            optimizer.step = nothing
        variables["__backward__"] = self._left_out_pass

    def hold_still(self, other: Run) -> None:
        """Take over the weights of another run; no step is to move them."""
        for ours, its in zip(self._tensors, other._tensors):
            ours._array = its._array.copy()
        for one in self.variables.values():
            if isinstance(one, Optimizer):
                one.step = nothing  # type: ignore[method-assign]

    def round(self, item: Any) -> None:
        """Run one round."""
        before = len(self.passes)
        self.variables["__items__"] = (item,)
        heard = self._passed
        backward.listeners.append(heard)
        try:
            with trial.running():
                exec(self._code, self.variables)
        finally:
            backward.listeners.remove(heard)
        losses = self.passes[before:]
        self.losses.append(sum(losses) if losses else math.nan)

    def _passed(self, roots: tuple[Any, ...], over: bool) -> None:
        """A backward pass begins, or is over; see ``backward.listeners``."""
        if over and threading.get_ident() == self._thread:
            self.passes.append(sum(float(root._array.sum()) for root in roots))

    def _left_out_pass(self, *given: Any, **options: Any) -> None:
        """What stands in the place of a backward pass that is left out: only its loss is noted."""
        root = next(one for one in given if isinstance(one, TensorBase))
        self._passed((root,), True)


def nothing(*args: Any, **options: Any) -> None:
    """What a line does that is left out."""


def tensors_in(variables: dict[str, Any]) -> list[TensorBase]:
    """What training may change: the tensors of the model, and of other modules with a name."""
    modules = [variables[name] for name in sorted(variables)]
    return [
        tensor
        for module in modules
        if isinstance(module, Module)
        for tensor in (*module.parameters(), *module.buffers())
    ]
