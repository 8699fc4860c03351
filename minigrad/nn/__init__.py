"""What networks are made of. Counterpart: ``torch.nn``.

``functional``     the functions, without state
``activations``    of these, those with a kink or a gate
``losses``         the losses
``normalization``  and the normalisations
"""

from ..missing import missing_from
from . import functional

__all__ = ["functional"]

__getattr__ = missing_from(__name__)
