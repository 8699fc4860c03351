"""What notebook 09 claims, asserted on the notebook as it was run. Times are not claimed."""

from __future__ import annotations

import contextlib
import itertools
import random
import re
import sys
import threading

import numpy as np
import pytest

import minigrad as torch


def runs(ran):
    return ran.names["nb09_runs"]


def questions(ran):
    return ran.names["nb09"]


# ------------------------------------------------------------------------------ work and span


def test_the_same_additions_have_a_span_of_3_in_pairs_and_of_7_one_by_one(ran):
    told = ran.printed["pairs-run"].splitlines()
    assert [" ".join(line.split()) for line in told[:4]] == [
        "in_pairs work 7, span 3",
        "parallelism 2.3",
        "one_by_one work 7, span 7",
        "parallelism 1.0",
    ]
    assert questions(ran).in_pairs().answer == 3 and questions(ran).one_by_one().answer == 7
    assert ran.printed["setup"].count("120.0 after 7 additions") == 2


def test_brackets_change_the_last_digit_but_not_of_these_fares(ran):
    assert 0.1 + (0.2 + 0.3) != 0.1 + 0.2 + 0.3
    fares = list(ran.names["fares"].values())
    assert len({sum(order) for order in itertools.islice(itertools.permutations(fares), 500)}) == 1


@pytest.mark.parametrize("spans", [3, 4, 5, 6, 7])
def test_brackets_can_be_set_for_each_span(ran, spans):
    brackets = {
        3: "((a+b)+(c+d))+((e+f)+(g+h))",
        4: "((a+b)+(c+d))+((e+f)+g+h)",
        5: "(a+b+c)+(d+e+f+g+h)",
        6: "(a+b)+(c+d+e+f+g+h)",
        7: "a+b+c+d+e+f+g+h",
    }
    program = eval(f"lambda a, b, c, d, e, f, g, h: {brackets[spans]}")
    assert runs(ran).span(runs(ran).graph(program, **ran.names["fares"])) == spans


def random_tasks(ran, seed):
    """Tasks of which each waits for some of those before it."""
    draw = random.Random(seed)
    names = [f"t{number}" for number in range(draw.randint(1, 14))]
    return [
        runs(ran).Task(
            name, draw.randint(1, 9), tuple(draw.sample(names[:at], draw.randint(0, min(at, 3))))
        )
        for at, name in enumerate(names)
    ]


def longest(tasks):
    """By trying every path."""
    known = {task.name: task for task in tasks}

    def back(name):
        return known[name].cost + max(map(back, known[name].waits_for), default=0)

    return max(map(back, known))


@pytest.mark.parametrize("seed", range(20))
def test_the_span_is_the_longest_of_all_paths(ran, seed):
    tasks = random_tasks(ran, seed)
    assert runs(ran).span(tasks) == longest(tasks)


# ---------------------------------------------------------------------------------- schedules


def test_as_many_numbers_as_there_are_are_added_in_pairs(ran):
    for count in range(1, 10):
        assert runs(ran).added_in_pairs(list(range(count))) == sum(range(count))
    with pytest.raises(ValueError, match="at least one ride"):
        runs(ran).added_in_pairs([])


def test_nobody_cannot_do_the_tasks(ran):
    graph, tasks = ran.names["loss_graph"], ran.after("meet-run")["tasks"]
    for run in (
        lambda: runs(ran).schedule(graph, 0),
        lambda: runs(ran).shared(tasks, ["first"], workers=0),
        lambda: ran.names["drawings"].handed_out(graph, workers=0, overhead=4),
        lambda: ran.names["drawings"].schedules(graph, 0),
    ):
        with pytest.raises(ValueError, match="nobody would do the tasks"):
            run()


