"""What a tensor holds: shape, dtype, values, and how it becomes something else.

The other half of ``Tensor``, its history and operations, is in ``_tensor``.
"""

from __future__ import annotations

import copy
import math
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import _printing, dtypes
from .compat import devices
from .compat.arguments import (
    OPERANDS,
    ensure,
    of_tensor,
    operand_of,
    tensor_array,
    titled,
    wrapped_dim,
)
from .engine.modes import mode
from .engine.node import LEAF, Node, TensorBase, Watch, new_tensor, tell_of_cut
from .engine.operands import to_dtype
from .engine.views import meta_of, own_array, storage_of, update_history
from .errors import numpy_error, package_name
from .ops.slicing import unbind


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple that prints as ``torch.Size([2, 3])``.

    Counterpart: ``torch.Size``.

    >>> import minigrad as torch
    >>> shape = torch.zeros(2, 3).shape
    >>> shape, shape.numel(), shape[0]
    (torch.Size([2, 3]), 6, 2)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def numel(self) -> int:
        """The number of entries of a tensor of this shape."""
        return math.prod(self)

    def __getitem__(self, key: Any) -> Any:
        found = tuple.__getitem__(self, key)
        return Size(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> Any:
        return Size((*self, *other))

    def __radd__(self, other: Any) -> Any:
        return Size((*other, *self)) if isinstance(other, tuple) else NotImplemented


def cast(name: str, dtype: dtypes.dtype) -> Any:
    """The method with this name, which converts to this dtype."""

    def method(self: Any) -> Any:
        return self.to(dtype)

    return titled(method, f"Tensor.{name}", f"As {dtype.name}, see ``to``.")


class Values(TensorBase):
    """The methods of ``Tensor`` that concern its values, not how they came about."""

    __slots__ = ()

    # What the other half provides.
    requires_grad: Any
    is_leaf: Any
    clone: Any
    __getitem__: Any

    # ------------------------------------------------------------------ what it is

    @property
    def shape(self) -> Size:
        """The sizes of its dimensions."""
        return Size(self._array.shape)

    @property
    def dtype(self) -> dtypes.dtype:
        """The type of its entries."""
        return dtypes.of(self._array)

    @property
    def device(self) -> devices.device:
        """Where it lives: the CPU."""
        return devices.cpu

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return int(self._array.ndim)

    def dim(self) -> int:
        """The number of dimensions."""
        return self.ndim

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of one dimension."""
        return self.shape if dim is None else self.shape[wrapped_dim(dim, self.ndim)]

    def numel(self) -> int:
        """The number of entries. Counterpart: ``torch.numel``.

        >>> import minigrad as torch
        >>> torch.numel(torch.zeros(2, 3))
        6
        """
        return int(self._array.size)

    nelement = numel
    ndimension = dim

    is_cuda = False

    def element_size(self) -> int:
        """The bytes of one entry."""
        return int(self._array.itemsize)

    def stride(self, dim: int | None = None) -> Any:
        """How many entries lie, in memory, between neighbours along each dimension, or along one.

        >>> import minigrad as torch
        >>> torch.zeros(2, 3).stride(), torch.zeros(2, 3).T.stride()
        ((3, 1), (1, 3))
        """
        if dim is not None:
            return self.stride()[wrapped_dim(dim, self.ndim)]
        steps: list[int] = []
        after = 1  # where NumPy says 0 for a single entry, PyTorch counts what comes after it
        for size, step in zip(reversed(self._array.shape), reversed(self._array.strides)):
            step //= self._array.itemsize
            steps.insert(0, after if step == 0 and (size == 1 or not self.numel()) else step)
            after = steps[0] * max(size, 1)
        return tuple(steps)

    def data_ptr(self) -> int:
        """The address of its first entry."""
        return int(own_array(self).ctypes.data) if self.numel() else 0

    def is_floating_point(self) -> bool:
        """Are the entries floats? Counterpart: ``torch.is_floating_point``.

        >>> import minigrad as torch
        >>> torch.is_floating_point(torch.tensor(1.0)), torch.is_floating_point(torch.tensor(1))
        (True, False)
        """
        return self.dtype.is_floating_point

    def is_contiguous(self) -> bool:
        """Do the entries lie in memory in their order, without gaps?"""
        return bool(own_array(self).flags.c_contiguous)

    def __repr__(self) -> str:
        return _printing.text(self)

    def __format__(self, spec: str) -> str:
        return format(self._array.item(), spec) if self.ndim == 0 else super().__format__(spec)

    # ------------------------------------------------------------------ to other types

    def item(self) -> Any:
        """The one number it holds, as a Python number. Raises RuntimeError if it is not one."""
        size = self._array.size
        ensure(size == 1, "a Tensor with {} elements cannot be converted to Scalar", size)
        if Watch.observer is not None:
            tell_of_cut(self, ".item()")
        return self._array.item()

    def tolist(self) -> Any:
        """Its values as nested lists of Python numbers."""
        if Watch.observer is not None:
            tell_of_cut(self, ".tolist()")
        return self._array.tolist()

    def numpy(self, *, force: bool = False) -> Any:
        """Its values as a NumPy array that shares the memory.

        Raises RuntimeError (MG113), unless inside ``no_grad``, if it requires a gradient; with
        ``force`` the gradient is left behind. Counterpart: ``torch.Tensor.numpy``.
        """
        if self.requires_grad and mode.recording and not force:
            raise numpy_error("numpy()")
        if Watch.observer is not None:
            tell_of_cut(self, ".numpy()")
        storage_of(self)
        return own_array(self).view()  # who gives that another shape does not change the tensor's

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.requires_grad and mode.recording:
            raise numpy_error("numpy()")
        array = own_array(self).view()
        if copy:
            return array.astype(dtype or array.dtype)
        return array if dtype is None else array.astype(dtype, copy=False)

    __array_priority__ = 1000  # so that `array * tensor` asks the tensor

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: Any = False) -> Any:
        # What NumPy's functions make of tensors is a tensor; of booleans, bytes, as in PyTorch.
        return new_tensor(array.astype(np.uint8) if array.dtype == bool else array)

    def to(
        self,
        *args: Any,
        dtype: Any = None,
        device: Any = None,
        non_blocking: Any = False,
        copy: Any = False,
        memory_format: Any = None,
    ) -> Any:
        """This tensor in another dtype, or itself if it has it and no ``copy`` is asked for.

        Takes a dtype, a device (the CPU), both, or a tensor to be like. Gradients flow back
        through the conversion, in the original dtype. Counterpart: ``torch.Tensor.to``.

        >>> import minigrad as torch
        >>> torch.tensor([1.5, 2.5]).to("cpu", torch.int64)
        tensor([1, 2])
        """
        for argument in args:
            if isinstance(argument, (dtypes.dtype, type)):
                dtype = argument
            elif isinstance(argument, Values):
                dtype = argument.dtype
            elif argument.__class__ is not bool:  # non_blocking
                device = argument
        devices.on_cpu(device)
        update_history(self)
        if dtype is None or dtypes.asked("to", dtype) is self.dtype:
            return self.clone() if copy else self
        return to_dtype(self, dtypes.asked("to", dtype).numpy)

    float = cast("float", dtypes.float32)
    double = cast("double", dtypes.float64)
    long = cast("long", dtypes.int64)
    int = cast("int", dtypes.int32)
    short = cast("short", dtypes.int16)
    char = cast("char", dtypes.int8)
    byte = cast("byte", dtypes.uint8)
    bool = cast("bool", dtypes.bool_)

    def type_as(self, other: Any) -> Any:
        """In the dtype of another tensor. Counterpart: ``torch.Tensor.type_as``."""
        return self.to(dtypes.of(tensor_array("type_as", other, "other")))

    def type(self, dtype: Any = None) -> Any:
        """The name of its type, such as ``'torch.FloatTensor'``; or the tensor in that type.

        Counterpart: ``torch.Tensor.type``.
        """
        if dtype is None:
            return f"torch.{self.dtype.title}Tensor"
        named = {f"torch.{known.title}Tensor": known for known in dtypes.ALL}
        if isinstance(dtype, str) and dtype not in named:
            raise ValueError(f"invalid type: '{dtype}'\n  fix: x.to({package_name()}.float32)")
        return self.to(named.get(dtype, dtype))

    def cpu(self) -> Any:
        """Itself: it is on the CPU."""
        return self

    def cuda(self, device: Any = None) -> Any:
        """Raises AssertionError: minigrad computes on the CPU only."""
        return self.to("cuda")

    def contiguous(self) -> Any:
        """Itself if its entries lie in order in memory, else a copy for which that holds."""
        return self if self.is_contiguous() else self.clone()

    def _number(self, how: str) -> Any:
        text = "only one element tensors can be converted to Python scalars"
        ensure(self._array.size == 1, text, error=ValueError)
        if self.requires_grad:
            text = "Converting a tensor with requires_grad=True to a scalar may lead to unexpected "
            text += "behavior.\nConsider using tensor.detach() first."
            warnings.warn(text, UserWarning, stacklevel=3)
        if Watch.observer is not None:
            tell_of_cut(self, how)
        return self._array.reshape(())[()]

    def __bool__(self) -> Any:
        size = self._array.size
        what = "more than one value" if size else "no values"
        ensure(size == 1, "Boolean value of Tensor with {} is ambiguous", what)
        if Watch.observer is not None:
            tell_of_cut(self, "bool()")
        return bool(self._array)

    def __float__(self) -> Any:
        return float(self._number("float()"))

    def __int__(self) -> Any:
        return int(self._number("int()"))

    def __index__(self) -> Any:
        fits = self._array.size == 1 and self._array.dtype.kind != "f"
        text = "only integer tensors of a single element can be converted to an index"
        ensure(fits, text, error=TypeError)
        return int(self._number(".item()"))

    def __len__(self) -> Any:
        ensure(self.ndim, "len() of a 0-d tensor", error=TypeError)
        return self._array.shape[0]

    def __iter__(self) -> Iterator[Any]:
        ensure(self.ndim, "iteration over a 0-d tensor", error=TypeError)
        every: Any = self
        return iter(unbind(every))

    def __contains__(self, value: Any) -> Any:
        text = "Tensor.__contains__ only supports Tensor or scalar, but you passed in a {}."
        ensure(isinstance(value, OPERANDS), text, type(value))
        return bool((self._array == (value._array if isinstance(value, Values) else value)).any())

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        """A copy with memory and gradient of its own; only of leaves, as in PyTorch."""
        text = "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
        ensure(self.is_leaf, text + "protocol at the moment. Use detach() first.")
        if id(self) not in memo:
            here = self._meta
            view = here is not None and here.root is not None
            if view and not isinstance(here.root._node, Node):  # a view, also of the copy
                root = copy.deepcopy(here.root, memo)
                array = root._array
                for operation, options in here.path:
                    array = operation.__wrapped__(array, *options)
            else:
                root = None
                array = copy.deepcopy(own_array(self), memo)  # one copy for all who show it
            twin = memo[id(self)] = rebuilt(type(self), array, self._node is LEAF)
            if root is not None and root._node is None:  # a copy of the copy is a view, too
                known = meta_of(twin)
                known.root = root
                known.path = here.path
                known.storage = storage_of(root)
                known.seen = known.storage.version
            twin._grad = copy.deepcopy(self._grad, memo)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickled are the values and whether a gradient is wanted, not the history."""
        return rebuilt, (type(self), own_array(self), self.requires_grad)


def rebuilt(cls: type, array: Any, requires_grad: bool) -> Any:
    """A leaf of this class around an array: a tensor as ``copy`` and ``pickle`` bring it back."""
    made: Any = object.__new__(cls)
    made._array = array
    made._node = LEAF if requires_grad else None
    made._grad = made._meta = None
    return made


def is_tensor(obj: object) -> bool:
    """Is this a tensor? Counterpart: ``torch.is_tensor``.

    >>> import minigrad as torch
    >>> torch.is_tensor(torch.tensor(1.0)), torch.is_tensor(1.0)
    (True, False)
    """
    return isinstance(obj, Values)


def is_nonzero(input: Any) -> bool:
    """Is the one entry other than 0? Counterpart: ``torch.is_nonzero``.

    >>> import minigrad as torch
    >>> torch.is_nonzero(torch.tensor([0.5]))
    True
    """
    tensor_array("is_nonzero", input)
    return bool(input)


def result_type(tensor1: Any, tensor2: Any) -> dtypes.dtype:
    """The dtype of arithmetic with these tensors or numbers. Counterpart: ``torch.result_type``.

    Raises TypeError for anything else.

    >>> import minigrad as torch
    >>> torch.result_type(torch.tensor([1, 2]), 1.5)
    torch.float32
    """
    operands = (operand_of("result_type", t, "tensor", 1) for t in (tensor1, tensor2))
    return dtypes.result_dtype(tuple(operands))


numel = of_tensor(Values.numel)
is_floating_point = of_tensor(Values.is_floating_point)
