"""Our wheels in Pyodide's lock file: a cell that imports them then loads them, with no install."""

from __future__ import annotations

import email
import json
import re
import shutil
import zipfile
from collections.abc import Collection, Iterable
from pathlib import Path

from .downloads import Package, canonical, packages_of, sha256

STUBBED = {"comm", "widgetsnbextension", "jupyterlab-widgets", "jupyterlab", "ipykernel"}
"""What the kernel in the browser has something of its own for. Listed, it would never start."""


def add(pyodide: Path, wheels: Iterable[Path], loaded: Collection[str] = ()) -> None:
    """Copy wheels beside Pyodide and put them into its lock file.

    ``loaded``: the optional parts of the packages that are loaded with them, as "widgets".
    """
    packages = packages_of(pyodide)
    for wheel in wheels:
        package = described(wheel, loaded)
        if canonical(package["name"]) not in STUBBED:
            packages[package["name"]] = package
            shutil.copy(wheel, pyodide)
    file = pyodide / "pyodide-lock.json"
    lock = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**lock, "packages": packages}), encoding="utf-8")


def described(wheel: Path, loaded: Collection[str]) -> Package:
    """A wheel as an entry of the lock file."""
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        metadata = next(name for name in names if name.endswith(".dist-info/METADATA"))
        about = email.message_from_bytes(files.read(metadata))
    modules = {name.split("/")[0].removesuffix(".py") for name in names if name.endswith(".py")}
    needs = [need(text, loaded) for text in about.get_all("Requires-Dist", [])]
    return {
        "name": canonical(about["Name"]),
        "version": about["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": sha256(wheel),
        "package_type": "package",
        "imports": sorted(name for name in modules if name.isidentifier()),
        "depends": sorted({name for name in needs if name} - STUBBED),
        "unvendored_tests": False,
    }


def need(requirement: str, loaded: Collection[str]) -> str:
    """The package that a line of metadata asks for; "" if it need not be loaded.

    Of conditions only extras count: what else there is asks for other systems or old Pythons.
    """
    text, _, condition = requirement.partition(";")
    extra = re.search(r"extra *== *['\"]([\w-]+)['\"]", condition)
    if condition and (extra is None or extra[1] not in loaded):
        return ""
    found = re.match(r"[\w.-]+", text.strip())
    return canonical(found[0]) if found else ""
