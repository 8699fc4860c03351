"""Programs about functions of numbers: division and remainders, choices, angles, steps, logic."""

from __future__ import annotations

import math

EXPRESSIONS = """
# division
t([7, -7, 3]) // 2
t([7.5, -7.5]) // 2
7 // t([2, -2, 3])
7.5 // t([2, 4])
t([1.0, -1.0, 0.0]) // 0
t([1, 2]) // 0
t([1, 2]) // t([1, 0])
t([True]) // True
t([7, 250], dtype=torch.uint8) // 3
torch.div(t([7, -7]), 2, rounding_mode="trunc")
torch.div(t([7, -7]), 2, rounding_mode="floor")
torch.div(t([7.5, -7.5]), 2, rounding_mode="trunc")
torch.div(t([7, -7]), 2.0, rounding_mode="floor")
torch.div(t([7, -7]), 2, rounding_mode=None)
torch.div(t([1.0]), 2, rounding_mode="round")
torch.div(t([1]), 0, rounding_mode="trunc")
t([6.0]).div(4, rounding_mode="floor")
torch.true_divide(t([1, 2]), 2)
torch.divide(t([1.0]), t([4.0]))
torch.floor_divide(t([9, -9]), t([4, 4]))
t([7, -7]) % 3
t([7, -7]) % -3
t([5.5, -5.5]) % 2
7 % t([3, -3])
-7.5 % t([2, 4])
t([5.0, -5.0]) % inf
t([1.0, 0.0]) % 0
t([1]) % 0
t([True]) % True
torch.remainder(t([-4.0, 4.0]), 2)
torch.remainder(t([[-3, 3]]), t([[2], [-2]]))
torch.fmod(t([7, -7]), 3)
torch.fmod(t([5.5, -5.5]), t([2.0, -2.0]))
torch.fmod(t([1]), 0)
torch.fmod(t([7, 8]), 2.5)
torch.fmod(t([1.0]), 0)
torch.reciprocal(t([0, 2]))
# arithmetic by other names
torch.multiply(t([2.0]), 3)
torch.subtract(t([2.0]), 3, alpha=2)
t([2.0]).subtract(1).multiply(4).divide(2)
torch.negative(t([1, -2]))
torch.absolute(t([-1.5]))
+t([1.0, -2.0])
+t([True])
torch.positive(t([1]))
torch.square(t([3, -4]))
torch.square(t([True, False]))
t([1.5], requires_grad=True).square()
torch.addcmul(t([1.0]), t([2.0]), t([3.0]), value=0.5)
torch.addcmul(t([1, 2]), t([3, 4]), t([5, 6]), value=2)
t([1, 2]).addcmul(t([0.5]), t([4.0]))
torch.addcdiv(t([1.0]), t([6.0]), t([3.0]), value=2)
torch.addcdiv(t([1]), t([6]), t([3]))
torch.addcdiv(t([1.0]), t([1.0]), t([0.0]))
torch.lerp(t([0.0, 10.0]), t([4.0, 20.0]), 0.25)
torch.lerp(t([0.0]), t([4.0]), t([[0.5], [1.0], [2.0]]))
torch.lerp(t([1]), t([2]), 0.5)
torch.lerp(t([1.0]), t([2.0], dtype=torch.float64), 0.5)
torch.lerp(t([0.0, 1.0]), end=t([1.0, 3.0]), weight=1)
torch.add(t([1]), 1, alpha=0.5)
torch.add(t([1]), t([0.5]), alpha=1.5)
torch.sub(t([5, 6]), t([1, 2]), alpha=2)
# choices
torch.clamp(t([-2.0, 0.5, 3.0]), 0, 1)
torch.clamp(t([-2.0, 0.5, nan]), min=0)
t([-2.0, 0.5, 3.0]).clamp(max=1)
torch.clip(t([-2, 5]), -1, 1)
torch.clamp(t([-2, 5]), min=0.5)
torch.clamp(t([-2, 5]), 0.5, 2)
torch.clamp(t([True, False]), 0, 1)
torch.clamp(t([1.0, 2.0]), 5, 1)
torch.clamp(t([1.0]), nan)
torch.clamp(t([1.0]))
torch.clamp(t([1.0]), 0, t([2.0]))
torch.clamp(t([1.0, 2.0, 3.0]), min=t([2.0, 0.0, 0.0]), max=t([3.0, 1.0, 9.0]))
torch.clamp(t([[1.0], [4.0]]), max=t([2.0, 3.0]))
torch.clamp(t([1, 4]), min=t([2.5]))
torch.clamp(t(3), max=2)
torch.clamp_min(t([-1.0, 1.0]), 0)
t([-1, 1]).clamp_max(0)
t([-1.0, 1.0]).clamp_min(t([0.0, 2.0]))
torch.clamp(torch.zeros(0), 0, 1)
torch.maximum(t([1.0, nan, 3.0]), t([2.0, 0.0, nan]))
torch.minimum(t([1, 5]), t([2.5, 2.5]))
torch.maximum(t([[1], [4]]), t([2, 3]))
torch.maximum(t([True, False]), t([False, False]))
torch.maximum(t([1, 2]), t([1, 2, 3]))
torch.maximum(t([1.0, -1.0]), 0)
torch.minimum(0, t([1.0, -1.0]))
torch.nan_to_num(t([nan, inf, -inf, 1.0]))
torch.nan_to_num(t([nan, inf, -inf]), nan=2.0, posinf=5.0, neginf=-5.0)
torch.nan_to_num(t([1, 2]))
torch.where(t([True, False, True]))
torch.where(t([[0, 1], [2, 0]]))
torch.where(t(True))
torch.where(t([1, 0]), 1.0, 2.0)
torch.where(t([True]), t([1.0]))
# powers, exponentials, logarithms
torch.exp2(t([0.0, 1.0, -1.0, 200.0]))
torch.expm1(t([0.0, 1e-5, 1.0, -inf]))
torch.expm1(t([0, 1]))
torch.log2(t([8.0, 0.0, -1.0]))
torch.log2(t([1, 2, 4]))
torch.log10(t([1000.0, 2.0]))
torch.log1p(t([0.0, 1e-5, -1.0, -2.0]))
t([1.0], requires_grad=True).log1p()
torch.rsqrt(t([4.0, 0.0, -1.0]))
torch.rsqrt(t([1, 4]))
torch.logaddexp(t([0.0, 1000.0, -inf]), t([0.0, 1000.0, -inf]))
torch.logaddexp(t([1]), t([2]))
torch.xlogy(t([0.0, 0.0, 2.0, nan]), t([0.0, nan, 3.0, 1.0]))
torch.xlogy(t([2, 3]), 2)
torch.xlogy(2, t([1.0, 4.0]))
torch.logit(t([0.0, 0.25, 1.0, 2.0]))
torch.logit(t([0.0, 0.25, 1.0]), eps=0.1)
torch.logit(t([0, 1], dtype=torch.uint8))
torch.sigmoid(t([-100.0, -50.0, 20.0, inf, -inf, nan]))
torch.sigmoid(t([-800.0, 40.0], dtype=torch.float64))
# angles
torch.tan(t([0.0, 1.0, -1.5]))
torch.asin(t([0.5, -1.0, 2.0]))
torch.acos(t([0.5, -1.0, 2.0]))
torch.atan(t([0.5, inf, -inf]))
torch.atan(t([1, 0]))
torch.atan2(t([1.0, -1.0, 0.0, -0.0]), t([-1.0, -1.0, -1.0, -1.0]))
torch.atan2(t([1, 0]), t([0, 1]))
torch.atan2(t([1.0]), 2)
torch.arctan2(t([1.0]), t([[1.0], [2.0]]))
[torch.arcsin(t(0.5)), torch.arccos(t(0.5)), torch.arctan(t(0.5))]
torch.sinh(t([0.0, 1.0, -100.0]))
torch.cosh(t([0.0, 1.0, -100.0]))
torch.asinh(t([0.0, 2.0, -1e10]))
torch.acosh(t([1.0, 2.0, 0.5]))
torch.atanh(t([0.0, 0.5, 1.0, -2.0]))
[torch.arcsinh(t(0.5)), torch.arccosh(t(1.5)), torch.arctanh(t(0.5))]
torch.deg2rad(t([180.0, -90.0]))
torch.rad2deg(t([3.14159265, 1.0]))
torch.deg2rad(t([180, 90]))
torch.erf(t([0.0, 1e-20, 0.1, 0.5, 1.0, 2.0, 3.0, 4.0, -5.0, inf, -inf, nan, 1e30]))
torch.erf(t([0.0, 1e-3, 0.3, 1.0, -2.5, 6.0], dtype=torch.float64)).tolist()
torch.erf(t([0, 1, -2]))
torch.erf(t(0.5))
torch.erfc(t([0.0, 1.0, 3.0, 8.0, -3.0]))
torch.erfc(t([0.5, 5.0, 20.0], dtype=torch.float64)).tolist()
# steps
torch.floor(t([1.5, -1.5, -0.5, nan, inf]))
torch.ceil(t([1.5, -1.5, -0.5]))
torch.trunc(t([1.5, -1.5, -0.5]))
torch.fix(t([2.7]))
torch.round(t([0.5, 1.5, 2.5, -0.5, -1.5, 2.6]))
torch.round(t([3.14159, -2.71828]), decimals=2)
torch.round(t([1234.5, 1250.0]), decimals=-2)
torch.round(t([1, 2]))
round(float(t(2.567)), 1)
torch.frac(t([1.75, -1.75, 3.0]))
torch.frac(t([1]))
[torch.floor(t([1, -2])), torch.ceil(t([1, -2])), torch.trunc(t([1, -2]))]
torch.sgn(t([-2.0, 0.0, 5.0]))
torch.floor(t([True]))
torch.round(t([True]))
torch.abs(t([True]))
torch.relu(t([True]))
torch.abs(t([-128], dtype=torch.int8))
# questions
torch.isnan(t([1.0, nan, inf]))
torch.isinf(t([1.0, nan, -inf]))
torch.isfinite(t([1.0, nan, inf]))
torch.isnan(t([1, 2]))
torch.isnan(1.0)
torch.isclose(t([1.0, 2.0, nan]), t([1.000001, 2.1, nan]))
torch.isclose(t([1.0, inf, nan]), t([1.4, inf, nan]), rtol=0.5, equal_nan=True)
torch.isclose(t([1, 2]), t([1, 3]))
torch.isclose(t([1.0]), t([1]))
torch.allclose(t([1.0, 2.0]), t([[1.0, 2.0], [1.0, 2.0]]))
torch.allclose(t([1.0]), t([1.1]), atol=0.2)
torch.allclose(t([1.0, 2.0]), t([1.0, 2.0, 3.0]))
torch.allclose(torch.zeros(0), torch.zeros(0))
[torch.equal(t([1.0]), t([1.0])), torch.equal(t([1.0]), t([[1.0]]))]
torch.equal(t([nan]), t([nan]))
torch.equal(t([1.0]), 1.0)
t([1, 2]).equal(t([1, 2]))
# comparisons and logic
[torch.less(t(1), t(2)), torch.greater(t(1), t(2)), torch.less_equal(t(1), t(1))]
[torch.greater_equal(t(1), 2), torch.not_equal(t(1), 1), t([1]).less(2), t([1]).not_equal(2)]
torch.logical_and(t([1.0, 0.0, nan]), t([True, True, True]))
torch.logical_or(t([0, 1]), t([0, 0]))
torch.logical_xor(t([True, False]), t([1.5, 0.0]))
torch.logical_not(t([0.0, -0.0, 2.0]))
torch.logical_and(t([True]), True)
torch.bitwise_and(t([6, 3]), 2)
torch.bitwise_xor(t([True, False]), t([True, True]))
# integers: numbers wrap around, fractions of them are refused or cut off
t([1, 2]) ** t([-1, 2])
t([1, 2, 0, -1]) ** t([-1, -2, -1, -3])
t([1, 2, 3], dtype=torch.uint8) ** t([-1, -2, 2], dtype=torch.int8)
t([1, 2]) ** t(-1)
2 ** t([-1, 2])
(-1) ** t([-1, -2])
t([True]) ** t([-1])
t([20], dtype=torch.uint8) ** 300
t([1, 5], dtype=torch.uint8) * -1
t([1, 5], dtype=torch.uint8) - 300
t([1, 5], dtype=torch.int8) + 200
t([1, 5], dtype=torch.int32) * 2**40
t([1, 5]) * 2**63
t([1, 5]) * 2**64
-1 - t([1, 5], dtype=torch.uint8)
t([1, 5], dtype=torch.uint8) // -2
t([1, 5], dtype=torch.uint8) % -2
t([1, 5], dtype=torch.uint8) > -1
t([255, 5], dtype=torch.uint8) == -1
t([44, 5], dtype=torch.uint8) == 300
t([1, 5]) < 2**70
t(-3) > t([5, 0], dtype=torch.uint8)
t([0.1]) == t(0.1, dtype=torch.float64)
t([1, 5], dtype=torch.uint8) & -2
t([1, 5], dtype=torch.uint8).clamp(-1, 3)
t([1, 5], dtype=torch.uint8).clamp(2, 300)
t([1, 5], dtype=torch.uint8).fill_(-1)
t([1, 5], dtype=torch.uint8).fill_(300)
t([1, 5]).fill_(nan)
t([1, 5], dtype=torch.uint8).mul_(-1)
torch.where(t([True, False]), t([1, 5], dtype=torch.uint8), -1)
torch.where(t([True, False]), t([1, 5], dtype=torch.uint8), 300)
torch.addcmul(t([1, 2]), t([1, 2]), t([3, 4]), value=0.5)
torch.addcmul(t([1, 2]), t([1, 2]), t([3, 4]), value=-1.5)
torch.addcmul(t([1.0]), 2.0, t([2.0]))
torch.addcmul(t([True]), t([True]), t([True]))
torch.addcmul(t([1.0], requires_grad=True), t([2.0]), t([3.0]), value=2)
torch.addcdiv(t([1.0], requires_grad=True), t([2.0]), t([4.0]), value=2)
torch.addcmul(t([1.0, 2.0]), t([1.0, 2.0, 3.0]), t([1.0]))
torch.lerp(t([1.0, 2.0]), t([3.0, 4.0]), t(0.5, dtype=torch.float64))
torch.lerp(t([1.0, 2.0]), t([3.0, 4.0]), t(1))
t([inf, nan]).sum(dtype=torch.int64)
t([True, False]).clamp(False, True)
# what has no derivative
t([5.0], requires_grad=True) // 2
(t([5.0], requires_grad=True) // t([2.0])).sum().backward()
(7 // t([5.0], requires_grad=True)).sum().backward()
(7 % t([5.0], requires_grad=True)).sum().backward()
# a sequence times a tensor
[0] * t(2)
(1,) * t(2)
[0] * t(2.0)
[0, 1] * t([1, 2])
"""


