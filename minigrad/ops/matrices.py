"""Matrices that have an inverse: linear equations, determinants, powers; and ``linalg.norm``.

Decompositions (eigenvalues, singular values) are not covered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..compat.arguments import ensure, number_of, tensor_array
from ..engine.node import TensorBase, new_tensor
from ..engine.record import differentiable, operation
from . import norms
from .annotations import Array
from .creation import eye
from .results import named_result
from .shaping import clone, expand, squeeze, unsqueeze

if TYPE_CHECKING:
    from .._tensor import Tensor


class LinAlgError(RuntimeError):
    """A matrix without an inverse. Counterpart: ``torch.linalg.LinAlgError``.

    >>> import minigrad as torch
    >>> try:
    ...     torch.linalg.inv(torch.zeros(2, 2))
    ... except torch.linalg.LinAlgError:
    ...     print("no inverse")
    no inverse
    """


LinAlgError.__name__ = "_LinAlgError"  # the name that PyTorch's shows


def square_array(function: str, A: Any, kinds: str = "f") -> Any:
    """The array of a square matrix, or of a stack of them. Raises RuntimeError for others."""
    x = tensor_array(function, A, "A")
    ensure(x.ndim >= 2, "{}: The input tensor A must have at least 2 dimensions.", function)
    text = "{}: A must be batches of square matrices, but they are {} by {} matrices"
    ensure(x.shape[-1] == x.shape[-2], text, function, *x.shape[-2:])
    text = "{}: Expected a floating point or complex tensor as input. Got {}"
    ensure(x.dtype.kind in kinds, text, function, dtypes.of(x).title)
    return x


# ---------------------------------------------------------------------- inverses, equations


def tells_of_singular() -> bool:
    """Does NumPy raise an error for a matrix without inverse? In a browser it gives NaN."""
    try:
        np.linalg.inv(np.zeros((1, 1)))
    except np.linalg.LinAlgError:
        return True
    return False


TOLD = tells_of_singular()


def inverting(compute: Any, text: str, *matrices: Any) -> Any:
    """``compute(*matrices)``. Raises LinAlgError, with this text, for a matrix without inverse."""
    try:
        # The sign of the determinant is 0 if, and only if, elimination met a pivot of 0.
        if not TOLD and not np.linalg.slogdet(matrices[0]).sign.all():
            raise np.linalg.LinAlgError
        return compute(*matrices)
    except np.linalg.LinAlgError:
        raise LinAlgError(text) from None


@differentiable(
    name="linalg_inv_ex",
    input=lambda g, out: -(out.mT @ g @ out.mT),
)
def _inv(input: Array) -> Array:
    text = "linalg.inv: The diagonal element of the matrix in triangular form is zero, the "
    text += "inversion could not be completed because the input matrix is singular."
    return inverting(np.linalg.inv, text, input)


@operation(
    name="linalg_solve_ex",
    A=lambda g, A, out: -(_solve(A.mT, g) @ out.mT),
    B=lambda g, A: _solve(A.mT, g),
)
def _solve(A: Array, B: Array) -> Array:
    text = "torch.linalg.solve: The solver failed because the input matrix is singular."
    return inverting(np.linalg.solve, text, A, B)


def inv(A: Any) -> Tensor:
    """The inverse of a square matrix, or of each of a stack.

    Raises ``LinAlgError``, a RuntimeError, for a singular matrix.
    Counterpart: ``torch.linalg.inv``, ``torch.inverse``.

    >>> import minigrad as torch
    >>> torch.linalg.inv(torch.tensor([[2.0, 0.0], [0.0, 4.0]]))
    tensor([[0.5000, 0.0000],
            [0.0000, 0.2500]])
    """
    square_array("linalg.inv", A)
    return _inv(A)


def solve(A: Any, B: Any, *, left: bool = True) -> Tensor:
    """The X with ``A @ X == B``, for vectors or matrices B; with ``left=False``, ``X @ A == B``.

    More exact than ``inv(A) @ B``. Raises ``LinAlgError`` if A is singular.
    Counterpart: ``torch.linalg.solve``.

    >>> import minigrad as torch
    >>> torch.linalg.solve(torch.tensor([[2.0, 1.0], [0.0, 4.0]]), torch.tensor([4.0, 8.0]))
    tensor([1., 2.])
    """
    x = square_array("linalg.solve", A)
    y = tensor_array("linalg.solve", B, "B", 2)
    text = "linalg.solve: Expected A and B to have the same dtype, but found {} and {}"
    ensure(x.dtype == y.dtype, text, dtypes.of(x).title, dtypes.of(y).title)
    if not left:
        return solve(A.mT, B.mT).mT
    vectors = y.ndim == 1 or y.shape == x.shape[:-1]
    size = y.shape[-1] if vectors else y.shape[-2]
    text = "linalg.solve: Incompatible shapes of A and B for the equation AX = B ({} and {})"
    ensure(size == x.shape[-1], text, x.shape, y.shape)
    if vectors:
        return squeeze(_solve(A, unsqueeze(B, -1)), -1)
    return _solve(A, B)


def matrix_power(A: Any, n: int) -> Tensor:
    """A times itself, n times; of the inverse, if n is negative.

    Counterpart: ``torch.linalg.matrix_power``, ``torch.matrix_power``.

    >>> import minigrad as torch
    >>> torch.linalg.matrix_power(torch.tensor([[1, 1], [0, 1]]), 5)
    tensor([[1, 5],
            [0, 1]])
    """
    x = square_array("linalg.matrix_power", A, "fiu")
    if n < 0:
        return matrix_power(inv(A), -n)
    if n == 0:
        return clone(expand(eye(len(x.T), dtype=dtypes.of(x)), x.shape))
    if n == 1:
        return clone(A)
    half = matrix_power(A, n // 2)
    power = half @ half
    return power @ A if n % 2 else power


# -------------------------------------------------------------------------------- determinants


@differentiable(
    name="linalg_det",
    input=lambda g, input: g.reshape(*g.shape, 1, 1) * _cofactors(input),
)
def _det(input: Array) -> Array:
    return nan_from(input, without_warning(np.linalg.det, input))


def without_warning(find: Any, matrix: Any) -> Any:
    """``find(matrix)``, without NumPy's warning about NaN."""
    with np.errstate(invalid="ignore"):
        return find(matrix)


