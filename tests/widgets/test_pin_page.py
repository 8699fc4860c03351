"""A pinned view in a real Chromium, in a plain page without Jupyter."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import minigrad as torch
from minigrad_widgets import BackwardStepper, GraphDiff, TrainingLoop, watch

pytestmark = pytest.mark.browser

WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 600, "height": 800}


def loss():
    a, b = (torch.tensor([value], requires_grad=True) for value in (2.0, 6.0))
    return (a + b) * (b + 1)


def stepper():
    return {"schedule": BackwardStepper(loss()).schedule}


def doubled(a):
    while a < 4:
        a = a * 2
    return a


def training():
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with TrainingLoop(model, optimizer) as loop:
        for _ in range(3):
            optimizer.zero_grad()
            error = model(torch.ones(4, 1)).pow(2).mean()
            error.backward()
            optimizer.step()
    return {"training": loop.training}


VIEWS = {
    "BackwardStepper": ("backward_stepper", stepper),
    "watch": ("graph_view", lambda: watch(doubled, a=1.5).get_state(["run", "graph"])),
    "GraphDiff": (
        "graph_diff",
        lambda: GraphDiff(doubled, {"a": 1.9}, {"a": 2.1}, ask=False).get_state(
            ["difference", "given"]
        ),
    ),
    "TrainingLoop": ("training_loop", training),
}

LONG = "() => document.body.insertAdjacentHTML('beforeend', '<p style=\"height:4000px\">far</p>')"


def pinned(show, name="BackwardStepper", size=WIDE):
    """The page with this view pinned, by keyboard, and its dock."""
    kind, traits = VIEWS[name]
    page = show(kind, traits())
    page.set_viewport_size(size)
    page.evaluate(LONG)
    page.get_by_role("button", name="Pin: keep in sight").press("Enter")
    dock = page.get_by_role("region", name=f"Pinned: {name}")
    expect(dock).to_be_visible()
    return page, dock


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_can_be_pinned_and_stays_in_sight_while_the_page_scrolls(show, name):
    page, dock = pinned(show, name)
    page.mouse.move(100, 400)
    page.mouse.wheel(0, 3000)
    page.wait_for_function("() => scrollY > 2000")
    expect(dock.locator(".mg-root [data-mg-status], .mg-root .mg-title").first).to_be_in_viewport()
    expect(page.locator("#views .mg-pinned")).to_contain_text("Pinned at the side.")


def test_a_pinned_view_lives_on_and_keeps_where_it_was(show):
    page, dock = pinned(show)
    dock.get_by_label("Position").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(dock.locator("[data-mg-status]")).to_contain_text("Step 2 of 6")
    dock.get_by_role("button", name="Bring it back").click()
    expect(dock).to_have_count(0)
    expect(page.locator("#views [data-mg-status]")).to_contain_text("Step 2 of 6")


def test_in_a_narrow_dock_the_whole_graph_is_in_sight(show):
    page, dock = pinned(show, size={"width": 900, "height": 800})
    last = dock.locator(".mg-node").last
    expect(dock.get_by_role("button", name="Fit")).to_be_enabled()
    page.wait_for_function(
        "() => { const canvas = document.querySelector('.mg-dock .mg-canvas');"
        " return canvas.scrollWidth <= canvas.clientWidth }"
    )
    expect(last).to_be_in_viewport()


def test_keys_lead_from_the_cell_into_the_dock_and_back(show):
    page, dock = pinned(show)
    expect(dock.get_by_role("button", name="Bring it back")).to_be_focused()
    page.keyboard.press("Escape")
    go = page.get_by_role("button", name="Go to the picture")
    expect(go).to_be_focused()
    page.keyboard.press("Enter")
    expect(dock).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Alt+Shift+KeyP")
    expect(dock).to_be_focused()
    page.keyboard.press("Alt+Shift+KeyP")
    expect(go).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(dock).to_have_count(0)
    expect(page.get_by_role("button", name="Pin: keep in sight")).to_be_focused()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_page_keeps_its_room_beside_the_dock(show, size):
    page, dock = pinned(show, size=size)
    side = size is WIDE
    expect(dock).to_have_attribute("data-mg-place", "side" if side else "bottom")
    for _ in range(2):
        box = dock.bounding_box()
        text = page.locator("#views").bounding_box()
        if dock.get_attribute("data-mg-place") == "side":
            assert text["x"] + text["width"] <= box["x"]
            assert text["width"] > 200
        else:
            page.evaluate("() => scrollTo(0, 99999)")
            last = page.locator("p", has_text="far").bounding_box()
            assert last["y"] + last["height"] <= box["y"]
            assert box["y"] > 200
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        dock.get_by_role("button", name="To the bottom" if side else "To the side").click()
        side = not side


@pytest.mark.parametrize(
    ("more", "less", "turned"), [("ArrowLeft", "ArrowRight", False), ("ArrowUp", "ArrowDown", True)]
)
def test_its_size_is_changed_by_keys_and_by_dragging_within_limits(show, more, less, turned):
    page, dock = pinned(show)
    if turned:
        dock.get_by_role("button", name="To the bottom").click()
    side = "height" if turned else "width"
    handle = dock.get_by_role("separator", name="Size of the dock")
    expect(handle).to_have_attribute("aria-orientation", "horizontal" if turned else "vertical")

    def size():
        return round(dock.bounding_box()[side])

    before = size()
    handle.press(more)
    assert size() == before + 32
    handle.press(less)
    assert size() == before
    handle.press("Home")
    least = size()
    handle.press(less)
    assert size() == least == int(handle.get_attribute("aria-valuemin"))
    handle.press("End")
    assert size() == int(handle.get_attribute("aria-valuemax"))
    assert WIDE[side] - size() >= 160
    box = handle.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 50, middle[1] + 50)
    page.mouse.up()
    assert abs(int(handle.get_attribute("aria-valuemax")) - 50 - size()) <= 6


def test_a_size_too_large_for_a_smaller_window_gives_way(show):
    page, dock = pinned(show)
    dock.get_by_role("separator").press("End")
    page.set_viewport_size({"width": 700, "height": 800})
    expect(dock).to_have_css("width", "380px")


def test_a_second_view_takes_the_place_and_the_first_goes_back(show):
    kind, traits = VIEWS["BackwardStepper"]
    page = show(kind, traits(), views=2)
    pins = page.get_by_role("button", name="Pin: keep in sight")
    pins.nth(0).click()
    first = page.locator("#views > div").nth(0)
    expect(first.locator(".mg-pinned")).to_be_visible()
    pins.nth(0).click()  # the one that is left
    expect(page.locator(".mg-dock")).to_have_count(1)
    expect(first.locator(".mg-stepper")).to_be_visible()
    expect(page.locator("#views > div").nth(1).locator(".mg-pinned")).to_be_visible()


def test_a_new_backward_pass_in_the_same_place_takes_over_the_pin(show):
    page, dock = pinned(show)
    page.evaluate("new_ => mg.set('schedule', new_)", {**stepper()["schedule"], "title": "another"})
    expect(dock.locator(".mg-title")).to_have_text("Backward pass of another")
    expect(page.locator("#views .mg-stepper")).to_have_count(0)
    expect(page.locator(".mg-pinned")).to_have_count(1)
    page.get_by_role("button", name="Bring it back").first.click()
    expect(page.locator("#views .mg-title")).to_have_text("Backward pass of another")


def test_the_dock_goes_when_its_view_has_gone(show):
    page, dock = pinned(show)
    page.evaluate("() => document.querySelector('.mg-dock .mg-stepper').remove()")
    expect(dock).to_have_count(0)
    expect(page.locator(".mg-pinned")).to_have_count(0)
    assert page.evaluate("() => getComputedStyle(document.documentElement).paddingRight") == "0px"


@pytest.mark.node
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_axe_finds_nothing_in_the_dock_and_the_line(show, front_end, size, request, tmp_path):
    axe = (front_end / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page, dock = pinned(show, size=size)
    page.evaluate(axe)
    for _ in range(2):
        found = page.evaluate("async () => (await axe.run('.mg-dock, .mg-pinned')).violations")
        assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]
        dock.get_by_role("button", name="To the").click()


def fanned(base):
    ride_0 = base + 3
    ride_1 = base + 6
    ride_2 = base + 9
    ride_3 = base + 12
    ride_4 = base + 15
    fares = torch.stack([ride_0, ride_1, ride_2, ride_3, ride_4])
    errors = fares - 13
    squares = errors**2
    loss = squares.mean()
    return loss


IN_SIGHT = """selector => {
    const dock = document.querySelector('.mg-dock-body').getBoundingClientRect();
    const all = [...document.querySelectorAll(`.mg-dock ${selector}`)];
    return all.length > 0 && all.every(one => {
        const { top, bottom } = one.getBoundingClientRect();
        return top >= dock.top - 1 && bottom <= dock.bottom + 1;
    });
}"""


@pytest.mark.parametrize("place", ["side", "bottom"])
def test_of_a_pinned_stepper_the_whole_picture_and_step_stay_in_sight(show, place):
    """Also beside ten lines of code, and where the graph is wide."""
    page = show(
        "backward_stepper", BackwardStepper(fanned, base=4.0).get_state(["schedule", "run"])
    )
    page.set_viewport_size(WIDE)
    expect(page.locator(".mg-source")).to_be_visible()
    page.get_by_role("button", name="Pin: keep in sight").click()
    if place == "bottom":
        page.get_by_role("button", name="To the bottom").click()
    page.wait_for_function(IN_SIGHT, arg="[data-mg-node]")
    page.wait_for_function(IN_SIGHT, arg=".mg-controls")
