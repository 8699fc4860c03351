"""RMSprop: each entry's step is divided by the size that its gradients had of late."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor
from ..engine.views import memory_to_write
from .averages import (
    Array,
    divide_by_root,
    next_step,
    step_counter,
    update_average,
    update_average_of_squares,
    zeros_like,
)
from .optimizer import Optimizer, Params
from .options import check_not_negative


class RMSprop(Optimizer):
    """``p -= lr * g / (sqrt(v) + eps)``, where v follows the square of the gradient g.

    In each step, ``v = alpha * v + (1 - alpha) * g²``.

    Parameters
    ----------
    params : iterable
        The parameters, or groups of them: see ``Optimizer``.
    lr : float
        The learning rate, not negative.
    alpha, eps : float
        See the formulas.
    weight_decay : float
        This times the parameter is added to its gradient.
    momentum : float
        With momentum m, ``b = m * b + g / (sqrt(v) + eps)`` and ``p -= lr * b``.
    centered : bool
        Subtract from v the square of an average of g, so that it is a variance.
    maximize : bool
        Move along the gradient.
    capturable, foreach
        Choose kernels in PyTorch, and nothing here.

    Raises ValueError for negative options, and as ``Optimizer``.
    Counterpart: ``torch.optim.RMSprop``.

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 1.0], requires_grad=True)
    >>> optimiser = torch.optim.RMSprop([w], lr=0.01)
    >>> (w * torch.tensor([1.0, 1000.0])).sum().backward()
    >>> optimiser.step()
    >>> w
    tensor([0.9000, 0.9000], requires_grad=True)
    """

    _joins = True

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        options = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps}
        check_not_negative(**options, weight_decay=weight_decay)
        defaults = {
            **options,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _update(self, state: dict[str, Any], w: Array, g: Array, group: dict[str, Any]) -> None:
        momentum = group["momentum"]
        if not state:
            state["step"] = step_counter()
            state["square_avg"] = zeros_like(w)
            if momentum > 0:
                state["momentum_buffer"] = zeros_like(w)
            if group["centered"]:
                state["grad_avg"] = zeros_like(w)
        next_step(state)
        v = memory_to_write(state["square_avg"])
        scratch = np.empty_like(w)
        update_average_of_squares(v, g, group["alpha"], scratch)
        if group["centered"]:
            mean = memory_to_write(state["grad_avg"])
            update_average(mean, g, group["alpha"], scratch)
            np.multiply(mean, mean, out=scratch)
            v = np.subtract(v, scratch, out=scratch)
        divide_by_root(g, v, group["eps"], scratch)
        if momentum > 0:
            velocity = memory_to_write(state["momentum_buffer"])
            velocity *= momentum
            velocity += scratch
            np.copyto(scratch, velocity)
        scratch *= float(group["lr"])
        w -= scratch
