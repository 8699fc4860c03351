"""The graph: a tensor's bare slots, the nodes behind it, and who is watching.

A *node* stands for one executed operation. It owns only backwards: a tensor points to the
node that made it, a node to the nodes (or leaves) that made its inputs, never the other way,
and a saved output is a bare array. So the last reference to a result frees its whole graph at
once, by reference counting alone.

Nodes are numbered as they are made, and an operation can only use results that exist already.
Hence the invariant on which everything rests: **an edge always leads to a smaller number**,
so descending numbers are a topological order, and the backward pass is a sort.
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from ..errors import freed_error, stale_error

next_number: Callable[[], int] = itertools.count(1).__next__
"""The one counter. Nodes take their sequence numbers from it, and so do in-place writes."""


class LEAF:
    """Stands in ``_node`` where a tensor requires a gradient but no operation made it."""


class TensorBase:
    """A tensor's slots, without behaviour (that is in ``Tensor``).

    ``_array``  the value: a NumPy array, or a NumPy scalar for a 0-d result
    ``_node``   None (no gradient), LEAF, or the node that made it
    ``_grad``   the accumulated gradient, a tensor or None
    ``_meta``   what few tensors have: hooks, views, writes; None for all others
    """

    __slots__ = ("__weakref__", "_array", "_grad", "_node", "_meta")

    _array: Any
    _node: Any
    _grad: Any
    _meta: Any


class Extra:
    """What few nodes have: hooks, a tensor that retains its gradient, memory that is shared."""

    __slots__ = ("hooks", "hooks_after", "retained", "since", "storage")

    def __init__(self) -> None:
        self.hooks: dict[int, Callable[..., Any]] | None = None  # on the gradient that arrives
        self.hooks_after: dict[int, Callable[..., Any]] | None = None  # on what the visit made
        self.retained: weakref.ref[TensorBase] | None = None
        self.storage: Any = None  # the output's (see ``views``), to notice later writes to it
        self.since = 0  # of an in-place operation: the number of its own write


@dataclass(slots=True, eq=False)
class Kind:
    """A kind of operation: what all nodes that it leaves behind have in common."""

    name: str  # as PyTorch prints it: "MulBackward0"
    op: str  # "mul"
    arguments: tuple[str, ...] = ()
    needs: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what each rule names
    slots: tuple[str, ...] = ()  # what the entries of a node's ``saved`` are
    tensor_slots: tuple[int, ...] = ()  # which of them may be tensors
    output_slot: int = -1  # which of them is the output itself, if any is
    rules: tuple[Any, ...] = ()  # one for each edge: the function, and the slots that it wants
    view: bool = False  # does the result show the memory of the first argument?
    frees: bool = False  # are values saved (not just shapes and options), to be freed once used?
    forward: Any = None
    rule_text: str = "backward(ctx, g)"  # for a reader, where there are no rules
    fused: dict[str, str] = field(default_factory=dict)  # what is done to which argument first
    shown: Any = None  # the class that a node gets when somebody looks at it, see ``named``


class Node:
    """One executed operation. Counterpart: ``torch.autograd.graph.Node``, a ``grad_fn``.

    ``edges`` has one entry for each tensor argument: a Node, a leaf tensor, or None where no
    gradient is wanted. ``saved`` holds what the derivative rules asked for by name, and None
    once it was freed. ``shape`` and ``dtype`` are those of the output, and so of the gradient
    that arrives.

    What kind of operation it was is a slot, not a subclass: code whose objects are all of one
    class runs a quarter faster in CPython. Who looks at a node sees a class: ``named``.

    >>> import minigrad as torch
    >>> a = torch.tensor(2.0, requires_grad=True)
    >>> node = (a * 3).grad_fn
    >>> node.name(), isinstance(node, torch.autograd.graph.Node)
    ('MulBackward0', True)
    """

    __slots__ = (
        "__weakref__",
        "dtype",
        "edges",
        "extra",
        "kind",
        "saved",
        "seq",
        "shape",
        "watched",
    )

    def __init__(
        self, kind: Kind, edges: tuple[Any, ...], shape: tuple[int, ...], dtype: Any
    ) -> None:
        self.kind = kind
        self.seq = next_number()
        self.edges = edges
        self.saved: tuple[Any, ...] | None = ()
        self.shape = shape
        self.dtype = dtype
        self.extra: Extra | None = None
        self.watched: Any = None  # who watches leaves a token here, which dies with the node

    def __repr__(self) -> str:
        return f"<{self.name()} object at {hex(id(self))}>"

    def name(self) -> str:
        """The name of the derivative, as PyTorch prints it: ``MulBackward0``.

        Counterpart: ``torch.autograd.graph.Node.name``.

        >>> import minigrad as torch
        >>> (torch.tensor(2.0, requires_grad=True) * 3).grad_fn.name()
        'MulBackward0'
        """
        return self.kind.name

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes that made this one's inputs, each with an output number (always 0).

        Counterpart: ``torch.autograd.graph.Node.next_functions``.

        >>> import minigrad as torch
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> [node.name() for node, _ in (x.exp() + x).grad_fn.next_functions]
        ['ExpBackward0', 'torch::autograd::AccumulateGrad']
        """
        found: list[tuple[Any, int]] = []
        for edge in self._of_inputs(self.edges):
            if isinstance(edge, Node):
                edge = named(edge)
            elif edge is not None:
                edge = accumulator(edge)
            found.append((edge, 0))
        return tuple(found)

    def __call__(self, *grad_outputs: Any) -> Any:
        """The gradient for each input, made of ``g``, the gradient of the output: ``node(g)``.

        That is one visit by hand: ``g`` times the local derivative for each input, as the backward
        pass computes it. One tensor if the operation has one input, else a tuple; None stands
        where nothing flows. Nothing is summed, freed or stored, and no hooks are called.
        Where an input was broadcast, its part still has the shape of ``g``, for it is the engine
        that sums it (and that casts, where the operation did). What is computed is recorded.

        Raises TypeError for what is no tensor, and RuntimeError if a saved value that it needs was
        freed (MG106) or overwritten (MG104). Counterpart: calling a ``torch.autograd.graph.Node``.

        >>> import minigrad as torch
        >>> rate = torch.tensor(2.0, requires_grad=True)
        >>> km = torch.tensor(3.0, requires_grad=True)
        >>> node = (rate * km).grad_fn
        >>> [part.item() for part in node(torch.tensor(10.0))]
        [30.0, 20.0]
        """
        g = only_gradient(grad_outputs)
        parts: Any = [None] * len(self.edges)
        if g is not None:
            parts = self.vjp(g, self.edges)
        if Watch.called is not None:
            Watch.called(self, g, parts)
        parts = self._of_inputs(parts)
        if len(parts) == 1:
            return parts[0]
        return tuple(parts)

    def _of_inputs(self, by_edge: Iterable[Any]) -> list[Any]:
        """Of what there is for each edge, that which belongs to an input as PyTorch counts them."""
        if self.kind.name not in ONE_INPUT:
            return list(by_edge)
        return [one for one, edge in zip(by_edge, self.edges) if edge is not None]

    def register_hook(self, hook: Callable[[Any, Any], Any]) -> RemovableHandle:
        """Call ``hook(grad_inputs, grad_outputs)`` after each visit of this node.

        Both are tuples: the gradients that the visit has made for the inputs of the operation
        (None where none is wanted), and those of its outputs. A tuple that the hook returns takes
        the place of ``grad_inputs``. Counterpart: ``torch.autograd.graph.Node.register_hook``.

        >>> import minigrad as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> y = x * 2
        >>> handle = y.grad_fn.register_hook(lambda inputs, outputs: print(inputs, outputs))
        >>> y.backward()
        (tensor(2.), None) (tensor(1.),)
        """
        return registered(extra(self), "hooks_after", hook)

    def register_prehook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        """Call ``hook(grad_outputs)`` before each visit of this node.

        A tuple that the hook returns takes the place of ``grad_outputs``, the tuple of the
        gradients of the outputs. Counterpart: ``torch.autograd.graph.Node.register_prehook``.

        >>> import minigrad as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> y = x * 2
        >>> handle = y.grad_fn.register_prehook(lambda outputs: (outputs[0] * 10,))
        >>> y.backward()
        >>> x.grad
        tensor(20.)
        """

        def first(g: Any) -> Any:
            replaced = hook((g,))
            return replaced[0] if isinstance(replaced, tuple) else replaced

        return registered(extra(self), "hooks", first)

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> list[Any]:
        """The vector-Jacobian product: the gradient for each edge, None where the edge is None.

        This is the *visit* of the node. ``g`` is the gradient of the output, an array, and so are
        the results; or, when the backward pass is itself recorded, tensors. Raises RuntimeError
        (MG106) if what it needs was freed by an earlier pass.
        """
        values: Any = self.saved
        kind = self.kind
        if values is None:
            raise freed_error(self)
        if values and (kind.tensor_slots or self.extra or isinstance(g, TensorBase)):
            values = self.values(isinstance(g, TensorBase))
        parts: list[Any] = []
        for edge, (rule, slots) in zip(edges, kind.rules):
            if edge is None:
                parts.append(None)
            elif not slots:
                parts.append(rule(g))
            elif len(slots) == 1:  # spelled out, for the sake of speed
                parts.append(rule(g, values[slots[0]]))
            else:
                parts.append(rule(g, *map(values.__getitem__, slots)))
        return parts

    def values(self, as_tensors: bool) -> list[Any]:
        """What was saved, as bare arrays or as tensors with their history.

        Raises RuntimeError (MG104) if it was overwritten since.
        """
        values = list(self.saved or ())
        for slot in self.kind.tensor_slots:
            value = values[slot]
            if isinstance(value, Packed):  # by hooks, which answer for what they bring back
                value = values[slot] = value.unpacked()
            elif self.is_stale(value):
                raise stale_error(self, value, value._meta.storage)
            if isinstance(value, TensorBase) and not as_tensors:
                values[slot] = value._array
        slot = self.kind.output_slot
        if slot >= 0 and values[slot] is not None:
            extra = self.extra
            if isinstance(values[slot], Packed):
                values[slot] = values[slot].unpacked()._array
            elif extra is not None and overwritten(extra.storage, max(self.seq, extra.since)):
                raise stale_error(self, None, extra.storage)
            if as_tensors:
                values[slot] = new_tensor(values[slot], self)
        return values

    def is_stale(self, value: Any) -> bool:
        """Was this saved tensor written to since?"""
        meta = value._meta if isinstance(value, TensorBase) else None
        return meta is not None and overwritten(meta.storage, self.seq)


