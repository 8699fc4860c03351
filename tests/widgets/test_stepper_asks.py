"""BackwardStepper's questions in a real Chromium: the ladder, and what stays hidden."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad.lesson import RULES
from minigrad_widgets import BackwardStepper

pytestmark = pytest.mark.browser


def article(**options):
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(6.0, requires_grad=True)
    c = a + b
    d = b + 1
    e = c * d
    stepper = BackwardStepper(e, **options)
    assert a.grad is b.grad is None
    return {"schedule": json.loads(json.dumps(stepper.schedule, allow_nan=False))}


def at(page, position):
    page.get_by_label("Position").focus()
    for _ in range(position):
        page.keyboard.press("ArrowRight")


def try_(page, *numbers):
    for place, number in enumerate(numbers):
        field = page.locator(".mg-questions input").nth(place)
        if field.is_editable():
            field.fill(number)
    page.locator(".mg-questions button[type=submit]").click()


def said(page):
    return page.locator(".mg-prediction .mg-said")


def test_it_opens_with_its_questions_on(show):
    page = show("backward_stepper", article(ask=True))
    expect(page.get_by_label("Ask me first")).to_be_checked()
    at(page, 6)
    expect(page.locator("[data-mg-status]")).to_contain_text("What does it send to c and d?")


def test_an_open_question_shows_neither_the_rule_nor_the_local_slope(show):
    page = show("backward_stepper", article(ask=True))
    at(page, 2)
    card = page.locator(".mg-card")
    expect(card).not_to_contain_text("local slope")
    expect(card).not_to_contain_text("g * d")
    expect(card.locator(".mg-chain")).to_have_count(0)
    page.get_by_role("button", name="Show me").click()
    expect(card).to_contain_text("local slope")
    expect(card.locator(".mg-chain")).to_have_count(1)


def test_the_ladder_asks_for_the_rule_then_names_the_mistake_then_hints_then_tells(show):
    page = show("backward_stepper", article(ask=True))
    at(page, 2)
    try_(page, "8", "7")
    expect(said(page)).to_have_text("✗ To c. You said 8. Not yet.".removeprefix("✗ "))
    rules = page.get_by_role("group", name="Which rule was broken?").get_by_role("button")
    expect(rules).to_have_count(3)
    expect(said(page)).not_to_contain_text("other input")
    rules.filter(has_text="own local slope").click()
    expect(said(page)).not_to_contain_text("Here it is another rule")
    expect(said(page)).to_contain_text("You took the local slope for the other input.")
    expect(page.locator(".mg-questions input").first).to_be_focused()
    try_(page, "8", "7")
    expect(page.get_by_text("That was tried already.")).to_be_visible()
    try_(page, "1", "8")
    expect(said(page)).to_contain_text("Hint: what is sent to c is g * d")
    expect(page.locator(".mg-questions input").nth(1)).not_to_be_editable()
    try_(page, "3")
    expect(page.locator(".mg-prediction")).to_contain_text("You said 3. It is 7 = 1 · 7.")
    expect(page.locator(".mg-prediction")).to_contain_text("To d. Right: 8 = 1 · 8.")


def test_one_may_try_again_without_picking_a_rule(show):
    page = show("backward_stepper", article(ask=True))
    at(page, 2)
    try_(page, "8", "7")
    expect(page.get_by_role("group", name="Which rule was broken?")).to_be_visible()
    try_(page, "7", "8")
    expect(page.locator(".mg-prediction")).to_contain_text("To c. Right: 7 = 1 · 7.")


def test_the_stepper_offers_only_what_a_step_can_break():
    rules = article()["schedule"]["rules"]
    never = {RULES[name] for name in ("shape", "accumulate", "record", "leaf")}
    assert set(rules) == {"local", "multiply", "add"}
    assert not never & {text for rule in rules.values() for text in rule["offered"]}


def test_the_ladder_by_keyboard_alone(show):
    page = show("backward_stepper", article(ask=True))
    at(page, 2)
    page.keyboard.type("8")
    page.keyboard.press("Tab")
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    expect(page.locator(".mg-questions input").first).to_be_focused()
    for _ in range(4):  # the other field, Try again, Show me, and then the rules
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("Here it is another rule: Each operation has its own")
    expect(said(page)).to_contain_text("the other input")
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    expect(page.locator(".mg-prediction")).to_contain_text("Right: 7 = 1 · 7.")
    expect(page.get_by_role("button", name="Step", exact=True)).to_be_focused()


def test_the_first_product_names_the_chain_rule_and_later_cards_wear_its_tag(show):
    page = show("backward_stepper", article())
    at(page, 2)
    figure = page.locator(".mg-chain")
    expect(figure).to_contain_text("This is the chain rule")
    expect(figure.get_by_role("img", name="the way back")).to_have_count(1)
    at(page, 1)
    expect(figure).to_have_count(0)
    expect(page.locator(".mg-tag")).to_have_text(["chain rule"])
    at(page, 1)
    expect(page.locator(".mg-named")).to_contain_text("This is the sum over paths.")
    expect(page.locator(".mg-tag")).to_have_text(["chain rule", "chain rule", "sum over paths"])


def test_a_wrong_engine_is_no_example_of_a_rule(show):
    page = show("backward_stepper", article())
    page.get_by_label("Engine", exact=True).select_option("overwrite")
    for _ in range(6):
        at(page, 1)
        expect(page.locator(".mg-tag, .mg-chain, .mg-named")).to_have_count(0)


def test_a_leaf_is_landed_and_a_node_is_visited(show):
    page = show("backward_stepper", article())
    at(page, 6)
    expect(page.get_by_role("img", name="b, leaf")).to_have_attribute("aria-label", LANDED)
    expect(page.locator(".mg-node .mg-landed")).to_have_count(2)
    expect(page.locator(".mg-node .mg-tick:not(.mg-landed)")).to_have_count(3)
    expect(page.get_by_label("Legend", exact=True)).to_contain_text("would land in .grad")
    expect(page.get_by_label("Legend", exact=True)).not_to_contain_text("stored")


LANDED = "b, leaf that requires a gradient, value 6, grad 15, landed"


def test_a_pill_holds_its_text(show):
    weight = torch.tensor(-0.0005743, requires_grad=True)
    prediction = weight * 1234.5678
    error = prediction - 0.98765
    loss = error**2
    stepper = BackwardStepper(loss)
    data = {"schedule": json.loads(json.dumps(stepper.schedule, allow_nan=False))}
    page = show("backward_stepper", data)
    at(page, 6)
    for pill in page.locator(".mg-chip, .mg-edge-label").all():
        inner, outer = (pill.locator(tag).evaluate(WIDTH) for tag in ("text", "rect"))
        assert inner < outer


WIDTH = "element => element.getBoundingClientRect().width"


@pytest.mark.node
def test_axe_finds_nothing_in_a_question_of_any_rung(show, front_end):
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page = show("backward_stepper", article(ask=True))
    page.evaluate(axe)
    at(page, 2)

    def clean():
        found = page.evaluate("async () => (await axe.run('#views')).violations")
        assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]

    clean()
    try_(page, "8", "8")
    clean()
    page.get_by_role("button", name="own local slope").click()
    clean()
    try_(page, "1")
    clean()
    try_(page, "3")
    clean()


@pytest.mark.parametrize("width", [480, 320])
def test_the_rules_need_no_sideways_scrolling(show, width):
    page = show("backward_stepper", article(ask=True))
    page.set_viewport_size({"width": width, "height": 800})
    at(page, 2)
    try_(page, "8", "8")
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Show me").click()
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
