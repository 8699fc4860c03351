"""What happens when a line of the training loop is left out: the loop's own lines, run twice.

The lines are those of the ``for`` loop in the ``with`` block that call ``backward()``. They run
again on copies of the model and the optimiser as they were when the block began, with the same
random numbers, and so on the same batches: once as they stand, once without the line. All else
that they name is copied too (``copies``). The loss on the first batch is measured on copies of its
own: what the lines do there changes nothing in the run.

Nothing of the program changes, and no file. Of the lines run only those on which the training
hangs (``slicing``); they run only if they can reach nothing but copies (``harmless``); and while
they run, nothing leaves the thread (``guarded``). Leaving out ``zero_grad`` or ``step`` is to put
a call that does nothing in its place; only for the two others the lines are changed
(``loop_lines``).
"""

from __future__ import annotations

import ast
import inspect
import math
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from minigrad.engine.node import Watch
from minigrad.lesson.kernel_settings import settings_kept
from minigrad.lesson.stopping import Stopped, limit
from minigrad.lesson.values import same
from minigrad.tape.values import number

from .copies import Names, Start, copies_of, is_own, is_view, random_state, restore
from .guarded import Refused, guard
from .harmless import Doubt, Reader
from .loop_lines import FUNCTION, CannotTell, calls, loop_of_block, loop_of_function, put_in
from .runs import Curve, Run
from .slicing import Slice

LINES = ("zero_grad", "backward", "step", "order")
"""What can be left out; "order" takes the step before the backward pass."""

SECONDS = 5.0  # for one run
LONGEST = 60.0  # seconds for all: without a line, a loop within may find no end
STEPS = 60  # of a run: enough to see what is gained at first and lost later
COMPARED = 5  # steps whose losses must be those of the training: later, an epoch may end
FEW = 12  # points of the curve where a look takes long

CHOICES = (
    "lower",
    "about as low",
    "higher, but below the start",
    "where it started",
    "above the start, or nan",
)
LOWER, AS_LOW, HIGHER, AT_START, ABOVE = CHOICES

WHY = {
    "zero_grad": "`backward()` adds to what is in `.grad`. Without the line, each step uses the "
    "sum of all gradients so far.",
    "backward": "`backward()` is what fills `.grad`. Without it, `step()` has nothing to go by.",
    "step": "`step()` is what changes the parameters. Without it, gradients are computed, "
    "and nothing moves.",
    "order": "`step()` uses what is in `.grad` at that moment.",
}
HINTS = {
    "zero_grad": "Write down what is in `.grad` after one backward pass, after two, and after "
    "three. By how much does `step()` go then?",
    "backward": "Which line writes into `.grad`? What does `step()` have to go by without it?",
    "step": "Go through the lines that are left. Which of them writes to a parameter?",
    "order": "Follow `.grad` from line to line: who empties it, who uses it, and who fills it, in "
    "this order?",
}
EMPTIED = " `zero_grad()` has just emptied it, and so nothing moves."


# ----------------------------------------------------------------------------- what was found


class Found(NamedTuple):
    """What was measured."""

    line: str  # its text
    steps: int
    curves: tuple[Curve, Curve]  # the loss on the first batch, with the line and without
    losses: tuple[list[float], list[float]]  # of each step, on its own batch
    cleared: bool  # does the loop call zero_grad()?
    rate: float | None  # the learning rate at the start, if there is one
    aside: list[str]  # the lines of the loop that did not run

    @property
    def before(self) -> float:
        """The loss on the first batch at the start."""
        return self.curves[0][0][1]

    @property
    def kept(self) -> float:
        """The same after the steps, with the line."""
        return self.curves[0][-1][1]

    @property
    def left(self) -> float:
        """And without."""
        return self.curves[1][-1][1]

    @property
    def answer(self) -> str:
        """The choice that is true: where the loss is without the line."""
        margin = 0.01 * max(abs(self.before), abs(self.before - self.kept), 1e-12)
        if not math.isfinite(self.left) or self.left > self.before + margin:
            return ABOVE
        if abs(self.left - self.before) <= margin:
            return AT_START
        if abs(self.left - self.kept) <= margin:
            return AS_LOW
        if self.left < self.kept:
            return LOWER
        return HIGHER


def question(line: str, found: Found) -> str:
    """The question in words."""
    how = f"without `{found.line}`"
    if line == "order":
        how = f"with `{found.line}` before `backward()`"
    return (
        f"From where this training began, {found.steps} steps {how}{at_rate(line, found)}. Where "
        f"is the loss on the first batch then, compared with {found.steps} steps of the loop as it "
        "is?"
    )


