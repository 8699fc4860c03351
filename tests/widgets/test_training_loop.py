"""TrainingLoop: what it sees of a loop, what it says, and that the loop stays what it was."""

from __future__ import annotations

import copy
import gc
import json
import math
import os
import signal
import sys
import threading
import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from minigrad.engine import backward
from minigrad_widgets import TrainingLoop
from minigrad_widgets.left_out.question import CHOICES, because, question
from minigrad_widgets.training.curves import means, thin, window

F = nn.functional


def parts(lr=0.1, kind=torch.optim.SGD, seed=0):
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    x, y = torch.randn(40, 4), torch.randint(0, 3, (40,))
    data = torch.utils.data.TensorDataset(x, y)
    loader = torch.utils.data.DataLoader(data, batch_size=10, shuffle=True)
    return model, kind(model.parameters(), lr=lr), loader


def trained(epochs=3, **options):
    """A finished training, and the losses as the loop itself noted them."""
    model, optimizer, loader = parts(**options)
    noted = []
    with TrainingLoop(model, optimizer) as loop:
        for _ in loop.progress(range(epochs)):
            for x, y in loader:
                optimizer.zero_grad()
                loss = F.cross_entropy(model(x), y)
                loss.backward()
                optimizer.step()
                noted.append(loss.item())
    return loop, noted


def kinds(loop, last=None):
    return [event["kind"] for event in loop.training["events"]][-last if last else None :]


@pytest.fixture(autouse=True)
def nothing_stays():
    before = signal.getsignal(signal.SIGINT)
    yield
    assert backward.listeners == []
    assert signal.getsignal(signal.SIGINT) is before


# --- What it sees --------------------------------------------------------------------------------


def test_there_is_one_loss_for_each_step_and_it_is_that_of_the_loop():
    loop, noted = trained()
    assert loop.losses == noted and len(noted) == 12


def test_the_four_lamps_are_lit_in_the_order_of_the_lines():
    loop, _ = trained()
    assert kinds(loop) == ["zero", "forward", "backward", "step"] * 12


def test_a_step_of_sgd_is_value_minus_rate_times_grad():
    loop, _ = trained()
    steps = [event for event in loop.training["events"] if event["kind"] == "step"]
    for event in steps:
        assert event["value"] == pytest.approx(event["before"] - 0.1 * event["grad"], rel=1e-5)
        assert event["plain"]
    assert [step["before"] for step in steps[1:]] == [step["value"] for step in steps[:-1]]


def test_a_step_of_adam_is_not_called_a_plain_one():
    loop, _ = trained(kind=torch.optim.Adam, lr=0.01)
    assert not any(event["plain"] for event in loop.training["events"])


def test_the_number_watched_is_the_one_that_was_chosen():
    model, optimizer, loader = parts()
    with TrainingLoop(model, optimizer, parameter="2.weight", index=(1, 3)) as loop:
        x, y = next(iter(loader))
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
    assert loop.training["parameter"] == "2.weight[1, 3]"
    assert loop.training["events"][-1]["value"] == pytest.approx(model[2].weight[1, 3].item())


def test_without_an_index_it_is_the_entry_with_the_largest_first_gradient():
    model, optimizer, loader = parts()
    with TrainingLoop(model, optimizer) as loop:
        x, y = next(iter(loader))
        F.cross_entropy(model(x), y).backward()
        largest = int(model[0].weight.grad.abs().argmax())
        assert loop.training["events"] == []  # nothing was sent
    row, column = divmod(largest, 4)
    assert loop.training["parameter"] == f"0.weight[{row}, {column}]"
    values = [event["value"] for event in loop.training["events"]]
    assert values == pytest.approx([model[0].weight[row, column].item()] * 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"parameter": "5.weight"},
        {"index": (9, 9)},
        {"index": 0},
        {"parameter": "0.bias", "index": "x"},
    ],
)
def test_a_number_that_is_not_there_cannot_be_watched(wrong):
    model, optimizer, _ = parts()
    with pytest.raises(ValueError, match=r"no parameter|does not choose"):
        TrainingLoop(model, optimizer, **wrong)


def test_what_is_no_model_or_no_optimiser_is_refused():
    model, optimizer, _ = parts()
    with pytest.raises(TypeError, match=r"nn\.Module"):
        TrainingLoop(optimizer, model)
    with pytest.raises(TypeError, match="one optimizer"):
        TrainingLoop(model, [optimizer])
    with pytest.raises(ValueError, match="it has: none"):
        TrainingLoop(nn.ReLU())


def test_the_norms_are_those_of_the_gradients_that_the_step_used():
    model, optimizer, loader = parts()
    norms = []
    with TrainingLoop(model, optimizer) as loop:
        for x, y in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            norms.append(float(np.linalg.norm(model[2].bias.grad.numpy())))
            optimizer.step()
    assert loop.gradient_norms["2.bias"] == pytest.approx(norms)
    assert [*loop.gradient_norms] == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert loop.norm_steps == [1, 2, 3, 4]


def test_of_a_long_training_the_norms_are_taken_at_every_eighth_step():
    loop, _ = trained(epochs=30)
    assert loop.norm_steps == [*range(1, 51), *range(56, 121, 8)]
    assert all(len(values) == 59 for values in loop.gradient_norms.values())


