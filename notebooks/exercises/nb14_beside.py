"""What notebook 14 puts side by side: a program in minigrad, and the same program in PyTorch.

Where PyTorch is installed, it runs. Where it is not, what it printed stands in
``nb14_pytorch.json``, with its version and the program.
``tests/notebooks/record_nb14.py`` writes that file.
A program that was changed has a record only if the lesson has proposed the change; without one,
only minigrad's column is shown.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import io
import json
import re
import sys
import textwrap
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from html import escape
from itertools import zip_longest
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

from IPython.display import display

import minigrad
from minigrad_widgets import TrainingLoop
from minigrad_widgets.page_view import PageView

from .pictures import DARK, Picture

RECORD = json.loads((Path(__file__).parent / "nb14_pytorch.json").read_text(encoding="utf-8"))
WIDTH = 46  # of a column, in characters
NEXT = " ⏎ "  # in a message of an error: here it goes on in a new line
UNKNOWN = (
    "PyTorch is not installed here, and what it makes of this program was not recorded.\n"
    "(To see it: pip install torch)"
)


def pytorch() -> Any:
    """PyTorch itself, or None where it is not installed."""
    try:
        found = importlib.import_module("torch")
    except (ImportError, OSError):  # the latter: it is there, and broken
        return None
    return None if found.__name__ == "minigrad" else found


def version() -> str:
    """Of the PyTorch whose answers are shown: the one that is here, or the recorded one."""
    here = pytorch()
    return str(here.__version__).partition("+")[0] if here else str(RECORD["version"])


def is_there() -> None:
    """Say where PyTorch's column comes from."""
    if pytorch():
        print(f"Where this ran, PyTorch {version()} is installed.")
        print("So each program below ran twice: in minigrad, and in PyTorch.")
    else:
        print("Where this ran, PyTorch is not installed.")
        print(f"So beside minigrad stands what PyTorch {version()} printed when it was recorded.")


# --------------------------------------------------------------------------------- programs


def is_program(thing: Any, example: str) -> bool:
    """Is it a function that was written in a cell? If not, say what is wanted."""
    if isinstance(thing, FunctionType):
        return True
    print("A function of the library is wanted here, by its name and without brackets behind it,")
    print(f"as in {example}.")
    return False


def source_of(program: Callable[[Any], Any]) -> str:
    """How a program was written; "" if nobody knows."""
    try:
        return textwrap.dedent(inspect.getsource(program)).strip()
    except OSError:
        return ""


def printed(program: Callable[[Any], Any], library: Any) -> list[str]:
    """The lines that a program prints, and the error that ends it, if one does.

    Asked for the gradient of what is no leaf, both libraries warn, and the columns tell it anyway.
    """
    out = io.StringIO()
    with redirect_stdout(out), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"The \.grad attribute of a Tensor that is not")
        try:
            program(library)
        except Exception as problem:
            print(said(problem))
    return out.getvalue().splitlines()


def said(problem: Exception) -> str:
    """The kind of an error, and its message.

    In a program, minigrad is called torch. In a cell, where a line of the message may be tried, it
    is not.
    """
    return f"{type(problem).__name__}: {problem}".replace("torch.explain(", "minigrad.explain(")


def recorded(program: Callable[[Any], Any], kind: str = "programs") -> Any:
    """What was recorded of this program, as it was or changed as the lesson proposes; or None."""
    known = RECORD[kind].get(program.__name__)
    if known and known["program"] == source_of(program):
        return known
    return changed(program, kind)


def in_pytorch(program: Callable[[Any], Any]) -> list[str] | None:
    """What it prints in PyTorch; None where that is not known."""
    here = pytorch()
    if here:
        return printed(program, here)
    known = recorded(program)
    return known["printed"] if known else None


def changed(program: Callable[[Any], Any], kind: str) -> Any:
    """What was recorded of a program that was changed as the lesson proposes, or None."""
    try:
        meant = ast.dump(ast.parse(source_of(program)))
    except SyntaxError:  # a lambda that is a part of a line
        return None
    known = RECORD[f"changed {kind}"]
    return next((one for one in known if ast.dump(ast.parse(one["program"])) == meant), None)


def beside(program: Callable[[Any], Any]) -> None:
    """Show what a program prints in minigrad, and in PyTorch, side by side."""
    if not is_program(program, "nb14.beside(published)"):
        return
    ours, theirs = printed(program, minigrad), in_pytorch(program)
    if theirs is None:
        print(UNKNOWN)
        print("In minigrad it prints:")
        print("\n".join(ours).replace(NEXT, "\n"))
        return
    same = sum(a == b for a, b in zip(ours, theirs))
    of_what = "whole messages" if any(NEXT in line for line in ours) else "lines"
    many = max(len(ours), len(theirs))
    display(Columns(ours, theirs, f"{same} of {many} {of_what} are the same."))


class Columns:
    """Two programs' lines as a table; in a narrow page, each line above its partner."""

    def __init__(self, ours: list[str], theirs: list[str], count: str = "") -> None:
        self.ours, self.theirs, self.count = ours, theirs, count

    def __repr__(self) -> str:
        rows = side_by_side(self.ours, self.theirs)
        return "\n".join([*rows, self.count] if self.count else rows)

    def _repr_html_(self) -> str:
        rows = [f"<tr><th>minigrad</th><th></th><th>PyTorch {version()}</th></tr>"]
        for a, b in zip_longest(self.ours, self.theirs, fillvalue=""):
            sign = "=" if a == b else "≠"
            left, right = (escape(line).replace(NEXT, "<br>") for line in (a, b))
            rows.append(f"<tr><td>{left}</td><td>{sign}</td><td>{right}</td></tr>")
        count = f"<p>{self.count}</p>" if self.count else ""
        return f'{NARROW}<div class="nb14-beside"><table>{"".join(rows)}</table></div>{count}'


