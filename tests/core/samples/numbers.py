"""Samples of operations that compute: element by element, reductions, matrix products."""

from __future__ import annotations

from samples.sampling import positive, sample, values

# ------------------------------------------------------------------------- one tensor, any shape

ANY_SHAPE = [(2, 3), (), (0, 3), (1,), (2, 1, 2)]

UNARY = {
    "neg": (lambda t, x: -x, values),
    "clone": (lambda t, x: x.clone(), values),
    "exp": (lambda t, x: t.exp(x), values),
    "sin": (lambda t, x: t.sin(x), values),
    "cos": (lambda t, x: t.cos(x), values),
    "tanh": (lambda t, x: t.tanh(x), values),
    "sigmoid": (lambda t, x: t.sigmoid(x), values),
    "relu": (lambda t, x: t.relu(x), values),
    "abs": (lambda t, x: t.abs(x), values),
    "sign": (lambda t, x: t.sign(x), values),
    "log": (lambda t, x: t.log(x), positive),
    "sqrt": (lambda t, x: t.sqrt(x), positive),
    "reciprocal": (lambda t, x: t.reciprocal(x), values),
    "pow_0": (lambda t, x: x**0, values),
    "pow_1": (lambda t, x: x**1, values),
    "pow_2": (lambda t, x: x**2, values),
    "pow_3": (lambda t, x: t.pow(x, 3), values),
    "pow_half": (lambda t, x: x**0.5, positive),
    "pow_minus": (lambda t, x: x**-1.5, positive),
    "pow_of_number": (lambda t, x: 2**x, values),
    "add_number": (lambda t, x: x + 2, values),
    "number_add": (lambda t, x: 2.5 + x, values),
    "sub_number": (lambda t, x: x - 2, values),
    "number_sub": (lambda t, x: 2 - x, values),
    "mul_number": (lambda t, x: x * 3, values),
    "number_mul": (lambda t, x: 0.5 * x, values),
    "div_number": (lambda t, x: x / 4, values),
    "number_div": (lambda t, x: 3 / x, values),
    "sum": (lambda t, x: x.sum(), values),
    "mean": (lambda t, x: x.mean(), values),
    "where_number": (lambda t, x: t.where(x > 0, x, 0.5), values),
    "to": (lambda t, x: x.to(t.float64) * 2, values),
    "expand": (lambda t, x: x.expand(2, *x.shape), values),
    "unsqueeze": (lambda t, x: x.unsqueeze(0), values),
    "squeeze": (lambda t, x: x.squeeze(), values),
    "flatten": (lambda t, x: t.flatten(x), values),
    "view": (lambda t, x: x.view(x.numel()), values),
    "stack": (lambda t, x: t.stack([x, x * 2], 0), values),
    "index_none": (lambda t, x: x[None], values),
    "index_ellipsis": (lambda t, x: x[...], values),
    "add_": (lambda t, x: x.clone().add_(2, alpha=3), values),
    "mul_": (lambda t, x: x.clone().mul_(2), values),
    "mul_by_itself": (lambda t, x: product_with_itself(x), values),
    "neg_": (lambda t, x: x.clone().neg_(), values),
    "exp_": (lambda t, x: x.clone().exp_(), values),
    "log_": (lambda t, x: x.clone().log_(), positive),
    "sqrt_": (lambda t, x: x.clone().sqrt_(), positive),
    "tanh_": (lambda t, x: x.clone().tanh_(), values),
    "sigmoid_": (lambda t, x: x.clone().sigmoid_(), values),
    "relu_": (lambda t, x: x.clone().relu_(), values),
    "abs_": (lambda t, x: x.clone().abs_(), values),
    "pow_": (lambda t, x: x.clone().pow_(3), values),
    "zero_": (lambda t, x: x.clone().zero_(), values),
    "fill_number": (lambda t, x: x.clone().fill_(3), values),
}


def product_with_itself(x):
    y = x.clone()
    return y.mul(y)


for name, (function, make) in UNARY.items():
    for shape in ANY_SHAPE:
        sample(f"{name} {shape}", function, make(*shape))

