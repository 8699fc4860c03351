"""What stands on the page of a name."""

from __future__ import annotations

import importlib
import inspect
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from minigrad.engine.node import Kind
from minigrad.tape import formulas

from . import counterparts, texts
from .lines import Lines, Unknown, lines_of, lines_of_member
from .names import OWN, OWN_NAMES, Name, constants, names_of, things


@dataclass
class Link:
    """A name with its address."""

    text: str
    address: str


@dataclass
class Part:
    """A function, a class, or a method of one."""

    title: str
    signature: str  # HTML, as are the next two
    words: str
    example: str
    first: str  # the first sentence, as text
    counterparts: list[Link]  # in PyTorch; an address is "" where it is not certain
    lines: Lines


@dataclass
class Entry(Part):
    """What has a page of its own."""

    file: str
    name: Name
    also: list[Link]
    own: bool  # does PyTorch have nothing like it?
    rules: dict[str, str]  # of an operation: the rule of each argument, as text
    computes: tuple[Link, str] | None = None  # of a function as a module: that, in a sentence
    members: list[Part] = field(default_factory=list)
    operations: list[Link] = field(default_factory=list)
    inherited: dict[str, list[Link]] = field(default_factory=dict)


class Pages:
    """Every thing that has a page, and how it is found by its name."""

    def __init__(self) -> None:
        rows = things()
        folded = Counter(row[0].full.lower() for row in rows)
        self.rows = rows
        self.files: dict[str, str] = {}
        self.by_id: dict[int, str] = {}
        for row in rows:
            # Some file systems take Tensor and tensor for one name.
            alike = folded[row[0].full.lower()] > 1 and inspect.isclass(row[0].value)
            file = f"{row[0].full}{'-class' if alike else ''}.html"
            self.by_id[id(row[0].value)] = file
            self.files.update((name.full, file) for name in row)
        for name in constants():
            self.files[name.full] = f"{name.space}.html#{name.short}"

    def linked(self, space: str, unknown: frozenset[str]) -> Callable[[str], str | None]:
        """What finds the page of a name that a docstring of this module mentions."""

        def address(text: str) -> str | None:
            if text.split(".")[0] in unknown:
                return None
            text = "minigrad" + text[5:] if text.startswith("torch.") else text
            for before in ("", f"{space}.", "minigrad.", "minigrad.nn."):
                if before + text in self.files and (before or "." in text):
                    return self.files[before + text]
            return None

        return address


def entry_of(row: list[Name], pages: Pages) -> Entry:
    name = row[0]
    value = name.value
    part = part_of(name.full, name.space, value, lines_of(name.space, name.short), pages)
    entry = Entry(
        **vars(part),
        file=pages.by_id[id(value)],
        name=name,
        also=[Link(other.full, "") for other in row[1:]],
        own=name.space.startswith(OWN) or name.short in OWN_NAMES,
        rules=rules_of(value),
    )
    if inspect.isclass(value):
        entry.computes = computed_by(value, pages)
        add_members(entry, value, pages)
    return entry


def computed_by(cls: type, pages: Pages) -> tuple[Link, str] | None:
    """The function that a module calls: ``functional.elu`` of ``nn.ELU``; None if there is none."""
    function = getattr(cls, "function", None)
    file = pages.by_id.get(id(function))
    if function is None or file is None:
        return None
    told = texts.told(inspect.getdoc(function) or "", lambda name: None)
    return Link(file.removesuffix(".html"), file), told.first


def part_of(title: str, space: str, value: Any, lines: Lines, pages: Pages) -> Part:
    signature = signature_of(value)
    unknown = frozenset(signature.parameters) if signature else frozenset()
    told = texts.told(inspect.getdoc(value) or "", pages.linked(space, unknown))
    return Part(
        title=title,
        signature=texts.signature(title.removeprefix("minigrad.").rpartition(".")[2], signature),
        words=told.words,
        example=told.example,
        first=told.first,
        counterparts=[Link(one, counterparts.address_of(one) or "") for one in told.counterparts],
        lines=lines,
    )


