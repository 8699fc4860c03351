"""Loss functions: how far predictions are from their targets, as one number.

What PyTorch records as one node is one operation here, with the reduction to a number in it.
Programs find these functions in ``nn.functional``.
"""

from __future__ import annotations

import warnings
from math import isnan, nan, prod
from typing import Any

import numpy as np

from .. import dtypes
from ..engine.node import TensorBase, edge_to, new_tensor
from ..engine.record import operation, record
from ..errors import warn_broadcast_loss
from ..ops.activations import _softmax, log_softmax
from ..ops.arguments import check_implemented, ensure, tensor_array
from ..ops.elementwise import alike, clamp_min, where_
from ..ops.functions import abs, exp, log, sigmoid, sign, xlogy
from ..ops.indexing import _embed
from ..ops.reduction import mean, sum
from ..ops.shaping import broadcast_tensors
from .activations import log_sigmoid

INT64 = dtypes.int64.numpy
REDUCTIONS = {"none": lambda losses: losses, "mean": mean, "sum": sum}


def checked(reduction: str) -> str:
    text = "{} is not a valid value for reduction\n  fix: 'mean', 'sum' or 'none'"
    ensure(reduction in REDUCTIONS, text, reduction, error=ValueError)
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


def same_dtype(text: str, x: Any, y: Any) -> None:
    """Raise RuntimeError, the names of both dtypes filled into its text, if they differ."""
    ensure(x.dtype == y.dtype, text, dtypes.of(x).title, dtypes.of(y).title)


def paired(function: str, input: Any, target: Any) -> tuple[Any, Any]:
    """Both in one shape. Warns (MG112) if they had two."""
    shapes = input.shape, target.shape  # of a list, AttributeError, as in PyTorch
    if tensor_array(function, input).shape == tensor_array(function, target, "target", 2).shape:
        return input, target
    warn_broadcast_loss(*shapes)
    return broadcast_tensors(input, target)


def compared(function: str, input: Any, target: Any, reduction: str) -> tuple[Any, Any]:
    """Both in one shape and in one dtype, which must be floating. Checks the reduction, too."""
    checked(reduction)
    input, target = paired(function, input, target)
    if input._array.dtype is not target._array.dtype:
        input, target = alike(function, input=input, target=target)[1]
    check_implemented(function.replace("_loss", "_cpu"), input._array, "f")
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
    return _mse_loss(*compared("mse_loss", input, target, reduction), reduction)


def l1_loss(input: Any, target: Any, *, reduction: str = "mean") -> Any:
    """The absolute differences. Otherwise as ``mse_loss``.

    Counterpart: ``torch.nn.functional.l1_loss``.
    """
    input, target = paired("l1_loss", input, target)
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
    checked(reduction)
    ensure(beta > 0, "smooth_l1_loss does not support negative values for beta.")
    input, target = compared("smooth_l1_loss", input, target, reduction)
    return _smooth_l1_loss(input - target, reduction, beta)


@operation(
    input=lambda g, input, reduction, delta: each(g, input, reduction) * delta * bend(input, delta)
)
def _huber_loss(input, reduction, delta):
    return reduced(delta * bowl(input, delta), reduction)


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> Any:
    """d² / 2 for differences d smaller than delta, delta * (abs(d) - delta / 2) for others.

    Counterpart: ``torch.nn.functional.huber_loss``.
    """
    checked(reduction)
    ensure(delta > 0, "huber_loss does not support non-positive values for delta.")
    input, target = compared("huber_loss", input, target, reduction)
    return _huber_loss(input - target, reduction, delta)


# ----------------------------------------------------------------------------- of probabilities


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
def _binary_cross_entropy(input, target, weight, reduction):
    with np.errstate(all="ignore"):
        on, off = (np.maximum(np.log(p), -100) for p in (input, 1 - input))
    return reduced(weight * ((target - 1) * off - target * on), reduction)


