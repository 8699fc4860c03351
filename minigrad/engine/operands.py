"""Making operands fit before an operation runs: dtypes, numbers, and mistakes put into words.

The ordinary case (tensors of one dtype, whose shapes broadcast) never comes here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..errors import hint, none_error
from .modes import mode
from .node import Kind, Node, TensorBase, Watch, edge_to, new_tensor, tell_of_cut


def without_tensors(wrapper: Any, forward: Any, *args: Any) -> Any:
    """A call without the usual tensors: a rule at work on arrays, NumPy operands, a mistake."""
    if mode.raw:  # inside a backward pass, so in haste: `any` would make a generator
        for argument in args:
            if isinstance(argument, TensorBase):
                break
        else:
            return forward(*args)
    numpy = any(isinstance(a, (np.ndarray, np.generic)) for a in args)
    if numpy and any(isinstance(a, TensorBase) for a in args):
        args = tuple(map(python_number, args))
        return wrapper(*[new_tensor(a) if isinstance(a, np.ndarray) else a for a in args])
    position, wrong = next((i, a) for i, a in enumerate(args) if not isinstance(a, TensorBase))
    name = wrapper.kind.arguments[position]
    raise TypeError(
        f"{wrapper.kind.op}(): argument '{name}' (position {position + 1}) must be Tensor, "
        f"not {type(wrong).__name__}{hint(wrong)}"
    )


def value_of(operand: Any) -> Any:
    """A tensor's array; and a number as it is."""
    if isinstance(operand, TensorBase):
        return operand._array
    return operand


def python_number(operand: Any) -> Any:
    """A NumPy scalar as the Python number it is: as in PyTorch, its dtype promotes nothing."""
    if isinstance(operand, np.generic):
        return operand.item()
    return operand


def operator_without_tensors(wrapper: Any, forward: Any, input: Any, other: Any) -> Any:
    """As ``without_tensors``, for an operator: leave an unknown object's own operator to answer."""
    known = (TensorBase, np.ndarray, np.generic, bool, int, float)
    if isinstance(input, known) and isinstance(other, known):
        return without_tensors(wrapper, forward, input, other)
    if (input is None or other is None) and wrapper.kind.op in SYMBOLS:
        pair = (other, input) if wrapper.kind.op == "rsub" else (input, other)
        raise none_error(SYMBOLS[wrapper.kind.op], *pair)
    return NotImplemented


SYMBOLS = {"add": "+", "sub": "-", "rsub": "-", "mul": "*", "div": "/", "floor_divide": "//"}


def broadcast_error(error: ValueError, *operands: Any) -> Exception:
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


def retry_wrapped(wrapper: Any, error: Exception, *operands: Any) -> Any:
    """The operation, with a number that its integers cannot hold wrapped around to them.

    Raises what ``broadcast_error`` makes of an error that has another cause.
    """
    arrays = [value_of(operand) for operand in operands]
    if isinstance(error, ValueError):
        raise broadcast_error(error, *arrays) from None
    dtype = dtypes.result_dtype(tuple(arrays)).numpy
    fitted = [wrap_around(t, dtype) if t.__class__ is int else t for t in operands]
    if all(new is old or new == old for new, old in zip(fitted, operands)):
        raise error  # no number was too large
    return wrapper(*fitted)


def wrap_around(number: int, dtype: Any) -> Any:
    """A number as an integer dtype has it: counted on from its other end, as in C."""
    if not -(2**63) <= number < 2**64:
        raise OverflowError("int too big to convert")
    return np.uint64(number % 2**64).astype(dtype).item()


def promoted(forward: Any, floats: bool, out: Any, input: Any, other: Any) -> tuple[Any, Any, Any]:
    """The result in the dtype that PyTorch's rules say, and the operands in that dtype."""
    wanted = dtypes.result_dtype((value_of(input), value_of(other)))
    if floats and not wanted.is_floating_point:
        wanted = dtypes.get_default_dtype()
    first, second = (
        to_dtype(t, wanted.numpy) if isinstance(t, TensorBase) else t for t in (input, other)
    )
    if first is not input or second is not other or out.dtype != wanted.numpy:
        out = forward(value_of(first), value_of(second))
    return out, first, second


TO_COPY = Kind(
    "ToCopyBackward0", "to", ("input",), {"input": ()}, rules=((lambda g: g, ()),), rule_text="g"
)
"""A change of dtype. The engine converts the gradient back, as it does for every edge."""


def to_dtype(tensor: Any, dtype: Any) -> Any:
    """The tensor in another NumPy dtype, with its history; itself if it has that dtype."""
    array = tensor._array
    if array.dtype == dtype:
        return tensor
    with np.errstate(invalid="ignore"):  # NaN as an integer
        # An expanded array has its entries only once: what is made of it has each.
        array = array.astype(dtype, "C" if 0 in array.strides else "K")
    edge = edge_to(tensor)
    if edge is None or not mode.recording or array.dtype.kind != "f":
        converted = new_tensor(array)
        if Watch.observer is not None and array.dtype.kind != "f":
            tell_of_cut(tensor, array.dtype.name, converted)
        return converted
    return new_tensor(array, Node(TO_COPY, (edge,), array.shape, array.dtype))
