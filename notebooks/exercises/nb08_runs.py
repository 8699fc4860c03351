"""What notebook 08 runs: memory that is measured, programs that keep it, and a plan made before."""

from __future__ import annotations

import copy
import gc
import numbers
import re
import sys
import traceback
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

import minigrad as torch
import minigrad.nn.functional as F
from minigrad import nn
from minigrad.lesson.values import is_open
from minigrad.tape import tape
from minigrad.tape.buffers import LEAVES, saved_arrays
from minigrad.tape.keeping import size
from minigrad.tape.memory import Memory

from .graphs import nodes
from .nb08_words import InWords, curve

__all__ = ["InWords", "curve", "size"]  # for the cells of the lesson

# ---------------------------------------------------------------------------------- measuring


class Emptied:
    """What a variable holds when a view's cell has let go of its result: it explains itself."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"{name!r} is asked of a variable that holds nothing: a cell with a view has let go of "
            "its result.\n"
            "fix: run the cell that computes the result; or, in an exercise that asks for "
            "functions, leave `lambda` and its name in front"
        )


def nothing_left() -> Emptied:
    """Lets go of what the last error holds: the variables of the functions that it went through.

    A notebook keeps that error until another one comes, and a MemoryTape would count what it holds.
    """
    error = getattr(sys, "last_value", None)
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        for frame, _ in traceback.walk_tb(error.__traceback__):
            _ = frame.f_locals  # was copied when the error was shown: now the copy is empty, too
        error = error.__context__
    gc.collect()
    return Emptied()


def saved(run: Callable[[], Any]) -> tuple[int, int]:
    """The bytes that operations have saved: at the peak, and at the end, with the result held.

    What other graphs had saved before, and still hold, is not counted.
    """
    reader = tape.watch(room=0, bare=True)  # as a MemoryTape does, without a view
    memory = Memory(tape)
    memory.begin()
    try:
        start = memory.alive
        result = run()
        memory.settle()
        found = memory.peak - start, memory.alive - start
        del result
    finally:
        memory.end()
        tape.release(reader)
    return found


def traced(run: Callable[[], Any]) -> tuple[int, int]:
    """The bytes that Python and NumPy ask for in a program, at the peak and at the end.

    On top of what is there, as ``tracemalloc`` counts them. The first run makes what is made
    only once.
    """
    run()
    gc.collect()
    going = tracemalloc.is_tracing()
    if not going:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        result = run()
        end, peak = tracemalloc.get_traced_memory()
        del result
    finally:
        if not going:
            tracemalloc.stop()
    return peak - before, end - before


def arrays(count: float, like: Any) -> str:
    """Bytes, as whole arrays of the size of this tensor's: what nodes take besides is none."""
    number = int(count / max(1, like.numel() * like.element_size()) + 0.1)
    return f"{number} array" if number == 1 else f"{number} arrays"


def repaired(evaluate: Any, model: Any, batches: Any) -> str:
    """What an evaluation that somebody wrote saves at the peak, or why there is no number.

    It gets a copy of the model, so that whatever it does to it, the lesson goes on with its own.
    """
    found: list[Any] = []
    recording = torch.is_grad_enabled()
    try:
        peak, _ = saved(lambda: found.append(evaluate(copy.deepcopy(model), batches)))
    except Exception as error:
        return f"no number: evaluate raised {type(error).__name__}: {error}"
    finally:
        torch.set_grad_enabled(recording)
    (mean,) = found
    if mean is None or is_open(mean):
        return "no number yet: evaluate returns nothing."
    if not isinstance(mean, numbers.Real):
        return f"no plain number: evaluate returns {a_type(mean)}."
    return f"{size(peak)} at the peak, mean loss {mean:.3f}"


def a_type(thing: Any) -> str:
    """The name of its type, with an article: "an int"."""
    name = type(thing).__name__
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def agreement(one: float, other: float) -> str:
    """Do two ways to the same slope agree, as far as float32 goes?"""
    if max(abs(one), abs(other)) < 0.01:
        return "so small that a comparison says nothing: is w large enough?"
    if abs(one - other) <= 2e-3 * abs(one):
        return "they agree"
    return (
        "they differ. Are the two nudges small, and is their difference divided by twice their "
        "size? Or have the weights become so large that a small nudge grows from layer to layer? "
        "Then a nudge says nothing."
    )


def by_a_nudge(net: Any, images: Any, labels: Any, nudge: float = 1e-6) -> tuple[float, float]:
    """How fast the loss changes if each parameter moves in a direction of its own.

    By two runs without a backward pass, in float64; and by the gradients that ``net`` has.
    """
    random = np.random.default_rng(0)
    moves = [torch.tensor(random.normal(size=tuple(one.shape))) for one in net.parameters()]

    def loss(size: float) -> float:
        twin = copy.deepcopy(net).double()
        with torch.no_grad():
            for parameter, move in zip(twin.parameters(), moves):
                parameter += size * move
            return F.cross_entropy(twin(images.double()), labels).item()

    by_gradients = sum((one.grad * move).sum().item() for one, move in zip(net.parameters(), moves))
    return (loss(nudge) - loss(-nudge)) / (2 * nudge), by_gradients


def percent(share: float) -> str:
    """A share with two digits that count: "16 %", "0.29 %"."""
    return f"{float(f'{100 * share:.2g}'):g} %"


# ------------------------------------------------------------------- what a view leaves unsaid

ADVICE = re.compile(r" (If no gradient is wanted|A sum of tensors|Each stored result).*")


def without_advice(view: Any) -> Any:
    """A MemoryTape that names who keeps what and why, and not what helps: that is asked for."""
    return saying(view, lambda one: {**one, "says": ADVICE.sub("", one["says"])})


