"""Programs as plain data: lists of steps. How they read, and how random ones are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

Step = list[Any]
Program = list[Step]

SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "matmul": "@"}
METHODS = ("tanh", "exp", "log", "relu", "sum")
LOOKS = ("grad", "value", "flag", "kind", "refused", "forget")
QUIET = ("leaf", "backward", "zero", "repeat", "while", "if", *LOOKS)  # the others are operations


def text_of(program: Program) -> str:
    """A program in Python: an expression if it can be one, or else its lines.

    >>> text_of([["leaf", "x", 3.0], ["mul", "y", "x", "x"], ["backward", "y"], ["grad", "x"]])
    'x * x  at x = 3'
    """
    leaves = ", ".join(f"{step[1]} = {data(step[2])}{constant(step)}" for step in begins(program))
    one = expression(program)
    if one:
        return f"{one}  at {leaves}"
    lines = [f"    {line}" for line in lines_of(program, "")]
    return "\n".join(["these lines:", *lines, f"    with {leaves}"])


def expression(program: Program) -> str:
    """The whole program as one expression; "" if a result is used twice, or more is done."""
    steps = [step for step in program if step[0] not in ("leaf", "grad", "value", "kind")]
    if not steps or steps[-1][0] != "backward" or len(steps[-1]) > 2:
        return ""
    if any(step[0] in QUIET for step in steps[:-1]):
        return ""
    made = {step[1] for step in steps[:-1]}
    written: dict[str, str] = {}
    for step in steps[:-1]:
        operands = [written.pop(part, part) if is_name(part) else part for part in step[2:]]
        if any(is_name(part) and part in made for part in operands):
            return ""  # it was used before
        text = operation(step[0], operands)
        written[step[1]] = text if step[0] in METHODS else f"({text})"
    if len(written) != 1:
        return ""
    return written.popitem()[1] if steps[-2][0] in METHODS else written.popitem()[1][1:-1]


def begins(program: Program) -> list[Step]:
    return [step for step in program if step[0] == "leaf"]


def constant(step: Step) -> str:
    return " (requires_grad=False)" if len(step) > 3 and not step[3] else ""


def data(value: Any) -> str:
    if isinstance(value, list):
        array = np.array(value)
        return f"{'×'.join(map(str, array.shape))} numbers"
    return f"{value:g}"


def lines_of(program: Program, indent: str) -> Iterator[str]:
    """One line a step. The first backward is left out if it comes last: that is what is tried."""
    shown = [step for step in program if step[0] not in ("leaf", "grad", "value", "flag", "kind")]
    if [step[0] for step in shown].count("backward") == 1 and shown[-1][0] == "backward":
        shown = shown[:-1]
    for step in shown:
        verb, *rest = step
        if verb == "repeat":
            yield f"{indent}for _ in range({rest[0]}):"
            yield from lines_of(rest[1], indent + "    ")
        elif verb in ("while", "if"):
            name, sign, number = rest[0]
            yield f"{indent}{verb} {name} {sign} {number:g}:"
            yield from lines_of(rest[1], indent + "    ")
            if verb == "if":
                yield f"{indent}else:"
                yield from lines_of(rest[2], indent + "    ")
        elif verb in ("backward", "refused"):
            yield f"{indent}{rest[0]}.backward({keywords(rest[1:])})"
        elif verb == "zero":
            yield f"{indent}{rest[0]}.grad = None"
        elif verb == "forget":
            yield f"{indent}del {rest[0]}"
        else:
            yield f"{indent}{rest[0]} = {operation(verb, rest[1:])}"


def operation(verb: str, parts: list[Any]) -> str:
    names = [p if isinstance(p, str) else f"{p:g}" for p in parts if not isinstance(p, dict)]
    if verb in SIGNS:
        first = names[0]
        if verb in ("add", "mul") and first.startswith("(") and not loose(first, verb):
            first = first[1:-1]
        return f"{first} {SIGNS[verb]} {names[1]}"
    if verb == "neg":
        return f"-{names[0]}"
    return f"{names[0]}.{verb}({keywords(parts[1:])})"


def loose(part: str, verb: str) -> bool:
    """Does this need its brackets before a plus or a times?"""
    inside = part[1:-1]
    return verb == "mul" and (" + " in inside or " - " in inside)


def keywords(parts: list[Any]) -> str:
    return ", ".join(f"{key}={value!r}" for options in parts for key, value in options.items())


def operations(program: Program) -> int:
    """How many operations stand in it: its size, for the smallest."""
    count = 0
    for step in program:
        if step[0] in ("repeat", "while"):
            count += 1 + operations(step[2])
        elif step[0] == "if":
            count += 1 + operations(step[2]) + operations(step[3])
        else:
            count += step[0] not in QUIET
    return count


def lowered(program: Program) -> Program:
    """The same with fewer operations: x - y as x + (-y), and x / y as x * y**-1.

    Many write their class so, and then some mistakes are made at more places.
    """
    found: Program = []
    for step in program:
        verb, name, *parts = step
        if verb in ("repeat", "while"):
            found.append([verb, name, lowered(parts[0])])
        elif verb == "if":
            found.append([verb, name, lowered(parts[0]), lowered(parts[1])])
        elif verb == "sub" and is_name(parts[1]):
            found += [["neg", f"-{name}", parts[1]], ["add", name, parts[0], f"-{name}"]]
        elif verb == "div" and is_name(parts[1]):
            found += [["pow", f"1/{name}", parts[1], -1], ["mul", name, parts[0], f"1/{name}"]]
        else:
            found.append(step)
    return found


def minus_as_product(program: Program) -> Program:
    """The same with each sign written as a product: -x as x * -1."""
    found: Program = []
    for step in program:
        verb, name, *parts = step
        if verb in ("repeat", "while"):
            found.append([verb, name, minus_as_product(parts[0])])
        elif verb == "if":
            found.append([verb, name, *[minus_as_product(part) for part in parts]])
        else:
            found.append(["mul", name, *parts, -1.0] if verb == "neg" else step)
    return found


# ------------------------------------------------------------------------------- making them


def asked(steps: Program, root: str) -> Program:
    """The program with its backward pass, and a look at the value and at every leaf's grad."""
    looks = [["grad", step[1]] for step in begins(steps)]
    return [*steps, ["value", root], ["backward", root], *looks]


