"""Exercise cells of notebook 02 with right answers."""

SOLUTIONS = {
    "slope": """
def slope(f, x, h):
    return (f(x + h) - f(x - h)) / (2 * h)


check(nb02.slope, slope)
""",
    "local slopes": """
mine = [3, 1, 1, -12]

check(nb02.local_slopes, mine)
""",
    "ten": """
my_b = 9

check(nb02.ten, my_b)
""",
    "order": """
mine = "NPLOKM"

check(nb02.order, mine)
""",
    "graph 1 and 2": """
seed = 1
puzzles = nb02.puzzles(seed)
print(*puzzles, sep="\\n\\n")


def by_algebra(puzzle):
    names = {}
    exec("\\n".join(puzzle.lines), {"x": 0.0, "y": float(puzzle.y)}, names)

    def loss(x):
        exec("\\n".join(puzzle.lines), {"x": x, "y": float(puzzle.y)}, names)
        return names["loss"]

    # At most of degree 2 in x: the central difference is exact.
    return loss(puzzle.x + 0.5) - loss(puzzle.x - 0.5)


mine = [by_algebra(puzzle) for puzzle in puzzles]
for puzzle, answer in zip(puzzles, mine):
    check(puzzle.exercise, answer)
""",
    "backward": """
def my_backward(loss):
    arrived = {loss.grad_fn: torch.tensor(1.0)}  # what has arrived so far, by node and by leaf

    for node in sorted(nodes(loss), key=lambda node: node.seq, reverse=True):
        parts = node(arrived[node])
        parts = parts if isinstance(parts, tuple) else (parts,)
        for part, (after, _) in zip(parts, node.next_functions):
            if after is None:
                continue  # this input needs no gradient
            place = getattr(after, "variable", after)  # a node, or the leaf at the end
            arrived[place] = arrived.get(place, 0) + part

    return {place: g for place, g in arrived.items() if isinstance(place, torch.Tensor)}


check(nb02.own_backward, my_backward)
""",
    "no picture": """
mine = 4 * 3**3 + 3 * 3**2  # the loss is x⁴ + x³

check(nb02.no_picture, mine)
""",
    "own program": """
def my_loss(x):
    twice = x * 2
    return (twice + 1) * (twice - x)


my_x = 2.5
my_gradient = 4 * my_x + 1  # the loss is 2x² + x

check(nb02.own_program(my_loss, my_x), my_gradient)
""",
}