ONE_INPUT = {
    "ClampBackward1",
    "FmodBackward0",
    "MaskedFillBackward0",
    "PowBackward0",
    "PowBackward2",
    "RemainderBackward0",
    "RsubBackward1",
}
"""Nodes that have one input for PyTorch: a number beside it, as in ``x**2``, is none."""


class Packed:
    """A saved value in another form, by ``saved_tensors_hooks``: ``unpacked()`` brings it back."""

    __slots__ = ("unpacked",)

    unpacked: Callable[[], Any]


def overwritten(storage: Any, number: int) -> bool:
    """Was this memory written to after ``number``?"""
    return storage is not None and storage.written > number


def named(node: Node) -> Node:
    """The node, now of a class with its kind's name, so that ``type`` says ``MulBackward0``."""
    kind = node.kind
    if type(node).__name__ != kind.name:
        kind.shown = kind.shown or type(kind.name, (type(node),), {"__slots__": ()})
        node.__class__ = kind.shown
    return node


class AccumulateGrad:
    """Stands for a leaf in ``next_functions``: where a gradient is added to ``.grad``.

    ``variable`` is the leaf.
    """

    __slots__ = ("__weakref__", "variable")

    next_functions = ()

    def __init__(self, variable: TensorBase) -> None:
        self.variable = variable

    def __repr__(self) -> str:
        return f"<AccumulateGrad object at {hex(id(self.variable))}>"

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def __call__(self, *grad_outputs: Any) -> tuple[()]:
        """Add a gradient to the ``.grad`` of the leaf, and pass nothing on.

        >>> import minigrad as torch
        >>> rate = torch.tensor(2.0, requires_grad=True)
        >>> ((last, _),) = rate.exp().grad_fn.next_functions
        >>> last(torch.tensor(5.0)), last(torch.tensor(1.0))
        ((), ())
        >>> rate.grad
        tensor(6.)
        """
        g = only_gradient(grad_outputs)
        if g is not None:
            before = self.variable._grad
            self.variable._grad = g.clone() if before is None else before + g
        return ()


