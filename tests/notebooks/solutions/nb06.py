"""Solutions of notebook 06's exercises: the source of each cell."""

SOLUTIONS = {
    "still": """
def train(model, optimizer, x, y, steps):
    losses = []
    for step in range(steps):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


check(nb06.still, train)
""",
    "first moves": """
mine = {"ruled out": "too long", "tool": "grad"}

check(nb06.moves, mine)
""",
    "distance": """
def distance(place, home):
    return (place - home).abs()


check(nb06.distance, distance)
""",
    "register": """
class Repaired(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.ModuleList([nn.Linear(64, 32)])
        self.out = nn.Linear(32, 10)

    def forward(self, x):
        x = x.flatten(1)
        for layer in self.hidden:
            x = torch.tanh(layer(x))
        return self.out(x)


check(nb06.register, Repaired)
""",
    "careful": """
def careful(guess, truth):
    if guess.shape != truth.shape:
        raise ValueError(f"{tuple(guess.shape)} and {tuple(truth.shape)} differ")
    return ((guess - truth) ** 2).mean()


check(nb06.careful, careful)
""",
    "dead": """
def dead_share(hidden):
    return (hidden == 0).all(0).float().mean().item()


check(nb06.dead, dead_share)
""",
    "two tests": """
nb06.show_suspects()
by_heart(nb06_runs.handed_in())
mine = {"first": "failed", "second": "passed", "suspect": "start"}

check(nb06.two_tests, mine)
""",
    "reports": """
mine = {"A": "broadcast", "B": "not registered", "C": "cut", "D": "dead", "E": "nan"}

check(nb06.reports, mine)
""",
    "smooth": """
def smooth(model, optimizer, x, y, average):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return 0.9 * average + 0.1 * loss.item()


check(nb06.smooth, smooth)
""",
    "uses": """
mine = {"A": "item", "B": "no_grad", "C": "detach", "D": "no_grad"}

check(nb06.uses, mine)
""",
    "own patient": """
def patient(model, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.mse_loss(model(x), y)
    loss.backward()


check(nb06.own, patient)
""",
}
