"""Operations that make fewer numbers out of many: sums, means, products; are all true?

The derivative of a sum spreads the gradient over what was summed. Extremes, variances and norms
have files of their own.
"""

from __future__ import annotations

import math
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..compat.arguments import ALL, ensure, in_order, of_tensor, wrapped_dim, wrapped_dims
from ..engine.arrays import as_array
from ..engine.node import TensorBase, new_tensor
from ..engine.operands import to_dtype
from ..engine.record import differentiable, operation
from .annotations import Array, Dims, Shape
from .elementwise.exponential import exp
from .joining import stack
from .shaping import _expand

if TYPE_CHECKING:
    from .._tensor import Tensor


def dims_of(dim: Any, ndim: int) -> Dims:
    """The dimensions to reduce, from the front; none given means all."""
    if dim.__class__ is int and -ndim <= dim < ndim:  # the usual case, quickly
        return (dim % ndim,)
    found = () if dim is None else wrapped_dims(dim, ndim)
    if ndim == 0:
        return ()
    return found or tuple(range(ndim))


def with_keepdim(reduced: Any, shape: Shape, dim: Dims) -> Any:
    """The result of reducing this shape, where each reduced dimension has size 1."""
    return reduced.reshape(tuple(1 if d in dim else size for d, size in enumerate(shape)))


def spread(g: Any, shape: Shape, dim: Dims) -> Any:
    """A reduced gradient, repeated along the dimensions that were reduced."""
    return _expand(with_keepdim(g, shape, dim), shape)


def count(shape: Shape, dim: Dims) -> int:
    """How many entries become one when a shape is reduced along these dimensions."""
    return math.prod(shape[d] for d in dim)


def summable(input: Any, whole: dtypes.dtype = dtypes.int64) -> Any:
    """The tensor, with integers and booleans as ``whole``."""
    if input._array.dtype.kind == "f":
        return input
    return to_dtype(input, whole.numpy)


def computed_in(dtype: Any, function: Any, input: Any, *options: Any) -> Any:
    """``function`` of the tensor converted to a dtype, the result in that dtype too.

    Integers are computed in 64 bits; cut down to fewer, the result is what those would have given.
    """
    wanted = dtypes.asked(function.__name__, dtype).numpy
    return to_dtype(function(to_dtype(input, wanted), *options), wanted)


def refuse_integers(input: Any, text: str) -> None:
    if input._array.dtype.kind != "f":
        raise RuntimeError(f"{text} Got: {dtypes.of(input._array).title}")


# ----------------------------------------------------------------------------------- sums and means


@differentiable(input=lambda g, input_shape: _expand(g, input_shape))
def _sum(input: Array) -> Array:
    return np.add.reduce(input, axis=None)


@operation(
    name="sum",
    number=1,
    input=lambda g, input_shape, dim: spread(g, input_shape, dim),
)
def _sum_dim(input: Array, dim: Dims, keepdim: Any) -> Array:
    out = np.add.reduce(input, axis=dim, keepdims=keepdim)
    return out if out.flags.c_contiguous else out.copy()  # `in_order`, in haste


@of_tensor
def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The sum of all entries, or along the dimensions ``dim`` (an int or several).

    Integers and booleans are summed as int64, unless ``dtype`` says otherwise. The gradient of
    a sum goes, unchanged, to every entry that was summed. Counterpart: ``torch.sum``.

    >>> import minigrad as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> torch.sum(x), torch.sum(x, dim=1)
    (tensor(10.), tensor([3., 7.]))
    """
    if dtype is not None:
        return computed_in(dtype, sum, input, dim, keepdim)
    input = summable(input)
    if dim is None and not keepdim:
        return _sum(input)
    return _sum_dim(input, dims_of(dim, input._array.ndim), keepdim)


@differentiable(
    input=lambda g, input_shape: _expand(g / math.prod(input_shape), input_shape),
)
def _mean(input: Array) -> Array:
    return np.add.reduce(input, axis=None) / (input.size or np.nan)


@operation(
    name="mean",
    number=1,
    input=lambda g, input_shape, dim: spread(g / count(input_shape, dim), input_shape, dim),
)
def _mean_dim(input: Array, dim: Dims, keepdim: Any) -> Array:
    out = np.add.reduce(input, axis=dim, keepdims=keepdim) / (count(input.shape, dim) or np.nan)
    return in_order(out)


@of_tensor
def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The average of all entries, or along the dimensions ``dim``.

    Raises RuntimeError for integers: say ``dtype=``, or ``.float()`` first. The mean of nothing
    is NaN. Counterpart: ``torch.mean``.

    >>> import minigrad as torch
    >>> torch.mean(torch.tensor([1.0, 2.0, 6.0]))
    tensor(3.)
    """
    if dtype is not None:
        input = to_dtype(input, dtypes.asked("mean", dtype).numpy)
    refuse_integers(input, "mean(): could not infer output dtype. Input dtype must be floating.")
    if dim is None and not keepdim:
        return _mean(input)
    return _mean_dim(input, dims_of(dim, input._array.ndim), keepdim)


@operation(
    input=lambda g, input, out, dim: (
        with_keepdim(g, input.shape, dim) * exp(input - with_keepdim(out, input.shape, dim))
    ),
)
def _logsumexp(input: Array, dim: Dims, keepdim: Any) -> Array:
    with np.errstate(all="ignore"):
        top = np.maximum.reduce(input, axis=dim, keepdims=True, initial=-inf)
        top = np.where(np.isfinite(top), top, 0)
        powers = as_array(input - top)
        out = np.log(np.add.reduce(np.exp(powers, out=powers), axis=dim, keepdims=True)) + top
        return in_order(out if keepdim else out.squeeze(dim))


