"""The engine: a backward pass as a sequence of steps that anyone may watch.

The nodes behind the roots are sorted by descending number, which is a topological order (see
``graph``), and visited once each. A visit turns the gradient of a node's output into gradients
for its inputs, which are added to what has arrived there already. These sums live in the pass,
never on intermediate tensors; only leaves, and tensors that called ``retain_grad()``, get a
``.grad``, at the very end. So a pass that fails leaves every ``.grad`` as it was.

``Pass.steps`` is a generator: ``backward()`` drains it, the stepper looks at each step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .errors import no_gradient_error, not_scalar_error
from .grad_mode import mode
from .graph import LEAF, Node, TensorBase, Watch, edge_to, new_tensor, reachable
from .primitive import converted
from .views import settle


Visit = tuple[Node, Any, tuple[Any, ...], Sequence[Any]]
"""One step: the node, the gradient of its output (the sum of all arrivals), the node's edges,
and the gradient sent along each of them (None where none is)."""


class Pass:
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
        self.arrived: dict[Any, Any] = {}  # node or leaf -> the sum of what has arrived
        self.borrowed: set[Any] = set()  # of these, sums whose array somebody else may hold
        self.retained: list[tuple[TensorBase, Any]] = []
        targets = [edge_to(root) for root in roots]
        for target, seed in zip(targets, seeds, strict=True):
            self._arrive(target, seed, borrowed=True)
        self.schedule = reachable(targets)
        self.asked: dict[Any, Any] | None = None  # node or leaf of `inputs` -> its gradient
        self.wanted: set[Any] | None = None  # where a gradient can still reach one of those
        if inputs is not None:
            self.asked = dict.fromkeys(map(edge_to, inputs))
            self.wanted = set(self.asked)
            for node in reversed(self.schedule):  # oldest first: inputs before their results
                if any(edge in self.wanted for edge in node.edges if edge is not None):
                    self.wanted.add(node)

    def steps(self) -> Iterator[Visit]:
        """Visit one node after the other, and yield after each."""
        arrived, wanted = self.arrived, self.wanted
        for node in self.schedule:
            g = arrived.pop(node, None)
            if g is None:
                continue  # nothing arrived: a branch that no gradient takes
            if node.extra is not None:
                g = self._through_hooks(node, g)
            edges = node.edges
            if wanted is not None:
                if self.asked is not None and node in self.asked:
                    self.asked[node] = g
                edges = tuple([edge if edge in wanted else None for edge in edges])
                if not any(edge is not None for edge in edges):
                    continue
            parts = node.vjp(g, edges)
            if node.frees and not self.keep:
                node.saved = None
            for position, part in enumerate(parts):
                if part is None:
                    continue
                edge = edges[position]
                like = edge if isinstance(edge, Node) else edge._array
                if part.dtype is not like.dtype or part.shape != like.shape:
                    parts[position] = part = conform(part, like.shape, like.dtype, node, position)
                before = arrived.get(edge)
                if before is not None:
                    arrived[edge] = before + part
                elif like is edge:
                    arrived[edge] = part
                else:
                    self._arrive(edge, part, borrowed=part is g or not owns_memory(part))
            yield node, g, edges, parts

    def _arrive(self, target: Any, part: Any, borrowed: bool) -> None:
        before = self.arrived.get(target)
        self.arrived[target] = part if before is None else before + part
        if borrowed and before is None:
            self.borrowed.add(target)
        else:
            self.borrowed.discard(target)

    def _through_hooks(self, node: Node, g: Any) -> Any:
        extra = node.extra
        assert extra is not None
        if extra.hooks:
            g = call_hooks(extra.hooks, g)
        if extra.retained is not None:
            tensor = extra.retained()
            if tensor is not None:
                self.retained.append((tensor, g))
        return g

    def run(self, look: Callable[[Visit], None] | None = None) -> None:
        """Take all steps, showing each to ``look``, and let leaf hooks see the sums."""
        before = mode.recording, mode.raw
        mode.recording, mode.raw = self.recorded, not self.recorded
        try:
            with np.errstate(all="ignore"):  # infinities and NaN are results, not warnings
                for visit in self.steps():
                    if look is not None:
                        look(visit)
                for leaf, g in self.arrived.items():
                    if leaf._rare is not None and leaf._rare.hooks:
                        self.arrived[leaf] = call_hooks(leaf._rare.hooks, g)
        finally:
            mode.recording, mode.raw = before
        if self.asked is not None:
            self.asked.update((leaf, g) for leaf, g in self.arrived.items() if leaf in self.asked)

    def landings(self) -> Iterator[tuple[TensorBase, Any]]:
        """Each tensor that is to get a ``.grad``, with its gradient as an array of its own."""
        for leaf, g in self.arrived.items():
            if self.asked is None or leaf in self.asked:
                yield leaf, (own(g) if leaf in self.borrowed else g)
        for tensor, g in self.retained:
            yield tensor, own(g)


def conform(part: Any, shape: tuple[int, ...], dtype: Any, node: Node, position: int) -> Any:
    """A gradient in the shape and dtype of what it is the gradient of.

    Where the forward pass broadcast a value, several entries of the gradient belong to one
    entry of the value, and are summed. Raises RuntimeError if the shapes cannot belong
    together: then a derivative rule is wrong.
    """
    have = part.shape
    if have != shape:
        lead = len(have) - len(shape)
        axes = tuple(range(lead)) if have[lead:] == shape else spread_axes(have, shape)
        if lead < 0 or axes is None:
            raise RuntimeError(
                f"Function {node.name()} returned an invalid gradient at index {position} - got "
                f"{list(have)} but expected shape compatible with {list(shape)}"
            )
        part = part.sum(axes) if isinstance(part, TensorBase) else np.add.reduce(part, axes)
        if part.shape != shape:
            part = part.reshape(shape)
    if isinstance(part, TensorBase):
        return converted(part, dtype)
    return part if part.dtype == dtype else part.astype(dtype)


def spread_axes(have: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The axes along which a value of this shape was repeated; None if it cannot have been."""
    lead = len(have) - len(shape)
    pairs = list(enumerate(zip(have[lead:], shape, strict=False), start=lead))
    if any(got != want != 1 for _, (got, want) in pairs):
        return None
    return (*range(lead), *[axis for axis, (got, want) in pairs if got != want])


