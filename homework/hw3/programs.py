"""The eight programs of HW3 as they are, each with a bug, and the data that come of your name.

The notebook shows the same programs. The mended ones are for you to write.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

import minigrad as torch
from minigrad import nn
from minigrad.homework.assignment import same_person
from minigrad.nn import functional as F

Arrays = tuple[Any, ...]


def drawing(student: str, program: str) -> np.random.Generator:
    """What draws the numbers of this program for this student."""
    text = f"hw3/{program}/{same_person(student)}"
    return np.random.default_rng(list(hashlib.sha256(text.encode()).digest()))


def examples(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Between 17 and 35 examples of two to four features, and a target for each."""
    count = int(random.integers(17, 36))
    features = int(random.integers(2, 5))
    x = random.normal(size=(count, features)).round(2)
    weights = random.uniform(1, 3, features) * random.choice([-1, 1], features)
    return x, (x @ weights + 0.3 * random.normal(size=count)).round(2)


# ------------------------------------------------------------------------------------- taxi


def taxi_data(student: str) -> Arrays:
    return examples(drawing(student, "taxi"))


def taxi(x, y, steps=40, rate=0.1):
    """Fares of a taxi from what is known of each ride: the weights, and the loss of each step."""
    x = torch.tensor(x)
    y = torch.tensor(y)
    w = torch.zeros(x.shape[1], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=rate)
    losses = []
    for _ in range(steps):
        loss = ((x @ w - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return w.tolist(), losses


# ----------------------------------------------------------------------------------- heights


def heights_data(student: str) -> Arrays:
    x, y = examples(drawing(student, "heights"))
    return x, y + 4.0


def heights(x, y, steps=60, rate=0.1):
    """Heights of trees from two or more measurements: the weights, and the predictions."""
    x = torch.tensor(x)
    y = torch.tensor(y)
    w = torch.zeros(x.shape[1], 1, dtype=torch.float64, requires_grad=True)
    b = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w, b], lr=rate)
    for _ in range(steps):
        predicted = x @ w + b
        loss = ((predicted - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return [*w.flatten().tolist(), b.item()], (x @ w + b).flatten().tolist()


# -------------------------------------------------------------------------------------- kinds


def kinds_data(student: str) -> Arrays:
    """Examples, a label for each, and how many kinds there are."""
    random = drawing(student, "kinds")
    classes = int(random.integers(3, 9))
    centres = 4.0 * random.normal(size=(classes, 4))
    labels = np.repeat(np.arange(classes), 5)
    x = centres[labels] + 0.3 * random.normal(size=(len(labels), 4))
    return x.round(2), labels, classes


def kinds(x, labels, classes, steps=60, rate=0.5):
    """Which kind a flower is of: the weights, and the loss of each step."""
    x = torch.tensor(x)
    labels = torch.tensor(labels)
    w = torch.zeros(x.shape[1], classes, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=rate)
    losses = []
    for _ in range(steps):
        scores = torch.softmax(x @ w, dim=1)
        loss = F.cross_entropy(scores, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return w.tolist(), losses


# -------------------------------------------------------------------------------------- ridge


def ridge_data(student: str) -> Arrays:
    """Examples and targets, and the strength of the penalty."""
    random = drawing(student, "ridge")
    strength = round(float(random.uniform(0.4, 0.9)), 2)
    return *examples(random), strength


def ridge(x, y, strength, steps=40, rate=0.1):
    """A fit with a penalty on large weights: the weights, and the loss of each step."""
    x = torch.tensor(x)
    y = torch.tensor(y)
    w = torch.ones(x.shape[1], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=rate)
    losses = []
    for _ in range(steps):
        error = ((x @ w - y) ** 2).mean()
        penalty = strength * (w * w).sum().item()
        loss = error + penalty
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return w.tolist(), losses


# ------------------------------------------------------------------------------------- report


def report_data(student: str) -> Arrays:
    """Examples, targets, and the weights of two layers to begin with."""
    random = drawing(student, "report")
    x, y = examples(random)
    w = random.normal(size=(x.shape[1], 5)).round(2)
    v = random.normal(size=5).round(2)
    return x, y, w, v


def report(x, y, w, v, steps=30, rate=0.05):
    """A small network, with a report: both layers' weights, its activity in each step, its loss."""
    x = torch.tensor(x)
    y = torch.tensor(y)
    w = torch.tensor(w, requires_grad=True)
    v = torch.tensor(v, requires_grad=True)
    optimizer = torch.optim.SGD([w, v], lr=rate)
    activities = []
    losses = []
    for _ in range(steps):
        h = torch.tanh(x @ w)
        loss = ((h @ v - y) ** 2).mean()
        sizes = h.detach().numpy()
        np.abs(sizes, out=sizes)
        activities.append(float(sizes.mean()))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return w.tolist(), v.tolist(), activities, losses


# ------------------------------------------------------------------------------------- layers


def layers_data(student: str) -> Arrays:
    """Examples, targets, and the weights that each hidden layer and the last one begin with."""
    random = drawing(student, "layers")
    x, y = examples(random)
    width = int(random.integers(3, 7))
    starts = [random.normal(size=(x.shape[1], width)).round(2)]
    starts.append((0.6 * random.normal(size=(width, width))).round(2))
    return x, np.tanh(y), starts, random.normal(size=width).round(2)


class Layer(nn.Module):
    def __init__(self, start):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(start, dtype=torch.float64))

    def forward(self, x):
        return x @ self.weight


class Stack(nn.Module):
    def __init__(self, starts, last):
        super().__init__()
        self.hidden = [Layer(start) for start in starts]
        self.last = Layer(last)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.tanh(layer(x))
        return self.last(x)


def layers(x, y, starts, last, steps=30, rate=0.1):
    """A network with hidden layers: the weights of the hidden layers, and of the last one."""
    x = torch.tensor(x)
    y = torch.tensor(y)
    model = Stack(starts, last)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for _ in range(steps):
        loss = ((model(x) - y) ** 2).mean()
        model.zero_grad()
        loss.backward()
        optimizer.step()
    return [layer.weight.tolist() for layer in model.hidden], model.last.weight.tolist()


# ------------------------------------------------------------------------------------- scores


def scores_data(student: str) -> Arrays:
    """Examples and targets to learn from, and a list of new rows to be scored."""
    random = drawing(student, "scores")
    x, y = examples(random)
    new = (x[:6] + random.normal(size=x[:6].shape)).round(2)
    return 3.0 * x + 2.0, y, new


def scores(x, y, new, steps=25, rate=0.1):
    """A score for each new row, by a model that has learned from x and y."""
    x = torch.tensor(x)
    y = torch.tensor(y)
    norm = nn.BatchNorm1d(x.shape[1], affine=False).double()
    w = torch.zeros(x.shape[1], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=rate)
    for _ in range(steps):
        loss = ((norm(x) @ w - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return (norm(torch.tensor(new)) @ w).tolist()


# ------------------------------------------------------------------------------------ average


def average_data(student: str) -> Arrays:
    """Examples, targets, and how many steps are taken."""
    random = drawing(student, "average")
    steps = int(random.integers(12, 31))
    return *examples(random), steps


def average(loss_of, w, steps, rate=0.1):
    """Any loss made small: the weights, and a running average of the loss, for a smooth curve.

    ``loss_of(w)`` computes the loss of weights; ``w``: what they begin with.
    """
    w = torch.tensor(w, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=rate)
    smooth = 0.0
    curve = []
    for _ in range(steps):
        loss = loss_of(w)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        smooth = 0.9 * smooth + 0.1 * loss
        curve.append(smooth.item())
    return w.tolist(), curve
