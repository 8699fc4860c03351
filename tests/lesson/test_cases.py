"""The arguments of an exercise: each call gets its own, whatever the calls before have done."""

from __future__ import annotations

import numpy as np
import pytest

import minigrad as torch
from minigrad import nn
from minigrad.lesson import Exercise, check


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def said(exercise, attempt):
    return check(exercise, attempt).message


def double(x):
    return x * 2


def doubled_in_place(x):
    x *= 2
    return x


MADE = {"tensor": torch.tensor, "array": np.array, "list": list}


@pytest.mark.parametrize("kind", ["tensor", "array"])
def test_an_attempt_may_write_into_its_argument(kind):
    exercise = Exercise("double", answer=double, cases=[(MADE[kind]([1.0, 2.0]),)])
    assert check(exercise, doubled_in_place).passed
    assert check(exercise, doubled_in_place).passed


@pytest.mark.parametrize("kind", MADE)
def test_an_attempt_that_destroys_its_argument_does_not_make_wrong_answers_right(kind):
    def vandal(x):
        for place in range(len(x)):
            x[place] = 0.0
        return x

    exercise = Exercise("sum", answer=lambda x: x[0] + x[1], cases=[(MADE[kind]([1.0, 2.0]),)])
    check(exercise, vandal)
    assert not check(exercise, lambda x: 0.0).passed
    assert check(exercise, lambda x: x[0] + x[1]).passed


def test_neither_answers_nor_mistakes_hand_on_what_they_have_written():
    def wrong(x):
        x.zero_()
        return x

    exercise = Exercise(
        "double", answer=doubled_in_place, cases=[(torch.ones(2),)], mistakes={wrong: "it is zero."}
    )
    assert check(exercise, double).passed
    assert said(exercise, lambda x: x * 0) == "it is zero."
    assert said(exercise, lambda x: x * 3).startswith("called with [1, 1], entry [0]")


def test_cases_of_a_function_are_copied_too():
    x = torch.ones(2)
    exercise = Exercise("double", answer=double, cases=lambda random: (x,))
    assert check(exercise, doubled_in_place).passed and x.tolist() == [1.0, 1.0]


def test_a_function_may_make_arguments_with_a_history():
    exercise = Exercise("double", answer=double, cases=lambda random: (leaf(2.0) * 3,))
    assert check(exercise, double).passed


def test_cases_from_the_default_generator_are_the_same_for_all():
    exercise = Exercise("double", answer=double, cases=lambda random: (torch.rand(2),))
    assert check(exercise, double).passed
    first, second = [case[0].tolist() for case in exercise.generated()][:2]
    assert first != second


def test_a_leaf_stays_a_leaf_and_gets_no_gradient_of_another_call():
    seen = []

    def attempt(x):
        seen.append((x.is_leaf, x.requires_grad, x.grad, x.grad_fn))
        (x * x).backward()
        return x * 2

    exercise = Exercise("double", answer=double, cases=[(leaf(3.0),)])
    assert check(exercise, attempt).passed and check(exercise, attempt).passed
    assert seen == [(True, True, None, None)] * 2


def test_what_two_arguments_share_they_share_in_the_copy():
    x, w = torch.ones(4), [1.0]

    def attempt(x, again, view, w, same):
        assert x is again and w is same
        view.zero_()
        return x.sum()

    cases = [(x, x, x[:2], w, w)]
    exercise = Exercise("shared", answer=lambda *ignored: torch.tensor(2.0), cases=cases)
    assert check(exercise, attempt).passed and check(exercise, attempt).passed


def test_a_module_is_copied_with_its_weights():
    def attempt(model):
        model.weight.data.zero_()
        return model.weight.sum() * 0

    model = nn.Linear(2, 2)
    exercise = Exercise("module", answer=lambda m: m.weight.sum() * 0, cases=[(model,)])
    assert check(exercise, attempt).passed and model.weight.any()


NOT_COPIED = {
    "history": leaf(2.0) * 3,
    "generator": (i for i in range(3)),
    "history in a list": [leaf(2.0) * 3],
}


@pytest.mark.parametrize("argument", NOT_COPIED.values(), ids=NOT_COPIED)
def test_what_cannot_be_copied_is_told_when_the_exercise_is_made(argument):
    with pytest.raises(ValueError, match=r"double: case 2 cannot be copied.*Take a function"):
        Exercise("double", answer=double, cases=[(1.0,), (argument,)])


@pytest.mark.parametrize("case", [2.0, "text", torch.ones(2)], ids=str)
def test_a_case_is_a_tuple_of_arguments(case):
    with pytest.raises(TypeError, match=r"double: case 1 is .*a tuple with the arguments"):
        Exercise("double", answer=double, cases=[case])


def test_cases_may_come_from_an_iterator():
    exercise = Exercise("double", answer=double, cases=((v,) for v in (1.0, 2.0)))
    assert check(exercise, double).passed and not check(exercise, lambda x: x + 1).passed


def test_what_happens_to_the_lists_of_an_exercise_later_does_not_count():
    answer, cases = [1, 2], [(torch.ones(2),)]
    value = Exercise("value", answer=answer)
    function = Exercise("double", answer=double, cases=cases)
    answer[0] = 5
    cases[0][0].zero_()
    cases.clear()
    assert check(value, [1, 2]).passed and not check(value, answer).passed
    assert check(function, double).passed and not check(function, lambda x: x).passed


def test_an_answer_does_not_change_with_the_tensor_that_it_was():
    w = leaf([1.0, 2.0])
    exercise = Exercise("w", answer=w * 2)
    parameter = Exercise("w", answer=w, mistakes={w * 3: "three times."})
    w.data.zero_()
    assert check(exercise, [2, 4]).passed and check(parameter, [1, 2]).passed
    assert said(parameter, [3, 6]) == "three times."
    assert not check(parameter, w).passed


def test_an_attempt_may_return_the_same_tensor_each_time():
    buffer = torch.zeros(1)

    def attempt(x):
        buffer[0] = 2 * x
        return buffer

    assert check(Exercise("double", answer=double, cases=[(1.0,), (2.0,)]), attempt).passed


def test_random_numbers_are_the_same_for_attempt_and_answer():
    def dropped(x):
        return torch.nn.functional.dropout(x) + np.random.rand()

    exercise = Exercise("drop", answer=dropped, cases=[(torch.ones(50),)])
    assert check(exercise, lambda x: torch.nn.functional.dropout(x) + np.random.rand()).passed


def test_a_mistake_that_cannot_do_with_an_attempt_is_another_one():
    exercise = Exercise("sign", answer=3.0, mistakes={lambda v: v["x"] < 0: "negative."})
    assert said(exercise, 2).startswith("it is 2")
    function = Exercise("id", answer=abs, cases=[(2.0,)], mistakes={lambda x: x.sum(): "a sum."})
    assert said(function, lambda x: x + 1).startswith("called with 2, the result is 3")
