"""``predict``: it asks before it reveals, judges once, and never stops a notebook."""

from __future__ import annotations

import functools
import io

import numpy as np
import pytest

import minigrad as torch
from minigrad.lesson import broke, faces, poll, predict, tries
from minigrad.lesson.values import same, words


def test_the_question_is_asked_and_the_answer_is_not_given_away(capsys):
    made = predict("What is b.grad?", 15.0, mistakes={8: "Only one path."}, because="7 + 8")
    printed = capsys.readouterr().out
    assert printed.startswith("Predict: What is b.grad?\n  not answered yet: write mine=")
    assert "15" not in printed and "7 + 8" not in printed and "path" not in printed
    assert not made.answered and not made.right
    assert repr(made) == "Prediction(not answered yet)"


def test_a_right_answer_gets_the_reason(capsys):
    made = predict("What is b.grad?", 15.0, mine=15, because="7 + 8")
    assert capsys.readouterr().out == "Predict: What is b.grad?\n  ✓ Right: 15.\n  7 + 8\n"
    assert made.answered and made.right and repr(made) == "Prediction(right)"


def test_a_wrong_answer_that_is_a_known_mistake_is_named_and_nothing_more_is_told(capsys):
    made = predict("b.grad?", 15.0, mine=8, mistakes={7: "Via c.", 8: "Via d."}, because="7 + 8")
    assert capsys.readouterr().out.splitlines()[1:] == [
        "  ✗ You said 8. Not yet.",
        "  Via d.",
        "  Write another answer at mine=… and run the cell again.",
    ]
    assert made.answered and not made.right and made.mistake == "Via d."
    assert repr(made) == "Prediction(wrong)"


def test_a_wrong_answer_without_a_name_asks_how_it_was_found(capsys):
    assert predict("b.grad?", 15.0, mine=9, mistakes={8: "Via d."}).mistake == ""
    printed = capsys.readouterr().out
    assert "You said 9. Not yet: too small." in printed and "Say to yourself" in printed
    assert "15" not in printed and "Hint" not in printed


def test_a_wrong_answer_may_be_followed_by_another_and_a_right_one_is_locked():
    made = predict("b.grad?", 15.0, mine=9)
    made.lock(15)
    assert made.right and made.settled and made.mine == 15 and made.first == 9
    made.lock(9)
    assert made.right and made.mine == 15


# --- The ladder ----------------------------------------------------------------------------------


def climb(*answers, **options):
    """One question, asked anew for each answer; what is said each time."""
    asked = {"mistakes": {8: "Via d."}, "hint": "Count the paths.", "because": "7 + 8", **options}
    return [predict("b.grad?", 15.0, mine=mine, **asked).text for mine in answers]


def test_the_third_wrong_answer_is_told_what_is_right_and_not_before():
    first, second, third = climb(8, 9, 10)
    assert "Via d." in first and "Hint" not in first
    assert "Hint: Count the paths." in second and "Say to yourself" in second
    assert third.splitlines()[1:] == ["  ✗ You said 10. The answer is: 15.", "  7 + 8"]
    for text in (first, second):
        assert "15" not in text and "7 + 8" not in text


def test_the_same_wrong_answer_again_is_not_another_try():
    again = climb(9, 9, 9.0, torch.tensor(9.0))
    assert len(set(again)) == 1 and "Hint" not in again[-1]
    assert "Hint" in climb(9, 10)[-1]


@pytest.mark.parametrize("before", [(), (8,), (8, 9), (8, 9, 10)])
def test_a_right_answer_is_right_at_every_rung(before):
    *_, last = climb(*before, 15)
    assert last.splitlines()[1:] == ["  ✓ Right: 15.", "  7 + 8"]


def test_without_a_hint_there_is_one_that_always_helps():
    assert "Hint: Do it by hand for the smallest case" in climb(8, 9, hint="")[-1]


