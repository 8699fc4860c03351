"""What a program's operations are nested in: modules, functions, loops and their passes.

Calls begin and end in the order of time, so each of them is a stretch of the tape, and boxes made
of them never lead to each other and back. Of a loop, a new pass has begun where the program has
gone back to an earlier instruction of its body. What is drawn no more leaves the last of its
operations, so that a loop which has lost passes says so: "250 passes drawn".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from types import CodeType
from typing import Any, NamedTuple

from .activations import Activation
from .facts import Fact
from .loops import Loop, is_apart, loops_around, records_many, where
from .scope import Call
from .values import plural

MANY = 30  # side by side in a box
ROW = 8  # of the same operation, one behind the other


class Made(NamedTuple):
    """How an operation came about: as much of a fact as tells in which boxes it belongs."""

    key: str
    within: Activation | None
    instruction: int
    calls: tuple[Call, ...]
    cell: str
    op: str
    dropped: bool = False  # the last of some that are drawn no more


def made(fact: Fact) -> Made:
    """What a fact tells of that."""
    instruction = -1 if fact.place is None else fact.place.instruction
    return Made(fact.key, fact.within, instruction, fact.calls, fact.cell, fact.op)


@dataclass(slots=True)
class Box:
    """What belongs together: operations by their keys, and boxes, in the order of time."""

    kind: str  # "module", "function", "loop", "pass"; "cell" and "library" are not seen
    id: str
    title: str = ""
    note: str = ""  # what else is to be said: "30 passes", "call 2 of 3", "Linear"
    inside: list[Box | str] = field(default_factory=list)
    at: int = -1  # the instruction that called it
    code: CodeType | None = None  # of what runs in it, if that is a function of the program
    has_passes: bool = False  # is what is inside the passes of a loop?
    cut: bool = False  # has it lost some of its operations, which are drawn no more?
    places: list[int] = field(default_factory=list)  # of each that is inside, its instruction


def nested(operations: Iterable[Made]) -> Box:
    """The box of all boxes. What nobody knows the origin of stands in it directly."""
    root = Box("cell", "")
    path = [root]
    names = {}
    before: Made | None = None
    for one in operations:
        names[one.key] = one.op
        what = Box("dropped", f"b:{one.key}", cut=True) if one.dropped else one.key
        if before and (before.within, before.calls) == (one.within, one.calls):
            add(path[-1], what, one.instruction)
            continue
        before = one
        steps = list(way_to(one))
        depth = 0
        while depth < min(len(steps), len(path) - 1) and steps[depth].id == path[depth + 1].id:
            depth += 1
        del path[depth + 1 :]
        for step in steps[depth:]:
            add(path[-1], step, step.at)
            path.append(step)
        add(path[-1], what, one.instruction)
    finish(root)
    put_together(root, names)
    return root


def put_together(box: Box, names: dict[str, str]) -> None:
    """Where there are many, the same operation many times in a row has a box."""
    for child in box.inside:
        if isinstance(child, Box):
            put_together(child, names)
    if len(box.inside) <= MANY or box.kind == "loop":
        return
    found: list[Box | str] = []
    for name, run in groupby(
        box.inside, lambda one: names.get(one) if isinstance(one, str) else None
    ):
        row = list(run)
        if name is not None and len(row) >= ROW:
            row = [Box("row", f"b:s{row[0]}", name, f"{len(row)} times", row)]
        found += row
    box.inside = found


def add(box: Box, what: Box | str, at: int) -> None:
    box.inside.append(what)
    box.places.append(at)


def way_to(one: Made) -> Iterator[Box]:
    """The boxes around an operation, outermost first."""
    chain: list[Activation] = []
    here = one.within
    while here is not None:
        chain.append(here)
        here = here.caller
    before = 0
    path = ""
    for activation in reversed(chain):
        at = activation.at
        code = activation.code
        if code is None and len(one.calls) > before:
            break  # a module's call, which has a box
        calls = one.calls[before : activation.modules]
        before = max(before, activation.modules)
        boxes = []
        for call in calls:
            path = joined(path, call)
            boxes.append(module_box(call, path, at))
            at = -1
        if boxes and code is not None and code.co_name == "forward":
            boxes[-1].code = code
        elif code is None:
            boxes.append(Box("library", f"b:a{activation.number}", at=at))
        elif activation.caller is None:
            boxes.append(Box("cell", f"b:a{activation.number}", one.cell, at=at, code=code))
        else:
            title = code.co_qualname.rpartition("<locals>.")[2]
            boxes.append(Box("function", f"b:a{activation.number}", title, at=at, code=code))
        yield from boxes
    at = one.within.at if one.within is not None and one.within.code is None else one.instruction
    for call in one.calls[before:]:
        path = joined(path, call)
        yield module_box(call, path, at)
        at = -1


def joined(path: str, call: Call) -> str:
    """The path of a module from the outermost one, which has no name itself."""
    if not call.name or call.kind in NAMELESS:
        return path if call.kind in NAMELESS else ""
    return f"{path}.{call.name}" if path else call.name


UNSEEN = ("cell", "library")
"""Boxes that are not drawn: what is in them stands in the box around them."""

NAMELESS = ("steps", "step")
"""Calls that are those of no module: the passes of a loop in one of ours, see ``scope.passes``."""


def module_box(call: Call, path: str, at: int) -> Box:
    number = f"b:m{call.number}"
    if call.kind == "steps":
        return Box("loop", number, "time steps", call.name, at=at, has_passes=True)
    if call.kind == "step":
        return Box("pass", number, call.name, at=at)
    if not path:
        return Box("module", number, call.kind, at=at)
    return Box("module", number, path, call.kind, at=at)


# ---------------------------------------------------------------------------------- finishing


def finish(box: Box) -> None:
    """Find the loops in a box, count calls of the same, and leave out what says nothing."""
    for child in box.inside:
        if isinstance(child, Box):
            finish(child)
    box.cut = box.cut or is_cut(box.inside)
    pairs = list(zip(box.inside, box.places))
    box.inside = list(in_loops(pairs, box.code, 0) if box.code is not None else box.inside)
    box.inside = with_content(box.inside)
    counted(box.inside, box.cut)
    box.inside = [one for child in box.inside for one in simple(child)]
    if box.kind not in UNSEEN and not is_comprehension(box):
        merge(box)
    if box.cut and box.kind in ("module", "function") and not box.has_passes:
        box.note = comma(box.note, "in part")


def is_cut(inside: Iterable[Box | str]) -> bool:
    """Have these lost operations that are drawn no more?"""
    return any(isinstance(one, Box) and one.cut for one in inside)


def with_content(inside: Iterable[Box | str]) -> list[Box | str]:
    """Those of which something is drawn."""
    return [one for one in inside if isinstance(one, str) or one.inside]


def of_all(count: int, cut: bool) -> str:
    """How many there are: "of 3", or "of 3 drawn" if there were more."""
    return f"of {count}{' drawn' if cut else ''}"


def simple(child: Box | str) -> list[Box | str]:
    """What stands for a child: what is in it, if a box says nothing more."""
    if isinstance(child, str):
        return [child]
    is_comprehension = child.kind == "function" and child.title.endswith("comp>")
    if (child.kind in ("library", "cell") and child.title == "") or is_comprehension:
        return child.inside
    return child.inside if len(child.inside) == 1 and isinstance(child.inside[0], str) else [child]


def is_comprehension(box: Box) -> bool:
    """Is it the function that Python makes of ``[f(x) for x in xs]``?"""
    return box.kind == "function" and box.title.endswith(("comp>", "<genexpr>"))


def counted(inside: list[Box | str], cut: bool) -> None:
    """Calls of the same thing, one beside the other, get their numbers."""
    calls: dict[str, list[Box]] = {}
    for child in inside:
        if isinstance(child, Box) and child.kind in ("module", "function"):
            calls.setdefault(child.title, []).append(child)
    for same in calls.values():
        for number, child in enumerate(same, 1):
            if len(same) > 1:
                child.note = comma(child.note, f"call {number} {of_all(len(same), cut)}")


def merge(box: Box) -> None:
    """A box with nothing but one other box is both."""
    only = box.inside[0] if len(box.inside) == 1 else ""
    if isinstance(only, str):
        return
    if box.kind == "pass" or only.kind == "loop":
        box.note = comma(box.note, only.title, only.note)
        box.has_passes = only.has_passes
    elif box.kind == "module" and only.kind == "module":
        box.title = f"{box.title} › {only.title}"
        box.note = only.note
    else:
        return
    box.inside = only.inside


def comma(*parts: str) -> str:
    return ", ".join(filter(None, parts))


# ------------------------------------------------------------------------------------- loops

Placed = tuple[Box | str, int]


def in_loops(items: list[Placed], code: CodeType, level: int) -> Iterator[Box | str]:
    """The same, with the passes of each loop in boxes; so many loops are known to be around."""

    def loop_of(item: Placed) -> Loop | None:
        around = loops_around(code, item[1])
        return around[level] if level < len(around) else None

    for loop, run in groupby(items, loop_of):
        stretch = list(run)
        if loop is None:
            yield from (what for what, _ in stretch)
            continue
        parts = passes(stretch, code, loop, level)
        if len(parts) == 1:
            yield from in_loops(stretch, code, level + 1)
            continue
        drawn = [part for part in parts if with_content(what for what, _ in part)]
        box = Box("loop", f"b:l{level}.{name_of(stretch[0])}", lines(stretch, code))
        box.cut = is_cut(what for what, _ in stretch)
        box.note = f"{len(drawn)} {plural('pass', len(drawn))}{' drawn' if box.cut else ''}"
        box.has_passes = True
        for number, part in enumerate(drawn, 1):
            cut = is_cut(what for what, _ in part)
            inside = with_content(in_loops(part, code, level + 1))
            counted(inside, cut)
            inside = [one for child in inside for one in simple(child)]
            title = f"pass {number} {of_all(len(drawn), box.cut)}"
            one = Box("pass", f"b:p{level}.{name_of(part[0])}", title, inside=inside)
            one.cut = cut
            one.note = "in part" if cut else ""
            box.inside.append(one)
        named(box)
        yield box


def named(loop: Box) -> None:
    """Passes that each call another module have its name, and all have their number."""
    modules = [only_module(one) for one in loop.inside if isinstance(one, Box)]
    titles = {module.title for module in modules if module is not None}
    for one, module in zip(loop.inside, modules):
        if isinstance(one, str):
            continue
        if module is not None and len(titles) == len(modules):
            one.inside = module.inside
            one.note = comma(module.note, one.title, one.note)
            one.title = module.title
        else:
            merge(one)


def only_module(box: Box) -> Box | None:
    """The module whose call is all that there is in a box."""
    match box.inside:
        case [Box(kind="module") as module]:
            return module
    return None


def passes(items: list[Placed], code: CodeType, loop: Loop, level: int) -> list[list[Placed]]:
    """What ran in one execution of a loop, pass by pass."""
    parts = [[items[0]]]
    for (_, before), item in pairwise(items):
        if is_next_pass(before, item[1], code, loop, level):
            parts.append([])
        parts[-1].append(item)
    return parts


def is_next_pass(before: int, now: int, code: CodeType, loop: Loop, level: int) -> bool:
    """Has a new pass begun between these two instructions?"""
    inner = loops_around(code, before)[level + 1 : level + 2]
    if inner and inner == loops_around(code, now)[level + 1 : level + 2]:
        return False  # a pass of that, as far as one can tell
    if now == before:
        return not records_many(code, now)
    return now < before or is_apart(loop, where(code, before), where(code, now))


def lines(items: list[Placed], code: CodeType) -> str:
    """The lines of a loop's body that have recorded something: "lines 3–5"."""
    numbers = [where(code, at)[0] for _, at in items]
    first, last = min(numbers), max(numbers)
    return f"line {first}" if first == last else f"lines {first}–{last}"


def name_of(item: Placed) -> Any:
    """What a loop or a pass is known by: what began it."""
    what = item[0]
    return what if isinstance(what, str) else what.id[2:]
