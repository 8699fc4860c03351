"""What modules do beyond what PyTorch's do, and the LSTM beside its steps.

That they compute, print and fail as PyTorch's is for the recorded programs to show.
"""

from __future__ import annotations

import inspect
import threading

import numpy as np
import pytest

import minigrad as torch
from minigrad.engine.node import Watch
from minigrad.fast.lstm import all_at_once, step_by_step
from minigrad.tape.scope import running

nn = torch.nn


class Listener:
    """Notes in which calls of modules operations are recorded."""

    def __init__(self):
        self.heard = []

    def made(self, node, operands, array):
        path = "/".join(f"{call.name}:{call.kind}" for call in running.scope)
        self.heard.append((node.kind.op, path))

    def writing(self):
        return None

    def switching(self, name):
        return ""


@pytest.fixture
def listener():
    Watch.observer = Listener()
    yield Watch.observer
    Watch.observer = None


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2)])

    def forward(self, x):
        return self.layers[0](self.layers[0](x)) * 2


def test_who_watches_knows_which_call_of_a_module_made_a_node(listener):
    nn.Sequential(Twice(), nn.Tanh())(torch.ones(1, 2))
    inner = ":Sequential/0:Twice/layers.0:Linear"
    assert listener.heard == [
        ("addmm", inner),
        ("addmm", inner),
        ("mul", ":Sequential/0:Twice"),
        ("tanh", ":Sequential/1:Tanh"),
    ]


def test_each_call_has_a_number_of_its_own(listener):
    numbers = []
    layer = nn.Identity()
    layer.register_forward_hook(lambda *_: numbers.append(running.scope[-1].number))
    layer(1), layer(1)
    assert numbers[0] < numbers[1]


def test_the_scope_is_left_when_forward_raises(listener):
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"):
        nn.Sequential(nn.Linear(2, 2))(torch.ones(3))
    assert running.scope == () and running.modules == ()


@pytest.mark.threads
def test_the_scope_belongs_to_a_thread(listener):
    seen = []

    class Waits(nn.Module):
        def forward(self, x):
            thread = threading.Thread(target=lambda: seen.append(running.scope))
            thread.start()
            thread.join()
            return x

    Waits()(1)
    assert seen == [()]


def test_unwatched_calls_leave_no_mark():
    seen = []
    layer = nn.Identity()
    layer.register_forward_hook(lambda *_: seen.append(running.scope))
    layer(1)
    assert seen == [()]


def test_hooks_run_when_watched_too(listener):
    layer = nn.Identity()
    layer.register_forward_hook(lambda module, args, out: out + 1)
    assert layer(1) == 2


@pytest.mark.parametrize("module", [nn.ELU, nn.MaxPool2d, nn.CrossEntropyLoss, nn.Softplus])
def test_help_shows_the_options_of_a_module_made_from_a_function(module):
    shown = list(inspect.signature(module).parameters)
    assert (
        shown
        == {
            nn.ELU: ["alpha", "inplace"],
            nn.MaxPool2d: [
                "kernel_size",
                "stride",
                "padding",
                "dilation",
                "return_indices",
                "ceil_mode",
            ],
            nn.CrossEntropyLoss: ["weight", "ignore_index", "reduction", "label_smoothing"],
            nn.Softplus: ["beta", "threshold"],
        }[module]
    )


def test_an_activation_can_be_subclassed():
    class Steep(nn.LeakyReLU):
        def __init__(self):
            super().__init__(0.5)

    assert repr(Steep()) == "Steep(negative_slope=0.5)"
    assert Steep()(torch.tensor([-2.0])).tolist() == [-1.0]
    assert list(inspect.signature(Steep).parameters) == []


@pytest.mark.parametrize("kind", [nn.MSELoss, nn.HuberLoss, nn.ReLU, nn.CrossEntropyLoss])
def test_a_module_that_is_made_with_tensors_says_that_it_is_to_be_called_with_them(kind):
    text = rf"nn.{kind.__name__} was made with tensors.*\n  fix: torch\.nn.{kind.__name__}\(\)\("
    with pytest.raises((RuntimeError, TypeError), match=text):
        kind(torch.ones(2, 3), torch.ones(2, 3))


def test_the_weights_of_classes_may_be_a_tensor():
    assert nn.CrossEntropyLoss(torch.ones(3)).weight.tolist() == [1, 1, 1]
    assert nn.BCEWithLogitsLoss(torch.ones(3), pos_weight=torch.ones(3)).pos_weight.shape == (3,)


