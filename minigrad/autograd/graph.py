"""Hooks on what the graph saves. Counterpart: ``torch.autograd.graph``."""

from ..graph import Node
from ..packing import saved_tensors_hooks

__all__ = ["Node", "saved_tensors_hooks"]
