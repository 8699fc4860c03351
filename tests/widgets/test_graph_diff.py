"""GraphDiff: what is sent to the page, and the view itself in a real Chromium."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad_widgets import GraphDiff

W, B = (torch.tensor(0.5, requires_grad=True) for _ in "wb")
READINGS, TARGETS = torch.arange(5.0), torch.arange(5.0) * 2


def branchy(a):
    x = a
    while x < 10:
        x = x * 2
        x = x + 1
    return x * 3 + 2 if x > 11 else x * 4  # one line: a way of an if is asked for by line


def stairs(a):
    x = a
    while x < 10:
        x = x * 2
        x = x + 1
    if x > 11:
        y = x * 3
    else:
        y = x**2 - 1
    return y


def halves(a, n):
    for _ in range(n):
        a = a * 0.5
    return a


def view():
    return GraphDiff(stairs, {"a": 1.9}, {"a": 1.2})


def stretched():
    """The same operations, on a column of five and on a square of 25."""

    def errors(in_a_row):
        wanted = TARGETS if in_a_row > 0 else TARGETS.reshape(5, 1)
        return ((READINGS.reshape(5, 1) * W - wanted) ** 2).mean()

    return GraphDiff(errors, {"in_a_row": 0}, {"in_a_row": 1})


def traits(made):
    return {"difference": json.loads(json.dumps(made.difference, allow_nan=False)), "given": None}


# --- What is sent --------------------------------------------------------------------------------


def test_it_reads_as_one_line_and_prints_as_a_table():
    made = view()
    assert repr(made) == "GraphDiff(a = 1.9 | a = 1.2)"
    assert str(made).startswith("6 operations against 7; the branch at line ")


def test_the_first_question_is_what_stays_the_same_and_no_mistake_tells_the_answer():
    asked = view().difference["questions"][0]
    assert "the same operation on the same line" in asked["question"]
    assert asked["answer"]["value"] == {"number": "4"}
    assert {mistake["text"] for mistake in asked["mistakes"]} == {"0", "6"}
    assert not any("4" in mistake["why"] for mistake in asked["mistakes"])


def test_the_principle_says_what_both_graphs_have_in_common_or_why_they_differ():
    assert view().difference["principle"].startswith("A graph holds what ran")
    alike = GraphDiff(stairs, {"a": 1.9}, {"a": 1.95}).difference
    assert alike["principle"].startswith("Both runs passed the same lines")


def test_the_principle_speaks_of_shapes_where_they_differ():
    numbers = GraphDiff(stairs, {"a": 1.9}, {"a": 1.95})
    assert "other numbers alone" in numbers.difference["principle"]
    assert "nor other shapes alone" in stretched().difference["principle"]


def test_the_second_question_is_how_many_more_and_knows_the_usual_slip():
    asked = view().difference["questions"][1]
    assert asked["answer"]["value"] == {"number": "1"}
    assert [mistake["text"] for mistake in asked["mistakes"]] == ["7"]


def test_fewer_operations_are_a_negative_answer_and_a_missing_minus_is_named():
    asked = GraphDiff(stairs, {"a": 1.2}, {"a": 1.9}).difference["questions"][1]
    assert asked["answer"]["text"] == "-1"
    assert asked["mistakes"][0] == {
        "text": "1",
        "value": {"number": "1"},
        "why": "So many fewer: that is a negative number.",
        "rule": None,
    }


def test_the_last_question_offers_the_ways_of_the_branch():
    asked = view().difference["questions"][2]
    assert "`if x > 11:`" in asked["question"]
    assert [choice.split(": ")[1] for choice in asked["choices"]] == ["y = x * 3", "y = x**2 - 1"]
    assert asked["answer"]["text"].endswith("y = x * 3")


def test_a_branch_is_asked_about_also_where_both_go_the_same_way():
    asked = GraphDiff(stairs, {"a": 1.2}, {"a": 1.2}).difference["questions"][2]
    assert asked["because"] == "It goes the same way as the left run."


def test_without_a_branch_there_are_two_questions_and_none_if_none_is_wanted():
    loop = GraphDiff(halves, {"a": 1.0, "n": 3}, {"a": 1.0, "n": 4})
    assert len(loop.difference["questions"]) == 2
    assert GraphDiff(stairs, {"a": 1.9}, {"a": 1.2}, ask=False).difference["questions"] == []


def test_a_conditional_expression_has_no_ways_to_tell_apart_by_line():
    assert len(GraphDiff(branchy, {"a": 1.9}, {"a": 1.2}).difference["questions"]) == 2


def test_two_results_are_called_by_their_variables():
    one = stairs(torch.tensor(1.9, requires_grad=True))
    other = stairs(torch.tensor(1.2, requires_grad=True))
    assert repr(GraphDiff(one, other)) == "GraphDiff(one | other)"


def test_thousands_of_operations_are_sent_in_less_than_a_megabyte():
    made = GraphDiff(halves, {"a": 1.0, "n": 4000}, {"a": 1.0, "n": 4001})
    assert len(json.dumps(made.difference)) < 1_000_000
    counts = [1 if row["skipped"] == 0 else row["skipped"] for row in made.difference["rows"]]
    assert sum(counts) == 4002


# --- The page ------------------------------------------------------------------------------------


@pytest.mark.browser
def changing(step):
    y = W * READINGS + B if step >= 50 else W * READINGS
    return ((y - TARGETS) ** 2).mean()


def test_a_long_formula_is_cut_in_the_words_of_its_line():
    made = GraphDiff(changing, {"step": 49.0}, {"step": 50.0}, ask=False)
    last = made.difference["rows"][-2:]
    assert [[row[side]["formula"] for side in ("left", "right")] for row in last] == [
        ["(W * READINGS - TARGETS) ** 2", "(… + B - TARGETS) ** 2"],
        ["mean((… - TARGETS) ** 2)", "mean((… + B - TARGETS) ** 2)"],
    ]


@pytest.mark.parametrize("width", [1000, 480])
def test_the_heading_of_a_run_has_its_numbers(show, width):
    made = GraphDiff(changing, {"step": 49.0}, {"step": 50.0}, ask=False)
    page = show("graph_diff", traits(made))
    page.set_viewport_size({"width": width, "height": 800})
    for text in ("step = 49.0", "left, 4 operations", "step = 50.0", "right, 5 operations"):
        expect(page.locator(".mg-svg text", has_text=text)).to_have_count(1)


def test_the_right_run_and_the_principle_are_hidden_until_all_answers_are_locked_in(show):
    page = show("graph_diff", traits(view()))
    right = page.locator("[data-side=right]")
    expect(page.locator("[data-side=left]")).to_have_count(7)
    expect(right).to_have_count(0)
    assert "49.8" not in page.locator("#views").inner_html()
    expect(page.locator(".mg-principle")).to_be_hidden()
    page.get_by_role("textbox").fill("4")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Right: 4.")).to_be_visible()
    expect(right).to_have_count(0)
    page.get_by_role("textbox").fill("7")
    page.keyboard.press("Enter")
    expect(page.get_by_text("asked is how many more")).to_be_visible()
    expect(page.get_by_role("radio")).to_have_count(0)  # it may be tried again
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Right: 1.")).to_be_visible()
    expect(page.get_by_role("radio").first).to_be_focused()
    expect(right).to_have_count(0)
    page.get_by_label("y = x * 3").check()
    page.get_by_role("button", name="Lock in").click()
    expect(right).to_have_count(8)
    expect(page.locator(".mg-principle")).to_contain_text("A graph holds what ran")
    expect(page.locator("[data-mg-status]")).to_contain_text("6 operations against 7; the branch")


@pytest.mark.browser
def test_an_open_question_may_be_given_up_and_an_older_answer_is_settled(show):
    page = show("graph_diff", traits(view()))
    page.get_by_role("textbox").fill("7")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Show me").press("Enter")
    expect(page.get_by_text("You said 7. The answer is: 4.")).to_be_visible()
    expect(page.get_by_role("textbox", name="How many more")).to_be_focused()
    old = {"text": "7", "value": {"number": "7"}, "right": False, "mistake": ""}
    page = show("graph_diff", {**traits(view()), "given": [old, None, None]})
    expect(page.get_by_text("You said 7. The answer is: 4.")).to_be_visible()
    expect(page.locator("[data-side=right]")).to_have_count(8)


def test_to_show_without_answering_also_settles_what_is_open(show):
    page = show("graph_diff", traits(view()))
    page.get_by_role("textbox").fill("7")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Show without answering").click()
    expect(page.get_by_text("You said 7. The answer is: 4.")).to_be_visible()
    expect(page.locator("[data-side=right]")).to_have_count(8)


def test_what_differs_says_so_in_words_and_by_shape(show):
    page = show("graph_diff", {**traits(view()), "given": [None] * 3})
    for kind, count, words in (("left", 2, "only left"), ("right", 3, "only right")):
        rows = page.locator(f"[data-mg-row={kind}]")
        expect(rows).to_have_count(count)
        expect(rows.first).to_contain_text(words)
        expect(rows.first.locator("path.mg-box")).to_have_count(1)  # pointed, not a rectangle
    expect(page.locator("[data-mg-row=value]").first).to_contain_text("other value")


@pytest.mark.browser
def test_another_shape_is_said_in_the_picture_and_in_the_table_and_fits_its_pill(show):
    page = show("graph_diff", {**traits(stretched()), "given": [None] * 3})
    pill = page.locator(".mg-diff-sign", has_text="other shape").first
    expect(pill).to_have_text("≠ other shape")
    expect(page.locator(".mg-diff-sign", has_text="other value")).to_have_count(1)  # the mean
    text, rim = (pill.locator(part).bounding_box() for part in ("text", "rect"))
    assert text["x"] - rim["x"] > 6
    page.get_by_role("button", name="Table").click()
    expect(page.locator(".mg-compared", has_text="other shape").first).to_be_visible()


@pytest.mark.browser
def test_the_table_has_the_rows_of_the_picture(show):
    page = show("graph_diff", {**traits(view()), "given": [None] * 3})
    page.get_by_role("button", name="Table").click()
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(10)
    expect(rows.last).to_contain_text("only right")
    expect(rows.last).to_contain_text("49.8")
    expect(page.get_by_role("button", name="Picture")).to_be_focused()


def forked(a):
    left = a * 2
    right = a + 1
    return left * right


@pytest.mark.browser
def test_the_arrow_keys_follow_the_edges_choose_at_forks_and_go_to_the_other_run(show):
    made = GraphDiff(forked, {"a": 1.0}, {"a": 2.0}, ask=False)
    page = show("graph_diff", traits(made))
    a, left, right, product = (page.locator("[data-side=left]").nth(i) for i in range(4))
    a.focus()
    path = page.locator(".mg-path")
    for key, node, text in (
        ("ArrowDown", left, "Path 1 of 2: a goes into left. → takes path 2: right."),
        ("ArrowRight", right, "Path 2 of 2: a goes into right. → takes path 1: left."),
        ("ArrowDown", product, ""),
        ("ArrowRight", page.locator("[data-side=right]").nth(3), ""),
        ("ArrowLeft", product, ""),
    ):
        page.keyboard.press(key)
        expect(node).to_be_focused()
        expect(path).to_have_text(text)
    expect(page.locator(".mg-node[tabindex='0']")).to_have_count(1)


@pytest.mark.browser
def test_the_column_of_line_numbers_has_a_heading(show):
    page = show("graph_diff", {**traits(view()), "given": [None] * 3})
    expect(page.locator("[data-mg-lines]")).to_have_text("line")


@pytest.mark.browser
def test_equal_operations_are_folded_and_a_fold_opens_by_keyboard(show):
    made = GraphDiff(halves, {"a": 2.0, "n": 40}, {"a": 2.0, "n": 41}, ask=False)
    page = show("graph_diff", traits(made))
    fold = page.get_by_role("button", name="37 equal operations")
    before = page.locator("[data-mg-row]").count()
    fold.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-mg-row]")).to_have_count(before + 37)
    expect(fold).to_have_attribute("aria-expanded", "true")
    expect(fold).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-mg-row]")).to_have_count(before)


@pytest.mark.browser
def test_a_narrow_page_shows_both_columns_without_scrolling_sideways(show):
    page = show("graph_diff", {**traits(view()), "given": [None] * 3})
    page.set_viewport_size({"width": 480, "height": 800})
    expect(page.locator(".mg-diff-sign").first).to_have_text("≠")
    room = page.locator(".mg-canvas").evaluate("box => box.clientWidth + 1 - box.scrollWidth")
    assert room >= 0


@pytest.mark.browser
@pytest.mark.parametrize(
    "difference", [{}, None, {"version": 9}, {"version": 1, "rows": [{"kind": "left"}]}]
)
def test_damaged_or_newer_data_is_a_sentence(show, difference):
    page = show("graph_diff", {"difference": difference, "given": None})
    expect(page.get_by_role("status")).to_contain_text("This comparison")


@pytest.mark.browser
def test_names_and_sources_are_text(show):
    data = traits(view())
    hostile = "<img src=x onerror=window.hacked=1>"
    data["difference"]["function"] = data["difference"]["summary"] = hostile
    data["difference"]["left"]["title"] = hostile
    for row in data["difference"]["rows"]:
        for side in ("left", "right"):
            if row[side]:
                row[side].update(names=[hostile], formula=hostile, source=hostile)
    page = show("graph_diff", {**data, "given": [None] * 3})
    page.get_by_role("button", name="Table").click()
    assert page.locator("#views img").count() == 0
    assert page.evaluate("() => window.hacked") is None


@pytest.mark.node
@pytest.mark.browser
def test_axe_finds_nothing_asking_shown_or_as_a_table(show, front_end):
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    long = GraphDiff(halves, {"a": 2.0, "n": 40}, {"a": 2.0, "n": 41}, ask=False)
    shown = {**traits(view()), "given": [None] * 3}
    for data, tabular in (
        (traits(view()), False),
        (shown, False),
        (shown, True),
        (traits(long), False),
    ):
        page = show("graph_diff", data)
        if tabular:
            page.get_by_role("button", name="Table").click()
        page.evaluate(axe)
        found = page.evaluate("async () => (await axe.run('#views')).violations")
        assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]


@pytest.mark.browser
def test_the_word_of_an_operation_stands_within_its_badge(show):
    layer, rows = torch.nn.Linear(4, 4), torch.nn.Embedding(5, 4)

    def read(letters):
        h = rows(torch.tensor([letters]))
        for _ in range(letters):
            h = torch.tanh(layer(h))
        return h.sum()

    made = GraphDiff(read, {"letters": 1}, {"letters": 2}, ask=False)
    page = show("graph_diff", traits(made))
    words = page.locator(".mg-symbol")
    expect(words.first).to_be_visible()
    badges = page.locator(".mg-node .mg-badge")
    assert {"embed", "@+"} <= set(words.all_text_contents())
    for word, badge in zip(words.all(), badges.all(), strict=True):
        inner, outer = word.bounding_box(), badge.bounding_box()
        assert outer["x"] <= inner["x"] and inner["width"] <= outer["width"], word.text_content()
