"""Programs about names that are a few lines on top of other operations."""

# ruff: noqa: E501 -- a program in a table is one line, however long

from __future__ import annotations

import copy

from compared.refusals import refusal

VALUES = {"L": "lambda *data: torch.tensor(*data, requires_grad=True)"}

EXPRESSIONS = """
# where
t([1.0, 2]).where(t([True, False]), t([3.0, 4]))
t([1.0, 2]).where(t([True, False]), 0)
t([1, 2]).where(t([True, False]), 0.5)
t([1, 2]).where(condition=t([True, False]), other=0)
t([1, 2]).where(t([True, False]))
t([1, 2]).where(t([1, 0]), 0)
t([1, 2]).where(True, 0)
t([1, 2]).where(t([True, False]), "a")
L([1.0, 2]).where(t([True, False]), 0)
# hypot
torch.hypot(t([3.0]), t([4]))
torch.hypot(t([3]), t([4]))
torch.hypot(t([3.0]), 4.0)
torch.hypot(4.0, t([3.0]))
torch.hypot(L([0.0]), t([0.0])).backward()
L([3.0]).hypot(t(4.0, dtype=torch.float64))
t([True]).hypot(t([1.0]))
# fmax
torch.fmax(t([nan, 1, 2.0]), t([1.0, nan, 3]))
torch.fmax(t([1]), t([2.5]))
torch.fmax(t([1]), 2)
torch.fmax(t([True]), t([False]))
torch.fmax(L([1.0]), t([2.5]))
# fmin
torch.fmin(t([1], dtype=torch.uint8), t([2]))
# dist
torch.dist(t([1.0, 2]), t([1.0, 5]))
torch.dist(t([1.0, 2]), t([[1.0, 5]]), p=inf)
torch.dist(t([1, 2]), t([1, 5]))
torch.dist(t([1, 2]), t([1.0, 5]))
torch.dist(t([1.0, 2], dtype=torch.float64), t([1.0, 5]))
torch.dist(t([1.0]), t(2.0, dtype=torch.float64))
torch.dist(t([1.0]), 2.0)
torch.dist(torch.zeros(0), torch.zeros(0))
torch.dist(torch.zeros(0), torch.zeros(0), inf)
torch.dist(t([1.0, 2]), t([1.0, 5]), 0)
torch.dist(t([1.0, 2]), t([1.0, 5]), -inf)
torch.dist(t([1.0, 2]), t([1.0, 5, 3]))
torch.dist(t([1.0, 2]), t([1.0, 5]), -1)
torch.dist(t([1.0, 2]), t([1.0, 5]), p="fro")
torch.dist(L([1.0, 2]), t([1.0, 5]), 1).item()
# baddbmm
torch.baddbmm(torch.ones(2, 1, 3), torch.ones(2, 1, 2), torch.ones(2, 2, 3))
torch.baddbmm(torch.ones(3), torch.ones(2, 1, 2), torch.ones(2, 2, 3), beta=2, alpha=0.5)
torch.baddbmm(t(nan), torch.ones(2, 1, 2), torch.ones(2, 2, 3), beta=0)
torch.baddbmm(torch.ones(3), torch.ones(1, 2), torch.ones(2, 2, 3))
torch.baddbmm(torch.ones(3), torch.ones(2, 1, 2), torch.ones(3, 2, 3))
torch.baddbmm(torch.ones(3), torch.ones(2, 1, 2), torch.ones(2, 3, 3))
torch.baddbmm(torch.ones(4), torch.ones(2, 1, 2), torch.ones(2, 2, 3))
torch.baddbmm(torch.ones(3).long(), torch.ones(2, 1, 2), torch.ones(2, 2, 3))
torch.baddbmm(torch.ones(3), torch.ones(2, 1, 2).long(), torch.ones(2, 2, 3))
torch.baddbmm(torch.ones(3).long(), torch.ones(2, 1, 2).long(), torch.ones(2, 2, 3).long())
torch.baddbmm(torch.ones(3).long(), torch.ones(2, 1, 2).long(), torch.ones(2, 2, 3).long(), alpha=0.5)
torch.baddbmm(torch.ones(3).bool(), torch.ones(2, 1, 2).bool(), torch.ones(2, 2, 3).bool())
torch.baddbmm(t(1.0), torch.ones(2, 1, 0), torch.ones(2, 0, 3))
torch.baddbmm(torch.ones(2, 2, 1, 3), torch.ones(2, 1, 2), torch.ones(2, 2, 3))
torch.baddbmm(L([1.0]), torch.ones(1, 1, 2), torch.ones(1, 2, 1)).detach()
# moved dimensions
torch.movedim(torch.zeros(2, 3, 4), 0, -1).shape
torch.movedim(torch.zeros(2, 3, 4), (0, 1), (1, 2)).shape
torch.movedim(torch.zeros(2, 3, 4), (0, 0), (1, 2)).shape
torch.movedim(torch.zeros(2, 3, 4), (0, 1), (1,)).shape
torch.movedim(torch.zeros(2, 3, 4), (0, 1), (1, 1)).shape
torch.movedim(torch.zeros(2, 3, 4), 0, (1,)).shape
torch.movedim(torch.zeros(2, 3, 4), [0], [1]).shape
torch.movedim(torch.zeros(2, 3, 4), 0, 3).shape
torch.movedim(torch.zeros(2, 3, 4), (0, -3), (0, 1)).shape
torch.movedim(t(1.0), 0, 0)
torch.movedim(t(1.0), (), ())
torch.movedim(L([[1.0]]), 0, 1)
torch.movedim(L([[1.0]]), (), ())
torch.movedim(L([[1.0]]), 0, 0)
torch.movedim(torch.zeros(2, 3), source=0, destination=1).shape
# moveaxis
torch.moveaxis(torch.zeros(2, 3, 4), (0, 1), (1, 2)).shape
torch.moveaxis(torch.zeros(2, 3), source=0, destination=1).shape
# fliplr
torch.fliplr(t([1]))
torch.fliplr(L([[1.0, 2.0]]))
# flipud
torch.flipud(t(1))
torch.flipud(t([1, 2]))
# diag_embed
torch.diag_embed(L([1.0, 2.0]))
torch.diag_embed(t([1, 2]), 1)
torch.diag_embed(t([[1, 2], [3, 4]]), -1, 0, 2)
torch.diag_embed(t([[1, 2], [3, 4]]), 0, 2, 0)
torch.diag_embed(t([1, 2]), 0, 0, 0)
torch.diag_embed(t([1, 2]), 0, 0, 3)
torch.diag_embed(t(1))
torch.diag_embed(torch.zeros(2, 0)).shape
# diff
torch.diff(t([True, False, True]))
torch.diff(L([1.0, 3.0, 2.0]))
torch.diff(L([1.0, 3.0, 2.0]), n=2)
torch.diff(t(1.0))
torch.diff(t([1.0, 2.0]), n=5)
torch.diff(t([1.0, 2.0]), n=-1)
torch.diff(t([1.0, 2.0]), prepend=t([0.0]), append=t([5]))
torch.diff(t([1, 2]), prepend=t([0.5]))
torch.diff(t([[1, 2], [3, 4]]), prepend=t([0]))
torch.diff(t([[1, 2], [3, 4]]), dim=0, prepend=t([[0, 0]]))
torch.diff(t([[1, 2], [3, 4]]), dim=2)
torch.diff(t([[1, 2], [3, 4]]), prepend=t(1))
torch.diff(t([200, 100], dtype=torch.uint8))
torch.diff(torch.zeros(0))
torch.diff(3)
torch.diff(t([1, 2]), n=0, prepend=t([5]))
# cummax
torch.cummax(t([1, 3, 3, 2]), 0)
torch.cummax(t([1.0, nan, 3, nan]), 0)
torch.cummax(t(1.0), 0)
torch.cummax(t(1.0), 1)
torch.cummax(torch.zeros(0), 0)
torch.cummax(torch.zeros(2, 0), 1)
torch.cummax(t([True, False]), 0)
torch.cummax(t([1, 2]))
torch.cummax(t([[1, 2], [3, 0]]), 1)
# cummin
torch.cummin(t([1.0, nan, 3, nan]), 0)
torch.cummin(L([1.0, 2, 1, 0]), dim=0)
t([[1, 2], [3, 0]]).cummin(-2)
# kthvalue
t([3, 1, 2]).kthvalue(2)
torch.kthvalue(L([3.0, 1, 2]), 1)
torch.kthvalue(t([3.0, nan, 2]), 3)
torch.kthvalue(t([3.0, nan, 2]), 2)
torch.kthvalue(t([3.0, nan, 2]), 0)
torch.kthvalue(t([3.0, nan, 2]), 4)
torch.kthvalue(t(3.0), 1)
torch.kthvalue(t(3.0), 2)
torch.kthvalue(t([[1, 5, 3], [7, 2, 9]]), 2, 0, True)
torch.kthvalue(t([[1, 5, 3], [7, 2, 9]]), 2, dim=-1, keepdim=True)
torch.kthvalue(t([True, False]), 1)
torch.kthvalue(torch.zeros(0), 1)
torch.kthvalue(torch.zeros(2, 0), 1)
torch.kthvalue(torch.zeros(0, 2), 1)
torch.kthvalue(t([1, 2]), 1, 2)
torch.kthvalue(t([1, 2], dtype=torch.uint8), 1)
t([1, 1, 0, 1]).kthvalue(3).values
torch.kthvalue(torch.ones(3, 2).T, 2, 1).values
# unique_consecutive
torch.unique_consecutive(t([1, 1, 2, 2, 1]))
torch.unique_consecutive(t([1, 1, 2, 2, 1]), True, True)
torch.unique_consecutive(t([1, 1, 2, 2, 1]), return_counts=True)
torch.unique_consecutive(t([[1, 1], [1, 1], [2, 1]]), dim=0, return_inverse=True, return_counts=True)
torch.unique_consecutive(t([[1, 1], [1, 2]]), return_inverse=True)
torch.unique_consecutive(t(3), True, True)
torch.unique_consecutive(torch.zeros(0), True, True)
torch.unique_consecutive(torch.zeros(0, 2), True, True)
torch.unique_consecutive(torch.zeros(0, 2), True, True, dim=0)
torch.unique_consecutive(torch.zeros(2, 0), True, True, dim=0)
torch.unique_consecutive(t([1, 2]), dim=1)
torch.unique_consecutive(t([[1, 1], [1, 1]]), dim=1)
torch.unique_consecutive(3)
torch.unique_consecutive(t([nan, nan, 1.0]), return_inverse=True)
torch.unique_consecutive(L([1.0, 2])).sum().backward()
torch.unique_consecutive(t(3), dim=0)
# scatter_reduce
torch.zeros(3).scatter_reduce(0, t([0, 0, 1]), t([1.0, 2, 3]), "sum")
torch.ones(3).scatter_reduce(0, t([0, 0, 1]), t([1.0, 2, 3]), "mean")
torch.ones(3).scatter_reduce(0, t([0, 0, 1]), t([1.0, 2, 3]), "mean", include_self=False)
torch.ones(3).scatter_reduce(0, t([0, 0, 1]), t([1.0, 2, 3]), "amax")
torch.ones(3).scatter_reduce(0, t([0, 0, 1]), t([-1.0, -2, -3]), "amax", include_self=False)
torch.ones(3, dtype=torch.int64).scatter_reduce(0, t([0, 0, 1]), t([-1, -2, 3]), "mean")
torch.ones(3, dtype=torch.int64).scatter_reduce(0, t([0, 0, 1]), t([-1, -3, 3]), "mean", include_self=False)
torch.ones(3, dtype=torch.bool).scatter_reduce(0, t([0, 0, 1]), t([True, False, False]), "sum")
torch.ones(3, dtype=torch.bool).scatter_reduce(0, t([0, 0, 1]), t([True, False, False]), "amin")
torch.ones(3, dtype=torch.bool).scatter_reduce(0, t([0, 0, 1]), t([True, False, False]), "mean")
torch.ones(3).scatter_reduce(0, t([0, 0, 1]), t([1.0, 2, 3]))
torch.ones(3).scatter_reduce(0, t([0, 0, 3]), t([1.0, 2, 3]), "sum")
torch.ones(3).scatter_reduce(0, t([0, 0, 1]), t([1, 2, 3]), "sum")
torch.ones(3).scatter_reduce(0, t([0.0]), t([1.0, 2, 3]), "sum")
torch.ones(3).scatter_reduce(0, t([0]), t([1.0, 2, 3]), "sum")
torch.ones(3).scatter_reduce(0, t([0]), 2.0, "sum")
torch.ones(3).scatter_reduce(1, t([0]), t([1.0, 2, 3]), "sum")
torch.ones(2, 3).scatter_reduce(0, t([0]), t([1.0, 2, 3]), "sum")
t(1.0).scatter_reduce(0, t(0), t(2.0), "sum")
torch.zeros(3).scatter_reduce(0, torch.zeros(0, dtype=torch.int64), torch.zeros(0), "amax", include_self=False)
L([1.0, 2]).scatter_reduce(0, t([0]), t([1.0]), "amax")
torch.ones(2, 3, 2).scatter_reduce(1, t([[[0, 1], [0, 1]], [[2, 2], [2, 0]]]), torch.arange(8.0).reshape(2, 2, 2), "amin")
t(True).scatter_reduce(0, t(0), t(False), "amin", include_self=False)
# isin
torch.isin(t([1, 2, 3]), t([2]))
torch.isin(t([1, 2, 3]), 2)
torch.isin(2, t([1, 2, 3]))
torch.isin(2, 2)
torch.isin(t([1, 2]), [1])
torch.isin(t([1.0, nan]), t([nan, 1]))
torch.isin(t([1.0, 2.5]), t([1, 2]))
torch.isin(t([[1, 2], [3, 4]]), t([[2, 3]]), invert=True)
torch.isin(t([1, 2]), t([2]), assume_unique=True)
torch.isin(t([True]), t([1]))
torch.isin(t([True]), t([True]))
torch.isin(t([1, 2]), torch.zeros(0))
torch.isin(torch.zeros(0), t([1.0]))
torch.isin(elements=t([1, 2]), test_elements=t(2))
torch.isin(t([1, 2]), 2.5)
torch.isin(L([1.0, 2]), 2.5)
# histogram
torch.histogram(t([1.0, 2, 1]), 4, range=(0.0, 3.0))
torch.histogram(t([1.0, 2, 1]), 4)
torch.histogram(t([1.0, 2, 1]), bins=4, range=(0.0, 3.0), weight=t([1.0, 2, 4]))
torch.histogram(t([1.0, 2, 1]), bins=4, range=(0.0, 3.0), weight=t([1.0, 2, 4]), density=True)
torch.histogram(t([1.0, 2, 1]), t([0.0, 1.5, 2]))
torch.histogram(t([1.0, 2, 1]), t([0.0, 1.5, 2]), density=True)
torch.histogram(t([1, 2, 1]), 3)
torch.histogram(t([1.0, 2, 1]), 0)
torch.histogram(t([1.0, 2, 1]), -1)
torch.histogram(t([1.0, 1, 1]), 2)
torch.histogram(torch.zeros(0), 2)
torch.histogram(torch.zeros(0), 2, density=True)
torch.histogram(t([1.0, nan]), 2)
torch.histogram(t([1.0, nan]), 2, range=(0.0, 2.0))
torch.histogram(t([1.0, inf]), 2)
torch.histogram(t([1.0]), 2, range=(3.0, 1.0))
torch.histogram(t([1.0]), 2, range=(1.0, 1.0))
torch.histogram(t([1.0]), 2, range=(1.0, 1.0, 2.0))
torch.histogram(t([1.0]), 2, range=(0, 2))
torch.histogram(t([1.0]), 2, range=(0.0, inf))
torch.histogram(t(1.0), 2)
torch.histogram(t([[1.0, 2], [3, 4]]), 2)
torch.histogram(t([[1.0, 2], [3, 4]]), 2, weight=t([1.0, 2, 3, 4]))
torch.histogram(t([1.0, 2]), 2, weight=t([1, 2]))
torch.histogram(t([1.0, 2]), t([1, 2]))
torch.histogram(t([1.0, 2]), t([[1.0, 2]]))
torch.histogram(t([1.0, 2]), t([2.0, 1.0]))
torch.histogram(t([1.0, 2]), [1.0, 2.0])
torch.histogram(t([1.0, 2]), t([2.0]))
torch.histogram(L([1.0, 2]), 2)
torch.histogram(L([1.0, 2]), 2).hist.sum().backward()
torch.histogram(t([1.0, 2]), 2, weight=L([1.0, 2]))
torch.histogram(t([1.0, 2], dtype=torch.float64), 2)
torch.histogram(t([1.0, 2]), 2.0)
torch.histogram(t([1.0, 2]), t([1.0, 2.0]), range=(0.0, 1.0))
torch.histogram(t([1.0, 2, 1])).hist[:3]
[*torch.histogram(t([1.0, 2, 1]), 2)]
# histc
torch.histc(t([1.0, 2, 1]), 4, 0, 3)
torch.histc(t([1.0, 2, 1]), bins=4, min=0, max=3)
torch.histc(t([1.0, 2, 1]))[:3]
torch.histc(t([1.0, 2, 1, 5]), 4)
torch.histc(t([1, 2, 1]), 4)
torch.histc(t([1.0, 1, 1]), 2)
torch.histc(t([1.0, nan, 1]), 2)
torch.histc(t([1.0, nan, 1]), 2, 0, 2)
torch.histc(t([1.0, inf, 1]), 2)
torch.histc(t([1.0]), 0)
torch.histc(t([1.0]), 2, 3, 1)
torch.histc(torch.zeros(0), 2)
torch.histc(L([1.0]), 2)
torch.histc(L([1.0]), 2).sum().backward()
# logspace
torch.logspace(0, 2, 3)
torch.logspace(0, 2, steps=3, base=2)
torch.logspace(0, 1, 2, dtype=torch.int64)
torch.logspace(0, 3, 4, dtype=torch.int64, base=2)
torch.logspace(0, 1, 1)
torch.logspace(0, 1, 0)
torch.logspace(0, 1, -1)
torch.logspace(0, 1, 3, base=-2.0)
torch.logspace(0, 1, 3, base=0)
torch.logspace(t(0.0), t(1.0), 3)
torch.logspace(0, 1)
torch.logspace(0, 1, 3, dtype=torch.bool)
torch.logspace(0, 1, 3, requires_grad=True)
torch.logspace(-2, 2, 5, dtype=torch.float64)
torch.logspace(0, 9, 10, base=2, dtype=torch.uint8)
# tril_indices
torch.tril_indices(3, 3)
torch.tril_indices(2, 3, 1)
torch.tril_indices(3, 2, offset=-1)
torch.tril_indices(2, 2, dtype=torch.float32)
torch.tril_indices(-1, 2)
torch.tril_indices(2, -1)
torch.tril_indices(2.0, 1)
torch.tril_indices(2, 2, dtype=torch.uint8)
torch.tril_indices(2)
# triu_indices
torch.triu_indices(3, 3)
torch.triu_indices(3, 2, -1)
torch.triu_indices(2, 2, dtype=torch.int32)
torch.triu_indices(0, 2)
# shifts
torch.diag(L([1.0, 2.0]))
t([1, 2]) << 1
t([1, 2]) >> 1
2 << t([1, 2])
16 >> t([1, 2])
t([1, 2]) << t([3, 4])
t([1, 2], dtype=torch.int8) << 7
t([1, 2], dtype=torch.int8) << 8
t([1, 2], dtype=torch.int8) << 100
t([1, 2], dtype=torch.int8) << -1
t([1, -2], dtype=torch.int8) >> -1
t([1, -2], dtype=torch.int8) >> 8
t([1, -2], dtype=torch.int8) >> 100
t([1, 200], dtype=torch.uint8) >> 9
t([1, 200], dtype=torch.uint8) << 1
t([1, 200], dtype=torch.uint8) << -1
t([1, 200], dtype=torch.uint8) >> -1
t([1.0, 2]) << 1
t([1.0, 2]) >> 1
t([True]) << 1
t([True]) << True
t([1]) << True
t([1]) << 1.5
t([1]) << t([1.5])
1.0 << t([1])
torch.bitwise_left_shift(t([1]), 2)
torch.bitwise_left_shift(2, t([1]))
torch.bitwise_left_shift(2, 1)
torch.bitwise_left_shift(t([1]), t([1.0]))
torch.bitwise_left_shift(t([1.5]), 1)
torch.bitwise_left_shift(t([True]), 1)
torch.bitwise_left_shift(t([True]), t([True]))
torch.bitwise_right_shift(t([8], dtype=torch.int16), t([1], dtype=torch.uint8))
torch.bitwise_right_shift(t([8], dtype=torch.int16), 1)
torch.bitwise_right_shift(t([8]), 1.5)
t([8]).bitwise_right_shift(1)
t([8]).bitwise_right_shift_(1)
t([8]).__ilshift__(1)
t([8], dtype=torch.uint8).__ilshift__(t([1]))
t([8.0]).__ilshift__(1)
t([8.0]).__irshift__(2)
t([True]).__irshift__(2)
t([8]) << "a"
t([2**62]) << 1
t([2**62]) << 2
t([1, 2]) << t([1, 2, 3])
t([1]) << 63
t([1]) << 64
t([-1]) >> 63
t([-1]) >> 64
t([-1]) << 63
')[0])
"""


