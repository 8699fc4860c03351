"""Can a piece of the learner's program be run again without anything else noticing?

An experiment runs on copies. What it does is harmless if it cannot reach anything that is no copy.
That is read from the source, before anything runs; in doubt it is refused:

- What comes in is of a kind that can be copied: numbers, texts, containers, tensors, arrays,
  modules, optimisers, loaders, and objects of the program's own classes that hold such.
- Each function that is named is known (of minigrad, NumPy, ``math``, or a harmless built-in one),
  or it is the program's own, and then its source obeys the same rules.
- Methods keep the variables of their module, and closures and defaults stay what they are: of
  these, only what cannot change may be used.
- There is no ``global``, ``nonlocal`` or ``import``, and no name with two underscores.
"""

from __future__ import annotations

import ast
import builtins
import collections
import dataclasses
import functools
import linecache
import random
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import minigrad as torch
from minigrad.engine.node import TensorBase

BUILTINS = {
    "abs",
    "all",
    "any",
    "bool",
    "bytes",
    "callable",
    "chr",
    "complex",
    "dict",
    "divmod",
    "enumerate",
    "filter",
    "float",
    "format",
    "frozenset",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "list",
    "map",
    "max",
    "min",
    "next",
    "object",
    "ord",
    "pow",
    "print",
    "property",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "str",
    "sum",
    "super",
    "tuple",
    "zip",
}
LIBRARIES = (
    "minigrad",
    "numpy",
    "math",
    "random",
    "itertools",
    "statistics",
    "collections",
    "time",
)
LASTING = ("save", "set_", "seterr", "memmap", "install", "open", "tofile", "dump", "explain")
"""How the names of their functions begin that reach further than what they are given."""
ROOMS = ("minigrad.tape", "minigrad.lesson", "minigrad.serialization", "minigrad.compat.install")
STANDARD = sys.stdlib_module_names - {"__main__"}
UNREAD = {"__init__", "__repr__", "__str__", "__init_subclass__", "__class_getitem__"}
"""Methods that do not run on an object that is there already."""

FIXED = (
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    type(...),
    type(NotImplemented),
    range,
    slice,
    np.generic,
    np.dtype,
    torch.dtype,
    torch.device,
    torch.Size,
)
CONTAINERS = (
    list,
    tuple,
    dict,
    set,
    frozenset,
    collections.OrderedDict,
    collections.defaultdict,
    collections.deque,
    collections.Counter,
    types.MappingProxyType,
)
RANDOM = (random.Random, np.random.Generator, np.random.RandomState, torch.Generator)
UNKNOWN = ast.Import | ast.ImportFrom | ast.ClassDef | ast.AsyncFunctionDef | ast.Await
SHARED = [getattr(of, "__self__", None) for of in (random.random, np.random.random)]
"""The random numbers of the libraries: an experiment puts them back."""

NAMED = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    functools.partial,
    type,
    np.ufunc,
    type(np.mean),
)
"""What is called, and is no object with attributes of its own."""

Names = Mapping[str, Any]
"""Variables of a program."""


