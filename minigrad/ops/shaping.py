"""Operations that move values about without changing them: shapes, order, joining.

Most are views: the result shows the memory of its input. The derivative of moving values is
moving them back.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .. import dtypes
from ..general import record
from ..grad_mode import mode
from ..graph import Kind, Node, TensorBase, edge_to, new_tensor
from ..operands import converted
from ..primitive import operation
from ..views import settle
from .arguments import sizes, tensor_array, wrapped_dim, wrong_type


def inferred(shape: tuple[int, ...], count: int) -> tuple[int, ...]:
    """The shape with its one -1 worked out. Raises RuntimeError if it cannot hold ``count``."""
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    if any(size < -1 for size in shape):
        raise RuntimeError(f"invalid shape dimension {min(shape)}")
    known = prod(size for size in shape if size != -1)
    if -1 in shape and known and count % known == 0:
        return tuple(count // known if size == -1 else size for size in shape)
    if -1 in shape or known != count:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
    return shape


# -------------------------------------------------------------------------------------- views


@operation(view=True, input=lambda g, input_shape: g.reshape(input_shape))
def _view(input, shape):
    return input.reshape(shape)


@operation(name="unsafe_view", input=lambda g, input_shape: g.reshape(input_shape))
def _copied_view(input, shape):
    return input.reshape(shape).copy()


def reshape(input: Any, *shape: Any) -> Any:
    """The same values in the same order, in another shape; one size may be -1.

    Shares memory where it can (see ``Tensor.view``), else copies. Raises RuntimeError if the
    numbers of elements differ. Counterpart: ``torch.reshape``.

    >>> import minigrad as torch
    >>> torch.reshape(torch.arange(6), (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    array = tensor_array("reshape", input)
    wanted = inferred(sizes(shape), array.size)
    if shares_when_reshaped(array, wanted):
        return _view(input, wanted)
    return _copied_view(input, wanted)


def view(input: Any, *shape: Any) -> Any:
    """As ``reshape``, but never copies: raises RuntimeError where that is not possible.

    Counterpart: ``torch.Tensor.view``.
    """
    array = tensor_array("view", input)
    wanted = inferred(sizes(shape), array.size)
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
    first, last = wrapped_dim(start_dim, len(shape)), wrapped_dim(end_dim, len(shape))
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    return reshape(input, (*shape[:first], prod(shape[first : last + 1]), *shape[last + 1 :]))


@operation(view=True, input=lambda g, dim0, dim1: _transpose(g, dim0, dim1))
def _transpose(input, dim0, dim1):
    return input.swapaxes(dim0, dim1)


def transpose(input: Any, dim0: int, dim1: int) -> Any:
    """Two dimensions exchanged, as a view. Counterpart: ``torch.transpose``.

    >>> import minigrad as torch
    >>> torch.transpose(torch.tensor([[1, 2], [3, 4]]), 0, 1)
    tensor([[1, 3],
            [2, 4]])
    """
    ndim = tensor_array("transpose", input).ndim
    first, second = wrapped_dim(dim0, ndim), wrapped_dim(dim1, ndim)
    return _transpose(input, first, second) if ndim else input


@operation(view=True, input=lambda g, dims: _permute(g, inverse(dims)))
def _permute(input, dims):
    return input.transpose(dims)


def inverse(dims: tuple[int, ...]) -> tuple[int, ...]:
    """The permutation that undoes ``dims``."""
    return tuple(sorted(range(len(dims)), key=dims.__getitem__))


def permute(input: Any, *dims: Any) -> Any:
    """The dimensions in another order, as a view. Counterpart: ``torch.permute``."""
    ndim = tensor_array("permute", input).ndim
    wanted = tuple(wrapped_dim(d, ndim) for d in sizes(dims))
    if sorted(wanted) != list(range(ndim)):
        raise RuntimeError(f"permute(): {wanted} does not name each of the dimensions once")
    return _permute(input, wanted)


@operation(view=True, input=lambda g, input_shape: g.reshape(input_shape))
def _squeeze(input):
    return input.squeeze()


@operation(
    name="squeeze", number=1, view=True, input=lambda g, input_shape: g.reshape(input_shape)
)
def _squeeze_dims(input, dims):
    return input.squeeze(dims)


def squeeze(input: Any, dim: Any = None) -> Any:
    """Without its dimensions of size 1, or without those named. Counterpart: ``torch.squeeze``."""
    shape = tensor_array("squeeze", input).shape
    if dim is None:
        return _squeeze(input)
    dims = [wrapped_dim(d, len(shape)) for d in (dim if isinstance(dim, tuple) else (dim,))]
    return _squeeze_dims(input, tuple(d for d in dims if shape and shape[d] == 1))


@operation(view=True, input=lambda g, input_shape: g.reshape(input_shape))
def _unsqueeze(input, dim):
    return np.expand_dims(input, dim)


def unsqueeze(input: Any, dim: int) -> Any:
    """With a dimension of size 1 inserted at ``dim``. Counterpart: ``torch.unsqueeze``.

    >>> import minigrad as torch
    >>> torch.unsqueeze(torch.tensor([1, 2]), 1).shape
    torch.Size([2, 1])
    """
    return _unsqueeze(input, wrapped_dim(dim, tensor_array("unsqueeze", input).ndim + 1))


@operation(view=True, input=lambda g: g)
def _expand(input, shape):
    # Stride 0 along the repeated dimensions: no memory. np.broadcast_to does the same, slower.
    if input.ndim == 0:
        return np.ndarray(shape, input.dtype, np.asarray(input), strides=(0,) * len(shape))
    return np.broadcast_to(input, shape)


def expand(input: Any, *shape: Any) -> Any:
    """Repeated along dimensions of size 1 and new leading ones, without using memory.

    -1 leaves a size as it is. The gradient is summed over the repetitions. Raises RuntimeError
    if a size other than 1 would have to change. Counterpart: ``torch.Tensor.expand``.

    >>> import minigrad as torch
    >>> torch.tensor([[1], [2]]).expand(2, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """
    have, wanted = tensor_array("expand", input).shape, sizes(shape)
    lead = len(wanted) - len(have)
    if lead < 0:
        raise RuntimeError(
            f"expand: the number of sizes provided ({len(wanted)}) must be greater or equal to "
            f"the number of dimensions in the tensor ({len(have)})"
        )
    full = list(wanted)
    for position, size in enumerate(have, start=lead):
        if full[position] == -1:
            full[position] = size
        elif size not in (1, full[position]):
            raise RuntimeError(
                f"The expanded size of the tensor ({full[position]}) must match the existing "
                f"size ({size}) at non-singleton dimension {position}. Target sizes: "
                f"{list(wanted)}. Tensor sizes: {list(have)}"
            )
    return _expand(input, tuple(full))


# ------------------------------------------------------------------------------------ joining


CAT, STACK = (
    Kind(name, op, ("tensors", "dim"), rule_text="the part of g that belongs to it")
    for name, op in (("CatBackward0", "cat"), ("StackBackward0", "stack"))
)


class Joined(Node):
    """Several tensors became one; each gets its own part of the gradient back."""

    __slots__ = ()

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> Any:
        assert self.saved is not None
        dim, parts = self.saved
        before = (slice(None),) * dim
        return [
            None if edge is None else g[(*before, part)]
            for edge, part in zip(edges, parts, strict=True)
        ]


def joined(
    kind: Kind, tensors: tuple[Any, ...], array: Any, dim: int, parts: list[Any]
) -> Any:
    """The result of joining, with its node if one of the tensors wants a gradient."""
    node = None
    if mode.recording and any(tensor._node is not None for tensor in tensors):
        edges = tuple(edge_to(tensor) for tensor in tensors)
        node = record(kind, tensors, edges, (dim, parts), array, Joined)
    return new_tensor(array, node)


def alike(function: str, tensors: Any) -> tuple[Any, ...]:
    """The tensors of a sequence, up to date and in one dtype."""
    if not isinstance(tensors, (list, tuple)):
        raise wrong_type(function, "tensors", 1, "tuple of Tensors", tensors)
    for position, tensor in enumerate(tensors):
        if not isinstance(tensor, TensorBase):
            raise TypeError(
                f"expected Tensor as element {position} in argument 0, "
                f"but got {type(tensor).__name__}"
            )
        settle(tensor)
    wanted = dtypes.result_dtype(tuple(tensor._array for tensor in tensors)).numpy
    return tuple(converted(tensor, wanted) for tensor in tensors)


def cat(tensors: Any, dim: int = 0) -> Any:
    """The tensors one after the other along an existing dimension.

    Their other sizes must agree, else RuntimeError; but vectors of nothing may stand beside
    anything. Raises ValueError for an empty list. Counterpart: ``torch.cat``.

    >>> import minigrad as torch
    >>> torch.cat([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """
    if isinstance(tensors, (list, tuple)) and not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    tensors = alike("cat", tensors)
    tensors = tuple(t for t in tensors if t._array.shape != (0,)) or tensors
    shapes = [tensor._array.shape for tensor in tensors]
    if () in shapes:
        raise RuntimeError(
            f"zero-dimensional tensor (at position {shapes.index(())}) cannot be concatenated"
        )
    dim = wrapped_dim(dim, len(shapes[0]))
    try:
        array = np.concatenate([tensor._array for tensor in tensors], axis=dim)
    except ValueError:
        raise unlike(shapes, dim) from None
    ends = np.cumsum([shape[dim] for shape in shapes]).tolist()
    starts = [0, *ends[:-1]]
    return joined(CAT, tensors, array, dim, list(map(slice, starts, ends)))


def unlike(shapes: list[tuple[int, ...]], dim: int) -> RuntimeError:
    """What PyTorch says of shapes that cannot stand one after the other."""
    first = shapes[0]
    position, shape = next(
        (position, shape)
        for position, shape in enumerate(shapes)
        if len(shape) != len(first)
        or (*shape[:dim], *shape[dim + 1 :]) != (*first[:dim], *first[dim + 1 :])
    )
    if len(shape) != len(first):
        return RuntimeError(
            f"Tensors must have same number of dimensions: got {len(first)} and {len(shape)}"
        )
    return RuntimeError(
        f"Sizes of tensors must match except in dimension {dim}, but the shapes are "
        f"{list(first)} and, of tensor number {position} in the list, {list(shape)}"
    )


def stack(tensors: Any, dim: int = 0) -> Any:
    """The tensors, all of one shape, side by side along a new dimension.

    Raises RuntimeError if the shapes differ. Counterpart: ``torch.stack``.

    >>> import minigrad as torch
    >>> torch.stack([torch.tensor(1.0), torch.tensor(2.0)])
    tensor([1., 2.])
    """
    if isinstance(tensors, (list, tuple)) and not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    tensors = alike("stack", tensors)
    shapes = [tensor._array.shape for tensor in tensors]
    for position, shape in enumerate(shapes):
        if shape != shapes[0]:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(shapes[0])} at "
                f"entry 0 and {list(shape)} at entry {position}"
            )
    dim = wrapped_dim(dim, len(shapes[0]) + 1)
    array = np.stack([tensor._array for tensor in tensors], axis=dim)
    return joined(STACK, tensors, array, dim, list(range(len(tensors))))
