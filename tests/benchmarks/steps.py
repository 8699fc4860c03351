"""The training steps that are timed: the same program for minigrad and PyTorch, and by hand.

Each function takes a library (a module with PyTorch's names) and returns a function that does
one step: forward, backward, and the update where there is one; or one of these alone, or the
loading of the data. ``by_hand`` holds the same steps in NumPy with derivatives worked out on
paper: the floor for a library made of NumPy. (The larger programs have no such twin: in them the
arithmetic, not the library, takes the time.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import datasets

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


def mlp(batch: int, inputs: int, hidden: int, outputs: int) -> Callable[[Any], Step]:
    """Two layers with tanh between them, mean squared error, SGD."""

    def program(torch: Any) -> Step:
        x, y, w1, b1, w2, b2 = map(torch.tensor, mlp_arrays(batch, inputs, hidden, outputs))
        parameters = [p.requires_grad_() for p in (w1, b1, w2, b2)]
        optimiser = torch.optim.SGD(parameters, lr=0.01)

        def step() -> Any:
            optimiser.zero_grad()
            loss = ((torch.tanh(x @ w1 + b1) @ w2 + b2 - y) ** 2).mean()
            loss.backward()
            optimiser.step()
            return w1.grad

        return step

    return program


def mlp_arrays(batch: int, inputs: int, hidden: int, outputs: int) -> list[Any]:
    """Data, targets, and the weights and biases of two layers."""
    return [
        numbers(batch, inputs),
        numbers(batch, outputs, seed=1),
        numbers(inputs, hidden, seed=2, scale=inputs**-0.5),
        np.zeros(hidden, np.float32),
        numbers(hidden, outputs, seed=3, scale=hidden**-0.5),
        np.zeros(outputs, np.float32),
    ]


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


def arithmetic(torch: Any) -> Step:
    """A million elements, five times a product and a tanh."""
    x = torch.tensor(numbers(1_000_000), requires_grad=True)
    w = torch.tensor(numbers(1_000_000, seed=1), requires_grad=True)

    def step() -> Any:
        x.grad = w.grad = None
        h = x
        for _ in range(5):
            h = torch.tanh(h * w)
        h.sum().backward()
        return w.grad

    return step


def convolution(torch: Any) -> Step:
    """A net of LeNet's size on 32 images of 28 x 28: two convolutions, three layers, SGD."""
    F = torch.nn.functional
    shapes = [(6, 1, 5, 5), (16, 6, 5, 5), (120, 400), (84, 120), (10, 84)]
    weights, biases = [], []
    for seed, shape in enumerate(shapes):
        scale = float(np.prod(shape[1:])) ** -0.5
        weights.append(torch.tensor(numbers(*shape, seed=seed, scale=scale), requires_grad=True))
        biases.append(torch.zeros(shape[0], requires_grad=True))
    images = torch.tensor(numbers(32, 1, 28, 28, seed=9))
    classes = torch.tensor(np.arange(32) % 10)
    optimiser = torch.optim.SGD([*weights, *biases], lr=0.01)

    def step() -> Any:
        optimiser.zero_grad()
        h = F.max_pool2d(torch.relu(F.conv2d(images, weights[0], biases[0], padding=2)), 2)
        h = F.max_pool2d(torch.relu(F.conv2d(h, weights[1], biases[1])), 2).flatten(1)
        h = torch.relu(F.linear(h, weights[2], biases[2]))
        h = torch.relu(F.linear(h, weights[3], biases[3]))
        F.cross_entropy(F.linear(h, weights[4], biases[4]), classes).backward()
        optimiser.step()
        return weights[0].grad

    return step


