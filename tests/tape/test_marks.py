"""Marks: what left the graph and where, what shares memory, and what is no mark at all."""

from __future__ import annotations

import pytest

import minigrad as torch
from minigrad.engine.node import Watch
from minigrad.tape import tape
from minigrad_widgets import GraphView


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


def found(view):
    """The nodes by their names, or else their formulas."""
    view.bring_up_to_date()
    view.graph = view._snapshot()
    nodes = {}
    for node in view.graph["nodes"]:
        nodes.setdefault((node["names"] or [node["formula"]])[0], node)
    return nodes


def said(node, *kinds):
    """What is said of a node under these marks."""
    kinds = kinds or ("cut", "read")
    return [mark["text"] for mark in node.get("marks", ()) if mark["kind"] in kinds]


def read(way):
    """A value is read out of the graph in one of several ways."""
    with GraphView() as view:
        a = leaf(2.0)
        y = a * 3
        way(y)
    return found(view)["y"]


# --- what was cut ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "text"),
    [
        (lambda y: y.detach(), "detached in line {}: no gradient passes from here on"),
        (lambda y: y.data, "taken out by .data in line {}: no gradient passes from here on"),
        (lambda y: y.item(), "read as a Python number by .item() in line {}: "),
        (lambda y: y.tolist(), "read as Python numbers by .tolist() in line {}: "),
        (lambda y: y.numpy(force=True), "read as a NumPy array by .numpy() in line {}: "),
        (lambda y: int(y.detach()), "detached in line {}: "),
        (lambda y: y.argmax(), "argmax() taken in line {}: an index has no gradient"),
        (lambda y: y.long(), "converted to int64 in line {}: integers and booleans carry no"),
        (lambda y: y.to(torch.bool), "converted to bool in line {}: "),
    ],
)
def test_the_node_that_a_value_left_says_how_and_in_which_line(way, text):
    (sentence,) = said(read(way))
    line = way.__code__.co_firstlineno
    assert sentence.startswith(text.format(line))


def test_a_number_that_is_read_is_not_called_cut():
    assert not said(read(lambda y: y.item()), "cut")
    assert not said(read(lambda y: y.detach()), "read")


@pytest.mark.parametrize(
    "way", [lambda y: y > 1, lambda y: torch.eq(y, 1), lambda y: y.isnan(), lambda y: bool(y)]
)
def test_a_question_leaves_no_mark(way):
    """Every condition of a program asks one, and the graph goes on."""
    assert not said(read(way))


def test_float_and_int_are_told_as_such():
    with pytest.warns(UserWarning):
        assert "by float() in" in said(read(float))[0]
    with pytest.warns(UserWarning):
        assert "by int() in" in said(read(int))[0]


@pytest.mark.parametrize(
    "way",
    [
        lambda y: f"{y.sum():.3f}",  # printing
        repr,
        lambda y: y.shape,
        lambda y: torch.nn.functional.relu(y),
        lambda y: torch.nn.functional.huber_loss(y, torch.zeros(1)),  # compares, by itself
        lambda y: y.to(torch.float64),
        lambda y: y.clone(),
        lambda y: torch.utils.checkpoint.checkpoint(torch.exp, y, use_reentrant=False),
    ],
)
def test_what_leaves_the_graph_whole_or_by_a_function_of_the_library_is_no_cut(way):
    assert not said(read(way))


def test_inside_no_grad_what_was_used_is_marked_and_the_result_comes_from_there():
    with GraphView() as view:
        w, x = leaf(2.0), leaf(3.0)
        with torch.no_grad():
            target = (w * 2).exp()
        loss = target * x
    nodes = found(view)
    (sentence,) = said(nodes["w"])
    assert sentence.startswith("used inside no_grad in line ")
    assert " of test_marks.py: " in sentence
    (origin,) = said(nodes["target"])
    assert origin.startswith("computed inside no_grad from w in line")
    assert [one["id"] for one in nodes["target"]["cut"]] == [nodes["w"]["id"]]
    assert nodes["target"]["inputs"] == [] and loss.requires_grad


