"""Other shapes for the same values.

Most are views: the result shows the memory of its input. The derivative of another shape is the
shape from before.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compat.arguments import ALL, ensure, several, tensor_array, wrapped_dim, wrapped_dims
from ..engine.arrays import as_array, repeated
from ..engine.node import new_tensor
from ..engine.operands import broadcast_error
from ..engine.record import differentiable, operation
from .annotations import Array, Dims, Shape

if TYPE_CHECKING:
    from .._tensor import Tensor


def inferred_shape(shape: Shape, count: int) -> Shape:
    """The shape for ``count`` entries, a -1 in it replaced by the size that is left.

    Raises RuntimeError if the sizes do not multiply to ``count``.
    """
    smallest = min(shape, default=0)
    product = prod(shape)
    if smallest >= 0 and product == count:
        return shape
    ensure(shape.count(-1) < 2, "only one dimension can be inferred")
    ensure(smallest >= -1, "invalid shape dimension {}", smallest)
    fits = smallest == -1 and product and count % product == 0
    ensure(fits, "shape '{}' is invalid for input of size {}", list(shape), count)
    return tuple([count // -product if n == -1 else n for n in shape])


# -------------------------------------------------------------------------------------------- views


@operation(view=True, input=lambda g, input_shape: g.reshape(input_shape))
def _view(input: Array, shape: Shape) -> Array:
    return input.reshape(shape)


@operation(input=lambda g, input_shape: g.reshape(input_shape))
def _unsafe_view(input: Array, shape: Shape) -> Array:
    """A reshape that is not recorded as a view: its input is a temporary, or has to be copied."""
    return input.reshape(shape)


@several
def reshape(input: Tensor, shape: Any) -> Tensor:
    """The same values in the same order, in another shape; one size may be -1.

    Shares memory where it can (see ``Tensor.view``), else copies. Raises RuntimeError if the
    numbers of elements differ. Counterpart: ``torch.reshape``.

    >>> import minigrad as torch
    >>> torch.reshape(torch.arange(6), (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    array = tensor_array("reshape", input)
    wanted = inferred_shape(shape, array.size)
    if shares_when_reshaped(array, wanted):
        return _view(input, wanted)
    return _unsafe_view(input, wanted)


@several
def view(input: Tensor, size: Any) -> Tensor:
    """As ``reshape``, but never copies: raises RuntimeError where that is not possible.

    Counterpart: ``torch.Tensor.view``.
    """
    array = tensor_array("view", input)
    wanted = inferred_shape(size, array.size)
    if not shares_when_reshaped(array, wanted):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return _view(input, wanted)


def shares_when_reshaped(array: Array, shape: Shape) -> bool:
    """Does NumPy reshape this array without copying it?"""
    if not isinstance(array, np.ndarray) or array.flags.c_contiguous or array.size == 0:
        return True
    return np.may_share_memory(array.reshape(shape), array)


def view_as(input: Tensor, other: Any) -> Tensor:
    """``input.view(other.size())``. Counterpart: ``torch.Tensor.view_as``.

    >>> import minigrad as torch
    >>> torch.arange(4).view_as(torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return view(input, tensor_array("view_as", other, "other", 2).shape)


def reshape_as(input: Tensor, other: Any) -> Tensor:
    """``input.reshape(other.size())``. Counterpart: ``torch.Tensor.reshape_as``.

    >>> import minigrad as torch
    >>> torch.arange(4).reshape_as(torch.zeros(2, 2)).shape
    torch.Size([2, 2])
    """
    return reshape(input, tensor_array("reshape_as", other, "other", 2).shape)


def ravel(input: Tensor) -> Tensor:
    """All entries in one dimension: a view if they lie in memory in this order, else a copy.

    Counterpart: ``torch.ravel``.

    >>> import minigrad as torch
    >>> torch.ravel(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
    if not tensor_array("ravel", input).flags.c_contiguous:
        input = clone(input)
    return view(input, (-1,))


def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Dimensions ``start_dim`` to ``end_dim`` as one. Counterpart: ``torch.flatten``.

    >>> import minigrad as torch
    >>> torch.flatten(torch.zeros(2, 3, 4), start_dim=1).shape
    torch.Size([2, 12])
    """
    shape = tensor_array("flatten", input).shape or (1,)
    first = wrapped_dim(start_dim, len(shape))
    last = wrapped_dim(end_dim, len(shape))
    ensure(first <= last, "flatten() has invalid args: start_dim cannot come after end_dim")
    if first == last and input._array.ndim:
        return input
    return reshape(input, (*shape[:first], prod(shape[first : last + 1]), *shape[last + 1 :]))


def unflatten(input: Tensor, dim: int, sizes: Any) -> Tensor:
    """One dimension made several, of these sizes; one may be -1.

    Raises RuntimeError if they do not multiply up to its size. Counterpart: ``torch.unflatten``.

    >>> import minigrad as torch
    >>> torch.zeros(2, 6).unflatten(1, (3, -1)).shape
    torch.Size([2, 3, 2])
    """
    shape = tensor_array("unflatten", input).shape
    sizes = tuple(sizes)
    ensure(sizes, "unflatten: sizes must be non-empty")
    dim = wrapped_dim(dim, len(shape))
    text = "unflatten got an unexpected error: a tensor without dimensions has none to make several"
    ensure(shape, text)
    size = shape[dim]
    product = prod(sizes)
    if product < 0:  # a -1 stands for the rest
        fits = size % product == 0
    else:
        fits = size == product
    text = "unflatten: Provided sizes {} don't multiply up to the size of dim {} ({})"
    ensure(fits, text, list(sizes), dim, size)
    made = inferred_shape(sizes, size)
    return reshape(input, (*shape[:dim], *made, *shape[dim + 1 :]))


@operation(view=True, input=lambda g, input_shape: g.reshape(input_shape))
def _squeeze(input: Array) -> Array:
    return input.squeeze()


@operation(
    name="squeeze",
    number=1,
    view=True,
    input=lambda g, input_shape: g.reshape(input_shape),
)
def _squeeze_dims(input: Array, dims: Dims) -> Array:
    return input.squeeze(dims)


def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Without its dimensions of size 1, or without those named. Counterpart: ``torch.squeeze``.

    >>> import minigrad as torch
    >>> torch.squeeze(torch.zeros(2, 1, 3)).shape
    torch.Size([2, 3])
    """
    shape = tensor_array("squeeze", input).shape
    if dim is None:
        return _squeeze(input)
    dims = tuple(d for d in wrapped_dims(dim, len(shape)) if shape and shape[d] == 1)
    return _squeeze_dims(input, dims)


@operation(view=True, input=lambda g, input_shape: g.reshape(input_shape))
def _unsqueeze(input: Array, dim: int) -> Array:
    return input[(*(ALL,) * dim, None, ...)]  # (np.expand_dims takes 1.5 us more)


def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """With a dimension of size 1 inserted at ``dim``. Counterpart: ``torch.unsqueeze``.

    >>> import minigrad as torch
    >>> torch.unsqueeze(torch.tensor([1, 2]), 1).shape
    torch.Size([2, 1])
    """
    return _unsqueeze(input, wrapped_dim(dim, tensor_array("unsqueeze", input).ndim + 1))


@differentiable(input=lambda g: g)
def clone(input: Array) -> Array:
    """A copy in memory of its own, which passes the gradient on. Counterpart: ``torch.clone``.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.clone(x)
    tensor([1., 2.], grad_fn=<CloneBackward0>)
    """
    return input.copy()


# ------------------------------------------------------------------------------------- broadcasting


@operation(view=True, input=lambda g: g)
def _expand(input: Array, shape: Shape) -> Array:
    if input.ndim == 0:
        return repeated(input, shape, (0,) * len(shape))
    if input.shape == shape:
        return input[...]
    if not input.flags.c_contiguous:
        out = np.broadcast_to(input, shape)
        out.flags.writeable = input.flags.writeable
        return out
    # Stride 0 along the repeated dimensions: no memory. np.broadcast_to does the same, slower.
    lead = len(shape) - input.ndim
    pairs = zip(shape[lead:], input.shape, input.strides)
    steps = [step if wanted == size else 0 for wanted, size, step in pairs]
    return repeated(input, shape, (0,) * lead + tuple(steps))


@several
def expand(input: Tensor, size: Any) -> Tensor:
    """Repeated along dimensions of size 1 and new leading ones, without using memory.

    -1 leaves a size as it is. The gradient is summed over the repetitions. Raises RuntimeError
    if a size other than 1 would have to change. Counterpart: ``torch.Tensor.expand``.

    >>> import minigrad as torch
    >>> torch.tensor([[1], [2]]).expand(2, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    have = tensor_array("expand", input).shape
    lead = len(size) - len(have)
    text = "expand: the number of sizes provided ({}) must be >= the number of dimensions ({})"
    ensure(lead >= 0, text, len(size), len(have))
    text = "The expanded size of the tensor ({}) isn't allowed in a leading dimension"
    ensure(min(size[:lead], default=0) >= 0, text, -1)
    text = "The expanded size of the tensor ({}) must match the existing size ({}) at dimension {}"
    for position, n in enumerate(have, lead):
        ensure(n == 1 or size[position] in (-1, n), text, size[position], n, position)
    kept = tuple([n if wanted == -1 else wanted for n, wanted in zip(have, size[lead:])])
    return _expand(input, size[:lead] + kept)


def expand_as(input: Tensor, other: Any) -> Tensor:
    """``input.expand(other.size())``. Counterpart: ``torch.Tensor.expand_as``.

    >>> import minigrad as torch
    >>> torch.tensor([1, 2]).expand_as(torch.zeros(3, 2)).shape
    torch.Size([3, 2])
    """
    return expand(input, tensor_array("expand_as", other, "other", 2).shape)


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """All of the tensors expanded to one shape. Counterpart: ``torch.broadcast_tensors``.

    Raises RuntimeError if their shapes do not broadcast.

    >>> import minigrad as torch
    >>> x, y = torch.broadcast_tensors(torch.zeros(2, 1), torch.ones(3))
    >>> x.shape, y.shape
    (torch.Size([2, 3]), torch.Size([2, 3]))
    """
    arrays = [as_array(tensor_array("broadcast_tensors", tensor)) for tensor in tensors]
    try:
        shape = np.broadcast_shapes(*[array.shape for array in arrays])
    except ValueError as error:
        raise broadcast_error(error, *arrays) from None
    return tuple(expand(tensor, shape) for tensor in tensors)


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """The shape that shapes broadcast to. Counterpart: ``torch.broadcast_shapes``.

    >>> import minigrad as torch
    >>> torch.broadcast_shapes((2, 1), (3,))
    torch.Size([2, 3])
    """
    empty = [new_tensor(np.broadcast_to(0, shape)) for shape in (*shapes, ())]
    return broadcast_tensors(*empty)[0].shape
