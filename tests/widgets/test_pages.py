"""Predictions, verdicts and the stepper's engines in a real Chromium, without Jupyter."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad import lesson
from minigrad_widgets import BackwardStepper, PredictionView, VerdictView

pytestmark = pytest.mark.browser


def source(page):
    """What the page holds, seen or not; without its ids, which are random."""
    return re.sub('"mg-[^"]*"', "", page.locator("#views").inner_html())


def question(text, answer, *, choices=None, mistakes=None, because="", hint="Draw it."):
    asked = lesson.Prediction(text, answer, choices, mistakes or {}, 1e-3, because, hint)
    view = PredictionView(asked)
    return {"question": view.question, "given": view.given}


def answer(page, text, label="b.grad?"):
    """Type an answer into the field and send it."""
    page.get_by_label(label).fill(text)
    page.get_by_label(label).press("Enter")


def said(page):
    return page.locator(".mg-said")


def stepper(before=None):
    """The article's program, with this much in ``b.grad`` already."""
    a, b = (torch.tensor([value], requires_grad=True) for value in (2.0, 6.0))
    b.grad = before
    c = a + b
    d = b + 1
    e = c * d
    return {"schedule": BackwardStepper(e).schedule}


def given(page):
    return page.evaluate("() => mg.model.get('given')")


# --- Predictions ---------------------------------------------------------------------------------


def test_nothing_is_given_away_before_the_answer_is_locked_in(show):
    page = show("prediction_view", question("b.grad?", 15.0, because="7 + 8"))
    assert "15" not in source(page) and "7 + 8" not in source(page)


def test_a_wrong_answer_is_named_and_tried_again_by_keyboard_alone(show):
    page = show(
        "prediction_view",
        question("b.grad?", 15.0, mistakes={8: "Only via d."}, because="It is 7 + 8."),
    )
    page.get_by_label("b.grad?").focus()
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text("You said 8. Not yet.Only via d.")
    expect(page.get_by_label("b.grad?")).to_be_focused()
    page.keyboard.type("15")  # what was wrong is selected
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text("Right: 15.It is 7 + 8.")
    expect(said(page)).to_be_focused()
    expect(page.get_by_label("b.grad?")).to_be_disabled()
    expect(page.get_by_role("button")).to_be_disabled()
    assert given(page)["right"] is True
    assert [one["text"] for one in given(page)["tries"]] == ["8"]
    # JupyterLab would take the keys of whatever has the focus for its own: "x" cuts the cell.
    own = "() => document.activeElement.hasAttribute('data-lm-suppress-shortcuts')"
    assert page.evaluate(own)


def test_a_right_answer_is_told_by_word_and_sign_not_by_colour_alone(show):
    page = show("prediction_view", question("b.grad?", 15.0))
    page.get_by_label("b.grad?").fill("15")
    page.get_by_role("button", name="Lock in").click()
    expect(said(page)).to_have_text("Right: 15.")
    sign = "() => getComputedStyle(document.querySelector('.mg-right'), '::before').content"
    assert "✓" in page.evaluate(sign)


def test_what_cannot_be_read_is_not_locked_in(show):
    page = show("prediction_view", question("b.grad?", 15.0))
    for text in ("", "fifteen"):
        page.get_by_label("b.grad?").fill(text)
        page.keyboard.press("Enter")
        expect(page.locator(".mg-hint")).to_have_text("Type a number, such as 7, -0.5 or 1/3.")
    assert given(page) is None


def test_choices_are_radio_buttons_that_the_arrows_move(show):
    page = show(
        "prediction_view",
        question("How many?", 3, choices=[3, 5, 8], mistakes={5: "Those are values."}),
    )
    page.get_by_role("button", name="Lock in").click()
    expect(page.locator(".mg-hint")).to_have_text("Choose one.")
    page.get_by_label("3", exact=True).focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("5", exact=True)).to_be_checked()
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text("You said 5. Not yet.Those are values.")
    expect(page.get_by_role("group")).to_have_accessible_name("Predict How many?")
    expect(page.get_by_label("5", exact=True)).to_be_disabled()
    expect(page.locator(".mg-crossed")).to_have_text("5")
    expect(page.get_by_label("3", exact=True)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("8", exact=True)).to_be_checked()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text("Right: 3.")


