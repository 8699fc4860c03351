"""The operations, by topic: each with its forward, its derivatives and its docstring together.

``elementwise``  arithmetic, powers, exponentials, kinks, comparisons
``shaping``      views and joining
``reduction``    sum, mean, max, min
``indexing``     reading entries
``linear``       matrix products
``inplace``      writing entries
``creation``     making tensors
``arguments``    what they accept, and what is said of other arguments
"""

import warnings

from . import creation, elementwise, indexing, inplace, linear, reduction, shaping

# Overflow and NaN are results in tensor programs, as in PyTorch, and no cause for NumPy's
# warnings. This silences those raised by lines in these modules, and no others.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\.ops\.")

__all__ = ["creation", "elementwise", "indexing", "inplace", "linear", "reduction", "shaping"]
