"""The branches and loops of a program, as its source has them."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Sequence
from typing import Any, NamedTuple


class Fork(NamedTuple):
    """An ``if`` or a loop: where it stands, and the lines of each way through it."""

    file: str
    line: int
    ways: tuple[range, ...]  # a loop has one, an ``if`` without ``else`` an empty one


def forks_in(file: str) -> list[Fork]:
    """The ``if``s and loops of a file, outer ones first."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:  # magics, or a file that has changed since
        return []
    found = []
    merged: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.While):
            found.append(Fork(file, node.lineno, (span([node]),)))
        elif isinstance(node, ast.IfExp):
            found.append(Fork(file, node.lineno, (span([node]),) * 2))
        elif isinstance(node, ast.If) and node not in merged:
            ways = [span(node.body)]
            last = node
            while (following := elif_of(last)) is not None:
                last = following
                merged.add(last)
                ways.append(span(last.body))
            found.append(Fork(file, node.lineno, (*ways, span(last.orelse))))
    return found


def elif_of(node: ast.If) -> ast.If | None:
    """The ``elif`` of an ``if``: for Python, an ``if`` alone in its ``else``, no further in."""
    match node.orelse:
        case [ast.If(col_offset=column) as inner] if column == node.col_offset:
            return inner
    return None


def span(body: Sequence[Any]) -> range:
    return range(body[0].lineno, body[-1].end_lineno + 1) if body else range(0)
