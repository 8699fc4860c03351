"""What is said of a write in place: which part of which tensor, in which line, and its gradient."""

from __future__ import annotations

import linecache

import pytest

import minigrad as torch
from minigrad.tape import rehearse, tape
from minigrad.tape.parts import index_text, is_index

PROGRAM = """\
a = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.zeros(2, 2)
y[0] = a * 2
row = y[1]
y[:, 0] = 7.0
row.mul_(3)
total = y.sum()
"""


@pytest.fixture
def nodes():
    """The operations of the program, as a view shows them."""
    linecache.cache["writes.py"] = len(PROGRAM), None, PROGRAM.splitlines(True), "writes.py"
    reader = tape.watch()
    space = {"torch": torch}
    exec(compile(PROGRAM, "writes.py", "exec"), space)
    tape.look_for_names()
    yield [tape.describe(key) for key in reader.made]
    tape.release(reader)


def texts(node):
    return [mark["text"] for mark in node.get("marks", ())]


def test_a_write_reads_as_the_tensor_with_a_part_of_it_replaced(nodes):
    writes = [node for node in nodes if node["op"] == "copy_slices"]
    assert [node["formula"] for node in writes] == [
        "y with [0] ← a * 2",
        "y with [:, 0] ← 7",
        "y with [1] ← row",
    ]
    assert {name for node in writes for name in node["names"]} == {"y"}


def test_its_sentence_says_which_line_wrote_what(nodes):
    said = [texts(node)[0] for node in nodes if node["op"] == "copy_slices"]
    assert said == [
        "written in place in line 3: y[0] is a * 2 now, and the rest of y is as it was",
        "written in place in line 5: y[:, 0] is 7 now, and the rest of y is as it was",
        "written in place in line 6: y[1] is row now, and the rest of y is as it was",
    ]


def test_numbers_that_are_overwritten_or_written_are_no_leaves_of_the_program(nodes):
    copies = [node for node in nodes if node["op"] == "copy"]
    assert [node["formula"] for node in copies] == ["copy(a * 2)", "copy(7)"]
    assert [one["id"] for one in copies[0]["inputs"]] == [None, nodes[0]["id"]]
    assert not any(one["id"].startswith("t") for one in copies[1]["inputs"] if one["id"])


def test_a_view_that_is_looked_up_again_after_a_write_says_so(nodes):
    first, again = [node for node in nodes if node["formula"] == "y[1]"]
    said = "a view of y that was there before y was written in place: its history begins anew"
    assert not any(said in text for text in texts(first))
    assert any(text.startswith(said) for text in texts(again))


def test_the_stepper_says_what_of_the_gradient_goes_where():
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    y = a * 1
    y[0] = a[1]
    steps = rehearse(tape, y.sum(), namespace={"a": a, "y": y})["steps"]
    (visit,) = [step for step in steps if step["text"] == "y = (a * 1) with [0] ← a[1]"]
    assert [out["rule"] for out in visit["outgoing"]] == [
        "g, but 0 in [0]: what stood there was overwritten",
        "g[0]: what of g belongs to the part that was written",
    ]
    assert [out["grad"]["data"] for out in visit["outgoing"]] == [[0.0, 1.0], [1.0]]


@pytest.mark.parametrize(
    ("index", "text"),
    [
        ((0, ...), "0"),
        ((..., 0), "..., 0"),
        ((slice(None), slice(1, None), None), ":, 1:, None"),
        ((slice(0, 6, 2),), "0:6:2"),
    ],
)
def test_an_index_is_written_as_in_a_program(index, text):
    assert is_index(index) and index_text(index) == text
    assert not is_index((2, 3))  # which may be a shape
