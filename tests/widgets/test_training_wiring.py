"""TrainingLoop on programs that run well and train nothing, or not all: each is recognised."""

from __future__ import annotations

import pytest

import minigrad as torch
from minigrad import nn
from minigrad_widgets import TrainingLoop

X, Y = torch.ones(4, 3), torch.zeros(4, 1)


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.1)


def two_layers():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 1))


def step(model, optimizer):
    optimizer.zero_grad()
    loss = (model(X) - Y).square().mean()
    loss.backward()
    optimizer.step()


def notes_after(net, opt, called=None, steps=3, **options):
    """What a loop says that trains ``called``, or the model itself."""
    with TrainingLoop(net, opt, **options) as loop:
        for _ in range(steps):
            step(called or net, opt)
    return loop.training["notes"]


# --- An optimiser of the time before --------------------------------------------------------------


@pytest.mark.parametrize("chosen", [None, "0.weight"])
def test_an_optimiser_of_the_model_before_is_refused_with_the_line_that_makes_it_again(chosen):
    net = two_layers()
    opt = sgd(net.parameters())
    net = two_layers()
    with pytest.raises(ValueError, match=r"moves none of the model's parameters") as told:
        TrainingLoop(net, opt, parameter=chosen)
    fix = "fix: opt = torch.optim.SGD(net.parameters(), lr=0.1), after the line that makes net"
    assert fix in str(told.value)


def test_a_layer_that_was_replaced_after_the_optimiser_was_made_is_named():
    net = two_layers()
    opt = sgd(net.parameters())
    net[2] = nn.Linear(5, 1)
    (note,) = notes_after(net, opt)
    assert note.startswith("2.weight and 2.bias get gradients, but opt does not hold them: step()")
    assert "It holds 2 tensors that net does not have" in note
    assert note.endswith("opt = torch.optim.SGD(net.parameters(), lr=0.1).")


def test_all_parameters_replaced_within_the_block_are_told():
    net = two_layers()
    opt = sgd(net.parameters())
    with TrainingLoop(net, opt) as loop:
        step(net, opt)
        net[0], net[2] = nn.Linear(3, 5), nn.Linear(5, 1)
        step(net, opt)
        step(net, opt)
    note = loop.training["notes"][-1]
    assert note.startswith("0.weight, 0.bias, 2.weight and 2.bias get gradients, but opt does not")


def test_what_another_optimiser_moves_is_no_mistake():
    net = two_layers()
    first, second = sgd(net[0].parameters()), sgd(net[2].parameters())
    with TrainingLoop(net, second) as loop:
        for _ in range(3):
            first.zero_grad()
            second.zero_grad()
            (net(X) - Y).square().mean().backward()
            first.step()
            second.step()
    assert loop.training["notes"] == []


def test_a_number_that_the_optimiser_does_not_hold_sums_all_passes():
    net = two_layers()
    opt = sgd(net[2].parameters())
    with TrainingLoop(net, opt, parameter="0.weight") as loop:
        for _ in range(3):
            step(net, opt)
    events = loop.training["events"]
    assert [e["passes"] for e in events if e["kind"] == "backward"] == [1, 2, 3]
    assert {e["rate"] for e in events if e["kind"] == "step"} == {None}


# --- Parameters that get no gradient --------------------------------------------------------------


def test_a_frozen_parameter_is_named_with_the_line_that_frees_it():
    net = two_layers()
    opt = sgd(net.parameters())
    net[0].weight.requires_grad_(False)
    (note,) = notes_after(net, opt)
    assert note == (
        "0.weight is frozen (requires_grad=False): it gets no gradient, and step() does not move "
        "it. To train it: net[0].weight.requires_grad_()."
    )


def test_of_a_frozen_layer_the_whole_layer_is_freed_and_another_number_is_watched():
    net = two_layers()
    opt = sgd(net.parameters())
    net[0].requires_grad_(False)
    with TrainingLoop(net, opt) as loop:
        step(net, opt)
    (note,) = loop.training["notes"]
    assert note.startswith("0.weight and 0.bias are frozen")
    assert note.endswith("To train them: net[0].requires_grad_().")
    assert loop.training["parameter"].startswith("2.weight")


