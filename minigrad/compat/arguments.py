"""What the arguments of operations may be, and what is said, in PyTorch's words, of others."""

from __future__ import annotations

import functools
from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from .. import dtypes
from ..engine.node import TensorBase
from ..engine.operands import python_number
from ..engine.record import NUMBERS
from ..errors import hint, pasteable

BOOLEAN = dtypes.bool_.numpy
"""NumPy's own object for booleans, so that ``is`` compares it."""

ALL = slice(None)
"""The index ``:``."""

OPERANDS = (TensorBase, *NUMBERS, np.ndarray, np.generic)


def wrong_type(function: str, name: str, position: int, expected: str, value: Any) -> TypeError:
    argument = f"{function}(): argument '{name}' (position {position})"
    text = f"{argument} must be {expected}, not {type(value).__name__}"
    return TypeError(text + hint(value, expected))


def tensor_array(function: str, value: Any, name: str = "input", position: int = 1) -> Any:
    """The array of an argument that must be a tensor."""
    if not isinstance(value, TensorBase):
        raise wrong_type(function, name, position, "Tensor", value)
    return value._array


def operand_of(function: str, value: Any, name: str, position: int) -> Any:
    """The array of an argument that may also be a number, or a NumPy array or scalar."""
    if isinstance(value, TensorBase):
        return value._array
    if not isinstance(value, OPERANDS):
        raise wrong_type(function, name, position, "Tensor or Number", value)
    return python_number(value)


def number_of(function: str, value: Any, name: str, position: int) -> Any:
    """An argument that must be a number, or a tensor of one."""
    if isinstance(value, TensorBase) and value._array.size == 1:
        return value._array.item()
    if not isinstance(value, (*NUMBERS, np.number, np.bool_)):
        raise wrong_type(function, name, position, "Number", value)
    return python_number(value)


def whole_number(function: str, value: Any, name: str, position: int) -> int:
    """An argument that must be an integer, or a tensor of one, and is no boolean."""
    try:
        if not isinstance(value, bool):
            return index(value)
    except TypeError:
        pass
    raise wrong_type(function, name, position, "int", value)


def operator(function: Callable[[Any, Any], Any]) -> Any:
    """A function of two operands as the method behind an operator.

    It leaves what it does not know to the other operand's class, by ``NotImplemented``.
    """

    def method(self: Any, other: Any) -> Any:
        return function(self, other) if isinstance(other, OPERANDS) else NotImplemented

    return method


def titled(function: Any, name: str, words: str, call: str = "", printed: str = "") -> Any:
    """The function under this name, with these words and its counterpart as docstring.

    ``call``, ``printed``: an example, and what it prints.
    """
    function.__name__ = function.__qualname__ = name.removeprefix("Tensor.")
    parts = [words, f"Counterpart: ``torch.{name}``."]
    if call:
        parts.append(f">>> import minigrad as torch\n    >>> {call}\n    {printed}\n    ")
    function.__doc__ = "\n\n    ".join(parts)
    return function


NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input"}


def of_tensor(function: Callable[..., Any]) -> Any:
    """A function of a tensor, which may be called in NumPy's words too, as PyTorch's may.

    ``x.sum(axis=0, keepdims=True)`` is ``x.sum(dim=0, keepdim=True)``. Raises TypeError if the
    first argument is no tensor.
    """

    @functools.wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        if named:
            named = {NUMPY_NAMES.get(name, name): value for name, value in named.items()}
        input = args[0] if args else named.get("input")
        if isinstance(input, TensorBase):
            return function(*args, **named)
        raise wrong_type(function.__name__, "input", 1, "Tensor", input)

    return called


def wrapped_dim(dim: Any, ndim: int) -> int:
    """A dimension counted from the front. Raises IndexError, as PyTorch, if there is none."""
    if dim.__class__ is int and -ndim <= dim < ndim:
        return dim % ndim
    bound = max(ndim, 1)
    name = type(dim).__name__
    if isinstance(dim, TensorBase) and dim._array.ndim == 0:  # the integer in it
        dim = dim._array.item()
    whole = isinstance(dim, (int, np.integer)) and not isinstance(dim, bool)
    ensure(whole, "dim must be int, not {}", name, error=TypeError)
    text = "Dimension out of range (expected to be in range of [{}, {}], but got {})"
    ensure(-bound <= dim < bound, text, -bound, bound - 1, dim, error=IndexError)
    return int(dim) % bound


def ensure(holds: Any, text: str, *values: Any, error: Any = RuntimeError) -> None:
    """Raise ``error``, the values filled into its text, unless the condition holds."""
    if not holds:
        raise error(pasteable(text).format(*values))


def wrapped_dims(dims: Any, ndim: int) -> tuple[int, ...]:
    """One dimension or several, counted from the front. Raises RuntimeError for one named twice."""
    dims = [wrapped_dim(d, ndim) for d in (dims if isinstance(dims, (tuple, list)) else (dims,))]
    ensure(len(set(dims)) == len(dims), "dim {} appears multiple times in the list of dims", *dims)
    return tuple(dims)


