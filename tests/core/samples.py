"""One table of sample inputs for every operation that has a derivative.

A sample is a function of a module ``t`` (minigrad, or PyTorch when results are recorded) and of
float64 tensors, with the arrays to call it on. Shapes are asymmetric, so that a transposed or
forgotten axis shows; values are distinct and away from kinks, so that nudging them changes no
branch. ``test_gradients`` generates its checks from this table, ``programs`` its comparisons.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np


class Sample(NamedTuple):
    name: str
    function: Callable[..., Any]
    inputs: tuple[np.ndarray, ...]


SAMPLES: dict[str, Sample] = {}


def values(*shape, low=-2.0, high=2.0, seed=0):
    """Distinct numbers between two bounds in a fixed disorder, none of them near 0."""
    count = prod(shape)
    spaced = low + (high - low) * (np.arange(count) + 0.5) / max(count, 1)
    spaced = spaced + np.where(spaced < 0, -0.15, 0.15) + 0.013 * seed
    return np.random.default_rng(seed + 7).permutation(spaced).reshape(shape)


def positive(*shape, seed=0):
    return values(*shape, low=0.2, high=2.2, seed=seed)


def sample(name, function, *inputs):
    assert name not in SAMPLES, name
    SAMPLES[name] = Sample(name, function, inputs)


# ------------------------------------------------------------------------- one tensor, any shape

ANY_SHAPE = [(2, 3), (), (0, 3), (1,), (2, 1, 2)]

UNARY = {
    "neg": (lambda t, x: -x, values),
    "clone": (lambda t, x: x.clone(), values),
    "exp": (lambda t, x: t.exp(x), values),
    "sin": (lambda t, x: t.sin(x), values),
    "cos": (lambda t, x: t.cos(x), values),
    "tanh": (lambda t, x: t.tanh(x), values),
    "sigmoid": (lambda t, x: t.sigmoid(x), values),
    "relu": (lambda t, x: t.relu(x), values),
    "abs": (lambda t, x: t.abs(x), values),
    "sign": (lambda t, x: t.sign(x), values),
    "log": (lambda t, x: t.log(x), positive),
    "sqrt": (lambda t, x: t.sqrt(x), positive),
    "reciprocal": (lambda t, x: t.reciprocal(x), values),
    "pow_0": (lambda t, x: x**0, values),
    "pow_1": (lambda t, x: x**1, values),
    "pow_2": (lambda t, x: x**2, values),
    "pow_3": (lambda t, x: t.pow(x, 3), values),
    "pow_half": (lambda t, x: x**0.5, positive),
    "pow_minus": (lambda t, x: x**-1.5, positive),
    "pow_of_number": (lambda t, x: 2**x, values),
    "add_number": (lambda t, x: x + 2, values),
    "number_add": (lambda t, x: 2.5 + x, values),
    "sub_number": (lambda t, x: x - 2, values),
    "number_sub": (lambda t, x: 2 - x, values),
    "mul_number": (lambda t, x: x * 3, values),
    "number_mul": (lambda t, x: 0.5 * x, values),
    "div_number": (lambda t, x: x / 4, values),
    "number_div": (lambda t, x: 3 / x, values),
    "sum": (lambda t, x: x.sum(), values),
    "mean": (lambda t, x: x.mean(), values),
    "where_number": (lambda t, x: t.where(x > 0, x, 0.5), values),
    "to": (lambda t, x: x.to(t.float64) * 2, values),
    "expand": (lambda t, x: x.expand(2, *x.shape), values),
    "unsqueeze": (lambda t, x: x.unsqueeze(0), values),
    "squeeze": (lambda t, x: x.squeeze(), values),
    "flatten": (lambda t, x: t.flatten(x), values),
    "view": (lambda t, x: x.view(x.numel()), values),
    "stack": (lambda t, x: t.stack([x, x * 2], 0), values),
    "index_none": (lambda t, x: x[None], values),
    "index_ellipsis": (lambda t, x: x[...], values),
    "add_": (lambda t, x: x.clone().add_(2, alpha=3), values),
    "mul_": (lambda t, x: x.clone().mul_(2), values),
    "mul_by_itself": (lambda t, x: product_with_itself(x), values),
    "neg_": (lambda t, x: x.clone().neg_(), values),
    "exp_": (lambda t, x: x.clone().exp_(), values),
    "log_": (lambda t, x: x.clone().log_(), positive),
    "sqrt_": (lambda t, x: x.clone().sqrt_(), positive),
    "tanh_": (lambda t, x: x.clone().tanh_(), values),
    "sigmoid_": (lambda t, x: x.clone().sigmoid_(), values),
    "relu_": (lambda t, x: x.clone().relu_(), values),
    "abs_": (lambda t, x: x.clone().abs_(), values),
    "pow_": (lambda t, x: x.clone().pow_(3), values),
    "zero_": (lambda t, x: x.clone().zero_(), values),
    "fill_number": (lambda t, x: x.clone().fill_(3), values),
}


def product_with_itself(x):
    y = x.clone()
    return y.mul(y)


for name, (function, make) in UNARY.items():
    for shape in ANY_SHAPE:
        sample(f"{name} {shape}", function, make(*shape))

# ------------------------------------------------------------------- two tensors that broadcast

PAIRS = [
    ((2, 3), (2, 3)),
    ((3, 1), (1,)),
    ((4, 1), (3,)),
    ((2, 1, 3), (4, 1)),
    ((), (2, 3)),
    ((2, 3), ()),
    ((), ()),
    ((0, 3), (1, 3)),
    ((4, 0), (4, 1)),
]

BINARY = {
    "add": (lambda t, x, y: x + y, values, values),
    "add_alpha": (lambda t, x, y: t.add(x, y, alpha=2), values, values),
    "sub": (lambda t, x, y: x - y, values, values),
    "sub_alpha": (lambda t, x, y: t.sub(x, y, alpha=-3), values, values),
    "rsub": (lambda t, x, y: t.rsub(x, y), values, values),
    "mul": (lambda t, x, y: x * y, values, values),
    "div": (lambda t, x, y: x / y, values, values),
    "pow": (lambda t, x, y: x**y, positive, values),
    "where": (lambda t, x, y: t.where(x > y, x * 2, y), values, values),
}

for name, (function, make_x, make_y) in BINARY.items():
    for shape_x, shape_y in PAIRS:
        sample(
            f"{name} {shape_x} {shape_y}", function, make_x(*shape_x), make_y(*shape_y, seed=1)
        )

# --------------------------------------------------------------------- reductions of (2, 3, 2)

REDUCTIONS = {
    "sum_dim": lambda t, x: x.sum(1),
    "sum_dims_kept": lambda t, x: x.sum((0, -1), keepdim=True),
    "sum_dim_kept": lambda t, x: t.sum(x, dim=-1, keepdim=True),
    "mean_dim": lambda t, x: t.mean(x, 0),
    "mean_dims_kept": lambda t, x: x.mean((0, 2), keepdim=True),
    "max": lambda t, x: x.max(),
    "min": lambda t, x: t.min(x),
    "max_dim": lambda t, x: x.max(1).values,
    "max_dim_kept": lambda t, x: x.max(dim=-1, keepdim=True)[0],
    "min_dim": lambda t, x: t.min(x, 0)[0],
    "min_dim_kept": lambda t, x: x.min(1, keepdim=True).values,
}

for name, function in REDUCTIONS.items():
    sample(name, function, values(2, 3, 2))
for name in ("sum_dim", "sum_dim_kept", "sum_dims_kept"):
    sample(f"{name} of nothing", REDUCTIONS[name], values(2, 0, 3))
sample("mean_dim of nothing", lambda t, x: x.mean(0), values(2, 0))
sample("max_dim of nothing", lambda t, x: x.max(1).values, values(0, 3))
for name, function in {
    "sum_0d_dim": lambda t, x: x.sum(0),
    "mean_0d_dim": lambda t, x: x.mean(-1),
    "max_0d": lambda t, x: x.max(),
    "max_0d_dim": lambda t, x: x.max(0).values,
    "min_0d_dim": lambda t, x: x.min(0).values,
}.items():
    sample(name, function, values())

# ------------------------------------------------------------------------------ matrix products

PRODUCTS = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((2, 1, 3), (3, 2)),
    ((2, 2, 3), (3,)),
    ((3,), (2, 3, 2)),
    ((2, 2, 3), (2, 3, 1)),
    ((2, 1, 2, 3), (3, 3, 2)),
    ((2, 3), (2, 3, 2)),
    ((0, 3), (3, 2)),
    ((2, 0), (0, 3)),
]

for shape_x, shape_y in PRODUCTS:
    sample(
        f"matmul {shape_x} {shape_y}",
        lambda t, x, y: x @ y,
        values(*shape_x),
        values(*shape_y, seed=1),
    )
sample("mm", lambda t, x, y: t.mm(x, y), values(3, 2), values(2, 4))
sample("mm_of_transposed", lambda t, x, y: x.T @ y.mT, values(2, 3), values(4, 2))
sample("dot", lambda t, x, y: t.dot(x, y), values(4), values(4, seed=1))

# ------------------------------------------------------------------------------ shapes and joins

SHAPES = {
    "reshape": lambda t, x: x.reshape(3, -1),
    "reshape_of_transposed": lambda t, x: x.transpose(0, 2).reshape(4, 3),
    "view_3": lambda t, x: x.view(2, 6),
    "transpose": lambda t, x: x.transpose(0, -1),
    "permute": lambda t, x: x.permute(2, 0, 1),
    "permute_negative": lambda t, x: t.permute(x, (-1, 0, 1)),
    "T": lambda t, x: x[0].T,
    "mT": lambda t, x: x.mT,
    "flatten_some": lambda t, x: x.flatten(1),
    "flatten_first": lambda t, x: t.flatten(x, 0, 1),
    "unsqueeze_middle": lambda t, x: x.unsqueeze(-2),
    "squeeze_dim": lambda t, x: x.unsqueeze(1).squeeze(1),
    "contiguous": lambda t, x: x.transpose(0, 1).contiguous(),
    "iterate": lambda t, x: [part * (i + 1) for i, part in enumerate(x)][1],
}
for name, function in SHAPES.items():
    sample(name, function, values(2, 3, 2))

sample("expand_ones", lambda t, x: x.expand(2, 3, 4), values(3, 1))
sample("expand_minus_one", lambda t, x: x.expand(2, -1, 2), values(3, 1))
sample("cat", lambda t, x, y: t.cat([x, y]), values(2, 3), values(1, 3, seed=1))
sample("cat_dim", lambda t, x, y: t.cat((x, y, x), dim=-1), values(2, 3), values(2, 1, seed=1))
sample("cat_with_nothing", lambda t, x, y: t.cat([x, y], 1), values(2, 3), values(2, 0))
sample("stack_middle", lambda t, x, y: t.stack((x, y), 1), values(2, 3), values(2, 3, seed=1))
sample("stack_last", lambda t, x, y: t.stack([x, y], dim=-1), values(2, 3), values(2, 3, seed=1))
sample("stack_0d", lambda t, x, y: t.stack([x, y, x]), values(), values(seed=1))

# ------------------------------------------------------------------------------ reading by index

READS = {
    "integer": lambda t, x: x[1],
    "negative integer": lambda t, x: x[-1, 2],
    "one entry": lambda t, x: x[1, 2, 0],
    "slice": lambda t, x: x[:, 1:],
    "stepped slice": lambda t, x: x[:, ::2],
    "negative bounds": lambda t, x: x[:, -2:-1],
    "empty slice": lambda t, x: x[:, 2:1],
    "ellipsis and integer": lambda t, x: x[..., 1],
    "integer and slice": lambda t, x: x[0, 1:],
    "new dimension": lambda t, x: x[:, None, 1],
    "two new dimensions": lambda t, x: x[None, ..., None],
    "list": lambda t, x: x[:, [2, 0]],
    "repeated list": lambda t, x: x[[0, 1, 0]],
    "index tensor": lambda t, x: x[t.tensor([1, 1, 0, 1])],
    "negative index tensor": lambda t, x: x[:, t.tensor([-1, 0])],
    "matrix of indices": lambda t, x: x[:, t.tensor([[0, 1], [2, 2]])],
    "two index tensors": lambda t, x: x[t.tensor([0, 1, 1]), t.tensor([2, 2, 0])],
    "index tensors apart": lambda t, x: x[t.tensor([0, 1]), :, t.tensor([1, 1])],
    "broadcast index tensors": lambda t, x: x[t.tensor([[0], [1]]), t.tensor([1, 2])],
    "0-d index tensor": lambda t, x: x[t.tensor(1)],
    "mask": lambda t, x: x[x > 0],
    "row mask": lambda t, x: x[t.tensor([False, True])],
    "mask of two dimensions": lambda t, x: x[x[..., 0] > 0],
    "empty list": lambda t, x: x[[]],
}
for name, function in READS.items():
    sample(f"read by {name}", function, values(2, 3, 2))

# ------------------------------------------------------------------------------ writing in place


def assigned(index):
    """A function that writes ``y`` at an index of a copy of ``x``, and uses both afterwards."""

    def function(t, x, y):
        x = x * 1.5
        x[index(t)] = y
        return x * x + y.sum()

    return function


WRITES = {
    "integer": (lambda t: 1, (3, 2)),
    "integer broadcast": (lambda t: 0, (2,)),
    "one entry": (lambda t: (1, 2, 0), ()),
    "slice": (lambda t: (slice(None), slice(1, None)), (2, 2, 2)),
    "slice broadcast": (lambda t: (slice(None), slice(None, None, 2)), (1, 2)),
    "ellipsis": (lambda t: ..., (2, 3, 2)),
    "0-d everywhere": (lambda t: slice(None), ()),
    "leading ones": (lambda t: 1, (1, 3, 2)),
    "index tensor": (lambda t: t.tensor([1, 0]), (2, 3, 2)),
    "two index tensors": (lambda t: (t.tensor([0, 1]), t.tensor([2, 0])), (2, 2)),
    "mask broadcast": (lambda t: t.tensor([[True, False, True], [False, True, True]]), (2,)),
    "empty slice": (lambda t: slice(2, None), (0, 3, 2)),
}
for name, (index, shape) in WRITES.items():
    sample(f"write by {name}", assigned(index), values(2, 3, 2), values(*shape, seed=1))


def through(view, write):
    """A function that writes into a view of a copy of ``x`` and returns the whole."""

    def function(t, x, y):
        x = x * 1.5
        write(view(x), y)
        return x * x

    return function


VIEWS_WRITTEN = {
    "row": (lambda x: x[1], (3,)),
    "column": (lambda x: x[:, 1], (2,)),
    "transposed": (lambda x: x.T, (3, 2)),
    "row of transposed": (lambda x: x.T[2], (2,)),
    "reshaped": (lambda x: x.view(6)[1:5].view(2, 2), (2, 2)),
    "permuted and unsqueezed": (lambda x: x.permute(1, 0).unsqueeze(0)[:, 1:], (1, 2, 2)),
    "squeezed": (lambda x: x.unsqueeze(1).squeeze(1), (2, 3)),
}
for name, (view, shape) in VIEWS_WRITTEN.items():
    y = values(*shape, seed=1)
    sample(f"mul_ through {name}", through(view, lambda v, y: v.mul_(y)), values(2, 3), y)
    sample(f"copy_ through {name}", through(view, lambda v, y: v.copy_(y)), values(2, 3), y)

sample("add_ broadcast", lambda t, x, y: x.clone().add_(y), values(2, 3), values(3, seed=1))
sample("sub_", lambda t, x, y: x.clone().sub_(y, alpha=2), values(2, 3), values(2, 1, seed=1))
sample("mul_ both", lambda t, x, y: (x * 2).mul_(y * 3), values(2, 3), values(1, 3, seed=1))
sample("div_", lambda t, x, y: x.clone().div_(y), values(2, 3), values(3, seed=1))
sample("pow_ of tensor", lambda t, x, y: x.clone().pow_(y), positive(2, 3), values(3, seed=1))
sample("copy_ broadcast", lambda t, x, y: x.clone().copy_(y), values(2, 3), values(3, seed=1))
sample("fill_ with tensor", lambda t, x, y: x.clone().fill_(y), values(2, 3), values(seed=1))
sample("mul_ by an own view", lambda t, x: (x * 1).mul_(x.sum()), values(3))

# -------------------------------------------------------------------------------------- programs


def reused(t, x):
    y = x * x
    return y * x + y / (1 + x * x) - t.exp(-y)


def network(t, x, w, b, v):
    return ((t.tanh(x @ w + b) @ v - 1) ** 2).mean()


def recurrent(t, x, w):
    state = x
    for _ in range(3):
        state = t.sigmoid(state * w + x)
    return state


sample("reused value", reused, values(2, 3))
sample(
    "network", network, values(3, 2), values(2, 4, seed=1), values(4, seed=2), values(4, 1, seed=3)
)
sample("recurrence", recurrent, values(3), values(3, seed=1))
