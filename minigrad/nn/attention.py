"""Attention with several heads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._tensor import Tensor
from ..compat.arguments import ensure
from ..engine.node import new_tensor
from ..ops.activations import softmax
from ..ops.slicing import chunk
from . import functional as F
from . import init
from .layers import Linear, add_unset
from .module import Module


class NonDynamicallyQuantizableLinear(Linear):
    """A ``Linear``, under the name by which PyTorch prints it here."""


class MultiheadAttention(Module):
    """Each query looks at all keys, with several heads, and gets a mean of their values.

    Queries, keys and values are multiplied by a matrix each and divided among the heads; each
    head does ``functional.scaled_dot_product_attention``; what they find is put side by side and
    multiplied by one more matrix.

    Takes query (L, N, E), key (S, N, kdim) and value (S, N, vdim), with ``batch_first`` (N, L, E)
    and so on, or all without N; masks that are True, or -inf, where nobody may look:
    ``key_padding_mask`` (N, S) and ``attn_mask`` (L, S) or (N * heads, L, S). Returns the result,
    and the weights, (N, L, S), averaged over the heads unless told otherwise, or None without
    ``need_weights``. Counterpart: ``torch.nn.MultiheadAttention``.

    >>> import minigrad as torch
    >>> layer = torch.nn.MultiheadAttention(embed_dim=8, num_heads=2, batch_first=True)
    >>> x = torch.zeros(5, 3, 8)
    >>> out, weights = layer(x, x, x)
    >>> out.shape, weights.shape
    (torch.Size([5, 3, 8]), torch.Size([5, 3, 3]))
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        *,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        text = "embed_dim and num_heads must be greater than 0, got {} and {}"
        ensure(min(embed_dim, num_heads) > 0, text, embed_dim, num_heads, error=ValueError)
        self.embed_dim = embed_dim
        self.num_heads = num_heads
        self.head_dim = embed_dim // num_heads
        fit = embed_dim % num_heads == 0
        ensure(fit, "embed_dim must be divisible by num_heads", error=AssertionError)
        self.kdim = kdim or embed_dim
        self.vdim = vdim or embed_dim
        self.dropout = dropout
        self.batch_first = batch_first
        same = self.kdim == self.vdim == embed_dim
        for name, width in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
            add_unset(self, f"{name}_proj_weight", not same, (embed_dim, width), device, dtype)
        add_unset(self, "in_proj_weight", same, (3 * embed_dim, embed_dim), device, dtype)
        add_unset(self, "in_proj_bias", bias, 3 * embed_dim, device, dtype)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, device, dtype)
        for part in self.parameters(recurse=False):
            if part.ndim == 2:
                init.xavier_uniform_(part)
            else:
                init.zeros_(part)
        if bias:
            init.zeros_(self.out_proj.bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        text = "Need attn_mask if specifying the is_causal hint."
        ensure(attn_mask is not None or not is_causal, text)
        batched = query.ndim == 3
        given = [query, key, value]
        if not batched:
            given = [t.unsqueeze(0) for t in given]
        elif not self.batch_first:
            given = [t.transpose(0, 1) for t in given]
        weights: Sequence[Any] = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        if self.in_proj_weight is not None:
            weights = chunk(self.in_proj_weight, 3)
        biases: Sequence[Any] = (None, None, None)
        if self.in_proj_bias is not None:
            biases = chunk(self.in_proj_bias, 3)
        q, k, v = map(self._heads, given, weights, biases)
        mask = self._mask(q, k, attn_mask, key_padding_mask)
        p = self.dropout if self.training else 0.0
        looks = None
        if need_weights:
            scores = (q / math.sqrt(self.head_dim)) @ k.mT
            if mask is not None:
                scores = scores + mask
            looks = F.dropout(softmax(scores, -1), p)
            found = looks @ v
            if average_attn_weights:
                looks = looks.mean(1)
        else:
            found = F.scaled_dot_product_attention(q, k, v, mask, p)
        out = self.out_proj(found.transpose(1, 2).flatten(2))
        if not batched:
            out = out.squeeze(0)
            if looks is not None:
                looks = looks.squeeze(0)
        elif not self.batch_first:
            out = out.transpose(0, 1)
        return out, looks

    def _heads(self, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        """A product, divided among the heads: of shape (N, heads, length, width)."""
        return F.linear(x, weight, bias).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def _mask(
        self, q: Tensor, k: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None
    ) -> Tensor | None:
        """Both masks as numbers to be added to the scores; None if there are none."""
        total: Any = None
        heads = self.num_heads if attn_mask is not None and attn_mask.ndim == 3 else 1
        shapes = (-1, heads, q.shape[2], k.shape[2]), (-1, 1, 1, k.shape[2])
        for mask, shape in zip((attn_mask, key_padding_mask), shapes):
            if mask is None:
                continue
            if not mask.is_floating_point():
                mask = new_tensor(np.where(mask._array, -np.inf, 0).astype(q._array.dtype))
            mask = mask.reshape(shape)
            total = mask if total is None else total + mask
        return total
