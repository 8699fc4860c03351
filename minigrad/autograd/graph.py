"""Hooks on what the graph saves. Counterpart: ``torch.autograd.graph``."""

from ..engine.modes import saved_tensors_hooks
from ..engine.node import Node

__all__ = ["Node", "saved_tensors_hooks"]
