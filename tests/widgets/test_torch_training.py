"""TrainingLoop on trainings with real PyTorch: the story is the one of the same loop in minigrad.

Runs where PyTorch is installed: ``pip install torch==2.13.0``.
"""

from __future__ import annotations

import copy
import gc
import io
import json
import math
import pickle
import signal
import threading
import warnings
import weakref

import numpy as np
import pytest

import minigrad
from minigrad_widgets import GraphView, TrainingLoop

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch==2.13.0")

nn = torch.nn
HOOKS = nn.modules.module


@pytest.fixture(autouse=True)
def nothing_stays():
    """Every test leaves PyTorch and the interrupt signal as they were."""
    before = signal.getsignal(signal.SIGINT), torch.autograd._engine_run_backward
    yield
    assert signal.getsignal(signal.SIGINT) is before[0]
    assert torch.autograd._engine_run_backward is before[1]
    assert not HOOKS._global_forward_hooks


def data(lib):
    numbers = np.random.default_rng(0)
    x = lib.tensor(numbers.normal(size=(20, 4)).astype("float32").tolist())
    return x, lib.tensor([number % 3 for number in range(20)])


def network(lib, seed=0):
    lib.manual_seed(seed)
    return lib.nn.Sequential(lib.nn.Linear(4, 8), lib.nn.Tanh(), lib.nn.Linear(8, 3))


def loss_of(lib, model, x, y):
    return lib.nn.functional.cross_entropy(model(x), y)


# --------------------------------------------------------------------- the same as in minigrad


def in_order(lib, model, opt, x, y, number):
    opt.zero_grad()
    loss_of(lib, model, x, y).backward()
    opt.step()


def never_cleared(lib, model, opt, x, y, number):
    loss_of(lib, model, x, y).backward()
    opt.step()


def cleared_by_the_model(lib, model, opt, x, y, number):
    model.zero_grad()
    loss_of(lib, model, x, y).backward()
    opt.step()


def without_a_step(lib, model, opt, x, y, number):
    opt.zero_grad()
    loss_of(lib, model, x, y).backward()


def without_a_pass(lib, model, opt, x, y, number):
    opt.zero_grad()
    loss_of(lib, model, x, y)
    opt.step()


def step_first(lib, model, opt, x, y, number):
    opt.zero_grad()
    loss = loss_of(lib, model, x, y)
    opt.step()
    loss.backward()


def in_two_parts(lib, model, opt, x, y, number):
    opt.zero_grad()
    for part in (slice(0, 10), slice(10, 20)):
        (loss_of(lib, model, x[part], y[part]) / 2).backward()
    opt.step()


def with_a_pass_of_autograd(lib, model, opt, x, y, number):
    opt.zero_grad()
    lib.autograd.backward(loss_of(lib, model, x, y))
    lib.autograd.grad(loss_of(lib, model, x, y), [*model.parameters()])
    opt.step()


def several_losses(lib, model, opt, x, y, number):
    opt.zero_grad()
    each = lib.nn.functional.cross_entropy(model(x), y, reduction="none")
    each.backward(lib.ones_like(each))
    opt.step()


def nan_from_the_third(lib, model, opt, x, y, number):
    opt.zero_grad()
    (loss_of(lib, model, x, y) * (math.nan if number > 1 else 1)).backward()
    opt.step()


def grads_put_there(lib, model, opt, x, y, number):
    parameters = [*model.parameters()]
    for parameter, g in zip(parameters, lib.autograd.grad(loss_of(lib, model, x, y), parameters)):
        parameter.grad = g
    opt.step()
    opt.zero_grad()


def only_called(lib, model, opt, x, y, number):
    model(x)


def clipped(lib, model, opt, x, y, number):
    opt.zero_grad()
    loss_of(lib, model, x, y).backward()
    lib.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    opt.step()


def evaluated_too(lib, model, opt, x, y, number):
    in_order(lib, model, opt, x, y, number)
    model.eval()
    with lib.no_grad():
        model(x)
    model.train()


def by_hand(lib, model, opt, x, y, number):
    loss_of(lib, model, x, y).backward()
    with lib.no_grad():
        for parameter in model.parameters():
            parameter -= 0.1 * parameter.grad
            parameter.grad = None


LOOPS = [
    in_order, never_cleared, cleared_by_the_model, without_a_step, without_a_pass, step_first,
    in_two_parts, grads_put_there, with_a_pass_of_autograd, several_losses,
    nan_from_the_third, only_called, clipped, evaluated_too,
]  # fmt: skip


