"""The views on real PyTorch: the same program shows the same graph and the same pass.

Runs where PyTorch is installed: ``pip install torch==2.13.0``.
"""

from __future__ import annotations

import base64
import gc
import weakref

import numpy as np
import pytest

import minigrad
from minigrad_widgets import BackwardStepper, GraphDiff, GraphView
from minigrad_widgets.session import session
from minigrad_widgets.slices import answer

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch==2.13.0")

BOTH = pytest.mark.parametrize("name", ["published", "taxi", "rnn", "several_rides"])


@pytest.fixture(autouse=True)
def no_view_is_left():
    yield
    for view in list(session.views):
        view.close()


def leaf(value, lib=torch):
    return lib.tensor(value, requires_grad=True)


# ---------------------------------------------------------------------------------- programs


def published(lib):
    a, b = leaf(2.0, lib), leaf(6.0, lib)
    e = (a + b) * (b + 1)
    return looked_at(e, locals())


def taxi(lib):
    rate = leaf(2.0, lib)
    ride = rate * 3
    fare = ride + 4
    error = fare - 13
    loss = error**2
    return looked_at(loss, locals())


def several_rides(lib):
    rate, base = leaf([2.0], lib), leaf(4.0, lib)
    km = lib.tensor([1.0, 2.0, 3.0, 5.0])
    fares = rate * km + base
    loss = ((fares - lib.tensor([7.0, 10.0, 13.0, 19.0])) ** 2).mean()
    return looked_at(loss, locals())


def rnn(lib):
    w = leaf([[0.1, -0.2], [0.3, 0.4], [-0.5, 0.6]], lib)
    u = leaf([[0.7, 0.1], [-0.3, 0.2]], lib)
    h = lib.tensor([[0.5, -0.5]])
    for x in ([[1.0, 2.0, 3.0]], [[-1.0, 0.5, 2.0]], [[0.0, 1.0, -1.0]]):
        h = lib.tanh(lib.tensor(x) @ w + h @ u)
    loss = h.sum()
    return looked_at(loss, locals())


def mlp(lib):
    nn = lib.nn
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    with lib.no_grad():
        for number, parameter in enumerate(model.parameters()):
            count = parameter.numel()
            numbers = [((7 * i + 3 * number) % 11 - 5) / 10 for i in range(count)]
            parameter.copy_(lib.tensor(numbers).reshape(parameter.shape))
    x = lib.tensor([[1.0, 2.0, 0.5], [-1.0, 0.0, 2.0], [0.3, -0.7, 1.1]])
    scores = model(x)
    loss = nn.functional.cross_entropy(scores, lib.tensor([0, 1, 1]))
    return looked_at(loss, locals())


def looked_at(loss, names):
    """The picture and the pass, as the views of a cell with these names show them."""
    names = {name: value for name, value in names.items() if name not in ("lib", "nn")}
    made = {"loss": loss, "GraphView": GraphView, "BackwardStepper": BackwardStepper, **names}
    exec(f"view, stepper = GraphView({root(names)}), BackwardStepper({root(names)})", made)
    view, stepper = made["view"], made["stepper"]
    return view.graph["nodes"], stepper.schedule["steps"]


def root(names):
    return "e" if "e" in names else "loss"


def told(data):
    """The same data without ids, which are the view's own, and without sizes of what is saved."""
    if isinstance(data, list):
        return [told(one) for one in data]
    if not isinstance(data, dict):
        return float(f"{data:.5g}") if isinstance(data, float) else data
    skipped = ("id", "node", "from", "to", "saved", "spot", "cell", "line", "file", "source")
    return {key: told(value) for key, value in data.items() if key not in skipped}


def by_name(nodes):
    return sorted(map(told, nodes), key=lambda node: (node["kind"], str(node["names"]), str(node)))


@BOTH
def test_the_same_program_has_the_same_nodes_and_edges(name):
    program = globals()[name]
    (ours, _), (theirs, _) = program(minigrad), program(torch)
    assert by_name(theirs) == by_name(ours)