def test_each_question_has_a_ladder_of_its_own():
    climb(8, 9)
    assert "Hint" not in predict("a.grad?", 7.0, mine=9).text
    assert "Hint" not in predict("b.grad?", 14.0, mine=10).text


def test_the_first_answer_is_remembered():
    climb(8, 9)
    made = predict("b.grad?", 15.0, mine=15)
    assert made.first == 8 and made.mine == 15 and made.rung == 2 and made.right
    assert predict("b.grad?", 15.0).first is None


def test_a_ladder_begins_anew_when_it_is_asked_to():
    climb(8, 9)
    tries.forget()
    assert "Hint" not in climb(9)[-1]


def test_whoever_has_tried_may_ask_for_the_answer():
    made = predict("b.grad?", 15.0, because="7 + 8")
    made.give_up()
    assert not made.settled and "15" not in made.text
    made.lock(8)
    made.give_up()
    assert (
        made.settled and not made.right and "You said 8. The answer is: 15.\n  7 + 8" in made.text
    )
    made.lock(15)
    assert not made.right


def test_a_text_where_a_number_or_a_list_is_wanted_says_so_and_is_no_answer():
    for true, what in ((15.0, "a number"), ([3, 5], "a list")):
        made = predict("b.grad?", true, mine="fifteen")
        assert not made.answered and not made.tries
        assert made.unread == f"{what} is wanted, without quotation marks."


def test_a_known_mistake_knows_the_rule_that_it_breaks():
    named = {8: broke("add", "Via d."), 7: "Via c."}
    assert predict("b.grad?", 15.0, mine=8, mistakes=named).rule == "add"
    assert predict("b.grad?", 15.0, mine=7, mistakes=named).rule == ""
    assert predict("b.grad?", 15.0, mine=15, mistakes=named).rule == ""


def test_with_two_choices_the_second_try_is_right():
    assert "It is" not in predict("Is c a leaf?", False, mine=True).text
    assert predict("Is c a leaf?", False, mine=False).right


# --- Where nothing is right or wrong -------------------------------------------------------------


def test_a_poll_marks_no_answer(capsys):
    for mine in (4, 15, "neither"):
        made = poll("Which?", [4, 15, "neither"], mine=mine, because="Test it.")
        assert made.text.splitlines()[1:] == [
            f"  You said {mine}. Nothing is right or wrong here.",
            "  Test it.",
        ]
        assert made.settled and not made.right and made.rung == 0
    assert repr(made) == "Prediction(answered)"


def test_an_open_poll_asks_and_takes_only_its_choices(capsys):
    assert "choices: 4 | 15\n  not answered yet" in poll("Which?", [4, 15]).text
    assert not poll("Which?", [4, 15], mine=8).answered


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        ((5, [1]), {}, TypeError),
        (("?", "12"), {}, TypeError),
        (("?", []), {}, ValueError),
        (("?", [1]), {"because": 5}, TypeError),
    ],
)
def test_an_ill_made_poll_is_an_error_at_once(arguments, options, error):
    with pytest.raises(error):
        poll(*arguments, **options)


# --- Kinds of answers ----------------------------------------------------------------------------


def test_choices_are_shown_and_taken_as_values_or_as_their_text(capsys):
    predict("How many?", 3, choices=[3, 5, 8])
    assert "choices: 3 | 5 | 8" in capsys.readouterr().out
    assert predict("How many?", 3, choices=[3, 5, 8], mine=3).right
    assert predict("How many?", 3, choices=[3, 5, 8], mine="3").right
    assert not predict("How many?", 3, choices=[3, 5, 8], mine="5").right


def test_what_is_not_among_the_choices_is_no_answer(capsys):
    made = predict("How many?", 3, choices=[3, 5, 8], mine=4)
    assert "4 is not one of the choices" in capsys.readouterr().out
    assert not made.answered