def gradients(torch, function, *inputs):
    """Of the sum of a function of vectors: one list for each vector."""
    tensors = [torch.tensor(values, requires_grad=True) for values in inputs]
    function(*tensors).sum().backward()
    return [x.grad for x in tensors]


def gradients_at_the_bounds_of_clamp(torch):
    x = [-2.0, -1.0, 0.0, 1.0, 2.0]
    return [
        gradients(torch, lambda x: torch.clamp(x, -1, 1), x),
        gradients(torch, lambda x: torch.clamp(x, min=0), x),
        gradients(torch, lambda x: x.clamp(max=0), x),
        gradients(torch, lambda x: torch.clamp(x, 1, -1), x),
        gradients(torch, lambda x: x.clamp_min(0), x),
        gradients(torch, lambda x, low: torch.clamp(x, min=low), x, [-2.0, 0.0, 0.0, 2.0, 1.0]),
        gradients(
            torch,
            lambda x, low, high: torch.clamp(x, low, high),
            [0.0, 5.0, 1.0, 2.0],
            [0.0, 0.0, 2.0, 3.0],
            [1.0, 5.0, 1.0, 1.0],
        ),
    ]


def ties_share_the_gradient(torch):
    x, y = [1.0, 2.0, 3.0, float("nan")], [1.0, 3.0, 2.0, 1.0]
    return [gradients(torch, torch.maximum, x, y), gradients(torch, torch.minimum, x, y)]


