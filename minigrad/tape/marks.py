"""Marks: where a value leaves the graph, which nodes share memory, and how that is said.

A value is *cut* where no gradient can come back: by ``detach()``, in an integer, while recording is
off; or it is *read*, as a Python number. The node that it left carries a mark for each line that
did so; an answer such as ``x > 0`` leaves none, since every condition asks. A tensor that has the
value from then on, an answer too, knows where it came from, as long as it is used directly; of one
that was detached or computed without recording, so do those that are made of it. What a library
function does on its own account is no mark: the program did not.
"""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Iterable, Mapping
from types import FrameType
from typing import Any, NamedTuple

from ..engine.node import Node, TensorBase
from ..errors import PACKAGE
from .facts import Fact, Facts, is_write, operand_key
from .source import Place, user_frame

getframe = sys._getframe

MOST = 8  # marks of one kind at one node
NAMED = 3  # nodes that one sentence names

SURFACE = tuple(
    PACKAGE + name.replace("/", os.sep)
    for name in ("_values.py", "_methods.py", "_tensor.py", "compat/arguments.py")
)
"""Where the methods lie through which a program calls: what is called through others is ours."""

MODES = PACKAGE + os.path.join("engine", "modes.py")
WRITES = PACKAGE + os.path.join("ops", "inplace.py")


AGAIN = (
    "a view of {base} that was there before {base} was written in place: its history begins anew, "
    "behind that write"
)


class Cut(NamedTuple):
    """A way in which a value left the graph."""

    how: str  # ".detach()", "float()", ">", "argmax()", "int64", "no_grad"
    place: Place


class Origin(NamedTuple):
    """What the value of a tensor without history was made from."""

    sources: tuple[str, ...]  # keys
    cut: Cut
    further: bool = False  # was it made of the value that was cut, by operations without history?


class Write(NamedTuple):
    """A node whose result stands where that of another one stood."""

    old: str
    new: str
    place: Place | None


