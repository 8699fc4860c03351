"""Exercises of notebook 07 about names: a mask, a mean over batches, and a test for neighbours."""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

import minigrad as torch
from minigrad import lesson, nn
from minigrad.lesson import broke
from minigrad.lesson.checking import has_gap, is_stub, judged
from minigrad.lesson.values import is_open

from .nb07_runs import encode, masked

# ----------------------------------------------------------------------------------- the mask


def named(value: Any) -> str:
    return "None" if value is None else f"something of the type {type(value).__name__}"


class NoState(Exception):
    """What step() got as the state of the names was none."""


class Small(nn.Module):
    """A reader like that of the lesson."""

    def __init__(self) -> None:
        super().__init__()
        self.letters = nn.Embedding(27, 3)
        self.cell = nn.Linear(3 + 5, 5)
        self.decide = nn.Linear(5, 2)
        self.together: list[int] = []  # how many names each call of step() has read

    def step(self, letter: Any, state: Any) -> Any:
        wanted = (len(letter), self.cell.out_features)
        if not isinstance(state, torch.Tensor):
            raise NoState(f"as the state, step() was given {named(state)}: {A_ROW}")
        if tuple(state.shape) != wanted:
            raise NoState(
                f"step() was given a state of the shape {tuple(state.shape)}, and for these names "
                f"it has the shape {wanted}: {A_ROW}"
            )
        self.together.append(len(state))
        return torch.tanh(self.cell(torch.cat([self.letters(letter), state], 1)))

    def forward(self, names: Any) -> Any:
        state = torch.zeros(len(names), self.cell.out_features)
        for place in range(names.shape[1]):
            state = self.step(names[:, place], state)
        return self.decide(state)


WRITTEN_INTO = (
    "the scores are right, but nobody could train with them: backward() refuses. Something is "
    "written into `new`, whose numbers tanh has saved for its slope. Leave `new` as it is, and "
    "make another tensor, which takes each row from one of the two."
)
A_ROW = "after each place it has to be a tensor again, with a row for each name."
WORDS = ("ann", "christopher", "lee", "maria", "al")
LONGER = ("maria", "massachusetts", "al")


def zeroed(net: Any, letters: Any, lengths: Any, shift: int = 0, turned: bool = False) -> Any:
    """Wrong masks: a state that becomes 0, one letter too many or too few, or the other way."""
    state = torch.zeros(len(letters), net.cell.out_features)
    for place in range(letters.shape[1]):
        new = net.step(letters[:, place], state)
        inside = (place < lengths + shift).unsqueeze(1)
        if turned:
            state = torch.where(inside, state, new)
        elif shift:
            state = torch.where(inside, new, state)
        else:
            state = new * inside
    return net.decide(state)


def crossed(net: Any, letters: Any, lengths: Any) -> Any:
    """A wrong mask: a row of names, which is as long as a state here, and so fits by accident."""
    state = torch.zeros(len(letters), net.cell.out_features)
    for place in range(letters.shape[1]):
        state = torch.where(place < lengths, net.step(letters[:, place], state), state)
    return net.decide(state)