Numbers = Iterator[float]


def numbers_from(random: np.random.Generator) -> Numbers:
    """Numbers that are easy to read, and at which few mistakes hide: none is 0, 1 or 2."""
    while True:
        number = round(float(random.uniform(0.3, 3.4)), 1)
        if number not in (0.5, 1.0, 2.0):
            yield number


def random_graph(random: np.random.Generator, steps: int = 6) -> Program:
    """Sums, products and the like of two leaves, and of what was made before: much is used twice.

    What was made last is always used, so nothing hangs loose.
    """
    numbers = numbers_from(random)
    made: Program = [["leaf", name, next(numbers)] for name in ("a", "b")]
    names = ["a", "b"]
    for place in range(steps):
        verb = ("add", "mul", "sub", "add", "mul", "tanh")[random.integers(6)]
        parts = [names[-1], names[random.integers(len(names))]]
        random.shuffle(parts)
        new = f"v{place + 1}"
        made.append([verb, new, *(parts if verb != "tanh" else parts[:1])])
        if verb == "tanh":
            made[-1][2] = names[-1]
        names.append(new)
    return asked([*made, ["mul", "y", names[-1], names[-2]]], "y")


def smaller(program: Program) -> Iterator[Program]:
    """The programs that are one operation smaller: its result is one of its operands instead."""
    for place, step in enumerate(program):
        if step[0] in QUIET:
            continue
        for operand in dict.fromkeys(part for part in step[2:] if isinstance(part, str)):
            rest = [*program[:place], *program[place + 1 :]]
            yield without_loose([renamed(other, step[1], operand) for other in rest])


def renamed(step: Step, old: str, new: str) -> Step:
    return [step[0], *[new if part == old else part for part in step[1:]]]


def without_loose(program: Program) -> Program:
    """The program without leaves that nothing uses, and without looks at these."""
    used = {
        part
        for step in program
        if step[0] not in ("leaf", "grad")
        for part in step[1 if step[0] in ("backward", "value") else 2 :]
        if isinstance(part, str)
    }
    return [step for step in program if step[0] not in ("leaf", "grad") or step[1] in used]


def shrunk(program: Program, fails: Callable[[Program], bool]) -> Program:
    """The smallest program that still fails, found by leaving out one operation after another."""
    while True:
        for one in smaller(program):
            if operations(one) and fails(one):
                program = one
                break
        else:
            return with_short_names(program)


def with_short_names(program: Program) -> Program:
    """Results made for a random graph (v1, v2, …) get letters; the last one keeps its name."""
    made = [step[1] for step in program if step[0] not in QUIET and step[1].startswith("v")]
    short = dict(zip(made, "cdefghijklm"))
    return [
        [step[0], *[short.get(p, p) if is_name(p) else p for p in step[1:]]] for step in program
    ]


def is_name(part: Any) -> bool:
    return isinstance(part, str)


def drawn(
    structure: Callable[[np.random.Generator], Program],
    random: np.random.Generator,
    engines: Sequence[Callable[[], Any]],
    tries: int = 8,
) -> Program:
    """A program of this structure with numbers at which no two engines agree by accident.

    Of so many drawn, it is the one with the most different outcomes. Numbers that are hard to
    compare, because they are tiny or huge, are not taken at all.
    """
    best: Program = []
    most = 0
    for _ in range(MOST_DRAWN):
        program = structure(random)
        looks = looks_of(engines[0], program)
        if not is_readable(looks):
            continue
        different = {repr(looks_of(make, program)) for make in engines}
        if len(different) > most:
            best = program
            most = len(different)
        tries -= 1
        if tries == 0:
            break
    if not best:
        raise ValueError(f"no numbers were found that are easy to compare: {structure}")
    return best


def looks_of(make: Callable[[], Any], program: Program) -> Any:
    """What an engine makes of a program, to five digits; None if it does not end."""
    try:
        made = make().run(program)
    except Exception:
        return None
    return [rounded(look) for look in made["looks"]]


def rounded(look: Any) -> Any:
    if isinstance(look, dict):
        return look.get("shape"), [rounded(number) for number in look["numbers"]]
    return float(f"{look:.5g}") if isinstance(look, float) else look


def is_readable(looks: Any) -> bool:
    """Are its numbers of a size at which a mistake shows? In an array some may be 0."""
    for look in looks or ():
        numbers = [number for number in look[1] if number] if isinstance(look, tuple) else [look]
        if not numbers:
            return False
        for number in numbers:
            is_float = isinstance(number, float)
            if is_float and not SMALLEST < abs(number) < LARGEST:
                return False
    return bool(looks)


SMALLEST = 1e-2
LARGEST = 1e4
MOST_DRAWN = 500
