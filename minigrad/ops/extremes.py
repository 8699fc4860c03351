"""The largest and the smallest entries.

If the maximum comes with an index, the entry at that index gets all of the gradient; if not, tied
entries share it evenly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import longs
from ..compat.arguments import ensure, in_order, of_tensor, wrapped_dim
from ..engine.arrays import as_array
from ..engine.node import TensorBase, Watch, new_tensor, tell_of_cut
from ..engine.record import operation
from .annotations import Array, Dims, Index
from .elementwise.choices import maximum, minimum, where_
from .indexing import _embed
from .reduction import dims_of, with_keepdim
from .results import values_and_indices

if TYPE_CHECKING:
    from .._tensor import Tensor


def split_among_ties(g: Any, input: Any, out: Any) -> Any:
    """The gradient, split evenly between the entries that tie; NaN ties with NaN."""
    ties = (input == out) | ((input != input) & (out != out))
    return where_(ties, g / int(ties.sum()), 0)


@operation(
    number=1,
    input=lambda g, input, out: split_among_ties(g, input, out),
)
def _max(input: Array) -> Array:
    return np.maximum.reduce(input, axis=None)


@operation(
    number=1,
    input=lambda g, input, out: split_among_ties(g, input, out),
)
def _min(input: Array) -> Array:
    return np.minimum.reduce(input, axis=None)


@operation(
    name="max",
    input=lambda g, indices, input_shape: _embed(g, indices, input_shape),
)
def _max_dim(input: Array, indices: Index) -> Array:
    return input[indices]


@operation(
    name="min",
    input=lambda g, indices, input_shape: _embed(g, indices, input_shape),
)
def _min_dim(input: Array, indices: Index) -> Array:
    return input[indices]


def check_not_empty(function: str, array: Array, dim: Any) -> None:
    """Raise what PyTorch raises for the largest of no entries."""
    if array.size:
        return
    text = "{}(): Expected reduction dim to be specified for input.numel() == 0."
    kind = IndexError if function.startswith("arg") else RuntimeError
    ensure(dim not in (None, (), []), text, function, error=kind)
    for d in dims_of(dim, array.ndim):
        text = "{}(): Expected reduction dim {} to have non-zero size."
        ensure(array.shape[d], text, function, d, error=IndexError)


def arg_array(function: str, input: Any, dim: Any, keepdim: bool) -> Array:
    """What NumPy's ``argmax`` or ``argmin`` finds, as an array."""
    array = as_array(input._array)
    axis = None
    if dim is not None:
        axis = wrapped_dim(dim, array.ndim)
    if not array.ndim:
        axis = None
    find = getattr(longs, function)
    return as_array(find(array, axis=axis, keepdims=keepdim))


def max_or_min(
    input: Any, other: Any, dim: Any, keepdim: bool, pair: Any, whole: Any, along: Any
) -> Any:
    """``max`` or ``min``: of two tensors, of a whole tensor, or along a dimension.

    ``pair``, ``whole`` and ``along`` are the operations for the three; the argument ``other`` is
    a tensor or a dimension.
    """
    if isinstance(other, TensorBase):
        return pair(input, other)
    if dim is None:
        dim = other
    function = along.kind.op
    check_not_empty(function, input._array, dim)
    if dim is None:
        return whole(input)
    indices = arg_array(f"arg{function}", input, dim, True)
    return values_and_indices(along, input, indices, dim, keepdim)


@of_tensor
def max(input: Tensor, other: Any = None, keepdim: bool = False, *, dim: Any = None) -> Any:
    """The largest entry; or, along ``dim``, the largest ones and where they are.

    Over all entries, tied ones share the gradient evenly; along a dimension the entry at the
    returned index gets it all. Raises RuntimeError for an empty tensor. ``max(a, b)`` of two
    tensors is ``maximum(a, b)``; ``max(a, 1)`` is ``max(a, dim=1)``. Counterpart: ``torch.max``.

    >>> import minigrad as torch
    >>> torch.max(torch.tensor([1.0, 3.0, 2.0]))
    tensor(3.)
    >>> torch.max(torch.tensor([[1.0, 3.0], [5.0, 4.0]]), dim=1)
    torch.return_types.max(
    values=tensor([3., 5.]),
    indices=tensor([1, 0]))
    """
    return max_or_min(input, other, dim, keepdim, maximum, _max, _max_dim)


