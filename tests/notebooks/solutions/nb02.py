"""Exercise cells of notebook 02 with right answers."""

SOLUTIONS = {
    "slope": """
def slope(f, x, h):
    return (f(x + h) - f(x - h)) / (2 * h)


check(nb02.slope, slope)
""",
    "ten": """
my_b = 9

check(nb02.ten, my_b)
""",
    "order": """
mine = "NPLOKM"

check(nb02.order, mine)
""",
    "graph 1 to 4": """
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
}
