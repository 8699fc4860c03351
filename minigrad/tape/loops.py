"""The loops that a line of a program stands in, and what cannot run in one pass of them."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any, NamedTuple

from .source import Span, is_builtin_call, span_of, spans

At = tuple[int, int]  # a line, and a column of it
Stretch = tuple[At, At]

COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


class Loop(NamedTuple):
    """The body of a loop: what runs anew in each pass."""

    line: int  # where the loop begins
    body: tuple[Stretch, ...]
    forks: tuple[tuple[Stretch, Stretch], ...]  # of each, only one runs in a pass


class Found(NamedTuple):
    """What a file has of these."""

    lines: list[str]
    loops: list[Loop]
    folds: set[Span]  # calls such as ``sum(losses)``: one instruction records many operations


_found: dict[str, Found] = {}


_around: dict[int, tuple[CodeType, dict[int, tuple[Loop, ...]]]] = {}  # by identity, see ``spans``


def loops_around(code: CodeType, instruction: int) -> tuple[Loop, ...]:
    """The loops of a function in which an instruction stands, outermost first."""
    if id(code) not in _around:
        if len(_around) > 500:
            _around.clear()
        _around[id(code)] = (code, {})
    known = _around[id(code)][1]
    if instruction not in known:
        known[instruction] = look_around(code, instruction)
    return known[instruction]


def look_around(code: CodeType, instruction: int) -> tuple[Loop, ...]:
    """The same, looked up in the source."""
    at = where(code, instruction)
    first = 0 if code.co_name.startswith(("<module", "<cell")) else code.co_firstlineno
    around = [
        loop
        for loop in loops_in(code.co_filename).loops
        if loop.line >= first and any(is_in(at, part) for part in loop.body)
    ]
    return tuple(sorted(around, key=lambda loop: loop.body[0]))


def where(code: CodeType, instruction: int) -> At:
    """Where the characters begin that an instruction came from."""
    line, _, column, _ = spans(code)[instruction // 2]
    return line or 0, column or 0


def records_many(code: CodeType, instruction: int) -> bool:
    """Is it a call as of ``sum``, which records one operation after another?"""
    return spans(code)[instruction // 2] in loops_in(code.co_filename).folds


def loops_in(filename: str) -> Found:
    """All loops of a file."""
    lines = linecache.getlines(filename)
    known = _found.get(filename)
    if known is None or known.lines != lines:
        try:
            tree = ast.parse("".join(lines))
        except SyntaxError:  # magics, or a file that has changed since
            tree = ast.Module([], [])
        calls = (node for node in ast.walk(tree) if is_builtin_call(node))
        folds = {span_of(call) for call in calls}
        known = _found[filename] = Found(lines, list(found_in(tree)), folds)
    return known


def found_in(tree: ast.AST) -> Iterator[Loop]:
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.While):
            end = stretch(node.body)[1]
            parts = [stretch(node.body)]
            if isinstance(node, ast.While):
                parts.append(stretch([node.test]))
            forks = tuple(ways for one in of_this_loop(node.body) for ways in ways_of(one, end))
            yield Loop(node.lineno, tuple(parts), forks)
        elif isinstance(node, COMPREHENSIONS):
            last = node.value if isinstance(node, ast.DictComp) else node.elt
            first = node.key if isinstance(node, ast.DictComp) else node.elt
            yield Loop(node.lineno, (stretch([first, last]),), ())


def of_this_loop(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run at most once in a pass."""
    for one in body:
        yield one
        if isinstance(one, ast.If):
            yield from of_this_loop([*one.body, *one.orelse])
        elif isinstance(one, ast.With):
            yield from of_this_loop(one.body)


def ways_of(node: ast.AST, end: At) -> Iterator[tuple[Stretch, Stretch]]:
    """Of an ``if`` in a loop that ends there, the two ways through it."""
    if not isinstance(node, ast.If):
        return
    body = stretch(node.body)
    if isinstance(node.body[-1], ast.Continue):
        yield body, (body[1], end)
    elif node.orelse:
        yield body, stretch(node.orelse)


def stretch(nodes: list[Any]) -> Stretch:
    first, last = nodes[0], nodes[-1]
    return (first.lineno, first.col_offset), (last.end_lineno, last.end_col_offset)


def is_in(at: At, part: Stretch) -> bool:
    return part[0] <= at < part[1]


def is_apart(loop: Loop, one: At, other: At) -> bool:
    """Do these two stand in ways of which a pass takes only one?"""
    return any(
        (is_in(one, first) and is_in(other, second)) or (is_in(one, second) and is_in(other, first))
        for first, second in loop.forks
    )
