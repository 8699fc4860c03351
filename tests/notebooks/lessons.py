"""The notebooks as the tests see them: as files, and played in this process without a kernel."""

from __future__ import annotations

import ast
import io
import linecache
import re
import runpy
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

import minigrad_widgets  # it puts its face on questions before ours is put on
from minigrad import lesson
from minigrad.tape import Notices
from minigrad_widgets.session import session

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "notebooks"
HERE = Path(__file__).parent
ASKING = {"prediction", "exercise"}  # tags of cells that wait for an answer


@dataclass(eq=False)
class Lesson:
    """A notebook's file, by its number: "01"."""

    number: str
    path: Path
    cells: list[Any] = field(default_factory=list)
    metadata: Any = None

    def __post_init__(self) -> None:
        notebook = nbformat.read(self.path, as_version=4)
        self.cells, self.metadata = notebook.cells, notebook.metadata

    def __repr__(self) -> str:
        return self.path.stem

    def of_kind(self, kind: str) -> list[Any]:
        return [cell for cell in self.cells if cell.cell_type == kind]

    def tagged(self, tag: str) -> list[Any]:
        return [cell for cell in self.cells if tag in cell.metadata.get("tags", ())]

    def headings(self) -> list[tuple[int, str]]:
        """Level and text of each, in order."""
        found = []
        for cell in self.of_kind("markdown"):
            for line in without_code(cell.source).splitlines():
                if match := re.match(r"(#+) +(.*)", line):
                    found.append((len(match[1]), match[2]))
        return found

    def answering(self) -> Iterator[Any]:
        """The cells whose outputs answer a question that stands above them.

        The first cell behind a question or an exercise that is none itself. And views that ask
        themselves, and those that were opened before the question, because their pictures are
        those of the end.
        """
        opens = re.compile(r"(?m)^(\w+ = )?GraphView\(\)|BackwardStepper\(|GraphDiff\(")
        waiting = False
        for cell in self.of_kind("code"):
            asks = not ASKING.isdisjoint(cell.metadata.get("tags", ()))
            if opens.search(cell.source) or (waiting and not asks):
                yield cell
            waiting = asks or (waiting and asks)

    def code_before(self, cell: Any) -> list[Any]:
        """What has to be run before this cell: the first one, and what a comment in it names."""
        code = self.of_kind("code")
        needed = [code[0]]
        first_line = cell.source.splitlines()[0] if cell.source else ""
        if match := re.match(r"# First run (.*)\.", first_line):
            above = code[: code.index(cell)]
            for one in named(match[1], above, self.section_of):
                needed += [*self.code_before(one), one]
        each_once = {one.id: one for one in needed}
        return list(each_once.values())

    def concerned_by(self, cell: Any) -> list[Any]:
        """The cells that a change of this one concerns, it and those that need it; and what all
        these need. Of every other cell a test shows that it runs without this one."""
        code = self.of_kind("code")
        needs = {one.id: [each.id for each in (*self.code_before(one), one)] for one in code}
        wanted = {each for ids in needs.values() if cell.id in ids for each in ids}
        return [one for one in code if one.id in wanted]

    def section_of(self, cell: Any) -> str:
        """The number of the section in which a cell stands: "2" under "## 2. Step"."""
        section = ""
        for one in self.cells:
            if one is cell:
                break
            if one.cell_type == "markdown":
                for match in re.finditer(r"(?m)^## +(\d+)?", without_code(one.source)):
                    section = match[1] or ""
        return section

    def exercises(self) -> list[str]:
        return [cell.metadata.get("exercise", "") for cell in self.tagged("exercise")]

    def answers(self, kind: str) -> dict[str, Any]:
        """``SOLUTIONS`` or ``WRONG`` of this notebook, by the name of the exercise."""
        file = HERE / kind / f"nb{self.number}.py"
        return runpy.run_path(str(file))[kind.upper()] if file.exists() else {}


def named(words: str, above: list[Any], section_of: Callable[[Any], str]) -> list[Any]:
    """The cells that a comment names: "the cell above", "section 2", "sections 1 and 3"."""
    if words == "the cell above":
        return above[-1:]
    if match := re.fullmatch(r"the (\d+) cells above", words):
        return above[-int(match[1]) :]
    sections = re.findall(r"\d+", words)
    assert sections, f"which cells are {words!r}?"
    return [cell for cell in above if section_of(cell) in sections]


LESSONS = [Lesson(path.name[:2], path) for path in sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))]


def without_code(markdown: str) -> str:
    return re.sub(r"^```.*?^```", "", markdown, flags=re.S | re.M)


def texts(outputs: list[Any]) -> Iterator[str]:
    """What outputs say, as text."""
    for output in outputs:
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        yield text if isinstance(text, str) else "".join(text)


# -------------------------------------------------------------------------------- played here


@dataclass
class Played:
    """A notebook as it was run in this process: what it asked and printed, and its variables.

    ``shown``: the questions and verdicts of each cell, by its place; ``before`` an exercise: the
    variables, by its name; ``namespaces``: the variables after each cell, and ``printed``: what it
    printed and showed, by the cell's id; ``names``: the variables at the end.
    """

    shown: dict[int, list[Any]] = field(default_factory=dict)
    before: dict[str, dict[str, Any]] = field(default_factory=dict)
    namespaces: dict[str, dict[str, Any]] = field(default_factory=dict)
    printed: dict[str, str] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, Exception] = field(default_factory=dict)

    def after(self, cell_id: str) -> dict[str, Any]:
        """The variables as they were when this cell had run."""
        return self.namespaces[cell_id]


@contextmanager
def recording() -> Iterator[list[Any]]:
    """Questions and verdicts are collected instead of being shown."""
    heard: list[Any] = []

    def hear(shown: Any) -> bool:
        heard.append(shown)
        return True

    face, lesson.faces.current = lesson.faces.current, hear
    try:
        yield heard
    finally:
        lesson.faces.current = face


def run(source: str, namespace: dict[str, Any], name: str) -> list[Any]:
    """Run one cell; returns the questions and verdicts that it showed.

    Its lines can be read while it runs, as those of a kernel's cells can. What its last line
    makes is printed, as a notebook shows it.
    """
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with recording() as heard:
        exec(compile(tree, name, "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
            if value is not None:
                print(repr(value))
    return heard


def play(given: Lesson, cells: list[Any] | None = None, *, going_on: bool = False) -> Played:
    """Run cells, in this process: all as they are given, or these instead.

    ``going_on``: a cell that raises is noted among ``errors``, and the next one runs.
    """
    played = Played(names={"__name__": "__main__"})
    namespace = played.names
    sys.path.insert(0, str(FOLDER))
    try:
        for number, cell in enumerate(given.cells if cells is None else cells):
            if cell.cell_type != "code":
                continue
            if exercise := cell.metadata.get("exercise"):
                played.before[exercise] = dict(namespace)
            printed = io.StringIO()
            try:
                with redirect_stdout(printed):
                    name = f"{given.path.name}, cell {number}"
                    played.shown[number] = run(cell.source, namespace, name)
            except Exception as error:
                if not going_on:
                    raise
                played.errors[cell.id] = error
            played.printed[cell.id] = printed.getvalue()
            played.namespaces[cell.id] = dict(namespace)
    finally:
        sys.path.remove(str(FOLDER))
        for view in list(session.views):
            view.close()
        if Notices.active is not None:  # a lesson may have asked for them
            Notices.active.stop()
    return played


assert minigrad_widgets
