"""Programs about reductions: what is reduced, in which dtype, at ties, NaN, infinity, nothing."""

from __future__ import annotations

EXPRESSIONS = """
# dimensions, and NumPy's words for them
torch.arange(6.0).reshape(2, 3).sum(axis=1)
torch.arange(6.0).reshape(2, 3).sum(axis=(0, 1), keepdims=True)
torch.arange(6.0).reshape(2, 3).mean(axis=0, keepdims=True)
torch.arange(6.0).reshape(2, 3).max(axis=1)
torch.arange(6).reshape(2, 3).argmax(axis=1, keepdims=True)
torch.sum(x=torch.ones(2), axis=0)
torch.arange(6.0).reshape(2, 3).sum(None, True)
torch.arange(6.0).reshape(2, 3).mean(dim=[], keepdim=True)
torch.arange(24).reshape(2, 3, 4).sum((0, -1))
torch.arange(6.0).reshape(2, 3).std(axis=1)
torch.ones(2, 3).sum((0, 0))
torch.ones(2, 3).amax((1, -1))
torch.ones(2, 3).var(2)
torch.sum(t([1.0]), 1.5)
torch.sum(t([1.0]), dimension=0)
torch.sum()
torch.mean([1.0])
torch.amax(1.0)
# sums and means
t([1, 2], dtype=torch.int8).sum()
t([True, False, True]).sum(0, keepdim=True)
t([1, 2]).sum(dtype=torch.float64)
t([[1, 2], [3, 4]]).mean(0, dtype=torch.float32)
t([True, False]).mean()
t([1.0, nan]).sum()
t([inf, -inf]).sum()
t([1e30, 1e30]).mean()
torch.zeros(2, 0, 3).sum(1)
torch.zeros(2, 0, 3).mean((0, 1))
t(2.0).sum(-1, keepdim=True)
t(2.0).mean((0,))
# the largest and the smallest
t([1.0, 3.0, 3.0]).max(0)
t([[1, 5], [7, 2]]).min(dim=-1, keepdim=True)
torch.max(t([1.0, 2.0]), t([3.0, 0.0]))
torch.min(t([1, 2]), t([1.5, 0.0]))
t([1, 5]).max(t(3))
torch.max(t([[1.0], [4.0]]), t([2.0, 3.0]))
torch.max(t([1, 5]), 2.0)
t([[nan, 1.0], [2.0, nan]]).max(1)
t([[nan, 1.0], [2.0, nan]]).min(0)
t([[1.0, 3.0], [5.0, 4.0]]).amax()
t([[1.0, 3.0], [5.0, 4.0]]).amin((0,), keepdim=True)
t([[1, 3], [5, 4]]).amax((0, 1))
t([[1.0, nan], [5.0, 4.0]]).amax(0)
t([True, False]).amin()
t([-1, -2], dtype=torch.int8).amax()
t(1.0).amax(0, keepdim=True)
torch.zeros(0).amax()
torch.zeros(0).amin(0)
torch.zeros(0, 2).amax(1)
torch.zeros(0, 2).amax(0)
torch.zeros(0).min()
torch.zeros(0, 2).max(0)
torch.zeros(2, 0).min(0)
t([3.0, 1.0, 1.0]).argmin()
t([[3, 1], [1, 2]]).argmin(1)
t([[3, 1], [1, 2]]).argmin(-1, keepdim=True)
t([[3.0, 1.0], [1.0, 2.0]]).argmax(keepdim=True)
t([1.0, nan, nan]).argmax()
t([1.0, nan, 0.0]).argmin(0)
t([True, False]).argmax()
t(5.0).argmin(0)
t(5.0).argmax(1)
torch.zeros(0).argmin()
torch.zeros(0, 2).argmin(0)
torch.zeros(2, 0).argmax(0)
# truth
t([[1, 0], [1, 1]]).all(1)
t([[1.0, 0.0], [0.0, 0.0]]).any(0, keepdim=True)
torch.ones(2, 3).all((0, 1))
torch.zeros(2, 3).any(dim=[0, -1], keepdim=True)
t([2, 3], dtype=torch.uint8).all()
t([2, 0], dtype=torch.uint8).any(0)
t([nan]).all()
t([[1, 0], [1, 1]]).all(())
torch.zeros(0, 2).all(0)
torch.zeros(0, 2).any()
torch.all(t(True), 0)
t([True]).any(1)
torch.count_nonzero(t([[1.0, 0.0], [nan, 2.0]]))
torch.count_nonzero(t([[1, 0], [3, 2]]), dim=1)
t([[True, False], [True, True]]).count_nonzero((0, 1))
torch.zeros(0).count_nonzero()
# variance
t([1.0, 2.0, 4.0]).var()
t([1.0, 2.0, 4.0]).std()
t([1.0, 2.0, 4.0]).var(False)
t([1.0, 2.0, 4.0]).std(unbiased=False)
t([1.0, 2.0, 4.0]).var(correction=2)
t([1.0, 2.0, 4.0]).std(correction=0.5)
t([[1.0, 2.0], [3.0, 5.0]]).var(0)
t([[1.0, 2.0], [3.0, 5.0]]).std(1, False)
t([[1.0, 2.0], [3.0, 5.0]]).std((0, 1), keepdim=True)
t([[1.0, 2.0], [3.0, 5.0]]).var(dim=[0, -1], unbiased=True)
t([1.0, 2.0], dtype=torch.float64).var()
t([1.0, nan]).var()
t([1.0, inf]).std()
t([1e4, 1e4 + 1, 1e4 + 2]).var()
t([5.0]).var()
t(5.0).std()
t([5.0]).var(unbiased=False)
t([1.0, 2.0]).std(correction=2)
t([1.0, 2.0]).std(correction=3)
torch.zeros(0).var()
torch.zeros(0, 2).std(1)
torch.zeros(2, 0).std(1, unbiased=False)
t([1, 2]).var()
t([1, 2]).std(0)
# norms
t([3.0, -4.0]).norm()
t([3.0, -4.0]).norm(1)
t([3.0, -4.0, 0.0]).norm(0)
t([3.0, -4.0]).norm(inf)
t([3.0, -4.0]).norm(-inf)
t([3.0, -4.0]).norm(p=3)
t([3.0, 0.0]).norm(-1)
torch.norm(t([[3.0, -4.0], [6.0, 8.0]]), dim=1)
torch.norm(t([[3.0, -4.0], [6.0, 8.0]]), "fro", dim=(0, 1), keepdim=True)
torch.norm(t([[3.0, -4.0], [6.0, 8.0]]), 1, 0)
torch.norm(t([3.0, -4.0]), dtype=torch.float64)
t([3.0, nan]).norm()
t([inf, 1.0]).norm()
t(-3.0).norm()
torch.zeros(0).norm()
torch.zeros(0).norm(inf)
torch.zeros(2, 0).norm(1, dim=1)
torch.zeros(2, 0).norm(inf, dim=1)
t([1, 2]).norm()
torch.norm(torch.ones(2, 2), p="bad")
# logsumexp
torch.logsumexp(t([1000.0, 1000.0]), 0)
t([[1.0, 2.0], [3.0, 4.0]]).logsumexp(1, keepdim=True)
t([[1.0, 2.0], [3.0, 4.0]]).logsumexp((0, 1))
t([-inf, -inf]).logsumexp(0)
t([inf, 1.0]).logsumexp(0)
t([-inf, 1.0]).logsumexp(0)
t([nan, 1.0]).logsumexp(0)
torch.logsumexp(t([1, 2]), 0)
torch.logsumexp(torch.zeros(2, 0), 1)
torch.logsumexp(t(2.0), 0)
t([1.0]).logsumexp()
t([1.0, 2.0]).logsumexp(())
t([1.0, 2.0]).logsumexp((), True)
t([True, False, True]).median()
t([True, False, True]).median(0)
t([], dtype=torch.bool).median()
"""


