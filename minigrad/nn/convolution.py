"""Convolutions: a small kernel of weights slides over sequences or images.

Three maps, each linear in both of its arguments, and each other's derivatives: ``_convolution``
(input and weight make the output), ``_transposed`` (output and weight make an input) and
``_weights`` (output and input make a weight). How they are worked out quickly is in
fast/convolution.py; ``plain_convolution`` and ``plain_transposed`` say what they mean.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .. import dtypes
from .._tensor import Tensor
from ..compat.arguments import ensure, sizes, tensor_array
from ..engine.record import operation
from ..fast import convolution as fast
from ..ops.annotations import Array
from ..ops.creation import zeros
from ..ops.linear import in_c
from ..ops.shaping import squeeze, unsqueeze
from .padding import _pad

Sizes = int | Sequence[int]  # one for each dimension, or one for all


class Geometry(NamedTuple):
    """How a kernel moves along each dimension, and into how many groups the channels fall."""

    stride: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]  # zeros before and after
    dilation: tuple[int, ...]
    groups: int
    places: tuple[int, ...]  # how many there are

    def met_by(self, entry: int, axis: int) -> slice:
        """What an entry of the kernel meets at all places, along one dimension."""
        start = entry * self.dilation[axis]
        step = self.stride[axis]
        return slice(start, start + step * (self.places[axis] - 1) + 1, step)

    def padded(self, sizes: Sequence[int]) -> list[int]:
        """The sizes of what is padded."""
        return [n + before + after for n, (before, after) in zip(sizes, self.padding)]

    def inside(self, sizes: Sequence[int]) -> list[slice]:
        """Where in what is padded the rest is."""
        return [slice(before, before + n) for n, (before, _) in zip(sizes, self.padding)]


# ----------------------------------------------------------------------------------- three maps


@operation(
    input=lambda g, input_shape, weight, how: _transposed(g, weight, None, input_shape, how),
    weight=lambda g, input, weight_shape, how: _weights(g, input, weight_shape, how),
    bias=lambda g, weight: g.sum(0).sum(tuple(range(1, g.ndim - 1))),
)
def _convolution(input: Array, weight: Array, bias: Array | None, how: Geometry) -> Array:
    return fast.convolution(input, weight, bias, how)


@operation(
    name="convolution",
    input=lambda g, weight, how: _convolution(g, weight, None, how),
    weight=lambda g, input, weight_shape, how: _weights(input, g, weight_shape, how),
    bias=lambda g, weight: g.sum(0).sum(tuple(range(1, g.ndim - 1))),
)
def _transposed(
    input: Array, weight: Array, bias: Array | None, shape: tuple[int, ...], how: Geometry
) -> Array:
    return fast.transposed(input, weight, bias, shape, how)


@operation(
    name="convolution_backward",
    input=lambda g, other, how: _convolution(other, g, None, how),
    other=lambda g, input, other_shape, how: _transposed(input, g, None, other_shape, how),
)
def _weights(input: Array, other: Array, shape: tuple[int, ...], how: Geometry) -> Array:
    return fast.weights(input, other, shape, how)


def plain_convolution(input: Tensor, weight: Tensor, bias: Tensor | None, how: Geometry) -> Tensor:
    """The convolution, as a sum over the entries of the kernel: each times what it meets."""
    out, channels, *kernel = weight.shape
    groups = how.groups
    padded = _pad(input, ((0, 0), (0, 0), *how.padding), 0)
    total: Any = 0
    for entry in np.ndindex(*kernel):
        met = padded[(..., *[how.met_by(k, axis) for axis, k in enumerate(entry)])]
        met = met.reshape(len(input), groups, channels, prod(how.places))
        factors = weight[(..., *entry)].reshape(groups, out // groups, channels)
        total = total + factors @ met
    return with_bias(total.reshape(len(input), out, *how.places), bias)


def plain_transposed(
    input: Tensor, weight: Tensor, bias: Tensor | None, shape: tuple[int, ...], how: Geometry
) -> Tensor:
    """The transposed convolution: each entry of the kernel adds where it would have met."""
    samples, out, *inner = shape
    channels, _, *kernel = weight.shape
    groups = how.groups
    flat = input.reshape(samples, groups, channels // groups, prod(how.places))
    total = zeros((samples, out, *how.padded(inner)), dtype=input.dtype)
    for entry in np.ndindex(*kernel):
        factors = weight[(..., *entry)].reshape(groups, channels // groups, out // groups)
        product = (factors.mT @ flat).reshape(samples, out, *how.places)
        total[(..., *[how.met_by(k, axis) for axis, k in enumerate(entry)])] += product
    return with_bias(total[(..., *how.inside(inner))], bias)


def with_bias(x: Tensor, bias: Tensor | None) -> Tensor:
    """Each channel with its bias added."""
    if bias is None:
        return x
    return x + bias.reshape(-1, *[1] * (x.ndim - 2))


# ------------------------------------------------------------------------------ the functions


def per_axis(name: str, value: Any, d: int, least: int = 1) -> tuple[int, ...]:
    """An option with one int for each of ``d`` dimensions, or one for all."""
    found = sizes((value,))
    if len(found) == 1:
        found = found * d
    text = "expected {0} to be a single integer value or a list of {1} values, but got {0}={2}"
    ensure(len(found) == d, text, name, d, found)
    sign = "non-positive" if least else "negative"
    ensure(min(found) >= least, "{} {} is not supported: {}", sign, name, found)
    return found


def around(padding: Any, kernel: Any, stride: Any, dilation: Any) -> tuple[tuple[int, int], ...]:
    """How many zeros stand before and after the input, along each dimension."""
    if padding != "same":
        wrong = isinstance(padding, str) and padding != "valid"
        ensure(not wrong, "Invalid padding string: '{}'", padding)
        found = per_axis("padding", 0 if padding == "valid" else padding, len(kernel), 0)
        return tuple((n, n) for n in found)
    ensure(max(stride) == 1, "padding='same' is not supported for strided convolutions")
    total = [apart * (k - 1) for apart, k in zip(dilation, kernel)]
    if any(n % 2 for n in total):
        text = "Using padding='same' with even kernel lengths and odd dilation pads one side more"
        warnings.warn(text, stacklevel=4)
    return tuple((n // 2, n - n // 2) for n in total)


def convolve(
    function: str,
    input: Any,
    weight: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: Any,
    output_padding: Any = 0,
) -> Tensor:
    """All convolutions, by the name of the function: "conv_transpose2d" is one."""
    d = int(function[-2])
    transposed = "transpose" in function
    x = tensor_array(function, input)
    w = tensor_array(function, weight, "weight", 2)
    text = "{}(): argument 'padding' (position 5) must be tuple of ints, but found str"
    ensure(not (transposed and isinstance(padding, str)), text, function, error=TypeError)
    if x.ndim == d + 1:  # one sample instead of a batch
        options = stride, padding, dilation, groups, output_padding
        return squeeze(convolve(function, unsqueeze(input, 0), weight, bias, *options), 0)
    text = "Expected {}D (unbatched) or {}D (batched) input to {}, but got input of size: {}"
    ensure(x.ndim == w.ndim == d + 2, text, d + 1, d + 2, function, list(x.shape))
    kernel = w.shape[2:]
    stride = per_axis("stride", stride, d)
    dilation = per_axis("dilation", dilation, d)
    (groups,) = per_axis("groups", groups, 1)
    more = per_axis("output_padding", output_padding, d, 0)
    pad = around(padding, kernel, stride, dilation)
    out = check_arrays(function, x, w, bias, groups, transposed)

    empty = transposed and not len(x)  # then PyTorch asks less
    text = "output padding must be smaller than either stride or dilation, but got {}"
    fits = all(n < max(pair) for n, *pair in zip(more, stride, dilation))
    ensure(empty or fits, text, more)
    # How far the kernel reaches beyond its first entry, less the padding on both sides.
    reach = [a * (k - 1) - sum(p) for a, k, p in zip(dilation, kernel, pad)]
    text = "Calculated padded input size per channel: {} padded by {}. Kernel size: {}. Kernel "
    text += "size can't be greater than actual input size: the output would be of size {}"
    size = tuple((n - r - 1) // s + 1 for n, r, s in zip(x.shape[2:], reach, stride))
    if transposed:
        text = "Given input size per channel: {0}. Calculated output size per channel: {3}. "
        text += "Output size is too small"
        steps = zip(x.shape[2:], reach, stride, more)
        size = tuple((n - 1) * s + r + m + 1 for n, r, s, m in steps)
    least = 0 if empty else 1
    ensure(min(size) >= least, text, x.shape[2:], pad, kernel, size)
    if transposed:
        how = Geometry(stride, pad, dilation, groups, x.shape[2:])
        return _transposed(input, weight, bias, (len(x), out, *size), how)
    return _convolution(input, weight, bias, Geometry(stride, pad, dilation, groups, size))


def check_arrays(
    function: str, x: Array, w: Array, bias: Any, groups: int, transposed: bool
) -> int:
    """Raise what PyTorch raises unless sizes and dtypes fit. Returns the number of out channels."""
    x_shape = list(x.shape)
    w_shape = list(w.shape)
    given = "Given transposed=1" if transposed else f"Given groups={groups}"
    text = "{}, expected weight to be divisible by {} at dimension 0, but got weight of size {}"
    ensure(len(w) % groups == 0, text, given, groups, w_shape)
    channels = w.shape[1] * groups
    out = len(w)
    if transposed:
        channels, out = out, channels
    text = "{}, weight of size {}, expected input{} to have {} channels, but got {}\n"
    text += "  The channels come after the batch: (N, C, ...).\n"
    text += "  fix: another in_channels; or, if there is one that was left out, x.unsqueeze(1)."
    ensure(x.shape[1] == channels, text, given, w_shape, x_shape, channels, x.shape[1])
    others = [w]
    if bias is not None:
        b = tensor_array(function, bias, "bias", 3)
        text = "Given weight of size {}, expected bias to be 1-dimensional with {} elements, "
        ensure(b.shape == (out,), text + "but got {}", w_shape, out, b.shape)
        text = "Input type ({}) and bias type ({}) should be the same"
        ensure(transposed or x.dtype == b.dtype, text, in_c(x), in_c(b))
        others.append(b)
    for other in others:
        text = "expected scalar type {} but found {}"
        ensure(x.dtype == other.dtype, text, dtypes.of(x).title, dtypes.of(other).title)
    text = "Only zero batch or zero channel inputs are supported, but got input shape: {}"
    ensure(0 not in x.shape[2:], text, x_shape)
    return out


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes | str = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """A kernel slides over sequences of shape (batch, channels, length), or over one of them.

    As ``conv2d``, with ``weight`` of shape (out channels, channels / groups, size).
    Counterpart: ``torch.nn.functional.conv1d``.

    >>> import minigrad as torch
    >>> torch.conv1d(torch.tensor([[[1.0, 2.0, 4.0, 8.0]]]), torch.tensor([[[-1.0, 1.0]]]))
    tensor([[[1., 2., 4.]]])
    """
    return convolve("conv1d", input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes | str = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> Tensor:
    """A kernel slides over images of shape (batch, channels, height, width), or over one image.

    At each place, the sum of products of the kernel and the entries under it (without turning
    it over: a cross-correlation), for each of the out channels, plus its ``bias``.

    ``weight``: of shape (out channels, channels / ``groups``, height, width). ``stride``: how far
    it moves; ``padding``: zeros around the image, or "same" (the output has the image's size) or
    "valid" (none); ``dilation``: how far apart the entries are that it meets; ``groups``: each
    group of channels makes its own out channels. Ints, or one for each dimension.

    Raises RuntimeError if channels, dtypes or sizes do not fit.
    Counterpart: ``torch.nn.functional.conv2d``.

    >>> import minigrad as torch
    >>> image = torch.tensor([[[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]]])
    >>> torch.conv2d(image, torch.tensor([[[[-1.0, 1.0]]]]))
    tensor([[[0., 1.],
             [1., 0.],
             [0., 0.]]])
    """
    return convolve("conv2d", input, weight, bias, stride, padding, dilation, groups)


def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Tensor:
    """As ``conv_transpose2d``, of sequences. Counterpart: ``torch.nn.functional.conv_transpose1d``.

    >>> import minigrad as torch
    >>> torch.conv_transpose1d(torch.tensor([[[1.0, 10.0]]]), torch.tensor([[[1.0, 2.0, 3.0]]]))
    tensor([[[ 1., 12., 23., 30.]]])
    """
    options = stride, padding, dilation, groups, output_padding
    return convolve("conv_transpose1d", input, weight, bias, *options)


def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    groups: int = 1,
    dilation: Sizes = 1,
) -> Tensor:
    """Each entry of the image puts a multiple of the kernel into the output, where they add up.

    The map that takes gradients back through ``conv2d``, used forwards: it makes images larger.
    ``weight`` has shape (channels, out channels / ``groups``, height, width), ``output_padding``
    makes one side of the output larger, the other options are those of the ``conv2d`` that it
    turns around. Counterpart: ``torch.nn.functional.conv_transpose2d``.

    >>> import minigrad as torch
    >>> kernel = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> torch.conv_transpose2d(torch.tensor([[[1.0, 10.0]]]), kernel, stride=2)
    tensor([[[ 1.,  2., 10., 20.],
             [ 3.,  4., 30., 40.]]])
    """
    options = stride, padding, dilation, groups, output_padding
    return convolve("conv_transpose2d", input, weight, bias, *options)
