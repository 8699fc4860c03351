"""Runs of programs that are written with PyTorch, as ``GraphDiff`` lays them side by side."""

from __future__ import annotations

import inspect
import sysconfig
import types
from collections.abc import Callable, Mapping
from typing import Any

from minigrad.errors import LIBRARIES
from minigrad.tape import Run
from minigrad.tape.difference import described
from minigrad.tape.text import age
from minigrad.tape.values import text_of

from .arrays import captured, is_tensor, torch_if_there
from .graph import Graph
from .lines import watched
from .notes import TorchTape

NO_RESULT = (
    "{name} returned {kind}, and not a tensor of PyTorch's\n"
    "  fix: return the tensor that it works out, such as: return loss"
)


def run_behind(result: Any, names: Mapping[str, Any]) -> Run:
    """The run that made a tensor of PyTorch's, as far as its graph remembers it."""
    tape = TorchTape(Graph(result), names)
    return described(tape, sorted(tape.facts, key=age), "", tape.text(tape.root))


def run(function: Callable[..., Any], inputs: Mapping[str, Any]) -> Run:
    """Call a function with these arguments, floats as PyTorch's tensors that require gradients.

    Raises what it raises, and TypeError if it returns no tensor of PyTorch's.
    """
    tensor = torch_if_there().tensor
    given = {
        name: tensor(value, requires_grad=True) if isinstance(value, float) else value
        for name, value in inputs.items()
    }
    with watched() as lines:
        result = function(**given)
    name = getattr(function, "__name__", "the function")
    if not is_tensor(result):
        raise TypeError(NO_RESULT.format(name=name, kind=type(result).__name__))
    title = ", ".join(f"{argument} = {told(value)}" for argument, value in inputs.items())
    tape = TorchTape(Graph(result), {**used_by(function), **given}, lines)
    return described(tape, sorted(tape.facts, key=age), name, title)


INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))
"""The folders of what is not the program's own."""


def is_pytorchs(function: Callable[..., Any]) -> bool:
    """Does a function compute with PyTorch, as far as the names in it tell?"""
    torch = torch_if_there()
    if torch is None:
        return False
    found = [function, *used_by(function).values()]
    libraries = {library_of(value) for value in found}
    its_own = any(isinstance(value, torch.Tensor | torch.nn.Module) for value in found)
    return "minigrad" not in libraries and (its_own or "torch" in libraries)


def library_of(value: Any) -> str:
    """The library that a module, a class or a function belongs to."""
    if inspect.ismodule(value):
        return value.__name__.partition(".")[0]
    return str(getattr(value, "__module__", None)).partition(".")[0]


def used_by(function: Any) -> dict[str, Any]:
    """The variables that a function uses, and those of the program's functions among them."""
    found: dict[str, Any] = {}
    waiting = [function]
    while waiting:
        one = waiting.pop()
        if isinstance(one, types.MethodType):
            one = one.__func__
        if not isinstance(one, types.FunctionType) or is_installed(one):
            continue
        inside = inspect.getclosurevars(one)
        names = {*inside.unbound, *names_within(one.__code__)}
        known = {name: one.__globals__[name] for name in names if name in one.__globals__}
        for name, value in {**known, **inside.nonlocals}.items():
            if name not in found:
                found[name] = value
                waiting.append(value)
    return found


def is_installed(function: types.FunctionType) -> bool:
    """Does a function belong to a library, and not to the program?"""
    return function.__code__.co_filename.startswith((*INSTALLED, *LIBRARIES))


def names_within(code: types.CodeType) -> set[str]:
    """The names that a function uses, those in functions within it included."""
    inner = (one for one in code.co_consts if isinstance(one, types.CodeType))
    return {*code.co_names}.union(*map(names_within, inner))


def told(value: Any) -> str:
    """An argument in few characters."""
    return text_of(captured(value)) if is_tensor(value) else str(value)