def test_what_was_joined_inside_no_grad_comes_from_all_its_parts():
    with GraphView() as view:
        w, v, x = leaf(2.0), leaf(3.0), leaf(1.0, 1.0)
        with torch.no_grad():
            both = torch.cat([w, v])
        y = both * x
    nodes = found(view)
    assert [one["text"] for one in nodes["both"]["cut"]] == ["w", "v"]
    assert said(nodes["w"]) and said(nodes["v"]) and y.requires_grad


@pytest.mark.parametrize("off", [torch.no_grad, torch.inference_mode])
def test_the_switch_has_its_name_also_above_a_function(off):
    @off()
    def look(w):
        return w * 2

    with GraphView() as view:
        w = leaf(2.0)
        y = w * 3
        look(w)
    assert f"used inside {off.__name__} " in said(found(view)["w"])[0]
    assert y.requires_grad


def test_recording_switched_off_by_a_call_is_told_until_it_is_on_again():
    with GraphView() as view:
        w, v = leaf(2.0), leaf(3.0)
        torch.set_grad_enabled(False)
        w * 1
        torch.set_grad_enabled(True)
        w * v
    nodes = found(view)
    assert "used inside set_grad_enabled" in said(nodes["w"])[0]
    assert not said(nodes["v"])


def test_a_custom_function_and_an_update_of_parameters_are_no_cuts():
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 2 + 0 * x

    with GraphView() as view:
        w = leaf(2.0)
        y = Twice.apply(w)
        y.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
    assert not said(found(view)["w"])


def test_a_layer_that_keeps_statistics_marks_nothing():
    with GraphView() as view:
        x = torch.ones(4, 2, requires_grad=True)
        y = torch.nn.BatchNorm1d(2)(x)
    assert y.requires_grad
    assert not [node for node in view.graph["nodes"] if said(node)]


def test_a_detached_tensor_is_shown_as_coming_from_where_it_was_cut():
    with GraphView() as view:
        x, w = leaf(2.0), leaf(3.0)
        y = x * w
        t = y.detach()
        z = w * t
    nodes = found(view)
    (edge,) = nodes["t"]["cut"]
    assert (edge["id"], edge["text"]) == (nodes["y"]["id"], "y")
    assert said(nodes["t"])[0].startswith("the value of y without its history, by .detach() in")
    assert z.requires_grad


def test_a_detached_value_without_a_name_is_called_by_what_it_was():
    with GraphView() as view:
        x = leaf(2.0)
        y = x * 3
        z = y.detach() * y
    nodes = found(view)
    assert nodes["z"]["formula"] == "y.detach() * y"
    assert said(nodes["y.detach()"]) and z.requires_grad


def test_what_is_made_of_a_detached_value_comes_from_where_that_was_cut():
    """As the target of a temporal difference: the detached value itself is never in the graph."""
    with GraphView() as view:
        score = leaf(2.0) * 3
        target = score.detach() * 0.9 + 1
        with torch.no_grad():
            slow = score * 0.1
        loss = (score - target - slow * 2).sum()
    nodes = found(view)
    line = nodes["score"]["line"] + 1
    cut = [node["cut"] for node in view.graph["nodes"] if "cut" in node]
    assert [[edge["text"] for edge in edges] for edges in cut] == [["score"], ["score"]]
    (sentence,) = said(nodes["target"])
    assert sentence == (
        f"made from the value that .detach() took out of score in line {line} of "
        "test_marks.py: no gradient passes back there"
    )
    assert not said(nodes["target"], "memory") and loss.requires_grad


def test_a_fresh_leaf_from_a_number_comes_from_nowhere():
    with GraphView() as view:
        x = leaf(2.0)
        y = x * 3
        fresh = torch.tensor(y.item())
        z = x * fresh
    nodes = found(view)
    assert "cut" not in nodes["fresh"] and not said(nodes["fresh"])
    assert said(nodes["y"]) and z.requires_grad