def owns_memory(part: Any) -> bool:
    """Is this array's memory its own, not a view of another's?"""
    return isinstance(part, TensorBase) or part.base is None


def own(g: Any) -> Any:
    """A gradient that shares no memory with anything else."""
    return g.clone() if isinstance(g, TensorBase) else g.copy()


def as_tensor(g: Any) -> Any:
    """A gradient as a tensor, for hooks and for ``.grad``."""
    return g if isinstance(g, TensorBase) else new_tensor(g)


def call_hooks(hooks: dict[int, Callable[..., Any]], g: Any) -> Any:
    """The gradient after each hook, in order, has seen it and perhaps replaced it."""
    for hook in list(hooks.values()):
        replaced = hook(as_tensor(g))
        if replaced is not None:
            if not isinstance(replaced, TensorBase):
                raise TypeError(
                    f"hook {getattr(hook, '__name__', hook)!r} has returned a "
                    f"{type(replaced).__name__}: a tensor hook returns a Tensor or None"
                )
            if replaced._array.shape != g.shape:
                raise RuntimeError(
                    f"hook {getattr(hook, '__name__', hook)!r} has changed the size of value: "
                    f"from {list(g.shape)} to {list(replaced._array.shape)}"
                )
            g = replaced if isinstance(g, TensorBase) else replaced._array
    return g


def land(tensor: TensorBase, g: Any, recorded: bool) -> None:
    """Add a gradient to a tensor's ``.grad``, in place if it has one already."""
    if Watch.observer is not None:
        Watch.observer.landed(tensor, g)
    grad = tensor._grad
    if grad is None:
        tensor._grad = as_tensor(g)
    elif recorded:
        tensor._grad = grad + as_tensor(g)
    else:
        grad += new_tensor(g)
    if tensor._rare is not None and tensor._rare.landing_hooks:
        for hook in list(tensor._rare.landing_hooks.values()):
            hook(tensor)


# ------------------------------------------------------------------- the two ways to start one


def seed_of(root: TensorBase, gradient: Any, recorded: bool, position: int) -> Any:
    """The gradient that a pass starts with: as given, or 1 for a single number."""
    settle(root)
    array = root._array
    if root._node is None:
        raise no_gradient_error(root, position)
    if gradient is None:
        if array.size != 1:
            raise not_scalar_error(array.shape, root)
        seed = new_tensor(np.ones_like(array))
    elif isinstance(gradient, TensorBase):
        if gradient._array.shape != array.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{position}] has a shape of "
                f"torch.Size({list(gradient._array.shape)}) and output[{position}] has a shape of "
                f"torch.Size({list(array.shape)})."
            )
        seed = converted(gradient, array.dtype)
    else:
        raise TypeError(
            "gradients can be either Tensors or None, but got " + type(gradient).__name__
        )
    return seed if recorded else seed._array


def listed(tensors: Any) -> tuple[Any, ...]:
    return (tensors,) if isinstance(tensors, TensorBase) or tensors is None else tuple(tensors)


def backward_pass(
    tensors: Sequence[TensorBase],
    gradients: Sequence[Any],
    retain_graph: bool | None,
    create_graph: bool,
    inputs: Sequence[TensorBase] | None,
) -> Pass:
    """A checked pass from ``tensors``, not yet run."""
    if len(gradients) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(gradients)} gradients")
    seeds = [
        seed_of(root, gradient, create_graph, position)
        for position, (root, gradient) in enumerate(zip(tensors, gradients, strict=True))
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
        Accumulate into these only, which may be intermediate results.

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
        raise RuntimeError("`inputs` argument to `backward` cannot be empty.")
    run = backward_pass(roots, gradients, retain_graph, create_graph, chosen)
    observer = Watch.observer
    run.run(None if observer is None else observer.visited)
    for tensor, g in list(run.landings()):
        land(tensor, g, create_graph)
    for tensor in chosen or ():
        node = tensor._node
        if node is not LEAF and run.asked is not None and run.asked[node] is not None:
            land(tensor, own(run.asked[node]), create_graph)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
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
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, "
            "but got: allow_unused=False."
        )
    roots, chosen = listed(outputs), listed(inputs)
    gradients = (None,) * len(roots) if grad_outputs is None else listed(grad_outputs)
    run = backward_pass(roots, gradients, retain_graph, create_graph, chosen)
    observer = Watch.observer
    run.run(None if observer is None else observer.visited)
    assert run.asked is not None
    results = []
    for tensor in chosen:
        g = run.asked[edge_to(tensor)]
        if g is None and materialize_grads:
            g = np.zeros_like(tensor._array)
        elif g is None and not allow_unused:
            raise RuntimeError(
                "One of the differentiated Tensors appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior."
            )
        results.append(None if g is None else as_tensor(own(g) if not create_graph else g))
    return tuple(results)
