"""What you do with a graph: gradients by request, your own operations, checks."""

from ..compat.missing import missing_from
from ..engine.backward import backward, grad
from ..engine.modes import enable_grad, inference_mode, no_grad, set_grad_enabled
from . import functional, graph
from .anomaly import (
    detect_anomaly,
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_detect_anomaly,
)
from .function import Function
from .gradcheck import gradcheck, gradgradcheck

__all__ = [
    "Function",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]

__getattr__ = missing_from(__name__)
