"""Write ``docs/coverage.md``: which of PyTorch's names minigrad has, and which of their arguments.

    python docs/coverage.py            # write the table again (needs minigrad alone)
    python docs/coverage.py --names    # record PyTorch's names first (needs PyTorch)

A name is *covered* if minigrad has it and takes the arguments that PyTorch's takes, *partly* if
some of these are missing. That what it has behaves as in PyTorch is for the tests to say.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import types
import typing
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
NAMES, TABLE = HERE / "pytorch_names.json", HERE / "coverage.md"

NAMESPACES = (
    "torch",
    "torch.Tensor",
    "torch.autograd",
    "torch.autograd.functional",
    "torch.autograd.graph",
    "torch.linalg",
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.nn.utils",
    "torch.nn.utils.rnn",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.utils.data",
    "torch.utils.checkpoint",
)

NOWHERE = {
    "out",
    "layout",
    "pin_memory",
    "names",
    "memory_format",
    "non_blocking",
    "foreach",
    "fused",
    "capturable",
    "differentiable",
    "size_average",
    "reduce",
    "device",
    "_stacklevel",
}
"""Arguments that steer what minigrad does not have (other devices, memory layouts, kernels), or
that PyTorch itself has given up. They are missing everywhere, and not counted."""

OF_TORCH = ("Tensor", "Size", "Generator")
"""Of the capitalised names of ``torch`` itself, those that programs use, and not the compiler."""

INSIDE = ("torch", "typing", "collections", "enum", "functools", "contextlib", "warnings", "math")
"""Names from here are public only if a namespace says so; all others are compiled ones."""


# ------------------------------------------------------------------ what PyTorch has


def record_names() -> None:
    """Every public name of the namespaces, with the names of its arguments where they are known."""
    import torch

    found = {space: names_in(resolve("torch", space)) for space in NAMESPACES}
    lines = []
    for space, names in found.items():
        rows = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in names.items())
        lines.append(f"{json.dumps(space)}: {{\n{rows}\n}}")
    version = json.dumps(torch.__version__.partition("+")[0])
    text = f'{{"version": {version},\n"names": {{\n' + ",\n".join(lines) + "\n}}\n"
    NAMES.write_text(text, encoding="utf-8")


def resolve(library: str, space: str):
    """A namespace of a library: a module, or the class Tensor. None if there is none."""
    path = library + space.removeprefix("torch")
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        home, _, name = space.rpartition(".")
        return getattr(resolve(library, home), name, None) if home else None


def names_in(space) -> dict[str, list[str] | None]:
    """The names that a namespace declares public, with the names of their arguments."""
    found = {}
    for name in sorted({*getattr(space, "__all__", ()), *dir(space)}):
        value = getattr(space, name, None)
        home = getattr(value, "__module__", None) or ""
        if name.startswith("_") or isinstance(value, types.ModuleType) or value is None:
            continue
        if space.__name__ == "torch" and name[0].isupper() and not name.endswith(OF_TORCH):
            continue
        if name in getattr(space, "__all__", (name,)) or not home.startswith(INSIDE):
            found[name] = arguments_in_pytorch(name, value)
    return found


def arguments_in_pytorch(name: str, value) -> list[str] | None:
    """The names of the arguments, from the signature or from the schemas of the operation."""
    import torch

    try:
        return arguments_of(value)
    except (TypeError, ValueError):
        pass
    found: dict[str, None] = {}
    for schema in torch._C._jit_get_schemas_for_operator(f"aten::{name}"):
        arguments = schema.arguments
        takes = str(arguments[0].type) if arguments else ""
        gives = any("Tensor" in str(part.type) for part in schema.returns)
        if (gives or takes == "Tensor") and not any(a.is_out for a in arguments):
            found.update(dict.fromkeys(a.name for a in arguments))
    return [n for n in found if n not in ("self", "input")] or None


def arguments_of(value) -> list[str]:
    """The names of the arguments of a function or a class, without ``self``.

    A class that takes ``**kwargs`` may have written out, as overloads, what these are.
    """
    parameters = dict(inspect.signature(value).parameters)
    if inspect.isclass(value) and "kwargs" in parameters:
        for overload in typing.get_overloads(value.__init__):
            parameters.update(inspect.signature(overload).parameters)
    return [
        parameter.name
        for parameter in parameters.values()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and parameter.name not in ("self", "input")
    ]


# ------------------------------------------------------------------ what minigrad has


def missing_arguments(mine, theirs: list[str] | None) -> list[str]:
    """PyTorch's arguments that minigrad's function does not name."""
    try:
        parameters = inspect.signature(mine).parameters.values()
    except (TypeError, ValueError):
        return []
    names = {p.name for p in parameters}
    several = any(p.kind == p.VAR_POSITIONAL for p in parameters)
    others = [n for n in theirs or () if n not in names and n not in NOWHERE]
    # `size` and `dims` are what a *arguments of ours takes; positional names differ by overload.
    return [n for n in others if not (several and n in ("size", "dims", "dim", "shape", "tensors"))]


def state(space, name: str, theirs: list[str] | None) -> tuple[str, list[str]]:
    if not hasattr(space, name):
        return "not", []
    lacking = missing_arguments(getattr(space, name), theirs)
    return ("partly" if lacking else "covered"), lacking


def table() -> str:
    """The whole document."""
    record = json.loads(NAMES.read_text(encoding="utf-8"))
    parts = [
        "# What minigrad covers",
        f"PyTorch {record['version']} and minigrad, name by name. Written by `python "
        "docs/coverage.py`, and compared with minigrad by the tests.",
        "*Covered*: minigrad has the name, and takes PyTorch's arguments. *Partly*: it lacks the "
        "arguments in brackets. *Not*: using the name raises an error that leads here. Missing "
        "everywhere, and not counted, are arguments about other devices, memory layouts and "
        f"kernels: {', '.join(f'`{n}`' for n in sorted(NOWHERE) if n[0] != '_')}.",
    ]
    summary = ["| | covered | partly | not |", "|---|---:|---:|---:|"]
    details = []
    for title, names in record["names"].items():
        space = resolve("minigrad", title)
        rows: dict[str, list[str]] = {"covered": [], "partly": [], "not": []}
        for name, theirs in names.items():
            found, lacking = state(space, name, theirs)
            rows[found].append(f"`{name}`" + (f" ({', '.join(lacking)})" if lacking else ""))
        counts = " | ".join(str(len(row)) for row in rows.values())
        summary.append(f"| [{title}](#{title.replace('.', '').lower()}) | {counts} |")
        details.append(f"## {title}")
        for kind, row in rows.items():
            if row:
                details.append(f"**{kind.capitalize()}**: {', '.join(row)}")
    return "\n\n".join([*parts, "\n".join(summary), *details]) + "\n"


if __name__ == "__main__":
    if "--names" in sys.argv[1:]:
        record_names()
    TABLE.write_text(table(), encoding="utf-8")
    print(f"{TABLE.relative_to(HERE.parent)} written")
