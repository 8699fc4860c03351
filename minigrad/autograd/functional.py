"""Derivatives of a function at a point: matrices, and their products with a vector.

``vjp`` is what a backward pass computes. ``jacobian`` is a vjp for each entry of the output.
``jvp`` has no forward mode to stand on: a vjp u -> u^T J is linear in u, so pulling v back
through *it* gives J v (the double-backward trick). Those of second order are the same three,
taken of the gradient of a scalar function.

The function is called with stand-ins for the inputs, so that nothing of the caller's is changed
and a tensor that the function reaches in another way is a constant. With ``create_graph`` a
stand-in is a view of its input, through which the results can be differentiated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._tensor import Tensor
from ..compat.missing import missing_from
from ..engine.backward import grad
from ..engine.modes import enable_grad
from ..ops.creation import zeros_like
from ..ops.joining import stack
from .functional_checks import (
    CONSTANT_GRADIENT,
    CONSTANT_SLOPE,
    NO_DOUBLE_BACKWARD,
    NO_HESSIAN,
    TensorFunction,
    Tensors,
    check_dependence,
    check_strategy,
    checked_vector,
    constant_result,
    evaluated,
    evaluated_scalar,
    formed_as,
    independent,
    returned,
    stand_ins,
    tupled,
    with_zeros,
)

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]


# -------------------------------------------------------------------------------- the calculus


def derivatives(
    ys: Sequence[Any], xs: Sequence[Any], vs: Sequence[Any], create_graph: bool
) -> tuple[Any, ...]:
    """``sum_k v_k^T (dy_k / dx)`` for each x; None where no y depends on it."""
    pairs = [(y, v) for y, v in zip(ys, vs) if y is not None and y.requires_grad]
    if not pairs:
        return (None,) * len(xs)
    roots, seeds = zip(*pairs)
    return grad(roots, xs, seeds, retain_graph=True, create_graph=create_graph, allow_unused=True)


def vector_products(
    ys: Sequence[Any], xs: Sequence[Any], like: Sequence[Tensor]
) -> tuple[tuple[Tensor, ...], tuple[Any, ...]]:
    """New vectors u, shaped like the ys, and ``u^T J``: to be differentiated with respect to u."""
    us = tuple(zeros_like(y).requires_grad_() for y in like)
    return us, derivatives(ys, xs, us, create_graph=True)


def gradient_of(y: Tensor, xs: Sequence[Tensor], strict: bool) -> tuple[Any, ...]:
    """The gradient of a scalar, to be differentiated again."""
    found = derivatives((y,), xs, (None,), create_graph=True)
    if strict:
        check_dependence(found, independent("output"), CONSTANT_SLOPE)
    return found


# ------------------------------------------------------------------------------------ first order


@enable_grad()
def vjp(
    func: TensorFunction,
    inputs: Tensors,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The value of a function, and the product of a vector with its Jacobian.

    For outputs y_k = f(x) that is ``sum_k v_k^T (dy_k / dx)`` for each input x.

    Parameters
    ----------
    func : function of tensors, returning a tensor or a tuple of tensors
    inputs : tensor or tuple of tensors
        Where to differentiate. They are not changed, nor is their ``.grad``.
    v : tensor or tuple of tensors, optional
        v_k, of the shape of y_k. None stands for 1 if the only output is a single number.
    create_graph : bool
        Record the calculation, so that both results can be differentiated.
    strict : bool
        Raise if an output does not depend on an input, instead of returning zeros.

    Returns the pair (f(x), product), the product with the form, shapes and dtypes of ``inputs``.
    Raises TypeError for what is not a tensor, RuntimeError for a v of another shape and for
    what ``strict`` forbids.

    Counterpart: ``torch.autograd.functional.vjp``.

    >>> import minigrad as torch
    >>> x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])
    >>> torch.autograd.functional.vjp(lambda x: x**2, x, v)
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    xs = stand_ins(inputs, create_graph, "vjp")
    outputs, ys = evaluated(func, xs, strict, "vjp")
    vs = checked_vector(v, outputs, "the user-provided function returns", "vjp")
    found = derivatives(ys, xs, vs, create_graph)
    if strict:
        check_dependence(found, independent("output"), constant_result("jacobian", create_graph))
    return returned(outputs, create_graph), formed_as(inputs, with_zeros(found, xs))


@enable_grad()
def jvp(
    func: TensorFunction,
    inputs: Tensors,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The value of a function, and the product of its Jacobian with a vector.

    For y = f(x) that is ``sum_k (dy / dx_k) v_k``: how y changes when x moves along v. It costs
    two backward passes, whatever the shapes.

    Parameters are as for ``vjp``, but v_k has the shape of the input x_k, and None stands for 1
    if the only input is a single number. Returns the pair (f(x), product), the product with the
    form, shapes and dtypes of f(x). Raises as ``vjp`` does.

    Counterpart: ``torch.autograd.functional.jvp``.

    >>> import minigrad as torch
    >>> x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])
    >>> torch.autograd.functional.jvp(lambda x: x.sum() * x, x, v)
    (tensor([3., 6.]), tensor([14., 52.]))
    """
    xs = stand_ins(inputs, create_graph, "jvp")
    vs = checked_vector(v, inputs, "the input to the user-provided function is", "jvp")
    outputs, ys = evaluated(func, xs, strict, "jvp")
    us, products = vector_products(ys, xs, like=ys)
    if strict:
        check_dependence(products, independent("output"), CONSTANT_GRADIENT)
    found = derivatives(products, us, vs, create_graph)
    if strict:
        check_dependence(found, NO_DOUBLE_BACKWARD, constant_result("jacobian", create_graph))
    return returned(outputs, create_graph), formed_as(outputs, with_zeros(found, ys))