def several(function: Callable[[Any, Any], Any]) -> Any:
    """A function of a tensor and several ints, which come one by one, in a tuple, or by name.

    So ``x.permute(1, 0)``, ``x.permute((1, 0))`` and ``x.permute(dims=(1, 0))`` are the same.
    """
    name = function.__code__.co_varnames[1]

    @functools.wraps(function)
    def method(input: Any, *ints: Any, **named: Any) -> Any:
        if named or not ints:
            text = f'{function.__name__}() missing 1 required positional arguments: "{name}"'
            ensure(named.keys() == {name} and not ints, text, error=TypeError)
            ints = (named[name],)
        return function(input, sizes(ints, function.__name__, name))

    return method


def sizes(shape: Any, function: str = "", name: str = "size") -> tuple[int, ...]:
    """The sizes given either one by one or as one sequence; for errors, whose and which."""
    alone = len(shape) == 1
    if alone and isinstance(shape[0], (tuple, list)):
        (shape,), alone = shape, False
    try:
        return tuple(map(index, shape))
    except TypeError:
        place, wrong = next((p, n) for p, n in enumerate(shape) if not is_whole(n))
        raise wrong_size(function, name, None if alone else place, wrong) from None


def is_whole(number: Any) -> bool:
    """Does it count as an int, such as a tensor of one integer?"""
    try:
        index(number)
    except TypeError:
        return False
    return True


def wrong_size(function: str, name: str, place: int | None, value: Any) -> TypeError:
    """A size that is no int, alone or at a place among others."""
    kind = type(value).__name__
    text = f"argument '{name}' (position 1) must be tuple of ints, "
    text += f"not {kind}" if place is None else f"but found element of type {kind} at pos {place}"
    if place:
        text = f"argument '{name}' failed to unpack the object at pos {place + 1} with error "
        text += f'"type must be tuple of ints,but got {kind}"'
    prefix = f"{function}(): " if function else ""
    return TypeError(prefix + text + hint(value, "int"))


def in_order(array: Any) -> Any:
    """The array; or, if its entries do not lie in memory in their order, a copy where they do.

    NumPy lays results out as their arguments are. PyTorch does so entry by entry, but has the
    results of most other operations in order: so that ``view`` may give them another shape.
    """
    return array if array.flags.c_contiguous else array.copy()


def order_like(array: Any) -> Any:
    """NumPy's name of the layout of what is made in the likeness of an array.

    That of an expanded array, which has entries only once, is no layout for others.
    """
    return "C" if 0 in array.strides else "K"


def check_implemented(kernel: str, array: Any, kinds: str = "fiu") -> None:
    """Raise NotImplementedError, as PyTorch, for a kind of dtype that an operation is not for."""
    if array.dtype.kind not in kinds:
        text = f"\"{kernel}\" not implemented for '{dtypes.of(array).title}'"
        change = "\n  fix: x.float() has the same numbers in float32." if kinds == "f" else ""
        raise NotImplementedError(text + change)


def refuse_numbers(function: str, input: Any, other: Any) -> None:
    """Raise TypeError, as PyTorch, where both operands must be tensors and one is a number."""
    if input.__class__ in NUMBERS:
        raise wrong_type(function, "input", 1, "Tensor", input)
    if other.__class__ in NUMBERS:
        raise wrong_type(function, "other", 2, "Tensor", other)


def refuse_booleans(input: Any, other: Any) -> None:
    """Raise RuntimeError, as PyTorch, for a difference of booleans."""
    for operand in (input, other):
        if operand.__class__ is bool or getattr(operand, "dtype", None) is BOOLEAN:
            text = "Subtraction, the `-` operator, with a bool tensor is not supported. If you are "
            raise RuntimeError(text + "trying to invert a mask, use the `~` operator instead.")


def fitting(number: Any, dtype: dtypes.dtype) -> Any:
    """A number in a dtype, as a NumPy scalar. Raises RuntimeError where that cannot hold it.

    A negative integer wraps around in an unsigned dtype, if its magnitude fits.
    """
    check_fits(number, dtype)
    return np.asarray(number).astype(dtype.numpy)[()]


def check_fits(values: Any, dtype: dtypes.dtype) -> None:
    """Raise RuntimeError, as PyTorch, for numbers that an integer dtype cannot hold."""
    if dtype.kind == dtypes.INTEGER:
        limits = np.iinfo(dtype.numpy)
        whole = np.asarray(values).dtype.kind != "f"
        fits = np.all((values >= (limits.min or -limits.max * whole)) & (values <= limits.max))
        ensure(fits, "value cannot be converted to type {} without overflow", dtype.name)


def check_power(input: Any, exponent: Any) -> None:
    """Raise what PyTorch raises for powers of booleans, and negative numbers for integers."""
    base, power = (t._array if isinstance(t, TensorBase) else t for t in (input, exponent))
    if getattr(power, "dtype", BOOLEAN).kind == "f":
        return
    wanted = dtypes.result_dtype((base, power))
    if wanted is dtypes.bool_:
        raise NotImplementedError("\"pow\" not implemented for 'Bool'")
    if power.__class__ is int and wanted.kind == dtypes.INTEGER:
        ensure(power >= 0, "Integers to negative integer powers are not allowed.")
        check_fits(power, wanted)
