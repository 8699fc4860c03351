"""Operations that return several tensors return them by name, as ``torch.return_types`` do."""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from typing import Any

from ..compat.arguments import in_order, wrapped_dim
from ..engine.node import new_tensor
from .annotations import Array
from .indexing import index_along


@cache
def named_result(function: str, fields: str) -> Any:
    """The class of what ``function`` returns: a named tuple that prints as PyTorch's.

    >>> named_result("max", "values indices")(3.0, 1)
    torch.return_types.max(
    values=3.0,
    indices=1)
    """

    def __repr__(self: Any) -> str:
        parts = ",\n".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"torch.return_types.{function}(\n{parts})"

    made = namedtuple(function, fields)  # type: ignore[misc]  # the fields vary
    details = {"__slots__": (), "__repr__": __repr__, "__module__": "torch.return_types"}
    return type(function, (made,), details)


def values_and_indices(
    operation_: Any, input: Any, indices: Array, dim: int, keepdim: bool = True
) -> Any:
    """The entries at these indices along ``dim``, which an operation takes out, and the indices."""
    dim = wrapped_dim(dim, indices.ndim)
    values = operation_(input, index_along(in_order(indices), dim, keepdim))
    indices = in_order(indices.reshape(values._array.shape))
    result = named_result(operation_.kind.op, "values indices")
    return result(values, new_tensor(indices))
