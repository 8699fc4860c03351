"""Programs that write into tensors and through views."""

from __future__ import annotations

EXPRESSIONS = ""


def writing_into_an_intermediate_result(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    y[0] = 7.0
    y[1:] *= 10
    y += 1
    y.sum().backward()
    return [y, x.grad, y._version]


def writing_through_views_of_views(torch):
    x = torch.arange(6.0).requires_grad_()
    base = (x * 1).view(2, 3)
    base.T[1].mul_(5)
    base[0][0:2].add_(x[4])
    base.sum().backward()
    return [base, x.grad]


def a_view_made_before_the_write(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    base = x * 1
    view = base[1:]
    base.mul_(3)
    view.mul_(2)
    return [base, view, *torch.autograd.grad(base.sum() + view.sum(), x)]


def a_base_that_starts_to_want_a_gradient(torch):
    v = torch.tensor([1.0, 2.0], requires_grad=True)
    base = torch.zeros(2, 2)
    row = base[0]
    row.copy_(v)
    out = (base * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum()
    out.backward()
    return [base, row, v.grad, base.requires_grad, base.is_leaf]


def swapping_rows(torch):
    x = torch.arange(4.0).reshape(2, 2).requires_grad_()
    y = x * 1
    y[[0, 1]] = y[[1, 0]].clone()
    (y * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
    return [y, x.grad]


def writing_by_mask(torch):
    x = torch.tensor([-1.0, 2.0, -3.0], requires_grad=True)
    y = x * 1
    y[y < 0] = 0.0
    y[torch.tensor([True, True, False])] *= 4
    y.sum().backward()
    return [y, x.grad]


def writing_a_number_of_another_dtype(torch):
    x = torch.zeros(4)
    x[0] = 1
    x[1] = True
    x[2:] = torch.tensor([3, 4])
    y = torch.zeros(3, dtype=torch.int64)
    y[0] = 2.7
    y[1:] = torch.tensor([1.9, -1.9])
    z = torch.zeros(2, dtype=torch.bool)
    z[0] = 3
    return [x, y, z]


def assigning_with_broadcast(torch):
    x = torch.zeros(2, 3)
    x[:, 1] = torch.tensor([1.0, 2.0])
    x[0] = torch.tensor([5.0])
    x[1:, :1] = torch.tensor([[[9.0]]])
    x[[0, 1], [2, 2]] = torch.tensor([7.0, 8.0])
    return x


def assigning_with_an_integer_beside_a_list(torch):
    x = torch.zeros(2, 3, 4)
    x[0, :, [1, 3]] = torch.arange(6.0).reshape(3, 2)
    x[1, [0, 2], 1:3] = torch.tensor([[5.0], [6.0]])
    return x


def assigning_a_new_dimension(torch):
    x = torch.zeros(2, 3)
    x[None, :, 0] = torch.tensor([[1.0, 2.0]])
    x[..., None, 2] = 7
    return x


def assigning_repeated_indices(torch):
    x = torch.zeros(3)
    x[[0, 0, 1]] = torch.tensor([5.0, 5.0, 6.0])
    return x


def in_place_on_integers(torch):
    x = torch.tensor([1, 2, 3])
    x += 1
    x *= 2
    x -= torch.tensor(1)
    x[0] = 10
    x.pow_(2)
    return x


PROGRAMS = tuple(
    value
    for value in list(globals().values())
    if callable(value) and getattr(value, "__module__", "") == __name__
)
