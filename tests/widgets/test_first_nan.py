"""The first NaN or infinity of a graph: taken down by the tape, marked, and found by one key."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad.tape.values import capture, summary
from minigrad_widgets import GraphView


def traits(view):
    """What the page gets of a view, which is closed then."""
    view.close()
    return {"graph": view.graph, "_esm": view._esm, "_css": view._css}


def nodes(view):
    """The nodes by name."""
    return {node["names"][0]: node for node in traits(view)["graph"]["nodes"] if node["names"]}


def spoilt():
    """log(0), and 0 · inf after it."""
    with GraphView() as view:
        a = torch.tensor([2.0, 0.0], requires_grad=True)
        b = torch.log(a)
        c = b * 3
        d = c * torch.tensor([1.0, 0.0])
    assert d.isnan().any()
    return traits(view)


def deep(passes, spoil):
    """A loop of so many passes, one of which has an infinity in the middle of it."""
    with GraphView() as view:
        h = torch.full((4, 20), 0.5, requires_grad=True)
        for count in range(passes):
            h = h + (float("inf") if count == spoil else 1.0)
            h = torch.tanh(h)
    assert h.isfinite().all()
    return traits(view)


@pytest.mark.parametrize(
    ("number", "flaw"), [(np.nan, "nan"), (np.inf, "inf"), (-np.inf, "inf"), (1.0, None)]
)
@pytest.mark.parametrize("shape", [(), (3,), (4, 4), (30,), (20, 20), (3, 4, 5)])
def test_a_value_tells_what_is_not_finite_wherever_it_stands(number, flaw, shape):
    array = np.full(shape, 1e38, np.float32)
    array[(-1,) * len(shape)] = number
    assert summary(capture(array)).get("flaw") == flaw
    assert summary(capture(array), 1).get("flaw") == flaw


def test_integers_have_no_flaw_and_two_flaws_are_both_told():
    assert "flaw" not in summary(capture(np.arange(100)))
    assert summary(capture(np.array([np.inf, np.nan])))["flaw"] == "nan and inf"


def test_a_leaf_that_was_changed_since_it_was_used_says_so():
    with GraphView() as view:
        w = torch.tensor([1.0], requires_grad=True)
        x = torch.tensor([1.0], requires_grad=True)
        y = w * x
        with torch.no_grad():
            w.fill_(float("nan"))
    found = nodes(view)
    assert y.isfinite().all()
    assert found["w"]["rewritten"]
    assert found["w"]["value"]["flaw"] == "nan"
    assert "rewritten" not in found["x"]
    assert "flaw" not in found["y"]["value"]


@pytest.mark.browser
def test_n_leads_to_the_first_infinity_and_then_to_the_first_nan(show):
    page = show("graph_view", spoilt())
    expect(page.locator("[data-name=b] .mg-first-tag")).to_have_text("first infinity")
    expect(page.locator("[data-name=d] .mg-first-tag")).to_have_text("first NaN")
    expect(page.locator(".mg-first-tag")).to_have_count(2)
    page.locator("[data-name=a]").focus()
    page.keyboard.press("n")
    expect(page.locator("[data-name=b]")).to_be_focused()
    text = page.locator(".mg-flaw-text")
    expect(text).to_contain_text("The first infinity is in b = log(a)")
    expect(text).to_contain_text("a was finite. Press n again for the first NaN.")
    page.keyboard.press("n")
    expect(page.locator("[data-name=d]")).to_be_focused()
    expect(text).to_contain_text("c held infinity. [1, 0] was finite.")


@pytest.mark.browser
def test_without_any_there_is_no_button_and_the_key_does_nothing(show):
    page = show("graph_view", deep(3, 99))
    expect(page.locator(".mg-flaw")).to_be_hidden()
    page.locator("[data-kind=op]").first.focus()
    page.keyboard.press("n")
    expect(page.locator("[data-kind=op]").first).to_be_focused()
    expect(page.locator(".mg-flaw-text")).to_have_text("")


@pytest.mark.browser
def test_in_a_folded_graph_the_box_is_marked_and_the_button_opens_it(show):
    page = show("graph_view", deep(100, 57))
    expect(page.locator("[data-kind=box] .mg-first-tag")).to_have_text("first infinity")
    page.get_by_role("button", name="First infinity").click()
    first = page.locator("[data-kind=op]", has=page.locator(".mg-first-tag"))
    expect(first).to_be_focused()
    expect(first).to_be_in_viewport()


@pytest.mark.browser
@pytest.mark.node
def test_the_mark_and_its_sentence_have_no_fault(show, front_end):
    page = show("graph_view", spoilt())
    page.set_viewport_size({"width": 600, "height": 800})
    page.get_by_role("button", name="First infinity").click()
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page.evaluate(axe)
    found = page.evaluate("async () => (await axe.run('#views')).violations")
    assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