def judge_mask(read: Any) -> str | None:
    """Compares the scores of padded names with those of each name alone."""
    if not callable(read):
        return "a function is wanted."
    if has_gap(read):
        return None
    torch.manual_seed(3)
    net = Small()
    letters, lengths = encode(WORDS)
    try:
        scores = read(net, letters.clone(), lengths.clone())
    except NoState as problem:
        return str(problem)
    except RuntimeError as error:
        if "is ambiguous" not in str(error):
            raise
        return (
            "an `if` decides once, for the whole batch. Some names have ended at a place and "
            "others have not: what decides for each name?"
        )
    if is_stub(read, scores):
        return None
    together = list(net.together)
    if scores is None:
        return "it returns nothing: the scores are wanted."
    if not isinstance(scores, torch.Tensor) or tuple(scores.shape) != (5, 2):
        shape = tuple(scores.shape) if isinstance(scores, torch.Tensor) else "no tensor"
        return f"for five names two scores each are wanted, the shape (5, 2); it returns {shape}."
    if scores.grad_fn is None:
        return broke("record", "the scores have no history: nobody could train with them.")
    wanted = masked(net, letters, lengths)
    if near(scores, wanted):
        try:
            found = slopes(net, scores)
        except RuntimeError as error:
            if "modified by an inplace operation" not in str(error):
                raise
            return WRITTEN_INTO
        if near(found, slopes(net, wanted)):
            return how_it_reads(read, net, together)
        return broke(
            "record",
            "the scores are right, and the gradients of the weights are not: on the way back, "
            "something that arrives does not reach the letters before.",
        )
    known = (
        (
            net.decide(torch.zeros(5, 5)),
            "all names get the same scores: the state is still what it was before any letter.",
        ),
        (net(letters), "the padding is read like letters: only the longest name is right."),
        (
            net(torch.where(letters == 26, torch.zeros_like(letters), letters)),
            "a letter stands in the place of the padding, and it is read like those of the name. "
            "Whatever stands there, what should it do to the state?",
        ),
        (
            zeroed(net, letters, lengths),
            "the state of a name that has ended becomes 0. What had been read is forgotten.",
        ),
        (
            zeroed(net, letters, lengths, 1),
            "after each name one letter of padding is still read. The first letter has the place "
            "0: which is the place of the last one?",
        ),
        (zeroed(net, letters, lengths, -1), "the last letter of each name is not read."),
        (
            zeroed(net, letters, lengths, turned=True),
            "it is the wrong way round: letters are left out, and padding is read.",
        ),
    )
    for found, message in known:
        if torch.allclose(scores, found, atol=1e-5):
            return message
    if near(scores, crossed(net, letters, lengths)):
        return (
            "the condition has one entry for each name, and it was laid along the numbers of each "
            "state. Which shape does it have, and which one would stretch each entry over the "
            "whole row of its name?"
        )
    if 0 < len(together) < letters.shape[1]:
        return (
            f"step() was called {len(together)} times, and the longest name has "
            f"{letters.shape[1]} letters. What tells you how many places there are?"
        )
    off = [word for word, row, one in zip(WORDS, scores, wanted) if not near(row, one)]
    return f"the scores of {', '.join(off)} differ from those of the name alone."


def how_it_reads(read: Any, net: Any, together: list[int]) -> str:
    """What is said of right scores: were the names read together, and does any length do?"""
    if together and max(together) < len(WORDS):
        return (
            "the scores are right, but some names are read without the others. Let each call of "
            "step() read one place of all the names: that is what makes a batch fast."
        )
    letters, lengths = encode(LONGER)
    if near(read(net, letters, lengths), masked(net, letters, lengths)):
        return ""
    return (
        "names of up to 11 letters are read correctly, and one of 13 is not. What tells you how "
        "many places these names have?"
    )


def slopes(net: Any, scores: Any) -> Any:
    """The gradient of all weights, from scores that all weigh differently."""
    net.zero_grad()
    (scores * torch.arange(1.0, 11.0).reshape(5, 2)).sum().backward()
    each = [torch.zeros_like(p) if p.grad is None else p.grad for p in net.parameters()]
    return torch.cat([one.flatten() for one in each])


def near(one: Any, other: Any) -> bool:
    return bool(torch.allclose(one, other, atol=1e-5))


mask = lesson.Exercise(
    "mask",
    judge=judge_mask,
    hint="At each place, some names still have a letter and some have ended: compare the place "
    "with the lengths. That gives one entry for each name. To choose whole rows, torch.where needs "
    "it as a column, which unsqueeze(1) makes.",
    because="inside = (place < lengths).unsqueeze(1), and then "
    "state = torch.where(inside, new, state)",
)

# ------------------------------------------------------------------------- one mean of several


def combined(losses: Sequence[Any], sizes: Sequence[int]) -> Any:
    total = losses[0] * sizes[0]
    for loss, size in zip(losses[1:], sizes[1:]):
        total = total + loss * size
    return total / sum(sizes)


