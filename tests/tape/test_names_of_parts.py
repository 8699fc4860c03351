"""What the parts of modules are called beside their parameters: buffers, as in PyTorch."""

from __future__ import annotations

import pytest

import minigrad as torch
from minigrad import nn
from minigrad.errors import parts_in
from minigrad.tape import rehearse, tape
from minigrad.tape.names import also, names_in


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.tensor([2.0, 3.0]))

    def forward(self, x):
        return x * self.scale


@pytest.fixture
def run():
    """Run a program as a notebook does, and tell what is known of its nodes."""
    reader = tape.watch()

    def of(source):
        space = {"torch": torch, "nn": nn, "Scaled": Scaled}
        before = set(tape.facts)
        exec(compile(source, "<program>", "exec"), space)
        tape.look_for_names()
        return space, [tape.describe(key) for key in tape.facts if key not in before]

    yield of
    tape.release(reader)


NORM = """
model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)).eval()
x = torch.randn(4, 3)
out = model(x)
"""


def test_the_running_values_of_a_batch_norm_are_called_as_in_pytorch(run):
    space, nodes = run(NORM)
    for buffer in ("running_mean", "running_var"):
        key = tape.known(getattr(space["model"][1], buffer))
        (node,) = [node for node in nodes if node["id"] == key]
        assert node["names"] == [f"1.{buffer}"]
        assert node["kind"] == "data" and node["value"]["shape"] == [2]
    formula = "standardize_by(addmm(…), 1.running_mean, 1.running_var)"
    assert [node["formula"] for node in nodes if node["op"] == "standardize_by"][-1:] == [formula]


def test_a_stepper_says_by_which_of_them_the_gradient_is_divided():
    model = nn.Sequential(nn.BatchNorm1d(2)).eval()
    x = torch.randn(4, 2, requires_grad=True)
    schedule = rehearse(tape, model(x).sum(), namespace={"model": model, "x": x})
    rules = [out["rule"] for step in schedule["steps"] for out in step.get("outgoing", ())]
    assert "g * (1 / sqrt(0.running_var + 1e-05))" in rules


def test_a_buffer_of_ones_own_has_its_path_and_two_models_tell_theirs_apart(run):
    source = """
one, other = nn.Sequential(Scaled()), nn.Sequential(Scaled())
x = torch.randn(2, requires_grad=True)
out = one(x) + other(x)
"""
    _, nodes = run(source)
    assert [node["formula"] for node in nodes if node["op"] == "mul"][-2:] == [
        "x * one.0.scale",
        "x * other.0.scale",
    ]


def test_a_parameter_and_a_buffer_of_one_path_are_told_apart():
    trained = nn.Sequential(nn.Module())
    trained[0].register_parameter("scale", nn.Parameter(torch.ones(2)))
    variables = {"trained": trained, "given": nn.Sequential(Scaled())}
    one, other = parts_in(variables)
    assert [name for name, _ in one.parameters] == ["trained.0.scale"] and one.buffers == []
    assert [name for name, _ in other.buffers] == ["given.0.scale"] and other.parameters == []


def test_what_a_loop_over_the_buffers_leaves_behind_is_no_name(run):
    space, _ = run(f"{NORM}for b in [model[1].running_mean, model[1].running_var]: pass")
    names = tape.describe(tape.known(space["b"]))["names"]
    assert names == ["b", "1.running_var"]  # a list of the program's, which may mean it
    space, _ = run(f"{NORM}for b in model.buffers(): b")
    assert tape.describe(tape.known(space["model"][1].running_var))["names"] == ["1.running_var"]


def test_the_gradient_uses_the_running_values_as_they_were(run):
    layer = nn.BatchNorm1d(2).eval()
    x = torch.randn(6, 2, requires_grad=True)
    before = layer(x)
    layer.train()
    layer(x)  # moves them
    before.sum().backward()
    assert torch.allclose(x.grad, torch.full((6, 2), (1 + 1e-5) ** -0.5))


# ------------------------------------------------------------------------- shared weights

TIED = """
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(7, 5)
        self.out = nn.Linear(5, 7, bias=False)
        self.out.weight = self.embed.weight

    def forward(self, words):
        return self.out(self.embed(words))

net = Tied()
scores = net(torch.tensor([3, 1]))
"""


def test_a_shared_weight_has_both_of_its_paths(run):
    space, nodes = run(TIED)
    (node,) = [n for n in nodes if n["id"] == tape.known(space["net"].embed.weight)]
    assert node["names"] == ["embed.weight", "out.weight"]
    assert [name for name, _ in space["net"].named_parameters()] == ["embed.weight"]


def test_so_has_that_of_a_module_which_stands_in_two_places(run):
    space, _ = run("layer = nn.Linear(2, 2)\nnet = nn.Sequential(layer, nn.Tanh(), layer)")
    (parts,) = parts_in({"net": space["net"]})
    assert [name for name, _ in parts.parameters] == ["0.weight", "0.bias"]
    assert [name for name, _ in parts.shared] == ["2.weight", "2.bias"]


def test_two_models_that_share_a_weight_are_both_named():
    one, other = nn.Sequential(nn.Linear(2, 2)), nn.Sequential(nn.Linear(2, 2))
    other[0].weight = one[0].weight
    found = names_in({"one": one, "other": other})
    names = [name for name, value in found if value is one[0].weight]
    assert names == ["one.0.weight", "other.0.weight"]
    assert also(names) == "also other.0.weight" and also(["w", "one.0.weight"]) == ""


def test_modules_that_hold_each_other_do_no_harm():
    one, other = nn.Linear(1, 1), nn.Linear(1, 1)
    one.other, other.one = other, one
    (parts,) = parts_in({"one": one})
    assert len(parts.parameters) == 4 and parts.shared == []
