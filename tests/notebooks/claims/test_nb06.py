"""What notebook 06 claims, asserted on the notebook as it was run."""

from __future__ import annotations

import ast
import io
import math
import re
from contextlib import redirect_stdout

import pytest
from lessons import LESSONS

import minigrad as torch
import minigrad.nn.functional as F


def runs(ran):
    return ran.names["nb06_runs"]


def questions(ran):
    return ran.names["nb06"]


# ------------------------------------------------------------------------ a loss that stands still


def test_the_loss_stands_still_to_the_last_digit_and_nothing_has_arrived(ran):
    names = ran.after("still-look")
    lines = ran.printed["still-train"].splitlines()
    assert len({line.split(": ")[1] for line in lines}) == 1 and len(lines) == 5
    assert names["loss"].grad_fn is None and names["taxi"].weight.grad is None
    assert names["loss"].grad.item() == 1  # the leaf itself has its gradient
    assert questions(ran).nothing_arrives().answer == "None"


# ----------------------------------------------------------------------------------- the way home


def test_the_taxi_stands_at_home_after_37_steps_and_then_all_is_nan(ran):
    """Claim 29: an `if` in the program's own lines stops at the first NaN."""
    drive, root = ran.names["drive"], ran.names["root"]
    assert drive(root, steps=37) == 9.25 == 37 * 0.25
    assert math.isnan(drive(root, steps=38)) and math.isnan(drive(root, steps=40))
    printed = ran.printed["home-stop"]
    assert "step 37: place 9.25, far 0.0, grad nan" in printed
    assert questions(ran).where_first().answer == "place.grad"


def test_the_slopes_on_the_way_are_infinity_and_0():
    square = torch.tensor(0.0, requires_grad=True)
    square.sqrt().backward()
    assert math.isinf(square.grad.item())
    away = torch.tensor(0.0, requires_grad=True)
    (away**2).backward()
    assert away.grad.item() == 0


def sent(walk):
    """What each node of a recorded backward pass sends on, in order."""
    visits = [step for step in walk["steps"] if step["kind"] == "visit"]
    return [(step["text"], out["grad"]["text"]) for step in visits for out in step["outgoing"]]


def test_nudges_of_the_root_grow_without_bound_and_those_of_the_square_are_0(ran):
    found = re.findall(r"root (\d+), of the square (-?\d+)", ran.printed["home-root-nudge"])
    assert found == [("10", "0"), ("100", "0"), ("1000", "0")]


def test_the_values_of_the_guarded_distance_are_right_and_only_its_gradient_is_not(ran):
    guarded, home = ran.names["guarded"], torch.tensor(9.25)
    at, before, behind = (guarded(home + by, home).item() for by in (0.0, -0.25, 0.25))
    assert ((at - before) / 0.25, (behind - at) / 0.25) == (-1, 1)
    place = torch.tensor(9.25, requires_grad=True)
    guarded(place, home).backward()
    assert math.isnan(place.grad.item())


def test_the_root_sends_back_infinity_and_the_player_stops_there_first(ran):
    assert questions(ran).sent_by_the_root().answer == "infinity"
    (at_home,) = ran.names["player"].recording["passes"]
    assert sent(at_home) == [
        ("sqrt((place - home) ** 2)", "inf"),
        ("(place - home) ** 2", "nan"),
        ("place - home", "nan"),
    ]


def test_with_another_home_no_nan_arises_and_the_taxi_never_stands_still(ran):
    places = []
    for steps in (37, 38, 39, 40, 400):
        place = torch.tensor(0.0, requires_grad=True)
        home = torch.tensor(9.3)
        for _ in range(steps):
            ran.names["root"](place, home).backward()
            with torch.no_grad():
                place -= 0.25 * place.grad
            place.grad = None
        places.append(place.item())
    assert set(places) == {9.25, 9.5}  # to and fro over 9.3


def test_momentum_and_weight_decay_move_a_weight_whose_gradient_is_0():
    """Plain SGD does not: what has died stays as it is."""
    moved = {}
    for name, options in {"plain": {}, "decay": {"weight_decay": 0.1}}.items():
        weight = torch.tensor(1.0, requires_grad=True)
        (weight * 0).backward()
        torch.optim.SGD([weight], lr=0.1, **options).step()
        moved[name] = weight.item() != 1.0
    assert moved == {"plain": False, "decay": True}
    weight = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.1, momentum=0.9)
    for slope in (1.0, 0.0):
        before = weight.item()
        optimizer.zero_grad()
        (weight * slope).backward()
        optimizer.step()
    assert weight.item() != before


