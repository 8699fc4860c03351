"""The tests of compiled functions use the samples of the core's tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "core"))
