"""Which line made a node, and which variable its result was assigned to.

A frame knows the instruction it is executing, Python 3.11 knows which characters of the source
each instruction came from, and the syntax tree knows what stands at those characters: the value
of ``c = a + b``. So a result's name is known before the assignment has even happened, inside
functions too, and nothing is looked up until somebody asks.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import os
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any, NamedTuple, TypeGuard, cast

from ..errors import LIBRARIES

Span = tuple[int, int, int, int]  # first line, last line, first column, last column


class Place(NamedTuple):
    """A moment in a program: a code object and the instruction it was at."""

    code: CodeType
    instruction: int

    def span(self) -> Span | None:
        """The characters that this instruction came from, where Python still knows."""
        positions = spans(self.code)[self.instruction // 2]
        return None if None in positions else cast(Span, positions)

    @property
    def line(self) -> int | None:
        span = self.span()
        return None if span is None else span[0]

    @property
    def file(self) -> str:
        """Where the line stands: "In [2]", or the name of a file."""
        filename = self.code.co_filename
        label = cell_label(filename)
        return label or os.path.basename(filename)

    @property
    def text(self) -> str:
        """The line itself."""
        if self.line is None:
            return ""
        return linecache.getline(self.code.co_filename, self.line).strip()

    @property
    def scope(self) -> str:
        """The function that it stands in; "" for the outermost code of a cell or a file."""
        name = self.code.co_qualname
        if name.startswith(("<module", "<cell")):
            return ""
        return name

    def expression(self) -> str:
        """What stands at the characters of this instruction, if they are on one line."""
        span = self.span()
        if span is None or span[0] != span[1]:
            return ""
        line = linecache.getline(self.code.co_filename, span[0]).encode()
        return line[span[2] : span[3]].decode()

    def as_data(self) -> dict[str, Any]:
        """Where it is, as the page gets it."""
        return {"line": self.line, "file": self.file, "source": self.text, "scope": self.scope}

    def assigned(self) -> str | None:
        """The variable that the value made here is assigned to, if it is."""
        span = self.span()
        if span is None:
            return None
        return assignments(self.code.co_filename).get(span)

    def __str__(self) -> str:
        return f"{self.file} line {self.line}: {self.text}"


NOWHERE = {"line": None, "file": "", "source": "", "scope": ""}
"""A place that nobody knows."""

_spans: dict[int, tuple[CodeType, list[Any]]] = {}  # by identity: a code object's hash is slow


def spans(code: CodeType) -> list[Any]:
    """For each instruction, the characters that it came from."""
    known = _spans.get(id(code))
    if known is None:
        if len(_spans) > 500:
            _spans.clear()
        known = _spans[id(code)] = (code, list(code.co_positions()))
    return known[1]


class _Labels:
    find: Callable[[str], str | None] | None = None


def label_cells_by(find: Callable[[str], str | None]) -> None:
    """Let ``find`` turn the file name of a notebook's cell into its label: "In [2]"."""
    _Labels.find = find


def cell_label(filename: str) -> str | None:
    return None if _Labels.find is None else _Labels.find(filename)


_inside: dict[str, bool] = {}  # is this file part of a library? (a code object's hash is slow)


def user_frame(frame: FrameType | None) -> tuple[FrameType | None, int]:
    """The nearest frame, from this one outwards, that does not belong to minigrad or NumPy.

    Beside it, the instruction at which the function of minigrad that it called stands now, or
    -1 if this is that frame already. Of two operations made by one call, the second has the
    larger one.
    """
    frame, entry = way_out(frame)
    return frame, -1 if entry is None or frame is None else entry.f_lasti


def way_out(frame: FrameType | None) -> tuple[FrameType | None, FrameType | None]:
    """That frame, and the one of the function of minigrad that it called, if it did."""
    entry = None
    while frame is not None and is_library(frame.f_code.co_filename):
        entry = frame
        frame = frame.f_back
    return frame, entry


def is_library(filename: str) -> bool:
    """Is it a file of minigrad's, or of a library that it uses?"""
    inside = _inside.get(filename)
    if inside is None:
        inside = _inside[filename] = filename.startswith(LIBRARIES)
    return inside


_assignments: dict[str, tuple[list[str], dict[Span, str]]] = {}


def assignments(filename: str) -> dict[Span, str]:
    """For each expression whose value ends up in a plain variable, that variable."""
    lines = linecache.getlines(filename)
    known = _assignments.get(filename)
    if known is None or known[0] != lines:
        try:
            found = dict(assigned_in(ast.parse("".join(lines))))
        except SyntaxError:  # magics, or a file that has changed since
            found = {}
        known = _assignments[filename] = (lines, found)
    return known[1]


def assigned_in(tree: ast.AST) -> Iterator[tuple[Span, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from pairs(target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            yield from pairs(node.target, node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            yield span_of(node), node.target.id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield from written_by(node.value)


def written_by(call: ast.Call) -> Iterator[tuple[Span, str]]:
    """``y.mul_(3)``, as a line of its own: its result is in y."""
    match call.func:
        case ast.Attribute(ast.Name(name), attr) if attr.endswith("_") and attr[-2:] != "__":
            yield span_of(call), name


def pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[Span, str]]:
    if isinstance(target, ast.Name):
        if not is_builtin_call(value):
            yield span_of(value), target.id
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, other in zip(target.elts, value.elts):
            yield from pairs(one, other)


def is_builtin_call(value: ast.AST) -> TypeGuard[ast.Call]:
    """Is it a call such as ``sum(losses)``, in which many operations may be made?"""
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and hasattr(builtins, value.func.id)
    )


def span_of(node: ast.expr | ast.stmt) -> Span:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
