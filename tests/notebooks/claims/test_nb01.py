"""What notebook 01 says, asserted on the notebook as it was run."""

from __future__ import annotations

import math

import pytest

import minigrad as torch
from minigrad_widgets import GraphView


@pytest.fixture
def nodes(ran):
    return ran.names["nodes"]


def test_two_programs_have_one_loss_and_one_of_them_no_gradient_for_the_rate(ran):
    assert ran.printed["imports"].splitlines() == [
        "loss 9.0   rate.grad tensor(-18.)   base.grad tensor(-6.)",
        "loss 9.0   rate.grad None   base.grad tensor(-6.)",
    ]


def test_a_nudge_moves_the_loss_of_both_as_far(ran):
    assert (
        ran.printed["puzzle-nudged"].splitlines()
        == ["nudge of rate: loss -0.0180   nudge of base: loss -0.0060"] * 2
    )


def test_the_notes_of_the_second_program_lack_the_multiplication(ran):
    first, second = ran.printed["puzzle-notes"].splitlines()
    assert first == "one_program left ['Mul', 'Add', 'Sub', 'Pow']"
    assert second == "another_program left ['Add', 'Sub', 'Pow']"


def test_the_taxi_leaves_a_node_for_each_operation_that_runs(ran, nodes):
    names = ran.after("loss")
    results = [names[name] for name in ("ride", "fare", "error", "loss")]
    assert [len(nodes(result)) for result in results] == [1, 2, 3, 4]
    assert [result.item() for result in results] == [6, 10, -3, 9]
    assert nodes(ran.after("rate")["rate"]) == []
    assert ran.printed["ride"] == "nodes behind ride: ['Mul']\n"
    assert ran.printed["fare"] == "nodes behind fare: ['Mul', 'Add']\n"
    assert ran.printed["loss"].startswith("nodes behind loss: 4\n")


def test_a_result_requires_a_gradient_if_an_input_does(ran):
    names = ran.after("loss")
    assert names["ride"].requires_grad and names["fare"].requires_grad


def test_the_view_shows_the_leaf_when_an_operation_uses_it(ran):
    shown = {node["names"][0] for node in ran.names["view"].graph["nodes"] if node["names"]}
    assert {"rate", "ride", "fare", "error", "loss"} <= shown


def test_only_what_a_local_slope_depends_on_is_saved(ran):
    saved = [line.split(" saved ")[1] for line in ran.printed["saved"].splitlines()]
    assert saved == ["3", "nothing", "nothing", "-3 and 2"]


def test_the_walk_ends_at_a_node_that_belongs_to_the_leaf(ran):
    assert ran.printed["walk"].split() == [
        "PowBackward0",
        "SubBackward0",
        "AddBackward0",
        "MulBackward0",
        "torch::autograd::AccumulateGrad",
    ]
    names = ran.after("walk")
    (end, _), _ = names["ride"].grad_fn.next_functions
    assert end.variable is names["rate"]


def test_the_published_program_grows_by_one_node_a_line(ran, nodes):
    names = ran.after("published")
    assert [len(nodes(names[name])) for name in "cde"] == [1, 1, 3]
    assert [names[name].item() for name in "cde"] == [8, 7, 56]
    assert ran.printed["published"].count("grad_fn=") == 3


def test_two_edges_lead_away_from_b(ran, nodes):
    names = ran.after("published")
    ends = [end for node in nodes(names["e"]) for end, _ in node.next_functions]
    assert len([end for end in ends if getattr(end, "variable", None) is names["b"]]) == 2


def test_the_graph_has_three_nodes_or_five_or_eight(ran):
    first, second = ran.printed["counts"].splitlines()
    assert first == "{'operations': 3, 'values': 5, 'both': 8}"
    assert second == "c is a Tensor and the node behind it is an AddBackward0"


def test_the_same_line_leaves_a_new_node_and_the_same_program_a_new_graph(ran):
    lines = ran.printed["again"].splitlines()
    assert [line.split(": ")[1] for line in lines] == ["True", "False", "0"]


def test_nodes_fade_when_no_variable_leads_to_them_and_the_view_stops_after_a_block():
    view = GraphView()
    a, b = (torch.tensor([number], requires_grad=True) for number in (2.0, 6.0))
    e = (a + b) * (b + 1)
    view.cell_ends("the first run")
    with view:
        pass  # it ends here, and watches once more below
    with view:
        e = (a + b) * (b + 1)
    later = e * 2
    view.cell_ends("what came later")
    states = [node["state"] for node in view.graph["nodes"] if node["kind"] == "op"]
    assert states == ["gone"] * 3 + ["alive"] * 3 and later.item() == 112
    view.close()


