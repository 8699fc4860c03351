"""Questions about entries and about pairs of them. The answers are booleans, without gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...compat.arguments import ensure, operand_of, tensor_array, titled
from ...engine.arrays import as_array
from ...engine.node import TensorBase, Watch, new_tensor, tell_of_cut
from ...engine.operands import broadcast_error, wrap_around
from ...engine.record import NUMBERS

if TYPE_CHECKING:
    from ..._tensor import Tensor


def pairwise(compute: Any, x: Any, y: Any, *options: Any) -> Any:
    """What NumPy computes of two arrays, or an array and a number, as a tensor."""
    if y.__class__ is int and x.dtype.kind in "iu":
        y = wrap_around(y, x.dtype)
    elif isinstance(y, (np.ndarray, np.generic)) and y.dtype is not x.dtype:
        wanted = dtypes.result_dtype((x, y)).numpy
        x = x.astype(wanted)
        y = y.astype(wanted)
    try:
        return new_tensor(compute(x, y, *options))
    except ValueError as error:
        raise broadcast_error(error, x, y) from None


def pair_question(name: str, compare: Any, symbol: str, printed: str) -> Any:
    """An operation that answers True or False for each pair, and so has no derivative.

    Beside a tensor, the signs (``==``) take a number too; the words (``and``) do not.
    ``printed``: the answers for 0, 1, 2 beside 1, 1, 0.
    """
    second = tensor_array if symbol.isalpha() else operand_of

    def function(input: Any, other: Any) -> Any:
        x = tensor_array(name, input)
        answer = pairwise(compare, x, second(name, other, "other", 2))
        if Watch.observer is not None:
            tell_of_question(symbol, (input, other), answer)
        return answer

    words = f"``input {symbol} other`` for each entry, broadcast; booleans, without a gradient."
    call = f"torch.{name}(torch.tensor([0, 1, 2]), torch.tensor([1, 1, 0]))"
    return titled(function, name, words, call, f"tensor([{printed}])")


def tell_of_question(how: str, operands: tuple[Any, ...], answer: Any) -> None:
    """Tell whoever watches that no gradient comes back from the answer."""
    for operand in operands:
        if isinstance(operand, TensorBase):
            tell_of_cut(operand, how, answer)


eq = pair_question("eq", np.equal, "==", "False,  True, False")
ne = pair_question("ne", np.not_equal, "!=", " True, False,  True")
lt = pair_question("lt", np.less, "<", " True, False, False")
le = pair_question("le", np.less_equal, "<=", " True,  True, False")
gt = pair_question("gt", np.greater, ">", "False, False,  True")
ge = pair_question("ge", np.greater_equal, ">=", "False,  True,  True")


def entry_question(name: str, answer: Any, what: str, printed: str) -> Any:
    """An operation that answers True or False for each entry, and so has no derivative.

    ``printed``: the answers for 0, infinity and NaN.
    """

    def function(input: Any) -> Any:
        answered = new_tensor(answer(tensor_array(name, input)))
        if Watch.observer is not None:
            tell_of_question(f"{name}()", (input,), answered)
        return answered

    call = f"torch.{name}(torch.tensor([0.0, torch.inf, torch.nan]))"
    return titled(function, name, f"For each entry: {what}?", call, f"tensor([{printed}])")


isnan = entry_question("isnan", np.isnan, "is it NaN", "False, False,  True")
isinf = entry_question("isinf", np.isinf, "is it infinite", "False,  True, False")
isfinite = entry_question(
    "isfinite", np.isfinite, "is it a number, neither infinite nor NaN", " True, False, False"
)


def isclose(
    input: Tensor, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """For each pair: is abs(input - other) <= atol + rtol * abs(other)?

    NaN is close to NaN if ``equal_nan``. Raises RuntimeError for two dtypes.
    Counterpart: ``torch.isclose``.

    >>> import minigrad as torch
    >>> torch.isclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.1]))
    tensor([ True, False])
    """
    x = tensor_array("isclose", input)
    y = tensor_array("isclose", other, "other", 2)
    ensure(x.dtype == y.dtype, "{} did not match {}", dtypes.of(x).title, dtypes.of(y).title)
    return pairwise(np.isclose, x, y, rtol, atol, equal_nan)


def allclose(
    input: Tensor, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> bool:
    """Is every pair close, in the sense of ``isclose``? Counterpart: ``torch.allclose``.

    >>> import minigrad as torch
    >>> torch.allclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.000001]))
    True
    """
    return bool(isclose(input, other, rtol, atol, equal_nan)._array.all())


def equal(input: Tensor, other: Any) -> bool:
    """Have the two the same shape and the same values? Counterpart: ``torch.equal``.

    >>> import minigrad as torch
    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    True
    """
    return np.array_equal(tensor_array("equal", input), tensor_array("equal", other, "other", 2))


def isin(
    elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    """For each entry of ``elements``: is it among ``test_elements``? Booleans.

    Either may be a number. NaN is not among anything. With ``invert``: is it not?
    Raises RuntimeError for booleans. Counterpart: ``torch.isin``.

    >>> import minigrad as torch
    >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([3, 1]))
    tensor([ True, False,  True])
    """
    if elements.__class__ in NUMBERS:
        pair = elements, tensor_array("isin", test_elements, "test_elements", 2)
    else:
        first = tensor_array("isin", elements, "elements")
        pair = first, operand_of("isin", test_elements, "test_elements", 2)
    kinds = [dtypes.result_dtype((operand,)) for operand in pair]
    ensure(dtypes.bool_ not in kinds, "Unsupported input type encountered for isin(): Bool")
    dtype = dtypes.result_dtype(pair).numpy
    entries = as_array(pair[0]).astype(dtype)
    among = as_array(pair[1]).astype(dtype)
    return new_tensor(np.isin(entries, among, invert=invert))
