"""Exercise cells of notebook 02 with mistakes, and what is said about each."""


def slope(line):
    return f"def slope(f, x, h):\n    {line}\n\ncheck(nb02.slope, slope)\n"


def ten(mine):
    return f"my_b = {mine}\n\ncheck(nb02.ten, my_b)\n"


def order(mine):
    return f"mine = {mine}\n\ncheck(nb02.order, mine)\n"


def fourth(engine):
    """What this engine finds in the fourth graph, which tells most mistakes apart."""
    return (
        "puzzle = nb02.puzzles(1)[3]\nx, names = puzzle.run()\n"
        f"(answer,) = engines.gradients(names['loss'], x, '{engine}')\n"
        "check(puzzle.exercise, answer.item())\n"
    )


def all_four(expression):
    return (
        "for puzzle in nb02.puzzles(1):\n    right = puzzle.exercise.answer\n"
        f"    loss = puzzle.run()[1]['loss'].item()\n    check(puzzle.exercise, {expression})\n"
    )


WRONG = {
    "slope": [
        (slope("return (f(x + h) - f(x)) / h"), "in one direction only"),
        (slope("return (f(x) - f(x - h)) / h"), "nudges downwards only"),
        (slope("return (f(x + h) - f(x - h)) / h"), "exactly twice too large"),
        (slope("return (f(x + h) - f(x - h)) / 2 * h"), "Put 2 * h in brackets"),
        (slope("return f(x + h) - f(x - h)"), "Divide by how far x moves"),
        (slope("return (f(x - h) - f(x + h)) / (2 * h)"), "the sign is wrong"),
        (slope("return (f(x + h) + f(x - h)) / (2 * h)"), "that adds the two values"),
        (slope("return (f(x + h) - f(x)) / (2 * h)"), "goes one way"),
        (slope("return f(x)"), "called with x³"),
        (slope("return (g(x + h) - g(x - h)) / (2 * h)"), "NameError"),
    ],
    "ten": [
        (ten(10), "a.grad would be 11"),
        (ten(11), "a.grad would be 12"),
        (ten(8), "that makes c equal to 10"),
        (ten(3.5), "that makes b.grad equal to 10"),
        (ten(6), "that is b as it was"),
        (ten(-9), "look at the sign"),
        (ten(5), "it is 5, and should be 9"),
        (ten("'9'"), "a number is wanted"),
    ],
    "order": [
        (order('"LNPOKM"'), "L uses e_grad"),
        (order('"PNLOKM"'), "P uses e_grad"),
        (order('"NPMLOK"'), "M uses c_grad"),
        (order('"NPOLKM"'), "O uses c_grad"),
        (order('"NLOKPM"'), "K uses d_grad"),
        (order('"NLPKOM"'), "O would then overwrite"),
        (order('"NLPOM"'), "K is missing"),
        (order('"NLPOKK"'), "M is missing"),
        (order('"NLPOKMM"'), "M comes twice"),
        (order('["N", "Q"]'), "Q is none of the lines"),
        (order("5"), "a list of lines is wanted"),
    ],
    "graph 1 to 4": [
        (fourth("overwrite"), "only the last gradient to arrive"),
        (fourth("first"), "only the first gradient to arrive"),
        (fourth("queue"), "passed on at each arrival"),
        (fourth("stack"), "before all had arrived, then again"),
        (fourth("once"), "Visit a node after all its users"),
        (fourth("local"), "local derivatives only"),
        (all_four("2 * right"), "exactly twice too large"),
        (all_four("-right"), "The sign is wrong"),
        (all_four("loss"), "that is the loss itself"),
        (all_four("right + 0.5"), "and should be"),
    ],
}
