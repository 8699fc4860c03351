"""RMSprop: each entry's step is divided by the size that its gradients had of late."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.views import memory_to_write
from .optimizer import (
    Optimizer,
    count,
    counted,
    divide,
    follow,
    follow_square,
    refuse_negative,
    zeros_like,
)


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
        params,
        lr=1e-2,
        alpha=0.99,
        eps=1e-8,
        weight_decay=0,
        momentum=0,
        centered=False,
        capturable=False,
        foreach=None,
        maximize=False,
        differentiable=False,
    ):
        options = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps}
        refuse_negative(**options, weight_decay=weight_decay)
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

    def _move(self, state: dict[str, Any], w: Any, g: Any, group: dict[str, Any]) -> None:
        momentum = group["momentum"]
        if not state:
            state["step"], state["square_avg"] = count(), zeros_like(w)
            if momentum > 0:
                state["momentum_buffer"] = zeros_like(w)
            if group["centered"]:
                state["grad_avg"] = zeros_like(w)
        counted(state)
        v = memory_to_write(state["square_avg"])
        scratch = np.empty_like(w)
        follow_square(v, g, group["alpha"], scratch)
        if group["centered"]:
            mean = memory_to_write(state["grad_avg"])
            follow(mean, g, group["alpha"], scratch)
            np.multiply(mean, mean, out=scratch)
            v = np.subtract(v, scratch, out=scratch)
        divide(g, v, group["eps"], scratch)
        if momentum > 0:
            velocity = memory_to_write(state["momentum_buffer"])
            velocity *= momentum
            velocity += scratch
            np.copyto(scratch, velocity)
        scratch *= float(group["lr"])
        w -= scratch
