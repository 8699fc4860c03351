"""Values of any rank in the panels: what is stored, what is asked for, what is missing."""

from __future__ import annotations

import base64
import gc
import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad import nn
from minigrad.tape import held
from minigrad_widgets import BackwardStepper, GraphView, TapePlayer, backward_stepper, slices
from minigrad_widgets.slices import Shelf, answer


@pytest.fixture(autouse=True)
def nothing_is_held(monkeypatch):
    """What earlier tests have made takes no room."""
    monkeypatch.setattr(held, "recent", fresh := held.Recent(held.ROOM))
    monkeypatch.setattr(backward_stepper, "recent", fresh)


def images():
    """Eight digits of 16 × 16 pixels in one channel."""
    small = torch.datasets.digits().x[:8].numpy().reshape(8, 1, 8, 8)
    return torch.tensor(np.kron(small, np.ones((2, 2), np.float32)))


def convolved():
    """A batch of images through a convolution, and back; the tensors stay."""
    torch.manual_seed(0)
    x = images()
    conv = nn.Conv2d(1, 6, 3, padding=1)
    with GraphView() as view:
        h = conv(x)
        loss = (h * h).mean()
        loss.backward()
    return view, x, h, conv


def attending():
    """Attention weights: batch, head, query, key."""
    torch.manual_seed(0)
    with GraphView() as view:
        q = torch.randn(2, 4, 12, 8, requires_grad=True)
        attention = torch.softmax(q @ q.transpose(-2, -1), dim=-1)
        loss = (attention**2).sum()
        loss.backward()
    return view, attention


def node(view, name):
    return next(one for one in view.graph["nodes"] if name in one["names"])


def ask(of, at, start=(0, 0), step=None, asked="here"):
    """A message of the page's, through JSON."""
    message = {"type": "slice", "of": of, "at": at, "start": start, "step": step, "asked": asked}
    return json.loads(json.dumps(message))


def read(made):
    kind = "<f4" if made["narrow"] else "<f8"
    return np.frombuffer(base64.b64decode(made["numbers"]), kind).reshape(made["shown"])


# ---------------------------------------------------------------------------------- in the kernel


def test_a_page_that_asks_gets_each_channel_of_each_image():
    view, x, h, _ = convolved()
    for sample, channel in ((0, 0), (5, 3), (7, 5)):
        reply = answer(ask(node(view, "h")["value"]["more"], [sample, channel]))
        assert reply["asked"] == "here"
        assert (read(reply["slice"]) == h.detach().numpy()[sample, channel]).all()
    assert (
        read(answer(ask(node(view, "x")["value"]["more"], [3, 0]))["slice"]) == x.numpy()[3, 0]
    ).all()


def test_the_gradient_of_a_result_can_be_asked_for_though_the_pass_is_over():
    view, attention = attending()
    reply = answer(ask(node(view, "attention")["grad"]["more"], [1, 2]))
    assert np.allclose(read(reply["slice"]), 2 * attention.detach().numpy()[1, 2])


def test_a_view_answers_its_page_and_leaves_other_messages_alone(monkeypatch):
    view, *_ = convolved()
    sent = []
    monkeypatch.setattr(view, "send", sent.append)
    view._handle_custom_msg(ask(node(view, "h")["value"]["more"], [0, 1]), [])
    assert sent[0]["slice"]["at"] == [0, 1]
    view._handle_custom_msg({"type": "resync"}, [])
    assert len(sent) == 1
    assert answer({"type": "resync"}) is None


def test_what_was_written_over_is_not_shown_as_what_it_was():
    view, _, h, _ = convolved()
    more = node(view, "h")["value"]["more"]
    with torch.no_grad():
        h[7, 5, 15, 15] = 3.0
    assert answer(ask(more, [0, 0])) == {"type": "slice", "asked": "here", "why": "written"}


def test_what_the_program_has_dropped_is_said_to_be_gone(monkeypatch):
    monkeypatch.setattr(held, "recent", held.Recent(0))
    view, x, h, conv = convolved()
    more = node(view, "h")["value"]["more"]
    del x, h, conv
    gc.collect()
    assert answer(ask(more, [0, 0]))["why"] == "gone"


