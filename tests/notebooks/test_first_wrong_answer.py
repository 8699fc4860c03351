"""What is said to the first wrong answer never contains the right one.

Whatever the modules of ``notebooks/exercises`` hold is looked at: questions, functions that make
one, and exercises. Each gets every mistake that it knows, and one that it does not know.

An exercise that asks for a program has no one right value. What it says to each wrong attempt of
``wrong/nbNN.py`` holds no piece of the solution's code: no operation, no call and no assignment
that stands in ``solutions/nbNN.py`` or, as an operation, in ``because``; nor four words in a row of
``because``. Left out is what the learner can see already: in the attempt itself, in the cell as it
is given, or in the cell above it. An error that was raised explains itself, and is no judgement.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import io
import re
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from lessons import ASKING, FOLDER, LESSONS, run

from minigrad.lesson import Exercise, Prediction, Verdict, tries
from minigrad.lesson.checking import examined
from minigrad.lesson.rules import RULES, rule_of
from minigrad.lesson.values import is_number, plain, words

UNKNOWN = -987654.25  # nobody's mistake


def modules() -> Iterator[tuple[str, Any]]:
    sys.path.insert(0, str(FOLDER))
    try:
        for path in sorted((FOLDER / "exercises").glob("nb[0-9][0-9].py")):
            yield path.stem, importlib.import_module(f"exercises.{path.stem}")
    finally:
        sys.path.remove(str(FOLDER))


def question(thing: Any) -> Prediction | None:
    """The question that something asks when it is called without an answer, or None."""
    if not callable(thing) or inspect.isclass(thing) or isinstance(thing, Exercise):
        return None
    with contextlib.suppress(TypeError, ValueError):
        parameters = inspect.signature(thing).parameters
        asks = isinstance(thing, partial) or "mine" in parameters
        required = [one for one in parameters.values() if one.default is one.empty]
        if asks and not any(one.kind is one.POSITIONAL_OR_KEYWORD for one in required):
            with contextlib.redirect_stdout(io.StringIO()):
                made = thing()
            return made if isinstance(made, Prediction) else None
    return None


def exercises_in(thing: Any) -> Iterator[Exercise]:
    if isinstance(thing, Exercise):
        yield thing
    elif isinstance(thing, dict):
        yield from (one for one in thing.values() if isinstance(one, Exercise))
    elif isinstance(thing, (list, tuple)):
        yield from (one for one in thing if isinstance(one, Exercise))


ALL = [(f"{number} {name}", thing) for number, m in modules() for name, thing in vars(m).items()]
ASKED = [(name, made) for name, thing in ALL if (made := question(thing)) and not made.is_poll]
EXERCISES = [(name, one) for name, thing in ALL for one in exercises_in(thing)]


def tokens(text: str) -> list[str]:
    text = text.replace("−", "-").casefold()
    return re.findall(r"-?\d+(?:[.,]\d+)*|\w+", text)


def contains(text: str, answer: Any) -> bool:
    """Does the answer stand in a text, as a number or as words?"""
    wanted = tokens(words(answer, 1000))
    found = tokens(text)
    places = range(len(found) - len(wanted) + 1)
    return bool(wanted) and any(found[at : at + len(wanted)] == wanted for at in places)


def fresh(made: Prediction) -> Prediction:
    same = made.question, made.answer, made.choices, made.mistakes, made.tolerance
    return Prediction(*same, made.because, made.hint)


def wrong_answers(made: Prediction) -> Iterator[Any]:
    yield from made.mistakes
    yield from made.choices or ()
    yield UNKNOWN if is_number(plain(made.answer)) else "something else"


@pytest.mark.parametrize(
    ("text", "answer"), [("b.grad is 15.", 15.0), ("So: an error!", "an error")]
)
def test_an_answer_is_found_in_a_text(text, answer):
    assert contains(text, answer)


@pytest.mark.parametrize(("text", "answer"), [("It is 150, not 1.5 or -15.", 15.0), ("no", "None")])
def test_and_what_only_looks_like_it_is_not(text, answer):
    assert not contains(text, answer)


def test_questions_and_exercises_are_found_in_every_lesson():
    lessons = {name.split()[0] for name, _ in ALL}
    assert {name.split()[0] for name, _ in ASKED} == lessons
    assert {name.split()[0] for name, _ in EXERCISES} == lessons


@pytest.mark.parametrize("made", [made for _, made in ASKED], ids=[name for name, _ in ASKED])
def test_the_first_wrong_answer_to_a_question_is_not_told_the_right_one(made):
    told = []
    for mine in wrong_answers(made):
        one = fresh(made)
        one.lock(mine)
        if one.answered and not one.right:
            _, *said = one.said()
            told += [(mine, line) for line in said if contains(line, one.answer)]
    assert told == []


@pytest.mark.parametrize("made", [made for _, made in ASKED], ids=[name for name, _ in ASKED])
def test_a_hint_does_not_contain_the_answer(made):
    assert not contains(made.hint, made.answer), made.hint


@pytest.mark.parametrize("one", [one for _, one in EXERCISES], ids=[name for name, _ in EXERCISES])
def test_the_first_wrong_attempt_at_an_exercise_is_not_told_the_right_value(one):
    tries.forget()
    if callable(one.answer) or one.answer is None:
        assert one.judge or one.cases  # it has no one right value
        return
    said = [*one.mistakes.values(), one.hint]
    if one.judge is None and (found := examined(one, UNKNOWN)):
        said.append(found.text)
    assert [text for text in said if contains(text, one.answer)] == []


# ------------------------------------------------------------------- what stands below a question


def open_text_below(lesson: Any, at: int) -> str:
    """The prose between a question and the next cell that runs, without what is folded away.

    A cell that asks does not end it: what it is about may be told while the one above is open.
    """
    below = []
    for cell in lesson.cells[at + 1 :]:
        if cell.cell_type == "code":
            if ASKING.isdisjoint(cell.metadata.get("tags", ())):
                break
            continue
        below.append(re.sub(r"<details>.*?</details>", " ", cell.source, flags=re.S))
    return "\n".join(below)


def test_no_text_below_an_open_question_says_its_answer_or_why_it_is_right(lesson, played):
    told = []
    for at, shown in played.shown.items():
        below = open_text_below(lesson, at)
        for one in shown:
            if isinstance(one, Prediction) and not one.is_poll:
                told += [(one.question, piece) for piece in given_away(one, below)]
    assert told == []


def given_away(made: Prediction, below: str) -> list[str]:
    """An answer of several words, what is said of it, and rules that wrong answers broke."""
    rules = {RULES[rule_of(text)] for text in made.mistakes.values() if rule_of(text)}
    reasons = words_in_a_row(made.because) - words_in_a_row(made.question)
    answer = words(made.answer, 1000)
    pieces = {answer, *rules, *reasons} if len(tokens(answer)) > 1 else rules | reasons
    return [piece for piece in pieces if contains(below, piece)]


def test_a_rule_below_a_question_is_found():
    bias = next(made for name, made in ASKED if name == "nb04 bias")
    text = "You know the rule for that from lesson 02: where paths meet, what arrives is added."
    assert given_away(bias, text) == [RULES["add"]]


# -------------------------------------------------------------- exercises that ask for a program

PROGRAMS = [(lesson, name) for lesson in LESSONS for name in lesson.exercises()]
BECAUSE = {(label.split()[0], one.name): one.because for label, one in EXERCISES}


def code_tokens(text: str) -> list[str]:
    """The tokens of code, or of a sentence with code in it, however they are spaced."""
    return re.findall(r"\w+|\*\*|\S", text.replace("−", "-").replace("·", "*"))


def stands_in(piece: str, text: str) -> bool:
    wanted, found = code_tokens(piece), code_tokens(text)
    places = range(len(found) - len(wanted) + 1)
    return any(found[at : at + len(wanted)] == wanted for at in places)


def pieces_of(source: str) -> set[str]:
    """The operations, calls and assignments in the functions that a solution writes."""
    functions = ast.FunctionDef, ast.Lambda
    kinds = ast.BinOp, ast.Call, ast.AugAssign, ast.Assign
    written = [node for node in ast.walk(ast.parse(source)) if isinstance(node, functions)]
    inside = [node for function in written for node in ast.walk(function)]
    return {ast.unparse(node) for node in inside if isinstance(node, kinds)}


def operations_in(sentence: str) -> set[str]:
    """The operations that a sentence holds: "b + 1" in "for d = b + 1 is 10"."""
    side = r"[A-Za-z_][\w.]*(?:\([^()]*\))?|\d+"
    return set(re.findall(rf"(?<![\w.])(?=((?:{side}) (?:\*\*|[-+*/@·]) (?:{side})))", sentence))


def words_in_a_row(sentence: str, count: int = 4) -> set[str]:
    """All runs of so many words: "gets all of v" in "each x gets all of v"."""
    found = re.findall(r"[\w/]+", sentence)
    return {" ".join(found[at : at + count]) for at in range(len(found) - count + 1)}


def told_too_early(text: str, pieces: set[str], seen: str) -> set[str]:
    """The pieces of a solution that a text holds, and that a learner had not seen."""
    return {one for one in pieces if stands_in(one, text) and not stands_in(one, seen)}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("for x far below t it gives 0 instead of b: add (1 - w) * b.", {"(1 - w) * b", "1 - w"}),
        ("its share is 1-w.", {"1 - w"}),
        ("for x far below t it gives 0. What should it give there?", set()),
        ("w * a is there", set()),
    ],
)
def test_a_piece_of_the_solution_is_found_in_a_text(text, told):
    pieces = pieces_of("def soft(w, a, b):\n    return w * a + (1 - w) * b\n")
    assert told_too_early(text, pieces, "return w * a") == told


def test_the_operations_of_a_sentence_are_found():
    assert operations_in("a.grad is 1 · d, and d = b + 1 is 10.") == {"1 · d", "b + 1"}


@pytest.mark.parametrize(
    ("lesson", "name"), PROGRAMS, ids=[f"{lesson.number} {name}" for lesson, name in PROGRAMS]
)
def test_the_first_wrong_program_is_told_no_piece_of_the_right_one(lesson, name, played):
    solution = pieces_of(lesson.answers("solutions")[name])
    at = next(i for i, cell in enumerate(lesson.cells) if cell.metadata.get("exercise") == name)
    given = "\n".join(cell.source for cell in lesson.cells[at - 1 : at + 1])
    told = []
    for source, _ in lesson.answers("wrong")[name]:
        tries.forget()
        for one in run(source, dict(played.before[name]), f"a wrong {name}"):
            judged = isinstance(one, Verdict) and one.attempted and not one.passed
            if judged and not one.message.startswith("it raised"):
                because = BECAUSE.get((f"nb{lesson.number}", one.name), "")
                pieces = solution | operations_in(because)
                if solution:
                    pieces |= words_in_a_row(because)
                found = told_too_early(one.message, pieces, source + given)
                told += [(piece, one.message) for piece in found]
    assert told == []
