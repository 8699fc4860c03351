"""How many lines of code each room of the core has, against what it may have.

    python tests/budget.py

Blank lines, comments and docstrings are not counted: prose is welcome.
"""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path
from typing import NamedTuple

CORE = Path(__file__).resolve().parents[1] / "minigrad"


class Part(NamedTuple):
    planned: int  # what the design allows
    limit: int  # what the part has grown to, to be brought back; it must not grow further
    rooms: tuple[str, ...]
    what: str


PARTS = {
    "path": Part(
        400,
        400,
        ("primitive", "graph", "engine"),
        "from `a * b` to `a.grad`: declaring an operation, recording it, the node, the engine",
    ),
    "core": Part(
        4000,
        4810,
        (
            "__init__", "dtypes", "grad_mode", "errors", "missing", "graph", "views", "operands",
            "hooks", "packing", "general", "primitive", "engine", "gradients", "ops", "linalg",
            "_printing", "_values", "_tensor", "as_torch",
        ),
        "tensors, the graph, and every operation",
    ),
    "calculus": Part(700, 700, ("autograd",), "on top of it: Function, gradcheck, functional"),
    "training": Part(
        2500, 3690, ("nn", "optim", "utils", "datasets", "serialization"), "nn, optim, data, saving"
    ),
    "watching": Part(2000, 2000, ("tape", "lesson"), "the recorded graph, and what lessons need"),
}  # fmt: skip


def rooms():
    """Each room of the core with its files: a module, or a sub-package."""
    found = {}
    for file in sorted(CORE.rglob("*.py")):
        room = file.relative_to(CORE).parts[0].removesuffix(".py")
        found.setdefault(room, []).append(file)
    return found


def code_lines(text):
    """How many lines of a program are neither blank nor comment nor docstring."""
    blank = {
        tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE,
        tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
    }  # fmt: skip
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in blank:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str):
            lines.difference_update(range(node.lineno, node.end_lineno + 1))
    return len(lines)


def lines_in(room):
    return sum(code_lines(file.read_text(encoding="utf-8")) for file in rooms().get(room, ()))


def lines_of(part):
    return sum(map(lines_in, PARTS[part].rooms))


def parts_with(file):
    """The parts of the budget that a file counts towards."""
    room = file.relative_to(CORE).parts[0].removesuffix(".py")
    return [name for name, part in PARTS.items() if room in part.rooms]


def report():
    """A table: parts, and their rooms."""
    lines = []
    for name, part in PARTS.items():
        lines.append(
            f"{name:12}{lines_of(name):6} lines, planned {part.planned:5}, limit {part.limit:5}   "
            f"{part.what}"
        )
        lines += [f"    {room:14}{lines_in(room):6}" for room in part.rooms if room in rooms()]
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
