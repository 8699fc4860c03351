"""Calls of a function that a page can change the numbers of: ``watch`` and ``BackwardStepper``.

A ``Run`` is one call, on a tape of its own. ``Calls`` are all those of one view: its numbers, their
sliders, and the latest run.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import time
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import minigrad as torch
from minigrad.engine.node import Node, TensorBase, Watch
from minigrad.errors import LIBRARIES, endless_error
from minigrad.lesson.stopping import Stopped, limit
from minigrad.tape import VERSION, PassRecord, Tape, graph_text, tape
from minigrad.tape.facts import as_input
from minigrad.tape.nesting import made
from minigrad.tape.source import cell_label
from minigrad.tape.values import number

from .folding import grouped
from .graph_view import corner
from .pytorch import is_pytorchs
from .slices import Shelf, values_of_nodes

MOST = 10_000  # operations in one run
SECONDS = 10.0  # for one run: what computes on integers records no operations
DRAGGED_MOST = 1000  # operations while a slider moves,
DRAGGED_SECONDS = 0.4  # and seconds: many runs follow each other, and the hand waits for each
PATIENCE = 4  # a run may take this many times what the largest one before it took
PRINTED = 2000  # characters of what a run printed that are shown

WITH_PYTORCH = (
    "{name} computes with PyTorch, and only functions of minigrad's are called with sliders\n"
    "  fix: call it yourself and look at its result, such as: BackwardStepper({name}(...)); or lay "
    "two calls side by side with GraphDiff"
)

OURS = (*LIBRARIES, os.path.dirname(os.path.abspath(__file__)) + os.sep)
"""Where the files lie whose lines are none of the function's."""


class Limits(NamedTuple):
    """How much a run may take."""

    operations: int
    seconds: float


