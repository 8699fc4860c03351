"""Arguments that change from call to call: each gets what an ordinary call makes of it."""

from __future__ import annotations

import pytest
from compiled_twice import histories

import minigrad as torch


def leaf(call):
    return torch.full((3,), float(call), requires_grad=True)


def ones(call):
    return torch.ones(3) * call


def twice(thing):
    return thing, thing


def gradients(x, y):
    (x * y).sum().backward()
    return x.grad * 1, y.grad * 1


def grown(x):
    count = 0
    while x.norm() < 50:
        x = x * 2 + 1
        count += 1
    return x, count


CASES = {
    "layouts": (
        lambda x: (x.contiguous() * 1, x.is_contiguous(), x.stride()),
        lambda n: (torch.arange(6.0).reshape(2, 3).T if n % 2 else torch.ones(3, 2) * n,),
    ),
    "one tensor in two places": (
        lambda x, y: (x.mul_(2), y * 1)[1],
        lambda n: twice(ones(n)) if n >= 3 else (ones(n), ones(n)),
    ),
    "overlapping views": (
        lambda x, y: (x.mul_(2), y * 1)[1],
        lambda n: (ones(n)[:2], ones(n)[1:]) if n < 3 else (lambda t: (t[:2], t[1:]))(ones(n)),
    ),
    "one leaf in two places": (
        gradients,
        lambda n: twice(leaf(n)) if n >= 3 else (leaf(n), leaf(1)),
    ),
    "results of recorded operations": (
        lambda x: (x * 2).sum().backward(),
        lambda n: (torch.ones(3, requires_grad=True) * n,),
    ),
    "single numbers, of two kinds": (
        lambda x: x**3,
        lambda n: (torch.tensor(1.5 + n) * 1.1 if n % 2 else torch.tensor(1.7 + n),),
    ),
    "1 and True and 1.0": (
        lambda x, n: x * n,
        lambda n: (torch.ones(2, dtype=torch.bool), [1, True, 1.0][n % 3]),
    ),
    "lists": (lambda xs: sum(xs), lambda n: ([torch.ones(2) * k for k in range(1 + n % 2)],)),
    "written to and returned": (lambda x: x.mul_(2), lambda n: (ones(n),)),
    "shapes that depend on values": (
        lambda x: (torch.unique(torch.round(x * 0.5)), x[x > 1.5]),
        lambda n: (torch.tensor([1.0 + n, 2.0 - n, 0.5 * n]),),
    ),
    "loops that depend on values": (grown, lambda n: (ones(n),)),
    "NaN": (
        lambda x: x * 2 if torch.isnan(x).any() else x + 1,
        lambda n: (torch.tensor([1.0, float("nan") if n % 2 else 2.0]),),
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.filterwarnings("ignore")
def test_each_call_gets_what_is_right_for_its_arguments(name):
    step, arguments = CASES[name]
    plain, compiled, _ = histories(lambda: (step, lambda: ()), arguments, calls=7)
    assert plain == compiled
