"""Adam, and AdamW, whose weight decay does not pass through the averages."""

from __future__ import annotations

import math
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
from .options import check_not_negative, ensure_valid


class Adam(Optimizer):
    """Each entry moves by about ``lr``, whatever the size of its gradient.

    Two averages follow the gradient g and its square, and are corrected for their start at 0:
    in step t, ``m = b1 * m + (1 - b1) * g`` and ``v = b2 * v + (1 - b2) * g²``, then
    ``p -= lr * (m / (1 - b1**t)) / (sqrt(v / (1 - b2**t)) + eps)``.

    Parameters
    ----------
    params : iterable
        The parameters, or groups of them: see ``Optimizer``.
    lr : float
        The learning rate, not negative.
    betas : pair of floats
        b1 and b2, from 0 up to, not including, 1: how slowly the averages forget.
    eps : float
        Keeps the quotient small where v is 0.
    weight_decay : float
        This times the parameter is added to its gradient.
    amsgrad : bool
        Divide by the largest v so far.
    maximize : bool
        Move along the gradient.
    decoupled_weight_decay : bool
        Shrink the parameter instead, as ``AdamW`` does.
    foreach, capturable, fused
        Choose kernels in PyTorch, and nothing here.

    Raises ValueError for options out of range, and as ``Optimizer``.
    Counterpart: ``torch.optim.Adam``.

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 1.0], requires_grad=True)
    >>> optimiser = torch.optim.Adam([w], lr=0.1)
    >>> (w * torch.tensor([1.0, 1000.0])).sum().backward()
    >>> optimiser.step()
    >>> w
    tensor([0.9000, 0.9000], requires_grad=True)
    """

    _joins = True

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_not_negative(lr=lr, eps=eps, weight_decay=weight_decay)
        for index, beta in enumerate(betas):
            ensure_valid(0 <= beta < 1, "Invalid beta parameter at index {}: {}", index, beta)
        whole = any(isinstance(beta, int) for beta in betas)
        ensure_valid(not whole, "betas must be either both floats or both Tensors")
        defaults = {
            "lr": lr,
            "betas": tuple(betas),
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)

    def _update(self, state: dict[str, Any], w: Array, g: Array, group: dict[str, Any]) -> None:
        if not state:
            state["step"] = step_counter()
            state["exp_avg"] = zeros_like(w)
            state["exp_avg_sq"] = zeros_like(w)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = zeros_like(w)
        # Weight decay and ``maximize`` are already in w and g: see ``Optimizer``.
        t = next_step(state)
        beta1, beta2 = group["betas"]
        m = memory_to_write(state["exp_avg"])
        v = memory_to_write(state["exp_avg_sq"])
        scratch = np.empty_like(w)
        update_average(m, g, beta1, scratch)
        update_average_of_squares(v, g, beta2, scratch)
        if group["amsgrad"]:
            largest = memory_to_write(state["max_exp_avg_sq"])
            v = np.maximum(largest, v, out=largest)
        # Numerator and denominator times sqrt(1 - b2**t): a division less for each entry.
        correction = math.sqrt(1 - beta2**t)
        divide_by_root(m, v, group["eps"] * correction, scratch)  # scratch = m / (sqrt(v) + …)
        scratch *= float(group["lr"]) / (1 - beta1**t) * correction
        w -= scratch


class AdamW(Adam):
    """Adam with a weight decay of its own: each step first takes ``p *= 1 - lr * weight_decay``.

    So the decay is the same for entries of large and of small gradients. Options, errors and
    formula are ``Adam``'s. Counterpart: ``torch.optim.AdamW``.

    >>> import minigrad as torch
    >>> w = torch.tensor([1.0, 1.0], requires_grad=True)
    >>> optimiser = torch.optim.AdamW([w], lr=0.1, weight_decay=0.5)
    >>> (w * torch.tensor([0.0, 1000.0])).sum().backward()
    >>> optimiser.step()
    >>> w
    tensor([0.9500, 0.8500], requires_grad=True)
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:  # also where they come from an Adam
            group["decoupled_weight_decay"] = True
