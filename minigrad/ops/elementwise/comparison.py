"""Questions about entries and about pairs of them. The answers are booleans, without gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...compat.arguments import ensure, operand_of, tensor_array, titled
from ...engine.node import new_tensor
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


def pair_question(name: str, compare: Any, symbol: str) -> Any:
    """An operation that answers True or False for each pair, and so has no derivative.

    Beside a tensor, the signs (``==``) take a number too; the words (``and``) do not.
    """
    second = tensor_array if symbol.isalpha() else operand_of

    def function(input: Any, other: Any) -> Any:
        return pairwise(compare, tensor_array(name, input), second(name, other, "other", 2))

    words = f"``input {symbol} other`` for each entry, broadcast; booleans, without a gradient."
    return titled(function, name, words)


eq = pair_question("eq", np.equal, "==")
ne = pair_question("ne", np.not_equal, "!=")
lt = pair_question("lt", np.less, "<")
le = pair_question("le", np.less_equal, "<=")
gt = pair_question("gt", np.greater, ">")
ge = pair_question("ge", np.greater_equal, ">=")


def entry_question(name: str, answer: Any, what: str) -> Any:
    """An operation that answers True or False for each entry, and so has no derivative."""

    def function(input: Any) -> Any:
        return new_tensor(answer(tensor_array(name, input)))

    return titled(function, name, f"For each entry: {what}?")


isnan = entry_question("isnan", np.isnan, "is it NaN")
isinf = entry_question("isinf", np.isinf, "is it infinite")
isfinite = entry_question("isfinite", np.isfinite, "is it a number, neither infinite nor NaN")


def isclose(
    input: Tensor, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Tensor:
    """For each pair: is abs(input - other) <= atol + rtol * abs(other)?

    NaN is close to NaN if ``equal_nan``. Raises RuntimeError for two dtypes.
    Counterpart: ``torch.isclose``.
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
    """Have the two the same shape and the same values? Counterpart: ``torch.equal``."""
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
    entries = np.asarray(pair[0]).astype(dtype)
    among = np.asarray(pair[1]).astype(dtype)
    return new_tensor(np.isin(entries, among, invert=invert))
