"""A kernel and what it meets, laid out as matrices ("im2col"), so that products do the work.

What it buys (``python tests/benchmarks/fast.py --only convolution``): without it, LeNet's step
would take 3.8 times as long, an epoch of the digits' CNN 2.5 times.

The plain twins are ``plain_convolution`` and ``plain_transposed`` in nn/convolution.py. Here what
the kernel meets is copied only along the last dimensions: along the first, a shift is another
start in the same memory. And where images are small, the samples stand behind the places, so that
one long product takes them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compat.arguments import in_order
from ..engine.arrays import zeros
from ..ops.annotations import Array

if TYPE_CHECKING:
    from ..nn.convolution import Geometry


FEW = 64
"""With fewer places than these, it pays to have the samples behind them."""

FEW_TO_ADD = 200
"""The same where products are added up (for LeNet's 10 x 10 places, 1.04 of the step)."""


def convolution(input: Array, weight: Array, bias: Array | None, how: Geometry) -> Array:
    """``plain_convolution`` of arrays."""
    kernel = weight.shape[2:]
    matrices = weight_matrices(weight, how.groups)
    products = map(np.matmul, matrices, columns(input, kernel, how))
    out = next(products)
    for product in products:
        out += product
    if bias is not None:
        out += bias.reshape(how.groups, len(weight) // how.groups, 1)
    out = out.reshape(len(out), len(weight), *how.places, samples_behind(input, how).shape[-1])
    return samples_first(out, how)


def weights(g: Array, input: Array, shape: tuple[int, ...], how: Geometry) -> Array:
    """The gradient of the convolution's weight, which has this shape; ``g`` is the output's."""
    out, channels, size, *rest = shape
    groups = how.groups
    g = samples_behind(g, how)
    g = g.reshape(len(g), groups, out // groups, prod(how.places) * g.shape[-1])
    found = [np.add.reduce(met @ g.mT, 0) for met in columns(input, shape[2:], how)]
    by_row = np.stack(found).reshape(size, groups, channels, prod(rest), out // groups)
    return by_row.transpose(1, 4, 2, 0, 3).reshape(shape)


def transposed(
    input: Array, weight: Array, bias: Array | None, shape: tuple[int, ...], how: Geometry
) -> Array:
    """``plain_transposed`` of arrays."""
    out = shape[1]
    sizes = shape[2:]
    channels, _, *kernel = weight.shape
    groups = how.groups
    places = how.places
    wide = how.padded(sizes)
    input = samples_behind(input, how, FEW_TO_ADD)
    samples = len(input)
    behind = input.shape[-1]
    flat = input.reshape(samples, groups, channels // groups, prod(places) * behind)
    # Along the first dimension, the rows of the kernel are added up where they belong ...
    x = zeros((samples, out, *kernel[1:], wide[0], *places[1:], behind), input)
    for matrix, index in zip(weight_matrices(weight, groups), shifts(kernel, 0, how)):
        product = matrix.mT @ flat
        x[index] += product.reshape(samples, out, *kernel[1:], *places, behind)
    # ... and along the others, what the entries of a row have made.
    for axis in range(1, len(kernel)):
        parts = x
        x = zeros(
            (samples, out, *kernel[axis + 1 :], *wide[: axis + 1], *places[axis + 1 :], behind), x
        )
        for k, index in enumerate(shifts(kernel, axis, how)):
            x[index] += parts[:, :, k]
    x = samples_first(x[(slice(None), slice(None), *how.inside(sizes))], how, FEW_TO_ADD)
    if bias is not None:
        x += bias.reshape(-1, *[1] * len(kernel))
    return x


def columns(x: Array, kernel: Sequence[int], how: Geometry) -> Iterator[Array]:
    """For each row of the kernel (its first dimension), a stack of matrices of what it meets.

    Their shape: samples, groups, channels of a group × the rest of the kernel, places; if there
    are few places, 1, groups, channels × the rest of the kernel, places × samples.
    """
    x = samples_behind(x, how)
    samples, channels, *sizes, behind = x.shape
    if any(map(any, how.padding)):
        inner = x
        x = zeros((samples, channels, *how.padded(sizes), behind), x)
        x[(slice(None), slice(None), *how.inside(sizes))] = inner
    for axis in reversed(range(1, len(kernel))):
        x = np.stack([x[index] for index in shifts(kernel, axis, how)], 2)
    height = channels // how.groups * prod(kernel[1:])
    for index in shifts(kernel, 0, how):
        yield x[index].reshape(samples, how.groups, height, prod(how.places) * behind)


def weight_matrices(weight: Array, groups: int) -> Array:
    """For each row of the kernel, its weights as one matrix for each group."""
    out, channels, size, *rest = weight.shape
    parts = weight.reshape(groups, out // groups, channels, size, prod(rest))
    shape = size, groups, out // groups, channels * prod(rest)
    return parts.transpose(3, 0, 1, 2, 4).reshape(shape)


def shifts(kernel: Sequence[int], axis: int, how: Geometry) -> list[Any]:
    """For each entry of the kernel along an axis, the index of what it meets at all places.

    Axes are counted from the last of what is indexed, where one more stands behind them.
    """
    behind = [slice(None)] * (len(kernel) - axis)
    return [(..., how.met_by(k, axis), *behind) for k in range(kernel[axis])]


def samples_behind(x: Array, how: Geometry, few: int = FEW) -> Array:
    """With one dimension more, at the end: the samples if there are few places, else of size 1."""
    x = x[..., None]
    if prod(how.places) < few:
        return x.swapaxes(0, -1)
    return x


def samples_first(x: Array, how: Geometry, few: int = FEW) -> Array:
    """The other way, in order in memory."""
    if prod(how.places) < few:
        x = x.swapaxes(0, -1)
    return in_order(x[..., 0])
