"""``python -m website``: build the site, and show it. ``python lab.py site`` calls it."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path

import lab

from . import front, lite, pages, sizes, versions
from .downloads import Missing
from .reference.build import build as build_reference
from .serve import address_of, served

KEPT = lite.ROOT / ".site"
if versions.CHOSEN != versions.DEFAULT:
    KEPT /= versions.CHOSEN
"""Where downloads are kept from one build to the next."""


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="lab.py site", description="Build the course's site.")
    parser.add_argument("out", nargs="?", type=Path, default=lite.ROOT / "site")
    parser.add_argument("--build-only", action="store_true", help="do not show it afterwards")
    parser.add_argument("--port", type=int, default=0, help="show it at this port")
    chosen = parser.parse_args(arguments)
    started = time.monotonic()
    try:
        build(chosen.out, KEPT)
    except Missing as missing:
        print(f"The site cannot be built: {missing}.", file=sys.stderr)
        return 1
    size = sum(file.stat().st_size for file in chosen.out.rglob("*") if file.is_file())
    took = time.monotonic() - started
    print(sizes.table(chosen.out))
    print(f"{chosen.out}: {size / 1e6:.0f} MB, built in {took:.0f} s", flush=True)
    if not chosen.build_only:
        with served(chosen.out, chosen.port) as server:
            print(f"The site is at {address_of(server)} until Ctrl-C.", flush=True)
            server.serve_forever()
    return 0


def build(out: Path, kept: Path) -> None:
    """The whole site in the folder ``out``, in place of what was there."""
    lite.build(out / "live", kept)
    build_pages(out)


def build_pages(out: Path) -> None:
    """The pages that need no kernel."""
    for name in ("site.css", "views.js"):
        shutil.copy(pages.PARTS / name, out / name)
    shutil.copytree(pages.STATIC, out / "views", dirs_exist_ok=True)
    shown = front.stepper()
    source = f"https://github.com/{versions.REPOSITORY}"
    about = {"program": front.PROGRAM, "stepper": shown.body, "views": shown.views}
    pages.write_page(out / "index.html", "front.html", **about, source=source, root="")
    lessons = [pages.lesson_of(path) for path in sorted(lab.NOTEBOOKS.glob("*.ipynb"))]
    folder = out / "lessons"
    pages.write_page(folder / "index.html", "lessons.html", root="../", lessons=lessons)
    for picture in lab.NOTEBOOKS.glob("*.svg"):
        shutil.copy(picture, folder)
    for before, lesson, after in zip([None, *lessons], lessons, [*lessons[1:], None]):
        write_lesson(folder, lesson, before=before, after=after)
    write_lesson(folder, pages.article_of(lab.NOTEBOOKS / "articles.md"), before=None, after=None)
    build_reference(out)


def write_lesson(folder: Path, lesson: pages.Lesson, **around: pages.Lesson | None) -> None:
    file = folder / f"{lesson.name}.html"
    about = {"lesson": lesson, "views": lesson.views, **around}
    pages.write_page(file, "lesson.html", root="../", **about)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print()
