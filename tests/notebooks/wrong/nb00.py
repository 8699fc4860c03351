"""Exercise cells of notebook 00 with mistakes, and what is said about each."""


def slopes(*mine, gradient=12):
    return f"check(nb00.slopes, ({list(mine)!r}, {gradient}))\n"


def improve(line):
    return f"def improve(rate, gradient):\n    {line}\n\n\ncheck(nb00.improve, improve)\n"


BOTH = ["rate", "base"]


def read(leaves, *counted):
    numbers = ", ".join(map(repr, counted))
    return f"check(nb00.read, ({leaves!r}, {numbers}))\n"


WRONG = {
    "read": [
        (read(["rate"], 4, 17, 8), "more than one place where this graph begins"),
        (read(["rate", "base", "ride"], 4, 17, 8), "was made by an operation"),
        (read(["a", "b"], 4, 17, 8), "use the names that stand in the picture"),
        (read("rate, base", 4, 17, 8), "a list of names is wanted"),
        (read(BOTH, 6, 17, 8), "you counted the round ones too"),
        (read(BOTH, 5, 17, 8), "that many arrows there are"),
        (read(BOTH, 2, 17, 8), "those are the round ones"),
        (read(BOTH, 3, 17, 8), "one is missing"),
        (read(BOTH, 8, 17, 8), "are no operations"),
        (read(BOTH, 7, 17, 8), "the nodes are not 7"),
        (read(BOTH, 4, 12, 8), "that is the value of ride"),
        (read(BOTH, 4, 5, 8), "that is what base has"),
        (read(BOTH, 4, 4, 8), "one box too far to the right"),
        (read(BOTH, 4, 13, 8), "which the next box subtracts"),
        (read(BOTH, 4, 8, 8), "a value is what came out"),
        (read(BOTH, 4, 9, 8), "the value of fare is not 9"),
        (read(BOTH, 4, 17, 17), "that is its value"),
        (read(BOTH, 4, 17, 24), "that lies before the fare"),
        (read(BOTH, 4, 17, 1), "the next local slope alone"),
        (read(BOTH, 4, 17, 4), "that is the error"),
        (read(BOTH, 4, 17, 2), "the exponent alone"),
        (read(BOTH, 4, 17, 16), "that is the loss"),
        (read(BOTH, 4, 17, -8), "check the sign"),
        (read(BOTH, 4, 17, -6), "its number in the first graph"),
        (read(BOTH, 4, 17, 3), "× 3 lies before the fare"),
        (read(BOTH, 4, 17, 7), "the grad of fare is not 7"),
        (read(BOTH, "four", 17, 8), "are a number each"),
    ],
    "slopes": [
        (slopes(8, 13, 3, 9, gradient=9), "these are the values"),
        (slopes(2, 5, 10, 2, gradient=200), "by how much does it stretch a movement"),
        (slopes(2, 5, -10, 2, gradient=-200), "with their signs"),
        (slopes(2, 2, 2, 12), "these are products already. Each"),
        (slopes(12, 6, 6, 6), "from the loss backwards"),
        (slopes(2, 0, 0, 6, gradient=0), "would stop every movement"),
        (slopes(4, 1, 1, 6, gradient=24), "the first one is the rate"),
        (slopes(8, 1, 1, 6, gradient=48), "the first one is the ride itself"),
        (slopes(2, 5, 1, 6, gradient=60), "+ 5 shifts what goes in"),
        (slopes(2, 1, -1, 6, gradient=-12), "does fare - 10 fall"),
        (slopes(2, 1, -10, 6, gradient=-120), "- 10 shifts what goes in"),
        (slopes(2, 1, 1, 3, gradient=6), "the last one is the error alone"),
        (slopes(2, 1, 1, 9, gradient=18), "the last one is the loss"),
        (slopes(2, 1, 1, 2, gradient=4), "the last one is only the exponent"),
        (slopes(2, 1, 1, -6, gradient=-12), "the error is above 0 here"),
        (slopes(2, 1, 1, 7, gradient=14), "local slope is not 7"),
        (slopes(2, 1, 1, 6, gradient=10), "but you added them"),
        (slopes(2, 1, 1, 6, gradient=6), "the last one alone"),
        (slopes(2, 1, 1, 6, gradient=-12), "Why should the gradient be below 0"),
        (slopes(2, 1, 1, 6, gradient=24), "24 is not the gradient that they make"),
        (slopes(2, 1, 6), "a list of four local slopes"),
        (slopes("two", 1, 1, 6), "five numbers are wanted"),
    ],
    "improve": [
        (improve("return rate + 0.02 * gradient"), "with your step the loss grows from 9 to 16.65"),
        (improve("return rate - gradient"), "the step is too long"),
        (improve("return -0.02 * gradient"), "the step alone"),
        (improve("return 3.0"), "Does your step use the gradient"),
        (improve("return rate"), "the one that it got"),
        (improve("rate = rate - 0.02 * gradient"), "it returns nothing"),
        (improve("return rate + 0.36"), "the loss grows from 36 to"),
        (improve("return max(rate, rate - 0.02 * gradient)"), "it does not move the rate 5"),
        (improve("return [rate - 0.02 * gradient]"), "a number is wanted"),
        (improve("return fare_rate - 0.02 * gradient"), "it raised NameError"),
    ],
}
