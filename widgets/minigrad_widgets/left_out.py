"""What happens when a line of the training loop is left out: the loop's own lines, run twice.

The lines are those of the ``for`` loop in the ``with`` block that call ``backward()``. They run
again on copies of the model and the optimiser as they were when the block began, with the same
random numbers, and so on the same batches: once as they stand, once without the line. All else
that they name is copied too. Nothing of the program changes.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import inspect
import io
import linecache
import math
import random
import textwrap
import time
import types
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import minigrad as torch
from minigrad import gradients
from minigrad.graph import TensorBase, Watch
from minigrad.tape.values import number

LINES = ("zero_grad", "backward", "step", "order")
"""What can be left out; "order" takes the step before the backward pass."""

LARGEST = 2_000_000  # numbers in a model of which a copy is kept
SECONDS = 5.0  # for one run
STEPS = 60  # of a run: enough to see what is gained at first and lost later
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


class CannotTell(ValueError):
    """The loop cannot be run again; the message says why, and what would help."""


class Start:
    """Where a training begins: copies of model and optimiser, the random numbers, the place.

    ``variables`` are those of the program that are in sight there.
    """

    def __init__(self, model: Any, optimizer: Any, file: str, line: int, variables: Any) -> None:
        self.file, self.line = file, line
        self.model, self.optimizer = weakref.ref(model), weakref.ref(optimizer)
        self.names = {
            name: number
            for name, value in variables.items()
            for number, known in enumerate((model, optimizer))
            if value is known is not None
        }
        self.random = random_state()
        self.copies = None
        if sum(p._array.size for p in model.parameters()) <= LARGEST:
            self.copies = copy.deepcopy((model, optimizer))


class Found(NamedTuple):
    """What was measured."""

    line: str  # its text
    steps: int
    before: float  # the loss on the first batch
    kept: float  # the same after the steps, with the line
    left: float  # and without
    curves: tuple[list[float], list[float]]
    cleared: bool  # does the loop call zero_grad()?

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
        f"Measured on the first batch: {number(found.before)} at the start; after {found.steps} "
        f"steps {number(found.kept)} with the loop as it is, {number(found.left)} "
        f"{'in that order' if line == 'order' else 'without the line'}. {why}"
    )


def experiment(
    start: Start, line: str, variables: Any, step: Any = None, steps: int = STEPS
) -> Found:
    """Run the loop with the line and without, and measure. Raises CannotTell if it cannot."""
    if line not in LINES:
        raise CannotTell(f"the lines to ask for are {', '.join(map(repr, LINES))}, not {line!r}")
    if start.copies is None:
        raise CannotTell(f"the model has more than {LARGEST:,} numbers: no copy of it was kept")
    program = Program(start, variables, step)
    text = program.text_of(line)
    before = random_state()
    listeners, gradients.listeners[:] = gradients.listeners[:], []
    observer, Watch.observer = Watch.observer, None
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            with torch.enable_grad():
                first, kept, curve = program.run(None, steps)
                _, left, other = program.run(line, len(curve))
    except CannotTell:
        raise
    except Exception as error:
        raise CannotTell(
            f"running the loop's lines again stopped with {type(error).__name__}: {error}"
        ) from error
    finally:
        Watch.observer = observer
        gradients.listeners[:] = listeners
        restore(before)
    cleared = bool(program._statements("zero_grad"))
    return Found(text, len(curve), first, kept, left, (curve, other), cleared)


class Program:
    """The lines of one step, ready to run on copies."""

    def __init__(self, start: Start, variables: Any, step: Any) -> None:
        self.start, self.variables = start, variables
        self.items: ast.expr | None  # what the loop runs over
        if step is None:
            self.body, self.items = self._of_the_block()
        else:
            self.body, self.items = self._of_function(step), None
        self.names = names_in(*self.body, *([] if self.items is None else [self.items]))

    # ------------------------------------------------------------------ reading

    def _of_the_block(self) -> tuple[list[ast.stmt], ast.expr | None]:
        """The body of the ``for`` loop that calls ``backward()``, and what it runs over."""
        more = "; give the function of one step: loop.ask(..., step=train_step)"
        try:
            tree = ast.parse("".join(linecache.getlines(self.start.file)))
        except SyntaxError:
            raise CannotTell(f"the lines of the loop cannot be read{more}") from None
        blocks = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.With) and node.lineno <= self.start.line <= last_line(node)
        ]
        if not blocks:
            raise CannotTell(f"there is no `with` block to take the lines from{more}")
        block: Any = blocks[-1]
        loops = [
            node
            for node in ast.walk(block)
            if isinstance(node, ast.For | ast.While) and any(map(is_backward, ast.walk(node)))
        ]
        if not any(map(is_backward, ast.walk(block))):
            raise CannotTell(f"no line of the block calls backward(){more}")
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
            raise CannotTell("step must be a function whose source can be read") from None
        wants = len(inspect.signature(step).parameters)
        if not isinstance(made, ast.FunctionDef) or wants > 2:
            raise CannotTell("step must be a function of model and optimizer, and no more")
        made.decorator_list = []
        inside = inspect.getclosurevars(step)
        self.variables = {**step.__globals__, **self.variables, **inside.nonlocals}
        call = ast.parse(f"{made.name}({', '.join(('__model__', '__optimizer__')[:wants])})")
        return [made, *call.body]

    def text_of(self, line: str) -> str:
        """The line as it stands in the program. Raises CannotTell if there is none such."""
        found = self._statements("step" if line == "order" else line)
        if not found:
            raise CannotTell(f"the loop has no line that calls {line}()")
        if line == "order":
            _, last = found[-1]
            return ast.unparse(last)
        return ast.unparse(found[0][1])

    def _statements(self, method: str) -> list[tuple[list[ast.stmt], ast.stmt]]:
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

    def run(self, leave_out: str | None, steps: int) -> tuple[float, float, list[float]]:
        """The loss on the first batch before and after so many steps, and that of each step."""
        restore(self.start.random)
        assert self.start.copies is not None
        model, optimizer = copy.deepcopy(self.start.copies)
        before = [p._array.copy() for p in model.parameters()]
        losses: list[float] = []
        silent = {leave_out}
        space = self._space(model, optimizer)
        space["__backward__"] = backward_into(losses, silent)
        for owner, method in (
            (model, "zero_grad"), (optimizer, "zero_grad"), (optimizer, "step"),
        ):  # fmt: skip
            setattr(owner, method, unless(silent, method, getattr(owner, method)))
        lines = Backward().visit(ast.Module(copy.deepcopy(self.body), []))
        if leave_out == "order":
            lines = ast.Module(self._swapped(), [])
        code = compile(ast.fix_missing_locations(lines), "<the loop's lines>", "exec")

        def look(item: Any, state: Any) -> float:
            restore(state)
            silent.update(LINES)
            space["__items__"] = (item,)
            exec(code, space)
            silent.intersection_update({leave_out})
            if not losses:
                raise CannotTell("no backward pass was reached in the first round")
            return sum(losses)

        items = self._batches(space)
        item = next(items)
        state = random_state()
        first = look(item, state)
        curve: list[float] = []
        restore(state)
        end = time.perf_counter() + SECONDS
        batch = item
        while True:
            losses.clear()
            space["__items__"] = (batch,)
            exec(code, space)
            curve.append(sum(losses) if losses else math.nan)
            late = leave_out is None and time.perf_counter() > end
            if len(curve) == steps or late:
                break
            batch = next(items)
        losses.clear()
        after = look(item, state)
        if leave_out is None and all(
            np.array_equal(a, p._array) for a, p in zip(before, model.parameters())
        ):
            raise CannotTell("the loop's lines do not train the model that was given")
        return first, after, curve

    def _swapped(self) -> list[ast.stmt]:
        """The lines with the step before the backward pass."""
        body = self.body
        self.body = copy.deepcopy(body)
        try:
            steps, passes = self._statements("step"), self._statements("backward")
            beside = [(lines, s, b) for lines, s in steps for other, b in passes if lines is other]
            if not beside:
                raise CannotTell("backward() and step() do not stand side by side in the loop")
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
                raise CannotTell(
                    f"`{ast.unparse(self.items)}` gives nothing when it is run over again"
                )

    def _is_own(self, value: Any) -> bool:
        """Is it a function of the program itself, and of no library?"""
        module = self.variables.get("__name__")
        return isinstance(value, types.FunctionType) and value.__module__ == module

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
        waiting, seen = set(self.names), set()
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.variables:
                continue
            seen.add(name)
            value = self.variables[name]
            if name in self.start.names:
                space[name] = (model, optimizer)[self.start.names[name]]
            elif self._is_own(value):
                refuse_closures(name, value)
                space[name] = types.FunctionType(
                    value.__code__, space, name, value.__defaults__, value.__closure__
                )
                waiting.update(value.__code__.co_names)
            elif hasattr(value, "gradient_norms"):  # the view itself
                space[name] = types.SimpleNamespace(progress=iter, losses=[], gradient_norms={})
            elif isinstance(value, type | types.ModuleType | types.FunctionType):
                space[name] = value
            else:
                try:
                    space[name] = copy.deepcopy(value, memo)
                except Exception:  # then its name is missing, and said to be so
                    continue
        return space


class Backward(ast.NodeTransformer):
    """``loss.backward()`` becomes ``__backward__(loss)``, which looks at the loss first."""

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if is_backward(node):
            owner: Any = node.func
            name = ast.Name("__backward__", ast.Load())
            return ast.copy_location(ast.Call(name, [owner.value, *node.args], node.keywords), node)
        return node


def backward_into(losses: list[float], silent: set[Any]) -> Callable[..., None]:
    """A backward pass that notes the loss, and does not take place if it is silent."""

    def backward(owner: Any, *args: Any, **options: Any) -> None:
        root = owner if isinstance(owner, TensorBase) else args[0]
        losses.append(float(root._array.sum()))
        if "backward" not in silent:
            owner.backward(*args, **options)

    return backward


def unless(silent: set[Any], method: str, call: Any) -> Callable[..., Any]:
    """The method, which does nothing while it is silent."""
    return lambda *args, **options: None if method in silent else call(*args, **options)


def refuse_closures(name: str, function: Any) -> None:
    """Raise for a function that holds a tensor or a model, which would not be a copy."""
    for cell in function.__closure__ or ():
        if isinstance(cell.cell_contents, torch.nn.Module | torch.optim.Optimizer | TensorBase):
            raise CannotTell(f"`{name}` holds a model or a tensor of its own")


def is_backward(node: Any) -> bool:
    """Is it ``something.backward(...)``?"""
    call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    return call and node.func.attr == "backward"


def names_in(*trees: ast.AST) -> set[str]:
    """The names that stand in a piece of program."""
    return {n.id for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Name)}


def last_line(block: ast.With) -> int:
    """The last line of what stands between ``with`` and the colon."""
    return max(item.context_expr.end_lineno or block.lineno for item in block.items)


def random_state() -> Any:
    """The state of all random numbers that a loop may use."""
    return torch.get_rng_state(), random.getstate(), np.random.get_state()


def restore(state: Any) -> None:
    """Go back to such a state."""
    torch.set_rng_state(state[0])
    random.setstate(state[1])
    np.random.set_state(state[2])
