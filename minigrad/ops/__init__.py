"""The operations, by topic: each with its forward, its derivatives and its docstring together.

``elementwise``  arithmetic, choices, comparisons, logic
``functions``    powers, exponentials, angles, kinks, steps
``shaping``      views and joining
``activations``  softmax and its logarithm
``reduction``    sum, mean, max, min, var, norm
``sorting``      running sums, sort, topk
``indexing``     reading entries
``gathering``    parts, and reading and writing by tensors of indices
``linear``       matrix products
``einsum``       products over named dimensions
``matrices``     inverses, determinants, norms
``composed``     names that are a few lines on top of the others
``inplace``      writing entries
``creation``     making tensors
``random``       making tensors of random numbers
``arguments``    what they accept, and what is said of other arguments
"""

import sys
import warnings

import numpy as np

from . import (
    creation,
    elementwise,
    functions,
    gathering,
    indexing,
    inplace,
    linear,
    random,
    reduction,
    shaping,
)

# Overflow and NaN are results in tensor programs, as in PyTorch, and no cause for NumPy's
# warnings. This silences those raised by lines in these modules, and no others.
warnings.filterwarnings(
    "ignore", category=RuntimeWarning, module=r"minigrad\.(ops|fast|nn|optim)\."
)

# On Linux, free memory at the end of the heap goes back to the system, beyond a limit of 128 KB;
# and a training step frees and takes the same megabytes again and again. The limit rises to twice
# the largest block seen to be freed: so let one be seen. (Untouched, it takes no memory.)
if sys.platform == "linux":
    np.empty(2**24, np.uint8)

__all__ = [
    "creation",
    "elementwise",
    "functions",
    "gathering",
    "indexing",
    "inplace",
    "linear",
    "random",
    "reduction",
    "shaping",
]
