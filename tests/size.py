"""How large the packages are, room by room, and how densely they are written.

    python tests/size.py             # the table
    python tests/size.py --write     # these sizes are the plan from now on

Code lines leave out blank lines, comments and docstrings: prose is welcome. Syntax nodes measure
what there is to understand, however it is broken into lines. How dense the lines are is told by
their characters, and by the conditional expressions and the assignments of one tuple to another
among 1,000 of them. A function is bare when none of its arguments and results has a type.

`size_plan.json` holds the syntax nodes of each room when they were written there. A room may grow
by a tenth of that; then pytest and the table say so, and nothing fails. A limit would only breed
density: it is the moment to look what could go, or to write the plan anew.
"""

from __future__ import annotations

import ast
import io
import json
import sys
import tokenize
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CORE = ROOT / "minigrad"
WIDGETS = ROOT / "widgets" / "minigrad_widgets"
PLAN = Path(__file__).with_name("size_plan.json")
AIR = 0.1

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
    ternaries: int
    tuple_assignments: int
    bare_functions: int


# --- Measuring -----------------------------------------------------------------------------------


def rooms():
    """Each room with its files: a module of the core, a sub-package, or the widgets."""
    found = {}
    for file in sorted(CORE.rglob("*.py")):
        room = file.relative_to(CORE).parts[0].removesuffix(".py")
        found.setdefault(room, []).append(file)
    found[WIDGETS.name] = sorted(WIDGETS.rglob("*.py"))
    return found


def size_of(text):
    """The size of a program."""
    tree = ast.parse(text)
    numbers = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in PROSE:
            numbers.update(range(token.start[0], token.end[0] + 1))
    nodes = list(ast.walk(tree))
    for node in filter(is_docstring, nodes):
        numbers.difference_update(range(node.lineno, node.end_lineno + 1))
    lines = text.splitlines()
    return Size(
        lines=len(numbers),
        characters=sum(len(lines[number - 1].strip()) for number in numbers),
        nodes=syntax_nodes(nodes),
        ternaries=sum(isinstance(node, ast.IfExp) for node in nodes),
        tuple_assignments=sum(map(assigns_a_tuple_to_a_tuple, nodes)),
        bare_functions=sum(map(is_bare_function, nodes)),
    )


def syntax_nodes(nodes):
    """How many they are without the docstrings, of two nodes each."""
    return len(nodes) - 2 * sum(map(is_docstring, nodes))


def is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)


def assigns_a_tuple_to_a_tuple(node):
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Tuple)
        and any(isinstance(target, ast.Tuple) for target in node.targets)
    )


def is_bare_function(node):
    """mypy calls it untyped, and does not let it be called where types are asked for."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    arguments = (part for part in ast.walk(node.args) if isinstance(part, ast.arg))
    return node.returns is None and all(part.annotation is None for part in arguments)


def total(sizes):
    return Size(*map(sum, zip(*sizes, strict=True)))


# --- The plan ------------------------------------------------------------------------------------


def nodes_by_room():
    """The syntax nodes of each room, and nothing else: pytest asks at the end of each run."""
    return {
        room: sum(
            syntax_nodes(list(ast.walk(ast.parse(file.read_text(encoding="utf-8")))))
            for file in files
        )
        for room, files in rooms().items()
    }


def planned():
    return json.loads(PLAN.read_text(encoding="utf-8"))


def write_plan():
    PLAN.write_text(json.dumps(nodes_by_room(), indent=2) + "\n", encoding="utf-8")


def room_for(plan):
    """How many syntax nodes a room may have that had so many when the plan was written."""
    return int(plan * (1 + AIR))


def notices(nodes, plan):
    """A line for each room that has used up its air; one that the plan does not know has none."""
    return [
        f"{room} has {nodes[room]:,} syntax nodes, of which {room_for(plan[room]):,} were planned: "
        "see tests/size.py"
        for room in nodes
        if room in plan and nodes[room] > room_for(plan[room])
    ]


# --- The table -----------------------------------------------------------------------------------

HEADS = (
    f"{'':18}{'':>8}{'':>10}{'characters':>12}{'ternaries in':>14}{'tuples to tuples':>18}"
    f"{'bare':>11}\n"
    f"{'room':18}{'lines':>8}{'nodes':>10}{'a line':>12}{'1,000 lines':>14}{'in 1,000 lines':>18}"
    f"{'functions':>11}"
)


def report():
    """A table: the rooms, and their sum."""
    sizes = {
        room: total([size_of(file.read_text(encoding="utf-8")) for file in files])
        for room, files in rooms().items()
    }
    plan = planned()
    lines = [HEADS]
    for room, size in {**sizes, "all": total(sizes.values())}.items():
        line = row(room, size)
        if notices({room: size.nodes}, plan):
            line += f"  more than the {room_for(plan[room]):,} nodes that were planned"
        lines.append(line)
    return "\n".join(lines)


def row(room, size):
    lines = max(size.lines, 1)
    return (
        f"{room:18}{size.lines:8,}{size.nodes:10,}{size.characters / lines:12.1f}"
        f"{1000 * size.ternaries / lines:14.1f}{1000 * size.tuple_assignments / lines:18.1f}"
        f"{size.bare_functions:11}"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write_plan()
    print(report())