class Marking:
    """The part of the tape that is told of cuts and writes, and describes them."""

    facts: Facts
    key_of: Any
    look_back: Any
    known_leaf: Any
    changed_marks: Any
    text: Any
    names: Any
    formula: Any
    source_of_write: Any

    def __init__(self) -> None:
        self._cuts: dict[str, dict[tuple[str, int, int], Cut]] = {}  # by what tells them apart
        self._origins: dict[int, tuple[Any, Origin]] = {}  # of living tensors
        self._origin: dict[str, Origin] = {}  # of those that were used, by their keys
        self._writes: dict[str, dict[Write, None]] = {}  # by both keys
        self._base: dict[str, str] = {}  # of a view: whose memory it shows
        self._views: dict[str, dict[str, None]] = {}  # of such a base: its views
        self._again: dict[str, None] = {}  # views whose history was derived again
        self._marked: dict[str, int] = {}  # how often the marks of a node have changed

    # ------------------------------------------------------------------ being told

    def cut(self, tensor: TensorBase, how: str, result: TensorBase | None) -> None:
        """A value leaves the graph (see ``graph.Watch``)."""
        if result is None and not kind_of(how):
            return  # it leaves no mark, and nothing that could be used
        frame = caller(getframe(2))
        if frame is None:
            return
        key = self._key_for(tensor, frame)
        self._add(key, Cut(how, Place(frame.f_code, frame.f_lasti)), result)

    def unrecorded(self, operands: tuple[Any, ...], how: str, result: TensorBase) -> None:
        """An operation ran while the program had switched recording off."""
        wrapper = getframe(2)
        inside = wrapper.f_back
        if inside is not None and inside.f_code.co_filename == WRITES:
            return  # what is written into a tensor has not left it
        frame, _ = user_frame(wrapper)
        if frame is None:
            return
        sources: dict[str, None] = {}
        for operand in operands:
            if not isinstance(operand, TensorBase):
                continue
            if operand._node is not None:
                sources[self._key_for(operand, frame)] = None
            else:
                sources.update(dict.fromkeys(self._known_sources(operand)))
        cut = Cut(how, Place(frame.f_code, frame.f_lasti))
        for key in sources:
            self._note(key, cut)
        if sources:
            self._remember(result, Origin(tuple(sources), cut))

    def without_history(self, operands: tuple[Any, ...], result: TensorBase) -> None:
        """An operation ran on values without history: what it makes of a cut one is cut too."""
        if not self._origins:
            return
        sources: dict[str, None] = {}
        cut: Cut | None = None
        for operand in operands:
            known = self._origins.get(id(operand))
            if known is None or known[0]() is not operand:
                continue
            origin = known[1]
            if origin.cut.how in SHARING or origin.cut.how in SWITCHES:
                sources.update(dict.fromkeys(origin.sources))
                cut = cut or origin.cut
        if cut is not None:
            self._remember(result, Origin(tuple(sources), cut, further=True))

    def switching(self, name: str) -> str:
        """What to call it that recording is switched off now; "" if a library function does so."""
        frame: FrameType | None = getframe(2)
        while frame is not None and frame.f_code.co_filename == MODES:
            function = frame.f_locals.get("function")  # which is decorated
            if getattr(getattr(function, "__code__", None), "co_filename", "").startswith(PACKAGE):
                return ""
            frame = frame.f_back
        outside = frame is not None and not frame.f_code.co_filename.startswith(PACKAGE)
        return name if outside else ""

    def overwrote(self, old: Node, new: Node) -> None:
        """The result of a node was overwritten, in place, by that of a newer one."""
        frame, _ = user_frame(getframe(2))
        place = None if frame is None else Place(frame.f_code, frame.f_lasti)
        write = Write(f"n{old.seq}", f"n{new.seq}", place)
        for key in write[:2]:
            self._writes.setdefault(key, {})[write] = None
            self._touch(key)

    def derived_again(self, node: Node) -> None:
        """A view was used whose root was written to: this is its new history."""
        self._again[f"n{node.seq}"] = None
        self._touch(f"n{node.seq}")

    def came_from(self, key: str, tensor: TensorBase) -> None:
        """This tensor, which no operation made, is used now: it keeps what is known of it."""
        known = self._origins.get(id(tensor))
        if known is None or known[0]() is not tensor:
            return
        self._origin[key] = origin = known[1]
        if origin.cut.how in SHARING and not origin.further:
            self._share(key, origin.sources[0])

    def look_for_views(self, noted: Mapping[str, Any]) -> None:
        """Of the operations that were taken down, find those that show memory of another."""
        for key, note in noted.items():
            if note[1].view and not isinstance(note[2][0], tuple):
                self._share(key, operand_key(note[2][0]))

    def no_longer_share(self, freed: Iterable[str]) -> None:
        """These were freed."""
        for key in freed:
            base = self._base.pop(key, None)
            if base in self._views:
                self._views[base].pop(key, None)
                self._touch(base)
            for view in self._views.pop(key, ()):
                self._base.pop(view, None)
                self._touch(view)

    def forget_marks(self) -> None:
        """Forget what is known of nodes that the tape has forgotten."""
        tables: tuple[dict[str, Any], ...] = (
            *(self._cuts, self._origin, self._writes),
            *(self._again, self._marked),
        )
        for table in tables:
            for key in [key for key in table if key not in self.facts]:
                del table[key]

    # ------------------------------------------------------------------ working it out

    def _key_for(self, tensor: TensorBase, frame: Any) -> str:
        """The key of a tensor in the graph, whether it is known already or not."""
        node = tensor._node
        if not isinstance(node, Node):
            return str(self.key_of(tensor, frame))
        self.look_back(node, tensor, frame)
        return f"n{node.seq}"

    def _known_sources(self, tensor: TensorBase) -> tuple[str, ...]:
        """Where a tensor without history came from, if it was cut."""
        known = self._origins.get(id(tensor))
        return () if known is None or known[0]() is not tensor else known[1].sources

    def _add(self, key: str, cut: Cut, result: TensorBase | None) -> None:
        self._note(key, cut)
        if result is not None:
            before = self._known_sources(result)  # of x > y, both
            self._remember(result, Origin(tuple(dict.fromkeys((*before, key))), cut))

    def _note(self, key: str, cut: Cut) -> None:
        if not kind_of(cut.how):
            return
        cuts = self._cuts.setdefault(key, {})
        at = cut.how, id(cut.place.code), cut.place.instruction  # a code object's hash is slow
        if at not in cuts and len(cuts) < MOST:
            cuts[at] = cut
            self._touch(key)

    def _remember(self, result: TensorBase, origin: Origin) -> None:
        identity = id(result)

        def gone(_: Any) -> None:
            self._origins.pop(identity, None)

        self._origins[identity] = weakref.ref(result, gone), origin

    def _share(self, view: str, base: str) -> None:
        base = self._base.get(base, base)
        self._base[view] = base
        self._views.setdefault(base, {})[view] = None
        self._touch(view)
        self._touch(base)

    def _touch(self, key: str) -> None:
        self._marked[key] = self._marked.get(key, 0) + 1
        self.changed_marks(key)

    # ------------------------------------------------------------------ being read

    def marked(self, key: str) -> int:
        """What differs when the marks of a node have changed."""
        return self._marked.get(key, 0)

    def sources_of(self, key: str) -> tuple[str, ...]:
        """The nodes that the value of a tensor without history was cut from."""
        origin = self._origin.get(key)
        return () if origin is None else origin.sources

    def cut_text(self, key: str) -> str:
        """What a value without history and name is called: ``y.detach()``; "" of any other."""
        origin = self._origin.get(key)
        if origin is None or origin.cut.how not in SHARING or origin.further:
            return ""
        if origin.sources[0] not in self.facts:
            return ""
        source = str(self.text(origin.sources[0]))
        return f"{source}{origin.cut.how}" if source.isidentifier() else ""

    def behind_their_sources(self, keys: list[str]) -> list[str]:
        """These keys, of which each that was cut stands just before its first use."""
        waiting = {key for key in keys if self.sources_of(key)}
        found: dict[str, None] = {}
        for key in keys:
            if key not in waiting:
                used = (one for one in self.facts[key].operands if one in waiting)
                found.update(dict.fromkeys((*used, key)))
        found.update(dict.fromkeys(keys))
        return list(found)

    def marks_of(self, fact: Fact) -> dict[str, Any]:
        """The marks of a node, as the page gets them: ``marks``, and ``cut``, its origin."""
        key = fact.key
        home = "" if fact.place is None else fact.place.file
        known = self._cuts.get(key, {}).values()
        cuts = list(dict.fromkeys((kind_of(cut.how), said(cut, home)) for cut in known))
        found: dict[str, Any] = {}
        origin = self._origin.get(key)
        if origin is not None:
            named = listed([self._told(source) for source in origin.sources])
            cuts.insert(0, ("cut", came(origin, named, home)))
            found["cut"] = [
                {"id": source, "arg": origin.cut.how, "text": self._told(source)}
                for source in origin.sources
            ]
        memory = [("memory", text) for text in self._memory(key, home)]
        if cuts or memory:
            found["marks"] = [{"kind": kind, "text": text} for kind, text in (*cuts, *memory)]
        return found

    def _memory(self, key: str, home: str) -> list[str]:
        """What is to be said of the memory that the value lies in."""
        texts: list[str] = []
        others = [self._base[key]] if key in self._base else []
        others += self._views.get(key, ())
        if others:
            named = listed([self._told(other) for other in others])
            seen = "in the other" if len(others) == 1 else "in all"
            texts.append(f"shares its memory with {named}: a write to one is seen {seen}")
        for write in list(self._writes.get(key, ()))[:MOST]:
            where = in_line(write.place, home)
            if write.old == key:
                texts.append(f"overwritten in place{where}: the value shown is the one before")
            elif (new := self.facts.get(write.new)) is not None and is_write(new):
                continue  # said below
            else:
                old = self.facts.get(write.old)
                old = "a freed value" if old is None else self.formula(old)
                texts.append(f"written in place{where}, into the memory that held {old}")
        fact = self.facts.get(key)
        if fact is None:  # of a graph that was not watched
            return texts
        if is_write(fact):
            texts.insert(0, self._write(fact, home))
        if key in self._again:
            base = self._told(fact.operands[0])
            texts.insert(0, AGAIN.format(base=base))
        return texts

    def _write(self, fact: Fact, home: str) -> str:
        """Which part of which tensor was written, and what became of the rest."""
        _, new, part = fact.operands
        name = next(iter(self.names(fact)), "")
        what = f"{name}{part}" if name else f"its part {part}"
        source = self.source_of_write(new)
        said = f"written in place{in_line(fact.place, home)}: {what} is {source} now"
        return f"{said}, and the rest of {name or 'it'} is as it was"

    def _told(self, key: str) -> str:
        return str(self.text(key)) if key in self.facts else "a freed value"