def test_evaluating_the_model_lights_no_lamp():
    model, optimizer, loader = parts()
    with TrainingLoop(model, optimizer) as loop, torch.no_grad():
        model(next(iter(loader))[0])
    assert kinds(loop) == []


# --- Loops of every kind -------------------------------------------------------------------------


def run(body, optimizer=..., **options):
    """``body(model, optimizer, x, y, number)`` ten times in a block."""
    model, usual, loader = parts(**options)
    optimizer = usual if optimizer is ... else optimizer
    x, y = next(iter(loader))
    with TrainingLoop(model, optimizer) as loop:
        for number in loop.progress(range(10)):
            body(model, optimizer, x, y, number)
    json.dumps(loop.training, allow_nan=False)
    return loop


def test_gradients_that_are_never_cleared_are_counted():
    def body(model, optimizer, x, y, number):
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

    loop = run(body)
    assert loop.training["events"][-1]["passes"] == 10
    assert kinds(loop) == ["forward", "backward", "step"] * 10


def test_the_losses_of_several_passes_before_a_step_are_added():
    def body(model, optimizer, x, y, number):
        optimizer.zero_grad()
        for part in (slice(0, 5), slice(5, 10)):
            loss = F.cross_entropy(model(x[part]), y[part]) / 2
            loss.backward()
        optimizer.step()

    def whole(model, optimizer, x, y, number):
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

    assert run(body).losses == pytest.approx(run(whole).losses, rel=1e-4)


def test_a_loss_whose_gradients_are_cleared_before_the_next_pass_is_not_counted():
    def body(model, optimizer, x, y, number):
        (model(x).square().mean() * 1000).backward()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()

    assert max(run(body).losses) < 10


def test_without_backward_it_is_told_that_nothing_was_moved():
    def body(model, optimizer, x, y, number):
        optimizer.zero_grad()
        F.cross_entropy(model(x), y)
        optimizer.step()

    loop = run(body)
    assert all(map(math.isnan, loop.losses)) and len(loop.losses) == 10
    said = "No backward pass in 10 steps: no grad, so step() moved nothing."
    assert loop.training["notes"] == [said]
    assert loop.training["loss"] == []  # and no loss that would be called nan
    assert loop.training["events"][-1]["grad"] is None


def test_without_backward_but_with_an_old_gradient_it_says_what_step_used():
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    F.cross_entropy(model(x), y).backward()
    with TrainingLoop(model, optimizer) as loop:
        optimizer.step()
    said = "No backward pass in 1 step: step() used what was in grad before."
    assert loop.training["notes"] == [said]


def test_without_backward_but_with_gradients_put_there_it_says_so():
    def body(model, optimizer, x, y, number):
        parameters = [*model.parameters()]
        grads = torch.autograd.grad(F.cross_entropy(model(x), y), parameters)
        for parameter, grad in zip(parameters, grads):
            parameter.grad = grad
        optimizer.step()
        optimizer.zero_grad()

    said = "step() used gradients that something else than backward() had put into grad."
    assert run(body).training["notes"] == [f"No backward pass in 10 steps: {said}"]


def test_without_step_the_losses_are_those_of_the_backward_passes(capsys):
    noted = []

    def body(model, optimizer, x, y, number):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y) * (number + 1)
        loss.backward()
        noted.append(loss.item())

    loop = run(body)
    course = loop.training
    assert loop.losses == noted and course["unit"] == "pass" and course["steps"] == 10
    assert [value for _, value in course["loss"]] == pytest.approx(noted)
    assert loop.norm_steps == [*range(1, 11)]
    assert course["progress"] == "10 backward passes, no step"
    assert course["notes"] == ["step() was never called: this optimizer has moved no weight."]
    assert [event["step"] for event in course["events"]] == [n for n in range(1, 11) for _ in "zfb"]
    assert capsys.readouterr().out == (
        "10 backward passes, no step. step() was never called: this optimizer has moved no weight\n"
    )


def test_several_passes_before_the_first_step_are_one_loss_and_one_norm():
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(3):
            F.cross_entropy(model(x), y).backward()
        assert loop.losses == []  # not yet: a step may come
        norm = float(np.linalg.norm(model[2].bias.grad.numpy()))
        optimizer.step()
    assert len(loop.losses) == 1 and loop.norm_steps == [1]
    assert loop.gradient_norms["2.bias"] == pytest.approx([norm])
    assert loop.training["unit"] == "step"


def test_without_backward_and_step_it_says_that_there_was_neither():
    loop = run(lambda model, optimizer, x, y, number: model(x))
    assert loop.training["notes"] == ["The model was called, but neither backward() nor step()."]
    assert loop.losses == []


def test_without_zero_grad_it_is_told_how_many_passes_are_in_the_sum():
    def body(model, optimizer, x, y, number):
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

    (note,) = run(body).training["notes"]
    assert note.startswith("grad was never cleared (zero_grad)") and "10 at the end" in note


def test_a_step_before_the_backward_pass_has_nothing_to_use_and_is_told():
    def body(model, optimizer, x, y, number):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        optimizer.step()
        loss.backward()

    assert run(body).training["notes"] == [
        "Step 1 came before any backward pass.",
        "Step 2 came after zero_grad() had cleared its gradients.",
    ]


