"""What notebook 03 says, asserted on the notebook as it was run."""

from __future__ import annotations

import re

import pytest

from minigrad_widgets import watch


def test_backward_sees_the_doublings_and_nudging_the_jump(ran):
    assert ran.printed["cell-01"].split() == ["backward():", "1024.0", "nudging:", "-499226"]


def test_a_smaller_nudge_stays_on_one_side_of_the_jump(ran):
    by_step = dict(
        line.removeprefix("nudged by ").split(": ")
        for line in ran.printed["cell-04"].splitlines()[:4]
    )
    assert by_step["0.001"] == "-499226" and by_step["1e-06"] == "1024"


def test_ten_doublings_below_the_jump_and_nine_above(ran):
    amplify, slope = ran.names["amplify"], ran.names["nb03"].slope
    assert 1000 / 512 == 1.953125
    assert slope(amplify, 1.953124) == 2 * slope(amplify, 1.953125) == 2**10
    assert [round(float(amplify(v))) for v in (1.953124, 1.953125)] == [2000, 1000]
    assert slope(amplify, 1.954) == 512


def test_a_nudge_on_one_side_of_the_jump_to_be_found_agrees_with_backward(ran):
    amplify, nb03 = ran.names["amplify"], ran.names["nb03"]
    assert 0.9765 < 1000 / 1024 < 0.9766
    for place, steep in ((0.9765, 2048), (0.9766, 1024)):
        assert nb03.slope(amplify, place) == steep
        assert round(nb03.nudged(amplify, place, h=1e-6)) == steep


def test_an_endless_loop_is_stopped_after_ten_thousand_operations(ran):
    said = repr(watch(ran.names["amplify"], a=0.0))
    assert "10,000" in said or "10000" in said


def test_every_cell_is_stopped_after_sixty_thousand_operations(ran):
    amplify, torch = ran.names["amplify"], ran.names["torch"]
    with torch.tape.notices(operations=60_000):
        for _ in range(2):
            with pytest.raises(RuntimeError, match="stopped after 60000 operations"):
                amplify(torch.tensor(0.0, requires_grad=True))


def test_the_ends_of_the_nudge_are_doubled_10_and_9_times(ran):
    route = ran.names["nb03"].route
    assert [route(a)[0] for a in (1.9521, 1.9541)] == [10, 9]


def test_amplify_of_100_is_doubled_four_times_and_it_jumps_at_250(ran):
    amplify, nb03 = ran.names["amplify"], ran.names["nb03"]
    assert nb03.route(100.0) == (4, False)
    assert [nb03.route(a)[0] for a in (240.0, 249.999, 250.0, 260.0)] == [3, 3, 2, 2]
    assert ran.printed["cell-14"] == "GraphDiff(a = 240.0 | a = 260.0)\n"
    assert amplify(250.0) == 1000
    assert nb03.route(150.0)[0] == 3 and nb03.route(-300.0)[1]


def test_the_graph_of_a_ride_is_as_long_as_its_list(ran):
    assert ran.printed["cell-16d"].splitlines() == [
        "[3] leaves 2 nodes, and rate.grad is 3.0",
        "    by nudging: 3.0",
        "[1, 2, 5] leaves 7 nodes, and rate.grad is 8.0",
        "    by nudging: 8.0",
        "[] leaves no graph: the fare is the plain number 4.0",
    ]


def test_the_rule_of_4_km_makes_the_fare_jump_by_2_and_adds_a_node(ran):
    ride, torch, nodes = (ran.names[name] for name in ("ride", "torch", "nodes"))
    assert ride(2.0, [4]) == 12 and round(ride(2.0, [4.001]), 3) == 14.002
    rate = torch.tensor(2.0, requires_grad=True)
    assert [len(nodes(ride(rate, [1, 2, km]))) for km in (4, 4.1)] == [6, 7]


def test_a_thousand_readings_leave_23_graphs(ran):
    assert ran.printed["cell-19"].startswith("23 graphs")


def test_one_recording_is_wrong_for_869_readings_and_guarded_ones_for_none(ran):
    assert ran.printed["cell-21a"].startswith("869 of 1000 are wrong")
    assert ran.printed["cell-22"] == "23 recordings, 0 wrong\n"


def test_a_threshold_that_is_only_compared_gets_no_gradient(ran):
    none, still, after = ran.printed["cell-27"].splitlines()
    assert none == "t.grad after one step: None"
    assert still == "nudging t: 0.0"
    assert "t 2.80" in after and "rate 2.80" not in after and "rate 2.00" not in after