def binary_cross_entropy(input, target, weight=None, *, reduction="mean"):
    """-(target * log(input) + (1 - target) * log(1 - input)), for probabilities of two classes.

    A logarithm counts as -100 if it is lower, so that the loss stays finite. Raises ValueError
    for different shapes, RuntimeError for what is no probability.
    Counterpart: ``torch.nn.functional.binary_cross_entropy``.
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
    text = "output with shape {} doesn't match the broadcast shape {}"
    ensure(losses.shape == input.shape, text, list(input.shape), list(losses.shape))
    return reduced(weight * losses, reduction)


def binary_cross_entropy_with_logits(
    input, target, weight=None, *, reduction="mean", pos_weight=None
):
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
    weight, pos_weight = (1 if w is None else w for w in (weight, pos_weight))
    return _binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input: Any, target: Any, *, reduction: str = "mean", log_target: bool = False) -> Any:
    """target * (log(target) - input): how far probabilities are from those whose log is given.

    ``log_target``: the target is given as logarithms too. "batchmean" divides the sum by the
    size of the first dimension; "mean", by the number of entries, warns that it is not the
    mathematical definition. Counterpart: ``torch.nn.functional.kl_div``.
    """
    x = tensor_array("kl_div", input)
    y = tensor_array("kl_div", target, "target", 2)
    if reduction == "mean":
        text = "reduction: 'mean' divides the total loss by both the batch size and the support "
        text += "size. 'batchmean' divides by the batch size alone: the mathematical definition."
        warnings.warn(text, stacklevel=2)
    total = "sum" if reduction == "batchmean" else checked(reduction)
    ensure(x.dtype.kind == y.dtype.kind == "f", "kl_div: Integral inputs not supported.")
    plain = not log_target
    losses = xlogy(target, target) - target * input if plain else exp(target) * (target - input)
    loss = REDUCTIONS[total](losses)
    return loss / x.shape[0] if reduction == "batchmean" and x.ndim else loss


# ----------------------------------------------------------------------------------- of classes


@operation(
    input=lambda g, indices, shares, input_shape: _embed(0 - g * shares, indices, input_shape)
)
def _nll_loss(input, indices, shares, whole):
    return picked(input, indices, shares, whole)


@operation(
    shown="NllLoss2DBackward0",
    input=lambda g, indices, shares, input_shape: _embed(0 - g * shares, indices, input_shape),
)
def _nll_loss_2d(input, indices, shares, whole):
    """The same for scores of more than two dimensions. PyTorch has two names for it."""
    return picked(input, indices, shares, whole)


def picked(scores: Any, index: Any, shares: Any, whole: bool) -> Any:
    """Minus the scores of the labels, each with its share, and if wanted their sum.

    ``whole``: True, False, or NaN for a mean over nothing.
    """
    losses = -scores[index] * shares
    if isinstance(shares, np.ndarray):
        losses = np.where(shares == 0, 0, losses)  # what is ignored may be infinite
    return np.add.reduce(losses, axis=None) * whole if whole else losses


UNKNOWN = (
    "Target {0[0]} is out of bounds.\n"
    "  There are {1} scores for each example, so the classes are 0 to {2}.\n"
    "  fix: more scores, or classes that count from 0."
)


def labels_of(scores: Any, target: Any) -> Any:
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
    whole = labels.dtype in (np.int64, np.uint8)
    text = "expected target dtype to be Long or Byte, but got {}\n"
    text += "  fix: class numbers are whole: target.long(). Of probabilities, give all classes."
    ensure(whole, text, dtypes.of(labels).title)
    return labels.astype(np.int64, copy=False)


def class_dim(scores: Any) -> int:
    """Which dimension of an array of scores is that of the classes."""
    return 1 if scores.ndim > 1 else 0


def class_weights(scores: Any, weight: Any) -> Any:
    """The weight of each class, as an array; checked."""
    found = tensor_array("nll_loss_nd", weight, "weight", 3)
    classes = scores.shape[class_dim(scores)]
    text = "weight tensor should be defined either for all {} classes or no classes but got weight "
    text += "tensor of shape: {}"
    ensure(found.shape == (classes,), text, classes, list(found.shape))
    return found


class Labels:
    """Class indices, found in an array of scores: where they are, and what they weigh.

    ``kept`` and ``weights`` are arrays if labels are ignored or classes are weighted, else 1;
    ``amount`` is what a mean divides by: NaN if nothing counts.
    """

    def __init__(self, scores: Any, target: Any, weight: Any, ignore_index: int) -> None:
        labels = labels_of(scores, target)
        classes = scores.shape[class_dim(scores)]
        self.kept: Any = 1
        # A negative one, read without its sign, is huge.
        usual = labels.size and np.maximum.reduce(labels.view(np.uint64), None) < classes
        if not usual or 0 <= ignore_index < classes:
            kept = labels != ignore_index
            wrong = labels[kept & ((labels < 0) | (labels >= classes))]
            ensure(not wrong.size, UNKNOWN, wrong, classes, classes - 1, error=IndexError)
            self.kept = kept.astype(scores.dtype)
            labels = labels * kept
        self.weights = self.kept
        if weight is not None:
            of_class = class_weights(scores, weight)
            same_dtype("expected scalar type {} but found {}", scores, of_class)
            self.weights = self.kept * of_class[labels]
        rows: Any = [np.arange(n) for n in labels.shape]
        if labels.ndim > 1:
            rows = np.ix_(*rows)
        self.index = (*rows[:1], labels, *rows[1:])
        self.dtype = scores.dtype
        self.plain = isinstance(self.weights, int)  # all count, and count alike
        self.amount = labels.size if self.plain else self.weights.sum() or nan

    def shares(self, weights: Any, reduction: str) -> Any:
        """How much each entry's loss counts in the result."""
        if reduction != "mean":
            return weights
        if self.plain and weights.__class__ is int:
            return self.dtype.type(weights / self.amount)
        # Ignored labels take no part even where nothing is left to take the mean of.
        return np.where(self.kept, weights / self.amount, 0).astype(self.dtype, copy=False)[()]


