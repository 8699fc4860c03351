"""What happens when a line of the training loop is left out: the loop's own lines, run twice.

The lines are those of the ``for`` loop in the ``with`` block that call ``backward()``. They run
again on copies of the model and the optimiser as they were when the block began, with the same
random numbers, and so on the same batches: once as they stand, once without the line. All else
that they name is copied too. The loss on the first batch is measured on copies of its own: what
the lines do there changes nothing in the run.

Nothing of the program changes, and no file. Of the lines run only those on which the training
hangs (``slicing``); they run only if they can reach nothing but copies (``harmless``); and while
they run, nothing leaves the thread (``guarded``).
"""

from __future__ import annotations

import ast
import copy
import inspect
import linecache
import math
import random
import textwrap
import threading
import time
import types
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import minigrad as torch
from minigrad import lesson
from minigrad.engine import backward
from minigrad.engine.node import Watch
from minigrad.tape.values import number

from .guarded import Refused, guard
from .harmless import Doubt, Reader
from .slicing import Slice
from .loop_lines import (
    FUNCTION,
    STEP,
    Backward,
    CannotTell,
    backward_into,
    is_backward,
    label_of,
    last_line,
    names_in,
    put_in,
    unless,
)

LINES = ("zero_grad", "backward", "step", "order")
"""What can be left out; "order" takes the step before the backward pass."""

GENERATORS = (torch.Generator, random.Random, np.random.Generator, np.random.RandomState)
DataLoader = torch.utils.data.DataLoader
PLAIN = (int, float, bool, str, type(None))
SHORT = 1000  # values in a list of which a copy is kept

LARGEST = 2_000_000  # numbers in a model of which a copy is kept
SECONDS = 5.0  # for one run
LONGEST = 60.0  # seconds for all: without a line, a loop within may find no end
STEPS = 60  # of a run: enough to see what is gained at first and lost later
STORED = 20_000_000  # numbers of a run that are kept, to measure its curve afterwards
COMPARED = 5  # steps whose losses must be those of the training: later, an epoch may end
FEW = 12  # points of that curve where a step takes long
CHOICES = (
    "lower",
    "about as low",
    "higher, but below the start",
    "where it started",
    "above the start, or nan",
)
WHY = {
    "zero_grad": "`backward()` adds to what is in `.grad`. Without the line, each step uses the "
    "sum of all gradients so far.",
    "backward": "`backward()` is what fills `.grad`. Without it, `step()` has nothing to go by.",
    "step": "`step()` is what changes the parameters. Without it, gradients are computed, "
    "and nothing moves.",
    "order": "`step()` uses what is in `.grad` at that moment.",
}
EMPTIED = " `zero_grad()` has just emptied it, and so nothing moves."


class Start:
    """Where a training begins: copies of model and optimiser, the random numbers, the place.

    ``variables`` are those of the program that are in sight there. Of the generators among them,
    and of short lists of plain values, there are copies too: runs go on from there.
    """

    def __init__(self, model: Any, optimizer: Any, file: str, line: int, variables: Any) -> None:
        self.file = file
        self.line = line
        self.model = weakref.ref(model)
        self.optimizer = weakref.ref(optimizer)
        self.names = {
            name: number
            for name, value in variables.items()
            for number, known in enumerate((model, optimizer))
            if value is known is not None
        }
        self.place = f"the `with` block in {label_of(file)}, line {line}"
        self.random = random_state()
        self.kept = [(one, copy.deepcopy(one)) for one in small_things(variables)]
        self.copies = None
        self.problem = ""
        if sum(p._array.size for p in model.parameters()) > LARGEST:
            self.problem = f"the model has more than {LARGEST:,} numbers: no copy of it was kept"
            return
        try:
            self.copies = copy.deepcopy((model, optimizer))
        except Exception as error:  # the training goes on; it cannot be asked about
            self.problem = f"the model cannot be copied ({type(error).__name__}: {error})"


