"""Normalisation: numbers shifted and scaled to mean 0 and variance 1, over some dimensions.

The three functions differ in what is averaged: ``layer_norm`` the features of one sample,
``batch_norm`` one channel of all samples, ``group_norm`` some channels of one sample. The last
two are a ``layer_norm`` of the numbers in another shape, and then scale and shift by channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from .. import dtypes
from .._tensor import Tensor
from ..compat.arguments import check_implemented, ensure, sizes, tensor_array, wrong_type
from ..engine.record import operation
from ..engine.views import own_array
from ..fast.layer_norm import Dims, average, layer_norm_at_once, scaled, standardized
from ..ops.annotations import Array
from ..ops.shaping import reshape


@operation(
    input=lambda g, weight: g * weight,
    weight=lambda g, input: g * input,
    bias=lambda g, weight: g,
)
def native_batch_norm(input: Array, weight: Array, bias: Array) -> Array:
    """Of what was standardized by channel."""
    return scaled(input, weight, bias)


def inverse_deviation(variance: Array, eps: float, known: Array) -> Array:
    """1 / sqrt(variance + eps): known, as it was before a running one moved on."""
    return known


@operation(
    input=lambda g, running_mean, running_var, factor, eps: (
        g * inverse_deviation(running_var, eps, factor)
    )
)
def standardize_by(
    input: Array, running_mean: Array, running_var: Array, factor: Array, eps: float
) -> Array:
    """Mean 0 and variance 1, as far as the running ones are those of the input.

    As PyTorch's node it keeps them, though the factor is all that is used of them.
    """
    normal: Array = (input - running_mean.reshape(factor.shape)) * factor
    return normal


@operation(
    input=lambda g, weight: g * weight,
    weight=lambda g, input: g * input,
    bias=lambda g, weight: g,
)
def native_group_norm(input: Array, weight: Array, bias: Array) -> Array:
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


def affine(weight: Tensor | None, bias: Tensor | None, view: Dims | None = None) -> tuple[Any, Any]:
    """Weight and bias, in this shape, to be multiplied and added: 1 and 0 where there is none."""
    if weight is not None and view is not None:
        weight = reshape(weight, view)
    if bias is not None and view is not None:
        bias = reshape(bias, view)
    return 1 if weight is None else weight, 0 if bias is None else bias


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
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
    # (x - mean) / sqrt(variance + eps) * weight + bias, see fast/layer_norm.py
    return layer_norm_at_once(input, *affine(weight, bias), dims, eps)


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Each channel (dimension 1) to mean 0 and variance 1, then times ``weight`` plus ``bias``.

    In training, with mean and variance of this batch; the running ones, if given, then move
    towards them by ``momentum`` (with the variance divided by n - 1). Otherwise with the
    running ones. Raises ValueError in training for a single value per channel.
    Counterpart: ``torch.nn.functional.batch_norm``.

    >>> import minigrad as torch
    >>> x = torch.tensor([[1.0], [3.0]])
    >>> torch.nn.functional.batch_norm(x, None, None, training=True)
    tensor([[-1.0000],
            [ 1.0000]])
    """
    x = tensor_array("batch_norm", input)
    count = prod(x.shape[:1] + x.shape[2:])
    ensure(count != 1 or not training, SINGLE, input.shape, error=ValueError)
    kind = "positive during training" if training else "non-negative"
    proper = eps > 0 or (eps == 0 and not training)
    ensure(proper, "batch_norm eps must be {}, but got {}", kind, eps, error=ValueError)
    running: dict[str, Any] = {"running_mean": running_mean, "running_var": running_var}
    missing = [name for name, tensor in running.items() if tensor is None]
    text = "running_mean and running_var must either both be None or neither be None"
    ensure(len(missing) != 1 or not training, text, error=ValueError)
    ensure(training or not missing, "{} must be defined in evaluation mode", *missing)
    what = f"{{0}} should contain {x.shape[1]} elements not {{2}}"
    given = {**running, "weight": weight, "bias": bias}
    check("batch_norm", input, "batch_norm", x.shape[1:2], what, **given)
    view = (-1, *[1] * (x.ndim - 2))
    if training:
        dims = (0, *range(2, x.ndim))
        known = standardized(x, dims, eps)
        normal = layer_norm_at_once(input, None, None, dims, eps, known)
        if count and not missing:  # an empty batch says nothing about them
            variance = (known[1] ** -2 - eps) * (count / (count - 1))
            move_towards(running["running_mean"], average(x, dims), momentum)
            move_towards(running["running_var"], variance, momentum)
    else:
        factor = (running["running_var"]._array.reshape(view) + eps) ** -0.5
        mean, variance = running.values()
        normal = standardize_by(input, mean, variance, factor, eps)
    return native_batch_norm(normal, *affine(weight, bias, view))


def move_towards(running: Tensor, now: Array, momentum: float) -> None:
    """Change a running average by a fraction of what it lacks."""
    memory = own_array(running)
    memory += momentum * (now.reshape(-1) - memory)


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """The channels (dimension 1) of each sample, in groups, each to mean 0 and variance 1.

    Then times ``weight`` plus ``bias``, one for each channel.
    Counterpart: ``torch.nn.functional.group_norm``.

    >>> import minigrad as torch
    >>> x = torch.tensor([[1.0, 3.0, 10.0, 30.0]])
    >>> torch.nn.functional.group_norm(x, num_groups=2)
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
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
    normal = reshape(layer_norm_at_once(groups, None, None, (2,), eps), x.shape)
    return native_group_norm(normal, *affine(weight, bias, (-1, *[1] * len(rest))))
