"""GraphView on programs that no lesson prepared: what it draws, counts and names is true."""

from __future__ import annotations

import linecache

import pytest

import minigrad as torch
import minigrad_widgets.graph_view as module
from minigrad.tape import recorder
from minigrad_widgets import GraphView
from minigrad_widgets.folding import most_times
from minigrad_widgets.stills.words import graph_says
from minigrad_widgets.watching import watch


@pytest.fixture(autouse=True)
def no_view_is_left():
    yield
    for view in list(module.session.views):
        view.close()


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def run(source, namespace):
    """Run a program at the top of a module of its own, as a cell does."""
    file = f"<program {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), namespace)


def drawn(view):
    """The picture: kind and name (or formula) of each node, and where its edges come from."""
    view.cell_ends("")
    nodes = {node["id"]: node for node in view.graph["nodes"]}
    title = {key: (node["names"] or [node["formula"]])[0] for key, node in nodes.items()}
    return {
        title[key]: (
            node["kind"],
            [title.get(one["id"], "?") for one in node["inputs"] if one["id"]],
        )
        for key, node in nodes.items()
    }


def equations(view):
    """The operations, as the page writes them."""
    view.cell_ends("")
    operations = [node for node in view.graph["nodes"] if node["kind"] == "op"]
    return [" = ".join([*node["names"][:1], node["formula"]]) for node in operations]


@pytest.fixture
def long_tape(monkeypatch):
    """A tape with room for more than what other tests have recorded and still hold."""
    monkeypatch.setattr(recorder, "LIMIT", 1_000_000)


@pytest.fixture
def names():
    return {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "a": leaf(2.0)}


# ------------------------------------------------------------ what was made before is an input

BLOCK = "b = a * 3\nc = b.exp()\nd = c + a\ne = d * b"


def test_a_block_that_runs_again_shows_this_run_alone(names):
    for _ in range(3):
        with GraphView() as view:
            run(BLOCK, names)
        assert repr(view) == "GraphView(4 operations)"
        assert equations(view) == ["b = a * 3", "c = exp(b)", "d = c + a", "e = d * b"]


def test_a_result_from_before_the_view_is_an_input_with_its_name(names):
    run("b = a * 3\nc = b.exp()", names)
    with GraphView() as view:
        run("d = c + a", names)
    assert drawn(view) == {
        "c": ("earlier", []),
        "a": ("leaf", []),
        "d": ("op", ["c", "a"]),
    }
    assert equations(view) == ["d = c + a"]


def test_the_still_of_a_view_tells_an_earlier_result_from_a_leaf(names):
    run("c = (a * 3).exp()", names)
    with GraphView() as view:
        run("d = c + a", names)
    text = graph_says(view.graph)
    assert text.startswith("A graph of 1 operation on 1 leaf: a = 2; with 1 earlier result: c = 4")


def test_what_another_view_has_seen_is_an_input_of_a_later_one(names):
    run("c = (a * 3).exp()", names)
    with GraphView():
        run("d = c + a", names)
    with GraphView() as later:
        run("e = d * c", names)
    assert drawn(later) == {
        "d": ("earlier", []),
        "c": ("earlier", []),
        "e": ("op", ["d", "c"]),
    }
    assert repr(later) == "GraphView(1 operation)"


def test_an_input_has_the_name_that_it_has_now(names):
    with GraphView():
        run("d = a * 2\nkept = d", names)
    with GraphView() as later:
        run("d = None\ne = kept + 1", names)
    assert equations(later) == ["e = kept + 1"]


def test_an_earlier_result_that_is_freed_is_told_so(names):
    run("b = a * 3", names)
    with GraphView() as view:
        run("c = b.exp()", names)
        run("b = c = None", names)
    view.cell_ends("")
    assert {node["state"] for node in view.graph["nodes"] if node["kind"] != "leaf"} == {"gone"}


def test_a_watched_call_draws_what_it_did_not_make_as_an_input(names):
    names["w"] = names["a"] * 2
    view = watch(lambda x: x * names["w"], x=3.0)
    kinds = sorted(node["kind"] for node in view.graph["nodes"])
    assert kinds == ["earlier", "leaf", "op"]


# ------------------------------------------------------------------------- more than are drawn