accumulators: weakref.WeakValueDictionary[int, AccumulateGrad] = weakref.WeakValueDictionary()
"""Those that somebody holds, by the identity of their leaf, which lives as long as they do."""


def accumulator(leaf: TensorBase) -> AccumulateGrad:
    """What stands for a leaf: for as long as somebody holds it, always the same object."""
    return accumulators.setdefault(id(leaf), AccumulateGrad(leaf))


def only_gradient(grad_outputs: tuple[Any, ...]) -> Any:
    """The one gradient that a node was called with. Raises TypeError if it is none."""
    if len(grad_outputs) != 1:
        raise TypeError(f"expected 1 arguments, got {len(grad_outputs)} instead")
    (g,) = grad_outputs
    if g is not None and not isinstance(g, TensorBase):
        raise TypeError(
            f"argument 0 is not a Variable, but of type {type(g).__name__}: a node is called with "
            "a tensor, the gradient of its output, as in node(torch.tensor(1.0))"
        )
    return g


def edge_to(operand: Any) -> Any:
    """Where its gradient goes: to its node, or, at a leaf, to the tensor itself, or nowhere."""
    if not isinstance(operand, TensorBase):
        return None  # a Python number
    node = operand._node
    return operand if node is LEAF else node


def extra(node: Node) -> Extra:
    """What few nodes have, of this one; made on demand."""
    found = node.extra
    if found is None:
        found = node.extra = Extra()
    return found


