"""Samples of reductions: extremes, variances, norms. (Sums are in ``numbers``.)"""

from __future__ import annotations

from math import inf

from samples.sampling import sample, values

REDUCTIONS = {
    "sum in NumPy's words": lambda t, x: x.sum(axis=(0, 1), keepdims=True),
    "amax": lambda t, x: x.amax(),
    "amax dims": lambda t, x: t.amax(x, (0, -1)),
    "amax kept": lambda t, x: x.amax(1, keepdim=True),
    "amin": lambda t, x: t.amin(x),
    "amin dims": lambda t, x: x.amin((1, 2), keepdim=True),
    "max of two": lambda t, x: t.max(x, x.flip(0)),
    "var": lambda t, x: x.var(),
    "var dim": lambda t, x: t.var(x, 1),
    "var dims": lambda t, x: x.var((0, 2), unbiased=False, keepdim=True),
    "var corrected": lambda t, x: x.var(dim=1, correction=2),
    "std": lambda t, x: t.std(x),
    "std dim": lambda t, x: x.std(0),
    "std dims": lambda t, x: x.std((1, -1), correction=0, keepdim=True),
    "norm": lambda t, x: x.norm(),
    "norm dim": lambda t, x: t.norm(x, dim=1),
    "norm dims": lambda t, x: x.norm(2, dim=(0, 2), keepdim=True),
    "norm 1": lambda t, x: x.norm(1, 1),
    "norm 3": lambda t, x: x.norm(p=3, dim=-1, keepdim=True),
    "norm 1.5": lambda t, x: t.norm(x, 1.5),
    "norm half": lambda t, x: t.norm(x, 0.5, dim=0),
    "norm -1": lambda t, x: t.norm(x, -1, dim=0),
    "norm inf": lambda t, x: x.norm(inf, dim=1),
    "norm -inf": lambda t, x: x.norm(-inf),
    "logsumexp": lambda t, x: t.logsumexp(x, 1),
    "logsumexp dims": lambda t, x: x.logsumexp((0, 2), keepdim=True),
}
for name, function in REDUCTIONS.items():
    sample(f"reduced by {name}", function, values(2, 3, 2, seed=2))

for name in ("norm dim", "logsumexp", "amax kept"):
    sample(f"reduced by {name}, of nothing", REDUCTIONS[name], values(2, 3, 0))
for name, function in {
    "amax": lambda t, x: x.amax(0),
    "amin": lambda t, x: x.amin(),
    "var": lambda t, x: x.var(correction=0),
    "norm": lambda t, x: x.norm(),
    "norm 3": lambda t, x: x.norm(3, dim=-1),
    "logsumexp": lambda t, x: x.logsumexp(-1, keepdim=True),
}.items():
    sample(f"0-d reduced by {name}", function, values())
