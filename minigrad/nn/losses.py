"""Loss functions: how far predictions are from their targets, as one number.

What PyTorch records as one node is one operation here, with the reduction to a number in it.
Programs find these functions in ``nn.functional``.
"""

from __future__ import annotations

import warnings
from math import nan, prod
from typing import Any

import numpy as np

from .. import dtypes
from ..errors import warn_broadcast_loss
from ..graph import TensorBase, new_tensor
from ..operands import converted
from ..ops.activations import log_softmax, lowered, softmax
from ..ops.arguments import check_implemented, tensor_array
from ..ops.elementwise import where_
from ..ops.functions import abs, exp, log, sigmoid, sign, xlogy
from ..ops.indexing import _embed
from ..ops.reduction import mean, sum
from ..ops.shaping import broadcast_tensors
from ..primitive import operation
from .activations import log_sigmoid

REDUCTIONS = {"none": lambda losses: losses, "mean": mean, "sum": sum}


def checked(reduction: str) -> str:
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return reduction


def reduced(losses: Any, reduction: str) -> Any:
    """An array of losses as one number, or as it is."""
    if reduction == "none":
        return losses
    amount = np.add.reduce(losses, axis=None)
    return amount if reduction == "sum" else amount / (losses.size or nan)


def each(g: Any, x: Any, reduction: str) -> Any:
    """The gradient of each entry's loss: in a mean, they have equal shares."""
    return g / prod(x.shape) if reduction == "mean" else g


# --------------------------------------------------------------- of the difference of numbers


def paired(input: Any, target: Any) -> tuple[Any, Any]:
    """Both in one shape. Warns (MG112) if they had two."""
    if target.shape == input.shape:
        return input, target
    warn_broadcast_loss(input.shape, target.shape)
    return broadcast_tensors(input, target)


def compared(input: Any, target: Any, kernel: str) -> Any:
    """Both in one shape and in one dtype, which must be floating."""
    input, target = paired(input, target)
    if input._array.dtype is not target._array.dtype:
        wanted = dtypes.result_dtype((input._array, target._array)).numpy
        input, target = converted(input, wanted), converted(target, wanted)
    check_implemented(kernel, input._array, "f")
    return input, target


@operation(
    input=lambda g, input, target, reduction: 2 * each(g, input, reduction) * (input - target),
    target=lambda g, input, target, reduction: 2 * each(g, input, reduction) * (target - input),
)
def _mse_loss(input, target, reduction):
    difference = input - target
    return reduced(difference * difference, reduction)


