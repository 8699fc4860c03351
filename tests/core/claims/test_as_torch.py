"""``install_as_torch``: a program that says ``import torch`` runs on minigrad, with one ``Tensor``.

Each program has a process of its own, since what is installed stays for the process.
"""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

ROOT = Path(__file__).resolve().parents[3]

MORE = 'more: torch.explain("MG107")'


def run(program):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_a_program_for_pytorch_runs_unchanged():
    printed = run("""
        import minigrad
        minigrad.install_as_torch()

        import torch
        import torch.nn.functional as F
        from torch import nn, Tensor
        from torch.autograd import Function
        from torch.autograd.functional import hessian
        from torch.nn.utils.rnn import pad_sequence
        from torch.utils.data import DataLoader, TensorDataset

        x = torch.tensor([1.0, -2.0], requires_grad=True)
        F.relu(x).sum().backward()
        print(x.grad)
        print(torch.nn.functional is F is nn.functional)
    """)
    assert printed == ["tensor([1., 0.])", "True"]


def test_a_message_calls_the_package_torch():
    printed = run("""
        import minigrad
        minigrad.install_as_torch()
        import torch
        try:
            torch.tensor([1.0, 2.0], requires_grad=True).backward()
        except RuntimeError as error:
            print(str(error).rpartition("\\n  ")[2])
            eval(str(error).rpartition("more: ")[2])
    """)
    assert printed[:2] == [MORE, "MG107"]


def test_so_it_does_for_who_took_only_names_out_of_it():
    printed = run("""
        import minigrad
        minigrad.install_as_torch()
        del minigrad
        from torch import tensor
        try:
            tensor([1.0, 2.0], requires_grad=True).backward()
        except RuntimeError as error:
            print(str(error).rpartition("\\n  ")[2])
    """)
    assert printed == [MORE]


def test_there_is_one_tensor_class_however_it_is_reached():
    printed = run("""
        import minigrad
        minigrad.install_as_torch()
        import torch, torch.autograd.functional, minigrad.autograd.functional
        print(torch is minigrad, torch.Tensor is minigrad.Tensor)
        print(torch.autograd.functional is minigrad.autograd.functional)
        print(isinstance(torch.ones(2), minigrad.Tensor))
    """)
    assert printed == ["True True", "True", "True"]


def test_every_public_module_has_its_name_in_torch():
    printed = run("""
        import minigrad, sys
        minigrad.install_as_torch()
        twice = [n for n, m in sys.modules.items() if n.startswith("torch.")
                 and sys.modules["minigrad" + n.removeprefix("torch")] is not m]
        print(twice)
        print(all(f"torch.{n}" in sys.modules for n in ("nn", "optim", "utils", "linalg")))
    """)
    assert printed == ["[]", "True"]


@pytest.mark.parametrize("module", ["torch.distributed", "torch.graph", "torch.nn.quantized"])
def test_a_module_that_minigrad_does_not_have_is_refused_in_a_sentence(module):
    printed = run(f"""
        import minigrad
        minigrad.install_as_torch()
        try:
            import {module}
        except ModuleNotFoundError as error:
            print(str(error).split(chr(10))[0])
    """)
    assert printed == [f"minigrad stands in for PyTorch here, and has no module '{module}'."]


def test_installing_twice_does_no_harm():
    assert run("import minigrad as m; m.install_as_torch(); m.install_as_torch()") == []


def test_a_name_that_is_taken_by_pytorch_itself_is_left_alone():
    printed = run("""
        import sys, types
        other = sys.modules["torch"] = types.ModuleType("torch")
        import minigrad
        try:
            minigrad.install_as_torch()
        except RuntimeError as error:
            print(str(error).split(chr(10))[0], sys.modules["torch"] is other)
    """)
    assert printed == ["PyTorch itself is already imported here, so its name is taken. True"]


def test_lines_that_prepare_a_graphics_card_do_nothing():
    assert run("""
        import minigrad as torch

        torch.cuda.manual_seed_all(0)
        torch.backends.cudnn.deterministic = True
        torch.backends.cudnn.benchmark = False
        torch.cuda.empty_cache()
        print(torch.cuda.is_available(), torch.cuda.memory_allocated())
        """) == ["False 0"]
