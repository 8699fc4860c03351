"""``BackwardStepper``: one backward pass, a node at a time."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import traitlets

from minigrad.autograd.context import FunctionNode
from minigrad.engine.node import TensorBase, edge_to, reachable
from minigrad.lesson.engines import WRONG, Wrong
from minigrad.tape import Tape, rehearse, tape
from minigrad.tape.collecting import without_collecting
from minigrad.tape.held import recent

from . import pytorch
from .bundles import bundle
from .lesson_faces import rules_of
from .nudges import BY_FUNCTION, without
from .own_engine import OwnEngine, described, own_data
from .page_view import PageView
from .pytorch import Graph, TorchTape, is_tensor
from .runs import Calls, asked_to_run
from .slices import HELD, REHEARSED, Shelf, values_of_pass
from .stepped_calls import NO_START, groups_of_pass, schedule_of_call, source_of_nodes

MOST_NODES = 60  # in larger graphs one does not see what a wrong engine does
MOST_STEPS = 200  # some wrong engines take every path
BREAKABLE = ("local", "multiply", "add")  # by an answer in the page
NOT_ASKED = ("record", "leaf", "accumulate", "shape", "fills")  # no choice in one pass
NO_ENGINE = (
    "engines other than autograd walk graphs of minigrad's, not of PyTorch's\n"
    "  fix: BackwardStepper(loss), without engine=; or write the program with minigrad."
)
LOOKS = ("layout", "tabbable", "tooltip")  # what every widget takes, and no function gets


class BackwardStepper(PageView):
    """Step through ``loss.backward()`` forwards and backwards, with formulas and numbers.

    It rehearses: the real engine runs on the real graph, but the gradients go into a table of
    their own. Every ``.grad``, and the graph, stay as they were. On a graph that ``backward()``
    has freed it replays that pass, if a GraphView was watching, and otherwise says what to do.

    A switch shows the same pass by engines that are wrong on purpose (``lesson.engines``), on
    graphs of up to 60 operations without hooks and without custom Functions: the wrong engines
    would call these once more each. The real one calls them once, as ``loss.backward()`` does: a
    tensor hook, or a ``Function.backward``, that prints or counts does so in the rehearsal too.

    Given a function and its numbers, it calls the function as ``watch`` does. Each number has a
    slider in the page, which the pass follows; and *Nudge* adds a little to one of them, runs the
    function again, and shows how much each value changes, beside the gradient that came back.
    For the nudges, the function runs a few more times after each change.

    Parameters
    ----------
    loss : tensor or function
        Where the pass starts; it must have a history. It may be one of PyTorch's own. Or a
        function that returns a tensor of minigrad's.
    gradient : tensor, optional
        The gradient to start with, where ``loss`` has more than one number.
    ask : bool
        Open with "Ask me first" on.
    engine : function or str, optional
        A backward pass of your own, ``my_backward(loss)``, which returns ``{leaf: gradient}``. Its
        calls of ``node(g)`` are the visits then, and what it returns is compared with autograd.
        Or the name of an engine that is wrong on purpose, "once", to open with it.
    **numbers
        What the function is called with, as in ``watch``: ``rate=2.0`` or ``rate=(2.0, 0, 10)``.

    What the function raises is shown in the page. Otherwise raises TypeError without a tensor or
    a function, and what ``loss.backward(gradient)`` would raise, such as RuntimeError (MG107)
    without a gradient for several numbers, or (MG104) after a saved value was overwritten; and
    ValueError for the name of an engine that there is not.

    >>> import minigrad as torch
    >>> from minigrad_widgets import BackwardStepper
    >>> a = torch.tensor([2.0], requires_grad=True)
    >>> stepper = BackwardStepper(a * a)
    >>> stepper
    BackwardStepper(3 steps)
    >>> a.grad is None
    True
    >>> def loss(rate):
    ...     error = rate * 3 + 4 - 13
    ...     return error ** 2
    >>> BackwardStepper(loss, rate=2.0)
    BackwardStepper(6 steps)
    """

    _esm = bundle("backward_stepper.js")
    _css = bundle("minigrad.css")

    schedule = traitlets.Dict().tag(sync=True)
    """The steps (``Schedule`` in ``tape.ts``). The page needs nothing else, not even a kernel."""

    run = traitlets.Dict().tag(sync=True)
    """Of a function: its numbers, and what went wrong (``RunData`` in ``tape.ts``)."""

    def __init__(
        self,
        loss: Any,
        gradient: Any = None,
        *,
        ask: bool = False,
        engine: Callable[[Any], Any] | str | None = None,
        **options: Any,
    ) -> None:
        self._ask = bool(ask)
        self._shelf = Shelf(HELD)
        self._engine = checked(engine)
        if is_tensor(loss):
            frame = sys._getframe(1)
            names = {**frame.f_globals, **frame.f_locals}
            super().__init__(schedule=self._by_pytorch(loss, gradient, names), **options)
            return
        if is_function(loss):
            numbers = {name: options.pop(name) for name in list(options) if name not in LOOKS}
            self._call(loss, numbers, gradient, options)
            return
        if not isinstance(loss, TensorBase):
            raise TypeError(NO_START.format(kind=type(loss).__name__))
        frame = sys._getframe(1)
        tape.look_for_names()
        names = {**frame.f_globals, **frame.f_locals}
        with recent.roomier(REHEARSED), without_collecting():
            schedule = schedule_of(loss, gradient, names, engine=self._engine)
            schedule["slices"] = self._slices(schedule)
            schedule["ask"] = self._ask
            schedule["source"] = source_of_nodes(schedule["nodes"], tape)
            schedule["nudges"] = without(BY_FUNCTION)
            schedule["groups"] = groups_of_pass(schedule["nodes"], tape)
            super().__init__(schedule=schedule, **options)

    def _slices(self, schedule: dict[str, Any]) -> dict[str, Any]:
        """The slices that are stored with a schedule; the rest of its values is held."""
        return self._shelf.of(values_of_pass(schedule), len(schedule["nodes"]))

    def _by_pytorch(self, loss: Any, gradient: Any, names: dict[str, Any]) -> dict[str, Any]:
        """The schedule of a pass through PyTorch's graph."""
        if self._engine is not None:
            raise TypeError(NO_ENGINE)
        graph = Graph(loss)
        with recent.roomier(REHEARSED):
            rehearsed = pytorch.rehearse(graph, TorchTape(graph, names), gradient, names)
            slices = self._slices(rehearsed)
        return {
            **rehearsed,
            "slices": slices,
            "engines": [],
            "ask": self._ask,
            "source": [],
            "nudges": without(""),
            "rules": broken_rules(),
        }

    def _call(
        self, function: Any, numbers: dict[str, Any], gradient: Any, options: dict[str, Any]
    ) -> None:
        self._calls = Calls(function, numbers)
        self._gradient = gradient
        self._lock = threading.RLock()
        super().__init__(schedule=self._called(), run=self._calls.told(0), **options)
        self.on_msg(self._asked)

    def _called(self) -> dict[str, Any]:
        """The schedule of the latest call."""

        def rehearsed(loss: Any, watched: Tape) -> dict[str, Any]:
            return schedule_of(loss, self._gradient, {}, watched, self._engine)

        with recent.roomier(REHEARSED):
            schedule = schedule_of_call(self._calls, rehearsed)
            schedule["slices"] = self._slices(schedule)
        return {**schedule, "ask": self._ask}

    def _asked(self, _widget: Any, content: dict[str, Any], _buffers: Any) -> None:
        """The page has other numbers: run again."""
        given = asked_to_run(content)
        if given is None:
            return
        with self._lock:
            self._calls.change(given)
            schedule = self._called()
            with self.hold_sync():
                self.schedule = schedule
                self.run = self._calls.told(int(content.get("number", 0)))

    def __repr__(self) -> str:
        return described(self.schedule)


