"""Each notebook is played once, in this process; the tests look at what it asked and judged."""

from __future__ import annotations

import os

import pytest
from lessons import LESSONS, Lesson, Played, play

_played: dict[str, Played] = {}


@pytest.fixture(params=LESSONS, ids=str)
def lesson(request) -> Lesson:
    return request.param


def once(lesson: Lesson, monkeypatch) -> Played:
    if lesson.number not in _played:
        monkeypatch.setitem(os.environ, "MPLBACKEND", "agg")
        _played[lesson.number] = play(lesson)
    return _played[lesson.number]


@pytest.fixture
def played(lesson, monkeypatch) -> Played:
    return once(lesson, monkeypatch)


@pytest.fixture
def ran(request, monkeypatch) -> Played:
    """The notebook that a file of claims is about: ``claims/test_nb01.py`` is about 01."""
    number = request.path.stem[-2:]
    return once(next(one for one in LESSONS if one.number == number), monkeypatch)
