"""TrainingLoop's view in a real Chromium, without Jupyter."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad import nn
from minigrad_widgets import TrainingLoop
from minigrad_widgets.pytorch.training import UNASKED

pytestmark = pytest.mark.browser

F = nn.functional
HOSTILE = "<img src=x onerror=window.hacked=1>"


def trained(rate=0.1, ask=None, steps=30, skip="", **more):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    x, y = torch.randn(20, 4), torch.randint(0, 3, (20,))
    with TrainingLoop(model, optimizer) as loop:
        for _ in loop.progress(range(steps)):
            if skip != "zero_grad":
                optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            if skip != "backward":
                loss.backward()
            if skip != "step":
                optimizer.step()
    if ask:
        loop._globals = {**globals(), **locals()}
        loop._asked_in_page(None, {"type": "ask", "line": ask}, None)
    data = {"training": loop.training, "asked": loop.asked, "given": None}
    loop.close()
    return {**json.loads(json.dumps(data, allow_nan=False)), **more}


def lit(page):
    return page.locator(".mg-lit").get_attribute("data-mg-lamp")


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def test_the_lamps_are_lit_in_order_while_one_steps_through(show):
    page = show("training_loop", trained())
    seen = []
    for _ in range(4):
        seen.append(lit(page))
        press(page, "Next")
    assert seen == ["zero", "forward", "backward", "step"]
    expect(page.locator(".mg-lamp")).to_have_count(4)
    expect(page.locator(".mg-never")).to_have_count(0)
    words = ["zero", "forward", "backward", "step"]
    expect(page.locator(".mg-lamp-word")).to_have_text(words)  # as in the loop itself
    expect(page.locator(".mg-now-word")).to_have_text("now")


def test_it_opens_at_the_first_moment_and_says_how_the_training_ended(show):
    page = show("training_loop", trained())
    expect(page.locator(".mg-count")).to_have_text("moment 1 of 120")
    expect(page.locator(".mg-code")).to_contain_text("Step 1. One number of the model: 0.weight[")
    expect(page.locator("[data-mg-status]")).to_contain_text("Done: 30 steps.")
    expect(page.locator(".mg-cursor, .mg-kept:not(:empty)")).to_have_count(0)
    press(page, "Latest")
    expect(page.locator(".mg-count")).to_have_text("moment 120 of 120")
    expect(page.locator("[data-mg-status]")).to_contain_text("Done: 30 steps.")


def test_the_numbers_of_a_step_stand_in_the_formula_and_in_the_status_line(show):
    data = trained()
    page = show("training_loop", data)
    press(page, "Latest")
    press(page, "Back")
    press(page, "Next")
    event = data["training"]["events"][-1]
    numbers = (f"{event[name]:.4g}".replace("-", "−") for name in ("before", "grad", "value"))
    before, grad, value = numbers
    shown = f"{before} − 0.1 · ({grad}) = {value}" if grad[0] == "−" else f"{before} − 0.1 · {grad}"
    expect(page.locator(".mg-detail")).to_contain_text(shown)
    expect(page.locator("[data-mg-status]")).to_contain_text("value ← value − lr · grad")


def test_a_backward_pass_adds_to_the_gradient_with_numbers(show):
    page = show("training_loop", trained(skip="zero_grad"))
    press(page, "Next")
    expect(page.locator(".mg-rule")).to_have_text("grad ← new")
    expect(page.locator(".mg-detail")).to_contain_text("grad was None, and is ")
    for _ in range(3):
        press(page, "Next")
    expect(page.locator(".mg-rule")).to_have_text("grad ← grad + new: the sum of 2 passes")
    said = page.locator(".mg-detail").text_content().replace("−", "-")
    old, new, total = (float(part.strip(" ()")) for part in re.split(r"\+|=", said))
    assert total == pytest.approx(old + new, rel=2e-3) and 0 not in (old, new)


def test_no_number_of_the_view_has_a_hyphen_for_a_minus(show):
    page = show("training_loop", trained(ask="step"))
    for _ in range(8):
        press(page, "Next")
        shown = page.locator(".mg-training-svg").first.text_content()
        assert not re.search(r"-[0-9]", shown + page.locator("[data-mg-status]").inner_text())
    press(page, "Table")
    assert not re.search(r"-[0-9]", page.locator(".mg-training-tables").inner_text())


def test_it_says_what_its_number_is_and_a_row_of_the_table_is_one_line(show):
    data = trained()
    page = show("training_loop", data)
    press(page, "Latest")
    expect(page.locator(".mg-code")).to_contain_text("Step 30. One number of the model: 0.weight[")
    page.set_viewport_size({"width": 480, "height": 800})
    lines = ["Step 30. One number of the model:", data["training"]["parameter"]]
    expect(page.locator(".mg-code")).to_have_text(lines)  # not cut off
    names = [layer["name"] for layer in data["training"]["norms"]]
    expect(page.locator(".mg-norms [class*=mg-curve-name]")).to_have_text(names)
    press(page, "Table")
    row = page.get_by_label("Moments, scrollable").locator("tbody tr").first
    assert row.bounding_box()["height"] < 40


def test_the_keys_go_through_the_events_and_the_range_says_where(show):
    page = show("training_loop", trained())
    press(page, "Next")
    page.keyboard.press("Home")
    expect(page.locator(".mg-count")).to_have_text("moment 1 of 120")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-mg-status]")).to_contain_text("Step 1, backward. The loss is")
    page.keyboard.press("End")
    expect(page.locator(".mg-count")).to_have_text("moment 120 of 120")
    expect(page.locator("[data-mg-status]")).to_contain_text("Done: 30 steps.")
    page.get_by_label("Moment", exact=True).fill("2")
    expect(page.locator("[data-mg-status]")).to_contain_text("Step 1, forward.")


def test_of_a_long_training_the_means_are_thick_and_the_steps_are_pale(show):
    page = show("training_loop", trained(steps=300))
    notes = page.locator(".mg-chart-note")
    expect(notes).to_have_text(["thick: mean of 51 steps"] * 2)
    for chart, curves in zip(page.locator(".mg-chart").all(), (1, 4), strict=True):
        expect(chart.locator(".mg-pale")).to_have_count(curves)
        expect(chart.locator(".mg-mean")).to_have_count(curves)
        assert chart.locator("path").last.get_attribute("class").endswith("mg-mean")  # on top
    look = """curve => (s => [s.strokeDasharray, parseFloat(s.strokeWidth), Number(s.opacity)])
        (getComputedStyle(curve))"""
    norms = page.locator(".mg-norms")
    thick = [curve.evaluate(look) for curve in norms.locator(".mg-mean").all()]
    pale = [curve.evaluate(look) for curve in norms.locator(".mg-pale").all()]
    assert len({dash for dash, _, _ in thick}) == 4
    assert all(wide >= 2 and full == 1 for _, wide, full in thick)
    assert all(wide <= 1 and full < 0.5 for _, wide, full in pale)
    label = page.locator(".mg-training-svg").get_attribute("aria-label")
    assert "over 300 steps, with thick lines for the means of 51 steps" in label
    page = show("training_loop", trained(steps=299))
    expect(page.locator(".mg-curve")).to_have_count(5)
    expect(page.locator(".mg-mean, .mg-pale, .mg-chart-note")).to_have_count(0)


def test_a_course_that_was_saved_without_means_is_shown(show):
    data = trained()
    for name in ("windows", "loss_mean"):
        del data["training"][name]
    for layer in data["training"]["norms"]:
        del layer["mean"]
    expect(show("training_loop", data).locator(".mg-curve")).to_have_count(5)


def test_of_more_moments_than_are_kept_it_says_which_steps_are_missing(show):
    page = show("training_loop", trained(steps=70))
    slider = page.get_by_label("Moment", exact=True)
    expect(page.locator(".mg-kept")).to_have_text("Kept: the first 10 and the last 50 of 70 steps.")
    slider.fill("40")
    expect(page.locator("[data-mg-status]")).to_contain_text("Step 10, step.")
    press(page, "Next")
    expect(page.locator(".mg-count")).to_have_text("moment 41 of 240")
    gap = "Steps 11 to 20 are not kept."
    expect(page.locator("[data-mg-status]")).to_contain_text(f"{gap} Step 21, zero.")
    expect(page.locator(".mg-code")).to_contain_text(f"Step 21. {gap}")
    press(page, "Next")
    expect(page.locator("[data-mg-status]")).to_have_text(re.compile("^Step 21, forward"))


def test_the_slider_keeps_its_place_while_the_number_beside_it_grows(show):
    page = show("training_loop", trained(steps=70))
    page.set_viewport_size({"width": 1000, "height": 800})
    slider = page.get_by_label("Moment", exact=True)
    boxes = []
    for moment in ("1", "99", "240"):
        slider.fill(moment)
        expect(page.locator(".mg-count")).to_have_text(f"moment {moment} of 240")
        boxes.append(slider.bounding_box())
    assert boxes[0] == boxes[1] == boxes[2] and boxes[0]["width"] > 240


def test_without_a_step_the_view_counts_backward_passes(show):
    page = show("training_loop", trained(skip="step"))
    status = page.locator("[data-mg-status]")
    expect(status).to_contain_text("Done: 30 backward passes, no step. The last loss is")
    expect(status).to_contain_text("step() was never called: this optimizer has moved no weight.")
    expect(page.locator(".mg-chart-title").first).to_have_text("loss at each backward pass")
    expect(page.locator(".mg-curve")).to_have_count(5)
    press(page, "Latest")
    expect(page.locator(".mg-code")).to_contain_text("Backward pass 30. One number")


@pytest.mark.parametrize(
    ("skip", "lamp"), [("step", "step"), ("backward", "backward"), ("zero_grad", "zero")]
)
def test_the_lamp_of_a_call_that_never_came_says_so(show, skip, lamp):
    page = show("training_loop", trained(skip=skip))
    off = page.locator(".mg-never")
    expect(off).to_have_count(1)
    expect(off).to_have_attribute("data-mg-lamp", lamp)
    expect(off).to_contain_text("never called")
    assert off.locator("rect").evaluate("e => getComputedStyle(e).strokeDasharray") != "none"
    said = page.locator(".mg-training-svg").first.get_attribute("aria-label")
    assert f"; {lamp} was never called;" in said


def test_without_a_backward_pass_there_is_no_loss_and_none_is_called_nan(show):
    page = show("training_loop", trained(skip="backward"))
    status = page.locator("[data-mg-status]")
    said = "Done: 30 steps. No backward pass in 30 steps: no grad, so step() moved nothing."
    expect(status).to_have_text(said)
    expect(page.locator(".mg-chart")).to_contain_text(["no backward pass, no loss", "no grad"])


def test_without_its_optimiser_it_says_why_it_cannot_ask(show):
    data = trained()
    data["training"].update(optimizer="", lines=[])
    page = show("training_loop", data)
    expect(page.locator(".mg-left-out")).to_contain_text("Without its optimizer, this view cannot")
    expect(page.get_by_role("button", name="without step()")).to_have_count(0)


def test_the_table_has_the_losses_the_norms_and_the_events(show):
    data = trained()
    page = show("training_loop", data)
    press(page, "Table")
    curves, events = page.locator(".mg-table table").all()
    expect(curves.locator("tbody tr")).to_have_count(24)
    first = curves.locator("tbody tr").first
    expect(first).to_contain_text(f"{data['training']['loss'][0][1]:.4g}")
    expect(curves.locator("thead th").nth(2)).to_have_text("0.weight")
    expect(events.locator("tbody tr")).to_have_count(120)
    expect(page.locator(".mg-training-svg")).to_have_count(0)


def test_nan_is_said_in_words_and_drawn_where_it_began(show):
    data = trained()
    course = data["training"]
    course["loss"] = [[step, value if step < 17 else "nan"] for step, value in course["loss"]]
    course["notes"] = ["The loss is nan since step 17."]
    page = show("training_loop", data)
    expect(page.locator("[data-mg-status]")).to_contain_text("The loss is nan since step 17.")
    expect(page.locator(".mg-alarm")).to_have_text("nan at step 17")
    assert "NaN" not in page.locator(".mg-curve").first.get_attribute("d")


def test_while_it_runs_the_live_region_keeps_quiet(show):
    data = trained()
    course = {**data["training"], "state": "running", "expected": 40}
    progress = "step 30 of 40, about 2 s left"
    page = show("training_loop", {**data, "training": {**course, "progress": progress}})
    expect(page.locator(".mg-progress")).to_have_text(progress)
    bar = page.get_by_role("progressbar")
    expect(bar).to_have_attribute("aria-valuenow", "75")
    page.evaluate(
        """() => {
            window.said = 0;
            const status = document.querySelector('[data-mg-status]');
            new MutationObserver(all => { window.said += all.length; })
                .observe(status, { childList: true, characterData: true, subtree: true });
        }"""
    )
    for steps in range(31, 40):
        now = {**course, "steps": steps, "progress": f"step {steps} of 40, about 1 s left"}
        page.evaluate("course => mg.set('training', course)", now)
        expect(page.locator(".mg-progress")).to_contain_text(f"step {steps} of 40")
    assert page.evaluate("window.said") == 0
    expect(page.locator(".mg-controls")).to_be_hidden()
    stopped = "stopped after step 39 of 40; the model keeps what it has learned"
    page.evaluate(
        "course => mg.set('training', course)", {**course, "state": "stopped", "message": stopped}
    )
    expect(page.locator("[data-mg-status]")).to_contain_text("Stopped after step 39 of 40;")
    expect(page.locator(".mg-controls")).to_be_visible()


def test_while_it_runs_one_number_says_how_far_it_has_come(show):
    data = trained()
    course = {**data["training"], "state": "running", "steps": 33, "progress": "step 33 of 40"}
    page = show("training_loop", {**data, "training": course})
    expect(page.locator(".mg-progress")).to_have_text("step 33 of 40")
    expect(page.locator(".mg-code")).to_contain_text("One number of the model: 0.weight[")
    said = page.locator(".mg-root").inner_text().lower() + page.locator(".mg-code").text_content()
    assert re.findall(r"step ([0-9]+)", said) == ["33"]
    page.evaluate("course => mg.set('training', course)", {**course, "state": "finished"})
    expect(page.locator(".mg-code")).to_contain_text("Step 1. One number of the model")


def test_a_result_is_kept_and_shown_again_when_its_button_is_pressed(show):
    page = show("training_loop", trained())
    answer = page.locator(".mg-left-out-answer")

    def measured(line):
        asked = trained(ask=line)["asked"]
        page.evaluate("asked => { mg.set('given', null); mg.set('asked', asked); }", asked)
        expect(page.locator(f"[data-mg-line={line}]")).to_have_attribute("aria-pressed", "true")

    press(page, "without step()")
    measured("step")
    page.get_by_role("radio", name="lower").check()
    press(page, "Lock in")
    press(page, "Show me")
    expect(answer).to_contain_text("You said lower. The answer is:")
    first = answer.inner_text()
    press(page, "without step()")  # again: nothing is thrown away
    expect(answer).to_contain_text("You said lower.")
    press(page, "without backward()")
    measured("backward")
    expect(page.get_by_role("button", name="Lock in")).to_be_visible()
    press(page, "without step()")
    expect(answer).to_contain_text("You said lower.")
    expect(page.locator(".mg-left-out svg .mg-curve")).to_have_count(2)
    assert answer.inner_text() == first
    expect(page.locator("[data-mg-line=step]")).to_have_attribute("aria-pressed", "true")
    press(page, "without backward()")  # which waits for its answer still
    expect(page.get_by_role("button", name="Lock in")).to_be_visible()
    assert "You said" not in answer.inner_text()
    assert [sent["line"] for sent in page.evaluate("mg.sent")] == ["step", "backward"]


def test_what_could_not_be_measured_is_asked_again(show):
    page = show("training_loop", trained())
    asked = {"line": "step", "problem": "Wait.", "question": None, "curves": []}
    page.evaluate("asked => mg.set('asked', asked)", asked)
    expect(page.locator(".mg-left-out-answer")).to_contain_text("Wait.")
    press(page, "without step()")
    assert page.evaluate("mg.sent") == [{"type": "ask", "line": "step"}]


def test_a_kernel_that_never_answers_is_not_waited_for_without_end(show):
    page = show("training_loop", trained())
    page.clock.install()
    said = page.locator(".mg-left-out [role=status]").first
    press(page, "without step()")
    expect(said).to_contain_text("The kernel runs the loop twice")
    page.clock.fast_forward(6_000)
    expect(said).to_contain_text("was restarted. After a restart, run the cell of this training")
    press(page, "without step()")
    page.evaluate("mg.push({ type: 'heard' })")
    page.clock.fast_forward(60_000)
    expect(said).to_contain_text("The kernel runs the loop twice")
    page.clock.fast_forward(60_000)
    expect(said).to_contain_text("The kernel has not answered this question")


def test_an_answer_in_the_same_words_as_before_ends_the_waiting(show):
    page = show("training_loop", trained())
    asked = {"line": "step", "problem": "Wait.", "question": None, "curves": []}
    said = page.locator(".mg-left-out [role=status]").first
    for _ in range(2):
        press(page, "without step()")
        expect(said).to_contain_text("The kernel runs the loop twice")
        page.evaluate("mg.push({ type: 'heard' })")
        page.evaluate("asked => mg.set('asked', asked)", asked)
        page.evaluate("mg.push({ type: 'answered' })")
        expect(said).to_have_text("")


def test_a_line_is_left_out_and_nothing_is_shown_before_the_prediction(show):
    page = show("training_loop", trained())
    press(page, "without step()")
    assert page.evaluate("mg.sent") == [{"type": "ask", "line": "step"}]
    asked = trained(ask="step")["asked"]
    assert asked["problem"] == ""
    page.evaluate("asked => mg.set('asked', asked)", asked)
    question = page.locator("[data-mg-predict]")
    expect(question).to_contain_text("Where is the loss on the first batch then")
    expect(page.locator(".mg-left-out svg")).to_have_count(0)
    assert "Measured" not in page.locator(".mg-left-out").inner_text()
    page.get_by_role("radio", name="lower").check()
    press(page, "Lock in")
    expect(question).to_contain_text("You said lower. Not yet.")
    expect(page.locator(".mg-left-out svg")).to_have_count(0)
    assert "Measured" not in page.locator(".mg-left-out").inner_text()
    press(page, "Show me")
    expect(question).to_contain_text("You said lower. The answer is: where it started.")
    expect(question).to_contain_text("Measured on the first batch")
    chart = page.locator(".mg-left-out svg")
    expect(chart.locator(".mg-curve")).to_have_count(2)
    expect(chart.locator(".mg-level")).to_have_count(1)
    before, kept, left = (asked["curves"][i][end][1] for i, end in ((0, 0), (0, -1), (1, -1)))
    expect(chart).to_contain_text(f"dotted: {before:.4g}, the start")
    expect(chart).to_contain_text("steps taken")
    expect(chart).to_contain_text(f"as it is: {kept:.4g}")
    expect(chart).to_contain_text(f"without: {left:.4g}")
    said = f"{before:.4g} at the start; after 60 steps {kept:.4g} with the loop as it is, "
    expect(question).to_contain_text(said + f"{left:.4g} without the line.")
    expect(chart).to_be_in_viewport(ratio=0.95)
    expect(page.get_by_role("radio").first).to_be_disabled()


def test_what_cannot_be_measured_is_said(show):
    page = show("training_loop", trained())
    problem = "This cannot be measured: `x` is gone."
    asked = {"line": "step", "problem": problem, "question": None, "curves": []}
    page.evaluate("asked => mg.set('asked', asked)", asked)
    expect(page.locator(".mg-left-out")).to_contain_text("This cannot be measured: x is gone.")


def test_names_are_text_and_damaged_data_is_a_message(show):
    data = trained()
    data["training"].update(model=HOSTILE, parameter=HOSTILE, notes=[HOSTILE], message=HOSTILE)
    data["training"]["norms"][0]["name"] = HOSTILE
    page = show("training_loop", data)
    press(page, "Table")
    assert page.evaluate("window.hacked") is None
    expect(page.locator(".mg-title")).to_contain_text("<img")
    for bad in ({}, None, {**data["training"], "events": [{"n": 1}]}):
        show("training_loop", {"training": bad, "asked": {}, "given": None})
        expect(page.locator(".mg-notice")).to_contain_text("cannot be shown")


def test_one_html_file_steps_offline_and_the_picture_is_saved(show, chrome, tmp_path):
    files = {"_esm": str(TrainingLoop._esm), "_css": str(TrainingLoop._css)}
    page = show("training_loop", trained(**files))
    page.locator("summary", has_text="Save").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").click()
    svg = download.value.path().read_text(encoding="utf-8")
    assert svg.startswith("<svg") and "loss at each step" in svg and "backward" in svg
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as one HTML file").click()
    download.value.save_as(tmp_path / "training.html")
    alone = chrome.new_page()
    requests, errors = [], []
    alone.on("request", lambda sent: requests.append(sent.url))
    alone.on("pageerror", lambda error: errors.append(str(error)))
    alone.goto((tmp_path / "training.html").as_uri())
    alone.get_by_role("button", name="Next", exact=True).click()
    expect(alone.locator("[data-mg-status]")).to_contain_text("Step 1, forward.")
    expect(alone.get_by_role("button", name="without step()")).to_be_hidden()
    outside = [url for url in requests if not url.startswith(("file:", "blob:", "data:"))]
    assert not outside and not errors
    alone.close()


@pytest.mark.parametrize("width", [480, 320])
def test_a_narrow_page_needs_no_sideways_scrolling(show, width):
    page = show("training_loop", trained(ask="step"))
    page.set_viewport_size({"width": width, "height": 800})
    for _ in range(2):
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        press(page, "Table")


@pytest.mark.node
def test_of_a_training_with_pytorch_it_is_said_that_nothing_is_asked(show):
    """All else of its course is what minigrad's is: see test_torch_training.py."""
    data = trained()
    data["training"].update(lines=[], unasked=UNASKED)
    part = show("training_loop", data).get_by_role(
        "region", name="What happens when a line is left out?"
    )
    expect(part).to_have_text(UNASKED)
    expect(part.get_by_role("button")).to_have_count(0)


