"""How weights start. Counterpart: ``torch.nn.init``.

Each function overwrites a tensor, unrecorded, and returns it. With the same seed the numbers are
PyTorch's. What is drawn should keep the size of values, or of gradients, from layer to layer: its
variance is divided by *fan in*, how many numbers a result is made of, or *fan out*, how many
results a number enters.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from ..compat.arguments import ensure
from ..compat.missing import missing_from
from ..engine.modes import no_grad
from ..engine.node import new_tensor
from ..ops.creation import empty_like, eye
from ..ops.elementwise.choices import where


@no_grad()
def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Any:
    """Numbers evenly distributed from a to b. Counterpart: ``torch.nn.init.uniform_``.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.uniform_(torch.empty(3), -1, 1)
    tensor([-0.0075,  0.5364, -0.8230])
    """
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """Normal numbers. Counterpart: ``torch.nn.init.normal_``.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.normal_(torch.empty(3), std=0.1)
    tensor([ 0.1541, -0.0293, -0.2179])
    """
    return tensor.normal_(mean, std, generator=generator)


@no_grad()
def trunc_normal_(
    tensor: Any,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Any:
    """Normal numbers; those outside a to b are drawn again.

    Raises ValueError if less than 30 % of them would be inside.
    Counterpart: ``torch.nn.init.trunc_normal_``.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.trunc_normal_(torch.empty(3), std=0.1)
    tensor([ 0.1541, -0.0293, -0.2179])
    """
    below_a, below_b = (math.erf((bound - mean) / std / math.sqrt(2)) / 2 for bound in (a, b))
    ensure(below_b - below_a > 0.3, "a to b has to hold 30 % of the numbers", error=ValueError)
    found = tensor.normal_(mean, std, generator=generator)
    outside = (found < a) | (found > b)
    while outside.any():
        again = empty_like(found).normal_(mean, std, generator=generator)
        found = where(outside, again, found)
        outside = (found < a) | (found > b)
    return tensor.copy_(found)


@no_grad()
def constant_(tensor: Any, val: float) -> Any:
    """One number everywhere. Counterpart: ``torch.nn.init.constant_``.

    >>> import minigrad as torch
    >>> torch.nn.init.constant_(torch.empty(2), 0.3)
    tensor([0.3000, 0.3000])
    """
    return tensor.fill_(val)


def ones_(tensor: Any) -> Any:
    """Ones. Counterpart: ``torch.nn.init.ones_``.

    >>> import minigrad as torch
    >>> torch.nn.init.ones_(torch.empty(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


def zeros_(tensor: Any) -> Any:
    """Zeros. Counterpart: ``torch.nn.init.zeros_``.

    >>> import minigrad as torch
    >>> torch.nn.init.zeros_(torch.empty(2))
    tensor([0., 0.])
    """
    return constant_(tensor, 0.0)


@no_grad()
def eye_(tensor: Any) -> Any:
    """The identity matrix. Counterpart: ``torch.nn.init.eye_``.

    >>> import minigrad as torch
    >>> torch.nn.init.eye_(torch.empty(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    ensure(tensor.ndim == 2, "Only tensors with 2 dimensions are supported", error=ValueError)
    return tensor.copy_(eye(*tensor.shape))


@no_grad()
def orthogonal_(tensor: Any, gain: float = 1, generator: Any = None) -> Any:
    """Rows that are at right angles to each other (or columns, if there are fewer), times gain.

    Counterpart: ``torch.nn.init.orthogonal_``.

    >>> import minigrad as torch
    >>> weight = torch.nn.init.orthogonal_(torch.empty(2, 3))
    >>> torch.allclose(weight @ weight.T, torch.eye(2), atol=1e-6)
    True
    """
    text = "Only tensors with 2 or more dimensions are supported"
    ensure(tensor.ndim >= 2, text, error=ValueError)
    if not tensor.numel():
        return tensor
    rows = len(tensor)
    columns = tensor.numel() // len(tensor)
    wide = rows < columns
    drawn = tensor.new_empty((rows, columns)).normal_(generator=generator)._array
    if wide:
        drawn = drawn.T
    q, r = np.linalg.qr(drawn)
    q *= np.sign(np.diag(r))  # which makes the result unique
    if wide:
        q = q.T
    found = new_tensor(np.ascontiguousarray(q))
    return tensor.copy_(found.reshape(tensor.shape)).mul_(gain)


def _calculate_fan_in_and_fan_out(tensor: Any) -> tuple[int, int]:
    text = "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
    ensure(tensor.ndim >= 2, text, error=ValueError)
    field = math.prod(tensor.shape[2:])  # how many entries the kernel covers
    fan_in = tensor.shape[1] * field
    fan_out = tensor.shape[0] * field
    return fan_in, fan_out


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By which factor to widen weights in front of this activation function.

    ``param``: the slope of "leaky_relu". Raises ValueError for one that is unknown.
    Counterpart: ``torch.nn.init.calculate_gain``.

    >>> import minigrad as torch
    >>> torch.nn.init.calculate_gain("relu")
    1.4142135623730951
    """
    slope = 0.01 if param is None else param
    gains = {
        "linear": 1,
        "conv1d": 1,
        "conv2d": 1,
        "conv_transpose1d": 1,
        "conv_transpose2d": 1,
        "sigmoid": 1,
        "tanh": 5 / 3,
        "relu": math.sqrt(2),
        "selu": 3 / 4,
        "leaky_relu": math.sqrt(2 / (1 + slope**2)),
    }
    ensure(nonlinearity in gains, "Unsupported nonlinearity {}", nonlinearity, error=ValueError)
    return gains[nonlinearity]


def _xavier_std(tensor: Any, gain: float) -> float:
    return gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor)))


