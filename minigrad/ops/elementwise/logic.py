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

logical_and = pair_question("logical_and", np.logical_and, "and", "False,  True, False")
logical_or = pair_question("logical_or", np.logical_or, "or", "True, True, True")
logical_xor = pair_question("logical_xor", np.logical_xor, "xor", " True, False,  True")
logical_not = entry_question(
    "logical_not", np.logical_not, "is it 0, or False", " True, False, False"
)


def bit_operation(name: str, combine: Any, symbol: str, printed: str) -> Any:
    """An operation on the bits of integers, or on booleans; no derivative.

    ``printed``: what it makes of 6 and 3, which are 110 and 011 in bits.
    """

    def combined(x: Any, y: Any) -> Any:
        wanted = dtypes.result_dtype((x, y)).numpy
        check_implemented(f"{name}_cpu", np.empty(0, wanted), "iub")
        return combine(x, y, dtype=wanted, casting="unsafe")

    def function(input: Any, other: Any) -> Any:
        return pairwise(combined, tensor_array(name, input), operand_of(name, other, "other", 2))

    words = f"``input {symbol} other`` of integers or booleans; no gradient."
    call = f"torch.{name}(torch.tensor(6), torch.tensor(3))"
    return titled(function, name, words, call, f"tensor({printed})")


bitwise_and = bit_operation("bitwise_and", np.bitwise_and, "&", "2")
bitwise_or = bit_operation("bitwise_or", np.bitwise_or, "|", "7")
bitwise_xor = bit_operation("bitwise_xor", np.bitwise_xor, "^", "5")


def bitwise_not(input: Tensor) -> Tensor:
    """``~input`` of booleans or integers. Counterpart: ``torch.bitwise_not``.

    >>> import minigrad as torch
    >>> torch.bitwise_not(torch.tensor([0, 1, 5]))
    tensor([-1, -2, -6])
    """
    array = tensor_array("bitwise_not", input)
    text = "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
    ensure(array.dtype.kind != "f", text, error=TypeError)
    return new_tensor(~array)


def shift_operation(name: str, kernel: str, move: Any, symbol: str, printed: str) -> Any:
    """An operation that moves the bits of integers; no derivative.

    ``printed``: what it makes of 4 and 1.
    """

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
    return titled(function, name, words, f"torch.{name}(torch.tensor(4), 1)", f"tensor({printed})")


bitwise_left_shift = shift_operation("bitwise_left_shift", "lshift_cpu", np.left_shift, "<<", "8")
bitwise_right_shift = shift_operation(
    "bitwise_right_shift", "rshift_cpu", np.right_shift, ">>", "2"
)
