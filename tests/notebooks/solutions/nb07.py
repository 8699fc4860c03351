"""Solutions of notebook 07's exercises: the source of each cell."""

SOLUTIONS = {
    "mask": """
def read(net, letters, lengths):
    state = torch.zeros(len(letters), net.cell.out_features)
    for place in range(letters.shape[1]):
        new = net.step(letters[:, place], state)
        state = torch.where((place < lengths).unsqueeze(1), new, state)
    return net.decide(state)


check(nb07.mask, read)
""",
    "combine": """
def combine(losses, sizes):
    return sum(loss * size for loss, size in zip(losses, sizes)) / sum(sizes)


check(nb07.combine, combine)
""",
    "neighbours": """
def farthest(scores_of, words):
    together = scores_of(words)
    alone = torch.cat([scores_of([word]) for word in words])
    return (together - alone).abs().max().item()


tested = check(nb07.neighbours, farthest)
""",
    "value": """
def value(tree):
    if isinstance(tree, ast.Constant):
        return tree.value
    if isinstance(tree, ast.UnaryOp):
        return not value(tree.operand)
    sides = [value(side) for side in tree.values]
    return all(sides) if isinstance(tree.op, ast.And) else any(sides)


check(nb07.value, value)
""",
    "nest": """
class Nest(nn.Module):
    def __init__(self):
        super().__init__()
        self.number = nn.Linear(1, 6)
        self.two = nn.Linear(12, 6)

    def forward(self, thing):
        if not isinstance(thing, list):
            return self.number(torch.tensor([[thing]]))
        first, *others = [self(part) for part in thing]
        for other in others:
            first = torch.tanh(self.two(torch.cat([first, other], 1)))
        return first


built = check(nb07.nest, Nest)
""",
}
