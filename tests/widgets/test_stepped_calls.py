"""BackwardStepper of a function: its pass follows the numbers of the call."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect
from programs import Kernel, endless, folded, published, reused, taxi, traits

import minigrad as torch
from minigrad_widgets import BackwardStepper


def ask(view, number=1, **values):
    """What the page sends when a slider moves."""
    view._asked(view, {"type": "run", "number": number, "values": values}, [])


def landed(view):
    """The gradients that land, by name."""
    steps = view.schedule["steps"]
    return {step["text"]: step["after"]["data"] for step in steps if step["kind"] == "land"}


# --- the kernel ------------------------------------------------------------------------------


def test_a_function_and_its_numbers_are_a_pass():
    view = BackwardStepper(taxi, rate=2.0)
    assert repr(view) == "BackwardStepper(6 steps)"
    assert landed(view) == {"rate": [-18.0]}
    assert [n["id"] for n in view.schedule["nodes"]] == ["t1", "n2", "n3", "n4", "n5"]
    json.dumps([view.schedule, view.run], allow_nan=False)


def test_the_pass_is_that_of_the_result():
    a, b = (torch.tensor(value, requires_grad=True) for value in (2.0, 6.0))
    of_the_result = BackwardStepper(published(a, b))
    view = BackwardStepper(published, a=2.0, b=6.0)
    assert landed(view) == landed(of_the_result) == {"a": [7.0], "b": [15.0]}
    assert [s["kind"] for s in view.schedule["steps"]] == [
        s["kind"] for s in of_the_result.schedule["steps"]
    ]
    assert a.grad is None


def test_the_numbers_are_given_as_watch_takes_them():
    view = BackwardStepper(folded, a=(1.0, 0, 3), n=2)
    a, n = view.run["knobs"]
    assert (a["least"], a["most"], a["whole"], n["whole"]) == (0, 3, False, True)


def test_another_number_is_another_pass_through_the_same_nodes():
    view = BackwardStepper(taxi, rate=2.0)
    before = view.schedule
    ask(view, 7, rate=3.5)
    assert landed(view) == {"rate": [9.0]}
    assert view.run["answers"] == 7
    ids = [[n["id"] for n in schedule["nodes"]] for schedule in (before, view.schedule)]
    assert ids[0] == ids[1]


def test_where_the_program_takes_another_path_the_graph_is_another():
    view = BackwardStepper(folded, a=1.0, n=2)
    counts = []
    for a, n in ((1.0, 2), (1.1, 2), (1.1, 4)):
        ask(view, a=a, n=n)
        counts.append(len(view.schedule["nodes"]))
    assert counts == [3, 4, 6]


def test_an_error_of_the_function_is_told_as_watch_tells_it():
    def broken(a):
        b = a * 2
        return b / undefined  # noqa: F821

    view = BackwardStepper(broken, a=1.0)
    assert view.run["problem"].startswith("NameError: name 'undefined' is not defined")
    assert "return b / undefined" in view.run["problem"]
    assert view.schedule["mode"] == "unavailable" and view.schedule["steps"] == []


def test_a_loop_without_end_is_stopped_early_and_the_pass_comes_back():
    view = BackwardStepper(endless, a=1.0)
    ask(view, a=0.0)
    assert "stopped after 1000 operations" in view.run["problem"]
    assert view.schedule["mode"] == "unavailable"
    ask(view, a=1.0)
    assert view.schedule["mode"] == "rehearsed" and view.run["problem"] == ""


@pytest.mark.parametrize(
    "function, words",
    [
        (lambda a: 3.0, "returned 3, which no recorded operation made"),
        (lambda a: None, "returned None"),
        (lambda a: torch.ones(2), "returned shape (2,)"),
        (lambda a: a * torch.ones(2), "grad can be implicitly created only for scalar outputs"),
    ],
)
def test_a_result_without_a_pass_says_what_is_missing(function, words):
    view = BackwardStepper(function, a=1.0)
    assert words in view.schedule["message"]
    json.dumps(view.schedule, allow_nan=False)


def test_neither_a_tensor_nor_a_function_is_told_what_to_give():
    with pytest.raises(
        TypeError, match="a backward pass starts from a Tensor, not from float"
    ) as e:
        BackwardStepper(3.0)
    assert "BackwardStepper(f, rate=2.0)" in str(e.value)
    with pytest.raises(RuntimeError, match="does not require grad"):
        BackwardStepper(torch.tensor(3.0))


@pytest.mark.parametrize(
    "message",
    [{}, {"type": "run"}, {"type": "other", "values": {"rate": 9.0}}, {"type": "run", "values": 3}],
)
def test_a_page_can_change_the_numbers_and_nothing_else(message):
    view = BackwardStepper(taxi, rate=2.0)
    view._asked(view, message, [])
    assert landed(view) == {"rate": [-18.0]}


def test_a_module_is_called_as_a_function_is():
    class Fare(torch.nn.Module):
        def forward(self, rate):
            return taxi(rate)

    assert landed(BackwardStepper(Fare(), rate=2.0)) == {"rate": [-18.0]}


# --- the page --------------------------------------------------------------------------------


def step(page, times=1):
    for _ in range(times):
        page.get_by_role("button", name="Step", exact=True).click()


@pytest.mark.browser
def test_while_a_number_changes_values_gradients_and_card_follow_and_the_step_stays(show):
    view = BackwardStepper(taxi, rate=2.0)
    page = show("backward_stepper", traits(view))
    kernel = Kernel(page, view)
    step(page, 3)
    node = page.locator("[data-mg-node=n4]").element_handle()
    slider = page.get_by_label("rate, slider")
    slider.focus()
    slider.fill("3.5")
    kernel.answer()
    expect(page.locator("[data-mg-status]")).to_contain_text("Step 3 of 6.")
    expect(page.locator("[data-mg-status]")).to_contain_text("The grad is 3")
    expect(page.locator(".mg-card-body")).to_contain_text("sent to fare")
    expect(page.locator("[data-mg-node=n4]")).to_contain_text("1.5")
    expect(page.locator("[data-mg-node=n4]")).to_contain_text("grad 3")
    expect(slider).to_be_focused()
    assert node.is_visible()  # it was not drawn anew


@pytest.mark.browser
def test_of_another_graph_the_nearest_step_is_shown_and_a_sentence_says_so(show):
    view = BackwardStepper(folded, a=1.0, n=2)
    page = show("backward_stepper", traits(view))
    kernel = Kernel(page, view)
    page.get_by_label("Position").focus()
    page.keyboard.press("End")
    page.get_by_label("a", exact=True).fill("1.1")
    kernel.answer()
    expect(page.locator(".mg-path")).to_contain_text("3 operations now, 2 before")
    expect(page.locator("[data-mg-status]")).to_contain_text("Step 5 of 5.")
    expect(page.get_by_label("a", exact=True)).to_be_focused()


@pytest.mark.browser
def test_a_run_that_fails_leaves_the_sliders_and_the_place_in_the_pass(show):
    view = BackwardStepper(endless, a=1.0)
    page = show("backward_stepper", traits(view))
    kernel = Kernel(page, view)
    step(page, 2)
    page.get_by_label("a, slider").fill("0")
    kernel.answer()
    expect(page.get_by_role("alert")).to_contain_text("stopped after 1000 operations")
    expect(page.get_by_role("button", name="Step", exact=True)).to_have_count(0)
    page.get_by_label("a, slider").fill("1")
    kernel.answer()
    expect(page.locator(".mg-problem")).to_be_empty()
    expect(page.locator("[data-mg-status]")).to_contain_text("Step 2 of 3.")


@pytest.mark.browser
def test_a_wrong_engine_stays_at_work_while_a_number_changes(show):
    view = BackwardStepper(reused, x=2.0)
    page = show("backward_stepper", traits(view))
    kernel = Kernel(page, view)
    page.get_by_label("Engine", exact=True).select_option("overwrite")
    page.get_by_label("Position").focus()
    page.keyboard.press("End")
    page.get_by_label("x, slider").fill("3")
    kernel.answer()
    expect(page.locator("[data-mg-status]")).to_contain_text("That is wrong: 7 is right.")


@pytest.mark.browser
def test_without_a_kernel_the_pass_is_stepped_and_the_sliders_rest(show):
    page = show("backward_stepper", traits(BackwardStepper(taxi, rate=2.0), offline=True))
    expect(page.get_by_label("rate, slider")).to_be_disabled()
    step(page, 6)
    expect(page.locator("[data-mg-status]")).to_contain_text("rate.grad becomes -18")
