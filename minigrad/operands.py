"""Making things fit: operands before an operation runs, gradients after a rule has run.

Dtypes are brought together, broadcasting is undone, and mistakes are put into words. The
ordinary case (one dtype, one shape) never comes here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from . import dtypes
from .errors import hint, none_error
from .grad_mode import mode
from .graph import Kind, Node, Results, TensorBase, edge_to, new_tensor


def bare(wrapper: Any, forward: Any, *args: Any) -> Any:
    """A call without the usual tensors: a rule at work on arrays, NumPy operands, a mistake."""
    if mode.raw:  # inside a backward pass, so in haste: `any` would make a generator
        for argument in args:
            if isinstance(argument, TensorBase):
                break
        else:
            return forward(*args)
    numpy = any(isinstance(a, (np.ndarray, np.generic)) for a in args)
    if numpy and any(isinstance(a, TensorBase) for a in args):
        args = tuple(map(plain, args))
        return wrapper(*[new_tensor(a) if isinstance(a, np.ndarray) else a for a in args])
    position, wrong = next((i, a) for i, a in enumerate(args) if not isinstance(a, TensorBase))
    name = wrapper.kind.arguments[position]
    raise TypeError(
        f"{wrapper.kind.op}(): argument '{name}' (position {position + 1}) must be Tensor, "
        f"not {type(wrong).__name__}{hint(wrong)}"
    )


def plain(operand: Any) -> Any:
    """A NumPy scalar as the Python number it is: as in PyTorch, its dtype promotes nothing."""
    return operand.item() if isinstance(operand, np.generic) else operand


def foreign(wrapper: Any, forward: Any, input: Any, other: Any) -> Any:
    """As ``bare``, for an operator: leave an unknown object's own operator to answer."""
    known = (TensorBase, np.ndarray, np.generic, bool, int, float)
    if isinstance(input, known) and isinstance(other, known):
        return bare(wrapper, forward, input, other)
    if (input is None or other is None) and wrapper.kind.op in SYMBOLS:
        pair = (other, input) if wrapper.kind.op == "rsub" else (input, other)
        raise none_error(SYMBOLS[wrapper.kind.op], *pair)
    return NotImplemented


SYMBOLS = {"add": "+", "sub": "-", "rsub": "-", "mul": "*", "div": "/", "floor_divide": "//"}


def mismatch(error: ValueError, *operands: Any) -> Exception:
    """NumPy's complaint about shapes that do not broadcast, in PyTorch's words."""
    if "broadcast" not in str(error):
        return error
    shapes = [o.shape for o in operands if isinstance(o, np.ndarray)]
    for back in range(1, 1 + max(map(len, shapes))):
        sizes = [shape[-back] for shape in shapes if len(shape) >= back and shape[-back] != 1]
        if len(set(sizes)) > 1:
            a, b = sizes[:2]
            return RuntimeError(
                f"The size of tensor a ({a}) must match the size of tensor b ({b}) at "
                f"non-singleton dimension {max(map(len, shapes)) - back}\n"
                f"  the shapes: {' and '.join(str(list(shape)) for shape in shapes)}\n"
                "  fix: counted from the last, sizes must be equal, or one of them 1 "
                "(reshape or unsqueeze)."
            )
    return RuntimeError(str(error))


def retried(wrapper: Any, error: Exception, *operands: Any) -> Any:
    """The operation, with a number that its integers cannot hold wrapped around to them.

    Raises what ``mismatch`` makes of an error that has another cause.
    """
    arrays = [t._array if isinstance(t, TensorBase) else t for t in operands]
    if isinstance(error, ValueError):
        raise mismatch(error, *arrays) from None
    dtype = dtypes.result_dtype(tuple(arrays)).numpy
    fitted = [wrapped(t, dtype) if t.__class__ is int else t for t in operands]
    if all(new is old or new == old for new, old in zip(fitted, operands)):
        raise error  # no number was too large
    return wrapper(*fitted)


