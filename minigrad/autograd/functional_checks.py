"""What the functions of ``functional`` take and return, and what ``strict=True`` refuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from .._tensor import Tensor
from ..ops.creation import zeros_like

Tensors: TypeAlias = Tensor | tuple[Tensor, ...]
TensorFunction: TypeAlias = Callable[..., Tensors]


def tupled(given: Any, what: str, caller: str) -> tuple[Tensor, ...]:
    """A tensor or a tuple of tensors, as a tuple."""
    members = as_tuple(given)
    for position, member in enumerate(members):
        if not isinstance(member, Tensor):
            which = f"given {what}"
            if isinstance(given, tuple):
                which = f"value at index {position}"
            raise TypeError(
                f"The {what} given to {caller} must be either a Tensor or a tuple of Tensors "
                f"but the {which} has type {type(member)}."
            )
    return members


def as_tuple(given: Any) -> tuple[Any, ...]:
    """What was given, or it alone, as a tuple."""
    if isinstance(given, tuple):
        return given
    return (given,)


def formed_as(given: Any, results: Sequence[Any]) -> Any:
    """Several results if several were ``given``, otherwise the only one."""
    if isinstance(given, tuple):
        return tuple(results)
    return results[0]


def stand_ins(inputs: Tensors, create_graph: bool, caller: str) -> tuple[Tensor, ...]:
    """Tensors to call the function with, in place of the inputs."""
    made: list[Tensor] = []
    for x in tupled(inputs, "inputs", caller):
        if create_graph and x.requires_grad:
            made.append(x.view(x.shape))
        else:
            made.append(x.detach().requires_grad_())
    return tuple(made)


def evaluated(
    func: TensorFunction, xs: Sequence[Tensor], strict: bool, caller: str
) -> tuple[Tensors, tuple[Tensor, ...]]:
    """What the function returns, and the same as a tuple."""
    outputs = func(*xs)
    ys = tupled(outputs, "outputs of the user-provided function", caller)
    for position, y in enumerate(ys):
        if strict and not y.requires_grad:
            raise RuntimeError(
                f"Output {position} of the user-provided function does not require gradients. "
                "The outputs must be computed in a differentiable manner from the input when "
                "running in strict mode."
            )
    return outputs, ys


def evaluated_scalar(
    func: TensorFunction, xs: Sequence[Tensor], strict: bool, caller: str
) -> Tensor:
    """What the function returns, which has to be a single number."""
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
    members = as_tuple(given)
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
            which = "v"
            if isinstance(given, tuple):
                which = f"Entry {position} in v"
            raise RuntimeError(
                f"{which} has invalid size: should be {member.shape} but got {one.shape}."
            )
    return vs


def returned(outputs: Any, create_graph: bool) -> Any:
    """The function's value; without its history unless asked for."""
    if create_graph:
        return outputs
    return formed_as(outputs, [y.detach() for y in as_tuple(outputs)])


def with_zeros(derivatives: Sequence[Any], like: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The derivatives, with zeros for None: where a result does not depend on an input."""
    return tuple(zeros_like(x) if d is None else d for d, x in zip(derivatives, like))


# --------------------------------------------------------------------------------- strictness


def check_dependence(derivatives: Sequence[Any], if_none: str, if_constant: str | None) -> None:
    """Raise RuntimeError for the first derivative that is zero, or constant, by construction.

    It is None if no path leads to the input; it has no history if it is the same for all inputs.
    ``if_constant``: None if that is allowed.
    """
    for position, derivative in enumerate(derivatives):
        if derivative is None:
            raise RuntimeError(if_none.format(i=position))
        if if_constant is not None and not derivative.requires_grad:
            raise RuntimeError(if_constant.format(i=position))


def independent(what: str, when: str = "") -> str:
    """What is said where a result does not depend on input {i}."""
    return (
        f"The {what} of the user-provided function is independent of input {{i}}. "
        f"This is not allowed in strict mode{when}."
    )


def constant_result(what: str, create_graph: bool) -> str | None:
    """What is said of a result that has no history: nothing, unless it is asked for."""
    if not create_graph:
        return None
    return independent(what, " when create_graph=True")


CONSTANT_GRADIENT = (
    "The gradient with respect to input {i} is independent of the inputs of the user-provided "
    "function. This is not allowed in strict mode."
)
CONSTANT_SLOPE = (
    "While computing the hessian, found that the jacobian of the user-provided function with "
    "respect to input {i} is independent of the input. This is not allowed in strict mode: the "
    "jacobian must depend on the inputs (that of a linear function does not)."
)
NO_DOUBLE_BACKWARD = (
    "The gradient with respect to the input is independent of entry {i} in the grad_outputs "
    "when using the double backward trick. This is not allowed in strict mode."
)
NO_HESSIAN = (
    "The hessian of the user-provided function is independent of entry {i} in the "
    "grad_jacobian. This is not allowed in strict mode."
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