def test_axe_finds_nothing_in_the_picture_the_table_or_the_answer(show, front_end):
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page = show("training_loop", trained(ask="zero_grad"))
    page.evaluate(axe)

    def clean():
        found = page.evaluate("async () => (await axe.run('#views')).violations")
        assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]

    clean()
    page.get_by_role("radio").first.check()
    press(page, "Lock in")
    press(page, "Next")
    clean()
    press(page, "Table")
    clean()
    running = {**trained()["training"], "state": "running", "expected": 90}
    page.evaluate("course => mg.set('training', course)", running)
    expect(page.get_by_role("progressbar")).to_be_visible()
    clean()


ASKING = """
const address = URL.createObjectURL(new Blob());
postMessage(address);
for (let asked = 0; ; asked += 1) {
    const question = new XMLHttpRequest();
    try {
        question.open("GET", address, false);
        question.send();
    } catch {
        postMessage(asked);
        break;
    }
}
"""


def running(page_data, **more):
    return {**page_data, "training": {**page_data["training"], "state": "running", **more}}


def test_stop_reaches_a_kernel_that_hears_nothing_while_it_works(show):
    data = trained()
    page = show("training_loop", data)
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    address = page.evaluate(
        """code => new Promise(heard => {
            const worker = new Worker(URL.createObjectURL(new Blob([code])));
            worker.onmessage = first => {
                worker.onmessage = last => { window.asked = last.data; };
                heard(first.data);
            };
        })""",
        ASKING,
    )
    course = running(data, stop=address)["training"]
    page.evaluate("course => mg.set('training', course)", course)
    stop = page.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_visible()
    assert page.evaluate("window.asked === undefined")
    stop.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => window.asked > 0")
    expect(stop).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_text("It stops after this step.")).to_be_visible()
    page.evaluate("course => mg.set('training', course)", data["training"])
    expect(stop).to_be_hidden()
    expect(page.get_by_text("It stops after this step.")).to_have_count(0)


def test_where_only_restart_stops_a_training_the_view_says_so(show):
    data = trained()
    page = show("training_loop", running(data, stop=""))
    expect(page.get_by_text("only Restart stops the training")).to_be_visible()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)


def test_where_a_kernel_can_be_interrupted_there_is_no_button_for_it(show):
    page = show("training_loop", running(trained()))
    expect(page.get_by_role("button", name="Stop", exact=True)).to_have_count(0)
    expect(page.get_by_text("Restart")).to_have_count(0)