def test_all_views_of_a_question_and_later_ones_show_the_locked_answer(show):
    traits = question("b.grad?", 15.0)
    page = show("prediction_view", traits, views=2)
    page.get_by_label("b.grad?").first.fill("15")
    page.keyboard.press("Enter")
    for index in (0, 1):
        expect(said(page).nth(index)).to_have_text("Right: 15.")
    show("prediction_view", {**traits, "given": given(page)})
    expect(said(page)).to_have_text("Right: 15.")
    expect(page.get_by_label("b.grad?")).to_have_value("15")


def test_markup_in_a_question_is_text_and_backquotes_are_code(show):
    hostile = "<img src=x onerror=window.hacked=1>"
    page = show(
        "prediction_view",
        question(
            f"What does `a.grad` hold? {hostile}", hostile, mistakes={"x": hostile}, because=hostile
        ),
    )
    page.get_by_role("textbox").fill("x")
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("<img")
    page.get_by_role("button", name="Show me").click()
    expect(said(page)).to_contain_text("The answer is: <img")
    assert page.locator("#views img").count() == 0
    assert page.locator("#views code").first.inner_text() == "a.grad"
    assert page.evaluate("() => window.hacked") is None


@pytest.mark.parametrize("traits", [{}, {"question": {"version": 9}}, {"question": "x"}])
def test_damaged_questions_and_verdicts_are_a_sentence(show, traits):
    page = show("prediction_view", traits)
    expect(page.get_by_role("status")).to_contain_text("cannot be read")
    show("verdict_view", {"verdict": traits})
    expect(page.get_by_role("status")).to_contain_text("cannot be read")


@pytest.mark.parametrize(("message", "sign"), [("", "passed"), ("no.", "not yet"), (None, "open")])
def test_a_verdict_has_a_sign_with_a_name_and_its_sentence(show, message, sign):
    made = lesson.Verdict("slope <b>", message)
    page = show("verdict_view", {"verdict": VerdictView(made).verdict})
    expect(page.get_by_role("img", name=sign)).to_be_visible()
    expect(page.get_by_role("status")).to_have_text(f"slope <b>: {made.message}")


# --- The ladder ----------------------------------------------------------------------------------

BROKE_ADD = {8: lesson.broke("add", "Only via d.")}
ADD = "Where paths meet, what arrives is added."


def test_what_is_right_of_an_exercise_is_told_on_request(show):
    lines = ["It is 16, and should be 15.", "7 + 8"]
    told = lesson.Verdict("slope", "it is 16: too large.", 3, lines)
    page = show("verdict_view", {"verdict": VerdictView(told).verdict})
    expect(page.get_by_role("status")).to_contain_text("too large")
    expect(page.get_by_text("should be 15")).to_be_hidden()
    page.get_by_text("What is right?").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("should be 15")).to_be_visible()
    hinted = lesson.Verdict("slope", "it is 16: too large.", 2, ["Hint: add."])
    page = show("verdict_view", {"verdict": VerdictView(hinted).verdict})
    expect(page.get_by_text("Hint: add.")).to_be_visible()


def test_the_third_wrong_answer_is_told_what_is_right_and_not_before(show):
    page = show("prediction_view", question("b.grad?", 15.0, because="7 + 8", hint="Two paths."))
    answer(page, "9")
    expect(said(page)).to_have_text("You said 9. Not yet: too small.")
    answer(page, "10")
    expect(said(page)).to_have_text("You said 10. Not yet: too small.Hint: Two paths.")
    assert "15" not in source(page) and "7 + 8" not in source(page)
    answer(page, "11")
    expect(said(page)).to_have_text("You said 11. The answer is: 15.7 + 8")
    expect(said(page)).to_be_focused()
    expect(page.get_by_label("b.grad?")).to_be_disabled()


def test_the_same_answer_again_is_not_another_try(show):
    page = show("prediction_view", question("b.grad?", 15.0))
    for text in ("9", "9", "9.0"):
        answer(page, text)
    expect(page.locator(".mg-predict-form .mg-hint")).to_contain_text("tried already")
    assert len(given(page)["tries"]) == 1
    expect(page.get_by_role("button", name="Hint")).to_be_visible()


