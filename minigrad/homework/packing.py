"""What ``build`` writes: the student's version, the grader's, and the teacher's notes."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from . import building, gradescope, with_nbgrader, with_otter
from .assignment import Assignment

LONG_AGO = (1980, 1, 1, 0, 0, 0)  # so that the same files make the same archive


def write_zip(path: Path, files: Iterable[tuple[str, bytes]], folder: str = "") -> Path:
    """An archive of these files. The same files make the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            entry = zipfile.ZipInfo(f"{folder}{name}", LONG_AGO)
            runs = content.startswith(b"#!")
            entry.external_attr = (0o755 if runs else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return path


def whole(assignment: Assignment) -> list[tuple[str, bytes]]:
    """All files of the assignment, as the grader needs them."""
    return [
        (path.relative_to(assignment.folder).as_posix(), path.read_bytes())
        for path in assignment.files()
    ]


def notes(assignment: Assignment) -> str:
    """What a teacher looks for: points, limits, mistakes that are known, and the solutions."""
    exercises = assignment.exercises("an example")
    total = sum(exercise.points for exercise in exercises)
    parts = [
        f"# {assignment.name}: notes for the teacher",
        f"{len(exercises)} questions, {total:g} points.",
    ]
    imports = " and ".join(assignment.imports) or "nothing"
    parts.append(f"Beside Python's own library an answer may import {imports}.")
    of_their_own = assignment.folder / "teacher" / "notes.md"
    if of_their_own.exists():
        parts.append(of_their_own.read_text(encoding="utf-8").strip())
    for exercise in exercises:
        hidden = "with hidden cases" if exercise.hidden is not None else "without hidden cases"
        parts.append(f"## {exercise.name}")
        parts.append(f"{exercise.points:g} points, {exercise.seconds:g} s of computing, {hidden}.")
        if exercise.mistakes:
            parts.append(
                "\n".join(f"- {text}" for text in dict.fromkeys(exercise.mistakes.values()))
            )
        for label, text in (("Hint", exercise.hint), ("Because", exercise.because)):
            if text:
                parts.append(f"{label}: {text}")
        parts.append(f"```python\n{assignment.answers[exercise.name].source.strip()}\n```")
    return "\n\n".join(parts) + "\n"


def for_zip(assignment: Assignment, out: Path) -> list[Path]:
    """The three files that every target has."""
    building.prove(assignment)
    files = building.files_for_students(assignment)
    name = assignment.name
    students = write_zip(out / f"{name}.zip", files, f"{name}/")
    grader = write_zip(out / f"{name}-grader.zip", whole(assignment), f"{name}/")
    told = out / f"{name}-notes.md"
    told.write_text(notes(assignment), encoding="utf-8")
    return [students, grader, told]


def for_gradescope(assignment: Assignment, out: Path) -> list[Path]:
    """And an autograder for Gradescope, with the library in it."""
    files = [(f"{assignment.name}/{name}", content) for name, content in whole(assignment)]
    package = gradescope.PACKAGE
    files += [
        (path.relative_to(package.parent).as_posix(), path.read_bytes())
        for path in sorted(package.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]
    files += gradescope.scripts(assignment.name)
    grader = write_zip(out / f"{assignment.name}-gradescope.zip", files)
    return [*for_zip(assignment, out), grader]


def for_nbgrader(assignment: Assignment, out: Path) -> list[Path]:
    """And a folder for nbgrader, with a course of this one assignment."""
    made = for_zip(assignment, out)
    files = with_nbgrader.course(assignment)
    return [*made, write_folder(out / f"{assignment.name}-nbgrader", files)]


def for_otter(assignment: Assignment, out: Path) -> list[Path]:
    """And a folder for Otter, with a master notebook."""
    students, grader, told = for_zip(assignment, out)
    files = dict(with_otter.master(assignment, grader.name))
    files[grader.name] = grader.read_bytes()
    folder = write_folder(out / f"{assignment.name}-otter", files.items())
    return [students, grader, told, folder]


def write_folder(folder: Path, files: Iterable[tuple[str, bytes]]) -> Path:
    for name, content in files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder


TARGETS: dict[str, Callable[[Assignment, Path], list[Path]]] = {
    "zip": for_zip,
    "gradescope": for_gradescope,
    "nbgrader": for_nbgrader,
    "otter": for_otter,
}
