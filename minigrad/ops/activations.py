"""Activation functions: relu, sigmoid, softmax and its logarithm. (Others are in ``nn``.)

``tanh`` is with the hyperbolic functions, in ``elementwise/trigonometry``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..compat.arguments import (
    BOOLEAN,
    check_implemented,
    ensure,
    in_order,
    tensor_array,
    wrapped_dim,
)
from ..engine.arrays import as_array
from ..engine.node import TensorBase
from ..engine.operands import to_dtype
from ..engine.record import differentiable, operation
from ..engine.unbroadcast import ones
from .annotations import Array, Dims
from .elementwise.choices import where_
from .elementwise.exponential import exp
from .reduction import _sum_dim

if TYPE_CHECKING:
    from .._tensor import Tensor


@differentiable(input=lambda g, out: where_(out <= 0, 0, g))
def relu(input: Array) -> Array:
    """max(input, 0). Its derivative at 0 is 0. Counterpart: ``torch.relu``.

    >>> import minigrad as torch
    >>> torch.relu(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """
    ensure(input.dtype is not BOOLEAN, "Boolean inputs not supported for relu")
    return np.maximum(input, input.dtype.type(0))


@differentiable(floats=True, input=lambda g, out: g * (out * (1 - out)))
def sigmoid(input: Array) -> Array:
    """1 / (1 + exp(-input)). Counterpart: ``torch.sigmoid``.

    >>> import minigrad as torch
    >>> torch.sigmoid(torch.tensor([0.0, -1000.0]))
    tensor([0.5000, 0.0000])
    """
    with np.errstate(all="ignore"):
        out = np.exp(-input)
        out += 1
        return np.divide(1, out, out=out if out.ndim else None)


# ------------------------------------------------------------------------------------------ softmax


def total(x: Any, dims: Dims) -> Any:
    """The sum over some dimensions, which stay with size 1."""
    if isinstance(x, TensorBase):
        return _sum_dim(x, dims, True)
    if dims[-1:] != (x.ndim - 1,) or not x.size or not x.flags.c_contiguous:
        return np.add.reduce(x, dims, keepdims=True)
    # A product with ones is faster than a sum for each row.
    width = x.shape[-1]
    rows = x.reshape(-1, width)
    sums = np.dot(rows, ones(width, x.dtype)).reshape(*x.shape[:-1], 1)
    if len(dims) == 1:
        return sums
    return np.add.reduce(sums, dims[:-1], keepdims=True)


def minus_largest(x: Any, dim: Dims | None) -> Any:
    """``x`` minus its largest entry along ``dim`` (None: of all): no exponential overflows."""
    return as_array(x - np.maximum.reduce(x, dim, keepdims=True, initial=-np.inf))


@operation(input=lambda g, out, dim: out * (g - total(g * out, dim)))
def _softmax(input: Array, dim: Dims) -> Array:
    input = in_order(input)
    # First the largest entry of all is subtracted, which is quickly found; if that leaves sums
    # too small to be exact (or is infinite), the largest along the dimension.
    for axes in (None, dim):
        out = minus_largest(input, axes)
        np.exp(out, out=out)
        sums = total(out, dim)
        if np.minimum.reduce(sums, None, initial=1) > 1e-3:
            break
    out /= sums
    return out


@operation(input=lambda g, out, dim: g - exp(out) * total(g, dim))
def _log_softmax(input: Array, dim: Dims) -> Array:
    out = minus_largest(in_order(input), dim)
    out -= np.log(total(np.exp(out), dim))
    return out


def softmax_arguments(
    function: str, input: Any, dim: Any, dtype: Any
) -> tuple[Any, tuple[int, ...]]:
    """The tensor in the dtype asked for, and the dimension (none for 0-d) from the front."""
    ndim = tensor_array(function, input).ndim
    if dtype is not None:
        input = to_dtype(input, dtypes.asked(function, dtype).numpy)
    dims = (wrapped_dim(dim, ndim),)[:ndim]
    check_implemented(f"{function}_lastdim_kernel_impl", input._array, "f")
    return input, dims


def softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """exp(input), divided by its sum along ``dim``: positive numbers that add up to 1.

    The largest entry is subtracted first, so that nothing overflows. ``dtype``: convert the
    input before. Raises NotImplementedError for integers, IndexError for a dimension that is
    not there. Counterpart: ``torch.softmax``.

    >>> import minigrad as torch
    >>> torch.softmax(torch.tensor([0.0, 1.0, 1000.0]), dim=0)
    tensor([0., 0., 1.])
    """
    return _softmax(*softmax_arguments("softmax", input, dim, dtype))


def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """The logarithm of ``softmax``, exact also where softmax itself is as good as 0.

    ``input - log(sum(exp(input)))``. Otherwise as ``softmax``.
    Counterpart: ``torch.log_softmax``.

    >>> import minigrad as torch
    >>> torch.log_softmax(torch.tensor([0.0, 1000.0]), dim=0)
    tensor([-1000.,     0.])
    """
    return _log_softmax(*softmax_arguments("log_softmax", input, dim, dtype))
