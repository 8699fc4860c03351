"""PyTorch's tensors as NumPy's arrays, and as bounded summaries of their values."""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from minigrad.tape.values import CORNER, Captured, capture


class Dtype(NamedTuple):
    """A dtype that NumPy does not have, such as bfloat16."""

    name: str
    itemsize: int

    def __str__(self) -> str:
        return self.name


NO_SHAPE = Dtype("unknown shape", 0)
"""Stands where PyTorch tells neither shape nor dtype."""


def torch_if_there() -> Any:
    """PyTorch, if the program has imported it, and all of it; else None."""
    torch = sys.modules.get("torch")
    # minigrad may stand under this name (``install_as_torch``); it has no C++ core.
    return torch if hasattr(torch, "_C") and hasattr(torch, "autograd") else None


def is_tensor(value: Any) -> bool:
    """Is it a tensor of PyTorch's?"""
    torch = torch_if_there()
    return torch is not None and isinstance(value, torch.Tensor)


@functools.cache
def dtype_of(dtype: Any) -> Any:
    """NumPy's counterpart of a dtype."""
    name = str(dtype).removeprefix("torch.")
    try:
        return np.dtype(name)
    except TypeError:
        return Dtype(name, dtype.itemsize)


def array_of(tensor: Any) -> Any:
    """A tensor's numbers, often in its own memory; None where NumPy cannot have them."""
    try:
        return tensor.detach().cpu().resolve_conj().resolve_neg().numpy()
    except (RuntimeError, TypeError, NotImplementedError):  # sparse, on no device, bfloat16
        return None


def captured(tensor: Any) -> Captured:
    """A tensor's shape and dtype, and a copy of its corner, if it has one."""
    shape = tuple(tensor.shape)
    part = tensor.detach()
    array = None
    if str(tensor.layout) == "torch.strided":
        near = tensor.device.type == "cpu"
        if tensor.numel() > CORNER and not near:  # of a large one, not all is fetched
            part = part[(0,) * max(0, len(shape) - 2)]
            part = part[(slice(CORNER),) * part.dim()]
        array = array_of(part)
    if array is None:
        return Captured(None, shape, dtype_of(tensor.dtype))
    value = capture(array)
    if value.held is not None and array.shape == shape:
        value.held.find = where(value.held.find, weakref.ref(tensor))
    return value._replace(shape=shape)


def where(known: Callable[[], Any], ref: Callable[[], Any]) -> Callable[[], Any]:
    """Finds an array that is known, or that of a tensor which is still there."""

    def find() -> Any:
        array = known()
        tensor = None if array is not None else ref()
        return array if tensor is None else array_of(tensor)

    return find