@pytest.mark.parametrize(
    "message",
    [
        ask(10**9, [0, 0]),
        {"type": "slice", "of": None, "asked": "x"},
        {"type": "slice", "of": 1},
    ],
)
def test_a_message_about_nothing_gets_an_answer_too(message):
    assert answer(message)["why"] == "gone"


@pytest.mark.parametrize(
    "wrong", [{"at": [8, 0]}, {"at": "ab"}, {"step": [0, 1]}, {"start": [None, 0]}]
)
def test_a_slice_that_there_is_not_is_no_error(wrong):
    view, *_ = convolved()
    message = {**ask(node(view, "h")["value"]["more"], [0, 0]), "step": [1, 1], **wrong}
    reply = answer(message)
    assert reply.get("why") == "gone" or read(reply["slice"]).size == 256


def test_a_gradient_to_which_others_are_added_later_is_shown_as_it_arrived():
    w = torch.ones(27, 8, requires_grad=True)
    h = torch.zeros(8)
    for row in (3, 24, 3):
        h = torch.tanh(h + w[row])
    view = BackwardStepper(h.sum())
    steps = view.schedule["steps"]
    sent = [out["grad"] for step in steps for out in step.get("outgoing", ()) if out["text"] == "w"]
    arrived = [read(answer(ask(grad["more"], []))["slice"]) for grad in sent]
    assert [np.flatnonzero(matrix.any(1)).tolist() for matrix in arrived] == [[3], [24], [3]]


def test_first_slices_are_stored_with_a_view_within_its_room():
    view, _, h, _ = convolved()
    stored = view.graph["slices"]
    of_h = stored[str(node(view, "h")["value"]["more"])]
    assert (read(of_h[1]) == h.detach().numpy()[0, 1]).all()
    assert str(node(view, "x")["value"]["more"]) in stored
    assert len(json.dumps(stored)) < 1.1 * slices.ROOM


def test_each_value_has_a_first_slice_before_any_has_a_second(monkeypatch):
    monkeypatch.setattr(slices, "ROOM", 9_000)
    view, *_ = convolved()
    every = [one for made in view.graph["nodes"] for one in (made["value"], made["grad"])]
    wanted = {str(one["more"]) for one in every if one is not None and "more" in one}
    assert len(wanted) >= 6
    assert view.graph["slices"].keys() == wanted


def test_what_is_stored_stays_stored_after_the_program_has_dropped_it(monkeypatch):
    view, *rest = convolved()
    before = view.graph["slices"]
    monkeypatch.setattr(held, "recent", held.Recent(0))
    rest.clear()
    gc.collect()
    more = [key for key in before if int(key) == node(view, "h")["value"]["more"]]
    assert view._snapshot()["slices"][more[0]] == before[more[0]]


def test_a_large_graph_stores_less():
    array = np.ones((40, 40))
    value = {"more": held.number_of(held.hold(array))}
    assert Shelf().of([value], 10)
    assert not Shelf().of([value], 1000)


def test_a_stepper_holds_the_gradients_of_its_pass_though_wrong_engines_made_many_others(
    monkeypatch,
):
    x = images().requires_grad_()
    monkeypatch.setattr(held.recent, "room", 20_000)  # two of the batches
    h = x * 2
    for _ in range(4):
        h = torch.tanh(h)
    stepper = BackwardStepper(h.sum())
    steps = [step for step in stepper.schedule["steps"] if step["grad"]["shape"] == [8, 1, 16, 16]]
    assert len(steps) >= 6
    gc.collect()
    for step in steps:
        assert "slice" in answer(ask(step["grad"]["more"], [7, 0]))
    landed = answer(ask(steps[-1]["grad"]["more"], [7, 0]))["slice"]
    h.sum().backward()
    assert np.allclose(read(landed), x.grad.numpy()[7, 0])
    stepper.close()


