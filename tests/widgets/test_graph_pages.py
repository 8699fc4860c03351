"""GraphView in a real Chromium, without Jupyter: drawing, inspecting, folding, saving, safety."""

from __future__ import annotations

import json
import re
import struct

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad_widgets import BackwardStepper, GraphView, watch

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=window.hacked=1>"


def traits(view, **more):
    """What the page gets of a view, which is closed then."""
    names = ("graph", "run", "schedule", "_esm", "_css")
    found = {name: getattr(view, name) for name in names if hasattr(view, name)}
    view.close()
    return {**found, **more}


def article(backward=False):
    """c = a + b, d = b + 1, e = c * d."""
    with GraphView() as view:
        a, b = (torch.tensor([value], requires_grad=True) for value in (2.0, 6.0))
        c = a + b
        d = b + 1
        e = c * d
        if backward:
            e.backward()
    return traits(view)


def matrices():
    with GraphView() as view:
        w = torch.arange(12.0).reshape(3, 4).requires_grad_()
        y = torch.tanh(w @ torch.ones(4, 3))
        y.sum().backward()
    return traits(view)


def loop(passes):
    def f(a, b):
        h = a
        for _ in range(passes):
            h = h * b
            h = torch.tanh(h)
        return h + 1

    return traits(watch(f, a=2.0, b=6.0))


def branch(a, b):
    if a > 0:
        return a * b
    return b + 1


def count(page, kind="op"):
    return page.locator(f"[data-mg-node][data-kind={kind}]").count()


def focused(page):
    return page.evaluate("() => document.activeElement.dataset.mgNode ?? ''")


# --- ways to draw ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("convention", "text", "nodes"),
    [
        ("operations", "3 operations", {"op": 3, "leaf": 2}),
        ("values", "5 named values", {"op": 0, "value": 3, "leaf": 2}),
        (
            "both",
            "8 nodes: 3 operations and 5 values; numbers such as 1 are not counted",
            {"op": 3, "value": 3, "leaf": 2},
        ),
    ],
)
def test_the_reader_chooses_what_a_node_is_and_the_legend_counts_them(
    show, convention, text, nodes
):
    page = show("graph_view", article())
    page.get_by_label("Nodes are").select_option(convention)
    expect(page.locator("[data-mg-count]")).to_have_text(text)
    assert {kind: count(page, kind) for kind in nodes} == nodes
    edges = {"operations": 5, "values": 5, "both": 8}[convention]
    expect(page.locator(".mg-edge")).to_have_count(edges)
    expect(page.get_by_label("Legend").locator("li", has_text="edge")).to_be_visible()


def test_no_box_covers_another_in_any_way_of_drawing(show):
    page = show("graph_view", article())
    for convention in ("operations", "values", "both"):
        page.get_by_label("Nodes are").select_option(convention)
        boxes = [box.bounding_box() for box in page.locator(".mg-node .mg-box").all()]
        for i, one in enumerate(boxes):
            for other in boxes[:i]:
                apart = (
                    one["x"] >= other["x"] + other["width"]
                    or other["x"] >= one["x"] + one["width"]
                    or one["y"] >= other["y"] + other["height"]
                    or other["y"] >= one["y"] + one["height"]
                )
                assert apart


@pytest.mark.parametrize("name", ["graph_view", "backward_stepper"])
def test_a_page_that_shrinks_its_pictures_leaves_a_graph_large_enough_to_read(show, name):
    x = torch.tensor(0.5, requires_grad=True)
    with GraphView() as view:
        y = x
        for _ in range(24):
            y = torch.tanh(y)
    page = show(name, traits(view if name == "graph_view" else BackwardStepper(y)))
    page.add_style_tag(content="img, svg { max-width: 100%; }")
    picture = page.locator(".mg-canvas .mg-svg")
    asked = float(picture.get_attribute("width"))
    assert asked > page.locator(".mg-canvas").bounding_box()["width"]
    assert picture.bounding_box()["width"] == pytest.approx(asked, abs=1)


