"""The program that the README shows is the one that its example prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_program_in_the_readme_is_what_its_example_prints(tmp_path):
    text = README.read_text(encoding="utf-8")
    section = text[text.index("## A static graph to compare with") :]
    example, printed = re.findall(r"```(?:python)?\n(.*?)```", section, re.DOTALL)[:2]
    file = tmp_path / "example.py"
    file.write_text(example, encoding="utf-8")
    done = subprocess.run([sys.executable, file], capture_output=True, text=True)
    assert not done.stderr
    assert [line.rstrip() for line in done.stdout.rstrip().splitlines()] == printed.splitlines()
