"""What operations save, in another form: hooks that pack and unpack it.

Saved values are where the memory of a training step is. A hook may keep them elsewhere (on disk),
smaller (float16), or not at all (``utils.checkpoint`` computes them again).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .grad_mode import mode
from .graph import Kind, Node, Packed, TensorBase, edge_to, extra, new_tensor

UNPACKED = Kind("UnpackBackward0", "unpack", ("input",), {"input": ()}, rules=((lambda g: g, ()),))
"""Leads from a leaf's saved value, as a hook brought it back, to the leaf."""


class saved_tensors_hooks:
    """Within this block, what operations save goes through two functions of yours.

    ``pack_hook(tensor)`` gets each saved value once, and returns whatever stands for it;
    ``unpack_hook`` gets that back when ``backward()`` needs the value, and returns a tensor equal
    to the one that was packed. Raises TypeError if it returns something else.

    Counterpart: ``torch.autograd.graph.saved_tensors_hooks``.

    >>> import minigrad as torch
    >>> sizes = []
    >>> def pack(x):
    ...     sizes.append(x.numel())
    ...     return x
    >>> x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> with torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
    ...     y = (x * x).sum()
    >>> sizes  # both factors
    [3, 3]
    """

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook
        self._before: list[tuple[Any, Any]] = []

    def __enter__(self) -> None:
        self._before.append((mode.packing, mode.recording))
        mode.packing = self
        mode.recording = mode.recording and self

    def __exit__(self, *exception: object) -> None:
        mode.packing, mode.recording = self._before.pop()

    def packed(self, tensor: Any) -> Packed:
        """The tensor in the form that the hook gave it."""
        thing = self.pack_hook(tensor)
        unpack = self.unpack_hook
        edge = edge_to(tensor)

        def unpacked() -> Any:
            tensor = unpack(thing)
            if not isinstance(tensor, TensorBase):
                raise TypeError(
                    f"the unpack hook returned a {type(tensor).__name__}: it must return a Tensor "
                    "equal to the one that was packed"
                )
            array = tensor._array
            if edge is None or isinstance(edge, Node):
                return new_tensor(array, edge)  # with the history that it had
            return new_tensor(array, Node(UNPACKED, (edge,), array.shape, array.dtype))

        result = Packed()
        result.unpacked = unpacked
        return result


def pack_saved(node: Node, hooks: saved_tensors_hooks) -> None:
    """Let the hooks have what the node has just saved."""

    def packed(slot: int, value: Any) -> Any:
        if isinstance(value, TensorBase):
            return hooks.packed(value)
        if slot == node.kind.output_slot and value is not None:
            return hooks.packed(new_tensor(value))
        return value

    if node.saved:
        node.saved = tuple(packed(slot, value) for slot, value in enumerate(node.saved))
        extra(node)  # so that a visit does not take the saved values as they are