def slopes(torch, function, *numbers):
    """A result and the gradient of its sum."""
    x = torch.tensor(numbers, requires_grad=True)
    out = function(x)
    out.sum().backward()
    return [out, x.grad]


def ties(torch):
    inf = float("inf")
    return [
        slopes(torch, function, 2.0, -2.0, 2.0, 1.0)
        for function in (
            lambda x: x.max(),
            lambda x: x.amax(),
            lambda x: x.amax(0),
            lambda x: x.max(0).values,
            lambda x: x.min(),
            lambda x: x.norm(inf),
            lambda x: x.norm(-inf),
        )
    ]


def several_dimensions_tie(torch):
    x = torch.tensor([[1.0, 3.0], [3.0, 2.0]], requires_grad=True)
    x.amax((0, 1)).backward()
    x.amin(1, keepdim=True).sum().backward()
    return x.grad


def nan_among_the_largest(torch):
    nan = float("nan")
    return [
        slopes(torch, lambda x: x.max(), 1.0, nan, 2.0, nan),
        slopes(torch, lambda x: x.amax(), 1.0, nan, 2.0),
        slopes(torch, lambda x: x.max(0).values, 1.0, nan, 2.0),
    ]


def spread_of_equal_entries(torch):
    return [slopes(torch, lambda x: x.std(), 3.0, 3.0), slopes(torch, lambda x: x.var(), 3.0, 3.0)]


