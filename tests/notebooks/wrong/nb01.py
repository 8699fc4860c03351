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


def taxi(name, *lines):
    return function(f"{name}(rate, base)", lines, f"nb01.{name}")


def repair(fare):
    return taxi("repair", f"return ({fare} - 13) ** 2")


def only_base(fare):
    return taxi("only_base", f"return ({fare} - 13) ** 2")


def count(*mine):
    return f"check(nb01.count, {list(mine)!r})\n"


def own(mine, *lines):
    body = "\n    ".join(lines)
    return f"def my_program(a, b):\n    {body}\n\ncheck(nb01.own, (my_program, {mine}))\n"


WRONG = {
    "flags": [
        (flags(N, N, N, Y), "so both inputs would have to"),
        (flags(Y, Y, Y, Y), "even where nobody wants a gradient"),
        (flags(N, Y, Y, N), "the node would be lost"),
        (flags(N, Y, N, Y), "the second input would not count"),
        (flags(N, N, Y, Y), "the first input would not count"),
        (flags(Y, N, N, N), "the other way round"),
        (flags(N, N, N, N), "not even that of the taxi"),
        (flags(Y, Y, Y, N), "the column no, no"),
        (flags(N, Y, Y), "a list of four is wanted"),
    ],
    "leaves": [
        (
            leaves(["rate", "base", "rate.detach()", "x", "x + 1", "rate + base"]),
            "on two tensors that require",
        ),
        (
            leaves(["rate", "base", "rate.detach()", "x", "x + 1", "rate * 1"]),
            "has the value of the rate",
        ),
        (leaves(["rate", "base", "rate.detach()", "x", "x + 1", "w"]), "was multiplied by 2"),
        (leaves(["rate", "base"]), "whose history has been cut off"),
        (leaves(["rate", "base", "rate.detach()"]), "one that requires no gradient"),
        (leaves(["rate", "base", "rate.detach()", "x"]), "the result of an operation. Was it"),
        (leaves(["base", "rate.detach()", "x", "x + 1"]), "at the top of the cell"),
        (leaves(["rate", "rate.detach()", "x", "x + 1"]), "in the second line of the cell"),
        (leaves(["rate", "y"]), "'y' is none of the eight"),
        (leaves(["rate", ["base"]]), "['base'] is none of the eight"),
        (leaves("rate, base"), "a list of names is wanted"),
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
    "repair": [
        (repair("rate.item() * 3 + base"), "no multiplication has been noted"),
        (repair("torch.tensor(rate.item(), requires_grad=True) * 3 + base"), "not use the rate"),
        (repair("rate * 3 + base.item()"), "the base has lost its gradient"),
        (repair("(rate * 3 + base).item()"), "this is a float"),
        (repair("(rate * 3 + base).detach()"), "nothing requires a gradient"),
        (repair("rate * 3"), "the loss is 49"),
        (taxi("repair", "fare = rate * 3 + base"), "it returns nothing"),
        (taxi("repair", "return rate * three"), "it raised NameError"),
        (
            taxi("repair", "error = rate * 3 + base - 13", "return error * error.detach()"),
            "the rate gets -9",
        ),
        (
            taxi("repair", "return (rate * 3 + 4 - 13) ** 2 + 0 * base"),
            "right for the rate 2 and the base 4 alone",
        ),
        (
            taxi("repair", "return (rate * 3 + base.detach() - 13) ** 2 + 0 * base"),
            "the base gets 0 now",
        ),
    ],
    "only the base": [
        (only_base("rate * 3 + base"), "the rate still gets -18"),
        (only_base("(rate * 3 + base).detach()"), "not even the base"),
        (only_base("rate * 3 + base.detach()"), "turn it round"),
        (only_base("base"), "the loss is 81"),
        (taxi("only_base", "return 9.0"), "this is a float"),
        (taxi("only_base", "fare = rate.detach() * 3 + base"), "it returns nothing"),
        (taxi("only_base", "return rate.detached() * 3"), "it raised AttributeError"),
        (
            taxi(
                "only_base",
                "error = rate.detach() * 3 + base - 13",
                "return error * error.detach()",
            ),
            "the base gets -3",
        ),
        (only_base("6 + base"), "right for the rate 2 and the base 4 alone"),
    ],
    "count": [
        (count(4, 3, 7, 3), "is there one operation in each"),
        (count(6, 3, 7, 3), "no operation made the rate"),
        (count(3, 3, 7, 3), "each operation that runs leaves its own"),
        (count(9, 3, 7, 3), "have no place in the graph"),
        (count(7, 3, 7, 3), "the nodes are not 7"),
        (count(5, 1, 7, 3), "is it used only once"),
        (count(5, 2, 7, 3), "down to the last"),
        (count(5, 4, 7, 3), "does each line use it"),
        (count(5, 6, 7, 3), "from rate there are not 6"),
        (count(5, 3, 10, 3), "no edge leads away"),
        (count(5, 3, 4, 3), "belong to them too"),
        (count(5, 3, 5, 3), "one edge for each tensor that it uses"),
        (count(5, 3, 8, 3), "used by nobody"),
        (count(5, 3, 6, 3), "altogether there are not 6"),
        (count(5, 3, 7, 5), "are the same whatever the numbers are"),
        (count(5, 3, 7, 2), "does the local slope depend on a number"),
        (count(5, 3, 7, 1), "not only a product of two tensors"),
        (count(5, 3, 7, 0), "by what to multiply"),
        (count(5, 3, 7, 4), "without keeping anything"),
        (count(5, 3, 7, 6), "that save: there are not 6"),
        (count(5, 3), "four numbers are wanted"),
        (count("five", 3, 7, 3), "each of the four is a number"),
    ],
    "own": [
        (own(5, "return (a + b) * (b + 1)"), "Did you count a and b"),
        (own(8, "return (a + b) * (b + 1)"), "8 are too many"),
        (own(2, "return (a + b) * (b + 1)"), "2 are too few"),
        (own(1, "for _ in range(5):", "    a = a * b", "return a"), "1 are too few"),
        (own(1, "return a * b"), "fewer than three nodes"),
        (own(3, "return (a.detach() + 1) * 2"), "no node is behind what it returns"),
        (own(3, "return ((a + b) * b).item()"), "it returns a float"),
        (own(3, "c = (a + b) * (b + 1)"), "it returns nothing"),
        (own(3, "return a + unknown"), "it raised NameError"),
        (own("'three'", "return (a + b) * (b + 1)"), "mine is a whole number"),
        ("check(nb01.own, (7, 3))\n", "a function is wanted"),
    ],
}
