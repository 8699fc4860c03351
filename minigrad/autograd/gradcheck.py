"""Is a derivative right? Compare it with what nudging the inputs does.

The central difference (f(x + h) - f(x - h)) / 2h is off by about h² from the curvature and by
about 1e-16 / h from rounding, which is best near h = 1e-6 in float64. In float32 no step is
good enough, so float32 inputs make it warn.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import longs
from .._tensor import Tensor
from ..engine.backward import grad
from ..engine.modes import enable_grad, no_grad
from ..engine.node import LEAF, new_tensor
from ..engine.views import own_array
from ..ops.creation import ones_like, zeros_like


class GradcheckError(RuntimeError):
    """A derivative and its numerical estimate differ.

    Counterpart: ``torch.autograd.gradcheck.GradcheckError``.
    """


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_batched_grad: bool = False,
    fast_mode: bool = False,
) -> bool:
    """Compare the gradients of ``func`` with central differences.

    Every entry of the Jacobian must satisfy |exact - numeric| <= atol + rtol |numeric|. Then the
    backward pass is tried otherwise: run twice it must give the same, and where zeros arrive,
    nothing but zeros may be sent on. The Jacobian alone is made by letting a 1 arrive, and so it
    cannot see that a rule does not multiply by what arrives.

    Parameters
    ----------
    func : function of tensors, returning a tensor or several
    inputs : a tensor or a sequence of arguments
        Those that require a gradient should be float64 leaves; they are nudged and restored.
    eps : float
        The step h of the difference.
    nondet_tol : float
        By how much two backward passes over the same graph may differ.
    check_undefined_grad, check_batched_grad, fast_mode
        Accepted as in PyTorch. Here every entry is compared, always, and with one output after
        another, so that nothing arrives at the others.

    Returns True; otherwise raises GradcheckError, which says where and by how much they differ,
    or returns False if ``raise_exception`` is False. Raises ValueError if no input requires a
    gradient, and warns if one that does is not float64.

    Counterpart: ``torch.autograd.gradcheck``.

    >>> import minigrad as torch
    >>> x = torch.tensor([0.3, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.exp, x)
    True
    """
    arguments = as_arguments(inputs)
    wanted = [a for a in arguments if isinstance(a, Tensor) and a.requires_grad]
    if not wanted:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, "
            "but none of the them have requires_grad=True."
        )
    for position, tensor in enumerate(wanted):
        if tensor._array.dtype != np.float64:
            warnings.warn(
                f"Input #{position} requires gradient and is not a double precision floating "
                "point. This check will likely fail: in single precision no step is both small "
                "enough and large enough. Use .double().",
                UserWarning,
                stacklevel=2,
            )
    outputs = as_outputs(func(*arguments))
    none_differentiable = not any(output.requires_grad for output in outputs)
    try:
        for position, output in enumerate(outputs):
            if none_differentiable:
                expect_zero(func, arguments, wanted, position, output, eps)
            elif output.requires_grad:
                exact = jacobian_rows(output, wanted)
                expect_repeatable(exact, jacobian_rows(output, wanted), nondet_tol)
                compare(func, arguments, wanted, position, output, exact, eps, atol, rtol)
        if not none_differentiable:
            expect_multiplied(outputs, wanted)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def as_arguments(inputs: Any) -> tuple[Any, ...]:
    """A tensor, or several arguments, as a tuple."""
    if isinstance(inputs, Tensor):
        return (inputs,)
    return tuple(inputs)


def as_outputs(output: Any) -> tuple[Any, ...]:
    """What a function has returned, one or several, as a tuple."""
    if isinstance(output, (tuple, list)):
        return tuple(output)
    return (output,)


def expect_zero(
    func: Any, arguments: Any, wanted: Any, position: int, output: Any, eps: float
) -> None:
    """Raise GradcheckError if an output that has no gradient depends on an input all the same."""
    for which, tensor in enumerate(wanted):
        if nudged(func, arguments, tensor, position, output.numel(), eps).any():
            raise GradcheckError(
                "Numerical gradient for function expected to be zero: output "
                f"{position} has no history, but changes with input {which}"
            )


def compare(
    func: Any,
    arguments: Any,
    wanted: Any,
    position: int,
    output: Any,
    exact: Any,
    eps: float,
    atol: float,
    rtol: float,
) -> None:
    """Raise GradcheckError where the Jacobian of one output differs from the numeric one."""
    for which, (tensor, analytic) in enumerate(zip(wanted, exact, strict=True)):
        numeric = nudged(func, arguments, tensor, position, output.numel(), eps)
        off = ~(np.abs(analytic - numeric) <= atol + rtol * np.abs(numeric))
        if off.any():
            row, column = longs.argwhere(off)[0]
            raise GradcheckError(
                f"Jacobian mismatch for output {position} with respect to input {which}: "
                f"d output[{row}] / d input[{column}] (entries counted in order)\n"
                f"  numerical: {numeric[row, column]:.8g}\n"
                f"  analytical: {analytic[row, column]:.8g}\n"
                f"  {int(off.sum())} of {off.size} entries differ"
            )


def expect_repeatable(first: Any, second: Any, nondet_tol: float) -> None:
    """Raise GradcheckError if two backward passes over one graph have given different numbers."""
    for one, other in zip(first, second, strict=True):
        if not np.allclose(one, other, rtol=0, atol=nondet_tol, equal_nan=True):
            raise GradcheckError(
                "Backward is not reentrant, i.e., running backward with same input and "
                "grad_output multiple times gives different values, although analytical gradient "
                f"matches numerical gradient. The tolerance for nondeterminism was {nondet_tol}."
            )


def differentiable(outputs: Any) -> list[Any]:
    """Those outputs through which something can go back; through an empty one nothing does."""
    tensors = [output for output in outputs if isinstance(output, Tensor)]
    return [output for output in tensors if output.requires_grad and output.numel()]


def expect_multiplied(outputs: Any, wanted: Any) -> None:
    """Raise GradcheckError if something is sent on to an input although zeros arrive."""
    ends = differentiable(outputs)
    if not ends:
        return
    zeros = [zeros_like(output) for output in ends]
    for found in grad(ends, wanted, zeros, retain_graph=True, allow_unused=True):
        if found is not None and np.any(found._array):
            raise GradcheckError("backward not multiplied by grad_output")


def jacobian_rows(output: Any, wanted: Any) -> list[Any]:
    """The exact Jacobians, one row for each entry of the output: v = e_i, one after another."""
    rows = []
    for entry in range(output.numel()):
        seed = np.zeros(output._array.size)
        seed[entry] = 1.0
        one = new_tensor(seed.reshape(output._array.shape).astype(output._array.dtype))
        row = grad(
            output, wanted, one, retain_graph=True, allow_unused=True, materialize_grads=True
        )
        rows.append([np.asarray(g._array).reshape(-1) for g in row])
    if not rows:
        return [np.zeros((0, tensor.numel())) for tensor in wanted]
    return [np.stack(column) for column in zip(*rows, strict=True)]


def nudged(func: Any, arguments: Any, tensor: Any, position: int, entries: int, eps: float) -> Any:
    """The numeric Jacobian with respect to one input, column by column."""
    array = own_array(tensor)
    columns = np.zeros((entries, array.size))

    def value() -> Any:
        with no_grad():
            output = as_outputs(func(*arguments))[position]
            return np.array(output._array, dtype=float).reshape(-1)

    for column, index in enumerate(np.ndindex(array.shape)):
        original = array[index]
        try:
            array[index] = original + eps
            above = value()
            array[index] = original - eps
            below = value()
        finally:
            array[index] = original
        columns[:, column] = (above - below) / (2 * eps)
    return columns


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """``gradcheck`` of the gradient itself: are second derivatives right?

    Gradients of the outputs (by default varied numbers, so that no symmetry hides a mistake)
    are checked as further inputs. Arguments and errors are as for ``gradcheck``.

    Counterpart: ``torch.autograd.gradgradcheck``.

    >>> import minigrad as torch
    >>> x = torch.tensor([0.3, 2.0], dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.tanh, x)
    True
    """
    arguments = as_arguments(inputs)
    outputs = [o for o in as_outputs(func(*arguments)) if o.requires_grad]
    if grad_outputs is None:
        grad_outputs = []
        for output in outputs:
            seed = ones_like(output)
            array = own_array(seed)
            array[...] = np.linspace(0.5, 1.5, array.size).reshape(array.shape)
            grad_outputs.append(seed.requires_grad_())
    seeds = as_arguments(grad_outputs)
    count = len(arguments)

    def first_derivative(*everything: Any) -> Any:
        inner = everything[:count]
        given = everything[count:]
        leaves = [a for a in inner if isinstance(a, Tensor) and a._node is LEAF]
        with enable_grad():  # also where the caller only wants the value, and records nothing
            found = [o for o in as_outputs(func(*inner)) if o.requires_grad]
            return grad(
                found, leaves, given, create_graph=True, allow_unused=True, materialize_grads=True
            )

    return gradcheck(
        first_derivative,
        (*arguments, *seeds),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
    )
