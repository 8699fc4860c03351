"""BackwardStepper's table, its files and its help, in a real Chromium without Jupyter."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad_widgets import BackwardStepper

pytestmark = pytest.mark.browser


def traits(loss, **more):
    made = BackwardStepper(loss)
    return {"schedule": json.loads(json.dumps(made.schedule, allow_nan=False)), **more}


def article(**more):
    a, b = (torch.tensor([value], requires_grad=True) for value in (2.0, 6.0))
    c = a + b
    d = b + 1
    return traits(c * d, **more)


def long_loop(passes=40):
    """A watched run of a loop: its lines are known."""
    reader = torch.tape.tape.watch()
    try:
        x = torch.tensor(0.5, requires_grad=True)
        y = x
        for _ in range(passes):
            y = y * 0.9
            y = y + x
        return traits(y)
    finally:
        torch.tape.tape.release(reader)


def table(page):
    page.get_by_role("button", name="Table").click()
    return page.locator(".mg-steps tbody tr")


def test_the_table_says_of_each_step_what_the_status_line_says(show):
    page = show("backward_stepper", article())
    rows = table(page)
    expect(rows).to_have_count(6)
    page.get_by_label("Position").focus()
    for number in range(6):
        page.keyboard.press("ArrowRight")
        said = page.locator("[data-mg-status]").inner_text()
        assert rows.nth(number).locator("td").inner_text() in said
        expect(rows.nth(number)).to_have_attribute("aria-current", "step")
    expect(page.locator(".mg-steps tr[aria-current]")).to_have_count(1)


def test_a_row_leads_to_its_step(show):
    page = show("backward_stepper", article())
    table(page)
    page.get_by_role("button", name="Go to step 4").click()
    expect(page.locator("[data-mg-status]")).to_contain_text("Step 4 of 6. Visit")


def test_the_table_gives_no_answer_away(show):
    page = show("backward_stepper", article())
    table(page)
    page.get_by_label("Ask me first").check()
    expect(page.locator(".mg-steps")).to_have_count(0)
    expect(page.get_by_role("button", name="Table")).to_be_disabled()
    page.get_by_label("Ask me first").uncheck()
    expect(page.locator(".mg-steps tbody tr")).to_have_count(6)


def test_under_a_wrong_engine_the_table_has_its_steps(show):
    page = show("backward_stepper", article())
    rows = table(page)
    page.get_by_label("Engine", exact=True).select_option("overwrite")
    expect(rows.last).to_contain_text("That is wrong: 15 is right.")


def test_the_steps_of_a_large_graph_are_grouped_by_line_and_made_when_opened(show):
    page = show("backward_stepper", long_loop())
    groups = page.locator(".mg-steps summary")
    expect(groups).to_have_count(3)
    expect(groups.filter(has_text="y = y * 0.9")).to_contain_text("(40×)")
    expect(page.locator(".mg-steps tbody tr")).to_have_count(0)
    groups.filter(has_text="y = y * 0.9").click()
    expect(page.locator(".mg-steps tbody tr")).to_have_count(40)


def test_the_group_of_the_current_step_is_marked_and_its_node_is_in_sight(show):
    page = show("backward_stepper", long_loop())
    page.get_by_label("Position").focus()
    inside = """() => {
        const box = document.querySelector('.mg-canvas').getBoundingClientRect();
        const node = document.querySelector('.mg-node.mg-current').getBoundingClientRect();
        return node.left >= box.left - 1 && node.right <= box.right + 1;
    }"""
    for _ in range(24):
        page.keyboard.press("ArrowRight")
        page.wait_for_function(inside)
    expect(page.locator(".mg-steps summary[aria-current]")).to_have_count(1)


def test_the_keys_are_told(show):
    page = show("backward_stepper", article())
    page.locator("summary", has_text="Keys").click()
    expect(page.get_by_text("Home the beginning")).to_be_visible()


def saved(page, name):
    page.locator("summary", has_text="Save").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return download.value


def test_the_picture_is_saved_as_it_stands(show):
    page = show("backward_stepper", article())
    page.get_by_label("Position").focus()
    page.keyboard.press("End")
    svg = saved(page, "Save as SVG").path().read_text(encoding="utf-8")
    assert svg.startswith("<svg") and "grad 15" in svg and " style=" not in svg
    page.locator("summary", has_text="Save").click()
    png = saved(page, "Save as PNG").path().read_bytes()
    assert png.startswith(b"\x89PNG")


def test_one_html_file_steps_offline(show, chrome, tmp_path):
    files = {"_esm": str(BackwardStepper._esm), "_css": str(BackwardStepper._css)}
    page = show("backward_stepper", article(**files))
    file = tmp_path / "pass.html"
    saved(page, "Save as one HTML file").save_as(file)
    alone = chrome.new_page()
    requests, errors = [], []
    alone.on("request", lambda sent: requests.append(sent.url))
    alone.on("pageerror", lambda error: errors.append(str(error)))
    alone.goto(file.as_uri())
    alone.get_by_role("button", name="Step", exact=True).click()
    expect(alone.locator("[data-mg-status]")).to_contain_text("Step 1 of 6.")
    outside = [url for url in requests if not url.startswith(("file:", "blob:", "data:"))]
    assert not outside and not errors
    alone.close()


@pytest.mark.parametrize("width", [480, 320])
def test_a_narrow_or_zoomed_page_needs_no_sideways_scrolling(show, width):
    page = show("backward_stepper", article())
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_label("Position").focus()
    page.keyboard.press("End")
    table(page)
    page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.node
def test_axe_finds_nothing_at_any_step_in_the_table_or_in_groups(show, front_end):
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    for data in (article(), long_loop()):
        page = show("backward_stepper", data)
        if page.locator(".mg-steps").count() == 0:
            table(page)
        else:
            page.locator(".mg-steps summary").first.click()
        page.locator("summary", has_text="Keys").click()
        page.locator("summary", has_text="Save").click()
        page.evaluate(axe)
        page.get_by_label("Position").focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
            found = page.evaluate("async () => (await axe.run('#views')).violations")
            assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]


def test_a_number_that_nobody_kept_is_not_called_one_numbers(show):
    x = torch.tensor([3.0], requires_grad=True)
    page = show("backward_stepper", traits((x * 2 + torch.tensor([1.0])) * 3))
    for node in page.locator("[data-mg-node]").all():
        assert "1 numbers" not in node.get_attribute("aria-label")
    expect(page.get_by_role("img", name="value not kept").first).to_be_visible()
    expect(page.get_by_role("img", name="+ constant) * 3")).to_have_count(1)


def vector(**more):
    w = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], requires_grad=True)
    y = w * torch.arange(5.0)
    return traits((y * y).sum(), **more)


def test_a_gradient_of_several_numbers_is_not_shown_as_their_bare_count(show):
    page = show("backward_stepper", vector())
    page.get_by_label("Position").focus()
    page.keyboard.press("End")
    expect(page.locator(".mg-chip", has_text="grad 5 numbers")).to_have_count(3)
    expect(page.locator(".mg-edge-label", has_text="5 nums").first).to_be_visible()
    shown = page.locator(".mg-chip, .mg-edge-label").all_inner_texts()
    assert not {"grad 5", "5"} & set(shown)


def test_a_wrong_gradient_of_several_numbers_says_so_in_words(show):
    page = show("backward_stepper", vector())
    page.get_by_label("Engine", exact=True).select_option("overwrite")
    page.get_by_label("Position").focus()
    page.keyboard.press("End")
    expect(page.locator(".mg-chip", has_text="grad 5 numbers, wrong")).to_have_count(1)


def test_words_stand_beside_the_first_row_of_a_matrix(show):
    page = show("backward_stepper", vector())
    page.get_by_label("Position").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    entry = page.locator("dt", has_text="grad that arrived").bounding_box()
    cell = page.locator("dd .mg-matrix td").first.bounding_box()
    middles = [box["y"] + box["height"] / 2 for box in (entry, cell)]
    assert abs(middles[0] - middles[1]) < 4


def test_a_pass_that_is_too_wide_stays_legible(show):
    page = show("backward_stepper", long_loop(12))
    height = page.locator(".mg-formula").first.evaluate(
        "text => text.getBoundingClientRect().height"
    )
    assert height > 11


def test_where_there_is_no_pass_there_are_no_controls(show):
    x = torch.tensor([3.0], requires_grad=True)
    y = x * x
    y.backward()
    page = show("backward_stepper", traits(y))
    expect(page.get_by_role("status")).to_contain_text("run the forward pass again")
    expect(page.get_by_role("button", name="Step")).to_have_count(0)


def test_a_rehearsal_says_that_nothing_lands(show):
    page = show("backward_stepper", article())
    page.get_by_label("Position").focus()
    page.keyboard.press("End")
    card = page.get_by_role("region", name="This step")
    expect(card.get_by_role("heading")).to_contain_text("Would land in")
    expect(card).to_contain_text("This is a rehearsal: .grad stays as it is.")


def test_a_wide_picture_opens_at_the_result_where_the_first_step_begins(show):
    page = show("backward_stepper", long_loop(passes=14))
    window = page.locator(".mg-canvas")
    page.wait_for_function("() => document.querySelector('.mg-canvas').scrollLeft > 0")
    result = page.locator("[data-mg-node]").last
    assert inside(result.bounding_box(), window.bounding_box())
    for _ in range(12):
        page.locator(".mg-button", has_text="Step").click()
    page.get_by_role("button", name="Reset").click()
    expect(result).to_be_in_viewport()
    assert inside(result.bounding_box(), window.bounding_box())


def inside(inner, outer):
    return outer["x"] <= inner["x"] and inner["x"] + inner["width"] <= outer["x"] + outer["width"]
