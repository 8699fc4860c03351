"""Convolutions: a small kernel of weights slides over sequences or images.

Three maps, each linear in both of its arguments, and each other's derivatives: ``_convolution``
(input and weight make the output), ``_transposed`` (output and weight make an input) and
``_weights`` (output and input make a weight).

What the kernel meets is laid out as matrices, so that matrix products do the work ("im2col"); but
only along the last dimensions: along the first, a shift is another start in the same memory. Where
images are small, the samples stand behind the places, so that one long product takes them all.
"""

from __future__ import annotations

import warnings
from math import prod
from typing import Any, NamedTuple

import numpy as np

from .. import dtypes
from ..compat.arguments import ensure, sizes, tensor_array
from ..engine.record import operation
from ..ops.linear import in_c
from ..ops.shaping import squeeze, unsqueeze

FEW_TO_ADD = 200
"""Up to how many places ``_transposed`` adds up faster with the samples behind them."""


class Geometry(NamedTuple):
    """How a kernel moves along each dimension, and into how many groups the channels fall."""

    stride: tuple[int, ...]
    padding: tuple[tuple[int, int], ...]  # zeros before and after
    dilation: tuple[int, ...]
    groups: int
    places: tuple[int, ...]  # how many there are

    def shifts(self, kernel: Any, axis: int, at: int) -> list[Any]:
        """For each entry of the kernel along an axis, the index of what it meets at all places.

        ``at`` is where the axis stands in what is indexed, counted from the last.
        """
        step = self.stride[axis]
        apart = self.dilation[axis]
        after = (slice(None),) * (-1 - at)
        starts = range(0, kernel[axis] * apart, apart)
        length = step * (self.places[axis] - 1) + 1
        return [(..., slice(start, start + length, step), *after) for start in starts]

    def back(self, sizes: Any, kernel: Any) -> Geometry | None:
        """How the reversed kernel moves over the outputs to meet each input; None for strides."""
        spans = [apart * (k - 1) for apart, k in zip(self.dilation, kernel)]
        before = [span - pad[0] for span, pad in zip(spans, self.padding)]
        after = [n + s - m - b for n, s, m, b in zip(sizes, spans, self.places, before)]
        if max(self.stride) > 1 or min(*before, *after) < 0:
            return None
        pads = tuple(zip(before, after))
        return self._replace(padding=pads, places=tuple(sizes))

    def inside(self, sizes: Any) -> tuple[Any, ...]:
        """The index of what is not padding, in front of a last dimension."""
        inner = [slice(pad[0], pad[0] + n) for n, pad in zip(sizes, self.padding)]
        return (..., *inner, slice(None))

    def turned(self, x: Any, most: int = 64) -> Any:
        """Samples first and a last dimension of 1; or, if there are few places, the other way."""
        return x.swapaxes(0, -1) if prod(self.places) <= most else x


