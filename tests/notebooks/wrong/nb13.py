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
EYE = "layer.weight.data.copy_(torch.eye(32))"
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


RUNS_ALL = """
found = []
for block in blocks:
    h = h + torch.tanh(block(h))
    found.append(last(h))
for used, scores in enumerate(found, 1):
    if F.softmax(scores, 1).max().item() >= sure:
        break
return scores, used
"""
IN_PLACE = """
used = 0
for block in blocks:
    h += torch.tanh(block(h))
    scores = last(h)
    used += 1
    if F.softmax(scores, 1).max().item() >= sure:
        break
return scores, used
"""
TWICE = """
used = 0
for block in blocks:
    scores = last(h + torch.tanh(block(h)))
    h = h + torch.tanh(block(h))
    used += 1
    if F.softmax(scores, 1).max().item() >= sure:
        break
return scores, used
"""
FROM_0 = """
for used, block in enumerate(blocks):
    h = h + torch.tanh(block(h))
    scores = last(h)
    if F.softmax(scores, 1).max().item() >= sure:
        return scores, used
return scores, len(blocks)
"""
ASKS_FIRST = """
used = 0
for block in blocks:
    scores = last(h)
    if F.softmax(scores, 1).max().item() >= sure:
        return scores, used
    h = h + torch.tanh(block(h))
    used += 1
return last(h), used
"""
ONE_BEHIND = """
used = 0
for block in blocks:
    scores = last(h)
    h = h + torch.tanh(block(h))
    used += 1
    if F.softmax(last(h), 1).max().item() >= sure:
        break
return scores, used
"""
NO_END = """
used = 0
while True:
    h = h + torch.tanh(blocks[used](h))
    scores = last(h)
    used += 1
    if F.softmax(scores, 1).max().item() >= sure:
        return scores, used
"""
INSIDE = """
for used, block in enumerate(blocks, 1):
    h = h + torch.tanh(block(h))
    scores = last(h)
    if F.softmax(scores, 1).max().item() >= sure:
        return scores, used
"""
RETURNS_ANYWAY = """
used = 0
for block in blocks:
    h = h + torch.tanh(block(h))
    scores = last(h)
    used += 1
    if F.softmax(scores, 1).max().item() >= sure:
        return scores, used
    else:
        return scores, used
"""


RETURNS_INSIDE = """
for used, block in enumerate(blocks, 1):
    h = h + torch.tanh(block(h))
    scores = last(h)
    if F.softmax(scores, 1).max().item() >= sure:
        return scores, used
    return scores, len(blocks)
"""


def freeze(*lines):
    body = "\n".join("    " + line for line in lines)
    return f"def freeze(model):\n{body}\n\n\ncheck(nb13.freeze, freeze)\n"


def prune(*lines):
    body = "\n".join("    " + line for line in lines)
    head = "def pruned_step(model, optimizer, mask, x, y):\n"
    return f"{head}{body}\n\n\ncheck(nb13.prune, pruned_step)\n"


CLEAR = "optimizer.zero_grad()"
BACK = "F.cross_entropy(model(x), y).backward()"
STEP = "optimizer.step()"
MASK = "with torch.no_grad(): model[1].weight *= mask"

ONE_BY_ONE = "model.forward = lambda x: model[3](model[2](model[1](model[0](x))))"

CUT_OFF = [
    "class Beside(nn.Module):",
    "    def __init__(self):",
    "        super().__init__()",
    "        self.a = nn.Linear(32, 32)",
    "    def forward(self, h):",
    "        return h + self.a(h).detach()",
    "layer = Beside()",
]

