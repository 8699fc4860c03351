"""What notebook 10 runs: the tape's notes of a run, a small recording, and steps to compile."""

from __future__ import annotations

import dis
import inspect
import operator
import sys
import textwrap
import time
import tracemalloc
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import minigrad as torch
from minigrad.lesson.stopping import Stopped, limit
from minigrad.lesson.values import is_open
from minigrad.static import Compiled
from minigrad.static.memory import OUTSIDE

# --------------------------------------------------------------------------- a recording by hand

OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
    "neg": operator.neg,
}


NOTHING = (
    "{} has asked for no operation with this example, so there is no line to record.\n"
    "  fix: take an example with which it computes something"
)
MISSING = (
    "this recording of {} needs a number for {}.\n"
    "  fix: hand it in by its name, as in recording({}=1.0)"
)
ENDLESS = (
    "0 never becomes loud, however often it is doubled: the loop would run for ever.\n"
    "  fix: take another number"
)
NO_END = (
    "stopped after {:g} s: with {} the function finds no end.\n"
    "  fix: see to it that each pass through its loop brings the reading nearer to the end"
)

NO_NUMBER = (
    "the example {} = {!r} is no number.\n"
    "  fix: write a number in its place, without quotation marks, such as 1.0"
)
NO_DEPTH = "depth is a whole number of layers, and {!r} is none, so there are 8."
NO_RIDES = "count={!r} is no number of rides.\n  fix: take a whole number, 1 at least"
TOO_SMALL = (
    "a network of {} units and {} rows has nothing to compute.\n"
    "  fix: take whole numbers, at least one unit and one row"
)
NO_GRAD = "there is no grad: the step has no backward(), or clears what it has left"
FAR = 1000
"""A larger slope than this: the training has run away."""

RUN_AWAY = (
    "\n    These numbers are so large that rounding alone may part the two: the training has run "
    "away.\n      fix: take a smaller lr, and run the cells of this section again"
)
DISAGREE = "\n    Is the formula still that of the step? And does the step clear the old grads?"

NO_LAYERS = "Without a layer nothing is computed and nothing learns, so there is 1, and not {}."


class Line(NamedTuple):
    """One operation that ran. An operand is a name, or a plain number."""

    name: str
    operation: str
    operands: tuple[Any, ...]


def notes(f: Callable[..., Any], **example: float) -> list[Line]:
    """What the tape takes down while ``f`` runs once, with these numbers: its operations."""
    for name, value in example.items():
        if not isinstance(value, (int, float, np.floating)):
            raise ValueError(NO_NUMBER.format(name, value))
    found = torch.tape.run(torch.tape.tape, f, {k: float(v) for k, v in example.items()})
    names: dict[str, str] = {}
    lines: list[Line] = []
    for node in found.nodes:
        if node["kind"] != "op":
            names[node["id"]] = node["names"][0]
            continue
        operands = tuple(
            float(one["text"]) if one["id"] is None else names[one["id"]] for one in node["inputs"]
        )
        names[node["id"]] = f"v{len(lines) + 1}"
        lines.append(Line(names[node["id"]], node["op"], operands))
    return lines


def show(lines: Sequence[Line]) -> None:
    """Prints notes, a line each."""
    for name, operation, operands in lines:
        print(f"{name} = {operation}({', '.join(map(str, operands))})")


def capture(f: Callable[..., Any], **example: float) -> Callable[..., float]:
    """A program made of one run of ``f``: the lesson's own solution of its first exercise."""
    lines = notes(f, **example)
    if not lines:
        raise ValueError(NOTHING.format(f.__name__))

    def program(**inputs: float) -> float:
        for name in example:
            if name not in inputs:
                raise TypeError(MISSING.format(f.__name__, name, name))
        values = dict(inputs)
        for name, operation, operands in lines:
            numbers = [values[one] if isinstance(one, str) else one for one in operands]
            values[name] = OPERATIONS[operation](*numbers)
        return values[lines[-1].name]

    return program


def mistaken(program: Callable[..., float], f: Callable[[float], float], inputs: Any) -> int:
    """For how many of these readings a program says something else than the function."""
    right = in_time(lambda: [f(value) for value in inputs], "one of the readings")
    return sum(program(a=value) != wanted for value, wanted in zip(inputs, right))


