"""Samples of loss functions."""

from __future__ import annotations

from samples.sampling import sample, values

REDUCTIONS = ("mean", "sum", "none")

OF_NUMBERS = {
    "mse_loss": {},
    "l1_loss": {},
    "smooth_l1_loss": {"beta": 0.8},
    "huber_loss": {"delta": 0.8},
    "binary_cross_entropy_with_logits": {},
}


def loss(name, **options):
    return lambda t, *tensors: getattr(t.nn.functional, name)(*tensors, **options)


for name, options in OF_NUMBERS.items():
    for reduction in REDUCTIONS:
        for shape in [(2, 3), (), (0, 3)]:
            if shape == (0, 3) and reduction == "mean":
                continue  # NaN
            sample(
                f"F.{name} {reduction} {shape}",
                loss(name, reduction=reduction, **options),
                values(*shape),
                values(*shape, low=-1.5, high=1.2, seed=5),
            )


def probabilities(*shape, seed=0):
    return values(*shape, low=0.1, high=0.7, seed=seed)


for reduction in REDUCTIONS:
    sample(
        f"F.binary_cross_entropy {reduction}",
        loss("binary_cross_entropy", reduction=reduction),
        probabilities(2, 3),
        probabilities(2, 3, seed=1),
    )
    for log_target in (False, True):
        sample(
            f"F.kl_div {reduction} {log_target}",
            lambda t, x, y, r=reduction, log=log_target: t.nn.functional.kl_div(
                x, y, reduction="batchmean" if r == "mean" else r, log_target=log
            ),
            values(2, 3),
            probabilities(2, 3),
        )
    sample(
        f"F.cross_entropy of probabilities {reduction}",
        loss("cross_entropy", reduction=reduction, label_smoothing=0.1),
        values(2, 3),
        probabilities(2, 3),
    )
sample(
    "F.binary_cross_entropy weighted",
    lambda t, x, y: t.nn.functional.binary_cross_entropy(
        x, y, t.tensor([1.0, 2.0, 3.0], dtype=x.dtype)
    ),
    probabilities(2, 3),
    probabilities(2, 3, seed=1),
)
sample(
    "F.binary_cross_entropy_with_logits weighted",
    lambda t, x, y: t.nn.functional.binary_cross_entropy_with_logits(
        x,
        y,
        t.tensor([[1.0], [2.0]], dtype=x.dtype),
        pos_weight=t.tensor([1.0, 2.0, 3.0], dtype=x.dtype),
    ),
    values(2, 3),
    probabilities(2, 3),
)

# ----------------------------------------------------------------------------------- of classes

LABELS = {
    (3,): 1,
    (2, 3): [2, 0],
    (3, 3): [2, -100, 1],
    (2, 3, 4): [[0, 1, 2, 1], [2, 2, 0, 1]],
    (2, 3, 1, 2): [[[0, 1]], [[-100, 2]]],
}
OPTIONS = {
    "": lambda t, x: {},
    "sum": lambda t, x: {"reduction": "sum"},
    "none": lambda t, x: {"reduction": "none"},
    "weight": lambda t, x: {"weight": t.tensor([1.0, 2.0, 0.5], dtype=x.dtype)},
    "weight none": lambda t, x: {
        "weight": t.tensor([1.0, 2.0, 0.5], dtype=x.dtype),
        "reduction": "none",
    },
    "ignore": lambda t, x: {"ignore_index": 1},
}
SMOOTH = {
    "smooth": lambda t, x: {"label_smoothing": 0.2},
    "smooth weight": lambda t, x: {"label_smoothing": 0.2, **OPTIONS["weight"](t, x)},
    "smooth none": lambda t, x: {"label_smoothing": 0.2, "reduction": "none"},
}


def of_labels(name, labels, options):
    return lambda t, x: getattr(t.nn.functional, name)(x, t.tensor(labels), **options(t, x))


for shape, labels in LABELS.items():
    for title, options in OPTIONS.items():
        if title == "ignore" and shape not in [(2, 3), (2, 3, 4)]:
            continue  # the others have -100, which then is no label, or nothing is left
        sample(
            f"F.nll_loss {shape} {title}", of_labels("nll_loss", labels, options), values(*shape)
        )
    for title, options in {"": OPTIONS[""], **SMOOTH}.items():
        sample(
            f"F.cross_entropy {shape} {title}",
            of_labels("cross_entropy", labels, options),
            values(*shape),
        )
