"""TapePlayer in a real Chromium without Jupyter: played, searched, asked, by mouse and keys."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad_widgets import TapePlayer

pytestmark = [pytest.mark.browser, pytest.mark.untraced]


def traits(player, **more):
    return {"recording": json.loads(json.dumps(player.recording, allow_nan=False)), **more}


def descent(ask=False):
    """Two steps downhill, and a logarithm of zero."""
    w = torch.tensor(2.0, requires_grad=True)
    with TapePlayer(ask=ask) as player:
        for rate in (0.01, 0.02):
            loss = (w * 3 - 9) ** 2
            loss.backward()
            with torch.no_grad():
                w -= rate * w.grad
            w.grad = None
        bad = torch.log(w - w) + loss
    assert bad.item() == float("-inf")
    return traits(player)


def status(page):
    return page.locator("[data-mg-status]")


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def current(page):
    return page.locator(".mg-played li[aria-current=step] code")


def row(page, variable):
    named = page.locator(f"[data-mg-variable='0 {variable}']")
    return page.locator(".mg-variables tr").filter(has=named)


def test_it_plays_step_by_step_both_ways_beside_the_source(show):
    page = show("tape_player", descent())
    expect(status(page)).to_have_text("Before the first of 28 steps.")
    for _ in range(4):
        button(page, "Step").click()
    expect(status(page)).to_contain_text("pass 1: loss = (w · 3 - 9)² makes 9.")
    expect(current(page)).to_have_text("loss = (w * 3 - 9) ** 2")
    expect(row(page, "loss")).to_contain_text("9")
    expect(page.locator(".mg-card")).to_contain_text("(-3)²")
    button(page, "Back").click()
    expect(row(page, "loss")).to_have_count(0)
    expect(status(page)).to_contain_text("makes -3.")


def test_the_slider_goes_to_any_step_and_the_variables_are_as_they_were(show):
    page = show("tape_player", descent())
    slider = page.get_by_label("Position")
    slider.fill("28")
    expect(row(page, "w")).to_contain_text("2.475")
    slider.fill("11")
    expect(row(page, "w")).to_contain_text("2.18")
    expect(row(page, "w")).to_contain_text("this step")
    slider.fill("10")
    expect(row(page, "w")).to_contain_text("2")
    expect(row(page, "w.grad")).to_contain_text("-18")


def test_in_the_backward_part_a_step_is_a_visit_with_its_rule_and_its_line(show):
    page = show("tape_player", descent())
    page.get_by_label("Position").fill("8")
    expect(status(page)).to_contain_text("Backward pass of loss. Visit w * 3. The grad is -6.")
    expect(current(page)).to_have_text("loss.backward()")
    expect(page.locator(".mg-played li.mg-visited code")).to_have_text("loss = (w * 3 - 9) ** 2")
    expect(page.locator(".mg-card")).to_contain_text("chain rule")
    expect(row(page, "w").locator(".mg-grad")).to_have_text("-18")


def test_a_line_leads_to_its_next_run_and_after_the_last_to_the_first(show):
    page = show("tape_player", descent())
    line = page.get_by_role("button", name="w -= rate * w.grad")
    line.click()
    expect(status(page)).to_contain_text(re.compile(r"pass 1 ran\. w is 2\.18, before 2\."))
    line.focus()
    page.keyboard.press("Enter")
    expect(status(page)).to_contain_text("pass 2 ran. w is 2.475, before 2.18.")
    page.keyboard.press("Enter")
    expect(page.locator(".mg-note").last).to_contain_text("does not run again after this")
    expect(status(page)).to_contain_text("pass 1")


def test_it_runs_to_the_first_nan_or_infinity(show):
    page = show("tape_player", descent())
    page.get_by_label("Position").focus()
    page.locator(".mg-played").focus()
    page.keyboard.press("n")
    expect(status(page)).to_contain_text("log(w - w) makes -inf.")
    button(page, "Next NaN or infinity").click()
    expect(status(page)).to_contain_text("makes -inf.")
    w = torch.tensor(1.0, requires_grad=True)
    with TapePlayer() as player:
        w * 2
    page = show("tape_player", traits(player))
    expect(button(page, "Next NaN or infinity")).to_have_attribute("aria-disabled", "true")


def test_a_variable_says_who_wrote_it_last_and_leads_there(show):
    page = show("tape_player", descent())
    page.get_by_label("Position").fill("20")
    page.locator("[data-mg-variable='0 w']").click()
    writer = page.locator(".mg-writer")
    expect(writer).to_contain_text("w was last written in step 11, line ")
    button(page, "Go there").click()
    expect(status(page)).to_contain_text("Step 11 of 28.")
    expect(writer).to_contain_text("This step writes w. w had its value before the first step.")
    expect(button(page, "Go there")).to_be_hidden()
    page.get_by_label("Position").fill("9")
    page.locator("[data-mg-variable='0 w.grad']").click()
    expect(writer).to_contain_text("This step writes w.grad. Before it, there was no w.grad.")


def test_the_keyboard_alone_plays_it(show):
    page = show("tape_player", descent())
    page.locator(".mg-played").focus()
    page.keyboard.press("ArrowRight")
    expect(status(page)).to_contain_text("Step 1 of 28.")
    page.keyboard.press("End")
    expect(status(page)).to_contain_text("This is the end of the recording.")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    expect(button(page, "Pause")).to_be_visible()
    expect(status(page)).to_contain_text("Step 2 of 28.")
    page.keyboard.press("Space")
    expect(button(page, "Play")).to_be_visible()
    reached = []
    button(page, "Pin: keep in sight").focus()
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("() => document.activeElement.ariaLabel ?? ''"))
    assert any(name.startswith("Run to line") for name in reached)
    assert any(name.startswith("w is 2") for name in reached)


def test_asked_first_it_waits_for_the_number_and_shows_it_then(show):
    page = show("tape_player", descent(ask=True))
    page.get_by_label("Position").fill("28")
    expect(status(page)).to_have_text("Step 2 of 28.")  # the question which line runs next
    button(page, "Show without answering").click()
    button(page, "Step").click()
    expect(page.locator(".mg-asked")).to_contain_text("Which number does w * 3 - 9 make?")
    expect(page.locator(".mg-card-body")).to_have_text("")
    button(page, "Step").click()
    expect(status(page)).to_have_text("Step 3 of 28.")
    page.locator(".mg-predict-form input").fill("5")
    page.keyboard.press("Enter")
    expect(page.locator(".mg-said")).to_contain_text("Not yet")
    page.locator(".mg-predict-form input").fill("-3")
    page.keyboard.press("Enter")
    expect(page.locator(".mg-said")).to_contain_text("Right: -3.")
    expect(status(page)).to_contain_text("w · 3 - 9 makes -3.")
    expect(page.locator(".mg-score")).to_have_text("0 of 1 right at once")
    expect(button(page, "Play")).to_be_disabled()


def test_asked_first_a_loop_asks_which_line_comes_next(show):
    page = show("tape_player", descent())
    page.get_by_label("Position").fill("25")
    page.get_by_label("Ask me first").check()
    button(page, "Step").click()
    expect(page.locator(".mg-asked")).to_contain_text("Which line runs next?")
    expect(page.locator(".mg-choice")).to_have_count(2)
    expect(current(page)).to_contain_text("for rate in (0.01, 0.02):")
    page.locator(".mg-choice").last.click()
    button(page, "Lock in").click()
    expect(page.locator(".mg-said")).to_contain_text("Right")
    button(page, "Step").click()
    button(page, "Show without answering").click()
    expect(status(page)).to_contain_text("Step 27 of 28.")


def test_hostile_names_and_texts_stay_text(show):
    evil = "<img src=x onerror=window.hacked=1>"
    with TapePlayer() as player:
        text = evil
    given = traits(player)
    given["recording"]["title"] = text
    page = show("tape_player", given)
    button(page, "Step").click()
    expect(row(page, "text")).to_contain_text(evil)
    assert page.evaluate("() => window.hacked") is None


def test_a_damaged_recording_is_refused_in_a_sentence(show):
    page = show("tape_player", {"recording": {"version": 1}})
    expect(status(page)).to_contain_text("This recording cannot be read")
    page = show("tape_player", traits(TapePlayer()))
    expect(page.locator(".mg-note").first).to_contain_text("Nothing is recorded yet.")


def complaints(page, front_end):
    file = front_end / "node_modules" / "axe-core" / "axe.min.js"
    page.evaluate(file.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run('.mg-root')).violations")
    return [(rule["id"], [node["html"][:90] for node in rule["nodes"]]) for rule in found]


@pytest.mark.node
@pytest.mark.parametrize("width", [1000, 600])
def test_axe_finds_nothing_forwards_backwards_nor_in_a_question(show, front_end, width):
    page = show("tape_player", descent())
    page.set_viewport_size({"width": width, "height": 800})
    for position in ("0", "4", "8", "11"):
        page.get_by_label("Position").fill(position)
        assert complaints(page, front_end) == []
    page.locator("[data-mg-variable='0 w']").click()
    page.get_by_label("Ask me first").check()
    page.get_by_label("Position").fill("14")
    expect(page.locator(".mg-asked")).to_be_visible()
    assert complaints(page, front_end) == []
    wide = page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert wide, "nothing sticks out"


def test_it_is_kept_as_one_file_that_plays_without_a_kernel(show, chrome, tmp_path):
    with TapePlayer() as player:
        number = 3
    given = traits(player, _esm=TapePlayer._esm, _css=TapePlayer._css)
    page = show("tape_player", given)
    with page.expect_download() as download:
        button(page, "Save as one HTML file that works offline").click()
    file = tmp_path / "tape.html"
    download.value.save_as(file)
    kept = chrome.new_page()
    kept.goto(file.as_uri())
    button(kept, "Step").click()
    expect(status(kept)).to_contain_text(f"ran. number is {number}.")
    kept.close()
