"""The ways to watch: from now on, a ``with`` block, and one call with numbers to change."""

from __future__ import annotations

import gc
import json
import re
import sys
import weakref

import numpy as np
import pytest

import minigrad as torch
from minigrad.engine.node import Watch
from minigrad.tape import tape
from minigrad_widgets import BackwardStepper, GraphDiff, GraphView, runs, watch
from minigrad_widgets.graph_view import session

DRAGGED_SECONDS = runs.DRAGGED_SECONDS  # before a test lets runs take longer


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def named(view):
    """The operations that the picture shows, by name or formula."""
    nodes = view.graph["nodes"]
    return [(n["names"] or [n["formula"]])[0] for n in nodes if n["kind"] == "op"]


def ask(view, number=1, **values):
    """What the page sends when a slider moves."""
    view._asked(view, {"type": "run", "number": number, "values": values}, [])


def product(a, b):
    c = a * b
    return c + 1


# --- a block ---------------------------------------------------------------------------------


def test_a_with_block_shows_what_runs_inside_and_no_more():
    a = leaf(2.0)
    before = a * 1
    with GraphView() as view:
        inside = a * 2
    after = a * 3
    view.cell_ends("In [1]")
    assert named(view) == ["inside"]
    assert (before + inside + after).item() == 12.0
    assert Watch.observer is None
    view.close()


def test_after_the_block_a_freed_graph_still_fades():
    with GraphView() as view:
        b = leaf(2.0) * 2
    assert view.graph["nodes"][-1]["state"] == "alive"
    del b
    view.cell_ends("In [1]")
    assert view.graph["nodes"][-1]["state"] == "gone"
    view.close()


def test_after_the_block_the_view_is_at_rest_in_later_cells():
    with GraphView() as view:
        b = leaf(2.0) * 2
    sent = []
    view.send = lambda content, buffers=None: sent.append(content)
    before = view.graph
    view.cell_begins("In [2]")
    other = leaf(1.0) * 3
    view.cell_ends("In [2]")
    assert sent == [] and view.graph is before and before["ended"]
    assert (b + other).item() == 7.0
    view.close()


def test_a_block_that_raises_ends_the_watching_all_the_same():
    with pytest.raises(ZeroDivisionError), GraphView() as view:
        b = leaf(2.0) * 2
        raise ZeroDivisionError(b)
    assert Watch.observer is None and named(view) == ["b"]
    view.close()


def test_gradients_of_a_watched_pass_are_in_the_picture():
    a, b = leaf([2.0]), leaf([6.0])
    with GraphView() as view:
        e = (a + b) * (b + 1)
        e.backward()
    grads = {n["formula"] or n["names"][0]: n["grad"]["text"] for n in view.graph["nodes"]}
    assert (grads["a + b"], grads["b + 1"], grads["b"]) == ("[7]", "[8]", "[15]")
    view.close()


# --- a call ----------------------------------------------------------------------------------


def test_a_call_is_shown_with_its_leaves_its_result_and_as_text():
    view = watch(product, a=2.0, b=6.0)
    assert named(view) == ["c", "c + 1"]
    assert view.result.item() == 13.0
    assert repr(view).splitlines()[:2] == [
        "product(a=2, b=6) = 13",
        "c + 1       13   AddBackward0",
    ]
    assert [k["name"] for k in view.run["knobs"]] == ["a", "b"]
    json.dumps([view.graph, view.run], allow_nan=False)
    view.close()


def test_another_number_runs_the_function_again():
    view = watch(product, a=2.0, b=6.0)
    ask(view, 7, a=3.0)
    assert (view.result.item(), view.run["result"], view.run["answers"]) == (19.0, "19", 7)
    assert [k["value"] for k in view.run["knobs"]] == [3.0, 6.0]
    view.close()


