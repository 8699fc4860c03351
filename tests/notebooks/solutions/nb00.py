"""Exercise cells of notebook 00 with right answers."""

SOLUTIONS = {
    "square": """
mine = 9

check(nb00.square, mine)
""",
}
