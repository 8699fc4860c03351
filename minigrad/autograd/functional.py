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

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from .._tensor import Tensor
from ..compat.missing import missing_from
from ..engine.backward import grad
from ..engine.modes import enable_grad
from ..ops.creation import zeros_like
from ..ops.joining import stack

Tensors: TypeAlias = Tensor | tuple[Tensor, ...]
TensorFunction: TypeAlias = Callable[..., Tensors]

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]


# --------------------------------------------------------------------- what comes in and goes out


def tupled(given: Any, what: str, caller: str) -> tuple[Tensor, ...]:
    """A tensor or a tuple of tensors, as a tuple."""
    several = isinstance(given, tuple)
    members = given if several else (given,)
    for position, member in enumerate(members):
        if not isinstance(member, Tensor):
            which = f"value at index {position}" if several else f"given {what}"
            raise TypeError(
                f"The {what} given to {caller} must be either a Tensor or a tuple of Tensors "
                f"but the {which} has type {type(member)}."
            )
    return tuple(members)


def formed_as(given: Any, results: Sequence[Any]) -> Any:
    """Several results if several were ``given``, otherwise the only one."""
    return tuple(results) if isinstance(given, tuple) else results[0]


def stand_ins(inputs: Tensors, create_graph: bool, caller: str) -> tuple[Tensor, ...]:
    return tuple(
        x.view(x.shape) if create_graph and x.requires_grad else x.detach().requires_grad_()
        for x in tupled(inputs, "inputs", caller)
    )


def evaluated(
    func: TensorFunction, xs: Any, strict: bool, caller: str
) -> tuple[Any, tuple[Any, ...]]:
    """What the function returns, and the same as a tuple."""
    outputs = func(*xs)
    ys = tupled(outputs, "outputs of the user-provided function", caller)
    demand(
        strict,
        ys,
        constant="Output {i} of the user-provided function does not require gradients. "
        "The outputs must be computed in a differentiable manner from the input when running in "
        "strict mode.",
    )
    return outputs, ys


def evaluated_scalar(func: TensorFunction, xs: Any, strict: bool, caller: str) -> Tensor:
    outputs, ys = evaluated(func, xs, strict, caller)
    if isinstance(outputs, tuple):
        raise RuntimeError(f"The function given to {caller} should return a single Tensor")
    if ys[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {caller} should contain a single "
            f"element, but it has the shape {list(ys[0].shape)}"
        )
    return ys[0]


def checked_vector(v: Any, given: Any, whose: str, caller: str) -> tuple[Any, ...]:
    """``v`` as a tuple of the shapes of ``given``; None stands for the number 1."""
    members = given if isinstance(given, tuple) else (given,)
    if v is None:
        if len(members) != 1 or members[0].numel() != 1:
            raise RuntimeError(
                f"The vector v can only be None if {whose} a single Tensor with a single element."
            )
        return (None,)
    vs = tupled(v, "v", caller)
    if len(vs) != len(members):
        if not isinstance(given, tuple):
            raise RuntimeError("The given v should contain a single Tensor.")
        raise RuntimeError(
            f"v is a tuple of invalid length: should be {len(members)} but got {len(vs)}."
        )
    for position, (one, member) in enumerate(zip(vs, members)):
        if one.shape != member.shape:
            entry = f"Entry {position} in " if isinstance(given, tuple) else ""
            raise RuntimeError(
                f"{entry}v has invalid size: should be {member.shape} but got {one.shape}."
            )
    return vs


def returned(outputs: Any, create_graph: bool) -> Any:
    """The function's value; without its history unless asked for."""
    if create_graph:
        return outputs
    ys = outputs if isinstance(outputs, tuple) else (outputs,)
    return formed_as(outputs, [y.detach() for y in ys])


# --------------------------------------------------------------------------------- strictness


def demand(strict: bool, tensors: Sequence[Any], missing: str = "", constant: str = "") -> None:
    """If strict, raise for a tensor that is None (``missing``) or without history."""
    for position, tensor in enumerate(tensors if strict else ()):
        phrase = missing if tensor is None else "" if tensor.requires_grad else constant
        if phrase:
            raise RuntimeError(phrase.format(i=position))


def independent(what: str, occasion: str = "") -> str:
    return (
        f"The {what} of the user-provided function is independent of input {{i}}. "
        f"This is not allowed in strict mode{occasion}."
    )