def test_where_paths_meet_all_numbers_of_the_sum_are_there():
    x = images().requires_grad_()
    h = torch.tanh(x)
    stepper = BackwardStepper((h * h + h.exp()).sum())
    sums = [
        out["sum"]
        for step in stepper.schedule["steps"]
        for out in step.get("outgoing", ())
        if out["sumBefore"] is not None
    ]
    with torch.no_grad():
        expected = (2 * h + h.exp()).numpy()
    reply = answer(ask(sums[-1]["more"], [7, 0]))
    assert np.allclose(read(reply["slice"]), expected[7, 0])
    stepper.close()


# ---------------------------------------------------------------------------------- in the page


def answered(page):
    """Let the kernel answer what the page has asked since."""
    page.wait_for_timeout(30)
    sent = page.evaluate("() => mg.sent.splice(0)")
    for message in sent:
        reply = json.loads(json.dumps(answer(message)))
        page.evaluate("(message) => mg.push(message)", reply)
    return sent


def opened(show, view, name, **more):
    page = show("graph_view", json.loads(json.dumps({"graph": view.graph, **more})))
    page.locator(f"[data-name='{name}']").first.click()
    return page


def told(page, row, column, which=0):
    """What the picture says of a cell, when the pointer is there."""
    picture = page.locator(".mg-heat-map").nth(which)
    width, height = picture.evaluate("(one) => [one.clientWidth, one.clientHeight]")
    rows, columns = 16, 16
    picture.hover(
        position={"x": (column + 0.5) * width / columns, "y": (row + 0.5) * height / rows}
    )
    return page.locator(".mg-told").nth(which).text_content()


def four_digits(text, number):
    found = re.search(r" is (\S+)$", text)
    return float(found[1]) == pytest.approx(number, rel=1e-3, abs=1e-12)


@pytest.mark.browser
def test_image_and_channel_are_chosen_and_the_pointer_reads_the_true_number(show):
    view, _, h, _ = convolved()
    page = opened(show, view, "h")
    value = page.get_by_role("group", name="value, 8×6×16×16")
    value.get_by_label("dim 0 (sample), of 8").fill("5")
    value.get_by_label("dim 1 (channel), of 6").fill("3")
    answered(page)
    text = told(page, 4, 9)
    assert text.startswith("[5, 3, 4, 9] is ")
    assert four_digits(text, h.detach().numpy()[5, 3, 4, 9])
    gradient = told(page, 4, 9, which=1)  # of the same image and channel
    assert gradient.startswith("[5, 3, 4, 9] is ")
    assert four_digits(gradient, 2 * h.detach().numpy()[5, 3, 4, 9] / h.numel())


@pytest.mark.browser
def test_a_head_of_attention_is_read_with_the_arrow_keys(show):
    view, attention = attending()
    page = opened(show, view, "attention")
    page.get_by_label("dim 1, of 4").first.fill("2")
    answered(page)
    picture = page.locator(".mg-heat-map").first
    picture.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "End"):
        page.keyboard.press(key)
    text = page.locator(".mg-told").first.text_content()
    assert text.startswith("[0, 2, 1, 11] is ")
    assert four_digits(text, attention.detach().numpy()[0, 2, 1, 11])
    ends = page.locator(".mg-ends").first.text_content()
    head = attention.detach().numpy()[0, 2]
    assert f"{head.min():.4g}"[:5] in ends
    assert f"{head.max():.4g}"[:5] in ends


@pytest.mark.browser
def test_numbers_and_picture_are_a_switch_and_numbers_are_leafed_through(show):
    view, _, h, _ = convolved()
    page = opened(show, view, "h")
    answered(page)
    value = page.get_by_role("group", name="value, 8×6×16×16")
    expect(value.locator(".mg-heat-map")).to_be_visible()
    value.get_by_role("button", name="Numbers").click()
    expect(value.locator(".mg-heat-map")).to_have_count(0)
    expect(value.locator("td")).to_have_count(64)
    value.get_by_role("button", name="next rows").click()
    expect(value.get_by_text("rows 8–15 of 16")).to_be_visible()
    cell = value.locator("td").nth(9)
    assert cell.get_attribute("title").startswith("[0, 0, 9, 1] is ")
    assert float(cell.text_content()) == pytest.approx(h.detach().numpy()[0, 0, 9, 1], rel=1e-3)
    value.get_by_role("button", name="Picture").click()
    expect(value.locator(".mg-heat-map")).to_be_visible()


