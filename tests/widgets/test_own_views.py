"""In a real kernel: each output has a view of its own, and a cell that runs again a new one."""

from __future__ import annotations

import pytest
from kernels import kernel

SETUP = """
import minigrad as torch
from minigrad_widgets import GraphView, TrainingLoop
from minigrad_widgets.session import session
views = []
def live():
    return [view in session.views for view in views]
"""
VIEW = "views.append(GraphView())\nviews[-1]"


@pytest.fixture
def cells(tmp_path):
    with kernel(tmp_path) as running:
        running.run(SETUP, "setup")
        yield running


def test_two_cells_with_the_same_text_have_a_view_each(cells):
    cells.run(VIEW, "one")
    cells.run(VIEW, "two")
    assert cells.run("print(live())") == "[True, True]\n"


def test_a_cell_that_runs_again_replaces_its_own_view_even_if_it_was_edited(cells):
    cells.run(VIEW, "one")
    cells.run(VIEW, "two")
    cells.run(VIEW, "one")
    assert cells.run("print(live())") == "[False, True, True]\n"
    cells.run(f"# edited\n{VIEW}", "one")
    assert cells.run("print(live())") == "[False, True, False, True]\n"


def test_a_loop_that_displays_views_shows_them_all(cells):
    cells.run("for _ in range(2):\n    views.append(GraphView())\n    display(views[-1])", "one")
    assert cells.run("print(live())") == "[True, True]\n"


def test_a_view_that_another_cell_displays_stays(cells):
    cells.run("views.append(GraphView())", "one")
    cells.run("views[0]", "two")
    cells.run("views.append(GraphView())", "one")
    assert cells.run("print(live())") == "[True, True]\n"
    cells.run("views[0]", "two")  # displayed once more
    assert cells.run("print(live())") == "[True, True]\n"
    cells.run("views[1]", "two")
    assert cells.run("print(live())") == "[False, True]\n"


def test_where_cells_have_no_ids_no_view_is_lost(cells):
    cells.run(VIEW)
    cells.run(VIEW)
    assert cells.run("print(live())") == "[True, True]\n"


def test_a_copied_training_cell_leaves_the_first_one_its_output(cells):
    cells.run("net = torch.nn.Linear(1, 1)\nopt = torch.optim.SGD(net.parameters(), lr=0.1)")
    train = (
        "with TrainingLoop(net, opt) as loop:\n"
        "    for _ in loop.progress(range(2)):\n"
        "        opt.zero_grad(); net(torch.ones(2, 1)).sum().backward(); opt.step()\n"
        "views.append(loop)"
    )
    cells.run(train, "one")
    cells.run(train, "two")
    open_ones = "print([view.comm is not None for view in views])"
    assert cells.run(open_ones) == "[True, True]\n"
    cells.run(train, "one")
    assert cells.run(open_ones) == "[False, True, True]\n"


QUESTIONS = """
from ipywidgets.widgets.widget import _instances
from minigrad import lesson
from minigrad_widgets import BackwardStepper, GraphDiff
a = torch.tensor(2.0, requires_grad=True)
"""


def test_a_cell_that_is_run_often_leaves_one_set_of_views(cells):
    cells.run(QUESTIONS, "more")
    every = (
        "lesson.predict('What is a?', 2.0)\n"
        "loss = a * a\n"
        "display(BackwardStepper(loss), GraphDiff(loss, loss + 1, ask=False), GraphView(loss))"
    )
    count = "print(len(_instances))"
    cells.run(every, "one")
    once = cells.run(count)
    for _ in range(5):
        cells.run(every, "one")
    assert cells.run(count) == once
