"""What notebook 10 claims, asserted on the notebook as it was run. Times are not claimed."""

from __future__ import annotations

import gc
import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import minigrad as torch


def runs(ran):
    return ran.names["nb10_runs"]


def questions(ran):
    return ran.names["nb10"]


def amplify(ran):
    return ran.after("best-guess")["amplify"]


def test_the_notes_of_a_ride_are_two_lines(ran):
    assert ran.printed["notes"].split("\n")[:2] == ["v1 = mul(rate, km)", "v2 = add(v1, 4.0)"]


def test_the_first_cell_shows_a_recording_that_is_wrong(ran):
    recorded, function = ran.printed["setup"].splitlines()
    assert recorded.endswith(" -3072.0") and function.endswith(" -153.6")
    doublings = [[one.operation for one in runs(ran).notes(amplify(ran), a=a)] for a in (1.0, -3.0)]
    assert [one.count("mul") for one in doublings] == [10, 9]
    assert [one.count("div") for one in doublings] == [0, 1]


def test_a_ride_of_5_km_is_right_from_a_recording_of_3(ran):
    assert "the recording says 19.0 and fare 19.0" in ran.printed["ride"]


def test_a_recording_names_the_input_that_it_lacks(ran):
    recording = runs(ran).capture(amplify(ran), a=1.0)
    with pytest.raises(TypeError, match="recording of amplify needs a number for a"):
        recording(km=5.0)


def test_the_slope_of_tanh_is_one_less_the_square_of_its_result(ran):
    h = torch.tensor([-2.0, 0.0, 0.5], dtype=torch.float64, requires_grad=True)
    t = torch.tanh(h)
    t.sum().backward()
    assert np.allclose(h.grad.numpy(), 1 - t.detach().numpy() ** 2)


def test_one_recording_is_wrong_for_most_readings_without_a_word(ran):
    assert "869 of 1000 are wrong" in ran.printed["best-run"]
    program = runs(ran).capture(amplify(ran), a=1.0)
    wrong = [v for v in ran.names["readings"] if program(a=v) != amplify(ran)(v)]
    assert len(wrong) == 869


def test_the_best_example_is_hardly_better(ran):
    readings = ran.names["readings"]
    right = len(readings) - runs(ran).fewest_mistaken(amplify(ran), readings)
    assert right == 156 and questions(ran).best_example().answer == "about 160"
    program = runs(ran).capture(amplify(ran), a=0.001)
    assert runs(ran).mistaken(program, amplify(ran), readings) == 1000


def test_nothing_is_doubled_20_times_but_readings_from_00095_to_0019(ran):
    def doublings(reading):
        return [line.operation for line in runs(ran).notes(amplify(ran), a=reading)].count("mul")

    assert [doublings(one) for one in (0.00095, 0.000955, 0.001, 0.0019, 0.00191)] == [
        *(21, 20, 20, 20, 19)
    ]
    assert not any(0.00095 < one < 0.0020 for one in ran.names["readings"])


def test_a_loop_without_end_is_stopped_and_explained(ran):
    def halving(a):
        while -1000 < a < 1000:
            a = a * 0.5
        return a

    for _ in range(2):
        with pytest.raises(TimeoutError, match="with 400 the function finds no end"):
            runs(ran).call(torch.compile(halving), 400.0, seconds=0.2)
    assert runs(ran).call(torch.compile(amplify(ran)), 400.0).item() == 1600
    with pytest.raises(TimeoutError, match="with one of them"):
        runs(ran).in_time(lambda: halving(3.0), "one of them", seconds=0.2)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_so_it_is_with_other_readings(ran, seed):
    readings = np.random.default_rng(seed).normal(size=1000).tolist()
    program = runs(ran).capture(amplify(ran), a=1.0)
    assert 840 < runs(ran).mistaken(program, amplify(ran), readings) < 900
    assert 820 < runs(ran).fewest_mistaken(amplify(ran), readings) < 880


