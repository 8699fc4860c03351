"""Names and texts that hold what no message can: the views show them, written out."""

from __future__ import annotations

import contextlib
import json
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad import lesson, nn
from minigrad.tape import diff, graph_text, tape
from minigrad.tape.values import visible
from minigrad_widgets import (
    BackwardStepper,
    GraphDiff,
    GraphView,
    PredictionView,
    TapePlayer,
    TrainingLoop,
    VerdictView,
    watch,
)
from minigrad_widgets.page_view import for_page
from minigrad_widgets.pictures import Picture

HOSTILE = {
    "half": "\ud800",
    "other half": "x\udfff",
    "null": "a\0b",
    "escape": "\x1b[31mred",
    "right to left": "\u202eevil",
    "no character": "\uffff",
    "script": "<script>window.hacked=1</script>",
    "image": "<img src=x onerror=window.hacked=1>",
    "end": "]]>--></style></script>",
    "mathematics": "$\\frac{1}{2}$",
    "code": "`a` **b**",
    "long": "n" * 5000,
    "lines": "a\nb",
}


@pytest.fixture(params=HOSTILE.values(), ids=HOSTILE)
def text(request):
    return request.param


def graph_view(text):
    view = GraphView()
    space = {text: torch.tensor([2.0, 3.0], requires_grad=True), 7: "no name"}
    source = "b = globals()[name] * 2\nc = b + globals()[name]"
    exec(
        compile(source, "<{}>".format(text.replace("\0", "")), "exec"),
        {"name": text, **space},
        space,
    )
    view._keep = space
    view.cell_ends(text)
    return view


def stepper(text):
    space = {"Stepper": BackwardStepper, text: torch.tensor([2.0, 3.0], requires_grad=True), 7: 7}
    exec("made = Stepper((globals()[name] ** 2).sum())", space | {"name": text}, space)
    return space["made"]


def function_view(text):
    def f(**values):
        print(text)
        if values[text] > 0 and text.startswith("a"):
            raise ValueError(text)
        return values[text] * 2

    return watch(f, **{text: 2.0})


def answer_view(text):
    return watch(lambda a: text, a=1.0)


def diff_view(text):
    return GraphDiff(lambda **values: values[text] * 2, {text: 2.0}, {text: 3.0})


def prediction(text):
    asked = lesson.Prediction(f"{text}?", text, [text, "b"], {"b": text}, 0.0, text)
    return PredictionView(asked)


def verdict(text):
    return VerdictView(lesson.Verdict(text, text))


def training(text):
    class Net(nn.Module):
        def forward(self, x):
            return self._modules[text](x)

    net = Net()
    net._modules[text] = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    with TrainingLoop(net, optimizer) as loop:
        net(torch.ones(1, 1)).sum().backward()
    loop.asked = {"line": "step", "problem": text, "question": None, "curves": []}
    return loop


def recording(text):
    """With the text as the name of a file, as a value, and as what is raised."""
    space = {"torch": torch, "player": TapePlayer(), "given": text}
    source = (
        "w = torch.ones((), requires_grad=True)\nwith player:\n  said = given\n  (w * 2).backward()"
    )
    name = "<{}>".format(text.replace("\0", ""))
    with contextlib.suppress(KeyError):
        exec(compile(f"{source}\n  raise KeyError(given)", name, "exec"), space)
    return space["player"]


VIEWS = (
    graph_view,
    stepper,
    function_view,
    answer_view,
    diff_view,
    prediction,
    verdict,
    training,
    recording,
)


@pytest.fixture(params=VIEWS, ids=lambda make: make.__name__)
def make(request):
    return request.param


def can_be_sent(data):
    json.dumps(data, allow_nan=False, ensure_ascii=False).encode()


def test_what_a_view_sends_and_prints_can_be_encoded(make, text):
    view = make(text)
    try:
        sent = []
        view._send = lambda message, buffers=None: sent.append(message)
        view.send({"type": "cell", "cell": text, "nodes": [(text, {text: 1})]})
        view.send_state()
        assert len(sent) == 2
        for data in (*sent, view.get_state(), view._repr_mimebundle_()):
            can_be_sent(data)
        can_be_sent([repr(view), str(view)])
    finally:
        view.close()


