"""The programs of ``programs`` give here what PyTorch gave when it was recorded."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest
from programs import collected, outcome

import minigrad as torch

RECORD = Path(__file__).parent / "recorded" / "pytorch.json"
RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))["programs"]
PROGRAMS = collected()

WORDS_COMPARED = 4
"""How many words of an error's message must be PyTorch's: its users search for them."""

OTHER_WORDS = {
    # Errors of PyTorch's type in words of our own: where PyTorch's speak of its insides,
    "torch.ones(2, 3).expand(3)",
    "torch.ones(2, 3).permute(0)",
    "torch.ones(2, 3).permute(0, 0)",
    "torch.zeros(3).__setitem__(0, t([1.0, 2.0]))",
    "torch.zeros(3).__setitem__(slice(0, 2), t([1.0, 2.0, 3.0]))",
    "torch.mm(torch.ones(3), torch.ones(3, 2))",
    # where they do not name the argument,
    "torch.where([True], 1.0, 2.0)",
    't([1.0]).sum("a")',
    't([1.0]) + "a"',
    "t([1.0]) + None",
    "t([1.0]) + [1.0]",
    't([1.0]) < "a"',
    '"a" * t([1.0])',
    'torch.add(1, "a")',
    't([1.0]).reshape("a")',
    't([1.0]).unsqueeze("a")',
    "torch.zeros(2.5)",
    # where one wording serves several occasions,
    "torch.ones(2, 3) @ torch.ones(2)",
    "t([1, 2]) @ t([1.0, 2.0])",
    "t([1, 2], requires_grad=True)",
    "torch.arange(3, requires_grad=True)",
    "torch.zeros(-1)",
    "t([[1, 2], [3]])",
    "t([1, 2])[::0]",
    'setattr(t(1.0), "grad", t([1.0, 2.0]))',
    'setattr(t(1.0), "grad", t(1))',
    # where they come from Python, not from PyTorch,
    "torch.autograd.grad(1.0, t([1.0]))",
    # and where ours say what is different here.
    'torch.device("tpu")',
    "torch.no_such_function",
    "hook_that_returns_a_number",
    "function_without_backward",
}

OTHER_NODES = {
    # PyTorch derives a view's history after a write as one strided view of its base; here the
    # steps that made the view are taken again.
    "writing_through_views_of_views",
    "a_view_made_before_the_write",
    "a_base_that_starts_to_want_a_gradient",
}


def without_nodes(described):
    """A described result whose texts do not name nodes."""
    return json.loads(re.sub(r"grad_fn=<\w+>", "grad_fn", json.dumps(described)))


def differences(here, there, place="result"):
    """Where two described results differ, as lines of text."""
    if isinstance(here, dict) and isinstance(there, dict) and here.keys() == there.keys():
        for key in here:
            yield from differences(here[key], there[key], f"{place}.{key}")
    elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
        for position, (a, b) in enumerate(zip(here, there)):
            yield from differences(a, b, f"{place}[{position}]")
    elif isinstance(here, float) and isinstance(there, float):
        if not math.isclose(here, there, rel_tol=1e-6, abs_tol=2e-7):
            yield f"{place}: {here!r}, in PyTorch {there!r}"
    elif here != there or type(here) is not type(there):
        yield f"{place}:\n{here}\n   in PyTorch\n{there}"


def test_the_record_is_of_these_programs():
    assert list(PROGRAMS) == list(RECORDED), "run tests/core/record_pytorch.py again"


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_gives_what_pytorch_gives(name):
    there = RECORDED[name]
    here = outcome(torch, PROGRAMS[name])
    if name in OTHER_NODES:
        here, there = without_nodes(here), without_nodes(there)
    words = here.pop("message", "").split(), there.get("message", "").split()
    found = list(differences(here, {k: v for k, v in there.items() if k != "message"}))
    if not found and name not in OTHER_WORDS:
        ours, theirs = (" ".join(part[:WORDS_COMPARED]) for part in words)
        if ours != theirs:
            found = [f"message: {' '.join(words[0])}\n   in PyTorch\n{' '.join(words[1])}"]
    assert not found, "\n".join([name, *found[:8]])  # eight are enough to understand