def test_the_distance_has_a_kink_at_home(ran):
    """Nudged to the left its slope is −1, to the right 1: that is no number to be right."""
    lines = ran.printed["home-nudge"].splitlines()
    assert len(lines) == 2 and all(line.endswith("left -1, to the right 1") for line in lines)
    place = torch.tensor(9.25, requires_grad=True)
    (place - ran.names["home"]).abs().backward()
    assert place.grad.item() == 0


def test_at_its_kink_abs_takes_the_choice_nearest_to_0_and_clamp_does_not():
    x = torch.tensor(0.0, requires_grad=True)
    x.abs().backward()
    assert x.grad.item() == 0
    x = torch.tensor(1.0, requires_grad=True)
    x.clamp(max=1.0).backward()  # 1 on the left, 0 on the right
    assert x.grad.item() == 1


def test_anomaly_mode_names_the_operation_and_its_line(ran):
    """It looks for NaN: the infinity of the root passes, and its neighbour is named."""
    printed = ran.printed["anomaly"]
    assert questions(ran).named_as_culprit().answer == "PowBackward0"
    assert "PowBackward0" in printed and "SqrtBackward0" not in printed
    assert "far = ((place - 9.25) ** 2).sqrt()" in printed


def test_a_guard_behind_the_root_does_not_help(ran):
    drive, guarded = ran.names["drive"], ran.names["guarded"]
    assert drive(guarded, steps=37) == 9.25 and math.isnan(drive(guarded, steps=38))
    assert questions(ran).does_where_help().answer == "in the same step"


def test_a_number_has_no_backward_and_a_tensor_of_it_requires_no_gradient():
    number = 3.0
    with pytest.raises(AttributeError, match="backward"):
        number.backward()
    with pytest.raises(RuntimeError, match="does not require grad"):
        torch.tensor(number).backward()


@pytest.mark.parametrize("dim", [None, 1, 0])
def test_a_softmax_too_many_keeps_the_loss_of_ten_digits_far_above_0(ran, dim):
    """Read correctly they are all the same."""
    nn, digits = ran.names["nn"], ran.names["digits"]
    last = [] if dim is None else [nn.Softmax(dim)]
    torch.manual_seed(0)
    layers = nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10)
    model = nn.Sequential(nn.Flatten(), *layers, *last)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    x, y = digits.x[:10], digits.y[:10]
    assert F.cross_entropy(model(x), y).item() == pytest.approx(math.log(10), abs=0.2)
    for _ in range(300):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    assert (model(x).argmax(1) == y).all()
    assert loss.item() < 0.01 if dim is None else loss.item() > 1


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_no_softmax_brings_the_loss_below_that_of_the_best_one(ran, seed):
    """Ten times as many steps come nearer to it; without the softmax the loss goes to 0."""
    nn, by_heart = (ran.names[name] for name in ("nn", "by_heart"))
    assert math.log((math.e + 9) / math.e) == pytest.approx(1.46, abs=0.005)
    assert math.e / (math.e + 9) == pytest.approx(0.23, abs=0.005)
    assert ran.printed["heart-best"].split()[-1] == "1.46"
    assert questions(ran).best_softmax().answer == "about 1.46"
    last = []
    for steps, ends in ((300, [nn.Softmax(1)]), (3000, [nn.Softmax(1)]), (300, [])):
        torch.manual_seed(seed)
        layers = nn.Flatten(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10), *ends
        with redirect_stdout(io.StringIO()) as out:
            by_heart(nn.Sequential(*layers), steps)
        before, after = out.getvalue().splitlines()
        assert float(before.split()[-1]) == pytest.approx(math.log(10), abs=0.1)
        assert after.endswith("10 of 10 read")
        last.append(float(re.search(r"loss ([\d.]+)", after)[1]))
    assert last == [1.47, 1.46, 0.0]