def test_the_four_rides_are_done_at_these_minutes(ran):
    graph = ran.names["loss_graph"]
    ends = {count: runs(ran).ends(runs(ran).schedule(graph, count)) for count in (1, 2, 3, 4, 100)}
    assert ends == {1: 19, 2: 10, 3: 10, 4: 6, 100: 6}
    told = re.findall(r"workers: +(\d+) +done at minute (\d+)", ran.printed["schedule-run"])
    assert {int(count): int(end) for count, end in told} == ends
    assert runs(ran).work(graph) == questions(ran).operations().answer == 19
    assert runs(ran).span(graph) == 6
    assert questions(ran).two_workers().answer == 10
    assert questions(ran).three_workers().answer == "when two workers are"
    assert questions(ran).hundred_workers().answer == 6


def test_another_order_lets_three_workers_be_done_at_minute_8(ran):
    """What is farthest from the end goes first."""
    graph = ran.names["loss_graph"]
    height = {}
    for task in reversed(graph):
        behind = [height[other.name] for other in graph if task.name in other.waits_for]
        height[task.name] = 1 + max(behind, default=0)
    by_height = sorted(graph, key=lambda task: -height[task.name])
    assert runs(ran).ends(runs(ran).schedule(by_height, 3)) == 8


def test_taking_turns_lets_three_workers_be_done_at_minute_8(ran):
    assert runs(ran).ends(runs(ran).schedule(ran.after("in-turn")["in_turn"], 3)) == 8
    assert runs(ran).work(ran.names["loss_graph"]) > 3 * 6


def test_a_fifth_ride_costs_one_worker_five_minutes_and_a_hundred_workers_one(ran):
    def five_rides(rate):
        squares = [(rate * km + 4 - 10) ** 2 for km in range(1, 6)]
        return runs(ran).added_in_pairs(squares)

    graph = runs(ran).graph(five_rides, rate=2.0)
    ends = [runs(ran).ends(runs(ran).schedule(graph, workers)) for workers in (1, 100)]
    assert ends == [19 + 5, 6 + 1]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("workers", [1, 2, 3, 4])
def test_a_schedule_keeps_the_rules_and_graham_s_promise(ran, seed, workers):
    tasks = random_tasks(ran, seed)
    turns = runs(ran).schedule(tasks, workers)
    ends = {turn.name: turn.ends for turn in turns}
    assert sorted(ends) == sorted(task.name for task in tasks)
    for turn in turns:
        task = next(task for task in tasks if task.name == turn.name)
        assert turn.ends - turn.begins == task.cost
        assert all(ends[other] <= turn.begins for other in task.waits_for)
    for worker in range(workers):
        own = sorted((turn.begins, turn.ends) for turn in turns if turn.worker == worker)
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(own))
    work, span, end = runs(ran).work(tasks), runs(ran).span(tasks), runs(ran).ends(turns)
    assert max(span, work / workers) <= end <= span + work / workers


def test_of_the_seven_tasks_the_simple_rule_makes_9_minutes_and_8_can_be_had(ran):
    planned = runs(ran).PLANNED
    assert runs(ran).ends(runs(ran).schedule(planned, 2)) == 9
    assert runs(ran).span(planned) == 8
    assert "2 workers, done at minute 9." in ran.printed["plan-show"]


def test_a_plan_that_somebody_writes_is_followed(ran):
    judges = __import__("exercises.nb09_plan", fromlist=["followed"])
    done, stuck = judges.followed(
        [["wheel", "brake", "out"], ["doors", "water", "seats", "windows"]], runs(ran).PLANNED
    )
    assert max(done.values()) == 8 and stuck == ""


# -------------------------------------------------------------------------------------- costs


def test_the_program_in_pairs_has_more_parallelism_and_takes_32_times_as_long(ran):
    right, paired, told = ran.printed["chain-run"].splitlines()
    assert right.split()[-1] == f"{4 * 64**2:,}" and paired.split()[-1] == f"{2 * 64**3 + 64**2:,}"
    assert told.endswith("32.2 times as long")
    assert round((2 * 64**3 + 64**2) / (4 * 64**2), 1) == 32.2
    assert questions(ran).cost().answer == 64 * 64
    with pytest.raises(ValueError, match="side be 1 or more"):
        runs(ran).times_as_long(0, 0)
    assert (3 * 64**3 + 64**2) / (2 * 64**3 + 64**2) > 1
    assert questions(ran).which_first().answer == "from_the_right"