def slopes(torch, function, *data):
    """The gradients of a weighted sum of a result, and of the sum of their squares."""
    leaves = [torch.tensor(part, dtype=torch.float64, requires_grad=True) for part in data]
    out = function(*leaves)
    weights = torch.linspace(0.5, 1.5, out.numel(), dtype=out.dtype).reshape(out.shape)
    first = torch.autograd.grad(out, leaves, weights.requires_grad_(), create_graph=True)
    total = sum((g * g).sum() for g in first)
    second = torch.autograd.grad(total, [*leaves, weights], allow_unused=True)
    return [[None if g is None else g.tolist() for g in part] for part in (first, second)]


NAN, INFINITE = float("nan"), float("inf")
PAIR = [1.0, 2.0, -3.0, NAN, 4.0, -0.5], [2.0, 2.0, -1.0, 1.0, NAN, 0.0]


def gradients_of_two_tensors(torch):
    names = ("fmax", "fmin")
    found = [slopes(torch, getattr(torch, name), *PAIR) for name in names]
    sides = [3.0, 5.0, 0.0, INFINITE], [4.0, 12.0, 0.0, 1.0]
    found.append(slopes(torch, lambda x, y: torch.hypot(x, y) * x, *sides))
    apart = [1.0, 2.0, 2.5], [[0.5], [-1.0]]
    found += [slopes(torch, lambda x, y, p=p: torch.dist(x, y, p), *apart) for p in (1, 2, 3)]
    return [*found, slopes(torch, torch.dist, [1.0, 2.0], [1.0, 2.0])]


