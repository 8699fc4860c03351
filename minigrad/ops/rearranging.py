"""Another order of dimensions, and of entries: transposed, flipped, rolled.

The derivative of moving values is moving them back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..compat.arguments import (
    ensure,
    in_order,
    is_whole,
    several,
    tensor_array,
    whole_number,
    wrapped_dim,
    wrapped_dims,
)
from ..engine.record import operation
from .annotations import Array, Dims

if TYPE_CHECKING:
    from .._tensor import Tensor

# -------------------------------------------------------------------- order of dimensions, as views


@operation(view=True, input=lambda g, dim0, dim1: _transpose(g, dim0, dim1))
def _transpose(input: Array, dim0: int, dim1: int) -> Array:
    if dim0 == dim1:
        return input[...]
    return input.swapaxes(dim0, dim1)


def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
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


@operation(view=True, input=lambda g: t(g))
def t(input: Array) -> Array:
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


@operation(
    view=True,
    input=lambda g, dims: _permute(g, inverse_permutation(dims)),
)
def _permute(input: Array, dims: Dims) -> Array:
    return input.transpose(dims)


def inverse_permutation(dims: Dims) -> Dims:
    """The permutation that undoes ``dims``."""
    return tuple(sorted(range(len(dims)), key=dims.__getitem__))


@several
def permute(input: Tensor, dims: Any) -> Tensor:
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


def movedim(input: Tensor, source: Tensor, destination: Any) -> Tensor:
    """A view with the dimensions ``source`` moved to ``destination``, the others in order.

    Either two ints, or two tuples of equal length. Raises RuntimeError for a dimension named
    twice. Counterpart: ``torch.movedim``, ``torch.moveaxis``.

    >>> import minigrad as torch
    >>> torch.movedim(torch.zeros(2, 3, 4), 0, -1).shape
    torch.Size([3, 4, 2])
    """
    ndim = tensor_array("movedim", input).ndim
    moves = []
    text = "movedim() received an invalid combination of arguments: two ints, or two tuples"
    ensure(is_whole(source) == is_whole(destination), text, error=TypeError)
    for name, given in (("source", source), ("destination", destination)):
        dims = list(given) if isinstance(given, (tuple, list)) else [given]
        found = [wrapped_dim(dim, ndim) for dim in dims]
        text = "movedim: repeated dim in `{}` ({})"
        ensure(len(set(found)) == len(found), text, name, dims)
        moves.append(found)
    text = "movedim: Invalid source or destination dims: {} dims cannot move to {}"
    ensure(len(moves[0]) == len(moves[1]), text, *moves)
    rest = iter([dim for dim in range(ndim) if dim not in moves[0]])
    to_from = dict(zip(moves[1], moves[0]))
    order = [to_from[dim] if dim in to_from else next(rest) for dim in range(ndim)]
    return permute(input, order)


# ------------------------------------------------------------------------- order of entries, copied


@operation(input=lambda g, dims: _flip(g, dims))
def _flip(input: Array, dims: Dims) -> Array:
    return np.flip(input, dims).copy()


@several
def flip(input: Tensor, dims: Any) -> Tensor:
    """The entries in reverse order along these dimensions. Counterpart: ``torch.flip``.

    >>> import minigrad as torch
    >>> torch.flip(torch.tensor([[1, 2], [3, 4]]), (0,))
    tensor([[3, 4],
            [1, 2]])
    """
    ndim = tensor_array("flip", input).ndim
    return _flip(input, wrapped_dims(dims, ndim)[:ndim])


def fliplr(input: Tensor) -> Tensor:
    """The second dimension in reverse order: left to right. Counterpart: ``torch.fliplr``.

    Raises RuntimeError for fewer than two dimensions.

    >>> import minigrad as torch
    >>> torch.fliplr(torch.tensor([[1, 2], [3, 4]]))
    tensor([[2, 1],
            [4, 3]])
    """
    ensure(tensor_array("fliplr", input).ndim > 1, "Input must be >= 2-d.")
    return flip(input, 1)


def flipud(input: Tensor) -> Tensor:
    """The first dimension in reverse order: upside down. Counterpart: ``torch.flipud``.

    Raises RuntimeError for a 0-d tensor.

    >>> import minigrad as torch
    >>> torch.flipud(torch.tensor([[1, 2], [3, 4]]))
    tensor([[3, 4],
            [1, 2]])
    """
    ensure(tensor_array("flipud", input).ndim > 0, "Input must be >= 1-d.")
    return flip(input, 0)


@operation(
    input=lambda g, shifts, dims: _roll(g, tuple(-shift for shift in shifts), dims),
)
def _roll(input: Array, shifts: Dims, dims: Dims | None) -> Array:
    return in_order(np.roll(input, shifts, dims))


def roll(input: Tensor, shifts: Any, dims: Any = ()) -> Tensor:
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
