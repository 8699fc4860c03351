"""One call of a custom Function: its ``ctx``, and its node in the graph.

They are two objects. ``ctx`` belongs to the user, who may keep anything on it, under any name;
the node belongs to the engine. So nothing that is kept can overwrite what the engine needs.
"""

from __future__ import annotations

import weakref
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .._tensor import Tensor
from ..engine.modes import mode
from ..engine.node import Node, Packed, edge_to, new_tensor, overwritten
from ..engine.views import Storage
from ..errors import freed_error, stale_error


class SavedOutput(NamedTuple):
    """An output kept for ``backward``: its array, since the tensor itself would be a cycle."""

    array: Any
    position: int
    storage: Storage
    since: int


class Output(NamedTuple):
    """What is known of one output; of what is no tensor, nothing."""

    shape: Any = None
    dtype: Any = None
    differentiable: bool = False


class FunctionCtx:
    """What ``forward`` and ``backward`` of one call share: the ``ctx`` that both are given.

    Attributes of any name are yours to set: ``ctx.shape = x.shape``. What ``backward`` needs of
    tensors is kept by ``save_for_backward``. ``needs_input_grad`` has a bool for each argument of
    ``forward``: does it want a gradient?

    It is not the node of the graph, so no attribute can overwrite what the engine needs; and it
    holds that node weakly, or the two would keep each other alive.

    Counterpart: ``torch.autograd.function.FunctionCtx``.
    """

    __slots__ = ("__dict__", "__node", "__weakref__")

    def __init__(self, node: FunctionNode) -> None:
        self.__node = weakref.ref(node)
        self.needs_input_grad = tuple(edge is not None for edge in node.edges)

    def __the_node(self) -> FunctionNode:
        node = self.__node()
        if node is None:
            raise RuntimeError("this ctx has outlived the graph that it belonged to")
        return node

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep inputs, outputs or other tensors (or None) for ``backward``.

        Unlike attributes of ``ctx`` they are checked for writes, are freed once used, and make no
        reference cycle. Raises TypeError for what is no tensor.
        Counterpart: ``torch.autograd.function.FunctionCtx.save_for_backward``.
        """
        for position, value in enumerate(tensors):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {position} is of "
                    f"type {type(value).__name__}: keep that as an attribute, ctx.name = value"
                )
        self.__the_node().to_save = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs ``forward`` has changed in place (and returns).

        Counterpart: ``torch.autograd.function.FunctionCtx.mark_dirty``.
        """
        self.__the_node().dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs have no gradient.

        Counterpart: ``torch.autograd.function.FunctionCtx.mark_non_differentiable``.
        """
        self.__the_node().constant = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether ``backward`` gets zeros, or None, for outputs that received no gradient.

        Counterpart: ``torch.autograd.function.FunctionCtx.set_materialize_grads``.
        """
        self.__the_node().materialize = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What ``save_for_backward`` kept.

        Raises RuntimeError if it was freed (MG106) or overwritten since (MG104).
        Counterpart: ``ctx.saved_tensors`` in PyTorch's ``Function.backward``.
        """
        return self.__the_node().unpacked()

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes behind this call's arguments: those of its ``grad_fn``.

        Counterpart: ``torch.autograd.graph.Node.next_functions``.
        """
        return self.__the_node().next_functions

    def name(self) -> str:
        """The name of its ``grad_fn``: ``CubeBackward``.

        Counterpart: ``torch.autograd.graph.Node.name``.
        """
        return self.__the_node().name()


