"""Samples of operations on shapes: repeating, reversing, joining, splitting, diagonals."""

from __future__ import annotations

from samples.sampling import sample, values

SHAPES = {
    "view_as": lambda t, x: x.view_as(t.zeros(4, 3)),
    "expand_as": lambda t, x: x[:, :1].expand_as(x),
    "ravel": lambda t, x: x.transpose(0, 1).ravel(),
    "unflatten": lambda t, x: x.unflatten(-1, (1, 2)),
    "swapaxes": lambda t, x: t.swapaxes(x, 0, 2),
    "t": lambda t, x: x[0].t(),
    "t of vector": lambda t, x: x[0, 1].t(),
    "repeat": lambda t, x: x.repeat(2, 1, 3),
    "repeat_leading": lambda t, x: x.repeat(2, 2, 1, 1),
    "repeat_never": lambda t, x: x.repeat(0, 1, 1),
    "tile": lambda t, x: t.tile(x, (2,)),
    "flip": lambda t, x: x.flip(0, -1),
    "roll": lambda t, x: x.roll(1),
    "roll_dims": lambda t, x: t.roll(x, (1, -2), (0, 1)),
    "hstack": lambda t, x: t.hstack([x, x * 2]),
    "vstack": lambda t, x: t.vstack([x[0, 0], x[1]]),
    "meshgrid": lambda t, x: t.stack(t.meshgrid(x[0, :, 0], x[1, 0], indexing="xy")),
    "split": lambda t, x: x.split(2, 1)[0],
    "split_sizes": lambda t, x: t.split(x, [1, 0, 2], 1)[2],
    "chunk": lambda t, x: x.chunk(2, dim=1)[1] * x.chunk(2, dim=1)[0][:, :1],
    "unbind": lambda t, x: x.unbind(1)[1] * x.unbind(1)[2],
    "narrow": lambda t, x: x.narrow(1, 1, 2),
    "select": lambda t, x: x.select(1, -1),
    "diagonal": lambda t, x: x.diagonal(0, 1, 2),
    "diagonal_above": lambda t, x: x.diagonal(1, -1, 0),
    "diagonal_nowhere": lambda t, x: x.diagonal(9),
    "diag of matrix": lambda t, x: x[0].diag(-1),
    "diag": lambda t, x: t.diag(x[0, :, 0], 1),
    "tril": lambda t, x: x.tril(),
    "triu": lambda t, x: x.triu(diagonal=1),
    "pad_negative": lambda t, x: t.nn.functional.pad(x, (1, -1, 2, 0), value=3.0),
    "write through diagonal": lambda t, x: written(x * 1.0, lambda y: y[0].diagonal().mul_(2)),
    "write through a part": lambda t, x: written(x * 1.0, lambda y: y.narrow(1, 0, 2).neg_()),
}


def written(x, write):
    write(x)
    return x * x


for name, function in SHAPES.items():
    sample(f"shape: {name}", function, values(2, 3, 2))

sample("repeat of 0-d", lambda t, x: x.repeat(2, 2), values())
sample("repeat of nothing", lambda t, x: x.repeat(2, 2), values(0, 3))
sample("flip of nothing", lambda t, x: x.flip(0), values(0, 3))
sample("roll of 0-d", lambda t, x: x.roll(1), values())
sample("diag of nothing", lambda t, x: t.diag(x), values(0))
sample(
    "broadcast_tensors",
    lambda t, x, y: t.broadcast_tensors(x, y)[0] * t.broadcast_tensors(x, y)[1],
    values(3, 1),
    values(2, seed=1),
)
sample("cat_with_a_vector_of_nothing", lambda t, x, y: t.cat([x, y], 1), values(2, 3), values(0))
