"""``watch(f, a=2.0)``: the graph of one call, with its numbers as sliders in the page."""

from __future__ import annotations

import contextlib
import io
import math
import re
import threading
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import traitlets

import minigrad as torch
from minigrad.engine.node import Node, TensorBase, Watch
from minigrad.errors import LIBRARIES, endless_error
from minigrad.lesson.stopping import Stopped, limit
from minigrad.tape import VERSION, PassRecord, Tape, graph_text, tape
from minigrad.tape.source import cell_label
from minigrad.tape.values import number, visible

from .bundles import bundle
from .folding import grouped
from .graph_view import corner
from .page_view import PageView

MOST = 10_000  # operations in one run
SECONDS = 10.0  # for one run: what computes on integers records no operations
PRINTED = 2000  # characters of what a run printed that are shown


class Guard:
    """Listens to a run's tape, and stops it after too many operations."""

    def __init__(self) -> None:
        self.made_so_far = 0

    def made(self, node: Node, inputs: Any) -> None:
        """Raises RuntimeError (MG114) after too many."""
        self.made_so_far += 1
        if self.made_so_far >= MOST:
            text = str(endless_error(MOST, node))
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
        self, function: Callable[..., Any], values: Mapping[str, Any], cell: str = ""
    ) -> None:
        self.tape = Tape(PassRecord)
        self.tape.cell = cell
        self.tape.listener = Guard()
        self.leaves = {n: as_leaf(v) for n, v in values.items() if is_leaf(v)}
        for name, leaf in self.leaves.items():
            self.tape.facts[self.tape.key_of(leaf)].aliases = (name,)
        self.result: Any = None
        self.problem = ""
        self.interrupted: KeyboardInterrupt | None = None
        printed = io.StringIO()
        before = Watch.observer
        reader = self.tape.watch()
        try:
            with contextlib.redirect_stdout(printed):
                self.result = in_time(function, {**values, **self.leaves})
        except BaseException as error:
            self.problem = told(error)
            self.interrupted = error if isinstance(error, KeyboardInterrupt) else None
        finally:
            self.tape.release(reader)
            Watch.observer = before
        self.tape.look_for_names()
        self.printed = printed.getvalue()[:PRINTED]

    def snapshot(self) -> dict[str, Any]:
        """The graph (``Snapshot`` in ``tape.ts``), its nodes counted from 1.

        So a run that takes the same path has the same nodes, and the picture stays.
        """
        keys = list(self.tape.facts)
        new = {key: f"{key[0]}{count}" for count, key in enumerate(keys, 1)}
        nodes = [self.tape.describe(key, corner(len(keys))) for key in keys]
        for node in nodes:
            node["id"] = new[node["id"]]
            for operand in node["inputs"]:
                operand["id"] = new.get(operand["id"])
        groups = grouped(nodes)
        return {"version": VERSION, "number": 0, "nodes": nodes, "omitted": 0, "groups": groups}

    def text(self, name: str) -> str:
        """The result, and the graph behind it, as text."""
        if self.problem:
            return f"{name}: {self.problem}"
        first = f"{name} = {shown(self.result)}"
        if not isinstance(self.result, TensorBase) or self.result._node is None:
            return f"{first} (no graph)"
        return f"{first}\n{graph_text(self.tape, self.result, dict(self.leaves))}"


class FunctionView(PageView):
    """What ``watch`` shows: the graph of the latest run, and its numbers to be changed.

    ``result`` is what that run returned, ``leaves`` the tensors it was called with: so
    ``view.result.backward()`` and ``view.leaves["a"].grad`` are the real thing.
    """

    _esm = bundle("graph_view.js")
    _css = bundle("minigrad.css")

    graph = traitlets.Dict().tag(sync=True)
    """The graph of the latest run (``Snapshot`` in ``tape.ts``)."""

    run = traitlets.Dict().tag(sync=True)
    """Its numbers, its result, and what went wrong (``RunData`` in ``tape.ts``)."""

    def __init__(
        self, function: Callable[..., Any], values: dict[str, Any], **options: Any
    ) -> None:
        self._function = function
        self._knobs = {n: knob(n, v) for n, v in values.items() if is_knob(v)}
        self._values = {n: v[0] if is_range(v) else v for n, v in values.items()}
        self._lock = threading.RLock()
        self._cell = tape.cell
        self._latest = Run(function, self._values, self._cell)
        if self._latest.interrupted is not None:
            raise self._latest.interrupted
        super().__init__(graph=self._latest.snapshot(), run=self._told(0), **options)
        self.on_msg(self._asked)

    @property
    def result(self) -> Any:
        """What the latest run returned."""
        return self._latest.result

    @property
    def leaves(self) -> dict[str, Any]:
        """The tensors that it was called with."""
        return self._latest.leaves

    def __repr__(self) -> str:
        shown_values = ", ".join(f"{n}={shown(v)}" for n, v in self._values.items())
        return visible(self._latest.text(f"{self._name}({shown_values})"))

    @property
    def _name(self) -> str:
        return str(getattr(self._function, "__name__", "f"))

    def _told(self, answered: int) -> dict[str, Any]:
        latest = self._latest
        return {
            "version": VERSION,
            "answers": answered,
            "name": self._name,
            "knobs": [{**k, "value": self._values[n]} for n, k in self._knobs.items()],
            "result": "" if latest.problem else shown(latest.result),
            "problem": latest.problem,
            "printed": latest.printed,
        }

    def _asked(self, _widget: Any, content: dict[str, Any], _buffers: Any) -> None:
        """The page has other numbers: run again."""
        given = content.get("values")
        if content.get("type") != "run" or not isinstance(given, dict):
            return
        with self._lock:
            for name, value in given.items():
                if name in self._knobs and isinstance(value, (int, float)):
                    whole = self._knobs[name]["whole"]
                    self._values[name] = round(value) if whole else float(value)
            self._latest = Run(self._function, self._values, self._cell)
            with self.hold_sync():
                self.graph = self._latest.snapshot()
                self.run = self._told(int(content.get("number", 0)))


def watch(function: Callable[..., Any], /, **values: Any) -> FunctionView:
    """Call a function, and show the graph of that call.

    Each float becomes a leaf tensor that requires a gradient, and so does a list of floats;
    everything else, integers too, is passed as it is. Floats and integers have a slider and a
    field in the page: when one changes, the function runs again in the kernel, and the picture
    becomes that of the new run. ``(value, least, most)`` says how far the slider goes.

    A run stops after 10,000 operations (MG114), and after 10 seconds. What it prints and raises is
    shown in the page.

    >>> from minigrad_widgets import watch
    >>> def f(a, b):
    ...     return (a + b) * (b + 1)
    >>> watch(f, a=2.0, b=6.0)
    f(a=2, b=6) = 56
    (a + b) * (b + 1)   56   MulBackward0
    b + 1                7   AddBackward0
    a + b                8   AddBackward0
    b                    6   leaf
    a                    2   leaf
    """
    return FunctionView(function, values)


def in_time(function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """What a function returns. Raises TimeoutError, with its line, if it finds no end."""
    limited = limit(SECONDS)
    try:
        return limited.call(partial(function, **values))
    except Stopped:
        text = f"stopped after {SECONDS:g} s: is there a loop that never ends?"
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
        if not frame.filename.startswith(LIBRARIES) and frame.filename != __file__:
            label = cell_label(frame.filename) or frame.filename.rsplit("/", 1)[-1]
            where = f"\n{label}, line {frame.lineno}: {frame.line}"
    return f"{type(error).__name__}: {error}".removesuffix(": ") + where
