"""Optimisers: what turns gradients into better parameters."""

from ..missing import missing_from
from .sgd import SGD

__all__ = ["SGD"]

__getattr__ = missing_from(__name__)
