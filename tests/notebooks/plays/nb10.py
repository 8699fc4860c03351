"""What a learner would change in notebook 10, each alone: (cell, old, new, explained error)."""

PLAYS = [
    ("setup", "rate=2.0, km=3.0", "rate=-1.5, km=0.0"),
    ("setup", "rate * km + 4", "rate * km * km - 4"),
    ("best-run", "a=1.0", "a=0.001"),
    ("best-run", "a=1.0", "a=-600.0"),
    ("best-guess", "normal(1000)", "normal(50)"),
    ("louder", "400.0", "-3.0"),
    ("guards-run", "(300.0, 200.0, 200.0)", "(5.0, -5.0, 2000.0)"),
    ("programs-run", "[:7]", "[:1]"),
    ("step-guess", "torch.tanh", "torch.relu"),
    ("step-guess", "lr=0.1", "lr=10.0"),
    ("step-guess", "SGD", "Adam"),
    ("frozen-guess", "price_per_km = 4.0", "price_per_km = 3.0"),
    ("frozen-run", "(3.0, 3.0, 3.0, 4.0, 4.0)", "(1.0, 2.0, 3.0)"),
    ("buffer-guess", "np.zeros(2)", "np.ones(2)"),
    ("loud-run", "range(5):\n    loud(", "range(1):\n    loud("),
    ("file-run", '.write_text("4.0")', '.write_text("3.0")'),
    ("another", "(torch.tanh, torch.relu, torch.sigmoid)", "(torch.relu, torch.relu)"),
    ("memory-guess", "layers()", "layers(depth=2)"),
    ("gain-run", "((32, 32), (256, 1024))", "((4, 8),)"),
]