def because(line: str, found: Found) -> str:
    """The measurement, and why."""
    why = WHY[line]
    how = "without the line"
    if line == "order":
        how = "in that order"
        if found.left == found.before and found.cleared:
            why += EMPTIED
    return (
        f"Measured on the first batch{at_rate(line, found)}: {signed(found.before)} at the "
        f"start; after {found.steps} steps {signed(found.kept)} with the loop as it is, "
        f"{signed(found.left)} {how}. {why}{left_aside(found.aside)}"
    )


def left_aside(lines: list[str]) -> str:
    """The lines that did not run, in a sentence; nothing if there were none."""
    if not lines:
        return ""
    short = [line if len(line) <= 40 else line[:39] + "…" for line in lines]
    named = ", ".join(f"`{line}`" for line in short[:3])
    if len(lines) > 3:
        named += f" and {len(lines) - 3} more"
    return f" Left aside, since the training does not hang on it: {named}."


def at_rate(line: str, found: Found) -> str:
    """The learning rate, where the answer hangs on it: a sum of gradients is a larger step."""
    if line != "zero_grad" or found.rate is None:
        return ""
    return f", at lr {signed(found.rate)}"


def signed(x: float) -> str:
    """A number with a minus sign, as the page writes it."""
    return number(x).replace("-", "−")


def check_answer(mine: Any) -> None:
    """Raise for an answer that is none of the choices."""
    if mine is ... or mine is None or any(same(mine, choice) for choice in CHOICES):
        return
    known = ", ".join(map(repr, CHOICES))
    raise CannotTell(f"mine={mine!r} is none of the choices", f"answer with one of {known}")


# ----------------------------------------------------------------------------- the experiment


def experiment(
    start: Start,
    line: str,
    variables: Names,
    step: Callable[..., Any] | None = None,
    steps: int = STEPS,
    recorded: Sequence[tuple[int, float]] = (),
) -> Found:
    """Run the loop with the line and without, and measure. Raises CannotTell if it cannot.

    ``recorded`` are the first losses of the training itself, each with its step: of the loop as it
    is, the same are expected.
    """
    if line not in LINES:
        known = ", ".join(map(repr, LINES))
        raise CannotTell(f"{line!r} is no line that can be left out", f"ask for one of {known}")
    observer = Watch.observer
    Watch.observer = None
    try:
        with settings_kept():
            warnings.simplefilter("ignore")
            program = Program(start, variables, step)
            text = program.text_of(line)
            program.check()
            with guard():
                kept, left = limit(LONGEST).call(lambda: program.both(line, steps, recorded))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: it would end the kernel
        raise CannotTell(*why_it_stopped(error), start.place) from error
    finally:
        if Watch.observer is None:  # a cell may have opened a view meanwhile
            Watch.observer = observer
    rates = {float(group["lr"]) for group in start.optimizer.param_groups if "lr" in group}
    return Found(
        line=text,
        steps=len(kept.losses),
        curves=(kept.curve, left.curve),
        losses=(kept.losses, left.losses),
        cleared=bool(program.calls("zero_grad")),
        rate=rates.pop() if len(rates) == 1 else None,
        aside=program.aside,
    )


def why_it_stopped(error: BaseException) -> tuple[str, str]:
    """What happened, and what would help."""
    if isinstance(error, CannotTell):
        return error.what, error.fix
    if isinstance(error, Stopped):
        what = f"the loop's lines had not ended after {LONGEST:.0f} seconds"
        return what, "try it with a smaller model, or with fewer `steps`"
    if isinstance(error, Refused):
        return f"the loop's lines reach out of the experiment: {error}", FUNCTION
    what = f"running the loop's lines again stopped with {type(error).__name__}: {error}"
    return what, FUNCTION


