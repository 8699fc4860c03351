"""Solutions of notebook 14's exercises: the source of each cell."""

SOLUTIONS = {
    "same": """
mine = [True, True, True, True, False, False, False, True]

check(nb14.same, mine)
""",
    "data": """
def digits_for(torch):
    digits = minigrad.datasets.digits()
    return torch.from_numpy(digits.x.numpy()), torch.from_numpy(digits.y.numpy())


check(nb14.data, digits_for)
""",
    "port": '''
program = """
import minigrad as torch
F = torch.nn.functional
nn = torch.nn

torch.manual_seed(1)
model = nn.Linear(2, 1)
loss = F.mse_loss(model(torch.ones(3, 2)), torch.zeros(3, 1))
loss.backward()
print("loss", loss.item())
print(model.weight.grad)
print(model.bias.grad)
"""
line = "import torch"

check(nb14.port, (program, line))
''',
}
