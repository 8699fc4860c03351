"""Activation functions. The operation and what programs call stand side by side.

An operation, whose name begins with ``_``, is called with all its options, in order; the function
after it gives these their defaults, checks them, and says what it means.

At a kink the choice is PyTorch's: hardtanh'(bound) = 0, leaky_relu'(0) = the slope below 0,
elu'(0) = alpha.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from .. import dtypes
from .._tensor import Tensor
from ..compat.arguments import (
    check_fits,
    check_implemented,
    ensure,
    in_order,
    tensor_array,
    wrapped_dim,
)
from ..engine.arrays import as_array
from ..engine.node import TensorBase
from ..engine.record import operation
from ..ops.activations import log_softmax as _log_softmax
from ..ops.activations import relu as _relu
from ..ops.activations import sigmoid
from ..ops.activations import softmax as _softmax
from ..ops.annotations import Array
from ..ops.elementwise.arithmetic import abs as _abs
from ..ops.elementwise.choices import where_
from ..ops.elementwise.exponential import exp
from ..ops.elementwise.special import erf, erf_of
from ..ops.inplace import write
from ..ops.shaping import reshape
from ..ops.slicing import chunk


def activated(
    operation: Any, inplace: bool, input: Tensor, *options: Any, kinds: str = "f"
) -> Tensor:
    """An activation of numbers of these kinds, written into ``input`` if that is wanted."""
    name = operation.kind.op
    check_implemented(f"{name}_cpu", tensor_array(name, input), kinds)
    if inplace:
        return write(input, operation, *options)
    return operation(input, *options)


# -------------------------------------------------------------------------------------- kinks


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """``torch.relu``: max(input, 0). Counterpart: ``torch.nn.functional.relu``.

    ``inplace``: write the result into ``input``, as with the other activations here.

    >>> import minigrad as torch
    >>> torch.nn.functional.relu(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    if inplace:
        return write(input, _relu)
    return _relu(input)


@operation(input=lambda g, input, low, high: where_((input <= low) | (input >= high), 0, g))
def _hardtanh(input: Array, low: float, high: float) -> Array:
    of_dtype = input.dtype.type
    return np.minimum(np.maximum(input, of_dtype(low)), of_dtype(high))


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """``input``, but not below ``min_val`` or above ``max_val``; the derivative there is 0.

    Raises ValueError if the bounds are the wrong way round.
    Counterpart: ``torch.nn.functional.hardtanh``.

    >>> import minigrad as torch
    >>> torch.nn.functional.hardtanh(torch.tensor([-3.0, 0.5, 3.0]))
    tensor([-1.0000,  0.5000,  1.0000])
    """
    ensure(min_val <= max_val, "min_val cannot be greater than max_val", error=ValueError)
    kind = tensor_array("hardtanh", input).dtype.kind
    ensure(kind != "b", "Bool inputs not supported for hardtanh")
    if kind == "i":
        check_fits(min_val, dtypes.of(input._array))
        check_fits(max_val, dtypes.of(input._array))
    fits = kind != "u" or min_val >= 0
    ensure(fits, "cannot do hardtanh on an unsigned type with negative limits")
    return activated(_hardtanh, inplace, input, min_val, max_val, kinds="fiu")


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """min(max(input, 0), 6). Counterpart: ``torch.nn.functional.relu6``.

    >>> import minigrad as torch
    >>> torch.nn.functional.relu6(torch.tensor([-1.0, 2.0, 8.0]))
    tensor([0., 2., 6.])
    """
    return hardtanh(input, 0, 6, inplace)


@operation(
    input=lambda g, input, negative_slope: (
        where_(input > 0, g, 0) + negative_slope * where_(input > 0, 0, g)
    )
)
def _leaky_relu(input: Array, negative_slope: float) -> Array:
    return np.maximum(input, 0) + negative_slope * np.minimum(input, 0)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """``input`` if positive, else ``negative_slope * input``; the derivative at 0 is that slope.

    Counterpart: ``torch.nn.functional.leaky_relu``.

    >>> import minigrad as torch
    >>> torch.nn.functional.leaky_relu(torch.tensor([-1.0, 2.0]))
    tensor([-0.0100,  2.0000])
    """
    return activated(_leaky_relu, inplace, input, negative_slope)


@operation(
    input=lambda g, input, weight: where_(input > 0, g, g * weight),
    weight=lambda g, input: where_(input > 0, 0, g * input),
)
def _prelu_kernel(input: Array, weight: Array) -> Array:
    return np.where(input > 0, input, input * weight)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """``input`` if positive, else ``weight * input``; one weight, or one for each channel.

    Counterpart: ``torch.nn.functional.prelu``.

    >>> import minigrad as torch
    >>> torch.nn.functional.prelu(torch.tensor([-1.0, 2.0]), torch.tensor([0.25]))
    tensor([-0.2500,  2.0000])
    """
    x = tensor_array("prelu", input)
    w = tensor_array("prelu", weight, "weight", 2)
    text = "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {}"
    ensure(w.ndim <= 1, text, w.ndim)
    channels = 1
    if x.ndim > 1:
        channels = x.shape[1]
    text = "Mismatch of parameter numbers and input channel size. Found parameter numbers = {} and "
    ensure(w.size in (1, channels), text + "channel size = {}.", w.size, channels)
    ensure(x.dtype == w.dtype, "prelu: Type promoting not supported: input and weight differ")
    if w.size > 1:  # one for each channel, the second dimension
        weight = reshape(weight, (-1, *[1] * (x.ndim - 2)))
    else:
        weight = reshape(weight, [1] * min(x.ndim, 1))
    return _prelu_kernel(input, weight)


# ------------------------------------------------------------------------------ exponentials


def softmax_dim(name: str, dim: int | None, input: Tensor) -> int:
    """The dimension; where none was given, with PyTorch's warning, the one that it takes."""
    if dim is not None:
        return dim
    text = f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
    warnings.warn(text + "dim=X as an argument.", stacklevel=3)
    if input.ndim in (0, 1, 3):
        return 0
    return 1


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """``torch.softmax``, which warns if no dimension is said.

    Counterpart: ``torch.nn.functional.softmax``.

    >>> import minigrad as torch
    >>> torch.nn.functional.softmax(torch.tensor([0.0, 1.0]), dim=0)
    tensor([0.2689, 0.7311])
    """
    return _softmax(input, softmax_dim("softmax", dim, input), dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """``torch.log_softmax``, which warns if no dimension is said.

    Counterpart: ``torch.nn.functional.log_softmax``.

    >>> import minigrad as torch
    >>> torch.nn.functional.log_softmax(torch.tensor([0.0, 0.0]), dim=0)
    tensor([-0.6931, -0.6931])
    """
    return _log_softmax(input, softmax_dim("log_softmax", dim, input), dtype)


@operation(
    input=lambda g, input, alpha, scale: where_(
        input > 0, g * scale, g * (scale * alpha * exp(where_(input > 0, 0, input)))
    )
)
def _elu(input: Array, alpha: float, scale: float) -> Array:
    return scale * np.maximum(input, 0) + scale * alpha * np.expm1(np.minimum(input, 0))


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """``input`` if positive, else alpha * (exp(input) - 1).

    Counterpart: ``torch.nn.functional.elu``.

    >>> import minigrad as torch
    >>> torch.nn.functional.elu(torch.tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """
    return activated(_elu, inplace, input, alpha, 1.0)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """``elu``, scaled so that layers keep mean 0 and variance 1.

    Counterpart: ``torch.nn.functional.selu``.

    >>> import minigrad as torch
    >>> torch.nn.functional.selu(torch.tensor([-1.0, 2.0]))
    tensor([-1.1113,  2.1014])
    """
    alpha = 1.6732632423543772848170429916717
    scale = 1.0507009873554804934193349852946
    return activated(_elu, inplace, input, alpha, scale)


@operation(
    input=lambda g, input, beta, threshold: where_(
        input * beta > threshold, g, g * sigmoid(input * beta)
    )
)
def _softplus(input: Array, beta: float, threshold: float) -> Array:
    scaled = input * beta
    smooth = np.log1p(np.exp(np.minimum(scaled, threshold)))
    return np.where(scaled > threshold, input, np.divide(smooth, beta, dtype=input.dtype))


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta * input)) / beta; ``input`` itself where beta * input > threshold.

    Counterpart: ``torch.nn.functional.softplus``.

    >>> import minigrad as torch
    >>> torch.nn.functional.softplus(torch.tensor([0.0, 2.0]))
    tensor([0.6931, 2.1269])
    """
    return activated(_softplus, False, input, beta, threshold)


@operation(input=lambda g, input: g * sigmoid(-input))
def log_sigmoid(input: Array) -> Array:
    return in_order(np.minimum(input, 0) - np.log1p(np.exp(-np.abs(input))))


def logsigmoid(input: Tensor) -> Tensor:
    """log(sigmoid(input)), without overflow. Counterpart: ``torch.nn.functional.logsigmoid``.

    >>> import minigrad as torch
    >>> torch.nn.functional.logsigmoid(torch.tensor([-1.0, 0.0]))
    tensor([-1.3133, -0.6931])
    """
    return activated(log_sigmoid, False, input)


def softsign(input: Tensor) -> Tensor:
    """input / (1 + abs(input)). Counterpart: ``torch.nn.functional.softsign``.

    >>> import minigrad as torch
    >>> torch.nn.functional.softsign(torch.tensor([-1.0, 3.0]))
    tensor([-0.5000,  0.7500])
    """
    return input / (_abs(input) + 1)


# -------------------------------------------------------------------------------------- gates


@operation(input=lambda g, input: g * silu_slope(input, sigmoid(input)))
def _silu(input: Array) -> Array:
    return input / (1 + np.exp(-input))


def silu_slope(x: Any, s: Any) -> Any:
    """The derivative of x * s, where s is sigmoid(x)."""
    return s * (1 + x * (1 - s))


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """input * sigmoid(input), also called swish. Counterpart: ``torch.nn.functional.silu``.

    >>> import minigrad as torch
    >>> torch.nn.functional.silu(torch.tensor([-1.0, 2.0]))
    tensor([-0.2689,  1.7616])
    """
    return activated(_silu, inplace, input)


@operation(input=lambda g, input: g * mish_slope(input, sigmoid(input)))
def _mish(input: Array) -> Array:
    return input * mish_gate(1 / (1 + np.exp(-input)))


def mish_gate(s: Any) -> Any:
    """tanh(softplus(x)), where s is sigmoid(x)."""
    return s * (2 - s) / (1 + (1 - s) * (1 - s))


def mish_slope(x: Any, s: Any) -> Any:
    """The derivative of x * mish_gate(s), where s is sigmoid(x)."""
    return mish_gate(s) + x * s * (1 - mish_gate(s) * mish_gate(s))


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * tanh(softplus(input)). Counterpart: ``torch.nn.functional.mish``.

    >>> import minigrad as torch
    >>> torch.nn.functional.mish(torch.tensor([-1.0, 2.0]))
    tensor([-0.3034,  1.9440])
    """
    return activated(_mish, inplace, input)