def tip(page, consumer, operand=0):
    """Which way the arrowhead of an edge points: 1 to the right, with the data."""
    head = page.locator(f'[data-mg-edge="{consumer}|{operand}"] .mg-head').get_attribute("d")
    base, point, _ = map(float, re.findall(r"[ML](\S+)", head))
    return 1 if point > base else -1


def test_arrows_lead_with_the_data_or_as_next_functions_and_the_legend_says_which(show):
    page = show("graph_view", article())
    e = page.locator("[data-name=e]").get_attribute("data-mg-node")
    legend = page.get_by_label("Legend")
    expect(legend).to_contain_text("from what is used to the node that uses it")
    expect(legend).to_contain_text("no recorded operation made it")
    expect(legend).not_to_contain_text("AccumulateGrad")
    directions = [tip(page, e)]
    page.get_by_label("Arrows").select_option("next_functions")
    expect(legend).to_contain_text("PyTorch's convention: next_functions of a node lists them")
    both = "3 operations, and 2 AccumulateGrad, one for each leaf, drawn as the leaves"
    expect(page.locator("[data-mg-count]")).to_have_text(both)
    expect(legend).to_contain_text("PyTorch's node behind such a leaf")
    assert [*directions, tip(page, e)] == [1, -1]
    expect(page.locator("[data-kind=leaf]").first).to_contain_text("AccumulateGrad")
    page.locator("[data-name=d]").click()
    expect(page.get_by_label("Details of d")).to_contain_text("AccumulateGrad of b, None for 1")


def test_all_views_of_one_model_have_their_arrows_the_same_way(show):
    page = show("graph_view", article(), views=2)
    page.get_by_label("Arrows").first.select_option("next_functions")
    expect(page.get_by_label("Arrows").nth(1)).to_have_value("next_functions")
    assert page.evaluate("() => mg.model.get('arrows')") == "next_functions"


def test_an_edge_to_data_is_none_in_next_functions_and_has_no_arrowhead(show):
    page = show("graph_view", matrices(), views=1)
    page.get_by_label("Arrows").select_option("next_functions")
    expect(page.locator(".mg-no-gradient")).to_have_count(1)
    expect(page.locator(".mg-no-gradient .mg-head")).to_be_hidden()
    expect(page.get_by_label("Legend")).to_contain_text("a None in next_functions")


# --- one node --------------------------------------------------------------------------------


def test_details_say_value_gradient_saved_bytes_formula_and_source(show):
    page = show("graph_view", article(backward=True))
    page.locator("[data-name=e]").click()
    panel = page.get_by_label("Details of e = c * d")
    for text in (
        "c · d = 8 · 7 = 56",
        "4 bytes, freed",
        "needed by the grad of c = g · d",
        "e = c * d",
        "test_graph_pages.py, line",
        "float32",
        "(1,)",
    ):
        expect(panel).to_contain_text(text)
    expect(panel.locator("div", has_text="grad").locator(".mg-grad .mg-number")).to_have_text("1")


def test_details_say_what_a_node_comes_from_and_goes_into_and_why_a_number_is_none(show):
    page = show("graph_view", article())
    page.locator("[data-name=d]").click()
    panel = page.get_by_label("Details of d")
    for text in ("comes fromb", "goes intoe", "1. A plain number is no tensor"):
        expect(panel).to_contain_text(text)
    page.locator("[data-name=b]").click()
    panel = page.get_by_label("Details of b")
    for text in ("goes intoc and d", "AccumulateGrad: PyTorch keeps this node behind each leaf"):
        expect(panel).to_contain_text(text)


def test_a_name_of_sixteen_letters_is_whole_in_a_box_and_in_a_pill(show):
    with GraphView() as view:
        kilometres_total = torch.tensor(3.0, requires_grad=True)
        squared_residual = (kilometres_total - 13) ** 2
    assert squared_residual.item() == 100
    page = show("graph_view", traits(view))
    for name in ("kilometres_total", "squared_residual"):
        text = page.locator(f"[data-name={name}] .mg-name")
        expect(text).to_have_text(name)
        box = page.locator(f"[data-name={name}] .mg-box").bounding_box()
        inner = text.bounding_box()
        assert box["x"] <= inner["x"]
        assert inner["x"] + inner["width"] <= box["x"] + box["width"]


