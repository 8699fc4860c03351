"""Making tensors out of numbers, sequences, NumPy arrays and shapes."""

from __future__ import annotations

import warnings
from collections import deque
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes, longs
from ..compat.arguments import (
    check_fits,
    ensure,
    fitting,
    is_whole,
    number_of,
    order_like,
    sizes,
    tensor_array,
    titled,
    wrong_type,
)
from ..compat.devices import on_cpu
from ..engine.node import LEAF, TensorBase, new_tensor
from ..engine.operands import to_dtype
from ..engine.record import NUMBERS
from ..errors import integer_error, warn_copied_history
from .annotations import Array

if TYPE_CHECKING:
    from .._tensor import Tensor


def leaf(array: Array, requires_grad: bool, device: Any = None) -> Any:
    """A new tensor around an array: with ``requires_grad`` a leaf that collects a gradient."""
    on_cpu(device)
    made = new_tensor(array[()] if array.ndim == 0 else array)  # 0-d: see views.own_array
    if requires_grad:
        text = "tensor(): argument 'requires_grad' must be bool, not {}"
        given = type(requires_grad)
        ensure(given in (bool, np.bool_), text, given.__name__, error=TypeError)
        if array.dtype.kind != "f":
            raise integer_error(dtypes.of(array))
        made._node = LEAF
    return made


def array_of(data: Any, dtype: Any = None) -> Any:
    """Data as a new array, in this dtype or in the one that PyTorch would give it."""
    if isinstance(data, TensorBase):
        data = data._array
    if isinstance(data, (np.ndarray, np.generic)):
        array = np.array(data)
        own = dtypes.of(array)
        return array.astype((dtype or own).numpy, copy=False)
    items: list[Any] = []
    numbers = as_numbers(data, items)
    others = not NUMBERS.issuperset(map(type, items))
    if others:
        if histories := sum(isinstance(i, TensorBase) and i._node is not None for i in items):
            warn_copied_history(histories)
        check_entries(items, data)
    try:
        array = longs.array(numbers)
    except ValueError:
        lists = as_lists(numbers)
        check_nested(lists, shape_of_firsts(lists))
        raise ValueError(RAGGED.partition("\n")[0].format(1, 0, 0)) from None
    small = array.dtype.kind != "O" and array.dtype != np.uint64
    ensure(small, "Overflow when unpacking long long", error=ValueError)
    if dtype is not None:
        check_fits(array, dtype)
        return array.astype(dtype.numpy)
    if others:  # each of them counts with its own dtype
        arrays = [item._array if isinstance(item, TensorBase) else item for item in items]
        dtype = reduce(dtypes.promote_types, [dtypes.result_dtype((item,)) for item in arrays])
        return array.astype(dtype.numpy, copy=False)
    if array.dtype.kind == "f":
        return array.astype(dtypes.get_default_dtype().numpy)
    return array


def as_numbers(data: Any, items: list[Any]) -> Any:
    """Nested sequences as lists, with numbers for tensors of one entry.

    All entries, as they were, are appended to ``items``.
    """
    if isinstance(data, (list, tuple, range, deque)):
        return [as_numbers(part, items) for part in data]
    items.append(data)
    if not isinstance(data, TensorBase):
        return data
    text = "only one element tensors can be converted to Python scalars"
    ensure(data._array.size == 1, text, error=ValueError)
    return data._array.item()


def as_lists(part: Any) -> Any:
    """Nested sequences, with lists for the arrays among them."""
    if isinstance(part, np.ndarray):
        return part.tolist()
    if isinstance(part, list):
        return [as_lists(inner) for inner in part]
    return part


def shape_of_firsts(part: Any) -> list[int]:
    """The sizes that nested lists have, as far as their first entries tell."""
    shape = []
    while isinstance(part, list):
        shape.append(len(part))
        part = part[0] if part else None
    return shape


