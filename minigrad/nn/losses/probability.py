"""The losses of predicted probabilities: how unlikely the targets are, by these."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ... import dtypes
from ..._tensor import Tensor
from ...compat.arguments import check_implemented, ensure, tensor_array
from ...engine.record import operation
from ...ops.activations import sigmoid
from ...ops.elementwise.choices import clamp_min
from ...ops.elementwise.exponential import exp, log, xlogy
from ...ops.reduction import sum
from ..activations import log_sigmoid
from .reduction import REDUCTIONS, Array, checked, compared, each, reduced, same_dtype


def log_odds(p: Any) -> Any:
    """log(p / (1 - p)), each logarithm at least -100."""
    return clamp_min(log(p), -100) - clamp_min(log(1 - p), -100)


@operation(
    input=lambda g, input, target, weight, reduction: (
        each(g, input, reduction)
        * weight
        * (input - target)
        / clamp_min(input * (1 - input), 1e-12)
    ),
    target=lambda g, input, weight, reduction: (
        each(g, input, reduction) * weight * -log_odds(input)
    ),
)
def _binary_cross_entropy(input: Array, target: Array, weight: Array, reduction: str) -> Array:
    with np.errstate(all="ignore"):
        log_p = np.maximum(np.log(input), -100)
        log_not_p = np.maximum(np.log(1 - input), -100)
    return reduced(weight * ((target - 1) * log_not_p - target * log_p), reduction)


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, *, reduction: str = "mean"
) -> Tensor:
    """-(target * log(input) + (1 - target) * log(1 - input)), for probabilities of two classes.

    A logarithm counts as -100 if it is lower, so that the loss stays finite. Raises ValueError
    for different shapes, RuntimeError for what is no probability.
    Counterpart: ``torch.nn.functional.binary_cross_entropy``.

    >>> import minigrad as torch
    >>> torch.nn.functional.binary_cross_entropy(torch.tensor([0.5]), torch.tensor([1.0]))
    tensor(0.6931)
    """
    p = tensor_array("binary_cross_entropy", input)
    y = tensor_array("binary_cross_entropy", target, "target", 2)
    text = "Using a target size ({}) that is different to the input size ({}) is deprecated. "
    text += "Please ensure they have the same size."
    ensure(p.shape == y.shape, text, target.shape, input.shape, error=ValueError)
    checked(reduction)
    same_dtype("Found dtype {1} but expected {0}", p, y)
    check_implemented("binary_cross_entropy", p, "f")
    for name, array in (("input", p), ("target", y)):
        inside = ((array >= 0) & (array <= 1)).all()
        ensure(inside, "all elements of {} should be between 0 and 1", name)
    return _binary_cross_entropy(input, target, one_if_none(weight), reduction)


def one_if_none(weight: Tensor | None) -> Any:
    """A weight to multiply by."""
    return 1 if weight is None else weight


@operation(
    input=lambda g, input, target, weight, pos_weight, reduction: (
        each(g, input, reduction)
        * weight
        * ((pos_weight * target + 1 - target) * sigmoid(input) - pos_weight * target)
    ),
    target=lambda g, input, weight, pos_weight, reduction: (
        each(g, input, reduction) * weight * (log_sigmoid(-input) - pos_weight * log_sigmoid(input))
    ),
)
def _binary_cross_entropy_with_logits(
    input: Array, target: Array, weight: Array, pos_weight: Array, reduction: str
) -> Array:
    minus_log_p = np.log1p(np.exp(-np.abs(input))) + np.maximum(-input, 0)  # p is sigmoid(input)
    losses = (1 - target) * input + (1 + (pos_weight - 1) * target) * minus_log_p
    text = "output with shape {} doesn't match the broadcast shape {}"
    ensure(losses.shape == input.shape, text, list(input.shape), list(losses.shape))
    return reduced(weight * losses, reduction)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """``binary_cross_entropy(sigmoid(input), target)``, exact also for large inputs.

    ``pos_weight`` weighs the targets that are 1. Raises ValueError for different shapes.
    Counterpart: ``torch.nn.functional.binary_cross_entropy_with_logits``.

    >>> import minigrad as torch
    >>> torch.nn.functional.binary_cross_entropy_with_logits(
    ...     torch.tensor([0.0, 1000.0]), torch.tensor([1.0, 1.0]), reduction="none")
    tensor([0.6931, 0.0000])
    """
    function = "binary_cross_entropy_with_logits"
    x = tensor_array(function, input)
    y = tensor_array(function, target, "target", 2)
    text = "Target size ({}) must be the same as input size ({})"
    ensure(x.shape == y.shape, text, target.shape, input.shape, error=ValueError)
    check_implemented("log_sigmoid_cpu", x, "f")
    text = "result type {} can't be cast to the desired output type {}"
    ensure(y.dtype.kind == "f", text, dtypes.of(x).title, dtypes.of(y).title)
    input, target = compared(function, input, target, reduction)
    weights = one_if_none(weight), one_if_none(pos_weight)
    return _binary_cross_entropy_with_logits(input, target, *weights, reduction)


def kl_div(
    input: Tensor, target: Tensor, *, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """target * (log(target) - input): how far probabilities are from those whose log is given.

    ``log_target``: the target is given as logarithms too. "batchmean" divides the sum by the
    size of the first dimension; "mean", by the number of entries, warns that it is not the
    mathematical definition. Counterpart: ``torch.nn.functional.kl_div``.

    >>> import minigrad as torch
    >>> log_q = torch.tensor([0.25, 0.75]).log()
    >>> p = torch.tensor([0.5, 0.5])
    >>> torch.nn.functional.kl_div(log_q, p, reduction="sum")
    tensor(0.1438)
    """
    x = tensor_array("kl_div", input)
    y = tensor_array("kl_div", target, "target", 2)
    if reduction == "mean":
        text = "reduction: 'mean' divides the total loss by both the batch size and the support "
        text += "size. 'batchmean' divides by the batch size alone: the mathematical definition."
        warnings.warn(text, stacklevel=2)
    by_batch = reduction == "batchmean"
    if not by_batch:
        checked(reduction)
    ensure(x.dtype.kind == y.dtype.kind == "f", "kl_div: Integral inputs not supported.")
    if log_target:
        losses = exp(target) * (target - input)
    else:
        losses = xlogy(target, target) - target * input
    if not by_batch:
        return REDUCTIONS[reduction](losses)
    loss = sum(losses)
    return loss / x.shape[0] if x.ndim else loss