def fewest_mistaken(f: Callable[[Any], Any], inputs: Sequence[float]) -> int:
    """How many readings are wrong if the best of them is the one that was recorded."""
    right = in_time(lambda: [f(value) for value in inputs], "one of the readings")
    programs = {tuple(notes(f, a=value)): capture(f, a=value) for value in examples(f, inputs)}
    found = (
        sum(program(a=value) != wanted for value, wanted in zip(inputs, right))
        for program in programs.values()
    )
    return min(found, default=0)


def examples(f: Callable[[Any], Any], inputs: Sequence[float]) -> list[float]:
    """One reading for each sign and number of doublings: each result over its input is a key."""
    return list({round(f(value) / value, 9): value for value in inputs if value}.values())


# ------------------------------------------------------------------------------- compiled calls


def double(value: float) -> Any:
    """A reading for the amplifier, with the digits of a Python number."""
    if value == 0:
        raise ValueError(ENDLESS)
    return torch.tensor(value, dtype=torch.float64)


def call(f: Callable[[Any], Any], reading: float, seconds: float = 5.0) -> Any:
    """Calls a function with a reading, as a tensor. Raises TimeoutError if it finds no end."""
    given = double(reading)
    return in_time(lambda: f(given), f"{reading:g}", seconds)


def in_time(run: Callable[[], Any], given: str, seconds: float = 5.0) -> Any:
    """What ``run`` returns. Raises TimeoutError, which names what was given, if it has no end."""
    try:
        return limit(seconds).call(run)
    except Stopped:
        raise TimeoutError(NO_END.format(seconds, given)) from None


def served(compiled: Compiled) -> int:
    """How many calls a program has served."""
    return sum(program.served for program in compiled.programs)


def told(compiled: Compiled) -> str:
    """Why calls were refused, and the fix, without the place; or an empty text."""
    lines = "\n".join(dict.fromkeys(compiled.refused.values())).splitlines()
    return "\n".join(line for line in lines if not line.startswith("  where: "))


def quietly(run: Callable[[], Any]) -> Any:
    """Runs something, without the warnings that refusals make; what it says is in ``told``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return run()


def kind_of(value: Any) -> str:
    """The type of a value, with its article."""
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def attempt(run: Callable[[], Any]) -> str:
    """What a call returns, or the kind and the first line of its error."""
    try:
        return str(run())
    except Exception as problem:
        return f"{type(problem).__name__}: {str(problem).splitlines()[0]}"


# ------------------------------------------------------------------------- without any number

UNDECIDED = "a stand-in has no number, so a test of it can be neither true nor false"


class StandIn:
    """It stands for a number that is not there yet: of each operation it takes a note."""

    def __init__(self, name: str, lines: list[str]) -> None:
        self.name = name
        self.lines = lines

    def __repr__(self) -> str:
        return self.name

    def noted(self, operation: str, *operands: Any) -> StandIn:
        made = StandIn(f"v{len(self.lines) + 1}", self.lines)
        self.lines.append(f"{made} = {operation}({', '.join(map(repr, operands))})")
        return made

    def __add__(self, other: Any) -> StandIn:
        return self.noted("add", self, other)

    def __radd__(self, other: Any) -> StandIn:
        return self.noted("add", other, self)

    def __sub__(self, other: Any) -> StandIn:
        return self.noted("sub", self, other)

    def __rsub__(self, other: Any) -> StandIn:
        return self.noted("sub", other, self)

    def __mul__(self, other: Any) -> StandIn:
        return self.noted("mul", self, other)

    def __rmul__(self, other: Any) -> StandIn:
        return self.noted("mul", other, self)

    def __truediv__(self, other: Any) -> StandIn:
        return self.noted("div", self, other)

    def __gt__(self, other: Any) -> StandIn:
        return self.noted("greater", self, other)

    def __lt__(self, other: Any) -> StandIn:
        return self.noted("less", self, other)

    def __bool__(self) -> bool:
        raise TypeError(UNDECIDED)


def traced(f: Callable[..., Any], *names: str) -> str:
    """The lines of a function that is called with stand-ins of these names."""
    lines: list[str] = []
    f(*[StandIn(name, lines) for name in names])
    return "; ".join(lines)


# ------------------------------------------------------------------------------------ memory


class Layers(NamedTuple):
    """Eight layers, run for their result alone and run in a step of a training."""

    forward: Callable[[Any], Any]
    train: Callable[[Any], Any]
    x: Any
    array: int  # the bytes of one layer's result


def layers(depth: int = 8, rows: int = 256, width: int = 128) -> Layers:
    """In float64: beside arrays of that size, Python's own objects hardly count."""
    if not isinstance(depth, int):
        print(NO_DEPTH.format(depth))
        depth = 8
    if depth < 1:
        print(NO_LAYERS.format(depth))
        depth = 1
    torch.manual_seed(0)
    kind = torch.float64
    weights = [(torch.randn(width, width, dtype=kind) / 16).requires_grad_() for _ in range(depth)]
    x = torch.randn(rows, width, dtype=kind)

    def forward(x: Any) -> Any:
        with torch.no_grad():
            h = x
            for w in weights:
                h = torch.tanh(h @ w)
            return h.sum()

    def train(x: Any) -> Any:
        h = x
        for w in weights:
            w.grad = None
            h = torch.tanh(h @ w)
        loss = h.sum()
        loss.backward()
        return loss

    return Layers(forward, train, x, 8 * rows * width)