def test_single_steps_without_a_backward_pass_are_counted():
    def body(model, optimizer, x, y, number):
        optimizer.zero_grad()
        if number not in (2, 5, 6):
            F.cross_entropy(model(x), y).backward()
        optimizer.step()

    loop = run(body)
    said = "Step 3 came without a backward pass since step 2 (so did 2 more of 10)."
    assert loop.training["notes"] == [said]
    assert [step for step, _ in loop.training["loss"]] == [1, 2, 4, 5, 8, 9, 10]


def test_a_norm_that_overflows_warns_of_nothing(recwarn):
    def body(model, optimizer, x, y, number):
        optimizer.zero_grad()
        model(x).sum().backward(torch.tensor(1e30))
        optimizer.step()

    assert math.inf in run(body, lr=1e-32).gradient_norms["0.weight"]
    assert [str(one.message) for one in recwarn] == []


def test_a_backward_event_has_the_gradient_before_it():
    def body(model, optimizer, x, y, number):
        F.cross_entropy(model(x), y).backward()
        optimizer.step()

    passes = [event for event in run(body).training["events"] if event["kind"] == "backward"]
    assert passes[0]["old"] is None
    assert [event["old"] for event in passes[1:]] == [event["grad"] for event in passes[:-1]]


def test_the_first_ten_steps_are_kept_beside_the_last_fifty():
    loop, _ = trained(epochs=300)
    events = loop.training["events"]
    assert [event["step"] for event in events[:40]] == [n for n in range(1, 11) for _ in "zfbs"]
    assert [event["step"] for event in events[40:]] == [*np.repeat(range(1151, 1201), 4)]
    assert events[39]["n"] == 40 and events[40]["n"] == 4601 and "old" in events[42]
    short, _ = trained()
    assert [event["n"] for event in short.training["events"]] == [*range(1, 49)]


def test_the_first_ten_backward_passes_are_kept_where_there_is_no_step():
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(500):
            F.cross_entropy(model(x), y).backward()
    found = [event["step"] for event in loop.training["events"] if event["kind"] == "backward"]
    assert found == [*range(1, 11), *range(401, 501)]


def test_a_loss_that_is_nan_is_told_with_its_first_step():
    def body(model, optimizer, x, y, number):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y) * (float("nan") if number >= 6 else 1)
        loss.backward()
        optimizer.step()

    loop = run(body)
    assert loop.training["notes"] == ["The loss is nan since step 7."]
    assert loop.training["loss"][6] == [7, "nan"]


def test_a_loss_of_several_numbers_raises_as_ever_or_counts_as_their_sum():
    def body(model, optimizer, x, y, number):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y, reduction="none")
        loss.backward(torch.ones_like(loss))
        optimizer.step()

    assert 5 < run(body).losses[0] < 50
    with pytest.raises(RuntimeError, match="scalar"):
        run(lambda model, optimizer, x, y, number: model(x).backward())


def test_a_parameter_that_disappears_is_told():
    def body(model, optimizer, x, y, number):
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()
        if number == 4:
            model[0] = nn.Identity()
            model[2] = nn.Linear(4, 3)

    loop = run(body)
    note, other = loop.training["notes"]
    assert note.startswith("The model has no 0.weight any more (noticed at step 10)")
    assert other.startswith("2.weight and 2.bias get gradients, but optimizer does not hold them")
    assert len(loop.losses) == 10


def test_a_number_that_is_gone_keeps_its_last_value_and_stops_nothing():
    torch.manual_seed(0)
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with TrainingLoop(model, optimizer, parameter="weight", index=(0, 1)) as loop:
        for width in (2, 1, 1):
            if model.weight.shape != (1, width):
                last = model.weight[0, 1].item()
                model.weight.data = torch.ones(1, width)
            model.zero_grad()
            model(torch.ones(1, width)).square().sum().backward()
            optimizer.step()
    assert len(loop.losses) == 3 and loop._record.model is None
    assert loop.training["parameter"] == "weight[0, 1]"
    assert [event["value"] for event in loop.training["events"]][-1] == pytest.approx(last)
    (note,) = [note for note in loop.training["notes"] if "gone" in note]
    assert note.startswith("weight[0, 1] is gone: weight is smaller now (noticed at step 1).")


def test_what_fails_at_the_end_lets_go_of_the_model_all_the_same(monkeypatch):
    model, optimizer, _ = parts()
    loop = TrainingLoop(model, optimizer)
    monkeypatch.setattr(loop._record, "glance", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError), loop:
        pass
    assert loop._record.model is None and "step" not in vars(optimizer)


@pytest.mark.parametrize(
    ("missing", "never"),
    [("step", ["step"]), ("backward", ["backward"]), ("zero_grad", ["zero"]), ("none", [])],
)
def test_a_call_that_never_came_is_named(missing, never):
    loop = trained()[0] if missing == "none" else without(missing)[0]
    assert loop.training["never"] == never


def test_parameters_moved_by_hand_are_seen_without_an_optimiser():
    def body(model, optimizer, x, y, number):
        F.cross_entropy(model(x), y).backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= 0.1 * p.grad
        model.zero_grad()

    loop = run(body, optimizer=None)
    assert len(loop.losses) == 10 and loop.losses[-1] < loop.losses[0]
    assert kinds(loop) == ["forward", "backward", "step", "zero"] * 10
    step = loop.training["events"][2]
    assert step["value"] == pytest.approx(step["before"] - 0.1 * step["grad"], rel=1e-4)
    assert loop.training["lines"] == []
    assert loop.norm_steps == [*range(1, 11)]
    assert not np.isnan(loop.gradient_norms["2.bias"]).any()


