"""The code beside the graph: the lines that made the nodes, and the one that is at work."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect
from programs import folded, published, taxi, traits

import minigrad as torch
from minigrad.tape import tape
from minigrad_widgets import BackwardStepper, source_block


def texts(view):
    return [[line["text"] for line in block["lines"]] for block in view.schedule["source"]]


TAXI = [
    "def taxi(rate):",
    "    ride = rate * 3",
    "    fare = ride + 4",
    "    error = fare - 13",
    "    return error**2",
]


# --- the kernel ------------------------------------------------------------------------------


def test_the_function_that_made_the_graph_comes_with_its_schedule():
    view = BackwardStepper(taxi, rate=2.0)
    assert texts(view) == [TAXI]
    numbers = [line["number"] for line in view.schedule["source"][0]["lines"]]
    made = [n["line"] for n in view.schedule["nodes"] if n["kind"] == "op"]
    assert made == numbers[1:]
    assert {n["file"] for n in view.schedule["nodes"] if n["kind"] == "op"} == {"programs.py"}


def test_a_function_that_calls_another_has_both():
    def twice(a):
        b = a * 2
        return taxi(b)

    first, second = texts(BackwardStepper(twice, a=1.0))
    assert first == ["def twice(a):", "    b = a * 2", "    return taxi(b)"] and second == TAXI


def test_of_a_watched_program_the_lines_are_known_and_of_another_they_are_not():
    reader = tape.watch()
    try:
        x = torch.tensor(2.0, requires_grad=True)
        loss = taxi(x)
        assert texts(BackwardStepper(loss)) == [TAXI]
    finally:
        tape.release(reader)
    assert texts(BackwardStepper(taxi(x))) == []


def test_of_a_long_function_only_what_made_nodes_is_shown_with_two_lines_around(tmp_path):
    filler = "\n".join(f"    x{i} = {i}" for i in range(60))
    file = tmp_path / "long.py"
    file.write_text(f"def long(a):\n    b = a * 2\n{filler}\n    return b + 1\n", encoding="utf-8")
    names = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
    (block,) = BackwardStepper(names["long"], a=1.0).schedule["source"]
    assert [line["number"] for line in block["lines"]] == [1, 2, 3, 4, 61, 62, 63]


def test_what_is_sent_has_bounds(tmp_path):
    calls = "".join(
        f"def f{i}(a):\n    b = a + {i}  # {'x' * 300}\n    return b\n\n" for i in range(80)
    )
    chain = "a"
    for i in range(80):
        chain = f"f{i}({chain})"
    file = tmp_path / "many.py"
    file.write_text(f"{calls}def many(a):\n    return {chain}\n", encoding="utf-8")
    names = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
    blocks = BackwardStepper(names["many"], a=1.0).schedule["source"]
    lines = [line["text"] for block in blocks for line in block["lines"]]
    assert len(lines) == source_block.MOST
    assert max(map(len, lines)) == source_block.WIDEST


def test_a_function_without_source_has_no_code():
    names = {}
    exec("def hidden(a):\n    return a * 2", names)
    view = BackwardStepper(names["hidden"], a=1.0)
    assert view.schedule["source"] == [] and view.schedule["mode"] == "rehearsed"
    json.dumps(view.schedule, allow_nan=False)


# --- the page --------------------------------------------------------------------------------


@pytest.mark.browser
def test_the_line_of_the_current_node_is_marked_by_an_arrow_and_for_a_screen_reader(show):
    page = show("backward_stepper", traits(BackwardStepper(taxi, rate=2.0), offline=True))
    page.get_by_role("group", name="Graph, scrollable").focus()
    marked = page.locator(".mg-source li[aria-current=step]")
    expect(marked).to_have_count(0)
    for line in ("return error**2", "return error**2", "error = fare - 13", "fare = ride + 4"):
        page.keyboard.press("ArrowRight")
        expect(marked).to_have_count(1)
        expect(marked).to_contain_text(line)
        expect(marked).to_contain_text("▸")
    page.keyboard.press("End")  # a leaf: no line made it
    expect(marked).to_have_count(0)


@pytest.mark.browser
def test_the_summary_names_the_line_also_while_the_code_is_folded_away(show):
    page = show("backward_stepper", traits(BackwardStepper(taxi, rate=2.0)))
    page.locator(".mg-source summary").click()
    expect(page.locator(".mg-source ol")).to_be_hidden()
    page.get_by_role("button", name="Step", exact=True).click()
    line = BackwardStepper(taxi, rate=2.0).schedule["nodes"][-1]["line"]
    expect(page.locator(".mg-source summary")).to_contain_text(f"programs.py, line {line}")


@pytest.mark.browser
def test_a_line_leads_to_its_visit_and_in_a_nudge_to_its_change(show):
    page = show("backward_stepper", traits(BackwardStepper(taxi, rate=2.0)))
    line = page.locator(".mg-code-line", has_text="fare = ride + 4")
    line.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-mg-status]")).to_contain_text("Visit fare = ride + 4")
    page.get_by_role("button", name="Nudge").click()
    line.click()
    expect(page.locator("[data-mg-nudge]")).to_contain_text("fare = ride + 4 goes from 10 to 10.03")


@pytest.mark.browser
def test_a_line_that_ran_several_times_leads_to_one_visit_after_the_other(show):
    page = show("backward_stepper", traits(BackwardStepper(folded, a=1.0, n=3)))
    line = page.locator(".mg-code-line", has_text="a = a * a")
    for number in (2, 3, 4, 2):
        line.click()
        expect(page.locator("[data-mg-status]")).to_contain_text(f"Step {number} of")


STANDS_BESIDE = """beside => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const [graph, code] = [box(".mg-canvas"), box(".mg-source")];
  return code.top < graph.bottom === beside && code.left >= graph.right === beside;
}"""


@pytest.mark.browser
def test_the_code_stands_beside_the_graph_and_below_it_in_a_narrow_page(show):
    page = show("backward_stepper", traits(BackwardStepper(published, a=2.0, b=6.0)))
    for width, beside in ((1000, True), (600, False)):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(STANDS_BESIDE, arg=beside)


@pytest.mark.browser
@pytest.mark.parametrize("width", [1300, 1000, 600])
def test_nothing_jumps_above_the_card_while_the_pass_is_stepped(show, width):
    page = show("backward_stepper", traits(BackwardStepper(taxi, rate=2.0)))
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_role("group", name="Graph, scrollable").focus()
    tops = set()
    for _ in range(7):
        tops.add(round(page.get_by_role("region", name="This step").bounding_box()["y"]))
        page.keyboard.press("ArrowRight")
    assert len(tops) == 1


@pytest.mark.browser
def test_without_known_lines_there_is_no_code(show):
    x = torch.tensor(2.0, requires_grad=True)
    page = show("backward_stepper", traits(BackwardStepper(x * x)))
    expect(page.locator(".mg-source")).to_be_hidden()
