"""What you do with a graph: gradients by request, your own operations, checks."""

from ..gradients import backward, grad
from .function import Function
from .gradcheck import gradcheck, gradgradcheck

__all__ = ["Function", "backward", "grad", "gradcheck", "gradgradcheck"]