def test_fewest_mistaken_tries_every_path(ran):
    readings = ran.names["readings"][:60]
    tried = [runs(ran).capture(amplify(ran), a=value) for value in readings]
    fewest = min(runs(ran).mistaken(program, amplify(ran), readings) for program in tried)
    assert runs(ran).fewest_mistaken(amplify(ran), readings) == fewest


def test_a_program_serves_those_that_go_its_way(ran):
    told = ran.printed["guards-run"]
    assert "300.0 becomes 1200.0" in told and told.count("200.0 becomes 1600.0") == 2
    assert "program 1" in told and "program 2" not in told
    assert re.search(r"(?m)an ordinary run: line 14: .*is False$", told)
    louder = ran.after("guards-run")["louder"]
    assert "v8 = np.less(v6, 1000)" in louder.programs[0].source
    assert "if bool(v8): raise Otherwise(5)" in louder.programs[0].source
    assert ran.names["louder"] is louder  # who goes back finds the one of section 3
    module = __import__("exercises.nb10", fromlist=["SAME"])
    assert questions(ran).for_300().answer == module.SAME
    assert questions(ran).for_200().answer == module.NEW


def test_23_programs_serve_1000_readings(ran):
    amplified = ran.after("programs-run")["amplified"]
    assert len(amplified.programs) == int(questions(ran).how_many().answer) == 23
    assert "23 programs, 0 results are wrong" in ran.printed["programs-run"]
    assert runs(ran).served(amplified) == 976  # the first call, and one for each program, are not


def test_the_program_of_the_step_has_one_tanh_and_ends_with_what_it_changes(ran):
    source = ran.printed["step-run"]
    assert source.count("np.tanh(") == questions(ran).again().answer == 1
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    assert lines[-1] == "return [v10]" and lines[-2].startswith("optimizer.step() ")
    changing = [number for number, line in enumerate(lines) if "_grad = " in line]
    assert changing == [len(lines) - 4, len(lines) - 3]
    assert "zero_grad" not in source
    assert not {"v1 =", "v4 =", "v6 ="} & {line.strip()[:4] for line in lines}


def test_a_result_with_a_graph_is_refused_and_a_step_with_backward_is_not(ran):
    programs, refused, fix = ran.printed["graph-refused"].splitlines()
    assert programs == "0 programs" and refused == "refused: a result still has its graph"
    assert "call backward() in the compiled function" in fix and "detach()ed" in fix
    assert not ran.names["step"].refused


def test_v3_stays_until_the_way_back_has_used_it(ran):
    lines = ran.printed["step-run"].splitlines()
    back = next(at for at, line in enumerate(lines) if "loss.backward()" in line)
    using = [line for line in lines[back:] if "v3 * v3" in line or "v3.mT" in line]
    assert len(using) == 2 and "del v3" in using[-1]
    assert any(line.strip().startswith("v3 = ") and "del v2" in line for line in lines[:back])


def test_one_arrow_leaves_v2_and_three_leave_v3(ran):
    graph = ran.names["step"].graph
    names = {key: fact.aliases[0] for key, fact in graph.facts.items() if fact.aliases}

    def readers(name):
        return [names[k] for k, f in graph.facts.items() if name in map(names.get, f.operands)]

    assert readers("v2") == ["v3"] and readers("v3") == ["v5", "v18", "v20"]
    assert "GraphView(24 operations)" in ran.printed["kept-run"]


