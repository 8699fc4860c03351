"""The reference as files: of each name, each module, each table and each error."""

from __future__ import annotations

import importlib
import inspect
import shutil
import subprocess
from pathlib import Path
from typing import Any

from minigrad import address

from .. import pages
from . import entries, names, tables, texts

FOLDER = "reference"

LONGEST = 120  # lines of source that a page shows; of more, it has the address alone


def build(out: Path) -> None:
    """Write the reference into the folder ``reference`` of the site."""
    folder = out / FOLDER
    shutil.rmtree(folder, ignore_errors=True)  # with the pages of names that are no more
    found = entries.Pages()
    told = {entry.file: entry for entry in (entries.entry_of(row, found) for row in found.rows)}
    source = f"https://github.com/{address.REPOSITORY}/blob/{commit()}/"

    def write(file: str, template: str, **about: Any) -> None:
        page = folder / file
        pages.write_page(page, f"reference/{template}", root="../", source=source, **about)

    modules = []
    for space in names.SPACES:
        groups = entries.groups_of(space, told, found)
        module = importlib.import_module(space)
        words = inspect.getdoc(module) or ""
        about = {"space": space, "groups": groups, "constants": constants_of(space)}
        first = texts.first_sentence(words).removeprefix(f"{space}: ")
        about["first"] = first[:1].upper() + first[1:]
        modules.append(about)
        write(f"{space}.html", "module.html", **about)
    for entry in told.values():
        long = entry.lines.last - entry.lines.first > LONGEST
        code = "" if long else texts.program(entry.lines.text)
        write(entry.file, "name.html", entry=entry, code=code)
    errors = tables.error_pages()
    for error in errors:
        write(f"{error.code}.html", "error.html", error=error)
    for name, (title, body) in {
        "coverage": tables.coverage(found.files),
        "kinks": tables.table("kinks.md"),
    }.items():
        write(f"{name}.html", "table.html", title=title, body=body)
    listed = sorted(
        (
            (name.full, found.files[name.full], told[found.by_id[id(name.value)]].first)
            for row in found.rows
            for name in row
        ),
        key=lambda one: one[0].lower(),
    )
    write("index.html", "index.html", modules=modules, errors=errors, names=listed)
    for file in ("reference.css", "reference.js"):
        shutil.copy(pages.PARTS / "reference" / file, folder / file)


def commit() -> str:
    """The version of the sources that links lead to: that which is checked out, or the last."""
    if shutil.which("git") is None:
        return "HEAD"
    asked = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=names.ROOT, capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() or "HEAD"


def constants_of(space: str) -> list[tuple[str, str]]:
    """The public values of a module, and what they are."""
    found = []
    for name in names.names_of(space):
        if not names.is_thing(name.value):
            shown = repr(name.value)
            kind = type(name.value).__name__
            short = shown if len(shown) < 60 and " object at " not in shown else f"a {kind}"
            found.append((name.short, short))
    return found
