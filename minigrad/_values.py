"""What a tensor holds: shape, dtype, values, and how it becomes something else.

The other half of ``Tensor``, its history and operations, is in ``_tensor``.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import _printing, dtypes
from .errors import numpy_error
from .grad_mode import mode
from .graph import LEAF, TensorBase, new_tensor
from .operands import converted
from .ops.arguments import wrapped_dim
from .views import own_array, settle, storage_of


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple that prints as ``torch.Size([2, 3])``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def numel(self) -> int:
        """The number of entries of a tensor of this shape."""
        return int(np.prod(self))


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
    def device(self) -> dtypes.device:
        """Where it lives: the CPU."""
        return dtypes.cpu

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
        """The number of entries."""
        return int(self._array.size)

    nelement = numel

    def is_floating_point(self) -> bool:
        """Are the entries floats?"""
        return self.dtype.is_floating_point

    def is_contiguous(self) -> bool:
        """Do the entries lie in memory in their order, without gaps?"""
        return bool(own_array(self).flags.c_contiguous)

    def __repr__(self) -> str:
        return _printing.text(self)

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if self.ndim == 0 else super().__format__(spec)

    # ------------------------------------------------------------------ to other types

    def item(self) -> Any:
        """The one number it holds, as a Python number. Raises RuntimeError if it is not one."""
        if self._array.size != 1:
            raise RuntimeError(
                f"a Tensor with {self._array.size} elements cannot be converted to Scalar"
            )
        return self._array.item()

    def tolist(self) -> Any:
        """Its values as nested lists of Python numbers."""
        return self._array.tolist()

    def numpy(self) -> Any:
        """Its values as a NumPy array that shares the memory.

        Raises RuntimeError (MG113), unless inside ``no_grad``, if it requires a gradient.
        """
        if self.requires_grad and mode.recording:
            raise numpy_error("numpy()")
        storage_of(self)
        return own_array(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.requires_grad and mode.recording:
            raise numpy_error("numpy()")
        array = own_array(self)
        if copy:
            return array.astype(dtype or array.dtype)
        return array if dtype is None else array.astype(dtype, copy=False)

    __array_priority__ = 1000  # so that `array * tensor` asks the tensor

    def to(self, *args: Any, dtype: Any = None, device: Any = None) -> Any:
        """This tensor in another dtype, or itself if it has it. Counterpart: ``Tensor.to``.

        Gradients flow back through the conversion, in the original dtype.
        """
        for argument in args:
            if isinstance(argument, (dtypes.dtype, type)):
                dtype = argument
            elif isinstance(argument, Values):
                dtype = argument.dtype
            else:
                dtypes.device(argument)
        if device is not None:
            dtypes.device(device)
        settle(self)
        out: Any = (
            self if dtype is None else converted(self, dtypes.asked("to", dtype).numpy)
        )
        return out

    def float(self) -> Any:
        """As float32."""
        return self.to(dtypes.float32)

    def double(self) -> Any:
        """As float64."""
        return self.to(dtypes.float64)

    def long(self) -> Any:
        """As int64."""
        return self.to(dtypes.int64)

    def int(self) -> Any:
        """As int32."""
        return self.to(dtypes.int32)

    def bool(self) -> Any:
        """As booleans: is each entry other than 0?"""
        return self.to(dtypes.bool_)

    def cpu(self) -> Any:
        """Itself: it is on the CPU."""
        return self

    def contiguous(self) -> Any:
        """Itself if its entries lie in order in memory, else a copy for which that holds."""
        return self if self.is_contiguous() else self.clone()

    def _number(self) -> Any:
        if self._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        if self.requires_grad:
            warnings.warn(
                "Converting a tensor with requires_grad=True to a scalar may lead to unexpected "
                "behavior.\nConsider using tensor.detach() first.",
                UserWarning,
                stacklevel=3,
            )
        return self._array.item()

    def __bool__(self) -> Any:
        size = self._array.size
        if size != 1:
            raise RuntimeError(
                f"Boolean value of Tensor with {'more than one value' if size else 'no values'} "
                "is ambiguous"
            )
        return bool(self._array.item())

    def __float__(self) -> Any:
        return float(self._number())

    def __int__(self) -> Any:
        return int(self._number())

    def __index__(self) -> Any:
        if self._array.size != 1 or self._array.dtype.kind == "f":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __len__(self) -> Any:
        if self.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return self._array.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter([self[i] for i in range(len(self))])

    def __contains__(self, value: Any) -> Any:
        return bool((self._array == (value._array if isinstance(value, Values) else value)).any())

    def __deepcopy__(self, memo: dict[Any, Any]) -> Any:
        """A copy with memory and gradient of its own; only of leaves, as in PyTorch."""
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
                "protocol at the moment. Use detach() first."
            )
        if id(self) not in memo:
            twin = memo[id(self)] = rebuilt(type(self), self._array.copy(), self._node is LEAF)
            twin._grad = copy.deepcopy(self._grad, memo)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickled are the values and whether a gradient is wanted, not the history."""
        return rebuilt, (type(self), np.asarray(self._array), self.requires_grad)


def rebuilt(cls: type, array: Any, requires_grad: bool) -> Any:
    """A leaf of this class around an array: a tensor as ``copy`` and ``pickle`` bring it back."""
    made = new_tensor(array, LEAF if requires_grad else None)
    made.__class__ = cls
    return made
