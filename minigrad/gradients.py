"""``backward`` and ``grad``: the two calls that start a backward pass, and their arguments."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence, ValuesView
from typing import Any

import numpy as np

from .atomic import Step, at_once, setter
from .engine import Pass, Visit, own
from .errors import no_gradient_error, not_scalar_error, plainly, warn_cycle
from .graph import LEAF, TensorBase, Watch, edge_to, new_tensor
from .hooks import as_tensor
from .operands import converted
from .views import lost_gradient, overwrite, own_array, retain, settle

listeners: list[Callable[[tuple[Any, ...], bool], None]] = []
"""Who is told of each ``backward``: its roots; and False before, True after it."""


landing = threading.RLock()
"""Held while gradients are added to ``.grad``: other threads may be about to do so too."""

set_grad = setter(TensorBase, "_grad")


def land(run: Pass, landings: Iterable[tuple[TensorBase, Any]], recorded: bool) -> None:
    """Add gradients of a pass to the ``.grad`` of their tensors: all of them, in one step.

    As in PyTorch, a leaf that has a gradient already gets the new one added in place; that of a
    result, and one that is recorded, becomes a new tensor. None lands in a tensor that was told
    meanwhile to want none, or in a view without history.
    """
    observer = Watch.observer
    steps: list[Step] = []
    hooked = []
    with landing:
        for tensor, g in landings:
            rare = tensor._rare
            if tensor._node is None or (rare is not None and lost_gradient(tensor)):
                continue
            if observer is not None:
                observer.landed(run.watched, tensor, g)
            if rare is not None and rare.landing_hooks:
                hooked.append((tensor, rare.landing_hooks))
            grad = tensor._grad
            if grad is None:
                steps.append((set_grad, tensor, as_tensor(g)))
            elif recorded:
                steps.append((set_grad, tensor, grad + as_tensor(g)))
            elif tensor._node is not LEAF:
                steps.append((set_grad, tensor, new_tensor(grad._array + g)))
            elif fit(grad, g):
                memory = overwrite(grad)
                steps.append((np.add, memory, g, memory))
            else:
                grad.detach().add_(new_tensor(g))  # broadcast, or an error that says why not
        at_once(steps)
    for tensor, hooks in hooked:
        run_landing_hooks(tensor, hooks)


def fit(grad: Any, g: Any) -> bool:
    """Can one be added to the other's memory as it is?"""
    memory = own_array(grad)
    alike = memory.shape == g.shape and memory.dtype == g.dtype
    return alike and memory.flags.writeable and 0 not in memory.strides


def run_landing_hooks(tensor: TensorBase, hooks: dict[int, Callable[..., Any]]) -> None:
    for hook in list(hooks.values()):
        if hook(tensor) is not None:
            raise RuntimeError("Tensor post accumulate grad hooks should return None.")


def seed_of(root: TensorBase, gradient: Any, recorded: bool, position: int) -> Any:
    """The gradient that a pass starts with: as given, or 1 for a single number."""
    if not isinstance(root, TensorBase):
        raise TypeError(f"gradients are taken of Tensors, not of {type(root).__name__}")
    if gradient is not None and not isinstance(gradient, TensorBase):
        raise TypeError(
            f"gradients can be either Tensors or None, but got {type(gradient).__name__}"
        )
    settle(root)
    array = root._array
    if root._node is None:
        raise no_gradient_error(root, position)
    if gradient is None:
        if array.size != 1:
            raise not_scalar_error(array.shape, root)
        seed = new_tensor(array.dtype.type(1) if array.ndim == 0 else np.ones_like(array))
    else:
        if gradient._array.shape != array.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{position}] has a shape of "
                f"torch.Size({list(gradient._array.shape)}) and output[{position}] has a shape of "
                f"torch.Size({list(array.shape)})."
            )
        seed = converted(gradient, array.dtype)
    return seed if recorded else seed._array


def listed(tensors: Any) -> tuple[Any, ...]:
    """One or several, as a tuple."""
    several = isinstance(tensors, (list, tuple, Iterator, ValuesView))
    return tuple(tensors) if several else (tensors,)