@pytest.mark.parametrize("t", [2.8, 8.8, 0.0, 3.14])
def test_the_hard_rule_is_drawn_as_a_jump_and_not_as_a_slope(ran, t):
    nb03, hard, soft = (ran.names[name] for name in ("nb03", "hard", "soft"))
    svg = nb03.rules(hard, soft, t).svg
    path = next(d for d in re.findall(r' d="([^"]+)"', svg) if d.count("L") > 50)
    points = [
        [tuple(map(float, point.split())) for point in line.split("L")]
        for line in path.split("M")[1:]
    ]
    (*_, (end, at_zero)), ((begin, _), *_) = points
    assert begin - end <= 0.1  # both ends stand at t
    assert {y for _, y in points[0]} == {at_zero}  # flat as far as t


def test_a_soft_threshold_learns(ran):
    gradient, nudged, after = ran.printed["cell-28c"].splitlines()
    assert gradient.split()[-1] == nudged.split()[-1] and gradient.split()[-1].startswith("-")
    assert after == "after 100 steps: t 6.22, rate 3.10"
    receipts, distances = ran.names["receipts"], ran.names["distances"]
    assert ((receipts > 0) == (distances > 6.2)).all() and len(distances) == 20


def test_a_soft_threshold_that_starts_too_high_comes_down(ran):
    nb03, loss, soft = (ran.names[name] for name in ("nb03", "loss", "soft"))
    t, rate = nb03.leaves(8.8, 2.0)
    nb03.fit(lambda _: loss(t, rate, soft), [t, rate], 1, lr=0.01)
    nudged = nb03.nudged(loss, 8.8, h=1e-4, rate=2.0, rule=soft)
    assert t.grad.item() > 0 and abs(t.grad.item() - nudged) < 1e-3
    nb03.fit(lambda _: loss(t, rate, soft), [t, rate], 100, lr=0.01)
    assert round(t.item(), 2) == 6.22


def test_a_hard_threshold_that_is_too_high_leaves_the_rate_right(ran):
    nb03, loss, hard = (ran.names[name] for name in ("nb03", "loss", "hard"))
    t, rate = nb03.leaves(8.8, 2.0)
    nb03.fit(lambda _: loss(t, rate, hard), [t, rate], 100, lr=0.01)
    assert (round(t.item(), 2), round(rate.item(), 2)) == (8.8, 3.0)
    assert loss(t, rate, hard).item() > 100  # the rides from 6.2 to 8.8 km cost nothing


def test_the_sides_of_ones_own_jump_are_told(ran, capsys):
    nb03 = ran.names["nb03"]
    assert ran.printed["cell-46e"]
    nb03.tell_jump(lambda x: x * x if x > 1 else -x, 1)
    before, after, between, _ = capsys.readouterr().out.splitlines()
    assert before.startswith("just before 1: the value is -0.9999")
    assert before.endswith("backward() says -1, and nudging on this side -1")
    assert after.endswith("backward() says 2, and nudging on this side 2")
    assert between == "Between them the value moves by 2."
    nb03.tell_jump(..., ...)
    assert "once the check above" in capsys.readouterr().out


def test_a_pole_is_a_jump_and_a_steep_line_is_none(ran):
    judge = ran.names["nb03"].judge_own_jump
    assert judge((lambda x: 1 / x, 0)) == ""
    assert "nothing jumps" in judge((lambda x: 1e9 * x, 0.5))


def test_at_a_kink_the_sides_differ_and_the_line_that_clips_decides(ran):
    _, *rows = ran.printed["cell-34"].splitlines()
    rows = [row for row in rows if not row.endswith(":")]
    left, right, *lines = ([float(number) for number in row.split()[-3:]] for row in rows)
    assert left == [3, 4, 0] and right == [3, 0, 0]
    assert lines == [[3, 4, 0], [3, 2, 0], [3, 0, 0], [3, 4, 0]]
    below, up_to = rows[-2:]
    assert "x < 2" in below and "x <= 2" in up_to


def test_each_printed_line_is_the_one_that_was_run(ran):
    nb03, torch = ran.names["nb03"], ran.names["torch"]
    for line, clipped in nb03.CLIPPED.items():
        for x in (1.5, 2.0, 2.5):
            typed = nb03.slope(lambda leaf, line=line: eval(line, {"torch": torch, "x": leaf}), x)
            assert typed == nb03.slope(clipped, x)


def test_an_optimizer_moves_only_what_it_was_told_of(ran):
    sizes, untold, told = ran.printed["cell-37"].splitlines()
    assert sizes == "nodes at step 49: 4   at step 50: 6"
    assert untold.endswith("3.40 per km, 0.00 per suitcase")
    assert told.endswith("3.00 per km, 2.00 per suitcase")


def test_the_published_polynomial_has_no_extra_term_a_third_of_the_time(ran):
    lines = ran.printed["cell-46"].splitlines()
    assert [line.split()[0] for line in lines] == ["0", "1", "2"]
    assert all(900 < int(line.split()[-2]) < 1100 for line in lines)
