"""Programs about running sums and sorting."""

from __future__ import annotations

EXPRESSIONS = """
# running sums
torch.cumsum(t([1.0, 2.0, 3.0]), 0)
t([[1, 2], [3, 4]]).cumsum(1)
t([[1, 2], [3, 4]]).cumsum(axis=0)
t([True, True, False]).cumsum(0)
t([200, 100], dtype=torch.uint8).cumsum(0)
t([1, 2]).cumsum(0, dtype=torch.float32)
t([1.0, nan, 2.0]).cumsum(-1)
t(3.0).cumsum(0)
torch.zeros(0).cumsum(0)
torch.zeros(2, 0).cumsum(0)
t([1.0]).cumsum(1)
t([1.0]).cumsum()
torch.cumsum([1.0], 0)
# sorting
t([3.0, 1.0, 2.0]).sort()
torch.sort(t([[3, 1], [2, 5]]), 0)
torch.sort(t([[3, 1], [2, 5]]), dim=-1, descending=True)
t([3.0, 1.0, 2.0]).sort(axis=0)
t([1.0, 1.0, 0.0, 1.0]).sort(stable=True)
t([1.0, 1.0, 0.0, 1.0]).sort(stable=True, descending=True, dim=0)
t([nan, 1.0, -inf, inf]).sort()
t([nan, 1.0, -inf, inf]).sort(descending=True)
t([True, False, True]).sort()
t([3, 0, 255], dtype=torch.uint8).sort(descending=True)
t([-128, 127, 0], dtype=torch.int8).sort(0, True)
t(5.0).sort()
torch.zeros(0).sort()
torch.zeros(2, 0).sort(0)
t([1.0]).sort(1)
torch.ones(2, 3).T.sort()
torch.sort(3)
t([3.0, 1.0, 2.0]).argsort()
torch.argsort(t([[3, 1], [2, 5]]), dim=0, descending=True)
t(5).argsort(0)
t([0.0, -0.0]).argsort(stable=True)
# the largest few
torch.topk(t([1.0, 5.0, 3.0, 4.0]), 2)
t([1.0, 5.0, 3.0, 4.0]).topk(3, largest=False)
t([[1, 5], [7, 2], [4, 3]]).topk(2, dim=0)
t([[1, 5], [7, 2], [4, 3]]).topk(1, 1, False)
t([1.0, nan, 3.0]).topk(2)
t([1.0, nan, 3.0]).topk(2, largest=False)
t([2.0, 1.0]).topk(2)
t([2.0, 1.0]).topk(0)
t([2.0, 1.0]).topk(3)
t([2.0, 1.0]).topk(-1)
t([2.0, 1.0]).topk(1, dim=1)
t([True, False]).topk(1)
t(2.0).topk(1)
t(2.0).topk(0)
torch.zeros(2, 0).topk(0)
torch.topk(t([1.0, 5.0]), k=1, dim=-1, largest=True, sorted=True).indices
[x.tolist() for x in t([3.0, 1.0]).sort()]
"""


def gradients_follow_their_entries(torch):
    x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
    (x.sort().values * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    y = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
    (y.topk(2).values * torch.tensor([1.0, 10.0])).sum().backward()
    z = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
    (z.cumsum(0) * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    return [x.grad, y.grad, z.grad]


def names_of_nodes(torch):
    x = torch.tensor([3.0, 1.0], requires_grad=True)
    return [x.sort(), x.topk(1), x.cumsum(0), x.argsort()]


def results_by_name(torch):
    found = torch.tensor([3, 1, 2]).sort(descending=True)
    values, indices = found
    return [found.values, found.indices, values, indices, found[0], len(found)]


def topk_accuracy(torch):
    scores = torch.linspace(-1, 1, 20).reshape(4, 5).sin() * torch.tensor([1.0, -1, 2, 0.5, 3])
    _, best = scores.topk(2, dim=1)
    return [best, (best == torch.tensor([[0], [1], [2], [4]])).any(1).float().mean()]


PROGRAMS = (gradients_follow_their_entries, names_of_nodes, results_by_name, topk_accuracy)

# Programs whose error is of PyTorch's type, but in words of our own: PyTorch lists signatures.
OTHER_WORDS = {"t([1.0]).cumsum()"}