def run(lib, body, make=None, steps=12, **options):
    """``body`` some times in a block; the ended view."""
    model = network(lib)
    opt = (make or (lambda lib, p: lib.optim.SGD(p, lr=0.1)))(lib, model.parameters())
    x, y = data(lib)
    with TrainingLoop(model, opt, **options) as loop:
        for number in loop.progress(range(steps)):
            body(lib, model, opt, x, y, number)
    json.dumps(loop.training, allow_nan=False)
    return loop


def assert_alike(theirs, ours, path="training"):
    """The same data, but for the rounding of PyTorch's arithmetic."""
    assert type(theirs) is type(ours), path
    if isinstance(ours, dict):
        assert theirs.keys() == ours.keys(), path
        for key in ours:
            assert_alike(theirs[key], ours[key], f"{path}.{key}")
    elif isinstance(ours, list):
        assert len(theirs) == len(ours), path
        for number, pair in enumerate(zip(theirs, ours)):
            assert_alike(*pair, f"{path}[{number}]")
    elif isinstance(ours, float):
        assert theirs == pytest.approx(ours, 1e-3, 1e-5), path
    else:
        assert theirs == ours, path


def assert_same_course(theirs, ours):
    their_course, our_course = dict(theirs.training), dict(ours.training)
    assert their_course.pop("unasked", "") != "" or not their_course["optimizer"]
    assert their_course.pop("lines") == [] and our_course.pop("lines") is not None
    assert_alike(their_course, our_course)
    np.testing.assert_allclose(theirs.losses, ours.losses, 1e-4)
    assert theirs.norm_steps == ours.norm_steps


@pytest.mark.parametrize("body", LOOPS)
def test_a_loop_has_the_same_events_losses_norms_and_remarks(body):
    assert_same_course(run(torch, body), run(minigrad, body))


@pytest.mark.parametrize(
    "make",
    [
        lambda lib, p: lib.optim.SGD(p, lr=0.1, momentum=0.9),
        lambda lib, p: lib.optim.Adam(p, lr=0.01),
        lambda lib, p: lib.optim.AdamW(p, lr=0.01, weight_decay=0.1),
        lambda lib, p: lib.optim.RMSprop(p, lr=0.01),
    ],
)
def test_with_each_optimiser_it_has_the_same_course(make):
    assert_same_course(run(torch, in_order, make), run(minigrad, in_order, make))


def test_a_loop_that_moves_the_parameters_itself_has_the_same_course():
    def course(lib):
        return run(lib, by_hand, lambda lib, p: None)

    assert_same_course(course(torch), course(minigrad))


def test_a_long_training_is_kept_as_minigrads_is():
    theirs, ours = (run(lib, in_order, steps=260) for lib in (torch, minigrad))
    assert_same_course(theirs, ours)
    assert [event["step"] for event in theirs.training["events"]][39:41] == [10, 211]


def test_a_chosen_number_is_the_one_that_is_watched():
    loop = run(torch, in_order, parameter="2.weight", index=(1, 3))
    assert loop.training["parameter"] == "2.weight[1, 3]"
    assert_same_course(loop, run(minigrad, in_order, parameter="2.weight", index=(1, 3)))


def scheduled(lib):
    model = network(lib)
    opt = lib.optim.SGD(model.parameters(), lr=0.4)
    halve = lib.optim.lr_scheduler.StepLR(opt, 2, 0.5)
    x, y = data(lib)
    with warnings.catch_warnings(), TrainingLoop(model, opt) as loop:
        warnings.simplefilter("error")
        for number in range(6):
            in_order(lib, model, opt, x, y, number)
            halve.step()
    return loop


def test_a_scheduler_changes_the_rate_that_is_shown_and_warns_of_nothing():
    theirs, ours = scheduled(torch), scheduled(minigrad)
    assert_same_course(theirs, ours)
    steps = [event for event in theirs.training["events"] if event["kind"] == "step"]
    assert [step["rate"] for step in steps] == [0.4, 0.4, 0.2, 0.2, 0.1, 0.1]
    assert all(step["plain"] for step in steps)


