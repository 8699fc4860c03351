"""Views: several tensors that show the same memory. And hooks, which see gradients pass.

A view knows its root (the tensor whose memory it shows) and the path of view operations from
there. After a write to the memory the view derives its history again, by walking its path from
the root, when it is next used (``update_history``). Writing itself is in ``ops/inplace``.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import broken_view_error, shared_memory_error
from .atomic import Step, at_once, setter
from .modes import mode
from .node import (
    LEAF,
    Extra,
    Kind,
    Node,
    TensorBase,
    Watch,
    as_tensor,
    extra,
    new_tensor,
    next_number,
)


class CreationMeta:
    """How a view was made, where nobody can say what a recorded write does to its history."""

    DEFAULT = ""
    NO_GRAD_MODE = "no_grad"  # while recording was off
    IN_CUSTOM_FUNCTION = "function"  # inside a custom Function, or as an argument that it returned
    MULTI_OUTPUT_NODE = (
        "several"  # together with others: ``unbind``, a Function with several outputs
    )


class AutogradMeta:
    """What most tensors never need, kept out of their slots."""

    # Defaults are the class's, so that making one, as each view does, costs nothing more.
    storage: Storage | None = None
    root: Any = None  # of a view: the tensor whose memory it shows
    path: tuple[tuple[Any, tuple[Any, ...]], ...] = ()  # operations, and their options
    seen = 0  # of a view: the count of writes when its history was derived
    creation = CreationMeta.DEFAULT  # of a view
    leaf_in_name_only = False  # is it a leaf only in name? see ``wants_gradient``
    hooks: dict[int, Callable[..., Any]] | None = None
    accumulate_hooks: dict[int, Callable[..., Any]] | None = None


class Storage:
    """Memory that may be shown by several tensors, and what was written to it."""

    __slots__ = ("last", "version", "written")

    def __init__(self) -> None:
        self.version = 0  # how many writes
        self.written = 0  # the number of the last one, comparable to sequence numbers
        self.last: LastWrite = NO_WRITE  # what that was, for an error message

    def note_write(self, operation: str = "") -> None:
        self.version += 1
        self.written = next_number()
        self.last = last_write(operation)

    def steps_noting(self, number: int, operation: str) -> list[Step]:
        """The steps that count a write and take down its number."""
        noted = set_last, self, last_write(operation)
        return [(set_version, self, self.version + 1), (set_written, self, number), noted]


LastWrite = tuple[str, Any]
"""The operation that wrote, such as "add"; and its line, if somebody watched."""

NO_WRITE: LastWrite = "", None


def last_write(operation: str) -> LastWrite:
    """What is noted of a write that happens now."""
    observer = Watch.observer
    return operation, None if observer is None else observer.writing()


set_version = setter(Storage, "version")
set_written = setter(Storage, "written")
set_last = setter(Storage, "last")
set_node = setter(TensorBase, "_node")
set_retained = setter(Extra, "retained")


def meta_of(tensor: TensorBase) -> AutogradMeta:
    """What few tensors have, of this one; made on demand."""
    found = tensor._meta
    if found is None:
        found = tensor._meta = AutogradMeta()
    return found


def own_array(tensor: TensorBase) -> Any:
    """The tensor's value as an array, whose memory can be shared and written.

    A 0-d result holds a NumPy scalar until someone asks.
    """
    array = tensor._array
    if not isinstance(array, np.ndarray):
        array = tensor._array = np.copy(array)
    return array


def storage_of(tensor: TensorBase) -> Storage:
    """The record of writes to a tensor's memory, made on demand.

    The tensor's node learns of it too, so that it can tell whether its saved output is stale.
    """
    found = meta_of(tensor)
    storage = found.storage
    if storage is None:
        storage = found.storage = Storage()
        if isinstance(tensor._node, Node):
            extra(tensor._node).storage = storage
    return storage


def memory_to_write(tensor: TensorBase, operation: str = "") -> Any:
    """The tensor's memory, about to be written to without recording it (by an optimiser)."""
    here = tensor._meta
    if here is None or here.storage is None:
        storage = storage_of(tensor)
    else:
        storage = here.storage
    memory = own_array(tensor)
    if memory.base is not None and 0 in memory.strides:  # memory of its own repeats nothing
        refuse_repeating(memory)
    storage.note_write(operation)
    return memory


def refuse_repeating(memory: Any) -> None:
    """Raise RuntimeError if this array shows an entry of its memory several times."""
    repeats = any(step == 0 and size > 1 for step, size in zip(memory.strides, memory.shape))
    if repeats and memory.size:
        raise shared_memory_error("more than one element of the written-to tensor refers")


def view_meta(
    base: TensorBase, operation: Callable[..., Any], options: tuple[Any, ...]
) -> AutogradMeta:
    """What a view is to know that shows ``base``'s memory through ``operation(base, *options)``."""
    here = AutogradMeta()
    below = base._meta
    if below is None or below.storage is None:
        storage_of(base)
        below = base._meta
    storage = here.storage = below.storage
    if below.root is None:
        here.root = base
        here.path = ((operation, options),)
    else:
        here.root = below.root
        here.path = (*below.path, (operation, options))
    here.seen = storage.version
    if not mode.recording:
        here.creation = CreationMeta.NO_GRAD_MODE
    elif below.creation:
        here.creation = below.creation
    return here