def training(steps, w):
    for _ in range(steps):
        (w * 2).sum().backward()


def kept_training(steps, w):
    """The same without backward passes; whose graphs the caller keeps."""
    return [(w * 2).sum() for _ in range(steps)]


def counts(view):
    operations = [node for node in view.graph["nodes"] if node["kind"] == "op"]
    return view.graph["latest"]["made"], len(operations), view.graph["omitted"]


def test_past_the_limit_an_open_view_counts_on_and_draws_the_latest(names, long_tape):
    view = GraphView()
    try:
        kept = []
        for steps, expected in ((2000, (4000, 4000, 0)), (6000, (12000, 10000, 6000))):
            view.cell_begins("")
            kept += kept_training(steps, names["a"])
            view.cell_ends("")
            assert counts(view) == expected
        view.cell_begins("")
        newest = names["a"] * 3
        view.cell_ends("")
        assert counts(view) == (1, 10000, 6001)
        assert view.graph["nodes"][-1]["id"] == f"n{newest.grad_fn.seq}"
        used = {one["id"] for node in view.graph["nodes"] for one in node["inputs"]} - {None}
        assert used <= {node["id"] for node in view.graph["nodes"]}
    finally:
        view.close()


def test_of_graphs_that_are_gone_the_latest_thousand_operations_are_drawn(names, long_tape):
    with GraphView() as view:
        alive = names["a"] * 5
        training(3000, names["a"])
        later = names["a"] * 7
    operations = [node for node in view.graph["nodes"] if node["kind"] == "op"]
    assert [n["state"] for n in operations] == ["alive", *["gone"] * 1000, "alive"]
    assert [operations[0]["names"], operations[-1]["names"]] == [["alive"], ["later"]]
    assert alive.grad_fn is not later.grad_fn
    assert repr(view) == "GraphView(6002 operations)" and view.graph["omitted"] == 5000


def test_a_loop_that_has_lost_passes_says_how_many_are_drawn(names, long_tape):
    view = GraphView()
    try:
        for _ in range(2):  # what one cell has made is dropped in the next one
            training(600, names["a"])
            view.cell_ends("")
        (box,) = view.graph["groups"]
        assert box["title"] == "training" and box["note"].endswith("500 passes drawn")
        assert box["groups"][0]["title"] == "passes 1–17 of 500 drawn"
        training(3, names["a"])
        view.cell_ends("")
        first, second = (box["note"] for box in view.graph["groups"])
        assert first.endswith("497 passes drawn, call 1 of 2 drawn")
        assert second.endswith("3 passes, call 2 of 2 drawn")
    finally:
        view.close()


def test_while_a_cell_runs_the_page_gets_two_hundred_nodes_at_most(names, long_tape):
    view = GraphView()
    sent = []
    view.send = sent.append
    try:
        for _ in range(40):
            training(50, names["a"])
            view.bring_up_to_date()
        told = {node["id"] for message in sent for node in message["nodes"]}
        assert len(told) == module.AT_ONCE == 200 and view.graph["nodes"] == []
    finally:
        view.close()


def test_a_large_block_after_a_small_one_disturbs_neither(names, long_tape):
    with GraphView() as small:
        training(500, names["a"])
    with GraphView() as large:
        kept = kept_training(9000, names["a"])
    small.bring_up_to_date()
    small.cell_ends("")
    assert repr(small) == "GraphView(1000 operations)" and small.graph["omitted"] == 0
    assert {n["state"] for n in small.graph["nodes"] if n["kind"] == "op"} == {"gone"}
    assert repr(large) == "GraphView(18000 operations)" and large.graph["omitted"] == 8000
    assert len(kept) == 9000


def test_a_view_forgets_what_it_draws_no_more(monkeypatch, names):
    monkeypatch.setattr(module, "LIMIT", 20)
    view = GraphView()
    try:
        training(200, names["a"])
        view.cell_ends("")
        assert max(map(len, (view._keys, view._told, view._drawn, view._uses))) <= 22
        assert len(view._stamps) <= 22
    finally:
        view.close()


# ------------------------------------------------------------------------------------- names


def named(source, names):
    """The operations of a program, as the page gets them."""
    with GraphView() as view:
        run(source, names)
    view.cell_ends("")
    return [node for node in view.graph["nodes"] if node["kind"] == "op"]


