"""The whole idea of define-by-run autograd on two pages, to be read from top to bottom.

Training means turning many knobs, the parameters, so that one number, the loss, goes down. Which
way to turn each knob, and how much that helps, is what the derivatives of the loss say. This file
computes them for every program that is made of the operations below:

    >>> a = Tensor([2.0], requires_grad=True)
    >>> b = Tensor([6.0], requires_grad=True)
    >>> c = a + b
    >>> d = b + 1
    >>> e = c * d
    >>> e.backward()
    >>> print(a.grad.data, b.grad.data)
    [7.] [15.]

*Define-by-run* says how. Nobody describes the computation beforehand. The program simply runs, on
real numbers, and each operation leaves a note behind: what it was, and on what it worked. Together
the notes form a graph. Branches and loops need no care, for only what ran has left a note.

Then we walk back along the notes. An operation knows nothing but its own derivative; the chain rule
joins them. It says: multiply along a path, and add up over paths. Here a reaches e on one path,
through c, and c counts d = 7 times. b reaches e on two paths, through c and through d, which counts
c = 8 times: 7 + 8 = 15.

"The real one", at the end of a part, is minigrad's engine: what it does besides. Skip it at first;
docs/reading.md leads from here to there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from inspect import signature
from itertools import count
from typing import Any

import numpy as np

# ---------------------------------------------------------------- 1. What a tensor remembers
#
# A tensor is an array with a memory. `requires_grad` says whether anybody wants a derivative with
# respect to it. `grad_fn` is the note left by the operation that made it: a list with one entry,
# an *edge*, for each operand that a derivative is wanted for. A tensor that requires a gradient
# but was made by no operation, such as a parameter, has no edges: it is a *leaf* of the graph.
# Leaves are what the user asks about, so it is they who get their gradient, in `grad`.
#
# `seq` counts tensors as they are made. An operation can only work on what exists already, so
# **every operand has a smaller number than the result**. Part 6 rests on this alone.
#
# The real one numbers its notes, the nodes, and its edges lead from node to node, not to tensors:
# so the values that no derivative needs are freed while the program is still running. It knows
# more dtypes than float64, too.

numbers = count()


class TensorBase:
    """What a tensor is. What it can do needs the operations, and follows in part 8."""

    def __init__(self, data: Any, requires_grad: bool = False) -> None:
        self.data = np.asarray(data, dtype=float)
        self.shape = self.data.shape
        self.requires_grad = requires_grad
        self.grad: Any = None
        self.grad_fn: list[Any] = []
        self.seq = next(numbers)


# ---------------------------------------------------------------- 2. When nothing is recorded
#
# Notes cost memory, since they hold on to the values that derivatives will need. Who only wants
# values, to measure an accuracy for instance, switches recording off for a while. What was on
# before comes back at the end, also after an error, so such blocks may stand inside each other.
#
# The real one has a switch for each thread, and `no_grad` is a decorator, too.

recording = True


@contextmanager
def no_grad() -> Iterator[None]:
    """Inside a ``with no_grad():`` block, operations leave no notes.

    >>> x = Tensor(3.0, requires_grad=True)
    >>> with no_grad():
    ...     y = x * x
    >>> y.requires_grad
    False
    """
    global recording
    before = recording
    recording = False
    try:
        yield
    finally:
        recording = before


# ---------------------------------------------------------------- 3. An operation records itself
#
# To declare an operation we write down a NumPy function and, for each operand, a derivative rule:
#
#     mul = operation(np.multiply, x=lambda g, y: g * y, y=lambda g, x: g * x)
#
# Read it so. Somewhere at the end of the program stands the loss. When the walk back arrives at
# this operation, it brings `g`, the derivative of the loss with respect to the result, and asks:
# what is the derivative with respect to x? As the result is x * y, the answer is g * y.
#
# The rule for x is a function of g and y, and this tells us what has to be kept until then: y.
# So **the names of a rule's parameters say what is saved**. A rule may name operands, `out` (the
# result), or options such as a shape, which have no derivative. The rule for `add` names nothing
# but g, and so a sum saves nothing.
#
# `run` is what happens each time: compute; then, for each operand that requires a gradient, save
# what its rule names, and add the edge (operand, rule, saved) to the note. Once there is an edge,
# the result requires a gradient itself. Operands are given by position, options by name.
#
# The real one does the same at far less cost, and it checks what it is given. It saves `out` as a
# bare array: here a result's note holds the result, a circle, which only the garbage collector
# frees. It also notices when somebody overwrites a saved value; here the gradient is just wrong.


def operation(forward: Callable[..., Any], **rules: Callable[..., Any]) -> Callable[..., Tensor]:
    """An operation on tensors, from one on arrays and a derivative rule for each operand."""
    needs = [list(signature(rule).parameters)[1:] for rule in rules.values()]

    def run(*operands: Any, **options: Any) -> Tensor:
        tensors = [as_tensor(operand) for operand in operands]
        arrays = [tensor.data for tensor in tensors]
        out = Tensor(forward(*arrays, **options))
        values = {**dict(zip(rules, tensors)), **options, "out": out}
        for operand, rule, names in zip(tensors, rules.values(), needs):
            if recording and operand.requires_grad:
                saved = {name: values[name] for name in names}
                out.grad_fn.append((operand, rule, saved))
                out.requires_grad = True
        return out

    return run


def as_tensor(value: Any) -> Any:
    """Numbers and arrays become tensors that require no gradient: constants."""
    return value if isinstance(value, TensorBase) else Tensor(value)


# ---------------------------------------------------------------- 4. A table of derivatives
#
# Now the calculus is what it is in a textbook: a table. Each line is a derivative that you know,
# times g. Two lines want a second look. The derivative of a matrix product is a matrix product
# with the other factor transposed (`mT` swaps the last two axes): the shapes leave no other
# choice. relu has a corner at 0, where we choose the slope 0, as everybody does.
#
# Note what the rules are written in: operators and operations on *tensors*, those of this very
# file. A rule is an ordinary program, so it can itself be recorded. Part 7 lives on that.
#
# The real one has some 150 operations, and its rules also run on bare arrays, which is faster.

add = operation(np.add, x=lambda g: g, y=lambda g: g)
sub = operation(np.subtract, x=lambda g: g, y=lambda g: -g)
mul = operation(np.multiply, x=lambda g, y: g * y, y=lambda g, x: g * x)
div = operation(np.divide, x=lambda g, y: g / y, y=lambda g, y, out: -g * out / y)
neg = operation(np.negative, x=lambda g: -g)
exp = operation(np.exp, x=lambda g, out: g * out)
log = operation(np.log, x=lambda g, x: g / x)
tanh = operation(np.tanh, x=lambda g, out: g * (1 - out * out))
matmul = operation(np.matmul, x=lambda g, y: g @ y.mT, y=lambda g, x: x.mT @ g)
relu = operation(lambda x: np.maximum(x, 0), x=lambda g, out: g * (out.data > 0))
pow = operation(lambda x, n: x**n, x=lambda g, x, n: g * n * x ** (n - 1 if n else 0))


# What is made of these needs no rule. It leaves several notes behind, and the chain rule does the
# rest. Only mind overflow: exp(1000) is infinite, so logsumexp takes the largest entry out first.
# This is a mere number, not a tensor: the result does not depend on it.


def mean(x: Tensor) -> Tensor:
    return sum(x) / x.data.size


def logsumexp(x: Tensor, axis: int | None = None) -> Tensor:
    largest = x.data.max(axis, keepdims=True)
    return log(sum(exp(x - largest), axis=axis)) + largest


# ---------------------------------------------------------------- 5. Moving numbers about
#
# Some operations compute nothing, but move numbers: their derivative moves gradients back. What
# was reshaped is reshaped back; what was picked by an index is put back there, among zeros.
# Numbers that were picked twice get two gradients, which add up: hence `np.add.at`, since a plain
# `out[where] = x` would keep only the last. Copying and adding up are each other's reverse.
#
# So too with *broadcasting*, where NumPy stretches a smaller array: in `matrix + row`, each number
# of the row is used once in every line of the matrix. It has reached the loss on as many paths,
# and its gradient is their sum. `unbroadcast` adds up along each axis that the smaller shape does
# not have, or has with size 1. Every rule would need this, so none does it: part 6 does, in one
# place. That is why `expand`, which is nothing but broadcasting, has the rule g.
#
# `sum` keeps the axes that it sums over, with size 1: so its result broadcasts against x again.
#
# The real one has views: a reshaped tensor shows the memory of the old one, and may be written to.


def summed_to(x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    padded = (1,) * (x.ndim - len(shape)) + shape
    axes = tuple(axis for axis, size in enumerate(padded) if size == 1)
    return x.sum(axes).reshape(shape)


def put_at(x: np.ndarray, where: Any, shape: tuple[int, ...]) -> np.ndarray:
    out = np.zeros(shape)
    np.add.at(out, where, x)
    return out


expand = operation(np.broadcast_to, x=lambda g: g)
unbroadcast = operation(summed_to, x=lambda g, x: expand(g, shape=x.shape))
transpose = operation(lambda x: x.swapaxes(-1, -2), x=lambda g: g.mT)
reshape = operation(lambda x, shape: x.reshape(shape), x=lambda g, x: reshape(g, shape=x.shape))
sum = operation(partial(np.sum, keepdims=True), x=lambda g, x: expand(g, shape=x.shape))
index = operation(
    lambda x, where: x[where],
    x=lambda g, x, where: put(g, where=where, shape=x.shape),
)
put = operation(put_at, x=lambda g, where: g[where])


# ---------------------------------------------------------------- 6. The way back
#
# A tensor that was used several times gets a part of its gradient from each use. Only when all
# parts have arrived may we pass it on: so a tensor has to wait until everything that was made of
# it is done. An order with this property is called topological, and is usually searched for.
# Ours is free. What was made of a tensor has a larger number; so if we visit the tensors by
# descending number, all that was made of it comes before it.
#
# `gradients` starts at the output, whose derivative with respect to itself is 1. A visit takes
# what has arrived and asks the rule of each edge for the part that goes on to the operand.
#
# The real one forgets gradients and saved values as soon as a visit is done, and yields after
# each, so that a debugger can show it. It starts from several outputs, of any size; hooks may look
# on; and if only some inputs are asked for, it visits only what lies between.


def reachable(output: Tensor) -> list[Tensor]:
    """All tensors that ``output`` was made of, itself included, newest first."""
    found = {output}
    waiting = [output]
    while waiting:
        for operand, _, _ in waiting.pop().grad_fn:
            if operand not in found:
                found.add(operand)
                waiting.append(operand)
    return sorted(found, key=lambda tensor: tensor.seq, reverse=True)


def gradients(output: Tensor) -> dict[Tensor, Tensor]:
    """The gradient of ``output``, one number, with respect to each tensor that it was made of."""
    assert output.data.size == 1, "only one number has a gradient: sum first"
    arrived = {output: Tensor(np.ones(output.shape))}
    for tensor in reachable(output):
        for operand, rule, saved in tensor.grad_fn:
            part = rule(arrived[tensor], **saved)
            part = unbroadcast(part, shape=operand.shape)
            arrived[operand] = arrived.get(operand, 0) + part
    return arrived


# ---------------------------------------------------------------- 7. Two ways to ask
#
# `backward` is for training. The gradients land in the leaves, where an optimiser finds them. They
# are added to what is there, so that a batch can be split into several passes; who does not want
# that sets `grad` to None first. Nobody will differentiate them, so nothing is recorded.
#
# `grad` returns the gradients and touches nothing. Its pass *is* recorded, as any program is, for
# the rules are made of recorded operations. So what it returns has notes of its own, and can be
# differentiated again, as often as you like, without one further rule.
#
# The real one records a pass only if you say `create_graph=True`, and where the output does not
# depend on an input, it says so with an error or None; we return the zeros that mathematics would.


def backward(output: Tensor) -> None:
    """Add the gradient of ``output`` to the ``grad`` of each leaf behind it."""
    with no_grad():
        for tensor, g in gradients(output).items():
            if not tensor.grad_fn:
                tensor.grad = g if tensor.grad is None else tensor.grad + g


def grad(output: Tensor, inputs: list[Tensor]) -> list[Tensor]:
    """The gradient of ``output`` with respect to each of ``inputs``.

    >>> x = Tensor(2.0, requires_grad=True)
    >>> [first] = grad(x**4, [x])
    >>> [second] = grad(first, [x])
    >>> print(first.data, second.data)
    32.0 48.0
    """
    arrived = gradients(output)
    return [arrived.get(x, Tensor(np.zeros(x.shape))) for x in inputs]


# ---------------------------------------------------------------- 8. Notation
#
# All that is missing is that one can write `a * b` for `mul(a, b)`. Python looks for `__mul__` in
# the class of a, or, where a is a plain number, for `__rmul__` in that of b. That is all there is
# to it: everything in these lines you have read above.


class Tensor(TensorBase):
    """A tensor, with the operations as operators."""

    __add__ = __radd__ = add
    __sub__ = sub
    __mul__ = __rmul__ = mul
    __truediv__ = div
    __neg__ = neg
    __matmul__ = matmul
    mT = property(transpose)
    backward = backward

    def __rsub__(self, other: Any) -> Tensor:
        return sub(other, self)

    def __rtruediv__(self, other: Any) -> Tensor:
        return div(other, self)

    def __pow__(self, exponent: float) -> Tensor:
        return pow(self, n=exponent)

    def __getitem__(self, where: Any) -> Tensor:
        return index(self, where=where)