@pytest.mark.browser
def test_small_matrices_are_numbers_as_before_with_no_switch(show):
    with GraphView() as view:
        w = torch.ones(3, 4, requires_grad=True)
        y = w * 2
    assert y.shape == (3, 4)
    page = opened(show, view, "y")
    expect(page.locator(".mg-details td")).to_have_count(12)
    expect(page.locator(".mg-value-panel")).to_have_count(0)


@pytest.mark.browser
def test_without_a_kernel_what_is_stored_is_shown_and_the_rest_is_said_to_be_missing(show):
    view, *_ = convolved()
    page = opened(show, view, "h", offline=True)
    value = page.get_by_role("group", name="value, 8×6×16×16")
    expect(value.locator(".mg-heat-map")).to_be_visible()
    value.get_by_label("dim 0 (sample), of 8").fill("7")
    expect(value.locator(".mg-heat-map")).to_have_count(0)
    note = value.get_by_role("status")
    expect(note).to_contain_text("The numbers at [7, 0] are not stored with this view")
    expect(note).to_contain_text("there is no kernel")
    expect(note).to_contain_text("Stored are [0, 0], [0, 1]")
    assert page.evaluate("() => mg.sent.length") == 0


@pytest.mark.browser
def test_truth_values_stay_true_and_false(show):
    with GraphView() as view:
        x = torch.zeros(10, 20, requires_grad=True)
        mask = torch.arange(200).reshape(10, 20) == 33
        y = torch.where(mask, x, x + 1)
    assert y.shape == (10, 20)
    page = opened(show, view, "mask")
    answered(page)
    picture = page.locator(".mg-heat-map")
    picture.focus()
    for key in ["ArrowDown"] * 2 + ["ArrowRight"] * 13:
        page.keyboard.press(key)
    expect(page.locator(".mg-told")).to_have_text("[1, 13] is True")
    page.get_by_role("button", name="Numbers").click()
    page.get_by_role("button", name="next columns").click()
    expect(page.locator(".mg-matrix td").nth(13)).to_have_text("True")
    expect(page.locator(".mg-matrix td").nth(13)).to_have_attribute("title", "[1, 13] is true")


@pytest.mark.browser
def test_a_kernel_that_is_busy_is_told_of_and_its_answer_is_shown_when_it_comes(show):
    view, *_ = convolved()
    page = opened(show, view, "h")
    page.get_by_label("dim 0 (sample), of 8").first.fill("7")
    note = page.locator(".mg-value-panel > .mg-note").first
    expect(note).to_contain_text("Asking the kernel")
    expect(note).to_contain_text("no kernel has answered so far")
    answered(page)
    expect(page.locator(".mg-heat-map").first).to_be_visible()
    expect(note).to_have_text("")


@pytest.mark.browser
def test_a_value_that_was_written_over_since_says_so(show):
    view, _, h, _ = convolved()
    page = opened(show, view, "h")
    with torch.no_grad():
        h.mul_(2)
    page.get_by_label("dim 0 (sample), of 8").first.fill("7")
    answered(page)
    expect(page.locator(".mg-value-panel .mg-note").first).to_contain_text("has written over them")


@pytest.mark.browser
def test_nan_and_infinity_have_a_sign_and_are_counted(show):
    with GraphView() as view:
        x = torch.zeros(10, 20, requires_grad=True)
        y = x + torch.tensor(np.where(np.arange(200).reshape(10, 20) == 33, np.nan, 0.0))
        z = x / 0.0
    assert z.isnan().all() and not y.isnan().all()
    page = opened(show, view, "y")
    answered(page)
    expect(page.locator(".mg-odds").first).to_have_text("× NaN: 1")
    expect(page.locator(".mg-ends").first).to_have_text("all finite numbers here are 0")
    picture = page.locator(".mg-heat-map").first
    picture.focus()
    for key in ["ArrowDown"] * 2 + ["ArrowRight"] * 13:
        page.keyboard.press(key)
    expect(page.locator(".mg-told").first).to_have_text("[1, 13] is nan")
    page.locator("[data-name=z]").click()
    answered(page)
    expect(page.locator(".mg-value-panel .mg-note").first).to_contain_text(
        "No number here is finite"
    )


