"""Products of matrices and vectors.

For C = A @ B, the gradient of A is G @ Bᵀ and that of B is Aᵀ @ G: the only order in which
the shapes fit.
"""

from __future__ import annotations

from math import prod
from typing import Any

from .. import dtypes
from ..graph import TensorBase
from ..primitive import differentiable, operation
from .arguments import BOOLEAN, check_implemented, ensure, tensor_array
from .elementwise import mul
from .gathering import diagonal
from .reduction import sum
from .shaping import reshape, squeeze, unsqueeze


@differentiable(
    input=lambda g, other: times(g, other.mT),
    other=lambda g, input: times(input.mT, g),
)
def _mm(input, other):
    return input.dot(other)


def times(a: Any, b: Any) -> Any:
    """``a @ b`` of two matrices. (For arrays ``dot`` is half a microsecond faster than ``@``.)"""
    return _mm(a, b) if isinstance(a, TensorBase) else a.dot(b)


@differentiable(input=lambda g, other: g @ other.mT, other=lambda g, input: input.mT @ g)
def _bmm(input, other):
    return input @ other


@differentiable(
    input=lambda g, other: g.reshape(-1, 1) * other,
    other=lambda g, input: input.mT @ g,
)
def _mv(input, other):
    return input @ other


@differentiable(input=lambda g, other: g * other, other=lambda g, input: g * input)
def _dot(input, other):
    return input @ other


@operation(
    name="addmm",
    input=lambda g, weight: times(g, weight),
    weight=lambda g, input: times(g.mT, input),
    bias=lambda g: g,
)
def _linear(input, weight, bias):
    out = input.dot(weight.T)
    out += bias
    return out


def checked(name: str, input: Any, other: Any) -> None:
    """Raise what PyTorch raises where a product of these two makes no sense."""
    a, b = tensor_array(name, input), tensor_array(name, other, "other", 2)
    text = "both arguments to {} need to be at least 1D, but they are {}D and {}D"
    ensure(a.ndim and b.ndim, text, name, a.ndim, b.ndim)
    if a.dtype != b.dtype:
        text = "expected m1 and m2 to have the same dtype, but got: {} != {}"
        if a.ndim > 2 and b.ndim > 2:
            text = "expected scalar type {} but found {}"
        raise RuntimeError(text.format(dtypes.of(a).title, dtypes.of(b).title))
    check_implemented("dot" if b.ndim == 1 else "addmm_impl_cpu_", a)
    if a.shape[-1] == b.shape[-2 if b.ndim > 1 else 0]:
        return
    text = (
        "mat1 and mat2 shapes cannot be multiplied ({} and {}): the last size of the first must "
        "equal the second-last size of the second"
    )
    shapes = ["x".join(map(str, array.shape)) for array in (a, b)]
    if a.ndim > 2 and b.ndim > 2:
        text = "Expected size for first two dimensions of batch2 tensor to fit {}, but got: {}."
    elif a.ndim > 1 and b.ndim == 1:
        text = "size mismatch, got input ({2}), mat ({0}), vec ({1})"
    elif a.ndim == b.ndim == 1:
        text = "inconsistent tensor size, expected tensor [{}] and src [{}] to have the same size"
    raise RuntimeError(text.format(*shapes, len(a)))


def matmul(input: Any, other: Any) -> Any:
    """The matrix product ``input @ other``.

    Two vectors give a number, a matrix and a vector a vector; of more dimensions, all but the
    last two are broadcast as a batch. Both must have one dtype. Raises RuntimeError if the
    inner sizes differ. Counterpart: ``torch.matmul``.

    >>> import minigrad as torch
    >>> torch.matmul(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([1.0, 1.0]))
    tensor([3., 7.])
    """
    try:
        a, b = input._array, other._array
        if a.ndim == 2 and b.ndim == 2 and a.dtype is b.dtype is not BOOLEAN:
            return _mm(input, other)
    except (AttributeError, ValueError):
        pass  # not the ordinary case after all: `checked` says what is wrong
    checked("matmul", input, other)
    m, n = input._array.ndim, other._array.ndim
    if m == n == 1:
        return _dot(input, other)
    if m == 2 and n == 1:
        return _mv(input, other)
    if m == 1:
        return squeeze(matmul(unsqueeze(input, 0), other), -2)
    if n == 1:
        return squeeze(matmul(input, unsqueeze(other, 1)), -1)
    a, b = input._array.shape, other._array.shape
    if n == 2:  # one matrix for the whole batch: fold the batch into the rows
        return reshape(_mm(reshape(input, prod(a[:-1]), a[-1]), other), *a[:-1], b[-1])
    return _bmm(input, other)


