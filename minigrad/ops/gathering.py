"""Looking entries up by tensors of indices. (Writing them is in ``scattering``.)

Each of these turns its arguments into a NumPy index, ``indices``; reading is then
``input[indices]``, and its derivative adds up what comes back, as in ``indexing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import longs
from ..compat.arguments import ALL, check_implemented, ensure, in_order, tensor_array, wrapped_dim
from ..engine.arrays import as_array
from ..engine.node import TensorBase, new_tensor
from ..engine.record import operation
from .annotations import Array, Index
from .indexing import _scatter, getitem, index_along
from .shaping import broadcast_tensors, clone, expand, ravel, unsqueeze, view
from .slicing import dim_and_size

if TYPE_CHECKING:
    from .._tensor import Tensor

DIMENSIONS = "Index tensor must have the same number of dimensions as {} tensor"


def positions(
    function: str,
    index: Any,
    size: int,
    dim: int = 0,
    text: str = "",
    error: type[Exception] = RuntimeError,
) -> Any:
    """The indices along a dimension of this size, checked, and copied.

    Copied so that a later write to the index tensor cannot change what the derivative does.
    """
    index = as_array(tensor_array(function, index, "index", 2))
    whole = index.dtype in (np.int64, np.int32)
    ensure(whole, "{}(): Expected dtype int32/int64 for index", function)
    text = text or "index {} is out of bounds for dimension {} with size {}"
    for wrong in index[(index < 0) | (index >= size)].reshape(-1):
        raise error(text.format(wrong, dim, size))
    return index.astype(np.int64)


@operation(
    input=lambda g, indices, input_shape: _scatter(g, indices, input_shape),
)
def _gather(input: Array, indices: Index) -> Array:
    return in_order(as_array(input)[indices])


def gather_index(function: str, input: Any, dim: int, index: Any) -> tuple[Any, ...]:
    """The NumPy index of ``gather``: ``index`` along ``dim``, and the position in it elsewhere."""
    shape = tensor_array(function, input).shape or (1,)
    dim = wrapped_dim(dim, len(shape))
    index = positions(function, index, shape[dim], dim)
    ensure((index.ndim or 1) == len(shape), DIMENSIONS, "input")
    fits = all(n <= size or d == dim for d, (n, size) in enumerate(zip(index.shape, shape)))
    text = "Size does not match at a dimension: index {} is larger than self {} apart from {}"
    ensure(fits, text, index.shape, shape, dim)
    if input.ndim == 0:
        return (None,) * index.ndim
    return index_along(index, dim) or (index,)


def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Entries looked up along one dimension; elsewhere their position is that in ``index``.

    For ``dim=1``: ``out[i, j] = input[i, index[i, j]]``. The result has the shape of ``index``,
    which has as many dimensions as ``input``. The gradient is added up where it came from.
    Raises RuntimeError for an index that is not integer, or out of range. Counterpart:
    ``torch.gather``.

    >>> import minigrad as torch
    >>> x = torch.tensor([[1, 2, 3], [4, 5, 6]])
    >>> torch.gather(x, 1, torch.tensor([[0], [2]]))
    tensor([[1],
            [6]])
    """
    return _gather(input, gather_index("gather", input, dim, index))


def take_along_dim(input: Tensor, indices: Any, dim: int | None = None) -> Tensor:
    """As ``gather``, the other dimensions broadcast: made for the results of ``argsort``.

    Counterpart: ``torch.take_along_dim``.

    >>> import minigrad as torch
    >>> x = torch.tensor([[3, 1], [2, 4]])
    >>> torch.take_along_dim(x, torch.tensor([[0]]), 1)
    tensor([[3],
            [2]])
    """
    if dim is None:
        return gather(ravel(input), 0, ravel(indices))
    dim, size = dim_and_size("take_along_dim", input, dim)
    text = "torch.take_along_dim(): input and indices should have the same number of dimensions"
    ensure(input.ndim == indices.ndim, text)
    shape = tuple(1 if d == dim else n for d, n in enumerate(input._array.shape))
    indices, _ = broadcast_tensors(indices, new_tensor(np.broadcast_to(0, shape)))
    index = indices._array
    from_front = index + np.where(index < 0, size, 0)
    return gather(input, dim, new_tensor(from_front))