def test_a_rate_that_is_a_tensor_is_the_one_of_its_step():
    model = network(torch)
    opt = torch.optim.Adam(model.parameters(), lr=torch.tensor(0.5))
    with TrainingLoop(model, opt) as loop:
        for number in range(2):
            in_order(torch, model, opt, *data(torch), number)
            opt.param_groups[0]["lr"].mul_(0.5)
    steps = [event for event in loop.training["events"] if event["kind"] == "step"]
    assert [step["rate"] for step in steps] == [0.5, 0.25]


def closed(lib):
    model = network(lib)
    opt = lib.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4)
    x, y = data(lib)

    def closure():
        opt.zero_grad()
        loss = loss_of(lib, model, x, y)
        loss.backward()
        return loss

    with TrainingLoop(model, opt) as loop:
        for _ in range(2):
            opt.step(closure)
    return loop


def test_a_step_with_a_closure_has_its_passes_within():
    loop = closed(torch)
    kinds = "".join(event["kind"][0] for event in loop.training["events"])
    assert kinds == ("zfb" * 4 + "s") * 2 and len(loop.losses) == 2
    assert_same_course(loop, closed(minigrad))


# ------------------------------------------------------------------------- what is put together


def step(lib, model, optimizer):
    x = lib.tensor([[0.5, -1.0, 2.0]] * 4)
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()


def two_layers(lib):
    lib.manual_seed(0)
    return lib.nn.Sequential(lib.nn.Linear(3, 5), lib.nn.Tanh(), lib.nn.Linear(5, 1))


def sgd(lib, parameters):
    return lib.optim.SGD(parameters, lr=0.1)


def stale(lib):
    net = two_layers(lib)
    opt = sgd(lib, net.parameters())
    net = two_layers(lib)
    with pytest.raises(ValueError, match="moves none") as told:
        TrainingLoop(net, opt)
    return [str(told.value)]


def replaced(lib):
    net = two_layers(lib)
    opt = sgd(lib, net.parameters())
    net[2] = lib.nn.Linear(5, 1)
    return notes(lib, net, opt)


def frozen(lib):
    net = two_layers(lib)
    opt = sgd(lib, net.parameters())
    net[0].weight.requires_grad_(False)
    return notes(lib, net, opt)


def frozen_layer(lib):
    net = two_layers(lib)
    opt = sgd(lib, net.parameters())
    net[0].requires_grad_(False)
    return notes(lib, net, opt)


