"""Solutions of notebook 03's exercises: the source of each cell."""

SOLUTIONS = {
    "own jump": """
def program(x):
    return x * x if x > 1 else -x


jumps_at = 1

check(nb03.own_jump, (program, jumps_at))
""",
    "jump": """
mine = [1000 / 1024, 2048, 1024]

check(nb03.jump, mine)
""",
    "guard": """
def guard(a):
    count = 0
    while -1000 < a < 1000:
        count, a = count + 1, a * 2
    return count, a < 0


check(nb03.guard, guard)
""",
    "soft choice": """
def soft_choice(x, t, a, b):
    w = torch.sigmoid((x - t) / 0.1)
    return w * a + (1 - w) * b


check(nb03.soft_choice, soft_choice)
""",
    "clip with if": """
def with_if(x):
    if x > 2:
        x = 2.0
    return x * x


check(nb03.clip_with_if, with_if)
""",
    "clip without if": """
def without_if(x):
    return torch.minimum(x, torch.tensor(2.0)) ** 2


check(nb03.clip_without_if, without_if)
""",
}