def test_a_loop_leaves_a_node_each_time_and_no_circle(ran, nodes):
    assert len(nodes(ran.after("loop")["total"])) == 4
    assert ran.printed["circles"] == "1000 programs, 0 circles\n"


def test_a_loop_that_starts_cut_off_leaves_as_many(ran, nodes):
    names = ran.after("published")
    total = names["a"].detach()
    for _ in range(12):
        total = total * names["b"]
    assert len(nodes(total)) == 12


def test_one_input_that_requires_a_gradient_is_enough(ran):
    lines = ran.printed["flags-shown"].splitlines()
    assert [line.split(" -> ")[1] for line in lines] == ["False", "True", "True", "True"]


def test_notes_can_be_switched_off(ran):
    switched_off = [line.split(": ")[1] for line in ran.printed["switched-off"].splitlines()]
    assert switched_off == ["0", "0", "0"]


def overwritten_through(way):
    """The gradient of a square whose input is doubled in place before backward()."""
    a = torch.tensor([2.0], requires_grad=True)
    square = a * a
    shared = a.data if way == "data" else a.detach()
    shared.mul_(2)
    square.backward()
    return a.grad.item()


def test_a_change_through_detach_is_noticed_and_one_through_data_is_not():
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        overwritten_through("detach")
    assert overwritten_through("data") == 8, "and that is wrong: the right one is 4"


def test_integers_are_refused_and_the_error_says_where_to_read_more(ran):
    said = ran.printed["refused"]
    assert said.startswith("an error\nonly Tensors of floating point dtype can require gradients")
    assert 'torch.explain("MG108")' in said


def test_leaves_are_what_no_recorded_operation_made(ran):
    eight = ran.after("leaves-shown")["eight"]
    found = {name for name, tensor in eight.items() if tensor.is_leaf}
    assert found == ran.names["nb01"].LEAVES
    assert not eight["x + 1"].requires_grad and eight["x + 1"].is_leaf
    names = ran.after("published")
    assert names["a"].is_leaf and names["b"].is_leaf
    assert not any(names[name].is_leaf for name in "cde")


def test_the_opener_leaves_no_names_that_section_1_has_to_make(ran):
    for opener in ("imports", "puzzle-nudged", "puzzle-notes"):
        assert not {"rate", "base", "loss"} & set(ran.after(opener)), opener


def test_only_the_base_and_the_repaired_program_are_judged_by_both_gradients(ran):
    only_base, repair = ran.names["nb01"].only_base, ran.names["nb01"].repair
    assert only_base.judge(lambda rate, base: (rate.detach() * 3 + base - 13) ** 2) == ""
    assert only_base.judge(lambda rate, base: (rate.item() * 3 + base - 13) ** 2) == ""
    assert "still gets -18" in only_base.judge(ran.names["one_program"])
    assert repair.judge(ran.names["one_program"]) == ""
    assert "no multiplication" in repair.judge(ran.names["another_program"])


def test_notes_of_a_real_network_keep_thousands_of_numbers(ran):
    assert ran.printed["cost"].splitlines() == [
        "with notes: 4 nodes keep 3,712 numbers",
        "in no_grad: 0 nodes keep 0 numbers",
    ]


def test_two_of_its_nodes_keep_the_same_table_which_counts_once(ran):
    loss = ran.names["nb01"].loss_of_digits()
    saved = [one for node in ran.names["nodes"](loss) for one in node.saved]
    shapes = sorted(tuple(one.shape) for one in saved if hasattr(one, "shape") and one.shape)
    images, inside, weight, probabilities = (32, 64), (32, 32), (10, 32), (32, 10)
    assert shapes == sorted([images, inside, inside, weight, probabilities])
    assert sum(map(math.prod, {images, inside, weight, probabilities})) == 3712


def test_the_page_does_not_print_what_the_next_lesson_asks(ran):
    assert not any("15." in printed for printed in ran.printed.values())


def test_the_exercise_without_a_picture_has_these_numbers(ran, nodes):
    rate, tip = torch.tensor(2.0, requires_grad=True), 1
    first = rate * 3
    second = rate * 5
    both = first + second
    bill = both * rate + tip
    made = nodes(bill)
    ends = [end for node in made for end, _ in node.next_functions if end is not None]
    away = [end for end in ends if getattr(end, "variable", None) is rate]
    saving = [node for node in made if ran.names["nb01"].saved(node) != "nothing"]
    answer = [len(made), len(away), len(ends), len(saving)]
    assert ran.names["nb01"].judge_count(answer) == ""


def test_a_program_that_is_still_empty_is_told_so(ran):
    assert ran.printed["own-shown"].startswith("… ")
