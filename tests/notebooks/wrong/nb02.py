"""Exercise cells of notebook 02 with mistakes, and what is said about each."""


def slope(line):
    return f"def slope(f, x, h):\n    {line}\n\ncheck(nb02.slope, slope)\n"


def ten(mine):
    return f"my_b = {mine}\n\ncheck(nb02.ten, my_b)\n"


def order(mine):
    return f"mine = {mine}\n\ncheck(nb02.order, mine)\n"


def second(engine):
    """What this engine finds in the second graph, which tells most mistakes apart."""
    return (
        "puzzle = nb02.puzzles(1)[1]\nx, names = puzzle.run()\n"
        f"(answer,) = engines.gradients(names['loss'], x, '{engine}')\n"
        "check(puzzle.exercise, answer.item())\n"
    )


def both(expression):
    return (
        "for puzzle in nb02.puzzles(1):\n    right = puzzle.exercise.answer\n"
        f"    loss = puzzle.run()[1]['loss'].item()\n    check(puzzle.exercise, {expression})\n"
    )


def without_the_short_way():
    """In the second graph, -192 - 144: the way from p straight to r is forgotten."""
    return "check(nb02.puzzles(1)[1].exercise, -336)\n"


def local_slopes(mine):
    return f"mine = {mine}\n\ncheck(nb02.local_slopes, mine)\n"


def no_picture(mine):
    return f"mine = {mine}\n\ncheck(nb02.no_picture, mine)\n"


def by_engine(engine):
    """What this engine finds for the program without a picture."""
    return (
        "x = torch.tensor(3.0, requires_grad=True)\np = x * x\nloss = (p + x) * p\n"
        f"(answer,) = engines.gradients(loss, x, '{engine}')\n"
        "check(nb02.no_picture, answer.item())\n"
    )


def own_program(result, mine, at="2.5"):
    return (
        f"def my_loss(x):\n    twice = x * 2\n    return {result}\n\n"
        f"check(nb02.own_program(my_loss, {at}), {mine})\n"
    )


BACKWARD = """
def my_backward(loss):
    arrived = {{loss.grad_fn: torch.tensor({seed})}}
    at_leaves = {{}}
    for node in {order}:
        parts = node({grad})
        parts = parts if isinstance(parts, tuple) else (parts,)
        for part, (after, _) in {sent}:
            if hasattr(after, "variable"):
                at_leaves[after.variable] = {at_leaves}
            elif after is not None:
                arrived[after] = {at_nodes}
    return {answer}


check(nb02.own_backward, my_backward)
"""
PARTS = {
    "seed": "1.0",
    "order": "sorted(nodes(loss), key=lambda node: node.seq, reverse=True)",
    "grad": "arrived[node]",
    "sent": "zip(parts, node.next_functions)",
    "at_leaves": "at_leaves.get(after.variable, 0) + part",
    "at_nodes": "arrived.get(after, 0) + part",
    "answer": "at_leaves",
}


MET = f"(node for node in {PARTS['order']} if node in arrived)"
"""The right order, without the nodes at which nothing has arrived."""


def backward(**wrong):
    """The right function with one part replaced."""
    return BACKWARD.format(**{**PARTS, **wrong})