class Program:
    """The lines of a training, ready to run on copies of what they name."""

    def __init__(self, start: Start, variables: Names, step: Callable[..., Any] | None) -> None:
        if start.problem:
            raise CannotTell(start.problem, "try it with a smaller or simpler model")
        self.start = start
        if step is None:
            self.loop = loop_of_block(start.file, start.line)
        else:
            self.loop = loop_of_function(step)
            inside = inspect.getclosurevars(step).nonlocals
            variables = {**step.__globals__, **variables, **inside}
        self.variables = {**variables, **start.named}
        self.variables.pop(self.loop.defines, None)
        chosen = Slice(self.variables)
        self.loop.lines[:] = chosen.of(self.loop.lines)
        self.aside = chosen.aside

    def calls(self, method: str) -> list[ast.stmt]:
        """The lines that call it."""
        return [line for _, line in calls(self.loop.round, method, self.variables)]

    def text_of(self, line: str) -> str:
        """The line as it stands in the program. Raises CannotTell if there is none such."""
        method = "step" if line == "order" else line
        found = self.calls(method)
        if not found:
            what = f"the loop has no line that calls {method}(): it runs without it already"
            raise CannotTell(what, put_in(f"{method}()"))
        if line == "order":
            return ast.unparse(found[-1])
        return ast.unparse(found[0])

    def check(self) -> None:
        """Raise CannotTell if the lines could change anything that is no copy."""
        reader = Reader(partial(is_own, variables=self.variables))
        known = {name: value for name, value in self.variables.items() if not is_view(value)}
        try:
            reader.value(self.start.model, "model")
            reader.value(self.start.optimizer, "optimizer")
            reader.lines([self.loop.round.target, *self.loop.round.body, self.loop.items], known)
        except Doubt as doubt:
            what = f"the loop cannot run again without risk: {doubt.what}"
            if doubt.line:
                what += f" (line {doubt.line})"
            raise CannotTell(
                what,
                f"take it out of what `zero_grad`, `backward` and `step` hang on; or {FUNCTION}",
            ) from None

    def both(self, line: str, steps: int, recorded: Sequence[tuple[int, float]]) -> list[Run]:
        """A run of the loop as it is, and one without the line."""
        kept = self.run(None, steps)
        pairs = zip(kept.model.parameters(), self.start.model.parameters())
        if all(np.array_equal(now._array, before._array) for now, before in pairs):
            raise CannotTell(*self.why_nothing_moved())
        if self.loop.defines == "":  # a function need not be what the block ran
            check_losses(kept.passes, recorded)
        return [kept, self.run(line, len(kept.losses))]

    def why_nothing_moved(self) -> tuple[str, str]:
        """Why the loop as it stands trains nothing; and what would help."""
        for method in ("step", "backward"):
            if not self.calls(method):
                what = f"no line of the loop calls {method}(): as it stands, it trains nothing"
                return what, put_in(f"{method}()")
        return "the loop's lines do not move the model that was given", "watch the model they train"

    def run(self, left_out: str | None, steps: int) -> Run:
        """Run so many rounds, and look again and again at the loss on the first batch."""
        restore(self.start.random)
        code = self.loop.code(left_out, self.variables)
        names = self.loop.names()

        def new() -> Run:
            return Run(copies_of(self.start, self.variables, names), code, left_out)

        run = new()
        items = self.loop.batches(run.variables)
        first = next(items)
        state = random_state()

        def look() -> None:
            """On copies of its own, with the weights of the run."""
            now = random_state()
            restore(state)
            aside = new()
            aside.hold_still(run)
            aside.round(first)
            if not aside.passes:
                raise CannotTell("no backward pass was reached in the first round", FUNCTION)
            run.curve.append((len(run.losses), sum(aside.passes)))
            restore(now)

        began = time.perf_counter()
        look()
        all_looks = (time.perf_counter() - began) * steps
        apart = 1
        if all_looks >= SECONDS / 5:
            apart = math.ceil(steps / FEW)
        spent = 0.0
        while len(run.losses) < steps and (spent <= SECONDS or left_out):
            began = time.perf_counter()
            run.round(next(items) if run.losses else first)
            spent += time.perf_counter() - began
            if len(run.losses) % apart == 0:
                look()
        if run.curve[-1][0] < len(run.losses):
            look()
        return run


def check_losses(found: Sequence[float], recorded: Sequence[tuple[int, float]]) -> None:
    """Raise if the loop as it is does not begin as the training began: then it is another one.

    Only model, optimiser and random numbers are put back. All else is as it is by now.
    """
    for now, (step, then) in zip(found, recorded):
        if step <= COMPARED and not np.isclose(now, then, rtol=1e-4, atol=1e-7, equal_nan=True):
            what = (
                f"run again from copies, the loss of step {step} is {now:.6g} where it was "
                f"{then:.6g}, so something that the loop uses has changed since (a variable, a "
                "scheduler, another model)"
            )
            fix = "set it back to what it was, or run the block again and ask right after it"
            raise CannotTell(what, fix)