def gradients_along_a_dimension(torch):
    x = [[3.0, 1.0, 2.0], [1.0, 1.0, NAN], [2.0, 5.0, 2.0]]
    return [
        slopes(torch, lambda x: x.cummax(0).values, x),
        slopes(torch, lambda x: x.cummin(-1).values, x),
        slopes(torch, lambda x: x.kthvalue(2, 1).values ** 2, [[3.0, 1.0, 2.0], [NAN, 5.0, 4.0]]),
        slopes(torch, lambda x: x.diff(dim=0) ** 2, x),
        slopes(torch, lambda x, y: x.diff(n=2, prepend=y) ** 2, x, [[1.0], [2.0], [3.0]]),
        slopes(torch, lambda x: x.diag_embed(1, 0, 2) ** 2, x),
        slopes(torch, lambda x: x.movedim(0, 1).fliplr().flipud() ** 2, x),
        slopes(torch, lambda x: x.where(x > 1, x * x), x),
    ]


def gradients_of_scattering(torch):
    # An entry that is left out, but equal to the result, gets a share of its gradient in PyTorch,
    # which is then missing elsewhere. So 0.1 is added where entries are left out.
    index = torch.tensor([[0, 1, 0], [2, 2, 2]])
    x, src = [[1.0, 5.0, 2.0], [0.5, 1.0, 4.0]], [[1.0, 2.0, 3.0], [4.0, 4.0, 1.0]]
    return [
        slopes(
            torch,
            lambda x, src, r=r, i=i: (
                torch.scatter_reduce(x + 0.1 * (not i), 1, index, src, r, include_self=i) ** 2
            ),
            x,
            src,
        )
        for r in ("sum", "mean", "amax", "amin")
        for i in (True, False)
    ]


