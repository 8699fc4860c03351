"""The functions that networks are made of. Counterpart: ``torch.nn.functional``.

``import minigrad.nn.functional as F``. Here are dropout, attention and similarities; activation
functions, losses and normalisation have files of their own, and what is an operation on tensors
like any other comes from ``ops``.
"""

# ruff: noqa: F401 -- what comes from other files is part of what is offered here

from __future__ import annotations

import math
import typing
from typing import Any

import numpy as np

from .. import longs
from ..compat.arguments import check_implemented, ensure, order_like, tensor_array
from ..compat.missing import missing_from
from ..engine.node import new_tensor
from ..ops import elementwise
from ..ops.activations import sigmoid
from ..ops.elementwise import arithmetic
from ..ops.elementwise.choices import clamp_min, where_
from ..ops.elementwise.trigonometry import tanh
from ..ops.inplace import write
from ..ops.linear import matmul
from ..ops.norms import norm
from ..ops.rearranging import transpose
from ..ops.shaping import broadcast_tensors
from .activations import (
    elu,
    gelu,
    glu,
    hardtanh,
    leaky_relu,
    log_softmax,
    logsigmoid,
    mish,
    prelu,
    relu,
    relu6,
    selu,
    silu,
    softmax,
    softplus,
    softsign,
)
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

# ------------------------------------------------------------------------- dropout, attention


def check_probability(p: float, error: Any) -> None:
    ensure(0 <= p <= 1, "dropout probability has to be between 0 and 1, but got {}", p, error=error)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """In training, each entry is 0 with probability p; the others are divided by 1 - p.

    So the expected value stays the same. Out of training, ``input`` itself. Raises ValueError
    for what is no probability. Counterpart: ``torch.nn.functional.dropout``.

    >>> import minigrad as torch
    >>> torch.nn.functional.dropout(torch.tensor([1.0, 2.0]), training=False)
    tensor([1., 2.])
    """
    check_probability(p, ValueError)
    x = tensor_array("dropout", input)
    if p == 0 or not training or not x.size:
        return input
    noise = new_tensor(np.zeros_like(x, order=order_like(x)))
    if p < 1:
        noise.bernoulli_(1 - p).div_(1 - p)
    if inplace:
        return write(input, arithmetic.mul, noise)
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

    >>> import minigrad as torch
    >>> query, key, value = torch.ones(1, 2, 4), torch.ones(1, 3, 4), torch.ones(1, 3, 5)
    >>> torch.nn.functional.scaled_dot_product_attention(query, key, value).shape
    torch.Size([1, 2, 5])
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
        hidden = longs.arange(k.shape[-2]) > longs.arange(q.shape[-2])[:, None]
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
    weights = softmax(scores, -1)
    if nowhere.any():
        weights = where_(nowhere, 0, weights)
    return matmul(dropout(weights, dropout_p), value)


# -------------------------------------------------------------------------------- similarities


def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> Tensor:
    """``input`` divided by its norm along ``dim``, or by eps where the norm is smaller.

    Counterpart: ``torch.nn.functional.normalize``.

    >>> import minigrad as torch
    >>> torch.nn.functional.normalize(torch.tensor([[3.0, 4.0]]))
    tensor([[0.6000, 0.8000]])
    """
    return input / clamp_min(norm(input, p, dim, keepdim=True), eps)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors along ``dim``: x1·x2 / (|x1| |x2|).

    Counterpart: ``torch.nn.functional.cosine_similarity``.

    >>> import minigrad as torch
    >>> x1 = torch.tensor([[1.0, 0.0]])
    >>> x2 = torch.tensor([[1.0, 1.0]])
    >>> torch.nn.functional.cosine_similarity(x1, x2)
    tensor([0.7071])
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

    >>> import minigrad as torch
    >>> x1 = torch.tensor([[3.0, 4.0]])
    >>> torch.nn.functional.pairwise_distance(x1, torch.zeros(1, 2))
    tensor([5.0000])
    """
    for number, x in ((1, x1), (2, x2)):
        tensor_array("pairwise_distance", x, f"x{number}", number)
    return norm(x1 - x2 + eps, p, -1, keepdim)


__getattr__ = missing_from(__name__)