def test_an_optimiser_that_was_not_given_is_seen_by_what_it_does():
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    norms = []
    with TrainingLoop(model) as loop:
        for _ in range(60):
            F.cross_entropy(model(x), y).backward()
            norms.append(float(np.linalg.norm(model[2].bias.grad.numpy())))
            optimizer.step()
            optimizer.zero_grad()
    assert len(loop.losses) == 60 and loop.norm_steps == [*range(1, 51), 56]
    assert loop.gradient_norms["2.bias"] == pytest.approx([*norms[:50], norms[55]])
    with pytest.raises(ValueError, match=r"(?s)no training to run again.*TrainingLoop\(model, opt"):
        loop.ask("step")


def test_a_scheduler_that_is_made_inside_the_block_hides_no_step():
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    with TrainingLoop(model, optimizer) as loop:
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
        for _ in range(6):
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
            scheduler.step()
    assert len(loop.losses) == 6
    rates = [e["rate"] for e in loop.training["events"] if e["kind"] == "step"]
    assert rates == [0.1, 0.1, 0.05, 0.05, 0.025, 0.025]


def test_two_loops_watch_two_models_of_one_program():
    torch.manual_seed(0)
    one, other = nn.Linear(2, 1), nn.Linear(2, 1)
    first = torch.optim.SGD(one.parameters(), lr=0.1)
    second = torch.optim.SGD(other.parameters(), lr=0.1)
    x = torch.ones(3, 2)
    with TrainingLoop(one, first) as a, TrainingLoop(other, second) as b:
        for _ in range(3):
            for model, optimizer, aim in ((one, first, 5.0), (other, second, 50.0)):
                optimizer.zero_grad()
                (model(x) - aim).square().mean().backward()
                optimizer.step()
    assert len(a.losses) == len(b.losses) == 3
    assert max(a.losses) < 50 < min(b.losses)


def test_two_optimisers_on_one_model_are_not_confused():
    model, _, loader = parts()
    first = torch.optim.SGD(model[0].parameters(), lr=0.1)
    second = torch.optim.SGD(model[2].parameters(), lr=0.1)
    x, y = next(iter(loader))
    with TrainingLoop(model, second) as loop:
        for _ in range(3):
            first.zero_grad()
            second.zero_grad()
            F.cross_entropy(model(x), y).backward()
            first.step()
            second.step()
    assert len(loop.losses) == 3 and loop.training["parameter"].startswith("2.weight")


def test_a_copy_of_the_model_that_is_made_in_the_block_is_not_watched():
    model, optimizer, loader = parts()
    x, _ = next(iter(loader))
    with TrainingLoop(model, optimizer) as loop:
        twin = copy.deepcopy(model)
        twin(x)
        copy.deepcopy(optimizer).step()
    assert kinds(loop) == [] and loop.losses == []


# --- Interrupting, and other ends ----------------------------------------------------------------


def test_an_interrupt_ends_the_block_and_the_model_keeps_what_it_learned(capsys):
    model, optimizer, loader = parts()
    steps = 0
    with TrainingLoop(model, optimizer) as loop:
        for _ in loop.progress(range(3)):
            for x, y in loader:
                optimizer.zero_grad()
                F.cross_entropy(model(x), y).backward()
                optimizer.step()
                steps += 1
                if steps == 6:
                    raise KeyboardInterrupt
    said = "stopped after step 6 of 12; the model keeps what it has learned"
    assert loop.training["message"] == said and loop.training["state"] == "stopped"
    assert capsys.readouterr().out == said + "\n"
    again, _ = trained()
    assert loop.losses == again.losses[:6]


def test_an_interrupt_within_a_step_waits_until_the_step_is_whole():
    class Slow(torch.optim.SGD):
        def _update(self, state, w, g, group):
            if len(loop.losses) == 2:
                os.kill(os.getpid(), signal.SIGINT)
            super()._update(state, w, g, group)

    model, optimizer, loader = parts(kind=Slow)
    twin, plain, _ = parts()
    x, y = next(iter(loader))
    with TrainingLoop(model, optimizer) as loop:
        while True:
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
    assert len(loop.losses) == 3
    for _ in range(3):
        plain.zero_grad()
        F.cross_entropy(twin(x), y).backward()
        plain.step()
    for p, q in zip(model.parameters(), twin.parameters()):
        assert torch.equal(p, q)


def test_of_nested_blocks_an_interrupt_ends_the_outermost():
    model, optimizer, _ = parts()
    other, second, _ = parts()
    with TrainingLoop(model, optimizer) as outer:
        with TrainingLoop(other, second) as inner:
            raise KeyboardInterrupt
        raise AssertionError("the outer block went on")
    assert outer.training["state"] == inner.training["state"] == "stopped"


