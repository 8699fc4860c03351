"""Published PyTorch programs through all four views: what they say of them is so.

Runs where PyTorch is installed: ``pip install torch==2.13.0``.
"""

from __future__ import annotations

import numpy as np
import pytest

import minigrad
from minigrad_widgets import BackwardStepper, GraphDiff, GraphView, TrainingLoop, watch
from minigrad_widgets.session import session

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch==2.13.0")

import torch_programs as programs  # noqa: E402

EACH = pytest.mark.parametrize("make", programs.PROGRAMS)


@pytest.fixture(autouse=True)
def no_view_is_left():
    yield
    for view in list(session.views):
        view.close()


def operations_behind(loss):
    """How many nodes of autograd's, other than those that fill a ``.grad``, lead to a loss."""
    found, waiting = set(), [loss.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found and not hasattr(node, "variable"):
            found.add(node)
            waiting += [below for below, _ in node.next_functions]
    return len(found)


KINDS = {"gan": "fbfbs" + "bzfbfbs".replace("bz", "fbz") * 2 + "fb", "wgan": "zfffbs" * 3}
KINDS["cnn"] = "zfbs" * 8


@EACH
def test_a_training_has_its_losses_and_its_order(make):
    model, optimizer, _, train = make()
    with TrainingLoop(model, optimizer) as loop:
        losses = train()
    assert loop.losses == pytest.approx(losses, 1e-5)
    kinds = "".join(event["kind"][0] for event in loop.training["events"])
    assert kinds == KINDS.get(make.__name__, "zfbs" * 3)
    assert loop.training["notes"] == [] and loop.training["never"] == []
    assert [*loop.gradient_norms] == [name for name, _ in model.named_parameters()]
    assert all(np.isfinite(norms).all() for norms in loop.gradient_norms.values())


@EACH
def test_the_rehearsed_pass_lands_what_the_real_one_lands(make):
    model, _, compute, _ = make()
    loss = compute()
    schedule = BackwardStepper(loss).schedule
    assert schedule["mode"] == "rehearsed"
    assert all(parameter.grad is None for parameter in model.parameters())
    loss.backward()
    landed = {step["text"]: step["after"] for step in schedule["steps"] if step["kind"] == "land"}
    for name, parameter in model.named_parameters():
        if parameter.grad is None:
            continue
        (after,) = [landed[text] for text in (name, f"model.{name}") if text in landed]
        assert tuple(after["shape"]) == tuple(parameter.grad.shape)
        shown = np.array(after["data"], dtype=float)
        corner = parameter.grad.numpy()[(0,) * (parameter.dim() - 2)]
        corner = corner[tuple(map(slice, after["shown"][-corner.ndim :]))].ravel()
        np.testing.assert_allclose(shown.ravel(), corner, 1e-3, 1e-6, err_msg=name)
    visits = [step for step in schedule["steps"] if step["kind"] == "visit"]
    assert len(visits) == operations_behind(loss)


@EACH
def test_the_graph_has_each_operation_once_and_each_parameter_by_its_path(make):
    model, _, compute, _ = make()
    loss = compute()
    nodes = GraphView(loss).graph["nodes"]
    assert sum(bool(node["op"]) for node in nodes) == operations_behind(loss)
    names = {name for node in nodes for name in node["names"]}
    loss.backward()
    trained = {name for name, p in model.named_parameters() if p.grad is not None}
    assert trained <= names


@EACH
def test_in_a_block_the_graph_is_the_same_and_its_lines_are_known(make):
    _, _, compute, _ = make()
    with GraphView() as view:
        loss = compute()
    drawn = [node for node in view.graph["nodes"] if node["op"]]
    assert len(drawn) == operations_behind(loss)
    assert all(node["source"] for node in drawn if node["kind"] != "earlier")


@EACH
def test_two_calls_of_a_program_are_laid_side_by_side(make):
    _, _, compute, _ = make()

    def called(seed):
        torch.manual_seed(seed)
        return compute()

    found = GraphDiff(called, {"seed": 1}, {"seed": 2}, ask=False).difference
    count = operations_behind(compute())
    assert (found["left"]["operations"], found["right"]["operations"]) == (count, count)
    random = make.__name__ in ("cnn", "vae", "wgan")  # the others draw no number
    assert ("with other values" in found["summary"]) == random
    names = {name for row in found["rows"] for name in (row["left"] or row["right"])["names"]}
    assert any(name.endswith(("weight", "weight_ih", "weight_ih_l0")) for name in names)


# ------------------------------------------------------------------------ what was false


def named_in_a_block(program):
    model = program.model
    with GraphView() as view:
        kept = program.loss()
    assert kept.requires_grad and model.training
    return [
        (node["names"][0], node["formula"])
        for node in view.graph["nodes"]
        if node["op"] and node["names"]
    ]


def test_of_a_line_that_calls_modules_within_modules_only_the_result_has_its_name():
    """The first convolution is called by ``scores = model(images)`` too: it is not ``scores``."""
    assert named_in_a_block(programs.resnet()) == [
        ("out", "convolution(convolution(…), 1.conv1.weight, …)"),
        ("out", "native_batch_norm(out, 1.bn1.weight, 1.bn1.bias)"),
        ("out", "relu(out)"),
        ("out", "convolution(out, 1.conv2.weight, …)"),
        ("out", "native_batch_norm(out, 1.bn2.weight, 1.bn2.bias)"),
        ("out", "out + convolution(…)"),
        ("scores", "addmm(4.bias, view(mean(relu(out))), t(4.weight))"),
        ("loss", "nll_loss(…) * 0.9 + sum(…) / 4 * 0.03333"),
    ]


def test_each_line_of_a_module_names_what_it_works_out():
    assert named_in_a_block(programs.vae()) == [
        ("h1", "relu(addmm(…))"),
        ("mu", "addmm(fc21.bias, h1, t(fc21.weight))"),
        ("logvar", "addmm(fc22.bias, h1, t(fc22.weight))"),
        ("std", "exp(logvar * 0.5)"),
        ("BCE", "binary_cross_entropy(sigmoid(addmm(…)), 4×6 numbers)"),
        ("KLD", "sum(… - … - exp(logvar)) * -0.5"),
        ("loss", "BCE + KLD"),
    ]


def test_batch_norm_is_not_said_to_be_a_product_with_what_arrived():
    loss = programs.resnet().loss()
    saved = [
        (node["op"], why)
        for node in GraphView(loss).graph["nodes"]
        for one in node["saved"]
        for why in one["why"]
    ]
    assert "relu" in dict(saved) and "native_batch_norm" not in dict(saved)


def test_a_function_that_is_called_without_tensors_may_compute_with_pytorch():
    def powers(most):
        x = torch.tensor(2.0, requires_grad=True)
        while x < most:
            x = x * x
        return x

    found = GraphDiff(powers, {"most": 3}, {"most": 15}, ask=False).difference
    assert (found["left"]["operations"], found["right"]["operations"]) == (1, 2)


def test_a_function_that_computes_with_pytorch_gets_its_tensors_for_floats():
    def doubled(rate):
        return torch.exp(rate * 2)

    found = GraphDiff(doubled, {"rate": 1.0}, {"rate": 2.0}, ask=False).difference
    assert found["left"]["operations"] == 2 and "2 with other values" in found["summary"]


def test_a_function_of_minigrads_is_called_with_its_tensors_though_pytorch_is_there():
    def doubled(rate):
        return np.multiply(rate, 2) if isinstance(rate, float) else minigrad.exp(rate * 2)

    found = GraphDiff(doubled, {"rate": 1.0}, {"rate": 2.0}, ask=False).difference
    assert found["left"]["operations"] == 2
    assert "rate" in str(watch(doubled, rate=2.0))


@pytest.mark.parametrize("view", [BackwardStepper, watch])
def test_sliders_for_a_function_of_pytorchs_are_refused_with_the_way_out(view):
    def doubled(rate):
        return torch.exp(rate * 2)

    with pytest.raises(TypeError, match=r"doubled computes with PyTorch.*\n  fix: .*GraphDiff"):
        view(doubled, rate=2.0)
