"""The workflows pass a linter for such files: zizmor, of the extra ``test``."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

import lab

GITHUB = Path(lab.ROOT, ".github")
LINTER = shutil.which("zizmor", path=sysconfig.get_path("scripts")) or shutil.which("zizmor")

pytestmark = [
    pytest.mark.skipif(not GITHUB.exists(), reason="an sdist comes without it"),
    pytest.mark.skipif(LINTER is None, reason="zizmor is not installed"),
]


def linted(folder):
    options = ["--offline", "--strict-collection", "--no-progress", "--quiet", "--color=never"]
    return subprocess.run([LINTER, *options, folder], capture_output=True, text=True)


def test_a_linter_finds_nothing_in_the_workflows():
    done = linted(GITHUB)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("step", "finding"),
    [
        ("run: echo ${{ github.event.issue.title }}", "template-injection"),
        ("uses: somebody/action@v1", "unpinned-uses"),
        ("uses: actions/checkout@v4", "artipacked"),
        ("runs: misspelt", "does not match expected validation schema"),
    ],
)
def test_the_linter_finds_what_is_wrong(tmp_path, step, finding):
    copied = shutil.copytree(GITHUB, tmp_path / ".github")
    file = copied / "workflows" / "site.yml"
    with file.open("a", encoding="utf-8") as workflow:
        workflow.write(f"      - {step}\n")
    done = linted(copied)
    assert done.returncode != 0 and finding in done.stdout + done.stderr
