"""Static graphs: a step of the program noted once, and run again as straight-line NumPy.

Nobody below knows of this room. ``compiled`` is the way in; the other files in the order in which
they are used: ``noted`` (an array that writes down what is asked of it), ``notes`` (the lines),
``doors`` (how tensors come to hold such arrays), ``surroundings`` and ``guards`` (what the lines
are for), ``program`` (what is left of them), ``printing`` (their text), ``replay`` (running them),
``checking`` (comparing them with an ordinary run), ``steps`` (the lines as data), ``memory``,
``tasks`` and ``graph`` (what can be told from them).
"""

from .compiled import Compiled, Refused, compile

__all__ = ["Compiled", "Refused", "compile"]
