"""Entries around a tensor: zeros, or what its border or its other end says."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes, longs
from ..compat.arguments import ensure, fitting, tensor_array
from ..engine.arrays import full
from ..engine.node import new_tensor
from ..engine.record import operation
from ..ops.annotations import Array
from ..ops.gathering import index_select

Pads = tuple[tuple[int, int], ...]  # how many entries before and after, for each dimension

EDGES: dict[str, Any] = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}
"""PyTorch's names of paddings, and NumPy's."""


@operation(
    name="constant_pad_nd",
    input=lambda g, pads: _pad(g, tuple((-before, -after) for before, after in pads), 0),
)
def _pad(input: Array, pads: Pads, value: float) -> Array:
    """More entries before and after along each dimension; of negative numbers, fewer."""
    shape = []
    source = []  # what is taken of each dimension,
    target = []  # and where it goes
    for size, (before, after) in zip(input.shape, pads):
        shape.append(size + before + after)
        source.append(slice(max(-before, 0), size - max(-after, 0)))
        target.append(slice(max(before, 0), size + before + min(after, 0)))
    out = full(shape, value, input)
    out[tuple(target)] = input[tuple(source)]
    return out


def pad(input: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    """With entries added before and after: numbers for the last dimension first.

    Added is ``value`` (or 0); in mode "reflect" the entries mirrored at the border, in "replicate"
    the border, in "circular" those of the other end. Negative numbers take entries away.
    Counterpart: ``torch.nn.functional.pad``.

    >>> import minigrad as torch
    >>> import minigrad.nn.functional as F
    >>> F.pad(torch.tensor([[1, 2, 3]]), (2, 1), "circular")
    tensor([[2, 3, 1, 2, 3, 1]])
    """
    ndim = tensor_array("pad", input).ndim
    ensure(len(pad) % 2 == 0, "Padding length must be divisible by 2")
    pairs = list(zip(pad[::2], pad[1::2]))
    text = "Padding length should be less than or equal to two times the input dimension but got {}"
    ensure(len(pairs) <= ndim, text, len(pad))
    pads = ((0, 0),) * (ndim - len(pairs)) + tuple(reversed(pairs))
    if mode == "constant":
        smallest = min((n + a + b for n, (a, b) in zip(input.shape, pads)), default=0)
        ensure(smallest >= 0, "narrow(): length must be non-negative.")
        return _pad(input, pads, fitting(value or 0, dtypes.of(input._array)))
    ensure(mode in EDGES, "Unrecognised padding mode {}", mode, error=NotImplementedError)
    text = "Padding size {} is not supported for {}D input tensor."
    fits = ndim in (len(pairs) + 1, len(pairs) + 2)
    ensure(fits, text, len(pad), ndim, error=NotImplementedError)
    ensure(value is None, 'Padding mode "{}" doesn\'t take in value argument', mode)
    for dim, (before, after) in enumerate(pads):
        size = input.shape[dim]
        if mode != "replicate":
            most = size - 1 if mode == "reflect" else size
            text = "Padding size should be less than the corresponding input dimension: {}"
            ensure(max(before, after) <= most, text, pad)
        places = np.pad(longs.arange(size), (max(before, 0), max(after, 0)), EDGES[mode])
        places = places[max(-before, 0) : len(places) - max(-after, 0)]
        if before or after:
            input = index_select(input, dim, new_tensor(places))
    return input
