"""One table of sample inputs for every operation that has a derivative.

The modules beside this one fill it. ``test_gradients`` generates its checks from it, ``programs``
its comparisons with PyTorch.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from samples.sampling import SAMPLES, Sample

__all__ = ["SAMPLES", "Sample"]

for file in sorted(Path(__file__).parent.glob("[!_]*.py")):
    if not file.stem.startswith("test_"):
        importlib.import_module(f"{__name__}.{file.stem}")