def gradients_of_matrix_products(torch):
    bias, a, b = [1.0, -2.0], [[[1.0, 2.0, 3.0]], [[-1.0, 0.5, 2.0]]], [[[1.0, 2.0]] * 3] * 2
    return [
        slopes(torch, lambda *t, o=o: torch.baddbmm(*t, **o), bias, a, b)
        for o in ({}, {"beta": 0.5, "alpha": 2}, {"beta": 0})
    ]


def nothing_of_a_bias_times_zero(torch):
    lost = torch.full((3,), NAN, requires_grad=True)
    out = torch.addmm(lost, torch.ones(1, 2), torch.ones(2, 3), beta=0)
    out.sum().backward()
    whole = torch.addmm(
        torch.tensor([3]), torch.ones(1, 2).long(), torch.ones(2, 3).long(), alpha=0.5
    )
    return [out.detach(), lost.grad, whole]


def no_derivative_of_counting(torch):
    x = torch.tensor([1.0, 1.0, 2.0], requires_grad=True)
    found = []
    for out in (torch.histogram(x, 2).hist, torch.unique_consecutive(x), torch.unique(x)):
        found += [out.detach(), out.requires_grad, refusal((x.sum() + out.sum()).backward)]
    return [*found, torch.histc(x, 2).requires_grad, torch.isin(x, x).requires_grad]


