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
                    f"expected Variable, but hook returned '{type(replaced).__name__}': a hook on "
                    "a tensor returns a Tensor, which replaces the gradient, or None"
                )
            array, before = replaced._array, as_tensor(g)._array
            for what, now, then in (
                ("size", list(array.shape), list(before.shape)),
                ("type", array.dtype, before.dtype),
            ):
                if now != then:
                    raise RuntimeError(
                        f"hook {getattr(hook, '__name__', hook)!r} has changed the {what} of "
                        f"value: from {then} to {now}"
                    )
            g = replaced if isinstance(g, TensorBase) else replaced._array
    return g


class RemovableHandle:
    """What registering a hook returns: ``remove()`` takes the hook away again.

    In a ``with`` statement, the end of the block does. Counterpart:
    ``torch.utils.hooks.RemovableHandle``.

    >>> import minigrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> with x.register_hook(lambda g: print("gradient:", g.item())):
    ...     (x * 2).backward()
    gradient: 2.0
    """

    _next = 0

    def __init__(self, hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any]) -> None:
        RemovableHandle._next += 1
        self._hooks, self._key = hooks, RemovableHandle._next
        hooks[self._key] = hook

    def remove(self) -> None:
        """Take the hook away; harmless if it is gone.

        Counterpart: ``torch.utils.hooks.RemovableHandle.remove``.
        """
        self._hooks.pop(self._key, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()
