"""What notebook 07 runs: names as numbers, three ways to read them, and expressions as trees."""

from __future__ import annotations

import ast
import copy
import re
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

import minigrad as torch
import minigrad.nn.functional as F
from minigrad.nn.utils.rnn import pad_sequence

from .nudges import slope
from .pictures import CELL, PagePicture, cell, number, text

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
PADDING = len(ALPHABET)
Batch = list[int]  # the places of its examples

# -------------------------------------------------------------------------------------- names


def encode(words: Sequence[str]) -> tuple[Any, Any]:
    """Each letter as a number from 0 to 25, filled up with 26; and how long each word is."""
    names_only(words)
    if not words:
        raise ValueError("a list with at least one name is wanted, and this one is empty")
    for letter in "".join(words).lower():
        if letter not in ALPHABET:
            raise ValueError(f"{letter!r} is none of the letters a to z, which the network knows")
    numbers = [torch.tensor([ALPHABET.index(c) for c in word.lower()]) for word in words]
    filled = pad_sequence([row.long() for row in numbers], batch_first=True, padding_value=PADDING)
    return filled, torch.tensor([len(word) for word in words])


def names_only(words: Sequence[str]) -> None:
    """Raises ValueError where a single name stands for a list, or something else for a name."""
    if isinstance(words, str):
        raise ValueError(f'a list of names is wanted, also for a single one: write ["{words}"]')
    for word in words:
        if not isinstance(word, str):
            raise ValueError(f"a name is a text in quotes, and {word!r} is none")


def masked(net: Any, letters: Any, lengths: Any) -> Any:
    """The scores of padded names: the state of a name that has ended stays as it is."""
    state = torch.zeros(len(letters), net.cell.out_features)
    for place in range(letters.shape[1]):
        new = net.step(letters[:, place], state)
        inside = (place < lengths).unsqueeze(1)
        state = torch.where(inside, new, state)
    return net.decide(state)


def forgotten(net: Any, letters: Any, lengths: Any) -> Any:
    """The same without the mask: the padding is read like letters."""
    return net(letters)


def checked(words: Sequence[str], size: int) -> None:
    """Raises ValueError where there is nothing to read, or no batch of this size."""
    names_only(words)
    if not words:
        raise ValueError("there is no name to read")
    if not isinstance(size, int) or size < 1:
        raise ValueError(f"a batch has 1, 2, 3 or more names, and not {size}")


def in_order(words: Sequence[str], size: int = 32) -> list[Batch]:
    """Batches as the names come."""
    checked(words, size)
    return [
        list(range(first, min(first + size, len(words)))) for first in range(0, len(words), size)
    ]


def by_length(words: Sequence[str], size: int = 32) -> list[Batch]:
    """Batches of names that are equally long."""
    checked(words, size)
    buckets: dict[int, Batch] = {}
    for place, word in enumerate(words):
        buckets.setdefault(len(word), []).append(place)
    return [
        bucket[first : first + size]
        for _, bucket in sorted(buckets.items())
        for first in range(0, len(bucket), size)
    ]


# ------------------------------------------------------------------- one gradient, three speeds