def test_the_reader_that_is_handed_in_fails_the_first_test_and_passes_the_second(ran):
    by_heart, handed_in = ran.names["by_heart"], runs(ran).handed_in
    with redirect_stdout(io.StringIO()) as out:
        by_heart(handed_in())
    before, after = out.getvalue().splitlines()
    assert float(before.split()[-1]) > 2 * math.log(10)
    assert after.endswith("loss 0.00, 10 of 10 read")
    torch.manual_seed(0)
    usual = torch.nn.Linear(64, 32), torch.nn.Linear(32, 10)
    first, last = (p for name, p in handed_in().named_parameters() if name.endswith("weight"))
    assert torch.equal(first, usual[0].weight) and torch.equal(last, 20 * usual[1].weight)


# ----------------------------------------------------------------------------- layers that stay


def test_what_detach_gives_moves_with_the_weight_and_a_clone_does_not(ran):
    """Without clone(), a comparison before and after would find that nothing moves."""
    weight = torch.nn.Linear(2, 1).weight
    shared, copied = weight.detach(), weight.detach().clone()
    with torch.no_grad():
        weight -= 1.0
    assert torch.equal(weight, shared) and not torch.equal(weight, copied)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_reader_learns_less_than_the_repaired_one(ran, seed):
    nn, fit, right, Reader = (ran.names[name] for name in ("nn", "fit", "right", "Reader"))

    class Registered(Reader):
        def __init__(self):
            super().__init__()
            self.hidden = nn.ModuleList(self.hidden)

    shares = []
    for kind in (Reader, Registered):
        torch.manual_seed(seed)
        shares.append(right(fit(kind(), lr=0.5)))
    assert 0.5 < shares[0] < shares[1] - 0.04


def test_330_numbers_are_known_and_only_the_last_layer_moves(ran):
    assert questions(ran).how_many_known().answer == 330 == 32 * 10 + 10
    assert 64 * 32 + 32 == 2080
    assert "330" in ran.printed["layer-look"]
    moved = [line.split("has ")[1] for line in ran.printed["layer-look"].splitlines()[1:]]
    assert moved == ["stayed", "stayed", "moved", "moved"]


def test_a_layer_in_a_tuple_or_a_second_one_in_the_list_keeps_its_name(ran):
    nn, Reader = ran.names["nn"], ran.names["Reader"]
    model = Reader()
    assert [*runs(ran).everything(model)][::2] == ["hidden.0.weight", "out.weight"]
    model.hidden = (nn.Linear(64, 32), nn.Linear(32, 32))
    assert [*runs(ran).everything(model)][1::2] == ["hidden.0.bias", "hidden.1.bias", "out.bias"]


def test_each_guess_is_the_mean_of_the_fares_and_the_loss_their_variance(ran):
    names = ran.after("shape-train")
    fares = [7.0, 10.0, 13.0, 16.0, 19.0]
    guess = names["meter"](names["km"])
    assert guess.flatten().tolist() == pytest.approx([13] * 5, abs=0.01)
    apart = [(one - 13) ** 2 for one in fares]
    assert apart == [36, 9, 0, 9, 36]
    assert names["loss_now"]().item() == pytest.approx(sum(apart) / 5, abs=0.01) == 18
    assert tuple((guess - names["flat"]).shape) == (5, 5)
    assert questions(ran).which_shape().answer == "(5, 5)"


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_program_with_the_row_has_arrived_and_longer_steps_lead_nowhere(ran, seed):
    names = ran.after("shape-train")
    torch.manual_seed(seed)
    taxi = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(taxi.parameters(), lr=0.05)
    for _ in range(600):
        optimizer.zero_grad()
        loss = ((taxi(names["km"]) - names["flat"]) ** 2).mean()
        loss.backward()
        optimizer.step()
    assert loss.item() == pytest.approx(18, abs=1e-3)
    assert all(abs(p.grad.item()) < 1e-3 for p in taxi.parameters())
    assert len(re.findall(r"-?0\.000\d", ran.printed["shape-slopes"])) == 4
    assert questions(ran).against_short_steps().answer == "the gradients at the end are almost 0"
    assert questions(ran).right_in_a_row().answer == "more than 18"


