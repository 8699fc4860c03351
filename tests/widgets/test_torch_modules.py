"""Modules of PyTorch's as boxes: which module's forward an operation belongs to."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect
from test_nineteen import shot

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from torch import nn  # noqa: E402

from minigrad_widgets import GraphView  # noqa: E402


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.body = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

    def forward(self, x):
        return x + self.body(self.norm(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(3, 4)
        self.stages = nn.Sequential(*[Block(4) for _ in range(6)])
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        return self.head(self.stages(self.stem(x)))


def titles(groups):
    return [group["title"] for group in groups]


def scopes(view):
    return [node["scope"] for node in view.graph["nodes"] if node["kind"] == "op"]


def test_each_operation_is_in_the_modules_that_were_called_around_it():
    net = Net()
    with GraphView() as view:
        loss = net(torch.ones(2, 3)).square().mean()
    assert loss.requires_grad
    found = scopes(view)
    assert "Net › stem" in found and "Net › stages › 5 › body › 2" in found
    adds = [node for node in view.graph["nodes"] if node["op"] == "add"]
    assert [node["scope"] for node in adds] == [f"Net › stages › {at}" for at in range(6)]
    assert found[-1].startswith("test_each_operation")  # the mean is made by the block itself


def test_a_graph_of_modules_has_their_boxes_one_in_the_other():
    net = Net()
    with GraphView() as view:
        loss = net(torch.ones(2, 3)).square().mean()
    assert loss.requires_grad
    (whole,) = [group for group in view.graph["groups"] if group["title"] == "Net"]
    (stages,) = [group for group in whole["groups"] if group["title"].startswith("stages")]
    assert titles(stages["groups"]) == [f"stages.{at}" for at in range(6)]
    first = stages["groups"][0]["groups"]
    assert titles(first) == ["", "stages.0.body", ""]  # an operation has no title of a box
    assert titles(first[1]["groups"]) == ["stages.0.body.0", "", "stages.0.body.2"]


@pytest.mark.browser
@pytest.mark.parametrize("show", ["light"], indirect=True)
def test_the_boxes_stand_in_the_picture_and_open(show):
    net = Net()
    with GraphView() as view:
        loss = net(torch.ones(2, 3)).square().mean()
    assert loss.requires_grad
    graph = json.loads(json.dumps(view.graph, allow_nan=False))
    page = show("graph_view", {"graph": graph})
    page.set_viewport_size({"width": 1280, "height": 700})
    shot(page, "pytorch modules")
    box = page.get_by_role("img", name="stages.3, Block, 7 operations")
    expect(box).to_be_visible()
    box.press("+")
    expect(page.get_by_role("img", name="stages.3.body, Sequential")).to_be_visible()
    shot(page, "pytorch modules, opened")


def test_a_forward_that_raised_leaves_no_module_open_and_no_hook():
    class Broken(nn.Module):
        def forward(self, x):
            raise ValueError("no")

    layer = nn.Linear(2, 2)
    with GraphView() as view:
        with pytest.raises(ValueError, match="no"):
            nn.Sequential(layer, Broken())(torch.ones(1, 2))
        kept = layer(torch.ones(1, 2)) * 2
    assert kept.requires_grad
    assert [scope.partition("_that")[0] for scope in scopes(view)][-2:] == [
        "Linear",
        "test_a_forward",
    ]
    hooks = nn.modules.module
    assert not hooks._global_forward_pre_hooks and not hooks._global_forward_hooks


def test_what_was_not_watched_is_in_no_module():
    net = Net()
    loss = net(torch.ones(2, 3)).mean()
    assert set(scopes(GraphView(loss))) == {""}


def test_an_index_is_told_as_in_minigrad():
    x = torch.ones(3, 4, requires_grad=True)
    view = GraphView((x[1] * x[:, 2].sum() + x[0:2, 1:].sum()).sum())
    found = [node["formula"] for node in view.graph["nodes"] if node["op"] in ("select", "slice")]
    assert found == ["x[1]", "x[:, 2]", "x[:2]", "x[:2][:, 1:]"]