class Doubt(Exception):
    """Something that an experiment might change: what it is, and in which line."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.line = line


class Reader:
    """Reads a program, and raises Doubt where it could reach what is no copy.

    ``copied(function)`` says of which functions the variables are copies.
    """

    def __init__(self, copied: Callable[[Any], bool]) -> None:
        self._copied = copied
        self._seen: dict[tuple[int, bool], Any] = {}
        self._classes: dict[type, None] = {}
        self._mentioned: set[str] = set()  # the attributes that are used somewhere
        self._names: Names = {}  # the variables of which there are copies

    def lines(self, trees: list[ast.AST], names: Names) -> None:
        """Lines that run with copies of these variables."""
        self._names = names
        for tree in trees:
            self._tree(tree, names, bound_within(tree), fixed=False)
        self._methods()

    def value(self, value: Any, name: str) -> None:
        """Something that is copied, and then used."""
        self._copy(value, name)
        self._methods()

    # ------------------------------------------------------------------ values

    def _copy(self, value: Any, name: str) -> None:
        """A value that comes in as a copy."""
        kind = type(value)
        if isinstance(value, NAMED):  # what it names is none
            self._callable(value, name, fixed=True)
        elif self._is_new(value) and not self._is_fixed(value):
            if kind in CONTAINERS:
                for part in parts_of(value):
                    self._copy(part, name)
            elif not (isinstance(value, TensorBase) or kind in RANDOM or is_plain_array(value)):
                self._object(value, name)

    def _object(self, value: Any, name: str) -> None:
        """An object with attributes: of minigrad's training rooms, or of the program's classes."""
        kind = type(value)
        library = origin(kind)
        known = library == "minigrad" and not is_lasting(kind)
        slots = any(vars(one).get("__slots__") for one in kind.__mro__)
        if not known and (slots or not is_readable(kind)):
            raise Doubt(f"`{name}` is {article(value)}, of which no true copy can be made")
        self._classes[kind] = None
        for key, part in getattr(value, "__dict__", {}).items():
            self._copy(part, f"{name}.{key}")
        if isinstance(value, tuple | list | dict | set):
            for part in parts_of(value):
                self._copy(part, name)

    def _is_fixed(self, value: Any) -> bool:
        """Can it never change?"""
        if type(value) in (tuple, frozenset):
            return all(map(self._is_fixed, value))
        return isinstance(value, FIXED) and type(value).__module__ != "__main__"

    def _is_new(self, value: Any, fixed: bool = False) -> bool:
        key = id(value), fixed
        if key in self._seen:
            return False
        self._seen[key] = value  # held, so that its identity is not given to another
        return True

    # ------------------------------------------------------------------ what is called

    def _callable(self, value: Any, name: str, fixed: bool) -> None:
        """A function or a class that is named; ``fixed``: its variables are no copies."""
        if isinstance(value, functools.partial):
            self._copy([value.func, value.args, value.keywords], name)
        elif is_bound(value):
            if fixed or isinstance(value, types.BuiltinFunctionType):
                raise Doubt(f"`{name}` is a method of something of which it has no copy")
            self._copy([value.__func__, value.__self__], name)
        elif is_lasting(value):
            raise Doubt(f"`{name}` changes more than what it is given")
        elif origin(value) in LIBRARIES:
            for inner in inner_functions(value):  # of a decorator
                self._callable(inner, name, fixed=True)
        elif is_harmless_builtin(value):
            return
        elif isinstance(value, type) and is_readable(value):
            self._classes[value] = None
            self._mentioned.add("__init__")
        elif isinstance(value, types.FunctionType):
            self._function(value, name, fixed)
        else:
            raise Doubt(f"what `{name}` does is not known")

    def _function(self, function: Any, name: str, fixed: bool) -> None:
        if not self._is_new(function, fixed):
            return
        cells = zip(function.__code__.co_freevars, function.__closure__ or ())
        inside = {key: cell.cell_contents for key, cell in cells if key != "__class__"}
        for value in (function.__defaults__, function.__kwdefaults__ or {}, inside.values()):
            for part in value.values() if isinstance(value, dict) else value or ():
                self._unchanging(part, name, f"`{name}` holds {article(part)}")
        outside = function.__globals__ if fixed else self._names
        names = {**vars(builtins), **outside, **inside}
        found = source_of(function.__code__)
        if not found:
            raise Doubt(f"the source of `{name}` cannot be read")
        for tree in found:
            self._tree(tree, names, bound_in(tree), fixed)

    def _unchanging(self, value: Any, name: str, what: str = "") -> None:
        """A value that is used as it is, and so must be one that cannot change."""
        if isinstance(value, NAMED):
            self._callable(value, name, fixed=True)
        elif not self._is_fixed(value):
            what = what or f"`{name}` ({article(value)})"
            raise Doubt(f"{what}, which a method or a function would use itself, not as a copy")

    def _methods(self) -> None:
        """The methods of the program's classes, as far as something may call them."""
        done: set[tuple[type, str]] = set()
        while True:
            waiting = [
                (owner, key, member)
                for kind in [*self._classes]
                for owner in kind.__mro__
                if origin(owner) not in (*LIBRARIES, "builtins", "abc", "typing")
                for key, member in vars(owner).items()
                if (owner, key) not in done and self._is_reached(kind, owner, key)
            ]
            if not waiting:
                return
            for owner, key, member in waiting:
                done.add((owner, key))
                self._member(owner, key, member)

    def _is_reached(self, kind: type, owner: type, key: str) -> bool:
        if key in UNREAD:
            return key in self._mentioned
        if is_special(key):
            return callable(vars(owner)[key]) and key != "__weakref__"
        inherited = any(key in vars(one) for one in kind.__mro__ if origin(one) == "minigrad")
        return inherited or key in self._mentioned

    def _member(self, owner: type, key: str, member: Any) -> None:
        name = f"{owner.__name__}.{key}"
        if isinstance(member, property):
            functions = [one for one in (member.fget, member.fset, member.fdel) if one]
        else:
            functions = [getattr(member, "__func__", member)]
        for function in functions:
            if not isinstance(function, types.FunctionType):
                self._unchanging(function, name)
            elif not (is_special(key) and is_generated(owner, function)):
                self._function(function, name, fixed=True)

    # ------------------------------------------------------------------ source

    def _tree(self, tree: ast.AST, names: Names, bound: set[str], fixed: bool) -> None:
        """Source whose free names are these; ``fixed``: they are no copies."""
        try:
            self._node(tree, names, bound, fixed)
        except Doubt as doubt:
            doubt.line = doubt.line or getattr(tree, "lineno", None)
            raise

    def _node(self, node: ast.AST, names: Names, bound: set[str], fixed: bool) -> None:
        line = getattr(node, "lineno", None)
        if isinstance(node, ast.Global | ast.Nonlocal):
            raise Doubt(f"`{ast.unparse(node)}` changes what is outside", line)
        if isinstance(node, UNKNOWN):
            raise Doubt(f"`{ast.unparse(node).splitlines()[0]}` is not read", line)
        if isinstance(node, ast.Call):
            self._call(node)
        if isinstance(node, ast.Attribute):
            self._mentioned.add(node.attr)
            if is_special(node.attr) and node.attr != "__init__":
                raise Doubt(f"`{ast.unparse(node)}` leads out of what is copied", line)
            if node.attr in ("tofile", "dump"):
                raise Doubt(f"`{ast.unparse(node)}` writes a file", line)
        root, *path = dotted(node)
        if root and root not in bound:
            try:
                self._named(node, root, path, names, fixed)
            except Doubt as doubt:
                doubt.line = doubt.line or line
                raise
            return
        for child in ast.iter_child_nodes(node):
            self._node(child, names, bound, fixed)

    def _call(self, node: ast.Call) -> None:
        """``print`` is silent here, unless it prints into something of its own."""
        into = [one for one in node.keywords if one.arg in ("file", None)]
        if isinstance(node.func, ast.Name) and node.func.id == "print" and into:
            raise Doubt(f"`{ast.unparse(node)}` prints into a file", node.lineno)

    def _named(self, node: Any, root: str, path: list[str], names: Names, fixed: bool) -> None:
        """A free name, with the attributes behind it."""
        text = ast.unparse(node)
        self._mentioned.update(path)
        if root not in names:
            if not is_harmless_builtin(getattr(builtins, root, int)):
                raise Doubt(f"`{root}` reaches what is outside")
            return  # bound by the lines themselves, or missing: then running them says so
        value = names[root]
        while path and isinstance(value, types.ModuleType):
            value = getattr(value, path.pop(0), None)
        stores = path and isinstance(node.ctx, ast.Store | ast.Del)
        if isinstance(value, types.ModuleType):
            if not isinstance(node.ctx, ast.Store):
                raise Doubt(f"`{text}` is a module")
        elif isinstance(node.ctx, ast.Store | ast.Del) and not path and "." in text:
            raise Doubt(f"`{text}` belongs to a module")
        elif isinstance(value, NAMED):
            if stores:
                raise Doubt(f"`{text}` is changed, and is no copy")
            self._callable(value, text, fixed or not self._copied(value))
        elif fixed or value is not names[root]:
            self._unchanging(value, root)
        elif isinstance(node.ctx, ast.Load) or path:
            self._copy(value, root)