def test_a_right_answer_at_the_third_try_is_right(show):
    page = show("prediction_view", question("b.grad?", 15.0, because="7 + 8"))
    for text in ("9", "10", "15"):
        answer(page, text)
    expect(said(page)).to_have_text("Right: 15.7 + 8")


def test_which_rule_was_broken_is_asked_before_the_mistake_is_named(show):
    page = show("prediction_view", question("b.grad?", 15.0, mistakes=BROKE_ADD))
    answer(page, "8")
    expect(said(page)).to_have_text("You said 8. Not yet.")
    rules = page.get_by_role("group", name="Which rule was broken?").get_by_role("button")
    expect(rules).to_have_count(3)
    expect(page.get_by_label("b.grad?")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(rules.first).to_be_focused()
    page.get_by_role("button", name=ADD).press("Enter")
    expect(said(page)).to_have_text(f"You said 8. Not yet.The rule: {ADD}Only via d.")
    expect(page.get_by_label("b.grad?")).to_be_focused()
    page.keyboard.type("15")
    page.keyboard.press("Enter")
    expect(said(page)).to_have_text("Right: 15.")


def test_another_rule_is_not_called_wrong_and_one_pick_ends_it(show):
    page = show("prediction_view", question("b.grad?", 15.0, mistakes=BROKE_ADD))
    answer(page, "8")
    page.get_by_role("button", name="A node passes its gradient on").press("Enter")
    told = f"You said 8. Not yet.Here it is another rule: {ADD}Only via d."
    expect(said(page)).to_have_text(told)
    expect(page.get_by_role("group", name="Which rule was broken?")).to_have_count(0)
    expect(page.get_by_label("b.grad?")).to_be_focused()


def test_one_may_answer_again_without_picking_a_rule(show):
    page = show("prediction_view", question("b.grad?", 15.0, mistakes=BROKE_ADD))
    answer(page, "8")
    expect(page.get_by_label("b.grad?")).to_be_focused()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".mg-predict-form .mg-hint")).to_contain_text("tried already")
    page.keyboard.type("15")  # the old answer is selected
    page.get_by_role("button", name="Try again").click()
    expect(said(page)).to_have_text("Right: 15.")


def test_the_hint_of_a_second_try_does_not_wait_for_a_rule(show):
    page = show("prediction_view", question("b.grad?", 15.0, mistakes=BROKE_ADD))
    answer(page, "9")
    answer(page, "8")
    expect(said(page)).to_have_text("You said 8. Not yet.Hint: Draw it.")


@pytest.mark.parametrize(
    ("options", "mine", "unread"),
    [
        ({"choices": ["up", "down"]}, "larger", "larger is not one of the choices."),
        ({}, "fifteen", "a number is wanted, without quotation marks."),
    ],
)
def test_an_answer_in_the_call_that_does_not_count_says_so(show, options, mine, unread):
    made = lesson.predict("Which?", "up" if options else 15.0, mine=mine, **options)
    page = show("prediction_view", {"question": PredictionView(made).question, "given": None})
    expect(page.locator(".mg-predict-form .mg-hint")).to_have_text(unread)
    expect(said(page)).to_have_text("")


@pytest.mark.parametrize(("true", "wanted"), [(15.0, "Type a number"), ([3, 5], "Type the list")])
def test_a_word_where_numbers_are_wanted_is_no_try(show, true, wanted):
    page = show("prediction_view", question("b.grad?", true))
    answer(page, "fifteen")
    expect(page.locator(".mg-predict-form .mg-hint")).to_contain_text(wanted)
    assert given(page) is None


def test_where_no_rule_is_known_there_is_room_for_ones_own_words_which_nobody_gets(show):
    page = show("prediction_view", question("b.grad?", 15.0))
    answer(page, "9")
    label = "How did you get 9? Say it in one sentence, for yourself."
    page.get_by_label(label).fill("I added three and six.")
    page.get_by_role("button", name="Hint").press("Enter")
    expect(page.get_by_text("Hint: Draw it.")).to_be_visible()
    expect(page.get_by_role("button", name="Show me")).to_be_focused()
    expect(page.get_by_label(label)).to_have_value("I added three and six.")
    assert "three" not in str(page.evaluate("() => mg.model.state ?? {}"))
    assert "three" not in str(given(page))


