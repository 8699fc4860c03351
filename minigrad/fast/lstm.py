"""An LSTM's walk through a sequence as one operation.

What it buys (``python tests/benchmarks/fast.py --only lstm``): without it, 30 steps forward and
back would take 3.9 times as long.

The plain twin is ``step_by_step``. The operation takes the same steps on bare arrays, keeps the
gates, and walks back once for all four derivatives. Where derivatives are themselves to be
differentiated, it takes the plain steps after all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..engine.arrays import empty
from ..engine.backward import grad
from ..engine.node import TensorBase
from ..engine.record import operation
from ..ops.activations import sigmoid
from ..ops.annotations import Array
from ..ops.elementwise.trigonometry import tanh
from ..ops.joining import cat, stack
from ..ops.slicing import chunk


def lstm_step(gates: Any, c: Any) -> tuple[Any, Any]:
    """One step: the cell forgets some of what it held, and lets some of what is new in.

    ``gates``: the weighted sums of input and state for the four gates, side by side.
    """
    let_in, keep, new, let_out = chunk(gates, 4, -1)
    c = sigmoid(keep) * c + sigmoid(let_in) * tanh(new)
    return sigmoid(let_out) * tanh(c), c


def step_by_step(input: Any, weight: Any, h: Any, c: Any) -> Any:
    """All h and c, side by side, for all steps of ``input``, which is (steps, batch, 4 * size).

    ``input``: the weighted sums of what comes in, biases included. ``weight``: that of the state.
    """
    history = []
    for x in input.unbind(0):
        h, c = lstm_step(x + h @ weight.T, c)
        history.append(cat((h, c), -1))
    return stack(history)


def all_at_once(input: Any, weight: Any, h: Any, c: Any) -> Any:
    """``step_by_step``, as one operation."""
    return _lstm(input, weight, h, c, Walk())


NAMES = ("input", "weight", "h", "c")


class Walk:
    """One walk through a sequence: what it leaves behind, and the way back."""

    gates: Array  # after sigmoid and tanh, (steps, batch, 4 * size)
    g: Any = None  # the gradient for which the gradients of all inputs were made last
    gradients: dict[str, Array]

    def back(self, name: str, g: Any, out: Any, *inputs: Any) -> Any:
        """The gradient of the input with this name; those of all four are made at once."""
        if isinstance(g, TensorBase):
            wanted = inputs[NAMES.index(name)]
            return grad(step_by_step(*inputs), wanted, g, create_graph=True)[0]
        if self.g is not g or name not in self.gradients:
            self.g = g
            self.gradients = dict(zip(NAMES, self.walk_back(g, out, *inputs)))
        return self.gradients.pop(name)  # whoever gets it may write to it

    def walk_back(
        self, g: Array, out: Array, input: Array, weight: Array, h: Array, c: Array
    ) -> tuple[Array, Array, Array, Array]:
        size = h.shape[-1]
        shape = (*input.shape[:2], 4, size)
        gates = self.gates.reshape(shape)
        let_in, keep, new, let_out = np.moveaxis(gates, 2, 0)
        all_h = out[:, :, :size]
        all_c = out[:, :, size:]
        tanh_c = np.tanh(all_c)
        c_from_h = let_out * (1 - tanh_c * tanh_c)

        # How a gate's weighted sum moves c (that of the last gate: h): the factor beside the gate
        # in ``lstm_step``, times the slope of sigmoid or tanh.
        moves = empty(shape, input)
        moves[:, :, 0] = new
        moves[0, :, 1] = c
        moves[1:, :, 1] = all_c[:-1]
        moves[:, :, 2] = let_in
        moves[:, :, 3] = tanh_c
        slopes = gates - gates * gates  # of a sigmoid s: s - s²
        slopes[:, :, 2] += 1 - new  # of a tanh n: 1 - n², which is n - n² and 1 - n
        moves *= slopes

        g_input = empty(shape, input)
        g_h = g_c = np.zeros((), input.dtype)
        for t in reversed(range(len(g))):
            g_h = g_h + g[t, :, :size]
            g_c = g_c + g[t, :, size:]
            g_c += g_h * c_from_h[t]
            np.multiply(moves[t], g_c[:, None], out=g_input[t])
            np.multiply(moves[t, :, 3], g_h, out=g_input[t, :, 3])
            g_h = g_input[t].reshape(len(g_h), 4 * size).dot(weight)
            g_c *= keep[t]
        g_input = g_input.reshape(input.shape)
        h_before = np.concatenate((h[None], all_h[:-1]))
        g_weight = g_input.reshape(-1, 4 * size).T.dot(h_before.reshape(-1, size))
        return g_input, g_weight, g_h, g_c


@operation(
    input=lambda g, out, input, weight, h, c, walk: walk.back("input", g, out, input, weight, h, c),
    weight=lambda g, out, input, weight, h, c, walk: walk.back(
        "weight", g, out, input, weight, h, c
    ),
    h=lambda g, out, input, weight, h, c, walk: walk.back("h", g, out, input, weight, h, c),
    c=lambda g, out, input, weight, h, c, walk: walk.back("c", g, out, input, weight, h, c),
)
def _lstm(input: Array, weight: Array, h: Array, c: Array, walk: Walk) -> Array:
    steps, batch, width = input.shape
    size = width // 4
    # sigmoid(x) is tanh(x / 2) / 2 + 1 / 2, so one tanh serves all four gates.
    half = np.full(width, 0.5, input.dtype)
    half[2 * size : 3 * size] = 1
    rest = 1 - half
    weight = (weight * half[:, None]).T
    walk.gates = np.multiply(input, half, order="C")
    out = empty((steps, batch, 2 * size), input)
    for gates, now in zip(walk.gates, out):
        gates += h.dot(weight)
        np.tanh(gates, out=gates)
        gates *= half
        gates += rest
        let_in, keep, new, let_out = gates.reshape(batch, 4, size).swapaxes(0, 1)
        c = np.multiply(keep, c, out=now[:, size:])
        c += let_in * new
        h = np.tanh(c, out=now[:, :size])
        h *= let_out
    return out
