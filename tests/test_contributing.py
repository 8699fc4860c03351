"""What CONTRIBUTING.md says of files and commands is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE_TESTS = ROOT / "tests" / "core"
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ADDING = GUIDE.partition("## Add an operation\n")[2].partition("\n## ")[0]


def test_each_place_where_a_change_begins_is_there():
    table = GUIDE.partition("## Where do I change")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (?!I want|-)(.+) \| (.+) \|$", table, re.MULTILINE)
    assert len(rows) >= 15
    for change, place in rows:
        paths = re.findall(r"`([\w.]+/[\w./]*|lab.py)`", place)
        assert paths and all((ROOT / path).exists() for path in paths), change


def test_the_files_that_an_operation_touches_are_there():
    named = re.findall(r"[\w*/]+/[\w*]+\.(?:py|md)", ADDING)
    assert len(set(named)) > 8
    assert [path for path in named if not list(ROOT.glob(path))] == []


def test_the_helpers_that_an_operation_uses_are_where_it_says():
    arguments = (ROOT / "minigrad" / "compat" / "arguments.py").read_text(encoding="utf-8")
    for helper in ("check_implemented", "ensure"):
        assert f"`{helper}(" in ADDING and f"def {helper}(" in arguments


def test_the_version_of_pytorch_is_the_recorded_one():
    recorder = (CORE_TESTS / "compared" / "record_pytorch.py").read_text(encoding="utf-8")
    (version,) = re.findall(r'^VERSION = "(.*)"', recorder, re.MULTILINE)
    assert f"torch=={version}.*" in ADDING
    for record in CORE_TESTS.glob("*/recorded/*.json"):
        told = re.match(r'{"version": "(.*)"', record.read_text(encoding="utf-8"))
        assert told is None or told[1].startswith(f"{version}."), record.name