@of_tensor
def min(input: Tensor, other: Any = None, keepdim: bool = False, *, dim: Any = None) -> Any:
    """The smallest entry; or, along ``dim``, the smallest ones and where they are.

    As ``max`` otherwise. Counterpart: ``torch.min``.

    >>> import minigrad as torch
    >>> torch.min(torch.tensor([3.0, 1.0, 2.0]))
    tensor(1.)
    >>> torch.min(torch.tensor([[1.0, 2.0], [4.0, 3.0]]), dim=1).indices
    tensor([0, 1])
    """
    return max_or_min(input, other, dim, keepdim, minimum, _min, _min_dim)


# ------------------------------------------------------------------------- along several dimensions


def split_among_ties_along(g: Any, input: Any, out: Any, dim: Dims) -> Any:
    """The gradient along ``dim``, split evenly between the entries that tie with the result."""
    ties = input == with_keepdim(out, input.shape, dim)
    return ties * (with_keepdim(g, input.shape, dim) / ties.sum(dim, keepdims=True))


@operation(
    input=lambda g, input, out, dim: split_among_ties_along(g, input, out, dim),
)
def _amax(input: Array, dim: Dims, keepdim: Any) -> Array:
    return in_order(np.maximum.reduce(input, axis=dim, keepdims=keepdim))


@operation(
    input=lambda g, input, out, dim: split_among_ties_along(g, input, out, dim),
)
def _amin(input: Array, dim: Dims, keepdim: Any) -> Array:
    return in_order(np.minimum.reduce(input, axis=dim, keepdims=keepdim))


@of_tensor
def amax(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """The largest entries along the dimensions ``dim``; tied ones share the gradient evenly.

    Raises IndexError for a dimension of size 0. Counterpart: ``torch.amax``.

    >>> import minigrad as torch
    >>> torch.amax(torch.tensor([[1.0, 3.0], [5.0, 4.0]]), dim=(0, 1))
    tensor(5.)
    """
    check_not_empty("amax", input._array, dim)
    return _amax(input, dims_of(dim, input._array.ndim), keepdim)


@of_tensor
def amin(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """The smallest entries along the dimensions ``dim``. Counterpart: ``torch.amin``.

    >>> import minigrad as torch
    >>> torch.amin(torch.tensor([[1.0, 2.0], [4.0, 3.0]]), dim=1)
    tensor([1., 3.])
    """
    check_not_empty("amin", input._array, dim)
    return _amin(input, dims_of(dim, input._array.ndim), keepdim)


# ------------------------------------------------------------------------------------ indices alone


def arg_tensor(function: str, input: Any, dim: Any, keepdim: bool) -> Any:
    """``argmax`` or ``argmin``, by its name."""
    ensure(input._array.dtype.kind != "b", "{}(): does not support bool input", function)
    check_not_empty(function, input._array, dim)
    index = new_tensor(arg_array(function, input, dim, keepdim))
    if Watch.observer is not None:
        tell_of_cut(input, f"{function}()", index)
    return index


@of_tensor
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the largest entry (in the flattened tensor, or along ``dim``).

    Of equal ones the first. An index jumps, so it has no gradient. Raises RuntimeError for
    booleans. Counterpart: ``torch.argmax``.

    >>> import minigrad as torch
    >>> torch.argmax(torch.tensor([1.0, 3.0, 2.0]))
    tensor(1)
    """
    return arg_tensor("argmax", input, dim, keepdim)


@of_tensor
def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the smallest entry; as ``argmax`` otherwise. Counterpart: ``torch.argmin``.

    >>> import minigrad as torch
    >>> torch.argmin(torch.tensor([[1.0, 2.0], [4.0, 3.0]]), dim=1)
    tensor([0, 1])
    """
    return arg_tensor("argmin", input, dim, keepdim)
