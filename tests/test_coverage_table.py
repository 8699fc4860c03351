"""The table of what minigrad covers says what is true."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

import minigrad as torch

ROOT = Path(__file__).resolve().parents[1]


def loaded():
    spec = importlib.util.spec_from_file_location("coverage_table", ROOT / "docs" / "coverage.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


coverage = loaded()


def test_the_table_is_what_the_script_writes():
    written = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
    stale = written != coverage.table()  # a name, so that pytest does not print the two tables
    assert not stale, "docs/coverage.md tells of other names: run python docs/coverage.py"


NAMES = json.loads((ROOT / "docs" / "pytorch_names.json").read_text(encoding="utf-8"))["names"]
IN_BOTH = NAMES["torch"].keys() & NAMES["torch.Tensor"].keys()


def test_a_function_that_pytorch_has_as_a_method_too_is_one():
    lacking = [n for n in IN_BOTH if hasattr(torch, n) and not hasattr(torch.Tensor, n)]
    assert not lacking, "bind these in minigrad/_methods.py"


def test_a_method_that_pytorch_has_as_a_function_too_is_one():
    lacking = [n for n in IN_BOTH if hasattr(torch.Tensor, n) and not hasattr(torch, n)]
    others = [n for n in lacking if not n.endswith("_") and n != "detach"]
    assert not others, "export these in minigrad/__init__.py"


def test_a_missing_argument_makes_a_name_partly_covered():
    def mine(input, dim):
        return input, dim

    assert coverage.missing_arguments(mine, ["dim", "keepdim"]) == ["keepdim"]
    assert coverage.missing_arguments(mine, ["dim", "out"]) == []


MISTAKEN = [
    ("torch.nograd", "torch.no_grad"),
    ("torch.Softmax", "torch.nn.Softmax"),
    ("torch.zero_grad", "optimizer.zero_grad()"),
    ("torch.Adam", "torch.optim.Adam"),
    ("torch.crossentropy", "torch.nn.functional.cross_entropy"),
    ("torch.nn.functional.mse", "torch.nn.functional.mse_loss"),
    ("torch.Linear", "torch.nn.Linear"),
    ("torch.nn.relu", "torch.nn.ReLU"),
    ("torch.tensr", "torch.tensor"),
    ("torch.optim.ADAM", "torch.optim.Adam"),
    ("torch.DataLoader", "torch.utils.data.DataLoader"),
    ("torch.item", "x.item()"),
    ("torch.StepLR", "torch.optim.lr_scheduler.StepLR"),
    ("torch.nn.crossentropyloss", "torch.nn.CrossEntropyLoss"),
    ("torch.nn.init.xavier", "torch.nn.init.xavier_uniform_"),
]


@pytest.mark.parametrize(("name", "meant"), MISTAKEN)
def test_a_name_that_is_mistaken_says_which_was_meant(name, meant):
    with pytest.raises(AttributeError) as caught:
        eval(name)
    _, question, _ = str(caught.value).split("\n")
    assert question.startswith("  did you mean ") and meant in question
    assert meant.endswith(")") or eval(meant) is not None


def test_the_names_that_are_meant_begin_as_the_program_calls_the_package():
    with pytest.raises(AttributeError, match=r"(?s)did you mean mg\.no_grad\?.*dir\(mg\)"):
        eval("mg.nograd", {"mg": torch})


@pytest.mark.parametrize("name", ["stft", "no_such_name", "svd", "vmap"])
def test_a_name_that_is_like_no_other_gets_no_question(name):
    with pytest.raises(AttributeError) as caught:
        getattr(torch, name)
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize("name", ["stft", "vmap", "distributed"])
def test_a_name_that_minigrad_does_not_have_says_where_the_table_is(name):
    with pytest.raises(AttributeError, match=r"has no attribute[^\n]*\n.*docs/coverage\.md"):
        getattr(torch, name)


MODULES = (
    torch.nn,
    torch.nn.functional,
    torch.nn.init,
    torch.nn.utils,
    torch.nn.utils.rnn,
    torch.optim,
    torch.optim.lr_scheduler,
    torch.linalg,
)


@pytest.mark.parametrize("owner", MODULES)
def test_so_do_its_modules(owner):
    with pytest.raises(AttributeError, match=r"docs/coverage\.md"):
        owner.no_such_name


UNUSED = "CELU", "Hardshrink", "Hardswish", "Softmin", "Softshrink", "Tanhshrink", "Threshold"


@pytest.mark.parametrize("name", UNUSED)
def test_activations_that_no_course_uses_are_not_covered(name):
    for owner, part in ((torch.nn, name), (torch.nn.functional, name.lower())):
        with pytest.raises(AttributeError, match="minigrad covers a part of PyTorch"):
            getattr(owner, part)


def test_a_tensor_answers_in_pytorchs_words():
    # Not in more of them: a class with `__getattr__` makes each operation 6 % slower.
    with pytest.raises(AttributeError, match="'Tensor' object has no attribute 'stft'"):
        torch.ones(1).stft()


def test_python_may_still_ask_what_an_object_has():
    assert not hasattr(torch, "no_such_name") and not hasattr(torch.ones(1), "no_such_name")
    assert getattr(torch.nn, "no_such_name", None) is None


def test_the_summary_counts_every_recorded_name():
    record = json.loads((ROOT / "docs" / "pytorch_names.json").read_text(encoding="utf-8"))
    lines = [line for line in coverage.table().splitlines() if line.startswith("| [torch")]
    for line, names in zip(lines, record["names"].values(), strict=True):
        counts = [int(part) for part in line.split("|")[2:5]]
        assert sum(counts) == len(names)