def check_strategy(strict: bool, vectorize: bool, strategy: str) -> None:
    """Raise as PyTorch does for combinations that it does not know."""
    if strategy not in ("reverse-mode", "forward-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". '
            f'Hint: it is "{strategy}".'
        )
    if strategy == "forward-mode" and not vectorize:
        raise NotImplementedError(
            "Computing Jacobian using forward-AD is only implemented for `vectorize=True`."
        )
    if strict and vectorize:
        raise RuntimeError(
            "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
            "supported together. Please either set `strict=False` or `vectorize=False`."
        )


CONSTANT_GRADIENT = (
    "The gradient with respect to input {i} is independent of the inputs of the user-provided "
    "function. This is not allowed in strict mode."
)
CONSTANT_SLOPE = (
    "While computing the hessian, found that the jacobian of the user-provided function with "
    "respect to input {i} is independent of the input. This is not allowed in strict mode: the "
    "jacobian must depend on the inputs (that of a linear function does not)."
)


# -------------------------------------------------------------------------------- the calculus


def derivatives(ys: Any, xs: Any, vs: Any, create_graph: bool) -> tuple[Any, ...]:
    """``sum_k v_k^T (dy_k / dx)`` for each x; None where no y depends on it."""
    pairs = [(y, v) for y, v in zip(ys, vs) if y is not None and y.requires_grad]
    if not pairs:
        return (None,) * len(xs)
    roots, seeds = zip(*pairs)
    return grad(roots, xs, seeds, retain_graph=True, create_graph=create_graph, allow_unused=True)


def completed(
    found: Any, like: Any, create_graph: bool, strict: bool, name: str, missing: str
) -> tuple[Any, ...]:
    """Derivatives with zeros for None, or, if strict, an error for these."""
    constant = independent(name, " when create_graph=True") if create_graph else ""
    demand(strict, found, missing, constant)
    return tuple(zeros_like(x) if g is None else g for g, x in zip(found, like))


def pushed(ys: Any, like: Any, xs: Any, vs: Any, create_graph: bool, strict: bool) -> Any:
    """``J v`` for each y, by pulling v back through u -> u^T J, whose u may be anything."""
    us = tuple(zeros_like(y).requires_grad_() for y in like)
    pulled = derivatives(ys, xs, us, create_graph=True)
    demand(strict, pulled, independent("output"), CONSTANT_GRADIENT)
    return derivatives(pulled, us, vs, create_graph)


def slopes(y: Tensor, xs: Any, strict: bool) -> tuple[Any, ...]:
    """The gradient of a scalar, to be differentiated again."""
    found = derivatives((y,), xs, (None,), create_graph=True)
    demand(strict, found, independent("output"), CONSTANT_SLOPE)
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
    found = completed(found, xs, create_graph, strict, "jacobian", independent("output"))
    return returned(outputs, create_graph), formed_as(inputs, found)


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
    found = pushed(ys, ys, xs, vs, create_graph, strict)
    missing = (
        "The gradient with respect to the input is independent of entry {i} in the grad_outputs "
        "when using the double backward trick. This is not allowed in strict mode."
    )
    found = completed(found, ys, create_graph, strict, "jacobian", missing)
    return returned(outputs, create_graph), formed_as(outputs, found)


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
    for which, y in enumerate(ys):
        missing = (
            f"Output {which} of the user-provided function is independent of input {{i}}. "
            "This is not allowed in strict mode."
        )
        entries = y.reshape(-1)
        rows = []
        for j in range(y.numel()):
            found = derivatives((entries[j],), xs, (None,), create_graph)
            rows.append(completed(found, xs, create_graph, strict, "jacobian", missing))
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
        full = tuple(zeros_like(x) if g is None else g for g, x in zip(found, xs))
        demand(strict, full, constant=CONSTANT_SLOPE)
        return full

    blocks = jacobian(gradient, xs, create_graph, strict)
    return blocks if isinstance(inputs, tuple) else blocks[0][0]


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
    found = derivatives(slopes(y, xs, strict), xs, vs, create_graph)
    found = completed(found, xs, create_graph, strict, "hessian", independent("jacobian"))
    return returned(y, create_graph), formed_as(inputs, found)


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
    found = pushed(slopes(y, xs, strict), xs, xs, vs, create_graph, strict=False)
    missing = (
        "The hessian of the user-provided function is independent of entry {i} in the "
        "grad_jacobian. This is not allowed in strict mode."
    )
    found = completed(found, xs, create_graph, strict, "hessian", missing)
    return returned(y, create_graph), formed_as(inputs, found)


__getattr__ = missing_from(__name__)
