"""HW1 for the tests that hand it in through other graders, which are installed for that.

Nothing here depends on them. Each is installed into a folder of its own, which is deleted
afterwards; without it, only what is made for it is tested.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from hw1_wrong import WRONG

ROOT = Path(__file__).resolve().parents[2]
HW1 = ROOT / "homework" / "hw1"
SECONDS = 240  # for the installation; where it takes longer, the round trip is skipped
BY_MISTAKE = {one.mistake: one for one in WRONG}


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def answer_of(cell):
    tags = cell["metadata"].get("tags", [])
    return next((tag.removeprefix("answer:") for tag in tags if tag.startswith("answer:")), "")


RIGHT = {
    answer_of(cell): "".join(cell["source"])
    for cell in read(HW1 / "hw1.ipynb")["cells"]
    if answer_of(cell)
}


def name_of(mistake):
    """The student who makes it; a name that can be one of a file."""
    return mistake.replace(" ", "-").replace("'", "")


def with_mistake(mistake):
    """The answers, one of which has this mistake."""
    one = BY_MISTAKE[mistake]
    assert RIGHT[one.answer].count(one.right) == 1
    return {**RIGHT, one.answer: RIGHT[one.answer].replace(one.right, one.wrong)}


# Twelve submissions: who has handed them in, and the points that each has.
SPOILED = {
    "swapped factors": 90,
    "the exponent stays": 90,
    "keeps the first": 90,
    "sends sums again": 90,
    "before its users": 85,
    "a stack's order": 80,
    "sets the grad anew": 85,
    "nothing is summed": 80,
    "shared arrays": 80,
    "always true": 90,
}
POINTS = {"perfect": 100, "empty": 0} | {name_of(mistake): SPOILED[mistake] for mistake in SPOILED}
SUBMISSIONS = {"perfect": RIGHT, "empty": {}} | {
    name_of(mistake): with_mistake(mistake) for mistake in SPOILED
}
FEW = ("empty", "sends-sums-again", "shared-arrays")
"""Those that are handed in where nobody has asked for all: ``pytest --twelve``."""

TELLS = {name_of(mistake): BY_MISTAKE[mistake].says for mistake in SPOILED}


@contextmanager
def installed(requirement, home):
    """A function that runs a module of this package in a folder."""
    folder = home / "packages"
    install(requirement, folder)
    places = [ROOT, folder, os.environ.get("PYTHONPATH", "")]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("XDG_")},
        "HOME": str(home),
        "PATH": os.pathsep.join([str(folder / "bin"), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(map(str, filter(None, places))),
    }

    def run(place, *arguments):
        command = [sys.executable, "-m", *map(str, arguments)]
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]

    yield run
    shutil.rmtree(home)


def install(requirement, folder):
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--retries=1", "install"]
    command = [*pip, "--quiet", "--only-binary=:all:", "--target", folder, requirement]
    try:
        done = subprocess.run(command, timeout=SECONDS, capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        pytest.skip(f"{requirement} could not be installed within {SECONDS} seconds")
    if done.returncode != 0:
        last = done.stderr.strip().rpartition("\n")[2]
        pytest.skip(f"{requirement} cannot be had here ({last})")
