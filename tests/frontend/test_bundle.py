"""The front end's own checks, and the proof that its committed bundles are fresh."""

from __future__ import annotations

import shutil
import subprocess

import pytest

import lab

pytestmark = pytest.mark.node


def npm(*arguments, folder):
    done = subprocess.run(
        [lab.find_npm(), *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, "\n" + done.stdout + done.stderr


def test_the_types_of_the_front_end_hold(front_end):
    npm("run", "check", folder=front_end)


def test_the_front_ends_own_tests_pass(front_end):
    npm("test", folder=front_end)


def test_the_committed_bundles_are_what_the_source_makes(front_end, tmp_path):
    fresh = shutil.copytree(front_end, tmp_path / "widgets", symlinks=True)
    shutil.rmtree(fresh / "minigrad_widgets" / "static")
    npm("run", "build", folder=fresh)
    committed, built = (
        {file.name: file.read_bytes() for file in (folder / "minigrad_widgets/static").iterdir()}
        for folder in (front_end, fresh)
    )
    assert committed.keys() == built.keys()
    # Not compared with ==, whose report on a difference in one long line takes minutes.
    different = [name for name in built if committed[name] != built[name]]
    assert not different, "run `npm run build` in widgets/ and commit the result"
