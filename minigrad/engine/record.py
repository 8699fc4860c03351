"""How one operation is declared, and what happens each time it runs.

An operation is a NumPy function with one derivative rule per tensor argument beside it::

    @differentiable(input=lambda g, other: g * other, other=lambda g, input: g * input)
    def mul(input, other):
        return input * other

A rule gets the gradient ``g`` of the output and returns that of its argument. *The names of
its other parameters say what has to be saved*: an argument, ``out`` (the result),
``<argument>_shape`` (which saves nothing else), or an option of the operation. Rules speak
only what arrays and tensors share, so the same rule serves a plain backward pass (arrays) and
one that is itself recorded (tensors, for higher derivatives).

What runs is one of four wrappers, by what the operation is called with. ``binary`` is the one
to read; ``unary`` and ``view_wrapper`` do less of the same, ``general`` does it for any arguments.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import compress, product
from typing import Any, NamedTuple, TypeVar

from numpy import ndarray

from .. import dtypes
from ..dtypes import FLOAT32, SCALAR32
from .modes import mode, pack_saved
from .node import LEAF, Kind, Node, Results, TensorBase, Watch, new_tensor, next_number
from .operands import (
    broadcast_error,
    operator_without_tensors,
    promoted,
    retry_wrapped,
    without_tensors,
)
from .views import own_array, update_history, view_meta

F = TypeVar("F", bound=Callable[..., Any])
Rule = Callable[..., Any]

new = object.__new__
Tensor: Any = TensorBase  # until `_tensor` says what results are

NUMBERS = {bool, int, float}
NO_DIMENSIONS: tuple[int, ...] = ()

DECLARED: dict[str, Any] = {}
"""Every declared operation, as "arithmetic.mul": for tests, and for whoever looks around."""


def results_are(cls: type) -> None:
    """Let operations return tensors of this class: the only hole in a floor."""
    global Tensor
    Tensor = Results.cls = cls


def differentiable(
    *, name: str = "", number: int = 0, shown: str = "", floats: bool = False, **rules: Rule
) -> Callable[[F], F]:
    """Declare an operation of one or two tensors, called ``input`` and ``other``.

    Two tensors broadcast, and are brought to one dtype by PyTorch's promotion first.
    ``floats``: integers become the default dtype (``exp``, ``div``). ``name`` and ``number``
    make PyTorch's name of the node where the function's own does not: ``PowBackward1``;
    ``shown`` is that name where it follows no pattern.
    """

    def declare(forward: F) -> F:
        if len(rules) == 1:
            kind = kind_of(forward, rules, name, number, shown)
            return as_operation(unary(forward, kind, floats), forward, kind)
        kind = kind_of(forward, rules, name, number, shown, slots=("input", "other", "out"))
        operator = as_operation(
            binary(forward, kind, floats, otherwise=operator_without_tensors), forward, kind
        )
        wrapper = as_operation(
            binary(forward, kind, floats, otherwise=without_tensors), forward, kind
        )
        wrapper.operator = operator
        return wrapper

    return declare


def operation(
    *,
    name: str = "",
    number: int = 0,
    shown: str = "",
    view: bool = False,
    fused: dict[str, str] | None = None,
    **rules: Rule,
) -> Callable[[F], F]:
    """Declare any other operation: called with all its arguments, in order and checked.

    ``view``: the result shows the memory of the first argument. ``fused``: the operations that
    PyTorch records as nodes of their own, by the argument which they are applied to first.
    """

    def declare(forward: F) -> F:
        kind = kind_of(forward, rules, name, number, shown)
        kind.fused = fused or {}
        kind.view = view
        wrapped = view_wrapper(forward, kind) if view else general(forward, kind)
        return as_operation(wrapped, forward, kind)

    return declare


def as_operation(wrapper: Any, forward: Any, kind: Kind) -> Any:
    """The wrapper, looking like the function it wraps, with its kind at hand."""
    # Written as a function of arrays, it is called with tensors: that is what help() shows.
    forward.__annotations__ = {
        name: "Tensor" if kind_of_value == "Array" else kind_of_value
        for name, kind_of_value in forward.__annotations__.items()
    }
    functools.update_wrapper(wrapper, forward)
    # Its own copy of the code: tracebacks name the operation, and CPython, which specialises
    # each code object to the types it meets, does so per operation (a quarter of the time).
    wrapper.__code__ = wrapper.__code__.replace(co_name=forward.__name__)
    wrapper.kind = kind
    DECLARED[f"{forward.__module__.rpartition('.')[2]}.{forward.__name__}"] = wrapper
    return wrapper


def infix(function: Any) -> Any:
    """An operation as an operator: where ``mul(a, b)`` raises, ``a * b`` lets b's class try."""
    return function.operator


