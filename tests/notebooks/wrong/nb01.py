"""Exercise cells of notebook 01 with mistakes, and what is said about each."""

Y, N = "True", "False"


def flags(*mine):
    return f"check(nb01.flags, [{', '.join(mine)}])\n"


def leaves(mine):
    return f"check(nb01.leaves, {mine!r})\n"


def function(head, lines, exercise):
    body = "\n    ".join(lines)
    return f"def {head}:\n    {body}\n\ncheck({exercise}, {head.split('(')[0]})\n"


def rebuild(*lines):
    return function("rebuild(a, b)", lines, "nb01.rebuild")


def only_b(*lines):
    return function("only_b(a, b)", lines, "nb01.only_b")


WRONG = {
    "flags": [
        (flags(N, N, N, Y), "one input that requires a gradient is enough, not both"),
        (flags(Y, Y, Y, Y), "where no input requires a gradient, nothing is recorded"),
        (flags(N, Y, Y, N), "two that require a gradient are as good as one"),
        (flags(N, Y, N, Y), "the second input counts"),
        (flags(N, N, Y, Y), "the first input counts"),
        (flags(Y, N, N, N), "the other way round"),
        (flags(N, N, N, N), "no graph would ever arise"),
        (flags(Y, Y, Y, N), "entry [0] of it is True"),
        (flags(N, Y, Y), "shape (3,)"),
    ],
    "leaves": [
        (leaves(["a", "b", "a.detach()", "x", "x + 1", "a + b"]), "it has a grad_fn"),
        (leaves(["a", "b", "a.detach()", "x", "x + 1", "a * 1"]), "the value of a"),
        (leaves(["a", "b", "a.detach()", "x", "x + 1", "w"]), "after requires_grad=True"),
        (leaves(["a", "b"]), "detach cuts it off"),
        (leaves(["a", "b", "a.detach()"]), "need not require a gradient"),
        (leaves(["a", "b", "a.detach()", "x"]), "no operation was recorded"),
        (leaves(["b", "a.detach()", "x", "x + 1"]), "you made 'a' yourself"),
        (leaves(["a", "y"]), "'y' is none of the eight"),
        (leaves("a, b"), "a list of names is wanted"),
    ],
    "rebuild": [
        (rebuild("return (a * b) * (a * b + a)"), "need not be computed twice"),
        (rebuild("p = a * b", "return p * (p + 1)"), "connected differently"),
        (rebuild("p = a + b", "return p * (p + a)"), "yours has 2 add, 1 mul"),
        (rebuild("return (a * b + a)"), "yours has 1 add, 1 mul"),
        (rebuild("return 12.0 * 14.0"), "this is a float"),
        (rebuild("p = a * b", "q = p * (p + a)"), "it returns nothing"),
        (rebuild("return product * (product + a)"), "it raised NameError"),
        (rebuild("p = (a * b).detach()", "return p * (p + 1)"), "no operations"),
    ],
    "only b": [
        (only_b("return (a + b) * (b + 1)"), "a still gets 7"),
        (only_b("with torch.no_grad():", "    return (a + b) * (b + 1)"), "b neither"),
        (only_b("return (a + b).detach() * (b + 1)"), "b gets 8 instead of 15"),
        (only_b("return (a.detach() + b) * (b + 1).detach()"), "b gets 7 instead of 15"),
        (only_b("return (a + b.detach()) * (b.detach() + 1)"), "and b nothing"),
        (only_b("return b * (b + 1)"), "the value is 42"),
        (only_b("return 56.0"), "this is a float"),
        (only_b("e = (a.detach() + b) * (b + 1)"), "it returns nothing"),
    ],
}
