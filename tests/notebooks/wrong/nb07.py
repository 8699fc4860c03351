"""Wrong solutions of notebook 07's exercises, each with a part of what it is told."""

import textwrap


def function(head, name, body):
    body = textwrap.indent(textwrap.dedent(body).strip("\n"), "    ")
    return f"def {head}:\n{body}\n\n\ncheck(nb07.{name}, {head.partition('(')[0]})\n"


def read(state, result="net.decide(state)"):
    return function(
        "read(net, letters, lengths)",
        "mask",
        f"""
    state = torch.zeros(len(letters), net.cell.out_features)
    for place in range(letters.shape[1]):
        new = net.step(letters[:, place], state)
        state = {state}
    return {result}
    """,
    )


def chosen(condition, one="new", other="state"):
    return f"torch.where(({condition}).unsqueeze(1), {one}, {other})"


def combine(result):
    return function("combine(losses, sizes)", "combine", f"return {result}")


def farthest(result, words="words"):
    return function(
        "farthest(scores_of, words)",
        "neighbours",
        f"""
    together = scores_of({words})
    alone = torch.cat([scores_of([word]) for word in {words}])
    return {result}
    """,
    )


def value(unary, several):
    return function(
        "value(tree)",
        "value",
        f"""
    if isinstance(tree, ast.Constant):
        return tree.value
    if isinstance(tree, ast.UnaryOp):
        return {unary}
    return {several}
    """,
    )


def nest(forward, made="self.two = nn.Linear(12, 6)"):
    made = textwrap.indent(made, "        ").strip()
    forward = textwrap.indent(textwrap.dedent(forward).strip("\n"), "        ")
    return f"""
class Nest(nn.Module):
    def __init__(self):
        super().__init__()
        self.number = nn.Linear(1, 6)
        {made}

    def forward(self, thing):
{forward}


check(nb07.nest, Nest)
"""


FLATTENS = """
def numbers(thing):
    return [n for part in thing for n in numbers(part)] if isinstance(thing, list) else [thing]
result = self.number(torch.tensor([[0.0]]))
for n in numbers(thing):
    result = torch.tanh(self.two(torch.cat([result, self.number(torch.tensor([[n]]))], 1)))
return result
"""
FOLDS = """
if not isinstance(thing, list):
    return self.number(torch.tensor([[thing]]))
first, *others = [self(part) for part in thing]
for other in others:
    first = torch.tanh(self.two(torch.cat([first, other], 1)))
return first
"""
PAIRS = FOLDS.replace("*others", "other").replace("for other in others", "if True")
EACH = "map(value, tree.values)"
AND = "isinstance(tree.op, ast.And)"
BOTH = f"all({EACH}) if {AND} else any({EACH})"


def begun_with(result):
    """Both words in one loop, which begins with the same value for both."""
    body = f"""
    result = {result}
    for side in tree.values:
        result = result and value(side) if {AND} else result or value(side)
    return result
    """
    return value("not value(tree.operand)", "0").replace("    return 0\n", body.strip(" "))