def test_a_layer_that_forward_does_not_use_is_named():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.spare = nn.Linear(3, 1), nn.Linear(3, 1)

        def forward(self, x):
            return self.used(x)

    net = Net()
    (note,) = notes_after(net, sgd(net.parameters()))
    assert note.startswith("spare.weight and spare.bias have got no gradient in 3 backward passes")


# --- Tensors that parameters() does not find ------------------------------------------------------


class Listed(nn.Module):
    """A model whose part is no part of it."""

    def __init__(self, part):
        super().__init__()
        self.head = nn.Linear(3, 1)
        self.part = part

    def forward(self, x):
        part = self.part
        if isinstance(part, dict):
            part = part["a"]
        if isinstance(part, list):
            part = part[0]
        return self.head(part(x) if isinstance(part, nn.Module) else x * part)


@pytest.mark.parametrize(
    ("part", "path", "fix"),
    [
        (lambda: [nn.Linear(3, 3)], "net.part[0].weight", "nn.ModuleList(self.part)"),
        (lambda: {"a": nn.Linear(3, 3)}, "net.part['a'].weight", "nn.ModuleDict(self.part)"),
        (lambda: [nn.Parameter(torch.ones(3))], "net.part[0] ", "nn.ParameterList(self.part)"),
        (lambda: torch.ones(3, requires_grad=True), "net.part ", "nn.Parameter(self.part)"),
    ],
)
def test_what_parameters_does_not_find_is_named_with_the_container_that_it_belongs_in(
    part, path, fix
):
    net = Listed(part())
    (note,) = notes_after(net, sgd(net.parameters()))
    assert note.startswith(path)
    assert "gradients, but net.parameters() does not find" in note
    assert note.endswith(f"Fix, in the class: self.part = {fix}.")


def test_a_tensor_that_the_optimiser_was_given_by_itself_is_no_mistake():
    net = Listed(torch.ones(3, requires_grad=True))
    assert notes_after(net, sgd([*net.parameters(), net.part])) == []


def test_a_model_whose_layers_all_stand_in_a_list_says_so_when_it_is_watched():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Linear(3, 3)]

    with pytest.raises(ValueError, match=r"(?s)it has: none; layers is a plain list.*Mod.*\(self"):
        TrainingLoop(Net())


# --- Another model than the watched one -----------------------------------------------------------


def test_a_model_that_is_not_called_is_told_with_the_one_that_is():
    net, other = two_layers(), two_layers()
    opt = sgd([*net.parameters(), *other.parameters()])
    with TrainingLoop(net, opt) as loop:
        for _ in range(3):
            step(other, opt)
    note = loop.training["notes"][0]
    assert note.startswith("In 3 backward passes no parameter of net got a gradient, and it was")
    assert "the loss comes from other. Fix: call net in the loop" in note


def test_a_model_that_was_made_again_within_the_block_is_told():
    net = two_layers()
    opt = sgd(net.parameters())
    with TrainingLoop(net, opt) as loop:
        net = two_layers()
        for _ in range(3):
            step(net, opt)
    note = loop.training["notes"][0]
    assert "the loop trains another model, made under the same name since" in note
    assert "still watches the one before, and so does opt." in note


def test_a_result_that_was_cut_off_from_the_loss_is_told():
    net = two_layers()
    w = torch.ones(1, requires_grad=True)
    opt = sgd([*net.parameters(), w])
    with TrainingLoop(net, opt) as loop:
        for _ in range(3):
            opt.zero_grad()
            (net(X).detach() * w).sum().backward()
            opt.step()
    note = loop.training["notes"][0]
    assert note.startswith("net was called, but in 3 backward passes none of its parameters got")


def test_a_loop_that_is_right_is_told_nothing():
    net = two_layers()
    assert notes_after(net, sgd(net.parameters())) == []


def test_it_is_said_while_the_training_runs():
    net = two_layers()
    opt = sgd(net.parameters())
    net[2] = nn.Linear(5, 1)
    with TrainingLoop(net, opt) as loop:
        for _ in range(3):
            step(net, opt)
        assert "opt does not hold them" in loop._told(True)["notes"][0]
