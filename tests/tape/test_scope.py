"""Each node says which modules were at work when it was made; without any, which function."""

from __future__ import annotations

import minigrad as torch
from minigrad import nn
from minigrad.tape import tape


def scopes(program):
    reader = tape.watch()
    try:
        result = program()
        tape.catch_up()
        found = [key for key in dict.fromkeys(reader.changed) if key.startswith("n")]
        return result, [tape.describe(key)["scope"] for key in found]
    finally:
        tape.release(reader)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 3), nn.Tanh())

    def forward(self, x):
        return self.layers(x) * 2


def test_a_node_names_the_modules_that_were_called():
    net = Net()
    _, found = scopes(lambda: net(torch.ones(1, 2)))
    assert found == ["Net › layers › 0", "Net › layers › 1", "Net"]


def test_outside_of_modules_it_names_the_function():
    def helper(x):
        return x * x

    x = torch.tensor(2.0, requires_grad=True)
    _, found = scopes(lambda: helper(x))
    assert [scope.rpartition(".")[2] for scope in found] == ["helper"]