def dotted(node: ast.AST) -> list[str]:
    """``a.b.c`` as names; [""] for anything else."""
    path: list[str] = []
    while isinstance(node, ast.Attribute):
        path.insert(0, node.attr)
        node = node.value
    return [node.id, *path] if isinstance(node, ast.Name) else [""]


def article(value: Any) -> str:
    """What it is: a list, an int."""
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


def is_special(name: str) -> bool:
    """Is it a name like ``__init__``?"""
    return name.startswith("__") and name.endswith("__")


def is_bound(value: Any) -> bool:
    """Is it a method of an object, which need not be named? The libraries' own numbers are."""
    owner = getattr(value, "__self__", None)
    return not (owner is None or isinstance(owner, types.ModuleType | type) or owner in SHARED)


def inner_functions(value: Any) -> list[Any]:
    """The program's functions inside a function of a library."""
    held = [cell.cell_contents for cell in getattr(value, "__closure__", None) or ()]
    functions = (one for one in held if isinstance(one, types.FunctionType))
    return [one for one in functions if origin(one) not in LIBRARIES]


def bound_within(tree: ast.AST) -> set[str]:
    """The names that functions and comprehensions within these lines bind."""
    scopes = ast.FunctionDef | ast.Lambda | ast.comprehension
    return {name for node in ast.walk(tree) if isinstance(node, scopes) for name in bound_in(node)}