@pytest.mark.parametrize("handler", [signal.SIG_IGN, None])
def test_interrupts_that_are_ignored_stay_ignored(handler, monkeypatch):
    model, optimizer, loader = parts()
    before = signal.getsignal(signal.SIGINT)
    if handler is None:  # it was put there by something that is not Python
        monkeypatch.setattr(signal, "getsignal", lambda number: None)
    else:
        signal.signal(signal.SIGINT, handler)
    try:
        with TrainingLoop(model, optimizer) as loop:
            for x, y in loader:
                if handler is not None:
                    os.kill(os.getpid(), signal.SIGINT)
                F.cross_entropy(model(x), y).backward()
                optimizer.step()
        monkeypatch.undo()
        assert signal.getsignal(signal.SIGINT) is (before if handler is None else handler)
    finally:
        monkeypatch.undo()
        signal.signal(signal.SIGINT, before)
    assert loop.training["state"] == "finished" and len(loop.losses) == 4


def test_a_loop_that_is_closed_within_its_block_has_ended_there(capsys):
    model, optimizer, _ = parts()
    with TrainingLoop(model, optimizer) as loop:
        step_once(model, optimizer)
        loop.close()
        step_once(model, optimizer)
    assert len(loop.losses) == 1
    assert capsys.readouterr().out.count("1 step done") == 1


def test_a_program_without_an_output_is_not_stopped(monkeypatch):
    model, optimizer, _ = parts()
    monkeypatch.setattr(sys, "stdout", None)
    with TrainingLoop(model, optimizer) as loop:
        step_once(model, optimizer)
    assert loop.training["state"] == "finished"


def test_the_losses_are_a_list_of_their_own():
    loop, noted = trained()
    loop.losses.clear()
    assert loop.losses == noted
    loop, _ = without("step")
    loop.losses.clear()
    assert len(loop.losses) == 4


