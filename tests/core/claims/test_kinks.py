"""The gradients at corners and jumps are those of docs/kinks.md."""

from __future__ import annotations

import math

import numpy as np
import pytest

import minigrad as torch
import minigrad.nn.functional as F

NO_CHOICE = torch.tensor([0])

ROWS = [
    (lambda x: torch.relu(x), [0.0], [0.0]),
    (lambda x: x.abs(), [0.0], [0.0]),
    (lambda x: x.sign() + x.floor() + x.round(), [0.3, -1.0, 2.5], [0.0, 0.0, 0.0]),
    (lambda x: x.sqrt(), [0.0], [math.inf]),
    (lambda x: x**0, [0.0], [0.0]),
    (lambda x: torch.maximum(x[0], x[1]), [2.0, 2.0], [0.5, 0.5]),
    (lambda x: torch.minimum(x[0], x[1]), [2.0, 2.0], [0.5, 0.5]),
    (lambda x: torch.fmax(x[0], x[1]) + torch.fmin(x[0], x[1]), [2.0, 2.0], [2.0, 0.0]),
    (lambda x: torch.hypot(x[0], x[1]), [0.0, 0.0], [math.nan, math.nan]),
    (lambda x: torch.dist(x, torch.ones(2)), [1.0, 1.0], [0.0, 0.0]),
    (lambda x: x.cummax(0).values, [3.0, 3.0, 1.0], [1.0, 2.0, 0.0]),
    (lambda x: x.cummin(0).values, [1.0, 1.0, 3.0], [1.0, 2.0, 0.0]),
    (lambda x: x[:1].scatter_reduce(0, NO_CHOICE, x[1:], "amax"), [3.0, 3.0], [0.5, 0.5]),
    (lambda x: x.max(), [1.0, 3.0, 3.0], [0.0, 0.5, 0.5]),
    (lambda x: x.min(), [1.0, 1.0, 3.0], [0.5, 0.5, 0.0]),
    (lambda x: x.amax(0), [3.0, 3.0, 3.0, 3.0], [0.25, 0.25, 0.25, 0.25]),
    (lambda x: x.median(), [1.0, 2.0, 2.0], [0.0, 0.5, 0.5]),
    (lambda x: x.max(0).values, [1.0, 3.0, 3.0], [0.0, 1.0, 0.0]),
    (lambda x: x.sort(0).values[2], [1.0, 3.0, 3.0], [0.0, 0.0, 1.0]),
    (lambda x: x.topk(1).values, [3.0, 3.0], [1.0, 0.0]),
    (lambda x: x.clamp(-1, 1), [-1.0, 1.0, 2.0], [1.0, 1.0, 0.0]),
    (lambda x: F.hardtanh(x), [-1.0, 1.0, 0.5], [0.0, 0.0, 1.0]),
    (lambda x: F.relu6(x), [0.0, 6.0, 3.0], [0.0, 0.0, 1.0]),
    (lambda x: F.leaky_relu(x, 0.125), [0.0], [0.125]),
    (lambda x: F.elu(x), [0.0], [1.0]),
    (lambda x: x.norm(), [0.0, 0.0], [0.0, 0.0]),
    (lambda x: x.prod(), [0.0, 2.0, 3.0], [6.0, 0.0, 0.0]),
    (lambda x: torch.where(x > 0, x, x * 5), [1.0, 0.0], [1.0, 5.0]),
]


@pytest.mark.parametrize(("function", "point", "gradient"), ROWS)
def test_the_gradient_at_a_corner_is_the_one_of_the_table(function, point, gradient):
    x = torch.tensor(point, requires_grad=True)
    function(x).sum().backward()
    np.testing.assert_array_equal(x.grad.tolist(), gradient)  # NaN equals NaN
