"""Operations with a derivative of your own: ``Function``, and what a call of ``apply`` does."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

from .._tensor import Tensor
from ..engine.modes import mode, no_grad
from ..engine.node import LEAF, Kind, Node, Watch, edge_to, named, new_tensor, next_number
from ..engine.views import (
    CreationMeta,
    alias,
    detached,
    is_view,
    storage_of,
    update_history,
    wants_gradient,
)
from ..ops.inplace import rebase, refuse_leaves_and_the_unrecorded
from .context import FunctionCtx, FunctionNode, Output, SavedOutput


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

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args or kwargs:
            name = type(self).__name__
            raise RuntimeError(
                f"{name} should not be instantiated: a Function is no operation by itself\n"
                f"  fix: {name}.apply(...) calls it"
            )

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
            args = bound.args
            kwargs = bound.kwargs
        arguments = (*args, *kwargs.values())
        for argument in arguments:
            if isinstance(argument, Tensor):
                update_history(argument)
        node: Any = named(FunctionNode(cls, arguments))
        recording = mode.recording and node.edges.count(None) < len(node.edges)
        with no_grad():
            if has_context:
                output = cls.forward(*args, **kwargs)
                cls.setup_context(node.ctx, arguments, output)
            else:
                output = cls.forward(node.ctx, *args, **kwargs)
        several = isinstance(output, tuple)
        outputs = output if several else (output,)
        note_writes(node.dirty, arguments, outputs)
        node.seq = next_number()  # after whatever forward itself has done
        results = results_of(node, arguments, outputs, recording)
        if recording:
            saved = [to_keep(value, node, arguments, outputs, results) for value in node.to_save]
            if mode.packing is not None:
                saved = [packed(value, mode.packing) for value in saved]
            node.saved = tuple(saved)
        node.to_save = ()
        node.dirty = ()
        node.constant = ()
        return tuple(results) if several else results[0]


def is_in(tensor: Any, tensors: tuple[Any, ...]) -> bool:
    """Is it one of these objects? (``==`` would compare the entries.)"""
    return any(tensor is other for other in tensors)


def note_writes(dirty: Any, args: tuple[Any, ...], outputs: tuple[Any, ...]) -> None:
    """Count the writes that ``forward`` has announced by ``mark_dirty``."""
    for tensor in dirty:
        if not is_in(tensor, outputs):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as "
                "output. The inputs that are modified inplace must all be outputs of the Function."
            )
        if not is_in(tensor, args):
            warnings.warn(
                "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that "
                "have been mutated should be passed to ctx.mark_dirty().",
                UserWarning,
                stacklevel=3,
            )
        storage_of(tensor).note_write()


def described(out: Any, node: FunctionNode, recording: bool) -> Output:
    """What the node has to know of an output, to check and to fill in its gradient."""
    if not isinstance(out, Tensor):
        return Output()
    array = out._array
    differentiable = recording and array.dtype.kind == "f" and not is_in(out, node.constant)
    return Output(array.shape, array.dtype, differentiable)


def results_of(
    node: FunctionNode, args: tuple[Any, ...], outputs: tuple[Any, ...], recording: bool
) -> list[Any]:
    """The outputs of ``forward`` as results of the node, if anything is recorded."""
    node.outputs = [described(out, node, recording) for out in outputs]
    only = node.outputs[0] if len(outputs) == 1 else Output()
    node.shape = only.shape
    node.dtype = only.dtype
    creation = CreationMeta.IN_CUSTOM_FUNCTION
    if [output.differentiable for output in node.outputs].count(True) > 1:
        creation = CreationMeta.MULTI_OUTPUT_NODE
    results: list[Any] = []
    for position, out in enumerate(outputs):
        if not isinstance(out, Tensor):
            results.append(out)
            continue
        grad_fn = node.output_node(position)
        if is_in(out, node.dirty):
            result = written_result(out, grad_fn, recording)
        else:
            result = new_result(out, grad_fn, is_input=is_in(out, args))
            if is_view(result):
                result._meta.creation = creation
        results.append(result)
        observer = Watch.observer
        if grad_fn is not None and observer is not None:
            observer.made(grad_fn, args, out._array)
    return results


def written_result(out: Any, node: Node | None, recording: bool) -> Any:
    """An argument that ``forward`` has written to and returned: it is itself the result."""
    if node is None and wants_gradient(out):
        return detached(out)
    if recording:
        write_history(out, node)
    return out


def write_history(out: Any, node: Node | None) -> None:
    """``forward`` has written into ``out``, one of its arguments: that is its history now."""
    if wants_gradient(out):
        refuse_leaves_and_the_unrecorded(out, out._meta.root)
    rebase(out, new_tensor(out._array, node), storage_of(out).written, [])


def new_result(out: Any, node: Node | None, is_input: bool) -> Any:
    """A tensor that ``forward`` has returned, with this node for its history.

    Of an argument that is returned as it is, or another leaf, the result is a view, for the tensor
    keeps the history that it had. A later write to the one is then a write to the other.
    """
    if is_input and node is None and wants_gradient(out):
        return detached(out)
    if is_input or out._node is LEAF:
        result = alias(out)
    elif node is None and out._node is None:
        return out
    else:
        result = new_tensor(out._array)
        result._meta = out._meta
    result._node = node
    return result


def to_keep(
    value: Any, node: FunctionNode, args: tuple[Any, ...], outputs: Any, results: Any
) -> Any:
    """How to keep a tensor for ``backward``: as it is, unless it is an output of this call.

    An argument that is returned as it is counts as an argument, with the history that it had.
    """
    made_here = is_in(value, node.dirty) or not is_in(value, args)
    for position, (out, result) in enumerate(zip(outputs, results, strict=True)):
        if value is out and isinstance(value, Tensor) and made_here:
            storage = storage_of(result)
            return SavedOutput(result._array, position, storage, storage.written)
    return value


def packed(value: Any, hooks: Any) -> Any:
    """What is kept, in the form that the hooks on saved tensors give it."""
    if isinstance(value, SavedOutput):
        return value._replace(array=hooks.packed(new_tensor(value.array)))
    if isinstance(value, Tensor):
        return hooks.packed(value)
    return value


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a ``backward`` that cannot itself be differentiated.

    It then runs unrecorded, and a second derivative through what arrives raises RuntimeError
    instead of being silently wrong. Where what arrives has no history, as the 1 at the end of a
    program, nothing is noticed, and what it returns counts as a constant.
    Counterpart: ``torch.autograd.function.once_differentiable``.

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
        if not isinstance(found, tuple):
            found = (found,)
        return tuple(undifferentiable(grad, edges) for grad in found)

    return wrapper


TWICE = Kind("Error", "once_differentiable")


def undifferentiable(grad: Any, edges: tuple[Any, ...]) -> Any:
    """The same gradient, or None, with a history that raises when it is differentiated."""
    if grad is None:
        return None
    array = grad._array
    return new_tensor(array, DifferentiatedTwice(TWICE, edges, array.shape, array.dtype))


class DifferentiatedTwice(Node):
    """Stands where a second derivative would need a rule that does not exist."""

    __slots__ = ()

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )
