"""Marks in the page: what was cut, what shares memory, and what failed."""

from __future__ import annotations

import pytest
from kernels import kernel
from playwright.sync_api import expect

import minigrad as torch
from minigrad import nn
from minigrad_widgets import BackwardStepper, GraphView, watch

HOSTILE = "<img src=x onerror=window.hacked=1>"


def traits(view):
    """What the page gets of a view, which is closed then."""
    view.close()
    names = ("graph", "schedule", "run", "_esm", "_css")
    return {name: getattr(view, name) for name in names if hasattr(view, name)}


def cut():
    """y is detached, viewed and read; w is used inside no_grad; s is written in place."""
    with GraphView() as view:
        x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
        w = torch.tensor([2.0, 2.0, 2.0], requires_grad=True)
        y = x * w
        t = y.detach()
        z = (t * w).sum()
        z.item()
        with torch.no_grad():
            u = w * 2
        q = u * y
        r = y.view(3, 1)
        s = y * 1
        s.mul_(3)
    assert q.requires_grad and r.requires_grad
    return traits(view)


def broken():
    """The second layer takes another number of features than the first gives."""
    model = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(2, 1))
    with pytest.raises(RuntimeError), GraphView() as view:
        model(torch.ones(5, 4))
    return traits(view)


def marks_at(page, name):
    return page.locator(f"[data-name={name}] .mg-mark").all_text_contents()


def axe(page, front_end):
    source = front_end / "node_modules" / "axe-core" / "axe.min.js"
    page.evaluate(source.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run('#views')).violations")
    return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]


@pytest.mark.browser
def test_marks_are_words_at_the_nodes_and_in_the_legend(show):
    page = show("graph_view", cut())
    found = {name: marks_at(page, name) for name in "xwytzuqr"}
    both = ["cut", "shared"]
    assert found == {
        "x": [],
        "w": ["cut"],
        "y": both,
        "t": both,
        "z": ["read"],
        "u": ["cut"],
        "q": [],
        "r": ["shared"],
    }
    legend = page.locator(".mg-legend")
    for word in ("cut", "read", "shared", "broken edge"):
        expect(legend.locator("b", has_text=word)).to_be_visible()
    expect(legend.locator("b", has_text="failed")).to_have_count(0)


@pytest.mark.browser
def test_a_broken_edge_leads_from_where_the_value_was_cut(show):
    page = show("graph_view", cut())
    expect(page.locator(".mg-edge.mg-cut .mg-cut-sign")).to_have_count(2)
    places = {
        name: page.locator(f"[data-name={name}]").bounding_box()["x"]
        for name in ("y", "t", "u", "q")
    }
    assert places["y"] < places["t"] and places["u"] < places["q"]
    page.locator("[data-name=t]").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-name=y]")).to_be_focused()
    page.get_by_label("Arrows").select_option("next_functions")
    expect(page.locator(".mg-edge.mg-cut.mg-no-gradient")).to_have_count(2)
    page.get_by_label("Nodes are").select_option("both")
    expect(page.locator(".mg-edge.mg-cut")).to_have_count(2)
    assert sorted(marks_at(page, "y")) == ["cut", "shared"], "at the value, not at the sign too"


@pytest.mark.browser
def test_the_details_and_the_table_say_in_a_sentence_what_happened_and_where(show):
    page = show("graph_view", cut())
    page.locator("[data-name=y]").press("Enter")
    panel = page.locator(".mg-details")
    expect(panel).to_contain_text("no gradient passes from here on")
    expect(panel).to_contain_text("shares its memory with")
    page.get_by_role("button", name="Table").click()
    row = page.locator("tr", has=page.get_by_role("button", name="z: details"))
    expect(row).to_contain_text("read as a Python number by .item() in line")


@pytest.mark.browser
def test_a_watched_call_has_marks_too_and_their_edges(show):
    def f(a, b):
        y = a * b
        return y.detach() * a

    page = show("graph_view", traits(watch(f, a=2.0, b=3.0)))
    expect(page.locator(".mg-edge.mg-cut")).to_have_count(1)
    expect(page.locator(".mg-mark-cut")).to_have_count(2)


@pytest.mark.browser
def test_what_failed_stands_in_the_picture_with_its_inputs_and_is_not_counted(show):
    page = show("graph_view", broken())
    failed = page.locator("[data-kind=failed]")
    expect(failed).to_have_count(1)
    expect(failed.locator(".mg-mark-failed")).to_have_text("failed")
    expect(page.locator("[data-mg-status]")).to_contain_text("linear failed.")
    expect(page.locator("[data-mg-count]")).to_have_text("2 operations")
    number = failed.get_attribute("data-mg-node")
    expect(page.locator(f'[data-mg-edge^="{number}|"]')).to_have_count(3)
    failed.press("Enter")
    panel = page.locator(".mg-details")
    expect(panel).to_contain_text("called with tanh(")
    expect(panel).to_contain_text("of shape (5, 3), 2.weight of shape (1, 2) and 2.bias of shape")
    expect(panel).to_contain_text("mat1 and mat2 shapes cannot be multiplied (5x3 and 2x1)")
    expect(panel.locator("dt", has_text="value")).to_have_count(0)


@pytest.mark.browser
def test_the_stepper_shows_the_marks_of_the_nodes_of_its_pass(show):
    with GraphView() as view:
        x = torch.tensor(2.0, requires_grad=True)
        y = x * 3
        loss = y * y.detach()
    stepper = BackwardStepper(loss)
    page = show("backward_stepper", traits(stepper))
    assert marks_at(page, "y") == ["cut", "shared"]
    expect(page.locator(".mg-legend b", has_text="cut")).to_be_visible()
    view.close()


@pytest.mark.browser
def test_hostile_texts_stay_data(show):
    given = broken()
    for node in given["graph"]["nodes"]:
        node["marks"] = [{"kind": "cut", "text": HOSTILE}, {"kind": "failed", "text": HOSTILE}]
        node["cut"] = [{"id": None, "arg": HOSTILE, "text": HOSTILE}]
    page = show("graph_view", given)
    page.locator("[data-kind=failed]").press("Enter")
    expect(page.locator(".mg-details")).to_contain_text(HOSTILE)
    assert page.locator("#views img").count() == 0
    assert page.evaluate("() => window.hacked") is None


@pytest.mark.browser
@pytest.mark.node
@pytest.mark.parametrize("program", [cut, broken])
def test_marks_have_no_fault_at_600_pixels(show, front_end, program):
    page = show("graph_view", program())
    page.set_viewport_size({"width": 600, "height": 900})
    page.locator("[data-kind=op], [data-kind=failed]").last.press("Enter")
    assert not axe(page, front_end)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


SETUP = """
import minigrad as torch
from minigrad_widgets import GraphView
view = GraphView()
a = torch.ones(2, 3, requires_grad=True)
b = torch.ones(4, 5)
def kinds():
    print([node["kind"] for node in view.graph["nodes"]])
"""


def test_a_cell_that_fails_shows_what_failed_until_it_is_run_again(tmp_path):
    with kernel(tmp_path) as cells:
        cells.run(SETUP, "one")
        cells.heard("c = a * 2\nd = c @ b", "two", fails=True)
        assert cells.run("kinds()", "three") == "['leaf', 'op', 'data', 'failed']\n"
        cells.run("e = a + 1", "four")
        assert "failed" in cells.run("kinds()", "three")
        cells.heard("d = c @ b", "two", fails=True)
        assert cells.run("kinds()", "three").count("failed") == 1
        cells.run("d = c * 3", "two")
        assert "failed" not in cells.run("kinds()", "three")
