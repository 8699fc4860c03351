"""What a learner would change in notebook 14, each alone: (cell, old, new, explained error)."""

PLAYS = [
    ("setup", "torch.tensor([2.0]", "torch.tensor([-3.0]"),
    ("setup", "d = b + 1", "d = b.detach() + 1"),
    ("setup", "e = c * d", "e = c * d * a"),
    ("setup", '"e:", e)', '"e:", d.requires_grad, c.is_leaf, a.dtype, e.shape)'),
    ("behind", "(a + b) * (b + 1)", "(a + b).exp()"),
    ("moved", "first.double()", 'first.to("cpu")'),
    ("moved", "first.double()", "first.nowhere()"),
    ("taxi", "range(600)", "range(20)"),
    ("taxi", "lr=0.05", "lr=0.1"),
    ("digits", "seed=0", "seed=3"),
    ("digits", "range(3)", "range(1)"),
    ("digits", "lr=0.5", "lr=0.1"),
    ("corners", '("relu", "abs", "sqrt")', '("relu", "abs", "sqrt", "sign", "floor")'),
    ("errors", "a.add_(1)", "a[5]"),
    ("graph", "(a + b) * (b + 1)", "(a + b) ** 2"),
    ("walk", "(a + b) * (b + 1)", "torch.tanh(a * b)"),
    ("training", "range(60)", "range(3)"),
    ("training", "            optimizer.zero_grad()\n", ""),
]