def names_alone(view: Any) -> Any:
    """A MemoryTape that names who leads to a graph, and not why: that is asked for."""

    def told(one: dict[str, Any]) -> dict[str, Any]:
        name, _, list_ = one["name"].partition(", which remembers ")
        name = f"`{name}` (it remembers `{list_}`)" if list_ else f"`{name}`"
        says = f"{name} leads to a graph of {one['graph']} nodes."
        return {**one, "leak": "", "says": says}

    return saying(view, told)


def saying(view: Any, told: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    view.memory = {**view.memory, "keepers": [told(one) for one in view.memory["keepers"]]}
    return view


# ---------------------------------------------------------------------------- what is saved

RULES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "A": ("torch.exp(h)", torch.exp),
    "B": ("torch.sin(h)", torch.sin),
    "C": ("h + 1", lambda h: h + 1),
    "D": ("h ** 2", lambda h: h**2),
    "E": ("torch.sigmoid(h)", torch.sigmoid),
    "F": ("h.mean()", lambda h: h.mean()),
    "G": ("h.max(1).values", lambda h: h.max(1).values),
}


def kept_by(function: Callable[[Any], Any]) -> str:
    """What an operation on a result keeps: its "input", its "result", something "other", or
    "nothing"."""
    h = torch.rand(4, 4, requires_grad=True) * 1.0
    y = function(h)
    found = {id(array) for array, _ in saved_arrays(y._node.saved or ())}
    if id(h._array) in found:
        return "input"
    if id(y._array) in found:
        return "result"
    return "other" if found else "nothing"


# --------------------------------------------------------------------------------- segments


def cut(layers: int, count: int) -> list[int]:
    """The lengths of so many segments, as equal as can be: 64 layers in 3 are 21, 21 and 22."""
    if not 1 <= count <= layers:
        raise ValueError(
            f"{layers} layers cannot be cut into {count} segments.\n"
            f"fix: take a number from 1 to {layers}"
        )
    return [(layers + number) // count for number in range(count)]


# ----------------------------------------------------------------- three programs, source unseen


def small_network() -> Any:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(64, 256), nn.Tanh(), nn.Linear(256, 10))


def some_batches(count: int = 12) -> list[tuple[Any, Any]]:
    torch.manual_seed(1)
    return [(torch.randn(32, 64), torch.randint(0, 10, (32,))) for _ in range(count)]


class First:
    """Trains, and keeps each loss after its backward pass."""

    def __init__(self) -> None:
        self.model = small_network()
        self.batches = some_batches()
        self.best: Any = None
        self.history: list[Any] = []

    def run(self) -> None:
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        for x, y in self.batches:
            optimizer.zero_grad()
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            optimizer.step()
            self.history.append(loss)
            self.best = min(one.item() for one in self.history)


class Second:
    """Trains, and then adds up the losses of an evaluation."""

    def __init__(self) -> None:
        self.model = small_network()
        self.batches = some_batches()
        self.losses: list[float] = []
        self.total: Any = 0

    def run(self) -> None:
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        for x, y in self.batches:
            optimizer.zero_grad()
            loss = F.cross_entropy(self.model(x), y)
            loss.backward()
            optimizer.step()
            self.losses.append(loss.item())
        for x, y in self.batches:
            loss = F.cross_entropy(self.model(x), y)
            self.total = self.total + loss


class Third:
    """Evaluates, and shows each result to a function that remembers it."""

    def __init__(self) -> None:
        self.model = small_network()
        self.batches = some_batches()
        self.right: list[float] = []
        self.report = remembering()

    def run(self) -> None:
        for x, y in self.batches:
            scores = self.model(x)
            self.right.append((scores.argmax(1) == y).float().mean().item())
            self.report(scores)


def remembering() -> Callable[[Any], None]:
    seen = []

    def report(scores: Any) -> None:
        seen.append(scores)

    return report


PROGRAMS = {"A": First, "B": Second, "C": Third}

# --------------------------------------------------------------------------------- a plan


def planned(x: Any, w: Any, depth: int) -> Any:
    """The chain as a program that knew it before would compute it: two buffers, in turn."""
    value, factor = x.numpy(), w.detach().numpy()
    buffers = [np.empty_like(value), np.empty_like(value)]
    for number in range(depth):
        buffer = buffers[number % 2]
        np.matmul(value, factor, out=buffer)
        value = np.tanh(buffer, out=buffer)
    return value


def structure(side: int, depth: int = 16) -> tuple[int, int]:
    """A chain with arrays of this side: bytes of its graph, and of the arrays that it keeps."""
    torch.manual_seed(0)
    w = torch.randn(side, side).requires_grad_()
    x = torch.randn(side, side)

    def chain() -> Any:
        h = x
        for _ in range(depth):
            h = torch.tanh(h * w)  # keeps as much as with @, which takes long where side is large
        return h

    kept = depth * side * side * 4
    return traced(chain)[1] - kept, kept


def node_count(result: Any) -> int:
    """How many nodes lead to a result."""
    return len(nodes(result))


def kept_in_turn(result: Any) -> str:
    """Of each node from the first on, how many new arrays it keeps: "Exp 1, Mul 0"."""
    seen: set[int] = set()
    told = []
    for node in sorted(nodes(result), key=lambda one: one.seq):
        new = {id(array) for array, whose in saved_arrays(node.saved or ()) if whose is not LEAVES}
        told.append(f"{node.name().removesuffix('Backward0')} {len(new - seen)}")
        seen |= new
    return ", ".join(told)
