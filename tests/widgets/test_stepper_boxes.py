"""BackwardStepper with boxes: a closed one is stepped through at once, an open one by its parts."""

from __future__ import annotations

import json
import linecache

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad_widgets import BackwardStepper, GraphView

NET = """
one = nn.Sequential(nn.Linear(2, 3), nn.Tanh())
other = nn.Sequential(nn.Linear(3, 1), nn.Tanh())
net = nn.Sequential(one, other)
loss = net(torch.ones(4, 2)).sum()
"""


def schedule_of(source, watched=True):
    """The pass of a program that ran while a view watched, or not."""
    file = f"<stepped {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    space = {"torch": torch, "nn": torch.nn}
    view = GraphView() if watched else None
    exec(compile(source, file, "exec"), space)
    schedule = BackwardStepper(space["loss"]).schedule
    if view is not None:
        view.close()
    return json.loads(json.dumps(schedule, allow_nan=False))


def titles(groups):
    return [group["title"] for group in groups if group["title"]]


# --- the kernel ------------------------------------------------------------------------------


def test_a_pass_that_was_watched_has_the_boxes_of_its_program():
    groups = schedule_of(NET)["groups"]
    assert titles(groups) == ["Sequential"]
    assert titles(groups[0]["groups"]) == ["0", "1"]


def test_of_what_nobody_watched_no_box_is_claimed():
    assert schedule_of(NET, watched=False)["groups"] == []


def power(x, n=4):
    if n == 1:
        return x * 1.0
    return power(x, n // 2) * power(x, n - n // 2)


def test_a_function_has_the_boxes_of_its_calls():
    schedule = BackwardStepper(power, x=2.0).schedule
    boxes = [group for group in schedule["groups"] if group["title"]]
    assert [box["note"] for box in boxes] == ["call 1 of 2", "call 2 of 2"]
    ids = {node["id"] for node in schedule["nodes"]}
    inside = [one for box in boxes for one in box["members"]]
    assert len(inside) == 6 and set(inside) <= ids


# --- the page --------------------------------------------------------------------------------


def said(page):
    return page.locator("[data-mg-status]")


def press(page, name, times=1):
    for _ in range(times):
        page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.browser
def test_a_closed_box_is_one_step_and_opens_where_the_pass_stands(show):
    page = show("backward_stepper", {"schedule": schedule_of(NET)})
    whole = page.locator(".mg-count").first
    expect(whole).to_have_text("step 0 of 10")
    page.get_by_role("button", name="Fold into boxes").click()
    page.get_by_role("button", name="One level more").click()
    expect(page.locator("[data-kind=box]")).to_have_count(2)
    expect(whole).to_have_text("step 0 of 8")
    press(page, "Step", 3)
    expect(said(page)).to_contain_text("Step 3 of 8. Backward through 1. Gradient in: [[1]")
    expect(said(page)).to_contain_text("Gradients out: 4×3 numbers to")
    page.get_by_role("button", name="Open this box").click()
    expect(said(page)).to_contain_text("Step 4 of 9. Visit addmm")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(said(page)).to_contain_text("Step 3 of 9. Visit tanh")
    page.get_by_role("button", name="Close the box 1, Sequential").click()
    expect(said(page)).to_contain_text("Step 2 of 8.")  # not yet through it


@pytest.mark.browser
def test_what_lands_is_the_same_folded_or_not(show):
    page = show("backward_stepper", {"schedule": schedule_of(NET)})

    def chips():
        page.keyboard.press("End")
        page.evaluate("() => mg.painted()")
        return sorted(
            page.locator("[data-kind=leaf]").evaluate_all("all => all.map(n => n.ariaLabel)")
        )

    page.get_by_role("button", name="Step", exact=True).focus()
    unfolded = chips()
    page.get_by_role("button", name="Fold into boxes").click()
    page.get_by_role("button", name="Step", exact=True).focus()
    assert chips() == unfolded and len(unfolded) == 4


@pytest.mark.browser
def test_a_folded_pass_has_no_barrier_and_fits_on_a_narrow_page(show, front_end):
    page = show("backward_stepper", {"schedule": schedule_of(NET)})
    page.set_viewport_size({"width": 600, "height": 800})
    page.get_by_role("button", name="Fold into boxes").click()
    page.get_by_role("button", name="One level more").click()
    press(page, "Step", 3)
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page.evaluate(axe)
    found = page.evaluate("async () => (await axe.run('#views')).violations")
    assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
