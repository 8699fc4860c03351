"""The names of tensors: variables that hold them, and paths of parameters in modules."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Any

from ..engine.node import TensorBase
from ..errors import is_variable, parts_in


def locals_of(frame: FrameType) -> dict[str, Any]:
    """The variables of a frame that runs, to be looked at and dropped.

    Before Python 3.13 a function's frame keeps what it has told of its variables, and so the values
    that they had then: that is undone, unless the program has asked for ``locals()`` too.
    """
    told = frame.f_locals
    if sys.version_info >= (3, 13) or not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return told
    copy = dict(told)
    if sys.getrefcount(told) <= KNOWN_TO_US:
        told.clear()
    return copy


KNOWN_TO_US = 3  # references: of the frame, of the variable, of the call


def names_in(namespace: Mapping[str, Any], kind: Any = TensorBase) -> list[tuple[str, Any]]:
    """The tensors of a namespace with their names, the best name of each first.

    ``kind``: the class of tensors; a view may look for those of PyTorch.

    A parameter is called by its variable, if it has one, and else by its path: "layers.0.weight".
    So is a buffer: "layers.1.running_mean". A weight that is shared has several paths.
    But a variable that is only left over from a loop over all parameters is no name to know it by.
    """
    variables = [
        (name, value)
        for name, value in list(namespace.items())
        if isinstance(value, kind) and is_variable(name)
    ]
    held = {id(value) for _, value in variables}
    left_over: list[tuple[str, Any]] = []
    paths: list[tuple[str, Any]] = []
    shared: list[tuple[str, Any]] = []
    for module in parts_in(namespace):
        parameters = module.parameters
        known = [one for one in parameters if id(one[1]) in held]
        if known == parameters[-1:] and len(parameters) > 1:
            left_over += known
        paths += [*parameters, *module.buffers]
        shared += module.shared
    return [*left_over, *variables, *paths, *shared]


def also(names: Sequence[str]) -> str:
    """The other paths of a weight that is shared: "also out.weight"; "" if it has but one."""
    paths = [name for name in names if "." in name]
    if len(paths) < 2:
        return ""
    return f"also {' and '.join(path for path in paths if path != names[0])}"


def names_of(tensor: Any, *namespaces: Mapping[str, Any]) -> tuple[str, ...]:
    """The names under which a tensor is found, in the first namespace that has it."""
    for namespace in namespaces:
        names = [
            name for name, value in list(namespace.items()) if value is tensor and is_variable(name)
        ]
        if names:
            return tuple(names)
    return ()
