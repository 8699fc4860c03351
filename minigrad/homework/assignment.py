"""An assignment: a folder with a notebook, and a file of exercises.

``hwN.ipynb``      the teacher's notebook. An answer cell has the tag ``answer:NAME``, with the name
                   of its exercise; what is between ``### BEGIN SOLUTION`` and ``### END SOLUTION``
                   is the student's to write. Behind it a cell says ``lesson.check(…, attempt)``:
                   what stands there as the attempt is what is graded.
``exercises.py``   ``EXERCISES``, a list of ``lesson.Exercise``; or, if each student has numbers of
                   their own, a function ``exercises(student)`` that makes it: then the notebook
                   has a cell with the tag ``student``, in which the name is written.
                   ``IMPORTS``: what an answer may import beside Python's own library.

All other files go to the students too, except a folder ``teacher``.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..lesson import Exercise
from . import notebooks
from .notebooks import Cell, NotebookError

IMPORTS = ("numpy", "minigrad")


class Assignment:
    """A folder of homework, read. NotebookError: something in it does not fit together."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).resolve()
        self.name = self.folder.name
        self.notebook = notebooks.read(self.folder / f"{self.name}.ipynb")
        self.cells = notebooks.code_cells(self.notebook)
        self.answers = {cell.tagged("answer:"): cell for cell in self.cells}
        self.answers.pop("", None)
        self.module = loaded(self.folder / "exercises.py")
        self.imports: Sequence[str] = getattr(self.module, "IMPORTS", IMPORTS)
        self.personal = callable(getattr(self.module, "exercises", None))
        names = [exercise.name for exercise in self.exercises("an example")]
        if sorted(names) != sorted(self.answers) or len(names) != len(set(names)):
            raise NotebookError(
                f"{self.name}: the exercises are {', '.join(names)}, and the answer cells are "
                f"{', '.join(self.answers)}: each exercise needs one cell of its name"
            )
        unknown = {*self.imports} - {*IMPORTS}
        if unknown:
            raise NotebookError(f"{self.name}: IMPORTS may hold numpy and minigrad only")

    def exercises(self, student: str = "") -> list[Exercise]:
        """The exercises, with the numbers of this student."""
        if self.personal:
            return list(self.module.exercises(student))
        return list(self.module.EXERCISES)

    def attempt(self, name: str) -> str:
        """The expression that is judged: the attempt in the check cell behind the answer cell."""
        behind = self.cells[self.cells.index(self.answers[name]) + 1 :]
        for cell in behind:
            if cell.tagged("answer:"):
                break
            for call in calls_of_check(cell):
                return ast.unparse(call.args[1])
        bound = [
            name
            for statement in notebooks.statements(self.answers[name])
            for name in notebooks.binds(notebooks.compiled(statement))
        ]
        if not bound:
            raise NotebookError(f"{self.name}: no cell behind {name} says lesson.check(…, attempt)")
        return bound[-1]

    def handed_out(self) -> Iterator[Path]:
        """The files beside notebook and exercises that go to the students."""
        for path in sorted(self.folder.rglob("*")):
            inside = path.relative_to(self.folder).parts
            own = path.name in (f"{self.name}.ipynb", "exercises.py") and len(inside) == 1
            hidden = any(part.startswith((".", "__pycache__")) for part in inside)
            if path.is_file() and not own and not hidden and inside[0] != "teacher":
                yield path

    def files(self) -> Iterator[Path]:
        """All that is in the folder."""
        for path in sorted(self.folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path

    def digest(self) -> str:
        """Changes with anything in the folder."""
        digest = hashlib.sha256()
        for path in self.files():
            digest.update(f"{path.relative_to(self.folder)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def program(self, submitted: Sequence[Cell], name: str) -> list[Cell]:
        """The cells as far as an answer, with the teacher's where the student had them.

        NotebookError: the answer cell is not there.
        """
        wanted = self.answers[name]
        given = {cell.id: cell for cell in self.cells if cell.id and not is_students(cell)}
        by_tag = [cell for cell in submitted if cell.tagged("answer:") == name]
        by_id = [cell for cell in submitted if wanted.id and cell.id == wanted.id]
        if not by_tag and not by_id:
            raise NotebookError(
                f"its answer cell is gone: no cell has the tag answer:{name}. It counts when it is "
                "put back"
            )
        answer = (by_tag or by_id)[-1]
        missing = {*given} - {cell.id for cell in submitted}
        cells = [given[key]._replace(given=True) for key in given if key in missing]
        for cell in submitted:
            is_given = cell.id in given and not is_students(cell)
            source = given[cell.id].source if is_given else cell.source
            cells.append(cell._replace(source=source, given=is_given))
            if cell is answer:
                return cells
        raise AssertionError("the answer cell is one of the submitted ones")


def is_students(cell: Cell) -> bool:
    """Is it a cell in which the student writes?"""
    return bool(cell.tagged("answer:")) or "student" in cell.tags


def loaded(path: Path) -> Any:
    """A teacher's module, by its path; it may import its neighbours."""
    if not path.exists():
        raise NotebookError(f"{path.parent.name}: there is no {path.name}")
    for neighbour in path.parent.glob("*.py"):  # another assignment's may have the same name
        sys.modules.pop(neighbour.stem, None)
    spec = importlib.util.spec_from_file_location("exercises", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        sys.modules["exercises"] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module


def calls_of_check(cell: Cell) -> Iterator[ast.Call]:
    """The calls of ``check`` with an exercise and an attempt, in their order."""
    for statement in notebooks.statements(cell):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and len(node.args) == 2:
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if called == "check":
                    yield node


def student_named(cells: Sequence[Cell]) -> str:
    """The name in the cell with the tag ``student``; "" if there is none yet."""
    for cell in cells:
        if "student" not in cell.tags:
            continue
        try:
            body = notebooks.statements(cell)
        except notebooks.UNREADABLE:
            return ""
        values = [getattr(one, "value", None) for one in body]
        texts = [one.value for one in values if isinstance(one, ast.Constant)]
        names = [text.strip() for text in texts if isinstance(text, str) and text.strip()]
        return names[-1] if names else ""
    return ""


def same_person(name: str) -> str:
    """A name as it counts: without case, accents, spaces and signs.

    >>> same_person("Zoë  de Vries") == same_person("zoe de-vries")
    True
    """
    letters = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in letters if letter.isalnum())
