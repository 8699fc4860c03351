"""Two custom functions that several tests use: one saves its output, one its inputs."""

from __future__ import annotations

import minigrad as torch
from minigrad.autograd import Function


def leaf(*numbers, dtype=torch.float64):
    data = numbers[0] if len(numbers) == 1 else list(numbers)
    return torch.tensor(data, dtype=dtype, requires_grad=True)


class Exp(Function):
    """Saves its output."""

    @staticmethod
    def forward(ctx, x):
        out = x.exp()
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, g):
        (out,) = ctx.saved_tensors
        return g * out


class Product(Function):
    """Saves its inputs, and computes only the gradients that are wanted."""

    asked = ()

    @staticmethod
    def forward(ctx, x, y, factor=1):
        ctx.save_for_backward(x, y)
        ctx.factor = factor
        return x * y * factor

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        Product.asked = ctx.needs_input_grad
        gx = g * y * ctx.factor if ctx.needs_input_grad[0] else None
        gy = g * x * ctx.factor if ctx.needs_input_grad[1] else None
        return gx, gy, None
