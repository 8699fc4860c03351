"""A line left out of loops that are written in other ways than ``for x, y in loader``."""

from __future__ import annotations

import pytest
from test_experiments import FIXED, ask, program

from minigrad.engine import backward
from minigrad_widgets import TrainingLoop
from minigrad_widgets.left_out import question as left_out

ROUND = """
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
"""


def test_a_while_loop_that_ends_by_break_can_be_asked_about(tmp_path, monkeypatch):
    loop = "with TrainingLoop(model, optimizer) as loop:\n    count = 0\n    while True:" + ROUND
    loop += "        count += 1\n        if count == 6:\n            break\n"
    names = program(tmp_path, monkeypatch, FIXED, loop=loop)
    assert ask(names).losses[0][:6] == names["loop"].losses


def test_a_block_without_a_loop_is_one_round(tmp_path, monkeypatch):
    loop = "with TrainingLoop(model, optimizer) as loop:\n    if True:" + ROUND
    names = program(tmp_path, monkeypatch, FIXED, loop=loop)
    found = ask(names, "step")
    assert found.losses[0][0] == names["loop"].losses[0] and found.answer == "where it started"


def test_a_block_whose_last_lines_only_print_is_cut_down_to_what_trains(tmp_path, monkeypatch):
    loop = "with TrainingLoop(model, optimizer) as loop:\n    for _ in range(6):\n        try:"
    loop += ROUND.replace(" " * 8, " " * 12) + "        finally:\n            print(loss)\n"
    names = program(tmp_path, monkeypatch, FIXED, loop=loop)
    found = ask(names)
    assert found.aside == ["print(loss)"] and found.losses[0][:6] == names["loop"].losses


def test_a_loop_within_that_computes_on_integers_is_ended_too(tmp_path, monkeypatch):
    monkeypatch.setattr(left_out, "LONGEST", 0.3)
    within = "        while count < 0:\n            count -= 1\n        loss = loss + 0 * count\n"
    loop = "with TrainingLoop(model, optimizer) as loop:\n    for _ in range(6):"
    loop += ROUND.replace("        loss.backward", within + "        loss.backward")
    names = program(tmp_path, monkeypatch, FIXED + "count = 0", loop=loop)
    names["count"] = -1
    with pytest.raises(ValueError, match="had not ended after"):
        ask(names)


def test_the_losses_of_several_passes_in_one_step_agree_one_by_one(tmp_path, monkeypatch):
    more = "        (model(x).square().mean() * 1000).backward()\n        optimizer.zero_grad()\n"
    loop = (
        "with TrainingLoop(model, optimizer) as loop:\n    for _ in range(6):\n" + more + ROUND[1:]
    )
    names = program(tmp_path, monkeypatch, FIXED, loop=loop)
    assert max(names["loop"].losses) < 10 < min(ask(names, "step").losses[0])


def test_a_training_that_begins_meanwhile_in_another_cell_goes_on_being_heard(
    tmp_path, monkeypatch
):
    """JupyterLab lets the page ask in a thread of its own, while a cell runs."""
    loop = "with TrainingLoop(model, optimizer) as loop:\n    for _ in range(6):" + ROUND
    names = program(tmp_path, monkeypatch, FIXED, loop=loop)
    both = left_out.Program.both

    def begins(*given):
        backward.listeners.append(listener)
        return both(*given)

    def listener(roots, over):
        """What another training would put there."""

    monkeypatch.setattr(left_out.Program, "both", begins)
    ask(names)
    backward.listeners.remove(listener)  # an error where it was forgotten


def test_no_training_is_told_of_the_passes_that_a_question_needs(tmp_path, monkeypatch):
    loop = "with TrainingLoop(model, optimizer) as loop:\n    for _ in range(6):" + ROUND
    names = program(tmp_path, monkeypatch, FIXED, loop=loop)
    with TrainingLoop(names["model"]) as other:
        ask(names)
    assert other.losses == []
