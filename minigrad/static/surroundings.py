"""What a call has found around it: variables, attributes, lists of the running program.

The notes see what is asked of NumPy, and no more. What else decides what a call computes is watched
here, as far as a function can be watched: each global variable and closure that its code names, the
attributes of the modules and objects whose methods ran, and what stands in their lists and
dictionaries. A program is for calls that find all this as it was. If the call itself has changed
some of it, there is no such program, for it would not do that again.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from operator import is_
from types import CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

import numpy as np

from .._values import Values
from ..engine.node import TensorBase
from ..engine.operands import without_tensors
from ..errors import LIBRARIES, PYTHON, is_ours
from ..nn.module import Module
from ..ops.creation import array_of, from_numpy
from ..optim.optimizer import Optimizer
from .guards import PLAIN
from .notes import Notes

CONTAINERS = (list, dict, set, tuple, deque)
CHANGING = {"datetime", "os", "random", "secrets", "sys", "time", "uuid", "numpy.random"}
"""Modules whose answers are not the same in each call."""

MOST_WATCHED = 2000
"""Up to how many entries of a list are watched."""

WRITING = ("write", "flush")
AT_ONCE = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}
"""Code that runs where it stands, with nothing but the variables of the function around it."""

DOORSTEPS: Any = {array_of.__code__: 2, from_numpy.__code__: 1, without_tensors.__code__: 2}
"""Where NumPy's arrays come in: the code, and how many calls further out the program's line is."""

NUMPY = "a NumPy array is used"
AS_TENSOR = "make a tensor of it before the call, and pass that as an argument"


def alike(one: Any, other: Any) -> bool:
    """Is it still what it was?"""
    if one is other:
        return True
    return type(one) is type(other) and isinstance(one, PLAIN) and one == other


def contents(container: Any) -> list[Any]:
    """What stands in a container; of a dictionary, the keys first."""
    if isinstance(container, (dict, MappingProxyType)):
        return [*container, *container.values()]
    return list(container)


class Seen:
    """One thing that was looked at: where, how to look again, and what was found."""

    def __init__(self, label: str, holder: Any, key: Any) -> None:
        self.label = label
        self.holder = holder
        self.key = key
        self.found = self.look()

    def look(self) -> Any:
        if self.key is Contents:
            return contents(self.holder)
        if self.key is Cell:
            return self.holder.cell_contents
        return self.holder.get(self.key, Missing)

    def changed(self) -> bool:
        if self.key is not Contents:
            now = self.look()
            return now is not self.found and not alike(now, self.found)
        if not self.holder and not self.found:
            return False
        now = self.look()
        if len(now) != len(self.found):
            return True
        return not all(map(is_, now, self.found)) and not all(map(alike, now, self.found))


class Cell:
    """Says that a variable of an enclosing function is looked at."""


class Contents:
    """Says that the entries of a container are looked at."""


class Missing:
    """Stands for what is not there."""


class Surroundings:
    """Everything that was seen around one call."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.seen: list[Seen] = []
        self.done: set[Any] = set()
        self.kept: list[Any] = []  # so that no identity comes up twice
        self.arguments: dict[int, str] = {}  # the names of tensors that were passed
        self.dull: dict[int, CodeType] = {}  # ours, of which nothing is to be seen, by identity
        self.named: set[str] = set()  # all names in the code that ran
        self.modules: dict[str, Module] = {}  # by the name of a variable
        self.born: dict[int, Any] = {}  # objects that were made in the call: by their identity
        self.printing: Any = None  # the frame in which something is written to the screen

    def argument(self, name: str, thing: Any) -> None:
        """What was passed, or stands in a list or a dictionary that was."""
        if isinstance(thing, TensorBase):
            self.arguments.setdefault(id(thing), name)
        elif type(thing) in (list, tuple):
            for position, part in enumerate(thing):
                self.argument(f"{name}_{position}", part)
        elif type(thing) is dict:
            for key, part in thing.items():
                self.argument(f"{name}_{key}", part)
        elif not isinstance(thing, PLAIN):
            self.value(name, thing)
            self.kept.append(thing)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Look around each function of the running program that is called in this block.

        No garbage is collected meanwhile: what other objects do at their end is not the call's.
        """
        before = sys.getprofile()
        collecting = gc.isenabled()
        gc.disable()
        sys.setprofile(self._called)
        try:
            yield
        finally:
            sys.setprofile(before)
            if collecting:
                gc.enable()

    def _called(self, frame: Any, event: str, argument: Any) -> None:
        if self.printing is not None:  # a notebook's screen is a library with a state of its own
            if event == "return" and frame is self.printing:
                self.printing = None
            return
        if event != "call":
            return
        code = frame.f_code
        if id(code) in self.dull or not self.notes.here():
            return
        if code.co_name == "__init__":
            made = frame.f_locals.get("self")
            self.born[id(made)] = made
        if writes_to_the_screen(code):  # also where a check has put a stream of minigrad's there
            self.printing = frame
        elif is_ours(frame):
            if code.co_name in ("forward", "step"):
                self.of_object(frame.f_locals.get("self"))
            elif code in DOORSTEPS and not is_ours(caller_of(frame, DOORSTEPS[code])):
                given = [*frame.f_locals.values(), *frame.f_locals.get("args", ())]
                if any(is_array(thing) for thing in given):
                    self.notes.refuse(NUMPY, AS_TENSOR)
            elif code in HANDING_OUT and not is_ours(frame.f_back):
                self.notes.refuse("numpy() hands out the numbers")
            elif code not in DOORSTEPS and code not in HANDING_OUT and code.co_name != "__init__":
                self.dull[id(code)] = code
        elif not code.co_filename.startswith((*PYTHON, "<frozen", *LIBRARIES)):
            first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
            if first is not None and hasattr(type(first), code.co_name):  # it is a method
                self.of_object(first)
            self.of_code(code, frame.f_globals)

    def of_code(self, code: CodeType, variables: dict[str, Any]) -> None:
        """What a function's code names: global variables, and those of enclosing functions."""
        if (code, id(variables)) in self.done:
            return
        self.done.add((code, id(variables)))
        self.named |= names_in(code)
        for name in names_in(code):
            value = variables.get(name, Missing)
            if value is not Missing:
                self.look(name, variables, name)
            if isinstance(value, ModuleType) and is_of_the_program(value):
                for inside in self.named & vars(value).keys():
                    self.look(f"{name}.{inside}", vars(value), inside)
        if "random" in code.co_names and np in map(variables.get, code.co_names):
            self.notes.refuse("NumPy draws random numbers", "draw them with torch.rand or randint")
        if code not in self.done and code.co_name not in AT_ONCE:
            for function in functions_of(code, variables):
                self.of_function(function)

    def of_function(self, function: FunctionType) -> None:
        """What a function carries with it: its closure, attributes and defaults."""
        if id(function) in self.done or function.__code__.co_filename.startswith(LIBRARIES):
            return
        self.done.update((id(function), function.__code__))
        self.kept.append(function)
        self.named |= names_in(function.__code__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            with suppress(ValueError):  # the variable is not set yet
                self.look(name, cell, Cell)
        name = function.__name__
        self.value(name, function.__dict__)
        self.value(name, function.__defaults__)
        self.value(name, function.__kwdefaults__)

    def of_object(self, thing: Any) -> None:
        """The attributes of an object whose method runs."""
        attributes = getattr(thing, "__dict__", None)
        if attributes is None or isinstance(thing, TensorBase) or id(attributes) in self.done:
            return
        if id(thing) in self.born:
            return
        self.done.add(id(attributes))
        self.kept.append(thing)
        label = type(thing).__name__
        self.seen.append(Seen(label, attributes, Contents))
        for name, value in list(attributes.items()):
            self.value(f"{label}.{name}", value)
        for cls in type(thing).__mro__:
            if is_of_the_program(cls):
                self.of_class(cls)

    def of_class(self, cls: type) -> None:
        if cls not in self.done:
            self.done.add(cls)
            self.seen.append(Seen(cls.__name__, vars(cls), Contents))
            for value in vars(cls).values():
                if isinstance(value, FunctionType):
                    self.of_function(value)

    def look(self, label: str, holder: Any, key: Any) -> None:
        seen = Seen(label, holder, key)
        self.seen.append(seen)
        self.value(label, seen.found)

    def value(self, label: str, value: Any) -> None:
        """What the value of a variable or an attribute means."""
        kind = type(value)
        if isinstance(value, ModuleType):
            if value.__name__ in CHANGING:
                self.notes.refuse(f"`{label}` brings in what changes", "pass it as an argument")
        elif is_array(value):
            self.notes.refuse(f"`{label}` is a NumPy array", AS_TENSOR)
        elif kind.__module__.startswith("numpy.random") or kind.__module__ == "random":
            self.notes.refuse(f"`{label}` brings in what changes", "draw with torch.rand")
        elif hasattr(kind, "__next__"):
            self.notes.refuse(f"`{label}` is an iterator", "pass what it gives as an argument")
        elif isinstance(value, CONTAINERS):
            self.of_container(label, value)
        elif isinstance(value, Module):
            if label.isidentifier():
                self.modules[label] = value
            self.of_object(value)
        elif isinstance(value, Optimizer):
            if "param_groups" in self.named:
                self.value(f"{label}.param_groups", value.param_groups)
        elif isinstance(value, functools.partial):
            self.value(label, [value.func, value.args, value.keywords])
        elif isinstance(value, MethodType):
            self.of_object(value.__self__)
        elif isinstance(value, FunctionType):
            self.of_function(value)
        elif isinstance(value, type):
            if is_of_the_program(value):
                self.of_class(value)
        elif is_of_the_program(value) or kind.__module__.startswith("minigrad.optim"):
            self.of_object(value)
        elif not hasattr(value, "__dict__") and is_of_the_program(kind):
            self.notes.refuse(f"`{label}` has __slots__, which nobody can watch", "use a dict")

    def of_container(self, label: str, container: Any) -> None:
        """What stands in a list or a dictionary, and in those inside it."""
        if id(container) in self.done:
            return
        self.done.add(id(container))
        self.kept.append(container)
        if not isinstance(container, tuple):
            self.seen.append(Seen(label, container, Contents))
        parts = contents(container)
        if len(parts) > MOST_WATCHED:
            self.notes.refuse(f"`{label}` has too many entries to watch", AS_TENSOR)
            return
        for part in parts:
            if not isinstance(part, (*PLAIN, TensorBase)):
                self.value(label, part)

    def changed(self) -> str:
        """What is no longer as it was; "" if nothing."""
        for seen in self.seen:
            if seen.changed():
                return seen.label
        return ""

    def names(self) -> dict[int, str]:
        """For each tensor that was seen, by its identity: how the program calls it."""
        found: dict[int, str] = {}
        inside = [("", thing) for thing in self.kept if isinstance(thing, Module)]
        for label, module in (*self.modules.items(), *inside):
            for name, tensor in (*module.named_parameters(), *module.named_buffers()):
                whole = f"{label}.{name}" if label and name[0].isdigit() else name
                found.setdefault(id(tensor), whole)
        for seen in self.seen:
            if seen.key is Contents and not isinstance(seen.holder, dict):
                for position, part in enumerate(seen.found):
                    if isinstance(part, TensorBase):
                        found.setdefault(id(part), f"{seen.label}_{position}")
            elif isinstance(seen.found, TensorBase):
                found[id(seen.found)] = seen.label
        return {**found, **self.arguments}

    def tensors(self) -> set[int]:
        """The identities of all tensors that were seen."""
        parts = [part for seen in self.seen if seen.key is Contents for part in seen.found]
        values = [seen.found for seen in self.seen if seen.key is not Contents]
        return {id(part) for part in (*parts, *values) if isinstance(part, TensorBase)}


HANDING_OUT = {Values.numpy.__code__, Values.__array__.__code__}
"""Where NumPy's arrays go out."""


def is_array(thing: Any) -> bool:
    """Is it an array of NumPy's, and no stand-in for one?"""
    return issubclass(type(thing), np.ndarray)


def caller_of(frame: Any, steps: int) -> Any:
    """The frame so many calls further out."""
    for _ in range(steps):
        frame = frame.f_back
    return frame


def writes_to_the_screen(code: CodeType) -> bool:
    """Is it the code of what ``print`` calls? IPython puts a function of its own there."""
    ways = [getattr(to, name, None) for to in (sys.stdout, sys.stderr) for name in WRITING]
    return any(getattr(way, "__code__", None) is code for way in ways)


def is_of_the_program(thing: Any) -> bool:
    """Is it an object, a class or a module of the running program, and no library's?"""
    if isinstance(thing, FunctionType) or not hasattr(thing, "__dict__"):
        return False
    name = thing.__name__ if isinstance(thing, ModuleType) else type(thing).__module__
    if isinstance(thing, type):
        name = thing.__module__
    file = getattr(sys.modules.get(name), "__file__", None) or ""
    library = file.startswith((*PYTHON, *LIBRARIES))
    return not library and not name.startswith(("minigrad", "builtins"))


def functions_of(code: CodeType, variables: dict[str, Any]) -> list[FunctionType]:
    """The functions that have this code.

    One that stands at the top of its file has its name there, as a rule. To find those that other
    functions made, everything is searched that Python holds.
    """
    named = variables.get(code.co_name)
    if isinstance(named, FunctionType) and named.__code__ is code and is_at_the_top(code):
        return [named]
    return [one for one in gc.get_referrers(code) if isinstance(one, FunctionType)]


def is_at_the_top(code: CodeType) -> bool:
    """Is this no function inside another one, so that there is one of it?"""
    return code.co_qualname == code.co_name


def names_in(code: CodeType) -> set[str]:
    """The names that a function's code uses, and that of the functions inside it."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= names_in(constant)
    return names
