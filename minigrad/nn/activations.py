"""Activation functions: kinks, and smooth gates.

(``relu``, ``tanh``, ``sigmoid`` and ``softmax`` are in ``ops``.) What has options is declared with
all of them, in order; ``functional`` gives them their defaults, and checks them.

At a kink the choice is PyTorch's: hardtanh'(bound) = 0, leaky_relu'(0) = the slope below 0,
elu'(0) = alpha.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..compat.arguments import in_order
from ..engine.node import TensorBase
from ..engine.record import operation
from ..ops.activations import sigmoid
from ..ops.elementwise.choices import where_
from ..ops.elementwise.exponential import exp
from ..ops.elementwise.special import erf

# -------------------------------------------------------------------------------------- kinks


def bounded(x: Any, low: Any, high: Any) -> Any:
    return np.minimum(np.maximum(x, low), high)


@operation(input=lambda g, input, low, high: where_((input <= low) | (input >= high), 0, g))
def hardtanh(input, low, high):
    """``input``, but not below ``low`` or above ``high``."""
    return bounded(input, input.dtype.type(low), input.dtype.type(high))


@operation(
    input=lambda g, input, negative_slope: (
        where_(input > 0, g, 0) + negative_slope * where_(input > 0, 0, g)
    )
)
def leaky_relu(input, negative_slope):
    """``input`` if it is positive, else a fraction of it."""
    return np.maximum(input, 0) + negative_slope * np.minimum(input, 0)


@operation(
    input=lambda g, input, weight: where_(input > 0, g, g * weight),
    weight=lambda g, input: where_(input > 0, 0, g * input),
)
def prelu_kernel(input, weight):
    """As ``leaky_relu``, with slopes that can be learned."""
    return np.where(input > 0, input, input * weight)


# ------------------------------------------------------------------- exponentials and gates


@operation(
    input=lambda g, input, alpha, scale: where_(
        input > 0, g * scale, g * (scale * alpha * exp(where_(input > 0, 0, input)))
    )
)
def elu(input, alpha, scale):
    """``scale`` times ``input`` if it is positive, else times alpha * (exp(input) - 1)."""
    return scale * np.maximum(input, 0) + scale * alpha * np.expm1(np.minimum(input, 0))


@operation(
    input=lambda g, input, beta, threshold: where_(
        input * beta > threshold, g, g * sigmoid(input * beta)
    )
)
def softplus(input, beta, threshold):
    """log(1 + exp(beta * input)) / beta; ``input`` itself where the two are as good as equal."""
    scaled = input * beta
    smooth = np.log1p(np.exp(np.minimum(scaled, threshold)))
    return np.where(scaled > threshold, input, np.divide(smooth, beta, dtype=input.dtype))


@operation(input=lambda g, input: g * sigmoid(-input))
def log_sigmoid(input):
    """log(sigmoid(input)), without overflow."""
    return in_order(np.minimum(input, 0) - np.log1p(np.exp(-np.abs(input))))


@operation(input=lambda g, input: g * silu_slope(input, sigmoid(input)))
def silu(input):
    """input * sigmoid(input)."""
    return input / (1 + np.exp(-input))


def silu_slope(x: Any, s: Any) -> Any:
    return s * (1 + x * (1 - s))


@operation(input=lambda g, input: g * mish_slope(input, sigmoid(input)))
def mish(input):
    """input * tanh(softplus(input))."""
    return input * mish_gate(1 / (1 + np.exp(-input)))


def mish_gate(s: Any) -> Any:
    """tanh(softplus(x)), where s is sigmoid(x)."""
    return s * (2 - s) / (1 + (1 - s) * (1 - s))


def mish_slope(x: Any, s: Any) -> Any:
    return mish_gate(s) + x * s * (1 - mish_gate(s) * mish_gate(s))


@operation(
    value=lambda g, gate: g * sigmoid(gate),
    gate=lambda g, value, gate: g * value * (sigmoid(gate) * sigmoid(-gate)),
)
def glu(value, gate):
    """value * sigmoid(gate): one half of a tensor says how much of the other passes."""
    return value / (1 + np.exp(-gate))


@operation(input=lambda g, input, gate: g * gelu_slope(input, gate))
def gelu(input, gate):
    """The gate is the probability that a normally distributed number is smaller than x."""
    return input * gate


DENSITY = 1 / math.sqrt(2 * math.pi)  # of the normal distribution at 0


def gelu_slope(x: Any, gate: Any) -> Any:
    """gate + x * gate'."""
    recorded = isinstance(x, TensorBase)
    if recorded:  # the gate's own derivative is wanted too
        gate = erf(x * math.sqrt(0.5)) * 0.5 + 0.5
        return gate + x * (exp(x * x * -0.5) * DENSITY)
    slope = np.asarray(x * x)
    slope *= -0.5
    np.exp(slope, out=slope)
    slope *= DENSITY
    slope *= x
    slope += gate
    return slope


@operation(name="gelu", input=lambda g, input: g * tanh_gelu_slope(input, tanh_gelu_gate(input)))
def tanh_gelu(input):
    """gelu by a formula with tanh."""
    return input * tanh_gelu_gate(input)


def tanh_gelu_gate(x: Any) -> Any:
    """(1 + tanh(u)) / 2, for u a polynomial in x, is 1 / (1 + exp(-2 u))."""
    u = x * (2 * DENSITY) * (1 + 0.044715 * x * x)
    return sigmoid(u * 2) if isinstance(x, TensorBase) else 1 / (1 + np.exp(u * -2))


def tanh_gelu_slope(x: Any, gate: Any) -> Any:
    return gate + x * gate * (1 - gate) * ((4 * DENSITY) * (1 + (3 * 0.044715) * x * x))
