"""The lines of code that made a graph, as a view shows them beside it."""

from __future__ import annotations

import ast
import linecache
import textwrap
from collections.abc import Iterable
from typing import Any

from minigrad.tape.source import Place

LONG = 40  # lines of a block; of a longer one, only what made nodes, and
AROUND = 2  # so many lines before and after
MOST = 120  # lines in all
WIDEST = 160  # characters of one line

Span = tuple[int, int]  # first line, last line


def source_of(places: Iterable[Place | None]) -> list[dict[str, Any]]:
    """The functions and cells in which these places stand (``SourceBlock`` in ``tape.ts``)."""
    used: dict[tuple[str, str, Span], set[int]] = {}
    for place in places:
        if place is None or place.line is None or not place.text:
            continue
        filename = place.code.co_filename
        block = (filename, place.file, around(filename, place.line))
        used.setdefault(block, set()).add(place.line)
    blocks = []
    room = MOST
    for (filename, file, span), made in used.items():
        lines = shown_lines(filename, span, made)[:room]
        room -= len(lines)
        if lines:
            blocks.append({"file": file, "lines": lines})
    return blocks


def shown_lines(filename: str, span: Span, made: set[int]) -> list[dict[str, Any]]:
    """The lines of a block with their numbers, and without their common indentation."""
    first, last = span
    text = "".join(linecache.getlines(filename)[first - 1 : last])
    numbered = list(enumerate(textwrap.dedent(text).rstrip().splitlines(), first))
    if len(numbered) > LONG:
        near = {n + shift for n in made for shift in range(-AROUND, AROUND + 1)}
        numbered = [(number, line) for number, line in numbered if number in near]
    return [{"number": number, "text": line.rstrip()[:WIDEST]} for number, line in numbered]


_functions: dict[str, tuple[list[str], list[Span]]] = {}


def around(filename: str, line: int) -> Span:
    """The innermost function around a line; all of a cell or file, where there is none."""
    lines = linecache.getlines(filename)
    known = _functions.get(filename)
    if known is None or known[0] != lines:
        known = _functions[filename] = (lines, functions_in("".join(lines)))
    spans = [span for span in known[1] if span[0] <= line <= span[1]]
    return max(spans, default=(1, len(lines)))


def functions_in(text: str) -> list[Span]:
    """The first and last lines of all functions; none where a text is no plain Python."""
    try:
        tree = ast.parse(text)
    except SyntaxError:  # magics
        return []
    return [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
