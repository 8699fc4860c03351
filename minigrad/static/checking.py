"""A call of a program, compared with the ordinary run that it stands for."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.node import TensorBase
from ..engine.views import own_array
from ..ops.random import default_generator
from ..optim.optimizer import Optimizer
from .guards import taken_apart


def compared(program: Any, arguments: list[Any], ordinary: Callable[[], Any]) -> tuple[Any, str]:
    """The result of the ordinary run; or which guard says no.

    Raises AssertionError if the program leads to other results, values or gradients.
    """
    tensors, why = program.tensors(arguments)
    if why:
        return None, why
    optimizers = [c for c in program.constants.values() if isinstance(c, Optimizer)]
    before = state_of(tensors, optimizers)
    result, why = program(arguments)
    if why:
        return None, why
    program_made = seen(result, tensors)
    put_back(tensors, optimizers, before)
    result = ordinary()
    for (name, one), (_, other) in zip(program_made, seen(result, tensors), strict=True):
        if bits(one) != bits(other):
            text = (
                f"check=True: the program and an ordinary run differ in {name}: {one} and {other}"
            )
            raise AssertionError(text + "\n  fix: pass what has changed since as an argument")
    return result, ""


def state_of(tensors: list[Any], optimizers: list[Any]) -> Any:
    """What a call may change."""
    arrays = [(tensor._array, tensor._array.copy()) for tensor in tensors]
    grads = [
        (tensor._grad, None if tensor._grad is None else own_array(tensor._grad).copy())
        for tensor in tensors
    ]
    states = [copy.deepcopy(optimizer.state_dict()) for optimizer in optimizers]
    return arrays, grads, states, default_generator.get_state()


def put_back(tensors: list[Any], optimizers: list[Any], before: Any) -> None:
    """Everything as it was."""
    arrays, grads, states, random_state = before
    for tensor, (array, values), (grad, numbers) in zip(tensors, arrays, grads):
        if isinstance(array, np.ndarray):
            array[...] = values
        tensor._array = array  # a single number's may have become an array meanwhile
        tensor._grad = grad
        if grad is not None:
            own_array(grad)[...] = numbers
    for optimizer, state in zip(optimizers, states):
        optimizer.load_state_dict(state)
    default_generator.set_state(random_state)


def seen(result: Any, tensors: list[Any]) -> list[tuple[str, Any]]:
    """The numbers that a call leaves behind, each with a name."""
    leaves: list[Any] = []
    taken_apart(result, leaves)
    found = [
        (f"result {position}", leaf._array.copy() if isinstance(leaf, TensorBase) else repr(leaf))
        for position, leaf in enumerate(leaves)
    ]
    for position, tensor in enumerate(tensors):
        found.append((f"tensor {position}", tensor._array.copy()))
        grad = tensor._grad
        found.append((f"gradient {position}", "None" if grad is None else grad._array.copy()))
    return found


def bits(value: Any) -> Any:
    """A text as it is; an array with its shape and dtype, so that NaN equals itself."""
    return value if isinstance(value, str) else (value.shape, value.dtype, value.tobytes())
