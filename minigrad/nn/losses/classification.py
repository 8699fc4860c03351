"""The losses of predicted classes, from scores for all of them."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np

from ... import dtypes, longs
from ..._tensor import Tensor
from ...compat.arguments import check_implemented, ensure, tensor_array
from ...engine.node import new_tensor
from ...engine.record import operation
from ...fast.cross_entropy import cross_entropy_at_once
from ...ops.activations import log_softmax
from ...ops.indexing import _embed
from ...ops.reduction import sum
from .reduction import Array, checked, same_dtype

INT64 = dtypes.int64.numpy


@operation(
    input=lambda g, indices, shares, input_shape: _embed(0 - g * shares, indices, input_shape)
)
def _nll_loss(input: Array, indices: Any, shares: Array, reduction: str) -> Array:
    return of_labels(input, indices, shares, reduction)


@operation(
    shown="NllLoss2DBackward0",
    input=lambda g, indices, shares, input_shape: _embed(0 - g * shares, indices, input_shape),
)
def _nll_loss_2d(input: Array, indices: Any, shares: Array, reduction: str) -> Array:
    """The same for scores of more than two dimensions. PyTorch has two names for it."""
    return of_labels(input, indices, shares, reduction)


def of_labels(scores: Array, index: Any, shares: Array, reduction: str) -> Array:
    """Minus the score of each label, times its share in the result; and unless "none", the sum."""
    losses = -scores[index] * shares
    if isinstance(shares, np.ndarray):
        losses = np.where(shares == 0, 0, losses)  # what is ignored may be infinite
    if reduction == "none":
        return losses
    total = np.add.reduce(losses, axis=None)
    if reduction == "mean" and not np.any(shares):
        return total * nan  # a mean over nothing
    return total


UNKNOWN = (
    "Target {0[0]} is out of bounds.\n"
    "  There are {1} scores for each example, so the classes are 0 to {2}.\n"
    "  fix: more scores, or classes that count from 0."
)


def labels_of(scores: Array, target: Any) -> Array:
    """The class indices (N, ...) for scores (N, C, ...), as an array; checked."""
    labels = tensor_array("nll_loss_nd", target, "target", 2)
    if scores.ndim == 2 and labels.shape == scores.shape[:1] and labels.dtype is INT64:
        return labels  # the usual case, quickly
    ensure(scores.ndim, "Expected 1 or more dimensions (got 0)", error=ValueError)
    wanted = (*scores.shape[:1], *scores.shape[2:]) if scores.ndim > 1 else ()
    if scores.ndim == labels.ndim == 1:
        text = "For 1D input, 1D target must have size 1, but got target size: {}"
        ensure(labels.size == 1, text, labels.size, error=ValueError)
        labels = labels.reshape(())
    batch = wanted[:1]
    given = labels.shape[:1] or (0,)
    text = "Expected input batch_size ({}) to match target batch_size ({})."
    ensure(not wanted or batch == given, text, *batch, *given, error=ValueError)
    text = "Expected target size {}, got {}"
    if scores.ndim <= 2:
        text = "0D or 1D target tensor expected, multi-target not supported\n"
        text += "  fix: one class number for each row: target.squeeze(1), or target.argmax(1)."
    ensure(labels.shape == wanted, text, list(wanted), list(labels.shape))
    is_index = labels.dtype in (np.int64, np.uint8)
    text = "expected target dtype to be Long or Byte, but got {}\n"
    text += "  fix: class numbers are whole: target.long(). Of probabilities, give all classes."
    ensure(is_index, text, dtypes.of(labels).title)
    return labels.astype(np.int64, copy=False)


def class_dim(scores: Array) -> int:
    """Which dimension of an array of scores is that of the classes."""
    return 1 if scores.ndim > 1 else 0


def class_weights(scores: Array, weight: Any) -> Array:
    """The weight of each class, as an array; checked."""
    found = tensor_array("nll_loss_nd", weight, "weight", 3)
    classes = scores.shape[class_dim(scores)]
    text = "weight tensor should be defined either for all {} classes or no classes but got weight "
    text += "tensor of shape: {}"
    ensure(found.shape == (classes,), text, classes, list(found.shape))
    return found


class Labels:
    """Class indices, found in an array of scores.

    ``index``    where each label's own score stands in the scores
    ``counted``  an array with 0 for each label that is ignored and 1 for the others; the number 1
                 if none can be, since no class has the number ``ignore_index``
    ``weights``  ``counted``, times the weight of each label's class if classes have weights
    """

    def __init__(self, scores: Array, target: Any, weight: Any, ignore_index: int) -> None:
        labels = labels_of(scores, target)
        classes = scores.shape[class_dim(scores)]
        self.dtype = scores.dtype
        self.size = labels.size
        self.counted: Array = 1
        # One comparison for both bounds: a negative number, read without its sign, is huge.
        all_valid = labels.size and np.maximum.reduce(labels.view(np.uint64), None) < classes
        if not all_valid or 0 <= ignore_index < classes:
            counted = labels != ignore_index
            wrong = labels[counted & ((labels < 0) | (labels >= classes))]
            ensure(not wrong.size, UNKNOWN, wrong, classes, classes - 1, error=IndexError)
            self.counted = counted.astype(scores.dtype)
            labels = labels * counted
        self.weights = self.counted
        if weight is not None:
            of_class = class_weights(scores, weight)
            same_dtype("expected scalar type {} but found {}", scores, of_class)
            self.weights = self.counted * of_class[labels]
        places: Any = [longs.arange(n) for n in labels.shape]
        if labels.ndim > 1:
            places = np.ix_(*places)
        self.index = (*places[:1], labels, *places[1:])  # scores[n, class of n, ...]

    @property
    def alike(self) -> bool:
        """Do all labels count, and count the same?"""
        return isinstance(self.weights, int)

    def shares(self, weights: Array, reduction: str) -> Array:
        """How much each label's loss counts in the result.

        That is its weight, and in a mean its weight divided by the sum of ``self.weights``.
        """
        if reduction != "mean":
            return weights
        if self.alike:
            return self.dtype.type(1 / self.size)
        total = self.weights.sum() or nan
        # An ignored label has no share, even if nothing is left and the others' would be NaN.
        shares = np.where(self.counted, weights / total, 0)
        return shares.astype(self.dtype, copy=False)[()]


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Minus the entry of ``input`` (logarithms of probabilities) at each target's class.

    ``input``: (N, C), (C,) or (N, C, d1, ...); ``target``: class indices of that shape without
    C. ``weight``: one for each class; a mean is divided by the sum of those that occur. Targets
    equal to ``ignore_index`` count for nothing. Raises IndexError for a class that is not there.
    Counterpart: ``torch.nn.functional.nll_loss``.

    >>> import minigrad as torch
    >>> torch.nn.functional.nll_loss(torch.tensor([[0.5, 0.5]]).log(), torch.tensor([0]))
    tensor(0.6931)
    """
    checked(reduction)
    scores = tensor_array("nll_loss_nd", input)
    labels = Labels(scores, target, weight, ignore_index)
    check_implemented("nll_loss_out_frame", scores, "f")
    operation = _nll_loss if scores.ndim <= 2 else _nll_loss_2d
    shares = labels.shares(labels.weights, reduction)
    return operation(input, labels.index, shares, reduction)


