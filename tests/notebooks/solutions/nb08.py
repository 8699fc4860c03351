"""Solutions of notebook 08's exercises: the source of each cell."""

SOLUTIONS = {
    "ways": """
mine = [0, 16, 16, 2]

check(nb08.ways, mine)
""",
    "saves": """
mine = ["result", "input", "nothing", "input", "result", "nothing", "other"]

check(nb08.saves, mine)
""",
    "repairs": """
mine = [lambda loss: loss.item(), lambda scores: scores.detach()]

check(nb08.repairs, mine)
""",
    "evaluate": """
def evaluate(model, batches):
    total = 0.0
    with torch.no_grad():
        for images, labels in batches:
            total += F.cross_entropy(model(images), labels).item()
    return total / len(batches)


check(nb08.evaluate, evaluate)
""",
    "who": """
mine = [("history", "freed"), ("total", "sum"), ("report", "stored")]

check(nb08.who, mine)
""",
    "hand": """
def walk(segment, inputs, g):
    for start in reversed(inputs):
        start = start.detach().requires_grad_()
        segment(start).backward(g)
        g = start.grad


check(nb08.hand, walk)
""",
    "own program": """
def mine(x):
    return (torch.tanh(torch.exp(torch.sigmoid(x))) + 1).mean()


check(nb08.own, mine)
""",
}
