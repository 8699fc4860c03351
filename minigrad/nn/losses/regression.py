"""The losses of predicted numbers: how far each is from its target."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._tensor import Tensor
from ...compat.arguments import ensure
from ...engine.record import operation
from ...ops.elementwise.arithmetic import abs, sign
from ...ops.elementwise.choices import where_
from .reduction import REDUCTIONS, Array, checked, compared, each, paired, reduced


@operation(
    input=lambda g, input, target, reduction: 2 * each(g, input, reduction) * (input - target),
    target=lambda g, input, target, reduction: 2 * each(g, input, reduction) * (target - input),
)
def _mse_loss(input: Array, target: Array, reduction: str) -> Array:
    difference = input - target
    return reduced(difference * difference, reduction)


def mse_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    """The squared differences, and of these the mean, the sum, or ("none") all.

    Warns (MG112) if the two do not have the same shape, since then each prediction is compared
    with several targets. Counterpart: ``torch.nn.functional.mse_loss``.

    >>> import minigrad as torch
    >>> torch.nn.functional.mse_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(2.)
    """
    input, target = compared("mse_loss", input, target, reduction)
    return _mse_loss(input, target, reduction)


def l1_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    """The absolute differences. Otherwise as ``mse_loss``.

    Counterpart: ``torch.nn.functional.l1_loss``.

    >>> import minigrad as torch
    >>> torch.nn.functional.l1_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(1.)
    """
    input, target = paired("l1_loss", input, target)
    return REDUCTIONS[checked(reduction)](abs(input - target))


def parabola(x: Array, width: float) -> Array:
    """x² / (2 width), which from x = -width and x = width on goes on as a straight line."""
    distance = np.abs(x)
    return np.where(distance < width, x * x * (0.5 / width), distance - 0.5 * width)


def parabola_slope(x: Any, width: float) -> Any:
    """Its derivative: x / width between the two, and -1 or 1 outside."""
    return where_(abs(x) >= width, sign(x), x / width)


@operation(
    input=lambda g, input, reduction, beta: each(g, input, reduction) * parabola_slope(input, beta)
)
def _smooth_l1_loss(input: Array, reduction: str, beta: float) -> Array:
    return reduced(parabola(input, beta), reduction)


def smooth_l1_loss(
    input: Tensor, target: Tensor, *, reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    """d² / (2 beta) for differences d smaller than beta, abs(d) - beta / 2 for others.

    Counterpart: ``torch.nn.functional.smooth_l1_loss``.

    >>> import minigrad as torch
    >>> torch.nn.functional.smooth_l1_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(0.7500)
    """
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    checked(reduction)
    ensure(beta > 0, "smooth_l1_loss does not support negative values for beta.")
    input, target = compared("smooth_l1_loss", input, target, reduction)
    return _smooth_l1_loss(input - target, reduction, beta)


@operation(
    input=lambda g, input, reduction, delta: (
        each(g, input, reduction) * delta * parabola_slope(input, delta)
    )
)
def _huber_loss(input: Array, reduction: str, delta: float) -> Array:
    return reduced(delta * parabola(input, delta), reduction)


def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0
) -> Tensor:
    """d² / 2 for differences d smaller than delta, delta * (abs(d) - delta / 2) for others.

    Counterpart: ``torch.nn.functional.huber_loss``.

    >>> import minigrad as torch
    >>> torch.nn.functional.huber_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(0.7500)
    """
    checked(reduction)
    ensure(delta > 0, "huber_loss does not support non-positive values for delta.")
    input, target = compared("huber_loss", input, target, reduction)
    return _huber_loss(input - target, reduction, delta)