def checked(engine: Callable[[Any], Any] | str | None) -> Callable[[Any], Any] | str | None:
    """The same engine; ValueError if it is the name of none."""
    if isinstance(engine, str) and engine not in WRONG:
        raise ValueError(f"no engine is called {engine!r}: choose of {', '.join(WRONG)}")
    return engine


def is_function(given: Any) -> bool:
    """Is it something to be called? A tensor is none, though a subclass may be callable."""
    return callable(given) and not isinstance(given, TensorBase)


def schedule_of(
    loss: Any,
    gradient: Any,
    names: dict[str, Any],
    watched: Tape = tape,
    engine: Callable[[Any], Any] | str | None = None,
) -> dict[str, Any]:
    """The steps of the pass, and those of other engines, as the page gets them."""
    nodes = reachable([edge_to(loss)]) if isinstance(loss, TensorBase) else []
    hooked = any(n.extra is not None and (n.extra.hooks or n.extra.retained) for n in nodes)
    custom = any(isinstance(node, FunctionNode) for node in nodes)
    others: dict[str, Any] = {} if hooked or custom or len(nodes) > MOST_NODES else dict(WRONG)
    own = None if engine is None or isinstance(engine, str) else OwnEngine(engine)
    if own is not None:
        others["own"] = own
    schedule = rehearse(watched, loss, gradient, names, others=others)
    made = schedule.pop("others", {})
    schedule["engines"] = [
        engine_data(name, WRONG[name], steps) for name, steps in made.items() if name in WRONG
    ]
    if own is not None and "own" in made:
        schedule["engines"].insert(0, own_data(own, made["own"], schedule["steps"]))
    if isinstance(engine, str):
        schedule["chosen"] = engine
    schedule["rules"] = broken_rules()
    return schedule


def broken_rules() -> dict[str, Any]:
    """The rules that an answer in the page may break, each with two others to choose from."""
    return {name: rules_of(name, NOT_ASKED) for name in BREAKABLE}


def engine_data(name: str, engine: type[Wrong], steps: list[dict[str, Any]]) -> dict[str, Any]:
    """A wrong engine as the page gets it, with its own words (``Engine`` in ``tape.ts``)."""
    return {
        "id": name,
        "title": engine.title,
        "what": engine.what,
        "joins": {"between": engine.between, "kept": engine.kept, "leaves": engine.leaves},
        "steps": steps if len(steps) <= MOST_STEPS else [],
    }