def summed(losses: Sequence[Any], sizes: Sequence[int]) -> Any:
    total = losses[0]
    for loss in losses[1:]:
        total = total + loss
    return total


def case(random: Any) -> tuple[Any, ...]:
    sizes = [int(n) for n in random.permutation([32, 5, 1, 17])]
    losses = [torch.tensor(float(x), requires_grad=True) for x in random.uniform(0.2, 2, 4)]
    return losses, sizes


NO_HISTORY = broke(
    "record",
    "the value is right, but it has no history: no gradient would reach the weights. .item(), "
    ".detach() and torch.tensor(…) each leave the history behind.",
)

ONLY_ONE = "only the {} batch is in it: "
DIVIDED = (
    "each mean is divided by the size of its batch. To become a mean, it was divided by that once."
)

mean_of_all = lesson.Exercise(
    "the mean over all names",
    answer=combined,
    cases=case,
    mistakes={
        (lambda losses, sizes: summed(losses, sizes) / len(sizes)): "that is the mean of the means:"
        " a name that is alone in its batch weighs as much as 32 others together.",
        (lambda losses, sizes: combined(losses, sizes) * (sum(sizes) / len(sizes))): "the sum over "
        "all names is right, and then it was divided by how many batches there are. How many "
        "numbers have gone into that sum?",
        (lambda losses, sizes: combined(losses, sizes) * (sum(sizes) / max(sizes))): "the sum over "
        "all names is right, and then it was divided by the size of the largest batch. How many "
        "numbers have gone into that sum?",
        (lambda losses, sizes: losses[0] * sizes[0] / sum(sizes)): ONLY_ONE.format("first")
        + "does `return` stand inside of a loop?",
        (lambda losses, sizes: losses[-1] * sizes[-1] / sum(sizes)): ONLY_ONE.format("last")
        + "does each pass of a loop forget what the one before has found?",
        (lambda losses, sizes: summed([x / n for x, n in zip(losses, sizes)], sizes)): DIVIDED,
        (
            lambda losses, sizes: summed([x / n for x, n in zip(losses, sizes)], sizes) / sum(sizes)
        ): DIVIDED,
        summed: "the means are added up, and that is all. With more batches it would be larger, "
        "and every gradient with it.",
        (lambda losses, sizes: summed(losses, sizes) / sum(sizes)): "the number of names is in it, "
        "but all batches have the same weight.",
        (lambda losses, sizes: combined(losses, sizes) * sum(sizes)): "that is the sum over all "
        "names. Its gradient is as many times too large as there are names.",
        (lambda losses, sizes: combined(losses, sizes).detach()): NO_HISTORY,
        (lambda losses, sizes: combined(losses, sizes).item()): NO_HISTORY,
    },
)


