"""Taking parts of tensors, and looking entries up by tensors of indices.

Parts (``split``, ``narrow``, ``diagonal``) are views. ``gather`` and its relatives look entries
up, ``scatter`` and its relatives write them: out of place here, in place in ``inplace``. Each of
these turns its arguments into a NumPy index, ``indices``; reading is then ``input[indices]``, and
its derivative adds up what comes back, as in ``indexing``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..compat.arguments import (
    ALL,
    check_fits,
    check_implemented,
    ensure,
    fitting,
    in_order,
    number_of,
    tensor_array,
    whole_number,
    wrapped_dim,
    wrong_type,
)
from ..engine.node import TensorBase, new_tensor
from ..engine.record import operation
from .elementwise import clone, where_
from .indexing import _embed, _index_put, _scatter, _select, _slice, getitem, with_added
from .reduction import places
from .shaping import broadcast_tensors, expand, ravel, unsqueeze, view

# ------------------------------------------------------------------------------ parts, as views


@operation(view=True, input=lambda g, index, input_shape: _embed(g, index, input_shape))
def _split(input, index, number):
    return input[index]


@operation(view=True, input=lambda g, index, input_shape: _embed(g, index, input_shape))
def _unbind(input, index, number):
    return input[index]


def sized(function: str, input: Any, dim: int) -> tuple[int, int]:
    """A dimension, counted from the front, and its size. Raises RuntimeError for a 0-d tensor."""
    shape = tensor_array(function, input).shape
    ensure(shape, "{} expects at least a 1-dimensional tensor", function)
    return (dim := wrapped_dim(dim, len(shape))), shape[dim]


def split(tensor: Any, split_size_or_sections: Any, dim: int = 0) -> Any:
    """Views of consecutive parts: all of one size (the last may be smaller), or of sizes given.

    Raises RuntimeError if given sizes do not sum to that of the dimension.
    Counterpart: ``torch.split``.

    >>> import minigrad as torch
    >>> torch.split(torch.arange(5), 2)
    (tensor([0, 1]), tensor([2, 3]), tensor([4]))
    >>> torch.arange(5).split([1, 4])
    (tensor([0]), tensor([1, 2, 3, 4]))
    """
    dim, size = sized("split", tensor, dim)
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


def chunk(input: Any, chunks: int, dim: int = 0) -> Any:
    """Views of at most ``chunks`` parts of equal size (the last may be smaller).

    Counterpart: ``torch.chunk``.

    >>> import minigrad as torch
    >>> torch.arange(5).chunk(2)
    (tensor([0, 1, 2]), tensor([3, 4]))
    """
    dim, size = sized("chunk", input, dim)
    ensure(chunks > 0, "chunk expects `chunks` to be greater than 0, got: {}", chunks)
    return split(input, -(-size // chunks) if size else [0] * chunks, dim)


def unbind(input: Any, dim: int = 0) -> Any:
    """Views of the slices along a dimension, without it. Counterpart: ``torch.unbind``.

    >>> import minigrad as torch
    >>> torch.unbind(torch.tensor([[1, 2], [3, 4]]))
    (tensor([1, 2]), tensor([3, 4]))
    """
    shape = tensor_array("unbind", input).shape
    ensure(shape, "Dimension specified as 0 but tensor has no dimensions", error=IndexError)
    dim = wrapped_dim(dim, len(shape))
    return tuple(_unbind(input, (*(ALL,) * dim, i, ...), i) for i in range(shape[dim]))


def narrow(input: Any, dim: int, start: Any, length: int) -> Any:
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
    start = int(start) + size * int(start < 0)
    text = "start ({}) + length ({}) exceeds dimension size ({})."
    ensure(0 <= length <= size - start, text, start, length, size)
    return _slice(input, (*(ALL,) * dim, slice(start, start + length)))


def select(input: Any, dim: int, index: Any) -> Any:
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


@operation(view=True, input=lambda g, where, input_shape: _diag_embed(g, where, input_shape))
def _diagonal(input, where):
    return diagonal_of(input, where)


def diagonal_of(array: Any, where: tuple[int, ...]) -> Any:
    """NumPy's view of a diagonal (offset, and two dimensions), which it would have read only."""
    out = array.diagonal(*where)
    out.flags.writeable = array.flags.writeable
    return out


