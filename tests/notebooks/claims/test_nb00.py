"""What notebook 00 says, asserted on the notebook as it was run."""

from __future__ import annotations

import itertools
import math
import re
import sys

import pytest

from minigrad import nn


@pytest.mark.parametrize("guess", [50.0, -7.0])
def test_a_program_that_only_hears_how_wrong_it_is_finds_the_number(ran, guess):
    assert ran.printed["imports"] == "the guess is now 3.00\n"
    how_wrong = ran.names["nb00"].how_wrong
    for _ in range(40):
        guess -= 20 * (how_wrong(guess + 0.001) - how_wrong(guess))
    assert f"{guess:.2f}" == "3.00"


def test_the_model_of_lesson_05_learns_so_many_numbers(ran):
    model = nn.Sequential(nn.Flatten(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 10))
    assert sum(one.numel() for one in model.parameters()) == 2410


def test_the_first_guess_is_wrong_by_three(ran):
    names = ran.after("guess")
    assert [names[name] for name in ("ride", "fare", "error", "loss")] == [6, 10, -3, 9]


def test_a_nudge_travels_and_is_multiplied_at_each_line(ran):
    moved = [float(one) for one in re.findall(r"moved by (\S+)", ran.printed["nudge"])]
    assert moved == [0.01, 0.03, 0.03, 0.03, -0.1791]
    times = [after / before for before, after in itertools.pairwise(moved)]
    assert times == pytest.approx([3, 1, 1, -6], rel=0.01)
    assert math.prod(times) == pytest.approx(-18, rel=0.01)


def test_a_smaller_nudge_comes_closer(ran):
    taxi = ran.after("nudge")["taxi"]
    moved = taxi(2.0 + 0.001)["loss"] - taxi(2.0)["loss"]
    assert f"{moved:.6f}" == "-0.017991"
    assert abs(moved / 0.001 + 18) < abs(-0.1791 / 0.01 + 18)


def test_backward_measures_the_same_and_moves_nothing(ran):
    rate = ran.after("backward")["rate"]
    assert (rate.item(), rate.grad.item()) == (2.0, -18.0)
    assert ran.printed["backward"] == "tensor(-18.)\n"
    before, after = ran.printed["rate-now"].splitlines()
    assert before.removeprefix("before: ") in after and "tensor(2.," in after


def test_three_steps_make_the_loss_smaller_each_time(ran):
    printed = ran.printed["three-steps"]
    losses = [float(loss) for loss in re.findall(r"loss ([\d.]+)", printed)]
    assert losses == [9.0, 3.69, 1.51]
    assert printed.startswith("rate 2.00") and printed.endswith("rate 2.74\n")


def test_a_nudge_agrees_with_each_gradient(ran):
    found = re.findall(r"gradient (\S+)   with a nudge (\S+)", ran.printed["three-steps"])
    assert [one for one, _ in found] == ["-18.00", "-11.52", "-7.37"]
    for gradient, nudged in found:
        assert float(nudged) == pytest.approx(float(gradient), abs=0.02)


def test_without_emptying_the_second_gradient_is_added_to_the_first(ran):
    found = re.findall(r"rate.grad (\S+)   with a nudge (\S+)", ran.printed["left-out-shown"])
    assert [float(one) for one, _ in found] == [-18.0, -29.52]
    assert float(found[1][1]) == pytest.approx(-11.52, abs=0.02)


def test_the_valley_shows_the_rates_of_the_run(ran):
    assert ran.printed["valley"].endswith("4 in all: 2.00, 2.36, 2.59, 2.74.\n")


def run_of(ran, learning_rate, steps, rate=2.0):
    rates = [rate]
    for _ in range(steps):
        rates.append(rates[-1] - learning_rate * ran.names["nb00"].gradient_at(rates[-1]))
    return rates


@pytest.mark.parametrize(
    ("learning_rate", "steps", "shown"),
    [(0.02, 20, 21), (0.1, 20, 21), (0.2, 20, 3), (0.2, 300, 3)],
)
def test_another_run_gives_another_picture_and_what_is_too_far_away_is_counted(
    ran, learning_rate, steps, shown
):
    picture = ran.names["nb00"].valley(run_of(ran, learning_rate, steps))
    assert picture.svg.count("<circle") == shown
    assert f"{steps + 1} in all" in picture.alt
    assert ("too far away" in picture.alt) is (shown <= steps)