def caller(frame: FrameType | None) -> FrameType | None:
    """The frame of the program that called this method; None if a library function called it."""
    if frame is None:
        return None
    own = (frame.f_code.co_filename, *SURFACE)
    while frame is not None and frame.f_code.co_filename in own:
        frame = frame.f_back
    outside, _ = user_frame(frame)
    return frame if frame is outside else None


# ------------------------------------------------------------------------------------ sentences

READ = "the number has no history, so no gradient comes back from it"
SAYS = {
    ".detach()": "detached{}: no gradient passes from here on",
    ".detach_()": "detached in place{}: no gradient passes from here on",
    ".data": "taken out by .data{}: no gradient passes from here on",
    ".item()": "read as a Python number by .item(){}: " + READ,
    ".tolist()": "read as Python numbers by .tolist(){}: they have no history",
    ".numpy()": "read as a NumPy array by .numpy(){}: it has no history, but shares the memory",
    "float()": "read as a Python number by float(){}: " + READ,
    "int()": "read as a Python integer by int(){}: " + READ,
}
INDEX = "{how} taken{where}: an index has no gradient"
CONVERTED = "converted to {how}{where}: integers and booleans carry no gradient"
OFF = (
    "used inside {how}{where}: what is computed there has no history, "
    "so no gradient comes back from it"
)
READING = (".item()", ".tolist()", ".numpy()", "float()", "int()")
SWITCHES = ("no_grad", "inference_mode", "set_grad_enabled")
SHARING = (".detach()", ".data")
INDICES = ("argmax()", "argmin()")
DTYPES = ("int", "uint", "bool")