def norms_at_zero(torch):
    return [slopes(torch, lambda x, p=p: x.norm(p), 0.0, 0.0) for p in (1, 2, 3, 1.5, float("inf"))]


def norms_of_vectors_with_a_zero(torch):
    return [slopes(torch, lambda x, p=p: x.norm(p), 0.0, -2.0) for p in (0.5, 1, 2, 3, -1)]


def number_of_nonzeros_has_no_gradient(torch):
    return slopes(torch, lambda x: x.norm(0), 0.0, 1.0)


def logsumexp_at_infinity(torch):
    inf = float("inf")
    return [
        slopes(torch, lambda x: x.logsumexp(0), *numbers)
        for numbers in ((-inf, 1.0), (inf, 1.0), (-inf, -inf))
    ]


def second_derivatives(torch):
    x = torch.tensor([3.0, -4.0], requires_grad=True)
    found = []
    for function in (lambda x: x.norm(), lambda x: x.std(), lambda x: x.logsumexp(0)):
        (slope,) = torch.autograd.grad(function(x), x, create_graph=True)
        found += torch.autograd.grad((slope * torch.tensor([1.0, 2.0])).sum(), x)
    return found


def names_of_nodes(torch):
    x = torch.tensor([[3.0, -4.0]], requires_grad=True)
    return [
        x.amax(),
        x.amin(1),
        x.var(),
        x.std(1),
        x.norm(),
        x.logsumexp(1),
        x.sum(axis=0),
        x.mean(0),
        x.max(1),
        x.max(),
    ]


def a_training_step_with_statistics(torch):
    x = torch.linspace(-2, 3, 12, dtype=torch.float64).reshape(4, 3).requires_grad_()
    normal = (x - x.mean(0, keepdim=True)) / (x.var(0, unbiased=False, keepdim=True) + 1e-5).sqrt()
    (normal * torch.arange(12.0).reshape(4, 3)).sum().backward()
    return [normal, x.grad]


PROGRAMS = (
    ties,
    several_dimensions_tie,
    nan_among_the_largest,
    spread_of_equal_entries,
    norms_at_zero,
    norms_of_vectors_with_a_zero,
    number_of_nonzeros_has_no_gradient,
    logsumexp_at_infinity,
    second_derivatives,
    names_of_nodes,
    a_training_step_with_statistics,
)

# Programs whose error is of PyTorch's type, but in words of our own.
OTHER_WORDS = {
    # PyTorch lists the signatures that it knows.
    "torch.sum(t([1.0]), 1.5)",
    "torch.sum(t([1.0]), dimension=0)",
    "torch.sum()",
    "torch.max(t([1, 5]), 2.0)",
    "t([1.0]).logsumexp()",
    # Ours say of which norm.
    "torch.zeros(2, 0).norm(inf, dim=1)",
}