def test_with_a_sine_both_v2_and_v3_stay(ran):
    w1 = torch.randn(4, 8, requires_grad=True)
    w2 = torch.randn(8, 1, requires_grad=True)

    @torch.compile
    def step(x, y):
        w1.grad = w2.grad = None
        loss = ((torch.sin(x @ w1) @ w2 - y) ** 2).mean()
        loss.backward()
        return loss

    for _ in range(3):
        step(torch.ones(5, 4), torch.ones(5, 1))
    lines = [line.partition("#")[0].strip() for line in step.source.splitlines()]
    back = next(at for at, line in enumerate(lines) if line.startswith("v11 = "))
    assert "v3 = np.sin(v2)" in lines[:back]
    assert not any("del v2" in line or "del v3" in line for line in lines[:back])
    assert any(line.endswith("np.cos(v2); del v2") for line in lines[back:])
    assert any("v3.mT" in line for line in lines[back:])
    assert questions(ran).kept().answer == "v2 as well as v3"


def test_the_five_lines_are_what_the_answers_say(ran):
    """Each is worked out anew, from the formulas."""
    torch.manual_seed(0)
    x, y = torch.randn(64, 4), torch.randn(64, 1)
    w1, w2 = torch.randn(4, 8), torch.randn(8, 1).requires_grad_()
    hidden = torch.tanh(x @ w1).requires_grad_()
    error = (hidden @ w2 - y).detach()
    ((hidden @ w2 - y) ** 2).mean().backward()
    v13, v14 = np.full((64, 1), 1 / 64, np.float32), 2 * error.numpy()
    v15, v3 = v13 * v14, hidden.detach().numpy()
    assert np.allclose(v15.dot(w2.detach().numpy().T), hidden.grad.numpy(), atol=1e-7)
    assert np.allclose(v3.T.dot(v15), w2.grad.numpy(), atol=1e-6)
    source = runs(ran).small_program()
    for line in ("v13 = repeated(v12, (64, 1)", "v14 = 2 * v7", "v17 = v15.dot(v16)"):
        assert line in source
    for line in ("v16 = w2.mT", "v19 = v18.dot(v15)", "v18 = v3.mT", "v21 = 1 - v20"):
        assert line in source
    assert questions(ran).lines.answer == [3, 1, 5, 2, 4]


def test_a_constant_is_frozen_in_a_recording_and_guarded_in_a_program(ran):
    first, *_ = ran.printed["frozen-run"].splitlines()
    assert first == "recording: 19.0   function: 24.0"
    assert "with the rate 4.0 says 24.0" in ran.printed["frozen-run"]
    assert "`price_per_km`" in ran.printed["frozen-run"]
    assert questions(ran).frozen().answer == 19


def test_side_effects_are_lost_or_refused(ran):
    assert ran.printed["loud-run"].count("called\n") == questions(ran).printed().answer == 2
    told = ran.printed["keeping-run"]
    assert "5 entries in seen" in told and "the call has changed `seen`" in told


def test_what_a_file_holds_is_missed_in_silence_and_found_by_a_check(ran):
    silent, checked, function = ran.printed["file-run"].splitlines()
    assert silent == "check=False: tensor(19.)"
    assert checked.startswith("check=True: AssertionError: check=True: the program and an ordinary")
    assert function == "the function: 24.0"
    assert questions(ran).from_a_file().answer == "it uses the old rate, and says nothing"


def test_another_activation_costs_one_ordinary_call(ran):
    lines = ran.printed["another"].splitlines()
    assert [int(line.split()[1]) for line in lines] == [3, 4, 4]


def test_a_plan_needs_fewer_arrays(ran):
    layers = ran.names["layers"]
    assert layers.array == 8 * 256 * 128
    for run, ordinary, planned in ((layers.forward, 3.0, 2.0), (layers.train, 11.5, 9.5)):
        compiled = torch.compile(run)
        for _ in range(3):
            compiled(layers.x)
        assert compiled.memory.planned / layers.array == planned
        assert compiled.memory.measure(layers.x) / layers.array == pytest.approx(planned, rel=0.05)
        assert runs(ran).peak(run, layers.x) / layers.array == pytest.approx(ordinary, rel=0.05)
    assert questions(ran).memory_forward().answer == 2
    assert questions(ran).memory_training().answer == "about 9.5"
    assert "planned 2.0 arrays" in ran.printed["memory-run"]


