"""What a learner would change in notebook 13, each alone: (cell, old, new, explained error)."""

PLAYS = [
    ("setup", "lr=0.5", "lr=0.05"),
    ("setup", "nn.Linear(64, 32), nn.Tanh()", "nn.Linear(64, 32), nn.ReLU()"),
    ("grow-run", "number == 50", "number == 0"),
    ("grow-run", "range(100)", "range(60)"),
    ("diff", "step >= 50", "step >= 49"),
    ("grow-run", "number == 50", "number == 150"),
    ("compare", "range(200)", "range(20)"),
    (
        "after",
        "loss, parts = F.cross_entropy(model(images), labels), list(model)",
        "model[3] = nn.Linear(32, 10)\nloss, parts = F.cross_entropy(model(images), labels), "
        "list(model)",
    ),
    ("after", "model[3] = nn.Linear(32, 10)", "model[3].requires_grad_(False)"),
    ("skip", "< 0.5", "< 0.9"),
    ("skip", "range(6)", "range(2)"),
    ("skip", "range(6)", "range(12)"),
    ("skip", "range(6)", "range(0)"),
    ("skip-run", "range(400)", "range(20)"),
    ("early-run", "(0.5, 0.9, 0.99)", "(0.0, 2.0)"),
    ("pruned", "weight, 0.8", "weight, 0.5"),
    ("pruned", "weight, 0.8", "weight, 1.0"),
    ("pruned", "range(300)", "range(10)"),
    ("skip-nudge", "coins = 7", "coins = 3"),
    ("after", "\nmodel[3] = nn.Linear(32, 10)", "\nmodel[1] = nn.Linear(64, 32)"),
    ("frozen", "model[1].parameters():\n    p.requires_grad_(False)", "[]:\n    pass"),
]
