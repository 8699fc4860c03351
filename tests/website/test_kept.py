"""Work in a live lesson is there after a reload, and after the lesson was improved."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect
from test_live import READY

from website import copies

pytestmark = [pytest.mark.browser, pytest.mark.index, pytest.mark.node]

LESSON = "00_start_here"
SHOWN = "() => window.jupyterapp?.shell.currentWidget?.context?.isReady"
SAVED = "() => !window.jupyterapp.shell.currentWidget.context.model.dirty"
SAVE = "() => window.jupyterapp.shell.currentWidget.context.save()"

RUN = """async (id) => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    notebook.activeCellIndex = notebook.widgets.findIndex(cell => cell.model.id === id);
    await window.jupyterapp.commands.execute('notebook:run-cell');
}"""

WRITE_DURING_A_SAVE = """async (words) => {
    const { content, context } = window.jupyterapp.shell.currentWidget;
    const begun = new Promise(begin => context.saveState.connect(
        (_, state) => state === 'started' && begin()));
    const saved = context.save();
    await begun;
    content.widgets[1].model.sharedModel.setSource(words);
    await saved;
}"""


class Live:
    """A lesson in JupyterLite: its page, and what a learner does in it."""

    def __init__(self, page, address):
        self.page = page
        self.line = page.get_by_role("region", name="About this lesson")
        page.goto(f"{address}live/lab/index.html?path={LESSON}.ipynb")
        self.wait_until_shown()

    def wait_until_shown(self):
        self.page.wait_for_function(SHOWN)

    def reload(self):
        self.page.wait_for_function(SAVED)  # by itself
        self.page.reload()
        self.wait_until_shown()

    def cell(self, number):
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell").nth(number)

    def write(self, words):
        self.cell(1).locator(".cm-content").click()
        self.page.keyboard.press("Control+End")
        self.page.keyboard.type(f"\n{words}")

    def start(self):
        for _ in range(1200):
            if self.page.evaluate(READY):
                return
            self.page.wait_for_timeout(250)
        raise TimeoutError("the kernel did not become ready")

    def press(self, name):
        self.line.get_by_role("button", name=name).click()


@pytest.fixture
def live(chrome, live_address):
    """A lesson, opened by somebody who was never here; nothing is asked of other machines."""
    context = chrome.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(300_000)
    page = context.new_page()
    outside, wrong = [], []
    own = (live_address, "data:", "blob:")
    page.on("request", lambda sent: sent.url.startswith(own) or outside.append(sent.url))
    page.on(
        "pageerror", lambda error: "minigrad-kept" in (error.stack or "") and wrong.append(error)
    )
    page.on("dialog", lambda dialog: dialog.accept())
    yield Live(page, live_address)
    context.close()
    assert outside == []
    assert wrong == []


@pytest.fixture
def improve(live_folder, tmp_path):
    """Change the lesson on the site; afterwards, it is what it was."""
    lesson = live_folder / "live" / "files" / f"{LESSON}.ipynb"
    versions = live_folder / "live" / "lessons.json"
    before = [shutil.copy2(file, tmp_path) for file in (lesson, versions)]

    def improve(words):
        notebook = json.loads(lesson.read_text(encoding="utf-8"))
        notebook["cells"][0]["source"] = f"# Start here\n\n{words}"
        lesson.write_text(json.dumps(notebook), encoding="utf-8")
        versions.write_text(json.dumps(copies.record(lesson.parent)), encoding="utf-8")

    yield improve
    for file, there in zip(before, (lesson, versions)):
        shutil.copy2(file, there)


def test_after_a_reload_changes_answers_and_views_are_there_and_nothing_has_to_run(live):
    live.write("# mine")
    live.start()
    live.page.evaluate(RUN, "imports")
    for cell in ("which-way", "after-backward", "read"):
        live.page.evaluate(RUN, cell)
    asked = live.page.locator("[data-mg-predict]")
    expect(asked).to_have_count(2)
    for number in range(2):
        live.reload()  # the answer is given in a view that has no kernel
        live.page.evaluate(SAVE)  # before the views are back
        expect(asked).to_have_count(2)
        expect(live.cell(1)).to_contain_text("# mine")
        if number:
            expect(asked.first).not_to_have_attribute("data-mg-predict", "open")
        else:
            asked.first.locator("label").first.click()
            asked.first.get_by_role("button", name="Lock in").click()
    said = "element => getComputedStyle(element, '::before').content"
    views = live.page.locator(".jupyter-widgets-disconnected")
    expect(views).to_have_count(3)
    before = [view.evaluate(said) for view in views.all()]
    assert before[:2] == ["none", "none"] and before[2].startswith('"As you left it.')
    assert "Loading widget" not in live.page.locator("body").inner_text()


def test_what_is_written_while_an_earlier_change_is_saved_is_saved_as_well(live):
    live.page.evaluate(WRITE_DURING_A_SAVE, "# mine")
    live.reload()
    expect(live.cell(1)).to_contain_text("# mine")


def test_who_keeps_his_copy_is_asked_again_only_when_the_lesson_has_changed_again(live, improve):
    live.write("# mine")
    live.page.wait_for_function(SAVED)
    improve("A better beginning.")
    live.reload()
    expect(live.line).to_contain_text(
        "has been improved since you began. What changed: “Start here”"
    )
    live.press("Keep mine")
    expect(live.line).to_have_count(0)
    live.reload()
    live.page.wait_for_load_state("networkidle")
    expect(live.line).to_have_count(0)
    expect(live.cell(1)).to_contain_text("# mine")
    improve("A still better beginning.")
    live.reload()
    expect(live.line).to_contain_text("has been improved")


def test_who_takes_the_new_one_has_his_own_beside_it_and_can_download_it(live, improve):
    live.write("# mine")
    live.page.wait_for_function(SAVED)
    improve("A better beginning.")
    live.reload()
    with live.page.expect_download() as downloaded:
        live.press("Download mine")
    assert downloaded.value.suggested_filename == f"{LESSON}.ipynb"
    saved = json.loads(Path(downloaded.value.path()).read_text(encoding="utf-8"))
    assert "# mine" in "".join(saved["cells"][1]["source"])
    expect(live.line).to_contain_text("Yours was downloaded.")
    live.press("Take the new one")
    expect(live.line).to_contain_text("Yours is kept beside it")
    expect(live.cell(0)).to_contain_text("A better beginning.")
    expect(live.cell(1)).not_to_contain_text("# mine")
    live.reload()
    live.page.wait_for_load_state("networkidle")
    expect(live.line).to_have_count(0)
    expect(live.cell(0)).to_contain_text("A better beginning.")
    live.page.get_by_text(f"{LESSON}-mine-").dblclick()
    expect(live.cell(1)).to_contain_text("# mine")


def test_a_copy_in_which_nothing_was_changed_is_replaced_without_a_word(live, improve):
    live.page.evaluate(SAVE)
    improve("A better beginning.")
    live.reload()
    expect(live.cell(0)).to_contain_text("A better beginning.")
    expect(live.line).to_have_count(0)


def test_the_line_is_accessible_and_fits_on_a_phone(live, improve, front_end):
    live.write("# mine")
    live.page.wait_for_function(SAVED)
    improve("A better beginning.")
    live.page.set_viewport_size({"width": 360, "height": 740})
    live.reload()
    expect(live.line).to_be_visible()
    live.page.add_script_tag(path=str(front_end / "node_modules" / "axe-core" / "axe.min.js"))
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        change = "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
        live.page.evaluate(change, theme)
        live.page.wait_for_function(f"() => document.body.dataset.jpThemeName === '{theme}'")
        found = live.page.evaluate("async () => (await axe.run('.mg-newer')).violations")
        assert [one["id"] for one in found] == []
    for button in live.line.get_by_role("button").all():
        box = button.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    live.line.get_by_role("button").first.focus()
    live.page.keyboard.press("Enter")
    expect(live.line).to_have_count(0)
