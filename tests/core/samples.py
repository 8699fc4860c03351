"""One table of sample inputs for every operation that has a derivative.

``test_gradients`` generates its checks from it, ``programs`` its comparisons with PyTorch.
"""

from __future__ import annotations

import samples_of_numbers
import samples_of_places
from sampling import SAMPLES, Sample

__all__ = ["SAMPLES", "Sample", "samples_of_numbers", "samples_of_places"]