def test_with_a_side_of_1_the_pairs_win_3_to_4(ran):
    given = {name: torch.ones(1, 1) for name in "ABCD"} | {"v": torch.ones(1)}
    programs = (ran.names["paired"], ran.names["from_the_right"])
    graphs = [runs(ran).costed(program, **given) for program in programs]
    assert [runs(ran).span(graph) for graph in graphs] == [3, 4]


def test_of_all_brackets_these_cost_the_fewest_multiply_adds(ran):
    judges = __import__("exercises.nb09_judges", fromlist=["FEWEST"])
    ways = ["X@A@B@C", "(X@A)@(B@C)", "X@(A@B)@C", "X@(A@(B@C))", "X@(A@B@C)"]
    costs = [
        runs(ran).work(runs(ran).costed(eval(f"lambda X, A, B, C: {way}"), **judges.seeded()))
        for way in ways
    ]
    assert costs == [81_000, 80_256, 2_884, 2_140, 1_896] and min(costs) == judges.FEWEST
    assert 3 * 64 * 2 == 384 and 3 * 2 * 2 == 12 and 250 * 3 * 2 == 1_500
    assert judges.FEWEST == 384 + 12 + 1_500
    assert judges.SHAPES == {"X": (250, 3), "A": (3, 64), "B": (64, 2), "C": (2, 2)}


def test_both_programs_make_the_same_list(ran):
    names = ran.names
    tables = {name: one.double() for name, one in names["matrices"].items()}
    v = torch.randn(names["side"]).double()
    found = [names[name](**tables, v=v).numpy() for name in ("from_the_right", "paired")]
    assert np.allclose(*found)


@pytest.mark.parametrize("depth", [1, 2, 5, 8])
def test_the_way_back_has_nearly_twice_the_products_and_the_same_span(ran, depth):
    ways = runs(ran).products(ran.names["network"], depth)
    assert len(ways.forward) == depth and len(ways.back) == 2 * depth - 1
    assert runs(ran).span(ways.forward) == runs(ran).span(ways.back) == depth
    assert runs(ran).ends(runs(ran).schedule(ways.back, 2)) == depth


def test_eight_layers_are_told_as_they_are(ran):
    told = [line.split() for line in ran.printed["back-run"].splitlines()[:2]]
    assert told == [
        ["forward", "pass:", "8", "products,", "span", "8"],
        ["backward", "pass:", "15", "products,", "span", "8"],
    ]
    assert questions(ran).way_back().answer == 8


def test_a_network_that_is_no_chain_of_layers_is_drawn_without_the_names(ran):
    def twice(x, weights):
        return sum(torch.tanh(x @ w).sum() for w in weights)

    ways = runs(ran).products(twice, 3)
    assert len(ways.forward) == len(ways.back) == 3
    ran.names["drawings"].planned(ways.back, 2)


# ------------------------------------------------------------------------------- real workers


def test_two_rides_meet_as_tasks_and_not_line_by_line(ran):
    if not runs(ran).has_threads():
        pytest.skip("no threads here")
    told = dict(re.findall(r"(\w+) +the two rides met: (\w+)", ran.printed["meet-run"]))
    assert told == {"lines": "False", "run_tasks": "True"}
    answers = [questions(ran).line_by_line(), questions(ran).as_tasks()]
    assert [one.answer == "they meet" for one in answers] == [False, True]


def test_two_rides_of_which_one_needs_the_other_do_not_meet(ran):
    ride = runs(ran).ride
    chain = {"first": (ride, 2.0, 3), "second": (ride, "first", 5)}
    names = ["first", "second"]
    assert not runs(ran).do_they_meet(lambda: runs(ran).shared(chain, names), 0.05)
    assert runs(ran).shared(chain, names) == [10.0, 54.0]


def test_one_worker_alone_meets_nobody(ran):
    tasks = ran.after("meet-run")["tasks"]
    for get in (runs(ran).alone, lambda *given: runs(ran).pooled(*given, workers=1)):
        assert not runs(ran).do_they_meet(lambda get=get: get(tasks, ["first", "second"]), 0.05)