def test_a_hostile_global_does_not_stop_what_a_view_sends_later(text):
    view = GraphView()
    sent = []
    view._send = lambda message, buffers=None: sent.append(message)
    try:
        space = {text: torch.tensor([2.0], requires_grad=True), "torch": torch}
        exec("b = globals()[name] * 2", space | {"name": text}, space)
        for _ in range(2):
            view.cell_ends("In [1]")
            exec("c = b + 1", space, space)
        assert sum(message["method"] == "update" for message in sent) >= 2
        can_be_sent(sent)
    finally:
        view.close()


def test_graphs_and_differences_as_text_can_be_printed(text):
    a = torch.tensor(2.0, requires_grad=True)
    said = graph_text(tape, a * 2, {text: a, 7: a})
    said += str(diff(lambda **values: values[text] * 2, {text: 2.0}, {text: 3.0}))
    can_be_sent(said)
    assert text[:10] in said or visible(text) in said


def test_only_what_is_hidden_is_written_out():
    assert visible("größer\tals\n0 – ∂L/∂w 😀") == "größer\tals\n0 – ∂L/∂w 😀"
    assert visible("\ud800 \0 \x1b \u202e \uffff") == r"\ud800 \x00 \x1b \u202e \uffff"
    plain = {"a": ["b", 1.5, None, {"c": "\\ud800 \\b"}]}
    assert for_page(plain) == plain
    assert for_page({"\ud800": ("\b", 1)}) == {r"\ud800": [r"\x08", 1]}


def test_the_text_of_a_picture_can_be_encoded(text):
    figure = pytest.importorskip("matplotlib.figure").Figure(figsize=(1, 1))
    picture = Picture(figure, text)
    can_be_sent([repr(picture), picture._repr_png_()[1], picture._repr_html_()])


# --- In the page ---------------------------------------------------------------------------------

PAGES = {
    "graph_view": graph_view,
    "backward_stepper": stepper,
    "graph_diff": diff_view,
    "prediction_view": prediction,
    "verdict_view": verdict,
    "training_loop": training,
    "tape_player": recording,
}


class Elements(HTMLParser):
    """Counts the elements of a page."""

    def __init__(self, text):
        super().__init__()
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"


@pytest.mark.browser
@pytest.mark.parametrize("kind", PAGES)
def test_every_view_shows_such_texts_as_text(kind, show, tmp_path):
    for text in map(HOSTILE.get, ("half", "escape", "script", "image", "mathematics", "long")):
        view = PAGES[kind](text)
        state = {n: v for n, v in view.get_state().items() if not isinstance(v, bytes)}
        view.close()
        page = show(kind, state)
        expect(page.locator(".mg-root").first).to_be_visible()
        assert page.locator("#views :is(img, script)").count() == 0
        assert page.evaluate("() => window.hacked") is None


@pytest.mark.browser
@pytest.mark.parametrize("name", ["half", "escape", "end", "long"])
def test_such_a_graph_can_be_saved_in_every_form(name, show, chrome, tmp_path):
    view = graph_view(HOSTILE[name])
    state = view.get_state()
    view.close()
    page = show("graph_view", state)
    page.locator("summary", has_text="Save").click()
    kept = {}
    for kind in ("SVG", "PNG", "one HTML file"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save as {kind}").click()
        kept[kind] = download.value.path().read_bytes()
    ElementTree.fromstring(kept["SVG"].decode())  # it is an XML file
    assert kept["PNG"].startswith(b"\x89PNG")
    html = kept["one HTML file"].decode()
    assert Elements(html).scripts == 1
    place = tmp_path / "graph.html"
    place.write_text(html, encoding="utf-8")
    alone = chrome.new_page()
    alone.goto(place.as_uri())
    expect(alone.locator("[data-mg-node]").first).to_be_visible()
    assert alone.evaluate("() => window.hacked") is None
    alone.close()
