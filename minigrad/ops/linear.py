"""Products of matrices and vectors.

For C = A @ B, the gradient of A is G @ Bᵀ and that of B is Aᵀ @ G: the only order in which
the shapes fit.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..compat.arguments import BOOLEAN, check_implemented, ensure, tensor_array
from ..engine.node import TensorBase, new_tensor
from ..engine.record import differentiable
from .annotations import Array
from .diagonals import diagonal
from .elementwise.arithmetic import _add_scaled, mul
from .elementwise.choices import zero
from .elementwise.promotion import fitting_factor
from .rearranging import transpose
from .reduction import sum
from .shaping import _unsafe_view, expand, reshape, unsqueeze

if TYPE_CHECKING:
    from .._tensor import Tensor


@differentiable(
    input=lambda g, other: times(g, other.mT),
    other=lambda g, input: times(input.mT, g),
)
def _mm(input: Array, other: Array) -> Array:
    return input.dot(other)


def times(a: Any, b: Any) -> Any:
    """``a @ b`` of two matrices. (For arrays ``dot`` is half a microsecond faster than ``@``.)"""
    return _mm(a, b) if isinstance(a, TensorBase) else a.dot(b)


@differentiable(
    input=lambda g, other: g @ other.mT,
    other=lambda g, input: input.mT @ g,
)
def _bmm(input: Array, other: Array) -> Array:
    return input @ other


@differentiable(
    input=lambda g, other: g.reshape(-1, 1) * other,
    other=lambda g, input: input.mT @ g,
)
def _mv(input: Array, other: Array) -> Array:
    return input.dot(other)


@differentiable(
    shown="SqueezeBackward4",  # PyTorch makes a matrix of the vector first
    input=lambda g, other: other @ g,
    other=lambda g, input: input.reshape(-1, 1) * g,
)
def _vm(input: Array, other: Array) -> Array:
    return input.dot(other)


@differentiable(
    input=lambda g, other: g * other,
    other=lambda g, input: g * input,
)
def _dot(input: Array, other: Array) -> Array:
    return input.dot(other)


PRODUCTS = {(2, 2): _mm, (2, 1): _mv, (1, 2): _vm, (1, 1): _dot}
"""The product of two tensors with these numbers of dimensions."""

IN_C = {"Long": "long int", "Byte": "unsigned char", "Char": "signed char", "Short": "short int"}


def in_c(array: Array) -> str:
    """An array's dtype as C++ calls it, and so do some of PyTorch's messages."""
    title = dtypes.of(array).title
    return IN_C.get(title, title.lower())


def checked_sum(bias: Any, a: Any, b: Any) -> None:
    """Raise RuntimeError, as PyTorch, unless all arrays in ``bias + a @ b`` have one dtype."""
    text = "{} and mat2 must have the same dtype, but got {} and {}\n"
    text += "  fix: give both one dtype: x.float() for numbers from NumPy, and for integers."
    for name, array in (("self", bias), ("mat1", a)):
        ensure(array.dtype == b.dtype, text, name, dtypes.of(array).title, dtypes.of(b).title)


def checked(name: str, input: Any, other: Any) -> None:
    """Raise what PyTorch raises for two tensors that have no product."""
    a = tensor_array(name, input)
    b = tensor_array(name, other, "other", 2)
    text = "both arguments to {} need to be at least 1D, but they are {}D and {}D"
    ensure(a.ndim and b.ndim, text, name, a.ndim, b.ndim)
    check_same_dtype(a, b)
    check_implemented("dot" if b.ndim == 1 else "addmm_impl_cpu_", a)
    check_inner_sizes(a, b)


def check_same_dtype(a: Array, b: Array) -> None:
    """Raise RuntimeError for two dtypes: PyTorch says so differently in each of its routines."""
    if b.ndim > 2:
        text = "expected scalar type {} but found {}"
    elif b.ndim == 2:
        text = "expected m1 and m2 to have the same dtype, but got: {2} != {3}"
    elif a.ndim > 1:
        text = "addmv input tensors must have the same dtype, but got {1}, {0}, and {1}"
    else:
        text = "dot : expected both vectors to have same dtype, but found {} and {}"
    ensure(a.dtype == b.dtype, text, dtypes.of(a).title, dtypes.of(b).title, in_c(a), in_c(b))


def check_inner_sizes(a: Array, b: Array) -> None:
    """Raise RuntimeError unless the sizes over which a product sums are equal."""
    if b.ndim == 1 and a.ndim == 1:
        text = "inconsistent tensor size, expected tensor [{}] and src [{}] to be of one size"
    elif b.ndim == 1:
        text = "size mismatch, got input ({2}), mat ({0}), vec ({1})"
    elif b.ndim > 2 and a.ndim > 2:
        text = "Expected size for first two dimensions of batch2 tensor to fit {}, but got: {}."
    else:
        turned = "a.T" if a.ndim == 2 else "a.mT"
        text = (
            "mat1 and mat2 shapes cannot be multiplied ({} and {})\n"
            "  fix: the last size of the first must equal the second-last size of the second; "
            f"{turned} has them exchanged."
        )
    first = "x".join(map(str, a.shape))
    second = "x".join(map(str, b.shape))
    inner = b.shape[0] if b.ndim == 1 else b.shape[-2]
    ensure(a.shape[-1] == inner, text, first, second, len(a))


def matmul(input: Tensor, other: Any) -> Tensor:
    """The matrix product ``input @ other``.

    Two vectors give a number, a matrix and a vector a vector; of more dimensions, all but the
    last two are broadcast as a batch. Both must have one dtype. Raises RuntimeError if the
    inner sizes differ. Counterpart: ``torch.matmul``.

    >>> import minigrad as torch
    >>> torch.matmul(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 1.0]))
    tensor([3., 7.])
    """
    try:
        a = input._array
        b = other._array
        if a.dtype == b.dtype != BOOLEAN:
            return PRODUCTS[a.ndim, b.ndim](input, other)
    except (AttributeError, KeyError, ValueError):
        pass  # not the ordinary case after all: `checked` says what is wrong, if anything is
    checked("matmul", input, other)
    a = input._array.shape
    b = other._array.shape
    if len(a) == 1:  # a vector times a batch of matrices
        return matmul(transpose(other, -1, -2), input)
    if len(b) < 3:  # one matrix for the whole batch: fold the batch into the rows
        product = matmul(reshape(input, prod(a[:-1]), a[-1]), other)
        return _unsafe_view(product, (*a[:-1], *b[1:]))
    return _bmm(input, other)


def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices. Counterpart: ``torch.mm``.

    >>> import minigrad as torch
    >>> torch.mm(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0], [4.0]]))
    tensor([[11.]])
    """
    ensure(tensor_array("mm", input).ndim == 2, "self must be a matrix")
    ensure(tensor_array("mm", mat2, "mat2", 2).ndim == 2, "mat2 must be a matrix")
    return matmul(input, mat2)


