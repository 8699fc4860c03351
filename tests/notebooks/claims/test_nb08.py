"""What notebook 08 claims, asserted on the notebook as it was run."""

from __future__ import annotations

import contextlib
import copy
import gc
import io
import re
import subprocess
import sys
import traceback
import weakref

import pytest
from lessons import FOLDER, LESSONS, play

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad.lesson import check, tries
from minigrad.tape.buffers import saved_arrays
from minigrad.utils.checkpoint import checkpoint


@pytest.fixture(scope="module")
def ran():
    """Played for these tests alone. MemoryTape counts what earlier graphs hold, and finds them
    among what Python could collect: those of other tests are put where it never looks."""
    gc.collect()
    gc.freeze()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MPLBACKEND", "agg")
        return play(next(lesson for lesson in LESSONS if lesson.number == "08"))


ARRAY = 4096 * 16 * 4  # bytes of one array of this lesson


def runs(ran):
    return ran.names["nb08_runs"]


def questions(ran):
    return ran.names["nb08"]


def kept_arrays(ran, run):
    """At the peak, and at the end, in arrays of 256 KiB."""
    return [count / ARRAY for count in runs(ran).saved(run)]


def keepers(view):
    return {one["name"]: one for one in view.memory["keepers"]}


# -------------------------------------------------------------------------- the night, in small


def ran_source(name):
    lesson = next(lesson for lesson in LESSONS if lesson.number == "08")
    return next(cell.source for cell in lesson.cells if cell.id == name)


def test_the_test_needs_twenty_times_as_much_as_the_training(ran):
    names = ran.after("night")
    train, _ = runs(ran).saved(names["train"])
    test, _ = runs(ran).saved(names["test"])
    first, second = (" ".join(line.split()) for line in ran.printed["night"].splitlines())
    assert first == "train 33.5 KiB at the peak, 0 bytes at the end"
    assert second == "test 670 KiB at the peak, 670 KiB at the end"
    assert test == 20 * train and len(names["batches"]) == 20
    right = questions(ran).which_line().answer
    assert right in ran_source("night").split("def test")[1]
    few = {**names, "batches": names["batches"][:5]}
    exec("def quick():\n    total = 0.0\n    for a, b in batches:\n"
         "        total += F.cross_entropy(model(a), b)\n    return total", few)  # fmt: skip
    assert runs(ran).saved(few["quick"])[0] == 5 * train


# ------------------------------------------------------------------------- a chain of layers


@pytest.mark.parametrize("depth", [4, 16, 64])
def test_one_array_is_kept_for_each_layer(ran, depth):
    deep = ran.names["deep"]
    assert ran.names["x"].numel() * ran.names["x"].element_size() == ARRAY == 256 * 1024
    assert kept_arrays(ran, lambda: deep(depth)) == [depth, depth]
    assert kept_arrays(ran, lambda: deep(depth).sum().backward()) == [depth, 0]


def test_the_answers_to_the_peaks(ran):
    assert questions(ran).four_layers().answer == 4
    assert ran.after("deep-view")["memory"].memory["peak"]["bytes"] == 4 * ARRAY == 1024**2
    told = "64 layers: 64 arrays (16 MiB) at the peak, 0 bytes at the end"
    assert told in ran.printed["deep-64"]
    assert questions(ran).many_layers().answer == 16


def test_the_peak_is_that_of_its_own_layers_after_going_back():
    """In a process of its own, where no other test holds a graph."""
    lesson = next(lesson for lesson in LESSONS if lesson.number == "08")
    cells = {cell.id: cell.source for cell in lesson.cells}
    order = ("setup", "deep", "sum", "stored", "deep-view")
    show = "print(memory.memory['peak']['bytes'], memory.memory['curve'][0])"
    source = "\n".join([*(cells[name] for name in order), show])
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=FOLDER, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == f"{4 * ARRAY} 0"


def test_the_peaks_of_other_layers(ran):
    """The change after the cell "deep-64", and what its fold says."""
    x, w = ran.names["x"], ran.names["w"]
    for layer, wanted in (
        (lambda h: h @ w, [3, 15, 63]),
        (lambda h: torch.tanh(h @ w) * 2, [7, 31, 127]),
    ):

        def peak(depth, layer=layer):
            h = x
            for _ in range(depth):
                h = layer(h)
            return h.sum().backward()

        assert [kept_arrays(ran, lambda: peak(depth))[0] for depth in (4, 16, 64)] == wanted  # noqa: B023


def test_the_curve_rises_at_every_second_operation(ran):
    curve = ran.after("deep-view")["memory"].memory["curve"]
    steps = [curve[at + 1] > curve[at] for at in range(8)]
    assert steps == [False, True] * 4 and curve[-1] == 0


