"""What operations are nested in: modules, functions, loops; with their names, and true counts."""

from __future__ import annotations

import gc
import linecache
import sys
import weakref

import pytest

import minigrad as torch
from minigrad.tape import tape
from minigrad.tape.nesting import Box, made, nested

SETUP = {"torch": torch, "nn": torch.nn}


def run(source, **names):
    """Run a program at the top of a file of its own, as a cell does."""
    file = f"<nested {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    space = {**SETUP, "w": torch.tensor(2.0, requires_grad=True), **names}
    exec(compile(source, file, "exec"), space)
    return space


def boxes_of(source, **names):
    """The boxes of a program: title, note, and what is in it; an operation is its name."""
    reader = tape.watch()
    try:
        kept = run(source, **names)
        tape.catch_up()
        facts = [tape.facts[key] for key in reader.made]
        root = nested(made(fact) for fact in facts)
        ops = {fact.key: fact.op for fact in facts}
        del kept
    finally:
        tape.release(reader)
    while len(root.inside) == 1 and isinstance(root.inside[0], Box):
        if root.inside[0].kind not in ("cell", "function"):
            break
        root = root.inside[0]
    return [told(one, ops) for one in root.inside]


def told(one, ops):
    if isinstance(one, str):
        return ops[one]
    return (one.title, one.note, [told(each, ops) for each in one.inside])


def titles(boxes):
    """Titles with notes of the outer boxes."""
    return [", ".join(filter(None, box[:2])) for box in boxes if isinstance(box, tuple)]


# ------------------------------------------------------------------------------------- modules

NET = """
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.act = nn.Sequential(nn.Tanh(), nn.Tanh())
    def forward(self, x):
        return self.act(self.fc(x)) + x
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Block(), Block()])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
    def forward(self, x):
        return self.encoder(x * 1.0).sum()
loss = Net()(torch.ones(3, 2)) * 2
"""


def test_modules_in_modules_have_their_whole_path_as_their_name():
    net, last = boxes_of(NET)
    assert (net[0], last) == ("Net", "mul")
    encoder, total = net[2]
    assert encoder[:2] == ("encoder", "Encoder, line 15, 2 passes") and total == "sum"
    assert titles(encoder[2]) == [
        "encoder.layers.0, Block, pass 1 of 2",
        "encoder.layers.1, Block, pass 2 of 2",
    ]
    first, second = encoder[2]
    assert titles(first[2]) == ["encoder.layers.0.act, Sequential"]
    assert first[2][0] == second[2][0] and first[2][-1] == second[2][-1] == "add"


def test_a_module_that_is_called_twice_says_which_call_it_is():
    source = "fc = nn.Sequential(nn.Linear(2, 2), nn.Tanh())\nloss = fc(fc(torch.ones(1, 2))).sum()"
    assert titles(boxes_of(source)) == ["Sequential, call 1 of 2", "Sequential, call 2 of 2"]


@pytest.mark.parametrize("kind", ["RNN", "GRU"])
def test_the_steps_of_a_layer_are_passes_one_behind_the_other(kind):
    (layer, *_) = boxes_of(f"out, _ = nn.{kind}(2, 3)(torch.ones(30, 1, 2))\nloss = out.sum()")
    (steps,) = [one for one in layer[2] if one[0] == "time steps"]
    assert steps[1] == "30 passes"
    assert [step[0] for step in steps[2]] == [f"pass {n} of 30" for n in range(1, 31)]


def test_what_nobody_watches_is_not_counted():
    out, _ = torch.nn.RNN(2, 3)(torch.ones(3, 1, 2))
    assert out.shape == (3, 1, 3)


# --------------------------------------------------------------------------------------- loops


def passes_of(source, **names):
    """The number of passes of each outer loop."""
    return [note for _, note, _ in boxes_of(source, **names)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = w\nfor _ in range(5):\n    x = x * w", ["5 passes"]),
        ("x = w\nfor _ in range(5):\n    x = x * w\n    x = x + w", ["5 passes"]),
        ("x = w\nn = 4\nwhile n:\n    x = x * w\n    x = x + w\n    n -= 1", ["4 passes"]),
        ("x = w\nwhile x < 100:\n    x = x * w", ["6 passes"]),
        ("x = [w * k for k in range(7)]", ["7 passes"]),
        ("x = sum(w * k for k in range(7))", None),
        (
            "for k in range(3):\n    x = w * k\n    y = x.tanh() + torch.nn.functional.gelu(x)",
            ["3 passes"],
        ),
    ],
)
def test_each_pass_of_a_loop_is_counted(source, expected):
    if expected is None:
        assert all("sum" not in str(box) for box in boxes_of(source))
    else:
        assert passes_of(source) == expected