@operation(
    value=lambda g, gate: g * sigmoid(gate),
    gate=lambda g, value, gate: g * value * (sigmoid(gate) * sigmoid(-gate)),
)
def _glu(value: Array, gate: Array) -> Array:
    return value / (1 + np.exp(-gate))


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half times the sigmoid of the second, halved along ``dim``.

    Raises RuntimeError if the size is odd. Counterpart: ``torch.nn.functional.glu``.

    >>> import minigrad as torch
    >>> torch.nn.functional.glu(torch.tensor([[1.0, 2.0, 0.0, 0.0]]))
    tensor([[0.5000, 1.0000]])
    """
    x = tensor_array("glu", input)
    ensure(x.ndim, "glu does not support scalars because halving size must be even")
    dim = wrapped_dim(dim, x.ndim)
    text = "Halving dimension must be even, but dimension {} is size {}"
    ensure(x.shape[dim] % 2 == 0, text, dim, x.shape[dim])
    check_implemented("glu_cpu", x, "f")
    return _glu(*chunk(input, 2, dim))


@operation(input=lambda g, input, gate: g * gelu_slope(input, gate))
def _gelu(input: Array, gate: Array) -> Array:
    return input * gate


DENSITY = 1 / math.sqrt(2 * math.pi)  # of the normal distribution at 0


def gelu_slope(x: Any, gate: Any) -> Any:
    """gate + x * gate'."""
    recorded = isinstance(x, TensorBase)
    if recorded:  # the gate's own derivative is wanted too
        gate = erf(x * math.sqrt(0.5)) * 0.5 + 0.5
        return gate + x * (exp(x * x * -0.5) * DENSITY)
    slope = as_array(x * x)
    slope *= -0.5
    np.exp(slope, out=slope)
    slope *= DENSITY
    slope *= x
    slope += gate
    return slope


@operation(name="gelu", input=lambda g, input: g * tanh_gelu_slope(input, tanh_gelu_gate(input)))
def _tanh_gelu(input: Array) -> Array:
    return input * tanh_gelu_gate(input)


def tanh_gelu_gate(x: Any) -> Any:
    """(1 + tanh(u)) / 2, for u a polynomial in x, is 1 / (1 + exp(-2 u))."""
    u = x * (2 * DENSITY) * (1 + 0.044715 * x * x)
    if isinstance(x, TensorBase):
        return sigmoid(u * 2)
    return 1 / (1 + np.exp(u * -2))


def tanh_gelu_slope(x: Any, gate: Any) -> Any:
    """The derivative of x * tanh_gelu_gate(x)."""
    return gate + x * gate * (1 - gate) * ((4 * DENSITY) * (1 + (3 * 0.044715) * x * x))


def gelu(input: Tensor, *, approximate: str = "none") -> Tensor:
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
        return _tanh_gelu(input)
    gate = erf_of(array, math.sqrt(0.5))
    gate *= 0.5
    gate += 0.5
    return _gelu(input, gate)