def shifts_in_place(torch):
    x = torch.tensor([1, 2, 3])
    same = x
    x <<= 2
    y = torch.tensor([200, 100], dtype=torch.uint8)
    y >>= torch.tensor([1, 3])
    y.bitwise_left_shift_(1)
    return [x, same is x, y, y.bitwise_right_shift(2)]


def views_of_moved_dimensions_share_memory(torch):
    x = torch.zeros(2, 3)
    x.movedim(0, 1)[2, 1] = 7.0
    x.moveaxis((0, 1), (-1, 0))[0] += 1
    return x


# ------------------------------------------------------------------------------------ L-BFGS


def descent(torch, loss_of, *starts, count=3, dtype="float64", **options):
    """Where some steps lead, how often the closure is called, and what is remembered."""
    params = [torch.tensor(s, dtype=getattr(torch, dtype), requires_grad=True) for s in starts]
    optimiser = torch.optim.LBFGS(params, **options)
    losses = []

    def closure():
        optimiser.zero_grad()
        loss = loss_of(torch, *params)
        loss.backward()
        losses.append(loss.item())
        return loss

    path = [optimiser.step(closure).item() for _ in range(count)]
    state = {**optimiser.state_dict()["state"][0]}
    state.pop("al", None)  # PyTorch's own place to compute in
    return [path, len(losses), losses[:12], [p.tolist() for p in params], plain(state)]


