"""The backward pass as a sequence of steps that anyone may watch, and the calls that start one.

The nodes behind the roots are sorted by descending number, which is a topological order (see
``node``), and visited once each. A visit turns the gradient of a node's output into gradients
for its inputs, which are added to what has arrived there already. These sums live in the pass,
never on intermediate tensors; only leaves, and tensors that called ``retain_grad()``, get a
``.grad``, at the very end. So a pass that fails leaves every ``.grad`` as it was.

``BackwardPass.steps`` is a generator: ``backward()`` drains it, the stepper looks at each step.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence, ValuesView
from typing import Any

import numpy as np

from ..dtypes import FLOAT32, SCALAR32
from ..errors import no_gradient_error, not_scalar_error, plainly, warn_cycle
from .atomic import Step, at_once, exhaust, setter
from .modes import mode, recording_if
from .node import (
    LEAF,
    Extra,
    Node,
    Results,
    TensorBase,
    Watch,
    as_tensor,
    edge_to,
    new_tensor,
    reachable,
)
from .operands import to_dtype
from .unbroadcast import unbroadcast
from .views import (
    call_hooks,
    call_hooks_after,
    is_leaf_in_name_only,
    memory_to_write,
    own_array,
    retain,
    update_history,
)

Visit = tuple[Node, Any, tuple[Any, ...], Sequence[Any]]
"""One visit: the node, the gradient of its output (the sum of all arrivals), the node's edges,
and the gradient sent along each of them (None where none is). The gradients may be overwritten
by the next visit: who wants to keep them copies them."""


class BackwardPass:
    """One backward pass: the schedule, and what has arrived where so far.

    ``roots``, ``seeds``: the tensors to start from, and the gradient of each (bare arrays, or
    tensors if ``recorded``).
    ``inputs``: compute gradients for these tensors only; None means every leaf.
    ``keep``: leave saved values in place for another pass (``retain_graph``).
    ``recorded``: compute with tensors and record it (``create_graph``).
    """

    def __init__(
        self,
        roots: Sequence[TensorBase],
        seeds: Sequence[Any],
        *,
        inputs: Sequence[TensorBase] | None = None,
        keep: bool = False,
        recorded: bool = False,
    ) -> None:
        self.keep = keep
        self.recorded = recorded
        self.watched: Any = None  # who watches leaves here what stands for this pass
        self.shown = False  # does somebody see each visit, and perhaps keep its arrays?
        self.arrived: dict[Any, Any] = {}  # node or leaf -> the sum of what has arrived
        self.owned: set[Any] = set()  # of these, sums in an array that nobody else holds
        self.retained: list[tuple[TensorBase, Any]] = []
        targets = [edge_to(root) for root in roots]
        for target, seed in zip(targets, seeds, strict=True):
            before = self.arrived.get(target)
            self.arrived[target] = seed if before is None else before + seed
        self.schedule = reachable(targets)
        self.captured: dict[Any, Any] | None = None  # node or leaf of `inputs` -> its gradient
        self.wanted: set[Any] | None = None  # where a gradient can still reach one of those
        if inputs is not None:
            self.captured = dict.fromkeys(map(edge_to, inputs))
            self.wanted = set(self.captured)
            for node in reversed(self.schedule):  # oldest first: inputs before their results
                if any(edge in self.wanted for edge in node.edges if edge is not None):
                    self.wanted.add(node)

    def steps(self) -> Iterator[Visit]:
        """Visit one node after the other, and yield after each."""
        arrived = self.arrived
        owned = self.owned
        wanted = self.wanted
        plain = not self.recorded  # gradients are arrays, and not tensors
        freeing = not self.keep
        for node in self.schedule:
            g = arrived.pop(node, None)
            if g is None:
                continue  # nothing arrived: a branch that no gradient takes
            extra = node.extra
            if extra is not None:
                g = self._through_hooks(extra, g)
            edges = node.edges
            if wanted is not None:
                if self.captured is not None and node in self.captured:
                    self.captured[node] = g
                # A tuple of a list, here and elsewhere: a generator takes longer.
                edges = tuple([edge if edge in wanted else None for edge in edges])
                if not any(edge is not None for edge in edges):
                    continue
            parts = node.vjp(g, edges)
            if extra is not None and extra.hooks_after:
                parts = call_hooks_after(extra.hooks_after, parts, g)
            for position, part in enumerate(parts):
                if part is None:
                    continue
                edge = edges[position]
                is_leaf = not isinstance(edge, Node)
                like = edge._array if is_leaf else edge  # has the shape and dtype to be in
                if part.__class__ is SCALAR32:  # a 0-d result; asking it for its shape is slow
                    fits = like.dtype is FLOAT32 and like.shape == ()
                else:
                    fits = part.dtype is like.dtype and part.shape == like.shape
                if not fits:
                    parts[position] = part = unbroadcast(
                        part, like.shape, like.dtype, node, position
                    )
                if edge not in arrived:
                    arrived[edge] = part
                    # An array fresh from its rule, and nobody else's, may be added to in place. It
                    # is asked for leaves alone, whose sum then becomes ``.grad`` without a copy.
                    if plain and is_leaf and part is not g and part.base is None:
                        owned.add(edge)
                elif edge in owned and not self.shown:
                    arrived[edge] += part
                else:
                    arrived[edge] = arrived[edge] + part
                    if plain:
                        owned.add(edge)
            yield node, g, edges, parts
            if freeing and node.saved and node.kind.frees:
                node.saved = None

    def _through_hooks(self, extra: Extra, g: Any) -> Any:
        if extra.hooks:
            g = call_hooks(extra.hooks, g)
        tensor = None if extra.retained is None else extra.retained()
        if tensor is not None:
            self.retained.append((tensor, g))
        return g

    @np.errstate(all="ignore")  # infinities and NaN are results, not warnings
    def run(self, look: Callable[[Visit], None] | None = None) -> None:
        """Take all steps, showing each to ``look``, and let leaf hooks see the sums."""
        before = mode.recording, mode.raw
        mode.recording = recording_if(self.recorded)
        mode.raw = not self.recorded
        try:
            if look is None:
                exhaust(self.steps())
            else:
                self.shown = True
                for visit in self.steps():
                    look(visit)
            # Each node was taken out at its visit, so what is left are leaves.
            for leaf, g in self.arrived.items():
                if leaf._meta is not None and leaf._meta.hooks and not is_leaf_in_name_only(leaf):
                    self.arrived[leaf] = call_hooks(leaf._meta.hooks, g)
                    self.owned.discard(leaf)  # the hook may have kept what it saw
        finally:
            mode.recording, mode.raw = before
        if self.captured is not None:
            self.captured.update(
                (leaf, g) for leaf, g in self.arrived.items() if leaf in self.captured
            )

    def gradients(self) -> Iterator[tuple[TensorBase, Any]]:
        """Each tensor that is to get a ``.grad``, with its gradient as an array of its own."""
        for leaf, g in self.arrived.items():
            if self.captured is None or leaf in self.captured:
                free = leaf in self.owned and g.flags.c_contiguous
                yield leaf, (g if free else own_copy(g))
        yield from self.retained_gradients()

    def retained_gradients(self) -> Iterator[tuple[TensorBase, Any]]:
        """The same for results that retain their gradient."""
        for tensor, g in self.retained:
            yield tensor, own_copy(g)


def own_copy(g: Any) -> Any:
    """A gradient that shares no memory with anything else."""
    return g.clone() if isinstance(g, Results.cls) else g.copy()


# ------------------------------------------------------------------------------- adding to .grad

landing = threading.RLock()
"""Held while gradients are added to ``.grad``: other threads may be about to do so too."""

set_grad = setter(TensorBase, "_grad")


def accumulate(
    this_pass: BackwardPass, gradients: Iterable[tuple[TensorBase, Any]], recorded: bool
) -> None:
    """Add gradients of a pass to the ``.grad`` of their tensors: all of them, in one step.

    As in PyTorch, a leaf that has a gradient already gets the new one added in place; that of a
    result, and one that is recorded, becomes a new tensor. None lands in a tensor that was told
    meanwhile to want none, or in a view without history.
    """
    observer = Watch.observer
    steps: list[Step] = []
    unfit = []
    hooked = []
    with landing:
        for tensor, g in gradients:
            meta = tensor._meta
            if tensor._node is None or (meta is not None and is_leaf_in_name_only(tensor)):
                continue
            if observer is not None:
                observer.landed(this_pass.watched, tensor, g)
            if meta is not None and meta.accumulate_hooks:
                hooked.append((tensor, meta.accumulate_hooks))
            grad = tensor._grad
            if grad is None:
                steps.append((set_grad, tensor, as_tensor(g)))
            elif recorded:
                steps.append((set_grad, tensor, grad + as_tensor(g)))
            elif tensor._node is not LEAF:
                steps.append((set_grad, tensor, new_tensor(grad._array + g)))
            elif fit(grad, g):
                memory = memory_to_write(grad)
                steps.append((np.add, memory, g, memory))
            else:
                unfit.append((grad, g))
        for grad, g in unfit:  # before the others, so that an error leaves these as they were
            grad.detach().add_(new_tensor(g))  # broadcast, or an error that says why not
        at_once(steps)
    for tensor, hooks in hooked:
        run_accumulate_hooks(tensor, hooks)


def fit(grad: Any, g: Any) -> bool:
    """Can one be added to the other's memory as it is?"""
    memory = own_array(grad)
    alike = memory.shape == g.shape and memory.dtype == g.dtype
    return alike and memory.flags.writeable and 0 not in memory.strides