@operation(name="div", number=1, input=lambda g, other: g / other)
def _div_number(input: Array, other: float) -> Array:
    return input / other


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """``nll_loss(log_softmax(input), target)``: the loss of a classifier, from its raw scores.

    ``target`` holds class indices (see ``nll_loss``); or, with the shape of ``input``, the
    probability of each class. ``label_smoothing``: the part of each target that is spread
    evenly over all classes. Counterpart: ``torch.nn.functional.cross_entropy``.

    >>> import minigrad as torch
    >>> scores = torch.tensor([[2.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> torch.nn.functional.cross_entropy(scores, torch.tensor([0, 2]), reduction="none")
    tensor([0.2395, 1.0986])
    """
    array = tensor_array("cross_entropy_loss", input)
    wanted = tensor_array("cross_entropy_loss", target, "target", 2)
    checked(reduction)
    text = "label_smoothing must be between 0.0 and 1.0. Got: {}"
    ensure(label_smoothing <= 1, text, label_smoothing)
    if array.shape == wanted.shape:
        known = ignore_index < 0 or wanted.dtype.kind != "f"
        ensure(known, "ignore_index is not supported for floating point target")
        return of_probabilities(input, target, weight, reduction, label_smoothing)
    check_implemented("log_softmax_lastdim_kernel_impl", array, "f")
    labels = Labels(array, target, weight, ignore_index)
    if label_smoothing <= 0 and labels.alike and array.ndim == 2:
        # nll_loss(log_softmax(input, 1), target, reduction=reduction), see fast/cross_entropy.py
        share = labels.shares(1, reduction)
        return cross_entropy_at_once(input, labels.index, share, reduction)
    axis = class_dim(array)
    scores = log_softmax(input, axis)
    loss = nll_loss(scores, target, weight, ignore_index=ignore_index, reduction=reduction)
    if label_smoothing <= 0:
        return loss
    shares = labels.shares(labels.counted, reduction)
    if isinstance(shares, np.ndarray):
        shares = new_tensor(shares)
    of_all_classes = -sum(weighted(scores, weight), axis) * shares
    if reduction != "none":
        of_all_classes = sum(of_all_classes)
    share_of_each = label_smoothing / array.shape[axis]
    return loss * (1 - label_smoothing) + of_all_classes * share_of_each


def weighted(scores: Tensor, weight: Any) -> Tensor:
    """The scores times the weight of their class."""
    if weight is None:
        return scores
    columns = class_weights(scores._array, weight).reshape(-1, *[1] * (scores.ndim - 2))
    return scores * new_tensor(columns)


def of_probabilities(
    input: Tensor, target: Tensor, weight: Any, reduction: str, label_smoothing: float
) -> Tensor:
    """``cross_entropy`` where the target is a probability for each class."""
    array = input._array
    axis = class_dim(input._array)
    text = "Expected floating point type for target with class probabilities, got {}"
    ensure(target._array.dtype.kind == "f", text, dtypes.of(target._array).title)
    classes = array.shape[axis] if array.ndim else 1
    if label_smoothing > 0:
        target = target * (1 - label_smoothing) + label_smoothing / classes
    losses = weighted(log_softmax(input, axis) * target, weight)
    if reduction == "none":
        return -sum(losses, axis)
    loss = -sum(losses)
    if reduction == "sum":
        return loss
    return _div_number(loss, array.size / classes or nan)
