"""Wrong solutions of notebook 08's exercises, each with a part of what it is told."""


def ways(*numbers):
    return f"mine = {list(numbers)!r}\n\ncheck(nb08.ways, mine)\n"


def saves(*words):
    return f"mine = {list(words)!r}\n\ncheck(nb08.saves, mine)\n"


def who(*pairs):
    return f"mine = {list(pairs)!r}\n\ncheck(nb08.who, mine)\n"


def repairs(first, third):
    return f"mine = [lambda loss: {first}, lambda scores: {third}]\n\ncheck(nb08.repairs, mine)\n"


def evaluate(body, add="F.cross_entropy(model(images), labels).item()"):
    body = body.replace("ADD", add)
    return f"def evaluate(model, batches):\n{body}\n\n\ncheck(nb08.evaluate, evaluate)\n"


LOOP = """    total = 0.0
    for images, labels in batches:
        total += ADD
    return """
QUIET = """    total = 0.0
    with torch.no_grad():
        for images, labels in batches:
            total += ADD
    return """
LAST = """    with torch.no_grad():
        for images, labels in batches:
            loss = ADD
    return loss"""
FIRST = """    with torch.no_grad():
        for images, labels in batches:
            return ADD"""
ALL_FIRST = """    losses = []
    for images, labels in batches:
        losses.append(F.cross_entropy(model(images), labels))
    return sum(loss.item() for loss in losses) / len(losses)"""
SWITCHED_OFF = """    torch.set_grad_enabled(False)
    total = 0.0
    for images, labels in batches:
        total += ADD
    return total / len(batches)"""
FROZEN = (
    """    for parameter in model.parameters():
        parameter.requires_grad_(False)
"""
    + LOOP
)
WALKED = """    total = 0.0
    for images, labels in batches:
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        total += loss.item()
    return total / len(batches)"""
NAMED = """    total = 0.0
    for images, labels in batches:
        loss = F.cross_entropy(model(images), labels)
        total += loss.item()
    return total / len(batches)"""
ALONE = "    torch.no_grad()\n"
SWITCHED = "    model.eval()\n"
CUT_OFF = "F.cross_entropy(model(images).detach(), labels).item()"
TENSOR = "F.cross_entropy(model(images), labels)"


def walk(body):
    lines = "\n".join("    " + line for line in body.strip().splitlines())
    return f"def walk(segment, inputs, g):\n{lines}\n\n\ncheck(nb08.hand, walk)\n"


EACH = """
for start in {order}:
    start = start.detach().requires_grad_()
    {line}
    {then}
"""


def each(order="reversed(inputs)", line="segment(start).backward(g)", then="g = start.grad"):
    return walk(EACH.format(order=order, line=line, then=then))


ALL_AT_ONCE = """
starts = [one.detach().requires_grad_() for one in inputs]
ends = [segment(one) for one in starts]
for start, end in zip(reversed(starts), reversed(ends)):
    end.backward(g)
    g = start.grad
"""


RETAINED = "out = segment(start); out.backward(g, retain_graph=True)"
HELD = """
results = []
for start in reversed(inputs):
    start = start.detach().requires_grad_()
    results.append(segment(start))
    results[-1].backward(g)
    g = start.grad
"""


NO_RECORD = {
    "order": "reversed(inputs)",
    "line": "segment(start).backward(g)",
    "then": "g = start.grad",
}
SILENT = "segment runs where nothing is recorded"


def own(expression, head="def mine(x):\n    return "):
    return f"{head}{expression}\n\n\ncheck(nb08.own, mine)\n"


THREE = "(torch.tanh(torch.exp(torch.sigmoid(y))) + 1).mean()"
FROM_A_COPY = "def mine(x):\n    y = x.detach().requires_grad_()\n    return "
RIGHT = ("result", "input", "nothing", "input", "result", "nothing", "other")