def test_at_the_peak_of_the_training_seven_results_two_gradients_and_a_half_are_there(ran):
    layers = ran.names["layers"]
    compiled = torch.compile(layers.train)
    for _ in range(3):
        compiled(layers.x)
    there = runs(ran).at_peak(compiled)
    assert sum(size for _, size in there) == compiled.memory.planned
    *others, (line, size) = there
    assert [size / layers.array for _, size in others] == [1.0] * 9
    assert sum("np.tanh" in line for line, _ in others) == 7
    assert ".dot(" in line and size == 8 * 128 * 128 == layers.array / 2


@pytest.mark.parametrize(
    ("rows", "width", "pays"), [(256, 128, True), (512, 128, True), (4, 4, False)]
)
def test_the_program_takes_less_than_it_spares_if_the_arrays_are_large(ran, rows, width, pays):
    layers = runs(ran).layers(rows=rows, width=width)
    tracemalloc.start()
    layers.train(layers.x)  # its grads are there before and after
    compiled = torch.compile(layers.train)
    compiled(layers.x)
    before, _ = tracemalloc.get_traced_memory()
    compiled(layers.x)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = after - before
    spared = runs(ran).peak(layers.train, layers.x) - compiled.memory.planned
    assert compiled.programs and (size < spared) == (size < layers.array) == pays
    assert 0 < size < 250_000


def test_with_the_product_and_the_tanh_in_two_lines_an_ordinary_run_needs_two_arrays(ran):
    weights = [torch.randn(128, 128, dtype=torch.float64) / 16 for _ in range(8)]

    def forward(x):
        with torch.no_grad():
            h = x
            for w in weights:
                h = h @ w
                h = torch.tanh(h)
            return h.sum()

    layers = runs(ran).layers()
    assert runs(ran).peak(forward, layers.x) / layers.array == pytest.approx(2, rel=0.05)


def test_eight_layers_more_need_eight_arrays_more_in_training_and_none_forwards(ran):
    layers = runs(ran).layers(depth=16)
    for run, planned in ((layers.forward, 2.0), (layers.train, 17.5)):
        compiled = torch.compile(run)
        for _ in range(3):
            compiled(layers.x)
        assert compiled.memory.planned / layers.array == planned


def test_the_picture_of_the_memory_follows_both_programs(ran):
    told = ran.printed["memory-lines"]
    assert "forward: at most 2.0 arrays are there, in line 2 of 17; the ordinary run needs" in told
    assert "train: at most 9.5 arrays are there, in line 26 of 81; the ordinary run needs" in told
    assert "The way back begins in line 18" in told
    layers = ran.names["layers"]
    compiled = torch.compile(layers.train)
    for _ in range(3):
        compiled(layers.x)
    there, back = ran.names["nb10_drawings"].course(compiled, layers.array)
    assert compiled.programs[0].steps[-len(there) + back].text == "v26 = np.float64(1.0)"
    rising = there[: back - 2]
    assert rising == sorted(rising) and max(there) == 9.5 and there[-1] < 1 < there[back] == 8
    assert there.index(9.5) > back


def test_the_taxis_step_does_200_operations_and_learns_its_rate(ran):
    (step,) = runs(ran).rides()
    loss = step()
    seen, node = 0, [loss.grad_fn]
    while node:
        one = node.pop()
        seen += "AccumulateGrad" not in one.name()
        node += [each for each, _ in one.next_functions if each is not None]
    assert seen == 200
    assert [step() for _ in range(200)][-1] < 0.01 * loss


