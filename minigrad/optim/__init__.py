"""Optimisers: what turns gradients into better parameters."""

from .sgd import SGD

__all__ = ["SGD"]