def steps_have_no_slope(torch):
    x = [-1.5, 0.0, 2.0]
    functions = [torch.floor, torch.ceil, torch.trunc, torch.round, torch.sign, torch.frac]
    return [gradients(torch, function, x) for function in functions]


def slopes_at_kinks_and_ends(torch):
    return [
        gradients(torch, torch.abs, [-1.0, 0.0, 1.0]),
        gradients(torch, torch.relu, [-1.0, 0.0, 1.0, float("nan")]),
        gradients(torch, torch.sqrt, [0.0, 4.0]),
        gradients(torch, torch.rsqrt, [0.0, 4.0]),
        gradients(torch, torch.asin, [1.0, 0.5, 2.0]),
        gradients(torch, torch.acosh, [1.0, 0.5, 2.0]),
        gradients(torch, torch.log1p, [-1.0, 0.0]),
        gradients(torch, torch.nan_to_num, [float("nan"), float("inf"), 1.0]),
        gradients(torch, torch.xlogy, [0.0, 0.0, 2.0], [0.0, 1.0, 4.0]),
        gradients(torch, torch.square, [0.0, 3.0]),
    ]


def slopes_of_remainders(torch):
    a, b = [7.5, -7.5, 7.5, -7.5], [2.0, 2.0, -2.0, -2.0]
    return [
        gradients(torch, torch.remainder, a, b),
        gradients(torch, torch.fmod, a, b),
        gradients(torch, lambda x, y: torch.div(x, y, rounding_mode="floor"), a, b),
        gradients(torch, lambda x, y: torch.div(x, y, rounding_mode="trunc"), a, b),
    ]