WRONG = {
    "slope": [
        (slope("return (f(x + h) - f(x)) / h"), "in one direction only"),
        (slope("return (f(x) - f(x - h)) / h"), "nudges downwards only"),
        (slope("return (f(x + h) - f(x - h)) / h"), "exactly twice too large"),
        (slope("return (f(x + h) - f(x - h)) / 2 * h"), "from left to right"),
        (slope("return f(x + h) - f(x - h)"), "not how many times as far as x"),
        (slope("return (f(x - h) - f(x + h)) / (2 * h)"), "the sign is wrong"),
        (slope("return (f(x + h) + f(x - h)) / (2 * h)"), "that adds the two values"),
        (slope("return (f(x + h) - f(x)) / (2 * h)"), "moved for one nudge"),
        (slope("return f(x)"), "called with f = x³"),
        (slope("return (g(x + h) - g(x - h)) / (2 * h)"), "NameError"),
    ],
    "ten": [
        (ten(10), "then a.grad would be 11"),
        (ten(11), "then a.grad would be 12"),
        (ten(8), "that makes c equal to 10"),
        (ten(3.5), "that makes b.grad equal to 10"),
        (ten(6), "that is b as it was"),
        (ten(-9), "look at the sign"),
        (ten(5), "a.grad would be 6"),
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
    "graph 1 and 2": [
        (second("overwrite"), "only the last grad to arrive"),
        (second("first"), "only the first grad to arrive"),
        (second("queue"), "passed on at each arrival"),
        (second("stack"), "before all had arrived, then again"),
        (second("once"), "Visit a node after all its users"),
        (second("local"), "local slopes only"),
        (both("2 * right"), "exactly twice too large"),
        (both("-right"), "The sign is wrong"),
        (both("loss"), "that is the loss itself"),
        (both("right + 0.5"), "comes from no usual mistake"),
        ("check(nb02.puzzles(1)[0].exercise, -10)\n", "a local slope is still to come"),
        (without_the_short_way(), "some of the paths make, but not all"),
    ],
    "local slopes": [
        (local_slopes([3, 4, -13, 2]), "the numbers that stand in the program. How far"),
        (local_slopes([3, 4, 13, 2]), "the numbers that stand in the program. Does"),
        (local_slopes([3, 4, -13, -12]), "4 and −13 are what is added"),
        (local_slopes([3, 4, 13, -12]), "4 and 13 are what is added or taken away"),
        (local_slopes([3, 7, -6, 36]), "These are the values"),
        (local_slopes([3, 1, 1, -6]), "The last one is the error itself"),
        (local_slopes([3, 0, 0, -12]), "A constant has the derivative 0"),
        (local_slopes([3, 1, -1, -12]), "The fare stands before the minus"),
        (local_slopes([3, 1, 1, 12]), "look at the sign of the last one"),
        (local_slopes([3, 1, 1, 2]), "The last one depends on the error"),
        (local_slopes([3, 1, 1, 36]), "The last one is the loss"),
        (local_slopes([3, 3, 3, -36]), "You multiplied on the way"),
        (local_slopes([3, 4, -13, -6]), "how far does the fare move"),
        (local_slopes([3, 1, 13, -6]), "how far does the error move"),
        (local_slopes([3, 1, 1, 5]), "the last one is not 5"),
        (local_slopes([3, 1, 1]), "a list of four numbers"),
        (local_slopes([3, 1, 1, "?"]), "four numbers are wanted"),
    ],
    "backward": [
        (backward(at_leaves="part", at_nodes="part"), "what arrives later overwrites"),
        (backward(at_leaves="at_leaves.get(after.variable, part)"), "what arrives first counts"),
        (backward(at_leaves="at_leaves[after.variable] + part"), "it looks up the leaf a"),
        (
            backward(order="sorted(nodes(loss), key=lambda node: node.seq)"),
            "before anything has arrived",
        ),
        (backward(order="nodes(loss)"), "before all of its gradient has arrived"),
        (backward(grad="torch.tensor(1.0)"), "each node is called with 1"),
        (backward(seed="0.0"), "every gradient is 0"),
        (backward(seed="2.0"), "every gradient is twice too large"),
        (backward(seed="loss.item()"), "the pass starts with the value of the loss"),
        (backward(seed="-1.0"), "every gradient has the wrong sign"),
        (backward(sent=f"list({PARTS['sent']})[:1]", order=MET), "only the first input"),
        (backward(sent="zip(parts[::-1], node.next_functions)"), "NoneType"),
        (backward(answer="None"), "it returns nothing"),
        (backward(answer="list(at_leaves)"), "a dict is wanted"),
        (backward(answer="arrived"), "a key of what it returns is a node"),
    ],
    "no picture": [
        (by_engine("overwrite"), "only the last grad to arrive"),
        (by_engine("queue"), "passed on at each arrival"),
        (by_engine("once"), "before all"),
        (by_engine("local"), "local slopes only"),
        (no_picture(270), "exactly twice too large"),
        (no_picture(-135), "The sign is wrong"),
        (no_picture(108), "that is the loss itself"),
        (no_picture(72), "Both factors are x"),
        (no_picture(63), "only what comes back through q"),
        (no_picture(45), "nothing has come from q to p"),
        (no_picture(126), "this path goes to x and not through p"),
        (no_picture(114), "a slope where a value belongs"),
        (no_picture(84), "Did q get its own value"),
        (no_picture(99), "some of the paths make, but not all"),
        (no_picture(138), "Some of yours got their own"),
        (no_picture(100), "100 comes from no usual mistake"),
    ],
    "own program": [
        (own_program("x * x + 3 * x", 8), "leaves 3 nodes"),
        (own_program("3 * x", 3), "leaves 1 node."),
        (own_program("None", 3), "must return one number"),
        (own_program("gone(x)", 3), "NameError"),
        (own_program("(twice + 1) * (twice - x)", 22), "exactly twice too large"),
        (own_program("(twice + 1) * (twice - x)", -11), "The sign is wrong"),
        (own_program("(twice + 1) * (twice - x)", 15), "that is the result itself"),
        (own_program("(twice + 1) * (twice - x)", 12), "some of the paths make, but not all"),
        (own_program("(twice + 1) * (twice - x)", 10), "10 comes from no usual mistake"),
        (own_program("(twice + 1) * (twice - x)", 11, "'two'"), "a plain number"),
        (own_program("(twice * 3 - 15).relu() * x + 1", 11), "a jump or a kink"),
        (own_program("twice.detach() * x * x + x * 3", 8), "the chain is cut"),
    ],
}