def transformer(torch: Any) -> Step:
    """A block of width 64 with 4 heads on 4 texts of 32 tokens: attention, then two layers."""
    F = torch.nn.functional
    batch, length, width, heads = 4, 32, 64, 4
    x = torch.tensor(numbers(batch, length, width))
    shapes = {"qkv": (3 * width, width), "out": (width, width), "up": (4 * width, width)}
    shapes["down"] = (width, 4 * width)
    w = {
        name: torch.tensor(numbers(*shape, seed=i, scale=shape[1] ** -0.5), requires_grad=True)
        for i, (name, shape) in enumerate(shapes.items())
    }
    b = {name: torch.zeros(shape[0], requires_grad=True) for name, shape in shapes.items()}
    gains = [torch.ones(width, requires_grad=True) for _ in range(2)]
    shifts = [torch.zeros(width, requires_grad=True) for _ in range(2)]
    future = torch.tensor(np.triu(np.ones((length, length), bool), 1))
    parameters = [*w.values(), *b.values(), *gains, *shifts]

    def split(h: Any) -> Any:
        return h.view(batch, length, heads, width // heads).transpose(1, 2)

    def step() -> Any:
        for parameter in parameters:
            parameter.grad = None
        h = F.layer_norm(x, (width,), gains[0], shifts[0])
        q, k, v = map(split, F.linear(h, w["qkv"], b["qkv"]).split(width, dim=-1))
        scores = (q @ k.transpose(-2, -1) / (width // heads) ** 0.5).masked_fill(future, -1e9)
        mixed = (F.softmax(scores, dim=-1) @ v).transpose(1, 2).reshape(batch, length, width)
        y = x + F.linear(mixed, w["out"], b["out"])
        h = F.layer_norm(y, (width,), gains[1], shifts[1])
        y = y + F.linear(F.gelu(F.linear(h, w["up"], b["up"])), w["down"], b["down"])
        (y * y).mean().backward()
        return w["qkv"].grad

    return step


def trees(torch: Any) -> Step:
    """A recursive net on 20 random trees of 4 to 16 words, width 32: each has its own graph."""
    random = np.random.default_rng(0)

    def grown(words: int) -> Any:
        if words == 1:
            return int(random.integers(100))
        left = int(random.integers(1, words))
        return grown(left), grown(words - left)

    forest = [grown(int(random.integers(4, 17))) for _ in range(20)]
    words = torch.tensor(numbers(100, 32, seed=1), requires_grad=True)
    weight = torch.tensor(numbers(64, 32, seed=2, scale=0.1), requires_grad=True)
    bias = torch.zeros(32, requires_grad=True)
    score = torch.tensor(numbers(32, seed=3), requires_grad=True)

    def vector(tree: Any) -> Any:
        if isinstance(tree, int):
            return words[tree]
        return torch.tanh(torch.cat([vector(tree[0]), vector(tree[1])]) @ weight + bias)

    def step() -> Any:
        words.grad = weight.grad = bias.grad = score.grad = None
        loss = 0.0
        for tree in forest:
            loss = loss + (vector(tree) @ score - 1) ** 2
        loss.backward()
        return weight.grad

    return step


def digits_images(torch: Any) -> tuple[Any, Any]:
    """The handwritten digits to learn from, as tensors of this library."""
    data = datasets.digits()
    return torch.tensor(data.x.numpy()), torch.tensor(data.y.numpy())


def classifier(torch: Any) -> Step:
    """A net of modules as beginners write it: two layers, cross-entropy, Adam."""
    nn = torch.nn
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
    optimiser = torch.optim.Adam(net.parameters())
    loss_of = nn.CrossEntropyLoss()
    x, y = torch.tensor(numbers(32, 64)), torch.tensor(np.arange(32) % 10)

    def step() -> Any:
        optimiser.zero_grad()
        loss_of(net(x), y).backward()
        optimiser.step()
        return net[0].weight.grad

    return step


def lstm(torch: Any) -> Step:
    """The layer LSTM(16, 32) along 30 steps, batch 8: forward and backward."""
    torch.manual_seed(0)
    layer = torch.nn.LSTM(16, 32)
    x = torch.tensor(numbers(30, 8, 16))

    def step() -> Any:
        layer.zero_grad()
        h, _ = layer(x)
        (h * h).mean().backward()
        return layer.weight_hh_l0.grad

    return step


def digits_epoch(torch: Any) -> Step:
    """All 1,437 digits once, in batches of 32, through two convolutions; SGD with momentum."""
    nn = torch.nn
    torch.manual_seed(0)
    net = nn.Sequential(
        *(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Flatten(), nn.Linear(128, 10)),
    )
    optimiser = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    loss_of = nn.CrossEntropyLoss()
    data = torch.utils.data.TensorDataset(*digits_images(torch))
    loader = torch.utils.data.DataLoader(data, batch_size=32)

    def step() -> Any:
        for x, y in loader:
            optimiser.zero_grad()
            loss_of(net(x), y).backward()
            optimiser.step()
        return net[0].weight.grad

    return step


def adam(torch: Any) -> Step:
    """The update alone: Adam on 20 matrices of 64 x 64."""
    parameters = [torch.tensor(numbers(64, 64, seed=i), requires_grad=True) for i in range(20)]
    for i, parameter in enumerate(parameters):
        parameter.grad = torch.tensor(numbers(64, 64, seed=100 + i))
    optimiser = torch.optim.Adam(parameters)

    def step() -> Any:
        optimiser.step()
        return parameters[-1].detach()

    return step


def batches(torch: Any) -> Step:
    """10,000 examples of 20 numbers and a class, in random order, in batches of 32."""
    columns = torch.tensor(numbers(10_000, 20)), torch.tensor(np.arange(10_000) % 10)
    data = torch.utils.data.TensorDataset(*columns)
    order = torch.Generator().manual_seed(0)
    loader = torch.utils.data.DataLoader(data, batch_size=32, shuffle=True, generator=order)

    def step() -> Any:
        for x, _ in loader:  # noqa: B007 -- the last one is looked at
            pass
        return x

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


def mlp_by_hand(batch: int, inputs: int, hidden: int, outputs: int) -> Callable[[], Step]:
    def program() -> Step:
        x, y, w1, b1, w2, b2 = mlp_arrays(batch, inputs, hidden, outputs)

        def step() -> Any:
            h = np.tanh(x @ w1 + b1)
            error = h @ w2 + b2 - y
            np.mean(error * error)
            g = error * np.float32(2 / error.size)
            g_w2, g_b2 = h.T @ g, g.sum(0)
            g_h = (g @ w2.T) * (1 - h * h)
            g_w1, g_b1 = x.T @ g_h, g_h.sum(0)
            for p, gp in ((w1, g_w1), (b1, g_b1), (w2, g_w2), (b2, g_b2)):
                p -= np.float32(0.01) * gp
            return g_w1

        return step

    return program


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


SMALL, MIDDLE, LARGE = (64, 64, 32, 10), (128, 784, 256, 10), (512, 1024, 1024, 10)

STEPS = {
    "200 scalar operations": (scalar_chain, scalar_chain_by_hand, 0.50),
    "MLP 64x64-32-10, SGD": (mlp(*SMALL), mlp_by_hand(*SMALL), 0.50),
    "MLP 128x784-256-10": (mlp(*MIDDLE), mlp_by_hand(*MIDDLE), 1.05),
    "MLP 512x1024-1024-10": (mlp(*LARGE), mlp_by_hand(*LARGE), 1.2),
    "10^6 elements, 5 x (mul, tanh)": (arithmetic, None, 1.15),
    "RNN cell x 50, batch 16, width 64": (rnn, rnn_by_hand, 0.80),
    "LeNet, batch 32 x 28x28, SGD": (convolution, None, 1.0),
    "transformer block, 4 x 32 tokens": (transformer, None, 1.1),
    "recursive net, 20 random trees": (trees, None, 0.80),
    "modules 32x64-32-10, Adam": (classifier, None, 0.55),
    "LSTM(16, 32), 30 steps, batch 8": (lstm, None, 1.5),
    "digits CNN, an epoch, batches of 32": (digits_epoch, None, 1.0),
    "Adam, 20 matrices of 64 x 64": (adam, None, 0.60),
    "DataLoader, 10,000 rows by 32": (batches, None, 0.20),
}
"""Name -> (the program, the same by hand, the bound on minigrad's time in PyTorch's)."""
