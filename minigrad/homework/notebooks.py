"""A notebook's cells, and which of their statements an answer needs.

An answer is run alone: with those statements of the notebook that make the names it uses, and no
others. So a mistake in one answer cannot take another one with it, unless that is built on it.
"""

from __future__ import annotations

import ast
import dis
import inspect
import json
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

LARGEST = 30_000_000  # bytes of a notebook
LONGEST = 200_000  # letters of a cell
LONGEST_IN_ALL = 2_000_000  # letters of all code cells
MOST_STATEMENTS = 2_000  # before an answer
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


class NotebookError(Exception):
    """A file is no notebook, or lacks what it must have."""


class Cell(NamedTuple):
    """A cell of a notebook: its number among all cells, its source, tags and id."""

    number: int
    source: str
    tags: tuple[str, ...] = ()
    id: str = ""
    given: bool = False  # it is the teacher's

    @property
    def label(self) -> str:
        return f"cell {self.number}"

    def tagged(self, beginning: str) -> str:
        """What stands behind ``beginning`` in a tag; "" if no tag begins so."""
        return next((t[len(beginning) :] for t in self.tags if t.startswith(beginning)), "")


def read(path: Path) -> dict[str, Any]:
    """A notebook, as its JSON has it. NotebookError: the file is none."""
    try:
        notebook = json.loads(content(path).decode("utf-8-sig"))
        if isinstance(notebook["cells"], list):
            return dict(notebook)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise NotebookError("it is no notebook that can be read")