@BOTH
def test_the_same_program_has_the_same_visits_rules_and_gradients(name):
    program = globals()[name]
    (_, ours), (_, theirs) = program(minigrad), program(torch)
    assert told(theirs) == told(ours)


FUSED = {"t", "log_softmax"}
"""What PyTorch records as nodes of their own, and minigrad within the node that follows."""


def test_a_network_has_the_same_visits_and_gradients():
    (ours, our_steps), (theirs, their_steps) = mlp(minigrad), mlp(torch)
    assert visits(theirs, their_steps, without=FUSED) == visits(ours, our_steps)
    assert landings(their_steps).keys() == landings(our_steps).keys()
    for name, grad in landings(our_steps).items():
        np.testing.assert_allclose(landings(their_steps)[name], grad, 1e-4, 1e-7, err_msg=name)


def test_what_minigrad_fuses_is_drawn_in_parts():
    nodes, steps = mlp(torch)
    assert visits(nodes, steps) == ["nll_loss", "log_softmax", "addmm", "t", "tanh", "addmm", "t"]
    formulas = [node["formula"] for node in nodes if node["op"]]
    assert "addmm(0.bias, x, t(0.weight))" in formulas and "log_softmax(scores)" in formulas


def visits(nodes, steps, without=()):
    operations = {node["id"]: node["op"] for node in nodes}
    made = [operations[step["node"]] for step in steps if step["kind"] == "visit"]
    return [op for op in made if op not in without]


def landings(steps):
    return {step["text"]: step["after"]["data"] for step in steps if step["kind"] == "land"}


def test_a_parameter_has_its_path_and_a_result_its_variable():
    nodes, _ = mlp(torch)
    names = {name for node in nodes for name in node["names"]}
    assert {"0.weight", "0.bias", "2.weight", "2.bias", "x", "scores", "loss"} <= names


# ---------------------------------------------------------------------------------- GraphView


def nodes(view):
    view.cell_ends("")
    return {(node["names"] or [node["formula"]])[0]: node for node in view.graph["nodes"]}


def test_what_is_not_known_is_not_said():
    a, b = torch.ones(3, requires_grad=True), torch.rand(3)
    loss = ((a + b) + b).sum()
    found = nodes(GraphView(loss))
    assert found["a + constant"]["value"] == {
        "shape": [3], "dtype": "float32", "text": "3 numbers", "data": [], "shown": [0],
    }  # fmt: skip


def test_an_operation_that_minigrad_does_not_have_goes_by_pytorchs_name():
    a = leaf(2.0)
    loss = torch.special.i0e(torch.lgamma(a))
    found = nodes(GraphView(loss))
    assert found["lgamma(a)"]["op"] == "lgamma"
    step = BackwardStepper(loss).schedule["steps"][-2]
    assert step["outgoing"][0]["rule"] == "by PyTorch's own rule: LgammaBackward0"
    assert step["outgoing"][0]["local"] is None


def test_a_multiple_that_is_added_is_not_shown_as_a_sum():
    a, b = leaf(2.0), leaf(3.0)
    loss = torch.add(a, b, alpha=2)
    assert nodes(GraphView(loss))["loss"]["formula"] == "AddBackward0(a, b)"
    visit = BackwardStepper(loss).schedule["steps"][1]
    assert [sent["rule"] for sent in visit["outgoing"]] == [
        "by PyTorch's own rule: AddBackward0"
    ] * 2


def test_of_several_results_it_is_told_which_one():
    a = leaf([[1.0, 2.0], [3.0, 4.0]])
    first, second = a.unbind()
    loss = (first * second + first).sum()
    found = nodes(GraphView(loss))
    assert found["unbind(a)"]["value"]["text"] == "2 results, each float32 2"
    assert "first * second" in found
    steps = {step["text"]: step for step in BackwardStepper(loss).schedule["steps"]}
    assert steps["unbind(a)"]["grad"]["text"] == "2 gradients, each float32 2"
    assert steps["a"]["after"]["data"] == [4.0, 5.0, 1.0, 2.0]