def check_nested(part: Any, shape: list[int], dim: int = 0) -> None:
    """Raise what PyTorch raises for nested lists that do not have the shape of their firsts."""
    if dim == len(shape):
        ensure(not isinstance(part, list), NO_NUMBER, error=TypeError)
        return
    ensure(isinstance(part, list), NO_LIST, error=TypeError)
    ensure(len(part) == shape[dim], RAGGED, shape[dim], dim, len(part), error=ValueError)
    for inner in part:
        check_nested(inner, shape, dim + 1)


MIXED = "\n  Some entries are numbers, and others are lists of them."
NO_LIST = f"not a sequence{MIXED}"
NO_NUMBER = f"'list' object cannot be interpreted as an integer{MIXED}"
RAGGED = (
    "expected sequence of length {} at dim {} (got {})\n"
    "  A tensor's rows are of one length: these are ragged.\n"
    "  fix: fill up the shorter ones (minigrad.nn.utils.rnn.pad_sequence), or keep a list."
)


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
) -> Tensor:
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
        text = "To copy construct from a tensor, it is recommended to use "
        text += "sourceTensor.detach().clone(), rather than tensor(sourceTensor)."
        warnings.warn(text, UserWarning, stacklevel=2)
    return leaf(array_of(data, dtypes.asked("tensor", dtype)), requires_grad, device=device)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Any:
    """``data`` as a tensor, sharing memory where it can. Counterpart: ``torch.as_tensor``.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.as_tensor(x) is x, torch.as_tensor([3, 4])
    (True, tensor([3, 4]))
    """
    on_cpu(device)
    wanted = dtypes.asked("as_tensor", dtype)
    if isinstance(data, TensorBase):
        return data if wanted is None else to_dtype(data, wanted.numpy)
    if isinstance(data, np.ndarray) and (wanted is None or data.dtype == wanted.numpy):
        return from_numpy(data)
    return tensor(data, dtype=wanted)


def from_numpy(ndarray: Any) -> Tensor:
    """A tensor that shares the array's memory. Counterpart: ``torch.from_numpy``.

    Raises TypeError for something else than an array, or a dtype that tensors do not have.

    >>> import minigrad as torch
    >>> import numpy as np
    >>> array = np.zeros(2)
    >>> x = torch.from_numpy(array)
    >>> array[0] = 7
    >>> x
    tensor([7., 0.], dtype=torch.float64)
    """
    text = "expected np.ndarray (got {})"
    name = type(ndarray).__name__
    ensure(isinstance(ndarray, np.ndarray), text, name, error=TypeError)
    dtypes.of(ndarray)
    # Its memory, in an array of our own: the user's may get another shape, or be a matrix.
    return new_tensor(ndarray.view(np.ndarray))


# ------------------------------------------------------------------------------ of given sizes


def zeros_of(function: str, given: tuple[Any, ...], size: Any, dtype: Any) -> Any:
    """An array of zeros. Its sizes are ``given`` (one by one, or as a sequence) or ``size``."""
    wanted = dtypes.asked(function, dtype, dtypes.get_default_dtype()).numpy
    if not given and size is None:
        raise TypeError(f'{function}() missing 1 required positional arguments: "size"')
    shape = sizes(given if size is None else (size,), function)
    least = min(shape, default=0)
    text = "Trying to create tensor with negative dimension {}: {}"
    ensure(least >= 0, text, least, list(shape))
    return np.zeros(shape, wanted)


def of_sizes(fill: Any) -> Any:
    """The public function that makes a tensor of given sizes, whose array ``fill`` fills."""

    def function(
        *dims: Any,
        size: Any = None,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        **options: Any,
    ) -> Any:
        array = fill(zeros_of(fill.__name__, dims, size, dtype), **options)
        return leaf(array, requires_grad, device=device)

    function.__name__ = fill.__name__
    function.__doc__ = fill.__doc__
    function.fill = fill  # type: ignore[attr-defined]
    return function


