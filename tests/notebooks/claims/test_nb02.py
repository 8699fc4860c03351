"""What notebook 02 says, asserted on the notebook as it was run."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import minigrad as torch
from minigrad.lesson import engines

nearly = pytest.approx


def lines(ran, cell_id):
    return ran.printed[cell_id].splitlines()


# ---------------------------------------------------------------------- the two rules


def test_a_nudge_of_b_upwards_says_15_01_and_not_4(ran):
    assert ran.after("nudge-b")["moved"] / 0.01 == nearly(15.01)
    assert "15.01 times as far" in ran.printed["nudge-b"]


def test_minigrad_says_15_at_the_beginning(ran):
    assert ran.printed["cell-01"].endswith("gradient of b: 15.0\n")


def test_the_gradient_of_the_rate_is_minus_18(ran):
    names = ran.after("cell-01")
    rate = torch.tensor(2.0, requires_grad=True)
    names["loss_of"](rate).backward()
    assert rate.grad.item() == -18
    assert names["loss_of"](2.01) - names["loss_of"](2.0) == nearly(-0.1791)


def test_a_nudge_in_one_direction_is_off_by_as_much_as_one_in_the_other(ran):
    names = ran.after("nudge-both")
    assert (names["up"], names["down"]) == (nearly(-17.91), nearly(-18.09))
    assert names["nb02"].nudged(names["loss_of"], 2.0) == nearly(-18)


def errors_for_a_cube(h, kind=float):
    """How far nudging x³ at 2 is off: in one direction, and in both."""
    x, h = kind(2), kind(h)
    one = ((x + h) ** 3 - x**3) / h
    both = ((x + h) ** 3 - (x - h) ** 3) / (2 * h)
    return abs(one - 12), abs(both - 12)


def test_a_tenth_of_the_nudge_leaves_a_tenth_or_a_hundredth_of_the_error():
    for one, less in zip(errors_for_a_cube(0.01), errors_for_a_cube(0.001)):
        assert one / less in (nearly(10, rel=0.01), nearly(100, rel=0.01))
    assert errors_for_a_cube(0.01)[0] / errors_for_a_cube(0.001)[0] < 11
    assert errors_for_a_cube(0.01)[1] / errors_for_a_cube(0.001)[1] > 90


def test_the_cell_with_the_cube_shows_it(ran):
    said = lines(ran, "cube")
    assert [line.split("upwards off by ")[1].split(",")[0] for line in said] == [
        "0.610000",
        "0.060100",
        "0.006001",
    ]
    assert [line.rsplit(" ", 1)[1] for line in said] == ["0.010000", "0.000100", "0.000001"]


def test_rounding_ends_this_at_a_millionth_and_in_float32_at_a_hundredth():
    def best(kind):
        return min((10.0**-n for n in range(1, 13)), key=lambda h: errors_for_a_cube(h, kind)[1])

    assert np.finfo(float).precision + 1 == 16 and np.finfo(np.float32).precision + 1 == 7
    assert best(np.float32) == nearly(1e-2)
    assert errors_for_a_cube(1e-6)[1] < 1e-8


def test_a_nudge_that_is_too_small_is_lost_in_rounding(ran):
    names = ran.after("cell-01")

    def off(h):
        return abs(names["nb02"].nudged(names["loss_of"], 2.0, h=h) + 18)

    assert off(0.001) < 1e-8 and off(1e-15) > 1


def test_a_nudge_of_1e_14_spoils_the_slope_of_the_cube_in_one_direction_and_in_both():
    h = 1e-14
    upwards = ((2.0 + h) ** 3 - 2.0**3) / h
    both_ways = ((2.0 + h) ** 3 - (2.0 - h) ** 3) / (2 * h)
    assert abs(upwards - 12) > 0.1 and abs(both_ways - 12) > 0.1


def test_each_operation_multiplies_a_nudge_by_its_local_slope(ran):
    taxi = ran.after("travel")["taxi"]
    assert taxi(1.0) == (1, 3, 7, -6, 36)
    moved = [new - old for old, new in zip(taxi(1.0), taxi(1.01))]
    factors = [effect / cause for cause, effect in itertools.pairwise(moved)]
    assert factors == nearly([3, 1, 1, -11.97])
    assert 3 * 1 * 1 * -12 == -36
    h = 0.0001
    moved = [new - old for old, new in zip(taxi(1.0), taxi(1.0 + h))]
    assert moved[-1] / moved[-2] == nearly(-12, abs=1e-3)


def test_on_the_way_back_the_products_are_those_that_are_asked_for(ran):
    rate = torch.tensor(2.0, requires_grad=True)
    ride = rate * 3
    fare = ride + 4
    error = fare - 13
    found = torch.autograd.grad(error**2, (error, fare, ride, rate))
    assert [g.item() for g in found] == ran.names["nb02"].way_back().answer


def test_at_rate_2_5_half_the_error_makes_half_the_gradient(ran):
    names = ran.after("cell-01")
    rate = torch.tensor(2.5, requires_grad=True)
    names["loss_of"](rate).backward()
    assert rate.grad.item() == -9 == names["nb02"].at_another_rate().answer
    assert 2.5 * 3 + 4 - 13 == -1.5


def test_the_grad_at_a_value_says_how_the_loss_moves_when_the_value_moves(ran):
    names = ran.after("cell-15")
    assert names["ride"].grad.item() == -6
    assert names["nb02"].nudged(names["from_ride"], 6.0) == nearly(-6)
    assert lines(ran, "cell-15")[-1].endswith("-6.0000")


def test_where_two_paths_meet_their_products_are_added(ran):
    names = ran.after("two-rides-run")
    rate = torch.tensor(2.0, requires_grad=True)
    names["two_rides"](rate).backward()
    assert rate.grad.item() == -18 + -50 == names["nb02"].two_paths().answer
    assert names["nb02"].long_path().answer == 5 * 1 * 1 * 2 * -5 == -50
    assert names["nb02"].nudged(names["two_rides"], 2.0) == nearly(-68)
    assert 2.0 * 5 + 4 == 14 == 19 - 5

    def squared(rate, km, paid):
        return (rate * km + 4 - paid) ** 2

    rides = [(3, 13), (5, 19)]
    falls = [squared(2.01, *ride) - squared(2.0, *ride) for ride in rides]
    assert falls == nearly([-0.18, -0.50], abs=0.01)


def test_two_rides_can_ask_for_opposite_steps():
    parts = [2 * (2 * km + 4 - paid) * km for km, paid in [(3, 13), (5, 10)]]
    assert parts == [-18, 40] and sum(parts) == 22


def test_a_movement_of_one_factor_is_multiplied_by_the_other(ran):
    said = lines(ran, "product-nudge")
    assert "7.0000" in said[0] and "8.0000" in said[1]


def test_three_witnesses_say_7_and_15_and_none_says_4(ran):
    witnesses = ran.after("cell-19")["witnesses"]
    assert list(witnesses) == ["backward", "nudging", "algebra"]
    for a, b in witnesses.values():
        assert (a, b) == (nearly(7, abs=1e-5), nearly(15, abs=1e-5))
    names = ran.after("cell-01")
    assert names["published"](2.0, 6.0) == 56
    assert sum(names["nb02"].audit_b().answer) == 15


def test_no_usual_mistake_gives_4(ran):
    names = ran.after("usual-mistakes")
    found = engines.mistakes(names["published"](names["a"], names["b"]), names["b"])
    assert {7, 8} <= set(found) and 4 not in found
    assert len(lines(ran, "usual-mistakes")) == len(found)


# ----------------------------------------------------------------------- when, and how often


def test_each_wrong_engine_has_its_own_wrong_number(ran):
    names = ran.after("cell-23")
    nb02, x, quartic = names["nb02"], names["x"], names["quartic"]
    engine_names = ["right", "overwrite", "queue", "stack", "once"]
    of_y = [engines.gradients(quartic(x), x, name)[0].item() for name in engine_names]
    assert of_y == [64, 32, 128, 96, nb02.too_early().answer]
    assert of_y[0] == 8 * 2**3 == nearly(nb02.nudged(quartic, 2.0))  # y = 2x⁴, so 8x³
    of_sum = [engines.gradients(x + x, x, name)[0].item() for name in engine_names[:2]]
    assert of_sum == [2, nb02.twice_used().answer]


def test_20_visits_do_the_work_of_a_million_paths(ran):
    names = ran.after("cell-28")
    assert names["visits"][-1] == 20 == names["nb02"].paths_or_visits().answer
    assert names["paths"][-1] == 2**20 == 1_048_576
    assert 64 * 32 + 32 + 32 * 10 + 10 == 2_410


def test_backward_adds_no_node_and_gives_away_what_was_saved(ran):
    names = ran.after("cell-31")
    assert names["after"] == names["before"]
    assert len(names["before"]) == 4 == names["nb02"].after_backward().answer
    assert names["saved"][0].item() == -3 and names["loss"].grad_fn.saved is None


def test_create_graph_records_the_backward_pass_too(ran):
    names = ran.after("create-graph")
    assert len(names["more"]) > 0
    assert (names["first"].item(), names["second"].item()) == (-18, 18)


def test_only_leaves_keep_a_gradient_unless_one_asks(ran):
    names = ran.after("cell-33")
    assert names["rate"].grad.item() == -18
    kept = names["nb02"].grads(**{n: names[n] for n in ("ride", "fare", "error", "loss")})
    assert set(kept.values()) == {None}
    rate = torch.tensor(2.0, requires_grad=True)
    ride = rate * 3
    ride.retain_grad()
    (ride + 4 - 13).square().backward()
    assert ride.grad.item() == -6


def test_a_second_call_adds_to_the_first(ran):
    names = ran.after("accumulate")
    assert names["rate"].grad.item() == -36 == names["nb02"].second_call().answer


def test_without_clearing_the_rate_swings_around_3(ran):
    rates = ran.after("kept-grads")["rates"]
    above = [rate > 3 for rate in rates]
    assert sum(one != other for one, other in itertools.pairwise(above)) >= 3
    assert min(rates) < 2 and max(rates) > 4


def test_an_update_outside_no_grad_is_refused(ran):
    assert "leaf" in ran.printed["no-grad-error"] and "MG105" in ran.printed["no-grad-error"]


def test_calling_the_nodes_of_the_taxi_leads_to_its_rate(ran):
    names = ran.after("explore")
    assert names["node"].variable is names["rate"] and names["g"].item() == -18


def test_the_program_without_a_picture_is_a_polynomial(ran):
    assert ran.names["nb02"].no_picture.answer == 4 * 3**3 + 3 * 3**2


def test_several_numbers_are_no_beginning(ran):
    assert "MG107" in ran.printed["mg107"]


def test_the_best_of_four_moves_is_the_one_against_the_largest_gradient(ran):
    gradients, small = {"p": 2, "q": -50}, {"up": 0.001, "down": -0.001}
    moves = {f"{n} a little {way}": g * s for n, g in gradients.items() for way, s in small.items()}
    assert min(moves, key=moves.get) == ran.names["nb02"].better_move().answer
    assert (min(moves.values()), moves["p a little down"]) == (nearly(-0.05), nearly(-0.002))


def test_the_name_of_a_sum_belongs_to_a_result_and_two_operations_twice_leave_4_nodes(ran):
    rate = torch.tensor(2.0, requires_grad=True)
    total = torch.tensor(0.0)
    assert total.is_leaf
    total = total + rate
    assert not total.is_leaf and ran.names["nb02"].still_a_leaf().answer.startswith("no")
    made = [rate * 3 + 4 for _ in range(2)]
    count = sum(len(ran.names["nodes"](fare)) for fare in made)
    assert count == ran.names["nb02"].run_twice().answer
