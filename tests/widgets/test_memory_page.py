"""MemoryTape in a real Chromium without Jupyter: the curve, the moments, the question, by keys."""

from __future__ import annotations

import memory_programs as programs
import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.untraced]


def status(page):
    return page.locator("[data-mg-status]")


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def chart(page):
    return page.locator(".mg-memory-chart")


def current(page):
    return page.locator(".mg-played li[aria-current=step] code")


def part(page, heading):
    return page.locator(".mg-memory-part").filter(has=page.get_by_role("heading", name=heading))


def test_it_draws_what_is_freed_and_what_stays_and_marks_the_peak(show):
    page = show("memory_tape", programs.traits(programs.chain()))
    expect(chart(page)).to_have_attribute(
        "aria-label", "Bytes saved over time. 128 KiB at the peak, 0 bytes at the end."
    )
    expect(page.locator(".mg-band")).to_have_count(8 + 1)  # one in the legend
    expect(chart(page).locator(".mg-band-stays")).to_have_count(0)
    expect(page.locator(".mg-memory-peak-name")).to_have_text("peak 128 KiB")
    expect(status(page)).to_contain_text("tanh(h @ w) saves 16 KiB. 128 KiB are saved now.")
    page = show("memory_tape", programs.traits(programs.evaluation()))
    expect(chart(page).locator(".mg-band-stays")).to_have_count(10)


def test_the_legend_names_the_signs_that_occur(show):
    terms = {
        "chain": ["freed later", "operation", "visit", "freed"],
        "evaluation": ["still saved", "operation"],
    }
    for name, wanted in terms.items():
        page = show("memory_tape", programs.traits(getattr(programs, name)()))
        expect(page.locator(".mg-legend b")).to_have_text(wanted)


def test_a_long_line_of_code_goes_on_below(show):
    page = show("memory_tape", programs.traits(programs.evaluation()))
    page.set_viewport_size({"width": 640, "height": 900})
    source = page.locator(".mg-played")
    assert source.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_the_hatch_of_what_stays_is_each_views_own(show):
    """In a notebook each view loads its module anew, so that none of them can count the others."""
    page = show("memory_tape", programs.traits(programs.evaluation()))
    here = page.locator("pattern").get_attribute("id")
    page.reload()
    page.wait_for_function("() => window.mg?.ready")
    page = show("memory_tape", programs.traits(programs.evaluation()))
    assert page.locator("pattern").get_attribute("id") != here


def test_pointing_at_a_moment_tells_who_keeps_what_and_until_when(show):
    page = show("memory_tape", programs.traits(programs.chain()))
    box = chart(page).bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + 60)
    keeps = part(page, "Who keeps this alive")
    expect(keeps).to_contain_text("h (memory_programs.py, line 34) → its graph of")
    expect(keeps).to_contain_text("by del h, loss (memory_programs.py, line 37)")
    expect(current(page)).to_have_text("h = torch.tanh(h @ w)")


