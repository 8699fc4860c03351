"""Wrong solutions of notebook 06's exercises, each with a part of what it is told."""

import textwrap


def function(head, name, body):
    body = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    return f"def {head}:\n{body}\n\n\ncheck(nb06.{name}, {head.partition('(')[0]})\n"


def train(body):
    return function("train(model, optimizer, x, y, steps)", "still", body)


def loop(*lines, result="losses"):
    body = "".join(f"\n        {line}" for line in lines)
    return train(f"""
    losses = []
    for step in range(steps):{body}
    return {result}
    """)


def distance(result):
    return function("distance(place, home)", "distance", f"return {result}")


def repaired(hidden, forward="x = torch.tanh(layer(x))"):
    return f"""
class Repaired(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = {hidden}
        self.out = nn.Linear(32, 10)

    def forward(self, x):
        x = x.flatten(1)
        for layer in self.hidden:
            {forward}
        return self.out(x)


check(nb06.register, Repaired)
"""


def careful(*lines):
    return function("careful(guess, truth)", "careful", "\n".join(lines))


def dead_share(result):
    return function("dead_share(hidden)", "dead", f"return {result}")


def smooth(*lines):
    head = "smooth(model, optimizer, x, y, average)"
    return function(head, "smooth", "\n".join(["optimizer.zero_grad()", *lines]))


def patient(*lines):
    return function("patient(model, optimizer, x, y)", "own", "\n".join(lines))


def chosen(name, *words):
    return f"mine = {dict(zip('ABCDE', words))}\n\ncheck(nb06.{name}, mine)\n"


def two_tests(*words):
    mine = dict(zip(("first", "second", "suspect"), words))
    return f"mine = {mine}\n\ncheck(nb06.two_tests, mine)\n"


def first_moves(ruled_out, tool):
    return f"mine = {{'ruled out': {ruled_out}, 'tool': {tool}}}\n\ncheck(nb06.moves, mine)\n"


CLEAR, LOSS = "optimizer.zero_grad()", "loss = F.mse_loss(model(x), y)"
BACK, STEP, KEEP = "loss.backward()", "optimizer.step()", "losses.append(loss.item())"
AVERAGE = "0.9 * average + 0.1 * loss.item()"
DIFFER = "if guess.shape != truth.shape:"
MEAN = "return ((guess - truth) ** 2).mean()"