def test_what_is_compiled_already_is_taken_for_the_function_in_it(ran):
    """A decorated step would be compared with itself; a decorated ``cost`` would be refused."""

    def cost(km, rate):
        return ((rate * km - 15) ** 2).mean().detach()

    for one in (cost, torch.compile(cost)):
        assert questions(ran).repair.judge(one) == ""
    step = ran.names["step"]
    x, y = ran.names["x"], ran.names["y"]
    with pytest.raises(ValueError, match="Take one of your own"):
        questions(ran).own.judge((step, x, y))
    train, *data = runs(ran).network(4, 8)
    train.__name__ = "my_step"
    assert questions(ran).own.judge((torch.compile(train), *data)) == ""
    assert runs(ran).plain(step) is step.function and runs(ran).plain(cost) is cost


def test_a_step_is_called_with_as_many_arguments_as_it_takes(ran, capsys):
    w = torch.tensor(3.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.01)

    def one(x):
        optimizer.zero_grad()
        loss = ((w * x - 1) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    x = torch.ones(3)
    assert questions(ran).own.judge((one, x)) == ""
    assert questions(ran).own.judge((lambda: one(x),)) == ""
    assert (
        questions(ran).own.judge((one, x, x)).endswith("2 arguments, and it is defined with (x).")
    )
    assert questions(ran).own.judge((one, ...)) is None
    runs(ran).time_own(one, x)
    assert capsys.readouterr().out.startswith("your step ")
    runs(ran).time_own(one, ...)
    assert capsys.readouterr().out == "Fill in the cell above first.\n"


def test_a_step_that_calls_a_compiled_one_is_not_compared_with_it(ran, capsys):
    step, x, y = (ran.names[name] for name in ("step", "x", "y"))
    space = {"step": step, "optimizer": ran.names["optimizer"]}
    exec("def mine(x, y): return step(x, y)\ndef other(x, y): return optimizer.step()", space)
    with pytest.raises(ValueError, match="step is compiled already"):
        questions(ran).own.judge((space["mine"], x, y))
    runs(ran).time_own(space["mine"], x, y)
    assert "step is compiled already" in capsys.readouterr().out
    assert runs(ran).compiled_in(space["other"]) == ""


def test_a_step_whose_weights_have_come_to_rest_passes_still(ran):
    w = torch.tensor(3.0, requires_grad=True)

    def rests(x):
        w.grad = None
        loss = ((w - x) ** 2).sum()
        loss.backward()
        with torch.no_grad():
            w.sub_(0.5 * w.grad)
        return loss

    x = torch.tensor(1.0)
    for _ in range(3):
        rests(x)
    assert w.item() == 1.0
    assert questions(ran).own.judge((rests, x)) == "" and w.item() == 1.0


def test_a_step_with_a_high_learning_rate_and_one_that_returns_two_things(ran):
    w = torch.tensor([3.0, 1.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)

    def two(x):
        optimizer.zero_grad()
        loss = ((w * x - 1) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss, w.detach() * 1

    assert questions(ran).own.judge((two, torch.ones(2))) == ""
    optimizer.param_groups[0]["lr"] = 3.0
    assert "the loss has risen" in questions(ran).own.judge((two, torch.ones(2)))


def test_the_witness_measures_with_the_largest_slope_and_says_what_is_missing(ran):
    slopes = np.array([300.0, 0.0])
    assert "agree: True" in runs(ran).compared(torch.tensor([300.0, 0.01]), slopes)
    wrong = runs(ran).compared(torch.tensor([300.0, 0.1]), slopes)
    assert "agree: False" in wrong and "clear the old grads?" in wrong
    assert runs(ran).compared(None, slopes).startswith("there is no grad")
    for grad, slope in ((3e14, 0.0), (2.0, 5e4), (1.0, float("nan"))):
        told = runs(ran).compared(torch.tensor([grad]), np.array([slope]))
        assert "agree: False" in told and "take a smaller lr" in told


def test_what_draws_or_tells_the_time_is_refused_or_frozen_by_how_it_is_named(ran):
    """torch's own random numbers are drawn anew in each call of a program."""
    import random
    from time import time as now

    drawn, told = random.random, {}
    exec("import time\ndef clock(x): return x * time.time()", told)

    def dice(x):
        return x * random.random()

    def numpy_dice(x):
        return x * float(np.random.rand())

    def calls(f):
        compiled = torch.compile(f)
        x = torch.ones(1, dtype=torch.float64)
        results = runs(ran).quietly(lambda: [compiled(x).item() for _ in range(5)])
        return compiled.refused, len(set(results[2:]))

    for f in (told["clock"], dice, numpy_dice):
        assert calls(f)[0]
    for f in (lambda x: x * now(), lambda x: x * drawn()):
        assert calls(f) == ({}, 1)
    assert calls(lambda x: x * torch.rand(1)) == ({}, 3)


def test_the_pytorch_that_was_tried_is_that_of_the_course():
    coverage = Path(__file__).parents[3] / "docs" / "coverage.md"
    assert "PyTorch 2.13." in coverage.read_text(encoding="utf-8")


def test_stand_ins_record_the_taxi_and_no_loop(ran):
    taxi, amplifier = ran.printed["stand-ins"].splitlines()
    assert taxi == "v1 = mul(rate, km); v2 = add(v1, 4)"
    assert amplifier.startswith("TypeError: a stand-in has no number")


@pytest.mark.parametrize("depth", [4, 8, 12])
def test_it_does_so_at_other_depths(ran, depth):
    layers = runs(ran).layers(depth, rows=128, width=128)
    for run in (layers.forward, layers.train):
        compiled = torch.compile(run)
        for _ in range(3):
            compiled(layers.x)
        assert compiled.memory.planned < runs(ran).peak(run, layers.x)


def test_the_three_steps_of_gain_run_leave_the_same_behind_when_compiled(ran):
    """``gain-run`` prints times, of which nothing is asserted but that they are times."""
    for step, *data in (runs(ran).rides(), runs(ran).network(8, 16)):
        found = runs(ran).times(step, *data)
        assert min(found) > 0
        checked = torch.compile(step, check=True)
        for _ in range(5):
            checked(*data)
        assert runs(ran).served(checked) == 3
    assert ran.printed["gain-run"].count("share") == 3


def test_the_gradient_of_what_ran(ran):
    a = torch.tensor(3.9, dtype=torch.float64, requires_grad=True)
    amplify(ran)(a).backward()
    assert a.grad.item() == questions(ran).slope_of_what_ran().answer == 512


def test_the_questions_about_earlier_notebooks(ran):
    w = torch.tensor(3.0, requires_grad=True)
    for _ in range(2):
        (w * 6).backward()
    assert w.grad.item() == questions(ran).two_passes().answer == 12
    h = torch.tensor([0.5, 1.0], requires_grad=True) * 1
    y = torch.tanh(h)
    h.mul_(2)
    y.sum().backward()
    assert questions(ran).written_over().answer == "the right gradient"


def test_on_paper(ran):
    def branching(x, w):
        y = x * w
        return y * 3 if y > 0 else y * 5

    recording = runs(ran).capture(branching, x=2.0, w=1.0)
    assert recording(x=-2.0, w=1.0) == questions(ran).on_paper().answer == -6
    assert branching(-2.0, 1.0) == -10


def test_the_peak_and_the_break_even_on_paper(ran):
    @torch.compile
    def small(x):
        t = torch.tanh(x)
        return torch.exp(t + t * t)

    with torch.no_grad():
        for _ in range(3):
            small(torch.ones(1000))
    assert small.memory.planned / 4000 == questions(ran).paper_peak().answer == 3
    assert small.source.count("np.") == 2 and "v3 = v1 + v2; del v1, v2" in small.source
    found = runs(ran).Times(ordinary=100e-6, noting=8100e-6, program=60e-6)
    assert round(found.break_even()) == questions(ran).paper_pays().answer == 200
