"""Programs about what NumPy answers differently from one of its versions to the next."""

from __future__ import annotations

from compared.refusals import refusal

EXPRESSIONS = """
# steps of integers are integers
[t([3, -2], dtype=d).floor() for d in (torch.int8, torch.int16, torch.int32, torch.int64)]
[t([3, -2], dtype=d).ceil() for d in (torch.int8, torch.int16, torch.int32, torch.int64)]
[t([3, -2], dtype=d).trunc() for d in (torch.int8, torch.int16, torch.int32, torch.int64)]
[t([3, -2], dtype=d).round() for d in (torch.int8, torch.int16, torch.int32, torch.int64)]
[f(t([200, 3], dtype=torch.uint8)) for f in (torch.floor, torch.ceil, torch.trunc, torch.round)]
[f(t(5)) for f in (torch.floor, torch.ceil, torch.trunc, torch.round)]
[f(t([2**62 + 1])).item() for f in (torch.floor, torch.ceil, torch.trunc, torch.round)]
[f(torch.zeros(0, dtype=torch.int8)) for f in (torch.floor, torch.ceil, torch.trunc, torch.round)]
[t([3, -2]).floor_(), t([3, -2]).ceil_(), t([3, -2]).trunc_(), t([3, -2]).round_()]
torch.floor(t([True]))
torch.ceil(t([True]))
torch.trunc(t([True]))
torch.round(t([True]))
torch.round(t([15, 25]), decimals=-1)
torch.round(t([15, 25], dtype=torch.uint8), decimals=1)
torch.round(t([1.25, 15.0]), decimals=1)
# powers of values without dimensions
t([2.0, 3.0])[0] ** t(2.0, dtype=torch.float64)
t(2.0)[...] ** t(2.0, dtype=torch.float64)
t(2.0) ** t([2.0], dtype=torch.float64)[0]
torch.pow(t([2.0, 3.0])[0], t([3.0], dtype=torch.float64)[0])
t([2.0, 3.0]) ** t(2.0, dtype=torch.float64)
t([2.0, 3.0]) ** t([2.0], dtype=torch.float64)[0]
t([2, 3]) ** t(2.0, dtype=torch.float64)
t([2, 3])[0] ** t(0.5, dtype=torch.float64)
t([2, 3], dtype=torch.int8)[0] ** t(2, dtype=torch.int64)
t([9, 4], dtype=torch.int8) ** 0.5
t([9, 4], dtype=torch.int16) ** 0.5
t([9, 4], dtype=torch.int16) ** t(0.5)
t([9, 4], dtype=torch.uint8)[0] ** -1.0
"""


def steps_of_integers_share_no_memory(torch):
    x = torch.tensor([1, 2])
    results = [f(x) for f in (torch.floor, torch.ceil, torch.trunc, torch.round)]
    x += 10
    return results


def gradients_of_powers_of_mixed_dtypes(torch):
    def gradients(base, exponent):
        power = base[0] ** exponent
        return [power, *torch.autograd.grad(power, (base, exponent))]

    single, double = torch.float32, torch.float64
    return [
        gradients(
            torch.tensor([1.5, 2.0], dtype=first, requires_grad=True),
            torch.tensor(2.5, dtype=second, requires_grad=True),
        )
        for first, second in ((single, double), (double, single))
    ]


def powers_of_integers_in_double_precision(torch):
    integers = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
    try:
        torch.set_default_dtype(torch.float64)
        nines = [torch.tensor([9, 2], dtype=dtype) for dtype in integers]
        return [[x**0.5, x**-1.0, x**2.0, x[0] ** 0.5] for x in nines]
    finally:
        torch.set_default_dtype(torch.float32)


def fractions_where_integers_belong(torch):
    x = torch.ones(2, 2)
    return [
        *[refusal(torch.roll, x, shift) for shift in (0.5, 2.0, True, None)],
        *[refusal(torch.roll, x, shifts, (0, 1))[:9] for shifts in ((1, 1.5), (True, 1))],
        *[refusal(f, x, k) for f in (torch.tril, torch.triu) for k in (0.5, 1.0, True, None)],
        *[refusal(torch.tril, x, torch.tensor(k)) for k in ([], [1, 2], 1.0)],
    ]


def integers_in_tensors_where_integers_belong(torch):
    x = torch.tensor([[1, 2], [3, 4]])
    one = torch.tensor(1)
    return [torch.roll(x, one), torch.roll(x, (one,), (0,)), x.tril(-one), x.triu(one.reshape(1))]


PROGRAMS = (
    steps_of_integers_share_no_memory,
    gradients_of_powers_of_mixed_dtypes,
    powers_of_integers_in_double_precision,
    fractions_where_integers_belong,
    integers_in_tensors_where_integers_belong,
)