@operation(
    input=lambda g, indices, input_shape: _scatter(g, indices, input_shape),
)
def _index_select(input: Array, indices: Index) -> Array:
    return in_order(as_array(input)[indices])


def slice_index(
    function: str,
    input: Any,
    dim: int,
    index: Any,
    error: type[Exception] = RuntimeError,
    text: str = "",
) -> tuple[Any, ...]:
    """The NumPy index that takes slices along ``dim``."""
    shape = tensor_array(function, input).shape or (1,)
    dim = wrapped_dim(dim, len(shape))
    index = positions(function, index, shape[dim], dim, text, error)
    ensure(index.ndim < 2, "{}(): Index is supposed to be a vector", function, error=IndexError)
    if input.ndim == 0:
        return ()
    return (*(ALL,) * dim, index.reshape(-1))


def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """The slices along ``dim`` with these indices, copied. Counterpart: ``torch.index_select``.

    Raises IndexError for an index out of range.

    >>> import minigrad as torch
    >>> torch.index_select(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([1, 1]))
    tensor([[2, 2],
            [4, 4]])
    """
    text = "index out of range in self\n  index {}, in dimension {}, whose size is {}.\n"
    text += "  fix: indices count from 0, and the last is the size - 1."
    found = tensor_array("index_select", input)
    one = tensor_array("index_select", index, "index", 3)
    scalar = "index_select(): Index to scalar can have only 1 value, got {} value(s)"
    ensure(found.ndim or one.size == 1, scalar, one.size)
    indices = slice_index("index_select", input, dim, index, IndexError, text)
    return _index_select(input, indices)


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The entries where the mask is true, in one dimension; both are broadcast.

    Counterpart: ``torch.masked_select``.

    >>> import minigrad as torch
    >>> x = torch.tensor([1, -2, 3])
    >>> torch.masked_select(x, x > 0)
    tensor([1, 3])
    """
    chosen = tensor_array("masked_select", mask, "mask", 2).dtype.kind == "b"
    ensure(chosen, "masked_select: expected BoolTensor for mask")
    input, mask = broadcast_tensors(input, mask)
    return getitem(input, mask)


def repeat_interleave(input: Tensor, repeats: Any, dim: int | None = None) -> Tensor:
    """Each slice along ``dim`` repeated: all equally often, or as often as a tensor says for each.

    Without ``dim``, of the flattened tensor. Counterpart: ``torch.repeat_interleave``.

    >>> import minigrad as torch
    >>> torch.repeat_interleave(torch.tensor([1, 2]), 2)
    tensor([1, 1, 2, 2])
    """
    if dim is None:
        input = ravel(input)
        dim = 0
    dim, size = dim_and_size("repeat_interleave", input, dim)
    if isinstance(repeats, int):
        ensure(repeats >= 0, "Repeats must be non-negative")
        shape = list(input._array.shape)
        shape.insert(dim + 1, repeats)
        copies = clone(expand(unsqueeze(input, dim + 1), shape))
        return view(copies, (*shape[:dim], size * repeats, *shape[dim + 2 :]))
    counts = np.atleast_1d(repeats._array if isinstance(repeats, TensorBase) else repeats)
    check_implemented("repeat_interleave_cpu", counts, "i")
    ensure((counts >= 0).all(), "repeats can not be negative")
    ensure(counts.size in (1, size), "repeats must have the same size as input along dim")
    places = np.repeat(longs.arange(size), longs.told(counts))
    return index_select(input, dim, new_tensor(places))


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The indices of the entries that are not 0: as rows, or as a tensor for each dimension.

    Counterpart: ``torch.nonzero``.

    >>> import minigrad as torch
    >>> torch.nonzero(torch.tensor([[1, 0], [0, 2]]))
    tensor([[0, 0],
            [1, 1]])
    """
    array = tensor_array("nonzero", input)
    if as_tuple:
        return tuple(map(new_tensor, longs.nonzero(np.atleast_1d(array))))
    return new_tensor(longs.argwhere(array))