def test_without_a_record_three_arrays_are_there_however_deep(ran):
    """Claim 33, in the cell "nograd": a value that nobody needs any more is removed."""
    with_record, without = ran.printed["nograd"].splitlines()
    assert with_record == "saved: 64 arrays; there at the peak: 65 arrays"
    assert without == "saved: 0 arrays; there at the peak: 3 arrays"
    deep = ran.names["deep"]

    def quiet(depth):
        with torch.no_grad():
            return deep(depth)

    for depth in (4, 16, 64):
        assert round(runs(ran).traced(lambda: quiet(depth))[0] / ARRAY) == 3  # noqa: B023
    assert questions(ran).under_no_grad().answer == 3


def test_four_ways_to_run_16_layers(ran):
    deep, x, w = (ran.names[name] for name in ("deep", "x", "w"))
    net = nn.Sequential(*[one for _ in range(16) for one in (nn.Linear(16, 16), nn.Tanh())])

    def no_grad():
        with torch.no_grad():
            deep(16)

    def each_detached():
        h = x
        for _ in range(16):
            h = torch.tanh(h @ w).detach()

    net.eval()
    ways = (no_grad, lambda: deep(16).detach(), lambda: net(x), each_detached)
    assert [kept_arrays(ran, run)[0] for run in ways] == questions(ran).ways.answer()


# ------------------------------------------------------------------------- what each one saves


def test_what_seven_operations_keep(ran):
    wanted = ["result", "input", "nothing", "input", "result", "nothing", "other"]
    assert questions(ran).saves.answer() == wanted


def saved_by(y):
    return [array for array, _ in saved_arrays(y._node.saved)]


def test_some_operations_keep_what_is_neither_their_input_nor_their_result():
    h = torch.rand(8, 4, requires_grad=True) * 1.0
    (mask,) = saved_by(F.dropout(h))
    assert len(set(mask.ravel())) <= 2 and mask.shape == h.shape
    assert all(array.dtype == "int64" for array in saved_by(h.max(1).values))
    assert len(saved_by(F.layer_norm(h, (4,)))) > 1


@pytest.mark.parametrize("rows", [1024, 4096])
def test_arrays_are_counted_in_the_size_of_x_whatever_that_is(ran, rows):
    x, w = torch.randn(rows, 16), ran.names["w"]
    peak, _ = runs(ran).saved(lambda: torch.tanh(torch.tanh(x @ w) @ w))
    assert runs(ran).arrays(peak, x) == "2 arrays"


def test_of_three_programs_one_keeps_more(ran):
    lines = ran.printed["saves-three"].splitlines()
    counts = [re.search(r"(\d+) arrays? saved", line)[1] for line in lines]
    assert counts == ["1", "2", "1"]


# --------------------------------------------------------------------------------- three leaks


def test_losses_that_are_kept_keep_nodes_and_nothing_that_was_saved(ran):
    view = ran.after("losses")["memory"]
    kept = keepers(view)["kept"]
    assert "12.5 KiB" in kept["says"]
    assert kept["leak"] == "nodes" and kept["graph"] == 20 * 4 and kept["bytes"] == 0
    assert view.memory["curve"][-1] == 0
    assert questions(ran).after_backward().answer == "nothing"


def test_a_sum_keeps_twenty_batches(ran):
    view = ran.after("sum")["memory"]
    kept = keepers(view)["kept"]
    one, _ = runs(ran).saved(lambda: one_batch(ran))
    assert kept["leak"] == "activations" and kept["bytes"] == 20 * one
    assert view.memory["peak"]["bytes"] == questions(ran).sum_of_batches().answer * one
    curve = view.memory["curve"]
    assert curve == sorted(curve)  # a staircase


def one_batch(ran):
    images, labels = ran.names["batches"][0]
    return F.cross_entropy(ran.names["model"](images), labels)


def test_stored_scores_keep_the_middle_layer(ran):
    view = ran.after("stored")["memory"]
    found = keepers(view)
    assert found["kept"]["leak"] == "outputs"
    assert found["kept"]["bytes"] == 20 * 32 * 256 * 4
    assert questions(ran).stored().answer == "the scores and the middle layer"
    assert "25 KiB" in found["kept"]["says"] and 20 * 32 * 10 * 4 == 25 * 1024


def test_del_of_the_sum_lets_the_curve_fall_and_del_of_the_loss_does_not(ran):
    names = ran.after("sum")

    def left(line):
        space = dict(names)
        source = "kept = 0\nfor images, labels in batches:\n    loss = F.cross_entropy(model("
        source += f"images), labels)\n    kept = kept + loss\n{line}"
        return runs(ran).saved(lambda: exec(source, space) or space)[1]

    assert left("del loss") == left("") and left("del kept") == left("") / 20


def test_what_a_failed_cell_holds_is_let_go(ran, monkeypatch):
    """The line that prepares each view, after an error with a result that leads to a graph."""
    graph = []
    with pytest.raises(RuntimeError, match="cannot be converted to Scalar") as failed:
        run_and_fail(ran, graph)
    for frame, _ in traceback.walk_tb(failed.value.__traceback__):
        assert frame.f_locals  # read, as by a notebook that shows the error
    del frame
    monkeypatch.setattr(sys, "last_value", failed.value, raising=False)
    assert graph[0]() is not None
    emptied = runs(ran).nothing_left()
    assert graph[0]() is None
    with pytest.raises(AttributeError, match="'item' is asked of a variable that holds nothing"):
        emptied.item()


