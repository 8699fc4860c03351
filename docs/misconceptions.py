"""Write ``docs/misconceptions.md``: what many believe of gradients, and where a lesson meets it.

    python docs/misconceptions.py

The misconceptions stand in ``docs/audit/misconceptions.toml``. Where a lesson meets one is read
from the metadata of its cells: ``"misconception": "M5, M32"`` in a cell that asks a question (tag
``prediction``), that sets an exercise (tag ``exercise``), or that shows what is so. To add a
meeting, add this to the cell, and run this file. A misconception is met when a question or an
exercise asks about it, or an error or a warning of minigrad explains it (``error``, in that file).
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from docs.cells import Cell, lessons, link  # noqa: E402

SOURCE, PAGE = HERE / "audit" / "misconceptions.toml", HERE / "misconceptions.md"
PAGES = HERE.parent / "minigrad" / "pages"
YET = "not met yet"


def misconceptions() -> list[dict[str, Any]]:
    return tomllib.loads(SOURCE.read_text(encoding="utf-8"))["misconception"]


def asked(cell: Cell) -> str:
    """What a cell asks: its exercise, its question, or "" where it only shows something."""
    if "exercise" in cell.tags():
        return f"exercise *{cell.metadata['exercise']}*"
    if "prediction" not in cell.tags():
        return ""
    names = re.findall(r"\.(\w+)\(mine=\.\.\.\)", cell.source)
    if len(names) == 1:
        return f"question `{names[0]}`"
    return f"one of the questions of `{cell.id}`"


def met_by(its_id: str) -> tuple[list[str], list[str]]:
    """The questions and exercises that ask about it, and the cells that only show what is so."""
    asking, showing = [], []
    for lesson in lessons().values():
        cells = [cell for cell in lesson.cells if its_id in cell.named("misconception")]
        questions = [text for text in map(asked, cells) if text]
        shown = [f"`{cell.id}`" for cell in cells if not asked(cell)]
        if questions:
            asking.append(f"{link(lesson)}: {', '.join(questions)}")
        if shown:
            showing.append(f"{link(lesson)}: {', '.join(shown)}")
    return asking, showing


def error_page(one: dict[str, Any]) -> str:
    """A link to the page of the error or warning that explains it, or ""."""
    if "error" not in one:
        return ""
    (page,) = PAGES.glob(f"{one['error']}_*.md")
    return f"[{one['error']}](../minigrad/pages/{page.name})"


def is_met(one: dict[str, Any]) -> bool:
    return bool(met_by(one["id"])[0] or one.get("error"))


def row(one: dict[str, Any]) -> str:
    asking, showing = met_by(one["id"])
    asks = "<br>".join(asking) or ("" if one.get("error") else YET)
    return (
        f"| {one['id']} | {one['believed']} | {one['so']} | {asks} | {'<br>'.join(showing)} "
        f"| {error_page(one)} |"
    )


def table() -> str:
    """The whole document."""
    listed = misconceptions()
    parts = [
        "# What many believe, and where the lessons meet it",
        f"These are {len(listed)} beliefs about gradients that are common and wrong, collected "
        "from forums, tutorials and bug reports. The questions and exercises named here give each "
        "of them a chance to show itself, before a cell shows what is so. An error or a warning, "
        "where there is one, explains it in a program of your own, and so does "
        '`print(minigrad.explain("MG101"))`.',
        f"The lessons meet {sum(map(is_met, listed))} of the {len(listed)}. "
        "`python docs/misconceptions.py` makes this page from the tags of the lessons' cells, "
        "which are named by their ids.",
        "| | what is believed | what is so | asked in | shown in | error or warning |\n"
        "|---|---|---|---|---|---|\n" + "\n".join(map(row, listed)),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(table(), encoding="utf-8")
    print(f"{PAGE.relative_to(HERE.parent)} written")