def test_gradients_at_the_same_result_are_added_and_no_others():
    a = leaf([[1.0, 2.0], [3.0, 4.0]])
    first, second = a.unbind()
    loss = (first * second + first).sum()
    sums = [
        (sent["text"], sent["sumBefore"] and sent["sumBefore"]["data"], sent["sum"]["data"])
        for step in BackwardStepper(loss).schedule["steps"]
        if step["kind"] == "visit"
        for sent in step["outgoing"]
        if sent["text"] in ("first", "second")
    ]
    assert sums == [
        ("first", None, [1.0, 1.0]),
        ("first", [1.0, 1.0], [4.0, 5.0]),
        ("second", None, [1.0, 2.0]),
    ]


class Double(torch.autograd.Function):
    calls = 0

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        Double.calls += 1
        return g * 2


def test_a_function_of_ones_own_goes_by_the_name_of_its_class():
    a = leaf(3.0)
    loss = Double.apply(a)
    found = nodes(GraphView(loss))
    assert found["loss"]["formula"] == "Double(a)"
    assert [one["text"] for one in found["loss"]["saved"]] == ["a"]
    before = Double.calls
    assert BackwardStepper(loss).schedule["steps"][1]["outgoing"][0]["rule"] == "backward(ctx, g)"
    assert Double.calls == before + 1


def test_what_is_kept_for_backward_is_what_pytorch_keeps():
    a, b = leaf([2.0, 3.0]), leaf([4.0, 5.0])
    loss = (a * b).sum()
    saved = nodes(GraphView(loss))["a * b"]["saved"]
    assert {one["text"]: (one["bytes"], one["why"]) for one in saved} == {
        "a": (8, ["b: g * a"]),
        "b": (8, ["a: g * b"]),
    }


def test_a_backward_pass_is_seen_when_the_cell_has_ended():
    a = leaf(2.0)
    loss = a.exp() * a
    view = GraphView(loss)
    assert {node["state"] for node in nodes(view).values()} == {"alive"}
    loss.backward()
    found = nodes(view)
    assert found["a"]["grad"]["text"] == f"{a.grad.item():.4g}"
    assert {node["state"] for node in found.values() if node["op"]} == {"spent"}


def test_a_leaf_that_was_moved_has_its_new_value():
    a = leaf(2.0)
    view = GraphView(a * 3)
    with torch.no_grad():
        a -= 0.5
    assert nodes(view)["a"]["value"]["text"] == "1.5"


def test_it_keeps_no_graph_alive():
    def look():
        loss = leaf([2.0]).exp()
        return GraphView(loss), weakref.ref(loss)

    view, gone = look()
    gc.collect()
    assert gone() is None
    view.cell_ends("")


def test_numbers_that_numpy_does_not_have_are_left_open():
    a = torch.ones(2, 3, dtype=torch.bfloat16, requires_grad=True)
    found = nodes(GraphView((a * 2).sum()))
    assert found["a"]["value"]["text"] == "2×3 numbers"
    meta = torch.ones(2, 3, device="meta", requires_grad=True)
    assert nodes(GraphView(meta.exp()))["meta"]["value"]["text"] == "2×3 numbers"


def test_a_sparse_gradient_lands_without_its_numbers():
    table = torch.nn.Embedding(10, 4, sparse=True)
    loss = table(torch.tensor([1, 2])).sum()
    land = BackwardStepper(loss).schedule["steps"][-1]
    assert (land["text"], land["after"]["text"]) == ("table.weight", "10×4 numbers")


def test_an_infinite_gradient_is_a_gradient():
    a = leaf(1e300 * 1e300)
    loss = a * 2 * a
    assert BackwardStepper(loss).schedule["steps"][-1]["after"]["data"] == ["inf"]


def test_a_number_in_a_product_is_shown():
    a = leaf(3.0)
    loss = torch.ops.aten.mul.Scalar(a, 2)
    assert nodes(GraphView(loss))["loss"]["formula"] == "a * 2"


