"""Notebook 04: whatever a rule does, the picture beside the verdict comes, and nothing hangs."""

from __future__ import annotations

import dataclasses
import importlib
import re
import sys

import pytest
from lessons import FOLDER

from minigrad.lesson import tries


@pytest.fixture
def nb04(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    nb04 = importlib.import_module("exercises.nb04")
    tries.forget()
    quick = dataclasses.replace(nb04.PUZZLES["copy"], seconds=0.2)
    monkeypatch.setitem(nb04.PUZZLES, "copy", quick)
    return nb04


def endless(v, x):
    i = 0
    while i < 4:
        pass
    return v


def leaving(v, x):
    sys.exit("done")


def vandal(v, x):
    v.zero_()
    raise ValueError("no")


RULES = {"endless": endless, "leaving": leaving, "vandal": vandal}


@pytest.mark.untraced
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_does_not_return_has_no_picture_and_does_no_harm(nb04, rule, capsys):
    assert nb04.yours(nb04.PUZZLES["copy"], RULES[rule]) == ("yours", None, None)
    nb04.puzzle("copy", RULES[rule])
    nb04.puzzle("copy", lambda v, x: v)
    assert "right" in capsys.readouterr().out


@pytest.mark.parametrize("rule", [..., None, 5, "v"])
def test_what_is_no_function_is_told_and_no_error(nb04, rule):
    nb04.puzzle("copy", rule)


def test_a_rule_that_returns_has_its_picture(nb04):
    name, got, wrong = nb04.yours(nb04.PUZZLES["copy"], lambda v, x: 2 * v)
    assert name == "yours" and got.shape == (4,) and wrong.any()


def pictured(nb04, monkeypatch):
    """What the pictures of puzzles say from now on."""
    said = []
    shown = importlib.import_module("exercises.nb04_rules")
    monkeypatch.setattr(shown, "display", lambda picture: said.append(picture.alt))
    return said


def test_what_is_wanted_is_shown_with_the_third_wrong_try_and_not_before(nb04, monkeypatch):
    said = pictured(nb04, monkeypatch)
    nb04.puzzle("reverse", lambda v, x: ...)
    for factor in (2, 3, 4):
        nb04.puzzle("reverse", lambda v, x, factor=factor: factor * v.flip(0))
    assert ["wanted" in one for one in said] == [False, False, False, True]
    assert all("differs" in one for one in said[1:])


def test_panels_that_do_not_fit_beside_each_other_stand_in_a_second_row(nb04):
    pictures = importlib.import_module("exercises.pictures")
    widths = []
    for count in (3, 6):
        drawn = pictures.heat_maps([(f"panel {i}", [1, 2, 3, 4], None) for i in range(count)])
        widths.append(re.search(r'width="(\d+)" height="(\d+)"', drawn.svg).groups())
    (narrow, low), (wide, high) = widths
    assert narrow == wide and int(wide) <= pictures.WIDEST
    assert int(high) == 2 * int(low)


def test_a_puzzle_is_dark_on_a_dark_page(nb04):
    shown = nb04.nudge(lambda x: 2 * x, nb04.torch.tensor([1.0, 2.0]), 0)._repr_html_()
    assert 'class="mg-drawn"' in shown and "[data-jp-theme-light=false]" in shown
    assert 'alt="results move by: [2, 0]"' in shown


def test_a_nudge_shows_how_the_result_moves_and_not_what_the_rule_gives(nb04, monkeypatch):
    said = pictured(nb04, monkeypatch)
    nb04.puzzle("reverse", lambda v, x: ..., nudge=1)
    assert "x[1] moves y by: [0, 0, 1, 0]" in said[0]


@pytest.mark.parametrize("place", [4, -5, "0", 1.0, (0, 0), None, True])
def test_a_nudge_of_what_is_not_there_is_told_and_no_error(nb04, place, capsys):
    nb04.puzzle("copy", lambda v, x: v, nudge=place)
    assert "there is no such entry" in capsys.readouterr().out


def test_no_first_message_of_a_puzzle_contains_a_formula_in_v(nb04):
    formula = re.compile(r"\bv ?[*@/]|[*@/] ?v\b|\bv\.\w|numel|sum\(|ones_like")
    texts = [text for one in nb04.PUZZLES.values() for text in (*one.mistakes.values(), one.hint)]
    assert [text for text in texts if formula.search(text)] == []


def test_a_nudge_measures_whole_numbers_too_and_waits_for_a_function(nb04, capsys):
    x = nb04.torch.tensor([1, 2, 3, 4])
    assert "[0, 4, 0, 0]" in nb04.nudge(lambda x: x**2, x, 1).alt
    assert nb04.nudge(lambda x: ..., x, 1) is None
    assert "nothing to measure" in capsys.readouterr().out


def own_rule_said(nb04, mine, rule):
    return nb04.own_rule.judge((mine, rule))


RIGHT_RULES = {
    "relu": (lambda x: x.relu(), lambda v, x: v * (x > 0)),
    "abs": (lambda x: x.abs(), lambda v, x: v * x.sign()),
    "cube of abs": (lambda x: x.abs() ** 3, lambda v, x: v * 3 * x * x.abs()),
    "log": (lambda x: x.log(), lambda v, x: v / x),
    "arcsine": (lambda x: x.asin(), lambda v, x: v / (1 - x**2).sqrt()),
    "running sums": (lambda x: x.cumsum(0), lambda v, x: v.flip(0).cumsum(0).flip(0)),
    "product": (lambda x: x.prod(), lambda v, x: v * x.prod() / x),
}


@pytest.mark.parametrize("name", RIGHT_RULES)
def test_a_right_rule_of_ones_own_passes_on_both_sides_of_zero(nb04, name):
    assert own_rule_said(nb04, *RIGHT_RULES[name]) == ""


WRONG_RULES = {
    "relu, as if it copied": (lambda x: x.relu(), lambda v, x: v),
    "twice relu, as if it doubled": (lambda x: x.relu() * 2, lambda v, x: v * 2),
    "abs, as if it copied": (lambda x: x.abs(), lambda v, x: v),
    "cube of abs, without its sign": (lambda x: x.abs() ** 3, lambda v, x: v * 3 * x**2),
}


@pytest.mark.parametrize("name", WRONG_RULES)
def test_a_rule_that_is_right_for_positive_numbers_only_is_refused(nb04, name):
    assert "where x[3] is -0.58, nudging it moves" in own_rule_said(nb04, *WRONG_RULES[name])


def test_a_wrong_slope_is_told_beside_the_one_that_was_measured(nb04):
    said = own_rule_said(nb04, lambda x: x**3, lambda v, x: v * 3 * x)
    measured, claimed = map(float, re.findall(r"(-?[\d.]+) times", said))
    at = float(re.search(r"is (-?[\d.]+),", said)[1])
    assert measured == pytest.approx(3 * at**2, abs=0.05)
    assert claimed == pytest.approx(3 * at, abs=0.05)


def test_what_copies_everywhere_occurred_above(nb04):
    said = own_rule_said(nb04, lambda x: x * 1, lambda v, x: v)
    assert "occurred above" in said
