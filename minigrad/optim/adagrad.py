"""Adagrad: each entry's step is divided by the size that all its gradients had together."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor
from ..engine.node import new_tensor
from ..engine.views import memory_to_write
from .averages import Array, divide_by_root, next_step, step_counter
from .optimizer import Optimizer, Params
from .options import check_not_negative


class Adagrad(Optimizer):
    """``p -= lr * g / (sqrt(s) + eps)``, where s is the sum of all squares of the gradient g.

    Parameters
    ----------
    params : iterable
        The parameters, or groups of them: see ``Optimizer``.
    lr : float
        The learning rate, not negative.
    lr_decay : float
        In step t, the learning rate is ``lr / (1 + (t - 1) * lr_decay)``.
    weight_decay : float
        This times the parameter is added to its gradient.
    initial_accumulator_value : float
        What s begins with.
    eps : float
        See the formula.
    maximize : bool
        Move along the gradient.
    foreach, fused
        Choose kernels in PyTorch, and nothing here.

    Raises ValueError for negative options, and as ``Optimizer``.
    Counterpart: ``torch.optim.Adagrad``.

    >>> import minigrad as torch
    >>> w = torch.tensor(1.0, requires_grad=True)
    >>> optimiser = torch.optim.Adagrad([w], lr=0.1)
    >>> for _ in range(2):
    ...     optimiser.zero_grad()
    ...     (w * 5).backward()
    ...     optimiser.step()
    >>> w  # it moved by 0.1 and by 0.1 / sqrt(2)
    tensor(0.8293, requires_grad=True)
    """

    _joins = True

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        options = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value,
        }
        check_not_negative(**options)
        defaults = {
            **options,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for param in group["params"]:
                self._start(self.state[param], param._array, group)

    def _start(self, state: dict[str, Any], w: Array, group: dict[str, Any]) -> None:
        start = np.full_like(w, group["initial_accumulator_value"])
        state["step"] = step_counter()
        state["sum"] = new_tensor(start)

    def _update(self, state: dict[str, Any], w: Array, g: Array, group: dict[str, Any]) -> None:
        if not state:
            self._start(state, w, group)
        t = next_step(state)
        total = memory_to_write(state["sum"])
        scratch = np.multiply(g, g, out=np.empty_like(w))
        total += scratch
        divide_by_root(g, total, group["eps"], scratch)
        scratch *= float(group["lr"]) / (1 + (t - 1) * group["lr_decay"])
        w -= scratch
