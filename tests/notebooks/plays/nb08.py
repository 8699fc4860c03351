"""What a learner would change in notebook 08, each alone: (cell, old, new, explained error)."""

PLAYS = [
    ("setup", "[:20]", "[:5]"),
    ("setup", "split(32), digits.y.split(32)", "split(100), digits.y.split(100)"),
    ("night", "total += loss\n", "total += loss.item()\n"),
    ("deep", "h = torch.tanh(h @ w)", "h = h @ w"),
    ("deep", "h = torch.tanh(h @ w)", "h = torch.tanh(h @ w) * 2"),
    ("deep-view", "deep(4)", "deep(0)", "MG"),
    ("deep-view", ".backward()", ""),
    ("deep-16", "deep(16)", "deep(1)"),
    ("deep-64", "(4, 16, 64)", "(1, 2, 100)"),
    ("losses", "append(loss)", "append(loss.item())"),
    ("sum", "kept + loss", "kept + loss.detach()"),
    ("sum", "kept = kept + loss\n", "kept = kept + loss\n    del loss\n"),
    ("stored", "append(scores)", "append(scores.detach())"),
    ("segments", "in_segments(8)", "in_segments(64)"),
    ("segments", "layers = 64", "layers = 128"),
    ("cost", "(1, 2, 4, 8, 16, 32, 64)", "(1, 3, 5)"),
    ("nudge", "default_rng(0)", "default_rng(1)"),
    ("share", "(32, 128, 256, 1024)", "(1, 2, 300)"),
    ("plan", "deep(64)", "deep(2)"),
]