def run_accumulate_hooks(tensor: TensorBase, hooks: dict[int, Callable[..., Any]]) -> None:
    for hook in list(hooks.values()):
        if hook(tensor) is not None:
            raise RuntimeError("Tensor post accumulate grad hooks should return None.")


# ------------------------------------------------------------------------------------- the calls

listeners: list[Callable[[tuple[Any, ...], bool], None]] = []
"""Who is told of each ``backward``: its roots; and False before, True after it."""


def seed_of(root: TensorBase, gradient: Any, recorded: bool, position: int) -> Any:
    """The gradient that a pass starts with: as given, or 1 for a single number."""
    if not isinstance(root, TensorBase):
        raise TypeError(f"gradients are taken of Tensors, not of {type(root).__name__}")
    if gradient is not None and not isinstance(gradient, TensorBase):
        raise TypeError(
            f"gradients can be either Tensors or None, but got {type(gradient).__name__}"
        )
    if root._meta is not None:
        update_history(root)
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
        seed = gradient
        if gradient._array.dtype != array.dtype:
            seed = to_dtype(gradient, array.dtype)
    return seed if recorded else seed._array


def as_tuple(tensors: Any) -> tuple[Any, ...]:
    """One or several, as a tuple."""
    if isinstance(tensors, (list, tuple, Iterator, ValuesView)):
        return tuple(tensors)
    return (tensors,)