@operation(input=lambda g, where: _diagonal(g, where))
def _diag_embed(input, where, shape):
    """Zeros of this shape with ``input`` on a diagonal."""
    out = np.zeros(shape, input.dtype)
    diagonal_of(out, where)[...] = input
    return out


def diagonal(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """A view of the diagonal of two dimensions, as the last dimension.

    ``offset`` counts diagonals above (or, negative, below) the main one.
    Counterpart: ``torch.diagonal``.

    >>> import minigrad as torch
    >>> torch.diagonal(torch.arange(9).reshape(3, 3), 1)
    tensor([1, 5])
    """
    ndim = tensor_array("diagonal", input).ndim
    first = wrapped_dim(dim1, ndim)
    second = wrapped_dim(dim2, ndim)
    ensure(first != second, "diagonal dimensions cannot be identical {}, {}", dim1, dim2)
    return _diagonal(input, (offset, first, second))


def diag(input: Any, diagonal: int = 0) -> Any:
    """The matrix with this vector on a diagonal; of a matrix, a copy of its diagonal.

    Counterpart: ``torch.diag``.

    >>> import minigrad as torch
    >>> torch.diag(torch.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """
    shape = tensor_array("diag", input).shape
    ensure(len(shape) in (1, 2), "diag(): Supports 1D or 2D tensors. Got {}D", len(shape))
    if len(shape) == 2:
        return clone(_diagonal(input, (diagonal, 0, 1)))
    return _diag_embed(input, (diagonal, 0, 1), (shape[0] + abs(diagonal),) * 2)


@operation(input=lambda g, diagonal: _tril(g, diagonal))
def _tril(input, diagonal):
    ensure(input.ndim > 1, "tril: input tensor must have at least 2 dimensions")
    return in_order(np.tril(input, diagonal))


@operation(input=lambda g, diagonal: _triu(g, diagonal))
def _triu(input, diagonal):
    ensure(input.ndim > 1, "triu: input tensor must have at least 2 dimensions")
    return in_order(np.triu(input, diagonal))


def tril(input: Any, diagonal: int = 0) -> Any:
    """Matrices with zeros above a diagonal. Counterpart: ``torch.tril``.

    >>> import minigrad as torch
    >>> torch.tril(torch.ones(2, 2))
    tensor([[1., 0.],
            [1., 1.]])
    """
    return _tril(input, whole_number("tril", diagonal, "diagonal", 2))


def triu(input: Any, diagonal: int = 0) -> Any:
    """Matrices with zeros below a diagonal. Counterpart: ``torch.triu``.

    >>> import minigrad as torch
    >>> torch.triu(torch.ones(2, 2), diagonal=1)
    tensor([[0., 1.],
            [0., 0.]])
    """
    return _triu(input, whole_number("triu", diagonal, "diagonal", 2))


# ----------------------------------------------------------------------------------- looking up


@operation(input=lambda g, indices, input_shape: _scatter(g, indices, input_shape))
def _gather(input, indices):
    return in_order(np.asarray(input)[indices])


@operation(input=lambda g, indices, input_shape: _scatter(g, indices, input_shape))
def _index_select(input, indices):
    return in_order(np.asarray(input)[indices])


DIMENSIONS = "Index tensor must have the same number of dimensions as {} tensor"


def positions(function, index, size, dim=0, text="", error=RuntimeError):
    """The indices along a dimension of this size, checked, and copied.

    Copied so that a later write to the index tensor cannot change what the derivative does.
    """
    index = np.asarray(tensor_array(function, index, "index", 2))
    whole = index.dtype in (np.int64, np.int32)
    ensure(whole, "{}(): Expected dtype int32/int64 for index", function)
    text = text or "index {} is out of bounds for dimension {} with size {}"
    for wrong in index[(index < 0) | (index >= size)].flat:
        raise error(text.format(wrong, dim, size))
    return index.astype(np.int64)


def along(function: str, input: Any, dim: int, index: Any) -> tuple[Any, ...]:
    """The NumPy index that takes ``index`` along ``dim``, and its own position elsewhere."""
    shape = tensor_array(function, input).shape or (1,)
    dim = wrapped_dim(dim, len(shape))
    index = positions(function, index, shape[dim], dim)
    ensure((index.ndim or 1) == len(shape), DIMENSIONS, "input")
    fits = all(n <= size or d == dim for d, (n, size) in enumerate(zip(index.shape, shape)))
    text = "Size does not match at a dimension: index {} is larger than self {} apart from {}"
    ensure(fits, text, index.shape, shape, dim)
    return (places(index, dim) or (index,)) if input.ndim else (None,) * index.ndim


def gather(input: Any, dim: int, index: Any) -> Any:
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
    return _gather(input, along("gather", input, dim, index))


def take_along_dim(input: Any, indices: Any, dim: int | None = None) -> Any:
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
    dim, size = sized("take_along_dim", input, dim)
    text = "torch.take_along_dim(): input and indices should have the same number of dimensions"
    ensure(input.ndim == indices.ndim, text)
    shape = tuple(1 if d == dim else n for d, n in enumerate(input._array.shape))
    (indices, _) = broadcast_tensors(indices, new_tensor(np.broadcast_to(0, shape)))
    return gather(input, dim, new_tensor(np.where(indices._array < 0, size, 0) + indices._array))


def slices(function, input, dim, index, error=RuntimeError, text=""):
    """The NumPy index that takes slices along ``dim``."""
    shape = tensor_array(function, input).shape or (1,)
    dim = wrapped_dim(dim, len(shape))
    index = positions(function, index, shape[dim], dim, text, error)
    ensure(index.ndim < 2, "{}(): Index is supposed to be a vector", function, error=IndexError)
    return (*(ALL,) * dim, index.reshape(-1)) if input.ndim else ()


def index_select(input: Any, dim: int, index: Any) -> Any:
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
    return _index_select(input, slices("index_select", input, dim, index, IndexError, text))


def masked_select(input: Any, mask: Any) -> Any:
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


def repeat_interleave(input: Any, repeats: Any, dim: int | None = None) -> Any:
    """Each slice along ``dim`` repeated: so many times, or as often as a tensor says for each.

    Without ``dim``, of the flattened tensor. Counterpart: ``torch.repeat_interleave``.

    >>> import minigrad as torch
    >>> torch.repeat_interleave(torch.tensor([1, 2]), 2)
    tensor([1, 1, 2, 2])
    """
    if dim is None:
        input = ravel(input)
        dim = 0
    dim, size = sized("repeat_interleave", input, dim)
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
    return index_select(input, dim, new_tensor(np.repeat(np.arange(size), counts)))


def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    """Where the entries are that are not 0: one a row, or a tensor for each dimension.

    Counterpart: ``torch.nonzero``.

    >>> import minigrad as torch
    >>> torch.nonzero(torch.tensor([[1, 0], [0, 2]]))
    tensor([[0, 0],
            [1, 1]])
    """
    array = tensor_array("nonzero", input)
    if as_tuple:
        return tuple(map(new_tensor, np.atleast_1d(array).nonzero()))
    return new_tensor(np.argwhere(array))


# ----------------------------------------------------------------------------------- writing


@operation(
    input=lambda g, condition: where_(condition, 0, g),
    value=lambda g, condition: where_(condition, g, 0),
)
def _masked_fill(input, value, condition):
    return in_order(np.where(condition, np.asarray(value).astype(input.dtype), input))


def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """A copy with one number written where the mask, broadcast, is true.

    Raises RuntimeError for a mask that is not boolean. Counterpart: ``torch.masked_fill``.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, -2.0])
    >>> torch.masked_fill(x, x < 0, 0.0)
    tensor([1., 0.])
    """
    have = dtypes.of(tensor_array("masked_fill", mask, "mask", 2))
    text = "masked_fill_ only supports boolean masks, but got mask with dtype {}"
    ensure(have is dtypes.bool_, text, have)
    text = "masked_fill_ only supports a 0-dimensional value tensor, but got {} dimension(s)."
    ensure(not np.ndim(value), text, np.ndim(value))
    if not isinstance(value, TensorBase):
        check_fits(number_of("masked_fill", value, "value", 3), dtypes.of(input._array))
    return _masked_fill(input, value, mask)


@operation(
    name="scatter",
    input=lambda g, indices: _index_put(g, 0, indices),
    src=lambda g, indices: g[indices],
)
def _scatter_src(input, src, indices):
    out = np.array(input, order="C")
    out[indices] = src
    return out


@operation(input=lambda g: g, src=lambda g, indices: g[indices])
def _scatter_add(input, src, indices):
    return with_added(np.array(input, order="C"), indices, src)


@operation(input=lambda g: g, source=lambda g, indices: g[indices])
def _index_add(input, source, indices):
    return with_added(np.array(input, order="C"), indices, source)


def source_of(function: str, input: Any, src: Any, index: Any) -> Any:
    """The part of ``src`` that ``index`` says where to write, checked."""
    if not isinstance(src, TensorBase):
        return fitting(number_of(function, src, "value", 4), dtypes.of(input._array))
    have = src._array
    want = tensor_array(function, index, "index", 3)
    same = have.dtype == input._array.dtype
    ensure(same, "scatter(): Expected self.dtype to be equal to src.dtype")
    ensure(have.ndim == want.ndim, DIMENSIONS, "src")
    fits = all(n <= size for n, size in zip(want.shape, have.shape))
    ensure(fits, "Expected index {} to be no larger than src {}", want.shape, have.shape)
    return src if have.shape == want.shape else getitem(src, tuple(map(slice, want.shape)))


def scatter(input: Any, dim: int, index: Any, src: Any = None, *, value: Any = None) -> Any:
    """A copy with entries of ``src``, or one number, written where ``gather`` would read.

    For ``dim=1``: ``out[i, index[i, j]] = src[i, j]``. Of several written to one place, the last
    stays. Raises RuntimeError as ``gather``. Counterpart: ``torch.scatter``.

    >>> import minigrad as torch
    >>> torch.zeros(2, 3).scatter(1, torch.tensor([[2], [0]]), 1.0)
    tensor([[0., 0., 1.],
            [1., 0., 0.]])
    """
    indices = along("scatter", input, dim, index)
    src = source_of("scatter", input, value if src is None else src, index)
    return _scatter_src(input, src, indices)


def scatter_add(input: Any, dim: int, index: Any, src: Any) -> Any:
    """A copy with entries of ``src`` added where ``gather`` would read.

    Counterpart: ``torch.scatter_add``.

    >>> import minigrad as torch
    >>> torch.zeros(3).scatter_add(0, torch.tensor([0, 2, 0]), torch.tensor([1.0, 2.0, 3.0]))
    tensor([4., 0., 2.])
    """
    tensor_array("scatter_add", src, "src", 3)
    indices = along("scatter_add", input, dim, index)
    return _scatter_add(input, source_of("scatter_add", input, src, index), indices)


def index_add(input: Any, dim: int, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """A copy with ``alpha`` times the slices of ``source`` added at these indices along ``dim``.

    Counterpart: ``torch.index_add``.

    >>> import minigrad as torch
    >>> torch.zeros(3).index_add(0, torch.tensor([1, 1]), torch.tensor([1.0, 2.0]))
    tensor([0., 3., 0.])
    """
    indices = slices("index_add_", input, dim, index)
    same = source._array.dtype == input._array.dtype
    ensure(same, "index_add_(): self and source must have the same scalar type")
    shape = source._array.shape
    want = input._array[indices].shape
    text = "index_add_(): Number of indices and sizes must fit: source is {}, not {}"
    ensure(shape == want, text, shape, want)
    if alpha != 1:
        dtype = dtypes.of(input._array)
        whole = not dtype.is_floating_point
        source = source * (new_tensor(fitting(alpha, dtype)) if whole else alpha)
    return _index_add(input, source, indices)
