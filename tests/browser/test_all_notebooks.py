"""Every notebook in a real JupyterLab: all cells run, and every widget is used.

``open_notebook`` fails on any console error and on any request to the outside.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))

RUN_ALL = """() => Promise.race([
    window.jupyterapp.commands.execute('notebook:run-all-cells'),
    new Promise((_, fail) => setTimeout(fail, 300_000, new Error('cells ran for five minutes'))),
])"""

UNFOLD = "() => window.jupyterapp.commands.execute('notebook:show-all-cell-outputs')"

RED = """() => [...document.querySelectorAll(
    '[data-mime-type="application/vnd.jupyter.error"], ' +
    '[data-mime-type="application/vnd.jupyter.stderr"]')].map(output => output.innerText)"""

# Answer each question with the first choice, or with 1.
ANSWER = """() => [...document.querySelectorAll('[data-mg-predict="open"]')].map(frame => {
    const input = frame.querySelector('input');
    if (input.type === 'radio') input.checked = true;
    else input.value = '1';
    frame.querySelector('button[type=submit]').click();
    return frame.dataset.mgPredict;
})"""

# Press every button, take every option, open every node. What saves a file is left alone.
USE = """async root => {
    const rest = () => new Promise(done => setTimeout(done, 10));
    let used = 0;
    const change = (field, value) => {
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));
        used += 1;
    };
    const free = field => !field.disabled && field.isConnected && field.offsetParent !== null;
    for (const select of root.querySelectorAll('select')) {
        const before = select.value;
        for (const option of [...select.options].filter(option => !option.disabled)) {
            change(select, option.value);
            await rest();
        }
        change(select, before);
    }
    for (const range of root.querySelectorAll('input[type=range]')) {
        for (const value of [range.max, range.min]) {
            change(range, value);
            await rest();
        }
    }
    for (const button of [...root.querySelectorAll('button')].slice(0, 40)) {
        const name = button.getAttribute('aria-label') ?? button.textContent;
        const saves = button.closest('.mg-save') || /svg|png|html|save/i.test(name);
        if (saves || !free(button)) continue;
        button.click();
        used += 1;
        await rest();
    }
    for (const node of [...root.querySelectorAll('[data-mg-node]')].slice(0, 12)) {
        node.dispatchEvent(new MouseEvent('click', { bubbles: true }));
        used += 1;
        await rest();
        const target = document.activeElement ?? root;
        target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    }
    return used;
}"""


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_stored_picture_has_a_text_before_anything_has_run(open_notebook, name):
    notebook = open_notebook(name)
    notebook.page.evaluate(UNFOLD)
    images = notebook.page.locator(".jp-OutputArea-output img")
    images.first.wait_for()
    texts = images.evaluate_all("all => all.map(one => one.complete && one.alt)")
    assert texts and all(texts)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_answers_are_folded_until_every_cell_runs_and_every_widget_can_be_used(open_notebook, name):
    page = open_notebook(name).page
    folded = page.locator(".jp-OutputPlaceholder")
    folded.first.wait_for()
    said = {text.strip() for text in folded.all_inner_texts()}
    assert said == {"The answer comes below. Guess first, then run this cell."}
    page.evaluate(RUN_ALL)
    folded.first.wait_for(state="detached")
    assert folded.count() == 0
    assert page.evaluate(RED) == []
    page.wait_for_selector("[data-mg-predict='open']")
    answered = page.evaluate(ANSWER)
    assert answered and set(answered) <= {"right", "wrong", "noted"}
    frames = page.locator(".jp-OutputArea .mg-root:not([data-mg-predict])").all()
    for frame in frames:
        used = frame.evaluate(USE)
        assert used or frame.locator("button, select").count() == 0
    page.evaluate(RUN_ALL)  # once more: nothing depends on a fresh kernel
    assert page.evaluate(RED) == []