def kind_of(
    forward: Any, rules: dict[str, Rule], name: str, number: int, shown: str, slots: Any = ()
) -> Kind:
    """The kind of operation that this function and these rules make.

    Each rule's parameter names are resolved, once, to positions in the node's ``saved``.
    """
    arguments = forward.__code__.co_varnames[: forward.__code__.co_argcount]
    needs = {
        argument: rule.__code__.co_varnames[1 : rule.__code__.co_argcount]
        for argument, rule in rules.items()
    }
    named = {name for names in needs.values() for name in names}
    if not named:
        slots = ()
    elif not slots:
        slots = tuple(sorted(named))
    name = name or forward.__name__.strip("_")
    return Kind(
        name=shown or "".join(map(str.capitalize, name.split("_"))) + f"Backward{number}",
        op=name,
        arguments=arguments,
        needs=needs,
        slots=slots,
        tensor_slots=tuple(slots.index(slot) for slot in slots if slot in arguments),
        output_slot=slots.index("out") if "out" in named else -1,
        rules=tuple(
            (rule, tuple(map(slots.index, needs[argument]))) for argument, rule in rules.items()
        ),
        # Arrays are freed once used; shapes and options are small, and may be used again.
        frees=not named.isdisjoint((*rules, "out", "condition", "indices")),
        forward=forward,
    )


def binary(forward: Any, kind: Kind, floats: bool, otherwise: Any) -> Any:
    """The wrapper of an operation on two tensors, or on a tensor and a Python number."""
    for_input, for_other = (set(names) for names in kind.needs.values())

    def saves(named: set[str]) -> tuple[bool, ...]:
        return tuple(slot in named for slot in ("input", "other", "out")) if named else ()

    # keeps[does input want a gradient?][does other?]: which of input, other, out are saved
    keeps = ((), saves(for_other)), (saves(for_input), saves(for_input | for_other))

    def wrapper(input: Any, other: Any) -> Any:
        # The operands: a Python number stays what it is.
        x_node = y_node = None
        if isinstance(input, Tensor):
            if input._meta is not None:
                update_history(input)
            x = input._array
            x_node = input._node
        elif type(input) in NUMBERS and isinstance(other, Tensor):
            x = input
        else:
            return otherwise(wrapper, forward, input, other)
        if isinstance(other, Tensor):
            if other._meta is not None:
                update_history(other)
            y = other._array
            y_node = other._node
        elif type(other) in NUMBERS:
            y = other
        else:
            return otherwise(wrapper, forward, input, other)

        # The result, in the dtype that it has in PyTorch.
        try:
            out = forward(x, y)
        except (ValueError, OverflowError) as error:
            return retry_wrapped(wrapper, error, input, other)
        saved_input = input
        saved_other = other
        if out.__class__ is SCALAR32:
            shape = NO_DIMENSIONS  # asking a NumPy scalar is slow
            dtype = FLOAT32
        else:
            if out.dtype is not FLOAT32:  # `is`: NumPy has one object for each of its dtypes
                out, saved_input, saved_other = promoted(forward, floats, out, input, other)
            shape = out.shape
            dtype = out.dtype

        # Slots are filled here, one by one: calls of __init__ take as long as a product.
        result = new(Tensor)
        result._array = out
        result._grad = result._meta = None
        recording = mode.recording
        if (x_node is None and y_node is None) or not recording:
            result._node = None
            if Watch.observer is not None:
                tell_unrecorded((input, other), result)
            return result

        # The node: where gradients go from here, and what the rules for them will need.
        result._node = node = new(Node)
        node.kind = kind
        node.seq = next_number()
        node.edges = (
            input if x_node is LEAF else x_node,
            other if y_node is LEAF else y_node,
        )
        keep = keeps[x_node is not None][y_node is not None]
        node.saved = keep and (
            saved_input if keep[0] else None,
            saved_other if keep[1] else None,
            out if keep[2] else None,
        )
        node.shape = shape
        node.dtype = dtype
        node.extra = node.watched = None
        if recording is not True:
            pack_saved(node, recording)
        observer = Watch.observer
        if observer is not None:
            observer.made(node, (input, other), out)
        return result

    return wrapper


