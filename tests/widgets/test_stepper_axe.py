"""The stepper of a function is for everybody: axe finds nothing, and the keys lead everywhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from programs import folded, taxi, traits

from minigrad_widgets import BackwardStepper

pytestmark = pytest.mark.browser


def complaints(page, front_end):
    file = front_end / "node_modules" / "axe-core" / "axe.min.js"
    page.evaluate(file.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run('.mg-root')).violations")
    return [(rule["id"], [node["html"][:90] for node in rule["nodes"]]) for rule in found]


@pytest.mark.node
@pytest.mark.parametrize("width", [1000, 600])
def test_axe_finds_nothing_in_the_pass_nor_in_the_nudge(show, front_end, width):
    page = show("backward_stepper", traits(BackwardStepper(taxi, rate=2.0)))
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_role("button", name="Step", exact=True).click()
    assert complaints(page, front_end) == []
    page.get_by_role("button", name="Nudge").click()
    page.get_by_role("button", name="Table").click()
    page.get_by_role("button", name="Step", exact=True).click()
    assert complaints(page, front_end) == []
    page.get_by_role("group", name="Graph, scrollable").focus()
    page.keyboard.press("End")
    assert complaints(page, front_end) == []


@pytest.mark.node
def test_axe_finds_nothing_where_a_run_was_stopped(show, front_end):
    view = BackwardStepper(folded, a=1.0, n=2)
    view._asked(view, {"type": "run", "number": 1, "values": {"n": 50_000}}, [])
    assert view.run["problem"] != ""
    page = show("backward_stepper", traits(view))
    assert complaints(page, front_end) == []


def test_the_keyboard_alone_does_it_all(show):
    page = show("backward_stepper", traits(BackwardStepper(taxi, rate=2.0)))
    page.get_by_label("rate, slider").focus()
    reached = []
    for _ in range(24):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("() => document.activeElement.innerText.trim()"))
        if reached[-1] == "Nudge":
            page.keyboard.press("Enter")
        if "Reset" in reached[-1]:
            break
    assert {"Nudge", "Table", "fare = ride + 4"} <= set(reached)
    page.keyboard.press("End")
    expect(page.locator("[data-mg-nudge]")).to_contain_text("Step 6 of 6.")


@pytest.mark.parametrize("width", [480, 320])
def test_a_narrow_page_needs_no_sideways_scrolling(show, width):
    page = show("backward_stepper", traits(BackwardStepper(taxi, rate=2.0)))
    page.set_viewport_size({"width": width, "height": 800})
    for _ in range(2):
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= width
        page.get_by_role("button", name="Nudge").click()
