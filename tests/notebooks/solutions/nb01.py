"""Exercise cells of notebook 01 with right answers."""

SOLUTIONS = {
    "flags": """
mine = [False, True, True, True]

check(nb01.flags, mine)
""",
    "leaves": """
x = torch.tensor([2.0])
w = torch.ones(1, requires_grad=True) * 2
eight = {"a": a, "b": b, "a + b": a + b, "a.detach()": a.detach(), "a * 1": a * 1,
         "x": x, "x + 1": x + 1, "w": w}
mine = ["a", "b", "a.detach()", "x", "x + 1"]

check(nb01.leaves, mine)
""",
    "rebuild": """
def rebuild(a, b):
    product = a * b
    return product * (product + b)


check(nb01.rebuild, rebuild)
""",
    "only b": """
def only_b(a, b):
    return (a.detach() + b) * (b + 1)


check(nb01.only_b, only_b)
""",
}