def judge_combine(combine: Any) -> str | None:
    """Judges without the library's warnings: each case would bring the same one again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return judge_mean(combine)


LIST_OF_LOSSES = (
    "a tensor was to be multiplied by `losses`, which is a list of tensors. torch.stack makes one "
    "tensor of them, and keeps their history."
)
LIST_OF_SIZES = (
    "a tensor was to be multiplied by `sizes`, which is a list of numbers. What makes a tensor of "
    "such a list?"
)
NO_PLACE = (
    "a tensor stands where Python wants a whole number, perhaps as the place in a list. A loop "
    "over a list gives the things in it, and not their places."
)


def list_in_a_product(combine: Any) -> str:
    """What is said if a tensor met a list: the one that must be a tensor for it to go well."""
    losses, sizes = case(np.random.default_rng(0))
    for arguments, text in (
        ((torch.stack(losses), sizes), LIST_OF_LOSSES),
        ((losses, torch.tensor(sizes)), LIST_OF_SIZES),
    ):
        with contextlib.suppress(Exception):
            combine(*arguments)
            return text
    return NO_PLACE


def why_no_mean(combine: Any, message: str) -> str:
    """What is said of an error that comes of lists; "" if it explains itself."""
    if "converted to an index" in message:
        return list_in_a_product(combine)
    if "'list' object has no attribute" in message:
        return "losses and sizes are lists, and a list has no such method."
    if "cannot be concatenated" in message:
        return "each loss is a single number. torch.cat joins rows; what makes a row of numbers?"
    if "same dtype" in message:
        return (
            "the losses are floats and the sizes whole numbers, and this operation wants one "
            "dtype for both: .float() makes floats of whole numbers."
        )
    if "list" in message and "Tensor" not in message:
        return (
            "losses and sizes are lists, and Python's signs do not go through a list number by "
            "number. How do you take one of each at a time?"
        )
    return ""


def judge_mean(combine: Any) -> str | None:
    """Asks first whether one thing comes back, and then compares it with the mean."""
    if callable(combine):
        try:
            found = combine(*case(np.random.default_rng(0)))
        except (TypeError, AttributeError, RuntimeError) as error:
            if not (known := why_no_mean(combine, str(error))):
                raise
            return known
        if isinstance(found, (list, tuple)) and not is_open(found):
            return f"one tensor is wanted, and this is a {type(found).__name__} of {len(found)}."
    return judged(mean_of_all, combine)


combine = lesson.Exercise(
    "combine",
    judge=judge_combine,
    hint="A mean is a sum that was divided. Which sum is behind the mean of a batch, and which one "
    "is wanted in the end? Make it of the tensors themselves, so that it keeps their history.",
    because="Each mean times its size is the sum of a batch; the sum of these, divided by the "
    "number of all names, is the mean over all.",
)

# --------------------------------------------------------------------- a test for one's own project


def faulty(words: Sequence[str], way: float = -0.25) -> Any:
    """Scores in which all but the longest word depend on their neighbours; they become smaller."""
    longest = max(map(len, words))
    rows = [[0.1 * len(w), 1.0 + way * (longest - len(w))] for w in words]
    return torch.tensor(rows, requires_grad=True) * 1


def sound(words: Sequence[str]) -> Any:
    return torch.tensor([[0.1 * len(w), 1.0] for w in words], requires_grad=True) * 1


def restless(words: Sequence[str]) -> Any:
    """Beside others, the second word's scores move by 1.5 and -0.75, and the third's less far."""
    shifts = ((0.0, 0.0), (1.5, -0.75), (-1.0, -0.1)) if len(words) > 1 else ((0.0, 0.0),)
    rows = [[0.1 * len(w) + one, 1.0 + other] for w, (one, other) in zip(words, shifts)]
    return torch.tensor(rows, requires_grad=True) * 1


def below(words: Sequence[str]) -> Any:
    """Scores that rise beside a longer word, and stay smaller than others."""
    return faulty(words, 0.25) + torch.tensor([9.0, 0.0])


class NoList(Exception):
    """Scores were asked for one word, and not for a list of words."""


def judge_neighbours(test: Any) -> str | None:
    """Gives it two readers whose answers depend on the neighbours, and one whose answers do not."""
    if not callable(test):
        return "a function is wanted."
    words = ["elisabeth", "maria", "ann"]  # the last one moves farthest: by 6 · 0.25
    sizes = []

    def watched(some: Sequence[str]) -> Any:
        if isinstance(some, str):
            raise NoList(
                f"scores_of was given the word {some!r}, and it takes a list of words, also "
                "where the list holds a single one."
            )
        sizes.append(len(some))
        return faulty(some)

    try:
        found = test(watched, words)
    except NoList as problem:
        return str(problem)
    except (RuntimeError, TypeError) as error:
        if not (known := why_raised(str(error))):
            raise
        return known
    if is_open(found) or is_stub(test, found):
        return None
    if found is None:
        return "it returns nothing: how far has that score moved?"
    if isinstance(found, tuple):
        return (
            "one number is wanted, and this is a pair. With a dimension, max() gives the largest "
            "of each row or column, and beside them where these stand."
        )
    clean, other = test(sound, words), test(restless, words)
    if isinstance(found, torch.Tensor) and found.numel() != 1:
        return f"one number is wanted; this is a tensor of the shape {tuple(found.shape)}."
    if isinstance(found, torch.Tensor):
        found, clean, other = (
            torch.as_tensor(one).detach().item() for one in (found, clean, other)
        )
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return f"a number is wanted; this is a {type(found).__name__}."
    if not math.isclose(clean, 0, abs_tol=1e-5):
        return (
            "it finds a difference in a reader whose scores depend on nothing but the name: "
            "does it compare each name with itself?"
        )
    if math.isclose(found, 1.5, abs_tol=1e-5):
        if math.isclose(other, 1.5, abs_tol=1e-5):
            return ""
        if len(words) not in sizes:
            return (
                "the words are never all read together: no list holds more than "
                f"{max(sizes, default=0)} of the {len(words)}."
            )
        return (
            "it is right where scores only fall. In another reader one of a name's scores rises by "
            "1.5 and its other one falls by 0.75, and one of another name falls by 1. There it "
            f"returns {other:.3g}: do you look at every score by itself, and at how far it moved, "
            "whichever way?"
        )
    if math.isclose(found, 0, abs_tol=1e-5):
        return "it finds nothing in a reader that is at fault: " + why_nothing(test, words, sizes)
    if looks_at_answers(test, found, words):
        return (
            "that compares answers, and says only that one of them changes. A score may move "
            "before any answer does, and a test that looks at answers is late: look at the scores."
        )
    known = {
        -1.5: "a score that falls has moved as well: look at the sizes.",
        1.0: "that is the second name's. One that moved farther is not looked at.",
        2.0: "that is how many answers change. A score may move before any answer does, and a "
        "test that looks at answers is late: look at the scores.",
        5.0: "that is where a score stands, counted from 0. How far has that score moved?",
        2.25: "that is the square of how far it moved.",
        5 / 12: "that is the mean of how far they moved, and the many that stay hide the one that "
        "does not.",
        2.5: "that is the sum. How far did the one move that moved farthest?",
    }
    for number, message in known.items():
        if math.isclose(found, number, abs_tol=1e-5):
            return message
    return f"one of the scores moves from 1 to -0.5; it returns {found:.3g}."


def looks_at_answers(test: Any, found: float, words: list[str]) -> bool:
    """Does it find 1 where answers change, and 0 where scores move and every answer stays?"""
    if found not in (1, -1):
        return False
    return float(torch.as_tensor(test(below, words)).detach()) == 0


def why_raised(message: str) -> str:
    """What is said of two errors that Python and the library explain in their own words only."""
    if "is ambiguous" in message:
        return (
            "Python's max() and `if` compare whole rows, and of two rows none is the larger one. "
            "What looks at each number of a tensor?"
        )
    if "'list'" in message and "operand" in message:
        return (
            "one of the two is a list of tensors, and the other is a tensor. torch.cat makes one "
            "tensor of a list of rows."
        )
    return ""


def why_nothing(test: Any, words: list[str], sizes: list[int]) -> str:
    """What was forgotten by a test that finds nothing: it read words in parts of these sizes."""
    if 1 not in sizes:
        return "no name was ever read alone."
    if len(words) not in sizes:
        return "the names were never read together."
    rising = torch.as_tensor(test(lambda some: faulty(some, 0.25), words)).detach()
    if rising.numel() == 1 and math.isclose(rising.item(), 1.5, abs_tol=1e-5):
        if math.isclose(float(torch.as_tensor(test(below, words)).detach()), 0, abs_tol=1e-5):
            return (
                "it compares the largest of some scores with the largest of others. A score may "
                "move while another one stays the largest: compare each with itself."
            )
        return "its scores only become smaller beside others. Has a score that falls not moved?"
    return "is every name looked at, and each of its scores?"


neighbours = lesson.Exercise(
    "neighbours",
    judge=judge_neighbours,
    hint="scores_of(words) reads them together, and scores_of([word]) reads one alone. Compare "
    "them score by score: how far has each one moved, whichever way?",
    because="together = scores_of(words), alone = torch.cat([scores_of([word]) for word in words]),"
    " and return (together - alone).abs().max().item()",
)
