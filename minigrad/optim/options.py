"""What is said of parameters and options that an optimiser cannot work with."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np

from .._tensor import Tensor
from ..compat.arguments import ensure

ensure_valid = functools.partial(ensure, error=ValueError)
"""``ensure`` with the error that PyTorch's optimisers raise."""

LONG_NAMES = {"lr": "learning rate", "eps": "epsilon value"}

EMPTY = (
    "optimizer got an empty parameter list\n"
    "  Layers in a Python list or dict are not found; and parameters() can be read only once.\n"
    "  fix: put layers into minigrad.nn.ModuleList or ModuleDict; write list(model.parameters())."
)


def type_name(value: Any) -> str:
    """The type of a value, with the module that it is from: ``minigrad.nn.layers.Linear``."""
    return f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")


def check_not_negative(**options: Any) -> None:
    """Raise ValueError, in PyTorch's words, for an option below zero."""
    for name, value in options.items():
        check_number(name, value)
        long_name = LONG_NAMES.get(name, f"{name} value")
        ensure_valid(value >= 0, "Invalid {}: {}", long_name, value)


def check_number(name: str, value: Any) -> None:
    """Raise TypeError, in the words that PyTorch has from Python, for an option that is none."""
    if isinstance(value, Tensor):
        ensure_valid(value.numel() == 1, "Tensor {} must be 1-element", name)
    elif not isinstance(value, (int, float, np.number, np.bool_)):
        raise TypeError(
            f"'<' not supported between instances of '{type(value).__name__}' and 'float'\n"
            f"  {name} must be a number, not {value!r}.\n"
            f"  fix: {name}=0.1, without quotes or brackets"
        )


def params_as_list(params: Any, optimiser: str) -> list[Any]:
    """What an optimiser was given, as a list.

    Raises TypeError, saying what was meant, for what is no iterable.
    """
    if isinstance(params, Tensor):
        text = "params argument given to the optimizer should be an iterable of Tensors or dicts, "
        text += f"but got {params.type()}\n  fix: put it into a list, {optimiser}([w], ...)"
        raise TypeError(text)
    if not isinstance(params, Iterable):
        kind = type(params).__name__
        raise TypeError(f"'{kind}' object is not iterable{fix_for(params, optimiser)}")
    return list(params)


def fix_for(params: Any, optimiser: str) -> str:
    """What to write instead of what is no list of parameters: the last lines of a message."""
    fix = f"\n  fix: {optimiser}(model.parameters(), ...)"
    if hasattr(params, "parameters"):
        return f"\n  This is a model; its parameters were meant.{fix}"
    if callable(params):
        return f"\n  This is a function that was not called: the brackets are missing.{fix}"
    return fix
