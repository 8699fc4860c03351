"""A layer's weighted sums."""

from __future__ import annotations

from math import prod

from .._tensor import Tensor
from ..compat.arguments import ensure, tensor_array
from ..fast.linear import linear_at_once
from ..ops.linear import checked, checked_sum, matmul
from ..ops.rearranging import t
from ..ops.shaping import _view, reshape

FEATURES = (
    "mat1 and mat2 shapes cannot be multiplied ({0} and {1})\n"
    "  The layer takes {3} features, as the last size of its input, whose shape is {2}.\n"
    "  fix: Linear({4}, ...); or another input, such as a flatter one: Flatten()."
)


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """``input @ weight.T + bias``: a layer's weighted sums.

    ``weight``: a row for each result. Counterpart: ``torch.nn.functional.linear``.

    >>> import minigrad as torch
    >>> import minigrad.nn.functional as F
    >>> F.linear(torch.tensor([1.0, 2.0]), torch.tensor([[10.0, 1.0]]), torch.tensor([0.5]))
    tensor([12.5000])
    """
    x = tensor_array("linear", input)
    w = tensor_array("linear", weight, "weight", 2)
    if bias is None:
        return matmul(input, t(weight))
    b = tensor_array("linear", bias, "bias", 3)
    ensure(w.ndim == 2, "mat2 must be a matrix, got {}-D tensor", w.ndim)
    if x.dtype is not w.dtype or x.dtype is not b.dtype or x.shape[-1:] != w.shape[1:]:
        checked_sum(b, x, w)
        fits = x.ndim == 0 or x.shape[-1] == w.shape[1]
        shapes = ["x".join(map(str, shape)) for shape in (x.shape, w.T.shape)]
        ensure(fits, FEATURES, *shapes, list(x.shape), w.shape[1], *x.shape[-1:])
        checked("linear", input, weight.T)
    # input @ weight.T + bias, see fast/linear.py
    if x.ndim == 2:
        return linear_at_once(input, weight, bias)
    matrix = reshape(input, (prod(x.shape[:-1]), w.shape[1]))
    return _view(linear_at_once(matrix, weight, bias), (*x.shape[:-1], w.shape[0]))
