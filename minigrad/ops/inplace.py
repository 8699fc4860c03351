"""Writing into tensors: ``add_``, ``zero_``, ``x[i] = v``, and what that does to histories.

``x.mul_(2)`` computes ``x * 2`` as an operation like any other, writes the result into x's
memory, and gives x the new node: its history now ends in that operation. If x is a view, its
root's memory changed too, so the root gets a node that says which part was replaced
(``CopySlices``), and all views of that root derive their histories again when next used.

What an earlier operation saved may have been overwritten: the write takes a number from the
nodes' counter, and a node that is older refuses to use the value (MG104).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import dropwhile
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..compat.arguments import ensure, fitting, number_of, titled, wrong_type
from ..engine.atomic import Step, at_once
from ..engine.modes import mode
from ..engine.node import (
    LEAF,
    Kind,
    Node,
    TensorBase,
    Watch,
    edge_to,
    extra,
    new_tensor,
    next_number,
)
from ..engine.operands import to_dtype
from ..engine.record import NUMBERS, differentiable, operation, record, tell
from ..engine.views import (
    own_array,
    refuse_broken,
    refuse_repeating,
    steps_giving,
    storage_of,
    update_history,
    wants_gradient,
)
from ..errors import leaf_write_error, shared_memory_error
from . import activations, scattering
from .annotations import Array
from .elementwise import (
    arithmetic,
    choices,
    division,
    exponential,
    logic,
    powers,
    rounding,
    special,
    trigonometry,
)
from .elementwise.choices import where_, zero
from .indexing import _index_put, translated, view_and_lookup
from .shaping import _expand

if TYPE_CHECKING:
    from .._tensor import Tensor

COPY_SLICES = Kind(
    "CopySlices",
    "copy_slices",
    ("input", "value", "part"),
    slots=("part", "replaced"),
    rule_text="the part of g that it provided",
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


def write(target: Any, compute: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Write ``compute(target, *args)`` into ``target``, and record it if anything wants that.

    Raises RuntimeError while recording if the target is a leaf that requires a gradient, or a
    view of one; and always if the result's shape or dtype does not fit, or if memory is shared
    so that the order of writing would matter.
    """
    update_history(target)
    storage = storage_of(target)
    meta = target._meta
    memory = own_array(target)
    root = meta.root
    if mode.recording and wants_gradient(target):
        refuse_leaves_and_the_unrecorded(target, root)
    if compute not in ONE_NUMBER:
        check_overlap(compute, memory, (*args, *options.values()) if options else args)
    before = new_tensor(memory, target._node)  # what the operation sees, and may save
    result = compute(before, *args, **options)
    operation = compute.__name__.strip("_")
    node = result._node
    if node is not None:
        refuse_broken(target, "is being")
    if node is not None and any(value is before for value in node.saved):
        before._array = memory.copy()
    check_writable(memory, result._array)
    if node is None:
        # First: if an interrupt comes now, too much counts as overwritten.
        storage.note_write(operation)
        memory[...] = result._array
        return target
    number = next_number()
    steps = [(memory.__setitem__, ..., result._array), *storage.steps_noting(number, operation)]
    node.saved = tuple(memory if value is result._array else value for value in node.saved)
    node.dtype = memory.dtype  # of the gradient; the result may have had another before
    rebase(target, result, number, steps)
    return target


# ------------------------------------------------------------------------- memory that is shared


def check_overlap(compute: Any, memory: Array, arguments: Any) -> None:
    """Raise RuntimeError, as PyTorch, where a write could change what is still to be read."""
    if memory.base is not None and 0 in memory.strides:  # memory of its own repeats nothing
        refuse_repeating(memory)
    for argument in arguments:
        if isinstance(argument, TensorBase):
            array = argument._array
            if array.base is memory.base is None and array is not memory:
                continue  # each has memory of its own
            if overlap_matters(compute, memory, array):
                what = "some elements of the input tensor and the written-to tensor refer"
                raise shared_memory_error(what)


def overlap_matters(compute: Any, memory: Array, array: Array) -> bool:
    """Would an operation that reads ``array`` and writes ``memory`` read what it has written?

    Not if both show the same entries in the same places, unless the operation reads in one place
    what it writes in another. As in PyTorch, arrays with gaps are not looked at: of these it is
    hard to know.
    """
    if not np.may_share_memory(memory, array) or not (dense(memory) and dense(array)):
        return False
    if compute in READ_FIRST and array.ndim == 0:
        return False
    return compute in READ_ELSEWHERE or layout(memory) != layout(array)


def dense(array: Array) -> bool:
    """Do the entries lie in memory without gaps, in whatever order?"""
    filled = array.itemsize
    for step, size in sorted(zip(array.strides, array.shape)):
        if size > 1 and step != filled:
            return False
        filled *= size
    return True


def layout(array: Array) -> Any:
    """Where entries lie in memory: equal for arrays with the same entries in the same places."""
    steps = [step for step, size in zip(array.strides, array.shape) if size > 1]
    return array.ctypes.data, array.shape, steps


