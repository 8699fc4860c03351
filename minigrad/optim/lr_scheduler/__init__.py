"""Learning rates that change during training. Counterpart: ``torch.optim.lr_scheduler``.

A scheduler sets ``group["lr"]`` each time its ``step()`` is called, once after each epoch or,
some of them, after each batch.

``base``       what they share
``schedules``  rates that follow a formula of the epoch
``one_cycle``  far up and down again, step by step
``sequence``   one schedule after the other
``plateau``    rates that fall when nothing improves
"""

from ...compat.missing import missing_from
from .base import LRScheduler, _LRScheduler
from .one_cycle import OneCycleLR
from .plateau import ReduceLROnPlateau
from .schedules import (
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiStepLR,
    StepLR,
)
from .sequence import SequentialLR

__all__ = [
    "CosineAnnealingLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "OneCycleLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

__getattr__ = missing_from(__name__)
