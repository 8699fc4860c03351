"""What a learner would change in notebook 11, each alone: (cell, old, new, explained error)."""

PLAYS = [
    ("setup", "[7.0, 10.0, 13.0, 16.0, 19.0]", "[2.0, 4.0, 6.0, 8.0, 10.0]"),
    ("straight", "return g ", "return 2 * g "),
    ("straight", "return g ", "return 0.1 * g "),
    ("straight", "return g ", "return -g "),
    ("straight", "torch.round(x)", "torch.floor(x)"),
    ("straight", "2.6", "-2.6"),
    ("straight-run", "[:13]", "[:60]"),
    ("cube-view", "torch.tensor(2.0", "torch.tensor(-5.0"),
    ("cube", "g * 3 * x**2", "g * x"),
    ("round-run", "torch.round", "torch.ceil"),
    ("setup", "steps=60, lr=0.01", "steps=300, lr=0.1"),
    ("power", "Power.apply(x, 3)", "Power.apply(x, 0.5)"),
    ("alone-run", "2.0", "0.0"),
    ("purpose-run", "lambda x: x,", "lambda x: 2 * x,"),
    ("inputs-errors", ".sum()\n", "\n"),
    ("forgot", "g * 3 * x  #", "g * 3 * x**2  #"),
    ("forgot", "float64", "float32"),
    ("check-run", "(1.0, 2.0)", "(0.0, 1.0, -3.0)"),
    ("kink-run", "torch.abs, 0.0", "torch.abs, 0.5"),
    ("kink-run", "torch.relu, 0.0", "torch.relu, -1.0"),
]
