"""One table of sample inputs for every operation that has a derivative.

The modules ``samples_*`` fill it. ``test_gradients`` generates its checks from it, ``programs``
its comparisons with PyTorch.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from sampling import SAMPLES, Sample

__all__ = ["SAMPLES", "Sample"]

for file in sorted(Path(__file__).parent.glob("samples_*.py")):
    importlib.import_module(file.stem)
