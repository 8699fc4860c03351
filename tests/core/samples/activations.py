"""Samples of activation functions, normalisation and attention."""

from __future__ import annotations

from samples.sampling import positive, sample, values

ANY_SHAPE = [(2, 3), (), (0, 3), (2, 1, 2)]

ACTIVATIONS = {
    "relu": lambda F, x: F.relu(x),
    "relu6": lambda F, x: F.relu6(4 * x),
    "hardtanh": lambda F, x: F.hardtanh(x),
    "hardtanh_bounds": lambda F, x: F.hardtanh(x, -0.5, 1.5),
    "leaky_relu": lambda F, x: F.leaky_relu(x),
    "leaky_relu_slope": lambda F, x: F.leaky_relu(x, negative_slope=-0.5),
    "elu": lambda F, x: F.elu(x),
    "elu_alpha": lambda F, x: F.elu(x, alpha=-0.7),
    "selu": lambda F, x: F.selu(x),
    "gelu": lambda F, x: F.gelu(x),
    "gelu_tanh": lambda F, x: F.gelu(x, approximate="tanh"),
    "silu": lambda F, x: F.silu(x),
    "mish": lambda F, x: F.mish(x),
    "logsigmoid": lambda F, x: F.logsigmoid(x),
    "softplus": lambda F, x: F.softplus(x),
    "softplus_options": lambda F, x: F.softplus(x, beta=3, threshold=1.5),
    "softsign": lambda F, x: F.softsign(x),
    "leaky_relu_inplace": lambda F, x: F.leaky_relu(x * 2, 0.2, inplace=True),
    "silu_inplace": lambda F, x: F.silu(x * 2, inplace=True),
    "elu_inplace": lambda F, x: F.elu(x * 2, 0.5, True),
    "hardtanh_inplace": lambda F, x: F.hardtanh(x * 2, inplace=True),
}

for name, function in ACTIVATIONS.items():
    for shape in ANY_SHAPE:
        sample(
            f"F.{name} {shape}",
            lambda t, x, function=function: function(t.nn.functional, x),
            values(*shape),
        )

for shape, dim in [((2, 3), 1), ((2, 3), 0), ((), 0), ((0, 3), 1), ((3, 0), 1), ((2, 3, 2), -2)]:
    sample(f"softmax {shape} {dim}", lambda t, x, dim=dim: t.softmax(x, dim), values(*shape))
    sample(f"log_softmax {shape} {dim}", lambda t, x, d=dim: x.log_softmax(d), values(*shape))
sample("softmax of one", lambda t, x: x.softmax(0), values(1))

for shape, dim in [((4,), 0), ((2, 4), -1), ((4, 3), 0), ((0, 4), 1)]:
    sample(
        f"F.glu {shape} {dim}", lambda t, x, dim=dim: t.nn.functional.glu(x, dim), values(*shape)
    )
for shape, count in [((2, 3), 3), ((2, 3), 1), ((3,), 1), ((2, 3, 2), 3), ((0, 3), 3)]:
    sample(
        f"F.prelu {shape} {count}",
        lambda t, x, w: t.nn.functional.prelu(x, w),
        values(*shape),
        positive(count),
    )

# ------------------------------------------------------------------------------- normalisation


def normalised(name, *options, **named):
    """Weight and bias come last, after what the function wants in between."""

    def function(t, x, *parameters):
        function_ = getattr(t.nn.functional, name)
        return function_(x, *options, *parameters, **named)

    return function


for shape, normal in [((3, 4), (4,)), ((2, 3, 2), (3, 2)), ((4,), (4,)), ((0, 4), (4,))]:
    sample(f"F.layer_norm {shape} {normal}", normalised("layer_norm", normal), values(*shape))
    sample(
        f"F.layer_norm {shape} {normal} with parameters",
        normalised("layer_norm", normal),
        values(*shape),
        values(*normal, seed=1),
        values(*normal, seed=2),
    )
for shape in [(4, 3), (2, 3, 2), (2, 3, 2, 2)]:
    for training in (True, False):

        def batch_norm(t, x, *parameters, training=training):
            running = t.tensor([0.5, -0.5, 0.0]).to(x.dtype), t.tensor([1.0, 2.0, 0.5]).to(x.dtype)
            return t.nn.functional.batch_norm(x, *running, *parameters, training=training)

        sample(f"F.batch_norm {shape} {training}", batch_norm, values(*shape))
        sample(
            f"F.batch_norm {shape} {training} with parameters",
            batch_norm,
            values(*shape),
            values(3, seed=1),
            values(3, seed=2),
        )
for shape, groups in [((2, 4), 2), ((2, 4, 3), 4), ((2, 4, 2, 2), 1)]:
    sample(f"F.group_norm {shape} {groups}", normalised("group_norm", groups), values(*shape))
    sample(
        f"F.group_norm {shape} {groups} with parameters",
        normalised("group_norm", groups),
        values(*shape),
        values(4, seed=1),
        values(4, seed=2),
    )

# ------------------------------------------------------------- attention, likeness, distances

ATTENTION = {
    "": lambda t: {},
    "causal": lambda t: {"is_causal": True},
    "scale": lambda t: {"scale": 0.3},
    "mask": lambda t: {
        "attn_mask": t.tensor([[True, False, True], [True, True, True], [False] * 3])
    },
}
for name, options in ATTENTION.items():
    sample(
        f"attention {name}",
        lambda t, q, k, v, options=options: t.nn.functional.scaled_dot_product_attention(
            q, k, v, **options(t)
        ),
        values(2, 3, 4),
        values(2, 3, 4, seed=1),
        values(2, 3, 2, seed=2),
    )
sample(
    "attention with scores added",
    lambda t, q, k, v, m: t.nn.functional.scaled_dot_product_attention(q, k, v, m),
    values(1, 2, 3, 2),
    values(1, 2, 3, 2, seed=1),
    values(1, 2, 3, 2, seed=2),
    values(3, 3, seed=3),
)
for shape in [(2, 3), (0, 3), (2, 3, 2)]:
    for name in ("cosine_similarity", "pairwise_distance"):
        sample(
            f"F.{name} {shape}",
            lambda t, x, y, name=name: getattr(t.nn.functional, name)(x, y),
            values(*shape),
            values(*shape, seed=1),
        )
    sample(f"F.normalize {shape}", lambda t, x: t.nn.functional.normalize(x), values(*shape))
sample("F.normalize p", lambda t, x: t.nn.functional.normalize(x, 3.0, dim=0), values(2, 3))
