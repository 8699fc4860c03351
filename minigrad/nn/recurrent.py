"""Layers that go through a sequence step by step, and carry a state along.

A layer is its cell's step, taken for each element. What the inputs contribute is worked out for
all steps at once: only the state has to wait.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

from .._tensor import Tensor
from ..compat.arguments import ensure
from ..fast.lstm import all_at_once, lstm_step
from ..ops.activations import relu, sigmoid
from ..ops.creation import zeros
from ..ops.elementwise.trigonometry import tanh
from ..ops.joining import cat, stack
from ..ops.rearranging import flip
from ..ops.slicing import chunk
from ..tape.scope import passes
from . import functional as F
from . import init
from .layers import add_unset
from .linear import linear
from .module import Module

NONLINEARITIES = {"tanh": tanh, "relu": relu}
NAMES = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def rnn_step(layer: Any, x: Tensor, h: Tensor, state: Tensor) -> Tensor:
    """A new state: the sum of both weighted sums, and of it the layer's nonlinearity."""
    ensure(layer.nonlinearity in NONLINEARITIES, "Unknown nonlinearity: {}", layer.nonlinearity)
    return NONLINEARITIES[layer.nonlinearity](x + h)


def gru_step(x: Tensor, h: Tensor, state: Tensor) -> Tensor:
    """A new state: old and proposed state mixed.

    ``x``, ``h``: the weighted sums of input and of state, for two gates and the proposal.
    """
    x_reset, x_stay, x_new = chunk(x, 3, -1)
    h_reset, h_stay, h_new = chunk(h, 3, -1)
    new = tanh(x_new + sigmoid(x_reset + h_reset) * h_new)
    return new + sigmoid(x_stay + h_stay) * (state - new)


class Stateful(Module):
    """What layers and cells have in common: weights for the input, and weights for the state."""

    sums: int  # how many weighted sums each unit takes
    _in_repr = ("input_size", "hidden_size")
    _in_repr_if: Any = (("bias", True),)
    _step: Any  # makes the next state of those of input and state, and of the state

    def _weights(self, width: int, suffix: str, device: Any, dtype: Any) -> None:
        sums = self.sums * self.hidden_size
        shapes = (sums, width), (sums, self.hidden_size), (sums,), (sums,)
        for name, shape in zip(NAMES, shapes):
            add_unset(self, name + suffix, self.bias or len(shape) == 2, shape, device, dtype)

    def _of(self, suffix: str = "") -> list[Any]:
        """Both weights and both biases."""
        return [getattr(self, name + suffix) for name in NAMES]

    def reset_parameters(self) -> None:
        """Draw all weights anew, evenly within 1 / sqrt(hidden_size)."""
        bound = 1 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)


