"""``TrainingLoop``: a training loop while it runs, around one of its numbers."""

from __future__ import annotations

import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import traitlets
from IPython.display import display

from minigrad import lesson
from minigrad.lesson.progress import duration
from minigrad.tape.values import visible

from . import pytorch
from .bundles import bundle
from .left_out.copies import Start
from .left_out.loop_lines import CannotTell
from .left_out.question import (
    CHOICES,
    HINTS,
    LINES,
    STEPS,
    Found,
    because,
    check_answer,
    experiment,
    question,
)
from .lesson_faces import question_of
from .page_view import PageView
from .session import session
from .stop_sign import PAUSE as ASKED
from .stop_sign import StopSign, stop_sign
from .training.course import snapshot
from .training.curves import short
from .training.hooks import put_on
from .training.library import Library
from .training.record import MINIGRAD, Record

clock = time.perf_counter
PAUSE = 0.1  # seconds between two updates of the page, at least
SHARE = 0.005  # of the time, for these updates, at most

WITH_MINIGRAD = "run the loop with `import minigrad as torch`, and ask there"

opened: list[TrainingLoop] = []
"""The loops whose blocks are running, the outermost first."""


class TrainingLoop(PageView):
    """Watch a training loop: four lamps around one number, the loss, and the gradients' norms.

    The loop inside the ``with`` block stays as it is. The view sees for itself when the model is
    called (forward), when a gradient is computed (backward), when the optimiser moves the
    parameters (step) and when gradients are cleared (zero). Afterwards the first 10 and the last
    50 steps can be gone through in the page, and it can be asked what happens when a line is left
    out. Of a loop that never calls ``step()``, or has no ``backward()``, the view says so.

    Interrupting the kernel ends the block, and nothing else: the step under way is finished
    first, the model and the optimiser keep what they have learned, and the program goes on
    behind the block. Of nested blocks the outermost ends. Other errors pass through. Of backward
    passes, the view sees those of the thread that opened the block. A kernel in the browser cannot
    be interrupted: there the view has a button, Stop, which does the same.

    Parameters
    ----------
    model : nn.Module
    optimizer : optim.Optimizer, optional
        None: the loop moves the parameters itself. Then a step is seen when the watched number
        has changed, and nothing can be asked.
    parameter : str, optional
        The parameter with the number to watch: "0.weight". The first one, if it is not given.
    index : int or tuple, optional
        Where the number is in it. If it is not given, the entry that has the largest gradient
        in the first backward pass.

    ``losses`` has one number for each step: the sum of the losses from which gradients were
    computed since the step before (NaN if there were none). Of a training that has ended without
    a step, it has one for each backward pass. ``gradient_norms`` has, by parameter, the norm of
    its gradient at each of ``norm_steps`` (NaN where it had none): at the first 50 steps, then at
    every eighth; more seldom where the model has more than 25,000 numbers. Without a step, these
    are backward passes too.

    Raises TypeError for what is no model, ValueError for a parameter or an index that is not
    there. Model and optimiser may be PyTorch's, where it is installed: then all is the same, but
    nothing can be asked. PyTorch has nothing like it.

    >>> import minigrad as torch
    >>> from minigrad_widgets import TrainingLoop
    >>> model = torch.nn.Linear(1, 1)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    >>> with TrainingLoop(model, optimizer) as loop:
    ...     for epoch in loop.progress(range(3)):
    ...         optimizer.zero_grad()
    ...         loss = (model(torch.ones(1, 1)) - 2).square().sum()
    ...         loss.backward()
    ...         optimizer.step()
    3 steps done
    >>> len(loop.losses), list(loop.gradient_norms)
    (3, ['weight', 'bias'])
    """

    _esm = bundle("training_loop.js")
    _css = bundle("minigrad.css")

    training = traitlets.Dict().tag(sync=True)
    """The course of the training (``Course`` in ``training.ts``)."""

    asked = traitlets.Dict().tag(sync=True)
    """What was asked in the page, and measured (``Asked`` in ``training.ts``)."""

    given = traitlets.Dict(None, allow_none=True).tag(sync=True)
    """The answer that was given to it (``Given`` in ``question.ts``)."""

    def __init__(
        self,
        model: Any,
        optimizer: Any = None,
        *,
        parameter: str | None = None,
        index: Any = None,
        **options: Any,
    ) -> None:
        self._library = library_of(model)
        if not isinstance(model, self._library.module):
            raise TypeError(f"TrainingLoop watches an nn.Module, not {type(model).__name__}")
        if not (optimizer is None or isinstance(optimizer, self._library.optimizer)):
            raise TypeError(f"expected one optimizer, or None, not {kind_of(optimizer)}")
        variables = variables_of(sys._getframe(1))
        self._record = Record(model, optimizer, parameter, index, variables, self._library)
        self._progress = self._record.progress
        self._kinds = type(model).__name__, type(optimizer).__name__ if optimizer else ""
        self._state = "ready"
        self._message = ""
        self._start: Start | None = None
        self._globals: dict[str, Any] = {}
        self._last = 0
        self._next = 0.0  # when the page is to be brought up to date
        self._stop: StopSign | None = None
        self._undo: Callable[[], None] = lambda: None
        self._lock = threading.RLock()
        super().__init__(training=self._told(False), asked={}, **options)
        self.on_msg(self._asked_in_page)

    def __repr__(self) -> str:
        return f"TrainingLoop({', '.join(filter(None, self._kinds))})"

    @property
    def losses(self) -> list[float]:
        """The loss of each step so far; of each backward pass, if it ended without a step."""
        if self in opened:
            return list(self._record.losses)
        return list(self._record.losses or self._record.by_pass())

    @property
    def gradient_norms(self) -> dict[str, list[float]]:
        """By parameter, the norm of its gradient at each of ``norm_steps``."""
        return self._record.gradient_norms()

    @property
    def norm_steps(self) -> list[int]:
        """The steps, counted from 1, at which the norms were taken."""
        return list(self._record.norm_steps)

    # ------------------------------------------------------------------ the block

    def __enter__(self) -> TrainingLoop:
        if self in opened:
            raise RuntimeError("this TrainingLoop is watching already")
        if self._record.model is None:
            raise RuntimeError("this TrainingLoop has ended: make a new one for another training")
        frame = sys._getframe(1)
        model = self._record.model
        optimizer = self._record.optimizer
        in_sight = partial(variables_of, frame)
        if optimizer is not None and not self._library.unasked:
            place = frame.f_code.co_filename, frame.f_lineno
            self._start = Start(model, optimizer, *place, in_sight())
        self._record.wiring.begin(model, optimizer, in_sight)
        self._globals = frame.f_globals
        self._state = "running"
        if in_page():
            self._stop = stop_sign()
            session.displays.made(self)
            self.training = self._told(True)
            display(self)
        self._record.show = partial(tick, weakref.ref(self))
        hear = put_on if self._library is MINIGRAD else pytorch.put_on
        self._undo = hear(self._record)
        opened.append(self)
        self._record.due = self._next = clock() + PAUSE
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        if self not in opened:
            return False  # it was closed within its block
        opened.remove(self)
        self._undo()
        try:
            return self._end(kind)
        finally:
            self._record.release()
            if self._stop is not None:
                self._stop.take_down()

    def _end(self, kind: Any) -> bool:
        """The training is over: say how. Returns whether the program goes on."""
        self._record.glance()
        self._record.look_again()
        reached = self._so_far()
        calm = False
        if kind is None:
            self._state = "finished"
        elif issubclass(kind, KeyboardInterrupt):
            self._state = "stopped"
            calm = not opened
            self._message = f"stopped after {reached}; the model keeps what it has learned"
        else:
            self._state = "failed"
            self._message = f"stopped at {reached} by {kind.__name__}"
        self.training = self._told(False)
        done = self._record.reached()
        if not self._record.by_pass():
            done += " done"
        faults = " ".join(self.training["notes"]).removesuffix(".")
        said = f"{done}. {faults}" if faults else done
        self._say(self._message or said, last=True)
        return calm

    def progress(self, iterable: Iterable[Any]) -> Iterator[Any]:
        """Run over anything, and show how far the loop has come and how long it will take.

        With a length, the number of all steps is foretold from the first round that is over.

        >>> import minigrad as torch
        >>> from minigrad_widgets import TrainingLoop
        >>> loop = TrainingLoop(torch.nn.Linear(1, 1))
        >>> [letter for letter in loop.progress("abc")]
        ['a', 'b', 'c']
        """
        return self._progress.over(iterable)

    def close(self) -> None:
        """Stop watching, and take the view out of the page."""
        if self in opened:
            self.__exit__(None, None, None)
        self._start = None
        self._globals = {}
        super().close()

    # ------------------------------------------------------------------ telling

    def _told(self, live: bool) -> dict[str, Any]:
        """The course as the page gets it. What differs between two runs is there only live."""
        model, optimizer = self._kinds
        return {
            "version": 1,
            "state": self._state,
            "model": model,
            "optimizer": optimizer,
            "message": self._message,
            "progress": self._so_far_and_left() if live else self._record.reached(),
            "expected": self._progress.expected,
            "lines": list(LINES) if self._start is not None else [],
            **({"unasked": self._library.unasked} if optimizer and self._library.unasked else {}),
            **({} if self._stop is None or not live else {"stop": self._stop.address}),
            **snapshot(self._record, live),
        }

    def _so_far(self) -> str:
        """How far it has come; where no step is taken, in backward passes."""
        if not self._record.by_pass():
            return str(self._progress)
        _, _, round_ = str(self._progress).partition(", ")
        return self._record.reached() + (round_ and f", {round_}")

    def _so_far_and_left(self) -> str:
        left = self._progress.left()
        if not left:
            return self._so_far()
        return f"{self._so_far()}, about {duration(left)} left"

    def _tick(self) -> None:
        """Bring the page up to date; and look whether somebody wants to stop, if one must ask."""
        if self._stop is None:
            self._update()
            self._record.due = self._next
            return
        if self._stop.pressed():
            self._stop_here()
        if clock() > self._next:
            self._update()
        self._record.due = min(self._next, clock() + ASKED)

    def _stop_here(self) -> None:
        """As an interrupt does: the step under way is finished first."""
        if not self._record.busy:
            raise KeyboardInterrupt
        self._record.interrupted = True

    def _update(self) -> None:
        now = clock()
        self._record.look_again()
        if in_page():
            self.training = self._told(True)
        else:
            self._say(self._so_far_and_left())
        spent = clock() - now
        done = len(self._record.losses or self._record.alone)
        self._record.slow, self._last = done - self._last < 4, done
        self._next = now + max(PAUSE, spent / SHARE)

    def _say(self, text: str, last: bool = False) -> None:
        """One line where there is no page: written over in a terminal, else only at the end."""
        terminal = sys.stdout is not None and sys.stdout.isatty()
        if not in_page() and (terminal or last):
            text = visible(text)
            if terminal:
                text = f"\r{text:<60}"
            print(text, end="\n" if last else "", flush=True)

    # ------------------------------------------------------------------ asking

    def ask(
        self,
        line: str,
        *,
        step: Callable[..., Any] | None = None,
        steps: int = STEPS,
        mine: Any = ...,
    ) -> lesson.Prediction:
        """Ask what happens when a line of the loop is left out; then measure it.

        ``line`` is "zero_grad", "backward" or "step"; or "order", for a step that is taken
        before the backward pass. The loop's own lines run for so many ``steps`` from where the
        block began, once as they stand and once without that line, on copies and on the same
        batches. What prints, saves, notes down or draws is left aside, and the answer says so.
        Lines that could change a file, or what is no copy, are refused. Where these lines are not
        in the block, ``step`` is a function of one step: ``step(model, optimizer)``, or without
        arguments.

        Model, optimiser and random numbers are put back to where they were, and short lists of
        plain values. What else the lines use is as it is by now: if the loop as it is does not
        begin with the losses that the training had, there is no answer, and the error says so.
        (With ``step`` nobody looks: the function need not be what the block ran.)

        Returns a ``lesson.Prediction``; ``mine`` is the answer of who asks without a page.
        Raises ValueError if the loop cannot be run again, and says why; and for an answer that
        is none of the choices.

        >>> import minigrad as torch
        >>> from minigrad_widgets import TrainingLoop
        >>> model = torch.nn.Linear(1, 1)
        >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        >>> def train_step(model, optimizer):
        ...     optimizer.zero_grad()
        ...     (model(torch.ones(1, 1)) - 2).square().sum().backward()
        ...     optimizer.step()
        >>> with TrainingLoop(model, optimizer) as loop:
        ...     train_step(model, optimizer)
        1 step done
        >>> loop.ask("step", step=train_step, mine="where it started").right
        ... # doctest: +ELLIPSIS
        Predict: From where this training began, 60 steps without ...
          ✓ Right: where it started.
        ...
        """
        frame = sys._getframe(1)
        problem = None
        try:
            check_answer(mine)
            found = self._try_out(line, variables_of(frame), step, steps)
        except CannotTell as error:
            problem = error
        if problem is not None:
            raise problem.with_traceback(None) from None  # it explains itself
        return lesson.predict(
            question(line, found),
            found.answer,
            choices=CHOICES,
            mine=mine,
            because=because(line, found),
            hint=HINTS[line],
        )

    def _try_out(self, line: str, variables: Any, step: Any = None, steps: int = STEPS) -> Found:
        if self._library.unasked:
            raise CannotTell(self._library.unasked.removesuffix("."), WITH_MINIGRAD)
        if self._start is None:
            raise CannotTell(
                "there is no training to run again",
                "give TrainingLoop its optimizer too, TrainingLoop(model, optimizer), and run a "
                "loop in its `with` block first",
            )
        recorded = self._record.first_losses()
        return experiment(self._start, line, variables, step, steps, recorded)

    def _asked_in_page(self, _widget: Any, content: dict[str, Any], _buffers: Any) -> None:
        """The page wants to know what happens without a line."""
        line = str(content.get("line", ""))
        if content.get("type") != "ask":
            return
        self.send({"type": "heard"})
        with self._lock:
            told: dict[str, Any] = {"line": line, "problem": "", "question": None, "curves": []}
            try:
                if opened:
                    raise CannotTell("a training runs", "wait until it is over, and ask again")
                found = self._try_out(line, self._globals)
                prediction = lesson.Prediction(
                    question(line, found),
                    found.answer,
                    CHOICES,
                    {},
                    0.0,
                    because(line, found),
                    HINTS[line],
                )
                told["question"] = question_of(prediction)
                told["curves"] = [[[n, short(x)] for n, x in curve] for curve in found.curves]
            except CannotTell as error:
                told["problem"] = f"This cannot be measured: {error.in_page}"
            except KeyboardInterrupt:
                told["problem"] = "This was interrupted, and nothing was measured. Ask again."
            with self.hold_sync():
                self.set_trait("given", None)
                self.asked = told
            self.send({"type": "answered"})


def tick(me: weakref.ref[TrainingLoop]) -> None:
    """Bring a view up to date, if it is still there."""
    loop = me()
    if loop is not None:
        loop._tick()


def library_of(model: Any) -> Library:
    """The library that a model is written with: PyTorch if it is there, and the model its own."""
    torch = pytorch.torch_if_there()
    if torch is not None and isinstance(model, torch.nn.Module):
        return pytorch.PyTorch(torch)
    return MINIGRAD


def kind_of(optimizer: Any) -> str:
    """What was given as an optimiser; of one of the other library, which one."""
    kind = type(optimizer)
    return f"{kind.__module__}.{kind.__name__}" if hasattr(kind, "zero_grad") else kind.__name__


def variables_of(frame: Any) -> dict[str, Any]:
    """The variables in sight of a running piece of the program."""
    return {**frame.f_globals, **frame.f_locals}


def in_page() -> bool:
    """Is there a page to show a view in?"""
    return session.in_page()
