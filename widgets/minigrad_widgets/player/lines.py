"""Follows a running block: its statements, the functions of the program that it calls.

Python tells each line before it runs (``sys.settrace``). So a statement has ended when the next one
of its frame begins, or its frame ends; then its changes are known.
"""

from __future__ import annotations

import inspect
import linecache
import os
import sys
import sysconfig
from collections.abc import Collection, Mapping
from types import CodeType, FrameType
from typing import Any, Protocol

from minigrad.errors import LIBRARIES

from .statements import Loop, Statements, statements_of
from .variables import Change, Names, Seen, changes

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
INSTALLED = tuple(
    os.path.join(sysconfig.get_path(name), "") for name in ("stdlib", "platstdlib", "purelib")
)
NOT_MINE = (*LIBRARIES, HERE, *INSTALLED, "<frozen")
ONCE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""What is called once and entered often; what it records is told, its lines are not."""


class Telling(Protocol):
    """Who is told what happens."""

    def known(self, changed: list[Written]) -> None: ...
    def called(self, call: Call, changed: list[Written]) -> None: ...
    def ran(self, call: Call, changed: list[Written], returned: Any) -> None: ...


Written = tuple[int, Change]
"""A change, and the number of the call whose variable it is."""


class Call:
    """A function of the program that runs, or the block itself."""

    def __init__(self, number: int, code: CodeType, begins: int) -> None:
        self.number = number  # 0: the block
        self.code = code
        self.statements: Statements = statements_of(code.co_filename)
        self.begins = begins  # its line
        self.line = 0  # of the statement that runs; 0: none
        self.latest = 0  # of the statement that began last
        self.since = 0  # its moments have this number, and higher ones
        self.passes: dict[int, int] = {}  # of each loop, by its first line: the pass that runs
        self.seen: dict[str, Seen] = {}
        self.raised = ""  # what the statement that runs has raised
        self.names = (*code.co_varnames, *code.co_cellvars, *code.co_freevars)
        self.scope = "" if number == 0 else code.co_qualname

    def next_statement(self, line: int) -> int | None:
        """The first line of the statement that begins with this one; None if one goes on."""
        first = self.statements.begins(line)
        whole = self.statements.first.get(first + 1) != first  # it has one line
        if first != self.line or (first == line and (whole or first in self.statements.targets)):
            return first
        return None

    def goes_to(self, first: int) -> None:
        """A statement is about to run: in which passes of the loops around it?"""
        for loop in self._loops(first):
            if not loop.has(self.latest):
                self.passes[loop.first] = 0
            from_outside = loop.repeats(first) and not loop.repeats(self.latest)
            if from_outside or (first == loop.body and self._begins_again(first)):
                self.passes[loop.first] += 1
        self.line = self.latest = first

    def _begins_again(self, first: int) -> bool:
        """Is a body that begins here run again? The head of ``while True`` runs only once."""
        inner = [one for one in self.statements.loops if one.first == first]
        return self.latest >= first and not any(one.repeats(self.latest) for one in inner)

    def leaves(self, first: int) -> bool:
        """Is the head of a ``with`` reached at its end?"""
        last = self.statements.withs.get(first, 0)
        return first < self.latest <= last or (first == self.begins and self.number == 0)

    def assigned(self, goes_to: int | None) -> frozenset[str]:
        """The variables that the statement has assigned to, if it has not raised an error."""
        if self.raised:
            return frozenset()
        begins = [one for one in self._loops(self.line) if one.first == self.line]
        if begins:  # it assigns to what it goes through, unless it has come to its end
            goes_in = goes_to is not None and begins[-1].repeats(goes_to)
            return self.statements.targets[self.line] if goes_in else frozenset()
        return self.statements.assigned.get(self.line, frozenset())

    def pass_numbers(self) -> list[int]:
        """Of each loop around the statement, in which pass it runs, the outermost one first."""
        loops = [one for one in self._loops(self.line) if one.repeats(self.line)]
        return [self.passes.get(one.first, 0) for one in loops]

    def _loops(self, line: int) -> list[Loop]:
        return [one for one in self.statements.around(line) if one.first > self.begins]


class Lines:
    """Tells of each statement of a block, when it has run, what it has changed."""

    def __init__(self, told: Telling, key_of: Any) -> None:
        self._told = told
        self._key_of = key_of
        self._calls: list[tuple[FrameType, Call]] = []
        self._names: dict[int, Names] = {}  # per call
        self._leaves: dict[str, str] = {}
        self._wanted: dict[str, None] = {}  # of the block: names that its code, or a callee's, has
        self._codes: set[int] = set()
        self._mine: dict[str, bool] = {}
        self._count = 0
        self.follows = False
        self.failed = ""  # our own error, because of which the program was followed no further

    @property
    def leaves(self) -> dict[str, str]:
        """The names of leaves in the block, by their keys on the tape."""
        return self._leaves

    @property
    def now(self) -> Call | None:
        """The innermost call of the program."""
        return self._calls[-1][1] if self._calls else None

    def begin(self, frame: FrameType) -> None:
        """Follow this frame from now on.

        Not where a debugger, or a measurement of coverage, follows the program already.
        """
        begins = statements_of(frame.f_code.co_filename).begins(frame.f_lineno)
        block = Call(0, frame.f_code, begins)
        self._calls = [(frame, block)]
        self._names[0] = Names(self._key_of)
        self._leaves = self._names[0].leaves
        self._wanted.update(dict.fromkeys(block.names))
        self._want(frame.f_code)
        if sys.gettrace() is None:
            self.follows = True
            frame.f_trace = self._local
            sys.settrace(self._entered)

    def end(self, raised: str) -> None:
        """Follow nothing any more; the last statement has run."""
        if not self.follows:
            return
        sys.settrace(None)
        self.follows = False
        for frame, _ in self._calls:
            frame.f_trace = None
        frame, block = self._calls[0]
        del self._calls[1:]
        block.raised = raised
        if block.line:
            self._ended(frame, block)
        self._calls = []

    # ------------------------------------------------------------------ called by Python

    def _entered(self, frame: FrameType, _event: str, _arg: Any) -> Any:
        if not self.follows or not self._is_mine(frame.f_code):
            return None
        return self._safely(self._calls_function, frame, None, None)

    def _local(self, frame: FrameType, event: str, arg: Any) -> Any:
        return self._safely(self._goes, frame, event, arg) if self.follows else None

    def _safely(self, follow: Any, frame: FrameType, event: Any, arg: Any) -> Any:
        """An error of ours must not become one of the program: rather follow it no further."""
        try:
            return follow(frame, event, arg)
        except Exception as error:
            self.follows = False
            self.failed = type(error).__name__
            sys.settrace(None)
            return None

    def _calls_function(self, frame: FrameType, _event: Any, _arg: Any) -> Any:
        code = frame.f_code
        self._count += 1
        call = Call(self._count, code, code.co_firstlineno)
        self._calls.append((frame, call))
        self._names[call.number] = Names(self._key_of, self._names[0])
        self._want(code)
        call.seen = self._look(frame, call)
        self._told.called(call, written(call, {}))
        return self._local

    def _goes(self, frame: FrameType, event: str, arg: Any) -> Any:
        call = self._call_of(frame)
        if call is None:
            return None
        if event == "line":
            self._goes_on(frame, call, frame.f_lineno)
        elif event == "exception" and arg[0] is not StopIteration:
            call.raised = arg[0].__name__
        elif event == "return" and call.number:
            if call.line:
                returns = call.line in call.statements.returns and not call.raised
                self._ended(frame, call, arg if returns else None)
            while self._calls[-1][0] is not frame:
                self._calls.pop()
            self._calls.pop()
            del self._names[call.number]
        return self._local

    def _goes_on(self, frame: FrameType, call: Call, line: int) -> None:
        """A line is about to run: unless it goes on with a statement, the one before has ended."""
        first = call.next_statement(line)
        if first is None:
            return
        ends = call.leaves(first)
        if ends and call.number == 0 and first == call.begins:
            return  # see ``end``
        if call.line:
            self._ended(frame, call, goes_to=first)
        call.raised = ""
        call.line = 0
        if not ends:
            call.goes_to(first)

    # ------------------------------------------------------------------ details

    def _ended(
        self, frame: FrameType, call: Call, returned: Any = None, goes_to: int | None = None
    ) -> None:
        """A statement has run: what has it changed, in its call and in the block?"""
        found: list[Written] = []
        for one, where in dict([self._calls[0], (frame, call)]).items():
            before, where.seen = where.seen, self._look(one, where)
            found += written(where, before, call.assigned(goes_to) if where is call else ())
        self._told.ran(call, found, returned)

    def _look(self, frame: FrameType, call: Call) -> dict[str, Seen]:
        if call.number:
            return self._names[call.number].seen(frame.f_locals, call.names)
        namespace: Mapping[str, Any] = frame.f_locals
        if frame.f_globals is not namespace:
            namespace = {**frame.f_globals, **namespace}
        return self._names[0].seen(namespace, self._wanted)

    def _want(self, code: CodeType) -> None:
        """Names in this code may be variables of the block: from now on they are looked at.

        What was not looked at before has not been written to by what ran so far.
        """
        if id(code) in self._codes:
            return
        self._codes.add(id(code))
        self._wanted.update(dict.fromkeys((*code.co_names, *code.co_freevars)))
        frame, block = self._calls[0]
        before, block.seen = block.seen, self._look(frame, block)
        known = [one for one in written(block, before) if one[1].name not in before]
        block.seen = {**block.seen, **before}
        self._told.known(known)

    def _call_of(self, frame: FrameType) -> Call | None:
        for one, call in reversed(self._calls):
            if one is frame:
                return call
        return None

    def _is_mine(self, code: CodeType) -> bool:
        is_function = code.co_flags & inspect.CO_OPTIMIZED  # and no class or module
        if not is_function or code.co_flags & ONCE or code.co_name.startswith("<"):
            return False
        name = code.co_filename
        known = self._mine.get(name)
        if known is None:
            made_up = name.startswith("<") and not linecache.getlines(name)
            known = self._mine[name] = not (made_up or name.startswith(NOT_MINE))
        return known


def written(
    call: Call, before: Mapping[str, Seen], assigned: Collection[str] = ()
) -> list[Written]:
    """What has changed among the variables of a call."""
    return [(call.number, change) for change in changes(before, call.seen, assigned)]
