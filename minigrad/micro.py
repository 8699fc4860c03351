"""The whole idea of define-by-run autograd in 120 lines, to be read from top to bottom.

Training means turning many knobs, the parameters, so that one number, the loss, goes
down. Which way to turn them is what the derivatives of the loss say. This file computes
them, for every program that is made of the operations below:

    >>> a = Tensor([2.0], requires_grad=True)
    >>> b = Tensor([6.0], requires_grad=True)
    >>> c = a + b
    >>> d = b + 1
    >>> e = c * d
    >>> e.backward()
    >>> print(a.grad.data, b.grad.data)
    [7.] [15.]

The *gradient* of e with respect to a says how e changes when a changes a little: 7 times
as much. If a held many numbers, its gradient would hold as many, a derivative for each.

*Define-by-run* says how it is done. Nobody describes the computation beforehand. The
program simply runs, on real numbers, and each operation leaves a *node* behind, which
says what it was and on what it worked. Together the nodes form a graph. Branches and
loops need no care: what did not run has left no node.

Then we walk back through the graph. An operation knows only its own derivative; the
chain rule joins them. It says: multiply along a path, and add up over paths. When c
changes, e = c * d changes d = 7 times as much; when d changes, c = 8 times as much. Now
a reaches e on one path, through c: that makes 7. And b reaches e on two paths, through
c and through d: 7 + 8 = 15.

What is called "the real one", at the end of most parts, is minigrad's engine. Skip these
lines at first; docs/reading.md leads from here to there.
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
# A tensor is an array, `data`, with a memory. `requires_grad` says that somebody wants
# a gradient with respect to it, or to something that it was made of. `grad_fn` is the
# node of the operation that made it: here simply a list with one entry, an *edge*, for
# each operand through which a gradient has to go.
#
# A parameter requires a gradient, but no operation has made it, so its list is empty:
# it is a *leaf* of the graph. Leaves are what one asks about; they, and no others, get
# a `grad`.
#
# `seq` numbers the tensors as they are made. An operation can only work on what exists
# already. So **every operand has a smaller number than the result**. All of part 7
# rests on this.
#
# The real one numbers the nodes, and its edges lead from node to node, not to tensors:
# so a value that no derivative needs is freed while the program is still running. It
# also has other dtypes than float64.

numbers = count()


class TensorBase:
    """What a tensor is. Its operators stand for operations, so they follow in part 9."""

    def __init__(self, data: Any, requires_grad: bool = False) -> None:
        self.data = np.asarray(data, dtype=float)
        self.shape = self.data.shape
        self.requires_grad = requires_grad
        self.grad: Any = None
        self.grad_fn: list[Any] = []
        self.seq = next(numbers)


# ---------------------------------------------------------------- 2. When nothing is recorded
#
# Nodes cost memory, since they hold on to the values that derivatives will need. If you
# only want values, to measure an accuracy for instance, you switch recording off for a
# while. At the end of the block what was on before comes back, also after an error: so
# a block may stand in another.
#
# The real one has a switch for each thread, and knows what a generator needs.

recording = True


@contextmanager
def no_grad() -> Iterator[None]:
    """Inside a ``with no_grad():`` block, operations leave no nodes.

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
# An operation is declared as a NumPy function and, for each operand, a derivative rule:
#
#     mul = operation(np.multiply, x=lambda g, y: g * y, y=lambda g, x: g * x)
#
# Read it so. Somewhere at the end of the program stands the loss. The walk back comes
# to this multiplication with `g`, the gradient of the loss with respect to the product,
# and asks for the one with respect to x. When x changes, the product changes y times as
# much. So the answer is g * y.
#
# This rule is a function of g and y, and that tells us what has to be kept until it is
# called: y. **The names of a rule's parameters say what is saved.** They may be
# operands, `out` (the result), or options, such as an index, which have no derivative.
# The rules of an addition name nothing but g; so it saves nothing.
#
# `run` is what happens at each call. It computes the result. Then, for each operand
# that requires a gradient, it saves what the rule names, and adds an edge to the node:
# the operand, the rule, and what is saved. A result with an edge requires a gradient
# itself. Operands are given by position, options by name.
#
# The real one does the same in less time, and checks what it is given. It notices when
# somebody overwrites a saved value; here the gradient would be wrong. It saves `out` as
# a bare array; here the node of a result holds that result, a circle that only the
# garbage collector can free.


def operation(forward: Callable, **rules: Callable) -> Callable[..., Tensor]:
    """Turn a function of arrays into an operation on tensors, given a rule for each operand.

    >>> cube = operation(lambda x: x**3, x=lambda g, x: 3 * g * x * x)
    >>> x = Tensor(2.0, requires_grad=True)
    >>> y = cube(x)
    >>> [(operand, rule, saved)] = y.grad_fn  # one edge
    >>> operand is x, list(saved)
    (True, ['x'])
    >>> y.backward()
    >>> print(x.grad.data)
    12.0
    """
    needs = [list(signature(rule).parameters)[1:] for rule in rules.values()]  # all but g

    def run(*operands: Any, **options: Any) -> Tensor:
        tensors = [as_tensor(operand) for operand in operands]
        arrays = [tensor.data for tensor in tensors]
        out = Tensor(forward(*arrays, **options))
        values = dict(zip(rules, tensors), **options, out=out)
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
# Now the calculus looks as it does in a textbook: a table. Each rule is a derivative
# that you know, times g. In `div`, out / y is x / y**2. Three more lines want a second
# look.
#
# - The gradients of a matrix product are matrix products with the other factor
#   transposed (`mT` swaps the last two axes). The shapes leave no other choice.
# - relu has a corner at 0, where we choose the slope 0, as is usual. `out.data > 0` is a
#   bare array of slopes, 0 or 1: a constant.
# - The slope of x**n is n * x**(n - 1). But for n = 0 that would be 0 * x**-1, which is
#   NaN where x is 0; so there we leave the exponent as it is.
#
# Note what the rules are made of: operations on *tensors*, those of this very file. A
# rule is a program like any other, and can itself be recorded. Part 8 lives on that.
#
# The real one has more operations, also on vectors. Its rules work on bare arrays where
# the way back need not be recorded, which is faster.

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