def alias(tensor: TensorBase) -> Any:
    """A view of all of a tensor, not yet of any node."""
    storage = storage_of(tensor)
    below = meta_of(tensor)
    here = AutogradMeta()
    here.storage = storage
    here.seen = storage.version
    here.root = tensor if below.root is None else below.root
    here.path = below.path
    view = new_tensor(own_array(tensor))
    view._meta = here
    return view


TOGETHER = ("unbind", "split")
"""Operations that make several views, and have the number of each as their last option."""


def creation_of(view: AutogradMeta) -> str:
    """How a view was made, or one that it is a view of."""
    if view.creation:
        return view.creation
    together = any(operation.kind.op in TOGETHER for operation, _ in view.path)
    return CreationMeta.MULTI_OUTPUT_NODE if together else CreationMeta.DEFAULT


def output_number(tensor: TensorBase) -> int:
    """Which of its node's outputs this is."""
    here = tensor._meta
    if here is not None and here.path:
        operation, options = here.path[-1]
        if operation.kind.op in TOGETHER:
            return int(options[-1])
    return getattr(tensor._node, "position", 0)


def detached(tensor: TensorBase) -> Any:
    """A tensor of the same memory and the same record of writes, without history: detach."""
    other = new_tensor(own_array(tensor))
    meta_of(other).storage = storage_of(tensor)
    return other


def is_view(tensor: TensorBase) -> bool:
    """Does it show the memory of another tensor, and know which?"""
    return tensor._meta is not None and tensor._meta.root is not None


def wants_gradient(tensor: TensorBase) -> bool:
    """Does it want a gradient, or show the memory of a tensor that does?

    The second without the first is a view made while recording was off, or before its root began
    to want a gradient. It has no history, but, as in PyTorch, says ``requires_grad=True`` and is
    recorded like a leaf; the gradient that reaches it is lost (``is_leaf_in_name_only``). Told
    itself to want one, it becomes a true leaf.
    """
    if is_view(tensor) and (tensor._node is None or tensor._meta.leaf_in_name_only):
        tensor = tensor._meta.root
    return tensor._node is not None


def is_leaf_in_name_only(tensor: TensorBase) -> bool:
    """Is this a view that is a leaf only in name?"""
    return tensor._meta is not None and tensor._meta.leaf_in_name_only and tensor._node is LEAF


def update_history(tensor: TensorBase) -> None:
    """Bring a view's history up to date with what was written to its root.

    Raises RuntimeError, as PyTorch, if operations are recorded now, and the view was made in a way
    (see ``CreationMeta``) that leaves open which history it should have.
    """
    here = tensor._meta
    if here is None or here.root is None:
        return
    assert here.storage is not None
    wanted = here.root._node is not None
    if here.seen == here.storage.version:
        # Nothing was written since. But the root may have been told to want a gradient, or none.
        if wanted and tensor._node is None:
            tensor._node = LEAF
            here.leaf_in_name_only = True
        elif not wanted and is_leaf_in_name_only(tensor):
            tensor._node = None
        return
    made = creation_of(here)
    if not wanted and not (made and isinstance(tensor._node, Node)):
        return  # written to, but there is no history, so none has changed
    if mode.recording:
        refuse_broken(tensor, "its base or another view of its base has been")
    elif made:
        return  # nobody can say which history it has; it is refused when that matters
    # As for ``v`` here, when it is used again: x = w * 1; v = x[0]; x.mul_(2); v * 3
    before = mode.recording
    mode.recording = True
    try:
        again = here.root
        for operation, options in here.path:
            again = operation(again, *options)
    finally:
        mode.recording = before
    again._node.kind = strided(again._node.kind)
    at_once(steps_giving(tensor, again._node))
    observer = Watch.observer
    if observer is not None and isinstance(again._node, Node):
        observer.derived_again(again._node)
    here.seen = here.storage.version


def refuse_broken(tensor: TensorBase, what: str) -> None:
    """Raise RuntimeError if this is a view that can have no history after a recorded write."""
    made = creation_of(meta_of(tensor))
    if made:
        node = tensor._node
        name = node.name() if isinstance(node, Node) else ""
        raise broken_view_error(name, output_number(tensor), made, what)


STRIDED: dict[Kind, Kind] = {}


def strided(kind: Kind) -> Kind:
    """This kind of view, under the name that PyTorch gives to a history derived again."""
    if kind not in STRIDED:
        STRIDED[kind] = replace(kind, name="AsStridedBackward0", shown=None)
    return STRIDED[kind]


def retain(tensor: TensorBase) -> None:
    """Let a result keep its gradient. A leaf does so anyway."""
    update_history(tensor)
    if isinstance(tensor._node, Node):
        extra(tensor._node).retained = weakref.ref(tensor)
    elif tensor._node is None:
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")


def steps_giving(tensor: TensorBase, node: Any) -> list[Step]:
    """The steps that give a tensor another node; if it retains its gradient, it goes on to."""
    old = tensor._node
    kept = None
    if isinstance(old, Node) and old.extra is not None:
        kept = old.extra.retained
    steps: list[Step] = [(set_node, tensor, node)]
    if kept is not None and kept() is tensor and isinstance(node, Node):
        steps += [(set_retained, old.extra, None), (set_retained, extra(node), kept)]
    return steps


# --------------------------------------------------------------------------------------- hooks


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
