"""Exercise cells of notebook 00 with mistakes, and what is said about each."""


def square(mine):
    return f"mine = {mine}\n\ncheck(nb00.square, mine)\n"


WRONG = {
    "square": [
        (square("6"), "that is 3 + 3"),
        (square("3"), "that is a alone"),
        (square("1"), "that is 3 / 3"),
        (square("27"), "one factor too many"),
        (square("'nine'"), "it is a str, and a number is wanted"),
        (square("10"), "it is 10, and should be 9"),
        (square("float('nan')"), "not a number"),
    ],
}