NARROW = """<style>
.nb14-beside {container-type: inline-size; color: inherit}
.nb14-beside table {margin: 0}
.nb14-beside :is(td, th) {
text-align: left !important; vertical-align: top; white-space: pre-wrap; font-family: monospace;
padding: 2px 8px 2px 4px}
@container (max-width: 640px) {
.nb14-beside tr {display: grid; grid-template-columns: 2em 1fr; padding-bottom: 6px}
.nb14-beside :is(td, th):first-child {grid-column: 1 / -1}
}
</style>"""


def side_by_side(ours: list[str], theirs: list[str]) -> list[str]:
    """Two columns; between them "=" where a line is the same."""
    widest = max((len(line) for line in [*ours, *theirs]), default=0)
    width = max(min(widest, WIDTH), len("minigrad"))
    rows = [f"{'minigrad':{width}}     PyTorch {version()}", ""]
    for a, b in zip_longest(ours, theirs, fillvalue=""):
        sign = "=" if a == b else "≠"
        lefts, rights = (wrapped(line, width) for line in (a, b))
        for left, right in zip_longest(lefts, rights, fillvalue=""):
            rows.append(f"{left:{width}}  {sign}  {right}".rstrip())
            sign = " "
    return rows


def wrapped(line: str, width: int) -> list[str]:
    """A line in as many as it needs; where a message went on in a new line, it does so here."""
    parts = line.split(NEXT)
    return [short for part in parts for short in textwrap.wrap(part, width)] or [""]


# ------------------------------------------------------------------------------------- views


class Recorded(Picture):
    """A view of PyTorch's graph as it was recorded: its picture, and the same as a text."""

    def __init__(self, still: dict[str, str]) -> None:
        self.svg = rehearsed(still["svg"])
        self.alt, self.table = rehearsed(still["says"]), rehearsed(still["table"])

    def __repr__(self) -> str:
        return self.table if self.alt in self.table else f"{self.alt}\n\n{self.table}"

    def _repr_html_(self) -> str:
        told = f"PyTorch is not installed here. Recorded with PyTorch {RECORD['version']}:"
        picture = (
            super()
            ._repr_html_()
            .replace("<img", '<img class="mg-drawn" style="max-width:100%;height:auto"', 1)
        )
        rows = f'<pre style="white-space:pre-wrap;word-break:normal">{escape(self.table)}</pre>'
        table = f"<details><summary>Table</summary>{rows}</details>"
        return f"<p>{told}</p>{picture}{table}{DARK}"


def rehearsed(words: str) -> str:
    """What is told of a backward pass, in words for one that puts nothing into .grad."""
    words = re.sub(r"(?<!land) in \.grad", " would land in .grad", words)
    return re.sub(r"(\w+\.grad) is (\[[^]]*\])", r"\1 would be \2", words)


def on_pytorch(program: Callable[[Any], Any]) -> Any:
    """The view that a program returns in PyTorch.

    Where there is no PyTorch: that view as it was recorded, and below it minigrad's, to be used.
    """
    if not is_program(program, "nb14.on_pytorch(graph)"):
        return None
    here = pytorch()
    known = None if here else recorded(program, "views")
    if known:
        display(Recorded(known))
        print("Below is minigrad's view of the same program, which you can use:")
    elif not here:
        print(f"{UNKNOWN}\nSo it runs in minigrad:")
    try:
        view, KEPT[program.__name__] = with_its_values(program, here or minigrad)
    except Exception as problem:
        print(said(problem))
        return None
    if not isinstance(view, PageView):
        print("The program returned no view. Let it end with a line such as: return GraphView(e)")
        return None
    return None if isinstance(view, TrainingLoop) else view  # its block has displayed it


KEPT: dict[str, list[Any]] = {}  # what the programs computed that were shown last, kept alive


def with_its_values(program: Callable[[Any], Any], library: Any) -> tuple[Any, list[Any]]:
    """What a program returns, and the values of its variables at its end."""
    values: list[Any] = []

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and frame.f_code is program.__code__:
            values.extend(frame.f_locals.values())

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        return program(library), values
    finally:
        sys.setprofile(before)


# --------------------------------------------------------------------------- PyTorch's stand-in


class StandIn:
    """minigrad without the names that PyTorch does not have, for where there is no PyTorch."""

    def __getattr__(self, name: str) -> Any:
        if name == "__name__":
            return "torch"
        if name == "__all__":  # what `from torch import *` brings: no part such as torch.nn
            public = (one for one in dir(minigrad) if not one.startswith("_"))
            shared = (one for one in public if one not in RECORD["only_in_minigrad"])
            return [one for one in shared if not inspect.ismodule(getattr(minigrad, one))]
        if name in RECORD["only_in_minigrad"]:
            raise AttributeError(f"module 'torch' has no attribute '{name}'")
        return getattr(minigrad, name)


def library() -> Any:
    """PyTorch, or its stand-in."""
    return pytorch() or StandIn()


def importing(torch: Any) -> dict[str, Any]:
    """Names for a program in which ``import torch`` means this library."""

    def imported(name: str, *more: Any) -> Any:
        first, *path = name.split(".")
        if first != "torch":
            return builtins.__import__(name, *more)
        from_list = more[2] if len(more) > 2 else None
        found = torch
        for part in path:
            found = getattr(found, part)
        return found if from_list else torch

    return {
        "__name__": "__main__",
        "__builtins__": {**vars(builtins), "__import__": imported},
    }
