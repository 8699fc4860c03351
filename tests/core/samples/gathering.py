"""Samples of operations that look up and write entries by tensors of indices."""

from __future__ import annotations

from samples.sampling import sample, values

READS = {
    "gather": lambda t, x: x.gather(1, t.tensor([[0, 2, 2, 1], [1, 1, 1, 0]])),
    "gather_of_fewer": lambda t, x: t.gather(x, 0, t.tensor([[1, 0]])),
    "gather_of_nothing": lambda t, x: x.gather(0, t.zeros(0, 2, dtype=t.int64)),
    "take_along_dim": lambda t, x: t.take_along_dim(x, t.tensor([[2], [-1]]), 1),
    "take_along": lambda t, x: t.take_along_dim(x, t.tensor([5, 0, 0])),
    "index_select": lambda t, x: x.index_select(1, t.tensor([2, 0, 2])),
    "index_select_many": lambda t, x: x.index_select(0, t.tensor([0, 1, 1] * 40)),
    "masked_select": lambda t, x: x.masked_select(x > 0),
    "masked_select_broadcast": lambda t, x: x.masked_select(t.tensor([True, False, True])),
    "repeat_interleave": lambda t, x: x.repeat_interleave(2, 1),
    "repeat_interleave_tensor": lambda t, x: x.repeat_interleave(t.tensor([2, 0, 1]), dim=1),
    "repeat_interleave_flat": lambda t, x: t.repeat_interleave(x, 3),
    "embedding": lambda t, x: t.nn.functional.embedding(t.tensor([[1, 0, 1]]), x),
    "embedding_long": lambda t, x: t.nn.functional.embedding(t.tensor([1, 0, 1] * 30), x),
    "embedding_padded": lambda t, x: t.nn.functional.embedding(t.tensor([1, 1]), x, padding_idx=0),
    "pad_reflect": lambda t, x: t.nn.functional.pad(x, (2, 1), "reflect"),
    "pad_replicate": lambda t, x: t.nn.functional.pad(x, (2, -1), "replicate"),
    "pad_circular": lambda t, x: t.nn.functional.pad(x, (3, 1), "circular"),
    "masked_fill": lambda t, x: x.masked_fill(x > 0, 7.0),
    "masked_fill_broadcast": lambda t, x: x.masked_fill(t.tensor([[True], [False]]), -1),
    "scatter_number": lambda t, x: x.scatter(1, t.tensor([[0], [2]]), 3.5),
    "many rows": lambda t, x: x[t.tensor([1, 0, -1, -2] * 30)],
    "many rows of many": lambda t, x: x[:, t.tensor([[1, 0, -1, -2]] * 30)],
    "a large mask": lambda t, x: x.repeat(20, 5)[x.repeat(20, 5) > 0],
}
for name, function in READS.items():
    sample(f"look up: {name}", function, values(2, 3))
sample("gather of 0-d", lambda t, x: x.gather(0, t.tensor([0])), values())
sample("index_select of 0-d", lambda t, x: x.index_select(0, t.tensor([0])), values())

WRITES = {
    "scatter": (lambda t, x, y: x.scatter(1, t.tensor([[2, 0], [1, 0]]), y), (2, 2)),
    "scatter_": (lambda t, x, y: (x * 1).scatter_(0, t.tensor([[1, 0, 0]]), y), (1, 3)),
    "scatter_add": (lambda t, x, y: x.scatter_add(1, t.tensor([[2, 2], [1, 0]]), y), (2, 2)),
    "scatter_add_": (lambda t, x, y: (x * 1).scatter_add_(1, t.tensor([[2], [1]]), y), (2, 1)),
    "index_add": (lambda t, x, y: x.index_add(1, t.tensor([1, 1]), y, alpha=2), (2, 2)),
    "index_add_": (lambda t, x, y: (x * 1).index_add_(0, t.tensor([1]), y), (1, 3)),
    "masked_fill": (lambda t, x, y: x.masked_fill(x > 0, y), ()),
    "masked_fill_": (lambda t, x, y: (x * 1).masked_fill_(x > 0, y), ()),
}
for name, (function, shape) in WRITES.items():
    sample(f"write: {name}", function, values(2, 3), values(*shape, seed=1))
