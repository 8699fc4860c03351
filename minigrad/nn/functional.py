"""The functions that networks are made of. Counterpart: ``torch.nn.functional``.

``import minigrad.nn.functional as F``. Here are activation functions, dropout, attention and
similarities; losses and normalisation have files of their own, and what is an operation on
tensors like any other comes from ``ops``.
"""

# ruff: noqa: F401 -- what comes from other files is part of what is offered here

from __future__ import annotations

import math
import typing
import warnings
from typing import Any

import numpy as np

from .. import dtypes, ops
from ..engine.node import new_tensor
from ..missing import missing_from
from ..ops import elementwise, functions
from ..ops.arguments import (
    check_fits,
    check_implemented,
    ensure,
    order_like,
    tensor_array,
    wrapped_dim,
)
from ..ops.elementwise import clamp_min, where_
from ..ops.functions import erf_of, sigmoid, tanh
from ..ops.gathering import chunk
from ..ops.inplace import write
from ..ops.linear import matmul
from ..ops.reduction import norm
from ..ops.shaping import broadcast_tensors, reshape, transpose
from . import activations
from .convolution import conv1d, conv2d, conv_transpose1d, conv_transpose2d
from .embedding import embedding, one_hot
from .linear import linear
from .losses.classification import cross_entropy, nll_loss
from .losses.probability import binary_cross_entropy, binary_cross_entropy_with_logits, kl_div
from .losses.regression import huber_loss, l1_loss, mse_loss, smooth_l1_loss
from .normalization import batch_norm, group_norm, layer_norm
from .padding import pad
from .pooling import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    avg_pool1d,
    avg_pool2d,
    max_pool1d,
    max_pool2d,
)

if typing.TYPE_CHECKING:  # each name here is offered, and this one is not for users of `F`
    from .._tensor import Tensor

# --------------------------------------------------------------------------------- activations


def applied(operation, inplace, input, *options, kernel="", kinds="f"):
    """An activation of numbers of these kinds, written into ``input`` if that is wanted."""
    name = operation.kind.op
    check_implemented(kernel or f"{name}_cpu", tensor_array(name, input), kinds)
    return write(input, operation, *options) if inplace else operation(input, *options)


def said(name: str, dim: Any, input: Any) -> Any:
    """The dimension; where none was said, with PyTorch's warning, the one that it takes."""
    if dim is not None:
        return dim
    text = f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
    warnings.warn(text + "dim=X as an argument.", stacklevel=3)
    return 0 if input.ndim in (0, 1, 3) else 1


