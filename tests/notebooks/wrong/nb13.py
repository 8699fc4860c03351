"""Wrong solutions of notebook 13's exercises, each with a part of what it is told."""


def changed(name, exercise, *lines):
    body = "\n".join("    " + line for line in lines)
    return f"def {name}(model, optimizer):\n{body}\n\n\ncheck(nb13.{exercise}, {name})\n"


def grow(*lines):
    return changed("grow", "grow", *lines)


def keep(*lines):
    return changed("change", "keep", *lines)


NEW = "layer = nn.Linear(32, 32)"
PUT = "model.insert(3, layer)"
TELL = 'optimizer.add_param_group({"params": layer.parameters()})'
SAME = "with torch.no_grad(): layer.weight.copy_(torch.eye(32)); layer.bias.zero_()"


def early(body):
    lines = "\n".join("    " + line for line in body.strip().splitlines())
    return f"def early(blocks, last, h, sure):\n{lines}\n\n\ncheck(nb13.early, early)\n"


LOOP = """
used = 0
for block in blocks:
    h = {h}
    scores = last(h)
    used += 1
    if {test}:
        break
return {back}
"""
RIGHT = {
    "h": "h + torch.tanh(block(h))",
    "test": "F.softmax(scores, 1).max().item() >= sure",
    "back": "scores, used",
}


def loop(**other):
    return early(LOOP.format(**{**RIGHT, **other}))


def prune(*lines):
    body = "\n".join("    " + line for line in lines)
    head = "def pruned_step(model, optimizer, mask, x, y):\n"
    return f"{head}{body}\n\n\ncheck(nb13.prune, pruned_step)\n"


CLEAR = "optimizer.zero_grad()"
BACK = "F.cross_entropy(model(x), y).backward()"
STEP = "optimizer.step()"

ONE_BY_ONE = "model.forward = lambda x: model[3](model[2](model[1](model[0](x))))"

WRONG = {
    "grow": [
        (grow(NEW, PUT, "model.insert(4, nn.Tanh())"), "its weights have not moved"),
        (
            grow("layer = nn.Linear(10, 10)", "model.append(layer)", TELL),
            "10 numbers in and 10 out",
        ),
        (grow(NEW, "model.insert(2, layer)", TELL), "in front of the Tanh"),
        (
            grow(NEW, PUT, "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)"),
            "an optimizer of its own",
        ),
        (grow(NEW, "model.later = [layer]", TELL), "has not heard of a new layer"),
        (grow(NEW, "model[3] = nn.Linear(32, 10)"), "what it had learned is lost"),
        (grow(NEW, "model.spare = layer", TELL, ONE_BY_ONE), "it does not run"),
        (
            grow(NEW, PUT, TELL, "for p in model[1].parameters(): p.requires_grad_(False)"),
            "some parameter does not move",
        ),
        (
            grow(NEW, PUT, 'optimizer.add_param_group({"params": [layer.weight]})'),
            "only a part of the new layer",
        ),
        ("grow = 5\n\ncheck(nb13.grow, grow)\n", "a function is wanted"),
    ],
    "early": [
        (
            loop(back="last(blocks[3](h)) * 0 + LAST, used").replace(
                "used = 0",
                "used = 0\n    LAST = h\n    for block in blocks:\n        "
                "LAST = LAST + torch.tanh(block(LAST))\n    LAST = last(LAST)",
            ),
            "the scores are those after 4",
        ),
        (loop(test="False"), "4 of 4 blocks ran, where"),
        (loop(back="scores"), "two things are wanted"),
        (loop(back="scores, used - 1"), "it says that 0 of 4 blocks ran"),
        (loop(h="torch.tanh(block(h))"), "is h added to each block?"),
        (loop(back="scores.argmax(1), used"), "have the shape (1,)"),
        (loop(back="None"), "it returns nothing"),
        (loop(test="scores.max().item() >= sure"), "A score is no probability"),
        (loop(test="F.softmax(scores, 0).max().item() >= sure"), "every certainty is 1"),
        (loop(back="F.softmax(scores, 1), used"), "it returns the probabilities"),
    ],
    "prune": [
        (prune(CLEAR, BACK, STEP), "of the weights were 0, and now it is"),
        (prune(CLEAR, BACK, "with torch.no_grad(): model[1].weight *= mask"), "is there a step"),
        (
            prune(
                CLEAR,
                BACK,
                STEP,
                "with torch.no_grad():",
                "    model[1].weight = nn.Parameter(model[1].weight * mask)",
            ),
            "the optimizer has the old one",
        ),
        (
            prune(CLEAR, BACK, STEP, "with torch.no_grad(): model[1].weight *= 1 - mask"),
            "are 0 now",
        ),
        (
            prune("model[1].weight.requires_grad_(False)", CLEAR, BACK, STEP),
            "do not learn any more",
        ),
        (
            prune(BACK, STEP, "with torch.no_grad(): model[1].weight *= mask"),
            "the gradients of the first one",
        ),
        ("pruned_step = 5\n\ncheck(nb13.prune, pruned_step)\n", "a function is wanted"),
    ],
    "own change": [
        (keep(NEW, PUT, TELL), "the scores jump"),
        (keep(NEW, SAME, PUT), "its weights have not moved"),
        (keep(NEW, "model.insert(4, layer)", TELL), "it raised"),
        (keep("model[3] = nn.Linear(32, 10)"), "is no longer in the model"),
        (keep("model.insert(3, nn.Flatten())"), "as many parameters as before"),
        (keep(NEW, "model.spare = layer", ONE_BY_ONE), "it does not run"),
    ],
}
