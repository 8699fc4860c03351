"""What annotations mean in ``ops``, and in the rooms that compute with arrays above it.

Where they are used is said in ``ops/__init__``.
"""

from __future__ import annotations

from typing import Any

Array = Any
"""What an operation computes with: a NumPy array; for a 0-d tensor, mostly a NumPy scalar."""

Dims = tuple[int, ...]
"""Dimensions, counted from the front."""

Shape = tuple[int, ...]
"""The size of each dimension."""

Index = tuple[Any, ...]
"""A NumPy index, one part for each dimension."""