@contextmanager
def exact(net: Any) -> Iterator[Any]:
    """A copy of a network that computes with sixteen digits, as all that is made meanwhile."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield copy.deepcopy(net).double()
    finally:
        torch.set_default_dtype(before)


def not_zero(nudge: float) -> float:
    """The nudge itself. Raises ValueError for one of 0."""
    if not nudge:
        raise ValueError("a nudge of 0 moves nothing: take a small number that is not 0")
    return nudge


def slopes(loss: Callable[[], Any], weight: Any, nudge: float = 1e-5) -> Any:
    """The slope of a loss for each number of a weight, in one row: by nudges, without a graph."""
    not_zero(nudge)
    places = list(np.ndindex(tuple(weight.shape)))
    if not places:
        raise ValueError(f"a weight of the shape {tuple(weight.shape)} has no number to nudge")
    return torch.tensor([slope(loss, weight, place, nudge) for place in places])


def gradient(
    net: Any, words: Sequence[str], y: Any, batches: list[Batch], mask: bool
) -> tuple[Any, float]:
    """The gradient of the mean loss over all names, in these batches; and the seconds."""
    net.zero_grad()
    began = time.perf_counter()
    for places in batches:
        letters, lengths = encode([words[place] for place in places])
        scores = masked(net, letters, lengths) if mask else net(letters)
        share = len(places) / len(words)
        (share * F.cross_entropy(scores, y[places])).backward()
    seconds = time.perf_counter() - began
    return torch.cat([p.grad.flatten() for p in net.parameters()]), seconds


def ways(words: Sequence[str], size: int = 32) -> dict[str, tuple[list[Batch], bool]]:
    """Three ways to read the same names: in which batches, and whether a mask is needed."""
    return {
        "one by one": (in_order(words, 1), False),
        "padded": (in_order(words, size), True),
        "bucketed": (by_length(words, size), False),
    }


def work(words: Sequence[str], batches: list[Batch]) -> tuple[int, int]:
    """How often the layer `cell` is called, and how many places it reads, padding included."""
    longest = [max(len(words[place]) for place in places) for places in batches]
    return sum(longest), sum(n * len(places) for n, places in zip(longest, batches))


STATES_DRAWN = 4  # numbers of a state that a picture shows, so that it fits on a page


def states(net: Any, words: Sequence[str]) -> PagePicture:
    """The state of each name after each place, with padding read like letters.

    A name is a line of its letters, a dot for each place of padding, and below it a row for each
    number of the state. Where only the first few of these are drawn, the picture says so.
    """
    letters, lengths = encode(words)
    with torch.no_grad():
        state = torch.zeros(len(words), net.cell.out_features)
        found = []
        for place in range(letters.shape[1]):
            state = net.step(letters[:, place], state)
            found.append(state[:, :STATES_DRAWN].tolist())
    left, top = 20, 10
    parts, told = [], []
    if state.shape[1] > STATES_DRAWN:
        few = f"the first {STATES_DRAWN} of {state.shape[1]} numbers of each state"
        parts.append(text(left, top + 10, few, "start"))
        told.append(few)
        top += 24
    for number_of, word in enumerate(words):
        for place, at in enumerate(found):
            x = left + place * CELL
            parts.append(text(x + CELL / 2, top + 15, f"{word:·<{len(found)}}"[place]))
            parts += [
                cell(x, top + 24 + row * CELL, round(value, 2), 1, False, "")
                for row, value in enumerate(at[number_of])
            ]
        top += 40 + len(found[0][0]) * CELL
        told.append(
            f"{word or 'the empty name'}: {in_words(found, number_of, int(lengths[number_of]))}"
        )
    width = 2 * left + max(len(found), 8) * CELL  # so that a line of text has room
    return PagePicture(width, top, parts, "; ".join(told))


def in_words(found: list[Any], name: int, length: int) -> str:
    """The state after the last letter, and after the last place if that is another one."""
    last, end = (", ".join(map(number, found[at][name])) for at in (length - 1, -1))
    parts = [f"{last} after its last letter"] if length else []
    if padding := len(found) - length:
        parts.append(f"{end} after {padding} places of padding")
    return ", ".join(parts)


# ----------------------------------------------------------------------------- a mask is forgotten


def trained(net: Any, data: Any, read: Callable[..., Any], epochs: int = 5) -> Any:
    """Trains a reader of names on padded batches of 32."""
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    letters, lengths = encode(data.x)
    for _ in range(epochs):
        for places in torch.randperm(len(data.x)).split(32):
            some = lengths[places]
            optimizer.zero_grad()
            scores = read(net, letters[places][:, : int(some.max())], some)
            F.cross_entropy(scores, data.y[places]).backward()
            optimizer.step()
    return net


def answers(net: Any, read: Callable[..., Any], words: Sequence[str], size: int) -> Any:
    """0 or 1 for each name, read in batches of this size, as the names come."""
    with torch.no_grad():
        found = [
            read(net, *encode([words[place] for place in places])).argmax(1)
            for places in in_order(words, size)
        ]
    return torch.cat(found)


def farthest(scores_of: Callable[[Sequence[str]], Any], words: Sequence[str]) -> float:
    """How far the score that moves farthest is moved by the words that are read with its own."""
    together = scores_of(words)
    alone = torch.cat([scores_of([word]) for word in words])
    return (together - alone).abs().max().item()


def share(found: Any, y: Any) -> float:
    """How many of the answers are right."""
    return (found == y).float().mean().item()


# ------------------------------------------------------------------------- a plan made in advance

PLAN = ("zeros", ("for each letter", ("look up", "join", "cell", "tanh")), "decide")


def run_plan(plan: Any, net: Any, letters: Any) -> Any:
    """Carries out a plan that was written down before any name was known."""
    with torch.no_grad():
        state = joined = row = torch.zeros(len(letters), net.cell.out_features)
        for entry in plan:
            if entry == "decide":
                return net.decide(state)
            if entry == "zeros":
                continue
            _, body = entry
            for place in range(letters.shape[1]):
                for what in body:
                    if what == "look up":
                        row = net.letters(letters[:, place])
                    elif what == "join":
                        joined = torch.cat([row, state], 1)
                    elif what == "cell":
                        state = net.cell(joined)
                    elif what == "tanh":
                        state = torch.tanh(state)
    return state


# -------------------------------------------------------------------------------- expressions


KNOWN = "only True, False, not, and, or and brackets are known"


def tree_of(text: str) -> Any:
    """What Python's own parser makes of an expression: True, False, not, and, or."""
    for word in re.findall(r"[^\W\d]\w*", text):
        if word not in ("True", "False", "not", "and", "or"):
            raise ValueError(f"{word!r} is not known here: {KNOWN}, with just these letters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise ValueError(f"{text!r} is no complete expression: is something missing?") from None
    for part in ast.walk(tree):
        known = ast.BoolOp, ast.UnaryOp, ast.Constant, ast.boolop, ast.Not
        if not isinstance(part, known) or not isinstance(getattr(part, "value", True), bool):
            raise ValueError(KNOWN)
    return tree


DEEPEST = 15  # 300 of these have 405 parts in the mean, and are made in a few seconds


def depth_only(depth: Any) -> None:
    """Raises ValueError for what is no depth."""
    if not isinstance(depth, int):
        raise ValueError(f"a depth counts operations, and so it is a whole number, not {depth}")
    if depth < 0:
        raise ValueError(f"the constants have the depth 0, and nothing has the depth {depth}")


def expressions(depth: int, count: int = 300, seed: int = 0) -> tuple[list[Any], Any]:
    """Expressions of exactly this depth, half of them true, and their values."""
    depth_only(depth)
    if depth > DEEPEST:
        raise ValueError(
            f"expressions of the depth {depth} take minutes to make; {DEEPEST} is the deepest here"
        )
    generator = torch.Generator().manual_seed(1000 * depth + seed)
    return torch.datasets.boolean_trees(count, depth, generator)


def shallow(deepest: int = 3, count: int = 600) -> tuple[list[Any], Any]:
    """Expressions of the depths 0 to 3, or another one, equally many of each; and their values."""
    depth_only(deepest)
    if count <= deepest:
        raise ValueError(f"of each depth one expression is wanted, and count={count} is too small")
    parts = [expressions(depth, count // (deepest + 1)) for depth in range(deepest + 1)]
    return [tree for trees, _ in parts for tree in trees], torch.cat([y for _, y in parts])


def shape_of(tree: Any) -> str:
    """What decides about the graph of an expression: everything but which constant stands where."""
    if isinstance(tree, ast.Constant):
        return "."
    if isinstance(tree, ast.UnaryOp):
        return f"not {shape_of(tree.operand)}"
    word = " and " if isinstance(tree.op, ast.And) else " or "
    return f"({word.join(map(shape_of, tree.values))})"


def shortest(trees: Sequence[Any]) -> Any:
    """The expression that is written with the fewest signs."""
    return min(trees, key=lambda tree: len(ast.unparse(tree)))


def written(tree: Any) -> str:
    """An expression as text, cut where it is longer than a line."""
    return textwrap.shorten(ast.unparse(tree), 90, placeholder=" …")


def depth_of(tree: Any) -> int:
    """How deep the operations of an expression are nested."""
    inner = [depth_of(part) for part in ast.iter_child_nodes(tree) if isinstance(part, ast.expr)]
    return 1 + max(inner) if inner else 0


def learned(net: Any, trees: list[Any], y: Any, epochs: int = 8, lr: float = 0.02) -> Any:
    """Trains a network on trees, in batches of 16."""
    optimizer = torch.optim.Adam(net.parameters(), lr=lr)
    for _ in range(epochs):
        for part in torch.randperm(len(trees)).split(16):
            places = part.tolist()
            optimizer.zero_grad()
            F.cross_entropy(net([trees[place] for place in places]), y[places]).backward()
            optimizer.step()
    return net


def drawn(texts: Sequence[str], vectors: Sequence[Sequence[float]]) -> PagePicture:
    """The vectors of expressions as coloured numbers: a row for each, between its text and value.

    With one digit, as they are printed, so that the picture is the same on each machine.
    """
    left = 24 + 8 * max(map(len, texts))
    largest = max([abs(value) for vector in vectors for value in vector] + [1e-9])
    parts, words = [], []
    for row, (said, vector) in enumerate(zip(texts, vectors)):
        shown = [round(value, 1) for value in vector]
        parts.append(text(left - 12, 10 + row * CELL + CELL / 2 + 5, said, "end"))
        parts += [
            cell(left + column * CELL, 10 + row * CELL, value, largest, False, "")
            for column, value in enumerate(shown)
        ]
        worth = str(eval(said)).lower()
        end = left + len(shown) * CELL + 34
        parts.append(text(end, 10 + row * CELL + CELL / 2 + 5, worth))
        words.append(f"{said}: {', '.join(map(number, shown))}, {worth}")
    width = left + max(map(len, vectors)) * CELL + 70
    return PagePicture(width, 20 + len(texts) * CELL, parts, "; ".join(words))


def right(net: Any, depth: int, count: int = 300) -> float:
    """How many of the expressions of a depth it gets right."""
    trees, y = expressions(depth, count)
    with torch.no_grad():
        return share(net(trees).argmax(1), y)