def test_the_right_price_list_has_a_loss_of_36_where_the_fares_stand_in_a_row(ran):
    """In a column it has 0. And a program with the column finds the price list."""
    loss_with = ran.names["loss_with"]
    assert [loss_with(shape).item() for shape in ((5, 1), (5,))] == [0, 36]
    names = ran.after("shape-train")
    assert (names["meter"](names["km"]) - names["flat"]).numel() == 25
    torch.manual_seed(0)
    taxi = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(taxi.parameters(), lr=0.05)
    for _ in range(600):
        optimizer.zero_grad()
        loss = ((taxi(names["km"]) - names["fare"]) ** 2).mean()
        loss.backward()
        optimizer.step()
    assert loss.item() < 1e-4


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_at_a_learning_rate_of_2_all_units_die(ran, seed):
    """It is the weights that have moved: the old biases with them leave as good as nothing."""
    nn, fit, right, digits = (ran.names[name] for name in ("nn", "fit", "right", "digits"))
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    old_weight, old_bias = (p.detach().clone() for p in model[1].parameters())
    fit(model, lr=2.0)
    assert right(model) < 0.15
    assert model[:3](digits.x).max().item() == 0
    with torch.no_grad():
        rows = digits.x.flatten(1)
        only_weights = (rows @ model[1].weight.T + old_bias > 0).float().mean().item()
        only_biases = (rows @ old_weight.T + model[1].bias > 0).float().mean().item()
    assert only_weights < 0.01 < 0.05 < only_biases
    model.zero_grad()
    loss = F.cross_entropy(model(digits.x), digits.y)
    loss.backward()
    assert loss.item() == pytest.approx(math.log(10), abs=0.2)
    assert math.log(10) == pytest.approx(2.3, abs=0.01)
    *others, last = [p.grad.norm().item() for p in model.parameters()]
    assert others == [0, 0, 0] and last > 0
    for p in model.parameters():
        assert runs(ran).nudged(model, digits.x, digits.y, p, by=0.01) < 1e-3
    assert questions(ran).who_gets_some().answer == "only the bias of layer 3"


def test_at_smaller_rates_it_reads_well(ran):
    lines = ran.printed["dead-rates"].splitlines()
    shares = [int(line.split("reads ")[1].split("%")[0]) for line in lines]
    assert min(shares[:3]) > 85 and shares[3] < 15
    assert "100%" in lines[3]
    assert "45,984 of the 45,984 sums before it are negative" in ran.printed["dead-train"]
    bounds = re.findall(r"differ by at most (\S+)", ran.printed["dead-flow"])
    assert len(bounds) == 4 and max(map(float, bounds)) <= 1e-4
    assert "logarithm of 10 2.30" in ran.printed["dead-flow"]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_with_leaky_relu_no_unit_dies_and_the_steps_are_still_too_long(ran, seed):
    nn, fit, right, digits = (ran.names[name] for name in ("nn", "fit", "right", "digits"))
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.LeakyReLU(), nn.Linear(32, 10))
    fit(model, lr=2.0)
    with torch.no_grad():
        assert runs(ran).share_of_dead(model[:3](digits.x)) == 0
    assert right(model) < 0.3


def test_the_reports_hold_what_nudges_find_but_where_a_fault_is_in_the_gradients(ran):
    """Cut: nothing arrives. Not registered: nobody clears what is unknown."""
    found = {fault: runs(ran).examined(fault) for fault in runs(ran).FAULTS}
    said, nudged = (
        {fault: report[row].split() for fault, report in found.items()}
        for row in ("gradients at the end", "the same by nudges")
    )
    assert said["cut"] == ["None"] * 4 and all(float(one) > 0.1 for one in nudged["cut"])
    assert said["nan"] == ["nan"] * 4 and all(float(one) > 0.01 for one in nudged["nan"])
    numbers = {
        fault: ([*map(float, said[fault])], [*map(float, nudged[fault])])
        for fault in ("broadcast", "dead", "not registered")
    }
    for fault, (graph, nudges) in numbers.items():
        known = 2 if fault == "not registered" else 0
        assert graph[known:] == pytest.approx(nudges[known:], rel=0.1, abs=1e-5)
        assert all(one > 20 * other for one, other in zip(graph[:known], nudges[:known]))


def test_mse_loss_warns_of_other_shapes_and_a_loss_by_hand_does_not(ran):
    names = ran.after("shape-train")
    with pytest.warns(UserWarning):
        F.mse_loss(names["meter"](names["km"]), names["flat"])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_network_with_dead_units_reads_about_as_well_as_one_with_few(ran, seed):
    nn, fit, right, digits = (ran.names[name] for name in ("nn", "fit", "right", "digits"))
    found = {}
    for lr in (0.2, 1.0):
        torch.manual_seed(seed)
        model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
        fit(model, lr)
        with torch.no_grad():
            found[lr] = runs(ran).share_of_dead(model[:3](digits.x)), right(model)
    (few, reads), (some, reads_too) = found.values()
    assert few < 0.1 < some < 0.5
    assert abs(reads - reads_too) < 0.06
    assert questions(ran).may_some_be_dead().answer == "about as many as with 0.2"