@pytest.mark.parametrize(
    ("mine", "choice"), [(0, "0"), (None, "None"), ((0.5, 0.5), "(0.5, 0.5)"), (True, "True")]
)
def test_a_value_may_stand_for_the_choice_that_is_its_text(mine, choice):
    choices = ["a number", "0", "None", "(0.5, 0.5)", "True"]
    made = predict("What is t.grad?", choice, choices=choices, mine=mine)
    assert made.right and made.mine == choice
    wrong = predict("And u.grad?", "a number", choices=choices, mistakes={choice: "no."}, mine=mine)
    assert wrong.rung == 1 and wrong.mistake == "no."


@pytest.mark.parametrize(
    ("mine", "choice"),
    [
        ("From -1.5", "from −1.5"),
        ("2 x 3  nodes", "2 × 3 nodes"),
        (0.09, "about 0.09"),
        (1 / 9, "1 / 9"),
        ("1/9", "1 / 9"),
        (10_000, "10,000"),
        (-3, "−3"),
        (torch.tensor(0.09), "about 0.09"),
    ],
)
def test_a_choice_may_be_typed_with_what_a_keyboard_has(mine, choice):
    choices = ["from −1.5", "2 × 3 nodes", "about 0.09", "1 / 9", "10,000", "−3", "3 of 4", "1 / 0"]
    assert predict("Which?", choice, choices=choices, mine=mine).right


@pytest.mark.parametrize("mine", [3, 4, 1, float("nan"), True, "2 nodes", "about"])
def test_what_is_no_choice_however_it_is_typed_is_none(mine):
    choices = ["about 0.09", "3 of 4", "2 × 3 nodes", "1 / 0"]
    assert not predict("Which?", "3 of 4", choices=choices, mine=mine).answered


def test_an_answer_may_stand_in_the_brackets_alone():
    how_many = functools.partial(predict, "How many?", 4)
    assert how_many(4).right
    assert not how_many(...).answered
    assert poll("Which?", ["this", "that"], "that").mine == "that"


@pytest.mark.parametrize("choices", [["none", "about half"], [0, 1], ["None: an error", "a 0"]])
def test_none_is_no_answer_where_it_is_no_choice(choices, capsys):
    assert not predict("How many?", choices[1], choices=choices, mine=None).answered
    assert "not answered yet" in capsys.readouterr().out


def test_none_is_an_answer_where_it_is_a_choice():
    assert predict("What is t.grad?", 0, choices=[0, None], mine=None).rung == 1


def test_a_yes_or_no_question_has_its_choices(capsys):
    assert predict("Is c a leaf?", False, mine=False).right
    assert not predict("Is c a leaf?", False, mine="True").right
    predict("Is c a leaf?", False)
    assert "choices: True | False" in capsys.readouterr().out


def test_a_function_is_called_only_at_the_reveal_and_once():
    calls = []
    ask = lambda: calls.append(1) or 15.0  # noqa: E731
    predict("b.grad?", ask)
    predict("b.grad?", ask, mine=None)
    assert calls == []
    made = predict("b.grad?", ask, mine=15)
    assert made.right and made.text and calls == [1]


@pytest.mark.parametrize("mine", [..., None, [1, ..., 3], (..., ...)])
def test_dots_and_none_are_no_answer(mine, capsys):
    assert not predict("Which?", [1, 2, 3], mine=mine).answered
    assert "not answered yet" in capsys.readouterr().out


def test_a_number_in_quotation_marks_is_no_answer_yet(capsys):
    assert not predict("b.grad?", 15.0, mine="15").answered
    assert "without quotation marks" in capsys.readouterr().out


def test_none_can_be_the_answer():
    assert predict("What is c.grad?", None, mine=None).right
    assert not predict("What is c.grad?", None).answered
    assert not predict("What is c.grad?", None, mine=7).right


