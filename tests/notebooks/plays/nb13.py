"""What a learner would change in notebook 13, each alone: (cell, old, new, explained error)."""

PLAYS = [
    ("setup", "lr=0.5", "lr=0.05"),
    ("setup", "nn.Linear(64, 32), nn.Tanh()", "nn.Linear(64, 32), nn.ReLU()"),
    ("grow-run", "number == 50", "number == 0"),
    ("grow-run", "range(100)", "range(60)"),
    ("diff", "step >= 50", "step >= 49"),
    ("after", "model[3] = nn.Linear(32, 10)", "model[3].requires_grad_(False)"),
    ("skip", "< 0.5", "< 0.9"),
    ("skip", "range(6)", "range(2)"),
    ("skip-run", "range(400)", "range(20)"),
    ("early-run", "(0.5, 0.9, 0.99)", "(0.0, 2.0)"),
    ("pruned", "0.8 *", "0.5 *"),
    ("pruned", "range(300)", "range(10)"),
    ("skip-run", "manual_seed(7)", "manual_seed(11)"),
    ("skip-diff", '"coins": 23', '"coins": 10'),
    ("frozen", "model[1].parameters():\n    p.requires_grad_(False)", "[]:\n    pass"),
]