def mse_loss(input: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The squared differences, and of these the mean, the sum, or ("none") all.

    Warns (MG112) if the two do not have the same shape, since then each prediction is compared
    with several targets. Counterpart: ``torch.nn.functional.mse_loss``.

    >>> import minigrad as torch
    >>> torch.nn.functional.mse_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(2.)
    """
    input, target = compared(input, target, "mse_cpu")
    return _mse_loss(input, target, checked(reduction))


def l1_loss(input: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The absolute differences. Otherwise as ``mse_loss``.

    Counterpart: ``torch.nn.functional.l1_loss``.
    """
    input, target = paired(input, target)
    return REDUCTIONS[checked(reduction)](abs(input - target))


def bend(x: Any, width: Any) -> Any:
    """The derivative of a parabola that goes on as a straight line: x / width from -1 to 1."""
    return where_(abs(x) >= width, sign(x), x / width)


def bowl(x: Any, width: Any) -> Any:
    """That parabola with its lines, of an array."""
    far = np.abs(x)
    return np.where(far < width, x * x * (0.5 / width), far - 0.5 * width)


@operation(input=lambda g, input, reduction, beta: each(g, input, reduction) * bend(input, beta))
def _smooth_l1_loss(input, reduction, beta):
    return reduced(bowl(input, beta), reduction)


def smooth_l1_loss(input: Any, target: Any, *, reduction: str = "mean", beta: float = 1.0) -> Any:
    """d² / (2 beta) for differences d smaller than beta, abs(d) - beta / 2 for others.

    Counterpart: ``torch.nn.functional.smooth_l1_loss``.
    """
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    input, target = compared(input, target, "smooth_l1_cpu")
    return _smooth_l1_loss(input - target, checked(reduction), beta)


@operation(
    input=lambda g, input, reduction, delta: each(g, input, reduction) * delta * bend(input, delta)
)
def _huber_loss(input, reduction, delta):
    return reduced(delta * bowl(input, delta), reduction)


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> Any:
    """d² / 2 for differences d smaller than delta, delta * (abs(d) - delta / 2) for others.

    Counterpart: ``torch.nn.functional.huber_loss``.
    """
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    input, target = compared(input, target, "huber_cpu")
    return _huber_loss(input - target, checked(reduction), delta)


# ----------------------------------------------------------------------------- of probabilities


def at_least(x: Any, low: float) -> Any:
    return where_(x > low, x, low)


@operation(
    input=lambda g, input, target, weight, reduction: (
        each(g, input, reduction) * weight * (input - target) / at_least(input * (1 - input), 1e-12)
    ),
    target=lambda g, input, weight, reduction: (
        each(g, input, reduction)
        * weight
        * (at_least(log(1 - input), -100) - at_least(log(input), -100))
    ),
)
def _binary_cross_entropy(input, target, weight, reduction):
    with np.errstate(all="ignore"):
        on, off = (np.maximum(np.log(p), -100) for p in (input, 1 - input))
    return reduced(weight * ((target - 1) * off - target * on), reduction)


def binary_cross_entropy(
    input: Any, target: Any, weight: Any = None, *, reduction: str = "mean"
) -> Any:
    """-(target * log(input) + (1 - target) * log(1 - input)), for probabilities of two classes.

    A logarithm counts as -100 if it is lower, so that the loss stays finite. Raises ValueError
    for different shapes, RuntimeError for what is no probability.
    Counterpart: ``torch.nn.functional.binary_cross_entropy``.
    """
    p = tensor_array("binary_cross_entropy", input)
    y = tensor_array("binary_cross_entropy", target, "target", 2)
    if p.shape != y.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size "
            f"({input.shape}) is deprecated. Please ensure they have the same size."
        )
    checked(reduction)
    check_implemented("binary_cross_entropy", input._array, "f")
    if p.dtype != y.dtype:
        raise RuntimeError(f"Found dtype {dtypes.of(y).title} but expected {dtypes.of(p).title}")
    for name, array in (("input", p), ("target", y)):
        if not ((array >= 0) & (array <= 1)).all():
            raise RuntimeError(f"all elements of {name} should be between 0 and 1")
    return _binary_cross_entropy(input, target, 1 if weight is None else weight, reduction)


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
def _binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction):
    off = np.log1p(np.exp(-np.abs(input))) + np.maximum(-input, 0)  # -log(sigmoid(input))
    losses = (1 - target) * input + (1 + (pos_weight - 1) * target) * off
    if losses.shape != input.shape:
        raise RuntimeError(
            f"output with shape {list(input.shape)} doesn't match the broadcast shape "
            f"{list(losses.shape)}"
        )
    return reduced(weight * losses, reduction)


def binary_cross_entropy_with_logits(
    input: Any, target: Any, weight: Any = None, *, reduction: str = "mean", pos_weight: Any = None
) -> Any:
    """``binary_cross_entropy(sigmoid(input), target)``, exact also for large inputs.

    ``pos_weight`` weighs the targets that are 1. Raises ValueError for different shapes.
    Counterpart: ``torch.nn.functional.binary_cross_entropy_with_logits``.

    >>> import minigrad as torch
    >>> torch.nn.functional.binary_cross_entropy_with_logits(
    ...     torch.tensor([0.0, 1000.0]), torch.tensor([1.0, 1.0]), reduction="none")
    tensor([0.6931, 0.0000])
    """
    function = "binary_cross_entropy_with_logits"
    x, y = tensor_array(function, input), tensor_array(function, target, "target", 2)
    if x.shape != y.shape:
        raise ValueError(
            f"Target size ({target.shape}) must be the same as input size ({input.shape})"
        )
    checked(reduction)
    check_implemented("log_sigmoid_cpu", x, "f")
    if y.dtype.kind != "f":
        raise RuntimeError(
            f"result type {dtypes.of(x).title} can't be cast to the desired output type "
            f"{dtypes.of(y).title}"
        )
    input, target = compared(input, target, "log_sigmoid_cpu")
    weight, pos_weight = (1 if w is None else w for w in (weight, pos_weight))
    return _binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input: Any, target: Any, *, reduction: str = "mean", log_target: bool = False) -> Any:
    """target * (log(target) - input): how far probabilities are from those whose log is given.

    ``log_target``: the target is given as logarithms too. "batchmean" divides the sum by the
    size of the first dimension; "mean", by the number of entries, warns that it is not the
    mathematical definition. Counterpart: ``torch.nn.functional.kl_div``.
    """
    x, y = tensor_array("kl_div", input), tensor_array("kl_div", target, "target", 2)
    if reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support "
            "size. 'batchmean' divides only by the batch size, and aligns with the KL div math "
            "definition.",
            UserWarning,
            stacklevel=2,
        )
    total = "sum" if reduction == "batchmean" else checked(reduction)
    if x.dtype.kind != "f" or y.dtype.kind != "f":
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        losses = exp(target) * (target - input)
    else:
        losses = xlogy(target, target) - target * input
    loss = REDUCTIONS[total](losses)
    return loss / x.shape[0] if reduction == "batchmean" and x.ndim else loss


