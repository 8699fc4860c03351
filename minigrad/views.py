"""Views: several tensors that show the same memory.

A view knows its root (the tensor whose memory it shows) and the path of view operations from
there. When a write gives the root a new history, the view derives its own again, by walking
its path, when it is next used (``settle``). Writing itself is in ``ops/inplace``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .grad_mode import mode
from .graph import Node, TensorBase, extra, new_tensor, next_number


class Rare:
    """What most tensors never need, kept out of their slots."""

    __slots__ = ("hooks", "landing_hooks", "unrecorded", "path", "root", "seen", "storage")

    def __init__(self) -> None:
        self.storage: Storage | None = None
        self.root: Any = None  # of a view: the tensor whose memory it shows
        self.path: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...] = ()
        self.seen = 0  # of a view: the root's count of histories when its own was derived
        self.unrecorded = False  # of a view: was it made while recording was off?
        self.hooks: dict[int, Callable[..., Any]] | None = None
        self.landing_hooks: dict[int, Callable[..., Any]] | None = None


class Storage:
    """Memory that may be shown by several tensors, and what was written to it."""

    __slots__ = ("histories", "version", "written")

    def __init__(self) -> None:
        self.version = 0  # how many writes
        self.written = 0  # the number of the last one, comparable to sequence numbers
        self.histories = 0  # how often a write gave the root a new history

    def note_write(self) -> None:
        self.version += 1
        self.written = next_number()


def rare(tensor: TensorBase) -> Rare:
    """The tensor's room for rare things, made on demand."""
    found = tensor._rare
    if found is None:
        found = tensor._rare = Rare()
    return found


def own_array(tensor: TensorBase) -> Any:
    """The tensor's value as an array, whose memory can be shared and written.

    A 0-d result holds a NumPy scalar until someone asks.
    """
    array = tensor._array
    if not isinstance(array, np.ndarray):
        array = tensor._array = np.asarray(array)
    return array


def storage_of(tensor: TensorBase) -> Storage:
    """The record of writes to a tensor's memory, made on demand.

    The tensor's node learns of it too, so that it can tell whether its saved output is stale.
    """
    found = rare(tensor)
    if found.storage is None:
        found.storage = Storage()
        if isinstance(tensor._node, Node):
            extra(tensor._node).storage = found.storage
    return found.storage


def overwrite(tensor: TensorBase) -> Any:
    """The tensor's memory, about to be written to without recording it (by an optimiser)."""
    storage_of(tensor).note_write()
    return own_array(tensor)


def as_view(
    base: TensorBase,
    array: Any,
    node: Node | None,
    operation: Callable[..., Any],
    options: tuple[Any, ...],
) -> Any:
    """A tensor that shows ``base``'s memory through ``operation(base, *options)``."""
    view = new_tensor(array, node)
    here, below = rare(view), base._rare
    here.storage = storage_of(base)
    below = rare(base)
    step = (operation, options)
    here.root, here.path = (
        (base, (step,)) if below.root is None else (below.root, (*below.path, step))
    )
    here.seen = here.storage.histories
    here.unrecorded = below.unrecorded or not mode.recording
    if node is not None:
        extra(node).storage = here.storage
    return view


def sharing(tensor: TensorBase) -> Any:
    """A tensor of the same memory and the same record of writes, without history: detach."""
    other = new_tensor(own_array(tensor))
    rare(other).storage = storage_of(tensor)
    return other


def settle(tensor: TensorBase) -> None:
    """Bring a view's history up to date with what was written to its root."""
    here = tensor._rare
    if here is None or here.root is None:
        return
    assert here.storage is not None
    if here.seen != here.storage.histories and not here.unrecorded:
        before, mode.recording = mode.recording, True
        try:
            again = here.root
            for operation, options in here.path:
                again = operation(again, *options)
        finally:
            mode.recording = before
        retain_by(again._node, tensor)
        tensor._node = again._node
        here.seen = here.storage.histories


def retain_by(node: Any, tensor: TensorBase) -> None:
    """The tensor is about to get another node: if it retains its gradient, it goes on to."""
    old = tensor._node
    kept = old.extra.retained if isinstance(old, Node) and old.extra is not None else None
    if kept is not None and kept() is tensor and isinstance(node, Node):
        old.extra.retained, extra(node).retained = None, kept
