"""Tables of vectors to look up, and the vectors of 0 and 1 that stand for classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import longs
from .._tensor import Tensor
from ..compat.arguments import ensure, tensor_array
from ..engine.node import new_tensor
from ..engine.record import operation
from ..ops.annotations import Array
from ..ops.gathering import positions
from ..ops.indexing import _index_put, _scatter


@operation(
    weight=lambda g, indices, padding_idx, weight_shape: without_padding(
        _scatter(g, indices, weight_shape), padding_idx
    )
)
def _embedding(weight: Array, indices: tuple[Array], padding_idx: int | None) -> Array:
    return weight[indices]


def without_padding(g: Any, padding_idx: int | None) -> Any:
    """The gradient of a table, with zeros for the row that stands for padding."""
    if padding_idx is None:
        return g
    return _index_put(g, 0, (padding_idx,))


UNKNOWN = (
    "index out of range in self\n  {0} is not among the {2} rows, which are numbered from 0.\n"
    "  fix: an Embedding(num_embeddings, ...) with more rows than the largest index."
)


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None) -> Tensor:
    """The rows of ``weight`` with these indices: a table of vectors, looked up.

    The result has the shape of ``input`` and one dimension more. The row ``padding_idx`` gets
    no gradient. Raises IndexError for an index out of range.
    Counterpart: ``torch.nn.functional.embedding``.

    >>> import minigrad as torch
    >>> import minigrad.nn.functional as F
    >>> F.embedding(torch.tensor([1, 0]), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[3., 4.],
            [1., 2.]])
    """
    shape = tensor_array("embedding", weight, "weight").shape
    ensure(len(shape) == 2, "'weight' must be 2-D")
    is_index = tensor_array("embedding", input, "indices", 2).dtype in (np.int64, np.int32)
    text = "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
    text += "Long, Int; but got {} instead (while checking arguments for embedding)"
    ensure(is_index, text, input.type().replace("torch.BoolTensor", "CPUBoolType"))
    indices = positions("embedding", input, shape[0], 0, UNKNOWN, IndexError)
    inside = padding_idx is None or -shape[0] <= padding_idx < shape[0]
    ensure(inside, "Padding_idx must be within num_embeddings", error=AssertionError)
    return _embedding(weight, (indices,), padding_idx)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """For each class number a vector with a 1 at its place, and 0 elsewhere; integers.

    Without ``num_classes``, there are as many as the largest number needs.
    Counterpart: ``torch.nn.functional.one_hot``.

    >>> import minigrad as torch
    >>> import minigrad.nn.functional as F
    >>> F.one_hot(torch.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    classes = tensor_array("one_hot", tensor, "tensor")
    is_index = classes.dtype == np.int64
    ensure(is_index, "one_hot is only applicable to index tensor of type LongTensor.")
    known = classes.size or num_classes > 0
    ensure(known, "Can not infer total number of classes from empty tensor.")
    ensure(np.min(classes, initial=0) >= 0, "Class values must be non-negative.")
    count = num_classes
    if count == -1:
        count = int(np.max(classes, initial=0)) + 1
    ensure(np.max(classes, initial=-1) < count, "Class values must be smaller than num_classes.")
    return new_tensor((classes[..., None] == longs.arange(count)).astype(np.int64, "C"))
