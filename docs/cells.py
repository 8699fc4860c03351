"""The lessons' cells as the pages of this folder see them: their tags, and what they printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
NOTEBOOKS = HERE.parent / "notebooks"


@dataclass(frozen=True)
class Cell:
    """One cell of a lesson; ``section`` is the heading above it: "2. Step"."""

    id: str
    kind: str
    source: str
    section: str
    metadata: dict[str, Any]
    printed: str

    def place(self) -> str:
        """Where it stands: "section 2, `counts`"."""
        number = re.match(r"\d+", self.section)
        section = f"section {number[0]}" if number else f"*{self.section}*"
        return f"{section}, `{self.id}`" if self.section else f"`{self.id}`"

    def tags(self) -> list[str]:
        return self.metadata.get("tags", [])

    def varies(self) -> bool:
        """Whether its output differs between runs, as times do: nobody compares it with a run."""
        return "nbval-ignore-output" in self.tags() or "# NBVAL_IGNORE_OUTPUT" in self.source

    def named(self, key: str) -> list[str]:
        """What an entry of the metadata lists: ``{"claim": "3, 7"}`` names 3 and 7."""
        return re.findall(r"\w+", str(self.metadata.get(key, "")))


@dataclass(frozen=True)
class Lesson:
    """A lesson's file, by its number: "01"."""

    number: str
    path: Path

    @cached_property
    def cells(self) -> list[Cell]:
        section = ""
        found = []
        for raw in json.loads(self.path.read_text(encoding="utf-8"))["cells"]:
            source = "".join(raw["source"])
            if raw["cell_type"] == "markdown":
                for heading in re.finditer(r"(?m)^## +(.*)", without_code(source)):
                    section = heading[1].strip()
            printed = "\n".join(texts(raw.get("outputs", [])))
            cell = Cell(raw["id"], raw["cell_type"], source, section, raw["metadata"], printed)
            found.append(cell)
        return found

    @cached_property
    def title(self) -> str:
        return self.cells[0].source.splitlines()[0].removeprefix("# ").strip()

    def cell(self, its_id: str) -> Cell:
        for cell in self.cells:
            if cell.id == its_id:
                return cell
        raise SystemExit(f"lesson {self.number} has no cell {its_id!r}")

    def prose(self) -> Iterator[str]:
        return (cell.source for cell in self.cells if cell.kind == "markdown")


@cache
def lessons() -> dict[str, Lesson]:
    """All lessons that there are, by their numbers."""
    found = sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))
    return {path.name[:2]: Lesson(path.name[:2], path) for path in found}


def texts(outputs: list[dict[str, Any]]) -> Iterator[str]:
    """What outputs say as text."""
    for output in outputs:
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        yield text if isinstance(text, str) else "".join(text)


def without_code(markdown: str) -> str:
    return re.sub(r"^```.*?^```", "", markdown, flags=re.S | re.M)


def link(lesson: Lesson) -> str:
    """A link to a lesson, from a page of this folder."""
    return f"[{lesson.number}](../notebooks/{lesson.path.name})"
