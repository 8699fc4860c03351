"""Operations with a derivative of your own."""

from __future__ import annotations

import functools
import inspect
import warnings
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from .. import graph
from .._tensor import Tensor
from ..errors import freed_error, stale_error
from ..grad_mode import mode, no_grad
from ..graph import LEAF, Kind, Node, Packed, Watch, edge_to, named, new_tensor, overwritten
from ..ops.inplace import rebase, refuse_leaves_and_the_unrecorded
from ..views import Made, Storage, alias, is_view, settle, sharing, storage_of, wants_gradient


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
        "are_tensors", "constant", "ctx", "dirty", "function", "materialize", "outputs", "to_save",
    )  # fmt: skip

    def __init__(self, function: type[Function], arguments: tuple[Any, ...]) -> None:
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
        raw, mode.raw = mode.raw, False  # this is the user's code again
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

    _kind = Kind("FunctionBackward", "Function", frees=True)
    _ctx: type[FunctionCtx] = FunctionCtx

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        name = f"{cls.__name__}Backward"
        cls._kind = Kind(name, cls.__name__, frees=True)
        cls._ctx = type(name, (FunctionCtx,), {"__slots__": ()})

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the result. To be written by the subclass.

        Counterpart: ``torch.autograd.Function.forward``.
        """
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Keep what the derivative needs, if ``forward`` takes no ``ctx``.

        ``inputs`` are the arguments of ``forward``, also those left out.
        Counterpart: ``torch.autograd.Function.setup_context``.
        """
        raise NotImplementedError("setup_context is not implemented")

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Return the gradient of each argument. To be written by the subclass.

        Counterpart: ``torch.autograd.Function.backward``.
        """
        raise NotImplementedError(
            "You must implement the backward method for your custom autograd.Function to use it "
            "with backward mode AD."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` on these arguments, and record it as one node.

        Raises RuntimeError if a leaf that requires a gradient was marked as dirty (MG105), or a
        tensor that is not returned. Counterpart: ``torch.autograd.Function.apply``.
        """
        has_context = cls.setup_context is not Function.setup_context
        if has_context:  # then all arguments of ``forward`` are known, also those left out
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        arguments = (*args, *kwargs.values())
        for argument in arguments:
            if isinstance(argument, Tensor):
                settle(argument)
        node: Any = named(FunctionNode(cls, arguments))
        recording = mode.recording and node.edges.count(None) < len(node.edges)
        with no_grad():
            if has_context:
                output = cls.forward(*args, **kwargs)
                cls.setup_context(node.ctx, arguments, output)
            else:
                output = cls.forward(node.ctx, *args, **kwargs)
        outputs = output if isinstance(output, tuple) else (output,)
        note_writes(node.dirty, arguments, outputs)
        node.seq = graph.next_number()  # after whatever forward itself has done
        results = attached(node, arguments, outputs, recording)
        if recording:
            node.saved = tuple(
                kept(value, node, arguments, outputs, results) for value in node.to_save
            )
            if mode.packing is not None:
                node.saved = tuple(packed(value, mode.packing) for value in node.saved)
        node.to_save = node.dirty = node.constant = ()
        return tuple(results) if isinstance(output, tuple) else results[0]


def among(tensor: Any, tensors: tuple[Any, ...]) -> bool:
    return any(tensor is other for other in tensors)


def note_writes(dirty: Any, args: tuple[Any, ...], outputs: tuple[Any, ...]) -> None:
    """Count the writes that ``forward`` has announced by ``mark_dirty``."""
    for tensor in dirty:
        if not among(tensor, outputs):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as "
                "output. The inputs that are modified inplace must all be outputs of the Function."
            )
        if not among(tensor, args):
            warnings.warn(
                "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that "
                "have been mutated should be passed to ctx.mark_dirty().",
                UserWarning,
                stacklevel=3,
            )
        storage_of(tensor).note_write()


def attached(
    node: FunctionNode, args: tuple[Any, ...], outputs: tuple[Any, ...], recording: bool
) -> list[Any]:
    """The outputs of ``forward`` as results of the node, if anything is recorded."""
    node.outputs = [
        Output(
            out._array.shape,
            out._array.dtype,
            recording and out._array.dtype.kind == "f" and not among(out, node.constant),
        )
        if isinstance(out, Tensor)
        else Output()
        for out in outputs
    ]
    node.shape, node.dtype, _ = node.outputs[0] if len(outputs) == 1 else Output()
    several = [output.differentiable for output in node.outputs].count(True) > 1
    results: list[Any] = []
    for position, out in enumerate(outputs):
        if not isinstance(out, Tensor):
            results.append(out)
            continue
        mine = node.output_node(position)
        if among(out, node.dirty):
            result: Any = out
            if recording:
                write_history(out, mine)
        else:
            result = as_result(out, mine, is_input=among(out, args))
            if is_view(result):
                result._rare.made = Made.SEVERAL if several else Made.FUNCTION
        results.append(result)
        observer = Watch.observer
        if mine is not None and observer is not None:
            observer.made(mine, args, out._array)
    return results


def write_history(out: Any, node: Node | None) -> None:
    """``forward`` has written into ``out``, one of its arguments: that is its history now."""
    if wants_gradient(out):
        refuse_leaves_and_the_unrecorded(out, out._rare.root)
    rebase(out, new_tensor(out._array, node))


def as_result(out: Any, node: Node | None, is_input: bool) -> Any:
    """What ``forward`` has returned, as a tensor with this node for its history.

    An argument that is returned as it is, or another leaf, becomes a view of itself: so a later
    write to the result cannot pass it by.
    """
    if is_input and node is None and wants_gradient(out):
        return sharing(out)
    if is_input or out._node is LEAF:
        result = alias(out)
    elif node is None and out._node is None:
        return out
    else:
        result = new_tensor(out._array)
        result._rare = out._rare
    result._node = node
    return result


def kept(value: Any, node: FunctionNode, args: tuple[Any, ...], outputs: Any, results: Any) -> Any:
    """How to keep a tensor for ``backward``: itself, unless it is an output of this call.

    An argument that is returned as it is remains an argument, with the history that it had.
    """
    for position, (out, result) in enumerate(zip(outputs, results, strict=True)):
        made_here = among(value, node.dirty) or not among(value, args)
        if value is out and isinstance(value, Tensor) and made_here:
            storage = storage_of(result)
            return SavedOutput(result._array, position, storage, storage.written)
    return value


def packed(value: Any, hooks: Any) -> Any:
    """What is kept, in the form that the hooks on saved tensors give it."""
    if isinstance(value, SavedOutput):
        return value._replace(array=hooks.packed(new_tensor(value.array)))
    return hooks.packed(value) if isinstance(value, Tensor) else value


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a ``backward`` that cannot itself be differentiated.

    It then runs unrecorded, and a second derivative through it raises RuntimeError instead of
    being silently wrong. Counterpart: ``torch.autograd.function.once_differentiable``.

    >>> import minigrad as torch
    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...
    ...     @staticmethod
    ...     @torch.autograd.function.once_differentiable
    ...     def backward(ctx, g):
    ...         return torch.from_numpy(g.numpy() * 2 * ctx.saved_tensors[0].detach().numpy())
    >>> x = torch.tensor([3.0], requires_grad=True)
    >>> Square.apply(x).backward()
    >>> x.grad
    tensor([6.])
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