def plain(part):
    """Numbers instead of tensors, whose last digits are noise."""
    if isinstance(part, dict):
        return {key: plain(value) for key, value in part.items()}
    if isinstance(part, list):
        return [plain(value) for value in part]
    return part.tolist() if hasattr(part, "tolist") else part


def valley(torch, w):
    return (1 - w[0]) ** 2 + 100 * (w[1] - w[0] ** 2) ** 2


def bowl(torch, a, b):
    return (torch.arange(1, 5, dtype=a.dtype) * (a - 1) ** 2).sum() + (b**4).sum()


def waves(torch, w):
    return (w.sin() * w).sum() + 0.1 * (w * w).sum()


def fit(torch, u, v):
    x = torch.linspace(-1, 1, 12, dtype=u.dtype).reshape(12, 1)
    return ((torch.tanh(x @ u) @ v - (2 * x).sin()) ** 2).mean()


WOLFE = {"line_search_fn": "strong_wolfe"}
BOWL = [0.5, -1.0, 2.0, 3.0], [[1.5, -0.5]]
FIT = [[0.5, -1.0, 0.3]], [[1.0], [0.2], [-0.7]]


def lbfgs_along_a_valley(torch):
    return [
        descent(torch, valley, [-1.2, 1.0], **WOLFE),
        descent(torch, valley, [-1.2, 1.0], count=6, history_size=2, max_iter=4, **WOLFE),
        descent(torch, valley, [-1.2, 1.0], max_eval=3, **WOLFE),
        descent(torch, valley, [-1.2, 1.0], lr=0.05, max_iter=5),
    ]