def test_whoever_looks_for_backward_hooks_of_modules_is_told_of_those_of_tensors():
    layer = nn.Linear(2, 3)
    with pytest.raises(AttributeError, match=r"no attribute[^\n]*\n  fix: .*out\.register_hook"):
        layer.register_full_backward_hook(print)
    seen = []
    layer.register_forward_hook(lambda layer, args, out: out.register_hook(seen.append) and None)
    layer(torch.ones(1, 2)).sum().backward()
    assert [g.tolist() for g in seen] == [[[1, 1, 1]]]


def test_the_slopes_of_a_prelu_start_as_asked():
    layer = nn.PReLU(2, init=1, dtype=torch.float64)
    assert layer.weight.dtype is torch.float64 and layer.weight.tolist() == [1, 1]


def test_a_row_of_modules_prints_these_and_not_its_own_parameters():
    class Scaled(nn.Sequential):
        def __init__(self):
            super().__init__(nn.ReLU())
            self.scale = nn.Parameter(torch.ones(2))

    assert repr(Scaled()) == "Scaled(\n  (0): ReLU()\n)"


def test_a_layer_prints_whether_it_has_a_bias_and_what_is_unusual_about_it():
    assert repr(nn.GroupNorm(1, 2, bias=False)).endswith("affine=True, bias=False)")
    assert repr(nn.GRUCell(2, 3)) == "GRUCell(2, 3)"
    assert repr(nn.GRUCell(2, 3, bias=False)) == "GRUCell(2, 3, bias=False)"


def sequences(steps, batch, size, seed=0):
    """Inputs, weights for them and for the state, biases, and both states."""
    draw = np.random.default_rng(seed).standard_normal
    weights = (4 * size, 3), (4 * size, size), (4 * size,)
    shapes = (steps, batch, 3), *weights, (batch, size), (batch, size)
    return [torch.tensor(draw(shape), requires_grad=True) for shape in shapes]


def derivatives(function, inputs):
    """The value, the gradients, and the gradients of a sum of their squares."""
    out = function(*inputs)
    weights = torch.linspace(0.5, 1.5, out.numel(), dtype=out.dtype).reshape(out.shape)
    first = torch.autograd.grad(out, inputs, weights, create_graph=True)
    second = torch.autograd.grad(sum((g * g).sum() for g in first), inputs)
    plain = torch.autograd.grad(function(*inputs), inputs, weights)
    return [out, *first, *second, *plain]


@pytest.mark.parametrize(("steps", "batch", "size"), [(1, 1, 1), (4, 3, 2), (7, 1, 5)])
def test_an_lstm_all_at_once_is_its_steps(steps, batch, size):
    inputs = sequences(steps, batch, size)
    for one, other in zip(derivatives(all_at_once, inputs), derivatives(step_by_step, inputs)):
        np.testing.assert_allclose(one.detach(), other.detach(), rtol=1e-9, atol=1e-12)


def test_an_lstm_takes_inputs_that_lie_in_memory_in_another_order():
    inputs = sequences(3, 2, 2)
    turned = [
        t.detach().transpose(0, -1).contiguous().transpose(0, -1).requires_grad_() for t in inputs
    ]
    for one, other in zip(derivatives(all_at_once, inputs), derivatives(all_at_once, turned)):
        np.testing.assert_allclose(one.detach(), other.detach(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("wanted", range(6))
def test_an_lstm_gives_the_one_gradient_that_is_wanted(wanted):
    inputs = [t.detach().requires_grad_(i == wanted) for i, t in enumerate(sequences(3, 2, 2))]
    assert torch.autograd.gradcheck(all_at_once, inputs)
    assert torch.autograd.gradgradcheck(all_at_once, inputs)


def test_a_second_pass_through_an_lstm_gives_the_same_gradients():
    inputs = sequences(3, 2, 2)
    out = all_at_once(*inputs)
    g = torch.ones_like(out)
    first = torch.autograd.grad(out, inputs, g, retain_graph=True)
    for gradient in first:
        gradient.zero_()  # whoever got it may do with it what he likes
    again = torch.autograd.grad(out, inputs, g, retain_graph=True)
    fresh = torch.autograd.grad(all_at_once(*inputs), inputs, g)
    for one, other in zip(again, fresh):
        np.testing.assert_array_equal(one, other)


def test_an_lstm_frees_what_it_kept_after_backward():
    out = all_at_once(*sequences(3, 2, 2))
    out.sum().backward()
    with pytest.raises(RuntimeError, match="a second time"):
        out.sum().backward()


def test_an_lstm_in_single_precision_stays_there():
    inputs = [t.detach().float().requires_grad_() for t in sequences(3, 2, 2)]
    out = all_at_once(*inputs)
    out.sum().backward()
    assert {out.dtype, *(t.grad.dtype for t in inputs)} == {torch.float32}


def test_a_module_may_use_any_plain_name_for_what_is_its_own():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self._shown = self._usual = self._lines_shown = True

    assert repr(Net()) == "Net()"