def xavier_uniform_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Evenly distributed, with standard deviation gain * sqrt(2 / (fan in + fan out)).

    Counterpart: ``torch.nn.init.xavier_uniform_``.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.xavier_uniform_(torch.empty(1, 3))
    tensor([[-0.0092,  0.6570, -1.0080]])
    """
    bound = math.sqrt(3.0) * _xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Normal, with the standard deviation of ``xavier_uniform_``.

    Counterpart: ``torch.nn.init.xavier_normal_``.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.xavier_normal_(torch.empty(1, 3))
    tensor([[ 1.0896, -0.2075, -1.5406]])
    """
    return normal_(tensor, 0.0, _xavier_std(tensor, gain), generator)


def _kaiming_std(tensor: Any, a: float, mode: str, nonlinearity: str) -> float:
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", UserWarning, stacklevel=3)
        return 0.0
    modes = ["fan_in", "fan_out"]
    text = "Mode {} not supported, please use one of {}"
    ensure(mode.lower() in modes, text, mode, modes, error=ValueError)
    fans = dict(zip(modes, _calculate_fan_in_and_fan_out(tensor)))
    return calculate_gain(nonlinearity, a) / math.sqrt(fans[mode.lower()])


def kaiming_uniform_(
    tensor: Any,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Any:
    """Evenly distributed, with standard deviation gain / sqrt(fan), for layers with ``relu``.

    ``a``: the negative slope, if the activation is a leaky one. ``mode``: "fan_in" keeps the
    variance of values, "fan_out" that of gradients.
    Counterpart: ``torch.nn.init.kaiming_uniform_``.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.kaiming_uniform_(torch.empty(1, 3))
    tensor([[-0.0106,  0.7586, -1.1640]])
    """
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Any,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Any:
    """Normal, with the standard deviation of ``kaiming_uniform_``.

    Counterpart: ``torch.nn.init.kaiming_normal_``.

    >>> import minigrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.kaiming_normal_(torch.empty(1, 3))
    tensor([[ 1.2582, -0.2396, -1.7790]])
    """
    return normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


__getattr__ = missing_from(__name__)
