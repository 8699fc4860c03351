"""Reading entries by index. (Writing them is in ``inplace``.)

Integers, slices, ``...`` and ``None`` make a view; tensors or lists of indices copy. The
derivative of taking entries out is putting them back into zeros; entries taken several times
get the sum. The two are each other's rule, so any order of derivative follows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import TensorBase
from ..primitive import operation


@operation(input=lambda g, index: g[index])
def _embed(input, index, shape):
    """Zeros of this shape with ``input`` at ``index``."""
    out = np.zeros(shape, input.dtype)
    out[index] = input
    return out


@operation(name="index_put", input=lambda g, indices: g[indices])
def _scatter(input, indices, shape):
    """Zeros of this shape, with each entry of ``input`` added where its index says."""
    out = np.zeros(shape, input.dtype)
    np.add.at(out, indices, input)
    return out


@operation(view=True, input=lambda g, index, input_shape: _embed(g, index, input_shape))
def _select(input, index):
    return input[index]


@operation(view=True, input=lambda g, index, input_shape: _embed(g, index, input_shape))
def _slice(input, index):
    return input[index]


@operation(
    name="unsqueeze",
    view=True,
    input=lambda g, index, input_shape: _embed(g, index, input_shape),
)
def _new_dim(input, index):
    return input[index]


@operation(input=lambda g, indices, input_shape: _scatter(g, indices, input_shape))
def _index(input, indices):
    return np.asarray(input)[indices]


def normalised(index: Any) -> tuple[tuple[Any, ...], bool]:
    """An index as NumPy takes it, and whether it is advanced (copies).

    Index tensors become arrays of their own, so that a later write to them cannot change what
    the derivative does. Raises IndexError for what is no index.
    """
    parts = index if isinstance(index, tuple) else (index,)
    advanced = False
    out: list[Any] = []
    for part in parts:
        if isinstance(part, TensorBase):
            part = part._array
            if part.ndim == 0 and part.dtype.kind in "iu":
                part = int(part)
            elif part.dtype.kind == "f":
                raise IndexError(
                    "tensors used as indices must be long, int, byte or bool tensors"
                )
        if isinstance(part, (list, np.ndarray, np.bool_, bool)):
            if isinstance(part, list):
                part = [t._array if isinstance(t, TensorBase) else t for t in part]
            part = np.array(part)
            if part.size == 0:
                part = part.astype(np.int64)
            elif part.dtype.kind not in "iub":
                raise IndexError(
                    "tensors used as indices must be long, int, byte or bool tensors"
                )
            advanced = True
        elif isinstance(part, slice):
            bounds = (part.start, part.stop, part.step)
            part = slice(*(int(p._array) if isinstance(p, TensorBase) else p for p in bounds))
            if part.step is not None and part.step <= 0:
                raise ValueError("step must be greater than zero")
        elif not (part is None or part is ... or isinstance(part, (int, np.integer))):
            raise IndexError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables "
                f"are valid indices (got {type(part).__name__})"
            )
        out.append(part)
    if not advanced and ... not in out:
        out.append(...)  # so that NumPy makes a view of a single entry too, not a copy
    return tuple(out), advanced


def getitem(input: Any, index: Any) -> Any:
    """``input[index]``. Counterpart: ``torch.Tensor.__getitem__``.

    Raises IndexError for an index out of range, or too many of them.
    """
    if not isinstance(input, TensorBase):  # a rule at work on bare arrays
        return input[index]
    index, advanced = normalised(index)
    try:
        if advanced:
            return _index(input, index)
        kinds = {type(part) for part in index}
        if not kinds.isdisjoint((int, np.int64)):
            return _select(input, index)
        return (_new_dim if type(None) in kinds else _slice)(input, index)
    except IndexError as error:
        raise index_error(error, input._array.ndim, index) from None


def index_error(error: IndexError, ndim: int, index: Any) -> IndexError:
    """NumPy's complaint in PyTorch's words."""
    text = str(error)
    if "too many indices" in text:
        if ndim == 0:
            return IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python to convert a "
                "0-dim tensor to a number"
            )
        return IndexError(f"too many indices for tensor of dimension {ndim}")
    return IndexError(text.replace("axis", "dimension"))
