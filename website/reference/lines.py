"""The lines of the source that define a name, found by following its imports.

An object does not always know them: ``zeros = of_sizes(_zeros)`` is defined by this line, and its
code by another.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from .names import ROOT


@dataclass(frozen=True)
class Lines:
    """Some lines of a file of the project."""

    file: Path
    first: int
    last: int

    @property
    def path(self) -> str:
        """As in an address: ``minigrad/ops/reduction.py``."""
        return self.file.relative_to(ROOT).as_posix()

    @property
    def text(self) -> str:
        lines = self.file.read_text(encoding="utf-8").splitlines()
        return "\n".join(lines[self.first - 1 : self.last])


class Unknown(Exception):
    """No line defines this name."""


@functools.cache
def file_of(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise Unknown(module)
    return Path(spec.origin).resolve()


@functools.cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(file_of(module).read_text(encoding="utf-8"))


def is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def lines_of(module: str, name: str) -> Lines:
    """Where a name of a module is defined. Raises Unknown."""
    for node in tree_of(module).body:
        found = defined_by(module, node, name)
        if found is not None:
            return found
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return lines_of(imported_from(module, node), alias.name)
    raise Unknown(f"{module}.{name}")


def lines_of_member(module: str, owner: str, name: str) -> Lines:
    """Where a method or a property of a class is defined. Raises Unknown."""
    for node in tree_of(module).body:
        if isinstance(node, ast.ClassDef) and node.name == owner:
            for part in reversed(node.body):  # the first of a property is its getter
                found = defined_by(module, part, name)
                if found is not None and not is_setter(part):
                    return found
    raise Unknown(f"{module}.{owner}.{name}")


def is_setter(node: ast.stmt) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any(isinstance(one, ast.Attribute) and one.attr == "setter" for one in decorators)


def defined_by(module: str, node: ast.stmt, name: str) -> Lines | None:
    """The lines of a statement that defines this name, or of what it calls by that name."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        return Lines(file_of(module), first, node.end_lineno or node.lineno)
    targets: list[ast.expr] = []
    value = None
    if isinstance(node, ast.Assign):
        targets = [t for one in node.targets for t in getattr(one, "elts", [one])]
        value = node.value
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
        value = node.value
    if not any(isinstance(one, ast.Name) and one.id == name for one in targets):
        return None
    try:
        return behind(module, value)
    except Unknown:
        return Lines(file_of(module), node.lineno, node.end_lineno or node.lineno)


def behind(module: str, value: ast.expr | None) -> Lines:
    """What ``abs_ = inplace.abs_`` or ``one = other`` is another name of. Raises Unknown."""
    if isinstance(value, ast.Name):
        return lines_of(module, value.id)
    if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name):
        for node in tree_of(module).body:
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if (alias.asname or alias.name) == value.value.id:
                        return lines_of(f"{imported_from(module, node)}.{alias.name}", value.attr)
    raise Unknown(ast.dump(value) if value else module)


def imported_from(module: str, node: ast.ImportFrom) -> str:
    """The module that an import takes names from."""
    if not node.level:
        return node.module or ""
    package = module.split(".")
    if file_of(module).name == "__init__.py":
        package.append("")
    parts = [*package[: len(package) - node.level], *([node.module] if node.module else [])]
    return ".".join(parts)
