"""Write the table in ``docs/reading.md`` again: how long the files of the guided tour are.

    python docs/reading.py

Code lines are those of ``tests/size.py``; words are those of comments and docstrings, examples
included. The minutes are an estimate made of the two, and nobody has measured them.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from math import ceil
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CORE = ROOT / "minigrad"
sys.path.insert(0, str(ROOT / "tests"))

import size  # noqa: E402  (it lives with the tests)

GUIDE = HERE / "reading.md"

TOUR = (
    "micro.py",
    "engine/record.py",
    "engine/node.py",
    "engine/backward.py",
    "engine/unbroadcast.py",
    "engine/modes.py",
    "engine/views.py",
    "ops/elementwise/arithmetic.py",
)
"""The files, in the order in which they are read."""

LINES_A_MINUTE = 6
WORDS_A_MINUTE = 200

BEGIN, END = "<!-- written by docs/reading.py -->", "<!-- until here -->"


def words(text: str) -> int:
    """How many words the comments and docstrings of a program have."""
    prose = [
        token.string
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    ]
    prose += [node.value.value for node in ast.walk(ast.parse(text)) if size.is_docstring(node)]
    return len(re.findall(r"\S*\w\S*", " ".join(prose)))


def minutes(lines: int, words: int) -> int:
    """An estimate, rounded up to five minutes."""
    return 5 * ceil((lines / LINES_A_MINUTE + words / WORDS_A_MINUTE) / 5)


def table() -> str:
    rows = ["| | file | code lines | words beside them | minutes |", "|---:|---|---:|---:|---:|"]
    totals = [0, 0, 0]
    for number, name in enumerate(TOUR, 1):
        text = (CORE / name).read_text(encoding="utf-8")
        lines = size.size_of(text).lines
        beside = words(text)
        figures = (lines, beside, minutes(lines, beside))
        totals = [before + more for before, more in zip(totals, figures)]
        rows.append(row(str(number), f"[`{name}`](../minigrad/{name})", figures))
    return "\n".join([*rows, row("", "together", totals)])


def row(*cells) -> str:
    number, name, figures = cells
    return f"| {number} | {name} | " + " | ".join(f"{figure:,}" for figure in figures) + " |"


def renewed(guide: str) -> str:
    """The guide with today's table in it."""
    before, _, rest = guide.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


if __name__ == "__main__":
    GUIDE.write_text(renewed(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"{GUIDE.relative_to(ROOT)} written")
