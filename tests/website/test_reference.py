"""The reference: what it says of every public name, and that it is true."""

from __future__ import annotations

import doctest
import gc
import gzip
import html
import re
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from measured import measured_from_nothing  # noqa: F401

import minigrad_widgets
from minigrad import address, errors
from minigrad.tape import tape
from minigrad_widgets.session import session
from website.reference import build, counterparts, names
from website.reference.entries import Pages

NO_EXAMPLE = {
    "minigrad.datasets.Examples": "what digits() and others return, which have one",
    "minigrad.lesson.Broke": "what broke() returns, which has one",
    "minigrad.lesson.Prediction": "what predict() returns, which has one",
    "minigrad.lesson.Verdict": "what check() returns, which has one",
    "minigrad.tape.Difference": "what diff() returns, which has one",
    "minigrad.tape.Notices": "what notices() returns, which has one",
    "minigrad.tape.Run": "a part of a Difference",
    "minigrad.tape.Tape": "for those who write views",
    "minigrad.tape.Reader": "for those who write views",
    "minigrad.tape.PassRecord": "for those who write views",
    "minigrad.tape.behind": "for those who write views",
    "minigrad.tape.label_cells_by": "for those who write views",
    "minigrad.tape.rehearse": "for those who write views",
    "minigrad.utils.checkpoint.CheckpointError": "an error, which checkpoint() tells of",
    "minigrad_widgets.plots.alt": "a sentence for screen readers, which show() makes",
}

LINES = re.compile(r'/blob/[^/"]+/(?P<path>[^"#]+)#L(?P<first>\d+)-L(?P<last>\d+)"')