def test_the_same_path_has_the_same_nodes_and_another_branch_others():
    def f(a):
        if a > 0:
            return a * 2
        return torch.exp(a) + 1

    view = watch(f, a=1.0)
    first = [n["id"] for n in view.graph["nodes"]]
    ask(view, a=2.0)
    assert [n["id"] for n in view.graph["nodes"]] == first == ["t1", "n2"]
    ask(view, a=-2.0)
    assert [n["op"] for n in view.graph["nodes"]] == ["", "exp", "add"]
    view.close()


def test_a_leaf_that_the_branch_does_not_use_is_shown_alone():
    view = watch(lambda a, b: a * 2, a=1.0, b=5.0)
    assert [n["names"] for n in view.graph["nodes"]][:2] == [["a"], ["b"]]
    view.close()


def test_integers_are_plain_arguments_with_a_slider_in_whole_steps():
    def power(a, n):
        assert type(n) is int
        h = a
        for _ in range(n):
            h = h * a
        return h

    view = watch(power, a=2.0, n=3)
    assert (view.run["knobs"][1]["whole"], len(named(view))) == (True, 3)
    ask(view, n=5.0)
    assert len(named(view)) == 5
    view.close()


def test_lists_and_arrays_of_floats_are_leaves_without_sliders_and_the_rest_is_passed_on():
    seen = {}

    def f(w, x, flag, word):
        seen.update(flag=flag, word=word)
        return (w * x).sum()

    view = watch(f, w=[1.0, 2.0], x=np.ones(2, "f4"), flag=True, word="yes")
    assert view.run["knobs"] == [] and set(view.leaves) == {"w", "x"}
    assert seen == {"flag": True, "word": "yes"}
    view.close()


def test_a_triple_says_how_far_the_slider_goes():
    view = watch(product, a=(1.95, 1.9, 2.0), b=1.0)
    knob = view.run["knobs"][0]
    assert (knob["value"], knob["least"], knob["most"], knob["step"]) == (1.95, 1.9, 2.0, 0.001)
    view.close()


@pytest.mark.parametrize("value", [0.0, 1e-9, -3.5, 250.0, 1e30])
def test_a_slider_reaches_around_its_value_in_a_hundred_steps_or_more(value):
    view = watch(lambda a: a * 1, a=value)
    knob = view.run["knobs"][0]
    assert knob["least"] < knob["most"] and 0 < knob["step"] <= (knob["most"] - knob["least"]) / 50
    assert knob["least"] <= value <= knob["most"]
    view.close()


def test_a_value_that_is_not_finite_has_no_slider():
    view = watch(lambda a: a * 2, a=float("inf"))
    assert view.run["knobs"] == [] and view.run["result"] == "inf"
    json.dumps([view.run, view.graph], allow_nan=False)
    view.close()


def test_an_error_is_a_message_with_the_users_line():
    def broken(a):
        b = a * 2
        return b / undefined  # noqa: F821

    view = watch(broken, a=1.0)
    assert view.run["problem"].startswith("NameError: name 'undefined' is not defined")
    assert "test_watching.py, line" in view.run["problem"]
    assert "return b / undefined" in view.run["problem"]
    assert named(view) == ["b"] and view.result is None
    view.close()


def test_an_error_that_minigrad_raises_names_the_users_line_too():
    view = watch(lambda a: a @ torch.ones(3, 3), a=[1.0, 2.0])
    assert "test_watching.py" in view.run["problem"]
    view.close()


def test_a_loop_without_end_is_stopped_and_says_so():
    def endless(a):
        while a < 2:
            a = a * 1
        return a

    view = watch(endless, a=1.0)
    assert "MG114" in view.run["problem"] and "notices" not in view.run["problem"]
    assert len(named(view)) == 10_000
    ask(view, a=5.0)
    assert (view.run["problem"], view.run["result"]) == ("", "5")
    view.close()


