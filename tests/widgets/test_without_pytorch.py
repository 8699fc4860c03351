"""PyTorch is optional: the views neither need it nor bring it in."""

from __future__ import annotations

import subprocess
import sys
import types

import pytest

import minigrad
from minigrad_widgets import GraphView
from minigrad_widgets.pytorch import is_tensor

LOOK = "import sys, minigrad_widgets; print('torch' in sys.modules)"


@pytest.mark.processes
def test_importing_the_views_imports_no_pytorch():
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("module", [minigrad, types.ModuleType("torch"), None])
def test_what_is_called_torch_need_not_be_pytorch(monkeypatch, module):
    monkeypatch.setitem(sys.modules, "torch", module)
    a = minigrad.tensor(2.0, requires_grad=True)
    assert not is_tensor(a)
    assert repr(GraphView(a * a)) == "GraphView(1 operation)"
