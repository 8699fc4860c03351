"""What the programs of HW3 would return if they were sound, worked out in NumPy alone.

``slip`` is a wrong way of mending one: what comes of it is known, so that it can be named. The
causes are not in here: a sound result does not tell why another one is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = Any
Parts = dict[str, Any]


def taxi(x: Array, y: Array, steps: int = 40, rate: float = 0.1, slip: str = "") -> Parts:
    w = np.zeros(x.shape[1])
    arrived = np.zeros(x.shape[1])
    losses = []
    for _ in range(steps):
        off = x @ w - y
        losses.append((off**2).mean())
        arrived = 2 * x.T @ off / len(y) + (arrived if slip == "smaller" else 0.0)
        w = w - {"": rate, "smaller": 0.1 * rate, "lost": 0.0}[slip] * arrived
    return {"the weights": w, "the losses": losses}


def heights(x: Array, y: Array, steps: int = 60, rate: float = 0.1, slip: str = "") -> Parts:
    ones = np.column_stack([x, np.ones(len(y))])
    w = np.zeros(ones.shape[1])
    for _ in range(steps):
        off = ones @ w - y
        if slip == "one":
            w = w - rate * 2 * ones.mean(0) * off.mean()
        else:
            w = w - rate * 2 * ones.T @ off / (1 if slip == "sum" else len(y))
    return {"the weights": w, "the predictions": ones @ w}


def softmax(scores: Array, axis: int = 1) -> Array:
    powers = np.exp(scores - scores.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def kinds(
    x: Array, labels: Array, classes: int, steps: int = 60, rate: float = 0.5, slip: str = ""
) -> Parts:
    rows = np.arange(len(labels))
    right = np.eye(classes)[labels]
    w = np.zeros((x.shape[1], classes))
    losses = []
    for _ in range(steps):
        p = softmax(x @ w, 0 if slip == "examples" else 1)
        if slip == "no log":
            losses.append(-p[rows, labels].mean())
            slope = p * p[rows, labels][:, None] - right * p
        elif slip == "examples":
            losses.append(-np.log(p[rows, labels]).mean())
            slope = p * right.sum(0) - right
        else:
            losses.append(-np.log(p[rows, labels]).mean())
            slope = p - right
        w = w - rate * x.T @ slope / len(labels)
    return {"the weights": w, "the losses": losses}


def ridge(
    x: Array, y: Array, strength: float, steps: int = 40, rate: float = 0.1, slip: str = ""
) -> Parts:
    w = np.ones(x.shape[1])
    losses = []
    of_penalty = {"": 2.0, "half": 1.0, "mean": 2.0 / len(w)}
    for _ in range(steps):
        off = x @ w - y
        sizes = (w * w).mean() if slip == "mean" else (w * w).sum()
        losses.append((off**2).mean() + strength * sizes)
        w = w - rate * (2 * x.T @ off / len(y) + strength * of_penalty[slip] * w)
    return {"the weights": w, "the losses": losses}


def report(
    x: Array, y: Array, w: Array, v: Array, steps: int = 30, rate: float = 0.05, slip: str = ""
) -> Parts:
    activities = []
    losses = []
    for _ in range(steps):
        h = np.tanh(x @ w)
        off = h @ v - y
        activities.append(h.mean() if slip == "signs" else np.abs(h).mean())
        losses.append((off**2).mean())
        back = 2 / len(y) * off[:, None] * v * (1 - h**2)
        v = v - rate * 2 * h.T @ off / len(y)
        w = w - rate * (0.0 if slip == "cut" else x.T @ back)
    return {
        "the hidden weights": w,
        "the last weights": v,
        "the activities": activities,
        "the losses": losses,
    }


def layers(
    x: Array,
    y: Array,
    starts: Sequence[Array],
    last: Array,
    steps: int = 30,
    rate: float = 0.1,
    slip: str = "",
) -> Parts:
    weights = [*starts, last]
    arrived: list[Any] = [0.0] * len(weights)
    for _ in range(steps):
        inputs = [x]
        for weight in weights[:-1]:
            inputs.append(np.tanh(inputs[-1] @ weight))
        g = 2 * (inputs[-1] @ weights[-1] - y) / len(y)
        slopes = [inputs[-1].T @ g]
        g = g[:, None] * weights[-1]
        for place in reversed(range(len(starts))):
            g = g * (1 - inputs[place + 1] ** 2)
            slopes.insert(0, inputs[place].T @ g)
            g = g @ weights[place].T
        if slip == "sums":  # of the hidden layers' gradients
            slopes[:-1] = [old + new for old, new in zip(arrived[:-1], slopes[:-1])]
        arrived = slopes
        moves = {"hidden only": weights[:-1], "first and last": [weights[0], weights[-1]]}
        moving = moves.get(slip, weights)
        weights = [
            weight - rate * slope if any(weight is one for one in moving) else weight
            for weight, slope in zip(weights, slopes)
        ]
    return {"the hidden weights": weights[:-1], "the last weights": weights[-1]}


def scores(
    x: Array, y: Array, new: Array, steps: int = 25, rate: float = 0.1, slip: str = ""
) -> Parts:
    forgotten = 0.9**steps  # momentum 0.1: what is left of where the averages began
    mean = (1 - forgotten) * x.mean(0)
    var = forgotten + (1 - forgotten) * x.var(0, ddof=1)
    normal = (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5)
    if slip == "by hand":
        mean, var = x.mean(0), x.var(0)
    elif slip == "always":
        mean, var = np.zeros(x.shape[1]), np.ones(x.shape[1])
        normal = x / np.sqrt(1 + 1e-5)
    w = np.zeros(x.shape[1])
    with np.errstate(all="ignore"):
        for _ in range(steps):
            w = w - rate * 2 * normal.T @ (normal @ w - y) / len(y)
        return {"the scores": (new - mean) / np.sqrt(var + 1e-5) @ w}


def average(x: Array, y: Array, steps: int, slip: str = "") -> Parts:
    w = np.zeros(x.shape[1])
    smooth = 0.0
    curve = []
    for _ in range(steps):
        off = x @ w - y
        loss = (off**2).mean()
        smooth = loss if slip == "no average" else 0.9 * smooth + 0.1 * loss
        curve.append(smooth)
        w = w - (0.0 if slip == "cut" else 0.1) * 2 * x.T @ off / len(y)
    return {"the weights": w, "the curve": curve}