def test_what_was_cut_from_a_leaf_that_is_not_used_yet_has_its_edge_all_the_same():
    with GraphView() as view:
        w, x = leaf(2.0), leaf(3.0)
        t = w.detach()
        y = x * t
    nodes = found(view)
    order = list(nodes)
    assert nodes["t"]["cut"][0]["id"] == nodes["w"]["id"]
    assert order.index("w") < order.index("t") and y.requires_grad


def test_a_loop_makes_one_mark_a_line():
    with GraphView() as view:
        w = leaf(2.0)
        y = w * 2
        for _ in range(5):
            y.item()
    assert len(said(found(view)["y"])) == 1


def test_a_cut_is_told_to_a_view_that_is_open():
    view = GraphView()
    a = leaf(2.0)
    y = a * 3
    view.bring_up_to_date()
    sent = []
    view.send = lambda content, buffers=None: sent.append(content)
    y.item()
    view.bring_up_to_date()
    (node,) = sent[0]["nodes"]
    assert node["names"] == ["y"] and said(node)
    view.close()


def test_nothing_is_noted_while_nobody_watches():
    before = dict(tape._cuts)
    a = leaf(2.0)
    (a * 3).detach()
    with torch.no_grad():
        a * 2
    assert Watch.observer is None and tape._cuts == before


# --- what shares memory ----------------------------------------------------------------------


def test_views_and_detached_values_share_memory_with_what_they_show():
    with GraphView() as view:
        x = leaf(1.0, 2.0)
        y = x * 2
        v = y.view(2, 1)
        t = y.detach()
        z = v * t
    nodes = found(view)
    assert said(nodes["v"], "memory") == [
        "shares its memory with y: a write to one is seen in the other"
    ]
    assert said(nodes["t"], "memory") == said(nodes["v"], "memory")
    (both,) = said(nodes["y"], "memory")
    assert both.endswith(": a write to one is seen in all")
    assert "t and v" in both or "v and t" in both
    assert not said(nodes["x"], "memory") and z.requires_grad


def test_what_is_copied_shares_nothing():
    with GraphView() as view:
        x = torch.ones(2, 3, requires_grad=True)
        y = x * 2
        copies = y.clone(), y.t().reshape(6)  # which has to be copied
    texts = {node["op"]: said(node, "memory") for node in view.graph["nodes"]}
    assert not texts["clone"] and not texts["unsafe_view"] and len(copies) == 2


def test_a_freed_view_shares_no_more():
    with GraphView() as view:
        x = leaf(1.0, 2.0)
        y = x * 2
        v = y.view(2, 1)
        assert "with v" in said(found(view)["y"], "memory")[0]
        del v
    assert not said(found(view)["y"], "memory")


def test_a_write_in_place_is_said_at_both_nodes():
    with GraphView() as view:
        x = leaf(2.0)
        y = x * 1
        y.mul_(3)
    nodes = [node for node in view.graph["nodes"] if node["op"]]
    before, after = (said(node, "memory")[0] for node in nodes)
    assert before.startswith("overwritten in place in line")
    assert before.endswith("the value shown is the one before")
    assert after.endswith("into the memory that held x * 1")


def test_a_write_through_a_view_is_said_at_what_it_shows():
    with GraphView() as view:
        x = leaf(1.0, 2.0)
        y = x * 1
        y[0] = 5.0
    texts = [text for node in view.graph["nodes"] for text in said(node, "memory")]
    assert any(text.startswith("overwritten in place") for text in texts)
    wrote = [text for text in texts if text.startswith("written in place in line ")]
    assert wrote and wrote[0].endswith(": y[0] is 5 now, and the rest of y is as it was")
    assert y[0].item() == 5.0


# --- in words --------------------------------------------------------------------------------


def test_the_text_and_the_table_of_a_view_have_the_sentences():
    with GraphView() as view:
        x = leaf(2.0)
        y = x * 3
        y.item()
    still = view.still()
    assert "y = x * 3: read as a Python number by .item() in line" in still.table
    assert "read as a Python number by .item()" in still.says
    view.close()
