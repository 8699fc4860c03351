"""What the judges of notebook 08 share, and its exercises that are answered in words and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from minigrad import lesson
from minigrad.lesson import tries
from minigrad.lesson.checking import exercise_key

from .nb08_runs import (
    RULES,
    kept_by,
)

# ----------------------------------------------------------------------------- letter by letter


def of_letter(exercise: lesson.Exercise, text: str, right: Any) -> str:
    """What is said of the first wrong letter of a list; its answer after two other wrong ones.

    Each letter is a question of its own: with another letter the tries are counted anew.
    """
    wrong = tries.so_far(exercise_key(exercise))
    if any(not one.startswith(text[0]) for one in wrong):
        wrong.clear()
    others = [one for one in wrong if not one.startswith(text)]
    return f"{text} Right is {right!r}." if len(others) > 1 else text


def slip(exercise: lesson.Exercise, text: str) -> str:
    """Who has misspelt a word, or forgotten one, has not tried an answer: what was tried before
    is put aside until the next attempt, so that nothing is told because of this one."""
    wrong = tries.so_far(exercise_key(exercise))
    tries.so_far((exercise.name, "aside")).append(list(wrong))
    wrong.clear()
    return text


def forget_slip(exercise: lesson.Exercise) -> None:
    """What had been tried before the last attempt, if that was a slip, counts again."""
    aside = tries.so_far((exercise.name, "aside"))
    if aside:
        tries.so_far(exercise_key(exercise))[:] = aside.pop()


def first_wrong(exercise: lesson.Exercise, looks: Iterable[Callable[[], str]]) -> str:
    """What the first of these looks finds, one after another; "" if none finds anything.

    Who passes a look that nothing had passed before has mended what was wrong: with what comes
    next, the tries are counted anew.
    """
    for step, look in enumerate(looks):
        if text := look():
            reached = tries.so_far((exercise.name, "reached"))
            if step > max(reached, default=step):
                tries.so_far(exercise_key(exercise)).clear()
            reached.append(step)
            return text
    return ""


def tidy(said: Any) -> Any:
    """A word without capitals, and without blanks around it."""
    return said.strip().lower() if isinstance(said, str) else said


# ------------------------------------------------------------------------- what each one saves

ABOUT = {
    "A": "how large is the slope of exp at a place, if you know the value of exp there?",
    "B": "the slope of sin is the cosine. Of what?",
    "C": "what is the slope of adding 1, at any place?",
    "D": "write down the slope of the square at a place h. Which number stands in it?",
    "E": "sigmoid bends as tanh does. What was the slope of tanh worked out from, in section 2?",
    "F": "make one number of h larger, then another one. Does it matter for the slope how large "
    "they were?",
    "G": "the slope is 1 for the largest number of a row, and 0 for all others. What has to be "
    "known to put the 1 in its place?",
}
AND = {
    ("B", "result"): "At 0 and at π the sine is the same: is the slope?",
    ("D", "result"): "The squares of 3 and of −3 are the same: are the slopes?",
    ("G", "result"): "The result says how large the numbers are. Does it say where they stood?",
}
"""What is said besides to the word itself."""
OR = {
    "nothing": "Nothing need be saved if the slope is the same whatever the numbers are. Is it?",
    "other": "And which array would the operation make for this purpose, beside its result?",
}
KINDS = ("input", "result", "nothing", "other")


def show_saves() -> None:
    """Seven operations."""
    for letter, (text, _) in RULES.items():
        print(f"{letter}   {text}")


def true_saves() -> list[str]:
    return [kept_by(function) for _, function in RULES.values()]


def judge_saves(attempt: Any) -> str:
    forget_slip(saves)
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(RULES):
        return slip(saves, "a list of seven words is wanted, for A to G.")
    for letter, said, true in zip(RULES, map(tidy, attempt), true_saves()):
        if said not in KINDS:
            return slip(saves, f"{letter}: {said!r} is none of the words {', '.join(KINDS)}.")
        if said != true:
            more = AND.get((letter, said)) or OR.get(said, "")
            text = f"{letter}: not {said!r}; {ABOUT[letter]} {more}"
            return of_letter(saves, text.strip(), true)
    return ""


saves = lesson.Exercise(
    "saves",
    answer=lambda: true_saves(),
    judge=judge_saves,
    hint="Write down the slope of each. Does the result of the operation occur in it, or only "
    "what goes in? Or neither of them: then ask whether anything must be remembered at all.",
    because="The slope of an operation tells what it saves. That of a mean is the same for all "
    "numbers, so nothing is saved; and a maximum saves where it was found.",
)


# ------------------------------------------------------------------ four ways to run 16 layers

WAYS = {
    "A": "with torch.no_grad(): h = deep(16)",
    "B": "h = deep(16).detach()",
    "C": "net.eval(); h = net(x)                  # net: 16 times Linear(16, 16) and Tanh",
    "D": "for _ in range(16): h = torch.tanh(h @ w).detach()",
}
COUNTS = {"A": 0, "B": 16, "C": 16, "D": 2}
WHY = {
    "A": "nothing is recorded there, so which node would save anything?",
    "B": "detach() is called when the 16 layers have run already. What was saved until then?",
    "C": "eval() tells Dropout and BatchNorm that nobody trains. Does it say anything about "
    "recording?",
    "D": "each layer is recorded, and forgotten when h stands for the next one. Stop where the "
    "tanh of a layer has just run: what have its two nodes saved?",
}
NUMBERS = {
    ("A", 3): "so many are there at the same time. How many of them does a node save for the way "
    "back?",
    ("B", 17): "detach() is called at the end, and copies nothing. Which is the 17th array?",
    (
        "B",
        32,
    ): "each layer makes two arrays, that is true. But does the way back need the result of "
    "the product? What is the slope of tanh worked out from?",
    ("C", 17): "one for each layer, and then? Which is the 17th array?",
    ("C", 32): "it is recorded, that is true. But which of the two results of a layer, that of "
    "Linear and that of Tanh, does the way back need?",
    ("D", 1): "that is what the tanh saves. And the product before it: is what goes in an array "
    "that anything else saves?",
    ("D", 16): "that would be so with one detach() at the end. Here each layer is cut off. Who "
    "leads to the nodes of the layer before?",
}
"""What is said to the number itself."""


def show_ways() -> None:
    """Four programs."""
    for letter, text in WAYS.items():
        print(f"{letter}   {text}")


def judge_ways(attempt: Any) -> str:
    forget_slip(ways)
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(WAYS):
        return slip(ways, "a list of four numbers is wanted, for A to D.")
    for letter, said in zip(WAYS, attempt):
        if isinstance(said, bool) or not isinstance(said, (int, float)):
            return slip(ways, f"{letter}: {said!r} is no number.")
        if said != COUNTS[letter]:
            why = NUMBERS.get((letter, said), WHY[letter])
            return of_letter(ways, f"{letter}: not {said}; {why}", COUNTS[letter])
    return ""


ways = lesson.Exercise(
    "ways",
    answer=lambda: list(COUNTS.values()),
    judge=judge_ways,
    hint="Ask of each: is it recorded at all? And if so, when can what was saved go?",
    because="Under no_grad nothing is recorded. detach() cuts off a record that is there already, "
    "and eval() changes nothing about recording. In D only the nodes of the last layer are left: "
    "the tanh has saved its result, and the product what went in.",
)


# ------------------------------------------------------------------- three programs, source unseen

HOLDERS = {"A": ("history", "freed"), "B": ("total", "sum"), "C": ("report", "stored")}
SEEN = {
    "freed": "look at the curve. It falls after each step: why?",
    "sum": "what does the last line do with the result of the pass before?",
    "stored": "which line there adds anything up, or walks back?",
}
MISREAD = {
    ("B", "freed"): "the curve falls after each of the first 12 steps, that is true. But what is "
    "kept comes of the steps after them: does it fall there?",
    ("C", "freed"): "look at the curve. Does it fall anywhere, as it would if something had "
    "walked back?",
}
"""What is said to the word itself."""
STATES = tuple(SEEN)


LOCAL = ("loss", "scores", "optimizer", "x", "y")
PLAIN = ("best", "losses", "right")
BEFORE = ("model", "batches")


def not_the_holder(said: Any) -> str:
    """Why a wrong name does not keep the graph."""
    name = said.removeprefix("self.").removeprefix("program.") if isinstance(said, str) else said
    if name in LOCAL:
        return "that is a variable of `run`, and gone since `run` has ended."
    if name in PLAIN:
        return "only plain numbers are in it. What does the view's last part name?"
    if name in BEFORE:
        return "it was there before `run`, and `run` puts no result into it."
    if name in ("program", "self", "run"):
        return "that is all of it. Which part of `program` does the view name?"
    if name in [holder for holder, _ in HOLDERS.values()] or name == "seen":
        return "that is the name in another program's view."
    return "the view's last part names it. What stands there behind `program`?"


def judge_who(attempt: Any) -> str:
    forget_slip(who)
    if not isinstance(attempt, (list, tuple)) or len(attempt) != len(HOLDERS):
        return slip(who, "a list of three pairs is wanted, for A, B and C.")
    for (letter, (name, state)), pair in zip(HOLDERS.items(), attempt):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            text = f"{letter}: a pair is wanted: who keeps it, and one of the three words."
            return slip(who, text)
        said, word = map(tidy, pair)
        if word not in STATES:
            return slip(who, f"{letter}: {word!r} is none of the words {', '.join(STATES)}.")
        if said == "seen" and letter == "C":
            said = name  # the list that this function remembers
        right = name, state
        if not isinstance(said, str) or name not in said.split(",")[0].split("[")[0].split("."):
            text = f"{letter}: {said!r} is not what keeps the graph: {not_the_holder(said)}"
            return of_letter(who, text, right)
        if word != state:
            why = MISREAD.get((letter, word), SEEN[state])
            return of_letter(who, f"{letter}: not {word!r}; {why}", right)
    return ""


who = lesson.Exercise(
    "who",
    answer=lambda: list(HOLDERS.values()),
    judge=judge_who,
    hint="Where the curve falls after each step, a backward pass has freed what was saved. "
    "Where it does not, look at the lines that ran: does one of them add to a result of the pass "
    "before?",
    because="The curve tells whether anything was walked back, and the lines whether anything was "
    "added up. C hides its list in a function, which remembers it.",
)