def test_enter_opens_details_escape_closes_them_and_the_focus_is_back(show):
    page = show("graph_view", article())
    node = page.locator("[data-name=c]")
    node.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".mg-details")).to_be_visible()
    page.get_by_role("button", name="Close details").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".mg-details")).to_have_count(0)
    expect(node).to_be_focused()


def test_a_node_has_a_name_and_says_what_enter_does(show):
    page = show("graph_view", article())
    node = page.get_by_role("img", name="c = a + b, operation, value 8")
    expect(node).to_have_attribute("aria-roledescription", "node, Enter opens details")
    expect(node).to_have_accessible_description("the arrow keys follow the edges")


def test_a_matrix_is_a_heat_map_with_a_scale_and_full_numbers_on_hover(show):
    page = show("graph_view", matrices())
    page.locator("[data-kind=leaf]").click()
    expect(page.locator(".mg-details .mg-scale").first).to_contain_text("± 11")
    expect(page.locator(".mg-details td").nth(5)).to_have_attribute("title", "[1, 1] is 5")
    expect(page.locator(".mg-details dt", has_text=".grad")).to_be_visible()


def test_at_a_fork_the_arrow_keys_say_which_path_they_take_and_reach_every_one(show):
    page = show("graph_view", article())
    page.locator("[data-name=b]").focus()
    path = page.locator(".mg-path")
    for key, name, text in (
        ("ArrowRight", "c", "Path 1 of 2: b goes into c. ↓ takes path 2: d."),
        ("ArrowDown", "d", "Path 2 of 2: b goes into d. ↓ takes path 1: c."),
        ("ArrowUp", "c", "Path 1 of 2: b goes into c. ↓ takes path 2: d."),
        ("ArrowDown", "d", "Path 2 of 2: b goes into d. ↓ takes path 1: c."),
        ("ArrowRight", "e", ""),
        ("ArrowLeft", "d", "Path 2 of 2: e comes from d. ↓ takes path 1: c."),
        ("ArrowDown", "c", "Path 1 of 2: e comes from c. ↓ takes path 2: d."),
        ("ArrowRight", "e", ""),
    ):
        page.keyboard.press(key)
        expect(page.locator(f"[data-name={name}]")).to_be_focused()
        expect(path).to_have_text(text)
    expect(path).to_have_attribute("aria-live", "polite")


def test_the_chosen_edge_is_marked_and_without_a_choice_the_keys_go_up_and_down(show):
    page = show("graph_view", article())
    page.locator("[data-name=b]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mg-followed")).to_have_count(1)
    page.locator("[data-name=a]").focus()
    expect(page.locator(".mg-followed")).to_have_count(0)
    expect(page.locator(".mg-path")).to_have_text("")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-name=b]")).to_be_focused()


def test_the_focused_node_says_what_it_comes_from_and_goes_into(show):
    page = show("graph_view", article())
    node = page.locator("[data-name=c]")
    node.focus()
    said = "comes from a and b; goes into e; the arrow keys follow the edges"
    expect(node).to_have_accessible_description(said)


def test_the_keys_are_explained(show):
    page = show("graph_view", article())
    page.locator("summary", has_text="Keys").click()
    expect(page.get_by_text("several paths, ↓ and ↑ take the next one")).to_be_visible()
    page.set_viewport_size({"width": 480, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_arrow_keys_follow_the_edges_of_freed_nodes_too_since_these_are_drawn(show):
    data = article()
    for node in data["graph"]["nodes"]:
        if node["kind"] == "op":
            node["state"] = "gone"
    page = show("graph_view", data)
    page.locator("[data-name=c]").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-name=e]")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-name=c]")).to_be_focused()
    page.keyboard.press("Enter")
    for text in ("comes froma and b", "goes intoe", "statefreed"):
        expect(page.locator(".mg-details")).to_contain_text(text)


# --- folding ---------------------------------------------------------------------------------