class Guard:
    """Listens to a run's tape, and stops it after too many operations."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.made_so_far = 0

    def made(self, node: Node, inputs: Any) -> None:
        """Raises RuntimeError (MG114) after too many."""
        self.made_so_far += 1
        if self.made_so_far >= self.most:
            text = str(endless_error(self.most, node))
            raise RuntimeError(re.sub(r"; or allow more: [\w.]+\(operations=\.\.\.\)", "", text))

    def began(self, roots: Any) -> None: ...

    def landed(self, leaf: Any) -> None: ...


class Run:
    """One call of a function, on a tape of its own: what it made, returned, printed or raised.

    ``leaves`` are the tensors that it was called with, by name. ``result`` is what it returned,
    None if it raised; then ``problem`` says what and in which line. Nothing passes through, not
    even SystemExit: a slider would end the kernel with it. ``interrupted`` is KeyboardInterrupt.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        values: Mapping[str, Any],
        cell: str = "",
        limits: Limits | None = None,
    ) -> None:
        self.limits = limits or Limits(MOST, SECONDS)
        self.tape = Tape(PassRecord)
        self.tape.cell = cell
        self.tape.listener = guard = Guard(self.limits.operations)
        self.leaves = {n: as_leaf(v) for n, v in values.items() if is_leaf(v)}
        for name, leaf in self.leaves.items():
            self.tape.facts[self.tape.key_of(leaf)].aliases = (name,)
        self.result: Any = None
        self.problem = ""
        self.interrupted: KeyboardInterrupt | None = None
        self.random = torch.get_rng_state()
        printed = io.StringIO()
        before = Watch.observer
        reader = self.tape.watch(keeps=True)  # as many as the limit lets a run make
        began = time.perf_counter()
        try:
            with contextlib.redirect_stdout(printed):
                self.result = in_time(function, {**values, **self.leaves}, self.limits.seconds)
        except BaseException as error:
            self.problem = told(error)
            self.interrupted = error if isinstance(error, KeyboardInterrupt) else None
        finally:
            self.tape.catch_up()  # as long as it is kept
            self.tape.release(reader)
            Watch.observer = before
        self.seconds = time.perf_counter() - began
        self.operations = guard.made_so_far
        self.tape.look_for_names()
        self.printed = printed.getvalue()[:PRINTED]

    def snapshot(self) -> dict[str, Any]:
        """The graph (``Snapshot`` in ``tape.ts``), its nodes counted from 1.

        So a run that takes the same path has the same nodes, and the picture stays.
        """
        keys = self.drawn()
        new = self.new_ids()
        nodes = [self.tape.describe(key, corner(len(keys))) for key in keys]
        nodes = [n if self.tape.facts[n["id"]].watched else as_input(n) for n in nodes]
        for node in nodes:
            node["id"] = new[node["id"]]
            for operand in (*node["inputs"], *node.get("cut", ())):
                operand["id"] = new.get(operand["id"])
        facts = {new[key]: self.tape.facts[key] for key in keys}
        known = {key: made(fact)._replace(key=key) for key, fact in facts.items() if fact.within}
        groups = grouped(nodes, known)
        return {
            "version": VERSION,
            "number": 0,
            "nodes": nodes,
            "slices": Shelf().of(values_of_nodes(nodes), len(nodes)),
            "omitted": 0,
            "groups": groups,
        }

    def drawn(self) -> list[str]:
        """What the call made, what it was given, and what else its operations use."""
        facts = {key: self.tape.facts[key] for key in list(self.tape.facts)}
        made = {key for key, fact in facts.items() if fact.op and fact.watched}
        given = {self.tape.known(leaf) for leaf in self.leaves.values()}
        used = {operand for key in made for operand in facts[key].operands}
        used |= {source for key in used for source in self.tape.sources_of(key)}
        keys = [key for key in facts if key in made or key in given or key in used]
        return self.tape.behind_their_sources(keys)

    def new_ids(self) -> dict[str, str]:
        """The tape's keys, and the ids that the page gets for them."""
        return {key: f"{key[0]}{count}" for count, key in enumerate(self.tape.facts, 1)}

    def text(self, name: str) -> str:
        """The result, and the graph behind it, as text."""
        if self.problem:
            return f"{name}: {self.problem}"
        first = f"{name} = {shown(self.result)}"
        if not isinstance(self.result, TensorBase) or self.result._node is None:
            return f"{first} (no graph)"
        return f"{first}\n{graph_text(self.tape, self.result, dict(self.leaves))}"


class Calls:
    """A function and its numbers: the latest run, and the next one when the page changes them."""

    def __init__(self, function: Callable[..., Any], values: Mapping[str, Any]) -> None:
        self.function = function
        if is_pytorchs(function):
            raise TypeError(WITH_PYTORCH.format(name=self.name))
        self.knobs = {n: knob(n, v) for n, v in values.items() if is_knob(v)}
        self.values = {n: v[0] if is_range(v) else v for n, v in values.items()}
        self.cell = tape.cell
        self.latest = Run(function, self.values, self.cell)
        self.largest = Limits(self.latest.operations, self.latest.seconds)
        if self.latest.problem:
            self.largest = Limits(0, 0.0)
        if self.latest.interrupted is not None:
            raise self.latest.interrupted

    @property
    def name(self) -> str:
        return str(getattr(self.function, "__name__", "f"))

    def text(self) -> str:
        """The call, its result, and the graph behind it, as text."""
        given = ", ".join(f"{n}={shown(v)}" for n, v in self.values.items())
        return self.latest.text(f"{self.name}({given})")

    def limits(self) -> Limits:
        """What a run may take while a slider moves: some times what one that ended has taken."""
        most = max(DRAGGED_MOST, PATIENCE * self.largest.operations)
        seconds = max(DRAGGED_SECONDS, PATIENCE * self.largest.seconds)
        return Limits(min(most, MOST), min(seconds, SECONDS))

    def change(self, given: Mapping[str, Any]) -> None:
        """Take over numbers from the page, and run again."""
        for name, value in given.items():
            if name in self.knobs and isinstance(value, (int, float)):
                self.values[name] = round(value) if self.knobs[name]["whole"] else float(value)
        self.latest = Run(self.function, self.values, self.cell, self.limits())
        if not self.latest.problem:
            operations = max(self.largest.operations, self.latest.operations)
            self.largest = Limits(operations, max(self.largest.seconds, self.latest.seconds))

    def told(self, answered: int) -> dict[str, Any]:
        """The latest run as the page gets it (``RunData`` in ``tape.ts``)."""
        latest = self.latest
        return {
            "version": VERSION,
            "answers": answered,
            "name": self.name,
            "knobs": [{**k, "value": self.values[n]} for n, k in self.knobs.items()],
            "result": "" if latest.problem else shown(latest.result),
            "problem": latest.problem,
            "printed": latest.printed,
        }


