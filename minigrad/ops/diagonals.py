"""Diagonals of matrices, and the triangles on either side of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..compat.arguments import (
    check_implemented,
    ensure,
    in_order,
    tensor_array,
    titled,
    whole_number,
    wrapped_dim,
    wrong_type,
)
from ..engine.arrays import zeros
from ..engine.record import operation
from .annotations import Array, Dims, Shape
from .creation import leaf
from .shaping import clone

if TYPE_CHECKING:
    from .._tensor import Tensor


@operation(
    view=True,
    input=lambda g, where, input_shape: _diag_embed(g, where, input_shape),
)
def _diagonal(input: Array, where: Dims) -> Array:
    return diagonal_of(input, where)


def diagonal_of(array: Array, where: Dims) -> Any:
    """A view of a diagonal, given by its offset and two dimensions; NumPy's own is read-only."""
    out = array.diagonal(*where)
    out.flags.writeable = array.flags.writeable
    return out


@operation(input=lambda g, where: _diagonal(g, where))
def _diag_embed(input: Array, where: Dims, shape: Shape) -> Array:
    """Zeros of this shape with ``input`` on a diagonal."""
    out = zeros(shape, input)
    diagonal_of(out, where)[...] = input
    return out


def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
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


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
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
    size = shape[0] + abs(diagonal)
    return _diag_embed(input, (diagonal, 0, 1), (size, size))


def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Zeros with the last dimension of ``input`` on a diagonal of two new ones.

    ``diagonal`` is the inverse. Counterpart: ``torch.diag_embed``.

    >>> import minigrad as torch
    >>> torch.diag_embed(torch.tensor([[1, 2], [3, 4]]))
    tensor([[[1, 0],
             [0, 2]],
    <BLANKLINE>
            [[3, 0],
             [0, 4]]])
    """
    shape = list(tensor_array("diag_embed", input).shape)
    ndim = len(shape) + 1
    first = wrapped_dim(dim1, ndim)
    second = wrapped_dim(dim2, ndim)
    ensure(first != second, "diagonal dimensions cannot be identical {}, {}", dim1, dim2)
    size = shape.pop() + abs(offset)
    for dim in sorted((first, second)):
        shape.insert(dim, size)
    return _diag_embed(input, (offset, first, second), tuple(shape))


# ---------------------------------------------------------------------------------------- triangles


@operation(input=lambda g, diagonal: _tril(g, diagonal))
def _tril(input: Array, diagonal: int) -> Array:
    ensure(input.ndim > 1, "tril: input tensor must have at least 2 dimensions")
    return in_order(np.tril(input, diagonal))


@operation(input=lambda g, diagonal: _triu(g, diagonal))
def _triu(input: Array, diagonal: int) -> Array:
    ensure(input.ndim > 1, "triu: input tensor must have at least 2 dimensions")
    return in_order(np.triu(input, diagonal))


def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """Matrices with zeros above a diagonal. Counterpart: ``torch.tril``.

    >>> import minigrad as torch
    >>> torch.tril(torch.ones(2, 2))
    tensor([[1., 0.],
            [1., 1.]])
    """
    return _tril(input, whole_number("tril", diagonal, "diagonal", 2))


def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """Matrices with zeros below a diagonal. Counterpart: ``torch.triu``.

    >>> import minigrad as torch
    >>> torch.triu(torch.ones(2, 2), diagonal=1)
    tensor([[0., 1.],
            [0., 0.]])
    """
    return _triu(input, whole_number("triu", diagonal, "diagonal", 2))


def triangle(function: str, indices: Any, which: str, printed: str) -> Any:
    """The function that makes the indices of the entries on one side of a diagonal."""

    def made(
        row: int, col: int, offset: int = 0, *, dtype: Any = dtypes.int64, device: Any = None
    ) -> Any:
        for position, (name, size) in enumerate({"row": row, "col": col}.items(), 1):
            if not isinstance(size, int):
                raise wrong_type(function, name, position, "int", size)
            ensure(size >= 0, "{} must be non-negative, got{}", name, size)
        wanted = dtypes.asked(function, dtype, dtypes.int64).numpy
        check_implemented(function, wanted.type(), "i" * (wanted.itemsize > 2))
        rows_and_columns = indices(row, offset, col)
        array = np.stack(rows_and_columns).astype(wanted)
        return leaf(array, False, device=device)

    words = f"""The indices of a matrix's entries {which} a diagonal: rows, and columns.

    ``offset`` counts diagonals above (or, negative, below) the main one."""
    return titled(made, function, words, f"torch.{function}(2, 2)", printed)


LOWER = "tensor([[0, 1, 1],\n            [0, 0, 1]])"
UPPER = "tensor([[0, 0, 1],\n            [0, 1, 1]])"
"""What they print for a matrix of 2 rows and 2 columns."""

tril_indices = triangle("tril_indices", np.tril_indices, "on and below", LOWER)
triu_indices = triangle("triu_indices", np.triu_indices, "on and above", UPPER)
