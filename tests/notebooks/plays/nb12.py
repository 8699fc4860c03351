"""What a learner would change in notebook 12, each alone: (cell, old, new, explained error)."""

PLAYS = [
    ("setup", "[7.0, 10.0, 13.0, 16.0, 19.0]", "[2.0, 4.0, 6.0, 8.0, 10.0]"),
    ("setup", "rate = torch.tensor(2.0", "rate = torch.tensor(-50.0"),
    ("how-long-run", "(0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.5)", "(2.5, 1 / 22)"),
    ("how-long-run", "start=2.0", "start=-50"),
    ("how-long-picture", "(0.05, 0.09, 0.1)", "(0.5,)"),
    ("option-run", '("retain_graph", "create_graph")', '("create_graph",)'),
    ("more-run", "torch.tensor(2.0", "torch.tensor(3.0"),
    ("newton-run", "2.0, steps=1", "-7.0, steps=3"),
    ("where-run", "(2.0, 0.3)", "(2.0, 0.6)"),
    ("where-run", "(2.0, 0.3)", "(-0.3,)"),
    ("kink-run", "torch.relu", "torch.tanh"),
    ("product-nudge", "network()", "network(2)"),
    ("penalty-run", "-1, 1, 30", "-2, 2, 7"),
    ("where-run", "steps=5", "steps=0"),
    ("largest", "4 / curvature", "1.5 / curvature"),
    ("largest", "4 / curvature", "2.5 / curvature"),
    ("calm", "penalty=0.003", "penalty=0.03"),
    ("calm", "penalty=0.003", "penalty=1"),
    ("sign-run", "torch.tensor(0.0", "torch.tensor(0.09"),
    ("sign-run", "0.0001 *", "0.001 *"),
]