WRONG = {
    "still": [
        (
            loop(
                CLEAR, "loss = F.mse_loss(model(x), y).detach().requires_grad_()", BACK, STEP, KEEP
            ),
            "the history is still cut",
        ),
        (loop(CLEAR, LOSS, BACK, STEP, "losses.append(loss)"), "Keep plain numbers"),
        (
            loop(CLEAR, LOSS, BACK, STEP, "losses.append(loss.detach())"),
            "a plain number is no tensor",
        ),
        (
            loop(CLEAR, LOSS, BACK, STEP, "losses.append(f'{loss.item():.2f}')"),
            "the list keeps texts",
        ),
        (loop(LOSS, BACK, STEP, KEEP), "nobody clears them"),
        (loop(CLEAR, LOSS, BACK, KEEP), "nothing has used it when the step ends"),
        (loop(CLEAR, LOSS, STEP, KEEP), "nothing has asked for a gradient"),
        (loop(LOSS, BACK, CLEAR, STEP, KEEP), "cleared before anything uses it"),
        (loop(CLEAR, LOSS, BACK, STEP, KEEP, result="losses[-1]"), "a list of numbers is wanted"),
        (loop(CLEAR, LOSS, BACK, STEP, KEEP, result="losses[1:]"), "the list has 11 losses"),
        (loop(CLEAR, LOSS, BACK, STEP, KEEP, result="losses[:1]"), "the list has one loss."),
        (loop(CLEAR, LOSS, BACK, STEP, KEEP, result="None"), "it returns nothing"),
        (
            loop(CLEAR, "loss = F.l1_loss(model(x), y)", BACK, STEP, KEEP),
            "not the loss of the loop above",
        ),
        (
            loop(
                "mine = torch.optim.SGD(model.parameters(), lr=0.05)",
                "mine.zero_grad()",
                LOSS,
                BACK,
                "mine.step()",
                KEEP,
            ),
            "the optimizer that it gets makes no step",
        ),
        (
            loop(CLEAR, "loss = F.mse_loss(taxi(km), fare)", BACK, STEP, KEEP),
            "does not use the model and the data that it gets: taxi and km and fare belong to",
        ),
    ],
    "two tests": [
        (two_tests("passed", "passed", "start"), "first: how far is the loss before"),
        (two_tests("failed", "failed", "start"), "second: how far from 0"),
        (
            two_tests("failed", "passed", "softmax"),
            "suspect: the loss of the reader with a softmax",
        ),
        (two_tests("failed", "passed", "cut"), "suspect: no weight would move"),
        (two_tests("failed", "passed"), "three words are wanted"),
    ],
    "first moves": [
        (first_moves("'nothing arrives'", "'grad'"), "the optimizer has nothing to work with"),
        (first_moves("'nothing steps'", "..."), "ruled out: the weights stay then"),
        (first_moves("...", "'longer'"), "which curve would you see"),
        (first_moves("'too long'", "'weights'"), "the same before and after"),
        ("mine = 'too long'\n\ncheck(nb06.moves, mine)\n", "two words are wanted"),
    ],
    "distance": [
        (distance("((place - home) ** 2).sqrt()"), "a root of 0 is still on the path"),
        (
            distance("torch.where(place == home, 0.0, ((place - home) ** 2).sqrt())"),
            "where() only chooses",
        ),
        (
            function("distance(place, home)", "distance", "far = (place - home).abs()"),
            "it returns nothing",
        ),
        (distance("((place - home + 1e-6) ** 2).sqrt()"), "The fault has only moved"),
        (
            distance(
                "torch.tensor(0.0, requires_grad=True) if place == home else (place - home).abs()"
            ),
            "for place = 2 nothing arrives at place",
        ),
        (distance("(place - home) ** 2"), "it is 7 km; it returns 49"),
        (distance("place"), "it is 7 km; it returns 9"),
        (distance("place - home"), "it is 5 km; it returns -5"),
        (distance("(place - home).abs().detach()"), "no slope comes back"),
        (distance("((place - home) ** 2 + 1.0).sqrt()"), "it is 7 km; it returns 7.071"),
        (distance("(place - home).abs() + (place - place.detach()) * 3"), "the slope is 4"),
    ],
    "register": [
        (repaired("[nn.Linear(64, 32)]"), "the layer in the list is not among them"),
        (repaired("(nn.Linear(64, 32),)"), "the layer in the tuple is not among them"),
        (repaired("nn.ParameterList([nn.Linear(64, 32)])"), "hold single tensors"),
        (repaired("nn.ModuleList([])"), "they are those of out"),
        (
            repaired("nn.ModuleDict({'first': nn.Linear(64, 32)})"),
            "a loop over a ModuleDict brings names",
        ),
        (repaired("nn.ModuleList([nn.Linear(64, 16)])"), "1,370 numbers, 1,040 fewer"),
        (
            repaired("nn.ModuleList([nn.Linear(64, 32), nn.Linear(32, 32)])"),
            "3,466 numbers, 1,056 more",
        ),
        (
            repaired("nn.ModuleList([nn.Linear(64, 32)])", "x = x[:, :32]"),
            "forward() does not use it",
        ),
        (repaired("nn.ModuleList([nn.Linear(64, 32)])", "return layer(x)"), "the shape (2, 32)"),
        (
            repaired("nn.ModuleList([nn.Linear(64, 32)])").replace("return self.out", "self.out"),
            "forward() returns nothing",
        ),
        (
            repaired("nn.Linear(64, 32)")
            .replace("for layer in self.hidden:", "if True:")
            .replace("layer(x)", "self.hidden(x)"),
            "no module that is like a list",
        ),
    ],
    "careful": [
        (careful(MEAN), "it says nothing"),
        (careful("return F.mse_loss(guess, truth)"), "it only warns"),
        (careful(DIFFER, "    raise TypeError('no')", MEAN), "raises a TypeError"),
        (
            careful(DIFFER, "    raise ValueError('no')", "return (guess - truth).mean()"),
            "returns 1.333",
        ),
        (
            careful(
                DIFFER, "    raise ValueError('no')", "return ((guess - truth) ** 2).mean().item()"
            ),
            "has no history",
        ),
        (careful("if guess.ndim != truth.ndim:", "    raise ValueError('no')", MEAN), "(1, 3)"),
        (careful(DIFFER, "    return ValueError('no')", MEAN), "it returns a ValueError"),
        (
            careful("if guess.shape == truth.shape:", "    raise ValueError('no')", MEAN),
            "for equal shapes, (3, 1) and (3, 1), it raised",
        ),
        (
            careful(DIFFER, "    raise ValueError('no')", MEAN.replace("return", "mean =")),
            "for equal shapes it returns nothing",
        ),
        (careful(DIFFER, "    raise 'ValueError'", MEAN), "what stands behind raise is no error"),
        (careful(DIFFER, "    print('they differ')", MEAN), "it prints a text, and the program"),
        (careful("assert guess.shape == truth.shape", MEAN), "raises an AssertionError"),
    ],
    "dead": [
        (dead_share("(hidden == 0).float().mean().item()"), "share of all zeros"),
        (dead_share("1 - (hidden == 0).all(0).float().mean().item()"), "units that live"),
        (dead_share("(hidden == 0).any(0).float().mean().item()"), "for some example"),
        (dead_share("(hidden == 0).all(1).float().mean().item()"), "along the other dimension"),
        (dead_share("(hidden == 0).all(0).sum().item()"), "Which share of all units"),
        (dead_share("100 * (hidden == 0).all(0).float().mean()"), "a number of per cent"),
        (dead_share("(hidden == 0).all(0).sum() / len(hidden)"), "by the number of examples"),
        (dead_share("(hidden == 0).all(0).sum() / 32"), "divides by 32"),
        (dead_share("(hidden == 0).all().float()"), "asks all numbers at once"),
        (dead_share("(hidden == 0).any().float()"), "a 0 anywhere"),
        (dead_share("(hidden[0] == 0).float().mean()"), "the first example only"),
        (dead_share("(hidden[-1] == 0).float().mean()"), "the last example only"),
        (dead_share("(hidden[:, 0] == 0).float().mean()"), "the first unit only"),
        (dead_share("0.25"), "it returns 0.25 and 0.25"),
        (
            function("dead_share(hidden)", "dead", "share = (hidden == 0).all(0).float().mean()"),
            "it returns nothing",
        ),
        (dead_share("(hidden == 0).all(0)"), "one number is wanted"),
        (dead_share("(hidden.mean(0) < 0.01).float().mean()"), "small, and not 0"),
        (
            dead_share("(hidden == 0).all(0).float().mean()").replace("(hidden):", "(h):"),
            "hidden belongs to another cell",
        ),
    ],
    "reports": [
        (chosen("reports", "dead", "not registered", "cut", "broadcast", "nan"), "A: a dead layer"),
        (chosen("reports", "broadcast", "dead", "cut", "nan", "nan"), "B: a dead layer"),
        (chosen("reports", "broadcast", "not registered", "dead", "cut", "nan"), "C: a dead layer"),
        (chosen("reports", "broadcast", "not registered", "cut", "nan", "dead"), "D: none of its"),
        (chosen("reports", "broadcast", "nan", "cut", "dead", "not registered"), "B: none of its"),
        (chosen("reports", "broadcast", "cut"), "five words are wanted"),
        (
            chosen("reports", ..., "cut", ..., "dead", ...).replace("Ellipsis", "..."),
            "B: gradients do arrive",
        ),
    ],
    "smooth": [
        (
            smooth(
                LOSS,
                "average = 0.9 * average + 0.1 * loss",
                "average.backward(retain_graph=True)",
                STEP,
                "return average",
            ),
            "after the first call the average has 4 nodes behind it",
        ),
        (
            smooth("loss = F.mse_loss(taxi(x), y)", BACK, STEP, "return 0.9 * average"),
            "taxi belongs to another program",
        ),
        (
            smooth(LOSS, BACK, STEP, "loss = F.mse_loss(model(x), y)", f"return {AVERAGE}"),
            "was measured after the step",
        ),
        (smooth(LOSS, BACK, STEP, "return loss.item()"), "that is the loss of this step"),
        (smooth(LOSS, BACK, STEP), "it returns nothing"),
        (
            smooth(LOSS, BACK, STEP, "return 0.1 * average + 0.9 * loss.item()"),
            "the two weights of the average are exchanged",
        ),
        (smooth(LOSS, BACK, STEP, "return 0.9 * average"), "is not in the average"),
        (smooth(LOSS, BACK, f"return {AVERAGE}"), "the weights do not move in the first call"),
        (
            smooth(
                LOSS,
                "average = 0.9 * average.detach() + 0.1 * loss",
                "average.backward()",
                STEP,
                "return average.detach()",
            ),
            "moved by a tenth of this loss's gradient",
        ),
        (
            function(
                "smooth(model, optimizer, x, y, average)",
                "smooth",
                "\n".join([LOSS, BACK, STEP, f"return {AVERAGE}"]),
            ),
            "moved by two gradients in the second call",
        ),
        (smooth(LOSS, "(-loss).backward()", STEP, f"return {AVERAGE}"), "the loss grows"),
        (smooth(LOSS, "loss.sqrt().backward()", STEP, f"return {AVERAGE}"), "but not by"),
        (
            smooth(LOSS, "loss.backward(retain_graph=True)", STEP, f"return {AVERAGE}"),
            "go through this graph a second time",
        ),
        (smooth(LOSS, BACK, STEP, "return 'done'"), "one number is wanted"),
    ],
    "uses": [
        (chosen("uses", "detach", "no_grad", "detach", "no_grad"), "A: this gives a tensor"),
        (chosen("uses", "no_grad", "no_grad", "detach", "no_grad"), "A: the loss is there"),
        (chosen("uses", "item", "detach", "detach", "no_grad"), "B: this comes after"),
        (chosen("uses", "item", "no_grad", "no_grad", "no_grad"), "C: these scores are trained"),
        (
            chosen("uses", "item", "no_grad", "detach", "detach"),
            "D: weight.detach() - lr * weight.grad",
        ),
        (
            chosen("uses", "item", "no_grad", "item", "no_grad"),
            "C: this takes a tensor with one number",
        ),
    ],
    "own patient": [
        (patient(CLEAR, LOSS, BACK, STEP), "the weights have moved"),
        (patient(CLEAR, LOSS, "(loss * float('nan')).backward()", STEP), "some weights are NaN"),
        (patient(CLEAR, LOSS, "(loss * float('nan')).backward()"), "some gradients are NaN"),
        (patient("loss = F.mse_loss(model(x), y)", BACK, CLEAR, STEP), "None at the end"),
        (
            patient("for p in model.parameters():", "    p.grad = torch.zeros_like(p)"),
            "no backward pass reaches them",
        ),
        (patient(CLEAR, LOSS, "(loss * 0).backward()", STEP), "each .grad is 0 at the end"),
        (patient(CLEAR, LOSS, "loss.backwards()"), "has no attribute"),
        (
            patient("with torch.no_grad():", "    loss = F.mse_loss(model(x), y)", BACK),
            "does not require grad",
        ),
        (patient("loss = F.mse_loss(model(x), z)", BACK), "z"),
    ],
}
