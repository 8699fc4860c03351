"""Norms: lengths of vectors, and distances."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..compat.arguments import ensure, in_order, number_of, of_tensor, tensor_array
from ..engine.operands import to_dtype
from ..engine.record import operation
from .annotations import Array, Dims
from .elementwise.arithmetic import abs, sign
from .elementwise.choices import where_
from .extremes import split_among_ties_along
from .reduction import count, dims_of, refuse_integers, with_keepdim

if TYPE_CHECKING:
    from .._tensor import Tensor


def norm_gradient(g: Any, input: Any, out: Any, p: float, dim: Dims) -> Any:
    """g * sign(input) * (abs(input) / out) ** (p - 1); at the zero vector 0."""
    if p == 0:  # it counts entries, so it has no derivative
        return None
    g = with_keepdim(g, input.shape, dim)
    out = with_keepdim(out, input.shape, dim)
    if p in (inf, -inf):
        return where_(out == out, sign(input) * split_among_ties_along(g, abs(input), out, dim), 0)
    if p == 2:
        return input * (g * where_(out == 0, 0, 1 / out))
    steep = where_(input == 0, 0, abs(input) ** (p - 1))
    return sign(input) * steep * where_(out == 0, 0, g * out ** (1 - p))


@operation(
    name="linalg_vector_norm",
    input=lambda g, input, out, p, dim: norm_gradient(g, input, out, p, dim),
)
def _norm(input: Array, p: float, dim: Dims, keepdim: Any) -> Array:
    if p == 0:
        nonzero = np.add.reduce(input != 0, axis=dim, keepdims=keepdim, dtype=input.dtype)
        return in_order(nonzero)
    if p in (inf, -inf):
        extreme = np.maximum if p > 0 else np.minimum
        return in_order(extreme.reduce(np.abs(input), axis=dim, keepdims=keepdim))
    if p == 2 and len(dim) == input.ndim > 0 and not keepdim:  # BLAS, without a temporary
        return np.sqrt(np.vdot(input, input))
    with np.errstate(all="ignore"):
        powers = input * input if p == 2 else np.abs(input) ** p
        return in_order(np.add.reduce(powers, axis=dim, keepdims=keepdim) ** (1 / p))


@of_tensor
def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Tensor:
    """(Σ |input|**p) ** (1 / p), over all entries or along ``dim``; the length, for p = 2.

    ``p`` may also be inf (the largest absolute value), -inf (the smallest) or 0 (how many are
    not 0). At the zero vector the derivative is 0. Raises RuntimeError for integers.
    Counterpart: ``torch.norm``.

    >>> import minigrad as torch
    >>> x = torch.tensor([3.0, -4.0])
    >>> torch.norm(x), torch.norm(x, p=1)
    (tensor(5.), tensor(7.))
    """
    refuse_integers(input, "linalg.vector_norm: Expected a floating point or complex tensor.")
    if dtype is not None:
        input = to_dtype(input, dtypes.asked("norm", dtype).numpy)
    known = not isinstance(p, str) or p == "fro"
    ensure(known, "linalg.matrix_norm: Order {} not supported.", p)
    p = 2.0 if p in ("fro", None) else float(p)
    dim = dims_of(dim, input._array.ndim)
    fits = (0 <= p < inf) or count(input._array.shape, dim)
    ensure(fits, "linalg.vector_norm cannot compute the {} norm on an empty tensor", p)
    return _norm(input, p, dim, keepdim)


def dist(input: Tensor, other: Any, p: Any = 2) -> Tensor:
    """The ``p``-norm of ``input - other``: a distance. Counterpart: ``torch.dist``.

    Where the two are equal, the derivative is 0. Raises RuntimeError for integers.

    >>> import minigrad as torch
    >>> torch.dist(torch.tensor([1.0, 1.0]), torch.tensor([4.0, 5.0]))
    tensor(5.)
    """
    both = tensor_array("dist", input), tensor_array("dist", other, "other", 2)
    dtype = dtypes.result_dtype(both)
    text = "norm(): input dtype should be either floating point or complex. Got {} instead."
    ensure(dtype.is_floating_point, text, dtype.title)
    return norm(input - other, number_of("dist", p, "p", 3))