def test_between_1_and_2_the_dead_decide_and_the_learning_rate_is_no_sharp_limit(ran):
    nn, fit, right, digits = (ran.names[name] for name in ("nn", "fit", "right", "digits"))
    read = {}
    for lr in (1.0, 1.2, 1.4, 1.6):
        for seed in (0, 1, 2):
            torch.manual_seed(seed)
            model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
            fit(model, lr)
            with torch.no_grad():
                dead = runs(ran).share_of_dead(model[:3](digits.x))
            read[lr, seed] = right(model)
            if dead < 0.3:
                assert right(model) > 0.85
            if dead > 0.9:
                assert right(model) < 0.3
    at_once = [read[1.2, seed] for seed in (0, 1, 2)]
    assert max(at_once) - min(at_once) > 0.2 and max(at_once) > 0.9  # the seed decides
    assert read[1.6, 0] > read[1.4, 0]  # not every larger rate is worse


def test_the_share_of_dead_units_is_the_one_that_the_exercise_wants(ran):
    hidden = torch.tensor([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0]])
    assert runs(ran).share_of_dead(hidden) == pytest.approx(1 / 3)


# ----------------------------------------------------------------------------- what grows


def test_a_list_of_guesses_keeps_three_nodes_for_each(ran):
    assert questions(ran).how_many_held().answer == 45 * 3 == 135
    assert "the scores of 45 batches keep 135 nodes alive" in ran.printed["memory"]
    kept = {
        line.split()[0]: int(line.split()[-2]) for line in ran.printed["memory-fixed"].splitlines()
    }
    assert kept == {
        "scores": 3,
        "scores[0]": 4,
        "scores.detach()": 0,
        "scores.argmax(1)": 0,
    }


def test_each_step_of_the_wrong_cure_visits_all_graphs_before_it(ran):
    assert "MG106" in ran.printed["cure-error"]
    wrong, right, last = ran.printed["cure-visits"].splitlines()
    assert last.endswith(" [499]")
    assert wrong.endswith(str([4 + 5 * step for step in range(10)]))
    assert right.endswith(str([4] * 10))
    assert questions(ran).how_many_visited().answer == 4 + 9 * 5 == 49
    km, fare = ran.names["km"], ran.names["fare"]
    visits = runs(ran).smoothed(True, km, fare, steps=100)
    assert visits[0] == 4 and visits[-1] == 499


