"""Samples of functions of numbers: powers, logarithms, angles, steps, choices, remainders."""

from __future__ import annotations

import numpy as np

from samples.sampling import positive, sample, values

ANY_SHAPE = [(2, 3), (), (0, 3)]


def inside(*shape, seed=0):
    """Numbers between -1 and 1."""
    return values(*shape, low=-0.8, high=0.8, seed=seed)


def above_one(*shape, seed=0):
    return np.asarray(positive(*shape, seed=seed) + 1)


def fractions(*shape, seed=0):
    """Numbers between 0 and 1."""
    return np.asarray(positive(*shape, seed=seed) / 4)


UNARY = {
    "square": (lambda t, x: t.square(x), values),
    "rsqrt": (lambda t, x: t.rsqrt(x), positive),
    "exp2": (lambda t, x: t.exp2(x), values),
    "expm1": (lambda t, x: t.expm1(x), values),
    "log2": (lambda t, x: t.log2(x), positive),
    "log10": (lambda t, x: t.log10(x), positive),
    "log1p": (lambda t, x: t.log1p(x), positive),
    "logit": (lambda t, x: t.logit(x), fractions),
    "logit_eps": (lambda t, x: t.logit(x, eps=0.2), fractions),
    "tan": (lambda t, x: t.tan(x), inside),
    "asin": (lambda t, x: t.asin(x), inside),
    "acos": (lambda t, x: t.acos(x), inside),
    "atan": (lambda t, x: t.atan(x), values),
    "sinh": (lambda t, x: t.sinh(x), values),
    "cosh": (lambda t, x: t.cosh(x), values),
    "asinh": (lambda t, x: t.asinh(x), values),
    "acosh": (lambda t, x: t.acosh(x), above_one),
    "atanh": (lambda t, x: t.atanh(x), inside),
    "erf": (lambda t, x: t.erf(x), values),
    "erfc": (lambda t, x: t.erfc(x), values),
    "deg2rad": (lambda t, x: t.deg2rad(x), values),
    "rad2deg": (lambda t, x: t.rad2deg(x), values),
    "positive": (lambda t, x: +x * 2, values),
    "floor": (lambda t, x: t.floor(x), values),
    "ceil": (lambda t, x: t.ceil(x), values),
    "trunc": (lambda t, x: t.trunc(x), values),
    "frac": (lambda t, x: t.frac(x), values),
    "round": (lambda t, x: t.round(x), values),
    "round_decimals": (lambda t, x: t.round(x, decimals=-1), values),
    "clamp": (lambda t, x: t.clamp(x, -1, 1), values),
    "clamp_min": (lambda t, x: t.clamp_min(x, 0.0), values),
    "clamp_max": (lambda t, x: x.clamp(max=0.0), values),
    "nan_to_num": (lambda t, x: t.nan_to_num(x), values),
    "remainder_by_number": (lambda t, x: x % 0.7, values),
    "fmod_by_number": (lambda t, x: t.fmod(x, 0.7), values),
    "div_floor_by_number": (lambda t, x: t.div(x, 0.7, rounding_mode="floor"), values),
    "xlogy_with_number": (lambda t, x: t.xlogy(x, 2.0), values),
    "lerp_number": (lambda t, x: t.lerp(x, x * x, 0.3), values),
    "clamp_": (lambda t, x: x.clone().clamp_(-1, 1), values),
    "sin_": (lambda t, x: x.clone().sin_(), values),
    "erf_": (lambda t, x: x.clone().erf_(), values),
    "log1p_": (lambda t, x: x.clone().log1p_(), positive),
    "square_": (lambda t, x: x.clone().square_(), values),
    "rsqrt_": (lambda t, x: x.clone().rsqrt_(), positive),
    "floor_": (lambda t, x: x.clone().floor_(), values),
}

for name, (function, make) in UNARY.items():
    for shape in ANY_SHAPE:
        sample(f"{name} {shape}", function, make(*shape))

PAIRS = [((2, 3), (2, 3)), ((3, 1), (4,)), ((), (2, 3)), ((2, 3), ()), ((0, 3), (1, 3))]

BINARY = {
    "maximum": (lambda t, x, y: t.maximum(x, y), values, values),
    "minimum": (lambda t, x, y: t.minimum(x, y), values, values),
    "atan2": (lambda t, x, y: t.atan2(x, y), values, values),
    "logaddexp": (lambda t, x, y: t.logaddexp(x, y), values, values),
    "xlogy": (lambda t, x, y: t.xlogy(x, y), values, positive),
    "xlogy_of_number": (lambda t, x, y: t.xlogy(2.0, y) * x, values, positive),
    "remainder": (lambda t, x, y: x % y, values, positive),
    "remainder_negative": (lambda t, x, y: x % -y, values, positive),
    "fmod": (lambda t, x, y: t.fmod(x, y), values, positive),
    "div_floor": (lambda t, x, y: t.div(x, y, rounding_mode="floor"), values, positive),
    "div_trunc": (lambda t, x, y: t.div(x, y, rounding_mode="trunc"), values, positive),
    "clamp_tensor": (lambda t, x, y: t.clamp(x, min=-y, max=y), values, positive),
    "clamp_by_min": (lambda t, x, y: t.clamp(x, min=y), values, values),
    "clamp_by_max": (lambda t, x, y: t.clamp_max(x, y), values, values),
    "addcmul": (lambda t, x, y: t.addcmul(x, y, x, value=0.5), values, values),
    "addcdiv": (lambda t, x, y: t.addcdiv(x, x, y, value=2), values, positive),
    "lerp": (lambda t, x, y: t.lerp(x, x * 2, y), values, values),
    "lerp_to": (lambda t, x, y: t.lerp(x, y, 0.75), values, values),
    "clamp_crossed": (lambda t, x, y: t.clamp(x, min=y, max=-y), values, positive),
}

for name, (function, make_x, make_y) in BINARY.items():
    for shape_x, shape_y in PAIRS:
        sample(f"{name} {shape_x} {shape_y}", function, make_x(*shape_x), make_y(*shape_y, seed=1))