def nan_from(input: Array, out: Array, value: float = np.nan) -> Array:
    """``out``, but ``value`` where the matrix has a NaN, which LAPACK may take for a 0."""
    unknown = np.isnan(input).any((-2, -1))
    return np.where(unknown, out.dtype.type(value), out)[()]


@differentiable(input=lambda g, input: cofactors_gradient(g, input))
def _cofactors(input: Array) -> Array:
    """The derivative of the determinant: det(A) A⁻ᵀ, right also where A has no inverse.

    With A = U S V, it is ± U C V, where C has on its diagonal the products of the other singular
    values.
    """
    u, s, v = np.linalg.svd(input)
    others = np.where(np.eye(s.shape[-1], dtype=bool), 1, s[..., None, :]).prod(-1)
    sign = np.linalg.det(u) * np.linalg.det(v)
    return (sign[..., None, None] * u * others[..., None, :]) @ v


def cofactors_gradient(g: Any, input: Any) -> Any:
    """The gradient of ``_cofactors``.

    Of arrays it is right for every matrix. Of tensors, which are to be differentiated again, it
    goes through the inverse: RuntimeError if there is none.
    """
    if isinstance(input, TensorBase):
        return cofactors_gradient_by_inverse(g, input)
    u, s, v = np.linalg.svd(input)
    one = np.eye(s.shape[-1], dtype=bool)
    # For each two singular values the product of the others.
    others = np.where(one | one[:, None], 1, s[..., None, None, :]).prod(-1) * ~one
    sign = np.linalg.det(u) * np.linalg.det(v)
    turned = (u.mT @ g @ v.mT) * sign[..., None, None]
    diagonal = others @ turned.diagonal(0, -2, -1)[..., None]
    return u @ (one * diagonal - others * turned.mT) @ v


