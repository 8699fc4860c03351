"""How large the core is, room by room, and how densely it is written.

    python tests/size.py

Code lines leave out blank lines, comments and docstrings: prose is welcome. Syntax nodes measure
what there is to understand, however it is broken into lines; characters a code line, how dense
these are. There is no limit: a limit on lines breeds density.
"""

from __future__ import annotations

import ast
import io
import tokenize
from pathlib import Path
from typing import NamedTuple

CORE = Path(__file__).resolve().parents[1] / "minigrad"

PROSE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


class Size(NamedTuple):
    lines: int
    characters: int
    nodes: int


def rooms():
    """Each room of the core with its files: a module, or a sub-package."""
    found = {}
    for file in sorted(CORE.rglob("*.py")):
        room = file.relative_to(CORE).parts[0].removesuffix(".py")
        found.setdefault(room, []).append(file)
    return found


def size_of(text):
    """The size of a program."""
    tree = ast.parse(text)
    numbers = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in PROSE:
            numbers.update(range(token.start[0], token.end[0] + 1))
    docstrings = [node for node in ast.walk(tree) if is_docstring(node)]
    for node in docstrings:
        numbers.difference_update(range(node.lineno, node.end_lineno + 1))
    lines = text.splitlines()
    characters = sum(len(lines[number - 1].strip()) for number in numbers)
    nodes = sum(1 for _ in ast.walk(tree)) - 2 * len(docstrings)
    return Size(len(numbers), characters, nodes)


def is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)


def total(sizes):
    return Size(*map(sum, zip(*sizes, strict=True)))


def report():
    """A table: the rooms, and their sum."""
    table = {
        room: total([size_of(file.read_text(encoding="utf-8")) for file in files])
        for room, files in rooms().items()
    }
    table["all"] = total(table.values())
    lines = [f"{'room':16}{'code lines':>12}{'syntax nodes':>14}{'characters a line':>19}"]
    for room, size in table.items():
        dense = size.characters / max(size.lines, 1)
        lines.append(f"{room:16}{size.lines:12,}{size.nodes:14,}{dense:19.1f}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