class FunctionNode(Node):
    """The node of a call of a custom Function.

    What ``forward`` keeps on its ``ctx`` is found on the node as well: ``y.grad_fn.power``.
    """

    __slots__ = (
        "are_tensors",
        "constant",
        "ctx",
        "dirty",
        "function",
        "materialize",
        "outputs",
        "to_save",
    )

    def __init__(self, function: Any, arguments: tuple[Any, ...]) -> None:
        edges = tuple(edge_to(a) if isinstance(a, Tensor) else None for a in arguments)
        super().__init__(function._kind, edges, (), None)
        self.function = function
        self.are_tensors = tuple(isinstance(a, Tensor) for a in arguments)
        self.outputs: list[Output] = []
        # What ``forward`` says of its arguments and outputs, through ctx:
        self.to_save: tuple[Any, ...] = ()
        self.dirty: tuple[Any, ...] = ()
        self.constant: tuple[Any, ...] = ()
        self.materialize = True
        self.ctx = function._ctx(self)

    def __getattr__(self, name: str) -> Any:
        ctx = object.__getattribute__(self, "ctx")
        return getattr(ctx, name)

    def unpacked(self) -> tuple[Any, ...]:
        """What ``save_for_backward`` kept, as it was given."""
        if self.saved is None:
            raise freed_error(self)
        return tuple(map(self._unpacked, self.saved))

    def _unpacked(self, value: Any) -> Any:
        if isinstance(value, Packed):
            return value.unpacked()
        if isinstance(value, SavedOutput):
            array = value.array
            if isinstance(array, Packed):  # what hooks have kept, nobody else can write to
                array = array.unpacked()._array
            elif overwritten(value.storage, value.since):
                raise stale_error(self, None)
            return new_tensor(array, self.output_node(value.position))
        if self.is_stale(value):
            raise stale_error(self, value)
        return value

    def output_node(self, position: int) -> Node | None:
        """The node of one output: this one, or one that leads here if there are several."""
        out = self.outputs[position]
        if not out.differentiable:
            return None
        return self if len(self.outputs) == 1 else OutputNode(self, position, out.shape, out.dtype)

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> Any:
        parts = g.by_output if isinstance(g, Parts) else {0: g}
        recorded = any(isinstance(part, Tensor) for part in parts.values())
        grads = []
        for position, out in enumerate(self.outputs):
            part = parts.get(position)
            if part is None and self.materialize and out.dtype is not None:
                part = np.zeros(out.shape, out.dtype)
            grads.append(part if part is None or isinstance(part, Tensor) else new_tensor(part))
        raw = mode.raw  # this is the user's code again
        mode.raw = False
        try:
            found = self.function.backward(self.ctx, *grads)
        finally:
            mode.raw = raw
        found = self._checked(found if isinstance(found, tuple) else (found,))
        wanted = [part if edge is not None else None for edge, part in zip(edges, found)]
        if recorded:
            return wanted
        return [None if part is None else aliased(part._array) for part in wanted]

    def _checked(self, found: tuple[Any, ...]) -> tuple[Any, ...]:
        """What ``backward`` returned, if it can be gradients of the arguments."""
        count = len(self.are_tensors)
        if len(found) < count or any(part is not None for part in found[count:]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients "
                f"(expected {count}, got {len(found)})"
            )
        for position, (part, is_tensor) in enumerate(zip(found, self.are_tensors), start=1):
            if part is not None and not is_tensor:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different from None at position "
                    f"{position}, but the corresponding forward input was not a Variable"
                )
            if part is not None and not isinstance(part, Tensor):
                raise RuntimeError(
                    f"expected Variable or None (got {type(part).__name__}): backward returns a "
                    "Tensor or None for each argument of forward"
                )
        return found


def aliased(array: Any) -> Any:
    """An array that the engine will not take for its own: the user may hold it too."""
    return array.view() if isinstance(array, np.ndarray) else array


class Parts:
    """Gradients for some of a node's several outputs, which the engine can add up."""

    __slots__ = ("by_output",)

    shape = dtype = None

    def __init__(self, by_output: dict[int, Any]) -> None:
        self.by_output = by_output

    def __add__(self, other: Parts) -> Parts:
        merged = dict(self.by_output)
        for position, part in other.by_output.items():
            merged[position] = merged[position] + part if position in merged else part
        return Parts(merged)


class OutputNode(Node):
    """One of several outputs: hands its gradient to the node that made them all."""

    __slots__ = ("position",)

    def __init__(self, made_by: Node, position: int, shape: Any, dtype: Any) -> None:
        super().__init__(replace(made_by.kind, shown=None), (made_by,), shape, dtype)
        self.position = position

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> Any:
        return [Parts({self.position: g})]