def backward_pass(
    tensors: Sequence[TensorBase],
    gradients: Sequence[Any],
    retain_graph: bool | None,
    create_graph: bool,
    inputs: Sequence[TensorBase] | None,
) -> Pass:
    """A checked pass from ``tensors``, not yet run."""
    for tensor in inputs or ():
        if not isinstance(tensor, TensorBase):
            raise RuntimeError(f"all inputs have to be Tensors, but got {type(tensor).__name__}")
    if len(gradients) < len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(gradients)} gradients")
    seeds = [
        seed_of(root, gradient, create_graph, position)
        for position, (root, gradient) in enumerate(zip(tensors, gradients))
    ]
    for position, tensor in enumerate(inputs or ()):
        settle(tensor)
        if tensor._node is None:
            raise RuntimeError(
                "One of the differentiated Tensors does not require grad: number "
                f"{position} of the inputs"
            )
    keep = create_graph if retain_graph is None else retain_graph
    return Pass(tensors, seeds, inputs=inputs, keep=keep, recorded=create_graph)


def observe(run: Pass, roots: tuple[Any, ...]) -> None:
    """Take all steps of a pass, in front of whoever watches."""
    observer = Watch.observer
    refuse = Watch.refuse
    if observer is None:
        run.run(refuse)
        return
    run.watched = observer.began(roots)

    def look(visit: Visit) -> None:
        if refuse is not None:
            refuse(visit)
        observer.visited(run.watched, visit)

    run.run(look)


@plainly
def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add the gradients of ``tensors`` to the ``.grad`` of the leaves behind them.

    For root tensors y_k with gradients v_k, each leaf x gets
    ``x.grad += sum_k v_k^T (dy_k / dx)``.

    Parameters
    ----------
    tensors : a tensor or a sequence of tensors
        Where to start.
    grad_tensors : tensor, None, or a sequence of these
        v_k, of the shape of y_k. None stands for 1 where y_k holds one number.
    retain_graph : bool, optional
        Keep what the operations saved, for another pass. Defaults to ``create_graph``.
    create_graph : bool
        Record the pass itself, so that gradients can be differentiated again.
    inputs : tensor or sequence of tensors, optional
        Accumulate into these only. Results among them retain their gradient from now on.

    Raises
    ------
    RuntimeError
        MG104 if a saved value was overwritten, MG106 if it was freed by an earlier pass, MG107
        if y_k has several numbers and v_k is None, MG109 if y_k has no history. No ``.grad``
        has changed then.

    Counterpart: ``torch.autograd.backward``.

    >>> import minigrad as torch
    >>> a = torch.tensor(2.0, requires_grad=True)
    >>> torch.autograd.backward([a * 3, a * a])
    >>> a.grad
    tensor(7.)
    """
    roots = listed(tensors)
    gradients = (None,) * len(roots) if grad_tensors is None else listed(grad_tensors)
    chosen = None if inputs is None else listed(inputs)
    if chosen == ():
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    run = backward_pass(roots, gradients, retain_graph, create_graph, chosen)
    for tensor in chosen or ():
        retain(tensor)
    for tell in listeners:
        tell(roots, False)
    observe(run, roots)
    if create_graph:
        warn_cycle()
    land(run, run.landings(), create_graph)
    for tell in listeners:
        tell(roots, True)


@plainly
def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    *,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients of ``outputs`` with respect to ``inputs``, without touching ``.grad``.

    Returns one tensor per input: ``sum_k v_k^T (dy_k / dx)``, shaped like x. Arguments are as
    for ``backward``; besides, ``allow_unused`` returns None for an input on which no output
    depends (otherwise that raises RuntimeError), ``materialize_grads`` returns zeros there.

    Counterpart: ``torch.autograd.grad``.

    >>> import minigrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> (slope,) = torch.autograd.grad(x**2, x, create_graph=True)
    >>> torch.autograd.grad(slope, x)
    (tensor(2.),)
    """
    if materialize_grads and allow_unused is False:
        text = "Expected allow_unused to be True or not passed when materialize_grads=True"
        raise ValueError(f"{text}, but got: allow_unused=False.")
    roots = listed(outputs)
    chosen = listed(inputs)
    if not chosen:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    gradients = (None,) * len(roots) if grad_outputs is None else listed(grad_outputs)
    run = backward_pass(roots, gradients, retain_graph, create_graph, chosen)
    observe(run, roots)
    assert run.asked is not None
    land(run, run.retained_landings(), create_graph)
    results = []
    for position, tensor in enumerate(chosen):
        g = None if lost_gradient(tensor) else run.asked[edge_to(tensor)]
        if g is None and materialize_grads:
            zeros = new_tensor(np.zeros_like(tensor._array))
            results.append(zeros.requires_grad_(create_graph))
            continue
        elif g is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {position} appears to not have been used in "
                "the graph. Set allow_unused=True if this is the desired behavior."
            )
        results.append(None if g is None else as_tensor(own(g) if not create_graph else g))
    return tuple(results)