@pytest.mark.parametrize(
    ("answer", "mine"),
    [
        (15, 15.0),
        (0.3333333, 1 / 3),
        ([2, 3], (2, 3)),
        ("leaf", " Leaf "),
        (torch.tensor([7.0, 15.0]), [7, 15]),
        (15.0, torch.tensor(15.0)),
        (torch.Size([2, 3]), (2, 3)),
        (float("nan"), float("nan")),
        (float("inf"), float("inf")),
        (0.0, 0),
        (torch.tensor(15.0, requires_grad=True), 15),
    ],
)
def test_numbers_texts_lists_and_tensors_can_be_answers(answer, mine, capsys):
    assert predict("?", answer, mine=mine).right


@pytest.mark.parametrize(
    ("answer", "mine"),
    [
        (15, 15.01),
        (1000, 1001),
        (0.0, 0.1),
        ([2, 3], [3, 2]),
        ([2, 3], [2]),
        ("leaf", "node"),
        (15.0, "15"),
        (float("nan"), 0),
        (float("inf"), float("-inf")),
        (15, [15, 15]),
    ],
)
def test_and_what_differs_is_wrong(answer, mine, capsys):
    assert not predict("?", answer, mine=mine).right


def test_the_tolerance_is_relative_and_only_for_fractions():
    assert predict("?", 1.5, mine=1.6, tolerance=0.1).right
    assert not predict("?", 1.5, mine=1.6, tolerance=0).right
    assert not predict("?", 10, mine=10.5, tolerance=0.1).right


def test_an_answer_of_any_size_is_one_short_line(capsys):
    predict("?", [1, 2], mine=list(range(10**6)))
    predict("?", "leaf", mine="x" * 10**6)
    assert max(map(len, capsys.readouterr().out.splitlines())) < 120


def test_text_with_markup_in_it_stays_text(capsys):
    predict("<script>alert(1)</script>", "<b>", mine="<i>")
    assert "<script>alert(1)</script>" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "options", "error", "match"),
    [
        ((5, 5), {}, TypeError, "question"),
        (("?", 5), {"because": 5}, TypeError, "reason"),
        (("?", 5), {"hint": 5}, TypeError, "hint"),
        (("?", 5), {"choices": "345"}, TypeError, "choices"),
        (("?", 5), {"choices": [3, 4]}, ValueError, "not one of the choices"),
        (("?", 5), {"mistakes": {4: 5}}, TypeError, "mistakes"),
        (("?", 5), {"tolerance": -1}, ValueError, "tolerance"),
        (("?", 5), {"tolerance": "a"}, ValueError, "tolerance"),
    ],
)
def test_an_ill_made_question_is_an_error_at_once(arguments, options, error, match):
    with pytest.raises(error, match=match):
        predict(*arguments, **options)


def test_a_face_takes_over_and_may_decline(monkeypatch, capsys):
    seen = []
    monkeypatch.setattr(faces, "current", lambda shown: bool(seen.append(shown)) or len(seen) > 1)
    first, second = predict("one?", 1), predict("two?", 2)
    assert seen == [first, second]
    assert "one?" in capsys.readouterr().out.splitlines()[0]


def test_showing_again_is_asked_for(capsys):
    made = predict("one?", 1)
    capsys.readouterr()
    made._ipython_display_()
    assert capsys.readouterr().out == ""
    made.show()
    assert "one?" in capsys.readouterr().out


def test_words_are_short_and_numbers_have_six_digits():
    assert words(-499226.0) == "-499226" and words(1 / 3) == "0.333333" and words(None) == "None"
    assert words(torch.tensor([1.0, 2.0])) == "[1, 2]"
    assert len(words("y" * 500)) == 60


def test_different_kinds_are_never_the_same():
    assert not same(1, True) and not same("1", 1) and not same(None, 0) and not same([1], 1)


# --- Whatever somebody answers -------------------------------------------------------------------

LONG = "a text of more than sixty letters, as a choice between whole sentences may well be"