def run_and_fail(ran, graph):
    scores = ran.names["model"](ran.names["batches"][0][0])
    graph.append(weakref.ref(scores))
    scores.item()


@pytest.mark.parametrize(
    ("letter", "leak"), [("A", "nodes"), ("B", "activations"), ("C", "outputs")]
)
def test_each_unseen_program_has_one_leak_and_the_view_names_it(ran, letter, leak):
    program = runs(ran).PROGRAMS[letter]()
    with ran.names["MemoryTape"](ask=False) as view:
        program.run()
    name, _ = questions(ran).who.answer()["ABC".index(letter)]
    mine = [one for one in view.memory["keepers"] if one["says"].startswith("`program.")]
    assert mine[0]["leak"] == leak and mine[0]["says"].startswith(f"`program.{name}")
    assert [one["leak"] for one in mine[1:] if one["leak"]] == []
    view.close()


# ---------------------------------------------------------------------------------- segments


def test_fifteen_arrays_are_kept_in_eight_segments(ran):
    segment, x = ran.names["segment"], ran.names["x"]

    def without_random(count):
        h = x
        for _ in range(count):
            h = checkpoint(segment, h, 64 // count, use_reentrant=False, preserve_rng_state=False)
        return h

    for count in (1, 2, 4, 8, 16, 32):
        peak, _ = kept_arrays(ran, lambda: without_random(count).sum().backward())  # noqa: B023
        assert peak == count - 1 + 64 / count
    buffers = ran.after("segments")["memory"].memory["buffers"]
    assert sum(len(one["by"]) > 2 for one in buffers) == 7  # read by a second run
    assert questions(ran).in_segments().answer == 7 + 8 == 15
    assert questions(ran).best_count().answer == 8 == 64**0.5


@pytest.mark.parametrize("layers", [100, 128])
def test_the_number_of_layers_is_set_in_one_place(layers):
    lesson = next(lesson for lesson in LESSONS if lesson.number == "08")
    cells = {cell.id: copy.deepcopy(cell) for cell in lesson.cells}
    changed = cells["segments"]
    changed.source = changed.source.replace("layers = 64", f"layers = {layers}")
    changed = cells["cost"]
    changed.source = changed.source.replace("(1, 2, 4, 8, 16,", "(1, 2, 4, 8, 11, 16,")
    again = play(lesson, [cells[name] for name in ("setup", "deep", "segments", "cost", "nudge")])
    assert again.printed["nudge"].endswith(", they agree\n")
    told = f"{2 * layers} layers computed, the same gradient: True"
    assert again.printed["cost"].count(told) == 8
    counts = [int(line.split()[2]) for line in again.printed["cost"].splitlines()]
    if layers == 128:
        assert dict(zip((8, 11, 16), counts[3:])) == {8: 23, 11: 22, 16: 23}
    nudged, walked = slopes(again)
    assert nudged == pytest.approx(walked, rel=2e-3)


def test_each_layer_is_computed_twice_and_the_gradient_is_the_same(ran):
    lines = ran.printed["cost"].splitlines()
    assert [int(line.split()[1].rstrip(":")) for line in lines] == [1, 2, 4, 8, 16, 32, 64]
    assert [int(line.split()[2]) for line in lines] == [64, 33, 19, 15, 19, 33, 64]
    assert all("128 layers computed, the same gradient: True" in line for line in lines)
    assert questions(ran).how_often().answer == 2 * 64 == 128


def test_the_longer_network_needs_less_in_four_segments(ran):
    whole, in_four, nudged = ran.printed["long"].splitlines()
    assert nudged.endswith(", they agree")
    assert whole == "segments 1: 514 KiB at the peak, the same gradient: True"
    assert in_four == "segments 4: 240 KiB at the peak, the same gradient: True"
    assert 240 < 514 / 2 and questions(ran).longer_network().answer == "less than half"
    middle = ran.names["longer"][3:-1]
    assert sum(isinstance(one, nn.Linear) for one in middle) == 15


def test_what_the_240_kib_are(ran):
    """The fold after the cell "long"."""
    with ran.names["MemoryTape"](ask=False) as view:
        ran.names["forwards_and_back"](4)
    peak = view.memory["peak"]["at"]
    let_go = [one for one in view.memory["buffers"] if one["freed"]]  # not of other graphs
    there = [one for one in let_go if one["made"] <= peak < one["freed"]]
    sizes = [one["bytes"] for one in there]
    assert sizes.count(32 * 1024) == 7 and 7 * 32 == 224
    last = max(one["made"] for one in there if one["bytes"] == 5056)  # state of random numbers
    assert sizes.count(5056) == 3
    assert sum(one["made"] > last and one["bytes"] == 32 * 1024 for one in there) == 5
    assert sum(sizes) - 7 * 32 * 1024 - 3 * 5056 == 1.5 * 1024
    view.close()


def test_three_segments_need_a_little_less_than_four(ran):
    """The same fold: seven arrays again, and one state of the random numbers less."""
    longer, forwards_and_back = ran.names["longer"], ran.names["forwards_and_back"]
    assert len(longer) == 34 == 3 * 8 + 10 and 16**0.5 == 4
    assert sum(isinstance(one, nn.Tanh) for one in longer[24:]) == 5
    assert isinstance(longer[24], nn.Tanh)
    three, _ = runs(ran).saved(lambda: forwards_and_back(3))
    four, _ = runs(ran).saved(lambda: forwards_and_back(4))
    assert four - three == 5056 and runs(ran).size(three) == "235 KiB"


def test_a_wrong_gradient_of_the_longer_network_does_not_agree(ran):
    net = copy.deepcopy(ran.names["longer"])
    images, labels = ran.names["batches"][0]
    F.cross_entropy(net(images), labels).backward()
    assert runs(ran).agreement(*runs(ran).by_a_nudge(net, images, labels)) == "they agree"
    net[5].weight.grad *= -1
    assert runs(ran).agreement(*runs(ran).by_a_nudge(net, images, labels)) != "they agree"


def test_layers_that_differ_are_told_of():
    """After the change of section 2 that was not put back."""
    lesson = next(lesson for lesson in LESSONS if lesson.number == "08")
    cells = {cell.id: copy.deepcopy(cell) for cell in lesson.cells}
    cells["deep"].source = cells["deep"].source.replace("tanh(h @ w)", "tanh(h @ w) * 2")
    order = ("setup", "deep", "segments", "cost", "plan")
    again = play(lesson, [cells[name] for name in order])
    assert "deep and segment compute different layers" in again.printed["cost"]
    assert "one_line computes other layers" in again.printed["plan"]


def test_a_variable_holds_one_batch_while_the_next_is_computed(ran):
    """The fold after the three leaks: 67 KiB, as much as two batches save, and 33.5 of one."""
    names = dict(ran.names)
    source = ran_source("sum").split("as memory:\n")[1].split("nb08_runs")[0]
    source = "kept = 0\nif True:\n" + source.replace("kept + loss", "kept + loss.item()")
    peak, end = runs(ran).saved(lambda: exec(source, names) or names)
    assert (peak, end) == (67 * 1024, 33.5 * 1024)
    found = sorted(
        array.nbytes
        for node in runs(ran).nodes(one_batch(ran))
        if node.name() == "NllLossBackward0"
        for array, _ in saved_arrays(node.saved)
    )
    assert found[:2] == [256, 1280]  # and the labels, which were there before
    assert 32 + 1280 / 1024 + 256 / 1024 == 32 + 1.25 + 0.25 == 33.5 and 1280 == 320 * 4


def test_frozen_layers_at_the_beginning_keep_nothing(ran):
    layers = [one for _ in range(8) for one in (nn.Linear(16, 16), nn.Tanh())]
    net, x = nn.Sequential(*layers), torch.randn(4096, 16)
    assert kept_arrays(ran, lambda: net(x))[0] == 8
    for layer in layers[:8]:
        layer.requires_grad_(False)
    assert kept_arrays(ran, lambda: net[:8](x))[0] == 0
    assert kept_arrays(ran, lambda: net(x))[0] == 5  # what goes into the fifth, and four results


def test_what_inference_mode_computes_has_saved_nothing(ran):
    def used():
        with torch.inference_mode():
            return ran.names["deep"](4)

    assert kept_arrays(ran, used) == [0, 0]


@pytest.mark.parametrize("count", [0, -1, 65])
def test_a_number_of_segments_that_is_none_is_explained(ran, count):
    with pytest.raises(ValueError, match=f"64 layers cannot be cut into {count} segments") as told:
        ran.names["in_segments"](count)
    assert "\nfix: take a number from 1 to 64" in str(told.value)
    assert sum(runs(ran).cut(100, 7)) == 100 and runs(ran).cut(64, 3) == [21, 21, 22]


def test_numpy_finds_the_same_slope_by_a_nudge(ran):
    nudged, walked = slopes(ran)
    assert nudged == pytest.approx(walked, rel=2e-3) and abs(nudged) > 1
    assert ran.printed["nudge"].endswith(", they agree\n")


def slopes(ran):
    """What the cell "nudge" prints: the slope by a nudge, and by the graph."""
    return [float(line.split()[-1]) for line in re.split(r",|\n", ran.printed["nudge"])[:2]]


def test_a_chain_that_blows_up_every_nudge_is_told_of(ran):
    lesson = next(lesson for lesson in LESSONS if lesson.number == "08")
    cells = {cell.id: copy.deepcopy(cell) for cell in lesson.cells}
    cells["deep"].source = cells["deep"].source.replace("/ 4", "* 4")
    again = play(lesson, [cells[name] for name in ("setup", "deep", "segments", "cost", "nudge")])
    assert "a nudge says nothing" in again.printed["nudge"]


def test_a_nudge_that_is_too_large_is_the_first_cause_that_is_named(ran):
    lesson = next(lesson for lesson in LESSONS if lesson.number == "08")
    cells = {cell.id: copy.deepcopy(cell) for cell in lesson.cells}
    source = cells["nudge"].source.replace("1e-5", "1e-1").replace("2e-5", "2e-1")
    cells["nudge"].source = source
    again = play(lesson, [cells[name] for name in ("setup", "deep", "segments", "cost", "nudge")])
    assert "they differ. Are the two nudges small" in again.printed["nudge"]


def test_the_older_way_of_checkpoint_is_warned_of_and_not_taken(ran):
    w, x = ran.names["w"], ran.names["x"]
    w.grad = None
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        checkpoint(lambda h: torch.tanh(h @ w), x, use_reentrant=True).sum().backward()
    found, w.grad = w.grad, None
    torch.tanh(x @ w).sum().backward()
    assert torch.allclose(found, w.grad)


def test_the_repaired_morning_saves_nothing(ran):
    assert ran.printed["repaired"].startswith("no number yet")

    def evaluate(model, batches):
        with torch.no_grad():
            return sum(F.cross_entropy(model(a), b).item() for a, b in batches) / len(batches)

    names = ran.names
    told = runs(ran).repaired(evaluate, names["model"], names["batches"])
    assert told.startswith("0 bytes at the peak, mean loss")
    assert "ZeroDivisionError" in runs(ran).repaired(evaluate, names["model"], [])
    several = runs(ran).repaired(lambda *_: [1.0], names["model"], names["batches"])
    assert several == "no plain number: evaluate returns a list."


def test_an_evaluation_that_freezes_its_model_leaves_that_of_the_lesson_alone(ran):
    def freezing(model, batches):
        for parameter in model.parameters():
            parameter.requires_grad_(False)
        torch.set_grad_enabled(False)
        return 1.0

    model = ran.names["model"]
    runs(ran).repaired(freezing, model, ran.names["batches"])
    assert all(one.requires_grad for one in model.parameters()) and torch.is_grad_enabled()


@pytest.mark.parametrize(
    ("exercise", "slips"),
    [("ways", ["two", "three"]), ("saves", ["reslt", "inptu"]), ("who", ["history", "total"])],
)
def test_a_slip_of_the_pen_is_no_try(ran, capsys, exercise, slips):
    tries.forget()
    one = getattr(questions(ran), exercise)
    for slip in slips:
        assert check(one, [slip, *one.answer()[1:]]).tries == 1
    assert check(one, one.answer()[1:]).tries == 1
    assert "Hint" not in capsys.readouterr().out
    tries.forget()


def test_capitals_and_blanks_do_not_matter(ran):
    words = [f" {word.title()} " for word in questions(ran).saves.answer()]
    assert check(questions(ran).saves, words).passed
    pairs = [(name, f"{word} ") for name, word in questions(ran).who.answer()]
    assert check(questions(ran).who, pairs).passed


def test_a_walk_through_the_whole_chain_warns_of_nothing(ran, capfd):
    def whole(segment, inputs, g):
        h = inputs[0]
        for _ in inputs:
            h = segment(h)
        h.backward(g)

    assert "4 segments are recorded" in check(questions(ran).hand, whole).message
    assert "Warning" not in "".join(capfd.readouterr())


def test_slopes_near_zero_agree_about_nothing(ran):
    assert "says nothing" in runs(ran).agreement(1e-4, 0.0)


@pytest.mark.parametrize("exercise", ["ways", "saves"])
def test_help_is_counted_letter_by_letter(ran, capsys, exercise):
    """Who repairs one letter begins anew with the next, and is never told all of them."""
    tries.forget()
    one = getattr(questions(ran), exercise)
    right = one.answer()
    others = [3, 4, 5] if exercise == "ways" else ["result", "nothing", "other"]
    places = [1, 2, 3]
    for place in places:
        attempt = list(right)
        attempt[place] = others[0] if others[0] != right[place] else others[1]
        assert check(one, attempt).tries == 1
    for count, wrong in enumerate([w for w in others if w != right[1]], 1):
        attempt = [right[0], wrong, *right[2:]]
        verdict = check(one, attempt)
        assert verdict.tries == count
        assert ("Right is" in verdict.message) == (count == 3)
    assert str(right)[1:-1] not in capsys.readouterr().out
    tries.forget()


def test_a_walk_that_multiplies_and_sums_is_right_too(ran):
    def walk(segment, inputs, g):
        for h in reversed(inputs):
            h = h.detach().requires_grad_()
            (segment(h) * g).sum().backward()
            g = h.grad

    def with_names(segment, inputs, g):
        for h in reversed(inputs):
            start = h.detach().requires_grad_()
            out = segment(start)
            out.backward(g)
            g = start.grad

    assert check(questions(ran).hand, walk).passed
    assert check(questions(ran).hand, with_names).passed


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_it_is_so_with_other_numbers_too(ran, seed):
    torch.manual_seed(seed)
    w = (torch.randn(32, 32) / 32**0.5).requires_grad_()
    x = torch.randn(32, 32)

    def segment(h):
        for _ in range(8):
            h = torch.tanh(h @ w)
        return h

    grads = []
    for way in (segment, lambda h: checkpoint(segment, h, use_reentrant=False)):
        w.grad = None
        h = x
        for _ in range(8):
            h = way(h)
        h.sum().backward()
        grads.append(w.grad)
    assert torch.allclose(*grads, rtol=1e-3, atol=1e-4)


# ------------------------------------------------------------------------- without a picture


BOTH = """
for source in sources:
    told = []
    for tape in faces:
        MemoryTape = tape
        exec(source)
        told += [[memory.memory["curve"], memory.memory["peak"]["bytes"], nb08_runs.curve(memory)]]
        told[-1] += [[one["name"], one["bytes"]] for one in memory.memory["keepers"]]
    assert told[0] == told[1], told
    assert len(told[0][0]) > 8
"""


def test_a_text_says_what_the_view_says_where_there_are_no_widgets():
    """The same cells with either, in a process of its own, where no other test holds a graph."""
    cells = {cell.id: cell.source for cell in LESSONS[8].cells}
    sources = [cells[name] for name in ("deep-view", "losses", "sum", "stored", "segments")]
    begin = f"sources, faces = {sources!r}, (MemoryTape, nb08_runs.InWords)"
    source = "\n".join([cells["setup"], cells["deep"], begin, BOTH])
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=FOLDER, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_curve_in_words(ran):
    told = {cell: runs(ran).curve(ran.after(cell)["memory"]) for cell in ("deep-view", "losses")}
    start = "The curve, from 0 bytes on: "
    assert told["deep-view"] == f"{start}up to 1 MiB and down to 0 bytes."
    assert told["losses"] == f"{start}20 times up to 33.5 KiB and down to 0 bytes."
    assert repr(runs(ran).InWords()) == "MemoryTape(nothing measured yet)"


def test_without_ipywidgets_every_cell_runs_and_says_the_same_in_words(tmp_path):
    """In a process of its own, where they cannot be imported."""
    (tmp_path / "ipywidgets.py").write_text("raise ImportError\n")
    lesson = next(lesson for lesson in LESSONS if lesson.number == "08")
    shown = ("setup", "deep", "deep-view", "segments", "who-views")
    cells = [cell.source for cell in lesson.of_kind("code") if cell.id in shown]
    source = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n" + "\n".join(cells)
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=FOLDER, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "12 times up to 33.5 KiB and down to 0 bytes, then up to 402 KiB" in done.stdout
    assert "self.total = self.total + loss  (operations: 12)" in done.stdout
    assert "`program.total` leads to a graph of 60 nodes." in done.stdout


IN_A_SHELL = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for source in sources:
    shell.run_cell(source, store_history=True).raise_error()
print(repr(shell.user_ns["memory"]))
"""


def test_the_text_names_a_cell_by_its_number_as_the_view_does(tmp_path):
    (tmp_path / "ipywidgets.py").write_text("raise ImportError\n")
    cells = {cell.id: cell.source for cell in LESSONS[8].cells}
    sources = [cells[name] for name in ("setup", "losses")]
    begin = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nsources = {sources!r}"
    done = subprocess.run(
        [sys.executable, "-c", begin + IN_A_SHELL], cwd=FOLDER, capture_output=True, text=True
    )
    assert "`kept` (In [2], line 7) holds 20 results" in done.stdout, done.stderr


# --------------------------------------------------------------------------------- the verdict


def test_the_graph_itself_takes_less_the_larger_the_arrays_are(ran):
    """Claims 31 and 32, in the cell "share"."""
    shares = []
    for side in (32, 128, 256, 1024):
        graph, arrays = runs(ran).structure(side)
        shares.append(graph / (graph + arrays))
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.1 and 0.002 < shares[2] < 0.004 and shares[3] < 0.0005
    assert 0.0025 < shares[2] < 0.0035 and "256 x 256" in ran.printed["share"]  # "about 0.3 %"
    assert runs(ran).percent(0.1572) == "16 %" and runs(ran).percent(0.00297) == "0.3 %"
    graph, _ = runs(ran).structure(256)
    assert 200 < graph / 32 < 500  # "a few hundred bytes" for a node and its tensor
    assert questions(ran).share().answer == "less than 1 %"


def test_a_plan_gets_along_with_two_arrays_and_so_do_two_lines(ran):
    """Claims 31 and 32, in the cell "plan": who knows the graph before can plan."""
    lines = ran.printed["plan"].splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["one_line", "3"],
        ["two_lines", "2"],
        ["by_a_plan", "2"],
    ]
    assert all(line.endswith("arrays at the peak, the same result: True") for line in lines)
    assert questions(ran).two_lines().answer == 2


# ----------------------------------------------------------------------------- without a picture


def test_three_tables_are_kept_on_paper(ran):
    u, v = (torch.randn(100, 100, requires_grad=True) for _ in range(2))
    x = torch.randn(100, 100)

    def loss():
        y = torch.tanh(x @ u) * torch.sigmoid(x @ v)
        return (y**2).sum()

    assert runs(ran).saved(loss)[1] == questions(ran).on_paper().answer * 100 * 100 * 4


def test_the_questions_about_earlier_notebooks(ran):
    a, b = (torch.tensor(number, requires_grad=True) for number in (2.0, 6.0))
    nodes = [(a + b)._node, (b + 1)._node, ((a + b) * (b + 1))._node]
    assert sum(bool(node.saved) for node in nodes) == questions(ran).visits().answer == 1
    y = torch.tensor(1.0, requires_grad=True)
    count = 0
    while y <= 1000:
        y, count = y * 2, count + 1
    assert count == runs(ran).node_count(y) == questions(ran).loops_unrolled().answer == 10
    w = torch.ones(2, requires_grad=True)
    loss = (w * w).sum()
    loss.backward()
    with pytest.raises(RuntimeError, match="MG106"):
        loss.backward()
    assert questions(ran).two_backwards().answer == "an error"


def test_the_hooks_count_what_memory_tape_counts(ran):
    lines = ran.printed["measure"].splitlines()
    assert lines == [" 4 layers: 1,024 KiB", "16 layers: 4,096 KiB", "64 layers: 16,384 KiB"]
    images, labels = ran.names["batches"][0]
    there = (images, labels, *ran.names["model"].parameters())
    count, model = ran.names["bytes_saved"], ran.names["model"]
    assert count(lambda: model(images), *there) == runs(ran).saved(lambda: model(images))[0]
    less = runs(ran).saved(lambda: one_batch(ran))[0] - count(lambda: one_batch(ran), *there)
    assert 0 < less < 2000  # what cross_entropy keeps as plain arrays


# ------------------------------------------------------------------------------------ help


def test_who_has_mended_a_mistake_is_not_told_the_solution_for_the_next_one(ran, capsys):
    """Three tries are three at the same place; who falls back does not begin anew."""
    tries.forget()
    names = {"torch": torch, "F": F}
    sources = {
        "tensor": "sum(F.cross_entropy(model(a), b) for a, b in batches) / len(batches)",
        "recorded": "sum(F.cross_entropy(model(a), b).item() for a, b in batches) / len(batches)",
        "summed": "sum(F.cross_entropy(model(a), b).item() for a, b in batches)",
        "list": "[F.cross_entropy(model(a), b).item() for a, b in batches]",
    }
    count = {}
    for which in ("tensor", "summed", "recorded", "tensor", "list"):
        attempt = eval(f"lambda model, batches: {sources[which]}", names)
        count[which] = check(questions(ran).evaluate, attempt).tries
    assert count == {"tensor": 2, "summed": 1, "recorded": 1, "list": 3}
    tries.forget()


def test_a_slip_after_two_tries_is_told_nothing_and_counts_for_nothing(ran, capsys):
    tries.forget()
    one = questions(ran).repairs
    right = [lambda loss: loss.item(), lambda scores: scores.detach()]
    for first in (lambda loss: loss, lambda loss: loss.clone()):
        told = check(one, [first, right[1]])
    assert told.tries == 2
    assert check(one, right[:1]).lines == [] and check(one, ["loss.item()"] * 2).lines == []
    assert check(one, [lambda loss: loss * 1.0, right[1]]).tries == 2  # the same is said
    last = check(one, [lambda loss: loss.item() + 1, right[1]])
    assert last.tries == 3 and "Right is 'loss.item()'" in last.message
    tries.forget()


def test_a_result_of_which_only_one_is_open_waits(ran):
    one = questions(ran).repairs
    assert not check(one, [lambda loss: loss.item(), lambda scores: ...]).attempted
    assert check(one, [lambda loss: loss.detach(), lambda scores: scores.tolist()]).passed


# ---------------------------------------------------------------------------------- in PyTorch


def test_pytorch_2_13_0_prints_the_same_three_lines(ran):
    """The cells "deep" and "measure" as they are, after ``import torch``: in PyTorch 2.13.0."""
    theirs = pytest.importorskip("torch", reason="PyTorch is not installed")
    names, told = {"torch": theirs}, io.StringIO()
    with contextlib.redirect_stdout(told):
        for cell in ("deep", "measure"):
            exec(ran_source(cell), names)
    assert told.getvalue() == ran.printed["measure"]


@pytest.mark.parametrize("letter", "ABCDEFG")
def test_each_operation_of_section_3_saves_the_same_in_pytorch(ran, letter):
    theirs = pytest.importorskip("torch", reason="PyTorch is not installed")
    text, _ = runs(ran).RULES[letter]
    h = theirs.rand(4, 4, requires_grad=True) * 1.0
    found = []
    with theirs.autograd.graph.saved_tensors_hooks(lambda t: found.append(t) or t, lambda t: t):
        y = eval(text, {"torch": theirs, "h": h})
    kinds = {h.data_ptr(): "input", y.data_ptr(): "result"}
    saved = {kinds.get(one.data_ptr(), "other") for one in found} or {"nothing"}
    assert saved == {questions(ran).saves.answer()["ABCDEFG".index(letter)]}


def pytorch_with_boxes():
    """PyTorch's small network, and what counts the tensors that its nodes still hold."""
    theirs = pytest.importorskip("torch", reason="PyTorch is not installed")
    boxes = weakref.WeakSet()

    class Box:
        def __init__(self, tensor):
            self.tensor = tensor.detach()
            boxes.add(self)

    watch = theirs.autograd.graph.saved_tensors_hooks(Box, lambda box: box.tensor)
    net = theirs.nn.Sequential(
        theirs.nn.Linear(64, 256), theirs.nn.Tanh(), theirs.nn.Linear(256, 9)
    )
    return theirs, net, watch, boxes


def test_the_three_leaks_and_their_cures_are_the_same_in_pytorch():
    theirs, net, watch, boxes = pytorch_with_boxes()
    x, y = theirs.randn(32, 64), theirs.zeros(32, dtype=theirs.int64)

    def left(keep, walk=False, loss=True):
        kept = []
        with watch:
            for _ in range(20):
                result = theirs.nn.functional.cross_entropy(net(x), y) if loss else net(x)
                if walk:
                    result.backward()
                kept = keep(kept, result)
            del result
        gc.collect()
        return len(boxes), kept

    held, losses = left(lambda kept, loss: [*kept, loss], walk=True)
    assert held == 0 and all(loss.grad_fn is not None for loss in losses)
    one = left(lambda kept, loss: [loss])[0]
    assert one > 0
    assert left(lambda kept, loss: (kept or 0) + loss)[0] == 20 * one
    assert left(lambda kept, loss: (kept or 0) + loss.item())[0] == 0
    one = left(lambda kept, scores: [scores], loss=False)[0]
    assert left(lambda kept, scores: [*kept, scores], loss=False)[0] == 20 * one
    assert left(lambda kept, scores: [*kept, scores.detach()], loss=False)[0] == 0


def test_no_grad_detach_and_eval_are_the_same_in_pytorch():
    theirs, net, watch, boxes = pytorch_with_boxes()
    x = theirs.randn(32, 64)
    with watch:
        with theirs.no_grad():
            kept = [net(x)]
        assert len(boxes) == 0
        kept.append(net.eval()(x))
        assert len(boxes) > 0
    whole = theirs.ones(3, requires_grad=True)
    whole.detach()[0] = 7.0
    assert whole.tolist() == [7.0, 1.0, 1.0]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_older_way_of_checkpoint_warns_and_fails_in_pytorch():
    theirs = pytest.importorskip("torch", reason="PyTorch is not installed")
    again = pytest.importorskip("torch.utils.checkpoint").checkpoint
    w, x = theirs.ones(2, 2, requires_grad=True), theirs.ones(2, 2)
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        y = again(lambda h: h @ w, x, use_reentrant=True)
    with pytest.raises(RuntimeError, match="does not require grad"):
        y.sum().backward()


def test_checkpoint_gives_the_same_gradient_in_pytorch_and_ends_the_second_run_early():
    theirs = pytest.importorskip("torch", reason="PyTorch is not installed")
    again = pytest.importorskip("torch.utils.checkpoint").checkpoint
    w, x = theirs.randn(4, 4, requires_grad=True), theirs.randn(8, 4)
    begun, ended, grads = [], [], []

    def segment(h):
        begun.append(1)
        h = theirs.tanh(h @ w)
        ended.append(1)
        return h

    for way in (segment, lambda h: again(segment, h, use_reentrant=False)):
        w.grad = None
        way(way(x)).sum().backward()
        grads.append(w.grad)
    assert theirs.allclose(*grads)
    assert len(begun) == 2 + 2 * 2 and len(ended) == 2 + 2  # once, and with checkpoint


def test_a_node_of_pytorch_shows_what_it_has_saved():
    theirs = pytest.importorskip("torch", reason="PyTorch is not installed")
    h = theirs.rand(4, requires_grad=True) * 1.0
    y = theirs.tanh(h)
    assert theirs.equal(y.grad_fn._saved_result, y)
    assert theirs.equal(theirs.sin(h).grad_fn._saved_self, h)