def test_what_is_printed_goes_to_the_page_and_nowhere_else(capsys):
    view = watch(lambda a: print("<b>hello</b>" * 1000) or a * 2, a=1.0)
    assert capsys.readouterr().out == ""
    assert view.run["printed"].startswith("<b>hello") and len(view.run["printed"]) == 2000
    view.close()


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": "run"},
        {"type": "run", "values": 3},
        {"type": "other", "values": {"a": 9.0}},
        {"type": "run", "values": {"function": 1.0, "_knobs": 2.0, "a": "import os"}},
    ],
)
def test_a_page_can_change_the_numbers_and_nothing_else(message):
    view = watch(product, a=2.0, b=6.0)
    view._asked(view, message, [])
    assert view.result.item() == 13.0
    view.close()


def test_a_run_is_not_seen_by_other_views_and_ends_nobodys_watching():
    with GraphView() as other:
        view = watch(product, a=2.0, b=6.0)
        assert Watch.observer is tape
        kept = leaf(1.0) * 5
    assert named(other) == ["kept"] and kept.item() == 5.0
    assert Watch.observer is None
    for made in (view, other):
        made.close()


def test_the_result_and_the_leaves_are_the_real_thing():
    view = watch(product, a=2.0, b=6.0)
    view.result.backward()
    assert view.leaves["a"].grad.item() == 6.0
    assert repr(BackwardStepper(watch(product, a=2.0, b=6.0).result)) != ""
    view.close()


def test_a_run_of_more_than_sixty_operations_comes_with_boxes():
    def f(a):
        for _ in range(100):
            a = a * 1.01
        return a

    view = watch(f, a=1.0)
    (box,) = view.graph["groups"]
    assert box["note"].endswith("100 passes")
    view.close()


# --- size and leaks --------------------------------------------------------------------------


def test_the_state_of_a_thousand_nodes_stays_below_a_megabyte():
    with GraphView() as view:
        h = torch.ones(8, 8, requires_grad=True) * 0.37
        for _ in range(499):
            h = torch.tanh(h) * 1.01
        h.sum().backward()
    assert len(view.graph["nodes"]) >= 1000
    state = json.dumps(view.graph, ensure_ascii=False)
    state = re.sub(r'"([nt])\d+"', r'"\g<1>12345"', state)  # whatever has run before this test
    assert len(state.encode()) < 1_000_000
    view.close()


def test_ten_thousand_operations_are_all_in_the_state_folded():
    with GraphView() as view:
        h = leaf(0.5)
        for _ in range(5000):
            h = torch.tanh(h) * 1.01
    assert view.graph["omitted"] == 0 and len(view.graph["groups"]) == 1
    assert len(named(view)) == 10_000
    view.close()


def test_fifty_views_and_calls_opened_and_closed_are_let_go_with_their_tensors():
    def cycle():  # a function of its own: on Python 3.11 a looked-at frame keeps its variables
        view = GraphView()
        b = leaf(2.0) * 2
        view.cell_ends("In [1]")
        call = watch(product, a=2.0, b=6.0)
        ask(call, a=1.0)
        view.close()
        call.close()
        return [weakref.ref(held) for held in (view, call, call.result, b)]

    refs = [ref for _ in range(50) for ref in cycle()]
    gc.collect()
    assert [ref() for ref in refs] == [None] * 200
    assert Watch.observer is None and not session.views and not tape._readers


def stops_below_zero(a):
    if a < 0:
        sys.exit("negative")
    return a * 2


def test_an_exit_in_the_function_is_told_in_the_page_and_ends_no_kernel():
    view = watch(stops_below_zero, a=2.0)
    ask(view, a=-1.0)
    assert view.run["problem"].startswith("SystemExit: negative\ntest_watching.py, line")
    ask(view, a=3.0)
    assert (view.run["problem"], view.run["result"]) == ("", "6")
    view.close()


def test_an_interrupt_is_told_in_the_page_but_ends_a_cell():
    def interrupted(a):
        if a < 0:
            raise KeyboardInterrupt
        return a * 2

    view = watch(interrupted, a=2.0)
    ask(view, a=-1.0)
    assert view.run["problem"].startswith("KeyboardInterrupt\ntest_watching.py, line")
    view.close()
    with pytest.raises(KeyboardInterrupt):
        watch(interrupted, a=-1.0)


