"""When two answers are the same: tiny numbers, sets, dicts, and gradients wherever they are."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from minigrad.lesson import Exercise, check, predict
from minigrad.lesson.checking import examined


def leaf(value, **options):
    return torch.tensor(value, requires_grad=True, **options)


def passes(answer, attempt, **options):
    return check(Exercise("it", answer=answer, **options), attempt).passed


def said(answer, attempt, **options):
    return check(Exercise("it", answer=answer, **options), attempt).message


def right(answer, attempt):
    """What the third wrong attempt is told."""
    return examined(Exercise("it", answer=answer), attempt).right


# --- Tiny numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [0.0, 2e-7, -1e-7])
def test_a_tiny_number_is_compared_by_its_own_size(wrong):
    assert not passes(1e-7, wrong)
    assert not passes([1e-7, 2e-7], [wrong, 2e-7])
    assert passes(1e-7, 1.00001e-7)


def test_a_tiny_result_and_its_tiny_gradient_are_compared():
    cases = [(leaf(1.0),)]
    assert not passes(lambda w: torch.sigmoid(-20 * w), lambda w: 0.0 * w, cases=cases)
    assert passes(
        lambda w: torch.sigmoid(-20 * w), lambda w: 1 / (1 + torch.exp(20 * w)), cases=cases
    )


def test_a_zero_among_others_may_be_off_by_the_noise_of_floats():
    assert passes([1.0, 0.0], [1.0, 1e-9])
    assert not passes([1.0, 0.0], [1.0, 1e-5])
    assert predict("?", [1.0, 0.0], mine=[1.0, 1e-9]).right
    assert not predict("?", [1.0, 0.0], mine=[1.0, 1e-4]).right
    assert not predict("?", [1e-7, 0.0], mine=[1e-7, 1e-9]).right


def test_a_zero_alone_may_be_off_by_a_few_roundings():
    assert passes(0.0, 1e-16) and not passes(0.0, 1e-9)
    assert passes(torch.tensor(0.0), torch.tensor(1e-7))
    assert not passes(torch.tensor(0.0), torch.tensor(1e-5))
    assert predict("?", 0.0, mine=1e-16).right and not predict("?", 0.0, mine=1e-9).right


# --- Whole numbers -------------------------------------------------------------------------------


def test_whole_numbers_are_exact():
    assert not passes(20000, 20001) and not passes(20000, 20000.4)
    assert not passes([20000, 3], [20001, 3])
    assert passes(20000, 20000.0)
    huge = np.full(200_000, 20000)
    assert not predict("?", huge, mine=huge + 1).right


def test_a_float_may_stand_for_a_whole_number_up_to_rounding():
    assert passes(15, torch.tensor(15.000001)) and passes(3, 0.1 * 3 * 10)


def test_where_six_digits_do_not_show_the_difference_there_are_more(capsys):
    assert "You said 33.0000001. Not yet: too large." in predict("?", 33, mine=33.0000001).text
    made = predict("?", 33, mine=33.0000001)
    made.give_up()
    assert "You said 33.0000001. The answer is: 33." in made.text
    assert said(33, 33.0000001) == "it is 33.0000001: too large."
    assert right(33, 33.0000001).startswith("It is 33.0000001, and should be 33 ")
    assert said({"a": 33}, {"a": 33.0000001}) == "it is {'a': 33.0000001}, which is not right."
    should_be = "It is {'a': 33.0000001}, and should be {'a': 33}."
    assert right({"a": 33}, {"a": 33.0000001}) == should_be


# --- Sets and dicts ------------------------------------------------------------------------------

SAME = [
    ({8, 0}, {0, 8}),
    ({0.3, 1.0}, {0.1 + 0.2, 1.0}),
    ({"Leaf", "node"}, {"node", "leaf"}),
    ({"b": 2, "a": 1}, {"a": 1, "b": 2}),
    ({"a": 0.3}, {"a": 0.1 + 0.2}),
    ({"w": torch.tensor([1.0, 2.0])}, {"w": [1, 2]}),
    ({"w": {"b": leaf([1.0, 2.0]) * 1}}, {"w": {"b": np.array([1.0, 2.0])}}),
    ([{"a": 1}, {2, 3}], [{"a": 1}, {3, 2}]),
]
DIFFERENT = [
    ({8, 0}, {0, 9}),
    ({8, 0}, {0}),
    ({0.3, 0.3001}, {0.3002, 0.9}),
    ({"b": 2, "a": 1}, {"a": 2, "b": 1}),
    ({"a": 1}, {"a": 1, "b": 2}),
    ({"a": 1}, {"b": 1}),
    ({"w": torch.tensor([1.0, 2.0])}, {"w": [1, 3]}),
    ({"w": leaf([0.12341, 0.5]) * 1}, {"w": leaf([0.1239, 0.5]) * 1}),
]


@pytest.mark.parametrize(("answer", "attempt"), SAME)
def test_sets_and_dicts_are_compared_by_what_is_in_them(answer, attempt):
    assert passes(answer, attempt) and predict("?", answer, mine=attempt).right


@pytest.mark.parametrize(("answer", "attempt"), DIFFERENT)
def test_sets_and_dicts_that_differ_are_wrong(answer, attempt):
    assert not passes(answer, attempt) and not predict("?", answer, mine=attempt).right


def test_tensors_in_a_dict_are_compared_in_full():
    right, wrong = torch.zeros(2000), torch.zeros(2000)
    wrong[500:1500] = 7
    assert not passes({"w": right}, {"w": wrong})
    assert not passes({"w": torch.tensor([0.12341, 0.5])}, {"w": torch.tensor([0.12344, 0.5])})
    cases = [(1.0,)]
    assert not passes(lambda x: {"w": right}, lambda x: {"w": wrong}, cases=cases)


def test_modules_are_compared_by_their_states():
    def made(value):
        model = nn.Linear(2, 2)
        with torch.no_grad():
            for p in model.parameters():
                p.fill_(value)
        return model

    cases = [(1.0,)]
    assert passes(made, lambda x: made(1.0), cases=cases)
    assert not passes(made, lambda x: made(2.0), cases=cases)


# --- Gradients -----------------------------------------------------------------------------------

HOLDERS = {
    "list": (lambda: [leaf(2.0), leaf(3.0)], lambda ps: ps[0] * ps[1], "[0]"),
    "dict": (lambda: {"w": leaf(2.0), "b": leaf(3.0)}, lambda ps: ps["w"] * ps["b"], "[w]"),
    "nested": (lambda: [[leaf(2.0)], (leaf(3.0),)], lambda ps: ps[0][0] * ps[1][0], "[0][0]"),
    "module": (lambda: nn.Linear(2, 1), lambda m: (m.weight.sum() * m.bias).sum(), ".weight"),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_gradients_are_compared_for_leaves_inside_an_argument(holder):
    make, answer, place = HOLDERS[holder]
    cases = [(make(),)]
    assert passes(answer, answer, cases=cases)
    assert "no history" in said(answer, lambda ps: answer(ps).detach(), cases=cases)
    half = said(answer, lambda ps: 0.5 * answer(ps) + 0.5 * answer(ps).detach(), cases=cases)
    assert f"the gradient for argument 1{place}" in half


NESTED = {
    "dict": lambda y: {"y": y, "n": 1},
    "list in a list": lambda y: [[y], 1],
    "list of rows": lambda y: ([y, y * 2], 3.0),
}


@pytest.mark.parametrize("result", NESTED)
def test_gradients_are_compared_when_the_result_is_nested(result):
    nested, cases = NESTED[result], [(leaf(2.0),)]
    assert passes(lambda x: nested(x * x), lambda x: nested(x**2), cases=cases)
    assert not passes(lambda x: nested(x * x), lambda x: nested((x * x).detach()), cases=cases)


def test_an_argument_in_itself_ends_the_search_for_leaves():
    endless = [leaf(2.0)]
    endless.append(endless)
    assert passes(lambda ps: ps[0] * 2, lambda ps: ps[0] * 2, cases=[(endless,)])


# --- Exercises that compare nothing --------------------------------------------------------------


@pytest.mark.parametrize("options", [{"cases": []}, {"count": 0}, {"count": -1}, {"count": 2.5}])
def test_an_exercise_without_a_single_case_is_ill_made(options):
    options = {"cases": lambda random: (random.normal(),), **options}
    with pytest.raises(ValueError, match=r"cases is empty|count must be"):
        Exercise("abs", answer=abs, **options)
