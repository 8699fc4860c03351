"""The keys that lead out of a view: Escape, Enter with Shift, Ctrl or Alt, and Ctrl + S."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad import lesson
from minigrad_widgets import GraphView, PredictionView

pytestmark = pytest.mark.browser

# A notebook's cells, as JupyterLab has them: the view stands in the first one.
CELLS = """() => {
    const views = document.querySelector('#views');
    const next = document.createElement('div');
    views.after(next);
    window.pressed = [];
    for (const [name, cell] of [['this', views], ['next', next]]) {
        cell.classList.add('jp-Cell');
        cell.tabIndex = -1;
        cell.addEventListener('keydown', event => {
            if (event.target === cell)
                window.pressed.push([name, event.shiftKey ? 'Shift' : '', event.key]);
        });
    }
}"""


def question(show):
    asked = PredictionView(lesson.Prediction("b.grad?", 15.0, None, {}, 1e-3, ""))
    page = show("prediction_view", {"question": json.loads(json.dumps(asked.question))})
    page.evaluate(CELLS)
    return page


def graph(show):
    with GraphView() as view:
        a = torch.tensor(2.0, requires_grad=True)
        b = a * 3  # noqa: F841
    found = {"graph": view.graph}
    view.close()
    page = show("graph_view", found)
    page.evaluate(CELLS)
    return page


def focused(page, selector):
    return page.evaluate("selector => document.activeElement.matches(selector)", selector)


@pytest.mark.parametrize(
    ("keys", "pressed"),
    [
        ("Shift+Enter", ["next", "Shift", "Enter"]),
        ("Control+Enter", ["this", "", "Enter"]),
        ("Alt+Enter", ["this", "", "Enter"]),
    ],
)
def test_keys_that_run_a_cell_reach_it_and_answer_nothing(show, keys, pressed):
    page = question(show)
    page.get_by_role("textbox").fill("15")
    page.keyboard.press(keys)
    assert page.evaluate("() => window.pressed") == [pressed]
    expect(page.locator("[data-mg-predict=open]")).to_have_count(1)


def test_the_key_that_saves_the_notebook_is_not_the_views(show):
    page = question(show)
    field = page.get_by_role("textbox")
    field.fill("8")
    page.evaluate("""() => document.addEventListener('keydown', event => {
        window.free = event.target.closest('[data-lm-suppress-shortcuts]') === null;
        event.preventDefault();
    }, true)""")
    for keys, free in (("x", False), ("Control+s", True), ("Meta+s", True), ("s", False)):
        field.press(keys)
        assert page.evaluate("() => window.free") == free, keys


def test_escape_goes_to_the_cell_from_a_question_and_from_its_verdict(show):
    page = question(show)
    field = page.get_by_label("b.grad?")
    field.fill("8")
    page.keyboard.press("Escape")
    assert focused(page, "#views")
    field.focus()
    page.keyboard.press("Enter")
    expect(field).to_be_focused()  # to try again
    page.get_by_role("button", name="Show me").press("Enter")
    expect(page.locator(".mg-said")).to_be_focused()
    page.keyboard.press("Escape")
    assert focused(page, "#views")


def test_escape_closes_what_is_open_before_it_leaves(show):
    page = graph(show)
    node = page.locator("[data-name=b]")
    node.focus()
    page.keyboard.press("Enter")
    page.locator("summary", has_text="Save").click()
    page.keyboard.press("Escape")
    expect(page.locator(".mg-save[open]")).to_have_count(0)
    expect(page.locator(".mg-details")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".mg-details")).to_have_count(0)
    expect(node).to_be_focused()
    page.keyboard.press("Escape")
    assert focused(page, "#views")


def test_other_keys_stay_in_the_view_and_outside_a_notebook_so_do_these(show):
    page = graph(show)
    page.locator("[data-name=b]").focus()
    page.keyboard.press("x")
    page.keyboard.press("Enter")
    assert page.evaluate("() => window.pressed") == []
    own = "() => document.activeElement.hasAttribute('data-lm-suppress-shortcuts')"
    assert page.evaluate(own)
    page.evaluate("() => document.querySelector('#views').classList.remove('jp-Cell')")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert focused(page, "[data-name=b]")