def shaped_like(fill: Any, name: str, given: Any = None) -> Any:
    """The public function that makes a tensor of the shape and memory layout of another.

    ``given``: what an example has to give beside that other one.
    """

    def function(
        input: Any,
        *values: Any,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        **options: Any,
    ) -> Any:
        array = tensor_array(name, input)
        wanted = dtypes.asked(name, dtype, dtypes.of(array)).numpy
        filled = fill(np.zeros_like(array, wanted, order_like(array)), *values, **options)
        return leaf(filled, requires_grad, device=device)

    words = f"As ``{name.removesuffix('_like')}``, in the shape and dtype (unless said) of another."
    like = "torch.zeros(2, 3)" if given is None else f"torch.zeros(2, 3), {given}"
    return titled(function, name, words, f"torch.{name}({like}).shape", "torch.Size([2, 3])")


def of_own_dtype(make: Any) -> Any:
    """The method that makes a new tensor, in the dtype of the one whose method it is."""

    def method(self: Any, *values: Any, dtype: Any = None, **options: Any) -> Any:
        return make(*values, dtype=dtype or self.dtype, **options)

    words = f"As ``minigrad.{make.__name__}``, in this tensor's dtype."
    return titled(method, f"Tensor.new_{make.__name__}", words)


@of_sizes
def zeros(like: Any) -> Tensor:
    """Zeros of the given sizes, in the default dtype unless said. Counterpart: ``torch.zeros``.

    >>> import minigrad as torch
    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    return like


@of_sizes
def empty(like: Any) -> Tensor:
    """A tensor whose values do not matter yet (here: zeros). Counterpart: ``torch.empty``.

    >>> import minigrad as torch
    >>> torch.empty(2, 3).shape
    torch.Size([2, 3])
    """
    return like


@of_sizes
def ones(like: Any) -> Tensor:
    """Ones of the given sizes. Counterpart: ``torch.ones``.

    >>> import minigrad as torch
    >>> torch.ones(2, 3)
    tensor([[1., 1., 1.],
            [1., 1., 1.]])
    """
    return filled(like, 1)


def filled(like: Any, fill_value: Any) -> Any:
    """An array filled with a number. Raises RuntimeError for one that its dtype cannot hold."""
    like[...] = fitting(number_of("full", fill_value, "fill_value", 2), dtypes.of(like))
    return like


def full(
    size: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """The same number everywhere; its type decides the dtype. Counterpart: ``torch.full``.

    Raises RuntimeError for a number that the dtype cannot hold.

    >>> import minigrad as torch
    >>> torch.full((2,), 7)
    tensor([7, 7])
    """
    if not isinstance(size, (list, tuple)):
        raise wrong_type("full", "size", 1, "tuple of ints", size)
    value = np.asarray(number_of("full", fill_value, "fill_value", 2)).item()
    like = zeros_of("full", (), size, dtype or dtypes.result_dtype((value,)))
    return leaf(filled(like, value), requires_grad, device=device)


zeros_like = shaped_like(zeros.fill, "zeros_like")
ones_like = shaped_like(ones.fill, "ones_like")
empty_like = shaped_like(empty.fill, "empty_like")
full_like = shaped_like(filled, "full_like", given=7)
new_zeros = of_own_dtype(zeros)
new_ones = of_own_dtype(ones)
new_empty = of_own_dtype(empty)
new_full = of_own_dtype(full)
new_tensor_of = of_own_dtype(tensor)


def eye(
    n: int,
    m: int | None = None,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Ones on the diagonal, zeros elsewhere. Counterpart: ``torch.eye``.

    >>> import minigrad as torch
    >>> torch.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    wanted = dtypes.asked("eye", dtype, dtypes.get_default_dtype())
    for name, position, given in (("n", 1, n), ("m", 2, 0 if m is None else m)):
        if not is_whole(given):
            raise wrong_type("eye", name, position, "int", given)
    ensure(n >= 0, "n must be greater or equal to 0, got {}", n)
    ensure(m is None or m >= 0, "m must be greater or equal to 0, got {}", m)
    return leaf(np.eye(n, m, dtype=wanted.numpy), requires_grad, device=device)
