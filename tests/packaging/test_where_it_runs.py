"""The table of where it runs names tests that are there, and versions that were tested."""

from __future__ import annotations

import re
from pathlib import Path

import test_in_marimo

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "where_it_runs.md").read_text(encoding="utf-8")
ROWS = [line.split("|")[1:-1] for line in TEXT.splitlines() if line.startswith("| ")][1:]


def test_readme_leads_to_it():
    assert "(docs/where_it_runs.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_each_row_names_a_test_that_is_there():
    assert len(ROWS) > 8
    for where, works, tested in ROWS:
        names = re.findall(r"`(tests/[^`]+)`", tested)
        assert names and works.strip(), where
        assert all((ROOT / name).exists() for name in names), where


def test_the_version_of_marimo_is_the_one_that_is_tested():
    assert f"| marimo {test_in_marimo.VERSION.rpartition('.')[0]} |" in TEXT
