"""Samples of running sums and of sorting."""

from __future__ import annotations

from samples.sampling import sample, values

ORDERS = {
    "cumsum": lambda t, x: t.cumsum(x, 1),
    "cumsum backwards": lambda t, x: x.cumsum(dim=-1) * x,
    "sort": lambda t, x: x.sort().values,
    "sort dim": lambda t, x: t.sort(x, 0)[0],
    "sort descending": lambda t, x: x.sort(dim=1, descending=True)[0],
    "topk": lambda t, x: x.topk(1).values,
    "topk dim": lambda t, x: t.topk(x, 2, 1)[0],
    "topk smallest": lambda t, x: x.topk(2, dim=1, largest=False)[0],
    "topk all": lambda t, x: x.topk(3, dim=1)[0],
    "topk none": lambda t, x: x.topk(0)[0],
}
for name, function in ORDERS.items():
    sample(f"ordered by {name}", function, values(2, 3, 2))
for name in ("cumsum", "sort", "sort dim"):
    sample(f"ordered by {name}, of nothing", ORDERS[name], values(2, 3, 0))
sample("0-d ordered by cumsum", lambda t, x: x.cumsum(0), values())
sample("0-d ordered by sort", lambda t, x: x.sort(descending=True)[0], values())
sample("0-d ordered by topk", lambda t, x: x.topk(1)[0], values())