def test_a_leaf_alone_is_a_graph():
    a = leaf(2.0)
    assert list(nodes(GraphView(a))) == ["a"]


def test_a_tensor_without_a_history_is_refused_as_ours_are():
    with pytest.raises(RuntimeError, match="does not require grad"):
        GraphView(torch.ones(2))
    with pytest.raises(RuntimeError, match="does not require grad"):
        BackwardStepper(torch.ones(()))


def test_it_cannot_watch_a_block():
    with pytest.raises(RuntimeError, match=r"fix: GraphView\(loss\)"):
        GraphView(leaf(2.0) * 3).__enter__()


def test_in_a_block_it_sees_what_pytorch_records():
    a, b = leaf(2.0), leaf(6.0)
    before = a * b
    with GraphView() as view:
        c = a + b
        d = b + 1
        e = before * (c * d)
        a.grad
    later = e * 2
    found = nodes(view)
    assert repr(view) == "GraphView(4 operations)" and later.item() == 1344
    assert found["e"]["formula"] == "before * (c * d)"
    assert found["e"]["source"] == "e = before * (c * d)"
    assert found["c * d"]["value"]["text"] == "56"
    assert found["before"]["kind"] == "earlier"


def test_in_a_block_a_graph_that_was_used_is_drawn_with_its_values():
    w = leaf([1.0, -2.0])
    with GraphView() as view:
        for x in ([1.0, 3.0], [2.0, 1.0]):
            loss = (w * torch.tensor(x)).sum().square()
            loss.backward()
    found = nodes(view)
    assert found["loss"]["value"]["text"] == "0" and found["loss"]["state"] == "spent"
    assert found["w"]["grad"]["text"] == "[-10, -30]"
    assert repr(view) == "GraphView(6 operations)" and view.graph["omitted"] == 3


def test_in_a_block_operations_are_drawn_whose_result_nobody_holds():
    w = leaf([1.0, -2.0])
    with GraphView() as view:
        first, second = (w * 3).unbind()
        with torch.no_grad():
            w * 5
        with torch.inference_mode():
            torch.ones(2) * 5
    del second
    assert [node["formula"] for node in nodes(view).values() if node["op"]] == [
        "w * 3",
        "unbind(w * 3)",
    ]
    assert first.item() == 3


def test_in_a_block_that_leaves_no_graph_the_operations_are_counted():
    w = leaf(2.0)
    with GraphView() as view:
        (w * 3).backward()
    assert repr(view) == "GraphView(1 operation)"
    assert (view.graph["nodes"], view.graph["omitted"]) == ([], 1)
    assert "nothing holds it" in str(view)


def test_a_block_of_ours_is_watched_as_ever():
    a = leaf(2.0, minigrad)
    with GraphView() as view:
        b = a * a
    assert repr(view) == "GraphView(1 operation)" and b.item() == 4


# ---------------------------------------------------------------------------- BackwardStepper


def test_a_rehearsal_changes_no_grad():
    a = leaf(2.0)
    a.grad = torch.tensor(5.0)
    middle = a * 3
    middle.retain_grad()
    loss = middle.exp()
    steps = BackwardStepper(loss).schedule["steps"]
    assert a.grad.item() == 5 and middle.grad is None
    assert steps[-1]["before"]["data"] == [5.0]
    loss.backward()
    assert a.grad.item() == pytest.approx(steps[-1]["after"]["data"][0])
    assert middle.grad.item() == pytest.approx(steps[2]["grad"]["data"][0])