def test_a_large_graph_opens_folded_and_a_box_opens_and_closes_by_keyboard(show):
    page = show("graph_view", loop(40))
    box = page.get_by_role("img", name="lines 52–53, 40 passes, 80 operations")
    expect(box).to_have_count(1)
    assert (count(page), count(page, "leaf")) == (1, 2)
    box.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-kind=box]")).to_have_count(20)
    assert focused(page).startswith("b:r")
    page.keyboard.press("Enter")
    assert (count(page), count(page, "box")) == (1, 2 + 19)
    page.get_by_role("button", name="Close the box").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-kind=box]")).to_have_count(1)
    assert focused(page).startswith("b:l")


def test_unfold_shows_all_and_says_that_folding_helps(show):
    page = show("graph_view", loop(40))
    page.get_by_role("button", name="Unfold all boxes").click()
    assert count(page) == 81
    expect(page.get_by_text("“Fold” puts the operations of each line")).to_be_visible()
    page.get_by_role("button", name="Fold into boxes").click()
    assert count(page, "box") == 1


def test_a_view_that_is_watching_never_folds_by_itself(show):
    large = loop(40)["graph"]
    page = show("graph_view", {"graph": {**large, "nodes": large["nodes"][:9], "groups": []}})
    assert count(page, "box") == 0
    page.evaluate("graph => mg.set('graph', graph)", large)
    page.evaluate("() => mg.painted()")
    assert (count(page), count(page, "box")) == (81, 0)
    expect(page.get_by_role("button", name="Fold into boxes")).to_be_visible()


def test_boxes_are_drawn_in_every_convention_and_in_the_table(show):
    page = show("graph_view", loop(40))
    for convention in ("values", "both"):
        page.get_by_label("Nodes are").select_option(convention)
        assert count(page, "box") == 1
    page.get_by_role("button", name="Table").click()
    page.get_by_role("button", name="lines 52–53: open the box").click()
    expect(page.locator("tbody tr")).to_have_count(2 + 20 + 1)


# --- the table -------------------------------------------------------------------------------


def test_the_table_has_the_same_nodes_in_order_and_opens_the_same_details(show):
    page = show("graph_view", article(backward=True))
    page.get_by_role("button", name="Table").click()
    rows = [row.inner_text().split("\t") for row in page.locator("tbody tr").all()]
    assert [row[0].strip() for row in rows] == ["a", "b", "c", "d", "e"]
    assert rows[4][2:6] == ["c · d", "56", "1", "c, d"]
    expect(page.locator(".mg-canvas")).to_be_hidden()
    page.get_by_role("button", name="e: details").click()
    expect(page.get_by_label("Details of e")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="e: details")).to_be_focused()


# --- a call whose numbers change -------------------------------------------------------------


def test_a_slider_asks_the_kernel_and_waits_for_its_answer(show):
    view = watch(branch, a=2.0, b=3.0)
    page = show("graph_view", {"graph": view.graph, "run": view.run})
    expect(page.get_by_role("status")).to_have_text("branch(a = 2, b = 3) = 6. 1 operation.")
    for value in ("1", "-1", "-2"):
        page.get_by_label("a", exact=True).fill(value)
    assert page.evaluate("() => mg.sent") == [{"type": "run", "number": 1, "values": {"a": 1}}]
    for message in (1, 2):
        asked = page.evaluate("() => mg.sent")
        assert len(asked) == message
        view._asked(view, asked[-1], [])
        page.evaluate(
            "([graph, run]) => { mg.set('graph', graph); mg.set('run', run); }",
            [view.graph, view.run],
        )
        page.evaluate("() => mg.painted()")
    assert asked[1]["values"] == {"a": -2}
    expect(page.get_by_role("status")).to_have_text("branch(a = -2, b = 3) = 4. 1 operation.")
    expect(page.locator("[data-op=add]")).to_have_count(1)
    expect(page.get_by_label("a, slider")).to_have_value("-2")
    view.close()


