"""Operations of any shape: the wrapper for all that are not element-wise on one or two tensors.

It does what the two fast wrappers of ``primitive`` do, for any number and kind of arguments, and
for operations whose result is a view.
"""

from __future__ import annotations

from typing import Any

from .grad_mode import mode
from .graph import Node, TensorBase, Watch, edge_to, new_tensor
from .operands import bare, mismatch
from .views import as_view, own_array, settle


def general(forward: Any, kind: Any, view: bool) -> Any:
    """The wrapper of every other operation, and of views."""
    arguments, slots, needs = kind.arguments, kind.slots, kind.needs
    ruled = [arguments.index(name) for name in needs]

    def wrapper(*args: Any) -> Any:
        arrays = []
        wanted = found = False
        for argument in args:
            if isinstance(argument, TensorBase):
                found = True
                if argument._rare is not None:
                    settle(argument)
                wanted = wanted or argument._node is not None
                arrays.append(own_array(argument) if view else argument._array)
            else:
                arrays.append(argument)
        if not found:
            return bare(wrapper, forward, *args)
        try:
            out = forward(*arrays)
        except ValueError as error:
            raise mismatch(error, *arrays) from None
        node = None
        if wanted and mode.recording:
            edges = tuple([edge_to(args[i]) for i in ruled])
            asked = {
                name
                for edge, names in zip(edges, needs.values(), strict=True)
                if edge is not None
                for name in names
            }
            saved = [value_of(n, arguments, args, out) if n in asked else None for n in slots]
            node = record(kind, args, edges, tuple(saved), out)
        if view:
            return as_view(args[0], out, node, wrapper, args[1:])
        return new_tensor(out, node)

    return wrapper


def value_of(name: str, arguments: tuple[str, ...], args: tuple[Any, ...], out: Any) -> Any:
    """What a rule's parameter stands for: an argument, its shape, or the result."""
    if name == "out":
        return out
    if name.endswith("_shape"):
        return args[arguments.index(name.removesuffix("_shape"))]._array.shape
    return args[arguments.index(name)]


def record(
    kind: type[Node], operands: tuple[Any, ...], edges: tuple[Any, ...], saved: Any, out: Any
) -> Node:
    """A node of this kind for an operation that has just run; whoever watches is told."""
    node = kind(edges, out.shape, out.dtype)
    node.saved = saved
    if Watch.observer is not None:
        Watch.observer.made(node, operands, out)
    return node