def refuse_leaves_and_the_unrecorded(target: Any, root: Any) -> None:
    """Raise RuntimeError if there is no history that a recorded write could be added to."""
    refuse_broken(target, "is being")
    if root is not None and not isinstance(root._node, Node):
        raise leaf_write_error(target, view=True)
    if target._node is LEAF:
        raise leaf_write_error(target, view=False)


def rebase(target: Any, result: Any, number: int, steps: list[Step]) -> None:
    """Write (by ``steps``), and let the history of ``target`` be that of ``result``.

    ``number`` says when that was. The memory and the histories change together, or not at all.
    """
    storage = storage_of(target)
    meta = target._meta
    node = result._node
    if node is not None:
        about = extra(node)
        about.storage = storage
        about.since = number
    root = meta.root
    if root is None:
        before = target._node
        at_once([*steps, *steps_giving(target, node)])
        tell_of_write(before, node)
        return
    replaced = np.zeros(root._array.shape, bool)
    part: Any = replaced
    for operation_, options in meta.path:
        part = operation_.__wrapped__(part, *options)
    part[...] = True
    edges = (edge_to(root), node)
    saved = (meta.path, replaced)
    changed = record(COPY_SLICES, None, edges, saved, root._array, CopySlices)
    before = root._node
    at_once([*steps, *steps_giving(root, changed)])
    tell(changed, (root, result, meta.path), root._array)
    tell_of_write(before, changed)
    if target.retains_grad:  # from now on that of its new value
        update_history(target)


def tell_of_write(before: Any, after: Any) -> None:
    """Tell whoever watches that the result of a node was overwritten by that of another."""
    observer = Watch.observer
    if observer is not None and isinstance(before, Node) and isinstance(after, Node):
        observer.overwrote(before, after)


def check_writable(memory: Array, values: Any) -> None:
    """Raise RuntimeError, in PyTorch's words, where an array cannot be overwritten by another."""
    have = dtypes.of(values)
    want = dtypes.of(memory)
    text = "result type {} can't be cast to the desired output type {}"
    ensure(have.kind <= want.kind, text, have.title, want.title)
    check_shapes(values.shape == memory.shape, memory, values)
    text = "unsupported operation: the written-to tensor shows memory that is read-only. Please "
    ensure(memory.flags.writeable, text + "clone() the tensor first.")


def check_shapes(fit: bool, memory: Array, values: Any) -> None:
    """Raise RuntimeError, as PyTorch, unless these values fit."""
    text = "output with shape {} doesn't match the broadcast shape {}"
    ensure(fit, text, list(memory.shape), list(values.shape))


# ------------------------------------------------------------- operations that only write


@differentiable(input=lambda g: zero(g))
def _zero(input: Array) -> Array:
    return np.zeros_like(input)


@operation(number=2, input=lambda g: zero(g))
def _fill(input: Array, value: Any) -> Array:
    return np.full_like(input, fitting(value, dtypes.of(input)))


@operation(
    name="fill",
    number=3,
    input=lambda g: zero(g),
    value=lambda g: g,
)
def _fill_with_tensor(input: Array, value: Array) -> Array:
    return np.full_like(input, value)


@operation(
    shown="CopyBackwards",
    input=lambda g: zero(g),
    src=lambda g: g,
)
def _copy(input: Array, src: Array) -> Array:
    check_shapes(np.ndim(src) <= input.ndim, input, src)
    return np.broadcast_to(src, input.shape).astype(input.dtype)


ONE_NUMBER = _zero, _fill
"""What writes one number everywhere: entries that share memory may be written twice."""

READ_FIRST = _fill_with_tensor, scattering.masked_fill, _index_put
"""What takes a single number out of a tensor before it writes."""

READ_ELSEWHERE = scattering.scatter, scattering.scatter_add, scattering.index_add, _index_put
"""What reads an entry in one place and writes it in another."""


# ------------------------------------------------------------------------------ the methods


def writing(compute: Callable[..., Any], formula: str = "") -> Any:
    """The in-place method that writes what ``compute`` returns; it shows compute's signature."""
    name = compute.__name__.strip("_") + "_"

    @functools.wraps(compute)
    def method(self: Any, *args: Any, **options: Any) -> Any:
        return write(self, compute, *args, **options)

    formula = formula or f"{name[:-1]}(self, ...)"
    words = (
        f"``{formula}``, written into this tensor's memory; returns the tensor.\n\n"
        "    Raises RuntimeError while recording if this tensor is a leaf that requires a\n"
        "    gradient."
    )
    return titled(method, f"Tensor.{name}", words)