# ----------------------------------------------------------------------------------- of classes


@operation(input=lambda g, index, shares, input_shape: _embed(0 - g * shares, index, input_shape))
def _nll_loss(input, index, shares, whole):
    return picked(input, index, shares, whole)


@operation(
    shown="NllLoss2DBackward0",
    input=lambda g, index, shares, input_shape: _embed(0 - g * shares, index, input_shape),
)
def _nll_loss_2d(input, index, shares, whole):
    """The same for scores of more than two dimensions. PyTorch has two names for it."""
    return picked(input, index, shares, whole)


def picked(scores: Any, index: Any, shares: Any, whole: bool) -> Any:
    """Minus the scores of the labels, each with its share, and if wanted their sum.

    ``whole``: True, False, or NaN for a mean over nothing.
    """
    losses = -scores[index] * shares
    if isinstance(shares, np.ndarray):
        losses = np.where(shares == 0, 0, losses)  # what is ignored may be infinite
    return np.add.reduce(losses, axis=None) * whole if whole else losses


def labels_of(scores: Any, target: Any) -> Any:
    """The class indices (N, ...) for scores (N, C, ...), as an array; checked."""
    labels = tensor_array("nll_loss_nd", target, "target", 2)
    if scores.ndim == 0:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    wanted = (*scores.shape[:1], *scores.shape[2:]) if scores.ndim > 1 else ()
    if scores.ndim == 1 and labels.size == 1:
        labels = labels.reshape(())
    if wanted and wanted[0] != (labels.shape or (0,))[0]:
        raise ValueError(
            f"Expected input batch_size ({wanted[0]}) to match target batch_size "
            f"({(labels.shape or (0,))[0]})."
        )
    if labels.shape != wanted:
        if scores.ndim <= 2:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        raise RuntimeError(f"Expected target size {list(wanted)}, got {list(labels.shape)}")
    if labels.dtype not in (np.int64, np.uint8):
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {dtypes.of(labels).title}"
        )
    return labels.astype(np.int64, copy=False)


def class_dim(scores: Any) -> int:
    """Which dimension of an array of scores is that of the classes."""
    return 1 if scores.ndim > 1 else 0


def class_weights(scores: Any, weight: Any) -> Any:
    """The weight of each class, as an array; checked."""
    found = tensor_array("nll_loss_nd", weight, "weight", 3)
    classes = scores.shape[class_dim(scores)]
    if found.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but "
            f"got weight tensor of shape: {list(found.shape)}"
        )
    return found


class Labels:
    """Class indices, found in an array of scores: where they are, and what they weigh.

    ``kept`` and ``weights`` are arrays if labels are ignored or classes are weighted, else 1;
    ``amount`` is what a mean divides by.
    """

    def __init__(self, scores: Any, target: Any, weight: Any, ignore_index: int) -> None:
        labels = labels_of(scores, target)
        classes = scores.shape[class_dim(scores)]
        self.kept: Any = 1
        usual = labels.size and labels.min() >= 0 and labels.max() < classes
        if not usual or 0 <= ignore_index < classes:
            kept = labels != ignore_index
            wrong = labels[kept & ((labels < 0) | (labels >= classes))]
            if wrong.size:
                raise IndexError(f"Target {wrong[0]} is out of bounds.")
            self.kept, labels = kept.astype(scores.dtype), labels * kept
        self.weights = self.kept
        if weight is not None:
            of_class = class_weights(scores, weight)
            if of_class.dtype != scores.dtype:
                raise RuntimeError(
                    f"expected scalar type {dtypes.of(scores).title} but found "
                    f"{dtypes.of(of_class).title}"
                )
            self.weights = self.kept * of_class[labels]
        rows = np.indices(labels.shape, sparse=True)
        self.index = (*rows[:1], labels, *rows[1:])
        self.dtype = scores.dtype
        self.nothing = not np.any(self.kept) or not labels.size
        self.plain = labels.size and isinstance(self.weights, int)  # all count, and count alike
        self.amount = (labels.size if isinstance(self.weights, int) else self.weights.sum()) or nan

    def shares(self, weights: Any, reduction: str) -> Any:
        """How much each entry's loss counts in the result."""
        if reduction != "mean":
            return weights
        # Ignored labels take no part even where nothing is left to take the mean of.
        return np.where(self.kept, weights / self.amount, 0).astype(self.dtype, copy=False)[()]


