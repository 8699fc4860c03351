"""Samples of statistics: products, medians."""

from __future__ import annotations

from samples.sampling import sample, values

STATISTICS = {
    "prod": lambda t, x: x.prod(),
    "prod dim": lambda t, x: t.prod(x, 1),
    "prod kept": lambda t, x: x.prod(-1, keepdim=True),
    "cumprod": lambda t, x: t.cumprod(x, 1),
    "cumprod last": lambda t, x: x.cumprod(dim=-1),
    "median": lambda t, x: x.median(),
    "median dim": lambda t, x: t.median(x, 1).values,
    "median kept": lambda t, x: x.median(0, keepdim=True)[0],
    "var and mean": lambda t, x: sum(t.var_mean(x, 2)),
    "std and mean": lambda t, x: sum(t.std_mean(x, (0, 1), keepdim=True)),
}
for name, function in STATISTICS.items():
    sample(f"statistic {name}", function, values(2, 3, 2))

for name in ("prod", "prod dim", "prod kept", "cumprod", "cumprod last"):
    with_zeros = values(2, 3, 2)
    with_zeros[0, 1, 0] = with_zeros[1, 0, 1] = with_zeros[1, 2, 1] = 0.0
    sample(f"statistic {name} of zeros", STATISTICS[name], with_zeros)
for name in ("prod", "prod dim", "cumprod"):
    sample(f"statistic {name} of nothing", STATISTICS[name], values(2, 3, 0))
for name, function in {
    "prod": lambda t, x: x.prod(0),
    "cumprod": lambda t, x: x.cumprod(-1),
    "median": lambda t, x: x.median(0)[0],
}.items():
    sample(f"statistic {name} 0-d", function, values())
