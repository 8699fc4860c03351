"""No garbage is looked for while much is built that stays.

Python looks for garbage when many objects have been made: through all of them, again and again. A
picture of 10,000 operations is a million objects, all of which stay, so that building it took
twice as long.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Iterator[None]:
    """Inside the block no garbage is looked for.

    >>> import gc
    >>> with without_collecting():
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    if not gc.isenabled():  # the program, or a block around this one, has seen to it
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