def bound_in(tree: ast.AST) -> set[str]:
    """The names that a function binds itself."""
    bound = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.ExceptHandler) and node.name and node != tree:
            bound.add(node.name)
    return bound


def source_of(code: types.CodeType) -> list[ast.AST]:
    """The function with this code, as it stands in its file; of lambdas, all of that line."""
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        return []
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and code.co_name == "<lambda>":
            found += [node] if node.lineno == code.co_firstlineno else []
        elif isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            bare = ast.FunctionDef(node.name, node.args, node.body, [], lineno=node.lineno)
            found += [bare] if first == code.co_firstlineno else []
    return found


def origin(value: Any) -> str:
    """The package that a function or a class comes from."""
    if isinstance(value, types.FunctionType):  # its ``__module__`` may be that of another
        module = value.__globals__.get("__name__")
    else:
        module = getattr(value, "__module__", None)
    owner = type(getattr(value, "__self__", value))
    return str(module or owner.__module__).partition(".")[0]


def is_harmless_builtin(value: Any) -> bool:
    """Is it a built-in function or class that changes nothing?"""
    if isinstance(value, type) and issubclass(value, BaseException):
        return origin(value) == "builtins"
    name = str(getattr(value, "__name__", ""))
    return name in BUILTINS and getattr(builtins, name) is value


def is_lasting(value: Any) -> bool:
    """Is it of a library, and does more than to compute?"""
    module = str(getattr(value, "__module__", ""))
    name = str(getattr(value, "__name__", ""))
    if origin(value) not in LIBRARIES:
        return False
    grad_mode = name == "set_grad_enabled"
    return module.startswith(ROOMS) or (name.startswith(LASTING) and not grad_mode)


def is_readable(kind: type) -> bool:
    """Is it a class of a Python program, and of no installed library?"""
    functions = (getattr(one, "__func__", one) for one in vars(kind).values())
    files = {f.__code__.co_filename for f in functions if isinstance(f, types.FunctionType)}
    libraries = "site-packages", "dist-packages"
    outside = any(part in file for file in files for part in libraries)
    return origin(kind) != "builtins" and not outside and origin(kind) not in STANDARD


def is_generated(owner: type, function: types.FunctionType) -> bool:
    """Has ``dataclass`` written this method?"""
    return dataclasses.is_dataclass(owner) and function.__code__.co_filename == "<string>"


def is_plain_array(value: Any) -> bool:
    """An array of numbers in memory, not one in a file."""
    return type(value) is np.ndarray and not value.dtype.hasobject


def parts_of(value: Any) -> Iterator[Any]:
    """What is in a container."""
    if isinstance(value, collections.abc.Mapping):
        yield from value.keys()
        yield from value.values()
        yield getattr(value, "default_factory", None)
    else:
        yield from value
