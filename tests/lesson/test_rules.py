"""The rules of the course, and the texts that are marked with them."""

from __future__ import annotations

import pytest

from minigrad.lesson import RULES, Broke, broke, engines
from minigrad.lesson.rules import TAUGHT, either, offered, rule_of


def test_a_marked_text_is_a_text_with_a_rule():
    said = broke("add", "Only one path.")
    assert said == "Only one path." and isinstance(said, str) and isinstance(said, Broke)
    assert rule_of(said) == "add" and rule_of("Only one path.") == ""


@pytest.mark.parametrize("rule", ["", "Add", "sum"])
def test_an_unknown_rule_is_an_error_that_lists_those_there_are(rule):
    with pytest.raises(ValueError, match="choose one of direction, multiply, "):
        broke(rule, "Only one path.")


def test_what_is_marked_must_be_a_text():
    with pytest.raises(TypeError, match="must be a str, not int"):
        broke("add", 5)


def test_every_rule_is_one_sentence():
    for sentence in RULES.values():
        assert sentence.endswith(".") and len(sentence) <= 80


@pytest.mark.parametrize("rule", RULES)
def test_three_different_rules_are_offered_and_always_the_same(rule):
    assert rule in offered(rule) and len(set(offered(rule))) == 3
    assert offered(rule) == offered(rule)


@pytest.mark.parametrize("rule", RULES)
def test_no_rule_is_offered_before_it_is_taught(rule):
    assert all(TAUGHT[other] <= TAUGHT[rule] for other in offered(rule))


def test_the_lessons_teach_the_rules_in_their_order():
    assert list(TAUGHT) == list(RULES)
    assert list(TAUGHT.values()) == sorted(TAUGHT.values())


def test_a_rule_that_is_no_choice_is_not_offered():
    assert set(offered("add")) == {"add", "wait", "accumulate"}
    without = ["fills", "accumulate", "record", "leaf"]
    assert set(offered("add", without)) == {"add", "wait", "local"}


def test_the_right_rule_stands_in_each_place_for_some():
    assert {offered(rule).index(rule) for rule in RULES} == {0, 1, 2}


def test_two_mistakes_keep_the_rule_that_they_share():
    one, other = broke("wait", "Too early."), broke("wait", "Twice.")
    assert either(one, other) == "Too early. Or: Twice."
    assert rule_of(either(one, other)) == "wait"
    assert rule_of(either(one, broke("add", "One path."))) == ""
    assert rule_of(either(one, "Something.")) == rule_of(either("Something.", one)) == ""


@pytest.mark.parametrize("name", engines.WRONG)
def test_every_wrong_engine_breaks_a_rule(name):
    assert engines.WRONG[name].said().rule in RULES