def mm(input: Any, mat2: Any) -> Any:
    """The product of two matrices. Counterpart: ``torch.mm``."""
    ensure(tensor_array("mm", input).ndim == 2, "self must be a matrix")
    ensure(tensor_array("mm", mat2, "mat2", 2).ndim == 2, "mat2 must be a matrix")
    return matmul(input, mat2)


def bmm(input: Any, mat2: Any) -> Any:
    """The products of two stacks of as many matrices. Counterpart: ``torch.bmm``.

    >>> import minigrad as torch
    >>> torch.bmm(torch.ones(5, 2, 3), torch.ones(5, 3, 4)).shape
    torch.Size([5, 2, 4])
    """
    a, b = tensor_array("bmm", input), tensor_array("bmm", mat2, "mat2", 2)
    ensure(a.ndim == 3, "batch1 must be a 3D tensor")
    ensure(b.ndim == 3, "batch2 must be a 3D tensor")
    text = "Expected size for first two dimensions of batch2 tensor to be: [{}, {}] but got: {}."
    ensure(b.shape[:2] == a.shape[::2], text, *a.shape[::2], b.shape[:2])
    return matmul(input, mat2)


def mv(input: Any, vec: Any) -> Any:
    """A matrix times a vector. Counterpart: ``torch.mv``."""
    a, b = tensor_array("mv", input), tensor_array("mv", vec, "vec", 2)
    text = "vector + matrix @ vector expected, got 1, {}, {}"
    ensure((a.ndim, b.ndim) == (2, 1), text, a.ndim, b.ndim)
    return matmul(input, vec)


def dot(input: Any, tensor: Any) -> Any:
    """The inner product of two vectors. Counterpart: ``torch.dot``, ``torch.vdot``."""
    a, b = tensor_array("dot", input), tensor_array("dot", tensor, "tensor", 2)
    ensure(a.ndim == b.ndim == 1, "1D tensors expected, but got {}D and {}D", a.ndim, b.ndim)
    text = "dot : expected both vectors to have same dtype, but found {} and {}"
    ensure(a.dtype == b.dtype, text, dtypes.of(a).title, dtypes.of(b).title)
    return matmul(input, tensor)


def outer(input: Any, vec2: Any) -> Any:
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


def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """``beta * input + alpha * (mat1 @ mat2)``. Counterpart: ``torch.addmm``."""
    text = "self and mat2 must have the same dtype, but got {} and {}"
    ensure(input.dtype is mat2.dtype, text, input.dtype, mat2.dtype)
    return mm(mat1, mat2) * alpha + input * beta


def baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """``beta * input + alpha * bmm(batch1, batch2)``. Counterpart: ``torch.baddbmm``."""
    return bmm(batch1, batch2) * alpha + input * beta


def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """``input @ weight.T + bias``: a layer's weighted sums.

    ``weight``: a row for each result. Counterpart: ``torch.nn.functional.linear``.

    >>> import minigrad as torch
    >>> from minigrad.ops.linear import linear
    >>> linear(torch.tensor([1.0, 2.0]), torch.tensor([[10.0, 1.0]]), torch.tensor([0.5]))
    tensor([12.5000])
    """
    x, w = tensor_array("linear", input), tensor_array("linear", weight, "weight", 2)
    if bias is None:
        return matmul(input, weight.T if w.ndim > 1 else weight)
    ensure(w.ndim == 2, "mat2 must be a matrix, got {}-D tensor", w.ndim)
    if x.dtype is not w.dtype or x.dtype is not bias._array.dtype or x.shape[-1:] != w.shape[1:]:
        checked("linear", input, weight.T)
        checked("linear", unsqueeze(bias, 0), unsqueeze(bias.to(input.dtype), 1))
    if x.ndim == 2:
        return _linear(input, weight, bias)
    flat = reshape(input, prod(x.shape[:-1]), w.shape[1])
    return reshape(_linear(flat, weight, bias), *x.shape[:-1], w.shape[0])


def trace(input: Any) -> Any:
    """The sum of a matrix's diagonal. Counterpart: ``torch.trace``."""
    ndim = tensor_array("trace", input).ndim
    ensure(ndim == 2, "trace: expected a matrix, but got tensor with dim {}", ndim)
    return sum(diagonal(input))
