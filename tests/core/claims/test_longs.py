"""Integers that NumPy would make as wide as a pointer have 64 bits, on every machine."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import minigrad as torch
from minigrad import longs

ROOT = Path(__file__).resolve().parents[3]
CORE = ROOT / "minigrad"
FILES = [file for file in sorted(CORE.rglob("*.py")) if file != CORE / "longs.py"]

OWN = {name for name in vars(longs) if hasattr(np, name) and name != "array"}
COUNTING = OWN | {"cumprod", "cumsum", "digitize", "lexsort", "unravel_index"}
"""NumPy's functions and methods whose results are as wide as a pointer, unless a dtype is said."""

POINTERS = {"int_", "intp", "uint", "uintp"}


def leaks(text):
    """The lines of a program where integers of a width that depends on the machine are made."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and node.attr in POINTERS:
            yield node.lineno
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        whose = node.func.value
        from_longs = isinstance(whose, ast.Name) and whose.id == "longs"
        dtypes = [keyword.value for keyword in node.keywords if keyword.arg == "dtype"]
        if node.func.attr in COUNTING and not from_longs and not dtypes:
            yield node.lineno
        if node.func.attr == "astype":
            dtypes += node.args[:1]
        if any(isinstance(dtype, ast.Name) and dtype.id == "int" for dtype in dtypes):
            yield node.lineno


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(CORE).as_posix())
def test_no_file_makes_integers_as_wide_as_a_pointer(file):
    lines = sorted(leaks(file.read_text(encoding="utf-8")))
    fix = "make them with minigrad/longs.py, or say a dtype"
    assert not lines, f"lines {lines} of {file.relative_to(ROOT)}: {fix}"


@pytest.mark.parametrize(
    "line",
    [
        "places = np.arange(5)",
        "places = array.argmax(0)",
        "array = np.zeros(3, dtype=int)",
        "array = array.astype(int)",
        "array = np.zeros(3, np.intp)",
        "sums = np.cumsum(array > 0)",
    ],
)
def test_a_line_that_does_would_be_found(line):
    assert list(leaks(line)) == [1]


@pytest.mark.parametrize(
    "line",
    [
        "places = longs.arange(5)",
        "places = longs.argmax(array, 0)",
        "places = np.arange(5, dtype=np.int32)",
        "sums = np.cumsum(array > 0, dtype=np.int64)",
        "array = array.astype(np.int64)",
    ],
)
def test_and_others_are_not(line):
    assert not list(leaks(line))


def test_what_a_narrow_machine_makes_is_widened_and_nothing_else(monkeypatch):
    monkeypatch.setattr(longs, "POINTER", np.dtype(np.int32))
    monkeypatch.setattr(longs, "NARROW", True)
    places, bits, floats = longs.widened((np.arange(2, dtype=np.int32), np.uint8(1), np.ones(1)))
    assert (places.dtype, bits.dtype, floats.dtype) == (np.int64, np.uint8, np.float64)
    assert longs.told(places).dtype == np.int32
    argmax = longs.wide(lambda array: np.int32(array.argmax()))
    assert argmax(np.ones(2)).dtype == np.int64


@pytest.mark.pointers
def test_a_wide_machine_pays_nothing():
    """There they are NumPy's own functions."""
    assert longs.arange is np.arange
    assert longs.argsort is np.argsort
    assert longs.array is np.array


LONG = {
    "tensor": lambda x: torch.tensor([1, 2]),
    "tensor of one": lambda x: torch.tensor(1),
    "as_tensor": lambda x: torch.as_tensor([[1], [2]]),
    "arange": lambda x: torch.arange(3),
    "full": lambda x: torch.full((2,), 7),
    "randint": lambda x: torch.randint(3, (2,)),
    "randperm": lambda x: torch.randperm(3),
    "argmax": lambda x: x.argmax(),
    "argmax along": lambda x: x.argmax(1),
    "max": lambda x: x.max(1).indices,
    "min": lambda x: x.min(0).indices,
    "cummax": lambda x: x.cummax(0).indices,
    "sort": lambda x: x.sort().indices,
    "argsort": lambda x: x.argsort(descending=True),
    "topk": lambda x: x.topk(2).indices,
    "topk of many": lambda x: torch.rand(2000).topk(2).indices,
    "kthvalue": lambda x: x.kthvalue(2).indices,
    "median": lambda x: x.median(1).indices,
    "unique": lambda x: torch.unique(x, return_inverse=True)[1],
    "unique counts": lambda x: torch.unique(x, return_counts=True)[1],
    "unique_consecutive": lambda x: torch.unique_consecutive(x, return_counts=True)[1],
    "inverse": lambda x: torch.unique_consecutive(x, return_inverse=True)[1],
    "bincount": lambda x: torch.bincount(torch.tensor([1, 2])),
    "nonzero": lambda x: x.nonzero(),
    "nonzero as tuple": lambda x: x.nonzero(as_tuple=True)[0],
    "where": lambda x: torch.where(x > 1)[0],
    "count_nonzero": lambda x: torch.count_nonzero(x),
    "repeat_interleave": lambda x: torch.arange(2).repeat_interleave(torch.tensor([1, 2])),
    "tril_indices": lambda x: torch.tril_indices(2, 2),
    "multinomial": lambda x: torch.multinomial(x[0] + 1, 2),
    "multinomial again": lambda x: torch.multinomial(x[0] + 1, 5, replacement=True),
    "sum of booleans": lambda x: (x > 1).sum(),
    "sum of int32": lambda x: x.int().sum(0),
    "prod of int32": lambda x: x.int().prod(),
    "cumsum of booleans": lambda x: (x > 1).cumsum(0),
    "booleans and a number": lambda x: (x > 1) * 2,
    "int": lambda x: torch.tensor([True]) + 1,
    "max_pool2d": lambda x: torch.nn.functional.max_pool2d(x[None], 1, return_indices=True)[1],
    "one_hot": lambda x: torch.nn.functional.one_hot(torch.tensor([0, 1])),
    "moons": lambda x: torch.datasets.moons(4)[1],
    "digits": lambda x: torch.datasets.digits().y,
    "names": lambda x: torch.datasets.names().y,
    "boolean trees": lambda x: torch.datasets.boolean_trees(2, 1)[1],
    "a batch of numbers": lambda x: next(iter(torch.utils.data.DataLoader([1, 2], 2))),
}


@pytest.mark.parametrize("name", LONG)
def test_it_is_int64(name):
    x = torch.tensor([[1.0, 3.0, 2.0], [4.0, 6.0, 5.0]])
    assert LONG[name](x).dtype is torch.int64


def test_int32_stays_int32_where_it_was_asked_for():
    x = torch.tensor([3, 1, 3], dtype=torch.int32)
    assert torch.unique(x).dtype is torch.int32
    assert torch.sort(x).values.dtype is torch.int32
    assert (x + 1).dtype is torch.int32
    assert torch.arange(3, dtype=torch.int32).dtype is torch.int32
    assert torch.tensor(np.array([1], np.int32)).dtype is torch.int32


@pytest.mark.processes
def test_all_this_and_the_examples_hold_where_numpy_makes_32_bits(tmp_path):
    """In a process of its own, with what ``narrow_numpy`` makes of NumPy's functions."""
    here = Path(__file__).parent
    path = os.pathsep.join([str(here), str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-q", "-p", "narrow_numpy"]
    chosen = "is_int64 or int32_stays or examples"
    files = [str(here / "test_longs.py"), str(here / "test_doctests.py")]
    done = subprocess.run(
        [*command, "-o", f"cache_dir={tmp_path}", "-k", f"({chosen}) and not all_this", *files],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
