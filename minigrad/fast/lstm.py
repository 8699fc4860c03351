"""An LSTM's walk through a sequence as one operation.

What it buys (``python tests/benchmarks/fast.py --only lstm``): without it, 30 steps forward and
back would take 5 times as long.

The plain twin is ``step_by_step``. The operation takes the same steps on bare arrays, keeps the
gates, and walks back once for all six derivatives. Where derivatives are themselves to be
differentiated, it takes the plain steps after all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.arrays import empty, zeros
from ..engine.backward import grad
from ..engine.node import TensorBase
from ..engine.record import operation
from ..ops.activations import sigmoid
from ..ops.annotations import Array
from ..ops.elementwise.trigonometry import tanh
from ..ops.joining import stack
from ..ops.slicing import chunk


def lstm_step(gates: Any, c: Any) -> tuple[Any, Any]:
    """One step: the cell forgets some of what it held, and lets some of what is new in.

    ``gates``: the weighted sums of input and state for the four gates, side by side.
    """
    let_in, keep, new, let_out = chunk(gates, 4, -1)
    c = sigmoid(keep) * c + sigmoid(let_in) * tanh(new)
    return sigmoid(let_out) * tanh(c), c


def step_by_step(input: Any, of_input: Any, of_h: Any, bias: Any, h: Any, c: Any) -> Any:
    """All h, and behind them the last c, of a walk along ``input``, (steps, batch, width).

    ``of_input``, ``of_h``, ``bias``: the weights of the four gates, one below the other.
    """
    history = []
    for x in input.unbind(0):
        h, c = lstm_step(x @ of_input.T + h @ of_h.T + bias, c)
        history.append(h)
    return stack((*history, c))


def all_at_once(input: Any, of_input: Any, of_h: Any, bias: Any, h: Any, c: Any) -> Any:
    """``step_by_step``, as one operation."""
    return _lstm(input, of_input, of_h, bias, h, c, Walk())


NAMES = ("input", "of_input", "of_h", "bias", "h", "c")
SIGMOIDS_LAST = [2, 1, 0, 3]  # the gates as new, keep, let_in, let_out, and back again


class Walk:
    """One walk through a sequence: what it leaves behind, and the way back.

    A step's numbers lie with the batch last, so that each gate's are one block of memory.
    """

    seen: Array  # input, h before the step, and 1: (steps + 1, width + size + 1, batch)
    gates: Array  # after tanh and sigmoid, the sigmoids last: (steps, 4, size, batch)
    c: Array  # before each step, and behind the last one
    tanh_c: Array
    g: Any = None  # the gradient for which the gradients of all inputs were made last
    gradients: dict[str, Array]

    def back(self, name: str, g: Any, *inputs: Any) -> Any:
        """The gradient of the input with this name; those of all six are made at once."""
        if isinstance(g, TensorBase):
            wanted = inputs[NAMES.index(name)]
            return grad(step_by_step(*inputs), wanted, g, create_graph=True)[0]
        if self.g is not g or name not in self.gradients:
            self.g = g
            self.gradients = dict(zip(NAMES, self.walk_back(g, *inputs)))
        return self.gradients.pop(name)  # whoever gets it may write to it

    def walk_back(
        self, g: Array, input: Array, of_input: Array, of_h: Array, *_: Array
    ) -> tuple[Array, ...]:
        steps, batch, width = input.shape
        size = of_h.shape[1]
        new, keep, let_in, let_out = np.moveaxis(self.gates, 1, 0)
        c_from_h = let_out * (1 - self.tanh_c * self.tanh_c)

        # How a gate's weighted sum moves c (that of the last gate: h): the factor beside
        # the gate in ``lstm_step``, times the slope of sigmoid or tanh.
        moves = self.gates - self.gates * self.gates  # of a sigmoid s: s - s²
        moves[:, 0] += 1 - new  # of a tanh n: 1 - n², which is n - n² and 1 - n
        moves[:, 0] *= let_in
        moves[:, 1] *= self.c[:-1]
        moves[:, 2] *= new
        moves[:, 3] *= self.tanh_c

        back_to_h = gate_by_gate(of_h).T.copy()
        g_sums = moves.reshape(steps, 4 * size, batch)
        g_out = g.swapaxes(1, 2).copy()
        g_h = zeros((size, batch), input)
        g_c = g_out[-1]
        walk = zip(moves, g_sums, g_out, c_from_h, keep)
        for by_gate, all_sums, from_out, through_h, kept in reversed(list(walk)):
            g_h += from_out
            g_c = g_c + g_h * through_h
            by_gate[:3] *= g_c
            by_gate[3] *= g_h
            g_h = back_to_h.dot(all_sums)
            g_c *= kept

        g_sums = g_sums.swapaxes(0, 1).reshape(4 * size, steps * batch)
        seen = self.seen[:-1].swapaxes(0, 1).reshape(width + size + 1, steps * batch)
        return (
            g_sums.T.dot(gate_by_gate(of_input)).reshape(steps, batch, width),
            gate_by_gate(g_sums.dot(seen[:width].T)),
            gate_by_gate(g_sums.dot(seen[width:-1].T)),
            gate_by_gate(g_sums.sum(1)),
            g_h.T,
            g_c.T,
        )


def gate_by_gate(numbers: Array) -> Array:
    """The rows of the gates in the other order."""
    return numbers.reshape(4, -1)[SIGMOIDS_LAST].reshape(numbers.shape)


def rule(name: str) -> Any:
    """How the gradient of the input with this name is found."""

    def back(
        g: Any,
        input: Any,
        of_input: Any,
        of_h: Any,
        bias: Any,
        h: Any,
        c: Any,
        walk: Walk,
    ) -> Any:
        return walk.back(name, g, input, of_input, of_h, bias, h, c)

    return back


@operation(**{name: rule(name) for name in NAMES})
def _lstm(
    input: Array, of_input: Array, of_h: Array, bias: Array, h: Array, c: Array, walk: Walk
) -> Array:
    steps, batch, width = input.shape
    size = of_h.shape[1]
    seen = empty((steps + 1, width + size + 1, batch), input)
    seen[:-1, :width] = input.swapaxes(1, 2)
    seen[:, -1] = 1
    all_h = seen[:, width:-1]
    all_h[0] = h.T
    all_c = empty((steps + 1, size, batch), input)
    all_c[0] = c.T
    tanh_c = empty((steps, size, batch), input)
    sums = empty((steps, 4 * size, batch), input)
    gates = sums.reshape(steps, 4, size, batch)
    # sigmoid(x) is tanh(x / 2) / 2 + 1 / 2, so one tanh serves all four gates.
    weight = gate_by_gate(np.concatenate((of_input, of_h, bias[:, None]), 1))
    weight[size:] *= 0.5
    each_step = zip(seen, sums, gates, all_c, all_c[1:], tanh_c, all_h[1:])
    for known, total, by_gate, c, next_c, tanh_of_c, next_h in each_step:
        np.dot(weight, known, out=total)
        np.tanh(total, out=total)
        sigmoids = by_gate[1:]
        sigmoids *= 0.5
        sigmoids += 0.5
        new, keep, let_in, let_out = by_gate
        np.multiply(keep, c, out=next_c)
        next_c += let_in * new
        np.tanh(next_c, out=tanh_of_c)
        np.multiply(let_out, tanh_of_c, out=next_h)
    walk.seen, walk.gates, walk.c, walk.tanh_c = seen, gates, all_c, tanh_c
    out = empty((steps + 1, batch, size), input)
    out[:-1] = all_h[1:].swapaxes(1, 2)
    out[-1] = all_c[-1].T
    return out
