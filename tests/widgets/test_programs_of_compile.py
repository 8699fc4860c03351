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


def test_the_table_of_a_program_tells_who_reads_a_value_and_when_it_is_deleted():
    rows = GraphView(two_ways.graph).still().table.splitlines()
    by_name = {row.split()[0]: " ".join(row.split()) for row in rows if row.strip()}
    assert by_name["v3"] == "v3 = np.exp(x) 2 numbers v4 deleted after v4"
    assert by_name["v4"].endswith("kept to the end")
    assert list(by_name)[1] == "x" and "alive" not in str(rows) and "not kept" not in str(rows)


def test_a_program_of_some_length_is_told_to_its_last_line():
    @torch.compile
    def long(x):
        for _ in range(15):
            x = (x + 1).sin()
        return x

    for _ in range(2):
        long(torch.ones(2))
    assert len(GraphView(long.graph).still().table.splitlines()) == 32  # with the head and x


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


def test_a_gradient_that_a_program_hands_out_is_kept():
    w = torch.tensor([2.0], requires_grad=True)

    @torch.compile
    def slope(x):
        w.grad = None
        (w * x).sum().backward()

    for _ in range(3):
        slope(torch.ones(1))
    assert "kept as a gradient" in GraphView(slope.graph).still().table