def signature_of(value: Any) -> inspect.Signature | None:
    """How it is called; None for what is not."""
    if not callable(value):
        return None
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):  # what is made by C
        return None
    parameters = [
        one.replace(annotation=Written.of(one.annotation))
        for one in found.parameters.values()
        if one.name != "self"
    ]
    gives = Written.of(found.return_annotation)
    if inspect.isclass(value):
        gives = inspect.Signature.empty
    return found.replace(parameters=parameters, return_annotation=gives)


class Written(str):
    """An annotation as it stands in the source, which prints without quotes."""

    def __repr__(self) -> str:
        return str(self)

    @classmethod
    def of(cls, annotation: Any) -> Any:
        return cls(annotation) if isinstance(annotation, str) else annotation


def rules_of(value: Any) -> dict[str, str]:
    """Of an operation, by argument, what it does with the gradient that arrives."""
    kind = getattr(value, "kind", None)
    if kind is None:  # ``add`` calls ``_add``, beside it, which is the operation
        beside = f"_{getattr(value, '__name__', '')}"
        kind = getattr(getattr(inspect.getmodule(value), beside, None), "kind", None)
    if not isinstance(kind, Kind):
        return {}
    return {name: formulas.rule_text(kind, name, {}) for name in formulas.rules_of(kind)}


# ------------------------------------------------------------------------- methods of a class


def add_members(entry: Entry, cls: type, pages: Pages) -> None:
    """Its methods and properties: those told here, those that are functions, and the inherited."""
    for short in dir(cls):
        if short.startswith("_"):
            continue
        raw = inspect.getattr_static(cls, short)
        owner = next(one for one in cls.__mro__ if short in vars(one))
        code = getattr(raw, "fget", None) or getattr(raw, "__func__", raw)
        if not owner.__module__.startswith("minigrad") or not inspect.isroutine(code):
            continue
        if isinstance(raw, staticmethod) and id(code) in pages.by_id:
            continue  # kept there for the class itself
        others = [one for one in cls.__mro__[1:] if id(one) in pages.by_id and hasattr(one, short)]
        if id(code) in pages.by_id:
            link = Link(short, pages.by_id[id(code)])
        elif others and code.__doc__:  # the last one has it from no other
            link = Link(short, f"{pages.by_id[id(others[-1])]}#{short}")
        else:
            link = Link(short, "")
        if others and owner is not cls:
            entry.inherited.setdefault(others[-1].__name__, []).append(link)
        elif id(code) in pages.by_id:
            entry.operations.append(link)
        elif code.__doc__:
            method = raw if isinstance(raw, property) else code
            try:
                lines = lines_of_member(owner.__module__, owner.__name__, short)
            except Unknown:
                continue
            entry.members.append(part_of(short, entry.name.space, method, lines, pages))


# ----------------------------------------------------------------------------------- modules


@dataclass
class Group:
    """Names of a module that are defined in one file."""

    title: str
    names: list[tuple[Link, str]]  # each with its first sentence


def groups_of(space: str, found: dict[str, Entry], pages: Pages) -> list[Group]:
    """The names of a module, by the file that defines them, in the module's own order."""
    groups: dict[str, Group] = {}
    for name in names_of(space):
        if id(name.value) not in pages.by_id:
            continue
        entry = found[pages.by_id[id(name.value)]]
        home = module_of(entry)
        title = texts.first_sentence(inspect.getdoc(importlib.import_module(home)) or home)
        title = title.rstrip(".")
        group = groups.setdefault(home, Group(title, []))
        group.names.append((Link(name.short, entry.file), entry.first))
    return list(groups.values())


def module_of(entry: Entry) -> str:
    """The module whose file defines it."""
    path = entry.lines.path.removesuffix(".py").removesuffix("/__init__")
    return path.removeprefix("widgets/").replace("/", ".")
