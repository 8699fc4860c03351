"""Exercise cells of notebook 00 with right answers."""

SOLUTIONS = {
    "read": """
leaves = ["base", "rate"]
nodes = 4
value_of_fare = 17
grad_of_fare = 8

check(nb00.read, (leaves, nodes, value_of_fare, grad_of_fare))
""",
    "slopes": """
mine = [2, 1, 1, 6]
gradient = 12

check(nb00.slopes, (mine, gradient))
""",
    "improve": """
def improve(rate, gradient):
    return rate - 0.02 * gradient


check(nb00.improve, improve)
""",
}
