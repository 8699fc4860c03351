"""One call of a custom Function: its ``ctx``, and its node in the graph.

They are two objects. ``ctx`` belongs to the user, who may set attributes of any name on it; the
node belongs to the engine. So no attribute can overwrite what the engine needs.
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
    """An output that was saved for ``backward``.

    It is saved as an array: the tensor has this node for its history, and a node that holds it
    would be a reference cycle.
    """

    array: Any
    position: int  # among the outputs of ``forward``
    storage: Storage
    since: int  # a write to the storage after this number makes the array stale


class Output(NamedTuple):
    """What is known of one output of ``forward``; if it is no tensor, nothing."""

    shape: Any = None
    dtype: Any = None
    differentiable: bool = False


class FunctionCtx:
    """What ``forward`` and ``backward`` of one call share: the ``ctx`` that both are given.

    Attributes of any name are yours to set: ``ctx.shape = x.shape``. What ``backward`` needs of
    tensors is kept by ``save_for_backward``. ``needs_input_grad`` has a bool for each argument of
    ``forward``: does it want a gradient?

    It is not the node of the graph, so no attribute can overwrite what the engine needs. The node
    holds it, and it holds the node weakly: otherwise the two would keep each other alive.

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
        are_tensors = tuple(isinstance(a, Tensor) for a in arguments)
        edges = tuple(
            edge_to(a) if is_tensor else None for a, is_tensor in zip(arguments, are_tensors)
        )
        super().__init__(function._kind, edges, (), None)
        self.function = function
        self.are_tensors = are_tensors
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

    def __call__(self, *grad_outputs: Any) -> Any:
        """Raises TypeError, as in PyTorch, whose nodes of Functions cannot be called."""
        raise TypeError(
            f"{self.name()!r} object is not callable: it belongs to a custom Function, whose "
            "backward needs a pass; take torch.autograd.grad"
        )

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
                raise stale_error(self, None, value.storage)
            return new_tensor(array, self.output_node(value.position))
        if self.is_stale(value):
            raise stale_error(self, value, value._meta.storage)
        return value

    def output_node(self, position: int) -> Node | None:
        """The node of one output: this one, or one that leads here if there are several."""
        out = self.outputs[position]
        if not out.differentiable:
            return None
        if len(self.outputs) == 1:
            return self
        return OutputNode(self, position, out.shape, out.dtype)

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> Any:
        by_output = g.by_output if isinstance(g, OutputGradients) else {0: g}
        recorded = any(isinstance(part, Tensor) for part in by_output.values())
        raw = mode.raw  # this is the user's code again
        mode.raw = False
        try:
            grads = self.function.backward(self.ctx, *self._output_gradients(by_output))
        finally:
            mode.raw = raw
        if not isinstance(grads, tuple):
            grads = (grads,)
        self._check(grads)
        wanted = [None if edge is None else grad for edge, grad in zip(edges, grads)]
        if recorded:
            return wanted
        return [None if grad is None else aliased(grad._array) for grad in wanted]

    def _output_gradients(self, by_output: dict[int, Any]) -> list[Any]:
        """What ``backward`` is called with: a tensor, or None, for each output of ``forward``."""
        grads = []
        for position, out in enumerate(self.outputs):
            grad = by_output.get(position)
            if grad is None and self.materialize and out.dtype is not None:
                grad = np.zeros(out.shape, out.dtype)
            if grad is not None and not isinstance(grad, Tensor):
                grad = new_tensor(grad)
            grads.append(grad)
        return grads

    def _check(self, grads: tuple[Any, ...]) -> None:
        """Raise RuntimeError if what ``backward`` returned cannot be gradients of the arguments."""
        count = len(self.are_tensors)
        if len(grads) < count or any(grad is not None for grad in grads[count:]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients "
                f"(expected {count}, got {len(grads)})\n"
                "  fix: return one for each argument of forward (after ctx), in their order, and "
                "None for one that is no tensor"
            )
        for position, (grad, is_tensor) in enumerate(zip(grads, self.are_tensors), start=1):
            if grad is not None and not is_tensor:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different from None at position "
                    f"{position}, but the corresponding forward input was not a Variable\n"
                    f"  fix: return None at position {position}: that argument of forward is no "
                    "tensor"
                )
            if grad is not None and not isinstance(grad, Tensor):
                raise RuntimeError(
                    f"expected Variable or None (got {type(grad).__name__}): backward returns a "
                    "Tensor or None for each argument of forward"
                )


def aliased(array: Any) -> Any:
    """An array that the engine does not write to, as to its own: the user may hold it too."""
    if isinstance(array, np.ndarray):
        return array.view()
    return array


class OutputGradients:
    """The gradients of some of a node's several outputs, which the engine can add up as one."""

    __slots__ = ("by_output",)

    shape = dtype = None

    def __init__(self, by_output: dict[int, Any]) -> None:
        self.by_output = by_output

    def __add__(self, other: OutputGradients) -> OutputGradients:
        merged = dict(self.by_output)
        for position, grad in other.by_output.items():
            if position in merged:
                merged[position] = merged[position] + grad
            else:
                merged[position] = grad
        return OutputGradients(merged)


class OutputNode(Node):
    """The ``grad_fn`` of one of several outputs: hands its gradient to the node of the call."""

    __slots__ = ("position",)

    def __init__(self, made_by: Node, position: int, shape: Any, dtype: Any) -> None:
        super().__init__(replace(made_by.kind, shown=None), (made_by,), shape, dtype)
        self.position = position

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> Any:
        return [OutputGradients({self.position: g})]