def test_of_a_model_in_one_expression_only_the_result_has_the_name(names):
    names["model"] = torch.nn.Sequential(
        torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3)
    )
    operations = named("x = torch.ones(4, 2)\nscores = model(x)", names)
    assert [node["names"] for node in operations] == [[], [], ["scores"]]


def test_in_a_loop_each_call_of_a_cell_names_its_result_alone(names):
    source = "cell = nn.RNNCell(2, 3)\nh = torch.zeros(1, 3)\nx = torch.ones(1, 2)\n"
    operations = named(f"{source}for _ in range(3):\n    h = cell(x, h)", names)
    assert [node["op"] for node in operations if node["names"]] == ["tanh"] * 3


def test_an_inner_step_that_is_used_only_later_has_no_name(names):
    names["q"] = leaf([[[1.0], [2.0]]])
    operations = named("mixed = F.scaled_dot_product_attention(q, q, q)", names)
    assert [node["names"] for node in operations] == [[]] * (len(operations) - 1) + [["mixed"]]


WRITES = {
    "y = a * torch.ones(3)\nz = y[:2]\nz += 1": ("y", "y with [:2] ← z"),
    "y = a * torch.ones(3)\nz = y[:2]\nz.mul_(3)": ("y", "y with [:2] ← z"),
    "y = a * torch.ones(3)\nz = y.view(3)\nz += 1\ny.add_(1)": ("y", "y with .view(3) ← z"),
}


@pytest.mark.parametrize("source", WRITES)
def test_a_write_through_a_view_names_the_tensor_that_was_written(source, names):
    name, formula = WRITES[source]
    operations = named(source, names)
    (write,) = [node for node in operations if node["op"] == "copy_slices"]
    assert (write["names"], write["formula"]) == ([name], formula)
    assert write["id"] not in [one["id"] for one in write["inputs"]]  # it does not use itself


def test_every_write_into_a_tensor_is_named_after_it(names):
    operations = named("y = a * torch.ones(3)\ny.mul_(3)\ny[0] = a\ny.add_(1)", names)
    written = [n["names"] for n in operations if n["op"] in ("mul", "copy_slices", "add")]
    assert written == [["y"]] * 4


def test_an_operation_that_stands_for_several_of_pytorchs_says_so(names):
    names["W"], names["b"] = leaf([[1.0, 2.0]] * 3), leaf([0.0] * 3)
    source = "scores = F.linear(torch.ones(4, 2), W, b)\n"
    operations = named(source + "loss = F.cross_entropy(scores, torch.ones(4).long())", names)
    linear, loss = operations
    assert linear["fused"] == "one node for PyTorch's TBackward0 and AddmmBackward0"
    assert loss["fused"] == "one node for PyTorch's LogSoftmaxBackward0 and NllLossBackward0"
    assert loss["formula"] == "nll_loss(log_softmax(scores))"
    assert "fused" not in named("c = a * 2", names)[0]


# ------------------------------------------------------------------------------------ counts

COUNTS = {
    "cell = nn.RNNCell(2, 3)\nh = torch.zeros(1, 3)\n"
    "for _ in range(30):\n    h = cell(torch.ones(1, 2), h)": 30,
    "out, h = nn.RNN(2, 3)(torch.ones(31, 1, 2))": 1,
    "out, _ = nn.MultiheadAttention(8, 2)(*[torch.ones(5, 1, 8)] * 3)": 1,
    "net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2))\n"
    "for _ in range(7):\n    net(torch.ones(1, 2)).sum()": 7,
}


@pytest.mark.parametrize("source", COUNTS)
def test_a_count_is_that_of_the_calls(source, names):
    operations = named(source, names)
    assert most_times(operations) == COUNTS[source]


def test_the_boxes_of_a_cell_that_was_called_in_a_loop_are_its_passes(names):
    source, *_ = COUNTS
    with GraphView() as view:
        run(source, names)
    view.cell_ends("")
    (box,) = view.graph["groups"]
    assert (box["title"], box["note"]) == ("line 4", "30 passes")
    assert [inner["title"] for inner in box["groups"]] == [f"pass {n} of 30" for n in range(1, 31)]
    assert {len(inner["members"]) for inner in box["groups"]} == {4}
