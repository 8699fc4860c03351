"""Packages as the site serves them: without what no lesson and no kernel reads.

Each megabyte is waited for before a lesson's first cell. What is left out here is not missed by a
reader either, but in a program that asks for it by name: a serif font, a time zone of ``pytz``.
"""

from __future__ import annotations

import json
import zipfile
from fnmatch import fnmatch
from pathlib import Path

from .downloads import Package, sha256

LEFT_OUT = {
    "matplotlib": [
        "*/sample_data/*",
        "*/fonts/afm/*",  # of PostScript and PDF, as the next
        "*/fonts/pdfcorefonts/*",
        "*/ttf/DejaVuSerif*",
        "*/ttf/DejaVuSansMono-*",  # bold and slanted
        "*/ttf/DejaVuSans-BoldOblique.ttf",
        "*/ttf/STIX*Bol*",  # upright ones stay: formulas look for each of their families
        "*/ttf/STIXGeneralItalic.ttf",
        "*/ttf/STIXNonUniIta.ttf",
    ],
    "numpy": ["numpy/f2py/*", "*.pyi", "*.pxd", "*.h", "*/tests/*"],
    "pillow": ["PIL/_webp*.so", "PIL/_imagingft*.so", "PIL/_imagingtk*.so"],
}
"""Files of a package that are not served, as patterns."""

UNUSED = {"matplotlib": {"fonttools", "pytz"}}
"""What a package names among its needs, and needs for nothing that a page shows."""

ABSENT = ["jedi", "parso", "openssl", "ssl"]
"""What the kernel asks for before it starts, and does without: an empty archive stands for each."""

EMPTY = "absent.zip"


def slim(pyodide: Path) -> None:
    """Leave out what is not read from the wheels in this folder, and tell so in its lock file."""
    file = pyodide / "pyodide-lock.json"
    lock = json.loads(file.read_text(encoding="utf-8"))
    packages: dict[str, Package] = lock["packages"]
    for name, patterns in LEFT_OUT.items():
        wheel = pyodide / packages[name]["file_name"]
        leave_out(wheel, patterns)
        packages[name]["sha256"] = sha256(wheel)
    for name, unused in UNUSED.items():
        packages[name]["depends"] = sorted(set(packages[name]["depends"]) - unused)
    empty = pyodide / EMPTY
    with zipfile.ZipFile(empty, "w"):
        pass
    nothing = {"file_name": EMPTY, "sha256": sha256(empty), "imports": [], "depends": []}
    for name in ABSENT:
        if name in packages:
            packages[name] |= nothing
    file.write_text(json.dumps(lock), encoding="utf-8")


def leave_out(wheel: Path, patterns: list[str]) -> None:
    """Write an archive anew without the files whose names fit one of the patterns."""
    whole = wheel.with_suffix(".whole")
    wheel.rename(whole)
    with zipfile.ZipFile(whole) as files, zipfile.ZipFile(wheel, "w") as kept:
        for info in files.infolist():
            if not any(fnmatch(info.filename, pattern) for pattern in patterns):
                kept.writestr(info, files.read(info), zipfile.ZIP_DEFLATED, compresslevel=9)
    whole.unlink()
