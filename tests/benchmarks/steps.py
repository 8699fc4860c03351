"""The training steps that are timed: the same program for minigrad and PyTorch, and by hand.

Each function takes a library (a module with PyTorch's names) and returns a function that does
one step: forward, backward, and the update where there is one. ``by_hand`` holds the same
steps in NumPy with derivatives worked out on paper: the floor for a library made of NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Step = Callable[[], Any]


def numbers(*shape: int, seed: int = 0, scale: float = 1.0) -> Any:
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


def scalar_chain(torch: Any) -> Step:
    """200 operations on single numbers."""
    a = torch.tensor(0.5, requires_grad=True)
    b = torch.tensor(1.1, requires_grad=True)

    def step() -> Any:
        a.grad = b.grad = None
        h = a
        for _ in range(50):
            h = h * b
            h = h + a
            h = h - b
            h = torch.tanh(h)
        h.backward()
        return a.grad

    return step


def mlp(torch: Any) -> Step:
    """Batch 64, layers 64-32-10, mean squared error, SGD."""
    x, y = torch.tensor(numbers(64, 64)), torch.tensor(numbers(64, 10, seed=1))
    w1 = torch.tensor(numbers(64, 32, seed=2, scale=0.1), requires_grad=True)
    b1 = torch.zeros(32, requires_grad=True)
    w2 = torch.tensor(numbers(32, 10, seed=3, scale=0.1), requires_grad=True)
    b2 = torch.zeros(10, requires_grad=True)
    optimiser = torch.optim.SGD([w1, b1, w2, b2], lr=0.01)

    def step() -> Any:
        optimiser.zero_grad()
        hidden = torch.tanh(x @ w1 + b1)
        loss = ((hidden @ w2 + b2 - y) ** 2).mean()
        loss.backward()
        optimiser.step()
        return w1.grad

    return step


def rnn(torch: Any) -> Step:
    """One recurrent cell, 50 times: batch 16, width 64."""
    xs = [torch.tensor(numbers(16, 64, seed=t)) for t in range(50)]
    wx = torch.tensor(numbers(64, 64, seed=100, scale=0.1), requires_grad=True)
    wh = torch.tensor(numbers(64, 64, seed=101, scale=0.1), requires_grad=True)
    b = torch.zeros(64, requires_grad=True)
    start = torch.zeros(16, 64)

    def step() -> Any:
        wx.grad = wh.grad = b.grad = None
        h = start
        for x in xs:
            h = torch.tanh(x @ wx + h @ wh + b)
        (h * h).mean().backward()
        return wh.grad

    return step


def scalar_chain_by_hand() -> Step:
    a0, b0 = np.float32(0.5), np.float32(1.1)

    def step() -> Any:
        a, b, h = a0, b0, a0
        trace = []
        for _ in range(50):
            h = np.tanh(h * b + a - b)
            trace.append(h)
        g, ga = np.float32(1), np.float32(0)
        for h in reversed(trace):
            g = g * (1 - h * h)
            ga = ga + g
            g = g * b
        return np.asarray(ga + g)

    return step


def mlp_by_hand() -> Step:
    x, y = numbers(64, 64), numbers(64, 10, seed=1)
    w1, b1 = numbers(64, 32, seed=2, scale=0.1), np.zeros(32, np.float32)
    w2, b2 = numbers(32, 10, seed=3, scale=0.1), np.zeros(10, np.float32)

    def step() -> Any:
        hidden = np.tanh(x @ w1 + b1)
        error = hidden @ w2 + b2 - y
        np.mean(error * error)
        g = error * np.float32(2 / error.size)
        g_w2, g_b2 = hidden.T @ g, g.sum(0)
        g_hidden = (g @ w2.T) * (1 - hidden * hidden)
        g_w1, g_b1 = x.T @ g_hidden, g_hidden.sum(0)
        for p, gp in ((w1, g_w1), (b1, g_b1), (w2, g_w2), (b2, g_b2)):
            p -= np.float32(0.01) * gp
        return g_w1

    return step


def rnn_by_hand() -> Step:
    xs = [numbers(16, 64, seed=t) for t in range(50)]
    wx, wh = numbers(64, 64, seed=100, scale=0.1), numbers(64, 64, seed=101, scale=0.1)
    b = np.zeros(64, np.float32)

    def step() -> Any:
        hs = [np.zeros((16, 64), np.float32)]
        for x in xs:
            hs.append(np.tanh(x @ wx + hs[-1] @ wh + b))
        g = hs[-1] * np.float32(2 / hs[-1].size)
        g_wx, g_wh, g_b = np.zeros_like(wx), np.zeros_like(wh), np.zeros_like(b)
        for x, before, h in zip(xs[::-1], hs[-2::-1], hs[:0:-1], strict=True):
            g = g * (1 - h * h)
            g_wx += x.T @ g
            g_wh += before.T @ g
            g_b += g.sum(0)
            g = g @ wh.T
        return g_wh

    return step


STEPS = {
    "200 scalar operations": (scalar_chain, scalar_chain_by_hand, 0.50),
    "MLP 64x64-32-10, SGD": (mlp, mlp_by_hand, 0.50),
    "RNN cell x 50, batch 16, width 64": (rnn, rnn_by_hand, 0.85),
}
"""Name -> (the program, the same by hand, the bound on minigrad's time in PyTorch's)."""