class Strange:
    """What an answer may be by accident: nothing that can be asked of it works."""

    def refuse(self, *ignored):
        raise ValueError("not me")

    __str__ = __repr__ = __eq__ = __hash__ = __bool__ = __len__ = __iter__ = refuse
    __array__ = __float__ = __deepcopy__ = refuse


def in_itself():
    endless = [1]
    endless += [endless, endless]
    return endless


@pytest.mark.parametrize("choices", [[LONG, "short"], [f"{LONG} 1", f"{LONG} 2"]])
def test_a_choice_is_compared_in_full_however_long_it_is(choices, capsys):
    for answer in choices:
        for mine in choices:
            made = predict("Which?", answer, choices=choices, mine=mine)
            assert made.answered and made.right is (answer == mine)
    assert not predict("Which?", choices[0], choices=choices, mine=LONG[:59] + "…").answered


def test_choices_are_shown_in_full(capsys):
    predict("Which?", f"{LONG} 1", choices=[f"{LONG} 1", f"{LONG} 2"])
    assert f"choices: {LONG} 1 | {LONG} 2" in capsys.readouterr().out


ANSWERS = {
    "half a letter": "\udc80",
    "control characters": "a\x00\x1b[31m",
    "a large integer": 10**400,
    "an integer without a text": 10**5000,
    "a list in itself": in_itself(),
    "strange": Strange(),
    "strange in a list": [Strange()],
    "a class": Strange,
    "a method": Strange().refuse,
    "a generator": (i for i in range(3)),
    "a complex number": 1j,
    "objects": np.array([None, "x"]),
    "float16": np.zeros(2, np.float16),
    "a date": np.datetime64("2020-01-01"),
    "a large tensor": torch.zeros(400, 400),
}


@pytest.mark.parametrize("answer", [15.0, 15, "leaf", True, [1, 2], None], ids=str)
@pytest.mark.parametrize("kind", ANSWERS)
def test_a_wrong_answer_never_raises(answer, kind, capsys):
    made = predict("?", answer, mine=ANSWERS[kind], mistakes={7.0: "No.", "x": "No."})
    assert not made.right
    made.text.encode("utf-8")
    assert len(made.text) < 250 and "\x1b" not in made.text


def test_a_terminal_without_these_letters_gets_others(monkeypatch):
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", terminal)
    predict("?", 15, mine=15)
    terminal.flush()
    assert rb"\u2713 Right: 15." in terminal.buffer.getvalue()


@pytest.mark.parametrize("made_of", [list, torch.tensor, np.array])
def test_the_true_answer_is_that_of_the_moment_when_it_was_asked(made_of):
    w = made_of([1.0, 2.0])
    made = predict("w?", w)
    w[0] = 5.0
    made.lock([1.0, 2.0])
    assert made.right

    w = made_of([1.0, 2.0])
    made = predict("w?", lambda: w, mine=[1.0, 2.0])
    w[0] = 5.0
    assert list(made.answer) == [1.0, 2.0]


def test_what_is_locked_does_not_change_with_the_list_that_was_given():
    mine, choices = [1, 2], [[1, 2], [3, 4]]
    made = predict("?", [3, 4], choices=choices, mine=mine)
    mine[:] = choices[0][:] = [3, 4]
    assert made.mine == [1, 2] and made.choices == [[1, 2], [3, 4]] and not made.right


def test_an_answer_with_a_history_is_its_value():
    b = torch.tensor(2.0, requires_grad=True)
    assert predict("?", b * 3, mine=6).right and predict("?", [b * 3, b], mine=[6, 2]).right


def test_huge_arrays_are_compared_without_being_written_out():
    huge = np.zeros(10**6)
    assert predict("?", huge, mine=torch.zeros(10**6, dtype=torch.float64)).right
    assert not predict("?", huge, mine=np.zeros(10**6 - 1)).right
    assert not predict("?", "float64 1000000", mine=[1]).right