def test_ones_own_words_are_asked_for_once_in_a_page(show):
    page = show("prediction_view", question("b.grad?", 15.0), views=1)
    answer(page, "9")
    expect(page.locator(".mg-how")).to_have_count(1)
    show("prediction_view", question("a.grad?", 7.0))
    answer(page, "3", "a.grad?")
    check = "Not yet: too small. Check it with the smallest case you can do by hand, or press Hint."
    expect(said(page)).to_have_text(f"You said 3. {check}")
    expect(page.locator(".mg-how")).to_have_count(0)


def test_show_me_is_there_after_a_wrong_try_and_tells_all(show):
    page = show("prediction_view", question("b.grad?", 15.0, mistakes=BROKE_ADD, because="7 + 8"))
    show_me = page.get_by_role("button", name="Show me")
    expect(show_me).to_have_count(0)
    answer(page, "8")
    show_me.press("Enter")
    expect(said(page)).to_have_text("You said 8. The answer is: 15.Only via d.7 + 8")
    expect(said(page)).to_be_focused()
    expect(page.get_by_role("button")).to_be_disabled()


def test_an_answer_of_an_older_notebook_is_shown_as_it_was_settled_then(show):
    old = {"text": "8", "value": {"number": "8"}, "right": False, "mistake": "Only via d."}
    page = show("prediction_view", {**question("b.grad?", 15.0), "given": old})
    expect(said(page)).to_have_text("You said 8. The answer is: 15.Only via d.")


def test_in_a_poll_no_answer_is_right_or_wrong(show):
    asked = lesson.Prediction("Which?", ..., ["4", "15"], {}, 0.0, "Test it.")
    page = show("prediction_view", {"question": PredictionView(asked).question, "given": None})
    page.get_by_label("15").check()
    page.get_by_role("button", name="Lock in").click()
    expect(said(page)).to_have_text("You said 15. Nothing is right or wrong here.Test it.")
    expect(page.locator(".mg-not, .mg-right")).to_have_count(0)
    expect(page.get_by_label("4")).to_be_disabled()


def test_a_verdict_asks_for_the_rule_before_the_mistake_and_its_hint_waits_for_neither(show):
    made = lesson.Verdict("slope", BROKE_ADD[8], 2, ["Hint: Draw it."])
    page = show("verdict_view", {"verdict": VerdictView(made).verdict})
    expect(page.get_by_role("status")).to_have_text("slope: not yet.Hint: Draw it.")
    page.get_by_role("button", name=ADD).press("Enter")
    text = page.get_by_role("status")
    expect(text).to_have_text(f"The rule: {ADD}slope: Only via d.Hint: Draw it.")
    expect(text).to_be_focused()
    expect(page.get_by_role("button")).to_have_count(0)


def test_a_verdict_names_the_rule_that_is_meant_after_another_pick(show):
    made = lesson.Verdict("slope", BROKE_ADD[8], 1)
    page = show("verdict_view", {"verdict": VerdictView(made).verdict})
    page.get_by_role("button", name="A node passes its gradient on").press("Enter")
    text = page.get_by_role("status")
    expect(text).to_contain_text(f"Here it is another rule: {ADD}slope: Only via d.")
    expect(page.get_by_role("button")).to_have_count(0)


def test_a_verdict_that_tells_what_is_right_asks_nothing(show):
    made = lesson.Verdict("slope", BROKE_ADD[8], 3, ["It is 8, and should be 15."])
    page = show("verdict_view", {"verdict": VerdictView(made).verdict})
    expect(page.get_by_role("status")).to_have_text(
        "slope: Only via d.What is right?It is 8, and should be 15."
    )


# --- The stepper's engines -----------------------------------------------------------------------


def test_the_right_engine_is_the_default_and_has_no_banner(show):
    page = show("backward_stepper", stepper())
    expect(page.get_by_label("Engine", exact=True)).to_have_value("")
    expect(page.locator("[data-mg-engine]")).to_be_hidden()


def test_a_wrong_engine_is_named_all_the_time_and_its_number_has_the_right_one_beside_it(show):
    page = show("backward_stepper", stepper())
    page.get_by_label("Engine", exact=True).select_option("overwrite")
    banner = page.locator("[data-mg-engine]")
    page.get_by_label("Position").focus()
    for key in ("Home", *["ArrowRight"] * 6):
        page.keyboard.press(key)
        expect(banner).to_contain_text("This engine is wrong on purpose: it overwrites")
    expect(page.locator("[data-mg-status]")).to_contain_text("That is wrong: 15 is right.")
    expect(page.locator("[data-mg-truth=differs]")).to_contain_text("15")
    expect(page.locator("[data-mg-node][data-name=b] .mg-chip")).to_have_text("grad 7 ≠ 15")