def one_for_each(roots: tuple[Any, ...], gradients: Any) -> tuple[Any, ...]:
    """The gradient of each root, as given; None for each if none is."""
    if gradients is None:
        return (None,) * len(roots)
    return as_tuple(gradients)


def backward_pass(
    tensors: Sequence[TensorBase],
    gradients: Sequence[Any],
    retain_graph: bool | None,
    create_graph: bool,
    inputs: Sequence[TensorBase] | None,
) -> BackwardPass:
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
        update_history(tensor)
        if tensor._node is None:
            raise RuntimeError(
                "One of the differentiated Tensors does not require grad: number "
                f"{position} of the inputs"
            )
    keep = create_graph if retain_graph is None else retain_graph
    return BackwardPass(tensors, seeds, inputs=inputs, keep=keep, recorded=create_graph)


def observe(this_pass: BackwardPass, roots: tuple[Any, ...]) -> None:
    """Take all steps of a pass, in front of whoever watches."""
    observer = Watch.observer
    refuse = Watch.refuse
    if observer is None:
        this_pass.run(refuse)
        return
    this_pass.watched = observer.began(roots)

    def look(visit: Visit) -> None:
        if refuse is not None:
            refuse(visit)
        observer.visited(this_pass.watched, visit)

    this_pass.run(look)


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
    roots = as_tuple(tensors)
    gradients = one_for_each(roots, grad_tensors)
    chosen = None
    if inputs is not None:
        chosen = as_tuple(inputs)
    if chosen == ():
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    this_pass = backward_pass(roots, gradients, retain_graph, create_graph, chosen)
    for tensor in chosen or ():
        retain(tensor)
    for tell in listeners:
        tell(roots, False)
    observe(this_pass, roots)
    if create_graph:
        warn_cycle()
    accumulate(this_pass, this_pass.gradients(), create_graph)
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
    roots = as_tuple(outputs)
    chosen = as_tuple(inputs)
    if not chosen:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    gradients = one_for_each(roots, grad_outputs)
    this_pass = backward_pass(roots, gradients, retain_graph, create_graph, chosen)
    observe(this_pass, roots)
    assert this_pass.captured is not None
    accumulate(this_pass, this_pass.retained_gradients(), create_graph)
    results = []
    for position, tensor in enumerate(chosen):
        g = this_pass.captured[edge_to(tensor)]
        if is_leaf_in_name_only(tensor):
            g = None
        if g is None and materialize_grads:
            zeros = new_tensor(np.zeros_like(tensor._array))
            results.append(zeros.requires_grad_(create_graph))
        elif g is None and not allow_unused:
            raise RuntimeError(
                f"The differentiated Tensor at index {position} appears to not have been used in "
                "the graph. Set allow_unused=True if this is the desired behavior."
            )
        elif g is None:
            results.append(None)
        elif create_graph:
            results.append(g)
        else:
            results.append(as_tensor(own_copy(g)))
    return tuple(results)
