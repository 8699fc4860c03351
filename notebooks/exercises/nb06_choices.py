"""Exercises of notebook 06 that are answered in words: which fault it was, which tool it takes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from minigrad import lesson

from .nb06_runs import FAULTS, examined

# ----------------------------------------------------------------------------- five reports

CLAIMS = {
    "cut": "the loss has no history",
    "nan": "a NaN arose on the way back",
    "not registered": "a layer is unknown to the optimizer",
    "broadcast": "guess and truth have different shapes",
    "dead": "all units of a layer are dead",
}
FAULT_OF = dict(zip("ABCDE", ("broadcast", "not registered", "cut", "dead", "nan")))
AGAINST = {
    "cut": "gradients do arrive, so the loss has a history.",
    "nan": "none of its numbers is NaN.",
    "not registered": "such a layer has a gradient, and stays. Is there a layer like that?",
    "broadcast": "its errors are as many as its examples, in a column.",
    "dead": "a dead layer sends back zeros. Do you see zeros in the first two places?",
}
NOT_IN_D = "what stays has a gradient of 0 here: it would stay even if the optimizer knew of it."


def show_reports() -> None:
    """What was seen of five programs. Two layers, each with its weight and its bias."""
    for letter, fault in FAULT_OF.items():
        print(letter)
        for what, value in examined(fault).items():
            print(f"   {what:21} {value}")
    print()
    for name, claim in CLAIMS.items():
        print(f"{name!r:17} {claim}")


def filled(attempt: dict[str, Any]) -> dict[str, Any]:
    """The words that are there already, by their letters."""
    return {letter: said for letter, said in attempt.items() if said is not ...}


def in_words(answer: dict[str, str]) -> str:
    """The right words behind their letters, as short as a line that tells them wants it."""
    return ", ".join(f"{letter} {word}" for letter, word in answer.items())


def say_unknown(letter: str, said: Any, words: Collection[str]) -> None:
    """Says that this is none of the words. A judge then returns None: a slip is no try."""
    among = ", ".join(map(repr, words))
    print(f"{letter}: {said!r} is none of the words {among}. This was not counted as a try.")


def still_open(attempt: dict[str, Any]) -> bool:
    """Has a letter no word yet? Says which ones, if others have one that fits."""
    missing = [letter for letter, said in attempt.items() if said is ...]
    if missing and len(missing) < len(attempt):
        print(f"What you have filled in fits. Still open: {', '.join(missing)}.")
    return bool(missing)


def judge_reports(attempt: Any) -> str | None:
    if not isinstance(attempt, dict) or set(attempt) != set(FAULT_OF):
        return "five words are wanted, each behind its letter, from A to E."
    for letter, said in filled(attempt).items():
        fault = FAULT_OF[letter]
        if said not in FAULTS:
            say_unknown(letter, said, CLAIMS)
            return None
        if said != fault:
            known_but_still = (fault, said) == ("dead", "not registered")
            return f"{letter}: {NOT_IN_D if known_but_still else AGAINST[said]}"
    return None if still_open(attempt) else ""


reports = lesson.Exercise(
    "reports",
    answer=in_words(FAULT_OF),
    judge=judge_reports,
    hint="Ask of each program: does a gradient arrive at all, is it a number, is it zero, what has "
    "moved, and has the error one row for each example and one column?",
    because="In C nothing arrives, although nudges find slopes. In E all is NaN, although nudges "
    "find slopes where the weights are still numbers. In D the first "
    "layer gets zeros. In B it stays where it is, and its gradients are far larger than by nudges: "
    "the optimizer does not know of it, so nobody clears them. A compares each guess with each "
    "truth.",
)

# ----------------------------------------------------------------------------- a reader handed in

SUSPECTS = {
    "softmax": "a softmax stands before F.cross_entropy",
    "start": "the weights start too large",
    "cut": "the loss has no history",
}
FOUND = {"first": "failed", "second": "passed", "suspect": "start"}
NOT_FOUND = {
    "passed": "first: how far is the loss before the first step from that of guessing?",
    "failed": "second: how far from 0 is the loss in the end, and how many of the ten are read?",
    "softmax": "suspect: the loss of the reader with a softmax began near that of guessing, and "
    "stopped far above 0. Is it so here?",
    "cut": "suspect: no weight would move then, and the loss would end where it began.",
}


def show_suspects() -> None:
    """The three suspects to choose from."""
    for word, text in SUSPECTS.items():
        print(f"{word!r:10} {text}")


def judge_tests(attempt: Any) -> str | None:
    if not isinstance(attempt, dict) or set(attempt) != set(FOUND):
        return "three words are wanted, behind 'first', 'second' and 'suspect'."
    for name, said in filled(attempt).items():
        words = list(SUSPECTS) if name == "suspect" else ["passed", "failed"]
        if said not in words:
            say_unknown(name, said, words)
            return None
        if said != FOUND[name]:
            return NOT_FOUND[said]
    return None if still_open(attempt) else ""


two_tests = lesson.Exercise(
    "two tests",
    answer=in_words(FOUND),
    judge=judge_tests,
    hint="The loss of guessing one of ten digits is the logarithm of 10. Compare the first line "
    "that by_heart prints with it, and the second line with 0.",
    because="The loss begins far above that of guessing, so something is wrong before anything is "
    "learned. Then it comes close to 0, so a history is there, and no softmax is in the way.",
)

# ----------------------------------------------------------------------------- which of the three

USES = {
    "A": "write the loss of each step into a text file",
    "B": "after the training, count how many digits of the test set are read correctly",
    "C": "keep the ten scores of each image in a training batch, for looking at them later",
    "D": "move a weight by hand: weight -= lr * weight.grad",
}
RIGHT_USE = {"A": "item", "B": "no_grad", "C": "detach", "D": "no_grad"}
NOT_FOR = {
    ("A", "detach"): "A: this gives a tensor. What is to stand in the file is a number.",
    ("A", "no_grad"): "A: the loss is there before you write it, and backward() needs it recorded.",
    ("B", "item"): "B: this turns the count into a number at the end. What is recorded until then?",
    ("B", "detach"): "B: this comes after the forward pass, which has been recorded for nothing.",
    ("C", "item"): "C: this takes a tensor with one number, and here are ten for each image.",
    ("C", "no_grad"): "C: these scores are trained, so the pass that makes them must be recorded.",
    ("D", "detach"): "D: weight.detach() - lr * weight.grad makes another tensor, and the model "
    "goes on with the weight that it has.",
    ("D", "item"): "D: a number has no place in the model to be written to.",
}


def show_uses() -> None:
    """Four things to do, and the three words."""
    for letter, text in USES.items():
        print(f"{letter}   {text}")
    print()
    print("'item'     one plain number; it has no history")
    print("'detach'   the same values as a tensor without history, while the old one keeps its own")
    print("'no_grad'  nothing is recorded of what is computed in this block")


def judge_uses(attempt: Any) -> str | None:
    if not isinstance(attempt, dict) or set(attempt) != set(USES):
        return "four words are wanted, each behind its letter, from A to D."
    for letter, said in filled(attempt).items():
        if said not in ("item", "detach", "no_grad"):
            say_unknown(letter, said, ("item", "detach", "no_grad"))
            return None
        if said != RIGHT_USE[letter]:
            return NOT_FOR[letter, said]
    return None if still_open(attempt) else ""


uses = lesson.Exercise(
    "uses",
    answer=in_words(RIGHT_USE),
    judge=judge_uses,
    hint="Ask of each: is a plain number wanted, a tensor without its past, or a block of which "
    "nothing is kept?",
    because="One number for a file is item(). What is only measured, or moved by hand, is not "
    "to be recorded at all. Scores that are trained and also kept are needed twice: for "
    "backward() with their history, and for you without it.",
)
