"""Programs about products, running extremes, medians, quantiles, counts, and searching."""

from __future__ import annotations

EXPRESSIONS = """
# products
t([1.0, 2.0, 4.0]).prod()
t([[1, 2], [3, 4]]).prod(0)
t([True, True]).prod()
t([2, 3], dtype=torch.uint8).prod(0, keepdim=True)
t([1, 2]).prod(dtype=torch.float32)
torch.prod(t([[1.0, 2.0], [3.0, 4.0]]), axis=1)
torch.zeros(0).prod()
torch.prod(t(2.0), 0)
t([1.0]).prod(1)
torch.cumprod(t([1.0, 2.0, 3.0]), 0)
t([[1, 2], [3, 4]]).cumprod(1)
t([True, True]).cumprod(0)
t(3.0).cumprod(-1)
t([1.0, nan, 0.0]).cumprod(0)
# running extremes
torch.var_mean(t([[1.0, 2.0], [3.0, 5.0]]), 1)[0]
torch.var_mean(t([1.0, 2.0]), dim=0, keepdim=True)
torch.std_mean(t([[1.0, 2.0], [3.0, 5.0]]))
torch.std_mean(t([1.0, 2.0]), unbiased=False)
torch.var_mean(t([1.0, 2.0, 3.0]), correction=0)
t([3.0, 1.0, 2.0, 4.0]).median()
t([3, 1, 2]).median()
t([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]]).median(1)
t([[3, 1], [2, 5], [4, 4]]).median(0, keepdim=True)
t([1.0, nan, 3.0]).median()
t([[3.0, nan, 2.0, 4.0]]).median(1)
t(1.0).median(0)
torch.zeros(0).median()
torch.zeros(0, 2).median(0)
torch.zeros(0, 2).median(1)
t([True, False]).median()
# counting
t([3, 1, 3]).unique()
torch.unique(t([3.0, 1.0, 3.0]), return_inverse=True)
t([3, 1, 3]).unique(return_counts=True)
t([3, 1, 3]).unique(True, True, True)
t([[3, 1], [1, 2]]).unique(return_inverse=True)
t([[1, 2], [0, 3], [1, 2]]).unique(dim=0, return_inverse=True, return_counts=True)
t([[2, 1], [2, 1]]).unique(dim=1)
t([[2, 1], [2, 1]]).unique(dim=2)
t([nan, 1.0, nan]).unique()
t([True, False, True]).unique()
t(3).unique(return_inverse=True)
torch.zeros(0).unique()
t([1, 1, 3]).bincount()
torch.bincount(t([1, 1, 3]), minlength=6)
t([1, 1, 3]).bincount(t([1.0, 2.0, 3.0]))
t([1, 1, 3]).bincount(t([1, 2, 3]))
t([-1]).bincount()
t([[1]]).bincount()
t([1.0]).bincount()
t([1]).bincount(t([1.0, 2.0]))
t([], dtype=torch.int64).bincount()
"""


def slopes(torch, function, *numbers):
    """A result and the gradient of its sum."""
    x = torch.tensor(numbers, requires_grad=True)
    out = function(x)
    out.sum().backward()
    return [out, x.grad]


def products_with_zeros(torch):
    return [
        slopes(torch, function, *numbers)
        for function in (lambda x: x.prod(), lambda x: x.prod(0), lambda x: x.cumprod(0))
        for numbers in ((2.0, 3.0), (2.0, 0.0, 3.0), (0.0, 2.0, 0.0), (0.0,))
    ]


def second_derivatives_of_products_with_zeros(torch):
    found = []
    for function in (lambda x: x.prod(), lambda x: x.cumprod(0).sum()):
        x = torch.tensor([2.0, 0.0, 3.0], requires_grad=True)
        (slope,) = torch.autograd.grad(function(x), x, create_graph=True)
        found += torch.autograd.grad((slope * torch.tensor([1.0, 2.0, 4.0])).sum(), x)
    return found


def ties(torch):
    return [
        slopes(torch, lambda x: x.median(), 1.0, 2.0, 2.0, 1.0),
        slopes(torch, lambda x: x.median(), 1.0, float("nan"), 2.0),
    ]


def names_of_nodes(torch):
    x = torch.tensor([3.0, 1.0], requires_grad=True)
    return [x.prod(), x.prod(0), x.cumprod(0), x.median(), x.median(0)]


PROGRAMS = (
    products_with_zeros,
    second_derivatives_of_products_with_zeros,
    ties,
    names_of_nodes,
)
