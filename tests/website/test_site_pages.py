"""The site's pages: they read well without a kernel, and their views can be stepped and asked."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

import lab

pytestmark = pytest.mark.browser

LESSONS = [path.stem for path in sorted(lab.NOTEBOOKS.glob("*.ipynb"))]

THROUGH = """async () => {
    for (const folded of document.querySelectorAll('details')) folded.open = true;
    for (let y = 0; y < document.body.scrollHeight; y += 400) {
        scrollTo(0, y);
        await new Promise(requestAnimationFrame);
    }
}"""
"""Open all that is folded, and scroll to the end: a view is drawn when it is near."""

ALL_ALIVE = """() => [...document.querySelectorAll('[data-view]')].every(
    place => 'alive' in place.dataset && place.querySelector('.mg-root') !== null)"""


def axe(page, front_end):
    page.add_script_tag(path=str(front_end / "node_modules" / "axe-core" / "axe.min.js"))
    found = page.evaluate("async () => (await axe.run()).violations")
    return [(one["id"], [node["html"][:100] for node in one["nodes"]]) for one in found]


def compressed(*files):
    return sum(len(gzip.compress(Path(file).read_bytes())) for file in files)


@pytest.mark.parametrize("name", LESSONS)
def test_every_view_of_a_lesson_is_alive_without_a_kernel(open_page, name):
    page = open_page(f"lessons/{name}.html")
    page.evaluate(THROUGH)
    page.wait_for_function(ALL_ALIVE)
    text = page.locator("main").inner_text()
    for wrong in ("cannot be read", "Error displaying", "Traceback"):
        assert wrong not in text


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_reads_without_javascript(open_page, name):
    page = open_page(f"lessons/{name}.html", java_script_enabled=False)
    words = page.locator("main").inner_text().split()
    notebook = (lab.NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8")
    assert len(words) > 500 and page.locator("main pre").count() >= notebook.count('"code"')
    pictures = page.locator("main img").evaluate_all("all => all.map(one => one.alt)")
    assert pictures and all(pictures)


def test_what_answers_a_question_is_folded(open_page):
    page = open_page("lessons/02_backprop_one_step_at_a_time.html")
    folded = page.locator("details.folded")
    assert folded.count() > 5
    assert not folded.evaluate_all("all => all.some(one => one.open)")


def test_a_formula_is_drawn_by_the_browser_itself(open_page):
    page = open_page("lessons/02_backprop_one_step_at_a_time.html")
    assert page.locator("math").count() >= 4
    assert "$" not in page.locator("main p").all_inner_texts()


def test_an_answer_is_there_after_a_reload(open_page):
    page = open_page("lessons/00_start_here.html")
    question = page.locator("[data-mg-predict]").first
    page.evaluate(THROUGH)
    question.locator("label").first.click()
    question.get_by_role("button", name="Lock in").click()
    given = question.get_attribute("data-mg-predict")
    assert given != "open"
    page.reload()
    page.evaluate(THROUGH)
    page.wait_for_function(ALL_ALIVE)
    assert page.locator("[data-mg-predict]").first.get_attribute("data-mg-predict") == given


def test_the_front_page_is_stepped_with_keys_alone(open_page):
    page = open_page("index.html")
    page.wait_for_selector("[data-alive] .mg-stepper")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.textContent.startsWith('Step')"):
            break
    for _ in range(6):
        page.keyboard.press("Enter")
    assert "step 6 of 6" in page.locator(".mg-stepper").inner_text()
    assert page.locator(".mg-stepper").get_by_text("15").first.is_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1100, 360])
@pytest.mark.parametrize("path", ["index.html", "lessons/index.html", "lessons/00_start_here.html"])
def test_axe_finds_nothing_and_nothing_is_cut(open_page, front_end, path, width, theme):
    page = open_page(path, color_scheme=theme, viewport={"width": width, "height": 800})
    page.evaluate(THROUGH)
    page.wait_for_function(ALL_ALIVE)
    assert axe(page, front_end) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_the_front_page_weighs_less_than_100_kb(folder):
    views = folder / "views"
    files = [folder / name for name in ("index.html", "index.json", "site.css", "views.js")]
    files += [views / "minigrad.css", views / "backward_stepper.js"]
    assert compressed(*files) < 100_000


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_weighs_less_than_300_kb(folder, name):
    lesson = folder / "lessons" / name
    shown = lesson.with_suffix(".json")
    scripts = {view["module"] for view in json.loads(shown.read_text(encoding="utf-8"))}
    files = [folder / "views" / name for name in (*scripts, "minigrad.css")]
    files += [folder / "site.css", folder / "views.js", lesson.with_suffix(".html"), shown]
    assert compressed(*files) < 300_000


def test_every_link_within_the_site_leads_somewhere(folder):
    broken = []
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r'(?:href|src)="([^"]*)"', text):
            path, part = urldefrag(unquote(link.replace("&amp;", "&")))
            if "://" in path or path.startswith(("data:", "../live/", "live/")):
                continue
            there = page.parent / path if path else page
            if not there.is_file() or (part and f'id="{part}"' not in there.read_text("utf-8")):
                broken.append((page.name, link))
    assert broken == []