class Deadline:
    """Is told of each operation, and ends an experiment that takes too long."""

    def __init__(self) -> None:
        self._end = time.monotonic() + LONGEST
        self._thread = threading.get_ident()

    def made(self, node: Any, *_: Any) -> None:
        """Raises CannotTell when the time is over."""
        if time.monotonic() > self._end and threading.get_ident() == self._thread:
            what = f"the loop's lines had not ended after {LONGEST:.0f} seconds"
            raise CannotTell(what, "try it with a smaller model, or with fewer `steps`")

    began = visited = landed = made


Curve = list[tuple[int, float]]
"""After how many steps, and what was measured then."""


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
            return CHOICES[4]
        if abs(self.left - self.before) <= margin:
            return CHOICES[3]
        if abs(self.left - self.kept) <= margin:
            return CHOICES[1]
        return CHOICES[0 if self.left < self.kept else 2]


def question(line: str, found: Found) -> str:
    """The question in words."""
    how = f"without `{found.line}`"
    if line == "order":
        how = f"with `{found.line}` before `backward()`"
    how += at_rate(line, found)
    return (
        f"From where this training began, {found.steps} steps {how}. Where is the loss on the "
        f"first batch then, compared with {found.steps} steps of the loop as it is?"
    )


def because(line: str, found: Found) -> str:
    """The measurement, and why."""
    why = WHY[line]
    if line == "order" and found.left == found.before and found.cleared:
        why += EMPTIED
    return (
        f"Measured on the first batch{at_rate(line, found)}: {signed(found.before)} at the "
        f"start; after {found.steps} steps {signed(found.kept)} with the loop as it is, "
        f"{signed(found.left)} {'in that order' if line == 'order' else 'without the line'}. {why}"
        f"{left_aside(found.aside)}"
    )


def left_aside(lines: list[str]) -> str:
    """The lines that did not run, in a sentence; nothing if there were none."""
    if not lines:
        return ""
    first = ", ".join(f"`{line if len(line) <= 40 else line[:39] + '…'}`" for line in lines[:3])
    more = f" and {len(lines) - 3} more" if len(lines) > 3 else ""
    return f" Left aside, since the training does not hang on it: {first}{more}."


def at_rate(line: str, found: Found) -> str:
    """The learning rate, where the answer hangs on it: a sum of gradients is a larger step."""
    return "" if line != "zero_grad" or found.rate is None else f", at lr {signed(found.rate)}"


def check_answer(mine: Any) -> None:
    """Raise for an answer that is none of the choices."""
    asked = lesson.Prediction("", CHOICES[0], CHOICES, {}, 0.0, "")
    if mine is not ... and mine is not None and not asked.may_be(mine):
        known = ", ".join(map(repr, CHOICES))
        raise CannotTell(f"mine={mine!r} is none of the choices", f"answer with one of {known}")


def experiment(
    start: Start,
    line: str,
    variables: Any,
    step: Any = None,
    steps: int = STEPS,
    recorded: Sequence[float] = (),
) -> Found:
    """Run the loop with the line and without, and measure. Raises CannotTell if it cannot.

    ``recorded`` are the losses of the training itself: of the loop as it is, the same are expected.
    """
    if line not in LINES:
        known = ", ".join(map(repr, LINES))
        raise CannotTell(f"{line!r} is no line that can be left out", f"ask for one of {known}")
    before = random_state()
    listeners, backward.listeners[:] = backward.listeners[:], []
    observer = Watch.observer
    Watch.observer = Deadline()
    try:
        if start.copies is None:
            raise CannotTell(start.problem, "try it with a smaller or simpler model")
        program = Program(start, variables, step)
        text = program.text_of(line)
        program.check()
        with warnings.catch_warnings(), guard(), torch.enable_grad():
            warnings.simplefilter("ignore")
            kept, losses = program.run(None, steps)
            if step is None:  # a function need not be what the block ran
                check_losses(program.steps.losses, recorded)
            left, others = program.run(line, len(losses))
    except CannotTell as error:
        error.where = error.where or start.place
        raise
    except Refused as error:
        what = f"the loop's lines reach out of the experiment: {error}"
        raise CannotTell(what, FUNCTION, start.place) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: it would end the kernel
        raise CannotTell(
            f"running the loop's lines again stopped with {type(error).__name__}: {error}",
            FUNCTION,
            start.place,
        ) from error
    finally:
        Watch.observer = observer
        backward.listeners[:] = listeners
        restore(before)
    cleared = bool(program.statements("zero_grad"))
    rates = {float(group["lr"]) for group in start.copies[1].param_groups if "lr" in group}
    rate = rates.pop() if len(rates) == 1 else None
    curves = kept, left
    return Found(text, len(losses), curves, (losses, others), cleared, rate, program.aside)


