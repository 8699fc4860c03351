"""Operations that move values about without changing them: shapes, order, joining.

Most are views: the result shows the memory of its input. The derivative of moving values is
moving them back.
"""

from __future__ import annotations

import warnings
from math import prod
from typing import Any

import numpy as np

from .. import dtypes
from ..compat.arguments import (
    ALL,
    ensure,
    in_order,
    several,
    tensor_array,
    whole_number,
    wrapped_dim,
    wrapped_dims,
    wrong_type,
)
from ..engine.modes import mode
from ..engine.node import Kind, Node, TensorBase, edge_to, new_tensor
from ..engine.operands import broadcast_error, to_dtype
from ..engine.record import operation, record
from ..engine.views import update_history
from .elementwise import clone


def inferred(shape: tuple[int, ...], count: int) -> tuple[int, ...]:
    """The shape with its one -1 worked out. Raises RuntimeError if it cannot hold ``count``."""
    smallest = min(shape, default=0)
    product = prod(shape)
    if smallest >= 0 and product == count:
        return shape
    ensure(shape.count(-1) < 2, "only one dimension can be inferred")
    ensure(smallest >= -1, "invalid shape dimension {}", smallest)
    fits = smallest == -1 and product and count % product == 0
    ensure(fits, "shape '{}' is invalid for input of size {}", list(shape), count)
    return tuple([count // -product if n == -1 else n for n in shape])


# -------------------------------------------------------------------------------------- views


@operation(view=True, input=lambda g, input_shape: g.reshape(input_shape))
def _view(input, shape):
    return input.reshape(shape)


@operation(input=lambda g, input_shape: g.reshape(input_shape))
def _unsafe_view(input, shape):
    """What nobody else will see, in another shape; or a copy."""
    return input.reshape(shape)


@several
def reshape(input: Any, shape: Any) -> Any:
    """The same values in the same order, in another shape; one size may be -1.

    Shares memory where it can (see ``Tensor.view``), else copies. Raises RuntimeError if the
    numbers of elements differ. Counterpart: ``torch.reshape``.

    >>> import minigrad as torch
    >>> torch.reshape(torch.arange(6), (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    array = tensor_array("reshape", input)
    wanted = inferred(shape, array.size)
    if shares_when_reshaped(array, wanted):
        return _view(input, wanted)
    return _unsafe_view(input, wanted)


@several
def view(input: Any, size: Any) -> Any:
    """As ``reshape``, but never copies: raises RuntimeError where that is not possible.

    Counterpart: ``torch.Tensor.view``.
    """
    array = tensor_array("view", input)
    wanted = inferred(size, array.size)
    if not shares_when_reshaped(array, wanted):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return _view(input, wanted)


def shares_when_reshaped(array: Any, shape: tuple[int, ...]) -> bool:
    """Can NumPy give this array another shape without copying it?"""
    if not isinstance(array, np.ndarray) or array.flags.c_contiguous or array.size == 0:
        return True
    return np.may_share_memory(array.reshape(shape), array)


def flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Dimensions ``start_dim`` to ``end_dim`` as one. Counterpart: ``torch.flatten``."""
    shape = tensor_array("flatten", input).shape or (1,)
    first = wrapped_dim(start_dim, len(shape))
    last = wrapped_dim(end_dim, len(shape))
    ensure(first <= last, "flatten() has invalid args: start_dim cannot come after end_dim")
    if first == last and input._array.ndim:
        return input
    return reshape(input, (*shape[:first], prod(shape[first : last + 1]), *shape[last + 1 :]))


@operation(view=True, input=lambda g, dim0, dim1: _transpose(g, dim0, dim1))
def _transpose(input, dim0, dim1):
    return input.swapaxes(dim0, dim1) if dim0 != dim1 else input[...]


def transpose(input: Any, dim0: int, dim1: int) -> Any:
    """Two dimensions exchanged, as a view. Counterpart: ``torch.transpose``.

    >>> import minigrad as torch
    >>> torch.transpose(torch.tensor([[1, 2], [3, 4]]), 0, 1)
    tensor([[1, 3],
            [2, 4]])
    """
    ndim = tensor_array("transpose", input).ndim
    first = wrapped_dim(dim0, ndim)
    second = wrapped_dim(dim1, ndim)
    return _transpose(input, first, second)


@operation(view=True, input=lambda g, dims: _permute(g, inverse(dims)))
def _permute(input, dims):
    return input.transpose(dims)


def inverse(dims: tuple[int, ...]) -> tuple[int, ...]:
    """The permutation that undoes ``dims``."""
    return tuple(sorted(range(len(dims)), key=dims.__getitem__))


@several
def permute(input: Any, dims: Any) -> Any:
    """The dimensions in another order, as a view. Counterpart: ``torch.permute``.

    Raises RuntimeError if a dimension is missing or named twice.

    >>> import minigrad as torch
    >>> torch.zeros(2, 3, 4).permute(2, 0, 1).shape
    torch.Size([4, 2, 3])
    """
    ndim = tensor_array("permute", input).ndim
    text = "permute(sparse_coo): number of dimensions in the tensor input does not match the "
    text += "length of the desired ordering of dimensions i.e. input.dim() = {} is not equal to "
    text += "len(dims) = {}"
    ensure(len(dims) == ndim, text, ndim, len(dims))
    wanted = tuple(wrapped_dim(d, ndim) for d in dims)
    ensure(len(set(wanted)) == ndim, "permute(): duplicate dims are not allowed.")
    return _permute(input, wanted)


@operation(view=True, input=lambda g, input_shape: g.reshape(input_shape))
def _squeeze(input):
    return input.squeeze()


@operation(name="squeeze", number=1, view=True, input=lambda g, input_shape: g.reshape(input_shape))
def _squeeze_dims(input, dims):
    return input.squeeze(dims)


def squeeze(input: Any, dim: Any = None) -> Any:
    """Without its dimensions of size 1, or without those named. Counterpart: ``torch.squeeze``."""
    shape = tensor_array("squeeze", input).shape
    if dim is None:
        return _squeeze(input)
    dims = tuple(d for d in wrapped_dims(dim, len(shape)) if shape and shape[d] == 1)
    return _squeeze_dims(input, dims)


@operation(view=True, input=lambda g, input_shape: g.reshape(input_shape))
def _unsqueeze(input, dim):
    return input[(*(ALL,) * dim, None, ...)]  # (np.expand_dims takes 1.5 us more)


def unsqueeze(input: Any, dim: int) -> Any:
    """With a dimension of size 1 inserted at ``dim``. Counterpart: ``torch.unsqueeze``.

    >>> import minigrad as torch
    >>> torch.unsqueeze(torch.tensor([1, 2]), 1).shape
    torch.Size([2, 1])
    """
    return _unsqueeze(input, wrapped_dim(dim, tensor_array("unsqueeze", input).ndim + 1))


@operation(view=True, input=lambda g: g)
def _expand(input, shape):
    if input.ndim == 0:
        return np.ndarray(shape, input.dtype, np.asarray(input), strides=(0,) * len(shape))
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
    return np.ndarray(shape, input.dtype, input, strides=(0,) * lead + tuple(steps))


@several
def expand(input: Any, size: Any) -> Any:
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


def expand_as(input: Any, other: Any) -> Any:
    """``input.expand(other.size())``. Counterpart: ``torch.Tensor.expand_as``.

    >>> import minigrad as torch
    >>> torch.tensor([1, 2]).expand_as(torch.zeros(3, 2)).shape
    torch.Size([3, 2])
    """
    return expand(input, tensor_array("expand_as", other, "other", 2).shape)


def broadcast_tensors(*tensors: Any) -> Any:
    """All of the tensors expanded to one shape. Counterpart: ``torch.broadcast_tensors``.

    Raises RuntimeError if their shapes do not broadcast.

    >>> import minigrad as torch
    >>> x, y = torch.broadcast_tensors(torch.zeros(2, 1), torch.ones(3))
    >>> x.shape, y.shape
    (torch.Size([2, 3]), torch.Size([2, 3]))
    """
    arrays = [np.asarray(tensor_array("broadcast_tensors", tensor)) for tensor in tensors]
    try:
        shape = np.broadcast_shapes(*[array.shape for array in arrays])
    except ValueError as error:
        raise broadcast_error(error, *arrays) from None
    return tuple(expand(tensor, shape) for tensor in tensors)


def broadcast_shapes(*shapes: Any) -> Any:
    """The shape that shapes broadcast to. Counterpart: ``torch.broadcast_shapes``.

    >>> import minigrad as torch
    >>> torch.broadcast_shapes((2, 1), (3,))
    torch.Size([2, 3])
    """
    empty = [new_tensor(np.broadcast_to(0, shape)) for shape in (*shapes, ())]
    return broadcast_tensors(*empty)[0].shape


def view_as(input: Any, other: Any) -> Any:
    """``input.view(other.size())``. Counterpart: ``torch.Tensor.view_as``.

    >>> import minigrad as torch
    >>> torch.arange(4).view_as(torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return view(input, tensor_array("view_as", other, "other", 2).shape)


def reshape_as(input: Any, other: Any) -> Any:
    """``input.reshape(other.size())``. Counterpart: ``torch.Tensor.reshape_as``.

    >>> import minigrad as torch
    >>> torch.arange(4).reshape_as(torch.zeros(2, 2)).shape
    torch.Size([2, 2])
    """
    return reshape(input, tensor_array("reshape_as", other, "other", 2).shape)


def ravel(input: Any) -> Any:
    """All entries in one dimension, copied unless they lie in memory in their order.

    Counterpart: ``torch.ravel``.

    >>> import minigrad as torch
    >>> torch.ravel(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
    in_their_order = tensor_array("ravel", input).flags.c_contiguous
    return view(input if in_their_order else clone(input), (-1,))


def unflatten(input: Any, dim: int, sizes: Any) -> Any:
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
    fits = size % product == 0 if product < 0 else size == product  # -1 stands for the rest
    text = "unflatten: Provided sizes {} don't multiply up to the size of dim {} ({})"
    ensure(fits, text, list(sizes), dim, size)
    made = inferred(sizes, size)
    return reshape(input, (*shape[:dim], *made, *shape[dim + 1 :]))


@operation(view=True, input=lambda g: t(g))
def t(input):
    """A matrix transposed; vectors and numbers stay as they are. Counterpart: ``torch.t``.

    Raises RuntimeError for more than two dimensions.

    >>> import minigrad as torch
    >>> torch.t(torch.tensor([[1, 2]]))
    tensor([[1],
            [2]])
    """
    text = "t() expects a tensor with <= 2 dimensions, but self is {}D"
    ensure(input.ndim <= 2, text, input.ndim)
    return input.T


# ------------------------------------------------------------------------- copies in another order


def unrepeated(g: Any, repeats: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """The sum over the copies: each dimension is split in copies and entries, to sum the copies."""
    entries = (1,) * (len(repeats) - len(shape)) + shape
    blocks = tuple(size for pair in zip(repeats, entries) for size in pair)
    return g.reshape(blocks).sum(tuple(range(0, len(blocks), 2))) if blocks else g


@operation(input=lambda g, repeats, input_shape: unrepeated(g, repeats, input_shape))
def _repeat(input, repeats):
    return in_order(np.tile(input, repeats))


@several
def repeat(input: Any, repeats: Any) -> Any:
    """Copies side by side: how many along each dimension, new ones leading.

    The gradient is summed over the copies. Raises RuntimeError for too few numbers.
    Counterpart: ``torch.Tensor.repeat``.

    >>> import minigrad as torch
    >>> torch.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    text = "Number of dimensions of repeat dims can not be smaller than that of the tensor: {} < {}"
    ndim = tensor_array("repeat", input).ndim
    ensure(len(repeats) >= ndim, text, len(repeats), ndim)
    ensure(min(repeats, default=0) >= 0, "Trying to create tensor with negative dimension")
    return _repeat(input, repeats)


@several
def tile(input: Any, dims: Any) -> Any:
    """As ``repeat``; missing leading numbers are 1. Counterpart: ``torch.tile``.

    >>> import minigrad as torch
    >>> torch.tile(torch.tensor([[1], [2]]), (2,))
    tensor([[1, 1],
            [2, 2]])
    """
    return repeat(input, (1,) * (tensor_array("tile", input).ndim - len(dims)) + dims)


@operation(input=lambda g, dims: _flip(g, dims))
def _flip(input, dims):
    return np.flip(input, dims).copy()


@several
def flip(input: Any, dims: Any) -> Any:
    """The entries in reverse order along these dimensions. Counterpart: ``torch.flip``.

    >>> import minigrad as torch
    >>> torch.flip(torch.tensor([[1, 2], [3, 4]]), (0,))
    tensor([[3, 4],
            [1, 2]])
    """
    ndim = tensor_array("flip", input).ndim
    return _flip(input, wrapped_dims(dims, ndim)[:ndim])


@operation(input=lambda g, shifts, dims: _roll(g, tuple(-shift for shift in shifts), dims))
def _roll(input, shifts, dims):
    return in_order(np.roll(input, shifts, dims))


def roll(input: Any, shifts: Any, dims: Any = ()) -> Any:
    """The entries shifted along dimensions, what leaves at the end coming in at the start.

    Without ``dims``, along the flattened tensor. Raises RuntimeError unless there is a shift for
    each dimension. Counterpart: ``torch.roll``.

    >>> import minigrad as torch
    >>> torch.roll(torch.tensor([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
    ndim = tensor_array("roll", input).ndim
    shifts, dims = (a if isinstance(a, (tuple, list)) else (a,) for a in (shifts, dims))
    text = "shifts and dimensions must align. shifts: {}, dims:{}"
    ensure(len(shifts) == (len(dims) or 1), text, shifts, dims)
    text = "Dimension specified as 0 but tensor has no dimensions"
    ensure(ndim or not dims, text, error=IndexError)
    shifts = tuple([whole_number("roll", shift, "shifts", 2) for shift in shifts])
    return _roll(input, shifts, tuple(wrapped_dim(dim, ndim) for dim in dims) or None)


# ------------------------------------------------------------------------------------ joining


CAT, STACK = (
    Kind(name, op, ("tensors", "dim"), rule_text="the part of g that belongs to it")
    for name, op in (("CatBackward0", "cat"), ("StackBackward0", "stack"))
)


NOTHING = (0,)
"""The shape of a vector of nothing, which may be joined to anything."""


class Joined(Node):
    """Several tensors became one; each gets its own part of the gradient back."""

    __slots__ = ()

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> Any:
        assert self.saved is not None
        (parts,) = self.saved
        return [None if edge is None else g[part] for edge, part in zip(edges, parts, strict=True)]


def joined(kind: Kind, tensors: Any, array: Any, parts: list[Any]) -> Any:
    """The result of joining, with its node. ``parts``: where each of the tensors is in it."""
    edges = tuple([edge_to(tensor) for tensor in tensors])
    return new_tensor(array, record(kind, tuple(tensors), edges, (parts,), array, Joined))


def alike(function: str, tensors: Any) -> tuple[Any, list[Any], Any]:
    """Tensors brought to one dtype; their arrays; and is what is made of them to be recorded?"""
    if not isinstance(tensors, (list, tuple)):
        raise wrong_type(function, "tensors", 1, "tuple of Tensors", tensors)
    recorded = False
    for position, tensor in enumerate(tensors):
        if not isinstance(tensor, TensorBase):
            text = "expected Tensor as element {} in argument 0, but got {}"
            raise TypeError(text.format(position, type(tensor).__name__))
        if tensor._meta is not None:
            update_history(tensor)
        recorded = recorded or tensor._node is not None
    arrays = [tensor._array for tensor in tensors]
    if len({array.dtype for array in arrays}) > 1:
        wanted = dtypes.result_dtype(tuple(arrays)).numpy
        tensors = [to_dtype(tensor, wanted) for tensor in tensors]
        arrays = [tensor._array for tensor in tensors]
    return tensors, arrays, recorded and mode.recording


def cat(tensors: Any, dim: int = 0, *, axis: int | None = None) -> Any:
    """The tensors one after the other along an existing dimension.

    Their other sizes must agree, else RuntimeError; but vectors of nothing may stand beside
    anything. Raises ValueError for an empty list. Counterpart: ``torch.cat``.

    >>> import minigrad as torch
    >>> torch.cat([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    tensors, arrays, recorded = alike("cat", tensors)
    ensure(arrays, "torch.cat(): expected a non-empty list of Tensors", error=ValueError)
    shapes = [array.shape for array in arrays]
    if () in shapes:
        text = "zero-dimensional tensor (at position {}) cannot be concatenated"
        raise RuntimeError(text.format(shapes.index(())))
    if NOTHING in shapes:
        arrays = [array for array in arrays if array.shape != NOTHING]
    if not arrays:
        arrays = [tensors[0]._array]
        dim = 0
        axis = None
    dim = wrapped_dim(dim if axis is None else axis, arrays[0].ndim)
    try:
        array = in_order(np.concatenate(arrays, dim))
    except ValueError:
        text = f"Sizes of tensors must match except in dimension {dim}: got shapes"
        if len({array.ndim for array in arrays}) > 1:
            text = "Tensors must have same number of dimensions: got shapes"
        raise RuntimeError(f"{text} {', '.join(str(list(s)) for s in shapes)}") from None
    array = in_order(array)  # NumPy lays it out as it found transposed arrays
    if not recorded:
        return new_tensor(array)
    parts: list[Any] = []
    end = 0
    for shape in shapes:
        if shape == NOTHING:
            parts.append((..., slice(0)))
        else:
            start = end
            end = end + shape[dim]
            parts.append((*(ALL,) * dim, slice(start, end)))
    return joined(CAT, tensors, array, parts)


def stack(tensors: Any, dim: int = 0, *, axis: int | None = None) -> Any:
    """The tensors, all of one shape, side by side along a new dimension.

    Raises RuntimeError if the shapes differ. Counterpart: ``torch.stack``.

    >>> import minigrad as torch
    >>> torch.stack([torch.tensor(1.0), torch.tensor(2.0)])
    tensor([1., 2.])
    """
    tensors, arrays, recorded = alike("stack", tensors)
    ensure(arrays, "stack expects a non-empty TensorList")
    shape = arrays[0].shape
    dim = wrapped_dim(dim if axis is None else axis, len(shape) + 1)
    before = (ALL,) * dim
    for position, array in enumerate(arrays):
        if array.shape != shape:
            text = "stack expects each tensor to be equal size, but got {} at entry 0 and {} at {}"
            raise RuntimeError(text.format(list(shape), list(array.shape), position))
    array = in_order(np.concatenate([array[(*before, None, ...)] for array in arrays], dim))
    if not recorded:
        return new_tensor(array)
    return joined(STACK, tensors, array, [(*before, i) for i in range(len(arrays))])


def at_least(ndim: int, tensors: Any) -> list[Any]:
    """The tensors of a sequence, with leading dimensions of size 1 added."""
    grown = []
    for tensor in tensors:
        while tensor_array(f"atleast_{ndim}d", tensor).ndim < ndim:
            tensor = unsqueeze(tensor, 0)
        grown.append(tensor)
    return grown


def hstack(tensors: Any) -> Any:
    """Side by side: along the first dimension of vectors, the second of others.

    Counterpart: ``torch.hstack``.

    >>> import minigrad as torch
    >>> torch.hstack([torch.zeros(2, 1), torch.ones(2, 2)])
    tensor([[0., 1., 1.],
            [0., 1., 1.]])
    """
    tensors = at_least(1, tensors)
    return cat(tensors, min(tensors[0].ndim - 1, 1) if tensors else 0)


def vstack(tensors: Any) -> Any:
    """One below the other, vectors as rows. Counterpart: ``torch.vstack``.

    >>> import minigrad as torch
    >>> torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    return cat(at_least(2, tensors), 0)


def meshgrid(*tensors: Any, indexing: str | None = None) -> Any:
    """The coordinates of a grid: for each vector a tensor that varies along one dimension.

    With ``indexing="ij"`` the first vector varies along the first dimension, with ``"xy"`` along
    the second. Counterpart: ``torch.meshgrid``, whose warning comes if ``indexing`` is left out.

    >>> import minigrad as torch
    >>> i, j = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")
    >>> i
    tensor([[0, 0, 0],
            [1, 1, 1]])
    """
    if indexing is None:
        text = "torch.meshgrid: in an upcoming release, it will be required to pass the indexing"
        warnings.warn(f"{text} argument.", UserWarning, stacklevel=2)
    text = 'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {}'
    ensure(indexing in (None, "ij", "xy"), text, indexing)
    vectors = at_least(1, tensors if isinstance(tensors[0], TensorBase) else tensors[0])
    flat = all(vector.ndim == 1 for vector in vectors)
    ensure(flat, "torch.meshgrid: Expected 0D or 1D tensor in the tensor list")
    same = len({vector.dtype for vector in vectors}) == 1
    ensure(same, "meshgrid expects all tensors to have the same dtype")
    count = len(vectors)
    axes = [1, 0, *range(2, count)] if indexing == "xy" and count > 1 else range(count)
    shape = [vectors[axis]._array.size for axis in axes]
    return tuple(
        expand(reshape(vector, [-1 if d == axis else 1 for d in range(count)]), shape)
        for vector, axis in zip(vectors, axes)
    )
