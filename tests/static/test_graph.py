"""A program as a graph: each line a node, and the arrows say where its values come from."""

from __future__ import annotations

import gc
import re
import weakref

import pytest
from test_tasks import gradients

import minigrad as torch
from minigrad.static.tasks import waiting


def trained():
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    @torch.compile
    def step(x, y):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    for _ in range(3):
        step(torch.randn(3, 4), torch.tensor([0, 1, 1]))
    return step


def test_each_line_is_a_node_and_says_what_it_does_and_where_it_comes_from():
    step = trained()
    graph = step.graph
    nodes = [graph.describe(key) for key in graph.in_order()]
    assert f"of {len(nodes)} lines" in step.explain()
    assert repr(graph) == f"<graph of step: {len(nodes)} lines>"
    for node in nodes:
        line = " = ".join([*node["names"], node["formula"]])
        assert line in step.source
        assert node["source"] in step.source
    kinds = [node["op"] for node in nodes]
    assert kinds[0] == "T" and {"dot", "add", "exp", "sum", "log", "guard", "index"} <= set(kinds)
    assert kinds[-3:] == ["grad", "grad", "call"]
    assert nodes[1]["value"] == {**nodes[1]["value"], "shape": [3, 2], "dtype": "float32"}
    assert {node["scope"] for node in nodes} >= {"", "AddmmBackward0"}


def test_what_an_optimiser_does_waits_for_all_gradients():
    graph = trained().graph
    call = graph.describe(graph.in_order()[-1])
    assert [graph.facts[one["id"]].op for one in call["inputs"]] == ["grad", "grad"]


def test_who_reads_an_array_that_was_written_to_comes_after_the_write():
    @torch.compile
    def f(x):
        y = x * 2
        y += x
        return y.exp()

    for _ in range(2):
        f(torch.ones(3))
    graph = f.graph
    product, total, write, last = graph.in_order()
    assert graph.describe(write)["formula"] == "v1[...] = v2"
    assert graph.facts[write].operands == (product, total)
    assert graph.facts[last].operands == (write,)


@pytest.mark.parametrize("name", ["Conv2d", "LSTM", "BatchNorm1d", "MultiheadAttention"])
def test_the_arrows_are_among_what_waits_for_what(name):
    step, x = gradients(name)
    for _ in range(2):
        step(x)
    graph = step.graph
    keys = graph.in_order()
    number = {key: place for place, key in enumerate(keys)}
    waits = waiting([graph.steps[key] for key in keys])
    for key in keys:
        drawn = {number[one] for one in graph.facts[key].operands if one in number}
        awaited = set(waits[number[key]])
        for one in waits[number[key]]:
            awaited |= waits[one]
        assert drawn <= awaited, graph.formula(graph.facts[key])


def test_the_graph_of_a_second_program():
    @torch.compile
    def f(x):
        return x.exp() if x.sum() > 0 else -x

    for sign in (1, 1, -1):
        f(sign * torch.ones(2))
    first, second = (program.graph for program in f.programs)
    assert first.formula(first.facts[first.root]) == "np.exp(x)"
    assert second.formula(second.facts[second.root]) == "-x"
    assert repr(first) == repr(f.graph)


def test_without_a_program_there_is_no_graph():
    f = torch.compile(lambda x: x * 2)
    said = re.escape("has no program yet\n  fix: call it twice first")
    with pytest.raises(RuntimeError, match=said):
        _ = f.graph


def test_a_graph_keeps_no_array_alive():
    step = trained()
    graph = step.graph
    kept = weakref.ref(step)
    del step
    gc.collect()
    assert kept() is None
    assert len(graph.in_order()) > 10


def test_of_a_function_that_is_refused_it_is_said_why_there_is_no_graph():
    f = torch.compile(lambda x: float(x.sum()))
    with pytest.warns(UserWarning, match="refuses"):
        for _ in range(3):
            f(torch.ones(2))
    with pytest.raises(RuntimeError, match=r"(?s)because it is refused: .*fix: "):
        _ = f.graph
    assert "refused" in repr(f)
