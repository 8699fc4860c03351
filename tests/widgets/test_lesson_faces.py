"""Predictions, verdicts and wrong engines on their way to the page, without a page."""

from __future__ import annotations

import json

import pytest

import minigrad as torch
import minigrad_widgets.backward_stepper as module
from minigrad import lesson
from minigrad.lesson import Prediction, Verdict
from minigrad_widgets import BackwardStepper, PredictionView, VerdictView
from minigrad_widgets.lesson_faces import as_data, face, from_data


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def prediction(answer, choices=None, mistakes=None):
    return Prediction("What?", answer, choices, mistakes or {}, 1e-3, "So.")


def page_answers(view, text, value):
    view.given = {"text": text, "value": value, "right": False, "mistake": ""}


def test_without_a_kernel_the_text_stays(capsys):
    assert lesson.faces.current is face
    assert face(prediction(3)) is False
    lesson.predict("What?", 3)
    assert "not answered yet" in capsys.readouterr().out


@pytest.mark.parametrize(
    "answer",
    [15, 15.0, float("nan"), 2**70, "leaf", None, True, [1, 2.5, "x"], torch.tensor([1.0, 2.0])],
)
def test_every_kind_of_answer_is_plain_data(answer):
    view = PredictionView(prediction(answer, mistakes={8.0: "No.", "x": "No."}))
    json.dumps(view.question, allow_nan=False)
    assert view.given is None
    assert repr(view).startswith("Predict: What?\n")


def test_a_function_is_evaluated_when_the_view_is_made():
    view = PredictionView(prediction(lambda: 15.0))
    assert view.question["answer"] == {"text": "15", "value": {"number": "15.0"}}


def test_choices_travel_as_the_texts_that_are_shown():
    view = PredictionView(prediction(3, choices=[3, 5], mistakes={5: "Values."}))
    assert view.question["choices"] == ["3", "5"]
    assert view.question["answer"] == {"text": "3", "value": "3"}
    (mistake,) = view.question["mistakes"]
    assert mistake == {"text": "5", "value": "5", "why": "Values.", "rule": None}


def test_a_mistake_travels_with_three_rules_of_which_it_broke_one():
    view = PredictionView(prediction(15.0, mistakes={8.0: lesson.broke("add", "Via d.")}))
    (mistake,) = view.question["mistakes"]
    rules = mistake["rule"]
    assert rules["offered"][rules["right"]] == lesson.RULES["add"]
    assert len(set(rules["offered"])) == 3
    verdict = VerdictView(Verdict("slope", lesson.broke("add", "Via d."), 1)).verdict
    assert verdict["rule"] == rules and verdict["message"] == "Via d."


def test_a_poll_travels_without_an_answer():
    view = PredictionView(Prediction("Which?", ..., ["4", "15"], {}, 0.0, "Test it."))
    assert view.question["answer"] is None and view.question["choices"] == ["4", "15"]
    page_answers(view, "15", "15")
    assert view.prediction.settled and not view.prediction.right


def test_what_the_page_answers_comes_back_try_by_try():
    asked = prediction(15.0, mistakes={8.0: "Via d."})
    view = PredictionView(asked)
    page_answers(view, "8", {"number": "8"})
    assert asked.answered and not asked.right and asked.mistake == "Via d."
    page_answers(view, "15", {"number": "15"})
    assert asked.first == 8 and asked.mine == 15 and asked.right and asked.settled
    assert "Right: 15" in repr(view)


def test_the_page_may_ask_for_the_answer():
    asked = prediction(15.0)
    view = PredictionView(asked)
    page_answers(view, "8", {"number": "8"})
    assert "15" not in repr(view) and not asked.settled
    view.given = {**view.given, "shown": True}
    assert asked.settled and not asked.right and "You said 8. The answer is: 15." in repr(view)


def test_an_answer_in_the_call_is_locked_in_the_page_from_the_start():
    asked = prediction(15.0, mistakes={8.0: "Via d."})
    asked.lock(8)
    assert PredictionView(asked).given == {
        "text": "8",
        "value": {"number": "8"},
        "right": False,
        "mistake": "Via d.",
        "tries": [{"text": "8", "value": {"number": "8"}}],
        "ruled": False,
        "shown": False,
    }


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"number": "1/3"}, 1 / 3),
        ({"number": "−2"}, -2),
        ({"number": "∞"}, float("inf")),
        ([{"number": "3"}, "x"], [3, "x"]),
        ("leaf", "leaf"),
    ],
)
def test_numbers_come_back_as_the_page_reads_them(value, expected):
    assert from_data(value) == expected


def test_numbers_go_and_come_unchanged():
    for number in (15, 0.1, -1e-300, float("inf")):
        assert from_data(as_data(number)) == number


@pytest.mark.parametrize(("message", "state"), [("", "passed"), ("no.", "failed"), (None, "open")])
def test_a_verdict_has_one_of_three_states(message, state):
    view = VerdictView(Verdict("slope", message))
    assert view.verdict["state"] == state
    assert repr(view) == Verdict("slope", message).text


