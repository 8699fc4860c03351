"""Linear algebra. Counterpart: ``torch.linalg``."""

from .compat.missing import missing_from
from .ops.linear import matmul
from .ops.matrices import LinAlgError, det, inv, matrix_power, norm, slogdet, solve, vector_norm

__all__ = [
    "LinAlgError",
    "det",
    "inv",
    "matmul",
    "matrix_power",
    "norm",
    "slogdet",
    "solve",
    "vector_norm",
]

__getattr__ = missing_from(__name__)
