"""Samples of what draws random numbers: constants, as far as derivatives are concerned."""

from __future__ import annotations

from samples.sampling import sample, values

# Times 0, since nudging the inputs draws other numbers.
DRAWS = {
    "uniform_": lambda t, x: x.clone().uniform_() * 0 + x,
    "bernoulli": lambda t, x: t.bernoulli(x * 0 + 0.5) * 0 * x,
    "normal": lambda t, x: t.normal(x, 1.0) * 0 + x,
}

for name, function in DRAWS.items():
    for shape in [(2, 3), (), (0, 3)]:
        sample(f"{name} {shape}", function, values(*shape))