def show_source(function: Callable[..., Any]) -> None:
    """Prints the source of one of the lesson's functions, without its annotations."""
    source = textwrap.dedent(inspect.getsource(function)).rstrip()
    print(source.replace(": Any", "").replace(" -> Any", ""))


def at_peak(compiled: Compiled) -> list[tuple[str, int]]:
    """The arrays of the first program that are there at its peak: their lines, and their bytes."""
    made: dict[int, tuple[str, int]] = {}  # by memory, which a view has in common with others
    names: dict[str, int] = {}
    for step in compiled.programs[0].steps:
        if step.makes and step.memory > OUTSIDE:
            names[step.makes] = step.memory
            made.setdefault(step.memory, (step.text, step.nbytes))
        if step.text == compiled.memory.at:
            break
        for name in step.forgets:
            names.pop(name, None)
    return [array for memory, array in made.items() if memory in names.values()]


def peak(run: Callable[..., Any], *args: Any) -> int:
    """The most memory that a call needed at once, in bytes; it is called twice."""
    run(*args)
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    run(*args)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most - before


# -------------------------------------------------------------------------------------- times

clock = time.perf_counter if sys.platform == "emscripten" else time.process_time
"""Seconds of processor time; a browser knows none, and there the time on the wall has to do."""


class Times(NamedTuple):
    """Seconds of processor time: of an ordinary call, of noting one, of a program's call."""

    ordinary: float
    noting: float
    program: float

    def break_even(self) -> float:
        """After so many calls the noting has paid for itself; infinity, if it never does."""
        gain = self.ordinary - self.program
        return (self.noting - self.ordinary) / gain if gain > 0 else float("inf")


def times(step: Callable[..., Any], *args: Any) -> Times:
    """Times a step as it is and compiled, with the same arguments."""
    compiled = torch.compile(step)
    quietly(lambda: compiled(*args))
    start = clock()
    quietly(lambda: compiled(*args))
    noting = clock() - start
    compiled(*args)
    ordinary = per_call(lambda: step(*args))
    return Times(ordinary, noting, per_call(lambda: compiled(*args)))


def per_call(call: Callable[[], Any], rounds: int = 5) -> float:
    """Seconds of processor time for a call: the best of five rounds of at least 20 ms each."""
    count, spent = 1, 0.0
    while spent < 0.02:
        count *= 2
        spent = seconds(call, count)
    return min(spent, *[seconds(call, count) for _ in range(rounds - 1)]) / count


def seconds(call: Callable[[], Any], count: int) -> float:
    start = clock()
    for _ in range(count):
        call()
    return clock() - start


def show_times(name: str, found: Times) -> None:
    """One line of a table."""
    even = found.break_even()
    share = found.program / found.ordinary
    after = f"pays after {even:,.0f} calls" if even < 1e5 else "does not pay"
    print(
        f"{name:22} ordinary {found.ordinary * 1e6:8,.0f} µs   compiled "
        f"{found.program * 1e6:8,.0f} µs   share {share:.2f}   {after}"
    )


def plain(step: Any) -> Any:
    """The function itself, if what was handed in is compiled already."""
    return step.function if isinstance(step, Compiled) else step


def compiled_in(step: Any) -> str:
    """The name under which a function calls one that is compiled already; "" if it does not."""
    if not inspect.isfunction(step):
        return ""
    lines = dis.get_instructions(step)
    names = [one.argval for one in lines if one.opname == "LOAD_GLOBAL"]  # and no attributes
    found = [name for name in names if isinstance(step.__globals__.get(name), Compiled)]
    return found[0] if found else ""