def content(path: Path) -> bytes:
    """The bytes of a file. NotebookError: it is a link, a pipe, a folder, or too large."""
    # What is opened is looked at, not what had this name before. A pipe would wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    if path.is_symlink():
        raise NotebookError("it is a link, and a file is wanted")
    with open(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NotebookError("it is no file")
        text = file.read(LARGEST + 1)
    if len(text) > LARGEST:
        raise NotebookError(f"it is larger than {LARGEST // 10**6} MB")
    return text


def code_cells(notebook: dict[str, Any]) -> list[Cell]:
    """The code cells, whatever else the file has. NotebookError: they are too long."""
    found = []
    letters = 0
    for number, cell in enumerate(notebook["cells"], 1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source", "")
        if isinstance(source, list):
            source = "".join(part for part in source if isinstance(part, str))
        source = str(source).encode("utf-8", "replace").decode()  # half letters are none
        letters += len(source)
        if letters > LONGEST_IN_ALL:
            raise NotebookError(f"its cells have more than {LONGEST_IN_ALL // 10**6} MB of code")
        metadata = cell.get("metadata")
        tags = metadata.get("tags") if isinstance(metadata, dict) else None
        tags = [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []
        found.append(Cell(number, plain_python(source), tuple(tags), str(cell.get("id", ""))))
    return found


def plain_python(source: str) -> str:
    """A cell without the lines that only IPython understands. One that is too long stays."""
    if len(source) > LONGEST:
        return source
    lines = source.splitlines()
    if any(line.lstrip().startswith(("%", "!", "?")) for line in lines):
        try:
            ast.parse(source)
        except UNREADABLE:
            for place, line in enumerate(lines):
                indent = len(line) - len(line.lstrip())
                if line.lstrip().startswith(("%", "!", "?")):
                    lines[place] = line[:indent] + "pass"
    return "\n".join(lines)


def statements(cell: Cell) -> list[ast.stmt]:
    """A cell's statements. SyntaxError and its like: it cannot be read."""
    if len(cell.source) > LONGEST:
        raise SyntaxError("the cell is too long")
    return ast.parse(cell.source).body


# ------------------------------------------------------------------------------ what is needed


def instructions(code: CodeType, at_once: bool = False) -> Iterator[dis.Instruction]:
    """The instructions of code and of what is in it; ``at_once``: not those of functions in it."""
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and not (at_once and is_function(constant)):
            yield from instructions(constant, at_once)


def is_function(code: CodeType) -> bool:
    """Does it wait until somebody calls it? A class body does not, and a comprehension neither."""
    written = not code.co_name.startswith("<") or code.co_name == "<lambda>"
    return written and bool(code.co_flags & inspect.CO_OPTIMIZED)


def compiled(statement: ast.stmt) -> CodeType:
    return compile(ast.Module([statement], []), "a statement", "exec")


def uses(code: CodeType, at_once: bool = False) -> set[str]:
    """The names that it takes from its module, functions inside of it too unless ``at_once``."""
    ends = ("GLOBAL", "NAME", "GLOBALS")
    return {
        str(one.argval)
        for one in instructions(code, at_once)
        if one.opname.startswith("LOAD_") and one.opname.endswith(ends)
    }


def binds(code: CodeType) -> set[str]:
    """The names of its module that it makes."""
    return {str(one.argval) for one in dis.get_instructions(code) if one.opname == "STORE_NAME"}


def changes(statement: ast.stmt) -> set[str]:
    """The names whose things it writes into: ``x.y = …``, ``x[…] = …``, ``x.add(…)``."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
        return set()
    found = set()
    for node in ast.walk(statement):
        target: Any = None
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            target = node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            target = node.value.func
            if isinstance(target, ast.Name) and target.id == "setattr" and node.value.args:
                found.add(getattr(node.value.args[0], "id", ""))
        is_part = isinstance(target, (ast.Attribute, ast.Subscript))
        while isinstance(target, (ast.Attribute, ast.Subscript)):
            target = target.value
        if is_part and isinstance(target, ast.Name):
            found.add(target.id)
    return found


PARTLY = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match)


class Looked(NamedTuple):
    """A statement, and what was found by looking at it once."""

    place: int  # in its cell
    bound: set[str]
    at_once: set[str]  # names that it uses when it is run
    when_called: set[str]  # those that its functions use besides
    changed: set[str]
    star: bool
    partly: bool  # what it binds may be what it was before
    assigns: bool  # what it binds is made of what it uses
    calls: bool  # a call on a line of its own, for what it does and not for what it returns


def looked_at(place: int, statement: ast.stmt) -> Looked:
    code = compiled(statement)
    at_once = uses(code, at_once=True)
    return Looked(
        place,
        binds(code),
        at_once,
        uses(code) - at_once,
        changes(statement),
        isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*",
        isinstance(statement, PARTLY),
        isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, *PARTLY)),
        is_bare_call(statement),
    )


SAYING = {"print", "display", "help", "check", "predict", "poll"}


def is_bare_call(statement: ast.stmt) -> bool:
    """Is it a call on a line of its own that does more than say something?"""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = statement.value.func
    return getattr(called, "attr", getattr(called, "id", "")) not in SAYING


def made_of(order: Sequence[Looked], names: set[str]) -> set[str]:
    """These names as far as they were assigned, and what those were made of, and so on.

    ``loss.backward()`` writes into all that ``loss`` was made of, ``fit(model)`` into ``model``.
    """
    sources: dict[str, set[str]] = {}
    for one in order:
        if one.assigns:
            for name in one.bound:
                sources.setdefault(name, set()).update(one.at_once)
    found = set[str]()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in sources and name not in found:
            found.add(name)
            waiting += sources[name]
    return found


def needed(cells: Sequence[Cell], expression: str) -> list[tuple[str, str, list[int]]]:
    """The statements that an expression needs behind these cells: label, source, places.

    In the last cell, the answer itself, a call on a line of its own counts for all that what it
    is given was made of: ``loss.backward()`` is needed where an answer goes on with ``w.grad``.
    A cell that cannot be read has none, except the last one: that is the answer itself. What the
    expression takes from the teacher's cells is not replaced by a student's.

    >>> cells = [Cell(1, "import math"), Cell(2, "while True: pass"), Cell(3, "x = math.pi")]
    >>> needed(cells, "x + 1")
    [('cell 1', 'import math', [0]), ('cell 3', 'x = math.pi', [0])]
    """
    names = uses(compile(expression, "an expression", "eval"))
    pairs: list[tuple[Cell, list[Looked]]] = []
    count = 0
    for cell in cells:
        try:
            body = statements(cell)
            count += len(body)
            if count > MOST_STATEMENTS:
                raise NotebookError(f"it has more than {MOST_STATEMENTS} statements")
            pairs.append((cell, [looked_at(*one) for one in enumerate(body)]))
        except UNREADABLE:
            if cell is cells[-1]:
                raise
            pairs.append((cell, []))
    given = {name for cell, found in pairs if cell.given for one in found for name in one.bound}
    reserved = given & names
    for cell, found in pairs:
        if not cell.given:
            for one in found:
                one.bound.difference_update(reserved)
    for place, one in enumerate(pairs[-1][1] if pairs else ()):  # in the answer itself
        if one.calls:
            before = [other for _, found in pairs[:-1] for other in found] + pairs[-1][1][:place]
            one.changed.update(made_of(before, one.at_once))
    everywhere = {name for _, found in pairs for one in found for name in one.bound}
    while True:
        chosen, open_names = chosen_backwards(pairs, set(names))
        later = open_names & everywhere - names  # a function may use what is made behind it
        if not later:
            return chosen
        names |= with_what_they_call(pairs, later)


def with_what_they_call(
    pairs: Sequence[tuple[Cell, Sequence[Looked]]], names: set[str]
) -> set[str]:
    """These names, and those that they use and that are made behind them, and so on.

    ``needed`` would find these one by one, and go over everything each time.
    """
    order = [one for _, body in pairs for one in body]
    last = {name: at for at, one in enumerate(order) for name in one.bound}
    whole = [(at, name) for at, one in enumerate(order) if not one.partly for name in one.bound]
    first = {name: at for at, name in reversed(whole)}
    found = set(names)
    waiting = list(names)
    while waiting:
        at = last[waiting.pop()]
        used = order[at].at_once | order[at].when_called
        behind = {name for name in used - found if name in last and first.get(name, at + 1) > at}
        found |= behind
        waiting += behind
    return found


def chosen_backwards(
    pairs: Sequence[tuple[Cell, Sequence[Looked]]], names: set[str]
) -> tuple[list[tuple[str, str, list[int]]], set[str]]:
    """The statements that make these names, found from the end; and the names that none makes.

    A function may mention a name that is made behind it, or the name of its own class. When it is
    called, that is the later one, so it needs no earlier one: unless what is chosen before the
    later one may call it. ``made_behind`` has the later names, each with what is used before it.
    """
    chosen = []
    made_behind: dict[str, set[str]] = {}
    for cell, body in reversed(pairs):
        places = []
        for one in reversed(body):
            if not (one.bound | one.changed) & names and not one.star:
                continue
            places.append(one.place)
            if not one.partly:
                names -= one.bound
                made_behind |= {name: set() for name in one.bound}
            for used_before in made_behind.values():
                may_call = one.bound & used_before
                used_before |= one.at_once | (one.when_called if may_call else set())
            names |= one.at_once
            names |= {
                name
                for name in one.when_called
                if name not in made_behind or one.bound & made_behind[name]
            }
        if places:
            chosen.append((cell.label, cell.source, places[::-1]))
    return chosen[::-1], names