def test_with_a_layer_before_it_the_wrong_cure_raises_an_error_in_the_second_step(ran):
    """step() has written over a weight that the old graph needs once more."""
    assert ran.printed["cure-deeper"].startswith("step 0\nstep 1\none of the variables")
    assert questions(ran).error_in_which_step().answer == "in the second step"
    assert "MG104" in ran.printed["cure-deeper"] and "'2.weight'" in ran.printed["cure-deeper"]
    nn, km, fare = (ran.names[name] for name in ("nn", "km", "fare"))
    taxi = nn.Sequential(nn.Linear(1, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(taxi.parameters(), lr=0.01)
    first = 0.1 * F.mse_loss(taxi(km), fare)
    first.backward(retain_graph=True)
    optimizer.step()
    with pytest.raises(RuntimeError, match="MG104"):
        (0.9 * first + 0.1 * F.mse_loss(taxi(km), fare)).backward()


def test_only_results_that_were_saved_must_not_be_written_over(ran):
    lines = [line.split(maxsplit=2) for line in ran.printed["write-others"].splitlines()]
    errors = {(name, line) for name, line, found in lines if found == "error"}
    assert errors == {("tanh", "+="), ("exp", "+=")} and len(lines) == 8
    for *_, found in lines:
        if found != "error":
            gradient, nudge = map(float, re.findall(r"-?[0-9.]+", found))
            assert gradient == pytest.approx(nudge, rel=1e-3)
    assert questions(ran).which_survive().answer == "sin and square"
    assert "MG104" in ran.printed["write"] and "ride += 4.0" in ran.printed["write"]


def test_a_write_that_changes_no_number_is_an_error_too():
    rate = torch.tensor(0.5, requires_grad=True)
    ride = torch.tanh(rate)
    ride += 0.0
    with pytest.raises(RuntimeError, match="MG104"):
        ride.backward()


def test_an_error_of_the_forward_pass_is_found_in_its_line_and_one_of_the_backward_pass_is_not(ran):
    """Claim 28: errors are easy to trace; true of the forward pass."""
    backward, forward = ran.printed["trace"].splitlines()
    assert backward.endswith("loss.backward()")
    assert forward.endswith("torch.ones(2, 3) @ torch.ones(2, 3)")
    assert questions(ran).found_where_it_is().answer == "only (2)"


# ----------------------------------------------------------------------------- without a picture


def test_the_gradient_on_paper_is_nan(ran):
    x = torch.tensor(0.0, requires_grad=True)
    y = torch.where(x > 0, x.log(), x * 2)
    y.backward()
    assert y.item() == 0 and math.isnan(x.grad.item())
    assert questions(ran).on_paper().answer == "NaN"


def test_the_questions_about_earlier_notebooks(ran):
    w = torch.tensor(3.0, requires_grad=True)
    (w * w).backward()
    assert w.grad.item() == questions(ran).product_rule().answer == 6
    w.grad = None
    (3 * w).backward()
    (5 * w).backward()
    assert w.grad.item() == questions(ran).adds_up().answer == 8
    x = torch.tensor(1.0, requires_grad=True)
    (2 * x if x > 1 else 7 * x).backward()
    assert x.grad.item() == questions(ran).whose_branch().answer == 7


# ----------------------------------------------------------------------------- what is judged


def test_no_two_ways_to_work_out_a_share_agree_on_both_layers():
    from exercises.nb06_judges import GIVEN, OTHER_SHARES
    from exercises.nb06_runs import share_of_dead

    zeros = [hidden == 0 for hidden in GIVEN]
    pairs = [tuple(share(zero).item() for zero in zeros) for share in OTHER_SHARES.values()]
    pairs.append(tuple(share_of_dead(hidden) for hidden in GIVEN))
    assert len(set(pairs)) == len(pairs)


def test_beside_words_that_fit_an_open_one_is_named_and_is_no_attempt(ran, capsys):
    some = {"A": "broadcast", "B": ..., "C": "cut", "D": ..., "E": "nan"}
    assert questions(ran).reports.judge(some) is None
    assert "Still open: B, D." in capsys.readouterr().out
    assert questions(ran).uses.judge(dict.fromkeys("ABCD", ...)) is None
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("exercise", "attempt", "said"),
    [
        ("two_tests", {"first": "5.34", "second": "passed", "suspect": "start"}, "'passed'"),
        ("two_tests", {"first": "failed", "second": "passed", "suspect": "nan"}, "'softmax'"),
        ("moves", {"ruled out": "grad", "tool": "too long"}, "'nothing arrives'"),
        ("moves", {"ruled out": ["too long"], "tool": "grad"}, "'nothing arrives'"),
        ("moves", {"ruled out": "too long", "tool": "guesses"}, "'longer'"),
        ("reports", {"A": "broadcast", "B": "nowhere", **dict.fromkeys("CDE", "nan")}, "'cut'"),
        ("reports", {"A": ["broadcast"], **dict.fromkeys("BCDE", "nan")}, "'cut'"),
        ("uses", {"A": "items", **dict.fromkeys("BCD", "detach")}, "'item'"),
    ],
)
def test_a_word_that_is_not_on_the_list_is_named_and_is_no_attempt(
    ran, capsys, exercise, attempt, said
):
    assert getattr(questions(ran), exercise).judge(attempt) is None
    printed = capsys.readouterr().out
    assert f"is none of the words {said}" in printed and "not counted as a try" in printed


def test_no_cell_writes_over_a_function_or_a_class_of_another_cell():
    """Or else who goes back to section 1 finds a number in the place of ``right``."""
    lesson = next(one for one in LESSONS if one.number == "06")
    made, bound = {}, []
    for cell in lesson.of_kind("code"):
        for node in ast.parse(cell.source).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                made[node.name] = cell.id
            else:
                names = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
                bound += [one.id for one in names if isinstance(one.ctx, ast.Store)]
    assert set(made) & set(bound) == set()
