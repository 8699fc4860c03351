"""The training steps of ``steps.py`` once more, as one writes them for ``jax.jit``.

Each function takes ``jax`` and returns a function that does one step and gives the same gradient as
its twin there. What changes in a step, the parameters, goes in and comes out: a function for
``jit`` writes to nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from steps import LARGE, MIDDLE, SMALL, Step, mlp_arrays, numbers


def differentiated(jax: Any, loss: Callable[..., Any], shown: int, *arrays: Any) -> Step:
    """A step that gives one gradient of a loss, and updates nothing."""
    gradients = jax.jit(jax.grad(loss, tuple(range(len(arrays)))))
    given = tuple(map(jax.numpy.asarray, arrays))
    return lambda: jax.block_until_ready(gradients(*given))[shown]


def trained(jax: Any, loss: Callable[..., Any], parameters: Any, rate: float = 0.01) -> Step:
    """A step of SGD, which gives the gradient of the first parameter."""

    @jax.jit
    def descend(parameters: Any) -> Any:
        gradients = jax.grad(loss)(parameters)
        moved = [p - rate * g for p, g in zip(parameters, gradients)]
        return moved, gradients[0]

    now = [list(map(jax.numpy.asarray, parameters))]

    def step() -> Any:
        now[0], gradient = jax.block_until_ready(descend(now[0]))
        return gradient

    return step


def scalar_chain(jax: Any) -> Step:
    def loss(a: Any, b: Any) -> Any:
        h = a
        for _ in range(50):
            h = jax.numpy.tanh(h * b + a - b)
        return h

    return differentiated(jax, loss, 0, np.float32(0.5), np.float32(1.1))


def mlp(*sizes: int) -> Callable[[Any], Step]:
    def program(jax: Any) -> Step:
        x, y, *parameters = mlp_arrays(*sizes)

        def loss(parameters: Any) -> Any:
            w1, b1, w2, b2 = parameters
            return ((jax.numpy.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2).mean()

        return trained(jax, loss, parameters)

    return program


def arithmetic(jax: Any) -> Step:
    def loss(x: Any, w: Any) -> Any:
        h = x
        for _ in range(5):
            h = jax.numpy.tanh(h * w)
        return h.sum()

    return differentiated(jax, loss, 1, numbers(1_000_000), numbers(1_000_000, seed=1))


def rnn(jax: Any) -> Step:
    xs = np.stack([numbers(16, 64, seed=t) for t in range(50)])
    weights = (numbers(64, 64, seed=seed, scale=0.1) for seed in (100, 101))

    def loss(wx: Any, wh: Any, b: Any) -> Any:
        def walk(h: Any, x: Any) -> Any:
            return jax.numpy.tanh(x @ wx + h @ wh + b), None

        h, _ = jax.lax.scan(walk, np.zeros((16, 64), np.float32), xs)
        return (h * h).mean()

    return differentiated(jax, loss, 1, *weights, np.zeros(64, np.float32))


def convolution(jax: Any) -> Step:
    shapes = [(6, 1, 5, 5), (16, 6, 5, 5), (120, 400), (84, 120), (10, 84)]
    parameters: list[Any] = []
    for seed, shape in enumerate(shapes):
        parameters.append(numbers(*shape, seed=seed, scale=float(np.prod(shape[1:])) ** -0.5))
    parameters += [np.zeros(shape[0], np.float32) for shape in shapes]
    images, classes = numbers(32, 1, 28, 28, seed=9), np.arange(32) % 10

    def pooled(h: Any) -> Any:
        window = (1, 1, 2, 2)
        return jax.lax.reduce_window(h, -np.inf, jax.lax.max, window, window, "VALID")

    def convolved(h: Any, weight: Any, bias: Any, padding: int) -> Any:
        around = [(padding, padding)] * 2
        h = jax.lax.conv_general_dilated(h, weight, (1, 1), around)
        return pooled(jax.nn.relu(h + bias[:, None, None]))

    def loss(parameters: Any) -> Any:
        w, b = parameters[:5], parameters[5:]
        h = convolved(convolved(images, w[0], b[0], 2), w[1], b[1], 0).reshape(32, -1)
        h = jax.nn.relu(h @ w[2].T + b[2])
        h = jax.nn.relu(h @ w[3].T + b[3])
        return cross_entropy(jax, h @ w[4].T + b[4], classes)

    return trained(jax, loss, parameters)


def cross_entropy(jax: Any, scores: Any, classes: Any) -> Any:
    return -jax.nn.log_softmax(scores)[np.arange(len(classes)), classes].mean()


def transformer(jax: Any) -> Step:
    batch, length, width, heads = 4, 32, 64, 4
    x = numbers(batch, length, width)
    shapes = [(3 * width, width), (width, width), (4 * width, width), (width, 4 * width)]
    weights = [numbers(*shape, seed=i, scale=shape[1] ** -0.5) for i, shape in enumerate(shapes)]
    biases = [np.zeros(shape[0], np.float32) for shape in shapes]
    norms = [np.ones(width, np.float32)] * 2 + [np.zeros(width, np.float32)] * 2
    future = np.triu(np.ones((length, length), bool), 1)

    def normalized(h: Any, gain: Any, shift: Any) -> Any:
        h = h - h.mean(-1, keepdims=True)
        return h / jax.numpy.sqrt((h * h).mean(-1, keepdims=True) + 1e-5) * gain + shift

    def split(h: Any) -> Any:
        return h.reshape(batch, length, heads, width // heads).swapaxes(1, 2)

    def loss(*parameters: Any) -> Any:
        qkv, out, up, down = zip(parameters[:4], parameters[4:8])
        gains, shifts = parameters[8:10], parameters[10:]
        h = normalized(x, gains[0], shifts[0])
        q, k, v = map(split, jax.numpy.split(h @ qkv[0].T + qkv[1], 3, -1))
        scores = q @ k.swapaxes(-2, -1) / (width // heads) ** 0.5
        weights = jax.nn.softmax(jax.numpy.where(future, -1e9, scores))
        mixed = (weights @ v).swapaxes(1, 2).reshape(batch, length, width)
        y = x + mixed @ out[0].T + out[1]
        h = normalized(y, gains[1], shifts[1])
        h = jax.nn.gelu(h @ up[0].T + up[1], approximate=False)
        y = y + h @ down[0].T + down[1]
        return (y * y).mean()

    return differentiated(jax, loss, 0, *weights, *biases, *norms)


def classifier(jax: Any) -> Step:
    """With Adam as in its paper, arXiv:1412.6980."""
    draw = np.random.default_rng(0)
    shapes = [(32, 64), (32,), (10, 32), (10,)]
    start = [draw.uniform(-0.1, 0.1, shape).astype(np.float32) for shape in shapes]
    x, y = numbers(32, 64), np.arange(32) % 10

    def loss(parameters: Any) -> Any:
        w1, b1, w2, b2 = parameters
        return cross_entropy(jax, jax.numpy.tanh(x @ w1.T + b1) @ w2.T + b2, y)

    @jax.jit
    def adam(state: Any) -> Any:
        parameters, means, squares, steps = state
        steps = steps + 1
        gradients = jax.grad(loss)(parameters)
        means = [0.9 * m + 0.1 * g for m, g in zip(means, gradients)]
        squares = [0.999 * s + 0.001 * g * g for s, g in zip(squares, gradients)]
        first, second = 1 - 0.9**steps, 1 - 0.999**steps
        moved = [
            p - 0.001 * (m / first) / (jax.numpy.sqrt(s / second) + 1e-8)
            for p, m, s in zip(parameters, means, squares)
        ]
        return (moved, means, squares, steps), gradients[0]

    zeros = [np.zeros(shape, np.float32) for shape in shapes]
    now = [jax.tree.map(jax.numpy.asarray, (start, zeros, zeros, np.float32(0)))]

    def step() -> Any:
        now[0], gradient = jax.block_until_ready(adam(now[0]))
        return gradient

    return step


def lstm(jax: Any) -> Step:
    draw = np.random.default_rng(0)
    shapes = [(128, 32), (128, 16), (128,), (128,)]
    parameters = [draw.uniform(-0.17, 0.17, shape).astype(np.float32) for shape in shapes]
    xs = numbers(30, 8, 16)

    def loss(of_h: Any, of_x: Any, bias_x: Any, bias_h: Any) -> Any:
        def walk(state: Any, x: Any) -> Any:
            h, c = state
            sums = x @ of_x.T + h @ of_h.T + bias_x + bias_h
            let_in, keep, new, let_out = jax.numpy.split(sums, 4, -1)
            c = jax.nn.sigmoid(keep) * c + jax.nn.sigmoid(let_in) * jax.numpy.tanh(new)
            h = jax.nn.sigmoid(let_out) * jax.numpy.tanh(c)
            return (h, c), h

        start = np.zeros((8, 32), np.float32)
        _, hs = jax.lax.scan(walk, (start, start), xs)
        return (hs * hs).mean()

    return differentiated(jax, loss, 0, *parameters)


STEPS = {
    "200 scalar operations": scalar_chain,
    "MLP 64x64-32-10, SGD": mlp(*SMALL),
    "MLP 128x784-256-10": mlp(*MIDDLE),
    "MLP 512x1024-1024-10": mlp(*LARGE),
    "10^6 elements, 5 x (mul, tanh)": arithmetic,
    "RNN cell x 50, batch 16, width 64": rnn,
    "LeNet, batch 32 x 28x28, SGD": convolution,
    "transformer block, 4 x 32 tokens": transformer,
    "modules 32x64-32-10, Adam": classifier,
    "LSTM(16, 32), 30 steps, batch 8": lstm,
}
"""Name, as in ``steps.py`` -> the program for ``jax``."""

DRAWN = {"modules 32x64-32-10, Adam", "LSTM(16, 32), 30 steps, batch 8"}
"""Here each library draws its own weights, so that the gradients are not the same."""