def test_passes_that_take_different_ways_are_told_apart():
    source = (
        "for k in range(6):\n    if k % 2:\n        x = w * 2\n    else:\n        x = w.exp()\n"
    )
    assert passes_of(source) == ["6 passes"]


def test_a_pass_that_goes_on_early_is_told_apart():
    source = (
        "for k in range(4):\n    if k % 2 == 0:\n        x = w * 2\n        continue\n"
        "    x = w.exp()\n"
    )
    assert passes_of(source) == ["4 passes"]


def test_an_operation_that_python_repeats_by_itself_is_no_loop():
    source = (
        "parts = [w * 1.0, w * 2.0, w * 3.0]\n"
        "for _ in range(2):\n    x = w.exp()\n    y = sum(parts)"
    )
    (loop,) = boxes_of(source)[3:]
    assert loop[1] == "2 passes"
    assert loop[2][0] == ("pass 1 of 2", "", ["exp", "add", "add", "add"])


def test_loops_in_loops_are_boxes_in_boxes():
    source = (
        "x = w\nfor _ in range(3):\n    x = x.exp()\n    for _ in range(4):\n"
        "        x = x * w\n        x = x + w"
    )
    (outer,) = boxes_of(source)
    assert outer[:2] == ("lines 3–6", "3 passes")
    assert [titles(one[2]) for one in outer[2]] == [["lines 5–6, 4 passes"]] * 3


def test_a_loop_that_calls_a_function_with_a_loop_counts_both():
    source = (
        "def f(x):\n    for _ in range(2):\n        x = x * w\n    return x\n"
        "y = w\nfor _ in range(3):\n    y = f(y)"
    )
    (loop,) = boxes_of(source)
    assert loop[:2] == ("line 7", "3 passes")
    assert [one[:2] for one in loop[2]] == [
        (f"pass {n} of 3", "f, line 3, 2 passes") for n in (1, 2, 3)
    ]


# ----------------------------------------------------------------------------------- functions

POWER = """
def power(x, n):
    if n == 1:
        return x * 1.0
    one = power(x, n // 2)
    other = power(x, n - n // 2)
    return one * other
y = power(w, 4)
"""


def test_a_recursion_is_a_tree_of_calls():
    half = ["mul", "mul", "mul"]
    expected = [
        ("power", "call 1 of 2", half),
        ("power", "call 2 of 2", half),
        "mul",
    ]
    assert boxes_of(POWER) == expected


def test_a_call_of_a_single_operation_is_counted_though_it_has_no_box():
    assert boxes_of(POWER.replace("power(w, 4)", "power(w, 3)")) == [
        "mul",
        ("power", "call 2 of 2", ["mul", "mul", "mul"][:3]),
        "mul",
    ]


def test_calls_from_one_line_are_told_apart_even_at_one_address():
    source = "def f(x):\n    x = x * w\n    return x + w\nfor _ in range(5): f(w)"
    (loop,) = boxes_of(source)
    assert loop[1] == "5 passes" and [one[1] for one in loop[2]] == ["f"] * 5


# ------------------------------------------------------------------------------------ no harm


def test_to_know_a_call_keeps_nothing_alive():
    class Held:
        pass

    refs = []

    def f(x):
        held = Held()
        refs.append(weakref.ref(held))
        return x * x

    reader = tape.watch()
    try:
        f(torch.tensor(1.0, requires_grad=True))
        assert refs[0]() is None
    finally:
        tape.release(reader)
    gc.collect()


def test_a_debugger_keeps_its_frames_and_is_told_nothing():
    events = []

    def trace(frame, event, arg):
        events.append(event)
        return trace

    def f(x):
        y = x * x
        return y + x

    reader = tape.watch()
    x = torch.tensor(1.0, requires_grad=True)
    before = sys.gettrace()
    try:
        sys.settrace(trace)
        f(x)
    finally:
        sys.settrace(before)
        tape.release(reader)
    assert "line" in events and "return" in events
