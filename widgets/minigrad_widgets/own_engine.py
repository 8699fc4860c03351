"""A learner's own backward pass, as the stepper shows it: ``BackwardStepper(loss, engine=…)``.

Its calls of ``node(g)`` are the visits, and what it returns are the landings. Whatever it does
instead (raise, never end, call nothing) becomes a sentence; the graph and every ``.grad`` stay as
they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from minigrad.engine.backward import Visit
from minigrad.engine.node import Node, TensorBase
from minigrad.engine.unbroadcast import unbroadcast
from minigrad.lesson.attempt import tried
from minigrad.lesson.checking import has_gap, is_stub
from minigrad.lesson.own_backward import graph_kept, listening
from minigrad.lesson.values import array_in, words

MOST_CALLS = 200  # that many steps can be shown
SECONDS = 10.0
CHANGED = "it changed .grad, which has been put back: it should only return its gradients."


class TooManyCalls(Exception):
    """The pass was stopped."""


class OwnEngine:
    """A function that is run in place of the engine: it stands for the class and its one pass."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        if not callable(function):
            raise TypeError(
                f"engine must be a function, my_backward(loss), not {type(function).__name__}"
            )
        self.function = function
        self.name = getattr(function, "__name__", "your function")
        self.problem = ""
        self.calls = 0
        self.returned: dict[TensorBase, Any] = {}

    def __call__(self, roots: Sequence[Any], seeds: Sequence[Any], **options: Any) -> OwnEngine:
        (self.loss,) = roots
        return self

    def run(self, look: Callable[[Visit], None]) -> None:
        """Let it do its pass, and show each of its visits to ``look``."""

        def called(node: Node, g: Any, parts: Sequence[Any]) -> None:
            self.calls += 1
            if self.calls > MOST_CALLS:
                raise TooManyCalls
            if g is not None:
                look((node, g._array, node.edges, in_shape(node, parts)))

        def attempt() -> str | None:
            with graph_kept(self.loss) as leaves, listening(called):
                before = [grad_of(leaf) for leaf in leaves]
                try:
                    returned = self.function(self.loss)
                except TooManyCalls:
                    return f"it was stopped after {MOST_CALLS} visits: more are not shown."
                if returned is ... or is_stub(self.function, returned):
                    return None
                changed = before != [grad_of(leaf) for leaf in leaves]
                return self.take(returned, leaves) or ("" if not changed else CHANGED)

        said = tried(attempt, SECONDS)
        if said is None or (said and has_gap(self.function)):
            said = "it is not written yet."
        self.problem = said

    def take(self, returned: Any, leaves: Sequence[TensorBase]) -> str:
        """Take over what it returned, and say what is wrong with its form."""
        if returned is None:
            return "it returned nothing, and {leaf: gradient} is wanted."
        if not isinstance(returned, dict):
            return f"it returned {words(returned)}, and {{leaf: gradient}} is wanted."
        for key, value in returned.items():
            if not isinstance(key, TensorBase) or not any(key is leaf for leaf in leaves):
                kind = type(key).__name__
                return f"it returned a key that is no leaf of this graph, but a {kind}."
            g = np.asarray(array_in(value))
            if isinstance(value, (list, tuple)) or g.dtype.kind not in "fiu":
                return f"it returned {words(value)} as a gradient."
            if g.shape != key._array.shape and g.size != 1:
                return f"it returned a gradient of shape {g.shape} for one of {key._array.shape}."
            self.returned[key] = g.astype(key._array.dtype).reshape(key._array.shape)
        if self.calls == 0:
            return "it called no node, so there are no visits: node(g) makes one."
        return ""

    def gradients(self) -> Iterator[tuple[TensorBase, Any]]:
        """What it returned."""
        yield from self.returned.items()


def grad_of(leaf: TensorBase) -> bytes | None:
    """Its gradient, to be compared with a later one."""
    return None if leaf._grad is None else leaf._grad._array.tobytes()


def in_shape(node: Node, parts: Sequence[Any]) -> list[Any]:
    """The parts as arrays in the shapes of the inputs: the engine sums what was broadcast."""
    found = []
    for position, (edge, part) in enumerate(zip(node.edges, parts)):
        if part is not None:
            like = edge if isinstance(edge, Node) else edge._array
            part = unbroadcast(part._array, like.shape, like.dtype, node, position)
        found.append(part)
    return found


def own_data(
    engine: OwnEngine, steps: list[dict[str, Any]], right: list[dict[str, Any]]
) -> dict[str, Any]:
    """It as the page gets it (``Engine`` in ``tape.ts``): with what went wrong, in a sentence."""
    if steps and (len(steps) < 2 or steps[1]["node"] != steps[0]["node"]):
        steps = steps[1:]  # it did not begin at the root
    landed = {step["node"] for step in steps if step["kind"] == "land"}
    missing = [
        step["text"] for step in right if step["kind"] == "land" and step["node"] not in landed
    ]
    problem = engine.problem
    if not problem and missing:
        problem = f"it returned no gradient for {' and '.join(missing)}."
    return {
        "id": "own",
        "own": True,
        "title": f"yours: {engine.name}",
        "what": f"{engine.name} makes these visits, and what it returns is compared with autograd",
        "problem": problem and f"{engine.name}: {problem}",
        "joins": {"between": "and", "kept": "", "leaves": "brings"},
        "steps": steps,
    }


def described(schedule: dict[str, Any]) -> str:
    """The view as one line, where no page shows it.

    Of a learner's own engine it says what went wrong, or which gradients are others.
    """
    own = [engine for engine in schedule.get("engines", ()) if engine.get("own")]
    steps = schedule.get("steps", ())
    text = counted(steps)
    for engine in own:
        text = f"{counted(engine['steps'])} of {engine['title'].removeprefix('yours: ')}"
        text += f"; {engine['problem'] or compared(engine['steps'], steps)}"
    return f"BackwardStepper({text})"


def counted(steps: Sequence[Any]) -> str:
    return f"{len(steps)} step{'s' if len(steps) != 1 else ''}"


def compared(steps: list[dict[str, Any]], right: list[dict[str, Any]]) -> str:
    """Which gradients land as they should, in words."""
    landed = {step["node"]: step["grad"] for step in right if step["kind"] == "land"}
    wrong = [
        step["text"]
        for step in steps
        if step["kind"] == "land" and step["grad"]["text"] != landed[step["node"]]["text"]
    ]
    return f"wrong at {', '.join(wrong)}" if wrong else "all gradients are right"
