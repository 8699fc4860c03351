"""Several tensors as one (``cat``, ``stack``), and several copies of one (``repeat``).

Each tensor gets its own part of the gradient back; copies, the sum of all.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..compat.arguments import ALL, ensure, in_order, several, tensor_array, wrapped_dim, wrong_type
from ..engine.modes import mode
from ..engine.node import Kind, Node, TensorBase, Watch, edge_to, new_tensor
from ..engine.operands import to_dtype
from ..engine.record import operation, record, tell_unrecorded
from ..engine.views import update_history
from .annotations import Array, Dims, Index, Shape
from .shaping import expand, reshape, unsqueeze

if TYPE_CHECKING:
    from .._tensor import Tensor

RULE = "the part of g that belongs to it"
CAT = Kind("CatBackward0", "cat", ("tensors", "dim"), rule_text=RULE)
STACK = Kind("StackBackward0", "stack", ("tensors", "dim"), rule_text=RULE)

EMPTY_VECTOR = (0,)
"""The shape of a vector without entries, which ``cat`` joins to anything."""


class Joined(Node):
    """Several tensors became one; each gets its own part of the gradient back."""

    __slots__ = ()

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> Any:
        assert self.saved is not None
        (parts,) = self.saved
        gradients: list[Any] = []
        for edge, part in zip(edges, parts, strict=True):
            gradients.append(None if edge is None else g[part])
        return gradients


def joined(kind: Kind, tensors: Any, array: Array, parts: list[Index]) -> Any:
    """The result of joining, with its node. ``parts``: the index of each of the tensors in it."""
    edges = tuple([edge_to(tensor) for tensor in tensors])
    node = record(kind, tuple(tensors), edges, (parts,), array, Joined)
    return new_tensor(array, node)


def joinable(function: str, tensors: Any) -> tuple[Any, list[Array], bool]:
    """The tensors in one dtype, their arrays, and whether joining them is to be recorded."""
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


def unrecorded(tensors: Any, array: Array) -> Any:
    """The result of joining, without a node."""
    result = new_tensor(array)
    if Watch.observer is not None:
        tell_unrecorded(tuple(tensors), result)
    return result


def cat(tensors: Any, dim: int = 0, *, axis: int | None = None) -> Tensor:
    """The tensors one after the other along an existing dimension.

    Raises RuntimeError if their other sizes differ (a vector without entries fits anything),
    ValueError for an empty list. Counterpart: ``torch.cat``.

    >>> import minigrad as torch
    >>> torch.cat([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    tensors, arrays, recorded = joinable("cat", tensors)
    ensure(arrays, "torch.cat(): expected a non-empty list of Tensors", error=ValueError)
    shapes = [array.shape for array in arrays]
    if () in shapes:
        text = "zero-dimensional tensor (at position {}) cannot be concatenated"
        raise RuntimeError(text.format(shapes.index(())))
    if EMPTY_VECTOR in shapes:
        arrays = [array for array in arrays if array.shape != EMPTY_VECTOR]
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
        return unrecorded(tensors, array)
    parts: list[Any] = []
    end = 0
    for shape in shapes:
        if shape == EMPTY_VECTOR:
            parts.append((..., slice(0)))
        else:
            start = end
            end = end + shape[dim]
            parts.append((*(ALL,) * dim, slice(start, end)))
    return joined(CAT, tensors, array, parts)


def stack(tensors: Any, dim: int = 0, *, axis: int | None = None) -> Tensor:
    """The tensors, all of one shape, side by side along a new dimension.

    Raises RuntimeError if the shapes differ. Counterpart: ``torch.stack``.

    >>> import minigrad as torch
    >>> torch.stack([torch.tensor(1.0), torch.tensor(2.0)])
    tensor([1., 2.])
    """
    tensors, arrays, recorded = joinable("stack", tensors)
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
        return unrecorded(tensors, array)
    return joined(STACK, tensors, array, [(*before, i) for i in range(len(arrays))])


def at_least_ndim(ndim: int, tensors: Any) -> list[Any]:
    """The tensors with leading dimensions of size 1, so that each has ``ndim`` at least."""
    grown = []
    for tensor in tensors:
        while tensor_array(f"atleast_{ndim}d", tensor).ndim < ndim:
            tensor = unsqueeze(tensor, 0)
        grown.append(tensor)
    return grown


def hstack(tensors: Any) -> Tensor:
    """Side by side: along the first dimension of vectors, the second of others.

    Counterpart: ``torch.hstack``.

    >>> import minigrad as torch
    >>> torch.hstack([torch.zeros(2, 1), torch.ones(2, 2)])
    tensor([[0., 1., 1.],
            [0., 1., 1.]])
    """
    tensors = at_least_ndim(1, tensors)
    vectors = not tensors or tensors[0].ndim == 1
    return cat(tensors, 0 if vectors else 1)


def vstack(tensors: Any) -> Tensor:
    """One below the other, vectors as rows. Counterpart: ``torch.vstack``.

    >>> import minigrad as torch
    >>> torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """
    return cat(at_least_ndim(2, tensors), 0)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
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
    vectors = at_least_ndim(1, tensors if isinstance(tensors[0], TensorBase) else tensors[0])
    flat = all(vector.ndim == 1 for vector in vectors)
    ensure(flat, "torch.meshgrid: Expected 0D or 1D tensor in the tensor list")
    same = len({vector.dtype for vector in vectors}) == 1
    ensure(same, "meshgrid expects all tensors to have the same dtype")
    count = len(vectors)
    axes = [*range(count)]
    if indexing == "xy":
        axes[:2] = axes[1::-1]
    shape = [vectors[axis]._array.size for axis in axes]
    grids = []
    for vector, axis in zip(vectors, axes):
        alone = [1] * count
        alone[axis] = -1
        grids.append(expand(reshape(vector, alone), shape))
    return tuple(grids)


# ------------------------------------------------------------------------------------------- copies


def sum_of_copies(g: Any, repeats: Dims, shape: Shape) -> Any:
    """The gradient of ``repeat``: the sum over the copies.

    Each dimension is split in two, copies and entries; summed are the copies.
    """
    entries = (1,) * (len(repeats) - len(shape)) + shape
    blocks = tuple(size for pair in zip(repeats, entries) for size in pair)
    if not blocks:
        return g
    return g.reshape(blocks).sum(tuple(range(0, len(blocks), 2)))


@operation(
    input=lambda g, repeats, input_shape: sum_of_copies(g, repeats, input_shape),
)
def _repeat(input: Array, repeats: Dims) -> Array:
    return in_order(np.tile(input, repeats))


@several
def repeat(input: Tensor, repeats: Any) -> Tensor:
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
def tile(input: Tensor, dims: Any) -> Tensor:
    """As ``repeat``; missing leading numbers are 1. Counterpart: ``torch.tile``.

    >>> import minigrad as torch
    >>> torch.tile(torch.tensor([[1], [2]]), (2,))
    tensor([[1, 1],
            [2, 2]])
    """
    return repeat(input, (1,) * (tensor_array("tile", input).ndim - len(dims)) + dims)