def test_the_visits_come_in_autograds_own_order():
    a = leaf(0.5)
    loss = (a.sin() * a.exp()).tanh() + a.cos()
    real = []
    steps = BackwardStepper(loss).schedule["steps"]

    def hooked(node):
        node.register_hook(lambda *_: real.append(node.name()))
        for below, _ in node.next_functions:
            if not hasattr(below, "variable"):
                hooked(below)

    hooked(loss.grad_fn)
    loss.backward()
    assert [step["text"].split(" = ")[-1] for step in steps if step["kind"] == "visit"] == [
        "tanh(sin(a) * exp(a)) + cos(a)", "cos(a)", "tanh(sin(a) * exp(a))", "sin(a) * exp(a)",
        "exp(a)", "sin(a)",
    ]  # fmt: skip
    assert real == [f"{op}Backward0" for op in ("Add", "Cos", "Tanh", "Mul", "Exp", "Sin")]


def test_hooks_of_the_program_are_part_of_the_pass():
    a = leaf(2.0)
    middle = a * 3
    middle.register_hook(lambda g: g * 10)
    loss = middle * 2
    assert BackwardStepper(loss).schedule["steps"][-1]["after"]["data"] == [60.0]


def test_it_leaves_no_hook_behind():
    a = leaf(2.0)
    loss = a * 3
    stepper = BackwardStepper(loss)
    before = len(stepper.schedule["steps"])
    loss.backward()
    assert len(stepper.schedule["steps"]) == before and a.grad.item() == 3


def test_a_freed_graph_says_what_to_do():
    a = leaf(2.0)
    loss = a.exp()
    loss.backward()
    schedule = BackwardStepper(loss).schedule
    assert schedule["mode"] == "unavailable" and "before backward()" in schedule["message"]
    assert [node["state"] for node in schedule["nodes"] if node["op"]] == ["spent"]


def test_several_numbers_want_a_gradient_to_start_with():
    a = leaf([1.0, 2.0])
    with pytest.raises(RuntimeError, match="scalar outputs"):
        BackwardStepper(a * 2)
    steps = BackwardStepper(a * 2, torch.tensor([1.0, 10.0])).schedule["steps"]
    assert steps[-1]["after"]["data"] == [2.0, 20.0]


def test_what_backward_would_raise_is_raised():
    a = leaf([1.0, 2.0])
    b = a.exp()
    loss = (b * b).sum()
    with torch.no_grad():
        b.add_(1)
    assert GraphView(loss)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        BackwardStepper(loss)


def test_an_engine_of_ones_own_walks_our_graphs_only():
    with pytest.raises(TypeError, match="not of PyTorch's"):
        BackwardStepper(leaf(2.0) * 3, engine="once")


ALIKE = {
    "softmax": lambda t, x: t.softmax(x, 1)[:, 0].sum(),
    "means": lambda t, x: x.mean(-1).pow(3).sum(),
    "norm": lambda t, x: t.nn.functional.layer_norm(x, (3,)).relu().sum(),
    "loss": lambda t, x: t.nn.functional.mse_loss(x.sigmoid(), x.detach() * 2),
    "powers": lambda t, x: (2**x + x**-2 + x.abs() ** x).sum(),
    "choices": lambda t, x: t.where(x > 1, x.log1p(), x / 3).clamp(min=0).sum(),
    "places": lambda t, x: (x[0] @ x[1]) * x.T[1:].max(),
    "parts": lambda t, x: t.cat([x, x.reshape(2, 3)]).transpose(0, 1).sum(1).prod(),
}


@pytest.mark.parametrize("name", ALIKE)
def test_a_rule_that_is_shown_is_the_one_that_minigrad_shows(name):
    """Wherever a formula stands, both views have the same; elsewhere a sentence stands."""
    said = []
    for lib in (minigrad, torch):
        x = leaf([[1.5, 2.0, 0.5], [0.25, 1.0, 3.0]], lib)
        stepper = BackwardStepper(ALIKE[name](lib, x))
        made = {}
        for step in stepper.schedule["steps"]:
            for sent in step.get("outgoing", []):
                operation = step["text"].partition("(")[0]
                rule = sent["rule"].replace("(1,)", "1")  # as PyTorch has it
                made.setdefault((operation, sent["arg"]), set()).add(rule)
        land = stepper.schedule["steps"][-1]["after"]["data"]
        said.append((made, land))
    (ours, our_grad), (theirs, their_grad) = said
    np.testing.assert_allclose(their_grad, our_grad, 1e-4)
    shared = ours.keys() & theirs.keys()
    assert shared
    for key in shared:
        for rule in theirs[key] - ours[key]:
            assert rule.startswith("by PyTorch's own rule: "), (key, rule, ours[key])