def cofactors_gradient_by_inverse(g: Any, input: Any) -> Any:
    """With C = det(A) A⁻ᵀ: sum(g * C) A⁻ᵀ - C gᵀ A⁻ᵀ."""
    array = input._array
    condition = np.linalg.cond(array) if array.size else 0
    regular = np.all(condition < np.finfo(array.dtype).eps ** -0.4)
    ensure(regular, "linalg.det: no third derivative here, where A has next to no inverse")
    cofactors = _cofactors(input)
    inverse = _inv(input).mT
    total = (g * cofactors).sum((-2, -1))
    return total.reshape(*total.shape, 1, 1) * inverse - cofactors @ g.mT @ inverse


@differentiable(
    name="linalg_slogdet",
    input=lambda g, input: g.reshape(*g.shape, 1, 1) * _inv(input).mT,
)
def _logabsdet(input: Array) -> Array:
    _, logabsdet = without_warning(np.linalg.slogdet, input)
    return nan_from(input, logabsdet)


def det(A: Any) -> Tensor:
    """The determinant of a square matrix, or of each of a stack.

    Its gradient is right for singular matrices too. Counterpart: ``torch.linalg.det``.

    >>> import minigrad as torch
    >>> torch.linalg.det(torch.tensor([[2.0, 1.0], [0.0, 4.0]]))
    tensor(8.)
    """
    square_array("linalg.det", A)
    return _det(A)


def slogdet(A: Any) -> Any:
    """The determinant's sign, and the logarithm of its absolute value.

    Counterpart: ``torch.linalg.slogdet``.

    >>> import minigrad as torch
    >>> torch.linalg.slogdet(torch.tensor([[-1.0, 0.0], [0.0, 1.0]]))
    torch.return_types.linalg_slogdet(
    sign=tensor(-1.),
    logabsdet=tensor(0.))
    """
    array = square_array("linalg.slogdet", A)
    sign, _ = without_warning(np.linalg.slogdet, array)
    result = named_result("linalg_slogdet", "sign logabsdet")
    return result(new_tensor(nan_from(array, sign, 0)), _logabsdet(A))


# --------------------------------------------------------------------------------------- norms


def vector_norm(
    x: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The norm of all entries, or along ``dim``. Counterpart: ``torch.linalg.vector_norm``.

    >>> import minigrad as torch
    >>> torch.linalg.vector_norm(torch.tensor([[3.0, 4.0], [6.0, 8.0]]), dim=1)
    tensor([ 5., 10.])
    """
    return norms.norm(x, number_of("linalg_vector_norm", ord, "ord", 2), dim, keepdim, dtype)


def norm(
    A: Any, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The length of all entries as a vector, or along ``dim``; ``ord`` names other norms.

    Of vectors, (Σ |A|**ord) ** (1 / ord); of matrices (two dimensions) only "fro", the length of
    all entries. Counterpart: ``torch.linalg.norm``.

    >>> import minigrad as torch
    >>> torch.linalg.norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(5.)
    """
    ndim = tensor_array("linalg.norm", A, "A").ndim
    dims = dim
    if dim is not None and not isinstance(dim, (tuple, list)):
        dims = (dim,)
    text = "linalg.norm: If dim is specified, it must be of length 1 or 2. Got {}"
    ensure(dims is None or len(dims) in (1, 2), text, dims)
    text = "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {}D."
    ensure(dims is not None or ord is None or ndim in (1, 2), text, ndim)
    reduced = ndim if dims is None else len(dims)
    if ord is not None and reduced == 2:
        known = ord == "fro"
    else:
        known = not isinstance(ord, str)
    ensure(known, "linalg.matrix_norm: Order {} not supported.", ord)
    if ord is None or ord == "fro":
        ord = 2
    return vector_norm(A, ord, dims, keepdim, dtype=dtype)