@pytest.mark.threads
def test_the_pool_hands_out_what_dask_would(ran):
    compiled, given = runs(ran).branches(8)
    tasks, names = compiled.to_dask(*given)
    wanted = compiled(*given).item()
    for get in (runs(ran).alone, runs(ran).shared, lambda *g: runs(ran).pooled(*g, workers=2)):
        assert get(tasks, names)[0] == pytest.approx(wanted, rel=1e-5)
    two = ran.after("meet-run")["tasks"]
    both = ["first", "second"]
    assert runs(ran).do_they_meet(lambda: runs(ran).pooled(two, both, workers=2), 10.0)


def test_without_threads_and_without_dask_it_says_so_and_goes_on(ran, monkeypatch, capsys):
    monkeypatch.setattr(runs(ran), "has_dask", lambda: False)
    assert "Dask is not installed" in runs(ran).who_works()
    monkeypatch.setattr(runs(ran), "has_threads", lambda: False)
    assert "no threads" in runs(ran).who_works()
    runs(ran).compare(runs(ran).eight, (1, 64, 256, 7))
    runs(ran).mention_threads()
    told = capsys.readouterr().out.splitlines()
    assert all("recorded" in line for line in told[2:6]) and "no threads" in told[6]
    tasks = ran.after("meet-run")["tasks"]
    assert runs(ran).shared(tasks, ["first", "second"]) == [10.0, 14.0]
    assert not runs(ran).do_they_meet(lambda: runs(ran).shared(tasks, ["first", "second"]), 10.0)