def nll_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Any:
    """Minus the entry of ``input`` (logarithms of probabilities) at each target's class.

    ``input``: (N, C), (C,) or (N, C, d1, ...); ``target``: class indices of that shape without
    C. ``weight``: one for each class; a mean is divided by the sum of those that occur. Targets
    equal to ``ignore_index`` count for nothing. Raises IndexError for a class that is not there.
    Counterpart: ``torch.nn.functional.nll_loss``.
    """
    checked(reduction)
    scores = tensor_array("nll_loss_nd", input)
    check_implemented("nll_loss_out_frame", scores, "f")
    labels = Labels(scores, target, weight, ignore_index)
    operation = _nll_loss if scores.ndim <= 2 else _nll_loss_2d
    shares = labels.shares(labels.weights, reduction)
    whole = nan if labels.nothing and reduction == "mean" else reduction != "none"
    return operation(input, labels.index, shares, whole)


@operation(
    name="nll_loss",
    input=lambda g, input, known, index, shares: minus_labels(
        probabilities(input, known), g * shares, index
    ),
)
def _cross_entropy(input, losses, known, index, shares, whole):
    """``nll_loss`` of ``log_softmax``, whose derivative is that of the two together.

    It is probabilities minus 1 at the label, and half the work of one after the other.
    """
    losses = losses * shares
    return np.add.reduce(losses) if whole else losses


def probabilities(input: Any, known: Any) -> Any:
    """The softmax: known from the forward pass, but made again where its derivative is wanted."""
    return softmax(input, 1) if isinstance(input, TensorBase) else known


def minus_labels(p: Any, weights: Any, index: Any) -> Any:
    """(p - 1 at each label) * weights, these being one for each label or one for all."""
    columns = weights.reshape(-1, *[1] * (len(p.shape) - 1)) if weights.shape else weights
    out = p * columns
    recorded = isinstance(p, TensorBase)
    if recorded:
        return out - _embed(weights, index, p.shape)
    out[index] -= weights
    return out


@operation(name="div", number=1, input=lambda g, other: g / other)
def _div_number(input, other):
    return input / other


def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
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
    if label_smoothing > 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    if array.shape == wanted.shape:
        if ignore_index >= 0 and wanted.dtype.kind == "f":
            raise RuntimeError("ignore_index is not supported for floating point target")
        return of_probabilities(input, target, weight, reduction, label_smoothing)
    check_implemented("log_softmax_lastdim_kernel_impl", array, "f")
    labels = Labels(array, target, weight, ignore_index)
    if label_smoothing <= 0 and labels.plain and array.ndim == 2:
        return of_plain_labels(input, labels, reduction)
    axis = class_dim(array)
    scores = log_softmax(input, axis)
    loss = nll_loss(scores, target, weight, ignore_index=ignore_index, reduction=reduction)
    if label_smoothing <= 0:
        return loss
    scores = weighted(scores, weight)
    shares = labels.shares(labels.kept, reduction)
    spread = -sum(scores, axis) * (new_tensor(shares) if isinstance(shares, np.ndarray) else shares)
    spread = spread if reduction == "none" else sum(spread)
    return loss * (1 - label_smoothing) + spread * (label_smoothing / array.shape[axis])


def weighted(scores: Any, weight: Any) -> Any:
    """The scores times the weight of their class."""
    array = scores._array
    if weight is None:
        return scores
    shape = [-1 if d == class_dim(array) else 1 for d in range(array.ndim)]
    return scores * new_tensor(class_weights(array, weight).reshape(shape))


def of_probabilities(
    input: Any, target: Any, weight: Any, reduction: str, label_smoothing: float
) -> Any:
    """``cross_entropy`` where the target is a probability for each class."""
    array, axis = input._array, class_dim(input._array)
    if target._array.dtype.kind != "f":
        raise RuntimeError(
            "Expected floating point type for target with class probabilities, got "
            f"{dtypes.of(target._array).title}"
        )
    classes = array.shape[axis] if array.ndim else 1
    if label_smoothing > 0:
        target = target * (1 - label_smoothing) + label_smoothing / classes
    losses = weighted(log_softmax(input, axis) * target, weight)
    if reduction == "none":
        return -sum(losses, axis)
    loss = -sum(losses)
    return loss if reduction == "sum" else _div_number(loss, array.size / classes or nan)


def of_plain_labels(input: Any, labels: Labels, reduction: str) -> Any:
    """``cross_entropy`` of scores (N, C), where all labels count, and count alike."""
    low = lowered(input._array, (1,))
    known = np.exp(low)
    sums = np.add.reduce(known, 1, keepdims=True)
    known /= sums
    losses = -(low[labels.index] - np.log(sums).reshape(-1))
    shares = labels.shares(1, reduction)
    return _cross_entropy(input, losses, known, labels.index, shares, reduction != "none")