def wrapped(number: int, dtype: Any) -> Any:
    """A number as an integer dtype has it: counted on from its other end, as in C."""
    if not -(2**63) <= number < 2**64:
        raise OverflowError("int too big to convert")
    return np.uint64(number % 2**64).astype(dtype).item()


def promoted(forward: Any, floats: bool, out: Any, input: Any, other: Any) -> tuple[Any, Any, Any]:
    """The result in the dtype that PyTorch's rules say, and the operands in that dtype."""
    arrays = [t._array if isinstance(t, TensorBase) else t for t in (input, other)]
    wanted = dtypes.result_dtype(tuple(arrays))
    if floats and not wanted.is_floating_point:
        wanted = dtypes.get_default_dtype()
    first, second = (
        converted(t, wanted.numpy) if isinstance(t, TensorBase) else t for t in (input, other)
    )
    if first is not input or second is not other or out.dtype != wanted.numpy:
        x, y = (t._array if isinstance(t, TensorBase) else t for t in (first, second))
        out = forward(x, y)
    return out, first, second


TO_COPY = Kind(
    "ToCopyBackward0", "to", ("input",), {"input": ()}, rules=((lambda g: g, ()),), rule_text="g"
)
"""A change of dtype. The engine converts the gradient back, as it does for every edge."""


def converted(tensor: Any, dtype: Any) -> Any:
    """The tensor in another NumPy dtype, with its history; itself if it has that dtype."""
    array = tensor._array
    if array.dtype == dtype:
        return tensor
    with np.errstate(invalid="ignore"):  # NaN as an integer
        # An expanded array has its entries only once: what is made of it has each.
        array = array.astype(dtype, "C" if 0 in array.strides else "K")
    edge = edge_to(tensor)
    if edge is None or not mode.recording or array.dtype.kind != "f":
        return new_tensor(array)
    return new_tensor(array, Node(TO_COPY, (edge,), array.shape, array.dtype))


def conform(part: Any, shape: tuple[int, ...], dtype: Any, node: Node, position: int) -> Any:
    """A gradient in the shape and dtype of what it is the gradient of.

    Where the forward pass broadcast a value, several entries of the gradient belong to one
    entry of the value, and are summed. Raises RuntimeError if the shapes cannot belong
    together: then a derivative rule is wrong.
    """
    have = part.shape
    bare_array = not isinstance(part, Results.cls)
    if have[-1:] == shape != have and bare_array and part.size:  # of a bias, most often
        part = sum_of_rows(part if part.ndim == 2 else part.reshape(-1, *shape))
    elif have != shape:
        axes = spread_axes(have, shape)
        if axes is None:
            raise RuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {position} - got "
                f"{list(have)} but expected shape compatible with {list(shape)}"
            )
        part = np.add.reduce(part, axes) if bare_array else part.sum(axes)
        if part.shape != shape:
            part = part.reshape(shape)
    if bare_array:
        return part if part.dtype is dtype else part.astype(dtype, copy=False)
    return converted(part, dtype)


def sum_of_rows(matrix: Any) -> Any:
    """As ``np.add.reduce(matrix, 0)``, in a third of the time unless it is very long."""
    if len(matrix) > 10_000:
        return np.add.reduce(matrix, 0)
    return ones(len(matrix), matrix.dtype).dot(matrix)


@lru_cache(maxsize=64)
def ones(count: int, dtype: Any) -> Any:
    """A vector of ones, kept for the next time: a product with it is a fast sum."""
    return np.ones(count, dtype)


def spread_axes(have: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The axes along which a value of this shape was repeated; None if it cannot have been."""
    lead = len(have) - len(shape)
    pairs = list(enumerate(zip(have[max(lead, 0) :], shape, strict=False), start=lead))
    if lead < 0 or any(got != want != 1 for _, (got, want) in pairs):
        return None
    return (*range(lead), *[axis for axis, (got, want) in pairs if got != want])