@of_tensor
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """log(Σ exp(input)) along the dimensions ``dim``, without overflow.

    Its derivative is the softmax. Counterpart: ``torch.logsumexp``.

    >>> import minigrad as torch
    >>> torch.logsumexp(torch.tensor([1000.0, 1000.0]), dim=0)
    tensor(1000.6932)
    """
    ndim = input._array.ndim
    input = summable(input, dtypes.get_default_dtype())
    unfit = dim in ((), []) and ndim and not keepdim
    ensure(not unfit, "output with shape [] doesn't match the broadcast shape {}", [1] * ndim)
    return _logsumexp(input, dims_of(dim, ndim), keepdim)


# ----------------------------------------------------------------------------------------- products


def prod_gradient(g: Any, input: Any, out: Any, dim: int) -> Any:
    """For each factor along ``dim``: g times the product of the others."""
    g = with_keepdim(g, input.shape, (dim,))
    out = with_keepdim(out, input.shape, (dim,))
    if input.shape[dim] != 1 and (input != 0).all():
        return g * (out / input)
    # The last of the running products gets g, those before it nothing.
    factors = unbound(input, dim)
    gradients = [0] * (len(factors) - 1) + unbound(g, dim)
    return cumprod_gradient_exact(gradients, factors, dim)


def unbound(tensor: Any, dim: int) -> list[Any]:
    """The slices along a dimension, as ``unbind`` has them, of tensors or arrays."""
    return [tensor[(ALL,) * dim + (i,)] for i in range(tensor.shape[dim])]


def cumprod_gradient_exact(gradients: list[Any], factors: list[Any], dim: int) -> Any:
    """The gradient of running products, given that of each; without a division, so exact at 0.

    With y[i] = x[0] * ... * x[i], the gradient of x[i] is ``before[i] * after[i]``::

        before[i] = x[0] * ... * x[i - 1]
        after[i] = g[i] + x[i + 1] * after[i + 1]
    """
    after = gradients[-1:]  # the last first
    for g, following in zip(gradients[-2::-1], factors[:0:-1]):
        after.append(g + following * after[-1])
    before = 1
    parts = []
    for factor in factors:
        parts.append(before * after.pop())
        before = before * factor
    if isinstance(factors[0], TensorBase):
        return stack(parts, dim)
    return np.stack(parts, dim)


@operation(
    input=lambda g, input, out: prod_gradient(g, input.reshape(-1), out, 0).reshape(input.shape),
)
def _prod(input: Array) -> Array:
    return np.multiply.reduce(input, axis=None)


@operation(
    name="prod",
    number=1,
    input=lambda g, input, out, dim: prod_gradient(g, input, out, dim),
)
def _prod_dim(input: Array, dim: int, keepdim: Any) -> Array:
    return in_order(np.multiply.reduce(input, axis=dim, keepdims=keepdim))


@of_tensor
def prod(
    input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The product of all entries, or along one dimension; of integers, as int64.

    The derivative is the product of the other entries, also where some are 0.
    Counterpart: ``torch.prod``.

    >>> import minigrad as torch
    >>> x = torch.tensor([2.0, 0.0, 4.0], requires_grad=True)
    >>> torch.prod(x).backward()
    >>> x.grad
    tensor([0., 8., 0.])
    """
    if dtype is not None:
        return computed_in(dtype, prod, input, dim, keepdim)
    input = summable(input)
    ndim = input._array.ndim
    if dim is None or not ndim:
        return _prod(input)
    return _prod_dim(input, wrapped_dim(dim, ndim), keepdim)


# ---------------------------------------------------------------------------------- truth, counting


def logical_reduction(combine: Any, input: Any, dim: Any, keepdim: bool) -> Any:
    """All or any, as booleans; of uint8 as uint8, which was PyTorch's boolean once."""
    array = input._array
    axes = None
    if dim is not None:
        axes = wrapped_dims(dim, array.ndim)[: array.ndim]
    out = in_order(combine.reduce(array, axis=axes, keepdims=keepdim, dtype=bool))
    if array.dtype == np.uint8:
        out = out.astype(array.dtype)
    return new_tensor(out)


@of_tensor
def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Are all entries true (not 0), or all along ``dim``? Booleans. Counterpart: ``torch.all``.

    >>> import minigrad as torch
    >>> torch.all(torch.tensor([[True, True], [True, False]]), dim=1)
    tensor([ True, False])
    """
    return logical_reduction(np.logical_and, input, dim, keepdim)


@of_tensor
def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Is any entry true (not 0), or any along ``dim``? Counterpart: ``torch.any``.

    >>> import minigrad as torch
    >>> torch.any(torch.tensor([[True, False], [False, False]]), dim=1)
    tensor([ True, False])
    """
    return logical_reduction(np.logical_or, input, dim, keepdim)


@of_tensor
def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """How many entries are not 0, as int64. Counterpart: ``torch.count_nonzero``.

    >>> import minigrad as torch
    >>> torch.count_nonzero(torch.tensor([0.0, 1.0, 2.0]))
    tensor(2)
    """
    return sum(input != 0, dim)