class Results:
    """The class of results, which ``_tensor`` names once (``record.results_are``)."""

    cls: Any = TensorBase


def new_tensor(array: Any, node: Any = None) -> Any:
    """A tensor around an array, without copying it."""
    tensor = object.__new__(Results.cls)
    tensor._array = array
    tensor._node = node
    tensor._grad = None
    tensor._meta = None
    return tensor


def as_tensor(g: Any) -> Any:
    """A gradient as a tensor, for hooks and for ``.grad``."""
    return g if isinstance(g, TensorBase) else new_tensor(g)


class Watch:
    """Who watches, in all threads. None means that recording costs nothing extra.

    An observer is told ``made(node, operands, array)`` of each recorded operation, and of each
    backward pass ``began(roots)``, whose answer stands for the pass in ``visited(pass, step)``
    and ``landed(pass, leaf, gradient)``; of a write in place it is asked for the line,
    ``writing()``. Of a value that leaves the graph it is told ``cut(tensor, how, result)``, or
    ``unrecorded(operands, how, result)`` while recording is off; ``switching(name)`` asks it what
    to call that. ``without_history(operands, result)`` tells it of operations on such values. A
    result that was written over by another is told by ``overwrote(old, new)``, and a view whose
    history was derived again after a write by ``derived_again(node)``.
    It must hold neither nodes nor tensors, or it would keep the graph alive; and it is told by
    several threads at once. Who asks whether there is one keeps it in a variable: another thread
    may take it away. See ``tape``.
    """

    observer: Any = None
    refuse: Any = None  # told each step of a pass, to raise where something is wrong
    called: Any = None  # told ``(node, g, parts)`` of each node that somebody calls by hand


def tell_of_cut(tensor: TensorBase, how: str, result: TensorBase | None = None) -> None:
    """Tell whoever watches that a value leaves the graph: no gradient comes back from there.

    ``how`` names what was called; ``result`` is the tensor that has the value from now on.
    """
    observer = Watch.observer
    if observer is not None and tensor._node is not None:
        observer.cut(tensor, how, result)


def reachable(roots: Iterable[Any]) -> list[Node]:
    """All nodes behind ``roots``, newest first: a topological order."""
    found = {root for root in roots if isinstance(root, Node)}
    nodes = list(found)
    for node in nodes:  # which grows meanwhile
        for edge in node.edges:
            if isinstance(edge, Node) and edge not in found:
                found.add(edge)
                nodes.append(edge)
    nodes.sort(key=attrgetter("seq"), reverse=True)
    return nodes


# --------------------------------------------------------------------------------------- hooks


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
