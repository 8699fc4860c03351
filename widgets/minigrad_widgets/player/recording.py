"""A recording: the moments of a block in their order, and as the page gets them.

A moment is an operation, a step of a backward pass, a call, or a statement in which neither was
made. The latest are kept; what the others have written is known from the beginning.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

from minigrad.engine.node import Node, TensorBase
from minigrad.tape import VERSION, Tape
from minigrad.tape.values import capture

from .lines import Call, Lines, Written
from .moments import Moment
from .page_data import PageData, corner, source
from .variables import plain

MOST = 2_000  # moments kept

UNFOLLOWED = (
    "A debugger or a measurement of coverage follows this program already, so only its operations "
    "and backward passes were recorded, and no lines between them."
)

FAILED = (
    "The lines could be followed only to a certain place; after it, operations and backward passes "
    "alone were recorded."
)


class Recording:
    """Listens to the tape and to the lines of a block."""

    def __init__(self, tape: Tape, most: int = MOST) -> None:
        self._tape = tape
        self._most = most
        self._moments: list[Moment] = []
        self._first: dict[tuple[int, str], Written] = {}  # what is known before the first of them
        self._dropped = 0
        self._weight = 0
        self._gone = 0  # so many moments were before those that are kept
        self._pass: list[Any] = []  # the pass that runs, and how much of it is told
        self._before: Any = None  # who listened before
        self._raised = ""
        self.lines = Lines(self, tape.known)
        self.followed = False

    def begin(self, frame: Any) -> None:
        """Record from now on what this frame runs."""
        self._before = self._tape.listener
        self._tape.listener = self
        self.lines.begin(frame)
        self.followed = self.lines.follows

    def end(self, raised: str) -> None:
        """Record nothing any more. ``raised``: the error with which the block ended, or ""."""
        self.lines.end(raised.partition(":")[0])
        self._tell_pass()
        self._raised = raised
        if self._tape.listener is self:
            self._tape.listener = self._before

    # ------------------------------------------------------------------ called by the tape

    def made(self, node: Node, inputs: Any) -> None:
        """An operation was recorded."""
        self._tell_pass()
        self._add(Moment("op", node.seq, self.lines.now))
        if self._before is not None:
            self._before.made(node, inputs)

    def began(self, roots: Any) -> None:
        """A backward pass begins."""
        self._tell_pass()
        self._pass = [self._tape.passes[-1], 0]
        if self._before is not None:
            self._before.began(roots)

    def landed(self, leaf: TensorBase) -> None:
        """A gradient is about to be added to a ``.grad``."""
        if self._before is not None:
            self._before.landed(leaf)

    # ------------------------------------------------------------------ called by the lines

    def known(self, changed: list[Written]) -> None:
        """These variables have had their values all the time."""
        for number, change in changed:
            self._first[number, change.name] = number, change

    def called(self, call: Call, changed: list[Written]) -> None:
        """A function of the program was called."""
        self._tell_pass()
        moment = Moment("call", "", call)
        moment.line = call.begins
        moment.changed = changed
        self._add(moment)
        call.since = self._gone + len(self._moments)

    def ran(self, call: Call, changed: list[Written], returned: Any) -> None:
        """A statement has run. What it has changed, its last operation has, if it made one."""
        self._tell_pass()
        begins = max(0, call.since - self._gone)
        own = [one for one in self._moments[begins:] if one.call is call and one.kind != "call"]
        rest = landings_apart(changed, own)
        goes_on = own and own[-1] is self._moments[-1] and not call.raised
        if not goes_on or (rest and own[-1].kind == "pass"):
            self._add(Moment("line", call.raised, call))
        last = self._moments[-1]
        last.changed += rest
        if returned is not None:
            last.returned = kept(returned)
        call.since = self._gone + len(self._moments)

    # ------------------------------------------------------------------ details

    def _tell_pass(self) -> None:
        """Take down how far the pass that runs, or has run, has come."""
        if not self._pass:
            return
        record, told = self._pass
        steps = len(record.visits) + len(record.landings)
        steps += 1  # it begins with its start
        if steps > told:
            self._pass = [record, steps]
            self._add(Moment("pass", (record, told, steps), self.lines.now))

    def _add(self, moment: Moment) -> None:
        self._moments.append(moment)
        self._weight += moment.weight
        if self._weight > 2 * self._most:
            self._drop()

    def _drop(self) -> None:
        """Forget the oldest moments, but not what they have written."""
        count = 0
        while self._weight > self._most and count < len(self._moments) - 1:
            self._weight -= self._moments[count].weight
            self._dropped += self._moments[count].weight
            count += 1
        for moment in self._moments[:count]:
            for number, change in moment.written():
                self._first[number, change.name] = number, change
        del self._moments[:count]
        self._gone += count
        alive = {0, *(moment.number for moment in self._moments)}
        self._first = {at: one for at, one in self._first.items() if at[0] in alive}

    def data(self, code: CodeType | None = None) -> dict[str, Any]:
        """All of it (``Recording`` in ``recording.ts``). ``code``: what the block stands in."""
        self._tape.look_for_names()
        for key, name in self.lines.leaves.items():
            fact = self._tape.facts.get(key)
            if fact is not None and not fact.aliases:  # it is held by a function's variable
                fact.aliases = (name,)
        page = PageData(self._tape, corner(self._weight), self.followed)
        title = "" if code is None else page.file_of(code)
        with self._tape.unchanged():
            moments = [told for moment in self._moments for told in page.told(moment)]
        over = max(0, len(moments) - self._most)
        return {
            "version": VERSION,
            "title": title,
            "note": FAILED if self.lines.failed else "" if self.followed else UNFOLLOWED,
            "dropped": self._dropped + over,
            "followed": self.followed,
            "raised": self._raised,
            "first": page.first(self._first.values(), moments[:over]),
            "calls": [{"id": n, "scope": call.scope} for n, call in sorted(page.calls.items())],
            "nodes": list(page.nodes.values()),
            "passes": page.passes.data(page.nodes),
            "moments": moments[over:],
            "source": source(moments[over:], page.files),
        }


def landings_apart(changed: list[Written], own: list[Moment]) -> list[Written]:
    """Note with the pass of this statement which gradients it has changed; returns the others."""
    passes = [moment for moment in own if moment.kind == "pass"]
    rest = []
    for number, change in changed:
        for moment in reversed(passes):
            record = moment.what[0]
            if change.key and any(one.node == change.key for one in record.landings):
                moment.grads.setdefault(change.key, []).append((number, change))
                break
        else:
            rest.append((number, change))
    return rest


def kept(returned: Any) -> Any:
    """What a function returned, if it can be shown."""
    if isinstance(returned, TensorBase):
        return capture(returned._array)
    return plain(returned)
