"""Notebook 04: whatever a rule does, the picture beside the verdict comes, and nothing hangs."""

from __future__ import annotations

import dataclasses
import importlib
import sys

import pytest
from lessons import FOLDER


@pytest.fixture
def nb04(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    nb04 = importlib.import_module("exercises.nb04")
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
