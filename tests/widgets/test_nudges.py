"""Nudges: a number is a little larger, and the program runs again: a witness for the gradient."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect
from programs import Kernel, folded, kink, published, reused, taxi, traits

import minigrad as torch
from minigrad_widgets import BackwardStepper, nudges
from minigrad_widgets.runs import Run


def nudge(view, h=0.01, leaf=0):
    (run,) = [run for run in view.schedule["nudges"]["leaves"][leaf]["runs"] if run["h"] == h]
    return run


def changes(view, **options):
    """The changes of the nodes by what is drawn in them."""
    texts = {n["id"]: (n["names"] or [n["formula"]])[0] for n in view.schedule["nodes"]}
    found = nudge(view, **options)["changes"]
    return {texts[key]: pytest.approx(values[0], abs=1e-9) for key, values in found.items()}


# --- the kernel ------------------------------------------------------------------------------


def test_the_change_of_every_value_is_told():
    view = BackwardStepper(taxi, rate=2.0)
    assert changes(view) == {
        "rate": 0.01,
        "ride": 0.03,
        "fare": 0.03,
        "error": 0.03,
        "error ** 2": -0.1791,
    }
    assert nudge(view)["loss"] / 0.01 == pytest.approx(-17.91)
    json.dumps(view.schedule["nudges"], allow_nan=False)


def test_each_number_of_the_call_is_nudged_alone():
    view = BackwardStepper(published, a=2.0, b=6.0)
    assert [leaf["name"] for leaf in view.schedule["nudges"]["leaves"]] == ["a", "b"]
    assert changes(view, leaf=0) == {"a": 0.01, "b": 0.0, "c": 0.01, "d": 0.0, "c * d": 0.07}
    assert changes(view, leaf=1)["c * d"] == pytest.approx(0.1501)


def test_a_number_that_is_used_three_times_moves_the_result_by_all_of_them():
    assert changes(BackwardStepper(reused, x=2.0))["y + x"] == pytest.approx(0.0501)


def test_the_program_really_runs_again_and_no_derivative_is_asked():
    class Half(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 3

        @staticmethod
        def backward(ctx, g):
            return g * 100  # wrong

    view = BackwardStepper(lambda a: Half.apply(a) + 1, a=2.0)
    assert nudge(view)["loss"] == pytest.approx(0.03)
    (landing,) = [step for step in view.schedule["steps"] if step["kind"] == "land"]
    assert landing["grad"]["data"] == [100.0]


def test_it_runs_in_float64():
    dtypes = []

    def f(a):
        dtypes.append(a.dtype)
        return a * torch.tensor(0.1)

    view = BackwardStepper(f, a=1.0)
    assert view.schedule["nudges"]["exact"]
    assert dtypes == [torch.float32] + [torch.float64] * 4
    assert torch.get_default_dtype() is torch.float32
    assert nudge(view, h=0.001)["loss"] == pytest.approx(0.0001, rel=1e-9)


def test_a_program_that_needs_float32_runs_in_float32_and_says_so():
    data = torch.ones(2, 2)
    view = BackwardStepper(lambda a: (data @ (a * torch.ones(2, 1))).sum(), a=1.0)
    assert not view.schedule["nudges"]["exact"]
    assert nudge(view, h=0.1)["loss"] == pytest.approx(0.4, rel=1e-4)


def test_the_same_random_numbers_come_again():
    def noisy(a):
        return a * torch.rand(1).item()

    torch.manual_seed(0)
    view = BackwardStepper(noisy, a=1.0)
    after = torch.rand(1).item()
    torch.manual_seed(0)
    torch.rand(1)
    assert torch.rand(1).item() == after  # the nudges have drawn none
    quotients = [nudge(view, h=h)["loss"] / h for h in nudges.STEPS]
    assert quotients == pytest.approx([quotients[0]] * 3, rel=1e-3)


def test_a_program_that_gives_other_values_each_time_is_not_nudged():
    calls = []

    def counting(a):
        calls.append(a)
        return a * float(len(calls))

    note = BackwardStepper(counting, a=1.0).schedule["nudges"]["note"]
    assert note == "counting gives other values when it runs again with the same numbers."


def test_on_another_path_the_line_is_named_and_the_result_compared():
    view = BackwardStepper(folded, a=1.0, n=2)
    assert nudge(view, h=0.01)["parted"] == ""
    parted = nudge(view, h=0.1)
    assert parted["parted"].endswith(": a = a * 2") and len(parted["changes"]) == 1
    assert parted["loss"] == pytest.approx(2.2**4 - 1)


def test_a_program_that_stops_when_it_is_nudged_says_why():
    def edge(a):
        if a > 1:
            raise ValueError("too large")
        return a * 2

    run = nudge(BackwardStepper(edge, a=1.0))
    assert run["problem"].startswith("ValueError: too large") and run["loss"] is None


def test_no_gradient_is_left_anywhere_and_nothing_is_printed(capsys):
    weight = torch.tensor(3.0, requires_grad=True)

    def f(a):
        print("running")
        return a * weight

    view = BackwardStepper(f, a=1.0)
    assert weight.grad is None and capsys.readouterr().out == ""
    assert nudge(view)["loss"] == pytest.approx(0.03)


@pytest.mark.parametrize(
    "function, numbers, words",
    [
        (lambda n: torch.ones(1, requires_grad=True) * n, {"n": 2}, "No single number"),
        (lambda w: w.sum(), {"w": [1.0]}, "No single number"),
    ],
)
def test_without_a_number_that_leads_to_the_result_a_sentence_says_so(function, numbers, words):
    assert words in BackwardStepper(function, **numbers).schedule["nudges"]["note"]


def test_what_is_sent_stays_small():
    def many(a, b, c, d, e, f, g):
        total = a + b + c + d + e + f + g
        for _ in range(45):
            total = total * 1.01
        return total

    view = BackwardStepper(many, **dict.fromkeys("abcdefg", 1.0))
    assert len(view.schedule["nudges"]["leaves"]) == nudges.MOST_LEAVES
    assert len(json.dumps(view.schedule["nudges"])) < 60_000

    def long(a):
        for _ in range(100):
            a = a * 1.01
        return a

    assert "up to 60 nodes" in BackwardStepper(long, a=1.0).schedule["nudges"]["note"]


def test_a_slow_program_is_not_run_many_times(monkeypatch):
    runs = []
    monkeypatch.setattr(nudges, "Run", lambda *given: runs.append(given) or Run(*given))
    monkeypatch.setattr(nudges, "MOST_SECONDS", 0.0)
    view = BackwardStepper(taxi, rate=2.0)
    assert "would take too long: 4 more runs" in view.schedule["nudges"]["note"] and not runs


def test_of_a_tensor_a_sentence_says_how_to_get_nudges():
    x = torch.tensor(2.0, requires_grad=True)
    assert "BackwardStepper(f, rate=2.0)" in BackwardStepper(x * x).schedule["nudges"]["note"]


# --- the page --------------------------------------------------------------------------------


def nudged(show, function, offline=True, **numbers):
    page = show("backward_stepper", traits(BackwardStepper(function, **numbers), offline=offline))
    page.get_by_role("button", name="Nudge").click()
    page.get_by_role("group", name="Graph, scrollable").focus()
    return page


STATUS = "[data-mg-nudge]"


@pytest.mark.browser
def test_the_change_travels_forward_and_back_without_a_kernel_by_the_keys_of_the_pass(show):
    page = nudged(show, taxi, rate=2.0)
    expect(page.locator(".mg-delta")).to_have_count(1)  # something moves at once
    page.keyboard.press("Home")
    expect(page.locator(".mg-delta")).to_have_count(0)
    said = []
    for number in range(1, 7):
        page.keyboard.press("ArrowRight")
        expect(page.locator(STATUS)).to_contain_text(f"Step {number} of 6.")
        expect(page.locator(".mg-delta")).to_have_count(min(number, 5))
        said.append(page.locator(STATUS).inner_text())
    assert "ride = rate * 3 goes from 6 to 6.03: Δ +0.03, and Δ / h = 3." in said[1]
    page.keyboard.press("ArrowLeft")
    expect(page.locator(STATUS)).to_have_text(said[4])
    page.keyboard.press("Home")
    expect(page.locator(".mg-delta")).to_have_count(0)
    expect(page.locator(STATUS)).to_contain_text("Before the nudge.")


@pytest.mark.browser
def test_at_the_end_the_quotient_stands_beside_the_gradient_and_a_sentence_says_why(show):
    page = nudged(show, taxi, rate=2.0)
    page.keyboard.press("End")
    card = page.get_by_role("region", name="This step of the nudge")
    for text in ("Δ -0.1791", "-0.1791 / 0.01", "-17.91", "-18", "came back to rate"):
        expect(card).to_contain_text(text)
    expect(card).to_contain_text("A smaller h comes closer.")
    page.get_by_label("Size h of the nudge").select_option("0.001")
    expect(card).to_contain_text("-17.99")
    expect(page.locator(STATUS)).to_contain_text("Step 6 of 6.")


@pytest.mark.browser
@pytest.mark.parametrize("a, words", [(0.0, "a kink or a jump"), (1.0, "a straight line")])
def test_at_a_kink_the_witness_does_not_agree(show, a, words):
    page = nudged(show, kink, a=a)
    page.keyboard.press("End")
    expect(page.locator(".mg-why")).to_contain_text(words)


@pytest.mark.browser
def test_another_number_can_be_chosen_and_only_what_it_reaches_is_stepped_through(show):
    page = nudged(show, published, a=2.0, b=6.0)
    page.keyboard.press("End")
    expect(page.locator(STATUS)).to_contain_text("Step 4 of 4.")
    page.get_by_label("Number to nudge").select_option("b")
    page.get_by_role("group", name="Graph, scrollable").focus()
    page.keyboard.press("End")
    expect(page.locator(STATUS)).to_contain_text("Step 5 of 5.")
    expect(page.locator(STATUS)).to_contain_text(
        "that is 15.01. The gradient that came back to b is 15"
    )


@pytest.mark.browser
def test_the_table_says_what_the_status_says_and_leads_there(show):
    page = nudged(show, taxi, rate=2.0)
    page.get_by_role("button", name="Table").click()
    rows = page.locator(".mg-nudge .mg-steps tbody tr")
    expect(rows).to_have_count(6)
    for number in (2, 6):
        page.get_by_role("button", name=f"Go to step {number}").click()
        assert rows.nth(number - 1).locator("td").inner_text() in page.locator(STATUS).inner_text()
        expect(rows.nth(number - 1)).to_have_attribute("aria-current", "step")


@pytest.mark.browser
def test_a_change_has_a_sign_of_its_own_and_is_told_to_a_screen_reader(show):
    page = nudged(show, taxi, rate=2.0)
    page.keyboard.press("End")
    texts = page.locator(".mg-delta").all_text_contents()
    assert len(texts) == 5 and all(text.startswith("Δ ") for text in texts)
    assert page.locator("[data-mg-node=n2]").get_attribute("aria-label").endswith("Δ +0.03")


@pytest.mark.browser
def test_back_in_the_pass_all_is_as_it_was(show):
    page = show("backward_stepper", traits(BackwardStepper(taxi, rate=2.0)))
    page.get_by_label("Position").focus()
    page.get_by_role("button", name="Step", exact=True).click()
    page.get_by_role("button", name="Step", exact=True).click()
    before = page.locator(".mg-stepper").inner_text()
    page.get_by_role("button", name="Nudge").click()
    expect(page.locator(".mg-chip")).to_have_count(0)
    page.get_by_role("button", name="Nudge").click()
    expect(page.locator(".mg-delta")).to_have_count(0)
    assert page.locator(".mg-stepper").inner_text() == before


@pytest.mark.browser
def test_while_a_number_changes_the_nudge_follows(show):
    view = BackwardStepper(taxi, rate=2.0)
    page = show("backward_stepper", traits(view))
    kernel = Kernel(page, view)
    page.get_by_role("button", name="Nudge").click()
    page.get_by_role("group", name="Graph, scrollable").focus()
    page.keyboard.press("End")
    page.get_by_label("rate, slider").fill("3.5")
    kernel.answer()
    expect(page.locator(STATUS)).to_contain_text("Step 6 of 6.")
    expect(page.locator(STATUS)).to_contain_text("The gradient that came back to rate is 9")


@pytest.mark.browser
def test_of_a_tensor_there_is_no_switch_and_the_help_says_how_to_get_one(show):
    x = torch.tensor(2.0, requires_grad=True)
    page = show("backward_stepper", traits(BackwardStepper(x * x)))
    expect(page.get_by_role("button", name="Nudge")).to_have_count(0)
    page.locator("summary", has_text="Keys").click()
    expect(page.get_by_text("To nudge a number, give the program as a function")).to_be_visible()


@pytest.mark.browser
def test_while_one_is_asked_first_a_nudge_gives_nothing_away(show):
    page = show("backward_stepper", traits(BackwardStepper(taxi, rate=2.0)))
    page.get_by_label("Ask me first").check()
    expect(page.get_by_role("button", name="Nudge")).to_be_disabled()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1000, 600])
def test_nothing_jumps_while_the_nudge_is_stepped(show, width):
    page = show("backward_stepper", traits(BackwardStepper(taxi, rate=2.0)))
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_role("button", name="Nudge").click()
    page.get_by_role("group", name="Graph, scrollable").focus()
    heights = set()
    for _ in range(7):
        heights.add(round(page.locator(".mg-root").bounding_box()["height"]))
        page.keyboard.press("ArrowRight")
    assert len(heights) == 1