@pytest.mark.parametrize("rates", [[], [math.nan], [math.inf, 2.0], [1e300], [-1e8], [3.0, 3.0]])
def test_no_run_breaks_the_picture(ran, rates):
    picture = ran.names["nb00"].valley(rates)
    assert re.findall(r'="[^"]*(?:nan|inf)\b', picture.svg.replace(picture.alt, "")) == []
    assert "<path" in picture.svg


@pytest.mark.parametrize(("learning_rate", "arrives"), [(0.02, True), (0.2, False)])
def test_twenty_short_steps_arrive_and_twenty_long_ones_do_not(ran, learning_rate, arrives):
    rate = 2.0
    for _ in range(20):
        rate -= learning_rate * ran.names["nb00"].gradient_at(rate)
    assert (f"{rate:.2f}" == "3.00") is arrives


def test_at_the_right_rate_the_loss_is_flat(ran):
    at_three, below, above = ran.printed["goal-shown"].splitlines()
    assert at_three == "loss: 0.0   rate.grad: 0.0"
    assert below.endswith("is 0.0009") and above.endswith("is 0.0009"), "a nudge finds it flat"


def test_the_picture_shows_four_operations_and_a_leaf(ran):
    names = ran.after("picture")
    assert repr(names["view"]) == "GraphView(4 operations)"
    rate, ride, fare = names["rate"], names["ride"], names["fare"]
    assert rate.is_leaf and not ride.is_leaf
    assert (rate.grad.item(), ride.item()) == (-18, 6)
    assert fare.grad_fn.next_functions[0][0] is ride.grad_fn
    told = {node["names"][0]: node["grad"]["text"] for node in names["view"].graph["nodes"]}
    assert told == {"rate": "-18", "ride": "-6", "fare": "-6", "error": "-6", "loss": "1"}


def test_the_grad_of_the_fare_in_the_graph_to_read_is_measured(ran):
    fare, loss = (float(one) for one in re.findall(r"by ([^,\s]+)", ran.printed["fare-nudged"]))
    assert loss / fare == pytest.approx(8, rel=1e-3)


def test_the_graph_to_read_is_a_real_one_with_these_numbers(ran):
    named = nb00_exercises(ran).another_taxi()
    tensors = {name: tensor for name, (_, tensor) in named.items()}
    tensors["fare"].retain_grad()
    tensors["loss"].backward()
    leaves = [name for name, tensor in tensors.items() if tensor.is_leaf]
    nodes = [name for name, tensor in tensors.items() if tensor.grad_fn is not None]
    answer = (leaves, len(nodes), tensors["fare"].item(), tensors["fare"].grad.item())
    assert answer == (["rate", "base"], 4, 17, 8)
    assert nb00_exercises(ran).judge_read(answer) == ""
    assert "box fare: +, value 17, reached from ride and base" in ran.printed["to-read"]


def nb00_exercises(ran):
    return sys.modules[ran.names["nb00"].judge_slopes.__module__]


def test_eight_steps_of_a_good_function_come_near(ran, capsys):
    ran.names["nb00"].drive(lambda rate, gradient: rate - 0.02 * gradient)
    assert capsys.readouterr().out.splitlines()[-1] == "rate 2.97   loss 0.01"


def test_the_exercise_without_a_picture_has_these_numbers(ran):
    def loss(rate):
        return (rate * 2 + 5 - 10) ** 2

    assert [4 * 2, 4 * 2 + 5, 4 * 2 + 5 - 10, loss(4)] == [8, 13, 3, 9]
    assert (loss(4 + 1e-6) - loss(4)) / 1e-6 == pytest.approx(12, abs=1e-4)
    judge = ran.names["nb00"].judge_slopes
    assert judge(([2, 1, 1, 6], 12)) == ""
    assert judge(([2.0, 1.0, 1.0, 6.01], 12.04)) == "", "measured with a nudge"