def amplify(a):
    while a < 2:
        a = a * 2
    return a


@pytest.mark.untraced
def test_a_loop_without_end_on_integers_is_stopped_after_some_seconds(monkeypatch):
    monkeypatch.setattr(runs, "SECONDS", 0.2)
    view = watch(amplify, a=1)
    ask(view, a=0)
    problem = view.run["problem"]
    assert problem.startswith("TimeoutError: stopped after 0.2 s: is there a loop that never ends?")
    assert "where: test_watching.py, line" in problem
    ask(view, a=3)
    assert (view.run["problem"], view.run["result"]) == ("", "3")
    view.close()
    with pytest.raises(TimeoutError, match="a loop that never ends"):
        GraphDiff(amplify, {"a": 0}, {"a": 2})
    assert Watch.observer is None


def test_a_function_with_one_set_of_arguments_is_no_pair_of_runs():
    with pytest.raises(TypeError, match="give the arguments of both runs"):
        GraphDiff(amplify, {"a": 1.0})


# --- what a run may take ---------------------------------------------------------------------


def test_while_a_slider_moves_a_loop_without_end_is_stopped_after_a_thousand_operations():
    view = watch(amplify, a=1.0)
    ask(view, a=0.0)
    assert view.run["problem"].startswith("RuntimeError: stopped after 1000 operations")
    assert len(named(view)) == 1000
    view.close()


def test_a_long_run_that_ended_earns_a_longer_one_while_a_slider_moves():
    def power(a, n):
        for _ in range(n):
            a = a * 1.001
        return a

    view = watch(power, a=1.0, n=(600, 0, 9000))
    assert view._calls.limits().operations == 2400
    ask(view, n=2000)
    assert view.run["problem"] == "" and view._calls.limits().operations == 8000
    ask(view, n=9000)
    assert "stopped after 8000 operations" in view.run["problem"]
    assert view._calls.limits().operations == 8000
    view.close()


def test_a_slider_waits_less_than_half_a_second_for_what_records_nothing(monkeypatch):
    view = watch(amplify, a=1)
    assert view._calls.latest.limits.seconds == runs.SECONDS == 10
    monkeypatch.setattr(runs, "DRAGGED_SECONDS", DRAGGED_SECONDS)
    view._calls.largest = runs.Limits(0, 0.05)
    assert view._calls.limits().seconds == DRAGGED_SECONDS < 0.5
    view._calls.largest = runs.Limits(0, 2.0)
    assert view._calls.limits().seconds == 8
    view.close()


# --- gradients that come later -------------------------------------------------------------------


def test_a_block_that_has_ended_shows_the_gradients_of_a_later_backward():
    with GraphView() as view:
        a = leaf(2.0)
        c = a * a
    assert grad_of(view, "a") is None
    c.backward()
    view.cell_ends("In [2]")
    assert grad_of(view, "a") == "4"
    a.grad = None
    view.cell_ends("In [3]")
    assert grad_of(view, "a") is None
    view.close()


def test_a_call_shows_the_gradients_of_a_backward_from_its_result():
    call = watch(product, a=2.0, b=6.0)
    call.result.backward()
    session._end()
    assert [grad_of(call, name) for name in "ab"] == ["6", "2"]
    ask(call, a=1.0)
    assert [grad_of(call, name) for name in "ab"] == [None, None]
    call.close()


def test_a_leaf_of_a_graph_with_thousands_of_operations_has_its_gradient():
    with GraphView() as view:
        a = leaf(1.0)
        h = a
        for _ in range(1300):
            h = h * 1.0
        h.backward()
    assert grad_of(view, "a") == "1"
    view.close()


def grad_of(view, name):
    """The gradient that the page gets for the leaf of this name."""
    [node] = [n for n in view.graph["nodes"] if n["op"] == "" and name in n["names"]]
    return node["grad"] and node["grad"]["text"]
