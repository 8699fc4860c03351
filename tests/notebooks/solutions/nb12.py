"""Solutions of notebook 12's exercises: the source of each cell."""

SOLUTIONS = {
    "second": """
def second(f, x):
    x = torch.tensor(x, requires_grad=True)
    (slope,) = torch.autograd.grad(f(x), x, create_graph=True)
    return torch.autograd.grad(slope, x)[0].item()


check(nb12.second, second)
""",
    "newton": """
def newton(f, x):
    place = torch.tensor(x, requires_grad=True)
    (slope,) = torch.autograd.grad(f(place), place, create_graph=True)
    (curvature,) = torch.autograd.grad(slope, place)
    return x - (slope / curvature).item()


check(nb12.newton, newton)
""",
    "product": """
def product(loss, parameters, direction):
    slopes = torch.autograd.grad(loss, parameters, create_graph=True)
    dot = sum((slope * d).sum() for slope, d in zip(slopes, direction))
    return torch.autograd.grad(dot, parameters)


check(nb12.product, product)
""",
    "most curved": """
def most_curved(times, direction):
    for _ in range(20):
        direction = times(direction)
        direction = direction / direction.norm()
    return direction


check(nb12.most_curved, most_curved)
""",
    "recorded step": """
def loss_after(loss_of, start, lr):
    slope = nb12_runs.slope_of(loss_of, start)
    return loss_of(start - lr * slope)


check(nb12.after, loss_after)
""",
    "own start": """
def curve(x):
    return torch.cos(x)


start = 0.5

check(nb12.own, (curve, start))
""",
}
