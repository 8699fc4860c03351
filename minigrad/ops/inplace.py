"""Writing into tensors: ``add_``, ``zero_``, ``x[i] = v``, and what that does to histories.

``x.mul_(2)`` computes ``x * 2`` as an operation like any other, writes the result into x's
memory, and gives x the new node: its history now ends in that operation. If x is a view, its
root's memory changed too, so the root gets a node that says which part was replaced
(``CopySlices``), and all views of that root derive their histories again when next used.

What an earlier operation saved may have been overwritten: the write takes a number from the
nodes' counter, and a node that is older refuses to use the value (MG104).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import dropwhile
from typing import Any

import numpy as np

from .. import dtypes
from ..errors import leaf_write_error
from ..general import record
from ..grad_mode import mode
from ..graph import LEAF, Kind, Node, TensorBase, edge_to, extra, new_tensor
from ..operands import converted
from ..primitive import DECLARED, NUMBERS, differentiable, operation
from ..views import own_array, retain_by, settle, storage_of
from . import elementwise
from .arguments import number_of, wrong_type
from .elementwise import where_, zero
from .indexing import located, translated

COPY_SLICES = Kind(
    "CopySlices", "copy_slices", ("input", "value"), rule_text="the part of g that it provided"
)


class CopySlices(Node):
    """Part of a tensor was replaced through a view.

    The gradient of the new content is that part of ``g``; the old content gets the rest.
    """

    __slots__ = ()

    def vjp(self, g: Any, edges: tuple[Any, ...]) -> Any:
        assert self.saved is not None
        path, replaced = self.saved
        old, new = edges
        part = g
        for operation_, options in path:
            part = operation_(part, *options)
        return [
            None if old is None else where_(replaced, 0, g),
            None if new is None else part,
        ]


def write(target: Any, compute: Callable[..., Any], *args: Any) -> Any:
    """Write ``compute(target, *args)`` into ``target``, and record it if anything wants that.

    Raises RuntimeError while recording if the target is a leaf that requires a gradient, or a
    view of one; and always if the result's shape or dtype does not fit.
    """
    settle(target)
    storage = storage_of(target)
    rare, memory = target._rare, own_array(target)
    root = rare.root
    if mode.recording:
        if target._node is LEAF:
            raise leaf_write_error(target, view=False)
        if root is not None and root._node is LEAF:
            raise leaf_write_error(target, view=True)
    before = new_tensor(memory, target._node)  # what the operation sees, and may save
    result = compute(before, *args)
    node = result._node
    if rare.unrecorded and mode.recording and (node or root._node) is not None:
        raise RuntimeError(
            "A view was created in no_grad mode and is being modified inplace with grad mode "
            "enabled. Make the view outside of no_grad, or write inside it."
        )
    if node is not None and any(value is before for value in node.saved):
        before._array = memory.copy()
    put(memory, result._array)
    storage.note_write()
    if node is not None:
        node.saved = tuple(memory if value is result._array else value for value in node.saved)
        rebase(target, result)
    return target


def rebase(target: Any, result: Any) -> None:
    """Let the history of ``target``, just written to, be that of ``result``."""
    storage, rare, node = storage_of(target), target._rare, result._node
    if node is not None:
        extra(node).storage, extra(node).since = storage, storage.written
    storage.histories += 1
    root = rare.root
    if root is None:
        retain_by(node, target)
        target._node = node
        return
    replaced = np.zeros(root._array.shape, bool)
    part: Any = replaced
    for operation_, options in rare.path:
        part = operation_.__wrapped__(part, *options)
    part[...] = True
    edges, saved = (edge_to(root), node), (rare.path, replaced)
    changed = record(COPY_SLICES, (root, result), edges, saved, root._array, CopySlices)
    retain_by(changed, root)
    root._node = changed


def put(memory: Any, values: Any) -> None:
    """Overwrite an array. Raises RuntimeError, in PyTorch's words, where that is impossible."""
    have, want = dtypes.of(values), dtypes.of(memory)
    if have.kind > want.kind:
        raise RuntimeError(
            f"result type {have.title} can't be cast to the desired output type {want.title}"
        )
    if values.shape != memory.shape:
        raise RuntimeError(
            f"output with shape {list(memory.shape)} doesn't match the broadcast shape "
            f"{list(values.shape)}"
        )
    if not memory.flags.writeable:
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location, or the memory is read-only. Please clone() the tensor first."
        )
    memory[...] = values


# ------------------------------------------------------------- operations that only write


