"""Samples of names that are a few lines on top of other operations."""

from __future__ import annotations

from samples.sampling import positive, sample, values

for name in ("hypot", "fmax", "fmin"):
    sample(name, lambda t, x, y, n=name: getattr(t, n)(x, y), values(2, 3), values(2, 3, seed=1))
    sample(
        f"{name} broadcast",
        lambda t, x, y, n=name: getattr(x, n)(y),
        values(2, 1, 3),
        values(4, 1, seed=1),
    )
    sample(f"{name} 0-d", lambda t, x, y, n=name: getattr(t, n)(x, y), values(), values(seed=2))
    sample(
        f"{name} of nothing",
        lambda t, x, y, n=name: getattr(t, n)(x, y),
        values(2, 0),
        values(0, seed=1),
    )

ONE = {
    "cummax": lambda t, x: t.cummax(x, 1).values,
    "cummin": lambda t, x: x.cummin(-2)[0],
    "kthvalue": lambda t, x: t.kthvalue(x, 2, 1).values,
    "kthvalue kept": lambda t, x: x.kthvalue(1, keepdim=True)[0],
    "diff": lambda t, x: t.diff(x, dim=1) ** 2,
    "diff twice": lambda t, x: x.diff(n=2, dim=1, append=x[:, :1]) ** 2,
    "movedim": lambda t, x: t.movedim(x, (0, 1), (-1, 0)) ** 2,
    "fliplr": lambda t, x: x.fliplr() * x.flipud(),
    "diag_embed": lambda t, x: t.diag_embed(x, -1, 0, 2) ** 2,
}
for name, function in ONE.items():
    sample(f"composed {name}", function, values(2, 3, 2))
sample("0-d cummax", lambda t, x: x.cummax(0).values, values())
sample("0-d kthvalue", lambda t, x: x.kthvalue(1).values, values())
sample("method where", lambda t, x, y: x.where(x > y, y * y), values(2, 3), values(3, seed=1))
for p in (1, 2, 3):
    sample(f"dist {p}", lambda t, x, y, p=p: t.dist(x, y, p), values(2, 3), positive(3, seed=1))

for reduce in ("sum", "mean", "amax", "amin"):
    for own in (True, False):
        sample(
            f"scatter_reduce {reduce}, {'with' if own else 'without'} itself",
            lambda t, x, src, r=reduce, own=own: x.scatter_reduce(
                1, t.tensor([[0, 1, 0], [2, 2, 2]]), src, r, include_self=own
            ),
            values(2, 4),
            values(2, 3, seed=1),
        )
for beta in (2, 0):
    sample(
        f"baddbmm, beta={beta}",
        lambda t, *x, b=beta: t.baddbmm(*x, beta=b, alpha=0.5),
        values(2),
        values(3, 4, 2),
        values(3, 2, 2, seed=1),
    )
