"""The data sets that travel with minigrad are what they say, and the drawn ones are repeatable."""

from __future__ import annotations

import ast
import hashlib
import inspect
import math
import re
from pathlib import Path

import numpy as np
import pytest

import minigrad as torch
from minigrad import datasets

FOLDER = Path(datasets.__file__).parent
SOURCES = (FOLDER / "SOURCES.md").read_text(encoding="utf-8").split("\n## ")[1:]
FILES = dict(
    re.search(r"^`(\S+)`.*^- SHA-256:\s+`(\w+)`", s, re.M | re.S).groups() for s in SOURCES
)
"""The SHA-256 of each file, as stated there: a file that changes is another data set."""

SIGNATURES = {name: inspect.signature(getattr(datasets, name)) for name in datasets.__all__}
READ = [name for name, takes in SIGNATURES.items() if takes.return_annotation == "Examples"]
POINTS = [name for name, takes in SIGNATURES.items() if "noise" in takes.parameters]


def test_read_and_drawn_data_sets_are_told_apart_by_their_signatures():
    assert {"digits", "names", "penguins"} <= set(READ)
    assert {"moons", "circles", "spirals", "xor", "sine"} <= set(POINTS)


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_the_one_whose_source_is_stated(name):
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == FILES[name]


def test_every_data_file_is_listed_and_all_are_small():
    found = {file.name: file.stat().st_size for file in FOLDER.iterdir() if file.is_file()}
    data = {name: size for name, size in found.items() if not name.endswith((".py", ".md"))}
    assert data.keys() == FILES.keys()
    assert sum(data.values()) < 150_000


def test_each_source_states_its_licence():
    assert len(SOURCES) == len(FILES)
    assert all("- Licence: " in part and "- From: " in part for part in SOURCES)


# ------------------------------------------------------------------------------------- files


def test_digits_are_images_between_0_and_1_of_every_class():
    data = datasets.digits()
    assert (data.x.dtype, data.y.dtype) == (torch.float32, torch.int64)
    assert data.x.shape == (1437, 1, 8, 8) and data.x_test.shape == (360, 1, 8, 8)
    assert (data.x.min().item(), data.x.max().item()) == (0, 1)
    assert data.classes == tuple("0123456789")
    everything = torch.cat([data.y, data.y_test])
    assert everything.bincount().tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    assert data.y_test.bincount().min() >= 26


def test_names_are_words_of_small_letters_each_in_one_class():
    data = datasets.names()
    words = [*data.x, *data.x_test]
    assert (len(data.x), len(data.x_test), len(set(words))) == (4800, 1200, 6000)
    assert all(word.isascii() and word.isalpha() and word.islower() for word in words)
    assert (min(map(len, words)), max(map(len, words))) == (2, 13)
    assert data.y.bincount().tolist() == [2400, 2400]
    kinds = dict(zip(words, [*data.y.tolist(), *data.y_test.tolist()], strict=True))
    assert [data.classes[kinds[name]] for name in ("mary", "smith")] == ["given name", "surname"]


def test_penguins_have_four_measures_and_a_species():
    data = datasets.penguins()
    assert data.x.shape == (273, 4) and data.x_test.shape == (69, 4)
    assert torch.cat([data.y, data.y_test]).bincount().tolist() == [151, 68, 123]
    assert data.x.isfinite().all() and data.x_test.isfinite().all()
    heaviest = data.x[:, 3].argmax()
    assert data.classes[data.y[heaviest]] == "Gentoo"


@pytest.mark.parametrize("name", READ)
def test_each_call_gives_the_same_split_in_memory_of_its_own(name):
    first, second = (getattr(datasets, name)() for _ in range(2))
    assert torch.equal(first.y_test, second.y_test)
    first.y_test.zero_()
    assert not torch.equal(first.y_test, second.y_test)


def test_nothing_is_read_on_import(monkeypatch):
    import importlib

    def refuse(*args, **options):
        raise AssertionError("read on import")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", refuse)
        patch.setattr(np, "load", refuse)
        importlib.reload(datasets.files)


# ----------------------------------------------------------------------------------- drawn


@pytest.mark.parametrize("name", POINTS)
def test_the_same_seed_gives_the_same_points(name):
    draw = getattr(datasets, name)
    first, again = (draw(50, generator=torch.Generator().manual_seed(3)) for _ in range(2))
    other = draw(50, generator=torch.Generator().manual_seed(4))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    assert not torch.equal(first[0], other[0])
    assert first[0].dtype is torch.float32 and len(first[0]) == len(first[1]) == 50


@pytest.mark.parametrize("name", POINTS)
def test_without_a_generator_the_default_one_is_drawn_from(name):
    draws = []
    for _ in range(2):
        torch.manual_seed(0)
        draws.append(getattr(datasets, name)(20)[0])
    assert torch.equal(*draws)


def test_points_without_noise_are_where_they_belong():
    x, y = datasets.circles(100, noise=0)
    assert torch.allclose(x.norm(dim=1), 1 - y / 2)
    x, y = datasets.xor(100, noise=0)
    assert torch.equal((x[:, 0] * x[:, 1] < 0).long(), y)
    x, y = datasets.moons(100, noise=0)
    centre = torch.stack([y * 1.0, y / 2], 1)
    assert torch.allclose((x - centre).norm(dim=1), torch.ones(100))
    x, y = datasets.sine(100, noise=0)
    assert torch.allclose(x.sin(), y, atol=1e-6)
    assert x.shape == y.shape == (100, 1)
    x, y = datasets.spirals(90, classes=5, noise=0)
    assert y.bincount().tolist() == [18] * 5 and x.norm(dim=1).max() <= 1


def depth_of(tree):
    if isinstance(tree, ast.Constant):
        return 0
    parts = tree.values if isinstance(tree, ast.BoolOp) else [tree.operand]
    return 1 + max(map(depth_of, parts))


@pytest.mark.parametrize("depth", range(8))
def test_boolean_trees_have_the_depth_and_the_value_they_say(depth):
    trees, y = datasets.boolean_trees(60, depth, torch.Generator().manual_seed(depth))
    assert [depth_of(tree) for tree in trees] == [depth] * 60
    assert [eval(ast.unparse(tree)) for tree in trees] == [bool(v) for v in y.tolist()]
    assert y.bincount().tolist() == [30, 30]


def test_boolean_trees_are_not_decided_by_one_operator():
    trees, y = datasets.boolean_trees(1000, 3, torch.Generator().manual_seed(0))
    kinds = [type(getattr(tree, "op", None)).__name__ for tree in trees]
    for kind in ("And", "Or", "Not"):
        values = [v for v, k in zip(y.tolist(), kinds, strict=True) if k == kind]
        assert len(values) > 100 and math.isclose(sum(values) / len(values), 0.5, abs_tol=0.1)


def test_the_same_seed_gives_the_same_trees():
    texts = [
        [ast.unparse(tree) for tree in datasets.boolean_trees(9, 4, torch.Generator())[0]]
        for _ in range(2)
    ]
    assert texts[0] == texts[1] and len(set(texts[0])) > 5
