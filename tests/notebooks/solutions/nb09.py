"""Solutions of notebook 09's exercises: the source of each cell."""

SOLUTIONS = {
    "span": """
def span(tasks):
    done = {}
    for name, cost, waits_for in tasks:
        done[name] = max([done[other] for other in waits_for], default=0) + cost
    return max(done.values())


check(nb09.span, span)
""",
    "plan": """
doors, water, wheel, seats, windows, brake, out = nb09_runs.JOBS
worker_1 = [wheel, brake, out]
worker_2 = [doors, water, seats, windows]

check(nb09.plan, [worker_1, worker_2])
""",
    "brackets": """
def in_few_steps(X, A, B, C):
    return X @ (A @ B @ C)


check(nb09.brackets, in_few_steps)
""",
    "groups": """
mine = [
    ["v1", "v2", "v3", "v4"],
    ["v5", "v6", "v7", "v8"],
    ["v9", "v10", "v11", "v12"],
    ["v13", "v14", "v15", "v16"],
    ["v17", "v18", "v19"],
]

check(nb09.groups, mine)
""",
    "own graph": """
def my_function(x, y):
    return torch.sin(x * y) * (x + y) - x**2


my_inputs = dict(x=2.0, y=3.0)
my_work, my_span, my_workers = 6, 4, 2

check(nb09.own, (my_function, my_inputs, my_work, my_span, my_workers))
""",
}
