"""Exercise cells of notebook 01 with right answers."""

SOLUTIONS = {
    "flags": """
mine = [False, True, True, True]

check(nb01.flags, mine)
""",
    "leaves": """
rate = torch.tensor([2.0], requires_grad=True)
base = torch.tensor([4.0], requires_grad=True)
x = torch.tensor([2.0])
w = torch.ones(1, requires_grad=True) * 2

eight = {"rate": rate, "base": base, "rate + base": rate + base, "rate.detach()": rate.detach(),
         "rate * 1": rate * 1, "x": x, "x + 1": x + 1, "w": w}
mine = ["rate", "base", "rate.detach()", "x", "x + 1"]

check(nb01.leaves, mine)
""",
    "rebuild": """
def rebuild(a, b):
    product = a * b
    return product * (product + b)


check(nb01.rebuild, rebuild)
""",
    "repair": """
def repaired(rate, base):
    ride = rate * 3
    fare = ride + base
    return (fare - 13) ** 2


check(nb01.repair, repaired)
""",
    "only the base": """
def only_base(rate, base):
    return (rate.detach() * 3 + base - 13) ** 2


check(nb01.only_base, only_base)
""",
    "count": """
mine = [5, 3, 7, 3]

check(nb01.count, mine)
""",
    "own": """
def my_program(a, b):
    while a < b:
        a = a * 2
    return (a - b) ** 2


mine = 4

check(nb01.own, (my_program, mine))
""",
}
