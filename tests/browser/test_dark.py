"""Every view in JupyterLab's dark theme: readable, and without a complaint from axe."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.node]

CELLS = {
    "graph_view": """
import minigrad as torch
from minigrad import lesson
from minigrad_widgets import BackwardStepper, GraphDiff, GraphView, watch
with GraphView() as view:
    a, b = (torch.tensor([v], requires_grad=True) for v in (2.0, 6.0))
    c = a + b
    d = torch.tanh(b) + torch.tensor([1.0])
    e = c * d
    e.backward(retain_graph=True)
view""",
    "backward_stepper": "BackwardStepper(e)",
    "graph_diff": """
def f(a):
    while a < 4:
        a = a * 2
    return a
GraphDiff(f, {"a": 1.9}, {"a": 2.1}, ask=False)""",
    "watch": "watch(lambda a, b: (a + b) * b, a=2.0, b=6.0)",
    "prediction": "lesson.predict('b.grad?', 15.0, mistakes={8: 'Only via d.'})",
    "choices": "lesson.predict('How many?', 3, choices=[3, 5, 8])",
    "passed": "lesson.faces.current(lesson.Verdict('slope', ''));",
    "failed": "lesson.faces.current(lesson.Verdict('slope', '`slope(f, 2.0)` gave 7, not 12.'));",
    "open": "lesson.faces.current(lesson.Verdict('slope', None));",
}

# The contrast of each text in a picture with the box under it; axe looks at HTML only.
CONTRASTS = """root => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const light = (colour, ground) => {
        canvas.fillStyle = ground;
        canvas.fillRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(part => {
            const x = part / 255;
            return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const fill = element => getComputedStyle(element).fill;
    return [...root.querySelectorAll('.mg-svg text')].map(text => {
        const boxes = [...text.parentElement.children].filter(
            one => one.localName === 'rect' && one.compareDocumentPosition(text) & 4);
        const badge = boxes.find(one => one.matches('.mg-badge'));
        const box = text.matches('.mg-symbol') && badge ? badge : boxes.find(one => one !== badge);
        const paper = getComputedStyle(root.querySelector('.mg-canvas')).backgroundColor;
        const ground = box && fill(box) !== 'none' ? fill(box) : paper;
        const both = [light(fill(text), ground), light(ground, paper)];
        const [dark, bright] = both.sort((a, b) => a - b);
        return [(bright + 0.05) / (dark + 0.05), text.textContent];
    });
}"""

LIGHTNESS = """root => {
    const [r, g, b] = getComputedStyle(root).backgroundColor.match(/\\d+/g).map(Number);
    return (r + g + b) / 3;
}"""


def test_every_view_is_dark_readable_and_accessible(open_notebook, front_end, screenshot):
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    notebook = open_notebook(dark=True)
    page = notebook.page
    page.evaluate(axe)
    for name, source in CELLS.items():
        cell = notebook.append(source)
        notebook.run(cell)
        view = notebook.cell(cell).locator(".mg-root")
        expect(view).to_be_visible()
        if name == "graph_view":
            view.locator("[data-mg-node]").last.click()
        for _ in range(4 if name == "backward_stepper" else 0):
            view.get_by_role("button", name="Step", exact=True).click()
        if name == "prediction":
            view.get_by_role("textbox").fill("8")
            page.keyboard.press("Enter")
        assert view.evaluate(LIGHTNESS) < 60
        found = view.evaluate("async root => (await axe.run(root)).violations")
        assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found], name
        faint = [pair for pair in view.evaluate(CONTRASTS) if pair[0] < 4.5]
        assert not faint, name
        screenshot(view, f"dark_{name}")