LONG = "a text of more than sixty letters, as a choice between whole sentences may well be"


def test_long_choices_travel_and_are_taken_in_full():
    choices = [f"{LONG} 1", f"{LONG} 2"]
    asked = prediction(choices[0], choices, {choices[1]: "No."})
    view = PredictionView(asked)
    assert view.question["choices"] == choices
    assert view.question["answer"]["value"] == choices[0]
    page_answers(view, choices[0], choices[0])
    assert asked.answered and asked.right
    assert PredictionView(asked).given["text"] == choices[0]


@pytest.mark.parametrize(
    "mine",
    ["\udc80", "\x00\x1b", 10**5000, "x" * 10**6, [1] * 10**5],
    ids=["half a letter", "controls", "an integer without a text", "a long text", "a long list"],
)
def test_every_answer_can_be_sent_and_is_not_too_long(mine):
    asked = prediction("leaf", mistakes={"\udc81": "\udc82"})
    asked.lock(mine)
    view = PredictionView(asked)
    for sent in (view.question, view.given):
        assert len(json.dumps(sent, allow_nan=False, ensure_ascii=False).encode("utf-8")) < 11_000


def test_every_verdict_can_be_sent():
    view = VerdictView(Verdict("\udc80", "it raised \udc81"))
    json.dumps(view.verdict, ensure_ascii=False).encode("utf-8")


# --- Wrong engines in the stepper's schedule -----------------------------------------------------


def engines(loss):
    return BackwardStepper(loss).schedule["engines"]


def test_the_stepper_brings_every_wrong_engine_on_the_same_nodes():
    x = leaf(2.0)
    y = x**2 + x
    stepper = BackwardStepper(y)
    known = {node["id"] for node in stepper.schedule["nodes"]}
    assert [engine["id"] for engine in engines(y)] == list(lesson.engines.WRONG)
    for engine in stepper.schedule["engines"]:
        assert {step["node"] for step in engine["steps"]} <= known
        assert engine["steps"][-1]["text"] == "x"
    json.dumps(stepper.schedule, allow_nan=False)
    assert x.grad is None and repr(stepper) == "BackwardStepper(4 steps)"


def test_how_an_engine_joins_is_said_in_its_own_words():
    found = {engine["id"]: engine["joins"] for engine in engines(leaf(2.0) * 3)}
    between = {name: joins["between"] for name, joins in found.items()}
    assert between == {
        "overwrite": "overwritten by",
        "first": "kept, dropped:",
        "queue": "+",
        "stack": "+",
        "once": "+",
        "local": "+",
    }
    for joins in found.values():
        assert (joins["kept"] == "") == (joins["leaves"] == "makes") == (joins["between"] == "+")


def test_a_new_wrong_engine_is_one_class_and_brings_its_own_words(a_new_engine):
    x = leaf(2.0)
    y = x**2 + x
    *_, new = engines(y)
    assert (new["id"], new["title"], new["what"]) == ("mean", a_new_engine.title, a_new_engine.what)
    assert new["joins"] == {
        "between": "averaged with",
        "kept": "of which the mean is kept",
        "leaves": "evens out at",
    }
    assert new["steps"][-1]["after"]["data"] == [2.5]  # the mean of 4 and 1
    assert lesson.engines.gradients(y, x, "mean")[0].item() == 2.5
    assert lesson.engines.mistakes(y, x)[2.5] == a_new_engine.message


def test_an_engine_that_takes_every_path_has_no_steps_to_show():
    y = leaf(1.0)
    for _ in range(20):
        y = y + y
    lengths = {engine["id"]: len(engine["steps"]) for engine in engines(y)}
    assert lengths["queue"] == lengths["stack"] == 0 and lengths["once"] == 22


def test_large_graphs_and_graphs_with_hooks_have_no_wrong_engines(monkeypatch):
    y = leaf(1.0)
    for _ in range(module.MOST_NODES + 1):
        y = y * 1.0
    assert engines(y) == []
    c = leaf(1.0) * 2
    called = []
    c.register_hook(called.append)
    assert engines(c * 3) == [] and len(called) == 1


def test_a_freed_graph_has_no_wrong_engines():
    x = leaf(2.0)
    y = x * x
    y.backward()
    assert BackwardStepper(y).schedule["engines"] == []


def test_sixty_nodes_with_all_engines_are_less_than_a_megabyte():
    x = leaf([0.5] * 8)
    y = x
    for _ in range(19):
        y = (y * 0.5 + x).tanh()
    schedule = BackwardStepper(y, torch.ones(8)).schedule
    assert len(schedule["steps"]) > 55 and schedule["engines"]
    assert len(json.dumps(schedule)) < 1_000_000


@pytest.mark.parametrize("answer", [None, [True, None, 2.0], [[1, 2], [3, 4]], [False, "leaf"]])
def test_what_the_page_holds_to_be_right_is_right_here(answer):
    asked = Prediction("?", answer, None, {}, 1e-3, "")
    PredictionView(asked).given = {"text": "", "value": as_data(answer), "right": True}
    assert asked.answered and asked.right