def met(x: Any, kernel: Any, how: Geometry) -> Any:
    """For each row of the kernel (its first dimension), a stack of matrices of what it meets.

    Their shape: samples, groups, channels of a group × the rest of the kernel, places; if there
    are few places, 1, groups, channels × the rest of the kernel, places × samples.
    """
    x = how.turned(x[..., None])
    columns = (len(x), how.groups, x.shape[1] // how.groups * prod(kernel[1:]))
    if any(map(any, how.padding)):
        inner = x
        sizes = [n + sum(pad) for n, pad in zip(x.shape[2:], how.padding)]
        x = np.zeros((*x.shape[:2], *sizes, x.shape[-1]), x.dtype)
        x[how.inside(inner.shape[2:])] = inner
    for axis in range(-1, -len(kernel), -1):
        x = np.stack([x[s] for s in how.shifts(kernel, axis, axis - 1)], 2)
    x = x.reshape(*columns, x.shape[-1 - len(kernel)], prod(how.places[1:]) * x.shape[-1])
    for s in how.shifts(kernel, 0, -2):
        yield x[s].reshape(*columns, how.places[0] * x.shape[-1])


def rows(weight: Any, groups: int) -> Any:
    """For each row of the kernel, its weights as one matrix for each group."""
    out, channels, size, *rest = weight.shape
    parts = weight.reshape(groups, out // groups, channels, size, prod(rest))
    shape = size, groups, out // groups, channels * prod(rest)
    return parts.transpose(3, 0, 1, 2, 4).reshape(shape)


@operation(
    input=lambda g, input_shape, weight, how: _transposed(g, weight, None, input_shape, how),
    weight=lambda g, input, weight_shape, how: _weights(g, input, weight_shape, how),
    bias=lambda g, weight: g.sum(0).sum(tuple(range(1, g.ndim - 1))),
)
def _convolution(input, weight, bias, how):
    return convolved(input, weight, bias, how)


def convolved(input: Any, weight: Any, bias: Any, how: Geometry) -> Any:
    """The convolution of arrays."""
    pairs = zip(rows(weight, how.groups), met(input, weight.shape[2:], how))
    out = np.matmul(*next(pairs))
    product = np.empty_like(out)
    for matrix, columns in pairs:
        out += np.matmul(matrix, columns, product)  # into the same memory again: new pages are slow
    if bias is not None:
        out += bias.reshape(how.groups, len(weight) // how.groups, 1)
    behind = how.turned(input[..., None]).shape[-1]
    out = out.reshape(len(out), len(weight), *how.places, behind)
    return np.ascontiguousarray(how.turned(out)[..., 0])


@operation(
    name="convolution",
    input=lambda g, weight, how: _convolution(g, weight, None, how),
    weight=lambda g, input, weight_shape, how: _weights(input, g, weight_shape, how),
    bias=lambda g, weight: g.sum(0).sum(tuple(range(1, g.ndim - 1))),
)
def _transposed(input, weight, bias, shape, how):
    kernel = weight.shape[2:]
    count = how.places
    groups = how.groups
    back = how.back(shape[2:], kernel)
    if back is not None and len(weight) <= 2 * weight.shape[1]:  # else adding up is faster
        parts = np.flip(weight, tuple(range(2, weight.ndim))).reshape(groups, -1, *weight.shape[1:])
        return convolved(input, np.concatenate(parts.swapaxes(1, 2)), bias, back)
    wide = [n + sum(pad) for n, pad in zip(shape[2:], how.padding)]
    g = how.turned(input[..., None], FEW_TO_ADD)
    samples = len(g)
    behind = g.shape[-1]
    g = g.reshape(samples, groups, len(weight) // groups, prod(count) * behind)
    columns = (samples, groups, shape[1] // groups * prod(kernel[1:]))
    rest = prod(count[1:]) * behind
    x = np.zeros((*columns, wide[0], rest), input.dtype)
    product = np.empty((*columns, count[0] * rest), input.dtype)
    for matrix, s in zip(rows(weight, groups), how.shifts(kernel, 0, -2)):
        x[s] += np.matmul(matrix.mT, g, product).reshape(*columns, count[0], rest)
    x = x.reshape(samples, shape[1], *kernel[1:], wide[0], *count[1:], behind)
    for axis in range(1 - len(kernel), 0):
        sizes = [*x.shape[:2], *x.shape[3:]]
        sizes[axis - 1] = wide[axis]
        parts = x
        x = np.zeros(sizes, x.dtype)
        for k, s in enumerate(how.shifts(kernel, axis, axis - 1)):
            x[s] += parts[:, :, k]
    out = np.ascontiguousarray(how.turned(x[how.inside(shape[2:])], FEW_TO_ADD)[..., 0])
    return out if bias is None else out + bias.reshape(-1, *(1,) * len(kernel))


@operation(
    name="convolution_backward",
    input=lambda g, other, how: _convolution(other, g, None, how),
    other=lambda g, input, other_shape, how: _transposed(input, g, None, other_shape, how),
)
def _weights(input, other, shape, how):
    groups, (out, channels, size, *rest) = how.groups, shape
    g = how.turned(input[..., None])
    g = g.reshape(len(g), groups, out // groups, prod(how.places) * g.shape[-1]).mT
    found = np.stack([np.add.reduce(matrix @ g, 0) for matrix in met(other, shape[2:], how)])
    found = found.reshape(size, groups, channels, prod(rest), out // groups)
    return found.transpose(1, 4, 2, 0, 3).reshape(shape)


# ------------------------------------------------------------------------------ the functions


def per_axis(name: str, value: Any, d: int, least: int = 1) -> tuple[int, ...]:
    """An option with one int for each of ``d`` dimensions, or one for all."""
    found = sizes((value,))
    found = found * d if len(found) == 1 else found
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


def convolve(function: str, input: Any, weight: Any, bias: Any, *options: Any) -> Any:
    """The common shape of the convolutions; transposed ones have one option more."""
    stride, padding, apart, groups, *more = options
    d = int(function[-2])
    transposed = bool(more)
    grown = more[0] if more else 0
    x = tensor_array(function, input)
    w = tensor_array(function, weight, "weight", 2)
    text = "{}(): argument 'padding' (position 5) must be tuple of ints, but found str"
    ensure(not (transposed and isinstance(padding, str)), text, function, error=TypeError)
    if x.ndim == d + 1:  # one sample instead of a batch
        return squeeze(convolve(function, unsqueeze(input, 0), weight, bias, *options), 0)
    shapes = (list(x.shape), list(w.shape))
    kernel = w.shape[2:]
    text = "Expected {}D (unbatched) or {}D (batched) input to {}, but got input of size: {}"
    ensure(x.ndim == w.ndim == d + 2, text, d + 1, d + 2, function, *shapes)
    stride = per_axis("stride", stride, d)
    apart = per_axis("dilation", apart, d)
    (groups,), grown = per_axis("groups", groups, 1), per_axis("output_padding", grown, d, 0)
    pad = around(padding, kernel, stride, apart)
    given = "Given transposed=1" if transposed else f"Given groups={groups}"
    text = "{}, expected weight to be divisible by {} at dimension 0, but got weight of size {}"
    ensure(len(w) % groups == 0, text, given, groups, shapes[1])
    out = len(w)
    channels = w.shape[1] * groups
    if transposed:
        channels, out = out, channels
    text = "{}, weight of size {}, expected input{} to have {} channels, but got {}\n"
    text += "  The channels come after the batch: (N, C, ...).\n"
    text += "  fix: another in_channels; or, if there is one that was left out, x.unsqueeze(1)."
    ensure(x.shape[1] == channels, text, given, shapes[1], shapes[0], channels, x.shape[1])
    b = w if bias is None else tensor_array(function, bias, "bias", 3)
    text = "Given weight of size {}, expected bias to be 1-dimensional with {} elements, but got {}"
    ensure(b is w or b.shape == (out,), text, shapes[1], out, b.shape)
    text = "Input type ({}) and bias type ({}) should be the same"
    ensure(transposed or b is w or x.dtype == b.dtype, text, in_c(x), in_c(b))
    for other in (w, b):
        text = "expected scalar type {} but found {}"
        ensure(x.dtype == other.dtype, text, dtypes.of(x).title, dtypes.of(other).title)
    text = "Only zero batch or zero channel inputs are supported, but got input shape: {}"
    ensure(0 not in x.shape[2:], text, shapes[0])
    nothing = transposed and not len(x)  # then PyTorch asks less
    text = "output padding must be smaller than either stride or dilation, but got {}"
    fits = all(n < max(pair) for n, *pair in zip(grown, stride, apart))
    ensure(nothing or fits, text, grown)
    # How far the kernel reaches beyond its first entry, less the padding on both sides.
    reach = [a * (k - 1) - sum(p) for a, k, p in zip(apart, kernel, pad)]
    size = tuple((n - r - 1) // s + 1 for n, r, s in zip(x.shape[2:], reach, stride))
    if transposed:
        steps = zip(x.shape[2:], reach, stride, grown)
        size = tuple((n - 1) * s + r + more + 1 for n, r, s, more in steps)
    text = "Calculated padded input size per channel: {} padded by {}. Kernel size: {}. Kernel "
    text += "size can't be greater than actual input size: the output would be of size {}"
    if transposed:
        text = "Given input size per channel: {0}. Calculated output size per channel: {3}. "
        text += "Output size is too small"
    ensure(min(size) >= (not nothing), text, x.shape[2:], pad, kernel, size)
    if transposed:
        how = Geometry(stride, pad, apart, groups, x.shape[2:])
        return _transposed(input, weight, bias, (len(x), out, *size), how)
    return _convolution(input, weight, bias, Geometry(stride, pad, apart, groups, size))


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """A kernel slides over sequences of shape (batch, channels, length), or over one of them.

    As ``conv2d``, with ``weight`` of shape (out channels, channels / groups, size).
    Counterpart: ``torch.nn.functional.conv1d``.

    >>> import minigrad as torch
    >>> torch.conv1d(torch.tensor([[[1.0, 2.0, 4.0, 8.0]]]), torch.tensor([[[-1.0, 1.0]]]))
    tensor([[[1., 2., 4.]]])
    """
    return convolve("conv1d", input, weight, bias, stride, padding, dilation, groups)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
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
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    """As ``conv_transpose2d``, of sequences. Counterpart: ``torch.nn.functional.conv_transpose1d``.

    >>> import minigrad as torch
    >>> torch.conv_transpose1d(torch.tensor([[[1.0, 10.0]]]), torch.tensor([[[1.0, 2.0, 3.0]]]))
    tensor([[[ 1., 12., 23., 30.]]])
    """
    options = stride, padding, dilation, groups, output_padding
    return convolve("conv_transpose1d", input, weight, bias, *options)


def conv_transpose2d(
    input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
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
