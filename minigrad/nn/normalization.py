"""Normalisation: numbers shifted and scaled to mean 0 and variance 1, over some dimensions.

The three functions differ in what is averaged: ``layer_norm`` the features of one sample,
``batch_norm`` one channel of all samples, ``group_norm`` some channels of one sample. The last
two are a ``layer_norm`` of the numbers in another shape, and then scale and shift by channel.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .. import dtypes
from ..compat.arguments import (
    check_implemented,
    ensure,
    in_order,
    sizes,
    tensor_array,
    wrong_type,
)
from ..engine.node import TensorBase, new_tensor
from ..engine.record import operation
from ..engine.views import own_array
from ..ops.activations import total
from ..ops.shaping import reshape

Dims = tuple[int, ...]


def average(x: Any, dims: Dims) -> Any:
    """The mean over some dimensions, which stay with size 1."""
    count = 1
    for d in dims:
        count *= x.shape[d]
    return total(x, dims) / (count or np.nan)


def standardized(x: Any, dims: Dims, eps: float, known: Any = None) -> tuple[Any, Any]:
    """(x - mean) / sqrt(variance + eps); and the factor, 1 / sqrt(variance + eps).

    Those of the forward pass are known; but where their derivative is wanted, they are made
    again, of tensors.
    """
    if known is not None and not isinstance(x, TensorBase):
        return known
    if not isinstance(x, TensorBase):
        x = in_order(x)
    centred = x - average(x, dims)
    scale = (average(centred * centred, dims) + eps) ** -0.5
    if isinstance(x, TensorBase):
        return centred * scale, scale
    centred *= scale
    return centred, scale


def normal_slope(g: Any, x: Any, dims: Dims, eps: float, known: Any) -> Any:
    """What arrives at x: without what would only move its mean, or stretch it."""
    normal, scale = standardized(x, dims, eps, known)
    lost = normal * average(g * normal, dims)
    lost += average(g, dims)
    left = g - lost
    left *= scale
    return left


@operation(
    name="native_layer_norm",
    input=lambda g, input, weight, known, dims, eps: normal_slope(
        g if weight is None else g * weight, input, dims, eps, known
    ),
    weight=lambda g, input, known, dims, eps: g * standardized(input, dims, eps, known)[0],
    bias=lambda g, weight: g,
)
def _layer_norm(input, weight, bias, known, dims, eps):
    return known[0] if weight is None else scaled(known[0], weight, bias)


def scaled(x: Any, weight: Any, bias: Any) -> Any:
    """x * weight + bias, of arrays."""
    out = in_order(x * weight)
    out += bias
    return out


@operation(
    input=lambda g, weight: g * weight,
    weight=lambda g, input: g * input,
    bias=lambda g, weight: g,
)
def native_batch_norm(input, weight, bias):
    """Of what was standardized by channel."""
    return scaled(input, weight, bias)


@operation(
    input=lambda g, weight: g * weight,
    weight=lambda g, input: g * input,
    bias=lambda g, weight: g,
)
def native_group_norm(input, weight, bias):
    """Of what was standardized in groups."""
    return scaled(input, weight, bias)


def check(function: str, input: Any, kernel: str, shape: Dims, what: str, **given: Any) -> None:
    """Raise what PyTorch raises for parameters of another shape or dtype, or for integers."""
    x = input._array
    title = dtypes.of(input._array).title
    mixed = "mixed dtype (CPU): expect parameter to have scalar type of {}"
    for name, tensor in given.items():
        if tensor is not None:
            array = tensor_array(function, tensor, name, 3)
            ensure(array.shape == shape, what, name, array.shape, array.size)
            ensure(array.dtype == x.dtype, mixed, title)
    check_implemented(kernel, x, "f")


SINGLE = "Expected more than 1 value per channel when training, got input size {}"


def affine(weight: Any, bias: Any, view: Dims | None = None) -> tuple[Any, Any]:
    """Weight and bias, to be multiplied and added: 1 and 0 where there is none."""
    if view is not None:
        weight, bias = (None if t is None else reshape(t, view) for t in (weight, bias))
    return 1 if weight is None else weight, 0 if bias is None else bias


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """Each sample's last dimensions, as many as ``normalized_shape`` has, to mean 0, variance 1.

    Then times ``weight`` plus ``bias``, both of that shape. The variance is the mean square
    (not divided by n - 1). Counterpart: ``torch.nn.functional.layer_norm``.

    >>> import minigrad as torch
    >>> torch.nn.functional.layer_norm(torch.tensor([[1.0, 2.0, 3.0]]), (3,))
    tensor([[-1.2247,  0.0000,  1.2247]])
    """
    x = tensor_array("layer_norm", input)
    if not isinstance(normalized_shape, (list, tuple)):
        raise wrong_type("layer_norm", "normalized_shape", 2, "tuple of ints", normalized_shape)
    shape = sizes((normalized_shape,))
    ensure(shape, "Expected normalized_shape to be at least 1-dimensional, but got []")
    what = "Expected {} to be of same shape as normalized_shape, but got {}"
    check("layer_norm", input, "LayerNormKernelImpl", shape, what, weight=weight, bias=bias)
    text = "Given normalized_shape={0}, expected input with shape [*, {1}, but got input of size{2}"
    ensure(x.shape[-len(shape) :] == shape, text, list(shape), str(list(shape))[1:], list(x.shape))
    dims = tuple(range(x.ndim - len(shape), x.ndim))
    return _layer_norm(input, *affine(weight, bias), standardized(x, dims, eps), dims, eps)


def batch_norm(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5
):
    """Each channel (dimension 1) to mean 0 and variance 1, then times ``weight`` plus ``bias``.

    In training, with mean and variance of this batch; the running ones, if given, then move
    towards them by ``momentum`` (with the variance divided by n - 1). Otherwise with the
    running ones. Raises ValueError in training for a single value per channel.
    Counterpart: ``torch.nn.functional.batch_norm``.
    """
    x = tensor_array("batch_norm", input)
    count = prod(x.shape[:1] + x.shape[2:])
    ensure(count != 1 or not training, SINGLE, input.shape, error=ValueError)
    kind = "positive during training" if training else "non-negative"
    proper = eps > 0 or (eps == 0 and not training)
    ensure(proper, "batch_norm eps must be {}, but got {}", kind, eps, error=ValueError)
    running = {"running_mean": running_mean, "running_var": running_var}
    missing = [name for name, tensor in running.items() if tensor is None]
    text = "running_mean and running_var must either both be None or neither be None"
    ensure(len(missing) != 1 or not training, text, error=ValueError)
    ensure(training or not missing, "{} must be defined in evaluation mode", *missing)
    what = f"{{0}} should contain {x.shape[1]} elements not {{2}}"
    given = {**running, "weight": weight, "bias": bias}
    check("batch_norm", input, "batch_norm", x.shape[1:2], what, **given)
    view = (-1, *[1] * (x.ndim - 2))
    if training:
        # The places of an image as one dimension: NumPy is slow if the last one is short.
        flat = reshape(input, *x.shape[:2], -1) if x.ndim > 3 and x.size else input
        dims = (0, *range(2, flat._array.ndim))
        known = standardized(flat._array, dims, eps)
        normal = reshape(_layer_norm(flat, None, None, known, dims, eps), x.shape)
        if count and not missing:  # an empty batch says nothing about them
            mean = average(flat._array, dims)
            variance = (known[1] ** -2 - eps) * (count / (count - 1))
            for tensor, now in ((running_mean, mean), (running_var, variance)):
                memory = own_array(tensor)
                memory += momentum * (now.reshape(-1) - memory)
    else:
        mean = new_tensor(running_mean._array.reshape(view))
        normal = (input - mean) * new_tensor((running_var._array.reshape(view) + eps) ** -0.5)
    return native_batch_norm(normal, *affine(weight, bias, view))


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """The channels (dimension 1) of each sample, in groups, each to mean 0 and variance 1.

    Then times ``weight`` plus ``bias``, one for each channel.
    Counterpart: ``torch.nn.functional.group_norm``.
    """
    x = tensor_array("group_norm", input)
    ensure(x.ndim >= 2, "Expected at least 2 dimensions for input tensor but received {}", x.ndim)
    n, channels, *rest = x.shape
    size = [n * channels // num_groups, num_groups, *rest]
    ensure(size[0] * prod(rest) != 1, SINGLE, size, error=ValueError)
    text = "Expected number of channels in input to be divisible by num_groups, but got input of "
    text += "shape {} and num_groups={}"
    ensure(channels % num_groups == 0, text, list(x.shape), num_groups)
    what = "Expected {} to be a vector of size equal to the number of channels, but got {}"
    check("group_norm", input, "GroupNormKernelImpl", (channels,), what, weight=weight, bias=bias)
    groups = reshape(input, n, num_groups, channels // num_groups * prod(rest))
    known = standardized(groups._array, (2,), eps)
    normal = reshape(_layer_norm(groups, None, None, known, (2,), eps), x.shape)
    return native_group_norm(normal, *affine(weight, bias, (-1, *[1] * len(rest))))
