"""Solutions of notebook 13's exercises: the source of each cell."""

SOLUTIONS = {
    "grow": """
def grow(model, optimizer):
    layer = nn.Linear(32, 32)
    model.insert(3, layer)
    model.insert(4, nn.Tanh())
    optimizer.add_param_group({"params": layer.parameters()})


check(nb13.grow, grow)
""",
    "early": """
def early(blocks, last, h, sure):
    used = 0
    for block in blocks:
        h = h + torch.tanh(block(h))
        scores = last(h)
        used += 1
        if F.softmax(scores, 1).max().item() >= sure:
            break
    return scores, used


check(nb13.early, early)
""",
    "freeze": """
def freeze(model):
    for p in model[:-1].parameters():
        p.requires_grad_(False)


check(nb13.freeze, freeze)
""",
    "prune": """
def pruned_step(model, optimizer, mask, x, y):
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    optimizer.step()
    with torch.no_grad():
        model[1].weight *= mask


check(nb13.prune, pruned_step)
""",
    "own change": """
def change(model, optimizer):
    layer = nn.Linear(32, 32)
    with torch.no_grad():
        layer.weight.copy_(torch.eye(32))
        layer.bias.zero_()
    model.insert(3, layer)
    optimizer.add_param_group({"params": layer.parameters()})


check(nb13.keep, change)
""",
}