def takes(step: Callable[..., Any], args: Sequence[Any]) -> bool:
    """Whether a step can be called with so many arguments."""
    try:
        inspect.signature(step).bind(*args)
    except TypeError:
        return False
    return True


def time_own(step: Callable[..., Any], *args: Any) -> None:
    """Times a step of the learner's own; or says why there is nothing to time."""
    step = plain(step)
    if name := compiled_in(step):
        print(f"There is nothing to compare: {name} is compiled already.")
        return
    compiled = torch.compile(step)
    try:
        if any(is_open(one) for one in (step, *args)) or is_open(quietly(lambda: step(*args))):
            print("Fill in the cell above first.")
            return
        for _ in range(3):
            quietly(lambda: compiled(*args))
    except Exception as problem:
        print(f"The step does not run yet. {type(problem).__name__}: {problem}")
        return
    if compiled.refused:
        print(f"There is no program to time. The step is refused: {told(compiled)}")
        return
    show_times("your step", times(step, *args))


def nudged(f: Callable[..., Any], arrays: Sequence[Any], h: float = 1e-5) -> list[Any]:
    """The slopes of ``f`` by each number of its arrays: nudged both ways, with no graph."""
    slopes = [np.zeros_like(one) for one in arrays]
    for array, found in zip(arrays, slopes):
        for at in np.ndindex(array.shape):
            kept = array[at]
            array[at] = kept + h
            above = f(*arrays)
            array[at] = kept - h
            found[at] = (above - f(*arrays)) / (2 * h)
            array[at] = kept
    return slopes


def compared(grad: Any, slopes: Any) -> str:
    """What is said of a grad and the nudged slopes: they agree but for float32's last digits."""
    if grad is None:
        return NO_GRAD
    found = grad.detach().numpy()
    about = {"rtol": 1e-3, "atol": 1e-5 + 1e-4 * np.abs(slopes).max()}
    close = bool(np.isfinite(slopes).all()) and np.allclose(found, slopes, **about)
    first = f"the first grad {found.flat[0]:.4f}, nudged {slopes.flat[0]:.4f}"
    calm = np.abs(found).max() < FAR and np.abs(slopes).max() < FAR  # False for nan, too
    why = "" if close else DISAGREE if calm else RUN_AWAY
    return f"{first}; all {slopes.size} agree: {close}{why}"


def rides(count: int = 40) -> tuple[Callable[[], Any]]:
    """A training step of the taxi's rate, with one ride after another: 5 operations for each."""
    if not isinstance(count, int) or count < 1:
        raise ValueError(NO_RIDES.format(count))
    torch.manual_seed(0)
    driven = [(km, 2 * km + 4) for km in (10 * torch.rand(count)).tolist()]
    rate = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([rate], lr=1e-4)

    def step() -> Any:
        optimizer.zero_grad()
        loss = torch.tensor(0.0)
        for km, paid in driven:
            loss = loss + (rate * km + 4 - paid) ** 2
        loss.backward()
        optimizer.step()
        return loss

    return (step,)


def network(hidden: int, rows: int) -> tuple[Callable[..., Any], Any, Any]:
    """A training step of a network with one hidden layer, and its data."""
    if not all(isinstance(one, int) and one > 0 for one in (hidden, rows)):
        raise ValueError(TOO_SMALL.format(hidden, rows))
    torch.manual_seed(0)
    x, y = torch.randn(rows, 64), torch.randn(rows, 1)
    w1 = (torch.randn(64, hidden) / 8).requires_grad_()
    w2 = (torch.randn(hidden, 1) / hidden**0.5).requires_grad_()
    optimizer = torch.optim.SGD([w1, w2], lr=0.01)

    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = ((torch.tanh(x @ w1) @ w2 - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    return step, x, y


def small_program() -> str:
    """The text of the program that section 4 prints, from a step of our own."""
    torch.manual_seed(0)
    x, y = torch.randn(64, 4), torch.randn(64, 1)
    w1 = torch.randn(4, 8, requires_grad=True)
    w2 = torch.randn(8, 1, requires_grad=True)
    optimizer = torch.optim.SGD([w1, w2], lr=0.1)

    @torch.compile
    def step(x: Any, y: Any) -> Any:
        optimizer.zero_grad()
        loss = ((torch.tanh(x @ w1) @ w2 - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        return loss

    for _ in range(3):
        step(x, y)
    return step.source


def same_numbers(some: Any, others: Any) -> bool:
    return bool(np.allclose(np.asarray(some), np.asarray(others), rtol=1e-5, atol=1e-7))