def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of two stacks of as many matrices. Counterpart: ``torch.bmm``.

    >>> import minigrad as torch
    >>> torch.bmm(torch.ones(5, 2, 3), torch.ones(5, 3, 4)).shape
    torch.Size([5, 2, 4])
    """
    a = tensor_array("bmm", input)
    b = tensor_array("bmm", mat2, "mat2", 2)
    ensure(a.ndim == 3, "batch1 must be a 3D tensor")
    ensure(b.ndim == 3, "batch2 must be a 3D tensor")
    text = "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: {}."
    ensure(b.shape[:2] == a.shape[::2], text, *a.shape[::2], b.shape[:2])
    return matmul(input, mat2)


def mv(input: Tensor, vec: Tensor) -> Tensor:
    """A matrix times a vector. Counterpart: ``torch.mv``.

    >>> import minigrad as torch
    >>> torch.mv(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 10.0]))
    tensor([21., 43.])
    """
    a = tensor_array("mv", input)
    b = tensor_array("mv", vec, "vec", 2)
    text = "vector + matrix @ vector expected, got 1, {}, {}"
    ensure((a.ndim, b.ndim) == (2, 1), text, a.ndim, b.ndim)
    return matmul(input, vec)


def dot(input: Tensor, tensor: Any) -> Tensor:
    """The inner product of two vectors. Counterpart: ``torch.dot``, ``torch.vdot``.

    >>> import minigrad as torch
    >>> torch.dot(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    tensor(11.)
    """
    a = tensor_array("dot", input)
    b = tensor_array("dot", tensor, "tensor", 2)
    ensure(a.ndim == b.ndim == 1, "1D tensors expected, but got {}D and {}D", a.ndim, b.ndim)
    return matmul(input, tensor)


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """All products of an entry of a vector and one of another. Counterpart: ``torch.outer``.

    >>> import minigrad as torch
    >>> torch.outer(torch.tensor([1, 10]), torch.tensor([1, 2, 3]))
    tensor([[ 1,  2,  3],
            [10, 20, 30]])
    """
    for name, vector in (("self", input), ("vec2", vec2)):
        ndim = tensor_array("outer", vector, name).ndim
        ensure(ndim == 1, "outer: Expected 1-D argument {}, but got {}-D", name, ndim)
    return mul(unsqueeze(input, 1), vec2)


def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """``beta * input + alpha * (mat1 @ mat2)``; with ``beta=0`` nothing of ``input`` counts.

    Counterpart: ``torch.addmm``.

    >>> import minigrad as torch
    >>> torch.addmm(torch.ones(2), torch.eye(2), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([[2., 3.],
            [4., 5.]])
    """
    bias, a, b = (tensor_array("addmm", t) for t in (input, mat1, mat2))
    checked_sum(bias, a, b)
    return weighted_sum(input, beta, mm(mat1, mat2), alpha)


def weighted_sum(input: Any, beta: Any, product: Any, alpha: Any) -> Any:
    """``beta * input + alpha * product``; with ``beta=0`` nothing of ``input`` counts.

    Fractions of integers are cut off, as in PyTorch.
    """
    dtype = dtypes.of(input._array)
    if alpha != 1:
        alpha = fitting_factor(alpha, dtype)
        if not dtype.is_floating_point:
            alpha = new_tensor(alpha)
        product = product * alpha
    beta = fitting_factor(beta, dtype)
    if beta:
        return _add_scaled(product, input, beta)
    return product + zero(input)


def trace(input: Tensor) -> Tensor:
    """The sum of a matrix's diagonal. Counterpart: ``torch.trace``.

    >>> import minigrad as torch
    >>> torch.trace(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor(5.)
    """
    ndim = tensor_array("trace", input).ndim
    ensure(ndim == 2, "trace: expected a matrix, but got tensor with dim {}", ndim)
    return sum(diagonal(input))


def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1
) -> Tensor:
    """``beta * input + alpha * bmm(batch1, batch2)``. Counterpart: ``torch.baddbmm``.

    ``input`` is broadcast; with ``beta=0`` nothing of it counts, not even NaN. Raises
    RuntimeError unless all have one dtype.

    >>> import minigrad as torch
    >>> a, b = torch.ones(5, 2, 3), torch.ones(5, 3, 4)
    >>> torch.baddbmm(torch.ones(4), a, b)[0]
    tensor([[4., 4., 4., 4.],
            [4., 4., 4., 4.]])
    """
    bias, a, b = (tensor_array("baddbmm", t) for t in (input, batch1, batch2))
    names = [dtypes.of(array).name for array in (bias, a, b)]
    text = "Input dtypes must be the same, got: input {}, batch1: {}, batch2: {}"
    ensure(bias.dtype == a.dtype == b.dtype, text, *names)
    check_implemented("baddbmm", a)
    product = bmm(batch1, batch2)
    return weighted_sum(expand(input, product.shape), beta, product, alpha)