def test_where_no_thread_can_be_started_it_is_noticed(ran, monkeypatch):
    def refused(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    assert not runs(ran).has_threads()


def test_times_are_printed_for_three_sizes(ran):
    rows = [line for line in ran.printed["times-run"].splitlines() if "µs" in line]
    assert [row.split()[0] for row in rows] == ["1", "64", "256"]
    assert all(row.rstrip().endswith(("measured here", "two processors")) for row in rows)


def test_large_products_are_timed_with_one_thread_and_with_as_many_as_there_are(ran):
    """Which of them is quicker is up to the machine, and not asserted."""
    told = ran.printed["large-run"].splitlines()
    rows = [line for line in told if line.startswith(("1 thread", "any number"))]
    assert [row.split("  ")[0] for row in rows] == ["1 thread", "any number"] * 2
    assert all("measured here)" in row or "not measured" in row for row in rows[:2])
    assert all(row.endswith("(recorded)") for row in rows[2:])
    assert "clearly less" in rows[2] and "about the same" in rows[3]
    assert questions(ran).large_tasks().answer == "clearly less time"
    assert questions(ran).shared_already().answer == "about as long"


def test_on_paper_two_workers_pay_unless_a_product_is_shared_already(ran):
    product, handed = 4000, 200
    ends = {}
    for case, takes in (("alone", product), ("shared", product / 2)):
        ends[case] = 8 * takes
    assert 4 * (product + handed) == 16800 < 0.8 * ends["alone"] == 0.8 * 32000
    assert ends["shared"] == 16000 < 8 * (product + handed) / 2 == 16800
    words = [ran.names["nb09_pays"].in_words(ratio) for ratio in (0.5, 0.9, 1.25, 2.0)]
    assert words == ["clearly less", "about the same", "about the same", "more"]


@pytest.mark.threads
def test_the_new_python_is_told_how_many_threads_a_product_may_take(ran, monkeypatch):
    pays = ran.names["nb09_pays"]
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    child = "import json, os; print(json.dumps([os.environ.get('OMP_NUM_THREADS', 0), 2]))"
    monkeypatch.setattr(pays, "CHILD", child)
    assert pays.timed(8, "1") == ("1", 2) and pays.timed(8, None) == (0, 2)


def test_where_no_process_can_be_started_the_recorded_times_are_shown(ran, monkeypatch, capsys):
    pays = ran.names["nb09_pays"]

    def refused(*given, **more):
        raise OSError("no processes here")

    monkeypatch.setattr(pays.subprocess, "run", refused)
    pays.large(64)
    monkeypatch.setattr(runs(ran), "has_threads", lambda: False)
    pays.large()
    told = capsys.readouterr().out.splitlines()
    rows = [line for line in told if "µs" in line]
    assert len(rows) == 4 and all("(recorded)" in row for row in rows)
    assert sum("not measured: no second Python" in line for line in told) == 4
    assert sum("1024 x 1024" in line and "recorded" in line for line in told) == 2
    for side in (0, 8000):
        with pytest.raises(ValueError, match="from 1 to 2048"):
            pays.large(side)


@pytest.mark.threads
def test_what_the_new_python_runs_prints_two_times(ran, capsys):
    ran.names["nb09_pays"].time_here(8)
    one, two = eval(capsys.readouterr().out)
    assert one > 0 and two > 0


@pytest.mark.threads
def test_for_another_side_no_run_of_this_side_is_shown_beside_it(ran, monkeypatch, capsys):
    pays = ran.names["nb09_pays"]
    monkeypatch.setattr(pays, "timed", lambda side, threads: (20.0, 10.0))
    for side, blocks in ((64, 1), (1024, 2)):
        pays.large(side)
        assert capsys.readouterr().out.count("per product") == blocks


def names_written(drawing):
    return set(re.findall(r">([a-z]\w*(?:…\w+)?)</text>", drawing.svg)) - {"minute"}


def test_in_the_drawings_of_the_exercises_each_box_has_its_name(ran):
    nb09 = questions(ran)
    mine = [[f"v{n}" for n in range(at, 17, 4)] for at in range(1, 5)] + [["v17", "v18", "v19"]]
    named = {"v1…v13", "v2…v14", "v3…v15", "v4…v16", "v17…v19"}
    assert names_written(nb09.draw_groups(mine)) == named
    alone = [[f"v{n}"] for n in range(1, 20)]
    assert names_written(nb09.draw_groups(alone)) == {name for (name,) in alone}
    jobs = list(runs(ran).JOBS)
    assert names_written(nb09.draw_plan([jobs, []])) >= set(jobs)
    shown = ran.names["drawings"].levels(runs(ran).PLANNED).svg
    assert all(f">{task.name} ({task.cost:g})<" in shown for task in runs(ran).PLANNED)


def test_arrows_pass_between_the_boxes(ran):
    drawings = ran.names["drawings"]

    def formula(x, y):
        return ((x * y + 3) ** 2 + torch.sin(x) * y) / (y + x)

    graph = runs(ran).graph(formula, x=2.0, y=3.0)
    columns, ways = drawings.laid_out(graph)
    for way in ways:
        levels = [next(n for n, column in enumerate(columns) if stop in column) for stop in way]
        assert levels == list(range(levels[0], levels[-1] + 1))
    assert {stop for column in columns for stop in column if isinstance(stop, str)} == {
        task.name for task in graph
    }


def test_the_products_are_named_after_what_they_make(ran):
    network = ran.names["network"]
    ways = runs(ran).products(network, 3)
    assert [task.name for task in ways.forward] == ["h1", "h2", "h3"]
    waits = {task.name: set(task.waits_for) for task in ways.back}
    assert {task.name for task in ways.back} == {"g2", "g1", "w3", "w2", "w1"}
    wanted = {"g2": set(), "g1": {"g2"}, "w3": set(), "w2": {"g2"}, "w1": {"g1"}}
    assert {name: {o for o in others if o in wanted} for name, others in waits.items()} == wanted
    assert [task.name for task in runs(ran).products(network, 1).back] == ["w1"]


def test_the_backward_pass_visits_one_node_after_the_other_in_one_thread(ran):
    """Though four could be visited at once, as the hooks see."""
    meeting = runs(ran).Meeting()
    meeting.patience = 0.02
    threads = []
    rate = torch.tensor(2.0, requires_grad=True)
    squares = [(rate * km + 4 - fare) ** 2 for km, fare in ran.names["rides"]]
    for square in squares:
        square.register_hook(lambda g: (threads.append(threading.get_ident()), meeting.enter())[0])
    ((squares[0] + squares[1]) + (squares[2] + squares[3])).backward()
    assert len(threads) == questions(ran).walkers().answer == 4
    assert set(threads) == {threading.get_ident()} and not meeting.met


def test_the_gradient_that_the_stepper_shows_is_that_of_a_nudge(ran):
    rate = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    ran.names["four_rides"](rate).backward()
    above, below = (ran.names["four_rides"](2.0 + nudge) for nudge in (1e-6, -1e-6))
    assert re.findall(r"-?\d+\.\d{3}", ran.printed["walk"])[:2] == ["-204.000"] * 2
    assert rate.grad.item() == -204 == pytest.approx((above - below) / 2e-6, rel=1e-6)


@pytest.mark.threads
@pytest.mark.untraced
def test_small_tasks_take_far_more_calls_to_hand_out_than_to_do(ran):
    """What the times of ``times-run`` come from: calls are counted, and not stopped."""
    compiled, given = runs(ran).branches(1)
    tasks, names = compiled.to_dask(*given)
    counts = []
    for run in (lambda: compiled(*given), lambda: runs(ran).pooled(tasks, names, 2)):
        seen = []

        def count(frame, event, argument, seen=seen):
            seen.append(event)

        threading.setprofile(count)
        sys.setprofile(count)
        try:
            run()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
        counts.append(sum("call" in event for event in seen))
    assert counts[1] > 5 * counts[0]


def test_handing_out_makes_four_workers_slower_than_one(ran):
    graph = ran.names["loss_graph"]
    end = runs(ran).ends(runs(ran).schedule(graph, 4, overhead=4))
    assert end == questions(ran).handing_out().answer == 30 == 6 * 5
    assert (
        "4 workers, and 4 minutes to hand out each task, done at minute 30"
        in (ran.printed["handing-run"])
    )


def test_five_larger_tasks_are_done_at_minute_15(ran):
    graph = ran.names["loss_graph"]
    names = [task.name for task in graph]
    parts = [names[at : at + 4] for at in range(0, 16, 4)] + [names[16:]]
    grouped = runs(ran).grouped(graph, parts)
    assert runs(ran).ends(runs(ran).schedule(grouped, 4, overhead=4)) == 4 + 4 + 4 + 3


def test_malformed_attempts_are_no_tries(ran):
    tries = __import__("minigrad.lesson.tries", fromlist=["forget"])
    check, nb09 = ran.names["check"], questions(ran)
    tries.forget()
    jobs = list(runs(ran).JOBS)
    for attempt in (8, [["doors"], ["water"]], [["doors"], jobs], [["tea"], jobs]):
        assert check(nb09.plan, attempt).rung == 0
    assert check(nb09.plan, [jobs, []]).rung == 1
    for attempt in (8, [["v1"]], ["v1", "v2"], [["x"]]):
        assert check(nb09.groups, attempt).rung == 0
    assert check(nb09.span, 8).rung == 0
    assert check(nb09.span, lambda tasks: "long").rung == 0
    assert check(nb09.own, (None, {}, 1, 1)).rung == 0
    tries.forget()


def test_in_a_half_filled_function_the_open_gap_is_named(ran):
    def first(tasks):
        done = {}
        for name, _, _ in tasks:
            done[name] = ...
        return max(done.values())

    def second(tasks):
        done = {name: cost for name, cost, _ in tasks}
        return ... if done else 0

    def names_for_times(tasks):
        return max(max(waits_for, default=0) + cost for _, cost, waits_for in tasks)

    found = [ran.names["check"](questions(ran).span, one) for one in (first, second)]
    assert "when is a task done?" in found[0].text and found[0].rung == 0
    assert "what does the function return?" in found[1].text and found[1].rung == 0
    found = ran.names["check"](questions(ran).span, names_for_times)
    assert "waits_for holds the names" in found.text and found.rung == 0


def test_a_plan_is_drawn_as_the_learner_wrote_it(ran, capsys):
    draw, jobs = questions(ran).draw_plan, runs(ran).JOBS
    told = draw([["wheel", "brake", "out"], ["doors", "water", "seats", "windows"]]).alt
    first = "wheel 0 to 3, brake 3 to 7, out 7 to 8"
    assert told.startswith(f"your plan, done at minute 8. worker 1: {first}")
    for rows in ([[...], [...]], [["doors"], ["water"]], [list(jobs[::-1]), []], 8):
        assert draw(rows) is None
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("Fill in") and all("cannot be drawn yet" in one for one in said[1:])


def test_a_name_that_is_no_task_is_no_text_like_any_other(ran):
    ride, names = runs(ran).ride, ["first", "second"]
    typo = {"first": (ride, 2.0, 3), "second": (ride, "frist", 5)}
    for tasks, asked in ((typo, names), ({"first": (ride, 2.0, 3)}, names)):
        with pytest.raises(ValueError, match="is none of the tasks: first"):
            runs(ran).shared(tasks, asked)


def test_a_ride_costs_what_the_formula_of_the_four_rides_says_in_two_operations(ran):
    graph = runs(ran).graph(lambda rate: rate * 3 + 4, rate=2.0)
    assert len(graph) == 2 and runs(ran).ride(2.0, 3) == 2.0 * 3 + 4


def test_two_models_leave_fewer_tasks_and_none_leaves_none(ran, capsys):
    for count in (2, 0):
        runs(ran).show_tasks(lambda x, ws, n=count: sum(torch.tanh(x @ w).sum() for w in ws[:n]))
    told = [line for line in capsys.readouterr().out.splitlines() if "tasks" in line]
    assert told[0].startswith("8 tasks") and told[1].startswith("0 tasks: without a model")
    runs(ran).compare(lambda x, ws: sum(torch.tanh(x @ w).sum() for w in ws[:0]), (1, 64))
    assert capsys.readouterr().out == told[1] + "\n"
    with pytest.raises(ValueError, match="from 1 to 2048"):
        runs(ran).compare(runs(ran).eight, (8, 0))


def test_tasks_that_can_never_begin_are_told_so(ran):
    ride, names = runs(ran).ride, ["first", "second"]
    alone = {"first": (ride, 2.0, 3), "second": (ride, "second", 5)}
    both = {"first": (ride, "second", 3), "second": (ride, "first", 5)}
    for tasks, said in ((alone, "'second' waits for itself"), (both, "'first' and 'second' wait")):
        with pytest.raises(ValueError, match=said):
            runs(ran).shared(tasks, names)


def test_a_very_wide_drawing_is_not_shrunk(ran):
    drawings, ways = ran.names["drawings"], runs(ran).products(ran.names["network"], 30)
    page = drawings.planned(ways.back, 2)._repr_html_()
    assert "overflow-x:auto" in page and "max-width:none" in page
    assert "overflow-x" not in drawings.levels(ran.names["loss_graph"])._repr_html_()


def test_as_many_workers_as_a_graph_can_use(ran):
    judges = __import__("exercises.nb09_own", fromlist=["enough_workers"])
    assert judges.enough_workers(ran.names["loss_graph"]) == 4
    assert judges.enough_workers(runs(ran).PLANNED) == 3


def test_a_function_of_ones_own_that_fails_is_not_drawn(ran, capsys):
    nb09 = questions(ran)
    assert nb09.draw_own(lambda x, y: x * z, {"x": 2.0, "y": 3.0}) is None  # noqa: F821
    assert nb09.draw_own(lambda x, y: ..., {"x": 2.0, "y": 3.0}) is None
    assert nb09.draw_own(lambda x, y: x * y, [2.0]) is None
    told = capsys.readouterr().out
    assert "NameError" in told and "Fill in the cell above" in told


def test_a_graph_of_ones_own_is_drawn_when_three_numbers_are_written_down(ran, capsys):
    nb09, inputs = questions(ran), {"x": 2.0, "y": 3.0}

    def mine(x, y):
        return torch.sin(x * y) * (x + y) - x**2

    for numbers in ((6, 4, ...), ("six", 4, 2)):
        with contextlib.suppress(ValueError):
            nb09.own.judge((mine, inputs, *numbers))
        assert nb09.draw_own(mine, inputs) is None
        assert "your three numbers" in capsys.readouterr().out
    assert "the span" in nb09.own.judge((mine, inputs, 6, 5, 2))
    assert "3 workers" in nb09.draw_own(mine, inputs).alt


def test_tasks_that_the_check_refuses_are_not_drawn(ran, capsys):
    rides = [[f"v{n}" for n in range(at, at + 4)] for at in (1, 5, 9, 13)]
    sums = ["v17", "v18", "v19"]
    for refused in (
        [rides[0][::-1], *rides[1:], sums],
        [*rides, [*sums, "v20"]],
        [*rides, [*sums, "v4"]],
        [*rides, sums[:2]],
    ):
        assert questions(ran).draw_groups(refused) is None
        assert "cannot be drawn yet" in capsys.readouterr().out
    assert questions(ran).draw_groups([*rides, sums]) is not None


def test_without_widgets_the_visits_are_told_in_words(ran, capsys):
    runs(ran).in_words(ran.names["four_rides"], rate=2.0)
    told = capsys.readouterr().out
    assert "visits, one by one: v19 +, v18 +" in told and told.rstrip().endswith("v1 ×.")


# ---------------------------------------------------------------------------- a wide operation


def test_vectors_of_250_rides_take_4_operations(ran):
    assert questions(ran).wide().answer == 4
    one, two = ran.printed["wide-run"].splitlines()
    assert "1,000 operations, which make 1,000 numbers" in one
    assert "4 operations, which make 1,000 numbers" in two
    rate = torch.tensor(2.0)
    alone = [float(one) for one in ran.names["each_by_itself"](rate)]
    assert ran.names["as_vectors"](rate).tolist() == alone


def test_lanes_help_a_wide_operation_only(ran):
    one, many = (
        [int(n.replace(",", "")) for n in re.findall(r"[\d,]+$|[\d,]+(?= +as)", line)]
        for line in ran.printed["lanes-run"].splitlines()
    )
    assert one == [51000, 1200] and many == [51000, 204]  # with a launch of 50
    assert questions(ran).with_lanes().answer == "as long as before"


def test_with_a_queue_an_operation_takes_the_longer_of_launch_and_work(ran):
    """The model of the notebook adds them, which changes little for the rides one by one."""
    minutes = ran.names["minutes"]
    with pytest.raises(ValueError, match="at least one lane"):
        minutes(4, 250, 0)
    assert minutes(1000, 1, 1000) == 51_000 and 1000 * max(50, 1) == 50_000


# ------------------------------------------------------------------------------------ the rest


def test_the_questions_about_earlier_notebooks(ran):
    def doubled(y):
        for _ in range(20):
            y = y + y
        return y

    graph = runs(ran).graph(doubled, y=1.0)
    assert len(graph) == questions(ran).visits().answer == 20
    rate = torch.tensor(2.0, requires_grad=True)
    (rate * torch.tensor([3.0, 5.0, 2.0])).sum().backward()
    assert rate.grad.item() == questions(ran).one_rate().answer == 10

    def loop(y):
        while y <= 100:
            y = y * 2

    graph = runs(ran).graph(loop, y=1.0)
    assert len(graph) == 7
    assert runs(ran).work(graph) / runs(ran).span(graph) == questions(ran).a_loop().answer == 1


def test_on_paper(ran):
    def formula(a, b, c, d, x):
        return (a * x + b) * (x * x) + (c * x + d)

    graph = runs(ran).graph(formula, a=1.0, b=2.0, c=3.0, d=4.0, x=5.0)
    assert runs(ran).work(graph) == 7
    best = min(
        runs(ran).ends(runs(ran).schedule(list(order), 2))
        for order in itertools.permutations(graph)
    )
    assert best == runs(ran).span(graph) == questions(ran).on_paper().answer == 4