def test_another_error_passes_through_and_the_view_says_where(capsys):
    with pytest.raises(ZeroDivisionError):
        run(lambda model, optimizer, x, y, number: (optimizer.step(), 1 // (number - 3)))
    assert "stopped at step 4 of 10 by ZeroDivisionError" in capsys.readouterr().out


def test_without_a_page_one_line_is_printed(capsys):
    trained()
    assert capsys.readouterr().out == "12 steps done\n"


def test_a_loop_that_has_ended_does_not_begin_again():
    loop, _ = trained()
    with pytest.raises(RuntimeError, match="make a new one"), loop:
        pass


def test_nothing_of_it_stays_on_model_and_optimiser():
    model, optimizer, _ = parts()
    before = set(vars(optimizer)), dict(model._forward_hooks)
    with TrainingLoop(model, optimizer):
        assert "step" in vars(optimizer)
    assert (set(vars(optimizer)), dict(model._forward_hooks)) == before


def test_fifty_closed_loops_keep_nothing_alive():
    kept = []
    for _ in range(50):
        loop, _ = trained(epochs=1)
        kept.append(weakref.ref(loop))
        loop.close()
        del loop
    gc.collect()
    assert not [one for one in kept if one() is not None]


def test_a_loop_that_has_ended_lets_go_of_the_model():
    def train():  # a frame of its own: while it lives, its variables do
        model, optimizer, _ = parts()
        with TrainingLoop(model, optimizer) as loop:
            pass
        return loop, weakref.ref(model), weakref.ref(optimizer)

    loop, *gone = train()
    gc.collect()
    assert [one() for one in gone] == [None, None]
    loop.close()


# --- Data for the page ---------------------------------------------------------------------------


def test_the_progress_foretells_all_steps_after_the_first_round():
    model, optimizer, _ = parts()
    said = []
    with TrainingLoop(model, optimizer) as loop:
        for _ in loop.progress(iter(range(3))):
            optimizer.step()
        assert loop._progress.expected == 3
        for _ in loop.progress(range(2)):
            for _ in range(4):
                optimizer.step()
                said.append(str(loop._progress))
    assert said[0] == "step 4, round 1 of 2" and said[4] == "step 8 of 11"
    assert loop.training["progress"] == "11 steps"


def test_a_long_curve_is_thinned_and_keeps_what_stands_out():
    values = np.sin(np.arange(100_000) / 3000)
    values[43_210], values[77_777], values[90_000] = 9.0, -9.0, np.nan
    points = thin(values, range(1, 100_001), 1000)
    assert len(points) <= 1000
    assert [43_211, 9.0] in points and [77_778, -9.0] in points and [90_001, "nan"] in points
    assert points[0][0] == 1 and points[-1][0] == 100_000


def test_a_mean_is_centred_and_over_its_whole_window():
    losses = [5.0, 1.0, 0.0, 2.0, 7.0, 6.0, 4.0]
    found = means(losses, range(1, 8), 5, 100)
    assert found == [[3, 3.0], [4, pytest.approx(3.2)], [5, pytest.approx(3.8)]]
    assert means(losses, range(1, 8), 0, 100) == means(losses, range(1, 8), 9, 100) == []


def test_a_mean_of_numbers_from_some_steps_only_is_over_those_in_its_window():
    at = [1, 2, 3, 8, 16, 24]
    found = dict(means([1.0, 2.0, 3.0, 8.0, 16.0, 24.0], at, 17, 100))
    assert found[9] == (1 + 2 + 3 + 8 + 16) / 5 and found[16] == (8 + 16 + 24) / 3
    assert min(found) == 9 and max(found) == 16


def test_where_more_than_half_of_a_window_is_not_finite_there_is_no_mean():
    values = [1.0, 2.0, math.nan, math.inf, math.nan, 6.0]
    found = means(values, range(1, 7), 3, 100)
    assert found == [[2, 1.5], [3, "nan"], [4, "nan"], [5, "nan"]]


def test_a_window_grows_with_the_training_and_a_short_one_has_none():
    assert [window(n, 1) for n in (0, 299, 300, 2550, 2551, 24_747)] == [0, 0, 51, 51, 101, 501]
    assert window(24_747, 8) == 501 and window(2000, 48) == 0 and window(3000, 48) == 501


def test_the_means_of_a_training_are_those_of_its_losses_and_norms():
    loop, losses = trained(epochs=75)
    course = loop.training
    assert course["windows"] == [51, 51] and len(course["loss_mean"]) == 150
    for step, mean in course["loss_mean"][::30]:
        assert mean == pytest.approx(np.mean(losses[step - 26 : step + 25]), rel=1e-5)
    step, mean = course["norms"][0]["mean"][70]
    norms = zip(loop.norm_steps, loop.gradient_norms["0.weight"], strict=True)
    near = [norm for at, norm in norms if abs(at - step) <= 25]
    assert len(near) >= 6 and mean == pytest.approx(np.mean(near), rel=1e-5)
    short, _ = trained()
    assert short.training["windows"] == [0, 0] and short.training["loss_mean"] == []


def test_the_data_of_a_long_training_stays_small():
    loop, _ = trained(epochs=300)
    assert len(loop.training["events"]) == 240
    assert len(json.dumps(loop.training, allow_nan=False)) < 150_000


def test_two_equal_trainings_leave_equal_data():
    assert trained()[0].training == trained()[0].training


# --- A line left out -----------------------------------------------------------------------------


def loop_of_this_module(**options):
    """A training whose lines can be read: those of ``trained``."""
    model, optimizer, loader = parts(**options)
    with TrainingLoop(model, optimizer) as loop:
        for _ in loop.progress(range(3)):
            for x, y in loader:
                optimizer.zero_grad()
                loss = F.cross_entropy(model(x), y)
                loss.backward()
                optimizer.step()
    return loop, {**globals(), **locals()}


def test_with_the_line_the_experiment_repeats_the_training_itself():
    loop, names = loop_of_this_module()
    found = loop._try_out("zero_grad", names, steps=12)
    assert found.losses[0] == loop.losses
    assert found.line == "optimizer.zero_grad()" and found.steps == 12


def test_without_zero_grad_it_is_what_a_loop_without_it_does():
    loop, names = loop_of_this_module()
    found = loop._try_out("zero_grad", names, steps=12)
    model, optimizer, loader = parts()
    losses = []
    for _ in range(3):
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            losses.append(loss.item())
            loss.backward()
            optimizer.step()
    assert found.losses[1] == losses


def test_the_curves_are_the_loss_on_the_first_batch_from_the_start_on():
    loop, names = loop_of_this_module()
    found = loop._try_out("zero_grad", names, steps=12)
    model, optimizer, loader = parts()
    noted, first = [], None
    for _ in range(3):
        for x, y in loader:
            first = (x, y) if first is None else first
            with torch.no_grad():
                noted.append(F.cross_entropy(model(first[0]), first[1]).item())
            optimizer.zero_grad()
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
    noted.append(F.cross_entropy(model(first[0]), first[1]).item())
    assert [n for n, _ in found.curves[0]] == [*range(13)]
    assert [loss for _, loss in found.curves[0]] == pytest.approx(noted)
    assert (found.before, found.kept) == (found.curves[0][0][1], found.curves[0][-1][1])
    assert found.left == found.curves[1][-1][1]


def test_measuring_the_curve_changes_nothing_in_the_training():
    model, optimizer, loader = parts()
    rates = []
    with TrainingLoop(model, optimizer) as loop:
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            rates.append(optimizer.param_groups[0]["lr"])
    found = loop._try_out("zero_grad", {**globals(), **locals()}, steps=4)
    assert found.losses[0] == loop.losses and found.curves[0][-1][0] == 4
    assert scheduler.last_epoch == 0


def test_each_look_at_the_loss_finds_the_variables_as_they_were_at_the_start():
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    scale = 1.0
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(4):
            optimizer.zero_grad()
            loss = scale * F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            scale = scale * 0.5
    scale = 1.0
    found = loop._try_out("step", {**globals(), **locals()}, steps=4)
    assert found.kept == pytest.approx(F.cross_entropy(model(x), y).item())
    assert found.losses[0] == loop.losses
    assert [loss for _, loss in found.curves[1]] == [found.before] * 5


def test_a_step_at_every_second_pass_is_taken_at_every_second_pass():
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    count = 0
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(4):
            F.cross_entropy(model(x), y).backward()
            count += 1
            if count == 2:
                optimizer.step()
                optimizer.zero_grad()
                count = 0
    found = loop._try_out("step", {**globals(), **locals()}, steps=4)
    losses = [loss for _, loss in found.curves[0]]
    assert losses[0] == losses[1] > losses[2] == losses[3] > losses[4]
    assert found.kept == pytest.approx(F.cross_entropy(model(x), y).item())


def test_a_scheduler_is_moved_by_the_run_and_not_by_a_look():
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(6):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
    scheduler.last_epoch = 0
    found = loop._try_out("zero_grad", {**globals(), **locals()}, steps=6)
    assert found.losses[0] == loop.losses


def test_a_loop_that_reads_its_gradients_can_be_asked():
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    norms = []
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(4):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            norms.append(model[0].weight.grad.norm().item())
            nn.utils.clip_grad_norm_(model.parameters(), 0.1)
            optimizer.step()
    names = {**globals(), **locals()}
    for line in ("zero_grad", "step"):
        found = loop._try_out(line, names, steps=4)
        assert found.losses[0] == loop.losses
    assert found.answer == "where it started" and len(norms) == 4


def test_a_second_model_that_is_trained_in_the_loop_is_measured_with_it():
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    other = nn.Linear(4, 4)
    its = torch.optim.SGD(other.parameters(), lr=0.1)
    begun = copy.deepcopy(other.state_dict())
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(4):
            its.zero_grad()
            optimizer.zero_grad()
            loss = F.cross_entropy(model(other(x)), y)
            loss.backward()
            its.step()
            optimizer.step()
    other.load_state_dict(begun)
    names = {**globals(), **locals()}
    for line in ("zero_grad", "step"):
        found = loop._try_out(line, names, steps=4)
        assert found.losses[0] == loop.losses  # all on one batch: each look sees the next loss
        for curve, losses in zip(found.curves, found.losses):
            assert [loss for _, loss in curve[:-1]] == losses
    assert found.left < found.before  # the other model goes on without that step


def test_no_step_is_taken_within_a_look_not_even_that_of_another_optimiser():
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    other = nn.Linear(4, 4)
    its = torch.optim.SGD(other.parameters(), lr=0.1)
    start = copy.deepcopy(other.state_dict())
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(2):
            optimizer.zero_grad()
            other(x).square().mean().backward()
            its.step()
            F.cross_entropy(model(other(x)), y).backward()
            optimizer.step()
    model, _, _ = parts()  # as it was at the start
    other.load_state_dict(start)
    found = loop._try_out("zero_grad", {**globals(), **locals()}, steps=2)
    begun = other(x).square().mean() + F.cross_entropy(model(other(x)), y)
    assert found.before == pytest.approx(begun.item())


def test_what_is_asked_without_zero_grad_names_the_learning_rate():
    loop, names = loop_of_this_module(lr=0.5)
    found = loop._try_out("zero_grad", names, steps=12)
    assert ", 12 steps without `optimizer.zero_grad()`, at lr 0.5. Where" in question(
        "zero_grad", found
    )
    assert because("zero_grad", found).startswith("Measured on the first batch, at lr 0.5: ")
    assert " lr " not in question("step", found) + because("step", found)


@pytest.mark.parametrize("line", ["backward", "step", "order"])
def test_without_a_gradient_or_a_step_the_loss_stays_where_it_was(line, capsys):
    model, optimizer, loader = parts()
    with TrainingLoop(model, optimizer) as loop:
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
    asked = loop.ask(line, mine="where it started")
    assert asked.right, asked.because
    assert ("zero_grad()` has just emptied it" in asked.because) == (line == "order")
    assert "✓ Right: where it started." in capsys.readouterr().out


def test_a_large_rate_without_zero_grad_leads_up():
    loop, names = loop_of_this_module(lr=5.0)
    assert loop._try_out("zero_grad", names, steps=40).answer in CHOICES


def test_asking_changes_nothing_in_the_program():
    model, optimizer, loader = parts(kind=torch.optim.Adam)
    seen = []
    with TrainingLoop(model, optimizer) as loop:
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            seen.append(loss.item())
            print("a step")
    weights = [p.detach().clone() for p in model.parameters()]
    grads = [p.grad.clone() for p in model.parameters()]
    state = torch.get_rng_state()
    loop.ask("zero_grad")
    assert len(seen) == 4
    assert torch.equal(torch.get_rng_state(), state)
    for p, w, g in zip(model.parameters(), weights, grads):
        assert torch.equal(p, w) and torch.equal(p.grad, g)
    assert len(loop.losses) == 4


def step_once(model, optimizer):
    optimizer.zero_grad()
    model(torch.ones(2, 4)).square().sum().backward()
    optimizer.step()


def test_lines_that_are_elsewhere_are_given_as_a_function():
    model, optimizer, _ = parts()
    with TrainingLoop(model, optimizer) as loop:
        step_once(model, optimizer)
    said = r"(?s)no line of the block calls backward.*step=train_step"
    with pytest.raises(ValueError, match=said):
        loop.ask("step")
    assert loop.ask("step", step=step_once, mine="where it started").right


@pytest.mark.parametrize(
    ("line", "said"),
    [("zero_grad", "no line that calls zero_grad"), ("forward", "ask for one of 'zero_grad', ")],
)
def test_a_line_that_is_not_there_cannot_be_left_out(line, said):
    model, optimizer, loader = parts()
    with TrainingLoop(model, optimizer) as loop:
        for x, y in loader:
            F.cross_entropy(model(x), y).backward()
            optimizer.step()
    with pytest.raises(ValueError, match=said) as caught:
        loop.ask(line)
    assert len(caught.traceback) == 2  # the line that asked, and ask itself


def without(line):
    """A loop of this module from which a line is missing."""
    model, optimizer, loader = parts()
    x, y = next(iter(loader))
    if line == "step":
        with TrainingLoop(model, optimizer) as loop:
            for _ in range(4):
                optimizer.zero_grad()
                F.cross_entropy(model(x), y).backward()
    elif line == "backward":
        with TrainingLoop(model, optimizer) as loop:
            for _ in range(4):
                optimizer.zero_grad()
                F.cross_entropy(model(x), y)
                optimizer.step()
    else:
        with TrainingLoop(model, optimizer) as loop:
            for _ in range(4):
                F.cross_entropy(model(x), y).backward()
                optimizer.step()
    return loop, {**globals(), **locals()}


@pytest.mark.parametrize(
    ("missing", "asked", "said"),
    [
        ("step", "step", "the loop has no line that calls step(): it runs without it already"),
        ("step", "order", "the loop has no line that calls step(): it runs without it already"),
        ("step", "zero_grad", "no line of the loop calls step(): as it stands, it trains nothing"),
        ("backward", "step", "no line of the block calls backward(): as it stands, it trains"),
        ("zero_grad", "zero_grad", "no line that calls zero_grad(): it runs without it already"),
    ],
)
def test_of_a_loop_without_a_line_it_says_which_where_and_what_to_do(missing, asked, said):
    loop, names = without(missing)
    with pytest.raises(ValueError) as caught:
        loop._try_out(asked, names)
    what, where, fix = str(caught.value).split("\n")
    assert said in what and where.startswith("  where: the `with` block in test_training_loop.py, ")
    assert fix.startswith(f"  fix: put {'loss.' * (missing == 'backward')}{missing}() in, run the")
    assert caught.value._render_traceback_() == [f"ValueError: {caught.value}"]


@pytest.mark.parametrize("asked", ["zero_grad", "backward", "step", "order"])
@pytest.mark.parametrize("missing", ["step", "backward"])
def test_where_a_line_is_missing_the_page_says_to_put_it_in_and_no_more(missing, asked):
    loop, names = without(missing)
    loop._globals = names
    loop._asked_in_page(None, {"type": "ask", "line": asked}, None)
    assert loop.asked["problem"].startswith("This cannot be measured: ")
    assert loop.asked["problem"].endswith(f"{missing}() in, run the loop, and ask again.")


def test_an_answer_that_is_no_choice_is_refused_and_the_choices_are_named():
    loop, _ = loop_of_this_module()
    with pytest.raises(ValueError, match="banana") as caught:
        loop.ask("step", mine="banana")
    assert all(repr(choice) in str(caught.value) for choice in CHOICES)


def test_the_page_asks_and_gets_the_question_with_both_curves():
    loop, names = loop_of_this_module()
    loop._globals = names
    loop._asked_in_page(None, {"type": "ask", "line": "step"}, None)
    assert loop.asked["problem"] == "" and loop.asked["question"]["choices"] == list(CHOICES)
    assert [len(curve) for curve in loop.asked["curves"]] == [61, 61]
    starts = [curve[0] for curve in loop.asked["curves"]]
    assert starts[0] == starts[1] and starts[0][0] == 0
    json.dumps(loop.asked, allow_nan=False)
    loop._globals = {}
    loop._asked_in_page(None, {"type": "ask", "line": "step"}, None)
    assert "cannot be measured" in loop.asked["problem"]


def test_the_page_is_told_that_its_question_was_heard_and_that_it_is_answered(monkeypatch):
    model, optimizer, _ = parts()
    loop = TrainingLoop(model, optimizer)
    sent = []
    monkeypatch.setattr(loop, "send", lambda content: sent.append((content["type"], loop.asked)))
    for _ in range(2):  # the second time, the answer is the same and no trait changes
        loop._asked_in_page(None, {"type": "ask", "line": "step"}, None)
    assert [kind for kind, _ in sent] == ["heard", "answered"] * 2
    assert sent[0][1] == {} and sent[1][1]["problem"]


def test_while_a_training_runs_the_page_is_asked_to_wait():
    model, optimizer, _ = parts()
    with TrainingLoop(model, optimizer) as loop:
        loop._asked_in_page(None, {"type": "ask", "line": "step"}, None)
    assert "Wait until it is over" in loop.asked["problem"]


def test_two_trainings_in_two_threads_have_each_their_own_losses():
    noted = {}
    turn = threading.Barrier(2, timeout=20)

    def train(name):
        model = nn.Linear(1, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        with TrainingLoop(model, optimizer) as loop:
            turn.wait()
            for _ in range(4):
                loss = (model(torch.ones(1, 1)) - 10 * name).square().sum()
                loss.backward()
                turn.wait()
                noted.setdefault(name, []).append(loss.item())
                optimizer.step()
                optimizer.zero_grad()
                turn.wait()
        noted[name] = noted[name] == loop.losses

    threads = [threading.Thread(target=train, args=(name,)) for name in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert noted == {1: True, 2: True}


def test_an_optimizer_of_another_model_is_named_as_such():
    optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
    with pytest.raises(ValueError, match="moves none of the model's parameters: is it that of"):
        TrainingLoop(nn.Linear(1, 1), optimizer)
    with pytest.raises(ValueError, match="the model has no parameter to watch; it has: none"):
        TrainingLoop(nn.Tanh())
