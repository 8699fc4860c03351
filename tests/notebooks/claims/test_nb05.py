"""What notebook 05 claims, asserted on the notebook as it was run."""

from __future__ import annotations

import math

import pytest
from lessons import LESSONS

import minigrad as torch
import minigrad.nn.functional as F

CELLS = {cell.id: cell for lesson in LESSONS if lesson.number == "05" for cell in lesson.cells}


def runs(ran):
    return ran.names["nb05_runs"]


def questions(ran):
    return ran.names["nb05"]


def source_of(cell_id):
    return CELLS[cell_id].source


# ------------------------------------------------------------------------------------- the taxi


def test_the_plain_loop_learns_3_and_4(ran):
    names = ran.after("taxi-loop")
    assert names["rate"].item() == pytest.approx(3, abs=0.005)
    assert names["base"].item() == pytest.approx(4, abs=0.005)
    assert "range(500)" in source_of("taxi-loop")


def test_with_60_epochs_the_two_numbers_have_not_arrived_and_with_01_they_end_at_nan(ran):
    nn, F, names = ran.names["nn"], ran.names["F"], ran.names
    ends = []
    for lr, epochs in ((0.05, 60), (0.1, 600)):
        taxi = nn.Linear(1, 1)
        sgd = torch.optim.SGD(taxi.parameters(), lr=lr)
        names["train"](taxi, sgd, names["rides"], F.mse_loss, epochs=epochs)
        ends.append((taxi.weight.item(), taxi.bias.item()))
    assert abs(ends[0][0] - 3) > 0.005 and abs(ends[0][1] - 4) > 0.005
    assert all(map(math.isnan, ends[1]))


def test_a_rate_that_is_right_moves_first_away_and_then_back(ran):
    """With the base at 0, each guess is 4 too low: 2 · (−4) · 3 = −24, and 0.05 · 24 = 1.2."""
    names = ran.after("taxi-first-run")
    assert names["lucky"].grad.item() == 2 * (-4) * 3 == -24
    assert "from 3.00 to 4.20" in ran.printed["taxi-first-run"]
    assert questions(ran).first_move().answer == "it makes the rate larger"
    km, fare, rate, base = names["km"], names["fare"], 3.0, 0.0
    errors = 4.2 * km + 0.4 - fare
    assert errors[0] < 0 < errors[-1]  # then the long rides are guessed too high
    seen = []
    for _ in range(500):
        error = rate * km + base - fare
        slope = (2 * error * km).mean().item()
        rate, base = rate - 0.05 * slope, base - 0.05 * (2 * error).mean().item()
        seen.append(slope)
    assert seen[0] < 0 < max(seen) and rate == pytest.approx(3, abs=0.01)


def test_a_nudge_agrees_with_the_gradient_of_the_rate(ran):
    names = ran.after("taxi-first-run")

    def loss(rate):
        return ((rate * names["km"] - names["fare"]) ** 2).mean().item()

    assert (loss(3 + 0.01) - loss(3 - 0.01)) / 0.02 == pytest.approx(-24, abs=0.01)


@pytest.mark.parametrize(
    ("cell", "question"), [("attempt-name-run", "new_name"), ("attempt-record-run", "recorded")]
)
def test_both_simpler_updates_stop_where_the_question_says(ran, cell, question):
    assert ran.printed[cell].startswith(getattr(questions(ran), question)().answer + ":")


