"""A training that is written with PyTorch: how ``TrainingLoop`` reads it and hears of it.

PyTorch tells of forward passes and of steps by hooks of its own. Of ``zero_grad`` it tells nobody,
so the optimiser gets ours for the time of the block, as schedulers put theirs around ``step``. Nor
does it tell of a backward pass where it begins: ``torch.autograd`` calls its engine by a private
name, around which ours stands for that time. So a pass is heard however it was called, and neither
``backward``, the tensors nor the model look any different.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any

from ..training.hooks import hold_interrupts
from ..training.library import Library
from ..training.record import Record
from .arrays import captured, is_tensor, torch_if_there
from .graph import in_order

UNASKED = (
    "What happens when a line is left out is asked only of trainings with minigrad: the loop runs "
    "again on copies, and of PyTorch's functions it is not known that they change nothing else."
)
ENGINE = "_engine_run_backward"


class PyTorch(Library):
    """PyTorch, as a ``Record`` and its ``Wiring`` see it."""

    unasked = UNASKED

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.tensor = torch.Tensor
        self.module = torch.nn.Module
        self.optimizer = torch.optim.Optimizer
        self.plain = frozenset(vars(torch.nn.Module()))
        self.is_lazy = torch.nn.parameter.is_lazy

    def parameters(self, model: Any) -> dict[str, Any]:
        """The parameters of a model, by name: those of real numbers that have a shape already."""
        named = model.named_parameters()
        return {n: p for n, p in named if not (self.is_lazy(p) or p.is_complex())}

    def numbers(self, tensor: Any) -> Any:
        """What has a tensor's numbers as ``_array``, and in ``_grad`` what has its gradient's."""
        return Numbers(tensor)

    def size(self, tensor: Any) -> int:
        """How many numbers there are in a tensor."""
        return int(tensor.numel())

    def loss(self, roots: Iterable[Any]) -> float:
        """The sum of what a backward pass begins with."""
        tensors = (root for root in roots if is_tensor(root) and root.is_floating_point())
        return sum(float(root.detach().sum()) for root in tensors)

    def leaves_behind(self, roots: Iterable[Any]) -> list[Any]:
        """The leaves to which a backward pass leads."""
        roots = list(roots)
        leaves = [root for root in roots if is_tensor(root) and root.grad_fn is None]
        starts = [root.grad_fn if is_tensor(root) else root.node for root in roots]
        for node in in_order(starts):
            below = (node for node, _ in node.next_functions)
            leaves += [one.variable for one in below if hasattr(one, "variable")]
        return leaves

    def written(self, tensor: Any) -> tuple[int, Any]:
        """What tells whether a tensor is written to: how often it was, and some numbers."""
        return tensor._version, captured(tensor).corner


class Numbers:
    """The numbers of a tensor and of its gradient, as a record reads them."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor

    @property
    def _array(self) -> Any:
        tensor = self.tensor.detach()
        try:
            return tensor.numpy()
        except (RuntimeError, TypeError):  # on another device, of a dtype of PyTorch's, sparse
            return Elsewhere(tensor)

    @property
    def _grad(self) -> Numbers | None:
        grad = self.tensor.grad
        return None if grad is None else Numbers(grad)


