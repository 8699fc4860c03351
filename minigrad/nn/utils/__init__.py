"""Helpers around parameters and their gradients. Counterpart: ``torch.nn.utils``."""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterable
from math import inf
from typing import Any

from ..._tensor import Tensor
from ...compat.arguments import ensure
from ...compat.missing import missing_from
from ...engine.modes import no_grad
from ...ops.creation import tensor
from ...ops.joining import cat, stack
from ...ops.norms import norm
from . import rnn


def _gradients(parameters: Any) -> list[Any]:
    """The gradients of a tensor, or of several, without those that are None."""
    tensors = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    if not tensors and isinstance(parameters, types.GeneratorType):
        text = "`parameters` is an empty generator, no gradient clipping will occur."
        warnings.warn(text, stacklevel=3)
    return [t.grad for t in tensors if t.grad is not None]


@no_grad()
def clip_grad_norm_(
    parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Any:
    """Shorten the gradient, all of it as one vector, to ``max_norm`` if it is longer.

    Its direction stays. Returns how long it was. Raises RuntimeError, if
    ``error_if_nonfinite``, for a length that is infinite or NaN.
    Counterpart: ``torch.nn.utils.clip_grad_norm_``.

    >>> import minigrad as torch
    >>> x = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> (x * x / 2).sum().backward()
    >>> torch.nn.utils.clip_grad_norm_([x], max_norm=1.0)
    tensor(5.)
    >>> x.grad
    tensor([0.6000, 0.8000])
    """
    gradients = _gradients(parameters)
    if not gradients:
        return tensor(0.0)
    norms = [norm(g, norm_type).to(gradients[0].dtype) for g in gradients]
    total = norm(stack(norms), norm_type)
    text = "The total norm of order {} for gradients from `parameters` is non-finite, so it cannot "
    text += "be clipped: {}. With `error_if_nonfinite=False` they are scaled by it nevertheless."
    ensure(total < inf or not error_if_nonfinite, text, norm_type, total)
    factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for g in gradients:
        g.mul_(factor)
    return total


@no_grad()
def clip_grad_value_(parameters: Any, clip_value: float) -> None:
    """Limit each entry of the gradients to -clip_value … clip_value.

    Counterpart: ``torch.nn.utils.clip_grad_value_``.

    >>> import minigrad as torch
    >>> w = torch.tensor(1.0, requires_grad=True)
    >>> (100 * w).backward()
    >>> torch.nn.utils.clip_grad_value_([w], clip_value=5.0)
    >>> w.grad
    tensor(5.)
    """
    for g in _gradients(parameters):
        g.clamp_(-clip_value, clip_value)


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    """All parameters, flat, one after the other. Counterpart:
    ``torch.nn.utils.parameters_to_vector``.

    >>> import minigrad as torch
    >>> torch.nn.utils.parameters_to_vector([torch.zeros(1, 2), torch.ones(1)])
    tensor([0., 0., 1.])
    """
    return cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Give the parameters the memory of such a vector.

    Counterpart: ``torch.nn.utils.vector_to_parameters``.

    >>> import minigrad as torch
    >>> model = torch.nn.Linear(2, 1)
    >>> torch.nn.utils.vector_to_parameters(torch.tensor([1.0, 2.0, 3.0]), model.parameters())
    >>> model.bias.tolist(), model.weight.tolist()
    ([3.0], [[1.0, 2.0]])
    """
    text = "expected torch.Tensor, but got: {}"
    ensure(isinstance(vec, Tensor), text, type(vec).__name__, error=TypeError)
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        parameter.data = vec[start:end].view_as(parameter).data
        start = end


__getattr__ = missing_from(__name__)