# ---------------------------------------------------------------------------------- GraphDiff


def doubled(a, most):
    while a < most:
        a = a * 2
    return a.exp()


def test_two_runs_of_a_function_are_laid_side_by_side():
    arguments = [{"a": torch.tensor(start, requires_grad=True), "most": 4} for start in (0.9, 2.1)]
    view = GraphDiff(doubled, *arguments)
    assert repr(view) == "GraphDiff(a = 0.9, most = 4 | a = 2.1, most = 4)"
    assert (view.difference["left"]["operations"], view.difference["right"]["operations"]) == (4, 2)
    kinds = [row["kind"] for row in view.difference["rows"]]
    assert kinds.count("left") == 2 and "right" not in kinds


def branched(a, b):
    c = a * b
    if c > 0:
        d = c.exp()
    else:
        d = c.sin() * b
    return d + a


def test_the_branch_where_two_runs_part_is_found_by_its_line():
    arguments = [{"a": leaf(1.0), "b": leaf(start)} for start in (2.0, -2.0)]
    difference = GraphDiff(branched, *arguments).difference
    line = branched.__code__.co_firstlineno + 2
    assert f"the branch at line {line} differs" in difference["summary"]
    nodes = [row["left"] for row in difference["rows"] if row["left"] and row["left"]["op"]]
    assert [(node["names"], node["line"]) for node in nodes] == [
        (["c"], line - 1), (["d"], line + 1), ([], line + 4),
    ]  # fmt: skip
    assert nodes[0]["value"]["text"] == "2"


def layered(x):
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh(), torch.nn.Linear(2, 1))
    scores = model(x)
    loss = torch.nn.functional.mse_loss(scores, torch.ones(1, 1))
    return loss


def test_of_all_that_one_line_makes_only_the_result_has_its_name():
    x = torch.ones(1, 2)
    rows = GraphDiff(layered, {"x": x}, {"x": x}).difference["rows"]
    named = [(row["left"]["op"], row["left"]["names"]) for row in rows if row["left"]["op"]]
    assert named == [
        ("t", []), ("addmm", []), ("tanh", []), ("t", []), ("addmm", ["scores"]),
        ("mse_loss", ["loss"]),
    ]  # fmt: skip


def test_two_results_are_laid_side_by_side():
    a, b = leaf(2.0), leaf(3.0)
    one, other = (a * b).exp(), (a * b) + b
    rows = GraphDiff(one, other, ask=False).difference["rows"]
    told = [(row["kind"], (row["left"] or row["right"])["formula"]) for row in rows]
    assert ("same", "a * b") in told
    assert ("left", "exp(a * b)") in told and ("right", "a * b + b") in told


def test_a_run_without_a_result_is_refused():
    with pytest.raises(TypeError, match="fix: return the tensor"):
        GraphDiff(lambda a: None, {"a": torch.ones(1)}, {"a": torch.ones(1)})


# ------------------------------------------------------------------------- values of any rank


def test_each_channel_can_be_asked_for_and_none_that_was_written_over():
    h = torch.nn.Conv2d(1, 3, 3)(torch.randn(4, 1, 20, 20))
    view = GraphView(h.relu().sum())
    value = next(node["value"] for node in view.graph["nodes"] if "h" in node["names"])
    message = {"type": "slice", "of": value["more"], "at": [3, 2], "start": [0, 0], "step": None}
    numbers = base64.b64decode(answer(message)["slice"]["numbers"])
    assert numbers == h.detach().numpy()[3, 2].tobytes()
    with torch.no_grad():
        h[0, 0, 0, 0] += 1
    assert answer(message)["why"] == "written"
