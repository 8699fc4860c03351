"""GraphView shows everything, only what is alive, or only the latest pass."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad_widgets import GraphView

pytestmark = pytest.mark.browser


def training():
    """Three passes; the graphs of the first two were freed when ``loss`` got another value."""
    with GraphView() as view:
        w = torch.tensor([1.0], requires_grad=True)
        for count in range(3):
            loss = (w * count - 1) ** 2
            loss.sum().backward()
    view.close()
    graph = view.graph
    assert loss.requires_grad
    return {"graph": graph, "_esm": view._esm, "_css": view._css}


def count(page):
    return page.locator("[data-kind=op]")


def test_the_reader_chooses_how_much_is_shown_and_the_view_says_what_is_left_out(show):
    page = show("graph_view", training())
    expect(count(page)).to_have_count(12)
    alive = page.locator("[data-kind=op]:not([data-state=gone])").count()
    choice = page.get_by_role("combobox", name="Show")
    choice.select_option("only what is alive")
    expect(count(page)).to_have_count(alive)
    expect(page.locator(".mg-note", has_text="freed operations are left out.")).to_be_visible()
    choice.select_option("this pass only")
    expect(count(page)).to_have_count(4)
    expect(page.locator(".mg-note", has_text="This pass is what led to sum(loss)")).to_be_visible()
    expect(page.locator("[data-mg-count]")).to_have_text("4 operations")
    choice.select_option("everything")
    expect(count(page)).to_have_count(12)


def test_where_nothing_is_alive_that_is_said_and_the_reader_can_go_back(show):
    data = training()
    for node in data["graph"]["nodes"]:
        node["state"] = "gone"
    page = show("graph_view", data)
    page.get_by_role("combobox", name="Show").select_option("only what is alive")
    expect(page.get_by_text("Nothing of this graph is alive.")).to_be_visible()
    page.get_by_role("combobox", name="Show").select_option("everything")
    expect(count(page)).to_have_count(12)


def test_where_every_part_is_the_whole_there_is_no_choice(show):
    data = training()
    last = [node for node in data["graph"]["nodes"] if node["id"].startswith("t")]
    page = show("graph_view", {"graph": {**data["graph"], "nodes": last}})
    expect(page.locator("[data-kind=leaf]")).to_have_count(1)
    expect(page.get_by_role("combobox", name="Show")).to_be_hidden()


def test_what_is_left_out_is_not_found(show):
    page = show("graph_view", training())
    page.get_by_role("combobox", name="Show").select_option("this pass only")
    page.get_by_role("button", name="Find a node").click()
    page.get_by_role("textbox", name="Find a node").fill("mul")
    found = page.get_by_role("search").get_by_role("status")
    expect(found).to_have_text("1 found. Enter leads to it.")
