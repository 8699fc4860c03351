"""Logic with booleans, and with the bits of integers: no gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...compat.arguments import check_implemented, ensure, operand_of, tensor_array, titled
from ...engine.node import new_tensor
from ...engine.record import NUMBERS
from .comparison import entry_question, pair_question, pairwise

if TYPE_CHECKING:
    from ..._tensor import Tensor

logical_and = pair_question("logical_and", np.logical_and, "and")
logical_or = pair_question("logical_or", np.logical_or, "or")
logical_xor = pair_question("logical_xor", np.logical_xor, "xor")
logical_not = entry_question("logical_not", np.logical_not, "is it 0, or False")


def bit_operation(name: str, combine: Any, symbol: str) -> Any:
    """An operation on the bits of integers, or on booleans; no derivative."""

    def combined(x: Any, y: Any) -> Any:
        wanted = dtypes.result_dtype((x, y)).numpy
        check_implemented(f"{name}_cpu", np.empty(0, wanted), "iub")
        return combine(x, y, dtype=wanted, casting="unsafe")

    def function(input: Any, other: Any) -> Any:
        return pairwise(combined, tensor_array(name, input), operand_of(name, other, "other", 2))

    return titled(function, name, f"``input {symbol} other`` of integers or booleans; no gradient.")


bitwise_and = bit_operation("bitwise_and", np.bitwise_and, "&")
bitwise_or = bit_operation("bitwise_or", np.bitwise_or, "|")
bitwise_xor = bit_operation("bitwise_xor", np.bitwise_xor, "^")


def bitwise_not(input: Tensor) -> Tensor:
    """``~input`` of booleans or integers. Counterpart: ``torch.bitwise_not``."""
    array = tensor_array("bitwise_not", input)
    text = "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
    ensure(array.dtype.kind != "f", text, error=TypeError)
    return new_tensor(~array)


def shift_operation(name: str, kernel: str, move: Any, symbol: str) -> Any:
    """An operation that moves the bits of integers; no derivative."""

    def moved(x: Any, y: Any) -> Any:
        wanted = dtypes.result_dtype((x, y)).numpy
        check_implemented(kernel, np.empty(0, wanted), "iu")
        return move(x, y, dtype=wanted, casting="unsafe")

    def moved_by(y: Any, x: Any) -> Any:
        return moved(x, y)

    def function(input: Any, other: Any) -> Any:
        if input.__class__ in NUMBERS:
            return pairwise(moved_by, tensor_array(name, other, "other", 2), input)
        return pairwise(moved, tensor_array(name, input), operand_of(name, other, "other", 2))

    words = f"``input {symbol} other`` of integers, either of which may be a number; no gradient."
    return titled(function, name, words)


bitwise_left_shift = shift_operation("bitwise_left_shift", "lshift_cpu", np.left_shift, "<<")
bitwise_right_shift = shift_operation("bitwise_right_shift", "rshift_cpu", np.right_shift, ">>")
