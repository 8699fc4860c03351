"""The statements of a text: where each begins, what it assigns, and which loops are around it."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Sequence


class Loop:
    """A loop: the lines of its head, where its body begins, and its last line."""

    __slots__ = ("body", "first", "head", "last")

    def __init__(self, first: int, head: int, body: int, last: int) -> None:
        self.first = first
        self.head = head
        self.body = body
        self.last = last

    def has(self, line: int) -> bool:
        """Does the line stand in it, or in its head?"""
        return self.first <= line <= self.last

    def repeats(self, line: int) -> bool:
        """Does the line stand in what is repeated?"""
        return self.head < line <= self.last


class Statements:
    """What a text says of its lines; nothing, where it is no plain Python."""

    def __init__(self, text: str) -> None:
        self.first: dict[int, int] = {}  # of statements of several lines: each line's first one
        self.assigned: dict[int, frozenset[str]] = {}  # by the first line: plain variables
        self.targets: dict[int, frozenset[str]] = {}  # of loops: what each pass assigns to
        self.loops: list[Loop] = []  # outer ones first
        self.withs: dict[int, int] = {}  # first and last lines of ``with`` statements
        self.returns: set[int] = set()
        try:
            tree = ast.parse(text)
        except SyntaxError:  # magics
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                self._take(node)
        self.loops.sort(key=lambda loop: (loop.first, -loop.last))

    def _take(self, node: ast.stmt) -> None:
        last = node.end_lineno or node.lineno
        body: list[ast.stmt] = getattr(node, "body", [])
        cases = getattr(node, "cases", [])
        inside = body[0].lineno if body else cases[0].pattern.lineno if cases else last + 1
        head = max(node.lineno, inside - 1)
        for line in range(node.lineno + 1, head + 1):
            self.first[line] = node.lineno
        if isinstance(node, ast.For | ast.While | ast.AsyncFor):
            ends = node.body[-1].end_lineno or last
            runs = [one.lineno for one in body if not is_constant(one)]
            self.loops.append(Loop(node.lineno, head, (runs or [inside])[0], ends))
            target = [] if isinstance(node, ast.While) else [node.target]
            self.targets[node.lineno] = frozenset(plain_variables(target))
        if isinstance(node, ast.With | ast.AsyncWith):
            self.withs[node.lineno] = last
        if isinstance(node, ast.Return):
            self.returns.add(node.lineno)
        names = frozenset(assigned_by(node))
        if names:
            self.assigned[node.lineno] = self.assigned.get(node.lineno, frozenset()) | names

    def begins(self, line: int) -> int:
        """The first line of the statement, or of the head, that this line is part of."""
        return self.first.get(line, line)

    def around(self, line: int) -> list[Loop]:
        """The loops around a line, the outermost one first; of a head, its own too."""
        return [loop for loop in self.loops if loop.has(line)]


def is_constant(node: ast.stmt) -> bool:
    """Is it a text, or a number, as a line of its own? Python leaves it out."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def assigned_by(node: ast.stmt) -> Iterator[str]:
    """The plain variables that a statement assigns to, each time it runs."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = list(node.targets)
    elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.AnnAssign) and node.value):
        targets = [node.target]
    yield from plain_variables(targets)


def plain_variables(targets: Sequence[ast.expr]) -> Iterator[str]:
    for target in targets:
        parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
        for part in parts:
            if isinstance(part, ast.Name):
                yield part.id


_known: dict[str, tuple[list[str], Statements]] = {}


def statements_of(filename: str) -> Statements:
    """Those of a file or a cell, read once."""
    lines = linecache.getlines(filename)
    known = _known.get(filename)
    if known is None or known[0] != lines:
        known = _known[filename] = (lines, Statements("".join(lines)))
    return known[1]