def lbfgs_down_a_bowl(torch):
    return [
        descent(torch, bowl, *BOWL),
        descent(torch, bowl, *BOWL, lr=torch.tensor(0.1)),
        descent(torch, bowl, *BOWL, **WOLFE),
        descent(torch, bowl, *BOWL, count=1, max_iter=1),
        descent(torch, bowl, *BOWL, count=1, max_iter=6, dtype="float32"),
    ]


def lbfgs_over_waves(torch):
    return [
        descent(torch, waves, [2.0, 5.0, -3.3, 0.1], count=2, **WOLFE),
        descent(torch, waves, [2.0, 5.0], count=2, lr=5, tolerance_change=1e-3, **WOLFE),
        descent(torch, waves, [0.0]),
    ]


def lbfgs_fits_a_network(torch):
    return [
        descent(torch, fit, *FIT, count=2, max_iter=8, **WOLFE),
        descent(torch, fit, *FIT, count=2, max_iter=8, lr=0.5),
    ]


def lbfgs_goes_on_from_its_state(torch):
    def prepared(start):
        w = torch.tensor(start, dtype=torch.float64, requires_grad=True)
        optimiser = torch.optim.LBFGS([w], max_iter=3, **WOLFE)

        def closure():
            optimiser.zero_grad()
            loss = valley(torch, w)
            loss.backward()
            return loss

        return w, optimiser, closure

    w, first, closure = prepared([-1.2, 1.0])
    first.step(closure)
    saved, place = copy.deepcopy(first.state_dict()), w.tolist()
    first.step(closure)
    again, second, closure_again = prepared(place)
    second.load_state_dict(saved)
    second.step(closure_again)
    remembered = len(saved["state"][0]["old_dirs"])
    return [w, again, remembered, second.state_dict()["state"][0]["n_iter"]]


