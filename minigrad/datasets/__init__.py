"""Small data sets that travel with minigrad, and generators of others. No counterpart in PyTorch.

``files``      handwritten digits, names, penguins; from where, and their licences: SOURCES.md
``generated``  moons, spirals, circles, XOR, a sine wave, Boolean expressions
"""

from .files import Examples, digits, names, penguins
from .generated import boolean_trees, circles, moons, sine, spirals, xor

__all__ = [
    "Examples",
    "boolean_trees",
    "circles",
    "digits",
    "moons",
    "names",
    "penguins",
    "sine",
    "spirals",
    "xor",
]
