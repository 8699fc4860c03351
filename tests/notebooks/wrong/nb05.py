"""Wrong solutions of notebook 05's exercises, each with a part of what it is told."""

import textwrap


def order(mine):
    return f"mine = {mine}\n\ncheck(nb05.order, mine)\n"


def purpose(*words):
    return f"mine = {list(words)}\n\ncheck(nb05.purpose, mine)\n"


def diagnosis(*words):
    return f"mine = {list(words)}\n\ncheck(nb05.diagnosis, mine)\n"


def step(*lines):
    body = "\n".join(f"    {line}" for line in lines)
    return f"def step(w, g, v, lr, m):\n{body}\n\n\ncheck(nb05.momentum, step)\n"


def update(body):
    body = textwrap.indent(textwrap.dedent(body), "    ")
    return f"def update(parameters, lr):\n{body}\n\n\ncheck(nb05.by_hand, update)\n"


def unrecorded(*lines):
    body = "".join(f"\n            {line}" for line in lines)
    return update(f"""
    with torch.no_grad():
        for p in parameters:{body}
    """)


def keep(*lines):
    body = "\n".join(f"    {line}" for line in lines)
    return f"def keep(model, other, path):\n{body}\n\n\ncheck(nb05.keep, keep)\n"


def mean_loss(result, add="F.cross_entropy(model(x), y).item()", more="pass"):
    return f"""
def mean_loss(model, loader):
    total, count, batches = 0.0, 0, 0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        total += {add}
        count += len(y)
        batches += 1
        {more}
    return {result}


check(nb05.mean_loss, mean_loss)
"""


def own(part, first_loss, share):
    return f"""
def network():
    return nn.Sequential(nn.Flatten(), {part})


check(nb05.own_network, network)
check(nb05.first_loss, (network, {first_loss}))
check(nb05.share, (network, {share}))
"""


WEIGHED = "loss.item() * len(y)"