def test_a_run_that_fails_is_a_message_and_keeps_the_sliders(show):
    def broken(a):
        raise ValueError(f"{HOSTILE} {a}")

    page = show("graph_view", traits(watch(broken, a=1.0)))
    expect(page.get_by_role("alert")).to_contain_text("ValueError: <img")
    expect(page.get_by_role("alert")).to_contain_text("test_graph_pages.py, line")
    expect(page.get_by_label("a, slider")).to_be_enabled()
    assert page.evaluate("() => window.hacked") is None


def test_only_a_view_that_goes_on_watching_asks_what_the_next_cell_adds(show):
    page = show("graph_view", {})
    expect(page.get_by_label("How many operations")).to_be_visible()
    for data in (article(), traits(watch(branch, a=2.0, b=3.0))):
        show("graph_view", data)
        expect(page.get_by_label("How many operations")).to_be_hidden()


def test_a_block_that_has_ended_says_so_whatever_later_cells_do(show):
    page = show("graph_view", article())
    said = "The block has ended. It recorded 3 operations: c, d and e. 3 alive."
    for phase in ("begin", "end"):
        event = {"type": "cell", "phase": phase, "cell": "In [9]", "made": 0}
        page.evaluate("event => mg.push(event)", event)
        page.evaluate("() => mg.painted()")
        expect(page.get_by_role("status")).to_have_text(said)
    with GraphView() as nothing:
        pass
    show("graph_view", traits(nothing))
    expect(page.locator(".mg-empty")).to_contain_text("Nothing was recorded in the block")


# --- a graph that is wider than the page -----------------------------------------------------


def test_a_long_chain_says_where_there_is_more_and_leads_there(show):
    page = show("graph_view", loop(10))
    left, right = (
        page.get_by_role("button", name=f"more to the {side}") for side in ("left", "right")
    )
    expect(right).to_be_visible()
    expect(left).to_be_hidden()
    at_the_end = """() => {
        const canvas = document.querySelector('.mg-canvas');
        return canvas.scrollLeft + canvas.clientWidth >= canvas.scrollWidth - 8;
    }"""
    while not page.evaluate(at_the_end):
        right.click()
    expect(right).to_be_hidden()
    expect(left).to_be_focused()  # the way back
    expect(page.locator("[data-op=add]")).to_be_in_viewport()
    show("graph_view", article())
    expect(page.locator(".mg-more:visible")).to_have_count(0)


def test_from_far_away_signs_alone_are_shown_and_large_and_a_click_goes_closer(show):
    page = show("graph_view", loop(100))
    page.get_by_role("button", name="Unfold all boxes").click()
    page.get_by_role("button", name="Fit").click()
    expect(page.locator(".mg-formula:visible")).to_have_count(0)
    signs = page.locator(".mg-node .mg-symbol")
    assert min(signs.nth(i).bounding_box()["height"] for i in range(5)) >= 7
    near = page.locator("[data-name=a] .mg-box").bounding_box()
    page.mouse.click(near["x"] + near["width"] / 2, near["y"] + near["height"] / 2)
    expect(page.locator(".mg-formula").first).to_be_visible()
    expect(page.locator("[data-name=a]")).to_be_in_viewport()


def test_the_first_frame_has_the_beginning_of_a_large_picture_and_the_next_one_all(show):
    data = loop(50)
    page = show("graph_view", {"graph": {**data["graph"], "groups": []}})
    assert count(page) == 101
    seen = page.evaluate(
        """async traits => {
            const { default: widget } = await import('../../minigrad_widgets/static/graph_view.js');
            const model = { get: name => traits[name], on() {}, off() {}, send() {} };
            const made = widget();
            await made.initialize({ model });
            const el = document.createElement('div');
            document.body.append(el);
            const close = await made.render({ model, el });
            const drawn = () => el.querySelectorAll('[data-mg-node]').length;
            const frame = () => new Promise(done => requestAnimationFrame(done));
            const said = getComputedStyle(el.querySelector('.mg-note')).display === 'none';
            const first = drawn();
            await frame();
            const next = drawn();
            await frame();
            const last = drawn();
            close();
            el.remove();
            return [first, next, last, said];
        }""",
        {"graph": {**data["graph"], "groups": []}},
    )
    assert seen == [40, 40, 103, True]