class Steps:
    """The losses of an optimiser's steps, counted as the view counts those of a training.

    That is not round by round: a step may take several rounds of the loop, or none.
    """

    def __init__(self) -> None:
        self.losses: list[float] = []
        self._thread = threading.get_ident()
        self._sum: float | None = None  # of the passes since the last step
        self._cleared = False  # were the gradients cleared since the last pass?

    def watch(self, optimizer: Any) -> None:
        """Be told of each step, and of each time that the gradients are cleared."""

        def then(call: Callable[..., Any], tell: Callable[[], None]) -> Callable[..., Any]:
            def told(*args: Any, **options: Any) -> Any:
                result = call(*args, **options)
                tell()
                return result

            return told

        optimizer.step = then(optimizer.step, self._stepped)
        optimizer.zero_grad = then(optimizer.zero_grad, self._zeroed)

    def passed(self, roots: tuple[Any, ...], over: bool) -> None:
        """A backward pass begins, or is over; see ``backward.listeners``."""
        if over and threading.get_ident() == self._thread:
            loss = sum(float(root._array.sum()) for root in roots)
            kept = 0.0 if self._sum is None or self._cleared else self._sum
            self._sum = kept + loss
            self._cleared = False

    def _stepped(self) -> None:
        self.losses.append(math.nan if self._sum is None else self._sum)
        self._sum = None

    def _zeroed(self) -> None:
        self._cleared = True


def check_losses(found: Sequence[float], recorded: Sequence[float]) -> None:
    """Raise if the loop as it is does not begin as the training began: then it is another one.

    Only model, optimiser and random numbers are put back. All else is as it is by now.
    """
    for count, (now, then) in enumerate(zip(found[:COMPARED], recorded), 1):
        if not np.isclose(now, then, rtol=1e-4, atol=1e-7, equal_nan=True):
            what = (
                f"run again from copies, the loss of step {count} is {now:.6g} where it was "
                f"{then:.6g}, so something that the loop uses has changed since (a variable, a "
                "scheduler, another model)"
            )
            fix = "set it back to what it was, or run the block again and ask right after it"
            raise CannotTell(what, fix)


