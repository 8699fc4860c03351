"""The constructors of before there were dtypes: ``FloatTensor``, ``LongTensor`` and so on."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..engine.node import TensorBase
from ..engine.views import detached
from ..ops.creation import empty, tensor
from .arguments import ensure, titled


def legacy(dtype: dtypes.dtype, *data: Any) -> Any:
    """A tensor in a fixed dtype: of the values in a sequence, or of the given sizes.

    Counterparts: ``torch.FloatTensor``, ``torch.LongTensor`` and so on, which were there before
    there were dtypes.

    >>> import minigrad as torch
    >>> torch.LongTensor([1, 2]), torch.FloatTensor(2, 3).shape
    (tensor([1, 2]), torch.Size([2, 3]))
    """
    first = data[0] if data else 0
    if isinstance(first, TensorBase):
        have = dtypes.of(first._array)
        ensure(have is dtype, "expected a tensor of {} (got {})", dtype, have, error=TypeError)
        return detached(first)
    if type(first) in (list, tuple, str, np.ndarray):  # but not Size, which means sizes
        return tensor(first, dtype=dtype)
    return empty(*data or (0,), dtype=dtype)


def constructor(dtype: dtypes.dtype) -> Any:
    """``legacy`` for one dtype."""

    def function(*data: Any) -> Any:
        return legacy(dtype, *data)

    words = f"A tensor of {dtype.name}: of the values in a sequence, or of the given sizes."
    name = f"{dtype.title}Tensor"
    return titled(function, name, words, f"torch.{name}(2, 3).dtype", f"torch.{dtype.name}")


FloatTensor = constructor(dtypes.float32)
DoubleTensor = constructor(dtypes.float64)
LongTensor = constructor(dtypes.int64)
IntTensor = constructor(dtypes.int32)
ShortTensor = constructor(dtypes.int16)
CharTensor = constructor(dtypes.int8)
ByteTensor = constructor(dtypes.uint8)
BoolTensor = constructor(dtypes.bool_)
