"""An array that writes down what NumPy is asked to do with it.

``Noted`` stands for an array, or for a NumPy scalar, while notes are taken. It has the real value,
so a noted call computes what any call computes; it is no ``ndarray`` itself, so NumPy cannot look
into it without asking. What it is asked (``__array_ufunc__``, ``__array_function__``, an operator,
a method) becomes a line of the notes. Where NumPy asks for the bare numbers, they are about to
leave for a place that the notes do not see: then the notes are refused. Nothing is guessed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..engine.node import TensorBase

Pieces = tuple[Any, ...]
"""The text of a line: strings, and the numbers of the values whose names stand between them."""

METHODS = frozenset(
    [
        "all",
        "any",
        "argmax",
        "argmin",
        "argpartition",
        "argsort",
        "astype",
        "choose",
        "clip",
        "compress",
        "conj",
        "copy",
        "cumprod",
        "cumsum",
        "diagonal",
        "dot",
        "flatten",
        "max",
        "mean",
        "min",
        "nonzero",
        "prod",
        "ravel",
        "repeat",
        "reshape",
        "round",
        "searchsorted",
        "squeeze",
        "std",
        "sum",
        "swapaxes",
        "take",
        "trace",
        "transpose",
        "var",
        "view",
    ]
)
"""Methods of an array that leave it as it is."""

WRITING_METHODS = frozenset(["fill", "partition", "put", "sort"])

FACTS = frozenset(
    ["ctypes", "dtype", "flags", "itemsize", "nbytes", "ndim", "shape", "size", "strides"]
)
"""What is the same in each call that the guards let pass: shapes, types, places in memory."""

WRITING = {np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask}
"""Functions that write to their first argument."""

ABOUT_TYPES = {np.can_cast, np.may_share_memory, np.ndim, np.result_type, np.shape, np.size}
"""Functions whose answer the guards keep true."""

BY_SHAPE = {
    np.amax, np.amin, np.argmax, np.argmin, np.argsort, np.broadcast_to, np.clip, np.concatenate,
    np.copy, np.cumprod, np.cumsum, np.dot, np.einsum, np.empty, np.empty_like, np.expand_dims,
    np.flip, np.full, np.full_like, np.matmul, np.max, np.mean, np.min, np.moveaxis, np.ones_like,
    np.outer, np.pad, np.prod, np.reshape, np.roll, np.sort, np.split, np.squeeze, np.stack, np.sum,
    np.swapaxes, np.take_along_axis, np.tensordot, np.tile, np.transpose, np.tril, np.triu,
    np.zeros, np.zeros_like,
}  # fmt: skip
"""Functions whose result has a shape that the shapes of their arguments decide."""


class Noted:
    """The stand-in for one value: ``value`` is the real one, ``number`` its number in the notes."""

    __slots__ = ("__weakref__", "notes", "number", "value")

    __array_priority__ = 10_000

    def __init__(self, notes: Any, value: Any, number: int) -> None:
        self.notes = notes
        self.value = value
        self.number = number

    @property
    def __class__(self) -> Any:  # `isinstance` and the engine's tests see what it stands for
        return self.value.__class__

    @__class__.setter
    def __class__(self, cls: Any) -> None:
        raise TypeError("an array keeps its class")

    # ---------------------------------------------------------------------- facts and methods

    def __getattr__(self, name: str) -> Any:
        if name in FACTS:
            return getattr(self.value, name)
        if name in METHODS:
            return lambda *args, **options: self.notes.method(self, name, args, options)
        if name in WRITING_METHODS:
            return lambda *args, **options: self.notes.method(self, name, args, options, True)
        if name in ("T", "mT"):
            return self.notes.take(lambda x: getattr(x, name), (self,), ("", f".{name}"))
        if name.startswith("__"):
            raise AttributeError(name)
        self.notes.refuse(f".{name} of an array is read")
        return getattr(self.value, name)

    @property
    def base(self) -> Any:
        """Is it a view? Not of what."""
        return None if self.value.base is None else ...

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Any]:
        return (self[position] for position in range(len(self.value)))

    # -------------------------------------------------------------------------- what NumPy asks

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return self.notes.ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        return self.notes.function(function, args, options)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        self.notes.refuse("NumPy reads the numbers")
        return np.array(self.value, dtype) if copy else np.asarray(self.value, dtype)

    def __getitem__(self, index: Any) -> Any:
        return self.notes.item(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.notes.write_item(self, index, value)

    def repeated(self, function: Any, shape: Any, strides: Any) -> Any:
        """See ``engine.arrays.repeated``, which asks for this."""
        return self.notes.named_call("repeated", function, (self, shape, strides))

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    # ------------------------------------------------------------------- values leave the graph

    def __bool__(self) -> bool:
        return self.notes.told(self, bool)

    def __int__(self) -> int:
        return self.notes.told(self, int)

    def __index__(self) -> int:
        operator.index(self.value)  # raises TypeError for what is no integer
        return self.notes.told(self, int)

    def item(self, *args: Any) -> Any:
        if not args and self.value.dtype.kind in "biu":
            return self.notes.told(self, bool if self.value.dtype.kind == "b" else int)
        self.notes.refuse("item() takes a number out of the graph")
        return self.value.item(*args)

    def tolist(self) -> Any:
        self.notes.refuse("tolist() takes the numbers out of the graph")
        return self.value.tolist()

    def __float__(self) -> float:
        self.notes.refuse("float() takes a number out of the graph")
        return float(self.value)

    def __repr__(self) -> str:
        self.notes.refuse("a tensor is printed")
        return repr(self.value)

    def __format__(self, spec: str) -> str:
        self.notes.refuse("a tensor is printed")
        return format(self.value, spec)

    def __contains__(self, value: Any) -> bool:
        self.notes.refuse("`in` looks for a number")
        return value in self.value

    def __reduce_ex__(self, protocol: Any) -> Any:
        self.notes.refuse("a tensor is saved")
        return self.value.__reduce_ex__(protocol)

    __hash__ = None  # type: ignore[assignment]  # as an array's


def infix(symbol: str, function: Callable[..., Any]) -> Any:
    """An operator, from the left and from the right."""

    def left(self: Noted, other: Any) -> Any:
        if isinstance(other, TensorBase):
            return NotImplemented
        return self.notes.take(function, (self, other), ("", f" {symbol} ", ""))

    def right(self: Noted, other: Any) -> Any:
        return self.notes.take(function, (other, self), ("", f" {symbol} ", ""))

    return left, right


def in_place(symbol: str, name: str) -> Any:
    """An operator that writes into an array; a NumPy scalar it replaces."""
    function = getattr(operator, name)

    def method(self: Noted, other: Any) -> Any:
        return self.notes.in_place(self, function, other, f" {symbol}= ")

    return method


OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}  # fmt: skip
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
PREFIXES = {"neg": "-", "pos": "+", "invert": "~"}


def prefix(symbol: str, function: Callable[..., Any]) -> Any:
    return lambda self: self.notes.take(function, (self,), (symbol, ""))


for _name, _symbol in OPERATORS.items():
    _left, _right = infix(_symbol, getattr(operator, f"__{_name}__"))
    setattr(Noted, f"__{_name}__", _left)
    setattr(Noted, f"__r{_name}__", _right)
    setattr(Noted, f"__i{_name}__", in_place(_symbol, f"__i{_name}__"))
for _name, _symbol in COMPARISONS.items():
    setattr(Noted, f"__{_name}__", infix(_symbol, getattr(operator, _name))[0])
for _name, _symbol in PREFIXES.items():
    setattr(Noted, f"__{_name}__", prefix(_symbol, getattr(operator, _name)))
Noted.__abs__ = lambda self: self.notes.take(abs, (self,), ("abs(", ")"))  # type: ignore