def test_the_arrow_keys_go_from_moment_to_moment(show):
    page = show("memory_tape", programs.traits(programs.chain(4)))
    button(page, "Next").focus()
    page.keyboard.press("Home")
    expect(status(page)).to_contain_text("Before the first of")
    expect(part(page, "Who keeps this alive")).to_contain_text("No graph is alive.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(status(page)).to_contain_text("Moment 2 of")
    expect(status(page)).to_contain_text("tanh(x @ w) saves 16 KiB. 16 KiB are saved now.")
    page.keyboard.press("p")
    expect(status(page)).to_contain_text("64 KiB are saved now.")
    page.keyboard.press("End")
    expect(status(page)).to_contain_text("0 bytes are saved now.")
    page.get_by_role("slider", name="Moment").press("p")
    expect(status(page)).to_contain_text("64 KiB are saved now.")
    page.get_by_role("slider", name="Moment").fill("10")
    expect(status(page)).to_contain_text("the backward pass visits")
    expect(current(page)).to_have_text("loss.backward()")
    expect(page.locator(".mg-played li.mg-visited code")).to_have_text("h = torch.tanh(h @ w)")


def test_a_bar_leads_to_its_line_and_says_who_saved_it(show):
    page = show("memory_tape", programs.traits(programs.evaluation()))
    bar = page.locator(".mg-array").first
    expect(bar).to_contain_text("tanh(addmm(…))5 × 16 KiB80 KiBline 47")
    bar.focus()
    page.keyboard.press("Enter")
    expect(bar).to_have_attribute("aria-pressed", "true")
    expect(bar).to_be_focused()
    expect(page.locator(".mg-array-says")).to_contain_text(
        "5 arrays of 16 KiB, saved by tanh(addmm(…))"
    )
    expect(page.locator(".mg-array-says")).to_contain_text("Still there, kept by total and loss.")
    expect(chart(page).locator(".mg-chosen")).to_have_count(5)
    page.keyboard.press("Enter")
    expect(chart(page).locator(".mg-chosen")).to_have_count(0)


def test_a_line_of_the_source_leads_to_its_next_moment(show):
    page = show("memory_tape", programs.traits(programs.evaluation()))
    button(page, "Next").focus()
    page.keyboard.press("Home")
    page.get_by_role("button", name="total += loss").click()
    expect(status(page)).to_contain_text("Moment 6 of 30")
    expect(part(page, "Who keeps this alive")).to_contain_text(
        "Still there at the end: total keeps it."
    )


@pytest.mark.parametrize(
    ("program", "mark", "name"),
    [
        (programs.evaluation, "never backward: all that was saved remains", "total"),
        (programs.kept_losses, "nodes remain after backward", "losses"),
        (programs.stored_outputs, "stored results keep their graphs", "outputs"),
    ],
)
def test_a_leak_is_named_with_its_variable(show, program, mark, name):
    page = show("memory_tape", programs.traits(program()))
    first = page.locator(".mg-memory-end li").first
    expect(first.locator(".mg-leak")).to_have_text(mark)
    expect(first.locator("code").first).to_have_text(name)
    expect(page.locator(".mg-leak")).to_have_count(1)


def test_it_asks_for_the_peak_before_it_shows_anything(show):
    page = show("memory_tape", programs.traits(programs.chain(ask=True)))
    expect(page.get_by_text("How many KiB have the operations saved at the peak")).to_be_visible()
    expect(page.locator(".mg-memory-curve")).to_be_hidden()
    expect(page.locator(".mg-memory-end")).to_be_hidden()
    expect(button(page, "Save as SVG")).to_be_hidden()
    field = page.get_by_role("textbox")
    field.fill("32")
    field.press("Enter")
    expect(page.get_by_text("That is how many numbers there are.")).to_be_visible()
    expect(page.locator(".mg-memory-curve")).to_be_hidden()
    field = page.locator(".mg-prediction input").first
    field.fill("130")  # near enough
    field.press("Enter")
    expect(page.get_by_text("Right: 128 KiB.")).to_be_visible()
    expect(page.locator(".mg-memory-curve")).to_be_visible()
    expect(status(page)).to_contain_text("128 KiB are saved now.")
    assert page.evaluate("mg.model.get('given').right")


def test_it_may_be_shown_without_an_answer_and_an_answer_is_remembered(show):
    traits = programs.traits(programs.chain(ask=True))
    page = show("memory_tape", traits)
    button(page, "Show without answering").click()
    expect(chart(page)).to_be_visible()
    expect(button(page, "Next")).to_be_focused()
    given = {"text": "128", "value": {"number": "128"}, "right": True, "mistake": "", "tries": []}
    page = show("memory_tape", {**traits, "given": given})
    expect(chart(page)).to_be_visible()
    expect(page.get_by_text("Right: 128 KiB.")).to_be_visible()


def test_while_it_watches_the_curve_grows(show):
    first = programs.traits(programs.chain(2))
    first["memory"]["ended"] = False
    page = show("memory_tape", first)
    page.evaluate(
        "memory => mg.set('memory', memory)", programs.traits(programs.chain(8))["memory"]
    )
    expect(page.locator(".mg-memory-peak-name")).to_have_text("peak 128 KiB")


def test_without_an_operation_there_is_a_sentence_and_no_curve(show):
    page = show("memory_tape", programs.traits(programs.without_grad()))
    expect(page.locator(".mg-note")).to_contain_text(
        "No operation was recorded, so nothing was saved"
    )
    expect(page.locator(".mg-memory-curve")).to_be_hidden()


def test_damaged_data_are_refused_in_a_sentence(show):
    page = show("memory_tape", {"memory": {"version": 1}, "given": None})
    expect(page.locator(".mg-notice")).to_contain_text("cannot be read: its data is incomplete")


def test_hostile_texts_stay_text(show):
    traits = programs.traits(programs.evaluation())
    bad = "<img src=x onerror='window.ran = 1'>"
    for one in (*traits["memory"]["keepers"], *traits["memory"]["nodes"]):
        one["name"] = bad
    traits["memory"]["keepers"][0]["says"] = bad
    traits["memory"]["nodes"][1]["formula"] = bad
    page = show("memory_tape", traits)
    expect(page.locator(".mg-memory-end")).to_contain_text(bad)
    assert page.locator(".mg-root img").count() == 0
    assert page.evaluate("window.ran") is None


def axe(page, front_end):
    file = front_end / "node_modules" / "axe-core" / "axe.min.js"
    page.add_script_tag(path=str(file))
    found = page.evaluate("async () => (await axe.run('.mg-root')).violations")
    return [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found]


@pytest.mark.parametrize("width", [1000, 600])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_page(show, front_end, width):
    page = show("memory_tape", programs.traits(programs.evaluation(ask=True)))
    page.set_viewport_size({"width": width, "height": 800})
    assert axe(page, front_end) == []
    button(page, "Show without answering").click()
    page.locator(".mg-array").first.click()
    assert axe(page, front_end) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_it_is_kept_as_one_file(show, chrome, tmp_path):
    view = programs.evaluation()
    page = show("memory_tape", programs.traits(view, _esm=view._esm, _css=view._css))
    page.get_by_text("Save", exact=True).click()
    with page.expect_download() as download:
        button(page, "Save as one HTML file that works offline").click()
    file = tmp_path / "memory.html"
    download.value.save_as(file)
    other = chrome.new_page()
    other.goto(file.as_uri())
    expect(other.locator(".mg-memory-peak-name")).to_contain_text("peak")
    other.close()
