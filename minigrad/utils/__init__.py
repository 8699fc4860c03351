"""What does not belong to tensors or gradients themselves."""

from . import checkpoint

__all__ = ["checkpoint"]