def asked_to_run(content: Any) -> Mapping[str, Any] | None:
    """The numbers in a message from the page; None in any other message."""
    given = content.get("values")
    if content.get("type") != "run" or not isinstance(given, dict):
        return None
    return given


def in_time(
    function: Callable[..., Any], values: Mapping[str, Any], seconds: float | None = None
) -> Any:
    """What a function returns. Raises TimeoutError, with its line, if it finds no end."""
    limited = limit(SECONDS if seconds is None else seconds)
    try:
        return limited.call(partial(function, **values))
    except Stopped:
        text = f"stopped after {limited.seconds:g} s: is there a loop that never ends?"
        if limited.where:
            text += f"\n  where: {limited.where}"
        raise TimeoutError(text) from None


# ----------------------------------------------------------------------------------- arguments


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_range(value: Any) -> bool:
    """Is it ``(value, least, most)``?"""
    three = isinstance(value, tuple) and len(value) == 3
    return three and all(is_number(v) and math.isfinite(v) for v in value)


def is_knob(value: Any) -> bool:
    """Does it get a slider? Infinity would need a long one."""
    return is_range(value) or (is_number(value) and math.isfinite(value))


def is_leaf(value: Any) -> bool:
    """A float, or a list or an array of floats: what can have a gradient."""
    if isinstance(value, (list, np.ndarray)):
        return bool(np.asarray(value).dtype.kind == "f")
    return isinstance(value, float)


def as_leaf(value: Any) -> Any:
    return torch.tensor(value, requires_grad=True)


def knob(name: str, given: Any) -> dict[str, Any]:
    """A number's slider: how far it goes, and in which steps."""
    value, *ends = given if is_range(given) else (given,)
    whole = all(isinstance(v, int) for v in (value, *ends))
    reach = 2 * max(1.0, abs(value))
    if not ends and whole:
        ends = [min(0, 2 * value), max(10, 2 * value)]
    elif not ends:
        size = 10 ** math.floor(math.log10(reach))
        reach = math.ceil(reach / size) * size
        middle = 0.0 if abs(value) < reach else value
        ends = [middle - reach, middle + reach]
    step: float = 1
    if not whole:
        step = 10.0 ** (math.floor(math.log10(max(ends[1] - ends[0], 1e-9))) - 2)
    return {"name": name, "whole": whole, "least": ends[0], "most": ends[1], "step": step}


# --------------------------------------------------------------------------------------- words


def shown(value: Any) -> str:
    """A value in a few letters."""
    if isinstance(value, TensorBase):
        array = np.asarray(value._array)
        return number(array.item()) if array.size == 1 else f"shape {tuple(array.shape)}"
    if isinstance(value, float):
        return number(value)
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def told(error: BaseException) -> str:
    """What was raised, and the user's line: the innermost that is not minigrad's."""
    where = ""
    if "\n  where: " in str(error):
        return f"{type(error).__name__}: {error}"
    for frame in traceback.extract_tb(error.__traceback__):
        if not frame.filename.startswith(OURS):
            label = cell_label(frame.filename) or frame.filename.rsplit("/", 1)[-1]
            where = f"\n{label}, line {frame.lineno}: {frame.line}"
    return f"{type(error).__name__}: {error}".removesuffix(": ") + where
