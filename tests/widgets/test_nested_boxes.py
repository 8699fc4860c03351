"""Boxes in boxes in the page: opened and closed one by one and by levels, and nothing jumps."""

from __future__ import annotations

import json
import linecache

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad_widgets import GraphView

pytestmark = pytest.mark.browser

CELL = """
cell = nn.RNNCell(3, 4)
x = torch.ones(30, 2, 3)
h = torch.zeros(2, 4)
for t in range(30):
    h = cell(x[t], h)
loss = h.sum()
"""

NET = """
one = nn.Sequential(nn.Linear(2, 3), nn.Tanh())
other = nn.Sequential(nn.Linear(3, 1), nn.Tanh())
net = nn.Sequential(one, other)
loss = net(torch.ones(4, 2)).sum()
"""


def graph_of(source):
    """What the page gets of a program."""
    file = f"<page {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    space = {"torch": torch, "nn": torch.nn}
    view = GraphView()
    exec(compile(source, file, "exec"), space)
    view.cell_ends("In [1]")
    return {"graph": json.loads(json.dumps(view.graph, allow_nan=False))}


def boxes(page):
    page.evaluate("() => mg.painted()")
    return page.locator("[data-kind=box]")


def middle(locator):
    at = locator.bounding_box()
    return at["x"] + at["width"] / 2, at["y"] + at["height"] / 2


def focused(page):
    return page.locator(":focus")


def test_a_loop_opens_into_its_passes_one_behind_the_other(show):
    page = show("graph_view", graph_of(CELL))
    loop = page.get_by_role("img", name="line 6, 30 passes, 120 operations")
    before = middle(loop)
    loop.click()
    expect(boxes(page)).to_have_count(30)
    first = page.get_by_role("img", name="pass 1 of 30, RNNCell, 4 operations")
    expect(first).to_be_focused()
    assert middle(first) == pytest.approx(before, abs=6)
    places = [middle(boxes(page).nth(at)) for at in range(30)]
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert len({round(y) for _, y in places}) == 1


def test_what_is_opened_and_closed_stays_under_the_pointer(show):
    page = show("graph_view", graph_of(CELL))
    boxes(page).first.click()
    for at in (12, 3, 20):
        box = page.get_by_role("img", name=f"pass {at + 1} of 30")
        box.scroll_into_view_if_needed()
        before = middle(box)
        box.click()
        page.evaluate("() => mg.painted()")
        assert middle(focused(page)) == pytest.approx(before, abs=6)
        page.keyboard.press("-")
        page.evaluate("() => mg.painted()")
        expect(focused(page)).to_have_attribute(
            "aria-label", f"pass {at + 1} of 30, RNNCell, 4 operations and 1 data"
        )
        assert middle(focused(page)) == pytest.approx(before, abs=6)


def test_keys_open_a_box_and_close_the_one_around(show):
    page = show("graph_view", graph_of(NET))
    assert boxes(page).count() == 0  # a small graph opens unfolded
    page.get_by_role("button", name="Fold into boxes").click()
    expect(boxes(page)).to_have_count(1)
    boxes(page).first.focus()
    page.keyboard.press("+")
    expect(page.get_by_role("button", name="Close the box Sequential")).to_be_visible()
    expect(boxes(page)).to_have_count(2)
    page.keyboard.press("Enter")
    expect(boxes(page)).to_have_count(1)
    page.keyboard.press("-")
    expect(boxes(page)).to_have_count(2)
    page.keyboard.press("-")
    expect(boxes(page)).to_have_count(1)
    expect(focused(page)).to_have_attribute("data-kind", "box")


def test_levels_open_and_close_all_boxes_of_the_picture(show):
    page = show("graph_view", graph_of(NET))
    page.get_by_role("button", name="Fold into boxes").click()
    page.get_by_role("button", name="One level more").click()
    expect(boxes(page)).to_have_count(2)
    page.get_by_role("button", name="One level more").click()
    expect(boxes(page)).to_have_count(0)
    expect(page.get_by_role("button", name="One level more")).to_have_attribute(
        "aria-disabled", "true"
    )
    page.get_by_role("button", name="One level less").click()
    expect(boxes(page)).to_have_count(2)
    page.get_by_role("button", name="Unfold all boxes").click()
    expect(boxes(page)).to_have_count(0)
    assert page.locator(".mg-frame-name").count() == 3
    page.get_by_role("button", name="One level less").click()
    expect(boxes(page)).to_have_count(2)


def test_a_click_on_the_name_of_an_open_box_closes_it(show):
    page = show("graph_view", graph_of(NET))
    page.get_by_role("button", name="Fold into boxes").click()
    page.get_by_role("button", name="One level more").click()
    page.locator(".mg-frame-name").first.click()
    expect(boxes(page)).to_have_count(1)


def test_the_ground_of_an_open_box_lies_behind_its_nodes_alone(show):
    page = show("graph_view", graph_of(NET))
    page.get_by_role("button", name="Fold into boxes").click()
    page.get_by_role("button", name="One level more").click()
    assert page.locator(".mg-frame").count() == 1
    assert page.locator(".mg-frame rect").count() == 2


def test_an_open_nested_graph_has_no_barrier(show, front_end):
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page = show("graph_view", graph_of(CELL))
    boxes(page).first.click()
    boxes(page).first.click()
    page.evaluate("() => mg.painted()")
    page.evaluate(axe)
    found = page.evaluate("() => axe.run(document.body).then(r => r.violations.map(v => v.id))")
    assert found == []


def test_a_hostile_name_is_a_name(show):
    source = NET.replace("net = nn.Sequential", "net = Hostile")
    hostile = '<img src=x onerror="document.title=1">'
    source = f"Hostile = type({hostile!r}, (nn.Sequential,), {{}})\n" + source
    page = show("graph_view", graph_of(source))
    page.get_by_role("button", name="Fold into boxes").click()
    page.get_by_role("button", name="One level more").click()
    page.get_by_role("button", name="One level more").click()
    assert page.locator("img[src]").count() == 0