WRONG = {
    "grow": [
        (grow(NEW, PUT, "model.insert(4, nn.Tanh())"), "its weights have not moved"),
        (grow("layer = nn.Linear(32, 16)", PUT, TELL), "32 numbers in and 16 out"),
        (grow(NEW, "model.append(layer)", TELL), "stands at the end"),
        (
            grow(NEW, PUT, 'optimizer.add_param_group({"params": layer.parameters(), "lr": 0.0})'),
            "the optimizer knows the new parameters",
        ),
        (grow("model.insert(3, nn.Tanh())"), "it has no parameters"),
        (grow("del model[2]"), "are gone or stand elsewhere"),
        (
            grow(NEW, PUT, "layer.requires_grad_(False)", TELL),
            "the new layer is frozen",
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
        (
            grow(NEW, PUT, 'optimizer.add_param_group({"params": nn.Linear(32, 32).parameters()})'),
            "the model has got another one",
        ),
        (
            grow("import copy", "model[3] = copy.deepcopy(model[3])"),
            "makes the same scores in its place",
        ),
        (
            grow(NEW, PUT, "layer.weight.requires_grad_(False)", TELL),
            "a part of the new layer is frozen",
        ),
        (grow(NEW, PUT, "optimizer.add_param_group(layer.parameters())"), "than a dict"),
        (
            grow(NEW, PUT, 'optimizer.add_param_group({"param": layer.parameters()})'),
            "has another name",
        ),
        (
            grow(NEW, PUT, 'optimizer.add_param_group({"params": layer.parameters()[0]})'),
            "has no places 0, 1, 2",
        ),
        ("grow = 5\n\ncheck(nb13.grow, grow)\n", "a function is wanted"),
        (
            grow(NEW, PUT, 'optimizer.add_param_group({"params": model.parameters()})'),
            "parameters that it knows already",
        ),
        (grow("layer = nn.LayerNorm(32)", PUT, TELL), "is of the type LayerNorm"),
        (
            grow(NEW, PUT, 'optimizer.add_param_group({"params": layer})'),
            "a layer stands where its parameters",
        ),
        (grow(NEW, "model[2] = layer", TELL), "the Tanh is gone"),
        (grow(NEW, "model.insert(layer, 3)", TELL), "insert was given a layer where"),
        (grow(NEW, PUT, "optimizer.params += layer.parameters()"), "it holds its parameters in"),
        (grow(NEW, PUT, "optimizer.add_param_group(params=layer.parameters())"), "takes one thing"),
        (
            grow(NEW, PUT, 'optimizer.param_groups.append({"params": list(layer.parameters())})'),
            "misses momentum in a group",
        ),
        (grow(NEW, PUT, TELL), "no Tanh bends its numbers"),
    ],
    "early": [
        (early(ONE_BEHIND), "the scores are those after 0"),
        (loop(test="False"), "it never stops early"),
        (
            early(RUNS_ALL),
            "it reports 1 of 4 blocks, and 4 ran",
        ),
        (loop(back="used, scores"), "the other way round"),
        (loop(back="scores.argmax().item(), used"), "what comes there is of type int"),
        (loop(back="scores, torch.tensor(used)"), "to be a plain number"),
        (loop(test="F.softmax(scores, 1).argmax().item() >= sure"), "the place of the largest"),
        (early(TWICE), "a block ran 2 times"),
        (early(FROM_0), "when it stops after one block, it says 0"),
        (early(IN_PLACE), "which belongs to the caller"),
        (early(ASKS_FIRST), "before any block has run"),
        (loop(test="F.softmax(scores, 1).max().item() >= 0.7"), "3 of 4 blocks, whatever sure is"),
        (loop(test="F.softmax(scores, 1).max().item() <= sure"), "stops where it is not sure"),
        (early(RETURNS_ANYWAY), "a return that comes in any case"),
        (
            loop(test="F.softmax(scores, 1).max().item() >= sure / 2"),
            "where the largest probabilities",
        ),
        (loop(back="scores"), "two things are wanted"),
        (loop(back="scores, used - 1"), "when one block has run, it says 0"),
        (loop(h="torch.tanh(block(h))"), "takes the place of h"),
        (loop(back="scores.argmax(1), used"), "have the shape (1,)"),
        (loop(back="None"), "it returns nothing"),
        (loop(test="scores.max().item() >= sure"), "A score is no probability"),
        (loop(test="F.softmax(scores, 0).max().item() >= sure"), "every certainty is 1"),
        (loop(back="F.softmax(scores, 1), used"), "it returns the probabilities"),
        (loop(test="F.softmax(scores, 1).max().item() > sure"), "is exactly sure, it goes on"),
        (loop(back="scores, len(blocks)"), "4 blocks have run, whether they have or not"),
        (loop(test="F.softmax(scores, 1) >= sure"), "several probabilities with sure at once"),
        (loop(test="F.softmax(scores, 1).max(1) >= sure"), "returns two things"),
        (loop(h="h + block(h)"), "where is the tanh?"),
        (loop(h="block(h)"), "what becomes of the h that comes in"),
        (loop(h="h + torch.tanh(block(0.5 * h))"), "run as in section 3"),
        (early(NO_END), "a block behind the last one"),
        (early(RETURNS_INSIDE), "and only one runs, whatever sure is"),
        (loop(test="F.softmax(scores, 1).sum().item() >= sure"), "compares the sum of the ten"),
        (early(INSIDE), "never sure enough, it returns nothing"),
        (loop().replace("in blocks", "in deep.blocks"), "it uses deep, which stands outside"),
        (loop(test="F.softmax(scores, 1).max().item >= sure"), "its brackets are missing"),
        (loop(test="scores.softmax().max() >= sure"), "along which dimension"),
        (loop(h="h + torch.tanh(blocks[block](h))"), "taken for its number"),
        (loop(test="F.softmax(h, 1).max().item() >= sure"), "are made of h"),
    ],
    "freeze": [
        (freeze("model.requires_grad_(False)"), "nothing learns any more. Which layer"),
        (freeze("model[1].requires_grad_(False)"), "3.weight and 3.bias can still learn, beside"),
        (
            freeze("model[1].requires_grad_(False)", "model[3].requires_grad_(False)"),
            "in a network of 2 Linear layers",
        ),
        (freeze("model[-1].requires_grad_(False)"), "the last layer is frozen"),
        (
            freeze("for p in list(model.parameters())[:-1]: p.requires_grad_(False)"),
            "only 5.bias can still learn",
        ),
        (
            freeze(
                "for part in model[:-1]:",
                "    if isinstance(part, nn.Linear): part.weight.requires_grad_(False)",
            ),
            "a layer has two parameters",
        ),
        (
            freeze("for part in model[:-1]: part.requires_grad = False"),
            "its parameters do not hear of it",
        ),
        (freeze("model.eval()"), "eval() only tells layers"),
        (
            freeze("for p in model[:-1].parameters(): p.grad = None"),
            "the next backward() makes new ones",
        ),
        (
            freeze("for p in model[:-1].parameters(): p = p.detach()"),
            "every parameter still requires a gradient",
        ),
        (freeze("for p in model[:-1].parameters(): p.data.zero_()"), "are others now"),
        (freeze("model[1] = nn.Linear(64, 8)"), "another tensor stands in its place"),
        (freeze("model.append(nn.Linear(10, 10))"), "more parameters than before"),
        (
            freeze("for p in grown[:-1].parameters(): p.requires_grad_(False)"),
            "the function uses grown",
        ),
        (
            freeze("for p in model.parameters()[:-2]: p.requires_grad_(False)"),
            "has no places 0, 1, 2",
        ),
        (freeze("model[:-1].parameters().requires_grad_(False)"), "each of them has to be asked"),
        (
            freeze("for part in model[:-1]: part.weight.requires_grad_(False)"),
            "Flatten and Tanh have none",
        ),
        (freeze("model[:-1].requires_grad = False"), "which value was written"),
        (
            freeze("for p in model[:-1].parameters(): p.requires_grad_ = False"),
            "here it is written over",
        ),
        (
            freeze("for p in model[:-1].parameters(): p.requires_grad(False)"),
            "no value can be called",
        ),
        (
            freeze("for p in model.parameters[:-2]: p.requires_grad_(False)"),
            "its brackets are missing",
        ),
        ("freeze = 5\n\ncheck(nb13.freeze, freeze)\n", "a function is wanted"),
    ],
    "prune": [
        (prune(CLEAR, BACK, STEP), "does not use the mask"),
        (prune(MASK, CLEAR, BACK, STEP), "The mask comes first"),
        (prune(CLEAR, BACK, MASK, STEP), "between backward() and the step"),
        (prune(CLEAR, BACK, STEP, "w = model[1].weight * mask"), "makes numbers of its own"),
        (
            prune(CLEAR, BACK, STEP, MASK, "with torch.no_grad(): model[3].weight *= 0"),
            "3.weight is 0 altogether",
        ),
        (prune(CLEAR, BACK, MASK, STEP, STEP), "When is the mask used"),
        (prune(CLEAR, BACK, STEP, STEP, MASK), "or how many steps are there"),
        (prune(CLEAR, BACK, "with torch.no_grad(): model[1].weight *= mask"), "Is there a step"),
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
            "the weights that were to stay are 0 now",
        ),
        (
            prune(CLEAR, BACK, STEP, MASK, MASK.replace("*= mask", "[0] = 0")),
            "of the weights are masked, and",
        ),
        (
            prune("model[1].weight.requires_grad_(False)", CLEAR, BACK, STEP),
            "do not learn any more",
        ),
        (
            prune(BACK, STEP, "with torch.no_grad(): model[1].weight *= mask"),
            "the gradients of the first one",
        ),
        (
            "thin, _ = new_model()\n\n\n"
            + prune(CLEAR, BACK, STEP, "with torch.no_grad(): thin[1].weight *= mask"),
            "it uses thin, which stands outside",
        ),
        (
            prune("step(model, optimizer, 0)", MASK),
            "does not use the x and y",
        ),
        (prune(CLEAR, "F.cross_entropy(model(x), y)", STEP, MASK), "what fills .grad?"),
        (
            prune(CLEAR, BACK, STEP, "model[1].weight = model[1].weight * mask"),
            "a plain tensor cannot take the place",
        ),
        (
            prune(CLEAR, BACK, STEP, "with torch.no_grad(): model[1].weight[mask] = 0"),
            "places or True and False",
        ),
        (
            prune(CLEAR, BACK, STEP, "with torch.no_grad(): model[0].weight *= mask"),
            "Flatten and Tanh have none",
        ),
        ("pruned_step = 5\n\ncheck(nb13.prune, pruned_step)\n", "a function is wanted"),
    ],
    "own change": [
        (keep(NEW, PUT, TELL), "What does the new layer make of the numbers"),
        (keep(NEW, "layer.weight.data.zero_()", PUT, TELL), "every image gets the same ones"),
        (keep(NEW, EYE, PUT, TELL), "a layer does more than multiply"),
        (keep(NEW, SAME, PUT, "model.insert(4, nn.Tanh())", TELL), "a further Tanh bends"),
        (keep(NEW, SAME, "layer.requires_grad_(False)", PUT, TELL), "the new layer is frozen"),
        (keep(NEW, SAME, PUT), "its weights have not moved"),
        (keep(NEW, "model.insert(4, layer)", TELL), "stands at the end"),
        (keep(NEW, "model.insert(0, layer)", TELL), "does not get as many numbers"),
        (keep("layer = nn.Linear(10, 5)", "model.append(layer)", TELL), "has 5 scores now"),
        (
            keep(NEW, SAME, "model = nn.Sequential(*list(model)[:3], layer, model[3])", TELL),
            "the model that the loop trains is as it was",
        ),
        (keep("model[3] = nn.Linear(32, 10)"), "is no longer in the model"),
        (keep("model.insert(3, nn.Identity())"), "the Identity is in the model, but it has no"),
        (
            keep(
                "class Beside(nn.Module):",
                "    def __init__(self):",
                "        super().__init__()",
                "        self.a, self.b = nn.Linear(32, 32), nn.Linear(32, 32)",
                "    def forward(self, h):",
                "        return h + self.b(torch.tanh(self.a(h)))",
                "layer = Beside()",
                "for p in layer.parameters(): p.data.zero_()",
                PUT,
                TELL,
            ),
            "Which factor on the way there is 0",
        ),
        (
            keep("import copy", "model[3] = copy.deepcopy(model[3])", "model.later = 1"),
            "that were there are to stay",
        ),
        (keep(NEW, "model.spare = layer", ONE_BY_ONE), "it does not run"),
        (keep(*CUT_OFF, PUT, TELL), "What keeps it out of the graph?"),
        (keep(NEW, "layer.weight = torch.eye(32)", PUT, TELL), "a plain tensor cannot take"),
    ],
}