# ------------------------------------------------------------------- two tensors that broadcast

PAIRS = [
    ((2, 3), (2, 3)),
    ((3, 1), (1,)),
    ((4, 1), (3,)),
    ((2, 1, 3), (4, 1)),
    ((), (2, 3)),
    ((2, 3), ()),
    ((), ()),
    ((0, 3), (1, 3)),
    ((4, 0), (4, 1)),
]

BINARY = {
    "add": (lambda t, x, y: x + y, values, values),
    "add_alpha": (lambda t, x, y: t.add(x, y, alpha=2), values, values),
    "sub": (lambda t, x, y: x - y, values, values),
    "sub_alpha": (lambda t, x, y: t.sub(x, y, alpha=-3), values, values),
    "rsub": (lambda t, x, y: t.rsub(x, y), values, values),
    "mul": (lambda t, x, y: x * y, values, values),
    "div": (lambda t, x, y: x / y, values, values),
    "pow": (lambda t, x, y: x**y, positive, values),
    "where": (lambda t, x, y: t.where(x > y, x * 2, y), values, values),
}

for name, (function, make_x, make_y) in BINARY.items():
    for shape_x, shape_y in PAIRS:
        sample(f"{name} {shape_x} {shape_y}", function, make_x(*shape_x), make_y(*shape_y, seed=1))

# --------------------------------------------------------------------- reductions of (2, 3, 2)

REDUCTIONS = {
    "sum_dim": lambda t, x: x.sum(1),
    "sum_dims_kept": lambda t, x: x.sum((0, -1), keepdim=True),
    "sum_dim_kept": lambda t, x: t.sum(x, dim=-1, keepdim=True),
    "mean_dim": lambda t, x: t.mean(x, 0),
    "mean_dims_kept": lambda t, x: x.mean((0, 2), keepdim=True),
    "max": lambda t, x: x.max(),
    "min": lambda t, x: t.min(x),
    "max_dim": lambda t, x: x.max(1).values,
    "max_dim_kept": lambda t, x: x.max(dim=-1, keepdim=True)[0],
    "min_dim": lambda t, x: t.min(x, 0)[0],
    "min_dim_kept": lambda t, x: x.min(1, keepdim=True).values,
}

for name, function in REDUCTIONS.items():
    sample(name, function, values(2, 3, 2))
for name in ("sum_dim", "sum_dim_kept", "sum_dims_kept"):
    sample(f"{name} of nothing", REDUCTIONS[name], values(2, 0, 3))
sample("mean_dim of nothing", lambda t, x: x.mean(0), values(2, 0))
sample("max_dim of nothing", lambda t, x: x.max(1).values, values(0, 3))
for name, function in {
    "sum_0d_dim": lambda t, x: x.sum(0),
    "mean_0d_dim": lambda t, x: x.mean(-1),
    "max_0d": lambda t, x: x.max(),
    "max_0d_dim": lambda t, x: x.max(0).values,
    "min_0d_dim": lambda t, x: x.min(0).values,
}.items():
    sample(name, function, values())

# ------------------------------------------------------------------------------ matrix products

PRODUCTS = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((2, 1, 3), (3, 2)),
    ((2, 2, 3), (3,)),
    ((3,), (2, 3, 2)),
    ((2, 2, 3), (2, 3, 1)),
    ((2, 1, 2, 3), (3, 3, 2)),
    ((2, 3), (2, 3, 2)),
    ((0, 3), (3, 2)),
    ((2, 0), (0, 3)),
]

for shape_x, shape_y in PRODUCTS:
    sample(
        f"matmul {shape_x} {shape_y}",
        lambda t, x, y: x @ y,
        values(*shape_x),
        values(*shape_y, seed=1),
    )
sample("mm", lambda t, x, y: t.mm(x, y), values(3, 2), values(2, 4))
sample("mm_of_transposed", lambda t, x, y: x.T @ y.mT, values(2, 3), values(4, 2))
sample("dot", lambda t, x, y: t.dot(x, y), values(4), values(4, seed=1))