WRONG = {
    "mask": [
        (read("new"), "the padding is read like letters"),
        (read("new * (place < lengths).unsqueeze(1)"), "becomes 0"),
        (read(chosen("place <= lengths")), "one letter of padding is still read"),
        (read(chosen("place < lengths - 1")), "the last letter of each name is not read"),
        (read(chosen("place < lengths", "state", "new")), "the wrong way round"),
        (read(chosen("place < lengths"), "net.decide(state).detach()"), "no history"),
        (read("state"), "before any letter"),
        (read(chosen("place < lengths", "new", "state.detach()")), "the gradients of the weights"),
        (read("torch.where(place < lengths, new, state)"), "laid along the numbers of each state"),
        (
            read("new").replace("state = new", "if place < lengths:\n            state = new"),
            "an `if` decides once",
        ),
        (read(chosen("place < lengths"), "state"), "two scores each are wanted"),
        (
            read("new")
            .replace("range(letters.shape[1])", "range(11)")
            .replace("state = new", f"state = {chosen('place < lengths')}"),
            "one of 13 is not",
        ),
        (
            function(
                "read(net, letters, lengths)",
                "mask",
                """
                rows = zip(letters, lengths.tolist())
                return torch.cat([net(row[None, :length]) for row, length in rows])
                """,
            ),
            "read without the others",
        ),
        (read("None"), "step() was given None"),
        (
            read("torch.where(place < lengths, new, state).unsqueeze(1)"),
            "a state of the shape (5, 1, 5)",
        ),
        (
            read(chosen("place < lengths")).replace("letters.shape[1]", "letters.shape[0]"),
            "step() was called 5 times",
        ),
        (read(chosen("place < lengths"), "None"), "it returns nothing"),
        (read(chosen("place < lengths"), "2 * net.decide(state)"), "differ from those"),
        (
            function(
                "read(net, letters, lengths)",
                "mask",
                """
                return net(torch.where(letters == 26, torch.zeros_like(letters), letters))
                """,
            ),
            "a letter stands in the place of the padding",
        ),
        (
            read("new").replace(
                "state = new",
                "new[place >= lengths] = state[place >= lengths]\n        state = new",
            ),
            "is written into `new`",
        ),
        (read("torch.where(inside, new, state)"), "name 'inside' is not defined"),
    ],
    "combine": [
        (combine("sum(losses) / len(losses)"), "the mean of the means"),
        (combine("sum(losses)"), "the means are added up"),
        (combine("sum(losses) / sum(sizes)"), "all batches have the same weight"),
        (combine("sum(a * b for a, b in zip(losses, sizes))"), "the sum over all"),
        (combine("max(losses)"), "too large"),
        (combine("sum(a * b for a, b in zip(losses, sizes)) / len(sizes)"), "how many batches"),
        (combine("sum(a / b for a, b in zip(losses, sizes))"), "divided by the size"),
        (combine("sum(losses * sizes) / sum(sizes)"), "losses and sizes are lists"),
        (
            function(
                "combine(losses, sizes)",
                "combine",
                """
                for loss, size in zip(losses, sizes):
                    return loss * size / sum(sizes)
                """,
            ),
            "only the first batch",
        ),
        (combine("losses[-1] * sizes[-1] / sum(sizes)"), "only the last batch"),
        (
            combine("(torch.stack(losses) * sizes).sum() / sum(sizes)"),
            "a tensor was to be multiplied by `sizes`",
        ),
        (
            combine("sum(losses * torch.tensor(sizes)) / sum(sizes)"),
            "a tensor was to be multiplied by `losses`, which is a list of tensors",
        ),
        (
            combine("sum(losses[i] * sizes[i] for i in losses) / sum(sizes)"),
            "A loop over a list gives the things in it",
        ),
        (
            combine("sum(a * b for a, b in zip(losses, sizes)) / 32"),
            "divided by the size of the largest batch",
        ),
        (combine("losses.mean()"), "a list has no such method"),
        (combine("torch.cat(losses).mean()"), "torch.cat joins rows"),
        (
            combine("torch.stack(losses) @ torch.tensor(sizes) / sum(sizes)"),
            "wants one dtype for both",
        ),
        (combine("torch.tensor(losses).mean()"), "the result has no history"),
        (combine("losses"), "one tensor is wanted, and this is a list of 4"),
        (combine("tuple(a * b / sum(sizes) for a, b in zip(losses, sizes))"), "a tuple of 4"),
        (function("combine(losses, sizes)", "combine", "total = sum(losses)"), "is None"),
        (
            combine("sum(a.item() * b for a, b in zip(losses, sizes)) / sum(sizes)"),
            "no history",
        ),
    ],
    "neighbours": [
        (farthest("int((together.argmax(1) != alone.argmax(1)).sum())"), "how many answers change"),
        (
            farthest("(together - alone).abs().max().item()").replace("[word]", "word"),
            "it takes a list of words",
        ),
        (farthest("(together - alone).max().item()"), "Has a score that falls not moved"),
        (
            farthest("(together - alone).abs().max().item()").replace(
                "torch.cat([scores_of([word]) for word in words])", "scores_of(words)"
            ),
            "no name was ever read",
        ),
        (
            farthest("(alone - alone).abs().max().item()").replace("= scores_of(words)", "= 0"),
            "never read together",
        ),
        (farthest("abs(together.max() - alone.max())"), "another one stays the largest"),
        (farthest("(together - alone)[0].abs().max().item()"), "is every name looked at"),
        (farthest("(alone - together).max().item()"), "rises by 1.5"),
        (farthest("(together - alone)[:, 1].abs().max().item()"), "it returns 0"),
        (farthest("(together - alone).min().item()"), "look at the sizes"),
        (farthest("(together - alone).abs().sum().item()"), "that is the sum"),
        (farthest("(together[:2] - alone[:2]).abs().max().item()"), "the second name's"),
        (farthest("(together - alone).abs()"), "one number is wanted"),
        (farthest("(together - together.flip(0)).abs().max().item()"), "with itself"),
        (farthest("bool((together != alone).any())"), "a number is wanted"),
        (farthest("(together - alone).abs().mean().item()"), "that is the mean"),
        (farthest("(together - alone).norm().item()"), "one of the scores moves from 1"),
        (farthest("((together - alone) ** 2).max().item()"), "that is the square"),
        (farthest("(together - alone).abs().argmax()"), "where a score stands"),
        (farthest("(together - alone).abs().max(1)"), "this is a pair"),
        (farthest("max(abs(together - alone))"), "compare whole rows"),
        (farthest("(together.sum(1) - alone.sum(1)).abs().max().item()"), "by itself"),
        (
            farthest("(together - alone).abs().max().item()").replace("torch.cat(", "("),
            "torch.cat makes one tensor of a list",
        ),
        (farthest("None"), "it returns nothing"),
        (
            farthest("(together.argmax(1) - alone.argmax(1)).abs().max().item()"),
            "says only that one of them changes",
        ),
        (
            function(
                "farthest(scores_of, words)",
                "neighbours",
                """
                pairs = [(a, b) for a in words for b in words if a != b]
                moved = [scores_of([a, b])[0] - scores_of([a])[0] for a, b in pairs]
                return torch.stack(moved).abs().max().item()
                """,
            ),
            "no list holds more than 2 of the 3",
        ),
    ],
    "value": [
        (
            value("value(tree.operand)", BOTH),
            "what becomes of the `not`",
        ),
        (
            value("not value(tree.operand)", "all(map(value, tree.values))"),
            "`or` is treated like the other word",
        ),
        (
            value("not value(tree.operand)", f"any({EACH}) if {AND} else all({EACH})"),
            "have changed places",
        ),
        (
            value("not value(tree.operand)", f"all({EACH}) if tree.op == ast.And else any({EACH})"),
            "`and` is treated like the other word",
        ),
        (
            function("value(tree)", "value", "return eval(ast.unparse(tree))"),
            "it has done the recursion",
        ),
        (
            value("not tree.operand", BOTH),
            "`not False` is True, and your value gives False: are the sides",
        ),
        (
            value(
                "not value(tree.operand)",
                f"all(tree.values) if {AND} else any({EACH})",
            ),
            "`False and False` is False, and your value gives True: are the sides",
        ),
        (
            value(
                "not value(tree.operand)",
                f"value(tree.values[0]) and value(tree.values[1]) if {AND} else any({EACH})",
            ),
            "more than two sides",
        ),
        (
            value(
                "not value(tree.operand)",
                f"(lambda a, b: value(a) and value(b))(*tree.values) if {AND} else any({EACH})",
            ),
            "for True and True and False it raised TypeError",
        ),
        (value("tree.operand", BOTH), "a piece of the tree, and not a value"),
        (
            value("not value(tree.operand)", BOTH).replace(
                "isinstance(tree, ast.UnaryOp)", "tree.op == ast.Not"
            ),
            "never the class itself",
        ),
        (
            value("not value(tree.operand)", f"all({EACH}) if tree.op == 'and' else any({EACH})"),
            "never a text",
        ),
        (value("not value(tree)", BOTH), "calls itself without end"),
        (value("~value(tree.operand)", BOTH), "turns the binary digits"),
        (value("not value(tree.operand)", "print(end='')"), "it returns nothing"),
        (value("-value(tree.operand)", BOTH), "a minus makes"),
        (value("not value(tree.values)", BOTH), "The tree is a UnaryOp there"),
        (value("not value(tree.operand)", "value(tree.values)"), "it was given a list"),
        (value("not value(tree.operand)", f"list({EACH})"), "a list with a value for each side"),
        (value("not value(tree.operand)", "value(tree.values[0])"), "only the first side"),
        (
            value("not value(tree.operand)", f"all({EACH}) if {AND} else sum({EACH})"),
            "for True or True it gives 2, and the value of an expression is",
        ),
        (
            begun_with(True),
            "`or` comes out as True whatever its sides are",
        ),
        (
            begun_with(False),
            "`and` comes out as False whatever its sides are",
        ),
        (
            value("not value(tree.operand)", "two(tree.values)").replace(
                "    return two(tree.values)",
                "    a, b = tree.values\n"
                f"    return value(a) and value(b) if {AND} else any({EACH})",
            ),
            "may hold more than two sides, and here it does",
        ),
        (
            value("not value(tree.operand)", f"any({EACH})"),
            "`and` is treated like the other word. (`tree.op` says",
        ),
    ],
    "nest": [
        (nest(FLATTENS), "what is nested where is lost"),
        (nest(FOLDS, made="self.two = nn.Linear(12, 6)\nself.three = nn.Linear(6, 6)"), "three"),
        (
            nest(FOLDS.replace("self.two(", "nn.Linear(12, 6)("), made=""),
            "makes a new layer at each call",
        ),
        (
            nest(FOLDS.replace("return first", "return first + torch.randn(1, 6)")),
            "drawn at random",
        ),
        (nest(FOLDS.replace("[[thing]]", "[[1.0]]")), "the number itself is not read"),
        (nest(FOLDS.replace("return first", "")), "for [1.0, 2.0] forward() returns nothing"),
        (
            nest(FOLDS.replace("[first, other]", "[other, other]")),
            "the first of the two is not read",
        ),
        (nest(FOLDS.replace("[first, other], 1", "[first, other]")), "one below the other"),
        (
            nest(FOLDS.replace("[first, other]", "[first, 0 * other]")),
            "the second of the two is not read",
        ),
        (nest(PAIRS), "may have more than two things"),
        (nest(FOLDS.replace("in others", "in others[:1]")), "only two things are read"),
        (
            nest("return self.many[0](torch.tensor([[thing]]))")
            .replace("self.number = nn.Linear(1, 6)", "self.many = [nn.Linear(1, 6)]")
            .replace("self.two = nn.Linear(12, 6)", ""),
            "a plain list",
        ),
        (
            nest(FOLDS.replace("[self(part) for", "[self(part).detach() for")),
            "does not grow with what is nested. (detach leaves the history",
        ),
        (
            nest(FOLDS.replace("([[thing]]))", "([[thing]])).detach()")),
            "no gradient arrives for [1, [2, 3]] at: number.weight, number.bias. (detach",
        ),
        (
            nest(FOLDS.replace("return first", "return first.detach()")),
            "nothing that has a history. (detach",
        ),
        (
            nest(FOLDS.replace("[first, other]", "[first.detach(), other]")),
            "does not find the slopes that nudging finds",
        ),
        (nest(FOLDS.replace("[[thing]]", "thing")), "a tensor without any dimension"),
        (nest(FOLDS.replace("[[thing]]", "[thing]")), "they have only the dimension 0"),
        (
            nest(
                """
if not isinstance(thing, list):
    return self.number(torch.tensor([[thing]]))
return torch.tanh(self.two(torch.cat([self(part) for part in thing], 1)))
"""
            ),
            "a row of 18 numbers, and it reads rows of 12",
        ),
        (nest("return self.number(torch.tensor([thing]))", made=""), "a row of 2 numbers"),
        (
            nest(
                FOLDS.replace(
                    "number(torch.tensor([[thing]]))", "table(torch.tensor([int(thing)]))"
                )
            ).replace("self.number = nn.Linear(1, 6)", "self.table = nn.Embedding(27, 6)"),
            "an Embedding has no row for one of the numbers",
        ),
        (nest(FOLDS.replace("self(part)", "Nest()(part)")), "a whole new Nest"),
        (nest(FOLDS.replace("return first", "return first, 1")), "it returns a tuple"),
        (nest("return self.forward(thing)"), "calls itself without end"),
        (
            nest(FOLDS.replace("self(part)", "self.number(torch.tensor([[part]]))")),
            "A part of a list may be a list itself",
        ),
        (nest("return torch.zeros(1, 6)"), "nothing that has a history"),
        (
            nest("return self.number(torch.tensor([[float(len(str(thing)))]]))", made=""),
            "the graph does not grow",
        ),
        (
            nest(
                """
if not isinstance(thing, list):
    return self.number(torch.tensor([[thing]]))
return torch.cat([self(part) for part in thing], 1)
""",
                made="",
            ),
            "get the shapes",
        ),
        (nest(FOLDS, made="self.two = nn.Linear(6, 6)"), "fix: Linear(12, ...)"),
    ],
}
