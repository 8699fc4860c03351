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

What runs is one of three wrappers. That for two tensors is here, since it is the one to read;
those for one tensor, for views and for everything else, in ``general``, do the same.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from . import graph
from .dtypes import FLOAT32, SCALAR32
from .general import general, unary, viewing
from .grad_mode import mode
from .graph import LEAF, Kind, Node, Watch, next_number
from .operands import bare, foreign, promoted, retried
from .packing import pack_saved
from .views import settle

F = TypeVar("F", bound=Callable[..., Any])
Rule = Callable[..., Any]

new = object.__new__
Tensor: Any = graph.TensorBase  # until `_tensor` says what results are

NUMBERS = {bool, int, float}
NO_DIMENSIONS: tuple[int, ...] = ()

DECLARED: dict[str, Any] = {}
"""Every declared operation, as "elementwise.mul": for tests, and for whoever looks around."""


def results_are(cls: type) -> None:
    """Let operations return tensors of this class: the only hole in a floor."""
    global Tensor
    Tensor = graph.Results.cls = cls


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
            return dressed(unary(forward, kind, floats), forward, kind)
        kind = kind_of(forward, rules, name, number, shown, slots=("input", "other", "out"))
        operator = dressed(binary(forward, kind, floats, unfit=foreign), forward, kind)
        wrapper = dressed(binary(forward, kind, floats, unfit=bare), forward, kind)
        wrapper.operator = operator
        return wrapper

    return declare


def operation(
    *, name: str = "", number: int = 0, shown: str = "", view: bool = False, **rules: Rule
) -> Callable[[F], F]:
    """Declare any other operation: called with all its arguments, in order and checked.

    ``view``: the result shows the memory of the first argument.
    """

    def declare(forward: F) -> F:
        kind = kind_of(forward, rules, name, number, shown)
        return dressed((viewing if view else general)(forward, kind), forward, kind)

    return declare


def dressed(wrapper: Any, forward: Any, kind: Kind) -> Any:
    """The wrapper, looking like the function it wraps, with its kind at hand."""
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
    slots = (slots or tuple(sorted(named))) if named else ()
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


def binary(forward: Any, kind: Kind, floats: bool, unfit: Any) -> Any:
    """The wrapper of an operation on two tensors, or on a tensor and a Python number."""
    for_input, for_other = (set(names) for names in kind.needs.values())

    def kept(named: set[str]) -> tuple[bool, ...]:
        return tuple(slot in named for slot in ("input", "other", "out")) if named else ()

    # keeps[does input want a gradient?][does other?]: which of input, other, out are saved
    keeps = ((), kept(for_other)), (kept(for_input), kept(for_input | for_other))

    def wrapper(input: Any, other: Any) -> Any:
        a = b = None
        if isinstance(input, Tensor):
            if input._rare is not None:
                settle(input)
            x = input._array
            a = input._node
        elif type(input) in NUMBERS and isinstance(other, Tensor):
            x = input
        else:
            return unfit(wrapper, forward, input, other)
        if isinstance(other, Tensor):
            if other._rare is not None:
                settle(other)
            y = other._array
            b = other._node
        elif type(other) in NUMBERS:
            y = other
        else:
            return unfit(wrapper, forward, input, other)

        try:
            out = forward(x, y)
        except (ValueError, OverflowError) as error:
            return retried(wrapper, error, input, other)
        first = input
        second = other
        if out.__class__ is SCALAR32:
            shape = NO_DIMENSIONS  # asking a NumPy scalar is slow
            dtype = FLOAT32
        else:
            if out.dtype is not FLOAT32:  # `is`: NumPy has one object for each of its dtypes
                out, first, second = promoted(forward, floats, out, input, other)
            shape = out.shape
            dtype = out.dtype
        # Slots are filled here, one by one: calls of __init__ take as long as a product.
        result = new(Tensor)
        result._array = out
        result._grad = result._rare = None
        recording = mode.recording
        if (a is None and b is None) or not recording:
            result._node = None
            return result
        result._node = node = new(Node)
        node.kind = kind
        node.seq = next_number()
        node.edges = (input if a is LEAF else a, other if b is LEAF else b)
        keep = keeps[a is not None][b is not None]
        node.saved = keep and (
            first if keep[0] else None,
            second if keep[1] else None,
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
