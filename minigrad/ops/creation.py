"""Making tensors out of numbers, sequences, NumPy arrays and shapes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes
from ..errors import integer_error, warn_copied_history
from ..graph import LEAF, TensorBase, new_tensor
from ..primitive import NUMBERS
from .arguments import number_of, sizes, tensor_array, wrong_type


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


def array_of(data: Any, dtype: Any = None) -> Any:
    """Data as a fresh array, in this dtype or the one that PyTorch would give it."""
    if isinstance(data, (TensorBase, np.ndarray, np.generic)):
        array = np.array(data._array if isinstance(data, TensorBase) else data)
        own = dtypes.of(array)
        return array.astype((dtype or own).numpy, copy=False)
    items: list[Any] = []
    numbers = plain(data, items)
    if not NUMBERS.issuperset(map(type, items)):
        histories = sum(isinstance(i, TensorBase) and i._node is not None for i in items)
        if histories:
            warn_copied_history(histories)
        check_entries(items, data)
    try:
        array = np.array(numbers)
    except ValueError:
        raise ValueError(
            "expected sequences of equal length at every dimension, but the data is ragged"
        ) from None
    if array.dtype.kind == "O" or array.dtype == np.uint64:
        raise ValueError("Overflow when unpacking long long")
    if dtype is not None:
        return array.astype(dtype.numpy)
    if array.dtype.kind == "f" and not (items and isinstance(items[0], (np.floating, np.ndarray))):
        array = array.astype(dtypes.get_default_dtype().numpy)
    dtypes.of(array)
    return array


def plain(data: Any, items: list[Any]) -> Any:
    """Nested sequences as lists, and tensors of one entry as numbers; ``items`` gets them all."""
    if isinstance(data, (list, tuple, range)):
        return [plain(part, items) for part in data]
    items.append(data)
    if not isinstance(data, TensorBase):
        return data
    if data._array.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return data._array.item()


def check_entries(items: list[Any], data: Any) -> None:
    """Raise what PyTorch raises for an entry that no tensor can hold."""
    for item in items:
        kind = type(item).__name__
        if isinstance(item, (str, bytes)):
            if item is items[0] and item is not data:
                raise ValueError(f"too many dimensions '{kind}'")
            raise TypeError(f"new(): invalid data type '{kind}'")
        if not isinstance(item, (*NUMBERS, np.generic, np.ndarray, TensorBase)):
            raise RuntimeError(f"Could not infer dtype of {kind}")


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
    if isinstance(data, TensorBase):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use "
            "sourceTensor.detach().clone(), rather than tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
    return leaf(array_of(data, dtypes.asked("tensor", dtype)), requires_grad, device=device)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    """``data`` as a tensor, sharing memory where it can. Counterpart: ``torch.as_tensor``."""
    if device is not None:
        dtypes.device(device)
    wanted = dtypes.asked("as_tensor", dtype)
    if isinstance(data, TensorBase):
        made: Any = data
        return made if wanted is None else made.to(wanted)
    if isinstance(data, np.ndarray) and (wanted is None or data.dtype == wanted.numpy):
        return from_numpy(data)
    return tensor(data, dtype=wanted)


def from_numpy(ndarray: Any) -> Any:
    """A tensor that shares the array's memory. Counterpart: ``torch.from_numpy``.

    Raises TypeError for something else than an array, or a dtype that tensors do not have.
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    dtypes.of(ndarray)
    return new_tensor(ndarray)


def filled(
    function: str,
    shape: tuple[Any, ...],
    value: Any,
    dtype: Any,
    requires_grad: bool,
    device: Any = None,
) -> Any:
    wanted = dtypes.asked(function, dtype, dtypes.get_default_dtype()).numpy
    wanted_sizes = sizes(shape)
    if any(size < 0 for size in wanted_sizes):
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {min(wanted_sizes)}: "
            f"{list(wanted_sizes)}"
        )
    return leaf(np.full(wanted_sizes, value, wanted), requires_grad, device=device)


def alike(function: str, input: Any, value: Any, dtype: Any, requires_grad: bool) -> Any:
    """One number, in the shape of ``input`` and, unless said, in its dtype."""
    array = tensor_array(function, input)
    wanted = dtypes.of(array) if dtype is None else dtype
    return filled(function, (array.shape,), value, wanted, requires_grad)


def zeros(
    *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Any:
    """Zeros of the given sizes, in the default dtype unless said. Counterpart: ``torch.zeros``.

    >>> import minigrad as torch
    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    return filled("zeros", size, 0, dtype, requires_grad, device)


def ones(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """Ones of the given sizes. Counterpart: ``torch.ones``."""
    return filled("ones", size, 1, dtype, requires_grad, device)


def empty(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
    """A tensor whose values do not matter yet (here: zeros). Counterpart: ``torch.empty``."""
    return filled("empty", size, 0, dtype, requires_grad, device)


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
    if not isinstance(size, (list, tuple)):
        raise wrong_type("full", "size", 1, "tuple of ints", size)
    value = number_of("full", fill_value, "fill_value", 2)
    if dtype is None:
        dtype = dtypes.result_dtype((value,))
    return filled("full", (tuple(size),), value, dtype, requires_grad, device)


def zeros_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Zeros of the shape and dtype of ``input``. Counterpart: ``torch.zeros_like``."""
    return alike("zeros_like", input, 0, dtype, requires_grad)


def ones_like(input: Any, *, dtype: Any = None, requires_grad: bool = False) -> Any:
    """Ones of the shape and dtype of ``input``. Counterpart: ``torch.ones_like``."""
    return alike("ones_like", input, 1, dtype, requires_grad)


def full_like(
    input: Any, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False
) -> Any:
    """One number, in the shape and dtype of ``input``. Counterpart: ``torch.full_like``."""
    value = number_of("full_like", fill_value, "fill_value", 2)
    return alike("full_like", input, value, dtype, requires_grad)


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
    start = number_of("arange", start, "start", 1)
    end = number_of("arange", end, "end", 2)
    step = number_of("arange", step, "step", 3)
    wanted = dtypes.asked("arange", dtype)
    if wanted is None:
        whole = all(isinstance(v, (int, np.integer)) for v in (start, end, step))
        wanted = dtypes.int64 if whole else dtypes.get_default_dtype()
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    array = np.arange(start, end, step).astype(wanted.numpy, copy=False)
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
    if not isinstance(steps, (int, np.integer)):
        raise wrong_type("linspace", "steps", 3, "int", steps)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    wanted = dtypes.asked("linspace", dtype, dtypes.get_default_dtype())
    working = wanted.numpy.type if wanted.is_floating_point else np.float64
    first = working(number_of("linspace", start, "start", 1))
    last = working(number_of("linspace", end, "end", 2)) if steps != 1 else first
    # PyTorch rounds the step, counts the second half back from the end, and fuses the
    # multiplication with the addition: as if the sum were computed without rounding.
    step = np.longdouble((last - first) / working(steps - 1 or 1))
    places = np.arange(steps)
    array = np.where(
        places < steps // 2, first + step * places, last - step * (steps - 1 - places)
    )
    return leaf(array.astype(wanted.numpy), requires_grad, device=device)


def eye(
    n: int,
    m: int | None = None,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """Ones on the diagonal, zeros elsewhere. Counterpart: ``torch.eye``."""
    wanted = dtypes.asked("eye", dtype, dtypes.get_default_dtype())
    for name, size in (("n", n), ("m", m)):
        if size is not None and size < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {size}")
    return leaf(np.eye(n, m, dtype=wanted.numpy), requires_grad, device=device)