PAGES = Pages()
NAMES = {name.full: name for row in PAGES.rows for name in row}


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The folder of the reference alone, as the whole site has it."""
    out = tmp_path_factory.mktemp("reference")
    build.build(out)
    return out / build.FOLDER


def text_of(reference, name):
    return (reference / PAGES.files[name]).read_text(encoding="utf-8")


# -------------------------------------------------------------------------------------- names


def test_every_public_name_is_on_a_page(reference):
    for name in names.all_names():
        if not names.is_thing(name.value):
            space = (reference / f"{name.space}.html").read_text(encoding="utf-8")
            assert f'id="{name.short}"' in space, name
            continue
        assert name.full in NAMES
        assert (reference / PAGES.files[name.full]).is_file()


def test_the_names_that_pytorch_has_too_are_all_public():
    for space in names.SPACES:
        module = __import__(space, fromlist=["name"])
        listed = {name.short for name in names.names_of(space)}
        there = {n for n in names.pytorchs_names(space) if n in vars(module) and n[0] != "_"}
        assert there <= listed | {"annotations", "graph", "functional", "lr_scheduler"}, space


FIRST = sorted(row[0].full for row in PAGES.rows)
"""The names of all pages."""


def test_every_page_has_meaning_example_counterpart_and_source(reference):
    wrong = []
    for name in FIRST:
        before, _, facts = text_of(reference, name).partition('<dl class="facts">')
        counterpart = facts.partition("<dt>In PyTorch</dt>")[2].partition("</dd>")[0]
        has = {
            "meaning": "<p>" in before.partition("</pre>")[2],
            "example": ("&gt;&gt;&gt;" in before) != (name in NO_EXAMPLE),
            "counterpart": re.search(r"<code>torch\.[\w.]+</code>|nothing like it", counterpart),
            "source": LINES.search(facts.partition("<dt>Source</dt>")[2]),
        }
        wrong += [(name, part) for part, found in has.items() if not found]
    assert wrong == []


def test_every_link_to_the_source_leads_to_the_lines_of_a_definition(reference):
    wrong = []
    for name in FIRST:
        value = NAMES[name].value
        page, *members = re.split(r'<h3 id="', text_of(reference, name))
        shorts = [text.partition('"')[0] for text in members]
        parts = [(page, called(NAMES[name].short, value))]
        parts += [(text, called(n, getattr(value, n))) for text, n in zip(members, shorts)]
        wrong += [(name, words) for text, words in parts if not leads_to_definition(text, words)]
    assert wrong == []


def called(name, value):
    """The names under which a thing may be defined: ``clip_`` is ``clamp_``."""
    code = getattr(value, "__code__", None)
    return {name, getattr(value, "__name__", name), getattr(code, "co_name", name)}


def leads_to_definition(text, words):
    """Do the lines that this part of a page links to define one of these names?"""
    found = LINES.search(text)
    lines = Path(names.ROOT, found["path"]).read_text(encoding="utf-8").splitlines()
    shown = lines[int(found["first"]) - 1 : int(found["last"])]
    either = "|".join(map(re.escape, words))
    start = rf"\s*(?:def (?:{either})\(|class (?:{either})\b|(?:{either})(?:_of|: .+)? = )"
    return any(re.match(start, line) for line in shown)


ADDRESSES = {
    "torch.mul": "generated/torch.mul.html",
    "torch.nn.Parameter": "generated/torch.nn.parameter.Parameter.html",
    "torch.utils.data.DataLoader": "data.html#torch.utils.data.DataLoader",
    "torch.rsub": None,
    "torch.FloatTensor": None,
    "torch.autograd.graph.Node": None,
}


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_counterpart_has_a_link_where_its_address_is_certain(name):
    path = ADDRESSES[name]
    wanted = counterparts.DOCUMENTATION + path if path else None
    assert counterparts.address_of(name) == wanted


def test_a_page_tells_the_derivative_that_runs(reference):
    text = html.unescape(re.sub(r"<[^>]+>", "", text_of(reference, "minigrad.tanh")))
    assert "input gets g * (1 - out * out)" in text
    assert "other gets g" in re.sub(r"<[^>]+>", "", text_of(reference, "minigrad.add"))


def test_the_page_of_a_function_as_a_module_has_the_formula(reference):
    text = html.unescape(re.sub(r"<[^>]+>", "", text_of(reference, "minigrad.nn.ELU")))
    assert "input if positive, else alpha * (exp(input) - 1)." in text
    assert "Functions that are methods" not in text, "F.elu is no method of the module"


def test_another_name_of_a_thing_is_on_its_page(reference):
    assert PAGES.files["minigrad.multiply"] == PAGES.files["minigrad.mul"]
    assert "minigrad.multiply" in text_of(reference, "minigrad.mul")


def test_no_two_pages_have_names_that_a_file_system_may_take_for_one(reference):
    files = [file.name.lower() for file in reference.glob("*.html")]
    assert len(files) == len(set(files)) and "minigrad.tensor-class.html" in files


@pytest.mark.usefixtures("measured_from_nothing")
def test_the_examples_of_the_views_run():
    """Those of minigrad are run in tests/core, those of the plots beside their tests."""
    finder = doctest.DocTestFinder()
    said = []
    for name in minigrad_widgets.__all__:
        value = getattr(minigrad_widgets, name)
        (test, *_) = finder.find(value, name, globs={})
        assert test.examples, name
        doctest.DocTestRunner().run(test, out=said.append)
        for view in list(session.views):
            view.close()
        tape._namespaces.clear()
        gc.collect()  # the next one measures what is there
    assert not said, "".join(said)


# ------------------------------------------------------------------------- errors and tables


def test_every_code_that_is_raised_has_a_page_at_the_address_that_its_message_prints(reference):
    source = Path(errors.__file__).read_text(encoding="utf-8")
    raised = set(re.findall(r'\btold\(\s*"(MG\d+)"', source))
    assert raised == set(errors.pages())
    root = address.page_of(address.REPOSITORY) + f"{build.FOLDER}/"
    for code in raised:
        printed = address.address_of_error(code)
        assert printed.startswith(root)
        page = (reference / printed.removeprefix(root)).read_text(encoding="utf-8")
        assert f"<h1>{code}</h1>" in page


def test_the_page_of_an_error_says_what_explain_prints(reference, capsys):
    for code in errors.pages():
        errors.explain(code)
        said = capsys.readouterr().out.split("\n", 1)[1]
        page = (reference / f"{code}.html").read_text(encoding="utf-8")
        shown = html.unescape(re.sub(r"<[^>]+>", " ", page)).replace("torch.", "minigrad.")
        shown = "".join(shown.split())
        for paragraph in said.replace("torch.", "minigrad.").split("\n\n"):
            assert "".join(paragraph.split()) in shown, code


@pytest.mark.parametrize("name", ["coverage", "kinks"])
def test_a_table_has_every_row_of_its_file(reference, name):
    text = Path(names.ROOT, "docs", f"{name}.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE)
    page = (reference / f"{name}.html").read_text(encoding="utf-8")
    shown = html.unescape(re.sub(r"<[^>]+>", "", page))
    for row in rows:
        assert re.sub(r"\[(.*?)\]\(.*?\)|`", r"\1", row) in shown


def test_a_name_in_the_table_of_what_is_covered_leads_to_its_page(reference):
    page = (reference / "coverage.html").read_text(encoding="utf-8")
    assert '<a href="minigrad.nn.Linear.html"><code>Linear</code></a>' in page


# -------------------------------------------------------------------------------------- pages


def test_every_link_within_the_reference_leads_somewhere(reference):
    texts = {page.name: page.read_text(encoding="utf-8") for page in reference.glob("*.html")}
    broken = []
    for page, text in texts.items():
        for link in re.findall(r'(?:href|src)="([^"]*)"', text):
            path, part = urldefrag(unquote(html.unescape(link)))
            if path.startswith(("https://", "data:", "../")):
                continue
            path = path or page
            there = reference.joinpath(path).is_file()
            if not there or (part and f'id="{part}"' not in texts[path]):
                broken.append((page, link))
    assert broken == []


def test_nothing_that_a_page_loads_comes_from_another_machine(reference):
    for page in reference.glob("*.html"):
        loaded = re.findall(
            r'<(?:link|script|img)[^>]*(?:href|src)="([^"]*)"', page.read_text("utf-8")
        )
        assert not [one for one in loaded if "//" in one], page.name


def test_a_page_is_small(reference):
    for page in reference.glob("*.html"):
        size = len(gzip.compress(page.read_bytes()))
        assert size < (6_000 if page.name.count(".") > 2 else 20_000), (page.name, size)


def test_a_formula_in_a_docstring_is_drawn_without_javascript():
    assert "<math" in build.texts.as_html("The slope is $2x$.", lambda name: None)


ALL_KINDS = ["index", "minigrad.nn", "minigrad.mul", "minigrad.nn.Linear", "minigrad.Tensor-class"]
ALL_KINDS += ["MG104", "coverage", "kinks"]


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1100, 360])
@pytest.mark.parametrize("name", ALL_KINDS)
def test_axe_finds_nothing_in_the_reference(open_page, front_end, name, width, theme):
    options = {"color_scheme": theme, "viewport": {"width": width, "height": 800}}
    page = open_page(f"reference/{name}.html", **options)
    page.add_script_tag(path=str(front_end / "node_modules" / "axe-core" / "axe.min.js"))
    found = page.evaluate("async () => (await axe.run()).violations")
    assert [(one["id"], [node["html"][:100] for node in one["nodes"]]) for one in found] == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.browser
def test_no_page_of_the_reference_is_wider_than_a_phone(open_page, folder):
    page = open_page("reference/index.html", viewport={"width": 360, "height": 800})
    wide = []
    for file in sorted((folder / "reference").glob("*.html")):
        page.goto(page.url.rpartition("/")[0] + f"/{file.name}")
        if page.evaluate("() => document.documentElement.scrollWidth") > 360:
            wide.append(file.name)
    assert wide == []


@pytest.mark.browser
def test_a_name_is_found_with_keys_alone(open_page):
    page = open_page("reference/index.html")
    page.get_by_label("Find a name").fill("cross_ent")
    assert page.locator("#found").inner_text() == "2 names" or "cross_entropy" in (
        page.locator(".names li:visible").first.inner_text()
    )
    page.keyboard.press("Enter")
    page.wait_for_url("**/minigrad.nn.functional.*cross_entropy.html")


@pytest.mark.browser
def test_a_word_of_a_description_finds_it_too(open_page):
    page = open_page("reference/index.html?q=hyperbolic")
    shown = page.locator(".names li:visible").all_inner_texts()
    assert 1 < len(shown) < 20 and any("minigrad.tanh" in row for row in shown)


@pytest.mark.browser
def test_without_javascript_every_name_is_listed(open_page):
    page = open_page("reference/index.html", java_script_enabled=False)
    assert page.locator(".names li:visible").count() == len(NAMES)


@pytest.mark.browser
@pytest.mark.parametrize("path", ["index.html", "lessons/00_start_here.html"])
def test_the_other_pages_lead_to_the_reference(open_page, path):
    page = open_page(path)
    page.get_by_role("link", name="Reference", exact=True).click()
    page.wait_for_url("**/reference/index.html")
