"""What registering a hook returns, by which it is taken away again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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
        self._hooks = hooks
        self._key = RemovableHandle._next
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


def registered(holder: Any, slot: str, hook: Callable[..., Any]) -> RemovableHandle:
    """Add a hook to those that ``holder`` keeps in this slot."""
    if getattr(holder, slot) is None:
        setattr(holder, slot, {})
    return RemovableHandle(getattr(holder, slot), hook)