def kind_of(how: str) -> str:
    """The kind of the mark; "" of a question, as a condition asks one of its value in each pass."""
    if how in READING:
        return "read"
    if how == "bool()":
        return ""
    is_known = how in SAYS or how in SWITCHES or how in INDICES
    return "cut" if is_known or how.startswith(DTYPES) else ""


def said(cut: Cut, home: str) -> str:
    """What happened to a value, and where: a sentence."""
    where = in_line(cut.place, home)
    how = cut.how
    if how in SAYS:
        return SAYS[how].format(where)
    if how in SWITCHES:
        text = OFF
    elif how in INDICES:
        text = INDEX
    else:
        text = CONVERTED
    return text.format(how=how, where=where)


def came(origin: Origin, named: str, home: str) -> str:
    """Where a value without history came from: a sentence."""
    how = origin.cut.how
    where = in_line(origin.cut.place, home)
    if origin.further and how in SWITCHES:
        by = f"made from what was computed inside {how} from {named}"
    elif origin.further:
        by = f"made from the value that {how} took out of {named}"
    elif how in SWITCHES:
        by = f"computed inside {how} from {named}"
    elif how.startswith(DTYPES):
        by = f"made from {named}, converted to {how}"
    elif how in SHARING:
        by = f"the value of {named} without its history, by {how}"
    else:
        by = f"made from {named} by {how}"
    return f"{by}{where}: no gradient passes back there"


def in_line(place: Place | None, home: str) -> str:
    """Where that was; the file or cell is said if it is not the node's own."""
    if place is None or place.line is None:
        return ""
    other = "" if place.file == home else f" of {place.file}"
    return f" in line {place.line}{other}"


def listed(names: list[str], most: int = NAMED) -> str:
    """ "x", "x and y", "x, y and 3 more"."""
    names = list(dict.fromkeys(names))
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} more"]
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
