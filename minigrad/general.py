"""The wrappers of operations on one tensor, and of all those that are not on one or two.

They do what the wrapper in ``primitive`` does: ``unary`` and ``viewing`` less of it, ``general``
for any number and kind of arguments.
"""

from __future__ import annotations

from itertools import compress, product
from typing import Any

from numpy import ndarray

from . import dtypes
from .dtypes import FLOAT32, SCALAR32
from .grad_mode import mode
from .graph import (
    LEAF,
    Kind,
    Node,
    Results,
    TensorBase,
    Watch,
    new_tensor,
    next_number,
)
from .operands import bare, mismatch
from .packing import pack_saved
from .views import own_array, settle, shown_through

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
        if floats and x.__class__ is not SCALAR32 and x.dtype.kind != "f":
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
        if out.__class__ is SCALAR32:
            node.shape = ()  # asking a NumPy scalar is slow
            node.dtype = FLOAT32
        else:
            node.shape = out.shape
            node.dtype = out.dtype
        node.extra = node.watched = None
        if recording is not True:
            pack_saved(node, recording)
        observer = Watch.observer
        if observer is not None:
            observer.made(node, (input,), out)
        return result

    return wrapper


def viewing(forward: Any, kind: Kind) -> Any:
    """The wrapper of operations whose result shows the memory of their first argument.

    The other arguments are options; rules name these, or ``input_shape``.
    """
    names = kind.arguments[1:]
    slots = [-1 if slot == "input_shape" else names.index(slot) for slot in kind.slots]
    shape_only = slots == [-1]  # the usual case, quickly

    def wrapper(input: Any, *options: Any) -> Any:
        if not isinstance(input, TensorBase):
            return bare(wrapper, forward, input, *options)
        if input._rare is not None:
            settle(input)
        array = input._array
        if array.__class__ is not ndarray:
            array = own_array(input)
        out = forward(array, *options)
        result = new(Results.cls)
        result._array = out
        result._grad = None
        result._rare = shown_through(input, wrapper, options)
        source = input._node
        recording = mode.recording
        if source is None or not recording:
            result._node = None
            return result
        result._node = node = new(Node)
        node.kind = kind
        node.seq = next_number()
        node.edges = (input if source is LEAF else source,)
        node.saved = (
            (array.shape,)
            if shape_only
            else tuple([array.shape if slot < 0 else options[slot] for slot in slots])
        )
        node.shape = out.shape
        node.dtype = out.dtype
        node.extra = node.watched = None
        if recording is not True:
            pack_saved(node, recording)
        observer = Watch.observer
        if observer is not None:
            observer.made(node, (input, *options), out)
        return result

    return wrapper


def general(forward: Any, kind: Kind) -> Any:
    """The wrapper of every other operation."""
    ruled = [kind.arguments.index(name) for name in kind.needs]
    every = (*kind.arguments, "out")
    places = [(every.index(n.removesuffix("_shape")), n.endswith("_shape")) for n in kind.slots]

    def planned(wants: tuple[bool, ...]) -> list[Any]:
        """Where to find what is saved if these rules are wanted: place, and is it a shape?"""
        asked = [name for names in compress(kind.needs.values(), wants) for name in names]
        found = [where if slot in asked else None for slot, where in zip(kind.slots, places)]
        return found if asked else []  # nothing to free: another pass is possible

    plans = {wants: planned(wants) for wants in product((False, True), repeat=len(ruled))}

    def wrapper(*args: Any) -> Any:
        arrays: list[Any] = []
        sources: list[Any] = []  # where the gradient of each goes
        bare_call = True
        for argument in args:
            source = None
            if isinstance(argument, TensorBase):
                bare_call = False
                if argument._rare is not None:
                    settle(argument)
                source = argument if argument._node is LEAF else argument._node
                argument = argument._array
            arrays.append(argument)
            sources.append(source)
        if bare_call:
            return bare(wrapper, forward, *args)
        try:
            out = forward(*arrays)
        except ValueError as error:
            raise mismatch(error, *arrays) from None
        result = new_tensor(out)
        edges = tuple([sources[place] for place in ruled])
        wants = tuple([edge is not None for edge in edges])
        if True in wants and mode.recording:
            values = (*args, out)
            saved = [
                where and (arrays[where[0]].shape if where[1] else values[where[0]])
                for where in plans[wants]
            ]
            result._node = record(kind, args, edges, tuple(saved), out)
        return result

    return wrapper


def record(
    kind: Kind,
    operands: Any,
    edges: tuple[Any, ...],
    saved: Any,
    out: Any,
    node_class: type[Node] = Node,
) -> Node:
    """A node for an operation that has just run; whoever watches is told.

    ``node_class``: for operations whose ``vjp`` is written out instead of made of rules.
    ``operands``: None if nobody is to be told yet; see ``tell``.
    """
    node = node_class(kind, edges, out.shape, out.dtype)
    node.saved = saved
    if mode.packing is not None:
        pack_saved(node, mode.packing)
    observer = Watch.observer
    if observer is not None and operands is not None:
        observer.made(node, operands, out)
    return node


def tell(node: Node, operands: tuple[Any, ...], out: Any) -> None:
    """Tell whoever watches of an operation that was recorded."""
    observer = Watch.observer
    if observer is not None:
        observer.made(node, operands, out)
