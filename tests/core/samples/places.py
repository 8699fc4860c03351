"""Samples of operations that move values about: shapes, joins, indices, writes, programs."""

from __future__ import annotations

from samples.sampling import positive, sample, values

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
