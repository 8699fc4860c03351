"""The wrappers of operations on one tensor, and of all those that are not on one or two.

They do what the wrapper in ``primitive`` does: ``unary`` and ``viewing`` less of it, ``general``
for any number and kind of arguments.
"""

from __future__ import annotations

from typing import Any

from . import dtypes
from .grad_mode import mode
from .graph import (
    LEAF,
    Kind,
    Node,
    Results,
    TensorBase,
    Watch,
    edge_to,
    new_tensor,
    next_number,
)
from .operands import bare, mismatch
from .packing import pack_saved
from .views import as_view, own_array, settle

new = object.__new__


def unary(forward: Any, kind: Kind, floats: bool) -> Any:
    """The wrapper of an operation on one tensor."""
    keeps = tuple(slot in kind.slots for slot in ("input", "input_shape", "out"))
    keeps_input, keeps_shape, keeps_out = keeps
    assert sum(keeps) == len(kind.slots) <= 1, "a rule of one tensor names one saved value"

    def wrapper(input: Any) -> Any:
        if not isinstance(input, TensorBase):
            return bare(wrapper, forward, input)
        if input._rare is not None:
            settle(input)
        x = input._array
        if floats and x.dtype.kind != "f":
            x = x.astype(dtypes.get_default_dtype().numpy)
        out = forward(x)
        result = new(Results.cls)
        result._array = out
        result._grad = result._rare = None
        source = input._node
        recording = mode.recording
        if source is None or not recording:
            result._node = None
            return result
        result._node = node = new(Node)
        node.kind = kind
        node.seq = next_number()
        node.edges = (input if source is LEAF else source,)
        if keeps_out:
            node.saved = (out,)
        elif keeps_input:
            node.saved = (input,)
        elif keeps_shape:
            node.saved = (x.shape,)
        else:
            node.saved = ()
        node.shape, node.dtype = out.shape, out.dtype
        node.extra = node.watched = None
        if recording is not True:
            pack_saved(node, recording)
        if Watch.observer is not None:
            Watch.observer.made(node, (input,), out)
        return result

    return wrapper


def viewing(forward: Any, kind: Kind) -> Any:
    """The wrapper of operations whose result shows the memory of their first argument.

    The other arguments are options; rules name these, or ``input_shape``.
    """
    options_of = kind.arguments[1:]
    slots = [-1 if slot == "input_shape" else options_of.index(slot) for slot in kind.slots]

    def wrapper(input: Any, *options: Any) -> Any:
        if not isinstance(input, TensorBase):
            return bare(wrapper, forward, input, *options)
        if input._rare is not None:
            settle(input)
        array = own_array(input)
        out = forward(array, *options)
        node = None
        source = input._node
        if source is not None and mode.recording:
            saved = tuple([array.shape if slot < 0 else options[slot] for slot in slots])
            edge = input if source is LEAF else source
            node = record(kind, (input, *options), (edge,), saved, out)
        return as_view(input, out, node, wrapper, options)

    return wrapper


def general(forward: Any, kind: Kind) -> Any:
    """The wrapper of every other operation."""
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
                arrays.append(argument._array)
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
    kind: Kind,
    operands: tuple[Any, ...],
    edges: tuple[Any, ...],
    saved: Any,
    out: Any,
    node_class: type[Node] = Node,
) -> Node:
    """A node for an operation that has just run; whoever watches is told.

    ``node_class``: for operations whose ``vjp`` is written out instead of made of rules.
    """
    node = node_class(kind, edges, out.shape, out.dtype)
    node.saved = saved
    if mode.packing is not None:
        pack_saved(node, mode.packing)
    if Watch.observer is not None:
        Watch.observer.made(node, operands, out)
    return node
