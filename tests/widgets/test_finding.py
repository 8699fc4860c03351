"""GraphView's search in a real Chromium: by name, operation, shape and module, also in boxes."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad_widgets import GraphView

pytestmark = pytest.mark.browser

model = torch.nn.Sequential(
    torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 2), torch.nn.ReLU()
)


def traits(view, **more):
    """What the page gets of a view, which is closed then."""
    view.close()
    return {"graph": view.graph, "_esm": view._esm, "_css": view._css, **more}


def small():
    """e = (a + b) * (b + 1), and a matrix that nobody else has the shape of."""
    with GraphView() as view:
        a, b = (torch.tensor([value], requires_grad=True) for value in (2.0, 6.0))
        c = a + b
        d = b + 1
        e = c * d
        wide = e * torch.ones(2, 3)
    assert wide.shape == (2, 3)
    return traits(view)


def network(steps):
    """The model, called so often that its operations stand in boxes."""
    with GraphView() as view:
        x = torch.ones(1, 2)
        for _ in range(steps):
            x = model(x)
        answer = x.sum()
    assert answer.requires_grad
    return traits(view)


def find(page, text):
    page.get_by_role("textbox", name="Find a node").fill(text)


def said(page):
    return page.get_by_role("search").get_by_role("status")


def here(page):
    """The name or the formula of the node that the search has led to."""
    return page.locator(".mg-node", has=page.locator(".mg-here"))


def test_a_slash_opens_the_search_enter_goes_round_and_escape_leads_to_what_was_found(show):
    page = show("graph_view", small())
    page.locator("[data-name=a]").focus()
    page.keyboard.press("/")
    page.keyboard.type("add")
    expect(said(page)).to_have_text("2 found. Enter leads to the first.")
    expect(page.locator(".mg-ring")).to_have_count(2)
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text("1 of 2: c = a + b, in small")
    page.keyboard.press("Enter")
    expect(here(page)).to_have_attribute("data-name", "d")
    page.keyboard.press("Enter")
    expect(here(page)).to_have_attribute("data-name", "c")
    page.keyboard.press("Shift+Enter")
    expect(said(page)).to_have_text("2 of 2: d = b + 1, in small")
    page.keyboard.press("Escape")
    expect(page.get_by_role("search")).to_be_hidden()
    expect(page.locator("[data-name=d]")).to_be_focused()
    expect(page.locator(".mg-ring")).to_have_count(0)


def test_without_a_step_escape_leads_back_to_where_the_search_was_opened(show):
    page = show("graph_view", small())
    page.locator("[data-name=b]").focus()
    page.keyboard.press("/")
    page.keyboard.type("nobody")
    expect(said(page)).to_have_text("Nothing found.")
    page.keyboard.press("Escape")
    expect(page.locator("[data-name=b]")).to_be_focused()


def test_a_shape_is_found_in_each_way_of_drawing_and_in_the_table(show):
    page = show("graph_view", small())
    page.get_by_role("button", name="Find a node").click()
    for convention in ("operations", "values", "both"):
        page.get_by_label("Nodes are").select_option(convention)
        find(page, "2x3")
        page.keyboard.press("Enter")
        expect(said(page)).to_contain_text("1 of 2")
        expect(page.locator(".mg-here")).to_have_count(1)
        page.get_by_role("textbox", name="Find a node").press("Enter")
        expect(said(page)).to_contain_text("2 of 2: wide = ")
    page.get_by_role("button", name="Table", exact=True).click()
    find(page, "wide")
    page.keyboard.press("Enter")
    expect(page.locator("[data-mg-row][aria-current]")).to_contain_text("wide")


def test_what_is_found_in_a_box_unfolds_and_folds_again_when_the_search_goes_on(show):
    page = show("graph_view", network(60))
    page.get_by_role("button", name="Find a node").click()
    find(page, "tanh")
    expect(said(page)).to_have_text("60 found. Enter leads to the first.")
    assert page.locator(".mg-ring").count() < 60
    for number in range(1, 4):
        page.keyboard.press("Enter")
        expect(said(page)).to_contain_text(f"{number} of 60")
        expect(here(page)).to_have_attribute("data-op", "tanh")
        expect(here(page)).to_be_in_viewport()
    page.keyboard.press("Shift+Enter")
    expect(said(page)).to_contain_text("2 of 60")
    expect(page.get_by_role("button", name="Close the box passes 1–2 of 60")).to_be_visible()
    for number in (1, 60):
        page.keyboard.press("Shift+Enter")
        expect(said(page)).to_contain_text(f"{number} of 60")
    expect(page.get_by_role("button", name="Close the box passes 59–60 of 60")).to_be_visible()
    expect(page.get_by_role("button", name="Close the box passes 1–2 of 60")).to_have_count(0)
    find(page, "0.weight")
    page.keyboard.press("Enter")
    expect(here(page)).to_have_attribute("data-name", "0.weight")


def test_a_node_that_was_not_drawn_for_want_of_room_is_led_to(show):
    page = show("graph_view", network(300))
    page.get_by_role("button", name="Unfold all boxes").click()
    page.keyboard.press("/")
    find(page, "sum")
    page.keyboard.press("Enter")
    expect(here(page)).to_have_attribute("data-op", "sum")
    expect(here(page)).to_be_in_viewport()


def test_what_comes_while_one_searches_is_found_too(show):
    data = small()
    first = {**data["graph"], "nodes": data["graph"]["nodes"][:3]}
    page = show("graph_view", {"graph": first})
    page.get_by_role("button", name="Find a node").click()
    find(page, "add")
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("1 of 1")
    page.evaluate("graph => mg.set('graph', graph)", data["graph"])
    expect(said(page)).to_contain_text("1 of 2")


@pytest.mark.node
def test_the_search_has_no_fault_and_fits_on_a_narrow_page(show, front_end):
    page = show("graph_view", network(60))
    page.set_viewport_size({"width": 480, "height": 800})
    page.get_by_role("button", name="Find a node").click()
    find(page, "tanh")
    page.keyboard.press("Enter")
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page.evaluate(axe)
    found = page.evaluate("async () => (await axe.run('#views')).violations")
    assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