WRONG = {
    "order": [
        (order('"OLPNMQK"'), "It throws away what M has computed"),
        (
            order('"OLQPNKM"'),
            "K comes before M. It would move the numbers by the gradients of the batch",
        ),
        (order('"OLQNPMK"'), "N uses the guess"),
        (order('"OLQPMNK"'), "M starts from the loss"),
        (order('"LOQPNMK"'), "every batch would be used for thirty steps"),
        (order('"OQLPNMK"'), "Q stands in front of a loop"),
        (order('"OPLQNMK"'), "P stands in front of a loop"),
        (order('"OLPNMK"'), "Q is missing"),
        (order('"olqpnm"'), "K is missing"),
        (order('"OLQPNMKQ"'), "Q comes twice"),
        (order('"OLQPNMX"'), "X is none of the lines"),
        (order("7"), "a list of lines is wanted"),
    ],
    "purpose": [
        (purpose("move", "compare", "ask", "clear"), "Q: zero_grad() sees neither"),
        (purpose("clear", "ask", "compare", "move"), "N: measure() is given the guess"),
        (purpose("forget", "compare", "move", "ask"), "M: backward() walks the graph"),
        (purpose("forget", "compare", "ask", "ask"), "K: step() comes when every"),
        (purpose("forget", "compare", "ask", "update"), "K: 'update' is none of the words"),
        (purpose("forget", "compare"), "a list of four words"),
    ],
    "diagnosis": [
        (diagnosis("backward", "step", "zero_grad", "none", "late"), "A: a gradient does arrive"),
        (diagnosis("step", "late", "zero_grad", "none", "backward"), "A: at the end there is no"),
        (diagnosis("zero_grad", "step", "late", "none", "backward"), "A: the gradient would grow"),
        (diagnosis("none", "step", "zero_grad", "late", "backward"), "A: the weights stay"),
        (
            diagnosis("late", "late", "zero_grad", "none", "backward"),
            "B: the gradient is still there",
        ),
        (diagnosis("late", "step", "step", "none", "backward"), "C: the weights move"),
        (diagnosis("late", "step", "none", "zero_grad", "backward"), "C: on one and the same"),
        (diagnosis("late", "step", "zero_grad", "none", "late"), "E: no gradient arrives"),
        (diagnosis("late", "step", "zero_grad", "none", "step"), "E: no gradient ever arrives"),
        (diagnosis("late", "step", "zero_grad", "fine", "backward"), "D: 'fine' is none of the"),
        (diagnosis("late", "step"), "a list of five words"),
    ],
    "momentum": [
        (step("v = m * v + (1 - m) * g", "return w - lr * v, v"), "that is a mean"),
        (step("return w - lr * v, m * v + g"), "by the old v"),
        (step("return w - lr * g, m * v + g"), "what v remembers is not used"),
        (step("v = m * v + g", "return w + lr * v, v"), "uphill"),
        (step("v = m * v + lr * g", "return w - v, v"), "lr belongs to the move of w"),
        (step("v = v + g", "return w - lr * v, v"), "m is missing"),
        (step("v = m * v + g", "return w - lr * (g + m * v), v"), "Nesterov"),
        (step("return w - lr * (m * v + g), v"), "v is returned as it came"),
        (step("v = m * v", "return w - lr * v, v"), "v never hears of the new gradient"),
        (step("v = m * v - lr * g", "return w + v, v"), "lr and the sign are in it already"),
        (step("v = m * v + g", "return v, w - lr * v"), "the new w comes first"),
        (step("v = m * v + g", "return w - lr * v"), "it returns one number"),
        (step("v = m * v + g", "return w, g, v"), "two numbers are wanted"),
        (step("v = m * v + g", "w = w - lr * v"), "it returns nothing"),
        (step("v = m * v + grad", "return w - lr * v, v"), "the new gradient is handed in, as g"),
        (
            step("return w, v"),
            "lr=0.1, m=0.9, it returns w = 1, v = 3: not yet the new w and the new v",
        ),
        ("check(nb05.momentum, 0.9)\n", "a function is wanted"),
    ],
    "by hand": [
        (update("for p in parameters:\n    p = p - lr * p.grad\n    p.grad = None"), "not moved"),
        (update("for p in parameters:\n    p -= lr * p.grad\n    p.grad = None"), "a leaf"),
        (unrecorded("p.grad = None", "p -= lr * (0 if p.grad is None else p.grad)"), "cleared"),
        (unrecorded("p.grad = None", "p -= lr * p.grad"), "p.grad was None by then"),
        (update("optimizer.step()\noptimizer.zero_grad()"), "without optimizer, please"),
        (update("torch.optim.SGD(parameters, lr).step()"), "without SGD, please"),
        (unrecorded("p += lr * p.grad", "p.grad = None"), "uphill"),
        (unrecorded("p -= p.grad", "p.grad = None"), "lr is missing"),
        (unrecorded("p -= lr * p.grad"), "still there"),
        (unrecorded("p -= lr * p.grad", "p.grad = None", "return"), "a return in the loop"),
        (unrecorded("p -= lr * p", "p.grad = None"), "not by lr times their grad"),
        (
            update("""
         for p in parameters:
             p.requires_grad_(False)
             p -= lr * p.grad
             p.grad = None
         """),
            "require no gradient",
        ),
        (update("parameters -= lr * parameters.grad"), "AttributeError"),
        ("check(nb05.by_hand, 0.1)\n", "a function is wanted"),
    ],
    "mean loss": [
        (mean_loss("total / batches", "loss"), "nodes behind it"),
        (mean_loss("total / batches"), "the last has only 6 of the 70 digits"),
        (mean_loss("total"), "the sum of the batches' losses"),
        (mean_loss("total", WEIGHED), "the sum over all digits"),
        (mean_loss("2 * total / count", WEIGHED), "which is too large"),
        (mean_loss("total / (32 * batches)", WEIGHED), "the last batch is not full"),
        (mean_loss("total / batches", WEIGHED), "weighed by digits"),
        (mean_loss("total / len(digits.y)", WEIGHED), "the size of another data set: count"),
        (mean_loss("total / len(digits.y)"), "another data set, and each batch's mean"),
        (mean_loss("total / count"), "is a mean already"),
        (mean_loss("loss.item()"), "the last batch alone"),
        (mean_loss("total", more="return total"), "a return in the loop"),
        (mean_loss("total / count", WEIGHED, more="loss.backward()"), "leaves gradients"),
        (mean_loss("total * 32 / 1437"), "weighed by 32, and divided by the size of another"),
        (mean_loss("total * 32 / count"), "weighs as much as 32 of them"),
        (mean_loss("total / 45"), "the number of another loader's batches"),
        (mean_loss("epoch(lambda loss: loss.item()) / 45"), "epoch() trains your model"),
        (mean_loss("[total]"), "this is a list"),
        (mean_loss("None"), "returns nothing"),
    ],
    "keep": [
        (keep("torch.save(model.state_dict(), path)"), "other still has its own weights"),
        (
            keep("torch.save(other.state_dict(), path)", "model.load_state_dict(torch.load(path))"),
            "the wrong way",
        ),
        (
            keep("torch.save(other.state_dict(), path)", "other.load_state_dict(torch.load(path))"),
            "not the weights of model",
        ),
        (keep("other.load_state_dict(model.state_dict())"), "nothing was saved at path"),
        (
            keep("torch.save(model, path)", "other.load_state_dict(torch.load(path))"),
            "save a state dict",
        ),
        (keep("torch.save(list(model.parameters()), path)"), "the names of the weights are lost"),
        (keep("torch.save(model.state_dict(), path)", "other.load_state_dict(path)"), "state_dict"),
        (
            keep(
                "torch.save(model.state_dict(), path)",
                "for p in model.parameters():",
                "    p.data += 1",
            ),
            "model has changed",
        ),
        (
            keep(
                "torch.save(model.state_dict(), path)",
                "for p, q in zip(model.parameters(), other.parameters()):",
                "    q.data = p.data + 0.1",
            ),
            "the scores of the two differ",
        ),
        (
            keep(
                "torch.save(model.state_dict(), path)",
                "for i in (1, 3):",
                "    other[i].weight, other[i].bias = model[i].weight, model[i].bias",
            ),
            "the same tensors",
        ),
        (
            keep(
                "torch.save(model.state_dict(), path)", "other.load_state_dict(model.state_dict())"
            ),
            "do not come from the file",
        ),
        ("check(nb05.keep, 0.1)\n", "a function is wanted"),
    ],
    "own network": [
        (own("nn.Linear(64, 10)", 0, 0.95), "sure of the right digit from the start"),
        (own("nn.Linear(64, 10)", 1, 0.95), "a logarithm to the base 10"),
        (own("nn.Linear(64, 10)", 0.1, 0.95), "the probability of one digit"),
        (own("nn.Linear(64, 10)", -2.3, 0.95), "never below 0"),
        (own("nn.Linear(64, 10)", 10, 0.95), "the measured loss is smaller than that"),
        (own("nn.Linear(64, 10)", 0.7, 0.95), "the measured loss is larger than that"),
        (own("nn.Linear(64, 10)", 2.3, 0.5), "it reads more of the test digits"),
        (own("nn.Linear(64, 10)", 2.3, 1), "it reads fewer of the test digits"),
        (own("nn.Linear(64, 10)", 2.3, 95), "nine tenths of the digits would be 0.9"),
        (own("nn.Linear(64, 20)", 2.3, 0.95), "have shape (1437, 20)"),
        (own("nn.Tanh()", 2.3, 0.95), "this network has no parameters"),
        (own("nn.Linear(32, 10)", 2.3, 0.95), "cannot read the digits: mat1"),
        (own("nn.Linear(64, 10)", '"2.3"', 0.95), "first_loss is a str, and a number"),
        (own("nn.Linear(64, 10)", 2.3, '"all"'), "share is a str, and a number"),
        ("check(nb05.own_network, 0.9)\n", "network is to be a function"),
        ("check(nb05.first_loss, 0.9)\n", "the function network, and first_loss"),
        ("check(nb05.share, 0.9)\n", "the function network, and share"),
    ],
}
