"""What does not belong to tensors or gradients themselves."""

from ..compat.missing import missing_from
from . import checkpoint, data

__all__ = ["checkpoint", "data"]

__getattr__ = missing_from(__name__)