WRONG = {
    "ways": [
        (ways(16, 16, 16, 2), "A: not 16; nothing is recorded there"),
        (ways(3, 16, 16, 2), "A: not 3; so many are there at the same time"),
        (ways(0, 0, 16, 2), "B: not 0; detach() is called when"),
        (ways(0, 16, 0, 2), "C: not 0; eval() tells"),
        (ways(0, 16, 16, 0), "D: not 0; each layer is recorded"),
        (ways(0, 17, 16, 2), "B: not 17; detach() is called at the end"),
        (ways(0, 32, 16, 2), "B: not 32; each layer makes two arrays"),
        (ways(0, 16, 17, 2), "C: not 17; one for each layer"),
        (ways(0, 16, 32, 2), "C: not 32; it is recorded, that is true"),
        (ways(0, 16, 16, 1), "D: not 1; that is what the tanh saves"),
        (ways(0, 16, 16, 16), "D: not 16; that would be so with one detach()"),
        (ways(0, 16, 16), "a list of four numbers"),
        (ways(0, 16, 16, "two"), "is no number"),
    ],
    "saves": [
        (saves("input", *RIGHT[1:]), "A: not 'input'; how large is the slope of exp"),
        (saves(RIGHT[0], "result", *RIGHT[2:]), "Of what? At 0 and at π the sine is the same"),
        (saves(*RIGHT[:2], "input", *RIGHT[3:]), "C: not 'input'; what is the slope of adding 1"),
        (saves(*RIGHT[:3], "result", *RIGHT[4:]), "stands in it? The squares of 3 and of −3"),
        (saves(*RIGHT[:4], "input", *RIGHT[5:]), "E: not 'input'; sigmoid bends"),
        (saves(*RIGHT[:5], "input", RIGHT[6]), "F: not 'input'; make one number"),
        (saves(*RIGHT[:6], "input"), "G: not 'input'; the slope is 1 for the largest"),
        (saves("nothing", *RIGHT[1:]), "if you know the value of exp there? Nothing need be saved"),
        (saves(RIGHT[0], "other", *RIGHT[2:]), "Of what? And which array would the operation make"),
        (saves(*RIGHT[:6], "result"), "Does it say where they stood?"),
        (saves(*RIGHT[:6]), "a list of seven words"),
        (saves("both", *RIGHT[1:]), "is none of the words"),
    ],
    "repairs": [
        (repairs("loss", "scores.detach()"), "first: that is the result itself"),
        (repairs("loss.clone()", "scores.detach()"), "first: that is a new result, and 5 nodes"),
        (repairs("2 * loss.item()", "scores.detach()"), "first: no graph is kept. But it is not"),
        (
            repairs("[].append(loss.item())", "scores.detach()"),
            "first: the function returns nothing",
        ),
        (repairs("loss.item", "scores.detach()"), "its brackets are missing"),
        (repairs("loss.items()", "scores.detach()"), "first: it raised AttributeError"),
        (repairs("loss.item()", "scores"), "third: that is the result itself"),
        (repairs("loss.item()", "scores + 0"), "third: that is a new result, and 4 nodes"),
        (repairs("loss.item()", "scores.item()"), "here are 320"),
        (repairs("loss.item()", "scores.argmax(1)"), "third: no graph is kept. But it is not"),
        (repairs("loss.item()", "scores.numpy()"), "third: it raised RuntimeError"),
        ("mine = [lambda loss: 1]\n\ncheck(nb08.repairs, mine)\n", "a list with two functions"),
        ("mine = [1, 2]\n\ncheck(nb08.repairs, mine)\n", "as `lambda` makes it"),
    ],
    "evaluate": [
        (evaluate(LOOP + "total / len(batches)", TENSOR), "behind its result are"),
        (evaluate(LOOP + "total / len(batches)"), "why is a graph made at all"),
        (evaluate(NAMED), "at the peak two batches are there"),
        (evaluate(ALONE + LOOP + "total / len(batches)"), "holds only inside a block"),
        (evaluate(SWITCHED + LOOP + "total / len(batches)"), "as in C of *ways*"),
        (evaluate(LOOP + "total / len(batches)", CUT_OFF), "before `detach()` cuts it off"),
        (evaluate(SWITCHED + QUIET + "total / len(batches)"), "left in that of `eval()`"),
        (evaluate(QUIET + "total / len(batches)", TENSOR), "this is a tensor, though"),
        (evaluate(QUIET + "total"), "that is the sum of the losses"),
        (evaluate(QUIET + "total / 20"), "it divides the sum of the losses by 20"),
        (evaluate(LAST), "that is the loss of the last batch"),
        (evaluate(FIRST + " / len(batches)"), "the first batch, divided by the number"),
        (evaluate(LAST + " / len(batches)"), "the last batch, divided by the number"),
        (evaluate(QUIET.replace("()", "") + "total"), "its brackets are missing"),
        (evaluate(FIRST), "the loss of the first batch alone"),
        (evaluate(QUIET + "len(batches)"), "the mean of the five losses is"),
        (evaluate(ALL_FIRST), "at the peak 5 times as much"),
        (evaluate(SWITCHED_OFF), "nothing is recorded any more"),
        (evaluate(FROZEN + "total / len(batches)"), "ask for no gradient any more"),
        (evaluate(WALKED), "Does an evaluation need a backward pass?"),
        (evaluate(QUIET + "[total / len(batches)]"), "it returns a list"),
        (evaluate("    for images, labels in batches:\n        ADD"), "it returns nothing"),
    ],
    "who": [
        (who(("best", "freed"), ("total", "sum"), ("report", "stored")), "only plain numbers are"),
        (who(("loss", "freed"), ("total", "sum"), ("report", "stored")), "gone since `run` has"),
        (who(("model", "freed"), ("total", "sum"), ("report", "stored")), "it was there before"),
        (who(("self", "freed"), ("total", "sum"), ("report", "stored")), "that is all of it"),
        (who(("seen", "freed"), ("total", "sum"), ("report", "stored")), "another program's view"),
        (
            who(("kept", "freed"), ("total", "sum"), ("report", "stored")),
            "What stands there behind",
        ),
        (
            who(("history", "stored"), ("total", "sum"), ("report", "stored")),
            "A: not 'stored'; look at the curve. It falls",
        ),
        (who(("history", "freed"), ("losses", "sum"), ("report", "stored")), "B: 'losses' is not"),
        (
            who(("history", "freed"), ("total", "stored"), ("report", "stored")),
            "B: not 'stored'; what does the last line do",
        ),
        (
            who(("history", "freed"), ("total", "freed"), ("report", "stored")),
            "B: not 'freed'; the curve falls after each of the first 12",
        ),
        (
            who(("history", "freed"), ("total", "sum"), ("report", "freed")),
            "C: not 'freed'; look at the curve. Does it fall anywhere",
        ),
        (
            who(("history", "freed"), ("total", "sum"), ("report", "sum")),
            "C: not 'sum'; which line there adds",
        ),
        (who(("history", "freed"), ("total", "sum"), ("report", "kept")), "is none of the words"),
        (who("history", "total", "report"), "A: a pair is wanted"),
    ],
    "hand": [
        (each(order="inputs"), "from the first to the last"),
        (each(then="pass"), "with the g that arrived at the end"),
        (each(line="segment(start).backward(torch.ones_like(g))"), "as if 1 arrived"),
        (each(line="segment(start).backward()"), "a segment ends with many numbers"),
        (
            each(line="out = segment(start); out.backward(g)", then="g = out.grad"),
            "Of which tensor did you read .grad",
        ),
        (each(line="g = segment(start).backward(g)", then="pass"), "backward() returns nothing"),
        (
            each(line="segment(start).backward(g * 2)"),
            "is g, as it arrives, what its walk begins with?",
        ),
        (
            walk(
                "for h in reversed(inputs):\n    h.requires_grad_()\n"
                "    segment(h).backward(g)\n    g = h.grad"
            ),
            "the tensors in the list are the caller's",
        ),
        (each(line="segment(start)", then="pass"), "no gradient has arrived"),
        (
            walk("for h in reversed(inputs):\n    segment(h).backward(g)\n    g = h.grad"),
            "asks for no gradient",
        ),
        (walk("pass; return g"), "it never calls segment"),
        (walk(ALL_AT_ONCE), "4 segments are recorded at the same time"),
        (each(line=RETAINED), "its backward pass has not freed it"),
        (walk(HELD), "are still held when another one runs"),
        (each(order="reversed(inputs[1:])"), "and it runs 3: some layers"),
        (each(order="reversed(inputs + inputs[-1:])"), "segments run 5 times"),
        (each(line="segment(start).backward(2 * g)", then="g = start.grad / 2"), "is 2 times what"),
        (each(line="segment(start, 8).backward(g)"), "a segment gets one argument"),
        (each(order="inputs.reverse()"), "turns the list itself round"),
        (walk("with torch.no_grad():" + EACH.format(**NO_RECORD).replace("\n", "\n    ")), SILENT),
        (each(then="g = 2 * start.grad"), "it is another one than that of the whole chain"),
    ],
    "own program": [
        (own("(torch.tanh(x) + 1).mean()"), "its graph has 3 nodes"),
        (own("((torch.tanh(x) + 1) * 2 - 1).mean()"), "saves 1 array, and three"),
        (
            own("torch.exp(torch.exp(torch.tanh(torch.sin(x + 1) + 1)))"),
            "from the first on: Add 0, Sin 1",
        ),
        (own("torch.sigmoid(torch.exp(torch.tanh(x))).detach() + 1"), "has no history"),
        (own("(torch.tanh(x), torch.exp(x))"), "it returns a tuple"),
        (own(THREE, head=FROM_A_COPY), "that ends at another leaf"),
        (own("torch.tanh(x)", head="def mine(x):\n    y = "), "it returns nothing. One tensor"),
        (own("torch.exp(torch.tanh(x[:30] + 1) * 2).mean()"), "some is smaller"),
        (own("3", head="mine = "), "a function is wanted"),
    ],
}
