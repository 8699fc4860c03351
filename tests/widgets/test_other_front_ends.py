"""The views where no JupyterLab is: in VS Code, in Colab, or in any page with a manager of its own.

These speak Jupyter's protocol with the kernel and draw widgets by themselves. They cannot be had
here. What they count on can: the messages of a real kernel, and that a view draws itself from them
in a page that holds nothing else.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
from pathlib import Path

import pytest
from kernels import kernel
from playwright.sync_api import expect

import minigrad_widgets

STATIC = Path(minigrad_widgets.__file__).with_name("static")
BUNDLES = sorted(STATIC.glob("*.js"))
VIEW = "application/vnd.jupyter.widget-view+json"

SETUP = """
import minigrad as torch
from minigrad import lesson, nn
from minigrad_widgets import BackwardStepper, GraphDiff, GraphView, TapePlayer, TrainingLoop, watch
"""
PROGRAMS = {
    "GraphView": "GraphView()",
    "a graph with NaN": "GraphView((torch.tensor(-1.0, requires_grad=True).log() / 0))",
    "watch": "watch(lambda a: a * a, a=2.0)",
    "BackwardStepper": "BackwardStepper(torch.tensor(2.0, requires_grad=True) * 3)",
    "GraphDiff": "GraphDiff(lambda a: a * 2 if a > 1 else a + 1, {'a': 0.5}, {'a': 1.5})",
    "TapePlayer": "TapePlayer(torch.tensor(2.0, requires_grad=True) * 3)",
    "TrainingLoop": "TrainingLoop(nn.Linear(1, 1))",
    "a prediction": "p = lesson.predict('How many?', 3)",
}


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    with kernel(tmp_path_factory.mktemp("kernel")) as running:
        running.run(SETUP)
        yield running


def of(kind, messages):
    return [message for message in messages if message["msg_type"] == kind]


def opened(messages):
    """The comm that opens one of our views, among the others."""
    found = [
        message
        for message in of("comm_open", messages)
        if message["content"]["data"]["state"]["_model_module"] == "anywidget"
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.processes
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_view_opens_and_is_displayed_as_the_protocol_of_widgets_says(cells, program):
    messages = cells.heard(program)
    view = opened(messages)
    content = view["content"]
    state = content["data"]["state"]
    assert content["target_name"] == "jupyter.widget"
    assert re.fullmatch(r"2\.\d+\.\d+", view["metadata"]["version"])
    assert content["data"]["buffer_paths"] == [] and list(view["buffers"]) == []
    major, minor = importlib.metadata.version("anywidget").split(".")[:2]
    ours = (f"~{major}.{minor}.*", "anywidget", "AnyModel", "AnyView")
    names = ("_model_module_version", "_view_module", "_model_name", "_view_name")
    assert tuple(state[name] for name in names) == ours
    assert state["_view_module_version"] == ours[0]
    json.dumps(state, allow_nan=False)  # what a page parses is JSON, in which NaN is a text
    # A manager makes a model when its comm opens: what it refers to must have been opened before.
    ids = [message["content"]["comm_id"] for message in of("comm_open", messages)]
    layout = state["layout"].removeprefix("IPY_MODEL_")
    assert ids.index(layout) < ids.index(content["comm_id"])
    shown = [m["content"]["data"] for m in messages if VIEW in m["content"].get("data", {})]
    version = [int(part) for part in view["metadata"]["version"].split(".")]
    expected = {"version_major": 2, "version_minor": version[1], "model_id": content["comm_id"]}
    assert [data[VIEW] for data in shown] == [expected]
    assert shown[0]["text/plain"]


@pytest.mark.processes
@pytest.mark.parametrize("name", ["GraphView", "BackwardStepper", "GraphDiff", "TapePlayer"])
def test_behind_a_view_stands_what_is_shown_where_no_widget_can_be(cells, name):
    messages = cells.heard(PROGRAMS[name])
    still = of("display_data", messages)[-1]["content"]["data"]
    assert VIEW not in still and still["text/plain"].strip()
    assert 'class="mg-still"' in still["text/html"] and "<script" not in still["text/html"]


def asked(cells, comm_id, data):
    """What the kernel answers to a message of the page."""
    client = cells.client
    message = client.session.msg("comm_msg", {"comm_id": comm_id, "data": data})
    client.shell_channel.send(message)
    every = []
    while True:
        heard = client.get_iopub_msg(timeout=60)
        if heard["parent_header"].get("msg_id") == message["header"]["msg_id"]:
            every.append(heard)
            if heard["content"].get("execution_state") == "idle":
                return [one["content"]["data"] for one in of("comm_msg", every)]


@pytest.mark.processes
def test_a_page_may_ask_for_the_state_write_a_trait_and_send_a_message(cells):
    view = opened(cells.heard(PROGRAMS["a graph with NaN"]))["content"]
    (update,) = asked(cells, view["comm_id"], {"method": "request_state"})
    assert (update["method"], update["buffer_paths"]) == ("update", [])
    assert update["state"]["graph"] == view["data"]["state"]["graph"]
    change = {"arrows": "next_functions"}
    data = {"method": "update", "state": change, "buffer_paths": []}
    answers = asked(cells, view["comm_id"], data)
    assert {"method": "echo_update", "state": change, "buffer_paths": []} in answers
    data = {"method": "custom", "content": {"type": "unheard of"}}
    assert asked(cells, view["comm_id"], data) == []


@pytest.mark.processes
def test_a_page_that_is_loaded_again_finds_the_views_that_live(cells):
    view = opened(cells.heard(PROGRAMS["BackwardStepper"]))["content"]
    client = cells.client
    question = client.comm_info("jupyter.widget")
    reply = client.get_shell_msg(timeout=60)
    while reply["parent_header"]["msg_id"] != question:
        reply = client.get_shell_msg(timeout=60)
    assert view["comm_id"] in reply["content"]["comms"]
    control = {"target_name": "jupyter.widget.control", "comm_id": "control", "data": {}}
    message = client.session.msg("comm_open", control)
    message["metadata"] = {"version": "1.0.0"}
    client.shell_channel.send(message)
    (states,) = asked(cells, "control", {"method": "request_states"})
    assert states["method"] == "update_states"
    assert states["states"][view["comm_id"]]["state"]["schedule"]["title"]


@pytest.mark.parametrize("file", BUNDLES, ids=lambda file: file.name)
def test_a_script_needs_no_other_file(file):
    """It is made from a text, without an address to which others could be relative."""
    text = file.read_text(encoding="utf-8")
    assert re.findall(r"\bimport\s*[({*\"']|\bimport\.meta|\bfrom\s*[\"']\.", text) == []
    assert not re.search(r"\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|importScripts", text)
    addresses = set(re.findall(r"https?://[^\s\"'`<>)]+", text))
    assert all(address.startswith("http://www.w3.org/") for address in addresses), addresses
    assert re.findall(r"\bexport\s*\{[^}]*\}", text)[-1].count("as default") == 1


def test_the_stylesheet_needs_no_other_file():
    text = (STATIC / "minigrad.css").read_text(encoding="utf-8")
    assert "@import" not in text and not re.search(r"url\((?![\"']?data:)", text)


MANAGER = """() => {
// As little as a manager can be: a model of the state that came, and an element for the view.
window.sent = [];
window.open_ = async ({state, comm_id}, element) => {
  const hears = {};
  const tell = (name, ...rest) => (hears[name] ?? []).forEach((hear) => hear(...rest));
  const url = URL.createObjectURL(new Blob([state._esm], {type: "text/javascript"}));
  const made = (await import(url)).default;
  const widget = typeof made === "function" ? await made() : made;
  const model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; tell("change:" + name); },
    on: (name, hear) => (hears[name] ??= []).push(hear),
    off: (name, hear) => { hears[name] = (hears[name] ?? []).filter((one) => one !== hear); },
    send: (content) => sent.push({comm_id, data: {method: "custom", content}}),
    save_changes: () => {},
  };
  window.hear = ({method, content, state: changed}) => {
    if (method === "custom") tell("msg:custom", content, []);
    for (const [name, value] of Object.entries(changed ?? {})) model.set(name, value);
  };
  await widget.initialize?.({model});
  const style = document.createElement("style");
  style.textContent = state._css;
  element.append(style);
  await widget.render({model, el: element});
};
}"""


@pytest.fixture
def bare(chrome):
    """A page with nothing in it, which may load nothing: as an output of VS Code or of Colab."""
    page = chrome.new_page(reduced_motion="reduce")
    wanted = []
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route("**/*", lambda route: (wanted.append(route.request.url), route.abort()))
    page.evaluate(MANAGER)
    yield page
    page.close()
    assert (wanted, errors) == ([], [])


@pytest.mark.processes
@pytest.mark.browser
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_a_view_draws_itself_in_a_page_that_holds_nothing_else(cells, bare, program):
    content = opened(cells.heard(program))["content"]
    given = {"state": content["data"]["state"], "comm_id": content["comm_id"]}
    bare.evaluate("(given) => open_(given, document.body)", given)
    text = bare.locator(".mg-root").inner_text()
    assert len(text) > 10 and "cannot be read" not in text


@pytest.mark.processes
@pytest.mark.browser
def test_a_graph_grows_there_and_a_page_that_missed_a_message_asks_for_all(cells, bare):
    content = opened(cells.heard("view = GraphView()\nview"))["content"]
    given = {"state": content["data"]["state"], "comm_id": content["comm_id"]}
    bare.evaluate("(given) => open_(given, document.body)", given)
    view = bare.locator(".mg-graph-view")
    assert "No operations yet" in view.inner_text()

    def forward(messages, *methods):
        for told in (message["content"] for message in of("comm_msg", messages)):
            if told["comm_id"] == content["comm_id"] and told["data"]["method"] in methods:
                bare.evaluate("(data) => hear(data)", told["data"])

    forward(cells.heard("a = torch.ones(2, requires_grad=True)\nb = a * 2"), "custom")
    expect(view).to_contain_text("added 1 operation: b.")
    cells.heard("c = b + 1")  # of which the page hears nothing
    latest = cells.heard("d = c * c")
    forward(latest, "custom")
    (question,) = bare.evaluate("sent.splice(0)")
    assert question["data"]["content"] == {"type": "resync"}
    forward(latest, "update")
    expect(view).to_contain_text("added 1 operation: d. 3 operations in all")
    cells.run("view.close()")


DARK = {
    "VS Code": "document.body.className = 'vscode-body vscode-dark'",
    "Colab": "document.documentElement.setAttribute('theme', 'dark')",
}
LIGHT = {
    "VS Code": "document.body.className = 'vscode-body vscode-light'",
    "Colab": "document.documentElement.setAttribute('theme', 'light')",
}


@pytest.mark.processes
@pytest.mark.browser
@pytest.mark.parametrize("place", DARK)
@pytest.mark.parametrize("program", ["BackwardStepper", "GraphDiff", "TrainingLoop"])
def test_the_theme_is_that_of_the_page_not_of_the_system(cells, bare, place, program):
    content = opened(cells.heard(PROGRAMS[program]))["content"]
    given = {"state": content["data"]["state"], "comm_id": content["comm_id"]}
    bare.evaluate("(given) => open_(given, document.body)", given)
    for theme, system, say in (("dark", "light", DARK), ("light", "dark", LIGHT)):
        bare.emulate_media(color_scheme=system)
        bare.evaluate(say[place])
        view = bare.locator(".mg-root").first
        paper = {"dark": "rgb(31, 33, 38)", "light": "rgb(255, 255, 255)"}[theme]
        expect(view).to_have_css("color-scheme", theme)
        expect(view).to_have_css("background-color", paper)


FRAME = "<iframe sandbox='allow-scripts allow-same-origin' width=600 height=400></iframe>"


@pytest.mark.processes
@pytest.mark.browser
@pytest.mark.parametrize("framed", [False, True], ids=["page", "frame"])
def test_where_each_output_stands_alone_there_is_no_pin(cells, bare, framed):
    content = opened(cells.heard(PROGRAMS["BackwardStepper"]))["content"]
    given = {"state": content["data"]["state"], "comm_id": content["comm_id"]}
    page = bare
    if framed:
        bare.set_content(FRAME)
        page = bare.frames[1]
        page.evaluate(MANAGER)
    page.evaluate("(given) => open_(given, document.body)", given)
    pin = page.locator(".mg-pin")
    pin.wait_for(state="hidden" if framed else "visible")
    page.get_by_text("Step ▸").click()
    assert "step 1 of" in page.locator(".mg-root").inner_text()
