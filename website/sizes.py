"""How large the built site is, part by part, on the disk and on its way to a reader."""

from __future__ import annotations

import gzip
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from . import versions
from .downloads import Package, needed, packages_of
from .pages import modules_of

KERNEL = ["ipython", "micropip", "packaging", *versions.RELEASE.apart]
"""Packages that the kernel loads before it starts."""

LAB = 2_200_000
"""Bytes, gzipped, of JupyterLab's scripts that a first visit loads; tests/website measures it."""

FIRST_CELLS = {
    "01_a_graph_appears": [],
    "05_the_training_loop": ["matplotlib"],
}
"""Two lessons, and what they load besides; for what a first visit transfers."""


@dataclass(frozen=True)
class Part:
    """Files of the site that belong together."""

    name: str
    files: frozenset[Path]

    @property
    def bytes(self) -> int:
        return sum(file.stat().st_size for file in self.files)

    @property
    def gzipped(self) -> int:
        """What a host sends that compresses, as those of static pages do."""
        return sum(map(gzipped, self.files))


def gzipped(file: Path) -> int:
    return len(gzip.compress(file.read_bytes(), 6))


def page_parts(site: Path) -> list[Part]:
    """The pages: each with its stylesheets, its scripts and what its views show."""
    lessons = sorted(site.glob("lessons/[0-9]*.html"))
    pages = [Part(f"page {page.stem}", page_files(site, page)) for page in lessons]
    return [
        Part("front page", page_files(site, site / "index.html")),
        max(pages, key=lambda part: part.gzipped),
    ]


def page_files(site: Path, page: Path) -> frozenset[Path]:
    own: set[Path] = {page, site / "site.css", site / "views.js"}
    shown = page.with_suffix(".json")
    if shown.exists():
        views = {site / "views" / name for name in modules_of(shown)}
        own |= {shown, site / "views" / "minigrad.css", *views}
    return frozenset(own)


def live_parts(site: Path) -> list[Part]:
    """What a living lesson is made of; no file is in two of them."""
    live = site / "live"
    python = live / "static" / "pyodide"
    packages = packages_of(python)
    itself = [file for file in python.iterdir() if not is_package(file)]
    parts = [Part("JupyterLab, all of it", all_in(live / "build", live / "extensions"))]
    parts.append(Part("Python", frozenset(itself)))
    known: set[Path] = set()
    for name, roots in (
        ("the kernel's packages", KERNEL),
        ("NumPy", ["numpy"]),
        ("minigrad and its views", ["minigrad-lab"]),
        ("matplotlib, where a lesson draws", ["matplotlib"]),
    ):
        files = wheels(python, packages, roots) - known
        parts.append(Part(name, files))
        known |= files
    parts.append(Part("the lessons as notebooks", all_in(live / "files")))
    return parts


def is_package(file: Path) -> bool:
    return file.suffix in (".whl", ".zip") and not file.name.startswith("python_stdlib")


def all_in(*folders: Path) -> frozenset[Path]:
    return frozenset(file for folder in folders for file in folder.rglob("*") if file.is_file())


def wheels(python: Path, packages: dict[str, Package], roots: Collection[str]) -> frozenset[Path]:
    """The wheels of these packages, and of all that they need."""
    files = {python / package["file_name"] for package in needed(packages, roots)}
    return frozenset(file for file in files if file.exists())


def first_visit(site: Path, lesson: str, *drawing: str) -> int:
    """Bytes, gzipped, that reach a reader before the first cell of a lesson is done.

    ``drawing``: the packages that this lesson loads besides those of all.
    """
    live = site / "live"
    python = live / "static" / "pyodide"
    loaded = wheels(python, packages_of(python), [*KERNEL, "minigrad-lab", *drawing])
    own = {python / name for name in ("pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")}
    own |= {*python.glob("pyodide.asm.*js"), live / "files" / f"{lesson}.ipynb"}
    return LAB + Part("", loaded | own).gzipped


def table(site: Path) -> str:
    """The sizes as lines of text."""
    rows = [f"{'':34}{'MB':>8}{'gzipped':>10}"]
    rows += lines([*page_parts(site), *live_parts(site)])
    for lesson, drawing in FIRST_CELLS.items():
        name = f"first cell of {lesson[:2]}, live"
        rows.append(f"{name:42}{first_visit(site, lesson, *drawing) / 1e6:10.2f}")
    return "\n".join(rows)


def lines(parts: Iterable[Part]) -> list[str]:
    return [f"{part.name:34}{part.bytes / 1e6:8.2f}{part.gzipped / 1e6:10.2f}" for part in parts]
