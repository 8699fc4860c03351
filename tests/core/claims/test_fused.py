"""Operations that do several steps at once, beside the same steps one after the other.

The naive twins are what the operations mean. They are slower, which is the only reason for the
others to be there.
"""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as torch
from minigrad.autograd import grad

F = torch.nn.functional


def numbers(*shape, seed=0):
    return torch.tensor(np.random.default_rng(seed).standard_normal(shape), requires_grad=True)


def derivatives(function, *tensors):
    """The value, the gradients, and the gradients of a sum of their squares."""
    out = function(*tensors)
    weights = torch.tensor(np.linspace(0.5, 1.5, out.numel()).reshape(out.shape))
    first = grad(out, tensors, weights, create_graph=True)
    squares = sum((g * g).sum() for g in first)
    second = grad(squares, tensors, allow_unused=True)
    return [out, *first, *[g for g in second if g is not None]]


def naive_cross_entropy(labels, **options):
    return lambda x: F.nll_loss(torch.log_softmax(x, 1), labels, **options)


def naive_layer_norm(dims):
    def function(x, weight, bias):
        centred = x - x.mean(dims, keepdim=True)
        variance = (centred * centred).mean(dims, keepdim=True)
        return centred / (variance + 1e-5).sqrt() * weight + bias

    return function


LABELS = torch.tensor([2, 0, 1, 1, 3])

TWINS = {
    "cross_entropy": (
        lambda x: F.cross_entropy(x, LABELS),
        naive_cross_entropy(LABELS),
        [(5, 4)],
    ),
    "cross_entropy, sum": (
        lambda x: F.cross_entropy(x, LABELS, reduction="sum"),
        naive_cross_entropy(LABELS, reduction="sum"),
        [(5, 4)],
    ),
    "cross_entropy, none": (
        lambda x: F.cross_entropy(x, LABELS, reduction="none"),
        naive_cross_entropy(LABELS, reduction="none"),
        [(5, 4)],
    ),
    "softmax": (
        lambda x: torch.softmax(x, 1),
        lambda x: x.exp() / x.exp().sum(1, keepdim=True),
        [(2, 3)],
    ),
    "log_softmax": (
        lambda x: torch.log_softmax(x, 0),
        lambda x: x - x.exp().sum(0, keepdim=True).log(),
        [(2, 3)],
    ),
    "layer_norm": (
        lambda x, w, b: F.layer_norm(x, (4,), w, b),
        naive_layer_norm(-1),
        [(2, 3, 4), (4,), (4,)],
    ),
    "layer_norm of two dimensions": (
        lambda x, w, b: F.layer_norm(x, (3, 4), w, b),
        naive_layer_norm((1, 2)),
        [(2, 3, 4), (3, 4), (3, 4)],
    ),
    "gelu": (
        F.gelu,
        lambda x: x * (1 + torch.erf(x / 2**0.5)) / 2,
        [(3, 2)],
    ),
    "gelu by tanh": (
        lambda x: F.gelu(x, approximate="tanh"),
        lambda x: x / 2 * (1 + torch.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3))),
        [(3, 2)],
    ),
    "silu": (F.silu, lambda x: x * torch.sigmoid(x), [(3, 2)]),
    "mse_loss": (F.mse_loss, lambda x, y: ((x - y) ** 2).mean(), [(3, 2), (3, 2)]),
    "binary_cross_entropy_with_logits": (
        lambda x, y: F.binary_cross_entropy_with_logits(x, y * y),
        lambda x, y: -(y * y * F.logsigmoid(x) + (1 - y * y) * F.logsigmoid(-x)).mean(),
        [(3, 2), (3, 2)],
    ),
}


@pytest.mark.parametrize(("fused", "naive", "shapes"), TWINS.values(), ids=TWINS)
def test_a_fused_operation_is_its_steps(fused, naive, shapes):
    tensors = [numbers(*shape, seed=seed) for seed, shape in enumerate(shapes)]
    for one, other in zip(derivatives(fused, *tensors), derivatives(naive, *tensors), strict=True):
        np.testing.assert_allclose(
            one.detach().numpy(), other.detach().numpy(), rtol=1e-9, atol=1e-12
        )