def unused(lib):
    class Net(lib.nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.spare = lib.nn.Linear(3, 1), lib.nn.Linear(3, 1)

        def forward(self, x):
            return self.used(x)

    net = Net()
    return notes(lib, net, sgd(lib, net.parameters()))


def listed(lib, part):
    class Net(lib.nn.Module):
        def __init__(self):
            super().__init__()
            self.head = lib.nn.Linear(3, 1)
            self.part = part

        def forward(self, x):
            found = self.part
            found = found["a"] if isinstance(found, dict) else found
            found = found[0] if isinstance(found, list) else found
            return self.head(found(x) if isinstance(found, lib.nn.Module) else x * found)

    net = Net()
    return notes(lib, net, sgd(lib, net.parameters()))


def in_a_list(lib):
    return listed(lib, [lib.nn.Linear(3, 3)])


def in_a_dict(lib):
    return listed(lib, {"a": lib.nn.Linear(3, 3)})


def parameter_in_a_list(lib):
    return listed(lib, [lib.nn.Parameter(lib.ones(3))])


def plain_tensor(lib):
    return listed(lib, lib.ones(3, requires_grad=True))


def all_in_a_list(lib):
    class Net(lib.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = [lib.nn.Linear(3, 3)]

    with pytest.raises(ValueError, match="it has: none") as told:
        TrainingLoop(Net())
    return [str(told.value)]


def another(lib):
    net, other = two_layers(lib), two_layers(lib)
    opt = sgd(lib, [*net.parameters(), *other.parameters()])
    return notes(lib, net, opt, other)


def made_again(lib):
    net = two_layers(lib)
    opt = sgd(lib, net.parameters())
    with TrainingLoop(net, opt) as loop:
        net = two_layers(lib)
        for _ in range(3):
            step(lib, net, opt)
    return loop.training["notes"]


def cut_off(lib):
    net = two_layers(lib)
    w = lib.ones(1, requires_grad=True)
    opt = sgd(lib, [*net.parameters(), w])
    with TrainingLoop(net, opt) as loop:
        for _ in range(3):
            opt.zero_grad()
            (net(lib.ones(4, 3)).detach() * w).sum().backward()
            opt.step()
    return loop.training["notes"]


def from_elsewhere(lib):
    net = two_layers(lib)
    w = lib.ones(1, requires_grad=True)
    opt = sgd(lib, [*net.parameters(), w])
    with TrainingLoop(net, opt) as loop:
        for _ in range(3):
            opt.zero_grad()
            (w * 3).sum().backward()
            opt.step()
    return loop.training["notes"]


def two_optimizers(lib):
    net = two_layers(lib)
    first, second = sgd(lib, net[0].parameters()), sgd(lib, net[2].parameters())
    with TrainingLoop(net, second) as loop:
        for _ in range(3):
            first.zero_grad()
            second.zero_grad()
            net(lib.ones(4, 3)).square().mean().backward()
            first.step()
            second.step()
    return loop.training["notes"]


def right(lib):
    net = two_layers(lib)
    return notes(lib, net, sgd(lib, net.parameters()))


def lost(lib):
    net = two_layers(lib)
    opt = sgd(lib, net.parameters())
    with TrainingLoop(net, opt) as loop:
        for number in range(4):
            step(lib, net, opt)
            if number == 1:
                net[0], net[2] = lib.nn.Identity(), lib.nn.Linear(3, 1)
    return loop.training["notes"]


def notes(lib, net, opt, called=None):
    """What a loop says that trains ``called``, or the model itself."""
    with TrainingLoop(net, opt) as loop:
        for _ in range(3):
            step(lib, called or net, opt)
    return loop.training["notes"]


WIRED = [
    stale, replaced, frozen, frozen_layer, unused, in_a_list, in_a_dict, parameter_in_a_list,
    plain_tensor, all_in_a_list, another, made_again, cut_off, from_elsewhere, two_optimizers,
    right, lost,
]  # fmt: skip


@pytest.mark.parametrize("program", WIRED)
def test_what_does_not_belong_together_is_said_in_the_same_sentences(program):
    said = program(torch)
    assert said == program(minigrad)
    assert bool(said) == (program not in (two_optimizers, right))


# --------------------------------------------------------------- the program stays what it was


def traces(model, opt):
    """All that could tell a program that it is watched."""
    hooks = [vars(part)[name] for part in model.modules() for name in vars(part) if "hook" in name]
    return (
        hooks,
        [p._backward_hooks for p in model.parameters()],
        [p._post_accumulate_grad_hooks for p in model.parameters()],
        torch.Tensor.backward,
        torch.autograd.backward,
        torch.autograd.grad,
        type(opt).step,
        type(opt).zero_grad,
        [*vars(model)],
    )


def test_within_the_block_model_tensors_and_autograd_look_as_ever():
    model = network(torch)
    opt = sgd(torch, model.parameters())
    before = traces(model, opt)
    with TrainingLoop(model, opt):
        in_order(torch, model, opt, *data(torch), 0)
        assert traces(model, opt) == before
        assert opt.zero_grad.__doc__ == torch.optim.SGD.zero_grad.__doc__


@pytest.mark.parametrize("error", [None, ZeroDivisionError, KeyboardInterrupt])
def test_after_the_block_nothing_is_left(error):
    model = network(torch)
    opt = sgd(torch, model.parameters())
    before = [*vars(opt)]
    try:
        with TrainingLoop(model, opt):
            in_order(torch, model, opt, *data(torch), 0)
            if error is not None:
                raise error
    except ZeroDivisionError:
        pass
    assert [*vars(opt)] == before and "zero_grad" not in before
    assert not opt._optimizer_step_pre_hooks and not opt._optimizer_step_post_hooks


def test_a_model_that_is_copied_or_saved_within_the_block_carries_nothing_of_the_view():
    model = network(torch)
    opt = sgd(torch, model.parameters())
    file = io.BytesIO()
    with TrainingLoop(model, opt) as loop:
        in_order(torch, model, opt, *data(torch), 0)
        twin, its = copy.deepcopy((model, opt))
        torch.save(model, file)
        saved = pickle.dumps((model, opt, opt.state_dict()))
        twin(data(torch)[0]).sum().backward()
        its.zero_grad()
        its.step()
    assert b"minigrad" not in saved and b"minigrad" not in file.getvalue()
    assert [event["kind"] for event in loop.training["events"]][:4] == [
        "zero", "forward", "backward", "step",
    ]  # fmt: skip
    assert len(loop.losses) == 1


def test_the_view_holds_neither_model_nor_graph_afterwards():
    def train():
        model = network(torch)
        opt = sgd(torch, model.parameters())
        with TrainingLoop(model, opt) as loop:
            in_order(torch, model, opt, *data(torch), 0)
            loss = model(data(torch)[0]).sum()
            loss.backward()
        return loop, [weakref.ref(one) for one in (model, opt, loss, model[0].weight)]

    loop, gone = train()
    gc.collect()
    assert [ref() for ref in gone] == [None] * 4
    assert len(loop.losses) == 1


def test_a_watched_training_learns_the_same_numbers():
    def learned(watched):
        model = network(torch)
        opt = torch.optim.Adam(model.parameters(), lr=0.01)
        if watched:
            with TrainingLoop(model, opt):
                for number in range(20):
                    in_order(torch, model, opt, *data(torch), number)
        else:
            for number in range(20):
                in_order(torch, model, opt, *data(torch), number)
        return [parameter.detach().clone() for parameter in model.parameters()]

    assert all(map(torch.equal, learned(True), learned(False)))


def test_two_trainings_are_watched_at_once_and_end_in_any_order():
    one, other = network(torch), network(torch, 1)
    first, second = sgd(torch, one.parameters()), sgd(torch, other.parameters())
    outer = TrainingLoop(one, first).__enter__()
    with TrainingLoop(other, second) as inner:
        in_order(torch, one, first, *data(torch), 0)
        outer.close()
        in_order(torch, other, second, *data(torch), 0)
    assert len(outer.losses) == len(inner.losses) == 1


def test_passes_of_another_thread_are_not_heard():
    model, other = network(torch), network(torch, 1)
    opt = sgd(torch, model.parameters())
    with TrainingLoop(model, opt) as loop:
        thread = threading.Thread(target=lambda: other(data(torch)[0]).sum().backward())
        thread.start()
        thread.join()
        in_order(torch, model, opt, *data(torch), 0)
    assert [event["kind"] for event in loop.training["events"]] == [
        "zero", "forward", "backward", "step",
    ]  # fmt: skip


def test_a_checkpoint_within_the_pass_is_no_pass_of_its_own():
    model = network(torch)
    opt = sgd(torch, model.parameters())
    x, _ = data(torch)
    x.requires_grad_()
    with TrainingLoop(model, opt) as loop:
        opt.zero_grad()
        torch.utils.checkpoint.checkpoint(model, x, use_reentrant=True).sum().backward()
        opt.step()
    passes = [event for event in loop.training["events"] if event["kind"] == "backward"]
    assert len(passes) == 1 and len(loop.losses) == 1


def test_a_pass_that_fails_is_no_pass():
    model = network(torch)
    opt = sgd(torch, model.parameters())
    with TrainingLoop(model, opt) as loop:
        loss = model(data(torch)[0]).sum()
        loss.backward()
        with pytest.raises(RuntimeError, match="second time"):
            loss.backward()
        opt.step()
    assert [event["kind"] for event in loop.training["events"]] == ["forward", "backward", "step"]


def test_an_interrupt_waits_for_the_end_of_the_step():
    model = network(torch)
    opt = sgd(torch, model.parameters())
    moved = []

    class Interrupted(torch.optim.SGD):
        def step(self, closure=None):
            signal.raise_signal(signal.SIGINT)
            super().step(closure)
            signal.raise_signal(signal.SIGINT)
            moved.append("whole")

    opt = Interrupted(model.parameters(), lr=0.1)
    with TrainingLoop(model, opt) as loop:
        in_order(torch, model, opt, *data(torch), 0)
        moved.append("went on")
    assert moved == ["whole"] and len(loop.losses) == 1
    assert loop.training["state"] == "stopped"


def test_a_step_that_calls_the_one_of_its_base_is_one_step():
    class Own(torch.optim.SGD):
        def step(self, closure=None):
            return super().step(closure)

    loop = run(torch, in_order, lambda lib, p: Own(p, lr=0.1))
    assert_alike(loop.training["events"], run(minigrad, in_order).training["events"])


def test_after_a_step_that_failed_an_interrupt_comes_through():
    model = network(torch)
    x, _ = data(torch)

    class Failing(torch.optim.SGD):
        def step(self, closure=None):
            raise OverflowError

    opt = Failing(model.parameters(), lr=0.1)
    with TrainingLoop(model, opt) as loop:
        with pytest.raises(OverflowError):
            opt.step()
        model(x)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert loop.losses == []


# -------------------------------------------------------------------- tensors of every kind


def test_a_parameter_of_a_dtype_that_numpy_does_not_have_is_watched():
    model = nn.Linear(3, 1, dtype=torch.bfloat16)
    with torch.no_grad():
        model.weight.fill_(0.5)
    opt = sgd(torch, model.parameters())
    x = torch.tensor([[1.0, 2.0, 4.0]], dtype=torch.bfloat16)
    with TrainingLoop(model, opt) as loop:
        for _ in range(2):
            opt.zero_grad()
            model(x).sum().backward()
            opt.step()
    assert loop.training["parameter"] == "weight[0, 2]"
    steps = [event for event in loop.training["events"] if event["kind"] == "step"]
    assert [step["grad"] for step in steps] == [4.0, 4.0]
    assert steps[0]["before"] == 0.5 and steps[0]["value"] == pytest.approx(0.1, 0.01)
    assert loop.gradient_norms["weight"] == pytest.approx([math.sqrt(21)] * 2)


def test_a_sparse_gradient_has_a_norm_and_its_entries():
    table = nn.Embedding(10, 2, sparse=True)
    opt = sgd(torch, table.parameters())
    with TrainingLoop(table, opt, parameter="weight", index=(3, 1)) as loop:
        opt.zero_grad()
        table(torch.tensor([3, 3, 4])).sum().backward()
        opt.step()
    assert loop.gradient_norms["weight"] == pytest.approx([math.sqrt(10)])
    assert loop.training["events"][-1]["grad"] == 2.0


def test_a_lazy_layer_has_its_parameters_once_it_has_seen_a_batch():
    model = nn.Sequential(nn.Linear(4, 4), nn.LazyLinear(3))
    opt = sgd(torch, model.parameters())
    x, y = data(torch)
    with TrainingLoop(model, opt) as loop:
        for number in range(3):
            in_order(torch, model, opt, x, y, number)
        loop._record.look_again()
        in_order(torch, model, opt, x, y, 3)
    assert "1.weight" in loop.gradient_norms and loop.training["notes"] == []


def test_a_complex_parameter_is_not_the_one_that_is_watched():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.phase = nn.Parameter(torch.ones(3, dtype=torch.complex64))
            self.size = nn.Parameter(torch.ones(3))

        def forward(self):
            return (self.phase * self.size).abs().sum()

    model = Net()
    opt = sgd(torch, model.parameters())
    with TrainingLoop(model, opt) as loop:
        opt.zero_grad()
        model().backward()
        opt.step()
    assert loop.training["parameter"] == "size[0]" and [*loop.gradient_norms] == ["size"]


def test_a_block_of_graph_view_and_a_training_are_watched_together():
    model = network(torch)
    opt = sgd(torch, model.parameters())
    with GraphView() as view, TrainingLoop(model, opt) as loop:
        in_order(torch, model, opt, *data(torch), 0)
    with TrainingLoop(model, opt) as other, GraphView() as second:
        in_order(torch, model, opt, *data(torch), 0)
    assert len(loop.losses) == len(other.losses) == 1
    assert view.graph["omitted"] + len(view.graph["nodes"]) > 0 and str(second)


# ------------------------------------------------------------------------------ what is refused


def test_a_model_of_one_library_and_an_optimiser_of_the_other_are_refused():
    ours, theirs = network(minigrad), network(torch)
    with pytest.raises(TypeError, match=r"one optimizer, or None, not torch\.optim\.sgd\.SGD"):
        TrainingLoop(ours, sgd(torch, theirs.parameters()))
    with pytest.raises(TypeError, match=r"one optimizer, or None, not minigrad\.optim"):
        TrainingLoop(theirs, sgd(minigrad, ours.parameters()))
    with pytest.raises(TypeError, match="not StepLR"):
        TrainingLoop(theirs, torch.optim.lr_scheduler.StepLR(sgd(torch, theirs.parameters()), 1))


@pytest.mark.parametrize("line", ["zero_grad", "backward", "step", "order"])
def test_what_happens_without_a_line_is_not_asked_and_the_view_says_so(line):
    loop = run(torch, in_order)
    assert loop.training["lines"] == []
    assert loop.training["unasked"].startswith("What happens when a line is left out is asked only")
    with pytest.raises(ValueError, match=r"(?s)trainings with minigrad.*fix: run the loop with"):
        loop.ask(line)
    assert "unasked" not in run(minigrad, in_order).training
