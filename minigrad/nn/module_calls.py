"""Calls of modules that are more than ``forward``: with hooks, or while somebody watches."""

from __future__ import annotations

from typing import Any

from ..errors import LIBRARIES
from ..tape.scope import Call, numbers, running


def call_with_hooks(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call in which hooks may replace the arguments before, and the result after."""
    for hook in list(module._forward_pre_hooks.values()):
        changed = hook(module, args)
        if isinstance(changed, tuple):
            args = changed
        elif changed is not None:
            args = (changed,)
    result = module.forward(*args, **kwargs)
    for hook in list(module._forward_hooks.values()):
        changed = hook(module, args, result)
        if changed is not None:
            result = changed
    return result


def call_watched(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call that is noted in ``tape.scope``: which module, under which name, by whom."""
    scope = running.scope
    modules = running.modules
    name = name_inside(modules, module)
    call = Call(next(numbers), name, type(module).__name__, is_ours(module))
    running.scope = (*scope, call)
    running.modules = (*modules, module)
    try:
        return call_with_hooks(module, args, kwargs)
    finally:
        running.scope = scope
        running.modules = modules


def is_ours(module: Any) -> bool:
    """Is its ``forward`` written in minigrad?"""
    code = getattr(type(module).forward, "__code__", None)
    return code is not None and code.co_filename.startswith(LIBRARIES)


def name_inside(modules: tuple[Any, ...], module: Any) -> str:
    """The path of a module from the one that calls it; "" if none does, or it is not inside."""
    if not modules:
        return ""
    for name, inside in modules[-1]._modules.items():  # most often
        if inside is module:
            return str(name)
    for path, inside in modules[-1].named_modules():
        if inside is module:
            return path
    return ""
