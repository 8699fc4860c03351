"""Trading time for memory: compute intermediate values again instead of keeping them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from .._tensor import Tensor
from ..compat.arguments import ensure
from ..engine.modes import enable_grad, saved_tensors_hooks
from ..engine.node import next_number, overwritten
from ..errors import stale_argument_error
from ..ops.random import fork_rng, get_rng_state, set_rng_state


class CheckpointError(RuntimeError):
    """The second run of a checkpointed function saved other values than the first.

    Counterpart: ``torch.utils.checkpoint.CheckpointError``.
    """


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """``function(*args)``, keeping its inputs instead of what its operations would save.

    The backward pass runs the function once more to get the saved values back. For a chain of n
    layers in k segments about k + n/k activations are alive at a time instead of n, for at most
    one more forward pass. The function must compute the same again; random numbers are the same
    again, unless ``preserve_rng_state`` is False.

    ``use_reentrant`` should be given, as in PyTorch; minigrad always works as with ``False``, and
    with ``True`` takes no keyword arguments either.

    In ``backward()`` it raises RuntimeError (MG104) if an argument was written to meanwhile, and
    CheckpointError if the second run saves fewer values, or values of other shapes or dtypes.

    Counterpart: ``torch.utils.checkpoint.checkpoint``.

    >>> import minigrad as torch
    >>> from minigrad.utils.checkpoint import checkpoint
    >>> x = torch.tensor(0.5, requires_grad=True)
    >>> y = checkpoint(lambda x: torch.tanh(torch.tanh(x)), x, use_reentrant=False)
    >>> y.backward()
    >>> x.grad
    tensor(0.6398)
    """
    warn_about_reentrance(use_reentrant, args, kwargs)
    run = Run(function, args, kwargs, preserve_rng_state)
    with saved_tensors_hooks(run.pack, run.unpack):
        return function(*args, **kwargs)


class Run:
    """One call of a checkpointed function: of what it saves, only the shapes and dtypes are kept.

    When the backward pass asks for the first of the saved values, the function runs once more.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        preserve_rng_state: bool,
    ) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.random_state = get_rng_state() if preserve_rng_state else None
        self.began = next_number()
        self.kinds: list[Any] = []  # shape and dtype of each value that was saved
        self.again: dict[int, Any] = {}  # the values of the second run that are still to be used

    def pack(self, tensor: Any) -> int:
        """What is kept of a value that the function saves: its number."""
        self.kinds.append((tensor.shape, tensor.dtype))
        return len(self.kinds) - 1

    def unpack(self, number: int) -> Any:
        """The value of this number."""
        if number not in self.again:
            self.check_arguments()
            saved = self.second_run()
            self.check_same(saved)
            self.again.update(enumerate(saved[: len(self.kinds)]))
        return self.again.pop(number)

    def check_arguments(self) -> None:
        """Raise RuntimeError if an argument was written to since."""
        for arg in (*self.args, *self.kwargs.values()):
            meta = arg._meta if isinstance(arg, Tensor) else None
            if meta is not None and overwritten(meta.storage, self.began):
                raise stale_argument_error(arg)

    def second_run(self) -> list[Any]:
        """The values that the function saves when it runs again, with the same random numbers."""
        saved: list[Any] = []

        def keep(tensor: Any) -> int:
            saved.append(tensor.detach())
            return len(saved) - 1

        inputs = [like_a_leaf(arg) for arg in self.args]
        hooks = saved_tensors_hooks(keep, saved.__getitem__)
        preserved = self.random_state is not None
        with fork_rng(enabled=preserved), enable_grad(), hooks:
            if preserved:
                set_rng_state(self.random_state)
            self.function(*inputs, **self.kwargs)
        return saved

    def check_same(self, saved: list[Any]) -> None:
        """Raise CheckpointError if the second run has saved fewer values, or other ones."""
        text = "torch.utils.checkpoint: A different number of tensors was saved during the "
        text += "original forward and recomputation: {}, then {}."
        enough = len(saved) >= len(self.kinds)
        ensure(enough, text, len(self.kinds), len(saved), error=CheckpointError)
        text = "torch.utils.checkpoint: Recomputed values for the following tensors have different "
        text += "metadata than during the forward pass: number {} was {}, {}, then {}, {}."
        for number, (tensor, kind) in enumerate(zip(saved, self.kinds)):
            now = (tensor.shape, tensor.dtype)
            ensure(now == kind, text, number, *kind, *now, error=CheckpointError)


def like_a_leaf(arg: Any) -> Any:
    """An argument for the second run: of a tensor, one without its history."""
    if isinstance(arg, Tensor):
        return arg.detach().requires_grad_(arg.requires_grad)
    return arg


def checkpoint_sequential(
    functions: Iterable[Any], segments: int, input: Any, use_reentrant: bool | None = None
) -> Any:
    """A chain of functions, each on the result of the one before, in checkpointed segments.

    The last segment is not checkpointed, since its backward pass comes first. Raises ValueError
    unless there is at least one segment, and no more than there are functions.

    Counterpart: ``torch.utils.checkpoint.checkpoint_sequential``.

    >>> import minigrad as torch
    >>> from minigrad.utils.checkpoint import checkpoint_sequential
    >>> x = torch.tensor(0.5, requires_grad=True)
    >>> y = checkpoint_sequential([torch.tanh, torch.exp, torch.tanh], 2, x, use_reentrant=False)
    >>> y
    tensor(0.9198, grad_fn=<TanhBackward0>)
    """
    chain = list(functions)
    if not 0 < segments <= len(chain):
        text = "checkpoint_sequential: segments is {}, and the length of the chain {}\n"
        text += "  fix: a number of segments from 1 to {}"
        ensure(False, text, segments, len(chain), len(chain), error=ValueError)
    size = len(chain) // segments
    last = size * (segments - 1)
    for start in range(0, last, size):
        part = chain[start : start + size]
        input = checkpoint(in_turn, part, input, use_reentrant=use_reentrant)
    return in_turn(chain[last:], input)


def in_turn(functions: Any, x: Any) -> Any:
    """What the functions, each called with the result of the one before, make of x."""
    for function in functions:
        x = function(x)
    return x


def warn_about_reentrance(use_reentrant: Any, args: Any, kwargs: Any) -> None:
    """Say what PyTorch says of its two ways; for minigrad there is one."""
    if use_reentrant is None:
        text = "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly: "
        warnings.warn(text + "use_reentrant=False is recommended.", stacklevel=3)
    if use_reentrant is False:
        return
    ensure(not kwargs, "Unexpected keyword arguments: {}", ",".join(kwargs), error=ValueError)
    if not any(isinstance(arg, Tensor) and arg.requires_grad for arg in args):
        text = "None of the inputs have requires_grad=True. Gradients will be None"
        warnings.warn(text, stacklevel=3)
