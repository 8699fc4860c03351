"""The notebooks as the tests see them: as files, and played in this process without a kernel."""

from __future__ import annotations

import linecache
import re
import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

import minigrad_widgets  # it puts its face on questions before ours is put on
from minigrad import lesson
from minigrad_widgets.session import session

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "notebooks"
HERE = Path(__file__).parent


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

        They are those behind it, up to the one that compares with ``asked.answer``; or, where the
        name is used for the next question first, up to that. And one straight behind a question or
        an exercise. And views that ask themselves, and those that were opened before the question,
        because their pictures are those of the end.
        """
        opens = re.compile(r"(?m)^(\w+ = )?GraphView\(\)|BackwardStepper\(|GraphDiff\(")
        for at, cell in enumerate(self.cells):
            if cell.cell_type == "code" and opens.search(cell.source):
                yield cell
            tags = cell.metadata.get("tags", ())
            if "exercise" in tags or "prediction" in tags:
                for later in self.cells[at + 1 : at + 2]:
                    if later.cell_type == "code" and "exercise" not in later.metadata:
                        yield later
            if "prediction" not in cell.metadata.get("tags", ()):
                continue
            for name in set(re.findall(r"(?m)^(asked\w*) = ", cell.source)):
                if re.search(rf"\b{name}\b(?! =| \+=)", cell.source):
                    continue  # compared at once
                for later in self.cells[at + 1 :]:
                    if re.search(rf"(?m)^{name} = ", later.source):
                        break
                    if later.cell_type == "code":
                        yield later
                        if re.search(rf"\b{name}\b", later.source):
                            break

    def exercises(self) -> list[str]:
        return [cell.metadata.get("exercise", "") for cell in self.tagged("exercise")]

    def answers(self, kind: str) -> dict[str, Any]:
        """``SOLUTIONS`` or ``WRONG`` of this notebook, by the name of the exercise."""
        file = HERE / kind / f"nb{self.number}.py"
        return runpy.run_path(str(file))[kind.upper()] if file.exists() else {}


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
    """What a notebook asked and judged, cell by cell, and the variables before each exercise."""

    shown: dict[int, list[Any]] = field(default_factory=dict)
    before: dict[str, dict[str, Any]] = field(default_factory=dict)


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

    Its lines can be read while it runs, as those of a kernel's cells can.
    """
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    with recording() as heard:
        exec(compile(source, name, "exec"), namespace)
    return heard


def play(given: Lesson) -> Played:
    """Run all cells as they are given, in this process."""
    played = Played()
    namespace: dict[str, Any] = {"__name__": "__main__"}
    sys.path.insert(0, str(FOLDER))
    try:
        for number, cell in enumerate(given.cells):
            if cell.cell_type == "code":
                if name := cell.metadata.get("exercise"):
                    played.before[name] = dict(namespace)
                name = f"{given.path.name}, cell {number}"
                played.shown[number] = run(cell.source, namespace, name)
    finally:
        sys.path.remove(str(FOLDER))
        for view in list(session.views):
            view.close()
    return played


assert minigrad_widgets
