"""Hooks: functions of the user's that see, and may replace, a gradient on its way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .graph import TensorBase, new_tensor


def as_tensor(g: Any) -> Any:
    """A gradient as a tensor, for hooks and for ``.grad``."""
    return g if isinstance(g, TensorBase) else new_tensor(g)


def call_hooks(hooks: dict[int, Callable[..., Any]], g: Any) -> Any:
    """The gradient after each hook, in order, has seen it and perhaps replaced it."""
    for hook in list(hooks.values()):
        replaced = hook(as_tensor(g))
        if replaced is not None:
            if not isinstance(replaced, TensorBase):
                raise TypeError(
                    f"hook {getattr(hook, '__name__', hook)!r} has returned a "
                    f"{type(replaced).__name__}: a tensor hook returns a Tensor or None"
                )
            if replaced._array.shape != g.shape:
                raise RuntimeError(
                    f"hook {getattr(hook, '__name__', hook)!r} has changed the size of value: "
                    f"from {list(g.shape)} to {list(replaced._array.shape)}"
                )
            g = replaced if isinstance(g, TensorBase) else replaced._array
    return g


class RemovableHandle:
    """What registering a hook returns: ``remove()`` takes the hook away again."""

    _next = 0

    def __init__(self, hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any]) -> None:
        RemovableHandle._next += 1
        self._hooks, self._key = hooks, RemovableHandle._next
        hooks[self._key] = hook

    def remove(self) -> None:
        """Take the hook away; harmless if it is gone."""
        self._hooks.pop(self._key, None)