@differentiable(input=lambda g: zero(g))
def _zero(input):
    return np.zeros_like(input)


@operation(number=2, input=lambda g: zero(g), value=lambda g: g)
def _fill(input, value):
    return np.full_like(input, value)


@operation(input=lambda g: zero(g), src=lambda g: g)
def _copy(input, src):
    if np.ndim(src) > input.ndim:
        raise RuntimeError(
            f"output with shape {list(input.shape)} doesn't match the broadcast shape "
            f"{list(src.shape)}"
        )
    return np.broadcast_to(src, input.shape).astype(input.dtype)


DECLARED["inplace._copy"].kind.name = "CopyBackwards"  # here PyTorch breaks its own pattern


@operation(
    name="index_put",
    input=lambda g, indices: where_(marked(g.shape, indices), 0, g),
    value=lambda g, indices: g[indices],
)
def _index_put(input, value, indices):
    out = input.copy()
    try:
        out[indices] = value
    except ValueError:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(value.shape)} cannot be broadcast to "
            f"indexing result of shape {list(out[indices].shape)}"
        ) from None
    return out


def marked(shape: tuple[int, ...], indices: Any) -> Any:
    """True at these indices."""
    mask = np.zeros(shape, bool)
    mask[indices] = True
    return mask


# ------------------------------------------------------------------------------ the methods


def writing(compute: Callable[..., Any], formula: str) -> Any:
    """The in-place method that writes what ``compute`` returns."""

    def method(self: Any, *args: Any, **options: Any) -> Any:
        if options:
            return write(self, lambda before, *a: compute(before, *a, **options), *args)
        return write(self, compute, *args)

    name = compute.__name__.strip("_") + "_"
    method.__name__ = method.__qualname__ = name
    method.__doc__ = (
        f"``{formula}``, written into this tensor's memory; returns the tensor.\n\n"
        "        Raises RuntimeError while recording if this tensor is a leaf that requires a\n"
        f"        gradient. Counterpart: ``torch.Tensor.{name}``."
    )
    return method


add_ = writing(elementwise.add, "self + alpha * other")
sub_ = writing(elementwise.sub, "self - alpha * other")
mul_ = writing(elementwise.mul, "self * other")
div_ = writing(elementwise.div, "self / other")
pow_ = writing(elementwise.pow, "self ** exponent")
neg_ = writing(elementwise.neg, "-self")
exp_ = writing(elementwise.exp, "exp(self)")
log_ = writing(elementwise.log, "log(self)")
sqrt_ = writing(elementwise.sqrt, "sqrt(self)")
tanh_ = writing(elementwise.tanh, "tanh(self)")
sigmoid_ = writing(elementwise.sigmoid, "sigmoid(self)")
relu_ = writing(elementwise.relu, "relu(self)")
abs_ = writing(elementwise.abs, "abs(self)")
zero_ = writing(_zero, "0")


def fill_(self: Any, value: Any) -> Any:
    """Write one number, or the value of a 0-d tensor, everywhere; returns the tensor.

    Counterpart: ``torch.Tensor.fill_``.
    """
    if not isinstance(value, TensorBase):
        number_of("fill_", value, "value", 1)
    elif value._array.ndim:
        raise RuntimeError(
            "fill_ only supports 0-dimension value tensor but got tensor with "
            f"{value._array.ndim} dimensions."
        )
    return write(self, _fill, value)


def copy_(self: Any, src: Any) -> Any:
    """Write the values of ``src``, broadcast and converted, into this tensor.

    The gradient goes to ``src``. Counterpart: ``torch.Tensor.copy_``.
    """
    if not isinstance(src, (TensorBase, *NUMBERS)):
        raise wrong_type("copy_", "other", 1, "Tensor", src)
    return write(self, _copy, src)


def setitem(self: Any, index: Any, value: Any) -> None:
    """``self[index] = value``. The gradient of the written entries goes to ``value``.

    Counterpart: ``torch.Tensor.__setitem__``.
    """
    if not isinstance(value, TensorBase):
        if not isinstance(value, (*NUMBERS, np.generic)):
            raise TypeError(f"can't assign a {type(value).__name__} to a torch.FloatTensor")
        value = new_tensor(np.asarray(value))
    value = converted(value, self._array.dtype)
    shape = value._array.shape
    if shape[:1] == (1,):
        value = value.reshape(tuple(dropwhile((1).__eq__, shape)))
    part, places = located(self, index)
    if places is None:
        write(part, _copy, value)
    else:
        translated(write, part, _index_put, value, places)
