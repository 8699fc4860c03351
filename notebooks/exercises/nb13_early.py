"""The exercise of notebook 13 in which a network stops early, with its judge."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import lesson, nn
from minigrad.lesson.checking import is_stub
from minigrad.lesson.values import is_open

from .nb13_judges import names_read, outsider


class Counted(nn.Linear):
    """A block that counts how often it has run."""

    calls = 0

    def forward(self, x: Any) -> Any:
        self.calls += 1
        return super().forward(x)


class Stopping:
    """Four blocks and an exit, and what a function that may stop early makes of them."""

    def __init__(self) -> None:
        torch.manual_seed(145)
        self.blocks = [Counted(8, 8) for _ in range(4)]
        self.last = nn.Linear(8, 10)
        with torch.no_grad():
            self.last.weight *= 2
        self.h = torch.randn(1, 8)
        self.scores = [self.last(self.h)]  # after no block, after one, after two ...
        now, self.bent = self.h, []
        for block in self.blocks:
            now = now + torch.tanh(block(now))
            self.bent.append(F.softmax(now, 1).max().item())  # as if h were the scores
            self.scores.append(self.last(now))
        self.scores = [one.detach() for one in self.scores]
        self.certainties = [F.softmax(one, 1).max().item() for one in self.scores]

    def run(self, early: Any, sure: float) -> tuple[Any, list[int], bool]:
        """Its result, how often each block ran, and whether h has been written into."""
        for block in self.blocks:
            block.calls = 0
        h = self.h.clone()
        result = early(self.blocks, self.last, h, sure)
        return result, [one.calls for one in self.blocks], not torch.equal(h.detach(), self.h)

    def tempered(self, block: Any, add: bool, bend: bool) -> Any:
        """The scores after the first block, with h added or not, and with a tanh or without."""
        now = block(self.h).detach()
        now = torch.tanh(now) if bend else now
        return self.last(self.h + now if add else now).detach()


def judge_early(early: Any) -> str | None:
    """Gives it four blocks, and several degrees of certainty."""
    if not callable(early):
        return "a function is wanted."
    given = Stopping()
    try:
        return stopped(early, given)
    except (IndexError, NameError, RuntimeError, TypeError) as error:
        if wrong := stumbled(early, error):
            return wrong
        raise


STUMBLES = (
    (
        "Boolean value",
        "it compares several probabilities with sure at once. Which of them is asked for?",
    ),
    (
        "instances of 'max'",
        "max(1) returns two things, the largest numbers and their places; sure is one number.",
    ),
    ("instances of 'method'", "a method is named there, and not called: its brackets are missing."),
    ("argument: 'dim'", "softmax has to be told along which dimension the numbers add up to 1."),
    (
        "indices must be integers or slices, not Counted",
        "the loop gives the blocks themselves, and here one of them is taken for its number.",
    ),
)
"""A piece of the error that a usual mistake raises, and what is said of it."""


def stumbled(early: Any, error: Exception) -> str:
    """What is said of an error that a usual mistake raises; "" if it is another one."""
    if name := outsider(early):
        return f"it uses {name}, which stands outside the function, instead of what it was given."
    if isinstance(error, IndexError):
        return "it asks for a block behind the last one. What if the network is never sure enough?"
    return next((told for piece, told in STUMBLES if piece in str(error)), "")


def stopped(early: Any, given: Stopping) -> str | None:
    """What is wrong with where it stops, and with what it returns; "" if nothing is."""
    for sure in (0.05, max(given.certainties[1:4]) - 1e-4, 1.1):
        result, ran, written = given.run(early, sure)
        if is_open(result) or is_stub(early, result):
            return None
        if result is None and sure > 1:
            return "where the network is never sure enough, it returns nothing."
        if wrong := no_pair(result):
            return wrong
        if written:
            return "it writes into the h that it was given, which belongs to the caller."
        scores, used = result
        count = leaves(given.certainties[1:], sure)
        if used != count:
            return miscounted(early, given, sure, used)
        if max(ran) > 1:
            return f"a block ran {max(ran)} times, and once would do."
        if wrong := other_scores(scores, given, count):
            return wrong
        if sum(ran) != used:
            return f"it reports {used} of 4 blocks, and {sum(ran)} ran. What is saved by stopping?"
    return exactly_sure(early, given)


def no_pair(result: Any) -> str:
    """What is wrong if something else than scores and a number comes back."""
    if result is None:
        return "it returns nothing: the scores and the number of blocks are wanted."
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        return "two things are wanted: the scores, and how many blocks have run."
    scores, used = result
    if isinstance(scores, int) and isinstance(used, torch.Tensor):
        return "it returns the number of blocks first, and then the scores: the other way round."
    if not isinstance(scores, torch.Tensor):
        return (
            f"the scores are wanted first, and what comes there is of type {type(scores).__name__}."
        )
    if not isinstance(used, (int, float)):
        return (
            f"how many blocks ran is to be a plain number, and it is of type {type(used).__name__}."
        )
    return ""


def other_scores(scores: Any, given: Stopping, count: int) -> str:
    """What is wrong with the scores, where the number of blocks is right."""
    if tuple(scores.shape) != (1, 10):
        return f"the scores have the shape {tuple(scores.shape)}, and (1, 10) is wanted."
    scores, right = scores.detach(), given.scores[count]
    if torch.allclose(scores, right, rtol=1e-3, atol=1e-4):
        return ""
    if torch.allclose(scores, F.softmax(right, 1), rtol=1e-3, atol=1e-4):
        return "it returns the probabilities, and the scores are wanted."
    for blocks_run, others in enumerate(given.scores):
        if torch.allclose(scores, others, rtol=1e-3, atol=1e-4):
            return f"{count} of 4 blocks are counted, and the scores are those after {blocks_run}."
    begin = f"after {count} of 4 blocks the scores are others"
    for add, bend, text in (
        (False, True, "what a block makes takes the place of h, and is not added to it."),
        (True, False, "where is the tanh?"),
        (False, False, "where is the tanh, and what becomes of the h that comes in?"),
    ):
        mistaken = given.tempered(given.blocks[0], add, bend)
        if count == 1 and torch.allclose(scores, mistaken, rtol=1e-3, atol=1e-4):
            return f"{begin}: {text}"
    return f"{begin}. Does each block run as in section 3?"


def exactly_sure(early: Any, given: Stopping) -> str:
    """Gives it scores of which one is certain, and asks for just that certainty."""
    certain = nn.Linear(8, 10)
    with torch.no_grad():
        certain.weight.zero_()
        certain.bias.zero_()
        certain.bias[3] = 40.0  # e to the 40 beside nine ones: its probability is 1.0
    _, used = early(given.blocks, certain, given.h.clone(), 1.0)
    if used != 1:
        return (
            f"where the largest probability is exactly sure, it goes on, and {used} blocks run. At "
            "least as large is wanted."
        )
    return ""


def leaves(certainties: list[float], sure: float) -> int:
    """After how many blocks it is sure; after all of them if it never is."""
    found = (used for used, one in enumerate(certainties, 1) if one >= sure)
    return next(found, len(certainties))


def miscounted(early: Any, given: Stopping, sure: float, used: Any) -> str:
    """What is wrong with a function that stops elsewhere: what it compares, or when it stops."""
    degrees = degrees_tried(given)
    results = [given.run(early, one) for one in degrees]
    stops = [one[0][1] for one in results]
    if set(stops) == {4} and any(sum(ran) < 4 for _, ran, _ in results):
        return "it says that 4 blocks have run, whether they have or not."
    if all(sum(ran) == 1 for _, ran, _ in results) and len(set(stops)) > 1:
        return (
            f"it says that {used} of 4 blocks ran, and only one runs, whatever sure is. Where does "
            "each return stand?"
        )
    named = names_read(early)
    if stops == certain(degrees) and "sum" in named and "max" not in named:
        return "it compares the sum of the ten probabilities with sure, and that is 1 each time."
    for pattern, text in patterns(given, degrees):
        if stops == pattern:
            return text
    if len(set(stops)) == 1:
        return f"it stops after {used} of 4 blocks, whatever sure is."
    told = ", ".join(f"{one:.3f}" for one in given.certainties[1:])
    return (
        f"with sure = {sure:.4g} it says that {used} of 4 blocks ran, where the largest "
        f"probabilities after each block are {told}."
    )


def certain(degrees: list[float]) -> list[int]:
    """Where it stops at these degrees if every certainty is 1 to it."""
    return [leaves([1.0] * 4, one) for one in degrees]


def degrees_tried(given: Stopping) -> list[float]:
    """Values of sure between all the numbers that somebody may compare with it."""
    found = [0.05, 0.5, 0.99, 1.1, 9.5]
    for kind in (given.certainties, given.bent, [one.max().item() for one in given.scores]):
        found += [(a + b) / 2 for a, b in pairwise(kind)] + [max(kind) + 0.01]
    return found


def patterns(given: Stopping, degrees: list[float]) -> list[tuple[list[int], str]]:
    """Where the usual mistakes make it stop at these degrees, and what is said of each."""
    before, *sures = given.certainties
    raw = [one.max().item() for one in given.scores[1:]]
    places = [float(one.argmax().item()) for one in given.scores[1:]]
    right = [leaves(sures, one) for one in degrees]
    from_0 = [at - (sures[at - 1] >= one) for at, one in zip(right, degrees)]
    early = [0 if before >= one else leaves(sures, one) for one in degrees]
    return [
        (
            [leaves(raw, one) for one in degrees],
            "it compares the largest score with sure. A score is no probability yet.",
        ),
        (
            certain(degrees),
            "every certainty is 1 to it. The probabilities of which numbers have to add up to 1?",
        ),
        (
            [leaves(places, one) for one in degrees],
            "it compares the place of the largest number with sure: argmax says which digit it is, "
            "and not how probable.",
        ),
        (
            [leaves(given.bent, one) for one in degrees],
            "the probabilities that it compares with sure are made of h. Which numbers say how "
            "likely each digit is?",
        ),
        ([one - 1 for one in right], "when one block has run, it says 0."),
        (from_0, "when it stops after one block, it says 0."),
        (early, "it asks for the first time before any block has run."),
        (
            [leaves([-one for one in sures], -one) for one in degrees],
            "it stops where it is not sure, and goes on where it is.",
        ),
        (
            [4] * len(degrees),
            "it never stops early here: whatever sure is, all 4 blocks run. Does what you compare "
            "get there, and is it compared with sure?",
        ),
        (
            [1] * len(degrees),
            "whatever sure is, it stops after the first block. Is there a return that comes in any "
            "case?",
        ),
    ]


early = lesson.Exercise(
    "early",
    judge=judge_early,
    hint="A for loop over the blocks, with a return in it. F.softmax(scores, 1) makes "
    "probabilities of the scores; .max().item() is the largest one, as a number.",
    because="One way, line by line:\n"
    "for used, block in enumerate(blocks, 1):\n"
    "    h = h + torch.tanh(block(h))\n"
    "    scores = last(h)\n"
    "    if F.softmax(scores, 1).max().item() >= sure:\n"
    "        break\n"
    "return scores, used",
)
