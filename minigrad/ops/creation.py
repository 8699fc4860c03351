"""Making tensors out of numbers, sequences, NumPy arrays and shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..errors import integer_error, warn_copied_history
from ..graph import LEAF, TensorBase, new_tensor
from .shaping import sizes


def leaf(array: Any, requires_grad: bool, dtype: Any = None, device: Any = None) -> Any:
    """A new tensor around an array, which asks for a gradient if told to."""
    if device is not None:
        dtypes.device(device)
    made = new_tensor(array[()] if array.ndim == 0 else array)  # 0-d: see views.own_array
    if requires_grad:
        if array.dtype.kind != "f":
            raise integer_error(dtypes.of(array))
        made._node = LEAF
    return made


def array_of(data: Any) -> Any:
    """Data as a fresh array, in the dtype that PyTorch would give it."""
    if isinstance(data, TensorBase):
        return np.array(data._array)
    if isinstance(data, (np.ndarray, np.generic)):
        array = np.array(data)
        dtypes.of(array)
        return array.astype(array.dtype.newbyteorder("="), copy=False)
    histories = 0

    def plain(item: Any) -> Any:
        nonlocal histories
        if isinstance(item, TensorBase):
            if item._node is not None:
                histories += 1
            if item._array.size != 1:
                raise ValueError("only one element tensors can be converted to Python scalars")
            return item._array.item()
        if isinstance(item, (list, tuple)):
            return [plain(part) for part in item]
        return item

    plain_data = plain(data)
    if histories:
        warn_copied_history(histories)
    try:
        array = np.array(plain_data)
    except ValueError:
        raise ValueError(
            "expected sequences of equal length at every dimension, but the data is ragged"
        ) from None
    except OverflowError:
        raise RuntimeError("Overflow when unpacking long long") from None
    if array.dtype.kind == "f" and not holds_numpy_floats(data):
        array = array.astype(dtypes.get_default_dtype().numpy)
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(dtypes.get_default_dtype().numpy)
    if array.dtype.kind not in "fiub":
        kind = type(first_of(plain_data)).__name__
        if kind == "str":
            raise TypeError("new(): invalid data type 'str'")
        raise RuntimeError(f"Could not infer dtype of {kind}")
    dtypes.of(array)
    return array


def holds_numpy_floats(data: Any) -> bool:
    return isinstance(first_of(data), np.floating)


def first_of(data: Any) -> Any:
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return data


def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """A new tensor that copies ``data``: a number, a nested sequence, an array or a tensor.

    Python floats become the default dtype, integers int64, booleans bool, unless ``dtype``
    says otherwise; NumPy arrays keep theirs. With ``requires_grad`` the tensor is a leaf that
    collects a gradient. Counterpart: ``torch.tensor``.

    Raises ValueError for ragged data, RuntimeError (MG108) if a gradient is asked for integers;
    warns (MG111) if the data contains tensors with a history, which a copy leaves behind.

    >>> import minigrad as torch
    >>> torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    tensor([[1., 2.],
            [3., 4.]])
    >>> torch.tensor(2, dtype=torch.float32, requires_grad=True)
    tensor(2., requires_grad=True)
    """
    array = array_of(data)
    if dtype is not None:
        array = array.astype(dtype.numpy, copy=False)
    return leaf(array, requires_grad, device=device)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    """``data`` as a tensor, sharing memory where it can. Counterpart: ``torch.as_tensor``."""
    if device is not None:
        dtypes.device(device)
    if isinstance(data, TensorBase):
        made: Any = data
        return made if dtype is None else made.to(dtype)
    if isinstance(data, np.ndarray) and (dtype is None or data.dtype == dtype.numpy):
        return from_numpy(data)
    return tensor(data, dtype=dtype)


def from_numpy(ndarray: Any) -> Any:
    """A tensor that shares the array's memory. Counterpart: ``torch.from_numpy``.

    Raises TypeError for something else than an array, or a dtype that tensors do not have.
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    dtypes.of(ndarray)
    return new_tensor(ndarray)


def filled(
    shape: tuple[Any, ...], value: Any, dtype: Any, requires_grad: bool, device: Any = None
) -> Any:
    wanted = dtypes.get_default_dtype() if dtype is None else dtype
    wanted_sizes = sizes(shape)
    if any(size < 0 for size in wanted_sizes):
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {min(wanted_sizes)}: "
            f"{list(wanted_sizes)}"
        )
    return leaf(np.full(wanted_sizes, value, wanted.numpy), requires_grad, device=device)


def zeros(
    *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """Zeros of the given sizes, in the default dtype unless said. Counterpart: ``torch.zeros``.

    >>> import minigrad as torch
    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    return filled(size, 0, dtype, requires_grad, device)


def ones(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Ones of the given sizes. Counterpart: ``torch.ones``."""
    return filled(size, 1, dtype, requires_grad, device)


def empty(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """A tensor whose values do not matter yet (here: zeros). Counterpart: ``torch.empty``."""
    return filled(size, 0, dtype, requires_grad, device)


def full(
    size: Sequence[int],
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """The same number everywhere; its type decides the dtype. Counterpart: ``torch.full``.

    >>> import minigrad as torch
    >>> torch.full((2,), 7)
    tensor([7, 7])
    """
    if dtype is None:
        dtype = dtypes.result_dtype((fill_value,))
    return filled((tuple(size),), fill_value, dtype, requires_grad, device)


def zeros_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Zeros of the shape and dtype of ``input``. Counterpart: ``torch.zeros_like``."""
    return filled((input._array.shape,), 0, dtype or dtypes.of(input._array), requires_grad)


def ones_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Ones of the shape and dtype of ``input``. Counterpart: ``torch.ones_like``."""
    return filled((input._array.shape,), 1, dtype or dtypes.of(input._array), requires_grad)


def full_like(
    input: Any, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False
) -> Any:
    """One number, in the shape and dtype of ``input``. Counterpart: ``torch.full_like``."""
    dtype = dtype or dtypes.of(input._array)
    return filled((input._array.shape,), fill_value, dtype, requires_grad)


def arange(
    start: Any,
    end: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """The numbers from ``start`` (0 if only one is given) up to, not including, ``end``.

    Integers if all are, else the default dtype. Counterpart: ``torch.arange``.

    >>> import minigrad as torch
    >>> torch.arange(4), torch.arange(0, 1, 0.5)
    (tensor([0, 1, 2, 3]), tensor([0.0000, 0.5000]))
    """
    if end is None:
        start, end = 0, start
    if dtype is None:
        whole = all(isinstance(v, (int, np.integer)) for v in (start, end, step))
        dtype = dtypes.int64 if whole else dtypes.get_default_dtype()
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    array = np.arange(start, end, step).astype(dtype.numpy, copy=False)
    return leaf(array, requires_grad, device=device)


def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """``steps`` numbers, evenly spaced, both ends included. Counterpart: ``torch.linspace``.

    >>> import minigrad as torch
    >>> torch.linspace(0, 1, 3)
    tensor([0.0000, 0.5000, 1.0000])
    """
    wanted = dtype or dtypes.get_default_dtype()
    return leaf(np.linspace(start, end, steps, dtype=wanted.numpy), requires_grad, device=device)


def eye(
    n: int,
    m: int | None = None,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """Ones on the diagonal, zeros elsewhere. Counterpart: ``torch.eye``."""
    wanted = dtype or dtypes.get_default_dtype()
    return leaf(np.eye(n, m, dtype=wanted.numpy), requires_grad, device=device)
