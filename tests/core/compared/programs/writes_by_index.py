"""Programs that write where an index says: masks, ``True``, values that do not fit."""

from __future__ import annotations

from compared.refusals import refusal

EXPRESSIONS = """
t([[1, 2]]).scatter(0, t([[0, 0]]), 300)
t([7, 8], dtype=torch.uint8).scatter_(0, t([0]), -1)
t([7, 8], dtype=torch.uint8).scatter(0, t([1]), value=-2)
t([7, 8], dtype=torch.uint8).scatter(0, t([0]), 300)
t([7, 8], dtype=torch.uint8).scatter(0, t([0]), 1.5)
t([7, 8], dtype=torch.int32).scatter(0, t([0]), 2**40)
t([True, False]).scatter(0, t([1]), 2)
t([7.0, 8.0]).scatter(0, t([1]), True)
torch.zeros(0, 3, dtype=torch.uint8).scatter_(0, torch.zeros(0, 3, dtype=torch.int64), -1)
"""


def a_mask_and_values_of_the_wrong_shape(torch):
    x = torch.tensor([[1.0, -2.0], [3.0, 4.0]])

    def write(value):
        x[x > 0] = value

    return [
        refusal(write, torch.zeros(2, 2)),
        refusal(write, torch.zeros(2, 1)),
        refusal(write, torch.zeros(2)),
        refusal(write, torch.zeros(3)),
        refusal(write, torch.zeros(1, 1)),
        x,
    ]


def a_mask_of_nothing_and_values_of_the_wrong_shape(torch):
    x = torch.zeros(0, 3)
    x[x > 0] = torch.zeros(0, 3)


def true_as_an_index_converts_what_is_written(torch):
    x = torch.tensor([[1, 3], [3, 4]])
    x[True] = torch.tensor([[-1.5, 1.5]])
    return x


def true_and_false_as_indices_of_what_has_a_history(torch):
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    value = torch.tensor(5.0, requires_grad=True)
    y = x * 2
    y[False] = 100.0
    z = x * 3
    z[True] = value
    (y.sum() + (z * z).sum()).backward()
    return [y, y._version, z, type(z.grad_fn).__name__, x.grad, value.grad]


PROGRAMS = tuple(
    value
    for value in list(globals().values())
    if callable(value) and getattr(value, "__module__", "") == __name__
)
