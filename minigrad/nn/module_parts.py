"""The parts of a module: its three dictionaries, and what is said of what does not fit in."""

from __future__ import annotations

from typing import Any

from .._tensor import Tensor
from ..compat.arguments import ensure
from .parameter import Parameter

INIT = "\n  fix: super().__init__() in the first line of your class's __init__."
BEFORE = f"cannot assign {{}} before Module.__init__() call{INIT}"

TABLES = {
    "_parameters": "parameter '{}' (torch.nn.Parameter",
    "_modules": "child module '{}' (torch.nn.Module",
    "_buffers": "buffer '{}' (torch.nn.Buffer, torch.Tensor",
}
"""Where a module keeps its parts; and what else may not be assigned to their names."""


def type_name(value: Any) -> str:
    """A type as error messages name it: ``torch.FloatTensor``, ``int``."""
    if isinstance(value, Tensor):
        return str(value.type())
    return type(value).__name__


def no_module(value: Any) -> str:
    """What is said of something that is no module where one belongs, and of what was meant."""
    if isinstance(value, type):
        named = f"{value.__module__}.{value.__qualname__} is not a Module subclass"
        return f"{named}\n  This is the class, not a module.\n  fix: {value.__name__}(...)"
    if isinstance(value, (list, tuple)):
        fix = "fix: the modules one by one, with a star in front of the list: Sequential(*layers)"
        return f"{type_name(value)} is not a Module subclass\n  {fix}"
    if callable(value):
        named = f"{getattr(value, '__name__', type_name(value))} is not a Module subclass"
        return f"{named}\n  fix: the module that does the same, as nn.ReLU() for relu."
    return f"{type_name(value)} is not a Module subclass"


def put(module: Any, table: str, name: str, value: Any) -> None:
    """Keep a part under a name, which from now on means nothing else."""
    parts = module.__dict__
    what = "module" if table == "_modules" else "parameters"
    ensure(table in parts, BEFORE, what, error=AttributeError)
    parts.pop(name, None)
    for other in TABLES:
        if other != table:
            parts[other].pop(name, None)
    parts[table][name] = value


def replace(module: Any, table: str, name: str, value: Any) -> None:
    """Put another value, or None, in the place of a part. Raises TypeError for what is no part."""
    fits = value is None or (table == "_buffers" and isinstance(value, Tensor))
    text = f"cannot assign '{{}}' as {TABLES[table]} or None expected)"
    ensure(fits, text, type_name(value), name, error=TypeError)
    module.__dict__[table][name] = value


def register(module: Any, what: str, table: str, name: Any, value: Any, kind: type) -> None:
    """Put a part into one of the three dictionaries, unless its name or kind is wrong."""
    ensure(table in module.__dict__, BEFORE, what, error=AttributeError)
    text = "{} name should be a string. Got {}"
    ensure(isinstance(name, str), text, what, type_name(name), error=TypeError)
    ensure("." not in name, '{} name can\'t contain ".", got: {}', what, name, error=KeyError)
    ensure(name, '{} name can\'t be empty string ""', what, error=KeyError)
    free = name in module.__dict__[table] or not hasattr(module, name)
    ensure(free, "attribute '{}' already exists", name, error=KeyError)
    fits = value is None or isinstance(value, kind)
    text = "cannot assign '{}' object to {} '{}' (torch {} or None required)"
    ensure(fits, text, type_name(value), what, name, kind.__name__, error=TypeError)
    module.__dict__[table][name] = value


def part(module: Any, name: str, kind: type) -> Any:
    """The part of this name and kind. Raises AttributeError if there is none."""
    text = "{} has no attribute `{}`"
    owner = type(module).__name__
    ensure(hasattr(module, name), text, owner, name, error=AttributeError)
    found = getattr(module, name)
    text = "`{}` is not a buffer" if kind is Tensor else "`{}` is not an nn.{}"
    fits = isinstance(found, kind) and isinstance(found, Parameter) == (kind is Parameter)
    ensure(fits, text, name, kind.__name__, error=AttributeError)
    return found