class Elsewhere:
    """A tensor whose memory NumPy cannot read: what is asked for is copied."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor if str(tensor.layout) == "torch.strided" else tensor.to_dense()
        self.shape = tuple(tensor.shape)
        self.size = tensor.numel()

    def item(self, place: int) -> float:
        """One of its numbers, counted through."""
        return float(self.tensor.reshape(-1)[place])

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.tensor.float().cpu().numpy()


# ---------------------------------------------------------------------------------- being told


def put_on(record: Record) -> Callable[[], None]:
    """Let a record be told of what happens in this thread. Returns what ends that."""
    undo = ExitStack()
    step = Step(record)
    if record.optimizer is not None:
        undo.callback(hear_steps(record.optimizer, step))
        undo.callback(hear_zero(record, record.optimizer, step))
    undo.callback(hear_forward(record, step))
    undo.callback(hear_backward(record, step))
    undo.callback(hold_interrupts(record))
    return undo.close


class Step:
    """The step that is under way; of one that has failed, PyTorch tells nobody."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.frame: Any = None
        self.before = 0.0

    def begins(self, *_: Any) -> None:
        """Before a step; or within it, where a class has called its base's."""
        self.look()
        if self.record.open and self.frame is None:
            self.frame = sys._getframe(1)
            self.record.busy = True
            self.before = self.record.value()

    def ends(self, *_: Any) -> None:
        """After it."""
        if not self.record.open or self.frame is None:
            return
        caller = sys._getframe(1)
        if caller is not self.frame and self.is_under_way(caller):
            return  # a step of the base's is over
        try:
            self.record.stepped(self.before)
        finally:
            self.over()

    def look(self) -> None:
        """See whether it is still under way: within one, a closure may run the model."""
        if self.frame is not None and not self.is_under_way(sys._getframe(1)):
            self.over()

    def is_under_way(self, frame: Any) -> bool:
        """Does this frame run within the step?"""
        while frame is not None and frame is not self.frame:
            frame = frame.f_back
        return frame is not None

    def over(self) -> None:
        """Nothing is under way now; an interrupt has waited for that."""
        self.frame = None
        self.record.busy = False
        if self.record.interrupted:
            self.record.interrupted = False
            raise KeyboardInterrupt


def hear_steps(optimizer: Any, step: Step) -> Callable[[], None]:
    """Be told of the steps of an optimiser."""
    before = optimizer.register_step_pre_hook(step.begins)
    after = optimizer.register_step_post_hook(step.ends)

    def remove() -> None:
        before.remove()
        after.remove()
        step.frame = None

    return remove


def hear_zero(record: Record, optimizer: Any, step: Step) -> Callable[[], None]:
    """Be told when an optimiser clears the gradients."""
    inner = optimizer.zero_grad

    @functools.wraps(inner)
    def zero_grad(*args: Any, **options: Any) -> Any:
        result = inner(*args, **options)
        step.look()
        if record.open:
            record.zeroed()
        return result

    optimizer.zero_grad = zero_grad

    def put_back() -> None:
        if vars(optimizer).get("zero_grad") is not zero_grad:
            return  # somebody has put theirs around it: from now on ours only passes on
        del optimizer.zero_grad
        if optimizer.zero_grad != inner:
            optimizer.zero_grad = inner

    return put_back


def hear_forward(record: Record, step: Step) -> Callable[[], None]:
    """Be told when the model is called. A hook on the model itself would be saved with it."""
    torch = torch_if_there()
    its = id(record.model)

    def called(module: Any, args: Any, result: Any) -> None:
        if id(module) == its and torch.is_grad_enabled():
            step.look()
            record.forward()

    remove: Callable[[], None] = torch.nn.modules.module.register_module_forward_hook(called).remove
    return remove


listeners: list[Callable[[Any, bool], None]] = []
"""Who is told of each ``backward``: its roots; and False before, True after it."""


def hear_backward(record: Record, step: Step) -> Callable[[], None]:
    """Be told of the backward passes of this thread: another may train another model."""
    note = record.passed_by_hand if record.optimizer is None else record.passed
    thread = threading.get_ident()

    def passed(roots: Any, over: bool) -> None:
        if threading.get_ident() == thread:
            step.look()
            note(roots, over)

    autograd = torch_if_there().autograd
    inner = getattr(autograd, ENGINE)
    if not listeners:
        setattr(autograd, ENGINE, heard(inner))
    listeners.append(passed)

    def remove() -> None:
        listeners.remove(passed)
        engine = getattr(autograd, ENGINE)
        if not listeners and engine.__globals__ is globals():  # ours, and nobody's around it
            setattr(autograd, ENGINE, engine.__wrapped__)

    return remove


def heard(inner: Any) -> Any:
    """PyTorch's call of its engine, of which the listeners are told."""
    within: set[int] = set()  # the threads with a pass under way: a checkpoint runs others in it

    @functools.wraps(inner)
    def run_backward(roots: Any, *args: Any, **options: Any) -> Any:
        thread = threading.get_ident()
        if not options.get("accumulate_grad") or thread in within:
            return inner(roots, *args, **options)  # autograd.grad, which fills no .grad
        for tell in list(listeners):
            tell(roots, False)
        within.add(thread)
        try:
            result = inner(roots, *args, **options)
        finally:
            within.discard(thread)
        for tell in list(listeners):
            tell(roots, True)
        return result

    return run_backward
