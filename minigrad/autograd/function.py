"""Operations with a derivative of your own."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .. import graph
from .._tensor import Tensor
from ..errors import freed_error, leaf_write_error, stale_error
from ..grad_mode import mode, no_grad
from ..graph import LEAF, Kind, Node, Packed, Watch, edge_to, new_tensor, overwritten
from ..ops.inplace import rebase
from ..views import Storage, settle, sharing, storage_of


class SavedOutput(NamedTuple):
    """An output kept for ``backward``: its array, since the tensor itself would be a cycle."""

    array: Any
    position: int
    storage: Storage
    since: int


class FunctionNode(Node):
    """The node of a custom Function, which is also the ``ctx`` of its two methods."""

    # No __slots__: users keep what they like on ctx.

    def __init__(self, function: type[Function], arguments: tuple[Any, ...]) -> None:
        edges = tuple(edge_to(a) if isinstance(a, Tensor) else None for a in arguments)
        super().__init__(function._kind, edges, (), None)
        self._function = function
        self.needs_input_grad = tuple(edge is not None for edge in edges)
        self._to_save: tuple[Any, ...] = ()
        self._dirty: tuple[Any, ...] = ()
        self._constant: tuple[Any, ...] = ()
        self._materialize = True
        self._outputs: list[Any] = []  # (shape, dtype) of each output

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep inputs, outputs or other tensors (or None) for ``backward``."""
        self._to_save = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs ``forward`` has changed in place (and returns)."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which outputs have no gradient."""
        self._constant = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether ``backward`` gets zeros, or None, for outputs that received no gradient."""
        self._materialize = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What ``save_for_backward`` kept.

        Raises RuntimeError if it was freed (MG106) or overwritten since (MG104).
        """
        if self.saved is None:
            raise freed_error(self)
        return tuple(map(self._unpacked, self.saved))

    def _unpacked(self, value: Any) -> Any:
        if isinstance(value, Packed):
            return value.unpacked(self, "")
        if isinstance(value, SavedOutput):
            if overwritten(value.storage, value.since):
                raise stale_error(self, None)
            return new_tensor(value.array, self._output_node(value.position))
        rare = value._rare if isinstance(value, Tensor) else None
        if rare is not None and overwritten(rare.storage, self.seq):
            raise stale_error(self, value)
        return value

    def _output_node(self, position: int) -> Node | None:
        """The node of one output: this one, or one that leads here if there are several."""
        shape, dtype = self._outputs[position]
        if dtype is None:
            return None
        return self if len(self._outputs) == 1 else OutputNode(self, position, shape, dtype)

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> Any:
        parts = g.by_output if isinstance(g, Parts) else {0: g}
        recorded = any(isinstance(part, Tensor) for part in parts.values())
        grads = []
        for position, (shape, dtype) in enumerate(self._outputs):
            part = parts.get(position)
            if part is None and self._materialize and dtype is not None:
                part = np.zeros(shape, dtype)
            grads.append(part if part is None or isinstance(part, Tensor) else new_tensor(part))
        raw, mode.raw = mode.raw, False  # this is the user's code again
        try:
            found = self._function.backward(self, *grads)
        finally:
            mode.raw = raw
        found = found if isinstance(found, tuple) else (found,)
        if len(found) < len(edges) or any(part is not None for part in found[len(edges) :]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients "
                f"(expected {len(edges)}, got {len(found)})"
            )
        for part in found:
            if part is not None and not isinstance(part, Tensor):
                raise TypeError(
                    f"function {self.name()} returned a {type(part).__name__}: backward returns "
                    "a Tensor or None for each argument of forward"
                )
        if recorded:
            return list(found[: len(edges)])
        return [None if part is None else aliased(part._array) for part in found[: len(edges)]]


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


