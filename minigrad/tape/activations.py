"""Which call of which function has made a node: what nests the nodes of a program.

A frame is gone when its call has returned, and the next one may stand at the same address. So a
call that records something gets a number, and keeps it where a debugger keeps its function: in
the ``f_trace`` of its frame, which nobody calls while nobody traces.
"""

from __future__ import annotations

import itertools
from types import CodeType, FrameType
from typing import Any

from .source import is_library

WATCHED = "call_watched"  # the function by which ``nn`` calls a module while somebody watches

numbers = itertools.count(1)


class Activation:
    """One call of a function. It keeps no frame, and so no tensor, alive."""

    __slots__ = ("at", "caller", "code", "modules", "number")

    def __init__(
        self, code: CodeType | None, caller: Activation | None, at: int, modules: int
    ) -> None:
        self.number = next(numbers)
        self.code = code  # None: a function of minigrad's, which is no part of the program
        self.caller = caller  # None: it is the outermost code of a cell or a file
        self.at = at  # the instruction of the caller
        self.modules = modules  # how many calls of modules it is in, see ``tape.scope``

    def __call__(self, *event: Any) -> None:
        """A debugger that finds it in a frame gets nothing to call there."""


_traced: dict[int, Activation] = {}  # frames that a debugger has for itself, by their address


def activation_of(frame: FrameType) -> Activation:
    """The call that this frame of the program belongs to."""
    above: list[FrameType] = []
    known: Activation | None = None
    here: FrameType | None = frame
    while here is not None:
        if not is_library(here.f_code.co_filename):
            known = kept_in(here)
            if known is not None:
                break
            above.append(here)
            if is_outermost(here):
                break
        here = here.f_back
    for each in reversed(above):  # the outermost first
        known = called(each, known)
    assert known is not None
    return known


def called(frame: FrameType, caller: Activation | None) -> Activation:
    """A new call, made by that one; minigrad's frames between the two are passed over."""
    modules = 0 if caller is None else caller.modules
    at = -1
    outer = None if is_outermost(frame) else frame.f_back
    while outer is not None and is_library(outer.f_code.co_filename):
        modules += outer.f_code.co_name == WATCHED
        outer = outer.f_back
    if outer is not None:
        at = outer.f_lasti
    found = Activation(frame.f_code, caller, at, modules)
    return keep_in(frame, found)


def entered(frame: FrameType, caller: Activation | None, at: int) -> Activation:
    """The call of a function of minigrad's by the program, whose frame this is."""
    known = kept_in(frame)
    if known is not None:
        return known
    return keep_in(frame, Activation(None, caller, at, 0 if caller is None else caller.modules))


def kept_in(frame: FrameType) -> Activation | None:
    """What an earlier node of the same call has left in its frame."""
    known: Any = frame.f_trace
    if type(known) is Activation:
        return known
    return None


def keep_in(frame: FrameType, found: Activation) -> Activation:
    if frame.f_trace is None:
        frame.f_trace = found
        return found
    # A debugger is there: of two calls by one instruction, at one address, we know nothing.
    known = _traced.get(id(frame))
    if known and (known.code, known.caller, known.at) == (found.code, found.caller, found.at):
        return known
    if len(_traced) > 1000:
        _traced.clear()
    _traced[id(frame)] = found
    return found


def is_outermost(frame: FrameType) -> bool:
    """Is it the code of a cell or a file itself?"""
    return frame.f_code.co_name.startswith(("<module", "<cell"))