# ---------------------------------------------------------------- 5. Moving numbers about
#
# Some operations compute nothing, but move numbers. Their rules move gradients back.
# What was reshaped is reshaped back; what was picked by an index is put back there,
# among zeros. A number that was picked twice gets two gradients, and they add up: hence
# `np.add.at`, for with `out[where] = x` the last would overwrite the others. Copying
# forwards is adding up backwards.
#
# So it is with *broadcasting*, by which NumPy stretches the smaller array. In `matrix +
# row`, a number of the row is added in every line of the matrix. It reaches the loss on
# as many paths, and its gradient is the sum over these. `unbroadcast` takes it: over
# each axis that the smaller shape does not have, or has with size 1. Every rule would
# have to end with that; so none does, and part 7 does it for all. That is why `expand`,
# which does nothing but broadcast, has the simplest of rules.
#
# `sum` keeps the axes that it sums over, with size 1, so that the result can be
# broadcast against x again. (`partial` makes a function with an argument already filled
# in. `sum`, like `pow` above, is ours from here on, not Python's.)
#
# The real one has views: a reshaped tensor shows the same memory as the old one, and
# either may be written to.


def summed_to(x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    # Like NumPy, take a missing axis for one of size 1: beside (2, 3), (3,) means (1, 3).
    padded = (1,) * (x.ndim - len(shape)) + shape
    # An axis that has size 1 in x as well was not stretched; there the sum changes nothing.
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


# ---------------------------------------------------------------- 6. What needs no rule
#
# A function made of operations leaves their nodes behind, and the chain rule does the
# rest. So most functions are simply written down. Only the size of numbers needs care:
# exp(1000) is infinite. logsumexp, the logarithm of a sum of exponentials, therefore
# subtracts the largest entry first, and adds it again at the end. Its value does not
# depend on what was subtracted; so `largest` may be a bare array, a constant.


def mean(x: Tensor) -> Tensor:
    return sum(x) / x.data.size


def logsumexp(x: Tensor, axis: int | None = None) -> Tensor:
    largest = x.data.max(axis, keepdims=True)
    return log(sum(exp(x - largest), axis=axis)) + largest


# ---------------------------------------------------------------- 7. The way back
#
# A tensor that was used several times gets a part of its gradient from each use. Only
# when all the parts have arrived may their sum go on to its operands. So every tensor
# has to wait for all that was made of it. An order in which this holds is called
# topological, and in general has to be searched for. Ours is free: what was made of a
# tensor has a larger number. So we visit the tensors by descending number.
#
# `gradients` starts at the output, whose gradient with respect to itself is 1. A visit
# takes what has arrived, and asks the rule of each edge for the part that goes on to
# the operand.
#
# The real one drops gradients and saved values as soon as a visit is over. It stops
# after each, for whoever wants to look on. It can start from several outputs of any
# size; and if only some inputs are asked for, it visits only what lies between.


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
    """The gradient of one number with respect to each tensor that it was made of."""
    assert output.data.size == 1, "a gradient is that of one number: take a sum first"
    arrived = {output: Tensor(np.ones(output.shape))}
    for tensor in reachable(output):
        for operand, rule, saved in tensor.grad_fn:
            part = rule(arrived[tensor], **saved)
            part = unbroadcast(part, shape=operand.shape)
            arrived[operand] = arrived.get(operand, 0) + part  # a sum over paths
    return arrived


# ---------------------------------------------------------------- 8. Two ways to ask
#
# `backward` is for training. The gradients land in the leaves, where the training loop
# finds them. They are *added* to what is there, so that a batch can be worked through
# in several parts; before the next batch, set `grad` to None. Nobody is going to
# differentiate them, so no nodes are made.
#
# `grad` returns the gradients and touches nothing. And it *is* recorded, as any program
# is: the rules, being made of operations, leave nodes. So what it returns can be
# differentiated again, and again, without one further rule.
#
# The real one records such a pass only if you say `create_graph=True`. Where the output
# does not depend on an input, it answers with an error or None; here we return zeros.


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


# ---------------------------------------------------------------- 9. Notation
#
# It remains to write `a * b` for `mul(a, b)`. Python looks for `__mul__` in the class
# of a, or, where a is a plain number, for `__rmul__` in the class of b. A function in
# the body of a class is a method, so that `e.backward()` is `backward(e)`; and a
# property is called without brackets: `x.mT`.
#
# That is all. To see that you have it, add the sine to the table, and differentiate it
# twice.


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
