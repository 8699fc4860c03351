"""Who runs a cell before the one that it needs is told which one that is.

The notebook itself knows: somewhere a cell makes the name that is missing. Python's own message
stays, and the cell and the way to it are added.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).resolve().parent.parent
ABOVE = "fix: select the cell that stopped, then Run > Run All Above Selected Cell"


NOWHERE = (
    "no cell of this lesson makes that name\n"
    'fix: look how it is spelt; if it is meant as a text, it stands in quotation marks: "{name}"'
)


OWN_SCOPE = ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
"""What keeps its variables to itself."""


def watch() -> None:
    """From now on, a missing name is explained in this kernel, if there is one."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is not None:
        shell.set_custom_exc((NameError,), shown)


def shown(shell: Any, kind: Any, error: Any, trace: Any, tb_offset: Any = None) -> None:
    """Show the error, and say which cell makes what is missing."""
    numbers = re.findall(r"\bexercises\.nb(\d\d)\b", " ".join(sys.modules))
    more = next((told for number in numbers if (told := where(error.name, number))), "")
    if not more and numbers and in_cell(trace):
        more = NOWHERE.format(name=error.name)
    if more:
        error.args = (f"{error}\n{more}",)
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def in_cell(trace: Any) -> bool:
    """Was the name looked for in a line of a cell, and not in a library?"""
    while trace.tb_next is not None:
        trace = trace.tb_next
    return "__file__" not in trace.tb_frame.f_globals


def where(name: str | None, number: str) -> str:
    """Which cell of a lesson makes this name, and what to do; "" if none does."""
    for path in sorted(NOTEBOOKS.glob(f"{number}_*.ipynb")):
        for heading, source in code_cells(path):
            if name in names_made(source):
                first = next(filter(is_code, source.splitlines()))
                return f"where: the cell that begins with `{first}`, in {heading}\n{ABOVE}"
    return ""


def is_code(line: str) -> bool:
    """Several cells may begin with the same comment."""
    return line.strip()[:1] not in ("", "#")


def code_cells(path: Path) -> Iterator[tuple[str, str]]:
    """The sources of the code cells, each with the heading that it stands under."""
    heading = "the beginning"
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            yield heading, source
        elif found := re.search(r"(?m)^## +(.+)$", source):
            heading = f"“{found[1].strip()}”"


def names_made(source: str) -> set[str]:
    """The variables that a cell leaves behind."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a gap, or a magic command
        return set()
    found: set[str] = set()
    todo: list[ast.AST] = [*tree.body]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
            continue  # what is inside is its own
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {one.asname or one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if not isinstance(node, OWN_SCOPE):
            todo += ast.iter_child_nodes(node)
    return found
