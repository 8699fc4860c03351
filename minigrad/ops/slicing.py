"""Parts of tensors, as views: ``split``, ``unbind``, ``narrow``, ``select``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..compat.arguments import ALL, ensure, tensor_array, wrapped_dim, wrong_type
from ..engine.record import operation
from .annotations import Array, Index
from .indexing import _embed, _select, _slice

if TYPE_CHECKING:
    from .._tensor import Tensor


def dim_and_size(function: str, input: Any, dim: int) -> tuple[int, int]:
    """A dimension, counted from the front, and its size. Raises RuntimeError for a 0-d tensor."""
    shape = tensor_array(function, input).shape
    ensure(shape, "{} expects at least a 1-dimensional tensor", function)
    dim = wrapped_dim(dim, len(shape))
    return dim, shape[dim]


@operation(
    view=True,
    input=lambda g, index, input_shape: _embed(g, index, input_shape),
)
def _split(input: Array, index: Index, number: int) -> Array:
    return input[index]


def split(tensor: Any, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of consecutive parts: all of one size (the last may be smaller), or of sizes given.

    Raises RuntimeError if given sizes do not sum to that of the dimension.
    Counterpart: ``torch.split``.

    >>> import minigrad as torch
    >>> torch.split(torch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    >>> torch.arange(5).split([1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """
    dim, size = dim_and_size("split", tensor, dim)
    lengths = split_size_or_sections
    if isinstance(lengths, int):
        ensure(lengths >= 0, "split expects split_size be non-negative, but got {}", lengths)
        text = "split_size can only be 0 if dimension size is 0, but got dimension size of {}"
        ensure(lengths or not size, text, size)
        lengths = [min(lengths, size - start) for start in range(0, size or 1, lengths or 1)]
    elif not isinstance(lengths, (tuple, list)):
        raise wrong_type("split_with_sizes", "split_sizes", 2, "tuple of ints", lengths)
    text = "split_with_sizes expects split_sizes to be positive and sum exactly to {}, but got {}"
    ensure(sum(lengths) == size and min(lengths, default=0) >= 0, text, size, lengths)
    before = (ALL,) * dim
    parts = []
    start = 0
    for number, length in enumerate(lengths):
        parts.append(_split(tensor, (*before, slice(start, start + length)), number))
        start += length
    return tuple(parts)


def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of at most ``chunks`` parts of equal size (the last may be smaller).

    Counterpart: ``torch.chunk``.

    >>> import minigrad as torch
    >>> torch.arange(5).chunk(2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    dim, size = dim_and_size("chunk", input, dim)
    ensure(chunks > 0, "chunk expects `chunks` to be greater than 0, got: {}", chunks)
    if size == 0:
        return split(input, [0] * chunks, dim)
    return split(input, -(-size // chunks), dim)  # rounded up


@operation(
    view=True,
    input=lambda g, index, input_shape: _embed(g, index, input_shape),
)
def _unbind(input: Array, index: Index, number: int) -> Array:
    return input[index]


def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of the slices along a dimension, without it. Counterpart: ``torch.unbind``.

    >>> import minigrad as torch
    >>> torch.unbind(torch.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
    shape = tensor_array("unbind", input).shape
    ensure(shape, "Dimension specified as 0 but tensor has no dimensions", error=IndexError)
    dim = wrapped_dim(dim, len(shape))
    before = (ALL,) * dim
    return tuple(_unbind(input, (*before, i, ...), i) for i in range(shape[dim]))


def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """A view of ``length`` slices along ``dim``, from ``start``. Counterpart: ``torch.narrow``.

    Raises RuntimeError if there are not so many.

    >>> import minigrad as torch
    >>> torch.arange(5).narrow(0, 1, 3)
    tensor([1, 2, 3])
    """
    shape = tensor_array("narrow", input).shape
    ensure(shape, "narrow() cannot be applied to a 0-dim tensor.")
    dim = wrapped_dim(dim, len(shape))
    size = shape[dim]
    text = "start out of range (expected to be in range of [-{0}, {0}], but got {1})"
    ensure(-size <= start <= size, text, size, start, error=IndexError)
    start = int(start)
    if start < 0:
        start += size
    text = "start ({}) + length ({}) exceeds dimension size ({})."
    ensure(0 <= length <= size - start, text, start, length, size)
    return _slice(input, (*(ALL,) * dim, slice(start, start + length)))


def select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """A view of one slice along ``dim``, without it. Counterpart: ``torch.select``.

    >>> import minigrad as torch
    >>> torch.select(torch.tensor([[1, 2], [3, 4]]), 1, 0)
    tensor([1, 3])
    """
    shape = tensor_array("select", input).shape
    ensure(shape, "select() cannot be applied to a 0-dim tensor.", error=IndexError)
    dim = wrapped_dim(dim, len(shape))
    text = "select(): index {} out of range for tensor of size {} at dimension {}"
    fits = -shape[dim] <= index < shape[dim]
    ensure(fits, text, index, list(shape), dim, error=IndexError)
    return _select(input, (*(ALL,) * dim, int(index), ...))