def unary(forward: Any, kind: Kind, floats: bool) -> Any:
    """The wrapper of an operation on one tensor."""
    keeps = tuple(slot in kind.slots for slot in ("input", "input_shape", "out"))
    keeps_input, keeps_shape, keeps_out = keeps
    assert sum(keeps) == len(kind.slots) <= 1, "a rule of one tensor names one saved value"

    def wrapper(input: Any) -> Any:
        if not isinstance(input, TensorBase):
            return without_tensors(wrapper, forward, input)
        if input._meta is not None:
            update_history(input)
        x = input._array
        if floats and x.__class__ is not SCALAR32 and x.dtype.kind != "f":
            x = x.astype(dtypes.get_default_dtype().numpy)
        out = forward(x)
        result = new(Results.cls)
        result._array = out
        result._grad = result._meta = None
        source = input._node
        recording = mode.recording
        if source is None or not recording:
            result._node = None
            if Watch.observer is not None:
                tell_unrecorded((input,), result)
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


def view_wrapper(forward: Any, kind: Kind) -> Any:
    """The wrapper of operations whose result shows the memory of their first argument.

    The other arguments are options; rules name these, or ``input_shape``.
    """
    names = kind.arguments[1:]
    slots = [-1 if slot == "input_shape" else names.index(slot) for slot in kind.slots]
    shape_only = slots == [-1]  # the usual case, quickly

    def wrapper(input: Any, *options: Any) -> Any:
        if not isinstance(input, TensorBase):
            return without_tensors(wrapper, forward, input, *options)
        if input._meta is not None:
            update_history(input)
        array = input._array
        if array.__class__ is not ndarray:
            array = own_array(input)
        out = forward(array, *options)
        result = new(Results.cls)
        result._array = out
        result._grad = None
        result._meta = view_meta(input, wrapper, options)
        source = input._node
        recording = mode.recording
        if source is None or not recording:
            result._node = None
            if Watch.observer is not None:
                tell_unrecorded((input, *options), result)
            return result
        result._node = node = new(Node)
        node.kind = kind
        node.seq = next_number()
        node.edges = (input if source is LEAF else source,)
        if shape_only:
            node.saved = (array.shape,)
        else:
            node.saved = tuple([array.shape if slot < 0 else options[slot] for slot in slots])
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


class Saved(NamedTuple):
    """Where a wrapper finds one of the values to save: among its arguments, the result last."""

    position: int
    shape_only: bool


def general(forward: Any, kind: Kind) -> Any:
    """The wrapper of every other operation."""
    arguments = (*kind.arguments, "out")
    ruled = [arguments.index(name) for name in kind.needs]
    sources = {
        slot: Saved(arguments.index(slot.removesuffix("_shape")), slot.endswith("_shape"))
        for slot in kind.slots
    }

    def planned(wants: tuple[bool, ...]) -> list[Saved | None]:
        """What to save if these of the arguments with a rule want a gradient."""
        needed: set[str] = set()
        for names in compress(kind.needs.values(), wants):
            needed.update(names)
        if not needed:
            return []  # nothing to free: another pass is possible
        return [sources[slot] if slot in needed else None for slot in kind.slots]

    plans = {wants: planned(wants) for wants in product((False, True), repeat=len(ruled))}

    def wrapper(*args: Any) -> Any:
        arrays: list[Any] = []
        nodes: list[Any] = []  # where the gradient of each goes
        any_tensor = False
        for argument in args:
            node = None
            if isinstance(argument, TensorBase):
                any_tensor = True
                if argument._meta is not None:
                    update_history(argument)
                node = argument if argument._node is LEAF else argument._node
                argument = argument._array
            arrays.append(argument)
            nodes.append(node)
        if not any_tensor:
            return without_tensors(wrapper, forward, *args)
        try:
            out = forward(*arrays)
        except ValueError as error:
            raise broadcast_error(error, *arrays) from None
        result = new_tensor(out)
        edges = tuple([nodes[position] for position in ruled])
        wants = tuple([edge is not None for edge in edges])
        if True in wants and mode.recording:
            values = (*args, out)
            saved: list[Any] = []
            for source in plans[wants]:
                if source is None:
                    saved.append(None)
                elif source.shape_only:
                    saved.append(arrays[source.position].shape)
                else:
                    saved.append(values[source.position])
            result._node = record(kind, args, edges, tuple(saved), out)
        elif Watch.observer is not None:
            tell_unrecorded(args, result)
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


def tell_unrecorded(operands: tuple[Any, ...], result: TensorBase) -> None:
    """Tell whoever watches of an operation that was not recorded: the program switched that off,
    or none of its operands has a history."""
    observer = Watch.observer
    if observer is None:
        return
    if mode.recording:
        observer.without_history(operands, result)
    elif mode.switch:
        observer.unrecorded(operands, mode.switch, result)


def tell(node: Node, operands: tuple[Any, ...], out: Any) -> None:
    """Tell whoever watches of an operation that was recorded."""
    observer = Watch.observer
    if observer is not None:
        observer.made(node, operands, out)