def softmax(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """``torch.softmax``, which warns if no dimension is said.

    Counterpart: ``torch.nn.functional.softmax``.
    """
    return ops.activations.softmax(input, said("softmax", dim, input), dtype)


def log_softmax(input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """``torch.log_softmax``, which warns if no dimension is said.

    Counterpart: ``torch.nn.functional.log_softmax``.
    """
    return ops.activations.log_softmax(input, said("log_softmax", dim, input), dtype)


def relu(input: Any, inplace: bool = False) -> Any:
    """``torch.relu``: max(input, 0). Counterpart: ``torch.nn.functional.relu``.

    ``inplace``: write the result into ``input``, as with the other activations here.

    >>> import minigrad as torch
    >>> torch.nn.functional.relu(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    return write(input, functions.relu) if inplace else functions.relu(input)


def hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    """``input``, but not below ``min_val`` or above ``max_val``; the derivative there is 0.

    Raises ValueError if the bounds are the wrong way round.
    Counterpart: ``torch.nn.functional.hardtanh``.
    """
    ensure(min_val <= max_val, "min_val cannot be greater than max_val", error=ValueError)
    kind = tensor_array("hardtanh", input).dtype.kind
    ensure(kind != "b", "Bool inputs not supported for hardtanh")
    for bound in (min_val, max_val) if kind == "i" else ():
        check_fits(bound, dtypes.of(input._array))
    fits = kind != "u" or min_val >= 0
    ensure(fits, "cannot do hardtanh on an unsigned type with negative limits")
    return applied(activations.hardtanh, inplace, input, min_val, max_val, kinds="fiu")


def relu6(input: Any, inplace: bool = False) -> Any:
    """min(max(input, 0), 6). Counterpart: ``torch.nn.functional.relu6``."""
    return hardtanh(input, 0, 6, inplace)


def leaky_relu(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """``input`` if positive, else ``negative_slope * input``; the derivative at 0 is that slope.

    Counterpart: ``torch.nn.functional.leaky_relu``.

    >>> import minigrad as torch
    >>> torch.nn.functional.leaky_relu(torch.tensor([-1.0, 2.0]))
    tensor([-0.0100,  2.0000])
    """
    return applied(activations.leaky_relu, inplace, input, negative_slope)


def elu(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    """``input`` if positive, else alpha * (exp(input) - 1).

    Counterpart: ``torch.nn.functional.elu``.
    """
    return applied(activations.elu, inplace, input, alpha, 1.0)


def selu(input: Any, inplace: bool = False) -> Any:
    """``elu``, scaled so that layers keep mean 0 and variance 1.

    Counterpart: ``torch.nn.functional.selu``.
    """
    alpha = 1.6732632423543772848170429916717
    scale = 1.0507009873554804934193349852946
    return applied(activations.elu, inplace, input, alpha, scale)


def prelu(input: Any, weight: Any) -> Any:
    """``input`` if positive, else ``weight * input``; one weight, or one for each channel.

    Counterpart: ``torch.nn.functional.prelu``.
    """
    x = tensor_array("prelu", input)
    w = tensor_array("prelu", weight, "weight", 2)
    text = "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {}"
    ensure(w.ndim <= 1, text, w.ndim)
    channels = x.shape[1] if x.ndim > 1 else 1
    text = "Mismatch of parameter numbers and input channel size. Found parameter numbers = {} and "
    ensure(w.size in (1, channels), text + "channel size = {}.", w.size, channels)
    ensure(x.dtype == w.dtype, "prelu: Type promoting not supported: input and weight differ")
    shape = (-1, *[1] * (x.ndim - 2)) if w.size > 1 else [1] * min(x.ndim, 1)
    return activations.prelu_kernel(input, reshape(weight, shape))


def gelu(input: Any, *, approximate: str = "none") -> Any:
    """``input`` times the probability that a normally distributed number is smaller.

    ``approximate="tanh"``: by a formula with tanh, as in GPT-2.
    Counterpart: ``torch.nn.functional.gelu``.

    >>> import minigrad as torch
    >>> torch.nn.functional.gelu(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([-0.1587,  0.0000,  0.8413])
    """
    array = tensor_array("gelu", input)
    ensure(approximate in ("none", "tanh"), "approximate argument must be either none or tanh.")
    check_implemented("GeluKernelImpl", array, "f")
    if approximate == "tanh":
        return activations.tanh_gelu(input)
    gate = erf_of(array, math.sqrt(0.5))
    gate *= 0.5
    gate += 0.5
    return activations.gelu(input, gate)


def silu(input: Any, inplace: bool = False) -> Any:
    """input * sigmoid(input), also called swish. Counterpart: ``torch.nn.functional.silu``."""
    return applied(activations.silu, inplace, input)


def mish(input: Any, inplace: bool = False) -> Any:
    """input * tanh(softplus(input)). Counterpart: ``torch.nn.functional.mish``."""
    return applied(activations.mish, inplace, input)


def logsigmoid(input: Any) -> Any:
    """log(sigmoid(input)), without overflow. Counterpart: ``torch.nn.functional.logsigmoid``."""
    return applied(activations.log_sigmoid, False, input)


def softplus(input: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """log(1 + exp(beta * input)) / beta; ``input`` itself where beta * input > threshold.

    Counterpart: ``torch.nn.functional.softplus``.
    """
    return applied(activations.softplus, False, input, beta, threshold)


def softsign(input: Any) -> Any:
    """input / (1 + abs(input)). Counterpart: ``torch.nn.functional.softsign``."""
    return input / (functions.abs(input) + 1)


def glu(input: Any, dim: int = -1) -> Any:
    """The first half times the sigmoid of the second, halved along ``dim``.

    Raises RuntimeError if the size is odd. Counterpart: ``torch.nn.functional.glu``.
    """
    x = tensor_array("glu", input)
    ensure(x.ndim, "glu does not support scalars because halving size must be even")
    dim = wrapped_dim(dim, x.ndim)
    text = "Halving dimension must be even, but dimension {} is size {}"
    ensure(x.shape[dim] % 2 == 0, text, dim, x.shape[dim])
    check_implemented("glu_cpu", x, "f")
    return activations.glu(*chunk(input, 2, dim))


# ------------------------------------------------------------------------- dropout, attention


def check_probability(p: float, error: Any) -> None:
    ensure(0 <= p <= 1, "dropout probability has to be between 0 and 1, but got {}", p, error=error)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """In training, each entry is 0 with probability p; the others are divided by 1 - p.

    So the expected value stays the same. Out of training, ``input`` itself. Raises ValueError
    for what is no probability. Counterpart: ``torch.nn.functional.dropout``.
    """
    check_probability(p, ValueError)
    x = tensor_array("dropout", input)
    if p == 0 or not training or not x.size:
        return input
    noise = new_tensor(np.zeros_like(x, order=order_like(x)))
    if p < 1:
        noise.bernoulli_(1 - p).div_(1 - p)
    if inplace:
        return write(input, elementwise.mul, noise)
    return input * noise


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
) -> Tensor:
    """softmax(query @ keyᵀ * scale) @ value: for each query, a mean of values by likeness of keys.

    Shapes: query (..., L, E), key (..., S, E), value (..., S, V); result (..., L, V). ``scale``
    is 1 / sqrt(E) unless given. ``attn_mask`` (broadcast to (..., L, S)): True where a query may
    look, or numbers to add to the scores. ``is_causal``: the query at i looks at keys up to i.
    A query that may look nowhere gets zeros. ``dropout_p`` drops weights, always.

    Counterpart: ``torch.nn.functional.scaled_dot_product_attention``.
    """
    q, k, v = (tensor_array("scaled_dot_product_attention", t) for t in (query, key, value))
    text = "Expected query, key, and value to all be at least 2 dimensional"
    ensure(min(q.ndim, k.ndim, v.ndim) >= 2, text)
    ensure(q.dtype == k.dtype == v.dtype, "Expected query, key, and value to have the same dtype")
    check_implemented("attention", q, "f")
    check_probability(dropout_p, RuntimeError)
    if scale is None:
        scale = 1 / math.sqrt(q.shape[-1] or math.nan)
    scores = matmul(query * scale, transpose(key, -2, -1))
    hidden: Any = np.False_  # which scores do not count
    if is_causal:
        hidden = np.arange(k.shape[-2]) > np.arange(q.shape[-2])[:, None]
    if attn_mask is not None:
        mask = tensor_array("scaled_dot_product_attention", attn_mask, "attn_mask", 4)
        truth = mask.dtype.kind == "b"
        text = "Expected attn_mask dtype to be bool or float or to "
        ensure(truth or mask.dtype == q.dtype, text + "match query dtype")
        hidden = hidden | (~mask if truth else mask == -np.inf)
        if not truth:
            scores = scores + where_(hidden.all(-1, keepdims=True), 0, attn_mask)
    nowhere = hidden.all(-1, keepdims=True) if hidden.ndim else hidden
    if hidden.ndim:
        bias = np.where(hidden & ~nowhere, q.dtype.type(-np.inf), q.dtype.type(0))
        scores = scores + new_tensor(bias)
    weights = ops.activations.softmax(scores, -1)
    if nowhere.any():
        weights = where_(nowhere, 0, weights)
    return matmul(dropout(weights, dropout_p), value)


# -------------------------------------------------------------------------------- similarities


def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Tensor:
    """``input`` divided by its norm along ``dim``, or by eps where the norm is smaller.

    Counterpart: ``torch.nn.functional.normalize``.
    """
    return input / clamp_min(norm(input, p, dim, keepdim=True), eps)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors along ``dim``: x1·x2 / (|x1| |x2|).

    Counterpart: ``torch.nn.functional.cosine_similarity``.
    """
    x1, x2 = broadcast_tensors(x1, x2)
    floats = x1.is_floating_point() or x2.is_floating_point()
    ensure(floats, "expected common dtype to be floating point")
    return (normalize(x1, 2, dim, eps) * normalize(x2, 2, dim, eps)).sum(dim)


def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The norm of x1 - x2 + eps along the last dimension.

    Counterpart: ``torch.nn.functional.pairwise_distance``.
    """
    for number, x in ((1, x1), (2, x2)):
        tensor_array("pairwise_distance", x, f"x{number}", number)
    return norm(x1 - x2 + eps, p, -1, keepdim)


__getattr__ = missing_from(__name__)
