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
    kinds: list[Any] = []  # shape and dtype of each value that was saved
    again: dict[int, Any] = {}
    random_state = get_rng_state() if preserve_rng_state else None
    began = next_number()

    def pack(tensor: Any) -> int:
        kinds.append((tensor.shape, tensor.dtype))
        return len(kinds) - 1

    def unpack(position: int) -> Any:
        if position not in again:
            compute_again()
        return again.pop(position)

    def compute_again() -> None:
        for arg in (*args, *kwargs.values()):
            meta = arg._meta if isinstance(arg, Tensor) else None
            if meta is not None and overwritten(meta.storage, began):
                raise stale_argument_error(arg)
        saved: list[Any] = []

        def keep(tensor: Any) -> int:
            saved.append(tensor.detach())
            return len(saved) - 1

        inputs = [
            arg.detach().requires_grad_(arg.requires_grad) if isinstance(arg, Tensor) else arg
            for arg in args
        ]
        hooks = saved_tensors_hooks(keep, saved.__getitem__)
        with fork_rng(enabled=preserve_rng_state), enable_grad(), hooks:
            if preserve_rng_state:
                set_rng_state(random_state)
            function(*inputs, **kwargs)
        text = "torch.utils.checkpoint: A different number of tensors was saved during the "
        text += "original forward and recomputation: {}, then {}."
        ensure(len(saved) >= len(kinds), text, len(kinds), len(saved), error=CheckpointError)
        text = "torch.utils.checkpoint: Recomputed values for the following tensors have different "
        text += "metadata than during the forward pass: number {} was {}, {}, then {}, {}."
        for position, (tensor, kind) in enumerate(zip(saved, kinds)):
            now = (tensor.shape, tensor.dtype)
            ensure(now == kind, text, position, *kind, *now, error=CheckpointError)
        again.update(enumerate(saved[: len(kinds)]))

    with saved_tensors_hooks(pack, unpack):
        return function(*args, **kwargs)


def checkpoint_sequential(
    functions: Iterable[Any], segments: int, input: Any, use_reentrant: bool | None = None
) -> Any:
    """A chain of functions, each on the result of the one before, in checkpointed segments.

    The last segment is not checkpointed, since its backward pass comes first.

    Counterpart: ``torch.utils.checkpoint.checkpoint_sequential``.

    >>> import minigrad as torch
    >>> from minigrad.utils.checkpoint import checkpoint_sequential
    >>> x = torch.tensor(0.5, requires_grad=True)
    >>> y = checkpoint_sequential([torch.tanh, torch.exp, torch.tanh], 2, x, use_reentrant=False)
    >>> y
    tensor(0.9198, grad_fn=<TanhBackward0>)
    """
    chain = list(functions)
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