class Recurrent(Stateful):
    """What ``RNN``, ``LSTM`` and ``GRU`` have in common: layers, directions, the walk."""

    states = 1  # how many tensors are carried along
    _in_repr_if = (
        ("num_layers", 1),
        ("bias", True),
        ("batch_first", False),
        ("dropout", 0.0),
        ("bidirectional", False),
    )

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        for name in ("input_size", "hidden_size", "num_layers"):
            ensure(getattr(self, name) > 0, "{} must be greater than zero", name, error=ValueError)
        text = "dropout should be a number in range [0, 1] representing the probability of a zero"
        ensure(0 <= dropout <= 1, text, error=ValueError)
        if dropout and num_layers == 1:
            text = "dropout option adds dropout after all but last recurrent layer, so non-zero "
            text += f"dropout expects num_layers greater than 1, but got dropout={dropout}"
            warnings.warn(text, stacklevel=3)
        self._ways = ("", "_reverse")[: 1 + bidirectional]
        for layer in range(num_layers):
            width = hidden_size * len(self._ways) if layer else input_size
            for way in self._ways:
                self._weights(width, f"_l{layer}{way}", device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor, hx: Any = None) -> tuple[Tensor, Any]:
        text = "{}: Expected input to be 2D or 3D, got {}D instead"
        ensure(input.ndim in (2, 3), text, type(self).__name__, input.ndim, error=ValueError)
        batched = input.ndim == 3
        states: Any = ()
        if hx is not None:
            states = hx if self.states == 2 else (hx,)
        for state in states:
            text = "For {0} {1}-D input, {2} should also be {1}-D but got {3}-D tensor"
            kind = "batched" if batched else "unbatched"
            what = "hx and cx" if self.states == 2 else "hx"
            ensure(state.ndim == input.ndim, text, kind, input.ndim, what, state.ndim)
        if not batched:
            input = input.unsqueeze(1)
            states = [state.unsqueeze(1) for state in states]
        elif self.batch_first:
            input = input.transpose(0, 1)
        out, finals = self._walk(input, self._checked(input, states))
        if not batched:
            out = out.squeeze(1)
            finals = tuple(state.squeeze(1) for state in finals)
        elif self.batch_first:
            out = out.transpose(0, 1)
        return out, finals if self.states == 2 else finals[0]

    def _checked(self, x: Tensor, given: Sequence[Tensor]) -> Sequence[Tensor]:
        """The states to start from: those given, or zeros."""
        dtype = self.weight_ih_l0.dtype
        text = "RNN input dtype ({0}) does not match weight dtype ({1}). Convert: input.to({1})"
        ensure(x.dtype is dtype, text, x.dtype, dtype, error=ValueError)
        text = "input.size(-1) must be equal to input_size. Expected {}, got {}"
        ensure(x.shape[2] == self.input_size, text, self.input_size, x.shape[2])
        ensure(len(x), "Expected sequence length to be larger than 0 in RNN")
        shape = (self.num_layers * len(self._ways), x.shape[1], self.hidden_size)
        for number, state in enumerate(given):
            which = f"hidden[{number}]" if self.states == 2 else "hidden"
            text = "Expected {} size {}, got {}"
            ensure(state.shape == shape, text, which, shape, list(state.shape))
        return given or (zeros(shape, dtype=dtype),) * self.states

    def _walk(self, x: Tensor, starts: Sequence[Tensor]) -> tuple[Tensor, tuple[Tensor, ...]]:
        """All layers, each in its direction or in both: the last outputs, and the final states."""
        finals: list[Any] = []
        for layer in range(self.num_layers):
            x = F.dropout(x, self.dropout, self.training and layer > 0)
            outs = []
            for way in self._ways:
                weights = self._of(f"_l{layer}{way}")
                states = [start[len(finals)] for start in starts]
                if way:
                    out, final = self._layer(flip(x, 0), weights, states)
                    out = flip(out, 0)
                else:
                    out, final = self._layer(x, weights, states)
                outs.append(out)
                finals.append(final)
            x = cat(outs, -1) if self.bidirectional else out
        return x, tuple(map(stack, zip(*finals)))

    def _layer(
        self, x: Tensor, weights: Sequence[Any], states: Sequence[Tensor]
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """One layer in one direction: all states, and the final one."""
        weight_ih, weight_hh, bias_ih, bias_hh = weights
        (state,) = states
        history = []
        for step in passes(linear(x, weight_ih, bias_ih).unbind(0)):
            state = self._step(step, linear(state, weight_hh, bias_hh), state)
            history.append(state)
        return stack(history), (state,)

    @property
    def all_weights(self) -> list[list[Any]]:
        """The weights and biases of each layer and direction: a list for each."""
        layers = [f"_l{layer}{way}" for layer in range(self.num_layers) for way in self._ways]
        return [[w for w in self._of(suffix) if w is not None] for suffix in layers]

    def flatten_parameters(self) -> None:
        """Does nothing: it is for GPUs."""


class RNN(Recurrent):
    """h = tanh(W_ih x + b_ih + W_hh h + b_hh) for each x of a sequence, or relu of that.

    Takes input of shape (steps, batch, input_size), with ``batch_first`` (batch, steps, ...), or
    without batch; and, if they are not to be zeros, the states to start from, (num_layers, batch,
    hidden_size). Returns the states of the last layer at all steps, and of all layers at the last
    step. ``bidirectional``: another such layer goes backwards, and both results stand side by
    side. ``dropout``: between layers. Counterpart: ``torch.nn.RNN``.

    >>> import minigrad as torch
    >>> layer = torch.nn.RNN(input_size=3, hidden_size=4, num_layers=2)
    >>> out, h = layer(torch.zeros(7, 5, 3))
    >>> out.shape, h.shape
    (torch.Size([7, 5, 4]), torch.Size([2, 5, 4]))
    """

    sums = 1
    _step = rnn_step

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        text = "Unknown nonlinearity '{}'. Select from 'tanh' or 'relu'."
        ensure(nonlinearity in NONLINEARITIES, text, nonlinearity, error=ValueError)
        self.nonlinearity = nonlinearity
        options = bias, batch_first, dropout, bidirectional, device, dtype
        super().__init__(input_size, hidden_size, num_layers, *options)


class GRU(Recurrent):
    """As ``RNN``, but gates say how much of the state is kept: ``gru_step``.

    Counterpart: ``torch.nn.GRU``.

    >>> import minigrad as torch
    >>> out, h = torch.nn.GRU(input_size=3, hidden_size=4, batch_first=True)(torch.zeros(5, 7, 3))
    >>> out.shape, h.shape
    (torch.Size([5, 7, 4]), torch.Size([1, 5, 4]))
    """

    sums = 3
    _step = staticmethod(gru_step)


class LSTM(Recurrent):
    """As ``RNN``, with a second state c, which gates protect.

    With weighted sums of x and h for each of four gates, c = sigmoid(keep) * c +
    sigmoid(let_in) * tanh(new), and then h = sigmoid(let_out) * tanh(c).

    What it takes and returns beside the sequence is a pair (h, c). There is no ``proj_size``.
    Counterpart: ``torch.nn.LSTM``.

    >>> import minigrad as torch
    >>> layer = torch.nn.LSTM(input_size=3, hidden_size=4, batch_first=True)
    >>> out, (h, c) = layer(torch.zeros(5, 7, 3))
    >>> out.shape, h.shape, c.shape
    (torch.Size([5, 7, 4]), torch.Size([1, 5, 4]), torch.Size([1, 5, 4]))
    """

    sums = 4
    states = 2

    def _layer(
        self, x: Tensor, weights: Sequence[Any], states: Sequence[Tensor]
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        weight_ih, weight_hh, bias_ih, bias_hh = weights
        bias = zeros(len(weight_hh), dtype=x.dtype) if bias_ih is None else bias_ih + bias_hh
        # lstm_step for each x, the same as step_by_step: see fast/lstm.py
        history = all_at_once(x, weight_ih, weight_hh, bias, *states)
        out, c = history[:-1], history[-1]
        return out, (out[-1], c)


# ---------------------------------------------------------------------------------------- cells


class Cell(Stateful):
    """What ``RNNCell``, ``LSTMCell`` and ``GRUCell`` have in common: one step, by itself."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        self._weights(input_size, "", device, dtype)
        self.reset_parameters()

    def _sums(self, input: Tensor, h: Tensor) -> tuple[Tensor, Tensor]:
        """The weighted sums of the input, and of the state, which is zeros if there is none."""
        text = "{}: Expected input to be 1D or 2D, got {}D instead"
        ensure(input.ndim in (1, 2), text, type(self).__name__, input.ndim, error=ValueError)
        weight_ih, weight_hh, bias_ih, bias_hh = self._of()
        return linear(input, weight_ih, bias_ih), linear(h, weight_hh, bias_hh)

    def _start(self, input: Tensor) -> Tensor:
        return zeros((*input.shape[:-1], self.hidden_size), dtype=input.dtype)

    def forward(self, input: Tensor, hx: Any = None) -> Tensor:
        state = self._start(input) if hx is None else hx
        return self._step(*self._sums(input, state), state)


class RNNCell(Cell):
    """One step of ``RNN``: takes (batch, input_size) and a state, returns the next.

    Counterpart: ``torch.nn.RNNCell``.

    >>> import minigrad as torch
    >>> torch.nn.RNNCell(3, 4)(torch.zeros(5, 3)).shape
    torch.Size([5, 4])
    """

    sums = 1
    _step = rnn_step
    _in_repr_if = (("bias", True), ("nonlinearity", "tanh"))

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity


class GRUCell(Cell):
    """One step of ``GRU``. Counterpart: ``torch.nn.GRUCell``.

    >>> import minigrad as torch
    >>> torch.nn.GRUCell(3, 4)(torch.zeros(5, 3)).shape
    torch.Size([5, 4])
    """

    sums = 3
    _step = staticmethod(gru_step)


class LSTMCell(Cell):
    """One step of ``LSTM``: takes (batch, input_size) and a pair (h, c), returns the next pair.

    Counterpart: ``torch.nn.LSTMCell``.

    >>> import minigrad as torch
    >>> h, c = torch.nn.LSTMCell(3, 4)(torch.zeros(5, 3))
    >>> h.shape, c.shape
    (torch.Size([5, 4]), torch.Size([5, 4]))
    """

    sums = 4

    def forward(self, input: Tensor, hx: Any = None) -> Any:
        if hx is None:
            zero = self._start(input)
            hx = zero, zero
        h, c = hx
        of_input, of_state = self._sums(input, h)
        return lstm_step(of_input + of_state, c)
