"""Trading time for memory: compute intermediate values again instead of keeping them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from .._tensor import Tensor
from ..grad_mode import enable_grad
from ..ops.random import fork_rng, get_rng_state, set_rng_state
from ..packing import saved_tensors_hooks


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
    one more forward pass. The function must compute the same again, so its inputs must not be
    changed; random numbers are the same again, unless ``preserve_rng_state`` is False.

    ``use_reentrant`` should be given, as in PyTorch; minigrad always works as with ``False``, and
    with ``True`` takes no keyword arguments either.

    Raises CheckpointError in ``backward()`` if the second run saves fewer values, or values of
    other shapes or dtypes. Counterpart: ``torch.utils.checkpoint.checkpoint``.

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

    def pack(tensor: Any) -> int:
        kinds.append((tensor.shape, tensor.dtype))
        return len(kinds) - 1

    def unpack(position: int) -> Any:
        if position not in again:
            compute_again()
        return again.pop(position)

    def compute_again() -> None:
        saved: list[Any] = []

        def keep(tensor: Any) -> int:
            saved.append(tensor.detach())
            return len(saved) - 1

        inputs = [
            arg.detach().requires_grad_(arg.requires_grad) if isinstance(arg, Tensor) else arg
            for arg in args
        ]
        with (
            fork_rng(enabled=preserve_rng_state),
            enable_grad(),
            saved_tensors_hooks(keep, saved.__getitem__),
        ):
            if preserve_rng_state:
                set_rng_state(random_state)
            function(*inputs, **kwargs)
        if len(saved) < len(kinds):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the "
                f"original forward and recomputation: {len(kinds)}, then {len(saved)}. The "
                "function must compute the same again."
            )
        for position, (tensor, kind) in enumerate(zip(saved, kinds)):
            if (tensor.shape, tensor.dtype) != kind:
                raise CheckpointError(
                    "torch.utils.checkpoint: Recomputed values for the following tensors have "
                    f"different metadata than during the forward pass: number {position} was of "
                    f"shape {list(kind[0])}, then {list(tensor.shape)}."
                )
        again.update(enumerate(saved[: len(kinds)]))

    with saved_tensors_hooks(pack, unpack):
        return function(*args, **kwargs)


def checkpoint_sequential(
    functions: Iterable[Callable[..., Any]],
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
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

    def run(start: int, end: int) -> Callable[[Any], Any]:
        def segment(x: Any) -> Any:
            for function in chain[start:end]:
                x = function(x)
            return x

        return segment

    last = size * (segments - 1)
    for start in range(0, last, size):
        part = run(start, start + size)
        input = checkpoint(part, input, use_reentrant=use_reentrant)
    return run(last, len(chain))(input)


def warn_about_reentrance(
    use_reentrant: bool | None, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Say what PyTorch says of its two ways; for minigrad there is one."""
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly: "
            "use_reentrant=False is recommended.",
            UserWarning,
            stacklevel=3,
        )
    if use_reentrant is False:
        return
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if not any(isinstance(arg, Tensor) and arg.requires_grad for arg in args):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None",
            UserWarning,
            stacklevel=3,
        )
