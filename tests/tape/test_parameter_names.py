"""Parameters are called by their paths in the module that a variable holds."""

from __future__ import annotations

import warnings

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.errors import parameters_in
from minigrad.tape import rehearse, tape


@pytest.fixture
def reader():
    watching = tape.watch()
    yield watching
    tape.release(watching)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x)


def run(source, **namespace):
    """Run a program as a notebook does, and tell what its leaves are called."""
    names = {"torch": torch, "nn": nn, "Net": Net, **namespace}
    exec(compile(source, "<program>", "exec"), names)
    tape.look_for_names()
    keys = [key for key in tape._leaves.values() if key in tape.facts]
    return names, {key: tape.describe(key)["names"] for key in keys}


def called(tensor, names):
    return names[tape.known(tensor)]


def paths(**variables):
    return [path for parameters in parameters_in(variables) for path, _ in parameters]


def test_a_parameter_has_the_path_that_its_module_gives_it(reader):
    space, names = run("net = Net()\nloss = net(torch.ones(4, 2)).sum()")
    for path, parameter in space["net"].named_parameters():
        assert called(parameter, names) == [path]
    formulas = {node["formula"] for node in map(tape.describe, tape.facts) if node["op"] == "addmm"}
    assert any("layers.0.weight, layers.0.bias" in formula for formula in formulas)


def test_a_variable_of_the_program_comes_first(reader):
    space, names = run("net = Net()\nW = net.layers[0].weight\nnet(torch.ones(4, 2)).sum()")
    assert called(space["W"], names) == ["W", "layers.0.weight"]


def test_what_a_loop_over_all_parameters_leaves_behind_is_no_name(reader):
    space, names = run("net = Net()\nnet(torch.ones(4, 2)).sum()\nfor p in net.parameters(): pass")
    assert called(space["p"], names) == ["layers.2.bias", "p"]


def test_a_short_path_stands_behind_its_variable():
    assert paths(layer=nn.Linear(1, 1)) == ["layer.weight", "layer.bias"]


def test_equal_paths_of_two_modules_are_told_apart():
    found = paths(G=nn.Sequential(nn.Linear(1, 1)), D=nn.Sequential(nn.Linear(1, 1, bias=False)))
    assert found == ["G.0.weight", "0.bias", "D.0.weight"]


def test_what_is_inside_of_another_module_is_not_listed_again():
    net = Net()
    layer = net.layers[0]
    assert paths(layer=layer, net=net, model=net) == [path for path, _ in net.named_parameters()]


def test_a_module_that_is_half_built_or_huge_does_no_harm():
    half = Net.__new__(Net)
    assert paths(half=half, Net=Net) == []
    many = nn.ParameterList([torch.zeros(1)] * 3000)
    assert len(paths(many=many)) == 1000


def test_a_stepper_names_them_though_nobody_watched():
    net = Net()
    loss = net(torch.ones(4, 2)).sum()
    schedule = rehearse(tape, loss, namespace={"net": net, "loss": loss})
    landed = [step["text"] for step in schedule["steps"] if step["kind"] == "land"]
    assert sorted(landed) == sorted(path for path, _ in net.named_parameters())


def test_a_warning_names_them_too():
    net = Net()
    twice = torch.optim.SGD(net.parameters(), lr=0.1)
    with torch.tape.notices(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            net(torch.ones(4, 2)).sum().backward()
        twice.step()
    assert "layers." in str(caught[0].message)