def nll_loss(input, target, weight=None, *, ignore_index=-100, reduction="mean"):
    """Minus the entry of ``input`` (logarithms of probabilities) at each target's class.

    ``input``: (N, C), (C,) or (N, C, d1, ...); ``target``: class indices of that shape without
    C. ``weight``: one for each class; a mean is divided by the sum of those that occur. Targets
    equal to ``ignore_index`` count for nothing. Raises IndexError for a class that is not there.
    Counterpart: ``torch.nn.functional.nll_loss``.
    """
    checked(reduction)
    scores = tensor_array("nll_loss_nd", input)
    labels = Labels(scores, target, weight, ignore_index)
    check_implemented("nll_loss_out_frame", scores, "f")
    operation = _nll_loss if scores.ndim <= 2 else _nll_loss_2d
    shares = labels.shares(labels.weights, reduction)
    whole = nan if reduction == "mean" and isnan(labels.amount) else reduction != "none"
    return operation(input, labels.index, shares, whole)


@operation(
    name="nll_loss",
    input=lambda g, known, origin, indices, shares: minus_labels(
        probabilities(g, known, origin), g * shares, indices
    ),
)
def _cross_entropy(input, losses, known, origin, indices, shares, whole):
    """``nll_loss`` of ``log_softmax``, whose derivative is that of the two together.

    It is probabilities minus 1 at the label, and half the work of one after the other.
    """
    return np.add.reduce(losses) * shares if whole else losses


def probabilities(g: Any, known: Any, origin: tuple[Any]) -> Any:
    """The softmax, known from the forward pass; where its derivative is wanted, with a history.

    ``origin``: where the gradient of the scores goes. So the scores need not be kept, and may be
    overwritten.
    """
    if not isinstance(g, TensorBase):
        return known
    (edge,) = origin
    scores = edge if isinstance(edge, TensorBase) else new_tensor(known, edge)
    made_by: Any = _softmax
    node = record(made_by.kind, (scores, (1,)), origin, ((1,), known), known)
    return new_tensor(known, node)


def minus_labels(p: Any, weights: Any, index: Any) -> Any:
    """(p - 1 at each label) * weights, these being one for each label or one for all."""
    columns = weights.reshape(-1, 1) if weights.shape else weights
    recorded = isinstance(p, TensorBase)
    if recorded:
        return p * columns - _embed(weights, index, p.shape)
    out = np.multiply(p, columns, order="C")
    out[index] -= weights
    return out


@operation(name="div", number=1, input=lambda g, other: g / other)
def _div_number(input, other):
    return input / other


def cross_entropy(
    input, target, weight=None, *, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
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
    if weight is None:
        return scores
    columns = class_weights(scores._array, weight).reshape(-1, *[1] * (scores.ndim - 2))
    return scores * new_tensor(columns)


def of_probabilities(input, target, weight, reduction, label_smoothing):
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
    return loss if reduction == "sum" else _div_number(loss, array.size / classes or nan)


def of_plain_labels(input: Any, labels: Labels, reduction: str) -> Any:
    """``cross_entropy`` of scores (N, C), where all labels count, and count alike."""
    array = input._array
    few = array.shape[1] <= 32  # classes come first then: NumPy is fast along the many examples
    low, axis = (array.T.copy(), 0) if few else (array.copy(), 1)
    most = np.maximum.reduce(low, axis)
    low -= most if few else most[:, None]  # no exponential overflows
    known = np.exp(low)
    sums = np.add.reduce(known, axis)
    known /= sums if few else sums[:, None]
    if few:
        low = low.T
        known = known.T
    losses = -(low[labels.index] - np.log(sums))
    shares = labels.shares(1, reduction)
    origin = (edge_to(input),)
    return _cross_entropy(input, losses, known, origin, labels.index, shares, reduction != "none")