@enable_grad()
def jacobian(
    func: TensorFunction,
    inputs: Tensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """All first derivatives of a function at a point.

    ``J[i, j] = dy_i / dx_j``, where i and j are indices into y = f(x) and x of any shape. It
    costs a backward pass for each entry of y.

    Parameters are as for ``vjp``. ``vectorize`` and ``strategy`` are accepted as in PyTorch, where
    they are about speed.

    Returns a tensor of shape ``(*y.shape, *x.shape)`` and the dtype of x; a tuple of these if
    ``inputs`` or the outputs are a tuple; and if both are, a tuple (an item for each output) of
    tuples (an item for each input). Raises TypeError for what is not a tensor and RuntimeError
    for what ``strict`` forbids.

    Counterpart: ``torch.autograd.functional.jacobian``.

    >>> import minigrad as torch
    >>> torch.autograd.functional.jacobian(lambda x: x.sum() * x, torch.tensor([1.0, 2.0]))
    tensor([[4., 1.],
            [2., 5.]])
    """
    check_strategy(strict, vectorize, strategy)
    xs = stand_ins(inputs, create_graph, "jacobian")
    outputs, ys = evaluated(func, xs, strict, "jacobian")
    blocks = []
    if_constant = constant_result("jacobian", create_graph)
    for position, y in enumerate(ys):
        if_none = (
            f"Output {position} of the user-provided function is independent of input {{i}}. "
            "This is not allowed in strict mode."
        )
        entries = y.reshape(-1)
        rows = []
        for j in range(y.numel()):
            found = derivatives((entries[j],), xs, (None,), create_graph)
            if strict:
                check_dependence(found, if_none, if_constant)
            rows.append(with_zeros(found, xs))
        columns = zip(*rows) if rows else [()] * len(xs)
        block = [stack(c).view((*y.shape, *x.shape)) for c, x in zip(columns, xs)]
        blocks.append(formed_as(inputs, block))
    return formed_as(outputs, blocks)


# ----------------------------------------------------------------------------------- second order


@enable_grad()
def hessian(
    func: TensorFunction,
    inputs: Tensors,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """All second derivatives of a scalar function at a point.

    ``H[i, j] = d²y / dx_i dx_j``, where i and j are indices into x of any shape: the Jacobian of
    the gradient.

    Parameters are as for ``vjp``, but ``func`` returns a single number. ``vectorize`` and
    ``outer_jacobian_strategy`` are accepted as in PyTorch, where they are about speed.

    Returns a tensor of shape ``(*x.shape, *x.shape)`` and the dtype of x; if ``inputs`` is a
    tuple, a tuple of tuples, in which item [a][b] has shape ``(*x_a.shape, *x_b.shape)``. Raises
    TypeError for what is not a tensor, RuntimeError if f(x) is not a single number and for what
    ``strict`` forbids, which here includes a gradient that does not depend on the inputs.

    Counterpart: ``torch.autograd.functional.hessian``.

    >>> import minigrad as torch
    >>> torch.autograd.functional.hessian(lambda x: x[0] ** 2 * x[1], torch.tensor([1.0, 2.0]))
    tensor([[4., 2.],
            [2., 0.]])
    """
    check_strategy(strict, vectorize, outer_jacobian_strategy)
    xs = tupled(inputs, "inputs", "hessian")

    def gradient(*xs: Tensor) -> Tensors:
        y = evaluated_scalar(func, xs, strict, "hessian")
        found = derivatives((y,), xs, (None,), create_graph=True)
        if strict:
            check_dependence(found, CONSTANT_SLOPE, CONSTANT_SLOPE)
        return with_zeros(found, xs)

    blocks = jacobian(gradient, xs, create_graph, strict)
    if isinstance(inputs, tuple):
        return blocks
    return blocks[0][0]


@enable_grad()
def vhp(
    func: TensorFunction,
    inputs: Tensors,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The value of a scalar function, and the product of a vector with its Hessian.

    ``sum_k v_k^T (d²y / dx_k dx)`` for each input x: a backward pass through the gradient.

    Parameters are as for ``vjp``, but ``func`` returns a single number, and v_k has the shape of
    the input x_k. Returns the pair (f(x), product), the product with the form, shapes and dtypes
    of ``inputs``. Raises as ``vjp`` does, and RuntimeError if f(x) is not a single number.

    Counterpart: ``torch.autograd.functional.vhp``.

    >>> import minigrad as torch
    >>> x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])
    >>> torch.autograd.functional.vhp(lambda x: x[0] ** 2 * x[1], x, v)
    (tensor(2.), tensor([24.,  2.]))
    """
    xs = stand_ins(inputs, create_graph, "vhp")
    vs = checked_vector(v, inputs, "the input to the user-provided function is", "vhp")
    y = evaluated_scalar(func, xs, strict, "vhp")
    found = derivatives(gradient_of(y, xs, strict), xs, vs, create_graph)
    if strict:
        check_dependence(found, independent("jacobian"), constant_result("hessian", create_graph))
    return returned(y, create_graph), formed_as(inputs, with_zeros(found, xs))


@enable_grad()
def hvp(
    func: TensorFunction,
    inputs: Tensors,
    v: Tensors | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple[Any, Any]:
    """The value of a scalar function, and the product of its Hessian with a vector.

    ``sum_k (d²y / dx dx_k) v_k`` for each input x: how the gradient changes when x moves along
    v. Hessians of smooth functions are symmetric; then ``vhp`` gives the same in one pass less.

    Parameters, results and errors are as for ``vhp``.

    Counterpart: ``torch.autograd.functional.hvp``.

    >>> import minigrad as torch
    >>> x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0])
    >>> torch.autograd.functional.hvp(lambda x: x[0] ** 2 * x[1], x, v)
    (tensor(2.), tensor([24.,  2.]))
    """
    xs = stand_ins(inputs, create_graph, "hvp")
    vs = checked_vector(v, inputs, "the input to the user-provided function is", "hvp")
    y = evaluated_scalar(func, xs, strict, "hvp")
    us, products = vector_products(gradient_of(y, xs, strict), xs, like=xs)
    found = derivatives(products, us, vs, create_graph)
    if strict:
        check_dependence(found, NO_HESSIAN, constant_result("hessian", create_graph))
    return returned(y, create_graph), formed_as(inputs, with_zeros(found, xs))


__getattr__ = missing_from(__name__)
