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
            array = replaced._array
            before = as_tensor(g)._array
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


def call_hooks_after(hooks: dict[int, Callable[..., Any]], parts: Any, g: Any) -> Any:
    """The gradients that a visit has made, after each hook on its node has seen them."""
    bare = not any(isinstance(part, TensorBase) for part in parts)
    arrived = getattr(g, "by_output", {0: g})
    outputs = tuple(as_tensor(arrived[position]) for position in sorted(arrived))
    for hook in list(hooks.values()):
        inputs = tuple(None if part is None else as_tensor(part) for part in parts)
        replaced = hook(inputs, outputs)
        if replaced is None:
            continue
        replaced = replaced if isinstance(replaced, tuple) else (replaced,)
        if len(replaced) != len(inputs):
            raise RuntimeError(
                f"hook {getattr(hook, '__name__', hook)!r} has returned an incorrect number of "
                f"values (got {len(replaced)}, but expected {len(inputs)})"
            )
        parts = [part._array if bare and part is not None else part for part in replaced]
    return parts
