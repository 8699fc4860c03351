"""Optimisers: what turns gradients into better parameters. Counterpart: ``torch.optim``.

``optimizer``     what they share; ``options`` what is said of wrong ones
``averages``      what their formulas are made of
``sgd``           gradient descent, with momentum
``adam``          Adam and AdamW
``rmsprop``       RMSprop
``adagrad``       Adagrad
``lbfgs``         L-BFGS, with or without the line search of ``line_search``
``lr_scheduler``  learning rates that change during training
"""

from ..compat.missing import missing_from
from . import lr_scheduler
from .adagrad import Adagrad
from .adam import Adam, AdamW
from .lbfgs import LBFGS
from .optimizer import Optimizer
from .rmsprop import RMSprop
from .sgd import SGD

__all__ = ["LBFGS", "SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "lr_scheduler"]

__getattr__ = missing_from(__name__)