@pytest.mark.browser
def test_in_a_stepper_the_arrow_keys_of_a_picture_do_not_step(show):
    x = images().requires_grad_()
    stepper = BackwardStepper(torch.tanh(x).sum())
    page = show("backward_stepper", json.loads(json.dumps({"schedule": stepper.schedule})))
    for _ in range(3):
        page.get_by_role("button", name="Step", exact=False).first.click()
    answered(page)
    count = page.locator(".mg-count").first.text_content()
    picture = page.locator(".mg-heat-map").first
    picture.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".mg-told").first).to_contain_text("[0, 0, 0, 2] is ")
    assert page.locator(".mg-count").first.text_content() == count
    stepper.close()


@pytest.mark.browser
def test_the_tape_player_shows_them_too(show):
    x = images().requires_grad_()
    with TapePlayer() as player:
        h = torch.tanh(x)
    assert h.shape == (8, 1, 16, 16)
    page = show("tape_player", json.loads(json.dumps({"recording": player.recording})))
    page.get_by_role("button", name="Step").first.click()
    page.get_by_label("dim 0, of 8").first.fill("7")
    answered(page)
    text = told(page, 4, 9)
    assert text.startswith("[7, 0, 4, 9] is ")
    assert four_digits(text, h.detach().numpy()[7, 0, 4, 9])
    player.close()


@pytest.mark.browser
def test_three_channels_are_shown_in_colour_and_all_three_are_read(show):
    with GraphView() as view:
        photo = torch.rand(3, 16, 16, requires_grad=True)
        y = photo * 2
    assert y.shape == (3, 16, 16)
    page = opened(show, view, "photo")
    page.get_by_label("Scale").select_option("rgb")
    answered(page)
    numbers = photo.detach().numpy()[:, 2, 5]
    text = told(page, 2, 5)
    assert text.startswith("[:, 2, 5] is ")
    assert [float(one) for one in text.partition(" is ")[2].split(", ")] == pytest.approx(
        numbers.tolist(), rel=1e-3
    )
    pixel = page.locator(".mg-heat-map").evaluate(
        "(one) => [...one.getContext('2d').getImageData("
        "5.5 * one.width / 16, 2.5 * one.height / 16, 1, 1).data]"
    )
    every = photo.detach().numpy()
    light = (numbers - every.min()) / (every.max() - every.min()) * 255
    assert pixel[:3] == pytest.approx(light.tolist(), abs=1)


@pytest.mark.browser
def test_a_choice_stays_when_the_details_are_made_anew(show):
    view, *_ = convolved()
    page = opened(show, view, "h")
    chooser = page.get_by_label("dim 0 (sample), of 8").first
    chooser.fill("4")
    answered(page)
    chooser.focus()
    page.evaluate("() => mg.set('graph', JSON.parse(JSON.stringify(mg.model.get('graph'))))")
    page.evaluate("() => mg.painted()")
    expect(chooser).to_have_value("4")
    expect(chooser).to_be_focused()


@pytest.mark.browser
@pytest.mark.node
def test_the_panel_of_a_value_has_no_fault(show, front_end):
    view, *_ = convolved()
    page = opened(show, view, "h")
    page.set_viewport_size({"width": 600, "height": 900})
    answered(page)
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page.evaluate(axe)
    for way in ("Picture", "Numbers"):
        page.get_by_role("button", name=way).first.click()
        found = page.evaluate("async () => (await axe.run('#views')).violations")
        assert not [(rule["id"], [one["html"] for one in rule["nodes"]]) for rule in found]
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
