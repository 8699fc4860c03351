"""Who holds what: the variables that lead to a tensor or a node, and by which way.

The search starts at the variables of namespaces and goes through what they hold: lists, dicts,
attributes, what a function remembers. It reads, and calls nothing of the program.
"""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..engine.node import Node, TensorBase
from .names import locals_of

OBJECTS = 50_000  # looked at in all, and
ITEMS = 5_000  # of one list or dict
DEEP = 7  # steps from a variable

ATOMS = (str, bytes, int, float, complex, bool, type(None), type, types.ModuleType, range, slice)


STRANGERS = {"IPython", "ipykernel", "ipywidgets", "matplotlib", "minigrad_widgets", "traitlets"}
"""Libraries whose objects are not looked into."""


class Way(NamedTuple):
    """One step from what is held to what it holds, as text."""

    text: str  # "[3]", ".hidden", '["loss"]'
    numbered: bool = False  # one of many: "[3]"


@dataclass
class Holder:
    """A variable, or a place in what it holds, that leads to tensors and nodes."""

    name: str  # "total", "losses", "model.cache"
    where: str  # the function whose variable it is; "": the notebook's, or the program's
    results: list[Any] = field(default_factory=list)  # tensors and nodes
    first: str = ""  # of several, the way to the first: "losses[0]"
    last: str = ""


def holders(namespaces: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Holder]:
    """Those of the variables that lead to a tensor or a node, in the order of the namespaces.

    ``namespaces``: each with the name of its function, "" for the outermost one. A list that two
    variables lead to is told of the nearest, and of the first of two that are equally near.
    """
    found: dict[tuple[str, str], Holder] = {}
    seen: set[int] = set()
    waiting: deque[tuple[Any, str, str, str, int]] = deque()
    spaces = list(namespaces)
    ours = {id(space) for _, space in spaces}
    for where, space in spaces:
        for name, value in list(space.items()):
            if isinstance(name, str) and is_told(name) and not is_foreign(value):
                waiting.append((value, where, name, name, 0))
    looked = 0
    kept: list[Any] = []  # what is looked at stays meanwhile: no two things have one identity
    while waiting and looked < OBJECTS:
        value, where, group, path, depth = waiting.popleft()
        looked += 1
        result = isinstance(value, TensorBase | Node)
        if result:
            holder = found.setdefault((where, group), Holder(group, where, first=path))
            holder.results.append(value)
            holder.last = path
        if id(value) in ours or id(value) in seen or depth == DEEP:
            continue
        seen.add(id(value))
        kept.append(value)
        for way, part in parts_of(value):
            if is_foreign(part) or (result and isinstance(part, Node)):
                continue
            longer = path + way.text
            waiting.append((part, where, group if way.numbered else longer, longer, depth + 1))
    return list(found.values())


def is_told(name: str) -> bool:
    """Is it a variable of the program? Of what a notebook keeps, ``Out`` alone is told of."""
    return not name.startswith("_") and name != "In"


def is_foreign(value: Any) -> bool:
    """Is it a plain value, or an object of a library that holds no tensor of the program's?"""
    if isinstance(value, ATOMS):
        return True
    library, _, rest = str(type(value).__module__).partition(".")
    return library in STRANGERS or (library == "minigrad" and rest.startswith("tape"))


def parts_of(value: Any) -> Iterator[tuple[Way, Any]]:
    """What a value holds, and the way to it."""
    if isinstance(value, dict):
        yield from entries(value)
    elif isinstance(value, list | tuple | deque):
        for place, part in enumerate(list(value)[:ITEMS]):
            yield Way(f"[{place}]", True), part
    elif isinstance(value, set | frozenset):
        for part in list(value)[:ITEMS]:
            yield Way("{…}", True), part
    elif isinstance(value, types.FunctionType):
        names = value.__code__.co_freevars
        for name, cell in zip(names, value.__closure__ or ()):
            yield Way(f", which remembers {name}"), contents(cell)
        for part in value.__defaults__ or ():
            yield Way(", in a default value"), part
    elif isinstance(value, types.MethodType):
        yield Way(".__self__"), value.__self__
    elif isinstance(value, functools.partial):
        yield Way(", in its arguments", True), [*value.args, *value.keywords.values()]
    elif isinstance(value, types.GeneratorType):
        if value.gi_frame is not None:
            for name, part in locals_of(value.gi_frame).items():
                yield Way(f", which is at work with {name}"), part
    elif isinstance(value, TensorBase):
        yield Way(".grad"), value._grad
    elif not isinstance(value, Node):
        yield from attributes(value)


def entries(value: dict[Any, Any]) -> Iterator[tuple[Way, Any]]:
    for key, part in list(value.items())[:ITEMS]:
        if isinstance(key, str | int | float | bool | tuple):
            text = repr(key) if not isinstance(key, str) else f'"{key}"'
            yield Way(f"[{text[:40]}]", isinstance(key, int)), part
        else:
            yield Way("[…]", True), part


def attributes(value: Any) -> Iterator[tuple[Way, Any]]:
    """The attributes of an object, those of slots included, without asking its class."""
    own = instance_dict(value)
    for name, part in list(own.items())[:ITEMS]:
        if name in ("_parameters", "_buffers", "_modules") and isinstance(part, dict):
            for inner, one in list(part.items())[:ITEMS]:
                yield Way(f".{inner}"), one
        elif isinstance(name, str):
            yield Way(f".{name}"), part
    for kind in type(value).__mro__:
        for name, slot in list(vars(kind).items()):
            if isinstance(slot, types.MemberDescriptorType):
                try:
                    yield Way(f".{name}"), slot.__get__(value, kind)
                except (AttributeError, TypeError):
                    continue


def instance_dict(value: Any) -> dict[str, Any]:
    try:
        found = object.__getattribute__(value, "__dict__")
    except Exception:
        return {}
    return found if isinstance(found, dict) else {}


def contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing was put in yet
        return None