def where_and_relu_keep_infinite_gradients_out(torch):
    x = torch.tensor([-1.0, 2.0], requires_grad=True)
    torch.relu(x).backward(torch.tensor([float("inf"), float("nan")]))
    y = torch.tensor([-1.0, 2.0], requires_grad=True)
    torch.where(y > 0, y, 0.0).backward(torch.tensor([float("inf"), 1.0]))
    return [x.grad, y.grad]


def in_place(torch):
    def written(values, name, *args, **options):
        x = torch.tensor(values)
        same = getattr(x, name)(*args, **options) is x
        return [same, x]

    other = torch.tensor([2.0, 4.0])
    return [
        written([-2.0, 0.5], "clamp_", -1, 1),
        written([-2.0, 0.5], "clip_", min=0),
        written([-2.0, 0.5], "clamp_min_", 0.0),
        written([-2.0, 0.5], "clamp_max_", 0.0),
        written([1.5, -1.5], "floor_"),
        written([1.5, -1.5], "ceil_"),
        written([1.5, -1.5], "round_"),
        written([1.234, 5.678], "round_", decimals=1),
        written([1.5, -1.5], "trunc_"),
        written([1.0, 2.0], "sin_"),
        written([1.0, 2.0], "cos_"),
        written([1.0, 2.0], "tan_"),
        written([1.0, 2.0], "exp_"),
        written([1.0, 2.0], "expm1_"),
        written([1.0, 2.0], "log1p_"),
        written([1.0, 2.0], "erf_"),
        written([3.0, 2.0], "square_"),
        written([4.0, 2.0], "reciprocal_"),
        written([4.0, 1.0], "rsqrt_"),
        written([1.0, 2.0], "lerp_", other, 0.5),
        written([7.0, -7.0], "remainder_", 4),
        written([7.0, -7.0], "fmod_", 4),
        written([7, -7], "floor_divide_", 2),
        written([1.0, 2.0], "addcmul_", other, other, value=0.5),
        written([1.0, 2.0], "addcdiv_", other, other, value=-1),
        written([-1.0, 2.0], "abs_"),
        written([-1.0, 2.0], "sign_"),
        written([float("nan"), 1.0], "nan_to_num_", 0.5),
        written([0.0, 2.0], "logical_not_"),
        written([6.0, 2.0], "div_", 4, rounding_mode="floor"),
        written([6, 3], "bitwise_and_", 2),
    ]


