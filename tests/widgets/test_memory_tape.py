"""MemoryTape in the kernel: what it tells the page, its words, and its still."""

from __future__ import annotations

import doctest
import json
import sys
from xml.etree import ElementTree

import memory_programs as programs
import pytest
from measured import measured_from_nothing  # noqa: F401

import minigrad as torch
from minigrad.tape import tape
from minigrad.utils.checkpoint import checkpoint
from minigrad_widgets import GraphView, MemoryTape, TapePlayer
from minigrad_widgets.session import session

pytestmark = pytest.mark.usefixtures("measured_from_nothing")

KIB = 1024


def leaks(view):
    return [(one["name"], one["leak"]) for one in view.memory["keepers"] if one["leak"]]


def test_a_chain_is_told_moment_by_moment_with_its_lines_and_its_peak():
    view = programs.chain(4)
    memory = view.memory
    assert repr(view) == "MemoryTape(peak 64 KiB, 0 bytes at the end)"
    assert [moment[0] for moment in memory["moments"]].count("made") == 9
    assert max(memory["curve"]) == memory["peak"]["bytes"] == 64 * KIB
    peak = memory["lines"][memory["peak"]["line"]]
    assert peak["text"] == "h = torch.tanh(h @ w)"
    shown = [line["text"] for block in memory["source"] for line in block["lines"]]
    assert "    loss = h.sum()" in [line[4:] for line in shown]


def test_a_shared_array_knows_all_who_have_saved_it():
    memory = programs.chain(3).memory
    first = memory["buffers"][0]
    formulas = [memory["nodes"][place]["formula"] for place in first["by"]]
    assert formulas == ["tanh(x @ w)", "h @ w"]
    assert memory["nodes"][first["by"][0]]["name"] == "h"


@pytest.mark.parametrize(
    ("program", "found"),
    [
        (programs.evaluation, [("total", "activations")]),
        (programs.kept_losses, [("losses", "nodes")]),
        (programs.stored_outputs, [("outputs", "outputs")]),
        (programs.chain, []),
    ],
)
def test_each_leak_is_told_by_its_sentence_and_the_variable(program, found):
    view = program()
    assert leaks(view) == found
    for name, _ in found:
        first = view.memory["keepers"][0]
        assert first["says"].startswith(f"`{name}` of {program.__name__} (memory_programs.py, line")
        assert first["says"] in str(view)


def test_no_grad_saves_nothing_and_says_so():
    view = programs.without_grad()
    assert view.memory["curve"] == [0]
    assert view.memory["note"].startswith("No operation was recorded, so nothing was saved")
    assert repr(view) == "MemoryTape(nothing saved)"


def test_checkpoint_lowers_the_peak():
    peak = programs.checkpointed().memory["peak"]["bytes"]
    assert programs.chain(16).memory["peak"]["bytes"] == 16 * 16 * KIB
    assert peak < 10 * 16 * KIB


def test_what_a_recomputed_segment_frees_is_freed_by_the_visit_of_its_own_node():
    w = (torch.ones(8, 8) / 8).requires_grad_()

    def segment(h):
        return torch.tanh(torch.tanh(h @ w) @ w)

    def run(h):
        return checkpoint(segment, h, use_reentrant=False)

    with MemoryTape(ask=False) as view:
        run(run(w)).sum().backward()
    nodes = view.memory["nodes"]
    visits = [nodes[node]["formula"] for kind, _, node in view.memory["moments"] if kind == "visit"]
    assert [formula.split("(")[0] for formula in visits].count("tanh") >= 4
    assert not any(formula.startswith("sum") for formula in visits)


def test_the_question_knows_the_peak_and_names_mistakes():
    question = programs.evaluation(ask=True).memory["question"]
    assert question["answer"]["text"].endswith(" KiB")
    whys = [mistake["why"] for mistake in question["mistakes"]]
    assert any("In float32 each takes 4 bytes" in why for why in whys)
    assert any("what two operations have saved is there only once" in why for why in whys)
    answers = [float(one["value"]["number"]) for one in question["mistakes"]]
    right = float(question["answer"]["value"]["number"])
    assert all(abs(one - right) > 0.1 * right for one in answers)
    assert programs.chain().memory["question"] is None


def test_a_block_that_raises_is_measured_until_then():
    w = programs.weight()
    with pytest.raises(ValueError, match="stop"), MemoryTape() as view:
        h = torch.tanh(w)
        raise ValueError("stop")
    assert view.memory["note"] == "The block ended with ValueError."
    assert view.memory["peak"]["bytes"] == h._array.nbytes


def test_outside_of_a_block_it_measures_until_it_is_closed(monkeypatch):
    view = MemoryTape()
    h = torch.tanh(programs.weight())
    view.bring_up_to_date()
    assert not view.memory["ended"]
    assert view.memory["curve"][-1] == h._array.nbytes
    assert view.memory["question"] is None
    assert repr(view) == "MemoryTape(peak 16 KiB, 16 KiB after 1 moment)"
    del h
    session._end()  # a cell has ended
    assert view.memory["curve"][-1] == 0
    view.close()
    assert tape.memories == ()
    assert view not in session.views


def test_a_block_is_measured_anew():
    view = MemoryTape(ask=False)
    for _ in range(2):
        with view:
            torch.tanh(programs.weight())
        assert view.memory["peak"]["bytes"] == 16 * KIB
    assert tape.memories == ()


def test_other_views_see_and_play_what_is_measured():
    w = programs.weight()
    with GraphView() as graph, MemoryTape() as memory, TapePlayer() as player:
        h = torch.tanh(w)
        h.sum().backward()
    assert repr(graph) == "GraphView(2 operations)"
    assert memory.memory["peak"]["bytes"] == 16 * KIB
    assert any(moment["kind"] == "step" for moment in player.recording["moments"])


def test_the_still_has_a_picture_a_table_and_sentences():
    still = programs.evaluation().still()
    svg = ElementTree.fromstring(still.svg)
    words = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert any(word.startswith("peak 9") for word in words)
    assert "operations   saved" in still.table
    assert "total += loss" in still.table
    assert "`total` of evaluation" in still.says
    assert len(still.html()) < 40_000


def test_the_still_of_nothing_is_its_note():
    still = programs.without_grad().still()
    assert still.svg == ""
    assert still.table.startswith("No operation was recorded")


def test_the_example_of_the_docstring_runs():
    module = sys.modules[MemoryTape.__module__]
    assert doctest.testmod(module).failed == 0


def test_hostile_names_reach_the_page_as_text():
    w = programs.weight()
    space = {"torch": torch, "w": w, "MemoryTape": MemoryTape}
    program = (
        "with MemoryTape() as view:\n    kept = {'<img src=x onerror=1>\\ud800': torch.tanh(w)}\n"
    )
    exec(compile(program, "hostile", "exec"), space)
    told = json.dumps(space["view"].get_state()["memory"], ensure_ascii=False)
    assert "<img src=x onerror=1>" in told
    assert "\ud800" not in told
    space["kept"].clear()  # the tape knows this namespace, and looks for names in it
