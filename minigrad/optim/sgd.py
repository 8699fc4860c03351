"""Stochastic gradient descent, with momentum if wanted."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._tensor import Tensor
from ..engine.node import new_tensor
from ..engine.views import memory_to_write
from .averages import Array
from .optimizer import Optimizer, Params
from .options import check_not_negative, ensure_valid


class SGD(Optimizer):
    """Each step moves every parameter against its gradient: ``p -= lr * p.grad``.

    Parameters
    ----------
    params : iterable
        The parameters, or groups of them: see ``Optimizer``.
    lr : float
        The learning rate, not negative.
    momentum : float
        With momentum m, each parameter has a velocity, ``v = m * v + (1 - dampening) * p.grad``
        (at first it is the gradient), and moves against it: ``p -= lr * v``.
    dampening : float
        See there.
    weight_decay : float
        This times the parameter is added to its gradient.
    nesterov : bool
        Move against ``p.grad + m * v`` instead, where the velocity is about to lead.
    maximize : bool
        Move along the gradient.
    foreach, fused
        Choose kernels in PyTorch, and nothing here.

    Raises ValueError for negative options, and as ``Optimizer``. Counterpart: ``torch.optim.SGD``.

    >>> import minigrad as torch
    >>> w = torch.tensor(1.0, requires_grad=True)
    >>> optimiser = torch.optim.SGD([w], lr=0.1)
    >>> for _ in range(3):
    ...     optimiser.zero_grad()
    ...     loss = (w - 3) ** 2
    ...     loss.backward()
    ...     optimiser.step()
    >>> w
    tensor(1.9760, requires_grad=True)
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_not_negative(lr=lr, momentum=momentum, weight_decay=weight_decay)
        fits = not nesterov or (momentum > 0 and dampening == 0)
        ensure_valid(fits, "Nesterov momentum requires a momentum and zero dampening")
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)

    def _update(self, state: dict[str, Any], w: Array, g: Array, group: dict[str, Any]) -> None:
        momentum = group["momentum"]
        if momentum:
            if state.get("momentum_buffer") is None:
                velocity = np.array(g)
                state["momentum_buffer"] = new_tensor(velocity)
            else:
                velocity = memory_to_write(state["momentum_buffer"])
                velocity *= momentum
                velocity += (1 - group["dampening"]) * g
            if group["nesterov"]:
                g = g + momentum * velocity
            else:
                g = velocity
        w -= float(group["lr"]) * g