def test_a_tooltip_is_there_when_the_pointer_is(show):
    page = show("graph_view", article())
    page.locator("[data-name=c]").hover()
    tip = page.evaluate("() => document.querySelector('[data-name=c] title').textContent")
    assert tip.startswith("c = a + b\nvalue 8")


# --- saving ----------------------------------------------------------------------------------


def saved(page, kind):
    page.locator("summary", has_text="Save").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save as {kind}").click()
    return download.value


def test_the_saved_svg_stands_alone_and_looks_the_same(show, tmp_path):
    page = show("graph_view", article())
    text = saved(page, "SVG").path().read_text(encoding="utf-8")
    assert text.startswith("<svg") and "class=" not in text and "var(" not in text
    assert "<script" not in text
    place = tmp_path / "graph.svg"
    place.write_text(text, encoding="utf-8")
    colours = "[...document.querySelectorAll('rect')].map(r => getComputedStyle(r).fill)"
    here = page.evaluate(f"() => {colours.replace('rect', '.mg-nodes rect')}")
    page.goto(place.as_uri())
    assert page.evaluate(f"() => {colours}")[1:] == here


def test_the_saved_png_has_two_pixels_for_one(show):
    page = show("graph_view", article())
    box = page.evaluate("() => document.querySelector('.mg-svg').viewBox.baseVal.width")
    data = saved(page, "PNG").path().read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">I", data[16:20])[0] == 2 * box


def test_the_saved_html_works_offline_from_a_file_without_any_request(chrome, show, tmp_path):
    data = loop(40)
    data["run"] = {**data["run"], "printed": f"</script>{HOSTILE}"}
    download = saved(show("graph_view", data), "one HTML file")
    place = tmp_path / "graph.html"
    download.save_as(place)
    context = chrome.new_context(offline=True)
    page = context.new_page()
    requests, errors = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(place.as_uri())
    page.locator("[data-kind=box]").click()
    expect(page.locator("[data-kind=box]")).to_have_count(20)
    page.locator("[data-name=a]").click()
    expect(page.get_by_label("Details of a")).to_be_visible()
    expect(page.get_by_label("a, slider")).to_be_disabled()
    expect(page.locator(".mg-printed")).to_have_text(f"</script>{HOSTILE}")
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert errors == [] and page.evaluate("() => window.hacked") is None
    context.close()


# --- safety ----------------------------------------------------------------------------------


def test_hostile_text_stays_text_everywhere(show):
    data = json.loads(json.dumps(article(backward=True)))
    for node in data["graph"]["nodes"]:
        for field in ("formula", "source", "cell", "file", "scope", "numbers", "symbol"):
            node[field] = HOSTILE
        node["names"] = [HOSTILE]
        node["saved"] = [{"arg": HOSTILE, "text": HOSTILE, "bytes": 4, "why": [HOSTILE]}]
        node["value"]["text"] = HOSTILE
        node["value"]["data"] = [HOSTILE]
    page = show("graph_view", data)
    page.locator("[data-mg-node]").last.click()
    page.get_by_role("button", name="Table").click()
    assert page.locator("#views img").count() == 0
    assert page.evaluate("() => window.hacked") is None
    assert HOSTILE in page.locator(".mg-details").inner_text()


@pytest.mark.parametrize(
    "damage",
    [
        {"version": 2},
        {"version": "1"},
        {"nodes": None},
        {"nodes": [{"id": 3}]},
        {"groups": [{"id": "b0:n1"}]},
        {"number": "x"},
    ],
)
def test_a_damaged_or_newer_tape_is_a_message_not_a_blank_box(show, damage):
    data = article()
    page = show("graph_view", {"graph": {**data["graph"], **damage}})
    expect(page.get_by_role("status")).to_contain_text("This graph")
    assert page.locator(".mg-canvas").is_hidden()


