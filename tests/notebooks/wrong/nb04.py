"""Wrong solutions of notebook 04's exercises, each with a part of what it is told."""


def loss(result):
    return f"def loss(prediction, target):\n    return {result}\n\n\ncheck(nb04.one_shape, loss)"


def weights(v):
    return f"v = {v}\n\ncheck(nb04.row_weights, v)"


def rules(name, arguments, *wrong):
    return [(f'nb04.puzzle("{name}", lambda {arguments}: {rule})', told) for rule, told in wrong]


IGNORES = "it does not depend on v"
D = "prediction.squeeze(1) - target"


def own(mine, rule):
    return (
        f"def mine(x):\n    return {mine}\n\n\ndef rule(v, x):\n    return {rule}\n\n\n"
        "check(nb04.own_rule, (mine, rule))"
    )


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
        (weights([1, 0, 0, 0, 1]), "is wanted twice"),
        (weights([1, 0, 0, 2]), "v has 4 numbers"),
        (weights([1, 1, 0, 0, 2]), "row 1 is in it"),
        (weights([0, 0, 0, 0, 2]), "it takes row 0 0 times"),
        (weights('"first and last"'), "a list of five numbers"),
    ],
    "own rule": [
        (own("x.clone()", "v"), "that operation occurred above"),
        (own("x**3", "3 * x**2"), IGNORES),
        (own("torch.sin(x)", "-v * torch.cos(x)"), "the sign is wrong"),
        (own("x * x.sum()", "v * x.sum()"), "which entries of y does"),
        (own("x.prod()", "v"), "x has the shape (4,)"),
        (own("x.detach()", "v"), "no graph behind the result"),
        (own("x", "v"), "mine gives x back unchanged"),
        (own("...", "v"), "mine is still to be written"),
        (own("x.relu() * 2", "v * 2"), "moves no entry of y, but"),
        (own("x.abs()", "v"), "nudging it moves only y[3], by -1 times"),
        (own("torch.sin(x) * 2", "v * torch.cos(x)"), "everywhere 2 times what your rule gives"),
        (own("x**2", "2 * x * v.sum()"), "other entries of v count, too"),
        (own("5.0", "v"), "a tensor is wanted"),
        ("check(nb04.own_rule, lambda x: x)", "two functions are wanted"),
    ],
    "copy": rules(
        "copy",
        "v, x",
        ("torch.ones_like(x)", IGNORES),
        ("x", "that is the value"),
        ("v * x", "of a large x[0] move y by"),
        ("-v", "the sign is wrong"),
        ("v.sum()", "moves a y of its own"),
        ("v[:2]", "has shape (2,), and (4,) is wanted"),
    ),
    "total": rules(
        "total",
        "v, x",
        ("torch.ones_like(x)", IGNORES),
        ("v * x", "move the sum by more"),
        ("v / x.numel() * torch.ones_like(x)", "it shares v out"),
        ("v * x.sum() * torch.ones_like(x)", "the result has come into it"),
        ("v", "What comes back to each?"),
    ),
    "reverse": rules(
        "reverse",
        "v, x",
        ("v", "To which place did x[0] go?"),
        ("x.flip(0)", "that is the value y"),
        ("-v.flip(0)", "the sign is not"),
        ("v.flip(0) * x", "Only the places changed"),
        ("v.flip(1)", "it raised IndexError"),
    ),
    "columns": rules(
        "columns",
        "v, X, w",
        ("v.sum(0)", "move all rows equally far"),
        ("(v * X).mean(0)", "it averages what comes back"),
        ("X.sum(0)", IGNORES),
        ("(v * w).sum(0)", "multiplies by w"),
        ("(v * X)[-1]", "from the last row only"),
        ("v * X", "each row is still by itself"),
        ("(v * X).sum(1)", "those of a row, or those of a column"),
        ("(v * X).sum()", "and w has three"),
    ),
    "outer": rules(
        "outer",
        "v, a, b",
        ("v.sum(1)", "all entries of row 0 equally far"),
        ("(v * b).mean(1)", "it averages what comes back"),
        ("b.sum() * torch.ones_like(a)", IGNORES),
        ("(v @ b) * a", "a has come into it"),
        ("v.T @ a", "that is the rule for b"),
        ("v * b", "used in a whole row"),
        ("(v * b).sum(0)", "adds up along each column"),
    ),
    "product": rules(
        "product",
        "v, X, W",
        ("X.T @ torch.ones_like(v)", IGNORES),
        ("W * v.sum(0)", "its own size decide"),
        ("X.T @ v / 4", "it averages what comes back"),
        ("-X.T @ v", "the sign is wrong"),
        ("v @ W.T", "it is the rule for X"),
        ("v.T @ X", "rows and columns have changed places"),
        ("X @ v", "it raised RuntimeError"),
    ),
    "softmax": rules(
        "softmax",
        "v, x, y",
        ("v * y", "its own exponential"),
        ("v * y * (1 - y)", "what x[i] does to y[i]"),
        ("y * (v - v.mean())", "lose equally"),
        ("y * (v - v.sum())", "lose more than y[i] gains"),
        ("y * (v + (v * y).sum())", "the other shares would grow with x[i]"),
        ("y * v - (v * y).sum()", "whatever its share"),
        ("v * torch.exp(x)", "the rule of exp"),
    ),
}
