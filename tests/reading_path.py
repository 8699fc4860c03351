"""How far one has to read to follow a program through the house, file by file.

    python tests/reading_path.py

prints two paths: from ``a * b`` to ``a.grad``, and from an operation to the message that a
``GraphView`` sends to the page. Counted is what runs when the program runs for the second time:
the files, the code lines of the functions in them, and how often a reader who follows line by line
has to go to another file. ``path_of(program)`` does so for any other program.
"""

from __future__ import annotations

import ast
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import size

ROOT = Path(__file__).resolve().parents[1]
HOUSES = (ROOT / "minigrad", ROOT / "widgets" / "minigrad_widgets")

sys.path[:0] = [str(ROOT), str(ROOT / "widgets")]

import minigrad as torch  # noqa: E402
from minigrad_widgets import GraphView  # noqa: E402


class ReadingPath(NamedTuple):
    """What a program runs of the project."""

    files: list[str]  # as they are entered, one behind the other: "minigrad/engine/record.py"
    functions: dict[tuple[str, str], int]  # by file and name, their code lines

    def __str__(self):
        lines = sum(self.functions.values())
        first = (
            f"{len(set(self.files))} files, {lines} code lines in {len(self.functions)} functions"
        )
        rows = [f"{first}, {len(self.files) - 1} changes of file"]
        for file in dict.fromkeys(self.files):
            inside = [f"{name} {n}" for (where, name), n in self.functions.items() if where == file]
            rows.append(f"  {file}: {', '.join(inside)}")
        return "\n".join(rows)


def path_of(program, times=2):
    """The path of a program. It is run some ``times``, and the last of them counts."""
    for _ in range(times - 1):
        program()
    files = []
    functions = {}

    def entered(frame, event, arg):
        file = Path(frame.f_code.co_filename)
        if not any(file.is_relative_to(house) for house in HOUSES):
            return None
        name = file.relative_to(ROOT).as_posix()
        functions[name, frame.f_code.co_qualname] = code_lines(frame.f_code)

        def line(frame, event, arg):
            if event == "line" and files[-1:] != [name]:
                files.append(name)
            return line

        return line

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        program()
    finally:
        sys.settrace(before)
    return ReadingPath(files, functions)


def code_lines(code):
    """The code lines of a function; 1 for a lambda or a comprehension."""
    text = Path(code.co_filename).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if first == code.co_firstlineno:
                lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
                return size.size_of(textwrap.dedent("\n".join(lines))).lines
    return 1


def to_grad():
    """From ``a * b`` to ``a.grad``: a program for ``path_of``."""
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(6.0, requires_grad=True)

    def program():
        c = a * b
        c.backward()
        return a.grad

    return program


def to_page():
    """From ``a * b`` to the message that a view sends: a program for ``path_of``."""
    view = GraphView()
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(6.0, requires_grad=True)
    made = []  # so that nothing is freed, which would be told too

    def program():
        c = a * b
        made.append(c)
        view.bring_up_to_date()

    return program


if __name__ == "__main__":
    torch.ones(2)
    print("a * b to a.grad:", path_of(to_grad()))
    print("a * b to the page:", path_of(to_page()))