add_ = writing(arithmetic.add)
sub_ = writing(arithmetic.sub)
mul_ = writing(arithmetic.mul, "self * other")
div_ = writing(division.div, "self / other")
pow_ = writing(powers.pow, "self ** exponent")
neg_ = writing(arithmetic.neg, "-self")
floor_divide_ = writing(division.floor_divide, "self // other")
remainder_ = writing(division.remainder, "self % other")
fmod_ = writing(division.fmod)
bitwise_and_ = writing(logic.bitwise_and, "self & other")
bitwise_or_ = writing(logic.bitwise_or, "self | other")
bitwise_xor_ = writing(logic.bitwise_xor, "self ^ other")
bitwise_left_shift_ = writing(logic.bitwise_left_shift, "self << other")
bitwise_right_shift_ = writing(logic.bitwise_right_shift, "self >> other")
addcmul_ = writing(arithmetic.addcmul)
addcdiv_ = writing(arithmetic.addcdiv)
lerp_ = writing(arithmetic.lerp)
reciprocal_ = writing(division.reciprocal)
clamp_ = writing(choices.clamp)
nan_to_num_ = writing(choices.nan_to_num)
clamp_min_ = writing(choices.clamp_min)
clamp_max_ = writing(choices.clamp_max)
square_ = writing(powers.square)
sqrt_ = writing(powers.sqrt)
rsqrt_ = writing(powers.rsqrt)
exp_ = writing(exponential.exp)
expm1_ = writing(exponential.expm1)
log_ = writing(exponential.log)
log1p_ = writing(exponential.log1p)
sin_ = writing(trigonometry.sin)
cos_ = writing(trigonometry.cos)
tan_ = writing(trigonometry.tan)
tanh_ = writing(trigonometry.tanh)
sigmoid_ = writing(activations.sigmoid)
erf_ = writing(special.erf)
relu_ = writing(activations.relu)
abs_ = writing(arithmetic.abs)
sign_ = writing(arithmetic.sign)
floor_ = writing(rounding.floor)
ceil_ = writing(rounding.ceil)
trunc_ = writing(rounding.trunc)
round_ = writing(rounding.round)
logical_not_ = writing(logic.logical_not)
zero_ = writing(_zero, "0")
masked_fill_ = writing(scattering.masked_fill)
scatter_ = writing(scattering.scatter)
scatter_add_ = writing(scattering.scatter_add)
index_add_ = writing(scattering.index_add)


def fill_(self: Tensor, value: Any) -> Tensor:
    """Write one number, or the value of a 0-d tensor, everywhere; returns the tensor.

    Counterpart: ``torch.Tensor.fill_``.
    """
    if not isinstance(value, TensorBase):
        number_of("fill_", value, "value", 1)
        return write(self, _fill, value)
    text = "fill_ only supports 0-dimension value tensor but got tensor with {} dimensions."
    ensure(value._array.ndim == 0, text, value._array.ndim)
    return write(self, _fill_with_tensor, value)


def copy_(self: Tensor, src: Any) -> Tensor:
    """Write the values of ``src``, broadcast and converted, into this tensor.

    The gradient goes to ``src``. Counterpart: ``torch.Tensor.copy_``.
    """
    if not isinstance(src, (TensorBase, *NUMBERS)):
        raise wrong_type("copy_", "other", 1, "Tensor", src)
    if not self.is_floating_point() and isinstance(src, TensorBase):
        src = new_tensor(src._array)  # integers have no gradient
    return write(self, _copy, src)


def expanded_if_shared(value: Any, memory: Array) -> Any:
    """The value, expanded to the memory's shape if it shares some of that memory.

    All of it is read before any of the memory is written, so that is allowed: an expanded array has
    gaps, and ``overlap_matters`` does not look at it.
    """
    have = value._array.shape
    want = memory.shape
    if have == want or not np.may_share_memory(value._array, memory):
        return value
    if len(have) > len(want):
        return value
    if all(n in (1, m) for n, m in zip(have[::-1], want[::-1])):
        return _expand(value, want)
    return value


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """``self[index] = value``. The gradient of the written entries goes to ``value``.

    Counterpart: ``torch.Tensor.__setitem__``.
    """
    if index is False:
        return  # nothing is chosen
    if index is True:
        index = None  # all of it: nothing needs to be looked up
    if not isinstance(value, TensorBase):
        text = "can't assign a {} to a torch.FloatTensor"
        name = type(value).__name__
        ensure(isinstance(value, (*NUMBERS, np.generic)), text, name, error=TypeError)
        value = new_tensor(fitting(value, self.dtype))
    part, lookup = view_and_lookup(self, index)
    shape = value._array.shape
    if shape[:1] == (1,) and (lookup is not None or len(shape) > part.ndim):
        value = value.reshape(tuple(dropwhile((1).__eq__, shape)))
    if lookup is None:
        write(part, _copy, to_dtype(expanded_if_shared(value, part._array), self._array.dtype))
    else:
        masked = value._array.ndim == 0 and lookup[-1].dtype.kind == "b"
        same = masked or value._array.dtype == self._array.dtype
        ensure(same, "Index put requires the source and destination dtypes match")
        translated(write, part, _index_put, to_dtype(value, self._array.dtype), lookup)