class Function:
    """An operation whose derivative you write yourself.

    Subclass it with two static methods. ``forward(ctx, *args)`` computes the result, unrecorded,
    and keeps what the derivative needs by ``ctx.save_for_backward``; ``backward(ctx, *grads)``
    gets the gradient of each output and returns that of each argument (None where there is
    none). Call it by ``apply``. If ``backward`` itself uses differentiable operations, higher
    derivatives follow.

    Or split ``forward(*args)`` from ``setup_context(ctx, inputs, output)``.

    Counterpart: ``torch.autograd.Function``.

    >>> import minigrad as torch
    >>> class Cube(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x * x
    ...
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         (x,) = ctx.saved_tensors
    ...         return g * 3 * x * x
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> y = Cube.apply(x)
    >>> y
    tensor(8., grad_fn=<CubeBackward>)
    >>> y.backward()
    >>> x.grad
    tensor(12.)
    """

    _kind: Kind

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._kind = Kind(f"{cls.__name__}Backward", cls.__name__, frees=True)

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the result. To be written by the subclass."""
        raise NotImplementedError("a Function needs a forward method")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Keep what the derivative needs, if ``forward`` takes no ``ctx``."""
        raise NotImplementedError("setup_context is not implemented")

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Return the gradient of each argument. To be written by the subclass."""
        raise NotImplementedError(
            "You must implement the backward method for your custom autograd.Function to use it "
            "with backward mode AD."
        )

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run ``forward`` on these arguments, and record it as one node."""
        for argument in args:
            if isinstance(argument, Tensor):
                settle(argument)
        node = FunctionNode(cls, args)
        recording = mode.recording and any(node.needs_input_grad)
        with no_grad():
            if cls.setup_context is Function.setup_context:
                output = cls.forward(node, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(node, args, output)
        outputs = output if isinstance(output, tuple) else (output,)
        if not recording:
            return output
        node.seq = graph.next_number()  # after whatever forward itself has done
        results = attached(node, args, outputs)
        node.saved = tuple(kept(value, outputs, results) for value in node._to_save)
        if mode.packing is not None:
            node.saved = tuple(
                mode.packing.packed(value) if isinstance(value, Tensor) else value
                for value in node.saved
            )
        node._to_save = node._dirty = node._constant = ()
        return tuple(results) if isinstance(output, tuple) else results[0]


def among(tensor: Any, tensors: tuple[Any, ...]) -> bool:
    return any(tensor is other for other in tensors)


def attached(node: FunctionNode, args: tuple[Any, ...], outputs: tuple[Any, ...]) -> list[Any]:
    """The outputs of ``forward`` as results of the node."""
    node._outputs = [
        (out._array.shape, out._array.dtype)
        if isinstance(out, Tensor)
        and out._array.dtype.kind == "f"
        and not among(out, node._constant)
        else ((), None)
        for out in outputs
    ]
    node.shape, node.dtype = node._outputs[0] if len(outputs) == 1 else (None, None)  # type: ignore
    results: list[Any] = []
    for position, out in enumerate(outputs):
        if not isinstance(out, Tensor):
            results.append(out)
            continue
        mine = node._output_node(position)
        if among(out, node._dirty):
            if out._node is LEAF:
                raise leaf_write_error(out, view=False)
            rebase(out, new_tensor(out._array, mine))
            result: Any = out
        elif among(out, args):
            result = sharing(out)
            result._node = mine
        else:
            result = new_tensor(out._array, mine)
            result._rare = out._rare
        results.append(result)
        if mine is not None and Watch.observer is not None:
            Watch.observer.made(mine, args, out._array)
    return results


def kept(value: Any, outputs: tuple[Any, ...], results: list[Any]) -> Any:
    """How to keep a tensor for ``backward``: itself, unless it is an output."""
    for position, (out, result) in enumerate(zip(outputs, results, strict=True)):
        if value is out and isinstance(value, Tensor):
            storage = storage_of(result)
            return SavedOutput(result._array, position, storage, storage.written)
    return value


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a ``backward`` that cannot itself be differentiated.

    It then runs unrecorded, and a second derivative through it raises RuntimeError instead of
    being silently wrong. Counterpart: ``torch.autograd.function.once_differentiable``.
    """

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        with no_grad():
            found = backward(ctx, *grads)
        if not mode.recording or not any(g is not None and g.requires_grad for g in grads):
            return found
        edges = tuple(map(edge_to, grads))
        parts = [
            None if part is None else new_tensor(
                part._array, DifferentiatedTwice(TWICE, edges, part._array.shape, part._array.dtype)
            )
            for part in (found if isinstance(found, tuple) else (found,))
        ]
        return tuple(parts)

    return wrapper


TWICE = Kind("Error", "once_differentiable")


class DifferentiatedTwice(Node):
    """Stands where a second derivative would need a rule that does not exist."""

    __slots__ = ()

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )
