"""The programs of ``nineteen.py`` in Chromium: shown truly, and so that one can read it.

With ``MINIGRAD_SCREENSHOTS=1`` in the environment, each picture is also written to
``tests/browser/screenshots/nineteen/``, to be looked at.
"""

from __future__ import annotations

import json
import linecache
import os
import re
from pathlib import Path

import pytest
from nineteen import HEAD, PROGRAMS, PUBLISHED
from playwright.sync_api import expect

from minigrad_widgets import BackwardStepper, GraphView

pytestmark = pytest.mark.browser

HERE = Path(__file__).parent
SCREENSHOTS = HERE.parent / "browser" / "screenshots" / "nineteen"
UNREADABLE = (HERE / "unreadable.js").read_text(encoding="utf-8").partition("\n() =>")
UNREADABLE = f"() =>{UNREADABLE[2].rstrip().rstrip(';')}"
IN_LIGHT = pytest.mark.parametrize("show", ["light"], indirect=True)
IN_DARK = pytest.mark.parametrize("show", ["dark"], indirect=True)


def run(view, name, cells):
    """Run cells one after the other, as a notebook does; return their variables."""
    space = {}
    for number, source in enumerate(cells):
        source = HEAD + source if number == 0 else source
        file = f"{name.replace(' ', '_')}_{number + 1}.py"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        label = f"In [{number + 1}]"
        view.cell_begins(label)
        try:
            exec(compile(source, file, "exec"), space)
        except RuntimeError as error:
            assert name == "failed", error
            view.cell_failed(error)
        view.cell_ends(label)
    return space


def traits(view):
    """What the page gets of a view."""
    names = [name for name in ("graph", "schedule", "run") if hasattr(view, name)]
    return json.loads(json.dumps({name: getattr(view, name) for name in names}, allow_nan=False))


def shot(page, name):
    if os.environ.get("MINIGRAD_SCREENSHOTS"):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.evaluate("() => mg.painted()")
        page.screenshot(path=str(SCREENSHOTS / f"{name}.png"), full_page=True)


def picture(page):
    """Each node of the picture, inputs first: its kind, its title, its place and its marks."""
    page.evaluate("() => mg.painted()")
    return page.evaluate(
        """() => [...document.querySelectorAll("[data-mg-node]")].map((node) => {
          const label = node.getAttribute("aria-label");
          const tags = node.querySelectorAll(".mg-mark text, .mg-first-tag text");
          const marks = [...tags].map((tag) => tag.textContent);
          const title = node.dataset.name ?? label.split(/, (?![^(]*\\))/)[0];
          const { x } = node.getBoundingClientRect();
          return { kind: node.dataset.kind, label, title, marks, x };
        })"""
    )


def operations(nodes):
    return sum(node["kind"] == "op" for node in nodes)


def places(nodes, titles):
    """How far to the right the nodes stand whose titles begin so, one made after the other."""
    rest = iter(nodes)
    return [next(n["x"] for n in rest if n["title"].startswith(title)) for title in titles]


@pytest.fixture
def opened(show):
    """Run a program under an open view, and show the page what a reader gets who opens it then."""

    def of(name, **size):
        view = GraphView()
        space = run(view, name, PROGRAMS[name].cells)
        page = show("graph_view", {"graph": None})
        page.set_viewport_size({"width": 1280, "height": 900, **size})
        page.evaluate("([kind, traits]) => mg.show(kind, traits)", ["graph_view", traits(view)])
        return page, space

    return of


# ------------------------------------------------------------------------- each of the programs


@IN_LIGHT
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_no_lesson_prepared_is_shown(opened, name):
    program = PROGRAMS[name]
    page, _ = opened(name)
    shot(page, name)
    expect(page.locator("[data-mg-status]")).to_have_text(program.status)
    nodes = picture(page)
    leaves = [node["title"] for node in nodes if node["kind"] in ("leaf", "data")]
    assert " ".join(leaves) == program.names
    assert tuple(node["label"] for node in nodes if node["kind"] == "box") == program.boxes
    found = places(nodes, filter(None, program.order.split("|")))
    assert found == sorted(found)
    for part in filter(None, program.marks.split("; ")):
        word, _, names = part.partition(": ")
        assert " ".join(node["title"] for node in nodes if word in node["marks"]) == names
    if not program.marks:
        assert {word for node in nodes for word in node["marks"]} <= {"shared"}
    assert page.evaluate(UNREADABLE) == []

    if page.get_by_role("button", name="Unfold all boxes").count():
        page.get_by_role("button", name="Unfold all boxes").click()
    nodes = picture(page)
    assert operations(nodes) == program.operations
    if name == "long":  # as many as are drawn at once
        expect(page.get_by_text("more operations are not drawn")).to_be_visible()
    else:
        assert page.evaluate(UNREADABLE) == []


@IN_LIGHT
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_program_of_pytorch_is_shown(show, name):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    programs = pytest.importorskip("torch_programs", reason="PyTorch is not installed")
    program = getattr(programs, name)()
    model = program.model
    with GraphView() as view:
        loss = program.loss()
    assert isinstance(loss, torch.Tensor)
    page = show("graph_view", traits(view))
    page.set_viewport_size({"width": 1280, "height": 900})
    shot(page, f"pytorch {name}")
    assert page.evaluate(UNREADABLE) == []
    if page.get_by_role("button", name="Unfold all boxes").count():
        page.get_by_role("button", name="Unfold all boxes").click()
    nodes = picture(page)
    made = sum(node["kind"] == "op" for node in view.graph["nodes"])
    assert operations(nodes) == made
    expect(page.locator("[data-mg-status]")).to_contain_text(f"{made} operations")
    names = {node["title"] for node in nodes if node["kind"] == "leaf"}
    assert names == {name for name, _ in model.named_parameters()}
    assert page.evaluate(UNREADABLE) == []


# ------------------------------------------------------------------------- what is in the nodes


@IN_LIGHT
def test_the_digits_of_lenet_are_images_and_so_are_its_channels(opened):
    page, _ = opened("lenet")
    page.locator("[data-name=images]").click()
    panel = page.get_by_label("Details of images")
    panel.get_by_role("button", name="Picture").click()
    expect(panel.locator("canvas, [role=img]").first).to_be_visible()
    expect(panel).to_contain_text("sample")
    shot(page, "lenet images")
    page.get_by_role("img", name="convolution(x, conv2.weight").click()
    expect(page.locator(".mg-details")).to_contain_text("channel")


@IN_LIGHT
def test_the_attention_of_the_transformer_is_a_heat_map_of_each_head(opened):
    page, _ = opened("transformer")
    expect(page.get_by_role("button", name="First infinity")).to_be_hidden()
    page.get_by_role("button", name="Unfold all boxes").click()
    page.locator("[data-op=softmax]").first.click()
    panel = page.locator(".mg-details")
    head = panel.get_by_role("spinbutton", name="dim 1, of 2").first
    head.fill("1")
    panel.get_by_role("button", name="Picture").first.click()
    expect(panel).to_contain_text("least to largest")
    shot(page, "transformer attention")


@IN_LIGHT
def test_the_first_nan_is_found_by_one_key_and_its_input_was_finite(opened):
    page, _ = opened("nan")
    page.locator("[data-name=loss]").focus()
    page.keyboard.press("n")
    expect(page.locator(".mg-flaw-text")).to_contain_text("The first NaN is in sqrt(distance)")
    expect(page.locator(".mg-flaw-text")).to_contain_text("distance was finite.")
    expect(page.get_by_role("img", name="sqrt(distance), operation")).to_be_focused()


@IN_LIGHT
def test_where_a_value_was_cut_and_why_it_failed_is_said_in_the_details(opened):
    page, _ = opened("cuts")
    page.locator("[data-name=target]").click()
    said = "made from the value that .detach() took out of score in line 10"
    expect(page.get_by_label("Details of target")).to_contain_text(said)
    page.locator("[data-name=score]").click()
    for text in ("detached in line 10", "no_grad", ".item() in line 13"):
        expect(page.get_by_label("Details of score")).to_contain_text(text)
    page, _ = opened("failed")
    page.locator("[data-kind=failed]").click()
    expect(page.locator(".mg-details")).to_contain_text("cannot be multiplied (5x8 and 6x3)")


@IN_LIGHT
def test_a_shared_weight_is_called_by_both_of_its_paths(opened):
    page, space = opened("shared")
    leaf = page.locator("[data-name='embed.weight']")
    expect(leaf).to_contain_text("also out.weight")
    expect(leaf).to_have_attribute("aria-label", re.compile("^embed.weight, also out.weight, leaf"))
    leaf.click()
    said = "out.weight. It is one tensor, so its .grad is the sum of what comes back from all"
    expect(page.get_by_label("Details of embed.weight")).to_contain_text(said)
    shot(page, "shared details")
    page.get_by_role("button", name="Table").click()
    expect(page.get_by_role("rowheader").first).to_contain_text("also out.weight")
    stepper = BackwardStepper(space["loss"])
    steps = stepper.schedule["steps"]
    at = [step["kind"] == "land" and step["text"] == "embed.weight" for step in steps].index(True)
    page.evaluate(
        "([kind, traits]) => mg.show(kind, traits)", ["backward_stepper", traits(stepper)]
    )
    page.get_by_role("slider").fill(str(at + 1))
    words = "embed.weight, also out.weight: one tensor, with one .grad."
    expect(page.get_by_text(words)).to_be_visible()
    shot(page, "shared landing")


@IN_LIGHT
def test_fifty_views_show_the_same_and_close_one_by_one(show):
    views = [GraphView() for _ in range(50)]
    for view in views[1:]:
        view._made_at = view  # each of a cell of its own
    last = views[-1]
    space = run(last, "fifty", PROGRAMS["fifty"].cells)
    for view in views:
        view.cell_ends("In [1]")
    pictures = {json.dumps(view.graph["nodes"]) for view in views if view.graph["nodes"]}
    assert len(pictures) == 1 and space["y"].item() == 5
    page = show("graph_view", traits(last), views=50)
    expect(page.locator("[data-name=y]")).to_have_count(50)
    assert page.locator("[data-mg-node]").count() == 150


# ------------------------------------------------------------------------- in the other views


@IN_LIGHT
@pytest.mark.parametrize(
    ("name", "visits"), [("mlp", 4), ("lenet", 11), ("transformer", 69), ("shared", 6)]
)
def test_a_backward_pass_is_stepped_through_to_its_end(opened, name, visits):
    page, space = opened(name)
    stepper = BackwardStepper(space["loss"])
    steps = stepper.schedule["steps"]
    assert sum(step["kind"] == "visit" for step in steps) == visits
    landed = {step["text"] for step in steps if step["kind"] == "land"}
    model = space.get("model") or space["net"]
    assert landed == {name for name, _ in model.named_parameters()}
    page.evaluate(
        "([kind, traits]) => mg.show(kind, traits)", ["backward_stepper", traits(stepper)]
    )
    assert page.evaluate(UNREADABLE) == []
    page.get_by_role("slider").focus()
    page.keyboard.press("End")
    expect(page.locator("[data-mg-status]")).to_contain_text(f"Step {len(steps)} of {len(steps)}")
    shot(page, f"{name} stepper")


# ------------------------------------------------------------------------- for every reader


@IN_DARK
@pytest.mark.parametrize("name", ["transformer", "trees"])
def test_by_keys_alone_in_the_dark_and_600_pixels_wide_a_nested_graph_opens_and_closes(
    opened, name, front_end
):
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page, _ = opened(name, width=600)
    shot(page, f"{name} dark")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    box = page.locator("[data-kind=box]").first
    label = box.get_attribute("aria-label")
    while "box" not in (page.evaluate("() => document.activeElement.dataset.kind") or ""):
        inside = page.evaluate("() => document.activeElement.dataset.mgNode") is not None
        page.keyboard.press("ArrowRight" if inside else "Tab")
    page.keyboard.press("+")
    page.evaluate("() => mg.painted()")
    assert label not in [node["label"] for node in picture(page)]
    page.evaluate(axe)
    found = page.evaluate("() => axe.run(document.body).then(r => r.violations.map(v => v.id))")
    assert found == []
    shot(page, f"{name} dark, opened")
    page.keyboard.press("-")
    page.evaluate("() => mg.painted()")
    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == label


@IN_LIGHT
def test_the_names_of_a_hostile_program_are_data(show):
    hostile = "<img src=x onerror=hacked=1>"
    source = f"""
model = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
model[0].register_parameter({hostile!r}, nn.Parameter(torch.ones(2)))
model.__class__ = type({hostile!r}, (nn.Sequential,), {{}})
globals()[{hostile!r}] = model(torch.ones(1, 2)) * getattr(model[0], {hostile!r})
loss = globals()[{hostile!r}].sum()
"""
    view = GraphView()
    run(view, hostile, (source,))
    page = show("graph_view", traits(view))
    page.get_by_role("button", name="Fold into boxes").click()
    page.locator("[data-kind=box]").first.press("+")
    assert hostile in " ".join(node["label"] for node in picture(page))
    assert page.evaluate("() => window.hacked") is None and page.locator("img").count() == 0