def test_boxes_and_edges_that_lead_nowhere_do_no_harm(show):
    data = loop(40)
    data["graph"]["nodes"] = data["graph"]["nodes"][:70]
    data["graph"]["groups"].append({"id": "b9", "title": "", "members": ["n999"], "groups": []})
    page = show("graph_view", data)
    page.get_by_role("button", name="Unfold all boxes").click()
    assert count(page) == 68


def test_fifty_views_opened_and_closed_leave_nothing_in_the_page(show):
    page = show("graph_view", {})
    left = page.evaluate(
        """async traits => {
            const before = document.querySelectorAll('*').length;
            const module = await import('../../minigrad_widgets/static/graph_view.js');
            const listening = new Set();
            const model = {
                get: name => traits[name], send() {},
                on: (name, f) => listening.add(f), off: (name, f) => listening.delete(f),
            };
            const widget = module.default();
            await widget.initialize({ model });
            const listeners = listening.size;
            for (let i = 0; i < 50; i += 1) {
                const el = document.createElement('div');
                document.body.append(el);
                const close = await widget.render({ model, el });
                close();
                if (el.childNodes.length > 0) throw new Error('not empty');
                el.remove();
            }
            return [document.querySelectorAll('*').length - before, listening.size - listeners];
        }""",
        article(),
    )
    assert left == [0, 0]


# --- everybody's page ------------------------------------------------------------------------


def states(page):
    """The view in its different states, one after the other."""
    yield
    page.locator("[data-mg-node]").last.click()
    yield
    for convention in ("values", "both"):
        page.get_by_label("Nodes are").select_option(convention)
        yield
    page.locator("summary", has_text="Save").click()
    page.get_by_role("button", name="Table").click()
    yield


@pytest.mark.node
def test_axe_finds_nothing_in_any_state(show, front_end):
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    for data in (article(backward=True), matrices(), loop(40)):
        page = show("graph_view", data)
        page.evaluate(axe)
        for _ in states(page):
            found = page.evaluate("async () => (await axe.run('#views')).violations")
            assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]


@pytest.mark.parametrize(("width", "zoom"), [(480, 1), (1000, 2)])
def test_narrow_or_zoomed_nothing_sticks_out_of_the_page(show, width, zoom):
    page = show("graph_view", matrices())
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate(f"document.body.style.zoom = {zoom}")
    for _ in states(page):
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_what_moves_stands_still_for_those_who_ask(show):
    data = article()
    page = show("graph_view", {"graph": {**data["graph"], "nodes": data["graph"]["nodes"][:3]}})
    page.evaluate("graph => mg.set('graph', graph)", data["graph"])
    page.evaluate("() => mg.painted()")
    assert page.evaluate("() => document.getAnimations().length") == 0


def test_the_word_freed_covers_no_line_of_a_box(show):
    def f(a):
        h = a
        for _ in range(200):
            h = h * 1.5
            h = h + 1
        return a * 2

    page = show("graph_view", traits(watch(f, a=0.5)))
    box = page.locator("[data-kind=box][data-state=gone]")
    last = box.locator(".mg-box-line").last.bounding_box()
    word = box.locator(".mg-state rect").bounding_box()
    assert last["y"] + last["height"] <= word["y"]


def test_a_program_says_how_long_each_value_is_there_and_not_that_it_is_alive(show):
    w = torch.tensor(0.5)

    @torch.compile
    def step(x):
        return (w * x).tanh().sum()

    for _ in range(2):
        step(torch.ones(3))
    page = show("graph_view", {"graph": GraphView(step.graph).graph})
    expect(page.get_by_text("The program of step() has 3 lines.")).to_be_visible()
    expect(page.locator("[data-mg-count]")).to_have_text("3 lines")
    node = page.locator("[data-mg-node][data-kind=op]").nth(1)
    expect(node).to_contain_text("deleted after v4")
    node.click()
    details = page.locator(".mg-details")
    expect(details).to_contain_text("line of the program")
    expect(details).to_contain_text("a program has no numbers: each call has its own")
    expect(details).not_to_contain_text("alive")
    expect(page.get_by_label("Arrows")).to_be_hidden()
    expect(details).not_to_contain_text("not kept")
