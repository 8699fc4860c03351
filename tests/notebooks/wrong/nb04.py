"""Wrong solutions of notebook 04's exercises, each with a part of what it is told."""


def loss(result):
    return f"def loss(prediction, target):\n    return {result}\n\n\ncheck(nb04.one_shape, loss)"


def weights(v):
    return f"v = {v}\n\ncheck(nb04.row_weights, v)"


def rules(name, arguments, *wrong):
    return [(f'nb04.puzzle("{name}", lambda {arguments}: {rule})', told) for rule, told in wrong]


IGNORES = "it does not depend on v"
D = "prediction.squeeze(1) - target"

WRONG = {
    "one shape": [
        (loss("((prediction - target) ** 2).mean()"), "still 25 differences"),
        (loss(f"(({D}) ** 2).sum()"), "5 times too large"),
        (loss("((prediction - target.reshape(5, 1)) ** 2).sum() / 25"), "divided by 25"),
        (loss(f"({D}).mean() ** 2"), "averages before it squares"),
        (loss(f"({D}).abs().mean()"), "absolute differences"),
        (loss("((prediction - target.mean()) ** 2).mean()"), "the mean of the targets"),
        (loss(f"(({D}) ** 2).mean().detach()"), "no history"),
        (loss(f"({D}) ** 2"), "has shape (5,), and () is wanted"),
        (loss("((prediction.squeeze(2) - target) ** 2).mean()"), "it raised IndexError"),
    ],
    "row weights": [
        (weights([2, 0, 0, 0, 1]), "changed places"),
        (weights([0, 1, 0, 2, 0]), "counted from 0"),
        (weights([1, 0, 0, 0, 1]), "shall count twice"),
        (weights([1, 0, 0, 2]), "v has 4 numbers"),
        (weights([1, 1, 0, 0, 2]), "row 1 is in it"),
        (weights([0, 0, 0, 0, 2]), "it takes row 0 0 times"),
        (weights('"first and last"'), "a list of five numbers"),
    ],
    "copy": rules(
        "copy",
        "v, x",
        ("torch.ones_like(x)", IGNORES),
        ("x", "that is the value"),
        ("v * x", "multiplies by x"),
        ("-v", "the sign is wrong"),
        ("v.sum()", "has shape (), and (4,) is wanted"),
    ),
    "total": rules(
        "total",
        "v, x",
        ("torch.ones_like(x)", IGNORES),
        ("v * x", "Each x counts once"),
        ("v / x.numel() * torch.ones_like(x)", "it shares v out"),
        ("v * x.sum() * torch.ones_like(x)", "multiplies by the result"),
        ("v", "has shape (), and (4,) is wanted"),
    ),
    "average": rules(
        "average",
        "v, x",
        ("v * torch.ones_like(x)", "4 times too large"),
        ("torch.ones_like(x) / 4", IGNORES),
        ("v * x / x.numel()", "has the weight 1/4"),
        ("v / 16 * torch.ones_like(x)", "divides by 4 twice"),
        ("v / x.numel()", "has shape (), and (4,) is wanted"),
    ),
    "reverse": rules(
        "reverse",
        "v, x",
        ("v", "v[3] comes back to it"),
        ("x.flip(0)", "that is the value y"),
        ("-v.flip(0)", "the sign is wrong"),
        ("v.flip(0) * x", "Only the order changes"),
        ("v.flip(1)", "it raised IndexError"),
    ),
    "columns": rules(
        "columns",
        "v, X, w",
        ("v.sum(0)", "X is missing"),
        ("(v * X).mean(0)", "Arrivals add up"),
        ("X.sum(0)", IGNORES),
        ("(v * w).sum(0)", "multiplies by w"),
        ("(v * X)[-1]", "from the last row only"),
        ("v * X", "has shape (4, 3), and (3,) is wanted"),
    ),
    "outer": rules(
        "outer",
        "v, a, b",
        ("v.sum(1)", "b is missing"),
        ("(v * b).mean(1)", "Arrivals add up"),
        ("b.sum() * torch.ones_like(a)", IGNORES),
        ("(v @ b) * a", "multiplies by a, too"),
        ("v.T @ a", "has shape (3,), and (4,) is wanted"),
    ),
    "product": rules(
        "product",
        "v, X, W",
        ("X.T @ torch.ones_like(v)", IGNORES),
        ("W * v.sum(0)", "made of W"),
        ("X.T @ v / 4", "Arrivals add up"),
        ("-X.T @ v", "the sign is wrong"),
        ("v @ W.T", "has shape (4, 3), and (3, 2) is wanted"),
        ("X @ v", "it raised RuntimeError"),
    ),
    "softmax": rules(
        "softmax",
        "v, x, y",
        ("v * y", "its own exponential"),
        ("v * y * (1 - y)", "what x[i] does to y[i]"),
        ("y * (v - v.mean())", "its mean weighted by y"),
        ("y * (v + (v * y).sum())", "the sign of the sum"),
        ("y * v - (v * y).sum()", "shared out by y"),
        ("v * torch.exp(x)", "the rule of exp"),
    ),
}