def in_place_operators(torch):
    x, y = torch.tensor([7, -7, 12]), torch.tensor([7.5, -7.5])
    found = []
    x //= 2
    y //= 2
    found += [x.clone(), y.clone()]
    x %= 4
    y %= 3
    found += [x.clone(), y.clone()]
    x &= 3
    x |= 4
    x ^= 1
    mask = torch.tensor([True, False])
    mask &= torch.tensor([True, True])
    return [*found, x, mask]


def integers_refuse_fractions_in_place(torch):
    torch.tensor([1, 2]).exp_()


def clamp_keeps_integers(torch):
    x = torch.tensor([1, 5], dtype=torch.int32)
    return [x.clamp(2, 3).dtype, x.clamp(2.0).dtype, x.clamp_(max=2).dtype, x]


def many_signs_at_once(torch):
    """Enough entries for the ways that only large arrays take."""
    x = torch.sin(torch.arange(3000.0)).requires_grad_()
    (torch.relu(x) * 2 + torch.clamp(x, -0.5, 0.5) + torch.where(x > 0, x, -x)).sum().backward()
    return [x.grad[:9], x.grad.sum()]


def gradients_at_the_edges_of_a_domain(torch):
    inf, nan = math.inf, math.nan
    bounds = [-inf, inf, 1.0, inf]
    return [
        gradients(torch, torch.logit, [-0.5, 0.0, 0.5, 1.0, 1.5]),
        gradients(torch, lambda x: torch.logit(x, 0.1), [-0.5, 0.0, 0.1, 0.5, 0.95]),
        gradients(torch, lambda x: x.clamp(torch.tensor(bounds)), [1.0, 2.0, 3.0, nan]),
        gradients(torch, lambda m: torch.ones(4).clamp(m), bounds),
        gradients(torch, lambda m: torch.ones(4).clamp(max=m), bounds),
        gradients(torch, lambda x: x.clamp_min(1.0), [0.5, 1.0, 2.0, nan]),
        gradients(torch, lambda x: x.clamp_max(torch.ones(4)), [0.5, 1.0, 2.0, nan]),
        gradients(torch, lambda x: torch.atan2(x, torch.zeros(3)), [0.0, 1.0, -1.0]),
        gradients(torch, lambda x: 1 / x.norm(), [0.0, 0.0]),
    ]


PROGRAMS = (
    gradients_at_the_bounds_of_clamp,
    gradients_at_the_edges_of_a_domain,
    ties_share_the_gradient,
    steps_have_no_slope,
    slopes_at_kinks_and_ends,
    slopes_of_remainders,
    where_and_relu_keep_infinite_gradients_out,
    in_place,
    in_place_operators,
    integers_refuse_fractions_in_place,
    clamp_keeps_integers,
    many_signs_at_once,
)

OTHER_WORDS = {
    # PyTorch lists all its overloads, or names its kernels.
    "torch.clamp(t([1.0]), 0, t([2.0]))",
    "torch.addcdiv(t([1]), t([6]), t([3]))",
    "torch.lerp(t([1.0]), t([2.0], dtype=torch.float64), 0.5)",
    "t([True, False]).clamp(False, True)",
    "torch.where(t([True]), t([1.0]))",
}