def test_steps_of_twice_the_length_end_at_nan(ran):
    """With 0.1 the loss grows from step to step, until nothing is a number any more."""
    names = ran.names
    rate = torch.tensor(2.0, requires_grad=True)
    base = torch.tensor(0.0, requires_grad=True)
    seen = []
    for _ in range(500):
        loss = ((rate * names["km"] + base - names["fare"]) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            rate -= 0.1 * rate.grad
            base -= 0.1 * base.grad
        rate.grad = base.grad = None
        seen.append(loss.item())
    assert seen[:100] == sorted(seen[:100]) and math.isfinite(seen[99])
    assert math.isnan(rate.item()) and math.isnan(base.item())


def test_the_seven_lines_learn_the_same_two_numbers(ran):
    assert "epochs=600" in source_of("seven-lines")
    taxi = ran.names["taxi"]
    assert taxi.weight.item() == pytest.approx(3, abs=0.005)
    assert taxi.bias.item() == pytest.approx(4, abs=0.005)


# ------------------------------------------------------------------------------------ the digits


def test_the_same_lines_train_the_taxi_and_the_digits():
    """Seven lines each, which differ only in the measure and the bar that shows the progress."""

    def lines(cell):
        found = [line.strip() for line in source_of(cell).splitlines()]
        first = next(at for at, line in enumerate(found) if line.startswith("for epoch"))
        return found[first : first + 7]

    taxi, digits = lines("seven-lines"), lines("cell-09")
    assert digits[0] == "for epoch in loop.progress(range(30)):"
    assert digits[1:] == [line.replace("measure(", "F.cross_entropy(") for line in taxi[1:]]


def test_the_network_has_2410_numbers_and_one_step_4_nodes(ran):
    assert ran.printed["cell-07a"].startswith("2,410 numbers, 4 nodes")
    digits = ran.names["digits"]
    assert (len(digits.y), len(digits.y_test)) == (1437, 360) and 1437 + 360 == 1797


def test_layer_1_has_64_weights_and_a_bias_for_each_of_32_sums(ran):
    assert questions(ran).layer_numbers().answer == 32 * (64 + 1)
    assert "2,080" in ran.printed["layer-numbers-run"]


def test_who_is_sure_and_wrong_has_the_larger_loss(ran):
    assert [round(-math.log(p), 2) for p in (0.9, 0.01)] == [0.11, 4.61]
    assert "0.11" in ran.printed["entropy-run"] and "4.61" in ran.printed["entropy-run"]


def test_a_learning_rate_of_1_is_still_good_and_5_is_not(ran):
    """With 2 the loss jumps far above its start and comes down; 0.005 is too slow to arrive."""

    def first_and_last(lr):
        seen = runs(ran).losses(ran.names["start"], lr)
        return sum(seen[:45]) / 45, sum(seen[-45:]) / 45

    assert first_and_last(0.005)[1] > 1
    assert first_and_last(1)[1] < first_and_last(0.5)[1]
    first, last = first_and_last(2)
    assert first > 10 and last < 1
    assert first_and_last(5)[1] > 10


def test_only_step_moves_the_weight(ran):
    """The view's question, and all four parameters, line by line."""
    assert runs(ran).moving_lines(ran.names["start"], lr=0.5) == ["optimizer.step()"]
    assert questions(ran).which_line().answer == "optimizer.step()"


def test_the_saved_picture_shows_the_moment_at_which_the_weight_moves():
    (picture,) = [one for one in CELLS["cell-09"].outputs if "image/png" in one.get("data", {})]
    assert "the first step has moved the number" in picture.metadata["image/png"]["alt"]


def test_nudging_agrees_with_the_gradients(ran):
    lines = ran.printed["cell-11"].splitlines()
    assert len(lines) == 4
    for line in lines:
        gradient, nudged = line.split("gradient")[1].split(", nudged")
        assert float(gradient) == pytest.approx(float(nudged), abs=0.0011)


def test_the_loss_and_all_norms_fall(ran):
    loop = ran.after("cell-09")["loop"]
    curves = [loop.losses, *loop.gradient_norms.values()]
    assert all(sum(curve[:45]) > sum(curve[-45:]) for curve in curves)


def test_there_are_more_mistakes_among_digits_it_has_never_seen(ran):
    names = ran.after("cell-15")
    assert names["tested"] > names["learned"]
    assert "360" in questions(ran).which_part().answer


# ------------------------------------------------------------------------------ a line left out


def test_with_all_lines_in_order_the_taxi_learns(ran):
    said = ran.printed["order-run"]
    assert "\nit learns\n" in said and "to 3.41" in said and "to 2.54" in said
    assert said.startswith(runs(ran).LOOP.strip())
    letters = questions(ran).order.answer
    in_order = [questions(ran).LINES[letter] for letter in letters if letter != "Q"]
    shown = [line.strip() for line in runs(ran).LOOP.strip().splitlines()]
    assert [line for line in shown if line != "optimizer.zero_grad()"] == in_order


def test_without_backward_nothing_is_learned_and_no_gradient_is_there(ran):
    said = ran.printed["fault-back"]
    assert "it learns nothing, silently" in said and ".grad at the end: None" in said


@pytest.mark.parametrize(
    ("cell", "question", "seen"),
    [
        ("fault-1-run", "no_step", ".grad at the end: a tensor"),
        ("fault-3-run", "late_clear", ".grad at the end: None"),
        ("fault-4-run", "one_forward", "in the second step: RuntimeError"),
    ],
)
def test_each_fault_shows_as_the_question_says(ran, cell, question, seen):
    printed = ran.printed[cell]
    assert printed.startswith(getattr(questions(ran), question)().answer) and seen in printed


# ------------------------------------------------------------------------------------ forgetting


def test_at_a_small_rate_the_loop_that_forgets_arrives_first_and_swings_on(ran):
    """After 15 steps it is at the goal; after 30 at 4, as far from it as at the start."""
    assert "rates(0.0005, clear)[::15]" in source_of("cell-04")
    lines = ran.printed["cell-04"].splitlines()[1:]
    clears, forgets = ([float(word) for word in line.split()[1:]] for line in lines)
    assert abs(forgets[1] - 3) < 0.1 < 0.8 < abs(clears[1] - 3)
    assert forgets == pytest.approx([2, 3, 4, 3, 2], abs=0.1)
    assert clears == sorted(clears) and clears[-1] < 3
    assert questions(ran).which_is_better().answer == "the loop that forgets"


def test_at_the_rate_of_section_1_the_loop_that_clears_is_better(ran):
    rates = ran.after("cell-04")["rates"]
    last = [abs(rate - 3) for rate in rates(0.05, clear=False)[-20:]]
    assert max(last) > 0.9 and abs(rates(0.05, clear=True)[-1] - 3) < 0.001


def test_forgetting_harms_at_the_two_larger_rates_alone(ran):
    names = ran.after("cell-25")
    rates = names["lrs"], names["clear"], names["forget"]
    worse = [rate for rate, clears, forgets in zip(*rates) if forgets < clears]
    assert worse == [0.5, 0.1]
    assert questions(ran).where_it_harms().answer == "at 0.5 and 0.1"


def test_the_best_two_of_all_eight_trainings_clear_at_the_larger_rates(ran):
    names = ran.after("cell-25")
    found = {("clears", lr): share for lr, share in zip(names["lrs"], names["clear"])}
    found |= {("forgets", lr): share for lr, share in zip(names["lrs"], names["forget"])}
    ranking = sorted(found, key=found.__getitem__, reverse=True)
    assert set(ranking[:2]) == {("clears", 0.5), ("clears", 0.1)}
    assert found[ranking[1]] > found[ranking[2]]


def test_the_taxi_with_momentum_1_goes_where_it_goes_when_it_forgets(ran):
    """With 0.9 it still swings past 3, and comes to rest; with 1 it does not."""
    *rows, forgets = (line.split(":  ")[1].split() for line in lines_of(ran, "taxi-momentum"))
    none, half, most, full = rows
    assert full == forgets and forgets not in (none, half, most)
    assert max(map(float, most)) > 3.5 and float(most[-1]) == pytest.approx(3, abs=0.05)
    assert abs(float(full[-1]) - 3) > 0.9


def lines_of(ran, cell):
    return ran.printed[cell].splitlines()


def test_a_loop_that_forgets_is_momentum_1_to_the_last_bit(ran):
    assert ran.printed["cell-28"].count("all weights equal? True") == 4
    assert "False" not in ran.printed["cell-28"]
    assert questions(ran).which_momentum().answer == 1


def test_grad_is_a_sum_after_a_second_call():
    """What the article's program prints once is doubled the second time."""
    a, b = torch.tensor([2.0], requires_grad=True), torch.tensor([6.0], requires_grad=True)
    seen = []
    for _ in range(2):
        ((a + b) * (b + 1)).backward()
        seen.append(a.grad.item())
    assert seen == [7, 14]


def test_a_step_before_backward_leaves_the_loss_where_it_started(ran):
    asked = eval("loop.ask('order')", dict(ran.after("cell-09")))  # it looks up the loop's names
    assert asked.answer == "where it started" and "Follow `.grad`" in asked.hint
    start, end = (line.split(": ")[1] for line in ran.printed["early-step"].splitlines())
    assert start == end


# --------------------------------------------------------------------------- earlier notebooks


def test_a_recording_computes_the_branch_that_ran(ran):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3 if x > 0 else x * 5
    (slope,) = torch.autograd.grad(y, x)
    assert slope.item() * -1 == questions(ran).replayed().answer


def test_along_a_path_slopes_are_multiplied_and_paths_are_added(ran):
    w = torch.tensor(5.0, requires_grad=True)
    (w * 2 * 3 + w * -4).backward()
    assert w.grad.item() == questions(ran).two_paths().answer


def test_a_base_that_is_shared_by_32_rides_gets_the_sum(ran):
    base = torch.tensor(4.0, requires_grad=True)
    (2.0 * torch.rand(32) + base).sum().backward()
    assert base.grad.item() == questions(ran).shared_base().answer


# -------------------------------------------------------------------------- totals, and the end


def test_a_total_of_losses_leads_to_every_graph_of_the_epoch(ran):
    nb05, names = questions(ran), ran.after("cell-40")
    assert ran.printed["cell-40"].startswith("225 nodes")
    assert nb05.how_many_nodes().answer == 225 == 45 * 5
    assert len(names["start"](lr=0.5)[2]) == 45


def test_the_history_costs_memory(ran):
    assert ran.after("total-bytes")["more"] > 30 * 1024


def test_two_steps_on_paper(ran):
    rate = torch.tensor(2.0, requires_grad=True)
    seen = []
    for _ in range(2):
        ((rate * 3 + 4 - 13) ** 2).backward()
        with torch.no_grad():
            rate -= 0.01 * rate.grad
        seen.append(rate.item())
    assert seen == pytest.approx([2.18, 2.5076], abs=1e-5)
    assert questions(ran).two_steps().answer == 2.5076


def test_an_untrained_network_begins_at_the_logarithm_of_ten(ran):
    digits, start = ran.names["digits"], ran.names["start"]
    with torch.no_grad():
        first = F.cross_entropy(start(lr=0.1)[0](digits.x), digits.y).item()
    assert first == pytest.approx(math.log(10), abs=0.1)


# ------------------------------------------------------------------------------------ in PyTorch


def test_pytorch_leaves_7_nodes_where_4_are_left_here():
    """And so 360 behind the total of 45 steps: 45 * 8, where 45 * 5 are 225."""
    pytorch = pytest.importorskip("torch")
    nn = pytorch.nn
    layers = nn.Flatten(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10)
    model = nn.Sequential(*layers)
    x, y = pytorch.rand(32, 1, 8, 8), pytorch.randint(10, (32,))
    total = 0.0
    for _ in range(45):
        loss = nn.functional.cross_entropy(model(x), y)
        total += loss
    assert sorted(node.name() for node in nodes(loss)) == [
        "AddmmBackward0",
        "AddmmBackward0",
        "LogSoftmaxBackward0",
        "NllLossBackward0",
        "TBackward0",
        "TBackward0",
        "TanhBackward0",
    ]
    assert len(nodes(total)) == 360 == 45 * (7 + 1)


def nodes(tensor):
    """Every node behind a tensor, without those that write into a leaf."""
    found, todo = set(), [tensor.grad_fn]
    while todo:
        node = todo.pop()
        if node is not None and "AccumulateGrad" not in node.name() and node not in found:
            found.add(node)
            todo += [earlier for earlier, _ in node.next_functions]
    return found