class Program:
    """The lines of one step, ready to run on copies."""

    def __init__(self, start: Start, variables: Any, step: Any) -> None:
        self.start = start
        self.variables = variables
        self.steps = Steps()
        self.items: ast.expr | None  # what the loop runs over
        if step is None:
            self.body, self.items = self._of_the_block()
        else:
            self.body = self._of_function(step)
            self.items = None
        whole = self.body
        chosen = Slice(self.variables)
        if step is None:
            self.body = chosen.of(whole)
        else:  # the function's lines, and its call
            made: Any = whole[0]
            made.body = chosen.of(made.body)
        self.aside = chosen.aside
        self.names = names_in(*self.body, *([] if self.items is None else [self.items]))

    def check(self) -> None:
        """Raise CannotTell if the lines could change anything that is no copy."""
        reader = Reader(self._is_own)
        own = {node.name for node in self.body if isinstance(node, ast.FunctionDef)}
        known = {
            name: value
            for name, value in self.variables.items()
            if not (is_view(value) or name in self.start.names or name in own)
        }
        try:
            for value, name in zip(self.start.copies or (), ("model", "optimizer")):
                reader.value(value, name)
            items = [] if self.items is None else [self.items]
            reader.lines([*self.body, *items], known)
        except Doubt as doubt:
            raise CannotTell(
                f"the loop cannot run again without risk: {doubt.what}{self._line_of(doubt)}",
                f"take it out of what `zero_grad`, `backward` and `step` hang on; or {FUNCTION}",
            ) from None

    def _line_of(self, doubt: Doubt) -> str:
        return f" (line {doubt.line})" if doubt.line else ""

    # ------------------------------------------------------------------ reading

    def _of_the_block(self) -> tuple[list[ast.stmt], ast.expr | None]:
        """The body of the ``for`` loop that calls ``backward()``, and what it runs over."""
        linecache.checkcache(self.start.file)
        try:
            tree = ast.parse("".join(linecache.getlines(self.start.file)))
        except SyntaxError:
            raise CannotTell("the lines of the loop cannot be read", FUNCTION) from None
        blocks = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.With) and node.lineno <= self.start.line <= last_line(node)
        ]
        if not blocks:
            raise CannotTell("there is no `with` block to take the lines from", FUNCTION)
        block: Any = blocks[-1]
        loops = [
            node
            for node in ast.walk(block)
            if isinstance(node, ast.For | ast.While) and any(map(is_backward, ast.walk(node)))
        ]
        if not any(map(is_backward, ast.walk(block))):
            what = "no line of the block calls backward(): as it stands, it trains nothing"
            raise CannotTell(what, put_in("loss.backward()"))
        if not loops:
            return list(block.body), None
        inner: Any = loops[-1]  # walked from the outside in
        if isinstance(inner, ast.For):
            once = ast.For(inner.target, ast.Name("__items__", ast.Load()), inner.body, [])
            return [ast.copy_location(once, inner)], inner.iter
        return list(inner.body), None

    def _of_function(self, step: Any) -> list[ast.stmt]:
        """A function of one step as lines: its definition and its call."""
        try:
            (made,) = ast.parse(textwrap.dedent(inspect.getsource(step))).body
        except (OSError, TypeError, SyntaxError, ValueError):
            raise CannotTell("the source of step cannot be read", STEP) from None
        wants = len(inspect.signature(step).parameters)
        if not isinstance(made, ast.FunctionDef) or wants > 2:
            raise CannotTell(f"step={step!r} is no function of model and optimizer alone", STEP)
        made.decorator_list = []
        inside = inspect.getclosurevars(step)
        self.variables = {**step.__globals__, **self.variables, **inside.nonlocals}
        call = ast.parse(f"{made.name}({', '.join(('__model__', '__optimizer__')[:wants])})")
        return [made, *call.body]

    def text_of(self, line: str) -> str:
        """The line as it stands in the program. Raises CannotTell if there is none such."""
        found = self.statements("step" if line == "order" else line)
        if not found:
            missing = "step" if line == "order" else line
            what = f"the loop has no line that calls {missing}(): it runs without it already"
            raise CannotTell(what, put_in(f"{missing}()"))
        if line == "order":
            _, last = found[-1]
            return ast.unparse(last)
        return ast.unparse(found[0][1])

    def statements(self, method: str) -> list[tuple[list[ast.stmt], ast.stmt]]:
        """The lines that call this method of the model, the optimiser or a loss, each with the
        lines beside it."""
        result: list[tuple[list[ast.stmt], ast.stmt]] = []
        for node in ast.walk(ast.Module(self.body, [])):
            for field in ("body", "orelse"):
                lines: Any = getattr(node, field, None)
                for line in lines if isinstance(lines, list) else ():
                    if isinstance(line, ast.Expr | ast.Assign) and self._calls(line, method):
                        result.append((lines, line))
        return result

    def _calls(self, line: ast.stmt, method: str) -> bool:
        for node in ast.walk(line):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                owner = ast.unparse(node.func.value)
                if node.func.attr == method and (method != "step" or self._is_optimizer(owner)):
                    return True
        return False

    def _is_optimizer(self, text: str) -> bool:
        """Is it the optimiser, and not a scheduler?"""
        if text in self.start.names:
            return self.start.names[text] == 1
        root, _, path = text.partition(".")
        value = self.variables.get(root)
        for name in path.split(".") if path else ():
            value = getattr(value, name, None)
        return isinstance(value, torch.optim.Optimizer) or (value is None and not path)

    # ------------------------------------------------------------------ running

    def run(self, leave_out: str | None, steps: int) -> tuple[Curve, list[float]]:
        """The loss on the first batch, from the start on, and that of each step on its own."""
        restore(self.start.random)
        losses: list[float] = []
        model, space = self._copies(leave_out, losses)
        before = [p._array.copy() for p in model.parameters()]
        lines = Backward().visit(ast.Module(copy.deepcopy(self.body), []))
        if leave_out == "order":
            lines = ast.Module(self._swapped(), [])
        code = compile(ast.fix_missing_locations(lines), "<the loop's lines>", "exec")

        seen: list[float] = []  # the losses of a look
        looked, aside = self._copies(leave_out, seen, still=True)
        at_start = dict(aside)
        shown = tensors_of(looked, aside)
        grads = [(one, one._grad) for one in shown]

        def look(item: Any, state: Any, arrays: list[Any]) -> float:
            restore(state)
            for one, array in zip(shown, arrays):
                one._array = array.copy()
            for parameter, grad in grads:
                parameter._grad = copy.deepcopy(grad)
            aside.clear()  # the functions of the program have it as their globals
            aside.update(at_start, __items__=(item,))
            seen.clear()
            exec(code, aside)
            if not seen:
                raise CannotTell("no backward pass was reached in the first round", FUNCTION)
            return sum(seen)

        items = self._batches(space)
        item = next(items)
        state = random_state()
        tensors = tensors_of(model, space)
        points = [(0, look(item, state, [one._array for one in tensors]))]
        every = -(-steps * sum(one._array.size for one in tensors) // STORED)
        weights: list[tuple[int, list[Any]]] = []  # after some steps, to look at the loss then
        own: list[float] = []
        restore(state)
        batch = item
        began = time.perf_counter()
        self.steps = Steps()
        self.steps.watch(space["__optimizer__"])
        backward.listeners.append(self.steps.passed)
        while True:
            space["__items__"] = (batch,)
            exec(code, space)
            own.append(sum(losses) if losses else math.nan)
            losses.clear()
            spent = time.perf_counter() - began
            over = len(own) == steps or (leave_out is None and spent > SECONDS)
            if over or len(own) % every == 0:
                weights.append((len(own), [one._array.copy() for one in tensors]))
            if over:
                break
            batch = next(items)
        backward.listeners.remove(self.steps.passed)
        if leave_out is None and all(map(np.array_equal, before, weights[-1][1])):
            raise CannotTell(*self._why_nothing_moved())
        apart = 1 if spent < SECONDS / 5 else -(-len(weights) // FEW)
        for n, arrays in reversed(weights[::-apart]):
            points.append((n, look(item, state, arrays)))
        return points, own

    def _copies(
        self, leave_out: str | None, losses: list[float], still: bool = False
    ) -> tuple[Any, dict[str, Any]]:
        """A copy of the model, and the variables that go with it. If ``still``, no step moves."""
        assert self.start.copies is not None
        model, optimizer = copy.deepcopy(self.start.copies)
        space = self._space(model, optimizer)
        silent = {leave_out, "step"} if still else {leave_out}
        space["__backward__"] = backward_into(losses, silent)
        calls = [(model, "zero_grad"), (optimizer, "zero_grad"), (optimizer, "step")]
        if still:
            others = {id(one): one for one in space.values() if one is not optimizer}.values()
            calls += [(one, "step") for one in others if isinstance(one, torch.optim.Optimizer)]
        for owner, method in calls:
            setattr(owner, method, unless(silent, method, getattr(owner, method)))
        return model, space

    def _why_nothing_moved(self) -> tuple[str, str]:
        """Why the loop as it stands trains nothing; and what would help."""
        for method in ("step", "backward"):
            if not self.statements(method):
                what = f"no line of the loop calls {method}(): as it stands, it trains nothing"
                return what, put_in(f"{method}()")
        return "the loop's lines do not move the model that was given", "watch the model they train"

    def _swapped(self) -> list[ast.stmt]:
        """The lines with the step before the backward pass."""
        body = self.body
        self.body = copy.deepcopy(body)
        try:
            steps = self.statements("step")
            passes = self.statements("backward")
            beside = [(lines, s, b) for lines, s in steps for other, b in passes if lines is other]
            if not beside:
                what = "backward() and step() do not stand side by side in the loop"
                raise CannotTell(what, FUNCTION)
            lines, step, pass_ = beside[-1]
            lines.remove(step)
            lines.insert(lines.index(pass_), step)
            return [Backward().visit(line) for line in self.body]
        finally:
            self.body = body

    def _batches(self, space: dict[str, Any]) -> Iterator[Any]:
        """What the loop runs over, from its beginning, again and again."""
        if self.items is None:
            while True:
                yield None
        code = compile(ast.fix_missing_locations(ast.Expression(self.items)), "<items>", "eval")
        while True:
            count = 0
            for item in eval(code, space):
                count += 1
                yield item
            if not count:
                what = f"`{ast.unparse(self.items)}` gives nothing when it is run over again"
                raise CannotTell(what, "make a list of it before the block")

    def _is_own(self, value: Any) -> bool:
        """Is it a function of the program itself, and of no library?"""
        module = self.variables.get("__name__")
        function = isinstance(value, types.FunctionType)
        return function and value.__globals__.get("__name__") == module

    def _space(self, model: Any, optimizer: Any) -> dict[str, Any]:
        """The program's variables for one run: copies of all that is not a module or a class."""
        space: dict[str, Any] = {"__model__": model, "__optimizer__": optimizer}
        memo: dict[int, Any] = {}  # who names the model or its parts gets the copy's
        living = self.start.model(), self.start.optimizer()
        if living[0] is not None:
            memo[id(living[0])] = model
            pairs = zip(living[0].parameters(), model.parameters())
            memo.update((id(old), new) for old, new in pairs)
        if living[1] is not None:
            memo[id(living[1])] = optimizer
        for living_one, begun in self.start.kept:
            memo[id(living_one)] = copy.deepcopy(begun)
        waiting = set(self.names)
        seen = set()
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.variables:
                continue
            seen.add(name)
            value = self.variables[name]
            if name in self.start.names:
                space[name] = (model, optimizer)[self.start.names[name]]
            elif self._is_own(value):
                space[name] = types.FunctionType(
                    value.__code__, space, name, value.__defaults__, value.__closure__
                )
                space[name].__kwdefaults__ = value.__kwdefaults__
                waiting.update(names_of(value.__code__))
            elif is_view(value):
                space[name] = types.SimpleNamespace(progress=iter, losses=[], gradient_norms={})
            elif isinstance(value, type | types.ModuleType | types.FunctionType):
                space[name] = value
            else:
                try:
                    space[name] = copy.deepcopy(value, memo)
                except Exception:  # then its name is missing, and said to be so
                    continue
        return space


def tensors_of(model: Any, space: dict[str, Any]) -> list[Any]:
    """What a run may change: the tensors of the model, and of others that are trained with it."""
    modules = [space[name] for name in sorted(space) if isinstance(space[name], torch.nn.Module)]
    trained = (one for one in modules if any(p.requires_grad for p in one.parameters()))
    tensors = (x for one in (model, *trained) for x in (*one.parameters(), *one.buffers()))
    return [*{id(tensor): tensor for tensor in tensors}.values()]


def small_things(variables: Any) -> list[Any]:
    """The generators among variables, or in their loaders; and short lists of plain values."""
    values = [*variables.values()]
    values += [value.generator for value in values if isinstance(value, DataLoader)]
    found = {id(value): value for value in values if isinstance(value, GENERATORS)}
    for value in values:
        if type(value) in (list, set, dict) and len(value) <= SHORT:
            inside = [*value, *value.values()] if isinstance(value, dict) else value
            if all(type(one) in PLAIN for one in inside):
                found[id(value)] = value
    return [*found.values()]


def names_of(code: types.CodeType) -> set[str]:
    """The names that a function uses, those in it included."""
    inner = (one for one in code.co_consts if isinstance(one, types.CodeType))
    return {*code.co_names}.union(*map(names_of, inner))


def is_view(value: Any) -> bool:
    """Is it a TrainingLoop?"""
    return hasattr(type(value), "gradient_norms")


def signed(x: float) -> str:
    """A number with a minus sign, as the page writes it."""
    return number(x).replace("-", "−")


def random_state() -> Any:
    """The state of all random numbers that a loop may use."""
    return torch.get_rng_state(), random.getstate(), np.random.get_state()


def restore(state: Any) -> None:
    """Go back to such a state."""
    torch.set_rng_state(state[0])
    random.setstate(state[1])
    np.random.set_state(state[2])