def test_the_page_speaks_of_a_new_wrong_engine_in_its_words(a_new_engine, show):
    x = torch.tensor(2.0, requires_grad=True)
    page = show("backward_stepper", {"schedule": BackwardStepper(x**2 + x).schedule})
    page.get_by_label("Engine", exact=True).select_option("mean of all")
    expect(page.locator("[data-mg-engine]")).to_contain_text("it takes the mean of what arrives.")
    page.get_by_label("Position").focus()
    said = []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        said.append(page.locator("[data-mg-status]").inner_text())
    assert " that evens out at 2.5." in said[2]
    assert "x.grad becomes 2.5: 1 via " in said[3]
    assert ", of which the mean is kept. That is wrong: 5 is right." in said[3]
    expect(page.locator(".mg-card .mg-words", has_text="averaged with")).to_be_visible()


def test_what_was_in_grad_before_is_no_part_of_an_engines_mistake(show):
    page = show("backward_stepper", stepper(before=torch.tensor([100.0])))
    page.get_by_label("Engine", exact=True).select_option("overwrite")
    page.get_by_label("Position").focus()
    page.keyboard.press("End")
    expect(page.locator("[data-mg-status]")).to_contain_text("it becomes 107")
    expect(page.locator("[data-mg-status]")).to_contain_text("That is wrong: 115 is right.")
    expect(page.locator("[data-mg-node][data-name=b] .mg-chip")).to_have_text("grad 7 ≠ 15")


def test_switching_keeps_the_step_and_back_is_one_press(show):
    page = show("backward_stepper", stepper())
    page.get_by_label("Position").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.get_by_label("Engine", exact=True).select_option("local")
    expect(page.locator("[data-mg-status]")).to_contain_text("Step 4 of 6. Visit c = a + b")
    page.get_by_role("button", name="Back to the right engine").click()
    expect(page.locator("[data-mg-status]")).to_contain_text("At b that makes 15.")
    expect(page.locator("[data-mg-engine]")).to_be_hidden()
    expect(page.get_by_label("Engine", exact=True)).to_be_focused()


def test_numbers_are_not_asked_for_under_a_wrong_engine(show):
    page = show("backward_stepper", stepper())
    asks = page.get_by_label("Ask me first")
    asks.check()
    page.get_by_label("Engine", exact=True).select_option("first")
    expect(asks).to_be_disabled()
    expect(asks).not_to_be_checked()
    page.get_by_role("button", name="Back to the right engine").click()
    expect(asks).to_be_enabled()


# --- Accessibility -------------------------------------------------------------------------------


@pytest.mark.node
def test_axe_finds_nothing_in_questions_verdicts_and_wrong_engines(show, front_end):
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    values = {5: lesson.broke("record", "Values.")}
    asked = question("How many?", 3, choices=[3, 5], mistakes=values, because="Three.")
    locked = {"text": "5", "value": "5", "right": False, "mistake": "Values."}
    one = {"tries": [{"text": "5", "value": "5"}], "shown": False}
    tried = [one, {**one, "mistake": ""}, {**one, "ruled": True}]
    ruled = lesson.Verdict("slope", BROKE_ADD[8], 1)
    shown = [
        ("prediction_view", question("b.grad?", 15.0)),
        ("prediction_view", asked),
        ("prediction_view", {**asked, "given": locked}),
        *[("prediction_view", {**asked, "given": {**locked, **more}}) for more in tried],
        ("verdict_view", {"verdict": VerdictView(ruled).verdict}),
        *[
            ("verdict_view", {"verdict": {"state": state, "name": "Q1", "message": "no."}})
            for state in ("passed", "failed", "open")
        ],
        ("backward_stepper", stepper()),
    ]
    for kind, traits in shown:
        page = show(kind, traits)
        if kind == "backward_stepper":
            page.get_by_label("Engine", exact=True).select_option("overwrite")
        page.evaluate(axe)
        found = page.evaluate("async () => (await axe.run('#views')).violations")
        assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]
