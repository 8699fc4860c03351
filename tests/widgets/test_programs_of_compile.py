"""Programs of ``torch.compile`` in GraphView and GraphDiff."""

from __future__ import annotations

import minigrad as torch
from minigrad_widgets import GraphDiff, GraphView
from minigrad_widgets.session import session


@torch.compile
def two_ways(x):
    if x.sum() > 0:
        return x.exp() * 2
    return -x * 2


for number in (1.0, 1.0, -1.0):
    two_ways(torch.tensor([number, 1.5 * number]))


def test_a_program_is_drawn_with_a_node_for_each_line():
    view = GraphView(two_ways.graph)
    nodes = view.graph["nodes"]
    assert repr(view) == "GraphView(5 operations)"
    assert [n["names"] for n in nodes if n["kind"] == "given"] == [["x"]]
    assert nodes[-1]["names"] == ["v4"] and nodes[-1]["formula"] == "v3 * 2"
    assert nodes[-1]["source"] == "return x.exp() * 2"
    assert {node["state"] for node in nodes} == {"alive"}
    assert view.graph["behind"] == "two_ways()"
    assert "v4 = v3 * 2" in str(view.still())


def test_a_view_of_a_program_does_not_watch():
    view = GraphView(two_ways.graph)
    a = torch.tensor(1.0, requires_grad=True)
    _ = a * 2
    assert repr(view) == "GraphView(5 operations)"


def test_two_programs_are_laid_side_by_side():
    first, second = (program.graph for program in two_ways.programs)
    view = GraphDiff(first, second, ask=False)
    assert repr(view) == "GraphDiff(two_ways | two_ways)"
    table = str(view)
    assert "= " in table and "np.add.reduce(x" in table
    assert "v3 = np.exp(x)" in table and "v3 = -x" in table


def test_a_drawn_program_asks_for_no_pulse():
    """Or else every compiled function of the later cells would run as if it were watched."""
    view = GraphView(two_ways.graph)
    assert view not in session.views
    view.close()