def lbfgs_refuses(torch):
    def leaf():
        return torch.tensor([1.0], requires_grad=True)

    def step(**options):
        w = leaf()
        optimiser = torch.optim.LBFGS([w], **options)

        def closure():
            loss = (w * w).sum()
            loss.backward()
            return loss

        return optimiser.step(closure)

    make = torch.optim.LBFGS
    return [
        refusal(make, [leaf()], lr=-1),
        refusal(make, [leaf()], lr=torch.ones(2)),
        refusal(make, []),
        refusal(make, [{"params": [leaf()]}, {"params": [leaf()]}]),
        refusal(make([leaf()]).step),
        refusal(step, line_search_fn="armijo"),
        repr(make([leaf()])),
        step(),
    ]


def lbfgs_without_a_gradient_for_some(torch):
    def loss_of(torch, used, unused):
        return (used**2).sum()

    return descent(torch, loss_of, [1.0, 2.0], [[3.0]], count=1)


PROGRAMS = (
    gradients_of_two_tensors,
    gradients_along_a_dimension,
    gradients_of_scattering,
    gradients_of_matrix_products,
    nothing_of_a_bias_times_zero,
    no_derivative_of_counting,
    shifts_in_place,
    views_of_moved_dimensions_share_memory,
    lbfgs_along_a_valley,
    lbfgs_down_a_bowl,
    lbfgs_over_waves,
    lbfgs_fits_a_network,
    lbfgs_goes_on_from_its_state,
    lbfgs_refuses,
    lbfgs_without_a_gradient_for_some,
)

# Programs whose error is of PyTorch's type, but in words of our own: PyTorch lists signatures, or
# names no position.
OTHER_WORDS = {
    "t([1, 2]).where(t([True, False]))",
    "t([1, 2]).where(True, 0)",
    't([1, 2]).where(t([True, False]), "a")',
    'torch.dist(t([1.0, 2]), t([1.0, 5]), p="fro")',
    "torch.baddbmm(torch.ones(2, 2, 1, 3), torch.ones(2, 1, 2), torch.ones(2, 2, 3))",
    "torch.cummax(t(1.0), 1)",
    'torch.ones(3).scatter_reduce(0, t([0.0]), t([1.0, 2, 3]), "sum")',
    "torch.isin(2, 2)",
    "torch.isin(t([1, 2]), [1])",
    "torch.histogram(t([1.0, 2]), [1.0, 2.0])",
    "torch.histogram(t([1.0, 2]), 2.0)",
    "torch.histc(t([1.0, nan, 1]), 2)",
    "torch.logspace(0, 1)",
    "torch.bitwise_left_shift(2, 1)",
}

NEEDS = {"arithmetic": {"lbfgs_down_a_bowl"}}  # small differences of small gradients
