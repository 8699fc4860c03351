"""Notices: what is legal and seldom meant is said to those who ask, and to nobody else."""

from __future__ import annotations

import warnings

import pytest

import minigrad as torch
from minigrad.engine.node import Watch
from minigrad.tape import notices, tape


def leaf(value=2.0):
    return torch.tensor(value, requires_grad=True)


def said(program):
    """The notices that a program causes, which end in its file."""
    with warnings.catch_warnings(record=True) as caught, notices():
        warnings.simplefilter("always")
        program()
    assert all(warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught]


def train(steps, clear=None):
    weight = leaf()
    optimiser = torch.optim.SGD([weight], lr=0.01)
    for _ in range(steps):
        if clear is not None:
            clear(optimiser)
        (weight * weight).backward()
        optimiser.step()


def test_mg101_an_optimiser_steps_with_the_sum_of_several_passes():
    (text,) = said(lambda: train(4))
    assert text.startswith("weight.grad already holds the sum of 2 backward passes")
    assert "zero_grad()" in text and 'more: torch.explain("MG101")' in text


def test_mg101_names_the_cells_of_the_passes():
    def program():
        weight = leaf()
        for cell in ("In [4]", "In [7]"):
            tape.cell = cell
            (weight * weight).backward()
        tape.cell = ""
        torch.optim.SGD([weight], lr=0.1).step()

    assert "(it did in In [4], In [7])" in said(program)[0]


def test_gradients_that_were_cleared_in_either_way_are_not_mentioned():
    assert said(lambda: train(4, lambda optimiser: optimiser.zero_grad())) == []
    assert said(lambda: train(4, lambda optimiser: optimiser.zero_grad(set_to_none=False))) == []


def test_mg110_a_total_that_collects_the_graphs_of_many_passes():
    def program():
        weight = leaf()
        total = 0.0
        for _ in range(12):
            loss = weight * weight
            loss.backward()
            total += loss

    (text,) = said(program)
    assert text.startswith("'total' has a history of 10 graphs")
    assert "test_notices.py line" in text and "total += loss" in text


def test_mg110_also_where_the_loss_is_added_before_its_pass_and_in_place():
    def program():
        weight = leaf()
        sums = torch.zeros(())
        for _ in range(12):
            loss = weight * weight
            sums += loss
            loss.backward()

    assert said(program)[0].startswith("'sums' has a history of 10 graphs")


def test_a_long_sum_that_is_one_loss_is_not_mentioned():
    def program():
        weight = leaf()
        for _ in range(3):
            loss = 0.0
            for i in range(50):
                loss = loss + weight * i
            loss.backward()
            loss.item() + 1.0

    assert said(program) == []


def test_a_total_of_numbers_is_not_mentioned():
    def program():
        weight = leaf()
        total = 0.0
        for _ in range(30):
            loss = weight * weight
            loss.backward()
            total += loss.item()

    assert said(program) == []


def test_sums_and_roots_are_forgotten_beyond_a_limit(monkeypatch):
    monkeypatch.setattr("minigrad.tape.notice.REMEMBERED", 5)
    weight = leaf()
    with notices() as watching:
        for _ in range(20):
            (weight + 1 + 1).backward()
    assert max(map(len, (watching.sums, watching.sum_of, watching.roots))) <= 7


def test_mg114_stops_a_loop_without_end_at_the_line_that_fills_the_graph():
    value = leaf(0.0)
    with notices(operations=100), pytest.raises(RuntimeError) as caught:
        while value < 1000:
            value = value * 2
    text = str(caught.value)
    assert text.startswith("stopped after 100 operations without a backward pass")
    assert "value = value * 2" in text and "MG114" in text
    assert Watch.observer is None, "the guard has let go"


def test_mg114_stops_the_next_loop_as_well():
    value = leaf(0.0)
    with notices(operations=100):
        for _ in range(3):
            with pytest.raises(RuntimeError, match="stopped after 100 operations"):
                while value < 1000:
                    value = value * 2
            value = leaf(0.0)


def test_mg114_counts_each_cell_by_itself(monkeypatch):
    """Whoever runs a cell of many operations again and again has no endless loop."""
    with notices(operations=100):
        for number in range(3):
            monkeypatch.setattr(tape, "cell", f"In [{number}]")
            value = leaf(1.0)
            for _ in range(60):
                value = value * 2


def test_a_run_of_diff_has_its_own_limit_among_notices_that_allow_more():
    def doubled(a):
        while a < 1000:
            a = a * 2
        return a

    with notices(operations=50_000) as watching:
        with pytest.raises(RuntimeError, match="stopped after 10000 operations"):
            torch.tape.diff(doubled, {"a": 0.0}, {"a": 1.0})
        assert watching.operations == 50_000 and watching.since == 0


def test_mg114_counts_from_the_latest_pass():
    weight = leaf()
    with notices(operations=10):
        for _ in range(20):
            (weight * weight).backward()


def test_mg114_where_no_line_of_the_program_is_known():
    weight = leaf()
    with notices(operations=2), pytest.raises(RuntimeError, match="stopped after 2"):
        list(map(torch.exp, [weight] * 3))


def test_without_being_asked_nothing_is_said():
    train(3)
    assert Watch.observer is None


def test_a_later_request_takes_over_from_an_earlier_one():
    first = notices()
    second = notices(operations=5)
    first.stop()
    assert tape.listener is second
    second.stop()
    second.stop()
    assert tape.listener is None and Watch.observer is None


def test_notices_and_a_reader_do_not_disturb_each_other():
    reader = tape.watch()
    with notices():
        result = leaf() * 3
    tape.catch_up()
    assert f"n{result.grad_fn.seq}" in reader.changed
    assert Watch.observer is tape
    tape.release(reader)


@pytest.mark.parametrize("code", ["MG101", "MG110", "MG114"])
def test_each_notice_has_a_page(code, capsys):
    torch.explain(code)
    page = capsys.readouterr().out
    assert page.startswith(code) and "tape.notices()" in page
